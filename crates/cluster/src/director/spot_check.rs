//! Games that other workers check before they count.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quadrille_driver::EngineScore;
use quadrille_games::AnyLine;
use quadrille_match::pairing::Pairing;
use quadrille_match::referee::{Ply, Termination};
use quadrille_match::store::GameEnd;
use quadrille_match::tournament::MatchEvent;
use serde::{Deserialize, Serialize};

use super::Director;
use super::ask::{Answer, MOST_ATTEMPTS, NoAnswer};
use crate::check::{
    LOOKED, Looks, Majority, Opinion, REPLAYED, Rule, alike, is_wrong, repeats, wrong_of,
};
use crate::crew::{Role, Standing};
use crate::messages::{Outcome, Task};
use crate::names::key_of;

/// The name of the note in which an event remembers games of workers that were set
/// aside after they counted.
pub const DOUBTED: &str = "cluster-doubted";
/// Games that a warning names.
const MOST_NAMED: usize = 12;
/// How often a game is dealt again because nobody checked it, before it counts.
const MOST_UNCHECKED: u32 = 2;
/// How often it is told which games count without their check.
const TOLD_AGAIN: Duration = Duration::from_mins(5);

/// What is checked, and what came of it.
#[derive(Debug)]
pub(super) struct SpotChecks {
    /// Millionths of the games.
    share: u64,
    /// Engines that do not repeat themselves are looked at as those with clocks are.
    varies: AtomicBool,
    /// What engines say about the same moves is not always the same.
    moves_only: AtomicBool,
    unchecked: Mutex<Unchecked>,
    checked: AtomicU64,
    doubted: Mutex<Vec<Doubted>>,
}

/// Games that counted before their worker was set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubted {
    /// The worker, by its name in subjects.
    pub worker: String,
    /// Why it was set aside.
    pub reason: String,
    /// The numbers of the games.
    pub games: Vec<u64>,
}

impl Doubted {
    /// Reads what the note [`DOUBTED`] of a store says.
    pub fn read(note: &str) -> Vec<Self> {
        serde_json::from_str(note).unwrap_or_default()
    }
}

impl SpotChecks {
    /// `doubted` is what an earlier run remembered.
    pub(super) fn new(share: f64, doubted: Option<&str>) -> Self {
        let doubted = doubted.map(Doubted::read);
        Self {
            share: (share.clamp(0.0, 1.0) * 1e6).round() as u64,
            varies: AtomicBool::default(),
            moves_only: AtomicBool::default(),
            unchecked: Mutex::default(),
            checked: AtomicU64::default(),
            doubted: Mutex::new(doubted.unwrap_or_default()),
        }
    }
}

/// A game that was played soundly, and is perhaps to be checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finished<'a> {
    pub(super) pairing: &'a Pairing,
    pub(super) line: &'a AnyLine,
    pub(super) task: &'a Task,
    /// Who played it, and what that one is called.
    pub(super) worker: &'a str,
    pub(super) name: &'a str,
    pub(super) plies: &'a [Ply],
    pub(super) end: &'a GameEnd,
    /// How often it was dealt again because nobody checked it.
    pub(super) unchecked: u32,
}

/// Why a game does not count, and is dealt again.
#[derive(Debug)]
pub(super) enum Unfit {
    /// It was not played as it should be.
    Wrong(String),
    /// It was to be checked, and the others that are there did not.
    Unchecked(String),
}

/// The games that count without their check.
#[derive(Debug, Default)]
struct Unchecked {
    /// Not told yet.
    games: Vec<u64>,
    all: u64,
    told: Option<Instant>,
}

impl Director {
    /// Has a game checked if it was drawn for that, or its worker was found wrong before;
    /// the error says why it does not count.
    pub(super) async fn spot_check(&self, game: Finished<'_>) -> Result<(), Unfit> {
        let checks = &self.checks;
        let Task::Game(job) = game.task else {
            return Ok(());
        };
        // Those are weighed as breakdowns, and no other worker can repeat them.
        let broke = matches!(
            game.end.ending.termination,
            Termination::Stall { .. } | Termination::Disconnect { .. }
        );
        let number = game.pairing.number;
        let drawn = self.queue.draw("check", number, 0) % 1_000_000 < checks.share;
        let suspect = || self.queue.crew(|crew| crew.is_suspect(key_of(game.worker)));
        if broke || checks.share == 0 || !(drawn || suspect()) {
            return Ok(());
        }
        checks.checked.fetch_add(1, Ordering::Relaxed);
        if repeats(&job.seats) && !checks.varies.load(Ordering::Relaxed) {
            self.play_again(game).await
        } else {
            self.look_again(game).await?;
            // An honest worker is found wrong now and then: only many games say something.
            match self.queue.crew(|crew| crew.standing(game.worker)) {
                Standing::Aside => Err(Unfit::Wrong("its worker is set aside".into())),
                _ => Ok(()),
            }
        }
    }

    /// Has a game of fixed nodes played by another worker, and by a third if they differ.
    async fn play_again(&self, game: Finished<'_>) -> Result<(), Unfit> {
        let first = Opinion::new(game.plies, &game.end.ending);
        let key = key_of(game.worker);
        let (second, who) = match self.second_opinion(game, &[key]).await {
            Ok(found) => found,
            Err(why) => return self.not_checked(game, why),
        };
        let number = game.pairing.number;
        let moves_only = || self.checks.moves_only.load(Ordering::Relaxed);
        if first.agrees(&second, moves_only()) {
            self.judged(key, Role::Player, REPLAYED, None).await;
            self.judged(key_of(&who.worker), Role::Checker, REPLAYED, None)
                .await;
            return Ok(());
        }
        let others = [key, key_of(&who.worker)];
        let third = self.second_opinion(game, &others).await;
        if let Err(NoAnswer::Grabbed(reason)) = third {
            return Err(Unfit::Wrong(reason));
        }
        let Ok((third, _)) = third else {
            self.warn(format!(
                "game {number}: {} and {} played it differently with fixed nodes ({}), and no \
                 third worker is there to decide; the first game counts",
                game.name,
                who.name,
                second.difference(&first)
            ));
            return Ok(());
        };
        let rule = if first.agrees(&second, true) {
            // Only what was said differs: that may depend on the time, in some engines.
            LOOKED
        } else {
            REPLAYED
        };
        match wrong_of([&first, &second, &third]) {
            Majority::First => {
                let reason = format!(
                    "two other workers played game {number} again and agree with each other, not \
                     with it: {}",
                    third.difference(&first)
                );
                self.judged(key, Role::Player, rule, Some(&reason)).await;
                Err(Unfit::Wrong(reason))
            }
            Majority::Second => {
                self.judged(key, Role::Player, REPLAYED, None).await;
                let reason = format!(
                    "it played game {number} again, and differs from two other workers: {}",
                    second.difference(&first)
                );
                self.judged(others[1], Role::Checker, rule, Some(&reason))
                    .await;
                Ok(())
            }
            Majority::ReportsVary => {
                if !self.checks.moves_only.swap(true, Ordering::Relaxed) {
                    self.warn(format!(
                        "game {number}: three workers played the same moves, but scores, depth or \
                         nodes differ: spot checks compare moves and results only from now on"
                    ));
                }
                Ok(())
            }
            Majority::None => {
                if !self.checks.varies.swap(true, Ordering::Relaxed) {
                    self.warn(format!(
                        "game {number}: three workers played three different games with fixed \
                         nodes ({}): an engine does not repeat itself, so spot checks search \
                         positions again from now on instead of playing games again",
                        second.difference(&first)
                    ));
                }
                Ok(())
            }
        }
    }

    /// A game as another worker than these plays it, and who that is.
    async fn second_opinion(
        &self,
        game: Finished<'_>,
        without: &[&str],
    ) -> Result<(Opinion, Answer), NoAnswer> {
        let read = |answer: &Answer| {
            let Outcome::Played(played) = &answer.outcome else {
                return Err("it did not play the game".to_owned());
            };
            let (worker, name) = (&answer.worker, &answer.name);
            let played = (**played).clone();
            let (plies, end) = self.check(game.pairing, game.line, worker, name, played)?;
            Ok(Opinion::new(&plies, &end.ending))
        };
        self.ask_another(game.pairing.number, game.task, without, read)
            .await
    }

    /// Has positions of a game searched by another worker, and by a third if what was told
    /// does not fit.
    async fn look_again(&self, game: Finished<'_>) -> Result<(), Unfit> {
        let (number, key) = (game.pairing.number, key_of(game.worker));
        let Task::Game(job) = game.task else {
            return Ok(());
        };
        let draw = |turn| self.queue.draw("look", number, turn);
        let Some(looks) = Looks::of(game.line, game.plies, job.seats.clone(), draw) else {
            return Ok(());
        };
        let task = Task::Look(Box::new(looks.job.clone()));
        let second = self.second_look(number, &looks, &task, &[key]).await;
        let (second, who, wrong) = match second {
            Ok(found) => found,
            Err(why) => return self.not_checked(game, why),
        };
        if !is_wrong(&wrong) {
            self.judged(key, Role::Player, LOOKED, None).await;
            self.judged(key_of(&who.worker), Role::Checker, LOOKED, None)
                .await;
            return Ok(());
        }
        let others = [key, key_of(&who.worker)];
        let third = self.second_look(number, &looks, &task, &others).await;
        if let Err(NoAnswer::Grabbed(reason)) = third {
            return Err(Unfit::Wrong(reason));
        }
        let Ok((third, _, again)) = third else {
            self.warn(format!(
                "game {number}: {} searched positions of {} again and finds other scores, and no \
                 third worker is there to decide; the game counts",
                who.name, game.name
            ));
            return Ok(());
        };
        let count = |moves: &[bool]| moves.iter().filter(|wrong| **wrong).count();
        match (is_wrong(&again), alike(&second, &third)) {
            (true, true) => {
                let reason = format!(
                    "two other workers searched {} positions of game {number} again, and {} and {} \
                     of its scores or moves are far from what they found",
                    wrong.len(),
                    count(&wrong),
                    count(&again)
                );
                self.judged(key, Role::Player, LOOKED, Some(&reason)).await;
            }
            (false, false) => {
                self.judged(key, Role::Player, LOOKED, None).await;
                let reason = format!(
                    "its searches of positions of game {number} fit neither the worker that \
                     played it nor a third one"
                );
                self.judged(others[1], Role::Checker, LOOKED, Some(&reason))
                    .await;
            }
            // Three searches, three results: a hard game says nothing of anybody.
            _ => {}
        }
        Ok(())
    }

    async fn second_look(
        &self,
        number: u64,
        looks: &Looks,
        task: &Task,
        without: &[&str],
    ) -> Result<(Vec<Option<EngineScore>>, Answer, Vec<bool>), NoAnswer> {
        let read = |answer: &Answer| {
            let Outcome::Looked(found) = &answer.outcome else {
                return Err("it did not search the positions".to_owned());
            };
            let wrong = looks.wrong(found);
            let wrong = wrong.ok_or("it looked at other positions than it was asked for")?;
            Ok((found.clone(), wrong))
        };
        let asked = self.ask_another(number, task, without, read).await;
        asked.map(|((found, wrong), answer)| (found, answer, wrong))
    }

    /// A check judged a worker; the last is why it was wrong.
    async fn judged(&self, key: &str, role: Role, rule: Rule, wrong: Option<&str>) {
        let checked = self
            .queue
            .crew(|crew| crew.checked(key, role, wrong.is_some()));
        let Some(reason) = wrong else {
            return;
        };
        if !rule.condemns(checked) {
            self.warn(format!(
                "worker {key}: {reason}; {} of {} checks found it wrong, all its games are \
                 checked from now on",
                checked.wrong, checked.checks
            ));
            return;
        }
        let reason = format!(
            "{reason} ({} of {} checks found it wrong)",
            checked.wrong, checked.checks
        );
        self.cast_out(key, reason).await;
    }

    /// Sets all workers of a key aside, and names their games that count already.
    pub(super) async fn cast_out(&self, key: &str, reason: String) {
        let games = self.queue.expel(key, &reason).await;
        if games.is_empty() {
            return;
        }
        self.warn(format!(
            "{} games that worker {key} played before count already: {}; quadrille event lists \
             them",
            games.len(),
            named(&games)
        ));
        let mut doubted = self
            .checks
            .doubted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        doubted.push(Doubted {
            worker: key.into(),
            reason,
            games,
        });
        if let Ok(text) = serde_json::to_string(&*doubted) {
            self.notes.keep(DOUBTED, text);
        }
    }

    /// What becomes of a game that was drawn for a check and not checked: it is dealt
    /// again where others are there, and counts only with a warning.
    fn not_checked(&self, game: Finished<'_>, why: NoAnswer) -> Result<(), Unfit> {
        let number = game.pairing.number;
        let why = match why {
            NoAnswer::Grabbed(reason) => return Err(Unfit::Wrong(reason)),
            NoAnswer::Nobody => "no other worker is there to check it".into(),
            NoAnswer::Ends => "the match ends before another worker has checked it".into(),
            NoAnswer::Failed(reason) if game.unchecked < MOST_UNCHECKED => {
                return Err(Unfit::Unchecked(format!(
                    "it could not be checked by another worker in {MOST_ATTEMPTS} attempts; the \
                     last time: {reason}"
                )));
            }
            NoAnswer::Failed(reason) => {
                format!("no other worker could check it, the last one because: {reason}")
            }
        };
        let mut unchecked = self.unchecked();
        unchecked.all += 1;
        unchecked.games.push(number);
        if unchecked.all == 1 {
            unchecked.games.clear();
            unchecked.told = Some(Instant::now());
            self.warn(format!(
                "game {number} was drawn for a spot check, and {why}; it counts"
            ));
        } else if unchecked.told.is_none_or(|at| at.elapsed() >= TOLD_AGAIN) {
            self.tell_of(&mut unchecked);
        }
        Ok(())
    }

    fn unchecked(&self) -> std::sync::MutexGuard<'_, Unchecked> {
        let unchecked = self.checks.unchecked.lock();
        unchecked.unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells which games count without their check, as far as it was not told.
    pub(super) fn tell_unchecked(&self) {
        self.tell_of(&mut self.unchecked());
    }

    fn tell_of(&self, unchecked: &mut Unchecked) {
        let games = std::mem::take(&mut unchecked.games);
        if games.is_empty() {
            return;
        }
        unchecked.told = Some(Instant::now());
        self.warn(format!(
            "{} more games that were drawn for a spot check count without one: {} ({} in all in \
             this run)",
            games.len(),
            named(&games),
            unchecked.all
        ));
    }

    fn warn(&self, reason: String) {
        self.queue.tell(MatchEvent::Warning { reason });
    }
}

/// The first of these games in words.
fn named(games: &[u64]) -> String {
    let words: Vec<String> = games.iter().take(MOST_NAMED).map(u64::to_string).collect();
    let more = if games.len() > MOST_NAMED {
        ", ..."
    } else {
        ""
    };
    words.join(", ") + more
}
