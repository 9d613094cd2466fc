//! A player's clock through a game.

use std::time::Duration;

use crate::limits::{Clock, Clocks, Limits};
use crate::time_control::{Clock as ClockKind, TimeControl};

/// The time of one player. Everything is measured at the pipe and counted in
/// microseconds.
#[derive(Debug, Clone)]
pub struct GameClock {
    control: TimeControl,
    margin: Duration,
    /// What is left; never below zero between moves.
    left: Duration,
    moves: u32,
}

/// What a move did to the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// In time.
    InTime,
    /// Late by so much, within the margin.
    Late(Duration),
    /// The flag fell: late by so much beyond the margin.
    Over(Duration),
}

impl GameClock {
    /// A clock that is set. The increment of the first move is on it already.
    pub fn new(control: &TimeControl, margin: Duration) -> Self {
        Self {
            control: control.clone(),
            margin,
            left: control.initial().unwrap_or_default(),
            moves: 0,
        }
    }

    fn has_clock(&self) -> bool {
        self.control.clock != ClockKind::None
    }

    /// What is left, if time runs at all.
    pub fn left(&self) -> Option<Duration> {
        self.has_clock().then_some(self.left)
    }

    /// The time for the next move, without the margin; `None` if it has no
    /// limit.
    pub fn allowed(&self) -> Option<Duration> {
        match (self.left(), self.control.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }

    /// The time after which the flag has fallen.
    pub fn flag(&self) -> Option<Duration> {
        self.allowed().map(|time| time + self.margin)
    }

    /// What the player is told, and what is told about it.
    fn view(&self) -> Clock {
        let increment = self.control.period(self.moves).map(|(p, _)| p.increment);
        Clock {
            remaining: self.left,
            increment: increment.unwrap_or_default(),
        }
    }

    /// The limits for the next move of this player against the other one.
    pub fn limits(&self, other: &Self, white: bool) -> Limits {
        let (own, theirs) = (self.view(), other.view());
        // Where only the other side has a clock, ours stands as long.
        let theirs = if other.has_clock() { theirs } else { own };
        let moves_to_go = self.control.period(self.moves).and_then(|(_, left)| left);
        let clocks = Clocks {
            white: if white { own } else { theirs },
            black: if white { theirs } else { own },
            moves_to_go,
        };
        Limits {
            clocks: self.has_clock().then_some(clocks),
            movetime: self.control.move_time,
            depth: self.control.depth,
            nodes: self.control.nodes,
            infinite: self.control.is_unlimited(),
            ..Limits::default()
        }
    }

    /// Takes the time of a move: `charged` from the clock, while `judged`, which is
    /// no less, says whether it was in time. Behind the last move of a period the
    /// time of the next one is added, not before: a flag that fell stays down.
    pub fn spend(&mut self, charged: Duration, judged: Duration) -> Spent {
        let spent = self.judge(judged.max(charged));
        if self.has_clock() {
            self.left = self.left.saturating_sub(charged);
        }
        if let Some((period, left)) = self.control.period(self.moves) {
            self.left += period.increment;
            if left == Some(1)
                && let Some((next, _)) = self.control.period(self.moves.saturating_add(1))
            {
                self.left += next.time;
            }
        }
        self.moves = self.moves.saturating_add(1);
        spent
    }

    /// Whether a move of this length is in time.
    pub fn judge(&self, elapsed: Duration) -> Spent {
        let Some(allowed) = self.allowed() else {
            return Spent::InTime;
        };
        match elapsed.saturating_sub(allowed) {
            Duration::ZERO => Spent::InTime,
            late if late <= self.margin => Spent::Late(late),
            late => Spent::Over(late.saturating_sub(self.margin)),
        }
    }

    /// The other side of an hourglass gets what one side uses.
    pub fn opponent_spent(&mut self, elapsed: Duration) {
        if matches!(self.control.clock, ClockKind::Hourglass(_)) {
            self.left = self.left.saturating_add(elapsed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str, margin: u64) -> GameClock {
        let control = control.parse().unwrap_or_else(|error| panic!("{error}"));
        GameClock::new(&control, Duration::from_millis(margin))
    }

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn spend(clock: &mut GameClock, time: u64) -> (Spent, u64) {
        let spent = clock.spend(ms(time), ms(time));
        (spent, clock.left.as_millis() as u64)
    }

    #[test]
    fn an_increment_is_there_from_the_first_move() {
        let mut c = clock("1+0.1", 50);
        assert_eq!(c.left(), Some(ms(1100)));
        assert_eq!(spend(&mut c, 600), (Spent::InTime, 600));
        assert_eq!(spend(&mut c, 640), (Spent::Late(ms(40)), 100));
        assert_eq!(spend(&mut c, 200), (Spent::Over(ms(50)), 100));
    }

    #[test]
    fn the_flag_is_judged_by_more_than_is_charged() {
        let mut c = clock("1+0", 10);
        assert_eq!(c.spend(ms(300), ms(400)), Spent::InTime);
        assert_eq!(c.left(), Some(ms(700)));
        assert_eq!(c.spend(ms(100), ms(705)), Spent::Late(ms(5)));
        assert_eq!(c.spend(ms(100), ms(611)), Spent::Over(ms(1)));
        assert_eq!(c.spend(ms(600), ms(100)), Spent::Over(ms(90)), "never less");
    }

    #[test]
    fn periods_add_their_time_behind_their_last_move() {
        let mut c = clock("2/1,1/0.5,3", 0);
        assert_eq!(c.limits(&c, true).clocks.unwrap().moves_to_go, Some(2));
        assert_eq!(spend(&mut c, 300), (Spent::InTime, 700));
        assert_eq!(c.limits(&c, true).clocks.unwrap().moves_to_go, Some(1));
        assert_eq!(spend(&mut c, 700), (Spent::InTime, 500));
        assert_eq!(c.limits(&c, true).clocks.unwrap().moves_to_go, Some(1));
        assert_eq!(spend(&mut c, 501), (Spent::Over(ms(1)), 3000));
        assert_eq!(c.limits(&c, true).clocks.unwrap().moves_to_go, None);
        assert_eq!(spend(&mut c, 1000), (Spent::InTime, 2000));

        let mut c = clock("2/1", 0);
        for _ in 0..3 {
            assert_eq!(spend(&mut c, 400).0, Spent::InTime);
            assert_eq!(spend(&mut c, 400).0, Spent::InTime);
        }
        assert_eq!(c.left(), Some(ms(1600)), "the last period repeats");
    }

    #[test]
    fn sand_runs_from_one_side_to_the_other() {
        let (mut a, mut b) = (clock("hg1", 0), clock("hg1", 0));
        assert_eq!(spend(&mut a, 400).1, 600);
        b.opponent_spent(ms(400));
        assert_eq!(b.left(), Some(ms(1400)));
        assert_eq!(spend(&mut b, 1500).0, Spent::Over(ms(100)));
    }

    #[test]
    fn a_time_per_move_does_not_run_down() {
        let mut c = clock("st=0.1", 20);
        for _ in 0..5 {
            assert_eq!(spend(&mut c, 110).0, Spent::Late(ms(10)));
        }
        assert_eq!(c.spend(ms(121), ms(121)), Spent::Over(ms(1)));
        let limits = c.limits(&clock("1+1", 0), true);
        assert_eq!((limits.clocks, limits.movetime), (None, Some(ms(100))));
        // Both at once: the shorter one counts.
        let mut c = clock("0.15 st=0.1", 0);
        assert_eq!(c.allowed(), Some(ms(100)));
        assert_eq!(spend(&mut c, 100), (Spent::InTime, 50));
        assert_eq!(c.allowed(), Some(ms(50)));
    }

    #[test]
    fn nodes_and_depth_have_no_flag() {
        let mut c = clock("nodes=100 depth=3", 0);
        assert_eq!((c.flag(), c.left()), (None, None));
        assert_eq!(c.spend(ms(1_000_000), ms(1_000_000)), Spent::InTime);
        let limits = c.limits(&c, false);
        assert_eq!((limits.nodes, limits.depth), (Some(100), Some(3)));
        assert!(!limits.infinite && clock("inf", 0).limits(&c, true).infinite);
    }

    #[test]
    fn both_clocks_are_told() {
        let (white, black) = (clock("10+1", 0), clock("5+0.5", 0));
        let clocks = black.limits(&white, false).clocks.unwrap();
        assert_eq!(clocks.white.remaining, ms(11_000));
        assert_eq!(clocks.white.increment, ms(1000));
        assert_eq!(clocks.black.remaining, ms(5500));
        let against_nodes = black.limits(&clock("nodes=1", 0), false).clocks.unwrap();
        assert_eq!(against_nodes.white, against_nodes.black);
    }
}
