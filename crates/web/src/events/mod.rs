//! Events: begun here, or watched while they run elsewhere.
//!
//! An event that runs here has a thread of its own and a store in the data folder.
//! What pages see of any event is read from its store, so that one in a terminal
//! looks the same.

mod describe;
mod view;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_desk::wire::{EventId, EventInfo, EventView, NewEvent};
use quadrille_games::records::AnyRecord;
use quadrille_match::record::{Form, PgnStyle};
use quadrille_match::store::Store;
use quadrille_match::tournament::{Archive, Command, MatchEvent, Results, Tournament, Watcher};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::time::Instant;

use crate::engines::EngineRecord;
use crate::fault::caught;
use crate::hub::HubHandle;
pub(crate) use view::Cache;

/// How often a running event is looked at, at the most; a large one is looked at
/// less often.
const LOOK: Duration = Duration::from_millis(300);
/// A store that cannot be read so often is taken for lost.
const MOST_FAILURES: u32 = 5;
/// Looking at an event may take this part of the time.
const SHARE: u32 = 10;

/// All events.
#[derive(Debug, Default)]
pub(crate) struct Events {
    list: BTreeMap<EventId, Entry>,
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    /// In the data folder.
    own: bool,
    /// To go on after a restart.
    wanted: bool,
    running: Option<Running>,
    view: Option<EventView>,
    /// Why it did not go on.
    trouble: Option<String>,
    /// Why its store could not be read when it was last looked at.
    unreadable: Option<String>,
    /// How often that happened since it could be read.
    failures: u32,
    cache: Arc<Mutex<Cache>>,
    /// It has begun or ended here since it was last looked at.
    stale: bool,
    /// When it may be looked at again; nothing while it is looked at.
    next_look: Option<Instant>,
}

#[derive(Debug)]
struct Running {
    commands: UnboundedSender<Command>,
    state: Arc<Mutex<Option<String>>>,
}

/// Hears whether an event pauses or stops.
struct Ear(Arc<Mutex<Option<String>>>);

impl Watcher for Ear {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        let words = match event {
            MatchEvent::Paused => Some("paused".to_owned()),
            MatchEvent::Resumed | MatchEvent::Start { .. } => None,
            MatchEvent::Stopping { reason } => Some(format!("stopping: {reason}")),
            MatchEvent::Trouble { reason, .. } => Some(reason.clone()),
            _ => return,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }
}

/// What a thread has begun.
pub(crate) struct Begun {
    tournament: Tournament,
    pub(crate) path: PathBuf,
}

/// Begins an event in a new store, which is none of those that are known. Takes as long
/// as files take.
pub(crate) fn begin(
    new: &NewEvent,
    engines: &[EngineRecord],
    folder: &Path,
    known: &[PathBuf],
) -> Result<Begun, String> {
    let path = free_path(folder, known);
    let config = describe::describe(new, engines, &path)?;
    let created = Tournament::create(config, &path);
    let tournament = created.map_err(|error| error.to_string())?;
    Ok(Begun { tournament, path })
}

/// Goes on with an event.
pub(crate) fn resume(path: &Path) -> Result<Begun, String> {
    let tournament = Tournament::resume(path).map_err(|error| error.to_string())?;
    Ok(Begun {
        tournament,
        path: path.into(),
    })
}

/// A name that no event has.
fn free_path(folder: &Path, known: &[PathBuf]) -> PathBuf {
    let path = |n: u32| folder.join(format!("event-{n}.db"));
    let taken = |n: &u32| path(*n).exists() || known.contains(&path(*n));
    path((1..u32::MAX).find(|n| !taken(n)).unwrap_or(u32::MAX))
}

/// Removes a store.
pub(crate) fn remove(store: &Path) -> Result<(), String> {
    Store::remove(store);
    // Where there were openings of its own.
    let _ = std::fs::remove_file(store.with_extension("openings"));
    if store.exists() {
        return Err(format!("{} cannot be removed", store.display()));
    }
    Ok(())
}

impl Events {
    /// Takes in an event.
    pub(crate) fn add(&mut self, id: EventId, path: PathBuf, own: bool, wanted: bool) {
        let entry = Entry {
            path,
            own,
            wanted,
            running: None,
            view: None,
            trouble: None,
            unreadable: None,
            failures: 0,
            cache: Arc::default(),
            stale: false,
            next_look: Some(Instant::now()),
        };
        self.list.insert(id, entry);
    }

    /// The event of a store, if it is here.
    pub(crate) fn of(&self, path: &Path) -> Option<EventId> {
        let found = self.list.iter().find(|(_, entry)| entry.path == path);
        found.map(|(id, _)| *id)
    }

    /// The stores of all events, those that are gone included.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.list.values().map(|entry| entry.path.clone()).collect()
    }

    pub(crate) fn path(&self, id: EventId) -> Option<PathBuf> {
        self.list.get(&id).map(|entry| entry.path.clone())
    }

    /// Those that were running when the program ended.
    pub(crate) fn wanted(&self) -> Vec<(EventId, PathBuf)> {
        let wanted = self
            .list
            .iter()
            .filter(|(_, entry)| entry.wanted && entry.own);
        wanted
            .map(|(id, entry)| (*id, entry.path.clone()))
            .collect()
    }

    /// Plays an event on a thread of its own. `over` is called there at the end.
    pub(crate) fn run(&mut self, id: EventId, begun: Begun, program: &Path, hub: &HubHandle) {
        let Some(entry) = self.list.get_mut(&id) else {
            return;
        };
        let (commands, receiver) = mpsc::unbounded_channel();
        let state = Arc::default();
        entry.running = Some(Running {
            commands,
            state: Arc::clone(&state),
        });
        entry.wanted = true;
        entry.trouble = None;
        entry.turned();
        let mut tournament = begun.tournament;
        tournament.resolve_builtin(program);
        let (runtime, hub) = (Handle::current(), hub.clone());
        let played = move || {
            let mut ear = Ear(state);
            let trouble = caught(|| {
                let summary = runtime.block_on(tournament.run(receiver, &mut ear));
                let summary = summary.map_err(|error| error.to_string())?;
                Ok(summary.trouble.or(summary.unwritten))
            });
            let trouble = trouble.unwrap_or_else(Some);
            hub.call_from_thread(move |hub| hub.event_over(id, trouble));
        };
        let thread = std::thread::Builder::new()
            .name("event".into())
            .spawn(played);
        if let Err(error) = thread {
            entry.running = None;
            entry.trouble = Some(format!("cannot start a thread: {error}"));
        }
    }

    /// An event that ran here has ended.
    pub(crate) fn over(&mut self, id: EventId, trouble: Option<String>) {
        if let Some(entry) = self.list.get_mut(&id) {
            entry.running = None;
            entry.wanted = false;
            entry.trouble = trouble;
            entry.turned();
        }
    }

    /// How many run here.
    pub(crate) fn running(&self) -> usize {
        self.list
            .values()
            .filter(|entry| entry.running.is_some())
            .count()
    }

    /// Gives up the running games; after a restart they are played again.
    pub(crate) fn abort_all(&self) {
        for entry in self.list.values() {
            if let Some(running) = &entry.running {
                let _ = running.commands.send(Command::Abort);
            }
        }
    }

    /// Tells an event something. `Ok(true)` if it must be begun again.
    pub(crate) fn control(&mut self, id: EventId, words: &str) -> Result<bool, String> {
        let entry = self
            .list
            .get_mut(&id)
            .ok_or("there is no such event any more")?;
        let command: Command = words.parse().map_err(|error| format!("{error}"))?;
        match &entry.running {
            Some(running) => {
                // What is paused or stopped does not play on after a restart.
                match command {
                    Command::Stop | Command::Abort | Command::Pause => entry.wanted = false,
                    Command::Resume => entry.wanted = true,
                    _ => {}
                }
                let _ = running.commands.send(command);
                Ok(false)
            }
            None if Store::is_running(&entry.path) => {
                Store::control(&entry.path, words).map_err(|error| error.to_string())?;
                Ok(false)
            }
            None if command == Command::Resume && entry.own => Ok(true),
            None => Err("this event is not running".into()),
        }
    }

    /// Takes an event off the list. `Some` is the store of one of our own.
    pub(crate) fn forget(&mut self, id: EventId) -> Result<Option<PathBuf>, String> {
        let entry = self
            .list
            .get(&id)
            .ok_or("there is no such event any more")?;
        if entry.running.is_some() {
            return Err("this event is running; stop it first".into());
        }
        if entry.own && Store::is_running(&entry.path) {
            return Err("another program plays this event; stop it first".into());
        }
        let entry = self.list.remove(&id);
        Ok(entry.filter(|entry| entry.own).map(|entry| entry.path))
    }

    /// Whether an event is to go on after a restart, for those of our own.
    pub(crate) fn is_wanted(&self, id: EventId) -> bool {
        self.list.get(&id).is_some_and(|entry| entry.wanted)
    }

    /// What is known of an event.
    pub(crate) fn view(&self, id: EventId) -> Option<EventView> {
        self.list.get(&id)?.view.clone()
    }

    /// Whether nothing is known of an event yet.
    pub(crate) fn is_unseen(&self, id: EventId) -> bool {
        let unseen = |entry: &Entry| entry.view.is_none() && entry.unreadable.is_none();
        self.list.get(&id).is_some_and(unseen)
    }

    /// All events, the newest first.
    pub(crate) fn infos(&self) -> Vec<EventInfo> {
        let views = self
            .list
            .values()
            .rev()
            .filter_map(|entry| entry.view.as_ref());
        views.map(|view| view.info.clone()).collect()
    }

    /// Those that are to be looked at now: never seen, or running and wanted by
    /// somebody.
    pub(crate) fn due(&mut self, followed: impl Fn(EventId) -> bool) -> Vec<EventId> {
        let now = Instant::now();
        let due = |(id, entry): (&EventId, &mut Entry)| {
            let due = entry.next_look.is_some_and(|next| next <= now);
            (due && (entry.may_change() || followed(*id))).then_some(*id)
        };
        self.list.iter_mut().filter_map(due).collect()
    }

    /// Whether any may change: runs, here or elsewhere, or could not be read just now.
    pub(crate) fn any_running(&self) -> bool {
        self.list.values().any(Entry::may_change)
    }

    /// Looks at an event, on a thread for things that take long.
    pub(crate) fn look(&mut self, id: EventId, hub: &HubHandle) {
        let Some(entry) = self.list.get_mut(&id) else {
            return;
        };
        entry.next_look = None;
        entry.stale = false;
        let (path, own) = (entry.path.clone(), entry.running.is_some());
        let (cache, hub) = (Arc::clone(&entry.cache), hub.clone());
        tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
            let view = caught(|| {
                view::look(id, &path, own, &mut cache).map_err(|error| error.to_string())
            });
            let took = begun.elapsed();
            drop(cache);
            hub.call_from_thread(move |hub| hub.event_seen(id, view, took));
        });
    }

    /// What was seen; `true` if it is news.
    pub(crate) fn seen(
        &mut self,
        id: EventId,
        view: Result<EventView, String>,
        took: Duration,
    ) -> bool {
        let Some(entry) = self.list.get_mut(&id) else {
            return false;
        };
        let unknown = entry.view.is_none() && entry.unreadable.is_none();
        let (view, unreadable) = view.map_or_else(|e| (None, Some(e)), |view| (Some(view), None));
        entry.failures = match &unreadable {
            Some(_) => entry.failures.saturating_add(1),
            None => 0,
        };
        let pause = match entry.failures {
            // What was seen is older than that.
            _ if entry.stale => Duration::ZERO,
            0 | 1 => LOOK.max(took * SHARE),
            // A file that is not there is not asked for all the time.
            _ => 10 * LOOK,
        };
        entry.next_look = Some(Instant::now() + pause);
        entry.unreadable = unreadable;
        let mut seen = view.or_else(|| entry.view.clone());
        // An event that pauses changes nothing in its store.
        if let Some(view) = &mut seen {
            view.state = entry.state();
            view.attached = !entry.own;
            // One whose store is gone does not run, whatever was seen last.
            view.info.running &= entry.failures < MOST_FAILURES || entry.running.is_some();
        }
        let news = unknown || entry.view != seen;
        entry.view = seen;
        news
    }
}

impl Entry {
    /// It has begun or ended here.
    fn turned(&mut self) {
        self.stale = true;
        self.next_look = self.next_look.map(|_| Instant::now());
    }

    /// Whether it is worth looking at again: it runs or has just ended, was never seen, or
    /// a file that was busy for a moment could not be read.
    fn may_change(&self) -> bool {
        let tried = (1..MOST_FAILURES).contains(&self.failures);
        let unseen = self.view.is_none() && self.failures == 0;
        let running = self.view.as_ref().is_some_and(|view| view.info.running);
        self.running.is_some() || self.stale || tried || unseen || running
    }

    /// In words: what it does instead of playing, or why.
    fn state(&self) -> Option<String> {
        let said = |running: &Running| {
            let state = running.state.lock();
            state.unwrap_or_else(PoisonError::into_inner).clone()
        };
        let said = self.running.as_ref().and_then(said);
        said.or_else(|| self.unreadable.clone())
            .or_else(|| self.trouble.clone())
    }
}

/// All finished games of an event.
pub(crate) fn pgn(path: &Path) -> Result<Vec<u8>, String> {
    let archive = Archive::open(path).map_err(|error| error.to_string())?;
    let mut text = Vec::new();
    let form = Form::Pgn(PgnStyle::default());
    archive
        .export(form, &mut text)
        .map_err(|error| error.to_string())?;
    Ok(text)
}

/// One of its games, with what the engines said; one that is being played, as far as
/// it is.
pub(crate) fn game(path: &Path, number: u32) -> Result<AnyRecord, String> {
    let archive = Archive::open(path).map_err(|error| error.to_string())?;
    let form = Form::Pgn(PgnStyle::default());
    let text = archive.text(u64::from(number), form);
    if let Some(text) = text.map_err(|error| error.to_string())? {
        let read = AnyRecord::read(text.as_bytes(), archive.config().rules.game, 1);
        if let Some((record, _)) = read.into_iter().next() {
            return Ok(record);
        }
    }
    let found = archive.game(u64::from(number));
    let found = found.map_err(|error| error.to_string())?;
    let (row, _, line) = found.ok_or_else(|| format!("there is no game {number}"))?;
    let mut record = AnyRecord::from_line(&line);
    let names = archive.results().names();
    let name = |player: usize| names.get(player).map_or("?", String::as_str);
    let [white, black] = row.new.players;
    for (tag, value) in [
        ("Event", archive.config().output.event.as_str()),
        ("White", name(white)),
        ("Black", name(black)),
    ] {
        // A name that cannot stand in a record is left out.
        let _ = record.set_tag(tag, value);
    }
    Ok(record)
}

/// Checks that a path leads to the store of an event, and makes it whole.
pub(crate) fn attached(path: &str, folder: &Path) -> Result<PathBuf, String> {
    let path = std::path::absolute(path.trim()).map_err(|error| error.to_string())?;
    // Our own files stay untouched: closing one would take the locks from those who
    // use it in this process.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let (place, ours) = (real(&path), real(folder));
    if place.starts_with(&ours) && !place.starts_with(ours.join("events")) {
        return Err(format!(
            "{} is no event but a file of this program",
            path.display()
        ));
    }
    Archive::open(&path).map_err(|error| error.to_string())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_store_that_is_busy_is_looked_at_again_and_one_that_is_gone_is_not() {
        let mut events = Events::default();
        events.add(1, "nowhere.db".into(), true, false);
        assert!(events.any_running(), "it was never seen");
        for failure in 1..=MOST_FAILURES {
            events.seen(1, Err("database is locked".into()), Duration::ZERO);
            assert_eq!(events.any_running(), failure < MOST_FAILURES, "{failure}");
        }
        // An event that ends while it is looked at is looked at once more.
        events.over(1, None);
        assert!(events.any_running() && events.due(|_| false) == [1]);
    }
}
