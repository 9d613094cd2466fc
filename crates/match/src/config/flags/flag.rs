//! A flag of a match: what is known about it, and its words in a command line.

use std::str::FromStr;

use quadrille_client::spelling::excerpt;

use super::super::error::ConfigError;
use super::FlagsDraft;

/// The number of words that follow a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    None,
    One,
    /// One, or none.
    Maybe,
    /// Any number, at least one.
    Some,
    /// Any number.
    Any,
}

/// Use of a flag with a match that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Later {
    /// The flag decides which games are played and how.
    Refused,
    /// The flag decides how they are run and what is written.
    Allowed,
    /// The flag is about this command only.
    Aside,
}

/// A flag of a match.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Name without dashes.
    pub name: &'static str,
    /// Other names for it.
    pub also: &'static [&'static str],
    /// The words that follow it, as the help page shows them.
    pub takes: &'static str,
    /// Explanation, in a few words; what a flag of another program would do, and why it does
    /// nothing here, where [`is_ignored`](Self::is_ignored).
    pub help: &'static str,
    /// Key in a TOML file.
    pub key: Option<&'static str>,
    /// Other keys for it.
    other_keys: &'static [&'static str],
    pub(super) values: Values,
    later: Later,
    apply: Option<Apply>,
}

/// Writes what was said into the draft.
type Apply = fn(&mut FlagsDraft, &Given) -> Result<(), ConfigError>;

/// A flag as it stands in a command line.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) flag: &'static Flag,
    pub(super) values: Vec<String>,
}

impl Flag {
    pub(super) const fn new(
        name: &'static str,
        values: Values,
        takes: &'static str,
        help: &'static str,
        apply: Apply,
    ) -> Self {
        Self {
            name,
            also: &[],
            takes,
            help,
            key: Some(name),
            other_keys: &[],
            values,
            later: Later::Refused,
            apply: Some(apply),
        }
    }

    /// A flag of another program that has no meaning here.
    pub(super) const fn ignored(name: &'static str, values: Values, why: &'static str) -> Self {
        Self {
            name,
            also: &[],
            takes: "",
            help: why,
            key: None,
            other_keys: &[],
            values,
            later: Later::Aside,
            apply: None,
        }
    }

    pub(super) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    pub(super) const fn key(self, key: &'static str) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }

    pub(super) const fn other_keys(self, other_keys: &'static [&'static str]) -> Self {
        Self { other_keys, ..self }
    }

    pub(super) const fn not_in_a_file(self) -> Self {
        Self { key: None, ..self }
    }

    pub(super) const fn changeable(self) -> Self {
        Self {
            later: Later::Allowed,
            ..self
        }
    }

    pub(super) const fn aside(self) -> Self {
        Self {
            later: Later::Aside,
            key: None,
            ..self
        }
    }

    /// Returns `true` unless it decides which games are played and how.
    pub(super) const fn may_change(&self) -> bool {
        !matches!(self.later, Later::Refused)
    }

    /// Returns `true` if a match that has begun can be changed with it.
    pub const fn is_changeable(&self) -> bool {
        matches!(self.later, Later::Allowed)
    }

    /// Returns `true` if it is read for the sake of old command lines only.
    pub const fn is_ignored(&self) -> bool {
        self.apply.is_none()
    }

    /// Returns `true` if a key of a file means the same.
    pub fn has_key(&self, key: &str) -> bool {
        self.key == Some(key) || self.other_keys.contains(&key)
    }

    /// Returns `true` if a word is one of its names.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}

impl Given {
    pub(super) fn apply(&self, flags: &mut FlagsDraft) -> Result<(), ConfigError> {
        match self.flag.apply {
            Some(apply) => apply(flags, self),
            None => Ok(()),
        }
    }

    pub(super) fn first(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    pub(super) fn text(&self) -> String {
        self.values.join(" ")
    }

    /// The value as a whole number.
    pub(super) fn whole<T: FromStr>(&self) -> Result<T, ConfigError> {
        value(self.flag.name, self.first(), WHOLE)
    }

    /// The value as a word of a list; its own error says more.
    pub(super) fn word<T: FromStr<Err: core::fmt::Display>>(&self) -> Result<T, ConfigError> {
        word(self.flag.name, self.first())
    }
}

/// Name of a whole number in messages.
pub(super) const WHOLE: &str = "whole number";

/// Reads a value and says whose it was if that fails.
pub(super) fn value<T: FromStr>(name: &str, text: &str, what: &str) -> Result<T, ConfigError> {
    text.parse().map_err(|_| {
        // What is wrong about a number is not that it is none.
        let why = match text.parse::<i128>() {
            Ok(number) if number < 0 => "is below zero".into(),
            Ok(_) => "is too large".into(),
            Err(_) => format!("is not a {what}"),
        };
        ConfigError::new(format!("-{name}: '{}' {why}", excerpt(text)))
    })
}

/// Reads a word of a list.
pub(super) fn word<T: FromStr<Err: core::fmt::Display>>(
    name: &str,
    text: &str,
) -> Result<T, ConfigError> {
    text.parse()
        .map_err(|error| ConfigError::new(format!("-{name}: {error}")))
}

/// Keeps a value that could be read.
pub(super) fn set<T>(
    place: &mut Option<T>,
    value: Result<T, ConfigError>,
) -> Result<(), ConfigError> {
    *place = Some(value?);
    Ok(())
}

/// Keeps a value that cannot be wrong.
#[expect(
    clippy::unnecessary_wraps,
    reason = "rows hold functions that may fail"
)]
pub(super) fn keep<T>(place: &mut Option<T>, value: T) -> Result<(), ConfigError> {
    *place = Some(value);
    Ok(())
}

/// Turns something on.
#[expect(
    clippy::unnecessary_wraps,
    reason = "rows hold functions that may fail"
)]
pub(super) fn on(place: &mut bool) -> Result<(), ConfigError> {
    *place = true;
    Ok(())
}
