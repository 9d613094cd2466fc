//! The file from which a stopped run goes on: plain lines, first the settings, then
//! how far the run is and its values.
//!
//! The settings stand in it as they would be written now, so that a run with others
//! is told apart by comparing lines.

use core::fmt::Write as _;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::{Course, SpsaSettings};

/// No file of ours is longer.
const LONGEST: u64 = 1 << 20;
/// The first line; the number changes with what is in the file.
const MAGIC: &str = "quadrille spsa 1";
/// The last line: what is cut off is noticed.
const END: &str = "end";

/// Reads a short text file.
pub fn read_text(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    // Anything else may never come to an end, or never begin.
    if !fs::metadata(path).map_err(told)?.is_file() {
        return Err(format!("{}: not a file", path.display()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(told)?;
    file.take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(told)?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("{}: longer than {LONGEST} bytes", path.display()));
    }
    String::from_utf8(bytes).map_err(|_| format!("{}: not a text", path.display()))
}

/// The run that a file holds; `None` if there is no such file.
pub(super) fn load(path: &Path, settings: &SpsaSettings) -> Result<Option<Course>, String> {
    if let Err(error) = fs::metadata(path)
        && error.kind() == ErrorKind::NotFound
    {
        return Ok(None);
    }
    let course = parse(&read_text(path)?, settings);
    course
        .map(Some)
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Keeps a run in a file, which is whole at any moment.
pub(super) fn save(path: &Path, course: &Course) -> Result<(), String> {
    let mut beside = OsString::from(path);
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text(course).as_bytes())?;
        file.sync_all()
    });
    written
        .and_then(|()| fs::rename(&beside, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn text(course: &Course) -> String {
    let mut text = header(&course.settings);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "done {}", course.done);
    for (number, value) in course.values() {
        // Rust writes as many digits as it takes to read the same number again.
        let _ = writeln!(text, "{} {value}", number.of.name);
    }
    text + END + "\n"
}

fn header(settings: &SpsaSettings) -> String {
    let SpsaSettings {
        game,
        iterations,
        games,
        nodes,
        seed,
        rate,
        numbers,
    } = settings;
    let mut text = format!(
        "{MAGIC}\ngame {game}\niterations {iterations}\ngames {games}\nnodes {nodes}\n\
         seed {seed}\nrate {rate}\n"
    );
    for number in numbers {
        let (of, step) = (number.of, number.step);
        let _ = writeln!(
            text,
            "tune {} from {} in {} to {} by {step}",
            of.name, of.default, of.min, of.max
        );
    }
    text
}

fn parse(text: &str, settings: &SpsaSettings) -> Result<Course, String> {
    let mut lines = text.lines();
    let mut next = || lines.next().ok_or("the file is cut off");
    for expected in header(settings).lines() {
        let line = next()?;
        if line != expected {
            let line: String = line.chars().take(80).collect();
            return Err(format!(
                "it has {line:?} and not {expected:?}: it belongs to another run, or is damaged"
            ));
        }
    }
    let mut course = Course::new(settings.clone());
    let done = next()?.strip_prefix("done ").and_then(|n| n.parse().ok());
    course.done = done
        .filter(|&done| done <= settings.iterations)
        .ok_or("damaged: how many iterations are done?")?;
    for (number, value) in settings.numbers.iter().zip(&mut course.values) {
        let name = number.of.name;
        let word = next()?.strip_prefix(name).map(str::trim_start);
        let read = word.and_then(|word| word.parse::<f64>().ok());
        *value = read
            .filter(|value| number.range().contains(value))
            .ok_or_else(|| format!("damaged: no value of {name} where it should be"))?;
    }
    if next()? != END || lines.next().is_some() {
        return Err("damaged: the end is not where it should be".into());
    }
    Ok(course)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::numbers;

    fn settings() -> SpsaSettings {
        let numbers = numbers(["lmr_cut=130.5", "research_shallower"].into_iter());
        SpsaSettings {
            numbers: numbers.expect("they exist"),
            ..SpsaSettings::default()
        }
    }

    fn some() -> Course {
        let mut course = Course::new(settings());
        course.done = 17;
        course.values = vec![0.1 + 0.2, -12.0 / 7.0];
        course
    }

    #[test]
    fn what_is_kept_comes_back() {
        let course = some();
        assert_eq!(parse(&text(&course), &settings()), Ok(course));
    }

    #[test]
    fn another_run_is_refused() {
        let text = text(&some());
        for change in [
            |s: &mut SpsaSettings| s.iterations += 1,
            |s: &mut SpsaSettings| s.seed += 1,
            |s: &mut SpsaSettings| s.numbers[0].step = 130.0,
            |s: &mut SpsaSettings| s.numbers[0].of.default += 1,
            |s: &mut SpsaSettings| s.numbers.truncate(1),
        ] {
            let mut other = settings();
            change(&mut other);
            assert!(parse(&text, &other).is_err());
        }
    }

    /// Whatever happens to one byte or behind one: another value, or an error.
    #[test]
    fn damage_is_no_panic() {
        let whole = text(&some());
        for at in 0..whole.len() {
            let cut = parse(&whole[..at], &settings());
            assert!(cut.is_err() || at == whole.len() - 1, "{at}");
            for byte in ["x", "\n", " ", "9", "-", "\u{fffd}"] {
                let damaged = format!("{}{byte}{}", &whole[..at], &whole[at + 1..]);
                if let Ok(course) = parse(&damaged, &settings()) {
                    assert!(course.done <= course.settings.iterations);
                    assert!(course.values().all(|(n, v)| n.range().contains(&v)));
                }
            }
        }
        for (good, bad) in [("done 17", "done 1001"), ("0.3", "NaN"), ("0.3", "3001")] {
            assert!(whole.contains(good));
            assert!(parse(&whole.replacen(good, bad, 1), &settings()).is_err());
        }
    }
}
