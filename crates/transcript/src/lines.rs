//! The pieces of a tape put together to lines.

use std::time::Duration;

use super::entry::{Entry, Event, Tape};
use quadrille_driver::Speaker;

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

/// Lines that grow longer, or come in more pieces, are given out as they are.
const LONGEST: usize = 1 << 24;
const MOST_PIECES: usize = 1 << 16;

/// Puts the pieces of a tape together.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    /// What each side has begun to say.
    open: [Option<Line>; 2],
}

impl Assembler {
    /// Takes an entry, and gives what is complete with it.
    pub(super) fn push(&mut self, entry: Entry, give: &mut impl FnMut(Moment)) {
        let Event::Said {
            speaker,
            bytes,
            ended,
        } = entry.event
        else {
            // What a side has said before it closed comes first.
            let sides = match entry.event {
                Event::HostClosed => 0..1,
                Event::EngineClosed => 1..2,
                _ => 0..2,
            };
            let said = self.open[sides].iter_mut().filter_map(Option::take);
            said.map(Moment::Line).for_each(&mut *give);
            give(Moment::Event(entry.at, entry.event));
            return;
        };
        let place = &mut self.open[usize::from(speaker == Speaker::Engine)];
        let line = place.get_or_insert_with(|| Line {
            at: entry.at,
            speaker,
            bytes: Vec::new(),
            pieces: Vec::new(),
            ended: false,
        });
        line.at = entry.at;
        line.bytes.extend_from_slice(&bytes);
        line.pieces.push((entry.at, line.bytes.len()));
        line.ended = ended;
        if ended || line.bytes.len() > LONGEST || line.pieces.len() > MOST_PIECES {
            place.take().map(Moment::Line).into_iter().for_each(give);
        }
    }

    /// Gives what has no end.
    pub(super) fn finish(&mut self, give: &mut impl FnMut(Moment)) {
        let rest = self.open.iter_mut().filter_map(Option::take);
        rest.map(Moment::Line).for_each(give);
    }
}

impl Tape {
    /// Lines and events in the order in which they were complete.
    pub fn moments(&self) -> Vec<Moment> {
        let mut moments = Vec::new();
        let mut assembler = Assembler::default();
        let mut give = |moment| moments.push(moment);
        for entry in &self.entries {
            assembler.push(entry.clone(), &mut give);
        }
        assembler.finish(&mut give);
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
