//! The long proofs of the rules: deep perft, and millions of positions compared
//! with other libraries. Ordinary tests run a small part of both.

use crate::steps::{Outcome, cargo, run};

/// The tests that do more when `QUADRILLE_DEEP=1` is set.
const DEEP_TESTS: [&str; 6] = [
    "chess_perft",
    "liberty_vectors",
    "liberty_oracle",
    "leiser_vectors",
    "leiser_oracle",
    "gyges_perft",
];

/// Runs every deep figure of the four games.
pub(crate) fn deep() -> Outcome {
    test(&DEEP_TESTS, ("QUADRILLE_DEEP", "1"))
}

/// Compares five million chess positions with two other libraries.
pub(crate) fn diff() -> Outcome {
    test(&["chess_diff"], ("QUADRILLE_DIFF", "5000000"))
}

/// Runs tests of the rules in release, with one variable set.
fn test(modules: &[&str], variable: (&str, &str)) -> Outcome {
    let mut command = cargo("test --release --package quadrille-games --test all --");
    command
        .args(modules)
        .arg("--nocapture")
        .env(variable.0, variable.1);
    run(command)
}
