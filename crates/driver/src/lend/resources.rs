//! How much of the machine a client may ask for.
//!
//! Engines call the same thing by many names: `Threads`, `Cores`, `threads_search`,
//! `Max CPUs`; `Hash`, `Hash Memory MB`, `Pawn Hash`, `Eval Cache`. All options of a kind
//! share what one client may have.

use std::collections::HashMap;

use crate::machine::{memory_mb, processors};
use crate::{EngineOption, OptionKind, OptionList};

/// What an option takes from the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Threads,
    Megabytes,
}

/// Words of names, in small letters.
const THREADS: [&str; 15] = [
    "thread",
    "threads",
    "core",
    "cores",
    "cpu",
    "cpus",
    "processor",
    "processors",
    "worker",
    "workers",
    "helper",
    "helpers",
    "smp",
    "parallel",
    "parallelism",
];
const MEMORY: [&str; 11] = [
    "hash",
    "memory",
    "mem",
    "cache",
    "tt",
    "ttsize",
    "transposition",
    "ram",
    "mb",
    "mib",
    "megabytes",
];

/// The words of a name: `HashSize`, `hash_size` and `Hash Size` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    words
}

fn kind_of(name: &str) -> Option<Kind> {
    let words = words(name);
    let whole = words.concat();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // Some write names as one word.
    if has(&THREADS)
        || whole.contains("thread")
        || whole.contains("parallel")
        || whole.ends_with("cpus")
        || whole.ends_with("workers")
    {
        Some(Kind::Threads)
    } else if has(&MEMORY) || whole.contains("hash") || whole.contains("cache") {
        Some(Kind::Megabytes)
    } else {
        None
    }
}

/// What a client has asked for so far.
#[derive(Debug, Default)]
pub(super) struct Resources {
    set: HashMap<String, u64>,
}

impl Resources {
    /// The value to set for an option, and what the client should know about it. `most`
    /// clients share the machine.
    pub(super) fn bounded(
        &mut self,
        options: &OptionList,
        option: &EngineOption,
        value: u64,
        most: usize,
    ) -> (u64, Option<String>) {
        let Some(kind) = kind_of(&option.name) else {
            return (value, None);
        };
        let room = match kind {
            Kind::Threads => processors() as u64,
            Kind::Megabytes => match memory_mb() {
                Some(all) => (all / 2 / most.max(1) as u64).max(1),
                None => return (value, None),
            },
        };
        let (least, usual) = numbers(option);
        // What was set before counts; what was not is as small as the engine likes it.
        let others = |known: &EngineOption| {
            let name = known.name.to_ascii_lowercase();
            let other = kind_of(&known.name) == Some(kind) && known.name != option.name;
            self.set.get(&name).copied().filter(|_| other).unwrap_or(0)
        };
        let taken: u64 = match kind {
            Kind::Threads => 0,
            Kind::Megabytes => options.iter().map(others).sum(),
        };
        let bound = room
            .saturating_sub(taken)
            .max(least)
            .max(usual.min(room))
            .max(1);
        let granted = value.min(bound);
        self.set.insert(option.name.to_ascii_lowercase(), granted);
        let note = (granted < value).then(|| {
            let name = option.name.to_ascii_lowercase();
            format!("{name} is {granted} here, not {value}: it is what there is")
        });
        (granted, note)
    }
}

/// The smallest value of an option, and its default.
fn numbers(option: &EngineOption) -> (u64, u64) {
    let OptionKind::Spin { default, min, .. } = option.kind else {
        return (0, 0);
    };
    let number = |n: Option<i64>| u64::try_from(n.unwrap_or(0)).unwrap_or(0);
    (number(min), number(default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_known() {
        for name in [
            "Threads",
            "Cores",
            "threads_search",
            "Max CPUs",
            "NumThreads",
            "MaxThreads",
            "search-threads",
            "SMP Threads",
            "CPU",
            "Workers",
            "NumWorkers",
            "SMP",
            "ParallelSearch",
            "parallelsearch",
            "Helper Count",
        ] {
            assert_eq!(kind_of(name), Some(Kind::Threads), "{name}");
        }
        for name in [
            "Hash",
            "Hash Memory MB",
            "HashSize",
            "hashmb",
            "Pawn Hash",
            "EvalCache",
            "Nalimov Cache",
            "TT Size",
            "Memory",
            "RAM",
            "Pawn Table MB",
        ] {
            assert_eq!(kind_of(name), Some(Kind::Megabytes), "{name}");
        }
        for name in [
            "MultiPV",
            "Score Type",
            "Skill Level",
            "Contempt",
            "Move Overhead",
            "Frame Rate",
            "Temperature",
        ] {
            assert_eq!(kind_of(name), None, "{name}");
        }
    }
}
