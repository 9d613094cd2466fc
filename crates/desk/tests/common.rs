//! A desk with pages and engines that are told what to say.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use quadrille_desk::effect::{Crew, Effect, PageId, SearchId, SearchNews, SearchOrder};
use quadrille_desk::wire::{
    Answer, Ask, BoardView, EngineState, EngineView, FromPage, News, Refusal, Room, StudyStart,
    StudyView, TableAction, TableStatus, TableView, ToPage, Topic,
};
use quadrille_desk::{Desk, Rights, Setup};
use quadrille_games::Game;

pub(crate) const ENGINE: u32 = 1;

/// A desk, what it sent, kept and ordered.
pub(crate) struct World {
    pub(crate) desk: Desk,
    pub(crate) now: f64,
    pub(crate) page: PageId,
    pub(crate) kept: BTreeMap<String, String>,
    pub(crate) orders: Vec<SearchOrder>,
    pub(crate) stopped: Vec<SearchId>,
    pub(crate) finished: Vec<String>,
    pub(crate) sent: Vec<(PageId, ToPage)>,
    pub(crate) wake: f64,
}

pub(crate) fn setup(run: &str, now: f64) -> Setup {
    Setup {
        program: "Quadrille 0".into(),
        run: run.into(),
        rooms: vec![Room::Play, Room::Analyse],
        data: Some("/data".into()),
        secret: || Some(secret()),
        now,
        alone: true,
    }
}

/// Another word each time.
fn secret() -> String {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    format!("word{}", GIVEN.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn engine(id: u32) -> EngineView {
    EngineView {
        id,
        name: format!("Engine {id}"),
        identity: None,
        author: None,
        builtin: true,
        games: Game::ALL.to_vec(),
        command: String::new(),
        args: Vec::new(),
        folder: None,
        init: Vec::new(),
        state: EngineState::Off,
        options: Vec::new(),
        findings: Vec::new(),
        about: None,
    }
}

pub(crate) fn start(game: Game) -> StudyStart {
    StudyStart {
        game,
        rules: String::new(),
        position: String::new(),
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(BTreeMap::new(), 1_000_000.0)
    }

    /// A desk with what another one kept.
    pub(crate) fn with(kept: BTreeMap<String, String>, now: f64) -> Self {
        let pairs: Vec<_> = kept.clone().into_iter().collect();
        let mut world = Self {
            desk: Desk::new(setup("run", now), pairs),
            now,
            page: 0,
            kept,
            orders: Vec::new(),
            stopped: Vec::new(),
            finished: Vec::new(),
            sent: Vec::new(),
            wake: f64::INFINITY,
        };
        let crew = Crew {
            engines: vec![engine(ENGINE), engine(2)],
        };
        let effects = world.desk.crew(crew, now);
        world.take(effects);
        world.page = world.open(Rights::Owner).expect("owners are let in");
        world
    }

    /// The same after a restart, later.
    pub(crate) fn restarted(self, after: f64) -> Self {
        Self::with(self.kept, self.now + after)
    }

    pub(crate) fn open(&mut self, rights: Rights) -> Option<PageId> {
        let (page, effects) = self.desk.page(rights, self.now)?;
        self.take(effects);
        Some(page)
    }

    pub(crate) fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send { page, message } => self.sent.push((page, message)),
                Effect::Search(order) => self.orders.push(*order),
                Effect::StopSearch { search } => self.stopped.push(search),
                Effect::Keep { key, value } => {
                    match value {
                        Some(value) => self.kept.insert(key, value),
                        None => self.kept.remove(&key),
                    };
                }
                Effect::Finished { record, .. } => self.finished.push(record),
                Effect::Wake { at } => self.wake = at,
                _ => {}
            }
        }
    }

    pub(crate) fn ask_as(&mut self, page: PageId, ask: Ask) -> Result<Answer, Refusal> {
        let before = self.sent.len();
        let effects = self
            .desk
            .handle(page, FromPage::Ask { id: 9, ask }, self.now);
        self.take(effects);
        for (to, message) in &self.sent[before..] {
            match message {
                ToPage::Answer { id: 9, answer } if *to == page => return Ok((**answer).clone()),
                ToPage::Refused { id: 9, refusal } if *to == page => return Err(refusal.clone()),
                _ => {}
            }
        }
        panic!("every question is answered")
    }

    pub(crate) fn ask(&mut self, ask: Ask) -> Result<Answer, Refusal> {
        self.ask_as(self.page, ask)
    }

    pub(crate) fn board(&mut self, ask: Ask) -> BoardView {
        match self.ask(ask).expect("a board") {
            Answer::Board(board) => board,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn number(&mut self, ask: Ask) -> u32 {
        match self.ask(ask).expect("a number") {
            Answer::Study(n) | Answer::Node(n) | Answer::Table(n) => n,
            other => panic!("{other:?}"),
        }
    }

    /// What a page hears when it follows a topic, if anything.
    pub(crate) fn follow_as(
        &mut self,
        page: PageId,
        topic: Topic,
        version: Option<u32>,
    ) -> Option<(u32, News)> {
        let before = self.sent.len();
        let effects = self
            .desk
            .handle(page, FromPage::Follow { topic, version }, self.now);
        self.take(effects);
        self.sent[before..].iter().rev().find_map(|(to, message)| {
            let ToPage::News { version, news, .. } = message else {
                return None;
            };
            (*to == page).then(|| (*version, (**news).clone()))
        })
    }

    pub(crate) fn study(&mut self, id: u32) -> StudyView {
        match self.follow_as(self.page, Topic::Study(id), None) {
            Some((_, News::Study(view))) => view,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn table_as(&mut self, page: PageId, id: u32) -> TableView {
        match self.follow_as(page, Topic::Table(id), None) {
            Some((_, News::Table(view))) => view,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn table(&mut self, id: u32) -> TableView {
        self.table_as(self.page, id)
    }

    /// Clocks and offers of a game.
    pub(crate) fn status(&mut self, id: u32) -> TableStatus {
        match self.follow_as(self.page, Topic::Clock(id), None) {
            Some((_, News::Clock(status))) => status,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn act(&mut self, table: u32, action: TableAction) -> Result<Answer, Refusal> {
        self.ask(Ask::Act { table, action })
    }

    pub(crate) fn heard(&mut self, search: SearchId, news: SearchNews) {
        let effects = self.desk.heard(search, news, self.now);
        self.take(effects);
    }

    /// The engine of the newest order plays this.
    pub(crate) fn engine_plays(&mut self, text: &str, spent: f64) {
        let search = self.orders.last().expect("an order").search;
        self.heard(search, SearchNews::Begun);
        self.now += spent;
        let best = Some(text.to_owned());
        self.heard(
            search,
            SearchNews::Done {
                best,
                spent,
                resigns: false,
            },
        );
    }

    pub(crate) fn wait(&mut self, ms: f64) {
        self.now += ms;
        let effects = self.desk.tick(self.now);
        self.take(effects);
    }
}
