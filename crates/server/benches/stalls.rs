//! What a stranger, a busy machine or a suspension does to those who play: how long a
//! newcomer waits while others ask for more work than their share, how many games are
//! lost although every move came in time, and how much memory wrong passwords take.
//!
//! The server is a process of its own, with its usual settings but for connections,
//! which all come from one address here, and for the boards of guests.

mod support;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use quadrille_server::hall::{Order, Settings};
use quadrille_server::meter::Rate;
use quadrille_server::password::{self, Work};
use quadrille_server::{serve as operate, store};
use support::{Client, Fault, Process};

const SERVE: &str = "QUADRILLE_BENCH_SERVE";
/// Games of those who mean no harm.
const GAMES: usize = 20;
/// The clock of the innocent, and how long they think.
const CLOCK: &str = "3+2";
const INCREMENT: u64 = 2000;
const THINK: Duration = Duration::from_millis(400);
const STALLS: u64 = 500;
/// The password of every account here.
const PASSWORD: &str = "correct horse";

fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    if let Some(folder) = std::env::var_os(SERVE) {
        return runtime.block_on(support::serve(
            &PathBuf::from(folder),
            settings(),
            Work::Usual,
        ));
    }
    let rows = runtime.block_on(async {
        let mut rows = attackers().await?;
        rows.extend(stalls().await?);
        rows.extend(passwords().await?);
        Ok::<_, Fault>(rows)
    })?;
    println!(
        "\n{:<58} {:>10} {:>12} {:>9}",
        "bound", "at most", "measured", ""
    );
    for row in &rows {
        let kept = if row.measured <= row.most {
            "kept"
        } else {
            "NOT KEPT"
        };
        let Row {
            what,
            most,
            measured,
            unit,
        } = row;
        println!("{what:<58} {most:>7} {unit:<2} {measured:>9.1} {unit:<2} {kept:>9}");
    }
    Ok(())
}

/// A bound, and what was measured.
struct Row {
    what: String,
    most: f64,
    measured: f64,
    unit: &'static str,
}

impl Row {
    fn new(what: impl Into<String>, most: f64, measured: f64, unit: &'static str) -> Self {
        Self {
            what: what.into(),
            most,
            measured,
            unit,
        }
    }
}

fn settings() -> Settings {
    Settings {
        per_address: 1000,
        handshakes: 1000,
        connects: Rate::new(10_000, 10_000),
        passwords: Rate::new(10_000, 10_000),
        guest_squares: 1 << 16,
        ..Settings::default()
    }
}

fn start() -> Result<(tempfile::TempDir, String, Process), Fault> {
    let folder = tempfile::tempdir()?;
    let program = std::env::current_exe()?;
    let (address, process) = Process::start(Command::new(program).env(SERVE, folder.path()))?;
    Ok((folder, address, process))
}

/// Games that were over, by how they ended, and moves that were played.
#[derive(Default)]
struct Tally {
    moves: AtomicU64,
    lost: AtomicU64,
    closed: AtomicU64,
    /// The most that a clock lost in one move beside the thinking, in milliseconds.
    taken: AtomicU64,
}

/// What a `go` says of a clock, in milliseconds.
fn clock(go: &str, side: usize) -> Option<u64> {
    let name = ["wtime", "btime"][side % 2];
    let words = go.split_whitespace();
    words.skip_while(|word| *word != name).nth(1)?.parse().ok()
}

/// One who moves a knight to and fro until the position comes for the third time, and
/// then plays again.
async fn play(mut client: Client, tally: Arc<Tally>) -> Result<(), Fault> {
    // The clock and the thinking of the move before.
    let mut before: Option<(u64, Duration)> = None;
    loop {
        let Ok(line) = client.line().await else {
            tally.closed.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        if line.starts_with("isready") {
            before = None;
            client.say("readyok").await?;
        } else if line.starts_with("lobby end") {
            let late = line.contains("time");
            tally.lost.fetch_add(u64::from(late), Ordering::Relaxed);
            client.say("lobby rematch").await?;
        } else if let Some(position) = line.strip_prefix("position startpos") {
            let plies = position.split_whitespace().count().saturating_sub(1);
            let go = client.line().await?;
            if !go.starts_with("go ") {
                continue;
            }
            let asked = Instant::now();
            let left = clock(&go, plies).unwrap_or(0);
            if let Some((last, spent)) = before {
                let right = (last + INCREMENT).saturating_sub(spent.as_millis() as u64);
                let taken = right.saturating_sub(left);
                tally.taken.fetch_max(taken, Ordering::Relaxed);
            }
            tokio::time::sleep(THINK).await;
            let moves = ["b1c3", "b8c6", "c3b1", "c6b8"];
            client
                .say(&format!("bestmove {}", moves[plies % 4]))
                .await?;
            before = Some((left, asked.elapsed()));
            tally.moves.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Games that go on by rematches.
async fn innocents(address: &str, tally: &Arc<Tally>) -> Result<(), Fault> {
    for game in 0..GAMES {
        let mut a = Client::enter(address, &format!("a{game}")).await?;
        let mut b = Client::enter(address, &format!("b{game}")).await?;
        let seek = format!("lobby seek time {CLOCK} colour white word w{game}");
        a.say(&seek).await?;
        a.until("lobby seek").await?;
        b.say(&format!("lobby join word w{game}")).await?;
        for client in [a, b] {
            tokio::spawn(play(client, Arc::clone(tally)));
        }
    }
    Ok(())
}

fn queens() -> String {
    let queens = "Q20".repeat(11);
    let mut rows = vec!["k255".to_owned()];
    for y in 1..255 {
        rows.push(match y % 4 {
            1 => format!("2{queens}Q22"),
            3 => format!("4{queens}Q20"),
            _ => "256".into(),
        });
    }
    rows.push("255K".into());
    rows.join("/") + " w - - 0 1"
}

/// Asks about illegal and ambiguous moves on a huge board, as fast as it is let.
async fn attack(address: String, n: usize) -> Result<(), Fault> {
    for round in 0.. {
        let mut a = Client::enter(&address, &format!("evil{n}-{round}")).await?;
        let mut b = Client::enter(&address, &format!("vile{n}-{round}")).await?;
        let word = format!("x{n}-{round}");
        let board = queens();
        a.say(&format!(
            "lobby seek game liberty time 600 colour white word {word} fen {board}"
        ))
        .await?;
        a.until("lobby seek").await?;
        b.say(&format!("lobby join word {word}")).await?;
        for client in [&mut a, &mut b] {
            client.until("isready").await?;
            client.say("readyok").await?;
        }
        // A hundred at once, then as many as the bound on lines allows.
        let mut cut_off = a.say(&"bestmove Qc200\n".repeat(100)).await.is_err();
        for _ in 0..50 {
            tokio::time::sleep(Duration::from_millis(110)).await;
            cut_off |= a.say("bestmove Qc200").await.is_err();
            if cut_off {
                break;
            }
        }
    }
    Ok(())
}

async fn attackers() -> Result<Vec<Row>, Fault> {
    let mut rows = Vec::new();
    let (_folder, address, process) = start()?;
    let tally = Arc::new(Tally::default());
    innocents(&address, &tally).await?;
    for with in [false, true] {
        if with {
            for n in 0..3 {
                tokio::spawn(attack(address.clone(), n));
            }
        }
        let mut waits = Vec::new();
        for n in 0..100 {
            let begun = Instant::now();
            drop(Client::enter(&address, &format!("new{n}")).await?);
            waits.push(begun.elapsed());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        waits.sort_unstable();
        let ms = |wait: Duration| wait.as_secs_f64() * 1000.0;
        let attackers = if with {
            "three attackers"
        } else {
            "no attacker"
        };
        println!(
            "{attackers:<18} a newcomer is in within {:>7.2} ms (median), {:>7.2} ms (longest); {} moves, {} games lost on time",
            ms(waits[50]),
            ms(waits[99]),
            tally.moves.load(Ordering::Relaxed),
            tally.lost.load(Ordering::Relaxed),
        );
        if with {
            let lost = tally.lost.load(Ordering::Relaxed) as f64;
            let what = "three attackers: a newcomer is in within";
            rows.push(Row::new(what, 100.0, ms(waits[99]), "ms"));
            let what = "three attackers: innocent games lost on time";
            rows.push(Row::new(what, 0.0, lost, ""));
            let taken = tally.taken.load(Ordering::Relaxed) as f64;
            let what = "three attackers: the most that an innocent clock lost";
            rows.push(Row::new(what, 1000.0, taken, "ms"));
        }
    }
    drop(process);
    Ok(rows)
}

fn signal(process: &Process, signal: &str) -> Result<(), Fault> {
    let pid = process.0.id().to_string();
    Command::new("kill").args([signal, &pid]).status()?;
    Ok(())
}

async fn stalls() -> Result<Vec<Row>, Fault> {
    let mut rows = Vec::new();
    for seconds in [1, 5, 20] {
        let tally = Arc::new(Tally::default());
        let (_folder, address, process) = start()?;
        innocents(&address, &tally).await?;
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_secs(2)).await;
            signal(&process, "-STOP")?;
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            signal(&process, "-CONT")?;
        }
        tokio::time::sleep(Duration::from_secs(4)).await;
        rows.push(report(
            &format!("stopped for {seconds} s, three times"),
            &tally,
        ));
    }
    let tally = Arc::new(Tally::default());
    let (_folder, address, process) = start()?;
    innocents(&address, &tally).await?;
    let mut random = SplitMix64::new(3);
    for _ in 0..STALLS {
        tokio::time::sleep(Duration::from_millis(random.below(200))).await;
        signal(&process, "-STOP")?;
        tokio::time::sleep(Duration::from_millis(random.below(400))).await;
        signal(&process, "-CONT")?;
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    rows.push(report(&format!("{STALLS} stalls of up to 400 ms"), &tally));
    Ok(rows)
}

fn report(what: &str, tally: &Tally) -> Row {
    let count = |n: &AtomicU64| n.load(Ordering::Relaxed);
    println!(
        "{what:<30} {:>6} moves of players who are never late, {} wrong losses on time, {} cut off",
        count(&tally.moves),
        count(&tally.lost),
        count(&tally.closed)
    );
    // A player who is cut off loses, too.
    let wrong = count(&tally.lost) + count(&tally.closed);
    Row::new(format!("{what}: wrong forfeits"), 0.0, wrong as f64, "")
}

async fn passwords() -> Result<Vec<Row>, Fault> {
    let (folder, address, process) = start()?;
    let (before, _) = process.numbers();
    let place = folder.path().to_path_buf();
    let hash = password::hash(PASSWORD, Work::Usual)?;
    let file = place.join("server.db");
    assert!(store::is_running(&file), "the server has its file");
    tokio::task::spawn_blocking(move || {
        let names = (0..100).map(|n| format!("acc{n}"));
        for name in names.chain(["victim".to_owned()]) {
            let order = Order::Account {
                name,
                hash: hash.clone(),
            };
            operate::order(&place, &order).expect("an account");
        }
    })
    .await?;
    let begun = Instant::now();
    let mut open = Vec::new();
    for n in 0..1000 {
        let address = address.clone();
        open.push(tokio::spawn(async move {
            Client::guess(&address, &format!("acc{}", n % 100)).await
        }));
        if open.len() == 50 {
            for client in open.drain(..) {
                client.await??;
            }
        }
    }
    let (after, _) = process.numbers();
    println!(
        "1,000 wrong passwords in {:.1} s: {} MB before, {} MB after",
        begun.elapsed().as_secs_f64(),
        before / 1000,
        after / 1000
    );
    let (checked, note) = lock_out(&address).await?;
    println!(
        "guesses that were checked before the account pauses: {checked}; its owner hears: {note}"
    );
    let megabytes = after as f64 / 1000.0;
    Ok(vec![
        Row::new("memory after 1,000 wrong passwords", 80.0, megabytes, "MB"),
        Row::new(
            "guesses for one account that are checked in a row",
            10.0,
            checked as f64,
            "",
        ),
        Row::new(
            "notes of wrong passwords that its owner did not get",
            0.0,
            f64::from(u8::from(!note.contains("wrong passwords were tried"))),
            "",
        ),
    ])
}

/// Guesses for an account until it pauses, and what its owner hears then.
async fn lock_out(address: &str) -> Result<(u64, String), Fault> {
    let mut checked = 0;
    for _ in 0..30 {
        if Client::guess(address, "victim").await?.contains("wait") {
            break;
        }
        checked += 1;
    }
    // The pause is a second at first.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let note = Client::owner_hears(address, "victim", PASSWORD).await?;
    Ok((checked, note))
}
