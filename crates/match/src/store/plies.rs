//! Moves as rows: a table that the game server's files have too.

use std::time::Duration;

use rusqlite::{Connection, Row, params};

use super::read::positive;
use crate::referee::Ply;
use quadrille_driver::EngineScore;

/// Makes the table. Scores are the mover's, times are microseconds.
pub const TABLE: &str = "
CREATE TABLE ply (
    game INTEGER NOT NULL,
    ply INTEGER NOT NULL,       -- from 1, opening included
    move TEXT NOT NULL,
    notation TEXT NOT NULL,
    book INTEGER NOT NULL,
    score INTEGER,              -- hundredths
    mate INTEGER,               -- moves
    depth INTEGER,
    seldepth INTEGER,
    nodes INTEGER,
    nps INTEGER,
    hashfull INTEGER,
    tbhits INTEGER,
    time INTEGER NOT NULL,
    told INTEGER,               -- the time the engine says it took
    clock INTEGER,              -- what is left after the move
    pv TEXT,
    charged INTEGER,            -- what was taken from the clock; if empty, the time
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
";

/// Writes a move; plies count from 1.
pub fn put(connection: &Connection, game: u64, number: usize, ply: &Ply) -> rusqlite::Result<()> {
    let whole = |n: Option<u64>| n.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    let (score, mate) = match ply.score {
        Some(EngineScore::Cp(cp)) => (Some(cp), None),
        Some(EngineScore::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    connection
        .prepare_cached(
            "INSERT INTO ply (game, ply, move, notation, book, score, mate, depth, seldepth,
             nodes, nps, hashfull, tbhits, time, told, clock, pv, charged)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
             ?18)",
        )?
        .execute(params![
            game as i64,
            number as i64,
            ply.text,
            ply.notation,
            ply.book,
            score,
            mate,
            whole(ply.depth),
            whole(ply.seldepth),
            whole(ply.nodes),
            whole(ply.nps),
            whole(ply.hashfull),
            whole(ply.tbhits),
            micros(ply.elapsed),
            ply.told.map(micros),
            ply.clock_us,
            ply.pv,
            micros(ply.charged),
        ])?;
    Ok(())
}

/// The moves of a game, in order.
pub fn read(connection: &Connection, game: u64) -> rusqlite::Result<Vec<Ply>> {
    select(connection, game, "coalesce(charged, time)")
}

/// The same from a file of the first format, which knew one time only.
pub(super) fn read_first(connection: &Connection, game: u64) -> rusqlite::Result<Vec<Ply>> {
    select(connection, game, "time")
}

fn select(connection: &Connection, game: u64, charged: &str) -> rusqlite::Result<Vec<Ply>> {
    let query = format!(
        "SELECT move, notation, book, score, mate, depth, seldepth, nodes, nps, hashfull, \
         tbhits, time, told, clock, pv, {charged} FROM ply WHERE game = ?1 ORDER BY ply"
    );
    let mut query = connection.prepare_cached(&query)?;
    query.query_map([game as i64], ply_row)?.collect()
}

fn ply_row(row: &Row<'_>) -> rusqlite::Result<Ply> {
    let whole = |column| {
        let n: Option<i64> = row.get(column)?;
        Ok::<_, rusqlite::Error>(n.map(|n| n.max(0) as u64))
    };
    let score = match (row.get(3)?, row.get(4)?) {
        (_, Some(moves)) => Some(EngineScore::Mate(moves)),
        (Some(cp), None) => Some(EngineScore::Cp(cp)),
        (None, None) => None,
    };
    Ok(Ply {
        text: row.get(0)?,
        notation: row.get(1)?,
        book: row.get(2)?,
        score,
        depth: whole(5)?,
        seldepth: whole(6)?,
        nodes: whole(7)?,
        nps: whole(8)?,
        hashfull: whole(9)?,
        tbhits: whole(10)?,
        elapsed: Duration::from_micros(positive(row, 11)?),
        told: whole(12)?.map(Duration::from_micros),
        clock_us: row.get(13)?,
        pv: row.get(14)?,
        charged: Duration::from_micros(positive(row, 15)?),
    })
}
