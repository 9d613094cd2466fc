//! Engines, their options and limits, as several commands name them.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use quadrille_driver::Limits;
use quadrille_driver::spec::EngineSpec;
use quadrille_transcript::Recorder;

use quadrille_net::sanitize::printable;

use crate::failure::Failure;

/// `NAME=VALUE`, or the name of a button.
pub(crate) fn option(text: &str) -> (&str, Option<&str>) {
    match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    }
}

/// The same, to be kept.
pub(crate) fn options(texts: &[String]) -> Vec<(String, Option<String>)> {
    let owned = |(name, value): (&str, Option<&str>)| (name.into(), value.map(Into::into));
    texts.iter().map(|text| owned(option(text))).collect()
}

/// A program; where there is none of that name, words behind it are its arguments:
/// `gnuchess --uci`.
pub(crate) fn engine(text: &str, settings: &[String]) -> EngineSpec {
    let mut words = text.split_whitespace();
    let (command, args) = match words.next() {
        Some(first) if !Path::new(text).exists() => (first, words.map(Into::into).collect()),
        _ => (text, Vec::new()),
    };
    let mut spec = EngineSpec {
        command: command.into(),
        args,
        options: options(settings),
        ..EngineSpec::default()
    };
    spec.seal();
    spec
}

/// Looks for the program in the folder that it is started in first, where one is named.
pub(crate) fn join_folder(spec: &mut EngineSpec) -> Result<(), Failure> {
    match spec.folder {
        Some(_) => spec.make_absolute().map_err(Failure::machine),
        None => Ok(()),
    }
}

/// A tape that begins, for this engine.
pub(crate) fn tape(path: &Path, engine: &EngineSpec) -> Result<Recorder, Failure> {
    let engine = engine.command.display().to_string();
    let file = Recorder::open(path);
    let begun = file.and_then(|file| Recorder::begin(file, &[("engine", &engine)]));
    begun.map_err(|error| Failure::input(format!("{} cannot be written: {error}", path.display())))
}

/// Tells why a tape is not whole, if it is not.
pub(crate) fn tell_failure(tape: &Recorder) {
    if let Some(error) = tape.failure() {
        let text = format!("warning: the tape ends early: {error}");
        // Without a reader of messages there is nothing to say.
        let _ = writeln!(io::stderr(), "{}", printable(&text));
    }
}

/// What ends each search; `usual` milliseconds where nothing else does.
pub(crate) fn limits(
    movetime: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    usual: u64,
) -> Limits {
    let limits = Limits {
        movetime: movetime.map(Duration::from_millis),
        depth,
        nodes,
        ..Limits::default()
    };
    if limits == Limits::default() {
        return Limits::movetime(Duration::from_millis(usual));
    }
    limits
}
