//! A window on a stream of bytes that grows only for a single long token.

use std::io::{self, Read};

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

/// A sliding window on a byte stream. `pos` is the reading point; everything
/// from there on is kept until it is consumed, so a token can be borrowed whole.
#[derive(Debug)]
pub(crate) struct Buffer<R> {
    source: R,
    bytes: Vec<u8>,
    /// Where the filled part of `bytes` ends.
    end: usize,
    /// The reading point.
    pub(crate) pos: usize,
    at_end: bool,
    /// Lines are counted only when they are asked for, from here on.
    counted: usize,
    line: u64,
    /// Byte offset in the stream of the first byte of `line`.
    line_start: u64,
    /// Byte offset in the stream of `bytes[0]`.
    offset: u64,
}

impl<R: Read> Buffer<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            bytes: vec![0; CHUNK],
            end: 0,
            pos: 0,
            at_end: false,
            counted: 0,
            line: 1,
            line_start: 0,
            offset: 0,
        }
    }

    /// What is in the window from the reading point on.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.pos..self.end]
    }

    /// The bytes between two indices of the window.
    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &[u8] {
        &self.bytes[start..end]
    }

    /// The byte at the reading point.
    #[inline]
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.pos == self.end && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.bytes[self.pos]))
    }

    /// The byte `ahead` places after the reading point.
    #[inline]
    pub(crate) fn peek_at(&mut self, ahead: usize) -> io::Result<Option<u8>> {
        while self.end - self.pos <= ahead {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(Some(self.bytes[self.pos + ahead]))
    }

    /// The byte before the reading point, if it is still known.
    pub(crate) fn before(&self) -> Option<u8> {
        self.pos.checked_sub(1).map(|i| self.bytes[i])
    }

    /// Makes the window longer, keeping everything from one byte before the
    /// reading point on. `false` at the end of the stream.
    #[cold]
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if self.at_end {
            return Ok(false);
        }
        // One byte before the reading point stays, for `before`.
        let keep = self.pos.saturating_sub(1);
        if keep > 0 {
            self.count_lines(keep);
            self.bytes.copy_within(keep..self.end, 0);
            self.offset += keep as u64;
            self.counted -= keep;
            self.pos -= keep;
            self.end -= keep;
        }
        if self.end == self.bytes.len() {
            let longer = self.bytes.len() * 2;
            self.bytes.resize(longer, 0);
        } else if self.bytes.len() > CHUNK && self.end <= CHUNK / 2 {
            // A monster has passed; do not keep its cage.
            self.bytes.truncate(CHUNK);
            self.bytes.shrink_to_fit();
        }
        loop {
            match self.source.read(&mut self.bytes[self.end..]) {
                Ok(0) => {
                    self.at_end = true;
                    return Ok(false);
                }
                Ok(n) => {
                    // A reader that claims more than it was given is broken;
                    // believing it would index out of the window.
                    self.end = (self.end + n).min(self.bytes.len());
                    return Ok(true);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Moves the line counter on to `to` (an index in the window, not before
    /// the last count).
    fn count_lines(&mut self, to: usize) {
        let Some(part) = self.bytes.get(self.counted..to) else {
            return;
        };
        if part.contains(&b'\r') {
            for (i, &b) in part.iter().enumerate() {
                // A lone CR ends a line; in CR LF the LF does. Behind the
                // filled part stands what was there before.
                let next = self.bytes[..self.end].get(self.counted + i + 1);
                if b == b'\n' || (b == b'\r' && next != Some(&b'\n')) {
                    self.line += 1;
                    self.line_start = self.offset + (self.counted + i + 1) as u64;
                }
            }
        } else if let Some(last) = part.iter().rposition(|&b| b == b'\n') {
            self.line += count_newlines(part);
            self.line_start = self.offset + (self.counted + last + 1) as u64;
        }
        self.counted = to;
    }

    /// Where an index of the window is in the stream.
    pub(crate) const fn offset_of(&self, index: usize) -> u64 {
        self.offset + index as u64
    }

    /// Line and column, from 1, of an index in the window. Must not go back
    /// behind an earlier answer by more than a line; then the column is 1.
    pub(crate) fn place(&mut self, index: usize) -> (u64, u64) {
        self.count_lines(index);
        let at = self.offset + index as u64;
        (self.line, at.saturating_sub(self.line_start) + 1)
    }
}

/// Counts in bytes first: that is the form that gets vectorised well.
fn count_newlines(bytes: &[u8]) -> u64 {
    let chunks = bytes.chunks(255);
    let counts = chunks.map(|chunk| chunk.iter().map(|&b| u8::from(b == b'\n')).sum::<u8>());
    counts.map(u64::from).sum()
}
