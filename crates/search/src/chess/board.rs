//! What the parts of the evaluation want to know about a position.

use quadrille_games::Side;
use quadrille_games::chess::{Chess, PieceKind};

use super::bits::{self, down, rank, reach};

/// Sets of pieces and attacks, gathered once per evaluation. Arrays of two are
/// indexed by [`Side`].
#[derive(Debug, Clone)]
pub(super) struct Board {
    /// By side and kind.
    pub(super) pieces: [[u64; 6]; 2],
    pub(super) sides: [u64; 2],
    pub(super) occupied: u64,
    pub(super) kings: [usize; 2],
    /// Rooks that may still castle, of both sides.
    pub(super) castling: u64,
    /// Squares that the side's pawns attack.
    pub(super) pawn_attacks: [u64; 2],
    /// Squares where its pieces move to some purpose.
    pub(super) area: [u64; 2],
    /// The king's square and what is around it, drawn in from the edge.
    pub(super) ring: [u64; 2],
    /// What each kind attacks; officers are added by the mobility count.
    pub(super) attacks: [[u64; 6]; 2],
    /// What anything attacks, and what at least two pieces attack.
    pub(super) attacked: [u64; 2],
    pub(super) attacked_twice: [u64; 2],
    /// What has gathered around the side's king, see
    /// [`king`](super::king).
    pub(super) pressure: [i32; 2],
    /// How many pieces press.
    pub(super) attackers: [i32; 2],
}

impl Board {
    pub(super) fn of(position: &Chess) -> Self {
        let sides = Side::BOTH.map(|side| position.by_side(side).0);
        let kinds = PieceKind::ALL.map(|kind| position.by_kind(kind).0);
        let pieces = sides.map(|own| kinds.map(|kind| kind & own));
        let kings = Side::BOTH.map(|side| position.king(side).index());
        let mut board = Self {
            pieces,
            sides,
            occupied: sides[0] | sides[1],
            kings,
            castling: position.castling().rooks().0,
            pawn_attacks: [0; 2],
            area: [0; 2],
            ring: [0; 2],
            attacks: [[0; 6]; 2],
            attacked: [0; 2],
            attacked_twice: [0; 2],
            pressure: [0; 2],
            attackers: [0; 2],
        };
        for side in Side::BOTH {
            board.start(side);
        }
        for side in Side::BOTH {
            let i = side.index();
            let pawns = pieces[i][0];
            // Pawns that cannot or should not move are obstacles, not targets.
            let stuck = pawns & (down(side, board.occupied) | rank(side, 1) | rank(side, 2));
            board.area[i] = !(stuck | pieces[i][5] | board.pawn_attacks[side.other().index()]);
        }
        board
    }

    /// Attacks of king and pawns, and the ring around the king.
    fn start(&mut self, side: Side) {
        let i = side.index();
        let pawns = self.pieces[i][0];
        let by_pawns = bits::pawn_attacks(side, pawns);
        let by_king = reach(PieceKind::King, self.kings[i], 0);
        self.pawn_attacks[i] = by_pawns;
        self.attacks[i][0] = by_pawns;
        self.attacks[i][5] = by_king;
        self.attacked[i] = by_pawns | by_king;
        self.attacked_twice[i] = by_pawns & by_king | bits::pawn_double_attacks(side, pawns);
        let centre = drawn_in(self.kings[i]);
        self.ring[i] = 1 << centre | reach(PieceKind::King, centre, 0);
    }

    #[inline(always)]
    pub(super) fn own(&self, side: Side, kind: PieceKind) -> u64 {
        self.pieces[side.index()][kind.index()]
    }

    /// Notes what one officer attacks.
    #[inline(always)]
    pub(super) fn note(&mut self, side: Side, kind: PieceKind, seen: u64) {
        let i = side.index();
        self.attacked_twice[i] |= self.attacked[i] & seen;
        self.attacked[i] |= seen;
        self.attacks[i][kind.index()] |= seen;
    }

    /// Officers and queen, without pawns and king.
    #[inline(always)]
    pub(super) fn officers(&self, side: Side) -> u64 {
        let i = side.index();
        self.sides[i] & !self.pieces[i][0] & !self.pieces[i][5]
    }
}

/// The square one step from the edge that is nearest to a king, so that a king
/// in the corner has as many squares around it as any other.
const fn drawn_in(king: usize) -> usize {
    const INSIDE: [usize; 8] = [1, 1, 2, 3, 4, 5, 6, 6];
    INSIDE[king >> 3 & 7] * 8 + INSIDE[king & 7]
}
