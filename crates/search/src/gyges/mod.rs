//! What the search has to know about Gyges.

mod eval;
mod inputs;
mod pairs;

use std::sync::Arc;

use quadrille_games::gyges::{Gyges, GygesMove};
use quadrille_games::{Outcome, Position, Reason};

pub use eval::GygesEval;

use crate::net::{Net, NetError, Residual};
use crate::playable::Playable;
use crate::score::{MAX_EVAL, Value};

/// End squares: 36 squares, and one for the goal.
const ENDS: usize = 37;
/// Drop squares: 36 squares, and one for "nothing replaced".
const DROPS: usize = 37;

/// What a hundredth of a pawn is worth in units of history.
/// So much that history only decides between moves that look alike: with two
/// thousand slots for two hundred moves it is mostly chance.
const PROMISE: i32 = 600;

impl Playable for Gyges {
    type Eval = Residual<GygesEval>;

    fn read_net(bytes: &[u8]) -> Result<Arc<Net>, NetError> {
        Net::read::<Self>(bytes).map(Arc::new)
    }

    /// Most moves are bounces.
    fn breadth(&self) -> u32 {
        300
    }

    /// Only wins are tactical, and those are found before anything is listed.
    const STAGED: bool = false;
    const ONLY_WINS: bool = true;
    const EXCHANGES: bool = false;
    const REPUTATION: bool = false;

    fn slots(&self) -> usize {
        2 * ENDS * DROPS
    }

    /// Where the mover and the displaced piece come to stand; which piece it
    /// was matters less, because bounces lend every piece every gait.
    fn slot(&self, m: GygesMove) -> usize {
        let end = usize::from(m.end()).min(ENDS - 1);
        let drop = m.drop().map_or(DROPS - 1, |drop| usize::from(drop).min(35));
        (self.side().index() * ENDS + end) * DROPS + drop
    }

    fn gain(&self, m: GygesMove) -> Value {
        if m.is_goal() { MAX_EVAL } else { 0 }
    }

    fn stake(&self, _: GygesMove) -> Value {
        0
    }

    /// Whether there is a move is found out when moves are listed.
    fn over_at_sight(&self) -> Option<Outcome> {
        self.winner().map(|side| Outcome::win(side, Reason::Goal))
    }

    /// What the evaluation says of the result: with two hundred moves and
    /// hardly any forced, experience alone comes too late.
    fn promises(&self) -> impl Fn(GygesMove) -> i32 {
        let board = pairs::Board::seen_by_opponent(self);
        move |m| -PROMISE * board.after(m)
    }

    fn promised_value(score: i32) -> Option<Value> {
        Some(score / PROMISE)
    }

    fn win_at_once(&self) -> Option<GygesMove> {
        self.winning_move()
    }

    fn is_threatened(&self) -> bool {
        self.with_side(self.side().other()).can_win()
    }

    fn result_key(&self, m: GygesMove) -> Option<u64> {
        // The method of the rules has the same name.
        Some(Gyges::result_key(self, m))
    }
}
