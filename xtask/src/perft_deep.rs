//! The long proofs of the rules: deep perft, and millions of positions compared
//! with other libraries. Ordinary tests run a small part of both.

use std::process::Command;
use std::time::Instant;

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
pub(crate) fn run() -> Result<(), String> {
    test(&DEEP_TESTS, ("QUADRILLE_DEEP", "1"))
}

/// Compares so many chess positions with two other libraries.
pub(crate) fn diff(positions: &str) -> Result<(), String> {
    let digits = positions.replace('_', "");
    if digits.parse::<usize>().is_err() {
        return Err(format!("'{positions}' is not a number of positions"));
    }
    test(&["chess_diff"], ("QUADRILLE_DIFF", &digits))
}

/// Runs tests of the rules in release, with one variable set.
fn test(targets: &[&str], variable: (&str, &str)) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["test", "--release", "--package", "quadrille-games"])
        .args(targets.iter().flat_map(|target| ["--test", target]))
        .args(["--", "--nocapture"])
        .env(variable.0, variable.1);
    let started = Instant::now();
    let status = command
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let seconds = started.elapsed().as_secs();
    if !status.success() {
        return Err(format!("the tests failed after {seconds} s ({status})"));
    }
    println!("all of it agrees; {seconds} s, building included");
    Ok(())
}
