//! The one trait behind which the four games stand.

use core::fmt::Debug;
use core::hash::Hash;

use crate::error::{MoveError, PositionError};
use crate::game::{Game, Side};
use crate::observer::Observer;
use crate::outcome::{Outcome, Reason};

/// A move: small, copyable, meaningful only together with its position.
pub trait GameMove: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// A compact code for tables. Different moves of one position have
    /// different codes.
    fn to_bits(self) -> u64;

    /// The move with that code; any number is accepted, so the result must
    /// pass [`Position::is_legal`] before it is made.
    fn from_bits(bits: u64) -> Self;
}

/// Which moves to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Every legal move.
    All,
    /// Moves that change material or win at once: captures, promotions to the
    /// strongest piece, zaps, goals. What a quiescence search looks at.
    Tactical,
    /// The legal moves that are not [`Tactical`](Self::Tactical).
    Quiet,
}

/// What the rules make of a position that occurs again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// The game is over.
    Ends(Outcome),
    /// The side to move may claim this end.
    Claim(Outcome),
}

fn repetition_reason(limit: u32) -> Reason {
    if limit >= 5 {
        Reason::Fivefold
    } else {
        Reason::Threefold
    }
}

/// A position of one of the games.
///
/// Every implementation guarantees:
/// * `generate(All)` yields each legal move exactly once, and none when the
///   rules of the game say that no move is legal any more. That is every final
///   position but one kind: chess lists moves in positions that
///   [`outcome`](Self::outcome) calls drawn, because perft figures count them;
/// * `is_legal` agrees with it for every representable move;
/// * `make` followed by `unmake` restores the position bit for bit;
/// * `hash` equals `recomputed_hash` at all times.
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move of this game.
    type Move: GameMove;
    /// A piece as an [`Observer`] sees it.
    type Piece: Copy + Eq + Debug;
    /// What `unmake` needs. For games with a small board this is simply the
    /// old position.
    type Undo: Clone + Debug + Send + Sync + 'static;
    /// Choices made once for a game: Chess960, the Leiserchess year...
    type Rules: Clone + Default + Eq + Debug + Send + Sync;

    /// Which game this is.
    const GAME: Game;
    /// Whether giving the turn away is meaningful in a search (null-move
    /// pruning).
    const CAN_PASS: bool;
    /// How often a position occurs when that ends the game; `None` if the game
    /// has no such rule. What the end is [`repetition`](Self::repetition) says.
    const REPETITION_LIMIT: Option<u32>;
    /// How often a position must occur before a player may claim a draw, if
    /// that is less than [`REPETITION_LIMIT`](Self::REPETITION_LIMIT).
    const REPETITION_CLAIM: Option<u32> = None;

    /// The usual start position under these rules.
    fn start(rules: &Self::Rules) -> Self;

    /// Reads a position: tolerant about form, never about meaning. Also takes
    /// the names of start positions and presets ([`presets`](Self::presets)).
    fn from_text(text: &str, rules: &Self::Rules) -> Result<Self, PositionError>;

    /// Writes the position in the one canonical form of its game.
    fn text(&self) -> String;

    /// Names and texts of well-known positions under these rules; the first is
    /// the start position.
    fn presets(rules: &Self::Rules) -> Vec<(&'static str, String)>;

    /// The rules in force.
    fn rules(&self) -> Self::Rules;

    /// Reads the words that choose rules on a command line or in a game
    /// record; empty means the default.
    fn rules_from_text(text: &str) -> Result<Self::Rules, PositionError>;

    /// The word that [`rules_from_text`](Self::rules_from_text) reads back.
    fn rules_text(rules: &Self::Rules) -> String;

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// Files and ranks of the board.
    fn size(&self) -> (u16, u16);

    /// 64-bit key of everything that makes two positions the same for the
    /// repetition rule; kept up to date move by move.
    fn hash(&self) -> u64;

    /// The same key computed from nothing, for tests.
    fn recomputed_hash(&self) -> u64;

    /// 64-bit key of everything that decides the tree of legal moves `depth`
    /// plies deep, among the positions of one game: what a table of leaf counts
    /// needs. A game in which clocks or past moves decide what is legal mixes
    /// them in.
    fn tree_key(&self, _depth: u32) -> u64 {
        self.hash()
    }

    /// How many plies back a repetition of this position could lie at most:
    /// the plies since the last irreversible move.
    fn reversible_plies(&self) -> u32;

    /// The number of the move, where the position itself counts moves; `None`
    /// in games whose positions do not, and there a
    /// [`Line`](crate::Line::move_number) counts.
    fn move_number(&self) -> Option<u32> {
        None
    }

    /// Whether the plies without progress stand at zero. After a move this
    /// says whether that move made progress in the sense of the game's own draw
    /// rule (a capture or a Pawn move, a Pawn zapped), so that a count of moves
    /// without progress begins anew. A position that was set up with a count of
    /// zero says so too; [`Line::made_progress`](crate::Line::made_progress)
    /// asks about moves only.
    fn made_progress(&self) -> bool;

    /// What it means that this position has occurred so often.
    ///
    /// Unless a game says otherwise it is a draw:
    /// [`REPETITION_LIMIT`](Self::REPETITION_LIMIT) occurrences end the game,
    /// [`REPETITION_CLAIM`](Self::REPETITION_CLAIM) give a player the choice.
    fn repetition(&self, occurrences: u32) -> Option<Repetition> {
        let reached = |limit: &u32| occurrences >= *limit;
        let draw = |limit| Outcome::draw(repetition_reason(limit));
        let ends = Self::REPETITION_LIMIT.filter(reached);
        let claim = Self::REPETITION_CLAIM.filter(reached);
        let ends = ends.map(|limit| Repetition::Ends(draw(limit)));
        ends.or_else(|| claim.map(|limit| Repetition::Claim(draw(limit))))
    }

    /// Calls `each` once for every legal move of that kind.
    fn generate(&self, kind: MoveKind, each: impl FnMut(Self::Move));

    /// The number of legal moves; games count whole sets at once.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.generate(MoveKind::All, |_| count += 1);
        count
    }

    /// All legal moves in a list of their own, for callers that are not in a
    /// hurry.
    fn moves(&self) -> Vec<Self::Move> {
        let mut list = Vec::new();
        self.generate(MoveKind::All, |m| list.push(m));
        list
    }

    /// Whether this move, from whatever source, is legal here.
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Whether a legal move is [`MoveKind::Tactical`].
    fn is_tactical(&self, m: Self::Move) -> bool;

    /// Whether the side to move is in check; `false` in games without check.
    fn in_check(&self) -> bool;

    /// Makes a legal move and tells the observer about every piece that came,
    /// went or moved. Making an illegal move leaves a meaningless position,
    /// but never panics in a position that was read or reached legally.
    fn make<O: Observer<Self::Piece>>(&mut self, m: Self::Move, observer: &mut O) -> Self::Undo;

    /// Takes back the last move; `undo` is what its `make` returned.
    fn unmake(&mut self, m: Self::Move, undo: Self::Undo);

    /// Gives the turn to the other side without moving. Only called when
    /// [`CAN_PASS`](Self::CAN_PASS) holds and the side is not in check.
    ///
    /// For the clocks a pass is a quiet move: they go on, and so do
    /// [`reversible_plies`](Self::reversible_plies). These reach across the pass
    /// in every game, yet what comes after it repeats nothing that was there
    /// before, because no game could get there. A search for repetitions stops
    /// at a pass.
    fn pass(&mut self) -> Self::Undo;

    /// Takes back a [`pass`](Self::pass).
    fn unpass(&mut self, undo: Self::Undo);

    /// What the position alone decides: everything but repetition. Draws that
    /// need a player's claim are not in here, see
    /// [`claimable`](Self::claimable).
    fn outcome(&self) -> Option<Outcome>;

    /// A draw that the side to move could claim from the position alone.
    fn claimable(&self) -> Option<Outcome> {
        None
    }

    /// Every piece on the board with its square, for evaluations that start
    /// afresh.
    fn pieces(&self, each: impl FnMut(Self::Piece, u16));

    /// Reads a move as engines write it, tolerantly, and checks that it is
    /// legal.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Writes a legal move as engines write it.
    fn move_text(&self, m: Self::Move) -> String;

    /// Reads a move as people write it (engine text is understood too).
    fn parse_notation(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Writes a legal move as people read it.
    fn notation(&self, m: Self::Move) -> String;

    /// Draws the board for a terminal: ranks from the top, coordinates around
    /// it, no colour codes.
    fn draw(&self) -> String;
}
