//! Whether a game that was played elsewhere can have been played: every move
//! legal, the end the one that follows, clocks that add up.

use std::time::Duration;

use quadrille_client::{Adjudicated, Ending, GameClock, Spent, Termination};
use quadrille_games::{AnyLine, Side};

use super::adjudicate::{Adjudication, Judge};
use super::ply::Ply;
use crate::config::TimeControl;
use crate::stats::Effort;
use quadrille_driver::NamedMove;

/// The longest time that a game is believed to have taken: a year.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// A game as it was told, without the moves of its opening.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Its moves.
    pub plies: &'a [Ply],
    /// How it ended.
    pub ending: &'a Ending,
    /// What White and Black are said to have put into it.
    pub sides: &'a [Effort; 2],
    /// How long it is said to have taken.
    pub duration: Duration,
}

/// What a game is held against.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    /// When a game is cut short.
    pub adjudication: &'a Adjudication,
    /// How long White and Black may think, where it was played.
    pub time: [&'a TimeControl; 2],
    /// How much later a move of each may come.
    pub margin: [Duration; 2],
}

/// What is wrong with a game that was told, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReplayError(String);

fn wrong<T>(what: impl Into<String>) -> Result<T, ReplayError> {
    Err(ReplayError(what.into()))
}

impl Replay<'_> {
    /// Plays the moves from the end of `line` and says what does not fit.
    pub fn check(&self, mut line: AnyLine, told: Told<'_>) -> Result<(), ReplayError> {
        if told.duration > LONGEST {
            let years = told.duration.as_secs() / LONGEST.as_secs();
            return wrong(format!("it is said to have taken {years} years or more"));
        }
        let mut judge = Judge::new(self.adjudication);
        let mut clocks = [0, 1].map(|side| GameClock::new(self.time[side], self.margin[side]));
        let mut sums = [Effort::default(); 2];
        let mut end = line.outcome_with_claims().map(Ending::by_rules);
        let mut spent = Duration::ZERO;
        for (index, ply) in told.plies.iter().enumerate() {
            let number = line.plies() + 1;
            if let Some(end) = end {
                return wrong(format!("ply {number} comes after the end: {end}"));
            }
            let side = line.side();
            let m = legal(&line, ply, number)?;
            if let Some(score) = ply.score.filter(|score| !score.is_reasonable()) {
                return wrong(format!("ply {number}: {score} is no score"));
            }
            charge(&mut clocks, side, ply, index)
                .map_err(|what| ReplayError(format!("ply {number}: {what}")))?;
            spent += ply.elapsed;
            let depth = ply
                .depth
                .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
            sums[side.index()].add_move(Some(ply.elapsed), depth, ply.nodes);
            if line.push(m.value).is_err() {
                return wrong(format!("ply {number}: {} is no legal move", ply.text));
            }
            end = line.outcome_with_claims().map(Ending::by_rules);
            if end.is_none() {
                judge.heard(side, ply.score, &line);
                end = judge.decide(&line);
            }
        }
        ends_so(&line, end.as_ref(), told.ending, &clocks)?;
        // Times are told in microseconds, and sums of them in whole.
        let rounding = Duration::from_micros(told.plies.len() as u64 + 1);
        for (side, (ours, theirs)) in sums.iter().zip(told.sides).enumerate() {
            let counted = |sum: &Effort| (sum.moves, sum.nodes, sum.depth);
            let late = ours.time.abs_diff(theirs.time) > rounding;
            if counted(ours) != counted(theirs) || late {
                let side = Side::BOTH[side];
                return wrong(format!("the sums of {side} are not those of its moves"));
            }
        }
        if spent > told.duration + rounding {
            return wrong("its moves took longer than the game");
        }
        Ok(())
    }
}

fn legal(line: &AnyLine, ply: &Ply, number: usize) -> Result<NamedMove, ReplayError> {
    if ply.book {
        return wrong(format!("ply {number} claims to be of the opening"));
    }
    let Ok(m) = NamedMove::read(line, &ply.text) else {
        return wrong(format!("ply {number}: {} is no legal move", ply.text));
    };
    match line.notation_of(m.value) {
        Ok(notation) if notation == ply.notation && m.text == ply.text => Ok(m),
        _ => wrong(format!(
            "ply {number}: {} is not written {}",
            ply.text, ply.notation
        )),
    }
}

/// Takes the time of a move and compares the clock. What the machine excused is
/// known only where the game was played, so a flag is judged by what was charged.
fn charge(clocks: &mut [GameClock; 2], side: Side, ply: &Ply, before: usize) -> Result<(), String> {
    let clock = &mut clocks[side.index()];
    if let Spent::Over(over) = clock.spend(ply.charged, ply.charged) {
        return Err(format!("the flag had fallen {over:?} before"));
    }
    let left = clock.left().map(|left| left.as_micros() as i64);
    let rounding = i64::try_from(before).unwrap_or(i64::MAX).saturating_add(2);
    match (left, ply.clock_us) {
        (None, None) => {}
        (Some(ours), Some(theirs)) if ours.abs_diff(theirs) <= rounding.unsigned_abs() => {}
        (ours, theirs) => {
            return Err(format!(
                "the clock shows {theirs:?} microseconds, but {ours:?} are left"
            ));
        }
    }
    clocks[(!side).index()].opponent_spent(ply.charged);
    Ok(())
}

/// Whether a game that stands here ends in this way.
fn ends_so(
    line: &AnyLine,
    found: Option<&Ending>,
    told: &Ending,
    clocks: &[GameClock; 2],
) -> Result<(), ReplayError> {
    let to_move = line.side();
    if told.termination.is_fault() && found.is_none() && told.loser() != Some(to_move) {
        return wrong(format!("{told}, but {to_move} is to move"));
    }
    match (&told.termination, found) {
        (Termination::Rules { .. } | Termination::Adjudication { .. }, Some(end))
            if end == told =>
        {
            Ok(())
        }
        (_, Some(end)) => wrong(format!("it ends so: {end}; told was: {told}")),
        (Termination::TimeForfeit { .. }, None) => match clocks[to_move.index()].flag() {
            Some(_) => Ok(()),
            None => wrong("a flag fell, and there is no clock"),
        },
        (Termination::IllegalMove { text }, None) => match NamedMove::read(line, text) {
            Err(_) => Ok(()),
            Ok(_) => wrong(format!("{text} is called illegal, and is not")),
        },
        (Termination::Stall { .. } | Termination::Disconnect { .. }, None) => Ok(()),
        // Tables may be there and not here.
        (
            Termination::Adjudication {
                by: Adjudicated::Tablebase,
            },
            None,
        ) => wrong("an endgame table is said to have decided it, and ours does not"),
        (_, None) => wrong(format!("{told}: it does not end there")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ResignRule;
    use crate::referee::AdjudicationRules;
    use quadrille_driver::EngineScore;
    use quadrille_games::Game;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// A game on a clock of ten seconds and one more for each move: every move
    /// takes a second and a bit.
    struct Game1 {
        plies: Vec<Ply>,
        ending: Ending,
        sides: [Effort; 2],
        duration: Duration,
        tc: &'static str,
    }

    fn game(moves: &[&str]) -> Game1 {
        let mut line = AnyLine::new(Game::Chess, "", START).unwrap();
        let mut sides = [Effort::default(); 2];
        let mut clocks = [11_000_000_i64; 2];
        let mut plies = Vec::new();
        for text in moves {
            let side = line.side().index();
            let m = NamedMove::read(&line, text).unwrap();
            clocks[side] -= 1_000_500 - 1_000_000;
            let elapsed = Duration::from_micros(1_000_500);
            plies.push(Ply {
                notation: line.notation_of(m.value).unwrap(),
                text: m.text,
                score: Some(EngineScore::Cp(if side == 0 { -900 } else { 900 })),
                nodes: Some(100),
                depth: Some(3),
                elapsed,
                charged: elapsed,
                clock_us: Some(clocks[side]),
                ..Ply::default()
            });
            sides[side].add_move(Some(elapsed), Some(3), Some(100));
            line.push(m.value).unwrap();
        }
        let outcome = line.outcome_with_claims();
        Game1 {
            duration: Duration::from_micros(1_000_500 * plies.len() as u64),
            ending: outcome.map_or_else(Ending::unterminated, Ending::by_rules),
            plies,
            sides,
            tc: "10+1",
        }
    }

    fn check(game: &Game1, resign: Option<ResignRule>) -> Result<(), String> {
        let rules = AdjudicationRules {
            resign,
            ..AdjudicationRules::default()
        };
        let adjudication = Adjudication::new(rules).unwrap();
        let time: TimeControl = game.tc.parse().unwrap();
        let replay = Replay {
            adjudication: &adjudication,
            time: [&time; 2],
            margin: [Duration::ZERO; 2],
        };
        let told = Told {
            plies: &game.plies,
            ending: &game.ending,
            sides: &game.sides,
            duration: game.duration,
        };
        let line = AnyLine::new(Game::Chess, "", START).unwrap();
        replay.check(line, told).map_err(|error| error.to_string())
    }

    const FOOL: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

    fn refused(change: impl FnOnce(&mut Game1), why: &str) {
        let mut game = game(&FOOL);
        assert_eq!(check(&game, None), Ok(()));
        change(&mut game);
        let error = check(&game, None).expect_err(why);
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn a_game_that_was_made_up_is_refused() {
        refused(|g| g.plies[1].text = "e7e4".into(), "no legal move");
        refused(|g| g.plies[1].notation = "e6".into(), "not written");
        refused(|g| g.plies[1].book = true, "of the opening");
        refused(
            |g| g.ending.result = quadrille_games::records::GameResult::WhiteWins,
            "it ends so",
        );
        refused(|g| drop(g.plies.pop()), "does not end there");
        refused(|g| g.plies.push(g.plies[0].clone()), "after the end");
        refused(|g| g.plies[2].clock_us = Some(9_000_000), "the clock shows");
        refused(|g| g.plies[2].clock_us = None, "the clock shows");
        refused(
            |g| g.plies[2].charged = Duration::from_secs(20),
            "flag had fallen",
        );
        refused(|g| g.sides[0].nodes += 1, "the sums of White");
        refused(|g| g.sides[1].time *= 2, "the sums of Black");
        refused(|g| g.duration /= 2, "longer than the game");
        let longest = Duration::from_micros(u64::MAX);
        refused(|g| g.duration = longest, "taken 583344 years");
        for score in [
            EngineScore::Cp(i64::MAX),
            EngineScore::Cp(i64::MIN),
            EngineScore::Mate(1 << 33),
            EngineScore::Mate(i64::MIN),
        ] {
            refused(|g| g.plies[1].score = Some(score), "is no score");
        }
        refused(|g| g.tc = "nodes=5", "the clock shows");
    }

    #[test]
    fn other_ends_are_held_against_the_game_too() {
        use crate::referee::Fault;
        let mut g = game(&FOOL[..3]);
        for (ending, why) in [
            (
                Ending::by_fault(Side::Black, Fault::IllegalMove("e5e3".into())),
                None,
            ),
            (
                Ending::by_fault(Side::Black, Fault::IllegalMove("e5e4".into())),
                Some("is not"),
            ),
            (
                Ending::by_fault(Side::White, Fault::Stall("x".into())),
                Some("Black is to move"),
            ),
            (
                Ending::by_fault(Side::Black, Fault::Disconnect("x".into())),
                None,
            ),
            (
                Ending::by_fault(Side::Black, Fault::Time(Duration::from_secs(1))),
                None,
            ),
            (
                Ending::adjudicated(None, Adjudicated::Draw),
                Some("does not end"),
            ),
            (
                Ending::adjudicated(None, Adjudicated::Tablebase),
                Some("ours does not"),
            ),
            (Ending::unterminated(), Some("does not end")),
        ] {
            g.ending = ending;
            match (check(&g, None), why) {
                (Ok(()), None) => {}
                (Err(error), Some(why)) => assert!(error.contains(why), "{error}"),
                (found, _) => panic!("{:?}: {found:?}", g.ending),
            }
        }
        // White had a lost score twice.
        let resign = ResignRule {
            movecount: 2,
            score: 600,
            twosided: true,
        };
        g.ending = Ending::adjudicated(Some(Side::Black), Adjudicated::Resign);
        assert!(check(&g, Some(resign)).is_err(), "Black has not agreed yet");
        // And White gives up after a move of its own.
        let mut longer = game(&["f2f3", "e7e5", "g2g3", "d7d5", "e2e3"]);
        longer.ending = g.ending.clone();
        assert_eq!(check(&longer, Some(resign)), Ok(()));
        longer.ending = Ending::adjudicated(Some(Side::White), Adjudicated::Resign);
        assert!(check(&longer, Some(resign)).is_err());
    }
}
