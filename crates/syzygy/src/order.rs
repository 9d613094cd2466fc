//! From a position to a number: how a table counts the placings of its pieces.
//!
//! The pieces come in the order in which the header lists them, in groups. The
//! first group takes all symmetry: two kings, or three different pieces, or the
//! pawns of one side. Every other group is a set of equal pieces on the squares
//! that the groups before have left, counted as combinations are. The groups'
//! numbers are the digits of one number, each with a base of its own; which group
//! is the lowest digit is a choice of the generator (the header has it), made so
//! that the table compresses best.

use quadrille_games::Side;
use quadrille_games::chess::{Chess, Piece, PieceKind};

use crate::error::Fault;
use crate::material::{MOST_MEN, Material};
use crate::squares::{
    BELOW, CHOOSE, KING_PAIRS, KINGS, NONE, PAWN_RANKING, PAWNS_BEFORE, TRIANGLE, file, rank,
};

/// The squares of all pieces, one byte each, the first piece lowest: a reflection
/// is one operation on all of them.
#[derive(Debug, Clone, Copy)]
struct Squares(u64);

impl Squares {
    /// The same number for each piece.
    const EACH: u64 = 0x0101_0101_0101_0101;

    #[inline]
    fn put(&mut self, place: usize, square: u8) {
        self.0 |= u64::from(square & 63) << (8 * (place & 7));
    }

    #[inline]
    fn at(self, place: usize) -> u8 {
        (self.0 >> (8 * (place & 7))) as u8 & 63
    }

    /// Exchanges the first piece with another.
    fn swap_first(&mut self, place: usize) {
        let difference = u64::from(self.at(0) ^ self.at(place));
        self.0 ^= difference | difference << (8 * (place & 7));
    }

    /// Reflects by turning the same bits of every square round.
    #[inline]
    fn turn(&mut self, bits: u8) {
        self.0 ^= u64::from(bits) * Self::EACH;
    }

    /// Reflects in the long diagonal.
    #[inline]
    fn transpose(&mut self) {
        let (files, ranks) = (self.0 & (7 * Self::EACH), self.0 >> 3 & (7 * Self::EACH));
        self.0 = files << 3 | ranks;
    }

    /// The squares of some pieces as a set.
    #[inline]
    fn set(self, first: usize, len: usize) -> u64 {
        (first..first + len).fold(0, |set, place| set | 1 << self.at(place))
    }
}

/// Placings of three different pieces on a board with eight symmetries.
const TRIPLES: u64 = 31332;

/// What the first group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    Kings,
    Three,
    /// The pawns of one side, the outermost on this file.
    Pawns(u8),
}

/// Equal pieces that are counted together.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    /// Its place in the list of pieces.
    first: u8,
    len: u8,
    /// What its number is multiplied with.
    factor: u64,
    /// Squares before the first one that these pieces can stand on.
    skipped: u8,
}

/// Equal pieces beside each other in the header.
#[derive(Debug, Clone, Copy)]
struct Run {
    piece: Piece,
    len: u8,
}

/// How one part of a table counts placings. All in one place: it is looked at for
/// every question, and memory that was not asked for lately is slow.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    size: u64,
    lead_factor: u64,
    lead: Lead,
    lead_len: u8,
    run_count: u8,
    group_count: u8,
    runs: [Run; MEN],
    groups: [Group; MEN],
}

/// Room for as many as there can be pieces.
const MEN: usize = MOST_MEN as usize;

/// What the header says about one part.
pub(crate) struct Listed<'a> {
    /// The pieces: 1 to 6 for White's pawn, knight, bishop, rook, queen, king,
    /// 9 to 14 for Black's.
    pub(crate) codes: &'a [u8],
    /// Which digit the first group is.
    pub(crate) lead_digit: u8,
    /// Which digit the other side's pawns are, where both sides have some.
    pub(crate) pawn_digit: Option<u8>,
    /// The file, a to d, for tables with pawns.
    pub(crate) file: Option<u8>,
}

/// The piece with this code.
pub(crate) fn piece(code: u8) -> Option<Piece> {
    let kind = match code & 7 {
        1 => PieceKind::Pawn,
        2 => PieceKind::Knight,
        3 => PieceKind::Bishop,
        4 => PieceKind::Rook,
        5 => PieceKind::Queen,
        6 => PieceKind::King,
        _ => return None,
    };
    let side = if code & 8 == 0 {
        Side::White
    } else {
        Side::Black
    };
    Some(Piece { side, kind })
}

impl Order {
    /// Checks that the list is one for this material, or for it with the sides
    /// exchanged, and works out what each group's number is multiplied with.
    pub(crate) fn new(listed: &Listed<'_>, material: Material) -> Result<Self, Fault> {
        let runs = runs(listed.codes)?;
        let found = material_of(&runs);
        if found != Some(material) && found != Some(material.mirrored()) {
            return Err(Fault::Header("its pieces are not those of its name"));
        }
        let (lead, lead_runs) = lead(&runs, material, listed.file)?;
        let groups = groups(&runs, lead_runs, listed.pawn_digit.is_some())?;
        let king = Piece {
            side: Side::White,
            kind: PieceKind::King,
        };
        let mut order = Self {
            size: 0,
            lead_factor: 0,
            lead,
            lead_len: runs.iter().take(lead_runs).map(|run| run.len).sum(),
            run_count: runs.len() as u8,
            group_count: groups.len() as u8,
            runs: [Run {
                piece: king,
                len: 0,
            }; MEN],
            groups: [Group::default(); MEN],
        };
        // There are no more of either than pieces, and of those not more than MEN.
        order
            .runs
            .iter_mut()
            .zip(runs)
            .for_each(|(to, run)| *to = run);
        let places = order.groups.iter_mut().zip(groups);
        places.for_each(|(to, group)| *to = group);
        order.set_factors(listed)?;
        Ok(order)
    }

    /// How many placings there are.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    #[inline]
    fn runs(&self) -> &[Run] {
        self.runs.get(..usize::from(self.run_count)).unwrap_or(&[])
    }

    #[inline]
    fn groups(&self) -> &[Group] {
        self.groups
            .get(..usize::from(self.group_count))
            .unwrap_or(&[])
    }

    /// What the sides have, as this part sees it.
    pub(crate) fn material(&self) -> Option<Material> {
        material_of(self.runs())
    }

    /// The piece that comes first.
    pub(crate) fn first_piece(&self) -> Option<Piece> {
        self.runs().first().map(|run| run.piece)
    }

    fn set_factors(&mut self, listed: &Listed<'_>) -> Result<(), Fault> {
        const WRONG: Fault = Fault::Header("its order of pieces is impossible");
        let lead_len = usize::from(self.lead_len);
        let placings = match self.lead {
            Lead::Kings => KING_PAIRS,
            Lead::Three => TRIPLES,
            Lead::Pawns(file) => PAWNS_BEFORE
                .get(lead_len.wrapping_sub(1))
                .and_then(|of_file| of_file.get(usize::from(file)))
                .map_or(0, |ranks| u64::from(ranks[6])),
        };
        let pawns = usize::from(listed.pawn_digit.is_some());
        let groups = self.groups.get_mut(..usize::from(self.group_count));
        let (other_pawns, rest) = groups.ok_or(WRONG)?.split_at_mut(pawns);
        let digits = 1 + pawns + rest.len();
        let mut rest = rest.iter_mut();
        let mut free = 64 - lead_len;
        free -= other_pawns
            .iter()
            .map(|g| usize::from(g.len))
            .sum::<usize>();
        let mut factor = 1u64;
        for digit in 0..digits as u8 {
            let choices = if digit == listed.lead_digit {
                self.lead_factor = factor;
                placings
            } else if Some(digit) == listed.pawn_digit {
                let pawns = other_pawns.first_mut().ok_or(WRONG)?;
                pawns.factor = factor;
                combinations(48 - lead_len, pawns.len)
            } else {
                let group = rest.next().ok_or(WRONG)?;
                group.factor = factor;
                let choices = combinations(free, group.len);
                free -= usize::from(group.len);
                choices
            };
            factor = factor.checked_mul(choices).ok_or(WRONG)?;
        }
        let all = self.lead_factor > 0 && self.groups().iter().all(|g| g.factor > 0);
        if !all || factor == 0 {
            return Err(WRONG);
        }
        self.size = factor;
        Ok(())
    }

    /// The number of a position with this material. `exchanged` says that the
    /// table's White is the board's Black.
    #[inline]
    pub(crate) fn number(&self, position: &Chess, exchanged: bool) -> Option<u64> {
        let has_pawns = matches!(self.lead, Lead::Pawns(_));
        let turn = if exchanged && has_pawns { 56 } else { 0 };
        let mut squares = Squares(0);
        let mut next = 0;
        for run in self.runs() {
            for square in position.by_piece(seen(run.piece, exchanged)) {
                squares.put(next, square.index() as u8);
                next += 1;
            }
        }
        squares.turn(turn);
        let lead = match self.lead {
            Lead::Kings => kings(&mut squares),
            Lead::Three => three(&mut squares),
            Lead::Pawns(_) => pawns(&mut squares, usize::from(self.lead_len)),
        }?;
        let mut taken = squares.set(0, usize::from(self.lead_len));
        let mut number = u64::from(lead) * self.lead_factor;
        for group in self.groups() {
            let (one, set) = group.number(squares, taken)?;
            number += u64::from(one) * group.factor;
            taken |= set;
        }
        (number < self.size).then_some(number)
    }
}

/// A piece of the table as it stands on the board.
#[inline]
pub(crate) fn seen(piece: Piece, exchanged: bool) -> Piece {
    let side = if exchanged {
        piece.side.other()
    } else {
        piece.side
    };
    Piece { side, ..piece }
}

/// The file, a to d, by which tables with pawns are divided: that of the
/// outermost pawn of the side that comes first.
#[inline]
pub(crate) fn lead_file(position: &Chess, pawn: Piece, exchanged: bool) -> Option<u8> {
    let turn = if exchanged { 56 } else { 0 };
    let squares = position.by_piece(seen(pawn, exchanged));
    let files = squares
        .into_iter()
        .map(|square| folded(square.index() as u8 ^ turn) & 7);
    files.min()
}

/// A square on the left half of the board, and its mirror image there.
fn folded(square: u8) -> u8 {
    if file(square) > 3 { square ^ 7 } else { square }
}

fn material_of(runs: &[Run]) -> Option<Material> {
    let pieces = |run: &Run| core::iter::repeat_n(run.piece, usize::from(run.len));
    Material::from_pieces(runs.iter().flat_map(pieces))
}

fn runs(codes: &[u8]) -> Result<Vec<Run>, Fault> {
    let mut runs: Vec<Run> = Vec::with_capacity(codes.len());
    for &code in codes {
        let piece = piece(code).ok_or(Fault::Header("a piece that does not exist"))?;
        let place = runs.iter().position(|run| run.piece == piece);
        match place.map(|place| (place + 1 == runs.len(), &mut runs[place])) {
            Some((true, last)) => last.len += 1,
            Some(_) => return Err(Fault::Header("equal pieces that are not together")),
            None => runs.push(Run { piece, len: 1 }),
        }
    }
    Ok(runs)
}

/// What the first group is, and how many runs it has.
fn lead(runs: &[Run], material: Material, file: Option<u8>) -> Result<(Lead, usize), Fault> {
    let is = |run: &Run, kind| run.piece.kind == kind;
    if let Some(file) = file {
        let pawns_first = runs.first().is_some_and(|run| is(run, PieceKind::Pawn));
        let lead = (Lead::Pawns(file), 1);
        return pawns_first
            .then_some(lead)
            .ok_or(Fault::Header("its pawns do not come first"));
    }
    // With nothing but kings of which there is one only, they come first;
    // otherwise any three such pieces.
    let (lead, count) = if material.singles() == 2 {
        (Lead::Kings, 2)
    } else {
        (Lead::Three, 3)
    };
    let first = runs.get(..count).unwrap_or(&[]);
    let fits = first.len() == count
        && first.iter().all(|run| run.len == 1)
        && (lead == Lead::Three || first.iter().all(|run| is(run, PieceKind::King)));
    fits.then_some((lead, count))
        .ok_or(Fault::Header("its first pieces do not break the symmetry"))
}

fn groups(runs: &[Run], lead_runs: usize, more_pawns: bool) -> Result<Vec<Group>, Fault> {
    let mut first = 0;
    let mut groups = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let is_pawn = run.piece.kind == PieceKind::Pawn;
        if is_pawn && i >= lead_runs && !(more_pawns && i == 1) {
            return Err(Fault::Header("pawns among its other pieces"));
        }
        if i >= lead_runs {
            groups.push(Group {
                first,
                len: run.len,
                factor: 0,
                skipped: if is_pawn { 8 } else { 0 },
            });
        }
        first += run.len;
    }
    let second_is_pawn = runs.get(1).is_some_and(|r| r.piece.kind == PieceKind::Pawn);
    if more_pawns != second_is_pawn {
        return Err(Fault::Header(
            "the other side's pawns are not where they belong",
        ));
    }
    Ok(groups)
}

/// `CHOOSE`, and 0 for what cannot be.
#[inline]
fn combinations(n: usize, k: u8) -> u64 {
    CHOOSE
        .get(usize::from(k))
        .and_then(|row| row.get(n))
        .map_or(0, |&c| u64::from(c))
}

impl Group {
    /// The number of this set of squares among those that are left, and the set.
    #[inline]
    fn number(&self, squares: Squares, taken: u64) -> Option<(u32, u64)> {
        let set = squares.set(usize::from(self.first), usize::from(self.len));
        let (mut number, mut rest, mut k) = (0, set, 1);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            let square = rest.trailing_zeros();
            let before = (taken & (lowest - 1)).count_ones() + u32::from(self.skipped);
            let n = square.checked_sub(before)?;
            number += CHOOSE.get(k)?.get(n as usize)?;
            k += 1;
            rest ^= lowest;
        }
        Some((number, set))
    }
}

/// Brings the first piece into the triangle a1-d1-d4, and the first of the `lead`
/// pieces that is off the long diagonal below it.
#[inline]
fn into_triangle(squares: &mut Squares, lead: usize) {
    let first = squares.at(0);
    let mut turn = if file(first) > 3 { 7 } else { 0 };
    turn |= if rank(first) > 3 { 56 } else { 0 };
    squares.turn(turn);
    let mut pieces = (0..lead).map(|place| squares.at(place));
    let off = pieces.find(|&square| file(square) != rank(square));
    if off.is_some_and(|square| rank(square) > file(square)) {
        squares.transpose();
    }
}

#[inline]
fn kings(squares: &mut Squares) -> Option<u32> {
    into_triangle(squares, 2);
    let first = usize::from(TRIANGLE[usize::from(squares.at(0))]);
    let number = KINGS.get(first)?[usize::from(squares.at(1))];
    (number != NONE).then_some(u32::from(number))
}

/// Three different pieces, counted in four kinds of placings: the first below the
/// diagonal; the first on it, the second below; two on it; all on it.
#[inline]
fn three(squares: &mut Squares) -> Option<u32> {
    const FIRST_OFF: u32 = 6 * 63 * 62;
    const SECOND_OFF: u32 = 4 * 28 * 62;
    const THIRD_OFF: u32 = 4 * 7 * 28;
    into_triangle(squares, 3);
    let [a, b, c] = [0, 1, 2].map(|place| squares.at(place));
    let on = |square| file(square) == rank(square);
    let below = |square: u8| u32::from(BELOW[usize::from(square)]);
    // Squares that are taken do not count.
    let second_skips = u32::from(b > a);
    let third_skips = u32::from(c > a) + u32::from(c > b);
    let (first, second, third) = (u32::from(rank(a)), u32::from(rank(b)), u32::from(rank(c)));
    let squares_left = u32::from(c).checked_sub(third_skips)?;
    Some(if !on(a) {
        let triangle = u32::from(TRIANGLE[usize::from(a)]);
        let second = u32::from(b).checked_sub(second_skips)?;
        triangle * 63 * 62 + second * 62 + squares_left
    } else if !on(b) {
        FIRST_OFF + first * 28 * 62 + below(b) * 62 + squares_left
    } else if !on(c) {
        let second = second.checked_sub(second_skips)?;
        FIRST_OFF + SECOND_OFF + first * 7 * 28 + second * 28 + below(c)
    } else {
        let second = second.checked_sub(second_skips)?;
        let third = third.checked_sub(third_skips)?;
        FIRST_OFF + SECOND_OFF + THIRD_OFF + first * 7 * 6 + second * 6 + third
    })
}

/// The pawns of one side: the outermost, of several the one furthest back, comes
/// first and on the left half; the others are a set among the squares that come
/// before it.
#[inline]
fn pawns(squares: &mut Squares, count: usize) -> Option<u32> {
    let outermost = |&place: &usize| {
        let square = folded(squares.at(place));
        (file(square), rank(square))
    };
    let lead = (0..count).min_by_key(outermost)?;
    squares.swap_first(lead);
    let first = squares.at(0);
    if file(first) > 3 {
        squares.turn(7);
    }
    let mut set = 0u64;
    for place in 1..count {
        set |= 1 << (PAWN_RANKING[usize::from(squares.at(place))] & 63);
    }
    let ranks = &PAWNS_BEFORE.get(count - 1)?[usize::from(file(folded(first)) & 3)];
    let mut number = *ranks.get(usize::from(rank(first)).checked_sub(1)?)?;
    let mut k = 1;
    while set != 0 {
        number += CHOOSE.get(k)?.get(set.trailing_zeros() as usize)?;
        k += 1;
        set &= set - 1;
    }
    Some(number)
}
