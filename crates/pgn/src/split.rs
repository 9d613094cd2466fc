//! Many files at once, of which few are open.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::PgnError;
use quadrille_games::files::is_same;

/// Files that are open at once.
const OPEN: usize = 64;
/// Files in all.
const MOST: usize = 100_000;
/// Characters of a value that get into the name of a file.
const LONGEST: usize = 80;

/// Files whose names have a part that changes.
#[derive(Debug)]
pub(super) struct Files {
    pattern: PathBuf,
    replace: bool,
    /// What is read at the same time.
    inputs: Vec<PathBuf>,
    /// All that were begun, and when they were last written.
    begun: HashMap<PathBuf, u64>,
    open: HashMap<PathBuf, BufWriter<File>>,
    clock: u64,
}

impl Files {
    pub(super) fn new(pattern: &Path, replace: bool, inputs: Vec<PathBuf>) -> Self {
        Self {
            pattern: pattern.into(),
            replace,
            inputs,
            begun: HashMap::new(),
            open: HashMap::new(),
            clock: 0,
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.begun.len() as u64
    }

    /// The file for a value.
    fn path(&self, value: &str) -> PathBuf {
        let plain: String = value
            .chars()
            .take(LONGEST)
            .map(|c| {
                if c.is_alphanumeric() || matches!(c, '-' | '.' | '_') {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        // `.` and `..` are folders.
        let plain = if plain.chars().all(|c| c == '.') {
            "unknown".into()
        } else {
            plain
        };
        let name = self
            .pattern
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let name = if name.contains("{}") {
            name.replace("{}", &plain)
        } else {
            match name.rsplit_once('.') {
                Some((stem, end)) => format!("{stem}-{plain}.{end}"),
                None => format!("{name}-{plain}"),
            }
        };
        self.pattern.with_file_name(name)
    }

    /// Writes into the file for a value.
    pub(super) fn write(&mut self, value: &str, bytes: &[u8]) -> Result<(), PgnError> {
        let path = self.path(value);
        let failed = |error| PgnError::File {
            path: path.clone(),
            error,
        };
        self.clock += 1;
        if !self.open.contains_key(&path) {
            if self.open.len() == OPEN {
                self.close_oldest()?;
            }
            let known = self.begun.contains_key(&path);
            if !known && self.begun.len() == MOST {
                return Err(PgnError::Files(MOST));
            }
            let file = self.begin(&path, known).map_err(|error| {
                if error.kind() == io::ErrorKind::AlreadyExists {
                    return PgnError::There(path.clone());
                }
                failed(error)
            })?;
            self.open.insert(path.clone(), BufWriter::new(file));
        }
        self.begun.insert(path.clone(), self.clock);
        match self.open.get_mut(&path) {
            Some(file) => file.write_all(bytes).map_err(failed),
            None => Ok(()),
        }
    }

    fn begin(&self, path: &Path, known: bool) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true);
        if known {
            options.append(true);
        } else if self.replace && !self.inputs.iter().any(|input| is_same(input, path)) {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        options.open(path)
    }

    fn close_oldest(&mut self) -> Result<(), PgnError> {
        let oldest = self.open.keys().min_by_key(|path| self.begun.get(*path));
        if let Some(path) = oldest.cloned()
            && let Some(mut file) = self.open.remove(&path)
        {
            file.flush()
                .map_err(|error| PgnError::File { path, error })?;
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), PgnError> {
        for (path, mut file) in self.open.drain() {
            file.flush()
                .map_err(|error| PgnError::File { path, error })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        let files = Files::new(Path::new("out/games.pgn"), false, Vec::new());
        let name = |value: &str| files.path(value).display().to_string();
        assert_eq!(name("B90"), "out/games-B90.pgn");
        assert_eq!(name("../../x y"), "out/games-.._.._x_y.pgn");
        assert_eq!(name("1/2-1/2"), "out/games-1_2-1_2.pgn");
        let files = Files::new(Path::new("out/{}"), false, Vec::new());
        assert_eq!(files.path(".."), Path::new("out/unknown"));
        assert_eq!(files.path(""), Path::new("out/unknown"));
        assert_eq!(files.path("Müller"), Path::new("out/Müller"));
    }

    #[test]
    fn more_files_than_are_open_are_all_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::new(&folder.path().join("{}.pgn"), false, Vec::new());
        for round in 0..3 {
            for number in 0..OPEN + 9 {
                files
                    .write(&number.to_string(), format!("{round}").as_bytes())
                    .unwrap();
            }
        }
        files.finish().unwrap();
        assert_eq!(files.count(), (OPEN + 9) as u64);
        let text = std::fs::read_to_string(folder.path().join("70.pgn")).unwrap();
        assert_eq!(text, "012");
        let mut again = Files::new(&folder.path().join("{}.pgn"), false, Vec::new());
        let there = again.write("3", b"x").unwrap_err();
        assert!(matches!(there, PgnError::There(_)), "{there}");
        let mut again = Files::new(
            &folder.path().join("{}.pgn"),
            true,
            vec![folder.path().join("4.pgn")],
        );
        again.write("3", b"x").unwrap();
        // Not even then is a file replaced while it is read.
        assert!(matches!(again.write("4", b"x"), Err(PgnError::There(_))));
        again.finish().unwrap();
        assert_eq!(std::fs::read(folder.path().join("3.pgn")).unwrap(), b"x");
    }
}
