//! How long the clocks of a match permit a game to last.

use std::time::Duration;

use quadrille_match::config::{Clock, MatchConfig, TimeControl};

/// Moves of a side that are counted where the match has no limit: longer games are very
/// rare, and none of them uses all the time of its clocks.
const MOVES: u32 = 500;
/// Moves of a side that are counted at most.
const MOST_MOVES: u32 = 5000;

/// Returns the longest time of a game on the slowest machine that may play; nothing if a
/// side has no clock.
pub(super) fn longest(config: &MatchConfig, slowest: f64) -> Option<Duration> {
    let moves = config
        .rules
        .max_moves
        .map_or(MOVES, |most| most.min(MOST_MOVES));
    let mut sides = Vec::new();
    for entrant in &config.engines {
        let time = side(&entrant.time.slowed(slowest.max(1.0)), moves)?;
        sides.push(time.saturating_add(entrant.margin.saturating_mul(moves)));
    }
    let longest = sides.into_iter().max().unwrap_or_default();
    Some(longest.saturating_mul(2))
}

fn side(control: &TimeControl, moves: u32) -> Option<Duration> {
    if let Some(time) = control.move_time {
        return Some(time.saturating_mul(moves));
    }
    match &control.clock {
        Clock::None => None,
        // What one side uses the other may use after it.
        Clock::Hourglass(time) => Some(time.saturating_mul(2).saturating_mul(moves)),
        Clock::Periods(_) => {
            let mut sum = Duration::ZERO;
            for made in 0..moves {
                let (period, left) = control.period(made)?;
                let begins = match left {
                    None => made == 0 || control.period(made - 1)?.1 == Some(1),
                    Some(left) => period.moves == Some(left),
                };
                let time = if begins { period.time } else { Duration::ZERO };
                sum = sum.saturating_add(time).saturating_add(period.increment);
            }
            Some(sum)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(control: &str, moves: u32) -> Option<u64> {
        side(&control.parse().unwrap(), moves).map(|time| time.as_secs())
    }

    #[test]
    fn the_time_of_a_side_is_what_its_clock_permits() {
        assert_eq!(seconds("8+0.08", 500), Some(48));
        assert_eq!(seconds("st=2", 500), Some(1000));
        assert_eq!(seconds("40/60", 100), Some(180));
        assert_eq!(seconds("40/60,30+1", 100), Some(60 + 30 + 60));
        assert_eq!(seconds("hg60", 10), Some(1200));
        assert_eq!(seconds("nodes=100", 10), None);
    }
}
