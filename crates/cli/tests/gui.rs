//! `quadrille gui` as a user starts it, with its own engines, killed in the middle of
//! things.

#[path = "../../web/tests/support/client.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use client::{Browser, Page, usual};

/// A server that is killed with this value.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(["gui", "--no-open", "--json", "--port", "0", "--data"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary was built for this test");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let address = said["address"].as_str().expect("an address").to_owned();
        Self { child, address }
    }

    fn page(&self) -> Page {
        Browser::enter(&self.address).page()
    }

    /// As hard as it gets.
    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn table(id: &Value) -> Value {
    json!({"topic": "table", "id": id})
}

fn plies(view: &Value) -> usize {
    view["plies"].as_array().map_or(0, Vec::len)
}

#[test]
fn a_game_against_an_engine_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(folder.path());
    let mut page = program.page();
    let engine = json!({"seat": "engine", "engine": 4, "level": {"level": "step", "of": 1}});
    let seats = json!([{"seat": "person", "name": "Ann"}, engine]);
    let time = json!({"time": "unlimited", "engine": 50.0});
    let new = json!({"start": usual("gyges"), "seats": seats, "time": time});
    let id = page.ask(json!({"ask": "new-table", "table": new}));
    let play = |page: &mut Page, seen: usize| {
        let view = page.see(table(&id), |view| plies(view) == seen);
        let moves = view["board"]["moves"].as_array().expect("moves").clone();
        let quiet = moves.iter().find(|m| m["tactical"] == false);
        let text = quiet.unwrap_or(&moves[0])["text"].clone();
        let action = json!({"do": "move", "text": text, "ply": seen});
        page.ask(json!({"ask": "act", "table": id, "action": action}));
    };
    play(&mut page, 0);
    page.wait(&table(&id), |view| plies(view) == 2);
    program.kill();

    let program = Program::start(folder.path());
    let mut page = program.page();
    let view = page.see(table(&id), |view| plies(view) == 2);
    assert_eq!(view["seats"][0]["name"], "Ann");
    let resume = json!({"ask": "act", "table": id, "action": {"do": "resume"}});
    if view["paused"] == true {
        page.ask(resume);
    }
    if view["end"].is_null() {
        play(&mut page, 2);
        page.wait(&table(&id), |view| plies(view) >= 3);
    }
}

#[test]
fn all_four_engines_think() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(folder.path());
    let mut page = program.page();
    let topic = json!({"topic": "analysis"});
    page.follow(&topic);
    for (engine, game) in ["chess", "liberty", "leiser", "gyges"]
        .into_iter()
        .enumerate()
    {
        let study = page.ask(json!({"ask": "new-study", "start": usual(game), "title": null}));
        let limits = json!({"movetime": null, "depth": 3, "nodes": null});
        let focus = json!({"study": study, "node": 0, "engines": [engine + 1], "lines": 2,
            "limits": limits, "moves": [], "threat": false});
        page.ask(json!({"ask": "analyse", "focus": focus}));
        let done = |news: &Value| news["running"] == false && news["study"] == study;
        let news = page.wait(&topic, |news| done(news) && !news["lines"][0].is_null());
        assert!(news["depth"].as_u64() >= Some(3), "{game}: {news}");
        let moves = news["lines"][0]["moves"].as_array().map_or(0, Vec::len);
        assert!(moves > 0, "{game}: {news}");
    }
}

#[test]
fn a_tournament_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(folder.path());
    let mut page = program.page();
    let change = json!({"change": "duplicate"});
    let second = page.ask(json!({"ask": "change-engine", "engine": 3, "change": change}));
    let event = json!({"name": "Kill", "start": usual("leiser"), "engines": [3, second],
        "format": "round-robin", "rounds": 3, "games": 2, "concurrency": 1, "openings": "", "sprt": null,
        "time": {"time": "clock", "base": 300.0, "increment": 5.0, "moves": 0}});
    let id = page.ask(json!({"ask": "new-event", "event": event}));
    let topic = json!({"topic": "event", "id": id});
    let begun = page.see(topic.clone(), |event| {
        event["info"]["finished"].as_u64() >= Some(1)
    });
    assert_eq!(begun["info"]["games"], 6);
    assert_eq!(begun["elsewhere"], false);
    program.kill();

    let program = Program::start(folder.path());
    let mut page = program.page();
    let over = |event: &Value| event["info"]["finished"] == 6 && event["info"]["running"] == false;
    let event = page.see(topic, over);
    assert_eq!(event["state"], Value::Null);
    assert_eq!(event["games"].as_array().map(Vec::len), Some(6));
    let points: f64 = event["table"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["points"].as_f64())
        .sum();
    assert!((points - 6.0).abs() < 1e-9);
    let pgn = Browser::enter(&program.address).get(&format!("/events/{id}.pgn"));
    assert_eq!(pgn.text().matches("[Event \"Kill\"]").count(), 6);
    let study = page.ask(json!({"ask": "study-event-game", "event": id, "game": 1}));
    let view = page.see(json!({"topic": "study", "id": study}), |_| true);
    assert!(view["nodes"].as_array().map_or(0, Vec::len) > 1);
}

#[test]
fn a_report_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(folder.path());
    let mut page = program.page();
    let text =
        "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n";
    let study = page.ask(json!({"ask": "paste", "text": text, "game": null}))["study"].clone();
    let limits = json!({"movetime": null, "depth": null, "nodes": 20_000.0});
    let report =
        json!({"ask": "report", "study": study, "games": [], "engine": 1, "limits": limits});
    let id = page.ask(report);
    let jobs = json!({"topic": "jobs"});
    page.see(jobs.clone(), |jobs| jobs[0]["done"].as_u64() >= Some(1));
    program.kill();

    let program = Program::start(folder.path());
    let mut page = program.page();
    let view = page.see(jobs, |jobs| jobs[0]["state"] == "done");
    assert_eq!(view[0]["id"], id);
    let topic = json!({"topic": "report", "id": id});
    let report = page.see(topic, |report| !report["players"].is_null());
    assert_eq!(report["positions"].as_array().map(Vec::len), Some(8));
    assert!(
        report["players"][1]["blunders"].as_u64() >= Some(1),
        "{report}"
    );
    assert_eq!(report["positions"][6]["nag"], 4, "3... Nf6?? {report}");
    let pgn = Browser::enter(&program.address)
        .get(&format!("/reports/{id}.pgn"))
        .text();
    assert!(pgn.contains("3... Nf6 $4"), "{pgn}");
}

#[test]
fn a_match_in_a_terminal_is_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("match.db");
    let program = Program::start(&folder.path().join("data"));
    let mut page = program.page();
    let mut playing = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args("match -engine cmd=builtin name=left -engine cmd=builtin name=right -each tc=0.3+0.005 -rounds 4".split(' '))
        .arg("-store")
        .arg(&store)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary was built for this test");
    // The store is there a moment after the match has begun.
    let begun = std::time::Instant::now();
    let id = loop {
        let answer = page.ask_any(json!({"ask": "attach-event", "path": store}));
        if answer["say"] == "answer" {
            break answer["answer"]["of"].clone();
        }
        assert!(begun.elapsed() < client::PATIENCE, "{answer}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let topic = json!({"topic": "event", "id": id});
    let event = page.see(topic.clone(), |_| true);
    assert!(
        event["elsewhere"] == true || event["info"]["running"] == false,
        "{event}"
    );
    assert!(playing.wait().expect("played").success());
    let over = |event: &Value| {
        event["info"]["running"] == false && event["info"]["finished"].as_u64() > Some(0)
    };
    let event = page.see(topic, over);
    assert_eq!(event["table"].as_array().map(Vec::len), Some(2));
    let elsewhere = json!({"ask": "attach-event", "path": "/etc/hosts"});
    assert_eq!(page.refused(elsewhere).0, "value");
}

#[test]
fn a_second_one_says_where_the_first_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(folder.path());
    assert_eq!(Browser::stranger(&program.address).get("/").status, 401);
    let second = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["gui", "--no-open", "--data"])
        .arg(folder.path())
        .output()
        .expect("the binary was built for this test");
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(
        said.contains("in use") && said.contains(&program.address),
        "{said}"
    );
    let listen =
        crate::support::refusal(&["gui", "--no-open", "--data", "x", "--listen", "0.0.0.0"]);
    assert!(listen.contains("set a password"), "{listen}");
    let page = crate::support::refusal(&["gui", "--no-open", "--data", "x", "--page", "nowhere"]);
    assert!(page.contains("--page nowhere"), "{page}");
}
