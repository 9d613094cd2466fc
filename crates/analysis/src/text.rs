//! The report of a game in words.

use core::fmt::Write as _;
use std::time::Duration;

use quadrille_games::Side;

use quadrille_net::sanitize::{cut, one_line};

use super::judge::Judgement;
use super::report::{GameReport, MoveReport, PlayerReport, TimeUse};

/// Moves of a best line that are shown.
const SHOWN: usize = 8;

/// What a person wants to know first: who did how well, and where it was decided.
pub fn text(report: &GameReport) -> String {
    let mut out = title(report);
    let heading = &report.heading;
    let _ = writeln!(
        out,
        "  {:<24} {:>8} {:>6} {:>6} {:>6}  time",
        "", "accuracy", "?!", "?", "??"
    );
    let names = [&heading.white, &heading.black];
    for ((name, player), side) in names.into_iter().zip(&report.players).zip(Side::BOTH) {
        let name = if name == "?" {
            side.to_string()
        } else {
            one_line(name).into_owned()
        };
        let _ = writeln!(out, "  {}", player_line(&name, player));
    }
    if !report.critical.is_empty() {
        out.push_str("  Critical moments\n");
    }
    for played in report.critical.iter().filter_map(|ply| report.played(*ply)) {
        let _ = writeln!(out, "    {}", moment(report, played));
    }
    out
}

/// `Game 3: Ann - Bob 1-0, B90 Sicilian Defense: Najdorf Variation`
pub(super) fn title(report: &GameReport) -> String {
    let heading = &report.heading;
    let mut title = format!(
        "Game {}: {} - {} {}",
        report.number,
        one_line(&heading.white),
        one_line(&heading.black),
        heading.result
    );
    if let Some(opening) = &report.opening {
        let _ = write!(title, ", {} {}", opening.eco, opening.name);
    }
    title.push('\n');
    title
}

fn player_line(name: &str, player: &PlayerReport) -> String {
    let accuracy = player.accuracy.map_or("-".into(), |a| format!("{a:.1}"));
    let counts = Judgement::ALL.map(|judgement| player.count(judgement));
    let time = player.time.as_ref().map(time_words).unwrap_or_default();
    let line = format!(
        "{:<24} {accuracy:>8} {:>6} {:>6} {:>6}  {time}",
        cut(name, 24),
        counts[0],
        counts[1],
        counts[2]
    );
    line.trim_end().into()
}

/// `4:32 in all, 6.8 s a move, longest 41 s, 9.0 s a mistake`
pub(super) fn time_words(time: &TimeUse) -> String {
    let mut words = format!(
        "{} in all, {} a move, longest {}",
        short(time.total),
        short(time.average),
        short(time.longest)
    );
    if let Some(mistakes) = time.on_mistakes {
        let _ = write!(words, ", {} a mistake", short(mistakes));
    }
    words
}

fn short(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 10.0 => format!("{seconds:.1} s"),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        _ => long(time),
    }
}

fn long(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// `23... Qxb2?? 71 % became 12 %; better 23... Rd8 24. Nf3 ...`
pub(super) fn moment(report: &GameReport, played: &MoveReport) -> String {
    let sign = played.judgement.map_or("", Judgement::sign);
    let mut words = format!("{}{sign}", played.numbered());
    if let Some((before, after)) = report.swing(played.ply) {
        let percent = |chance: f64| (chance * 100.0).round();
        let _ = write!(words, "  {} % became {} %", percent(before), percent(after));
    }
    if let Some(line) = report.best_line(played.ply) {
        let _ = write!(words, "; better {}", best_words(played, &line.notation));
    }
    words
}

/// A line that begins where a move was played, with move numbers.
pub(super) fn best_words(instead: &MoveReport, notation: &[String]) -> String {
    let mut words = Vec::new();
    let (mut number, mut side) = (instead.number, instead.side);
    for (index, text) in notation.iter().take(SHOWN).enumerate() {
        match (side, index) {
            (Side::White, _) => words.push(format!("{number}. {text}")),
            (Side::Black, 0) => words.push(format!("{number}... {text}")),
            (Side::Black, _) => words.push(text.clone()),
        }
        if side == Side::Black {
            number = number.saturating_add(1);
        }
        side = side.other();
    }
    if notation.len() > SHOWN {
        words.push("...".into());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_long_as_they_need_to_be() {
        let time = |millis| Duration::from_millis(millis);
        assert_eq!(short(time(1234)), "1.2 s");
        assert_eq!(short(time(41_400)), "41 s");
        assert_eq!(short(time(125_000)), "2:05");
        assert_eq!(long(time(3_725_000)), "1:02:05");
        assert_eq!(long(time(5_000)), "0:05");
    }
}
