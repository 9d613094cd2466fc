//! Everything that was played here or loaded: found by player, result, opening or
//! position.

mod entry;
mod import;

use quadrille_desk::boards::line_from;
use quadrille_desk::wire::{
    Explored, ExploredMove, LibraryGame, LibraryQuery, LibraryView, Refusal, SourceView,
};
use quadrille_games::{AnyLine, Game};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

pub(crate) use entry::{Entry, opening_of};
pub(crate) use import::{Import, import, read_text};

/// Letters of the name of a file that are kept.
const LONGEST_NAME: usize = 200;
/// Games of one answer.
const MOST_TOLD: u32 = 500;
/// The source of games that were played here.
pub(crate) const PLAYED: i64 = 1;

/// By this a position is found. The same squares mean something else in another game.
pub(crate) fn key_of(game: Game, hash: u64) -> i64 {
    let salt = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(game as u64 + 1);
    (hash ^ salt).cast_signed()
}

/// Makes sure that there is a source for games played here.
pub(crate) fn prepare(file: &Connection) -> rusqlite::Result<()> {
    file.execute(
        "INSERT OR IGNORE INTO sources (id, name) VALUES (1, 'Played here')",
        [],
    )?;
    Ok(())
}

/// The name of a file as it is shown: without control characters, and not too long.
pub(crate) fn shown_name(name: &str) -> String {
    let seen = name.chars().filter(|c| !c.is_control());
    seen.take(LONGEST_NAME)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// A new source; its number.
pub(crate) fn add_source(file: &Connection, name: &str) -> rusqlite::Result<i64> {
    file.execute("INSERT INTO sources (name) VALUES (?1)", [name])?;
    Ok(file.last_insert_rowid())
}

/// Takes in a game. One that was filed under the same word before gives way.
pub(crate) fn put(
    file: &Connection,
    source: i64,
    filed: Option<&str>,
    entry: &Entry,
) -> rusqlite::Result<i64> {
    if let Some(filed) = filed {
        let mut known = file.prepare_cached("SELECT id FROM games WHERE filed = ?1")?;
        if let Some(id) = known
            .query_row([filed], |row| row.get::<_, i64>(0))
            .optional()?
        {
            file.execute("DELETE FROM positions WHERE game = ?1", [id])?;
            file.execute("DELETE FROM games WHERE id = ?1", [id])?;
        }
    }
    let mut put = file.prepare_cached(
        "INSERT INTO games (source, game, white, black, result, date, event, eco, opening, plies, trouble, pgn, filed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    let (eco, opening) = entry.opening.clone().unzip();
    put.execute(params![
        source,
        entry.game.name(),
        entry.white,
        entry.black,
        entry.result,
        entry.date,
        entry.event,
        eco,
        opening,
        entry.plies,
        entry.trouble,
        entry.pgn,
        filed
    ])?;
    let id = file.last_insert_rowid();
    let mut place = file.prepare_cached("INSERT OR IGNORE INTO positions VALUES (?1, ?2, ?3)")?;
    for (key, text) in &entry.positions {
        place.execute(params![key, id, text])?;
    }
    Ok(id)
}

/// What there is.
pub(crate) fn view(file: &Connection) -> rusqlite::Result<LibraryView> {
    let mut sources = file.prepare_cached(
        "SELECT s.id, s.name, COUNT(g.id) FROM sources s LEFT JOIN games g ON g.source = s.id AND g.deleted = 0
         GROUP BY s.id ORDER BY s.id",
    )?;
    let sources = sources.query_map([], |row| {
        Ok(SourceView {
            id: row.get(0)?,
            name: row.get(1)?,
            games: row.get(2)?,
        })
    })?;
    let sources: Vec<SourceView> = sources.collect::<rusqlite::Result<_>>()?;
    let sources: Vec<SourceView> = sources.into_iter().filter(|s| s.games > 0).collect();
    Ok(LibraryView {
        games: sources.iter().map(|source| source.games).sum(),
        sources,
    })
}

/// A question that is ready to be asked.
#[derive(Debug)]
pub(crate) struct Query {
    words: String,
    values: Vec<Value>,
}

impl Query {
    /// Reads what is looked for.
    pub(crate) fn new(query: &LibraryQuery) -> Result<Self, Refusal> {
        let mut found = Self {
            words: "SELECT id, game, white, black, result, date, event, eco, opening, plies, trouble, study \
                    FROM games WHERE deleted = 0"
                .into(),
            values: Vec::new(),
        };
        let like = |text: &str| {
            let plain = text
                .replace('\\', "\\\\")
                .replace('%', "\\%")
                .replace('_', "\\_");
            Value::from(format!("%{plain}%"))
        };
        if let Some(game) = query.game {
            found.add("game = ?", [game.name().to_owned().into()]);
        }
        if let Some(player) = query
            .player
            .as_deref()
            .filter(|text| !text.trim().is_empty())
        {
            let player = like(&player.trim().to_lowercase());
            let words = "(folded(white) LIKE ? ESCAPE '\\' OR folded(black) LIKE ? ESCAPE '\\')";
            found.add(words, [player.clone(), player]);
        }
        if let Some(result) = &query.result {
            found.add("result = ?", [result.clone().into()]);
        }
        if let Some(opening) = query
            .opening
            .as_deref()
            .filter(|text| !text.trim().is_empty())
        {
            let opening = opening.trim();
            let begins = Value::from(format!("{}%", opening.replace(['%', '_'], "")));
            found.add(
                "(eco LIKE ? OR opening LIKE ? ESCAPE '\\')",
                [begins, like(opening)],
            );
        }
        if let Some(source) = query.source {
            found.add("source = ?", [i64::from(source).into()]);
        }
        if let Some(position) = &query.position {
            let line = line_from(position)?;
            let key = key_of(line.game(), line.hash());
            found.add(
                "id IN (SELECT game FROM positions WHERE key = ?)",
                [key.into()],
            );
        }
        found.words.push_str(" ORDER BY id DESC LIMIT ? OFFSET ?");
        let most = query.most.clamp(1, MOST_TOLD);
        found.values.push(i64::from(most).into());
        found.values.push(i64::from(query.skip).into());
        Ok(found)
    }

    fn add<const N: usize>(&mut self, words: &str, values: [Value; N]) {
        self.words.push_str(" AND ");
        self.words.push_str(words);
        self.values.extend(values);
    }

    /// Asks it.
    pub(crate) fn ask(&self, file: &Connection) -> rusqlite::Result<Vec<LibraryGame>> {
        let mut found = file.prepare_cached(&self.words)?;
        let rows = found.query_map(params_from_iter(&self.values), |row| {
            let eco: Option<String> = row.get(7)?;
            let name: Option<String> = row.get(8)?;
            Ok(LibraryGame {
                id: row.get(0)?,
                game: row.get::<_, String>(1)?.parse().unwrap_or(Game::Chess),
                white: row.get(2)?,
                black: row.get(3)?,
                result: row.get(4)?,
                date: row.get(5)?,
                event: row.get(6)?,
                opening: match (eco, name) {
                    (None, None) => None,
                    (eco, name) => Some((eco.unwrap_or_default(), name.unwrap_or_default())),
                },
                plies: row.get(9)?,
                trouble: row.get(10)?,
                study: row.get(11)?,
            })
        })?;
        rows.collect()
    }
}

/// A record, and the study it is open in.
pub(crate) type Found = (Vec<u8>, Option<u32>);

/// The record of a game, and the study it is open in.
pub(crate) fn record(file: &Connection, id: u32) -> rusqlite::Result<Option<Found>> {
    let mut found = file.prepare_cached("SELECT pgn, study FROM games WHERE id = ?1")?;
    found
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// The records of games, one after the other.
pub(crate) fn records(file: &Connection, ids: &[u32]) -> rusqlite::Result<Vec<u8>> {
    let mut text = Vec::new();
    for id in ids {
        if let Some((pgn, _)) = record(file, *id)? {
            text.extend_from_slice(pgn.trim_ascii());
            text.extend_from_slice(b"\n\n");
        }
    }
    Ok(text)
}

/// Takes games away, or brings them back.
pub(crate) fn mark(file: &Connection, ids: &[u32], deleted: bool) -> rusqlite::Result<()> {
    let mut mark = file.prepare_cached("UPDATE games SET deleted = ?2 WHERE id = ?1")?;
    for id in ids {
        mark.execute(params![id, deleted])?;
    }
    Ok(())
}

/// Remembers which study a game is open in.
pub(crate) fn opened(file: &Connection, id: u32, study: u32) -> rusqlite::Result<()> {
    file.execute(
        "UPDATE games SET study = ?2 WHERE id = ?1",
        params![id, study],
    )?;
    Ok(())
}

/// What was played from the end of a line, and how it scored.
pub(crate) fn explore(file: &Connection, line: &AnyLine) -> rusqlite::Result<Explored> {
    let key = key_of(line.game(), line.hash());
    let mut asked = file.prepare_cached(
        "SELECT p.move, SUM(g.result = '1-0'), SUM(g.result = '1/2-1/2'), SUM(g.result = '0-1'), COUNT(*)
         FROM positions p JOIN games g ON g.id = p.game WHERE p.key = ?1 AND p.move <> '' AND g.deleted = 0
         GROUP BY p.move ORDER BY 5 DESC, 1 LIMIT 100",
    )?;
    let rows = asked.query_map([key], |row| {
        let text: String = row.get(0)?;
        Ok((text, (row.get(1)?, row.get(2)?, row.get(3)?)))
    })?;
    let mut moves = Vec::new();
    for row in rows {
        let (text, results): (String, (u32, u32, u32)) = row?;
        // Another position with the same key is not this one.
        let Ok(found) = line.find(&text) else {
            continue;
        };
        let mut after = line.clone();
        let name = after
            .play(&found.text)
            .ok()
            .and_then(|_| opening_of(&after));
        moves.push(ExploredMove {
            text: found.text,
            notation: found.notation,
            results,
            name: name.map(|(_, name)| name),
        });
    }
    Ok(Explored {
        opening: opening_of(line),
        moves,
    })
}
