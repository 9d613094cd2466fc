//! A worker at the board: a game from a job to its result, with the referee of
//! every other match.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_games::{AnyLine, Side};
use quadrille_match::config::{Entrant, GameRules, TablebaseConfig, TimeControl};
use quadrille_match::pairing::Pairing;
use quadrille_match::referee::Ply;
use quadrille_match::tournament::{GameConditions, Local, Told, Venue};

use tokio::task::JoinSet;

use crate::config::WorkerConfig;
use crate::messages::{GameJob, Outcome, PlayedGame, SeatJob, factor};

/// Pools of engines that are kept: events and pairs of players that take turns.
const MOST_TABLES: usize = 16;
/// No game is waited for longer than this at a time, in moves of the opening.
const MOST_OPENING: usize = 10_000;

/// The moves of a running game, for those who watch.
pub(crate) type Moves = Arc<Mutex<Vec<Ply>>>;

/// Engines of one pair of players, under the same conditions.
#[derive(Debug)]
struct Table {
    key: String,
    venue: Arc<Local>,
}

/// All boards of a worker.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// The one that was used last is the last.
    list: Mutex<Vec<Table>>,
}

impl Tables {
    /// Plays a game. Dropping the future ends its engines.
    pub(crate) async fn play(
        &self,
        config: &WorkerConfig,
        program: &Path,
        number: u64,
        job: &GameJob,
        permille: u32,
        moves: Moves,
    ) -> Outcome {
        let prepared = self.prepare(config, program, job, permille).await;
        let (venue, white, line) = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => return Outcome::Trouble(reason),
        };
        let pairing = Pairing {
            number,
            round: 1,
            encounter: 0,
            game: 0,
            white,
            black: 1 - white,
            opening: 0,
        };
        let place = usize::try_from(number).unwrap_or(0);
        let before = venue.load().toll.total();
        let stderr = Arc::default();
        let mut told = Kept {
            moves: Arc::clone(&moves),
            stderr: Arc::clone(&stderr),
        };
        let game = {
            let venue = Arc::clone(&venue);
            async move { venue.play(pairing, line, place, &mut told).await }
        };
        // On a thread of its own, as games are played that are not dealt: what waits for
        // it there is measured, and given back to the clock. It ends when we are dropped.
        let mut playing = JoinSet::new();
        match venue.runtime(place) {
            Some(runtime) => playing.spawn_on(game, &runtime),
            None => playing.spawn(game),
        };
        let played = match playing.join_next().await {
            Some(Ok(played)) => played,
            Some(Err(error)) => return Outcome::Trouble(error.to_string()),
            None => return Outcome::Trouble("it was not played".into()),
        };
        let taken = venue.load().toll.total().saturating_sub(before);
        match played {
            Ok(end) => Outcome::Played(Box::new(PlayedGame {
                plies: moves.lock().unwrap_or_else(PoisonError::into_inner).clone(),
                taken_us: u64::try_from(taken.as_micros()).unwrap_or(u64::MAX),
                stderr: std::mem::take(&mut *stderr.lock().unwrap_or_else(PoisonError::into_inner)),
                ending: end.ending,
                ended: end.ended,
                duration_us: end.duration_us,
                findings: end.findings,
                permille,
            })),
            Err(trouble) => Outcome::Trouble(trouble.to_string()),
        }
    }

    /// The engines, which of them has White, and the opening.
    async fn prepare(
        &self,
        config: &WorkerConfig,
        program: &Path,
        job: &GameJob,
        permille: u32,
    ) -> Result<(Arc<Local>, usize, AnyLine), String> {
        if job.moves.len() > MOST_OPENING {
            return Err("its opening is too long".into());
        }
        let line = AnyLine::new(job.game, &job.rules, &job.start);
        let mut line = line.map_err(|error| format!("its position: {error}"))?;
        for text in &job.moves {
            line.play(text)
                .map_err(|error| format!("its opening: {error}"))?;
        }
        // The same two players are one table, whoever has White.
        let swapped = job.seats[0].name > job.seats[1].name;
        let seats = if swapped {
            [&job.seats[1], &job.seats[0]]
        } else {
            [&job.seats[0], &job.seats[1]]
        };
        let key = (
            job.game,
            &job.rules,
            seats,
            &job.wishes,
            job.clock,
            permille,
        );
        let key = serde_json::to_string(&key).map_err(|error| error.to_string())?;
        let known = {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            let found = list.iter().position(|table| table.key == key);
            found.map(|index| {
                let table = list.remove(index);
                let venue = Arc::clone(&table.venue);
                list.push(table);
                venue
            })
        };
        let venue = match known {
            Some(venue) => venue,
            None => {
                self.set_up(config, program, job, seats, permille, key)
                    .await?
            }
        };
        Ok((venue, usize::from(swapped), line))
    }

    async fn set_up(
        &self,
        config: &WorkerConfig,
        program: &Path,
        job: &GameJob,
        seats: [&SeatJob; 2],
        permille: u32,
        key: String,
    ) -> Result<Arc<Local>, String> {
        let [first, second] = seats;
        let players = vec![
            entrant(config, program, job, first, permille)?,
            entrant(config, program, job, second, permille)?,
        ];
        let conditions = conditions(job, players, &config.syzygy);
        let venue = Local::new(conditions, config.capacity(), None);
        let venue = Arc::new(venue.map_err(|error| error.to_string())?);
        let gone = {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            list.push(Table {
                key,
                venue: Arc::clone(&venue),
            });
            let idle = list
                .iter()
                .position(|table| Arc::strong_count(&table.venue) == 1);
            match idle {
                Some(index) if list.len() > MOST_TABLES => Some(list.remove(index)),
                _ => None,
            }
        };
        if let Some(table) = gone {
            table.venue.close(true).await;
        }
        Ok(venue)
    }

    /// Says goodbye to all engines.
    pub(crate) async fn close(&self) {
        let list = {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *list)
        };
        for table in list {
            table.venue.close(true).await;
        }
    }
}

/// A player of a job with a program of this worker's own.
fn entrant(
    config: &WorkerConfig,
    program: &Path,
    job: &GameJob,
    seat: &SeatJob,
    permille: u32,
) -> Result<Entrant, String> {
    let spec = config.spec(&seat.engine, job.game, &job.rules, program);
    let mut spec =
        spec.ok_or_else(|| format!("it has no engine '{}' for {}", seat.engine, job.game))?;
    spec.name = Some(seat.name.clone());
    spec.options.extend(seat.options.iter().cloned());
    spec.ponder = seat.ponder;
    spec.restart = seat.restart;
    spec.white_pov = seat.white_pov;
    spec.timeouts = seat.timeouts;
    let time: TimeControl = seat.time.slowed(factor(permille));
    Ok(Entrant {
        spec,
        time,
        margin: Duration::from_millis(seat.margin_ms),
    })
}

/// The conditions that a job names, with the endgame tables of this worker.
fn conditions(job: &GameJob, players: Vec<Entrant>, syzygy: &[PathBuf]) -> GameConditions {
    let wishes = &job.wishes;
    let tables = wishes.tables.as_ref();
    GameConditions {
        players,
        rules: GameRules {
            game: job.game,
            rules: job.rules.clone(),
            resign: wishes.resign,
            draw: wishes.draw,
            max_moves: wishes.max_moves,
            tablebases: tables.map(|wish| TablebaseConfig {
                paths: syzygy.to_vec(),
                pieces: wish.pieces,
                ignore50: wish.ignore50,
                adjudicate: wish.scope,
            }),
            clock: job.clock,
        },
    }
}

/// Keeps moves for the result and for those who watch, and what engines wrote.
struct Kept {
    moves: Moves,
    stderr: Arc<Mutex<[Vec<String>; 2]>>,
}

impl Told for Kept {
    fn ply(&mut self, _: usize, ply: Ply) {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        moves.push(ply);
    }

    fn again(&mut self) {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        moves.clear();
    }

    fn wants_stderr(&self) -> bool {
        true
    }

    fn stderr(&mut self, side: Side, lines: Vec<String>) {
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        stderr[side.index()] = lines;
    }
}
