//! Programs of other people that talk to our engine: python-chess and fastchess.
//! They are not ours to ship, so a part whose program is missing is skipped, and
//! said to be.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Outcome, cargo, run, succeeds, target};

/// The version of python-chess that is fetched where there is none.
const PYTHON_CHESS: &str = "chess==1.11.2";

/// Runs the clients alone. What could not run did not pass.
pub(crate) fn only() -> Outcome {
    let skipped = all()?;
    if skipped.is_empty() {
        return Ok(());
    }
    Err(skipped.join("\n"))
}

/// Runs every client there is; gives a line for each that is missing.
pub(crate) fn all() -> Result<Vec<String>, String> {
    let mut skipped = Vec::new();
    match python() {
        Ok(python) => test("python_chess", "QUADRILLE_PYTHON", &python)?,
        Err(why) => skipped.push(format!("SKIPPED python-chess: {why}")),
    }
    let program = std::env::var_os("QUADRILLE_FASTCHESS").unwrap_or_else(|| "fastchess".into());
    if succeeds(Command::new(&program).arg("--version")) {
        test("fastchess", "QUADRILLE_FASTCHESS", Path::new(&program))?;
    } else {
        let why = "no fastchess on the path, and QUADRILLE_FASTCHESS names none";
        skipped.push(format!("SKIPPED fastchess --compliance: {why}"));
    }
    Ok(skipped)
}

fn test(name: &str, variable: &str, program: &Path) -> Outcome {
    let mut command = cargo("test --package quadrille-engine --test all --");
    command
        .args([&format!("clients::{name}"), "--ignored", "--exact"])
        .env(variable, program);
    run(command)
}

/// A Python that knows python-chess: the one named, the system's, or one of our
/// own beside the build.
fn python() -> Result<PathBuf, String> {
    let named = std::env::var_os("QUADRILLE_PYTHON").map(PathBuf::from);
    let folder = target().join("python");
    let bin = if cfg!(windows) { "Scripts" } else { "bin" };
    let own = folder.join(bin).join("python");
    let ready = [named, Some("python3".into()), Some(own.clone())];
    if let Some(python) = ready.into_iter().flatten().find(|p| knows_chess(p)) {
        return Ok(python);
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(folder);
    run(make)?;
    let mut install = Command::new(&own);
    install.args(["-m", "pip", "install", "--quiet", PYTHON_CHESS]);
    run(install)?;
    if knows_chess(&own) {
        Ok(own)
    } else {
        Err("it was installed and cannot be imported".into())
    }
}

fn knows_chess(python: &Path) -> bool {
    succeeds(Command::new(python).args(["-c", "import chess.engine"]))
}
