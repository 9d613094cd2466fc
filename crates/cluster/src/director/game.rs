//! One game of a match: dealt, heard of, judged, and dealt again if need be.

use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_games::AnyLine;
use quadrille_match::config::ClockMode;
use quadrille_match::pairing::Pairing;
use quadrille_match::referee::{Ply, Replay, Termination, ToldGame};
use quadrille_match::stats::Effort;
use quadrille_match::store::{GameEnd, PlayedAt};
use quadrille_match::tournament::{GameTrouble, MatchEvent, Told};

use super::Director;
use super::spot_check::{Finished, Unfit};
use crate::messages::{Live, Outcome, PlayedGame, Reply, Task, factor};
use crate::parcel::give;
use crate::plies::unpack;
use crate::queue::{Expected, Word};

/// How often a game is dealt before it is given up.
const MOST_ATTEMPTS: u32 = 8;
/// How often a game whose engine broke down is dealt again in the hope of
/// another machine.
const MOST_BREAKS: u32 = 3;
/// How often a game is left to other workers than the one with which it failed, without
/// one of them taking it, before it is dealt to all.
const MOST_LEFT: u32 = 2;
/// A machine that takes more than this part of a game's time from engines is overloaded.
const MOST_TAKEN: u32 = 20;

impl Director {
    pub(super) async fn play_game(
        &self,
        pairing: Pairing,
        line: AnyLine,
        told: &mut dyn Told,
    ) -> Result<GameEnd, GameTrouble> {
        let number = pairing.number;
        let task = self.task(&pairing, &line);
        let mut expected = self.queue.expect(number);
        let (mut attempt, mut adopted) = self.queue.first_attempt(number);
        let mut run = GameRun::new(&line);
        loop {
            run.others_only = false;
            // What came before it was dealt in this run comes first.
            let mut dealt = std::mem::take(&mut adopted);
            if !dealt && !expected.has_early() {
                run.attempts += 1;
                dealt = true;
                let avoid = run.avoid.iter().cloned();
                let avoid: Vec<String> = avoid
                    .filter(|worker| self.queue.has_others(worker))
                    .collect();
                run.others_only = !avoid.is_empty();
                match self.queue.deal(number, attempt, &task, &avoid).await {
                    Ok(true) => {}
                    Ok(false) => return Err(GameTrouble::Abandoned),
                    Err(reason) => return Err(GameTrouble::Broken(reason)),
                }
            }
            run.dealt = dealt.then_some(attempt);
            let waited = self.wait(&mut expected, &pairing, &task, &mut run, told);
            let reason = match waited.await {
                Ok((end, played)) => {
                    if played != attempt {
                        // It was dealt again meanwhile, and is not wanted any more.
                        self.queue.withdraw(number, attempt).await;
                    }
                    return Ok(end);
                }
                Err(Some(reason)) => reason,
                Err(None) => return Err(GameTrouble::Abandoned),
            };
            self.queue.withdraw(number, attempt).await;
            if run.attempts >= MOST_ATTEMPTS {
                return Err(GameTrouble::Broken(format!(
                    "dealt {MOST_ATTEMPTS} times without a result; the last time: {reason}"
                )));
            }
            run.again(told);
            self.queue.tell(MatchEvent::GameAgain {
                game: number,
                reason,
            });
            attempt = self.queue.next_attempt(attempt);
        }
    }

    /// Until a game that was dealt is over, with the attempt that was kept; or why
    /// it is to be dealt again; or nothing if it is given up.
    async fn wait(
        &self,
        expected: &mut Expected,
        pairing: &Pairing,
        task: &Task,
        run: &mut GameRun<'_>,
        told: &mut dyn Told,
    ) -> Result<(GameEnd, u32), Option<String>> {
        loop {
            match expected.next().await {
                None | Some(Word::GivenUp) => return Err(None),
                Some(Word::Lost(reason)) => {
                    run.lost();
                    return Err(Some(reason));
                }
                Some(Word::Overdue(workers)) => {
                    run.failed_with(workers.first().cloned());
                    return Err(Some("a worker had it for too long without a result".into()));
                }
                // Games are closed to nobody.
                Some(Word::Grabbed(_) | Word::Left) => {}
                Some(Word::Live(worker, live)) => run.hear(&worker, &live, told),
                Some(Word::Reply(reply, receipts)) => {
                    let (worker, name) = (reply.worker.clone(), reply.name.clone());
                    let attempt = reply.attempt;
                    // Another attempt is on its way, and this one none any more.
                    let stale = run.dealt.is_some_and(|dealt| dealt != attempt);
                    if stale && !matches!(reply.outcome, Outcome::Played(_)) {
                        give(receipts).await;
                        continue;
                    }
                    let judged = self.examine(pairing, task, run, *reply).await;
                    // What was said of it meanwhile is about its check.
                    expected.forget_lost();
                    let (receipts, reason) = match judged {
                        Err(reason) => (receipts, reason),
                        Ok((plies, end)) => {
                            let number = pairing.number;
                            match self.queue.taken(number, worker.clone(), receipts) {
                                Ok(()) => {
                                    run.complete(plies, told);
                                    return Ok((end, attempt));
                                }
                                Err(receipts) => (receipts, "it was set aside meanwhile".into()),
                            }
                        }
                    };
                    give(receipts).await;
                    run.failed_with(Some(worker));
                    if stale {
                        continue;
                    }
                    return Err(Some(format!("{name}: {reason}")));
                }
            }
        }
    }

    /// Judges a reply, and has the game checked by others if it is to be.
    async fn examine(
        &self,
        pairing: &Pairing,
        task: &Task,
        run: &mut GameRun<'_>,
        reply: Reply,
    ) -> Result<(Vec<Ply>, GameEnd), String> {
        let (worker, name) = (reply.worker.clone(), reply.name.clone());
        let (plies, end) = self.judge(pairing, run, reply).await?;
        let game = Finished {
            pairing,
            line: run.line,
            task,
            worker: &worker,
            name: &name,
            plies: &plies,
            end: &end,
            unchecked: run.unchecked,
        };
        match self.spot_check(game).await {
            Ok(()) => Ok((plies, end)),
            Err(Unfit::Wrong(reason)) => Err(reason),
            Err(Unfit::Unchecked(reason)) => {
                run.unchecked += 1;
                Err(reason)
            }
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
                self.queue.blame(&worker, &name, &reason).await;
                return Err(reason);
            }
            Outcome::Analysed(_) | Outcome::Looked(_) => {
                let reason = "it analysed what was to be played";
                self.queue.set_aside(&worker, &name, reason).await;
                return Err(reason.into());
            }
        };
        let stderr = game.stderr.clone();
        let taken = Duration::from_micros(game.taken_us);
        match self.check(pairing, run.line, &worker, &name, game) {
            Ok((plies, end)) => {
                self.engine_output(pairing, &name, &end.ending, &stderr);
                self.weigh_break(run, &worker, &name, &end).await?;
                self.weigh_time(run, &worker, &name, &end, taken).await?;
                Ok((plies, end))
            }
            Err(reason) => {
                self.queue.set_aside(&worker, &name, &reason).await;
                Err(reason)
            }
        }
    }

    /// An engine that breaks down on one machine may be the machine's fault, and
    /// another one tries. Only if that one plays the game to its end does it count
    /// against the first; if the engine breaks there too, or there is no other
    /// machine, it is the engine's, which has lost as in any match.
    async fn weigh_break(
        &self,
        run: &mut GameRun<'_>,
        worker: &str,
        name: &str,
        end: &GameEnd,
    ) -> Result<(), String> {
        let broke = matches!(
            end.ending.termination,
            Termination::Stall { .. } | Termination::Disconnect { .. }
        );
        match (&mut run.broke, broke) {
            (None, false) => Ok(()),
            (None, true) => {
                let reason = end.ending.to_string();
                run.broke = Some(Broke {
                    worker: worker.into(),
                    name: name.into(),
                    reason: reason.clone(),
                    times: 1,
                });
                Err(reason)
            }
            (Some(before), false) => {
                if before.worker != worker {
                    let reason = format!("{}, and {name} played that game", before.reason);
                    self.queue
                        .blame(&before.worker, &before.name, &reason)
                        .await;
                }
                Ok(())
            }
            (Some(before), true) => {
                let same = before.worker == worker && self.queue.has_others(worker);
                if same && before.times < MOST_BREAKS {
                    before.times += 1;
                    return Err(end.ending.to_string());
                }
                Ok(())
            }
        }
    }

    /// An engine that loses on time on a machine that kept it from running is no slower
    /// than elsewhere: the game is dealt again, once. The clock gives back what it sees
    /// of such waits; not all of it can be seen.
    async fn weigh_time(
        &self,
        run: &mut GameRun<'_>,
        worker: &str,
        name: &str,
        end: &GameEnd,
        taken: Duration,
    ) -> Result<(), String> {
        let forfeit = matches!(end.ending.termination, Termination::TimeForfeit { .. });
        if !forfeit || self.config.rules.clock != ClockMode::Fair || run.excused {
            return Ok(());
        }
        let loser = end.ending.loser();
        let mut findings = end.findings.iter();
        let waited = findings.any(|finding| {
            finding.side == loser && finding.code == HostDiagnostic::SlowReady.into()
        });
        let duration = Duration::from_micros(end.duration_us);
        if !waited && taken.saturating_mul(MOST_TAKEN) < duration {
            return Ok(());
        }
        run.excused = true;
        let reason = format!(
            "{}, on a machine that is overloaded: it took {:.1} s from its engines in a game of \
             {:.1} s",
            end.ending,
            taken.as_secs_f64(),
            duration.as_secs_f64()
        );
        // A slow match is better than none where nobody else is there.
        if self.queue.has_others(worker) {
            self.queue.blame(worker, name, &reason).await;
        }
        Err(reason)
    }

    /// Plays a game after, and holds it against the rules and the clocks.
    pub(super) fn check(
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
            let share = game.permille;
            self.queue
                .crew(|crew| crew.is_share(worker, self.reference, share))
        } else {
            Some(game.permille == 1000)
        };
        if right == Some(false) {
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
    /// The attempt that is on its way.
    dealt: Option<u32>,
    /// Attempts so far, without those that were left to others and taken by nobody.
    attempts: u32,
    /// The worker with which an earlier attempt failed: others try first.
    avoid: Option<String>,
    /// The attempt that is on its way is left to others.
    others_only: bool,
    /// How often none of the others took it.
    left: u32,
    /// An engine broke down in an earlier attempt.
    broke: Option<Broke>,
    /// A loss on time was excused in an earlier attempt.
    excused: bool,
    /// How often it was dealt again because nobody checked it.
    unchecked: u32,
}

/// An engine that broke down.
struct Broke {
    worker: String,
    name: String,
    reason: String,
    /// How often the game was dealt again for that.
    times: u32,
}

impl<'a> GameRun<'a> {
    fn new(line: &'a AnyLine) -> Self {
        Self {
            line,
            at: line.clone(),
            opening: line.plies(),
            heard: Vec::new(),
            from: None,
            dealt: None,
            attempts: 0,
            avoid: None,
            others_only: false,
            left: 0,
            broke: None,
            excused: false,
            unchecked: 0,
        }
    }

    /// An attempt failed with a worker.
    fn failed_with(&mut self, worker: Option<String>) {
        self.avoid = worker;
        self.left = 0;
    }

    /// No worker has the attempt that was dealt. The server may have given it to the worker
    /// that leaves it to others, as often as it gives a job, and then gives it to nobody.
    fn lost(&mut self) {
        if !std::mem::take(&mut self.others_only) {
            return;
        }
        self.attempts = self.attempts.saturating_sub(1);
        self.left += 1;
        if self.left >= MOST_LEFT {
            self.avoid = None;
        }
    }

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
