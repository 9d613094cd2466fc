//! An event: a description and a file, to be begun or to go on with.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::archive::History;
use super::changes::Change;
use super::command::Command;
use super::director::Director;
use super::event::MatchEvent;
use super::logged::Logged;
use super::oversubscription::Oversubscription;
use super::results::Results;
use super::separate_files::{SameFile, keep_apart};
use super::venue::{Load, Venue};
use crate::config::{ConfigError, MatchConfig};
use crate::log::Log;
use crate::openings::OpeningError;
use crate::pairing::Schedule;
use crate::record::OutputError;
use crate::stats::Decision;
use crate::store::{EventRow, PROGRAM, PlayerRow, Store, StoreError, claim};
use quadrille_driver::date::now;
use quadrille_driver::{Opener, OptionError, StartError};

/// Why an event cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Two files that must not be one.
    #[error(transparent)]
    SameFile(#[from] SameFile),
    /// The openings.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A file of games or positions.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Endgame tables.
    #[error("endgame tables: {0}")]
    Tables(#[from] quadrille_search::chess::SyzygyError),
    /// An engine that cannot be used at all.
    #[error("engine '{name}': {error}")]
    Engine {
        /// Its name.
        name: String,
        /// Why.
        error: StartError,
    },
    /// An option that is nowhere to be found.
    #[error("engine '{name}': {error}")]
    Option {
        /// The engine for which it was set.
        name: String,
        /// What is wrong.
        error: OptionError,
    },
    /// The description in the file.
    #[error("{path}: the description in this file cannot be read: {detail}")]
    Description {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// A file of games.
    #[error("{path} cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A change after which a finished game would not be one of the event's.
    #[error(
        "-rounds {rounds} instead of {before} cannot be: game {game} is finished, and would be another \
         or none; take at least as many rounds as have begun (in a knockout, the same number)"
    )]
    Change {
        /// What was wished for.
        rounds: u32,
        /// What it is.
        before: u32,
        /// The first such game.
        game: u64,
    },
    /// A change that no event can have.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is no system to run on.
    #[error("{0}")]
    System(String),
}

impl TournamentError {
    /// Whether what the user wrote is wrong, and not an engine or the machine.
    pub fn is_in_the_description(&self) -> bool {
        match self {
            Self::Opening(_)
            | Self::Tables(_)
            | Self::Option { .. }
            | Self::SameFile(_)
            | Self::Unreadable { .. } => true,
            Self::Engine { error, .. } => error.is_in_the_description(),
            Self::Output(error) => error.is_in_the_description(),
            _ => false,
        }
    }
}

/// Watches an event.
pub trait Watcher: Send {
    /// Whether to be told of every move.
    fn wants_plies(&self) -> bool {
        false
    }

    /// Something happened; the results have it already. Games go on while this
    /// runs only if it does not wait: whatever may block belongs on a thread of
    /// the watcher's own.
    fn event(&mut self, event: &MatchEvent, results: &Results);

    /// Whether it has more to tell than its readers take. Then running games go
    /// on, but no new one begins until it has caught up: nothing is lost, and what
    /// waits to be told is bounded by the games that run.
    fn is_behind(&self) -> bool {
        false
    }
}

/// For events that are not watched.
impl Watcher for () {
    fn event(&mut self, _: &MatchEvent, _: &Results) {}
}

/// How an event ended.
#[derive(Debug)]
pub struct Summary {
    /// All results.
    pub results: Results,
    /// Every game was played.
    pub complete: bool,
    /// Why it stopped before, in words.
    pub stopped: Option<String>,
    /// It stopped because its test was decided.
    pub decided: bool,
    /// An engine or the machine ended it.
    pub trouble: Option<String>,
    /// Records or a log that could not be written, in words.
    pub unwritten: Option<String>,
    /// What playing cost.
    pub load: Load,
    /// Places, in the formats that have their own.
    pub schedule: Schedule,
}

/// What the end of an event means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Played to the end without a test, or the test accepted the stronger
    /// hypothesis.
    Good,
    /// An engine or the machine ended it.
    Trouble,
    /// The test accepted the weaker hypothesis.
    Weaker,
    /// Every game was played, and the test is not decided.
    Undecided,
    /// Stopped before the end; it can be resumed.
    Stopped,
    /// Played to the end, but strictly and with complaints.
    Strict,
}

impl Summary {
    /// What it all means. Trouble comes before everything else, and a strict
    /// event with complaints proves nothing about strength.
    pub fn verdict(&self) -> Verdict {
        let standing = self.results.standing();
        if self.trouble.is_some() || self.unwritten.is_some() {
            Verdict::Trouble
        } else if self.stopped.is_some() && !self.decided {
            Verdict::Stopped
        } else if standing.fails_strictly() {
            Verdict::Strict
        } else {
            match standing.sprt.as_ref().map(|test| test.decision) {
                None | Some(Decision::AcceptH1) => Verdict::Good,
                Some(Decision::AcceptH0) => Verdict::Weaker,
                Some(Decision::Continue) => Verdict::Undecided,
            }
        }
    }
}

/// A description as it is kept.
pub(super) fn describe(config: &MatchConfig, path: &Path) -> Result<String, TournamentError> {
    serde_json::to_string(config).map_err(|error| TournamentError::Description {
        path: path.into(),
        detail: error.to_string(),
    })
}

/// Keeps small texts with an event while it runs.
#[derive(Debug, Clone)]
pub struct Notes(Weak<Store>);

impl Notes {
    /// Keeps a text; after the end of the event there is nothing to keep it in.
    pub fn keep(&self, key: &'static str, value: String) {
        if let Some(store) = self.0.upgrade() {
            store.note(key, value);
        }
    }
}

/// An event that is ready to run.
#[derive(Debug)]
pub struct Tournament {
    pub(super) config: MatchConfig,
    pub(super) store: Arc<Store>,
    pub(super) controls: mpsc::UnboundedReceiver<String>,
    pub(super) results: Results,
    pub(super) changes: Vec<Change>,
    pub(super) opener: Option<Opener>,
    pub(super) venue: Option<Arc<dyn Venue>>,
}

impl Tournament {
    /// Begins an event in the file that its description names, or in a new one
    /// of this folder that is named after the event and this moment.
    pub fn begin(config: MatchConfig) -> Result<Self, TournamentError> {
        let Some(path) = config.output.store.clone() else {
            let path = claim(Path::new(""), &config.output.event, &now().to_string())?;
            return Self::create(config, &path).inspect_err(|_| Store::remove(&path));
        };
        Self::create(config, &path)
    }

    /// Begins an event in a new file.
    pub fn create(config: MatchConfig, path: &Path) -> Result<Self, TournamentError> {
        keep_apart(&config, path)?;
        let json = describe(&config, path)?;
        let event = EventRow {
            program: PROGRAM.into(),
            created: now().to_string(),
            config: json,
        };
        let players: Vec<PlayerRow> = config
            .engines
            .iter()
            .map(|entrant| PlayerRow {
                name: entrant.name().to_owned(),
                engine: None,
                author: None,
            })
            .collect();
        let (sender, controls) = mpsc::unbounded_channel();
        let store = Store::create(path, &event, &players, sender)?;
        Ok(Self {
            results: Results::new(&config),
            config,
            store: Arc::new(store),
            controls,
            changes: Vec::new(),
            opener: None,
            venue: None,
        })
    }

    /// Goes on with an event.
    pub fn resume(path: &Path) -> Result<Self, TournamentError> {
        let (sender, controls) = mpsc::unbounded_channel();
        let store = Store::resume(path, sender)?;
        let reader = store.reader()?;
        let history = History::read(&reader, path)?;
        let changes = Change::all(&reader)?;
        drop(reader);
        Ok(Self {
            config: history.config,
            store: Arc::new(store),
            controls,
            results: history.results,
            changes,
            opener: None,
            venue: None,
        })
    }

    /// The description.
    pub const fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// The names of the players.
    pub fn names(&self) -> &[String] {
        self.results.names()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// Says which program is meant by `builtin` on this machine, in this run.
    /// See [`EngineSpec::resolve_builtin`](quadrille_driver::spec::EngineSpec::resolve_builtin).
    pub fn resolve_builtin(&mut self, program: &Path) {
        for entrant in &mut self.config.engines {
            let spec = &mut entrant.spec;
            spec.resolve_builtin(program, self.config.rules.game, &self.config.rules.rules);
        }
    }

    /// Engines that the caller opens itself instead of having them started, for
    /// this run.
    pub fn set_opener(&mut self, opener: Opener) {
        self.opener = Some(opener);
    }

    /// Has the games played elsewhere in this run: nothing is started here, and
    /// what `cmd=` names is a matter of the venue.
    pub fn set_venue(&mut self, venue: Arc<dyn Venue>) {
        self.venue = Some(venue);
    }

    /// The numbers of the games that are finished.
    pub fn finished_games(&self) -> Result<Vec<u64>, TournamentError> {
        Ok(self.store.reader()?.finished(1)?)
    }

    /// A small text that a venue has kept with the event.
    pub fn note(&self, key: &str) -> Result<Option<String>, TournamentError> {
        Ok(self.store.reader()?.note(key)?)
    }

    /// What keeps small texts with the event while it runs.
    pub fn notes(&self) -> Notes {
        Notes(Arc::downgrade(&self.store))
    }

    /// Keeps a small text with the event. Resolves when it is in the file.
    pub async fn keep_note(&self, key: &'static str, value: String) -> Result<(), TournamentError> {
        self.store.note(key, value);
        match self.store.flushed().await {
            Ok(()) => Ok(()),
            Err(_) => Err(match self.store.failure() {
                Some(failure) => failure.into(),
                None => TournamentError::System("nothing can be stored any more".into()),
            }),
        }
    }

    /// Plays until the event is over or stopped.
    pub async fn run(
        mut self,
        commands: mpsc::UnboundedReceiver<Command>,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, TournamentError> {
        // The store keeps what was asked for: another machine may have the processors.
        let over = Oversubscription::check(&self.config, self.config.machine.concurrency).err();
        if let Some(over) = &over {
            self.config.machine.concurrency = over.fitting();
        }
        let log = match &self.config.output.log {
            Some(wanted) => Some(Log::start(wanted, self.path()).map_err(|error| {
                let path = wanted.file.clone().unwrap_or_default();
                OutputError::Io { path, error }
            })?),
            None => None,
        };
        let mut director = Director::new(self, watcher.wants_plies(), log.clone())?;
        director.warn(over.map(|over| over.to_string()));
        let Some(log) = log else {
            return director.run(commands, watcher).await;
        };
        let mut logged = Logged {
            log: log.clone(),
            watcher,
        };
        let mut summary = director.run(commands, &mut logged).await?;
        if let Some(reason) = log.close() {
            summary.unwritten.get_or_insert(reason);
        }
        Ok(summary)
    }
}
