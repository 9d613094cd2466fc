//! Engines of all kinds, written as small shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Page, Running, server, usual};

/// What an engine of chess says that always plays e2e4; `extra` and `search` are put
/// into its handshake and its answer.
pub(crate) fn script(folder: &Path, extra: &str, search: &str) -> PathBuf {
    let path = folder.join("engine.sh");
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do\ncase \"$word\" in\n\
         uci) echo 'id name Scripted <b>one</b>'; echo 'id author Somebody'\n\
         echo 'option name Hash type spin default 16 min 1 max 64'\n\
         echo 'option name Style type combo default Calm var Calm var Wild'\n\
         echo 'option name Ponder type check default false'\n\
         echo 'option name Book type string default <empty>'\n\
         echo 'option name Tidy up type button'\n\
         echo 'option name UCI_EngineAbout type string default Made of shell'\n\
         {extra}\necho uciok;;\n\
         isready) echo readyok;;\n\
         setoption) echo \"info string set $rest\";;\n\
         go) {search}\n;;\n\
         quit) exit 0;;\nesac\ndone\n"
    );
    fs::write(&path, text).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    path
}

pub(crate) const PLAIN: &str =
    "echo 'info depth 1 score cp 20 nodes 20 pv e2e4 e7e5'; echo 'bestmove e2e4'";

pub(crate) fn new(command: &Path) -> Value {
    json!({"ask": "add-engine", "engine": {
        "command": command, "args": [], "folder": null, "game": null, "name": null}})
}

/// The focus of an analysis of the start position by these engines.
#[expect(
    clippy::needless_pass_by_value,
    reason = "limits are written where they are set"
)]
fn analyse(study: &Value, engine: &Value, limits: Value) -> Value {
    json!({"ask": "analyse", "focus": {"study": study, "node": 0, "engines": [engine], "lines": 1,
        "limits": limits, "moves": [], "threat": false}})
}

fn depth(plies: u32) -> Value {
    json!({"movetime": null, "depth": plies, "nodes": null})
}

fn study(page: &mut Page) -> Value {
    page.ask(json!({"ask": "new-study", "start": usual("chess"), "title": null}))
}

fn engine_of<'v>(engines: &'v Value, id: &Value) -> &'v Value {
    let list = engines["engines"].as_array().expect("engines");
    list.iter()
        .find(|engine| engine["id"] == *id)
        .expect("the engine")
}

#[test]
fn an_engine_is_added_step_by_step_and_set_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::start(folder.path());
    let mut page = running.page();
    page.follow(&json!({"topic": "engines"}));
    let id = page.ask(new(&script(folder.path(), "", PLAIN)));
    let steps = |engines: &Value| {
        let steps = engines["adding"].as_array().expect("steps").iter();
        steps
            .map(|step| (step["step"].clone(), step["done"].clone()))
            .collect::<Vec<_>>()
    };
    let all = ["start", "greet", "options", "ready", "move", "kept"];
    let all = all.map(|step| (json!(step), json!(true)));
    let topic = json!({"topic": "engines"});
    let engines = page.wait(&topic, |engines| steps(engines) == all);
    let engine = engine_of(&engines, &id);
    assert_eq!(engine["name"], "Scripted <b>one</b>");
    assert_eq!(engine["author"], "Somebody");
    assert_eq!(engine["games"], json!(["chess"]));
    assert_eq!(engine["about"], "Made of shell");
    let kinds: Vec<_> = engine["options"]
        .as_array()
        .expect("options")
        .iter()
        .collect();
    let kind = |name: &str| {
        let option = kinds
            .iter()
            .find(|option| option["name"] == name)
            .expect("an option");
        option["kind"]["kind"].clone()
    };
    for (name, word) in [
        ("Hash", "spin"),
        ("Style", "combo"),
        ("Ponder", "check"),
        ("Book", "text"),
        ("Tidy up", "button"),
    ] {
        assert_eq!(kind(name), word, "{name}");
    }
    let change = |change: Value| json!({"ask": "change-engine", "engine": id, "change": change});
    let set =
        |name: &str, value: &str| change(json!({"change": "option", "name": name, "value": value}));
    page.ask(set("Hash", "64"));
    for (name, value) in [
        ("Hash", "65"),
        ("Style", "Odd"),
        ("Ponder", "true"),
        ("None", "1"),
    ] {
        assert_eq!(page.refused(set(name, value)).0, "value", "{name}");
    }
    let copy = page.ask(change(json!({"change": "duplicate"})));
    page.ask(change(json!({"change": "remove"})));
    page.ask(change(json!({"change": "restore"})));
    page.ask(
        json!({"ask": "change-engine", "engine": copy, "change": {"change": "place", "index": 0}}),
    );
    let engines = page.wait(&topic, |engines| engines["engines"][0]["id"] == copy);
    assert_eq!(engines["engines"][0]["name"], "Scripted <b>one</b> 2");
    assert_eq!(engine_of(&engines, &id)["options"][0]["value"], "64");
    drop((page, running));
    let running = Running::start(folder.path());
    let engines = running.page().see(topic, |_| true);
    assert_eq!(engines["engines"][0]["id"], copy);
    assert_eq!(engine_of(&engines, &id)["options"][0]["value"], "64");
}

/// The names of the engines that are no part of the program.
fn added(page: &mut Page) -> Vec<Value> {
    let engines = page.see(json!({"topic": "engines"}), |_| true);
    let list = engines["engines"].as_array().expect("engines").iter();
    let added = list.filter(|engine| engine["builtin"] == false);
    added.map(|engine| engine["name"].clone()).collect()
}

#[test]
fn an_engine_that_dies_when_it_is_to_move_is_not_kept() {
    let (folder, running) = server();
    let mut page = running.page();
    let path = script(folder.path(), "", "exit 7");
    let (code, words) = page.refused(new(&path));
    assert_eq!(code, "engine");
    assert!(words.contains("first move of chess"), "{words}");
    assert!(words.contains("choose that game"), "{words}");
    let mut chosen = new(&path);
    chosen["engine"]["game"] = json!("liberty");
    let (_, words) = page.refused(chosen);
    assert!(words.contains("first move of liberty"), "{words}");
    assert_eq!(added(&mut page), Vec::<Value>::new());
    let engines = page.see(json!({"topic": "engines"}), |_| true);
    let steps = engines["adding"].as_array().expect("steps");
    let last = steps.last().expect("a step");
    assert_eq!(
        (&last["step"], &last["done"]),
        (&json!("move"), &json!(false))
    );
    assert!(steps.iter().all(|step| step["step"] != "kept"), "{steps:?}");
    let before = &steps[..steps.len() - 1];
    assert!(before.iter().all(|step| step["done"] == true), "{steps:?}");
    assert!(
        before.iter().any(|step| step["step"] == "ready"),
        "{steps:?}"
    );
}

#[test]
fn the_first_move_is_under_way_until_it_comes_or_is_waited_for_no_more() {
    let (folder, running) = server();
    let mut page = running.page();
    let topic = json!({"topic": "engines"});
    page.follow(&topic);
    let question = page.ask_later(new(&script(folder.path(), "", ":")));
    let step = |engines: &Value, name: &str| {
        let steps = engines["adding"].as_array().expect("steps");
        let step = steps.iter().find(|step| step["step"] == name);
        step.map(|step| step["done"].clone())
    };
    let engines = page.wait(&topic, |engines| step(engines, "move") == Some(Value::Null));
    assert_eq!(step(&engines, "ready"), Some(json!(true)));
    // One that is silent may be slow, and is kept.
    assert_eq!(page.answer_to(question)["say"], "answer");
    let engines = page.wait(&topic, |engines| step(engines, "kept").is_some());
    assert_eq!(step(&engines, "move"), Some(json!(false)));
}

#[test]
fn an_engine_that_is_found_to_play_leiserchess_is_not_blamed_for_it() {
    let (folder, running) = server();
    let mut page = running.page();
    let id = page.ask(new(&script(folder.path(), "", "echo 'bestmove h4R'")));
    let engines = page.see(json!({"topic": "engines"}), |_| true);
    let engine = engine_of(&engines, &id);
    assert_eq!(engine["games"], json!(["leiser"]));
    assert_eq!(engine["findings"], json!([]));
}

#[test]
fn adding_an_engine_can_be_given_up() {
    let (folder, running) = server();
    let mut page = running.page();
    page.follow(&json!({"topic": "engines"}));
    let pids = folder.path().join("pids");
    let silent = folder.path().join("silent.sh");
    let text = format!(
        "#!/bin/sh\necho $$ >> {}\nwhile read -r line; do :; done\n",
        pids.display()
    );
    fs::write(&silent, text).expect("a file");
    fs::set_permissions(&silent, fs::Permissions::from_mode(0o755)).expect("a program");
    let topic = json!({"topic": "engines"});
    let steps = |engines: &Value| engines["adding"].as_array().expect("steps").clone();
    // Given up: its process ends, its steps are gone, it is not kept.
    let first = page.ask_later(new(&silent));
    page.wait(&topic, |engines| {
        steps(engines).iter().any(|step| step["step"] == "greet")
    });
    page.ask(json!({"ask": "stop-adding"}));
    assert_eq!(page.answer_to(first)["say"], "refused");
    page.wait(&topic, |engines| steps(engines).is_empty());
    // Another one begins while the last is still silent: only its steps are told.
    let second = page.ask_later(new(&silent));
    page.wait(&topic, |engines| {
        steps(engines).iter().any(|step| step["step"] == "greet")
    });
    let id = page.ask(new(&script(folder.path(), "", PLAIN)));
    assert_eq!(page.answer_to(second)["say"], "refused");
    let engines = page.wait(&topic, |engines| {
        steps(engines)
            .last()
            .is_some_and(|step| step["step"] == "kept")
    });
    assert!(
        steps(&engines).iter().all(|step| step["done"] == true),
        "{engines}"
    );
    engine_of(&engines, &id);
    assert_eq!(added(&mut page).len(), 1);
    let pids = fs::read_to_string(pids).expect("numbers");
    for pid in pids.lines() {
        let gone = || !Path::new(&format!("/proc/{pid}")).exists();
        let until = std::time::Instant::now() + crate::support::client::PATIENCE;
        while cfg!(target_os = "linux") && !gone() {
            assert!(std::time::Instant::now() < until, "{pid} still runs");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

#[test]
fn what_cannot_be_an_engine_is_told_in_words() {
    let (folder, running) = server();
    let mut page = running.page();
    let (code, words) = page.refused(new(Path::new("/no/such/engine")));
    assert_eq!(code, "engine");
    assert!(words.contains("cannot start /no/such/engine"), "{words}");
    let dies = folder.path().join("dies.sh");
    fs::write(&dies, "#!/bin/sh\nexit 3\n").expect("a file");
    let (_, words) = page.refused(new(&dies));
    assert!(words.contains("chmod +x"), "{words}");
    fs::set_permissions(&dies, fs::Permissions::from_mode(0o755)).expect("a program");
    let (_, words) = page.refused(new(&dies));
    assert!(words.contains("ended before it was ready"), "{words}");
    let half = folder.path().join("half.sh");
    let text = "#!/bin/sh\nread -r word; echo 'option name Hash type spin default 1 min 1 max 9'\n";
    fs::write(&half, text).expect("a file");
    fs::set_permissions(&half, fs::Permissions::from_mode(0o755)).expect("a program");
    let (_, words) = page.refused(new(&half));
    assert!(words.contains("ended before it was ready"), "{words}");
    let protected = script(
        folder.path(),
        "echo uciok; echo 'copyprotection checking'; echo 'info string no dongle'; echo 'copyprotection error'",
        PLAIN,
    );
    let (_, words) = page.refused(new(&protected));
    assert!(
        words.contains("copy protection") && words.contains("no dongle"),
        "{words}"
    );
    let engines = page.see(json!({"topic": "engines"}), |_| true);
    assert_eq!(
        engines["engines"].as_array().map(Vec::len),
        Some(4),
        "none of them is kept"
    );
}

#[test]
fn lines_are_told_and_the_log_has_both_directions() {
    let (folder, running) = server();
    let browser = running.browser();
    let mut page = browser.page();
    let id = page.ask(new(&script(folder.path(), "", PLAIN)));
    let study = study(&mut page);
    page.follow(&json!({"topic": "analysis"}));
    page.ask(analyse(
        &study,
        &id,
        json!({"movetime": 50.0, "depth": null, "nodes": null}),
    ));
    let topic = json!({"topic": "analysis"});
    let lines = page.wait(&topic, |news| {
        news["lines"][0]["notation"] == json!(["e4", "e5"])
    });
    assert_eq!(lines["lines"][0]["score"]["cp"], 20);
    let log = page.see(json!({"topic": "log", "id": id}), |log| {
        log["lines"]
            .as_array()
            .is_some_and(|lines| lines.iter().any(|l| l["text"] == "bestmove e2e4"))
    });
    let ways: Vec<_> = log["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|l| &l["way"])
        .collect();
    assert!(
        ways.contains(&&json!(">")) && ways.contains(&&json!("<")) && ways.contains(&&json!("#"))
    );
    let file = browser.get(&format!("/log/{id}.txt"));
    assert!(file.text().contains("> go movetime 50"), "{}", file.text());
    assert_eq!(
        file.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    assert!(
        file.header("content-disposition")
            .expect("a file")
            .starts_with("attachment")
    );
}

#[test]
fn hostile_engines_are_shown_inert_and_stop_nobody() {
    let (folder, running) = server();
    let browser = running.browser();
    let mut page = browser.page();
    let flood = "i=0; while [ $i -lt 3000 ]; do \
        echo \"info depth $i score cp $i multipv 999999 pv <script>alert(1)</script>\"; \
        echo \"info depth 5 score cp 5 pv e2e4 <script> e7e5\"; \
        printf 'info string \\033[2J<img src=x onerror=alert(1)>\\r\\n'; \
        i=$((i+1)); done; head -c 300000 /dev/zero | tr '\\0' 'x'; echo; echo 'bestmove e2e4'";
    let id = page.ask(new(&script(
        folder.path(),
        "echo 'option name <script> type combo default \"><svg var x'",
        flood,
    )));
    let study = study(&mut page);
    let topic = json!({"topic": "analysis"});
    page.follow(&topic);
    page.ask(analyse(&study, &id, depth(9)));
    let over = |news: &Value| {
        news["running"] == false && news["lines"].as_array().is_some_and(|l| !l.is_empty())
    };
    let lines = page.wait(&topic, over);
    assert_eq!(lines["lines"].as_array().map(Vec::len), Some(1), "{lines}");
    assert_eq!(
        lines["lines"][0]["moves"],
        json!(["e2e4"]),
        "as far as it can be played"
    );
    let said = lines["said"].as_str().unwrap_or_default();
    assert!(!said.contains('\u{1b}'), "{said}");
    let log = browser.get(&format!("/log/{id}.txt")).text();
    assert!(!log.contains('\u{1b}'));
    assert!(log.lines().all(|line| line.len() < 10_000));
    let board = page.ask(json!({"ask": "position", "start": usual("chess")}));
    assert_eq!(board["move_count"], 20);
}

#[test]
fn an_engine_that_dies_is_told_and_starts_again() {
    let (folder, running) = server();
    let mut page = running.page();
    let id = page.ask(new(&script(folder.path(), "", "echo 'bestmove e2e4'")));
    script(folder.path(), "", "exit 7");
    let study = study(&mut page);
    let topic = json!({"topic": "analysis"});
    page.follow(&topic);
    page.ask(analyse(&study, &id, depth(1)));
    let lines = page.wait(&topic, |news| news["trouble"].is_string());
    assert!(
        lines["trouble"].as_str().expect("words").contains("gone"),
        "{lines}"
    );
    let dead = |engines: &Value| engine_of(engines, &id)["state"]["state"] == "dead";
    page.see(json!({"topic": "engines"}), dead);
    script(folder.path(), "", PLAIN);
    page.ask(analyse(&study, &id, depth(2)));
    page.wait(&topic, |news| {
        news["lines"][0]["notation"] == json!(["e4", "e5"])
    });
}

#[test]
fn an_engine_is_checked_and_what_was_found_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::start(folder.path());
    let mut page = running.page();
    let twice = "echo 'bestmove e2e4'; echo 'bestmove e2e4'";
    let engine = page.ask(new(&script(folder.path(), "", twice)));
    let order = |game: &str, only: &str| json!({"ask": "check", "engine": engine, "game": game, "only": [only], "thorough": false});
    let (code, words) = page.refused(order("chess", "bestmove.twice"));
    assert_eq!(code, "value");
    assert!(words.contains("bestmove.twice"), "{words}");
    assert_eq!(page.refused(order("gyges", "bestmove")).0, "value");
    let job = page.ask(order("chess", "bestmove.once"));
    let topic = json!({"topic": "check", "id": job});
    let done = |check: &Value| check["complete"] == true;
    let check = page.see(topic.clone(), done);
    let found = check["findings"].as_array().expect("findings");
    let ids: Vec<&Value> = found.iter().map(|finding| &finding["id"]).collect();
    assert_eq!(ids, ["bestmove.once"]);
    let lines = found[0]["transcript"].as_array().expect("lines");
    let said = |way: &str, word: &str| {
        let fits = |line: &&Value| {
            line["way"] == way && line["text"].as_str().is_some_and(|t| t.starts_with(word))
        };
        lines.iter().filter(fits).count()
    };
    assert!(
        said(">", "go") >= 1 && said("<", "bestmove") >= 2,
        "{lines:?}"
    );
    // It is there after a restart.
    drop(page);
    drop(running);
    let again = Running::start(folder.path());
    let mut page = again.page();
    assert_eq!(page.see(topic, done)["findings"], check["findings"]);
}
