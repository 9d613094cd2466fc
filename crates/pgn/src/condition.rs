//! Which games are wanted.

use std::str::FromStr;

use quadrille_games::Game;
use quadrille_games::records::GameResult;

use super::facts::{Facts, Needs};

/// Words that are no condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no {what}: {wanted}")]
pub struct ConditionError {
    /// What was written.
    pub text: String,
    /// What it was taken for.
    pub what: &'static str,
    /// What would be right.
    pub wanted: &'static str,
}

fn error(text: &str, what: &'static str, wanted: &'static str) -> ConditionError {
    ConditionError {
        text: text.into(),
        what,
        wanted,
    }
}

/// Numbers from one to another, both included: `20..40`, `20..`, `..40`, `20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    from: u64,
    to: u64,
}

impl Span {
    fn contains(self, number: u64) -> bool {
        (self.from..=self.to).contains(&number)
    }
}

impl FromStr for Span {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let number = |word: &str, open| match word.trim() {
            "" if text.contains("..") => Some(open),
            word => word.parse().ok(),
        };
        match (number(from, 0), number(to, u64::MAX)) {
            (Some(from), Some(to)) if from <= to => Ok(Self { from, to }),
            _ => Err(error(
                text,
                "span of numbers",
                "write 20, 20..40, 20.. or ..40",
            )),
        }
    }
}

/// A day, a month or a year, as far as it is known.
type Date = Vec<u16>;

fn date(text: &str) -> Option<Date> {
    let known = text
        .split(['.', '-', '/'])
        .map_while(|part| part.parse().ok());
    let date: Date = known.take(3).collect();
    (!date.is_empty()).then_some(date)
}

/// A date as a user writes it: nothing in it may be something else than a number.
fn exact_date(text: &str) -> Option<Date> {
    let parts: Vec<_> = text.split(['.', '-', '/']).collect();
    let known = date(text)?;
    let open = parts.get(known.len()..)?.iter();
    let sound = open.into_iter().all(|part| part.contains('?'))
        && parts.len() <= 3
        && known.get(1).is_none_or(|month| (1..=12).contains(month))
        && known.get(2).is_none_or(|day| (1..=31).contains(day));
    sound.then_some(known)
}

/// Compares what both know.
fn compare_dates(one: &[u16], other: &[u16]) -> std::cmp::Ordering {
    let length = one.len().min(other.len());
    one[..length].cmp(&other[..length])
}

/// Days from one to another, both included: `2020`, `2020.05..2021`, `2019..`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateSpan {
    from: Option<Date>,
    to: Option<Date>,
}

impl DateSpan {
    /// What a game's date leaves open is taken to fit.
    fn contains(&self, text: &str) -> bool {
        let Some(day) = date(text) else {
            return false;
        };
        let after = |from: &Date| compare_dates(&day, from).is_ge();
        let before = |to: &Date| compare_dates(&day, to).is_le();
        self.from.as_ref().is_none_or(after) && self.to.as_ref().is_none_or(before)
    }
}

impl FromStr for DateSpan {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let bound = |word: &str| match word.trim() {
            "" => Some(None),
            word => exact_date(word).map(Some),
        };
        let ordered = |from: &Option<Date>, to: &Option<Date>| match (from, to) {
            (Some(from), Some(to)) => compare_dates(from, to).is_le(),
            (None, None) => false,
            _ => true,
        };
        match (bound(from), bound(to)) {
            (Some(from), Some(to)) if ordered(&from, &to) => Ok(Self { from, to }),
            _ => Err(error(
                text,
                "span of dates",
                "write 2020, 2020.05..2021 or 2019..",
            )),
        }
    }
}

/// Codes of openings: `B90`, `B9`, `B20..C19`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EcoSpan {
    from: String,
    to: String,
}

impl EcoSpan {
    fn contains(&self, code: &str) -> bool {
        let code = code.trim().to_ascii_uppercase();
        let part = |length: usize| code.get(..length.min(code.len())).unwrap_or("");
        !code.is_empty()
            && part(self.from.len()) >= self.from.as_str()
            && part(self.to.len()) <= self.to.as_str()
    }
}

impl FromStr for EcoSpan {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let code = |word: &str| {
            let word = word.trim().to_ascii_uppercase();
            // A letter from A to E and two digits; some add a letter of their own.
            let fits = |(place, c): (usize, char)| match place {
                0 => matches!(c, 'A'..='E'),
                1 | 2 => c.is_ascii_digit(),
                _ => c.is_ascii_alphanumeric(),
            };
            let plain = word.chars().enumerate().all(fits);
            (plain && !word.is_empty() && word.len() <= 4).then_some(word)
        };
        match (code(from), code(to)) {
            // `B20..B` ends with the last of B.
            (Some(from), Some(to)) if from <= to || from.starts_with(&to) => Ok(Self { from, to }),
            _ => Err(error(text, "span of openings", "write B90, B9 or B20..C19")),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    There,
    Equal,
    Unequal,
    Contains,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What a tag must be: `Name`, `Name=x`, `Name!=x`, `Name~part`, `Name>=5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagTest {
    name: String,
    operator: Operator,
    value: String,
}

impl TagTest {
    fn holds(&self, value: Option<&str>) -> bool {
        let Some(value) = value else {
            return self.operator == Operator::Unequal;
        };
        let (one, other) = (value.trim().to_lowercase(), &self.value);
        let order = match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => one.total_cmp(&other),
            _ => one.as_str().cmp(other),
        };
        match self.operator {
            Operator::There => true,
            Operator::Equal => order.is_eq(),
            Operator::Unequal => order.is_ne(),
            Operator::Contains => one.contains(other.as_str()),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl FromStr for TagTest {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let end = text.find(['=', '!', '~', '<', '>']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let operators = [
            ("!=", Operator::Unequal),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("=", Operator::Equal),
            ("~", Operator::Contains),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        let found = operators
            .iter()
            .find_map(|(sign, operator)| Some((*operator, rest.strip_prefix(sign)?)));
        let name = name.trim();
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let found = found.or_else(|| rest.is_empty().then_some((Operator::There, "")));
        match found {
            Some((operator, value)) if plain && !name.is_empty() => Ok(Self {
                name: name.into(),
                operator,
                value: value.trim().to_lowercase(),
            }),
            _ => Err(error(
                text,
                "condition on a tag",
                "write Name, Name=x, Name!=x, Name~part or Name>=5",
            )),
        }
    }
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// One of the players has this in the name.
    Player(String),
    /// White has.
    White(String),
    /// Black has.
    Black(String),
    /// A tag.
    Tag(TagTest),
    /// One of these results.
    Result(Vec<GameResult>),
    /// Both players' Elo.
    Elo(Span),
    /// The date.
    Date(DateSpan),
    /// The code of the opening.
    Eco(EcoSpan),
    /// Half-moves of the main line.
    Plies(Span),
    /// The game's number in its file.
    Number(Span),
    /// Which of the four games.
    Game(Game),
    /// The main line comes through this position.
    Position(String),
    /// The main line begins with these moves.
    Moves(Vec<String>),
}

/// All must hold; or, turned round, not all.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The conditions.
    pub all: Vec<Condition>,
    /// Wanted are the games that do not fulfil them.
    pub inverted: bool,
}

impl Conditions {
    /// Whether moves must be looked at.
    pub fn need_moves(&self) -> bool {
        let moves = |condition: &Condition| {
            matches!(
                condition,
                Condition::Plies(_) | Condition::Position(_) | Condition::Moves(_)
            )
        };
        self.all.iter().any(moves)
    }

    /// What must be known of a game.
    pub(super) fn need(&self, needs: &mut Needs) {
        for condition in &self.all {
            match condition {
                Condition::Player(_) => needs.tags(&["White", "Black"]),
                Condition::White(_) => needs.tags(&["White"]),
                Condition::Black(_) => needs.tags(&["Black"]),
                Condition::Tag(test) => needs.tags(&[&test.name]),
                Condition::Elo(_) => needs.tags(&["WhiteElo", "BlackElo"]),
                Condition::Date(_) => needs.tags(&["Date", "UTCDate"]),
                Condition::Eco(_) => needs.tags(&["ECO"]),
                Condition::Position(text) => needs.positions.push(text.clone()),
                Condition::Moves(moves) => needs.openings.push(moves.clone()),
                Condition::Result(_)
                | Condition::Plies(_)
                | Condition::Number(_)
                | Condition::Game(_) => {}
            }
        }
    }

    /// Whether a game is wanted.
    pub(super) fn hold(&self, facts: &Facts) -> bool {
        let (mut positions, mut openings) = (facts.positions.iter(), facts.openings.iter());
        let mut all = true;
        for condition in &self.all {
            // Positions and openings are counted through, so every condition is asked.
            all &= match condition {
                Condition::Position(_) => positions.next().copied().unwrap_or(false),
                Condition::Moves(_) => openings.next().copied().unwrap_or(false),
                condition => condition.holds(facts),
            };
        }
        all != self.inverted
    }
}

impl Condition {
    fn holds(&self, facts: &Facts) -> bool {
        let has = |name: &str, part: &String| {
            let value = facts.tag(name);
            value.is_some_and(|value| value.to_lowercase().contains(part))
        };
        match self {
            Self::Player(part) => has("White", part) || has("Black", part),
            Self::White(part) => has("White", part),
            Self::Black(part) => has("Black", part),
            Self::Tag(test) => test.holds(facts.tag(&test.name)),
            Self::Result(results) => results.contains(&facts.result),
            Self::Elo(span) => ["WhiteElo", "BlackElo"].iter().all(|name| {
                let elo = facts.tag(name).and_then(|text| text.trim().parse().ok());
                elo.is_some_and(|elo| span.contains(elo))
            }),
            Self::Date(span) => facts.date().is_some_and(|day| span.contains(day)),
            Self::Eco(span) => facts.tag("ECO").is_some_and(|code| span.contains(code)),
            Self::Plies(span) => span.contains(facts.plies),
            Self::Number(span) => span.contains(facts.number),
            Self::Game(game) => facts.game == *game,
            // Answered where the moves are followed.
            Self::Position(_) | Self::Moves(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_hold() {
        let span = |text: &str| text.parse::<Span>().unwrap();
        assert!(span("20..40").contains(20) && span("20..40").contains(40));
        assert!(!span("20..40").contains(41) && span("..5").contains(0));
        assert!(span("7").contains(7) && !span("7").contains(8) && span("7..").contains(99));
        for wrong in ["", "x", "5..3", "1..x", "-1"] {
            let said = wrong.parse::<Span>().unwrap_err().to_string();
            assert!(said.contains("20..40"), "{said}");
        }
        let dates = |text: &str, day: &str| text.parse::<DateSpan>().unwrap().contains(day);
        assert!(dates("2020", "2020.05.17") && !dates("2020", "2021.01.01"));
        assert!(dates("2020.05..2021", "2021.12.31") && !dates("2020.05..2021", "2020.04.30"));
        assert!(dates("2020.05..2021", "2020.??.??") && !dates("2019..", "????.??.??"));
        assert!(dates("..2018", "1857.01.01"));
        assert!("..".parse::<DateSpan>().is_err() && "may".parse::<DateSpan>().is_err());
        let eco = |text: &str, code: &str| text.parse::<EcoSpan>().unwrap().contains(code);
        assert!(eco("B9", "B97") && !eco("B9", "B87") && eco("b20..c19", "C05"));
        assert!(!eco("B20..C19", "C20") && !eco("B", "") && eco("B20..B99", "B99"));
        for wrong in ["B 9", "Z99", "9", "Bx", "C19..B20"] {
            assert!(wrong.parse::<EcoSpan>().is_err(), "{wrong}");
        }
        assert!(eco("B20..B", "B99") && eco("B90A", "B90a"));
        for wrong in ["2020.13", "2020.may", "2020.05.32", "2021..2020", "1.2.3.4"] {
            assert!(wrong.parse::<DateSpan>().is_err(), "{wrong}");
        }
        assert!(dates("2020.??.??", "2020.05.17") && dates("2020-05", "2020.05.17"));
    }

    #[test]
    fn tags_are_compared_as_numbers_where_they_are() {
        let test = |text: &str, value| text.parse::<TagTest>().unwrap().holds(value);
        assert!(test("WhiteElo>=900", Some("1000")) && !test("WhiteElo<900", Some("1000")));
        assert!(test("Event~open", Some("US Open")) && !test("Event=open", Some("US Open")));
        assert!(test("Event = us open", Some("US Open")) && test("Event", Some("")));
        assert!(!test("Event", None) && test("Event!=x", None) && !test("Event~", None));
        assert!(test("Board<=2", Some("2")) && !test("Board>2", Some("2")));
        for wrong in ["", "=x", "A b=c", "Name!x"] {
            assert!(wrong.parse::<TagTest>().is_err(), "{wrong}");
        }
    }
}
