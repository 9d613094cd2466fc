//! Our match runner beside fastchess: same two engines, same openings, same
//! time control, same concurrency, one after the other in turns.
//!
//! ```sh
//! QUADRILLE_FASTCHESS=/path/to/fastchess cargo bench -p quadrille --bench side_by_side
//! ```
//!
//! More variables: `QUADRILLE_ENGINE` (a UCI engine; ours if missing), `QUADRILLE_RUNNER`
//! (our match runner; the one built with this bench if missing), `QUADRILLE_TC`
//! (0.2+0.002), `QUADRILLE_GAMES` (100 in each turn), `QUADRILLE_AT_ONCE` (2),
//! `QUADRILLE_TURNS` (3).
//!
//! Processor time is that of the runner alone, read from `/proc` while it runs;
//! its engines are not in it. Numbers mean something only on a machine that has
//! nothing else to do.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn variable(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.into())
}

fn main() {
    let Ok(fastchess) = std::env::var("QUADRILLE_FASTCHESS") else {
        println!("SKIPPED: name fastchess with QUADRILLE_FASTCHESS");
        return;
    };
    let folder = std::env::temp_dir().join(format!("side-by-side-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let plan = Plan::new(&folder);
    let turns: u32 = variable("QUADRILLE_TURNS", "3").parse().unwrap_or(3);
    let (mut ours, mut theirs) = (Measured::default(), Measured::default());
    for turn in 0..turns {
        theirs.add(&plan.run(turn, "fastchess", &fastchess, &[]));
        let store = format!("ours-{turn}.db");
        let more = ["--quiet", "-show-latency", "-store", &store];
        ours.add(&plan.run(turn, "ours", &runner(), &more));
    }
    println!(
        "\n{} games at {}, {} at once",
        plan.games, plan.tc, plan.at_once
    );
    println!("fastchess: {}", theirs.line());
    println!("quadrille: {}", ours.line());
    println!(
        "quadrille / fastchess: games per second {:.3}, moves per second {:.3}, processor time per move {:.3}",
        ours.games_per_second() / theirs.games_per_second(),
        ours.moves_per_second() / theirs.moves_per_second(),
        ours.cpu_per_move() / theirs.cpu_per_move()
    );
    // What is left in a temporary folder hurts nobody.
    let _ = fs::remove_dir_all(&folder);
}

/// Our match runner.
fn runner() -> String {
    variable("QUADRILLE_RUNNER", env!("CARGO_BIN_EXE_quadrille"))
}

struct Plan {
    folder: PathBuf,
    engine: String,
    args: String,
    tc: String,
    games: u32,
    at_once: String,
}

#[derive(Default, Clone, Copy)]
struct Measured {
    games: u32,
    moves: u64,
    /// Games that were lost on time.
    lost: u32,
    wall: Duration,
    cpu: Duration,
}

impl Measured {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.lost += other.lost;
        self.wall += other.wall;
        self.cpu += other.cpu;
    }

    fn games_per_second(&self) -> f64 {
        f64::from(self.games) / self.wall.as_secs_f64()
    }

    fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.wall.as_secs_f64()
    }

    fn cpu_per_move(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.moves.max(1) as f64
    }

    fn line(&self) -> String {
        format!(
            "{} games, {} lost on time, {} moves, {:.1} a second, {:.1} us of processor time per move",
            self.games,
            self.lost,
            self.moves,
            self.moves_per_second(),
            self.cpu_per_move()
        )
    }
}

impl Plan {
    fn new(folder: &Path) -> Self {
        let own = runner();
        let engine = variable("QUADRILLE_ENGINE", &own);
        let args = if engine == own {
            "engine --game chess"
        } else {
            ""
        };
        let games = variable("QUADRILLE_GAMES", "100").parse().unwrap_or(100);
        fs::write(folder.join("book.epd"), openings()).expect("a book");
        Self {
            folder: folder.into(),
            engine,
            args: args.into(),
            tc: variable("QUADRILLE_TC", "0.2+0.002"),
            games,
            at_once: variable("QUADRILLE_AT_ONCE", "2"),
        }
    }

    fn run(&self, turn: u32, name: &str, program: &str, more: &[&str]) -> Measured {
        let pgn = self.folder.join(format!("{name}-{turn}.pgn"));
        let mut command = Command::new(program);
        if name == "ours" {
            command.arg("match");
        }
        for player in ["one", "two"] {
            command.arg("-engine");
            command.arg(format!("cmd={}", self.engine));
            command.arg(format!("name={player}"));
            if !self.args.is_empty() {
                command.arg(format!("args={}", self.args));
            }
        }
        let rounds = (self.games / 2).to_string();
        let tc = format!("tc={}", self.tc);
        command.args(["-each", &tc, "option.Hash=1", "proto=uci"]);
        command.args([
            "-rounds",
            &rounds,
            "-games",
            "2",
            "-repeat",
            "-concurrency",
            &self.at_once,
        ]);
        command.args([
            "-openings",
            "file=book.epd",
            "format=epd",
            "order=sequential",
        ]);
        command.args(["-srand", "1", "-recover", "-ratinginterval", "0"]);
        command.args(["-pgnout", &format!("file={}", pgn.display())]);
        command.args(more).current_dir(&self.folder);
        let measured = measure(command);
        let text = fs::read_to_string(&pgn).unwrap_or_default();
        let plies = text
            .lines()
            .filter_map(|line| line.strip_prefix("[PlyCount \"")?.strip_suffix("\"]"))
            .filter_map(|number| number.parse::<u64>().ok());
        let (mut games, mut moves) = (0, 0);
        for count in plies {
            games += 1;
            moves += count;
        }
        let lost = text.matches("[Termination \"time forfeit\"]").count();
        let result = Measured {
            games,
            moves,
            lost: lost as u32,
            ..measured
        };
        println!("turn {turn}, {name}: {}", result.line());
        result
    }
}

/// What our runner reports about itself at the end.
const OWN_WORDS: [&str; 2] = ["Host:", "took"];

/// Runs a program to its end and keeps an eye on its processor time.
fn measure(mut command: Command) -> Measured {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdout = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || std::io::read_to_string(stdout).unwrap_or_default());
    let mut cpu = Duration::ZERO;
    while child.try_wait().expect("it is our child").is_none() {
        cpu = processor_time(child.id()).unwrap_or(cpu);
        sleep(Duration::from_millis(20));
    }
    let wall = start.elapsed();
    let said = reader.join().unwrap_or_default();
    let mut shown = String::new();
    for line in said
        .lines()
        .filter(|line| OWN_WORDS.iter().any(|words| line.contains(words)))
    {
        let _ = writeln!(shown, "{line}");
    }
    print!("{shown}");
    Measured {
        wall,
        cpu,
        ..Measured::default()
    }
}

/// Own user and system time, without that of children.
fn processor_time(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    // A process that has ended and was not waited for yet still has its times;
    // Linux counts a hundred ticks in a second everywhere.
    Some(Duration::from_millis(ticks * 10))
}

/// A few hundred positions after four random moves, the same every time.
fn openings() -> String {
    use quadrille_games::{AnyLine, Game};
    let mut seed: u64 = 1;
    let mut text = String::new();
    for _ in 0..300 {
        let mut line = AnyLine::start(Game::Chess);
        for _ in 0..8 {
            let moves = line.legal_moves(256);
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            if let Some(chosen) = moves.get((seed >> 33) as usize % moves.len().max(1)) {
                let _ = line.play(&chosen.text);
            }
        }
        let fields: Vec<String> = line
            .position_text()
            .split(' ')
            .take(4)
            .map(String::from)
            .collect();
        let _ = writeln!(text, "{}", fields.join(" "));
    }
    text
}
