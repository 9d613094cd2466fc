//! Wins proven by trying everything: the judge of mates that engines tell.

use quadrille_games::{AnyLine, Side};

/// No position of ours has more moves.
const MOVES: usize = 4096;

/// Whether the side to move can force a win with so many moves of its own;
/// `None` if that takes more work than there is.
pub(super) fn wins_in(line: &AnyLine, moves: u32, work: &mut u64) -> Option<bool> {
    attack(&mut line.clone(), moves, work)
}

/// Whether the side to move loses, whatever it plays, to so many moves of its
/// opponent.
pub(super) fn loses_in(line: &AnyLine, moves: u32, work: &mut u64) -> Option<bool> {
    defend(&mut line.clone(), moves, work)
}

/// Whether the game is won for this side.
pub(super) fn is_won(line: &AnyLine, side: Side) -> bool {
    line.outcome().is_some_and(|end| end.winner == Some(side))
}

fn attack(line: &mut AnyLine, moves: u32, work: &mut u64) -> Option<bool> {
    if moves == 0 || line.outcome().is_some() {
        return Some(false);
    }
    let side = line.side();
    for m in line.legal(MOVES) {
        *work = work.checked_sub(1)?;
        if line.push(m).is_err() {
            continue;
        }
        let won = is_won(line, side) || (moves > 1 && defend(line, moves - 1, work)?);
        line.pop();
        if won {
            return Some(true);
        }
    }
    Some(false)
}

fn defend(line: &mut AnyLine, moves: u32, work: &mut u64) -> Option<bool> {
    if line.outcome().is_some() {
        return Some(false);
    }
    for m in line.legal(MOVES) {
        *work = work.checked_sub(1)?;
        if line.push(m).is_err() {
            continue;
        }
        let lost = attack(line, moves, work)?;
        line.pop();
        if !lost {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Game;

    fn chess(text: &str) -> AnyLine {
        AnyLine::new(Game::Chess, "", text).expect("a position")
    }

    #[test]
    fn mates_are_found_at_their_distance() {
        let back_rank = chess("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        let mut work = 1_000_000;
        assert_eq!(wins_in(&back_rank, 1, &mut work), Some(true));
        assert_eq!(wins_in(&back_rank, 0, &mut work), Some(false));
        let morphy = chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        assert_eq!(wins_in(&morphy, 1, &mut work), Some(false));
        assert_eq!(wins_in(&morphy, 2, &mut work), Some(true));
        let cornered = chess("k7/8/1K6/8/8/8/8/7R b - - 0 1");
        assert_eq!(loses_in(&cornered, 1, &mut work), Some(true));
        assert_eq!(loses_in(&back_rank, 1, &mut work), Some(false));
    }

    #[test]
    fn too_much_work_is_no_verdict() {
        assert_eq!(wins_in(&AnyLine::start(Game::Chess), 4, &mut 1000), None);
    }
}
