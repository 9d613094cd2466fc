//! A conversation with one engine, every line of it kept with its time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::{Duration, Instant};

use quadrille_net::sanitize::one_line;
use quadrille_protocol::{Command, Dialect, HostSide};

use super::children;
use super::fair::{FairClock, FairWait, Spent};
use super::report::{Spoken, Voice};
use super::reproduce::Sent;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Death, Link, Silence, Tape, Wire};

/// An engine that was asked to end is looked at this often.
const STEP: Duration = Duration::from_millis(20);

/// Looks for what an engine has left behind: so many where something is found, so that it may
/// be ending, and a few where nothing is.
const LOOKS: u32 = 40;
const FEW_LOOKS: u32 = 2;

/// So much of a line is shown.
const WIDTH: usize = 400;

/// So many lines of a scene are kept. What comes between is counted.
const KEPT: usize = 3000;

/// Lines of a run of the same speaker that are shown at its start and its end.
const HEAD: usize = 3;
const TAIL: usize = 4;

/// Lines of a transcript, in all.
const SHOWN: usize = 60;

/// An engine that is spoken to.
pub(super) struct Talk {
    wire: Wire,
    /// Whose turn it is to say what.
    pub(super) sides: HostSide,
    dialect: Dialect,
    started: Instant,
    log: Vec<Spoken>,
    /// What was sent in this scene, and since the start of the engine.
    pub(super) sent: Sent,
    pub(super) all_sent: Sent,
    /// The engine has said something since.
    has_heard: bool,
    /// The scenes since then.
    pub(super) scenes: Vec<&'static str>,
    /// The log does not begin with the start of the engine.
    is_turned: bool,
    /// How it ended, if it has.
    pub(super) death: Option<Death>,
    /// It was asked to end.
    ending: Option<FairWait>,
    /// Processes that it had started when it was asked to end, and how many of them
    /// ran on when it had ended.
    children: Vec<u32>,
    left_behind: usize,
    /// What they have in their environment.
    mark: Option<Vec<u8>>,
    /// What is measured, and since when; and what a wait is prolonged by.
    measured: FairClock,
    marked: Instant,
    awaited: FairClock,
}

impl Talk {
    pub(super) fn new(link: Box<dyn Link>, dialect: Dialect, tape: Option<Tape>) -> Self {
        let process = link.process_id();
        Self {
            wire: Wire::new(link, tape),
            sides: HostSide::new(dialect),
            dialect,
            started: Instant::now(),
            log: Vec::new(),
            sent: Sent::default(),
            all_sent: Sent::default(),
            has_heard: false,
            scenes: Vec::new(),
            is_turned: false,
            death: None,
            ending: None,
            children: Vec::new(),
            left_behind: 0,
            mark: None,
            measured: FairClock::of(process),
            marked: Instant::now(),
            awaited: FairClock::of(process),
        }
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.wire.link.process_id()
    }

    pub(super) fn stderr(&self) -> quadrille_driver::Stderr {
        self.wire.link.stderr()
    }

    pub(super) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Forgets what was said: another scene begins.
    pub(super) fn turn_page(&mut self, scene: &'static str) {
        self.scenes.push(scene);
        self.log.clear();
        self.sent.clear();
        self.is_turned = true;
    }

    /// The command that says the same to a fresh engine.
    pub(super) fn reproduce(&self, spec: &EngineSpec, preamble: &str) -> Option<String> {
        let before = if self.is_turned { preamble } else { "" };
        self.sent.command(spec, before, Instant::now())
    }

    /// Sends one line.
    pub(super) fn say(&mut self, line: &str) {
        let mut bytes = line.as_bytes().to_vec();
        bytes.push(b'\n');
        self.say_bytes(&bytes);
    }

    /// Sends bytes as they are; each line in them is a command. A carriage return is shown.
    pub(super) fn say_bytes(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        let waited = self.has_answered();
        for line in bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
            for command in line.split(|&b| b == b'\r').filter(|part| !part.is_empty()) {
                self.sides
                    .sent(&Command::parse(command, self.dialect).message);
            }
            self.keep(now, Voice::Host, line);
        }
        self.send(now, bytes, waited);
    }

    /// Sends part of a line, which is not judged as a command.
    pub(super) fn say_piece(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        self.keep(now, Voice::Host, bytes);
        let waited = self.has_answered();
        self.send(now, bytes, waited);
    }

    /// Whether something was said since something was sent, and all was answered.
    fn has_answered(&self) -> bool {
        self.has_heard && self.owes_nothing()
    }

    /// Whether the engine has answered everything that it was asked.
    pub(super) fn owes_nothing(&self) -> bool {
        let owed = self.sides.owed();
        !owed.handshake && owed.readyok == 0 && owed.bestmove == 0
    }

    fn send(&mut self, now: Instant, bytes: &[u8], waited: bool) {
        self.sent.push(now, bytes, waited);
        self.all_sent.push(now, bytes, waited);
        self.has_heard = false;
        self.wire.send(bytes);
    }

    fn keep(&mut self, at: Instant, by: Voice, line: &[u8]) {
        if self.log.len() >= KEPT {
            return;
        }
        let text = String::from_utf8_lossy(&line[..line.len().min(WIDTH)]);
        let mut text = one_line(&text).into_owned();
        if line.len() > WIDTH {
            text.push('…');
        }
        let since = at.saturating_duration_since(self.started);
        self.log.push(Spoken {
            micros: u64::try_from(since.as_micros()).unwrap_or(u64::MAX),
            by,
            text,
        });
    }

    /// Adds to what is shown that something happened.
    pub(super) fn note(&mut self, text: &str) {
        self.keep(Instant::now(), Voice::Note, text.as_bytes());
    }

    /// Waits for a line; the bytes are in [`line`](Self::line).
    pub(super) async fn read(&mut self, deadline: Instant) -> Result<Instant, Silence> {
        if self.death.is_some() {
            return Err(Silence::Closed);
        }
        match self.wire.read(Some(deadline)).await {
            Ok(()) => {
                let (at, line) = (self.wire.arrived, std::mem::take(&mut self.wire.line));
                self.has_heard = true;
                self.keep(at, Voice::Engine, &line);
                self.wire.line = line;
                Ok(at)
            }
            // A process that it has left behind may hold its output open.
            Err(Silence::Late) if !self.wire.link.has_ended() => Err(Silence::Late),
            Err(_) => {
                self.await_end().await;
                let death = self.wire.death().await;
                self.note(&death.to_string());
                self.death = Some(death);
                Err(Silence::Closed)
            }
        }
    }

    pub(super) fn line(&self) -> &[u8] {
        &self.wire.line
    }

    /// From here on is measured.
    pub(super) fn mark(&mut self) {
        self.marked = Instant::now();
        self.measured.mark(self.marked);
    }

    /// The time from the mark to this moment.
    pub(super) fn spent(&mut self, end: Instant) -> Spent {
        Spent {
            whole: end.saturating_duration_since(self.marked),
            taken: self.measured.taken(self.marked, end),
        }
    }

    /// Begins to wait for something.
    pub(super) fn begin_wait(&mut self, patience: Duration) -> FairWait {
        self.awaited.begin(patience)
    }

    /// Adds to a wait what the machine took meanwhile; whether there is time left.
    pub(super) fn prolong(&mut self, wait: &mut FairWait) -> bool {
        self.awaited.prolong(wait)
    }

    /// Closes the engine's input.
    pub(super) async fn close_input(&mut self) {
        self.note("the input of the engine is closed");
        let link = &mut self.wire.link;
        // An error means that it is closed already.
        let _ = poll_fn(|context| Pin::new(&mut **link).poll_shutdown(context)).await;
    }

    /// The engine is about to be asked to end, and has so long for it. What it has
    /// started by now must end with it.
    pub(super) fn prepare_end(&mut self, patience: Duration) {
        self.ending = Some(self.begin_wait(patience));
        self.children = children::below(self.process_id());
        self.mark = children::mark(self.process_id());
        // What is left behind is killed when the engine is buried.
        self.wire.link.about_to_quit();
    }

    /// Processes that ran on when the engine had ended.
    pub(super) const fn left_behind(&self) -> usize {
        self.left_behind
    }

    /// An engine may close its output some time before it ends. What it leaves behind is
    /// to be seen until it is buried.
    async fn await_end(&mut self) {
        let Some(mut wait) = self.ending.clone() else {
            return;
        };
        while !self.wire.link.has_ended()
            && (Instant::now() < wait.deadline || self.prolong(&mut wait))
        {
            tokio::time::sleep(STEP / 10).await;
        }
        self.left_behind = self.count_left_behind().await;
    }

    /// What runs on for longer than an end takes. A process that is just becoming another
    /// program has no environment for a moment, so that more than one look is taken.
    async fn count_left_behind(&mut self) -> usize {
        let engine = self.process_id();
        let mut left = 0;
        for look in 0..LOOKS {
            if let Some(mark) = &self.mark {
                self.children.extend(children::marked(mark, engine));
                self.children.sort_unstable();
                self.children.dedup();
            }
            left = children::count_running(&self.children);
            if left == 0 && look >= FEW_LOOKS {
                break;
            }
            tokio::time::sleep(STEP / 2).await;
        }
        left
    }

    /// The end, if it comes in time, or else why that is not known. What the engine still
    /// says is heard.
    pub(super) async fn end(&mut self, patience: Duration) -> Result<Death, Option<String>> {
        let mut wait = match self.ending.clone() {
            Some(wait) => wait,
            None => self.begin_wait(patience),
        };
        while self.death.is_none() && (Instant::now() < wait.deadline || self.prolong(&mut wait)) {
            // Its end may not be heard: see `read`.
            let step = Instant::now() + STEP;
            let _ = self.read(step.min(wait.deadline)).await;
        }
        if self.death.is_none() {
            self.wire.link.kill();
        }
        self.death.clone().ok_or_else(|| wait.excuse())
    }

    pub(super) fn kill(&mut self) {
        self.wire.link.kill();
        self.death.get_or_insert_default();
    }

    /// What the engine has said in this scene, as far as it was kept.
    pub(super) fn engine_lines(&self) -> Vec<String> {
        let engine = self.log.iter().filter(|line| line.by == Voice::Engine);
        engine.map(|line| line.text.clone()).collect()
    }

    /// The lines of this scene; long runs of the engine without their middle.
    pub(super) fn excerpt(&self) -> Vec<Spoken> {
        excerpt(&self.log)
    }
}

fn excerpt(log: &[Spoken]) -> Vec<Spoken> {
    let mut shown = Vec::new();
    for run in log.chunk_by(|a, b| a.by == Voice::Engine && b.by == Voice::Engine) {
        if run.len() <= HEAD + TAIL + 1 {
            shown.extend_from_slice(run);
            continue;
        }
        shown.extend_from_slice(&run[..HEAD]);
        let left_out = run.len() - HEAD - TAIL;
        shown.push(Spoken {
            micros: run[HEAD].micros,
            by: Voice::Note,
            text: format!("{left_out} lines of the engine are left out here"),
        });
        shown.extend_from_slice(&run[run.len() - TAIL..]);
    }
    if shown.len() > SHOWN {
        shown.drain(..shown.len() - SHOWN);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_lose_their_middle() {
        let line = |by, number: u64| Spoken {
            micros: number,
            by,
            text: number.to_string(),
        };
        let mut log = vec![line(Voice::Host, 0)];
        log.extend((1..=100).map(|number| line(Voice::Engine, number)));
        log.push(line(Voice::Host, 101));
        let texts: Vec<String> = excerpt(&log).into_iter().map(|line| line.text).collect();
        assert_eq!(texts[..4], ["0", "1", "2", "3"]);
        assert_eq!(texts[4], "93 lines of the engine are left out here");
        assert_eq!(texts[5..], ["97", "98", "99", "100", "101"]);
    }
}
