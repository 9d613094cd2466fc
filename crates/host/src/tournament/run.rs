//! An event: a description and a file, to be begun or to go on with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::board::Board;
use super::command::Command;
use super::director::Director;
use super::event::MatchEvent;
use crate::config::MatchConfig;
use crate::driver::{Opener, StartError};
use crate::openings::OpeningError;
use crate::pairing::{Plan, Schedule};
use crate::record::{OutputError, now};
use crate::referee::Gauge;
use crate::spec::EngineSpec;
use crate::store::{EventRow, GameState, PlayerRow, Store, StoreError};

/// Why an event cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    /// The description in the file.
    #[error("{path}: the description in this file cannot be read: {detail}")]
    Description {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// There is no system to run on.
    #[error("{0}")]
    System(String),
}

/// Somebody who watches an event.
pub trait Watcher: Send {
    /// Whether to be told of every move.
    fn wants_plies(&self) -> bool {
        false
    }

    /// Something happened; the board has it already.
    fn event(&mut self, event: &MatchEvent, board: &Board);

    /// Asked after every game: a reason to stop, in words.
    fn verdict(&mut self, _board: &Board) -> Option<String> {
        None
    }
}

/// How an event ended.
#[derive(Debug)]
pub struct Summary {
    /// The numbers.
    pub board: Board,
    /// Every game was played.
    pub complete: bool,
    /// Why it stopped before, in words.
    pub stopped: Option<String>,
    /// The watcher stopped it.
    pub decided: bool,
    /// An engine or the machine ended it.
    pub trouble: Option<String>,
    /// Records that could not be written, in words.
    pub unwritten: Option<String>,
    /// From an answer to the next question.
    pub gauge: Arc<Gauge>,
    /// The latest the machine was.
    pub worst_lag: Duration,
    /// Places, in the formats that have their own.
    pub schedule: Schedule,
}

/// An event that is ready to run.
#[derive(Debug)]
pub struct Tournament {
    pub(super) config: MatchConfig,
    pub(super) store: Arc<Store>,
    pub(super) controls: mpsc::UnboundedReceiver<String>,
    pub(super) board: Board,
    pub(super) opener: Option<Opener>,
}

impl Tournament {
    /// Begins an event in a new file.
    pub fn create(config: MatchConfig, path: &Path) -> Result<Self, TournamentError> {
        let json =
            serde_json::to_string(&config).map_err(|error| TournamentError::Description {
                path: path.into(),
                detail: error.to_string(),
            })?;
        let event = EventRow {
            program: concat!("quadrille ", env!("CARGO_PKG_VERSION")).into(),
            created: now().to_string(),
            config: json,
        };
        let names: Vec<String> = config.engines.iter().map(|e| e.name().to_owned()).collect();
        let players: Vec<PlayerRow> = names
            .iter()
            .map(|name| PlayerRow {
                name: name.clone(),
                engine: None,
                author: None,
            })
            .collect();
        let (sender, controls) = mpsc::unbounded_channel();
        let store = Store::create(path, &event, &players, sender)?;
        Ok(Self {
            config,
            store: Arc::new(store),
            controls,
            board: Board::new(names),
            opener: None,
        })
    }

    /// Goes on with an event.
    pub fn resume(path: &Path) -> Result<Self, TournamentError> {
        let (sender, controls) = mpsc::unbounded_channel();
        let store = Store::resume(path, sender)?;
        let reader = store.reader()?;
        let config: MatchConfig =
            serde_json::from_str(&reader.event()?.config).map_err(|error| {
                TournamentError::Description {
                    path: path.into(),
                    detail: error.to_string(),
                }
            })?;
        let names = config.engines.iter().map(|e| e.name().to_owned());
        let mut board = Board::new(names.collect());
        let mut schedule = Schedule::new(&Plan::of(&config), |_| None);
        for row in reader.games()? {
            let Some(end) = row.end.filter(|_| row.state == GameState::Finished) else {
                continue;
            };
            // The next rounds of some formats follow from the results so far.
            if schedule.game(row.new.number).is_none() {
                schedule = Schedule::new(&Plan::of(&config), |n| board.result(n));
            }
            match schedule.game(row.new.number) {
                Some(pairing) if [pairing.white, pairing.black] == row.new.players => {
                    board.add(&pairing, &end);
                }
                _ => {
                    return Err(TournamentError::Description {
                        path: path.into(),
                        detail: format!("game {} is not one of its games", row.new.number),
                    });
                }
            }
        }
        drop(reader);
        Ok(Self {
            config,
            store: Arc::new(store),
            controls,
            board,
            opener: None,
        })
    }

    /// The description.
    pub const fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// The numbers so far.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Changes how engines are started, on this machine and for this run.
    pub fn resolve(&mut self, change: impl Fn(&mut EngineSpec)) {
        for entrant in &mut self.config.engines {
            change(&mut entrant.spec);
        }
    }

    /// Engines that the caller opens itself instead of having them started, for
    /// this run.
    pub fn set_opener(&mut self, opener: Opener) {
        self.opener = Some(opener);
    }

    /// Another number of games at once than the description says, for this run.
    pub fn set_concurrency(&mut self, concurrency: usize) {
        self.config.concurrency = concurrency.max(1);
    }

    /// Plays until the event is over or stopped.
    pub async fn run(
        self,
        commands: mpsc::UnboundedReceiver<Command>,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, TournamentError> {
        Director::new(self, watcher.wants_plies())?
            .run(commands, watcher)
            .await
    }
}
