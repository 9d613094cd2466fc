//! The positions that engines are asked about, for each game.

use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game};

/// A line from a position. The texts here are constants, and a test sets each of
/// them up.
pub(super) fn line(game: Game, rules: &str, text: &str, moves: &str) -> AnyLine {
    let mut line = AnyLine::new(game, rules, text).unwrap_or_else(|_| AnyLine::start(game));
    for text in moves.split_whitespace() {
        if line.play(text).is_err() {
            break;
        }
    }
    line
}

/// A game of random moves that is not over after so many of them.
pub(super) fn random_game(game: Game, plies: usize, seed: u64) -> AnyLine {
    for attempt in 0..100 {
        let mut random = SplitMix64::of(seed, attempt);
        let mut line = AnyLine::start(game);
        while line.plies() < plies {
            let moves = line.legal(4096);
            if moves.is_empty() || line.push(moves[random.index(moves.len())]).is_err() {
                break;
            }
            if line.outcome().is_some() || line.outcome_with_claims().is_some() {
                break;
            }
        }
        if line.plies() == plies && line.outcome_with_claims().is_none() {
            return line;
        }
    }
    AnyLine::start(game)
}

/// Moves without a capture or a pawn after which one is played.
const QUIET: u64 = 60;

/// A long game of chess, without a position that comes twice and within the fifty-move
/// rule. It ends with a check, so that few moves fit its end: an engine that has followed
/// a part of it answers with another one.
pub(super) fn long_game(plies: usize, seed: u64) -> AnyLine {
    let mut random = SplitMix64::new(seed);
    let mut line = AnyLine::start(Game::Chess);
    let quiet = |line: &AnyLine| {
        let text = line.position_text();
        let field = text.split_whitespace().nth(4);
        field
            .and_then(|number| number.parse().ok())
            .unwrap_or(0_u64)
    };
    while line.plies() < plies + 400 {
        if line.plies() >= plies && line.in_check() && line.legal(8).len() <= 4 {
            break;
        }
        let before = quiet(&line);
        let mut moves = line.legal(4096);
        let mut played = false;
        while !moves.is_empty() && !played {
            let m = moves.swap_remove(random.index(moves.len()));
            if line.push(m).is_err() {
                continue;
            }
            let fresh = line.outcome().is_none() && line.occurrences() == 1;
            played = fresh && (quiet(&line) > 0 || before >= QUIET);
            if !played {
                line.pop();
            }
        }
        if !played {
            // Nothing but a capture or a pawn is left.
            let forced = line.legal(4096).into_iter().find(|m| {
                let alive = line.push(*m).is_ok();
                let alive = alive && line.outcome().is_none();
                line.pop();
                alive
            });
            match forced {
                Some(m) if line.push(m).is_ok() => {}
                _ => break,
            }
        }
    }
    line
}

/// A position in the middle of a random game, given as text alone.
pub(super) fn middle(game: Game, plies: usize, seed: u64) -> AnyLine {
    let text = random_game(game, plies, seed).position_text();
    line(game, "", &text, "")
}

/// A random game whose last position has no move in common with the start: an
/// engine that has not followed it answers with a move that cannot be played.
/// Where there is none, the one with the fewest.
pub(super) fn telling_game(game: Game, plies: usize, seed: u64) -> AnyLine {
    let attempts = match game {
        Game::Chess | Game::Liberty => 400,
        Game::Leiser | Game::Gyges => 20,
    };
    let start: Vec<String> = texts(&AnyLine::start(game));
    let shared = |line: &AnyLine| {
        let moves = texts(line);
        moves.iter().filter(|text| start.contains(text)).count()
    };
    let mut best = random_game(game, plies, seed);
    let mut fewest = shared(&best);
    for attempt in 1..attempts {
        if fewest == 0 {
            break;
        }
        let other = random_game(game, plies, seed + 1000 * attempt);
        let count = shared(&other);
        if count < fewest && other.plies() == plies {
            (best, fewest) = (other, count);
        }
    }
    best
}

fn texts(line: &AnyLine) -> Vec<String> {
    let moves = line.legal(4096).into_iter();
    moves.filter_map(|m| line.text_of(m).ok()).collect()
}

/// The same, given as text alone.
pub(super) fn telling(game: Game, plies: usize, seed: u64) -> AnyLine {
    let text = telling_game(game, plies, seed).position_text();
    line(game, "", &text, "")
}

/// The side to move wins with its next move.
pub(super) fn win_in_one(game: Game) -> AnyLine {
    line(game, "", win_text(game), "")
}

const fn win_text(game: Game) -> &'static str {
    match game {
        Game::Chess | Game::Liberty => "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        Game::Leiser => LEISER_WIN,
        Game::Gyges => GYGES_WIN,
    }
}

const LEISER_WIN: &str = "ee3nw3/3nw4/1nwnw1nw3/5SE2/2nw3SESW/ne7/4SE3/3SE3NN W";
const GYGES_WIN: &str = "320010/030120/000000/000020/010300/000123";

/// The side to move is far ahead; once White, once Black, once more the other
/// way round.
pub(super) fn lopsided(game: Game) -> Option<[(AnyLine, bool); 4]> {
    let texts = match game {
        Game::Chess | Game::Liberty => [
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1", true),
            ("3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", true),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 b - - 0 1", false),
            ("3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", false),
        ],
        Game::Leiser | Game::Gyges => return None,
    };
    Some(texts.map(|(text, ahead)| (line(game, "", text, ""), ahead)))
}

#[cfg(test)]
mod tests {
    use super::super::prove::wins_in;
    use super::*;

    #[test]
    fn positions_are_what_they_are_said_to_be() {
        for game in Game::ALL {
            let won = AnyLine::new(game, "", win_text(game)).expect("a position");
            assert_eq!(wins_in(&won, 1, &mut 1_000_000), Some(true), "{game}");
            for (board, _) in lopsided(game).into_iter().flatten() {
                assert!(board.legal(10).len() == 10, "{game}");
                assert!(board.start_text() != AnyLine::start(game).start_text());
            }
        }
    }

    #[test]
    fn a_long_game_is_long_and_not_over() {
        for (plies, seed, length) in [(1041, 151, 5000), (3500, 157, 17_000)] {
            let line = long_game(plies, seed);
            let range = plies..plies + 400;
            assert!(range.contains(&line.plies()), "{}", line.plies());
            assert!(line.in_check() && line.outcome_with_claims().is_none());
            assert!((1..=4).contains(&line.legal(10).len()));
            assert!(line.played_texts().join(" ").len() > length);
        }
    }

    #[test]
    fn random_games_are_the_same_every_time_and_not_over() {
        for game in Game::ALL {
            let first = random_game(game, 24, 17);
            assert_eq!(first.plies(), 24, "{game}");
            assert_eq!(
                first.played_texts(),
                random_game(game, 24, 17).played_texts()
            );
            assert!(first.outcome().is_none() && !first.legal(1).is_empty());
            assert_eq!(
                middle(game, 24, 17).legal(5000).len(),
                first.legal(5000).len()
            );
        }
    }
}
