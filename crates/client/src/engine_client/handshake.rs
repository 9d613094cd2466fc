//! From the greeting to an engine that is ready.

use std::mem;
use std::time::Duration;

use quadrille_games::Game;
use quadrille_protocol::{Command, Dialect, HostSide, Id, IdKey, Parsed, Report, Status, Text};

use super::{ClientConfig, ClientEvent, EngineClient, State};
use crate::dialect::dialect_of;
use crate::findings::HostDiagnostic;
use crate::moves::cut;
use crate::options::{EngineOption, OptionError};

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

/// A handshake that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// It was not finished in time.
    #[error("no {awaited} from the engine within {} s", .patience.as_secs_f64())]
    NoAnswer {
        /// The word that did not come.
        awaited: &'static str,
        /// How long the client waited.
        patience: Duration,
    },
    /// The engine speaks a dialect in which the game is not played.
    #[error("the engine speaks {dialect}, which cannot play {game}")]
    OtherGame {
        /// What it speaks.
        dialect: Dialect,
        /// What was wanted.
        game: Game,
    },
    /// Its copy protection refuses.
    #[error(
        "the engine's copy protection refuses to run{}",
        .reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default()
    )]
    CopyProtected {
        /// What the engine says about it.
        reason: Option<String>,
    },
    /// An option cannot be set as the user wants it.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Where a copy protection check stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protection {
    Nothing,
    Checking,
    Refused,
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

/// A handshake that is not over.
#[derive(Debug)]
pub(super) struct Handshake {
    config: ClientConfig,
    deadline: Option<Duration>,
    /// When the other dialect is tried, while there is silence.
    second_try: Option<Duration>,
    /// What may still be tried.
    other: Option<Dialect>,
    /// What has been tried second. The engine may still answer to the first.
    second: Option<Dialect>,
    /// Lines since then, whose dialect shows at the end of the handshake.
    undecided: Vec<u8>,
    /// The word that ended the handshake.
    done: Option<Dialect>,
    /// The options were set, and the engine is asked whether it is ready.
    prepared: bool,
    protection: Protection,
    /// The engine's last message for people.
    message: Option<String>,
}

impl Handshake {
    pub(super) fn deadline(&self) -> Option<Duration> {
        match self.other {
            Some(_) if self.done.is_none() => self.second_try,
            _ => self.deadline,
        }
    }

    pub(super) fn postpone(&mut self, shift: impl Fn(&mut Option<Duration>)) {
        shift(&mut self.deadline);
        shift(&mut self.second_try);
    }
}

impl EngineClient {
    /// The game's own dialect first; if there is silence for a third of the time, or a
    /// complaint about the word, the other one.
    pub(super) fn greet(&mut self, config: ClientConfig, now: Duration) {
        let other = match self.game {
            Game::Gyges => Dialect::Uci,
            _ => Dialect::Ugi,
        };
        for line in &config.init {
            self.send_line(line);
        }
        self.send(&Command::hello(self.dialect));
        let patience = self.timeouts.startup;
        self.state = State::Handshake(Box::new(Handshake {
            deadline: now.checked_add(patience),
            second_try: now.checked_add(patience / 3),
            other: config.dialect.is_none().then_some(other),
            second: None,
            undecided: Vec::new(),
            done: None,
            prepared: false,
            protection: Protection::Nothing,
            message: None,
            config,
        }));
    }

    /// The first lines of the engine, for an error message about its handshake.
    pub fn first_lines(&self) -> &[String] {
        &self.first_lines
    }

    /// The handshake, out of the state for a while.
    fn with_handshake<T>(&mut self, act: impl FnOnce(&mut Self, &mut Handshake) -> T) -> Option<T> {
        match mem::replace(&mut self.state, State::Over) {
            State::Handshake(mut handshake) => {
                let done = act(self, &mut handshake);
                self.state = State::Handshake(handshake);
                Some(done)
            }
            other => {
                self.state = other;
                None
            }
        }
    }

    pub(super) fn on_handshake_time(&mut self, now: Duration) -> Option<ClientEvent> {
        let patience = self.timeouts.startup;
        self.with_handshake(|client, handshake| {
            if handshake.done.is_none() && handshake.other.is_some() {
                client.try_other(handshake);
                return None;
            }
            let late = handshake.deadline.is_some_and(|deadline| now >= deadline);
            let awaited = match handshake.done {
                None => "uciok or ugiok",
                Some(_) => "readyok",
            };
            late.then_some(HandshakeError::NoAnswer { awaited, patience })
        })
        .flatten()
        .map(|error| self.fail_start(error))
    }

    fn fail_start(&mut self, error: HandshakeError) -> ClientEvent {
        self.state = State::Over;
        ClientEvent::StartFailed(error)
    }

    pub(super) fn on_handshake_line(&mut self, line: &[u8], _: Duration) -> Option<ClientEvent> {
        let over = self.with_handshake(|client, handshake| {
            if client.first_lines.len() < HEARD && !line.is_empty() {
                let text = cut(Text::from_bytes(line), LONGEST_HEARD);
                client.first_lines.push(text);
            }
            match handshake.second {
                Some(second) if handshake.done.is_none() => {
                    client.put_aside(handshake, line, second);
                }
                _ => client.take_in(handshake, line),
            }
            client.advance(handshake)
        })?;
        match over {
            Ok(false) => None,
            Ok(true) => Some(self.finish(ClientEvent::Started)),
            Err(error) => Some(self.fail_start(error)),
        }
    }

    /// Does what can be done now; returns whether the engine is ready.
    fn advance(&mut self, handshake: &mut Handshake) -> Result<bool, HandshakeError> {
        if handshake.done.is_none() {
            return Ok(false);
        }
        if !handshake.prepared {
            self.choose_dialect(handshake)?;
            self.set_options(handshake)?;
            self.send(&Command::IsReady);
            handshake.prepared = true;
        }
        if handshake.protection == Protection::Refused {
            let reason = handshake.message.take();
            return Err(HandshakeError::CopyProtected { reason });
        }
        let owed = self.conversation.owed().readyok > 0;
        Ok(!owed && handshake.protection != Protection::Checking)
    }

    fn try_other(&mut self, handshake: &mut Handshake) {
        if let Some(dialect) = handshake.other.take() {
            handshake.second = Some(dialect);
            // Not yet a part of the conversation: an engine that is slow answers the
            // first word.
            self.send_line(dialect.hello());
        }
    }

    /// Both words were said: what the engine says means one thing or another until
    /// its last word shows which it has answered.
    fn put_aside(&mut self, handshake: &mut Handshake, line: &[u8], second: Dialect) {
        let first = self.dialect;
        let parsed = Report::parse(line, first);
        let dialect = match parsed.message {
            Report::UciOk if !parsed.is_amid_words() => Dialect::Uci,
            Report::UgiOk if !parsed.is_amid_words() => Dialect::Ugi,
            _ => {
                let undecided = &mut handshake.undecided;
                if undecided.len() + line.len() < MOST_UNDECIDED {
                    undecided.extend_from_slice(line);
                    undecided.push(b'\n');
                }
                return;
            }
        };
        if (dialect == Dialect::Ugi) != (first == Dialect::Ugi) {
            self.dialect = second;
            self.conversation = HostSide::new(second);
            self.conversation.sent(&Command::hello(second));
        }
        let before = mem::take(&mut handshake.undecided);
        for line in before.split_inclusive(|byte| *byte == b'\n') {
            self.take_in(handshake, &line[..line.len() - 1]);
        }
        self.take_in(handshake, line);
    }

    /// Does what a line asks for.
    fn take_in(&mut self, handshake: &mut Handshake, line: &[u8]) {
        let parsed = Report::parse(line, self.dialect);
        // `I answer uciok then`, before anything was said about the engine.
        let named = self.identity.name.is_some() || self.options.iter().next().is_some();
        let mentioned = parsed.is_amid_words()
            && !named
            && matches!(parsed.message, Report::UciOk | Report::UgiOk);
        // Most programs greet with their name; no question was asked yet.
        let banner = handshake.done.is_none()
            && (mentioned || matches!(parsed.message, Report::Text(_) | Report::Empty));
        // Of two words of ours one is wrong, and the engine says so; or it knows both, and
        // answers twice.
        let complaint = complaint(&parsed);
        let doubted = handshake.second.is_some()
            && (complaint.is_some()
                || handshake.done.is_some() && is_introduction(&parsed.message));
        if !banner && !doubted {
            self.examine(&parsed);
        }
        if mentioned {
            return;
        }
        match parsed.message {
            Report::Id(id) => self.introduce(&id),
            Report::Option(line) => {
                if let Some(option) = EngineOption::read(&line) {
                    self.options.declare(option);
                }
            }
            Report::UciOk => handshake.done = handshake.done.or(Some(Dialect::Uci)),
            Report::UgiOk => handshake.done = handshake.done.or(Some(Dialect::Ugi)),
            Report::CopyProtection(status) => handshake.protection = status.into(),
            Report::Registration(Status::Error) => self.register(handshake),
            Report::Info(info) => {
                if let Some(text) = info.get_string() {
                    handshake.message = Some(text.to_string());
                }
            }
            _ => {}
        }
        let word = self.dialect.hello();
        let asked = handshake.other.is_some() && handshake.done.is_none();
        if asked && complaint.is_some_and(|text| text.contains(word)) {
            self.try_other(handshake);
        }
    }

    fn introduce(&mut self, id: &Id<'_>) {
        let identity = &mut self.identity;
        let value = cut(id.value, LONGEST_ID);
        match id.key {
            IdKey::Name => identity.name = Some(value),
            IdKey::Author => identity.author = Some(value),
            IdKey::Version => identity.version = Some(value),
            IdKey::Pieces => identity.pieces = Some(value),
            IdKey::Username => identity.username = Some(value),
            IdKey::Feature if identity.features.len() < 100 => identity.features.push(value),
            _ => {}
        }
    }

    fn register(&mut self, handshake: &Handshake) {
        let waits = self.answer_registration();
        // The verdict on name and code comes before the answer to this.
        if waits && handshake.prepared {
            self.send(&Command::IsReady);
        }
    }

    /// What the last word of the handshake and the `id` lines say.
    fn choose_dialect(&mut self, handshake: &Handshake) -> Result<(), HandshakeError> {
        let game = self.game;
        let ugi = handshake.done == Some(Dialect::Ugi);
        let dialect = match game {
            Game::Gyges if ugi => Dialect::Ugi,
            _ if ugi || game == Game::Gyges => {
                let dialect = if ugi { Dialect::Ugi } else { Dialect::Uci };
                return Err(HandshakeError::OtherGame { dialect, game });
            }
            // A client of ULCI names the version; one that does not is to be
            // treated as an engine of plain UCI.
            Game::Chess | Game::Liberty if self.identity.version.is_some() => Dialect::Ulci,
            Game::Liberty => Dialect::Uci,
            game => dialect_of(game),
        };
        let dialect = handshake.config.dialect.unwrap_or(dialect);
        if dialect != self.dialect {
            self.dialect = dialect;
            self.conversation = after_handshake(dialect);
        }
        Ok(())
    }

    /// The user's options: those that others depend on first.
    fn set_options(&mut self, handshake: &Handshake) -> Result<(), HandshakeError> {
        let rank = |name: &str| {
            let place = FIRST
                .iter()
                .position(|first| first.eq_ignore_ascii_case(name));
            place.unwrap_or(FIRST.len())
        };
        let mut wanted: Vec<_> = handshake.config.options.iter().collect();
        wanted.sort_by_key(|(name, _)| rank(name));
        for (name, value) in wanted {
            let option = self.options.get(name);
            if option.is_some_and(EngineOption::is_managed) {
                self.findings
                    .add(HostDiagnostic::HostOption, name.as_bytes());
                continue;
            }
            match self.put_option(name, value.as_deref()) {
                Ok(()) => {}
                Err(OptionError::Unknown { .. }) => {
                    self.findings
                        .add(HostDiagnostic::UnknownOption, name.as_bytes());
                }
                Err(error) => return Err(HandshakeError::Option(error)),
            }
        }
        let ponder = handshake.config.ponder;
        self.manage("Ponder", if ponder { "true" } else { "false" });
        self.ponders = ponder && self.dialect != Dialect::Ulci;
        Ok(())
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
    let mut conversation = HostSide::new(dialect);
    conversation.sent(&Command::hello(dialect));
    conversation.received(&Report::Id(Id::new(IdKey::Name, "")));
    conversation.received(&Report::handshake(dialect));
    conversation
}
