//! Jobs that workers say they have, and jobs that none has.

use std::time::{Duration, Instant};

use async_nats::connection::State as Connection;

use super::{MOST_HEARD, MOST_WORDS, Queue, State, Waiting, Word};
use crate::crew::Heard;
use crate::messages::{Beat, beat_interval};
use crate::names;

impl Queue {
    /// Takes a heartbeat, and answers a worker that must know more than it does.
    pub(super) async fn heard(&self, beat: Beat) {
        let worker = beat.worker.clone();
        let heard = self.lock().heard(beat);
        match heard {
            Heard::Known => {}
            Heard::Stranger => self.order(&worker, None).await,
            Heard::Aside(reason) => self.order(&worker, Some(reason)).await,
        }
    }

    /// Looks for jobs that are with no worker though one has time for them, and
    /// counts what there is to count; the workers there are.
    pub(super) fn watch(&self) -> usize {
        let patience = self.patience();
        let connected = self.client.connection_state() == Connection::Connected;
        self.lock().judge(connected, patience)
    }

    /// Tells who waits for a job that the server gives to nobody any more. Without that it
    /// would show only after twice the patience.
    pub(super) async fn undelivered(&self, sequence: u64) {
        let name = names::job_stream(&self.plan.event);
        let Ok(stream) = self.context.get_stream_no_info(name).await else {
            return;
        };
        // One that is not there any more was answered or withdrawn.
        let Ok(job) = stream.get_raw_message(sequence).await else {
            return;
        };
        if let Some((number, attempt)) = names::job_of(&job.subject) {
            let patience = self.patience();
            self.lock().left(number, attempt, patience);
        }
    }
}

impl Waiting {
    /// Passes on what a heartbeat says, unless much of that waits already: moves that are
    /// missed come with the result.
    fn hear(&self, word: Word) {
        if self.has_room(MOST_HEARD) {
            let _ = self.sender.try_send(word);
        }
    }

    /// Returns whether fewer than so many words of the job wait.
    pub(super) fn has_room(&self, most: usize) -> bool {
        self.sender.capacity() > MOST_WORDS.saturating_sub(most)
    }
}

impl State {
    /// Takes what a heartbeat says of the jobs that are waited for.
    fn heard(&mut self, mut beat: Beat) -> Heard {
        let now = self.crew.clock().now();
        // What it says of other jobs would only be stored.
        beat.busy.retain(|(number, attempt)| {
            let waiting = self.waiting.get(number);
            waiting.is_some_and(|waiting| waiting.attempts.contains(attempt))
        });
        let heard = self.crew.beat(&beat);
        if heard != Heard::Known {
            return heard;
        }
        for (number, attempt) in &beat.busy {
            if let Some(waiting) = self.waiting.get_mut(number)
                && waiting.holders.beat(&beat.worker, *attempt, now)
            {
                waiting.seen = now;
                let key = names::key_of(&beat.worker);
                if waiting.closed_to.iter().any(|closed| closed == key) {
                    waiting.hear(Word::Grabbed(beat.worker.clone()));
                }
            }
        }
        for live in beat.live {
            if let Some(waiting) = self.waiting.get(&live.number) {
                waiting.hear(Word::Live(beat.worker.clone(), live));
            }
        }
        heard
    }

    /// Tells those who wait for jobs which of them no worker has; the workers there are.
    fn judge(&mut self, connected: bool, patience: Duration) -> usize {
        let now = self.crew.clock().now();
        let (workers, in_flight) = self.crew.count(patience);
        self.tell_who_is_there(connected, workers);
        for (worker, number, attempt) in self.crew.busy(patience) {
            if let Some(waiting) = self.waiting.get_mut(&number)
                && !waiting.holders.is_overdue(worker, attempt)
            {
                (waiting.seen, waiting.held) = (now, now);
            }
        }
        // A job that was taken is heard of with the beat after.
        let beats = beat_interval(patience) * 2;
        let stopped = self.stopped_at.is_some_and(|at| at.elapsed() >= beats);
        let silent = |since: Instant| now.saturating_duration_since(since);
        for waiting in self.waiting.values_mut() {
            if stopped && silent(waiting.held) >= beats {
                let _ = waiting.sender.try_send(Word::GivenUp);
            } else if !connected || !self.crew.has_time(&waiting.closed_to, patience) {
                waiting.seen = now;
            } else if silent(waiting.seen) > patience * 2 {
                waiting.seen = now;
                let _ = waiting
                    .sender
                    .try_send(Word::Lost("no worker has it any more".into()));
            }
        }
        self.tell_counts(workers, in_flight);
        workers
    }

    /// Tells who waits for a job that its last attempt is given to nobody any more, unless a
    /// worker has it.
    fn left(&mut self, number: u64, attempt: u32, patience: Duration) {
        let now = self.crew.clock().now();
        let Some(waiting) = self.waiting.get(&number) else {
            return;
        };
        let last = waiting.attempts.last() == Some(&attempt);
        if !last || waiting.holders.has(attempt, now, patience) {
            return;
        }
        let waits =
            !waiting.closed_to.is_empty() && !self.crew.has_time(&waiting.closed_to, patience);
        let word = if waits {
            Word::Left
        } else {
            let reason = "no worker has it, and the server has given it out as often as it may";
            Word::Lost(reason.into())
        };
        let _ = waiting.sender.try_send(word);
    }
}

#[cfg(test)]
mod tests;
