//! Files of games read block by block, several blocks at a time.

use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use crate::file::{FileError, Games, Played, Unread};
use crate::openings::Opening;

/// Works on the games of each block of a file, `threads` blocks at a time, and gives the
/// results to `done` in the order of the file. Returns how many torn bytes were left out
/// at its end.
pub(crate) fn each_block<P: Opening, R: Send>(
    path: &Path,
    threads: usize,
    work: impl Fn(&[Played<P>]) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), FileError>,
) -> Result<u64, FileError> {
    let mut games = Games::open(path)?;
    games.must_hold(P::GAME)?;
    let work = |block: &Unread| Ok(work(&block.read::<P>(&P::run_rules())?));
    loop {
        let next = || games.next_unread().transpose();
        let some = core::iter::from_fn(next).take(threads.max(1));
        let blocks = some.collect::<Result<Vec<_>, _>>()?;
        if blocks.is_empty() {
            return Ok(games.torn_bytes());
        }
        for result in in_threads(&blocks, &work) {
            done(result?)?;
        }
    }
}

/// Works on each block in a thread; where none can be started, in this one.
fn in_threads<R: Send>(blocks: &[Unread], work: &(impl Fn(&Unread) -> R + Sync)) -> Vec<R> {
    thread::scope(|scope| {
        let start = |block| {
            let thread = thread::Builder::new();
            let handle = thread.spawn_scoped(scope, move || work(block));
            (block, handle.ok())
        };
        let started: Vec<_> = blocks.iter().map(start).collect();
        let ended = started.into_iter().map(|(block, handle)| match handle {
            Some(handle) => handle.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => work(block),
        });
        ended.collect()
    })
}
