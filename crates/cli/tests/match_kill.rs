//! Killed at any moment and resumed, a tournament is the one that was never
//! killed: same pairings, same games, same records, nobody left behind.
//!
//! The ordinary test kills eight times in twenty games; `cargo xtask kill-test`
//! kills fifty times in a hundred (`QUADRILLE_KILLS`).

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use quadrille_match::store::{GameState, Reader};
use tempfile::TempDir;

/// A folder with an engine of its own, so that its processes can be told from
/// all others.
struct Arena {
    folder: TempDir,
    engine: PathBuf,
}

impl Arena {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let engine = folder.path().join("engine");
        let program = env!("CARGO_BIN_EXE_quadrille");
        fs::hard_link(program, &engine)
            .or_else(|_| fs::copy(program, &engine).map(|_| ()))
            .unwrap();
        Self { folder, engine }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Three players of different strength, every opening with both colours.
    fn start(&self, name: &str, rounds: u32) -> Command {
        let mut command = quadrille(&self.path(""));
        for (player, nodes) in [("One", 300), ("Two", 700), ("Three", 450)] {
            let engine = self.engine.display();
            command.args([
                "-engine".into(),
                format!("cmd={engine}"),
                "args=engine --game chess".into(),
                format!("name={player}"),
                format!("nodes={nodes}"),
                "option.Hash=1".into(),
            ]);
        }
        let openings = "-openings format=random plies=6 -srand 7 -games 2 -repeat -concurrency 2";
        command.args(openings.split(' '));
        command.args(["-draw", "movenumber=30", "movecount=4", "score=20"]);
        command.args(["-resign", "movecount=3", "score=700", "-maxmoves", "80"]);
        command.args(["-rounds", &rounds.to_string()]);
        command.args(["-store", &format!("{name}.db")]);
        let file = format!("file={name}.pgn");
        command.args(["-pgnout", &file, "nodes=true", "pv=true", "seldepth=true"]);
        command.args(["-epdout", &format!("file={name}.epd")]);
        command
    }

    fn resume(&self, name: &str) -> Command {
        let mut command = quadrille(&self.path(""));
        command.args(["--resume", &format!("{name}.db")]);
        command
    }

    /// Processes of our engine, by number.
    fn engines(&self) -> Vec<u32> {
        let mine = |pid: &u32| {
            let program = fs::read_link(format!("/proc/{pid}/exe"));
            program.is_ok_and(|program| program == self.engine)
        };
        let entries = fs::read_dir("/proc").unwrap().flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(mine)
            .collect()
    }

    /// Orphans are gone soon; nothing says how soon.
    fn assert_no_orphans(&self) {
        let begun = Instant::now();
        loop {
            let left = self.engines();
            if left.is_empty() {
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "engines left behind: {left:?}"
            );
            sleep(Duration::from_millis(2));
        }
    }
}

fn quadrille(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.arg("match").current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Everything but times.
pub(crate) fn without_times(pgn: &str) -> String {
    let lines = pgn.lines().filter(|line| {
        let timed = [
            "[Date ",
            "[GameStartTime ",
            "[GameEndTime ",
            "[GameDuration ",
        ];
        !timed.iter().any(|tag| line.starts_with(tag))
    });
    let words = lines.flat_map(|line| line.split(' ').chain(["\n"]));
    let is_time = |word: &str| {
        let word = word.trim_end_matches(',');
        let number = word.strip_suffix('s').unwrap_or("");
        number.contains('.') && number.parse::<f64>().is_ok()
    };
    let kept: Vec<&str> = words.filter(|word| !is_time(word)).collect();
    // Where lines are broken depends on the length of the times.
    kept.join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// A moment between 0 and a fifth of a second, another each time.
fn moment(seed: &mut u64) -> Duration {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    Duration::from_micros((*seed >> 33) % 200_000)
}

/// Kills a run after a while; `true` if it had ended by itself before.
fn kill(mut run: Child, after: Duration) -> bool {
    sleep(after);
    let over = run.try_wait().unwrap().is_some();
    // SIGKILL: nothing of ours runs after it.
    let _ = run.kill();
    run.wait().unwrap();
    over
}

#[test]
fn killed_and_resumed_is_never_killed() {
    let kills: u32 = std::env::var("QUADRILLE_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(8);
    // Six games a round.
    let rounds = if kills > 8 { 17 } else { 4 };
    let arena = Arena::new();
    let whole = arena.start("whole", rounds).status().unwrap();
    assert!(whole.success());
    arena.assert_no_orphans();

    let mut seed = u64::from(kills);
    let mut run = arena.start("killed", rounds);
    let mut done = 0;
    let mut cut_short = 0;
    while done < kills {
        let over = kill(run.spawn().unwrap(), moment(&mut seed));
        arena.assert_no_orphans();
        done += 1;
        run = if has_event(&arena.path("killed.db")) {
            arena.resume("killed")
        } else {
            // Killed before there was anything to resume.
            arena.start("killed", rounds)
        };
        cut_short += u32::from(!over);
    }
    assert!(run.status().unwrap().success());
    arena.assert_no_orphans();
    eprintln!("{cut_short} of {done} kills hit a running tournament");
    assert!(cut_short * 2 > done, "most kills must hit something");

    let (whole, killed) = (arena.path("whole"), arena.path("killed"));
    let records = |path: &Path| without_times(&read(&path.with_extension("pgn")));
    assert_eq!(records(&killed), records(&whole));
    let ends = |path: &Path| read(&path.with_extension("epd"));
    assert_eq!(ends(&killed), ends(&whole));
    same_store(
        &whole.with_extension("db"),
        &killed.with_extension("db"),
        rounds as usize * 6,
    );
}

fn has_event(path: &Path) -> bool {
    Reader::open(path).is_ok_and(|reader| reader.event().is_ok())
}

pub(crate) fn same_store(whole: &Path, killed: &Path, games: usize) {
    let (whole, killed) = (Reader::open(whole).unwrap(), Reader::open(killed).unwrap());
    let (one, two) = (whole.games().unwrap(), killed.games().unwrap());
    assert_eq!(one.len(), games);
    assert_eq!(one.len(), two.len());
    for (a, b) in one.iter().zip(&two) {
        assert_eq!(
            (a.state, b.state),
            (GameState::Finished, GameState::Finished)
        );
        assert_eq!(a.new.number, b.new.number);
        assert_eq!(a.new.players, b.new.players);
        assert_eq!((&a.new.start, &a.new.label), (&b.new.start, &b.new.label));
        let ending = |row: &quadrille_match::store::GameRow| row.end.clone().unwrap().ending;
        assert_eq!(ending(a), ending(b));
        let moves = |reader: &Reader, number| {
            let plies = reader.plies(number).unwrap();
            let kept = plies
                .into_iter()
                .map(|p| (p.text, p.score, p.nodes, p.depth));
            kept.collect::<Vec<_>>()
        };
        assert_eq!(moves(&whole, a.new.number), moves(&killed, b.new.number));
    }
}

/// A script that becomes this program leaves it the children it had: they were
/// started by no engine.
#[test]
fn what_a_script_had_started_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_quadrille");
    let script = format!(
        "sleep 60 >&- 2>&- & echo $! > bystander; exec {program} match \
         -engine cmd=builtin name=a -engine cmd=builtin name=b \
         -each nodes=10 -maxmoves 2 -rounds 1 -games 2 -store e.db"
    );
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &script]).current_dir(folder.path());
    let done = command.output().unwrap();
    let bystander = read(&folder.path().join("bystander"));
    let state = fs::read_to_string(format!("/proc/{}/stat", bystander.trim()));
    let state = state.unwrap_or_default();
    let _ = Command::new("kill").arg(bystander.trim()).status();
    assert!(done.status.success(), "{done:?}");
    assert!(state.contains("(sleep) S"), "it was killed: {state:?}");
}

/// Our own sleep is no engine's fault, whatever the clock charges.
#[test]
fn a_suspended_match_takes_time_from_no_engine() {
    let folder = TempDir::new().unwrap();
    let signal = |child: &Child, name: &str| {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
    };
    let mut runs = Vec::new();
    for clock in ["fair", "wall"] {
        let mut command = quadrille(folder.path());
        let words = format!(
            "-engine cmd=builtin name=a -engine cmd=builtin name=b -each tc=3 nodes=3000 -clock {clock} \
             -openings format=random plies=4 -rounds 5000 -store {clock}.db"
        );
        runs.push((
            clock,
            command.args(words.split_whitespace()).spawn().unwrap(),
        ));
    }
    let finished = |clock: &str| -> Vec<String> {
        let Ok(reader) = Reader::open(&folder.path().join(format!("{clock}.db"))) else {
            return Vec::new();
        };
        let games = reader.games().unwrap_or_default();
        let over = games
            .into_iter()
            .filter(|game| game.state == GameState::Finished);
        over.map(|game| format!("{:?}", game.end.map(|end| end.ending)))
            .collect()
    };
    let wait_for_more = |runs: &[(&str, Child)], than: usize| {
        let begun = Instant::now();
        while runs.iter().any(|(clock, _)| finished(clock).len() <= than) {
            assert!(
                begun.elapsed() < Duration::from_mins(1),
                "no game was finished"
            );
            sleep(Duration::from_millis(50));
        }
    };
    wait_for_more(&runs, 0);
    for (_, run) in &runs {
        signal(run, "-STOP");
    }
    let most = runs.iter().map(|(clock, _)| finished(clock).len()).max();
    sleep(Duration::from_millis(3500));
    for (_, run) in &runs {
        signal(run, "-CONT");
    }
    wait_for_more(&runs, most.unwrap_or(0) + 1);
    for (clock, run) in runs {
        kill(run, Duration::ZERO);
        for game in finished(clock) {
            assert!(!game.contains("TimeForfeit"), "{clock}: {game}");
        }
    }
}
