//! Project chores, run as `cargo xtask <task>`.

mod clients;
mod clock;
mod docs;
mod licences;
mod page;
mod perft_deep;
mod rust_tests;
mod site;
mod steps;
mod types;
mod wasm;
mod windows;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use steps::{Outcome, cargo, linting, run};

/// The name of a task, what it does, and the function that does it.
type Task = (&'static str, &'static str, fn() -> Outcome);

const TASKS: &[Task] = &[
    (
        "test",
        "everything that must pass before a change goes in",
        test,
    ),
    ("format", "rustfmt, as a check", format),
    ("lint", "clippy on all targets, warnings denied", lint),
    (
        "docs",
        "the API documentation, warnings denied, and its examples",
        docs::all,
    ),
    ("unit", "lints and all Rust tests", unit),
    (
        "clients",
        "python-chess, fastchess and engines of other people with ours",
        clients::only,
    ),
    (
        "windows",
        "the workspace compiles for Windows, with MinGW-w64",
        windows::only,
    ),
    (
        "wine",
        "games of the built-in engine on Windows, under Wine",
        windows::wine,
    ),
    (
        "wasm",
        "the engines in WebAssembly, played with under Node",
        wasm::only,
    ),
    (
        "types",
        "writes the page's TypeScript of all messages",
        types::write,
    ),
    (
        "page",
        "the page: types, its own tests, and the program in a browser",
        page::only,
    ),
    (
        "licences",
        "nothing that ships is under a licence we cannot ship",
        licences::check,
    ),
    (
        "perft-deep",
        "every deep perft figure of the four games, in release",
        perft_deep::deep,
    ),
    (
        "kill-test",
        "matches killed at a thousand moments, a tournament at fifty, and resumed, in release",
        kill_test,
    ),
    (
        "analyse-kill",
        "an analysis of a hundred games killed at twenty moments, in release",
        analyse_kill,
    ),
    (
        "growth-test",
        "ten thousand games without growth of memory or files, in release",
        growth_test,
    ),
    (
        "clock",
        "engines that are late by choice and honest ones, calm and under load",
        clock::whole,
    ),
    ("clock-quick", "a quarter of these games", clock::quick),
    (
        "diff",
        "five million chess positions against two other libraries",
        perft_deep::diff,
    ),
];

fn main() -> ExitCode {
    if let Some(arguments) = docs::called() {
        return docs::stand_in(&arguments);
    }
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next();
    if wanted.as_deref() == Some(clock::SPIN) {
        clock::spin();
        return ExitCode::SUCCESS;
    }
    let (next, more) = (arguments.next(), arguments.next());
    if let (Some("site"), Some(out), None) = (wanted.as_deref(), &next, &more) {
        return report("site", site::build(Path::new(out)));
    }
    let task = wanted
        .as_deref()
        .and_then(|name| TASKS.iter().find(|task| task.0 == name));
    let (Some((name, _, work)), None) = (task, next) else {
        eprintln!("usage: cargo xtask <task>\n");
        for (name, about, _) in TASKS {
            eprintln!("  {name:<12} {about}");
        }
        eprintln!(
            "  {:<12} the page without a server, into a folder",
            "site OUT"
        );
        return ExitCode::from(2);
    };
    report(name, work())
}

fn report(name: &str, outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => {
            eprintln!("xtask: {name} passed");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("xtask: {name} FAILED: {failure}");
            ExitCode::FAILURE
        }
    }
}

const PLAN: &str = "\
xtask: formatting, licences, lints, all tests, documentation, Windows, WebAssembly, the page,
xtask: then python-chess and engines of other people where they are installed.
xtask: Fetched where missing: crates, Rust's libraries for Windows and WebAssembly, the page's
xtask: tools (npm), a Chromium, python-chess (into the build folder). Takes about
xtask: 25 minutes of processor time, 5 GB of disk";

fn test() -> Outcome {
    eprintln!("{PLAN}");
    let mut spent = Spent::default();
    let mut skipped = Vec::new();
    let passed = all_parts(&mut spent, &mut skipped);
    spent.tell();
    // Last, so that it can be seen what did not run.
    for line in skipped {
        eprintln!("xtask: {line}");
    }
    passed
}

fn all_parts(spent: &mut Spent, skipped: &mut Vec<String>) -> Outcome {
    spent.on("formatting", format)?;
    spent.on("licences", licences::check)?;
    spent.on("lints", built)?;
    skipped.extend(spent.on("tests", rust_tests::all)?);
    spent.on("documentation", docs::all)?;
    skipped.extend(spent.on("Windows", windows::check)?);
    skipped.extend(spent.on("WebAssembly", wasm::all)?);
    skipped.extend(spent.on("the page", page::all)?);
    skipped.extend(spent.on("others' clients and engines", clients::all)?);
    Ok(())
}

/// What each part has cost.
#[derive(Default)]
struct Spent(Vec<(&'static str, Duration, u64)>);

impl Spent {
    /// Does a part.
    fn on<T>(
        &mut self,
        name: &'static str,
        part: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let (begun, before) = (Instant::now(), steps::processor_seconds());
        let done = part();
        let spent = steps::processor_seconds().zip(before);
        let spent = spent.map_or(0, |(now, before)| now - before);
        self.0.push((name, begun.elapsed(), spent));
        done
    }

    fn tell(&self) {
        eprintln!("xtask: seconds of the clock, and of processors:");
        for (name, took, spent) in &self.0 {
            eprintln!("xtask: {:6} {spent:6}  {name}", took.as_secs());
        }
        let took: Duration = self.0.iter().map(|part| part.1).sum();
        let spent: u64 = self.0.iter().map(|part| part.2).sum();
        eprintln!("xtask: {:6} {spent:6}  in all", took.as_secs());
    }
}

fn format() -> Outcome {
    run(cargo("fmt --all --check"))?;
    // The fuzz targets are a workspace of their own.
    run(cargo("fmt --manifest-path fuzz/Cargo.toml --check"))
}

fn lint() -> Outcome {
    run(cargo(
        "clippy --workspace --all-targets --all-features -- --deny warnings",
    ))?;
    without_serde()
}

/// The protocol library as most people build it.
fn without_serde() -> Outcome {
    run(cargo(
        "clippy --package quadrille-protocol -- --deny warnings",
    ))
}

fn kill_test() -> Outcome {
    let mut test = cargo("test --release --package quadrille --test all -- match_kill --nocapture");
    test.env("QUADRILLE_KILLS", "50");
    test.env("QUADRILLE_STORE_KILLS", "1000");
    run(test)
}

fn analyse_kill() -> Outcome {
    let mut test =
        cargo("test --release --package quadrille --test all -- analyse_kill --nocapture");
    test.env("QUADRILLE_ANALYSE_KILLS", "20");
    run(test)
}

fn growth_test() -> Outcome {
    run(cargo(
        "test --release --package quadrille --test all -- match_growth --ignored --nocapture",
    ))
}

/// Everything that is tested is built, under clippy's eyes.
fn built() -> Outcome {
    // Tests start some of the examples.
    run(linting(
        "build --workspace --all-features --profile test --examples",
    ))?;
    run(linting(
        "test --workspace --all-features --tests --benches --no-run",
    ))?;
    without_serde()
}

fn unit() -> Outcome {
    built()?;
    let unsteady = rust_tests::all()?;
    for line in unsteady {
        eprintln!("xtask: {line}");
    }
    Ok(())
}
