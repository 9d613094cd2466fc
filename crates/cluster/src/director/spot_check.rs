//! Games that other workers check before they count.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use quadrille_games::AnyLine;
use quadrille_host::pairing::Pairing;
use quadrille_host::referee::{Ply, PlyScore, Termination};
use quadrille_host::store::GameEnd;
use quadrille_host::tournament::MatchEvent;
use serde::{Deserialize, Serialize};

use super::Director;
use crate::check::{
    LOOKED, Looks, Majority, Opinion, REPLAYED, Rule, alike, is_wrong, repeats, wrong_of,
};
use crate::crew::{Role, Standing};
use crate::messages::{Outcome, Reply, Task};
use crate::names::key_of;
use crate::parcel::{Receipt, give};
use crate::queue::Word;

/// How often a check is dealt before the game counts without it.
const MOST_ATTEMPTS: u32 = 4;
/// The name of the note in which an event remembers games of workers that were set
/// aside after they counted.
pub const DOUBTED: &str = "cluster-doubted";
/// Games that a warning names.
const MOST_NAMED: usize = 12;

/// What is checked, and what came of it.
#[derive(Debug)]
pub(super) struct SpotChecks {
    /// Millionths of the games.
    share: u64,
    /// Engines that do not repeat themselves are looked at as those with clocks are.
    varies: AtomicBool,
    /// What engines say about the same moves is not always the same.
    moves_only: AtomicBool,
    /// There was nobody to check a game; said once.
    alone: AtomicBool,
    checked: AtomicU64,
    doubted: std::sync::Mutex<Vec<Doubted>>,
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
            alone: AtomicBool::default(),
            checked: AtomicU64::default(),
            doubted: std::sync::Mutex::new(doubted.unwrap_or_default()),
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
}

/// What another worker answered.
struct Answer {
    worker: String,
    name: String,
    outcome: Outcome,
}

impl Director {
    /// Has a game checked if it was drawn for that, or its worker was found wrong before;
    /// the error says why it does not count.
    pub(super) async fn spot_check(&self, game: Finished<'_>) -> Result<(), String> {
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
            self.look_again(game).await;
            // An honest worker is found wrong now and then: only many games say something.
            match self.queue.crew(|crew| crew.standing(game.worker)) {
                Standing::Aside => Err("its worker is set aside".into()),
                _ => Ok(()),
            }
        }
    }

    /// Has a game of fixed nodes played by another worker, and by a third if they differ.
    async fn play_again(&self, game: Finished<'_>) -> Result<(), String> {
        let first = Opinion::new(game.plies, &game.end.ending);
        let key = key_of(game.worker);
        let Some((second, who)) = self.second_opinion(game, &[key]).await else {
            self.nobody_checks(&[key]);
            return Ok(());
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
        let Some((third, _)) = self.second_opinion(game, &others).await else {
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
                Err(reason)
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
    ) -> Option<(Opinion, Answer)> {
        let answer = self.ask_another(game.task, without).await?;
        let Outcome::Played(played) = &answer.outcome else {
            return None;
        };
        let (worker, name) = (&answer.worker, &answer.name);
        let (pairing, line) = (game.pairing, game.line);
        match self.check(pairing, line, worker, name, (**played).clone()) {
            Ok((plies, end)) => Some((Opinion::new(&plies, &end.ending), answer)),
            Err(reason) => {
                self.queue.set_aside(worker, name, &reason).await;
                None
            }
        }
    }

    /// Has positions of a game searched by another worker, and by a third if what was told
    /// does not fit.
    async fn look_again(&self, game: Finished<'_>) {
        let (number, key) = (game.pairing.number, key_of(game.worker));
        let Task::Game(job) = game.task else {
            return;
        };
        let draw = |turn| self.queue.draw("look", number, turn);
        let Some(looks) = Looks::of(game.line, game.plies, job.seats.clone(), draw) else {
            return;
        };
        let task = Task::Look(Box::new(looks.job.clone()));
        let Some((second, who, wrong)) = self.second_look(&looks, &task, &[key]).await else {
            self.nobody_checks(&[key]);
            return;
        };
        if !is_wrong(&wrong) {
            self.judged(key, Role::Player, LOOKED, None).await;
            self.judged(key_of(&who.worker), Role::Checker, LOOKED, None)
                .await;
            return;
        }
        let others = [key, key_of(&who.worker)];
        let Some((third, _, again)) = self.second_look(&looks, &task, &others).await else {
            self.warn(format!(
                "game {number}: {} searched positions of {} again and finds other scores, and no \
                 third worker is there to decide; the game counts",
                who.name, game.name
            ));
            return;
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
    }

    async fn second_look(
        &self,
        looks: &Looks,
        task: &Task,
        without: &[&str],
    ) -> Option<(Vec<Option<PlyScore>>, Answer, Vec<bool>)> {
        let answer = self.ask_another(task, without).await?;
        let Outcome::Looked(found) = &answer.outcome else {
            return None;
        };
        let found = found.clone();
        if let Some(wrong) = looks.wrong(&found) {
            return Some((found, answer, wrong));
        }
        let reason = "it looked at other positions than it was asked for";
        self.queue
            .set_aside(&answer.worker, &answer.name, reason)
            .await;
        None
    }

    /// Deals something to a worker with none of these keys, and waits for the answer;
    /// nothing if there is no such worker, or none that can do it.
    async fn ask_another(&self, task: &Task, without: &[&str]) -> Option<Answer> {
        let number = self.queue.next_check();
        let mut expected = self.queue.expect(number);
        let (mut attempt, _) = self.queue.first_attempt(number);
        let mut avoid = self.queue.crew(|crew| crew.of_keys(without));
        for _ in 0..MOST_ATTEMPTS {
            if !self.has_beside(without) {
                return None;
            }
            if !matches!(
                self.queue.deal(number, attempt, task, &avoid).await,
                Ok(true)
            ) {
                return None;
            }
            let answer = loop {
                let next = expected.next();
                let Ok(word) = tokio::time::timeout(self.queue.patience(), next).await else {
                    if self.has_beside(without) {
                        continue;
                    }
                    break None;
                };
                match word {
                    None | Some(Word::GivenUp) => return None,
                    Some(Word::Live(..)) => {}
                    Some(Word::Lost(_)) => break None,
                    Some(Word::Reply(reply, receipts)) => break Some((reply, receipts)),
                }
            };
            self.queue.withdraw(number, attempt).await;
            if let Some(answer) = self.sift(task, without, answer, &mut avoid).await {
                return Some(answer);
            }
            attempt = self.queue.next_attempt(attempt);
        }
        None
    }

    /// Takes an answer if it is what was asked, from somebody who was asked.
    async fn sift(
        &self,
        task: &Task,
        without: &[&str],
        answer: Option<(Box<Reply>, Vec<Receipt>)>,
        avoid: &mut Vec<String>,
    ) -> Option<Answer> {
        let (reply, receipts) = answer?;
        give(receipts).await;
        let Reply {
            worker,
            name,
            outcome,
            ..
        } = *reply;
        let own = without.contains(&key_of(&worker));
        let wanted = match (&outcome, task) {
            (Outcome::Played(game), Task::Game(_)) => !matches!(
                game.ending.termination,
                Termination::Stall { .. } | Termination::Disconnect { .. }
            ),
            (Outcome::Looked(_), Task::Look(_)) => true,
            _ => false,
        };
        if own || !wanted {
            if let Outcome::Trouble(reason) = &outcome {
                self.queue.blame(&worker, &name, reason).await;
            }
            avoid.push(worker);
            return None;
        }
        Some(Answer {
            worker,
            name,
            outcome,
        })
    }

    fn has_beside(&self, without: &[&str]) -> bool {
        let patience = self.queue.patience();
        self.queue.crew(|crew| crew.has_beside(without, patience))
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
        let games = self.queue.expel(key, &reason).await;
        if games.is_empty() {
            return;
        }
        let named: Vec<String> = games.iter().take(MOST_NAMED).map(u64::to_string).collect();
        let more = if games.len() > MOST_NAMED {
            ", ..."
        } else {
            ""
        };
        self.warn(format!(
            "{} games that worker {key} played before count already: {}{more}; quadrille event \
             lists them",
            games.len(),
            named.join(", ")
        ));
        let mut doubted = self
            .checks
            .doubted
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        doubted.push(Doubted {
            worker: key.into(),
            reason,
            games,
        });
        if let Ok(text) = serde_json::to_string(&*doubted) {
            self.notes.keep(DOUBTED, text);
        }
    }

    /// Says once that there is nobody to check; a match that ends is no reason for that.
    fn nobody_checks(&self, without: &[&str]) {
        if !self.has_beside(without) && !self.checks.alone.swap(true, Ordering::Relaxed) {
            self.warn(
                "a game was drawn for a spot check, and no other worker is there to check it; \
                 it counts"
                    .into(),
            );
        }
    }

    fn warn(&self, reason: String) {
        self.queue.tell(MatchEvent::Warning { reason });
    }
}
