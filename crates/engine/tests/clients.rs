//! Programs of other people that talk to engines. `cargo xtask clients` finds or
//! fetches what they need and runs them; without it they are ignored.
//!
//! They talk to `quadrille-chess` as it was just built, or to what `QUADRILLE_CHESS` names.
//! The ways of talking of the Gyges tools and of the Leiserchess match runner are
//! scripts under `transcripts/`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program by a variable, or by its usual name.
fn program(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.into())
}

/// The engine to talk to: the one just built, unless another is named.
fn engine() -> PathBuf {
    let built = env!("CARGO_BIN_EXE_quadrille-chess");
    std::env::var_os("QUADRILLE_CHESS").map_or_else(|| built.into(), PathBuf::from)
}

#[test]
#[ignore = "needs python-chess: cargo xtask clients"]
fn python_chess() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/python_chess.py");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../search/tests/data/syzygy");
    let status = Command::new(program("QUADRILLE_PYTHON", "python3"))
        .arg(script)
        .arg(engine())
        .arg(tables)
        .status()
        .expect("python starts");
    assert!(status.success());
}

/// All steps pass, and there were as many as we know of.
#[test]
#[ignore = "needs fastchess: cargo xtask clients"]
fn fastchess() {
    let output = Command::new(program("QUADRILLE_FASTCHESS", "fastchess"))
        .arg("--compliance")
        .arg(engine())
        .output()
        .expect("fastchess starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let steps = said.lines().filter(|line| line.starts_with("Step "));
    assert!(steps.clone().all(|line| line.contains("Passed")), "{said}");
    assert!(steps.count() >= 40, "{said}");
}
