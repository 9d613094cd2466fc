//! Positions as text.
//!
//! The board is 36 digits, the row nearest side 1 first, 0 for an empty square
//! and the ring count otherwise. Slashes may stand between the rows, and the
//! two goals may follow as digits 37 and 38. Since the protocol has no side to
//! move (hosts turn the board instead), our own form adds a word: `two` behind
//! the board when side 2 is to move, nothing when side 1 is.
//!
//! Engines of the field read digits 4 to 9 as empty squares and fill up short
//! boards. That hides mistakes of the sender, so here they are errors.

use core::ops::RangeInclusive;

use super::board::{Gyges, GygesRules};
use super::geometry::{GOAL_NORTH, GOAL_SOUTH, GOALS, SQUARES};
use super::moves::Rings;
use crate::error::{PositionError, PositionErrorKind};
use crate::game::{Game, Side};

/// Pieces in a game.
pub(super) const FULL_SET: usize = 12;

/// The built-in positions of the protocol.
pub(super) const PRESETS: [(&str, &str); 4] = [
    ("start", "321123/000000/000000/000000/000000/321123"),
    ("bench", "202110/000330/000000/000200/000100/030123"),
    ("test", "002130/300300/021100/002000/000200/030100"),
    ("draw", "303030/222211/000001/130000/000000/000000"),
];

pub(super) fn preset(index: usize, rules: GygesRules) -> Gyges {
    let kinds = board_sets(PRESETS[index].1.bytes().filter(u8::is_ascii_digit));
    Gyges::assemble(kinds, Side::White, rules.no_change)
}

fn board_sets(digits: impl Iterator<Item = u8>) -> [u64; 3] {
    let mut kinds = [0; 3];
    for (square, digit) in digits.enumerate().take(SQUARES + 2) {
        if let Some(rings) = Rings::from_count(digit.wrapping_sub(b'0')) {
            kinds[rings.index()] |= 1 << square;
        }
    }
    kinds
}

pub(super) fn error(field: &'static str, column: usize, kind: PositionErrorKind) -> PositionError {
    PositionError {
        game: Game::Gyges,
        field,
        column,
        kind,
    }
}

/// The beginning of a text for an error message, which should stay readable
/// whatever was sent.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The words of a text with their 1-based byte columns.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace()
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize + 1, word))
}

pub(super) fn read(
    text: &str,
    rules: GygesRules,
    pieces: RangeInclusive<usize>,
) -> Result<Gyges, PositionError> {
    let mut words = words(text);
    let Some((column, board)) = words.next() else {
        return Err(error("board", text.len() + 1, PositionErrorKind::Missing));
    };
    // The other dialects' word for the start is understood too.
    let name = if board.eq_ignore_ascii_case("startpos") {
        PRESETS[0].0
    } else {
        board
    };
    let named = PRESETS
        .iter()
        .position(|preset| preset.0.eq_ignore_ascii_case(name));
    let kinds = match named {
        Some(index) => preset(index, rules).kinds,
        None => read_board(board, column, pieces)?,
    };
    let (side_column, side) = match words.next() {
        Some((column, word)) => (column, read_side(word, column)?),
        None => (text.len() + 1, Side::White),
    };
    if let Some((column, _)) = words.next() {
        let rest = PositionErrorKind::Trailing(excerpt(text[column - 1..].trim_end()));
        return Err(error("end", column, rest));
    }
    let position = Gyges::assemble(kinds, side, rules.no_change);
    match turn_problem(&position) {
        Some(kind) => Err(error("side to move", side_column, kind)),
        None => Ok(position),
    }
}

/// What is wrong with whose turn it is.
pub(super) fn turn_problem(position: &Gyges) -> Option<PositionErrorKind> {
    let why = "a side whose piece is in the goal has won and is not to move";
    let won = position.winner() == Some(position.side);
    won.then_some(PositionErrorKind::Impossible(why))
}

/// `a1` to `f6`; the goals are `P1` and `P2`.
pub(crate) fn square_name(square: u8) -> String {
    match square {
        GOAL_SOUTH => "P1".into(),
        GOAL_NORTH => "P2".into(),
        _ => format!("{}{}", char::from(b'a' + square % 6), square / 6 + 1),
    }
}

fn read_side(word: &str, column: usize) -> Result<Side, PositionError> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "one" | "w" | "white" | "south" => Ok(Side::White),
        "2" | "two" | "b" | "black" | "north" => Ok(Side::Black),
        _ => {
            let kind = match word.chars().next() {
                Some(c) => PositionErrorKind::Unexpected(c),
                None => PositionErrorKind::Missing,
            };
            Err(error("side to move", column, kind))
        }
    }
}

fn read_board(
    word: &str,
    column: usize,
    pieces: RangeInclusive<usize>,
) -> Result<[u64; 3], PositionError> {
    let mut digits = [b'0'; SQUARES + 2];
    let mut count = 0;
    // Digits since the last slash.
    let mut group = 0;
    for (offset, c) in word.char_indices() {
        let here = column + offset;
        match c {
            '0'..='3' => {
                if let Some(slot) = digits.get_mut(count) {
                    *slot = c as u8;
                }
                count += 1;
                group += 1;
            }
            '4'..='9' => {
                let found = u64::from(c as u8 - b'0');
                let kind = PositionErrorKind::OutOfRange {
                    found,
                    min: 0,
                    max: 3,
                };
                return Err(error("board", here, kind));
            }
            '/' if group == 0 => {
                return Err(error("board", here, PositionErrorKind::Unexpected('/')));
            }
            // A slash inside a row means that the row lacks a square, or has
            // one too many: everything behind it would be shifted.
            '/' if group % 6 != 0 && count < SQUARES => {
                let kind = PositionErrorKind::Count {
                    what: "squares in the row",
                    expected: 6,
                    found: group,
                };
                return Err(error("board", here, kind));
            }
            '/' => group = 0,
            other => return Err(error("board", here, PositionErrorKind::Unexpected(other))),
        }
    }
    if !(SQUARES..=SQUARES + 2).contains(&count) {
        let kind = PositionErrorKind::Count {
            what: "squares",
            expected: SQUARES,
            found: count,
        };
        return Err(error("board", column, kind));
    }
    check_pieces(board_sets(digits.into_iter()), column, pieces)
}

fn check_pieces(
    kinds: [u64; 3],
    column: usize,
    pieces: RangeInclusive<usize>,
) -> Result<[u64; 3], PositionError> {
    match piece_problems(kinds, pieces).next() {
        Some((field, kind)) => Err(error(field, column, kind)),
        None => Ok(kinds),
    }
}

/// Everything that is wrong with the pieces, with the name of the field.
pub(super) fn piece_problems(
    kinds: [u64; 3],
    pieces: RangeInclusive<usize>,
) -> impl Iterator<Item = (&'static str, PositionErrorKind)> {
    let all = kinds[0] | kinds[1] | kinds[2];
    let goals = (all & GOALS == GOALS).then(|| {
        let why = "only one piece can ever enter a goal";
        ("goals", PositionErrorKind::Impossible(why))
    });
    let found = all.count_ones() as usize;
    let count = (!pieces.contains(&found)).then_some((
        "board",
        PositionErrorKind::Count {
            what: "pieces",
            expected: FULL_SET,
            found,
        },
    ));
    goals.into_iter().chain(count)
}

pub(super) fn write(position: &Gyges) -> String {
    let digit = |square: u8| (b'0' + position.piece(square).map_or(0, Rings::count)) as char;
    let mut out = String::with_capacity(48);
    for square in 0..SQUARES as u8 {
        if square % 6 == 0 && square > 0 {
            out.push('/');
        }
        out.push(digit(square));
    }
    // A finished game has no place in the protocol; here its goals follow as a
    // group of their own.
    if position.winner().is_some() {
        out.push('/');
        out.push(digit(GOAL_SOUTH));
        out.push(digit(GOAL_NORTH));
    }
    if position.side == Side::Black {
        out.push_str(" two");
    }
    out
}

impl Gyges {
    /// Reads a position with any number of pieces from 1 to 36, for puzzles and
    /// experiments; otherwise as [`from_text`](crate::Position::from_text),
    /// which wants the twelve of a real game. Neither looks at the mix of ring
    /// counts: no rule depends on it.
    ///
    /// Generating stays exact with any number, but its price is only measured
    /// and bounded by tests for twelve; more pieces, well placed, cost more.
    pub fn from_text_any_count(text: &str, rules: &GygesRules) -> Result<Self, PositionError> {
        read(text, *rules, 1..=SQUARES)
    }

    /// The board as hosts send it to engines: 38 digits without slashes, seen
    /// from the side to move. An engine always plays for the side whose row
    /// comes first, so the board is turned when side 2 is to move, and the
    /// engine's answer must be turned back
    /// ([`GygesMove::turned`](super::GygesMove::turned)).
    ///
    /// ```
    /// use quadrille_games::gyges::{Gyges, GygesRules};
    /// use quadrille_games::Position;
    ///
    /// let text = "123321/000000/000000/000000/000000/112233 two";
    /// let game = Gyges::from_text(text, &GygesRules::default())?;
    /// assert_eq!(game.ugi_text(), "33221100000000000000000000000012332100");
    /// # Ok::<(), quadrille_games::PositionError>(())
    /// ```
    pub fn ugi_text(&self) -> String {
        let seen = match self.side {
            Side::White => *self,
            Side::Black => self.turned(),
        };
        (0..SQUARES as u8 + 2)
            .map(|square| (b'0' + seen.piece(square).map_or(0, Rings::count)) as char)
            .collect()
    }
}
