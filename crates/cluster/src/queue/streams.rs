//! The two streams of an event: what goes in, what comes out, and that they are
//! there.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::{self, stream};
use async_nats::{RequestError, RequestErrorKind, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use quadrille_match::tournament::MatchEvent;

use super::{Keep, PAUSE, Queue};
use crate::error::ClusterError;
use crate::messages::{Job, Task, job_name, write};
use crate::names::{self, DIRECTOR, VERSION, WORKERS};
use crate::parcel::{self, PutError, Shelf, put};
use crate::pull::NextRequest;

/// How often a job is delivered before its director deals it anew. Workers that leave it to
/// others give it back after longer and longer pauses: so often, that is about a minute, in
/// which another worker may get time for it.
const DELIVERIES: i64 = 8;
/// How long the server is asked for results at once.
const PULL: Duration = Duration::from_secs(2);
/// Results that are asked for at once.
const MOST_AT_ONCE: u32 = 200;
/// A step of the wait for them.
const STEP: Duration = Duration::from_millis(500);
/// After so many steps without an answer the request is lost: a second longer than the
/// server keeps it.
const SILENT_STEPS: u32 = 6;
/// How the description of a stream ends that no other run can use.
const OF_ONE_RUN: &str = "of an analysis";

fn is_of_one_run(description: &str) -> bool {
    description == format!("jobs {OF_ONE_RUN}") || description == format!("results {OF_ONE_RUN}")
}

impl Queue {
    /// A job stream holds no more than are wanted at once, with some room for
    /// those that are dealt again.
    pub(super) fn job_stream(&self, jobs: usize) -> stream::Config {
        stream::Config {
            name: names::job_stream(&self.plan.event),
            description: Some(self.describe("jobs")),
            max_age: self.max_age(),
            subjects: vec![names::jobs(&self.plan.event)],
            retention: stream::RetentionPolicy::WorkQueue,
            discard: stream::DiscardPolicy::New,
            max_messages: i64::try_from(jobs.saturating_mul(2).saturating_add(8))
                .unwrap_or(i64::MAX),
            storage: stream::StorageType::File,
            ..stream::Config::default()
        }
    }

    fn describe(&self, what: &str) -> String {
        match self.plan.keep {
            Keep::Resumable => format!("{what} of {}", self.plan.title),
            Keep::ThisRun => format!("{what} {OF_ONE_RUN}"),
        }
    }

    /// What a killed run leaves does not lie on the server's disk for ever.
    const fn max_age(&self) -> Duration {
        match self.plan.keep {
            Keep::Resumable => Duration::ZERO,
            Keep::ThisRun => Duration::from_hours(24),
        }
    }

    /// Makes the streams, or gives those of an earlier run the limits of this one.
    pub(super) async fn make_streams(&self) -> Result<(), ClusterError> {
        let jobs = self.lock().jobs;
        let results = stream::Config {
            name: names::result_stream(&self.plan.event),
            description: Some(self.describe("results")),
            max_age: self.max_age(),
            subjects: vec![names::results(&self.plan.event)],
            retention: stream::RetentionPolicy::WorkQueue,
            discard: stream::DiscardPolicy::New,
            max_messages: 1_000_000,
            storage: stream::StorageType::File,
            duplicate_window: Duration::from_mins(10),
            ..stream::Config::default()
        };
        let failed = |error: &(dyn std::error::Error + 'static)| ClusterError::server(error);
        for config in [self.job_stream(jobs), results] {
            let made = self.context.create_or_update_stream(config).await;
            made.map_err(|error| failed(&error))?;
        }
        let stream = self.context.get_stream(names::job_stream(&self.plan.event));
        let stream = stream.await.map_err(|error| failed(&error))?;
        let workers = pull::Config {
            durable_name: Some(WORKERS.into()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.plan.entry.patience,
            max_deliver: DELIVERIES,
            max_ack_pending: 100_000,
            max_waiting: 20_000,
            ..pull::Config::default()
        };
        let made = stream.create_consumer(workers).await;
        made.map_err(|error| failed(&error))?;
        Ok(())
    }

    /// The consumer of results. A fresh one is given at once what an earlier run
    /// was given and did not keep.
    pub(super) async fn make_results_consumer(
        &self,
        fresh: bool,
    ) -> Result<jetstream::consumer::Consumer<pull::Config>, ClusterError> {
        let name = names::result_stream(&self.plan.event);
        let stream = self.context.get_stream(name).await;
        let stream = stream.map_err(|error| ClusterError::server(&error))?;
        if fresh {
            // There may be none.
            let _ = stream.delete_consumer(DIRECTOR).await;
        }
        let config = pull::Config {
            durable_name: Some(DIRECTOR.into()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_mins(1),
            max_ack_pending: 100_000,
            ..pull::Config::default()
        };
        let made = stream.get_or_create_consumer(DIRECTOR, config).await;
        made.map_err(|error| ClusterError::server(&error))
    }

    /// What was dealt before this run and has not been acknowledged.
    pub(super) async fn jobs_in_stream(&self) -> Result<HashMap<u64, u32>, ClusterError> {
        let stream = self
            .context
            .get_stream(names::job_stream(&self.plan.event))
            .await;
        let stream = stream.map_err(|error| ClusterError::server(&error))?;
        let subjects = stream
            .info_with_subjects(names::jobs(&self.plan.event))
            .await;
        let mut subjects = subjects.map_err(|error| ClusterError::server(&error))?;
        let mut found = HashMap::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(|error| ClusterError::server(&error))?;
            if let Some((number, attempt)) = names::job_of(&subject) {
                let known = found.entry(number).or_insert(attempt);
                *known = attempt.max(*known);
            }
        }
        Ok(found)
    }

    /// Takes results from the stream, for ever.
    ///
    /// All requests have the same inbox, which is always listened to. A director that was
    /// suspended while a request was under way would otherwise drop the answers with the
    /// request, and the server gives a result again only after a minute.
    pub(super) async fn collect(&self) {
        let inbox = self.client.new_inbox();
        // It fails only where the connection is closed for good.
        let Ok(mut answers) = self.client.subscribe(inbox.clone()).await else {
            return;
        };
        let mut shelf = Shelf::default();
        loop {
            if self.make_results_consumer(false).await.is_err() {
                // The streams may have been lost with the server's disk.
                let _ = self.make_streams().await;
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            while self.pull(&inbox, &mut answers, &mut shelf).await {}
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Takes what waits in the stream from an earlier run, so that none of it is
    /// dealt again.
    pub(super) async fn drain(&self, consumer: &jetstream::consumer::Consumer<pull::Config>) {
        let mut shelf = Shelf::default();
        loop {
            let Ok(mut batch) = consumer.fetch().max_messages(200).messages().await else {
                return;
            };
            let mut any = false;
            while let Some(Ok(message)) = batch.next().await {
                any = true;
                if let Some(parcel) = shelf.take(message) {
                    self.arrived(parcel).await;
                }
            }
            if !any {
                return;
            }
        }
    }

    /// Asks for results for a while; `false` if that did not go well.
    async fn pull(&self, inbox: &str, answers: &mut Subscriber, shelf: &mut Shelf) -> bool {
        let request = NextRequest::waiting(MOST_AT_ONCE, PULL);
        let subject = names::next_result(&self.plan.event);
        let asked = self
            .client
            .publish_with_reply(subject, inbox.to_owned(), write(&request));
        if asked.await.is_err() {
            return false;
        }
        let (mut taken, mut silent) = (0, 0);
        // Waited for in steps: one that is longer because the process did not run counts as
        // one step, and what arrived meanwhile is read in the next.
        while taken < MOST_AT_ONCE && silent < SILENT_STEPS {
            let Ok(answer) = tokio::time::timeout(STEP, answers.next()).await else {
                silent += 1;
                continue;
            };
            let Some(message) = answer else {
                return false;
            };
            match message.status.map(|status| status.as_u16()) {
                None => {
                    (taken, silent) = (taken + 1, 0);
                    let context = self.context.clone();
                    if let Some(parcel) = shelf.take(jetstream::Message { message, context }) {
                        self.arrived(parcel).await;
                    }
                }
                // No messages, and: the time of the request is over.
                Some(404 | 408) => return true,
                Some(_) => return false,
            }
        }
        taken >= MOST_AT_ONCE
    }

    /// Puts a job into the stream, however long that takes; `false` if nothing is
    /// dealt any more. The error is about the job itself.
    pub(crate) async fn deal(
        &self,
        number: u64,
        attempt: u32,
        task: &Task,
        avoid: &[String],
    ) -> Result<bool, String> {
        let checks = match self.lock().waiting.get_mut(&number) {
            Some(waiting) => {
                waiting.attempts.push(attempt);
                waiting.checks
            }
            None => None,
        };
        let job = Job {
            v: VERSION,
            event: self.plan.event.clone(),
            number,
            checks,
            attempt,
            ticket: self.plan.secret.ticket(number, attempt),
            avoid: avoid.to_vec(),
            task: task.clone(),
        };
        let payload = write(&job);
        let most = parcel::most(&self.context);
        if payload.len() > most {
            return Err(format!(
                "it makes a message of {} bytes, and the NATS server takes {most}; a larger \
                 max_payload in the server's file would let it through",
                payload.len()
            ));
        }
        let mut stopped = self.stopped.subscribe();
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => return Ok(false),
            () = self.put_job(&job, payload) => {}
        }
        let now = self.now();
        if let Some(waiting) = self.lock().waiting.get_mut(&number) {
            (waiting.seen, waiting.held) = (now, now);
        }
        Ok(true)
    }

    async fn put_job(&self, job: &Job, payload: Bytes) {
        let (number, attempt) = (job.number, job.attempt);
        let subject = names::job(&self.plan.event, number, attempt);
        let id = format!("{}.{number}.{attempt}", self.plan.session);
        let (mut failures, mut warned) = (0, false);
        loop {
            match put(&self.context, &subject, &id, payload.clone(), None).await {
                Ok(()) => return,
                Err(PutError::Gone) => {
                    let _ = self.make_streams().await;
                }
                Err(PutError::Later(why)) => {
                    // A full stream is ordinary. One failure is no trouble either: this process
                    // may have been suspended while the answer came.
                    failures += u32::from(!why.contains("maximum messages"));
                    if failures >= 2 && !std::mem::replace(&mut warned, true) {
                        let name = job_name(number, job.checks);
                        let reason = format!("{name} cannot be dealt yet: {why}");
                        self.tell(MatchEvent::Warning { reason });
                    }
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Takes a job out of the stream, if it is there.
    ///
    /// Deletes the message itself and does not purge its subject: by the purge of a subject
    /// of which nothing remains, nats-server 2.9.10 moves the consumer of the workers to the
    /// end of the stream (mended upstream by change 3838). The jobs that waited or were being
    /// given back at that moment were never delivered again.
    pub(crate) async fn withdraw(&self, number: u64, attempt: u32) {
        let name = names::job_stream(&self.plan.event);
        if let Ok(stream) = self.context.get_stream_no_info(name).await {
            let subject = names::job(&self.plan.event, number, attempt);
            // What is played twice is kept once.
            if let Ok(job) = stream.get_last_raw_message_by_subject(&subject).await {
                let _ = stream.delete_message(job.sequence).await;
            }
        }
    }

    /// Takes all jobs out of the stream: no worker takes one any more.
    pub(super) async fn withdraw_all(&self) {
        let name = names::job_stream(&self.plan.event);
        if let Ok(stream) = self.context.get_stream_no_info(name).await {
            let _ = stream.purge().await;
        }
    }

    /// Takes the streams of an event away.
    pub(super) async fn delete_streams(&self, event: &str) {
        for name in [names::job_stream(event), names::result_stream(event)] {
            let _ = self.context.delete_stream(name).await;
        }
    }

    /// Takes away what analyses left that were killed: each has streams of its own,
    /// which no other run can use.
    pub(super) async fn sweep(&self) {
        let mut dead = BTreeSet::new();
        let mut streams = self.context.streams();
        while let Some(Ok(info)) = streams.next().await {
            let Some(event) = names::event_of(&info.config.name) else {
                continue;
            };
            let description = info.config.description.as_deref();
            if description.is_some_and(is_of_one_run) {
                dead.insert(event.to_owned());
            }
        }
        for event in dead {
            // Its director would listen there; a server knows at once if none does.
            let subject = names::apply(&event, &names::director(&self.client));
            let asked = self.client.request(subject, Bytes::new());
            let answer = tokio::time::timeout(Duration::from_secs(1), asked).await;
            let alone = |error: &RequestError| error.kind() == RequestErrorKind::NoResponders;
            if answer.is_ok_and(|answer| answer.as_ref().is_err_and(alone)) {
                self.delete_streams(&event).await;
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
