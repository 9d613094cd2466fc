//! Conversations on tape: what a host and an engine said, byte for byte and with
//! times, in a file that can be read by people and after a crash.
//!
//! | | |
//! |---|---|
//! | [`Tape`] | a tape that has been read; [`Entry`] one piece of it |
//! | [`Recorder`], [`Recorded`] | writing one: as a tape on a driven engine, or between a host and an engine |
//! | [`Replay`] | answers as the engine did |
//! | [`Tape::conversation`] | messages, diagnostics, what was out of place |
//! | [`compare`] | two tapes |
//! | [`TapeStream`], [`Listener`] | the same line by line, for tapes of any length |
//!
//! Lines that were kept elsewhere become a tape, and the other way round:
//!
//! ```
//! use std::time::Duration;
//! use quadrille_driver::Speaker;
//! use quadrille_transcript::{Entry, Tape};
//!
//! let mut tape = Tape::default();
//! tape.head.push(("engine".into(), "toy".into()));
//! tape.entries.push(Entry::line(Duration::from_millis(1), Speaker::Host, "isready"));
//! tape.entries.push(Entry::line(Duration::from_millis(2), Speaker::Engine, "readyok"));
//! let text = tape.write();
//! assert!(text.ends_with(b"0.001000 > isready\n0.002000 < readyok\n"));
//! let again = Tape::read(&text)?;
//! let lines: Vec<_> = again.lines().map(|line| line.bytes).collect();
//! assert_eq!(lines, [b"isready", b"readyok"]);
//! # Ok::<(), quadrille_transcript::TapeError>(())
//! ```

mod diff;
mod entry;
mod heard;
mod lines;
mod record;
mod replay;
mod script;
mod shelf;
mod stream;

pub use diff::{Comparison, Depth, Difference, compare, compare_streams};
pub use entry::{Entry, Event, LeftOut, Tape, TapeError, head};
pub use heard::{Conversation, Heard, Listener, Odd};
pub use lines::{Line, Moment};
pub use record::{Recorded, Recorder};
pub use shelf::Shelf;

pub use stream::{StreamItem, TapeStream};

pub use replay::{Departure, Next, Replay, Speed, run as replay};
