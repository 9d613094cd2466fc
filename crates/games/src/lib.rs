//! The rules of four games behind one trait.
//!
//! Chess (with Chess960 and double Chess960), Liberty Chess, Leiserchess and
//! Gyges each implement [`Position`]: a board with a side to move that can say
//! which moves are legal, make and unmake them, tell whether the game is over,
//! and read and write every text form its community uses.
//!
//! * A **search** is generic over [`Position`] and follows the board through an
//!   [`Observer`], so that evaluation never lives in the rules.
//! * A **referee** uses [`Line`]: a start position and the moves since, which
//!   knows about repetition.
//! * Everything that meets a game only at run time (a match runner, a web page)
//!   uses [`AnyLine`], a line in texts alone.
//! * A **perft** of any game is counted by [`perft`](mod@perft), on any number
//!   of threads.
//!
//! Bad input is a value: [`PositionError`] names the field and the column,
//! [`MoveError`] names the move and says what is wrong with it.

pub mod any_line;
pub mod chess;
pub mod error;
pub mod game;
pub mod gyges;
pub mod leiser;
pub mod liberty;
pub mod line;
pub mod observer;
pub mod outcome;
pub mod perft;
pub mod position;
pub mod records;

pub use any_line::AnyLine;
pub use error::{MoveError, MoveErrorKind, PositionError, PositionErrorKind};
pub use game::{Game, Side};
pub use line::Line;
pub use observer::Observer;
pub use outcome::{Outcome, Reason};
pub use position::{GameMove, MoveKind, Position};
