//! A calm view for a terminal: a few lines at the bottom that stay where they
//! are, and above them the games as they end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use quadrille_games::Side;
use quadrille_host::config::MatchConfig;
use quadrille_host::tournament::{MatchEvent, Results};

use super::View;
use super::lines::sentence;
use super::report::{rating_lines, score_lines};
use crate::printable::printable;

/// Often enough to follow, seldom enough to read.
const REDRAW: Duration = Duration::from_millis(500);
/// Running games that are shown one by one.
const SHOWN: usize = 8;

pub(crate) struct Screen {
    keys: bool,
    total: u64,
    concurrency: usize,
    began: Instant,
    finished_before: u64,
    state: &'static str,
    running: BTreeMap<u64, Running>,
    drawn: Option<Instant>,
    /// Lines of the block that is on the screen.
    height: usize,
    interval: u64,
}

struct Running {
    black_begins: bool,
    white: usize,
    black: usize,
    plies: usize,
    last: String,
    scores: [String; 2],
}

impl Screen {
    pub(crate) fn new(config: &MatchConfig, keys: bool) -> Self {
        Self {
            keys,
            total: 0,
            concurrency: config.concurrency,
            began: Instant::now(),
            finished_before: 0,
            state: "running",
            running: BTreeMap::new(),
            drawn: None,
            height: 0,
            interval: config.rating_interval.into(),
        }
    }

    fn take(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::Start {
                games, finished, ..
            } => {
                self.total = *games;
                self.finished_before = *finished;
                self.began = Instant::now();
            }
            MatchEvent::GameStart {
                game,
                white,
                black,
                moves,
                first,
                ..
            } => {
                let running = Running {
                    black_begins: *first == Side::Black,
                    white: *white,
                    black: *black,
                    plies: moves.len(),
                    last: String::new(),
                    scores: [String::new(), String::new()],
                };
                self.running.insert(*game, running);
                self.total = self.total.max(*game);
            }
            MatchEvent::Ply { game, ply, made } => {
                if let Some(running) = self.running.get_mut(game) {
                    let side = (ply + 1 + usize::from(running.black_begins)) % 2;
                    running.plies = *ply;
                    running.last.clone_from(&made.notation);
                    running.scores[side] = made.score.map(|s| s.to_string()).unwrap_or_default();
                }
            }
            MatchEvent::GameEnd { game, .. }
            | MatchEvent::GameAbandoned { game }
            | MatchEvent::Trouble { game, .. } => {
                self.running.remove(game);
            }
            MatchEvent::Paused => self.state = "paused",
            MatchEvent::Resumed => self.state = "running",
            MatchEvent::Stopping { .. } => self.state = "stopping",
            MatchEvent::Concurrency { concurrency } => self.concurrency = *concurrency,
            MatchEvent::Score(_) => {}
        }
    }

    fn block(&self, results: &Results) -> String {
        let mut text = String::new();
        let standing = results.standing();
        let elapsed = self.began.elapsed().as_secs_f64();
        let done = standing.finished.saturating_sub(self.finished_before);
        let left = self.total.saturating_sub(standing.finished);
        let _ = write!(
            text,
            "{} of {} games, {} at once, {}",
            standing.finished, self.total, self.concurrency, self.state
        );
        if done > 0 {
            let rest = Duration::from_secs_f64(elapsed / done as f64 * left as f64);
            let _ = write!(text, ", about {} to go", short(rest));
        }
        text.push('\n');
        text.push_str(&score_lines(standing));
        text.push_str(&rating_lines(results));
        for (game, running) in self.running.iter().take(SHOWN) {
            let name = |player: usize| results.names().get(player).map_or("?", String::as_str);
            let _ = writeln!(
                text,
                "  {game:>5}  {} {} - {} {}  ply {} {}",
                name(running.white),
                running.scores[0],
                name(running.black),
                running.scores[1],
                running.plies,
                running.last
            );
        }
        if self.running.len() > SHOWN {
            let _ = writeln!(text, "  and {} more", self.running.len() - SHOWN);
        }
        if self.keys {
            text.push_str("p pause, + and - games at once, q stop\n");
        }
        text
    }

    /// Takes the block away so that something can be written above.
    fn clear(&mut self, out: &mut impl Write) {
        if self.height > 0 {
            let _ = write!(out, "\x1b[{}A\x1b[J", self.height);
            self.height = 0;
        }
    }

    fn draw(&mut self, out: &mut impl Write, results: &Results) {
        let width = terminal_size::terminal_size().map_or(80, |size| usize::from(size.0.0));
        self.clear(out);
        for line in self.block(results).lines() {
            // A line that wraps would count as two.
            let cut: String = line.chars().take(width.saturating_sub(1)).collect();
            let _ = writeln!(out, "{cut}");
            self.height += 1;
        }
        let _ = out.flush();
        self.drawn = Some(Instant::now());
    }
}

impl View for Screen {
    fn wants_plies(&self) -> bool {
        true
    }

    fn event(&mut self, event: &MatchEvent, results: &Results) {
        self.take(event);
        let mut out = io::stdout().lock();
        let said = match event {
            MatchEvent::GameStart { .. } => None,
            // With thousands of games only every tenth result would be read.
            MatchEvent::GameEnd { .. } if self.interval > 0 && self.total > 1000 => results
                .standing()
                .finished
                .is_multiple_of(self.interval)
                .then(|| sentence(event, results.names(), self.total)),
            _ => Some(sentence(event, results.names(), self.total)),
        };
        if let Some(said) = said.flatten() {
            self.clear(&mut out);
            let _ = writeln!(out, "{}", printable(&said));
        }
        let due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW);
        if due || self.height == 0 {
            self.draw(&mut out, results);
        }
    }

    fn close(&mut self) {
        self.clear(&mut io::stdout().lock());
    }
}

fn short(time: Duration) -> String {
    let s = time.as_secs();
    match s {
        0..90 => format!("{s} s"),
        90..5400 => format!("{} min", s.div_ceil(60)),
        _ => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}
