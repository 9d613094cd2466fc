//! What games are put in order, counted and split by.

use std::str::FromStr;

use quadrille_games::Game;

use super::facts::{Facts, Needs};

/// Something that a game has one of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// The day.
    Date,
    /// The year.
    Year,
    /// The mean of the players' Elo.
    Elo,
    /// The result.
    Result,
    /// Half-moves of the main line.
    Plies,
    /// Which of the four games.
    Game,
    /// A tag.
    Tag(String),
}

/// A word that names no field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is nothing that games have: take date, year, white, black, event, site, round, eco, \
     elo, result, plies, game, or a tag by its name (Board)"
)]
pub struct FieldError(String);

impl FromStr for Field {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        Ok(match text {
            "date" => Self::Date,
            "year" => Self::Year,
            "elo" => Self::Elo,
            "result" => Self::Result,
            "plies" => Self::Plies,
            "game" => Self::Game,
            "eco" => Self::Tag("ECO".into()),
            "white" => Self::Tag("White".into()),
            "black" => Self::Tag("Black".into()),
            "event" => Self::Tag("Event".into()),
            "site" => Self::Tag("Site".into()),
            "round" => Self::Tag("Round".into()),
            // Tags begin with a capital letter; a small one is a slip.
            name if name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') =>
            {
                Self::Tag(name.into())
            }
            _ => return Err(FieldError(text.into())),
        })
    }
}

/// The value of a field.
enum Value {
    Number(u64),
    Text(String),
}

impl Field {
    /// Whether moves must be followed for it.
    pub fn needs_moves(&self) -> bool {
        *self == Self::Plies
    }

    pub(super) fn need(&self, needs: &mut Needs) {
        match self {
            Self::Date | Self::Year => needs.tags(&["Date", "UTCDate"]),
            Self::Elo => needs.tags(&["WhiteElo", "BlackElo"]),
            Self::Tag(name) => needs.tags(&[name]),
            Self::Result | Self::Plies | Self::Game => {}
        }
    }

    fn value(&self, facts: &Facts) -> Option<Value> {
        let number = |text: &str| text.trim().parse().ok();
        let text = match self {
            Self::Date => facts.date()?.to_owned(),
            Self::Year => return number(facts.date()?.get(..4)?).map(Value::Number),
            Self::Elo => {
                let elo = |name| facts.tag(name).and_then(number);
                let sum: u64 = elo("WhiteElo")? + elo("BlackElo")?;
                return Some(Value::Number(sum / 2));
            }
            Self::Result => facts.result.word().into(),
            Self::Plies => return Some(Value::Number(facts.plies)),
            Self::Game => {
                let place = Game::ALL.iter().position(|game| *game == facts.game)?;
                return Some(Value::Text(Game::ALL[place].name().into()));
            }
            Self::Tag(name) => facts
                .tag(name)
                .filter(|v| !v.is_empty() && *v != "?")?
                .into(),
        };
        Some(number(&text).map_or(Value::Text(text), Value::Number))
    }

    /// For people, and for the names of files.
    pub(super) fn text(&self, facts: &Facts) -> String {
        match self.value(facts) {
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Text(text)) => text,
            None => String::new(),
        }
    }

    /// Bytes that are in the order of the values: what is not known comes last,
    /// numbers come before texts.
    pub(super) fn key(&self, facts: &Facts, descending: bool, out: &mut Vec<u8>) {
        let mut bytes = Vec::new();
        match self.value(facts) {
            Some(Value::Number(number)) => {
                bytes.push(0);
                bytes.extend_from_slice(&number.to_be_bytes());
            }
            Some(Value::Text(text)) => {
                bytes.push(1);
                // The end is before everything that could follow it.
                let lower = text.to_lowercase();
                bytes.extend(lower.bytes().map(|b| b.max(1)));
                bytes.push(0);
            }
            None => return out.push(1),
        }
        out.push(0);
        out.extend(bytes.iter().map(|b| if descending { !b } else { *b }));
    }
}

/// A field to sort by: `date`, or `-date` with the latest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortField {
    /// The field.
    pub field: Field,
    /// The greatest first.
    pub descending: bool,
}

impl FromStr for SortField {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        let name = text.strip_prefix('-');
        Ok(Self {
            descending: name.is_some(),
            field: name.unwrap_or(text).parse()?,
        })
    }
}
