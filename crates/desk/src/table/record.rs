//! A game as a record.

use core::time::Duration;

use quadrille_games::Side;
use quadrille_games::records::{AnyRecord, Evaluation, GameResult, NodeId, Score, calendar_date};

use super::Table;
use crate::wire::{ScoreView, TableEnd, TimeSetting};

impl Table {
    /// The record of the game so far, with clocks and what engines thought.
    pub(crate) fn record(&self) -> AnyRecord {
        let mut record = AnyRecord::from_line(&self.line);
        // The names are plain, so none of these is refused.
        let mut tag = |name: &str, value: &str| {
            let _ = record.set_tag(name, value);
        };
        tag("Event", "Quadrille");
        tag("Date", &date(self.changed));
        for (name, known) in [("White", &self.names[0]), ("Black", &self.names[1])] {
            if !known.is_empty() {
                tag(name, known);
            }
        }
        tag("TimeControl", &self.time_control());
        if let Some(end) = &self.end {
            tag("Termination", termination(end));
            record.set_result(result(end));
        }
        for (node, ply) in record.main_line().into_iter().zip(&self.plies) {
            write_ply(&mut record, node, ply.clock, ply.spent, ply.score);
        }
        record
    }

    /// As the standard writes it: seconds.
    fn time_control(&self) -> String {
        let seconds = |ms: f64| (ms / 100.0).round() / 10.0;
        match self.new.time {
            TimeSetting::Unlimited { .. } => "-".into(),
            TimeSetting::Clock {
                base,
                increment,
                moves,
            } => {
                let moves = if moves > 0 {
                    format!("{moves}/")
                } else {
                    String::new()
                };
                let more = if increment > 0.0 {
                    format!("+{}", seconds(increment))
                } else {
                    String::new()
                };
                format!("{moves}{}{more}", seconds(base))
            }
            TimeSetting::PerMove { each } => format!("1/{}", seconds(each)),
        }
    }
}

fn write_ply(
    record: &mut AnyRecord,
    node: NodeId,
    clock: Option<f64>,
    spent: f64,
    score: Option<ScoreView>,
) {
    let time = |ms: f64| Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default();
    if let Some(score) = score {
        let value = match (score.mate, score.cp) {
            (Some(moves), _) => Some(Score::Mate(moves)),
            (None, Some(cp)) => Some(Score::Centipawns(cp)),
            (None, None) => None,
        };
        if let Some(score) = value {
            record.set_evaluation(node, Evaluation { score, depth: None });
        }
    }
    record.set_elapsed(node, time(spent));
    if let Some(clock) = clock {
        record.set_clock(node, time(clock));
    }
}

pub(crate) fn result(end: &TableEnd) -> GameResult {
    let lost = |loser: Side| match loser {
        Side::White => GameResult::BlackWins,
        Side::Black => GameResult::WhiteWins,
    };
    match end {
        TableEnd::Rules { outcome } => (*outcome).into(),
        TableEnd::Time { draw: true, .. } | TableEnd::Agreed => GameResult::Draw,
        TableEnd::Resigned { loser }
        | TableEnd::Time { loser, .. }
        | TableEnd::Engine { loser, .. } => lost(*loser),
        TableEnd::Aborted => GameResult::Open,
    }
}

fn termination(end: &TableEnd) -> &'static str {
    match end {
        TableEnd::Rules { .. } | TableEnd::Resigned { .. } | TableEnd::Agreed => "normal",
        TableEnd::Time { .. } => "time forfeit",
        TableEnd::Engine { .. } => "abandoned",
        TableEnd::Aborted => "unterminated",
    }
}

/// The day of a moment, in milliseconds, as records write it, in UTC.
fn date(now: f64) -> String {
    // Years have four digits.
    let days = (now / 86_400_000.0).clamp(0.0, 2_932_896.0) as u32;
    let (year, month, day) = calendar_date(days);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        let day = 86_400_000.0;
        for (days, text) in [
            (0.0, "1970.01.01"),
            (58.0, "1970.02.28"),
            (59.0, "1970.03.01"),
            (11_016.0, "2000.02.29"),
            (20_773.0, "2026.11.16"),
        ] {
            assert_eq!(date(days * day), text);
        }
        assert_eq!(date(f64::NAN), "1970.01.01");
    }
}
