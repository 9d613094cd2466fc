//! Scores, ratings and tests of a match, in words and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use quadrille_match::config::{ClockMode, Format, MatchConfig};
use quadrille_match::stats::{Decision, Tally};
use quadrille_match::tournament::{Results, Standing, Summary};
use quadrille_net::sanitize::{cut, printable};
use serde_json::{Value, json};

use super::imitate::Imitation;

use crate::figure::{self, figure};

/// Elo, pairs and the test for two players; a table for more.
pub(crate) fn rating_lines(results: &Results) -> String {
    if results.names().len() == 2 {
        duel_lines(results.standing())
    } else {
        table_lines(results)
    }
}

fn duel_lines(standing: &Standing) -> String {
    let (Some(estimate), Some(first)) = (standing.estimate, standing.players.first()) else {
        return String::new();
    };
    let tally = first.tally;
    let mut text = format!(
        "{}, draws: {:.1} %\n",
        figure::elo(&estimate),
        // Of games, as the word says: level pairs stand in the next line.
        tally.draws as f64 / tally.games().max(1) as f64 * 100.0
    );
    if let Some(warning) = figure::vague(&estimate) {
        let _ = writeln!(text, "({warning})");
    }
    if let Some(pairs) = standing.pairs.filter(|_| standing.pentanomial) {
        // In the words of fastchess, which scripts look for: pairs of games
        // with 0, a half, ... 2 points.
        let _ = writeln!(text, "Ptnml(0-2): {:?}", pairs.0);
    }
    if let Some(sprt) = &standing.sprt {
        let _ = write!(
            text,
            "SPRT: llr {} ({} %), bounds {:.2} to {:.2}, elo {} to {}",
            figure(sprt.llr, 2),
            figure(sprt.fraction * 100.0, 1),
            sprt.lower,
            sprt.upper,
            sprt.elo0,
            sprt.elo1
        );
        text.push_str(&acceptance(sprt.decision));
        text.push('\n');
    }
    text
}

/// The hypothesis that a test accepted, if it is decided.
pub(crate) const fn accepted(decision: Decision) -> Option<&'static str> {
    match decision {
        Decision::AcceptH1 => Some("H1"),
        Decision::AcceptH0 => Some("H0"),
        Decision::Continue => None,
    }
}

/// Words about it for the end of a line, empty while the test goes on.
pub(crate) fn acceptance(decision: Decision) -> String {
    accepted(decision).map_or_else(String::new, |name| format!(" - {name} was accepted"))
}

/// Wins, losses, draws, score and games, in the order of cutechess and fastchess.
pub(crate) fn tally_words(tally: &Tally) -> String {
    format!(
        "{} - {} - {}  [{:.3}] {}",
        tally.wins,
        tally.losses,
        tally.draws,
        tally.score(),
        tally.games()
    )
}

/// Who leads, in a line for two players.
pub(crate) fn score_lines(standing: &Standing) -> String {
    let [one, two] = &standing.players[..] else {
        return String::new();
    };
    let (tally, one, two) = (one.tally, &one.name, &two.name);
    if tally.games() == 0 {
        return String::new();
    }
    format!("Score of {one} vs {two}: {}\n", tally_words(&tally))
}

/// A rating list.
fn table_lines(results: &Results) -> String {
    let tables = &results.tables;
    let ratings = tables.ratings(&[]);
    let width = results.names().iter().map(|name| name.chars().count());
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
            "{:>4} {:width$} {:>8} {:>7} {:>7} {:>6.1}% {:>6.1}%",
            place + 1,
            cut(&results.names()[player], width),
            figure(ratings.elo[player], 1),
            figure(ratings.error[player], 1),
            tally.games(),
            tally.points() / games * 100.0,
            tally.draws as f64 / games * 100.0
        );
    }
    text
}

/// Everything about a match that is over, or stopped.
pub(crate) fn report(summary: &Summary, config: &MatchConfig, words: &Imitation) -> String {
    let results = &summary.results;
    if results.standing().finished == 0 {
        return "No game was finished.\n".into();
    }
    let mut text = String::from("\n");
    text.push_str(&words.score(results));
    text.push_str(&words.ratings(results));
    if results.names().len() > 2 {
        let _ = write!(text, "\n{}", results.tables.cross_table());
    }
    text.push_str(&places(summary, config));
    text.push_str(&endings(results));
    text.push_str(&efforts(results));
    text.push_str(&findings(results));
    text.push_str(&toll(summary, config));
    if config.output.show_latency {
        text.push_str(&latency(summary));
    }
    text
}

/// Places, where points alone do not decide.
fn places(summary: &Summary, config: &MatchConfig) -> String {
    let names = summary.results.names();
    let mut text = String::new();
    if matches!(config.schedule.format, Format::Swiss | Format::Knockout) {
        text.push_str(match config.schedule.format {
            Format::Swiss => "\nPlaces and points, byes counted as wins\n",
            _ => "\nPlaces and points\n",
        });
        for (index, place) in summary.schedule.places().iter().enumerate() {
            let name = names.get(place.player).map_or("?", String::as_str);
            let _ = writeln!(
                text,
                "{:>4} {name} {:.1}",
                index + 1,
                place.half_points as f64 / 2.0
            );
        }
    }
    text
}

pub(crate) fn endings(results: &Results) -> String {
    let mut text = String::from("\nHow games ended (won/drawn/lost)\n");
    for (player, name) in results.names().iter().enumerate() {
        let ways = results.tables.terminations(player).into_iter().flatten();
        let ways: Vec<String> = ways
            .map(|(words, t)| format!("{words} {}/{}/{}", t.wins, t.draws, t.losses))
            .collect();
        let _ = writeln!(text, "  {name}: {}", ways.join(", "));
    }
    text
}

pub(crate) fn efforts(results: &Results) -> String {
    let mut text = String::from("\nPer move: seconds, depth, nodes per second\n");
    for (player, name) in results.names().iter().enumerate() {
        let effort = results.tables.effort(player);
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

pub(crate) fn findings(results: &Results) -> String {
    let mut text = String::new();
    for (name, findings) in results.names().iter().zip(&results.findings) {
        for (code, finding) in findings {
            if text.is_empty() {
                text.push_str("\nWhat engines did wrong\n");
            }
            let example: String = finding.example.chars().take(120).collect();
            let _ = writeln!(
                text,
                "  {name}: {}[{code}] {} times, first in game {}: {}",
                finding.severity,
                finding.count,
                finding.game,
                printable(&example)
            );
        }
    }
    text
}

/// What the machine took, which is no fault of any engine.
fn toll(summary: &Summary, config: &MatchConfig) -> String {
    let toll = &summary.load.toll;
    if toll.moves() == 0 {
        return String::new();
    }
    let back = match config.rules.clock {
        ClockMode::Fair => "given back on their clocks",
        ClockMode::Wall => "with -clock wall only what we slept is given back",
    };
    format!(
        "\nThe machine took {:.3} s from engines in {} moves, at most {:.1} ms in one; {back}\n",
        toll.total().as_secs_f64(),
        toll.moves(),
        toll.worst().as_secs_f64() * 1e3
    )
}

fn latency(summary: &Summary) -> String {
    let latencies = &summary.load.latencies;
    let micros = |part| {
        latencies
            .percentile(part)
            .map_or(0, |time| time.as_micros())
    };
    let moves = latencies.count().max(1);
    format!(
        "\nHost: {} moves, from answer to question {} us median, {} us 99 %; \
         {:.1} us of processor time each; machine at most {:.1} ms late\n",
        latencies.count(),
        micros(0.5),
        micros(0.99),
        processor_time().as_secs_f64() * 1e6 / moves as f64,
        summary.load.worst_lag.as_secs_f64() * 1e3
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
pub(crate) fn end_json(summary: &Summary, code: u8) -> Value {
    let results = &summary.results;
    let mut value = json!(results.standing());
    let players: Vec<Value> = results
        .names()
        .iter()
        .enumerate()
        .map(|(player, name)| {
            json!({
                "name": name,
                "score": results.tables.total(player).tally,
                "terminations": results.tables.terminations(player),
                "effort": results.tables.effort(player).averages(),
                "findings": results.findings.get(player),
            })
        })
        .collect();
    let latencies = &summary.load.latencies;
    let millis = |time: Duration| time.as_micros() as f64 / 1000.0;
    value["event"] = json!("end");
    value["complete"] = json!(summary.complete);
    value["stopped"] = json!(summary.stopped);
    value["trouble"] = json!(summary.trouble);
    value["exit"] = json!(code);
    value["players"] = json!(players);
    value["host"] = json!({
        "moves": latencies.count(),
        "latency_median": latencies.percentile(0.5).map(millis),
        "latency_p99": latencies.percentile(0.99).map(millis),
        "processor": millis(processor_time()),
        "worst_lag": millis(summary.load.worst_lag),
        "taken": millis(summary.load.toll.total()),
        "worst_taken": millis(summary.load.toll.worst()),
    });
    value
}
