//! The one place where everything comes together: pages, the desk, engines, events,
//! jobs, the library.
//!
//! The hub is one task that takes one [`Note`] after the other and never waits: what
//! takes long is done elsewhere and comes back as another note. What it sends to a
//! page lies in a queue of that page; one that is too far behind is cut off, and
//! comes back by itself to ask for what it missed.

mod desk;
mod engines;
mod events;
mod follow;
mod handle;
mod jobs;
mod library;
mod online;
mod pages;
mod work;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use quadrille_desk::Desk;
use quadrille_desk::effect::{PageId, SearchId, SearchNews};
use quadrille_desk::wire::{EventId, FromPage, Topic};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

pub(crate) use handle::HubHandle;
pub use online::{Door, Line};
pub(crate) use pages::{Queue, Waiting};

use crate::data::Data;
use crate::engines::{Engines, SlotId, SlotNews};
use crate::events::Events;
use crate::guard::Role;
use crate::jobs::{JobRecord, Jobs};
use pages::Pages;

/// Notes that may wait.
const ROOM: usize = 1024;
/// How often changes of what the hub itself shows are told.
const BEAT: Duration = Duration::from_millis(150);
/// How long engines may take to go when the program ends.
const FAREWELL: Duration = Duration::from_secs(3);

/// Something that happened.
pub(crate) enum Note {
    Joined {
        role: Role,
        queue: Queue,
        answer: oneshot::Sender<Option<PageId>>,
    },
    Said {
        page: PageId,
        message: Box<FromPage>,
    },
    Left {
        page: PageId,
    },
    Search {
        search: SearchId,
        news: SearchNews,
    },
    Slot {
        slot: SlotId,
        news: SlotNews,
    },
    /// Work that was done elsewhere.
    Call(Box<dyn FnOnce(&mut Hub) + Send>),
    /// The end; answered when everything is at rest.
    Close(oneshot::Sender<()>),
}

/// Everything at once.
pub(crate) struct Hub {
    pub(crate) handle: HubHandle,
    pub(crate) data: Arc<Data>,
    pub(crate) folder: PathBuf,
    desk: Desk,
    pages: Pages,
    /// Topics kept here that changed since the last beat.
    stale: Vec<Topic>,
    pub(crate) engines: Engines,
    pub(crate) events: Events,
    pub(crate) jobs: Jobs,
    /// Studies that games of the library were opened in, in this run.
    opened: HashMap<u32, u32>,
    /// When the desk wants to be woken.
    wake: Option<Instant>,
    beat: Option<Instant>,
    closing: Option<oneshot::Sender<()>>,
    /// What ends now was ended by us.
    closing_down: bool,
    /// Why what happens now cannot be kept.
    unkept: Option<String>,
    /// The game server that visitors play at.
    hall: Option<Door>,
}

/// Milliseconds since 1970, the desk's clock.
pub(crate) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64() * 1000.0
}

/// What a hub begins with.
pub(crate) struct Beginning {
    pub(crate) data: Arc<Data>,
    pub(crate) folder: PathBuf,
    pub(crate) program: PathBuf,
    pub(crate) run: String,
    pub(crate) kept: Vec<(String, String)>,
    /// Number, store, ours, running.
    pub(crate) events: Vec<(EventId, PathBuf, bool, bool)>,
    pub(crate) jobs: Vec<JobRecord>,
    pub(crate) engines: Vec<(usize, bool, crate::engines::EngineRecord)>,
    pub(crate) hall: Option<Door>,
}

impl Hub {
    /// A hub and the handle to it. It does nothing before [`run`](Self::run).
    pub(crate) fn new(beginning: Beginning) -> (Self, mpsc::Receiver<Note>) {
        let (sender, notes) = mpsc::channel(ROOM);
        let handle = HubHandle::new(sender);
        let engines = Engines::new(beginning.program, handle.clone(), beginning.engines);
        let desk = desk::new(&beginning.folder, beginning.run, beginning.kept);
        let mut events = Events::default();
        for (id, path, own, wanted) in beginning.events {
            events.add(id, path, own, wanted);
        }
        let hub = Self {
            jobs: Jobs::new(beginning.folder.join("reports"), beginning.jobs),
            data: beginning.data,
            folder: beginning.folder,
            desk,
            events,
            pages: Pages::default(),
            stale: Vec::new(),
            engines,
            opened: HashMap::new(),
            wake: None,
            beat: None,
            closing: None,
            closing_down: false,
            unkept: None,
            hall: beginning.hall,
            handle,
        };
        (hub, notes)
    }

    /// Takes notes until it is closed.
    pub(crate) async fn run(mut self, mut notes: mpsc::Receiver<Note>) {
        self.begin();
        let mut trouble = self.data.trouble();
        loop {
            let due = [self.wake, self.beat].into_iter().flatten().min();
            tokio::select! {
                note = notes.recv() => match note {
                    Some(note) => self.take(note),
                    None => break,
                },
                () = until(due) => self.awake(),
                Ok(()) = trouble.changed() => self.kept_or_not(trouble.borrow_and_update().clone()),
            }
            if self.closing.is_some() {
                break;
            }
        }
        self.end(&mut notes).await;
    }

    fn take(&mut self, note: Note) {
        match note {
            Note::Joined {
                role,
                queue,
                answer,
            } => {
                let page = self.joined(role, queue);
                if let Err(Some(page)) = answer.send(page) {
                    self.left(page);
                }
            }
            Note::Said { page, message } => self.said(page, *message),
            Note::Left { page } => self.left(page),
            Note::Search { search, news } => self.searched(search, news),
            Note::Slot { slot, news } => self.slot(slot, news),
            Note::Call(work) => work(self),
            Note::Close(answer) => self.closing = Some(answer),
        }
    }

    /// A time has come.
    fn awake(&mut self) {
        let reached = |time: Option<Instant>| time.is_some_and(|time| time <= Instant::now());
        if reached(self.wake) {
            self.wake = None;
            self.tick();
        }
        if reached(self.beat) {
            self.beat = None;
            self.beat_now();
        }
    }

    /// A topic that is kept here has changed; it is told with the next beat.
    pub(crate) fn changed(&mut self, topic: Topic) {
        if !self.stale.contains(&topic) {
            self.stale.push(topic);
        }
        self.beat.get_or_insert_with(|| Instant::now() + BEAT);
    }

    fn slot(&mut self, slot: SlotId, news: SlotNews) {
        let orphans = self.engines.heard(slot, news);
        for search in orphans {
            let words = "the engine was stopped".into();
            self.searched(search, SearchNews::Failed { words });
        }
        self.changed(Topic::Engines);
    }

    /// Lets everything come to rest.
    async fn end(mut self, notes: &mut mpsc::Receiver<Note>) {
        // What runs now goes on after a restart.
        self.closing_down = true;
        self.events.abort_all();
        self.jobs.rest();
        self.engines.quit_all();
        self.pages.clear();
        let patience = Instant::now() + FAREWELL;
        while self.engines.running() > 0 || self.events.running() > 0 || self.jobs.any_running() {
            tokio::select! {
                note = notes.recv() => match note {
                    Some(Note::Slot { slot, news }) => {
                        self.engines.heard(slot, news);
                    }
                    Some(Note::Call(work)) => work(&mut self),
                    Some(_) => {}
                    None => break,
                },
                () = tokio::time::sleep_until(patience) => break,
            }
        }
        let closing = self.closing.take();
        // The file is closed before anybody is told that all is done.
        drop(self);
        if let Some(answer) = closing {
            let _ = answer.send(());
        }
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
