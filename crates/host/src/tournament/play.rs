//! One game of an event: engines from the pool, a referee, the store.

use std::sync::Arc;
use std::time::Instant;

use quadrille_games::{AnyLine, Side};
use tokio::sync::mpsc;

use super::pool::{Pool, Pooled, Slot};
use crate::driver::{Failure, Opponent, StartError};
use crate::openings::{Opening, OpeningError};
use crate::pairing::Pairing;
use crate::record::now;
use crate::referee::{Bench, Ending, Fault, Player, Ply, play};
use crate::stats::Effort;
use crate::store::{GameEnd, NewGame, Store};

/// A game, the number of a ply in it, and the ply.
pub(super) type MadePly = (u64, usize, Ply);

/// What a game needs from its event.
#[derive(Debug)]
pub(super) struct Hall {
    pub(super) pool: Pool,
    pub(super) bench: Bench,
    pub(super) store: Arc<Store>,
    /// Somebody who wants to see every move.
    pub(super) plies: Option<mpsc::UnboundedSender<MadePly>>,
}

/// A game that is over and in the store.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) pairing: Pairing,
    pub(super) end: GameEnd,
    pub(super) plies: usize,
}

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum GameTrouble {
    /// The opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
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
}

/// Plays a game from its opening to the store.
pub(super) async fn play_game(
    hall: Arc<Hall>,
    pairing: Pairing,
    opening: Opening,
    slot: Slot,
) -> Result<Finished, GameTrouble> {
    let line = opening.line()?;
    let started = Instant::now();
    let book = book(&line);
    let mut plies = book.len();
    hall.store.game_started(NewGame {
        number: pairing.number,
        round: u64::from(pairing.round),
        pairing: pairing.encounter,
        players: [pairing.white, pairing.black],
        opening: pairing.opening,
        label: opening.label,
        game: opening.game,
        rules: opening.rules,
        start: opening.start,
        book,
        started: now().to_string(),
    });
    let (white, black) = tokio::join!(
        seat(&hall, &pairing, Side::White, &slot),
        seat(&hall, &pairing, Side::Black, &slot)
    );
    let (ending, sides, findings) = match (white, black) {
        (Ok(white), Ok(black)) => {
            let players = [
                player(&hall, pairing.white, white),
                player(&hall, pairing.black, black),
            ];
            let mut told = |number: usize, ply: Ply| {
                plies = number;
                if let Some(plies) = &hall.plies {
                    // Whoever watched has gone.
                    let _ = plies.send((pairing.number, number, ply.clone()));
                }
                hall.store.ply(pairing.number, number, ply);
            };
            let played = play(players, line, &hall.bench, &mut told).await;
            let [white, black] = played.engines;
            let loser = played.ending.loser();
            let breaks = played.ending.termination.breaks_engine();
            for (side, engine) in [(Side::White, white), (Side::Black, black)] {
                let known = engine.findings();
                let keep = !(breaks && loser == Some(side));
                let who = pairing.player(side);
                hall.pool.put(who, &slot, Pooled { engine, known }, keep);
            }
            (played.ending, played.sides, played.findings)
        }
        (white, black) => (
            forfeit(&hall, &pairing, &slot, white, black)?,
            [Effort::default(); 2],
            Vec::new(),
        ),
    };
    let end = GameEnd {
        ending,
        ended: now().to_string(),
        duration_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        sides,
        findings,
    };
    let committed = hall.store.game_ended(pairing.number, end.clone());
    committed.await.map_err(|_| GameTrouble::Store)?;
    Ok(Finished {
        pairing,
        end,
        plies,
    })
}

fn book(line: &AnyLine) -> Vec<Ply> {
    let moves = line.moves().into_iter();
    moves.map(|m| Ply::book(m.text, m.notation)).collect()
}

fn player(hall: &Hall, player: usize, pooled: Pooled) -> Player {
    let entrant = hall.pool.entrant(player);
    Player {
        engine: pooled.engine,
        known: pooled.known,
        time: entrant.time.clone(),
        margin: entrant.margin,
        grace: entrant.spec.timeouts.grace,
    }
}

/// Somebody who cannot sit down.
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

/// An engine that is ready for a new game. One that broke while it waited gets
/// a second chance in a fresh process.
async fn seat(hall: &Hall, pairing: &Pairing, side: Side, slot: &Slot) -> Result<Pooled, Absent> {
    let who = pairing.player(side);
    let mut pooled = hall.pool.take(who, slot).await?;
    if prepare(hall, pairing, side, &mut pooled).await.is_err() {
        hall.pool.put(who, slot, pooled, false);
        pooled = hall.pool.start(who, slot).await?;
        if let Err(failure) = prepare(hall, pairing, side, &mut pooled).await {
            hall.pool.put(who, slot, pooled, false);
            return Err(failure.into());
        }
    }
    Ok(pooled)
}

async fn prepare(
    hall: &Hall,
    pairing: &Pairing,
    side: Side,
    pooled: &mut Pooled,
) -> Result<(), Failure> {
    let opponent = Opponent {
        name: hall.pool.entrant(pairing.player(!side)).name().to_owned(),
        ..Opponent::default()
    };
    pooled.engine.set_opponent(&opponent).await?;
    pooled.engine.new_game().await
}

/// The end of a game that somebody does not sit down for.
fn forfeit(
    hall: &Hall,
    pairing: &Pairing,
    slot: &Slot,
    white: Result<Pooled, Absent>,
    black: Result<Pooled, Absent>,
) -> Result<Ending, GameTrouble> {
    let mut absent = Vec::new();
    for (side, seat) in [(Side::White, white), (Side::Black, black)] {
        match seat {
            Ok(pooled) => hall.pool.put(pairing.player(side), slot, pooled, true),
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
