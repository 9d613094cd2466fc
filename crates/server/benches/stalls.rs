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
const THINK: Duration = Duration::from_millis(400);
const STALLS: u64 = 500;

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
    runtime.block_on(async {
        attackers().await?;
        stalls().await?;
        passwords().await
    })
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
}

/// One who moves a knight to and fro until the position comes for the third time, and
/// then plays again.
async fn play(mut client: Client, tally: Arc<Tally>) -> Result<(), Fault> {
    loop {
        let Ok(line) = client.line().await else {
            tally.closed.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        if line.starts_with("isready") {
            client.say("readyok").await?;
        } else if line.starts_with("lobby end") {
            let late = line.contains("time");
            tally.lost.fetch_add(u64::from(late), Ordering::Relaxed);
            client.say("lobby rematch").await?;
        } else if let Some(position) = line.strip_prefix("position startpos") {
            let plies = position.split_whitespace().count().saturating_sub(1);
            if !client.line().await?.starts_with("go ") {
                continue;
            }
            tokio::time::sleep(THINK).await;
            let moves = ["b1c3", "b8c6", "c3b1", "c6b8"];
            client
                .say(&format!("bestmove {}", moves[plies % 4]))
                .await?;
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

async fn attackers() -> Result<(), Fault> {
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
    }
    drop(process);
    Ok(())
}

fn signal(process: &Process, signal: &str) -> Result<(), Fault> {
    let pid = process.0.id().to_string();
    Command::new("kill").args([signal, &pid]).status()?;
    Ok(())
}

async fn stalls() -> Result<(), Fault> {
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
        report(&format!("stopped for {seconds} s, three times"), &tally);
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
    report(&format!("{STALLS} stalls of up to 400 ms"), &tally);
    Ok(())
}

fn report(what: &str, tally: &Tally) {
    let count = |n: &AtomicU64| n.load(Ordering::Relaxed);
    println!(
        "{what:<30} {:>6} moves of players who are never late, {} wrong losses on time, {} cut off",
        count(&tally.moves),
        count(&tally.lost),
        count(&tally.closed)
    );
}

async fn passwords() -> Result<(), Fault> {
    let (folder, address, process) = start()?;
    let (before, _) = process.numbers();
    let place = folder.path().to_path_buf();
    let hash = password::hash("correct horse", Work::Usual)?;
    let file = place.join("server.db");
    assert!(store::is_running(&file), "the server has its file");
    tokio::task::spawn_blocking(move || {
        for n in 0..100 {
            let order = Order::Account {
                name: format!("acc{n}"),
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
    Ok(())
}
