//! Workers that lie among workers that do not: how many games of a liar count before it
//! is set aside, and how often honest workers are.
//!
//! `cargo bench -p quadrille-cluster --bench liars`; `QUADRILLE_RUNS` changes how often each
//! row is played, `QUADRILLE_ROWS` names a word of those that are. Workers are of this process, without engines, so that there are many
//! games; those of the last rows are `quadrille worker` with the built-in engine and real
//! clocks, and only the liar is not.

#[path = "support/mod.rs"]
mod program;
#[path = "../tests/support/scripted.rs"]
mod scripted;
#[path = "../tests/support/server.rs"]
mod server;

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use quadrille_cluster::{Access, Director, DirectorOptions};
use quadrille_match::config::from_flags;
use quadrille_match::store::Reader;
use quadrille_match::tournament::{MatchEvent, Results, Tournament, Watcher};
use scripted::{Habit, Scripted};
use server::Server;
use tempfile::TempDir;

/// One row of the table.
#[derive(Clone, Copy)]
struct Row {
    title: &'static str,
    clocks: bool,
    /// Honest workers are processes with engines.
    real: bool,
    habit: Habit,
    liars: usize,
    share: f64,
    rounds: u32,
    runs: u32,
}

/// What came of one run.
#[derive(Default)]
struct Came {
    games: usize,
    /// Games of liars that counted.
    forged: usize,
    /// Liars that were set aside.
    found: usize,
    /// The games that were over by then.
    after: usize,
    /// Honest workers that were set aside.
    honest: usize,
}

const HONEST: [&str; 4] = ["ann", "bob", "cat", "dan"];
const LIARS: [&str; 2] = ["liar-one", "liar-two"];

/// Counts who is set aside, and when.
#[derive(Default)]
struct Counter {
    ended: usize,
    came: Came,
}

impl Watcher for Counter {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        match event {
            MatchEvent::GameEnd { .. } => self.ended += 1,
            MatchEvent::Warning { reason } if reason.contains("is set aside") => {
                if LIARS
                    .iter()
                    .any(|name| reason.starts_with(&format!("worker {name} ")))
                {
                    self.came.found += 1;
                    self.came.after = self.ended;
                } else {
                    println!("    {reason}");
                    self.came.honest += 1;
                }
            }
            MatchEvent::Warning { reason } if std::env::var_os("QUADRILLE_TELL").is_some() => {
                println!("    {reason}");
            }
            _ => {}
        }
    }
}

/// Processes that end with this.
struct Workers(Vec<Child>);

impl Drop for Workers {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn real_workers(server: &Server, folder: &TempDir) -> Workers {
    let program = program::quadrille();
    let start = |name: &&str| {
        let file = folder.path().join(format!("{name}.toml"));
        let text = format!("name = \"{name}\"\nconcurrency = 1\nspeed = 1000000\n");
        std::fs::write(&file, text).unwrap();
        Command::new(&program)
            .args(["worker", "--quiet", "--nats", &server.url(), "--config"])
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    Workers(HONEST[..3].iter().map(start).collect())
}

/// What the built-in engine proves to be; a liar says the same.
fn signature() -> String {
    let words = ["bench", "--game", "chess", "--depth", "4", "--json"];
    let ran = Command::new(program::quadrille()).args(words).output();
    let text = String::from_utf8(ran.unwrap().stdout).unwrap();
    let nodes = text.split("\"nodes\":").last().unwrap();
    let digits = nodes.trim().chars().take_while(char::is_ascii_digit);
    format!("bench {}", digits.collect::<String>())
}

impl Row {
    fn words(self) -> String {
        let time = match (self.clocks, self.real) {
            (false, _) => "nodes=100",
            (true, false) => "tc=60+1",
            (true, true) => "tc=0.5+0.02",
        };
        let most = if self.real { 30 } else { 12 };
        let hash = if self.real { "option.Hash=1" } else { "" };
        format!(
            "-engine cmd=builtin name=a -engine cmd=builtin name=b -each {time} {hash} \
             -maxmoves {most} -openings format=random plies=4 -srand 5 -repeat -rounds {} \
             -concurrency 6 -force-concurrency",
            self.rounds
        )
    }

    fn workers(self) -> Vec<Scripted> {
        let honest = if self.real { &[][..] } else { &HONEST };
        let honest = honest.iter().map(|name| (*name, Habit::Honest));
        let liars = LIARS[..self.liars].iter().map(|name| (*name, self.habit));
        let all = honest.chain(liars);
        let proof = if self.real {
            signature()
        } else {
            "bench 1".into()
        };
        all.map(|(name, habit)| Scripted {
            // The same engine says other things each time, where there are clocks.
            noise: if self.clocks { 60 } else { 0 },
            proof: proof.clone(),
            ..Scripted::new(name, habit)
        })
        .collect()
    }

    fn run(self) -> Came {
        let (server, folder) = (Server::start(), TempDir::new().unwrap());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _real = self.real.then(|| real_workers(&server, &folder));
        let flags = from_flags(self.words().split_whitespace().map(Into::into)).unwrap();
        let path = folder.path().join("e.db");
        let mut tournament = Tournament::create(flags.config, &path).unwrap();
        let access = Access {
            url: server.url(),
            ..Access::default()
        };
        let options = DirectorOptions {
            spot_check: self.share,
            reference: Some(1_000_000),
            patience: Duration::from_secs(2),
            ..DirectorOptions::new("/nowhere".into())
        };
        let mut counter = Counter::default();
        runtime.block_on(async {
            let director = Director::open(&access, &tournament, &options).await;
            tournament.set_venue(Arc::new(director.unwrap()));
            if self.real {
                // The others have an engine to start first; what it says is the event's.
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
            for worker in self.workers() {
                tokio::spawn(worker.work(server.url()));
            }
            let (_sender, commands) = tokio::sync::mpsc::unbounded_channel();
            let summary = tournament.run(commands, &mut counter).await.unwrap();
            assert!(summary.complete, "{:?}", summary.trouble);
        });
        let mut came = counter.came;
        let games = Reader::open(&path).unwrap().games().unwrap();
        came.games = games.len();
        came.forged = games
            .iter()
            .filter_map(|game| game.end.as_ref()?.played_at.as_ref())
            .filter(|at| LIARS.contains(&at.worker.as_str()))
            .count();
        came
    }
}

fn rows() -> Vec<Row> {
    let row = Row {
        title: "",
        clocks: false,
        real: false,
        habit: Habit::Forges(1),
        liars: 1,
        share: 0.02,
        rounds: 400,
        runs: 5,
    };
    vec![
        Row {
            title: "nobody lies",
            liars: 0,
            rounds: 1000,
            runs: 2,
            ..row
        },
        Row {
            title: "one lies in every game",
            ..row
        },
        Row {
            title: "the same, 10 % checked",
            share: 0.1,
            ..row
        },
        Row {
            title: "one lies in one game of ten",
            habit: Habit::Forges(10),
            share: 0.1,
            ..row
        },
        Row {
            title: "two lie alike",
            liars: 2,
            share: 0.1,
            ..row
        },
        Row {
            title: "nobody lies, clocks",
            clocks: true,
            liars: 0,
            share: 0.1,
            rounds: 1000,
            runs: 2,
            ..row
        },
        Row {
            title: "one lies, clocks",
            clocks: true,
            ..row
        },
        Row {
            title: "the same, 10 % checked",
            clocks: true,
            share: 0.1,
            ..row
        },
        Row {
            title: "engines, clocks, nobody lies",
            clocks: true,
            real: true,
            liars: 0,
            share: 1.0,
            rounds: 10,
            runs: 1,
            ..row
        },
        Row {
            title: "engines, clocks, one lies",
            clocks: true,
            real: true,
            share: 0.2,
            rounds: 10,
            runs: 1,
            ..row
        },
    ]
}

fn main() {
    if !server::is_there() {
        return;
    }
    let runs = std::env::var("QUADRILLE_RUNS").ok();
    let runs: Option<u32> = runs.and_then(|text| text.parse().ok());
    println!(
        "| workers | checked | games | liars found | games over by then | forged games that counted | honest workers set aside |"
    );
    println!("|---|---|---|---|---|---|---|");
    let wanted = std::env::var("QUADRILLE_ROWS").unwrap_or_default();
    for row in rows().into_iter().filter(|row| row.title.contains(&wanted)) {
        let runs = runs.unwrap_or(row.runs).max(1);
        let all: Vec<Came> = (0..runs).map(|_| row.run()).collect();
        let sum = |of: fn(&Came) -> usize| all.iter().map(of).sum::<usize>();
        let each = |of: fn(&Came) -> usize| {
            let mut values: Vec<usize> = all.iter().map(of).collect();
            values.sort_unstable();
            format!(
                "{} ({} to {})",
                values[values.len() / 2],
                values[0],
                values[values.len() - 1]
            )
        };
        let honest = if row.real { 3 } else { HONEST.len() } * runs as usize;
        let (after, forged) = if row.liars == 0 {
            ("-".into(), "-".into())
        } else {
            (each(|came| came.after), each(|came| came.forged))
        };
        println!(
            "| {} | {} % | {} | {} of {} | {after} | {forged} | {} of {honest} |",
            row.title,
            row.share * 100.0,
            sum(|came| came.games),
            sum(|came| came.found),
            row.liars * runs as usize,
            sum(|came| came.honest),
        );
    }
}
