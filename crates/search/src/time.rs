//! When to stop: a soft budget, asked between iterations, and a hard one, asked
//! inside the tree.

use core::time::Duration;

use crate::control::Control;
use crate::limits::{Clock, Limits, Time};
use crate::time_source::Moment;
use crate::tunables as t;

/// Nothing is planned with less than this: timers are not finer.
const TICK: Duration = Duration::from_millis(1);

/// The time budget of one search.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    control: Control,
    start: Moment,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// Whether the budget comes from a clock, so that saving time is worth
    /// something.
    saves: bool,
    ponder: bool,
}

/// What the last iterations say about how much more thought the move needs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Confidence {
    /// Iterations since the best move changed.
    pub(crate) stable_for: u32,
    /// The share of nodes spent on the best move, 0 to 1.
    pub(crate) node_share: f64,
    /// How much the score fell since the last iterations, in pawns.
    pub(crate) drop: f64,
}

impl Budget {
    /// Plans the time of a search. `pace` is
    /// [`Playable::pace`](crate::Playable::pace).
    pub(crate) fn new<M>(limits: &Limits<M>, pace: u32, control: &Control) -> Self {
        let (soft, hard, saves) = match limits.time {
            Time::Unlimited => (None, None, false),
            Time::PerMove(time) => (None, Some(per_move(time, limits.overhead)), false),
            Time::Clock(clock) => {
                let (soft, hard) = shares(&clock, limits.overhead, pace);
                (Some(soft), Some(hard), true)
            }
            Time::Both(clock, time) => {
                let (soft, hard) = shares(&clock, limits.overhead, pace);
                (
                    Some(soft),
                    Some(hard.min(per_move(time, limits.overhead))),
                    true,
                )
            }
        };
        Self {
            start: limits.since.unwrap_or_else(|| control.now()),
            control: control.clone(),
            soft,
            hard,
            saves,
            ponder: limits.ponder,
        }
    }

    /// Since the clock began to run.
    pub(crate) fn elapsed(&self) -> Duration {
        self.now().since(self.start)
    }

    pub(crate) fn now(&self) -> Moment {
        self.control.now()
    }

    /// Whether thinking less than allowed is worth something.
    pub(crate) fn saves(&self) -> bool {
        self.saves
    }

    /// Whether the search must stop now. Our clock runs only from the ponder
    /// hit on.
    pub(crate) fn must_stop(&self) -> bool {
        let Some(hard) = self.hard else {
            return false;
        };
        if self.ponder {
            let hit = self.control.hit_at();
            return hit.is_some_and(|hit| self.now().since(hit) >= hard);
        }
        self.elapsed() >= hard
    }

    /// Whether another iteration is not worth beginning. Time spent pondering
    /// counts: the thoughts are there.
    pub(crate) fn should_stop(&self, confidence: Confidence) -> bool {
        self.soft
            .is_some_and(|soft| self.elapsed() >= soft.mul_f64(confidence.factor()))
    }
}

impl Confidence {
    /// By how much to stretch or shrink the soft budget.
    ///
    /// A best move that stays, takes most of the nodes and keeps its score needs
    /// no further thought. Public gains: stability +50 where there was none,
    /// node share +12, soft/hard itself +21 to +33.
    fn factor(self) -> f64 {
        let percent = |n: i32| f64::from(n) / 100.0;
        let settled = f64::from(self.stable_for.min(8)) / 8.0;
        let stability =
            percent(t::time_unstable()) * (1.0 - settled) + percent(t::time_stable()) * settled;
        let effort = (percent(t::time_share_base()) - self.node_share) * percent(t::time_share());
        let alarm = 1.0 + self.drop.clamp(0.0, 1.0) * percent(t::time_drop());
        (stability * effort.max(0.3) * alarm).clamp(0.1, 4.0)
    }
}

/// A fixed time, less the way to the host, which is at most half of it.
fn per_move(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 2)
}

/// The soft and the hard share of a clock.
fn shares(clock: &Clock, overhead: Duration, pace: u32) -> (Duration, Duration) {
    // With little on the clock the reserve may be all there is; then half of
    // what is left must do.
    let left = clock
        .remaining
        .saturating_sub(overhead)
        .max(clock.remaining / 8);
    if left < TICK {
        return (Duration::ZERO, Duration::ZERO);
    }
    let percent = |d: Duration, n: i32| d.mul_f64(f64::from(n) / 100.0);
    let (base, ceiling) = match clock.moves_to_go {
        Some(moves) => {
            let moves = moves.clamp(1, 40);
            let ceiling = if moves == 1 { 90 } else { 60 };
            (left / (moves + 1) + clock.increment / 2, ceiling)
        }
        None => (
            percent(left, t::time_base()) * pace / 100
                + percent(clock.increment, t::time_increment()),
            50,
        ),
    };
    let hard = percent(base, t::time_hard()).min(percent(left, ceiling));
    (base.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::time_source::TimeSource;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn planned(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let clock = Clock {
            remaining: ms(remaining),
            increment: ms(increment),
            moves_to_go,
            opponent: None,
        };
        shares(&clock, ms(10), 100)
    }

    #[test]
    fn no_plan_spends_more_than_there_is() {
        for remaining in [0, 1, 2, 5, 9, 10, 11, 50, 400, 10_000, 7_200_000] {
            for increment in [0, 1, 100, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = planned(remaining, increment, moves);
                    assert!(soft <= hard);
                    assert!(
                        hard < ms(remaining.max(1)),
                        "{remaining} {increment} {moves:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_empty_clock_leaves_no_time() {
        assert_eq!(planned(0, 1000, None), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn more_time_and_fewer_moves_give_more() {
        assert!(planned(60_000, 0, None).0 > planned(30_000, 0, None).0);
        assert!(planned(60_000, 1000, None).0 > planned(60_000, 0, None).0);
        assert!(planned(60_000, 0, Some(2)).0 > planned(60_000, 0, Some(20)).0);
    }

    #[test]
    fn doubt_takes_time_and_certainty_saves_it() {
        let sure = Confidence {
            stable_for: 9,
            node_share: 0.95,
            drop: 0.0,
        };
        let unsure = Confidence {
            stable_for: 0,
            node_share: 0.3,
            drop: 0.5,
        };
        assert!(sure.factor() < 0.7 && unsure.factor() > 1.3);
    }

    /// A clock that stands where a test puts it.
    #[derive(Debug)]
    struct Standing(Duration);

    impl TimeSource for Standing {
        fn now(&self) -> Moment {
            Moment::after_origin(self.0)
        }
    }

    /// The host's clock runs from the moment it said `go`: what passed between
    /// that and the search is time used.
    #[test]
    fn the_clock_runs_from_the_moment_that_is_named() {
        let control = Control::timed_by(Arc::new(Standing(ms(500))));
        let mut limits = Limits::<u8> {
            time: Time::PerMove(ms(100)),
            ..Limits::default()
        };
        let budget = Budget::new(&limits, 100, &control);
        assert!(!budget.must_stop() && budget.elapsed() == ms(0));
        limits.since = Some(Moment::after_origin(ms(400)));
        let budget = Budget::new(&limits, 100, &control);
        assert!(budget.must_stop() && budget.elapsed() == ms(100));
    }

    #[test]
    fn a_fixed_time_keeps_the_overhead() {
        assert_eq!(per_move(ms(100), ms(10)), ms(90));
        assert_eq!(per_move(ms(1), ms(10)), ms(1) / 2);
    }
}
