//! Random and mutated command streams. Whatever is sent, a session neither
//! panics nor hangs nor keeps memory, answers every `isready`, and gives exactly
//! one `bestmove` for each `go`.
//!
//! The number of lines is `QUADRILLE_FUZZ_LINES` in all, shared by the four
//! games; a few thousand unless it is set.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use quadrille_games::Game;
use quadrille_games::random::SplitMix64;
use quadrille_protocol::{Code, Command, Dialect, HostSide, Report};
use support::Host;

fn pick<'a, T>(random: &mut SplitMix64, list: &'a [T]) -> &'a T {
    &list[random.index(list.len())]
}

/// Whole commands that make sense somewhere.
const LINES: &[&str] = &[
    "uci",
    "ugi",
    "debug on",
    "debug off",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "register later",
    "register name a b code c",
    "setoption name Hash value 1",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name Ponder value true",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 1000",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_ShowCurrLine value true",
    "setoption name UCI_ShowRefutations value true",
    "setoption name UCI_AnalyseMode value true",
    "setoption name UCI_SetPositionValue value 35 + 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    "setoption name UCI_SetPositionValue value clearall",
    "setoption name rules value 2013",
    "setoption name rules value 2012",
    "setoption name rules value 2016",
    "setoption name OwnBook value true",
    "setoption name BookFile value nowhere.bin",
    "setoption maxPly 1",
    "setoption maxTime 0.01",
    "setoption maxNodes 300",
    "setoption randomize true",
    "setoption moveFormat pairs",
    "setoption multiPv 4",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves h0g0 a7b7",
    "position startpos moves 0|1|9 35|27",
    "position startpos moves f2f3 e7e5 g2g4 d8h4",
    "position moves e2e4",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "position fen qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1",
    "position fen rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 - qcarbn",
    "position fen ss7/8/8/8/8/8/8/NN7 W",
    "position fen ss7/8/8/8/8/8/8/7NN W moves h0g0 a7b7",
    "position classic",
    "position endgame",
    "setpos start",
    "setpos bench",
    "setpos draw",
    "setpos data 000000/000000/000000/000000/212212/311331",
    "move h0g0",
    "go depth 1",
    "go depth 2",
    "go nodes 200",
    "go movetime 1",
    "go infinite",
    "go ponder depth 1",
    "go ponder wtime 10 btime 10",
    "go wtime 5 btime 5",
    "go time 5 inc 0",
    "go mate 1",
    "go searchmoves e2e4 d2d4 depth 1",
    "go depth 1 moves a2a3",
    "go",
    "go wtime -5 btime -5",
    "perft 1",
    "perft 2",
    "go perft 1",
    "eval",
    "eval h0g0",
    "display",
    "d",
    "showpos",
    "generate",
    "help",
    "clock wtime 5 btime 5",
    "info string hello",
    "",
    "joho debug off",
];

/// Words and pieces of words to put in the middle.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "99999999999999999999",
    "3.5",
    "e2e4",
    "a1a1",
    "0000",
    "h0L",
    "0|1|9",
    "|",
    "moves",
    "fen",
    "startpos",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "value",
    "name",
    "<empty>",
    "\t",
    "\u{0}",
    "\u{fffd}",
    "é",
    "/",
    "w",
    "-",
    "searchmoves",
    "wtime",
    "position",
];

fn line(random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = pick(random, LINES).as_bytes().to_vec();
    // Most lines are sent as they are: nonsense alone reaches nothing.
    if random.index(3) != 0 {
        return bytes;
    }
    for _ in 0..=random.index(3) {
        let at = random.index(bytes.len() + 1);
        match random.index(6) {
            0 => bytes.insert(at, random.next() as u8),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 if at < bytes.len() => bytes[at] = random.next() as u8,
            3 => {
                let word = format!(" {} ", pick(random, WORDS));
                bytes.splice(at..at, word.bytes());
            }
            4 => bytes.extend(pick(random, LINES).as_bytes()),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Lines that would take long or much memory by what they honestly ask for.
fn is_harmless(command: &Command<'_>) -> bool {
    match command {
        Command::Perft(depth) => depth.is_some_and(|d| d <= 2),
        Command::Bench(_) => false,
        Command::Go(go) => go.get_perft().is_none_or(|d| d <= 2),
        Command::SetOption(set) => {
            let text = set.name.to_string().to_ascii_lowercase();
            let large = set.value.is_some_and(|v| v.to_string().trim().len() > 1);
            !(large && (text.contains("hash") || text.contains("thread")))
        }
        _ => true,
    }
}

/// Whether a search that was begun so ends without `stop`.
fn ends_by_itself(command: &Command<'_>, game: Game) -> bool {
    let Command::Go(go) = command else {
        return false;
    };
    let short = |n: Option<u64>, most: u64| n.is_some_and(|n| n <= most);
    !go.is_infinite()
        && !go.is_ponder()
        && (short(go.get_depth(), 2) || short(go.get_nodes(), 300))
        && game != Game::Gyges
}

/// Bytes that may be in use for reasons other than a leak, such as output the
/// test itself holds.
const KEPT: usize = 64 << 10;
/// Mebibytes that may be resident for such reasons.
const RESIDENT: usize = 16;
/// The system's allocator keeps a heap for every few threads. After so many lines
/// for each game it has all that it will ever keep.
const SETTLED: usize = 100_000;

struct Run {
    host: Host,
    talk: HostSide,
    dialect: Dialect,
}

impl Run {
    fn new(game: Game, dialect: Dialect) -> Self {
        Self {
            host: Host::new(game, ""),
            talk: HostSide::new(dialect),
            dialect,
        }
    }

    fn heard(&mut self, line: &str) -> bool {
        let report = Report::parse(line.as_bytes(), self.dialect).message;
        for code in self.talk.received(&report).iter() {
            // Commands are sent without waiting, so the host cannot know which
            // of two searches its `stop` met; the engine's own side of the
            // conversation is checked by the session itself.
            let wrong = matches!(
                code,
                Code::BestmoveWithoutGo | Code::SecondBestmove | Code::UnexpectedReadyok
            );
            assert!(!wrong, "{code}: {line}");
        }
        matches!(report, Report::ReadyOk)
    }

    /// Sends a line that is exactly one command, or none.
    fn send(&mut self, bytes: &[u8]) {
        // A line end in the middle would make two commands of one.
        let line: Vec<u8> = bytes
            .iter()
            .map(|&b| if matches!(b, b'\n' | b'\r') { b' ' } else { b })
            .collect();
        let command = Command::parse(&line, self.dialect).message;
        if !is_harmless(&command) || matches!(command, Command::Quit) {
            return;
        }
        let perft = matches!(&command, Command::Go(go) if go.get_perft().is_some());
        if !perft {
            self.talk.sent(&command);
        }
        let mut raw = line.clone();
        raw.push(b'\n');
        self.host.send_raw(&raw);
    }

    /// Waits until everything sent so far is answered.
    fn sync(&mut self) {
        self.send(b"stop");
        self.send(b"isready");
        while self.talk.owed().readyok > 0 || self.talk.owed().bestmove > 0 {
            let line = self.host.line().expect("the session goes on");
            self.heard(&line);
        }
    }

    fn finish(mut self) {
        self.sync();
        let rest = self.host.quit();
        assert!(rest.iter().all(|line| line.starts_with("info")), "{rest:?}");
    }
}

fn fuzz(game: Game, dialect: Dialect, lines: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut run = Run::new(game, dialect);
    for number in 0..lines {
        let line = line(&mut random);
        let by_itself = ends_by_itself(&Command::parse(&line, dialect).message, game);
        run.send(&line);
        // Some searches may end in their own time, if none before them waits for `stop`,
        // which cuts all others short.
        if by_itself && run.talk.owed().bestmove == 1 && random.index(4) == 0 {
            while run.talk.owed().bestmove > 0 {
                let line = run.host.line().expect("the session goes on");
                run.heard(&line);
            }
        }
        if random.index(25) == 0 {
            run.sync();
        }
        // A fresh session now and then.
        if number % 5000 == 4999 {
            run.finish();
            run = Run::new(game, dialect);
        }
    }
    run.finish();
}

fn lines_per_game() -> usize {
    let lines = std::env::var("QUADRILLE_FUZZ_LINES").ok();
    let lines = lines.and_then(|text| text.parse().ok());
    lines.unwrap_or(20_000usize) / 4
}

/// Counts the bytes that are in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; counting touches
// no memory but the counter.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of this very method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above; what is freed here was allocated here.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Mebibytes that the system says we occupy, where it says so.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// Streams for all four games at the same time.
fn half(lines: usize, seed: u64) {
    let games = [
        (Game::Chess, Dialect::Uci),
        (Game::Liberty, Dialect::Ulci),
        (Game::Leiser, Dialect::Leiser),
        (Game::Gyges, Dialect::Ugi),
    ];
    let streams = games.map(|(game, dialect)| {
        let stream = move || fuzz(game, dialect, lines, seed ^ dialect as u64);
        let thread = thread::Builder::new().name(game.to_string());
        thread.spawn(stream).expect("a thread")
    });
    for stream in streams {
        if let Err(panic) = stream.join() {
            resume_unwind(panic);
        }
    }
}

/// One test and not four, because memory is one.
#[test]
fn streams_of_all_dialects() {
    let lines = lines_per_game() / 2;
    half(lines, 1 << 8);
    let first = (IN_USE.load(Ordering::Relaxed), resident());
    half(lines, 2 << 8);
    let second = (IN_USE.load(Ordering::Relaxed), resident());
    println!("bytes in use and MiB resident: {first:?}, then {second:?}");
    // Sessions are over at both moments. What stays are tables worked out once.
    assert!(second.0 <= first.0 + KEPT, "{first:?} {second:?}");
    if let (Some(before), Some(now), true) = (first.1, second.1, lines >= SETTLED) {
        assert!(now <= before + RESIDENT, "{first:?} {second:?}");
    }
}
