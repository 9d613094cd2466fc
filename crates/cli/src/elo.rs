//! `quadrille elo`: rate the players of files of games.

use core::fmt::Write as _;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::Args;
use quadrille_games::Side;
use quadrille_match::stats::{Estimate, PgnTables, Tables, Tally, tables_of_files};
use quadrille_match::tournament::games_of;
use quadrille_net::sanitize::{cut, printable};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::figure::{self, figure, number_of};

/// Beyond this number a rating list takes minutes and a cross-table is no use.
const MOST_PLAYERS: usize = 1000;
/// A cross-table wider than this does not fit anywhere.
const WIDEST_TABLE: usize = 30;

/// Arguments of `quadrille elo`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Files of games in PGN, of any of the games, or stores of matches; `-` is
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Fix a player's rating; may be given several times
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let read = read(&arguments.files)?;
    if read.tables.games() == 0 {
        let failure = Failure::input("there is no game with two players and a result");
        return Err(failure.hint("the tags White, Black and Result are needed"));
    }
    if read.tables.names().len() > MOST_PLAYERS {
        let players = read.tables.names().len();
        let failure = Failure::input(format!("{players} players are too many for one list"));
        return Err(failure.hint(format!("at most {MOST_PLAYERS} can be rated together")));
    }
    let anchors = anchors(&arguments.anchor, &read.tables)?;
    let rows = rows(&read.tables, &anchors);
    Ok(if arguments.json {
        format!("{:#}\n", as_json(&read, &rows))
    } else {
        // Names are as the file has them.
        printable(&as_text(&read, &rows)).into_owned()
    })
}

fn read(files: &[PathBuf]) -> Result<PgnTables, Failure> {
    let open = |path: &PathBuf| -> Result<Box<dyn Read>, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Box::new(io::stdin()));
        }
        games_of(path).map_err(Failure::input)
    };
    let files: Vec<_> = files.iter().map(open).collect::<Result<_, _>>()?;
    tables_of_files(files).map_err(|error| Failure::machine(format!("cannot read: {error}")))
}

fn anchors(texts: &[String], tables: &Tables) -> Result<Vec<(usize, f64)>, Failure> {
    let mut anchors = Vec::new();
    for text in texts {
        let form =
            || Failure::input(format!("'{text}' is no anchor")).hint("write --anchor NAME=ELO");
        let (name, elo) = text.rsplit_once('=').ok_or_else(form)?;
        let elo: f64 = elo.trim().parse().map_err(|_| form())?;
        if !elo.is_finite() || elo.abs() > 1e5 {
            return Err(form());
        }
        let found = tables.names().iter().position(|other| other == name.trim());
        let player = found.ok_or_else(|| {
            let names: Vec<&str> = tables.names().iter().take(20).map(String::as_str).collect();
            Failure::input(format!("no player is called '{name}'"))
                .hint(format!("players are {}", names.join(", ")))
        })?;
        anchors.push((player, elo));
    }
    Ok(anchors)
}

/// A player in the list.
struct Row {
    player: usize,
    rating: f64,
    error: f64,
    /// The rating is held back by a prior.
    bounded: bool,
}

fn rows(tables: &Tables, anchors: &[(usize, f64)]) -> Vec<Row> {
    let ratings = tables.ratings(anchors);
    let mut rows: Vec<Row> = (0..tables.names().len())
        .map(|player| Row {
            player,
            rating: ratings.elo[player],
            error: ratings.error[player],
            bounded: ratings.bounded,
        })
        .collect();
    rows.sort_by(|a, b| {
        let names = tables.names();
        (b.rating.total_cmp(&a.rating)).then_with(|| names[a.player].cmp(&names[b.player]))
    });
    rows
}

fn as_text(read: &PgnTables, rows: &[Row]) -> String {
    let tables = &read.tables;
    let mut text = String::new();
    let open: u64 = tables.open().values().sum();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{} of {}",
        number_of(tables.games(), "game"),
        number_of(rows.len() as u64, "player")
    );
    for (number, what) in [
        (open, "without a result"),
        (read.unnamed, "without names"),
        (read.repeated, "found in two files and counted once"),
    ] {
        if number > 0 {
            let _ = write!(text, ", {number} {what}");
        }
    }
    text.push_str("\n\n");
    list(&mut text, tables, rows);
    if rows.first().is_some_and(|row| row.bounded) {
        text.push_str(
            "\nA player won or lost everything, or two groups never met: the results alone have\n\
             no best fit, so everybody got half a draw with an average player.\n",
        );
    }
    if let [a, b] = rows {
        two(&mut text, tables, a.player, b.player);
    } else if rows.len() <= WIDEST_TABLE {
        text.push('\n');
        let order: Vec<usize> = rows.iter().map(|row| row.player).collect();
        text.push_str(&tables.cross_table_in(&order));
    }
    endings(&mut text, tables, rows);
    effort(&mut text, tables, rows);
    text
}

fn name_width(tables: &Tables) -> usize {
    let widest = tables.names().iter().map(|name| name.chars().count()).max();
    widest.unwrap_or(0).clamp(6, 40)
}

fn list(text: &mut String, tables: &Tables, rows: &[Row]) {
    let width = name_width(tables);
    let _ = writeln!(
        text,
        "{:>3} {:<width$} {:>8} {:>7} {:>8} {:>6} {:>7} {:>7} {:>7} {:>7}",
        "#", "player", "rating", "+/-", "points", "games", "score", "draws", "white", "black"
    );
    for (place, row) in rows.iter().enumerate() {
        let total = tables.total(row.player).tally;
        let percent = |part: f64, of: u64| match of {
            0 => "-".into(),
            of => format!("{:.1}%", 100.0 * part / of as f64),
        };
        let colour = |side| {
            let tally = tables.with_colour(row.player, side);
            percent(tally.points(), tally.games())
        };
        let _ = writeln!(
            text,
            "{:>3} {:<width$} {:>8} {:>7} {:>8} {:>6} {:>7} {:>7} {:>7} {:>7}",
            place + 1,
            cut(&tables.names()[row.player], width),
            figure(row.rating, 1),
            figure(if alike(total) { f64::NAN } else { row.error }, 1),
            format!("{:.1}", total.points()),
            total.games(),
            percent(total.points(), total.games()),
            percent(total.draws as f64, total.games()),
            colour(Side::White),
            colour(Side::Black),
        );
    }
}

/// Whether all games of a player ended alike: then there is a rating only because
/// of the prior, and no error to speak of.
const fn alike(tally: Tally) -> bool {
    let games = tally.games();
    tally.wins == games || tally.losses == games
}

/// What is known about two players.
fn two(text: &mut String, tables: &Tables, a: usize, b: usize) {
    let meeting = tables.meeting(a, b);
    let names = tables.names();
    let _ = writeln!(text, "\n{} against {}", names[a], names[b]);
    let line = |text: &mut String, what: &str, drawn: &str, e: &Estimate| {
        let _ = writeln!(
            text,
            "  {what}: {}, {drawn} {} %",
            figure::elo(e),
            figure(100.0 * e.draw_ratio, 1)
        );
        if let Some(warning) = figure::vague(e) {
            let _ = writeln!(text, "    ({warning})");
        }
    };
    let tally = meeting.tally;
    let what = format!("games +{} ={} -{}", tally.wins, tally.draws, tally.losses);
    line(text, &what, "draws", &Estimate::of(&tally));
    if meeting.pairs.pairs() > 0 {
        let what = format!("pairs {:?}", meeting.pairs.0);
        line(
            text,
            &what,
            "level pairs",
            &Estimate::of_pairs(&meeting.pairs),
        );
        let left = tally.games() - 2 * meeting.pairs.pairs();
        match left {
            0 => {}
            1 => text.push_str("  1 game belongs to no pair\n"),
            _ => {
                let _ = writeln!(text, "  {left} games belong to no pair");
            }
        }
    }
}

fn endings(text: &mut String, tables: &Tables, rows: &[Row]) {
    let width = name_width(tables);
    text.push_str("\nhow games ended (won, drawn, lost)\n");
    for row in rows {
        let Some(ways) = tables.terminations(row.player) else {
            continue;
        };
        let words: Vec<String> = ways
            .iter()
            .map(|(word, t)| format!("{word} {}/{}/{}", t.wins, t.draws, t.losses))
            .collect();
        let name = cut(&tables.names()[row.player], width);
        let _ = writeln!(text, "  {name:<width$} {}", words.join(", "));
    }
    for (word, number) in tables.open() {
        let _ = writeln!(text, "  {number} without a result: {word}");
    }
}

fn effort(text: &mut String, tables: &Tables, rows: &[Row]) {
    let width = name_width(tables);
    let known = |row: &&Row| {
        let effort = tables.effort(row.player);
        effort.timed > 0 || effort.with_depth > 0
    };
    let mut rows = rows.iter().filter(known).peekable();
    if rows.peek().is_none() {
        return;
    }
    text.push_str("\nhow they played (averages of a move)\n");
    let number = |number: Option<f64>, decimals: usize| {
        number.map_or_else(|| "-".into(), |number| format!("{number:.decimals$}"))
    };
    for row in rows {
        let effort = tables.effort(row.player);
        let _ = writeln!(
            text,
            "  {:<width$} {:>9} moves {:>9} s {:>6} deep {:>10} nodes/s",
            cut(&tables.names()[row.player], width),
            effort.moves,
            number(effort.seconds_per_move(), 3),
            number(effort.average_depth(), 1),
            number(effort.nps(), 0),
        );
    }
}

/// Numbers that JSON has no word for become `null`.
fn as_json(read: &PgnTables, rows: &[Row]) -> Value {
    let tables = &read.tables;
    let names = tables.names();
    let players: Vec<Value> = rows
        .iter()
        .map(|row| {
            let total = tables.total(row.player);
            let effort = tables.effort(row.player);
            json!({
                "name": names[row.player],
                "rating": row.rating,
                "error": (!alike(total.tally)).then_some(row.error),
                "games": total.tally.games(),
                "points": total.tally.points(),
                "wdl": total.tally,
                "pairs": total.pairs,
                "white": tables.with_colour(row.player, Side::White),
                "black": tables.with_colour(row.player, Side::Black),
                "terminations": tables.terminations(row.player),
                "effort": effort.averages(),
            })
        })
        .collect();
    let mut meetings = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[i + 1..] {
            let meeting = tables.meeting(a.player, b.player);
            if meeting.tally.games() == 0 {
                continue;
            }
            let pairs = (meeting.pairs.pairs() > 0).then(|| Estimate::of_pairs(&meeting.pairs));
            meetings.push(json!({
                "players": [names[a.player], names[b.player]],
                "wdl": meeting.tally,
                "estimate": Estimate::of(&meeting.tally),
                "pairs": meeting.pairs,
                "pairs_estimate": pairs,
            }));
        }
    }
    json!({
        "games": tables.games(),
        "open": tables.open(),
        "unnamed": read.unnamed,
        "repeated": read.repeated,
        "bounded": rows.first().is_some_and(|row| row.bounded),
        "players": players,
        "meetings": meetings,
    })
}
