//! A tape as what an engine answers: which of its lines belong to which command.
//!
//! Two hosts that want the same do not send their commands at the same moments: one
//! waits for `uciok` before it says `isready`, another says both at once. So lines
//! are not told by their place between commands but by what they answer: everything
//! up to `uciok` belongs to `uci`, the first `readyok` to the first `isready`, `info`
//! and `bestmove` to the `go` that is not answered yet. Other lines belong to the
//! last command before them.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

use quadrille_protocol::{Command, Dialect, Go, GoItem, Report};

use super::entry::{Event, Tape};
use super::lines::{Line, Moment};
use super::stream::{StreamItem, TapeStream};
use quadrille_driver::Speaker;

/// Lines that an engine says, each some time after what came before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answers {
    bytes: Vec<u8>,
    pieces: Vec<Spoken>,
}

/// A piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spoken {
    /// After what came before it.
    pause: Duration,
    length: u32,
    /// How many `stop` and `ponderhit` must have been said since the `go`.
    gate: u16,
    /// It is the last of its line.
    is_last: bool,
}

impl Answers {
    /// One line that is said at once.
    pub(super) fn made_up(bytes: &[u8], gate: usize) -> Self {
        let mut answers = Self::default();
        answers.add(Duration::ZERO, bytes, gate, true);
        answers
    }

    fn add(&mut self, pause: Duration, bytes: &[u8], gate: usize, is_last: bool) {
        self.bytes.extend_from_slice(bytes);
        self.pieces.push(Spoken {
            pause,
            // A line has at most 16 MiB, and a search is stopped a few times.
            length: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            gate: u16::try_from(gate).unwrap_or(u16::MAX),
            is_last,
        });
    }

    /// A line with the times between its pieces; the clock goes on with it.
    fn add_line(&mut self, line: &Line, clock: &mut Duration, gate: usize) {
        let mut from = 0;
        for (index, (at, end)) in line.pieces.iter().enumerate() {
            let is_last = index + 1 == line.pieces.len();
            let pause = at.saturating_sub(*clock);
            if is_last && line.ended {
                let bytes = [&line.bytes[from..*end], b"\n"].concat();
                self.add(pause, &bytes, gate, true);
            } else {
                self.add(pause, &line.bytes[from..*end], gate, is_last);
            }
            *clock = (*clock).max(*at);
            from = *end;
        }
    }

    /// Pause, bytes and gate of every piece.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Duration, &[u8], usize)> {
        let mut from = 0;
        self.pieces.iter().map(move |piece| {
            let start = from;
            from += piece.length as usize;
            let bytes = self.bytes.get(start..from).unwrap_or_default();
            (piece.pause, bytes, usize::from(piece.gate))
        })
    }

    /// The bytes of every line.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let (mut from, mut end) = (0, 0);
        self.pieces.iter().filter_map(move |piece| {
            end += piece.length as usize;
            if !piece.is_last {
                return None;
            }
            let line = self.bytes.get(from..end).unwrap_or_default();
            from = end;
            Some(line)
        })
    }

    fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.pieces.shrink_to_fit();
    }
}

/// A command on the tape and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) key: Key,
    pub(super) answers: Answers,
    /// It has been asked in this replay.
    pub(super) asked: bool,
    /// The engine ended before it had answered.
    pub(super) fatal: bool,
    /// When the clock of its answers was last started.
    clock: Duration,
    /// `stop` and `ponderhit` since, as far as the answer has to wait for them.
    gates: usize,
    /// For how many it has to wait: one with `infinite` or `ponder`. A search that
    /// ends by itself does so in a replay too, whether it is stopped or not.
    waits: usize,
}

/// What a command means, for finding it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    Hello,
    Ready,
    /// The position, and the limits without times.
    Go {
        position: Arc<[u8]>,
        limits: Vec<u8>,
    },
    /// Anything else, in its tidy form.
    Other(Vec<u8>),
}

/// What a live or recorded line does to the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// It may be answered.
    Question(Key),
    /// It sets the position for the next `go`.
    Position,
    /// It changes a search that runs.
    Gate,
    /// It ends the conversation.
    Quit,
    /// Nothing that is ever answered.
    Silent(Vec<u8>),
}

/// Follows what a host says.
#[derive(Debug, Clone)]
pub(super) struct Ears {
    pub(super) dialect: Dialect,
    /// Shared by all searches of it.
    position: Arc<[u8]>,
}

impl Ears {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            position: Arc::from(&b"position startpos"[..]),
        }
    }

    pub(super) fn hear(&mut self, line: &[u8]) -> Ask {
        let parsed = Command::parse(line, self.dialect);
        let tidy = parsed.normal(self.dialect);
        match &parsed.message {
            Command::Uci | Command::Ugi => Ask::Question(Key::Hello),
            Command::IsReady => Ask::Question(Key::Ready),
            Command::Go(go) => Ask::Question(Key::Go {
                position: Arc::clone(&self.position),
                limits: limits(go, self.dialect),
            }),
            Command::Position(_) | Command::SetPos(_) => {
                self.position = without_empty_moves(tidy).into();
                Ask::Position
            }
            // UGI's `move` adds to the position.
            Command::Move(_) => {
                self.position = [&self.position, &b" "[..], &tidy].concat().into();
                Ask::Position
            }
            Command::Stop | Command::PonderHit => Ask::Gate,
            Command::Quit => Ask::Quit,
            Command::SetOption(_)
            | Command::UciNewGame
            | Command::Debug(_)
            | Command::Register(_)
            | Command::Empty => Ask::Silent(tidy),
            _ => Ask::Question(Key::Other(tidy)),
        }
    }
}

/// `position startpos moves` and `position startpos` are the same.
fn without_empty_moves(mut tidy: Vec<u8>) -> Vec<u8> {
    while tidy.last().is_some_and(u8::is_ascii_whitespace) {
        tidy.pop();
    }
    if let Some(short) = tidy.strip_suffix(b" moves") {
        tidy = short.to_vec();
    }
    tidy
}

/// The limits of a search in a fixed order, without the times that no two runs
/// share; `movetime` is no clock and stays.
fn limits(go: &Go<'_>, dialect: Dialect) -> Vec<u8> {
    let clock = |item: &GoItem<'_>| {
        matches!(
            item,
            GoItem::WTime(_)
                | GoItem::BTime(_)
                | GoItem::WInc(_)
                | GoItem::BInc(_)
                | GoItem::Time(_)
                | GoItem::Inc(_)
                | GoItem::MovesToGo(_)
        )
    };
    let mut words: Vec<Vec<u8>> = go
        .items
        .iter()
        .filter(|item| !clock(item))
        .map(|item| {
            let line = Command::Go(Go::new().with(*item)).line(dialect);
            line.strip_prefix(b"go ")
                .map_or(line.clone(), <[u8]>::to_vec)
        })
        .collect();
    if go.items.iter().any(clock) {
        words.push(b"clock".to_vec());
    }
    words.sort();
    words.join(&b' ')
}

/// How often a search waits to be told that it may answer.
pub(super) fn waits(limits: &[u8]) -> usize {
    let mut words = limits.split(|b| *b == b' ');
    usize::from(words.any(|word| word == b"infinite" || word == b"ponder"))
}

/// A line of the host on a tape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    /// The line in its tidy form, without clocks.
    pub(super) text: Arc<[u8]>,
    /// What it asked.
    pub(super) question: Option<usize>,
}

/// A tape that can be asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Script {
    /// All lines of the host.
    pub(super) turns: Vec<Turn>,
    pub(super) questions: Vec<Question>,
    /// Commands that are never answered: `setoption` and the like.
    pub(super) silent: BTreeSet<Vec<u8>>,
    /// What the engine says before it is asked anything.
    pub(super) banner: Answers,
    /// How it ended: its exit code, if the tape knows.
    pub(super) exit: Option<i32>,
    /// It was told to quit, or its input was closed, before it ended.
    pub(super) told_to_end: bool,
    /// The clock of what is said before the first command.
    begun: Duration,
}

/// Longer texts of a host are hardly ever the same.
const SHORT: usize = 64;

/// Which questions are not answered yet, while a tape is read.
#[derive(Debug, Default)]
struct Open {
    hello: VecDeque<usize>,
    ready: VecDeque<usize>,
    go: VecDeque<usize>,
    last: Option<usize>,
}

/// A script that is being written.
struct Builder {
    script: Script,
    ears: Ears,
    open: Open,
    /// Hosts say the same again and again.
    texts: HashSet<Arc<[u8]>>,
}

impl Builder {
    fn new(dialect: Dialect) -> Self {
        Self {
            script: Script::default(),
            ears: Ears::new(dialect),
            open: Open::default(),
            texts: HashSet::new(),
        }
    }

    fn add(&mut self, moment: Moment) {
        let (script, open) = (&mut self.script, &mut self.open);
        match moment {
            Moment::Line(line) if line.speaker == Speaker::Host => {
                script.host(&line, &mut self.ears, open, &mut self.texts);
            }
            Moment::Line(line) => script.engine(&line, self.ears.dialect, open),
            Moment::Event(_, Event::HostClosed) => script.told_to_end = true,
            Moment::Event(_, Event::Ended(how)) => script.end(&how, open),
            Moment::Event(..) => {}
        }
    }

    fn finish(mut self) -> Script {
        self.script.turns.shrink_to_fit();
        self.script.questions.shrink_to_fit();
        self.script
    }
}

impl Script {
    pub(super) fn new(tape: &Tape, dialect: Dialect) -> Self {
        let mut builder = Builder::new(dialect);
        for moment in tape.moments() {
            builder.add(moment);
        }
        builder.finish()
    }

    /// The same of a tape that is read meanwhile.
    pub(super) fn read<R: BufRead>(
        stream: &mut TapeStream<R>,
        dialect: Dialect,
    ) -> io::Result<Self> {
        let mut builder = Builder::new(dialect);
        while let Some(item) = stream.next_item()? {
            if let StreamItem::Moment(moment) = item {
                builder.add(moment);
            }
        }
        Ok(builder.finish())
    }

    fn host(
        &mut self,
        line: &Line,
        ears: &mut Ears,
        open: &mut Open,
        texts: &mut HashSet<Arc<[u8]>>,
    ) {
        let ask = ears.hear(line.text());
        let tidy = || Command::parse(line.text(), ears.dialect).normal(ears.dialect);
        let text = match &ask {
            Ask::Question(Key::Go { limits, .. }) => [b"go ", &limits[..]].concat(),
            _ => without_empty_moves(tidy()),
        };
        let text = match texts.get(&text[..]) {
            Some(known) => Arc::clone(known),
            None => {
                let text: Arc<[u8]> = text.into();
                // A position is sent once or twice.
                if text.len() < SHORT {
                    texts.insert(Arc::clone(&text));
                }
                text
            }
        };
        self.turns.push(Turn {
            text,
            question: matches!(ask, Ask::Question(_)).then_some(self.questions.len()),
        });
        let key = match ask {
            Ask::Question(key) => key,
            Ask::Gate => {
                let go = open.go.front();
                let go = go.and_then(|index| self.questions.get_mut(*index));
                if let Some(go) = go.filter(|go| go.gates < go.waits) {
                    go.gates += 1;
                    go.clock = line.at;
                }
                return;
            }
            Ask::Quit => {
                self.told_to_end = true;
                return;
            }
            Ask::Silent(tidy) => {
                self.silent.insert(tidy);
                return;
            }
            Ask::Position => return,
        };
        let index = self.questions.len();
        let waits = match &key {
            Key::Go { limits, .. } => waits(limits),
            _ => 0,
        };
        match key {
            Key::Hello => open.hello.push_back(index),
            Key::Ready => open.ready.push_back(index),
            Key::Go { .. } => open.go.push_back(index),
            Key::Other(_) => {}
        }
        open.last = Some(index);
        self.questions.push(Question {
            key,
            answers: Answers::default(),
            asked: false,
            fatal: false,
            clock: line.at,
            gates: 0,
            waits,
        });
    }

    fn engine(&mut self, line: &Line, dialect: Dialect, open: &mut Open) {
        let parsed = Report::parse(line.text(), dialect);
        let owner = match &parsed.message {
            Report::UciOk | Report::UgiOk => open.hello.pop_front(),
            Report::Id(_) | Report::Option(_) => open.hello.front().copied(),
            Report::ReadyOk => open.ready.pop_front(),
            Report::BestMove(_) => open.go.pop_front(),
            Report::Info(_) => open.go.front().copied(),
            _ => None,
        };
        let owner = owner.or(open.last);
        let Some(question) = owner.and_then(|index| self.questions.get_mut(index)) else {
            self.banner.add_line(line, &mut self.begun, 0);
            return;
        };
        let gates = question.gates;
        question.answers.add_line(line, &mut question.clock, gates);
        if matches!(
            parsed.message,
            Report::UciOk | Report::UgiOk | Report::ReadyOk | Report::BestMove(_)
        ) {
            question.answers.shrink();
        }
    }

    fn end(&mut self, how: &str, open: &Open) {
        self.exit = how.strip_prefix("exit ").and_then(|code| code.parse().ok());
        if self.exit.is_none() {
            // As a shell tells of a signal.
            let signal = how
                .strip_prefix("signal ")
                .and_then(|n| n.parse::<i32>().ok());
            self.exit = signal.map(|signal| 128 + signal);
        }
        if self.told_to_end {
            return;
        }
        // It fell silent in the middle of something.
        let first = [&open.go, &open.ready, &open.hello];
        let culprit = first
            .iter()
            .find_map(|list| list.front().copied())
            .or(open.last);
        if let Some(question) = culprit.and_then(|index| self.questions.get_mut(index)) {
            question.fatal = true;
        }
    }
}
