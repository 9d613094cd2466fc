//! A worker's part in one event: jobs are pulled, played, beaten for and answered.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, Message};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::JoinSet;

use quadrille_match::referee::Ply;

use crate::messages::{
    Beat, Job, Live, MOST_LIVE, Notice, Outcome, Reply, Task, beat_interval, permille, read, write,
};
use crate::names::{self, VERSION};
use crate::parcel::{PutError, send};
use crate::plies;
use crate::pull::{LONGEST_PULL, Pulled, pull};
use crate::table::Moves;
use crate::worker::{Shop, Stop, WorkerEvent};
use crate::{analysis, look};

/// A pause before something that failed is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a stream may be away before its event is forgotten.
const GONE: Duration = Duration::from_mins(1);
/// How long an event without a job is left alone where there are others; twice as
/// long each time, up to the time of a question.
const REST: Duration = Duration::from_millis(100);
/// The same for one whose director is silent.
const LONG_REST: Duration = Duration::from_secs(5);
/// How long a job may take to be given back by a worker that is to stop at once.
const FAREWELL: Duration = Duration::from_secs(1);

/// An event that a worker plays for.
#[derive(Debug)]
pub(crate) struct Served {
    notice: Mutex<Notice>,
    event: String,
    title: String,
    shop: Arc<Shop>,
    over: watch::Sender<bool>,
    games: Games,
}

/// The games that are being played.
#[derive(Debug, Default)]
struct Games(Mutex<HashMap<u64, Running>>);

/// A game that is being played.
#[derive(Debug)]
struct Running {
    attempt: u32,
    moves: Moves,
    /// Moves that were told.
    told: usize,
}

impl Games {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game begins; nothing if it is being played already.
    fn begin(&self, number: u64, attempt: u32) -> Option<(Moves, Mark<'_>)> {
        let mut games = self.lock();
        let Entry::Vacant(place) = games.entry(number) else {
            return None;
        };
        let moves = Moves::default();
        place.insert(Running {
            attempt,
            moves: Arc::clone(&moves),
            told: 0,
        });
        Some((moves, Mark(self, number)))
    }
}

impl Served {
    pub(crate) fn new(notice: &Notice, shop: Arc<Shop>) -> Self {
        Self {
            event: notice.event.clone(),
            title: notice.title.clone(),
            notice: Mutex::new(notice.clone()),
            shop,
            over: watch::Sender::new(false),
            games: Games::default(),
        }
    }

    pub(crate) fn notice(&self) -> Notice {
        let notice = self.notice.lock();
        notice.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its director was started again, and may want other things.
    pub(crate) fn renew(&self, notice: &Notice) {
        let mut known = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone_from(notice);
    }

    fn patience(&self) -> Duration {
        let notice = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        notice.patience()
    }

    /// Games that are being played.
    pub(crate) fn busy(&self) -> usize {
        self.games.lock().len()
    }

    /// Gives everything up.
    pub(crate) fn leave(&self) {
        self.over.send_replace(true);
    }

    /// Takes jobs until the event is over or the worker is to stop.
    pub(crate) async fn work(self: Arc<Self>) {
        let mut over = self.over.subscribe();
        let mut stop = self.shop.stop.clone();
        let mut games = JoinSet::new();
        let mut beats = std::pin::pin!(self.beat());
        let stopped = tokio::select! {
            // It goes on for ever.
            () = &mut beats => false,
            () = self.pull_all(&mut games) => false,
            () = reached(&mut over, |over| *over) => false,
            () = reached(&mut stop, |stop| *stop > Stop::No) => true,
        };
        if !stopped {
            // Dropping the games ends their engines.
            games.shutdown().await;
            return;
        }
        // The last games are finished, and are heard of until they are.
        let rest = async { while games.join_next().await.is_some() {} };
        tokio::select! {
            () = rest => {}
            () = &mut beats => {}
            () = reached(&mut over, |over| *over) => {}
        }
    }

    /// Pulls jobs while there is time for them.
    async fn pull_all(self: &Arc<Self>, games: &mut JoinSet<()>) {
        let mut away: Option<Instant> = None;
        let mut rest = REST;
        while self.pull_next(games, &mut rest, &mut away).await {}
        self.shop.forget(&self.event);
    }

    /// Waits for time and for a job; `false` if its stream is gone for good.
    async fn pull_next(
        self: &Arc<Self>,
        games: &mut JoinSet<()>,
        rest: &mut Duration,
        away: &mut Option<Instant>,
    ) -> bool {
        while games.try_join_next().is_some() {}
        let permits = Arc::clone(&self.shop.permits);
        // It is never closed.
        let Ok(permit) = permits.acquire_owned().await else {
            return false;
        };
        // Who waits here for a job keeps others from the time for theirs.
        let others = self.shop.serves_others(&self.event);
        let pulled = pull(&self.shop.context, &self.event, !others).await;
        if !matches!(pulled, Pulled::Unanswered) {
            *away = None;
        }
        match pulled {
            Pulled::Job(message) => {
                *rest = REST;
                let served = Arc::clone(self);
                games.spawn(async move { served.take(*message, permit).await });
            }
            Pulled::Nothing if others => {
                drop(permit);
                let silent = self.shop.is_silent(&self.event);
                tokio::time::sleep(if silent { LONG_REST } else { *rest }).await;
                *rest = (*rest * 2).min(LONGEST_PULL);
            }
            Pulled::Nothing => {}
            Pulled::Refused => {
                drop(permit);
                tokio::time::sleep(PAUSE).await;
            }
            Pulled::Unanswered => {
                drop(permit);
                let since = *away.get_or_insert_with(Instant::now);
                let connected =
                    self.shop.client.connection_state() == async_nats::connection::State::Connected;
                if !connected {
                    *away = None;
                } else if since.elapsed() > GONE {
                    return false;
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
        true
    }

    /// Says that the games are alive, with the moves they made.
    async fn beat(&self) {
        let subject = names::beat(&self.event, &self.shop.id);
        loop {
            let beat = self.next_beat();
            // The next one comes soon.
            let _ = self
                .shop
                .client
                .publish(subject.clone(), write(&beat))
                .await;
            tokio::time::sleep(beat_interval(self.patience())).await;
        }
    }

    fn next_beat(&self) -> Beat {
        let wanted = self.notice().live;
        let mut games = self.games.lock();
        let (mut live, mut room) = (Vec::new(), MOST_LIVE);
        for (number, running) in games.iter_mut().filter(|_| wanted) {
            let moves = running.moves.lock().unwrap_or_else(PoisonError::into_inner);
            let plies = fitting(&moves[running.told.min(moves.len())..], &mut room);
            if !plies.is_empty() {
                live.push(Live {
                    number: *number,
                    attempt: running.attempt,
                    from: running.told,
                    plies: plies.to_vec(),
                });
                running.told += plies.len();
            }
        }
        let stopping = *self.shop.stop.borrow() > Stop::No;
        Beat {
            worker: self.shop.id.clone(),
            busy: games
                .iter()
                .map(|(number, game)| (*number, game.attempt))
                .collect(),
            free: if stopping {
                0
            } else {
                self.shop.capacity.saturating_sub(games.len())
            },
            live,
        }
    }

    /// Does a job, and says what became of it.
    async fn take(self: Arc<Self>, message: Message, permit: OwnedSemaphorePermit) {
        let delivered = message.info().map_or(1, |info| info.delivered);
        let (message, acker) = message.split();
        let job = read::<Job>(&message.payload);
        let job = job.filter(|job| job.v == VERSION && job.event == self.event);
        let Some(job) = job else {
            // No other worker would understand it either.
            let _ = acker.ack_with(AckKind::Term).await;
            return;
        };
        let (id, key) = (&self.shop.id, names::key_of(&self.shop.id));
        if job.avoid.iter().any(|word| word == id || word == key) {
            // Another worker asks meanwhile; if all have work, it comes back a few times.
            let pause = pause_of(id, (job.number, job.attempt), delivered);
            let _ = acker.ack_with(AckKind::Nak(Some(pause))).await;
            return;
        }
        let (number, attempt) = (job.number, job.attempt);
        let Some((moves, _mark)) = self.games.begin(number, attempt) else {
            // It is being played here already.
            return;
        };
        let title = self.title.clone();
        self.shop.say(WorkerEvent::GameStart {
            title: title.clone(),
            game: number,
            checks: job.checks,
        });
        let Some(outcome) = self.attend(&job, moves, &acker).await else {
            // Given back: another worker may have it at once.
            let given = acker.ack_with(AckKind::Nak(None));
            let _ = tokio::time::timeout(FAREWELL, given).await;
            return;
        };
        let result = words(&outcome);
        let checks = job.checks;
        let reply = Reply {
            v: VERSION,
            event: job.event,
            number,
            attempt,
            ticket: job.ticket,
            worker: self.shop.id.clone(),
            name: self.shop.name.clone(),
            outcome,
        };
        drop(permit);
        let mut stop = self.shop.stop.clone();
        let answered = tokio::select! {
            answered = self.answer(&reply, checks, &acker) => answered,
            // The server may be away for ever; the game is dealt again.
            () = reached(&mut stop, |stop| *stop == Stop::Now) => false,
        };
        if answered {
            self.shop.played.fetch_add(1, Ordering::Relaxed);
            self.shop.say(WorkerEvent::GameEnd {
                title,
                game: number,
                checks,
                result,
            });
        }
    }

    /// Does a job and beats for it; nothing if the worker is to stop at once.
    async fn attend(&self, job: &Job, moves: Moves, acker: &Acker) -> Option<Outcome> {
        let shop = &self.shop;
        let work = async {
            match &job.task {
                Task::Game(game) => {
                    let timed = game.seats.iter().any(|seat| seat.time.is_timed());
                    let reference = if timed { self.notice().reference } else { 0 };
                    let share = permille(reference, shop.nps());
                    let (config, program) = (&shop.config, &shop.program);
                    shop.tables
                        .play(config, program, job.number, game, share, moves)
                        .await
                }
                Task::Look(job) => look::work(&shop.config, &shop.program, job).await,
                Task::Analyse(job) => analysis::work(&shop.config, &shop.program, job).await,
            }
        };
        let mut work = std::pin::pin!(work);
        let mut ticks = tokio::time::interval(self.patience() / 3);
        let mut stop = shop.stop.clone();
        loop {
            tokio::select! {
                outcome = &mut work => return Some(outcome),
                _ = ticks.tick() => {
                    // A beat that is lost is followed by others.
                    let _ = acker.ack_with(AckKind::Progress).await;
                }
                () = reached(&mut stop, |stop| *stop == Stop::Now) => return None,
            }
        }
    }

    /// Puts the result into its stream, and only then takes the job out of its own.
    async fn answer(&self, reply: &Reply, checks: Option<u64>, acker: &Acker) -> bool {
        let payload = write(reply);
        let subject = names::result(&reply.event, reply.number, &reply.worker);
        // Two workers that played the same attempt are one result; nobody else can put
        // a message of this name before it.
        let id = format!("{}.{}", reply.number, reply.ticket);
        let mut away: Option<Instant> = None;
        let mut warned = false;
        loop {
            match send(&self.shop.context, &subject, &id, &payload).await {
                Ok(()) => break,
                Err(PutError::Gone) => {
                    let since = *away.get_or_insert_with(Instant::now);
                    if since.elapsed() > GONE {
                        return false;
                    }
                }
                Err(PutError::Later(reason)) => {
                    away = None;
                    if !std::mem::replace(&mut warned, true) {
                        self.shop.say(WorkerEvent::Waits {
                            title: self.title.clone(),
                            game: reply.number,
                            checks,
                            reason,
                        });
                    }
                }
            }
            let _ = acker.ack_with(AckKind::Progress).await;
            tokio::time::sleep(PAUSE).await;
        }
        // If this is lost it is played again, and the second result is none.
        let _ = acker.ack().await;
        true
    }
}

/// Returns the first of these moves, as far as there is room for them in a heartbeat, and
/// takes that room; the others come with the next one.
fn fitting<'a>(plies: &'a [Ply], room: &mut usize) -> &'a [Ply] {
    let fits = |ply: &&Ply| {
        let left = room.checked_sub(plies::size(ply) + 1);
        *room = left.unwrap_or(0);
        left.is_some()
    };
    let count = plies.iter().take_while(fits).count();
    &plies[..count]
}

/// A game is in the list as long as this lives.
struct Mark<'a>(&'a Games, u64);

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.lock().remove(&self.1);
    }
}

/// How long a worker gives back a job that it is to leave to others; longer each time.
/// Two workers that leave each other's jobs must not do so in step: the server would give
/// each of them the same job every time, until it gives it to nobody any more. The next
/// attempt has other pauses.
fn pause_of(worker: &str, job: (u64, u32), delivered: i64) -> Duration {
    let times = u32::try_from(delivered).unwrap_or(1).clamp(1, 5);
    let mut hasher = DefaultHasher::new();
    (worker, job, delivered).hash(&mut hasher);
    let share = u32::try_from(hasher.finish() % 1000).unwrap_or(0) + 500;
    Duration::from_micros(500).saturating_mul(share << times)
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Played(game) => format!("{} {}", game.ending.result.word(), game.ending),
        Outcome::Analysed(_) => "analysed".into(),
        Outcome::Looked(_) => "looked at again".into(),
        Outcome::Trouble(reason) => reason.clone(),
    }
}

/// Until a value is such. One that never changes again is as good as that.
pub(crate) async fn reached<T>(value: &mut watch::Receiver<T>, wanted: impl FnMut(&T) -> bool) {
    drop(value.wait_for(wanted).await);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_do_not_leave_jobs_in_step() {
        let pauses = |worker, job| (1..=5).map(move |times| pause_of(worker, job, times));
        for (ann, bob) in pauses("ann.x", (1, 1001)).zip(pauses("bob.x", (2, 1001))) {
            assert_ne!(ann, bob);
        }
        let mut least = Duration::from_millis(500);
        for pause in pauses("ann.x", (1, 1001)) {
            assert!(pause >= least && pause < least * 3, "{pause:?}");
            least *= 2;
        }
        assert_ne!(
            pause_of("ann.x", (1, 1001), 1),
            pause_of("ann.x", (1, 1002), 1)
        );
        assert!(pause_of("ann.x", (1, 1001), i64::MAX) <= Duration::from_secs(24));
    }

    #[test]
    fn moves_that_do_not_fit_into_a_heartbeat_come_with_the_next() {
        let ply = Ply {
            text: "e2e4".into(),
            pv: Some("e2e4 ".repeat(100)),
            ..Ply::default()
        };
        let plies = vec![ply; 300];
        let (mut told, mut beats) = (0, 0);
        while told < plies.len() {
            let mut room = MOST_LIVE;
            let fit = fitting(&plies[told..], &mut room);
            assert!(!fit.is_empty() && fit.iter().map(plies::size).sum::<usize>() <= MOST_LIVE);
            (told, beats) = (told + fit.len(), beats + 1);
        }
        assert_eq!((told, beats), (300, 3));
        let mut none = 0;
        assert!(fitting(&plies, &mut none).is_empty());
    }

    #[test]
    fn a_game_that_comes_twice_is_played_once() {
        let games = Games::default();
        let (moves, mark) = games.begin(7, 1001).unwrap();
        assert!(games.begin(7, 1002).is_none());
        let known = Arc::clone(&games.lock()[&7].moves);
        assert!(Arc::ptr_eq(&known, &moves), "the first is still the one");
        assert_eq!(games.lock()[&7].attempt, 1001);
        drop(mark);
        assert!(games.begin(7, 1002).is_some());
        assert_eq!(games.lock().len(), 0);
    }
}
