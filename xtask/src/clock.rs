//! Whether the clock can be trusted: engines that are late by choice must lose,
//! honest ones must not, on a calm machine and on a busy one.
//!
//! `cargo xtask clock` plays all of it and prints a table (three quarters of an hour
//! on two processors); `cargo xtask clock-quick` plays a quarter of the games.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::steps::{Outcome, cargo, read, root, run};

/// Ways of the zoo to be late.
const KINDS: [&str; 5] = [
    "sleeps-late",
    "spins-late",
    "sleeps-then-spins",
    "helper-spins",
    "polls-late",
];
/// How late, in milliseconds.
const LATE: [u32; 3] = [20, 50, 300];
/// The times of a game for an engine that is late with its first move: a clock and
/// a fixed time.
const SHORT: [&str; 2] = ["tc=0.2", "st=0.2"];
/// The times of a game for honest engines.
const BULLET: [&str; 3] = ["st=0.05", "tc=1+0.01", "tc=0.1+0.001"];
/// Other programs that compute beside honest games.
const LOADS: [usize; 3] = [0, 4, 16];
/// No load runs longer than this, whatever becomes of us.
const LOAD_SECONDS: u64 = 1800;

/// What is played with.
struct Programs {
    quadrille: PathBuf,
    zoo: PathBuf,
    folder: PathBuf,
}

/// All games.
pub(crate) fn whole() -> Outcome {
    measure(16, 60)
}

/// Enough games to see whether something broke.
pub(crate) fn quick() -> Outcome {
    measure(4, 12)
}

/// Computes for a while, as something that the machine has to do besides.
pub(crate) fn spin() {
    let end = Instant::now() + Duration::from_secs(LOAD_SECONDS);
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}

fn measure(late_games: usize, honest_games: usize) -> Outcome {
    run(cargo("build --release --package quadrille"))?;
    run(cargo(
        "build --release --package quadrille-test-engines --bin zoo",
    ))?;
    let release = crate::steps::target().join("release");
    let programs = Programs {
        quadrille: release.join("quadrille"),
        zoo: release.join("zoo"),
        folder: std::env::temp_dir().join(format!("quadrille-clock-{}", std::process::id())),
    };
    std::fs::create_dir_all(&programs.folder).map_err(|error| error.to_string())?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let played = play_all(&programs, processors, late_games, honest_games);
    // What is left of it is no worse than before.
    let _ = std::fs::remove_dir_all(&programs.folder);
    println!("\n{}", played?);
    Ok(())
}

fn play_all(
    programs: &Programs,
    processors: usize,
    late_games: usize,
    honest_games: usize,
) -> Result<String, String> {
    let mut table = String::new();
    for time in SHORT {
        let _ = writeln!(
            table,
            "{processors} processors, {time}: losses on time of {late_games} games of engines \
             that are late by choice\n\n| kind | load |{}\n|---|---|---|---|---|",
            LATE.map(|ms| format!(" {ms} ms |")).concat()
        );
        for (load, name) in [(0, "none"), (2 * processors, "twice")] {
            let _load = Load::start(load)?;
            for kind in KINDS {
                let _ = write!(table, "| {kind} | {name} |");
                for late in LATE {
                    let lost = programs.late(kind, time, late, late_games)?;
                    eprintln!(
                        "xtask: {kind}, {time}, {late} ms late, load {load}: {lost} of {late_games} lost"
                    );
                    let _ = write!(table, " {lost} |");
                }
                table.push('\n');
            }
        }
        table.push('\n');
    }
    table.push_str(
        "| honest games | time | at once | load | losses on time |\n|---|---|---|---|---|\n",
    );
    let mut honest = |time: &str, load: usize, at_once: usize| -> Result<(), String> {
        let _load = Load::start(load)?;
        let lost = programs.honest(time, honest_games, at_once)?;
        eprintln!("xtask: {honest_games} honest games, {time}, load {load}: {lost} lost");
        let _ = writeln!(
            table,
            "| {honest_games} | {time} | {at_once} | {load} | {lost} |"
        );
        Ok(())
    };
    for load in LOADS {
        for time in BULLET {
            honest(time, load, processors)?;
        }
    }
    honest(BULLET[1], 3 * processors, 2 * processors)?;
    Ok(table)
}

impl Programs {
    /// How many games an engine loses on time that is late with its first move.
    fn late(&self, kind: &str, time: &str, late: u32, games: usize) -> Result<usize, String> {
        let (zoo, store) = (self.zoo.display(), self.store());
        let mut words = words(&store);
        words.extend(["-engine".into(), format!("cmd={zoo}"), "name=late".into()]);
        words.push(format!("args={kind} --lag {late}"));
        words.extend(["-engine".into(), format!("cmd={zoo}"), "name=honest".into()]);
        words.extend(split(&format!(
            "-each {time} -rounds {games} -games 1 -noswap -maxmoves 1 -recover"
        )));
        let told = self.play(&words, &store)?;
        if told.len() != games {
            return Err(format!("{} games of {games} were played", told.len()));
        }
        let honest = |line: &&String| is_lost(line) && line.contains("\"1-0\"");
        if told.iter().filter(honest).count() > 0 {
            return Err("the honest engine lost on time".into());
        }
        Ok(told.iter().filter(|line| is_lost(line)).count())
    }

    /// How many games of our own engine are lost on time.
    fn honest(&self, time: &str, games: usize, at_once: usize) -> Result<usize, String> {
        let store = self.store();
        let mut words = words(&store);
        words.extend(split(&format!(
            "-engine cmd=builtin name=one -engine cmd=builtin name=two -each {time} \
             option.Hash=16 -rounds {} -repeat -openings format=random order=random plies=6 \
             -concurrency {at_once} -force-concurrency -srand 1 -recover",
            games.div_ceil(2)
        )));
        let told = self.play(&words, &store)?;
        Ok(told.iter().filter(|line| is_lost(line)).count())
    }

    fn store(&self) -> PathBuf {
        self.folder.join("clock.db")
    }

    /// Plays a match; the events of games that have ended.
    fn play(&self, words: &[String], store: &Path) -> Result<Vec<String>, String> {
        let _ = std::fs::remove_file(store);
        let mut command = Command::new(&self.quadrille);
        command.args(words).current_dir(root());
        let told = read(command)?;
        let ends = told.lines().filter(|line| line.contains("\"game-end\""));
        Ok(ends.map(String::from).collect())
    }
}

/// What every match begins with.
fn words(store: &Path) -> Vec<String> {
    let store = store.display().to_string();
    vec!["match".into(), "--json".into(), "-store".into(), store]
}

fn split(words: &str) -> impl Iterator<Item = String> {
    words.split_whitespace().map(String::from)
}

fn is_lost(line: &str) -> bool {
    line.contains("\"time forfeit\"")
}

/// Other work for the machine: in the same session as the games, because systems
/// that share out processors by session would give the games a share of their
/// own.
struct Load(Vec<Child>);

impl Load {
    fn start(count: usize) -> Result<Self, String> {
        let mut load = Self(Vec::new());
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        for _ in 0..count {
            let child = Command::new(&this)
                .arg(SPIN)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            load.0.push(child.map_err(|error| error.to_string())?);
        }
        Ok(load)
    }
}

/// The word that makes this program the load.
pub(crate) const SPIN: &str = "spin";

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
