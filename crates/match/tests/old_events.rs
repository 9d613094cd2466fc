//! Events that an earlier version wrote, see `data/2bf7105/README.md`: they open, say what
//! they said, and can be changed.

use std::fs;
use std::path::Path;
use std::time::Duration;

use quadrille_match::config::{
    Changes, ClockMode, Format, LogLevel, MatchConfig, Notation, OpeningPolicy, TablebaseScope,
};
use quadrille_match::record::{Form, pgn_style};
use quadrille_match::tournament::{Archive, EventState, Tournament};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The description that the event keeps.
fn kept(archive: &Archive) -> Value {
    serde_json::from_str(&archive.event().config).expect("JSON")
}

fn full() -> Value {
    serde_json::from_str(include_str!("data/2bf7105/full.json")).expect("JSON")
}

#[test]
fn an_old_event_opens_and_can_be_changed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    fs::write(&path, include_bytes!("data/2bf7105/event.db")).unwrap();

    let archive = Archive::open(&path).unwrap();
    let config = archive.config();
    assert_eq!(
        config.engines[1].time.to_string(),
        "40/60+0.5 nodes=50 depth=2"
    );
    let rules = &config.rules;
    assert_eq!(rules.resign.map(|rule| rule.score), Some(600));
    assert_eq!(rules.draw.map(|rule| rule.movenumber), Some(30));
    assert_eq!((rules.max_moves, rules.clock), (Some(3), ClockMode::Fair));
    let schedule = &config.schedule;
    assert_eq!((schedule.rounds, schedule.games, schedule.seed), (3, 2, 7));
    assert_eq!(schedule.openings.policy, OpeningPolicy::Round);
    assert_eq!(schedule.sprt.map(|test| test.elo1), Some(5.0));
    let machine = &config.machine;
    assert!(machine.recover && machine.affinity && !machine.force_concurrency);
    assert_eq!(machine.processors, [0, 1]);
    assert_eq!(machine.wait, Duration::from_millis(1));
    let output = &config.output;
    assert_eq!(
        (output.event.as_str(), output.site.as_str()),
        ("Old", "here")
    );
    assert_eq!((output.rating_interval, output.score_interval), (4, 2));
    assert!(output.strict && output.show_latency);
    assert_eq!(
        output.pgn.as_ref().map(|pgn| pgn.notation),
        Some(Notation::Uci)
    );

    assert_eq!(archive.results().standing().finished, 3);
    assert_eq!(archive.state(), EventState::Interrupted);
    let mut games = Vec::new();
    let form = Form::Pgn(pgn_style(output));
    archive.export(form, &mut games).unwrap();
    let games = String::from_utf8(games).unwrap();
    assert_eq!(games, include_str!("data/2bf7105/games.pgn"));
    let before = kept(&archive);
    drop(archive);

    // A change writes the whole description again, and only that differs.
    let mut event = Tournament::resume(&path).unwrap();
    assert_eq!(event.names(), ["one", "two"]);
    let changes = Changes {
        rounds: Some(4),
        ..Changes::default()
    };
    event.change(&changes).unwrap();
    drop(event);
    let mut expected = before;
    expected["rounds"] = 4.into();
    assert_eq!(kept(&Archive::open(&path).unwrap()), expected);
}

#[test]
fn an_old_description_is_read_and_written_as_it_was() {
    let config: MatchConfig = serde_json::from_value(full()).unwrap();
    assert_eq!(config.rules.rules, "chess960");
    assert_eq!(config.rules.clock, ClockMode::Wall);
    let tables = config.rules.tablebases.as_ref().expect("tables");
    assert_eq!(tables.adjudicate, TablebaseScope::WinLoss);
    assert_eq!(
        (config.schedule.format, config.schedule.seeds),
        (Format::Gauntlet, 2)
    );
    assert_eq!(config.schedule.seed, u64::MAX);
    assert!(config.schedule.reverse && config.machine.force_concurrency);
    let log = config.output.log.as_ref().expect("a log");
    assert_eq!(log.level, LogLevel::Info);
    assert_eq!(config.output.store.as_deref(), Some(Path::new("/event.db")));
    assert_eq!(serde_json::to_value(&config).unwrap(), full());
}

#[test]
fn a_description_with_too_much_or_too_little_is_refused() {
    let read = |value: Value| serde_json::from_value::<MatchConfig>(value);
    let mut newer = full();
    newer["increments"] = json!({"white": 1});
    let said = read(newer).unwrap_err().to_string();
    assert!(said.contains("unknown field `increments`"), "{said}");
    // The names of the parts are none of the fields.
    for part in ["rules", "schedule", "machine", "output"] {
        let mut nested = full();
        nested[part] = json!({"rounds": 1});
        assert!(read(nested).is_err(), "{part}");
    }
    // What 2bf7105 did without may be missing, as it could be then.
    let may_be_missing = [
        "resign",
        "draw",
        "max_moves",
        "tablebases",
        "sprt",
        "force_concurrency",
        "clock",
        "pgn",
        "epd",
        "log",
        "store",
    ];
    let names: Vec<String> = full().as_object().unwrap().keys().cloned().collect();
    assert_eq!(names.len(), 35);
    for name in names {
        let mut less = full();
        less.as_object_mut().unwrap().remove(&name);
        let read = read(less);
        let may = may_be_missing.contains(&name.as_str());
        assert_eq!(read.is_ok(), may, "{name}: {read:?}");
    }
}
