//! Requests for one job.
//!
//! A worker sends the request itself and does not first ask for the consumer: where
//! workers have accounts of their own, the server answers that question twice, and
//! first with `JetStream not enabled for account`.

use std::time::Duration;

use async_nats::client::{Request, RequestErrorKind};
use async_nats::jetstream::{self, context::Context};
use serde::Serialize;

use crate::messages::write;
use crate::names;

/// How long the server keeps a request for a job.
pub(crate) const LONGEST_PULL: Duration = Duration::from_secs(2);
/// How much longer its answer is waited for, so that no job that it sent is missed.
const MARGIN: Duration = Duration::from_secs(2);

/// The request, as the server reads it.
#[derive(Serialize)]
pub(crate) struct NextRequest {
    batch: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_wait: bool,
}

impl NextRequest {
    /// Asks for so many messages, which the server waits for as long as this.
    pub(crate) fn waiting(batch: u32, time: Duration) -> Self {
        Self {
            batch,
            expires: Some(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
            no_wait: false,
        }
    }

    /// Asks for one message if there is one now.
    const fn now() -> Self {
        Self {
            batch: 1,
            expires: None,
            no_wait: true,
        }
    }
}

/// The answer to a request for a job.
#[derive(Debug)]
pub(crate) enum Pulled {
    Job(Box<jetstream::Message>),
    /// There is none now.
    Nothing,
    /// The server does not take the request, for example because too many wait.
    Refused,
    /// The server does not answer, or there is no such stream.
    Unanswered,
}

/// Asks for a job of an event, and waits for one if `wait` is set. The answer is
/// always a single message: the server drops the way back to the account of a worker
/// after the first one.
pub(crate) async fn pull(context: &Context, event: &str, wait: bool) -> Pulled {
    let request = if wait {
        NextRequest::waiting(1, LONGEST_PULL)
    } else {
        NextRequest::now()
    };
    let patience = if wait { LONGEST_PULL + MARGIN } else { MARGIN };
    let client = context.client();
    let request = Request::new()
        .payload(write(&request))
        .timeout(Some(patience))
        // The client knows answers at its usual inbox by their subject, and a job comes
        // with its own.
        .inbox(client.new_inbox());
    let message = match client.send_request(names::next_job(event), request).await {
        Ok(message) => message,
        Err(error) => {
            return match error.kind() {
                RequestErrorKind::InvalidSubject | RequestErrorKind::MaxPayloadExceeded => {
                    Pulled::Refused
                }
                _ => Pulled::Unanswered,
            };
        }
    };
    match message.status.map(|status| status.as_u16()) {
        None => {
            let context = context.clone();
            Pulled::Job(Box::new(jetstream::Message { message, context }))
        }
        // No messages, and: the time of the request is over.
        Some(404 | 408) => Pulled::Nothing,
        Some(_) => Pulled::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_what_the_server_reads() {
        let waits = NextRequest::waiting(1, LONGEST_PULL);
        assert_eq!(&write(&waits)[..], br#"{"batch":1,"expires":2000000000}"#);
        let asks = NextRequest::now();
        assert_eq!(&write(&asks)[..], br#"{"batch":1,"no_wait":true}"#);
    }
}
