//! The other direction: a host is judged by what it says to an engine.
//!
//! [`PosedEngine`] has no input or output of its own: it is fed lines and asked for
//! the lines to send, each with the time to wait before it. [`pose`] runs one over
//! standard input and output, so that any host can start it as an engine.

mod posed;
mod words;

pub use posed::{PosedEngine, Reply};

use std::io::{Read, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;

use super::report::Report;

/// A host that is silent for so long is gone.
const FOR_EVER: Duration = Duration::from_hours(24);

/// Poses as an engine until the host says `quit` or closes its side. What was seen
/// of the host.
pub fn pose(
    mut engine: PosedEngine,
    mut input: impl Read + Send + 'static,
    mut output: impl Write,
) -> Report {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut buffer = LineBuffer::new();
        let mut room = vec![0; 1 << 16];
        while let Ok(count @ 1..) = input.read(&mut room) {
            buffer.feed(&room[..count]);
            while let Some(line) = buffer.next_line() {
                if sender.send(line.to_vec()).is_err() {
                    return;
                }
            }
        }
    });
    let mut due: Vec<(Instant, String)> = Vec::new();
    loop {
        let now = Instant::now();
        let wait = due
            .first()
            .map_or(FOR_EVER, |(at, _)| at.saturating_duration_since(now));
        match lines.recv_timeout(wait) {
            Ok(line) => {
                let now = Instant::now();
                let replies = engine.hear(&line, now);
                // Lines are sent in the order in which they were owed.
                let last = due.last().map_or(now, |(at, _)| *at);
                let at = |reply: Reply| ((now + reply.after).max(last), reply.line);
                due.extend(replies.into_iter().map(at));
            }
            Err(RecvTimeoutError::Timeout) => {
                if due.is_empty() {
                    continue;
                }
                let (_, line) = due.remove(0);
                engine.sent(&line, Instant::now());
                let sent = writeln!(output, "{line}").and_then(|()| output.flush());
                if sent.is_err() {
                    break;
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if engine.has_quit() && due.is_empty() {
            // What comes behind quit is seen, if it comes soon.
            if let Ok(line) = lines.recv_timeout(Duration::from_millis(100)) {
                engine.hear(&line, Instant::now());
            }
            break;
        }
    }
    engine.report()
}
