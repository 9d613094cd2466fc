//! Deadlines of a conversation.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long to wait for what before an engine counts as hung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// From the start to the end of the handshake; and, before that, until a
    /// connection is there.
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
    /// From `quit` to the end of the process or the connection.
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
