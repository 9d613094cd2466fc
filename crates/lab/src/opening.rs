//! Where self-play games begin. Variety of openings decides what can be
//! learned, so that the first moves are simply random.

use quadrille_games::Position;
use quadrille_games::chess::Chess;

use quadrille_games::random::SplitMix64;

/// A start position: one of the 960 (each side its own) in `shuffled` percent of
/// the cases, otherwise the usual one.
pub fn start(random: &mut SplitMix64, shuffled: usize) -> Chess {
    if random.index(100) >= shuffled {
        return Chess::default();
    }
    let white = random.index(960) as u16;
    let black = random.index(960) as u16;
    Chess::double_chess960(white, black).unwrap_or_default()
}

/// A position some random moves into a game that is not over.
pub fn random(random: &mut SplitMix64, plies: usize, shuffled: usize) -> Chess {
    loop {
        let mut position = start(random, shuffled);
        // One ply more or less, so that both sides get to begin.
        for _ in 0..plies + random.index(2) {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.index(moves.len())]);
        }
        if position.outcome().is_none() && !position.in_check() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_playable_and_differ() {
        let mut source = SplitMix64::new(1);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..200 {
            let position = random(&mut source, 8, 20);
            assert!(position.has_moves());
            seen.insert(position.hash());
        }
        assert!(seen.len() > 195);
    }

    #[test]
    fn shuffled_starts_keep_their_castling_rights() {
        let mut source = SplitMix64::new(9);
        for _ in 0..50 {
            let position = start(&mut source, 100);
            assert_eq!(position.castling().rooks().count(), 4);
        }
    }
}
