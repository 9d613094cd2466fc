//! The desk itself: pages, topics, questions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::Analysis;
use crate::boards;
use crate::effect::{Crew, Effect, PageId, Purpose, SearchId, SearchNews};
use crate::library::Library;
use crate::refuse::Answered;
use crate::study::Study;
use crate::table::Table;
use crate::wire::{
    Answer, FromPage, News, Refusal, RefusalCode, Room, StudyId, TableId, ToPage, Topic,
};

/// Settings that are remembered, and how long each may be.
const MOST_SETTINGS: usize = 500;
const LONGEST_SETTING: usize = 64 << 10;

/// What a desk is told when it is made.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Name and version of the program, for [`ToPage::Hello`].
    pub program: String,
    /// A word that differs from one start to the next.
    pub run: String,
    /// What pages are offered.
    pub rooms: Vec<Room>,
    /// Where the data is, for owners.
    pub data: Option<String>,
    /// Gives a new word that cannot be guessed, from the system's random numbers: it
    /// opens a seat to a guest. `None` where no guest can come.
    pub secret: fn() -> Option<String>,
    /// Milliseconds since 1970.
    pub now: f64,
    /// Whether there is no server around: the desk has a small library of its own
    /// and refuses what needs a machine.
    pub alone: bool,
}

/// What a page may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rights {
    /// Everything.
    Owner,
    /// Sit at the tables where this token is that of a guest's seat.
    Guest {
        /// The token of the link.
        token: String,
    },
    /// Play at a game server, and look at boards of a reasonable size.
    Visitor,
}

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) rights: Rights,
    pub(crate) follows: BTreeSet<Topic>,
    pub(crate) analysis: Analysis,
}

/// What a page about the four games shows and does.
///
/// Whatever is around it calls these functions and carries out the [`Effect`]s they
/// give, in their order. Time is milliseconds since 1970 and never goes back (if it
/// does, it is taken to stand still).
///
/// ```
/// use quadrille_desk::effect::Effect;
/// use quadrille_desk::wire::{Answer, Room, ToPage};
/// use quadrille_desk::{Desk, Rights, Setup};
///
/// let setup = Setup {
///     program: "Quadrille".into(),
///     run: "1".into(),
///     rooms: vec![Room::Analyse],
///     data: None,
///     secret: || None,
///     now: 0.0,
///     alone: true,
/// };
/// let mut desk = Desk::new(setup, std::iter::empty());
/// let (page, hello) = desk.page(Rights::Owner, 1.0).ok_or("owners are let in")?;
/// assert!(matches!(&hello[0], Effect::Send { message: ToPage::Hello { .. }, .. }));
/// let ask = r#"{"say":"ask","id":7,"ask":{"ask":"position","start":{"game":"chess"}}}"#;
/// let effects = desk.handle_text(page, ask, 2.0);
/// let Effect::Send { message: ToPage::Answer { id: 7, answer }, .. } = &effects[0] else {
///     panic!("an answer");
/// };
/// let Answer::Board(board) = &**answer else { panic!("a board") };
/// assert_eq!(board.move_count, 20);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct Desk {
    pub(crate) setup: Setup,
    pub(crate) now: f64,
    pub(crate) out: Vec<Effect>,
    pub(crate) pages: BTreeMap<PageId, Page>,
    next_page: PageId,
    /// One count for the versions of all topics: no two states have the same.
    pub(crate) version: u32,
    pub(crate) versions: HashMap<Topic, u32>,
    /// What changed since the last flush.
    pub(crate) dirty: BTreeSet<Topic>,
    /// What is to be kept since then.
    keep: BTreeSet<Kept>,
    pub(crate) crew: Crew,
    pub(crate) studies: BTreeMap<StudyId, Study>,
    /// Deleted studies that can be brought back, the newest last.
    pub(crate) deleted: Vec<Study>,
    pub(crate) tables: BTreeMap<TableId, Table>,
    pub(crate) next: Numbers,
    pub(crate) searches: HashMap<SearchId, Purpose>,
    next_search: SearchId,
    pub(crate) library: Library,
    pub(crate) settings: BTreeMap<String, String>,
    /// The last time that was asked to be woken at.
    woken_at: f64,
}

/// Something of which a text is kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kept {
    Study(StudyId),
    Table(TableId),
    Game(u32),
    Numbers,
}

/// The next numbers to give. They are kept, so that a number of something deleted is
/// not given again after a restart.
#[derive(Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Numbers {
    pub(crate) study: u32,
    pub(crate) table: u32,
    pub(crate) game: u32,
}

impl Desk {
    /// A desk with everything that was kept ([`Effect::Keep`]), in any order. What
    /// cannot be read is left out; games that were being played rest until a page
    /// looks at them.
    pub fn new(setup: Setup, kept: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut desk = Self {
            now: if setup.now.is_finite() {
                setup.now
            } else {
                0.0
            },
            out: Vec::new(),
            pages: BTreeMap::new(),
            next_page: 1,
            version: 0,
            versions: HashMap::new(),
            dirty: BTreeSet::new(),
            keep: BTreeSet::new(),
            crew: Crew::default(),
            studies: BTreeMap::new(),
            deleted: Vec::new(),
            tables: BTreeMap::new(),
            next: Numbers::default(),
            searches: HashMap::new(),
            next_search: 1,
            library: Library::default(),
            settings: BTreeMap::new(),
            woken_at: f64::INFINITY,
            setup,
        };
        for (key, value) in kept {
            desk.restore(&key, value);
        }
        desk
    }

    fn restore(&mut self, key: &str, value: String) {
        let Some((kind, name)) = key.split_once('/') else {
            if key == "numbers"
                && let Ok(numbers) = serde_json::from_str::<Numbers>(&value)
            {
                self.next.study = self.next.study.max(numbers.study);
                self.next.table = self.next.table.max(numbers.table);
                self.next.game = self.next.game.max(numbers.game);
            }
            return;
        };
        if kind == "setting" {
            self.settings.insert(name.to_owned(), value);
            return;
        }
        let Ok(id) = name.parse::<u32>() else { return };
        match kind {
            "study" => {
                if let Some(study) = Study::restored(id, &value) {
                    self.next.study = self.next.study.max(id);
                    self.studies.insert(id, study);
                }
            }
            "table" => {
                if let Some(table) = Table::restored(id, &value) {
                    self.next.table = self.next.table.max(id);
                    self.tables.insert(id, table);
                }
            }
            "game" => {
                self.next.game = self.next.game.max(id);
                self.library.restore(id, &value);
            }
            _ => {}
        }
    }

    /// The engines there are, whenever that changes.
    pub fn crew(&mut self, crew: Crew, now: f64) -> Vec<Effect> {
        self.set_time(now);
        if crew != self.crew {
            self.crew = crew;
            if !self.is_outside(&Topic::Engines) {
                self.changed(Topic::Engines);
            }
            self.crew_changed();
        }
        self.flush()
    }

    /// A page is there and hears [`ToPage::Hello`]. `None` for a guest whose token is
    /// that of no seat.
    pub fn page(&mut self, rights: Rights, now: f64) -> Option<(PageId, Vec<Effect>)> {
        self.set_time(now);
        let owner = rights == Rights::Owner;
        if let Rights::Guest { token } = &rights
            && self.guest_table(token).is_none()
        {
            return None;
        }
        let id = self.next_page;
        self.next_page = self.next_page.wrapping_add(1).max(1);
        let rooms = match rights {
            Rights::Owner => self.setup.rooms.clone(),
            Rights::Guest { .. } => vec![Room::Play],
            Rights::Visitor => vec![Room::Online, Room::Learn, Room::Settings],
        };
        let message = ToPage::Hello {
            program: self.setup.program.clone(),
            run: self.setup.run.clone(),
            rooms,
            games: boards::games(),
            data: self.setup.data.clone().filter(|_| owner),
        };
        let page = Page {
            rights,
            follows: BTreeSet::new(),
            analysis: Analysis::default(),
        };
        self.pages.insert(id, page);
        self.send(id, message);
        if !owner {
            self.guests_changed(id);
        }
        Some((id, self.flush()))
    }

    /// A page is gone: what it let engines do for it ends.
    pub fn left(&mut self, page: PageId, now: f64) -> Vec<Effect> {
        self.set_time(now);
        self.stop_analysis(page);
        if self.pages.contains_key(&page) {
            self.guests_changed(page);
        }
        self.pages.remove(&page);
        self.flush()
    }

    /// A page says something.
    pub fn handle(&mut self, page: PageId, message: FromPage, now: f64) -> Vec<Effect> {
        self.set_time(now);
        if !self.pages.contains_key(&page) {
            return Vec::new();
        }
        if let Err(refusal) = self.may(page, &message) {
            self.refuse(page, message, refusal);
            return self.flush();
        }
        match message {
            FromPage::Ask { id, ask } => self.asked(page, id, ask),
            FromPage::Follow { topic, version } => self.follow(page, topic, version),
            FromPage::Leave { topic } => self.leave(page, &topic),
            FromPage::Join { .. } | FromPage::Tell { .. } if self.setup.alone => {
                let words = "there is no game server without a server".into();
                self.send(page, ToPage::Parted { words });
            }
            FromPage::Join { address } => self.out.push(Effect::Join { page, address }),
            FromPage::Tell { line } => self.out.push(Effect::TellServer { page, line }),
            FromPage::Part => self.out.push(Effect::Part { page }),
        }
        self.flush()
    }

    /// A page may not say that.
    fn refuse(&mut self, page: PageId, message: FromPage, refusal: Refusal) {
        match message {
            FromPage::Ask { id, .. } => self.send(page, ToPage::Refused { id, refusal }),
            // What is refused has no version: guests may ask for any number.
            FromPage::Follow { topic, .. } if refusal.code == RefusalCode::Gone => {
                self.send_news(page, topic, 1, News::Gone);
            }
            _ => {}
        }
    }

    /// The same from JSON text. What cannot be read is refused, with the number of the
    /// question where there is one.
    pub fn handle_text(&mut self, page: PageId, text: &str, now: f64) -> Vec<Effect> {
        match serde_json::from_str::<FromPage>(text) {
            Ok(message) => self.handle(page, message, now),
            Err(error) => {
                self.set_time(now);
                let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
                let id = value.get("id").and_then(serde_json::Value::as_u64);
                if let Some(id) = id.and_then(|id| u32::try_from(id).ok())
                    && self.pages.contains_key(&page)
                {
                    let words = format!("the message cannot be read: {error}");
                    let refusal = Refusal::new(RefusalCode::Message, words);
                    self.send(page, ToPage::Refused { id, refusal });
                }
                self.flush()
            }
        }
    }

    /// News of a search that this desk ordered. Of one that it no longer cares about
    /// nothing is told on.
    pub fn heard(&mut self, search: SearchId, news: SearchNews, now: f64) -> Vec<Effect> {
        self.set_time(now);
        let purpose = self.searches.get(&search).copied();
        if matches!(news, SearchNews::Done { .. } | SearchNews::Failed { .. }) {
            self.searches.remove(&search);
        }
        match purpose {
            Some(Purpose::Analysis(page)) => self.analysis_heard(page, search, news),
            Some(Purpose::Game(table, _)) => self.game_heard(table, search, news),
            Some(Purpose::Hint(table)) => self.hint_heard(table, search, news),
            None => {}
        }
        self.flush()
    }

    /// Time goes by: flags fall. To be called at the time of the last [`Effect::Wake`],
    /// and whenever it suits.
    pub fn tick(&mut self, now: f64) -> Vec<Effect> {
        self.set_time(now);
        self.look_at_clocks();
        self.woken_at = f64::INFINITY;
        self.flush()
    }

    pub(crate) fn set_time(&mut self, now: f64) {
        if now.is_finite() && now > self.now {
            self.now = now;
        }
    }

    // What is inside.

    pub(crate) fn send(&mut self, page: PageId, message: ToPage) {
        self.out.push(Effect::Send { page, message });
    }

    pub(crate) fn is_owner(&self, page: PageId) -> bool {
        let page = self.pages.get(&page);
        page.is_some_and(|page| page.rights == Rights::Owner)
    }

    /// The token of a guest's page.
    pub(crate) fn token(&self, page: PageId) -> Option<&str> {
        match &self.pages.get(&page)?.rights {
            Rights::Owner | Rights::Visitor => None,
            Rights::Guest { token } => Some(token),
        }
    }

    /// A number for a new search.
    pub(crate) fn begin_search(&mut self, purpose: Purpose) -> SearchId {
        let search = self.next_search;
        self.next_search = self.next_search.saturating_add(1);
        self.searches.insert(search, purpose);
        search
    }

    /// Ends a search, if it still runs; what it says from now on is not wanted.
    pub(crate) fn end_search(&mut self, search: SearchId) {
        if self.searches.remove(&search).is_some() {
            self.out.push(Effect::StopSearch { search });
        }
    }

    pub(crate) fn note_down(&mut self, what: Kept) {
        self.keep.insert(what);
    }

    /// Tells what changed, and keeps it.
    pub(crate) fn flush(&mut self) -> Vec<Effect> {
        for what in std::mem::take(&mut self.keep) {
            self.write_down(&what);
        }
        self.tell_changes();
        let wake = self.next_flag();
        if wake < self.woken_at {
            self.woken_at = wake;
            self.out.push(Effect::Wake { at: wake });
        }
        std::mem::take(&mut self.out)
    }

    fn write_down(&mut self, what: &Kept) {
        let (key, value) = match what {
            Kept::Study(id) => (format!("study/{id}"), self.studies.get(id).map(Study::kept)),
            Kept::Table(id) => (format!("table/{id}"), self.tables.get(id).map(Table::kept)),
            Kept::Game(id) => (format!("game/{id}"), self.library.kept(*id)),
            Kept::Numbers => ("numbers".to_owned(), serde_json::to_string(&self.next).ok()),
        };
        self.out.push(Effect::Keep { key, value });
    }

    pub(crate) fn remember(&mut self, name: String, value: String) -> Answered {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 100 || !name.chars().all(plain) {
            return Err(Refusal::value(
                "the name of a setting has up to 100 letters, digits, dots and dashes",
            ));
        }
        let full = self.settings.len() >= MOST_SETTINGS && !self.settings.contains_key(&name);
        if value.len() > LONGEST_SETTING || full {
            return Err(Refusal::too_much("more settings than can be remembered"));
        }
        if self.settings.get(&name) != Some(&value) {
            self.out.push(Effect::Keep {
                key: format!("setting/{name}"),
                value: Some(value.clone()),
            });
            self.settings.insert(name, value);
            self.changed(Topic::Settings);
        }
        Ok(Answer::Done)
    }
}
