//! From what a search says to what a host reads.

use std::sync::Arc;
use std::time::Duration;

use quadrille_games::Line;
use quadrille_protocol::{Info, InfoItem, Report, Text};
use quadrille_search::{
    Answer, Bound, Control, Moment, Progress, RootMove, Score, Sink, Variation,
};

use crate::dialect::{Facts, OptionsOf, PvText, Spoken};
use crate::outbox::{Lines, Outbox};
use crate::wdl;

/// So many lines are sent as they come. A search that says more (a position
/// with one move, deepened a hundred times in no time) has to slow down.
const FREE_LINES: u32 = 300;
/// The pace after that.
const PACE: Duration = Duration::from_millis(50);
/// The pace of root moves and lines under way.
const DETAIL_PACE: Duration = Duration::from_millis(200);
/// Bounds and root moves are only told after this, as the protocol suggests.
const PATIENCE: Duration = Duration::from_secs(1);

/// A search that takes less is not asked how busy it is.
const SHORT: Duration = Duration::from_millis(100);
/// The system counts processor time in hundredths of a second, too coarse for less than
/// this.
const SPAN: Duration = Duration::from_millis(900);
/// What is found in so short a time goes out together: each line that a host reads by
/// itself wakes it, and in a game of milliseconds that takes the processor from the search.
const TOGETHER: Duration = Duration::from_millis(5);

/// Writes what one search says.
pub(crate) struct Reporter<P: Spoken> {
    out: Outbox,
    /// The game up to the root.
    line: Arc<Line<P>>,
    options: Arc<OptionsOf<P>>,
    threads: usize,
    /// Whose clock says what is due.
    control: Control,
    sent: u32,
    last_progress: Option<Moment>,
    last_detail: Option<Moment>,
    /// Lines of the first moments wait for others.
    holds_back: bool,
    load: Load,
}

impl<P: Spoken> Reporter<P> {
    /// `threads` is how many the search really uses.
    pub(crate) fn new(
        out: Outbox,
        line: Arc<Line<P>>,
        options: Arc<OptionsOf<P>>,
        threads: usize,
        control: Control,
    ) -> Self {
        Self {
            out,
            line,
            options,
            threads,
            load: Load::new(control.now()),
            control,
            sent: 0,
            last_progress: None,
            last_detail: None,
            holds_back: false,
        }
    }

    /// Where it all goes.
    pub(crate) fn out(&self) -> &Outbox {
        &self.out
    }

    fn root(&self) -> &P {
        self.line.position()
    }

    /// Sends the lines that wait for others.
    pub(crate) fn flush(&mut self) {
        if std::mem::take(&mut self.holds_back) {
            self.out.flush();
        }
    }

    /// The last word: the complete statistics and right behind them the move.
    /// `chosen` is the line that begins with it.
    pub(crate) fn finish(&mut self, answer: &Answer<P::Move>, chosen: usize) {
        let line = answer.last.lines.get(chosen);
        let best = match answer.best {
            Some(m) => self.root().write(m, &self.options.own),
            None => self.root().no_move(),
        };
        let ponder = answer.best.and_then(|best| {
            let m = answer.ponder.filter(|_| P::PONDERS)?;
            let mut next = self.root().clone();
            next.make(best, &mut ());
            Some(next.write(m, &self.options.own))
        });
        let score = line.map_or(Score::Cp(0), |line| line.score);
        let load = self.load.permill(self.threads, self.control.now());
        self.out.say_all(|lines| {
            if self.options.lines > 1 {
                self.add_lines(lines, &answer.last, load);
            } else if let Some(line) = line {
                self.add_line(lines, &answer.last, line, None, load);
            }
            let answer = P::best(&best, ponder.as_deref(), score, answer.last.time);
            lines.add(&Report::BestMove(answer));
        });
    }

    /// As many lines as the host wants to see.
    fn add_lines(&self, out: &mut Lines<'_>, progress: &Progress<P::Move>, load: Option<u64>) {
        let shown = progress.lines.iter().take(self.options.lines);
        let several = self.options.lines > 1;
        for (index, line) in shown.enumerate() {
            let rank = several.then_some(index + 1);
            self.add_line(out, progress, line, rank, load);
        }
    }

    fn add_line(
        &self,
        out: &mut Lines<'_>,
        progress: &Progress<P::Move>,
        line: &Variation<P::Move>,
        rank: Option<usize>,
        load: Option<u64>,
    ) {
        let pv = self.pv(&line.moves);
        let facts = Facts {
            depth: line.depth,
            seldepth: line.seldepth.max(line.depth),
            rank,
            score: line.score,
            bound: line.bound,
            wdl: self.options.wdl.then(|| wdl::chances(P::GAME, line.score)),
            nodes: progress.nodes,
            time: progress.time,
            hashfull: progress.hashfull.min(1000),
            tablebase_hits: progress.tablebase_hits,
            load,
            pv: &pv,
        };
        out.add(&Report::Info(P::info(&facts)));
    }

    /// Moves from the root in the dialect's form.
    fn pv(&self, moves: &[P::Move]) -> PvText {
        let mut position = self.root().clone();
        let mut pv = PvText::default();
        for &m in moves {
            pv.push(&position.write(m, &self.options.own));
            position.make(m, &mut ());
        }
        pv
    }

    /// Whether enough time has passed since the last detail.
    fn detail_is_due(&mut self) -> bool {
        let now = self.control.now();
        let due = self
            .last_detail
            .is_none_or(|last| now.since(last) >= DETAIL_PACE);
        if due {
            self.last_detail = Some(now);
        }
        due
    }
}

impl<P: Spoken> Sink<P::Move> for Reporter<P> {
    fn progress(&mut self, progress: &Progress<P::Move>) {
        let Some(first) = progress.lines.first() else {
            return;
        };
        let now = self.control.now();
        let quiet = self
            .last_progress
            .is_none_or(|last| now.since(last) >= PACE);
        let wanted = if first.bound == Bound::Exact {
            quiet || self.sent < FREE_LINES
        } else {
            quiet && progress.time >= PATIENCE && P::HAS_BOUNDS
        };
        if !wanted {
            return;
        }
        self.last_progress = Some(now);
        self.sent += progress.lines.len().min(self.options.lines) as u32;
        let load = self.load.permill(self.threads, self.control.now());
        if progress.time < TOGETHER {
            self.holds_back = true;
            self.out
                .hold_back(|lines| self.add_lines(lines, progress, load));
        } else {
            self.holds_back = false;
            self.out
                .say_all(|lines| self.add_lines(lines, progress, load));
        }
    }

    fn tick(&mut self, elapsed: Duration) {
        if elapsed >= TOGETHER {
            self.flush();
        }
    }

    fn root_move(&mut self, root_move: &RootMove<P::Move>) {
        if root_move.time < PATIENCE || !self.detail_is_due() {
            return;
        }
        let text = self.root().write(root_move.current, &self.options.own);
        let info = Info::new()
            .depth(root_move.depth.into())
            .currmove(Text::from(text.as_str()))
            .currmovenumber(root_move.number as u64);
        self.out.say(&Report::Info(info));
    }

    fn current_line(&mut self, thread: usize, moves: &[P::Move]) {
        let pv = self.pv(moves);
        // With one thread its number may be left out, and is.
        let cpu = std::num::NonZeroU32::new(thread as u32).filter(|_| self.threads > 1);
        let moves = pv.all();
        let info = Info::new().with(InfoItem::CurrLine { cpu, moves });
        self.out.say(&Report::Info(info));
    }

    fn refutation(&mut self, line: &[P::Move]) {
        let pv = self.pv(line);
        let info = Info::new().with(InfoItem::Refutation(pv.all()));
        self.out.say(&Report::Info(info));
    }

    fn wants_current_line(&self) -> bool {
        self.options.current_line
    }

    fn wants_refutations(&self) -> bool {
        P::shows_refutations(&self.options.own)
    }
}

/// How busy the search keeps its threads: processor time of the process by
/// wall-clock time, where the system tells it.
struct Load {
    start: Moment,
    /// When it was read first, and what it was then.
    base: Option<(Moment, u64)>,
}

impl Load {
    const fn new(now: Moment) -> Self {
        Self {
            start: now,
            base: None,
        }
    }

    /// Permill of the threads' time; `None` in the first second. The system is not asked
    /// before [`SHORT`]: short searches would spend a share of their time on that.
    fn permill(&mut self, threads: usize, now: Moment) -> Option<u64> {
        if now.since(self.start) < SHORT {
            return None;
        }
        let Some((since, before)) = self.base else {
            self.base = processor_ticks().map(|ticks| (now, ticks));
            return None;
        };
        let elapsed = now.since(since);
        if elapsed < SPAN {
            return None;
        }
        let used = processor_ticks()?.saturating_sub(before) * 10;
        let possible = elapsed.as_millis() as u64 * threads.max(1) as u64;
        Some((used * 1000 / possible.max(1)).min(1000))
    }
}

/// Processor time of this process in hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_ticks() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may hold blanks; user and
    // system time are the 14th and 15th.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(not(target_os = "linux"))]
fn processor_ticks() -> Option<u64> {
    None
}
