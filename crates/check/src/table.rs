//! Every check there is: one row each, with its rule and how to keep it.
//!
//! A row says what is judged; the conversation that shows it is a
//! probe, and many rows share one.

mod answers;
mod asking;
mod extras;
mod hello;
mod host;
mod input;
mod search;

use quadrille_protocol::{Dialect, Severity};

use super::report::{Clause, Role};

/// A set of dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialects(u8);

impl Dialects {
    /// All four.
    pub const ALL: Self = Self(0b1111);
    /// UCI alone.
    pub const UCI: Self = Self(0b0001);
    /// ULCI alone.
    pub const ULCI: Self = Self(0b0010);
    /// Leiserchess UCI alone.
    pub const LEISER: Self = Self(0b0100);
    /// UGI alone.
    pub const UGI: Self = Self(0b1000);
    /// The three that are spoken in the words of UCI.
    pub const UCI_LIKE: Self = Self(0b0111);
    /// Those of chess on boards with kings: UCI and ULCI.
    pub const CHESS_LIKE: Self = Self(0b0011);
    /// Those that ponder: UCI and Leiserchess.
    pub const PONDERING: Self = Self(0b0101);

    /// Whether a dialect is one of them.
    pub const fn has(self, dialect: Dialect) -> bool {
        let bit = match dialect {
            Dialect::Uci => Self::UCI,
            Dialect::Ulci => Self::ULCI,
            Dialect::Leiser => Self::LEISER,
            Dialect::Ugi => Self::UGI,
        };
        self.0 & bit.0 != 0
    }

    /// Which ones.
    pub fn list(self) -> impl Iterator<Item = Dialect> {
        Dialect::ALL
            .into_iter()
            .filter(move |&dialect| self.has(dialect))
    }
}

/// Whose document a rule stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// That of the dialect that is spoken.
    Own,
    /// That of UCI, from which the others come; they are silent about it.
    Uci,
    /// Our own page about the four dialects, where it tells what programs do.
    Practice,
}

/// A check: a rule, and what is known about it before anything is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// The stable name. It never changes: scripts rely on it.
    pub id: &'static str,
    /// The conversation that shows it.
    pub(crate) probe: &'static str,
    /// How bad it is to fail.
    pub severity: Severity,
    /// Where the rule holds.
    pub dialects: Dialects,
    pub(crate) source: Source,
    /// The section or command of the document.
    pub section: &'static str,
    /// What it says, in our words.
    pub says: &'static str,
    /// What is asked of the program.
    pub title: &'static str,
    /// How to mend it.
    pub hint: &'static str,
}

impl Check {
    /// The part of the name before the dot.
    pub fn group(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(group, _)| group)
    }

    /// Which side of the conversation it is about.
    pub fn role(&self) -> Role {
        if self.id.starts_with("host.") {
            Role::Host
        } else {
            Role::Engine
        }
    }

    /// Where the rule stands for a dialect.
    pub fn clause(&self, dialect: Dialect) -> Clause {
        Clause {
            document: document(self.source, dialect).into(),
            section: self.section.into(),
            says: self.says.into(),
        }
    }
}

const fn document(source: Source, dialect: Dialect) -> &'static str {
    match (source, dialect) {
        (Source::Practice, _) => "Quadrille, docs/conformance.md",
        (Source::Uci, _) | (_, Dialect::Uci) => "UCI, April 2006",
        (_, Dialect::Ulci) => "ULCI, version 1",
        (_, Dialect::Leiser) => "Leiserchess UCI",
        (_, Dialect::Ugi) => "UGI, November 2023",
    }
}

/// Rows of a table: probe, then for each check its id, severity, dialects,
/// source, section, rule, title and hint.
macro_rules! rows {
    ($name:ident: $($probe:literal {
        $($id:literal $severity:ident $dialects:ident $source:ident $section:literal $says:literal
          => $title:literal, $hint:literal;)+
    })+) => {
        pub(super) const $name: &[super::Check] = &[$($(super::Check {
            id: $id,
            probe: $probe,
            severity: quadrille_protocol::Severity::$severity,
            dialects: super::Dialects::$dialects,
            source: super::Source::$source,
            section: $section,
            says: $says,
            title: $title,
            hint: $hint,
        },)+)+];
    };
}
use rows;

const TABLES: [&[Check]; 7] = [
    hello::ROWS,
    asking::ROWS,
    search::ROWS,
    answers::ROWS,
    input::ROWS,
    extras::ROWS,
    host::ROWS,
];

/// All checks of engines and of hosts, in the order of reports.
pub fn all() -> impl Iterator<Item = &'static Check> {
    TABLES.into_iter().flatten()
}

/// The checks of one side in one dialect.
pub fn of(role: Role, dialect: Dialect) -> impl Iterator<Item = &'static Check> {
    all().filter(move |check| check.role() == role && check.dialects.has(dialect))
}

/// The check with this name.
pub fn find(id: &str) -> Option<&'static Check> {
    all().find(|check| check.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for check in all() {
            assert!(seen.insert(check.id), "{} is there twice", check.id);
            let well = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            let (group, rest) = check.id.split_once('.').expect(check.id);
            assert!(
                group.chars().all(well) && rest.chars().all(well),
                "{}",
                check.id
            );
            assert!(check.dialects.list().count() > 0, "{}", check.id);
        }
    }

    #[test]
    fn every_row_says_what_it_rests_on_and_how_to_mend_it() {
        for check in all() {
            for text in [check.section, check.says, check.title, check.hint] {
                assert!(
                    text.len() > 1 && text.trim() == text,
                    "{}: {text}",
                    check.id
                );
            }
            assert!(!check.title.ends_with('.'), "{}", check.id);
        }
    }

    #[test]
    fn there_are_many() {
        let engines = all().filter(|check| check.role() == Role::Engine).count();
        assert!(engines >= 150, "{engines}");
        let hosts = all().filter(|check| check.role() == Role::Host).count();
        assert!(hosts >= 12, "{hosts}");
    }
}
