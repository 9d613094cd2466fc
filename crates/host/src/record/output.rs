//! Files that grow with the event: every game once, in the order of numbers,
//! whatever happened in between.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use serde::{Deserialize, Serialize};

use super::epd::epd;
use super::pgn::{GameText, PgnStyle, Unreadable, pgn};
use crate::store::{GameState, PlayerRow, Reader, Store, StoreError};

/// A file of games or positions that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The disk, or rights.
    #[error("cannot write {path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game whose own moves do not fit.
    #[error("game {number} in the store: {error}")]
    Game {
        /// Its number.
        number: u64,
        /// What does not fit.
        error: Unreadable,
    },
}

/// What to write where.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// The name of the event.
    pub event: String,
    /// Where it takes place.
    pub site: String,
    /// The time control of each player, in PGN's words.
    pub time_controls: Vec<String>,
    /// The games, how they are written, and whether behind what is there.
    pub pgn: Option<(PathBuf, PgnStyle, bool)>,
    /// The last positions, and whether behind what is there.
    pub epd: Option<(PathBuf, bool)>,
}

/// A thread that writes the files. It reads the store, so that a game is
/// neither kept in memory nor waited for.
#[derive(Debug)]
pub struct Output {
    sender: Sender<()>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<OnceLock<String>>,
}

impl Output {
    /// Opens the files: truncated to what is known to be whole when an event
    /// goes on, so that nothing stands in them twice.
    pub fn start(outputs: Outputs, store: &Arc<Store>) -> Result<Self, OutputError> {
        let reader = store.reader()?;
        let mut files = Vec::new();
        if let Some((path, style, append)) = &outputs.pgn {
            let form = Form::Pgn(*style);
            files.push(OrderedFile::open(path, *append, form, &reader)?);
        }
        if let Some((path, append)) = &outputs.epd {
            files.push(OrderedFile::open(path, *append, Form::Epd, &reader)?);
        }
        for file in &files {
            // Before anything is written: whatever is behind it is ours.
            store.note(file.form.key(), file.mark.text());
        }
        let (sender, receiver) = channel();
        let failed = Arc::new(OnceLock::new());
        let reason = Arc::clone(&failed);
        let mut work = Work {
            outputs,
            reader,
            files,
            store: Arc::clone(store),
        };
        let thread = thread::spawn(move || {
            if let Err(error) = work.run(&receiver) {
                // The first reason is the true one.
                let _ = reason.set(error.to_string());
            }
        });
        Ok(Self {
            sender,
            thread: Some(thread),
            failed,
        })
    }

    /// A game is in the store.
    pub fn game_ended(&self) {
        // If the thread gave up, the reason is kept.
        let _ = self.sender.send(());
    }

    /// Writes what is left, games that wait for smaller numbers included, and
    /// tells what went wrong on the way.
    pub fn close(mut self) -> Option<String> {
        let (sender, _) = channel();
        // The thread ends when its channel does.
        self.sender = sender;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.failed.get().cloned()
    }
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Pgn(PgnStyle),
    Epd,
}

impl Form {
    const fn key(self) -> &'static str {
        match self {
            Self::Pgn(_) => "pgn",
            Self::Epd => "epd",
        }
    }
}

/// How far a file is known to be whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    path: PathBuf,
    /// Where our games begin.
    start: u64,
    /// Where they end.
    end: u64,
    /// The number of the next game.
    next: u64,
}

impl Mark {
    fn text(&self) -> String {
        // Paths and numbers always have a text.
        serde_json::to_string(self).unwrap_or_default()
    }
}

struct OrderedFile {
    file: File,
    form: Form,
    mark: Mark,
}

impl OrderedFile {
    fn open(path: &Path, append: bool, form: Form, reader: &Reader) -> Result<Self, OutputError> {
        let failed = |error| OutputError::Io {
            path: path.into(),
            error,
        };
        let path_now = std::path::absolute(path).map_err(failed)?;
        let mut options = File::options();
        let mut file = options
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let known: Option<Mark> = reader
            .note(form.key())?
            .and_then(|text| serde_json::from_str(&text).ok())
            .filter(|mark: &Mark| mark.path == path_now);
        let mark = match known {
            Some(mark) if mark.end <= length => mark,
            // It was cut or removed since: all games are in the store.
            Some(mark) => Mark {
                end: mark.start.min(length),
                start: mark.start.min(length),
                next: 1,
                ..mark
            },
            None => {
                let start = if append { length } else { 0 };
                Mark {
                    path: path_now,
                    start,
                    end: start,
                    next: 1,
                }
            }
        };
        file.set_len(mark.end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { file, form, mark })
    }

    fn put(&mut self, text: &str) -> Result<(), OutputError> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| OutputError::Io {
            path: self.mark.path.clone(),
            error,
        })
    }
}

struct Work {
    outputs: Outputs,
    reader: Reader,
    files: Vec<OrderedFile>,
    store: Arc<Store>,
}

impl Work {
    fn run(&mut self, receiver: &Receiver<()>) -> Result<(), OutputError> {
        self.advance()?;
        while receiver.recv().is_ok() {
            while receiver.try_recv().is_ok() {}
            self.advance()?;
        }
        self.advance()?;
        self.tail()
    }

    /// Writes the games whose turn has come.
    fn advance(&mut self) -> Result<(), OutputError> {
        let players = self.reader.players()?;
        for index in 0..self.files.len() {
            loop {
                let next = self.files[index].mark.next;
                let Some(text) = self.text(index, next, &players)? else {
                    break;
                };
                let file = &mut self.files[index];
                file.put(&text)?;
                file.mark.end += text.len() as u64;
                file.mark.next += 1;
                self.store.note(file.form.key(), file.mark.text());
            }
        }
        Ok(())
    }

    /// At the end, games that waited for one that was never finished. They are
    /// not part of what is known to be whole: a resumed event writes them in
    /// their places.
    fn tail(&mut self) -> Result<(), OutputError> {
        let players = self.reader.players()?;
        for index in 0..self.files.len() {
            let next = self.files[index].mark.next;
            let games = self.reader.games()?;
            for game in games.iter().filter(|game| game.new.number > next) {
                if let Some(text) = self.text(index, game.new.number, &players)? {
                    self.files[index].put(&text)?;
                }
            }
        }
        Ok(())
    }

    /// A game in the form of a file; `None` while it is not finished.
    fn text(
        &self,
        index: usize,
        number: u64,
        players: &[PlayerRow],
    ) -> Result<Option<String>, OutputError> {
        let game = match self.reader.game(number)? {
            Some(game) if game.state == GameState::Finished => game,
            _ => return Ok(None),
        };
        let plies = self.reader.plies(number)?;
        let unknown = PlayerRow {
            name: "?".into(),
            engine: None,
            author: None,
        };
        let player = |side: usize| players.get(game.new.players[side]).unwrap_or(&unknown);
        let control = |side: usize| {
            let known = self.outputs.time_controls.get(game.new.players[side]);
            known.map_or("?", String::as_str)
        };
        let text = GameText {
            event: &self.outputs.event,
            site: &self.outputs.site,
            game: &game,
            players: [player(0), player(1)],
            time_controls: [control(0), control(1)],
            plies: &plies,
        };
        let written = match self.files[index].form {
            Form::Pgn(style) => pgn(&text, &style),
            Form::Epd => text.line().map(|line| epd(&line) + "\n"),
        };
        written
            .map(Some)
            .map_err(|error| OutputError::Game { number, error })
    }
}
