//! Where games are played, and how each of them gets into the store.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::{AnyLine, Side};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

use super::event::MatchEvent;
use crate::openings::Opening;
use crate::pairing::Pairing;
use crate::referee::{Latencies, Ply};
use crate::store::{GameEnd, NewGame, Store};
use quadrille_driver::date::now;
use quadrille_driver::machine::Toll;
use quadrille_driver::{Identity, OptionList, StartError};

/// A future behind a trait.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A game, the number of a ply in it, and the ply.
pub(super) type MadePly = (u64, usize, Ply);

/// What is heard of a game while it is played.
pub trait Told: Send {
    /// A move was made; its number is counted from 1 at the start of the line.
    fn ply(&mut self, number: usize, ply: Ply);

    /// The game begins anew from its opening: what was told of it is void.
    fn again(&mut self);

    /// Returns whether [`stderr`](Self::stderr) is of use.
    fn wants_stderr(&self) -> bool {
        false
    }

    /// The last lines that the engine of a side wrote to standard error in the game.
    fn stderr(&mut self, side: Side, lines: Vec<String>) {
        let _ = (side, lines);
    }
}

/// Where games are played: this process ([`Local`](super::Local)), or workers
/// behind a queue. Which game is next, what is stored and when an event ends are
/// not its affair.
pub trait Venue: fmt::Debug + Send + Sync {
    /// Finds out before the first game whether a player can play at all, what
    /// its engine says it is, and which options it has.
    fn greet(&self, player: usize) -> Boxed<'_, Result<(Identity, OptionList), StartError>>;

    /// Plays a game from the end of a line, and tells every move. `place` is one
    /// that no other running game has. Dropping the future gives the game up.
    fn play<'a>(
        &'a self,
        pairing: Pairing,
        line: AnyLine,
        place: usize,
        told: &'a mut dyn Told,
    ) -> Boxed<'a, Result<GameEnd, GameTrouble>>;

    /// Returns the runtime that the game at this place is to run on; `None` for that of
    /// the caller.
    fn runtime(&self, place: usize) -> Option<Handle> {
        let _ = place;
        None
    }

    /// A game is in the store for good.
    fn kept(&self, game: u64) -> Boxed<'_, ()> {
        let _ = game;
        Box::pin(async {})
    }

    /// What else happened there since it was last asked, a few times a second.
    fn news(&self) -> Vec<MatchEvent> {
        Vec::new()
    }

    /// Another number of games may run at once.
    fn resize(&self, games: usize);

    /// No further game will begin. Those that are being played may end; one that
    /// nothing plays any more is given up.
    fn stopping(&self) {}

    /// What playing has cost so far.
    fn load(&self) -> Load;

    /// Ends what is left. `complete`: there will never be another game.
    fn close(&self, complete: bool) -> Boxed<'_, ()>;
}

/// What playing costs the host.
#[derive(Debug, Clone)]
pub struct Load {
    /// From an answer to the next question.
    pub latencies: Arc<Latencies>,
    /// The latest the machine was.
    pub worst_lag: Duration,
    /// What the machine took from engines.
    pub toll: Arc<Toll>,
}

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum GameTrouble {
    /// Both engines cannot play.
    #[error("neither engine can play: {white}; {black}")]
    NoEngines {
        /// What is wrong with White's.
        white: String,
        /// What is wrong with Black's.
        black: String,
    },
    /// The store.
    #[error("nothing can be stored any more")]
    Store,
    /// It was given up before its end.
    #[error("given up")]
    Abandoned,
    /// It ended in a way that is our fault.
    #[error("{0}")]
    Broken(String),
}

/// Writes games down while they are played.
#[derive(Debug, Clone)]
pub(super) struct Scribe {
    pub(super) store: Arc<Store>,
    /// For a watcher that wants to see every move.
    pub(super) plies: Option<mpsc::UnboundedSender<MadePly>>,
}

/// A game that is to be played.
#[derive(Debug)]
pub(super) struct Deal {
    pub(super) pairing: Pairing,
    pub(super) opening: Opening,
    /// The moves of the opening.
    pub(super) book: Vec<Ply>,
    pub(super) place: usize,
}

/// A game that is over and in the store.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) pairing: Pairing,
    pub(super) end: GameEnd,
    pub(super) plies: usize,
}

/// Plays a game from its opening to the store, or until all games are given up.
///
/// A game that has ended is never given up: what is in the store is counted.
pub(super) async fn play_deal(
    venue: Arc<dyn Venue>,
    scribe: Scribe,
    deal: Deal,
    mut given_up: watch::Receiver<bool>,
) -> Result<Finished, GameTrouble> {
    let Deal {
        pairing,
        opening: Opening { line, label },
        book,
        place,
    } = deal;
    let plies = book.len();
    scribe.store.game_started(NewGame {
        number: pairing.number,
        round: u64::from(pairing.round),
        pairing: pairing.encounter,
        players: [pairing.white, pairing.black],
        opening: pairing.opening,
        label,
        game: line.game(),
        rules: line.rules_text(),
        start: line.start_text(),
        book,
        started: now().to_string(),
    });
    let mut told = Taken {
        scribe: &scribe,
        game: pairing.number,
        opening: plies,
        plies,
    };
    let end = tokio::select! {
        biased;
        end = venue.play(pairing, line, place, &mut told) => end?,
        // A director that is gone has given up as well.
        _ = given_up.wait_for(|given_up| *given_up) => return Err(GameTrouble::Abandoned),
    };
    let committed = scribe.store.game_ended(pairing.number, end.clone());
    let plies = told.plies;
    committed.await.map_err(|_| GameTrouble::Store)?;
    venue.kept(pairing.number).await;
    Ok(Finished {
        pairing,
        end,
        plies,
    })
}

/// A game on its way into the store.
struct Taken<'a> {
    scribe: &'a Scribe,
    game: u64,
    /// Plies of the opening, and in all.
    opening: usize,
    plies: usize,
}

impl Told for Taken<'_> {
    fn ply(&mut self, number: usize, ply: Ply) {
        self.plies = number;
        if let Some(watcher) = &self.scribe.plies {
            // A watcher that has gone misses nothing.
            let _ = watcher.send((self.game, number, ply.clone()));
        }
        self.scribe.store.ply(self.game, number, ply);
    }

    fn again(&mut self) {
        if self.plies > self.opening {
            self.plies = self.opening;
            self.scribe.store.game_again(self.game);
        }
    }
}
