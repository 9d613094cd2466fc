//! What a session needs from the machine it runs on.

use std::sync::Arc;

use quadrille_search::TimeSource;

/// The clock, the threads and the chance of the machine around a session.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The clock by which lines arrive and searches end.
    pub time: Arc<dyn TimeSource>,
    /// Whether a search may start threads of its own when the host asks for
    /// several.
    pub threads: bool,
    /// How many mebibytes a transposition table may have, if that is known; what a
    /// host asks beyond it is not taken.
    pub memory: Option<usize>,
    /// Anything that is different every time, for games that shall not repeat
    /// themselves.
    pub entropy: u64,
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Machine {
    /// The machine under this process.
    pub fn native() -> Self {
        use std::time::{SystemTime, UNIX_EPOCH};
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = now.map_or(0, |time| time.as_nanos() as u64);
        Self {
            time: Arc::new(quadrille_search::SystemClock),
            threads: true,
            memory: crate::memory::for_a_table(),
            entropy: nanos ^ u64::from(std::process::id()) << 40,
        }
    }
}
