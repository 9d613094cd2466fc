//! Checks of games as other workers are asked for them.

use quadrille_match::referee::Termination;

use super::Director;
use crate::messages::{Outcome, Reply, Task};
use crate::names::key_of;
use crate::parcel::give;
use crate::queue::{Expected, Word};

/// How often a check is dealt before it is given up.
pub(super) const MOST_ATTEMPTS: u32 = 4;

/// How many times its patience a director waits after a resume for the workers of before.
const RETURN: u32 = 2;

/// What another worker answered.
pub(super) struct Answer {
    pub(super) worker: String,
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

/// Why there is no answer of another worker.
pub(super) enum NoAnswer {
    /// There is no other worker.
    Nobody,
    /// The match ends.
    Ends,
    /// It was dealt as often as it may be; what happened the last time.
    Failed(String),
    /// The worker whose game it was took the check itself.
    Grabbed(String),
}

/// What becomes of a check that was dealt.
enum Heard {
    Answer(Answer),
    /// No worker has it any more.
    Lost(String),
    /// The workers that may take it have no time.
    Left,
    /// These workers have it for too long.
    Overdue(Vec<String>),
    /// A worker has it to which it is closed.
    Grabbed(String),
}

impl Director {
    /// Deals the check of a game to a worker with none of these keys, and waits for an
    /// answer that can be read. A worker whose answer cannot be read is set aside. So are
    /// those with one of these keys if they take the check, for they were told to leave it:
    /// without that a liar could answer the checks of its own games until nobody asks again.
    pub(super) async fn ask_another<T>(
        &self,
        game: u64,
        task: &Task,
        without: &[&str],
        read: impl Fn(&Answer) -> Result<T, String>,
    ) -> Result<(T, Answer), NoAnswer> {
        let number = self.queue.next_check();
        let mut expected = self.queue.expect(number);
        expected.close_to(without);
        expected.checks(game);
        let (mut attempt, _) = self.queue.first_attempt(number);
        // Programs of before know themselves by their own words only.
        let mut closed = self.queue.crew(|crew| crew.of_keys(without));
        closed.extend(without.iter().map(|key| (*key).to_owned()));
        // Workers with which it failed: others try first.
        let mut failed_with: Vec<String> = Vec::new();
        let mut attempts = 0;
        loop {
            self.wait_for_others(without).await?;
            attempts += 1;
            let mut avoid = closed.clone();
            avoid.extend(failed_with.iter().cloned());
            if !self.may_take(&avoid) {
                // A job that all workers leave is only lost.
                avoid.clone_from(&closed);
            }
            if !matches!(
                self.queue.deal(number, attempt, task, &avoid).await,
                Ok(true)
            ) {
                return Err(NoAnswer::Ends);
            }
            let heard = self.hear_check(&mut expected, without).await;
            self.queue.withdraw(number, attempt).await;
            let failed = match heard? {
                Heard::Lost(reason) => reason,
                Heard::Left => {
                    // Nobody had it: it waits as before, and the attempt does not count.
                    attempts -= 1;
                    attempt = self.queue.next_attempt(attempt);
                    continue;
                }
                Heard::Overdue(workers) => {
                    failed_with.extend(workers);
                    "a worker had it for too long without a result".into()
                }
                Heard::Grabbed(worker) => {
                    self.grabbed(game, &worker, without).await?;
                    "it was taken by a worker that was set aside for that".into()
                }
                Heard::Answer(answer) => match self.sift(task, answer, &mut failed_with).await {
                    Err(reason) => reason,
                    Ok(answer) => match read(&answer) {
                        Ok(found) => return Ok((found, answer)),
                        Err(reason) => {
                            let (worker, name) = (&answer.worker, &answer.name);
                            self.queue.set_aside(worker, name, &reason).await;
                            reason
                        }
                    },
                },
            };
            if attempts >= MOST_ATTEMPTS {
                return Err(NoAnswer::Failed(failed));
            }
            attempt = self.queue.next_attempt(attempt);
        }
    }

    /// Waits for what becomes of a check that was dealt.
    async fn hear_check(
        &self,
        expected: &mut Expected,
        without: &[&str],
    ) -> Result<Heard, NoAnswer> {
        loop {
            let next = expected.next();
            let Ok(word) = tokio::time::timeout(self.queue.patience(), next).await else {
                if self.has_beside(without) || self.others_may_return(without) {
                    continue;
                }
                return Err(NoAnswer::Nobody);
            };
            match word {
                None | Some(Word::GivenUp) => return Err(NoAnswer::Ends),
                Some(Word::Live(..)) => {}
                Some(Word::Lost(reason)) => return Ok(Heard::Lost(reason)),
                Some(Word::Left) => return Ok(Heard::Left),
                Some(Word::Overdue(workers)) => return Ok(Heard::Overdue(workers)),
                Some(Word::Grabbed(worker)) => return Ok(Heard::Grabbed(worker)),
                Some(Word::Reply(reply, receipts)) => {
                    give(receipts).await;
                    let Reply {
                        worker,
                        name,
                        outcome,
                        ..
                    } = *reply;
                    if without.contains(&key_of(&worker)) {
                        return Ok(Heard::Grabbed(worker));
                    }
                    return Ok(Heard::Answer(Answer {
                        worker,
                        name,
                        outcome,
                    }));
                }
            }
        }
    }

    /// Sets all workers of a key aside that took a check which was closed to them; the
    /// error says that it is the player of the game.
    async fn grabbed(&self, game: u64, worker: &str, without: &[&str]) -> Result<(), NoAnswer> {
        let key = key_of(worker);
        let player = without.first() == Some(&key);
        let whose = if player {
            "which it had played itself"
        } else {
            "which it had checked before"
        };
        let reason = format!(
            "it took the check of game {game}, {whose}; it was told to leave that to others"
        );
        self.cast_out(key, reason.clone()).await;
        if player {
            return Err(NoAnswer::Grabbed(reason));
        }
        Ok(())
    }

    /// Takes an answer if it is what was asked; the error says why not.
    async fn sift(
        &self,
        task: &Task,
        answer: Answer,
        failed_with: &mut Vec<String>,
    ) -> Result<Answer, String> {
        let reason = match (&answer.outcome, task) {
            (Outcome::Played(game), Task::Game(_)) => match game.ending.termination {
                Termination::Stall { .. } | Termination::Disconnect { .. } => {
                    game.ending.to_string()
                }
                _ => return Ok(answer),
            },
            (Outcome::Looked(_), Task::Look(_)) => return Ok(answer),
            (Outcome::Trouble(reason), _) => reason.clone(),
            _ => "it did something else than it was asked for".into(),
        };
        let (worker, name) = (&answer.worker, &answer.name);
        if matches!(answer.outcome, Outcome::Trouble(_)) {
            self.queue.blame(worker, name, &reason).await;
        }
        let reason = format!("{name}: {reason}");
        failed_with.push(answer.worker);
        Err(reason)
    }

    /// Returns when another worker is there; the error says that none is.
    async fn wait_for_others(&self, without: &[&str]) -> Result<(), NoAnswer> {
        loop {
            let came = self.queue.came.notified();
            if self.has_beside(without) {
                return Ok(());
            }
            if !self.others_may_return(without) {
                return Err(NoAnswer::Nobody);
            }
            tokio::select! {
                () = came => {}
                () = tokio::time::sleep(self.queue.patience() / 4) => {}
                () = self.queue.stopped() => return Err(NoAnswer::Ends),
            }
        }
    }

    /// Returns whether other workers that played before a resume may still come back: each
    /// needs to hear of the match and to apply again. A match that begins does not wait, for
    /// it cannot know whether there is a second worker at all.
    fn others_may_return(&self, without: &[&str]) -> bool {
        let open = self.queue.now().saturating_duration_since(self.opened);
        open < self.queue.patience() * RETURN && self.queue.crew(|crew| crew.had_beside(without))
    }

    /// Returns whether a worker is there that does not leave a job to others.
    fn may_take(&self, avoid: &[String]) -> bool {
        let patience = self.queue.patience();
        self.queue.crew(|crew| crew.may_take(avoid, patience))
    }

    fn has_beside(&self, without: &[&str]) -> bool {
        let patience = self.queue.patience();
        self.queue.crew(|crew| crew.has_beside(without, patience))
    }
}
