//! From a fresh process to an engine that is ready.

use std::time::Duration;

use quadrille_games::Game;
use quadrille_protocol::{Command, Dialect, HostSide, Id, IdKey, Register, Report, Status, Text};

use super::engine::{Engine, dialect_of};
use super::error::StartError;
use super::moves::cut;
use super::options::{EngineOption, OptionError};
use super::wire::Silence;
use crate::findings::Oddity;
use crate::machine::Deadline;
use crate::spec::EngineSpec;

/// How many of the engine's first lines are kept for an error message.
const HEARD: usize = 10;

/// As much of such a line, and of what an engine says about itself, as is worth
/// reading.
const LONGEST_HEARD: usize = 200;
const LONGEST_ID: usize = 500;

/// Options that others depend on: memory is divided among threads.
const FIRST: [&str; 2] = ["Threads", "Hash"];

/// Where a copy protection check stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protection {
    Nothing,
    Checking,
    Refused,
}

struct Handshake<'a> {
    engine: &'a mut Engine,
    spec: &'a EngineSpec,
    deadline: Option<Deadline>,
    heard: Vec<String>,
    /// What may still be tried.
    other: Option<Dialect>,
    /// The word that ended the handshake.
    done: Option<Dialect>,
    protection: Protection,
    /// Name and code may be sent once.
    registered: bool,
    /// The engine's last message for people.
    message: Option<String>,
}

pub(super) async fn shake_hands(engine: &mut Engine, spec: &EngineSpec) -> Result<(), StartError> {
    let game = engine.game();
    let deadline = engine.deadline(spec.timeouts.startup);
    let other = match game {
        Game::Gyges => Dialect::Uci,
        _ => Dialect::Ugi,
    };
    let mut handshake = Handshake {
        engine,
        spec,
        deadline,
        heard: Vec::new(),
        other: spec.dialect.is_none().then_some(other),
        done: None,
        protection: Protection::Nothing,
        registered: false,
        message: None,
    };
    handshake.greet().await?;
    handshake.choose_dialect(game)?;
    handshake.set_options()?;
    handshake.until_ready().await
}

impl Handshake<'_> {
    /// The game's own dialect first; if there is silence for a third of the
    /// time, or a complaint about the word, the other one.
    async fn greet(&mut self) -> Result<(), StartError> {
        for line in &self.spec.init {
            self.engine.say_line(line);
        }
        let dialect = self.engine.dialect();
        self.engine.say(&Command::hello(dialect));
        self.engine.flush();
        let second_try = self.engine.deadline(self.spec.timeouts.startup / 3);
        while self.done.is_none() {
            let deadline = match self.other {
                Some(_) => second_try.clone(),
                None => self.deadline.clone(),
            };
            match self.listen(deadline).await {
                Ok(()) => {}
                Err(Silence::Late) if self.other.is_some() => self.try_other(),
                Err(silence) => return Err(self.failed(silence, "uciok or ugiok").await),
            }
        }
        Ok(())
    }

    fn try_other(&mut self) {
        if let Some(dialect) = self.other.take() {
            self.engine.ear.dialect = dialect;
            self.engine.ear.talk = HostSide::new(dialect);
            self.engine.say(&Command::hello(dialect));
            self.engine.flush();
        }
    }

    /// Reads a line and does what it asks for.
    async fn listen(&mut self, deadline: Option<Deadline>) -> Result<(), Silence> {
        self.engine.read_until(deadline.as_ref()).await?;
        let Engine {
            wire,
            ear,
            identity,
            options,
            ..
        } = &mut *self.engine;
        let line = &wire.line;
        if self.heard.len() < HEARD && !line.is_empty() {
            self.heard.push(cut(Text::from_bytes(line), LONGEST_HEARD));
        }
        let parsed = Report::parse(line, ear.dialect);
        // Most programs greet with their name; no question was asked yet.
        let banner =
            self.done.is_none() && matches!(parsed.message, Report::Text(_) | Report::Empty);
        if !banner {
            ear.note(&parsed);
        }
        match parsed.message {
            Report::Id(id) => {
                let value = cut(id.value, LONGEST_ID);
                match id.key {
                    IdKey::Name => identity.name = Some(value),
                    IdKey::Author => identity.author = Some(value),
                    IdKey::Version => identity.version = Some(value),
                    IdKey::Pieces => identity.pieces = Some(value),
                    IdKey::Username => identity.username = Some(value),
                    IdKey::Feature if identity.features.len() < 100 => {
                        identity.features.push(value);
                    }
                    _ => {}
                }
            }
            Report::Option(line) => {
                if let Some(option) = EngineOption::read(&line) {
                    options.declare(option);
                }
            }
            Report::UciOk => self.done = Some(Dialect::Uci),
            Report::UgiOk => self.done = Some(Dialect::Ugi),
            Report::Info(info) => {
                if let Some(text) = info.get_string() {
                    self.message = Some(text.to_string());
                }
            }
            Report::Text(text) => {
                let complains = self.other.is_some() && is_complaint(text, ear.dialect.hello());
                if complains {
                    self.try_other();
                }
            }
            Report::CopyProtection(status) => self.protection = status.into(),
            Report::Registration(Status::Error) => self.register(),
            _ => {}
        }
        Ok(())
    }

    /// `registration error` is always answered: with name and code if there
    /// are any and they have not been refused, else with "later".
    fn register(&mut self) {
        let answer = match &self.spec.registration {
            Some((name, code)) if !self.registered => {
                self.registered = true;
                Register {
                    later: false,
                    name: Some(Text::from(name.as_str())),
                    code: Some(Text::from(code.as_str())),
                }
            }
            refused => {
                if refused.is_some() {
                    let line = b"registration error";
                    self.engine.ear.findings.add(Oddity::NotRegistered, line);
                }
                Register {
                    later: true,
                    ..Register::default()
                }
            }
        };
        self.engine.say(&Command::Register(answer));
        // The verdict on name and code comes before the answer to this.
        if self.done.is_some() {
            self.engine.say(&Command::IsReady);
        }
        self.engine.flush();
    }

    /// What the last word of the handshake and the `id` lines say.
    fn choose_dialect(&mut self, game: Game) -> Result<(), StartError> {
        let ugi = self.done == Some(Dialect::Ugi);
        let dialect = match game {
            Game::Gyges if ugi => Dialect::Ugi,
            _ if ugi || game == Game::Gyges => {
                let dialect = if ugi { Dialect::Ugi } else { Dialect::Uci };
                return Err(StartError::OtherGame { dialect, game });
            }
            // A client of ULCI names the version; one that does not is to be
            // treated as an engine of plain UCI.
            Game::Chess | Game::Liberty if self.engine.identity.version.is_some() => Dialect::Ulci,
            Game::Liberty => Dialect::Uci,
            game => dialect_of(game),
        };
        let dialect = self.spec.dialect.unwrap_or(dialect);
        if dialect != self.engine.ear.dialect {
            self.engine.ear.dialect = dialect;
            self.engine.ear.talk = after_handshake(dialect);
        }
        Ok(())
    }

    /// The user's options: those that others depend on first.
    fn set_options(&mut self) -> Result<(), StartError> {
        let rank = |name: &str| {
            let place = FIRST
                .iter()
                .position(|first| first.eq_ignore_ascii_case(name));
            place.unwrap_or(FIRST.len())
        };
        let mut wanted: Vec<_> = self.spec.options.iter().collect();
        wanted.sort_by_key(|(name, _)| rank(name));
        for (name, value) in wanted {
            let managed = self
                .engine
                .options
                .get(name)
                .is_some_and(EngineOption::is_managed);
            if managed {
                let findings = &mut self.engine.ear.findings;
                findings.add(Oddity::HostOption, name.as_bytes());
                continue;
            }
            match self.engine.put_option(name, value.as_deref()) {
                Ok(()) => {}
                Err(OptionError::Unknown { .. }) => {
                    let findings = &mut self.engine.ear.findings;
                    findings.add(Oddity::UnknownOption, name.as_bytes());
                }
                Err(error) => return Err(error.into()),
            }
        }
        let ponder = if self.spec.ponder { "true" } else { "false" };
        self.engine.manage("Ponder", ponder);
        Ok(())
    }

    /// The engine must be ready, and its copy protection content.
    async fn until_ready(&mut self) -> Result<(), StartError> {
        self.engine.say(&Command::IsReady);
        self.engine.flush();
        let waits = |this: &Self| {
            let owed = this.engine.ear.talk.owed();
            owed.readyok > 0 || this.protection == Protection::Checking
        };
        while waits(self) && self.protection != Protection::Refused {
            let deadline = self.deadline.clone();
            if let Err(silence) = self.listen(deadline).await {
                return Err(self.failed(silence, "readyok").await);
            }
        }
        if self.protection == Protection::Refused {
            let reason = self.message.take();
            return Err(StartError::CopyProtected { reason });
        }
        Ok(())
    }

    async fn failed(&mut self, silence: Silence, awaited: &'static str) -> StartError {
        let patience: Duration = self.spec.timeouts.startup;
        let heard = std::mem::take(&mut self.heard);
        if silence == Silence::Closed || self.engine.wire.link.has_ended() {
            let death = self.engine.wire.death().await;
            return StartError::Died { death, heard };
        }
        StartError::NoHandshake {
            awaited,
            patience,
            heard,
        }
    }
}

impl From<Status<'_>> for Protection {
    fn from(status: Status<'_>) -> Self {
        match status {
            Status::Checking => Self::Checking,
            Status::Error => Self::Refused,
            _ => Self::Nothing,
        }
    }
}

/// `Unknown command: uci` and its many cousins.
fn is_complaint(text: Text<'_>, word: &str) -> bool {
    const WORDS: [&str; 6] = [
        "unknown",
        "illegal",
        "invalid",
        "unrecog",
        "not a command",
        "error",
    ];
    let text = text.to_string().to_ascii_lowercase();
    text.contains(word) && WORDS.iter().any(|complaint| text.contains(complaint))
}

/// A conversation in which both sides have said hello.
fn after_handshake(dialect: Dialect) -> HostSide {
    let mut talk = HostSide::new(dialect);
    talk.sent(&Command::hello(dialect));
    talk.received(&Report::Id(Id::new(IdKey::Name, "")));
    talk.received(&Report::handshake(dialect));
    talk
}
