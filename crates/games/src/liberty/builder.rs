//! Positions of Liberty Chess put together piece by piece.

use std::collections::BTreeMap;

use super::kind::{Kind, Piece};
use super::lfen::{self, Parts, SIZE, parse_passage};
use super::setup::{USUAL_PROMOTIONS, Variant, rights};
use super::{Liberty, Rules, squares};
use crate::any_line::PieceView;
use crate::builder::{
    BuildError, BuildErrors, Faults, PLACEMENT, PositionBuilder, SIDE_TO_MOVE, excerpt, fault,
    not_a_piece, not_a_square, read_number, read_side, side_word, unknown_field,
};
use crate::error::PositionErrorKind;
use crate::game::{Game, Side};
use crate::position::Position;

const BOARD_SIZE: &str = "board size";
const CASTLING: &str = "castling";
const EN_PASSANT: &str = "en passant";
const HALFMOVES: &str = "halfmove clock";
const FULLMOVES: &str = "fullmove number";
const PAWN_STEPS: &str = "pawn steps";
const PAWN_RANK: &str = "pawn rank";
const CASTLING_RANK: &str = "castling rank";
const QUEENSIDE_FILE: &str = "queenside file";
const KINGSIDE_FILE: &str = "kingside file";
const PROMOTION: &str = "promotion";
const FRIENDLY_FIRE: &str = "friendly fire";

/// The squares of one file that a Pawn has just passed, all counted from 1 as
/// in an L-FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// The file.
    pub file: u32,
    /// The lowest rank passed.
    pub low: u32,
    /// The highest rank passed.
    pub high: u32,
}

/// A position of Liberty Chess being put together; see
/// [`builder`](crate::builder). It starts with the usual options on 8x8
/// squares; pieces keep their file and rank when the size changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibertyBuilder {
    /// By rank and file, both from 0.
    board: BTreeMap<(u16, u16), Piece>,
    /// Size and options.
    pub variant: Variant,
    /// Whose turn it is.
    pub side: Side,
    /// Whether a right is there, by side: kingside, then queenside.
    pub castling: [[bool; 2]; 2],
    /// What a Pawn has just passed.
    pub en_passant: Option<Passed>,
    /// Half-moves since the last capture or Pawn move, at most 255.
    pub halfmove_clock: u32,
    /// The number of the move.
    pub fullmove_number: u32,
}

impl LibertyBuilder {
    /// Puts a piece on a square, file and rank from 0, and returns what stood
    /// there.
    pub fn put(&mut self, file: u16, rank: u16, piece: Piece) -> Option<Piece> {
        self.board.insert((rank, file), piece)
    }

    /// Empties a square, file and rank from 0, and returns what stood there.
    pub fn remove(&mut self, file: u16, rank: u16) -> Option<Piece> {
        self.board.remove(&(rank, file))
    }

    /// The piece on a square, file and rank from 0.
    pub fn piece_at(&self, file: u16, rank: u16) -> Option<Piece> {
        self.board.get(&(rank, file)).copied()
    }

    fn check_variant(&self, faults: &mut Faults) {
        let Variant {
            width,
            height,
            castling_rank,
            queenside_file,
            kingside_file,
            ..
        } = self.variant;
        let (least, most) = (*SIZE.start() as u64, *SIZE.end() as u64);
        for size in [width, height] {
            faults.check_range(BOARD_SIZE, size.into(), least, most);
        }
        faults.check_range(CASTLING_RANK, castling_rank.into(), 1, height.into());
        faults.check_range(QUEENSIDE_FILE, queenside_file.into(), 1, width.into());
        faults.check_range(KINGSIDE_FILE, kingside_file.into(), 1, width.into());
        if self.variant.promotions.is_empty() {
            faults.add(PROMOTION, PositionErrorKind::Missing);
        }
        faults.check_range(HALFMOVES, self.halfmove_clock.into(), 0, u8::MAX.into());
    }

    fn check_squares(&self, faults: &mut Faults) {
        let Variant { width, height, .. } = self.variant;
        for &(rank, file) in self.board.keys() {
            if file >= width || rank >= height {
                let name = squares::name(file, rank);
                faults.add_at(PLACEMENT, name.clone(), PositionErrorKind::NotASquare(name));
            }
        }
        if let Some(passed) = self.en_passant
            && let Err(kind) = lfen::check_passage(passed, &self.variant, &write_passed(passed))
        {
            faults.add(EN_PASSANT, kind);
        }
    }

    fn set_size(&mut self, value: &str) -> Result<(), BuildError> {
        let wrong = || {
            let kind = PositionErrorKind::Impossible("a board size is written as 8x8, files first");
            fault(Game::Liberty, BOARD_SIZE, kind)
        };
        let (width, height) = value.trim().split_once(['x', 'X']).ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u16>().map_err(|_| wrong());
        let (width, height) = (number(width)?, number(height)?);
        // The usual castling column is the last one, whichever that is; another
        // one can be set afterwards.
        if self.variant.kingside_file == self.variant.width {
            self.variant.kingside_file = width;
        }
        (self.variant.width, self.variant.height) = (width, height);
        Ok(())
    }

    fn set_castling(&mut self, value: &str) -> Result<(), BuildError> {
        let mut castling = [[false; 2]; 2];
        for c in value.trim().chars().filter(|&c| c != '-') {
            let Some(bit) = rights::LETTERS.iter().position(|&letter| letter == c) else {
                let kind = PositionErrorKind::Unexpected(c);
                return Err(fault(Game::Liberty, CASTLING, kind));
            };
            castling[bit / 2][bit % 2] = true;
        }
        self.castling = castling;
        Ok(())
    }

    fn set_passed(&mut self, value: &str) -> Result<(), BuildError> {
        self.en_passant = match value.trim() {
            "" | "-" => None,
            text => {
                let wrong = |kind| fault(Game::Liberty, EN_PASSANT, kind);
                let passed = parse_passage(text).map_err(|(_, kind)| wrong(kind))?;
                let Passed { file, low, high } = passed;
                let most = *SIZE.end() as u32;
                if ![file, low, high].iter().all(|n| (1..=most).contains(n)) {
                    return Err(wrong(PositionErrorKind::NotASquare(excerpt(text))));
                }
                Some(passed)
            }
        };
        Ok(())
    }

    fn set_promotions(&mut self, value: &str) -> Result<(), BuildError> {
        let kind_of = |c| {
            let kind = PositionErrorKind::Unexpected(c);
            Kind::from_letter(c).ok_or_else(|| fault(Game::Liberty, PROMOTION, kind))
        };
        self.variant.promotions = match value.trim() {
            "-" => USUAL_PROMOTIONS.to_vec(),
            letters => letters.chars().map(kind_of).collect::<Result<_, _>>()?,
        };
        Ok(())
    }

    fn set_friendly_fire(&mut self, value: &str) -> Result<(), BuildError> {
        self.variant.friendly_fire = match value.trim().to_ascii_lowercase().as_str() {
            "on" | "yes" | "true" | "ff" => true,
            "off" | "no" | "false" | "-" | "" => false,
            _ => {
                let kind = PositionErrorKind::Impossible("friendly fire is `on` or `off`");
                return Err(fault(Game::Liberty, FRIENDLY_FIRE, kind));
            }
        };
        Ok(())
    }
}

impl PositionBuilder for LibertyBuilder {
    type Position = Liberty;

    fn new(rules: &Rules) -> Self {
        let mut variant = Variant::new(8, 8);
        variant.friendly_fire = rules.friendly_fire;
        Self {
            board: BTreeMap::new(),
            variant,
            side: Side::White,
            castling: [[false; 2]; 2],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    fn of(position: &Liberty) -> Self {
        let width = position.variant().width;
        let mut board = BTreeMap::new();
        position.pieces(|piece, square| {
            board.insert((square / width, square % width), piece);
        });
        let right = |side, kingside| position.may_castle(side, kingside);
        let mut squares = position.en_passant();
        let en_passant = squares.next().map(|low| {
            let high = squares.last().unwrap_or(low);
            Passed {
                file: u32::from(low % width) + 1,
                low: u32::from(low / width) + 1,
                high: u32::from(high / width) + 1,
            }
        });
        Self {
            board,
            variant: position.variant().clone(),
            side: position.side,
            castling: Side::BOTH.map(|side| [right(side, true), right(side, false)]),
            en_passant,
            halfmove_clock: position.halfmoves.into(),
            fullmove_number: position.fullmoves,
        }
    }

    fn put_text(&mut self, square: &str, piece: &str) -> Result<(), BuildError> {
        let (file, rank) = read_square(square)?;
        let mut letters = piece.chars();
        let found = match (letters.next(), letters.next()) {
            (Some(letter), None) => Piece::from_letter(letter),
            _ => None,
        };
        let found = found.ok_or_else(|| not_a_piece(Game::Liberty, piece))?;
        self.put(file, rank, found);
        Ok(())
    }

    fn remove_text(&mut self, square: &str) -> Result<bool, BuildError> {
        let (file, rank) = read_square(square)?;
        Ok(self.remove(file, rank).is_some())
    }

    fn clear(&mut self) {
        self.board.clear();
    }

    fn pieces(&self) -> Vec<PieceView> {
        let view = |(&(rank, file), piece): (&(u16, u16), &Piece)| PieceView {
            square: squares::name(file, rank),
            file: Some(file),
            rank: Some(rank),
            piece: piece.letter().into(),
            side: Some(piece.side),
        };
        self.board.iter().map(view).collect()
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let Variant {
            width,
            height,
            pawn_steps,
            pawn_rank,
            castling_rank,
            queenside_file,
            kingside_file,
            ref promotions,
            friendly_fire,
        } = self.variant;
        let mut castling: String = (rights::LETTERS.iter().enumerate())
            .filter(|(bit, _)| self.castling[bit / 2][bit % 2])
            .map(|(_, letter)| letter)
            .collect();
        if castling.is_empty() {
            castling.push('-');
        }
        let fire = if friendly_fire { "on" } else { "off" };
        vec![
            (SIDE_TO_MOVE, side_word(self.side)),
            (CASTLING, castling),
            (EN_PASSANT, self.en_passant.map_or("-".into(), write_passed)),
            (HALFMOVES, self.halfmove_clock.to_string()),
            (FULLMOVES, self.fullmove_number.to_string()),
            (BOARD_SIZE, format!("{width}x{height}")),
            (PAWN_STEPS, pawn_steps.to_string()),
            (PAWN_RANK, pawn_rank.to_string()),
            (CASTLING_RANK, castling_rank.to_string()),
            (QUEENSIDE_FILE, queenside_file.to_string()),
            (KINGSIDE_FILE, kingside_file.to_string()),
            (
                PROMOTION,
                promotions.iter().map(|kind| kind.letter()).collect(),
            ),
            (FRIENDLY_FIRE, fire.into()),
        ]
    }

    fn set(&mut self, field: &str, value: &str) -> Result<(), BuildError> {
        let number = |field| read_number(Game::Liberty, field, value);
        let short = |field| {
            let kind = || PositionErrorKind::NotANumber(excerpt(value));
            u16::try_from(number(field)?).map_err(|_| fault(Game::Liberty, field, kind()))
        };
        match field {
            SIDE_TO_MOVE => self.side = read_side(Game::Liberty, value)?,
            CASTLING => return self.set_castling(value),
            EN_PASSANT => return self.set_passed(value),
            HALFMOVES => self.halfmove_clock = number(HALFMOVES)?,
            FULLMOVES => self.fullmove_number = number(FULLMOVES)?,
            BOARD_SIZE => return self.set_size(value),
            PAWN_STEPS => self.variant.pawn_steps = number(PAWN_STEPS)?,
            PAWN_RANK => self.variant.pawn_rank = number(PAWN_RANK)?,
            CASTLING_RANK => self.variant.castling_rank = short(CASTLING_RANK)?,
            QUEENSIDE_FILE => self.variant.queenside_file = short(QUEENSIDE_FILE)?,
            KINGSIDE_FILE => self.variant.kingside_file = short(KINGSIDE_FILE)?,
            PROMOTION => return self.set_promotions(value),
            FRIENDLY_FIRE => return self.set_friendly_fire(value),
            _ => return Err(unknown_field(Game::Liberty, field)),
        }
        Ok(())
    }

    fn build(&self) -> Result<Liberty, BuildErrors> {
        let mut faults = Faults::new(Game::Liberty);
        self.check_variant(&mut faults);
        self.check_squares(&mut faults);
        faults.or(|| {
            let bits = Side::BOTH.into_iter().flat_map(|side| {
                [true, false]
                    .into_iter()
                    .zip(self.castling[side.index()])
                    .filter(|(_, there)| *there)
                    .map(move |(kingside, _)| rights::bit(side, kingside))
            });
            // In the order of a text, from the top: lists of pieces, and so of
            // moves, come out the same.
            let place = |(&(rank, file), &piece): (&(u16, u16), &Piece)| (rank, file, piece);
            let mut pieces: Vec<_> = self.board.iter().map(place).collect();
            pieces.sort_by_key(|&(rank, file, _)| (core::cmp::Reverse(rank), file));
            Liberty::assemble(Parts {
                variant: self.variant.clone(),
                pieces,
                side: self.side,
                rights: bits.sum(),
                passed: self.en_passant,
                halfmoves: self.halfmove_clock as u16,
                fullmoves: self.fullmove_number,
            })
        })
    }
}

/// `e3`, or `e3-5` for several squares.
fn write_passed(passed: Passed) -> String {
    let Passed { file, low, high } = passed;
    let letters = squares::file_name(u16::try_from(file.saturating_sub(1)).unwrap_or(u16::MAX));
    if low == high {
        format!("{letters}{low}")
    } else {
        format!("{letters}{low}-{high}")
    }
}

/// File and rank from 0 of a square that some board has.
fn read_square(name: &str) -> Result<(u16, u16), BuildError> {
    let wrong = || not_a_square(Game::Liberty, name);
    let digits = name.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
    let (letters, digits) = name.split_at(digits);
    let fits = letters.bytes().all(|c| c.is_ascii_alphabetic())
        && digits.bytes().all(|c| c.is_ascii_digit());
    if !fits {
        return Err(wrong());
    }
    let file = letters.bytes().fold(0, squares::push_letter);
    let rank = digits.bytes().fold(0, squares::push_digit);
    let most = *SIZE.end() as u32;
    let some_board = (1..=most).contains(&file) && (1..=most).contains(&rank);
    if !some_board {
        return Err(wrong());
    }
    Ok((file as u16 - 1, rank as u16 - 1))
}
