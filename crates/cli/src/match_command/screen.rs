//! A calm view for a terminal: a block of lines at the bottom that stays where it
//! is, and above it the games as they end.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use quadrille_games::Side;
use quadrille_match::config::MatchConfig;
use quadrille_match::referee::Ply;
use quadrille_match::tournament::{MatchEvent, Results};

use quadrille_net::sanitize::{cut, printable};

use super::lines::sentence;
use super::report::{rating_lines, score_lines};
use crate::figure::short;
use crate::printer::Page;

/// Often enough to follow, seldom enough to read.
const REDRAW: Duration = Duration::from_millis(500);
/// Running games that are shown one by one.
const SHOWN: usize = 8;
/// Lines that have scrolled by and are written again when the window changes.
const RECENT: usize = 100;

const KEYS: &str = "\
p or space  pause: running games are finished, no new ones begin; again: go on
+ and -     more or fewer games at once
q           stop after the running games; a second q gives them up at once
ctrl-c      like q
?           show or hide these lines
A stopped match goes on with --resume.
";

/// What the match is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Paused,
    Stopping,
}

/// What is on the screen.
pub(crate) struct Screen {
    /// Whether keys are listened to.
    pub(crate) keys: bool,
    help: bool,
    size: fn() -> (usize, usize),
    total: u64,
    finished: u64,
    /// In this run.
    finished_here: u64,
    concurrency: usize,
    state: State,
    /// Time in which games could begin, and since when they can now.
    active: Duration,
    since: Option<Instant>,
    running: BTreeMap<u64, Running>,
    names: Vec<String>,
    /// Score, ratings and test.
    standing: String,
    recent: VecDeque<String>,
    /// Lines of the block that is on the screen, and the window it was made for.
    height: usize,
    drawn_for: Option<(usize, usize)>,
    drawn: String,
    interval: u64,
    /// Who plays elsewhere, where games are played there.
    workers: Option<String>,
}

struct Running {
    players: [usize; 2],
    plies: usize,
    last: String,
    mover: usize,
    /// When the mover was asked, as far as is known here.
    since: Instant,
    sides: [Seen; 2],
}

/// What was last heard of one side.
#[derive(Default)]
struct Seen {
    clock: Option<i64>,
    score: String,
    depth: Option<u64>,
    speed: Option<u64>,
}

impl Seen {
    fn of(made: &Ply) -> Self {
        let counted = made.nodes.map(|nodes| {
            let micros = u64::try_from(made.elapsed.as_micros()).unwrap_or(u64::MAX);
            nodes.saturating_mul(1_000_000) / micros.max(1)
        });
        Self {
            clock: made.clock_us,
            score: made.score.map(|s| s.to_string()).unwrap_or_default(),
            depth: made.depth,
            speed: made.nps.or(counted),
        }
    }
}

/// Columns and lines of the window.
fn window() -> (usize, usize) {
    let size = terminal_size::terminal_size();
    size.map_or((80, 24), |(w, h)| (w.0.into(), h.0.into()))
}

impl Screen {
    pub(crate) fn new(config: &MatchConfig) -> Self {
        Self {
            keys: false,
            help: false,
            size: window,
            total: 0,
            finished: 0,
            finished_here: 0,
            concurrency: config.machine.concurrency,
            state: State::Running,
            active: Duration::ZERO,
            since: None,
            running: BTreeMap::new(),
            names: Vec::new(),
            standing: String::new(),
            recent: VecDeque::new(),
            height: 0,
            drawn_for: None,
            drawn: String::new(),
            interval: config.output.rating_interval.into(),
            workers: None,
        }
    }

    /// Shows or hides what the keys do.
    pub(crate) fn toggle_help(&mut self) {
        self.help = !self.help;
    }

    /// Takes an event in; what scrolls by because of it.
    pub(crate) fn event(&mut self, event: &MatchEvent, results: &Results) -> Option<String> {
        self.take(event);
        if matches!(event, MatchEvent::Start { .. } | MatchEvent::Score(_)) {
            self.names = results.names().to_vec();
            self.finished = results.standing().finished;
            self.standing = standing(results, (self.size)().0);
        }
        match event {
            MatchEvent::GameStart { .. } => None,
            // With thousands of games only every tenth result would be read.
            MatchEvent::GameEnd { .. } if self.interval > 0 && self.total > 1000 => {
                let due = results.standing().finished.is_multiple_of(self.interval);
                due.then(|| sentence(event, results.names(), self.total))?
            }
            _ => sentence(event, results.names(), self.total),
        }
    }

    fn take(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::Start { games, .. } => {
                self.total = *games;
                self.since = Some(Instant::now());
            }
            MatchEvent::GameStart {
                game,
                white,
                black,
                moves,
                first,
                ..
            } => {
                let black_begins = usize::from(*first == Side::Black);
                let running = Running {
                    players: [*white, *black],
                    plies: moves.len(),
                    last: String::new(),
                    mover: (moves.len() + black_begins) % 2,
                    since: Instant::now(),
                    sides: Default::default(),
                };
                self.running.insert(*game, running);
                self.total = self.total.max(*game);
            }
            MatchEvent::Ply { game, ply, made } => {
                if let Some(running) = self.running.get_mut(game) {
                    running.plies = *ply;
                    running.last.clone_from(&made.notation);
                    running.sides[running.mover] = Seen::of(made);
                    running.mover = 1 - running.mover;
                    running.since = Instant::now();
                }
            }
            MatchEvent::GameEnd { game, .. } => {
                self.running.remove(game);
                self.finished_here += 1;
            }
            MatchEvent::GameAbandoned { game } | MatchEvent::Trouble { game, .. } => {
                self.running.remove(game);
            }
            MatchEvent::Paused => self.turn(State::Paused),
            MatchEvent::Resumed => self.turn(State::Running),
            MatchEvent::Stopping { .. } => self.turn(State::Stopping),
            MatchEvent::Concurrency { concurrency } => self.concurrency = *concurrency,
            MatchEvent::GameAgain { game, .. } => {
                if let Some(running) = self.running.get_mut(game) {
                    running.last.clear();
                    running.sides = Default::default();
                }
            }
            MatchEvent::Workers {
                workers,
                in_flight,
                games_per_minute,
            } => {
                self.workers = Some(format!(
                    "{workers} workers, {in_flight} games in flight, {games_per_minute:.1} games a minute\n"
                ));
            }
            MatchEvent::Score(_) | MatchEvent::Warning { .. } => {}
        }
    }

    fn turn(&mut self, state: State) {
        self.state = state;
        if let Some(since) = self.since.take() {
            self.active += since.elapsed();
        }
        if state == State::Running {
            self.since = Some(Instant::now());
        }
    }

    /// How far the match is, and how long it will take, where that can be said.
    fn headline(&self) -> String {
        let mut text = format!(
            "{} of {} games, {} at once, ",
            self.finished, self.total, self.concurrency
        );
        text.push_str(match self.state {
            State::Running => "running",
            State::Paused => "paused: p goes on",
            State::Stopping => "stopping after the running games",
        });
        if let Some(since) = self.since.filter(|_| self.finished_here > 0) {
            let spent = (self.active + since.elapsed()).as_secs_f64();
            let left = self.total.saturating_sub(self.finished) as f64;
            let rest = Duration::try_from_secs_f64(spent / self.finished_here as f64 * left);
            let _ = write!(
                text,
                ", about {} to go",
                rough(rest.unwrap_or(Duration::MAX))
            );
        }
        text.push('\n');
        text
    }

    /// What is always there, and the games as far as there is room for them.
    fn block(&self, (width, lines): (usize, usize)) -> Vec<String> {
        let mut text = self.headline();
        text.push_str(self.workers.as_deref().unwrap_or_default());
        text.push_str(&self.standing);
        let mut foot = String::new();
        if self.keys {
            foot.push_str(match (self.help, self.state) {
                (true, _) => KEYS,
                (false, State::Stopping) => "q gives the running games up at once, ? all keys\n",
                (false, _) => "p pause, + - games at once, q stop (twice: now), ? keys\n",
            });
        }
        let taken = text.lines().count() + foot.lines().count() + 3;
        let shown = (lines.saturating_sub(taken) / 2).min(SHOWN);
        if shown > 0 && !self.running.is_empty() {
            text.push_str(&self.games(shown, width));
        }
        text.push_str(&foot);
        // The last column stays free: some terminals wrap when it is written to.
        // The block must never be as high as the window, or it could not be
        // taken away again.
        let cut = |line| cut(line, width.saturating_sub(1).max(1)).into_owned();
        let most = lines.saturating_sub(1).max(1);
        text.lines().take(most).map(cut).collect()
    }

    fn games(&self, shown: usize, width: usize) -> String {
        let name_width = width.saturating_sub(52).clamp(8, 40);
        let mut text = format!(
            "{:>6}  {:<name_width$} {:>9} {:>8} {:>6} {:>8}  {}\n",
            "game", "player", "clock", "score", "depth", "nodes/s", "ply"
        );
        for (game, running) in self.running.iter().take(shown) {
            for (side, seen) in running.sides.iter().enumerate() {
                let name = self
                    .names
                    .get(running.players[side])
                    .map_or("?", String::as_str);
                let to_move = side == running.mover;
                let number = match side {
                    0 => game.to_string(),
                    _ => String::new(),
                };
                let clock = seen.clock.map_or(String::new(), |left| {
                    let spent = running.since.elapsed().as_micros();
                    let spent = i64::try_from(spent).unwrap_or(i64::MAX);
                    clock(if to_move {
                        left.saturating_sub(spent)
                    } else {
                        left
                    })
                });
                let last = match side {
                    0 => format!("{} {}", running.plies, running.last),
                    _ => String::new(),
                };
                let _ = writeln!(
                    text,
                    "{number:>6} {}{:<name_width$} {clock:>9} {:>8} {:>6} {:>8}  {last}",
                    if to_move { '>' } else { ' ' },
                    cut(name, name_width),
                    seen.score,
                    seen.depth.map_or(String::new(), |d| d.to_string()),
                    seen.speed.map_or(String::new(), short),
                );
            }
        }
        if self.running.len() > shown {
            let _ = writeln!(text, "        and {} more", self.running.len() - shown);
        }
        text
    }

    /// Takes the block away. In another window than it was made for, it may stand
    /// on more lines than it had, or on other ones: then everything visible is
    /// written anew, as far as the next block leaves room for it.
    fn clear(&mut self, size: (usize, usize), next: usize, out: &mut String) {
        let resized = self.drawn_for.is_some_and(|known| known != size);
        if resized {
            out.push_str("\x1b[H\x1b[2J");
            let room = size.1.saturating_sub(next + 1);
            let rows = |line: &String| line.chars().count().max(1).div_ceil(size.0.max(1));
            let mut left = room;
            let mut fits = 0;
            for line in self.recent.iter().rev() {
                if rows(line) > left {
                    break;
                }
                left -= rows(line);
                fits += 1;
            }
            for line in self.recent.iter().skip(self.recent.len() - fits) {
                out.push_str(line);
                out.push('\n');
            }
        } else if self.height > 0 {
            let _ = write!(out, "\x1b[{}A\x1b[J", self.height);
        }
        self.height = 0;
    }

    fn remember(&mut self, text: &str) {
        for line in text.lines() {
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(line.into());
        }
    }
}

impl Page for Screen {
    fn pause(&self) -> Option<Duration> {
        Some(REDRAW)
    }

    fn lay_out(&mut self, text: Vec<u8>, last: bool) -> Vec<u8> {
        let text = String::from_utf8_lossy(&text);
        let size = (self.size)();
        // Nothing is drawn before the first words.
        let block = if last || self.names.is_empty() {
            String::new()
        } else {
            self.block(size).join("\n") + "\n"
        };
        let same = self.drawn == block && self.drawn_for == Some(size);
        if same && text.is_empty() && !last {
            return Vec::new();
        }
        let mut out = String::new();
        self.clear(size, block.lines().count(), &mut out);
        out.push_str(&text);
        self.remember(&text);
        if !block.is_empty() {
            // A line that is wider than it looks is cut, and does not wrap.
            let _ = write!(out, "\x1b[?7l{block}\x1b[?7h");
            self.height = block.lines().count();
        }
        self.drawn_for = (!block.is_empty()).then_some(size);
        self.drawn = block;
        out.into_bytes()
    }
}

/// The score and what it means, with names that leave room for it.
fn standing(results: &Results, width: usize) -> String {
    let mut standing = results.standing().clone();
    for player in &mut standing.players {
        player.name = cut(&player.name, width.saturating_sub(48).clamp(8, 80) / 2).into_owned();
    }
    let mut text = score_lines(&standing);
    text.push_str(&rating_lines(results));
    printable(&text).into_owned()
}

/// `1:02:03`, `1:02.3`, and a minus sign where a margin is used up.
fn clock(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let tenths = micros.unsigned_abs() / 100_000;
    let s = tenths / 10;
    match s {
        3600.. => format!("{sign}{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60),
        _ => format!("{sign}{}:{:02}.{}", s / 60, s % 60, tenths % 10),
    }
}

fn rough(time: Duration) -> String {
    let s = time.as_secs();
    match s {
        0..90 => format!("{s} s"),
        90..5400 => format!("{} min", s.div_ceil(60)),
        _ => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use quadrille_driver::EngineScore;
    use quadrille_match::config::read_flags;

    use super::*;

    const LONG: &str = "A name with\u{1b}[2J more letters than there is room for";

    fn screen(size: fn() -> (usize, usize)) -> (Screen, Results) {
        let words = "-engine cmd=a name=Ann -engine cmd=b name=B -each tc=10 -rounds 9";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let mut config = read_flags(words).unwrap().draft.finish().unwrap();
        config.engines[1].spec.name = Some(LONG.into());
        let mut screen = Screen::new(&config);
        screen.size = size;
        screen.keys = true;
        let results = Results::new(&config);
        for event in [
            r#"{"event":"start","store":"e.db","name":"","players":[],"finished":0,"games":18,"concurrency":1}"#,
            r#"{"event":"game-start","game":1,"round":1,"white":0,"black":1,"opening":"","first":"white","start":"","moves":["e2e4"]}"#,
        ] {
            screen.event(&serde_json::from_str(event).unwrap(), &results);
        }
        (screen, results)
    }

    fn drawn(screen: &mut Screen) -> String {
        String::from_utf8(screen.lay_out(Vec::new(), false)).unwrap()
    }

    #[test]
    fn a_game_shows_clock_depth_and_speed_of_both_sides() {
        let (mut screen, results) = screen(|| (80, 24));
        let made = Ply {
            text: "e7e5".into(),
            notation: "e5".into(),
            score: Some(EngineScore::Cp(-12)),
            depth: Some(9),
            nodes: Some(5_000),
            elapsed: Duration::from_millis(10),
            clock_us: Some(61_000_000),
            ..Ply::default()
        };
        let event = MatchEvent::Ply {
            game: 1,
            ply: 2,
            made: Box::new(made),
        };
        screen.event(&event, &results);
        let text = drawn(&mut screen);
        let row = text.lines().find(|line| line.contains("A name")).unwrap();
        for part in ["…", "1:01.0", "-0.12", " 9 ", "500k"] {
            assert!(row.contains(part), "{part} in {row}");
        }
        assert!(!row.contains('\u{1b}'), "{row:?}");
        let white = text.lines().find(|line| line.contains("Ann")).unwrap();
        assert!(white.contains(">Ann") && white.contains("2 e5"), "{white}");
        // Nothing has changed but a clock that is not known: nothing is drawn.
        assert_eq!(drawn(&mut screen), "");
    }

    #[test]
    fn what_keys_do_is_shown() {
        let (mut screen, results) = screen(|| (80, 24));
        assert!(drawn(&mut screen).contains("q stop (twice: now), ? keys"));
        screen.toggle_help();
        assert!(drawn(&mut screen).contains("a second q gives them up at once"));
        screen.toggle_help();
        let reason = "stopped".into();
        screen.event(&MatchEvent::Stopping { reason }, &results);
        assert!(drawn(&mut screen).contains("q gives the running games up at once"));
    }

    #[test]
    fn a_pause_has_no_end_in_sight() {
        let (mut screen, results) = screen(|| (80, 24));
        screen.finished_here = 1;
        assert!(drawn(&mut screen).contains(" to go"));
        screen.event(&MatchEvent::Paused, &results);
        let text = drawn(&mut screen);
        assert!(
            text.contains("paused: p goes on") && !text.contains(" to go"),
            "{text}"
        );
        screen.event(&MatchEvent::Resumed, &results);
        assert!(drawn(&mut screen).contains(" to go"));
    }

    #[test]
    fn another_window_is_written_anew_and_nothing_is_too_wide() {
        let (mut screen, _) = screen(|| (80, 24));
        let said = "Finished game 7\n";
        let first = String::from_utf8(screen.lay_out(said.into(), false)).unwrap();
        assert!(
            first.starts_with("Finished game 7\n\u{1b}[?7l0 of 18 games"),
            "{first:?}"
        );
        let height = screen.height;
        screen.toggle_help();
        let second = drawn(&mut screen);
        assert!(
            second.starts_with(&format!("\u{1b}[{height}A\u{1b}[J")),
            "{second:?}"
        );
        // Wider than the window: the old lines may stand on more rows than they had.
        screen.size = || (40, 12);
        let third = drawn(&mut screen);
        let start = "\u{1b}[H\u{1b}[2JFinished game 7\n";
        assert!(third.starts_with(start), "{third:?}");
        assert!(screen.height < 12);
        let block = &third[start.len()..].replace("\u{1b}[?7l", "");
        assert!(
            block.lines().all(|line| line.chars().count() < 40),
            "{block}"
        );
        let last = String::from_utf8(screen.lay_out("The end\n".into(), true)).unwrap();
        assert!(last.ends_with("\u{1b}[JThe end\n"), "{last:?}");
    }
}
