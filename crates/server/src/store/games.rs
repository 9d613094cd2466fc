//! Looking into the file from outside: its games, and orders to its server.

use std::path::Path;

use quadrille_match::record::{GameText, PgnStyle, pgn};
use quadrille_match::referee::Ending;
use quadrille_match::store::{GameEnd, GameRow, GameState, NewGame, PlayerRow, plies};
use rusqlite::OptionalExtension;

use super::file::{GLANCE, acquire};
use super::{GAME, StoreError, all, json, odd, open, sql, stored_game};
use crate::hall::{StoredGame, StoredPlayer};

/// Leaves an order for the server that runs from this file; gives back where its
/// answer will be.
pub fn order(path: &Path, json: &str) -> Result<i64, StoreError> {
    let connection = open(path, true)?;
    connection
        .execute("INSERT INTO control (command) VALUES (?1)", [json])
        .map_err(sql(path))?;
    Ok(connection.last_insert_rowid())
}

/// The answer to an order, if it has come.
pub fn answered(path: &Path, id: i64) -> Result<Option<String>, StoreError> {
    let connection = open(path, false)?;
    let query = "SELECT answer FROM control WHERE id = ?1";
    let found = connection
        .query_row(query, [id], |row| row.get(0))
        .optional();
    Ok(found.map_err(sql(path))?.flatten())
}

/// Takes an answer away that has been read.
pub fn forget(path: &Path, id: i64) -> Result<(), StoreError> {
    let connection = open(path, true)?;
    let done = connection.execute("DELETE FROM control WHERE id = ?1", [id]);
    done.map(drop).map_err(sql(path))
}

/// Takes an order back; `false` if the server has taken it already.
pub fn withdraw(path: &Path, id: i64) -> Result<bool, StoreError> {
    let connection = open(path, true)?;
    let query = "DELETE FROM control WHERE id = ?1 AND taken = 0";
    let done = connection.execute(query, [id]);
    done.map(|rows| rows == 1).map_err(sql(path))
}

/// Returns `true` if a server runs from this file.
pub fn is_running(path: &Path) -> bool {
    matches!(acquire(path, GLANCE), Err(StoreError::Busy(_)))
}

/// A game of the file: how it began, and how it ended.
#[derive(Debug)]
pub struct Played {
    /// How it began, with its moves.
    pub game: StoredGame,
    /// As other records have it.
    pub row: GameRow,
}

/// The games of a file, finished ones only or all.
pub fn games(path: &Path, finished: bool) -> Result<Vec<Played>, StoreError> {
    let connection = open(path, false)?;
    let which = if finished {
        " WHERE ended IS NOT NULL"
    } else {
        ""
    };
    let query = format!("{GAME}{which} ORDER BY number");
    all(&connection, &query, played).map_err(sql(path))
}

/// One game of a file, with its moves.
pub fn game(path: &Path, number: u64) -> Result<Option<Played>, StoreError> {
    let connection = open(path, false)?;
    let found = connection
        .query_row(
            &format!("{GAME} WHERE number = ?1"),
            [number as i64],
            played,
        )
        .optional();
    let Some(mut found) = found.map_err(sql(path))? else {
        return Ok(None);
    };
    found.game.plies = plies::read(&connection, number).map_err(sql(path))?;
    Ok(Some(found))
}

fn played(row: &rusqlite::Row<'_>) -> rusqlite::Result<Played> {
    let game = stored_game(row)?;
    let ended: Option<String> = row.get(10)?;
    let result: String = row.get(11)?;
    let result = quadrille_games::records::GameResult::from_word(&result);
    let end = match ended {
        Some(ended) => Some(GameEnd {
            ending: Ending {
                result: result.ok_or_else(|| odd(11, "that is no result"))?,
                termination: json(row, 12)?,
            },
            ended,
            duration_us: row.get::<_, i64>(13)?.max(0) as u64,
            sides: json(row, 14)?,
            findings: Vec::new(),
            played_at: None,
        }),
        None => None,
    };
    let state = if end.is_some() {
        GameState::Finished
    } else {
        GameState::Running
    };
    let row = GameRow {
        new: NewGame {
            number: game.number,
            round: 1,
            pairing: game.number,
            players: [0, 1],
            opening: 0,
            label: String::new(),
            game: game.game,
            rules: game.rules.clone(),
            start: game.start.clone(),
            book: Vec::new(),
            started: row.get(9)?,
        },
        state,
        end,
    };
    Ok(Played { game, row })
}

impl Played {
    /// The record as PGN.
    pub fn pgn(&self, site: &str) -> Result<String, String> {
        let player = |player: &StoredPlayer| PlayerRow {
            name: player.name.clone(),
            engine: (!player.person).then(|| player.program.clone()),
            author: (!player.person).then(|| player.author.clone()),
        };
        let [white, black] = [0, 1].map(|i: usize| player(&self.game.players[i]));
        let event = if self.game.rated {
            "Rated game"
        } else {
            "Casual game"
        };
        let text = GameText {
            event,
            site,
            game: &self.row,
            players: [&white, &black],
            time_controls: [&self.game.time, &self.game.time],
            plies: &self.game.plies,
        };
        let style = PgnStyle {
            openings: true,
            ..PgnStyle::default()
        };
        pgn(&text, &style).map_err(|error| error.to_string())
    }
}
