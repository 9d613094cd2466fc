//! The library: the work that pages want of it. It is done elsewhere: a file may be large.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{Answer, ImportView, JobId, LibraryQuery, TableId, Topic};
use quadrille_desk::work::LibraryWork;
use quadrille_games::records::AnyRecord;
use quadrille_games::{AnyLine, Game};
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::Hub;
use super::desk::machine;
use super::work::Reply;
use crate::data::heard;
use crate::library::{self, Entry, PLAYED, Query};
use quadrille_desk::wire::{Refusal, RefusalCode};

/// Games of a text that are taken.
const MOST_GAMES: usize = 20_000;

impl Hub {
    pub(super) fn library_work(&self, page: PageId, id: u32, work: LibraryWork) -> Reply {
        match work {
            LibraryWork::Paste { text, game, name } => self.paste(page, id, text, game, name),
            LibraryWork::Find(query) => self.find_games(page, id, &query),
            LibraryWork::Open(game) => self.open_game(page, id, game),
            LibraryWork::Export(ids) => self.export_games(page, id, ids),
            LibraryWork::Delete(ids) => self.mark_games(page, id, ids, true),
            LibraryWork::Restore(ids) => self.mark_games(page, id, ids, false),
            LibraryWork::Explore(line) => self.explore(page, id, line),
        }
    }

    /// Waits for what the file says, and answers with what is made of it.
    pub(super) fn when_heard<T: Send + 'static>(
        &self,
        page: PageId,
        id: u32,
        heard_of: oneshot::Receiver<Result<T, String>>,
        then: impl FnOnce(&mut Self, T) -> Reply + Send + 'static,
    ) -> Reply {
        let heard = async { heard(heard_of).await.map_err(machine) };
        self.later(page, id, heard, then)
    }

    fn find_games(&self, page: PageId, id: u32, query: &LibraryQuery) -> Reply {
        match Query::new(query) {
            Ok(query) => {
                let games = self.data.read(move |file| query.ask(file));
                self.when_heard(page, id, games, |_, games| Ok(Answer::Games(games)).into())
            }
            Err(refusal) => Err(refusal).into(),
        }
    }

    fn explore(&self, page: PageId, id: u32, line: Box<AnyLine>) -> Reply {
        let explored = self.data.read(move |file| library::explore(file, &line));
        let tell = |_: &mut Self, explored| Ok(Answer::Explored(explored)).into();
        self.when_heard(page, id, explored, tell)
    }

    fn open_game(&self, page: PageId, id: u32, game: u32) -> Reply {
        let found = self.data.read(move |file| library::record(file, game));
        self.when_heard(page, id, found, move |hub, found| {
            let Some((pgn, study)) = found else {
                return Err(Refusal::new(
                    RefusalCode::Gone,
                    "there is no such game any more",
                ))
                .into();
            };
            hub.open_library_game(game, &pgn, study)
                .map(Answer::Study)
                .into()
        })
    }

    /// The study of a game of the library; a new one if there is none.
    pub(super) fn open_library_game(
        &mut self,
        game: u32,
        pgn: &[u8],
        study: Option<u32>,
    ) -> Result<u32, Refusal> {
        // Two who ask at once are given the same: the file may not know the first yet.
        let study = self.opened.get(&game).copied().or(study);
        if let Some(study) = study.filter(|study| self.desk.study_record(*study).is_some()) {
            return Ok(study);
        }
        let read = AnyRecord::read(pgn, Game::Chess, 1).into_iter().next();
        let (record, _) =
            read.ok_or_else(|| Refusal::new(RefusalCode::Record, "the record is empty"))?;
        let study = self.open_study(record, "")?;
        self.opened.insert(game, study);
        self.data
            .write(move |file| library::opened(file, game, study));
        Ok(study)
    }

    fn export_games(&self, page: PageId, id: u32, ids: Vec<u32>) -> Reply {
        let text = self.data.read(move |file| library::records(file, &ids));
        self.when_heard(page, id, text, |_, text| {
            Ok(Answer::Text(String::from_utf8_lossy(&text).into_owned())).into()
        })
    }

    fn mark_games(&self, page: PageId, id: u32, ids: Vec<u32>, deleted: bool) -> Reply {
        let marked = self
            .data
            .write_for(move |file| library::mark(file, &ids, deleted));
        self.when_heard(page, id, marked, |hub, ()| {
            hub.changed(Topic::Library);
            Ok(Answer::Done).into()
        })
    }

    /// Games in a text, for the library. `name` is that of the file they are from.
    fn paste(
        &self,
        page: PageId,
        id: u32,
        text: String,
        game: Option<Game>,
        name: Option<String>,
    ) -> Reply {
        let usual = game.unwrap_or(Game::Chess);
        let name = name.map(|name| library::shown_name(&name));
        let name = name.filter(|name| !name.is_empty());
        let data = Arc::clone(&self.data);
        let pasted = async move {
            // Many games take long to read, and nothing that is kept waits for that.
            let read = move || library::read_text(text.as_bytes(), usual, MOST_GAMES);
            let read = spawn_blocking(read).await.unwrap_or_else(|e| Err(e.into()));
            let unreadable =
                |error: std::io::Error| Refusal::new(RefusalCode::Record, error.to_string());
            let (entries, troubles) = read.map_err(unreadable)?;
            let put =
                data.write_for(move |file| put_all(file, name.as_deref(), &entries, troubles));
            heard(put).await.map_err(machine)
        };
        self.later(page, id, pasted, |hub, view| {
            hub.changed(Topic::Library);
            Ok(Answer::Import(view)).into()
        })
    }

    /// A game that was played here.
    pub(super) fn file_game(&mut self, table: TableId, record: String) {
        self.data.write(move |file| {
            let Some(entry) = Entry::read(record.as_bytes(), Game::Chess) else {
                return Ok(());
            };
            let filed = format!("table/{table}");
            library::put(file, PLAYED, Some(&filed), &entry).map(drop)
        });
        self.changed(Topic::Library);
    }

    /// A file that was uploaded; its job.
    pub(crate) fn import(
        &mut self,
        path: PathBuf,
        name: String,
        source: i64,
        copies: bool,
    ) -> JobId {
        let data = &self.data;
        let job = self.jobs.add_import(path, name, source, copies, data);
        self.start_jobs();
        job
    }
}

fn put_all(
    file: &Connection,
    name: Option<&str>,
    entries: &[Entry],
    troubles: Vec<String>,
) -> rusqlite::Result<ImportView> {
    let source = library::add_source(file, name.unwrap_or("Pasted"))?;
    for entry in entries {
        library::put(file, source, None, entry)?;
    }
    Ok(ImportView {
        study: None,
        source: u32::try_from(source).ok(),
        games: u32::try_from(entries.len()).unwrap_or(u32::MAX),
        troubles,
    })
}
