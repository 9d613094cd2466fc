//! A page's socket: what it says to the hub, what waits for it to the page.
//!
//! Visitors of a game server are many and strangers. They are listened to at a pace,
//! and boards are worked out for them one after the other, beside the hub.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use quadrille_desk::visitor;
use quadrille_desk::wire::{Ask, FromPage, Refusal, RefusalCode, ToPage};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use crate::guard::Role;
use crate::http::Shared;
use crate::hub::{HubHandle, Queue, Waiting};

/// Bytes of one message. What is larger is uploaded.
pub(crate) const LARGEST: usize = 4 << 20;
/// The same of a visitor: a line for the game server, or the moves of a long game.
/// Reading more costs time that others want.
const LARGEST_OF_VISITOR: usize = 256 << 10;
/// How often a page is asked whether it is still there, and how long it may take to
/// read a message.
const PING: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a socket is closed, as a page knows it: come again.
const BEHIND: u16 = 4001;
/// There are too many pages.
const FULL: u16 = 4002;

/// Messages of a visitor that may come at once, and in a second: one who asks for
/// board after board must not keep the others waiting.
const BURST: f64 = 100.0;
const RATE: f64 = 30.0;

/// How many boards are worked out for visitors at the same time: half of the machine.
pub(crate) fn boards_at_once() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / 2).max(1)
}

/// The socket of a visitor.
#[derive(Debug)]
struct Visitor {
    pace: Pace,
    boards: Arc<Semaphore>,
}

impl Visitor {
    /// The answer to a question, as text. Nothing else of this page is read until it
    /// is there, so the next board waits for at most one of each page before it.
    async fn answer(&self, id: u32, ask: Ask) -> Option<String> {
        let _turn = self.boards.acquire().await.ok()?;
        let work = move || {
            let message = match visitor::answer(ask) {
                Ok(answer) => ToPage::Answer {
                    id,
                    answer: Box::new(answer),
                },
                Err(refusal) => ToPage::Refused { id, refusal },
            };
            serde_json::to_string(&message).ok()
        };
        spawn_blocking(work).await.ok()?
    }
}

/// How fast a visitor is listened to.
#[derive(Debug)]
struct Pace {
    left: f64,
    at: Instant,
}

impl Pace {
    fn new() -> Self {
        Self {
            left: BURST,
            at: Instant::now(),
        }
    }

    /// A message came; until when no other is read, if there were too many.
    fn message(&mut self, now: Instant) -> Option<Instant> {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + since * RATE).min(BURST) - 1.0;
        self.at = now;
        (self.left < 0.0).then(|| now + Duration::from_secs_f64(-self.left / RATE))
    }
}

/// Opens a socket. The guard has looked at it before.
pub(crate) async fn open(
    State(site): State<Shared>,
    role: Role,
    upgrade: WebSocketUpgrade,
) -> Response {
    let hub = site.hub.clone();
    let visitor = matches!(role, Role::Visitor(_)).then(|| Visitor {
        pace: Pace::new(),
        boards: Arc::clone(&site.boards),
    });
    let largest = match &visitor {
        Some(_) => LARGEST_OF_VISITOR,
        None => LARGEST,
    };
    upgrade
        .max_message_size(largest)
        .max_frame_size(largest)
        .on_upgrade(move |socket| serve(socket, role, hub, visitor))
}

async fn serve(mut socket: WebSocket, role: Role, hub: HubHandle, mut visitor: Option<Visitor>) {
    let (queue, waiting) = Queue::new();
    match hub.join(role, queue).await {
        Some(page) => {
            let code = talk(&mut socket, page, waiting, &hub, visitor.as_mut()).await;
            hub.left(page).await;
            if let Some(code) = code {
                close(&mut socket, code, "too far behind: connect again").await;
            }
        }
        None => close(&mut socket, FULL, "too many pages are open").await,
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
}

/// Until one of both goes away; the code to close with, if it is the hub.
async fn talk(
    socket: &mut WebSocket,
    page: u32,
    mut waiting: Waiting,
    hub: &HubHandle,
    mut visitor: Option<&mut Visitor>,
) -> Option<u16> {
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = true;
    // Until then nothing is read.
    let mut pause: Option<Instant> = None;
    loop {
        tokio::select! {
            message = waiting.next() => match message {
                Some(message) => {
                    let sent = timeout(PATIENCE, socket.send(Message::text(message))).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        return None;
                    }
                }
                None => return Some(BEHIND),
            },
            message = socket.recv(), if pause.is_none() => {
                heard = true;
                pause = visitor.as_mut().and_then(|v| v.pace.message(Instant::now()));
                match message {
                    Some(Ok(Message::Text(text))) => {
                        let answer = match (serde_json::from_str(text.as_str()), &visitor) {
                            (Ok(FromPage::Ask { id, ask }), Some(visitor)) => {
                                visitor.answer(id, ask).await
                            }
                            (Ok(message), _) => {
                                hub.said(page, message).await;
                                None
                            }
                            (Err(error), _) => Some(unreadable(text.as_str(), &error)),
                        };
                        if let Some(answer) = answer {
                            let sent = timeout(PATIENCE, socket.send(Message::text(answer))).await;
                            if !matches!(sent, Ok(Ok(()))) {
                                return None;
                            }
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    // What is not text, too long, or the end.
                    _ => return None,
                }
            }
            () = sleep_until(pause.unwrap_or_else(Instant::now)), if pause.is_some() => pause = None,
            _ = ping.tick() => {
                if !heard && pause.is_none() {
                    return None;
                }
                heard = false;
                let sent = timeout(PATIENCE, socket.send(Message::Ping(Vec::new().into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return None;
                }
            }
        }
    }
}

/// The answer to what cannot be read; with the number of the question, if that can.
fn unreadable(text: &str, error: &serde_json::Error) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let id = value.and_then(|value| value.get("id")?.as_u64());
    let refused = ToPage::Refused {
        id: id.and_then(|id| u32::try_from(id).ok()).unwrap_or(0),
        refusal: Refusal {
            code: RefusalCode::Message,
            words: format!("the message cannot be read: {error}"),
        },
    };
    serde_json::to_string(&refused).unwrap_or_default()
}

/// What is read is a message of a page.
const _: fn(&str) -> serde_json::Result<FromPage> = |text| serde_json::from_str(text);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_is_listened_to_at_a_pace() {
        let mut pace = Pace::new();
        let mut now = pace.at;
        assert!((0..100).all(|_| pace.message(now).is_none()));
        let wait = pace.message(now).expect("a pause");
        assert!(wait > now && wait < now + Duration::from_millis(50));
        // Listened to only then, a flood comes through at the rate.
        let begun = now;
        for _ in 0..300 {
            now = pace.message(now).unwrap_or(now);
        }
        let took = now.duration_since(begun).as_secs_f64();
        assert!((took - 10.0).abs() < 0.5, "{took}");
        now += Duration::from_secs(10);
        assert!((0..100).all(|_| pace.message(now).is_none()));
    }

    #[test]
    fn what_cannot_be_read_is_answered() {
        let text = r#"{"say":"ask","id":7,"ask":{"ask":"dance"}}"#;
        let error = serde_json::from_str::<FromPage>(text).expect_err("no such question");
        let answer = unreadable(text, &error);
        assert!(
            answer.contains(r#""id":7"#) && answer.contains("message"),
            "{answer}"
        );
        let error = serde_json::from_str::<FromPage>("{").expect_err("no message");
        assert!(unreadable("{", &error).contains(r#""id":0"#));
    }
}
