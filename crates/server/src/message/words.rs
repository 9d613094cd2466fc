//! Walking along a line.

use core::fmt::Display;
use core::str::FromStr;
use std::borrow::Cow;

use quadrille_net::sanitize::one_line;

use super::Wrong;

/// The words of a line, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    left: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { left: line.trim() }
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.left.split_ascii_whitespace().next()
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.left = self.left.trim_start()[word.len()..].trim_start();
        Some(word)
    }

    /// Everything that is left, with single blanks; `None` if that is nothing.
    pub(super) fn rest(&mut self) -> Option<String> {
        let text = self
            .left
            .split_ascii_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        self.left = "";
        (!text.is_empty()).then_some(text)
    }

    /// Everything that is left, as it stands.
    pub(super) fn text(&mut self) -> &'a str {
        core::mem::take(&mut self.left)
    }

    pub(super) fn value(&mut self, key: &str) -> Result<&'a str, Wrong> {
        self.next()
            .ok_or_else(|| Wrong(format!("{} has no value", one_line(key))))
    }

    /// The value of a key, read as what it is.
    pub(super) fn read<T: FromStr<Err: Display>>(&mut self, key: &str) -> Result<T, Wrong> {
        read(key, self.value(key)?)
    }

    /// The value of a key that has only a few; says which if there is none.
    pub(super) fn one_of<T: FromStr<Err: Display>>(
        &mut self,
        key: &str,
        known: &str,
    ) -> Result<T, Wrong> {
        match self.next() {
            Some(value) => read(key, value),
            None => Err(Wrong(format!("{key} has no value: one of {known}"))),
        }
    }

    /// A value of several words, which has `_` for its blanks.
    pub(super) fn spaced(&mut self, key: &str) -> Result<String, Wrong> {
        Ok(self.value(key)?.replace('_', " "))
    }

    /// `yes`, `no`, or nothing, which is yes: then the next word is one of `keys`.
    pub(super) fn flag(&mut self, key: &str, keys: &[&str]) -> Result<bool, Wrong> {
        match self.peek() {
            None => Ok(true),
            Some(word) if keys.contains(&word) => Ok(true),
            Some(word @ ("yes" | "no")) => {
                self.next();
                Ok(word == "yes")
            }
            Some(word) => {
                let word = quadrille_net::sanitize::cut(word, 40);
                Err(Wrong(format!("{key} {word}: not one of yes no")))
            }
        }
    }
}

/// A value, read as what it is.
pub(super) fn read<T: FromStr<Err: Display>>(key: &str, value: &str) -> Result<T, Wrong> {
    value.parse().map_err(|error: T::Err| {
        let (key, value) = (one_line(key), quadrille_net::sanitize::cut(value, 40));
        Wrong(format!("{key} {value}: {error}"))
    })
}

/// A text of several words as one.
pub(super) fn joined(text: &str) -> String {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    match words.join("_") {
        none if none.is_empty() => "_".into(),
        word => one_line(&word).into_owned(),
    }
}

/// A text at the end of a line: it ends no line and moves no cursor.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    one_line(text.trim())
}

/// `yes` or `no`.
pub(super) const fn yes(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}
