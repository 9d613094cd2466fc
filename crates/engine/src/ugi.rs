//! Gyges: UGI as its engines and hosts speak it today.
//!
//! The text of 2023 says little, and programs rely on more than it says; so we
//! always send `bestmove <move> score <x> time <t>` (one tool cannot do
//! without), and every `info` line has an even number of words behind `info`
//! (another reads them in pairs).

use std::time::Duration;

use quadrille_games::gyges::{Gyges, MoveStyle};
use quadrille_protocol::{BestMove, Dialect, Info, Moves, Report, Text, Time};
use quadrille_search::{Limits, Score};

use crate::options::{Id, Kind, Offer, Options};
use crate::output::Lines;
use crate::speech::{Blame, Facts, Spoken, score_word};
use crate::strength::Rung;

impl Spoken for Gyges {
    const DIALECT: Dialect = Dialect::Ugi;
    const TITLE: &'static str = "Quadrille Gyges";
    const PONDERS: bool = false;

    const LADDER: &'static [Rung] = &[
        Rung::new(1470, 1, 1000),
        Rung::new(1530, 1, 500),
        Rung::new(1600, 1, 250),
        Rung::new(1680, 1, 120),
        Rung::new(1800, 1, 50),
        Rung::new(2000, 40_000, 20),
    ];

    const OFFERS: &'static [Offer] = &[
        Offer::new(Id::MaxPly, "maxPly", Kind::Spin(0, 0, 127)),
        Offer::new(Id::MaxTime, "maxTime", Kind::Seconds),
        Offer::new(Id::MaxNodes, "maxNodes", Kind::Spin(0, 0, i64::MAX)),
        Offer::new(Id::Randomize, "randomize", Kind::Check(false)),
        Offer::new(Id::Threads, "threads", Kind::Spin(1, 1, 256)),
        Offer::new(Id::Hash, "hash", Kind::Spin(16, 1, 65536)),
        Offer::new(Id::ClearHash, "clearHash", Kind::Button),
        Offer::new(Id::MultiPv, "multiPv", Kind::Spin(1, 1, 256)),
        Offer::new(Id::Overhead, "moveOverhead", Kind::Spin(10, 0, 5000)),
        Offer::new(
            Id::MoveFormat,
            "moveFormat",
            Kind::Combo("squares", &["squares", "pairs"]),
        ),
        Offer::new(Id::LimitStrength, "limitStrength", Kind::Check(false)).or("UCI_LimitStrength"),
        Offer::new(Id::Elo, "elo", Kind::Spin(1700, 1470, 2000)).or("UCI_Elo"),
        Offer::new(Id::Seed, "seed", Kind::Spin(0, 0, 1 << 31)),
    ];

    fn write(&self, m: Self::Move, style: MoveStyle) -> String {
        self.move_text_in(m, style)
    }

    fn limit(options: &Options, limits: &mut Limits<Self::Move>) {
        use quadrille_search::Time as Limit;
        limits.depth = options.max_ply.or(limits.depth);
        limits.nodes = options.max_nodes.or(limits.nodes);
        if let Some(time) = options.max_time {
            limits.time = Limit::PerMove(time);
        }
    }

    fn info<'a>(facts: &Facts<'a>) -> Info<'a> {
        let pv: &'a [String] = facts.pv;
        let best = pv.first().map_or("null", String::as_str);
        let mut info = Info::new().depth(facts.depth.into());
        if let Some(rank) = facts.rank {
            info = info.multipv(rank as u64);
        }
        let info = info
            .bestmove(Text::from(best))
            .score(facts.score_word())
            .nodes(facts.nodes)
            .nps(facts.nps())
            .time(Time::Millis(facts.time.as_millis() as u64));
        if pv.is_empty() {
            info
        } else {
            info.pv(Moves::from(odd_words(facts.pv_text)))
        }
    }

    fn best<'a>(best: &'a str, _: Option<&'a str>, score: Score, time: Duration) -> BestMove<'a> {
        BestMove {
            best: Some(Text::from(best)),
            ponder: None,
            score: Some(score_word(score)),
            time: Some(Time::Millis(time.as_millis() as u64)),
        }
    }

    fn complain(lines: &mut Lines<'_>, _: Blame, text: &str) {
        let words = text.split_whitespace().count();
        if words % 2 == 1 {
            lines.note(text);
        } else {
            lines.note(&format!("{text} ."));
        }
    }

    fn say_value(lines: &mut Lines<'_>, value: i64) {
        let score = quadrille_protocol::Score::cp(value);
        lines.add(&Report::Info(Info::new().score(score)));
    }
}

/// All words, or all but the last if their number is even.
fn odd_words(text: &str) -> &str {
    let even = text.split(' ').count().is_multiple_of(2);
    match text.rsplit_once(' ') {
        Some((shorter, _)) if even => shorter,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_moves_has_an_odd_number_of_words() {
        assert_eq!(odd_words("1|2"), "1|2");
        assert_eq!(odd_words("1|2 3|4"), "1|2");
        assert_eq!(odd_words("1|2 3|4 5|6"), "1|2 3|4 5|6");
    }
}
