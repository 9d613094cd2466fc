//! The laser: tracing a beam, fast for the rules and in full for drawing.

use super::board::Leiser;
use super::geometry::{Geometry, Heading, Square, SquareSet};
use super::moves::Move;
use super::piece::{Cell, Piece};
use crate::game::Side;

/// Where a beam goes after meeting a piece, by its own direction and the
/// piece's King bit and orientation; 4 means that it strikes.
///
/// A mirror takes a beam that comes from one of the two sides it looks to and
/// sends it out of the other; from behind it is struck. A King always is.
const NEXT: [[u8; 8]; 4] = [
    // NW NE SE SW, then the Kings
    [STRIKE, STRIKE, 1, 3, STRIKE, STRIKE, STRIKE, STRIKE],
    [0, STRIKE, STRIKE, 2, STRIKE, STRIKE, STRIKE, STRIKE],
    [3, 1, STRIKE, STRIKE, STRIKE, STRIKE, STRIKE, STRIKE],
    [STRIKE, 0, 2, STRIKE, STRIKE, STRIKE, STRIKE, STRIKE],
];
const STRIKE: u8 = 4;

#[inline(always)]
const fn next(heading: Heading, piece: Piece) -> Option<Heading> {
    let next = NEXT[heading as usize][piece.index() & 7];
    if next == STRIKE {
        None
    } else {
        Some(Heading::from_index(next))
    }
}

/// A traced beam in the short form the rules need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trace {
    /// Every square the beam touches after the King's own, the last included.
    pub(super) lit: SquareSet,
    /// What it strikes, if it does not leave the board.
    pub(super) struck: Option<Square>,
}

impl Trace {
    pub(super) const NONE: Self = Self {
        lit: SquareSet::EMPTY,
        struck: None,
    };
}

/// Traces the beam of the King on `king`, ray by ray.
///
/// It ends: run backwards, a beam is a beam too, so every square and direction
/// has one way in; a loop would have to contain its own start, and the start
/// is a King, which no beam leaves twice.
#[inline]
pub(super) fn trace(
    geometry: &Geometry,
    cells: &[Cell; 100],
    occupied: SquareSet,
    king: Square,
) -> Trace {
    let mut lit = SquareSet::EMPTY;
    let Some(piece) = cells[king.index()].piece() else {
        return Trace::NONE;
    };
    let mut heading = Heading::from_index(piece.orientation());
    let mut square = king;
    loop {
        let ray = geometry.rays[heading as usize][square.index() & 127];
        let hits = ray & occupied;
        if hits.is_empty() {
            return Trace {
                lit: lit | ray,
                struck: None,
            };
        }
        square = first(hits, heading);
        lit |= ray & !geometry.rays[heading as usize][square.index() & 127];
        let turned = cells[square.index()].piece().and_then(|p| next(heading, p));
        match turned {
            Some(turned) => heading = turned,
            None => {
                return Trace {
                    lit,
                    struck: Some(square),
                };
            }
        }
    }
}

/// The first square of a non-empty set that a beam meets.
#[inline(always)]
fn first(set: SquareSet, heading: Heading) -> Square {
    Square::new(match heading {
        Heading::North | Heading::East => set.0.trailing_zeros() as u8,
        Heading::South | Heading::West => 127 - set.0.leading_zeros() as u8,
    })
}

/// How a beam ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BeamEnd {
    /// It leaves the board.
    OffBoard,
    /// It strikes the back of a Pawn.
    Pawn(Square),
    /// It strikes a King, perhaps the one that fires.
    King(Square),
}

/// One square of a beam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BeamStep {
    /// The square.
    pub square: Square,
    /// The direction in which the beam comes.
    pub entering: Heading,
    /// The direction in which it goes on; `None` where it ends.
    pub leaving: Option<Heading>,
}

/// A beam, square by square, as a board would draw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beam {
    /// The King that fires.
    pub king: Square,
    /// Where its laser points.
    pub heading: Heading,
    /// The squares after the King's own, in order. A square can occur twice,
    /// when beams cross or a mirror is met from both sides.
    pub path: Vec<BeamStep>,
    /// How it ends.
    pub end: BeamEnd,
}

/// One shot of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shot {
    /// The beam on the board as it was at that moment.
    pub beam: Beam,
    /// What it removed.
    pub zapped: Option<(Square, Piece)>,
}

/// What a move does to the pieces: for drawing and for game records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fire {
    /// The Pawn that was stomped (2014 and 2015), before the laser fired.
    pub stomped: Option<(Square, Piece)>,
    /// The shots in order; in a year with repeated zaps the last one leaves
    /// the board or strikes a King.
    pub shots: Vec<Shot>,
}

impl Fire {
    /// The zapped pieces in order.
    pub fn zapped(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.shots.iter().filter_map(|shot| shot.zapped)
    }
}

impl Leiser {
    /// The beam that a side's King would fire now; `None` if its King is gone.
    ///
    /// ```
    /// use quadrille_games::leiser::{BeamEnd, Leiser, LeiserRules};
    /// use quadrille_games::{Position, Side};
    /// let start = Leiser::start(&LeiserRules::default());
    /// let beam = start.beam(Side::White).unwrap();
    /// // h1, h2, h3, and the mirror on h4 turns it off the board.
    /// assert_eq!(beam.path.len(), 4);
    /// assert_eq!(beam.end, BeamEnd::OffBoard);
    /// ```
    pub fn beam(&self, side: Side) -> Option<Beam> {
        let king = self.king(side)?;
        let heading = Heading::from_index(self.piece_at(king)?.orientation());
        let mut path = Vec::new();
        let mut end = BeamEnd::OffBoard;
        let mut at = king;
        let mut going = Some(heading);
        while let Some(entering) = going
            && let Some(square) = self.ahead(at, entering)
        {
            let piece = self.piece_at(square);
            going = piece.map_or(Some(entering), |p| next(entering, p));
            if going.is_none() {
                end = if piece.is_some_and(Piece::is_king) {
                    BeamEnd::King(square)
                } else {
                    BeamEnd::Pawn(square)
                };
            }
            path.push(BeamStep {
                square,
                entering,
                leaving: going,
            });
            at = square;
        }
        Some(Beam {
            king,
            heading,
            path,
            end,
        })
    }

    /// The next square in a direction.
    fn ahead(&self, square: Square, heading: Heading) -> Option<Square> {
        let ray = self.geometry().rays[heading as usize][square.index() & 127];
        (!ray.is_empty()).then(|| first(ray, heading))
    }

    /// What a legal move does: the stomped Pawn, the beams and the zaps, in
    /// order. The position itself stays as it is.
    pub fn fire(&self, m: Move) -> Fire {
        let mut board = *self;
        let moved = board.displace(m, &mut ());
        let stomped = moved.stomped.then(|| m.to());
        let mut shots = Vec::new();
        while let Some(beam) = board.beam(self.side) {
            let target = match beam.end {
                BeamEnd::OffBoard => None,
                BeamEnd::Pawn(square) | BeamEnd::King(square) => Some(square),
            };
            let zapped = target.and_then(|s| Some((s, board.take(s)?)));
            let again = matches!(beam.end, BeamEnd::Pawn(_)) && self.features().repeated_zaps;
            shots.push(Shot { beam, zapped });
            if !again {
                break;
            }
        }
        Fire {
            stomped: stomped.and_then(|s| Some((s, self.piece_at(s)?))),
            shots,
        }
    }
}
