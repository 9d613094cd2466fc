//! What Linux counts for a thread (`/proc/PID/task/TID/schedstat`).

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Nanoseconds of a thread since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// How long it ran.
    pub(super) ran: u64,
    /// How long it was ready to run and had no processor.
    pub(super) waited: u64,
}

impl Count {
    /// Reads `ran waited slices` from a file that stays open; `None` when the thread
    /// has ended.
    pub(super) fn read(file: &File) -> Option<Self> {
        let mut text = [0; 80];
        let length = file.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(text.get(..length)?).ok()?;
        let mut numbers = text.split_ascii_whitespace();
        let mut next = || numbers.next()?.parse().ok();
        Some(Self {
            ran: next()?,
            waited: next()?,
        })
    }
}
