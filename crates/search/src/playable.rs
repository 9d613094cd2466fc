//! What a game adds to its rules so that the search can play it well.

use std::sync::Arc;

use quadrille_games::{Observer, Outcome, Position};

use crate::net::{Net, NetError};
use crate::score::Value;

/// One named part of an evaluation, from White's point of view, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What the part is about.
    pub name: &'static str,
    /// Its share for White and for Black.
    pub sides: [Value; 2],
}

/// A position with the knowledge that steers the search. Features differ from
/// game to game here and only here; the search never asks which game it plays.
pub trait Playable: Position {
    /// The evaluation that follows the board.
    type Eval: Evaluator<Self>;

    /// How many slots [`slot`](Self::slot) can name in this position and all
    /// that follow from it. Asked once per search.
    fn slots(&self) -> usize;

    /// A small index for history tables: usually who moves (kind and side) and
    /// where to. Less than [`slots`](Self::slots).
    fn slot(&self, m: Self::Move) -> usize;

    /// What a legal tactical move wins at first sight, before any reply: the
    /// captured piece, the promotion's gain. 0 for quiet moves.
    fn gain(&self, m: Self::Move) -> Value;

    /// The value of the piece that moves, to break ties between equal gains:
    /// the cheapest attacker goes first.
    fn stake(&self, m: Self::Move) -> Value;

    /// Static exchange: whether the exchange that begins with this legal move
    /// wins at least `threshold` for the mover. Games without exchanges answer
    /// from [`gain`](Self::gain) alone.
    fn exchange_wins(&self, m: Self::Move, threshold: Value) -> bool {
        self.gain(m) >= threshold
    }

    /// Whether the side to move can be trusted to have something better than
    /// passing: `false` where zugzwang lurks (bare king and pawns).
    fn may_pass(&self) -> bool {
        Self::CAN_PASS
    }

    /// Whether the side to move has more than the pieces that every game ends
    /// with: `false` where writing moves off by their looks is too coarse.
    fn has_pieces(&self) -> bool {
        true
    }

    /// A key of the slow-moving part of the position (the pawns, the laser
    /// set-up...), for correcting the static evaluation by experience.
    fn structure_key(&self) -> u64 {
        0
    }

    /// Keys of two other parts of the position (chess: the pieces of each side),
    /// for the same purpose, where they are cheap.
    fn part_keys(&self) -> Option<[u64; 2]> {
        None
    }

    /// Whether the evaluation is a plan that leads to a certain win step by step:
    /// then experience must not blur its steps.
    fn follows_plan(&self) -> bool {
        false
    }

    /// The squares that the opponent attacks, for [`trail`](Self::trail).
    fn danger(&self) -> u64 {
        0
    }

    /// Where a quiet move goes from and to, and which of the two is in danger: an
    /// index for a history table, less than [`TRAILS`](Self::TRAILS).
    fn trail(&self, _: Self::Move, _danger: u64) -> usize {
        0
    }

    /// What the position decides without looking for moves: a King gone, no
    /// material left. Asked at every node, so a game whose
    /// [`outcome`](Position::outcome) generates moves answers something
    /// cheaper; that there is no legal move the search finds out itself.
    fn over_at_sight(&self) -> Option<Outcome> {
        self.outcome()
    }

    /// How many plies without progress are left until the game is drawn by
    /// counting them; `u32::MAX` in games without such a rule. Keeps the search
    /// from trusting what it learnt with more time on that clock.
    fn plies_to_draw(&self) -> u32 {
        u32::MAX
    }

    /// How much of the usual share of its clock a move gets, in percent: less
    /// where more moves than usual are still to come.
    fn pace(&self) -> u32 {
        100
    }

    /// How many moves positions offer compared with chess, in percent, at least
    /// 100. Asked once per search.
    fn breadth(&self) -> u32 {
        100
    }

    /// Whether a legal move gives check, where finding out is cheap: such moves
    /// are not written off by the evaluation alone.
    fn gives_check(&self, _: Self::Move) -> bool {
        false
    }

    /// How good quiet moves look at first sight, for ordering them: the answer
    /// is asked for every quiet move of this position. In units of history, of
    /// which 16,384 is the most a single table says. Nothing to say by default.
    fn promises(&self) -> impl Fn(Self::Move) -> i32 {
        |_| 0
    }

    /// The static evaluation after a quiet move, from the point of view of the
    /// side that makes it, as its score in the order tells it; for games whose
    /// [`promises`](Self::promises) are evaluations.
    fn promised_value(_score: i32) -> Option<Value> {
        None
    }

    /// A move that wins at once, where the game can find one without a search.
    fn win_at_once(&self) -> Option<Self::Move> {
        None
    }

    /// Whether the opponent would win at once if it were its turn, where that
    /// takes more than a look at the evaluation. Then standing still is no
    /// measure of the position.
    fn is_threatened(&self) -> bool {
        false
    }

    /// A key that two moves share when they lead to the same position, so that
    /// the search looks only once (Gyges: many paths, one result).
    fn result_key(&self, _: Self::Move) -> Option<u64> {
        None
    }

    /// How many trails there are; none by default.
    const TRAILS: usize = 0;

    /// Whether the search is *highly selective*: evaluations corrected by the
    /// parts of the position and the last moves too, quiet moves known by
    /// structure and six plies back, razoring, hindsight, fewer cuts by the table,
    /// fail highs brought nearer to beta. These belong together, since each was
    /// measured beside the others, and what they gain depends on the game: chess
    /// +23 +-16 at 4,000 nodes a move; Gyges and Leiserchess seem to lose (-27
    /// +-31), Liberty Chess loses (44 % of 154 games at 0.5+0.01 s, before it was
    /// [tuned](Self::TUNED)). So a game has all or none of them.
    const HIGHLY_SELECTIVE: bool = false;

    /// Whether the second set of [numbers](crate::tunables) fits this game. They were
    /// found by games of chess (+81 +-24 at 5,000 nodes a move). Liberty Chess gains as
    /// well (+73 +-47 at 0.5+0.01 s), Leiserchess nothing (50 % of 200 games).
    const TUNED: bool = false;

    /// What one pawn, or the game's nearest thing to it, is worth in the game's
    /// evaluation: margins of the search are in hundredths of it.
    const PAWN: Value = 100;

    /// Whether listing tactical and quiet moves apart saves work. `false` where
    /// telling them apart costs more than listing all of them (Leiserchess: each
    /// move is a shot).
    const STAGED: bool = true;

    /// Whether the tactical moves are those that win at once: then there is
    /// nothing left to list once [`win_at_once`](Self::win_at_once) has none.
    const ONLY_WINS: bool = false;

    /// Whether pieces are exchanged at all: `false` where
    /// [`exchange_wins`](Self::exchange_wins) knows nothing that
    /// [`gain`](Self::gain) does not.
    const EXCHANGES: bool = true;

    /// Whether what became of a quiet move elsewhere says enough about it to
    /// reduce and to prune it by; it is ordered by it anyway.
    const REPUTATION: bool = true;

    /// The net that comes with the program, if there is one for this game.
    fn own_net() -> Option<Arc<Net>> {
        None
    }

    /// Reads a net for this game from the bytes of a file.
    fn read_net(_: &[u8]) -> Result<Arc<Net>, NetError> {
        Err(NetError::NoGame)
    }

    /// Positions for the benchmark besides the presets of the rules.
    const BENCH: &'static [&'static str] = &[];
}

/// An evaluation that follows the board through an [`Observer`] and keeps a
/// stack of its own.
///
/// The search calls [`push`](Self::push) before each
/// [`make`](Position::make), passes the evaluator as the observer, and calls
/// [`pop`](Self::pop) when the move is taken back. Passing (null move) changes
/// no piece and is not announced.
pub trait Evaluator<P: Position>: Observer<P::Piece> + Clone + Send {
    /// Starts afresh from a position, hand-written.
    fn new(position: &P) -> Self;

    /// The same with a net; games without one ignore it.
    fn with_net(position: &P, _: &Arc<Net>) -> Self {
        Self::new(position)
    }

    /// Goes on with another position: as fresh as [`new`](Self::new), but may keep
    /// what it computed and knows to be true of any position.
    fn restart(&mut self, position: &P) {
        *self = Self::new(position);
    }

    /// Remembers the current state.
    fn push(&mut self);

    /// Returns to the state of the last [`push`](Self::push).
    fn pop(&mut self);

    /// The value of the position the observer has followed, from the side to
    /// move's point of view, within
    /// [`MAX_EVAL`](crate::score::MAX_EVAL).
    fn evaluate(&mut self, position: &P) -> Value;

    /// The same, taken apart for people.
    fn terms(&mut self, position: &P) -> Vec<Term>;
}
