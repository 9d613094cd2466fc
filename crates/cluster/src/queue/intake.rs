//! Messages to the director that are in no stream: applications, heartbeats, questions
//! who is there, and what the server reports of the jobs.

use std::sync::Arc;

use async_nats::{Message, Subscriber};
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::task::JoinSet;

use super::Queue;
use crate::error::ClusterError;
use crate::messages::{Beat, MOST_BEAT, MOST_BUSY, MOST_CARD, read, write};
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

    fn too_large(&self, message: &Message, what: &str) {
        let worker = names::sender(&message.subject).unwrap_or_default();
        self.lock().warn_of_size(worker, what);
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
                if message.payload.len() <= MOST_CARD {
                    queue.applied(&message).await;
                } else {
                    let what = format!("an application of more than {} KiB", MOST_CARD >> 10);
                    queue.too_large(&message, &what);
                }
            }
        });
        let queue = Arc::clone(self);
        tasks.spawn(async move {
            while let Some(message) = beats.next().await {
                // Read only if it is not too large: reading takes longer than sending.
                if message.payload.len() > MOST_BEAT {
                    let what = format!("a heartbeat of more than {} KiB", MOST_BEAT >> 10);
                    queue.too_large(&message, &what);
                    continue;
                }
                let sender = names::sender(&message.subject);
                let beat = read::<Beat>(&message.payload);
                let Some(beat) = beat.filter(|beat| sender == Some(beat.worker.as_str())) else {
                    continue;
                };
                if beat.busy.len().max(beat.live.len()) > MOST_BUSY {
                    let what = format!("a heartbeat of more than {MOST_BUSY} games");
                    queue.too_large(&message, &what);
                } else {
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
                let report = Some(&message.payload).filter(|text| text.len() <= MOST_BEAT);
                if let Some(report) = report.and_then(|text| read::<Undelivered>(text)) {
                    queue.undelivered(report.stream_seq).await;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests;
