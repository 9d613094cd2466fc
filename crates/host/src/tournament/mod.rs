//! Many games: who plays next, how many at once, resume, live numbers.
//!
//! A [`Tournament`] is a description and a file. Everything it needs to go on
//! after a crash is in the file: the description, and every finished game. The
//! list of games follows from the description and the results alone, so that a
//! resumed event plays exactly the games that are missing, with the same
//! numbers, colours and openings. A game that was cut short is played again
//! from its opening.
//!
//! One director decides, and each running game is a task of its own that takes
//! two engines from a pool and gives them back. Whoever watches is a
//! [`Watcher`]; whoever wants something sends a [`Command`], or leaves it in the
//! file from another process ([`Store::control`](crate::store::Store::control)).

mod board;
mod command;
mod director;
mod event;
mod play;
mod pool;
mod run;

pub use board::{Board, BoardFinding};
pub use command::{Command, UnknownCommand};
pub use event::MatchEvent;
pub use play::GameTrouble;
pub use run::{Summary, Tournament, TournamentError, Watcher};
