//! Whole games driven as the match runners of Gyges and Leiserchess drive them,
//! with the parts on which those programs rely: a field out of place there ends
//! the match or the runner.

use crate::support::Host;
use quadrille_games::gyges::{Gyges, GygesRules, turn_move_text};
use quadrille_games::leiser::{Leiser, LeiserRules};
use quadrille_games::{Game, Line, Position, Side};

/// Longer games are broken off.
const LONGEST: usize = 200;

/// The Gyges match runner: a fresh board for every move, seen by the mover;
/// move, score and time are the words 1, 3 and 5 of `bestmove`; the desktop
/// program cuts the words after `info` into pairs.
#[test]
fn a_game_of_the_gyges_match_runner() {
    let players = [Host::new(Game::Gyges, ""), Host::new(Game::Gyges, "")];
    for player in &players {
        player.send("ugi");
        player.until(|line| line == "ugiok");
        player.send("setoption threads 1");
        player.send("isready");
        player.until(|line| line == "readyok");
    }
    // One that plays at random, so that the game does not go in circles: no
    // player knows what was played before.
    players[1].send("setoption seed 1");
    let mut line = Line::new(Gyges::random_start(3, &GygesRules::default()));
    let mut last = String::new();
    while line.outcome().is_none() && line.moves().len() < LONGEST {
        let turn = line.moves().len() % 2;
        let player = &players[turn];
        player.send(&format!("setpos data {}", line.position().ugi_text()));
        player.send("setoption maxPly 3");
        player.send("setoption maxTime 1");
        player.send(&format!("setoption randomize {}", turn == 1));
        player.send("setoption maxNodes 300");
        player.send("go");
        let said = player.until(|line| line.starts_with("bestmove"));
        let (answer, infos) = said.split_last().expect("an answer");
        for info in infos {
            assert_eq!(info.split(' ').skip(1).count() % 2, 0, "{info}");
        }
        let words: Vec<&str> = answer.split(' ').collect();
        assert_eq!((words.len(), words[2], words[4]), (6, "score", "time"));
        assert!(words[3].parse::<f64>().is_ok(), "{answer}");
        assert!(words[5].parse::<f64>().is_ok(), "{answer}");
        last = words[1].into();
        // The engine always plays upwards; for side 2 the answer is turned back.
        let played = match line.position().side() {
            Side::White => line.play(&last),
            Side::Black => turn_move_text(&last).and_then(|text| line.play(&text)),
        };
        played.unwrap_or_else(|e| panic!("{answer}: {e}"));
    }
    assert!(line.outcome().is_some_and(|end| end.winner.is_some()));
    let goal = last.rsplit('|').next();
    assert_eq!(goal, Some("37"), "a win ends on the far goal: {last}");
}

/// The Leiserchess match runner: a new process for each game, always `startpos`
/// with all moves, and a clock of the mover alone, or nodes, or depth.
#[test]
fn a_game_of_the_leiserchess_match_runner() {
    for goes in [
        ["go time 300 inc 5", "go depth 2"],
        ["go time 200 movestogo 10", "go nodes 500"],
    ] {
        let players = [Host::new(Game::Leiser, ""), Host::new(Game::Leiser, "")];
        for player in &players {
            player.send("uci");
            player.until(|line| line == "uciok");
            player.send("setoption name hash value 4");
            player.send("isready");
            player.until(|line| line == "readyok");
        }
        let mut line = Line::new(Leiser::start(&LeiserRules::default()));
        let mut moves = String::new();
        while line.outcome().is_none() && line.moves().len() < LONGEST / 4 {
            let turn = line.moves().len() % 2;
            players[turn].send(&format!("position startpos{moves}"));
            players[turn].send(goes[turn]);
            let said = players[turn].until(|line| line.starts_with("bestmove"));
            let answer = &said[said.len() - 1];
            let m = answer.split(' ').nth(1).expect("a move");
            line.play(m).unwrap_or_else(|e| panic!("{answer}: {e}"));
            if moves.is_empty() {
                moves.push_str(" moves");
            }
            moves = format!("{moves} {m}");
        }
        let played = line.moves().len();
        assert!(line.outcome().is_some() || played == LONGEST / 4, "{moves}");
        for player in players {
            player.quit();
        }
    }
}
