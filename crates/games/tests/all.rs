//! All tests of this crate as one program: linking many costs more than running them.
//!
//! Beside it stand those that measure their whole process: `records_memory`.

#[path = "../benches/support/random_games.rs"]
mod random_games;

mod any_line;
mod any_move;
mod builder;
mod chess_book;
mod chess_diff;
mod chess_perft;
mod chess_rules;
mod chess_text;
mod gyges_oracle;
mod gyges_perft;
mod gyges_rules;
mod gyges_text;
mod gyges_work;
mod leiser_hostile;
mod leiser_oracle;
mod leiser_properties;
mod leiser_support;
mod leiser_vectors;
mod liberty_chess;
mod liberty_exchange;
mod liberty_hostile;
mod liberty_notation;
mod liberty_oracle;
mod liberty_support;
mod liberty_vectors;
mod line;
mod perft_divide;
mod records_corpus;
mod records_golden;
mod records_null;
mod records_oracle;
mod records_trees;
mod records_write;
#[cfg(feature = "serde")]
mod serde_views;
