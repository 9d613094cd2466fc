//! One writing thread for an `SQLite` file.
//!
//! The event store of `quadrille-match`, the file of `quadrille-server` and the data
//! of the page in `quadrille-web` are built on this crate. It knows no tables: a user
//! brings a [`Format`] and [`Message`]s that write themselves.
//!
//! - [`Writer`] owns the only writing connection. It takes all messages that wait into
//!   one transaction, and reports a message as committed when the transaction is over and
//!   the file still has its name.
//! - [`Fault`] sorts what `SQLite` and the system report: a full disk, a file that may only
//!   be read, a lock of another program, damage. [`OnFault`] says what a writer does then.
//! - [`Format`] creates, recognises and migrates a file.
//! - [`FileLock`] lets one process at a time write a file.
//! - [`recovery`] opens files whose last writer was killed.
//!
//! # Durability
//!
//! The journal is a write-ahead log with `synchronous = NORMAL`. A committed message has
//! been handed to the operating system, so that killing the process, even with SIGKILL,
//! loses nothing that was reported as committed. A crash of the machine can lose the last
//! transactions, never the consistency of the file.

pub mod fault;
pub mod files;
pub mod format;
pub mod lock;
pub mod recovery;
mod retry;
pub mod writer;

pub use fault::{Fault, FaultKind};
pub use files::{BESIDE, NOT_REGULAR, beside, file_id, is_not_regular, leads_to};
pub use format::{Format, FormatError};
pub use lock::{FileLock, LockError};
pub use recovery::{check_beside, has_no_tables, open_to_read};
pub use writer::{Message, Notice, OnFault, Poll, Writer, WriterOptions};
