//! Tapes of engines that must not wait for a disk.
//!
//! Lines are put on a desk of bounded size; a thread writes them. What does not fit is
//! left out, and the tape says how much.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::entry::{Entry, head};
use quadrille_driver::date::now;

/// Lines that may wait for the disk.
const ROOM: usize = 1 << 14;
/// How long the end of an event waits for what is still to be written.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much of a line is written down.
const LONGEST: usize = 1 << 16;
/// Tapes of one engine in a folder.
const MOST: u32 = 1_000_000;

/// A folder in which every engine that is started gets a tape of its own.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    desk: SyncSender<Note>,
    /// Nothing is written any more.
    failed: Arc<AtomicBool>,
}

/// What the thread is told.
enum Note {
    /// Write this.
    Text(Arc<File>, Vec<u8>),
    /// Say when everything before this is written.
    Tell(SyncSender<()>),
}

impl Shelf {
    /// Makes the folder and starts the thread that writes.
    pub fn start(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let (desk, waiting) = sync_channel(ROOM);
        let failed = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&failed);
        thread::Builder::new()
            .name("tapes".into())
            .spawn(move || write(&waiting, &own))?;
        Ok(Self {
            folder: folder.into(),
            desk,
            failed,
        })
    }

    /// What hears an engine; nothing if no tape can be begun.
    pub fn tape(&self, engine: &str) -> Option<quadrille_driver::Tape> {
        let file = Arc::new(self.begin(engine).ok()?);
        let begun = now().to_string();
        let facts = [("begun", begun.as_str()), ("engine", engine)];
        (&*file).write_all(&head(&facts)).ok()?;
        let (desk, failed) = (self.desk.clone(), Arc::clone(&self.failed));
        let begun = Instant::now();
        let mut missing = 0_u64;
        Some(Box::new(move |speaker, line| {
            if failed.load(Ordering::Relaxed) {
                return;
            }
            let mut text = Vec::new();
            if missing > 0 {
                let lines = format!("# {missing} lines are missing here: the disk was too slow\n");
                text.extend_from_slice(lines.as_bytes());
            }
            let line = &line[..line.len().min(LONGEST)];
            Entry::line(begun.elapsed(), speaker, line).write(&mut text);
            match desk.try_send(Note::Text(Arc::clone(&file), text)) {
                Ok(()) => missing = 0,
                Err(_) => missing += 1,
            }
        }))
    }

    /// Waits until what was said so far is written, but not for ever.
    pub fn flush(&self) {
        let (sender, written) = sync_channel(1);
        if self.desk.try_send(Note::Tell(sender)).is_ok() {
            let _ = written.recv_timeout(PATIENCE);
        }
    }

    /// A file that was not there before.
    fn begin(&self, engine: &str) -> io::Result<File> {
        let plain = |c: char| {
            if c.is_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        };
        let name: String = engine.chars().take(80).map(plain).collect();
        for number in 1..MOST {
            let path = self.folder.join(format!("{name}-{number}.tape"));
            match File::create_new(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

fn write(waiting: &Receiver<Note>, failed: &AtomicBool) {
    while let Ok(note) = waiting.recv() {
        match note {
            Note::Text(file, text) => {
                if (&*file).write_all(&text).is_err() {
                    failed.store(true, Ordering::Relaxed);
                    return;
                }
            }
            Note::Tell(sender) => {
                // It may not be waited for any more.
                let _ = sender.send(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tape;
    use quadrille_driver::Speaker;

    #[test]
    fn every_engine_has_a_tape_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new/tapes");
        let shelf = Shelf::start(&folder).unwrap();
        let mut tapes = [shelf.tape("a/b"), shelf.tape("a/b")].map(Option::unwrap);
        tapes[0](Speaker::Host, b"uci");
        tapes[1](Speaker::Host, b"isready");
        tapes[1](Speaker::Engine, b"readyok");
        shelf.flush();
        let read = |name: &str| Tape::read(&fs::read(folder.join(name)).unwrap()).unwrap();
        let (one, two) = (read("a_b-1.tape"), read("a_b-2.tape"));
        assert_eq!((one.entries.len(), two.entries.len()), (1, 2));
        assert_eq!(two.fact("engine"), Some("a/b"));
    }
}
