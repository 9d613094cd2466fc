//! 1,000 connections and 300 running games: how long from a move's arrival to its
//! delivery, how much memory a connection takes, how much of a processor it needs.
//!
//! The server is a process of its own (this program, started once more), so that its
//! numbers are its own. A move's way is measured from outside: from before it is
//! written by one client until the other has read it, both in this process; what the
//! clients need of a shared processor is in it too.

mod support;

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game};
use quadrille_server::hall::Settings;
use quadrille_server::meter::Rate;
use quadrille_server::password::Work;
use support::{Client, Fault, Process};

const GAMES: usize = 300;
const CLIENTS: usize = 1000;
const LASTS: Duration = Duration::from_secs(20);
/// How long a player thinks.
const THINK: std::ops::Range<u64> = 500..1500;
const SERVE: &str = "QUADRILLE_BENCH_SERVE";

fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    match std::env::var_os(SERVE) {
        Some(folder) => runtime.block_on(serve(PathBuf::from(folder))),
        None => runtime.block_on(measure()),
    }
}

async fn serve(folder: PathBuf) -> Result<(), Fault> {
    let settings = Settings {
        per_address: 2 * CLIENTS,
        handshakes: 2 * CLIENTS,
        connects: Rate::new(10_000, 10_000),
        ..Settings::default()
    };
    support::serve(&folder, settings, Work::Small).await
}

/// A long game that does not end: all play it.
fn long_game() -> Vec<String> {
    let mut random = SplitMix64::new(5);
    let mut line = AnyLine::start(Game::Chess);
    let mut texts = Vec::new();
    while texts.len() < 120 {
        let legal = line.legal(200);
        let m = legal[random.index(legal.len())];
        let Ok(text) = line.text_of(m) else { continue };
        if line.push(m).is_err() {
            continue;
        }
        if line.outcome_with_claims().is_some() || line.legal(1).is_empty() {
            line.pop();
            continue;
        }
        texts.push(text);
    }
    texts
}

/// When the last move of each game was written, and how long moves took.
#[derive(Default)]
struct Notes {
    written: Vec<Option<Instant>>,
    ways: Vec<Duration>,
}

type Written = Arc<Mutex<Notes>>;

async fn play(
    mut client: Client,
    game: usize,
    moves: Arc<Vec<String>>,
    written: Written,
) -> Result<(), Fault> {
    let mut random = SplitMix64::of(game as u64, 1);
    loop {
        let line = client.line().await?;
        let now = Instant::now();
        if line.starts_with("isready") {
            client.say("readyok").await?;
        } else if let Some(position) = line.strip_prefix("position startpos") {
            let plies = position.split_whitespace().count().saturating_sub(1);
            let next = client.line().await?;
            if !next.starts_with("go ") {
                continue;
            }
            if plies > 0 {
                let mut notes = written.lock().map_err(|_| "a client broke down")?;
                let at = notes.written[game].take();
                notes
                    .ways
                    .extend(at.map(|at| now.saturating_duration_since(at)));
            }
            let think = THINK.start + random.below(THINK.end - THINK.start);
            tokio::time::sleep(Duration::from_millis(think)).await;
            let text = format!("bestmove {}", moves[plies % moves.len()]);
            {
                let mut notes = written.lock().map_err(|_| "a client broke down")?;
                notes.written[game] = Some(Instant::now());
            }
            client.say(&text).await?;
        }
    }
}

async fn watch(mut client: Client, game: u64) -> Result<(), Fault> {
    client.say(&format!("lobby watch id {game}")).await?;
    loop {
        client.line().await?;
    }
}

async fn measure() -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    let program = std::env::current_exe()?;
    let (address, process) = Process::start(Command::new(program).env(SERVE, folder.path()))?;
    let (empty, _) = process.numbers();

    let mut clients = Vec::new();
    for n in 0..CLIENTS {
        clients.push(Client::enter(&address, &format!("c{n}")).await?);
    }
    let (full, _) = process.numbers();
    let spectators = clients.split_off(2 * GAMES);
    let moves = Arc::new(long_game());
    let written = Written::default();
    written.lock().map_err(|_| "broken")?.written = vec![None; GAMES];
    let mut clients = clients.into_iter();
    for game in 0..GAMES {
        let (Some(mut a), Some(mut b)) = (clients.next(), clients.next()) else {
            return Err("too few clients".into());
        };
        a.say(&format!("lobby seek time 3600 colour white word w{game}"))
            .await?;
        a.until("lobby seek").await?;
        b.say(&format!("lobby join word w{game}")).await?;
        for client in [a, b] {
            let play = play(client, game, Arc::clone(&moves), Arc::clone(&written));
            tokio::spawn(play);
        }
    }
    for (n, client) in spectators.into_iter().enumerate() {
        tokio::spawn(watch(client, (n % GAMES) as u64 + 1));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (playing, before) = process.numbers();
    let begun = Instant::now();
    tokio::time::sleep(LASTS).await;
    let (_, after) = process.numbers();
    let seconds = begun.elapsed().as_secs_f64();
    let mut ways = std::mem::take(&mut written.lock().map_err(|_| "broken")?.ways);
    drop(process);
    report(
        &mut ways,
        [empty, full, playing],
        (after - before) as f64,
        seconds,
    );
    Ok(())
}

fn report(ways: &mut [Duration], memory: [u64; 3], ticks: f64, seconds: f64) {
    ways.sort_unstable();
    let at = |share: f64| {
        let place = (ways.len() as f64 * share) as usize;
        let way = ways.get(place.min(ways.len().saturating_sub(1)));
        way.copied().unwrap_or_default().as_secs_f64() * 1000.0
    };
    let [empty, full, playing] = memory;
    let each = (full.saturating_sub(empty)) as f64 / CLIENTS as f64;
    println!("{CLIENTS} connections, {GAMES} games, {} moves", ways.len());
    println!(
        "a move's way: median {:.2} ms, 99 % {:.2} ms, longest {:.2} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    println!(
        "memory: {empty} KiB empty, {full} KiB with all, {each:.1} KiB a connection, {playing} KiB playing"
    );
    println!("processor: {:.1} % of one", ticks / seconds);
}
