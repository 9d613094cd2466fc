//! The host's side of the conversation: start engines, talk to them, referee
//! their games, run events, count the results.
//!
//! | room | what is in it |
//! |---|---|
//! | [`spec`] | an engine as the user describes it |
//! | [`driver`] | a running engine: process, handshake, options, searches with deadlines |
//! | [`foreign`] | what others wrote, made fit to be shown and written down |
//! | [`findings`] | what was unusual about an engine |
//! | [`config`] | a match as the user describes it: flags, TOML, time controls |
//! | [`openings`] | where games start |
//! | [`pairing`] | who plays whom |
//! | [`stats`] | Elo, SPRT, ratings, tables |
//! | [`referee`] | one game: clocks, legality, adjudication, checks |
//! | [`store`] | everything that was played, safe after every ply |
//! | [`tournament`] | many games: workers, resume, live numbers |
//! | [`record`] | games as PGN and EPD |

pub mod config;
pub mod driver;
mod files;
pub mod findings;
pub mod foreign;
pub mod openings;
pub mod pairing;
pub mod record;
pub mod referee;
mod serial;
pub mod spec;
pub mod stats;
pub mod store;
pub mod tournament;
