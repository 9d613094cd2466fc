//! Moves as engines write them and as people read them.
//!
//! Engine text is `d3e4` for a step, `f5L` for a turn, the King's square twice
//! for the null move, and in 2018 `d5e4f5` or `d6d7L` for a swap with its second
//! move. Letters are read in either case, and the `x<square>` that the oldest
//! rules text allows behind a move is read over.
//!
//! Our notation for people says the same with the piece in front, the way it
//! moves in between, and what the laser did behind:
//!
//! | | |
//! |---|---|
//! | `Pd3-e4` | a Pawn steps to an empty square |
//! | `Pd3<>e4` | it trades places with what stands there |
//! | `Pd3>e4` | it stomps the Pawn there (2014, 2015) |
//! | `Kh0R`, `Pf5U` | a turn |
//! | `Kh0-h0xe7#` | a null move that zaps the King on e7 |
//! | `Pd5<>e4-f5`, `Pd6<>d7L` | 2018: a swap and its second move |
//! | `Pc2-b1xf5xg2` | the laser zaps f5, then g2 |
//!
//! `#` closes a move that ends the game, whichever King falls. The zaps may be
//! left out when reading; if they are given, they must be right.

use core::fmt::Write;

use super::board::Leiser;
use super::geometry::Square;
use super::movegen::Refusal;
use super::moves::Move;
use super::piece::Turn;
use crate::error::{MoveError, MoveErrorKind};

/// What a move text says.
struct Words {
    king: Option<bool>,
    m: Move,
    zaps: Vec<Square>,
}

/// Reads a text byte by byte.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    size: u8,
    /// The forms of the notation for people are allowed.
    people: bool,
}

type Read<T> = Result<T, MoveErrorKind>;

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn syntax<T>(&self) -> Read<T> {
        Err(MoveErrorKind::Syntax {
            column: self.at + 1,
        })
    }

    fn square(&mut self) -> Read<Square> {
        match (self.peek(), self.bytes.get(self.at + 1)) {
            (Some(file), Some(&rank)) if file.is_ascii_alphabetic() && rank.is_ascii_digit() => {
                let square =
                    Square::parse(file, rank, self.size).ok_or(MoveErrorKind::NotASquare)?;
                self.at += 2;
                Ok(square)
            }
            (Some(file), _) if file.is_ascii_alphabetic() => {
                self.at += 1;
                self.syntax()
            }
            _ => self.syntax(),
        }
    }

    fn turn(&mut self) -> Option<Turn> {
        let turn = Turn::from_letter(self.peek()?)?;
        self.at += 1;
        Some(turn)
    }

    fn skip(&mut self, token: &[u8]) -> bool {
        let there = self.people && self.bytes[self.at..].starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    fn separator(&mut self) -> bool {
        self.skip(b"<>") || self.skip(b">") || self.skip(b"-")
    }

    fn ends_here(&self) -> bool {
        matches!(self.peek(), None | Some(b'x' | b'X' | b'#' | b' '))
    }

    fn words(&mut self) -> Read<Words> {
        let king = match self.peek() {
            Some(b'K' | b'k') if self.people => Some(true),
            Some(b'P' | b'p') if self.people => Some(false),
            _ => None,
        };
        self.at += usize::from(king.is_some());
        let m = self.movement()?;
        let mut zaps = Vec::new();
        loop {
            while self.skip(b" ") {}
            match self.peek() {
                None => return Ok(Words { king, m, zaps }),
                Some(b'x' | b'X') => {
                    self.at += 1;
                    while self.skip(b" ") {}
                    zaps.push(self.square()?);
                }
                _ if self.skip(b"#") => {}
                _ => return self.syntax(),
            }
        }
    }

    fn movement(&mut self) -> Read<Move> {
        let from = self.square()?;
        if let Some(turn) = self.turn() {
            return Ok(Move::turn(from, turn));
        }
        self.separator();
        let to = self.square()?;
        let unlike_step = Err(MoveErrorKind::Illegal(Refusal::NotAStep.words()));
        if let Some(turn) = self.turn() {
            // The code of `h0h0R` would be that of `h0R`.
            return if from == to {
                unlike_step
            } else {
                Ok(Move::swap_turn(from, to, turn))
            };
        }
        if !self.separator() && self.ends_here() {
            return Ok(Move::step(from, to));
        }
        let last = self.square()?;
        // And that of `d5e4e4` would be that of `d5e4`.
        if last == to {
            unlike_step
        } else {
            Ok(Move::swap_step(from, to, last))
        }
    }
}

/// Reads a move and checks that it is legal.
pub(super) fn read(position: &Leiser, text: &str, people: bool) -> Result<Move, MoveError> {
    let error = |kind| MoveError::new(text, kind);
    let body = text.trim_end();
    if body.trim_start() == "0000" {
        return Err(error(MoveErrorKind::NullMove));
    }
    let mut reader = Reader {
        bytes: body.as_bytes(),
        at: body.len() - body.trim_start().len(),
        size: position.features().size,
        people,
    };
    let words = reader.words().map_err(error)?;
    if let Some(refusal) = position.refusal(words.m) {
        return Err(error(MoveErrorKind::Illegal(refusal.words())));
    }
    if people {
        check(position, &words).map_err(error)?;
    }
    Ok(words.m)
}

/// What a person wrote around a legal move must be true.
fn check(position: &Leiser, words: &Words) -> Result<(), MoveErrorKind> {
    let piece = position.piece_at(words.m.from());
    if words.king.is_some() && words.king != piece.map(super::Piece::is_king) {
        return Err(MoveErrorKind::Illegal("the piece letter does not fit"));
    }
    let fire = position.fire(words.m);
    let zapped = fire.zapped().map(|(square, _)| square);
    if !words.zaps.is_empty() && !zapped.eq(words.zaps.iter().copied()) {
        return Err(MoveErrorKind::Illegal("these are not the squares it zaps"));
    }
    Ok(())
}

/// Engine text.
pub(super) fn write(position: &Leiser, m: Move) -> String {
    let size = position.features().size;
    let mut text = m.from().name(size).to_string();
    if m.from() != m.to() || m.is_null() {
        text += &m.to().name(size).to_string();
    }
    if m.last() != m.to() {
        text += &m.last().name(size).to_string();
    }
    text.extend(m.turning().map(Turn::letter));
    text
}

/// Notation for people.
pub(super) fn write_notation(position: &Leiser, m: Move) -> String {
    let size = position.features().size;
    let king = position
        .piece_at(m.from())
        .is_some_and(super::Piece::is_king);
    let mut text = String::from(if king { "K" } else { "P" });
    text += &m.from().name(size).to_string();
    if m.from() != m.to() || m.is_null() {
        let sign = match position.piece_at(m.to()) {
            Some(_) if position.stomps(m) => ">",
            Some(_) if m.from() != m.to() => "<>",
            _ => "-",
        };
        text += sign;
        text += &m.to().name(size).to_string();
    }
    if m.last() != m.to() {
        text.push('-');
        text += &m.last().name(size).to_string();
    }
    text.extend(m.turning().map(Turn::letter));
    for (square, piece) in position.fire(m).zapped() {
        // Writing to a string cannot fail.
        let _ = write!(text, "x{}", square.name(size));
        if piece.is_king() {
            text.push('#');
        }
    }
    text
}

/// The board for a terminal.
pub(super) fn draw(position: &Leiser) -> String {
    let size = position.features().size;
    let mut text = String::new();
    for rank in (0..size).rev() {
        let _ = write!(text, "{rank} ");
        for file in 0..size {
            match Square::at(file, rank, size).and_then(|s| position.piece_at(s)) {
                Some(piece) => {
                    let _ = write!(text, " {piece}");
                }
                None => text.push_str(" --"),
            }
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in 0..size {
        let _ = write!(text, " {} ", char::from(b'a' + file));
    }
    text.truncate(text.trim_end().len());
    let _ = write!(text, "\n\n{} to move\n", position.side);
    text
}
