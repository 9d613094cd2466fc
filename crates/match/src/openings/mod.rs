//! Where games start.
//!
//! [`Openings`] gives opening number `i` of a match, the same one for the same
//! description and the same seed on every machine and after every resumption.
//! Whatever the source, an [`Opening`] is a line of play: a start position and
//! moves that were checked on a board before it is handed out.
//!
//! Files of positions stay on disk: of each line only its place is kept. Of
//! games only the moves that are played are kept.
//!
//! ```
//! use quadrille_games::Game;
//! use quadrille_match::config::{OpeningFormat, OpeningSource};
//! use quadrille_match::openings::Openings;
//!
//! let source = OpeningSource {
//!     format: OpeningFormat::Chess960,
//!     ..OpeningSource::default()
//! };
//! let openings = Openings::load(&source, Game::Chess, "", 42)?;
//! let first = openings.opening(0)?;
//! assert!(first.label.starts_with("chess960 "));
//! assert_eq!(first.label, openings.opening(0)?.label);
//! assert_eq!(first.line.plies(), 0);
//! # Ok::<(), quadrille_match::openings::OpeningError>(())
//! ```

mod book;
mod games;
mod lines;

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game, Position};

use crate::config::{OpeningFormat, OpeningOrder, OpeningSource, write_place};
use book::PolyglotBook;
use games::GameList;
use lines::{LineList, Reading};

/// Openings that are checked before the first game begins.
const CHECKED: u64 = 100_000;
/// How often random moves are drawn again when they end a game.
const ATTEMPTS: u64 = 200;
/// Book moves where the user names no number.
const BOOK_PLIES: u32 = 16;

/// Where a game starts.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The start position with the moves that are played before the engines
    /// begin.
    pub line: AnyLine,
    /// Where it comes from, for people.
    pub label: String,
}

impl PartialEq for Opening {
    fn eq(&self, other: &Self) -> bool {
        let (line, others) = (&self.line, &other.line);
        self.label == other.label
            && line.game() == others.game()
            && line.rules_text() == others.rules_text()
            && line.start_text() == others.start_text()
            && line.keys() == others.keys()
    }
}

/// The start position of a game, with nothing played.
fn start_line(game: Game, rules: &str) -> Result<AnyLine, OpeningError> {
    AnyLine::new(game, rules, "")
        .map_err(|error| OpeningError::new(format!("rules '{rules}': {error}")))
}

/// An opening that cannot be used, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningError {
    /// The file, if it came from one.
    pub file: Option<PathBuf>,
    /// The line in that file, counted from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
}

impl OpeningError {
    fn new(message: impl fmt::Display) -> Self {
        Self {
            file: None,
            line: None,
            message: message.to_string(),
        }
    }

    fn at(mut self, file: &Path, line: Option<u64>) -> Self {
        self.file = Some(file.into());
        self.line = line;
        self
    }

    fn unreadable(file: &Path, error: &io::Error) -> Self {
        Self::new(format!("cannot be read: {error}")).at(file, None)
    }
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, self.file.as_deref(), self.line)?;
        f.write_str(&self.message)
    }
}

impl core::error::Error for OpeningError {}

/// All openings of a match. Copies share what was read.
#[derive(Debug, Clone)]
pub struct Openings {
    game: Game,
    rules: String,
    seed: u64,
    /// How many are passed over at the beginning.
    skipped: u64,
    plies: Option<u32>,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Start,
    Lines(Arc<LineList>),
    Games(Arc<GameList>),
    Book(Arc<PolyglotBook>),
    Random,
    Chess960,
    Double960,
    GygesRows,
}

impl Openings {
    /// Reads a source. The openings that come first are checked at once, so
    /// that a mistake in a file is known before the first game.
    pub fn load(
        source: &OpeningSource,
        game: Game,
        rules: &str,
        seed: u64,
    ) -> Result<Self, OpeningError> {
        let file = source.file.as_deref();
        let missing = || OpeningError::new("openings of this kind need a file");
        let lines = |reading| {
            let list = LineList::read(file.ok_or_else(missing)?, reading)?;
            Ok(Source::Lines(Arc::new(list.ordered(source.order, seed))))
        };
        let kind = match source.format {
            OpeningFormat::Start => Source::Start,
            OpeningFormat::Epd => lines(Reading::Epd)?,
            OpeningFormat::Fen => lines(Reading::Position)?,
            OpeningFormat::Moves => lines(Reading::Moves)?,
            OpeningFormat::Pgn => {
                let path = file.ok_or_else(missing)?;
                let list = GameList::read(path, game, rules, source.plies)?;
                Source::Games(Arc::new(list.ordered(source.order, seed)))
            }
            OpeningFormat::Polyglot => {
                let book = PolyglotBook::open(file.ok_or_else(missing)?)?;
                Source::Book(Arc::new(book))
            }
            OpeningFormat::Random => Source::Random,
            OpeningFormat::Chess960 => Source::Chess960,
            OpeningFormat::Double960 => Source::Double960,
            OpeningFormat::GygesRows => Source::GygesRows,
        };
        let openings = Self {
            game,
            rules: rules.into(),
            seed,
            skipped: source.start.saturating_sub(1),
            plies: source.plies,
            source: kind,
        };
        openings.check_game()?;
        match openings.distinct() {
            Some(0) => {
                let error = OpeningError::new(match openings.source {
                    Source::Games(_) => {
                        "there is no opening in this file; if it holds positions, write format=epd or fen"
                    }
                    _ => "there is no opening in this file",
                });
                return Err(file.map_or_else(|| error.clone(), |file| error.clone().at(file, None)));
            }
            Some(number) if openings.skipped >= number => {
                let message = format!(
                    "start={} is beyond the last opening, {number}",
                    source.start
                );
                let error = OpeningError::new(message);
                return Err(file.map_or_else(|| error.clone(), |file| error.clone().at(file, None)));
            }
            Some(number) => openings.check(number.min(CHECKED))?,
            None => openings.check(1)?,
        }
        Ok(openings)
    }

    fn check_game(&self) -> Result<(), OpeningError> {
        let only = match self.source {
            Source::Book(_) | Source::Chess960 | Source::Double960 => Game::Chess,
            Source::GygesRows => Game::Gyges,
            _ => return Ok(()),
        };
        if only == self.game {
            return Ok(());
        }
        let message = format!("these openings are of {only}, but {} is played", self.game);
        Err(OpeningError::new(message))
    }

    /// How many different openings a file has; `None` if they are drawn by lot.
    pub fn distinct(&self) -> Option<u64> {
        match &self.source {
            Source::Start => Some(1),
            Source::Lines(list) => Some(list.len()),
            Source::Games(list) => Some(list.len()),
            _ => None,
        }
    }

    /// Checks the first openings of the match.
    pub fn check(&self, number: u64) -> Result<(), OpeningError> {
        (0..number).try_for_each(|index| self.opening(index).map(drop))
    }

    /// Opening `index` of the match, counted from 0. After the last opening of
    /// a file comes the first one again.
    pub fn opening(&self, index: u64) -> Result<Opening, OpeningError> {
        let number = index.wrapping_add(self.skipped);
        match &self.source {
            Source::Start => Ok(Opening {
                line: start_line(self.game, &self.rules)?,
                label: "start position".into(),
            }),
            Source::Lines(list) => list.opening(number, self.game, &self.rules, self.plies),
            Source::Games(list) => list.opening(number),
            Source::Book(book) => {
                let lot = SplitMix64::of(self.seed, number);
                let plies = self.plies.unwrap_or(BOOK_PLIES);
                book.walk(&self.rules, plies, lot, number)
            }
            Source::Random => self.random(number),
            Source::Chess960 => {
                let start = SplitMix64::of(self.seed, number).below(960) as u16;
                self.chess(start, start, format!("chess960 {start}"))
            }
            Source::Double960 => {
                let mut lot = SplitMix64::of(self.seed, number);
                let (white, black) = (lot.below(960) as u16, lot.below(960) as u16);
                self.chess(white, black, format!("dfrc {white} {black}"))
            }
            Source::GygesRows => self.gyges_rows(number),
        }
    }

    fn chess(&self, white: u16, black: u16, label: String) -> Result<Opening, OpeningError> {
        let start = Chess::double_chess960(white, black)
            .ok_or_else(|| OpeningError::new("no such start"))?;
        let line = AnyLine::new(self.game, "chess960", &start.text());
        let mut line = line.map_err(|error| OpeningError::new(format!("{label}: {error}")))?;
        if self.plies.is_some() {
            // A few random moves on top, if the user asks for plies.
            let lot = SplitMix64::of(!self.seed, u64::from(white) << 16 | u64::from(black));
            self.random_moves(&mut line, lot);
        }
        Ok(Opening { line, label })
    }

    fn gyges_rows(&self, number: u64) -> Result<Opening, OpeningError> {
        let start = SplitMix64::of(self.seed, number).below(Gyges::STARTS as u64);
        let label = format!("rows {start}");
        let error = |why: &dyn fmt::Display| OpeningError::new(format!("{label}: {why}"));
        let rules = Gyges::rules_from_text(&self.rules).map_err(|e| error(&e))?;
        let position = Gyges::start_numbered(start as usize, &rules);
        let text = position.ok_or_else(|| error(&"no such start"))?.text();
        let line = AnyLine::new(self.game, &self.rules, &text).map_err(|e| error(&e))?;
        Ok(Opening { line, label })
    }

    fn random(&self, number: u64) -> Result<Opening, OpeningError> {
        let start = start_line(self.game, &self.rules)?;
        for attempt in 0..ATTEMPTS {
            let mut line = start.clone();
            let lot = SplitMix64::of(self.seed ^ attempt.rotate_right(8), number);
            if self.random_moves(&mut line, lot) {
                let label = format!("random {}", number + 1);
                return Ok(Opening { line, label });
            }
        }
        Err(OpeningError::new(format!(
            "{} random plies of {} nearly always end the game; ask for fewer",
            self.plies.unwrap_or(0),
            self.game
        )))
    }

    /// Plays random moves; `false` if they ended the game.
    fn random_moves(&self, line: &mut AnyLine, mut lot: SplitMix64) -> bool {
        /// Moves to choose from on boards that have more than fit into memory.
        const MOST: usize = 4096;
        for _ in 0..self.plies.unwrap_or(0) {
            let mut moves = line.legal(MOST);
            if line.outcome_with_claims().is_some() || moves.is_empty() {
                return false;
            }
            let chosen = moves.swap_remove(lot.below(moves.len() as u64) as usize);
            if line.push(chosen).is_err() {
                return false;
            }
        }
        line.outcome_with_claims().is_none() && line.legal_move_count() > 0
    }
}

/// Refuses an opening after which there is nothing left to play.
fn playable(line: &AnyLine) -> Result<(), OpeningError> {
    match line.outcome_with_claims() {
        None => Ok(()),
        Some(outcome) => Err(OpeningError::new(format!(
            "the game is already over: {outcome}"
        ))),
    }
}

/// The order of a file: as it stands, or shuffled.
fn shuffle<T>(list: &mut [T], order: OpeningOrder, seed: u64) {
    if order == OpeningOrder::Random {
        SplitMix64::of(seed, u64::MAX).shuffle(list);
    }
}
