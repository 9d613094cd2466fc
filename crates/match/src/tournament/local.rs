//! Games that are played in this process: engines from a pool, and a referee.

use std::sync::Arc;
use std::time::Instant;

use quadrille_games::{AnyLine, Side};
use tokio::runtime::Handle;

use super::game_threads::GameThreads;
use super::oversubscription::most_threads;
use super::pool::{Pool, Pooled, Slot};
use super::run::TournamentError;
use super::venue::{Boxed, GameTrouble, Load, Told, Venue};
use crate::config::{Entrant, GameRules, MatchConfig};
use crate::log::Log;
use crate::pairing::Pairing;
use crate::referee::{
    Adjudication, AdjudicationRules, Conditions, Ending, Fault, Latencies, Player, Ply, play,
};
use crate::stats::Effort;
use crate::store::GameEnd;
use quadrille_driver::date::now;
use quadrille_driver::machine::{LagMeter, processors};
use quadrille_driver::{Failure, Identity, Opener, Opponent, OptionList, StartError};

/// This process as a venue: engines from a pool, and a referee.
#[derive(Debug)]
pub struct Local {
    pool: Pool,
    /// Outlive the engines that are read on them.
    threads: GameThreads,
    conditions: Conditions,
    /// Processors to bind games to; empty to leave that to the system.
    processors: Vec<usize>,
    /// Processors for each game.
    each: usize,
}

/// The conditions of single games, whatever event they belong to: all that a machine is told
/// which plays for others, and all that it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct GameConditions {
    /// Who may play; a pairing names two of them.
    pub players: Vec<Entrant>,
    /// The rules of every game.
    pub rules: GameRules,
}

impl Local {
    /// A venue for games under these conditions, of which so many may run at once.
    /// `opener` is asked first for engines, before a program is started.
    pub fn new(
        conditions: GameConditions,
        games: usize,
        opener: Option<Opener>,
    ) -> Result<Self, TournamentError> {
        Self::set_up(conditions, games, Vec::new(), opener, None)
    }

    /// The venue of an event on this machine; what engines say is written down.
    pub(super) fn of_event(
        config: &MatchConfig,
        opener: Option<Opener>,
        log: Option<Log>,
    ) -> Result<Self, TournamentError> {
        let conditions = GameConditions {
            players: config.engines.clone(),
            rules: config.rules.clone(),
        };
        let machine = &config.machine;
        let processors = match (machine.affinity, &machine.processors[..]) {
            (false, _) => Vec::new(),
            (true, []) => (0..processors()).collect(),
            (true, wanted) => wanted.to_vec(),
        };
        Self::set_up(conditions, machine.concurrency, processors, opener, log)
    }

    fn set_up(
        conditions: GameConditions,
        games: usize,
        processors: Vec<usize>,
        opener: Option<Opener>,
        log: Option<Log>,
    ) -> Result<Self, TournamentError> {
        let GameConditions { players, rules } = conditions;
        let shared = Conditions {
            adjudication: Adjudication::new(AdjudicationRules::of(&rules))?,
            clock: rules.clock,
            lag: LagMeter::start(),
            toll: Arc::default(),
            latencies: Arc::new(Latencies::default()),
        };
        Ok(Self {
            each: most_threads(&players).min(processors.len()),
            pool: Pool::new(players, rules.game, opener, log, most_waiting(games)),
            threads: GameThreads::default(),
            conditions: shared,
            processors,
        })
    }

    /// The processors of a place: as many for each as its engines have threads.
    fn slot(&self, index: usize) -> Slot {
        let all = &self.processors;
        let own = (0..self.each).map(|n| all[(index * self.each + n) % all.len()]);
        Slot {
            index,
            processors: own.collect(),
        }
    }

    fn player(&self, player: usize, pooled: Pooled) -> Player {
        let entrant = self.pool.entrant(player);
        Player {
            engine: pooled.engine,
            known: pooled.known,
            time: entrant.time.clone(),
            margin: entrant.margin,
            grace: entrant.spec.timeouts.grace,
            white_pov: entrant.spec.white_pov,
        }
    }

    async fn play_game(
        &self,
        pairing: Pairing,
        line: AnyLine,
        place: usize,
        told: &mut dyn Told,
    ) -> Result<GameEnd, GameTrouble> {
        let started = Instant::now();
        let slot = self.slot(place);
        let (white, black) = tokio::join!(
            self.seat(&pairing, Side::White, &slot),
            self.seat(&pairing, Side::Black, &slot)
        );
        let (ending, sides, findings) = match (white, black) {
            (Ok(white), Ok(black)) => {
                let playing = [&white, &black].map(|pooled| Arc::clone(&pooled.playing));
                let players = [
                    self.player(pairing.white, white),
                    self.player(pairing.black, black),
                ];
                let before = players
                    .each_ref()
                    .map(|player| player.engine.stderr_lines());
                let mut tell = |number: usize, ply: Ply| told.ply(number, ply);
                let played = play(players, line, &self.conditions, &mut tell).await;
                let [white, black] = played.engines;
                if told.wants_stderr() {
                    for (side, engine) in [(Side::White, &white), (Side::Black, &black)] {
                        told.stderr(side, engine.stderr_since(before[side.index()]));
                    }
                }
                let loser = played.ending.loser();
                let breaks = played.ending.termination.breaks_engine();
                for (side, engine) in [(Side::White, white), (Side::Black, black)] {
                    let known = engine.findings();
                    let keep = !(breaks && loser == Some(side));
                    let who = pairing.player(side);
                    let pooled = Pooled {
                        engine,
                        known,
                        playing: Arc::clone(&playing[side.index()]),
                    };
                    self.pool.put(who, &slot, pooled, keep);
                }
                (played.ending, played.sides, played.findings)
            }
            (white, black) => (
                self.forfeit(&pairing, &slot, white, black)?,
                [Effort::default(); 2],
                Vec::new(),
            ),
        };
        Ok(GameEnd {
            ending,
            ended: now().to_string(),
            duration_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
            sides,
            findings,
            played_at: None,
        })
    }

    /// An engine that is ready for a new game. One that broke while it waited
    /// gets a second chance in a fresh process.
    async fn seat(&self, pairing: &Pairing, side: Side, slot: &Slot) -> Result<Pooled, Absent> {
        let who = pairing.player(side);
        let mut pooled = self.pool.take(who, slot, pairing.number).await?;
        if self.prepare(pairing, side, &mut pooled).await.is_err() {
            self.pool.put(who, slot, pooled, false);
            pooled = self.pool.start(who, slot, pairing.number).await?;
            if let Err(failure) = self.prepare(pairing, side, &mut pooled).await {
                self.pool.put(who, slot, pooled, false);
                return Err(failure.into());
            }
        }
        Ok(pooled)
    }

    async fn prepare(
        &self,
        pairing: &Pairing,
        side: Side,
        pooled: &mut Pooled,
    ) -> Result<(), Failure> {
        let opponent = Opponent {
            name: self.pool.entrant(pairing.player(!side)).name().to_owned(),
            ..Opponent::default()
        };
        pooled.engine.set_opponent(&opponent).await?;
        pooled.engine.new_game().await
    }

    /// The end of a game for which an engine is missing.
    fn forfeit(
        &self,
        pairing: &Pairing,
        slot: &Slot,
        white: Result<Pooled, Absent>,
        black: Result<Pooled, Absent>,
    ) -> Result<Ending, GameTrouble> {
        let mut absent = Vec::new();
        for (side, seat) in [(Side::White, white), (Side::Black, black)] {
            match seat {
                Ok(pooled) => self.pool.put(pairing.player(side), slot, pooled, true),
                Err(Absent(fault)) => absent.push((side, fault)),
            }
        }
        match (absent.pop(), absent.pop()) {
            (Some((loser, fault)), None) => Ok(Ending::by_fault(loser, fault)),
            (black, white) => {
                let words = |fault: Option<(Side, Fault)>| {
                    fault.map_or_else(String::new, |(side, fault)| {
                        Ending::by_fault(side, fault).to_string()
                    })
                };
                Err(GameTrouble::NoEngines {
                    white: words(white),
                    black: words(black),
                })
            }
        }
    }
}

impl Venue for Local {
    fn greet(&self, player: usize) -> Boxed<'_, Result<(Identity, OptionList), StartError>> {
        Box::pin(async move {
            let slot = self.slot(0);
            let pooled = self.pool.start(player, &slot, 0).await?;
            let engine = &pooled.engine;
            let greeting = (engine.identity().clone(), engine.options().clone());
            self.pool.put(player, &slot, pooled, true);
            Ok(greeting)
        })
    }

    fn runtime(&self, place: usize) -> Option<Handle> {
        // Without a thread the game runs on the caller's.
        self.threads.runtime(place).ok()
    }

    fn play<'a>(
        &'a self,
        pairing: Pairing,
        line: AnyLine,
        place: usize,
        told: &'a mut dyn Told,
    ) -> Boxed<'a, Result<GameEnd, GameTrouble>> {
        Box::pin(self.play_game(pairing, line, place, told))
    }

    fn resize(&self, games: usize) {
        self.pool.resize(most_waiting(games));
    }

    fn load(&self) -> Load {
        Load {
            latencies: Arc::clone(&self.conditions.latencies),
            worst_lag: self.conditions.lag.worst(),
            toll: Arc::clone(&self.conditions.toll),
        }
    }

    fn close(&self, _: bool) -> Boxed<'_, ()> {
        Box::pin(self.pool.close())
    }
}

/// Two engines for each game that may run.
const fn most_waiting(games: usize) -> usize {
    games.saturating_mul(2)
}

/// An engine that cannot begin a game, and why.
#[derive(Debug)]
struct Absent(Fault);

impl From<StartError> for Absent {
    fn from(error: StartError) -> Self {
        Self(Fault::Disconnect(error.to_string()))
    }
}

impl From<Failure> for Absent {
    fn from(failure: Failure) -> Self {
        Self(match failure {
            Failure::Stalled { question, .. } => Fault::Stall(format!("answer to {question}")),
            Failure::Died(death) => Fault::Disconnect(death.to_string()),
        })
    }
}
