//! What was said, line by line, for those who look for a mistake.
//!
//! ```text
//!     0.412034      3 Ann > go wtime 1000 btime 1000
//!     0.463310      3 Ann < bestmove e2e4
//!     0.463401      3 * Finished game 3
//! ```
//!
//! Seconds since the log began, the number of the game (`-` outside one), the
//! engine, `>` for what it was told and `<` for what it said; `*` is the match
//! itself. A thread of its own writes the file. A game never waits for it: what
//! a disk cannot take in time is left out, and the log says how much.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_net::sanitize::one_line;

use crate::config::{LogEngines, LogLevel, LogOutput};
use quadrille_driver::date::now;
use quadrille_driver::files::open_to_write;
use quadrille_driver::{Speaker, Tape};
use quadrille_transcript::Shelf;

/// Bytes that may wait for the disk.
const ROOM: usize = 32 << 20;
/// What an entry costs beside its text.
const ENTRY: usize = 64;
/// How much of a line is written down.
const LONGEST: usize = 1 << 16;

/// How long the end of an event waits for what is still to be written.
const PATIENCE: Duration = Duration::from_secs(5);

/// The game that an engine is playing; 0 for none.
pub(crate) type Playing = Arc<AtomicU64>;

/// A log that is being written. All copies are the same log.
#[derive(Debug, Clone)]
pub(crate) struct Log(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    begun: Instant,
    engines: LogEngines,
    level: LogLevel,
    desk: Arc<Desk>,
    /// The file, for people.
    place: String,
    /// Tapes beside the log.
    shelf: Option<Shelf>,
}

/// Where entries wait for the thread that writes.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Entry>,
    bytes: usize,
    /// Lines that were left out since the last that was not.
    dropped: u64,
    closed: bool,
    /// Nothing is written any more.
    ended: bool,
    failed: Option<String>,
}

#[derive(Debug)]
struct Entry {
    /// Lines that are missing before this one.
    missing: u64,
    at: Duration,
    game: u64,
    /// Who, and in which direction; nothing for the match itself.
    engine: Option<(Arc<str>, Speaker)>,
    text: Vec<u8>,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, mut entry: Entry) {
        entry.text.truncate(LONGEST);
        let bytes = entry.text.len() + ENTRY;
        let mut state = self.lock();
        if state.failed.is_some() {
            return;
        }
        if state.bytes + bytes > ROOM {
            state.dropped += 1;
            return;
        }
        entry.missing = std::mem::take(&mut state.dropped);
        state.bytes += bytes;
        let idle = state.waiting.is_empty();
        state.waiting.push_back(entry);
        drop(state);
        if idle {
            self.news.notify_one();
        }
    }

    /// Everything that waits; `None` when there will be no more.
    fn take(&self) -> Option<(VecDeque<Entry>, u64)> {
        let mut state = self.lock();
        loop {
            if !state.waiting.is_empty() || (state.closed && state.dropped > 0) {
                state.bytes = 0;
                let mut dropped = 0;
                if state.closed {
                    std::mem::swap(&mut dropped, &mut state.dropped);
                }
                return Some((std::mem::take(&mut state.waiting), dropped));
            }
            if state.closed {
                return None;
            }
            let woken = self.news.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        while let Some((entries, dropped)) = self.take() {
            for entry in &entries {
                entry.write(out)?;
            }
            missing(out, dropped)?;
            // What was said last before a crash is what one looks for.
            out.flush()?;
        }
        Ok(())
    }
}

fn missing(out: &mut dyn Write, lines: u64) -> io::Result<()> {
    if lines == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "# {lines} lines are missing here: the disk was too slow"
    )
}

impl Entry {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        missing(out, self.missing)?;
        let game = match self.game {
            0 => "-".into(),
            game => game.to_string(),
        };
        write!(out, "{:>13.6} {game:>6} ", self.at.as_secs_f64())?;
        match &self.engine {
            Some((name, Speaker::Host)) => write!(out, "{} > ", one_line(name))?,
            Some((name, Speaker::Engine)) => write!(out, "{} < ", one_line(name))?,
            None => out.write_all(b"* ")?,
        }
        writeln!(out, "{}", one_line(&String::from_utf8_lossy(&self.text)))
    }
}

impl Log {
    /// Begins a log.
    pub(crate) fn start(wanted: &LogOutput, store: &Path) -> io::Result<Self> {
        // The log may lie in the folder of the tapes, which is made here.
        let shelf = match &wanted.tapes {
            Some(folder) => Some(Shelf::start(folder)?),
            None => None,
        };
        let mut out: Box<dyn Write + Send> = match &wanted.file {
            Some(path) => {
                let mut options = File::options();
                options.create(true).write(true);
                if wanted.append {
                    options.append(true);
                } else {
                    options.truncate(true);
                }
                Box::new(BufWriter::new(open_to_write(path, &options)?))
            }
            None => Box::new(BufWriter::new(io::stderr())),
        };
        let program = concat!("quadrille ", env!("CARGO_PKG_VERSION"));
        writeln!(out, "# {program}, {}, {}", now(), store.display())?;
        writeln!(
            out,
            "# seconds since then, game, engine, > told to it, < said by it"
        )?;
        out.flush()?;
        let desk = Arc::new(Desk::default());
        let place = match &wanted.file {
            Some(path) => path.display().to_string(),
            None => "standard error".into(),
        };
        thread::Builder::new().name("log".into()).spawn({
            let (desk, place) = (Arc::clone(&desk), place.clone());
            move || {
                let written = desk.write(&mut out);
                let mut state = desk.lock();
                if let Err(error) = written {
                    state.waiting.clear();
                    state.failed = Some(format!("cannot write {place}: {error}"));
                }
                state.ended = true;
                drop(state);
                desk.news.notify_all();
            }
        })?;
        Ok(Self(Arc::new(Shared {
            begun: Instant::now(),
            engines: wanted.engines.clone(),
            level: wanted.level,
            desk,
            place,
            shelf,
        })))
    }

    /// What hears the conversation with an engine, if it is wanted.
    pub(crate) fn tape(&self, engine: &str, playing: &Playing) -> Option<Tape> {
        let wanted = match &self.0.engines {
            LogEngines::All => true,
            LogEngines::None => false,
            LogEngines::Only(name) => name == engine,
        };
        if !wanted {
            return None;
        }
        let (desk, playing) = (Arc::clone(&self.0.desk), Arc::clone(playing));
        let begun = self.0.begun;
        let name: Arc<str> = engine.into();
        let mut tape = self.0.shelf.as_ref().and_then(|shelf| shelf.tape(engine));
        Some(Box::new(move |speaker, line: &[u8]| {
            if let Some(tape) = &mut tape {
                tape(speaker, line);
            }
            desk.put(Entry {
                missing: 0,
                at: begun.elapsed(),
                game: playing.load(Ordering::Relaxed),
                engine: Some((Arc::clone(&name), speaker)),
                text: line[..line.len().min(LONGEST)].to_vec(),
            });
        }))
    }

    /// Something that happened in the match.
    pub(crate) fn say(&self, level: LogLevel, game: u64, text: &str) {
        if level >= self.0.level {
            self.0.desk.put(Entry {
                missing: 0,
                at: self.0.begun.elapsed(),
                game,
                engine: None,
                text: text.into(),
            });
        }
    }

    /// Why nothing is written any more, told once.
    pub(crate) fn failure(&self) -> Option<String> {
        let mut state = self.0.desk.lock();
        let failed = state.failed.clone()?;
        // Nothing is put on the desk after this either.
        let told = std::mem::replace(&mut state.closed, true);
        (!told).then_some(failed)
    }

    /// Writes what is left, as far as that is possible, and says what is missing.
    pub(crate) fn close(&self) -> Option<String> {
        self.0.close()
    }
}

impl Shared {
    fn close(&self) -> Option<String> {
        if let Some(shelf) = &self.shelf {
            shelf.flush();
        }
        let mut state = self.desk.lock();
        if std::mem::replace(&mut state.closed, true) {
            // It was waited for before.
            return state.failed.clone();
        }
        self.desk.news.notify_all();
        // A pipe whose reader does not read would be waited for for ever.
        let waited = self
            .desk
            .news
            .wait_timeout_while(state, PATIENCE, |state| !state.ended);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if state.ended {
            return state.failed.clone();
        }
        Some(format!(
            "{}: the end of the log is missing, it waits for a reader",
            self.place
        ))
    }
}

/// An event that could not begin has a log too.
impl Drop for Shared {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Entry {
        Entry {
            missing: 0,
            at: Duration::from_millis(1500),
            game: 3,
            engine: Some(("Ann".into(), Speaker::Engine)),
            text: text.into(),
        }
    }

    #[test]
    fn what_does_not_fit_is_counted_and_said() {
        let desk = Desk::default();
        let line = "x".repeat(LONGEST);
        let most = ROOM / (LONGEST + ENTRY);
        for _ in 0..most + 5 {
            desk.put(entry(&line));
        }
        let mut out = Vec::new();
        // All that waits is taken at once, and there is room again.
        let (taken, _) = desk.take().unwrap();
        assert_eq!(taken.len(), most);
        desk.put(entry("readyok\x1b[2J"));
        desk.lock().closed = true;
        desk.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let wanted = "# 5 lines are missing here: the disk was too slow\n";
        let rest = text.strip_prefix(wanted).expect(&text);
        assert_eq!(rest, "     1.500000      3 Ann < readyok\\u{1b}[2J\n");
    }

    #[test]
    fn lines_that_are_missing_at_the_end_are_said_too() {
        let desk = Desk::default();
        desk.lock().dropped = 7;
        desk.lock().closed = true;
        let mut out = Vec::new();
        desk.write(&mut out).unwrap();
        assert!(String::from_utf8(out).unwrap().starts_with("# 7 lines"));
    }
}
