//! The whole thing as a user starts it: `quadrille match --nats`, `quadrille
//! worker`, and a server between them, killed at any moment.

#![cfg(unix)]

#[path = "../../cluster/tests/support/chaos.rs"]
mod chaos;
#[path = "../../cluster/tests/support/server.rs"]
mod server;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use chaos::{Arena, Chaos};
use server::{Server, is_there};

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_quadrille"))
}

#[test]
fn killed_at_any_moment_a_match_is_the_one_that_was_played_here() {
    if !is_there() {
        return;
    }
    let chaos = Chaos {
        rounds: 4,
        nodes: 60,
        workers: 4,
        kills: 4,
        seed: 3,
    };
    let told = chaos.run(program());
    // Each kind of part was killed while it played.
    assert!(told.killed.iter().all(|times| *times > 0), "{told:?}");
}

fn output(folder: &Path, words: &str) -> Output {
    Command::new(program())
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_analysis_elsewhere_is_the_one_from_here() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let folder = folder.path();
    // A broken game and one of another kind stay in their places.
    fs::write(
        folder.join("g.pgn"),
        "odd words\n\n[White \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n\n[White \"b\u{e9}\"]\n\n\
         1. e4 d5 2. exd5 Qxd5 3. Nc3 *\n\n1. d4 d5 *\n",
    )
    .unwrap();
    let mut arena = Arena::new(server, folder);
    arena.start_worker(program(), 0);
    let words = "analyse g.pgn --nodes 200 --lines 2 --concurrency 3 --no-cache";
    let here = text(output(folder, words));
    let nats = format!("--nats {} --nats-patience 2", arena.url());
    assert_eq!(text(output(folder, &format!("{words} {nats}"))), here);
    let report = "analyse g.pgn --nodes 200 --no-cache --report json";
    let there = text(output(folder, &format!("{report} {nats}")));
    assert_eq!(there, text(output(folder, report)));
    // Someone asks who is there.
    let status = text(output(
        folder,
        &format!("worker --status --json --nats {}", arena.url()),
    ));
    let status: Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status[0]["name"], "w0");
    assert_eq!(status[0]["engines"][0], "builtin");
    // Four games, twice; the end of an event may be heard before the last is counted.
    let games = status[0]["games"].as_u64().unwrap();
    assert!((1..=8).contains(&games), "{status}");
    let list = text(output(
        folder,
        &format!("worker --status --nats {}", arena.url()),
    ));
    assert!(list.contains("w0") && list.contains("waits"), "{list}");
    if let Ok(full) = fs::File::create("/dev/full") {
        let unwritten = Command::new(program())
            .args(["worker", "--status", "--nats", &arena.url()])
            .stdout(full)
            .output()
            .unwrap();
        let words = String::from_utf8(unwritten.stderr).unwrap();
        assert_eq!(unwritten.status.code(), Some(1), "{words}");
        assert!(words.contains("cannot write"), "{words}");
    }
}

#[test]
fn times_are_scaled_to_the_speed_of_a_worker() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let folder = folder.path();
    let mut arena = Arena::new(server, folder);
    arena.start_worker(program(), 0);
    // The workers of an arena say that they make a million nodes a second.
    let words = format!(
        "match --nats {} --nats-patience 2 --nats-reference 1500000 -engine cmd=builtin name=a \
         -engine cmd=builtin name=b -each tc=2+0.02 option.Hash=1 -rounds 1 -games 1 -maxmoves 5 \
         -store t.db --json",
        arena.url()
    );
    let said = text(output(folder, &words));
    let reader = quadrille_match::store::Reader::open(&folder.join("t.db")).unwrap();
    let end = reader.game(1).unwrap().unwrap().end.unwrap();
    let at = end.played_at.unwrap();
    assert_eq!((at.worker.as_str(), at.permille), ("w0", 1500));
    let plies = reader.plies(1).unwrap();
    assert!(
        plies[0].clock_us.unwrap() > 2_500_000,
        "three seconds, not two"
    );
    let listed = text(output(folder, "event t.db --games"));
    assert!(
        listed.contains("on w0 with 1.500 times the time"),
        "{listed}"
    );
    let events: Vec<Value> = said
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let has = |kind: &str| events.iter().any(|event| event["event"] == kind);
    assert!(has("workers") && has("game-end") && has("ply"), "{said}");
}

/// What a match that cannot begin says of a worker; it is killed then.
fn first_warning(folder: &Path, words: &str) -> String {
    let mut child = Command::new(program())
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let found = lines
        .map_while(Result::ok)
        .find(|line| line.contains("does not play"));
    let _ = child.kill();
    let _ = child.wait();
    found.unwrap_or_default()
}

#[test]
fn a_worker_that_cannot_play_says_why() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let folder = folder.path();
    let mut arena = Arena::new(server, folder);
    arena.start_worker(program(), 0);
    let engines = [
        ("cmd=stranger", "it has no engine 'stranger' for chess"),
        (
            "cmd=builtin option.Threads=64",
            "more than the 1 this worker gives",
        ),
        (
            "cmd=builtin option.BookFile=/etc/passwd",
            "BookFile of 'builtin' is a text",
        ),
    ];
    for (number, (engine, why)) in engines.into_iter().enumerate() {
        let words = format!(
            "match --nats {} -engine cmd=builtin name=a -engine {engine} name=b -each nodes=5 \
             -store {number}.db",
            arena.url()
        );
        let warning = first_warning(folder, &words);
        assert!(
            warning.contains("worker w0 does not play: "),
            "{engine}: {warning}"
        );
        assert!(warning.contains(why), "{engine}: {warning}");
    }
}

#[test]
fn what_is_wrong_is_said_before_anything_is_begun() {
    if !is_there() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let closed = "match --nats nats://127.0.0.1:9 -engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=9";
    let failed = output(folder, closed);
    let words = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(1), "{words}");
    assert!(words.contains("127.0.0.1:9 is not reached"), "{words}");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "no store is left");
    fs::write(
        folder.join("w.toml"),
        "[engine.x]\ncmd = \"/nowhere/engine\"\n",
    )
    .unwrap();
    let server = Server::start();
    let failed = output(
        folder,
        &format!("worker --nats {} --config w.toml --name x", server.url()),
    );
    let words = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(2), "{words}");
    assert!(
        words.contains("engine 'x'") && words.contains("/nowhere/engine"),
        "{words}"
    );
}

#[test]
fn a_game_too_large_for_the_server_stays_as_it_is() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let folder = folder.path();
    let large = format!("1. e4 {{{}}} e5 *\n\n", "long ".repeat(250_000));
    fs::write(
        folder.join("g.pgn"),
        format!("1. d4 d5 *\n\n{large}1. c4 c5 *\n"),
    )
    .unwrap();
    let mut arena = Arena::new(server, folder);
    arena.start_worker(program(), 0);
    let words = format!(
        "analyse g.pgn --nodes 20 --concurrency 2 --no-cache -o out.pgn --json --nats {}",
        arena.url()
    );
    let done = output(folder, &words);
    let said = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(1), "{said}");
    let kept = said.lines().find(|line| line.contains("game-kept"));
    let kept: Value = serde_json::from_str(kept.unwrap()).unwrap();
    assert_eq!(
        (&kept["number"], &kept["why"]),
        (&2.into(), &"failed".into())
    );
    assert!(
        kept["reason"].as_str().unwrap().contains("max_payload"),
        "{kept}"
    );
    let written = fs::read_to_string(folder.join("out.pgn")).unwrap();
    assert!(written.contains(&large), "as it was");
    assert_eq!(written.matches("[%eval").count(), 4, "the others are done");
}

#[test]
fn an_analysis_that_is_ended_leaves_nothing_on_the_server() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    fs::write(folder.path().join("g.pgn"), "1. d4 d5 *\n").unwrap();
    let words = format!("analyse g.pgn --no-cache --nats {}", server.url());
    let mut child = Command::new(program())
        .args(words.split_whitespace())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // No worker comes: it waits, with its streams.
    for _ in 0..1000 {
        if server.streams().contains("QUADRILLE_RESULTS_") {
            break;
        }
        sleep(Duration::from_millis(10));
    }
    signal(&child, Signal::TERM);
    assert!(!child.wait().unwrap().success());
    let left = server.streams();
    assert!(!left.contains("QUADRILLE"), "{left}");
}

/// A worker of `builtin`, and what it says.
fn worker(server: &Server, folder: &Path) -> (Child, impl Iterator<Item = Value> + use<>) {
    fs::write(
        folder.join("w.toml"),
        "name = \"w\"\nconcurrency = 1\nspeed = 1000000\n",
    )
    .unwrap();
    let mut child = Command::new(program())
        .args([
            "worker",
            "--json",
            "--config",
            "w.toml",
            "--nats",
            &server.url(),
        ])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = lines.map_while(Result::ok);
    let said = said.map(|line| serde_json::from_str(&line).unwrap());
    // Whatever server is installed.
    (
        child,
        said.filter(|event: &Value| event["event"] != "warning"),
    )
}

fn signal(child: &Child, signal: Signal) {
    let process = Pid::from_child(child);
    kill_process(process, signal).unwrap();
}

/// How it ends, if it does soon; else it is killed.
fn ends(mut child: Child) -> bool {
    for _ in 0..2000 {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// A match without a sound.
fn director(server: &Server, folder: &Path, words: &str) -> Child {
    let words = format!(
        "match --quiet --nats {} -engine cmd=builtin name=a -engine cmd=builtin name=b -store t.db {words}",
        server.url()
    );
    Command::new(program())
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_worker_ends_after_its_game_though_the_match_goes_on() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let (child, mut said) = worker(&server, folder.path());
    let words = "-each nodes=50 -rounds 1000 -maxmoves 20";
    let mut director = director(&server, folder.path(), words);
    assert!(said.any(|event| event["event"] == "game-start"));
    signal(&child, Signal::TERM);
    assert!(ends(child));
    director.kill().unwrap();
    director.wait().unwrap();
}

#[test]
fn a_worker_ends_at_once_though_the_server_is_away() {
    if !is_there() {
        return;
    }
    let (mut server, folder) = (Server::start(), TempDir::new().unwrap());
    let (child, mut said) = worker(&server, folder.path());
    let words = "-each st=0.3 -rounds 1 -games 1 -maxmoves 2 --nats-reference 1000000";
    let mut director = director(&server, folder.path(), words);
    assert!(said.any(|event| event["event"] == "game-start"));
    server.kill();
    director.kill().unwrap();
    director.wait().unwrap();
    // Its game is over, and its result is sent and sent.
    assert!(said.any(|event| event["event"] == "waits"));
    signal(&child, Signal::INT);
    sleep(Duration::from_millis(200));
    signal(&child, Signal::INT);
    assert!(ends(child));
}

#[test]
fn a_worker_knows_so_many_matches_and_forgets_the_dead() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let (mut child, mut said) = worker(&server, folder.path());
    assert_eq!(said.next().unwrap()["event"], "ready");
    let notice = |number: u32| {
        let notice = serde_json::json!({
            "v": 2, "event": format!("e{number}"), "session": 1, "open": true,
            "title": format!("match {number}"),
            "needs": [{"engine": "stranger", "game": "chess", "options": []}],
            "tables": false, "reference": 0, "slowest_permille": 4000, "patience_ms": 300,
            "live": false,
        });
        let subject = format!("quadrille.2.event.e{number}");
        server.publish(&subject, &notice.to_string());
    };
    // A worker that has just said that it is ready may not listen yet.
    sleep(Duration::from_millis(500));
    for number in 0..64 {
        notice(number);
        let told = said.next().unwrap();
        assert_eq!(told["title"], format!("match {number}"));
        assert!(
            told["reason"].as_str().unwrap().contains("no engine"),
            "{told}"
        );
    }
    notice(64);
    let told = said.next().unwrap();
    assert!(
        told["reason"]
            .as_str()
            .unwrap()
            .contains("knows 64 matches"),
        "{told}"
    );
    // Nothing is heard of the directors of all those for twenty times their patience.
    sleep(Duration::from_millis(7500));
    notice(64);
    let told = said.next().unwrap();
    assert!(
        told["reason"].as_str().unwrap().contains("no engine"),
        "{told}"
    );
    let _ = child.kill();
    let _ = child.wait();
}

#[test]
fn games_of_a_worker_that_was_set_aside_later_are_listed() {
    let folder = TempDir::new().unwrap();
    let words = "match -engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=10 \
                 option.Hash=1 -openings format=random plies=4 -rounds 1 -maxmoves 2 -store t.db --quiet";
    text(output(folder.path(), words));
    let before = text(output(folder.path(), "event t.db"));
    assert!(!before.contains("doubted"), "{before}");
    let path = folder.path().join("t.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tournament = quadrille_match::tournament::Tournament::resume(&path).unwrap();
    let note = r#"[{"worker":"north","reason":"it lies","games":[2,5]}]"#;
    let kept = tournament.keep_note(quadrille_cluster::DOUBTED, note.into());
    runtime.block_on(kept).unwrap();
    drop(tournament);
    let listed = text(output(folder.path(), "event t.db"));
    let wanted =
        "doubted   2 games of worker north, which was set aside after they counted: 2, 5; it lies";
    assert!(listed.contains(wanted), "{listed}");
}

/// The server's file as the guide prints it, without where it listens.
fn documented() -> String {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cluster.md");
    let guide = fs::read_to_string(guide).unwrap();
    let after = guide.split("<!-- nats.conf with accounts -->").nth(1);
    let block = after.unwrap().split("```").nth(1).unwrap();
    let lines = block.lines().skip(1);
    let lines = lines.filter(|line| !line.starts_with("listen:") && !line.starts_with("jetstream"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_match_is_played_by_users_with_the_documented_permissions() {
    if !is_there() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("nats.conf"), documented()).unwrap();
    let file = folder.join("nats.conf").display().to_string();
    let server = Server::with(vec!["-c".into(), file]);
    let users = ["north", "south"].map(|name| {
        let words = format!(
            "name = \"{name}\"\nconcurrency = 1\nspeed = 1000000\n[nats]\nurl = \"{}\"\nuser = \"{name}\"\n\
             password = \"a long word for {name}\"\n",
            server.url()
        );
        fs::write(folder.join(format!("{name}.toml")), words).unwrap();
        let child = Command::new(program())
            .args(["worker", "--quiet", "--config"])
            .arg(folder.join(format!("{name}.toml")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Ended(child)
    });
    let director = |words: &str| {
        Command::new(program())
            .args(words.split_whitespace())
            .args(["--nats", &server.url(), "--nats-user", "director"])
            .args(["--nats-password", "a long word for matches"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let played = director(
        "match -engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=100 option.Hash=1 \
         -openings format=random plies=4 -rounds 4 -repeat -maxmoves 10 -store t.db --nats-patience 30 \
         --nats-spot-check 100% -concurrency 2 --json",
    );
    let said = text(played);
    let mut warnings = said.lines().filter(|line| line.contains("\"warning\""));
    // Whatever server is installed.
    let version = |line: &str| line.contains("NATS server has version");
    assert!(warnings.all(version), "{said}");
    let reader = quadrille_match::store::Reader::open(&folder.join("t.db")).unwrap();
    assert_eq!(reader.games().unwrap().len(), 8);
    let status = text(director("worker --status --json"));
    let status: Value = serde_json::from_str(&status).unwrap();
    let names: Vec<&str> = status
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["north", "south"]);
    // A worker may not ask: who may, can have any answer sent anywhere.
    let refused = output(folder, "worker --status --config north.toml");
    assert!(!refused.status.success());
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(
        told.contains("ask as the user that leads matches"),
        "{told}"
    );
    drop(users);
}

/// Ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
