//! Scores, times and shares, in whatever unit a dialect sends them.

use alloc::vec::Vec;

use crate::dialect::Dialect;
use crate::number::{Decimal, put_i64, put_u64};

/// Centipawns from which a Leiserchess engine of the reference kind means a
/// won game: it reports `32000 - plies` instead of `mate`.
const LEISER_MATE: i64 = 31_900;
const LEISER_WIN: i64 = 32_000;

/// A UGI score at or above this is decided; a win on the move is
/// [`UGI_WIN`].
const UGI_DECIDED: i64 = 99_990_000;
const UGI_WIN: i64 = 100_000_000;

/// `score ...` of an info line or of UGI's `bestmove`.
///
/// ```
/// use quadrille_protocol::{Bound, Score, ScoreValue};
///
/// let score = Score::cp(31).with_bound(Bound::Lower);
/// assert_eq!(score.value(), Some(ScoreValue::Cp(31)));
/// assert_eq!(score.bound(), Some(Bound::Lower));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Score {
    // Two words instead of the three that the plain enum would need: every
    // item of an info line is as large as its largest kind.
    amount: i64,
    unit: Unit,
    bound: Option<Bound>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Nothing,
    Cp,
    Mate,
    Units,
}

/// The value of a [`Score`], from the engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Cp(i64),
    /// Mate in so many moves, not plies; negative if the engine is mated.
    Mate(i64),
    /// UGI: units of the engine's own evaluation.
    Units(Decimal),
}

/// A score that is only a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl Score {
    /// Neither a value nor a bound: where reading a score starts from.
    pub(crate) const NOTHING: Self = Self::exact(0, Unit::Nothing);

    const fn exact(amount: i64, unit: Unit) -> Self {
        Self {
            amount,
            unit,
            bound: None,
        }
    }

    /// An exact score in centipawns.
    pub const fn cp(cp: i64) -> Self {
        Self::exact(cp, Unit::Cp)
    }

    /// Mate in `moves`; negative if the engine is mated.
    pub const fn mate(moves: i64) -> Self {
        Self::exact(moves, Unit::Mate)
    }

    /// An exact UGI score.
    pub const fn units(units: Decimal) -> Self {
        Self::exact(units.to_bits(), Unit::Units)
    }

    /// The value; `None` if only a bound was named.
    pub const fn value(&self) -> Option<ScoreValue> {
        match self.unit {
            Unit::Nothing => None,
            Unit::Cp => Some(ScoreValue::Cp(self.amount)),
            Unit::Mate => Some(ScoreValue::Mate(self.amount)),
            Unit::Units => Some(ScoreValue::Units(Decimal::from_bits(self.amount))),
        }
    }

    /// Whether the value is only a bound.
    pub const fn bound(&self) -> Option<Bound> {
        self.bound
    }

    /// The same score as a bound.
    #[must_use]
    pub const fn with_bound(self, bound: Bound) -> Self {
        Self {
            bound: Some(bound),
            ..self
        }
    }

    /// Moves to mate, whatever form the engine of this dialect chose to say it
    /// in: `mate 3`, Leiserchess' `cp 31995`, UGI's `99999999.000`. Negative
    /// if the engine loses; UGI losses carry no distance and give -1.
    pub fn mate_in(&self, dialect: Dialect) -> Option<i64> {
        match self.value()? {
            ScoreValue::Mate(moves) => Some(moves),
            ScoreValue::Cp(cp)
                if dialect == Dialect::Leiser && cp.unsigned_abs() >= LEISER_MATE as u64 =>
            {
                let plies = (LEISER_WIN - cp.saturating_abs()).max(0);
                Some(if cp > 0 {
                    ((plies + 1) / 2).max(1)
                } else {
                    -(plies / 2).max(1)
                })
            }
            ScoreValue::Units(units) if units.whole() >= UGI_DECIDED => {
                let plies = (UGI_WIN - units.whole()).max(0);
                Some(if plies == 0 { 1 } else { (plies + 3) / 2 })
            }
            ScoreValue::Units(units) if units.whole() <= -UGI_DECIDED => Some(-1),
            _ => None,
        }
    }

    /// The score in centipawns or units, if it is not a mate.
    pub fn to_cp(&self, dialect: Dialect) -> Option<i64> {
        if self.mate_in(dialect).is_some() {
            return None;
        }
        match self.value()? {
            ScoreValue::Cp(cp) => Some(cp),
            ScoreValue::Units(units) => Some(units.whole()),
            ScoreValue::Mate(_) => None,
        }
    }

    /// The words after `score`, in the form of `dialect`.
    pub(crate) fn put(&self, dialect: Dialect, out: &mut Vec<u8>) {
        if dialect == Dialect::Ugi {
            out.push(b' ');
            self.ugi_units().put(out);
            return;
        }
        let bound: &[u8] = match self.bound {
            Some(Bound::Lower) => b" lowerbound",
            Some(Bound::Upper) => b" upperbound",
            None => b"",
        };
        // ULCI's own example puts the bound first, UCI engines put it last.
        if dialect == Dialect::Ulci {
            out.extend_from_slice(bound);
        }
        match self.value() {
            Some(ScoreValue::Mate(moves)) => {
                out.extend_from_slice(b" mate ");
                put_i64(out, moves);
            }
            Some(ScoreValue::Cp(cp)) => {
                out.extend_from_slice(b" cp ");
                put_i64(out, cp);
            }
            Some(ScoreValue::Units(units)) => match self.mate_in(dialect) {
                Some(moves) => {
                    out.extend_from_slice(b" mate ");
                    put_i64(out, moves);
                }
                None => {
                    out.extend_from_slice(b" cp ");
                    put_i64(out, units.whole());
                }
            },
            None => {}
        }
        if dialect != Dialect::Ulci {
            out.extend_from_slice(bound);
        }
    }

    fn ugi_units(&self) -> Decimal {
        match self.value() {
            Some(ScoreValue::Units(units)) => units,
            Some(ScoreValue::Cp(cp)) => Decimal::new(cp.saturating_mul(1000), 3),
            Some(ScoreValue::Mate(moves)) if moves > 0 => {
                let plies = moves
                    .saturating_mul(2)
                    .saturating_sub(3)
                    .clamp(0, UGI_WIN - UGI_DECIDED);
                Decimal::new((UGI_WIN - plies) * 1000, 3)
            }
            Some(ScoreValue::Mate(_)) => Decimal::new(-UGI_WIN * 1000, 3),
            None => Decimal::new(0, 3),
        }
    }
}

/// Chances in permill, from the engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wdl {
    /// Chance of winning.
    pub win: u32,
    /// Chance of a draw.
    pub draw: u32,
    /// Chance of losing.
    pub loss: u32,
}

impl Wdl {
    /// What can be expected, from 0 to 1: the chance of a win and half of that of a
    /// draw. `None` where all three are nothing.
    ///
    /// ```
    /// use quadrille_protocol::Wdl;
    ///
    /// let chances = Wdl { win: 200, draw: 800, loss: 0 };
    /// assert_eq!(chances.expected(), Some(0.6));
    /// assert_eq!(Wdl { win: 0, draw: 0, loss: 0 }.expected(), None);
    /// ```
    pub fn expected(self) -> Option<f64> {
        let [win, draw, loss] = [self.win, self.draw, self.loss].map(f64::from);
        let all = win + draw + loss;
        (all > 0.0).then(|| (win + draw / 2.0) / all)
    }
}

/// Time spent, in the unit in which it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Time {
    /// `time 15`: milliseconds.
    Millis(u64),
    /// Leiserchess' `time (microsec) 36`.
    Micros(u64),
    /// UGI's `time 1.132`: seconds.
    Seconds(Decimal),
}

impl Time {
    /// The time in microseconds.
    pub const fn micros(self) -> u64 {
        match self {
            Self::Millis(ms) => ms.saturating_mul(1000),
            Self::Micros(us) => us,
            Self::Seconds(s) => {
                let micros = s.millionths();
                if micros < 0 { 0 } else { micros as u64 }
            }
        }
    }

    /// The words after `time`, in the form of `dialect`.
    pub(crate) fn put(self, dialect: Dialect, out: &mut Vec<u8>) {
        out.push(b' ');
        match (self, dialect) {
            (Self::Seconds(s), Dialect::Ugi) => s.put(out),
            (_, Dialect::Ugi) => {
                let millis = i64::try_from(self.micros() / 1000).unwrap_or(i64::MAX);
                Decimal::new(millis, 3).put(out);
            }
            (Self::Micros(us), Dialect::Leiser) => {
                out.extend_from_slice(b"(microsec) ");
                put_u64(out, us);
            }
            (Self::Millis(ms), _) => put_u64(out, ms),
            _ => put_u64(out, self.micros() / 1000),
        }
    }
}

/// How full the hash table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum HashFull {
    /// UCI and ULCI: thousandths.
    Permill(u64),
    /// Leiserchess: hundredths.
    Percent(u64),
}

impl HashFull {
    /// Thousandths, whatever was sent.
    pub const fn permill(self) -> u64 {
        match self {
            Self::Permill(n) => n,
            Self::Percent(n) => n.saturating_mul(10),
        }
    }

    pub(crate) fn put(self, dialect: Dialect, out: &mut Vec<u8>) {
        out.push(b' ');
        match (self, dialect) {
            (Self::Percent(n), Dialect::Leiser) => put_u64(out, n),
            (_, Dialect::Leiser) => put_u64(out, self.permill() / 10),
            _ => put_u64(out, self.permill()),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Score", 2)?;
        out.serialize_field("value", &self.value())?;
        out.serialize_field("bound", &self.bound)?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_understood_in_every_form() {
        assert_eq!(Score::mate(-2).mate_in(Dialect::Uci), Some(-2));
        assert_eq!(Score::cp(31_999).mate_in(Dialect::Uci), None);
        assert_eq!(Score::cp(31_999).mate_in(Dialect::Leiser), Some(1));
        assert_eq!(Score::cp(31_997).mate_in(Dialect::Leiser), Some(2));
        assert_eq!(Score::cp(32_000).mate_in(Dialect::Leiser), Some(1));
        assert_eq!(Score::cp(i64::MAX).mate_in(Dialect::Leiser), Some(1));
        assert_eq!(Score::cp(-31_998).mate_in(Dialect::Leiser), Some(-1));
        assert_eq!(Score::cp(i64::MIN).mate_in(Dialect::Leiser), Some(-1));
        let ugi = |whole: i64| Score::units(Decimal::new(whole * 1000, 3)).mate_in(Dialect::Ugi);
        assert_eq!(ugi(100_000_000), Some(1));
        assert_eq!(ugi(99_999_999), Some(2));
        assert_eq!(ugi(99_999_997), Some(3));
        assert_eq!(ugi(-100_000_000), Some(-1));
        assert_eq!(ugi(4511), None);
    }

    #[test]
    fn times_keep_their_microseconds() {
        let seconds = |text: &[u8]| Time::Seconds(Decimal::read(text).unwrap());
        assert_eq!(seconds(b"0.000036").micros(), 36);
        assert_eq!(seconds(b"1.1324567").micros(), 1_132_456);
        assert_eq!(seconds(b"12").micros(), 12_000_000);
        assert_eq!(seconds(b"-0.5").micros(), 0);
        assert_eq!(Time::Millis(15).micros(), 15_000);
        assert_eq!(Time::Millis(u64::MAX).micros(), u64::MAX);
    }

    #[test]
    fn ugi_writes_mates_as_the_reference_does() {
        for moves in 1..200 {
            let units = Score::mate(moves).ugi_units();
            assert_eq!(Score::units(units).mate_in(Dialect::Ugi), Some(moves));
        }
    }
}
