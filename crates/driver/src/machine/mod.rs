//! What the machine takes from engines and from us: time in which a program was
//! ready to run and had no processor, and time in which this process slept.
//!
//! * [`LagMeter`] is a heartbeat: a thread that sleeps for a short while and looks
//!   how much later than asked it woke up. So late is any thread of ours that
//!   reads an answer. A very late beat means that we were suspended.
//! * `Waits` reads what the kernel counts for the threads of an engine, where it
//!   does (Linux): how long each of them waited for a processor.
//! * `Deadline` is a moment that moves on while we are suspended.
//! * [`Toll`] adds up what was taken in an event.

mod deadline;
mod heartbeat;
#[cfg(target_os = "linux")]
mod schedstat;
mod slice;
mod toll;
mod waits;

pub use deadline::Deadline;
pub use heartbeat::LagMeter;
pub use heartbeat::OwnWaits;
pub use slice::wake_promptly;
pub use toll::Toll;
pub use waits::{Mark, Taken, Waits};

/// The memory of this machine in mebibytes; `None` where the system is not asked.
pub fn memory_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

/// Processors that this process may use: those it is bound to, and no more than
/// its share of the machine.
pub fn processors() -> usize {
    static COUNT: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}
