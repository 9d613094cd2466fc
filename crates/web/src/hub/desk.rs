//! The desk, and what it wants done.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use quadrille_desk::effect::{Crew, Effect, PageId, Purpose, SearchId, SearchNews};
use quadrille_desk::wire::{FromPage, Room, StudyId, TableId, ToPage, Topic};
use quadrille_desk::{Desk, Rights, Setup};
use quadrille_games::records::AnyRecord;
use tokio::time::Instant;

use super::pages::{Open, Queue};
use super::{Hub, now};
use crate::guard::Role;
use crate::secret::Secret;
use quadrille_desk::wire::{Refusal, RefusalCode};

/// What pages are offered.
const ROOMS: [Room; 9] = [
    Room::Play,
    Room::Analyse,
    Room::Library,
    Room::Engines,
    Room::Tournaments,
    Room::Check,
    Room::Online,
    Room::Learn,
    Room::Settings,
];

/// The desk with everything that was kept.
pub(super) fn new(folder: &Path, run: String, kept: Vec<(String, String)>) -> Desk {
    let setup = Setup {
        program: concat!("Quadrille ", env!("CARGO_PKG_VERSION")).into(),
        run,
        rooms: ROOMS.into(),
        data: Some(folder.display().to_string()),
        secret: || Some(Secret::new().ok()?.as_str().to_owned()),
        now: now(),
        alone: false,
    };
    Desk::new(setup, kept)
}

impl Hub {
    /// A page comes in, if there is room and a seat for it.
    pub(super) fn joined(&mut self, role: Role, queue: Queue) -> Option<PageId> {
        if self.pages.is_full(&role) {
            return None;
        }
        let rights = match &role {
            Role::Owner => Rights::Owner,
            Role::Guest(token) => Rights::Guest {
                token: token.clone(),
            },
            Role::Visitor(_) => Rights::Visitor,
        };
        let (page, effects) = self.desk.page(rights, now())?;
        self.pages.join(page, role, queue);
        self.carry_out(effects);
        if self.unkept.is_some() {
            self.tell_unkept(page);
        }
        Some(page)
    }

    /// Whether what happens now can be kept.
    pub(super) fn kept_or_not(&mut self, unkept: Option<String>) {
        self.unkept = unkept;
        for page in self.pages.ids() {
            self.tell_unkept(page);
        }
    }

    /// Guests can do nothing about it.
    fn tell_unkept(&mut self, page: PageId) {
        let words = self.unkept.clone();
        let is_owner = |open: &Open| open.role == Role::Owner;
        if self.pages.get(page).is_some_and(is_owner) {
            self.send(page, &ToPage::Unkept { words });
        }
    }

    pub(super) fn left(&mut self, page: PageId) {
        if self.pages.leave(page) {
            let effects = self.desk.left(page, now());
            self.carry_out(effects);
        }
    }

    /// Sends a message to a page; one that is too far behind is cut off.
    pub(crate) fn send(&mut self, page: PageId, message: &ToPage) {
        if !self.pages.send(page, message) {
            self.left(page);
        }
    }

    /// A page says something.
    pub(super) fn said(&mut self, page: PageId, message: FromPage) {
        // What there is to see of an event may be old.
        let looks = matches!(
            message,
            FromPage::Follow {
                topic: Topic::Event(_) | Topic::Events,
                ..
            }
        );
        let effects = self.desk.handle(page, message, now());
        self.carry_out(effects);
        if looks {
            self.look_at_events();
        }
    }

    pub(super) fn tick(&mut self) {
        let effects = self.desk.tick(now());
        self.carry_out(effects);
    }

    /// What the desk should know about engines.
    pub(super) fn tell_crew(&mut self) {
        let crew = Crew {
            engines: self.engines.views(),
        };
        let effects = self.desk.crew(crew, now());
        self.carry_out(effects);
    }

    pub(super) fn searched(&mut self, search: SearchId, news: SearchNews) {
        if matches!(news, SearchNews::Done { .. } | SearchNews::Failed { .. }) {
            self.engines.over(search);
        }
        let effects = self.desk.heard(search, news, now());
        self.carry_out(effects);
    }

    /// Does what the desk wants, in its order.
    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Send { page, message } => self.send(page, &message),
                Effect::Search(order) => {
                    let search = order.search;
                    if let Err(words) = self.engines.search(order) {
                        let failed = SearchNews::Failed { words };
                        effects.extend(self.desk.heard(search, failed, now()));
                    }
                }
                Effect::Work { page, id, work } => self.work(page, id, *work),
                Effect::Read {
                    topic,
                    version,
                    pages,
                } => self.read(&topic, version, pages),
                Effect::ReadLog { page, engine, from } => self.read_log(page, engine, from),
                Effect::LeaveLog { page, engine } => self.leave_log(page, engine),
                Effect::Join { page, address } => self.join_server(page, address),
                Effect::TellServer { page, line } => self.tell_server(page, line),
                Effect::Part { page } => self.part(page),
                Effect::StopSearch { search } => self.engines.stop(search),
                Effect::NewGame { engine } => {
                    self.engines
                        .new_game(engine, |purpose| matches!(purpose, Purpose::Game(..)));
                }
                Effect::Keep { key, value } => self.data.keep(key, value),
                Effect::Finished { table, record } => self.file_game(table, record),
                Effect::Wake { at } => {
                    let wait = Duration::from_secs_f64(((at - now()) / 1000.0).clamp(0.0, 1e6));
                    let at = Instant::now() + wait;
                    self.wake = Some(self.wake.map_or(at, |known| known.min(at)));
                }
            }
        }
    }

    /// Makes a study of a record that comes from elsewhere.
    pub(super) fn open_study(
        &mut self,
        record: AnyRecord,
        title: &str,
    ) -> Result<StudyId, Refusal> {
        let (study, effects) = self.desk.add_study(record, title, now())?;
        self.carry_out(effects);
        Ok(study)
    }

    /// The table of a guest's link.
    pub(crate) fn seat(&self, word: &str) -> Option<TableId> {
        self.desk.guest_table(word)
    }

    pub(super) fn begin(&mut self) {
        self.tell_crew();
        // Options of our own engines may be others in a new version.
        for engine in self.engines.views() {
            if engine.builtin && self.hall.is_none() {
                self.look_again(engine.id);
            }
        }
        self.resume_events();
        self.jobs.clear_uploads(&self.folder.join("uploads"));
        self.start_jobs();
        self.changed(Topic::Library);
    }
}

/// The machine could not do it.
pub(super) fn machine(words: String) -> Refusal {
    Refusal::new(RefusalCode::Machine, words)
}
