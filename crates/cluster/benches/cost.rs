//! What a director costs: processor time per game beside that of the games,
//! bytes per game, and memory over ten thousand games through the queue.
//!
//! `cargo bench -p quadrille-cluster --bench cost`; `QUADRILLE_GAMES` changes how
//! many very short games there are, and `-- short` plays only those.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

#[path = "support/mod.rs"]
mod program;
#[path = "../tests/support/scripted.rs"]
mod scripted;
#[path = "../tests/support/server.rs"]
mod server;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quadrille_cluster::{Access, Director, DirectorOptions};
use quadrille_match::config::from_flags;
use quadrille_match::store::Reader;
use quadrille_match::tournament::{MatchEvent, Results, Tournament, Watcher};
use scripted::{Habit, Scripted};
use server::Server;
use tempfile::TempDir;

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("measured on Linux only");
}

#[cfg(target_os = "linux")]
fn main() {
    if !server::is_there() {
        return;
    }
    if !std::env::args().any(|word| word == "short") {
        for (nodes, rounds) in [(2_000, 60), (20_000, 15)] {
            real_games(&program::quadrille(), nodes, rounds);
        }
    }
    let games = std::env::var("QUADRILLE_GAMES").ok();
    short_games(games.and_then(|text| text.parse().ok()).unwrap_or(10_000));
}

/// Processor time of a process, and with `children` of all it has waited for.
fn processor(pid: u32, children: bool) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: Vec<u64> = fields
        .split_whitespace()
        .skip(11)
        .take(4)
        .flat_map(str::parse)
        .collect();
    let own: u64 = ticks.iter().take(if children { 4 } else { 2 }).sum();
    Duration::from_millis(own * 10)
}

/// Bytes of memory in use, in MiB.
fn memory(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib: f64 = line
        .and_then(|l| l.split_whitespace().next()?.parse().ok())
        .unwrap_or(0.0);
    kib / 1024.0
}

/// A match of the built-in engine with itself, director and worker as processes.
fn real_games(program: &Path, nodes: u32, rounds: u32) {
    let folder = TempDir::new().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let server = Server::with(vec!["-m".into(), port.to_string()]);
    std::fs::write(
        folder.path().join("w.toml"),
        "name = \"w\"\nconcurrency = 2\nspeed = 1000000\n",
    )
    .unwrap();
    let start = |words: &str| -> Child {
        Command::new(program)
            .args(words.split_whitespace())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut worker = start(&format!(
        "worker --quiet --nats {} --config w.toml",
        server.url()
    ));
    let mut director = start(&format!(
        "match --quiet --nats {} -engine cmd=builtin name=a -engine cmd=builtin name=b \
         -each nodes={nodes} option.Hash=4 -openings format=random plies=6 -srand 1 -repeat \
         -rounds {rounds} -concurrency 4 -store e.db",
        server.url()
    ));
    let mut spent = Duration::ZERO;
    let mut plies = 0;
    while director.try_wait().unwrap().is_none() {
        spent = spent.max(processor(director.id(), false));
        std::thread::sleep(Duration::from_millis(10));
    }
    let traffic = Server::traffic(port);
    // The engines are children that it waits for when it leaves.
    let _ = Command::new("kill")
        .args(["-INT", &worker.id().to_string()])
        .status();
    let mut playing = Duration::ZERO;
    while worker.try_wait().unwrap().is_none() {
        playing = playing.max(processor(worker.id(), true));
        std::thread::sleep(Duration::from_millis(2));
    }
    let reader = Reader::open(&folder.path().join("e.db")).unwrap();
    let games = reader.games().unwrap();
    let count = games.len() as f64;
    for game in &games {
        plies += reader.ply_count(game.new.number).unwrap();
    }
    // What engines did is what their moves took: the worker may not have seen all end.
    let thinking: Duration = games
        .iter()
        .filter_map(|game| game.end.as_ref())
        .flat_map(|end| end.sides)
        .map(|side| side.time)
        .sum();
    let playing = playing.max(thinking);
    println!(
        "nodes={nodes}: {count} games, {:.1} ms of processor for each on the worker, {:.2} ms at the \
         director: {:.2} %",
        playing.as_secs_f64() * 1000.0 / count,
        spent.as_secs_f64() * 1000.0 / count,
        100.0 * spent.as_secs_f64() / playing.as_secs_f64()
    );
    let [messages_in, messages_out, bytes_in, bytes_out] = traffic.map(|n| n as f64 / count);
    println!(
        "    for each game of {:.0} plies: {messages_in:.1} messages and {bytes_in:.0} bytes into the NATS \
         server, {messages_out:.1} and {bytes_out:.0} out of it",
        plies as f64 / count
    );
}

/// Counts games, and says now and then how much memory there is.
struct Counter {
    games: u64,
    every: u64,
    begun: Instant,
    server: u32,
    first: Option<f64>,
    last: f64,
}

impl Watcher for Counter {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        if !matches!(event, MatchEvent::GameEnd { .. }) {
            return;
        }
        self.games += 1;
        if self.games.is_multiple_of(self.every) {
            let own = std::process::id();
            self.last = memory(own);
            self.first.get_or_insert(self.last);
            println!(
                "{:>6} games, {:>5.1} s: director {:.1} MiB, nats-server {:.1} MiB, director's processor {:.2} ms a game",
                self.games,
                self.begun.elapsed().as_secs_f64(),
                self.last,
                memory(self.server),
                processor(own, false).as_secs_f64() * 1000.0 / self.games as f64
            );
        }
    }
}

/// Very short games through the queue, played by workers without engines in this
/// process: so the processor time is that of both sides.
fn short_games(games: u64) {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let words = format!(
        "-engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=1 -maxmoves 10 \
         -openings format=random plies=4 -srand 5 -repeat -rounds {} -concurrency 16 -force-concurrency",
        games / 2
    );
    let flags = from_flags(words.split_whitespace().map(Into::into)).unwrap();
    let mut tournament = Tournament::create(flags.config, &folder.path().join("e.db")).unwrap();
    let access = Access {
        url: server.url(),
        ..Access::default()
    };
    let options = DirectorOptions::new("/nowhere".into());
    let mut counter = Counter {
        games: 0,
        every: (games / 10).max(1),
        begun: Instant::now(),
        server: server.id(),
        first: None,
        last: 0.0,
    };
    runtime.block_on(async {
        let director = Director::open(&access, &tournament, &options)
            .await
            .unwrap();
        tournament.set_venue(Arc::new(director));
        let workers: Vec<_> = ["x", "y"]
            .map(|name| tokio::spawn(Scripted::new(name, Habit::Honest).work(server.url())))
            .into();
        let (_sender, commands) = tokio::sync::mpsc::unbounded_channel();
        let summary = tournament.run(commands, &mut counter).await.unwrap();
        assert!(summary.complete);
        for worker in workers {
            worker.abort();
        }
    });
    let growth = counter.last - counter.first.unwrap_or_default();
    println!("{games} games: {growth:+.1} MiB from the first tenth to the last");
}
