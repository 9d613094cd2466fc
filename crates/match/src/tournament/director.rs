//! The director of an event: which game next, how many at once, when to stop.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{Id, JoinError, JoinSet};

use super::command::{Command, wished};
use super::event::MatchEvent;
use super::local::Local;
use super::oversubscription::Oversubscription;
use super::results::Results;
use super::run::{Summary, Tournament, TournamentError, Watcher};
use super::venue::{Deal, Finished, GameTrouble, MadePly, Scribe, Venue, play_deal};
use crate::config::MatchConfig;
use crate::log::Log;
use crate::openings::Openings;
use crate::pairing::{Pairing, Plan, Schedule};
use crate::record::{Output, Outputs};
use crate::referee::Ply;
use crate::stats::Decision;
use crate::store::PlayerRow;
use quadrille_driver::OptionList;

/// Engines that are started side by side before the first game.
const STARTS: usize = 8;
/// How often it is asked whether everything can still be written.
const HEALTH: Duration = Duration::from_millis(500);

/// How often to look whether a watcher that was behind has caught up.
const CATCH_UP: Duration = Duration::from_millis(20);

/// Decides which game is next, how many run at once, and when to stop.
pub(super) struct Director {
    config: MatchConfig,
    plan: Plan,
    schedule: Schedule,
    openings: Openings,
    output: Output,
    venue: Arc<dyn Venue>,
    scribe: Scribe,
    controls: mpsc::UnboundedReceiver<String>,
    plies: mpsc::UnboundedReceiver<MadePly>,
    results: Results,
    games: JoinSet<Result<Finished, GameTrouble>>,
    /// The games that are being played, and the place of each.
    running: HashMap<Id, (Pairing, usize)>,
    /// No game below this number is left.
    next: u64,
    /// Places in use.
    places: BTreeSet<usize>,
    /// Tells the running games whether they are given up.
    given_up: watch::Sender<bool>,
    concurrency: usize,
    paused: bool,
    stopping: Option<String>,
    decided: bool,
    trouble: Option<String>,
    /// What is to be said when it begins.
    warnings: Vec<String>,
}

impl Director {
    pub(super) fn new(
        mut event: Tournament,
        wants_plies: bool,
        log: Option<Log>,
    ) -> Result<Self, TournamentError> {
        // Elsewhere there are other programs, or none.
        let warnings = match event.venue {
            Some(_) => Vec::new(),
            None => event.check_programs()?,
        };
        let Tournament {
            config,
            store,
            controls,
            results,
            opener,
            venue,
            ..
        } = event;
        let (schedule, rules) = (&config.schedule, &config.rules);
        let (source, seed) = (&schedule.openings, schedule.seed);
        let openings = Openings::load(source, rules.game, &rules.rules, seed)?;
        let venue = match venue {
            Some(venue) => venue,
            None => Arc::new(Local::of_event(&config, opener, log)?),
        };
        let output = Output::start(Outputs::of(&config), &store)?;
        let (sender, plies) = mpsc::unbounded_channel();
        let scribe = Scribe {
            store,
            plies: wants_plies.then_some(sender),
        };
        let plan = Plan::of(&config);
        let schedule = Schedule::new(&plan, |number| results.result(number));
        Ok(Self {
            concurrency: config.machine.concurrency,
            config,
            plan,
            schedule,
            openings,
            output,
            venue,
            scribe,
            controls,
            results,
            plies,
            games: JoinSet::new(),
            running: HashMap::new(),
            next: 1,
            places: BTreeSet::new(),
            given_up: watch::Sender::new(false),
            paused: false,
            stopping: None,
            decided: false,
            trouble: None,
            warnings,
        })
    }

    /// What is to be said when it begins, beside what else there is.
    pub(super) fn warn(&mut self, warnings: impl IntoIterator<Item = String>) {
        self.warnings.extend(warnings);
    }

    /// Plays until everything is played, the test is decided, or a command
    /// stops it.
    pub(super) async fn run(
        mut self,
        mut commands: mpsc::UnboundedReceiver<Command>,
        watcher: &mut dyn Watcher,
    ) -> Result<Summary, TournamentError> {
        let decided = self.results.standing().decision().is_some();
        let (mut stopped, mut early) = (false, Vec::new());
        if !decided && self.look_ahead().is_some() {
            let greeted = tokio::select! {
                notes = self.greet() => Some(notes),
                () = wished(&mut commands, &[Command::Stop, Command::Abort], &mut early) => None,
                never = self.tell_news(watcher) => match never {},
            };
            if let Some(Err(_)) = &greeted {
                self.venue.close(false).await;
                self.output.abandon().await;
            }
            let greeted = greeted.transpose()?;
            stopped = greeted.is_none();
            self.warnings.extend(greeted.into_iter().flatten());
        }
        self.welcome(watcher);
        for command in early {
            self.command(command, watcher);
        }
        if stopped {
            self.stop("stopped".into(), watcher);
        }
        let mut deaf = false;
        let mut health = tokio::time::interval(HEALTH);
        loop {
            self.look_after_files(watcher);
            self.news(watcher);
            self.judge(watcher);
            let behind = watcher.is_behind();
            if !behind {
                self.fill(watcher)?;
            }
            if self.running.is_empty() && !self.waits_with_work(behind) {
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
                _ = health.tick() => {}
                () = tokio::time::sleep(CATCH_UP), if behind => {}
            }
        }
        Ok(self.close(&mut commands, watcher).await)
    }

    fn made(&self, (game, ply, made): MadePly, watcher: &mut dyn Watcher) {
        let made = Box::new(made);
        watcher.event(&MatchEvent::Ply { game, ply, made }, &self.results);
    }

    /// What happened at the venue, beside moves and results.
    fn news(&self, watcher: &mut dyn Watcher) {
        for event in self.venue.news() {
            watcher.event(&event, &self.results);
        }
    }

    /// The same again and again, while the engines are waited for.
    async fn tell_news(&self, watcher: &mut dyn Watcher) -> Infallible {
        let mut often = tokio::time::interval(HEALTH);
        loop {
            often.tick().await;
            self.news(watcher);
        }
    }

    /// Stops when nothing can be written any more: a disk is full. Games that
    /// cannot be kept are not played on; records can be made later, from the store.
    fn look_after_files(&mut self, watcher: &mut dyn Watcher) {
        self.tell_notices(watcher);
        if self.stopping.is_some() && self.running.is_empty() {
            return;
        }
        if let Some(failure) = self.scribe.store.failure() {
            let reason = failure.to_string();
            self.trouble.get_or_insert_with(|| reason.clone());
            self.stop(reason, watcher);
            self.abandon();
        } else if let Some(reason) = self.output.failure() {
            let reason = reason.to_owned();
            self.stop(reason, watcher);
        }
    }

    /// What happened to the records that stops nothing.
    fn tell_notices(&self, watcher: &mut dyn Watcher) {
        for reason in self.output.notices() {
            watcher.event(&MatchEvent::Warning { reason }, &self.results);
        }
    }

    /// Starts every engine once: better to know now than in the last round. What
    /// the user should know about them, in sentences.
    async fn greet(&self) -> Result<Vec<String>, TournamentError> {
        let mut starts = JoinSet::new();
        let mut waiting = 0..self.config.engines.len();
        let mut options = vec![OptionList::default(); self.config.engines.len()];
        let mut first = None;
        loop {
            while starts.len() < STARTS
                && let Some(player) = waiting.next()
            {
                let venue = Arc::clone(&self.venue);
                let runtime = venue.runtime(0);
                let greeting = async move { (player, venue.greet(player).await) };
                match runtime {
                    Some(runtime) => starts.spawn_on(greeting, &runtime),
                    None => starts.spawn(greeting),
                };
            }
            let Some(started) = starts.join_next().await else {
                break;
            };
            let (player, started) = started.map_err(|error| broken(&error))?;
            match started {
                Ok((identity, declared)) => {
                    options[player] = declared;
                    let row = PlayerRow {
                        name: self.config.engines[player].name().to_owned(),
                        engine: identity.name,
                        author: identity.author,
                    };
                    self.scribe.store.player(player, row);
                }
                Err(error) => {
                    let name = self.config.engines[player].name().to_owned();
                    first.get_or_insert(TournamentError::Engine { name, error });
                }
            }
        }
        match first {
            Some(error) => Err(error),
            None => self.unknown_options(&options),
        }
    }

    /// An option that no engine has is a mistake of the user's. One that only
    /// others have was set for all of them: that is told.
    fn unknown_options(&self, options: &[OptionList]) -> Result<Vec<String>, TournamentError> {
        let mut notes = Vec::new();
        for (entrant, declared) in self.config.engines.iter().zip(options) {
            for (option, _) in &entrant.spec.options {
                let Err(error) = declared.find(option) else {
                    continue;
                };
                let name = entrant.name().to_owned();
                if options.iter().all(|others| others.get(option).is_none()) {
                    return Err(TournamentError::Option { name, error });
                }
                notes.push(format!("{name} has no option {option}; others have"));
            }
        }
        Ok(notes)
    }

    fn welcome(&self, watcher: &mut dyn Watcher) {
        let event = MatchEvent::Start {
            store: self.scribe.store.path().into(),
            name: self.config.output.event.clone(),
            players: self.results.names().to_vec(),
            finished: self.results.standing().finished,
            games: self.schedule.known(),
            concurrency: self.concurrency,
        };
        watcher.event(&event, &self.results);
        for reason in &self.warnings {
            let reason = reason.clone();
            watcher.event(&MatchEvent::Warning { reason }, &self.results);
        }
        if self.results.standing().finished > 0 {
            self.tell_score(watcher);
        }
    }

    fn tell_score(&self, watcher: &mut dyn Watcher) {
        let standing = Box::new(self.results.standing().clone());
        watcher.event(&MatchEvent::Score(standing), &self.results);
    }

    /// Stops when the test is decided. Asked before every game is dealt, so that
    /// an event that goes on after its decision plays no further game.
    fn judge(&mut self, watcher: &mut dyn Watcher) {
        let Some(decision) = self.results.standing().decision() else {
            return;
        };
        if self.stopping.is_some() {
            return;
        }
        let accepted = match decision {
            Decision::AcceptH1 => "H1",
            Decision::AcceptH0 | Decision::Continue => "H0",
        };
        self.decided = true;
        self.stop(format!("the test accepted {accepted}"), watcher);
        // What still runs would only be noise.
        self.abandon();
    }

    /// Whether a game would begin if it were not for a pause, or for a watcher
    /// that is behind.
    fn waits_with_work(&mut self, behind: bool) -> bool {
        (self.paused || behind) && self.stopping.is_none() && self.look_ahead().is_some()
    }

    /// The next game that is neither finished nor running.
    fn look_ahead(&mut self) -> Option<Pairing> {
        loop {
            if self.next > self.schedule.known() {
                if self.schedule.complete() {
                    return None;
                }
                let known = self.schedule.known();
                self.schedule = Schedule::new(&self.plan, |number| self.results.result(number));
                if self.schedule.known() == known {
                    return None;
                }
            }
            if self.results.result(self.next).is_none() {
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
            let moves = opening.line.moves().into_iter();
            let book: Vec<Ply> = moves.map(|m| Ply::book(m.text, m.notation)).collect();
            let event = MatchEvent::GameStart {
                game: pairing.number,
                round: pairing.round,
                white: pairing.white,
                black: pairing.black,
                opening: opening.label.clone(),
                // Sides take turns in every game.
                first: match book.len() % 2 {
                    0 => opening.line.side(),
                    _ => !opening.line.side(),
                },
                start: opening.line.start_text(),
                moves: book.iter().map(|ply| ply.text.clone()).collect(),
            };
            watcher.event(&event, &self.results);
            let free = (0..=self.places.len()).find(|place| !self.places.contains(place));
            let place = free.unwrap_or(0);
            self.places.insert(place);
            let deal = Deal {
                pairing,
                opening,
                book,
                place,
            };
            let (venue, scribe) = (Arc::clone(&self.venue), self.scribe.clone());
            let mut given_up = self.given_up.subscribe();
            let wait = self.config.machine.wait;
            let first = self.results.standing().finished == 0;
            let game = async move {
                if !wait.is_zero() && !first {
                    let waited = given_up.wait_for(|given_up| *given_up);
                    let _ = tokio::time::timeout(wait, waited).await;
                }
                // A game is large, and tasks are moved about.
                Box::pin(play_deal(venue, scribe, deal, given_up)).await
            };
            let handle = match self.venue.runtime(place) {
                Some(runtime) => self.games.spawn_on(game, &runtime),
                None => self.games.spawn(game),
            };
            self.running.insert(handle.id(), (pairing, place));
        }
        Ok(())
    }

    fn ended(
        &mut self,
        done: Result<(Id, Result<Finished, GameTrouble>), JoinError>,
        watcher: &mut dyn Watcher,
    ) {
        let (id, result) = match done {
            Ok((id, result)) => (id, result),
            Err(error) => (error.id(), Err(GameTrouble::Broken(error.to_string()))),
        };
        let Some((pairing, place)) = self.running.remove(&id) else {
            return;
        };
        self.places.remove(&place);
        match result {
            Ok(finished) => self.finished(&finished, watcher),
            Err(GameTrouble::Abandoned) => {
                let game = pairing.number;
                self.scribe.store.game_abandoned(game);
                watcher.event(&MatchEvent::GameAbandoned { game }, &self.results);
            }
            Err(trouble) => {
                let reason = match self.scribe.store.failure() {
                    Some(failure) => failure.to_string(),
                    None => trouble.to_string(),
                };
                let game = pairing.number;
                self.scribe.store.game_abandoned(game);
                let event = MatchEvent::Trouble { game, reason };
                watcher.event(&event, &self.results);
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
        self.results.add(pairing, end);
        self.output.game_ended();
        let event = MatchEvent::GameEnd {
            game: pairing.number,
            round: pairing.round,
            white: pairing.white,
            black: pairing.black,
            result: end.ending.result,
            termination: end.ending.termination.tag().into(),
            reason: end.ending.to_string(),
            plies: *plies,
            duration: Duration::from_micros(end.duration_us),
            findings: end.findings.clone(),
        };
        watcher.event(&event, &self.results);
        self.tell_score(watcher);
        let abandoned = end.ending.termination.tag() == "abandoned";
        if abandoned && !self.config.machine.recover {
            let loser = end.ending.loser();
            let name = loser.map_or("", |side| &self.results.names()[pairing.player(side)]);
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
            self.venue.stopping();
            watcher.event(&MatchEvent::Stopping { reason }, &self.results);
        }
    }

    /// Gives up what is running. The engines end with their games.
    fn abandon(&self) {
        self.given_up.send_replace(true);
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
                self.abandon();
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
            watcher.event(&event, &self.results);
        }
    }

    fn resize(&mut self, number: usize, watcher: &mut dyn Watcher) {
        let concurrency = Oversubscription::at_most(&self.config, number.max(1));
        if concurrency != self.concurrency {
            self.concurrency = concurrency;
            self.venue.resize(concurrency);
            watcher.event(&MatchEvent::Concurrency { concurrency }, &self.results);
        }
    }

    /// What is still to be written is waited for, unless the user aborts that too.
    async fn close(
        mut self,
        commands: &mut mpsc::UnboundedReceiver<Command>,
        watcher: &mut dyn Watcher,
    ) -> Summary {
        let complete = self.look_ahead().is_none() && self.stopping.is_none();
        self.venue.close(complete || self.decided).await;
        // Some of it is told only at the end.
        self.news(watcher);
        // The places of the last known round follow from its results, and no
        // later game made it look at them.
        self.schedule = Schedule::new(&self.plan, |number| self.results.result(number));
        // If this fails the trouble is known already.
        let _ = self.scribe.store.flushed().await;
        let mut others = Vec::new();
        let given_up = wished(commands, &[Command::Abort], &mut others);
        let unwritten = self.output.close_unless(given_up).await;
        self.tell_notices(watcher);
        Summary {
            results: self.results,
            complete,
            stopped: self.stopping,
            decided: self.decided,
            trouble: self.trouble,
            unwritten,
            load: self.venue.load(),
            schedule: self.schedule,
        }
    }
}

fn broken(error: &JoinError) -> TournamentError {
    TournamentError::System(error.to_string())
}
