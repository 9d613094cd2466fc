//! A director that is stopped for a while, as by ctrl-z or by a laptop that sleeps.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use quadrille_cluster::{Access, Director, DirectorOptions};
use quadrille_match::tournament::{MatchEvent, Results, Verdict, Watcher};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use crate::director::{MATCH, begin, options};
use crate::support::scripted::{Habit, Scripted};
use crate::support::server::{Server, is_there};

/// The variable in which the process below finds the server.
const URL: &str = "QUADRILLE_SUSPENDED_URL";
/// Patience with a silent worker, which is suspended for longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Prints what is told.
struct Printer;

impl Watcher for Printer {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        match event {
            MatchEvent::GameEnd { .. } => println!("\nended"),
            MatchEvent::Warning { reason } | MatchEvent::GameAgain { reason, .. } => {
                println!("\ntold {reason}");
            }
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs as a process of the test below"]
async fn a_director_in_a_process() {
    let Ok(url) = std::env::var(URL) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let mut tournament = begin(folder.path(), &format!("{MATCH} -rounds 10"));
    let access = Access {
        url,
        ..Access::default()
    };
    let options = DirectorOptions {
        patience: PATIENCE,
        spot_check: 1.0,
        ..options()
    };
    let director = Director::open(&access, &tournament, &options).await;
    tournament.set_venue(Arc::new(director.unwrap()));
    let (_sender, commands) = unbounded_channel();
    let summary = tournament.run(commands, &mut Printer).await.unwrap();
    assert_eq!(summary.verdict(), Verdict::Good);
    println!("\ncomplete");
}

/// A process that is killed at the end of the test.
struct Process(Child);

impl Process {
    fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        let sent = kill.args([signal, &self.0.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_director_that_was_suspended_misses_nobody() {
    if !is_there() {
        return;
    }
    let server = Server::start();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["suspended::a_director_in_a_process", "--exact"])
        .args(["--ignored", "--nocapture"])
        .env(URL, server.url())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut process = Process(child);
    let output = process.0.stdout.take().unwrap();
    let workers = ["ann", "bob"].map(|name| {
        let worker = Scripted::new(name, Habit::Slow);
        tokio::spawn(worker.work(server.url()))
    });
    let (sender, mut lines) = unbounded_channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let next = async |lines: &mut tokio::sync::mpsc::UnboundedReceiver<String>| {
        let line = tokio::time::timeout(Duration::from_secs(40), lines.recv()).await;
        line.expect("the match goes on")
    };
    while next(&mut lines).await.expect("a game ends") != "ended" {}
    process.signal("-STOP");
    tokio::time::sleep(PATIENCE * 3).await;
    process.signal("-CONT");
    let mut complete = false;
    while let Some(line) = next(&mut lines).await {
        let version = line.contains("NATS server has version");
        assert!(version || !line.starts_with("told "), "{line}");
        complete |= line == "complete";
    }
    assert!(complete);
    for worker in workers {
        worker.abort();
    }
}
