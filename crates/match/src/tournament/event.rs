//! What happens in an event, for those who watch.

use std::path::PathBuf;
use std::time::Duration;

use quadrille_client::findings::Finding;
use quadrille_games::Side;
use quadrille_games::records::GameResult;
use serde::{Deserialize, Serialize};

use super::standing::Standing;
use crate::referee::Ply;

/// Something that happened. As JSON each is an object whose `event` names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum MatchEvent {
    /// The engines are there; games begin.
    Start {
        /// The file that holds everything.
        store: PathBuf,
        /// The name of the event.
        name: String,
        /// The names of the players; elsewhere they are indexes in this list.
        players: Vec<String>,
        /// Games that are finished already.
        finished: u64,
        /// Games in all, as far as that is known.
        games: u64,
        /// How many run at once.
        concurrency: usize,
    },
    /// A game begins.
    GameStart {
        /// Its number, from 1.
        game: u64,
        /// The round.
        round: u32,
        /// The player with White.
        white: usize,
        /// The player with Black.
        black: usize,
        /// The opening, for people.
        opening: String,
        /// Who makes the first ply.
        first: Side,
        /// The position before the moves of the opening.
        start: String,
        /// The moves of the opening.
        moves: Vec<String>,
    },
    /// A move was made.
    Ply {
        /// The game.
        game: u64,
        /// The number of the move in plies, from 1, the opening's included.
        ply: usize,
        /// The move.
        #[serde(flatten)]
        made: Box<Ply>,
    },
    /// A game is over and in the store.
    GameEnd {
        /// Its number.
        game: u64,
        /// The round.
        round: u32,
        /// The player with White.
        white: usize,
        /// The player with Black.
        black: usize,
        /// `1-0`, `0-1`, `1/2-1/2`.
        #[serde(with = "quadrille_client::serial::result")]
        result: GameResult,
        /// The word of the PGN tag `Termination`.
        termination: String,
        /// The whole sentence.
        reason: String,
        /// Plies, the opening's included.
        plies: usize,
        /// How long it took; milliseconds in JSON.
        #[serde(with = "quadrille_client::serial::millis")]
        duration: Duration,
        /// What the engines did wrong.
        findings: Vec<Finding>,
    },
    /// What the results mean, after every game, and at once where games were
    /// finished before.
    Score(Box<Standing>),
    /// A game was given up; it will be played again after a resume.
    GameAbandoned {
        /// Its number.
        game: u64,
    },
    /// A game could not be played, and the event cannot go on.
    Trouble {
        /// The game.
        game: u64,
        /// Why.
        reason: String,
    },
    /// Something that the user should know, and the event goes on.
    Warning {
        /// What.
        reason: String,
    },
    /// A game begins anew from its opening, because what played it was lost or
    /// is not believed; its moves so far are void.
    GameAgain {
        /// The game.
        game: u64,
        /// Why.
        reason: String,
    },
    /// Where games are played on other machines: how many those are, and how
    /// quick. Told when it changes.
    Workers {
        /// Workers that play for this event.
        workers: usize,
        /// Games that they are playing now.
        in_flight: usize,
        /// Games that ended in the last minutes, for each minute.
        games_per_minute: f64,
    },
    /// No new games for now.
    Paused,
    /// New games again.
    Resumed,
    /// Another number of games at once.
    Concurrency {
        /// How many.
        concurrency: usize,
    },
    /// No new games any more: a command, or the test is decided.
    Stopping {
        /// Why.
        reason: String,
    },
}
