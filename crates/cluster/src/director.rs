//! A match whose games are played by workers: a [`Venue`] behind a queue.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::{AnyLine, Game};
use quadrille_host::config::{MatchConfig, TablebaseConfig};
use quadrille_host::driver::{Identity, OptionList, StartError};
use quadrille_host::machine::Toll;
use quadrille_host::pairing::Pairing;
use quadrille_host::referee::{
    Adjudication, AdjudicationRules, Latencies, Ply, Replay, Termination, ToldGame,
};
use quadrille_host::stats::Effort;
use quadrille_host::store::{GameEnd, PlayedAt};
use quadrille_host::tournament::{Boxed, GameTrouble, Load, MatchEvent, Told, Tournament, Venue};
use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::crew::Entry;
use crate::error::ClusterError;
use crate::messages::{
    GameJob, Live, Need, Outcome, PlayedGame, Reply, SeatJob, TableWish, Task, Wishes, factor,
};
use crate::parcel::give;
use crate::plies::unpack;
use crate::prove::measure_speed;
use crate::queue::{Plan, Queue, Word};

/// The name of the note in which an event remembers itself.
const KEY: &str = "cluster";
/// How often a game is dealt before it is given up.
const MOST_ATTEMPTS: u32 = 8;
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
            program,
        }
    }

    /// Takes the flags that are about this out of a command line:
    /// `--nats-patience SECONDS`, `--nats-reference NPS`, `--nats-slowest FACTOR`.
    pub fn take_flags(&mut self, words: &mut Vec<String>) -> Result<(), ClusterError> {
        let mut rest = Vec::with_capacity(words.len());
        let mut queue = std::mem::take(words).into_iter();
        while let Some(word) = queue.next() {
            let name = word.trim_start_matches('-');
            let known = matches!(name, "nats-patience" | "nats-reference" | "nats-slowest");
            if !known || name.len() == word.len() {
                rest.push(word);
                continue;
            }
            let value = queue.next().unwrap_or_default();
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

/// What an event remembers about itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Memory {
    event: String,
    session: u32,
    reference: u64,
}

/// Deals games to workers and takes their results.
#[derive(Debug)]
pub struct Director {
    config: MatchConfig,
    queue: Arc<Queue>,
    adjudication: Adjudication,
    reference: u64,
    latencies: Arc<Latencies>,
    toll: Arc<Toll>,
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
        let client = access
            .connect(&format!("quadrille director: {}", config.event))
            .await?;
        let timed = config.engines.iter().any(|entrant| entrant.time.is_timed());
        let known = tournament.note(KEY)?;
        let known: Option<Memory> = known.and_then(|text| serde_json::from_str(&text).ok());
        let known = known.filter(|memory| crate::names::is_word(&memory.event));
        let memory = match known {
            Some(memory) => Memory {
                session: memory.session.saturating_add(1) % 1_000_000,
                ..memory
            },
            None => Memory {
                event: crate::names::fresh(&client),
                session: 1,
                reference: match (timed, options.reference) {
                    (false, _) => UNTIMED,
                    (true, Some(reference)) => reference,
                    (true, None) => measure_speed(&options.program, 1).await?,
                },
            },
        };
        let text = serde_json::to_string(&memory).unwrap_or_default();
        tournament.keep_note(KEY, text).await?;
        let rules = AdjudicationRules::of(&config);
        let adjudication = Adjudication::new(rules)
            .map_err(|error| ClusterError::Input(format!("endgame tables: {error}")))?;
        let plan = Plan {
            event: memory.event,
            session: memory.session,
            title: config.event.clone(),
            entry: Entry {
                needs: needs(&config),
                reference: memory.reference,
                slowest_permille: (options.slowest * 1000.0).clamp(1.0, 1_000_000.0) as u32,
                patience: options.patience,
            },
            tables: config.game == Game::Chess && config.tablebases.is_some(),
            live: options.live,
            jobs: config.concurrency,
        };
        let finished = tournament.finished_games()?;
        let queue = Queue::over(client, plan, finished).await?;
        Ok(Self {
            config,
            queue,
            adjudication,
            reference: memory.reference,
            latencies: Arc::new(Latencies::default()),
            toll: Arc::default(),
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
                timeouts: entrant.spec.timeouts,
            }
        };
        let table = |tables: &TablebaseConfig| TableWish {
            pieces: tables.pieces,
            ignore50: tables.ignore50,
            scope: tables.adjudicate,
        };
        let tables = self.config.tablebases.as_ref();
        let tables = tables
            .filter(|_| self.config.game == Game::Chess)
            .map(table);
        Task::Game(Box::new(GameJob {
            game: line.game(),
            rules: line.rules_text(),
            start: line.start_text(),
            moves: line.played_texts(),
            seats: [seat(pairing.white), seat(pairing.black)],
            wishes: Wishes {
                resign: self.config.resign,
                draw: self.config.draw,
                max_moves: self.config.max_moves,
                tables,
            },
            clock: self.config.clock,
            seed: self.config.seed,
        }))
    }

    async fn play_game(
        &self,
        pairing: Pairing,
        line: AnyLine,
        told: &mut dyn Told,
    ) -> Result<GameEnd, GameTrouble> {
        let number = pairing.number;
        let task = self.task(&pairing, &line);
        let mut expected = self.queue.expect(number);
        let (mut attempt, mut dealt) = self.queue.first_attempt(number);
        let mut run = GameRun {
            line: &line,
            at: line.clone(),
            opening: line.plies(),
            heard: Vec::new(),
            from: None,
            broke_before: false,
        };
        let mut attempts = 0;
        loop {
            // What came before it was dealt in this run comes first.
            let word = match (dealt, expected.try_next()) {
                (_, Some(word)) => word,
                (false, None) => {
                    attempts += 1;
                    self.queue.deal(number, attempt, &task).await;
                    dealt = true;
                    continue;
                }
                (true, None) => match expected.next().await {
                    Some(word) => word,
                    None => return Err(GameTrouble::Abandoned),
                },
            };
            let reason = match word {
                Word::Live(worker, live) => {
                    run.hear(&worker, &live, told);
                    continue;
                }
                Word::Lost(reason) => reason,
                Word::Reply(reply, receipts) => {
                    let (worker, name) = (reply.worker.clone(), reply.name.clone());
                    match self.judge(&pairing, &mut run, *reply).await {
                        Ok((plies, end)) => {
                            run.complete(plies, told);
                            self.queue.taken(number, worker, receipts);
                            return Ok(end);
                        }
                        Err(reason) => {
                            give(receipts).await;
                            format!("{name}: {reason}")
                        }
                    }
                }
            };
            self.queue.withdraw(number, attempt).await;
            if attempts >= MOST_ATTEMPTS {
                return Err(GameTrouble::Broken(format!(
                    "dealt {attempts} times without a result; the last time: {reason}"
                )));
            }
            run.again(told);
            let event = MatchEvent::GameAgain {
                game: number,
                reason,
            };
            self.queue.tell(event);
            attempt = self.queue.next_attempt(attempt);
            dealt = false;
        }
    }

    /// What a reply is worth: moves and end of the game, or why it is dealt again.
    async fn judge(
        &self,
        pairing: &Pairing,
        run: &mut GameRun<'_>,
        reply: Reply,
    ) -> Result<(Vec<Ply>, GameEnd), String> {
        let (worker, name) = (reply.worker, reply.name);
        let game = match reply.outcome {
            Outcome::Played(game) => *game,
            Outcome::Trouble(reason) => {
                if self.queue.crew(|crew| crew.trouble(&worker)) {
                    self.queue.set_aside(&worker, &name, &reason).await;
                }
                return Err(reason);
            }
            Outcome::Analysed(_) => {
                let reason = "it analysed what was to be played";
                self.queue.set_aside(&worker, &name, reason).await;
                return Err(reason.into());
            }
        };
        let (plies, end) = match self.check(pairing, run.line, &worker, &name, game) {
            Ok(sound) => sound,
            Err(reason) => {
                self.queue.set_aside(&worker, &name, &reason).await;
                return Err(reason);
            }
        };
        // An engine that breaks on one machine may be the machine's fault: another
        // one tries. If it breaks again it is the engine's.
        let broke = matches!(
            end.ending.termination,
            Termination::Stall { .. } | Termination::Disconnect { .. }
        );
        if broke && !run.broke_before {
            run.broke_before = true;
            let reason = end.ending.to_string();
            if self.queue.crew(|crew| crew.trouble(&worker)) {
                self.queue.set_aside(&worker, &name, &reason).await;
            }
            return Err(reason);
        }
        Ok((plies, end))
    }

    /// Plays a game after, and holds it against the rules and the clocks.
    fn check(
        &self,
        pairing: &Pairing,
        line: &AnyLine,
        worker: &str,
        name: &str,
        game: PlayedGame,
    ) -> Result<(Vec<Ply>, GameEnd), String> {
        let timed = [pairing.white, pairing.black]
            .map(|player| &self.config.engines[player])
            .iter()
            .any(|entrant| entrant.time.is_timed());
        let right = if timed {
            self.queue.crew(|crew| crew.share(worker, self.reference))
        } else {
            Some(1000)
        };
        if right.is_some_and(|right| right != game.permille) {
            return Err(format!(
                "its times were multiplied with {:.3}",
                factor(game.permille)
            ));
        }
        let plies = unpack(&mut line.clone(), &game.plies)?;
        let mut sides = [Effort::default(); 2];
        let mut side = line.side();
        for ply in &plies {
            let depth = ply
                .depth
                .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
            sides[side.index()].add_move(Some(ply.elapsed), depth, ply.nodes);
            side = !side;
        }
        let players = [pairing.white, pairing.black].map(|p| &self.config.engines[p]);
        let times = players.map(|entrant| entrant.time.slowed(factor(game.permille)));
        let replay = Replay {
            adjudication: &self.adjudication,
            time: [&times[0], &times[1]],
            margin: players.map(|entrant| entrant.margin),
        };
        let told = ToldGame {
            plies: &plies,
            ending: &game.ending,
            sides: &sides,
            duration: Duration::from_micros(game.duration_us),
        };
        replay
            .check(line.clone(), told)
            .map_err(|error| error.to_string())?;
        let end = GameEnd {
            ending: game.ending,
            ended: game.ended,
            duration_us: game.duration_us,
            sides,
            findings: game.findings,
            played_at: Some(PlayedAt {
                worker: name.to_owned(),
                permille: game.permille,
            }),
        };
        Ok((plies, end))
    }
}

/// A game on its way.
struct GameRun<'a> {
    line: &'a AnyLine,
    /// The same with the moves that were told.
    at: AnyLine,
    opening: usize,
    /// Moves that were told already, and by which attempt of whom.
    heard: Vec<Ply>,
    from: Option<(String, u32)>,
    /// An engine broke down in an earlier attempt.
    broke_before: bool,
}

impl GameRun<'_> {
    /// Tells moves of a running game on, as long as none is missing.
    fn hear(&mut self, worker: &str, live: &Live, told: &mut dyn Told) {
        let source = Some((worker.to_owned(), live.attempt));
        if self.from != source {
            // The end of a game tells what was missed of one that is half over.
            if live.from > 0 {
                return;
            }
            self.again(told);
            self.from = source;
        }
        if live.from != self.heard.len() {
            return;
        }
        // Moves that are not legal show at the end, when the game is judged.
        let mut at = self.at.clone();
        let Ok(plies) = unpack(&mut at, &live.plies) else {
            return;
        };
        self.at = at;
        for ply in plies {
            self.heard.push(ply.clone());
            told.ply(self.opening + self.heard.len(), ply);
        }
    }

    fn again(&mut self, told: &mut dyn Told) {
        if !self.heard.is_empty() {
            told.again();
        }
        self.heard.clear();
        self.at = self.line.clone();
        self.from = None;
    }

    /// Tells what has not been told.
    fn complete(&mut self, plies: Vec<Ply>, told: &mut dyn Told) {
        if !plies.starts_with(&self.heard) {
            self.again(told);
        }
        let known = self.heard.len();
        for (index, ply) in plies.into_iter().enumerate().skip(known) {
            told.ply(self.opening + index + 1, ply);
        }
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

fn needs(config: &MatchConfig) -> Vec<Need> {
    let need = |entrant: &quadrille_host::config::Entrant| Need {
        engine: engine_key(entrant.spec.command.to_str()),
        game: config.game,
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
        let game = self.config.game;
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
        self.queue.news()
    }

    fn resize(&self, games: usize) {
        self.queue.resize(games);
    }

    fn load(&self) -> Load {
        Load {
            latencies: Arc::clone(&self.latencies),
            worst_lag: Duration::ZERO,
            toll: Arc::clone(&self.toll),
        }
    }

    fn close(&self, complete: bool) -> Boxed<'_, ()> {
        Box::pin(self.queue.close(complete))
    }
}
