//! Optional fields of the comments in a PGN.

use serde::{Deserialize, Serialize};

/// Makes a set of switches that can be asked for by name, so that their names
/// stand in one place.
macro_rules! switches {
    ($(#[$about:meta])* $list:ident: $($(#[$doc:meta])* $name:ident,)+) => {
        $(#[$about])*
        pub struct $list {
            $($(#[$doc])* pub $name: bool,)+
        }

        impl $list {
            /// The names of all switches, as users write them.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// A switch by its name.
            pub fn switch(&mut self, name: &str) -> Option<&mut bool> {
                $(if name == stringify!($name) {
                    return Some(&mut self.$name);
                })+
                None
            }
        }
    };
}

switches! {
    /// What stands in the comment of a move beside score, depth and time.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    PgnFields:
    /// `n=`: nodes.
    nodes,
    /// `sd=`: selective depth.
    seldepth,
    /// `nps=`: nodes per second.
    nps,
    /// `hashfull=`: permill.
    hashfull,
    /// `tbhits=`: tablebase hits.
    tbhits,
    /// `pv="..."`: the expected line.
    pv,
    /// `tl=`: what is left on the clock.
    timeleft,
    /// `latency=`: measured time that the engine does not account for.
    latency,
}
