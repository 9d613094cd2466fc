//! A file of games, taken into the library.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use quadrille_games::Game;
use quadrille_games::records::{Token, Tokenizer};

use super::{Entry, put};
use crate::data::Data;

/// Games that are written at once.
const PORTION: usize = 100;
/// A single game that is longer is no game.
const LONGEST_GAME: u64 = 16 << 20;
/// Complaints that are kept.
const MOST_TROUBLES: usize = 50;

/// How far an import is; changed by it, read by others.
#[derive(Debug, Default)]
pub(crate) struct Import {
    pub(crate) done: AtomicU32,
    pub(crate) all: AtomicU32,
    pub(crate) cancelled: AtomicBool,
}

/// Reads a file into a source, from its `skip`th game on; what could not be read.
/// Takes as long as it takes.
pub(crate) fn import(
    path: &Path,
    source: i64,
    skip: u32,
    data: &Data,
    progress: &Import,
) -> io::Result<Vec<String>> {
    let places = places(path)?;
    progress.all.store(places.len() as u32, Ordering::Relaxed);
    progress.done.store(skip, Ordering::Relaxed);
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    let mut troubles = Vec::new();
    let mut portion = Vec::new();
    for (index, &(from, line)) in places.iter().enumerate().skip(skip as usize) {
        if progress.cancelled.load(Ordering::Relaxed) {
            break;
        }
        let to = places.get(index + 1).map_or(end, |(from, _)| *from);
        let entry = read_game(&mut file, from, to)?;
        if let Some(entry) = entry {
            if let Some(trouble) = entry
                .trouble
                .as_ref()
                .filter(|_| troubles.len() < MOST_TROUBLES)
            {
                troubles.push(format!("game {} (line {line}): {trouble}", index + 1));
            }
            portion.push(entry);
        }
        if portion.len() >= PORTION || index + 1 == places.len() {
            write(data, source, std::mem::take(&mut portion)).map_err(io::Error::other)?;
            progress.done.store(index as u32 + 1, Ordering::Relaxed);
        }
    }
    if !portion.is_empty() {
        write(data, source, portion).map_err(io::Error::other)?;
    }
    Ok(troubles)
}

fn read_game(file: &mut File, from: u64, to: u64) -> io::Result<Option<Entry>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    let length = to.saturating_sub(from).min(LONGEST_GAME);
    file.take(length).read_to_end(&mut bytes)?;
    Ok(Entry::read(&bytes, Game::Chess))
}

/// Where games begin: byte and line.
fn places(path: &Path) -> io::Result<Vec<(u64, u64)>> {
    let mut tokens = Tokenizer::new(BufReader::new(File::open(path)?));
    let mut places = Vec::new();
    while let Some(token) = tokens.next_token()? {
        match token {
            Token::Begin => places.push(tokens.place()),
            Token::End => tokens.clear_diagnostics(),
            _ => {}
        }
    }
    Ok(places)
}

/// Waits until the games are in the file: what is not there yet is read again after a
/// restart.
fn write(data: &Data, source: i64, entries: Vec<Entry>) -> Result<(), String> {
    let written = data.write_for(move |file| {
        let mut entries = entries.iter();
        entries.try_for_each(|entry| put(file, source, None, entry).map(drop))
    });
    let closed = || Err("the data file is closed".into());
    written.blocking_recv().unwrap_or_else(|_| closed())
}
