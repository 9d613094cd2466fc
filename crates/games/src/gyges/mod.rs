//! Gyges: twelve neutral pieces, bounces, and a goal behind each player.
//!
//! # The game in a minute
//!
//! Six by six squares and a goal behind each of the two outer rows. Side 1
//! (South, [`Side::White`](crate::Side::White)) sits below row 0 and plays up
//! into goal 37; side 2 (North, [`Side::Black`](crate::Side::Black)) plays down
//! into goal 36. Square `x` is `row * 6 + column`: `a1` is 0, `f6` is 35.
//!
//! The pieces have no owner. The player to move takes one from its **active row**,
//! the occupied row nearest to it, and walks exactly as many steps as the piece
//! has rings, over empty squares. Ending on another piece it may **bounce** and
//! walk on by the rings of that piece, or **replace** it: the mover stays and
//! the other piece is dropped on any empty square that is not behind the
//! opponent's active row, or on the square the mover came from. No edge between
//! two squares may be used twice in a move. Entering the opponent's goal with
//! the last step of a run wins.
//!
//! # The room
//!
//! * [`Gyges`] is the position, 40 bytes and [`Copy`]; [`GygesMove`] a move of
//!   three squares; [`Rings`] a piece.
//! * The generator ([`Position::generate`](crate::Position::generate)) yields
//!   each legal move once and stays cheap on boards full of bounces; see
//!   [`Gyges::work`].
//! * [`Gyges::can_win`] asks only for a winning move, [`Gyges::result_key`]
//!   tells transposing moves apart, [`Gyges::path`] finds a chain of bounces to
//!   draw.
//! * Texts: boards with [`Gyges::from_text`](crate::Position::from_text) and
//!   [`Gyges::ugi_text`]; moves in both forms of the protocol ([`MoveStyle`])
//!   and in a notation for people ([`Gyges::notation`](crate::Position::notation)).
//! * [`HOME_ROWS`], [`Gyges::from_rows`], [`Gyges::start_numbered`]: the setup
//!   that the protocol leaves to the host.
//!
//! # Decisions where sources differ
//!
//! * Every move must change the board ([`NoChange::Forbid`]); the older rule
//!   that allowed `s|s` and the swap of equal pieces is [`NoChange::Accept`].
//! * An edge is used once, in either direction; a square may be visited again.
//! * No legal move for the side to move is a draw.
//! * The third occurrence of a position (board and side) is a draw. The rules
//!   say nothing about repetition, but a match has to end.

mod backward;
mod board;
mod builder;
mod geometry;
mod moves;
mod notation;
mod path;
mod position;
mod seen;
mod setup;
pub(crate) mod text;
mod walk;
mod wins;

pub use board::{Gyges, GygesRules, NoChange};
pub use builder::GygesBuilder;
pub use moves::{GygesMove, MoveStyle, Rings};
pub use notation::turn_move_text;
pub use path::BouncePath;
pub use setup::{HOME_ROWS, home_row, home_row_index};
pub use walk::Work;
