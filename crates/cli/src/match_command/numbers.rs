//! Scores, ratings and tests of a match, in words and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use quadrille_host::config::{Format, MatchConfig};
use quadrille_host::stats::{Decision, Estimate, Meeting, Sprt};
use quadrille_host::tournament::{Board, Summary};
use serde_json::{Value, json};

use crate::figure::figure;

/// What follows from the results so far.
pub(crate) struct Numbers {
    pentanomial: bool,
    sprt: Option<Sprt>,
    two: bool,
    llr: f64,
}

impl Numbers {
    pub(crate) fn new(config: &MatchConfig) -> Self {
        Self {
            pentanomial: config.pentanomial,
            sprt: config.sprt.map(Sprt::new),
            two: config.engines.len() == 2,
            llr: 0.0,
        }
    }

    pub(crate) fn update(&mut self, board: &Board) {
        if let Some(sprt) = &self.sprt {
            let meeting = board.tables.meeting(0, 1);
            self.llr = if self.pentanomial {
                sprt.llr_of_pairs(&meeting.pairs)
            } else {
                sprt.llr(&meeting.tally)
            };
        }
    }

    fn decision(&self) -> Option<Decision> {
        let sprt = self.sprt.as_ref()?;
        // Before anything is known the ratio may be not a number.
        let llr = if self.llr.is_finite() { self.llr } else { 0.0 };
        Some(sprt.decision(llr)).filter(|decision| *decision != Decision::Continue)
    }

    /// Why the match is decided, if it is.
    pub(crate) fn decided(&self) -> Option<String> {
        Some(match self.decision()? {
            Decision::AcceptH1 => "the test accepted H1".into(),
            _ => "the test accepted H0".into(),
        })
    }

    /// Whether the stronger hypothesis was accepted, if one was.
    pub(crate) fn accepted(&self) -> Option<bool> {
        Some(self.decision()? == Decision::AcceptH1)
    }

    fn estimate(&self, meeting: &Meeting) -> Option<Estimate> {
        if self.pentanomial && meeting.pairs.pairs() > 0 {
            Some(Estimate::of_pairs(&meeting.pairs))
        } else if meeting.tally.games() > 0 {
            Some(Estimate::of(&meeting.tally))
        } else {
            None
        }
    }

    /// Elo, pairs and the test for two players; a table for more.
    pub(crate) fn rating_lines(&self, board: &Board) -> String {
        if self.two {
            self.duel_lines(board)
        } else {
            table_lines(board)
        }
    }

    fn duel_lines(&self, board: &Board) -> String {
        let meeting = board.tables.meeting(0, 1);
        let Some(estimate) = self.estimate(&meeting) else {
            return String::new();
        };
        let mut text = format!(
            "Elo: {} +/- {}, nElo: {} +/- {}, LOS: {} %, draws: {:.1} %\n",
            figure(estimate.elo, 2),
            figure(estimate.error, 2),
            figure(estimate.nelo, 2),
            figure(estimate.nelo_error, 2),
            figure(estimate.los * 100.0, 1),
            // Of games, as the word says: level pairs stand in the next line.
            meeting.tally.draws as f64 / meeting.tally.games().max(1) as f64 * 100.0
        );
        if self.pentanomial {
            let _ = writeln!(text, "Pairs (0 to 2 points): {:?}", meeting.pairs.0);
        }
        if let Some(sprt) = &self.sprt {
            let config = sprt.config();
            let _ = write!(
                text,
                "SPRT: llr {} ({} %), bounds {:.2} to {:.2}, elo {} to {}",
                figure(self.llr, 2),
                figure(sprt.fraction(self.llr) * 100.0, 1),
                sprt.lower(),
                sprt.upper(),
                config.elo0,
                config.elo1
            );
            text.push_str(match self.decision() {
                Some(Decision::AcceptH1) => " - H1 was accepted\n",
                Some(_) => " - H0 was accepted\n",
                None => "\n",
            });
        }
        text
    }

    /// The numbers after a game.
    pub(crate) fn json(&self, board: &Board) -> Value {
        let mut value = json!({
            "event": "score",
            "finished": board.finished,
            "players": players_json(board),
        });
        if self.two {
            let meeting = board.tables.meeting(0, 1);
            value["pairs"] = json!(meeting.pairs);
            value["estimate"] = self.estimate(&meeting).map_or(Value::Null, |e| json!(e));
        }
        if let Some(sprt) = &self.sprt {
            value["sprt"] = json!({
                "llr": self.llr,
                "lower": sprt.lower(),
                "upper": sprt.upper(),
                "decision": sprt.decision(self.llr),
            });
        }
        value
    }
}

/// Who leads, in a line for two players.
pub(crate) fn score_lines(board: &Board) -> String {
    let [one, two] = board.names() else {
        return String::new();
    };
    let tally = board.tables.meeting(0, 1).tally;
    if tally.games() == 0 {
        return String::new();
    }
    format!(
        "Score of {one} vs {two}: {} - {} - {}  [{:.3}] {}\n",
        tally.wins,
        tally.losses,
        tally.draws,
        tally.score(),
        tally.games()
    )
}

/// A rating list.
fn table_lines(board: &Board) -> String {
    let tables = &board.tables;
    let ratings = tables.ratings(&[]);
    let width = board.names().iter().map(|name| name.chars().count());
    let width = width.max().unwrap_or(0).clamp(4, 30);
    let mut text = format!(
        "{:>4} {:width$} {:>8} {:>7} {:>7} {:>7} {:>7}\n",
        "rank", "name", "elo", "+/-", "games", "score", "draws"
    );
    for (place, player) in tables.order().into_iter().enumerate() {
        let tally = tables.total(player).tally;
        let games = tally.games().max(1) as f64;
        let _ = writeln!(
            text,
            "{:>4} {:width$} {:>8.1} {:>7.1} {:>7} {:>6.1}% {:>6.1}%",
            place + 1,
            board.names()[player],
            ratings.elo[player],
            ratings.error[player],
            tally.games(),
            tally.points() / games * 100.0,
            tally.draws as f64 / games * 100.0
        );
    }
    text
}

fn players_json(board: &Board) -> Vec<Value> {
    let names = board.names().iter().enumerate();
    names
        .map(|(player, name)| {
            let tally = board.tables.total(player).tally;
            json!({
                "name": name,
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
            })
        })
        .collect()
}

/// Everything about a match that is over, or stopped.
pub(crate) fn report(summary: &Summary, config: &MatchConfig) -> String {
    let board = &summary.board;
    if board.finished == 0 {
        return "No game was finished.\n".into();
    }
    let mut numbers = Numbers::new(config);
    numbers.update(board);
    let mut text = String::from("\n");
    text.push_str(&score_lines(board));
    text.push_str(&numbers.rating_lines(board));
    if board.names().len() > 2 {
        let _ = write!(text, "\n{}", board.tables.cross_table());
    }
    text.push_str(&places(summary, config));
    text.push_str(&endings(board));
    text.push_str(&efforts(board));
    text.push_str(&findings(board));
    if config.show_latency {
        text.push_str(&latency(summary));
    }
    text
}

/// Places, where points alone do not decide.
fn places(summary: &Summary, config: &MatchConfig) -> String {
    let names = summary.board.names();
    let mut text = String::new();
    if matches!(config.format, Format::Swiss | Format::Knockout) {
        text.push_str(match config.format {
            Format::Swiss => "\nPlaces and points, byes counted as wins\n",
            _ => "\nPlaces and points\n",
        });
        let standings = summary.schedule.standings();
        for (place, standing) in standings.iter().enumerate() {
            let name = names.get(standing.player).map_or("?", String::as_str);
            let _ = writeln!(
                text,
                "{:>4} {name} {:.1}",
                place + 1,
                standing.half_points as f64 / 2.0
            );
        }
    }
    text
}

fn endings(board: &Board) -> String {
    let mut text = String::from("\nHow games ended (won/drawn/lost)\n");
    for (player, name) in board.names().iter().enumerate() {
        let ways = board.tables.terminations(player).into_iter().flatten();
        let ways: Vec<String> = ways
            .map(|(words, t)| format!("{words} {}/{}/{}", t.wins, t.draws, t.losses))
            .collect();
        let _ = writeln!(text, "  {name}: {}", ways.join(", "));
    }
    text
}

fn efforts(board: &Board) -> String {
    let mut text = String::from("\nPer move: seconds, depth, nodes per second\n");
    for (player, name) in board.names().iter().enumerate() {
        let effort = board.tables.effort(player);
        let _ = writeln!(
            text,
            "  {name}: {:.4} s, {:.1}, {:.0}",
            effort.seconds_per_move().unwrap_or(0.0),
            effort.average_depth().unwrap_or(0.0),
            effort.nps().unwrap_or(0.0)
        );
    }
    text
}

fn findings(board: &Board) -> String {
    let mut text = String::new();
    for (name, findings) in board.names().iter().zip(&board.findings) {
        for (code, finding) in findings {
            if text.is_empty() {
                text.push_str("\nWhat engines did wrong\n");
            }
            let example: String = finding.example.chars().take(120).collect();
            let _ = writeln!(
                text,
                "  {name}: {}[{code}] {} times, first in game {}: {example}",
                finding.severity, finding.count, finding.game
            );
        }
    }
    text
}

fn latency(summary: &Summary) -> String {
    let gauge = &summary.gauge;
    let micros = |part| gauge.percentile(part).map_or(0, |time| time.as_micros());
    let moves = gauge.count().max(1);
    format!(
        "\nHost: {} moves, from answer to question {} us median, {} us 99 %; \
         {:.1} us of processor time each; machine at most {:.1} ms late\n",
        gauge.count(),
        micros(0.5),
        micros(0.99),
        processor_time().as_secs_f64() * 1e6 / moves as f64,
        summary.worst_lag.as_secs_f64() * 1e3
    )
}

/// What this process has used of the processors, engines not included.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// The last line of the event stream.
pub(crate) fn end_json(summary: &Summary, config: &MatchConfig, code: u8) -> Value {
    let board = &summary.board;
    let mut numbers = Numbers::new(config);
    numbers.update(board);
    let mut value = numbers.json(board);
    let players: Vec<Value> = board
        .names()
        .iter()
        .enumerate()
        .map(|(player, name)| {
            json!({
                "name": name,
                "score": board.tables.total(player).tally,
                "terminations": board.tables.terminations(player),
                "effort": board.tables.effort(player),
                "findings": board.findings.get(player),
            })
        })
        .collect();
    let gauge = &summary.gauge;
    let micros = |part| gauge.percentile(part).map(|time| time.as_micros() as u64);
    value["event"] = json!("end");
    value["complete"] = json!(summary.complete);
    value["stopped"] = json!(summary.stopped);
    value["trouble"] = json!(summary.trouble);
    value["exit"] = json!(code);
    value["players"] = json!(players);
    value["host"] = json!({
        "moves": gauge.count(),
        "median_us": micros(0.5),
        "p99_us": micros(0.99),
        "cpu_us": processor_time().as_micros() as u64,
        "worst_lag_us": summary.worst_lag.as_micros() as u64,
    });
    value
}
