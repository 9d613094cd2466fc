//! Whether there are processors for all games that are to run at once.

use std::fmt;

use crate::config::{Clock, Entrant, MatchConfig};
use quadrille_driver::machine::processors;
use quadrille_driver::spec::Address;

/// More threads would think at once than there are processors: engines would wait
/// for each other, and what a clock says about them would depend on luck. So fewer games run,
/// and the user is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oversubscription {
    /// Games at once.
    pub games: usize,
    /// Threads that think at once in each of them.
    pub threads: usize,
    /// Whether that is so because both engines of a game think.
    pub ponder: bool,
    /// What there is.
    pub processors: usize,
}

impl Oversubscription {
    /// How many games run instead: as many as there are processors for, and at least one.
    pub fn fitting(&self) -> usize {
        (self.processors / self.threads).max(1)
    }

    /// Looks at a description. Where no engine has a clock or a time for its
    /// moves, and where the user insists, any number of games may run.
    pub(super) fn check(config: &MatchConfig, games: usize) -> Result<(), Self> {
        let timed = config
            .engines
            .iter()
            .any(|engine| engine.time.clock != Clock::None || engine.time.move_time.is_some());
        let ponder = config.engines.iter().any(|engine| engine.spec.ponder);
        // What was asked for may be any number.
        let threads = most_threads(&config.engines).saturating_mul(if ponder { 2 } else { 1 });
        let machine = &config.machine;
        let processors = match &machine.processors[..] {
            [] => processors(),
            _ if !machine.affinity => processors(),
            named => named.len(),
        };
        if machine.force_concurrency || !timed || games.saturating_mul(threads) <= processors {
            return Ok(());
        }
        Err(Self {
            games,
            threads,
            ponder,
            processors,
        })
    }

    /// The number of games at once that a running event may be changed to.
    pub(super) fn at_most(config: &MatchConfig, games: usize) -> usize {
        match Self::check(config, games) {
            Ok(()) => games,
            Err(over) => over.fitting(),
        }
    }
}

/// What is done about it, and why.
impl fmt::Display for Oversubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (games, threads) = (self.games, number(self.threads, "thread"));
        let processors = number(self.processors, "processor");
        let ponder = if self.ponder {
            " (both engines ponder)"
        } else {
            ""
        };
        let fitting = self.fitting();
        if fitting == games {
            return write!(
                f,
                "a game needs {threads}{ponder}, more than the {processors} of this machine: engines \
                 wait for each other and lose time; give them fewer Threads"
            );
        }
        write!(
            f,
            "{} at once instead of {games}: with {threads} each{ponder} they need more than the \
             {processors} of this machine; -force-concurrency plays {games} all the same",
            number(fitting, "game")
        )?;
        if self.threads > self.processors {
            f.write_str(", and even one needs fewer Threads")?;
        }
        Ok(())
    }
}

/// The largest number of threads that an engine on this machine is given.
pub(super) fn most_threads(engines: &[Entrant]) -> usize {
    let here = engines
        .iter()
        .filter(|engine| matches!(engine.spec.address(), Ok(Address::Program(_))));
    let options = here.flat_map(|engine| &engine.spec.options);
    options
        .filter(|(name, _)| name.eq_ignore_ascii_case("Threads"))
        .filter_map(|(_, value)| value.as_deref()?.parse().ok())
        .max()
        .unwrap_or(1)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::from_flags;

    fn check(more: &str, games: usize) -> Result<(), Oversubscription> {
        let words = format!("-engine cmd=a -engine cmd=b -use-affinity 0-3 {more}");
        let words = words.split_whitespace().map(String::from);
        Oversubscription::check(&from_flags(words).unwrap().config, games)
    }

    #[test]
    fn there_must_be_a_processor_for_every_thread_that_thinks() {
        assert_eq!(check("-each tc=1", 4), Ok(()));
        let over = check("-each tc=1", 5).unwrap_err();
        assert_eq!(
            over.to_string(),
            "4 games at once instead of 5: with 1 thread each they need more than the 4 processors of \
             this machine; -force-concurrency plays 5 all the same"
        );
        assert_eq!(check("-each st=1 option.Threads=2", 2), Ok(()));
        let over = check("-each st=1 option.threads=2", 3).unwrap_err();
        assert_eq!((over.threads, over.fitting()), (2, 2));
        let over = check("-each tc=1 ponder option.Threads=3", 1).unwrap_err();
        assert_eq!((over.threads, over.fitting()), (6, 1));
        assert_eq!(
            over.to_string(),
            "a game needs 6 threads (both engines ponder), more than the 4 processors of this \
             machine: engines wait for each other and lose time; give them fewer Threads"
        );
        let huge = format!("-each tc=1 ponder option.Threads={}", usize::MAX);
        let over = check(&huge, 2).unwrap_err();
        assert_eq!((over.threads, over.fitting()), (usize::MAX, 1));
        let said = over.to_string();
        assert!(said.ends_with("and even one needs fewer Threads"), "{said}");
    }

    #[test]
    fn without_clocks_or_by_force_any_number_may_run() {
        assert_eq!(check("-each nodes=100", 50), Ok(()));
        assert_eq!(check("-each depth=3 option.Threads=9", 50), Ok(()));
        assert_eq!(check("-each tc=1 -force-concurrency", 50), Ok(()));
    }
}
