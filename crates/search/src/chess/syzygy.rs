//! Syzygy endgame tables.
//!
//! `quadrille-syzygy` asks them; what is here decides when a table may be asked and
//! what its answer means for a search.

use core::fmt;
use std::path::{Path, PathBuf};

use quadrille_games::Line;
use quadrille_games::chess::{Chess, Move};
use quadrille_syzygy::{Fault, OpenError, RootMove, RootRules, TableKind, Wdl};

use crate::endgame_tables::{EndgameTables, TableMove, TableResult};

/// Why tables cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyzygyError {
    /// A folder that is not there or cannot be read.
    Folder(PathBuf, String),
    /// No folder holds a table.
    Empty(String),
    /// A file that was cut short on its way, or is no table.
    Damaged(PathBuf, Fault),
    /// No path at all.
    Path(String),
}

impl fmt::Display for SyzygyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{path}: no Syzygy tables (*.rtbw) there"),
            Self::Damaged(path, fault) => {
                write!(f, "{}: {fault}; fetch it again", path.display())
            }
            Self::Path(path) => write!(f, "{path:?} is no path to tables"),
        }
    }
}

impl core::error::Error for SyzygyError {}

impl From<OpenError> for SyzygyError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Folder(path, error) => Self::Folder(path, error),
            OpenError::Damaged(path, fault) => Self::Damaged(path, fault),
            OpenError::Name(name) => Self::Path(name),
        }
    }
}

/// How tables are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyzygyRules {
    /// Ask only with at most this many pieces on the board.
    pub most_pieces: u32,
    /// Whether wins that the fifty-move rule spoils are draws.
    pub fifty_moves: bool,
}

impl Default for SyzygyRules {
    fn default() -> Self {
        Self {
            most_pieces: 7,
            fifty_moves: true,
        }
    }
}

/// Open Syzygy tables. There may be several sets.
#[derive(Debug)]
pub struct Syzygy {
    tables: quadrille_syzygy::Tables,
    rules: SyzygyRules,
}

impl Syzygy {
    /// Opens the tables in a list of folders, separated by `:` (on Windows by
    /// `;`).
    pub fn open(path: &str, rules: SyzygyRules) -> Result<Self, SyzygyError> {
        let mut tables = quadrille_syzygy::Tables::new();
        for folder in folders(path)? {
            tables.add_folder(Path::new(folder))?;
        }
        if tables.count(TableKind::Wdl) == 0 {
            return Err(SyzygyError::Empty(path.into()));
        }
        Ok(Self { tables, rules })
    }

    /// How many tables there are, and for how many of them also distances.
    pub fn counts(&self) -> (usize, usize) {
        let count = |kind| self.tables.count(kind);
        (count(TableKind::Wdl), count(TableKind::Dtz))
    }

    /// The largest number of pieces, kings included, that will be asked about.
    pub fn most_pieces(&self) -> u32 {
        self.tables.most_men().min(self.rules.most_pieces)
    }

    /// Tables know nothing of castling.
    fn knows(&self, position: &Chess) -> bool {
        position.occupied().count() <= self.most_pieces() && position.castling().is_empty()
    }

    fn meaning(&self, result: Wdl) -> TableResult {
        let counted = if self.rules.fifty_moves {
            result
        } else {
            result.without_fifty_moves()
        };
        match counted {
            Wdl::Win => TableResult::Win,
            Wdl::CursedWin => TableResult::CursedWin,
            Wdl::Draw => TableResult::Draw,
            Wdl::BlessedLoss => TableResult::BlessedLoss,
            Wdl::Loss => TableResult::Loss,
        }
    }
}

impl EndgameTables<Chess> for Syzygy {
    /// The tables count from the last capture or pawn move, so that their answer
    /// holds for certain only right after one.
    fn probe(&self, position: &Chess) -> Option<TableResult> {
        if position.halfmove_clock() != 0 || !self.knows(position) {
            return None;
        }
        let result = self.tables.wdl(position).ok()?;
        Some(self.meaning(result))
    }

    fn root_moves(&self, line: &Line<Chess>) -> Vec<TableMove<Move>> {
        let position = line.position();
        if !self.knows(position) {
            return Vec::new();
        }
        let rules = RootRules::of(line, self.rules.fifty_moves);
        let course = Course {
            clock: rules.clock,
            repeated: rules.repeated,
        };
        let ranked = |found: RootMove| {
            let result = self.meaning(found.wdl);
            let plies = found.dtz.map_or(0, i32::unsigned_abs);
            TableMove {
                m: found.m,
                result,
                rank: course.rank(result, plies),
            }
        };
        // What the moves made without progress do to a result is known only where
        // there are distances.
        let known = self.tables.root_moves_by_distance(position, rules);
        let known = known.or_else(|_| self.tables.root_moves_by_result(position, rules));
        known.map_or_else(
            |_| Vec::new(),
            |moves| moves.into_iter().map(ranked).collect(),
        )
    }
}

/// How much room the fifty-move rule and repetition leave.
#[derive(Debug, Clone, Copy)]
struct Course {
    /// Plies without progress so far.
    clock: u32,
    /// A position came back since the last progress.
    repeated: bool,
}

impl Course {
    /// Ranks a move by its result. The search may pick any winning move while
    /// there is time; when half of it is used up, or something came back, only
    /// the shortest way to progress is left. The loser makes the way long where
    /// the fifty-move rule is within reach.
    fn rank(self, result: TableResult, plies: u32) -> i32 {
        let plies_left = 100 - self.clock.min(100);
        let distance = plies as i32;
        match result {
            TableResult::Win if self.repeated || plies > plies_left / 2 => 3000 - distance,
            TableResult::Win => 3000,
            TableResult::CursedWin => 1,
            TableResult::Draw => 0,
            TableResult::BlessedLoss => -1,
            TableResult::Loss if 2 * plies >= plies_left => distance - 3000,
            TableResult::Loss => -3000,
        }
    }
}

/// The folders of a path.
fn folders(path: &str) -> Result<Vec<&str>, SyzygyError> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let list: Vec<&str> = path
        .split(separator)
        .map(str::trim)
        .filter(|folder| !folder.is_empty())
        .collect();
    if list.is_empty() || path.contains('\0') {
        return Err(SyzygyError::Path(path.into()));
    }
    Ok(list)
}
