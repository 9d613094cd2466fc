//! All results of an event so far.

use std::collections::BTreeMap;

use quadrille_client::findings::{Finding, FindingCode, Severity};
use quadrille_games::records::GameResult;
use serde::{Deserialize, Serialize};

use super::standing::{Counting, Standing};
use crate::config::MatchConfig;
use crate::pairing::Pairing;
use crate::stats::{Played, Tables};
use crate::store::GameEnd;

/// Something an engine does wrong, over the whole event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventFinding {
    /// How bad.
    pub severity: Severity,
    /// How often.
    pub count: u64,
    /// The first time, in words.
    pub example: String,
    /// The game of the first time.
    pub game: u64,
}

/// All results of an event so far, and what they mean.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// Who did what against whom.
    pub tables: Tables,
    /// What each player did wrong, by code.
    pub findings: Vec<BTreeMap<FindingCode, EventFinding>>,
    /// By number, from 1.
    by_number: Vec<Option<GameResult>>,
    finished: u64,
    counting: Counting,
    standing: Standing,
}

impl Results {
    /// Nothing played yet.
    pub fn new(config: &MatchConfig) -> Self {
        let names = config
            .engines
            .iter()
            .map(|entrant| entrant.name().to_owned());
        let mut results = Self {
            findings: vec![BTreeMap::new(); config.engines.len()],
            tables: Tables::new(names),
            counting: Counting::of(config),
            ..Self::default()
        };
        results.judge();
        results
    }

    /// The description has changed: how much is to be played, or how it is
    /// judged.
    pub(super) fn describe(&mut self, config: &MatchConfig) {
        self.counting = Counting::of(config);
        self.judge();
    }

    /// The names of the players.
    pub fn names(&self) -> &[String] {
        self.tables.names()
    }

    /// The result of a game by its number.
    pub fn result(&self, number: u64) -> Option<GameResult> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.by_number.get(index).copied().flatten()
    }

    /// What the results mean.
    pub const fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Takes in a finished game, once.
    pub(super) fn add(&mut self, pairing: &Pairing, end: &GameEnd) {
        self.count(pairing, end);
        self.judge();
    }

    /// Takes in a game whose meaning is asked for later, with
    /// [`judge`](Self::judge).
    pub(super) fn count(&mut self, pairing: &Pairing, end: &GameEnd) {
        let Some(index) = pairing.number.checked_sub(1) else {
            return;
        };
        let index = index as usize;
        if self.by_number.len() <= index {
            self.by_number.resize(index + 1, None);
        }
        if self.by_number[index].replace(end.ending.result).is_some() {
            return;
        }
        self.finished += 1;
        self.tables.add(&Played {
            white: pairing.white,
            black: pairing.black,
            result: end.ending.result,
            pair: Some(pairing.pair()),
            termination: end.ending.termination.words(),
            effort: end.sides,
        });
        for finding in &end.findings {
            let player = finding.side.map(|side| pairing.player(side));
            if let Some(known) = player.and_then(|player| self.findings.get_mut(player)) {
                note(known, finding, pairing.number);
            }
        }
    }

    /// Finds out what the results mean.
    pub(super) fn judge(&mut self) {
        let complaints = self.complaints();
        self.standing = self.counting.judge(&self.tables, self.finished, complaints);
    }

    /// How many findings there are that a strict user does not forgive.
    fn complaints(&self) -> u64 {
        let findings = self.findings.iter().flatten();
        findings
            .filter(|(_, finding)| finding.severity > Severity::Note)
            .map(|(_, finding)| finding.count)
            .sum()
    }
}

fn note(known: &mut BTreeMap<FindingCode, EventFinding>, finding: &Finding, game: u64) {
    let first = known.entry(finding.code.clone());
    let first = first.or_insert_with(|| EventFinding {
        severity: finding.severity,
        count: 0,
        example: finding.example.clone(),
        game,
    });
    first.count += finding.count;
    // The same words whichever game happened to end first.
    if game < first.game {
        first.game = game;
        first.example.clone_from(&finding.example);
    }
}
