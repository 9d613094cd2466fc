//! Reading FEN, X-FEN and Shredder-FEN.
//!
//! Two readers share one pass over the text. The tolerant one behind
//! [`from_text`](crate::Position::from_text) forgives form (missing counters,
//! extra blanks, letters of either case for the side to move, castling letters
//! in any order) and drops what cannot matter: castling rights without their
//! king or rook in place, and en passant squares on which nothing can be
//! captured. [`Chess::from_text_strict`] reports those as errors. Neither
//! accepts a board that cannot be played on: a missing or second king, pawns
//! on the first or last rank, or the side that is not to move in check.

use super::bitboard::Bitboard;
use super::board::Chess;
use super::piece::{Piece, PieceKind};
use super::square::Square;
use crate::error::{PositionError, PositionErrorKind};
use crate::game::{Game, Side};

/// The largest clock or move number that is read.
pub(super) const MAX_NUMBER: u64 = 9_999;

const PLACEMENT: &str = "placement";
const SIDE: &str = "side to move";

/// A field of the text: where it starts and what it says.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    /// 0-based.
    pub(super) start: usize,
    pub(super) text: &'a str,
}

/// Splits at blanks and remembers where each field began.
pub(super) struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What has not been read yet, without leading blanks.
    pub(super) fn rest(&self) -> Field<'a> {
        let left = &self.text[self.at..];
        let trimmed = left.trim_start();
        Field {
            start: self.text.len() - trimmed.len(),
            text: trimmed,
        }
    }

    pub(super) fn next(&mut self) -> Option<Field<'a>> {
        let rest = self.rest();
        let length = rest
            .text
            .find(char::is_whitespace)
            .unwrap_or(rest.text.len());
        self.at = rest.start + length;
        (length > 0).then(|| Field {
            start: rest.start,
            text: &rest.text[..length],
        })
    }

    fn need(&mut self, name: &'static str) -> Result<Field<'a>, PositionError> {
        let end = self.text.trim_end().len();
        self.next()
            .ok_or_else(|| error(name, end, PositionErrorKind::Missing))
    }
}

/// An error at a 0-based byte position.
pub(super) fn error(field: &'static str, at: usize, kind: PositionErrorKind) -> PositionError {
    PositionError {
        game: Game::Chess,
        field,
        column: at + 1,
        kind,
    }
}

const fn impossible(why: &'static str) -> PositionErrorKind {
    PositionErrorKind::Impossible(why)
}

/// How forgiving to be about rights and squares that mean nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    Tolerant,
    Strict,
}

impl Chess {
    /// Reads a position as [`from_text`](crate::Position::from_text) does, but
    /// takes castling rights that cannot exist and en passant squares that no
    /// double step can have left as errors. All six fields are required.
    ///
    /// ```
    /// use quadrille_games::chess::{Chess, ChessRules};
    /// let text = "4k3/8/8/8/8/8/8/4K3 w K - 0 1";
    /// let error = Chess::from_text_strict(text, &ChessRules::default()).unwrap_err();
    /// assert_eq!((error.field, error.column), ("castling", 23));
    /// ```
    pub fn from_text_strict(text: &str, rules: &super::ChessRules) -> Result<Self, PositionError> {
        let mut fields = Fields::new(text);
        let mut position = read_four(&mut fields, Care::Strict)?;
        position.chess960 |= rules.chess960;
        let clock = fields.need("halfmove clock")?;
        position.halfmove = number("halfmove clock", clock, 0)? as u16;
        let count = fields.need("fullmove number")?;
        position.set_fullmove(number("fullmove number", count, 1)? as u32);
        no_more(&fields)?;
        Ok(position)
    }
}

/// Reads a FEN with four to six fields.
pub(super) fn read_tolerant(text: &str) -> Result<Chess, PositionError> {
    let mut fields = Fields::new(text);
    let mut position = read_four(&mut fields, Care::Tolerant)?;
    if let Some(clock) = fields.next() {
        // A dash stands for an unknown number.
        if clock.text != "-" {
            position.halfmove = number("halfmove clock", clock, 0)? as u16;
        }
    }
    if let Some(count) = fields.next()
        && count.text != "-"
    {
        // Move number 0 is common and harmless.
        position.set_fullmove(number("fullmove number", count, 0)?.max(1) as u32);
    }
    no_more(&fields)?;
    Ok(position)
}

fn no_more(fields: &Fields<'_>) -> Result<(), PositionError> {
    let rest = fields.rest();
    if rest.text.is_empty() {
        return Ok(());
    }
    let what = rest.text.trim_end().into();
    Err(error("end", rest.start, PositionErrorKind::Trailing(what)))
}

pub(super) fn number(name: &'static str, field: Field<'_>, min: u64) -> Result<u64, PositionError> {
    let bytes = field.text.as_bytes();
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_digit) {
        let kind = PositionErrorKind::NotANumber(field.text.into());
        return Err(error(name, field.start, kind));
    }
    let found = field.text.parse().unwrap_or(u64::MAX);
    if (min..=MAX_NUMBER).contains(&found) {
        Ok(found)
    } else {
        let kind = PositionErrorKind::OutOfRange {
            found,
            min,
            max: MAX_NUMBER,
        };
        Err(error(name, field.start, kind))
    }
}

/// The four fields that FEN and EPD share. The tolerant reader can do without
/// the last two.
pub(super) fn read_four(fields: &mut Fields<'_>, care: Care) -> Result<Chess, PositionError> {
    let mut position = Chess::EMPTY;
    let board = fields.need("placement")?;
    read_board(&mut position, board)?;
    let side = fields.need("side to move")?;
    position.side = match side.text {
        "w" | "W" => Side::White,
        "b" | "B" => Side::Black,
        other => {
            let c = other
                .chars()
                .find(|c| !"wWbB".contains(*c))
                .or(other.chars().nth(1));
            let kind = PositionErrorKind::Unexpected(c.unwrap_or(' '));
            return Err(error("side to move", side.start, kind));
        }
    };
    position.set_fullmove(1);
    check_board(&position, board, side)?;
    let castling = match care {
        Care::Strict => Some(fields.need("castling")?),
        Care::Tolerant => fields.next(),
    };
    if let Some(field) = castling {
        read_castling(&mut position, field, care)?;
    }
    let en_passant = match care {
        Care::Strict => Some(fields.need("en passant")?),
        Care::Tolerant => fields.next(),
    };
    position.key = position.fresh_key();
    if let Some(field) = en_passant {
        read_en_passant(&mut position, field, care)?;
    }
    Ok(position)
}

fn read_board(position: &mut Chess, field: Field<'_>) -> Result<(), PositionError> {
    let fail = |at: usize, kind| Err(error("placement", field.start + at, kind));
    let mut ranks = 0usize;
    let mut at = 0;
    for text in field.text.split('/') {
        if ranks < 8 {
            read_rank(position, text, 7 - ranks as u8)
                .or_else(|(offset, kind)| fail(at + offset, kind))?;
        }
        ranks += 1;
        at += text.len() + 1;
    }
    if ranks != 8 {
        let kind = PositionErrorKind::Count {
            what: "ranks",
            expected: 8,
            found: ranks,
        };
        return fail(0, kind);
    }
    Ok(())
}

/// Reads one rank; an error carries its offset in the rank's text.
fn read_rank(position: &mut Chess, text: &str, rank: u8) -> Result<(), (usize, PositionErrorKind)> {
    let mut file = 0usize;
    for (offset, c) in text.char_indices() {
        if let '1'..='8' = c {
            file += c as usize - '0' as usize;
            continue;
        }
        let piece = u8::try_from(c).ok().and_then(Piece::from_letter);
        let piece = piece.ok_or((offset, PositionErrorKind::Unexpected(c)))?;
        if let Some(square) = u8::try_from(file).ok().and_then(|f| Square::at(f, rank)) {
            position.put(piece, square);
        }
        file += 1;
    }
    if file == 8 {
        return Ok(());
    }
    let kind = PositionErrorKind::Count {
        what: "squares in the rank",
        expected: 8,
        found: file,
    };
    Err((0, kind))
}

/// Something that makes a board unplayable.
pub(super) struct Problem {
    pub(super) field: &'static str,
    pub(super) square: Option<Square>,
    pub(super) kind: PositionErrorKind,
}

/// The first thing that makes the board unplayable, as an error of the text.
fn check_board(position: &Chess, board: Field<'_>, side: Field<'_>) -> Result<(), PositionError> {
    match board_problems(position).into_iter().next() {
        None => Ok(()),
        Some(problem) => {
            let place = if problem.field == SIDE { side } else { board };
            Err(error(problem.field, place.start, problem.kind))
        }
    }
}

/// Everything that makes a board unplayable: what stands where, and whose turn
/// it is.
pub(super) fn board_problems(position: &Chess) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |field, square, kind| {
        problems.push(Problem {
            field,
            square,
            kind,
        });
    };
    let mut kings_fine = true;
    for (owner, what) in [(Side::White, "white kings"), (Side::Black, "black kings")] {
        let found = Bitboard(position.kings() & position.of_side(owner)).count() as usize;
        if found != 1 {
            let kind = PositionErrorKind::Count {
                what,
                expected: 1,
                found,
            };
            add(PLACEMENT, None, kind);
            kings_fine = false;
        }
    }
    for square in Bitboard(position.pawns() & 0xff00_0000_0000_00ff) {
        let kind = impossible("a pawn stands on the first or last rank");
        add(PLACEMENT, Some(square), kind);
    }
    let waiting = position.side.other();
    let king = position.king_index(waiting);
    let attackers = position.attackers(king, position.occ()) & position.of_side(position.side);
    if kings_fine && attackers != 0 {
        let kind = impossible("the side that is not to move is in check");
        add(SIDE, None, kind);
    }
    problems
}

fn read_castling(position: &mut Chess, field: Field<'_>, care: Care) -> Result<(), PositionError> {
    if field.text == "-" {
        return Ok(());
    }
    let fail = |at: usize, kind| Err(error("castling", field.start + at, kind));
    for (at, c) in field.text.char_indices() {
        let rook = match rook_of_right(position, c) {
            Some((_, rook)) => rook,
            None if c == '-' && care == Care::Tolerant => continue,
            None => return fail(at, PositionErrorKind::Unexpected(c)),
        };
        match rook {
            Some(rook) if position.rooks & rook.bit() == 0 => position.rooks |= rook.bit(),
            Some(_) if care == Care::Strict => {
                return fail(at, impossible("this castling right is named twice"));
            }
            None if care == Care::Strict => {
                return fail(
                    at,
                    impossible("there is no king and rook for this castling right"),
                );
            }
            _ => {}
        }
    }
    for side in Side::BOTH {
        keep_one_rook_each_way(position, side);
    }
    position.chess960 = !has_usual_castling(position);
    Ok(())
}

/// Whose castling right this letter is and the rook it means, if that stands
/// there; `None` if the letter is no right.
pub(super) fn rook_of_right(position: &Chess, letter: char) -> Option<(Side, Option<Square>)> {
    let side = if letter.is_ascii_uppercase() {
        Side::White
    } else {
        Side::Black
    };
    let rook = match letter.to_ascii_lowercase() {
        'k' => outermost_rook(position, side, true),
        'q' => outermost_rook(position, side, false),
        file @ 'a'..='h' => rook_on_file(position, side, file as u8 - b'a'),
        _ => return None,
    };
    Some((side, rook))
}

/// The own rooks on the back rank, if the king stands there too.
fn back_rank_rooks(position: &Chess, side: Side) -> u64 {
    let back = 0xffu64 << (56 * side as u64);
    let us = position.of_side(side) & back;
    if position.kings() & us == 0 {
        return 0;
    }
    position.by_kind(PieceKind::Rook).0 & us
}

/// The rook that X-FEN means by K or Q: the outermost on that side of the
/// king.
pub(super) fn outermost_rook(position: &Chess, side: Side, king_side: bool) -> Option<Square> {
    let rooks = back_rank_rooks(position, side);
    let king = position.king_index(side) as u8;
    let rook = if king_side {
        (63u32.checked_sub(rooks.leading_zeros()))? as u8
    } else {
        (rooks != 0).then(|| rooks.trailing_zeros() as u8)?
    };
    ((rook > king) == king_side).then(|| Square::new(rook))
}

fn rook_on_file(position: &Chess, side: Side, file: u8) -> Option<Square> {
    let rooks = Bitboard(back_rank_rooks(position, side)) & Bitboard::file(file);
    rooks.first()
}

/// Two rights in one direction (`HG` with the king on f1) cannot both be: the
/// outer one stays.
fn keep_one_rook_each_way(position: &mut Chess, side: Side) {
    let back = 0xffu64 << (56 * side as u64);
    let above = !0u64 << position.king_index(side);
    let right = position.rooks & back & above;
    let left = position.rooks & back & !above;
    let outer_right = if right == 0 { 0 } else { 1 << right.ilog2() };
    let outer_left = left & left.wrapping_neg();
    position.rooks = (position.rooks & !back) | outer_right | outer_left;
}

/// Whether every right is one of ordinary chess: king on the e-file, rook on
/// the a- or h-file.
pub(super) fn has_usual_castling(position: &Chess) -> bool {
    Side::BOTH.into_iter().all(|side| {
        let rooks = position.rooks & 0xff << (56 * side as u64);
        rooks == 0 || (position.king_index(side) & 7 == 4 && rooks & !0x8100_0000_0000_0081 == 0)
    })
}

fn read_en_passant(
    position: &mut Chess,
    field: Field<'_>,
    care: Care,
) -> Result<(), PositionError> {
    if field.text == "-" {
        return Ok(());
    }
    let fail = |kind| Err(error("en passant", field.start, kind));
    let mut name = field.text.as_bytes().to_vec();
    name.make_ascii_lowercase();
    let square = match name[..] {
        [file, rank] => Square::from_bytes(file, rank),
        _ => None,
    };
    let Some(square) = square else {
        return fail(PositionErrorKind::NotASquare(field.text.into()));
    };
    if can_have_jumped(position, square) {
        position.offer_en_passant(square.index());
    } else if care == Care::Strict {
        return fail(impossible("no pawn can just have jumped over this square"));
    }
    Ok(())
}

/// Whether the last move can have been a double step over `square`.
pub(super) fn can_have_jumped(position: &Chess, square: Square) -> bool {
    let waiting = position.side.other();
    let (rank, step) = match waiting {
        Side::White => (2, 8i32),
        Side::Black => (5, -8),
    };
    if square.rank() != rank {
        return false;
    }
    let here = square.index() as i32;
    let landed = 1u64 << (here + step);
    let behind = square.bit() | 1u64 << (here - step);
    position.pawns() & position.of_side(waiting) & landed != 0 && position.occ() & behind == 0
}
