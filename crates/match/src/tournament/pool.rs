//! Engines between games.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use quadrille_client::findings::Findings;
use quadrille_games::Game;
use tokio::task::JoinSet;

use crate::config::Entrant;
use crate::log::{Log, Playing};
use quadrille_driver::{Engine, Opener, StartError};

use super::game_threads::GameThreads;

/// An engine that waits for its next game.
#[derive(Debug)]
pub(super) struct Pooled {
    pub(super) engine: Engine,
    /// What is written down about it already.
    pub(super) known: Findings,
    /// The game it plays, for the log.
    pub(super) playing: Playing,
}

/// Where a game is played: its place in the list of running games, and the
/// processors that go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) index: usize,
    pub(super) processors: Vec<usize>,
}

/// All engines that are not playing. There are never more of them than two for
/// each game that may run, so that many players do not fill the memory.
#[derive(Debug)]
pub(super) struct Pool {
    entrants: Vec<Entrant>,
    game: Game,
    /// The engines that the caller has itself.
    opener: Option<Opener>,
    log: Option<Log>,
    idle: Mutex<Idle>,
}

#[derive(Debug)]
struct Idle {
    /// The longest waiting first.
    waiting: VecDeque<Waiting>,
    most: usize,
    leaving: JoinSet<()>,
}

/// An engine and the slot in which it played last.
#[derive(Debug)]
struct Waiting {
    player: usize,
    slot: Slot,
    pooled: Pooled,
}

impl Waiting {
    /// How well it suits a game: an engine that is bound to processors stays with its
    /// slot, any other is best read by the thread that reads it already.
    fn suits(&self, player: usize, slot: &Slot) -> Option<Suits> {
        if self.player != player || self.slot.processors != slot.processors {
            return None;
        }
        let number = GameThreads::number;
        if number(self.slot.index) == number(slot.index) {
            Some(Suits::AsItIs)
        } else {
            Some(Suits::OnAnotherThread)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suits {
    AsItIs,
    OnAnotherThread,
}

impl Pool {
    pub(super) fn new(
        entrants: Vec<Entrant>,
        game: Game,
        opener: Option<Opener>,
        log: Option<Log>,
        most: usize,
    ) -> Self {
        Self {
            entrants,
            game,
            opener,
            log,
            idle: Mutex::new(Idle {
                waiting: VecDeque::new(),
                most,
                leaving: JoinSet::new(),
            }),
        }
    }

    pub(super) fn entrant(&self, player: usize) -> &Entrant {
        &self.entrants[player]
    }

    /// The number of games that may run has changed.
    pub(super) fn resize(&self, most: usize) {
        let mut idle = self.lock();
        idle.most = most;
        idle.shrink();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An engine of a player for a game: one that waits, or a new one.
    pub(super) async fn take(
        &self,
        player: usize,
        slot: &Slot,
        game: u64,
    ) -> Result<Pooled, StartError> {
        let found = self.lock().take(player, slot);
        match found {
            Some((suits, mut pooled)) => {
                if suits == Suits::OnAnotherThread {
                    pooled.engine.move_here();
                }
                pooled.playing.store(game, Ordering::Relaxed);
                Ok(pooled)
            }
            None => self.start(player, slot, game).await,
        }
    }

    /// A new engine of a player.
    pub(super) async fn start(
        &self,
        player: usize,
        slot: &Slot,
        game: u64,
    ) -> Result<Pooled, StartError> {
        let mut spec = self.entrants[player].spec.clone();
        if spec.affinity.is_empty() {
            spec.affinity.clone_from(&slot.processors);
        }
        let playing = Playing::new(game.into());
        let log = self.log.as_ref();
        let name = self.entrants[player].name();
        let tape = log.and_then(|log| log.tape(name, &playing));
        let own = self.opener.as_ref();
        let engine = match own.and_then(|own| own.open(&spec, self.game)) {
            Some(Ok(link)) => Engine::over_taped(link, &spec, self.game, tape).await?,
            Some(Err(source)) => {
                let program = spec.command;
                return Err(StartError::Spawn { program, source });
            }
            None => Engine::start_taped(&spec, self.game, tape).await?,
        };
        Ok(Pooled {
            // The user has been told before the first game.
            known: engine.findings().of_the_user(),
            engine,
            playing,
        })
    }

    /// An engine after its game. One that is broken, or that wants a fresh
    /// process for every game, leaves.
    pub(super) fn put(&self, player: usize, slot: &Slot, pooled: Pooled, keep: bool) {
        pooled.playing.store(0, Ordering::Relaxed);
        let mut idle = self.lock();
        if keep && pooled.engine.failure().is_none() && !self.entrants[player].spec.restart {
            idle.waiting.push_back(Waiting {
                player,
                slot: slot.clone(),
                pooled,
            });
            idle.shrink();
        } else {
            idle.leave(pooled);
        }
    }

    /// Says goodbye to all.
    pub(super) async fn close(&self) {
        let mut leaving = {
            let mut idle = self.lock();
            idle.most = 0;
            idle.shrink();
            std::mem::take(&mut idle.leaving)
        };
        while leaving.join_next().await.is_some() {}
    }
}

impl Idle {
    /// The engine of a player that suits a slot best.
    fn take(&mut self, player: usize, slot: &Slot) -> Option<(Suits, Pooled)> {
        let all = self.waiting.iter().enumerate();
        let suitable = all.filter_map(|(at, waiting)| Some((waiting.suits(player, slot)?, at)));
        let (suits, at) = suitable.min()?;
        Some((suits, self.waiting.remove(at)?.pooled))
    }

    fn shrink(&mut self) {
        while self.waiting.len() > self.most {
            if let Some(waiting) = self.waiting.pop_front() {
                self.leave(waiting.pooled);
            }
        }
    }

    fn leave(&mut self, mut pooled: Pooled) {
        // Those that have left already need not be waited for.
        while self.leaving.try_join_next().is_some() {}
        self.leaving.spawn(async move {
            pooled.engine.quit().await;
        });
    }
}
