//! Engines, their options and limits, as several commands name them.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use clap::Args;
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

/// Engines that think about every position of a file.
#[derive(Args)]
pub(crate) struct EngineArguments {
    /// A program, `tcp://HOST:PORT` or `tls://HOST:PORT`, `builtin`, or several: the first one judges
    #[arg(
        long = "engine",
        short,
        value_name = "ENGINE",
        default_value = "builtin"
    )]
    pub(crate) engines: Vec<String>,

    /// Set an option of all engines; a button has no value
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(crate) options: Vec<String>,
}

impl EngineArguments {
    pub(crate) fn specs(&self) -> impl Iterator<Item = EngineSpec> {
        self.engines.iter().map(|text| engine(text, &self.options))
    }
}

/// Limits of each search; all of them hold at once.
#[derive(Args)]
pub(crate) struct LimitArguments {
    /// Milliseconds for each position
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// Plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Positions searched
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl LimitArguments {
    /// The limits that were named, perhaps none.
    pub(crate) fn named(&self) -> Limits {
        Limits {
            movetime: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        }
    }

    /// The limits; `usual` milliseconds where none was named.
    pub(crate) fn or_movetime(&self, usual: u64) -> Limits {
        let limits = self.named();
        if limits == Limits::default() {
            return Limits::movetime(Duration::from_millis(usual));
        }
        limits
    }
}
