//! Messages to the director that are in no stream: applications, heartbeats, questions
//! who is there, and what the server reports of the jobs.

use std::sync::Arc;

use async_nats::Subscriber;
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::task::JoinSet;

use super::Queue;
use crate::error::ClusterError;
use crate::messages::{Beat, read, write};
use crate::names;

/// Subscriptions of a director.
pub(super) struct Subscriptions {
    applications: Subscriber,
    beats: Subscriber,
    rolls: Subscriber,
    undelivered: Subscriber,
}

/// A job that the server gives to nobody any more, as the server reports it.
#[derive(Deserialize)]
struct Undelivered {
    stream_seq: u64,
}

impl Queue {
    /// Listens from now on.
    pub(super) async fn subscribe(&self) -> Result<Subscriptions, ClusterError> {
        let event = &self.plan.event;
        let subscribe = |subject: String| async {
            let made = self.client.subscribe(subject).await;
            made.map_err(|error| ClusterError::server(&error))
        };
        Ok(Subscriptions {
            applications: subscribe(names::applications(event)).await?,
            beats: subscribe(names::beats(event)).await?,
            rolls: subscribe(names::roll()).await?,
            undelivered: subscribe(names::undelivered(event)).await?,
        })
    }

    /// Handles what comes, each kind in its own task.
    pub(super) fn listen(self: &Arc<Self>, heard: Subscriptions, tasks: &mut JoinSet<()>) {
        let Subscriptions {
            mut applications,
            mut beats,
            mut rolls,
            mut undelivered,
        } = heard;
        let queue = Arc::clone(self);
        tasks.spawn(async move {
            while let Some(message) = applications.next().await {
                queue.applied(&message).await;
            }
        });
        let queue = Arc::clone(self);
        tasks.spawn(async move {
            while let Some(message) = beats.next().await {
                let sender = names::sender(&message.subject);
                let beat = read::<Beat>(&message.payload);
                if let Some(beat) = beat.filter(|beat| sender == Some(beat.worker.as_str())) {
                    queue.heard(beat).await;
                }
            }
        });
        let queue = Arc::clone(self);
        tasks.spawn(async move {
            while let Some(message) = rolls.next().await {
                let reply = message.reply;
                if let Some(reply) = reply.filter(|reply| names::is_inbox(reply, None)) {
                    let (title, patience) = (&queue.plan.title, queue.patience());
                    let list = queue.lock().crew.statuses(title, patience);
                    // A message has a largest size.
                    for part in list.chunks(500) {
                        let _ = queue.client.publish(reply.clone(), write(&part)).await;
                    }
                }
            }
        });
        let queue = Arc::clone(self);
        tasks.spawn(async move {
            while let Some(message) = undelivered.next().await {
                if let Some(report) = read::<Undelivered>(&message.payload) {
                    queue.undelivered(report.stream_seq).await;
                }
            }
        });
    }
}
