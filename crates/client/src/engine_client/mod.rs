//! The conversation with one engine as a state machine.
//!
//! [`EngineClient`] is the mirror image of an engine's session: it is fed lines and the
//! time, and answers with lines to send, events, and when to be called again. It
//! starts nothing, reads nothing and waits for nothing.
//!
//! ```
//! use std::time::Duration;
//! use quadrille_client::{ClientConfig, ClientEvent, EngineClient, Limits};
//! use quadrille_games::{AnyLine, Game};
//!
//! let now = Duration::ZERO;
//! let mut client = EngineClient::new(Game::Chess, ClientConfig::default(), now);
//! assert_eq!(client.take_output(), b"uci\n");
//! assert!(client.on_line(b"uciok", now).is_none());
//! assert_eq!(client.take_output(), b"isready\n");
//! assert_eq!(client.on_line(b"readyok", now), Some(ClientEvent::Started));
//!
//! let line = AnyLine::start(Game::Chess);
//! client.prepare(&line, &Limits::depth(1), now);
//! assert_eq!(client.take_output(), b"position startpos\nisready\n");
//! assert_eq!(client.on_line(b"readyok", now), Some(ClientEvent::Ready));
//! client.go(&line, Limits::depth(1), Duration::ZERO, now);
//! assert_eq!(client.take_output(), b"go depth 1\n");
//! let Some(ClientEvent::Answered(answered)) = client.on_line(b"bestmove e2e4", now) else {
//!     panic!("that was the answer");
//! };
//! assert_eq!(answered.text.as_deref(), Some("e2e4"));
//! ```

mod answer;
mod handshake;
mod registration;
mod search;
mod stray;

use std::mem;
use std::time::Duration;

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{
    Command, Dialect, HostSide, Parsed, Phase, Report, SetOption, Status, Text,
};

pub use answer::{Answered, Reply};
pub use handshake::HandshakeError;

use crate::dialect::dialect_of;
use crate::findings::{Findings, HostDiagnostic};
use crate::identity::Identity;
use crate::info::{InfoLine, LastLines};
use crate::limits::{Limits, UgiLimits};
use crate::moves::NamedMove;
use crate::options::{EngineOption, OptionError, OptionList};
use crate::position::PositionText;
use crate::timeouts::Timeouts;
use handshake::Handshake;
use registration::Registration;
use search::Searching;

/// What the user has set for an engine, as far as the conversation needs it.
#[derive(Debug, Clone, Default)]
pub struct ClientConfig {
    /// The dialect, where the user knows better than the handshake.
    pub dialect: Option<Dialect>,
    /// Options in the user's spelling and order. A button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Lines to send before the handshake, as they are.
    pub init: Vec<String>,
    /// Name and code for an engine that asks for registration.
    pub registration: Option<(String, String)>,
    /// Whether the engine may think in the opponent's time.
    pub ponder: bool,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

/// Something that happened in a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientEvent {
    /// The handshake is over and the engine is ready.
    Started,
    /// The handshake failed. The engine cannot be used.
    StartFailed(HandshakeError),
    /// `readyok` came after [`ping`](EngineClient::ping),
    /// [`new_game`](EngineClient::new_game) or [`prepare`](EngineClient::prepare).
    Ready,
    /// An abandoned search has ended, after [`settle`](EngineClient::settle).
    Settled,
    /// A line about the running search.
    Info(Box<InfoLine>),
    /// A line that is not a message of the protocol, during a search.
    Text(String),
    /// The search is over.
    Answered(Box<Answered>),
    /// The engine did not answer in time, and cannot be used any more.
    Stalled {
        /// What was asked.
        question: &'static str,
        /// How long the client waited.
        patience: Duration,
    },
}

/// What the client is waiting for.
#[derive(Debug)]
enum State {
    Handshake(Box<Handshake>),
    /// For `readyok`.
    Ready(Wait),
    /// For the end of a search that nobody wants any more.
    Settling(Wait),
    Searching(Box<Searching>),
    Idle,
    /// `quit` was sent, or the engine is of no use.
    Over,
}

#[derive(Debug)]
struct Wait {
    question: &'static str,
    patience: Duration,
    deadline: Option<Duration>,
}

/// The conversation with one engine. Times are counted from any moment the caller
/// likes, and never go back.
#[derive(Debug)]
pub struct EngineClient {
    game: Game,
    dialect: Dialect,
    conversation: HostSide,
    findings: Findings,
    identity: Identity,
    options: OptionList,
    timeouts: Timeouts,
    registration: Registration,
    ponders: bool,
    position: PositionText,
    ugi: UgiLimits,
    chess960: bool,
    rules: String,
    last: LastLines,
    past: PastAnswers,
    /// Whether [`ClientEvent::Info`] and [`ClientEvent::Text`] are wanted.
    reports: bool,
    /// Lines that are to be sent.
    out: Vec<u8>,
    /// What the engine said first.
    first_lines: Vec<String>,
    state: State,
}

/// How the engine has answered so far.
#[derive(Debug, Default)]
struct PastAnswers {
    /// The words of the last `bestmove`, to recognise it when it comes again.
    last: Vec<u8>,
    /// Some `bestmove` came without other words around it, so a move amid words is a part of
    /// a sentence.
    plain: bool,
}

impl EngineClient {
    /// Begins a conversation about a game: the output holds the greeting.
    pub fn new(game: Game, config: ClientConfig, now: Duration) -> Self {
        let dialect = config.dialect.unwrap_or(dialect_of(game));
        let mut client = Self {
            game,
            dialect,
            conversation: HostSide::new(dialect),
            findings: Findings::default(),
            identity: Identity::default(),
            options: OptionList::default(),
            timeouts: config.timeouts,
            registration: Registration::new(config.registration.clone()),
            ponders: false,
            position: PositionText::default(),
            ugi: UgiLimits::default(),
            chess960: false,
            rules: String::new(),
            last: LastLines::default(),
            past: PastAnswers::default(),
            reports: true,
            out: Vec::new(),
            first_lines: Vec::new(),
            state: State::Idle,
        };
        client.greet(config, now);
        client
    }

    /// The game that is talked about.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// The dialect that is spoken.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What the engine says about itself.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The options that the engine has declared.
    pub const fn options(&self) -> &OptionList {
        &self.options
    }

    /// The deadlines.
    pub const fn timeouts(&self) -> &Timeouts {
        &self.timeouts
    }

    /// Whether the engine thinks in the opponent's time: the user wants it and its
    /// dialect has it.
    pub const fn ponders(&self) -> bool {
        self.ponders
    }

    /// Everything unusual so far.
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The same, so that what only the process shows can be added.
    pub const fn findings_mut(&mut self) -> &mut Findings {
        &mut self.findings
    }

    /// Whether the engine can be asked something.
    pub const fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// Whether a search runs or its answer is still to come.
    pub const fn is_searching(&self) -> bool {
        matches!(self.state, State::Searching(_))
    }

    /// Whether a search runs in the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.is_searching() && self.conversation.phase() == Phase::Pondering
    }

    /// How many `readyok` are still to come.
    pub fn awaited_readyok(&self) -> u32 {
        self.conversation.owed().readyok
    }

    /// The lines that are to be sent, each with its end.
    pub fn output(&self) -> &[u8] {
        &self.out
    }

    /// Forgets the lines that have been sent.
    pub fn clear_output(&mut self) {
        self.out.clear();
    }

    /// Takes the lines that are to be sent.
    pub fn take_output(&mut self) -> Vec<u8> {
        mem::take(&mut self.out)
    }

    /// Whether lines of a search become events. Where nobody looks at them they cost
    /// less.
    pub const fn report_lines(&mut self, wanted: bool) {
        self.reports = wanted;
    }

    /// The time by which [`on_time`](Self::on_time) must be called.
    pub fn deadline(&self) -> Option<Duration> {
        match &self.state {
            State::Handshake(handshake) => handshake.deadline(),
            State::Ready(wait) | State::Settling(wait) => wait.deadline,
            State::Searching(search) => self.search_deadline(search),
            State::Idle | State::Over => None,
        }
    }

    /// Moves all deadlines, because the host was suspended for a while.
    pub fn postpone(&mut self, by: Duration) {
        let shift = |deadline: &mut Option<Duration>| {
            if let Some(at) = deadline {
                *at = at.saturating_add(by);
            }
        };
        match &mut self.state {
            State::Handshake(handshake) => handshake.postpone(shift),
            State::Ready(wait) | State::Settling(wait) => shift(&mut wait.deadline),
            State::Searching(search) => search.postpone(by),
            State::Idle | State::Over => {}
        }
    }

    /// Takes in a line of the engine.
    pub fn on_line(&mut self, line: &[u8], now: Duration) -> Option<ClientEvent> {
        match &self.state {
            State::Handshake(_) => self.on_handshake_line(line, now),
            State::Searching(_) => self.on_search_line(line, now, true),
            State::Idle | State::Over => {
                self.on_other_line(line);
                None
            }
            State::Ready(_) => {
                self.on_other_line(line);
                (self.awaited_readyok() == 0).then(|| self.finish(ClientEvent::Ready))
            }
            State::Settling(_) => {
                self.on_other_line(line);
                let settled = self.conversation.owed().bestmove == 0;
                settled.then(|| self.finish(ClientEvent::Settled))
            }
        }
    }

    /// Takes in the last line of an engine that closed its output in the middle of it.
    pub fn on_broken_line(&mut self, line: &[u8], now: Duration) -> Option<ClientEvent> {
        if let State::Searching(search) = &self.state
            && let Report::BestMove(best) = Report::parse(line, self.dialect).message
            && answer::is_broken_off(search.line(), &best)
        {
            return None;
        }
        self.on_line(line, now)
    }

    /// Notes that the time of [`deadline`](Self::deadline) has come.
    pub fn on_time(&mut self, now: Duration) -> Option<ClientEvent> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return None;
        }
        match &self.state {
            State::Handshake(_) => self.on_handshake_time(now),
            State::Searching(_) => self.on_search_time(now),
            State::Ready(wait) => {
                let question = wait.question;
                self.findings
                    .add(HostDiagnostic::NotReady, question.as_bytes());
                Some(self.give_up())
            }
            State::Settling(wait) => {
                let question = wait.question;
                self.findings
                    .add(HostDiagnostic::NoAnswer, question.as_bytes());
                Some(self.give_up())
            }
            State::Idle | State::Over => None,
        }
    }

    /// Ends the wait for something that will not come.
    fn give_up(&mut self) -> ClientEvent {
        let (question, patience) = match mem::replace(&mut self.state, State::Over) {
            State::Ready(wait) | State::Settling(wait) => (wait.question, wait.patience),
            State::Searching(search) => (search.question(), self.timeouts.stop),
            State::Handshake(_) | State::Idle | State::Over => ("", Duration::ZERO),
        };
        ClientEvent::Stalled { question, patience }
    }

    fn finish(&mut self, event: ClientEvent) -> ClientEvent {
        self.state = State::Idle;
        event
    }

    /// Notes that the engine is gone.
    pub fn on_end(&mut self) {
        self.state = State::Over;
    }

    fn wait(question: &'static str, patience: Duration, now: Duration) -> Wait {
        Wait {
            question,
            patience,
            deadline: now.checked_add(patience),
        }
    }

    /// Ends a search that nobody wants any more; [`ClientEvent::Settled`] says that it
    /// has ended. Returns whether there is nothing to wait for.
    pub fn settle(&mut self, now: Duration) -> bool {
        if self.conversation.owed().bestmove == 0 {
            return true;
        }
        if self.conversation.phase() != Phase::Stopping {
            self.send(&Command::Stop);
        }
        self.state = State::Settling(Self::wait("stop", self.timeouts.stop, now));
        false
    }

    /// Asks for a sign of life; [`ClientEvent::Ready`] is the answer.
    pub fn ping(&mut self, now: Duration) {
        self.ask_ready(self.timeouts.ping, now);
    }

    /// Announces that what comes next belongs to another game; [`ClientEvent::Ready`]
    /// is the answer.
    pub fn new_game(&mut self, now: Duration) {
        if self.dialect != Dialect::Ugi {
            self.send(&Command::UciNewGame);
        }
        self.ask_ready(self.timeouts.new_game, now);
    }

    /// Sends everything a search at the end of a line needs but `go`;
    /// [`ClientEvent::Ready`] says that the engine has read it. What it had still to say
    /// about earlier searches comes before that.
    pub fn prepare(&mut self, line: &AnyLine, limits: &Limits, now: Duration) {
        self.last.clear();
        self.set_rules(line);
        if self.dialect == Dialect::Ugi {
            for (name, value) in self.ugi.settings(limits, line.side(), &self.options) {
                self.send(&Command::SetOption(SetOption::new(
                    name.as_str(),
                    value.as_str(),
                )));
            }
        }
        let command = self.position.command(line);
        write(
            &command,
            self.dialect,
            &mut self.conversation,
            &mut self.out,
        );
        self.ask_ready(self.timeouts.ping, now);
    }

    fn ask_ready(&mut self, patience: Duration, now: Duration) {
        self.send(&Command::IsReady);
        self.state = State::Ready(Self::wait("isready", patience, now));
    }

    /// Asks for a sign of life while the engine thinks; it is counted in
    /// [`awaited_readyok`](Self::awaited_readyok).
    pub fn ping_in_search(&mut self) {
        self.send(&Command::IsReady);
    }

    /// Sets an option, in any case of letters; the value is checked first.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        if self.options.find(name)?.is_managed() {
            return Err(OptionError::Managed { name: name.into() });
        }
        self.put_option(name, value)
    }

    /// Sets an option that the host sets by itself, if the engine has it.
    pub fn manage(&mut self, name: &str, value: &str) -> bool {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        self.options.get(name).is_some() && self.put_option(name, Some(&value)).is_ok()
    }

    fn put_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let option = self.options.find(name)?;
        if option.is_left_alone(value) {
            return Ok(());
        }
        let value = option.check(value)?;
        let name = option.name.clone();
        self.send(&Command::SetOption(SetOption {
            name: Text::from(name.as_str()),
            value: value.as_deref().map(Text::from),
        }));
        if let Some(option) = self.options.get_mut(&name) {
            option.value = value;
        }
        Ok(())
    }

    /// What an engine must know about the rules and has an option for.
    fn set_rules(&mut self, line: &AnyLine) {
        match line {
            AnyLine::Chess(chess) => {
                let chess960 = chess.position().is_chess960();
                if chess960 != self.chess960 {
                    self.chess960 = chess960;
                    let value = if chess960 { "true" } else { "false" };
                    if !self.manage("UCI_Chess960", value) && chess960 {
                        let start = line.start_text();
                        self.findings
                            .add(HostDiagnostic::NoChess960, start.as_bytes());
                    }
                }
            }
            AnyLine::Leiser(_) => {
                let rules = line.rules_text();
                if rules != self.rules {
                    // Our own engine has such an option; others play one year.
                    let year = rules.split_whitespace().next().unwrap_or_default();
                    self.manage("rules", year);
                    self.rules = rules;
                }
            }
            AnyLine::Liberty(_) | AnyLine::Gyges(_) => {}
        }
    }

    /// Says goodbye. What the engine still says may be fed until it ends.
    pub fn quit(&mut self) {
        if self.conversation.owed().bestmove > 0 {
            self.send(&Command::Stop);
        }
        self.send(&Command::Quit);
        self.state = State::Over;
    }

    fn send(&mut self, command: &Command<'_>) {
        write(command, self.dialect, &mut self.conversation, &mut self.out);
    }

    /// Adds a line as it is, which is not a part of the conversation.
    fn send_line(&mut self, line: &str) {
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
    }

    /// Records what is unusual about a line.
    fn examine(&mut self, parsed: &Parsed<'_, Report<'_>>) {
        let line = parsed.exact();
        for diagnostic in parsed.diagnostics() {
            self.findings.add(diagnostic.code, line);
        }
        for &code in &self.conversation.received(&parsed.message) {
            self.findings.add(code, line);
        }
        if let Report::Info(info) = &parsed.message
            && info.get_error().is_some()
        {
            self.findings.add(HostDiagnostic::EngineError, line);
        }
    }

    /// A line that is not an answer to anything.
    fn on_other_line(&mut self, line: &[u8]) {
        let parsed = Report::parse(line, self.dialect);
        let mentioned = parsed.is_amid_words() && matches!(parsed.message, Report::BestMove(_));
        if mentioned && self.past.plain {
            return;
        }
        self.examine(&parsed);
        match parsed.message {
            Report::Option(line) => {
                if let Some(option) = EngineOption::read(&line) {
                    self.options.declare(option);
                }
            }
            Report::Registration(Status::Error) => {
                self.answer_registration();
            }
            _ => {}
        }
    }
}

/// Adds a command of ours to what is sent, and remembers it.
fn write(command: &Command<'_>, dialect: Dialect, conversation: &mut HostSide, out: &mut Vec<u8>) {
    // What is out of place about our own words is our own affair.
    conversation.sent(command);
    command.write(dialect, out);
    out.push(b'\n');
}

/// The moves to search, in the form of engines.
fn searchmoves(line: &AnyLine, limits: &Limits) -> String {
    let form = |text: &String| match NamedMove::read(line, text) {
        Ok(found) => found.text,
        Err(_) => text.clone(),
    };
    let words: Vec<String> = limits.searchmoves.iter().map(form).collect();
    words.join(" ")
}
