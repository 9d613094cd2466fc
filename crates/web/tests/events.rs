//! Events that are taken off the list.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::engines::{PLAIN, new, script};
use crate::support::{Page, Running, usual};

fn begun(page: &mut Page, engines: &[&Value], name: &str) -> Value {
    page.ask(json!({"ask": "new-event", "event": {
        "name": name, "start": usual("chess"), "engines": engines, "format": "round-robin",
        "rounds": 1, "games": 2, "time": {"time": "per-move", "each": 60_000},
        "concurrency": 1, "openings": "", "sprt": null}}))
}

fn forget(event: &Value) -> Value {
    json!({"ask": "forget-event", "event": event})
}

fn topic(event: &Value) -> Value {
    json!({"topic": "event", "id": event})
}

#[test]
fn an_event_is_forgotten_with_its_file_and_a_foreign_one_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let running = Running::start(&data);
    let mut page = running.page();
    let quick = page.ask(new(&script(folder.path(), "", PLAIN)));
    let other = json!({"ask": "change-engine", "engine": quick, "change": {"change": "duplicate"}});
    let other = page.ask(other);
    // They always play e2e4, which ends a game with the first move of Black.
    let over = begun(&mut page, &[&quick, &other], "over");
    page.see(topic(&over), |view| {
        view["info"]["finished"] == 2 && view["info"]["running"] == false
    });
    let store = |n: u32| data.join(format!("events/event-{n}.db"));
    let stores = || fs::read_dir(data.join("events")).expect("events").count();
    assert!(store(1).exists(), "{:?}", fs::read_dir(data.join("events")));

    let foreign = folder.path().join("foreign.db");
    fs::copy(store(1), &foreign).expect("a copy");
    // The server still reads it: the newest may stand in the log beside it.
    let log = |store: &Path| PathBuf::from(format!("{}-wal", store.display()));
    let _ = fs::copy(log(&store(1)), log(&foreign));
    let watched = page.ask(json!({"ask": "attach-event", "path": foreign}));
    let view = page.see(topic(&watched), |view| view["attached"] == true);
    assert_eq!(view["info"]["name"], "over");
    page.ask(forget(&watched));
    assert!(foreign.exists());

    page.ask(forget(&over));
    assert_eq!(stores(), 0);
    let (code, _) = page.refused(forget(&over));
    assert_eq!(code, "value");

    let silent = folder.path().join("silent");
    fs::create_dir(&silent).expect("a folder");
    let silent = page.ask(new(&script(&silent, "", ":")));
    let long = begun(&mut page, &[&silent, &quick], "long");
    page.see(topic(&long), |view| view["info"]["running"] == true);
    let (_, words) = page.refused(forget(&long));
    assert!(words.contains("stop it first"), "{words}");
    page.ask(json!({"ask": "control-event", "event": long, "command": "abort"}));
    page.see(topic(&long), |view| view["info"]["running"] == false);
    page.ask(forget(&long));
    assert_eq!(stores(), 0);

    drop((page, running));
    let running = Running::start(&data);
    let events = running.page().see(json!({"topic": "events"}), |_| true);
    assert_eq!(events, json!([]));
}
