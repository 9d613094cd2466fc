//! What pieces gain or lose by their squares for each place of a king.
//!
//! Nothing yet: all values are zero.

use super::features::{COUNT, KING_SQUARES};
use super::pair::Pair;

/// By bucket of the king, by kind (its own six, the enemy's six), by square.
pub(super) static KING_TABLES: [Pair; COUNT - KING_SQUARES] = [Pair::ZERO; COUNT - KING_SQUARES];
