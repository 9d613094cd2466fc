//! The search that answers a `go`.

use std::mem;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, MoveKind};
use quadrille_protocol::Report;
use quadrille_search::{Answer, Assignment, Control, Limits, Score, Search, Searcher};

use crate::conversation::Home;
use crate::dialect::{Blame, OptionsOf, Spoken};
use crate::outbox::Outbox;
use crate::reporter::Reporter;
use crate::strength::blurred;
use crate::work::{Step, Work};

/// Everything a search needs to know.
pub(crate) struct Job<P: Spoken> {
    pub(crate) line: Arc<Line<P>>,
    pub(crate) limits: Limits<P::Move>,
    pub(crate) options: Arc<OptionsOf<P>>,
    /// How many threads the searcher was told to use.
    pub(crate) threads: usize,
    /// A move that needs no search.
    pub(crate) book: Option<P::Move>,
    /// How far scores may look off, when playing weaker.
    pub(crate) noise: Option<u32>,
    pub(crate) random: SplitMix64,
}

/// A search from its start to its answer.
pub(crate) struct SearchWork<P: Spoken> {
    /// Until it is back home.
    searcher: Option<Box<Searcher<P>>>,
    home: Home<P>,
    job: Job<P>,
    control: Control,
    reporter: Reporter<P>,
    phase: Phase<P::Move>,
}

enum Phase<M> {
    Begin,
    Searching(Search<M>),
    /// The answer is ready, and given as soon as it may be.
    Answered(Answer<M>),
    Over,
}

impl<P: Spoken> SearchWork<P> {
    pub(crate) fn new(
        searcher: Box<Searcher<P>>,
        home: Home<P>,
        job: Job<P>,
        control: Control,
        out: Outbox,
    ) -> Self {
        let line = Arc::clone(&job.line);
        let options = Arc::clone(&job.options);
        Self {
            searcher: Some(searcher),
            home,
            reporter: Reporter::new(out, line, options, job.threads, control.clone()),
            job,
            control,
            phase: Phase::Begin,
        }
    }

    /// The answer where there is nothing to search: the game is over, or the book
    /// knows the move. Hosts want a score with every move; for one from the book
    /// the evaluation is all there is to say.
    fn without_search(&self, searcher: &mut Searcher<P>) -> Option<Answer<P::Move>> {
        let position = self.job.line.position();
        if self.job.book.is_some() {
            let score = Score::Cp(searcher.evaluate(position));
            return Some(Answer::unsearched(self.job.book, score));
        }
        (position.count_moves() == 0).then(|| Answer::without_moves(position))
    }

    /// Chooses the move, says it and brings the searcher home.
    fn finish(&mut self, mut answer: Answer<P::Move>) {
        let job = &mut self.job;
        let mut chosen = 0;
        if let Some(noise) = job.noise {
            chosen = blurred(&answer.last.lines, noise, &mut job.random);
            take_line(&mut answer, chosen);
        }
        let root = job.line.position();
        root.choose(&mut answer, &job.options.own, &mut job.random);
        self.reporter.finish(&answer, chosen);
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        *home = self.searcher.take();
    }
}

impl<P: Spoken> Work for SearchWork<P> {
    fn step(&mut self, slice: Option<Duration>) -> Step {
        loop {
            let phase = mem::replace(&mut self.phase, Phase::Over);
            let Some(mut searcher) = self.searcher.take() else {
                return Step::Done;
            };
            let assignment = Assignment {
                line: &self.job.line,
                limits: &self.job.limits,
                control: &self.control,
            };
            let mut step = None;
            self.phase = match phase {
                Phase::Begin => match self.without_search(&mut searcher) {
                    Some(answer) => Phase::Answered(answer),
                    None => Phase::Searching(searcher.begin(assignment)),
                },
                Phase::Searching(mut search) => {
                    let reporter = &mut self.reporter;
                    match searcher.advance(&mut search, assignment, slice, reporter) {
                        Some(answer) => Phase::Answered(answer),
                        None => {
                            step = Some(Step::Working);
                            Phase::Searching(search)
                        }
                    }
                }
                // "Do not exit the search in ponder mode, even if it's mate", and
                // the same for `infinite`.
                Phase::Answered(answer) if self.control.holds_answer(&self.job.limits) => {
                    step = Some(Step::Waiting);
                    self.reporter.flush();
                    Phase::Answered(answer)
                }
                Phase::Answered(answer) => {
                    self.searcher = Some(searcher);
                    self.finish(answer);
                    return Step::Done;
                }
                Phase::Over => return Step::Done,
            };
            self.searcher = Some(searcher);
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn wait(&self) {
        self.control.wait_for_release(&self.job.limits);
    }

    /// One `bestmove` for every `go`, whatever happened. A searcher that died is
    /// not used again.
    fn give_up(&mut self, why: &str) {
        self.searcher = None;
        let root = self.job.line.position();
        let mut first = None;
        root.generate(MoveKind::All, |m| first = first.or(Some(m)));
        let best = match first {
            Some(m) => root.write(m, &self.job.options.own),
            None => root.no_move(),
        };
        self.reporter.out().say_all(|lines| {
            P::complain(lines, Blame::Engine, why);
            if lines.owe_move() {
                let answer = P::best(&best, None, Score::Cp(0), Duration::ZERO);
                lines.add(&Report::BestMove(answer));
            }
        });
    }
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
