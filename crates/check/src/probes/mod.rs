//! The conversations that show whether rules are kept.
//!
//! A probe is a sequence of scenes with one engine. Each scene asks one thing and
//! judges it; what is judged about every line and every search
//! (`watch`, `judge`) comes on top.

mod chess960;
mod clock;
mod discipline;
mod extras;
mod games;
mod go;
mod hello;
mod input;
mod misuse;
mod multipv;
mod options;
mod ponder;
mod position;
mod quit;
mod ready;
mod score;
mod stop;
mod terminal;
mod timing;

use std::future::Future;
use std::pin::Pin;

use super::examiner::{Examiner, Step};

/// A probe and its name in the table.
pub(super) struct Probe {
    pub(super) name: &'static str,
    pub(super) run: for<'e, 'a> fn(&'e mut Examiner<'a>) -> Talk<'e>,
}

/// A probe that is going on.
pub(super) type Talk<'e> = Pin<Box<dyn Future<Output = Step> + Send + 'e>>;

macro_rules! probes {
    ($($name:literal $module:ident $function:ident;)+) => {
        /// All of them, in the order in which they are made.
        pub(super) const PROBES: &[Probe] = &[$(Probe {
            name: $name,
            run: |x| Box::pin($module::$function(x)),
        },)+];
    };
}

probes! {
    "hello" hello hello;
    "options" options options;
    "ready" ready ready;
    "position" position position;
    "go" go go;
    "clock" clock clock;
    "stop" stop stop;
    "ponder" ponder ponder;
    "discipline" discipline discipline;
    "score" score score;
    "multipv" multipv multipv;
    "chess960" chess960 chess960;
    "terminal" terminal terminal;
    "timing" timing timing;
    "ulci" extras ulci;
    "leiser" extras leiser;
    "ugi" extras ugi;
    "input" input input;
    "misuse" misuse misuse;
    "games" games games;
    "quit" quit quit;
}

#[cfg(test)]
mod tests {
    use super::super::{Role, table};
    use super::*;

    #[test]
    fn every_check_has_its_probe() {
        for check in table::all().filter(|check| check.role() == Role::Engine) {
            let found = PROBES.iter().any(|probe| probe.name == check.probe);
            assert!(found, "{}: {}", check.id, check.probe);
        }
    }
}
