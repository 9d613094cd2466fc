//! Programs of other people that talk to engines.
//!
//! Needs a Python with python-chess (`QUADRILLE_PYTHON`, else `python3`) and a
//! built `quadrille-chess` (`QUADRILLE_CHESS`, else beside the test). Without
//! them the test says so and fails: a client that did not run proved nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

fn python() -> String {
    std::env::var("QUADRILLE_PYTHON").unwrap_or_else(|_| "python3".into())
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
#[ignore = "needs python-chess and a built quadrille-chess"]
fn python_chess() {
    let found = Command::new(python()).args(["-c", "import chess"]).output();
    assert!(
        found.is_ok_and(|out| out.status.success()) && engine().exists(),
        "SKIPPED: {} has no python-chess, or {} is not built",
        python(),
        engine().display()
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/python_chess.py");
    let status = Command::new(python())
        .arg(script)
        .arg(engine())
        .status()
        .expect("python starts");
    assert!(status.success());
}
