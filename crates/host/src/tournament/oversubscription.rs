//! Whether there are processors for all games that are to run at once.

use std::fmt;

use crate::config::{Clock, MatchConfig};
use crate::machine::processors;
use crate::spec::Address;

/// More threads would think at once than there are processors: engines would wait
/// for each other, and what a clock says about them would depend on luck.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
    /// How many games there are processors for.
    pub const fn fitting(&self) -> usize {
        self.processors / self.threads
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
        let threads = most_threads(config).saturating_mul(if ponder { 2 } else { 1 });
        let processors = match &config.processors[..] {
            [] => processors(),
            _ if !config.affinity => processors(),
            named => named.len(),
        };
        if config.force_concurrency || !timed || games.saturating_mul(threads) <= processors {
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
            Err(over) => over.fitting().max(1),
        }
    }
}

impl fmt::Display for Oversubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let Self {
            games,
            threads,
            processors,
            ..
        } = *self;
        write!(
            f,
            "{games} game{} at once with {threads} thread{} each{} are more than the {processors} processor{} \
             there {}: engines would wait for each other and lose time; ",
            plural(games),
            plural(threads),
            if self.ponder {
                " (both engines ponder)"
            } else {
                ""
            },
            plural(processors),
            if processors == 1 { "is" } else { "are" },
        )?;
        match self.fitting() {
            0 => f.write_str("give engines fewer Threads")?,
            fitting => write!(f, "use -concurrency {fitting}")?,
        }
        f.write_str(", or -force-concurrency to play all the same")
    }
}

/// The largest number of threads that an engine on this machine is given.
pub(super) fn most_threads(config: &MatchConfig) -> usize {
    let here = config
        .engines
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
            "5 games at once with 1 thread each are more than the 4 processors there are: engines \
             would wait for each other and lose time; use -concurrency 4, or -force-concurrency to \
             play all the same"
        );
        assert_eq!(check("-each st=1 option.Threads=2", 2), Ok(()));
        let over = check("-each st=1 option.threads=2", 3).unwrap_err();
        assert_eq!((over.threads, over.fitting()), (2, 2));
        let over = check("-each tc=1 ponder option.Threads=3", 1).unwrap_err();
        assert_eq!((over.threads, over.fitting()), (6, 0));
        let said = over.to_string();
        assert!(said.contains("(both engines ponder)"), "{said}");
        assert!(said.contains("give engines fewer Threads"), "{said}");
        let huge = format!("-each tc=1 ponder option.Threads={}", usize::MAX);
        let over = check(&huge, 1).unwrap_err();
        assert_eq!((over.threads, over.fitting()), (usize::MAX, 0));
    }

    #[test]
    fn without_clocks_or_by_force_any_number_may_run() {
        assert_eq!(check("-each nodes=100", 50), Ok(()));
        assert_eq!(check("-each depth=3 option.Threads=9", 50), Ok(()));
        assert_eq!(check("-each tc=1 -force-concurrency", 50), Ok(()));
    }
}
