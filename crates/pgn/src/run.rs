//! The way of games from files through workers to where they are written.

use std::collections::BTreeMap;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::PgnError;
use super::cut::Cutter;
use super::look::{Batch, Done, Plan, look};

/// Bytes that a worker gets at a time.
const PORTION: usize = 1 << 18;

/// A file of games.
pub struct Input {
    /// What it is called in messages.
    pub name: String,
    /// Its bytes.
    pub source: Box<dyn Read + Send>,
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The portions of all files, one after the other.
struct Portions {
    inputs: std::vec::IntoIter<Input>,
    open: Option<(String, Cutter<Box<dyn Read + Send>>)>,
    portion: usize,
    most: usize,
    folder: PathBuf,
}

impl Portions {
    fn next(&mut self) -> Result<Option<Batch>, PgnError> {
        loop {
            if self.open.is_none() {
                let Some(input) = self.inputs.next() else {
                    return Ok(None);
                };
                let cutter = Cutter::new(input.source, self.most, self.folder.clone());
                self.open = Some((input.name, cutter));
            }
            let Some((name, cutter)) = &mut self.open else {
                continue;
            };
            let mut batch = Batch {
                name: name.clone(),
                ..Batch::default()
            };
            let mut over = false;
            while batch.bytes.len() < self.portion && !over {
                let cut = cutter.next(&mut batch.bytes);
                let cut = cut.map_err(|error| PgnError::Read(name.clone(), error))?;
                over = cut.is_none();
                batch.games.extend(cut);
            }
            batch.strays = cutter.strays();
            if over {
                self.open = None;
            }
            if !batch.games.is_empty() || !batch.strays.is_empty() {
                return Ok(Some(batch));
            }
        }
    }
}

/// How games are read.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) threads: usize,
    pub(super) memory: usize,
    pub(super) folder: PathBuf,
}

/// Looks at all games; `each` gets them in the order of the files.
pub(super) fn run(
    way: &Way,
    inputs: Vec<Input>,
    plan: &Plan,
    each: &mut dyn FnMut(Done) -> Result<(), PgnError>,
) -> Result<(), PgnError> {
    let workers = if way.threads < 2 { 0 } else { way.threads };
    let flying = workers + 2;
    // A quarter of the memory for what is on its way; the tokenizer has a window of
    // its own, twice as long as the longest game.
    let portion = (way.memory / 4 / (flying + 1)).clamp(1 << 12, PORTION);
    let mut portions = Portions {
        inputs: inputs.into_iter(),
        open: None,
        portion,
        most: (way.memory / 8).max(1 << 16),
        folder: way.folder.clone(),
    };
    if workers == 0 {
        while let Some(batch) = portions.next()? {
            each(look(plan, batch))?;
        }
        return Ok(());
    }
    let (batches, taken) = channel();
    let taken = Arc::new(Mutex::new(taken));
    let (results, done) = channel();
    thread::scope(|scope| {
        // It ends here, and the workers with it.
        let batches = batches;
        let mut started = 0;
        for _ in 0..workers {
            let (taken, results) = (Arc::clone(&taken), results.clone());
            let work = move || work(plan, &taken, &results);
            // Where there is no room for another thread, fewer do the work.
            started += usize::from(thread::Builder::new().spawn_scoped(scope, work).is_ok());
        }
        drop(results);
        if started == 0 {
            while let Some(batch) = portions.next()? {
                each(look(plan, batch))?;
            }
            return Ok(());
        }
        lead(&mut portions, flying, &batches, &done, each)
    })
}

type Taken = Arc<Mutex<Receiver<(u64, Batch)>>>;

/// A portion that was looked at; nothing if that could not be done.
type Looked = (u64, Option<Done>);

fn work(plan: &Plan, taken: &Taken, results: &Sender<Looked>) {
    loop {
        let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, batch)) = next else {
            return;
        };
        // A worker that ended without a word would be waited for for ever.
        let done = catch_unwind(AssertUnwindSafe(|| look(plan, batch))).ok();
        if results.send((number, done)).is_err() {
            return;
        }
    }
}

/// Deals portions to workers and takes them back in order; never more than
/// `flying` are under way.
fn lead(
    portions: &mut Portions,
    flying: usize,
    batches: &Sender<(u64, Batch)>,
    done: &Receiver<Looked>,
    each: &mut dyn FnMut(Done) -> Result<(), PgnError>,
) -> Result<(), PgnError> {
    let (mut dealt, mut wanted) = (0_u64, 0_u64);
    let mut early: BTreeMap<u64, Done> = BTreeMap::new();
    let mut over = false;
    loop {
        while !over && dealt - wanted < flying as u64 {
            match portions.next()? {
                Some(batch) => {
                    // The workers are there as long as we are.
                    let _ = batches.send((dealt, batch));
                    dealt += 1;
                }
                None => over = true,
            }
        }
        if dealt == wanted {
            return Ok(());
        }
        let Ok((number, Some(finished))) = done.recv() else {
            return Err(PgnError::Lost);
        };
        early.insert(number, finished);
        while let Some(next) = early.remove(&wanted) {
            wanted += 1;
            each(next)?;
        }
    }
}
