//! How long an engine may think, and how each dialect is told.

use std::borrow::Cow;
use std::time::Duration;

use quadrille_games::Side;
use quadrille_protocol::{Dialect, Go, Moves};

use crate::options::OptionList;
use crate::timeouts::Timeouts;

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What comes back after every move.
    pub increment: Duration,
}

impl Clock {
    /// So much time, and so much more after every move.
    pub const fn new(remaining: Duration, increment: Duration) -> Self {
        Self {
            remaining,
            increment,
        }
    }
}

/// Both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clocks {
    /// White's.
    pub white: Clock,
    /// Black's.
    pub black: Clock,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// The clock of a side.
    pub const fn of(&self, side: Side) -> Clock {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

/// What ends a search. Several limits hold at once; without any the engine
/// thinks until it is told to stop.
///
/// ```
/// use std::time::Duration;
/// use quadrille_client::Limits;
///
/// let limits = Limits { nodes: Some(10_000), ..Limits::movetime(Duration::from_secs(2)) };
/// assert_eq!(limits.movetime, Some(Duration::from_secs(2)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of a game.
    pub clocks: Option<Clocks>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Think until told to stop, whatever is found.
    pub infinite: bool,
    /// Think in the opponent's time: until
    /// [`ponderhit`](crate::EngineClient::ponderhit) or
    /// [`stop`](crate::EngineClient::stop).
    pub ponder: bool,
    /// Only these moves.
    pub searchmoves: Vec<String>,
    /// When the host sends `stop` on its own, counted from `go`. Where it is
    /// missing, it follows from the limits and the engine's
    /// [`Timeouts`].
    pub deadline: Option<Duration>,
    /// When the flag of the player falls, counted from `go`, in a game with
    /// clocks. Near it the host looks closely at what the machine takes, and
    /// time that the engine takes before `go` counts.
    pub flag: Option<Duration>,
}

impl From<Limits> for Cow<'_, Limits> {
    fn from(limits: Limits) -> Self {
        Self::Owned(limits)
    }
}

impl<'a> From<&'a Limits> for Cow<'a, Limits> {
    fn from(limits: &'a Limits) -> Self {
        Self::Borrowed(limits)
    }
}

impl Limits {
    /// Time for one move.
    pub fn movetime(time: Duration) -> Self {
        Self {
            movetime: Some(time),
            ..Self::default()
        }
    }

    /// So many plies.
    pub fn depth(plies: u32) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// So many positions.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Clocks.
    pub fn clocks(clocks: Clocks) -> Self {
        Self {
            clocks: Some(clocks),
            ..Self::default()
        }
    }

    /// Until told to stop.
    pub fn infinite() -> Self {
        Self {
            infinite: true,
            ..Self::default()
        }
    }

    /// Whether the engine may think as long as it likes: there is nothing else
    /// that ends the search.
    fn is_endless(&self) -> bool {
        let counted = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        self.infinite || (!counted && self.clocks.is_none() && self.movetime.is_none())
    }

    /// When to send `stop`, counted from `go`; `None` if the caller decides.
    pub fn patience(&self, side: Side, timeouts: &Timeouts) -> Option<Duration> {
        if self.deadline.is_some() {
            return self.deadline;
        }
        let clock = self.clocks.map(|clocks| clocks.of(side).remaining);
        let time = match (self.movetime, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        match time {
            Some(time) => Some(time.saturating_add(timeouts.grace)),
            None if self.is_endless() => None,
            None => Some(timeouts.search),
        }
    }

    /// The same for an engine that has used some of its time already.
    pub fn after(&self, used: Duration, side: Side) -> Cow<'_, Self> {
        if used.is_zero() {
            return Cow::Borrowed(self);
        }
        let mut limits = self.clone();
        if let Some(clocks) = &mut limits.clocks {
            let clock = match side {
                Side::White => &mut clocks.white,
                Side::Black => &mut clocks.black,
            };
            clock.remaining = clock.remaining.saturating_sub(used);
        }
        limits.movetime = limits.movetime.map(|time| time.saturating_sub(used));
        limits.flag = limits.flag.map(|flag| flag.saturating_sub(used));
        Cow::Owned(limits)
    }

    /// The `go` of a dialect. UGI's has no words; see [`UgiLimits`].
    pub fn go<'a>(&self, dialect: Dialect, side: Side, searchmoves: &'a str) -> Go<'a> {
        let mut go = Go::new();
        if dialect == Dialect::Ugi {
            return go;
        }
        if self.ponder && dialect != Dialect::Ulci {
            go = go.ponder();
        }
        // The reference client of Liberty Chess obeys the last kind of limit it
        // reads, and the clock is the one that must not be missed.
        if dialect != Dialect::Ulci {
            go = self.clock_words(go, dialect, side);
        }
        if let Some(depth) = self.depth {
            go = go.depth(depth.into());
        }
        if let Some(nodes) = self.nodes {
            go = go.nodes(nodes);
        }
        if let Some(mate) = self.mate {
            go = go.mate(mate.into());
        }
        if let Some(time) = self.movetime {
            go = movetime_words(go, dialect, time, self.clocks.is_some());
        }
        if dialect == Dialect::Ulci {
            go = self.clock_words(go, dialect, side);
        }
        if self.is_endless() {
            go = go.infinite();
        }
        if searchmoves.is_empty() {
            return go;
        }
        go.searchmoves(Moves::from(searchmoves))
    }

    fn clock_words<'a>(&self, go: Go<'a>, dialect: Dialect, side: Side) -> Go<'a> {
        let Some(clocks) = self.clocks else {
            return go;
        };
        let (white, black) = (clocks.white, clocks.black);
        let mut go = match dialect {
            Dialect::Leiser => {
                let own = clocks.of(side);
                go.time(clock_millis(own.remaining))
                    .inc(millis(own.increment))
            }
            _ => go
                .wtime(clock_millis(white.remaining))
                .btime(clock_millis(black.remaining))
                .winc(millis(white.increment))
                .binc(millis(black.increment)),
        };
        if let Some(moves) = clocks.moves_to_go
            && dialect != Dialect::Ulci
        {
            go = go.movestogo(moves.into());
        }
        go
    }
}

/// Leiserchess has no time per move. The reference engine plans 2 % of its
/// clock and 80 % of its increment, at most a tenth of the clock: so the clock
/// that makes it plan this time is sent along, and an engine that knows
/// `movetime` keeps to that.
fn movetime_words(go: Go<'_>, dialect: Dialect, time: Duration, clocks: bool) -> Go<'_> {
    let time = millis(time).max(1);
    match dialect {
        Dialect::Leiser if !clocks => go.time(time.saturating_mul(10)).inc(time).movetime(time),
        _ => go.movetime(time),
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Engines take a clock of zero or less for no clock at all.
fn clock_millis(time: Duration) -> i64 {
    millis(time).max(1)
}

/// UGI's limits are options, and they stay until they are set again. Once set
/// they cannot be taken back, so "none" is a number that is never reached.
#[derive(Debug, Default)]
pub struct UgiLimits {
    plies: bool,
    time: bool,
    nodes: bool,
}

const NO_PLIES: &str = "127";
const NO_TIME: &str = "1000000";
const NO_NODES: &str = "1000000000000";

impl UgiLimits {
    /// The options to set before `go`, in the engine's spelling.
    pub fn settings(
        &mut self,
        limits: &Limits,
        side: Side,
        options: &OptionList,
    ) -> Vec<(String, String)> {
        let endless = limits.infinite || limits.ponder;
        let plies = limits.depth.filter(|_| !endless);
        let nodes = limits.nodes.filter(|_| !endless);
        let time = ugi_time(limits, side).filter(|_| !endless);
        let wanted = [
            (
                "maxPly",
                &mut self.plies,
                plies.map(|n| n.min(127).to_string()),
                NO_PLIES,
            ),
            ("maxTime", &mut self.time, time.map(seconds), NO_TIME),
            (
                "maxNodes",
                &mut self.nodes,
                nodes.map(|n| n.to_string()),
                NO_NODES,
            ),
        ];
        let mut settings = Vec::new();
        for (name, set, value, none) in wanted {
            let known = options.get(name).map(|option| option.name.clone());
            // An engine that lists nothing may know the two of the first text.
            let silent = options.iter().next().is_none() && name != "maxNodes";
            let Some(name) = known.or_else(|| silent.then(|| name.into())) else {
                continue;
            };
            match value {
                Some(value) => settings.push((name, value)),
                None if *set => settings.push((name, none.into())),
                None => continue,
            }
            *set = true;
        }
        settings
    }
}

/// UGI knows no clock, so the host divides the time: a twentieth of what is
/// left, and most of the increment, which leaves room for the tenths of a
/// second by which engines of this dialect overstep.
fn ugi_time(limits: &Limits, side: Side) -> Option<Duration> {
    let share = limits.clocks.map(|clocks| {
        let clock = clocks.of(side);
        let moves = clocks
            .moves_to_go
            .map_or(20, |moves| moves.clamp(1, 20) + 1);
        let share = clock.remaining / moves + clock.increment * 3 / 4;
        share.min(clock.remaining / 2)
    });
    match (share, limits.movetime) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whole seconds without a point: the first text has only these.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64().max(0.001));
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_protocol::Command;

    fn words(limits: &Limits, dialect: Dialect) -> String {
        let moves = limits.searchmoves.join(" ");
        let go = limits.go(dialect, Side::Black, &moves);
        String::from_utf8(Command::Go(go).line(dialect)).expect("ASCII")
    }

    fn clocks() -> Limits {
        let clock = |ms| Clock::new(Duration::from_millis(ms), Duration::from_millis(ms / 100));
        Limits::clocks(Clocks {
            white: clock(9000),
            black: clock(8000),
            moves_to_go: Some(7),
        })
    }

    #[test]
    fn each_dialect_has_its_clock() {
        let limits = clocks();
        let uci = "go wtime 9000 btime 8000 winc 90 binc 80 movestogo 7";
        assert_eq!(words(&limits, Dialect::Uci), uci);
        let ulci = "go wtime 9000 btime 8000 winc 90 binc 80";
        assert_eq!(words(&limits, Dialect::Ulci), ulci);
        assert_eq!(
            words(&limits, Dialect::Leiser),
            "go time 8000 inc 80 movestogo 7"
        );
        assert_eq!(words(&limits, Dialect::Ugi), "go");
    }

    #[test]
    fn an_empty_clock_is_never_zero() {
        let limits = Limits::clocks(Clocks::default());
        assert_eq!(
            words(&limits, Dialect::Uci),
            "go wtime 1 btime 1 winc 0 binc 0"
        );
    }

    #[test]
    fn several_limits_and_none() {
        let limits = Limits {
            depth: Some(5),
            nodes: Some(1000),
            mate: Some(2),
            ponder: true,
            searchmoves: vec!["e2e4".into(), "d2d4".into()],
            ..clocks()
        };
        let uci = "go ponder wtime 9000 btime 8000 winc 90 binc 80 movestogo 7 \
                   depth 5 nodes 1000 mate 2 searchmoves e2e4 d2d4";
        assert_eq!(words(&limits, Dialect::Uci), uci);
        let ulci = "go depth 5 nodes 1000 mate 2 wtime 9000 btime 8000 winc 90 binc 80 \
                    searchmoves e2e4 d2d4";
        assert_eq!(words(&limits, Dialect::Ulci), ulci);
        assert_eq!(words(&Limits::default(), Dialect::Uci), "go infinite");
        let second = Limits::movetime(Duration::from_secs(1));
        assert_eq!(words(&second, Dialect::Uci), "go movetime 1000");
        assert_eq!(
            words(&second, Dialect::Leiser),
            "go time 10000 inc 1000 movetime 1000"
        );
    }

    #[test]
    fn ugi_limits_are_options_and_stay() {
        let mut state = UgiLimits::default();
        let none = OptionList::default();
        let mut set = |limits: &Limits| state.settings(limits, Side::White, &none);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(set(&Limits::depth(300)), [pair("maxPly", "127")]);
        let half = Limits::movetime(Duration::from_millis(1500));
        assert_eq!(set(&half), [pair("maxPly", "127"), pair("maxTime", "1.5")]);
        let whole = Limits::movetime(Duration::from_secs(20));
        assert_eq!(set(&whole)[1], pair("maxTime", "20"));
        let endless = [pair("maxPly", "127"), pair("maxTime", NO_TIME)];
        assert_eq!(set(&Limits::infinite()), endless);
    }

    #[test]
    fn patience_follows_from_the_limits() {
        let timeouts = Timeouts::default();
        let patience = |limits: &Limits| limits.patience(Side::Black, &timeouts);
        assert_eq!(
            patience(&clocks()),
            Some(Duration::from_secs(8) + timeouts.grace)
        );
        assert_eq!(patience(&Limits::depth(3)), Some(timeouts.search));
        assert_eq!(patience(&Limits::infinite()), None);
        let mine = Limits {
            deadline: Some(Duration::from_secs(1)),
            ..Limits::infinite()
        };
        assert_eq!(patience(&mine), mine.deadline);
    }
}
