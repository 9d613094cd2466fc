//! Commands for people and tests: counting, evaluating, showing.
//!
//! They run on the session's own thread and look into the inbox now and then,
//! so that `isready` is answered and `stop` obeyed while they work. Everything
//! else that comes meanwhile waits its turn.

use std::thread;
use std::time::{Duration, Instant};

use quadrille_games::Line;
use quadrille_protocol::{Command, Report, Text};
use quadrille_search::bench::{bench_depth, bench_positions};
use quadrille_search::{Control, Evaluator, Limits, MAX_PLY, Progress, Searcher};

use crate::inbox::Poll;
use crate::limits;
use crate::session::Session;
use crate::speech::{Blame, Spoken, nps};
use crate::thinking::STACK;

/// Nobody counts deeper, and recursion has to end somewhere.
const DEEPEST: u64 = 60;
/// Plies when none are named.
const USUAL_DEPTH: u64 = 4;
/// How often the inbox is looked into.
const GLANCE: Duration = Duration::from_millis(20);

impl<P: Spoken> Session<P> {
    /// `perft [n]`: for each root move, or for each ply.
    pub(crate) fn perft(&mut self, depth: Option<u64>) {
        let depth = depth.unwrap_or(USUAL_DEPTH).min(DEEPEST) as u32;
        let start = Instant::now();
        let done = if P::PERFT_BY_PLY {
            (1..=depth).try_for_each(|ply| {
                let count = self.count(ply)?;
                self.out.say(&Report::Perft {
                    depth: ply.into(),
                    count,
                });
                Some(())
            })
        } else {
            self.divide(depth, start)
        };
        if done.is_none() {
            self.out.note("perft stopped");
        }
    }

    /// The count below each root move and their sum.
    fn divide(&mut self, depth: u32, start: Instant) -> Option<()> {
        let mut position = self.line.position().clone();
        let mut total = u64::from(depth == 0);
        let moves = match depth {
            0 => Vec::new(),
            _ => position.counted_moves().unwrap_or_default(),
        };
        let mut last_glance = Instant::now();
        for m in moves {
            let text = position.write(m, self.options.style);
            let undo = position.make(m, &mut ());
            let count = self.leaves(&mut position, depth - 1, &mut last_glance)?;
            position.unmake(m, undo);
            self.out
                .say_all(|lines| lines.text(&format!("{text}: {count}")));
            total += count;
        }
        let time = start.elapsed();
        self.out.say_all(|lines| {
            lines.text("");
            lines.text(&format!("Nodes searched: {total}"));
            lines.text(&format!("Elapsed time: {}ms", time.as_millis()));
            lines.text(&format!("Nodes/second: {}", nps(total, time)));
        });
        Some(())
    }

    fn count(&mut self, depth: u32) -> Option<u64> {
        let mut position = self.line.position().clone();
        self.leaves(&mut position, depth, &mut Instant::now())
    }

    /// `None` if the count was stopped.
    fn leaves(&mut self, position: &mut P, depth: u32, last_glance: &mut Instant) -> Option<u64> {
        let Some(moves) = (if depth < 2 {
            None
        } else {
            position.counted_moves()
        }) else {
            let counts = depth == 1 && position.counted_moves().is_some();
            return Some(if counts { position.counted() } else { 1 });
        };
        if depth > 2 && last_glance.elapsed() >= GLANCE {
            *last_glance = Instant::now();
            if !self.attend() {
                return None;
            }
        }
        let mut total = 0;
        for m in moves {
            let undo = position.make(m, &mut ());
            total += self.leaves(position, depth - 1, last_glance)?;
            position.unmake(m, undo);
        }
        Some(total)
    }

    /// Looks into the inbox in the middle of other work; `false` if the work
    /// has to end.
    pub(crate) fn attend(&mut self) -> bool {
        loop {
            match self.inbox.poll() {
                Poll::Nothing => return true,
                Poll::End => {
                    self.quit();
                    return false;
                }
                Poll::Line(line) => match Command::parse(&line, P::DIALECT).message {
                    Command::IsReady => {
                        self.out.hear(&Command::IsReady);
                        self.out.say(&Report::ReadyOk);
                    }
                    Command::Stop => {
                        self.stop();
                        return false;
                    }
                    Command::Quit => {
                        self.quit();
                        return false;
                    }
                    _ => self.inbox.keep(line),
                },
            }
        }
    }

    /// `eval [move]`: the parts of the evaluation, then the value from the side
    /// to move's point of view; with a move, from the mover's after it.
    pub(crate) fn eval(&mut self, word: Option<Text<'_>>) {
        let mut position = self.line.position().clone();
        let mut sign = 1;
        if let Some(word) = word {
            match limits::parse(&position, word) {
                Ok(m) => {
                    position.make(m, &mut ());
                    sign = -1;
                }
                Err(why) => return self.complain(Blame::Host, &format!("illegal {why}")),
            }
        }
        let mut evaluator = P::Eval::new(&position);
        let terms = evaluator.terms(&position);
        // The host's word comes first.
        let known = self.values.get(&position);
        let value = known.unwrap_or_else(|| evaluator.evaluate(&position)) * sign;
        self.out.say_all(|lines| {
            for term in &terms {
                let [white, black] = term.sides;
                lines.note(&format!("{} {white} {black}", term.name));
            }
            P::say_value(lines, value.into());
        });
    }

    /// `bench [depth]`: searches the built-in positions one after another, each
    /// with an empty memory.
    pub(crate) fn bench(&mut self, depth: Option<Text<'_>>) {
        let depth = depth.and_then(|text| text.to_string().split(' ').next()?.parse().ok());
        let depth = depth.unwrap_or(bench_depth(P::GAME));
        let depth = depth.clamp(1, MAX_PLY as u32);
        let mut searcher = Searcher::new();
        searcher.set_hash(self.options.hash);
        searcher.set_threads(self.options.threads);
        let positions = bench_positions::<P>(&self.rules);
        let all = positions.len();
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (index, position) in positions.into_iter().enumerate() {
            searcher.clear();
            let text = position.text();
            let limits = Limits::to_depth(depth);
            let Some(last) = self.search_aside(&mut searcher, &Line::new(position), &limits) else {
                return self.out.note("bench stopped");
            };
            nodes += last.nodes;
            time += last.time;
            let line = format!("{}/{all} {} {text}", index + 1, last.nodes);
            self.out.say_all(|lines| lines.text(&line));
        }
        self.out.say_all(|lines| {
            lines.text("");
            lines.text(&format!("Nodes searched: {nodes}"));
            lines.text(&format!("Elapsed time: {}ms", time.as_millis()));
            lines.text(&format!("Nodes/second: {}", nps(nodes, time)));
        });
    }

    /// Searches without a word on another thread while this one listens to the
    /// host; `None` if the host said stop.
    fn search_aside(
        &mut self,
        searcher: &mut Searcher<P>,
        line: &Line<P>,
        limits: &Limits<P::Move>,
    ) -> Option<Progress<P::Move>> {
        let control = &Control::new();
        thread::scope(|scope| {
            let work = thread::Builder::new()
                .name("bench".into())
                .stack_size(STACK)
                .spawn_scoped(scope, move || searcher.go(line, limits, control, &mut ()));
            let work = work.ok()?;
            while !work.is_finished() {
                if !control.is_stopped() && !self.attend() {
                    control.stop();
                }
                thread::sleep(Duration::from_millis(1));
            }
            let answer = work.join().ok()?;
            (!control.is_stopped()).then_some(answer.last)
        })
    }

    /// `display`, `d`, `showpos`.
    pub(crate) fn display(&mut self) {
        let position = self.line.position();
        let moves = self.line.moves();
        let last = moves.split_last().map(|(&last, before)| {
            let mut earlier = self.line.start().clone();
            for &m in before {
                earlier.make(m, &mut ());
            }
            earlier.write(last, self.options.style)
        });
        let ply = moves.len() + self.line.start().side().index();
        self.out
            .say_all(|lines| position.display(lines, last.as_deref(), ply));
    }

    /// `generate`: all moves in one line.
    pub(crate) fn generate(&mut self) {
        let position = self.line.position();
        let moves = position.counted_moves().unwrap_or_default();
        let words: Vec<String> = moves
            .iter()
            .map(|&m| position.write(m, self.options.style))
            .collect();
        self.out.say_all(|lines| lines.text(&words.join(" ")));
    }

    /// `help`.
    pub(crate) fn help(&mut self) {
        self.out.say_all(|lines| {
            for line in P::HELP {
                lines.text(line);
            }
        });
    }
}
