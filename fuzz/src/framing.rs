//! Cutting a stream of bytes into lines.

use quadrille_protocol::LineBuffer;

/// The first byte is the longest line allowed, the second how many bytes
/// follow that say how the stream arrives; the rest is the stream.
///
/// Whatever the chunks, the lines are the same, and they are what the rules
/// for line ends say.
pub fn check(data: &[u8]) {
    let [limit, cuts, rest @ ..] = data else {
        return;
    };
    let limit = usize::from(*limit).max(1);
    let (cuts, stream) = rest.split_at(usize::from(cuts % 16).min(rest.len()));
    let expected = model(stream, limit);
    assert_eq!(collect([stream], limit), expected, "at once");
    assert_eq!(collect(stream.chunks(1), limit), expected, "byte by byte");
    if cuts.iter().any(|&size| size > 0) {
        assert_eq!(collect(pieces(stream, cuts), limit), expected, "{cuts:?}");
    }
    // Far below the usual limit nothing is ever dropped.
    let mut buffer = LineBuffer::new();
    buffer.feed(stream);
    while buffer.next_line().is_some() {}
    buffer.finish();
    assert_eq!(buffer.dropped(), 0);
}

/// Cuts a stream into chunks of these sizes, over and over.
fn pieces<'a>(mut stream: &'a [u8], sizes: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut sizes = sizes.iter().cycle();
    core::iter::from_fn(move || {
        let size = usize::from(*sizes.next()?).min(stream.len());
        if stream.is_empty() {
            return None;
        }
        let (piece, rest) = stream.split_at(size);
        stream = rest;
        Some(piece)
    })
}

/// The lines, and how many bytes were dropped.
type Lines = (Vec<Vec<u8>>, u64);

fn collect<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, limit: usize) -> Lines {
    let mut buffer = LineBuffer::with_limit(limit);
    let mut lines = Vec::new();
    for chunk in chunks {
        buffer.feed(chunk);
        while let Some(line) = buffer.next_line() {
            lines.push(line.to_vec());
        }
    }
    lines.extend(buffer.finish().map(<[u8]>::to_vec));
    (lines, buffer.dropped())
}

/// The same, one byte at a time and without a thought for speed: LF ends a
/// line, CR does too until the first LF, and an LF right behind such a CR
/// belongs to it. A CR at the end of a line is no part of it, unless that end
/// is where a line that is too long was cut.
fn model(stream: &[u8], limit: usize) -> Lines {
    let (mut lines, mut dropped) = (Vec::new(), 0);
    let (mut seen_lf, mut after_cr) = (false, false);
    let mut line = Vec::new();
    let mut give_out = |line: &mut Vec<u8>| {
        if line.len() > limit {
            dropped += (line.len() - limit) as u64;
            line.truncate(limit);
        } else if line.last() == Some(&b'\r') {
            line.pop();
        }
        lines.push(core::mem::take(line));
    };
    for &byte in stream {
        let belongs_to_cr = core::mem::take(&mut after_cr) && byte == b'\n';
        let cr_ends = byte == b'\r' && !seen_lf;
        seen_lf |= byte == b'\n';
        if belongs_to_cr {
            continue;
        }
        if byte == b'\n' || cr_ends {
            give_out(&mut line);
            after_cr = cr_ends;
        } else {
            line.push(byte);
        }
    }
    if !line.is_empty() {
        give_out(&mut line);
    }
    (lines, dropped)
}
