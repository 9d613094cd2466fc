//! All tests of this crate as one program: linking many costs more than running them.

mod chess_endings;
mod chess_evaluation;
mod chess_exchange;
#[cfg(feature = "syzygy")]
mod chess_syzygy;
mod claims;
mod evaluations;
mod mates;
mod net_evaluations;
mod nets;
mod search;
mod slices;
mod support;
