//! Results on their way through the stream: one message, or several where the
//! server does not take so much at once.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use async_nats::jetstream::context::{Context, PublishErrorKind};
use async_nats::jetstream::message::{Acker, PublishMessage};
use bytes::Bytes;

/// What goes beside the payload in a message: the server counts it too.
const ENVELOPE: usize = 4096;
/// The smallest payload that any server is set to.
const LEAST: usize = 16 * 1024;
/// Parcels that are begun and not whole are forgotten after this.
const FORGOTTEN: Duration = Duration::from_mins(10);
/// More parts than any result has.
const MOST_PARTS: usize = 4096;
/// What the place of a part that is missing costs.
const PLACE: usize = 128;
/// What parts that wait may be together, in bytes; the eldest go first.
const MOST_BYTES: usize = 256 << 20;

/// Which part of how many this is.
const PART: &str = "Quadrille-Part";

/// Why something cannot be put into a stream.
#[derive(Debug)]
pub(crate) enum PutError {
    /// There is no such stream any more.
    Gone,
    /// Try again.
    Later(String),
}

/// Puts one message into a stream, and waits until it is there. `id` makes it
/// one message however often it is put.
pub(crate) async fn put(
    context: &Context,
    subject: &str,
    id: &str,
    payload: Bytes,
    part: Option<String>,
) -> Result<(), PutError> {
    let mut message = PublishMessage::build().payload(payload).message_id(id);
    if let Some(part) = part {
        message = message.header(PART, part.as_str());
    }
    let sent = context.send_publish(subject.to_owned(), message).await;
    let told = match sent {
        Ok(acknowledged) => acknowledged.await.map(|_| ()),
        Err(error) => Err(error),
    };
    told.map_err(|error| match error.kind() {
        PublishErrorKind::StreamNotFound => PutError::Gone,
        _ => PutError::Later(crate::access::chain(&error)),
    })
}

/// The largest payload of one message.
pub(crate) fn most(context: &Context) -> usize {
    let most = context.client().server_info().max_payload;
    most.saturating_sub(ENVELOPE).max(LEAST)
}

/// Puts a result into its stream, in parts if it must be.
pub(crate) async fn send(
    context: &Context,
    subject: &str,
    id: &str,
    payload: &Bytes,
) -> Result<(), PutError> {
    let most = most(context);
    if payload.len() <= most {
        return put(context, subject, id, payload.clone(), None).await;
    }
    let parts = payload.len().div_ceil(most);
    for part in 0..parts {
        let piece = payload.slice(part * most..payload.len().min((part + 1) * most));
        let header = Some(format!("{part}/{parts}"));
        put(context, subject, &format!("{id}/{part}"), piece, header).await?;
    }
    Ok(())
}

/// A result that is whole, and what says so to the server when it is kept.
#[derive(Debug)]
pub(crate) struct Parcel {
    /// Where it was sent: names the sender.
    pub(crate) subject: String,
    pub(crate) payload: Bytes,
    pub(crate) receipts: Vec<Receipt>,
}

/// Says to the server that a message is done with.
pub(crate) struct Receipt(Acker);

impl std::fmt::Debug for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Receipt")
    }
}

/// Gives receipts. One that is lost makes its message come again, which is no
/// harm.
pub(crate) async fn give(receipts: impl IntoIterator<Item = Receipt>) {
    for Receipt(acker) in receipts {
        let _ = acker.ack().await;
    }
}

/// Where parts wait for each other.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    begun: HashMap<String, Begun>,
}

#[derive(Debug)]
struct Begun {
    since: Instant,
    bytes: usize,
    parts: Vec<Option<(Bytes, Receipt)>>,
}

impl Shelf {
    /// Forgets what is old, or too much. What was not acknowledged comes again.
    fn make_room(&mut self, bytes: usize) {
        self.begun
            .retain(|_, begun| begun.since.elapsed() < FORGOTTEN);
        let mut sum: usize = self.begun.values().map(|begun| begun.bytes).sum();
        while sum + bytes > MOST_BYTES {
            let eldest = self.begun.iter().min_by_key(|(_, begun)| begun.since);
            let Some(key) = eldest.map(|(key, _)| key.clone()) else {
                break;
            };
            sum -= self.begun.remove(&key).map_or(0, |begun| begun.bytes);
        }
    }

    /// Takes a message; the whole, when this was its last part.
    pub(crate) fn take(&mut self, message: async_nats::jetstream::Message) -> Option<Parcel> {
        let (message, acker) = message.split();
        let headers = message.headers.as_ref();
        let text = |name: &str| Some(headers?.get(name)?.as_str().to_owned());
        let part = text(PART).and_then(|part| {
            let (part, parts) = part.split_once('/')?;
            let (part, parts): (usize, usize) = (part.parse().ok()?, parts.parse().ok()?);
            (part < parts && parts <= MOST_PARTS).then_some((part, parts))
        });
        let Some((part, parts)) = part else {
            return Some(Parcel {
                subject: message.subject.to_string(),
                payload: message.payload,
                receipts: vec![Receipt(acker)],
            });
        };
        let id = text("Nats-Msg-Id").unwrap_or_default();
        let id = id.rsplit_once('/').map_or(id.as_str(), |(key, _)| key);
        // Nobody puts a part into the parcel of another.
        let subject = message.subject.to_string();
        let key = format!("{subject} {id}");
        self.make_room(message.payload.len());
        let begun = self.begun.entry(key.clone()).or_insert_with(|| Begun {
            since: Instant::now(),
            bytes: parts * PLACE,
            parts: (0..parts).map(|_| None).collect(),
        });
        let slot: &mut Option<_> = begun.parts.get_mut(part)?;
        begun.bytes += message.payload.len();
        *slot = Some((message.payload, Receipt(acker)));
        if begun.parts.iter().any(Option::is_none) {
            return None;
        }
        let (pieces, receipts): (Vec<Bytes>, Vec<Receipt>) =
            self.begun.remove(&key)?.parts.into_iter().flatten().unzip();
        Some(Parcel {
            subject,
            payload: pieces.concat().into(),
            receipts,
        })
    }
}
