//! A page's socket: what it says to the hub, what waits for it to the page.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use quadrille_desk::wire::{FromPage, Refusal, RefusalCode, ToPage};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::guard::Role;
use crate::http::Shared;
use crate::hub::{HubHandle, Queue, Waiting};

/// Bytes of one message. What is larger is uploaded.
pub(crate) const LARGEST: usize = 4 << 20;
/// How often a page is asked whether it is still there, and how long it may take to
/// read a message.
const PING: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a socket is closed, as a page knows it: come again.
const BEHIND: u16 = 4001;
/// There are too many pages.
const FULL: u16 = 4002;

/// Opens a socket. The guard has looked at it before.
pub(crate) async fn open(
    State(site): State<Shared>,
    role: Role,
    upgrade: WebSocketUpgrade,
) -> Response {
    let hub = site.hub.clone();
    upgrade
        .max_message_size(LARGEST)
        .max_frame_size(LARGEST)
        .on_upgrade(move |socket| serve(socket, role, hub))
}

async fn serve(mut socket: WebSocket, role: Role, hub: HubHandle) {
    let (queue, waiting) = Queue::new();
    match hub.join(role, queue).await {
        Some(page) => {
            let code = talk(&mut socket, page, waiting, &hub).await;
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
) -> Option<u16> {
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = true;
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
            message = socket.recv() => {
                heard = true;
                match message {
                    Some(Ok(Message::Text(text))) => match serde_json::from_str(text.as_str()) {
                        Ok(message) => hub.said(page, message).await,
                        Err(error) => {
                            let answer = unreadable(text.as_str(), &error);
                            let sent = timeout(PATIENCE, socket.send(Message::text(answer))).await;
                            if !matches!(sent, Ok(Ok(()))) {
                                return None;
                            }
                        }
                    },
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    // What is not text, too long, or the end.
                    _ => return None,
                }
            }
            _ = ping.tick() => {
                if !heard {
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
