//! Files of games put together, in random order.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quadrille_games::match_game;
use quadrille_games::random::SplitMix64;

use crate::file::{FileError, Games, Header};
use crate::openings::Opening;
use crate::writer::Writer;

/// Counts of a shuffle.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shuffled {
    /// Games written.
    pub games: u64,
    /// Files whose last block was not written to its end, and left out.
    pub torn: Vec<PathBuf>,
}

/// The header of the first file; all must hold the same game by the same rules.
pub(crate) fn common_header(files: &[PathBuf]) -> Result<Option<Header>, FileError> {
    let mut first: Option<Header> = None;
    for path in files {
        let header = Games::open(path)?.header().clone();
        first
            .get_or_insert_with(|| header.clone())
            .must_match(&header, path)?;
    }
    Ok(first)
}

/// Writes all games of some files into a new one in an order that depends on the
/// seed alone. All games are held in memory, about 200 bytes each.
pub fn shuffle(files: &[PathBuf], to: &Path, seed: u64) -> Result<Shuffled, FileError> {
    let Some(first) = common_header(files)? else {
        return Ok(Shuffled::default());
    };
    if to.exists() {
        return Err(FileError::io(to, io::ErrorKind::AlreadyExists.into()));
    }
    match_game!(first.game, P => shuffle_of::<P>(first, files, to, seed))
}

fn shuffle_of<P: Opening>(
    first: Header,
    files: &[PathBuf],
    to: &Path,
    seed: u64,
) -> Result<Shuffled, FileError> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut torn = Vec::new();
    let mut made = vec![("shuffled".into(), seed.to_string())];
    for path in files {
        let mut games = Games::open(path)?;
        let before = all.len();
        while let Some(block) = games.next_unread()? {
            all.extend(block.bytes_of_games::<P>(&P::run_rules())?);
        }
        if games.torn_bytes() > 0 {
            torn.push(path.clone());
        }
        let read = all.len() - before;
        let words = games.header().made.iter().map(|(k, v)| format!("{k} {v}"));
        let words: Vec<_> = words.collect();
        made.push(("from".into(), format!("{read} games, {}", words.join(", "))));
    }
    let mut random = SplitMix64::new(seed);
    for last in (1..all.len()).rev() {
        all.swap(last, random.index(last + 1));
    }
    let mut writer = Writer::create(to, &Header { made, ..first })?;
    let written = all.iter().try_for_each(|game| writer.add_bytes(game));
    if let Err(error) = written.and_then(|()| writer.flush()) {
        // Half of the games look like all of them.
        let _ = fs::remove_file(to);
        return Err(error);
    }
    Ok(Shuffled {
        games: all.len() as u64,
        torn,
    })
}
