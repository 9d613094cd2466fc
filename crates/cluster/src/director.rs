//! A match whose games are played by workers: a [`Venue`] behind a queue.

mod ask;
mod game;
mod longest;
mod output;
mod spot_check;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use bytes::Bytes;
use quadrille_driver::machine::Toll;
use quadrille_driver::{Identity, OptionList, StartError};
use quadrille_games::{AnyLine, Game};
use quadrille_match::config::{MatchConfig, TablebaseConfig};
use quadrille_match::pairing::Pairing;
use quadrille_match::referee::{Adjudication, AdjudicationRules, Latencies};
use quadrille_match::store::GameEnd;
use quadrille_match::tournament::{
    Boxed, GameTrouble, Load, MatchEvent, Notes, Told, Tournament, Venue,
};
use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::crew::Entry;
use crate::error::ClusterError;
use crate::messages::{GameJob, Need, SeatJob, TableWish, Task, Wishes};
use crate::names;
use crate::prove::measure_speed;
use crate::queue::{HoldLimit, Keep, Plan, Queue};
use crate::secret::Secret;
use spot_check::SpotChecks;

pub use spot_check::{DOUBTED, Doubted};

/// The name of the note in which an event remembers itself.
const KEY: &str = "cluster";
/// The name of the note in which it remembers its workers.
const ROSTER: &str = "cluster-workers";
/// How soon a director answers.
const LISTENS: Duration = Duration::from_secs(2);
/// Nodes a second that are never believed of a director that was not measured.
const UNTIMED: u64 = 0;

/// How a match is spread.
#[derive(Debug, Clone)]
pub struct DirectorOptions {
    /// How long a worker may be silent before its games are dealt again.
    pub patience: Duration,
    /// Whether moves are told while games are played.
    pub live: bool,
    /// The speed that times are meant for, in nodes a second of the built-in
    /// engine; if missing, the one of this machine is measured.
    pub reference: Option<u64>,
    /// How much more time than described a slow worker may take for a game.
    pub slowest: f64,
    /// How long a worker may have a game without a result, beyond what the clocks of the
    /// game permit. It is more if the games of the match take long.
    pub hold: Duration,
    /// The share of games that other workers check before they count, from 0 to 1.
    pub spot_check: f64,
    /// The program that is the built-in engine, and is measured.
    pub program: PathBuf,
}

impl DirectorOptions {
    /// The usual ones.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            patience: Duration::from_secs(30),
            live: false,
            reference: None,
            slowest: 4.0,
            hold: Duration::from_mins(10),
            spot_check: 0.02,
            program,
        }
    }

    /// Takes the flags that are about this out of a command line:
    /// `--nats-patience SECONDS`, `--nats-reference NPS`, `--nats-slowest FACTOR`,
    /// `--nats-spot-check SHARE`.
    pub fn take_flags(&mut self, words: &mut Vec<String>) -> Result<(), ClusterError> {
        let mut rest = Vec::with_capacity(words.len());
        let mut queue = std::mem::take(words).into_iter();
        while let Some(word) = queue.next() {
            let name = word.trim_start_matches('-');
            let known = matches!(
                name,
                "nats-patience" | "nats-reference" | "nats-slowest" | "nats-spot-check"
            );
            if !known || name.len() == word.len() {
                rest.push(word);
                continue;
            }
            let value = queue.next().unwrap_or_default();
            if name == "nats-spot-check" {
                self.spot_check = share(&value).ok_or_else(|| {
                    ClusterError::Input(format!(
                        "--{name} {value}: a share of the games is needed, from 0% (none) to 100%"
                    ))
                })?;
                continue;
            }
            let number = value
                .parse::<f64>()
                .ok()
                .filter(|n| n.is_finite() && *n > 0.0);
            let Some(number) = number else {
                return Err(ClusterError::Input(format!(
                    "--{name} {value}: a number above zero is needed"
                )));
            };
            match name {
                "nats-patience" => {
                    self.patience = Duration::from_secs_f64(number.clamp(0.3, 3600.0));
                }
                "nats-reference" => self.reference = Some(number as u64),
                _ => self.slowest = number.clamp(0.001, 1000.0),
            }
        }
        *words = rest;
        Ok(())
    }
}

/// A share as `2%` or `0.02`.
fn share(text: &str) -> Option<f64> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
        None => text.parse().ok()?,
    };
    (0.0..=1.0).contains(&share).then_some(share)
}

/// What an event remembers about itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Memory {
    event: String,
    session: u32,
    reference: u64,
    /// See [`Secret`].
    #[serde(default)]
    secret: String,
}

/// Deals games to workers and takes their results.
#[derive(Debug)]
pub struct Director {
    config: MatchConfig,
    notes: Notes,
    queue: Arc<Queue>,
    adjudication: Adjudication,
    reference: u64,
    latencies: Arc<Latencies>,
    toll: Arc<Toll>,
    checks: SpotChecks,
    /// When this run began, by the clock of its queue.
    opened: Instant,
}

impl Director {
    /// Opens an event on the server, or goes on with it. The [`Tournament`] must
    /// be told afterwards ([`Tournament::set_venue`]).
    pub async fn open(
        access: &Access,
        tournament: &Tournament,
        options: &DirectorOptions,
    ) -> Result<Self, ClusterError> {
        let config = tournament.config().clone();
        check_names(&config)?;
        let dropped = Arc::default();
        let client = access
            .connect_bounded(
                &format!("quadrille director: {}", config.output.event),
                names::DIRECTOR_INBOX,
                Arc::clone(&dropped),
            )
            .await?;
        let timed = config.engines.iter().any(|entrant| entrant.time.is_timed());
        let known = tournament.note(KEY)?;
        let known: Option<Memory> = known.and_then(|text| serde_json::from_str(&text).ok());
        let known = known.filter(|memory| names::is_word(&memory.event));
        let memory = match known {
            Some(memory) => Memory {
                session: memory.session.saturating_add(1) % 1_000_000,
                secret: if memory.secret.is_empty() {
                    Secret::fresh()?
                } else {
                    memory.secret
                },
                ..memory
            },
            None => Memory {
                event: names::fresh(&client),
                session: 1,
                secret: Secret::fresh()?,
                reference: match (timed, options.reference) {
                    (false, _) => UNTIMED,
                    (true, Some(reference)) => reference,
                    (true, None) => measure_speed(&options.program, 1).await?,
                },
            },
        };
        if memory.session > 1 {
            refuse_second(&client, &memory.event).await?;
        }
        let text = serde_json::to_string(&memory).unwrap_or_default();
        tournament.keep_note(KEY, text).await?;
        let rules = AdjudicationRules::of(&config.rules);
        let adjudication = Adjudication::new(rules)
            .map_err(|error| ClusterError::Input(format!("endgame tables: {error}")))?;
        let plan = Plan {
            event: memory.event,
            session: memory.session,
            title: config.output.event.clone(),
            entry: Entry {
                needs: needs(&config),
                expected: expected(&config)?,
                reference: memory.reference,
                slowest_permille: (options.slowest * 1000.0).clamp(1.0, 1_000_000.0) as u32,
                patience: options.patience,
            },
            tables: config.rules.game == Game::Chess && config.rules.tablebases.is_some(),
            live: options.live,
            jobs: config.machine.concurrency,
            keep: Keep::Resumable,
            hold: Some(hold_limit(&config, options)),
            secret: Secret::new(&memory.secret),
            dropped,
        };
        let finished = tournament.finished_games()?;
        let roster = tournament.note(ROSTER)?;
        let doubted = tournament.note(DOUBTED)?;
        let queue = Queue::over(client, plan, finished, roster.as_deref()).await?;
        let opened = queue.now();
        Ok(Self {
            notes: tournament.notes(),
            config,
            queue,
            adjudication,
            reference: memory.reference,
            latencies: Arc::new(Latencies::default()),
            toll: Arc::default(),
            checks: SpotChecks::new(options.spot_check, doubted.as_deref()),
            opened,
        })
    }

    fn task(&self, pairing: &Pairing, line: &AnyLine) -> Task {
        let seat = |player: usize| {
            let entrant = &self.config.engines[player];
            SeatJob {
                engine: engine_key(entrant.spec.command.to_str()),
                name: entrant.name().to_owned(),
                options: entrant.spec.options.clone(),
                time: entrant.time.clone(),
                margin_ms: u64::try_from(entrant.margin.as_millis()).unwrap_or(u64::MAX),
                ponder: entrant.spec.ponder,
                restart: entrant.spec.restart,
                white_pov: entrant.spec.white_pov,
                timeouts: entrant.spec.timeouts,
            }
        };
        let table = |tables: &TablebaseConfig| TableWish {
            pieces: tables.pieces,
            ignore50: tables.ignore50,
            scope: tables.adjudicate,
        };
        let tables = self.config.rules.tablebases.as_ref();
        let tables = tables
            .filter(|_| self.config.rules.game == Game::Chess)
            .map(table);
        Task::Game(Box::new(GameJob {
            game: line.game(),
            rules: line.rules_text(),
            start: line.start_text(),
            moves: line.played_texts(),
            seats: [seat(pairing.white), seat(pairing.black)],
            wishes: Wishes {
                resign: self.config.rules.resign,
                draw: self.config.rules.draw,
                max_moves: self.config.rules.max_moves,
                tables,
            },
            clock: self.config.rules.clock,
            seed: self.config.schedule.seed,
        }))
    }
}

/// A copy of a store is the same event on the server: two directors would take each
/// other's results. One that listens answers any card, and at once.
async fn refuse_second(client: &Client, event: &str) -> Result<(), ClusterError> {
    let subject = names::apply(event, &names::director(client));
    let asked = client.request(subject, Bytes::new());
    match tokio::time::timeout(LISTENS, asked).await {
        Ok(Ok(_)) => Err(ClusterError::Input(
            "another process leads this match on that server, perhaps with a copy of its store; \
             end that one first"
                .into(),
        )),
        _ => Ok(()),
    }
}

/// How long a worker may hold a game.
fn hold_limit(config: &MatchConfig, options: &DirectorOptions) -> HoldLimit {
    let clocks = longest::longest(config, options.slowest);
    HoldLimit {
        least: options.hold.saturating_add(clocks.unwrap_or_default()),
        timed: clocks.is_some(),
    }
}

/// What an engine is called in the files of workers.
fn engine_key(command: Option<&str>) -> String {
    command.unwrap_or_default().to_owned()
}

/// With workers a command is a name; a path would be none of theirs.
fn check_names(config: &MatchConfig) -> Result<(), ClusterError> {
    for entrant in &config.engines {
        let command = engine_key(entrant.spec.command.to_str());
        if !crate::config::is_engine_name(&command) {
            return Err(ClusterError::Input(format!(
                "engine '{}': with --nats, cmd= is a name that the workers' files map to a \
                 program, not '{command}'; letters, digits, '-', '_', '.' and ':' are allowed",
                entrant.name()
            )));
        }
        if !entrant.spec.args.is_empty() || !entrant.spec.init.is_empty() {
            return Err(ClusterError::Input(format!(
                "engine '{}': with --nats, arguments and lines to send first stand in the \
                 workers' files",
                entrant.name()
            )));
        }
    }
    Ok(())
}

/// What engines must prove to be, where the match says it.
fn expected(config: &MatchConfig) -> Result<Vec<(String, String)>, ClusterError> {
    let mut expected: Vec<(String, String)> = Vec::new();
    for entrant in &config.engines {
        let engine = engine_key(entrant.spec.command.to_str());
        let Some(bench) = entrant.spec.bench.clone() else {
            continue;
        };
        match expected.iter().find(|(known, _)| *known == engine) {
            Some((_, known)) if *known != bench => {
                return Err(ClusterError::Input(format!(
                    "cmd={engine} stands twice with different bench=: {known}, and {bench}"
                )));
            }
            Some(_) => {}
            None => expected.push((engine, bench)),
        }
    }
    Ok(expected)
}

fn needs(config: &MatchConfig) -> Vec<Need> {
    let need = |entrant: &quadrille_match::config::Entrant| Need {
        engine: engine_key(entrant.spec.command.to_str()),
        game: config.rules.game,
        options: entrant.spec.options.clone(),
    };
    let mut needs: Vec<Need> = config.engines.iter().map(need).collect();
    needs.dedup();
    needs
}

impl Venue for Director {
    fn greet(&self, player: usize) -> Boxed<'_, Result<(Identity, OptionList), StartError>> {
        let entrant = &self.config.engines[player];
        let engine = engine_key(entrant.spec.command.to_str());
        let game = self.config.rules.game;
        Box::pin(async move {
            let mut waited = false;
            let greeting = loop {
                let came = self.queue.came.notified();
                if let Some(greeting) = self.queue.crew(|crew| crew.greeting(&engine, game)) {
                    break greeting;
                }
                if tokio::time::timeout(Duration::from_secs(3), came)
                    .await
                    .is_err()
                    && !waited
                {
                    waited = true;
                    let reason = format!("waiting for a worker that has engine '{engine}'");
                    self.queue.tell(MatchEvent::Warning { reason });
                }
            };
            for (name, value) in &entrant.spec.options {
                if let Some(option) = greeting.1.get(name) {
                    option.check(value.as_deref())?;
                }
            }
            Ok(greeting)
        })
    }

    fn play<'a>(
        &'a self,
        pairing: Pairing,
        line: AnyLine,
        _place: usize,
        told: &'a mut dyn Told,
    ) -> Boxed<'a, Result<GameEnd, GameTrouble>> {
        Box::pin(self.play_game(pairing, line, told))
    }

    fn kept(&self, game: u64) -> Boxed<'_, ()> {
        Box::pin(self.queue.kept(game))
    }

    fn news(&self) -> Vec<MatchEvent> {
        if let Some(roster) = self.queue.crew(crate::crew::Crew::roster) {
            self.notes.keep(ROSTER, roster);
        }
        self.queue.news()
    }

    fn resize(&self, games: usize) {
        self.queue.resize(games);
    }

    fn stopping(&self) {
        self.queue.stop();
    }

    fn load(&self) -> Load {
        Load {
            latencies: Arc::clone(&self.latencies),
            worst_lag: Duration::ZERO,
            toll: Arc::clone(&self.toll),
        }
    }

    fn close(&self, complete: bool) -> Boxed<'_, ()> {
        self.tell_unchecked();
        Box::pin(self.queue.close(complete))
    }
}
