//! The page: its types, its own tests, and the whole program in a real browser.
//!
//! Node does the first two. A Chromium is looked for, and installed where this
//! machine lets us; what cannot be had is skipped, and said to be.

use std::path::PathBuf;
use std::process::Command;

use crate::site;
use crate::steps::{Outcome, linting, root, run, succeeds, target};

/// Names under which systems have the browser.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// All of it. What could not run did not pass.
pub(crate) fn only() -> Outcome {
    let skipped = all()?;
    if skipped.is_empty() {
        return Ok(());
    }
    Err(skipped.join("\n"))
}

/// Types, the page's own tests, and everything in a browser; gives a line for each
/// part that could not be done.
pub(crate) fn all() -> Result<Vec<String>, String> {
    let skipped = without_browser()?;
    if skipped.is_empty() {
        return in_browser();
    }
    Ok(skipped)
}

/// Types and the page's own tests.
fn without_browser() -> Result<Vec<String>, String> {
    if !succeeds(Command::new("node").arg("--version")) {
        return Ok(vec!["SKIPPED page: no node on the path".into()]);
    }
    // The program that the tests have built; its build script has installed what npm
    // needs.
    run(linting(
        "build --workspace --all-features --profile test --bin quadrille",
    ))?;
    run(npm("check"))?;
    run(npm("unit"))?;
    Ok(Vec::new())
}

/// The whole program in a real browser, and the page without a server.
fn in_browser() -> Result<Vec<String>, String> {
    let Some(browser) = browser() else {
        let line = "SKIPPED page in a browser: no chromium; install it, or name one with CHROMIUM";
        return Ok(vec![line.into()]);
    };
    // Its WebAssembly is what the step of that name has built.
    let site = target().join("site");
    site::build(&site)?;
    let mut tests = npm("e2e");
    tests.env("QUADRILLE_SITE", site);
    tests.env("CHROMIUM", browser);
    let program = format!("debug/quadrille{}", std::env::consts::EXE_SUFFIX);
    tests.env("QUADRILLE", target().join(program));
    run(tests)?;
    Ok(Vec::new())
}

/// A script of the page's package.
fn npm(script: &str) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command
        .args(["run", "--silent", script])
        .current_dir(root().join("crates/web/ui"));
    command
}

/// A browser: the one that is named, one that is there, or one that Debian's
/// packages bring.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    find().or_else(|| {
        let mut install = Command::new("apt-get");
        install.args(["install", "-y", "--no-install-recommends", "chromium"]);
        // Without rights or packages there is none.
        succeeds(&mut install).then(find).flatten()
    })
}

fn find() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let places = BROWSERS.iter();
    let mut places = places.flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|path| path.is_file())
}
