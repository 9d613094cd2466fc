//! How players used their clocks, as far as the record says.

use std::time::Duration;

use quadrille_games::records::{NodeId, Record};
use quadrille_games::{Position, Side};

use super::report::{MoveReport, TimeUse};

/// Time spent and clock after each move of the main line.
pub(super) struct Times {
    pub(super) moves: Vec<(Option<Duration>, Option<Duration>)>,
}

impl Times {
    /// The time of a move is what the record says (`%emt`, or the note of a match
    /// runner); else what the clock (`%clk`) has lost since the player's last
    /// move, with what the time control gives back.
    pub(super) fn read<P: Position>(record: &Record<P>, nodes: &[NodeId]) -> Self {
        let control = Control::read(record.tag("TimeControl").unwrap_or_default());
        let mut clocks = [control.base; 2];
        let mut side = record.start().side();
        let mut moves = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let clock = record.clock(node);
            let before = &mut clocks[side.index()];
            let counted = before.zip(clock).and_then(|(before, after)| {
                before.checked_add(control.increment)?.checked_sub(after)
            });
            moves.push((record.elapsed(node).or(counted), clock));
            // A move without a clock breaks the chain.
            *before = clock;
            side = side.other();
        }
        Self { moves }
    }
}

/// The usual kind of a `TimeControl` tag: seconds, perhaps for a number of moves,
/// perhaps with an increment. Of several stages the first counts.
#[derive(Debug, Default, PartialEq, Eq)]
struct Control {
    base: Option<Duration>,
    increment: Duration,
}

impl Control {
    fn read(tag: &str) -> Self {
        let stage = tag.split(':').next().unwrap_or_default();
        let stage = stage.rsplit('/').next().unwrap_or_default();
        let (base, increment) = stage.split_once('+').unwrap_or((stage, ""));
        Self {
            base: seconds(base),
            increment: seconds(increment).unwrap_or_default(),
        }
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}

/// The sums for one player.
pub(super) fn time_use(moves: &[MoveReport], side: Side) -> Option<TimeUse> {
    let own = || moves.iter().filter(|played| played.side == side);
    let known = || own().filter_map(|played| Some((played, played.elapsed?)));
    let count = known().count();
    let (slowest, longest) =
        known().max_by_key(|(played, time)| (*time, usize::MAX - played.ply))?;
    let total = sum(known().map(|(_, time)| time));
    let bad = || known().filter(|(played, _)| played.judgement.is_some());
    let mean = |sum: Duration, count: usize| {
        let count = u32::try_from(count).ok()?;
        sum.checked_div(count)
    };
    Some(TimeUse {
        moves: count,
        total,
        average: mean(total, count)?,
        longest,
        longest_ply: slowest.ply,
        on_mistakes: mean(sum(bad().map(|(_, time)| time)), bad().count()),
        least: own().filter_map(|played| played.clock).min(),
    })
}

/// A record may say anything, so there may be more than can be counted.
fn sum(times: impl Iterator<Item = Duration>) -> Duration {
    times.fold(Duration::ZERO, Duration::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::chess::Chess;
    use quadrille_games::records::Reader;

    fn elapsed(text: &str) -> Vec<Option<u128>> {
        let record = Reader::<Chess, _>::new(text.as_bytes()).read_record();
        let record = record.unwrap().unwrap();
        let nodes: Vec<NodeId> = record.main_line().collect();
        let times = Times::read(&record, &nodes).moves;
        times
            .iter()
            .map(|(time, _)| time.map(|t| t.as_millis()))
            .collect()
    }

    #[test]
    fn clocks_tell_how_long_a_move_took() {
        let moves = "1. e4 {[%clk 0:04:58]} e5 {[%clk 0:05:01.5]} 2. Nf3 {[%clk 0:04:50]} \
                     Nc6 2. d4 *";
        let tag = |control: &str| format!("[TimeControl \"{control}\"]\n\n{moves}");
        let with = elapsed(&tag("300+2"));
        assert_eq!(with, [Some(4000), Some(500), Some(10_000), None, None]);
        assert_eq!(elapsed(&tag("40/300+2:60"))[..2], [Some(4000), Some(500)]);
        // Without a base the first move of each side is unknown; a clock that
        // grew without an increment says nothing.
        assert_eq!(elapsed(&tag("?"))[..3], [None, None, Some(8000)]);
        assert_eq!(elapsed(&tag("-")).len(), 5);
    }

    #[test]
    fn what_the_record_says_counts_first() {
        let said = elapsed("1. e4 {[%emt 0:00:02] [%clk 0:04:00]} e5 {+0.10/9 1.5s} *");
        assert_eq!(said, [Some(2000), Some(1500)]);
        for odd in [
            "-5",
            "nan",
            "1e300",
            "inf",
            "x+y",
            "+",
            "99999999999999999999999",
            "1e19+1e19",
        ] {
            // Nothing to see; nothing breaks either.
            elapsed(&format!(
                "[TimeControl \"{odd}\"]\n\n1. e4 {{[%clk 1:00]}} *"
            ));
        }
    }
}
