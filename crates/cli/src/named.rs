//! Engines, their options and limits, as several commands name them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quadrille_analysis::same_file;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Limits, named_files};
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

/// Refuses outputs, by their options, that lead to the program of an engine or to a file that
/// its arguments name: it would be lost.
pub(crate) fn keep_program(spec: &EngineSpec, outputs: &[(&str, &Path)]) -> Result<(), Failure> {
    for (what, file) in named_files(spec) {
        let shared = outputs.iter().find(|(_, path)| same_file(path, &file));
        if let Some((option, path)) = shared {
            let message = format!("{option} and {what} are the same file ({})", path.display());
            return Err(Failure::input(message).hint("name another file for the output"));
        }
    }
    Ok(())
}

/// A tape of an engine. What was in the file is replaced when the engine has started.
pub(crate) struct Tape {
    pub(crate) recorder: Recorder,
    path: PathBuf,
    is_new: bool,
}

impl Tape {
    /// Opens the file, so that one that cannot be written is refused at once.
    pub(crate) fn open(path: &Path, engine: &EngineSpec) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            let message = "a tape cannot go to standard output";
            return Err(Failure::input(message).hint("name a file: --tape FILE"));
        }
        let is_new = !path.exists();
        let engine = engine.command.display().to_string();
        let file = Recorder::open(path).map_err(|error| {
            Failure::input(format!("{} cannot be written: {error}", path.display()))
        })?;
        Ok(Self {
            recorder: Recorder::begin_later(file, &[("engine", &engine)]),
            path: path.into(),
            is_new,
        })
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        if self.recorder.has_begun() {
            tell_failure(&self.recorder);
        } else if self.is_new {
            // It is empty, for no engine has started.
            let _ = fs::remove_file(&self.path);
        }
    }
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
