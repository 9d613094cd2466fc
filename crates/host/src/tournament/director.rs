//! The director of an event: which game next, how many at once, when to stop.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::records::Notation as RecordNotation;
use quadrille_games::{AnyLine, Side};
use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};

use super::board::Board;
use super::command::Command;
use super::event::MatchEvent;
use super::play::{Finished, GameTrouble, Hall, MadePly, play_game};
use super::pool::{Pool, Slot};
use super::run::{Summary, Tournament, TournamentError, Watcher};
use crate::config::{MatchConfig, Notation};
use crate::openings::{Opening, Openings};
use crate::pairing::{Pairing, Plan, Schedule};
use crate::record::{Output, Outputs, PgnStyle};
use crate::referee::{Adjudication, Bench, Gauge, LagMeter};
use crate::store::PlayerRow;

/// Engines that are started side by side before the first game.
const STARTS: usize = 8;

/// Decides which game is next, how many run at once, and when to stop.
pub(super) struct Director {
    config: MatchConfig,
    plan: Plan,
    schedule: Schedule,
    openings: Openings,
    output: Output,
    hall: Arc<Hall>,
    controls: mpsc::UnboundedReceiver<String>,
    plies: mpsc::UnboundedReceiver<MadePly>,
    board: Board,
    games: JoinSet<Result<Finished, GameTrouble>>,
    running: HashMap<Id, (Pairing, Slot)>,
    /// No game below this number is left.
    next: u64,
    /// Slots in use.
    slots: BTreeSet<usize>,
    concurrency: usize,
    paused: bool,
    stopping: Option<String>,
    decided: bool,
    trouble: Option<String>,
}

impl Director {
    pub(super) fn new(event: Tournament, wants_plies: bool) -> Result<Self, TournamentError> {
        let Tournament {
            config,
            store,
            controls,
            board,
            opener,
        } = event;
        let openings = Openings::load(&config.openings, config.game, &config.rules, config.seed)?;
        let bench = Bench {
            wishes: Adjudication::new(&config)?,
            lag: LagMeter::start(),
            gauge: Arc::new(Gauge::default()),
        };
        let output = Output::start(outputs(&config), &store)?;
        let (sender, plies) = mpsc::unbounded_channel();
        let most = config.concurrency * 2;
        let hall = Hall {
            pool: Pool::new(config.engines.clone(), config.game, opener, most),
            bench,
            store,
            plies: wants_plies.then_some(sender),
        };
        let plan = Plan::of(&config);
        let schedule = Schedule::new(&plan, |number| board.result(number));
        Ok(Self {
            concurrency: config.concurrency,
            config,
            plan,
            schedule,
            openings,
            output,
            hall: Arc::new(hall),
            controls,
            board,
            plies,
            games: JoinSet::new(),
            running: HashMap::new(),
            next: 1,
            slots: BTreeSet::new(),
            paused: false,
            stopping: None,
            decided: false,
            trouble: None,
        })
    }

    /// Plays until everything is played or somebody stops it.
    pub(super) async fn run(
        mut self,
        mut commands: mpsc::UnboundedReceiver<Command>,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, TournamentError> {
        if self.look_ahead().is_some() {
            self.greet().await?;
        }
        self.welcome(watcher);
        let mut deaf = false;
        loop {
            self.fill(watcher)?;
            if self.running.is_empty() && !self.paused_with_work() {
                break;
            }
            tokio::select! {
                biased;
                Some(done) = self.games.join_next_with_id() => {
                    // Its moves were told before, and are seen before.
                    while let Ok(ply) = self.plies.try_recv() {
                        self.made(ply, watcher);
                    }
                    self.ended(done, watcher);
                }
                command = commands.recv(), if !deaf => match command {
                    Some(command) => self.command(command, watcher),
                    None => deaf = true,
                },
                Some(text) = self.controls.recv() => {
                    if let Ok(command) = text.parse() {
                        self.command(command, watcher);
                    }
                }
                Some(ply) = self.plies.recv() => self.made(ply, watcher),
            }
        }
        Ok(self.close().await)
    }

    fn made(&self, (game, ply, made): MadePly, watcher: &mut dyn Watcher) {
        let made = Box::new(made);
        watcher.event(&MatchEvent::Ply { game, ply, made }, &self.board);
    }

    /// Starts every engine once: better to know now than in the last round.
    async fn greet(&mut self) -> Result<(), TournamentError> {
        let mut starts = JoinSet::new();
        let mut waiting = 0..self.config.engines.len();
        let mut first = None;
        loop {
            while starts.len() < STARTS
                && let Some(player) = waiting.next()
            {
                let hall = Arc::clone(&self.hall);
                let slot = self.slot(0);
                starts.spawn(async move { (player, hall.pool.start(player, &slot).await, slot) });
            }
            let Some(started) = starts.join_next().await else {
                break;
            };
            let (player, started, slot) = started.map_err(|error| broken(&error))?;
            match started {
                Ok(pooled) => {
                    let identity = pooled.engine.identity();
                    let row = PlayerRow {
                        name: self.config.engines[player].name().to_owned(),
                        engine: identity.name.clone(),
                        author: identity.author.clone(),
                    };
                    self.hall.store.player(player, row);
                    self.hall.pool.put(player, &slot, pooled, true);
                }
                Err(error) => {
                    let name = self.config.engines[player].name().to_owned();
                    first.get_or_insert(TournamentError::Engine { name, error });
                }
            }
        }
        match first {
            Some(error) => {
                self.hall.pool.close().await;
                Err(error)
            }
            None => Ok(()),
        }
    }

    fn welcome(&self, watcher: &mut dyn Watcher) {
        let event = MatchEvent::Start {
            store: self.hall.store.path().into(),
            name: self.config.event.clone(),
            players: self.board.names().to_vec(),
            finished: self.board.finished,
            games: self.schedule.known(),
            concurrency: self.concurrency,
        };
        watcher.event(&event, &self.board);
    }

    /// The processors of a slot: as many for each as its engines have threads.
    fn slot(&self, index: usize) -> Slot {
        let mut processors = Vec::new();
        if self.config.affinity {
            let all: Vec<usize> = if self.config.processors.is_empty() {
                let count = std::thread::available_parallelism().map_or(1, usize::from);
                (0..count).collect()
            } else {
                self.config.processors.clone()
            };
            let each = threads(&self.config).min(all.len());
            processors.extend((0..each).map(|n| all[(index * each + n) % all.len()]));
        }
        Slot { index, processors }
    }

    fn paused_with_work(&mut self) -> bool {
        self.paused && self.stopping.is_none() && self.look_ahead().is_some()
    }

    /// The next game that is neither finished nor running.
    fn look_ahead(&mut self) -> Option<Pairing> {
        loop {
            if self.next > self.schedule.known() {
                if self.schedule.complete() {
                    return None;
                }
                let known = self.schedule.known();
                self.schedule = Schedule::new(&self.plan, |number| self.board.result(number));
                if self.schedule.known() == known {
                    return None;
                }
            }
            if self.board.result(self.next).is_none() {
                return self.schedule.game(self.next);
            }
            self.next += 1;
        }
    }

    /// Begins games until enough are running.
    fn fill(&mut self, watcher: &mut dyn Watcher) -> Result<(), TournamentError> {
        while self.stopping.is_none() && !self.paused && self.running.len() < self.concurrency {
            let Some(pairing) = self.look_ahead() else {
                break;
            };
            self.next += 1;
            let opening = self.openings.opening(pairing.opening)?;
            let free = (0..=self.slots.len()).find(|index| !self.slots.contains(index));
            let slot = self.slot(free.unwrap_or(0));
            self.slots.insert(slot.index);
            let event = MatchEvent::GameStart {
                game: pairing.number,
                round: pairing.round,
                white: pairing.white,
                black: pairing.black,
                opening: opening.label.clone(),
                first: first_side(&opening),
                start: opening.start.clone(),
                moves: opening.moves.clone(),
            };
            watcher.event(&event, &self.board);
            let (hall, wait) = (Arc::clone(&self.hall), self.config.wait);
            let first = self.board.finished == 0;
            let playing = slot.clone();
            let handle = self.games.spawn(async move {
                if !wait.is_zero() && !first {
                    tokio::time::sleep(wait).await;
                }
                // A game is large, and tasks are moved about.
                Box::pin(play_game(hall, pairing, opening, playing)).await
            });
            self.running.insert(handle.id(), (pairing, slot));
        }
        Ok(())
    }

    fn ended(
        &mut self,
        done: Result<(Id, Result<Finished, GameTrouble>), JoinError>,
        watcher: &mut dyn Watcher,
    ) {
        let (id, result) = match done {
            Ok((id, result)) => (id, result.map_err(|trouble| trouble.to_string())),
            Err(error) => (error.id(), Err(error.to_string())),
        };
        let Some((pairing, slot)) = self.running.remove(&id) else {
            return;
        };
        self.slots.remove(&slot.index);
        match result {
            Ok(finished) => self.finished(&finished, watcher),
            Err(reason) => {
                let reason = match self.hall.store.failure() {
                    Some(failure) => failure.to_string(),
                    None => reason,
                };
                let game = pairing.number;
                self.hall.store.game_abandoned(game);
                let event = MatchEvent::Trouble { game, reason };
                watcher.event(&event, &self.board);
                if let MatchEvent::Trouble { reason, .. } = event {
                    self.trouble.get_or_insert_with(|| reason.clone());
                    self.stop(reason, watcher);
                }
            }
        }
    }

    fn finished(&mut self, finished: &Finished, watcher: &mut dyn Watcher) {
        let Finished {
            pairing,
            end,
            plies,
            ..
        } = finished;
        self.board.add(pairing, end);
        self.output.game_ended();
        let event = MatchEvent::GameEnd {
            game: pairing.number,
            round: pairing.round,
            white: pairing.white,
            black: pairing.black,
            result: end.ending.result.word(),
            termination: end.ending.termination.tag(),
            reason: end.ending.to_string(),
            plies: *plies,
            duration: Duration::from_micros(end.duration_us),
            findings: end.findings.clone(),
        };
        watcher.event(&event, &self.board);
        if let Some(reason) = watcher.verdict(&self.board)
            && self.stopping.is_none()
        {
            self.decided = true;
            self.stop(reason, watcher);
            // The test is over: what still runs would only be noise.
            self.abandon(watcher);
        }
        let abandoned = end.ending.termination.tag() == "abandoned";
        if abandoned && !self.config.recover {
            let loser = end.ending.loser();
            let name = loser.map_or("", |side| &self.board.names()[pairing.player(side)]);
            let reason = format!(
                "game {}: {} ({name}); with -recover the engine would be started again",
                pairing.number, end.ending
            );
            self.trouble.get_or_insert_with(|| reason.clone());
            self.stop(reason, watcher);
        }
    }

    fn stop(&mut self, reason: String, watcher: &mut dyn Watcher) {
        if self.stopping.is_none() {
            self.stopping = Some(reason.clone());
            watcher.event(&MatchEvent::Stopping { reason }, &self.board);
        }
    }

    /// Gives up what is running. The engines end with their games.
    fn abandon(&mut self, watcher: &mut dyn Watcher) {
        self.games.abort_all();
        for (_, (pairing, _)) in self.running.drain() {
            let game = pairing.number;
            self.hall.store.game_abandoned(game);
            watcher.event(&MatchEvent::GameAbandoned { game }, &self.board);
        }
        self.slots.clear();
    }

    fn command(&mut self, command: Command, watcher: &mut dyn Watcher) {
        match command {
            Command::Pause => self.pause(true, watcher),
            Command::Resume => self.pause(false, watcher),
            Command::TogglePause => self.pause(!self.paused, watcher),
            Command::Concurrency(number) => self.resize(number, watcher),
            Command::Change(by) => {
                self.resize(self.concurrency.saturating_add_signed(by), watcher);
            }
            Command::Stop => self.stop("stopped".into(), watcher),
            Command::Abort => {
                self.stop("stopped".into(), watcher);
                self.abandon(watcher);
            }
        }
    }

    fn pause(&mut self, paused: bool, watcher: &mut dyn Watcher) {
        if self.paused != paused {
            self.paused = paused;
            let event = if paused {
                MatchEvent::Paused
            } else {
                MatchEvent::Resumed
            };
            watcher.event(&event, &self.board);
        }
    }

    fn resize(&mut self, number: usize, watcher: &mut dyn Watcher) {
        let concurrency = number.max(1);
        if concurrency != self.concurrency {
            self.concurrency = concurrency;
            self.hall.pool.resize(concurrency * 2);
            watcher.event(&MatchEvent::Concurrency { concurrency }, &self.board);
        }
    }

    async fn close(mut self) -> Summary {
        // Games that were given up still hold their engines until here.
        while self.games.join_next().await.is_some() {}
        self.hall.pool.close().await;
        let complete = self.look_ahead().is_none() && self.stopping.is_none();
        // The places of the last known round follow from its results, and no
        // later game made anybody look at them.
        self.schedule = Schedule::new(&self.plan, |number| self.board.result(number));
        // If this fails the trouble is known already.
        let _ = self.hall.store.flushed().await;
        let lag = self.hall.bench.lag.worst();
        let gauge = Arc::clone(&self.hall.bench.gauge);
        Summary {
            board: self.board,
            complete,
            stopped: self.stopping,
            decided: self.decided,
            trouble: self.trouble,
            unwritten: self.output.close(),
            gauge,
            worst_lag: lag,
            schedule: self.schedule,
        }
    }
}

fn broken(error: &JoinError) -> TournamentError {
    TournamentError::System(error.to_string())
}

/// Who makes the first move of the opening, or of the game.
fn first_side(opening: &Opening) -> &'static str {
    let start = AnyLine::new(opening.game, &opening.rules, &opening.start);
    match start.map(|line| line.side()) {
        Ok(Side::Black) => "black",
        _ => "white",
    }
}

/// The largest number of threads that an engine of the event is given.
fn threads(config: &MatchConfig) -> usize {
    let options = config.engines.iter().flat_map(|e| &e.spec.options);
    options
        .filter(|(name, _)| name.eq_ignore_ascii_case("Threads"))
        .filter_map(|(_, value)| value.as_deref()?.parse().ok())
        .max()
        .unwrap_or(1)
}

fn outputs(config: &MatchConfig) -> Outputs {
    let pgn = config.pgn.as_ref().map(|pgn| {
        let style = PgnStyle {
            notation: match pgn.notation {
                Notation::San => RecordNotation::Human,
                Notation::Lan => RecordNotation::Long,
                Notation::Uci => RecordNotation::Engine,
            },
            min: pgn.min,
            fields: pgn.fields,
        };
        (pgn.file.clone(), style, pgn.append)
    });
    Outputs {
        event: config.event.clone(),
        site: config.site.clone(),
        time_controls: config.engines.iter().map(|e| e.time.pgn_text()).collect(),
        pgn,
        epd: config
            .epd
            .as_ref()
            .map(|epd| (epd.file.clone(), epd.append)),
    }
}
