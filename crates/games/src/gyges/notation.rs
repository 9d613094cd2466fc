//! Moves as text: two wire forms and one for people.
//!
//! | | plain move | replacement | win |
//! |---|---|---|---|
//! | wire, today | `2\|13` | `0\|1\|9` | `24\|37` |
//! | wire, 2023 | `0\|2\|1\|13` | `0\|0\|3\|1\|2\|9` | `0\|24\|2\|37` |
//! | people | `c1-b3` | `a1xb1>d2` | `a5-goal#` |
//!
//! In the form for people `x` says that the piece on the second square was
//! replaced and `>` where it went. Squares are `a1` (0) to `f6` (35); `goal` is
//! the goal the mover plays for, and `P1` and `P2` (36 and 37) are understood
//! as well.

use core::fmt::Write as _;

use super::board::{Gyges, NoChange};
use super::geometry::{GOAL_NORTH, GOAL_SOUTH, SQUARES};
use super::moves::{GygesMove, MoveStyle, Rings, turn};
use crate::error::{MoveError, MoveErrorKind};
use crate::line::Line;

/// Engines that never filled in their best move write this "square" thrice.
const NULL_SQUARE: u16 = 100;

/// The numbers of a wire move.
struct Fields {
    values: [u16; 6],
    count: usize,
}

impl Fields {
    fn read(text: &str) -> Result<Self, MoveErrorKind> {
        let leading = text.len() - text.trim_start().len();
        let word = text.trim();
        if word.eq_ignore_ascii_case("null") {
            return Err(MoveErrorKind::NullMove);
        }
        let mut fields = Self {
            values: [0; 6],
            count: 0,
        };
        let mut column = leading + 1;
        for field in word.split('|') {
            let slot = fields.values.get_mut(fields.count);
            match (slot, read_number(field)) {
                (Some(slot), Ok(value)) => *slot = value,
                (None, _) => return Err(MoveErrorKind::Syntax { column }),
                (_, Err(offset)) => {
                    let column = column + offset;
                    return Err(MoveErrorKind::Syntax { column });
                }
            }
            fields.count += 1;
            column += field.len() + 1;
        }
        let read = &fields.values[..fields.count];
        match fields.count {
            2 | 3 if read.iter().all(|&v| v == NULL_SQUARE) => Err(MoveErrorKind::NullMove),
            2 | 3 | 4 | 6 => Ok(fields),
            // One or five: the next field is missing.
            _ => Err(MoveErrorKind::Syntax { column: column - 1 }),
        }
    }

    fn style(&self) -> MoveStyle {
        if self.count <= 3 {
            MoveStyle::Squares
        } else {
            MoveStyle::Pairs
        }
    }

    /// The square in this place of the move: 0 start, 1 end, 2 drop.
    fn square(&self, place: usize) -> Result<Option<u8>, MoveErrorKind> {
        let (index, fields) = match self.style() {
            MoveStyle::Squares => (place, self.count),
            MoveStyle::Pairs => (2 * place + 1, self.count),
        };
        if index >= fields {
            return Ok(None);
        }
        match self.values[index] {
            square @ 0..=37 => Ok(Some(square as u8)),
            _ => Err(MoveErrorKind::NotASquare),
        }
    }

    fn to_move(&self) -> Result<GygesMove, MoveErrorKind> {
        let missing = MoveErrorKind::NotASquare;
        let start = self.square(0)?.ok_or(missing.clone())?;
        let end = self.square(1)?.ok_or(missing)?;
        Ok(GygesMove::new(start, end, self.square(2)?))
    }

    /// Whether the redundant piece fields agree with the board.
    fn pieces_agree(&self, board: &Gyges, m: GygesMove) -> bool {
        let named = |index: usize, square: u8| {
            board.piece(square).map(|r| u16::from(r.count())) == Some(self.values[index])
        };
        self.style() == MoveStyle::Squares
            || (self.values[0] == 0
                && named(2, m.start())
                && (self.count == 4 || named(4, m.end())))
    }
}

/// One to three digits; otherwise the offset of what is wrong.
fn read_number(field: &str) -> Result<u16, usize> {
    let bytes = field.as_bytes();
    if let Some(offset) = bytes.iter().position(|b| !b.is_ascii_digit()) {
        return Err(offset);
    }
    match bytes {
        [] => Err(0),
        [_, _, _, _, ..] => Err(3),
        _ => Ok(bytes.iter().fold(0, |n, b| n * 10 + u16::from(b - b'0'))),
    }
}

/// A move text as it reads on the board turned by 180 degrees, in the same
/// form. An engine always plays upwards; a host turns the answer back with
/// this when side 2 is to move. `null` stays `null`.
///
/// ```
/// use quadrille_games::gyges::turn_move_text;
///
/// assert_eq!(turn_move_text("24|37")?, "11|36");
/// assert_eq!(turn_move_text("0|3|2|12|3|8")?, "0|32|2|23|3|27");
/// # Ok::<(), quadrille_games::MoveError>(())
/// ```
pub fn turn_move_text(text: &str) -> Result<String, MoveError> {
    let fields = match Fields::read(text) {
        Ok(fields) => fields,
        Err(MoveErrorKind::NullMove) => return Ok(text.trim().into()),
        Err(kind) => return Err(MoveError::new(text, kind)),
    };
    let pairs = fields.style() == MoveStyle::Pairs;
    let mut out = String::new();
    for (index, &value) in fields.values[..fields.count].iter().enumerate() {
        if index > 0 {
            out.push('|');
        }
        let is_square = !pairs || index % 2 == 1;
        let turned = match (is_square, value) {
            (false, _) => value,
            (true, 0..=37) => u16::from(turn(value as u8)),
            (true, _) => return Err(MoveError::new(text, MoveErrorKind::NotASquare)),
        };
        // Writing to a String cannot fail.
        let _ = write!(out, "{turned}");
    }
    Ok(out)
}

impl Gyges {
    /// Reads a wire move in either form under a rule of one's choice: a host
    /// whose own engines play [`NoChange::Forbid`] passes
    /// [`NoChange::Accept`] for what an engine of the older rule sends.
    /// [`Line::play_under`] also plays it.
    pub fn parse_move_under(
        &self,
        text: &str,
        no_change: NoChange,
    ) -> Result<GygesMove, MoveError> {
        let read = || {
            let fields = Fields::read(text)?;
            let m = fields.to_move()?;
            self.check(m, no_change)?;
            if !fields.pieces_agree(self, m) {
                let why = "a piece named in the move is not the one on the board";
                return Err(MoveErrorKind::Illegal(why));
            }
            Ok(m)
        };
        read().map_err(|kind| MoveError::new(text, kind))
    }

    /// Writes a legal move in either wire form.
    ///
    /// ```
    /// use quadrille_games::gyges::{Gyges, GygesRules, MoveStyle};
    /// use quadrille_games::Position;
    ///
    /// let game = Gyges::start(&GygesRules::default());
    /// let m = game.parse_move("0|1|9")?;
    /// assert_eq!(game.move_text_in(m, MoveStyle::Pairs), "0|0|3|1|2|9");
    /// assert_eq!(game.parse_move("0|0|3|1|2|9")?, m);
    /// # Ok::<(), quadrille_games::MoveError>(())
    /// ```
    pub fn move_text_in(&self, m: GygesMove, style: MoveStyle) -> String {
        if style == MoveStyle::Squares {
            return m.to_string();
        }
        let rings = |square: u8| self.piece(square).map_or(0, Rings::count);
        let mut out = format!("0|{}|{}|{}", m.start(), rings(m.start()), m.end());
        if let Some(drop) = m.drop() {
            // Writing to a String cannot fail.
            let _ = write!(out, "|{}|{drop}", rings(m.end()));
        }
        out
    }

    /// Whether a legal move leaves the board as it was.
    pub fn changes_nothing(&self, m: GygesMove) -> bool {
        let after = self.after(m);
        after.kinds == self.kinds
    }

    pub(super) fn read_notation(&self, text: &str) -> Result<GygesMove, MoveError> {
        let word = text.trim();
        if word.contains('|') || word.eq_ignore_ascii_case("null") {
            return self.parse_move_under(text, self.no_change);
        }
        let read = || {
            let m = Reader::new(text).read(Self::goal_of(self.side))?;
            self.check(m, self.no_change)?;
            Ok(m)
        };
        read().map_err(|kind| MoveError::new(text, kind))
    }
}

impl Line<Gyges> {
    /// As [`Line::play`], under a rule of one's choice for this one move; see
    /// [`Gyges::parse_move_under`]. The rules of the line stay what they are:
    /// they decide which moves its position lists and when it has none.
    ///
    /// A record of such a line is read back whole only under the rules
    /// `may-stay`, because to the others the move is illegal.
    ///
    /// ```
    /// use quadrille_games::gyges::{Gyges, GygesRules, NoChange};
    /// use quadrille_games::{Line, Position};
    ///
    /// let mut line = Line::new(Gyges::start(&GygesRules::default()));
    /// // A swap of two equal pieces leaves the board as it was.
    /// assert!(line.play("2|3|2").is_err());
    /// line.play_under("2|3|2", NoChange::Accept)?;
    /// assert_eq!(line.moves().len(), 1);
    /// # Ok::<(), quadrille_games::MoveError>(())
    /// ```
    pub fn play_under(&mut self, text: &str, no_change: NoChange) -> Result<GygesMove, MoveError> {
        let m = self.position().parse_move_under(text, no_change)?;
        self.advance(m);
        Ok(m)
    }
}

/// A move as people write it.
pub(super) fn write_notation(m: GygesMove) -> String {
    let mut out = square_name(m.start());
    if m.is_goal() {
        out.push_str("-goal#");
        return out;
    }
    out.push(if m.drop().is_some() { 'x' } else { '-' });
    out.push_str(&square_name(m.end()));
    if let Some(drop) = m.drop() {
        out.push('>');
        out.push_str(&square_name(drop));
    }
    out
}

fn square_name(square: u8) -> String {
    match square as usize {
        0..SQUARES => {
            let (file, rank) = ((b'a' + square % 6) as char, square / 6 + 1);
            format!("{file}{rank}")
        }
        36 => "P1".into(),
        37 => "P2".into(),
        // Not reachable with a legal move; readable all the same.
        _ => format!("?{square}"),
    }
}

/// Reads the form for people, byte by byte, without regard to case.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            at: text.len() - text.trim_start().len(),
            bytes: text.trim_end().as_bytes(),
        }
    }

    fn syntax<T>(&self) -> Result<T, MoveErrorKind> {
        let column = self.at + 1;
        Err(MoveErrorKind::Syntax { column })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).map(u8::to_ascii_lowercase)
    }

    fn eat(&mut self, any_of: &[u8]) -> bool {
        let eaten = self.peek().is_some_and(|b| any_of.contains(&b));
        self.at += usize::from(eaten);
        eaten
    }

    fn eat_word(&mut self, word: &[u8]) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let eaten = rest
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word));
        if eaten {
            self.at += word.len();
        }
        eaten
    }

    fn square(&mut self) -> Result<u8, MoveErrorKind> {
        let Some(file @ b'a'..=b'z') = self.peek() else {
            return self.syntax();
        };
        self.at += 1;
        let Some(rank @ b'0'..=b'9') = self.peek() else {
            return self.syntax();
        };
        self.at += 1;
        match (file, rank) {
            (b'a'..=b'f', b'1'..=b'6') => Ok((rank - b'1') * 6 + (file - b'a')),
            _ => Err(MoveErrorKind::NotASquare),
        }
    }

    fn end(&mut self, goal: u8) -> Result<u8, MoveErrorKind> {
        for (word, square) in [("goal", goal), ("p1", GOAL_SOUTH), ("p2", GOAL_NORTH)] {
            if self.eat_word(word.as_bytes()) {
                self.eat(b"*");
                return Ok(square);
            }
        }
        self.square()
    }

    fn read(mut self, goal: u8) -> Result<GygesMove, MoveErrorKind> {
        let start = self.square()?;
        self.eat(b"-x");
        let end = self.end(goal)?;
        let drop = if self.eat(b">") {
            Some(self.square()?)
        } else {
            None
        };
        // Marks that comment on a move are no part of it.
        while self.eat(b"#!?") {}
        if self.at < self.bytes.len() {
            return self.syntax();
        }
        Ok(GygesMove::new(start, end, drop))
    }
}
