//! Everything that was played, safe after every ply.
//!
//! An event is one `SQLite` file. What goes in is handed to a thread that owns
//! the only writing connection: a game never waits for a disk. A ply is in the
//! file within a fiftieth of a second, together with the others of that time.
//! The one thing that is waited for is the end of a game: it is written at once
//! and not told before it is in the file.
//!
//! # What a crash can cost
//!
//! The thread, the journal and the lock are those of [`quadrille_store`]: killing this
//! process, even with SIGKILL, loses nothing that was committed: no finished game, and of a
//! running one at most the last fiftieth of a second. Only a crash of the machine can lose
//! more of the last plies. Paying a disk flush for each ply (`FULL`) would buy nothing that a
//! resumed event needs, because a game that was cut short is played again from its opening.
//! A full disk stops the event ([`OnFault::Stop`](quadrille_store::OnFault::Stop)).
//!
//! # Who may open it
//!
//! Any process may read the file while an event runs, and `control` may be written
//! by another process. Only one process at a time may run the event: it holds a
//! lock on the file `<store>-lock`, which is there only while the event runs.
//! After that the store is one file again, which can be read where nothing can be
//! written. A process that was killed leaves `-journal` or `-wal` beside it, which
//! whoever opens the file next plays back ([`quadrille_store::open_to_read`]).

mod error;
mod lock;
mod name;
pub mod plies;
mod read;
mod rows;
mod schema;
mod write;

pub use error::StoreError;
pub use lock::Runner;
pub use name::claim;
pub use read::Reader;
pub use rows::{EventRow, GameEnd, GameRow, GameState, NewGame, PlayedAt, PlayerRow};
pub(crate) use write::PROGRAM;
pub use write::{Committed, Store};
