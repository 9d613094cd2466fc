//! From a `go` command to the limits of a search.

use std::time::Duration;

use quadrille_games::Side;
use quadrille_protocol::{Go, Text};
use quadrille_search::{Clock, Limits, MAX_PLY, Moment, Time};

use crate::dialect::{OptionsOf, Spoken};

/// The limits that a `go` command and the options set, and what could not be
/// understood about it. The clock runs from the moment at which it came.
pub(crate) fn limits<P: Spoken>(
    go: &Go<'_>,
    position: &P,
    options: &OptionsOf<P>,
    arrived: Moment,
) -> (Limits<P::Move>, Vec<String>) {
    let mut complaints = Vec::new();
    let mut limits = Limits {
        time: time(go, position.side()),
        depth: go
            .get_depth()
            .map(|depth| depth.clamp(1, MAX_PLY as u64) as u32),
        nodes: go.get_nodes().map(|nodes| nodes.max(1)),
        sight: None,
        soft_nodes: None,
        mate: go
            .get_mate()
            .map(|moves| moves.clamp(1, MAX_PLY as u64) as u32),
        only: searchmoves(go, position, &mut complaints),
        infinite: go.is_infinite(),
        ponder: go.is_ponder(),
        lines: options.lines,
        overhead: options.overhead,
        since: Some(arrived),
    };
    P::limit(&options.own, &mut limits);
    // A host that names no limit at all will say `stop`.
    limits.infinite |= P::PLAIN_GO_IS_INFINITE && is_endless(&limits);
    (limits, complaints)
}

/// Whether nothing but `stop` would end this search.
fn is_endless<M>(limits: &Limits<M>) -> bool {
    limits.time == Time::Unlimited
        && limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.mate.is_none()
}

/// Negative and missing clocks are facts of life: a clock that has run out is
/// zero, and where only the opponent's clock is known, ours is taken to be the
/// same.
fn time(go: &Go<'_>, side: Side) -> Time {
    let (own, other, increment) = match side {
        Side::White => (go.get_wtime(), go.get_btime(), go.get_winc()),
        Side::Black => (go.get_btime(), go.get_wtime(), go.get_binc()),
    };
    let increment = millis(increment.or(go.get_inc()).unwrap_or(0));
    let remaining = own.or(go.get_time()).or(other);
    let clock = remaining.map(|remaining| Clock {
        remaining: millis(remaining),
        increment,
        moves_to_go: go
            .get_movestogo()
            .filter(|&moves| moves > 0)
            .map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        opponent: other.map(millis),
    });
    match (clock, go.get_movetime().map(millis)) {
        (Some(clock), Some(fixed)) => Time::Both(clock, fixed),
        (Some(clock), None) => Time::Clock(clock),
        (None, Some(fixed)) => Time::PerMove(fixed),
        // Only an increment: that much time there is for every move.
        (None, None) if increment > Duration::ZERO => Time::PerMove(increment),
        (None, None) => Time::Unlimited,
    }
}

/// A year is more than any host means, and keeps sums of times from
/// overflowing.
fn millis(ms: i64) -> Duration {
    const YEAR: i64 = 365 * 24 * 3600 * 1000;
    Duration::from_millis(ms.clamp(0, YEAR).unsigned_abs())
}

fn searchmoves<P: Spoken>(go: &Go<'_>, position: &P, complaints: &mut Vec<String>) -> Vec<P::Move> {
    let mut only = Vec::new();
    for word in go.get_searchmoves().into_iter().flatten() {
        match parse(position, word) {
            Ok(m) if only.contains(&m) => {}
            Ok(m) => only.push(m),
            Err(why) => complaints.push(format!("searchmoves: {why}")),
        }
    }
    if only.is_empty() && !complaints.is_empty() {
        complaints.push("searchmoves names no legal move: searching all".into());
    }
    only
}

/// Reads a move that may be any bytes.
pub(crate) fn parse<P: Spoken>(position: &P, word: Text<'_>) -> Result<P::Move, String> {
    match word.to_str() {
        Some(text) => position.parse_move(text).map_err(|error| error.to_string()),
        None => Err(format!("move {:?}: not readable text", word.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use quadrille_games::Position;
    use quadrille_games::chess::{Chess, ChessRules};
    use quadrille_protocol::{Command, Dialect};

    fn read(line: &str) -> (Limits<<Chess as Position>::Move>, Vec<String>) {
        let parsed = Command::parse(line.as_bytes(), Dialect::Uci);
        let Command::Go(go) = parsed.message else {
            panic!("{line}")
        };
        let position = Chess::start(&ChessRules::default());
        limits(
            &go,
            &position,
            &Options::new(Chess::OFFERS),
            Moment::default(),
        )
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn clocks_in_every_state_of_repair() {
        let clock = |remaining, increment, opponent| {
            Time::Clock(Clock {
                remaining: ms(remaining),
                increment: ms(increment),
                moves_to_go: None,
                opponent,
            })
        };
        let cases = [
            (
                "go wtime 1000 btime 2000 winc 10 binc 20",
                clock(1000, 10, Some(ms(2000))),
            ),
            ("go wtime -80 btime 2000", clock(0, 0, Some(ms(2000)))),
            ("go wtime 500", clock(500, 0, None)),
            ("go btime 700", clock(700, 0, Some(ms(700)))),
            ("go time 900 inc 5", clock(900, 5, None)),
            ("go winc 40", Time::PerMove(ms(40))),
            ("go winc -40", Time::Unlimited),
            ("go movetime 250", Time::PerMove(ms(250))),
            ("go movetime -1", Time::PerMove(ms(0))),
            ("go", Time::Unlimited),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line).0.time, expected, "{line}");
        }
        let huge = read("go wtime 9223372036854775807 btime 1 winc 9223372036854775807").0;
        assert!(matches!(huge.time, Time::Clock(c) if c.remaining < ms(1 << 36)));
    }

    #[test]
    fn all_limits_at_once() {
        let (limits, _) = read("go movetime 9 wtime 5000 movestogo 3 depth 4 nodes 77 mate 2");
        assert!(matches!(limits.time, Time::Both(c, fixed)
            if c.moves_to_go == Some(3) && fixed == ms(9)));
        assert_eq!(
            (limits.depth, limits.nodes, limits.mate),
            (Some(4), Some(77), Some(2))
        );
        assert!(!limits.infinite);
        assert!(read("go ponder").0.infinite);
        assert_eq!(read("go depth 0 nodes 0 movestogo 0").0.depth, Some(1));
    }

    #[test]
    fn searchmoves_are_checked_and_taken_once() {
        let (limits, complaints) = read("go searchmoves e2e4 d2d4 e2e4 e2e5 depth 3");
        assert_eq!(limits.only.len(), 2);
        assert_eq!((complaints.len(), limits.depth), (1, Some(3)));
        let (limits, complaints) = read("go searchmoves e2e5");
        assert!(limits.only.is_empty());
        assert_eq!(complaints.len(), 2);
    }
}
