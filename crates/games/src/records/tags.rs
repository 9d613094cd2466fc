//! The tags of a record: the seven everybody needs first, then the others.

use core::fmt;

use super::tag::is_name_char;
use super::text::one_line;
use crate::game::Game;

/// The seven tags of every record, in their order, with the values that stand
/// for "unknown".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Tag pairs in order. The seven of the [`ROSTER`] are always there and always
/// first.
///
/// ```
/// use quadrille_games::records::Tags;
///
/// let mut tags = Tags::default();
/// tags.set("ECO", "C42")?;
/// tags.set("White", "Petrov")?;
/// assert_eq!(tags.get("White"), Some("Petrov"));
/// assert_eq!(tags.iter().next(), Some(("Event", "?")));
/// # Ok::<(), quadrille_games::records::TagError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags {
    pairs: Vec<(String, String)>,
}

/// A tag that a record cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagError {
    /// The name is empty or has blanks, quotes or brackets in it.
    Name(String),
    /// The record itself says what stands in this tag.
    Fixed(&'static str),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name:?} cannot be the name of a tag"),
            Self::Fixed(name) => write!(f, "the tag {name} follows from the record itself"),
        }
    }
}

impl core::error::Error for TagError {}

impl Default for Tags {
    fn default() -> Self {
        let pairs = ROSTER
            .iter()
            .map(|&(name, value)| (name.into(), value.into()));
        Self {
            pairs: pairs.collect(),
        }
    }
}

impl Tags {
    /// The value of a tag; names are exact.
    pub fn get(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|(known, _)| known == name)?;
        Some(&pair.1)
    }

    /// Sets a tag, in its old place if it is there already. Line breaks in the
    /// value become blanks.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if name.is_empty() || !name.chars().all(is_name_char) {
            return Err(TagError::Name(name.into()));
        }
        let value = one_line(value);
        match self.pairs.iter_mut().find(|(known, _)| known == name) {
            Some(pair) => pair.1 = value,
            None => self.pairs.push((name.into(), value)),
        }
        Ok(())
    }

    /// Takes a tag out; one of the [`ROSTER`] becomes unknown instead.
    pub fn remove(&mut self, name: &str) {
        if let Some(&(_, unknown)) = ROSTER.iter().find(|(known, _)| *known == name) {
            if let Some(pair) = self.pairs.iter_mut().find(|(known, _)| known == name) {
                pair.1 = unknown.into();
            }
        } else {
            self.pairs.retain(|(known, _)| known != name);
        }
    }

    /// All pairs in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The game a record with these tags is of.
    pub fn game(&self) -> Game {
        self.get("Variant").map_or(Game::Chess, game_of_variant)
    }
}

/// The game that a `Variant` tag names; everything unknown is some chess.
pub fn game_of_variant(variant: &str) -> Game {
    let word = squeeze(variant);
    match word.as_str() {
        "liberty" | "libertychess" => Game::Liberty,
        "leiser" | "leiserchess" => Game::Leiser,
        "gyges" => Game::Gyges,
        _ => Game::Chess,
    }
}

/// Lower case, letters and digits only.
pub(crate) fn squeeze(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roster_stays_first() {
        let mut tags = Tags::default();
        tags.set("Annotator", "me").unwrap();
        tags.set("Black", "you\nthere").unwrap();
        tags.remove("White");
        let names: Vec<_> = tags.iter().map(|(name, _)| name).collect();
        assert_eq!(names[..7], ROSTER.map(|(name, _)| name));
        assert_eq!(tags.get("Black"), Some("you there"));
        tags.remove("Annotator");
        tags.remove("Black");
        assert_eq!(tags, Tags::default());
    }

    #[test]
    fn names_that_could_not_be_read_back_are_refused() {
        for name in ["", "a b", "a\"", "a]", "[a", "a\n"] {
            assert_eq!(
                Tags::default().set(name, "x"),
                Err(TagError::Name(name.into()))
            );
        }
    }

    #[test]
    fn variants_name_games() {
        assert_eq!(game_of_variant("Liberty Chess"), Game::Liberty);
        assert_eq!(game_of_variant("Leiserchess"), Game::Leiser);
        assert_eq!(game_of_variant("GYGES"), Game::Gyges);
        assert_eq!(game_of_variant("Chess960"), Game::Chess);
    }
}
