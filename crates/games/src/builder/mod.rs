//! Positions put together piece by piece, as a position editor does.
//!
//! Each game has a builder ([`ChessBuilder`], [`LibertyBuilder`],
//! [`LeiserBuilder`], [`GygesBuilder`]) that holds whatever it is given and
//! judges it only when a position is asked for: [`PositionBuilder::build`]
//! names everything that is wrong at once, with field and square.
//! [`AnyBuilder`] is the same for a game chosen at run time.
//!
//! ```
//! use quadrille_games::builder::{AnyBuilder, PositionBuilder};
//! use quadrille_games::chess::{ChessBuilder, ChessRules, Square};
//! use quadrille_games::{Game, Position, Side};
//!
//! let mut board = AnyBuilder::new(Game::Chess, "")?;
//! board.put("e1", "K")?;
//! board.put("a8", "P")?;
//! board.set("castling", "K")?;
//! let errors = board.build().unwrap_err();
//! let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
//! assert_eq!(told, [
//!     "chess position, placement: expected 1 black kings, found 0",
//!     "chess position, placement, a8: a pawn stands on the first or last rank",
//!     "chess position, castling: there is no king and rook for this castling right",
//! ]);
//!
//! board.remove("a8")?;
//! board.put("e8", "k")?;
//! board.put("h1", "R")?;
//! assert_eq!(board.build()?.position_text(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
//!
//! // The same with the types of the game.
//! let start = quadrille_games::chess::Chess::start(&ChessRules::default());
//! let mut typed = ChessBuilder::of(&start);
//! typed.remove(Square::new(0));
//! typed.side = Side::Black;
//! typed.castling = "Kkq".into();
//! let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR b Kkq - 0 1";
//! assert_eq!(typed.build()?.text(), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ChessBuilder`]: crate::chess::ChessBuilder
//! [`LibertyBuilder`]: crate::liberty::LibertyBuilder
//! [`LeiserBuilder`]: crate::leiser::LeiserBuilder
//! [`GygesBuilder`]: crate::gyges::GygesBuilder

mod any;

pub use any::AnyBuilder;

use core::fmt;
use core::ops::Deref;

use crate::any_line::PieceView;
use crate::error::PositionErrorKind;
use crate::game::{Game, Side};
use crate::position::Position;

/// The field that every game has.
pub(crate) const SIDE_TO_MOVE: &str = "side to move";
/// The field of the pieces.
pub(crate) const PLACEMENT: &str = "placement";

/// A position being put together. Nothing is checked before
/// [`build`](Self::build), but for squares, pieces and values that cannot be
/// read at all.
pub trait PositionBuilder: Clone + fmt::Debug + Eq {
    /// What is built.
    type Position: Position;

    /// An empty board, White to move.
    fn new(rules: &<Self::Position as Position>::Rules) -> Self;

    /// Everything that the text of a position says, in parts.
    fn of(position: &Self::Position) -> Self;

    /// Puts a piece, named by the letters of position texts, on a square,
    /// instead of what stands there.
    fn put_text(&mut self, square: &str, piece: &str) -> Result<(), BuildError>;

    /// Empties a square; whether there was anything on it.
    fn remove_text(&mut self, square: &str) -> Result<bool, BuildError>;

    /// Takes all pieces off the board. The other fields stay.
    fn clear(&mut self);

    /// Every piece that was put on the board.
    fn pieces(&self) -> Vec<PieceView>;

    /// What there is to set beside the pieces, with the values now. Setting all
    /// of them in this order gives the same builder again, before or after the
    /// pieces.
    fn fields(&self) -> Vec<(&'static str, String)>;

    /// Sets one of the [`fields`](Self::fields).
    fn set(&mut self, field: &str, value: &str) -> Result<(), BuildError>;

    /// The position, or everything that is wrong with it.
    fn build(&self) -> Result<Self::Position, BuildErrors>;
}

/// One thing that is wrong with a position being built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    /// The game whose builder complains.
    pub game: Game,
    /// The field, in the words of the game's specification, as in
    /// [`PositionError`](crate::PositionError).
    pub field: &'static str,
    /// The name of the square, where one is to blame.
    pub square: Option<String>,
    /// What is wrong there.
    pub kind: PositionErrorKind,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} position, {}", self.game, self.field)?;
        if let Some(square) = &self.square {
            write!(f, ", {square}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl core::error::Error for BuildError {}

/// A [`BuildError`] in words, for a page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProblemView {
    /// The field.
    pub field: String,
    /// The square, where one is to blame.
    pub square: Option<String>,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl BuildError {
    /// The error in words.
    pub fn view(&self) -> ProblemView {
        ProblemView {
            field: self.field.into(),
            square: self.square.clone(),
            message: self.kind.to_string(),
        }
    }
}

/// Everything that is wrong with a position being built: at least one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildErrors(Vec<BuildError>);

impl Deref for BuildErrors {
    type Target = [BuildError];

    fn deref(&self) -> &[BuildError] {
        &self.0
    }
}

impl fmt::Display for BuildErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl core::error::Error for BuildErrors {}

/// Collects what a builder finds wrong.
pub(crate) struct Faults {
    game: Game,
    found: Vec<BuildError>,
}

impl Faults {
    pub(crate) const fn new(game: Game) -> Self {
        Self {
            game,
            found: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, field: &'static str, kind: PositionErrorKind) {
        self.found.push(fault(self.game, field, kind));
    }

    pub(crate) fn add_at(&mut self, field: &'static str, square: String, kind: PositionErrorKind) {
        self.found.push(BuildError {
            square: Some(square),
            ..fault(self.game, field, kind)
        });
    }

    /// A number outside its range, if it is.
    pub(crate) fn check_range(&mut self, field: &'static str, found: u64, min: u64, max: u64) {
        if !(min..=max).contains(&found) {
            self.add(field, PositionErrorKind::OutOfRange { found, min, max });
        }
    }

    /// The position if nothing was found.
    pub(crate) fn or<P>(self, position: impl FnOnce() -> P) -> Result<P, BuildErrors> {
        if self.found.is_empty() {
            Ok(position())
        } else {
            Err(BuildErrors(self.found))
        }
    }
}

/// An error without a square.
pub(crate) const fn fault(game: Game, field: &'static str, kind: PositionErrorKind) -> BuildError {
    BuildError {
        game,
        field,
        square: None,
        kind,
    }
}

/// A text for an error message, cut so that the message stays readable.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

pub(crate) fn not_a_square(game: Game, text: &str) -> BuildError {
    fault(
        game,
        PLACEMENT,
        PositionErrorKind::NotASquare(excerpt(text)),
    )
}

pub(crate) fn not_a_piece(game: Game, text: &str) -> BuildError {
    fault(game, PLACEMENT, PositionErrorKind::NotAPiece(excerpt(text)))
}

pub(crate) fn unknown_field(game: Game, text: &str) -> BuildError {
    fault(
        game,
        "field",
        PositionErrorKind::UnknownField(excerpt(text)),
    )
}

/// Reads a side in any of the words that the games use for it.
pub(crate) fn read_side(game: Game, value: &str) -> Result<Side, BuildError> {
    match value.trim().to_ascii_lowercase().as_str() {
        "w" | "white" | "1" | "one" | "south" => Ok(Side::White),
        "b" | "black" | "2" | "two" | "north" => Ok(Side::Black),
        _ => {
            let kind = PositionErrorKind::Impossible("the side to move is `white` or `black`");
            Err(fault(game, SIDE_TO_MOVE, kind))
        }
    }
}

pub(crate) fn side_word(side: Side) -> String {
    match side {
        Side::White => "white".into(),
        Side::Black => "black".into(),
    }
}

pub(crate) fn read_number(game: Game, field: &'static str, value: &str) -> Result<u32, BuildError> {
    let number = value.trim().parse();
    let kind = || PositionErrorKind::NotANumber(excerpt(value));
    number.map_err(|_| fault(game, field, kind()))
}
