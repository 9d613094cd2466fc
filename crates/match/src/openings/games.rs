//! Openings from files of games.

use core::fmt;
use core::ops::ControlFlow;
use std::path::{Path, PathBuf};

use quadrille_games::records::{Diagnostic, Reader, Severity, Visitor};
use quadrille_games::{AnyLine, Game, Position, files, match_game};

use super::{Opening, OpeningError, playable, shuffle};
use crate::config::OpeningOrder;

/// Texts of openings that are held at most.
const MOST_BYTES: usize = 512 << 20;

/// The beginnings of games, as texts one behind the other.
#[derive(Debug)]
pub(super) struct GameList {
    path: PathBuf,
    game: Game,
    /// Rules, start and moves of each opening, on a line of each.
    text: String,
    /// Where each opening begins and ends in the text, and its number in the
    /// file.
    places: Vec<(u32, u32, u32)>,
}

impl GameList {
    pub(super) fn read(
        path: &Path,
        game: Game,
        rules: &str,
        plies: Option<u32>,
    ) -> Result<Self, OpeningError> {
        let mut list = Self {
            path: path.into(),
            game,
            text: String::new(),
            places: Vec::new(),
        };
        match_game!(game, P => list.fill::<P>(rules, plies))?;
        Ok(list)
    }

    fn fill<P: Position>(&mut self, rules: &str, plies: Option<u32>) -> Result<(), OpeningError> {
        let path = self.path.clone();
        let unreadable = |error| OpeningError::unreadable(&path, &error);
        let rules = P::rules_from_text(rules).map_err(OpeningError::new)?;
        let file = files::open(&path).map_err(unreadable)?;
        let mut reader = Reader::<P, _>::new(file).with_variations(false);
        let mut beginning = Beginning {
            usual: P::rules_text(&rules),
            most: plies.map_or(usize::MAX, |plies| plies as usize),
            rules: String::new(),
            start: String::new(),
            moves: Vec::new(),
            passed: false,
        };
        while reader.read_game(&mut beginning).map_err(unreadable)? {
            let number = reader.game();
            let severe = |found: &&Diagnostic| found.severity() == Severity::Error;
            // A mistake behind the last move we need is not our business.
            let enough = beginning.moves.len() >= beginning.most;
            if let Some(problem) = reader.diagnostics().iter().find(severe)
                && !enough
            {
                let message = format!("game {number}: {problem}");
                return Err(OpeningError::new(message).at(&path, Some(problem.line)));
            }
            if beginning.passed {
                let message = format!("game {number}: a null move cannot be played");
                return Err(OpeningError::new(message).at(&path, None));
            }
            self.push(&beginning, number)?;
        }
        Ok(())
    }

    fn push(&mut self, beginning: &Beginning, number: u64) -> Result<(), OpeningError> {
        let from = self.text.len();
        for part in [
            &beginning.rules,
            &beginning.start,
            &beginning.moves.join(" "),
        ] {
            self.text.push_str(part);
            self.text.push('\n');
        }
        if self.text.len() > MOST_BYTES {
            let message = "there are too many games in this file; fewer plies need less memory";
            return Err(OpeningError::new(message).at(&self.path, None));
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        self.places
            .push((from as u32, self.text.len() as u32, number));
        Ok(())
    }

    pub(super) fn ordered(mut self, order: OpeningOrder, seed: u64) -> Self {
        shuffle(&mut self.places, order, seed);
        self
    }

    pub(super) fn len(&self) -> u64 {
        self.places.len() as u64
    }

    pub(super) fn opening(&self, index: u64) -> Result<Opening, OpeningError> {
        let place = (index % self.len().max(1)) as usize;
        let Some(&(from, to, number)) = self.places.get(place) else {
            return Err(OpeningError::new("there is no game in this file"));
        };
        let mut texts = self.text[from as usize..to as usize].lines();
        let mut text = || texts.next().unwrap_or("");
        let label = format!("{} game {number}", self.path.display());
        let wrong = |why: &dyn fmt::Display| OpeningError::new(format!("{label}: {why}"));
        let mut line = AnyLine::new(self.game, text(), text()).map_err(|error| wrong(&error))?;
        for word in text().split_whitespace() {
            let found = line.parse_move(word);
            let played = found.and_then(|m| line.push(m));
            played.map_err(|error| wrong(&error))?;
        }
        playable(&line).map_err(|mut error| {
            error.message = format!("game {number}: {} (use plies=)", error.message);
            error.at(&self.path, None)
        })?;
        Ok(Opening { line, label })
    }
}

/// Takes down where a game starts and its first moves.
struct Beginning {
    /// The rules of a game that names none.
    usual: String,
    most: usize,
    rules: String,
    start: String,
    moves: Vec<String>,
    /// A null move came before there were enough moves.
    passed: bool,
}

impl<P: Position> Visitor<P> for Beginning {
    fn begin(&mut self) {
        self.rules.clone_from(&self.usual);
        self.start.clear();
        self.moves.clear();
        self.passed = false;
    }

    fn start(&mut self, position: &P) -> ControlFlow<()> {
        let own = position.rules();
        if own != P::Rules::default() {
            self.rules = P::rules_text(&own);
        }
        self.start = position.text();
        match self.most {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn play(&mut self, position: &P, m: P::Move) {
        if self.moves.len() < self.most {
            self.moves.push(position.move_text(m));
        }
    }

    fn pass(&mut self, _: &P) {
        self.passed |= self.moves.len() < self.most;
    }
}
