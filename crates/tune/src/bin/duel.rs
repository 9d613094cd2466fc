//! Two builds of this program against each other at a fixed number of nodes.
//!
//! ```text
//! duel --a PROGRAM --b PROGRAM [options]
//!   --games N     games, each opening played with both colours (default 200)
//!   --nodes N     nodes for each move (default 5000)
//!   --threads N   games at a time (default: all cores)
//!   --seed N      openings (default 1)
//!   --plies N     random plies at the start (default 8)
//!   --shuffled N  percent of shuffled start positions (default 0)
//! ```
//! Both programs are `duel` itself, built from different sources: started with
//! `--serve yes` it answers each line `nodes TAB fen TAB moves` with `move score`,
//! and a line `new` with a cleared memory.

use core::sync::atomic::{AtomicU64, Ordering};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::{Line, Position, Side};
use quadrille_search::{Control, Limits, Searcher};
use quadrille_tune::args::Args;
use quadrille_tune::opening;
use quadrille_tune::random::Random;

/// Games are drawn after this many plies.
const LONGEST: usize = 400;
/// Both programs see this for some plies: the game is won.
const WON: i32 = 1_000;
const AGREED: u32 = 6;

fn main() -> ExitCode {
    match run(Args::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("duel: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: Args) -> Result<(), String> {
    if args.text("--serve")?.is_some() {
        return serve();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.value("--threads", cores)?.clamp(1, 256);
    let duel = Duel {
        programs: [
            args.text("--a")?.ok_or("--a PROGRAM is missing")?,
            args.text("--b")?.ok_or("--b PROGRAM is missing")?,
        ],
        pairs: args.value("--games", 200u64)?.div_ceil(2),
        nodes: args.value("--nodes", 5_000)?,
        seed: args.value("--seed", 1)?,
        plies: args.value("--plies", 8)?,
        shuffled: args.value("--shuffled", 0)?,
        next: AtomicU64::new(0),
        score: Mutex::new(Score::default()),
    };
    args.rest()?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| duel.play())).collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("a game ended in a panic".into()))
        })
    })?;
    println!(
        "{}",
        duel.score.lock().unwrap_or_else(PoisonError::into_inner)
    );
    Ok(())
}

/// Answers questions on standard input until it ends.
fn serve() -> Result<(), String> {
    let mut searcher = Searcher::<Chess>::new();
    searcher.set_hash(8);
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        if line == "new" {
            searcher.clear();
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [nodes, fen, moves] = fields[..] else {
            return Err(format!("not a question: {line}"));
        };
        let nodes = nodes
            .parse()
            .map_err(|_| format!("not a number: {nodes}"))?;
        let rules = ChessRules { chess960: true };
        let start = Chess::from_text(fen, &rules).map_err(|error| error.to_string())?;
        let mut play = Line::new(start);
        for text in moves.split_whitespace() {
            play.play(text).map_err(|error| error.to_string())?;
        }
        let answer = searcher.go(&play, &Limits::to_nodes(nodes), &Control::new(), &mut ());
        let best = answer.best.ok_or("no move in a game that is not over")?;
        let score = answer.last.lines.first().map_or(0, |l| l.score.value());
        println!("{} {score}", play.position().move_text(best));
    }
    Ok(())
}

struct Duel {
    programs: [String; 2],
    pairs: u64,
    nodes: u64,
    seed: u64,
    plies: usize,
    shuffled: usize,
    next: AtomicU64,
    score: Mutex<Score>,
}

/// A running program.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(program: &str) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(["--serve", "yes"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = child.stdout.take().ok_or("no standard output")?;
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    fn tell(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").map_err(|error| error.to_string())
    }

    /// A move and its score for the side to move.
    fn ask(&mut self, question: &str) -> Result<(String, i32), String> {
        self.tell(question)?;
        let mut answer = String::new();
        self.output
            .read_line(&mut answer)
            .map_err(|error| error.to_string())?;
        let mut words = answer.split_whitespace();
        match (words.next(), words.next().and_then(|w| w.parse().ok())) {
            (Some(text), Some(score)) => Ok((text.into(), score)),
            _ => Err(format!("no answer to {question}: {answer:?}")),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended by itself; either way there is nothing left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Duel {
    fn play(&self) -> Result<(), String> {
        let mut players = [
            Player::start(&self.programs[0])?,
            Player::start(&self.programs[1])?,
        ];
        loop {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.pairs {
                return Ok(());
            }
            let seed = Random::new(self.seed ^ pair.rotate_left(32)).next();
            let start = opening::random(&mut Random::new(seed), self.plies, self.shuffled);
            let start = start.with_chess960(true);
            let mut points = 0;
            for white in [0, 1] {
                let winner = self.game(&mut players, white, start)?;
                points += match winner {
                    None => 1,
                    Some(side) => 2 * i32::from((side == Side::White) == (white == 0)),
                };
            }
            let mut score = self.score.lock().unwrap_or_else(PoisonError::into_inner);
            score.pairs[points as usize] += 1;
            if score.pairs.iter().sum::<u64>().is_multiple_of(25) {
                println!("{score}");
            }
        }
    }

    fn game(
        &self,
        players: &mut [Player; 2],
        white: usize,
        start: Chess,
    ) -> Result<Option<Side>, String> {
        for player in players.iter_mut() {
            player.tell("new")?;
        }
        let fen = start.text();
        let mut line = Line::new(start);
        let mut moves = String::new();
        let mut agreed = [0u32; 2];
        while line.moves().len() < LONGEST {
            if let Some(outcome) = line.outcome_with_claims() {
                return Ok(outcome.winner);
            }
            let side = line.position().side();
            let question = format!("{}\t{fen}\t{moves}", self.nodes);
            let (text, score) = players[white ^ side.index()].ask(&question)?;
            let for_white = if side == Side::White { score } else { -score };
            for (winner, sign) in [(Side::White, 1), (Side::Black, -1)] {
                let count = &mut agreed[winner.index()];
                *count = if for_white * sign >= WON {
                    *count + 1
                } else {
                    0
                };
                if *count >= AGREED {
                    return Ok(Some(winner));
                }
            }
            line.play(&text).map_err(|error| error.to_string())?;
            moves.push(' ');
            moves.push_str(&text);
        }
        Ok(None)
    }
}

/// Pairs of games by points of the first program in half points: 0 to 4.
#[derive(Debug, Default)]
struct Score {
    pairs: [u64; 5],
}

impl core::fmt::Display for Score {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let count = self.pairs.iter().sum::<u64>().max(1) as f64;
        let share = |i: usize| i as f64 / 4.0;
        let mean = (0..5).map(|i| self.pairs[i] as f64 * share(i)).sum::<f64>() / count;
        let spread = (0..5)
            .map(|i| self.pairs[i] as f64 * (share(i) - mean).powi(2))
            .sum::<f64>()
            / count;
        let error = 1.96 * (spread / count).sqrt();
        let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
        write!(
            f,
            "a against b: {} games, {:.1} %, Elo {:+.0} [{:+.0}, {:+.0}], pairs {:?}",
            2.0 * count,
            100.0 * mean,
            elo(mean),
            elo(mean - error),
            elo(mean + error),
            self.pairs
        )
    }
}
