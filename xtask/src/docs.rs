//! The API documentation and its examples, in one go.
//!
//! `cargo doc` would have every crate checked once more, those of others included.
//! `cargo test --doc` calls rustdoc with all that is built already; we stand in its
//! place, and let it write the documentation before it runs the examples.

use std::ffi::OsString;
use std::process::{Command, ExitCode, ExitStatus};

use crate::steps::{Outcome, linting, root, run};

/// Is set where we are called in rustdoc's place.
const MARK: &str = "QUADRILLE_RUSTDOC";

/// The documentation without a warning, and its examples.
pub(crate) fn all() -> Outcome {
    let own = std::env::current_exe().map_err(|error| format!("our own program: {error}"))?;
    let mut test = linting("test --workspace --all-features --doc");
    test.env("RUSTDOC", own).env(MARK, "rustdoc");
    run(test)
}

/// What rustdoc was called with, if it is us who were called.
pub(crate) fn called() -> Option<Vec<OsString>> {
    std::env::var_os(MARK)?;
    Some(std::env::args_os().skip(1).collect())
}

/// Writes the documentation of a crate and runs its examples.
pub(crate) fn stand_in(arguments: &[OsString]) -> ExitCode {
    let out = root().join("target/doc");
    let mut written = rustdoc(&for_writing(arguments));
    written.args(["--deny", "warnings", "--out-dir"]).arg(out);
    for mut step in [written, rustdoc(arguments)] {
        match step.status() {
            Ok(status) if status.success() => {}
            Ok(status) => return code(status),
            Err(error) => {
                eprintln!("xtask: cannot start rustdoc: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn rustdoc(arguments: &[OsString]) -> Command {
    let mut command = Command::new("rustdoc");
    command.args(arguments).env_remove(MARK);
    command
}

fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// The same without what is about running examples.
fn for_writing(arguments: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("--test" | "--nocapture" | "--no-run") => {}
            Some("--test-run-directory" | "--test-args" | "--test-runtool") => {
                rest.next();
            }
            _ => kept.push(argument.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_examples_is_left_out() {
        let words =
            |text: &str| -> Vec<OsString> { text.split_whitespace().map(OsString::from).collect() };
        let called = words(
            "--edition=2024 --crate-name a --test src/lib.rs --test-run-directory /a -L b --test-args c",
        );
        assert_eq!(
            for_writing(&called),
            words("--edition=2024 --crate-name a src/lib.rs -L b")
        );
    }
}
