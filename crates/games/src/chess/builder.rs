//! Chess positions put together piece by piece.

use super::board::Chess;
use super::fen::{
    MAX_NUMBER, Problem, board_problems, can_have_jumped, has_usual_castling, rook_of_right,
};
use super::piece::Piece;
use super::rules::ChessRules;
use super::square::Square;
use super::write::FenStyle;
use crate::any_line::PieceView;
use crate::builder::{
    BuildError, BuildErrors, Faults, PositionBuilder, SIDE_TO_MOVE, not_a_piece, not_a_square,
    read_number, read_side, side_word, unknown_field,
};
use crate::error::PositionErrorKind;
use crate::game::{Game, Side};
use crate::position::Position;

const CASTLING: &str = "castling";
const EN_PASSANT: &str = "en passant";
const HALFMOVES: &str = "halfmove clock";
const FULLMOVES: &str = "fullmove number";

/// A chess position being put together; see [`builder`](crate::builder).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessBuilder {
    board: [Option<Piece>; 64],
    /// How castling is written in moves.
    pub rules: ChessRules,
    /// Whose turn it is.
    pub side: Side,
    /// The rights in the letters of a FEN, or nothing: `KQkq` are the outermost
    /// rooks, `HAha` the rooks of those files. The letters get their meaning
    /// when the position is built, so they may come before the pieces.
    pub castling: String,
    /// The square that a pawn has just jumped over.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move, from 1.
    pub fullmove_number: u32,
}

impl ChessBuilder {
    /// Puts a piece on a square and returns what stood there.
    pub const fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        self.board[square.index()].replace(piece)
    }

    /// Empties a square and returns what stood there.
    pub const fn remove(&mut self, square: Square) -> Option<Piece> {
        self.board[square.index()].take()
    }

    /// The piece on a square.
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    fn placed(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Finds the rook of every letter and notes the letters without one.
    fn find_rooks(&self, position: &mut Chess, faults: &mut Faults) {
        let mut found: Vec<(Side, bool)> = Vec::new();
        for c in self.castling.chars() {
            let rook = match rook_of_right(position, c) {
                Some((side, rook)) => rook.map(|rook| (side, rook)),
                None => {
                    faults.add(CASTLING, PositionErrorKind::Unexpected(c));
                    continue;
                }
            };
            let Some((side, rook)) = rook else {
                let why = "there is no king and rook for this castling right";
                faults.add(CASTLING, PositionErrorKind::Impossible(why));
                continue;
            };
            let way = (side, rook.index() > position.king_index(side));
            if found.contains(&way) {
                let why = "only one rook on each side of the king may castle";
                faults.add_at(
                    CASTLING,
                    rook.to_string(),
                    PositionErrorKind::Impossible(why),
                );
            }
            found.push(way);
            position.rooks |= rook.bit();
        }
    }
}

impl PositionBuilder for ChessBuilder {
    type Position = Chess;

    fn new(rules: &ChessRules) -> Self {
        Self {
            board: [None; 64],
            rules: *rules,
            side: Side::White,
            castling: String::new(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    fn of(position: &Chess) -> Self {
        let mut castling = String::new();
        position.write_castling(&mut castling, FenStyle::default().castling);
        Self {
            board: core::array::from_fn(|index| position.piece_at(Square::new(index as u8))),
            rules: position.rules(),
            side: position.side,
            castling: castling.replace('-', ""),
            en_passant: position.jumped_over(),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: position.fullmove_number(),
        }
    }

    fn put_text(&mut self, square: &str, piece: &str) -> Result<(), BuildError> {
        let at = read_square(square)?;
        let found = match *piece.as_bytes() {
            [letter] => Piece::from_letter(letter),
            _ => None,
        };
        let found = found.ok_or_else(|| not_a_piece(Game::Chess, piece))?;
        self.put(at, found);
        Ok(())
    }

    fn remove_text(&mut self, square: &str) -> Result<bool, BuildError> {
        Ok(self.remove(read_square(square)?).is_some())
    }

    fn clear(&mut self) {
        self.board = [None; 64];
    }

    fn pieces(&self) -> Vec<PieceView> {
        let view = |(square, piece): (Square, Piece)| PieceView {
            square: square.to_string(),
            file: Some(square.file().into()),
            rank: Some(square.rank().into()),
            piece: piece.letter().into(),
            side: Some(piece.side),
        };
        self.placed().map(view).collect()
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let or_dash = |text: String| if text.is_empty() { "-".into() } else { text };
        let jumped = self.en_passant.map(|square| square.to_string());
        vec![
            (SIDE_TO_MOVE, side_word(self.side)),
            (CASTLING, or_dash(self.castling.clone())),
            (EN_PASSANT, or_dash(jumped.unwrap_or_default())),
            (HALFMOVES, self.halfmove_clock.to_string()),
            (FULLMOVES, self.fullmove_number.to_string()),
        ]
    }

    fn set(&mut self, field: &str, value: &str) -> Result<(), BuildError> {
        let number = |field| read_number(Game::Chess, field, value);
        match field {
            SIDE_TO_MOVE => self.side = read_side(Game::Chess, value)?,
            CASTLING => self.castling = value.trim().replace('-', ""),
            EN_PASSANT => {
                self.en_passant = match value.trim() {
                    "" | "-" => None,
                    name => Some(read_square(name).map_err(|error| BuildError {
                        field: EN_PASSANT,
                        ..error
                    })?),
                };
            }
            HALFMOVES => self.halfmove_clock = number(HALFMOVES)?,
            FULLMOVES => self.fullmove_number = number(FULLMOVES)?,
            _ => return Err(unknown_field(Game::Chess, field)),
        }
        Ok(())
    }

    fn build(&self) -> Result<Chess, BuildErrors> {
        let mut faults = Faults::new(Game::Chess);
        let mut position = Chess::EMPTY;
        for (square, piece) in self.placed() {
            position.put(piece, square);
        }
        position.side = self.side;
        for Problem {
            field,
            square,
            kind,
        } in board_problems(&position)
        {
            match square {
                Some(square) => faults.add_at(field, square.to_string(), kind),
                None => faults.add(field, kind),
            }
        }
        self.find_rooks(&mut position, &mut faults);
        if let Some(square) = self.en_passant
            && !can_have_jumped(&position, square)
        {
            let why = "no pawn can just have jumped over this square";
            faults.add_at(
                EN_PASSANT,
                square.to_string(),
                PositionErrorKind::Impossible(why),
            );
        }
        faults.check_range(HALFMOVES, self.halfmove_clock.into(), 0, MAX_NUMBER);
        faults.check_range(FULLMOVES, self.fullmove_number.into(), 1, MAX_NUMBER);
        faults.or(|| {
            position.chess960 = self.rules.chess960 || !has_usual_castling(&position);
            position.halfmove = self.halfmove_clock as u16;
            position.set_fullmove(self.fullmove_number);
            position.key = position.fresh_key();
            if let Some(square) = self.en_passant {
                position.offer_en_passant(square.index());
            }
            position
        })
    }
}

fn read_square(name: &str) -> Result<Square, BuildError> {
    name.parse().map_err(|_| not_a_square(Game::Chess, name))
}
