//! A desk for pages without a server, with engines in workers. The tabs of one browser
//! share it.
//!
//! What is around it (a worker's script) carries out [`Deed`]s and says what pages,
//! engines and the clock say.

use std::collections::BTreeMap;

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use crate::effect::{Crew, Effect, PageId, Purpose, SearchId, SearchOrder};
use crate::offline_engine::{EngineOutput, OfflineEngine};
use crate::wire::{EngineId, EngineView, Room, ToPage};
use crate::{Desk, Rights, Setup};

/// Engines that rest are ended, so many are kept.
const MOST_RESTING: usize = 3;

/// What the page tells at the start.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Beginning {
    /// Name and version of the program.
    pub program: String,
    /// Another word at each start.
    pub run: String,
    /// What was kept: key and value.
    pub kept: Vec<(String, String)>,
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Deed {
    /// Send this to a page.
    Send {
        /// The page.
        page: PageId,
        /// The message.
        message: Box<ToPage>,
    },
    /// Keep this value for good, or forget it.
    Keep {
        /// The key.
        key: String,
        /// The value.
        value: Option<String>,
    },
    /// Start an engine in a worker of its own.
    Start {
        /// Its number.
        worker: u32,
        /// The game.
        game: Game,
        /// The words that choose rules.
        rules: String,
    },
    /// Say this line to an engine.
    Tell {
        /// Its number.
        worker: u32,
        /// The line, without its end.
        line: String,
    },
    /// End an engine's worker.
    End {
        /// Its number.
        worker: u32,
    },
    /// Call [`Alone::tick`] at this time at the latest: milliseconds since 1970.
    Wake {
        /// When.
        at: f64,
    },
}

/// An engine at work or at rest.
#[derive(Debug)]
struct Worker {
    engine: EngineId,
    place: Place,
    game: Game,
    rules: String,
    offline: OfflineEngine,
    searches: Vec<SearchId>,
}

/// What engines are kept apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Game(u32, u8),
    Analysis(PageId),
    Hint(u32),
}

/// The desk of a browser's pages.
#[derive(Debug)]
pub struct Alone {
    desk: Desk,
    workers: BTreeMap<u32, Worker>,
    next: u32,
    out: Vec<Deed>,
}

impl Alone {
    /// A desk with everything that was kept and these engines.
    pub fn new(beginning: Beginning, engines: Vec<EngineView>, now: f64) -> (Self, Vec<Deed>) {
        let setup = Setup {
            program: beginning.program,
            run: beginning.run,
            rooms: vec![
                Room::Play,
                Room::Analyse,
                Room::Library,
                Room::Learn,
                Room::Settings,
            ],
            data: None,
            secret: || None,
            now,
            alone: true,
        };
        let mut alone = Self {
            desk: Desk::new(setup, beginning.kept),
            workers: BTreeMap::new(),
            next: 1,
            out: Vec::new(),
        };
        let effects = alone.desk.crew(Crew { engines }, now);
        alone.carry_out(effects, now);
        let deeds = alone.deeds();
        (alone, deeds)
    }

    /// A page is there: its number, and its greeting. Owners are never refused.
    pub fn join(&mut self, now: f64) -> (PageId, Vec<Deed>) {
        let (page, effects) = self.desk.page(Rights::Owner, now).unwrap_or_default();
        self.carry_out(effects, now);
        (page, self.deeds())
    }

    /// A page is gone.
    pub fn left(&mut self, page: PageId, now: f64) -> Vec<Deed> {
        let effects = self.desk.left(page, now);
        self.carry_out(effects, now);
        self.deeds()
    }

    /// A page says something, as JSON text.
    pub fn said(&mut self, page: PageId, text: &str, now: f64) -> Vec<Deed> {
        let effects = self.desk.handle_text(page, text, now);
        self.carry_out(effects, now);
        self.deeds()
    }

    /// An engine says a line.
    pub fn heard(&mut self, worker: u32, line: &str, now: f64) -> Vec<Deed> {
        if let Some(known) = self.workers.get_mut(&worker) {
            let said = known.offline.on_line(line, now);
            self.pass_on(worker, said, now);
        }
        self.deeds()
    }

    /// An engine's worker has failed.
    pub fn died(&mut self, worker: u32, words: &str, now: f64) -> Vec<Deed> {
        if let Some(mut known) = self.workers.remove(&worker) {
            let said = known.offline.on_end(words);
            self.pass_on(worker, said, now);
        }
        self.deeds()
    }

    /// Time goes by.
    pub fn tick(&mut self, now: f64) -> Vec<Deed> {
        let workers: Vec<u32> = self.workers.keys().copied().collect();
        for worker in workers {
            if let Some(known) = self.workers.get_mut(&worker) {
                let said = known.offline.on_time(now);
                self.pass_on(worker, said, now);
            }
        }
        let effects = self.desk.tick(now);
        self.carry_out(effects, now);
        self.deeds()
    }

    fn deeds(&mut self) -> Vec<Deed> {
        let wakes = self
            .workers
            .values()
            .filter_map(|known| known.offline.wake());
        let wake = wakes.fold(f64::INFINITY, f64::min);
        if wake.is_finite() {
            self.out.push(Deed::Wake { at: wake });
        }
        std::mem::take(&mut self.out)
    }

    fn carry_out(&mut self, effects: Vec<Effect>, now: f64) {
        for effect in effects {
            match effect {
                Effect::Send { page, message } => {
                    let message = Box::new(message);
                    self.out.push(Deed::Send { page, message });
                }
                Effect::Keep { key, value } => self.out.push(Deed::Keep { key, value }),
                Effect::Wake { at } => self.out.push(Deed::Wake { at }),
                Effect::Search(order) => self.search(order, now),
                Effect::StopSearch { search } => self.stop(search, now),
                Effect::NewGame { engine } => {
                    let workers = self.workers.values_mut();
                    for known in workers.filter(|known| known.engine == engine) {
                        known.offline.new_game();
                    }
                }
                // The desk has put it into its own library.
                Effect::Finished { .. }
                // There is nothing outside that could be reached.
                | Effect::Work { .. }
                | Effect::Read { .. }
                | Effect::ReadLog { .. }
                | Effect::LeaveLog { .. }
                | Effect::Join { .. }
                | Effect::TellServer { .. }
                | Effect::Part { .. } => {}
            }
        }
    }

    fn search(&mut self, order: Box<SearchOrder>, now: f64) {
        let place = match order.purpose {
            Purpose::Game(table, side) => Place::Game(table, side),
            Purpose::Analysis(page) => Place::Analysis(page),
            Purpose::Hint(table) => Place::Hint(table),
        };
        let worker = self.worker(
            order.engine,
            place,
            order.line.game(),
            &order.line.rules_text(),
            now,
        );
        if let Some(known) = self.workers.get_mut(&worker) {
            // It asks for one search at a time.
            known.searches = vec![order.search];
            let said = known.offline.order(order, now);
            self.pass_on(worker, said, now);
        }
    }

    /// A worker for this purpose: the one that is there, one that rests, or a new one.
    fn worker(&mut self, engine: EngineId, place: Place, game: Game, rules: &str, now: f64) -> u32 {
        let fits =
            |known: &Worker| known.engine == engine && known.game == game && known.rules == rules;
        let same = self
            .workers
            .iter()
            .find(|(_, k)| fits(k) && k.place == place);
        let resting = || {
            let mut workers = self.workers.iter();
            workers.find(|(_, k)| fits(k) && k.offline.is_idle())
        };
        if let Some((&worker, _)) = same.or_else(resting) {
            if let Some(known) = self.workers.get_mut(&worker) {
                known.place = place;
            }
            return worker;
        }
        self.end_resting();
        let worker = self.next;
        self.next = self.next.wrapping_add(1).max(1);
        let (offline, said) = OfflineEngine::new(game, now);
        self.workers.insert(
            worker,
            Worker {
                engine,
                place,
                game,
                rules: rules.to_owned(),
                offline,
                searches: Vec::new(),
            },
        );
        self.out.push(Deed::Start {
            worker,
            game,
            rules: rules.to_owned(),
        });
        self.pass_on(worker, said, now);
        worker
    }

    /// Each worker takes a table's memory: only a few are kept for later.
    fn end_resting(&mut self) {
        let resting = self
            .workers
            .iter()
            .filter(|(_, known)| known.offline.is_idle());
        let resting: Vec<u32> = resting.map(|(worker, _)| *worker).collect();
        let many = resting.len().saturating_sub(MOST_RESTING - 1);
        for worker in resting.into_iter().take(many) {
            self.workers.remove(&worker);
            self.out.push(Deed::End { worker });
        }
    }

    fn stop(&mut self, search: SearchId, now: f64) {
        let worker = self
            .workers
            .iter_mut()
            .find(|(_, k)| k.searches.contains(&search));
        if let Some((&worker, known)) = worker {
            let said = known.offline.stop(search, now);
            self.pass_on(worker, said, now);
        }
    }

    fn pass_on(&mut self, worker: u32, said: EngineOutput, now: f64) {
        for line in said.lines {
            self.out.push(Deed::Tell { worker, line });
        }
        if said.lost && self.workers.remove(&worker).is_some() {
            self.out.push(Deed::End { worker });
        }
        for (search, news) in said.news {
            let over = matches!(
                news,
                crate::effect::SearchNews::Done { .. } | crate::effect::SearchNews::Failed { .. }
            );
            if over && let Some(known) = self.workers.get_mut(&worker) {
                known.searches.retain(|&other| other != search);
            }
            let effects = self.desk.heard(search, news, now);
            self.carry_out(effects, now);
        }
    }
}
