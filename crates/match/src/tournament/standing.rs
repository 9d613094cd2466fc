//! What the results so far mean, and whether they decide the event.

use serde::{Deserialize, Serialize};

use crate::config::MatchConfig;
use crate::pairing::{Plan, Schedule};
use crate::stats::SprtConfig;
use crate::stats::{Decision, Estimate, Meeting, Pairs, Sprt, Tables, Tally};

/// Where an event stands after its finished games. It is asked before every
/// game is dealt: a test that is decided deals no more.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Games finished.
    pub finished: u64,
    /// Games in all; `None` where later rounds depend on results.
    pub games: Option<u64>,
    /// The score of each player, in the order of the description.
    pub players: Vec<PlayerScore>,
    /// With two players, pairs of games from the view of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Pairs>,
    /// Whether the numbers below count pairs of games or single ones.
    pub pentanomial: bool,
    /// With two players, how much better the first is, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The sequential test, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtStanding>,
    /// Findings that a strict event does not forgive.
    pub complaints: u64,
    /// Whether the event is strict.
    pub strict: bool,
}

/// What a player has won so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerScore {
    /// The name.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Where a sequential test stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtStanding {
    /// The first hypothesis: no better than this.
    pub elo0: f64,
    /// The second hypothesis: at least this good.
    pub elo1: f64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// Below this the first hypothesis is accepted.
    pub lower: f64,
    /// Above this the second hypothesis is accepted.
    pub upper: f64,
    /// How far the ratio is on its way to a bound: from -1 at the lower to 1 at
    /// the upper.
    pub fraction: f64,
    /// What follows.
    pub decision: Decision,
}

impl Standing {
    /// What the test decided, if there is one and it is over.
    pub fn decision(&self) -> Option<Decision> {
        let decision = self.sprt.as_ref()?.decision;
        (decision != Decision::Continue).then_some(decision)
    }

    /// Whether the event is strict and an engine gave reason for complaint.
    pub(crate) const fn fails_strictly(&self) -> bool {
        self.strict && self.complaints > 0
    }
}

/// What of an event's description decides how its results are counted.
#[derive(Debug, Clone, Default)]
pub(super) struct Counting {
    games: Option<u64>,
    pentanomial: bool,
    sprt: Option<SprtConfig>,
    strict: bool,
}

impl Counting {
    pub(super) fn of(config: &MatchConfig) -> Self {
        let schedule = Schedule::new(&Plan::of(config), |_| None);
        Self {
            games: schedule.complete().then(|| schedule.known()),
            pentanomial: config.schedule.pentanomial,
            sprt: config.schedule.sprt,
            strict: config.output.strict,
        }
    }

    /// Judges the results.
    pub(super) fn judge(&self, tables: &Tables, finished: u64, complaints: u64) -> Standing {
        let names = tables.names().iter().enumerate();
        let players = names.map(|(player, name)| PlayerScore {
            name: name.clone(),
            tally: tables.total(player).tally,
        });
        let two = tables.names().len() == 2;
        let meeting = if two {
            tables.meeting(0, 1)
        } else {
            Meeting::default()
        };
        Standing {
            finished,
            games: self.games,
            players: players.collect(),
            pairs: two.then_some(meeting.pairs),
            pentanomial: self.pentanomial,
            estimate: self.estimate(&meeting),
            sprt: self.sprt.map(|config| self.test(config, &meeting)),
            complaints,
            strict: self.strict,
        }
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

    fn test(&self, config: SprtConfig, meeting: &Meeting) -> SprtStanding {
        let sprt = Sprt::new(config);
        let llr = if self.pentanomial {
            sprt.llr_of_pairs(&meeting.pairs)
        } else {
            sprt.llr(&meeting.tally)
        };
        // Before anything is known the ratio may be not a number.
        let llr = if llr.is_finite() { llr } else { 0.0 };
        SprtStanding {
            elo0: config.elo0,
            elo1: config.elo1,
            llr,
            lower: sprt.lower(),
            upper: sprt.upper(),
            fraction: sprt.fraction(llr),
            decision: sprt.decision(llr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(sprt: Option<SprtConfig>) -> Counting {
        Counting {
            games: Some(10),
            pentanomial: true,
            sprt,
            strict: true,
        }
    }

    #[test]
    fn a_standing_survives_json() {
        use quadrille_games::records::GameResult;
        let mut tables = Tables::new(["a".into(), "b".into()]);
        let sprt = Some(SprtConfig::default());
        for (white, black, result) in [
            (0, 1, GameResult::WhiteWins),
            (1, 0, GameResult::Draw),
            (0, 1, GameResult::BlackWins),
        ] {
            tables.add(&crate::stats::Played {
                white,
                black,
                result,
                pair: Some((0, 0)),
                termination: "checkmate",
                effort: Default::default(),
            });
            let standing = counting(sprt).judge(&tables, 1, 2);
            let text = serde_json::to_string(&standing).unwrap();
            let read: Standing = serde_json::from_str(&text).unwrap();
            // A player who won everything is infinitely better: null in JSON.
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
            assert_eq!(read.players, standing.players);
            assert_eq!(read.sprt, standing.sprt);
            assert!(read.fails_strictly());
        }
    }

    #[test]
    fn only_two_players_are_compared() {
        let tables = Tables::new(["a".into(), "b".into(), "c".into()]);
        let standing = counting(None).judge(&tables, 0, 0);
        assert_eq!((standing.pairs, standing.estimate), (None, None));
        assert_eq!(standing.decision(), None);
        assert_eq!(standing.players.len(), 3);
        let nothing = Tables::new(["a".into(), "b".into()]);
        let standing = counting(Some(SprtConfig::default())).judge(&nothing, 0, 0);
        assert_eq!(standing.decision(), None);
        assert_eq!(standing.estimate, None);
        assert!(!standing.fails_strictly());
    }
}
