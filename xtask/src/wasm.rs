//! The engines in WebAssembly: built, measured, and played with under Node. The
//! target is fetched where it is missing; what cannot be had is skipped, and said
//! to be.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::steps::{Outcome, cargo, install_target, linting, root, run, succeeds, target};

const TARGET: &str = "wasm32-unknown-unknown";
const GAMES: [&str; 4] = ["chess", "liberty", "leiser", "gyges"];

/// Runs this step alone. What could not run did not pass.
pub(crate) fn only() -> Outcome {
    let skipped = all()?;
    if skipped.is_empty() {
        return Ok(());
    }
    Err(skipped.join("\n"))
}

/// Builds and plays; gives a line for each part that could not be done.
pub(crate) fn all() -> Result<Vec<String>, String> {
    if let Err(why) = install_target(TARGET) {
        return Ok(vec![format!("SKIPPED wasm: {why}")]);
    }
    run(cargo(&format!(
        "build --profile wasm --target {TARGET} --package quadrille-wasm"
    )))?;
    let module = target().join(TARGET).join("wasm/quadrille_wasm.wasm");
    let size = std::fs::metadata(&module)
        .map_err(|error| format!("{}: {error}", module.display()))?
        .len();
    eprintln!("xtask: quadrille_wasm.wasm has {size} bytes");
    if !succeeds(Command::new("node").arg("--version")) {
        return Ok(vec!["SKIPPED wasm under Node: no node on the path".into()]);
    }
    // As the tests have built them.
    let engines = GAMES
        .map(|game| format!("--bin quadrille-{game}"))
        .join(" ");
    run(linting(&format!(
        "build --workspace --all-features --profile test {engines}"
    )))?;
    let mut test = Command::new("node");
    test.arg(root().join("crates/wasm/js/test.mjs"))
        .arg(&module);
    for game in GAMES {
        test.arg(format!("{game}={}", native_bench(game)?));
    }
    run(test)?;
    let mut desk = Command::new("node");
    desk.arg(root().join("crates/wasm/js/desk-test.mjs"))
        .arg(&module);
    run(desk)?;
    Ok(Vec::new())
}

/// The nodes that the native engine searches in its benchmark.
fn native_bench(game: &str) -> Result<u64, String> {
    let name = format!("quadrille-{game}{}", std::env::consts::EXE_SUFFIX);
    let program = target().join("debug").join(name);
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    let mut engine = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (engine.stdin.take(), engine.stdout.take()) else {
        return Err(format!("{}: no pipes", program.display()));
    };
    writeln!(input, "bench").map_err(failed)?;
    let mut nodes = None;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(failed)?;
        if let Some(number) = line.strip_prefix("Nodes searched: ") {
            nodes = number.parse().ok();
            break;
        }
    }
    // The end of its input ends the engine.
    drop(input);
    engine.wait().map_err(failed)?;
    nodes.ok_or_else(|| format!("{} gave no bench", program.display()))
}
