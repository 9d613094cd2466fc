//! The machine part of a description.

use core::time::Duration;

use serde::{Deserialize, Serialize};

/// The way in which a match is carried out on the machine that runs it. Another machine may
/// play the same match with other values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineConfig {
    /// The number of games that run at once.
    pub concurrency: usize,
    /// Run them even if there are not so many processors.
    #[serde(default)]
    pub force_concurrency: bool,
    /// Bind every running game to processors of its own.
    pub affinity: bool,
    /// The processors to bind to; all of them where the list is empty.
    pub processors: Vec<usize>,
    /// A crashed engine is started again; otherwise the match stops. The game is
    /// lost in both cases, so this is not one of the rules.
    pub recover: bool,
    /// The pause between two games.
    pub wait: Duration,
}
