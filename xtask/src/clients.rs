//! Programs of other people: python-chess and fastchess, which talk to our
//! engine, and engines, which talk to our host. They are not ours to ship, so
//! their tests are ignored by a plain `cargo test`; here those run whose program
//! is there, and the others are said to be skipped.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Outcome, linting, run, succeeds, target};

/// The version of python-chess that is fetched where there is none.
const PYTHON_CHESS: &str = "chess==1.11.2";

/// Engines as Debian packages them, and what makes each of them speak UCI.
const ENGINES: [&str; 7] = [
    "stockfish",
    "ethereal-chess",
    "fairy-stockfish",
    "glaurung",
    "toga2",
    "gnuchess --uci",
    "sjaakii",
];

/// Tests that can run, what they must know, and a line for each that cannot.
#[derive(Default)]
struct Wanted {
    tests: Vec<&'static str>,
    variables: Vec<(&'static str, OsString)>,
    skipped: Vec<String>,
}

/// Runs the clients alone. What could not run did not pass.
pub(crate) fn only() -> Outcome {
    let skipped = all()?;
    if skipped.is_empty() {
        return Ok(());
    }
    Err(skipped.join("\n"))
}

/// Runs every test whose program is there; gives a line for each that is missing.
pub(crate) fn all() -> Result<Vec<String>, String> {
    let mut wanted = Wanted::default();
    wanted.python_chess();
    wanted.fastchess();
    wanted.engines();
    wanted.tapes();
    if !wanted.tests.is_empty() {
        // Built as for all other tests, so that nothing is compiled twice.
        let mut command =
            linting("test --quiet --workspace --all-features --test all -- --ignored --exact");
        command.args(wanted.tests).envs(wanted.variables);
        run(command)?;
    }
    Ok(wanted.skipped)
}

impl Wanted {
    fn python_chess(&mut self) {
        match python() {
            Ok(python) => {
                self.tests.extend([
                    "clients::python_chess",
                    "matches::python_chess_reads_our_records",
                    "analyse::python_chess_reads_our_analyses",
                    "pgn::python_chess_reads_what_pgn_writes",
                ]);
                self.variables.push(("QUADRILLE_PYTHON", python.into()));
            }
            Err(why) => self.skipped.push(format!("SKIPPED python-chess: {why}")),
        }
    }

    /// Tapes are recorded from stockfish for python-chess, so both are needed.
    fn tapes(&mut self) {
        let has = |name: &str| self.variables.iter().any(|variable| variable.0 == name);
        let stockfish = find("stockfish").is_some();
        if has("QUADRILLE_PYTHON") && has("QUADRILLE_ENGINES") && stockfish {
            self.tests
                .push("tape::python_chess_hears_the_same_from_a_tape");
        } else {
            let why = "python-chess or stockfish is missing";
            self.skipped
                .push(format!("SKIPPED tapes for python-chess: {why}"));
        }
    }

    fn fastchess(&mut self) {
        let program = std::env::var_os("QUADRILLE_FASTCHESS").unwrap_or_else(|| "fastchess".into());
        if succeeds(Command::new(&program).arg("--version")) {
            self.tests.push("clients::fastchess");
            self.variables.push(("QUADRILLE_FASTCHESS", program));
        } else {
            let why = "no fastchess on the path, and QUADRILLE_FASTCHESS names none";
            self.skipped
                .push(format!("SKIPPED fastchess --compliance: {why}"));
        }
    }

    fn engines(&mut self) {
        let mut present = Vec::new();
        for line in ENGINES {
            let (program, arguments) = line.split_once(' ').unwrap_or((line, ""));
            match find(program) {
                Some(file) => present.push(format!("{} {arguments}", file.display())),
                None => self.skipped.push(format!(
                    "SKIPPED games with {program}: it is not installed (Debian has it)"
                )),
            }
        }
        // One has no opponent.
        if present.len() >= 2 {
            self.tests.extend([
                "lend_input::real_engines_survive_what_clients_send",
                "real_engines::real_engines_talk_and_leave",
                "real_tournament::real_engines_play_a_round_robin",
            ]);
            let lines = present.join("\n");
            self.variables.push(("QUADRILLE_ENGINES", lines.into()));
        }
    }
}

/// Where Debian puts games, and then everywhere else.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(PathBuf::from("/usr/games"));
    folders
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
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
