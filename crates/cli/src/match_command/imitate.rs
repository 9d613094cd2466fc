//! Scores and ratings in the words of other match runners, for scripts that read them
//! (`-output format=`). Numbers are ours; so is everything else that is printed.

use std::fmt::Write as _;
use std::path::Path;

use quadrille_games::Side;
use quadrille_match::config::{Clock, Entrant, MatchConfig, OutputFormat, TimeControl};
use quadrille_match::stats::{Estimate, Tally};
use quadrille_match::tournament::Results;

use super::report::{acceptance, accepted, rating_lines, score_lines, tally_words};

/// Prints scores and ratings of a match.
#[derive(Debug, Clone)]
pub(crate) struct Imitation {
    format: OutputFormat,
    /// Time, threads, memory and openings, as fastchess puts them into its heading.
    conditions: String,
}

impl Imitation {
    pub(crate) fn new(format: Option<OutputFormat>, config: &MatchConfig) -> Self {
        Self {
            format: format.unwrap_or(OutputFormat::Quadrille),
            conditions: conditions(config),
        }
    }

    /// The score, where the program prints one by itself.
    pub(crate) fn score(&self, results: &Results) -> String {
        match self.format {
            // It stands among the ratings there.
            OutputFormat::Fastchess if results.names().len() == 2 => String::new(),
            OutputFormat::Cutechess if results.names().len() == 2 => score_by_colour(results),
            _ => score_lines(results.standing()),
        }
    }

    /// Elo, pairs and the test of two players; ratings of more are ours in any format.
    pub(crate) fn ratings(&self, results: &Results) -> String {
        if results.names().len() != 2 || results.standing().estimate.is_none() {
            return rating_lines(results);
        }
        match self.format {
            OutputFormat::Quadrille => rating_lines(results),
            OutputFormat::Fastchess => self.fastchess(results),
            OutputFormat::Cutechess => cutechess(results),
        }
    }

    /// The last line of the program.
    pub(crate) const fn farewell(&self) -> &'static str {
        match self.format {
            OutputFormat::Quadrille => "",
            OutputFormat::Fastchess => "Tournament finished\n",
            OutputFormat::Cutechess => "Finished match\n",
        }
    }

    fn fastchess(&self, results: &Results) -> String {
        const RULE: &str = "--------------------------------------------------\n";
        let standing = results.standing();
        let [one, two] = &standing.players[..] else {
            return String::new();
        };
        let tally = &one.tally;
        let estimate = certain(standing.estimate.unwrap_or(Estimate::of(tally)), tally);
        let mut text = format!(
            "{RULE}Results of {} vs {} ({}):\nElo: {} +/- {}, nElo: {} +/- {}\nLOS: {} %, DrawRatio: {} %",
            one.name,
            two.name,
            self.conditions,
            number(estimate.elo, 2),
            number(estimate.error, 2),
            number(estimate.nelo, 2),
            number(estimate.nelo_error, 2),
            number(estimate.los * 100.0, 2),
            number(estimate.draw_ratio * 100.0, 2)
        );
        let pairs = standing.pairs.filter(|_| standing.pentanomial);
        if let Some(pairs) = pairs {
            let [lost, half_lost, _, half_won, won] = pairs.0;
            let ratio = (won + half_won) as f64 / (lost + half_lost) as f64;
            let _ = write!(text, ", PairsRatio: {}", number(ratio, 2));
        }
        let _ = writeln!(
            text,
            "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            number(tally.score() * 100.0, 2)
        );
        if let Some(pairs) = pairs {
            let _ = writeln!(text, "Ptnml(0-2): {:?}", pairs.0);
        }
        if let Some(sprt) = &standing.sprt {
            let _ = writeln!(
                text,
                "LLR: {} ({}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
                number(sprt.llr, 2),
                number(sprt.fraction * 100.0, 1),
                sprt.lower,
                sprt.upper,
                sprt.elo0,
                sprt.elo1
            );
            if let Some(name) = accepted(sprt.decision) {
                let _ = writeln!(
                    text,
                    "SPRT ([{:.2}, {:.2}]) completed - {name} was accepted",
                    sprt.elo0, sprt.elo1
                );
            }
        }
        text + RULE
    }
}

/// The score of the first player, in all and by colour.
fn score_by_colour(results: &Results) -> String {
    let standing = results.standing();
    let mut text = score_lines(standing);
    let [one, _] = &standing.players[..] else {
        return text;
    };
    if one.tally.games() == 0 {
        return text;
    }
    let [white, black] = [Side::White, Side::Black].map(|side| results.tables.with_colour(0, side));
    let reversed = Tally {
        wins: black.losses,
        losses: black.wins,
        ..black
    };
    let both = Tally {
        wins: white.wins + reversed.wins,
        draws: white.draws + reversed.draws,
        losses: white.losses + reversed.losses,
    };
    let colours = [
        (format!("{} playing White", one.name), white),
        (format!("{} playing Black", one.name), black),
        ("White vs Black".to_owned(), both),
    ];
    for (who, tally) in colours.into_iter().filter(|(_, tally)| tally.games() > 0) {
        let _ = writeln!(text, "...      {who}: {}", tally_words(&tally));
    }
    text
}

fn cutechess(results: &Results) -> String {
    let standing = results.standing();
    let tally = standing
        .players
        .first()
        .map_or_else(Tally::default, |one| one.tally);
    // Single games, whatever a test counts here.
    let estimate = certain(Estimate::of(&tally), &tally);
    let mut text = format!(
        "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %\n",
        number(estimate.elo, 1),
        number(estimate.error, 1),
        number(estimate.los * 100.0, 1),
        number(estimate.draw_ratio * 100.0, 1)
    );
    if let Some(sprt) = &standing.sprt {
        let _ = writeln!(
            text,
            "SPRT: llr {} ({}%), lbound {:.2}, ubound {:.2}{}",
            number(sprt.llr, 2),
            number(sprt.fraction * 100.0, 1),
            sprt.lower,
            sprt.upper,
            acceptance(sprt.decision)
        );
    }
    text
}

/// Fills in what the formulas of those programs make of results that are all alike, where
/// an estimate of ours knows nothing.
fn certain(mut estimate: Estimate, tally: &Tally) -> Estimate {
    let sign = match (tally.wins, tally.draws, tally.losses) {
        (1.., 0, 0) => 1.0,
        (0, 0, 1..) => -1.0,
        (0, 1.., 0) => {
            estimate.error = 0.0;
            estimate.los = 0.5;
            return estimate;
        }
        _ => return estimate,
    };
    estimate.elo = sign * f64::INFINITY;
    estimate.nelo = sign * f64::INFINITY;
    estimate.los = 0.5 + sign / 2.0;
    estimate
}

/// A number as C++ prints it.
fn number(number: f64, decimals: usize) -> String {
    if number.is_nan() {
        "nan".into()
    } else {
        format!("{number:.decimals$}")
    }
}

/// `10+0.1, 1t, 16MB, book.epd`: both engines' where they differ.
fn conditions(config: &MatchConfig) -> String {
    let both = |of: &dyn Fn(&Entrant) -> String| {
        let mut all: Vec<String> = config.engines.iter().take(2).map(of).collect();
        all.dedup();
        all.join(" - ")
    };
    let option = |entrant: &Entrant, name: &str, unit: &str| {
        let mut options = entrant.spec.options.iter();
        let known = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
        match known.and_then(|(_, value)| value.as_ref()) {
            Some(value) => format!("{value}{unit}"),
            None => "NULL".into(),
        }
    };
    let file = config.schedule.openings.file.as_deref();
    let mut parts = vec![
        both(&|entrant| limit(&entrant.time)),
        both(&|entrant| option(entrant, "Threads", "t")),
        both(&|entrant| option(entrant, "Hash", "MB")),
    ];
    parts.extend(
        file.and_then(Path::file_name)
            .map(|file| file.display().to_string()),
    );
    parts.join(", ")
}

/// A time control in the words of fastchess.
fn limit(time: &TimeControl) -> String {
    match (time.is_timed(), time.move_time, time.nodes, time.depth) {
        (false, _, Some(nodes), _) => format!("{nodes} nodes"),
        (false, _, None, Some(depth)) => format!("{depth} plies"),
        (true, Some(each), ..) if time.clock == Clock::None => {
            format!("{}/move", each.as_secs_f64())
        }
        _ => time.to_string(),
    }
}
