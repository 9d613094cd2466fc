//! A tape as text: one line for each piece of a conversation.
//!
//! ```text
//! # quadrille tape 1
//! # begun 2026-11-16T12:00:00Z
//! # engine stockfish
//! 0.000120 > uci
//! 0.004310 < id name Stockfish 15.1
//! 1.300001 <- info depth 1 sco
//! 1.300950 < re cp 12
//! 2.500000 ! exit 0
//! ```
//!
//! `docs/tape.md` describes it for those who write readers of their own.

use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use quadrille_driver::Speaker;

/// The first line of every tape.
const HEAD: &str = "# quadrille tape 1";

/// One piece of a conversation, or what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Since the tape began.
    pub at: Duration,
    /// What happened.
    pub event: Event,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Bytes went by.
    Said {
        /// Who said them.
        speaker: Speaker,
        /// The bytes, without the line feed at their end.
        bytes: Vec<u8>,
        /// Whether there was one; without it the line goes on.
        ended: bool,
    },
    /// The host closed its side.
    HostClosed,
    /// The engine closed its side.
    EngineClosed,
    /// The engine ended: what became of it, `exit 0` or `signal 9`.
    Ended(String),
}

impl Entry {
    /// A whole line.
    pub fn line(at: Duration, speaker: Speaker, line: impl Into<Vec<u8>>) -> Self {
        Self {
            at,
            event: Event::Said {
                speaker,
                bytes: line.into(),
                ended: true,
            },
        }
    }

    /// Writes it as one line of a tape.
    pub fn write(&self, out: &mut Vec<u8>) {
        let (seconds, micros) = (self.at.as_secs(), self.at.subsec_micros());
        // Writing to memory does not fail.
        let _ = write!(out, "{seconds}.{micros:06} ");
        match &self.event {
            Event::Said {
                speaker,
                bytes,
                ended,
            } => {
                out.push(match speaker {
                    Speaker::Host => b'>',
                    Speaker::Engine => b'<',
                });
                if !ended {
                    out.push(b'-');
                }
                out.push(b' ');
                escape(bytes, out);
            }
            Event::HostClosed => out.extend_from_slice(b"! host closed"),
            Event::EngineClosed => out.extend_from_slice(b"! engine closed"),
            Event::Ended(how) => {
                out.extend_from_slice(b"! ");
                escape(how.as_bytes(), out);
            }
        }
        out.push(b'\n');
    }
}

/// Splits bytes that went by into entries, one for each line or part of one.
pub(super) fn write_said(at: Duration, speaker: Speaker, bytes: &[u8], out: &mut Vec<u8>) {
    for part in bytes.split_inclusive(|b| *b == b'\n') {
        let line = part.strip_suffix(b"\n");
        Entry {
            at,
            event: Event::Said {
                speaker,
                bytes: line.unwrap_or(part).to_vec(),
                ended: line.is_some(),
            },
        }
        .write(out);
    }
}

/// Writes bytes so that a tape is a text that can be shown: what is neither
/// printable nor UTF-8 is `\xHH`, a backslash is two.
fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out.extend_from_slice(b"\\\\"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\r' => out.extend_from_slice(b"\\r"),
                c if quadrille_net::sanitize::is_control(c) => {
                    hex(c.encode_utf8(&mut [0; 4]).as_bytes(), out);
                }
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        hex(chunk.invalid(), out);
    }
}

fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    for b in bytes {
        // Writing to memory does not fail.
        let _ = write!(out, "\\x{b:02x}");
    }
}

/// Takes escapes back. One that is not whole at the end is left out; one that is
/// none stays as it is.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&b, after)) = rest.split_first() {
        rest = after;
        if b != b'\\' {
            out.push(b);
            continue;
        }
        let digit = |b: u8| char::from(b).to_digit(16);
        match after {
            [] | [b'x'] => return out,
            [b'x', one] if digit(*one).is_some() => return out,
            [b'x', one, two, ..] => match (digit(*one), digit(*two)) {
                (Some(one), Some(two)) => {
                    out.push((one * 16 + two) as u8);
                    rest = &after[3..];
                }
                _ => out.push(b),
            },
            [c @ (b'\\' | b't' | b'r'), ..] => {
                out.push(match c {
                    b't' => b'\t',
                    b'r' => b'\r',
                    _ => b'\\',
                });
                rest = &after[1..];
            }
            _ => out.push(b),
        }
    }
    out
}

/// A tape that has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tape {
    /// What the head says: `begun`, `engine`, `dialect`, and what others wrote there.
    pub head: Vec<(String, String)>,
    /// Everything that happened, in order.
    pub entries: Vec<Entry>,
    /// The tape ends in the middle of a line: its writer was killed.
    pub cut: bool,
    /// Lines that could not be understood.
    pub odd: Vec<u64>,
    /// Facts beyond what a head may hold.
    pub left_out: Option<LeftOut>,
}

/// Facts of a head that were not read, because a reader keeps the head of a tape all the time,
/// however long the tape is: at most 1000 facts of 64 KiB in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The line of the first of them, from 1.
    pub line: u64,
    /// Number of them.
    pub facts: u64,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, facts } = self;
        write!(
            f,
            "{facts} facts of the head are left out, from line {line} on: a head may have \
             {MOST_FACTS} facts with {MOST_OF_FACTS} bytes in all"
        )
    }
}

/// A text that is no tape.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It begins with something else.
    #[error("it is no tape: the first line must be \"{HEAD}\"")]
    Foreign,
    /// A newer program has written it.
    #[error("it is a tape of version {0}, and this program knows version 1")]
    Version(String),
}

/// The lines that begin a tape.
pub fn head(facts: &[(&str, &str)]) -> Vec<u8> {
    let mut out = format!("{HEAD}\n").into_bytes();
    for (name, value) in facts {
        out.extend_from_slice(format!("# {name} ").as_bytes());
        escape(value.as_bytes(), &mut out);
        out.push(b'\n');
    }
    out
}

impl Tape {
    /// A fact of the head.
    pub fn fact(&self, name: &str) -> Option<&str> {
        let fact = self.head.iter().find(|fact| fact.0 == name)?;
        Some(&fact.1)
    }

    /// Reads a tape. One that was cut anywhere is read up to there.
    pub fn read(bytes: &[u8]) -> Result<Self, TapeError> {
        let mut reader = TapeReader::open(bytes)?;
        let mut tape = Self::default();
        while let Some(piece) = reader.next_piece()? {
            match piece {
                Piece::Entry(entry) => tape.entries.push(entry),
                Piece::BadLine(number) => tape.odd.push(number),
            }
        }
        tape.left_out = reader.left_out;
        tape.cut = reader.cut;
        tape.head = reader.head;
        Ok(tape)
    }

    /// The tape as text.
    pub fn write(&self) -> Vec<u8> {
        let facts: Vec<(&str, &str)> = self.head.iter().map(|f| (&*f.0, &*f.1)).collect();
        let mut out = head(&facts);
        for entry in &self.entries {
            entry.write(&mut out);
        }
        out
    }
}

/// A tape that is read entry by entry.
#[derive(Debug)]
pub(super) struct TapeReader<R> {
    input: R,
    head: Vec<(String, String)>,
    /// Lines that were read, and the last of them.
    number: u64,
    line: Vec<u8>,
    /// The last line is behind the head, and not looked at yet.
    is_waiting: bool,
    left_out: Option<LeftOut>,
    cut: bool,
}

/// What a line of a tape holds.
#[derive(Debug)]
pub(super) enum Piece {
    Entry(Entry),
    /// Nothing that is known.
    BadLine(u64),
}

/// Facts of a head that are kept, and their length in all. The rest is passed over.
const MOST_FACTS: usize = 1000;
const MOST_OF_FACTS: usize = 1 << 16;

/// A longer line is none of a tape: what goes by is written down in pieces.
const LONGEST: usize = 1 << 24;

impl<R: BufRead> TapeReader<R> {
    /// Reads the head.
    pub(super) fn open(input: R) -> Result<Self, TapeError> {
        let mut reader = Self {
            input,
            head: Vec::new(),
            number: 0,
            line: Vec::new(),
            is_waiting: false,
            left_out: None,
            cut: false,
        };
        reader.read_line()?;
        let (first, whole) = ended(&reader.line);
        if first != HEAD.as_bytes() {
            let text = String::from_utf8_lossy(first);
            // Cut in its very first line, it is still one of ours, without a word.
            if !whole && HEAD.starts_with(&*text) {
                reader.cut = true;
                return Ok(reader);
            }
            return Err(match text.strip_prefix("# quadrille tape ") {
                Some(version) => TapeError::Version(version.into()),
                None => TapeError::Foreign,
            });
        }
        let mut room = MOST_OF_FACTS;
        while reader.read_line()? {
            let (line, whole) = ended(&reader.line);
            let Some(fact) = line.strip_prefix(b"# ") else {
                reader.is_waiting = !line.is_empty();
                if reader.is_waiting {
                    break;
                }
                continue;
            };
            let Some(left) = room
                .checked_sub(fact.len())
                .filter(|_| reader.head.len() < MOST_FACTS)
            else {
                let line = reader.number;
                let none = LeftOut { line, facts: 0 };
                reader.left_out.get_or_insert(none).facts += 1;
                continue;
            };
            room = left;
            let fact = unescape(fact);
            let fact = String::from_utf8_lossy(&fact);
            let (name, value) = fact.split_once(' ').unwrap_or((&fact, ""));
            if whole {
                reader.head.push((name.into(), value.into()));
            }
        }
        Ok(reader)
    }

    pub(super) fn head(&self) -> &[(String, String)] {
        &self.head
    }

    /// Facts that are too many, which is known once the head is read.
    pub(super) const fn left_out(&self) -> Option<LeftOut> {
        self.left_out
    }

    pub(super) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The next entry, or a line that is none.
    pub(super) fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        loop {
            if !std::mem::take(&mut self.is_waiting) && !self.read_line()? {
                return Ok(None);
            }
            let (line, whole) = ended(&self.line);
            if line.is_empty() || line.starts_with(b"# ") {
                continue;
            }
            match entry(line, whole) {
                Some(entry) => return Ok(Some(Piece::Entry(entry))),
                None if whole => return Ok(Some(Piece::BadLine(self.number))),
                None => {}
            }
        }
    }

    /// Reads a line; whether there was one. Of one that is too long the start is kept.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let most = LONGEST as u64 + 1;
        let read = Read::by_ref(&mut self.input)
            .take(most)
            .read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if read > LONGEST && !self.line.ends_with(b"\n") {
            self.skip_line()?;
        }
        self.cut = !self.line.ends_with(b"\n");
        Ok(true)
    }

    /// Passes over the rest of a line that is too long. It becomes one that is none.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let waiting = self.input.fill_buf()?;
            if waiting.is_empty() {
                self.line.clear();
                return Ok(());
            }
            let end = waiting.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(waiting.len(), |end| end + 1);
            self.input.consume(count);
            if end.is_some() {
                self.line.clear();
                self.line.extend_from_slice(b"too long\n");
                return Ok(());
            }
        }
    }
}

/// A line without its end, and whether it had one.
fn ended(line: &[u8]) -> (&[u8], bool) {
    match line.strip_suffix(b"\n") {
        // Tapes that were sent through Windows have carriage returns, which a tape
        // itself never has.
        Some(line) => (line.strip_suffix(b"\r").unwrap_or(line), true),
        None => (line, false),
    }
}

fn entry(line: &[u8], whole: bool) -> Option<Entry> {
    let mut parts = line.splitn(3, |b| *b == b' ');
    let (time, mark) = (parts.next()?, parts.next()?);
    // Without the blank behind it a mark may be cut.
    let rest = parts.next()?;
    let at = time_from(std::str::from_utf8(time).ok()?)?;
    let speaker = match mark {
        b">" | b">-" => Some(Speaker::Host),
        b"<" | b"<-" => Some(Speaker::Engine),
        b"!" => None,
        _ => return None,
    };
    let event = match speaker {
        Some(speaker) => Event::Said {
            speaker,
            bytes: unescape(rest),
            // Where the tape was cut it is not known how the line went on.
            ended: whole && mark.len() == 1,
        },
        // Half an event did not happen.
        None if !whole => return None,
        None => match rest {
            b"host closed" => Event::HostClosed,
            b"engine closed" => Event::EngineClosed,
            how => Event::Ended(String::from_utf8_lossy(&unescape(how)).into_owned()),
        },
    };
    Some(Entry { at, event })
}

fn time_from(text: &str) -> Option<Duration> {
    let (seconds, fraction) = text.split_once('.')?;
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !plain(seconds) || !plain(fraction) || fraction.len() > 9 {
        return None;
    }
    let nanos: u32 = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration::new(seconds.parse().ok()?, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_is_text_that_shows_every_byte() {
        let mut out = head(&[("engine", "a\u{1b}b")]);
        let at = Duration::from_micros(1_000_020);
        write_said(at, Speaker::Host, b"uci\r\nis", &mut out);
        write_said(
            at,
            Speaker::Engine,
            "é\\\t\0\u{202e}\n".as_bytes(),
            &mut out,
        );
        write_said(at, Speaker::Engine, b"\xff\n\n", &mut out);
        let wanted = "# quadrille tape 1\n# engine a\\x1bb\n1.000020 > uci\\r\n1.000020 >- is\n\
                      1.000020 < é\\\\\\t\\x00\\xe2\\x80\\xae\n1.000020 < \\xff\n1.000020 < \n";
        assert_eq!(String::from_utf8(out.clone()).unwrap(), wanted);
        let tape = Tape::read(&out).unwrap();
        assert_eq!(
            (tape.fact("engine"), tape.cut, tape.entries.len()),
            (Some("a\u{1b}b"), false, 5)
        );
        assert_eq!(tape.write(), out);
    }

    #[test]
    fn what_is_no_tape_is_said_to_be_none() {
        let said = |text: &str| Tape::read(text.as_bytes()).unwrap_err().to_string();
        assert!(said("uci\n").starts_with("it is no tape"));
        assert!(said("# quadrille tape 2\n").contains("version 2"));
        let mut long = b"# quadrille tape 1\n0.1 > ".to_vec();
        long.resize(LONGEST + 100, b'x');
        long.extend_from_slice(b"\n0.2 > b\n");
        let tape = Tape::read(&long).unwrap();
        assert_eq!(
            (tape.entries.len(), tape.odd, tape.cut),
            (1, vec![2], false)
        );
        let odd = "# quadrille tape 1\n0.1 > a\nnonsense\n0.x > b\n1.0 ? c\n\n0.2 < d\n";
        let tape = Tape::read(odd.as_bytes()).unwrap();
        assert_eq!((tape.entries.len(), tape.odd), (2, vec![3, 4, 5]));
    }
}
