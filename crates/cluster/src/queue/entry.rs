//! Workers that apply, and what one worker is told.

use super::Queue;
use super::news::Kind;
use crate::messages::{Card, Order, Verdict, read, write};
use crate::names::{self, explained, shown};
use crate::parcel::give;

impl Queue {
    pub(super) async fn applied(&self, message: &async_nats::Message) {
        let sender = names::sender(&message.subject);
        let key = sender.map(names::key_of);
        if let Some(reply) = &message.reply
            && !names::is_inbox(reply, key)
        {
            let (name, place) = (shown(key.unwrap_or_default()), shown(reply));
            let words = format!(
                "an application of worker {name} does not count: it asks for the answer at \
                 {place}, which is not an inbox of that worker (_INBOX.{name}.>)"
            );
            self.lock().warn_of(Kind::Forged, words);
            return;
        }
        let card = read::<Card>(&message.payload);
        let card = card.filter(|card| sender == Some(card.worker.as_str()));
        let Some(card) = card else {
            if let Some(reply) = &message.reply {
                let refused = Some("its card cannot be read".into());
                let verdict = write(&Verdict { refused });
                let _ = self.client.publish(reply.clone(), verdict).await;
            }
            return;
        };
        let own = names::key(&card.name) == names::key_of(&card.worker);
        let card = Card {
            // Nobody is called what the server does not let it say.
            name: if own {
                shown(&card.name)
            } else {
                names::key_of(&card.worker).into()
            },
            declines: card.declines.as_deref().map(explained),
            ..card
        };
        let (worker, name) = (card.worker.clone(), card.name.clone());
        let (refused, unwanted) = {
            let mut state = self.lock();
            let admitted = state.crew.admit(card, &self.plan.entry);
            match admitted {
                Ok(()) => (None, state.met(&worker)),
                Err(reason) => {
                    let words = format!("worker {name} does not play: {reason}");
                    state.warn_once(Kind::Refused, &name, words);
                    (Some(reason), Vec::new())
                }
            }
        };
        give(unwanted).await;
        if refused.is_none() {
            self.came.notify_waiters();
        }
        if let Some(reply) = &message.reply {
            let _ = self
                .client
                .publish(reply.clone(), write(&Verdict { refused }))
                .await;
        } else {
            self.order(&worker, refused).await;
        }
    }

    /// Tells one worker to apply again, or that it is set aside.
    pub(super) async fn order(&self, worker: &str, aside: Option<String>) {
        if !names::is_worker(worker) {
            return;
        }
        let event = self.plan.event.clone();
        let order = Order { event, aside };
        let _ = self
            .client
            .publish(names::orders(worker), write(&order))
            .await;
    }
}
