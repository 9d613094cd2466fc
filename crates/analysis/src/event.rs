//! What happens in an analysis, for those who watch.

use std::time::Duration;

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use super::report::{Evaluation, GameReport};

/// Something that happened. As JSON each is an object whose `event` names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum AnalysisEvent {
    /// The games are read; engines are started when they are needed.
    Start {
        /// Games in the file.
        games: u64,
        /// Positions to be looked at, for each engine.
        positions: u64,
        /// The engines, as they were described.
        engines: Vec<String>,
        /// Games at once.
        concurrency: usize,
    },
    /// A game is taken up.
    GameStart {
        /// Its number, from 1.
        number: u64,
        /// Which game it is.
        game: Game,
        /// The first player.
        white: String,
        /// The second player.
        black: String,
        /// Moves of its main line.
        plies: usize,
    },
    /// An engine has answered, or its answer was known.
    Position {
        /// The number of the game.
        number: u64,
        /// The moves before the position: 0 is the start.
        ply: usize,
        /// Which engine.
        engine: usize,
        /// Whether the answer was in the cache.
        cached: bool,
        /// The answer.
        evaluation: Option<Evaluation>,
        /// Positions done, of all games and engines.
        done: u64,
        /// Positions in all.
        total: u64,
        /// How long the rest will take, as it looks.
        #[serde(with = "quadrille_client::serial::some_millis")]
        left: Option<Duration>,
    },
    /// A game is done.
    GameEnd {
        /// Everything about it.
        report: Box<GameReport>,
    },
    /// A game stays as it is.
    GameKept {
        /// Its number.
        number: u64,
        /// The line of the file that is to blame, or where the game begins.
        line: u64,
        /// What kind of reason.
        why: Kept,
        /// The reason.
        reason: String,
    },
    /// It is over.
    End {
        /// Games that were analysed.
        analysed: u64,
        /// Games that stay as they were.
        kept: u64,
        /// Positions whose answers were in the cache.
        cached: u64,
        /// Positions that engines were asked about.
        searched: u64,
        /// Whether it was broken off.
        cancelled: bool,
        /// How long it took.
        #[serde(with = "quadrille_client::serial::millis")]
        elapsed: Duration,
    },
}

/// Why a game stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// It cannot be read.
    Broken,
    /// It has no moves.
    Empty,
    /// An engine could not be used for it.
    Failed,
}

/// Hears what happens. It is called from the future that runs the analysis and
/// should not wait.
pub trait Watch {
    /// Something happened.
    fn see(&mut self, event: &AnalysisEvent);
}

impl<F: FnMut(&AnalysisEvent)> Watch for F {
    fn see(&mut self, event: &AnalysisEvent) {
        self(event);
    }
}

/// Does not look.
impl Watch for () {
    fn see(&mut self, _: &AnalysisEvent) {}
}
