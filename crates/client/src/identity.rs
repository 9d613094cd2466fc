//! Who an engine is, whom it meets, and how it leaves.

use std::fmt;

use quadrille_games::AnyLine;
use serde::{Deserialize, Serialize};

/// What an engine says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// `id name`.
    pub name: Option<String>,
    /// `id author`.
    pub author: Option<String>,
    /// ULCI: the version of the protocol.
    pub version: Option<String>,
    /// ULCI: the letters of the pieces it knows.
    pub pieces: Option<String>,
    /// ULCI: a person sits there.
    pub username: Option<String>,
    /// ULCI: parts of the protocol it supports.
    pub features: Vec<String>,
}

impl Identity {
    /// What a position of Liberty Chess asks of a program that this engine has
    /// not said it can do; a host should not let it play such a position. An
    /// engine that names no version of ULCI is taken to know ordinary chess.
    pub fn lacks(&self, line: &AnyLine) -> Option<String> {
        let AnyLine::Liberty(line) = line else {
            return None;
        };
        let position = line.position();
        let pieces = self.pieces.as_deref().unwrap_or("kqrbnp");
        let unknown = |letter: &char| !pieces.contains(*letter);
        if let Some(letter) = position.piece_letters().chars().find(unknown) {
            return Some(format!("the piece {letter}"));
        }
        if self.version.is_some() {
            return None;
        }
        // Two of the words are in use in other spellings as well.
        let knows = |word: &str| {
            let said = |words: &[&str]| self.features.iter().any(|f| words.contains(&f.as_str()));
            match word {
                "pawnmoves" => said(&["pawnmoves", "pawnconfig"]),
                "multiplekings" => said(&["multiplekings", "multplekings"]),
                word => said(&[word]),
            }
        };
        let lacking = position.features().words().find(|word| !knows(word));
        lacking.map(Into::into)
    }
}

/// Whom an engine plays against, as it is told with `UCI_Opponent`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opponent {
    /// `GM`, `IM`, `FM`, `WGM`, `WIM`.
    pub title: Option<String>,
    /// The rating.
    pub elo: Option<i32>,
    /// Whether it is a person.
    pub human: bool,
    /// The name.
    pub name: String,
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.title.as_deref().unwrap_or("none"))?;
        match self.elo {
            Some(elo) => write!(f, "{elo} ")?,
            None => f.write_str("none ")?,
        }
        let kind = if self.human { "human" } else { "computer" };
        write!(f, "{kind} {}", self.name)
    }
}
