//! The file of a game server.
//!
//! The thread that writes, the lock and the recovery are those of [`quadrille_store`]: a ply
//! is in the file within a fiftieth of a second, the end of a game at once. The rows of plies
//! are those of [`quadrille_match::store`]. What differs is the rest: players come and go, and
//! a game that was running goes on.

mod backup;
mod file;
mod games;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quadrille_driver::date::now;
use quadrille_match::store::{GameEnd, plies};
use quadrille_store::format::use_log;
use quadrille_store::{
    Fault, FileLock, Message as StoreMessage, Notice, OnFault, Poll, Writer, WriterOptions,
};
use rusqlite::{Connection, params};

use crate::glicko::Glicko;
use crate::hall::{AccountRow, DocumentKey, Keep, Kept, RatingRow, StoredGame};
pub use backup::{backup, lacks_its_log};
pub(crate) use file::is_new;
pub use file::is_server;
use file::{GLANCE, LATER_TABLES, PATIENCE, acquire, check, make_if_new, open, sql};
pub use games::{Played, answered, forget, game, games, is_running, order, withdraw};

/// The time that a ply may wait for others that go into the same transaction.
const LINGER: Duration = Duration::from_millis(20);
/// The time between two looks for orders from other processes.
const CONTROL: Duration = Duration::from_millis(100);
/// Answers that are kept for those who asked.
const ANSWERS: i64 = 100;
/// The most messages in one transaction.
const BATCH: usize = 1024;
/// The reason why the file cannot be used.
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
    Keep(Box<Keep>, Option<Receipt>),
    Answer(i64, String),
}

/// Called when something is in the file.
type Receipt = Box<dyn FnOnce() + Send>;

impl StoreMessage for Message {
    fn write(&mut self, transaction: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Keep(keep, _) => put(transaction, keep),
            Self::Answer(id, json) => answer(transaction, *id, json),
        }
    }

    fn is_awaited(&self) -> bool {
        matches!(self, Self::Keep(_, Some(_)))
    }

    fn finish(self, written: Result<(), &Fault>) {
        if let (Self::Keep(_, Some(receipt)), Ok(())) = (self, written) {
            receipt();
        }
    }
}

/// An order that another process left in the file.
#[derive(Debug)]
pub struct Command {
    /// Where its answer goes.
    pub id: i64,
    /// JSON.
    pub text: String,
}

/// News from the writing thread.
#[derive(Debug)]
pub enum News {
    /// Another process left an order.
    Order(Command),
    /// Nothing can be written any more; [`Store::failure`] says why.
    Failed,
}

/// The file, open for writing. Dropping it writes what is left.
#[derive(Debug)]
pub struct Store {
    writer: Writer<Message>,
    /// Let go after the writer has ended.
    _lock: FileLock,
}

impl Store {
    /// Opens the file, or makes it. `news` is called on the writing thread.
    pub fn open(
        path: &Path,
        news: impl Fn(News) + Send + Sync + 'static,
    ) -> Result<(Self, Kept), StoreError> {
        let lock = acquire(path, GLANCE)?;
        make_if_new(path)?;
        let connection = open(path, true)?;
        check(path, &connection)?;
        let prepare = || {
            use_log(&connection, PATIENCE)?;
            connection.execute_batch(LATER_TABLES)?;
            connection.execute("DELETE FROM control", [])
        };
        prepare().map_err(sql(path))?;
        let kept = read(&connection).map_err(sql(path))?;
        let news = Arc::new(news);
        let orders = Arc::clone(&news);
        let options = WriterOptions {
            name: "server-store",
            batch: BATCH,
            linger: LINGER,
            // No end of a game is told that is not in the file, so that a server without
            // room cannot go on; its games go on when it is started again.
            on_fault: OnFault::Stop,
            poll: Some(Poll {
                interval: CONTROL,
                run: Box::new(move |file| look(file, &|command| orders(News::Order(command)))),
            }),
            notify: Box::new(move |notice| {
                if let Notice::Stopped(_) = notice {
                    news(News::Failed);
                }
            }),
        };
        let writer = Writer::start(path, connection, options);
        let writer = writer.map_err(|error| StoreError::Sql {
            path: path.into(),
            detail: error.to_string(),
        })?;
        let store = Self {
            writer,
            _lock: lock,
        };
        Ok((store, kept))
    }

    /// Returns the reason why nothing is written any more.
    pub fn failure(&self) -> Option<&str> {
        self.writer.failure().map(|fault| fault.detail.as_str())
    }

    /// Writes something; `told` is called when it is in the file.
    pub fn keep(&self, keep: Keep, told: Option<Box<dyn FnOnce() + Send>>) {
        self.writer.send(Message::Keep(Box::new(keep), told));
    }

    /// Writes what is left, and fails unless all of it is in the file.
    pub fn close(mut self, path: &Path) -> Result<(), StoreError> {
        self.writer.close();
        match self.failure() {
            None => Ok(()),
            Some(why) => Err(StoreError::Sql {
                path: path.into(),
                detail: why.into(),
            }),
        }
    }

    /// Answers an order.
    pub fn answer(&self, id: i64, json: String) {
        self.writer.send(Message::Answer(id, json));
    }
}

/// Takes the orders out of the file that other processes left there.
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

/// Leaves an answer for the one who asked, who takes it away.
fn answer(connection: &Connection, id: i64, json: &str) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE control SET answer = ?2 WHERE id = ?1",
        params![id, json],
    )?;
    // Some do not wait for theirs any more.
    connection
        .execute(
            "DELETE FROM control WHERE answer IS NOT NULL AND id < ?1",
            [id - ANSWERS],
        )
        .map(drop)
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
