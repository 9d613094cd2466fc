//! What an engine says about a game, held against the game.

use std::time::Duration;

use quadrille_client::findings::{Finding, Findings, HostDiagnostic};
use quadrille_games::{AnyLine, AnyMove, Outcome, Side};

use super::ply::Ply;
use quadrille_driver::EngineScore;

/// Moves of an expected line that are looked at: beyond that it is a guess.
const LONGEST_PV: usize = 100;
/// Shorter searches say nothing about speed.
const SPEED_TIME: Duration = Duration::from_millis(100);
/// So many moves make an average.
const SPEED_MOVES: u64 = 5;
/// A speed below this part of the average is a collapse.
const COLLAPSE: u64 = 10;

/// The checks of one game.
#[derive(Debug, Default)]
pub struct Checks {
    found: [Findings; 2],
    /// For each side the ply at which its promised mate is due.
    promises: [Option<(usize, String)>; 2],
    /// For each side the promises that were not kept in time. What to say about them is known
    /// when the game is over: the mate may still have come.
    broken: [Vec<String>; 2],
    /// For each side nodes and microseconds, and how many moves.
    speed: [(u64, u64, u64); 2],
}

/// How far an expected line can be followed.
#[derive(Default)]
struct Walk {
    /// It comes to a move that cannot be played.
    illegal: bool,
    past_end: bool,
    past_draw: bool,
    /// How many plies it takes to the end of the game, and what that is.
    end: Option<(usize, Outcome)>,
}

impl Checks {
    /// Notes something about a side.
    pub fn note(&mut self, side: Side, oddity: HostDiagnostic, example: impl FnOnce() -> String) {
        self.found[side.index()].note(oddity, example);
    }

    /// Looks at an answer: the move, the first move of the last expected line,
    /// and what is written down about it, with the expected line that has an
    /// exact score. The line of the game stands before the move.
    pub fn answer(&mut self, line: &AnyLine, best: AnyMove, head: Option<&str>, ply: &Ply) {
        let side = line.side();
        let place = || place(line);
        if let Some(head) = head
            && head != ply.text
            && line.parse_notation(head).is_ok_and(|head| head != best)
        {
            self.note(side, HostDiagnostic::NotThePv, || {
                format!("{}: bestmove {}, pv {head} ...", place(), ply.text)
            });
        }
        if let Some(pv) = &ply.pv {
            let walk = Walk::along(line, pv);
            let told = || format!("{}: pv {pv}", place());
            if walk.illegal {
                self.note(side, HostDiagnostic::IllegalPv, told);
            } else if walk.past_end {
                self.note(side, HostDiagnostic::PvPastEnd, told);
            } else if walk.past_draw {
                self.note(side, HostDiagnostic::PvPastDraw, told);
            }
            self.mate_line(side, &walk, ply, told);
        }
        self.promise(line, ply);
        self.speed(side, ply, place);
    }

    fn mate_line(&mut self, side: Side, walk: &Walk, ply: &Ply, told: impl Fn() -> String) {
        let (Some(EngineScore::Mate(moves)), Some((plies, end))) = (ply.score, walk.end) else {
            return;
        };
        let Some(winner) = end.winner else {
            return;
        };
        let told = || format!("{}: mate {moves}", told());
        if (winner == side) != (moves > 0) {
            self.note(side, HostDiagnostic::MateSign, told);
        } else if moves > 0 && plies.div_ceil(2) as u64 != moves.unsigned_abs() {
            self.note(side, HostDiagnostic::MateDistance, told);
        }
    }

    /// A mate in `n` is due with the n-th move of this side from here. Only the
    /// first promise counts: a later one does not excuse it.
    fn promise(&mut self, line: &AnyLine, ply: &Ply) {
        let slot = &mut self.promises[line.side().index()];
        match ply.score {
            Some(EngineScore::Mate(moves @ 1..=500)) => {
                let due = line.plies() + 2 * moves as usize - 1;
                if slot.as_ref().is_none_or(|(known, _)| due < *known) {
                    *slot = Some((due, format!("{}: mate {moves}", place(line))));
                }
            }
            // The engine took it back itself before it was due.
            Some(_) if slot.is_some() => self.refuted(line.side()),
            _ => {}
        }
    }

    fn refuted(&mut self, side: Side) {
        if let Some((_, example)) = self.promises[side.index()].take() {
            self.broken[side.index()].push(example);
        }
    }

    fn speed(&mut self, side: Side, ply: &Ply, place: impl Fn() -> String) {
        // What the machine took is no fault of the engine's.
        let time = ply.elapsed.min(ply.charged);
        let Some(nodes) = ply.nodes.filter(|_| time >= SPEED_TIME) else {
            return;
        };
        let micros = time.as_micros() as u64;
        let (all_nodes, all_micros, moves) = self.speed[side.index()];
        let per_second = |nodes: u64, micros: u64| {
            u64::try_from(u128::from(nodes) * 1_000_000 / u128::from(micros.max(1)))
                .unwrap_or(u64::MAX)
        };
        let (average, now) = (per_second(all_nodes, all_micros), per_second(nodes, micros));
        if moves >= SPEED_MOVES && now < average / COLLAPSE {
            self.note(side, HostDiagnostic::NpsCollapse, || {
                format!("{}: {now} nodes per second, {average} on average", place())
            });
        }
        self.speed[side.index()] = (
            all_nodes.saturating_add(nodes),
            all_micros.saturating_add(micros),
            moves + 1,
        );
    }

    /// The line has a move more: whatever was due by now should have come.
    pub fn moved(&mut self, line: &AnyLine, over: bool) {
        for side in Side::BOTH {
            let due =
                matches!(&self.promises[side.index()], Some((due, _)) if line.plies() >= *due);
            if due && !over {
                self.refuted(side);
            }
        }
    }

    /// The rules ended the game: a promised mate by then has come, or never
    /// will.
    pub fn ended(&mut self, outcome: Outcome) {
        for side in Side::BOTH {
            if outcome.winner != Some(side) {
                self.refuted(side);
                continue;
            }
            for example in std::mem::take(&mut self.broken[side.index()]) {
                self.note(side, HostDiagnostic::MateLate, || example);
            }
        }
    }

    /// Everything that was noticed.
    pub fn findings(&self) -> Vec<Finding> {
        let nothing = Findings::default();
        let of = |side: Side| {
            let mut found = self.found[side.index()].clone();
            for example in &self.broken[side.index()] {
                found.note(HostDiagnostic::MateRefuted, || example.clone());
            }
            found.since(&nothing, side).collect::<Vec<_>>()
        };
        Side::BOTH.into_iter().flat_map(of).collect()
    }
}

/// Where in the game this is.
fn place(line: &AnyLine) -> String {
    format!("ply {}", line.plies() + 1)
}

impl Walk {
    /// Follows an expected line. Forms that engines get wrong are the driver's
    /// affair: here a move counts as legal in any form we can read.
    fn along(line: &AnyLine, pv: &str) -> Self {
        let mut walk = Self::default();
        let mut variation = line.variation();
        let moves = pv.split_ascii_whitespace().take(LONGEST_PV);
        for (index, text) in moves.enumerate() {
            if index > 0 {
                if walk.end.is_some() {
                    walk.past_end = true;
                    break;
                }
                walk.past_draw |= variation.outcome_with_claims().is_some();
            }
            let found = variation
                .parse_move(text)
                .or_else(|_| variation.parse_notation(text))
                .or_else(|_| variation.parse_notation(&text.to_ascii_lowercase()));
            if found.and_then(|m| variation.push(m)).is_err() {
                walk.illegal = true;
                break;
            }
            let end = variation.position_outcome();
            walk.end = end.map(|end| (index + 1, end));
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Game;

    fn codes(checks: &Checks) -> Vec<String> {
        let found = checks.findings().into_iter();
        found.map(|finding| finding.code.to_string()).collect()
    }

    fn found(start: &str, best: &str, pv: &str, score: Option<EngineScore>) -> Vec<String> {
        let line = AnyLine::new(Game::Chess, "", start).unwrap();
        let ply = Ply {
            text: best.into(),
            score,
            pv: Some(pv.into()),
            ..Ply::default()
        };
        let best = line.parse_move(best).unwrap();
        let mut checks = Checks::default();
        checks.answer(&line, best, pv.split(' ').next(), &ply);
        codes(&checks)
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

    #[test]
    fn expected_lines_are_followed() {
        use EngineScore::Mate;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(found(start, "e2e4", "e2e4 e7e5", None).is_empty());
        assert_eq!(found(start, "e2e4", "e2e4 e2e4", None), ["illegal-pv"]);
        assert_eq!(found(start, "e2e4", "d2d4 d7d5", None), ["bestmove-not-pv"]);
        assert_eq!(found(BACK_RANK, "a1a8", "a1a8 g8h8", None), ["pv-past-end"]);
        assert!(found(BACK_RANK, "a1a8", "a1a8", Some(Mate(1))).is_empty());
        assert_eq!(
            found(BACK_RANK, "a1a8", "a1a8", Some(Mate(-1))),
            ["mate-sign"]
        );
        assert_eq!(
            found(BACK_RANK, "a1a8", "a1a8", Some(Mate(3))),
            ["mate-distance"]
        );
        let shuffle = "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1 f8g8 a1b1";
        assert_eq!(found(BACK_RANK, "a1b1", shuffle, None), ["pv-past-draw"]);
        let upper = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert!(found(upper, "a7a8q", "a7a8Q", None).is_empty());
    }

    /// Plays moves; the scores are White's.
    fn promised(moves: &[&str], scores: &[EngineScore], outcome: bool) -> Vec<String> {
        let mut line = AnyLine::new(Game::Chess, "", BACK_RANK).unwrap();
        let mut checks = Checks::default();
        for (index, text) in moves.iter().enumerate() {
            let best = line.parse_move(text).unwrap();
            if index % 2 == 0 {
                let ply = Ply {
                    score: Some(scores[index / 2]),
                    ..Ply::default()
                };
                checks.answer(&line, best, None, &ply);
            }
            line.push(best).unwrap();
            checks.moved(&line, line.outcome().is_some());
        }
        if outcome && let Some(end) = line.outcome() {
            checks.ended(end);
        }
        codes(&checks)
    }

    #[test]
    fn promised_mates_must_come() {
        use EngineScore::{Cp, Mate};
        assert!(promised(&["a1a8"], &[Mate(1)], true).is_empty());
        assert_eq!(promised(&["a1b1"], &[Mate(1)], false), ["mate-refuted"]);
        let two = ["a1b1", "g8h8", "b1b8"];
        assert!(promised(&two, &[Mate(2), Mate(1)], true).is_empty());
        let three = ["a1b1", "g8h8", "b1a1", "h8g8"];
        assert_eq!(
            promised(&three, &[Mate(2), Mate(2)], false),
            ["mate-refuted"]
        );
        assert_eq!(
            promised(&three, &[Mate(5), Cp(100)], false),
            ["mate-refuted"]
        );
        assert!(promised(&three, &[Mate(5), Mate(4)], false).is_empty());
        assert!(promised(&three, &[Mate(-5), Cp(100)], false).is_empty());
    }

    #[test]
    fn a_mate_that_comes_later_than_promised_is_called_late() {
        use EngineScore::{Cp, Mate};
        let late = ["a1b1", "g8h8", "b1b8"];
        assert_eq!(promised(&late, &[Mate(1), Mate(1)], true), ["mate-late"]);
        // The score fell back in between.
        let back = ["a1b1", "g8h8", "b1a1", "h8g8", "a1a8"];
        let scores = [Mate(3), Cp(500), Mate(1)];
        assert_eq!(promised(&back, &scores, true), ["mate-late"]);
        // Cut short: nobody knows whether it would have come.
        assert_eq!(promised(&back[..4], &scores, false), ["mate-refuted"]);
    }

    #[test]
    fn a_collapse_of_speed_is_seen() {
        let mut checks = Checks::default();
        let mut ply = Ply {
            nodes: Some(1_000_000),
            elapsed: Duration::from_secs(1),
            charged: Duration::from_secs(1),
            ..Ply::default()
        };
        for _ in 0..5 {
            checks.speed(Side::White, &ply, String::new);
        }
        // The machine took nearly all of it.
        let slow = Ply {
            nodes: Some(50_000),
            charged: Duration::from_millis(50),
            ..ply.clone()
        };
        checks.speed(Side::White, &slow, String::new);
        assert!(checks.findings().is_empty());
        ply.nodes = Some(120_000);
        checks.speed(Side::White, &ply, String::new);
        assert!(checks.findings().is_empty());
        ply.nodes = Some(10_000);
        checks.speed(Side::Black, &ply, String::new);
        assert!(checks.findings().is_empty(), "each side has its own speed");
        checks.speed(Side::White, &ply, String::new);
        assert_eq!(codes(&checks), ["nps-collapse"]);
    }
}
