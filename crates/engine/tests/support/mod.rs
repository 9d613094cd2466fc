//! A session on in-memory pipes.
#![allow(dead_code, unreachable_pub)]

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use quadrille_games::Game;

/// A session that says nothing for so long hangs. Far beyond what any step of
/// these tests takes.
const HANG: Duration = Duration::from_mins(1);

/// Reads what the test sends.
struct Input {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.chunks.recv() {
                Ok(chunk) => self.rest = chunk,
                Err(_) => return Ok(0),
            }
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Hands whole lines to the test.
struct Lines {
    sender: Sender<String>,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.line).into_owned();
                self.line.clear();
                // A test that is done listening has seen enough.
                let _ = self.sender.send(line);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The host's end of a conversation.
pub struct Host {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    session: Option<JoinHandle<()>>,
}

impl Host {
    /// Starts an engine.
    pub fn new(game: Game, rules: &str) -> Self {
        let rules = rules.to_owned();
        Self::with(move |input, lines| {
            quadrille_engine::run(game, &rules, input, lines).expect("the rules can be read");
        })
    }

    /// Starts an engine that waits to hear which game it plays.
    pub fn any() -> Self {
        Self::with(|input, lines| {
            quadrille_engine::run_any(input, lines);
        })
    }

    fn with(
        session: impl FnOnce(Box<dyn Read + Send>, Box<dyn Write + Send>) + Send + 'static,
    ) -> Self {
        let (input, chunks) = channel();
        let (sender, output) = channel();
        let input_end = Input {
            chunks,
            rest: Vec::new(),
        };
        let lines = Lines {
            sender,
            line: Vec::new(),
        };
        let session = thread::spawn(move || session(Box::new(input_end), Box::new(lines)));
        Self {
            input: Some(input),
            output,
            session: Some(session),
        }
    }

    /// Sends bytes as they are.
    pub fn send_raw(&self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            // An engine that has quit reads no more.
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Sends a line.
    pub fn send(&self, line: &str) {
        self.send_raw(format!("{line}\n").as_bytes());
    }

    /// Closes the engine's input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// The next line, or `None` when the engine is gone.
    pub fn line(&self) -> Option<String> {
        match self.output.recv_timeout(HANG) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the session hangs"),
        }
    }

    /// Lines up to and with the first that `wanted` likes.
    pub fn until(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line() {
            let found = wanted(&line);
            lines.push(line);
            if found {
                return lines;
            }
        }
        panic!("the engine left after {lines:?}");
    }

    /// Says `quit`, waits for the end and gives what was still said.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
    }

    /// Waits for the end and gives what was still said. The engine must have a
    /// reason to leave.
    pub fn end(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line() {
            lines.push(line);
        }
        if let Some(session) = self.session.take() {
            session.join().expect("the session does not panic");
        }
        lines
    }
}
