//! How long an engine may think.
//!
//! A time control is written as a few words, in any order and combination:
//!
//! | word | meaning |
//! |---|---|
//! | `10+0.1` | ten seconds for the game and a tenth after every move |
//! | `40/60`, `40/1:00+0.5` | sixty seconds for every forty moves; minutes and seconds |
//! | `40/90,20/30,15+1` | several periods: the last one is repeated or plays the game out |
//! | `hg60` | an hourglass: what one side uses the other one gets |
//! | `inf` | no clock |
//! | `st=0.5` | half a second for every move |
//! | `nodes=10000`, `depth=8` | at most so much for every move |
//!
//! All times are seconds, down to the millisecond. Periods may also be parted
//! by colons, as PGN does; `1:30` alone, with less than sixty behind the colon,
//! is a minute and a half, as match runners read it.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::spelling::excerpt;

/// No period is longer than this: about three years.
const LONGEST: Duration = Duration::from_secs(100_000_000);
/// More periods than any time control has.
const MOST_PERIODS: usize = 16;

/// How long an engine may think: a clock, and limits for every single move.
///
/// ```
/// use quadrille_client::time_control::{Clock, TimeControl};
///
/// let tc: TimeControl = "40/1:30+0.5,20+1 nodes=5000".parse()?;
/// assert_eq!(tc.to_string(), "40/90+0.5,20+1 nodes=5000");
/// assert!(matches!(&tc.clock, Clock::Periods(periods) if periods.len() == 2));
/// # Ok::<(), quadrille_client::time_control::TimeControlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// The clock that runs through the game.
    pub clock: Clock,
    /// `st`: the time for every move.
    pub move_time: Option<Duration>,
    /// `nodes`: at most so many for every move.
    pub nodes: Option<u64>,
    /// `depth`: at most so deep in every move.
    pub depth: Option<u32>,
}

/// The clock that runs through a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Clock {
    /// Time does not run out.
    #[default]
    None,
    /// One period after the other; never empty. The last one repeats if it is
    /// counted in moves.
    Periods(Vec<Period>),
    /// The time one side uses is added to the other side's.
    Hourglass(Duration),
}

/// A stretch of a game with its own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// How many moves it lasts; `None` to the end of the game.
    pub moves: Option<u32>,
    /// The time added when it begins.
    pub time: Duration,
    /// The time added after every move.
    pub increment: Duration,
}

/// A text that is no time control, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeControlError {
    text: String,
    why: String,
}

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no time control: {}; {EXAMPLES}",
            excerpt(&self.text),
            self.why
        )
    }
}

impl core::error::Error for TimeControlError {}

/// What would be right, for those who read an error.
const EXAMPLES: &str = "right would be 10+0.1 (ten seconds and a tenth for each move), \
    40/60 (a minute for 40 moves) or 1:30+1";

impl TimeControl {
    /// A fixed time for every move.
    pub fn per_move(time: Duration) -> Self {
        Self {
            move_time: Some(time),
            ..Self::default()
        }
    }

    /// Whether nothing ever ends a search.
    pub fn is_unlimited(&self) -> bool {
        self.clock == Clock::None
            && self.move_time.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
    }

    /// The period that move `moves_made` (0 for the first) belongs to and how
    /// many moves are left in it, this one included; `None` without periods.
    pub fn period(&self, moves_made: u32) -> Option<(Period, Option<u32>)> {
        let Clock::Periods(periods) = &self.clock else {
            return None;
        };
        let last = *periods.last()?;
        let mut before = moves_made;
        for &period in periods {
            match period.moves {
                None => return Some((period, None)),
                Some(moves) if before < moves => return Some((period, Some(moves - before))),
                Some(moves) => before -= moves,
            }
        }
        let moves = last.moves?.max(1);
        Some((last, Some(moves - before % moves)))
    }

    /// What the clock shows before the first move: the increment is there from
    /// the start.
    pub fn initial(&self) -> Option<Duration> {
        match &self.clock {
            Clock::None => None,
            Clock::Periods(periods) => periods.first().map(|first| first.time + first.increment),
            Clock::Hourglass(time) => Some(*time),
        }
    }

    /// The same with all times, nodes included, multiplied: a handicap. Depth
    /// stays, for half a depth is not half the strength.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let time = |time: Duration| {
            let millis = time.as_secs_f64() * 1000.0 * factor.max(0.0);
            // Rounded away to nothing would lose at once.
            let least = if time.is_zero() { 0.0 } else { 1.0 };
            Duration::from_millis(millis.round().max(least) as u64).min(LONGEST)
        };
        let period = |period: &Period| Period {
            moves: period.moves,
            time: time(period.time),
            increment: time(period.increment),
        };
        let nodes = |nodes: u64| ((nodes as f64 * factor.max(0.0)).round() as u64).max(1);
        Self {
            clock: match &self.clock {
                Clock::None => Clock::None,
                Clock::Periods(periods) => Clock::Periods(periods.iter().map(period).collect()),
                Clock::Hourglass(total) => Clock::Hourglass(time(*total)),
            },
            move_time: self.move_time.map(time),
            nodes: self.nodes.map(nodes),
            depth: self.depth,
        }
    }

    /// The same with all times multiplied, for a machine of another speed. What is
    /// counted in nodes or plies is the same everywhere.
    #[must_use]
    pub fn slowed(&self, factor: f64) -> Self {
        Self {
            nodes: self.nodes,
            ..self.scaled(factor)
        }
    }

    /// Whether anything of it is counted in time.
    pub fn is_timed(&self) -> bool {
        self.clock != Clock::None || self.move_time.is_some()
    }

    /// The value of the PGN tag `TimeControl`: `40/60:30+1`, `*60` for an
    /// hourglass, `-` without a clock. A fixed time is written as so many
    /// seconds for one move, `1/0.5`; the standard has no form for other limits
    /// of single moves, so they are left out.
    pub fn pgn_text(&self) -> String {
        match (&self.clock, self.move_time) {
            (Clock::None, None) => "-".into(),
            (Clock::None, Some(time)) => format!("1/{}", Seconds(time)),
            (Clock::Periods(periods), _) => periods
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(":"),
            (Clock::Hourglass(time), _) => format!("*{}", Seconds(*time)),
        }
    }

    /// Reads one word into this control.
    fn take(&mut self, word: &str) -> Result<(), String> {
        if let Some((key, value)) = word.split_once('=') {
            match key {
                "tc" => self.take_clock(value),
                "st" | "movetime" => set(&mut self.move_time, key, positive_seconds(value)?),
                "nodes" => set(&mut self.nodes, key, count(value)?),
                "depth" | "plies" => {
                    let depth = count(value)?.try_into();
                    set(&mut self.depth, key, depth.map_err(|_| too_large(value))?)
                }
                _ => Err(format!(
                    "there is no '{}'; known are tc, st, nodes and depth",
                    excerpt(key)
                )),
            }
        } else {
            self.take_clock(word)
        }
    }

    fn take_clock(&mut self, word: &str) -> Result<(), String> {
        if self.clock != Clock::None {
            return Err("there are two clocks in it; part periods by a comma".into());
        }
        self.clock = if matches!(word, "inf" | "infinite" | "-") {
            Clock::None
        } else if let Some(time) = word.strip_prefix("hg").or(word.strip_prefix('*')) {
            Clock::Hourglass(clock_time(time)?)
        } else {
            Clock::Periods(periods(word)?)
        };
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let error = |why: String| TimeControlError {
            text: text.into(),
            why,
        };
        let mut control = Self::default();
        let mut words = 0;
        for word in text.split_whitespace() {
            control.take(word).map_err(error)?;
            words += 1;
        }
        match words {
            0 => Err(error(
                "write for instance 10+0.1, 40/60, st=1 or inf".into(),
            )),
            _ => Ok(control),
        }
    }
}

/// The periods of a word. Every comma ends one, and so does a colon that does
/// not stand between minutes and seconds.
fn periods(word: &str) -> Result<Vec<Period>, String> {
    let mut list = Vec::new();
    for part in word.split(',') {
        let mut rest = part;
        loop {
            let end = period_end(rest);
            let read = period(&rest[..end]);
            list.push(read.map_err(|why| mistaken(word).unwrap_or(why))?);
            if list.len() > MOST_PERIODS {
                return Err(format!("more than {MOST_PERIODS} periods"));
            }
            match rest.get(end + 1..) {
                Some(next) => rest = next,
                None => break,
            }
        }
    }
    let endless = list.iter().position(|period| period.moves.is_none());
    match endless {
        Some(place) if place + 1 < list.len() => Err(mistaken(word).unwrap_or_else(|| {
            format!(
                "period {} lasts to the end of the game, so nothing can follow it; write \
                     moves/time",
                place + 1
            )
        })),
        _ => Ok(list),
    }
}

/// What a word without moves was probably meant to be, where it was read as several periods.
fn mistaken(word: &str) -> Option<String> {
    if word.contains('/') {
        return None;
    }
    let point = word.replace(',', ".");
    if point != word && period(&point).is_ok() {
        return Some(format!(
            "a comma parts periods, and nothing can follow one that lasts to the end of the game; if \
             it is meant as a decimal point, write {point}"
        ));
    }
    let (minutes, seconds) = word.split_once(':')?;
    let (minutes, seconds): (u64, u64) = (minutes.parse().ok()?, seconds.parse().ok()?);
    if seconds < 60 {
        return None;
    }
    let total = minutes.checked_mul(60)?.checked_add(seconds)?;
    Some(format!(
        "of minutes and seconds the seconds are below 60: write {}:{:02} or {total}",
        total / 60,
        total % 60
    ))
}

/// Where the first period of a text ends.
fn period_end(text: &str) -> usize {
    let Some(colon) = text.find(':') else {
        return text.len();
    };
    let before = text[..colon].rsplit('/').next().unwrap_or("");
    let after = &text[colon + 1..];
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let minutes = !before.is_empty() && before.bytes().all(|b| b.is_ascii_digit());
    let below_sixty =
        (1..=2).contains(&digits) && after[..digits].parse::<u8>().is_ok_and(|n| n < 60);
    // `/` next would make the number a count of moves.
    if minutes && below_sixty && after.as_bytes().get(digits) != Some(&b'/') {
        let next = after.find(':').unwrap_or(after.len());
        colon + 1 + next
    } else {
        colon
    }
}

fn period(text: &str) -> Result<Period, String> {
    let (moves, rest) = match text.split_once('/') {
        // No moves, or an endless number: the whole game, as match runners say.
        None | Some(("inf" | "infinite" | "0", _)) => {
            (None, text.rsplit('/').next().unwrap_or(text))
        }
        Some((moves, rest)) => {
            let moves = count(moves)?.try_into().map_err(|_| too_large(moves))?;
            (Some(moves), rest)
        }
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (time, seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    let time = match time.trim_end_matches('s') {
        // `0+1` is played: the increment comes before the first move.
        "0" if !increment.is_zero() => Duration::ZERO,
        _ => clock_time(time)?,
    };
    Ok(Period {
        moves,
        time,
        increment,
    })
}

/// A time that is not nothing: seconds, or minutes and seconds.
fn clock_time(text: &str) -> Result<Duration, String> {
    let Some((minutes, rest)) = text.split_once(':') else {
        return positive_seconds(text);
    };
    let minutes: u64 = minutes
        .parse()
        .map_err(|_| format!("'{}' are no minutes", excerpt(minutes)))?;
    let total = Duration::from_secs(minutes.saturating_mul(60)).saturating_add(seconds(rest)?);
    match total {
        Duration::ZERO => Err("there is no time in it".into()),
        long if long > LONGEST => Err(too_large(text)),
        total => Ok(total),
    }
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    match seconds(text)? {
        Duration::ZERO => Err(format!(
            "'{}' is no time at all; the shortest is a millisecond, 0.001",
            excerpt(text)
        )),
        time => Ok(time),
    }
}

/// Seconds with decimals, rounded to the millisecond; a trailing `s` is fine.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{}' are no seconds", excerpt(text));
    let number = text.strip_suffix('s').unwrap_or(text);
    // A plain decimal: no sign, no exponent, no `nan`.
    let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if !plain || !number.bytes().any(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let value: f64 = number.parse().map_err(|_| wrong())?;
    if value > LONGEST.as_secs_f64() {
        return Err(too_large(text));
    }
    Ok(Duration::from_millis((value * 1000.0).round() as u64))
}

/// A whole number above zero; `k` and `M` multiply.
pub fn count(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = plain.then(|| digits.parse::<u64>().ok()?.checked_mul(unit));
    match number {
        Some(Some(number)) if number > 0 => Ok(number),
        Some(None) => Err(too_large(text)),
        _ => Err(format!("'{}' is no whole number above zero", excerpt(text))),
    }
}

fn too_large(text: &str) -> String {
    format!("'{}' is too large", excerpt(text))
}

fn set<T>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), String> {
    match slot.replace(value) {
        Some(_) => Err(format!("'{key}' stands twice")),
        None => Ok(()),
    }
}

/// A time as seconds with as many decimals as it needs.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => write!(f, ".{}", format!("{millis:03}").trim_end_matches('0')),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.time))?;
        if self.increment.is_zero() {
            Ok(())
        } else {
            write!(f, "+{}", Seconds(self.increment))
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unlimited() {
            return f.write_str("inf");
        }
        let mut words = Vec::new();
        match &self.clock {
            Clock::None => {}
            Clock::Periods(periods) => {
                let list: Vec<String> = periods.iter().map(ToString::to_string).collect();
                words.push(list.join(","));
            }
            Clock::Hourglass(time) => words.push(format!("hg{}", Seconds(*time))),
        }
        words.extend(self.move_time.map(|time| format!("st={}", Seconds(time))));
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        f.write_str(&words.join(" "))
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
