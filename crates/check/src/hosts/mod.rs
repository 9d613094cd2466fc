//! The other direction: a host is judged by what it says to an engine.
//!
//! [`PosedEngine`] has no input or output of its own: it is fed lines and asked for
//! the lines to send, each with the time to wait before it. [`pose`] runs one over
//! standard input and output, so that any host can start it as an engine, and
//! [`pose_watched`] while somebody looks at what was seen so far.

mod posed;
mod words;

pub use posed::{PosedEngine, Reply};

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;

use super::report::Report;

/// A watcher is asked this often whether the pose goes on.
const LOOK: Duration = Duration::from_millis(200);

/// What a host sent.
enum Input {
    Line(Vec<u8>),
    /// A carriage return without a newline behind it.
    StrayReturn,
}

/// Poses as an engine until the host says `quit` or closes its side. What was seen
/// of the host.
pub fn pose(engine: PosedEngine, input: impl Read + Send + 'static, output: impl Write) -> Report {
    pose_watched(engine, input, output, &mut |_| ControlFlow::Continue(()))
}

/// The same with a look at the engine several times a second. It may break the pose off;
/// the report then says so.
pub fn pose_watched(
    mut engine: PosedEngine,
    input: impl Read + Send + 'static,
    mut output: impl Write,
    watch: &mut dyn FnMut(&PosedEngine) -> ControlFlow<()>,
) -> Report {
    let lines = listen(input);
    let mut due: Vec<(Instant, String)> = Vec::new();
    let mut meanwhile: Option<(Instant, String)> = None;
    loop {
        if watch(&engine).is_break() {
            return engine.so_far();
        }
        let now = Instant::now();
        if meanwhile.is_none() && due.is_empty() {
            let reply = engine.meanwhile();
            meanwhile = reply.map(|reply| (now + reply.after, reply.line));
        }
        let next = due.first().or(meanwhile.as_ref()).map(|(at, _)| *at);
        let wait = next.map_or(LOOK, |at| at.saturating_duration_since(now).min(LOOK));
        match lines.recv_timeout(wait) {
            Ok(Input::StrayReturn) => engine.stray_return(),
            Ok(Input::Line(line)) => {
                let now = Instant::now();
                let replies = engine.hear(&line, now);
                // Lines are sent in the order in which they were owed.
                let last = due.last().map_or(now, |(at, _)| *at);
                let at = |reply: Reply| ((now + reply.after).max(last), reply.line);
                due.extend(replies.into_iter().map(at));
                if !engine.is_searching() {
                    meanwhile = None;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                let now = Instant::now();
                let line = if due.first().is_some_and(|(at, _)| *at <= now) {
                    due.remove(0).1
                } else if due.is_empty() && meanwhile.as_ref().is_some_and(|(at, _)| *at <= now) {
                    meanwhile.take().map(|(_, line)| line).unwrap_or_default()
                } else {
                    continue;
                };
                engine.sent(&line, now);
                let sent = writeln!(output, "{line}").and_then(|()| output.flush());
                if sent.is_err() {
                    break;
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                // A host that has closed its side may still read.
                for (at, line) in due {
                    std::thread::sleep(at.saturating_duration_since(Instant::now()));
                    engine.sent(&line, Instant::now());
                    if writeln!(output, "{line}")
                        .and_then(|()| output.flush())
                        .is_err()
                    {
                        break;
                    }
                }
                break;
            }
        }
        if engine.has_quit() && due.is_empty() {
            // What comes behind quit is seen, if it comes soon.
            if let Ok(Input::Line(line)) = lines.recv_timeout(Duration::from_millis(100)) {
                engine.hear(&line, Instant::now());
            }
            break;
        }
    }
    engine.report()
}

/// Lines as they come in, on a thread.
fn listen(mut input: impl Read + Send + 'static) -> Receiver<Input> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut buffer = LineBuffer::new();
        let mut room = vec![0; 1 << 16];
        let mut after_return = false;
        while let Ok(count @ 1..) = input.read(&mut room) {
            let stray = has_stray_return(&room[..count], &mut after_return);
            if stray && sender.send(Input::StrayReturn).is_err() {
                return;
            }
            buffer.feed(&room[..count]);
            while let Some(line) = buffer.next_line() {
                if sender.send(Input::Line(line.to_vec())).is_err() {
                    return;
                }
            }
        }
        if after_return {
            // Without a listener there is nobody to tell.
            let _ = sender.send(Input::StrayReturn);
        }
    });
    lines
}

/// Whether a carriage return is followed by something else than a newline. One at the end
/// is looked at with the bytes that come next.
fn has_stray_return(bytes: &[u8], after_return: &mut bool) -> bool {
    let mut stray = false;
    for byte in bytes {
        stray |= *after_return && *byte != b'\n';
        *after_return = *byte == b'\r';
    }
    stray
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_is_stray_without_a_newline() {
        let stray = |pieces: &[&[u8]]| {
            let mut after = false;
            let found = pieces
                .iter()
                .any(|piece| has_stray_return(piece, &mut after));
            found || after
        };
        assert!(!stray(&[b"uci\r\n", b"isready\r", b"\n"]));
        assert!(stray(&[b"uci\risready\n"]) && stray(&[b"uci\r", b"isready\n"]));
        assert!(stray(&[b"uci\r"]));
    }
}
