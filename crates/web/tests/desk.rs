//! What is done on the page is there again after a restart.

use serde_json::json;

use crate::support::{Running, server, usual};

#[test]
fn a_restart_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::start(folder.path());
    let mut page = running.page();
    let run = page.hello["run"].clone();
    let study = page.ask(json!({"ask": "new-study", "start": usual("leiser"), "title": "Mine"}));
    let moves = page.ask(json!({"ask": "position", "start": usual("leiser")}))["moves"].clone();
    let text = moves[0]["text"].clone();
    let node = page.ask(json!({"ask": "play", "study": study, "node": 0, "text": text}));
    let seats = json!([{"seat": "person", "name": "Ann"}, {"seat": "person", "name": "Bob"}]);
    let time = json!({"time": "clock", "base": 600_000.0, "increment": 0.0, "moves": 0});
    let table = json!({"start": usual("chess"), "seats": seats, "time": time});
    let table = page.ask(json!({"ask": "new-table", "table": table}));
    for (ply, text) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
        let action = json!({"do": "move", "text": text, "ply": ply});
        page.ask(json!({"ask": "act", "table": table, "action": action}));
    }
    page.ask(json!({"ask": "remember", "name": "theme", "value": "\"dark\""}));
    let change = json!({"change": "name", "name": "Rook and roll"});
    page.ask(json!({"ask": "change-engine", "engine": 2, "change": change}));
    drop(page);
    drop(running);

    let running = Running::start(folder.path());
    let mut page = running.page();
    assert_ne!(page.hello["run"], run, "versions begin anew");
    let view = page.see(json!({"topic": "study", "id": study}), |_| true);
    assert_eq!(view["title"], "Mine");
    assert_eq!(view["nodes"][1]["id"], node);
    assert_eq!(view["nodes"][1]["text"], text);
    let view = page.see(json!({"topic": "table", "id": table}), |_| true);
    let plies: Vec<_> = view["plies"].as_array().expect("moves").iter().collect();
    assert_eq!(plies.len(), 3);
    assert_eq!(view["seats"][1]["name"], "Bob");
    let settings = page.see(json!({"topic": "settings"}), |_| true);
    assert_eq!(settings, json!([["theme", "\"dark\""]]));
    let engines = page.see(json!({"topic": "engines"}), |_| true);
    assert_eq!(engines["engines"][1]["name"], "Rook and roll");
    let action = json!({"do": "move", "text": "b8c6", "ply": 3});
    page.ask(json!({"ask": "act", "table": table, "action": action}));
}

#[test]
fn one_process_has_a_folder() {
    let (folder, running) = server();
    let options = quadrille_web::Options::new(folder.path(), "none");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let second = runtime.block_on(quadrille_web::Server::start(options));
    let error = second.expect_err("it is taken").to_string();
    assert!(
        error.contains("in use") && error.contains(&running.address),
        "{error}"
    );
}

#[test]
fn a_page_that_comes_again_hears_only_what_is_newer() {
    let (_folder, running) = server();
    let mut page = running.page();
    page.follow(&json!({"topic": "engines"}));
    let version = page.hear()["version"].clone();
    let again = json!({"say": "follow", "topic": {"topic": "engines"}, "version": version});
    page.say(&again.to_string());
    let old = json!({"say": "follow", "topic": {"topic": "engines"}, "version": 0});
    page.say(&old.to_string());
    assert_eq!(page.hear()["version"], version, "one answer to both");
    page.say("{");
    assert_eq!(page.hear()["say"], "refused");
}
