//! `bench`: a fixed amount of search, beside a search or without one.

use std::collections::VecDeque;
use std::time::Duration;

use quadrille_games::Line;
use quadrille_protocol::Text;
use quadrille_search::bench::{bench_depth, bench_positions};
use quadrille_search::{Control, Limits, MAX_PLY, Searcher};

use crate::conversation::Conversation;
use crate::dialect::{Spoken, nps};
use crate::outbox::Outbox;
use crate::work::{Ending, Place, Step, Task, Work};

impl<P: Spoken> Conversation<P> {
    /// `bench [depth]`: searches the built-in positions one after another, each
    /// with an empty memory.
    pub(crate) fn bench(&mut self, depth: Option<Text<'_>>) {
        let depth = depth.and_then(|text| text.to_string().split(' ').next()?.parse().ok());
        let depth = depth.unwrap_or(bench_depth(P::GAME));
        let mut searcher = Searcher::new();
        searcher.set_net(self.judging_net().cloned());
        searcher.set_hash(self.options.hash);
        searcher.set_threads(if self.machine.threads {
            self.options.threads
        } else {
            1
        });
        let positions: VecDeque<P> = bench_positions::<P>(&self.rules).into();
        let out = self.out.clone();
        self.start_aside(|control, ending| {
            let work = Bench {
                control,
                ending,
                out,
                searcher,
                depth: depth.clamp(1, MAX_PLY as u32),
                all: positions.len(),
                positions,
                nodes: 0,
                time: Duration::ZERO,
            };
            Task::new(Place::Aside, work)
        });
    }
}

struct Bench<P: Spoken> {
    control: Control,
    ending: Ending,
    out: Outbox,
    searcher: Searcher<P>,
    depth: u32,
    positions: VecDeque<P>,
    all: usize,
    nodes: u64,
    time: Duration,
}

impl<P: Spoken> Work for Bench<P> {
    /// One position: searching it in slices would be another search.
    fn step(&mut self, _: Option<Duration>) -> Step {
        let Some(position) = self.positions.pop_front() else {
            self.ending.set();
            self.sum_up();
            return Step::Done;
        };
        self.searcher.clear();
        let text = position.text();
        let limits = Limits::to_depth(self.depth);
        let line = Line::new(position);
        let answer = self.searcher.go(&line, &limits, &self.control, &mut ());
        if self.control.is_stopped() {
            self.ending.set();
            self.out.note("bench stopped");
            return Step::Done;
        }
        let nodes = answer.last.nodes;
        self.nodes += nodes;
        self.time += answer.last.time;
        let number = self.all - self.positions.len();
        let line = format!("{number}/{} {nodes} {text}", self.all);
        self.out.say_all(|lines| lines.text(&line));
        Step::Working
    }

    /// A bench never waits for the host.
    fn wait(&self) {}

    fn give_up(&mut self, why: &str) {
        self.ending.set();
        self.out.note(&format!("bench: {why}"));
    }
}

impl<P: Spoken> Bench<P> {
    fn sum_up(&self) {
        self.out.say_all(|lines| {
            lines.text("");
            lines.text(&format!("Nodes searched: {}", self.nodes));
            lines.text(&format!("Elapsed time: {}ms", self.time.as_millis()));
            lines.text(&format!("Nodes/second: {}", nps(self.nodes, self.time)));
        });
    }
}
