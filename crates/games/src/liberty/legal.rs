//! Whether one given move is legal, without listing the others; and what a
//! legal move does, for those who order moves.

use super::Liberty;
use super::attack::shift;
use super::generate::is_teleporter;
use super::kind::{Kind, Piece, cell};
use super::moves::LibertyMove;

impl Liberty {
    /// Whether the move is legal, whatever the state of the game.
    pub(super) fn is_move_legal(&self, m: LibertyMove) -> bool {
        let Some((from, to)) = self.own_move(m) else {
            return false;
        };
        let code = self.board[from];
        let kind = code & cell::KIND;
        if kind == Kind::Pawn as u8 {
            return self.is_pawn_move_legal(m, from, to);
        }
        if m.promotion_code() != 0 {
            return false;
        }
        if kind == Kind::King as u8 && from.abs_diff(to) == 2 {
            return !self.any_king_attacked() && self.castling_target(from, to > from) == Some(to);
        }
        if kind == Kind::Bishop as u8 && self.is_el_vaticano(from, to) {
            return self.el_vaticano_is_legal(usize::midpoint(from, to));
        }
        self.reaches(kind, from, to) && self.safe_after(from, to, code)
    }

    /// The cells of a move of an own piece.
    fn own_move(&self, m: LibertyMove) -> Option<(usize, usize)> {
        let from = self.setup.cell(m.from())?;
        let to = self.setup.cell(m.to())?;
        let own = self.board[from] & cell::side_bit(self.side) != 0;
        (own && from != to).then_some((from, to))
    }

    /// Whether any King of the side to move is attacked.
    pub(super) fn any_king_attacked(&self) -> bool {
        !self.kings_safe(&*self.board, &[])
    }

    /// Whether a piece other than a Pawn goes from one cell to the other and
    /// may take what stands there.
    fn reaches(&self, kind: u8, from: usize, to: usize) -> bool {
        let content = self.board[to];
        if content != cell::EMPTY {
            let mover = Kind::from_code(kind);
            let victim = Kind::from_code(content & cell::KIND);
            let strong = matches!((mover, victim), (Some(a), Some(b)) if a.captures(b));
            if !strong || !self.may_be_taken(content) {
                return false;
            }
        }
        if is_teleporter(kind) {
            return content == cell::EMPTY;
        }
        let steps = &self.setup.steps[usize::from(kind)];
        // Between two squares of the board a difference of cell numbers stands
        // for one displacement only.
        let difference = to as i32 - from as i32;
        steps.leaps().contains(&difference)
            || steps
                .rides()
                .iter()
                .any(|&ride| self.rides_to(from, to, ride))
    }

    fn rides_to(&self, from: usize, to: usize, ride: i32) -> bool {
        let mut at = shift(from, ride);
        while at != to && self.board[at] == cell::EMPTY {
            at = shift(at, ride);
        }
        at == to
    }

    fn is_pawn_move_legal(&self, m: LibertyMove, from: usize, to: usize) -> bool {
        let rules = &self.setup.pawns[self.side.index()];
        let promotion = m.promotion_code();
        let promotion_fits = if rules.promotes(to) {
            let listed = &self.setup.promotions;
            listed.iter().any(|&kind| kind as u8 == promotion)
        } else {
            promotion == 0
        };
        if !promotion_fits {
            return false;
        }
        let difference = to as i32 - from as i32;
        if (difference - rules.forward).abs() == 1 {
            let content = self.board[to];
            if content == cell::EMPTY && self.is_en_passant(from, to) {
                return self
                    .passage_victim()
                    .is_some_and(|victim| self.en_passant_is_legal(from, to, victim));
            }
            return self.may_be_taken(content)
                && !cell::is_king(content)
                && self.safe_after(from, to, self.board[from]);
        }
        if difference % rules.forward != 0 || difference / rules.forward < 1 {
            return false;
        }
        let steps = (difference / rules.forward) as u32;
        let long_ok = steps <= self.setup.variant.pawn_steps && rules.may_leap(from);
        (steps == 1 || long_ok)
            && (1..=steps as i32).all(|i| self.board[shift(from, rules.forward * i)] == cell::EMPTY)
            && self.safe_after(from, to, self.board[from])
    }

    /// The cell of the piece that a legal move takes off the board.
    fn victim_cell(&self, m: LibertyMove) -> Option<usize> {
        let (from, to) = self.own_move(m)?;
        let kind = self.board[from] & cell::KIND;
        if kind == Kind::King as u8 && from.abs_diff(to) == 2 {
            None
        } else if kind == Kind::Bishop as u8 && self.is_el_vaticano(from, to) {
            Some(usize::midpoint(from, to))
        } else if self.board[to] != cell::EMPTY {
            Some(to)
        } else if kind == Kind::Pawn as u8 && self.is_en_passant(from, to) {
            self.passage_victim()
        } else {
            None
        }
    }

    /// The piece a legal move takes, wherever it stands: en passant and El
    /// Vaticano do not take on the target square. May be an own piece under
    /// friendly fire.
    pub fn captured(&self, m: LibertyMove) -> Option<Piece> {
        cell::piece(self.board[self.victim_cell(m)?])
    }

    /// The piece that a legal move moves (for El Vaticano, the first Bishop).
    pub fn moved(&self, m: LibertyMove) -> Option<Piece> {
        self.piece_at(m.from())
    }

    /// Whether a legal move is castling.
    pub fn is_castling(&self, m: LibertyMove) -> bool {
        self.own_move(m)
            .is_some_and(|(from, to)| cell::is_king(self.board[from]) && from.abs_diff(to) == 2)
    }

    /// Whether a legal move is El Vaticano: the two Bishops stay, the piece
    /// between them goes.
    pub fn is_removal(&self, m: LibertyMove) -> bool {
        self.own_move(m).is_some_and(|(from, to)| {
            self.board[from] == cell::code(self.side, Kind::Bishop) && self.is_el_vaticano(from, to)
        })
    }

    /// Whether a legal move takes an enemy, or promotes to the strongest kind
    /// there is.
    pub(super) fn is_tactical_move(&self, m: LibertyMove) -> bool {
        match self.victim_cell(m) {
            Some(at) => self.board[at] & cell::side_bit(self.side.other()) != 0,
            None => m.promotion() == Some(self.setup.strongest),
        }
    }
}
