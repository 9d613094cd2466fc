//! Liberty Chess: eighteen kinds of piece on boards from 2x2 to 256x256.
//!
//! A game is described by its L-FEN, which carries the options as well as the
//! position: how far Pawns advance, where castling happens, what Pawns become,
//! and whether own pieces may be captured ("friendly fire"). The options live
//! in a [`Variant`] that all positions of a game share.
//!
//! ```
//! use quadrille_games::liberty::Liberty;
//! use quadrille_games::{Position, perft::perft};
//!
//! let mut position = Liberty::from_text("Capablanca 10x10", &Default::default())?;
//! assert_eq!(position.count_moves(), 38);
//! assert_eq!(perft(&mut position, 3), 60046);
//!
//! let m = position.parse_move("e2e5")?;
//! assert_eq!(position.notation(m), "e5");
//! position.make(m, &mut ());
//! assert!(position.text().ends_with("b KQkq e3-4 0 1 3 qcarbn"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! One representation serves all sizes: a board of bytes with a border three
//! cells wide, so that every leap is one addition and never leaves the array,
//! and for each side a list of its Kings and a list of its other pieces. Moves
//! are made and unmade in place. Checks and pins of a single King are known
//! before moves are generated; only en passant, El Vaticano, castling and games
//! with several Kings try moves out, on a view of the board with a few cells
//! replaced.
//!
//! # Where the rules leave a choice
//!
//! The reference implementation of the game has corners that its documents do
//! not describe. We follow it where games could differ, and say so here:
//!
//! * Promoting to a King on an attacked square is legal.
//! * A piece that a long Pawn move promoted can be taken en passant.
//! * El Vaticano leaves castling rights alone, and rights are not checked
//!   against the board: castling without a partner is a plain two-square move,
//!   an enemy piece in the corner is moved like an own one.
//! * Rights are tied to the squares where Kings stood when the L-FEN was read.
//!
//! We do not follow it where it is plainly broken, and decide ourselves where it
//! is silent:
//!
//! * With custom castling columns a partner next to the King (it vanishes), on
//!   the King's own square (it is doubled) or behind it: there is no such
//!   castling.
//! * A maximal Pawn advance of 0 counts as 1.
//! * Two spaces in a row do not make an empty L-FEN field, and castling columns
//!   are written as they are read, counted from 1.
//! * A King that was taken en passant is gone; the reference goes on counting
//!   it when it judges the material.
//! * A castling rank or an en passant field outside the board is an error; a
//!   passage with no enemy behind it cannot be used.
//! * Promotion letters outside the list are refused, ranks do not wrap at 256.
//! * Capturing an own piece is [`MoveKind::Quiet`]: it never wins anything. Every
//!   capture of an enemy is [`MoveKind::Tactical`], with or without promotion.
//! * A promotion list may name a kind twice. The reference counts such moves
//!   twice; [`generate`](Position::generate) and
//!   [`count_moves`](Position::count_moves) know each move once, and
//!   [`Liberty::reference_perft`] counts as the reference does.

mod attack;
mod builder;
mod drawing;
mod exchange;
mod features;
mod generate;
mod grid;
mod kind;
mod legal;
mod lfen;
mod make;
mod moves;
mod notation;
mod outcome;
mod presets;
mod reference;
mod setup;
mod squares;
mod text;

use core::fmt;
use std::sync::Arc;

pub use builder::{LibertyBuilder, Passed};
pub use features::Features;
pub use grid::Grid;
pub use kind::{Class, Kind, Piece};
pub use make::Undo;
pub use moves::LibertyMove;
pub use presets::RandomStart;
pub use reference::Reference;
pub use setup::Variant;

use crate::error::{MoveError, PositionError, PositionErrorKind};
use crate::game::{Game, Side};
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::position::{MoveKind, Position};
use generate::{Counter, Lister};
use make::Passage;
use setup::Setup;

/// The one choice that can be added to any L-FEN from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// Own pieces may be captured, even if the L-FEN does not say so.
    pub friendly_fire: bool,
}

/// A position of Liberty Chess.
#[derive(Clone)]
pub struct Liberty {
    setup: Arc<Setup>,
    /// The padded board.
    board: Box<[u8]>,
    /// For each occupied cell the place of its piece in its list.
    slots: Box<[u16]>,
    /// Cells of White's pieces, White's Kings, Black's pieces, Black's Kings.
    lists: [Vec<u32>; 4],
    /// Number of pieces by side and kind.
    counts: [[u32; 19]; 2],
    /// The kinds of which there are any, as bits.
    present: [u32; 2],
    hash: u64,
    passage: Passage,
    fullmoves: u32,
    halfmoves: u16,
    reversible: u16,
    rights: u8,
    side: Side,
}

impl Liberty {
    /// Cells of a side's pieces other than Kings.
    #[inline(always)]
    fn commoners(&self, side: Side) -> &[u32] {
        &self.lists[side.index() * 2]
    }

    /// Cells of a side's Kings.
    #[inline(always)]
    fn royals(&self, side: Side) -> &[u32] {
        &self.lists[side.index() * 2 + 1]
    }

    /// Number of empty squares.
    #[inline]
    pub fn empty_squares(&self) -> usize {
        let pieces: usize = self.lists.iter().map(Vec::len).sum();
        self.setup.variant.squares() - pieces
    }

    /// Size and options of this game.
    pub fn variant(&self) -> &Variant {
        &self.setup.variant
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: u16) -> Option<Piece> {
        kind::cell::piece(self.board[self.setup.cell(square)?])
    }

    /// How many pieces of a kind a side has.
    #[inline]
    pub fn count(&self, side: Side, kind: Kind) -> u32 {
        self.counts[side.index()][kind as usize]
    }

    /// The squares of a side's Kings.
    pub fn kings(&self, side: Side) -> impl Iterator<Item = u16> + '_ {
        let cells = self.royals(side).iter();
        cells.map(|&at| self.setup.square(at as usize))
    }

    /// Whether a side attacks a square. El Vaticano is not an attack.
    pub fn is_attacked(&self, square: u16, by: Side) -> bool {
        let cell = self.setup.cell(square);
        cell.is_some_and(|at| self.is_cell_attacked(at, by))
    }

    /// The promotion choices, each once, in the order of the L-FEN.
    pub fn promotions(&self) -> &[Kind] {
        &self.setup.promotions
    }

    /// The squares that may be captured onto en passant, lowest first.
    pub fn en_passant(&self) -> impl Iterator<Item = u16> + '_ {
        let passage = self.passage.exists().then_some(self.passage);
        let cells = passage.into_iter().flat_map(|p| p.cells(self.setup.stride));
        cells.map(|at| self.setup.square(at))
    }

    /// Whether a castling right is still there.
    pub fn may_castle(&self, side: Side, kingside: bool) -> bool {
        self.rights & setup::rights::bit(side, kingside) != 0
    }

    /// Half-moves since the last capture or Pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the current move.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmoves
    }

    /// The name of a square, such as `e4` or `aa10`.
    ///
    /// ```
    /// use quadrille_games::{Position, liberty::Liberty};
    /// let position = Liberty::start(&Default::default());
    /// assert_eq!(position.square_name(12), "e2");
    /// ```
    pub fn square_name(&self, square: u16) -> String {
        self.setup.square_name(square)
    }
}

/// Two positions are equal if they look the same and will be played the same
/// way. The start squares of the Kings matter only while there are rights that
/// depend on them.
impl PartialEq for Liberty {
    fn eq(&self, other: &Self) -> bool {
        let homes_matter = |side: Side| self.rights & setup::rights::both(side) != 0;
        self.hash == other.hash
            && self.side == other.side
            && self.rights == other.rights
            && self.passage == other.passage
            && self.halfmoves == other.halfmoves
            && self.reversible == other.reversible
            && self.fullmoves == other.fullmoves
            && self.setup.variant == other.setup.variant
            && self.board == other.board
            && Side::BOTH.iter().all(|&side| {
                let ours = &self.setup.home_kings[side.index()];
                let theirs = &other.setup.home_kings[side.index()];
                !homes_matter(side) || ours == theirs
            })
    }
}

impl Eq for Liberty {}

impl fmt::Debug for Liberty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Liberty({})", self.text())
    }
}

impl fmt::Display for Liberty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Position for Liberty {
    type Move = LibertyMove;
    type Piece = Piece;
    type Undo = Undo;
    type Rules = Rules;

    const GAME: Game = Game::Liberty;
    const CAN_PASS: bool = true;
    const REPETITION_LIMIT: Option<u32> = Some(3);

    fn start(rules: &Rules) -> Self {
        // Proof: START is a constant, and every test that starts a game reads it.
        Self::read_lfen(presets::START, *rules).expect("the start position is well-formed")
    }

    fn from_text(text: &str, rules: &Rules) -> Result<Self, PositionError> {
        let text = presets::find(text).unwrap_or(text);
        Self::read_lfen(text, *rules)
    }

    fn text(&self) -> String {
        self.write_lfen()
    }

    fn presets(rules: &Rules) -> Vec<(&'static str, String)> {
        presets::all(*rules)
    }

    fn rules(&self) -> Rules {
        Rules {
            friendly_fire: self.setup.variant.friendly_fire,
        }
    }

    fn rules_from_text(text: &str) -> Result<Rules, PositionError> {
        let word = text.trim();
        let friendly_fire = match word.to_ascii_lowercase().as_str() {
            "" | "-" | "normal" => false,
            "ff" | "friendlyfire" => true,
            _ => {
                return Err(PositionError {
                    game: Game::Liberty,
                    field: "rules",
                    column: 1 + text.len() - text.trim_start().len(),
                    kind: PositionErrorKind::Trailing(word.into()),
                });
            }
        };
        Ok(Rules { friendly_fire })
    }

    fn rules_text(rules: &Rules) -> String {
        if rules.friendly_fire { "ff" } else { "" }.into()
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    fn size(&self) -> (u16, u16) {
        (self.setup.variant.width, self.setup.variant.height)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        self.compute_hash()
    }

    /// With the clock, where the fifty-move rule can matter.
    fn tree_key(&self, depth: u32) -> u64 {
        self.key_with_clock(depth)
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        u32::from(self.reversible)
    }

    fn move_number(&self) -> Option<u32> {
        Some(self.fullmoves)
    }

    /// A capture, El Vaticano among them, or a Pawn move; castling is none.
    fn made_progress(&self) -> bool {
        self.halfmoves == 0
    }

    fn generate(&self, kind: MoveKind, each: impl FnMut(LibertyMove)) {
        if self.is_over_without_looking() {
            return;
        }
        let setup = &*self.setup;
        match kind {
            MoveKind::All => self.visit(&mut Lister::<_, true, true>::new(setup, each)),
            MoveKind::Tactical => self.visit(&mut Lister::<_, false, true>::new(setup, each)),
            MoveKind::Quiet => self.visit(&mut Lister::<_, true, false>::new(setup, each)),
        }
    }

    fn count_moves(&self) -> u64 {
        self.count_with(self.setup.promotions.len())
    }

    fn is_legal(&self, m: LibertyMove) -> bool {
        !self.is_over_without_looking() && self.is_move_legal(m)
    }

    fn is_tactical(&self, m: LibertyMove) -> bool {
        self.is_tactical_move(m)
    }

    fn in_check(&self) -> bool {
        self.any_king_attacked()
    }

    fn make<O: Observer<Piece>>(&mut self, m: LibertyMove, observer: &mut O) -> Undo {
        self.do_move(m, observer)
    }

    fn unmake(&mut self, m: LibertyMove, undo: Undo) {
        self.undo_move(m, &undo);
    }

    fn pass(&mut self) -> Undo {
        self.do_pass()
    }

    fn unpass(&mut self, undo: Undo) {
        self.restore(&undo);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.decide()
    }

    fn pieces(&self, mut each: impl FnMut(Piece, u16)) {
        for &at in self.lists.iter().flatten() {
            let at = at as usize;
            if let Some(piece) = kind::cell::piece(self.board[at]) {
                each(piece, self.setup.square(at));
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<LibertyMove, MoveError> {
        self.read_move(text)
    }

    fn move_text(&self, m: LibertyMove) -> String {
        self.write_move(m)
    }

    fn parse_notation(&self, text: &str) -> Result<LibertyMove, MoveError> {
        self.read_notation(text)
    }

    fn notation(&self, m: LibertyMove) -> String {
        self.write_notation(m)
    }

    fn draw(&self) -> String {
        self.draw_board()
    }
}

impl Liberty {
    /// Counts legal moves, taking every promotion for `promotions` moves.
    fn count_with(&self, promotions: usize) -> u64 {
        if self.is_over_without_looking() {
            return 0;
        }
        let mut counter = Counter {
            count: 0,
            promotions: promotions as u64,
        };
        self.visit(&mut counter);
        counter.count
    }
}
