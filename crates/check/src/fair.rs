//! Waits for an engine that last as long as the engine could run.
//!
//! A fixed time is a false witness on a busy machine: what the kernel says that the
//! threads of the engine waited for a processor, and what we were late ourselves, is
//! added to every wait. A wait that is many times as long as it was to be is given up;
//! then nothing is known, and that is said, with the figures.

use std::time::{Duration, Instant};

use quadrille_driver::machine::{LagMeter, Mark, Waits};

/// No wait is longer than so many times what it was to be.
const MOST: u32 = 8;

/// Less is not worth waiting for.
const LEAST: Duration = Duration::from_millis(5);

/// What is counted about the engine and about us.
pub(super) struct FairClock {
    waits: Option<Waits>,
    lag: LagMeter,
}

/// A wait that goes on.
#[derive(Debug, Clone)]
pub(super) struct FairWait {
    start: Instant,
    patience: Duration,
    /// When it is over, as far as is known now.
    pub(super) deadline: Instant,
    taken: Duration,
}

/// A time that an engine took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// By the clock on the wall.
    pub(super) whole: Duration,
    /// Of it, what the machine took.
    pub(super) taken: Duration,
}

/// How a time stands to a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Punctuality {
    InTime,
    Late,
    /// Late, and not if the machine took twice what the kernel says.
    Unclear,
}

impl FairClock {
    pub(super) fn of(process: Option<u32>) -> Self {
        Self {
            waits: process.and_then(Waits::of),
            lag: LagMeter::start(),
        }
    }

    /// From here on is counted.
    pub(super) fn mark(&mut self, at: Instant) {
        if let Some(waits) = &mut self.waits {
            waits.mark(Mark::Start, at);
        }
    }

    /// What the machine took since the mark, up to a moment just now.
    pub(super) fn taken(&mut self, start: Instant, end: Instant) -> Duration {
        let ours = self.lag.at(end) + self.lag.suspended_between(start, end);
        match &mut self.waits {
            Some(waits) => waits.taken(end, ours).all,
            // An engine on a thread of this program is as late as we are.
            None => ours.max(self.lag.between(start, end)),
        }
        .min(end.saturating_duration_since(start))
    }

    /// Begins a wait, and to count for it.
    pub(super) fn begin(&mut self, patience: Duration) -> FairWait {
        let start = Instant::now();
        self.mark(start);
        FairWait {
            start,
            patience,
            deadline: start + patience,
            taken: Duration::ZERO,
        }
    }

    /// Adds to a wait what the machine took meanwhile; whether there is time left.
    pub(super) fn prolong(&mut self, wait: &mut FairWait) -> bool {
        let now = Instant::now();
        wait.taken = self
            .taken(wait.start, now)
            .max(self.lag.between(wait.start, now));
        let until = wait.start + (wait.patience + wait.taken).min(wait.patience * MOST);
        if until <= now + LEAST {
            return false;
        }
        wait.deadline = until;
        true
    }
}

impl FairWait {
    /// Why nothing is known after it, if the engine could not run for as long as it was
    /// to have.
    pub(super) fn excuse(&self) -> Option<String> {
        let most = self.patience * MOST;
        (self.patience + self.taken > most).then(|| {
            format!(
                "in {:.1} s the machine took {:.1} s from the engine, which was to have {:.1} s",
                most.as_secs_f64(),
                self.taken.as_secs_f64(),
                self.patience.as_secs_f64()
            )
        })
    }
}

impl Spent {
    /// What the engine had for itself.
    pub(super) fn own(self) -> Duration {
        self.whole.saturating_sub(self.taken)
    }

    pub(super) fn against(self, limit: Duration) -> Punctuality {
        if self.own() <= limit {
            Punctuality::InTime
        } else if self.own().saturating_sub(self.taken) <= limit {
            Punctuality::Unclear
        } else {
            Punctuality::Late
        }
    }

    /// The figures behind a verdict that cannot be given.
    pub(super) fn excuse(self, limit: Duration) -> String {
        format!(
            "{} ms passed where {} ms were allowed, and the machine took at least {} ms of them",
            self.whole.as_millis(),
            limit.as_millis(),
            self.taken.as_millis()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn what_the_machine_may_have_taken_is_no_verdict() {
        let spent = |whole, taken| Spent {
            whole: ms(whole),
            taken: ms(taken),
        };
        assert_eq!(spent(300, 0).against(ms(300)), Punctuality::InTime);
        assert_eq!(spent(350, 50).against(ms(300)), Punctuality::InTime);
        assert_eq!(spent(400, 60).against(ms(300)), Punctuality::Unclear);
        assert_eq!(spent(400, 40).against(ms(300)), Punctuality::Late);
        assert_eq!(spent(301, 0).against(ms(300)), Punctuality::Late);
    }

    #[test]
    fn a_wait_is_as_long_as_the_engine_could_run() {
        let start = Instant::now();
        let wait = |taken| FairWait {
            start,
            patience: ms(1000),
            deadline: start,
            taken: ms(taken),
        };
        assert_eq!(wait(6900).excuse(), None, "it had its second");
        let words = wait(7500).excuse().expect("it had half of it");
        assert!(
            words.contains("8.0 s") && words.contains("7.5 s"),
            "{words}"
        );
    }

    #[test]
    fn a_wait_on_a_calm_machine_ends_when_it_was_to() {
        let mut clock = FairClock::of(None);
        let mut wait = clock.begin(Duration::ZERO);
        assert!(!clock.prolong(&mut wait));
        assert_eq!(wait.excuse().is_some(), wait.taken > Duration::ZERO);
        // One that has hardly begun is not over.
        let mut wait = clock.begin(ms(60_000));
        assert!(clock.prolong(&mut wait));
    }
}
