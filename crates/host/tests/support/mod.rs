//! Engines that other people wrote, where they are installed.

use std::path::PathBuf;

/// Debian's packages, and what makes each of them speak UCI.
pub(crate) const ENGINES: [(&str, &[&str]); 7] = [
    ("stockfish", &[]),
    ("ethereal-chess", &[]),
    ("fairy-stockfish", &[]),
    ("glaurung", &[]),
    ("toga2", &[]),
    ("gnuchess", &["--uci"]),
    ("sjaakii", &[]),
];

/// Where Debian puts games, and then everywhere else.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(PathBuf::from("/usr/games"));
    folders
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
