//! Files that reports go to. They are opened before the check and written after it:
//! a check takes a minute, and a misspelt folder should not cost one.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use quadrille_analysis::same_file;
use quadrille_check::{Baseline, Report, output};
use quadrille_protocol::Severity;

use super::Arguments;
use crate::failure::Failure;

/// A file that a report goes to.
pub(super) struct Sheet {
    path: PathBuf,
    /// Standard output, if there is none.
    file: Option<File>,
    /// What is there stays.
    behind: bool,
    /// What was written of this report before.
    written: String,
}

impl Sheet {
    /// One whose contents are replaced, at the end.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        Self::with(path, false)
    }

    /// One that is written behind what is there.
    pub(super) fn append(path: &Path) -> Result<Self, Failure> {
        Self::with(path, true)
    }

    fn with(path: &Path, behind: bool) -> Result<Self, Failure> {
        let file = if is_dash(path) {
            None
        } else {
            Some(Self::file(path, behind)?)
        };
        Ok(Self {
            path: path.into(),
            file,
            behind,
            written: String::new(),
        })
    }

    fn file(path: &Path, behind: bool) -> Result<File, Failure> {
        let mut options = File::options();
        options.create(true).write(true).truncate(false);
        // What others write behind us is kept. A device or a pipe is only written to.
        let is_file = !path.exists() || path.is_file();
        let file = options.read(behind && is_file).open(path);
        file.map_err(|error| Failure::input(unwritable(path, &error)))
    }

    /// True for standard output.
    pub(super) const fn is_printed(&self) -> bool {
        self.file.is_none()
    }

    /// Whether it can be written again.
    pub(super) fn is_file(&self) -> bool {
        let known = self.file.as_ref().map(File::metadata);
        known.is_some_and(|known| known.is_ok_and(|known| known.is_file()))
    }

    /// Writes the report, in place of what was written of it before.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let (is_file, behind) = (self.is_file(), self.behind);
        let done = match (&mut self.file, is_file) {
            (None, _) => printed(text),
            // Devices and pipes hold nothing that could be replaced.
            (Some(file), false) => file.write_all(text.as_bytes()),
            (Some(file), true) if behind => renew(file, text, &self.written),
            (Some(file), true) => replace(file, text.as_bytes()),
        };
        text.clone_into(&mut self.written);
        done.map_err(|error| Failure::machine(unwritable(&self.path, &error)))
    }
}

/// Writes to standard output. A reader that has gone away wants no more.
fn printed(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// At no moment the file is empty.
fn replace(file: &mut File, whole: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(whole)?;
    file.set_len(whole.len() as u64)
}

/// Writes behind what others have written, or where our last report stands among it.
fn renew(file: &mut File, text: &str, last: &str) -> io::Result<()> {
    // Where there are no locks, one program at a time writes.
    let locked = file.lock().is_ok();
    let done = renew_alone(file, text, last);
    if locked {
        // It ends with the file at the latest.
        let _ = file.unlock();
    }
    done
}

fn renew_alone(file: &mut File, text: &str, last: &str) -> io::Result<()> {
    let mut whole = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut whole)?;
    let old = last.as_bytes();
    let mut windows = whole.windows(old.len().max(1));
    let place = windows.rposition(|window| window == old);
    match place {
        Some(at) => {
            whole.splice(at..at + old.len(), text.bytes());
        }
        None => whole.extend_from_slice(text.as_bytes()),
    }
    replace(file, &whole)
}

/// Returns whether this stands for standard output.
fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// Refuses two outputs that lead to the same place, a file, a pipe or a terminal, and one
/// over the baseline that is read. The baseline may be renewed in its place.
pub(super) fn keep_apart(arguments: &Arguments) -> Result<(), Failure> {
    keep_stream(arguments)?;
    let streams = printed_streams(arguments);
    let mut named: Vec<(&str, &Path)> = Vec::new();
    let mut outputs = outputs(arguments);
    if let Some(baseline) = arguments.baseline.as_deref().filter(|path| !discards(path)) {
        let before = |(option, _): &(&str, &Path)| *option == "--write-baseline";
        let place = outputs.iter().position(before).unwrap_or(outputs.len());
        outputs.insert(place, ("--baseline", baseline));
    }
    for (option, path) in outputs {
        let renews = |other: &str| (other, option) == ("--baseline", "--write-baseline");
        let shared = |(other, known): &&(&str, &Path)| !renews(other) && same_file(known, path);
        if let Some((other, _)) = named.iter().chain(&streams).find(shared) {
            let message = format!(
                "{other} and {option} are the same file ({})",
                path.display()
            );
            return Err(Failure::input(message).hint("name another file for one of them"));
        }
        named.push((option, path));
    }
    Ok(())
}

/// Refuses two outputs to standard output, one beside the conversation with a host, and a tape.
fn keep_stream(arguments: &Arguments) -> Result<(), Failure> {
    let dashes = places(arguments).filter(|(_, path)| is_dash(path));
    let dashes: Vec<&str> = dashes.map(|(option, _)| option).collect();
    if let [one, other, ..] = &*dashes {
        let message = format!("{one} and {other} would both go to standard output");
        return Err(Failure::input(message).hint("name a file for one of them"));
    }
    // As JSON, the report on a host takes the place of the text on standard error.
    if let Some(option) = dashes.first().filter(|option| **option != "--json")
        && (arguments.host || *option == "--tape")
    {
        let message = format!("{option} cannot go to standard output");
        return Err(Failure::input(message).hint(format!("name a file: {option} FILE")));
    }
    Ok(())
}

/// The files that are written, by their options.
pub(super) fn outputs(arguments: &Arguments) -> Vec<(&'static str, &Path)> {
    let named = places(arguments);
    named
        .filter(|(_, path)| !is_dash(path) && !discards(path))
        .collect()
}

/// Returns whether a report takes the place of the text on standard output.
pub(super) fn replace_text(arguments: &Arguments) -> bool {
    let mut places = places(arguments);
    let text = ["--output", "--json"];
    places.any(|(option, path)| is_dash(path) && !text.contains(&option))
}

/// Options that write something, and where to.
fn places(arguments: &Arguments) -> impl Iterator<Item = (&'static str, &Path)> {
    let all = [
        ("--output", &arguments.output),
        ("--json", &arguments.json),
        ("--junit", &arguments.junit),
        ("--sarif", &arguments.sarif),
        ("--html", &arguments.html),
        ("--tape", &arguments.tape),
        ("--write-baseline", &arguments.write_baseline),
    ];
    let named = all.into_iter();
    named.filter_map(|(option, path)| Some((option, path.as_deref()?)))
}

/// The standard streams that a check writes to. A report on a host is printed to standard
/// error, because standard output belongs to the conversation.
fn printed_streams(arguments: &Arguments) -> Vec<(&'static str, &'static Path)> {
    let mut streams = Vec::new();
    let text = arguments.output.as_deref().is_none_or(is_dash);
    if arguments.host || text || replace_text(arguments) {
        streams.push(("standard output", Path::new("/dev/stdout")));
    }
    if arguments.host && arguments.output.is_none() {
        streams.push(("standard error", Path::new("/dev/stderr")));
    }
    streams
}

/// Returns `true` if what is written there is lost in any case, so that any number of outputs may go
/// there.
fn discards(path: &Path) -> bool {
    let is_nul = || path.as_os_str().eq_ignore_ascii_case("nul");
    same_file(path, Path::new("/dev/null")) || (cfg!(windows) && is_nul())
}

/// The files that are wanted beside the report that is read.
pub(super) struct Files {
    json: Option<Sheet>,
    junit: Option<Sheet>,
    sarif: Option<Sheet>,
    html: Option<Sheet>,
    baseline: Option<Sheet>,
}

impl Files {
    pub(super) fn open(arguments: &Arguments) -> Result<Self, Failure> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Sheet::open).transpose();
        let json = arguments.json.clone().filter(|_| !arguments.prints_json());
        Ok(Self {
            json: open(&json)?,
            junit: open(&arguments.junit)?,
            sarif: open(&arguments.sarif)?,
            html: open(&arguments.html)?,
            baseline: open(&arguments.write_baseline)?,
        })
    }

    /// Whether all of them can be written again.
    pub(super) fn are_files(&self) -> bool {
        let all = [
            &self.json,
            &self.junit,
            &self.sarif,
            &self.html,
            &self.baseline,
        ];
        all.into_iter().flatten().all(Sheet::is_file)
    }

    pub(super) fn write(&mut self, arguments: &Arguments, report: &Report) -> Result<(), Failure> {
        if let Some(sheet) = &mut self.json {
            let text = serde_json::to_string(report).map_err(Failure::machine)?;
            sheet.write(&(text + "\n"))?;
        }
        if let Some(sheet) = &mut self.junit {
            let from = arguments.fail_on.severity().unwrap_or(Severity::Error);
            sheet.write(&output::junit(report, from))?;
        }
        if let Some(sheet) = &mut self.sarif {
            sheet.write(&output::sarif(report, &arguments.sarif_file))?;
        }
        if let Some(sheet) = &mut self.html {
            sheet.write(&output::html(report))?;
        }
        if let Some(sheet) = &mut self.baseline {
            sheet.write(&Baseline::text_of(report))?;
        }
        Ok(())
    }
}
