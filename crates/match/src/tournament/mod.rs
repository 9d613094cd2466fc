//! Many games: who plays next, how many at once, resume, live numbers.
//!
//! A [`Tournament`] is a description and a file. Everything it needs to go on
//! after a crash is in the file: the description, and every finished game. The
//! list of games follows from the description and the results alone, so that a
//! resumed event plays exactly the games that are missing, with the same
//! numbers, colours and openings. A game that was cut short is played again
//! from its opening.
//!
//! One director decides. Before it deals a game it asks the [`Standing`], so that
//! a test that is decided ends the event by itself, also one that goes on after
//! its decision. Each running game is a task of its own that takes two engines
//! from a pool and gives them back. A [`Watcher`] sees every [`MatchEvent`]; a
//! [`Command`] is sent to a running event, or left in its file by another process
//! ([`Store::control`](crate::store::Store::control)).

mod archive;
mod changes;
mod command;
mod director;
mod event;
mod game_threads;
mod local;
mod logged;
mod oversubscription;
mod pool;
mod programs;
mod results;
mod run;
mod separate_files;
mod standing;
mod venue;

pub use archive::{Archive, EventState, ExportError, games_of};
pub use changes::Change;
pub use command::{Command, UnknownCommand};
pub use event::MatchEvent;
pub use local::{GameConditions, Local};
pub use oversubscription::Oversubscription;
pub use results::{EventFinding, Results};
pub use run::{Notes, Summary, Tournament, TournamentError, Verdict, Watcher};
pub use separate_files::SameFile;
pub use standing::{PlayerScore, SprtStanding, Standing};
pub use venue::{Boxed, GameTrouble, Load, Told, Venue};
