//! An engine as the user describes it: what to start, how, and with which
//! settings. Nothing here has been started yet.

use std::path::PathBuf;
use std::time::Duration;

use quadrille_protocol::Dialect;
use serde::{Deserialize, Serialize};

/// How to start an engine and what to tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSpec {
    /// The name in tables and records; the engine's own where it is missing.
    pub name: Option<String>,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder to start it in.
    pub folder: Option<PathBuf>,
    /// Environment variables on top of ours.
    pub environment: Vec<(String, String)>,
    /// The nice level, as the operating system counts it.
    pub nice: Option<i32>,
    /// The processors it may run on; all of them where the list is empty.
    pub affinity: Vec<usize>,
    /// The dialect it speaks, where the user knows better than the handshake.
    pub dialect: Option<Dialect>,
    /// Options in the user's spelling, in the user's order. A button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Lines to send before the handshake, as they are.
    pub init: Vec<String>,
    /// Name and code for an engine that asks for registration.
    pub registration: Option<(String, String)>,
    /// Think in the opponent's time.
    pub ponder: bool,
    /// Start a fresh process for every game.
    pub restart: bool,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

/// How long to wait for what before an engine counts as hung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// From the start to the end of the handshake.
    pub startup: Duration,
    /// From `isready` to `readyok`, outside a new game.
    pub ping: Duration,
    /// From `ucinewgame` and `isready` to `readyok`.
    pub new_game: Duration,
    /// How long a search may take that has limits, but none of time (depth,
    /// nodes, mate), before it is told to stop.
    pub search: Duration,
    /// How far a search may overstep its time before it is told to stop, unless
    /// the caller knows better.
    pub grace: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            startup: Duration::from_secs(10),
            ping: Duration::from_mins(1),
            new_game: Duration::from_mins(1),
            search: Duration::from_hours(1),
            grace: Duration::from_secs(1),
            stop: Duration::from_secs(5),
            quit: Duration::from_secs(2),
        }
    }
}
