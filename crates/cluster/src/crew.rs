//! The workers of an event, as its director sees them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use quadrille_driver::{Identity, OptionList};
use quadrille_games::Game;

use crate::clock::Clock;
use crate::messages::{Beat, Card, Need, Offer, WorkerStatus, permille};
use crate::names::{VERSION, is_worker, key_of, shown, shown_proof};

/// Workers that were silent for so long are forgotten.
const FORGOTTEN: Duration = Duration::from_mins(10);
/// Workers that are remembered from run to run.
const MOST_ON_ROSTER: usize = 5000;
/// More workers than one director leads.
const MOST: usize = 100_000;
/// A worker that was set aside so often does not get in under another word.
const MOST_ASIDE: u32 = 3;
/// Speeds that are remembered of a worker.
const MOST_SPEEDS: usize = 8;
/// Workers that one job names as those that leave it to others.
const MOST_AVOIDED: usize = 64;
/// Games in a row that were trouble on one worker, after which it is broken.
const MOST_TROUBLE: u32 = 3;

/// What decides who may play.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) needs: Vec<Need>,
    /// What engines must prove to be, by their names, where the match says it.
    pub(crate) expected: Vec<(String, String)>,
    pub(crate) reference: u64,
    pub(crate) slowest_permille: u32,
    pub(crate) patience: Duration,
}

/// A worker that was let in, or set aside since.
#[derive(Debug)]
struct Member {
    name: String,
    program: String,
    engines: Vec<String>,
    nps: u64,
    /// Its speeds when it applied before, the last one first: games that began then
    /// are still on their way.
    speeds: Vec<u64>,
    capacity: usize,
    heard: Instant,
    busy: Vec<(u64, u32)>,
    free: usize,
    games: u64,
    trouble: u32,
    aside: Option<String>,
}

/// Whether what a worker says counts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It was let in, in this run or an earlier one.
    Known,
    Aside,
    Unknown,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Crew {
    members: HashMap<String, Member>,
    /// Workers that were let in by earlier runs, with name and speed: their results
    /// may have waited longer than they lived.
    veterans: HashMap<String, (String, u64)>,
    /// Some were let in since the roster was last asked for.
    grown: bool,
    /// How often each key was set aside.
    asides: HashMap<String, u32>,
    /// What each engine proved to be when it was first seen, and its greeting.
    proofs: HashMap<(String, Game), (String, String)>,
    greetings: HashMap<(String, Game), (Identity, OptionList)>,
    /// How often games and looks of each key were checked, and were found wrong.
    checks: HashMap<(String, Role), Checked>,
    /// How often each key held a job for too long.
    overdue: HashMap<String, u32>,
    /// Keys that are not let in again, and why.
    expelled: HashMap<String, String>,
    clock: Clock,
}

/// As what a check judged a worker. They are counted apart: who checks others honestly
/// is not more honest with its own games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// It played the game.
    Player,
    /// It checked the game of another.
    Checker,
}

/// What checks of a worker's games came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) checks: u32,
    pub(crate) wrong: u32,
}

/// What a beat meant.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Known,
    /// It must apply again.
    Stranger,
    /// It is set aside, and should know.
    Aside(String),
}

impl Crew {
    /// Why a worker may not play, if so.
    fn look_at(&self, card: &Card, entry: &Entry) -> Result<(), String> {
        if card.v != VERSION {
            return Err(format!(
                "it speaks version {} here, and {VERSION} is needed",
                card.v
            ));
        }
        if !is_worker(&card.worker) || card.capacity == 0 {
            return Err("its card cannot be read".into());
        }
        if let Some(reason) = &card.declines {
            return Err(reason.clone());
        }
        if let Some(reason) = self
            .members
            .get(&card.worker)
            .and_then(|m| m.aside.as_ref())
        {
            return Err(was_set_aside(reason));
        }
        if let Some(reason) = self.expelled.get(key_of(&card.worker)) {
            return Err(was_set_aside(reason));
        }
        if self
            .asides
            .get(key_of(&card.worker))
            .is_some_and(|times| *times >= MOST_ASIDE)
        {
            return Err(format!(
                "it was set aside {MOST_ASIDE} times under this name"
            ));
        }
        let share = permille(entry.reference, card.nps);
        if share > entry.slowest_permille {
            return Err(format!(
                "it is too slow: it would need {:.1} times the time, and {:.1} is the most",
                f64::from(share) / 1000.0,
                f64::from(entry.slowest_permille) / 1000.0
            ));
        }
        for need in &entry.needs {
            let offer = card
                .offers
                .iter()
                .find(|o| o.engine == need.engine && o.game == need.game);
            let Some(offer) = offer else {
                return Err(format!(
                    "it has no engine '{}' for {}",
                    need.engine, need.game
                ));
            };
            let mut expected = entry.expected.iter();
            if let Some((_, proof)) = expected.find(|(engine, _)| *engine == need.engine) {
                if *proof != offer.proof {
                    return Err(format!(
                        "its engine '{}' is another program than the match names: {}, but bench= \
                         of the match says {proof}",
                        need.engine,
                        shown_proof(&offer.proof)
                    ));
                }
                continue;
            }
            let key = (need.engine.clone(), need.game);
            match self.proofs.get(&key) {
                Some((proof, from)) if *proof != offer.proof => {
                    return Err(format!(
                        "its engine '{}' is another program: {}, but on {from} {} (bench= of \
                         -engine names the right one)",
                        need.engine,
                        shown_proof(&offer.proof),
                        shown_proof(proof)
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lets a worker in, or says why not.
    pub(crate) fn admit(&mut self, card: Card, entry: &Entry) -> Result<(), String> {
        self.look_at(&card, entry)?;
        self.forget();
        if self.members.len() >= MOST {
            return Err(format!("there are {MOST} workers already"));
        }
        let needed = |offer: &Offer| {
            let mut needs = entry.needs.iter();
            needs.any(|need| need.engine == offer.engine && need.game == offer.game)
        };
        for offer in card.offers.into_iter().filter(needed) {
            let key = (offer.engine, offer.game);
            let proof = (offer.proof, card.name.clone());
            self.proofs.entry(key.clone()).or_insert(proof);
            let greeting = (offer.identity, offer.options);
            self.greetings.entry(key).or_insert(greeting);
        }
        let mut engines: Vec<String> = entry.needs.iter().map(|n| n.engine.clone()).collect();
        engines.dedup();
        let member = Member {
            name: card.name,
            program: shown(&card.program),
            engines,
            nps: card.nps,
            speeds: vec![card.nps],
            capacity: card.capacity,
            heard: self.clock.now(),
            busy: Vec::new(),
            free: 0,
            games: 0,
            trouble: 0,
            aside: None,
        };
        let before = self.members.remove(&card.worker);
        self.grown |= before.is_none();
        let member = match before {
            Some(before) => {
                let mut speeds = before.speeds;
                if speeds.first() != Some(&member.nps) {
                    speeds.insert(0, member.nps);
                    speeds.truncate(MOST_SPEEDS);
                }
                Member {
                    games: before.games,
                    trouble: before.trouble,
                    speeds,
                    ..member
                }
            }
            None => member,
        };
        self.members.insert(card.worker, member);
        Ok(())
    }

    fn forget(&mut self) {
        let clock = &self.clock;
        self.members
            .retain(|_, m| m.aside.is_some() || clock.since(m.heard) < FORGOTTEN);
    }

    /// A worker is alive.
    pub(crate) fn beat(&mut self, beat: &Beat) -> Heard {
        let Some(member) = self.members.get_mut(&beat.worker) else {
            return Heard::Stranger;
        };
        member.heard = self.clock.now();
        if let Some(reason) = &member.aside {
            return Heard::Aside(was_set_aside(reason));
        }
        member.busy.clone_from(&beat.busy);
        member.free = beat.free;
        Heard::Known
    }

    /// What an engine said of itself on the first worker that has it.
    pub(crate) fn greeting(&self, engine: &str, game: Game) -> Option<(Identity, OptionList)> {
        self.greetings.get(&(engine.to_owned(), game)).cloned()
    }

    /// Returns whether this is what the times of a worker's games are multiplied with,
    /// or were when it was slower or faster; nothing if its speed is not known.
    pub(crate) fn is_share(&self, worker: &str, reference: u64, share: u32) -> Option<bool> {
        let of = |nps: &u64| permille(reference, *nps) == share;
        match self.members.get(worker) {
            Some(member) => Some(member.speeds.iter().any(of)),
            None => self.veterans.get(worker).map(|(_, nps)| of(nps)),
        }
    }

    /// What a worker that was let in is called.
    pub(crate) fn name_of(&self, worker: &str) -> Option<&str> {
        let name = self.members.get(worker).map(|m| &m.name);
        let name = name.or_else(|| Some(&self.veterans.get(worker)?.0));
        name.map(String::as_str)
    }

    /// Whether what a worker says counts.
    pub(crate) fn standing(&self, worker: &str) -> Standing {
        match self.members.get(worker) {
            // One that an earlier run let in may not have applied in this one.
            _ if self.expelled.contains_key(key_of(worker)) => Standing::Aside,
            Some(member) if member.aside.is_some() => Standing::Aside,
            None if !self.veterans.contains_key(worker) => Standing::Unknown,
            _ => Standing::Known,
        }
    }

    /// The workers that were let in, for a later run, when there are new ones.
    pub(crate) fn roster(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.grown) {
            return None;
        }
        let members = self.members.iter().filter(|(_, m)| m.aside.is_none());
        let members = members.map(|(word, m)| (word, &m.name, m.nps));
        let veterans = self.veterans.iter();
        let veterans = veterans.map(|(word, (name, nps))| (word, name, *nps));
        let new = |(word, ..): &(&String, &String, u64)| !self.members.contains_key(*word);
        let all: Vec<_> = members
            .chain(veterans.filter(new))
            .take(MOST_ON_ROSTER)
            .collect();
        serde_json::to_string(&all).ok()
    }

    /// Takes the roster of an earlier run.
    pub(crate) fn recall(&mut self, roster: &str) {
        let all: Vec<(String, String, u64)> = serde_json::from_str(roster).unwrap_or_default();
        let all = all.into_iter().take(MOST_ON_ROSTER);
        self.veterans = all.map(|(word, name, nps)| (word, (name, nps))).collect();
    }

    /// Sets a worker aside; `false` if it was before.
    pub(crate) fn set_aside(&mut self, worker: &str, reason: &str) -> bool {
        let Some(member) = self.members.get_mut(worker) else {
            return false;
        };
        if member.aside.is_some() {
            return false;
        }
        member.aside = Some(reason.into());
        member.busy.clear();
        member.free = 0;
        *self.asides.entry(key_of(worker).to_owned()).or_default() += 1;
        true
    }

    /// Sets all workers of a key aside, and lets none in again; those that were not
    /// aside before.
    pub(crate) fn expel(&mut self, key: &str, reason: &str) -> Vec<(String, String)> {
        let all = self.members.iter();
        let theirs = all.filter(|(worker, m)| key_of(worker) == key && m.aside.is_none());
        let theirs: Vec<_> = theirs
            .map(|(worker, m)| (worker.clone(), m.name.clone()))
            .collect();
        for (worker, _) in &theirs {
            self.set_aside(worker, reason);
        }
        self.expelled.insert(key.into(), reason.into());
        theirs
    }

    /// A check judged a worker.
    pub(crate) fn checked(&mut self, key: &str, role: Role, wrong: bool) -> Checked {
        let checked = self.checks.entry((key.into(), role)).or_default();
        checked.checks = checked.checks.saturating_add(1);
        checked.wrong += u32::from(wrong);
        *checked
    }

    /// Returns whether a check has ever found a worker wrong.
    pub(crate) fn is_suspect(&self, key: &str) -> bool {
        let checks = |role| self.checks.get(&(key.to_owned(), role));
        let wrong = |role| checks(role).is_some_and(|checked| checked.wrong > 0);
        wrong(Role::Player) || wrong(Role::Checker)
    }

    /// Returns whether there is a worker that is none of these keys.
    pub(crate) fn has_beside(&self, keys: &[&str], patience: Duration) -> bool {
        let mut members = self.members.iter();
        members.any(|(worker, m)| self.is_there(m, patience) && !keys.contains(&key_of(worker)))
    }

    /// Returns whether there is a worker that a job with this list is not kept from.
    pub(crate) fn may_take(&self, avoid: &[String], patience: Duration) -> bool {
        let mut members = self.members.iter();
        members.any(|(worker, m)| {
            let avoided = |word: &String| word == worker || word == key_of(worker);
            self.is_there(m, patience) && !avoid.iter().any(avoided)
        })
    }

    /// Returns whether an earlier run let a worker in that is none of these keys.
    pub(crate) fn had_beside(&self, keys: &[&str]) -> bool {
        let mut veterans = self.veterans.keys();
        veterans.any(|worker| !keys.contains(&key_of(worker)))
    }

    /// Returns the workers of these keys.
    pub(crate) fn of_keys(&self, keys: &[&str]) -> Vec<String> {
        let workers = self.members.keys();
        let theirs = workers.filter(|worker| keys.contains(&key_of(worker)));
        theirs.take(MOST_AVOIDED).cloned().collect()
    }

    /// A game of this worker is kept.
    pub(crate) fn played(&mut self, worker: &str) {
        if let Some(member) = self.members.get_mut(worker) {
            member.games += 1;
            member.trouble = 0;
        }
    }

    /// A game was trouble there; `true` if it is broken.
    pub(crate) fn trouble(&mut self, worker: &str) -> bool {
        let Some(member) = self.members.get_mut(worker) else {
            return false;
        };
        member.trouble += 1;
        member.trouble >= MOST_TROUBLE
    }

    /// Returns the time by which silence is judged.
    pub(crate) const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Moves that time on, by no more than `most`.
    pub(crate) fn tick(&mut self, real: Instant, most: Duration) {
        self.clock.tick(real, most);
    }

    /// Returns whether a worker is heard and not set aside.
    fn is_there(&self, member: &Member, patience: Duration) -> bool {
        member.aside.is_none() && self.clock.since(member.heard) <= patience
    }

    fn alive(&self, patience: Duration) -> impl Iterator<Item = &Member> {
        self.members
            .values()
            .filter(move |m| self.is_there(m, patience))
    }

    /// Whether there is another worker than this one.
    pub(crate) fn has_others(&self, worker: &str, patience: Duration) -> bool {
        let others = self.members.iter().filter(|(word, _)| *word != worker);
        let mut others = others.map(|(_, member)| member);
        others.any(|m| self.is_there(m, patience))
    }

    /// How many were set aside.
    pub(crate) fn count_aside(&self) -> usize {
        self.members.values().filter(|m| m.aside.is_some()).count()
    }

    /// Returns how many workers are heard, and how many games they play.
    pub(crate) fn count(&self, patience: Duration) -> (usize, usize) {
        let mut counts = (0, 0);
        for member in self.alive(patience) {
            counts.0 += 1;
            counts.1 += member.busy.len();
        }
        counts
    }

    /// Returns whether a worker that is none of these keys has time for a job.
    pub(crate) fn has_time(&self, closed_to: &[String], patience: Duration) -> bool {
        let mut members = self.members.iter();
        members.any(|(worker, m)| {
            let closed = closed_to.iter().any(|key| key == key_of(worker));
            !closed && m.free > 0 && self.is_there(m, patience)
        })
    }

    /// The jobs that workers say they have: worker, number and attempt.
    pub(crate) fn busy(&self, patience: Duration) -> impl Iterator<Item = (&str, u64, u32)> {
        let members = self.members.iter();
        let alive = members.filter(move |(_, m)| self.is_there(m, patience));
        alive.flat_map(|(worker, m)| {
            let busy = m.busy.iter();
            busy.map(move |(number, attempt)| (worker.as_str(), *number, *attempt))
        })
    }

    /// A worker held a job for too long; how often all of its name did.
    pub(crate) fn overdue(&mut self, worker: &str) -> u32 {
        let times = self.overdue.entry(key_of(worker).to_owned()).or_default();
        *times = times.saturating_add(1);
        *times
    }

    /// All workers, for a list.
    pub(crate) fn statuses(&self, title: &str, patience: Duration) -> Vec<WorkerStatus> {
        let members = self.members.iter();
        members
            .map(|(worker, m)| WorkerStatus {
                worker: worker.clone(),
                name: m.name.clone(),
                program: m.program.clone(),
                engines: m.engines.clone(),
                nps: m.nps,
                capacity: m.capacity,
                playing: m.busy.len(),
                games: m.games,
                state: match &m.aside {
                    Some(reason) => format!("set aside in {title}: {reason}"),
                    None if self.clock.since(m.heard) > patience => format!("silent, in {title}"),
                    None => format!("plays for {title}"),
                },
                heard_ms: u64::try_from(self.clock.since(m.heard).as_millis()).unwrap_or(u64::MAX),
            })
            .collect()
    }
}

/// What a worker is told that was set aside.
pub(crate) fn was_set_aside(reason: &str) -> String {
    format!("it was set aside: {reason}")
}

/// Numbers of games, most of them without gaps from 1 on.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    below: u64,
    beyond: std::collections::BTreeSet<u64>,
}

impl Numbers {
    pub(crate) fn insert(&mut self, number: u64) {
        if number > self.below {
            self.beyond.insert(number);
        }
        while self.beyond.remove(&(self.below + 1)) {
            self.below += 1;
        }
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        number <= self.below || self.beyond.contains(&number)
    }
}

#[cfg(test)]
mod tests;
