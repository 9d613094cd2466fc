//! From a fresh process to an engine that is ready.

use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_client::moves::cut;
use quadrille_client::{EngineOption, OptionError, dialect_of};
use quadrille_games::Game;
use quadrille_protocol::{Command, Dialect, HostSide, Id, IdKey, Parsed, Report, Status, Text};

use super::engine::Engine;
use super::error::StartError;
use super::wire::Silence;
use crate::machine::Deadline;
use crate::spec::EngineSpec;

/// How many of the engine's first lines are kept for an error message.
const HEARD: usize = 10;

/// As much of such a line, and of what an engine says about itself, as is worth
/// reading.
const LONGEST_HEARD: usize = 200;
const LONGEST_ID: usize = 500;

/// Options that are set before all others, in this order: the value of Hash "should be
/// answered with the first setoption command at program boot", and memory may be divided
/// among threads.
const FIRST: [&str; 2] = ["Hash", "Threads"];

/// How many bytes of lines are kept until it is known in which dialect they are.
const MOST_UNDECIDED: usize = 4 << 20;

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
    /// What has been tried second. The engine may still answer to the first.
    second: Option<Dialect>,
    /// Lines since then, whose dialect shows at the end of the handshake.
    undecided: Vec<u8>,
    /// The word that ended the handshake.
    done: Option<Dialect>,
    protection: Protection,
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
        second: None,
        undecided: Vec::new(),
        done: None,
        protection: Protection::Nothing,
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
            self.second = Some(dialect);
            // Not yet a part of the conversation: an engine that is slow answers the
            // first word.
            self.engine.say_line(dialect.hello());
            self.engine.flush();
        }
    }

    /// Reads a line and does what it asks for.
    async fn listen(&mut self, deadline: Option<Deadline>) -> Result<(), Silence> {
        self.engine.read_until(deadline.as_ref()).await?;
        let line = std::mem::take(&mut self.engine.wire.line);
        if self.heard.len() < HEARD && !line.is_empty() {
            self.heard.push(cut(Text::from_bytes(&line), LONGEST_HEARD));
        }
        match self.second {
            Some(second) if self.done.is_none() => self.put_by(&line, second),
            _ => self.take_in(&line),
        }
        // Its memory is used again.
        self.engine.wire.line = line;
        Ok(())
    }

    /// Both words were said: what the engine says means one thing or another until
    /// its last word shows which it has answered.
    fn put_by(&mut self, line: &[u8], second: Dialect) {
        let first = self.engine.dialect();
        let parsed = Report::parse(line, first);
        let dialect = match parsed.message {
            Report::UciOk if !parsed.is_amid_words() => Dialect::Uci,
            Report::UgiOk if !parsed.is_amid_words() => Dialect::Ugi,
            _ => {
                if self.undecided.len() + line.len() < MOST_UNDECIDED {
                    self.undecided.extend_from_slice(line);
                    self.undecided.push(b'\n');
                }
                return;
            }
        };
        if (dialect == Dialect::Ugi) != (first == Dialect::Ugi) {
            let ear = &mut self.engine.ear;
            ear.dialect = second;
            ear.talk = HostSide::new(second);
            ear.talk.sent(&Command::hello(second));
        }
        let before = std::mem::take(&mut self.undecided);
        for line in before.split_inclusive(|byte| *byte == b'\n') {
            self.take_in(&line[..line.len() - 1]);
        }
        self.take_in(line);
    }

    /// Does what a line asks for.
    fn take_in(&mut self, line: &[u8]) {
        let Engine {
            ear,
            identity,
            options,
            ..
        } = &mut *self.engine;
        let parsed = Report::parse(line, ear.dialect);
        // `I answer uciok then`, before anything was said about the engine.
        let named = identity.name.is_some() || options.iter().next().is_some();
        let mentioned = parsed.is_amid_words()
            && !named
            && matches!(parsed.message, Report::UciOk | Report::UgiOk);
        // Most programs greet with their name; no question was asked yet.
        let banner = self.done.is_none()
            && (mentioned || matches!(parsed.message, Report::Text(_) | Report::Empty));
        // Of two words of ours one is wrong, and the engine says so; or it knows both, and
        // answers twice.
        let complaint = complaint(&parsed);
        let doubted = self.second.is_some()
            && (complaint.is_some() || self.done.is_some() && is_introduction(&parsed.message));
        if !banner && !doubted {
            ear.note(&parsed);
        }
        if mentioned {
            return;
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
            Report::UciOk => self.done = self.done.or(Some(Dialect::Uci)),
            Report::UgiOk => self.done = self.done.or(Some(Dialect::Ugi)),
            Report::CopyProtection(status) => self.protection = status.into(),
            Report::Registration(Status::Error) => self.register(),
            Report::Info(info) => {
                if let Some(text) = info.get_string() {
                    self.message = Some(text.to_string());
                }
            }
            _ => {}
        }
        let word = self.engine.dialect().hello();
        if self.other.is_some() && complaint.is_some_and(|text| text.contains(word)) {
            self.try_other();
        }
    }

    fn register(&mut self) {
        let waits = self.engine.answer_registration();
        // The verdict on name and code comes before the answer to this.
        if waits && self.done.is_some() {
            self.engine.say(&Command::IsReady);
            self.engine.flush();
        }
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
                findings.add(HostDiagnostic::HostOption, name.as_bytes());
                continue;
            }
            match self.engine.put_option(name, value.as_deref()) {
                Ok(()) => {}
                Err(OptionError::Unknown { .. }) => {
                    let findings = &mut self.engine.ear.findings;
                    findings.add(HostDiagnostic::UnknownOption, name.as_bytes());
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

/// Whether this belongs to an answer to `uci` or `ugi`, or is meant for people.
const fn is_introduction(report: &Report<'_>) -> bool {
    matches!(
        report,
        Report::Id(_)
            | Report::Option(_)
            | Report::UciOk
            | Report::UgiOk
            | Report::Text(_)
            | Report::Empty
    )
}

/// A complaint about what we said, in small letters: `Unknown command: uci` and its many
/// cousins, as text or as a message for people.
fn complaint(parsed: &Parsed<'_, Report<'_>>) -> Option<String> {
    const WORDS: [&str; 6] = [
        "unknown",
        "illegal",
        "invalid",
        "unrecog",
        "not a command",
        "error",
    ];
    match &parsed.message {
        Report::Text(_) => {}
        Report::Info(info) if !info.is_about_search() => {}
        _ => return None,
    }
    let text = Text::from_bytes(parsed.exact());
    let text = text.to_string().to_ascii_lowercase();
    WORDS
        .iter()
        .any(|complaint| text.contains(complaint))
        .then_some(text)
}

/// A conversation in which both sides have said hello.
fn after_handshake(dialect: Dialect) -> HostSide {
    let mut talk = HostSide::new(dialect);
    talk.sent(&Command::hello(dialect));
    talk.received(&Report::Id(Id::new(IdKey::Name, "")));
    talk.received(&Report::handshake(dialect));
    talk
}
