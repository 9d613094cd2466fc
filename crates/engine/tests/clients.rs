//! Programs of other people that talk to engines. `cargo xtask clients` finds or
//! fetches what they need and runs them; without it they are ignored.
//!
//! They want a built `quadrille-chess` (`QUADRILLE_CHESS`, else beside the test).
//! The ways of talking of the Gyges tools and of the Leiserchess match runner are
//! scripts under `transcripts/`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program by a variable, or by its usual name.
fn program(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.into())
}

fn engine() -> PathBuf {
    if let Ok(path) = std::env::var("QUADRILLE_CHESS") {
        return path.into();
    }
    // Tests live in `target/<profile>/deps`, programs one folder up.
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(Path::parent);
    let name = format!("quadrille-chess{}", std::env::consts::EXE_SUFFIX);
    folder.unwrap_or(Path::new(".")).join(name)
}

#[test]
#[ignore = "needs python-chess and a built quadrille-chess: cargo xtask clients"]
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
#[ignore = "needs fastchess and a built quadrille-chess: cargo xtask clients"]
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
