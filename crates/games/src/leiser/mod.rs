//! Leiserchess: Kings with lasers, Pawns with mirrors.
//!
//! The laser chess of MIT's performance engineering course, in the rules of
//! 2012, 2013, 2014, 2015, 2016 (the default) and 2018. A turn is a move (step,
//! turn, or nothing) and then a compulsory shot of the mover's own King; mirrors
//! bend the beam, a Pawn struck on its back leaves the board, and the owner of
//! a King that is struck has lost, even if it fired itself.
//!
//! The room, from the ground up:
//! * `rules`: what the years say, as data;
//! * `geometry`, `piece`, `moves`: squares and rays, pieces, move codes;
//! * `laser`: tracing, and [`Beam`] and [`Fire`] for drawing a board;
//! * `board`: the position and what a turn does to it;
//! * `movegen`: generated and legal moves, Ko, and the reasons for refusing;
//! * `perft`: the two counts of the reference engine;
//! * `fen`, `text`: positions and moves in words.
//!
//! People read moves as `Pd3-e4` (a step), `Pd3<>e4` (a swap), `Pd3>e4` (a
//! stomp), `Kh0R` (a turn), `Kh0-h0` (the null move), `Pd5<>e4-f5` or `Pd6<>d7L`
//! (2018: a swap and its second move); what the laser removes follows, `xf5xg2`,
//! with `#` after a King. Engines write `d3e4`, `h0R`, `h0h0`, `d5e4f5`, `d6d7L`.
//!
//! Squares are numbered `rank * size + file` from a0, for the
//! [`Observer`] too. A position's key covers the pieces and the
//! side to move, which is what repetition compares; the move that Ko (2)
//! refuses is not part of it.

mod board;
mod builder;
mod fen;
mod geometry;
mod laser;
mod movegen;
mod moves;
mod perft;
mod piece;
mod rules;
mod text;

pub use board::{Leiser, Undo};
pub use builder::LeiserBuilder;
pub use geometry::{Heading, Square, SquareName, SquareSet, Squares};
pub use laser::{Beam, BeamEnd, BeamStep, Fire, Shot};
pub use movegen::Refusal;
pub use moves::Move;
pub use perft::{Generated, Unrefused, perft_generated, perft_legal};
pub use piece::{Kind, Mirror, Piece, Turn};
pub use rules::{Features, LeiserRules, Occupied, Year};

use crate::error::{MoveError, PositionError};
use crate::game::{Game, Side};
use crate::observer::Observer;
use crate::outcome::{Outcome, Reason};
use crate::position::{MoveKind, Position};

impl Position for Leiser {
    type Move = Move;
    type Piece = Piece;
    type Undo = Undo;
    type Rules = LeiserRules;

    const GAME: Game = Game::Leiser;
    /// A pass does not fire: it only gives the turn away.
    const CAN_PASS: bool = true;
    /// The rules of 2012 to 2015 speak of a claim, but the referee of all those
    /// years ended the game by itself.
    const REPETITION_LIMIT: Option<u32> = Some(3);

    fn start(rules: &LeiserRules) -> Self {
        // The start positions are constants of this crate, and the tests read
        // every one of them.
        fen::read(rules.features().start, *rules).expect("start positions are valid")
    }

    fn from_text(text: &str, rules: &LeiserRules) -> Result<Self, PositionError> {
        fen::read(text, *rules)
    }

    fn text(&self) -> String {
        fen::write(self)
    }

    fn presets(rules: &LeiserRules) -> Vec<(&'static str, String)> {
        fen::presets(*rules)
    }

    fn rules(&self) -> LeiserRules {
        self.rules
    }

    fn rules_from_text(text: &str) -> Result<LeiserRules, PositionError> {
        LeiserRules::from_text(text)
    }

    fn rules_text(rules: &LeiserRules) -> String {
        rules.text()
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    fn size(&self) -> (u16, u16) {
        let size = u16::from(self.features().size);
        (size, size)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        self.hash_from_nothing()
    }

    /// With the move that Ko (2) refuses, and the clock where it can matter.
    fn tree_key(&self, depth: u32) -> u64 {
        self.key_with_clock(depth)
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.quiet
    }

    /// A Pawn was zapped or stomped.
    fn made_progress(&self) -> bool {
        self.quiet == 0
    }

    #[inline]
    fn generate(&self, kind: MoveKind, mut each: impl FnMut(Move)) {
        if self.outcome().is_some() {
            return;
        }
        self.each_unrefused(|m| {
            let wanted = match kind {
                MoveKind::All => true,
                MoveKind::Tactical => self.is_tactical(m),
                MoveKind::Quiet => !self.is_tactical(m),
            };
            if wanted {
                each(m);
            }
        });
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.outcome().is_some() {
            0
        } else {
            self.count_unrefused()
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        self.refusal(m).is_none()
    }

    /// Zaps of any colour, and stomps.
    fn is_tactical(&self, m: Move) -> bool {
        self.stomps(m) || self.zaps(m)
    }

    fn in_check(&self) -> bool {
        false
    }

    #[inline]
    fn make<O: Observer<Piece>>(&mut self, m: Move, observer: &mut O) -> Undo {
        let undo = Undo(*self);
        self.turn(m, observer);
        undo
    }

    #[inline]
    fn unmake(&mut self, _: Move, undo: Undo) {
        *self = undo.0;
    }

    fn pass(&mut self) -> Undo {
        let undo = Undo(*self);
        self.ko = Move::NONE;
        self.quiet = self.quiet.saturating_add(1);
        self.flip_side();
        undo
    }

    fn unpass(&mut self, undo: Undo) {
        *self = undo.0;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        for side in Side::BOTH {
            if self.king(side).is_none() {
                return Some(Outcome::win(side.other(), Reason::KingZapped));
            }
        }
        let limit = self.rules.quiet_limit_plies;
        (limit > 0 && self.quiet >= limit).then(|| Outcome::draw(Reason::FiftyMoves))
    }

    fn pieces(&self, mut each: impl FnMut(Piece, u16)) {
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                each(piece, u16::from(square));
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read(self, text, false)
    }

    fn move_text(&self, m: Move) -> String {
        text::write(self, m)
    }

    fn parse_notation(&self, text: &str) -> Result<Move, MoveError> {
        text::read(self, text, true)
    }

    fn notation(&self, m: Move) -> String {
        text::write_notation(self, m)
    }

    fn draw(&self) -> String {
        text::draw(self)
    }
}
