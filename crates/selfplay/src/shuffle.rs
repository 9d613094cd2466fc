//! Files of games put together, in random order.

use std::path::{Path, PathBuf};

use quadrille_games::match_game;
use quadrille_games::random::SplitMix64;

use crate::file::{FileError, Games, Header, Writer};
use crate::openings::Opening;

/// Writes all games of some files into a new one in an order that depends on the
/// seed alone; says how many. All games are held in memory, about 200 bytes each.
pub fn shuffle(files: &[PathBuf], to: &Path, seed: u64) -> Result<u64, FileError> {
    let Some(first) = files.first() else {
        return Ok(0);
    };
    let game = Games::open(first)?.header().game;
    match_game!(game, P => shuffle_of::<P>(files, to, seed))
}

fn shuffle_of<P: Opening>(files: &[PathBuf], to: &Path, seed: u64) -> Result<u64, FileError> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut made = vec![("shuffled".into(), seed.to_string())];
    let mut first: Option<Header> = None;
    for path in files {
        let mut games = Games::open(path)?;
        let header = games.header().clone();
        let before = all.len();
        while let Some(block) = games.next_unread()? {
            all.extend(block.bytes_of_games::<P>(&P::run_rules())?);
        }
        let read = all.len() - before;
        let words: Vec<_> = header
            .made
            .iter()
            .map(|(k, v)| format!("{k} {v}"))
            .collect();
        made.push(("from".into(), format!("{read} games, {}", words.join(", "))));
        match &first {
            Some(first) => first.must_match(&header, path)?,
            None => first = Some(header),
        }
    }
    let Some(first) = first else {
        return Ok(0);
    };
    let mut random = SplitMix64::new(seed);
    for last in (1..all.len()).rev() {
        all.swap(last, random.index(last + 1));
    }
    let mut writer = Writer::create(to, &Header { made, ..first })?;
    for game in &all {
        writer.add_bytes(game)?;
    }
    writer.flush()?;
    Ok(all.len() as u64)
}
