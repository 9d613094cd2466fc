//! The conversation with one engine, without input or output: for engines that are
//! not processes but workers of a page.
//!
//! A [`Caller`] turns a [`SearchOrder`] into lines of the game's dialect, and what the
//! engine says into [`SearchNews`]. It asks for one search at a time: an order that
//! comes while another search runs waits for its `bestmove`.

use quadrille_client::moves::in_our_view;
use quadrille_client::{
    EngineInfo, EngineOption, InfoLine, OptionList, PositionText, UgiLimits, dialect_of,
};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{Command, Dialect, Report, SetOption};

use crate::effect::{SearchId, SearchNews, SearchOrder};
use crate::levels::strength;
use crate::thought::thought;
use crate::wire::Level;

/// Lines are told at most so often, in milliseconds.
const PAUSE: f64 = 125.0;

/// What comes out of a call.
#[derive(Debug, Default, PartialEq)]
pub struct Said {
    /// Lines for the engine, without their ends.
    pub lines: Vec<String>,
    /// News for the desk.
    pub news: Vec<(SearchId, SearchNews)>,
}

/// The conversation with one engine.
#[derive(Debug)]
pub struct Caller {
    game: Game,
    dialect: Dialect,
    /// Whether it has introduced itself.
    ready: bool,
    options: OptionList,
    position: PositionText,
    ugi: UgiLimits,
    new_game: bool,
    current: Option<Search>,
    waiting: Option<Box<SearchOrder>>,
}

#[derive(Debug)]
struct Search {
    id: SearchId,
    line: AnyLine,
    info: EngineInfo,
    began: f64,
    /// When its lines were last told.
    told: f64,
    /// Whether there is something that was not told.
    fresh: bool,
    /// Whether its news are still wanted.
    wanted: bool,
    stopped: bool,
}

impl Caller {
    /// A conversation about a game; the first lines to say are in the answer.
    pub fn new(game: Game) -> (Self, Said) {
        let dialect = dialect_of(game);
        let caller = Self {
            game,
            dialect,
            ready: false,
            options: OptionList::default(),
            position: PositionText::default(),
            ugi: UgiLimits::default(),
            new_game: false,
            current: None,
            waiting: None,
        };
        let mut said = Said::default();
        caller.say(&Command::hello(dialect), &mut said);
        (caller, said)
    }

    /// The options it has declared.
    pub const fn options(&self) -> &OptionList {
        &self.options
    }

    /// Whether nothing is being searched and nothing waits.
    pub fn is_idle(&self) -> bool {
        self.current.is_none() && self.waiting.is_none()
    }

    /// A search to begin as soon as it can be. One that runs is ended.
    pub fn order(&mut self, order: Box<SearchOrder>, now: f64) -> Said {
        let mut said = Said::default();
        if let Some(current) = &mut self.current {
            current.wanted = false;
            self.hush(&mut said);
            self.waiting = Some(order);
        } else if self.ready {
            self.begin(&order, now, &mut said);
        } else {
            self.waiting = Some(order);
        }
        said
    }

    /// A search is to end early; its answer still comes.
    pub fn stop(&mut self, search: SearchId) -> Said {
        let mut said = Said::default();
        if self
            .waiting
            .as_ref()
            .is_some_and(|order| order.search == search)
        {
            self.waiting = None;
        }
        if self
            .current
            .as_ref()
            .is_some_and(|current| current.id == search)
        {
            self.hush(&mut said);
        }
        said
    }

    /// What comes next belongs to another game.
    pub fn new_game(&mut self) {
        self.new_game = true;
    }

    /// The engine says a line.
    pub fn hear(&mut self, line: &str, now: f64) -> Said {
        let mut said = Said::default();
        match Report::parse(line.as_bytes(), self.dialect).message {
            Report::Option(option) => {
                if let Some(option) = EngineOption::read(&option) {
                    self.options.declare(option);
                }
            }
            Report::UciOk | Report::UgiOk if !self.ready => {
                self.ready = true;
                self.set_known("UCI_ShowWDL", "true", &mut said);
                self.begin_waiting(now, &mut said);
            }
            Report::Info(info) => {
                if let Some(search) = self.current.as_mut().filter(|search| search.wanted) {
                    search.fresh |= search.info.record(InfoLine::read(&info, &search.line));
                    search.tell(self.dialect, now, false, &mut said);
                }
            }
            Report::BestMove(best) => {
                if let Some(mut search) = self.current.take() {
                    search.tell(self.dialect, now, true, &mut said);
                    let best = best.best.filter(|text| !text.is_null_move());
                    let best =
                        best.map(|text| in_our_view(&search.line, &text.to_string()).into_owned());
                    if search.wanted {
                        let spent = (now - search.began).max(0.0);
                        let done = SearchNews::Done {
                            best,
                            spent,
                            resigns: false,
                        };
                        said.news.push((search.id, done));
                    }
                }
                self.begin_waiting(now, &mut said);
            }
            _ => {}
        }
        said
    }

    /// Time goes by: lines that were held back are told.
    pub fn tick(&mut self, now: f64) -> Said {
        let mut said = Said::default();
        if let Some(search) = &mut self.current {
            search.tell(self.dialect, now, false, &mut said);
        }
        said
    }

    /// When [`tick`](Self::tick) has something to tell, if it has.
    pub fn wake(&self) -> Option<f64> {
        let search = self.current.as_ref()?;
        (search.fresh && search.wanted).then_some(search.told + PAUSE)
    }

    /// The engine is gone.
    pub fn died(&mut self, words: &str) -> Said {
        let mut said = Said::default();
        let current = self.current.take().filter(|search| search.wanted);
        let current = current.map(|search| search.id);
        let waiting = self.waiting.take().map(|order| order.search);
        for search in current.into_iter().chain(waiting) {
            let words = words.to_owned();
            said.news.push((search, SearchNews::Failed { words }));
        }
        said
    }

    fn say(&self, command: &Command<'_>, said: &mut Said) {
        write(command, self.dialect, said);
    }

    fn hush(&mut self, said: &mut Said) {
        let Some(current) = &mut self.current else {
            return;
        };
        if !std::mem::replace(&mut current.stopped, true) {
            self.say(&Command::Stop, said);
        }
    }

    fn begin_waiting(&mut self, now: f64, said: &mut Said) {
        if let Some(order) = self.waiting.take() {
            self.begin(&order, now, said);
        }
    }

    fn begin(&mut self, order: &SearchOrder, now: f64, said: &mut Said) {
        if order.line.game() != self.game {
            return fail(order, "the engine plays another game", said);
        }
        let line = order.line.clone();
        if std::mem::take(&mut self.new_game) && self.dialect != Dialect::Ugi {
            self.say(&Command::UciNewGame, said);
        }
        self.set_known("MultiPV", &order.lines.max(1).to_string(), said);
        let analyses = order.level == Level::Full && order.lines > 1;
        self.set_known("UCI_AnalyseMode", &analyses.to_string(), said);
        let strength = strength(&self.options, order.level);
        for (name, value) in &strength.options {
            self.set_known(name, value, said);
        }
        let mut limits = order.limits();
        limits.nodes = limits.nodes.into_iter().chain(strength.nodes).min();
        limits.infinite &= limits.nodes.is_none();
        if self.dialect == Dialect::Ugi {
            let settings = self.ugi.settings(&limits, line.side(), &self.options);
            for (name, value) in &settings {
                self.say(
                    &Command::SetOption(SetOption::new(name.as_str(), value.as_str())),
                    said,
                );
            }
        }
        let dialect = self.dialect;
        write(&self.position.command(&line), dialect, said);
        let only = order.only.join(" ");
        self.say(&Command::Go(limits.go(dialect, line.side(), &only)), said);
        said.news.push((order.search, SearchNews::Begun));
        self.current = Some(Search {
            id: order.search,
            info: EngineInfo::default(),
            line,
            began: now,
            told: now,
            fresh: false,
            wanted: true,
            stopped: false,
        });
    }

    /// Sets an option, if the engine has it and it is not set so already.
    fn set_known(&mut self, name: &str, value: &str, said: &mut Said) {
        let Some(known) = self.options.get_mut(name) else {
            return;
        };
        if known.value.as_deref() == Some(value) {
            return;
        }
        known.value = Some(value.to_owned());
        let name = known.name.clone();
        self.say(&Command::SetOption(SetOption::new(&*name, value)), said);
    }
}

impl Search {
    /// Tells the lines, if there are new ones and it is time.
    fn tell(&mut self, dialect: Dialect, now: f64, at_once: bool, said: &mut Said) {
        let due = at_once || now - self.told >= PAUSE;
        if self.fresh && self.wanted && due {
            self.fresh = false;
            self.told = now;
            let thought = Box::new(thought(&self.info, dialect, &self.line));
            said.news.push((self.id, SearchNews::Lines(thought)));
        }
    }
}

fn fail(order: &SearchOrder, words: &str, said: &mut Said) {
    let words = words.to_owned();
    said.news.push((order.search, SearchNews::Failed { words }));
}

fn write(command: &Command<'_>, dialect: Dialect, said: &mut Said) {
    let line = command.line(dialect);
    said.lines.push(String::from_utf8_lossy(&line).into_owned());
}
