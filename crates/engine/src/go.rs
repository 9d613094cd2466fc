//! From a `go` to a search that can be started.

use std::mem;
use std::sync::Arc;

use quadrille_games::Side;
use quadrille_games::random::SplitMix64;
use quadrille_protocol::{Dialect, Go};
use quadrille_search::{Control, Moment, Searcher};

use crate::conversation::{Chores, Conversation, lock};
use crate::dialect::{Blame, Spoken};
use crate::limits::limits;
use crate::search_work::{Job, SearchWork};
use crate::strength;
use crate::work::{Place, Task};

impl<P: Spoken> Conversation<P> {
    /// Starts a search; `false` if another one runs, which is not disturbed: it ends as it
    /// would have ended, an infinite one with `stop` only. The clock runs since the command
    /// arrived, whatever had to be done before.
    pub(crate) fn go(&mut self, go: &Go<'_>, arrived: Moment) -> bool {
        if let Some(control) = &self.search {
            // UGI has no word about it, and its engines end the search before.
            if P::DIALECT == Dialect::Ugi {
                control.stop();
            }
            return false;
        }
        self.play_on_if_drawn();
        let (limits, complaints) = limits(go, self.line.position(), &self.options, arrived);
        for text in self.doubt.iter().chain(&complaints) {
            self.complain(Blame::Host, text);
        }
        self.note_known_value();
        let seed = match self.options.seed {
            0 => self.machine.entropy ^ self.now_in_nanos(),
            seed => seed,
        };
        let mut job = Job {
            line: Arc::clone(&self.line),
            threads: self.threads(),
            options: Arc::clone(&self.options),
            book: None,
            noise: None,
            limits,
            random: SplitMix64::new(seed ^ self.line.position().hash()),
        };
        job.book = self.book_move(&mut job);
        self.weaken(&mut job);
        let control = Control::timed_by(Arc::clone(&self.machine.time));
        // Before the search exists, so that a ponder hit cannot come too early.
        if job.limits.ponder {
            control.begin_pondering();
        }
        let searcher = self.prepare(job.threads);
        let home = Arc::clone(&self.home);
        let work = SearchWork::new(searcher, home, job, control.clone(), self.out.clone());
        self.search = Some(control);
        self.tasks.push_back(Task::new(Place::Search, work));
        true
    }

    /// The host wants moves for a position whose value it has set itself: they are searched,
    /// and their scores need not be what it said.
    fn note_known_value(&self) {
        let position = self.line.position();
        if let Some(value) = self.known.get(position) {
            let white = match position.side() {
                Side::White => value,
                Side::Black => -value,
            };
            self.out.note(&format!(
                "this position has the value {white} for White (UCI_SetPositionValue); its \
                 moves are searched all the same"
            ));
        }
    }

    fn now_in_nanos(&self) -> u64 {
        let now = self.machine.time.now();
        now.since(Moment::default()).as_nanos() as u64
    }

    pub(crate) fn threads(&self) -> usize {
        if self.is_weakened() || !self.machine.threads {
            1
        } else {
            self.options.threads
        }
    }

    fn is_weakened(&self) -> bool {
        self.options.limit_strength && !P::analyses(&self.options.own)
    }

    /// A host that analyses or restricts the moves wants to hear the search.
    fn book_move(&mut self, job: &mut Job<P>) -> Option<P::Move> {
        let own = &self.options.own;
        let playing = P::plays_from_book(own) && !P::analyses(own) && !job.limits.infinite;
        let book = self.book.as_mut().filter(|_| playing)?;
        if !job.limits.only.is_empty() {
            return None;
        }
        let m = self.line.position().book_move(book, &mut job.random)?;
        self.line.position().is_legal(m).then_some(m)
    }

    fn weaken(&self, job: &mut Job<P>) {
        // A host that ponders without clocks plays a game all the same.
        let analyses = job.limits.infinite && !job.limits.ponder;
        if !self.is_weakened() || analyses {
            return;
        }
        if let Some(rung) = strength::rung(P::LADDER, self.options.elo) {
            let lines = job.limits.lines.max(strength::LINES);
            // Enough to have looked at every move once for each line, and at what
            // it takes: a search that ends before has one line only, and so
            // nothing to choose from.
            let glance = job.line.position().count_moves() * lines as u64 * 4;
            job.limits.sight = Some(rung.nodes.max(glance));
            job.limits.lines = lines;
            job.noise = Some(rung.noise);
            if rung.overlooked > 0 && job.limits.only.is_empty() {
                let moves = job.line.position().moves();
                job.limits.only = strength::noticed(&moves, rung.overlooked, &mut job.random);
            }
        }
    }

    /// Takes out the searcher, with everything done that was put off.
    pub(crate) fn prepare(&mut self, threads: usize) -> Box<Searcher<P>> {
        let at_home = lock(&self.home).take();
        let mut searcher = at_home.unwrap_or_else(|| {
            self.chores = Chores {
                position_values: !self.known.is_empty(),
                endgame_tables: true,
                net: true,
                forget: false,
            };
            Box::default()
        });
        let size = (self.options.hash, threads);
        if self.size != Some(size) {
            searcher.set_hash(self.affordable_hash());
            searcher.set_threads(size.1);
            self.size = Some(size);
        }
        if mem::take(&mut self.chores.position_values) {
            searcher.set_known_values(self.known.clone());
            // What was learnt before rests on the old values.
            self.chores.forget = true;
        }
        if mem::take(&mut self.chores.endgame_tables) {
            self.change_endgame_tables(&mut searcher);
        }
        if mem::take(&mut self.chores.net) {
            searcher.set_net(self.judging_net().cloned());
        }
        if mem::take(&mut self.chores.forget) {
            searcher.clear();
        }
        searcher
    }

    /// What was asked for, or as much as the machine has.
    fn affordable_hash(&self) -> usize {
        let asked = self.options.hash;
        match self.machine.memory {
            Some(most) if asked > most => {
                let given = most.max(1);
                self.out.note(&format!(
                    "a table of {asked} MB does not fit into the memory that is left here: it has {given} MB"
                ));
                given
            }
            _ => asked,
        }
    }

    /// The old tables are closed before new ones are opened, so that there is no
    /// time with the memory of both.
    fn change_endgame_tables(&mut self, searcher: &mut Searcher<P>) {
        searcher.set_endgame_tables(None);
        match P::open_endgame_tables(&self.options.own) {
            Ok(Some((tables, note))) => {
                searcher.set_endgame_tables(Some(tables));
                self.out.note(&note);
            }
            Ok(None) => {}
            Err(why) => self.complain(Blame::Engine, &why),
        }
    }
}
