//! The lines a host has sent and nobody has answered yet.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

use quadrille_protocol::LineBuffer;

/// How many lines may wait in the pipe between the threads. A host that sends
/// faster than we answer has to wait, so a flood cannot exhaust the memory.
const PIPE: usize = 1024;

/// What is in the inbox right now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Poll {
    /// Nothing yet.
    Nothing,
    /// A line without its end.
    Line(Vec<u8>),
    /// The host is gone.
    End,
}

/// Lines from the reader thread, in order.
pub(crate) struct Inbox {
    pipe: Receiver<Vec<u8>>,
    /// Lines that were looked at and kept for later.
    kept: VecDeque<Vec<u8>>,
}

impl Inbox {
    /// Starts the reader thread. It ends with its input, or when nobody wants
    /// to hear from it any more.
    pub(crate) fn open(reader: impl Read + Send + 'static) -> Self {
        let (sender, pipe) = sync_channel(PIPE);
        let started = thread::Builder::new()
            .name("reader".into())
            .spawn(move || read_lines(reader, &sender));
        // Without a reader the pipe is closed, which is the end of input.
        drop(started);
        Self {
            pipe,
            kept: VecDeque::new(),
        }
    }

    /// Waits for the next line; `None` at the end of input.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        match self.kept.pop_front() {
            Some(line) => Some(line),
            None => self.pipe.recv().ok(),
        }
    }

    /// The next line from the pipe if there is one. Kept lines stay where they
    /// are.
    pub(crate) fn poll(&mut self) -> Poll {
        if self.kept.len() >= PIPE {
            return Poll::Nothing;
        }
        match self.pipe.try_recv() {
            Ok(line) => Poll::Line(line),
            Err(TryRecvError::Empty) => Poll::Nothing,
            Err(TryRecvError::Disconnected) => Poll::End,
        }
    }

    /// Keeps a line that was polled: it will come after those already kept.
    pub(crate) fn keep(&mut self, line: Vec<u8>) {
        self.kept.push_back(line);
    }

    /// Forgets everything and reads no more: the host said `quit`.
    pub(crate) fn close(&mut self) {
        self.kept.clear();
        self.pipe = sync_channel(1).1;
    }

    /// The first word that comes, without taking it.
    pub(crate) fn peek_word(&mut self) -> Option<Vec<u8>> {
        loop {
            let line = self.pipe.recv().ok()?;
            let words = line.trim_ascii_start().to_ascii_lowercase();
            let word = words.split(u8::is_ascii_whitespace).next();
            let word = word.unwrap_or_default().to_vec();
            // Empty lines say nothing in any dialect.
            if !word.is_empty() {
                self.keep(line);
                return Some(word);
            }
        }
    }
}

fn read_lines(mut reader: impl Read, sender: &SyncSender<Vec<u8>>) {
    let mut buffer = LineBuffer::new();
    let mut chunk = [0; 4096];
    loop {
        let count = match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        buffer.feed(&chunk[..count]);
        while let Some(line) = buffer.next_line() {
            if sender.send(line.to_vec()).is_err() {
                return;
            }
        }
    }
    if let Some(line) = buffer.finish() {
        // If the session is gone there is nobody left to tell.
        let _ = sender.send(line.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_order_and_then_the_end() {
        let mut inbox = Inbox::open(&b"\r\n  UGI \r\nisready\rquit"[..]);
        assert_eq!(inbox.peek_word().unwrap(), b"ugi");
        assert_eq!(inbox.next().unwrap(), b"  UGI ");
        assert_eq!(inbox.next().unwrap(), b"isready\rquit");
        assert_eq!(inbox.next(), None);
    }

    #[test]
    fn a_closed_inbox_is_at_its_end() {
        let mut inbox = Inbox::open(&b"one\ntwo\n"[..]);
        inbox.keep(b"zero".to_vec());
        inbox.close();
        assert_eq!(inbox.next(), None);
        assert_eq!(inbox.poll(), Poll::End);
    }
}
