//! Killed at any moment from the creation of its store to its closing, by SIGKILL or
//! SIGTERM, a match goes on to the same games.
//!
//! The ordinary test kills 24 times; `cargo xtask kill-test` 1,000 times
//! (`QUADRILLE_STORE_KILLS`) and prints how often which moment was hit. Only what hits a
//! running match is counted: a signal that comes too late is sent to another one.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use tempfile::TempDir;

use crate::match_kill::{same_store, without_times};
use crate::matches::quadrille;

const ROUNDS: u32 = 2;
const GAMES: u32 = 2 * ROUNDS;
/// What counts as the beginning, and at most as the end.
const EDGE: Duration = Duration::from_millis(100);
/// At most how long the store is in the making.
const MAKING: Duration = Duration::from_millis(50);
/// How often a match may have ended before it was to be killed, for one kill.
const TRIES: u32 = 200;

/// When a match is killed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Moment {
    /// Within the first 100 ms of the process.
    First,
    /// While the store is made: right after its file appears.
    Making,
    /// At any time.
    Any,
    /// After the last game, while the store is closed.
    Closing,
}

/// A quarter in the beginning, a quarter at the end.
const MOMENTS: [Moment; 8] = [
    Moment::First,
    Moment::Any,
    Moment::Closing,
    Moment::Any,
    Moment::Making,
    Moment::Any,
    Moment::Closing,
    Moment::Any,
];

fn start(folder: &Path) -> Command {
    let words = format!(
        "-engine cmd=builtin name=Ann -engine cmd=builtin name=Bob -each nodes=60 option.Hash=1 \
         -openings format=random plies=4 -srand 5 -rounds {ROUNDS} -games 2 -repeat \
         -maxmoves 6 -concurrency 2 -force-concurrency -store e.db -pgnout e.pgn"
    );
    quadrille(folder, &words)
}

/// Reads what a match says until its last game has ended, and how many had.
fn finished_games(child: &mut Child, wanted: u32) -> u32 {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut finished = 0;
    for line in lines.map_while(Result::ok) {
        finished += u32::from(line.starts_with("Finished game"));
        if finished == wanted {
            break;
        }
    }
    finished
}

/// How long a whole match takes, and how long it closes.
struct Times {
    whole: Duration,
    closing: Duration,
}

/// Plays it to the end.
fn whole(folder: &Path) -> Times {
    let begun = Instant::now();
    let mut child = start(folder).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(finished_games(&mut child, GAMES), GAMES);
    let closing = Instant::now();
    // Without a reader it says nothing more, and that is all.
    assert!(child.wait().unwrap().success());
    Times {
        whole: begun.elapsed(),
        // The last moment must be among those that are drawn.
        closing: (closing.elapsed() + Duration::from_millis(1)).min(EDGE),
    }
}

fn within(random: &mut SplitMix64, most: Duration) -> Duration {
    Duration::from_micros(random.below(most.as_micros() as u64 + 1))
}

/// Waits for the moment. How many games had ended, as far as that was seen.
fn wait_for(
    moment: Moment,
    child: &mut Child,
    folder: &Path,
    times: &Times,
    random: &mut SplitMix64,
) -> u32 {
    match moment {
        Moment::First => sleep(within(random, EDGE)),
        Moment::Any => sleep(within(random, times.whole)),
        Moment::Making => {
            let store = folder.join("e.db");
            while !store.exists() && child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
            sleep(within(random, MAKING));
        }
        Moment::Closing => {
            let finished = finished_games(child, GAMES);
            sleep(within(random, times.closing));
            return finished;
        }
    }
    0
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    // It may have ended by itself.
    let _ = Command::new("kill")
        .args([name, &id])
        .stderr(Stdio::null())
        .status();
}

/// What became of one kill.
struct Kill {
    /// How many matches had ended before.
    missed: u32,
    /// Nothing was played yet: the same command begins it again.
    anew: bool,
}

/// Kills a match at a moment. The folder in which it lay, and how many games had ended, as far
/// as that was seen; `None` if the match had ended before.
fn killed(
    moment: Moment,
    name: &str,
    times: &Times,
    random: &mut SplitMix64,
) -> Option<(TempDir, u32)> {
    let folder = TempDir::new().unwrap();
    let mut child = start(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let finished = wait_for(moment, &mut child, folder.path(), times, random);
    let running = child.try_wait().unwrap().is_none();
    signal(&child, name);
    let status = child.wait().unwrap();
    // SIGTERM may have it end in order.
    let hit = running && (name != "-KILL" || status.signal() == Some(9));
    hit.then_some((folder, finished))
}

/// Kills one match at a moment, and takes care that it is resumed exactly.
fn kill(
    moment: Moment,
    name: &str,
    times: &Times,
    expected: &Path,
    random: &mut SplitMix64,
) -> Kill {
    let what = format!("{name}, {moment:?}");
    let mut missed = 0;
    let (folder, finished) = loop {
        match killed(moment, name, times, random) {
            Some(hit) => break hit,
            None => missed += 1,
        }
        assert!(missed < TRIES, "{what}: every match ended before");
    };
    let folder = folder.path();

    let resumed = quadrille(folder, "--resume e.db").output().unwrap();
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    let nothing = said.contains("no such file") || said.contains("it is empty");
    if resumed.status.code() != Some(0) {
        assert!(nothing && finished == 0, "{what}: {said}");
        let again = start(folder).output().unwrap();
        let said = String::from_utf8_lossy(&again.stderr);
        assert_eq!(again.status.code(), Some(0), "{what}, begun anew: {said}");
    }
    let record = |folder: &Path| {
        let text = fs::read_to_string(folder.join("e.pgn")).unwrap();
        without_times(&text)
    };
    assert_eq!(record(folder), record(expected), "{what}");
    same_store(&expected.join("e.db"), &folder.join("e.db"), GAMES as usize);
    let beside = ["e.db-journal", "e.db-wal", "e.db-shm", "e.db-lock"];
    let left: Vec<_> = beside.iter().filter(|n| folder.join(n).exists()).collect();
    assert!(left.is_empty(), "{what}: {left:?} beside the store");
    Kill {
        missed,
        anew: nothing,
    }
}

/// `1,000`.
fn thousands(number: u32) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{thousands},{:03}", number % 1000),
    }
}

#[test]
fn killed_at_any_moment_a_match_is_resumed_exactly() {
    let kills: u32 = std::env::var("QUADRILLE_STORE_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(24);
    let expected = TempDir::new().unwrap();
    let times = whole(expected.path());
    let next = AtomicU32::new(0);
    let table = Mutex::new(vec![[0_u32; 3]; MOMENTS.len() * 2]);
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (next, table, expected, times) = (&next, &table, expected.path(), &times);
            scope.spawn(move || {
                let mut random = SplitMix64::new(u64::from(std::process::id()) << 8 | worker);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed) as usize;
                    if number >= kills as usize {
                        return;
                    }
                    let place = number % MOMENTS.len();
                    let second = number / MOMENTS.len() % 2;
                    let name = ["-KILL", "-TERM"][second];
                    let killed = kill(MOMENTS[place], name, times, expected, &mut random);
                    let row = &mut table.lock().unwrap()[place * 2 + second];
                    row[0] += 1;
                    row[1] += killed.missed;
                    row[2] += u32::from(killed.anew);
                }
            });
        }
    });
    let table = table.into_inner().unwrap();
    eprintln!("moment      signal   kills  too late  begun again  resumed");
    for (index, moment) in MOMENTS.iter().enumerate() {
        if MOMENTS[..index].contains(moment) {
            continue;
        }
        for (second, name) in ["KILL", "TERM"].into_iter().enumerate() {
            let same = (0..MOMENTS.len()).filter(|place| MOMENTS[*place] == *moment);
            let sum = same.fold([0; 3], |mut sum, place| {
                for (to, from) in sum.iter_mut().zip(table[place * 2 + second]) {
                    *to += from;
                }
                sum
            });
            let [kills, late, anew] = sum;
            eprintln!(
                "{:<11} SIG{name}  {kills:>5}  {late:>8}  {anew:>11}  {:>7}",
                format!("{moment:?}"),
                kills - anew
            );
        }
    }
    // Every other end of a kill is a panic.
    let exact: u32 = table.iter().map(|row| row[0]).sum();
    assert_eq!(exact, kills);
    eprintln!("{} resumes exact", thousands(exact));
}
