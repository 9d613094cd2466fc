//! Material, beams, and where the Kings stand to each other.
//!
//! The rules of Leiserchess know no direction: every turn or mirror image of a
//! board is as good as the board. So nothing here asks for a rank or a file,
//! only for distances and for the way to the other King.

use quadrille_games::leiser::{Leiser, Piece, Square, SquareSet};
use quadrille_games::{Observer, Position, Side};

use super::geometry::{Geometry, OFFSETS, geometry};
use crate::playable::{Evaluator, Term};
use crate::score::{MAX_EVAL, Value};
use crate::tally::{Counts, Sum, Tally};
use crate::tuning::{Formula, WeightedSum};

const PAWN: usize = 0;
/// Pawns in the rectangle between the Kings.
const BETWEEN: usize = 1;
const CENTRE: usize = 2;
/// How far the laser looks towards the enemy King, in sixteenths.
const FACE: usize = 3;
/// Room behind the King, in 64ths of the board.
const BEHIND: usize = 4;
/// Beam squares by how they lie to the enemy King.
const BEAM: usize = 5;
/// Squares around the King that the enemy beam leaves alone.
const ROOM: usize = BEAM + OFFSETS;
/// Pawns that the enemy beam pins.
const PINNED: usize = ROOM + 1;
/// Mirrors by how much they look at the enemy King: away, away by one
/// coordinate, neither, half, fully.
const LOOK: usize = PINNED + 1;
const TEMPO: usize = LOOK + 5;
/// Pawns by how they lie to the own King, and to the enemy's.
const GUARD: usize = TEMPO + 1;
const STORM: usize = GUARD + OFFSETS;
/// Own Pawns that bend the own beam.
const MIRROR: usize = STORM + OFFSETS;
/// Squares from which a beam could come straight at the own King.
const OPEN: usize = MIRROR + 1;
/// Those of them that the enemy beam touches: one mirror there is the end.
const CROSSED: usize = OPEN + 1;
const COUNT: usize = CROSSED + 1;

/// Hundredths of a pawn.
#[rustfmt::skip]
const WEIGHTS: [Value; COUNT] = [
    81, 23, 0, 5, 8,
    0, 11, -19, 7, 18, 14, -20, 21, 6, -23, -6, 6, 4, 20, -4,
    2, -8, -16, -12, 4, 16, 6, 4,
    0, 20, 29, 12, 12, -2, -4, 7, -2, -8, -11, 0, -9, -8, -16,
    0, 15, 28, 24, 26, 6, 20, 20, 6, 14, -4, 9, 8, -14, -18,
    -6, 0, -4,
];

const NAMES: [(&str, usize, usize); 8] = [
    ("pawns", PAWN, BETWEEN),
    ("placement", BETWEEN, FACE),
    ("kings", FACE, BEAM),
    ("beam", BEAM, ROOM),
    ("room", ROOM, PINNED),
    ("mirrors", PINNED, TEMPO),
    ("pawns and kings", GUARD, MIRROR),
    ("exposure", MIRROR, COUNT),
];

/// The evaluation of Leiserchess. The position keeps both beams up to date, so
/// there is little to follow.
#[derive(Debug, Clone)]
pub struct LeiserEval {
    geometry: &'static Geometry,
}

impl Observer<Piece> for LeiserEval {
    #[inline(always)]
    fn added(&mut self, _: Piece, _: u16) {}

    #[inline(always)]
    fn removed(&mut self, _: Piece, _: u16) {}
}

impl Evaluator<Leiser> for LeiserEval {
    fn new(position: &Leiser) -> Self {
        Self {
            geometry: geometry(position.size().0),
        }
    }

    #[inline(always)]
    fn push(&mut self) {}

    #[inline(always)]
    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Leiser) -> Value {
        let mut sum = Sum::new(&WEIGHTS);
        count(self.geometry, position, &mut sum);
        let white = sum.difference().clamp(-MAX_EVAL, MAX_EVAL);
        match position.side() {
            Side::White => white,
            Side::Black => -white,
        }
    }

    fn terms(&mut self, position: &Leiser) -> Vec<Term> {
        let mut counts = Counts::new(COUNT);
        count(self.geometry, position, &mut counts);
        let term = |(name, from, to)| Term {
            name,
            sides: counts.share(&WEIGHTS, from..to),
        };
        NAMES.into_iter().map(term).collect()
    }
}

fn count(geometry: &Geometry, position: &Leiser, tally: &mut impl Tally) {
    tally.add(position.side(), TEMPO, 1);
    for side in Side::BOTH {
        let (Some(own), Some(enemy)) = (position.king(side), position.king(side.other())) else {
            // A position without a King is decided; the search never asks.
            tally.add(side, PAWN, position.squares_of(side).len() as Value);
            continue;
        };
        count_pawns(geometry, position, side, (own, enemy), tally);
        count_king(geometry, position, side, (own, enemy), tally);
        count_beam(geometry, position, side, enemy, tally);
    }
}

fn count_pawns(
    geometry: &Geometry,
    position: &Leiser,
    side: Side,
    (own, enemy): (Square, Square),
    tally: &mut impl Tally,
) {
    let pawns = position.squares_of(side) & !SquareSet::of(own);
    tally.add(side, PAWN, pawns.len() as Value);
    let mirrors = pawns & position.lit(side);
    tally.add(side, MIRROR, mirrors.len() as Value);
    let between = pawns & geometry.rectangle(own, enemy);
    tally.add(side, BETWEEN, between.len() as Value);
    if position.rules().features().pins {
        let pinned = pawns & position.lit(side.other());
        tally.add(side, PINNED, pinned.len() as Value);
    }
    let (file, rank) = geometry.place(enemy);
    for pawn in pawns {
        tally.add(side, CENTRE, geometry.centrality[pawn.index() & 127]);
        tally.add(side, GUARD + geometry.offset(pawn, own), 1);
        tally.add(side, STORM + geometry.offset(pawn, enemy), 1);
        let Some(piece) = position.piece_at(pawn) else {
            continue;
        };
        let (f, r) = geometry.place(pawn);
        let look = mirror_look(piece, (file - f).signum(), (rank - r).signum());
        tally.add(side, LOOK + look, 1);
    }
}

/// 0 to 4: how much a mirror looks into this direction.
#[inline(always)]
fn mirror_look(piece: Piece, east: Value, north: Value) -> usize {
    // North-west, north-east, south-east, south-west.
    const LOOKS: [(Value, Value); 4] = [(-1, 1), (1, 1), (1, -1), (-1, -1)];
    let (x, y) = LOOKS[usize::from(piece.orientation())];
    (2 + x * east + y * north) as usize
}

fn count_king(
    geometry: &Geometry,
    position: &Leiser,
    side: Side,
    (own, enemy): (Square, Square),
    tally: &mut impl Tally,
) {
    let ((f, r), (file, rank)) = (geometry.place(own), geometry.place(enemy));
    let (dx, dy) = (file - f, rank - r);
    let distance = (dx.abs() + dy.abs()).max(1);
    let heading = position.piece_at(own).map_or(0, Piece::orientation);
    let along = [dy, dx, -dy, -dx][usize::from(heading & 3)];
    tally.add(side, FACE, 16 * along / distance);
    tally.add(side, BEHIND, geometry.behind(own, enemy));
    let room = geometry.room[own.index() & 127] & !position.lit(side.other());
    tally.add(side, ROOM, room.len() as Value);
    let open = geometry.open(own, position.occupied());
    tally.add(side, OPEN, open.len() as Value);
    let crossed = open & position.lit(side.other());
    tally.add(side, CROSSED, crossed.len() as Value);
}

fn count_beam(
    geometry: &Geometry,
    position: &Leiser,
    side: Side,
    enemy: Square,
    tally: &mut impl Tally,
) {
    for square in position.lit(side) {
        tally.add(side, BEAM + geometry.offset(square, enemy), 1);
    }
}

impl WeightedSum for Leiser {
    fn weights() -> Vec<Value> {
        WEIGHTS.to_vec()
    }

    fn formula(&self) -> Formula {
        let mut counts = Counts::new(COUNT);
        count(geometry(self.size().0), self, &mut counts);
        Formula {
            fixed: 0.0,
            factors: counts.differences(),
        }
    }
}
