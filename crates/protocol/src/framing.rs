//! Cutting a stream of bytes into lines.

use alloc::vec::Vec;

/// Longest line kept unless told otherwise: far beyond any honest message,
/// small enough that a flood cannot exhaust the memory.
const DEFAULT_LIMIT: usize = 1 << 20;

/// Collects bytes as they come from a pipe and gives out whole lines.
///
/// The texts allow every kind of line end, "0x0d or 0x0a0d or any
/// combination". So LF and CRLF end a line, and CR alone does too as long as
/// the stream has never shown an LF; after that a CR inside a line is only a
/// blank, because engines do send stray ones. Empty lines are given out too.
///
/// ```
/// use quadrille_protocol::LineBuffer;
///
/// let mut buffer = LineBuffer::new();
/// buffer.feed(b"uci\r\nisre");
/// assert_eq!(buffer.next_line(), Some(&b"uci"[..]));
/// assert_eq!(buffer.next_line(), None);
/// buffer.feed(b"ady\nquit");
/// assert_eq!(buffer.next_line(), Some(&b"isready"[..]));
/// assert_eq!(buffer.finish(), Some(&b"quit"[..]));
/// ```
#[derive(Debug, Clone)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Bytes before this have been given out.
    start: usize,
    /// Bytes before this hold no line end.
    scanned: usize,
    limit: usize,
    seen_lf: bool,
    /// The last line ended in CR: an LF right after it belongs to it.
    after_cr: bool,
    /// Inside a line that was too long; its rest is thrown away.
    discarding: bool,
    dropped: u64,
}

impl Default for LineBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl LineBuffer {
    /// A buffer for lines of up to a megabyte.
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }

    /// A buffer for lines of up to `limit` bytes. A longer line is given out
    /// cut at the limit, and the rest of it is counted and dropped.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            scanned: 0,
            limit: limit.max(1),
            seen_lf: false,
            after_cr: false,
            discarding: false,
            dropped: 0,
        }
    }

    /// Adds bytes as they were read.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole line without its end, or `None` until more bytes come.
    pub fn next_line(&mut self) -> Option<&[u8]> {
        loop {
            self.swallow_lf();
            let Some(end) = self.find_end() else {
                return self.cut_if_too_long();
            };
            let (begin, after_cr) = (self.start, self.bytes[end] == b'\r');
            self.seen_lf |= !after_cr;
            self.after_cr = after_cr;
            self.start = end + 1;
            self.scanned = end + 1;
            if core::mem::take(&mut self.discarding) {
                self.dropped += (end - begin) as u64;
                continue;
            }
            self.dropped += (end - begin).saturating_sub(self.limit) as u64;
            return Some(without_cr(&self.bytes[begin..end], self.limit));
        }
    }

    /// The last line if the stream ended without a line end.
    pub fn finish(&mut self) -> Option<&[u8]> {
        self.swallow_lf();
        let begin = self.start;
        self.start = self.bytes.len();
        self.scanned = self.start;
        let rest = &self.bytes[begin..];
        let kept = if core::mem::take(&mut self.discarding) {
            0
        } else {
            rest.len().min(self.limit)
        };
        self.dropped += (rest.len() - kept) as u64;
        if kept == 0 {
            return None;
        }
        Some(without_cr(rest, self.limit))
    }

    /// How many bytes were thrown away because their line was too long.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// An LF that belongs to the CR before it.
    fn swallow_lf(&mut self) {
        if self.after_cr && self.start < self.bytes.len() {
            self.after_cr = false;
            if self.bytes[self.start] == b'\n' {
                self.seen_lf = true;
                self.start += 1;
                self.scanned = self.scanned.max(self.start);
            }
        }
    }

    fn find_end(&mut self) -> Option<usize> {
        let cr_ends = !self.seen_lf;
        let found = self.bytes[self.scanned..]
            .iter()
            .position(|&b| b == b'\n' || (cr_ends && b == b'\r'))
            .map(|offset| self.scanned + offset);
        if found.is_none() {
            self.scanned = self.bytes.len();
        }
        found
    }

    fn cut_if_too_long(&mut self) -> Option<&[u8]> {
        let pending = self.bytes.len() - self.start;
        if self.discarding {
            self.dropped += pending as u64;
            self.start = self.bytes.len();
            return None;
        }
        if pending <= self.limit {
            return None;
        }
        let begin = self.start;
        self.discarding = true;
        self.dropped += (pending - self.limit) as u64;
        self.start = self.bytes.len();
        Some(&self.bytes[begin..begin + self.limit])
    }
}

/// A whole line without the CR of its end, or the beginning of one that is too
/// long. There a CR at the cut stays: it is not the end, and how the bytes
/// arrived must not make a difference.
fn without_cr(line: &[u8], limit: usize) -> &[u8] {
    match line.get(..limit) {
        Some(cut) if line.len() > limit => cut,
        _ => line.strip_suffix(b"\r").unwrap_or(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn lines(chunks: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut buffer = LineBuffer::with_limit(8);
        let mut out = Vec::new();
        for chunk in chunks {
            buffer.feed(chunk);
            while let Some(line) = buffer.next_line() {
                out.push(line.to_vec());
            }
        }
        out.extend(buffer.finish().map(<[u8]>::to_vec));
        out
    }

    #[test]
    fn every_line_end() {
        let expected = [b"a".to_vec(), b"b".to_vec()];
        for stream in [
            "a\nb\n",
            "a\r\nb\r\n",
            "a\rb\r",
            "a\rb",
            "a\r\nb",
            "a\nb\r\n",
        ] {
            assert_eq!(lines(&[stream.as_bytes()]), expected, "{stream:?}");
            let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
            assert_eq!(lines(&bytes), expected, "{stream:?} byte by byte");
        }
    }

    #[test]
    fn a_stray_cr_is_a_blank_once_lf_was_seen() {
        assert_eq!(lines(&[b"a\nb\rc\n"]), [b"a".to_vec(), b"b\rc".to_vec()]);
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let mut buffer = LineBuffer::with_limit(4);
        buffer.feed(b"abcdefgh");
        assert_eq!(buffer.next_line(), Some(&b"abcd"[..]));
        buffer.feed(b"ijk\nxy\n");
        assert_eq!(buffer.next_line(), Some(&b"xy"[..]));
        assert_eq!(buffer.dropped(), 7);
        buffer.feed(b"123456\nz\n");
        assert_eq!(buffer.next_line(), Some(&b"1234"[..]));
        assert_eq!(buffer.next_line(), Some(&b"z"[..]));
        assert_eq!(buffer.dropped(), 9);
        buffer.feed(b"ABCDEF");
        assert_eq!(buffer.finish(), Some(&b"ABCD"[..]));
        assert_eq!(buffer.dropped(), 11);
        assert_eq!(buffer.finish(), None);
    }

    #[test]
    fn a_cr_where_a_long_line_is_cut_stays_however_the_bytes_arrive() {
        let stream = b"a\n1234567\rrest\n1234567\r\n";
        let expected = [b"a".to_vec(), b"1234567\r".to_vec(), b"1234567".to_vec()];
        assert_eq!(lines(&[stream]), expected);
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(lines(&bytes), expected);
    }

    #[test]
    fn what_finish_cuts_off_is_counted() {
        let mut buffer = LineBuffer::with_limit(4);
        buffer.feed(b"abcdefg");
        assert_eq!(buffer.finish(), Some(&b"abcd"[..]));
        assert_eq!(buffer.dropped(), 3);
    }
}
