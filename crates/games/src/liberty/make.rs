//! Making and unmaking moves: piece lists, clocks, rights and the hash.

use super::Liberty;
use super::kind::{Kind, Piece, cell};
use super::moves::LibertyMove;
use crate::game::Side;
use crate::observer::Observer;
use crate::random::mix;

/// The squares a Pawn has just passed, as cells of one file; `low` is 0 when
/// there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Passage {
    pub(super) low: u32,
    pub(super) high: u32,
}

impl Passage {
    pub(super) const NONE: Self = Self { low: 0, high: 0 };

    #[inline(always)]
    pub(super) fn exists(self) -> bool {
        self.low != 0
    }

    pub(super) fn cells(self, stride: usize) -> impl Iterator<Item = usize> {
        (self.low as usize..=self.high as usize).step_by(stride)
    }

    pub(super) fn contains(self, cell: usize, stride: usize) -> bool {
        self.exists() && self.cells(stride).any(|at| at == cell)
    }
}

/// What kind of change a move was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Nothing moved: a pass, or nonsense that was not made.
    Nothing,
    /// One piece moved, perhaps taking another.
    Step,
    /// The same, and the Pawn became something else.
    Promotion,
    /// El Vaticano: a piece disappeared.
    Removal,
    /// A King and its partner moved.
    Castling,
}

/// What [`Liberty`] needs to take a move back.
#[derive(Debug, Clone)]
pub struct Undo {
    hash: u64,
    passage: Passage,
    /// The cell of the captured piece, or of the castling partner.
    other_cell: u32,
    /// Its place in the piece list.
    other_slot: u16,
    /// The place of a Pawn that became a King.
    pawn_slot: u16,
    halfmoves: u16,
    reversible: u16,
    /// The captured piece or the castling partner; empty if there is none.
    other: u8,
    rights: u8,
    action: Action,
}

/// Key of a piece on a square. Computed, not stored: a table for the largest
/// board would take 19 MB.
#[inline(always)]
fn piece_key(code: u8, square: u16) -> u64 {
    mix(0x6c8e_9cf5_7093_2bd5 ^ (u64::from(code) << 24 | u64::from(square)) << 8)
}

/// Key of the castling rights.
#[inline(always)]
fn rights_key(rights: u8) -> u64 {
    mix(0x2545_f491_4f6c_dd1d ^ u64::from(rights))
}

/// Key of the passed squares.
#[inline(always)]
fn passage_key(passage: Passage) -> u64 {
    if passage.exists() {
        let cells = u64::from(passage.low) << 32 | u64::from(passage.high);
        mix(0xd6e8_feb8_6659_fd93 ^ cells)
    } else {
        0
    }
}

/// Key of Black's turn.
const BLACK_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

/// The piece of a code that is known to be one.
#[inline(always)]
fn piece(code: u8) -> Piece {
    // A code on the board always has a kind; the fallback is unreachable but
    // cheaper to keep than a panic.
    let kind = Kind::from_code(code & cell::KIND).unwrap_or(Kind::Pawn);
    Piece {
        side: cell::side(code),
        kind,
    }
}

impl Liberty {
    /// The hash from nothing.
    pub(super) fn compute_hash(&self) -> u64 {
        let mut hash = self.setup.salt ^ rights_key(self.rights) ^ passage_key(self.passage);
        if self.side == Side::Black {
            hash ^= BLACK_TO_MOVE;
        }
        for list in &self.lists {
            for &at in list {
                let at = at as usize;
                hash ^= piece_key(self.board[at], self.setup.square(at));
            }
        }
        hash
    }

    /// The list a piece belongs to.
    #[inline(always)]
    fn list_of(code: u8) -> usize {
        cell::side(code).index() * 2 + usize::from(cell::is_king(code))
    }

    #[inline(always)]
    fn count_up(&mut self, code: u8) {
        let side = cell::side(code).index();
        let kind = usize::from(code & cell::KIND);
        self.counts[side][kind] += 1;
        self.present[side] |= 1 << kind;
    }

    #[inline(always)]
    fn count_down(&mut self, code: u8) {
        let side = cell::side(code).index();
        let kind = usize::from(code & cell::KIND);
        self.counts[side][kind] -= 1;
        if self.counts[side][kind] == 0 {
            self.present[side] &= !(1 << kind);
        }
    }

    /// Puts a new piece on an empty cell, at the end of its list.
    pub(super) fn insert(&mut self, at: usize, code: u8) {
        let list = &mut self.lists[Self::list_of(code)];
        self.slots[at] = list.len() as u16;
        list.push(at as u32);
        self.board[at] = code;
        self.count_up(code);
    }

    /// Takes back an [`insert`](Self::insert) that was the last of its list.
    fn take_back_insert(&mut self, at: usize) {
        let code = self.board[at];
        self.lists[Self::list_of(code)].pop();
        self.board[at] = cell::EMPTY;
        self.count_down(code);
    }

    /// Takes a piece off the board. The last piece of the list fills its place,
    /// which is returned.
    #[inline]
    fn remove(&mut self, at: usize) -> u16 {
        let code = self.board[at];
        let slot = self.slots[at];
        let list = &mut self.lists[Self::list_of(code)];
        if let Some(last) = list.pop()
            && let Some(place) = list.get_mut(usize::from(slot))
        {
            *place = last;
            self.slots[last as usize] = slot;
        }
        self.board[at] = cell::EMPTY;
        self.count_down(code);
        slot
    }

    /// Takes back a [`remove`](Self::remove): the list is in its old order
    /// again.
    #[inline]
    fn take_back_remove(&mut self, at: usize, code: u8, slot: u16) {
        let list = &mut self.lists[Self::list_of(code)];
        let end = list.len() as u16;
        if let Some(place) = list.get_mut(usize::from(slot)) {
            let filler = core::mem::replace(place, at as u32);
            list.push(filler);
            self.slots[filler as usize] = end;
        } else {
            list.push(at as u32);
        }
        self.slots[at] = slot;
        self.board[at] = code;
        self.count_up(code);
    }

    /// Moves a piece to an empty cell.
    #[inline(always)]
    fn slide(&mut self, from: usize, to: usize) {
        let code = self.board[from];
        let slot = self.slots[from];
        self.board[from] = cell::EMPTY;
        self.board[to] = code;
        self.slots[to] = slot;
        self.lists[Self::list_of(code)][usize::from(slot)] = to as u32;
    }

    /// Changes the kind of a Pawn; returns its place if it becomes a King.
    fn promote(&mut self, at: usize, code: u8) -> u16 {
        let pawn = self.board[at];
        if cell::is_king(code) {
            let slot = self.remove(at);
            self.insert(at, code);
            return slot;
        }
        self.board[at] = code;
        self.count_down(pawn);
        self.count_up(code);
        0
    }

    fn take_back_promotion(&mut self, at: usize, slot: u16) {
        let code = self.board[at];
        let pawn = cell::code(cell::side(code), Kind::Pawn);
        if cell::is_king(code) {
            self.take_back_insert(at);
            self.take_back_remove(at, pawn, slot);
        } else {
            self.board[at] = pawn;
            self.count_down(code);
            self.count_up(pawn);
        }
    }

    /// What is needed to come back here.
    fn snapshot(&self) -> Undo {
        Undo {
            hash: self.hash,
            passage: self.passage,
            other_cell: 0,
            other_slot: 0,
            pawn_slot: 0,
            halfmoves: self.halfmoves,
            reversible: self.reversible,
            other: cell::EMPTY,
            rights: self.rights,
            action: Action::Nothing,
        }
    }

    /// Turn, clocks and passage after a move or a pass.
    #[inline(always)]
    fn end_turn(&mut self, passage: Passage) {
        self.hash ^= passage_key(self.passage) ^ passage_key(passage) ^ BLACK_TO_MOVE;
        self.passage = passage;
        if self.side == Side::Black {
            self.fullmoves = self.fullmoves.wrapping_add(1);
        }
        self.side = self.side.other();
    }

    /// The cells of a move that could be one: an own piece and another square.
    #[inline(always)]
    fn cells_of(&self, m: LibertyMove) -> Option<(usize, usize)> {
        let from = self.setup.cell(m.from())?;
        let to = self.setup.cell(m.to())?;
        let own = self.board[from] & cell::side_bit(self.side) != 0;
        (own && from != to).then_some((from, to))
    }

    pub(super) fn do_move<O: Observer<Piece>>(&mut self, m: LibertyMove, observer: &mut O) -> Undo {
        let mut undo = self.snapshot();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.reversible = self.reversible.saturating_add(1);
        let mut passage = Passage::NONE;
        if let Some((from, to)) = self.cells_of(m) {
            let code = self.board[from];
            let kind = code & cell::KIND;
            let distance = from.abs_diff(to);
            if kind == Kind::King as u8 && distance == 2 {
                self.do_castling(from, to, &mut undo, observer);
                self.clear_rights(m);
            } else if kind == Kind::Bishop as u8 && self.is_el_vaticano(from, to) {
                self.do_removal(usize::midpoint(from, to), &mut undo, observer);
            } else {
                self.do_step(m, from, to, &mut undo, observer);
                if kind == Kind::Pawn as u8 && distance >= 2 * self.setup.stride {
                    let stride = self.setup.stride as u32;
                    passage = Passage {
                        low: from.min(to) as u32 + stride,
                        high: from.max(to) as u32 - stride,
                    };
                }
                self.clear_rights(m);
            }
        }
        self.end_turn(passage);
        undo
    }

    /// Whether a Bishop going from one cell to the other is El Vaticano: two
    /// own Bishops two apart on a rank or file, something between them.
    pub(super) fn is_el_vaticano(&self, from: usize, to: usize) -> bool {
        let distance = from.abs_diff(to);
        let straight = distance == 2 || distance == 2 * self.setup.stride;
        straight && self.board[to] == self.board[from] && {
            cell::is_piece(self.board[usize::midpoint(from, to)])
        }
    }

    #[inline(always)]
    fn clear_rights(&mut self, m: LibertyMove) {
        let cleared = self.setup.clears(m.from()) | self.setup.clears(m.to());
        if self.rights & cleared != 0 {
            self.hash ^= rights_key(self.rights);
            self.rights &= !cleared;
            self.hash ^= rights_key(self.rights);
        }
    }

    /// Removes a piece that is captured and stops the clocks.
    #[inline(always)]
    fn capture<O: Observer<Piece>>(&mut self, at: usize, undo: &mut Undo, observer: &mut O) {
        let code = self.board[at];
        let square = self.setup.square(at);
        observer.removed(piece(code), square);
        self.hash ^= piece_key(code, square);
        undo.other = code;
        undo.other_cell = at as u32;
        undo.other_slot = self.remove(at);
        self.halfmoves = 0;
        self.reversible = 0;
    }

    fn do_removal<O: Observer<Piece>>(&mut self, middle: usize, undo: &mut Undo, observer: &mut O) {
        undo.action = Action::Removal;
        self.capture(middle, undo, observer);
    }

    #[inline(always)]
    fn do_step<O: Observer<Piece>>(
        &mut self,
        m: LibertyMove,
        from: usize,
        to: usize,
        undo: &mut Undo,
        observer: &mut O,
    ) {
        undo.action = Action::Step;
        let code = self.board[from];
        let is_pawn = code & cell::KIND == Kind::Pawn as u8;
        if self.board[to] != cell::EMPTY {
            self.capture(to, undo, observer);
        } else if is_pawn
            && self.passage.exists()
            && self.is_en_passant(from, to)
            && let Some(victim) = self.passage_victim()
        {
            self.capture(victim, undo, observer);
        }
        if is_pawn {
            self.halfmoves = 0;
            self.reversible = 0;
        }
        self.slide(from, to);
        observer.moved(piece(code), m.from(), m.to());
        self.hash ^= piece_key(code, m.from()) ^ piece_key(code, m.to());
        if is_pawn && let Some(kind) = m.promotion() {
            let code_after = cell::code(self.side, kind);
            undo.action = Action::Promotion;
            undo.pawn_slot = self.promote(to, code_after);
            observer.removed(piece(code), m.to());
            observer.added(piece(code_after), m.to());
            self.hash ^= piece_key(code, m.to()) ^ piece_key(code_after, m.to());
        }
    }

    /// Whether a Pawn going to this empty cell takes en passant: it leaves its
    /// file for one of the passed squares.
    pub(super) fn is_en_passant(&self, from: usize, to: usize) -> bool {
        let stride = self.setup.stride;
        !from.abs_diff(to).is_multiple_of(stride) && self.passage.contains(to, stride)
    }

    fn do_castling<O: Observer<Piece>>(
        &mut self,
        from: usize,
        to: usize,
        undo: &mut Undo,
        observer: &mut O,
    ) {
        let Some(castling) = self.setup.castling(self.side, from, to > from) else {
            return;
        };
        // Only an illegal move can find something in the way here.
        let in_way = |at: usize| at != castling.partner && self.board[at] != cell::EMPTY;
        if castling.target != to || in_way(to) || in_way(castling.crossed) {
            return;
        }
        undo.action = Action::Castling;
        let partner = self.board[castling.partner];
        if cell::is_piece(partner) {
            undo.other = partner;
            undo.other_cell = castling.partner as u32;
            self.slide_and_tell(castling.partner, castling.crossed, observer);
        }
        self.slide_and_tell(from, to, observer);
    }

    fn slide_and_tell<O: Observer<Piece>>(&mut self, from: usize, to: usize, observer: &mut O) {
        let code = self.board[from];
        let (start, end) = (self.setup.square(from), self.setup.square(to));
        self.slide(from, to);
        observer.moved(piece(code), start, end);
        self.hash ^= piece_key(code, start) ^ piece_key(code, end);
    }

    pub(super) fn undo_move(&mut self, m: LibertyMove, undo: &Undo) {
        self.restore(undo);
        let (Some(from), Some(to)) = (self.setup.cell(m.from()), self.setup.cell(m.to())) else {
            return;
        };
        let other_cell = undo.other_cell as usize;
        match undo.action {
            Action::Nothing => {}
            Action::Step | Action::Promotion => {
                if undo.action == Action::Promotion {
                    self.take_back_promotion(to, undo.pawn_slot);
                }
                self.slide(to, from);
                if undo.other != cell::EMPTY {
                    self.take_back_remove(other_cell, undo.other, undo.other_slot);
                }
            }
            Action::Removal => self.take_back_remove(other_cell, undo.other, undo.other_slot),
            Action::Castling => {
                self.slide(to, from);
                if undo.other != cell::EMPTY {
                    self.slide(usize::midpoint(from, to), other_cell);
                }
            }
        }
    }

    pub(super) fn do_pass(&mut self) -> Undo {
        let undo = self.snapshot();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.reversible = self.reversible.saturating_add(1);
        self.end_turn(Passage::NONE);
        undo
    }

    /// Everything but the pieces.
    pub(super) fn restore(&mut self, undo: &Undo) {
        self.side = self.side.other();
        if self.side == Side::Black {
            self.fullmoves = self.fullmoves.wrapping_sub(1);
        }
        self.hash = undo.hash;
        self.passage = undo.passage;
        self.halfmoves = undo.halfmoves;
        self.reversible = undo.reversible;
        self.rights = undo.rights;
    }
}
