//! Moves, pieces, beams and bounces in words, for drawing a board.

use crate::chess::{self, Chess};
use crate::game::Side;
use crate::gyges::text::square_name as gyges_name;
use crate::gyges::{Gyges, GygesMove, Rings};
use crate::leiser::{self, Beam, BeamEnd, Leiser};
use crate::liberty::{self, Liberty, LibertyMove};
use crate::position::Position;

/// A move in words.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MoveView {
    /// As engines write it.
    pub text: String,
    /// As people read it.
    pub notation: String,
    /// The names of its squares in the order of the engine text: two, or one
    /// for a Leiserchess turn, or three with a second step or a drop. The goals
    /// of Gyges are `P1` and `P2`.
    pub squares: Vec<String>,
    /// The letter behind the squares: what a Pawn becomes, or how a piece
    /// turns.
    pub suffix: Option<char>,
    /// Whether it captures, zaps, promotes or wins at once, in the sense of
    /// [`MoveKind::Tactical`](crate::MoveKind::Tactical).
    pub tactical: bool,
}

/// A piece on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PieceView {
    /// The name of its square; the goals of Gyges are `P1` and `P2`.
    pub square: String,
    /// File counted from 0 at the left, `None` in a goal.
    pub file: Option<u16>,
    /// Rank counted from 0 at White's side, `None` in a goal.
    pub rank: Option<u16>,
    /// The letters of position texts (upper case for White), or the number of
    /// rings.
    pub piece: String,
    /// Whose it is; `None` in Gyges, where all pieces are neutral.
    pub side: Option<Side>,
}

/// A laser beam of Leiserchess.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BeamView {
    /// The square of the King that fires.
    pub king: String,
    /// The squares after it in order. A square can occur twice.
    pub path: Vec<String>,
    /// The square it strikes, if it does not leave the board.
    pub struck: Option<String>,
}

/// What a Leiserchess move does to the pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FireView {
    /// The square of the Pawn that was stomped.
    pub stomped: Option<String>,
    /// The shots in order.
    pub shots: Vec<BeamView>,
}

/// A chain of bounces of a Gyges move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BounceView {
    /// Every square in order, the start first, the end last.
    pub squares: Vec<String>,
    /// The squares of the pieces bounced on, in order.
    pub bounces: Vec<String>,
}

/// What the games must say about themselves beyond [`Position`].
pub(super) trait Show: Position {
    /// Squares and suffix of a legal move.
    fn parts(&self, m: Self::Move) -> (Vec<String>, Option<char>);

    fn show_piece(&self, piece: Self::Piece, square: u16) -> PieceView;

    fn view(&self, m: Self::Move) -> MoveView {
        let (squares, suffix) = self.parts(m);
        MoveView {
            text: self.move_text(m),
            notation: self.notation(m),
            squares,
            suffix,
            tactical: self.is_tactical(m),
        }
    }

    /// A piece on an ordinary square.
    fn place(&self, name: String, square: u16, piece: String, side: Option<Side>) -> PieceView {
        let files = self.size().0;
        PieceView {
            square: name,
            file: Some(square % files),
            rank: Some(square / files),
            piece,
            side,
        }
    }
}

impl Show for Chess {
    /// From the text, because only that says how castling is written here.
    fn parts(&self, m: chess::Move) -> (Vec<String>, Option<char>) {
        let text = self.move_text(m);
        let square = |range| text.get(range).map(String::from);
        let squares = [square(0..2), square(2..4)];
        (squares.into_iter().flatten().collect(), text.chars().nth(4))
    }

    fn show_piece(&self, piece: chess::Piece, square: u16) -> PieceView {
        let name = chess::Square::new(square as u8).to_string();
        self.place(name, square, piece.letter().into(), Some(piece.side))
    }
}

impl Show for Liberty {
    fn parts(&self, m: LibertyMove) -> (Vec<String>, Option<char>) {
        let squares = [m.from(), m.to()].map(|s| self.square_name(s));
        (squares.into(), m.promotion().map(liberty::Kind::letter))
    }

    fn show_piece(&self, piece: liberty::Piece, square: u16) -> PieceView {
        let name = self.square_name(square);
        self.place(name, square, piece.letter().into(), Some(piece.side))
    }
}

impl Show for Leiser {
    fn parts(&self, m: leiser::Move) -> (Vec<String>, Option<char>) {
        let mut squares = vec![m.from()];
        if m.from() != m.to() || m.is_null() {
            squares.push(m.to());
        }
        if m.last() != m.to() {
            squares.push(m.last());
        }
        let names = squares.into_iter().map(|s| leiser_name(self, s)).collect();
        (names, m.turning().map(leiser::Turn::letter))
    }

    fn show_piece(&self, piece: leiser::Piece, square: u16) -> PieceView {
        let size = self.size().0;
        let (file, rank) = ((square % size) as u8, (square / size) as u8);
        let name = leiser::Square::at(file, rank, size as u8);
        let name = name.map(|s| leiser_name(self, s)).unwrap_or_default();
        self.place(name, square, piece.to_string(), Some(piece.side()))
    }
}

impl Show for Gyges {
    fn parts(&self, m: GygesMove) -> (Vec<String>, Option<char>) {
        let squares = [Some(m.start()), Some(m.end()), m.drop()];
        let names = squares.into_iter().flatten().map(gyges_name).collect();
        (names, None)
    }

    fn show_piece(&self, piece: Rings, square: u16) -> PieceView {
        let name = gyges_name(square as u8);
        let view = self.place(name, square, piece.to_string(), None);
        if square < 36 {
            return view;
        }
        PieceView {
            file: None,
            rank: None,
            ..view
        }
    }
}

fn leiser_name(position: &Leiser, square: leiser::Square) -> String {
    square.name(position.size().0 as u8).to_string()
}

impl BeamView {
    pub(super) fn of(position: &Leiser, side: Side) -> Option<Self> {
        Some(Self::new(position, &position.beam(side)?))
    }

    fn new(position: &Leiser, beam: &Beam) -> Self {
        let name = |square| leiser_name(position, square);
        Self {
            king: name(beam.king),
            path: beam.path.iter().map(|step| name(step.square)).collect(),
            struck: match beam.end {
                BeamEnd::OffBoard => None,
                BeamEnd::Pawn(square) | BeamEnd::King(square) => Some(name(square)),
            },
        }
    }
}

impl FireView {
    pub(super) fn of(position: &Leiser, m: leiser::Move) -> Self {
        let fire = position.fire(m);
        let shots = fire.shots.iter();
        Self {
            stomped: fire.stomped.map(|(s, _)| leiser_name(position, s)),
            shots: shots.map(|s| BeamView::new(position, &s.beam)).collect(),
        }
    }
}

impl BounceView {
    pub(super) fn of(position: &Gyges, m: GygesMove) -> Option<Self> {
        let path = position.path(m)?;
        let names = |squares: Vec<u8>| squares.into_iter().map(gyges_name).collect();
        Some(Self {
            squares: names(path.squares()),
            bounces: names(path.bounces()),
        })
    }
}
