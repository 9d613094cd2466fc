//! The program as a user starts it.

use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn quadrille(arguments: &[&str]) -> Output {
    // What is written into the folder goes with it.
    let folder = tempfile::tempdir().expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the binary was built for this test")
}

pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = quadrille(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("we print UTF-8")
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON, and nothing else")
}

/// What is said about bad input; the exit code must be 2.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = quadrille(arguments);
    let errors = String::from_utf8(output.stderr).expect("we print UTF-8");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(errors.starts_with("error: "), "{errors}");
    errors
}
