//! A tape that is read while it is looked at, however long it is.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use quadrille_protocol::Dialect;

use super::entry::{Event, LeftOut, Piece, TapeError, TapeReader};
use super::lines::{Assembler, Moment};
use quadrille_driver::Speaker;

/// The first word of the host is looked for among so many lines, and so many bytes: they are
/// kept until they are asked for.
const AHEAD: usize = 10_000;
const BYTES_AHEAD: usize = 1 << 20;

/// What a tape has next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamItem {
    /// A line of the conversation, or an event.
    Moment(Moment),
    /// The line of the file with this number, from 1, is no line of a tape.
    BadLine(u64),
}

/// The lines and events of a tape, one after the other. It holds one line at a time.
#[derive(Debug)]
pub struct TapeStream<R> {
    reader: TapeReader<R>,
    assembler: Assembler,
    ready: VecDeque<StreamItem>,
    is_over: bool,
}

impl<R: BufRead> TapeStream<R> {
    /// Reads the head of a tape.
    pub fn open(input: R) -> Result<Self, TapeError> {
        Ok(Self {
            reader: TapeReader::open(input)?,
            assembler: Assembler::default(),
            ready: VecDeque::new(),
            is_over: false,
        })
    }

    /// What the head says.
    pub fn head(&self) -> &[(String, String)] {
        self.reader.head()
    }

    /// Facts of the head that are too many, and were not read.
    pub const fn left_out(&self) -> Option<LeftOut> {
        self.reader.left_out()
    }

    /// Whether what was read so far ends in the middle of a line.
    pub fn is_cut(&self) -> bool {
        self.reader.is_cut()
    }

    /// The dialect that the head names, or that the first word of the host shows.
    pub fn dialect(&mut self) -> io::Result<Dialect> {
        let named = self.head().iter().find(|fact| fact.0 == "dialect");
        if let Some(known) = named.and_then(|fact| fact.1.parse().ok()) {
            return Ok(known);
        }
        let (mut looked, mut bytes) = (0, 0);
        while looked < AHEAD && bytes < BYTES_AHEAD {
            if self.ready.len() <= looked && !self.fill()? {
                break;
            }
            match self.ready.get(looked) {
                Some(StreamItem::Moment(Moment::Line(line))) => {
                    if line.speaker == Speaker::Host {
                        let ugi = line.text().trim_ascii() == b"ugi";
                        return Ok(if ugi { Dialect::Ugi } else { Dialect::Uci });
                    }
                    bytes += line.bytes.len() + size_of_val(&*line.pieces);
                }
                Some(StreamItem::Moment(Moment::Event(_, Event::Ended(how)))) => bytes += how.len(),
                _ => {}
            }
            looked += 1;
        }
        Ok(Dialect::Uci)
    }

    /// What comes next, or `None` at the end.
    pub fn next_item(&mut self) -> io::Result<Option<StreamItem>> {
        if self.ready.is_empty() {
            self.fill()?;
        }
        Ok(self.ready.pop_front())
    }

    /// Reads until there is more; whether there is.
    fn fill(&mut self) -> io::Result<bool> {
        let before = self.ready.len();
        while self.ready.len() == before && !self.is_over {
            let ready = &mut self.ready;
            let mut take = |moment| ready.push_back(StreamItem::Moment(moment));
            match self.reader.next_piece()? {
                Some(Piece::Entry(entry)) => self.assembler.push(entry, &mut take),
                Some(Piece::BadLine(number)) => ready.push_back(StreamItem::BadLine(number)),
                None => {
                    self.assembler.finish(&mut take);
                    self.is_over = true;
                }
            }
        }
        Ok(self.ready.len() > before)
    }
}
