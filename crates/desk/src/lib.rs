//! What a page about the four games shows and does, without input or output.
//!
//! A [`Desk`] is fed what pages say ([`wire::FromPage`]), what engines found, and the
//! time; it answers with [`Effect`](effect::Effect)s: messages to pages, searches to run, values to
//! keep. It has no sockets, processes, files, threads or clock of its own, so the same
//! desk works behind a web server and inside a page that has none (as WebAssembly,
//! with engines in workers).
//!
//! - [`wire`]: every message, with generated TypeScript.
//! - [`boards`] and the editor: positions shown, and put together piece by piece.
//! - studies: trees of moves; one record each, kept as its own text.
//! - tables: games that are played, with seats, clocks and offers.
//! - analysis: what the engines of a page look at.
//! - [`visitor`]: what strangers may ask, without a desk.
//! - [`alone`]: the desk of pages without a server, with [`offline_engine`]s that speak with
//!   engines in workers.
//!
//! The desk owns every question, topic, version and permission. What needs a machine
//! (engines from files, tournaments, reports, a library of many games) it has done by the
//! server around it: as [`work`] for a question, and as topics that are read outside
//! ([`Effect::Read`](effect::Effect::Read)).

pub mod alone;
mod analysis;
mod asks;
pub mod boards;
mod desk;
mod editor;
pub mod effect;
pub mod levels;
mod library;
mod limits;
mod names;
pub mod offline_engine;
mod permission;
mod refuse;
mod studies;
mod study;
mod table;
mod table_turns;
mod tables;
pub mod thought;
mod topics;
#[cfg(feature = "ts")]
pub mod typescript;
pub mod visitor;
pub mod wire;
pub mod work;

pub use desk::{Desk, Rights, Setup};
pub use study::paste::LONGEST_TEXT;
