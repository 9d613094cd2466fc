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
//!
//! Where there are two numbers, the second is that of the games that are
//! [tuned](crate::Playable::TUNED), and has a name of its own: they were found
//! together, by games (docs/tuning.md).

use crate::playable::Playable;

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
    /// Where there are two numbers: whether games read this one that are
    /// [tuned](crate::Playable::TUNED), or the others. `None`: every game does.
    pub tuned: Option<bool>,
}

/// The function that tells a number: by the game, where there are two of it.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident = $default:literal) => {
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
    };
    ($(#[$doc:meta])* $name:ident = $default:literal / $tuned:literal as $other:ident) => {
        $(#[$doc])*
        #[cfg(not(feature = "tune"))]
        #[inline(always)]
        pub(crate) const fn $name<P: Playable>() -> i32 {
            if P::TUNED { $tuned } else { $default }
        }

        $(#[$doc])*
        #[cfg(feature = "tune")]
        #[inline]
        pub(crate) fn $name<P: Playable>() -> i32 {
            let number = if P::TUNED { &settable::$other } else { &settable::$name };
            number.load(core::sync::atomic::Ordering::Relaxed)
        }
    };
}

macro_rules! tunables {
    // Whether there is a second number.
    (@other $other:ident) => { Some(false) };
    (@other) => { None };
    ($(
        $(#[$doc:meta])*
        $name:ident = $default:literal $(/ $tuned:literal as $other:ident)?, $min:literal..=$max:literal;
    )*) => {
        /// All of them, in the order of the source.
        pub const TUNABLES: &[Tunable] = &[
            $(
                Tunable {
                    name: stringify!($name), default: $default, min: $min, max: $max,
                    tuned: tunables!(@other $($other)?),
                },
                $(Tunable {
                    name: stringify!($other), default: $tuned, min: $min, max: $max,
                    tuned: Some(true),
                },)?
            )*
        ];

        $(number! { $(#[$doc])* $name = $default $(/ $tuned as $other)? })*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod settable {
            use core::sync::atomic::{AtomicI32, Ordering};

            $(
                pub(super) static $name: AtomicI32 = AtomicI32::new($default);
                $(pub(super) static $other: AtomicI32 = AtomicI32::new($tuned);)?
            )*

            pub(super) fn set(name: &str, value: i32) -> bool {
                match name {
                    $(
                        stringify!($name) => $name.store(value.clamp($min, $max), Ordering::Relaxed),
                        $(stringify!($other) => $other.store(value.clamp($min, $max), Ordering::Relaxed),)?
                    )*
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
    tactical_history_percent = 25 / 35 as tactical_history_percent_tuned, 0..=100;

    /// How much the structure counts when the evaluation is corrected.
    correction_structure_percent = 100, 0..=200;
    /// How much each other part of the position counts.
    correction_parts_percent = 86, 0..=200;
    /// How much the last two moves count.
    correction_moves_percent = 103, 0..=200;
    /// Share of the trail in what is known of a quiet move anywhere.
    trail_percent = 45, 0..=100;
    /// How much experience in the same structure counts.
    structure_percent = 123, 0..=200;
    /// How much the move six plies before counts against the one four before.
    continuation_six_percent = 100 / 47 as continuation_six_percent_tuned, 0..=200;

    /// Half the width of the first aspiration window.
    aspiration_margin = 15 / 16 as aspiration_margin_tuned, 5..=100;
    /// Windows are used from this depth on.
    aspiration_depth = 4, 1..=10;

    /// A table's fail high that was not expected counts beyond this depth.
    table_cut_depth = 5, 0..=100;
    /// A move reduced by so many plies may be looked at a ply deeper below.
    hindsight_extend = 3, 1..=100;
    /// A move reduced by so many plies may be looked at a ply less deep below.
    hindsight_reduce = 2, 1..=100;
    /// By so much must the opponent have lost for that.
    hindsight_margin = 70, 0..=500;
    /// Razoring up to this depth.
    razor_depth = 4, 0..=20;
    /// Margin of razoring at depth 0.
    razor_base = 245, 0..=1000;
    /// Margin of razoring for each squared ply.
    razor_margin = 79, 20..=500;
    /// Reverse futility is tried up to this depth.
    reverse_futility_depth = 8, 0..=20;
    /// Margin of reverse futility for each ply.
    reverse_futility_margin = 75 / 44 as reverse_futility_margin_tuned, 20..=300;
    /// Share of the correction that is added to it.
    reverse_futility_doubt = 77, 0..=300;
    /// Passing is tried from this depth on.
    null_depth = 3, 1..=100;
    /// Reduction after a pass, in whole plies.
    null_base = 4, 1..=8;
    /// One more for so many plies of depth.
    null_depth_step = 4, 1..=10;
    /// One more for so much above beta.
    null_eval_step = 200 / 230 as null_eval_step_tuned, 50..=1000;
    /// The static evaluation may be so much below beta.
    null_slack = 30 / 38 as null_slack_tuned, 0..=300;
    /// From this depth on a cut by passing is checked.
    null_verify_depth = 14, 5..=100;
    /// Internal iterative reduction from this depth on.
    iir_depth = 4, 1..=100;
    /// Probcut from this depth on.
    probcut_depth = 5, 3..=100;
    /// By so much must a tactical move beat beta.
    probcut_margin = 180 / 199 as probcut_margin_tuned, 50..=500;

    /// Quiet moves tried at depth 0.
    late_base = 6, 1..=50;
    /// Hundredths of a move more for each squared ply.
    late_step = 140 / 210 as late_step_tuned, 20..=1000;
    /// Futility is tried up to this depth.
    futility_depth = 8, 0..=20;
    /// Margin of futility at depth 0.
    futility_base = 90 / 77 as futility_base_tuned, 0..=500;
    /// Margin of futility for each ply.
    futility_margin = 80 / 63 as futility_margin_tuned, 20..=300;
    /// Moves are judged by the evaluation after them up to this depth.
    promise_depth = 6, 0..=20;
    /// Margin of that at depth 1.
    promise_base = 100, 0..=500;
    /// Margin of that for each further ply.
    promise_margin = 80, 20..=300;
    /// History pruning up to this depth.
    history_prune_depth = 4, 0..=20;
    /// So bad must the history be for each ply.
    history_prune_margin = 3000 / 3390 as history_prune_margin_tuned, 500..=20000;
    /// Exchanges are judged up to this depth.
    exchange_depth = 9, 0..=20;
    /// A quiet move may lose so much for each squared ply.
    exchange_quiet = 25 / 26 as exchange_quiet_tuned, 5..=200;
    /// A tactical move may lose so much for each ply.
    exchange_tactical = 95 / 73 as exchange_tactical_tuned, 20..=300;
    /// So much more for each ply with the best name, less with the worst.
    exchange_history = 46, 0..=300;
    /// A capture with the best name is good even if it loses so much.
    exchange_trust = 190, 0..=1000;
    /// What standing pat is worth less while the opponent threatens to win.
    threat = 20, 0..=400;
    /// What a capture in quiescence may bring beyond what it takes.
    quiescence_margin = 150 / 163 as quiescence_margin_tuned, 50..=500;

    /// Standing pat above beta is brought nearer to it.
    stand_blend_percent = 63, 0..=100;
    /// So is a capture above beta in quiescence.
    quiescence_blend_percent = 23, 0..=100;
    /// A value above beta is brought nearer to it, in percent at depth 0.
    fail_high_blend = 97, 0..=200;

    /// Singular extensions from this depth on.
    singular_depth = 7, 4..=100;
    /// Tenths of the margin for each ply.
    singular_margin = 20 / 19 as singular_margin_tuned, 5..=100;
    /// Short by so much again, extend by two.
    singular_double_margin = 20 / 26 as singular_double_margin_tuned, 0..=200;
    /// So many double extensions in one line.
    double_max = 6, 0..=20;

    /// Late moves are reduced from this depth on.
    lmr_depth = 2, 1..=100;
    /// Least reduction of a quiet move.
    lmr_quiet_base = 800 / 1120 as lmr_quiet_base_tuned, 0..=3000;
    /// The product of the logarithms is divided by this many hundredths.
    lmr_quiet_divisor = 235 / 186 as lmr_quiet_divisor_tuned, 100..=500;
    /// Least reduction of a tactical move.
    lmr_tactical_base = 100 / 27 as lmr_tactical_base_tuned, 0..=3000;
    /// The product of the logarithms is divided by this many hundredths.
    lmr_tactical_divisor = 335 / 330 as lmr_tactical_divisor_tuned, 100..=800;
    /// History that is worth one ply.
    lmr_history = 9000 / 11600 as lmr_history_tuned, 2000..=40000;
    /// Less where a principal variation went.
    lmr_pv = 1024 / 880 as lmr_pv_tuned, 0..=3000;
    /// More where a fail high is expected.
    lmr_cut = 1400 / 1070 as lmr_cut_tuned, 0..=3000;
    /// More where the position gets worse.
    lmr_worse = 700 / 760 as lmr_worse_tuned, 0..=3000;
    /// Less for a check.
    lmr_check = 900 / 885 as lmr_check_tuned, 0..=3000;
    /// More where many other moves failed high below.
    lmr_cutoffs = 700 / 740 as lmr_cutoffs_tuned, 0..=3000;

    /// Less for each hundredth of a pawn of correction.
    lmr_doubt = 12, 0..=100;
    /// More for quiet moves where the table's move is tactical.
    lmr_table_tactical = 1470, 0..=3000;

    /// Tactical history that is worth one ply.
    lmr_tactical_history = 12000 / 14500 as lmr_tactical_history_tuned, 2000..=1000000;
    /// Better than the best by so much, a second look goes deeper.
    research_deeper = 45 / 33 as research_deeper_tuned, 0..=2000;
    /// Better by less than this, it goes less deep.
    research_shallower = 8 / 10 as research_shallower_tuned, -2000..=100;

    /// Share of the bonus for a move to which there was no good reply.
    previous_percent = 50 / 43 as previous_percent_tuned, 0..=200;
    /// Share of the bonus for a move that refutes by the table's word.
    table_percent = 50 / 49 as table_percent_tuned, 0..=200;
    /// Share of bonus and malus after a second look at a late move.
    second_look_percent = 68, 0..=200;
    /// Bonus for each ply.
    bonus_step = 170 / 102 as bonus_step_tuned, 20..=600;
    /// Less this.
    bonus_base = 80 / 30 as bonus_base_tuned, 0..=600;
    /// At most this.
    bonus_max = 1600 / 1610 as bonus_max_tuned, 300..=4000;
    /// Malus for each ply.
    malus_step = 170 / 210 as malus_step_tuned, 20..=600;
    /// Less this.
    malus_base = 80 / 70 as malus_base_tuned, 0..=600;
    /// At most this.
    malus_max = 1400 / 1010 as malus_max_tuned, 300..=4000;
}
