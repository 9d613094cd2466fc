//! L-FEN: reading and writing positions.
//!
//! The reader is as tolerant as the reference implementation wherever that
//! cannot hurt: every field but the first may be missing, numbers that make no
//! sense take their defaults, unknown castling and promotion letters are
//! dropped, and any side but `w` means Black. Unlike the reference it takes a
//! capital `W` for White. What cannot be played is an error: a ragged or
//! oversized board, unknown pieces, a castling rank or an en passant square
//! that is not on the board.

use core::fmt::Write;
use std::sync::Arc;

use super::builder::Passed;
use super::kind::{Kind, Piece, cell};
use super::make::Passage;
use super::setup::{Setup, USUAL_PROMOTIONS, Variant, rights};
use super::{Liberty, Rules, squares};
use crate::error::{PositionError, PositionErrorKind};
use crate::game::{Game, Side};

/// Smallest and largest number of files or ranks.
pub(super) const SIZE: core::ops::RangeInclusive<usize> = 2..=256;

/// One word of the text and where it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    name: &'static str,
    text: &'a str,
    /// 1-based.
    column: usize,
}

impl Field<'_> {
    /// An error at a byte of this field.
    fn error(&self, offset: usize, kind: PositionErrorKind) -> PositionError {
        PositionError {
            game: Game::Liberty,
            field: self.name,
            column: self.column + offset,
            kind,
        }
    }
}

/// The names of the nine fields.
const FIELDS: [&str; 9] = [
    "placement",
    "side to move",
    "castling",
    "en passant",
    "halfmove clock",
    "fullmove number",
    "options",
    "promotion",
    "friendly fire",
];

/// The words of the text; missing ones are empty. What follows the ninth is
/// ignored.
fn fields(text: &str) -> [Field<'_>; 9] {
    let mut words = text.split_ascii_whitespace();
    FIELDS.map(|name| {
        let word = words.next();
        let offset = word.map_or(text.len(), |w| w.as_ptr().addr() - text.as_ptr().addr());
        Field {
            name,
            text: word.unwrap_or(""),
            column: offset + 1,
        }
    })
}

/// The pieces of the first field.
struct Placement {
    width: usize,
    height: usize,
    /// Rank from the top, file, piece.
    pieces: Vec<(usize, usize, Piece)>,
}

impl Placement {
    fn read(field: Field<'_>) -> Result<Self, PositionError> {
        if field.text.is_empty() {
            return Err(field.error(0, PositionErrorKind::Missing));
        }
        let mut placement = Self {
            width: 0,
            height: 0,
            pieces: Vec::new(),
        };
        let mut offset = 0;
        for rank in field.text.split('/') {
            let width = placement.read_rank(field, offset, rank)?;
            if placement.height == 0 {
                placement.width = width;
            } else if width != placement.width {
                let kind = PositionErrorKind::Count {
                    what: "squares in the rank",
                    expected: placement.width,
                    found: width,
                };
                return Err(field.error(offset, kind));
            }
            placement.height += 1;
            offset += rank.len() + 1;
        }
        for size in [placement.width, placement.height] {
            check_size(field, 0, size)?;
        }
        Ok(placement)
    }

    /// Reads one rank and returns its width.
    fn read_rank(
        &mut self,
        field: Field<'_>,
        offset: usize,
        rank: &str,
    ) -> Result<usize, PositionError> {
        let mut file = 0_usize;
        let mut run = 0_usize;
        for (index, c) in rank.char_indices() {
            if let Some(digit) = c.to_digit(10) {
                run = run.saturating_mul(10).saturating_add(digit as usize);
            } else if let Some(piece) = Piece::from_letter(c) {
                file = file.saturating_add(core::mem::take(&mut run));
                self.pieces.push((self.height, file, piece));
                file = file.saturating_add(1);
            } else {
                return Err(field.error(offset + index, PositionErrorKind::Unexpected(c)));
            }
            if file > *SIZE.end() {
                check_size(field, offset, file)?;
            }
        }
        let width = file.saturating_add(run);
        if width > *SIZE.end() {
            check_size(field, offset, width)?;
        }
        if self.height >= *SIZE.end() {
            check_size(field, offset, field.text.split('/').count())?;
        }
        Ok(width)
    }
}

fn check_size(field: Field<'_>, offset: usize, size: usize) -> Result<(), PositionError> {
    if SIZE.contains(&size) {
        return Ok(());
    }
    let kind = PositionErrorKind::OutOfRange {
        found: size as u64,
        min: *SIZE.start() as u64,
        max: *SIZE.end() as u64,
    };
    Err(field.error(offset, kind))
}

/// The options of fields 7 to 9.
fn read_variant(
    placement: &Placement,
    [options, promotion, friendly]: [Field<'_>; 3],
    rules: Rules,
) -> Result<Variant, PositionError> {
    let (width, height) = (placement.width as u16, placement.height as u16);
    let mut variant = Variant::new(width, height);
    let mut offset = 0;
    for (index, item) in options.text.split(',').enumerate() {
        if let Ok(number) = item.parse::<u32>() {
            let file = u16::try_from(number)
                .ok()
                .filter(|f| (1..=width).contains(f));
            match index {
                0 => variant.pawn_steps = number,
                1 => variant.pawn_rank = number,
                2 if number > u32::from(height) => {
                    let kind = PositionErrorKind::OutOfRange {
                        found: u64::from(number),
                        min: 1,
                        max: u64::from(height),
                    };
                    return Err(options.error(offset, kind));
                }
                2 => variant.castling_rank = (number as u16).max(1),
                3 => variant.queenside_file = file.unwrap_or(variant.queenside_file),
                4 => variant.kingside_file = file.unwrap_or(variant.kingside_file),
                _ => {}
            }
        }
        offset += item.len() + 1;
    }
    let listed: Vec<Kind> = promotion
        .text
        .chars()
        .filter_map(Kind::from_letter)
        .collect();
    if !listed.is_empty() {
        variant.promotions = listed;
    }
    variant.friendly_fire = rules.friendly_fire || friendly.text == "ff";
    Ok(variant)
}

/// The squares that a Pawn passed.
fn read_passage(field: Field<'_>, variant: &Variant) -> Result<Option<Passed>, PositionError> {
    let text = field.text;
    if text.is_empty() || text == "-" {
        return Ok(None);
    }
    let passed = parse_passage(text).map_err(|(offset, kind)| field.error(offset, kind))?;
    check_passage(passed, variant, text).map_err(|kind| field.error(0, kind))?;
    Ok(Some(passed))
}

/// Reads `e3` or `e3-5`, whether or not a board has these squares; an error
/// carries its offset.
pub(super) fn parse_passage(text: &str) -> Result<Passed, (usize, PositionErrorKind)> {
    let (square, end) = match text.split_once('-') {
        Some((square, end)) => (square, Some(end)),
        None => (text, None),
    };
    let (mut file, mut low) = (0, 0);
    for (index, c) in square.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => file = squares::push_letter(file, c as u8),
            '0'..='9' => low = squares::push_digit(low, c as u8),
            _ => return Err((index, PositionErrorKind::Unexpected(c))),
        }
    }
    let mut high = low;
    if let Some(end) = end {
        high = 0;
        for (index, c) in end.char_indices() {
            if !c.is_ascii_digit() {
                let offset = square.len() + 1 + index;
                return Err((offset, PositionErrorKind::Unexpected(c)));
            }
            high = squares::push_digit(high, c as u8);
        }
    }
    Ok(Passed { file, low, high })
}

/// Whether the passed squares are on the board, and in order.
pub(super) fn check_passage(
    passed: Passed,
    variant: &Variant,
    text: &str,
) -> Result<(), PositionErrorKind> {
    let Passed { file, low, high } = passed;
    let files = 1..=u32::from(variant.width);
    let ranks = 1..=u32::from(variant.height);
    if !files.contains(&file) || !ranks.contains(&low) || !ranks.contains(&high) {
        return Err(PositionErrorKind::NotASquare(text.into()));
    }
    if low > high {
        let why = "a passage is written from its low rank to its high rank";
        return Err(PositionErrorKind::Impossible(why));
    }
    Ok(())
}

/// What a position is made of; every number has been checked.
pub(super) struct Parts {
    pub(super) variant: Variant,
    /// Rank and file, both from 0. The order is that of the lists of pieces.
    pub(super) pieces: Vec<(u16, u16, Piece)>,
    pub(super) side: Side,
    pub(super) rights: u8,
    pub(super) passed: Option<Passed>,
    pub(super) halfmoves: u16,
    pub(super) fullmoves: u32,
}

impl Liberty {
    /// Reads an L-FEN.
    pub(super) fn read_lfen(text: &str, rules: Rules) -> Result<Self, PositionError> {
        let [board, side, castling, passage, half, full, rest @ ..] = fields(text);
        let placement = Placement::read(board)?;
        let variant = read_variant(&placement, rest, rules)?;
        let passed = read_passage(passage, &variant)?;
        let top = placement.height - 1;
        let pieces = placement.pieces.iter();
        Ok(Self::assemble(Parts {
            variant,
            pieces: pieces
                .map(|&(row, file, piece)| ((top - row) as u16, file as u16, piece))
                .collect(),
            side: match side.text {
                "" | "w" | "W" => Side::White,
                _ => Side::Black,
            },
            rights: read_rights(castling.text),
            passed,
            halfmoves: half.text.parse::<u8>().unwrap_or(0).into(),
            fullmoves: full.text.parse().unwrap_or(1),
        }))
    }

    /// Puts a position together.
    pub(super) fn assemble(parts: Parts) -> Self {
        let width = parts.variant.width;
        let mut kings = [Vec::new(), Vec::new()];
        for &(rank, file, piece) in &parts.pieces {
            if piece.kind == Kind::King {
                // At most 256 files and ranks: the last square is 65535.
                let square = usize::from(rank) * usize::from(width) + usize::from(file);
                kings[piece.side.index()].push(square as u16);
            }
        }
        let setup = Setup::new(parts.variant, [&kings[0], &kings[1]]);
        // Files and ranks of a passage count from 1.
        let passed =
            |file: u32, rank: u32| cell_of(&setup, rank as usize - 1, file as usize - 1) as u32;
        let mut position = Self {
            board: setup.empty_board(),
            slots: vec![0; setup.cells].into(),
            lists: Default::default(),
            counts: [[0; 19]; 2],
            present: [0; 2],
            hash: 0,
            passage: parts.passed.map_or(Passage::NONE, |p| Passage {
                low: passed(p.file, p.low),
                high: passed(p.file, p.high),
            }),
            fullmoves: parts.fullmoves,
            halfmoves: parts.halfmoves,
            reversible: parts.halfmoves,
            rights: parts.rights,
            side: parts.side,
            setup: Arc::new(setup),
        };
        for (rank, file, piece) in parts.pieces {
            let at = cell_of(&position.setup, rank.into(), file.into());
            position.insert(at, cell::code(piece.side, piece.kind));
        }
        position.hash = position.compute_hash();
        position
    }

    /// Writes the L-FEN, as short as it can be. (Writing to a String cannot
    /// fail, so the results of `write!` are dropped here.)
    pub(super) fn write_lfen(&self) -> String {
        let mut text = self.write_placement();
        text.push_str(if self.side == Side::White {
            " w "
        } else {
            " b "
        });
        let letters = rights::LETTERS.iter().enumerate();
        let castling: String = letters
            .filter(|(bit, _)| self.rights >> bit & 1 != 0)
            .map(|(_, letter)| letter)
            .collect();
        text.push_str(if castling.is_empty() { "-" } else { &castling });
        text.push(' ');
        text.push_str(&self.write_passage());
        let _ = write!(text, " {} {}", self.halfmoves, self.fullmoves);
        let variant = &self.setup.variant;
        let options = write_options(variant);
        let promotion = variant.friendly_fire || variant.promotions != USUAL_PROMOTIONS;
        if promotion || !options.is_empty() {
            text.push(' ');
            text.push_str(if options.is_empty() { "-" } else { &options });
        }
        if promotion {
            text.push(' ');
            text.extend(variant.promotions.iter().map(|kind| kind.letter()));
        }
        if variant.friendly_fire {
            text.push_str(" ff");
        }
        text
    }

    fn write_placement(&self) -> String {
        let mut text = String::new();
        let rows: Vec<_> = self.setup.rows().collect();
        for row in rows.into_iter().rev() {
            if !text.is_empty() {
                text.push('/');
            }
            let mut run = 0;
            for at in row {
                match cell::piece(self.board[at]) {
                    None => run += 1,
                    Some(piece) => {
                        if run > 0 {
                            text.push_str(&run.to_string());
                            run = 0;
                        }
                        text.push(piece.letter());
                    }
                }
            }
            if run > 0 {
                text.push_str(&run.to_string());
            }
        }
        text
    }

    fn write_passage(&self) -> String {
        let mut squares = self.en_passant();
        let Some(low) = squares.next() else {
            return "-".into();
        };
        let mut text = self.square_name(low);
        if let Some(high) = squares.last() {
            let _ = write!(text, "-{}", high / self.setup.variant.width + 1);
        }
        text
    }
}

fn cell_of(setup: &Setup, rank: usize, file: usize) -> usize {
    setup.origin + rank * setup.stride + file
}

fn read_rights(text: &str) -> u8 {
    let mut found = 0;
    for (bit, &letter) in rights::LETTERS.iter().enumerate() {
        if text.contains(letter) {
            found |= 1 << bit;
        }
    }
    found
}

/// Field 7 up to its last unusual item; empty if there is none.
fn write_options(variant: &Variant) -> String {
    let usual = Variant::new(variant.width, variant.height);
    let items = |v: &Variant| {
        [
            v.pawn_steps,
            v.pawn_rank,
            u32::from(v.castling_rank),
            u32::from(v.queenside_file),
            u32::from(v.kingside_file),
        ]
    };
    let (found, usual) = (items(variant), items(&usual));
    let unusual = found.iter().zip(usual).rposition(|(a, b)| *a != b);
    let count = unusual.map_or(0, |index| index + 1);
    let words: Vec<String> = found[..count].iter().map(u32::to_string).collect();
    words.join(",")
}
