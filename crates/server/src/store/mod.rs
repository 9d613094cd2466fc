//! What a server keeps: one `SQLite` file, one thread that writes.
//!
//! It follows [`quadrille_match::store`]: a write-ahead log, everything that waits
//! in one transaction, a ply in the file within a fiftieth of a second, the end of
//! a game at once. The rows of plies are the host's own. What differs is the rest:
//! players come and go, and a game that was running goes on.

mod backup;
mod file;
mod games;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use quadrille_driver::date::now;
use quadrille_match::store::{GameEnd, place, plies};
use rusqlite::{Connection, params};

use crate::glicko::Glicko;
use crate::hall::{AccountRow, DocumentKey, Keep, Kept, RatingRow, StoredGame};
pub use backup::{backup, lacks_its_log};
pub(crate) use file::is_new;
pub use file::is_server;
use file::{LATER_TABLES, check, make_if_new, open, sql, take_lock};
pub use games::{Played, answered, forget, game, games, is_running, order, withdraw};

/// How long a ply may wait for others that go into the same transaction.
const LINGER: Duration = Duration::from_millis(20);
/// How often the file is asked for orders from other processes.
const CONTROL: Duration = Duration::from_millis(100);
/// Answers that are kept for those who asked.
const ANSWERS: i64 = 100;
/// The most messages in one transaction.
const BATCH: usize = 1024;
/// What goes wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// `SQLite` says why.
    #[error("{path}: {detail}", path = .path.display())]
    Sql {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// Something else has written into it, or the disk has failed.
    #[error("{path} is damaged: {detail}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What `SQLite` found.
        detail: String,
    },
    /// It is none of ours.
    #[error("{path} is no file of a game server", path = .0.display())]
    Foreign(PathBuf),
    /// It is missing or has nothing in it, and what belongs to it is beside it.
    #[error(
        "{file} is missing or empty, and {beside} is beside it, which belongs to a file that was \
         there",
        file = .file.display(),
        beside = .beside.display()
    )]
    Lost {
        /// Where the file should be.
        file: PathBuf,
        /// The journal or log that it left.
        beside: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{path} was written by a newer version", path = .0.display())]
    Newer(PathBuf),
    /// Another process serves from it.
    #[error("{path} is in use: a server runs there", path = .0.display())]
    Busy(PathBuf),
}

enum Message {
    Keep(Box<Keep>, Option<Told>),
    Answer(i64, String),
    Close,
}

/// Called when something is in the file.
type Told = Box<dyn FnOnce() + Send>;

/// An order that another process left in the file.
#[derive(Debug)]
pub struct Command {
    /// Where its answer goes.
    pub id: i64,
    /// JSON.
    pub text: String,
}

/// What the writing thread tells.
#[derive(Debug)]
pub enum News {
    /// Another process left an order.
    Order(Command),
    /// Nothing can be written any more; [`Store::failure`] says why.
    Failed,
}

/// The file, open for writing. Dropping it writes what is left.
pub struct Store {
    sender: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<OnceLock<String>>,
    _lock: std::fs::File,
}

impl core::fmt::Debug for Store {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the file, or makes it. `news` is called on the writing thread.
    pub fn open(
        path: &Path,
        news: impl Fn(News) + Send + 'static,
    ) -> Result<(Self, Kept), StoreError> {
        let lock = take_lock(path)?;
        make_if_new(path)?;
        let connection = open(path, true)?;
        check(path, &connection)?;
        let prepare = || {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.set_prepared_statement_cache_capacity(32);
            connection.execute_batch(LATER_TABLES)?;
            connection.execute("DELETE FROM control", [])
        };
        prepare().map_err(sql(path))?;
        let kept = read(&connection).map_err(sql(path))?;
        let (sender, receiver) = channel();
        let failed = Arc::new(OnceLock::new());
        let why = Arc::clone(&failed);
        let (own, known) = (path.to_path_buf(), place(path));
        let thread = thread::spawn(move || {
            let mut connection = connection;
            // `SQLite` goes on with a file that has lost its name, and all of it
            // would be lost at the end.
            let there = || place(&own) == known;
            let orders = |command| news(News::Order(command));
            if let Err(error) = run(&mut connection, &receiver, &orders, &there) {
                // The first reason is the true one.
                let _ = why.set(error.to_string());
                news(News::Failed);
            }
        });
        let store = Self {
            sender,
            thread: Some(thread),
            failed,
            _lock: lock,
        };
        Ok((store, kept))
    }

    /// Why nothing is written any more, if that is so.
    pub fn failure(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }

    /// Writes something; `told` is called when it is in the file.
    pub fn keep(&self, keep: Keep, told: Option<Box<dyn FnOnce() + Send>>) {
        let urgent = told.is_some();
        // A writer that gave up has left its reason.
        let _ = self.sender.send(Message::Keep(Box::new(keep), told));
        if urgent && let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    /// Writes what is left, and says whether all of it is in the file.
    pub fn close(mut self, path: &Path) -> Result<(), StoreError> {
        self.end();
        match self.failure() {
            None => Ok(()),
            Some(why) => Err(StoreError::Sql {
                path: path.into(),
                detail: why.into(),
            }),
        }
    }

    fn end(&mut self) {
        let _ = self.sender.send(Message::Close);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }

    /// Answers an order.
    pub fn answer(&self, id: i64, json: String) {
        let _ = self.sender.send(Message::Answer(id, json));
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(
    connection: &mut Connection,
    receiver: &Receiver<Message>,
    orders: &impl Fn(Command),
    there: &impl Fn() -> bool,
) -> rusqlite::Result<()> {
    let mut last_look = std::time::Instant::now();
    loop {
        match receiver.recv_timeout(CONTROL) {
            Ok(first) => {
                if !matches!(first, Message::Keep(_, Some(_)) | Message::Close) {
                    thread::park_timeout(LINGER);
                }
                if !there() {
                    return Err(gone());
                }
                if !batch(connection, first, receiver)? {
                    return end_log(connection);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if last_look.elapsed() >= CONTROL {
            last_look = std::time::Instant::now();
            if !there() {
                return Err(gone());
            }
            look(connection, orders)?;
        }
    }
}

/// Puts the log into the file, so that it can be copied alone. All is written already: it
/// stays a log where somebody still reads, as while a backup is made.
fn end_log(connection: &Connection) -> rusqlite::Result<()> {
    use rusqlite::ErrorCode;
    let ended = connection.pragma_update(None, "journal_mode", "DELETE");
    match ended.as_ref().map_err(rusqlite::Error::sqlite_error_code) {
        Err(Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => Ok(()),
        _ => ended,
    }
}

fn gone() -> rusqlite::Error {
    rusqlite::Error::InvalidPath("the file is gone".into())
}

fn look(connection: &Connection, orders: &impl Fn(Command)) -> rusqlite::Result<()> {
    let query = "SELECT id, command FROM control WHERE taken = 0 ORDER BY id";
    let mut query = connection.prepare_cached(query)?;
    let rows = query.query_map([], |row| {
        Ok(Command {
            id: row.get(0)?,
            text: row.get(1)?,
        })
    })?;
    for command in rows.collect::<rusqlite::Result<Vec<_>>>()? {
        let taken = connection
            .prepare_cached("UPDATE control SET taken = 1 WHERE id = ?1")?
            .execute([command.id])?;
        // It may have been withdrawn since.
        if taken == 1 {
            orders(command);
        }
    }
    Ok(())
}

/// Writes a message and all that wait behind it; `false` at the end.
fn batch(
    connection: &mut Connection,
    first: Message,
    receiver: &Receiver<Message>,
) -> rusqlite::Result<bool> {
    let transaction = connection.transaction()?;
    let mut open = true;
    let mut waiting = Vec::new();
    let rest = std::iter::from_fn(|| receiver.try_recv().ok());
    for message in std::iter::once(first).chain(rest).take(BATCH) {
        match message {
            Message::Keep(keep, told) => {
                put(&transaction, &keep)?;
                waiting.extend(told);
            }
            Message::Answer(id, json) => {
                transaction.execute(
                    "UPDATE control SET answer = ?2 WHERE id = ?1",
                    params![id, json],
                )?;
                // The one who asked takes its answer away, if it still waits for it.
                transaction.execute(
                    "DELETE FROM control WHERE answer IS NOT NULL AND id < ?1",
                    [id - ANSWERS],
                )?;
            }
            Message::Close => open = false,
        }
    }
    transaction.commit()?;
    for told in waiting {
        told();
    }
    Ok(open)
}

fn text<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn put(connection: &Connection, keep: &Keep) -> rusqlite::Result<()> {
    match keep {
        Keep::Start(game) => start(connection, game),
        Keep::Ply(game, number, ply) => plies::put(connection, *game, *number, ply),
        Keep::Takeback(game, left) => connection
            .prepare_cached("DELETE FROM ply WHERE game = ?1 AND ply > ?2")?
            .execute(params![*game as i64, *left as i64])
            .map(drop),
        Keep::End(game, end, ratings) => {
            finish(connection, *game, end)?;
            ratings.iter().try_for_each(|row| rate(connection, row))
        }
        Keep::Account(account) => connection
            .prepare_cached(
                "INSERT INTO account (folded, name, hash, made) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (folded) DO UPDATE SET hash = ?3",
            )?
            .execute(params![
                account.name.to_ascii_lowercase(),
                account.name,
                account.hash,
                now().to_string()
            ])
            .map(drop),
        Keep::Logins(name, Some(logins)) => connection
            .prepare_cached("INSERT OR REPLACE INTO logins (name, json) VALUES (?1, ?2)")?
            .execute([name, &text(logins)?])
            .map(drop),
        Keep::Logins(name, None) => connection
            .execute("DELETE FROM logins WHERE name = ?1", [name])
            .map(drop),
        Keep::Ban(what, Some(why)) => connection
            .execute(
                "INSERT OR REPLACE INTO ban (what, why) VALUES (?1, ?2)",
                [what, why],
            )
            .map(drop),
        Keep::Ban(what, None) => connection
            .execute("DELETE FROM ban WHERE what = ?1", [what])
            .map(drop),
        Keep::Document(key, json) => {
            let (kind, id) = document(*key);
            connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO document (kind, id, json) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![kind, id as i64, json])
                .map(drop)
        }
    }
}

const fn document(key: DocumentKey) -> (&'static str, u64) {
    match key {
        DocumentKey::Arranged(id) => ("arranged", id),
        DocumentKey::Tournament(id) => ("tournament", id),
    }
}

fn start(connection: &Connection, game: &StoredGame) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO game (number, game, rules, start, time, rated, white, black, origin,
             started, result) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '*')",
        )?
        .execute(params![
            game.number as i64,
            game.game.name(),
            game.rules,
            game.start,
            game.time,
            game.rated,
            text(&game.players[0])?,
            text(&game.players[1])?,
            text(&game.origin)?,
            now().to_string(),
        ])
        .map(drop)
}

fn finish(connection: &Connection, game: u64, end: &GameEnd) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE game SET ended = ?2, result = ?3, termination = ?4, duration = ?5, sides = ?6
             WHERE number = ?1",
        )?
        .execute(params![
            game as i64,
            now().to_string(),
            end.ending.result.word(),
            text(&end.ending.termination)?,
            i64::try_from(end.duration_us).unwrap_or(i64::MAX),
            text(&end.sides)?,
        ])
        .map(drop)
}

fn rate(connection: &Connection, row: &RatingRow) -> rusqlite::Result<()> {
    let Glicko {
        rating,
        deviation,
        volatility,
        games,
    } = row.glicko;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO rating (name, game, rating, deviation, volatility, games)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            row.name,
            row.game.name(),
            rating,
            deviation,
            volatility,
            games
        ])
        .map(drop)
}

fn odd(column: usize, what: impl Into<String>) -> rusqlite::Error {
    let what: String = what.into();
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, what.into())
}

fn json<T: serde::de::DeserializeOwned>(
    row: &rusqlite::Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| odd(column, error.to_string()))
}

fn all<T>(
    connection: &Connection,
    query: &str,
    row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare(query)?.query_map([], row)?.collect()
}

fn stored_game(row: &rusqlite::Row<'_>) -> rusqlite::Result<StoredGame> {
    let game: String = row.get(1)?;
    Ok(StoredGame {
        number: row.get::<_, i64>(0)?.max(0) as u64,
        game: game.parse().map_err(|_| odd(1, "there is no such game"))?,
        rules: row.get(2)?,
        start: row.get(3)?,
        time: row.get(4)?,
        rated: row.get(5)?,
        players: [json(row, 6)?, json(row, 7)?],
        origin: json(row, 8)?,
        plies: Vec::new(),
    })
}

const GAME: &str = "SELECT number, game, rules, start, time, rated, white, black, origin, \
    started, ended, result, termination, duration, sides FROM game";

fn read(connection: &Connection) -> rusqlite::Result<Kept> {
    let accounts = all(connection, "SELECT name, hash FROM account", |row| {
        Ok(AccountRow {
            name: row.get(0)?,
            hash: row.get(1)?,
        })
    })?;
    let logins = all(connection, "SELECT name, json FROM logins", |row| {
        Ok((row.get(0)?, json(row, 1)?))
    })?;
    let query = "SELECT name, game, rating, deviation, volatility, games FROM rating";
    let ratings = all(connection, query, |row| {
        let game: String = row.get(1)?;
        Ok(RatingRow {
            name: row.get(0)?,
            game: game.parse().map_err(|_| odd(1, "there is no such game"))?,
            glicko: Glicko {
                rating: row.get(2)?,
                deviation: row.get(3)?,
                volatility: row.get(4)?,
                games: row.get(5)?,
            },
        })
    })?;
    let bans = all(connection, "SELECT what, why FROM ban", |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    let query = "SELECT kind, id, json FROM document WHERE json IS NOT NULL";
    let documents = all(connection, query, |row| {
        let id = row.get::<_, i64>(1)?.max(0) as u64;
        let key = match row.get::<_, String>(0)?.as_str() {
            "arranged" => DocumentKey::Arranged(id),
            _ => DocumentKey::Tournament(id),
        };
        Ok((key, row.get(2)?))
    })?;
    let mut games = all(
        connection,
        &format!("{GAME} WHERE ended IS NULL"),
        stored_game,
    )?;
    for game in &mut games {
        game.plies = plies::read(connection, game.number)?;
    }
    let last = |query: &str| {
        let found: Option<i64> = connection.query_row(query, [], |row| row.get(0))?;
        Ok::<u64, rusqlite::Error>(found.unwrap_or(0).max(0) as u64)
    };
    Ok(Kept {
        accounts,
        logins,
        ratings,
        bans,
        documents,
        games,
        last_game: last("SELECT max(number) FROM game")?,
        last_document: last("SELECT max(id) FROM document")?,
    })
}
