//! Syzygy endgame tables.
//!
//! Probing is pyrrhic-rs's; what is here decides when a table may be asked and
//! what its answer means, and keeps away from it everything it does not take
//! well: it can be opened once per process only, prints about files that are cut
//! short, and does not know which tables exist.

use core::fmt;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyrrhic_rs::{
    Color, DtzProbeValue, DtzResult, EngineAdapter, TBError, TableBases, WdlProbeResult,
};
use quadrille_games::chess::{Bitboard, Chess, Move, PieceKind, Square, attacks as attacks_of};
use quadrille_games::{Line, Position, Side};

use crate::endgame_tables::{EndgameTables, TableMove, TableResult};

/// Why tables cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyzygyError {
    /// A folder that is not there or cannot be read.
    Folder(PathBuf, String),
    /// No folder holds a table.
    Empty(String),
    /// A file that was cut short on its way, or is no table.
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
                write!(f, "{}: damaged, fetch it again", path.display())
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

/// What lies in the folders, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    results: HashSet<String>,
    distances: HashSet<String>,
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
        if found.results.is_empty() {
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
        (self.found.results.len(), self.found.distances.len())
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

impl EndgameTables<Chess> for Syzygy {
    /// The tables count from the last capture or pawn move, so that their answer
    /// holds for certain only right after one.
    fn probe(&self, position: &Chess) -> Option<TableResult> {
        if position.halfmove_clock() != 0 || !self.knows(position) {
            return None;
        }
        self.ask(position)
    }

    fn root_moves(&self, line: &Line<Chess>) -> Vec<TableMove<Move>> {
        let position = line.position();
        if !self.knows(position) {
            return Vec::new();
        }
        let moves = position.moves();
        let known = match self.distances(position) {
            Some(found) => {
                let legal = |found: &DtzResult| {
                    let m = *moves.iter().find(|&&m| is_same(m, *found))?;
                    Some((m, self.meaning(found.wdl), u32::from(found.dtz)))
                };
                found.iter().filter_map(legal).collect()
            }
            None => self.results(position, &moves),
        };
        if known.len() < moves.len() {
            return Vec::new();
        }
        let course = Course {
            clock: position.halfmove_clock(),
            repeated: repeated(line),
        };
        let ranked = |(m, result, plies)| TableMove {
            m,
            result,
            rank: course.rank(result, plies),
        };
        known.into_iter().map(ranked).collect()
    }
}

impl Syzygy {
    /// Every move with its result, which counts the moves without progress so
    /// far, and the plies to the next capture or pawn move.
    fn distances(&self, position: &Chess) -> Option<Vec<DtzResult>> {
        // pyrrhic-rs takes every file to be there, and after looking for one in
        // vain it forgets the table of results too.
        if !names(position)
            .iter()
            .any(|n| self.found.distances.contains(n))
        {
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
        let found = result.ok()?;
        let moves = found.moves.iter().take(found.num_moves);
        let known = moves.map(|value| match value {
            DtzProbeValue::DtzResult(found) => Some(*found),
            _ => None,
        });
        known.collect()
    }

    /// The same where only tables without distances are at hand: what the moves
    /// made without progress do to a result is not known then.
    fn results(&self, position: &Chess, moves: &[Move]) -> Vec<(Move, TableResult, u32)> {
        let result = |&m: &Move| {
            let next = position.after(m);
            let result = match next.outcome() {
                Some(outcome) if outcome.winner.is_some() => TableResult::Win,
                Some(_) => TableResult::Draw,
                None => self.ask(&next)?.reversed(),
            };
            Some((m, result, 0))
        };
        moves.iter().filter_map(result).collect()
    }

    fn ask(&self, position: &Chess) -> Option<TableResult> {
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

/// Whether a position since the last capture or pawn move has occurred twice.
fn repeated(line: &Line<Chess>) -> bool {
    let keys = line.keys();
    let reversible = line.position().halfmove_clock() as usize + 1;
    let recent = &keys[keys.len().saturating_sub(reversible)..];
    let mut seen = HashSet::new();
    !recent.iter().all(|key| seen.insert(key))
}

/// Whether the tables mean this move.
fn is_same(m: Move, found: DtzResult) -> bool {
    let promotion = match found.promotion {
        pyrrhic_rs::Piece::Queen => Some(PieceKind::Queen),
        pyrrhic_rs::Piece::Rook => Some(PieceKind::Rook),
        pyrrhic_rs::Piece::Bishop => Some(PieceKind::Bishop),
        pyrrhic_rs::Piece::Knight => Some(PieceKind::Knight),
        _ => None,
    };
    let (from, to) = (Square::new(found.from_square), Square::new(found.to_square));
    m.from() == from && m.to() == to && m.promotion() == promotion
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

/// The first bytes of a table of results and of one of distances.
const MAGIC: [[u8; 4]; 2] = [[0x71, 0xe8, 0x23, 0x5d], [0xd7, 0x66, 0x0c, 0xa5]];

/// Counts the tables of one folder and checks that they are whole as far as that
/// shows without reading them: what is probed later is mapped, not read, and a
/// file that ends too early would take the program with it.
fn look_into(folder: &Path, found: &mut Found) -> Result<(), SyzygyError> {
    let failed = |error: std::io::Error| SyzygyError::Folder(folder.into(), error.to_string());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_distance = match path.extension().and_then(|e| e.to_str()) {
            Some("rtbw") => false,
            Some("rtbz") => true,
            _ => continue,
        };
        let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or("");
        // Others are never looked for.
        let Some(pieces) = pieces_in(name) else {
            continue;
        };
        if !is_whole(&path, MAGIC[usize::from(is_distance)]).map_err(failed)? {
            return Err(SyzygyError::Damaged(path));
        }
        if is_distance {
            found.distances.insert(name.into());
        } else {
            found.results.insert(name.into());
            found.most_pieces = found.most_pieces.max(pieces);
        }
    }
    Ok(())
}

/// The names under which a position's table may stand.
fn names(position: &Chess) -> [String; 2] {
    let side = |side| {
        let pieces = [
            (PieceKind::King, "K"),
            (PieceKind::Queen, "Q"),
            (PieceKind::Rook, "R"),
            (PieceKind::Bishop, "B"),
            (PieceKind::Knight, "N"),
            (PieceKind::Pawn, "P"),
        ];
        pieces
            .map(|(kind, letter)| {
                let count = (position.by_side(side) & position.by_kind(kind)).count();
                letter.repeat(count as usize)
            })
            .concat()
    };
    let (white, black) = (side(Side::White), side(Side::Black));
    [format!("{white}v{black}"), format!("{black}v{white}")]
}

/// How many pieces a table is about, by its name: `KQvKR` is four.
fn pieces_in(name: &str) -> Option<u32> {
    let (one, other) = name.split_once('v')?;
    for side in [one, other] {
        let rest = side.strip_prefix('K')?;
        // As the tables' own list has them: strongest first.
        let order = |piece: char| "QRBNP".find(piece);
        let places: Option<Vec<usize>> = rest.chars().map(order).collect();
        if !places?.is_sorted() {
            return None;
        }
    }
    let count = name.len() as u32 - 1;
    (3..=7).contains(&count).then_some(count)
}

/// Tables consist of blocks of 64 bytes and a checksum of 16. A download that was
/// given its room at once and broken off later has no checksum yet.
fn is_whole(path: &Path, magic: [u8; 4]) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if length <= 16 || length % 64 != 16 {
        return Ok(false);
    }
    let (mut first, mut checksum) = ([0; 4], [0; 16]);
    file.read_exact(&mut first)?;
    file.seek(SeekFrom::End(-16))?;
    file.read_exact(&mut checksum)?;
    Ok(first == magic && checksum != [0; 16])
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
