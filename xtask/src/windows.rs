//! Windows from here: the workspace is checked for it with MinGW-w64, and under
//! Wine the built-in engine plays itself. A machine that lacks the tools skips
//! this, and says so.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::steps::{Outcome, cargo, install_target, run, target};

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Rust's standard library takes its random numbers from a library that Wine has
/// only since version 9. This is the one function of it that is called.
const RANDOM: &str = "
#include <stddef.h>
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    while (length > 0) {
        ULONG part = length > 65536 ? 65536 : (ULONG)length;
        if (!SystemFunction036(buffer, part)) return FALSE;
        buffer += part;
        length -= part;
    }
    return TRUE;
}
";

/// Checks alone. What could not run did not pass.
pub(crate) fn only() -> Outcome {
    match check()? {
        None => Ok(()),
        Some(skipped) => Err(skipped),
    }
}

/// Checks that everything compiles without a warning; a line if that cannot be tried here.
pub(crate) fn check() -> Result<Option<String>, String> {
    if let Err(why) = tools() {
        return Ok(Some(format!("SKIPPED Windows: {why}")));
    }
    run(for_windows(
        "clippy",
        "--workspace --exclude xtask --lib --bins -- --deny warnings",
    ))?;
    Ok(None)
}

/// Cargo for Windows. What is in C is compiled by MinGW's compiler.
fn for_windows(task: &str, arguments: &str) -> Command {
    cargo(&format!("{task} --target {TARGET} {arguments}"))
}

/// The compiler and Rust's libraries for Windows, fetched where that is possible.
fn tools() -> Outcome {
    if !answers(COMPILER) {
        return Err(format!(
            "no {COMPILER} on the path; Debian has it in the package mingw-w64"
        ));
    }
    install_target(TARGET)
}

fn answers(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").output();
    asked.is_ok_and(|output| output.status.success())
}

/// Plays games of the built-in engine under Wine: the match runner starts its
/// engines as processes there, with pipes and job objects. Then the host's tests
/// of engines that misbehave run there too.
pub(crate) fn wine() -> Outcome {
    tools()?;
    if !answers("wine") {
        return Err("no wine on the path; Debian has it in the package wine".into());
    }
    run(for_windows("build", "--package quadrille --bin quadrille"))?;
    let folder = std::env::temp_dir().join(format!("quadrille-wine-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let tried = random(&folder)
        .and_then(|()| GAMES.iter().try_for_each(|game| play(&folder, game)))
        .and_then(|()| test(&folder));
    // What stays behind in the folder for temporary files does no harm.
    let _ = fs::remove_dir_all(&folder);
    tried
}

const GAMES: [&str; 4] = ["chess", "liberty", "leiser", "gyges"];

/// Makes the library that old Wine lacks. A newer one prefers its own.
fn random(folder: &Path) -> Outcome {
    let source = folder.join("random.c");
    fs::write(&source, RANDOM).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compile = Command::new(COMPILER);
    compile
        .args([
            "-shared",
            "-o",
            "bcryptprimitives.dll",
            "random.c",
            "-ladvapi32",
        ])
        .current_dir(folder);
    run(compile)
}

/// Settings of its own for Wine, and our library in its search path.
fn settle(command: &mut Command, folder: &Path) {
    command
        .env("WINEPREFIX", folder.join("prefix"))
        .env("WINEPATH", folder)
        .env("WINEDEBUG", "-all");
}

fn play(folder: &Path, game: &str) -> Outcome {
    let program = target().join(TARGET).join("debug").join("quadrille.exe");
    let mut wine = Command::new("wine");
    settle(&mut wine, folder);
    wine.arg(program)
        .args(["match", "-game", game])
        .args("-engine cmd=builtin name=left -engine cmd=builtin name=right".split(' '))
        .args("-each nodes=2000 -rounds 1 -games 2 -repeat -maxmoves 20".split(' '))
        .args(["-pgnout", &format!("file={game}.pgn")])
        .args(["-store", &format!("{game}.db")])
        .current_dir(folder);
    run(wine)?;
    let file = folder.join(format!("{game}.pgn"));
    let games = fs::read_to_string(&file).map_err(|error| format!("{game}: {error}"))?;
    let results = games.matches("[Result \"").count();
    if results != 2 || games.contains("abandoned") {
        return Err(format!("{game}: two games were to be played:\n{games}"));
    }
    Ok(())
}

fn test(folder: &Path) -> Outcome {
    // As the program was built: what it links need not be compiled again.
    let mut tests = for_windows(
        "test --config profile.test.opt-level=1",
        "--package quadrille-test-engines --test all -- zoo::",
    );
    settle(&mut tests, folder);
    tests.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine");
    run(tests)
}
