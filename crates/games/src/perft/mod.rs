//! Counting the leaves of the move tree: how move generators are proven.
//!
//! [`perft`] is the plain count, one function on one thread. [`divide`] is the
//! workshop version: a count for each first move, on any number of threads,
//! with a table for positions that are reached twice, progress, and a way to
//! stop. What is counted is a [`Counting`]: [`Legal`] fits every game, and the
//! games whose reference engines count in their own way bring their own.
//!
//! ```
//! use quadrille_games::Position;
//! use quadrille_games::chess::Chess;
//! use quadrille_games::perft::{Legal, Options, divide};
//!
//! let start = Chess::default();
//! let options = Options { threads: 2, hash_mb: 1, ..Options::new(3) };
//! let tally = divide(&start, Legal, &options)?;
//! assert_eq!(tally.total, 8_902);
//! assert_eq!(tally.moves.len(), 20);
//! # Ok::<(), quadrille_games::perft::PerftError>(())
//! ```
//!
//! The result never depends on the number of threads or on the table; only
//! the time does.

mod counting;
mod divide;
mod hash_table;

pub use counting::{Counting, Legal, PerftKind, UnknownPerftKind};
pub use divide::{
    MAX_DEPTH, MAX_HASH_MB, MAX_THREADS, Options, PerftCounts, PerftError, Progress, divide,
};

use crate::position::Position;

/// The number of lines of exactly `depth` plies. A line that ends the game
/// earlier counts for nothing, except where
/// [`count_moves`](Position::count_moves) of its game says otherwise.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut total = 0;
            for m in position.moves() {
                let undo = position.make(m, &mut ());
                total += perft(position, depth - 1);
                position.unmake(m, undo);
            }
            total
        }
    }
}
