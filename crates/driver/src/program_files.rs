//! Checksums of the files that engines consist of.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use quadrille_games::files;
use serde::{Deserialize, Serialize};

use crate::spec::{Address, EngineSpec, find_program};

/// A file that an engine consists of, with its checksum. Not a proof against forgery,
/// but no build is like another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Length in bytes.
    pub bytes: u64,
    /// CRC-32 of the contents.
    pub crc32: u32,
}

impl ProgramFile {
    fn of(path: PathBuf) -> io::Result<Self> {
        let mut file = files::open(&path)?;
        let mut crc = crc32fast::Hasher::new();
        let mut chunk = vec![0; 1 << 16];
        let mut bytes = 0;
        loop {
            match file.read(&mut chunk)? {
                0 => break,
                count => {
                    crc.update(&chunk[..count]);
                    bytes += count as u64;
                }
            }
        }
        Ok(Self {
            path,
            bytes,
            crc32: crc.finalize(),
        })
    }
}

/// Reads the program of an engine and the files among its arguments: an interpreter
/// stays the same when its script changes. Empty for an engine that is not started
/// here.
pub fn program_files(spec: &EngineSpec) -> Vec<ProgramFile> {
    let Ok(Address::Program(command)) = spec.address() else {
        return Vec::new();
    };
    let inside = |path: &Path| match &spec.folder {
        Some(folder) => folder.join(path),
        None => path.into(),
    };
    // A word alone is rather a word than a file that happens to be there.
    let is_name = |path: &&Path| path.extension().is_some() || path.components().count() > 1;
    let arguments = spec.args.iter().map(Path::new).filter(is_name).map(inside);
    let files = find_program(&command).ok().into_iter().chain(arguments);
    // Reading from anything but a file may wait for ever.
    files
        .filter(|path| fs::metadata(path).is_ok_and(|known| known.is_file()))
        .filter_map(|path| ProgramFile::of(path).ok())
        .collect()
}

/// Returns the program of an engine and all files that its arguments name, with what each is
/// called. Empty for an engine that is not started here. Unlike [`program_files`] it takes a
/// word alone for a file if there is one of that name: whoever is about to write over it
/// had better ask.
pub fn named_files(spec: &EngineSpec) -> Vec<(&'static str, PathBuf)> {
    let Ok(Address::Program(command)) = spec.address() else {
        return Vec::new();
    };
    let program = find_program(&command).ok();
    let program = program.map(|path| ("the engine's program", path));
    let arguments = spec.args.iter().map(|word| match &spec.folder {
        Some(folder) => folder.join(word),
        None => word.into(),
    });
    let arguments = arguments.map(|path| ("an argument of the engine", path));
    let files = program.into_iter().chain(arguments);
    files.filter(|(_, path)| path.is_file()).collect()
}

/// Returns size and checksum of each file in [`program_files`].
pub fn program_marks(spec: &EngineSpec) -> Vec<(u64, u32)> {
    let marks = program_files(spec).into_iter();
    marks
        .map(|program| (program.bytes, program.crc32))
        .collect()
}
