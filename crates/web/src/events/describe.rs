//! From a form to the description of an event.

use std::fs;
use std::path::Path;
use std::time::Duration;

use quadrille_desk::wire::{NewEvent, TimeSetting};
use quadrille_games::{AnyLine, Game};
use quadrille_match::config::{
    Arguments, Clock, Draft, EngineDraft, Format, GameWord, MatchConfig, OpeningFormat,
    OpeningOrder, OpeningSource, Period, Settings, TimeControl, games_at_once,
};
use quadrille_match::openings::Openings;
use quadrille_match::stats::SprtConfig;

use crate::engines::EngineRecord;

/// The most that a form may ask for.
const MOST_ENGINES: usize = 100;
const MOST_ROUNDS: u32 = 100_000;
const LONGEST_OPENINGS: usize = 1 << 20;
/// Plies of random openings, where none are given.
const RANDOM_PLIES: u32 = 8;

/// The description of an event, with its openings in a file beside `store`.
pub(super) fn describe(
    new: &NewEvent,
    engines: &[EngineRecord],
    store: &Path,
) -> Result<MatchConfig, String> {
    if engines.len() < 2 || engines.len() > MOST_ENGINES {
        return Err(format!("choose from 2 to {MOST_ENGINES} engines"));
    }
    let game = new.start.game;
    if let Some(other) = engines.iter().find(|engine| !engine.games.contains(&game)) {
        return Err(format!("{} does not play {game}", other.shown_name()));
    }
    let sprt = new.format == "sprt";
    if sprt && engines.len() != 2 {
        return Err("a test is between two engines".into());
    }
    let draft = Draft {
        event: Some(name_of(&new.name)),
        game: Some(GameWord(game)),
        rules: Some(new.start.rules.clone()).filter(|rules| !rules.is_empty()),
        tournament: Some(format_of(&new.format)?),
        rounds: Some(new.rounds.clamp(1, MOST_ROUNDS)),
        games: Some(new.games.clamp(1, 1000)),
        repeat: new.games.is_multiple_of(2).then_some(2),
        openings: Some(openings(new, store)?),
        concurrency: Some(games_at_once(i64::from(new.concurrency.max(1))) as i64),
        sprt: sprt.then(|| test(new.sprt)),
        recover: Some(true),
        each: EngineDraft {
            tc: Some(time_control(new.time)?),
            ..EngineDraft::default()
        },
        engines: drafts(engines),
        ..Draft::default()
    };
    draft.finish().map_err(|error| error.to_string())
}

fn name_of(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    match name.trim() {
        "" => "Tournament".into(),
        name => name.into(),
    }
}

fn format_of(word: &str) -> Result<Format, String> {
    match word {
        "round-robin" | "sprt" => Ok(Format::RoundRobin),
        "gauntlet" => Ok(Format::Gauntlet),
        "knockout" => Ok(Format::Knockout),
        "swiss" => Ok(Format::Swiss),
        other => Err(format!(
            "there is no format {other:?}: choose round-robin, gauntlet, knockout, swiss or sprt"
        )),
    }
}

fn test(hypotheses: Option<(f64, f64)>) -> SprtConfig {
    let (elo0, elo1) = hypotheses.unwrap_or((0.0, 5.0));
    SprtConfig {
        elo0,
        elo1,
        ..SprtConfig::default()
    }
}

/// Players must have names of their own.
fn drafts(engines: &[EngineRecord]) -> Vec<EngineDraft> {
    let mut names: Vec<String> = Vec::new();
    let draft = |record: &EngineRecord| {
        let plain = record.shown_name();
        let mut name = plain.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{plain} {number}");
            number += 1;
        }
        names.push(name.clone());
        let options = record.set.iter();
        let options = options.map(|(name, value)| (name.clone(), Some(value.clone())));
        EngineDraft {
            name: Some(name),
            cmd: Some(match record.builtin {
                Some(game) => format!("builtin:{game}").into(),
                None => record.command.clone().into(),
            }),
            args: Some(Arguments::List(record.args.clone())),
            dir: record.folder.clone().map(Into::into),
            init: Some(record.init.clone()).filter(|lines| !lines.is_empty()),
            registration: record.registration.clone(),
            options: Settings(options.collect()),
            ..EngineDraft::default()
        }
    };
    engines.iter().map(draft).collect()
}

pub(super) fn time_control(time: TimeSetting) -> Result<TimeControl, String> {
    let millis = |ms: f64| {
        // What is less cannot be written down.
        let usable = ms == 0.0 || ms >= 1.0;
        if usable && (0.0..=86_400_000.0 * 7.0).contains(&ms) {
            Ok(Duration::from_micros((ms * 1000.0) as u64))
        } else {
            Err(format!(
                "{ms} ms is no time to play with: from 1 ms to a week"
            ))
        }
    };
    match time {
        TimeSetting::Unlimited { engine: 0.0 }
        | TimeSetting::PerMove { each: 0.0 }
        | TimeSetting::Clock {
            base: 0.0,
            increment: 0.0,
            ..
        } => Err("there must be some time to think".into()),
        TimeSetting::Unlimited { engine: each } | TimeSetting::PerMove { each } => {
            Ok(TimeControl::per_move(millis(each)?))
        }
        TimeSetting::Clock {
            base,
            increment,
            moves,
        } => Ok(TimeControl {
            clock: Clock::Periods(vec![Period {
                moves: (moves > 0).then_some(moves),
                time: millis(base)?,
                increment: millis(increment)?,
            }]),
            ..TimeControl::default()
        }),
    }
}

/// What the form says about openings: a file of positions or of moves is written,
/// a single position likewise.
fn openings(new: &NewEvent, store: &Path) -> Result<OpeningSource, String> {
    let (game, rules) = (new.start.game, &new.start.rules);
    let text = new.openings.trim();
    if text.len() > LONGEST_OPENINGS {
        return Err("the list of openings is too long: 1 MiB at most".into());
    }
    let position = new.start.position.trim();
    let (text, format) = match (text, position) {
        ("", "") => return Ok(by_lot(game)),
        ("", position) => {
            let line = AnyLine::new(game, rules, position).map_err(|error| error.to_string())?;
            (line.start_text(), OpeningFormat::Fen)
        }
        (text, _) => {
            let first = text.lines().next().unwrap_or_default();
            let is_position = AnyLine::new(game, rules, first.trim()).is_ok();
            let format = if is_position {
                OpeningFormat::Fen
            } else {
                OpeningFormat::Moves
            };
            (text.to_owned(), format)
        }
    };
    let file = store.with_extension("openings");
    fs::write(&file, text + "\n").map_err(|error| format!("{}: {error}", file.display()))?;
    let source = OpeningSource {
        file: Some(file.clone()),
        format,
        start: 1,
        ..OpeningSource::default()
    };
    // A mistake is told where it can still be mended.
    if let Err(error) = Openings::load(&source, game, rules, 0) {
        let _ = fs::remove_file(&file);
        let place = format!("{}:", file.display());
        return Err(error.to_string().replace(&place, "openings, line "));
    }
    Ok(source)
}

fn by_lot(game: Game) -> OpeningSource {
    OpeningSource {
        format: match game {
            Game::Gyges => OpeningFormat::GygesRows,
            _ => OpeningFormat::Random,
        },
        order: OpeningOrder::Random,
        plies: (game != Game::Gyges).then_some(RANDOM_PLIES),
        start: 1,
        ..OpeningSource::default()
    }
}
