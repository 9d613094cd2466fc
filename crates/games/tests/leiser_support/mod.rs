//! What the Leiserchess tests share: dice and random positions.

use quadrille_games::leiser::{Leiser, LeiserRules, Year};
use quadrille_games::{Line, Position};

/// A small generator with a fixed seed: every run rolls the same.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

const PAWNS: [&str; 4] = ["NW", "NE", "SE", "SW"];
const KINGS: [&str; 4] = ["NN", "EE", "SS", "WW"];

/// A position text with both Kings and up to `pawns` Pawns anywhere.
pub(crate) fn scatter(dice: &mut Dice, size: usize, pawns: usize) -> String {
    let mut board = vec![String::new(); size * size];
    let mut place = |dice: &mut Dice, text: String| {
        let free: Vec<usize> = (0..board.len()).filter(|&i| board[i].is_empty()).collect();
        board[free[dice.below(free.len())]] = text;
    };
    let king = KINGS[dice.below(4)].to_string();
    place(dice, king);
    let king = KINGS[dice.below(4)].to_lowercase();
    place(dice, king);
    for _ in 0..dice.below(pawns + 1) {
        let pawn = PAWNS[dice.below(4)];
        let pawn = if dice.below(2) == 0 {
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
    format!("{} {}", ranks.join("/"), ["W", "B"][dice.below(2)])
}

/// A line to walk: the start of the year, its endgame, or a random placement.
pub(crate) fn opening(dice: &mut Dice, year: Year) -> Line<Leiser> {
    let rules = LeiserRules::of(year);
    let text = match dice.below(4) {
        0 => "startpos".to_string(),
        1 => "endgame".to_string(),
        _ => {
            let pawns = [3, 8, 16, 40][dice.below(4)];
            scatter(dice, rules.features().size as usize, pawns)
        }
    };
    Line::new(Leiser::from_text(&text, &rules).unwrap())
}
