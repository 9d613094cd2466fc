//! Where pieces like to stand, computed once for a variant.
//!
//! A square matters through its distance to the nearest edges, so a table per
//! kind has 8 by 8 entries whatever the size of the board. What that cannot
//! know, one's own half from the enemy's, is learnt from games ([`LEARNT`]) on a
//! coarse grid that is stretched over the board.

use quadrille_games::Side;
use quadrille_games::liberty::{Kind, Liberty, Piece};

use super::piece_values::{PAWN, Values, average_mobility, gaits, mobility, values};
use super::weights::{ADVANCE, Gang, KING_PLACE, LEARNT, PAWN_PLACE, PERCENT, PLACES};
use crate::pair::Pair;
use crate::score::Value;

/// Distances to an edge that are told apart.
const EDGE: usize = 8;

/// What stays the same for all positions of a variant.
#[derive(Debug)]
pub(super) struct Placement {
    pub(super) values: &'static Values,
    pub(super) width: u16,
    pub(super) height: u16,
    /// By kind and edge class.
    places: Vec<[Pair; EDGE * EDGE]>,
    /// By ranks to go to promotion.
    pawns: Vec<Pair>,
    /// Value of a kind, with what the phase of the game does to it.
    worth: [Pair; 19],
    /// What a kind usually attacks, and with whom it compares.
    pub(super) usual: [Value; 19],
    pub(super) gangs: [Gang; 19],
    /// By ranks to go: how near the prize is, in eighths of a pawn.
    pub(super) near: Vec<Value>,
    /// Edge class of each square.
    classes: Box<[u8]>,
    /// Zone of each square of the learnt tables, as each side sees it.
    zones: [Box<[u8]>; 2],
    /// Material (both sides, without Pawns) with which the middle game ends.
    pub(super) full: Value,
}

impl Placement {
    pub(super) fn new(position: &Liberty) -> Self {
        let variant = position.variant();
        let (width, height) = (variant.width, variant.height);
        let values = values(width, height);
        let size = (i32::from(width), i32::from(height));
        let gangs = gangs();
        let mut places = vec![[Pair::default(); EDGE * EDGE]; 19];
        for kind in Kind::ALL {
            let share = PLACES[place_of(kind, gangs[kind as usize])];
            places[kind as usize] = place_table(kind, size).map(|pair| percent(pair, share));
        }
        let best = variant.promotions.iter().map(|&k| values[k as usize]).max();
        let prize = (best.unwrap_or(PAWN) - PAWN).max(0);
        let class = |square: usize| {
            let (file, rank) = (square % usize::from(width), square / usize::from(width));
            let edge = |at: usize, size: u16| at.min(usize::from(size) - 1 - at).min(EDGE - 1);
            (edge(file, width) * EDGE + edge(rank, height)) as u8
        };
        Self {
            values,
            width,
            height,
            places,
            pawns: (0..i32::from(height))
                .map(|togo| percent(advance(togo, prize), PLACES[ADVANCE]))
                .collect(),
            worth: worths(values),
            usual: by_kind(|kind| average_mobility(kind, (size.0 + size.1) / 2).round() as Value),
            gangs,
            near: (0..i32::from(height))
                .map(|togo| nearness(togo, prize))
                .collect(),
            classes: (0..variant.squares()).map(class).collect(),
            zones: Side::BOTH.map(|side| {
                // The last square of the largest board still fits.
                let squares = (0..variant.squares()).map(|square| square as u16);
                squares.map(|at| zone(side, at, (width, height))).collect()
            }),
            full: 800 * Value::from(width),
        }
    }

    /// Value and place of a piece.
    #[inline]
    pub(super) fn of(&self, piece: Piece, square: u16) -> Pair {
        let kind = piece.kind as usize;
        let class = usize::from(self.classes[usize::from(square)]);
        let mut pair =
            self.worth[kind] + self.places[kind][class] + LEARNT[kind][self.zone(piece, square)];
        if piece.kind == Kind::Pawn {
            pair += self.pawns[self.ranks_to_go(piece.side, square)];
        }
        pair
    }

    /// The parts of which [`of`](Self::of) is the sum: the value of the kind,
    /// its place, and how far a Pawn has come.
    pub(super) fn parts(&self, piece: Piece, square: u16) -> [Pair; 3] {
        let kind = piece.kind as usize;
        let class = usize::from(self.classes[usize::from(square)]);
        let advance = match piece.kind {
            Kind::Pawn => self.pawns[self.ranks_to_go(piece.side, square)],
            _ => Pair::default(),
        };
        [self.worth[kind], self.places[kind][class], advance]
    }

    /// The zone of the learnt tables in which a piece stands.
    #[inline]
    pub(super) fn zone(&self, piece: Piece, square: u16) -> usize {
        usize::from(self.zones[piece.side.index()][usize::from(square)])
    }

    /// How many steps of a King lie between two squares.
    #[inline]
    pub(super) fn steps(&self, a: u16, b: u16) -> u16 {
        let files = (a % self.width).abs_diff(b % self.width);
        let ranks = (a / self.width).abs_diff(b / self.width);
        files.max(ranks)
    }

    /// How many ranks a Pawn is from promotion.
    #[inline]
    pub(super) fn ranks_to_go(&self, side: Side, square: u16) -> usize {
        let rank = square / self.width;
        usize::from(match side {
            Side::White => self.height - 1 - rank,
            Side::Black => rank,
        })
    }
}

/// The zone of a square: eight slices from the own end to the other, four from the
/// edge to the middle file.
fn zone(side: Side, square: u16, (width, height): (u16, u16)) -> u8 {
    let (file, rank) = (square % width, square / width);
    let file = file.min(width - 1 - file);
    let rank = match side {
        Side::White => rank,
        Side::Black => height - 1 - rank,
    };
    let slice = |at: u16, size: u16| u32::from(at) * 8 / u32::from(size);
    (slice(rank, height) * 4 + slice(file, width).min(3)) as u8
}

/// A table with one entry per kind, by discriminant.
fn by_kind<T: Copy>(of: impl Fn(Kind) -> T) -> [T; 19] {
    let mut table = [of(Kind::Pawn); 19];
    for kind in Kind::ALL {
        table[kind as usize] = of(kind);
    }
    table
}

fn worths(values: &Values) -> [Pair; 19] {
    by_kind(|kind| percent(Pair::both(values[kind as usize]), PERCENT[kind as usize]))
}

fn percent(pair: Pair, percent: Pair) -> Pair {
    Pair::new(
        pair.middlegame() * percent.middlegame() / 100,
        pair.endgame() * percent.endgame() / 100,
    )
}

/// Which of [`PLACES`] is about this kind.
pub(super) fn place_of(kind: Kind, gang: Gang) -> usize {
    match kind {
        Kind::King => KING_PLACE,
        Kind::Pawn => PAWN_PLACE,
        _ => gang as usize,
    }
}

fn gangs() -> [Gang; 19] {
    by_kind(|kind| match gaits(kind) {
        [gait] if gait.rides => Gang::Rider,
        [_] => Gang::Leaper,
        [.., last] if last.rides => Gang::Compound,
        _ => Gang::Leaper,
    })
}

fn nearness(togo: i32, prize: Value) -> Value {
    // On its last rank a Pawn cannot move any more.
    if togo == 0 {
        return 0;
    }
    prize * 8 / (100 * (togo + 1) * (togo + 1))
}

/// Pawns become more valuable the nearer they are to a prize.
fn advance(togo: i32, prize: Value) -> Pair {
    if togo == 0 {
        return Pair::both(-PAWN / 2);
    }
    let near = prize / ((togo + 1) * (togo + 1));
    Pair::new(near / 3 - 15, near / 2 + 10)
}

/// The centre is worth what it adds to mobility; Kings avoid it until the
/// board is empty.
fn place_table(kind: Kind, size: (i32, i32)) -> [Pair; EDGE * EDGE] {
    let mut table = [Pair::default(); EDGE * EDGE];
    let centre = (size.0 / 2, size.1 / 2);
    let best = mobility(kind, centre, size);
    for (class, pair) in table.iter_mut().enumerate() {
        let at = ((class / EDGE) as i32, (class % EDGE) as i32);
        if at.0 * 2 > size.0 || at.1 * 2 > size.1 {
            continue;
        }
        let lost = (mobility(kind, at, size) - best).min(0.0);
        let inner = at.0.min(3) + at.1.min(3);
        *pair = match kind {
            Kind::King => Pair::new(-8 * inner, 8 * inner),
            Kind::Pawn => Pair::new(4 * at.0.min(3), 0),
            Kind::Obstacle | Kind::Wall => Pair::default(),
            // One step at a time: what counts is how soon it is anywhere. An
            // Elephant in the centre is hardly ever driven away.
            Kind::Elephant => Pair::new(40 * (inner - 4), 32 * (inner - 4)),
            Kind::Mann => Pair::new(10 * (inner - 4), 12 * (inner - 4)),
            _ => Pair::both((7.0 * lost).round() as Value),
        };
    }
    table
}
