//! A tape as what an engine answers: which of its lines belong to which command.
//!
//! Two hosts that want the same do not send their commands at the same moments: one
//! waits for `uciok` before it says `isready`, another says both at once. So lines
//! are not told by their place between commands but by what they answer: everything
//! up to `uciok` belongs to `uci`, the first `readyok` to the first `isready`, `info`
//! and `bestmove` to the `go` that is not answered yet. Other lines belong to the
//! last command before them.

use std::collections::VecDeque;
use std::time::Duration;

use quadrille_protocol::{Command, Dialect, Go, GoItem, Report};

use super::entry::{Event, Tape};
use super::lines::{Line, Moment};
use crate::driver::Speaker;

/// A line that an engine says some time after something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// Bytes and how long after what came before them; together a line.
    pub(super) pieces: Vec<(Duration, Vec<u8>)>,
    /// How many `stop` and `ponderhit` must have been said since the `go`.
    pub(super) gate: usize,
}

/// A command on the tape and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) key: Key,
    pub(super) answers: Vec<Answer>,
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
        position: Vec<u8>,
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
    position: Vec<u8>,
}

impl Ears {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            position: b"position startpos".to_vec(),
        }
    }

    pub(super) fn hear(&mut self, line: &[u8]) -> Ask {
        let parsed = Command::parse(line, self.dialect);
        let tidy = parsed.normal(self.dialect);
        match &parsed.message {
            Command::Uci | Command::Ugi => Ask::Question(Key::Hello),
            Command::IsReady => Ask::Question(Key::Ready),
            Command::Go(go) => Ask::Question(Key::Go {
                position: self.position.clone(),
                limits: limits(go, self.dialect),
            }),
            Command::Position(_) | Command::SetPos(_) => {
                self.position = without_empty_moves(tidy);
                Ask::Position
            }
            // UGI's `move` adds to the position.
            Command::Move(_) => {
                self.position.push(b' ');
                self.position.extend_from_slice(&tidy);
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
    pub(super) at: Duration,
    /// The line in its tidy form, without clocks.
    pub(super) text: Vec<u8>,
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
    pub(super) silent: Vec<Vec<u8>>,
    /// What the engine says before it is asked anything.
    pub(super) banner: Vec<Answer>,
    /// How it ended: its exit code, if the tape knows.
    pub(super) exit: Option<i32>,
    /// It was told to quit, or its input was closed, before it ended.
    pub(super) told_to_end: bool,
    /// The clock of what is said before the first command.
    begun: Duration,
}

/// Which questions are not answered yet, while a tape is read.
#[derive(Debug, Default)]
struct Open {
    hello: VecDeque<usize>,
    ready: VecDeque<usize>,
    go: VecDeque<usize>,
    last: Option<usize>,
}

impl Script {
    pub(super) fn new(tape: &Tape, dialect: Dialect) -> Self {
        let mut script = Self::default();
        let (mut ears, mut open) = (Ears::new(dialect), Open::default());
        for moment in tape.moments() {
            match moment {
                Moment::Line(line) if line.speaker == Speaker::Host => {
                    script.host(&line, &mut ears, &mut open);
                }
                Moment::Line(line) => script.engine(&line, dialect, &mut open),
                Moment::Event(_, Event::HostClosed) => script.told_to_end = true,
                Moment::Event(_, Event::Ended(how)) => script.end(&how, &open),
                Moment::Event(..) => {}
            }
        }
        script
    }

    fn host(&mut self, line: &Line, ears: &mut Ears, open: &mut Open) {
        let ask = ears.hear(line.text());
        let tidy = || Command::parse(line.text(), ears.dialect).normal(ears.dialect);
        self.turns.push(Turn {
            at: line.at,
            text: match &ask {
                Ask::Question(Key::Go { limits, .. }) => [b"go ", &limits[..]].concat(),
                _ => without_empty_moves(tidy()),
            },
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
                self.silent.push(tidy);
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
            answers: Vec::new(),
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
            self.banner.push(answer(line, &mut self.begun, 0));
            return;
        };
        let answer = answer(line, &mut question.clock, question.gates);
        question.answers.push(answer);
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

/// A line with the times between its pieces; the clock goes on with it.
fn answer(line: &Line, clock: &mut Duration, gate: usize) -> Answer {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (index, (at, end)) in line.pieces.iter().enumerate() {
        let mut bytes = line.bytes[from..*end].to_vec();
        if line.ended && index + 1 == line.pieces.len() {
            bytes.push(b'\n');
        }
        pieces.push((at.saturating_sub(*clock), bytes));
        *clock = (*clock).max(*at);
        from = *end;
    }
    Answer { pieces, gate }
}
