//! The longest step of the hall under hostile lines: all others wait for it.
//!
//! Each kind is a conversation that ends in lines that mean no good; every one of
//! those is timed alone, with what the hall does for it at once, in time of this
//! thread's processor: what else runs on the machine does not count. The hall has
//! 4,000 connections, as many as it lets in. The budget of work is off, which would
//! only spread the lines over time.

use std::fmt::Write as _;
use std::time::Duration;

use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game};
use quadrille_server::glicko::Glicko;
use quadrille_server::hall::{
    AccountRow, ConnId, Effect, Hall, Keep, Kept, Order, RatingRow, Settings,
};
use quadrille_server::meter::Rate;

/// Connections beside those of a kind.
const OTHERS: usize = 3990;
/// Accounts with ratings in every game.
const ACCOUNTS: usize = 20_000;
/// The longest that one line may keep all others waiting.
const BOUND: Duration = Duration::from_millis(2);
/// How often a kind's lines are said.
const TIMES: usize = 20;

/// The time that this thread has had of a processor.
#[cfg(unix)]
fn used() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Elsewhere all time counts.
#[cfg(not(unix))]
fn used() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

/// A hall, and how long its steps take.
struct World {
    hall: Hall,
    now: Duration,
    next: u64,
    /// The last lines that were sent to anybody.
    said: Vec<(ConnId, String)>,
}

impl World {
    fn new() -> Self {
        let free = Rate::new(4_000_000_000, 4_000_000_000);
        let settings = Settings {
            lines: free,
            infos: free,
            connects: free,
            work: free,
            per_address: 10_000,
            handshakes: 10_000,
            chat: true,
            guest_squares: 1 << 16,
            ..Settings::default()
        };
        let mut kept = Kept::default();
        for n in 0..ACCOUNTS {
            let (name, hash) = (format!("account{n}"), String::new());
            for game in Game::ALL {
                let rating = 1000.0 + (n * 7919 % ACCOUNTS) as f64 / 20.0;
                let glicko = Glicko {
                    rating,
                    games: 5,
                    ..Glicko::default()
                };
                kept.ratings.push(RatingRow {
                    name: name.clone(),
                    game,
                    glicko,
                });
            }
            kept.accounts.push(AccountRow { name, hash });
        }
        let mut random = SplitMix64::new(1);
        let hall = Hall::new(settings, "bench", Box::new(move || random.next()), kept);
        Self {
            hall,
            now: Duration::from_secs(1),
            next: 1,
            said: Vec::new(),
        }
    }

    /// One step, and what it took.
    fn step(&mut self, act: impl FnOnce(&mut Hall, Duration)) -> Duration {
        let begun = used();
        act(&mut self.hall, self.now);
        self.hall.tick(self.now);
        let effects = self.hall.effects();
        let took = used().saturating_sub(begun);
        self.carry_out(effects).max(took)
    }

    /// As a server does. Writing an end is a step of its own.
    fn carry_out(&mut self, effects: Vec<Effect>) -> Duration {
        let mut longest = Duration::ZERO;
        for effect in effects {
            match effect {
                Effect::Send(conn, line) if self.said.len() < 100_000 => {
                    self.said.push((conn, line.to_string()));
                }
                Effect::Keep(Keep::End(game, ..)) => {
                    longest = longest.max(self.step(|hall, now| hall.written(game, now)));
                }
                _ => {}
            }
        }
        longest
    }

    /// News of lists go to their followers in slices, each of which is a step.
    fn deliver(&mut self, steps: &mut Vec<Duration>) {
        let until = self.now + Duration::from_millis(100);
        while let Some(at) = self.hall.deadline().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            steps.push(self.step(|_, _| {}));
        }
    }

    fn connect(&mut self) -> (ConnId, Duration) {
        let conn = ConnId(self.next);
        self.next += 1;
        let took = self.step(|hall, now| hall.connect(conn, None, now));
        (conn, took)
    }

    fn say(&mut self, conn: ConnId, line: &str) -> Duration {
        self.step(|hall, now| hall.line(conn, line, now, now))
    }

    fn enter(&mut self, name: &str, lobby: bool) -> ConnId {
        let (conn, _) = self.connect();
        let games = "id games chess liberty leiser gyges";
        for line in ["id version 1", "id pieces kmqcaehuriwbznxlop", games] {
            self.say(conn, line);
        }
        if lobby {
            self.say(conn, "id lobby 1");
        }
        self.say(conn, &format!("id username {name}"));
        self.say(conn, "uciok");
        conn
    }

    /// The number behind the last `word` that was sent.
    fn number(&self, word: &str) -> u64 {
        let found = self
            .said
            .iter()
            .rev()
            .find_map(|(_, line)| line.strip_prefix(word));
        let number = found.and_then(|rest| rest.split(' ').next()?.parse().ok());
        number.unwrap_or_else(|| panic!("nobody was told {word}"))
    }

    /// Two players in a game from a position; the first has White.
    fn game(&mut self, wish: &str) -> Result<[ConnId; 2], String> {
        let players = [self.enter("white", true), self.enter("black", true)];
        self.said.clear();
        self.say(
            players[0],
            &format!("lobby seek time 86400 colour white word sesame {wish}"),
        );
        if let Some((_, line)) = self.said.iter().find(|(_, line)| line.contains(" error ")) {
            return Err(line.clone());
        }
        self.say(players[1], "lobby join word sesame");
        for player in players {
            self.say(player, "readyok");
        }
        Ok(players)
    }

    fn leave(&mut self, conns: &[ConnId]) {
        for conn in conns {
            self.step(|hall, now| hall.closed(*conn, now));
        }
        // Grace, rematches and other timers run out.
        self.now += Duration::from_hours(1);
        self.step(|_, _| {});
        self.said.clear();
    }
}

/// A board by what stands on a square, the top rank first.
fn board(size: usize, piece: impl Fn(usize, usize) -> Option<char>) -> String {
    let mut text = String::new();
    for y in 0..size {
        let mut run = 0;
        for x in 0..size {
            match piece(x, y) {
                Some(letter) => {
                    if run > 0 {
                        let _ = write!(text, "{}", std::mem::take(&mut run));
                    }
                    text.push(letter);
                }
                None => run += 1,
            }
        }
        if run > 0 {
            let _ = write!(text, "{run}");
        }
        text.push('/');
    }
    text.pop();
    text + " w - - 0 1"
}

/// Boards that are as much work as can be.
fn boards() -> Vec<(&'static str, String)> {
    let corner = |x, y, size: usize| match (x, y) {
        (0, 0) => Some('k'),
        _ if (x, y) == (size - 1, size - 1) => Some('K'),
        _ => None,
    };
    let checked = |x, y, size: usize| match (x, y) {
        (10 | 30, 10) => Some('K'),
        (9 | 11 | 29 | 31, 12) => Some('n'),
        _ if (x, y) == (size - 1, size - 1) => Some('k'),
        _ => None,
    };
    let queens = |x: usize, y: usize| (y % 2 == 1 && x % 21 == y * 5 % 21 && y > 20).then_some('Q');
    vec![
        (
            "1,400 queens, 256x256",
            board(256, |x, y| corner(x, y, 256).or_else(|| queens(x, y))),
        ),
        (
            "two Kings in check, 190x190",
            board(190, |x, y| checked(x, y, 190).or_else(|| queens(x, y))),
        ),
        (
            "walls everywhere, 256x256",
            board(256, |x, y| {
                let queen = ((x, y) == (1, 200)).then_some('Q');
                corner(x, y, 256)
                    .or(queen)
                    .or_else(|| (y % 3 == 1 && x % 6 == 2).then_some('W'))
            }),
        ),
        (
            "nightriders, 256x256",
            board(256, |x, y| {
                corner(x, y, 256).or_else(|| (y % 4 == 1 && x % 12 == 2).then_some('I'))
            }),
        ),
        (
            "25 Kings, rooks, 200x200",
            board(200, |x, y| match (x, y) {
                _ if y == 100 && x % 8 == 0 => Some('K'),
                _ if y == 199 && x % 8 == 3 => Some('r'),
                (0, 0) => Some('k'),
                _ => (y % 9 == 1 && x % 20 == 5).then_some('i'),
            }),
        ),
        (
            "Bishops in rows, 120x120",
            board(120, |x, y| {
                corner(x, y, 120).or(match (x % 2, y % 2) {
                    (0, 1) if y < 100 => Some('B'),
                    (1, 1) if y < 100 => Some('p'),
                    _ => None,
                })
            }),
        ),
        (
            "full board, 64x64",
            board(64, |x, y| {
                corner(x, y, 64).or(Some(if x % 2 == 0 { 'A' } else { 'M' }))
            }),
        ),
        (
            "empty, 256x256",
            board(256, |x, y| {
                corner(x, y, 256).or(((x, y) == (5, 5)).then_some('P'))
            }),
        ),
    ]
}

type Rows = Vec<(String, Duration, Duration)>;

fn add(rows: &mut Rows, name: String, mut steps: Vec<Duration>) {
    steps.sort_unstable();
    let median = steps.get(steps.len() / 2).copied().unwrap_or_default();
    rows.push((name, median, steps.last().copied().unwrap_or_default()));
}

/// Lines at the board and about the board.
fn on_boards(world: &mut World, rows: &mut Rows) {
    for (name, fen) in boards() {
        let wish = format!("game liberty fen {fen}");
        let asker = world.enter("asker", true);
        let seek = format!("lobby seek time 60 word other {wish}");
        let mut steps = Vec::new();
        for _ in 0..TIMES {
            steps.push(world.say(asker, &seek));
            let unseek = world
                .said
                .iter()
                .any(|(_, line)| line.starts_with("lobby seek id"));
            if unseek {
                let id = world.number("lobby seek id ");
                steps.push(world.say(asker, &format!("lobby unseek id {id}")));
            }
            world.said.clear();
        }
        add(rows, format!("seek: {name}"), steps);
        world.leave(&[asker]);
        let mut begin = Vec::new();
        match world.game(&wish) {
            Ok(players) => {
                let long = "Q".repeat(15_000);
                for text in [
                    "Qc200", "a1b2", "O-O", "Wc200", "Kgr190", "e8=Q", "x4-x5", &long,
                ] {
                    let line = format!("bestmove {text}");
                    let steps = (0..TIMES).map(|_| world.say(players[0], &line)).collect();
                    let text = &text[..text.len().min(6)];
                    add(rows, format!("bestmove {text}: {name}"), steps);
                }
                let mut steps = Vec::new();
                let mut line = AnyLine::new(Game::Liberty, "", &fen).expect("a board");
                for ply in 0..TIMES {
                    let Some(m) = line.legal(1).first().copied() else {
                        break;
                    };
                    let text = line.text_of(m).expect("a legal move");
                    line.push(m).expect("a legal move");
                    world.now += Duration::from_millis(300);
                    steps.push(world.say(players[ply % 2], &format!("bestmove {text}")));
                }
                add(rows, format!("legal moves: {name}"), steps);
                world.leave(&players);
            }
            Err(why) => println!("{name} is refused: {why}"),
        }
        for _ in 0..3 {
            let [a, b] = [world.enter("one", true), world.enter("two", true)];
            world.say(a, &format!("lobby seek time 60 word sesame {wish}"));
            begin.push(world.say(b, "lobby join word sesame"));
            world.leave(&[a, b]);
        }
        add(rows, format!("the game begins: {name}"), begin);
    }
}

/// One line of a kind, said many times by one who is in.
const LINES: [(&str, &str); 26] = [
    ("list players", "lobby list players"),
    ("list engines", "lobby list engines"),
    ("list games", "lobby list games"),
    ("list ratings", "lobby list ratings"),
    ("list tournaments", "lobby list tournaments"),
    ("list seeks", "lobby list seeks"),
    ("preset of chess", "lobby seek time 60 preset nonsuch"),
    (
        "preset of Liberty",
        "lobby seek game liberty time 60 preset nonsuch",
    ),
    (
        "preset of Leiserchess",
        "lobby seek game leiser time 60 preset nonsuch",
    ),
    (
        "preset of Gyges",
        "lobby seek game gyges time 60 preset nonsuch",
    ),
    (
        "a position that is none",
        "lobby seek game liberty time 60 fen 256/k/K",
    ),
    (
        "chess of queens",
        "lobby seek time 60 word x fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ),
    (
        "a hard board of Gyges",
        "lobby seek game gyges time 60 word y fen 321231/000000/000000/000000/000000/132123",
    ),
    ("challenge", "lobby challenge c5 time 60"),
    ("play an engine", "lobby play game gyges time 60"),
    ("accept nothing", "lobby accept id 99999999"),
    ("join nothing", "lobby join word nonsuch"),
    ("watch", "lobby watch id 1"),
    ("draw", "lobby draw"),
    ("takeback", "lobby takeback"),
    ("rematch", "lobby rematch"),
    ("talk", "lobby say hello"),
    ("enter a tournament", "lobby tournament join id 1"),
    ("no such word", "lobby dance"),
    ("readyok", "readyok"),
    ("bestmove", "bestmove e2e4"),
];

fn in_the_lobby(world: &mut World, rows: &mut Rows) {
    let hal = world.enter("hal", true);
    for (name, line) in LINES {
        let steps = (0..TIMES).map(|_| world.say(hal, line)).collect();
        world.said.clear();
        add(rows, name.into(), steps);
    }
    let pairs = "a b ".repeat(4000);
    let long = [
        (
            "a wish of 4,000 keys",
            format!("lobby seek time 60 {pairs}"),
        ),
        (
            "a wish of one long word",
            format!("lobby seek time 60 preset {}", "x".repeat(16_000)),
        ),
        (
            "info of 16 KB",
            format!("info depth 5 score cp 1 pv {}", "e2e4 ".repeat(3000)),
        ),
        ("an unknown line of 16 KB", "y".repeat(16_000)),
    ];
    for (name, line) in long {
        let steps = (0..TIMES).map(|_| world.say(hal, &line)).collect();
        add(rows, name.into(), steps);
    }
    // Everybody follows seeks.
    let mut seeks = Vec::new();
    for _ in 0..TIMES {
        seeks.push(world.say(hal, "lobby seek time 60"));
        let id = world.number("lobby seek id ");
        world.deliver(&mut seeks);
        seeks.push(world.say(hal, &format!("lobby unseek id {id}")));
        world.deliver(&mut seeks);
        world.said.clear();
    }
    add(rows, format!("seek, {OTHERS} follow"), seeks);
    let mut gone = Vec::new();
    for _ in 0..5 {
        let eve = world.enter("eve", true);
        for _ in 0..5 {
            world.say(eve, "lobby seek time 60");
        }
        gone.push(world.step(|hall, now| hall.closed(eve, now)));
        world.deliver(&mut gone);
        world.said.clear();
    }
    add(rows, format!("five seeks go, {OTHERS} follow"), gone);
    world.leave(&[hal]);
    // Guests of one name, each with the next number.
    let mut steps = Vec::new();
    let mut guests = Vec::new();
    for _ in 0..TIMES {
        let (conn, took) = world.connect();
        steps.push(took);
        for line in ["id username c", "id lobby 1", "uciok"] {
            steps.push(world.say(conn, line));
        }
        guests.push(conn);
    }
    for conn in &guests {
        steps.push(world.step(|hall, now| hall.closed(*conn, now)));
    }
    add(rows, "connect, enter, leave".into(), steps);
    world.leave(&guests);
}

/// A game of 3,900 plies that 500 watch.
fn long_game(world: &mut World, rows: &mut Rows) {
    let players = world.game("").expect("a game of chess");
    let game = world.number("lobby start id ");
    let watchers: Vec<ConnId> = (0..490).map(|n| ConnId(n + 1)).collect();
    for conn in &watchers {
        world.say(*conn, &format!("lobby watch id {game}"));
    }
    // Knights and pawns: no position comes three times, and no fifty moves.
    let mut random = SplitMix64::new(9);
    let mut line = AnyLine::start(Game::Chess);
    let mut steps = Vec::new();
    for ply in 0..600 {
        let legal = line.legal(300);
        let next = (0..200).find_map(|_| {
            let m = legal[random.index(legal.len())];
            let text = line.text_of(m).ok()?;
            line.push(m).ok()?;
            if line.outcome_with_claims().is_none() && line.legal(1).len() == 1 {
                return Some(text);
            }
            line.pop();
            None
        });
        let Some(text) = next else { break };
        steps.push(world.say(players[ply % 2], &format!("bestmove {text}")));
        world.said.clear();
    }
    let name = |what: &str| format!("{what}, a long game, 490 watch");
    add(rows, name("moves"), steps);
    let says = (0..TIMES)
        .map(|_| world.say(players[0], "lobby say hello"))
        .collect();
    add(rows, name("talk"), says);
    let mut takes = Vec::new();
    for _ in 0..TIMES {
        takes.push(world.say(players[0], "lobby takeback"));
        takes.push(world.say(players[1], "lobby takeback"));
    }
    add(rows, name("take back"), takes);
    let mut ends = vec![world.say(players[0], "lobby resign")];
    ends.push(world.say(players[0], "lobby rematch"));
    ends.push(world.say(players[1], "lobby rematch"));
    add(rows, name("end and rematch"), ends);
    world.leave(&players);
}

/// Everybody against everybody, 200 players.
fn tournament(world: &mut World, rows: &mut Rows) {
    let order = r#"{"order":"tournament","title":"T","game":"chess","rules":"","position":"startpos",
        "time":"600+0","swiss":false,"rounds":1,"rated":false}"#;
    let order: Order = serde_json::from_str(order).expect("an order");
    let id = world.hall.operate(order, world.now).expect("a tournament")["id"].as_u64();
    let id = id.expect("a number");
    let mut joins = Vec::new();
    for n in 0..200 {
        joins.push(world.say(ConnId(n + 1), &format!("lobby tournament join id {id}")));
    }
    add(rows, "join a tournament".into(), joins);
    let begun = world.step(|hall, now| {
        let begin = Order::Begin { id, engines: false };
        hall.operate(begin, now).expect("it begins");
    });
    println!("a tournament of 200 begins, by the operator's order: {begun:.1?}");
    let mut steps = Vec::new();
    for n in 0..20 {
        steps.push(world.say(ConnId(n + 1), "lobby resign"));
        world.said.clear();
    }
    add(rows, "a result of a tournament of 200".into(), steps);
    let stranger = world.enter("stranger", true);
    let steps = vec![world.step(|hall, now| hall.closed(stranger, now))];
    add(rows, "a stranger leaves, during it".into(), steps);
    let mut steps = Vec::new();
    for n in 50..100 {
        steps.push(world.step(|hall, now| hall.closed(ConnId(n + 1), now)));
    }
    add(rows, "players leave, during it".into(), steps);
}

fn main() {
    let mut world = World::new();
    for n in 0..OTHERS {
        let conn = world.enter(&format!("c-{n}"), true);
        world.say(conn, "lobby list seeks");
        world.said.clear();
    }
    let mut rows = Vec::new();
    on_boards(&mut world, &mut rows);
    in_the_lobby(&mut world, &mut rows);
    long_game(&mut world, &mut rows);
    tournament(&mut world, &mut rows);
    println!("{:<58} {:>9} {:>9}", "kind", "median", "longest");
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    for (name, median, longest) in &rows {
        println!(
            "{name:<58} {:>6.3} ms {:>6.3} ms",
            ms(*median),
            ms(*longest)
        );
    }
    let longest = rows.iter().max_by_key(|row| row.2).expect("rows");
    println!(
        "{} kinds; the longest step: {:.3} ms, {}",
        rows.len(),
        ms(longest.2),
        longest.0
    );
    let kept = rows.iter().filter(|row| row.2 <= BOUND).count();
    println!(
        "{:<44} {:>16} {:>22}",
        "bound: longest step of the hall, 2 ms",
        format!("{:.3} ms", ms(longest.2)),
        if kept == rows.len() {
            "kept".into()
        } else {
            format!("{kept} of {} kept", rows.len())
        }
    );
}
