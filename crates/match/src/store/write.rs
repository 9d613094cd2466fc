//! The thread that writes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use tokio::sync::{mpsc, oneshot};

use super::error::StoreError;
use super::lock::{RunLock, Runner};
use super::read::Reader;
use super::recovery::{BESIDE, beside};
use super::rows::{EventRow, GameEnd, NewGame, PlayerRow};
use super::{plies, schema};
use crate::referee::Ply;
use quadrille_driver::files::place;

/// How often the file is asked for commands from other processes.
const CONTROL_INTERVAL: Duration = Duration::from_millis(200);
/// The most messages in one transaction: an end of a game waits for at most so
/// many.
const BATCH: usize = 256;
/// How long a ply may wait for others that go into the same transaction.
const LINGER: Duration = Duration::from_millis(50);

/// How long another process that runs the event is waited for: it may be ending.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long another program that keeps the file locked is waited for.
const LOCKED: Duration = Duration::from_secs(30);
/// How long it takes to be sure that one runs it.
const GLANCE: Duration = Duration::from_millis(100);

/// What a store says about who writes it.
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
    Close,
}

impl Message {
    /// Whether it is waited for.
    const fn is_urgent(&self) -> bool {
        matches!(self, Self::End(..) | Self::Flush(_) | Self::Close)
    }
}

/// The file of an event, open for writing. Dropping it writes what is left.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    sender: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<OnceLock<String>>,
    /// Held while this process runs the event.
    _lock: RunLock,
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
        let lock = RunLock::take(path, PATIENCE)?;
        let mut connection = schema::create(path)?;
        let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
        let transaction = connection.transaction().map_err(sql)?;
        schema::make_tables(&transaction).map_err(sql)?;
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
        Ok(Self::start(path, connection, lock, controls))
    }

    /// Opens the file of an event that is to go on. Games that were cut short
    /// are marked as given up, commands that were not heard are forgotten.
    pub fn resume(
        path: &Path,
        controls: mpsc::UnboundedSender<String>,
    ) -> Result<Self, StoreError> {
        // A file that is not ours gets nothing beside it.
        drop(Reader::open(path)?);
        let lock = RunLock::take(path, PATIENCE)?;
        let mut connection = schema::open(path, true)?;
        schema::check_all(&connection, path)?;
        let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
        schema::migrate(&mut connection).map_err(sql)?;
        let transaction = connection.transaction().map_err(sql)?;
        transaction
            .execute_batch(
                "UPDATE game SET state = 'abandoned' WHERE state = 'running';
                 DELETE FROM control;",
            )
            .map_err(sql)?;
        sign(&transaction, PROGRAM).map_err(sql)?;
        transaction.commit().map_err(sql)?;
        Ok(Self::start(path, connection, lock, controls))
    }

    fn start(
        path: &Path,
        connection: Connection,
        lock: RunLock,
        controls: mpsc::UnboundedSender<String>,
    ) -> Self {
        // While games are played there is more time to wait for another program
        // than there is while a user waits. Without it the usual one stays.
        let _ = connection.busy_timeout(LOCKED);
        let (sender, receiver) = channel();
        let failed = Arc::new(OnceLock::new());
        let mut writer = Writer {
            connection,
            path: path.into(),
            place: place(path),
            controls,
            last_look: Instant::now(),
            waiting: Vec::new(),
        };
        let (reason, path) = (Arc::clone(&failed), path.to_path_buf());
        let own = path.clone();
        let thread = thread::spawn(move || {
            match writer.run(&receiver) {
                Ok(()) => schema::settle(&writer.connection),
                Err(error) => {
                    let error = StoreError::writing(&path, &writer.connection, &error);
                    // The first reason is the true one.
                    let _ = reason.set(error.to_string());
                }
            }
        });
        Self {
            path: own,
            sender,
            thread: Some(thread),
            failed,
            _lock: lock,
        }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A connection for reading beside the writer.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.path)
    }

    /// Why nothing is written any more, if that is so.
    pub fn failure(&self) -> Option<StoreError> {
        self.failed.get().cloned().map(StoreError::Stopped)
    }

    /// A game begins. What was there under its number is forgotten.
    pub fn game_started(&self, game: NewGame) {
        self.send(Message::Start(Box::new(game)));
    }

    /// A move was made; plies count from 1, the opening's included.
    pub fn ply(&self, game: u64, number: usize, ply: Ply) {
        self.send(Message::Ply(game, number, Box::new(ply)));
    }

    /// A game is over. The result may be told when the receiver says so; if it
    /// fails, [`failure`](Self::failure) knows why.
    pub fn game_ended(&self, game: u64, end: GameEnd) -> Committed {
        let (sender, receiver) = oneshot::channel();
        self.send(Message::End(game, Box::new(end), sender));
        receiver
    }

    /// A game begins anew: its moves behind the opening are forgotten.
    pub fn game_again(&self, game: u64) {
        self.send(Message::Again(game));
    }

    /// A game was given up and will be played again.
    pub(crate) fn game_abandoned(&self, game: u64) {
        self.send(Message::Abandon(game));
    }

    /// What an engine says it is.
    pub fn player(&self, id: usize, player: PlayerRow) {
        self.send(Message::Player(id, player));
    }

    /// Keeps a small text under a name.
    pub fn note(&self, key: &'static str, value: String) {
        self.send(Message::Note(key, value));
    }

    /// Another description of the event, as JSON.
    pub fn describe(&self, config: String) {
        self.send(Message::Describe(config));
    }

    /// Tells when everything so far is in the file.
    pub fn flushed(&self) -> Committed {
        let (sender, receiver) = oneshot::channel();
        self.send(Message::Flush(sender));
        receiver
    }

    fn send(&self, message: Message) {
        let urgent = message.is_urgent();
        // A writer that gave up has left its reason in `failed`.
        let _ = self.sender.send(message);
        if urgent && let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
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

    /// Whether some process runs the event of this file now.
    pub fn is_running(path: &Path) -> bool {
        Self::runner(path).is_some()
    }

    /// The process that runs the event of this file now. One that has only
    /// begun to is not known by name yet.
    pub fn runner(path: &Path) -> Option<Option<Runner>> {
        if Reader::open(path).is_err() {
            return None;
        }
        match RunLock::take(path, GLANCE) {
            Err(StoreError::Busy { runner, .. }) => Some(runner),
            _ => None,
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.send(Message::Close);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Writer {
    connection: Connection,
    path: PathBuf,
    /// What the path led to when it was opened.
    place: Option<(u64, u64)>,
    controls: mpsc::UnboundedSender<String>,
    last_look: Instant,
    /// Those who wait until what they sent is in the file. They learn that it
    /// never will be only when the reason is known, so the writer keeps them.
    waiting: Vec<oneshot::Sender<()>>,
}

impl Writer {
    fn run(&mut self, receiver: &Receiver<Message>) -> rusqlite::Result<()> {
        loop {
            match receiver.recv_timeout(CONTROL_INTERVAL) {
                Ok(first) => {
                    if !first.is_urgent() {
                        // Woken early by an urgent message.
                        thread::park_timeout(LINGER);
                    }
                    if !self.batch(first, receiver)? {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.look_for_controls()?;
        }
    }

    /// Writes a message and all that wait behind it; `false` at the end.
    fn batch(&mut self, first: Message, receiver: &Receiver<Message>) -> rusqlite::Result<bool> {
        let transaction = self.connection.transaction()?;
        let mut open = true;
        let rest = std::iter::from_fn(|| receiver.try_recv().ok());
        for message in std::iter::once(first).chain(rest).take(BATCH) {
            match message {
                Message::Start(game) => start(&transaction, &game)?,
                Message::Ply(game, number, ply) => plies::put(&transaction, game, number, &ply)?,
                Message::End(game, end, told) => {
                    self.waiting.push(told);
                    finish(&transaction, game, &end)?;
                }
                Message::Again(game) => again(&transaction, game)?,
                Message::Abandon(game) => abandon(&transaction, game)?,
                Message::Player(id, player) => describe(&transaction, id, &player)?,
                Message::Note(key, value) => note(&transaction, key, &value)?,
                Message::Describe(config) => {
                    transaction.execute("UPDATE event SET config = ?1", [config])?;
                }
                Message::Flush(told) => self.waiting.push(told),
                Message::Close => open = false,
            }
        }
        transaction.commit()?;
        if !self.waiting.is_empty() {
            self.check_place()?;
        }
        for told in self.waiting.drain(..) {
            // It is not waited for any more: fine.
            let _ = told.send(());
        }
        Ok(open)
    }

    /// `SQLite` goes on with a file that has lost its name, and all of it would be
    /// lost at the end.
    fn check_place(&self) -> rusqlite::Result<()> {
        if place(&self.path) == self.place {
            return Ok(());
        }
        Err(rusqlite::Error::InvalidPath(self.path.clone()))
    }

    fn look_for_controls(&mut self) -> rusqlite::Result<()> {
        if self.last_look.elapsed() < CONTROL_INTERVAL {
            return Ok(());
        }
        self.last_look = Instant::now();
        self.check_place()?;
        let mut query = self
            .connection
            .prepare_cached("SELECT id, command FROM control ORDER BY id")?;
        let rows = query.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
        let found: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
        for (id, command) in found {
            let mut delete = self
                .connection
                .prepare_cached("DELETE FROM control WHERE id = ?1")?;
            delete.execute([id])?;
            let _ = self.controls.send(command);
        }
        Ok(())
    }
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

/// Says who runs the event.
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
