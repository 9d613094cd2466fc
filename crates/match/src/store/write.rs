//! Writing into the file of an event.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille_store::{
    BESIDE, Fault, FileLock, Message as StoreMessage, OnFault, Poll, Writer, WriterOptions, beside,
};
use rusqlite::{Connection, params};
use tokio::sync::{mpsc, oneshot};

use super::error::StoreError;
use super::lock::{Runner, acquire};
use super::read::Reader;
use super::rows::{EventRow, GameEnd, NewGame, PlayerRow};
use super::{plies, schema};
use crate::referee::Ply;

/// The time between two looks for commands of other processes.
const CONTROL_INTERVAL: Duration = Duration::from_millis(200);
/// The most messages in one transaction: an end of a game waits for at most so
/// many.
const BATCH: usize = 256;
/// The time that a ply may wait for others that go into the same transaction.
const LINGER: Duration = Duration::from_millis(50);

/// The time that another process which runs the event is waited for: it may be ending.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time that another program which keeps the file locked is waited for.
const LOCKED: Duration = Duration::from_secs(30);
/// The time it takes to be sure that one runs it.
const GLANCE: Duration = Duration::from_millis(100);

/// The name in a store of who writes it.
pub(crate) const PROGRAM: &str = concat!("quadrille ", env!("CARGO_PKG_VERSION"));

/// Tells when something is in the file.
pub type Committed = oneshot::Receiver<()>;

enum Message {
    Start(Box<NewGame>),
    Ply(u64, usize, Box<Ply>),
    End(u64, Box<GameEnd>, oneshot::Sender<()>),
    Again(u64),
    Abandon(u64),
    Player(usize, PlayerRow),
    Note(&'static str, String),
    Describe(String),
    Flush(oneshot::Sender<()>),
}

impl StoreMessage for Message {
    fn write(&mut self, transaction: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Start(game) => start(transaction, game),
            Self::Ply(game, number, ply) => plies::put(transaction, *game, *number, ply),
            Self::End(game, end, _) => finish(transaction, *game, end),
            Self::Again(game) => again(transaction, *game),
            Self::Abandon(game) => abandon(transaction, *game),
            Self::Player(id, player) => describe(transaction, *id, player),
            Self::Note(key, value) => note(transaction, key, value),
            Self::Describe(config) => transaction
                .execute("UPDATE event SET config = ?1", [&*config])
                .map(drop),
            Self::Flush(_) => Ok(()),
        }
    }

    fn is_awaited(&self) -> bool {
        matches!(self, Self::End(..) | Self::Flush(_))
    }

    fn finish(self, written: Result<(), &Fault>) {
        if let (Self::End(_, _, receipt) | Self::Flush(receipt), Ok(())) = (self, written) {
            // It is not waited for any more: fine.
            let _ = receipt.send(());
        }
    }
}

/// The file of an event, open for writing. Dropping it writes what is left.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    writer: Writer<Message>,
    /// Held while this process runs the event, and let go after the writer has ended.
    _lock: FileLock,
}

impl Store {
    /// Begins a file. There must be no event at that path.
    ///
    /// Commands that other processes leave in the file are sent to `controls`.
    pub fn create(
        path: &Path,
        event: &EventRow,
        players: &[PlayerRow],
        controls: mpsc::UnboundedSender<String>,
    ) -> Result<Self, StoreError> {
        let lock = acquire(path, PATIENCE)?;
        let mut connection = schema::create(path)?;
        let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
        let transaction = connection.transaction().map_err(sql)?;
        schema::FORMAT.create(&transaction).map_err(sql)?;
        transaction
            .execute(
                "INSERT INTO event (id, program, created, config) VALUES (1, ?1, ?2, ?3)",
                params![event.program, event.created, event.config],
            )
            .map_err(sql)?;
        for (id, player) in players.iter().enumerate() {
            transaction
                .execute(
                    "INSERT INTO player (id, name, engine, author) VALUES (?1, ?2, ?3, ?4)",
                    params![id as i64, player.name, player.engine, player.author],
                )
                .map_err(sql)?;
        }
        sign(&transaction, &event.program).map_err(sql)?;
        transaction.commit().map_err(sql)?;
        Self::start(path, connection, lock, controls)
    }

    /// Opens the file of an event that is to go on. Games that were cut short
    /// are marked as given up, commands that were not heard are forgotten.
    pub fn resume(
        path: &Path,
        controls: mpsc::UnboundedSender<String>,
    ) -> Result<Self, StoreError> {
        // A file that is not ours gets nothing beside it.
        drop(Reader::open(path)?);
        let lock = acquire(path, PATIENCE)?;
        let mut connection = schema::open(path, true)?;
        schema::check_all(&connection, path)?;
        let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
        schema::FORMAT.migrate(&mut connection).map_err(sql)?;
        let transaction = connection.transaction().map_err(sql)?;
        transaction
            .execute_batch(
                "UPDATE game SET state = 'abandoned' WHERE state = 'running';
                 DELETE FROM control;",
            )
            .map_err(sql)?;
        sign(&transaction, PROGRAM).map_err(sql)?;
        transaction.commit().map_err(sql)?;
        Self::start(path, connection, lock, controls)
    }

    fn start(
        path: &Path,
        connection: Connection,
        lock: FileLock,
        controls: mpsc::UnboundedSender<String>,
    ) -> Result<Self, StoreError> {
        // While games are played there is more time to wait for another program
        // than there is while a user waits. Without it the usual one stays.
        let _ = connection.busy_timeout(LOCKED);
        let options = WriterOptions {
            name: "event-store",
            batch: BATCH,
            linger: LINGER,
            // No result is told that is not in the file, so that a match without room cannot
            // go on; it is resumed when there is room again.
            on_fault: OnFault::Stop,
            poll: Some(Poll {
                interval: CONTROL_INTERVAL,
                run: Box::new(move |file| look_for_controls(file, &controls)),
            }),
            notify: Box::new(|_| {}),
        };
        let writer = Writer::start(path, connection, options);
        Ok(Self {
            path: path.into(),
            writer: writer.map_err(|error| StoreError::io(path, error))?,
            _lock: lock,
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A connection for reading beside the writer.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.path)
    }

    /// Returns the reason why nothing is written any more.
    pub fn failure(&self) -> Option<StoreError> {
        let fault = self.writer.failure()?.clone();
        let reason = StoreError::of(&self.path, fault);
        Some(StoreError::Stopped(reason.to_string()))
    }

    /// A game begins. What was there under its number is forgotten.
    pub fn game_started(&self, game: NewGame) {
        self.writer.send(Message::Start(Box::new(game)));
    }

    /// A move was made; plies count from 1, the opening's included.
    pub fn ply(&self, game: u64, number: usize, ply: Ply) {
        self.writer.send(Message::Ply(game, number, Box::new(ply)));
    }

    /// A game is over. The result may be told when the receiver says so; if it
    /// fails, [`failure`](Self::failure) knows why.
    pub fn game_ended(&self, game: u64, end: GameEnd) -> Committed {
        let (sender, receiver) = oneshot::channel();
        self.writer.send(Message::End(game, Box::new(end), sender));
        receiver
    }

    /// A game begins anew: its moves behind the opening are forgotten.
    pub fn game_again(&self, game: u64) {
        self.writer.send(Message::Again(game));
    }

    /// A game was given up and will be played again.
    pub(crate) fn game_abandoned(&self, game: u64) {
        self.writer.send(Message::Abandon(game));
    }

    /// Records what an engine says it is.
    pub fn player(&self, id: usize, player: PlayerRow) {
        self.writer.send(Message::Player(id, player));
    }

    /// Keeps a small text under a name.
    pub fn note(&self, key: &'static str, value: String) {
        self.writer.send(Message::Note(key, value));
    }

    /// Another description of the event, as JSON.
    pub fn describe(&self, config: String) {
        self.writer.send(Message::Describe(config));
    }

    /// Tells when everything so far is in the file.
    pub fn flushed(&self) -> Committed {
        let (sender, receiver) = oneshot::channel();
        self.writer.send(Message::Flush(sender));
        receiver
    }

    /// Leaves a command for the process that runs the event.
    pub fn control(path: &Path, command: &str) -> Result<(), StoreError> {
        let connection = schema::open(path, true)?;
        connection
            .execute("INSERT INTO control (command) VALUES (?1)", [command])
            .map_err(|error| StoreError::sql(path, &error))?;
        Ok(())
    }

    /// Takes away the file of an event that could not begin, with those beside it:
    /// it has the mistake in it, and would be in the way of the next try.
    pub fn remove(path: &Path) {
        for end in BESIDE.into_iter().chain(["", "-lock"]) {
            // What cannot be taken away is no worse than before.
            let _ = std::fs::remove_file(beside(path, end));
        }
    }

    /// Returns `true` if some process runs the event of this file now.
    pub fn is_running(path: &Path) -> bool {
        Self::runner(path).is_some()
    }

    /// The process that runs the event of this file now. One that has only
    /// begun to is not known by name yet.
    pub fn runner(path: &Path) -> Option<Option<Runner>> {
        if Reader::open(path).is_err() {
            return None;
        }
        match acquire(path, GLANCE) {
            Err(StoreError::Busy { runner, .. }) => Some(runner),
            _ => None,
        }
    }
}

/// Takes the commands out of the file that other processes left there.
fn look_for_controls(
    file: &Connection,
    controls: &mpsc::UnboundedSender<String>,
) -> rusqlite::Result<()> {
    let mut query = file.prepare_cached("SELECT id, command FROM control ORDER BY id")?;
    let rows = query.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
    let found: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
    for (id, command) in found {
        file.prepare_cached("DELETE FROM control WHERE id = ?1")?
            .execute([id])?;
        let _ = controls.send(command);
    }
    Ok(())
}

fn start(connection: &Connection, game: &NewGame) -> rusqlite::Result<()> {
    let number = game.number as i64;
    connection
        .prepare_cached("DELETE FROM ply WHERE game = ?1")?
        .execute([number])?;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO game (number, round, pairing, white, black, opening, label,
             game, rules, start, state, result, started)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'running', '*', ?11)",
        )?
        .execute(params![
            number,
            game.round as i64,
            game.pairing as i64,
            game.players[0] as i64,
            game.players[1] as i64,
            game.opening as i64,
            game.label,
            game.game.name(),
            game.rules,
            game.start,
            game.started,
        ])?;
    for (index, ply) in game.book.iter().enumerate() {
        plies::put(connection, game.number, index + 1, ply)?;
    }
    Ok(())
}

fn finish(connection: &Connection, game: u64, end: &GameEnd) -> rusqlite::Result<()> {
    let json = |error: serde_json::Error| rusqlite::Error::ToSqlConversionFailure(error.into());
    connection
        .prepare_cached(
            "UPDATE game SET state = 'finished', result = ?2, termination = ?3, ended = ?4,
             duration = ?5, sides = ?6, findings = ?7, worker = ?8, scale = ?9
             WHERE number = ?1",
        )?
        .execute(params![
            game as i64,
            end.ending.result.word(),
            serde_json::to_string(&end.ending.termination).map_err(json)?,
            end.ended,
            i64::try_from(end.duration_us).unwrap_or(i64::MAX),
            serde_json::to_string(&end.sides).map_err(json)?,
            serde_json::to_string(&end.findings).map_err(json)?,
            end.played_at.as_ref().map(|at| &at.worker),
            end.played_at.as_ref().map(|at| at.permille),
        ])?;
    Ok(())
}

fn again(connection: &Connection, game: u64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM ply WHERE game = ?1 AND NOT book")?
        .execute([game as i64])?;
    Ok(())
}

fn abandon(connection: &Connection, game: u64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE game SET state = 'abandoned' WHERE number = ?1 AND state = 'running'",
        )?
        .execute([game as i64])?;
    Ok(())
}

fn describe(connection: &Connection, id: usize, player: &PlayerRow) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE player SET name = ?2, engine = ?3, author = ?4 WHERE id = ?1")?
        .execute(params![
            id as i64,
            player.name,
            player.engine,
            player.author
        ])?;
    Ok(())
}

/// Notes who runs the event.
fn sign(connection: &Connection, program: &str) -> rusqlite::Result<()> {
    let json = |error: serde_json::Error| rusqlite::Error::ToSqlConversionFailure(error.into());
    let runner = serde_json::to_string(&Runner::this(program)).map_err(json)?;
    note(connection, Runner::KEY, &runner)
}

fn note(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO note (key, value) VALUES (?1, ?2)")?
        .execute([key, value])?;
    Ok(())
}
