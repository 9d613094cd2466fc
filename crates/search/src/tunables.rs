//! Every number of the search that could be another number.
//!
//! Normally they are constants. With the feature `tune` they can be set at run
//! time by name, to tune them or to switch a rule off and measure what it is
//! worth.
//!
//! A *margin* is in hundredths of a pawn and is scaled to the game, a *depth*
//! is in plies, a *reduction* is in 1/1024 of a ply, a *bonus* is in units of
//! history (at most [`HISTORY_MAX`](crate::history::HISTORY_MAX)), a name that
//! ends in *percent* or begins with *time* is in hundredths.

/// One number: what it is called, what it is, and between what it makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tunable {
    /// The name, as in the source.
    pub name: &'static str,
    /// The value of a normal build.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal;)*) => {
        /// All of them, in the order of the source.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max },)*
        ];

        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                settable::$name.load(core::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod settable {
            use core::sync::atomic::{AtomicI32, Ordering};

            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*

            pub(super) fn set(name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => $name.store(value.clamp($min, $max), Ordering::Relaxed),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

/// Sets a number by name, kept within its range; says whether there is one of
/// that name. Takes effect with the next search.
#[cfg(feature = "tune")]
pub fn set(name: &str, value: i32) -> bool {
    settable::set(name, value)
}

tunables! {
    /// Share of the clock that a move gets.
    time_base = 5, 1..=20;
    /// Share of the increment that a move gets.
    time_increment = 75, 0..=100;
    /// The hard limit as a multiple of the soft one.
    time_hard = 400, 100..=1000;
    /// Stretch while the best move changes.
    time_unstable = 150, 100..=300;
    /// Stretch once the best move has been the same for eight iterations.
    time_stable = 80, 30..=100;
    /// Stretch by nodes spent elsewhere: `(base - share) * factor`.
    time_share_base = 150, 100..=250;
    /// The factor of that stretch.
    time_share = 135, 50..=250;
    /// Stretch after a fall of the score by one pawn.
    time_drop = 80, 0..=200;

    /// Weight of experience against gain when tactical moves are ordered.
    tactical_history_percent = 25, 0..=100;

    /// Half the width of the first aspiration window.
    aspiration_margin = 15, 5..=100;
    /// Windows are used from this depth on.
    aspiration_depth = 4, 1..=10;
}
