//! Gyges positions put together piece by piece.

use std::collections::BTreeMap;

use super::board::{Gyges, GygesRules};
use super::geometry::{GOAL_NORTH, GOAL_SOUTH, SQUARES};
use super::moves::Rings;
use super::text;
use crate::any_line::PieceView;
use crate::builder::{
    BuildError, BuildErrors, Faults, PLACEMENT, PositionBuilder, SIDE_TO_MOVE, not_a_piece,
    not_a_square, read_side, side_word, unknown_field,
};
use crate::error::PositionErrorKind;
use crate::game::{Game, Side};
use crate::position::Position;

/// A Gyges position being put together; see [`builder`](crate::builder).
/// Squares are `a1` to `f6`, the goals `P1` and `P2`; pieces `1` to `3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GygesBuilder {
    board: BTreeMap<u8, Rings>,
    /// Whether a move may leave the board as it was.
    pub rules: GygesRules,
    /// Whose turn it is.
    pub side: Side,
}

impl GygesBuilder {
    /// Puts a piece on a square (36 and 37 are the goals) and returns what
    /// stood there.
    pub fn put(&mut self, square: u8, rings: Rings) -> Option<Rings> {
        self.board.insert(square, rings)
    }

    /// Empties a square and returns what stood there.
    pub fn remove(&mut self, square: u8) -> Option<Rings> {
        self.board.remove(&square)
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: u8) -> Option<Rings> {
        self.board.get(&square).copied()
    }
}

impl PositionBuilder for GygesBuilder {
    type Position = Gyges;

    fn new(rules: &GygesRules) -> Self {
        Self {
            board: BTreeMap::new(),
            rules: *rules,
            side: Side::White,
        }
    }

    fn of(position: &Gyges) -> Self {
        let mut builder = Self::new(&position.rules());
        builder.side = position.side;
        position.pieces(|rings, square| {
            builder.put(square as u8, rings);
        });
        builder
    }

    fn put_text(&mut self, square: &str, piece: &str) -> Result<(), BuildError> {
        let at = read_square(square)?;
        let rings = piece.trim().parse().ok().and_then(Rings::from_count);
        let rings = rings.ok_or_else(|| not_a_piece(Game::Gyges, piece))?;
        self.put(at, rings);
        Ok(())
    }

    fn remove_text(&mut self, square: &str) -> Result<bool, BuildError> {
        Ok(self.remove(read_square(square)?).is_some())
    }

    fn clear(&mut self) {
        self.board.clear();
    }

    fn pieces(&self) -> Vec<PieceView> {
        let view = |(&square, rings): (&u8, &Rings)| {
            let on_board = usize::from(square) < SQUARES;
            PieceView {
                square: text::square_name(square),
                file: on_board.then_some(u16::from(square) % 6),
                rank: on_board.then_some(u16::from(square) / 6),
                piece: rings.to_string(),
                side: None,
            }
        };
        self.board.iter().map(view).collect()
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        vec![(SIDE_TO_MOVE, side_word(self.side))]
    }

    fn set(&mut self, field: &str, value: &str) -> Result<(), BuildError> {
        match field {
            SIDE_TO_MOVE => self.side = read_side(Game::Gyges, value)?,
            _ => return Err(unknown_field(Game::Gyges, field)),
        }
        Ok(())
    }

    fn build(&self) -> Result<Gyges, BuildErrors> {
        let mut faults = Faults::new(Game::Gyges);
        let mut kinds = [0; 3];
        for (&square, rings) in &self.board {
            if square > GOAL_NORTH {
                let name = square.to_string();
                faults.add_at(PLACEMENT, name.clone(), PositionErrorKind::NotASquare(name));
            } else {
                kinds[rings.index()] |= 1 << square;
            }
        }
        for (field, kind) in text::piece_problems(kinds, text::FULL_SET..=text::FULL_SET) {
            faults.add(field, kind);
        }
        let position = Gyges::assemble(kinds, self.side, self.rules.no_change);
        if let Some(kind) = text::turn_problem(&position) {
            faults.add(SIDE_TO_MOVE, kind);
        }
        faults.or(|| position)
    }
}

fn read_square(name: &str) -> Result<u8, BuildError> {
    let square = match *name.as_bytes() {
        [b'P' | b'p', b'1'] => Some(GOAL_SOUTH),
        [b'P' | b'p', b'2'] => Some(GOAL_NORTH),
        [file @ b'a'..=b'f', rank @ b'1'..=b'6'] => Some((rank - b'1') * 6 + file - b'a'),
        _ => None,
    };
    square.ok_or_else(|| not_a_square(Game::Gyges, name))
}
