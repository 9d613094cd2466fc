//! Matches and tournaments of engines: start them, referee their games, keep
//! everything that was played, count the results.
//!
//! | module | contents |
//! |---|---|
//! | [`config`] | a match as the user describes it: flags, TOML, time controls |
//! | [`openings`] | where games start |
//! | [`pairing`] | who plays whom |
//! | [`stats`] | Elo, SPRT, ratings, tables |
//! | [`referee`] | one game: clocks, legality, adjudication, checks |
//! | [`store`] | everything that was played, safe after every ply |
//! | [`tournament`] | many games: workers, resume, live numbers |
//! | [`record`] | games as PGN and EPD |
//!
//! A match of two engines, described as on the command line:
//!
//! ```no_run
//! use std::path::Path;
//! use quadrille_match::config::from_flags;
//! use quadrille_match::tournament::Tournament;
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
//! Whole programs: `examples/watched_match.rs` here and, with both engines inside
//! the program, `match_in_memory.rs` in `crates/cli`.

pub mod config;
mod log;
pub mod openings;
pub mod pairing;
pub mod record;
pub mod referee;
pub mod stats;
pub mod store;
pub mod tournament;
mod words;
