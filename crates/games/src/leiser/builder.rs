//! Leiserchess positions put together piece by piece.

use std::collections::BTreeMap;

use super::board::Leiser;
use super::fen::king_count;
use super::geometry::Square;
use super::piece::Piece;
use super::rules::LeiserRules;
use crate::any_line::PieceView;
use crate::builder::{
    BuildError, BuildErrors, Faults, PLACEMENT, PositionBuilder, SIDE_TO_MOVE, not_a_piece,
    not_a_square, read_number, read_side, side_word, unknown_field,
};
use crate::error::PositionErrorKind;
use crate::game::{Game, Side};
use crate::position::Position;

const QUIET_PLIES: &str = "quiet plies";

/// A Leiserchess position being put together; see [`builder`](crate::builder).
///
/// The move that Ko (2) refuses is not part of it: a built position begins as
/// one that was read, without a board before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeiserBuilder {
    rules: LeiserRules,
    board: BTreeMap<Square, Piece>,
    /// Whose turn it is.
    pub side: Side,
    /// Plies since a Pawn left the board.
    pub quiet_plies: u32,
}

impl LeiserBuilder {
    /// The rules, which choose the size of the board.
    pub const fn rules(&self) -> LeiserRules {
        self.rules
    }

    /// Puts a piece on a square and returns what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        self.board.insert(square, piece)
    }

    /// Empties a square and returns what stood there.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        self.board.remove(&square)
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.get(&square).copied()
    }

    fn size(&self) -> u8 {
        self.rules.features().size
    }

    fn read_square(&self, name: &str) -> Result<Square, BuildError> {
        let square = match *name.as_bytes() {
            [file, rank] => Square::parse(file, rank, self.size()),
            _ => None,
        };
        square.ok_or_else(|| not_a_square(Game::Leiser, name))
    }
}

impl PositionBuilder for LeiserBuilder {
    type Position = Leiser;

    fn new(rules: &LeiserRules) -> Self {
        Self {
            rules: *rules,
            board: BTreeMap::new(),
            side: Side::White,
            quiet_plies: 0,
        }
    }

    fn of(position: &Leiser) -> Self {
        let occupied = position.occupied().into_iter();
        let pieces = occupied.filter_map(|square| Some((square, position.piece_at(square)?)));
        Self {
            rules: position.rules(),
            board: pieces.collect(),
            side: position.side,
            quiet_plies: position.quiet_plies(),
        }
    }

    fn put_text(&mut self, square: &str, piece: &str) -> Result<(), BuildError> {
        let at = self.read_square(square)?;
        let found = match *piece.as_bytes() {
            [first, second] => Piece::from_letters([first, second]),
            _ => None,
        };
        let found = found.ok_or_else(|| not_a_piece(Game::Leiser, piece))?;
        self.put(at, found);
        Ok(())
    }

    fn remove_text(&mut self, square: &str) -> Result<bool, BuildError> {
        let at = self.read_square(square)?;
        Ok(self.remove(at).is_some())
    }

    fn clear(&mut self) {
        self.board.clear();
    }

    fn pieces(&self) -> Vec<PieceView> {
        let size = self.size();
        let view = |(square, piece): (&Square, &Piece)| PieceView {
            square: square.name(size).to_string(),
            file: Some(square.file(size).into()),
            rank: Some(square.rank(size).into()),
            piece: piece.to_string(),
            side: Some(piece.side()),
        };
        self.board.iter().map(view).collect()
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        vec![
            (SIDE_TO_MOVE, side_word(self.side)),
            (QUIET_PLIES, self.quiet_plies.to_string()),
        ]
    }

    fn set(&mut self, field: &str, value: &str) -> Result<(), BuildError> {
        match field {
            SIDE_TO_MOVE => self.side = read_side(Game::Leiser, value)?,
            QUIET_PLIES => self.quiet_plies = read_number(Game::Leiser, QUIET_PLIES, value)?,
            _ => return Err(unknown_field(Game::Leiser, field)),
        }
        Ok(())
    }

    fn build(&self) -> Result<Leiser, BuildErrors> {
        let mut faults = Faults::new(Game::Leiser);
        let mut position = Leiser::empty(self.rules);
        let mut kings = [0; 2];
        for (&square, &piece) in &self.board {
            if !position.on_board(square) {
                // A square of the larger board.
                let name = square.name(10).to_string();
                faults.add_at(PLACEMENT, name.clone(), PositionErrorKind::NotASquare(name));
                continue;
            }
            kings[piece.side().index()] += usize::from(piece.is_king());
            position.put(piece, square);
        }
        for side in Side::BOTH {
            let found = kings[side.index()];
            if found != 1 {
                faults.add(PLACEMENT, king_count(side, found));
            }
        }
        faults.or(|| {
            position.quiet = self.quiet_plies;
            position.ready(self.side)
        })
    }
}
