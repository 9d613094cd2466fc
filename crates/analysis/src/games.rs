//! A file of games as a list, each with the bytes it is made of.

use std::sync::Arc;

use quadrille_games::Game;
use quadrille_games::records::{GameSpan, Spans};

/// The games of a file. Cheap to copy: the bytes are shared.
#[derive(Debug, Clone)]
pub struct Games {
    bytes: Arc<[u8]>,
    list: Arc<[GameSpan]>,
    /// Games and lines of the file before these.
    before: (u64, u64),
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameText<'a> {
    /// From 1.
    pub(super) number: u64,
    /// Where it begins in the file, from 1.
    pub(super) line: u64,
    /// What its tags say it is.
    pub(super) game: Game,
    /// From its first tag or move to the next game.
    pub(super) bytes: &'a [u8],
}

impl Games {
    /// Finds the games in a text. Nothing is checked yet: what is wrong with a
    /// game is said when it is analysed.
    pub fn read(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes: Arc<[u8]> = bytes.into();
        let mut spans = Spans::new(&bytes[..]);
        let mut list = Vec::new();
        // Reading from memory cannot fail.
        while let Ok(Some(span)) = spans.next_span() {
            list.push(span);
            spans.take_strays();
        }
        Self {
            bytes,
            list: list.into(),
            before: (0, 0),
        }
    }

    /// One game of a file that was cut elsewhere: its number and line there, from 1.
    pub fn one_of(bytes: impl Into<Arc<[u8]>>, number: u64, line: u64) -> Self {
        let games = Self::read(bytes);
        let begins = games.list.first().map_or(1, |place| place.line);
        Self {
            before: (number.saturating_sub(1), line.saturating_sub(begins)),
            ..games
        }
    }

    /// The line of the file in which a game begins, from 1; games are counted
    /// from 0.
    pub fn line(&self, index: usize) -> Option<u64> {
        Some(self.get(index)?.line)
    }

    /// What a game is, as its tags say.
    pub fn game(&self, index: usize) -> Option<Game> {
        Some(self.get(index)?.game)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The bytes of a game, counted from 0.
    pub fn bytes(&self, index: usize) -> Option<&[u8]> {
        Some(self.get(index)?.bytes)
    }

    fn bytes_of(&self, span: &GameSpan) -> Option<&[u8]> {
        let place = |offset| {
            usize::try_from(offset).map_or(self.bytes.len(), |at| at.min(self.bytes.len()))
        };
        self.bytes
            .get(place(span.bytes.start)..place(span.bytes.end))
    }

    pub(super) fn get(&self, index: usize) -> Option<GameText<'_>> {
        let place = self.list.get(index)?;
        Some(GameText {
            number: index as u64 + 1 + self.before.0,
            line: place.line + self.before.1,
            game: place.game,
            bytes: self.bytes_of(place)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_where_games_begin() {
        let file = "\u{feff}odd words\n\n[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\
                    [Variant \"Gyges\"]\n\n1. x y z ;odd\n*\n\n% hidden\n1. d4 1-0\nrest\n";
        let games = Games::read(file.as_bytes());
        let texts: Vec<&str> = (0..games.len())
            .map(|i| std::str::from_utf8(games.bytes(i).unwrap()).unwrap())
            .collect();
        assert_eq!(texts.len(), 3);
        assert!(texts[0].starts_with("[White \"a\"]"));
        assert!(texts[1].ends_with("*\n\n% hidden\n"));
        assert_eq!(texts[2], "1. d4 1-0\nrest\n");
        let kinds: Vec<Game> = (0..3).map(|i| games.get(i).unwrap().game).collect();
        assert_eq!(kinds, [Game::Chess, Game::Gyges, Game::Chess]);
        let lines: Vec<u64> = (0..3).map(|i| games.get(i).unwrap().line).collect();
        assert_eq!(lines, [3, 7, 14]);
        let second = Games::one_of(games.bytes(1).unwrap().to_vec(), 2, 7);
        let (one, two) = (games.get(1).unwrap(), second.get(0).unwrap());
        assert_eq!(
            (one.number, one.line, one.game),
            (two.number, two.line, two.game)
        );
        let whole = texts.concat();
        assert!(
            file.ends_with(&whole),
            "nothing behind the first game is lost"
        );
        assert!(Games::read(&b""[..]).is_empty());
    }
}
