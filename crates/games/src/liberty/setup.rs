//! What stays the same during a game: board size, options, and the tables made
//! from them. Positions of one game share it.

use super::kind::{Kind, cell};
use super::squares;
use crate::game::Side;
use crate::random::mix;

/// Width of the border around the board, in cells: the longest leap is three.
const MARGIN: usize = 3;

/// The options of a game, as its L-FEN gives them. All numbers are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Number of files, 2 to 256.
    pub width: u16,
    /// Number of ranks, 2 to 256.
    pub height: u16,
    /// How far a Pawn may advance in one move (`M`). 0 is kept as written and
    /// means 1.
    pub pawn_steps: u32,
    /// Up to which own rank a Pawn may advance more than one square (`R`).
    pub pawn_rank: u32,
    /// The rank of castling Kings, counted from each side's own edge (`C`).
    pub castling_rank: u16,
    /// The file of the piece for queenside castling (`Q`).
    pub queenside_file: u16,
    /// The file of the piece for kingside castling (`K`).
    pub kingside_file: u16,
    /// What Pawns become, as written: order and duplicates kept.
    pub promotions: Vec<Kind>,
    /// Whether own pieces may be captured.
    pub friendly_fire: bool,
}

/// What Pawns become unless the L-FEN says otherwise.
pub(super) const USUAL_PROMOTIONS: [Kind; 4] =
    [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

impl Variant {
    /// The usual options on a board of this size.
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            pawn_steps: 2,
            pawn_rank: 2,
            castling_rank: 1,
            queenside_file: 1,
            kingside_file: width,
            promotions: USUAL_PROMOTIONS.to_vec(),
            friendly_fire: false,
        }
    }

    /// The number of squares.
    pub fn squares(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }
}

/// The steps of one kind: single leaps, and rides that repeat a step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Steps {
    leaps: [i32; 16],
    rides: [i32; 8],
    leap_count: u8,
    ride_count: u8,
}

impl Steps {
    fn new(leaps: &[i32], rides: &[i32]) -> Self {
        let mut steps = Self {
            leap_count: leaps.len() as u8,
            ride_count: rides.len() as u8,
            ..Self::default()
        };
        steps.leaps[..leaps.len()].copy_from_slice(leaps);
        steps.rides[..rides.len()].copy_from_slice(rides);
        steps
    }

    #[inline(always)]
    pub(super) fn leaps(&self) -> &[i32] {
        &self.leaps[..usize::from(self.leap_count)]
    }

    #[inline(always)]
    pub(super) fn rides(&self) -> &[i32] {
        &self.rides[..usize::from(self.ride_count)]
    }
}

/// The board's geometry and everything computed once per game.
///
/// Cells are numbered row by row with a border wide enough for every leap, so
/// that a step is an addition and leaving the board is a cell that says so.
/// The right border of one row is the left border of the next.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) variant: Variant,
    /// Cells from one rank to the next.
    pub(super) stride: usize,
    /// Number of cells, border included.
    pub(super) cells: usize,
    /// First cell of the board (a1).
    pub(super) origin: usize,
    /// Square to cell.
    cell_of: Box<[u32]>,
    /// Cell to square; 0 in the border.
    square_of: Box<[u16]>,
    /// Rights that a move from or to this square ends.
    clears: Box<[u8]>,
    /// Where each side's Kings stood on the castling rank at the start.
    pub(super) home_kings: [Vec<u16>; 2],
    pub(super) steps: [Steps; 19],
    /// Rank and file steps, then diagonal ones.
    pub(super) queen: [i32; 8],
    pub(super) knight: [i32; 8],
    pub(super) camel: [i32; 8],
    pub(super) zebra: [i32; 8],
    /// The long leaps of the Champion.
    pub(super) jumps: [i32; 8],
    /// The promotion choices, each once.
    pub(super) promotions: Vec<Kind>,
    /// The strongest of them.
    pub(super) strongest: Kind,
    pub(super) pawns: [PawnRules; 2],
    /// Part of every hash, so that positions of different variants differ.
    pub(super) salt: u64,
}

/// Where Pawns of one side may do what.
#[derive(Debug, Clone, Copy)]
pub(super) struct PawnRules {
    /// One step forward.
    pub(super) forward: i32,
    /// Cells from here on (White) or up to here (Black) promote.
    last_rank: usize,
    /// Cells before this (White) or after it (Black) allow several steps.
    long_limit: usize,
    white: bool,
}

impl PawnRules {
    #[inline(always)]
    pub(super) fn promotes(&self, cell: usize) -> bool {
        if self.white {
            cell >= self.last_rank
        } else {
            cell < self.last_rank
        }
    }

    #[inline(always)]
    pub(super) fn may_leap(&self, cell: usize) -> bool {
        if self.white {
            cell < self.long_limit
        } else {
            cell >= self.long_limit
        }
    }
}

impl Setup {
    /// Tables for this variant. `kings` are the squares of the Kings at the
    /// start, which castling rights are tied to.
    pub(super) fn new(variant: Variant, kings: [&[u16]; 2]) -> Self {
        let width = usize::from(variant.width);
        let height = usize::from(variant.height);
        let stride = width + MARGIN;
        let origin = MARGIN * stride + MARGIN;
        let cells = (height + 2 * MARGIN) * stride + 2 * MARGIN;
        let mut cell_of = Vec::with_capacity(variant.squares());
        let mut square_of = vec![0; cells];
        for square in 0..variant.squares() {
            let at = origin + square / width * stride + square % width;
            cell_of.push(at as u32);
            square_of[at] = square as u16;
        }
        let mut promotions = Vec::new();
        for &kind in &variant.promotions {
            if !promotions.contains(&kind) {
                promotions.push(kind);
            }
        }
        let strongest = promotions.iter().copied().max_by_key(|k| k.strength());
        let home_kings = castling_homes(&variant, kings);
        let pattern = Pattern(stride as i32);
        Self {
            stride,
            cells,
            origin,
            cell_of: cell_of.into(),
            square_of: square_of.into(),
            clears: clearing_squares(&variant, &home_kings),
            home_kings,
            steps: pattern.all(),
            queen: pattern.queen(),
            knight: pattern.leaps(1, 2),
            camel: pattern.leaps(1, 3),
            zebra: pattern.leaps(2, 3),
            jumps: pattern.jumps(),
            strongest: strongest.unwrap_or(Kind::Queen),
            promotions,
            pawns: [
                white_pawns(&variant, stride, origin),
                black_pawns(&variant, stride, origin),
            ],
            salt: salt(&variant),
            variant,
        }
    }

    /// An empty padded board.
    pub(super) fn empty_board(&self) -> Box<[u8]> {
        let mut board = vec![cell::OFF; self.cells];
        for &at in &self.cell_of {
            board[at as usize] = cell::EMPTY;
        }
        board.into()
    }

    /// The cell of a square, if the square exists.
    #[inline(always)]
    pub(super) fn cell(&self, square: u16) -> Option<usize> {
        self.cell_of.get(usize::from(square)).map(|&at| at as usize)
    }

    /// The square of a cell of the board.
    #[inline(always)]
    pub(super) fn square(&self, cell: usize) -> u16 {
        self.square_of[cell]
    }

    /// The rights that end when a move touches this square.
    #[inline(always)]
    pub(super) fn clears(&self, square: u16) -> u8 {
        self.clears[usize::from(square)]
    }

    /// Cells of every rank, from the first.
    pub(super) fn rows(&self) -> impl Iterator<Item = core::ops::Range<usize>> + '_ {
        let width = usize::from(self.variant.width);
        (0..usize::from(self.variant.height)).map(move |rank| {
            let first = self.origin + rank * self.stride;
            first..first + width
        })
    }

    /// The castling of a King on this cell, if the rules know one: the cell it
    /// crosses, its target, and the cell of its partner.
    ///
    /// The partner must stand at least two files away on the side the King
    /// goes to. With odd columns the reference implementation castles all the
    /// same and loses or doubles pieces; here there is no such castling.
    pub(super) fn castling(&self, side: Side, king: usize, kingside: bool) -> Option<Castling> {
        let variant = &self.variant;
        let square = self.square(king);
        let (file, rank) = (square % variant.width, square / variant.width);
        let home = castling_row(variant, side);
        let column = if kingside {
            variant.kingside_file - 1
        } else {
            variant.queenside_file - 1
        };
        let far_enough = if kingside {
            column >= file + 2
        } else {
            column + 2 <= file
        };
        if rank != home || !far_enough {
            return None;
        }
        let step = if kingside { 1 } else { -1 };
        Some(Castling {
            step,
            crossed: king.wrapping_add_signed(step),
            target: king.wrapping_add_signed(2 * step),
            partner: king + usize::from(column) - usize::from(file),
        })
    }

    /// The name of a square.
    pub(super) fn square_name(&self, square: u16) -> String {
        let width = self.variant.width;
        squares::name(square % width, square / width)
    }
}

/// The cells of a castling move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Castling {
    pub(super) step: isize,
    pub(super) crossed: usize,
    pub(super) target: usize,
    pub(super) partner: usize,
}

/// Bits of the castling rights, in the order `KQkq`.
pub(super) mod rights {
    use super::Side;

    /// The letters, lowest bit first.
    pub(crate) const LETTERS: [char; 4] = ['K', 'Q', 'k', 'q'];

    /// The bit of one right.
    pub(crate) const fn bit(side: Side, kingside: bool) -> u8 {
        let shift = 2 * side as u8 + if kingside { 0 } else { 1 };
        1 << shift
    }

    /// Both rights of a side.
    pub(crate) const fn both(side: Side) -> u8 {
        0b11 << (2 * side as u8)
    }
}

/// The rank (from 0) on which this side castles.
fn castling_row(variant: &Variant, side: Side) -> u16 {
    match side {
        Side::White => variant.castling_rank - 1,
        Side::Black => variant.height - variant.castling_rank,
    }
}

/// The Kings of each side that stand on their castling rank.
fn castling_homes(variant: &Variant, kings: [&[u16]; 2]) -> [Vec<u16>; 2] {
    Side::BOTH.map(|side| {
        let row = castling_row(variant, side);
        let mut homes: Vec<u16> = kings[side.index()].to_vec();
        homes.retain(|square| square / variant.width == row);
        homes.sort_unstable();
        homes
    })
}

/// Rights end when a move touches the castling column's square or a square
/// where a King of that side stood at the start.
fn clearing_squares(variant: &Variant, homes: &[Vec<u16>; 2]) -> Box<[u8]> {
    let mut clears = vec![0; variant.squares()];
    for side in Side::BOTH {
        let row = usize::from(castling_row(variant, side)) * usize::from(variant.width);
        clears[row + usize::from(variant.kingside_file) - 1] |= rights::bit(side, true);
        clears[row + usize::from(variant.queenside_file) - 1] |= rights::bit(side, false);
        for &square in &homes[side.index()] {
            clears[usize::from(square)] |= rights::both(side);
        }
    }
    clears.into()
}

fn white_pawns(variant: &Variant, stride: usize, origin: usize) -> PawnRules {
    let height = usize::from(variant.height);
    let ranks = height.min(variant.pawn_rank as usize);
    PawnRules {
        forward: stride as i32,
        last_rank: origin + (height - 1) * stride,
        long_limit: origin + ranks * stride,
        white: true,
    }
}

fn black_pawns(variant: &Variant, stride: usize, origin: usize) -> PawnRules {
    let height = usize::from(variant.height);
    let ranks = height.min(variant.pawn_rank as usize);
    PawnRules {
        forward: -(stride as i32),
        last_rank: origin + stride,
        long_limit: origin + (height - ranks) * stride,
        white: false,
    }
}

/// Step patterns on a board with this stride.
struct Pattern(i32);

impl Pattern {
    fn queen(&self) -> [i32; 8] {
        let s = self.0;
        [1, -1, s, -s, s + 1, s - 1, -s + 1, -s - 1]
    }

    fn jumps(&self) -> [i32; 8] {
        self.queen().map(|step| 2 * step)
    }

    fn leaps(&self, a: i32, b: i32) -> [i32; 8] {
        let s = self.0;
        let (x, y) = (a * s, b * s);
        [x + b, x - b, -x + b, -x - b, y + a, y - a, -y + a, -y - a]
    }

    /// The steps of all kinds, by code.
    fn all(&self) -> [Steps; 19] {
        let queen = self.queen();
        let (orthogonal, diagonal) = queen.split_at(4);
        let knight = self.leaps(1, 2);
        let mut steps = [Steps::default(); 19];
        for kind in Kind::ALL {
            steps[kind as usize] = match kind {
                Kind::Pawn | Kind::Obstacle | Kind::Wall => Steps::default(),
                Kind::Knight => Steps::new(&knight, &[]),
                Kind::Bishop => Steps::new(&[], diagonal),
                Kind::Rook => Steps::new(&[], orthogonal),
                Kind::Queen => Steps::new(&[], &queen),
                Kind::Archbishop => Steps::new(&knight, diagonal),
                Kind::Chancellor => Steps::new(&knight, orthogonal),
                Kind::Camel => Steps::new(&self.leaps(1, 3), &[]),
                Kind::Zebra => Steps::new(&self.leaps(2, 3), &[]),
                Kind::Mann | Kind::Elephant | Kind::King => Steps::new(&queen, &[]),
                Kind::Nightrider => Steps::new(&[], &knight),
                Kind::Champion => Steps::new(&[queen, self.jumps()].concat(), &[]),
                Kind::Centaur => Steps::new(&[queen, knight].concat(), &[]),
                Kind::Amazon => Steps::new(&knight, &queen),
            };
        }
        steps
    }
}

fn salt(variant: &Variant) -> u64 {
    let mut salt = 0x51ab_e7c4_0d93_26f8;
    let mut add = |value: u64| salt = mix(salt ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
    add(u64::from(variant.width) << 16 | u64::from(variant.height));
    add(u64::from(variant.pawn_steps) << 32 | u64::from(variant.pawn_rank));
    add(u64::from(variant.castling_rank) << 32
        | u64::from(variant.queenside_file) << 16
        | u64::from(variant.kingside_file));
    add(u64::from(variant.friendly_fire));
    for &kind in &variant.promotions {
        add(kind as u64);
    }
    salt
}
