//! A tape that answers as the engine it was recorded from.
//!
//! No input, output, threads or clock of its own: [`Replay`] is fed lines and the
//! time, and says what to say next and when. [`run`] puts both around it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_protocol::Dialect;

use super::entry::Tape;
use super::script::{Answers, Ask, Ears, Key, Script, waits};
use super::stream::TapeStream;

/// How fast a tape answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// So many times as fast as it was recorded.
    Times(f64),
    /// At once.
    AtOnce,
}

impl Speed {
    fn scaled(self, time: Duration) -> Duration {
        match self {
            // A factor that is no number, or too small, must not stop the world.
            Self::Times(factor) if factor > 0.0 => {
                let seconds = time.as_secs_f64() / factor;
                Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
            }
            _ => Duration::ZERO,
        }
    }
}

/// Where a live conversation left the tape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    /// The line, counted from 1.
    pub line: u64,
    /// What the host said.
    pub said: Vec<u8>,
    /// What is on the tape instead, and what is done.
    pub what: String,
}

/// What is said next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// These bytes, now.
    Say(Vec<u8>),
    /// Nothing before this moment.
    Wait(Duration),
    /// Nothing until something is heard.
    Listen,
    /// The engine ends with this exit code.
    End(i32),
}

/// One search or other answer under way.
#[derive(Debug)]
struct Speech {
    pieces: VecDeque<(Duration, Vec<u8>, usize)>,
    /// When the last of its pieces was due.
    clock: Duration,
    /// `stop` and `ponderhit` that were heard since it began.
    gates: usize,
    /// It is an answer to `go`, which `stop` can hurry.
    search: bool,
    fatal: bool,
}

/// A tape that is played back.
#[derive(Debug)]
pub struct Replay {
    script: Script,
    ears: Ears,
    speed: Speed,
    heard: u64,
    /// What is being said, oldest first.
    speeches: VecDeque<Speech>,
    departures: Vec<Departure>,
    /// The host is gone, or has said `quit`.
    over: bool,
}

impl Replay {
    /// A replay from the beginning of a tape.
    pub fn new(tape: &Tape, dialect: Dialect, speed: Speed) -> Self {
        Self::of(Script::new(tape, dialect), dialect, speed)
    }

    /// A replay of a tape that is read to its end.
    pub fn read<R: BufRead>(
        stream: &mut TapeStream<R>,
        dialect: Dialect,
        speed: Speed,
    ) -> io::Result<Self> {
        Ok(Self::of(Script::read(stream, dialect)?, dialect, speed))
    }

    fn of(script: Script, dialect: Dialect, speed: Speed) -> Self {
        let banner = speech(&script.banner, Duration::ZERO, false, false);
        Self {
            script,
            ears: Ears::new(dialect),
            speed,
            heard: 0,
            speeches: VecDeque::from([banner]),
            departures: Vec::new(),
            over: false,
        }
    }

    /// Where the conversation left the tape since this was last asked.
    pub fn departures(&mut self) -> Vec<Departure> {
        std::mem::take(&mut self.departures)
    }

    /// The host says a line.
    pub fn hear(&mut self, line: &[u8], now: Duration) {
        self.heard += 1;
        match self.ears.hear(line) {
            Ask::Question(key) => self.answer(line, &key, now),
            Ask::Gate => {
                if let Some(search) = self.speeches.iter_mut().find(|speech| speech.search) {
                    search.gates += 1;
                    // What the engine had said until then comes first, and at once.
                    search.hurry(now);
                }
            }
            Ask::Quit => self.over = true,
            Ask::Silent(tidy) => {
                let option = tidy.starts_with(b"setoption");
                if option && !self.script.silent.contains(&tidy) {
                    let what = "this option was not set so on the tape; it changes nothing";
                    self.depart(line, what.into());
                }
            }
            Ask::Position => {}
        }
    }

    /// The host has closed its side.
    pub fn close(&mut self) {
        self.over = true;
    }

    fn depart(&mut self, line: &[u8], what: String) {
        self.departures.push(Departure {
            line: self.heard,
            said: line.to_vec(),
            what,
        });
    }

    fn answer(&mut self, line: &[u8], key: &Key, now: Duration) {
        if let Some(index) = self.find(line, key) {
            let question = &mut self.script.questions[index];
            question.asked = true;
            let search = matches!(key, Key::Go { .. });
            let speech = speech(&question.answers, now, search, question.fatal);
            self.speeches.push_back(speech);
            return;
        }
        let (said, gate) = match key {
            Key::Hello => {
                let ok: &[u8] = if self.ears.dialect == Dialect::Ugi {
                    b"id name tape\nugiok\n"
                } else {
                    b"id name tape\nuciok\n"
                };
                self.depart(line, "it is not on the tape; the answer is made up".into());
                (ok, 0)
            }
            Key::Ready => (&b"readyok\n"[..], 0),
            Key::Go { limits, .. } => {
                let what = "no such search is on the tape; the answer is a null move";
                self.depart(line, what.into());
                let said = &b"info string this is not on the tape\nbestmove 0000\n"[..];
                (said, waits(limits))
            }
            Key::Other(_) => {
                self.depart(line, "it is not on the tape; nothing is answered".into());
                return;
            }
        };
        let made = Answers::made_up(said, gate);
        let search = matches!(key, Key::Go { .. });
        self.speeches.push_back(speech(&made, now, search, false));
    }

    /// The question on the tape that fits best, and what is to be said if it does
    /// not fit well.
    fn find(&mut self, line: &[u8], key: &Key) -> Option<usize> {
        let questions = &self.script.questions;
        let all = || questions.iter().enumerate();
        let fresh = all().find(|(_, q)| !q.asked && q.key == *key);
        if let Some((index, _)) = fresh {
            let earlier = |(before, q): (usize, &super::script::Question)| {
                before < index && !q.asked && matches!(q.key, Key::Go { .. })
            };
            let skipped = all().filter(|pair| earlier(*pair)).count();
            if matches!(key, Key::Go { .. }) && skipped > 0 {
                let what =
                    format!("{skipped} searches of the tape are left out; this one is answered");
                self.depart(line, what);
            }
            return Some(index);
        }
        // A question may be asked again; the last answer counts.
        if let Some((index, _)) = all().rfind(|(_, q)| q.key == *key) {
            if matches!(key, Key::Go { .. }) {
                self.depart(
                    line,
                    "this search is asked for again; the answer is the same".into(),
                );
            }
            return Some(index);
        }
        let Key::Go { position, limits } = key else {
            return None;
        };
        let near = |q: &super::script::Question| match &q.key {
            Key::Go { position: p, .. } => p == position,
            _ => false,
        };
        let found = all().find(|(_, q)| !q.asked && near(q));
        let (index, question) = found.or_else(|| all().rfind(|(_, q)| near(q)))?;
        let Key::Go { limits: taped, .. } = &question.key else {
            return None;
        };
        let what = format!(
            "the tape has this position with other limits ({} instead of {}); it is answered so",
            String::from_utf8_lossy(taped),
            String::from_utf8_lossy(limits)
        );
        self.depart(line, what);
        Some(index)
    }

    /// What to do now.
    pub fn next(&mut self, now: Duration) -> Next {
        self.speeches
            .retain(|speech| !speech.pieces.is_empty() || speech.fatal);
        if self.over {
            // What was asked before is answered; only searches are broken off.
            let owed = |speech: &&mut Speech| !speech.search && !speech.pieces.is_empty();
            let piece = self
                .speeches
                .iter_mut()
                .find(owed)
                .and_then(|s| s.pieces.pop_front());
            return piece.map_or_else(|| Next::End(self.exit()), |piece| Next::Say(piece.1));
        }
        // Of all that are being said, what is due first; none passes a closed gate.
        let mut soonest: Option<(Duration, usize)> = None;
        for (index, speech) in self.speeches.iter().enumerate() {
            let due = match speech.pieces.front() {
                Some((_, _, gate)) if *gate > speech.gates => continue,
                Some((pause, ..)) => speech.clock.saturating_add(self.speed.scaled(*pause)),
                None => speech.clock,
            };
            if soonest.is_none_or(|(first, _)| due < first) {
                soonest = Some((due, index));
            }
        }
        let Some((due, index)) = soonest else {
            return Next::Listen;
        };
        if due > now {
            return Next::Wait(due);
        }
        let speech = &mut self.speeches[index];
        match speech.pieces.pop_front() {
            Some((_, bytes, _)) => {
                speech.clock = due;
                Next::Say(bytes)
            }
            None => Next::End(self.exit()),
        }
    }

    fn exit(&self) -> i32 {
        self.script.exit.unwrap_or(0)
    }
}

impl Speech {
    /// Makes everything due that was said before the next `stop` on the tape, and
    /// starts the clock of what comes after.
    fn hurry(&mut self, now: Duration) {
        let last = self.pieces.back().map_or(0, |piece| piece.2);
        // The tape has no more of them: the rest is due too.
        let gate = self.gates.min(last);
        let rest = self.gates > last;
        for piece in &mut self.pieces {
            if piece.2 < gate || rest {
                piece.0 = Duration::ZERO;
            }
        }
        self.clock = now;
    }
}

fn speech(answers: &Answers, now: Duration, search: bool, fatal: bool) -> Speech {
    let pieces = answers
        .pieces()
        .map(|(pause, bytes, gate)| (pause, bytes.to_vec(), gate));
    Speech {
        pieces: pieces.collect(),
        clock: now,
        gates: 0,
        search,
        fatal,
    }
}

/// The longest line of a host that is heard whole.
const LONGEST: u64 = 1 << 24;

/// Plays a tape to a host; gives the exit code of the engine.
pub fn run(
    mut replay: Replay,
    host_in: impl Read + Send + 'static,
    mut host_out: impl Write,
    tell: &mut dyn FnMut(&Departure) -> bool,
) -> io::Result<i32> {
    let begun = Instant::now();
    let (sender, lines) = sync_channel::<Vec<u8>>(64);
    thread::Builder::new().name("host".into()).spawn(move || {
        let mut host = BufReader::new(host_in);
        loop {
            let mut line = Vec::new();
            let read = host.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            if !matches!(read, Ok(1..)) || sender.send(line).is_err() {
                return;
            }
        }
    })?;
    loop {
        let heard = match replay.next(begun.elapsed()) {
            Next::Say(bytes) => {
                host_out.write_all(&bytes)?;
                host_out.flush()?;
                // Everything that is due is said before another line is heard.
                None
            }
            Next::End(code) => return Ok(code),
            Next::Wait(until) => {
                let pause = until.saturating_sub(begun.elapsed());
                match lines.recv_timeout(pause) {
                    Ok(line) => Some(line),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => {
                        replay.close();
                        None
                    }
                }
            }
            Next::Listen => match lines.recv() {
                Ok(line) => Some(line),
                Err(_) => {
                    replay.close();
                    None
                }
            },
        };
        if let Some(line) = heard {
            let end = line.iter().rposition(|b| !matches!(b, b'\n' | b'\r'));
            replay.hear(&line[..end.map_or(0, |end| end + 1)], begun.elapsed());
        }
        for departure in replay.departures() {
            if !tell(&departure) {
                return Ok(1);
            }
        }
    }
}
