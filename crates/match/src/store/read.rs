//! Reading beside the writer, or after everything.

use std::path::{Path, PathBuf};

use quadrille_games::Game;
use quadrille_games::records::GameResult;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::de::DeserializeOwned;

use super::error::StoreError;
use super::rows::{EventRow, GameEnd, GameRow, GameState, NewGame, PlayedAt, PlayerRow};
use super::{plies, schema};
use crate::referee::{Ending, Ply};

/// A connection that only reads.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    path: PathBuf,
    /// The format of the file, which may be an older one.
    version: i64,
}

const GAME_COLUMNS: &str = "number, round, pairing, white, black, opening, label, game, rules, \
     start, state, result, termination, started, ended, duration, sides, findings";

/// The columns of a game in a file of this format. Before the third every game was
/// played where its file was.
fn game_columns(version: i64) -> String {
    let place = match version {
        ..3 => "NULL, NULL",
        _ => "worker, scale",
    };
    format!("{GAME_COLUMNS}, {place}")
}

impl Reader {
    /// Opens the file of an event.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = schema::open(path, false)?;
        let version = quadrille_store::format::version(&connection);
        Ok(Self {
            version: version.map_err(|error| StoreError::sql(path, &error))?,
            connection,
            path: path.into(),
        })
    }

    /// The event.
    pub fn event(&self) -> Result<EventRow, StoreError> {
        let query = "SELECT program, created, config FROM event";
        let found = self.connection.query_row(query, [], |row| {
            Ok(EventRow {
                program: row.get(0)?,
                created: row.get(1)?,
                config: row.get(2)?,
            })
        });
        found.map_err(|error| self.failed(&error))
    }

    /// The players, by their numbers.
    pub fn players(&self) -> Result<Vec<PlayerRow>, StoreError> {
        self.collect(
            "SELECT name, engine, author FROM player ORDER BY id",
            |row| {
                Ok(PlayerRow {
                    name: row.get(0)?,
                    engine: row.get(1)?,
                    author: row.get(2)?,
                })
            },
        )
    }

    /// All games that were begun, by number.
    pub fn games(&self) -> Result<Vec<GameRow>, StoreError> {
        let columns = game_columns(self.version);
        let query = format!("SELECT {columns} FROM game ORDER BY number");
        self.collect(&query, game_row)
    }

    /// One game.
    pub fn game(&self, number: u64) -> Result<Option<GameRow>, StoreError> {
        let columns = game_columns(self.version);
        let query = format!("SELECT {columns} FROM game WHERE number = ?1");
        let found = self
            .connection
            .prepare_cached(&query)
            .and_then(|mut query| query.query_row([number as i64], game_row).optional());
        found.map_err(|error| self.failed(&error))
    }

    /// The numbers of the finished games from one on, in order.
    pub fn finished(&self, from: u64) -> Result<Vec<u64>, StoreError> {
        let query = "SELECT number FROM game WHERE number >= ?1 AND state = 'finished' \
             ORDER BY number";
        let found = self.connection.prepare_cached(query).and_then(|mut query| {
            query
                .query_map([from as i64], |row| positive(row, 0))?
                .collect::<rusqlite::Result<Vec<u64>>>()
        });
        found.map_err(|error| self.failed(&error))
    }

    /// The moves of a game.
    pub fn plies(&self, number: u64) -> Result<Vec<Ply>, StoreError> {
        let found = match self.version {
            // The first format knew one time only.
            1 => plies::read_first(&self.connection, number),
            _ => plies::read(&self.connection, number),
        };
        found.map_err(|error| self.failed(&error))
    }

    /// How many plies of a game there are.
    pub fn ply_count(&self, number: u64) -> Result<u64, StoreError> {
        let query = "SELECT count(*) FROM ply WHERE game = ?1";
        let found = self.connection.prepare_cached(query);
        let found =
            found.and_then(|mut query| query.query_row([number as i64], |row| positive(row, 0)));
        found.map_err(|error| self.failed(&error))
    }

    /// A text kept under a name.
    pub fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        let query = "SELECT value FROM note WHERE key = ?1";
        let found = self.connection.query_row(query, [key], |row| row.get(0));
        found.optional().map_err(|error| self.failed(&error))
    }

    fn collect<T>(
        &self,
        query: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let found = self.connection.prepare(query).and_then(|mut query| {
            query
                .query_map([], read)?
                .collect::<rusqlite::Result<Vec<T>>>()
        });
        found.map_err(|error| self.failed(&error))
    }

    /// Rows that do not fit are damage, not a mistake of `SQLite`'s.
    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        use rusqlite::Error;
        match error {
            Error::FromSqlConversionFailure(..)
            | Error::InvalidColumnType(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::QueryReturnedNoRows => StoreError::damaged(&self.path, error),
            _ => StoreError::sql(&self.path, error),
        }
    }
}

fn odd(column: usize, what: impl Into<String>) -> rusqlite::Error {
    let what: String = what.into();
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, what.into())
}

fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| odd(column, error.to_string()))
}

pub(super) fn positive(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let n: i64 = row.get(column)?;
    u64::try_from(n).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, n))
}

fn game_row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    let game: String = row.get(7)?;
    let game: Game = game
        .parse()
        .map_err(|_| odd(7, format!("there is no game {game:?}")))?;
    let state = match row.get::<_, String>(10)?.as_str() {
        "running" => GameState::Running,
        "finished" => GameState::Finished,
        "abandoned" => GameState::Abandoned,
        other => return Err(odd(10, format!("there is no state {other:?}"))),
    };
    let result: String = row.get(11)?;
    let result = GameResult::from_word(&result)
        .ok_or_else(|| odd(11, format!("{result:?} is no result")))?;
    let end = if state == GameState::Finished {
        Some(GameEnd {
            ending: Ending {
                result,
                termination: json(row, 12)?,
            },
            ended: row.get(14)?,
            duration_us: positive(row, 15)?,
            sides: json(row, 16)?,
            findings: json(row, 17)?,
            played_at: match (row.get(18)?, row.get(19)?) {
                (Some(worker), Some(permille)) => Some(PlayedAt { worker, permille }),
                _ => None,
            },
        })
    } else {
        None
    };
    Ok(GameRow {
        new: NewGame {
            number: positive(row, 0)?,
            round: positive(row, 1)?,
            pairing: positive(row, 2)?,
            players: [positive(row, 3)? as usize, positive(row, 4)? as usize],
            opening: positive(row, 5)?,
            label: row.get(6)?,
            game,
            rules: row.get(8)?,
            start: row.get(9)?,
            book: Vec::new(),
            started: row.get(13)?,
        },
        state,
        end,
    })
}
