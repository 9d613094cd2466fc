//! A search on its way: the thread, its steering, and its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use quadrille_games::{Line, MoveKind};
use quadrille_protocol::Report;
use quadrille_search::{Answer, Control, Limits, Score, Searcher, Variation};

use crate::choice::{Random, blurred};
use crate::options::Options;
use crate::output::Output;
use crate::reporter::Reporter;
use crate::speech::{Blame, Spoken};

/// Room for the deepest line of the largest board.
pub(crate) const STACK: usize = 64 << 20;

/// Everything a search needs to know.
pub(crate) struct Job<P: Spoken> {
    pub(crate) line: Line<P>,
    pub(crate) limits: Limits<P::Move>,
    pub(crate) options: Options,
    /// How many threads the searcher was told to use.
    pub(crate) threads: usize,
    /// A move that needs no search.
    pub(crate) book: Option<P::Move>,
    /// How far scores may look off, when playing weaker.
    pub(crate) noise: Option<u32>,
    pub(crate) random: Random,
}

/// A search that runs.
pub(crate) struct Thinking<P: Spoken> {
    pub(crate) control: Control,
    thread: JoinHandle<Option<Box<Searcher<P>>>>,
}

impl<P: Spoken> Thinking<P> {
    /// Starts a search. Fails only if the system has no thread to give; then
    /// the answer has been given without one.
    pub(crate) fn start(searcher: Box<Searcher<P>>, job: Job<P>, out: &Output) -> Option<Self> {
        let control = Control::new();
        // Before the thread exists, so that a ponder hit cannot come too early.
        if job.limits.ponder {
            control.begin_pondering();
        }
        let root = job.line.position().clone();
        let (steering, desk) = (control.clone(), out.clone());
        let spawned = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || think(searcher, job, &steering, &desk));
        match spawned {
            Ok(thread) => Some(Self { control, thread }),
            Err(error) => {
                answer_anyway(&root, out, &format!("no thread to search with: {error}"));
                None
            }
        }
    }

    /// Waits for the end and takes the searcher back; `None` if it is lost.
    pub(crate) fn join(self) -> Option<Box<Searcher<P>>> {
        self.thread.join().ok().flatten()
    }
}

fn think<P: Spoken>(
    mut searcher: Box<Searcher<P>>,
    job: Job<P>,
    control: &Control,
    out: &Output,
) -> Option<Box<Searcher<P>>> {
    let root = job.line.position().clone();
    let work = AssertUnwindSafe(|| search(&mut searcher, job, control, out));
    // A search that dies must not take the host's answer with it.
    match catch_unwind(work) {
        Ok(()) => Some(searcher),
        Err(_) => {
            answer_anyway(&root, out, "the search failed; this is a bug");
            None
        }
    }
}

fn search<P: Spoken>(searcher: &mut Searcher<P>, mut job: Job<P>, control: &Control, out: &Output) {
    let root = job.line.position().clone();
    let mut reporter = Reporter::new(out.clone(), root.clone(), job.options.clone(), job.threads);
    let mut answer = match without_search(searcher, &job) {
        Some(answer) => answer,
        None => searcher.go(&job.line, &job.limits, control, &mut reporter),
    };
    hold_back(control, &job.limits);
    let mut chosen = 0;
    if let Some(noise) = job.noise {
        chosen = blurred(&answer.last.lines, noise, &mut job.random);
        take_line(&mut answer, chosen);
    }
    if job.options.randomize {
        take_any(&mut answer, &root, &mut job.random);
    }
    reporter.finish(&answer, chosen);
}

/// The answer where there is nothing to search: the game is over, or the book
/// knows the move. Hosts want a score with every move; for one from the book
/// the evaluation is all there is to say.
fn without_search<P: Spoken>(searcher: &mut Searcher<P>, job: &Job<P>) -> Option<Answer<P::Move>> {
    let position = job.line.position();
    if job.book.is_some() {
        let score = Score::Cp(searcher.evaluate(position));
        return Some(Answer::unsearched(job.book, score));
    }
    (position.count_moves() == 0).then(|| Answer::without_moves(position))
}

/// "Do not exit the search in ponder mode, even if it's mate", and the same
/// for `infinite`: an answer that is ready waits for its word.
fn hold_back<M>(control: &Control, limits: &Limits<M>) {
    control.wait_for_release(limits);
}

/// Answers with the first move of this line.
fn take_line<M: Copy>(answer: &mut Answer<M>, index: usize) {
    if let Some(line) = answer.last.lines.get(index)
        && let Some(&first) = line.moves.first()
    {
        answer.best = Some(first);
        answer.ponder = line.moves.get(1).copied();
    }
}

/// Answers with any move that does not lose at once, unless the game is
/// decided.
fn take_any<P: Spoken>(answer: &mut Answer<P::Move>, root: &P, random: &mut Random) {
    let decided = |line: &Variation<P::Move>| line.score.mate_moves().is_some();
    if answer.best.is_none() || answer.last.lines.first().is_some_and(decided) {
        return;
    }
    let safe = |m: &P::Move| {
        let mut next = root.clone();
        next.make(*m, &mut ());
        next.win_at_once().is_none()
    };
    let moves: Vec<P::Move> = root.moves().into_iter().filter(safe).collect();
    if let Some(&any) = moves.get(random.below(moves.len() as u64) as usize) {
        answer.best = Some(any);
        answer.ponder = None;
    }
}

/// One `bestmove` for every `go`, whatever happened.
fn answer_anyway<P: Spoken>(root: &P, out: &Output, why: &str) {
    let mut first = None;
    root.generate(MoveKind::All, |m| first = first.or(Some(m)));
    let best = match first {
        Some(m) => root.write(m, quadrille_games::gyges::MoveStyle::default()),
        None => root.no_move(),
    };
    let owed = out.owes_move();
    out.say_all(|lines| {
        P::complain(lines, Blame::Engine, why);
        if owed {
            let answer = P::best(&best, None, Score::Cp(0), Duration::ZERO);
            lines.add(&Report::BestMove(answer));
        }
    });
}
