//! A running engine: what it is, what it can, and the conversation outside a
//! search.

use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

use quadrille_client::findings::{Findings, HostDiagnostic};
use quadrille_client::{
    ClientConfig, ClientEvent, EngineClient, HandshakeError, Identity, Limits, Opponent,
    OptionError, OptionList,
};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;

use super::error::{Failure, StartError};

use super::link::{Farewell, Link, Stderr};
use super::process::Process;
use super::program::not_started;
use super::search::Search;
use super::stream;
use super::wire::{Silence, Tape, Wire};
use crate::machine::{Deadline, LagMeter, Waits};
use crate::spec::{Address, EngineSpec, located};

/// A running engine. Dropping it kills its whole process tree, or closes the
/// connection to it.
pub struct Engine {
    pub(super) wire: Wire,
    pub(super) client: EngineClient,
    /// From when on the client counts its time.
    epoch: Instant,
    /// How long we had been suspended when the client was last told.
    suspended: Duration,
    name: Option<String>,
    program: String,
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
pub async fn open(spec: &EngineSpec) -> Result<Box<dyn Link>, StartError> {
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
        let waits = link.process_id().and_then(Waits::of);
        let lag = LagMeter::start();
        let config = ClientConfig {
            dialect: spec.dialect,
            options: spec.options.clone(),
            init: spec.init.clone(),
            registration: spec.registration.clone(),
            ponder: spec.ponder,
            timeouts: spec.timeouts,
        };
        let mut engine = Self {
            wire: Wire::new(link, tape),
            client: EngineClient::new(game, config, Duration::ZERO),
            epoch: Instant::now(),
            suspended: lag.suspended(),
            name: spec.name.clone(),
            program: spec.address().map_or_else(|_| String::new(), |a| a.name()),
            failure: None,
            lag,
            waits,
            owed: Duration::ZERO,
        };
        engine.shake_hands().await?;
        Ok(engine)
    }

    /// From a fresh process to an engine that is ready.
    async fn shake_hands(&mut self) -> Result<(), StartError> {
        self.flush();
        loop {
            let error = match self.step().await {
                Ok(Some(ClientEvent::Started)) => return Ok(()),
                Ok(Some(ClientEvent::StartFailed(error))) => Some(error),
                Ok(_) => continue,
                Err(_) => None,
            };
            let heard = self.client.first_lines().to_vec();
            let silent = matches!(error, Some(HandshakeError::NoAnswer { .. }));
            let Some(error) = error.filter(|_| !(silent && self.wire.link.has_ended())) else {
                let death = self.wire.death().await;
                return Err(StartError::Died { death, heard });
            };
            return Err(StartError::of_handshake(error, heard));
        }
    }

    /// The user's name for it, its own, or that of the program.
    pub fn name(&self) -> &str {
        let own = self.client.identity().name.as_deref();
        self.name.as_deref().or(own).unwrap_or(&self.program)
    }

    /// What it says about itself.
    pub const fn identity(&self) -> &Identity {
        self.client.identity()
    }

    /// What it speaks.
    pub const fn dialect(&self) -> Dialect {
        self.client.dialect()
    }

    /// What it plays.
    pub const fn game(&self) -> Game {
        self.client.game()
    }

    /// What can be set.
    pub const fn options(&self) -> &OptionList {
        self.client.options()
    }

    /// Whether it thinks in the opponent's time: the user wants it and its
    /// dialect has it.
    pub const fn ponders(&self) -> bool {
        self.client.ponders()
    }

    /// What a position asks of a program that this engine has not said it can
    /// do; a host should not let it play there. See [`Identity::lacks`].
    pub fn lacks(&self, line: &AnyLine) -> Option<String> {
        self.identity().lacks(line)
    }

    /// Everything unusual so far.
    pub fn findings(&self) -> Findings {
        let mut findings = self.client.findings().clone();
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
    pub fn move_here(&mut self) {
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

    /// The time as the client counts it.
    pub(super) fn time_of(&self, moment: Instant) -> Duration {
        moment.saturating_duration_since(self.epoch)
    }

    pub(super) fn moment_of(&self, time: Duration) -> Instant {
        self.epoch.checked_add(time).unwrap_or(self.epoch)
    }

    /// Sends what the client has to say.
    pub(super) fn flush(&mut self) {
        let lines = self.client.output();
        if !lines.is_empty() {
            self.wire.send(lines);
            self.client.clear_output();
        }
    }

    /// Gives the client the time back in which this process was suspended. To be called
    /// before each deadline is set or looked at: what was before is not its time.
    pub(super) fn catch_up(&mut self) {
        let suspended = self.lag.suspended();
        let new = suspended.saturating_sub(self.suspended);
        // It can become less: a gap that was a wait for a processor after all.
        self.suspended = suspended;
        if !new.is_zero() {
            self.client.postpone(new);
        }
    }

    /// The client, to be asked for something at this moment.
    pub(super) fn client_at(&mut self, moment: Instant) -> (&mut EngineClient, Duration) {
        self.catch_up();
        let at = self.time_of(moment);
        (&mut self.client, at)
    }

    /// Waits for a line, until the client's deadline or another moment.
    pub(super) async fn read(&mut self, at_most: Option<Instant>) -> Result<(), Silence> {
        self.catch_up();
        let own = self.client.deadline();
        let own = own.and_then(|time| self.epoch.checked_add(time));
        let until = own.into_iter().chain(at_most).min();
        self.wire.read(until).await
    }

    /// Tells the client the line that was read.
    pub(super) fn hear(&mut self) -> Option<ClientEvent> {
        self.catch_up();
        let at = self.time_of(self.wire.arrived);
        let event = if self.wire.is_broken_off() {
            self.client.on_broken_line(&self.wire.line, at)
        } else {
            self.client.on_line(&self.wire.line, at)
        };
        self.flush();
        event
    }

    /// Tells the client the time.
    pub(super) fn tick(&mut self) -> Option<ClientEvent> {
        let (client, now) = self.client_at(Instant::now());
        let event = client.on_time(now);
        self.flush();
        event
    }

    /// Waits for a line or the client's deadline.
    async fn step(&mut self) -> Result<Option<ClientEvent>, Silence> {
        match self.read(None).await {
            Ok(()) => Ok(self.hear()),
            Err(Silence::Late) => Ok(self.tick()),
            Err(Silence::Closed) => Err(Silence::Closed),
        }
    }

    /// Waits until the client has what it asked for; `question` is what was asked.
    async fn until(&mut self, wanted: &ClientEvent, question: &'static str) -> Result<(), Failure> {
        self.flush();
        loop {
            match self.step().await {
                Ok(Some(event)) if event == *wanted => return Ok(()),
                Ok(Some(ClientEvent::Stalled { question, patience })) => {
                    return Err(self.give_up(Silence::Late, question, patience).await);
                }
                Ok(_) => {}
                Err(silence) => {
                    if question == "stop" {
                        let findings = self.client.findings_mut();
                        findings.add(HostDiagnostic::NoAnswer, b"stop");
                    }
                    return Err(self.give_up(silence, question, Duration::ZERO).await);
                }
            }
        }
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
            let findings = self.client.findings_mut();
            findings.add(HostDiagnostic::Died, words.as_bytes());
            Failure::Died(death)
        } else {
            self.wire.link.kill();
            Failure::Stalled { question, patience }
        };
        self.client.on_end();
        self.failure = Some(failure.clone());
        failure
    }

    fn usable(&self) -> Result<(), Failure> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(()),
        }
    }

    /// Ends a search that was abandoned.
    async fn settle(&mut self) -> Result<(), Failure> {
        self.usable()?;
        let (client, now) = self.client_at(Instant::now());
        if client.settle(now) {
            return Ok(());
        }
        self.until(&ClientEvent::Settled, "stop").await
    }

    /// Asks for a sign of life; how long it took.
    pub async fn ping(&mut self) -> Result<Duration, Failure> {
        self.settle().await?;
        let asked = Instant::now();
        let (client, at) = self.client_at(asked);
        client.ping(at);
        self.until(&ClientEvent::Ready, "isready").await?;
        Ok(self.wire.arrived.saturating_duration_since(asked))
    }

    /// Announces that what comes next belongs to another game.
    pub async fn new_game(&mut self) -> Result<(), Failure> {
        self.settle().await?;
        self.owed = Duration::ZERO;
        let (client, now) = self.client_at(Instant::now());
        client.new_game(now);
        self.until(&ClientEvent::Ready, "isready").await
    }

    /// Sets an option, in any case of letters; the value is checked first.
    /// The engine may need a while for it: [`ping`](Self::ping) waits.
    pub async fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), SetOptionError> {
        self.settle().await?;
        self.client.set_option(name, value)?;
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
        let value = if analyses { "true" } else { "false" };
        self.client.manage("UCI_AnalyseMode", value);
        self.flush();
        Ok(())
    }

    /// Tells the engine whom it plays against, if it wants to know.
    pub async fn set_opponent(&mut self, opponent: &Opponent) -> Result<(), Failure> {
        self.settle().await?;
        self.client.manage("UCI_Opponent", &opponent.to_string());
        self.flush();
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
            let told = limits.clone().into_owned();
            let (client, at) = self.client_at(started);
            client.go(line, told, owed, at);
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
        // What an engine does before a ponder search it does in the time of the
        // other side anyway.
        let counts = limits.flag.is_some() && !limits.ponder;
        let asked = Instant::now();
        if counts {
            self.mark_start(asked);
        }
        let (client, at) = self.client_at(asked);
        client.prepare(line, limits, at);
        self.until(&ClientEvent::Ready, "isready").await?;
        if counts {
            self.made_wait(asked, self.wire.arrived);
        }
        Ok(())
    }

    /// Ends the conversation: `quit`, a while to obey, and then the end in any
    /// case.
    pub async fn quit(&mut self) -> Farewell {
        let patience = self.client.timeouts().quit;
        let deadline = Deadline::after(Instant::now(), patience, &self.lag);
        if self.failure.is_none() {
            self.wire.link.about_to_quit();
            self.client.quit();
            self.flush();
            while self.read_until(deadline.as_ref()).await.is_ok() {
                self.hear();
            }
        }
        let left = deadline.map_or(patience, |deadline| deadline.left());
        let ended = self.wire.link.ended(left).await;
        let killed = ended.is_none() && self.failure.is_none();
        if killed {
            let findings = self.client.findings_mut();
            findings.add(HostDiagnostic::HungOnQuit, b"quit");
        }
        let death = match &self.failure {
            Some(Failure::Died(death)) => death.clone(),
            _ => ended.unwrap_or_else(|| self.wire.unexplained()),
        };
        if self.failure.is_none() && !killed && !death.is_clean() {
            let words = death.to_string();
            let findings = self.client.findings_mut();
            findings.add(HostDiagnostic::CrashedOnQuit, words.as_bytes());
        }
        self.wire.link.kill();
        self.failure.get_or_insert(Failure::Died(death.clone()));
        Farewell { death, killed }
    }
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

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};

    use super::super::Memory;
    use super::*;

    /// An engine that says no more than that it is ready, with a meter of its own.
    async fn engine() -> Engine {
        let link = Memory::spawn(|reader, mut writer| {
            for line in BufReader::new(reader).lines() {
                match line?.as_str() {
                    "uci" => writeln!(writer, "uciok")?,
                    "isready" => writeln!(writer, "readyok")?,
                    _ => {}
                }
            }
            Ok(())
        });
        let link = Box::new(link.expect("a thread"));
        let started = Engine::over(link, &EngineSpec::default(), Game::Chess).await;
        let mut engine = started.expect("it is ready");
        engine.lag = LagMeter::still();
        engine.suspended = Duration::ZERO;
        engine
    }

    /// A suspension moves the deadlines that were set before it, and no others.
    #[tokio::test]
    async fn a_deadline_that_is_set_after_a_suspension_is_not_moved_by_it() {
        const HOUR: Duration = Duration::from_hours(1);
        let mut engine = engine().await;
        let patience = engine.client.timeouts().ping;
        engine.lag.suspend(HOUR);
        let (client, at) = engine.client_at(Instant::now());
        client.ping(at);
        assert_eq!(client.deadline(), Some(at + patience));
        engine.catch_up();
        assert_eq!(engine.client.deadline(), Some(at + patience));
        engine.lag.suspend(HOUR);
        engine.catch_up();
        assert_eq!(engine.client.deadline(), Some(at + patience + HOUR));
    }
}
