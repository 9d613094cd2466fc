//! A match in which everything is decided.

use core::time::Duration;
use std::collections::BTreeMap;
use std::io;
use std::path::{PathBuf, absolute};

use quadrille_client::time_control::{Clock, TimeControl};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::finish::SPRT_ROUNDS;
use super::machine::MachineConfig;
use super::output::OutputConfig;
use super::rules::GameRules;
use super::schedule::{OpeningFormat, ScheduleConfig};
use quadrille_driver::spec::EngineSpec;

/// A whole match: who plays what against whom, how long, and what is written
/// down. Made by [`Draft::finish`](super::Draft::finish); kept with the games,
/// so that a match can go on later exactly as it began.
///
/// As JSON it is one object with the fields of all parts, because there are stores from
/// before there were parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchConfig {
    /// Who plays. At least two; names are unique.
    pub engines: Vec<Entrant>,
    /// The rules under which one game is played and ends.
    #[serde(flatten)]
    pub rules: GameRules,
    /// The games there are.
    #[serde(flatten)]
    pub schedule: ScheduleConfig,
    /// The way in which they are carried out here.
    #[serde(flatten)]
    pub machine: MachineConfig,
    /// Everything that is written down, shown and reported.
    #[serde(flatten)]
    pub output: OutputConfig,
}

/// Reads a description, and refuses one with a field that no part has: a newer version wrote
/// it, and a match that ignored the field would not be the same one. Serde does not refuse
/// unknown fields beside flattened parts.
impl<'de> Deserialize<'de> for MatchConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            engines: Vec<Entrant>,
            #[serde(flatten)]
            rules: GameRules,
            #[serde(flatten)]
            schedule: ScheduleConfig,
            #[serde(flatten)]
            machine: MachineConfig,
            #[serde(flatten)]
            output: OutputConfig,
            /// Has what the parts have left over.
            #[serde(flatten)]
            unknown: BTreeMap<String, Value>,
        }
        let fields = Fields::deserialize(from)?;
        if let Some(name) = fields.unknown.keys().next() {
            return Err(D::Error::custom(format!("unknown field `{name}`")));
        }
        Ok(Self {
            engines: fields.engines,
            rules: fields.rules,
            schedule: fields.schedule,
            machine: fields.machine,
            output: fields.output,
        })
    }
}

impl MatchConfig {
    /// Makes all paths independent of the folder this process was started in: a
    /// resumed match may be started from another one.
    pub fn make_absolute(&mut self) -> io::Result<()> {
        let fix = |path: &mut PathBuf| {
            *path = absolute(&*path)?;
            Ok::<(), io::Error>(())
        };
        for entrant in &mut self.engines {
            entrant.spec.make_absolute()?;
        }
        self.schedule.openings.file.as_mut().map_or(Ok(()), fix)?;
        if let Some(pgn) = &mut self.output.pgn {
            fix(&mut pgn.file)?;
        }
        if let Some(epd) = &mut self.output.epd {
            fix(&mut epd.file)?;
        }
        if let Some(log) = &mut self.output.log {
            log.file.as_mut().map_or(Ok(()), fix)?;
            log.tapes.as_mut().map_or(Ok(()), fix)?;
        }
        for path in self
            .rules
            .tablebases
            .iter_mut()
            .flat_map(|tb| &mut tb.paths)
        {
            fix(path)?;
        }
        Ok(())
    }

    /// Returns what the user should know before it begins, in sentences.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let opening = &self.schedule.openings;
        let one_start = opening.format == OpeningFormat::Start && opening.file.is_none();
        // Two games with sides changed differ in who plays which.
        if one_start && self.schedule.rounds.saturating_mul(self.schedule.games) > 2 {
            warnings.push(
                "there are no openings: engines that always play alike repeat the same games, \
                 which count as if they were new; give -openings (format=random plies=8 needs no file)"
                    .into(),
            );
        }
        if self.schedule.sprt.is_some() && self.schedule.rounds == SPRT_ROUNDS {
            warnings.push(format!(
                "-sprt without -rounds: the match ends when the test is decided, or after {SPRT_ROUNDS} \
                 rounds"
            ));
        }
        for entrant in &self.engines {
            let time = &entrant.time;
            if time.clock != Clock::None && time.move_time.is_some() {
                warnings.push(format!(
                    "engine '{}' has a clock (tc) and a time for every move (st): it loses when \
                     either is over",
                    entrant.name()
                ));
            }
            warnings.extend(entrant.spec.warning());
        }
        warnings
    }
}

/// One participant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The program to start; the name is always there.
    pub spec: EngineSpec,
    /// The time it may think, its handicap already counted in.
    pub time: TimeControl,
    /// The time by which a move may be late.
    #[serde(with = "millis")]
    pub margin: Duration,
}

impl Entrant {
    /// The name in tables and records.
    pub fn name(&self) -> &str {
        self.spec.name.as_deref().unwrap_or("")
    }
}

mod millis {
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(time.as_millis() as u64)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(from)?))
    }
}
