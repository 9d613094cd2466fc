//! The host's side of the conversation: start engines, talk to them, referee
//! their games, run events, count the results.
//!
//! | room | what is in it |
//! |---|---|
//! | [`spec`] | an engine as the user describes it |
//! | [`driver`] | a running engine: process, handshake, options, searches with deadlines |
//! | [`findings`] | what was unusual about an engine |
//! | [`lend`] | a local engine for others on the network |
//! | [`machine`] | what the machine takes from engines and from us |
//! | [`config`] | a match as the user describes it: flags, TOML, time controls |
//! | [`openings`] | where games start |
//! | [`pairing`] | who plays whom |
//! | [`stats`] | Elo, SPRT, ratings, tables |
//! | [`referee`] | one game: clocks, legality, adjudication, checks |
//! | [`store`] | everything that was played, safe after every ply |
//! | [`tournament`] | many games: workers, resume, live numbers |
//! | [`record`] | games as PGN and EPD |
//! | [`date`] | times of day, UTC |
//! | [`check`] | whether a program keeps to its protocol: engines and hosts |
//! | [`solve`] | suites of problems: does an engine find the move, and how soon? |
//! | [`tape`] | conversations in files: record, replay, show, check, compare |
//! | [`analyse`] | whole games under the eyes of engines: chances, mistakes, best lines |
//!
//! A match of two engines, described as on the command line:
//!
//! ```no_run
//! use std::path::Path;
//! use quadrille_host::config::from_flags;
//! use quadrille_host::tournament::Tournament;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let words = "-engine cmd=stockfish -engine cmd=./mine option.Hash=64 \
//!              -each tc=8+0.08 -rounds 100 -repeat -openings format=random";
//! let flags = from_flags(words.split_whitespace().map(Into::into))?;
//! let tournament = Tournament::create(flags.config, Path::new("event.db"))?;
//! // Commands pause and stop it; a watcher sees every event. Both may be nothing.
//! let (_commands, receiver) = tokio::sync::mpsc::unbounded_channel();
//! let summary = tournament.run(receiver, &mut ()).await?;
//! for player in &summary.results.standing().players {
//!     println!("{}: {:.1} points", player.name, player.tally.points());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! One engine without a match: [`driver`]. Whole programs: `examples/` here
//! (`watched_match`, `network_engine`) and in `crates/cli` (`match_in_memory`,
//! with both engines inside the program).

pub mod analyse;
pub mod check;
pub mod config;
pub mod date;
pub mod driver;
mod files;
pub use quadrille_client::findings;
pub mod lend;
mod log;
pub mod machine;
pub mod openings;
pub mod pairing;
pub mod record;
pub mod referee;
pub mod signals;
pub mod solve;
pub mod spec;
pub mod stats;
pub mod store;
pub mod tape;
pub mod tournament;
mod words;
