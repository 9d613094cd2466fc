//! What may be changed about an event that has begun, and what was.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::run::{Tournament, TournamentError, describe};
use super::separate_files::keep_apart;
use crate::config::{Changes, MatchConfig, check_total};
use crate::pairing::{Plan, Schedule};
use crate::store::{Reader, StoreError};
use quadrille_driver::date::now;

/// Something about an event that changed after it began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// When, UTC.
    pub when: String,
    /// What, in words.
    pub what: String,
}

impl Change {
    /// The name of the note.
    const KEY: &'static str = "changes";

    /// All that a store knows of, in order.
    pub(super) fn all(reader: &Reader) -> Result<Vec<Self>, StoreError> {
        let text = reader.note(Self::KEY)?;
        Ok(text
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default())
    }
}

/// Puts a value in the place of another, and says so.
fn put<T: PartialEq + Clone>(
    said: &mut Vec<String>,
    name: &str,
    place: &mut T,
    wanted: Option<&T>,
    words: impl Fn(&T) -> String,
) {
    if let Some(wanted) = wanted
        && wanted != place
    {
        said.push(format!("{name}: {} -> {}", words(place), words(wanted)));
        place.clone_from(wanted);
    }
}

/// Carries changes out on a description; what differs, in words.
fn apply(config: &mut MatchConfig, changes: &Changes) -> Vec<String> {
    let MatchConfig {
        schedule,
        machine,
        output,
        ..
    } = config;
    let mut said = Vec::new();
    let word = |yes: &bool| (if *yes { "on" } else { "off" }).to_owned();
    let whole = |n: &u32| n.to_string();
    let at = &mut said;
    put(
        at,
        "rounds",
        &mut schedule.rounds,
        changes.rounds.as_ref(),
        whole,
    );
    let wanted = changes.concurrency.as_ref();
    put(
        at,
        "concurrency",
        &mut machine.concurrency,
        wanted,
        usize::to_string,
    );
    let wanted = changes.pgn.clone().map(Some);
    put(at, "pgnout", &mut output.pgn, wanted.as_ref(), |pgn| {
        let file = pgn.as_ref().map(|pgn| pgn.file.display().to_string());
        file.unwrap_or_else(|| "none".into())
    });
    let wanted = changes.epd.clone().map(Some);
    put(at, "epdout", &mut output.epd, wanted.as_ref(), |epd| {
        let file = epd.as_ref().map(|epd| epd.file.display().to_string());
        file.unwrap_or_else(|| "none".into())
    });
    put(
        at,
        "recover",
        &mut machine.recover,
        changes.recover.as_ref(),
        word,
    );
    put(
        at,
        "strict",
        &mut output.strict,
        changes.strict.as_ref(),
        word,
    );
    put(
        at,
        "wait",
        &mut machine.wait,
        changes.wait.as_ref(),
        |wait: &Duration| format!("{} ms", wait.as_millis()),
    );
    let wanted = changes.rating_interval.as_ref();
    put(
        at,
        "ratinginterval",
        &mut output.rating_interval,
        wanted,
        whole,
    );
    let wanted = changes.score_interval.as_ref();
    put(
        at,
        "scoreinterval",
        &mut output.score_interval,
        wanted,
        whole,
    );
    let wanted = changes.show_latency.as_ref();
    put(at, "show-latency", &mut output.show_latency, wanted, word);
    put(
        at,
        "use-affinity",
        &mut machine.affinity,
        changes.affinity.as_ref(),
        word,
    );
    let wanted = changes.processors.as_ref();
    put(at, "processors", &mut machine.processors, wanted, |list| {
        format!("{list:?}")
    });
    let wanted = changes.log.clone().map(Some);
    put(at, "log", &mut output.log, wanted.as_ref(), |log| {
        let file = log.as_ref().and_then(|log| log.file.as_ref());
        file.map_or_else(|| "none".into(), |file| file.display().to_string())
    });
    said
}

impl Tournament {
    /// Changes an event before it goes on. What was played stays what it was: a
    /// change after which a finished game would not be one of its games, with the
    /// same number, players and opening, is refused. What is changed is kept in
    /// the store.
    pub fn change(&mut self, changes: &Changes) -> Result<(), TournamentError> {
        let mut config = self.config.clone();
        let mut changes = changes.clone();
        let system = |error: std::io::Error| TournamentError::System(error.to_string());
        changes.make_absolute().map_err(system)?;
        let said = apply(&mut config, &changes);
        if said.is_empty() {
            return Ok(());
        }
        keep_apart(&config, self.path())?;
        let (engines, wanted) = (config.engines.len(), &config.schedule);
        check_total(wanted.format, engines, wanted.rounds, wanted.games)?;
        let old = Schedule::new(&Plan::of(&self.config), |n| self.results.result(n));
        let new = Schedule::new(&Plan::of(&config), |n| self.results.result(n));
        let played = |n: &u64| self.results.result(*n).is_some();
        if let Some(game) = (1..=old.known())
            .filter(played)
            .find(|n| new.game(*n) != old.game(*n))
        {
            return Err(TournamentError::Change {
                rounds: config.schedule.rounds,
                before: self.config.schedule.rounds,
                game,
            });
        }
        self.config = config;
        self.results.describe(&self.config);
        let json = describe(&self.config, self.path())?;
        self.store.describe(json);
        for what in said {
            self.note_change(what);
        }
        Ok(())
    }

    /// Writes down that something has changed.
    pub(super) fn note_change(&mut self, what: String) {
        let when = now().to_string();
        self.changes.push(Change { when, what });
        // Texts always have a text.
        let text = serde_json::to_string(&self.changes).unwrap_or_default();
        self.store.note(Change::KEY, text);
    }
}
