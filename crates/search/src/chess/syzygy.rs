//! Syzygy endgame tables.
//!
//! Probing is pyrrhic-rs's; what is here decides when a table may be asked and
//! what its answer means, and keeps away from it everything it does not take
//! well: it can be opened once per process only, prints about files that are cut
//! short, and does not know which tables exist.

use core::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyrrhic_rs::{
    Color, DtzProbeValue, DtzResult, EngineAdapter, TBError, TableBases, WdlProbeResult,
};
use quadrille_games::chess::{Bitboard, Chess, Move, PieceKind, Square, attacks as attacks_of};
use quadrille_games::{Line, Position, Side};

use crate::tables::{TableResult, Tables};

/// Why tables cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyzygyError {
    /// A folder that is not there or cannot be read.
    Folder(PathBuf, String),
    /// No folder holds a table.
    Empty(String),
    /// A file that was cut short on its way.
    Damaged(PathBuf),
    /// Tables are open already; they must be closed first.
    InUse,
    /// The path cannot be passed on.
    Path(String),
}

impl fmt::Display for SyzygyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{path}: no Syzygy tables (*.rtbw) there"),
            Self::Damaged(path) => {
                write!(f, "{}: cut short, fetch it again", path.display())
            }
            Self::InUse => f.write_str("Syzygy tables are open already: close them first"),
            Self::Path(path) => write!(f, "{path:?} is no path to tables"),
        }
    }
}

impl core::error::Error for SyzygyError {}

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

/// Open Syzygy tables. Dropping it closes them.
pub struct Syzygy {
    tables: TableBases<Attacks>,
    rules: SyzygyRules,
    found: Found,
    /// Root probes are not made to run side by side.
    root: Mutex<()>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syzygy")
            .field("rules", &self.rules)
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}

/// What lies in the folders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Found {
    tables: usize,
    distances: usize,
    most_pieces: u32,
}

impl Syzygy {
    /// Opens the tables in a list of folders, separated by `:` (on Windows by
    /// `;`). Only one set can be open in a process.
    pub fn open(path: &str, rules: SyzygyRules) -> Result<Self, SyzygyError> {
        let folders = folders(path)?;
        let mut found = Found::default();
        for folder in &folders {
            look_into(Path::new(folder), &mut found)?;
        }
        if found.tables == 0 {
            return Err(SyzygyError::Empty(path.into()));
        }
        let tables = TableBases::new(folders.join(":")).map_err(|error| match error {
            TBError::AlreadyInitialized | TBError::NotSingleton => SyzygyError::InUse,
            _ => SyzygyError::Empty(path.into()),
        })?;
        Ok(Self {
            tables,
            rules,
            found,
            root: Mutex::new(()),
        })
    }

    /// How many tables there are, and for how many of them also distances.
    pub fn counts(&self) -> (usize, usize) {
        (self.found.tables, self.found.distances)
    }

    /// The largest number of pieces, kings included, that will be asked about.
    pub fn most_pieces(&self) -> u32 {
        self.found.most_pieces.min(self.rules.most_pieces)
    }

    /// Tables know nothing of castling.
    fn knows(&self, position: &Chess) -> bool {
        position.occupied().count() <= self.most_pieces() && position.castling().is_empty()
    }

    fn meaning(&self, result: WdlProbeResult) -> TableResult {
        match result {
            WdlProbeResult::Draw => TableResult::Draw,
            WdlProbeResult::CursedWin if self.rules.fifty_moves => TableResult::CursedWin,
            WdlProbeResult::BlessedLoss if self.rules.fifty_moves => TableResult::BlessedLoss,
            WdlProbeResult::Win | WdlProbeResult::CursedWin => TableResult::Win,
            WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => TableResult::Loss,
        }
    }
}

impl Tables<Chess> for Syzygy {
    /// The tables count from the last capture or pawn move, so that their answer
    /// holds for certain only right after one.
    fn probe(&self, position: &Chess) -> Option<TableResult> {
        if position.halfmove_clock() != 0 || !self.knows(position) {
            return None;
        }
        let p = Sets::of(position);
        let result = self.tables.probe_wdl(
            p.white,
            p.black,
            p.kings,
            p.queens,
            p.rooks,
            p.bishops,
            p.knights,
            p.pawns,
            p.en_passant,
            p.white_to_move,
        );
        result.ok().map(|result| self.meaning(result))
    }

    fn best_root(&self, line: &Line<Chess>) -> Option<(Move, TableResult)> {
        let position = line.position();
        if !self.knows(position) {
            return None;
        }
        let p = Sets::of(position);
        let guard = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        let result = self.tables.probe_root(
            p.white,
            p.black,
            p.kings,
            p.queens,
            p.rooks,
            p.bishops,
            p.knights,
            p.pawns,
            position.halfmove_clock().min(100),
            p.en_passant,
            p.white_to_move,
        );
        drop(guard);
        match result.ok()?.root {
            DtzProbeValue::DtzResult(found) => {
                let m = chosen(position, found)?;
                Some((m, self.meaning(found.wdl)))
            }
            _ => None,
        }
    }
}

/// The legal move that a table suggests.
fn chosen(position: &Chess, found: DtzResult) -> Option<Move> {
    let promotion = match found.promotion {
        pyrrhic_rs::Piece::Queen => Some(PieceKind::Queen),
        pyrrhic_rs::Piece::Rook => Some(PieceKind::Rook),
        pyrrhic_rs::Piece::Bishop => Some(PieceKind::Bishop),
        pyrrhic_rs::Piece::Knight => Some(PieceKind::Knight),
        _ => None,
    };
    let (from, to) = (Square::new(found.from_square), Square::new(found.to_square));
    position
        .moves()
        .into_iter()
        .find(|m| m.from() == from && m.to() == to && m.promotion() == promotion)
}

/// A position as the tables take it.
struct Sets {
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    en_passant: u32,
    white_to_move: bool,
}

impl Sets {
    fn of(position: &Chess) -> Self {
        let kind = |kind| position.by_kind(kind).0;
        Self {
            white: position.by_side(Side::White).0,
            black: position.by_side(Side::Black).0,
            kings: kind(PieceKind::King),
            queens: kind(PieceKind::Queen),
            rooks: kind(PieceKind::Rook),
            bishops: kind(PieceKind::Bishop),
            knights: kind(PieceKind::Knight),
            pawns: kind(PieceKind::Pawn),
            // a1 can never be an en passant square, so that 0 means none.
            en_passant: position.en_passant().map_or(0, |s| s.index() as u32),
            white_to_move: position.side() == Side::White,
        }
    }
}

/// The folders of a path. pyrrhic-rs separates by colons whatever the system.
fn folders(path: &str) -> Result<Vec<&str>, SyzygyError> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let list: Vec<&str> = path
        .split(separator)
        .map(str::trim)
        .filter(|folder| !folder.is_empty())
        .collect();
    if list.is_empty() || path.contains('\0') || list.iter().any(|f| f.contains(':')) {
        return Err(SyzygyError::Path(path.into()));
    }
    Ok(list)
}

/// Counts the tables of one folder and checks that they are whole.
fn look_into(folder: &Path, found: &mut Found) -> Result<(), SyzygyError> {
    let failed = |error: std::io::Error| SyzygyError::Folder(folder.into(), error.to_string());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let extension = path.extension().and_then(|e| e.to_str());
        let is_distance = match extension {
            Some("rtbw") => false,
            Some("rtbz") => true,
            _ => continue,
        };
        let length = fs::metadata(&path).map_err(failed)?.len();
        // Tables consist of blocks of 64 bytes and a checksum of 16.
        if length % 64 != 16 {
            return Err(SyzygyError::Damaged(path));
        }
        if is_distance {
            found.distances += 1;
        } else {
            found.tables += 1;
            let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or("");
            let pieces = name.bytes().filter(u8::is_ascii_uppercase).count();
            found.most_pieces = found.most_pieces.max(pieces as u32);
        }
    }
    Ok(())
}

/// How pieces attack, for the tables' own move generator.
#[derive(Debug, Clone, Copy)]
struct Attacks;

fn attacks(kind: PieceKind, side: Side, square: u64, occupied: u64) -> u64 {
    attacks_of(kind, side, Square::new(square as u8), Bitboard(occupied)).0
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: Color, square: u64) -> u64 {
        let side = match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        };
        attacks(PieceKind::Pawn, side, square, 0)
    }

    fn knight_attacks(square: u64) -> u64 {
        attacks(PieceKind::Knight, Side::White, square, 0)
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        attacks(PieceKind::Bishop, Side::White, square, occupied)
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        attacks(PieceKind::Rook, Side::White, square, occupied)
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        attacks(PieceKind::Queen, Side::White, square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        attacks(PieceKind::King, Side::White, square, 0)
    }
}
