//! The pieces of a tape put together to lines.

use std::time::Duration;

use super::entry::{Event, Tape};
use crate::driver::Speaker;

/// A line of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// When its last piece came.
    pub at: Duration,
    /// Who said it.
    pub speaker: Speaker,
    /// Its bytes without the line feed.
    pub bytes: Vec<u8>,
    /// When each piece came, and where it ends in the bytes.
    pub pieces: Vec<(Duration, usize)>,
    /// Whether it has an end; only the last line of a side has none.
    pub ended: bool,
}

impl Line {
    /// The line as a protocol reads it: without a carriage return at its end.
    pub fn text(&self) -> &[u8] {
        let end = self.bytes.iter().rposition(|b| *b != b'\r');
        &self.bytes[..end.map_or(0, |end| end + 1)]
    }
}

/// A line, or what happened to the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// A line.
    Line(Line),
    /// Something else.
    Event(Duration, Event),
}

impl Tape {
    /// Lines and events in the order in which they were complete.
    pub fn moments(&self) -> Vec<Moment> {
        let mut moments = Vec::new();
        let mut open: [Option<Line>; 2] = [None, None];
        for entry in &self.entries {
            let Event::Said {
                speaker,
                bytes,
                ended,
            } = &entry.event
            else {
                // What a side has said before it closed comes first.
                let sides = match entry.event {
                    Event::HostClosed => 0..1,
                    Event::EngineClosed => 1..2,
                    _ => 0..2,
                };
                moments.extend(
                    open[sides]
                        .iter_mut()
                        .filter_map(Option::take)
                        .map(Moment::Line),
                );
                moments.push(Moment::Event(entry.at, entry.event.clone()));
                continue;
            };
            let place = &mut open[usize::from(*speaker == Speaker::Engine)];
            let line = place.get_or_insert_with(|| Line {
                at: entry.at,
                speaker: *speaker,
                bytes: Vec::new(),
                pieces: Vec::new(),
                ended: false,
            });
            line.at = entry.at;
            line.bytes.extend_from_slice(bytes);
            line.pieces.push((entry.at, line.bytes.len()));
            line.ended = *ended;
            if *ended {
                moments.extend(place.take().map(Moment::Line));
            }
        }
        moments.extend(open.into_iter().flatten().map(Moment::Line));
        moments
    }

    /// Only the lines.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        self.moments()
            .into_iter()
            .filter_map(|moment| match moment {
                Moment::Line(line) => Some(line),
                Moment::Event(..) => None,
            })
    }
}
