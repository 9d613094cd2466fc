//! Random numbers that are the same everywhere.

pub use quadrille_games::random::SplitMix64 as Random;
