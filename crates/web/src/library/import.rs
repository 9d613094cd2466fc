//! A file of games, taken into the library.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use quadrille_games::Game;
use quadrille_games::records::{Token, Tokenizer};

use quadrille_net::sanitize::cut;
use rusqlite::params;
use tokio::sync::oneshot;

use super::{Entry, put};
use crate::data::Data;

/// Games that are written at once.
const PORTION: usize = 100;
/// A single game that is longer is no game.
const LONGEST_GAME: u64 = 16 << 20;
/// Games of one file.
const MOST_GAMES: usize = 4_000_000;
/// Complaints that are kept.
const MOST_TROUBLES: usize = 50;
/// Letters of one of them.
const LONGEST: usize = 300;

/// How far an import is; changed by it, read by others.
#[derive(Debug, Default)]
pub(crate) struct Import {
    pub(crate) done: AtomicU32,
    pub(crate) all: AtomicU32,
    /// Done before a restart.
    pub(crate) skipped: AtomicU32,
    pub(crate) cancelled: AtomicBool,
}

/// Reads a file into a source, from the game on that it has come to before; what could
/// not be read. Copies of games that are here already are not found by position, so
/// that each counts once. Takes as long as it takes.
pub(crate) fn import(
    path: &Path,
    source: i64,
    copies: bool,
    data: &Data,
    progress: &Import,
) -> io::Result<Vec<String>> {
    let places = places(BufReader::new(File::open(path)?), MOST_GAMES)?;
    let skip = come_to(data, source).map_err(io::Error::other)?;
    progress.all.store(places.len() as u32, Ordering::Relaxed);
    progress.done.store(skip, Ordering::Relaxed);
    progress.skipped.store(skip, Ordering::Relaxed);
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    let mut troubles = Vec::new();
    let mut portion = Vec::new();
    let mut found = skip;
    for (index, &(from, line)) in places.iter().enumerate().skip(skip as usize) {
        if progress.cancelled.load(Ordering::Relaxed) {
            break;
        }
        let to = places.get(index + 1).map_or(end, |(from, _)| *from);
        let mut entry = read_game(&mut file, from, to)?;
        complain(&mut troubles, index, line, entry.as_mut());
        if let Some(mut entry) = entry {
            if copies {
                entry.positions.clear();
            }
            found += 1;
            portion.push(entry);
        }
        if portion.len() >= PORTION || index + 1 == places.len() {
            let done = index as u32 + 1;
            let written = write(data, source, std::mem::take(&mut portion), done);
            written.map_err(io::Error::other)?;
            progress.done.store(done, Ordering::Relaxed);
        }
    }
    if found == 0 && !progress.cancelled.load(Ordering::Relaxed) {
        return Err(no_games(&troubles));
    }
    Ok(troubles)
}

fn no_games(troubles: &[String]) -> io::Error {
    let why = troubles.first().map(|why| format!(": {why}"));
    let why = why.unwrap_or_default();
    io::Error::other(format!("there are no games in this text{why}"))
}

fn read_game(file: &mut File, from: u64, to: u64) -> io::Result<Option<Entry>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    let length = to.saturating_sub(from).min(LONGEST_GAME);
    file.take(length).read_to_end(&mut bytes)?;
    Ok(Entry::read(&bytes, Game::Chess))
}

/// The games of a text, each as it is written there, and what could not be read.
pub(crate) fn read_text(
    text: &[u8],
    usual: Game,
    most: usize,
) -> io::Result<(Vec<Entry>, Vec<String>)> {
    let places = places(text, most)?;
    let (mut entries, mut troubles) = (Vec::new(), Vec::new());
    for (index, &(from, line)) in places.iter().enumerate() {
        let next = places.get(index + 1).map(|(from, _)| *from as usize);
        let game = text.get(from as usize..next.unwrap_or(text.len()));
        let mut entry = game.and_then(|game| Entry::read(game, usual));
        complain(&mut troubles, index, line, entry.as_mut());
        entries.extend(entry);
    }
    if entries.is_empty() {
        return Err(no_games(&troubles));
    }
    Ok((entries, troubles))
}

/// Reports what was lost of a game. The report and the game itself name the place in
/// the whole text.
fn complain(troubles: &mut Vec<String>, index: usize, line: u64, entry: Option<&mut Entry>) {
    let words = match entry {
        None => format!("line {line}: this is not a game"),
        Some(entry) => {
            entry.locate(index, line);
            match &entry.fault {
                Some(fault) => cut(&fault.to_string(), LONGEST).into_owned(),
                None => return,
            }
        }
    };
    if troubles.len() < MOST_TROUBLES {
        troubles.push(words);
    }
}

/// Where games begin: byte and line.
fn places(text: impl BufRead, most: usize) -> io::Result<Vec<(u64, u64)>> {
    let mut tokens = Tokenizer::new(text);
    let mut places = Vec::new();
    while let Some(token) = tokens.next_token()? {
        match token {
            Token::Begin if places.len() == most => {
                let words = format!("more than {most} games: take them in parts");
                return Err(io::Error::other(words));
            }
            Token::Begin => places.push(tokens.place()),
            Token::End => tokens.clear_diagnostics(),
            _ => {}
        }
    }
    Ok(places)
}

/// Waits until the games are in the file, and with them how far we are: what is not
/// there yet is read again after a restart, and nothing twice.
fn write(data: &Data, source: i64, entries: Vec<Entry>, done: u32) -> Result<(), String> {
    let written = data.write_for(move |file| {
        for entry in &entries {
            put(file, source, None, entry)?;
        }
        let words = "UPDATE sources SET read = ?2 WHERE id = ?1";
        file.execute(words, params![source, done]).map(drop)
    });
    wait(written)
}

/// Games of a source that were read before.
fn come_to(data: &Data, source: i64) -> Result<u32, String> {
    wait(data.read(move |file| {
        let words = "SELECT read FROM sources WHERE id = ?1";
        file.query_row(words, [source], |row| row.get(0))
    }))
}

fn wait<T>(answer: oneshot::Receiver<Result<T, String>>) -> Result<T, String> {
    let closed = || Err("the data file is closed".into());
    answer.blocking_recv().unwrap_or_else(|_| closed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{add_source, view};

    #[test]
    fn what_was_read_before_a_restart_is_not_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let game = |n: u32| format!("[White \"W{n}\"]\n\n1. e4 e5 *\n\n");
        std::fs::write(&path, (0..250).map(game).collect::<String>()).expect("a file");
        let data = Data::open(folder.path()).expect("a file");
        let source = wait(data.write_for(|file| add_source(file, "x"))).expect("a source");
        // The first portion only, as if it had been killed then.
        let text = std::fs::read(&path).expect("a file");
        let (entries, _) = read_text(&text, Game::Chess, 250).expect("games");
        write(&data, source, entries[..100].to_vec(), 100).expect("written");
        let progress = Import::default();
        let troubles = import(&path, source, false, &data, &progress).expect("read");
        assert_eq!(troubles, Vec::<String>::new());
        assert_eq!(progress.done.load(Ordering::Relaxed), 250);
        assert_eq!(wait(data.read(view)).expect("a view").games, 250);
        import(&path, source, false, &data, &Import::default()).expect("nothing left");
        assert_eq!(wait(data.read(view)).expect("a view").games, 250);
    }

    #[test]
    fn a_broken_game_is_kept_as_it_is() {
        let text = b"[White \"A\"]\n\n1. e4 Zz9 ?? and so on *\n\n[White \"B\"]\n\n1. d4 *\n";
        let (entries, troubles) = read_text(text, Game::Chess, 10).expect("games");
        assert_eq!(entries.len(), 2);
        assert!(
            troubles.len() == 1 && troubles[0].starts_with("game 1, line 3, column 7: error: "),
            "{troubles:?}"
        );
        let kept = String::from_utf8_lossy(&entries[0].pgn);
        assert!(kept.contains("Zz9 ?? and so on"), "{kept}");
        assert!(read_text(text, Game::Chess, 1).is_err());
    }

    #[test]
    fn a_comment_without_its_end_is_told_with_its_place() {
        let text =
            b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5\n2. c4 {good e6 3. Nc3 *\n";
        let (entries, troubles) = read_text(text, Game::Chess, 10).expect("games");
        assert_eq!((entries.len(), entries[1].plies), (2, 3));
        assert!(entries[0].trouble.is_none() && entries[1].trouble.is_some());
        let [trouble] = &troubles[..] else {
            panic!("{troubles:?}");
        };
        assert!(
            trouble.starts_with("game 2, line 8, column 7: warning: the comment's closing brace"),
            "{trouble}"
        );
        // The row in the library names the same place.
        assert_eq!(entries[1].trouble.as_ref(), Some(trouble));
    }

    #[test]
    fn what_is_no_game_is_not_taken() {
        let text = b"Dear sir, this is a letter.\n\n[White \"A\"]\n\n1. e4 *\n";
        let (entries, _) = read_text(text, Game::Chess, 10).expect("a game");
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].white, "A");
        for junk in [
            &b"hello there, this is not chess\n"[..],
            b"{\"json\": [1, 2, 3]}",
            b"\x7fELF\0\x01\x02\xff\xfe [junk]",
            b"<html><body>1-0</body></html>",
            b"[section]\nkey = value\n",
            b"*\n",
            b"",
        ] {
            let refused = read_text(junk, Game::Chess, 10).expect_err("no game");
            let words = refused.to_string();
            assert!(
                words.starts_with("there are no games in this text"),
                "{words}"
            );
        }
    }
}
