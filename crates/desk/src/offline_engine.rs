//! An engine that is not a process but a worker of a page, without input or output.
//!
//! An [`OfflineEngine`] turns [`SearchOrder`]s into a conversation and what the engine
//! says into [`SearchNews`]. It asks for one search at a time: an order that comes while
//! another search runs waits for its `bestmove`.

use std::time::Duration;

use quadrille_client::{
    ClientConfig, ClientEvent, EngineClient, EngineInfo, Limits, OptionList, Reply, Timeouts,
};
use quadrille_games::{AnyLine, Game};

use crate::effect::{SearchId, SearchNews, SearchOrder};
use crate::levels::strength;
use crate::thought::thought;
use crate::wire::Level;

/// Lines are sent to the page at most so often, in milliseconds.
const PAUSE: f64 = 125.0;

/// A page that calls later than that after a deadline may have slept: browsers suspend
/// tabs and computers, and slow the timers of tabs that nobody sees. The engine gets so much
/// more time, once for each deadline.
const SLEPT: Duration = Duration::from_secs(1);
const MORE_TIME: Duration = Duration::from_secs(30);

/// Patience of a page with an engine that it may still have to fetch, on a slow device.
const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_mins(5),
    ping: Duration::from_mins(1),
    new_game: Duration::from_mins(1),
    search: Duration::from_hours(24),
    grace: Duration::from_secs(10),
    stop: Duration::from_secs(30),
    quit: Duration::ZERO,
};

/// What comes out of a call.
#[derive(Debug, Default, PartialEq)]
pub struct EngineOutput {
    /// Lines for the engine, without their ends.
    pub lines: Vec<String>,
    /// News for the desk.
    pub news: Vec<(SearchId, SearchNews)>,
    /// The engine is of no use any more.
    pub lost: bool,
}

/// An engine and the searches it is asked for.
#[derive(Debug)]
pub struct OfflineEngine {
    client: EngineClient,
    /// A deadline that has been put off because the page had slept.
    extended: Option<Duration>,
    new_game: bool,
    current: Option<Search>,
    waiting: Option<Box<SearchOrder>>,
}

#[derive(Debug)]
struct Search {
    id: SearchId,
    line: AnyLine,
    limits: Limits,
    stage: Stage,
    info: EngineInfo,
    /// When it was ordered, and then when `go` was sent.
    began: f64,
    /// When its lines were last sent to the page.
    reported: f64,
    /// Whether there is something that was not sent.
    fresh: bool,
    /// Whether its news are still wanted.
    wanted: bool,
    stopped: bool,
}

/// What a search waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// For the answer to `ucinewgame`; the position is sent then.
    NewGame,
    /// For the answer to the position; `go` is sent then.
    Position,
    /// For `bestmove`.
    Running,
}

impl OfflineEngine {
    /// A conversation about a game; the first lines to send are in the answer.
    pub fn new(game: Game, now: f64) -> (Self, EngineOutput) {
        let config = ClientConfig {
            timeouts: TIMEOUTS,
            ..ClientConfig::default()
        };
        let mut engine = Self {
            client: EngineClient::new(game, config, time(now)),
            extended: None,
            new_game: false,
            current: None,
            waiting: None,
        };
        let output = engine.output(EngineOutput::default());
        (engine, output)
    }

    /// The options it has declared.
    pub const fn options(&self) -> &OptionList {
        self.client.options()
    }

    /// Whether nothing is being searched and nothing waits.
    pub const fn is_idle(&self) -> bool {
        self.current.is_none() && self.waiting.is_none()
    }

    /// Orders a search, to begin as soon as it can. One that runs is ended.
    pub fn order(&mut self, order: Box<SearchOrder>, now: f64) -> EngineOutput {
        let mut output = EngineOutput::default();
        self.waiting = Some(order);
        if let Some(current) = &mut self.current {
            current.wanted = false;
            self.stop_current(now);
        } else {
            self.begin_waiting(now, &mut output);
        }
        self.output(output)
    }

    /// Ends a search early; its answer still comes.
    pub fn stop(&mut self, search: SearchId, now: f64) -> EngineOutput {
        self.waiting.take_if(|order| order.search == search);
        if self.current.as_ref().is_some_and(|own| own.id == search) {
            self.stop_current(now);
        }
        self.output(EngineOutput::default())
    }

    /// Notes that what comes next belongs to another game.
    pub const fn new_game(&mut self) {
        self.new_game = true;
    }

    /// Takes in a line of the engine.
    pub fn on_line(&mut self, line: &str, now: f64) -> EngineOutput {
        let event = self.client.on_line(line.as_bytes(), time(now));
        let mut output = EngineOutput::default();
        self.handle(event, now, &mut output);
        self.output(output)
    }

    /// Notes the time: lines that were held back are sent, and an engine that does not
    /// answer is given up.
    pub fn on_time(&mut self, now: f64) -> EngineOutput {
        let mut output = EngineOutput::default();
        if let Some(search) = &mut self.current {
            search.report(&self.client, now, false, &mut output);
        }
        let late = self.client.deadline();
        let late = late.map_or(Duration::ZERO, |deadline| {
            time(now).saturating_sub(deadline)
        });
        if late > SLEPT && self.client.deadline() != self.extended {
            self.client.postpone(late + MORE_TIME);
            self.extended = self.client.deadline();
        }
        let event = self.client.on_time(time(now));
        self.handle(event, now, &mut output);
        self.output(output)
    }

    /// When [`on_time`](Self::on_time) has something to do, if it has.
    pub fn wake(&self) -> Option<f64> {
        let report = self.current.as_ref().and_then(|search| {
            let due = search.fresh && search.wanted;
            due.then_some(search.reported + PAUSE)
        });
        let deadline = self.client.deadline();
        let deadline = deadline.map(|deadline| deadline.as_secs_f64() * 1000.0);
        report.into_iter().chain(deadline).reduce(f64::min)
    }

    /// Notes that the engine is gone.
    pub fn on_end(&mut self, words: &str) -> EngineOutput {
        let mut output = EngineOutput::default();
        self.client.on_end();
        self.fail(words, &mut output);
        output
    }

    fn output(&mut self, mut output: EngineOutput) -> EngineOutput {
        let lines = self.client.take_output();
        let lines = lines
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        let lines = lines.map(|line| String::from_utf8_lossy(line).into_owned());
        output.lines.extend(lines);
        output
    }

    fn fail(&mut self, words: &str, output: &mut EngineOutput) {
        let current = self.current.take().filter(|search| search.wanted);
        let current = current.map(|search| search.id);
        let waiting = self.waiting.take().map(|order| order.search);
        for search in current.into_iter().chain(waiting) {
            let words = words.to_owned();
            output.news.push((search, SearchNews::Failed { words }));
        }
        output.lost = true;
    }

    fn handle(&mut self, event: Option<ClientEvent>, now: f64, output: &mut EngineOutput) {
        match event {
            Some(ClientEvent::Started) => {
                self.set("UCI_ShowWDL", "true");
                self.begin_waiting(now, output);
            }
            Some(ClientEvent::StartFailed(error)) => self.fail(&error.to_string(), output),
            Some(ClientEvent::Stalled { question, .. }) => {
                let words = format!("the engine did not answer {question}");
                self.fail(&words, output);
            }
            Some(ClientEvent::Ready) => self.advance(now),
            Some(ClientEvent::Info(info)) => {
                if let Some(search) = self.current.as_mut().filter(|search| search.wanted) {
                    search.fresh |= search.info.record(*info);
                    search.report(&self.client, now, false, output);
                }
            }
            Some(ClientEvent::Answered(answered)) => {
                if let Some(mut search) = self.current.take() {
                    search.report(&self.client, now, true, output);
                    if search.wanted {
                        let spent = (now - search.began).max(0.0);
                        let news = news(&answered.reply, spent);
                        output.news.push((search.id, news));
                    }
                }
                self.begin_waiting(now, output);
            }
            Some(ClientEvent::Text(_) | ClientEvent::Settled) | None => {}
        }
    }

    /// The engine has read what a search needs: the next of it.
    fn advance(&mut self, now: f64) {
        let Some(search) = &mut self.current else {
            return;
        };
        match search.stage {
            Stage::NewGame => {
                search.stage = Stage::Position;
                self.client.prepare(&search.line, &search.limits, time(now));
            }
            Stage::Position => {
                search.stage = Stage::Running;
                (search.began, search.reported) = (now, now);
                let limits = search.limits.clone();
                self.client
                    .go(&search.line, limits, Duration::ZERO, time(now));
                if search.stopped {
                    self.client.stop(time(now));
                }
            }
            Stage::Running => {}
        }
    }

    fn stop_current(&mut self, now: f64) {
        if let Some(search) = &mut self.current {
            search.stopped = true;
            self.client.stop(time(now));
        }
    }

    fn begin_waiting(&mut self, now: f64, output: &mut EngineOutput) {
        if self.client.is_idle()
            && let Some(order) = self.waiting.take()
        {
            self.begin(&order, now, output);
        }
    }

    fn begin(&mut self, order: &SearchOrder, now: f64, output: &mut EngineOutput) {
        if order.line.game() != self.client.game() {
            let words = "the engine plays another game".to_owned();
            output
                .news
                .push((order.search, SearchNews::Failed { words }));
            return;
        }
        self.set("MultiPV", &order.lines.max(1).to_string());
        let analyses = order.level == Level::Full && order.lines > 1;
        self.set("UCI_AnalyseMode", &analyses.to_string());
        let strength = strength(self.client.options(), order.level);
        for (name, value) in &strength.options {
            self.set(name, value);
        }
        let mut limits = order.limits();
        limits.nodes = limits.nodes.into_iter().chain(strength.nodes).min();
        limits.infinite &= limits.nodes.is_none();
        output.news.push((order.search, SearchNews::Begun));
        let new_game = std::mem::take(&mut self.new_game);
        if new_game {
            self.client.new_game(time(now));
        } else {
            self.client.prepare(&order.line, &limits, time(now));
        }
        self.current = Some(Search {
            id: order.search,
            line: order.line.clone(),
            limits,
            stage: if new_game {
                Stage::NewGame
            } else {
                Stage::Position
            },
            info: EngineInfo::default(),
            began: now,
            reported: now,
            fresh: false,
            wanted: true,
            stopped: false,
        });
    }

    /// Sets an option, if the engine has it and it is not set so already.
    fn set(&mut self, name: &str, value: &str) {
        let option = self.client.options().get(name);
        if option.is_none_or(|option| option.value.as_deref() == Some(value)) {
            return;
        }
        // An engine that does not take the value goes on without it.
        self.client.manage(name, value);
    }
}

impl Search {
    /// Sends the lines to the page, if there are new ones and it is time.
    fn report(
        &mut self,
        client: &EngineClient,
        now: f64,
        at_once: bool,
        output: &mut EngineOutput,
    ) {
        let due = at_once || now - self.reported >= PAUSE;
        if self.fresh && self.wanted && due {
            self.fresh = false;
            self.reported = now;
            let thought = Box::new(thought(&self.info, client.dialect(), &self.line));
            output.news.push((self.id, SearchNews::Lines(thought)));
        }
    }
}

/// The end of a search, as the desk is told.
fn news(reply: &Reply, spent: f64) -> SearchNews {
    let best = match reply {
        Reply::Move(best) => Some(best.text.clone()),
        Reply::NoMove => None,
        // A late answer is an answer; what it costs is the clock's matter.
        Reply::TimedOut(late) => return news(late, spent),
        Reply::Illegal(error) => {
            let words = format!("the engine's {error}");
            return SearchNews::Failed { words };
        }
    };
    SearchNews::Done {
        best,
        spent,
        resigns: false,
    }
}

/// The page's time, in milliseconds, as the client counts it.
fn time(now: f64) -> Duration {
    Duration::from_secs_f64((now / 1000.0).clamp(0.0, 1e12))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::{Purpose, Thinking};
    use crate::wire::SearchLimits;

    fn order(search: SearchId) -> Box<SearchOrder> {
        Box::new(SearchOrder {
            search,
            engine: 1,
            purpose: Purpose::Hint(1),
            line: AnyLine::start(Game::Chess),
            time: Thinking::Limits(SearchLimits {
                movetime: Some(1_000.0),
                ..SearchLimits::default()
            }),
            lines: 1,
            only: Vec::new(),
            level: Level::Full,
        })
    }

    /// An engine that is ready, at this time.
    fn ready(now: f64) -> OfflineEngine {
        let (mut engine, output) = OfflineEngine::new(Game::Chess, now);
        assert_eq!(output.lines, ["uci"]);
        assert_eq!(engine.on_line("uciok", now).lines, ["isready"]);
        assert!(engine.on_line("readyok", now).lines.is_empty());
        engine
    }

    #[test]
    fn an_order_waits_for_the_answer_to_the_search_before() {
        let mut engine = ready(0.0);
        assert_eq!(
            engine.order(order(1), 0.0).lines,
            ["position startpos", "isready"]
        );
        assert_eq!(engine.on_line("readyok", 0.0).lines, ["go movetime 1000"]);
        assert_eq!(engine.order(order(2), 1.0).lines, ["stop"]);
        assert!(
            engine.order(order(3), 2.0).lines.is_empty(),
            "it is told once"
        );
        let output = engine.on_line("bestmove e2e4", 3.0);
        assert_eq!(output.lines, ["position startpos", "isready"]);
        // Nobody wants the first answer any more, and the second search never began.
        assert_eq!(output.news, [(3, SearchNews::Begun)]);
        // It is stopped before it was sent.
        assert!(engine.stop(3, 4.0).lines.is_empty());
        assert_eq!(
            engine.on_line("readyok", 5.0).lines,
            ["go movetime 1000", "stop"]
        );
        let done = SearchNews::Done {
            best: Some("d2d4".into()),
            spent: 2.0,
            resigns: false,
        };
        assert_eq!(engine.on_line("bestmove d2d4", 7.0).news, [(3, done)]);
        assert!(engine.is_idle());
    }

    #[test]
    fn an_engine_that_does_not_answer_is_given_up() {
        let mut engine = ready(0.0);
        engine.order(order(1), 0.0);
        engine.on_line("readyok", 0.0);
        let late = engine.wake().expect("a deadline");
        assert_eq!(engine.on_time(late).lines, ["stop"]);
        let output = engine.on_time(engine.wake().expect("a deadline"));
        let words = "the engine did not answer stop".to_owned();
        assert_eq!(output.news, [(1, SearchNews::Failed { words })]);
        assert!(output.lost);
    }

    /// A line that may not be the answer does not become it because the page has slept: what
    /// the engine said meanwhile is still to be read.
    #[test]
    fn a_doubtful_answer_is_not_taken_at_once_after_a_sleep() {
        let mut engine = ready(0.0);
        engine.order(order(1), 0.0);
        engine.on_line("readyok", 0.0);
        engine.on_line("I think that bestmove d2d4 it is", 1.0);
        let night = 8.0 * 3_600_000.0;
        assert_eq!(engine.on_time(night), EngineOutput::default());
        let news = engine.on_line("bestmove e2e4", night + 10.0).news;
        let best = match news.first() {
            Some((1, SearchNews::Done { best, .. })) => best.as_deref(),
            other => panic!("no end of the search: {other:?}"),
        };
        assert_eq!(best, Some("e2e4"));
    }

    /// One that is late and cannot be played is reported as one that came in time.
    #[test]
    fn late_answers_are_read_as_those_in_time() {
        let news_of = |said: &str, is_late: bool| {
            let mut engine = ready(0.0);
            engine.order(order(1), 0.0);
            engine.on_line("readyok", 0.0);
            if is_late {
                let late = engine.wake().expect("a deadline");
                assert_eq!(engine.on_time(late).lines, ["stop"]);
            }
            match engine.on_line(said, 1.0).news.pop() {
                Some((1, news)) => news,
                other => panic!("no end of the search: {other:?}"),
            }
        };
        for said in [
            "bestmove e2e5",
            "bestmove 0000",
            "bestmove",
            "bestmove e2e4",
        ] {
            assert_eq!(news_of(said, true), news_of(said, false), "{said}");
        }
        let illegal = news_of("bestmove e2e5", true);
        let SearchNews::Failed { words } = illegal else {
            panic!("{illegal:?}");
        };
        assert!(words.contains("e2e5"), "{words}");
    }

    /// After a night in which the computer slept the engine is as late as the page.
    #[test]
    fn time_that_the_page_slept_is_not_the_engines() {
        let mut engine = ready(0.0);
        engine.order(order(1), 0.0);
        engine.on_line("readyok", 0.0);
        let night = 8.0 * 3_600_000.0;
        assert_eq!(engine.on_time(night), EngineOutput::default());
        let mut slow = ready(0.0);
        slow.order(order(1), 0.0);
        slow.on_line("readyok", 0.0);
        let output = engine.on_line("bestmove e2e4", night + 10.0);
        assert!(matches!(output.news[..], [(1, SearchNews::Done { .. })]));
        // Timers of a tab that nobody sees go off once a minute: that is not sleep.
        let mut sent = Vec::new();
        let mut minutes = 0.0;
        while !slow.is_idle() && minutes < 10.0 {
            minutes += 1.0;
            sent.extend(slow.on_time(minutes * 60_000.0).lines);
        }
        assert_eq!((sent, slow.is_idle()), (vec!["stop".to_owned()], true));
    }
}
