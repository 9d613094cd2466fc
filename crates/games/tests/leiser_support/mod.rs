//! What the Leiserchess tests share: random positions.

use quadrille_games::leiser::{Leiser, LeiserRules, Year};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position};

const PAWNS: [&str; 4] = ["NW", "NE", "SE", "SW"];
const KINGS: [&str; 4] = ["NN", "EE", "SS", "WW"];

/// A position text with both Kings and up to `pawns` Pawns anywhere.
pub(crate) fn scatter(dice: &mut SplitMix64, size: usize, pawns: usize) -> String {
    let mut board = vec![String::new(); size * size];
    let mut place = |dice: &mut SplitMix64, text: String| {
        let free: Vec<usize> = (0..board.len()).filter(|&i| board[i].is_empty()).collect();
        board[free[dice.index(free.len())]] = text;
    };
    let king = KINGS[dice.index(4)].to_string();
    place(dice, king);
    let king = KINGS[dice.index(4)].to_lowercase();
    place(dice, king);
    for _ in 0..dice.index(pawns + 1) {
        let pawn = PAWNS[dice.index(4)];
        let pawn = if dice.index(2) == 0 {
            pawn.to_string()
        } else {
            pawn.to_lowercase()
        };
        place(dice, pawn);
    }
    let ranks: Vec<String> = board
        .chunks(size)
        .map(|rank| {
            rank.iter()
                .map(|cell| if cell.is_empty() { "1" } else { cell })
                .collect()
        })
        .collect();
    format!("{} {}", ranks.join("/"), ["W", "B"][dice.index(2)])
}

/// A line to walk: the start of the year, its endgame, or a random placement.
pub(crate) fn opening(dice: &mut SplitMix64, year: Year) -> Line<Leiser> {
    let rules = LeiserRules::of(year);
    let text = match dice.index(4) {
        0 => "startpos".to_string(),
        1 => "endgame".to_string(),
        _ => {
            let pawns = [3, 8, 16, 40][dice.index(4)];
            scatter(dice, rules.features().size as usize, pawns)
        }
    };
    Line::new(Leiser::from_text(&text, &rules).unwrap())
}
