//! Lines from the host, each with the moment at which its bytes came.

use std::io::{ErrorKind, Read};
use std::sync::Arc;

use quadrille_protocol::LineBuffer;
use quadrille_search::{Moment, TimeSource};

/// A stream that is read in lines.
pub(crate) struct Input<R> {
    reader: R,
    buffer: LineBuffer,
    chunk: Box<[u8]>,
    time: Arc<dyn TimeSource>,
    arrived: Moment,
    /// A line that was looked at and not taken yet.
    peeked: Option<Vec<u8>>,
    ended: bool,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(reader: R, time: Arc<dyn TimeSource>) -> Self {
        Self {
            reader,
            buffer: LineBuffer::new(),
            chunk: vec![0; 4096].into(),
            arrived: time.now(),
            time,
            peeked: None,
            ended: false,
        }
    }

    /// Waits for the next line, without its end; `None` at the end of input.
    pub(crate) fn next_line(&mut self) -> Option<(Vec<u8>, Moment)> {
        if let Some(line) = self.peeked.take() {
            return Some((line, self.arrived));
        }
        loop {
            if let Some(line) = self.buffer.next_line() {
                return Some((line.to_vec(), self.arrived));
            }
            if self.ended {
                let line = self.buffer.finish()?;
                return Some((line.to_vec(), self.arrived));
            }
            match self.reader.read(&mut self.chunk) {
                Ok(count @ 1..) => {
                    self.arrived = self.time.now();
                    self.buffer.feed(&self.chunk[..count]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => self.ended = true,
            }
        }
    }

    /// The first word that comes, in lower case; lines before it, which mean
    /// nothing in any dialect, are dropped. `None` if the input ends first.
    pub(crate) fn peek_word(&mut self) -> Option<Vec<u8>> {
        loop {
            let (line, _) = self.next_line()?;
            let words = line.trim_ascii_start();
            let word = words.split(u8::is_ascii_whitespace).next();
            if let Some(word) = word.filter(|word| !word.is_empty()) {
                let word = word.to_ascii_lowercase();
                self.peeked = Some(line);
                return Some(word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_search::SystemClock;

    fn open(bytes: &'static [u8]) -> Input<&'static [u8]> {
        Input::new(bytes, Arc::new(SystemClock))
    }

    fn line(input: &mut Input<&'static [u8]>) -> Option<Vec<u8>> {
        input.next_line().map(|(line, _)| line)
    }

    #[test]
    fn lines_come_in_order_and_then_the_end() {
        let mut input = open(b"\r\n  UGI \r\nisready\rquit");
        assert_eq!(input.peek_word().unwrap(), b"ugi");
        assert_eq!(line(&mut input).unwrap(), b"  UGI ");
        assert_eq!(line(&mut input).unwrap(), b"isready\rquit");
        assert_eq!(line(&mut input), None);
        assert_eq!(line(&mut input), None);
        assert_eq!(open(b" \n\n").peek_word(), None);
    }

    #[test]
    fn the_first_word_is_not_lost() {
        let mut input = open(b"\n\tuci\nisready\n");
        assert_eq!(input.peek_word().unwrap(), b"uci");
        assert_eq!(line(&mut input).unwrap(), b"\tuci");
        assert_eq!(line(&mut input).unwrap(), b"isready");
        assert_eq!(line(&mut input), None);
    }
}
