//! A running engine: what it is, what it can, and the conversation outside a
//! search.

use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

use quadrille_client::findings::{Findings, HostDiagnostic};
use quadrille_client::moves::NamedMove;
use quadrille_client::{
    EngineOption, Identity, LastLines, Limits, Opponent, OptionError, OptionList, PositionText,
    UgiLimits, dialect_of,
};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{
    Command, Dialect, HostSide, Parsed, Phase, Report, SetOption, Status, Text,
};

use super::error::{Failure, StartError};

use super::link::{Farewell, Link, Stderr};
use super::process::Process;
use super::program::not_started;
use super::registration::Registration;
use super::search::Search;
use super::stream;
use super::wire::{Silence, Tape, Wire};
use crate::machine::{LagMeter, Waits};
use crate::spec::{Address, EngineSpec, Timeouts, located};

/// Our half of the conversation: what was said and heard, and what is odd.
pub(super) struct Ear {
    pub(super) dialect: Dialect,
    pub(super) talk: HostSide,
    pub(super) findings: Findings,
}

impl Ear {
    /// Adds a command of ours to what is sent, and remembers it.
    fn tell(&mut self, command: &Command<'_>, out: &mut Vec<u8>) {
        // What is out of place about our own words is our own affair.
        self.talk.sent(command);
        command.write(self.dialect, out);
        out.push(b'\n');
    }

    /// Notes everything about a line of the engine.
    pub(super) fn note(&mut self, parsed: &Parsed<'_, Report<'_>>) {
        let line = parsed.exact();
        for diagnostic in parsed.diagnostics() {
            self.findings.add(diagnostic.code, line);
        }
        for &code in &self.talk.received(&parsed.message) {
            self.findings.add(code, line);
        }
        if let Report::Info(info) = &parsed.message
            && info.get_error().is_some()
        {
            self.findings.add(HostDiagnostic::EngineError, line);
        }
    }
}

/// A running engine. Dropping it kills its whole process tree, or closes the
/// connection to it.
pub struct Engine {
    pub(super) wire: Wire,
    pub(super) ear: Ear,
    pub(super) last: LastLines,
    /// The words of the last `bestmove`, to know it again.
    pub(super) answered: Vec<u8>,
    /// It has answered without other words around `bestmove`, so a move amid words is a
    /// part of a sentence.
    pub(super) answers_plainly: bool,
    pub(super) identity: Identity,
    pub(super) options: OptionList,
    pub(super) registration: Registration,
    pub(super) timeouts: Timeouts,
    name: Option<String>,
    program: String,
    game: Game,
    ponders: bool,
    position: PositionText,
    ugi: UgiLimits,
    chess960: bool,
    rules: String,
    /// Commands on their way.
    out: Vec<u8>,
    failure: Option<Failure>,
    pub(super) lag: LagMeter,
    /// How long its threads wait for a processor, where that is known.
    pub(super) waits: Option<Waits>,
    /// Time that it took between its moves and has to pay for with the next one.
    pub(super) owed: Duration,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("name", &self.name())
            .field("process", &self.process_id())
            .field("dialect", &self.dialect())
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}

/// Starts the program that a description names, or connects to its address.
pub(crate) async fn open(spec: &EngineSpec) -> Result<Box<dyn Link>, StartError> {
    match spec.address()? {
        Address::Program(program) => {
            let spec = EngineSpec {
                command: located(&program),
                ..spec.clone()
            };
            match Process::start(&spec).await {
                Ok(process) => Ok(Box::new(process)),
                Err(source) => Err(not_started(program, spec.folder.as_deref(), source)),
            }
        }
        Address::Remote(remote) => {
            let password = remote.password(spec.password.as_ref())?;
            match stream::open(&remote, password.as_ref(), spec.timeouts.startup).await {
                Ok(stream) => Ok(Box::new(stream)),
                Err(source) => Err(StartError::Connect {
                    address: Box::new(Address::Remote(remote)),
                    source,
                }),
            }
        }
    }
}

impl Engine {
    /// Starts an engine: process or connection, handshake, options. When this
    /// returns, the engine has said that it is ready.
    pub async fn start(spec: &EngineSpec, game: Game) -> Result<Self, StartError> {
        Self::start_taped(spec, game, None).await
    }

    /// The same, with a tape that hears every line.
    pub async fn start_taped(
        spec: &EngineSpec,
        game: Game,
        tape: Option<Tape>,
    ) -> Result<Self, StartError> {
        Self::over_taped(open(spec).await?, spec, game, tape).await
    }

    /// The same for an engine that can be reached already; the description says
    /// what to tell it.
    pub async fn over(
        link: Box<dyn Link>,
        spec: &EngineSpec,
        game: Game,
    ) -> Result<Self, StartError> {
        Self::over_taped(link, spec, game, None).await
    }

    /// The same, with a tape that hears every line.
    pub async fn over_taped(
        link: Box<dyn Link>,
        spec: &EngineSpec,
        game: Game,
        tape: Option<Tape>,
    ) -> Result<Self, StartError> {
        let dialect = spec.dialect.unwrap_or(dialect_of(game));
        let waits = link.process_id().and_then(Waits::of);
        let mut engine = Self {
            wire: Wire::new(link, tape),
            ear: Ear {
                dialect,
                talk: HostSide::new(dialect),
                findings: Findings::default(),
            },
            last: LastLines::default(),
            answered: Vec::new(),
            answers_plainly: false,
            identity: Identity::default(),
            options: OptionList::default(),
            registration: Registration::new(spec.registration.clone()),
            timeouts: spec.timeouts,
            name: spec.name.clone(),
            program: spec.address().map_or_else(|_| String::new(), |a| a.name()),
            game,
            ponders: false,
            position: PositionText::default(),
            ugi: UgiLimits::default(),
            chess960: false,
            rules: String::new(),
            out: Vec::new(),
            failure: None,
            lag: LagMeter::start(),
            waits,
            owed: Duration::ZERO,
        };
        super::handshake::shake_hands(&mut engine, spec).await?;
        engine.ponders = spec.ponder && engine.dialect() != Dialect::Ulci;
        Ok(engine)
    }

    /// The user's name for it, its own, or that of the program.
    pub fn name(&self) -> &str {
        let own = self.identity.name.as_deref();
        self.name.as_deref().or(own).unwrap_or(&self.program)
    }

    /// What it says about itself.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What it speaks.
    pub const fn dialect(&self) -> Dialect {
        self.ear.dialect
    }

    /// What it plays.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// What can be set.
    pub const fn options(&self) -> &OptionList {
        &self.options
    }

    /// Whether it thinks in the opponent's time: the user wants it and its
    /// dialect has it.
    pub const fn ponders(&self) -> bool {
        self.ponders
    }

    /// What a position asks of a program that this engine has not said it can
    /// do; a host should not let it play there. See [`Identity::lacks`].
    pub fn lacks(&self, line: &AnyLine) -> Option<String> {
        self.identity.lacks(line)
    }

    /// Everything unusual so far.
    pub fn findings(&self) -> Findings {
        let mut findings = self.ear.findings.clone();
        let stderr = self.wire.link.stderr();
        if stderr.lines > 0 {
            let first = stderr.tail.first().map_or("", String::as_str);
            findings.add(HostDiagnostic::WroteToStderr, first.as_bytes());
        }
        if self.wire.cut() > 0 {
            let words = format!("{} bytes are lost", self.wire.cut());
            findings.add(HostDiagnostic::LineCut, words.as_bytes());
        }
        findings
    }

    /// The last lines it wrote to standard error.
    pub fn stderr(&self) -> Vec<String> {
        self.wire.link.stderr().tail
    }

    /// Returns how many lines it wrote to standard error.
    pub fn stderr_lines(&self) -> u64 {
        self.wire.link.stderr().lines
    }

    /// Returns the last lines it wrote to standard error after so many.
    pub fn stderr_since(&self, lines: u64) -> Vec<String> {
        let Stderr {
            mut tail,
            lines: all,
        } = self.wire.link.stderr();
        let new = usize::try_from(all.saturating_sub(lines)).unwrap_or(usize::MAX);
        tail.split_off(tail.len().saturating_sub(new))
    }

    /// Has the runtime of the calling thread wake those who wait for the engine: a line
    /// then comes without a detour over the thread that started it.
    pub(crate) fn move_here(&mut self) {
        self.wire.move_here();
    }

    /// The number of its process, where it is one on this machine.
    pub fn process_id(&self) -> Option<u32> {
        self.wire.link.process_id()
    }

    /// Why it cannot be used any more, if that is so.
    pub const fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Adds a command to what is sent next.
    pub(super) fn say(&mut self, command: &Command<'_>) {
        self.ear.tell(command, &mut self.out);
    }

    /// Adds a line as it is.
    pub(super) fn say_line(&mut self, line: &str) {
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
    }

    /// Sends what was said.
    pub(super) fn flush(&mut self) {
        self.wire.send(&self.out);
        self.out.clear();
    }

    /// The engine is of no use any more.
    pub(super) async fn give_up(
        &mut self,
        silence: Silence,
        question: &'static str,
        patience: Duration,
    ) -> Failure {
        let dead = silence == Silence::Closed || self.wire.link.has_ended();
        let failure = if dead {
            let death = self.wire.death().await;
            let words = death.to_string();
            self.ear
                .findings
                .add(HostDiagnostic::Died, words.as_bytes());
            Failure::Died(death)
        } else {
            self.wire.link.kill();
            Failure::Stalled { question, patience }
        };
        self.failure = Some(failure.clone());
        failure
    }

    fn usable(&self) -> Result<(), Failure> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(()),
        }
    }

    /// Asks whether the engine is ready and waits for the answer.
    async fn ready(&mut self, patience: Duration) -> Result<(), Failure> {
        let deadline = self.deadline(patience);
        self.say(&Command::IsReady);
        self.flush();
        while self.ear.talk.owed().readyok > 0 {
            match self.read_until(deadline.as_ref()).await {
                Ok(()) => self.attend(),
                Err(silence) => {
                    if silence == Silence::Late {
                        self.ear.findings.add(HostDiagnostic::NotReady, b"isready");
                    }
                    return Err(self.give_up(silence, "isready", patience).await);
                }
            }
        }
        Ok(())
    }

    /// A line that is no answer to anything.
    fn attend(&mut self) {
        let parsed = Report::parse(&self.wire.line, self.ear.dialect);
        let mentioned = parsed.is_amid_words() && matches!(parsed.message, Report::BestMove(_));
        if mentioned && self.answers_plainly {
            return;
        }
        self.ear.note(&parsed);
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

    /// Ends a search that was abandoned.
    async fn settle(&mut self) -> Result<(), Failure> {
        self.usable()?;
        if self.ear.talk.owed().bestmove == 0 {
            return Ok(());
        }
        if self.ear.talk.phase() != Phase::Stopping {
            self.say(&Command::Stop);
            self.flush();
        }
        let patience = self.timeouts.stop;
        let deadline = self.deadline(patience);
        while self.ear.talk.owed().bestmove > 0 {
            match self.read_until(deadline.as_ref()).await {
                Ok(()) => self.attend(),
                Err(silence) => {
                    self.ear.findings.add(HostDiagnostic::NoAnswer, b"stop");
                    return Err(self.give_up(silence, "stop", patience).await);
                }
            }
        }
        Ok(())
    }

    /// Asks for a sign of life; how long it took.
    pub async fn ping(&mut self) -> Result<Duration, Failure> {
        self.settle().await?;
        let asked = Instant::now();
        self.ready(self.timeouts.ping).await?;
        Ok(self.wire.arrived.saturating_duration_since(asked))
    }

    /// Announces that what comes next belongs to another game.
    pub async fn new_game(&mut self) -> Result<(), Failure> {
        self.settle().await?;
        self.owed = Duration::ZERO;
        if self.dialect() != Dialect::Ugi {
            self.say(&Command::UciNewGame);
        }
        self.ready(self.timeouts.new_game).await
    }

    /// Sets an option, in any case of letters; the value is checked first.
    /// The engine may need a while for it: [`ping`](Self::ping) waits.
    pub async fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), SetOptionError> {
        self.settle().await?;
        if self.options.find(name)?.is_managed() {
            let name = name.into();
            return Err(OptionError::Managed { name }.into());
        }
        self.put_option(name, value)?;
        self.flush();
        Ok(())
    }

    /// How many best lines are shown.
    pub async fn set_lines(&mut self, count: u32) -> Result<(), SetOptionError> {
        let value = count.to_string();
        self.set_option("MultiPV", Some(&value)).await
    }

    /// Tells the engine whether it analyses or plays, if it wants to know.
    pub async fn set_analysis(&mut self, analyses: bool) -> Result<(), Failure> {
        self.settle().await?;
        self.manage("UCI_AnalyseMode", if analyses { "true" } else { "false" });
        self.flush();
        Ok(())
    }

    /// Tells the engine whom it plays against, if it wants to know.
    pub async fn set_opponent(&mut self, opponent: &Opponent) -> Result<(), Failure> {
        self.settle().await?;
        self.manage("UCI_Opponent", &opponent.to_string());
        self.flush();
        Ok(())
    }

    /// An option that the host sets by itself, if the engine has it.
    pub(super) fn manage(&mut self, name: &str, value: &str) -> bool {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        self.options.get(name).is_some() && self.put_option(name, Some(&value)).is_ok()
    }

    /// Checks a value and adds the command to what is sent next.
    pub(super) fn put_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let option = self.options.find(name)?;
        if option.is_left_alone(value) {
            return Ok(());
        }
        let value = option.check(value)?;
        let name = option.name.clone();
        self.say(&Command::SetOption(SetOption {
            name: Text::from(name.as_str()),
            value: value.as_deref().map(Text::from),
        }));
        if let Some(option) = self.options.get_mut(&name) {
            option.value = value;
        }
        Ok(())
    }

    /// Starts a search at the end of a line. If that fails, the search is over
    /// before it began and its outcome says why.
    ///
    /// The clock starts when `go` is sent. Before that the engine is asked
    /// whether it is ready: whatever it had still to say about earlier searches
    /// comes before its answer, so that it cannot be taken for an answer to
    /// this one. Limits may be lent or given: `Limits::depth(8)` as it is.
    pub async fn search<'a>(
        &'a mut self,
        line: &'a AnyLine,
        limits: impl Into<Cow<'a, Limits>>,
    ) -> Search<'a> {
        let limits = limits.into();
        let prepared = self.prepare(line, &limits).await;
        let failure = prepared.err();
        let owed = std::mem::take(&mut self.owed);
        let mut started = Instant::now();
        if failure.is_none() {
            let words = searchmoves(line, &limits);
            let told = limits.after(owed, line.side());
            let go = told.go(self.dialect(), line.side(), &words);
            self.say(&Command::Go(go));
            if limits.flag.is_some() && !limits.ponder {
                self.start_clock(started);
                started = Instant::now();
            }
            self.flush();
        }
        Search::new(self, line, limits, started, owed, failure)
    }

    async fn prepare(&mut self, line: &AnyLine, limits: &Limits) -> Result<(), Failure> {
        self.settle().await?;
        self.last.clear();
        self.set_rules(line);
        if self.dialect() == Dialect::Ugi {
            for (name, value) in self.ugi.settings(limits, line.side(), &self.options) {
                self.say(&Command::SetOption(SetOption::new(
                    name.as_str(),
                    value.as_str(),
                )));
            }
        }
        let Self {
            position, ear, out, ..
        } = self;
        ear.tell(&position.command(line), out);
        // What an engine does before a ponder search it does in the time of the
        // other side anyway.
        let counts = limits.flag.is_some() && !limits.ponder;
        let asked = Instant::now();
        if counts {
            self.mark_start(asked);
        }
        self.ready(self.timeouts.ping).await?;
        if counts {
            self.made_wait(asked, self.wire.arrived);
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
                        self.ear
                            .findings
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

    /// Ends the conversation: `quit`, a while to obey, and then the end in any
    /// case.
    pub async fn quit(&mut self) -> Farewell {
        let patience = self.timeouts.quit;
        let deadline = self.deadline(patience);
        if self.failure.is_none() {
            self.wire.link.about_to_quit();
            if self.ear.talk.owed().bestmove > 0 {
                self.say(&Command::Stop);
            }
            self.say(&Command::Quit);
            self.flush();
            while self.read_until(deadline.as_ref()).await.is_ok() {
                self.attend();
            }
        }
        let left = deadline.map_or(patience, |deadline| deadline.left());
        let ended = self.wire.link.ended(left).await;
        let killed = ended.is_none() && self.failure.is_none();
        if killed {
            self.ear.findings.add(HostDiagnostic::HungOnQuit, b"quit");
        }
        let death = match &self.failure {
            Some(Failure::Died(death)) => death.clone(),
            _ => ended.unwrap_or_else(|| self.wire.unexplained()),
        };
        if self.failure.is_none() && !killed && !death.is_clean() {
            let words = death.to_string();
            let findings = &mut self.ear.findings;
            findings.add(HostDiagnostic::CrashedOnQuit, words.as_bytes());
        }
        self.wire.link.kill();
        self.failure.get_or_insert(Failure::Died(death.clone()));
        Farewell { death, killed }
    }
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

/// An option that could not be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetOptionError {
    /// The option or its value is wrong; nothing was sent.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The engine is of no use any more.
    #[error(transparent)]
    Engine(#[from] Failure),
}
