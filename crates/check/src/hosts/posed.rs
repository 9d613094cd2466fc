//! An engine that listens.

use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game, Side};
use quadrille_net::sanitize::one_line;
use quadrille_protocol::{Code, Command, Dialect, EngineSide, Phase, Report as Said, Severity};

use super::super::record::Record;
use super::super::report::{Examined, REPORT_VERSION, Report, Role, Spoken, Voice};
use super::super::select::Selection;
use super::super::table;
use super::words::{id_of_form, id_of_moment};
use quadrille_client::moves::is_finished;
use quadrille_driver::{EngineOption, dialect_of};

/// How long answers are held back, so that a host that does not wait is seen.
const HELLO: Duration = Duration::from_millis(60);
const READY: Duration = Duration::from_millis(30);
const MOVE: Duration = Duration::from_millis(5);

/// An endless search has something to say this often.
const REGULARLY: Duration = Duration::from_millis(250);

/// A stop that crosses a bestmove on its way is no fault.
const CROSSING: Duration = Duration::from_millis(500);

/// Lines that are kept to show what was said.
const KEPT: usize = 24;

/// A line to send, and how long to wait before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The wait.
    pub after: Duration,
    /// The line.
    pub line: String,
}

/// An engine that plays random moves at once and judges its host.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct PosedEngine {
    game: Game,
    pub(super) dialect: Dialect,
    selection: Selection,
    /// It asks for registration, too.
    registers: bool,
    pub(super) talk: EngineSide,
    pub(super) record: Record,
    pub(super) line: AnyLine,
    /// The position that was sent last cannot be read: moves are not judged.
    pub(super) is_lost: bool,
    pub(super) options: Vec<EngineOption>,
    pub(super) chess960: bool,
    pub(super) ponder: bool,
    random: SplitMix64,
    log: Vec<Spoken>,
    started: Instant,
    first: bool,
    answered: Option<Instant>,
    quit: bool,
    pub(super) endless: bool,
    pub(super) pending: Option<String>,
    /// Lines that the search under way has sent.
    told: u64,
}

impl PosedEngine {
    /// An engine of a game. With `registers` it also asks to be registered, which
    /// few hosts have seen.
    pub fn new(game: Game, selection: Selection, registers: bool) -> Self {
        let dialect = dialect_of(game);
        Self {
            game,
            dialect,
            selection,
            registers,
            talk: EngineSide::new(dialect),
            record: Record::new(dialect),
            line: AnyLine::start(game),
            is_lost: false,
            options: Vec::new(),
            chess960: false,
            ponder: false,
            random: SplitMix64::new(7),
            log: Vec::new(),
            started: Instant::now(),
            first: true,
            answered: None,
            quit: false,
            endless: false,
            pending: None,
            told: 0,
        }
    }

    /// Whether the host has said `quit`.
    pub(crate) const fn has_quit(&self) -> bool {
        self.quit
    }

    fn keep(&mut self, by: Voice, line: &[u8], at: Instant) {
        if self.log.len() == KEPT {
            self.log.remove(0);
        }
        let text = String::from_utf8_lossy(&line[..line.len().min(400)]);
        let since = at.saturating_duration_since(self.started);
        self.log.push(Spoken {
            micros: u64::try_from(since.as_micros()).unwrap_or(u64::MAX),
            by,
            text: one_line(&text).into_owned(),
        });
    }

    pub(super) fn fail(&mut self, id: &'static str, seen: impl Into<String>) {
        let log = &self.log;
        self.record
            .fail(id, Severity::Note, seen, None, || (log.clone(), None));
    }

    pub(super) fn judge(&mut self, id: &'static str, kept: bool, seen: impl FnOnce() -> String) {
        if kept {
            self.record.pass(id);
        } else {
            self.fail(id, seen());
        }
    }

    /// A line of ours went out.
    pub fn sent(&mut self, line: &str, at: Instant) {
        self.keep(Voice::Engine, line.as_bytes(), at);
        let report = Said::parse(line.as_bytes(), self.dialect).message;
        if matches!(report, Said::BestMove(_)) {
            self.answered = Some(at);
        }
        self.talk.sent(&report);
    }

    /// Whether a search waits for `stop` or `ponderhit`.
    pub const fn is_searching(&self) -> bool {
        self.endless && self.pending.is_some()
    }

    /// What a search that goes on has to say, and after how long; hosts rely on engines
    /// that go on talking.
    pub fn meanwhile(&mut self) -> Option<Reply> {
        if !self.is_searching() {
            return None;
        }
        self.told += 1;
        Some(Reply {
            after: REGULARLY,
            line: self.info(),
        })
    }

    /// The host ended a line with a carriage return alone, or sent one within a line.
    pub(crate) fn stray_return(&mut self) {
        self.fail("host.text", "a carriage return without a newline behind it");
    }

    /// A line of the host: what is to be answered.
    pub fn hear(&mut self, line: &[u8], at: Instant) -> Vec<Reply> {
        self.keep(Voice::Host, line, at);
        let parsed = Command::parse(line, self.dialect);
        let text = String::from_utf8_lossy(line).into_owned();
        for diagnostic in parsed.diagnostics() {
            if let Some(id) = id_of_form(diagnostic.code, &parsed.message) {
                self.fail(id, format!("{}: {text}", diagnostic.code.sentence()));
            }
        }
        self.judge_moment(&parsed.message, &text, at);
        self.record.pass("host.unknown");
        self.record.pass("host.text");
        self.obey(&parsed.message, &text)
    }

    fn judge_moment(&mut self, command: &Command<'_>, text: &str, at: Instant) {
        let phase = self.talk.phase();
        if self.first && *command != Command::Empty {
            self.first = false;
            let hello = matches!(command, Command::Uci | Command::Ugi);
            self.judge("host.hello", hello, || {
                format!("the first command was {text}")
            });
        }
        let ready = self.talk.owed().readyok == 0;
        let crossing = self
            .answered
            .is_some_and(|then| at.saturating_duration_since(then) < CROSSING);
        for code in &self.talk.received(command) {
            if *code == Code::StopWhileIdle && crossing || phase == Phase::Silent {
                continue;
            }
            if let Some(id) = id_of_moment(*code) {
                self.fail(id, format!("{}: {text}", code.sentence()));
            }
        }
        match command {
            Command::Go(_) => {
                self.judge("host.waits-ready", ready, || "go before readyok".into());
                for id in [
                    "host.isready",
                    "host.position",
                    "host.go-idle",
                    "host.go-words",
                    "host.go-numbers",
                    "host.new-game-ready",
                    "host.register",
                ] {
                    self.record.pass(id);
                }
            }
            Command::Stop => self.record.pass("host.stop-idle"),
            Command::PonderHit => self.record.pass("host.ponderhit"),
            Command::SetOption(_) => self.record.pass("host.option-idle"),
            Command::Position(_) | Command::SetPos(_) => self.record.pass("host.position-idle"),
            Command::UciNewGame => self.record.pass("host.new-game-idle"),
            Command::Uci | Command::Ugi => self.record.pass("host.hello-once"),
            Command::IsReady => self.record.pass("host.waits"),
            _ => {}
        }
    }

    fn obey(&mut self, command: &Command<'_>, text: &str) -> Vec<Reply> {
        let reply = |after, line: &str| Reply {
            after,
            line: line.into(),
        };
        match command {
            Command::Uci | Command::Ugi => self.introduce(),
            Command::IsReady => vec![reply(READY, "readyok")],
            Command::SetOption(set) => {
                self.judge_option(set, text);
                Vec::new()
            }
            Command::Position(position) => {
                self.judge_position(position);
                Vec::new()
            }
            Command::SetPos(position) => {
                self.judge_setpos(position);
                Vec::new()
            }
            Command::Go(go) => {
                self.judge_go(go);
                // A search that is replaced has its answer, too.
                let replaced = self.pending.take().map(|line| reply(MOVE, &line));
                self.endless = go.is_infinite() || go.is_ponder();
                let answer = self.think();
                self.told = 1;
                let mut replies: Vec<Reply> = replaced.into_iter().collect();
                replies.push(reply(MOVE, &self.info()));
                if self.endless {
                    self.pending = Some(answer);
                } else {
                    replies.push(reply(MOVE, &answer));
                }
                replies
            }
            Command::Stop | Command::PonderHit => {
                if matches!(command, Command::Stop) && self.endless {
                    self.record.pass("host.stop-infinite");
                }
                self.endless = false;
                let pending = self.pending.take();
                pending.map(|line| reply(MOVE, &line)).into_iter().collect()
            }
            Command::Quit => {
                self.end(true);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The host is gone, with or without a word.
    fn end(&mut self, quit: bool) {
        if self.quit {
            return;
        }
        self.quit = true;
        self.judge("host.quit", quit, || "the input ended without quit".into());
        self.record.pass("host.after-quit");
        if self.endless && self.pending.is_some() {
            self.fail("host.stop-infinite", "an infinite search was never stopped");
        }
    }

    fn introduce(&mut self) -> Vec<Reply> {
        let mut lines = vec![
            "id name Quadrille check --host",
            "id author the Quadrille authors",
        ];
        match self.dialect {
            Dialect::Ugi => lines.extend(["option maxPly", "option maxTime"]),
            _ => lines.extend([
                "option name Hash type spin default 16 min 1 max 1024",
                "option name Threads type spin default 1 min 1 max 64",
                "option name MultiPV type spin default 1 min 1 max 100",
                "option name Style type combo default Normal var Solid var Normal var Risky",
                "option name Clear Hash type button",
                "option name Book type string default <empty>",
                "option name UCI_AnalyseMode type check default false",
                "option name UCI_Opponent type string default <empty>",
            ]),
        }
        match self.dialect {
            Dialect::Uci => lines.extend([
                "option name Ponder type check default false",
                "option name UCI_Chess960 type check default false",
            ]),
            Dialect::Leiser => lines.push("option name Ponder type check default false"),
            Dialect::Ulci => lines
                .splice(2..2, ["id version 1", "id pieces kmqcaehuriwbznxlop"])
                .for_each(drop),
            Dialect::Ugi => {}
        }
        for line in &lines {
            if let Said::Option(option) = Said::parse(line.as_bytes(), self.dialect).message {
                self.options.extend(EngineOption::read(&option));
            }
        }
        lines.push(if self.dialect == Dialect::Ugi {
            "ugiok"
        } else {
            "uciok"
        });
        if self.registers && self.dialect == Dialect::Uci {
            lines.extend(["registration checking", "registration error"]);
        }
        let all = lines.into_iter().map(|line| Reply {
            after: HELLO,
            line: line.into(),
        });
        all.collect()
    }

    fn info(&self) -> String {
        let (depth, millis) = (self.told.max(1), self.told.saturating_sub(1) * 250 + 1);
        match self.dialect {
            Dialect::Ugi => {
                let seconds = format!("{}.{:03}", millis / 1000, millis % 1000);
                format!("info ply {depth} score 0.000 nodes {millis} time {seconds}")
            }
            _ => format!("info depth {depth} score cp 0 nodes {millis} nps 1000 time {millis}"),
        }
    }

    /// Any legal move, or none.
    fn think(&mut self) -> String {
        let moves = self.line.legal(4096);
        let chosen = if is_finished(&self.line) || moves.is_empty() {
            None
        } else {
            Some(moves[self.random.index(moves.len())])
        };
        let text = chosen.and_then(|m| self.line.text_of(m).ok());
        let null = self.dialect.null_move().unwrap_or("0000").to_owned();
        let tail = if self.dialect == Dialect::Ugi {
            " score 0.000 time 0.001"
        } else {
            ""
        };
        debug_assert!(matches!(self.line.side(), Side::White | Side::Black));
        format!("bestmove {}{tail}", text.unwrap_or(null))
    }

    /// What was seen. A host that has not said `quit` is taken to be gone.
    pub fn report(mut self) -> Report {
        self.end(false);
        self.close(true)
    }

    /// What was seen so far, of a conversation that goes on or was broken off.
    pub fn so_far(&self) -> Report {
        self.clone().close(false)
    }

    fn close(self, complete: bool) -> Report {
        let selection = self.selection.clone();
        let closed = self.record.close(Role::Host, |check| selection.has(check));
        debug_assert!(table::all().any(|check| check.role() == Role::Host));
        Report {
            version: REPORT_VERSION,
            subject: Examined {
                role: Role::Host,
                name: "host".into(),
                author: None,
                command: String::new(),
                dialect: self.dialect,
                game: self.game,
            },
            score: closed.tally(),
            findings: closed.findings,
            passed: closed.passed,
            skipped: closed.skipped,
            measures: closed.measures,
            restarts: 0,
            seconds: self.started.elapsed().as_secs_f64(),
            complete,
            unknown_options: Vec::new(),
            not_started: None,
            outdated: Vec::new(),
        }
    }
}
