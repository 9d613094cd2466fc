//! Files with one opening on a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use quadrille_games::chess::{Chess, Epd};
use quadrille_games::{AnyLine, Game, Position, files};

use super::{Opening, OpeningError, playable, shuffle};
use crate::config::OpeningOrder;

/// The longest line: a full Liberty Chess board of 256x256 has a third of it.
const LONGEST_LINE: u64 = 1 << 20;
/// More lines than any file of openings has; the index of so many would take
/// 3 GiB.
const MOST_LINES: usize = 200_000_000;

/// What stands on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// A chess position with operations.
    Epd,
    /// A position of any game.
    Position,
    /// Moves, before them perhaps a position and a semicolon.
    Moves,
}

/// A file of which only the places of its lines are kept.
#[derive(Debug)]
pub(super) struct LineList {
    path: PathBuf,
    file: Mutex<File>,
    reading: Reading,
    /// Offset and number of each line that is not blank.
    places: Vec<(u64, u32)>,
}

impl LineList {
    pub(super) fn read(path: &Path, reading: Reading) -> Result<Self, OpeningError> {
        let unreadable = |error: io::Error| OpeningError::unreadable(path, &error);
        let file = files::open(path).map_err(unreadable)?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut places = Vec::new();
        let mut line = Vec::new();
        let (mut offset, mut number) = (0, 0u32);
        loop {
            line.clear();
            let limited = (&mut reader)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line);
            let length = limited.map_err(unreadable)? as u64;
            if length == 0 {
                break;
            }
            number = number.saturating_add(1);
            let problem = if length == LONGEST_LINE && line.last() != Some(&b'\n') {
                Some("this line is longer than any opening")
            } else if places.len() >= MOST_LINES {
                Some("there are too many lines in this file")
            } else {
                None
            };
            if let Some(problem) = problem {
                return Err(OpeningError::new(problem).at(path, Some(number.into())));
            }
            let text = line.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                places.push((offset, number));
            }
            offset += length;
        }
        Ok(Self {
            path: path.into(),
            file: Mutex::new(reader.into_inner()),
            reading,
            places,
        })
    }

    pub(super) fn ordered(mut self, order: OpeningOrder, seed: u64) -> Self {
        shuffle(&mut self.places, order, seed);
        self
    }

    pub(super) fn len(&self) -> u64 {
        self.places.len() as u64
    }

    pub(super) fn opening(
        &self,
        index: u64,
        game: Game,
        rules: &str,
        plies: Option<u32>,
    ) -> Result<Opening, OpeningError> {
        let place = index % self.len().max(1);
        let Some(&(offset, number)) = self.places.get(place as usize) else {
            return Err(OpeningError::new("there is no opening in this file"));
        };
        let here = |error: OpeningError| error.at(&self.path, Some(number.into()));
        let text = self.line(offset).map_err(here)?;
        if is_tag(&text) {
            let message = "this is a record of games (PGN): write format=pgn";
            return Err(here(OpeningError::new(message)));
        }
        let label = format!("{}:{number}", self.path.display());
        let (line, label) = match self.reading {
            Reading::Epd => epd(&text, rules, label).map_err(here)?,
            Reading::Position => (position(&text, game, rules).map_err(here)?, label),
            Reading::Moves => (moves(&text, game, rules, plies).map_err(here)?, label),
        };
        playable(&line).map_err(here)?;
        Ok(Opening { line, label })
    }

    fn line(&self, offset: u64) -> Result<String, OpeningError> {
        let mut bytes = Vec::new();
        let read = {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(offset)).and_then(|_| {
                // A small window is enough for nearly every line.
                BufReader::with_capacity(512, (&mut *file).take(LONGEST_LINE))
                    .read_until(b'\n', &mut bytes)
            })
        };
        read.map_err(|error| OpeningError::new(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| OpeningError::new("this is not UTF-8"))?;
        // The mark that some editors put at the beginning of a file.
        Ok(text.trim_start_matches('\u{feff}').trim().to_owned())
    }
}

/// Whether this is a line such as `[Event "Match"]`, which only records of games have.
fn is_tag(text: &str) -> bool {
    text.starts_with('[') && text.ends_with("\"]")
}

/// A chess position; its `id` makes a better label than the line.
fn epd(text: &str, rules: &str, label: String) -> Result<(AnyLine, String), OpeningError> {
    let rules = Chess::rules_from_text(rules).map_err(OpeningError::new)?;
    let epd = Epd::parse(text, &rules).map_err(OpeningError::new)?;
    let id = epd.operands("id").and_then(|operands| operands.first());
    let label = match id.map(|id| id.as_str().trim()) {
        Some(id) if !id.is_empty() => format!("{id} ({label})"),
        _ => label,
    };
    let text = epd.position.text();
    let words = Chess::rules_text(&epd.position.rules());
    let line = AnyLine::new(Game::Chess, &words, &text).map_err(OpeningError::new)?;
    Ok((line, label))
}

/// A position of any game. Lines copied out of a conversation keep the words
/// of their command.
fn position(text: &str, game: Game, rules: &str) -> Result<AnyLine, OpeningError> {
    let mut text = text;
    for command in ["position ", "setpos ", "fen ", "data "] {
        text = text.strip_prefix(command).unwrap_or(text).trim_start();
    }
    AnyLine::new(game, rules, text).map_err(OpeningError::new)
}

/// Moves as engines or as people write them.
fn moves(text: &str, game: Game, rules: &str, plies: Option<u32>) -> Result<AnyLine, OpeningError> {
    let (start, moves) = text.rsplit_once(';').unwrap_or(("", text));
    let mut line = position(start.trim(), game, rules)?;
    let most = plies.map_or(usize::MAX, |plies| plies as usize);
    let words = moves.split_whitespace().map(without_number);
    for word in words.filter(|word| !word.is_empty()).take(most) {
        let found = line.parse_notation(word);
        found
            .and_then(|m| line.push(m))
            .map_err(|error| OpeningError::new(format!("ply {}: {error}", line.plies() + 1)))?;
    }
    Ok(line)
}

/// A move without the number that may stand before it: `1.e4`, `12...`. Only a
/// dot makes a number of digits, for moves of Gyges begin with digits too.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}
