//! The numbers of an event so far.

use std::collections::BTreeMap;

use quadrille_games::Side;
use quadrille_games::records::GameResult;
use serde::Serialize;

use crate::pairing::Pairing;
use crate::stats::{Played, Tables};
use crate::store::{FindingRow, GameEnd};

/// Something an engine does wrong, over the whole event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardFinding {
    /// `note`, `warning` or `error`.
    pub severity: String,
    /// How often.
    pub count: u64,
    /// The first time, in words.
    pub example: String,
    /// The game of the first time.
    pub game: u64,
}

/// All results of an event so far.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// Who did what against whom.
    pub tables: Tables,
    /// What each player did wrong, by code.
    pub findings: Vec<BTreeMap<String, BoardFinding>>,
    /// Games finished.
    pub finished: u64,
    /// By number, from 1.
    results: Vec<Option<GameResult>>,
}

impl Board {
    /// Nothing played yet.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            findings: vec![BTreeMap::new(); names.len()],
            tables: Tables::new(names),
            ..Self::default()
        }
    }

    /// The names of the players.
    pub fn names(&self) -> &[String] {
        self.tables.names()
    }

    /// The result of a game by its number.
    pub fn result(&self, number: u64) -> Option<GameResult> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.results.get(index).copied().flatten()
    }

    /// How many findings there are that a strict user does not forgive: all but
    /// notes, and the greeting that most engines print without being asked.
    pub fn complaints(&self) -> u64 {
        let findings = self.findings.iter().flatten();
        findings
            .filter(|(code, finding)| finding.severity != "note" && *code != "unknown-command")
            .map(|(_, finding)| finding.count)
            .sum()
    }

    /// Takes in a finished game, once.
    pub fn add(&mut self, pairing: &Pairing, end: &GameEnd) {
        let Some(index) = pairing.number.checked_sub(1) else {
            return;
        };
        let index = index as usize;
        if self.results.len() <= index {
            self.results.resize(index + 1, None);
        }
        if self.results[index].replace(end.ending.result).is_some() {
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
        for row in &end.findings {
            let side = if row.side == 0 {
                Side::White
            } else {
                Side::Black
            };
            if let Some(known) = self.findings.get_mut(pairing.player(side)) {
                note(known, row, pairing.number);
            }
        }
    }
}

fn note(known: &mut BTreeMap<String, BoardFinding>, row: &FindingRow, game: u64) {
    let finding = known.entry(row.code.clone());
    let finding = finding.or_insert_with(|| BoardFinding {
        severity: row.severity.clone(),
        count: 0,
        example: row.example.clone(),
        game,
    });
    finding.count += row.count;
    // The same words whichever game happened to end first.
    if game < finding.game {
        finding.game = game;
        finding.example.clone_from(&row.example);
    }
}
