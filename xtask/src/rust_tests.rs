//! All Rust tests. Some talk with other processes against the clock: what fails is
//! tried once more by itself, and named at the end even if it passes then.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::steps::{linting, run, succeeds};

/// More than that is no matter of a busy machine.
const MOST_RETRIES: usize = 5;

/// Runs all tests; gives a line for each that passed only at the second try.
pub(crate) fn all() -> Result<Vec<String>, String> {
    let mut command = linting("test --workspace --all-features --tests --no-fail-fast");
    let mut skipped = Vec::new();
    if !has_nats() {
        command.env("QUADRILLE_WITHOUT_NATS", "1");
        let line =
            "SKIPPED matches over NATS: no nats-server; install it, or name one with NATS_SERVER";
        skipped.push(line.into());
    }
    let (passed, failed) = told(command)?;
    if passed {
        return Ok(skipped);
    }
    if failed.is_empty() || failed.len() > MOST_RETRIES {
        return Err(format!("{} tests failed", failed.len()));
    }
    eprintln!("xtask: failed, and tried once more: {}", failed.join(", "));
    let mut again = linting("test --workspace --all-features --tests --");
    if !skipped.is_empty() {
        again.env("QUADRILLE_WITHOUT_NATS", "1");
    }
    again.arg("--exact").args(&failed);
    run(again)?;
    let line = |name: &String| format!("UNSTEADY {name}: failed once, and passed when tried again");
    skipped.extend(failed.iter().map(line));
    Ok(skipped)
}

/// Whether there is a NATS server for the tests that need one; it is installed if
/// the machine lets us.
fn has_nats() -> bool {
    let find = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let usual = ["/usr/sbin", "/usr/local/bin", "/usr/local/sbin"].map(PathBuf::from);
        let mut folders = std::env::split_paths(&path).chain(usual);
        folders.any(|folder| folder.join("nats-server").is_file())
    };
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "--no-install-recommends", "nats-server"]);
    std::env::var_os("NATS_SERVER").is_some() || find() || (succeeds(&mut install) && find())
}

/// Runs tests; whether all passed, and the names of those that did not.
fn told(mut command: Command) -> Result<(bool, Vec<String>), String> {
    let fail = |error: std::io::Error| format!("cargo test: {error}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(fail)?;
    let mut failed = Vec::new();
    let mut out = std::io::stdout();
    for line in child
        .stdout
        .take()
        .into_iter()
        .flat_map(|o| BufReader::new(o).split(b'\n'))
    {
        let line = String::from_utf8_lossy(&line.map_err(fail)?).into_owned();
        // Without a reader the tests run on.
        let _ = writeln!(out, "{line}");
        failed.extend(failure(&line));
    }
    Ok((child.wait().map_err(fail)?.success(), failed))
}

/// `test a::b ... FAILED`
fn failure(line: &str) -> Option<String> {
    let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_known_by_name() {
        assert_eq!(failure("test a::b ... FAILED").as_deref(), Some("a::b"));
        assert_eq!(failure("test a::b ... ok"), None);
        assert_eq!(failure("test result: FAILED. 1 passed; 1 failed"), None);
    }
}
