//! `quadrille event`: what is in the store of a match.

use core::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use quadrille_cluster::{DOUBTED, Doubted};
use quadrille_match::record::{Form, pgn_style};
use quadrille_match::referee::Ply;
use quadrille_match::store::{GameRow, GameState};
use quadrille_match::tournament::{Archive, EventState, ExportError, MatchEvent};

use quadrille_net::sanitize::printable;

use crate::failure::Failure;
use crate::match_command::report;
use crate::served;

/// Games that are listed when none are asked for: the last ones.
pub(crate) const LAST: usize = 10;

/// Arguments of `quadrille event`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The store of a match or of a server: over, interrupted or running
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// One game: its moves and its last position
    #[arg(long, value_name = "N", conflicts_with_all = ["pgn", "epd", "json", "games"])]
    game: Option<u64>,

    /// List all games, not only the last
    #[arg(long, conflicts_with_all = ["pgn", "epd", "json"])]
    games: bool,

    /// Write all finished games, as -pgnout would; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Write all final positions, as -epdout would; `-` is standard output
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,

    /// Everything as JSON, one event on a line, as `match --json` told it
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    one_stream(arguments)?;
    // Looking into a file makes the log that it lacks.
    let warning = quadrille_server::serve::log_warning(&arguments.store);
    if quadrille_server::store::is_server(&arguments.store) {
        served::warn(warning);
        let pgn = arguments.pgn.as_deref();
        if arguments.json || arguments.epd.is_some() {
            return Err(Failure::input(
                "of a server's file only --games, --game and --pgn can be asked",
            ));
        }
        return served::run(&arguments.store, arguments.game, arguments.games, pgn);
    }
    let archive = Archive::open(&arguments.store).map_err(Failure::input)?;
    let outputs = [
        (
            &arguments.pgn,
            Form::Pgn(pgn_style(&archive.config().output)),
        ),
        (&arguments.epd, Form::Epd),
    ];
    let mut exported = arguments.json;
    for (path, form) in outputs {
        if let Some(path) = path {
            export(&archive, form, path)?;
            exported = true;
        }
    }
    if arguments.json {
        replay(&archive)?;
    }
    match arguments.game {
        _ if exported => Ok(String::new()),
        Some(number) => one_game(&archive, number),
        None => overview(&archive, arguments.games),
    }
}

/// Two things on standard output would be a mixture of both.
fn one_stream(arguments: &Arguments) -> Result<(), Failure> {
    let dash = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let streams = [dash(&arguments.pgn), dash(&arguments.epd), arguments.json];
    if streams.into_iter().filter(|wanted| *wanted).count() > 1 {
        let failure =
            Failure::input("only one of --pgn -, --epd - and --json can go to standard output");
        return Err(failure.hint("name a file for the others"));
    }
    Ok(())
}

fn export(archive: &Archive, form: Form, path: &Path) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = BufWriter::new(io::stdout().lock());
        return told(archive.export(form, &mut out));
    }
    // Nothing is written over: these games are in the store anyway.
    let file = File::create_new(path).map_err(|error| {
        let failure = Failure::input(format!("{} cannot be made: {error}", path.display()));
        match error.kind() {
            io::ErrorKind::AlreadyExists => failure.hint("name a file that is not there yet"),
            _ => failure,
        }
    })?;
    let mut out = BufWriter::new(file);
    archive.export(form, &mut out).map_err(Failure::machine)
}

/// A reader that has gone away wants no more.
fn told(result: Result<(), ExportError>) -> Result<(), Failure> {
    match result {
        Err(ExportError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::machine),
    }
}

fn replay(archive: &Archive) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut tell = |event: &MatchEvent| {
        let text = serde_json::to_string(event).map_err(io::Error::other)?;
        writeln!(out, "{text}")
    };
    let result = archive.replay(&mut tell);
    told(result.and_then(|()| Ok(out.flush()?)))
}

fn overview(archive: &Archive, all: bool) -> Result<String, Failure> {
    let mut text = description(archive)?;
    let results = archive.results();
    if results.standing().finished > 0 {
        text.push('\n');
        text.push_str(&report::score_lines(results.standing()));
        text.push_str(&report::rating_lines(results));
        if results.names().len() > 2 {
            let _ = write!(text, "\n{}", results.tables.cross_table());
        }
        text.push_str(&report::endings(results));
        text.push_str(&report::efforts(results));
        text.push_str(&report::findings(results));
    }
    let games = archive.games().map_err(Failure::machine)?;
    let shown = if all { games.len() } else { LAST };
    let skipped = games.len().saturating_sub(shown);
    if !games.is_empty() {
        text.push_str("\nGames\n");
    }
    for game in &games[skipped..] {
        text.push_str(&game_line(archive, game)?);
    }
    if skipped > 0 {
        let _ = writeln!(
            text,
            "  ({skipped} before them: --games lists all, --game N shows one)"
        );
    }
    Ok(printable(&text).into_owned())
}

/// What the event is, and where it stands.
fn description(archive: &Archive) -> Result<String, Failure> {
    let config = archive.config();
    let standing = archive.results().standing();
    let mut text = String::new();
    let mut fact = |name: &str, value: &dyn core::fmt::Display| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<9} {value}");
    };
    fact("event", &config.output.event);
    let rules = match config.rules.rules.as_str() {
        "" => String::new(),
        rules => format!(" ({rules})"),
    };
    fact("game", &format!("{}{rules}", config.rules.game));
    for (entrant, player) in config
        .engines
        .iter()
        .zip(archive.players().map_err(Failure::machine)?)
    {
        let own = match player.engine {
            Some(engine) if engine != player.name => format!(" ({engine})"),
            _ => String::new(),
        };
        fact("player", &format!("{}{own}, {}", player.name, entrant.time));
    }
    let plan = format!(
        "{}, {} rounds, {} games each, seed {}",
        config.schedule.format, config.schedule.rounds, config.schedule.games, config.schedule.seed
    );
    fact("plan", &plan);
    let openings = match &config.schedule.openings.file {
        Some(file) => format!("{} ({})", file.display(), config.schedule.openings.format),
        None => config.schedule.openings.format.to_string(),
    };
    fact("openings", &openings);
    let event = archive.event();
    fact("begun", &format!("{} by {}", event.created, event.program));
    for change in archive.changes().map_err(Failure::machine)? {
        fact("changed", &format!("{} {}", change.when, change.what));
    }
    let games = match standing.games {
        Some(games) => format!("{} of {games} games finished", standing.finished),
        None => format!("{} games finished", standing.finished),
    };
    let state = match archive.state() {
        EventState::Over => "over".into(),
        EventState::Interrupted => format!(
            "interrupted; go on with quadrille match --resume {}",
            archive.path().display()
        ),
        EventState::Running(Some(runner)) => format!("run by {runner}"),
        EventState::Running(None) => "running".into(),
    };
    fact("state", &format!("{games}, {state}"));
    let note = archive.note(DOUBTED).map_err(Failure::machine)?;
    for doubted in note.as_deref().map(Doubted::read).unwrap_or_default() {
        let numbers: Vec<String> = doubted.games.iter().map(u64::to_string).collect();
        let words = format!(
            "{} games of worker {}, which was set aside after they counted: {}; {}",
            numbers.len(),
            doubted.worker,
            numbers.join(", "),
            doubted.reason
        );
        fact("doubted", &words);
    }
    Ok(text)
}

fn names<'a>(archive: &'a Archive, game: &GameRow) -> [&'a str; 2] {
    let name = |player: usize| {
        let names = archive.results().names();
        names.get(player).map_or("?", String::as_str)
    };
    game.new.players.map(name)
}

fn game_line(archive: &Archive, game: &GameRow) -> Result<String, Failure> {
    let number = game.new.number;
    let plies = archive.plies(number).map_err(Failure::machine)?;
    let [white, black] = names(archive, game);
    let (result, rest) = ending(game);
    Ok(format!(
        "{number:>6} {white} - {black} {result} {plies} plies, {rest}\n"
    ))
}

/// The result, and how long it took and why.
fn ending(game: &GameRow) -> (&'static str, String) {
    match (&game.end, game.state) {
        (Some(end), _) => {
            let seconds = end.duration_us as f64 / 1e6;
            let place = match &end.played_at {
                None => String::new(),
                Some(at) if at.permille == 1000 => format!(", on {}", printable(&at.worker)),
                Some(at) => format!(
                    ", on {} with {:.3} times the time",
                    printable(&at.worker),
                    f64::from(at.permille) / 1000.0
                ),
            };
            (
                end.ending.result.word(),
                format!("{seconds:.1} s{place}, {}", end.ending),
            )
        }
        (None, GameState::Running) => ("*", format!("since {}", game.new.started)),
        (None, _) => ("*", "given up, to be played again".into()),
    }
}

fn one_game(archive: &Archive, number: u64) -> Result<String, Failure> {
    let found = archive.game(number).map_err(Failure::machine)?;
    let Some((game, plies, line)) = found else {
        let known = archive.games().map_err(Failure::machine)?;
        let last = known.last().map_or(0, |game| game.new.number);
        let failure = Failure::input(format!("there is no game {number} in this store"));
        return Err(failure.hint(format!("the last that was begun is game {last}")));
    };
    let [white, black] = names(archive, &game);
    let (result, rest) = ending(&game);
    let mut text = format!(
        "Game {number}, round {}: {white} - {black} {result}, {rest}\n",
        game.new.round
    );
    let _ = writeln!(
        text,
        "opening   {}\nstart     {}\n",
        game.new.label, game.new.start
    );
    for (index, ply) in plies.iter().enumerate() {
        let _ = writeln!(text, "{:>5} {}", index + 1, ply_line(ply));
    }
    let _ = write!(text, "\n{}", line.draw());
    let _ = writeln!(text, "\n{}", line.position_text());
    for finding in game.end.iter().flat_map(|end| &end.findings) {
        let who = finding
            .side
            .map_or("?", |side| names(archive, &game)[side.index()]);
        let _ = writeln!(text, "{who}: {finding}");
    }
    Ok(printable(&text).into_owned())
}

pub(crate) fn ply_line(ply: &Ply) -> String {
    if ply.book {
        return format!("{:<8} book", ply.notation);
    }
    let score = ply.score.map(|score| score.to_string()).unwrap_or_default();
    let depth = ply
        .depth
        .map(|depth| format!("depth {depth}"))
        .unwrap_or_default();
    let mut text = format!(
        "{:<8} {score:>8} {depth:<9} {:>9.3} s",
        ply.notation,
        ply.elapsed.as_secs_f64()
    );
    if let Some(clock) = ply.clock_us {
        let _ = write!(text, ", {:.3} s left", clock as f64 / 1e6);
    }
    text
}
