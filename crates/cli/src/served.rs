//! `quadrille event` with the file of a server: its games.

use core::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use quadrille_games::AnyLine;
use quadrille_net::sanitize::printable;
use quadrille_server::store::{self, Played};

use crate::event::{LAST, ply_line};
use crate::failure::Failure;

/// What stands in records.
const SITE: &str = "Quadrille server";

/// Says something on standard error, where there is a reader.
pub(crate) fn warn(words: Option<String>) {
    if let Some(words) = words {
        let _ = writeln!(io::stderr(), "warning: {}", printable(&words));
    }
}

pub(crate) fn run(
    file: &Path,
    game: Option<u64>,
    all: bool,
    pgn: Option<&Path>,
) -> Result<String, Failure> {
    if let Some(path) = pgn {
        export(file, path)?;
        return Ok(String::new());
    }
    if let Some(number) = game {
        return one(file, number);
    }
    let games = store::games(file, false).map_err(Failure::machine)?;
    let shown = if all { games.len() } else { LAST };
    let skipped = games.len().saturating_sub(shown);
    let mut text = format!("{} games\n", games.len());
    for played in &games[skipped..] {
        text.push_str(&line(played));
    }
    if skipped > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  ({skipped} before them: --games lists all, --game N shows one)"
        );
    }
    Ok(printable(&text).into_owned())
}

fn line(played: &Played) -> String {
    let game = &played.game;
    let [white, black] = &game.players;
    let rest = match &played.row.end {
        Some(end) => format!("{}, {}", end.ending.result.word(), end.ending),
        None => format!("*, since {}", played.row.new.started),
    };
    format!(
        "{:>6} {} - {} {} {} {rest}\n",
        game.number, white.name, black.name, game.game, game.time
    )
}

fn one(file: &Path, number: u64) -> Result<String, Failure> {
    let found = store::game(file, number).map_err(Failure::machine)?;
    let Some(played) = found else {
        let message = format!("there is no game {number} in this store");
        return Err(Failure::input(message));
    };
    let game = &played.game;
    let mut text = line(&played);
    let _ = writeln!(text, "start     {}\n", game.start);
    let board = AnyLine::new(game.game, &game.rules, &game.start);
    let mut board = board.map_err(Failure::machine)?;
    for (index, ply) in game.plies.iter().enumerate() {
        let _ = writeln!(text, "{:>5} {}", index + 1, ply_line(ply));
        board.play(&ply.text).map_err(Failure::machine)?;
    }
    let _ = writeln!(text, "\n{}\n{}", board.draw(), board.position_text());
    Ok(printable(&text).into_owned())
}

fn export(file: &Path, path: &Path) -> Result<(), Failure> {
    let mut out: Box<dyn Write> = if path.as_os_str() == "-" {
        Box::new(io::stdout().lock())
    } else {
        // Nothing is written over: these games are in the store anyway.
        let file = File::create_new(path).map_err(|error| {
            Failure::input(format!("{} cannot be made: {error}", path.display()))
        })?;
        Box::new(BufWriter::new(file))
    };
    for played in store::games(file, true).map_err(Failure::machine)? {
        let number = played.game.number;
        let found = store::game(file, number).map_err(Failure::machine)?;
        let Some(played) = found else { continue };
        let text = played.pgn(SITE);
        let text = text.map_err(|error| Failure::machine(format!("game {number}: {error}")))?;
        match out.write_all(text.as_bytes()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written.map_err(Failure::machine)?,
        }
    }
    out.flush().map_err(Failure::machine)
}
