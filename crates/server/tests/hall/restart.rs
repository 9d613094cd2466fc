//! After a restart: positions, clocks, seats, matches, tournaments.

use super::{Stage, settings};
use quadrille_server::hall::{Keep, Kept};

/// What a store would give back of a stage.
pub(super) fn kept(stage: &Stage) -> Kept {
    let mut kept = Kept {
        games: stage.games.values().cloned().collect(),
        ..Kept::default()
    };
    for keep in &stage.kept {
        match keep {
            Keep::Start(game) => kept.last_game = kept.last_game.max(game.number),
            Keep::Account(row) => kept.accounts.push(row.clone()),
            Keep::End(_, _, ratings) => kept.ratings.extend(ratings.clone()),
            Keep::Document(key, json) => {
                kept.documents.retain(|(known, _)| known != key);
                kept.documents.extend(json.clone().map(|json| (*key, json)));
            }
            _ => {}
        }
    }
    kept.last_document = 100;
    kept
}

/// A game of plain engines and people who know no token, cut off after some moves.
fn cut_short() -> Stage {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        P is person Pat
        A is lobby Ann
        A> lobby seek game liberty preset Mini_chess time 60+1 colour white word inn
        A~
        Q connects
        Q> id username inn
        Q> id version 1
        Q> id pieces kmqcaehuriwbznxlop
        Q> uciok
        A> readyok
        Q> readyok
        + 5000
        A> bestmove a2a3
        + 7000
        Q> bestmove b5b4
        + 3000
        ",
    );
    stage
}

#[test]
fn position_and_clock_are_as_they_were() {
    let before = cut_short();
    let token = before.games[&1].players[0].token.clone();
    let mut stage = Stage::with(settings(), kept(&before), 2);
    stage.now = std::time::Duration::ZERO;
    stage.word(token);
    stage.run(
        "
        + 100000
        A connects from 10.0.0.50
        A> id username Ann
        A> id version 1
        A> id pieces kmqcaehuriwbznxlop
        A> id lobby 1
        A> id token $1
        A> uciok
        A<< lobby start id 1 white Ann black guest … game liberty time 60+1 rated no you white
        A< ucinewgame
        A< isready
        A< position fen qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1 moves a2a3 b5b4
        A< clock wtime 57000 btime 55000 winc 1000 binc 1000
        A~
        # The clock stands until the one to move is ready.
        + 9000
        A> readyok
        A< position fen … moves a2a3 b5b4
        A< go wtime 57000 btime 55000 winc 1000 binc 1000
        + 1000
        A> bestmove b2b3
        A~
        # The other one comes back by what it says and its address.
        Q connects
        Q> id username guest
        Q> id version 1
        Q> id pieces kmqcaehuriwbznxlop
        Q> uciok
        Q< uci
        Q< ucinewgame
        Q< isready
        Q< position fen … moves a2a3 b5b4 b2b3
        Q.
        ",
    );
}

#[test]
fn a_game_that_neither_comes_back_to_is_interrupted() {
    let before = cut_short();
    let mut stage = Stage::with(settings(), kept(&before), 2);
    stage.now = std::time::Duration::ZERO;
    stage.pass(300_001);
    let ended = stage.kept.iter().find_map(|keep| match keep {
        Keep::End(1, end, _) => Some(end.ending.to_string()),
        _ => None,
    });
    assert_eq!(ended.as_deref(), Some("Game interrupted"));
    assert_eq!(stage.hall.running(), 0);
}

#[test]
fn who_comes_back_alone_wins() {
    let before = cut_short();
    let mut stage = Stage::with(settings(), kept(&before), 2);
    stage.now = std::time::Duration::ZERO;
    stage.word(before.games[&1].players[0].token.clone());
    stage.run(
        "
        A connects
        A> id username Ann
        A> id version 1
        A> id pieces kmqcaehuriwbznxlop
        A> id lobby 1
        A> id token $1
        A> uciok
        A> readyok
        A> bestmove b2b3
        + 300001
        A<< lobby end id 1 result 1-0 …
        ",
    );
}

#[test]
fn a_match_goes_on() {
    let mut stage = Stage::new(settings());
    let answer =
        stage.order(r#"{"order":"arrange","names":["one","two"],"games":3,"time":"60+0"}"#);
    let words = [0, 1].map(|i| answer["passwords"][i].as_str().expect("a word").to_owned());
    for word in &words {
        stage.word(word.clone());
    }
    stage.run(
        "
        A is person $1
        B is person $2
        A> readyok
        B> readyok
        + 60051
        + 10000
        A> readyok
        B> readyok
        + 3000
        ",
    );
    let mut again = Stage::with(settings(), kept(&stage), 9);
    again.now = std::time::Duration::ZERO;
    for word in &words {
        again.word(word.clone());
    }
    // In the second game the second has White.
    again.run(
        "
        A is person $1
        A<< isready
        A< position fen …
        A> readyok
        A.
        B is person $2
        B<< isready
        B> readyok
        B<< go wtime 60000 btime 60000 winc 0 binc 0
        ",
    );
}

#[test]
fn a_drained_server_ends_with_its_last_game() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        C is lobby Cid
        C> lobby seek time 60
        C~
        ! {\"order\":\"drain\",\"now\":false}
        C< lobby seek-gone id 5
        C< info string the server is about to be restarted: no new games
        C> lobby seek time 60
        C< lobby error the server is about to be restarted: no new games
        ",
    );
    assert!(!stage.drained);
    stage.run("A> lobby resign");
    assert!(stage.drained);
}

/// One who is back and says nothing does not hold up the game for ever, also if it
/// comes and goes.
#[test]
fn the_clock_runs_for_one_who_is_back_and_not_ready() {
    let before = cut_short();
    let mut stage = Stage::with(settings(), kept(&before), 2);
    stage.now = std::time::Duration::ZERO;
    stage.word(before.games[&1].players[0].token.clone());
    stage.run(
        "
        A connects
        A> id username Ann
        A> id version 1
        A> id pieces kmqcaehuriwbznxlop
        A> id lobby 1
        A> id token $1
        A> uciok
        + 9000
        A closes
        + 500
        B connects
        B> id username Ann
        B> id version 1
        B> id pieces kmqcaehuriwbznxlop
        B> id lobby 1
        B> id token $1
        B> uciok
        B~
        + 500
        + 57051
        B<< clock wtime 0 btime 55000 …
        B<< lobby end id 1 result 0-1 …
        ",
    );
}

/// The file counts in microseconds. A clock that went by finer ones would be
/// another after a restart, by a millisecond now and then.
#[test]
fn clocks_are_charged_what_is_written_down() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek game chess time 60+0 colour white word inn
        A~
        B> lobby join word inn
        A> readyok
        B> readyok
        ",
    );
    let lines = ["A> bestmove g1f3", "B> bestmove g8f6", "A> bestmove f3g1"];
    for line in lines {
        stage.now += std::time::Duration::from_nanos(100_900);
        stage.run(line);
    }
    let plies = &stage.games[&1].plies;
    assert_eq!(plies.len(), lines.len());
    for ply in plies {
        assert_eq!(ply.charged.as_nanos(), 100_000, "{ply:?}");
    }
}
