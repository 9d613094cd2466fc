//! Results as they come: to the game that waits for them, or kept until it does.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::TrySendError;

use super::news::Kind;
use super::{CHECKS, MOST_HEARD, Queue, State, Word};
use crate::crew::Standing;
use crate::messages::{Outcome, Reply, job_name, read};
use crate::names::{self, VERSION, explained, shown};
use crate::parcel::{Parcel, Receipt, give};

/// Results that wait for their game to be dealt.
const MOST_EARLY: usize = 10_000;
/// The same of one game: more than there are attempts that are played at a time.
const MOST_OF_ONE: usize = 8;
/// Results that wait for their worker to come in.
const MOST_STRANGERS: usize = 1000;
/// How long they do at most: the server gives them again after a minute.
const LONGEST: Duration = Duration::from_secs(20);

/// A result and what says that it is kept.
pub(super) type Came = (Box<Reply>, Vec<Receipt>);

/// Results that came before their game was dealt. One that there is no room for is
/// not acknowledged, and comes again.
#[derive(Debug, Default)]
pub(super) struct Early {
    games: HashMap<u64, Vec<Came>>,
    count: usize,
}

impl Early {
    fn put(&mut self, came: Came) {
        if self.count >= MOST_EARLY {
            return;
        }
        let game = self.games.entry(came.0.number).or_default();
        if game.len() < MOST_OF_ONE {
            game.push(came);
            self.count += 1;
        }
    }

    pub(super) fn take(&mut self, number: u64) -> Vec<Came> {
        let game = self.games.remove(&number).unwrap_or_default();
        self.count -= game.len();
        game
    }
}

/// Results of workers that are not known: a worker that was let in before its
/// director was started again comes in soon, another one never.
#[derive(Debug, Default)]
pub(super) struct Strangers(Vec<(Instant, Came)>);

impl Strangers {
    fn put(&mut self, came: Came, now: Instant) {
        if self.0.len() < MOST_STRANGERS {
            self.0.push((now, came));
        }
    }

    fn of(&mut self, worker: &str) -> Vec<Came> {
        let theirs = self
            .0
            .extract_if(.., |(_, (reply, _))| reply.worker == worker);
        theirs.map(|(_, came)| came).collect()
    }

    /// Those whose worker did not come.
    fn expired(&mut self, patience: Duration, now: Instant) -> Vec<Came> {
        let patience = patience.min(LONGEST);
        let old = self.0.extract_if(.., |(since, _)| {
            now.saturating_duration_since(*since) > patience
        });
        old.map(|(_, came)| came).collect()
    }
}

impl Queue {
    pub(super) async fn arrived(&self, parcel: Parcel) {
        let Parcel {
            subject,
            payload,
            receipts,
        } = parcel;
        let reply = read::<Reply>(&payload).map(Box::new);
        let reply = reply.filter(|reply| reply.v == VERSION && reply.event == self.plan.event);
        let sender = names::sender(&subject).unwrap_or_default();
        let Some(reply) = reply else {
            return give(receipts).await;
        };
        // Only those to whom the server delivered a job have its ticket.
        let ticket = self.plan.secret.ticket(reply.number, reply.attempt);
        if reply.ticket != ticket || reply.worker != sender {
            let name = shown(names::key_of(sender));
            let job = self.lock().job_name(reply.number);
            let reason = format!(
                "a result of {job}, sent as worker {name}, does not count: that worker was not given \
                 this game"
            );
            self.lock().warn_of(Kind::Forged, reason);
            return give(receipts).await;
        }
        let worker = reply.worker.clone();
        let (unwanted, stranger) = {
            let mut state = self.lock();
            match state.crew.standing(&worker) {
                Standing::Known => (state.sort((reply, receipts)), false),
                Standing::Aside => (receipts, false),
                Standing::Unknown => {
                    let now = state.crew.clock().now();
                    state.strangers.put((reply, receipts), now);
                    (Vec::new(), true)
                }
            }
        };
        give(unwanted).await;
        if stranger {
            self.order(&worker, None).await;
        }
    }
}

impl State {
    /// Returns the results whose worker did not come.
    pub(super) fn expired_strangers(&mut self, patience: Duration) -> Vec<Came> {
        self.strangers.expired(patience, self.crew.clock().now())
    }

    /// Returns what a job is called.
    pub(super) fn job_name(&self, number: u64) -> String {
        let checks = self.waiting.get(&number).and_then(|job| job.checks);
        job_name(number, checks)
    }

    /// Gives a result to the game that it is of; what comes back is not wanted.
    fn sort(&mut self, (mut reply, receipts): Came) -> Vec<Receipt> {
        let number = reply.number;
        if self.kept.contains(number) || self.owed.contains_key(&number) {
            let name = self.crew.name_of(&reply.worker).unwrap_or_default();
            let reason = format!("{}, from worker {name}", self.job_name(number));
            self.warn_of(Kind::Duplicate, reason);
            return receipts;
        }
        // What it says it is called may be anything.
        if let Some(name) = self.crew.name_of(&reply.worker) {
            reply.name = name.into();
        }
        if let Outcome::Trouble(reason) = &mut reply.outcome {
            *reason = explained(reason);
        }
        let Some(waiting) = self.waiting.get_mut(&number) else {
            if number >= CHECKS {
                return receipts;
            }
            self.early.put((reply, receipts));
            return Vec::new();
        };
        // While one is checked, as few others wait as before the game is dealt. One that
        // there is no room for comes again.
        if !waiting.has_room(MOST_HEARD + MOST_OF_ONE) {
            return Vec::new();
        }
        waiting.holders.done(&reply.worker, self.crew.clock().now());
        match waiting.sender.try_send(Word::Reply(reply, receipts)) {
            Err(TrySendError::Closed(Word::Reply(_, receipts))) => receipts,
            _ => Vec::new(),
        }
    }

    /// A worker is known from now on: what came of it before counts.
    pub(super) fn met(&mut self, worker: &str) -> Vec<Receipt> {
        let before = self.strangers.of(worker);
        before
            .into_iter()
            .flat_map(|came| self.sort(came))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::{Holders, MOST_WORDS, Waiting};

    fn came(number: u64, worker: &str) -> Came {
        let reply = Reply {
            v: VERSION,
            event: "e".into(),
            number,
            attempt: 1001,
            ticket: String::new(),
            worker: worker.into(),
            name: worker.into(),
            outcome: Outcome::Trouble("x".into()),
        };
        (Box::new(reply), Vec::new())
    }

    #[test]
    fn results_that_wait_for_one_game_are_few() {
        let mut state = State::default();
        let now = state.crew.clock().now();
        let (sender, mut receiver) = tokio::sync::mpsc::channel(MOST_WORDS);
        let waiting = Waiting {
            sender,
            seen: now,
            held: now,
            closed_to: Vec::new(),
            checks: None,
            attempts: vec![1001],
            holders: Holders::default(),
        };
        state.waiting.insert(7, waiting);
        for _ in 0..1000 {
            state.sort(came(7, "a"));
        }
        assert_eq!(receiver.len(), MOST_HEARD + MOST_OF_ONE);
        assert!(receiver.try_recv().is_ok());
        state.sort(came(7, "a"));
        assert_eq!(
            receiver.len(),
            MOST_HEARD + MOST_OF_ONE,
            "there is room again"
        );
    }

    #[test]
    fn results_of_one_game_do_not_fill_the_memory() {
        let mut early = Early::default();
        for _ in 0..100 {
            early.put(came(7, "a"));
        }
        assert_eq!(
            (early.count, early.take(7).len()),
            (MOST_OF_ONE, MOST_OF_ONE)
        );
        assert_eq!((early.count, early.take(7).len()), (0, 0));
        for number in 0..MOST_EARLY as u64 + 50 {
            early.put(came(number, "a"));
        }
        assert_eq!((early.count, early.games.len()), (MOST_EARLY, MOST_EARLY));
        let mut strangers = Strangers::default();
        for _ in 0..MOST_STRANGERS + 50 {
            strangers.put(came(1, "b"), Instant::now());
        }
        assert_eq!(strangers.of("a").len(), 0);
        assert_eq!(strangers.expired(LONGEST, Instant::now()).len(), 0);
        assert_eq!(strangers.of("b").len(), MOST_STRANGERS);
    }
}
