//! Tournaments over connected clients: everybody against everybody, or Swiss.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::records::GameResult;
use quadrille_games::{AnyLine, Game};
use quadrille_match::config::{Format, OpeningPolicy};
use quadrille_match::pairing::{Pairing, Plan, Schedule};
use serde::{Deserialize, Serialize};

use super::Hall;
use super::effect::{ConnId, DocumentKey, Keep, StoredPlayer};
use super::table::PlayerId;
use crate::message::{Name, StandingView, Tell, Time, ToClient, TournamentState, TournamentView};

/// Players of one tournament.
const MOST: usize = 200;

/// What an operator says about a tournament, and what has come of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) game: Game,
    pub(super) rules: String,
    pub(super) position: String,
    pub(super) time: String,
    pub(super) swiss: bool,
    pub(super) rounds: u32,
    pub(super) rated: bool,
    pub(super) players: Vec<String>,
    pub(super) running: bool,
    pub(super) results: BTreeMap<u64, String>,
    /// Guests on the list, who come back to their names after a restart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) seats: Vec<StoredPlayer>,
}

/// A tournament.
#[derive(Debug)]
pub(super) struct Tournament {
    pub(super) sheet: Sheet,
    /// Games that are on a board now, by their numbers here.
    pub(super) playing: BTreeMap<u64, u64>,
    /// What follows from the results.
    pub(super) known: Known,
    /// Players who are not here, by their places in the list.
    pub(super) absent: BTreeMap<usize, Absence>,
    /// When it is looked at again. There is one timer for each.
    pub(super) wakes: BTreeSet<Duration>,
    /// Whether there are results that are not written down.
    pub(super) unsaved: bool,
    pub(super) over: bool,
}

/// What follows from the results, until there is another one.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Games without a result, by number: the rounds of everybody against
    /// everybody are kept in order, so that all have played about as often.
    pub(super) open: BTreeMap<u64, Pairing>,
    /// Whether no more games will come.
    pub(super) complete: bool,
    round: u32,
    rounds: u32,
    /// Half points by place in the list, the best first.
    points: Vec<(usize, u64)>,
}

/// A player who is not here.
#[derive(Debug)]
pub(super) struct Absence {
    pub(super) since: Duration,
    /// The game that waits for it, and since when.
    pub(super) game: Option<(u64, Duration)>,
}

impl Tournament {
    pub(super) fn new(sheet: Sheet) -> Self {
        let mut tournament = Self {
            sheet,
            playing: BTreeMap::new(),
            known: Known::default(),
            absent: BTreeMap::new(),
            wakes: BTreeSet::new(),
            unsaved: false,
            over: false,
        };
        tournament.refresh();
        tournament
    }

    fn plan(&self) -> Plan {
        Plan {
            players: self.sheet.players.len(),
            format: if self.sheet.swiss {
                Format::Swiss
            } else {
                Format::RoundRobin
            },
            seeds: 0,
            rounds: self.sheet.rounds,
            games: 1,
            repeat: 1,
            noswap: false,
            reverse: false,
            policy: OpeningPolicy::Default,
            seed: 0,
        }
    }

    /// Works out again what follows from the results.
    pub(super) fn refresh(&mut self) {
        let sheet = &self.sheet;
        if !sheet.running {
            self.known.rounds = sheet.rounds;
            return;
        }
        let result = |number| GameResult::from_word(sheet.results.get(&number)?);
        let schedule = Schedule::new(&self.plan(), result);
        let open = |p: &Pairing| !sheet.results.contains_key(&p.number);
        let open: BTreeMap<u64, Pairing> = schedule
            .games()
            .filter(open)
            .map(|p| (p.number, p))
            .collect();
        let last = schedule.game(schedule.known()).map_or(0, |p| p.round);
        self.known = Known {
            complete: schedule.complete(),
            round: open.values().next().map_or(last, |p| p.round),
            rounds: if sheet.swiss { sheet.rounds } else { last },
            points: points(sheet, &schedule, result),
            open,
        };
    }

    const fn state(&self) -> TournamentState {
        match (self.over, self.sheet.running) {
            (true, _) => TournamentState::Over,
            (_, true) => TournamentState::Running,
            _ => TournamentState::Open,
        }
    }
}

/// Half points by place in the list, the best first.
fn points(
    sheet: &Sheet,
    schedule: &Schedule,
    result: impl Fn(u64) -> Option<GameResult>,
) -> Vec<(usize, u64)> {
    let mut points: Vec<(usize, u64)> = if sheet.swiss {
        let places = schedule.places().iter();
        places.map(|p| (p.player, p.half_points)).collect()
    } else {
        let mut points = vec![0; sheet.players.len()];
        for pairing in schedule.games() {
            let (white, black) = match result(pairing.number) {
                Some(GameResult::WhiteWins) => (2, 0),
                Some(GameResult::BlackWins) => (0, 2),
                Some(GameResult::Draw) => (1, 1),
                _ => (0, 0),
            };
            points[pairing.white] += white;
            points[pairing.black] += black;
        }
        points.into_iter().enumerate().collect()
    };
    points.sort_by_key(|(player, points)| (u64::MAX - points, *player));
    points
}

impl Hall {
    pub(super) fn open_tournament(&mut self, sheet: Sheet) -> Result<u64, String> {
        let _: Time = sheet.time.parse().map_err(|e| format!("{e}"))?;
        AnyLine::new(sheet.game, &sheet.rules, &sheet.position).map_err(|e| e.to_string())?;
        if !(1..=50).contains(&sheet.rounds) {
            return Err("a tournament has 1 to 50 rounds".into());
        }
        let id = self.fresh();
        self.tournaments.insert(id, Tournament::new(sheet));
        self.keep_tournament(id);
        self.tell_tournament(id);
        Ok(id)
    }

    /// Whether a player still has something to play in a tournament.
    pub(super) fn in_tournament(&self, name: &str) -> bool {
        let listed = |t: &Tournament| t.sheet.players.iter().any(|known| known == name);
        self.tournaments.values().any(|t| !t.over && listed(t))
    }

    pub(super) fn keep_tournament(&mut self, id: u64) {
        let sheet = self.tournaments.get(&id).filter(|t| !t.over);
        let text = sheet.and_then(|t| serde_json::to_string(&t.sheet).ok());
        self.keep(Keep::Document(DocumentKey::Tournament(id), text));
    }

    fn tournament_view(&self, id: u64) -> Option<TournamentView> {
        let t = self.tournaments.get(&id)?;
        Some(TournamentView {
            id,
            state: t.state(),
            round: t.known.round,
            rounds: t.known.rounds,
            players: t.sheet.players.len(),
            game: t.sheet.game,
            time: t.sheet.time.parse().ok()?,
            title: t.sheet.title.clone(),
        })
    }

    /// The latest tournaments and their standings, so many lines and what belongs to
    /// the last of them.
    pub(super) fn tournament_views(&self, most: usize) -> Vec<Tell> {
        let (mut latest, mut lines) = (Vec::new(), 0);
        for id in self.tournaments.keys().rev() {
            let mut tells: Vec<Tell> = (self.tournament_view(*id).into_iter())
                .map(Tell::Tournament)
                .collect();
            tells.extend(self.standings(*id));
            lines += tells.len();
            latest.push(tells);
            if lines >= most {
                break;
            }
        }
        latest.into_iter().rev().flatten().collect()
    }

    fn standings(&self, id: u64) -> Vec<Tell> {
        let Some(t) = self.tournaments.get(&id).filter(|t| t.sheet.running) else {
            return Vec::new();
        };
        let points = t.known.points.iter().copied();
        let view = |(place, (player, half_points)): (usize, (usize, u64))| {
            Some(Tell::Standing(StandingView {
                id,
                place: place + 1,
                name: t.sheet.players.get(player)?.parse().ok()?,
                half_points,
            }))
        };
        points.enumerate().filter_map(view).collect()
    }

    /// To all who know the lobby: a tournament has come to another state.
    pub(super) fn tell_tournament(&mut self, id: u64) {
        let Some(view) = self.tournament_view(id) else {
            return;
        };
        let over = view.state == TournamentState::Over;
        let mut tells = vec![Tell::Tournament(view)];
        if over {
            tells.extend(self.standings(id));
        }
        let lobby = |(conn, c): (&ConnId, &super::Client)| c.about.lobby.then_some(*conn);
        let lines: Vec<Arc<str>> = (tells.into_iter())
            .map(|tell| ToClient::Lobby(tell).to_string().into())
            .collect();
        for conn in self.clients.iter().filter_map(lobby).collect::<Vec<_>>() {
            for line in &lines {
                self.post(conn, Arc::clone(line));
            }
        }
    }

    pub(super) fn enter_tournament(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        id: u64,
        now: Duration,
    ) {
        if let Err(why) = self.try_enter(player, id) {
            return self.refuse(conn, &why);
        }
        self.list_changed(conn, id, now);
    }

    /// A list is written down with all that changes at the same time, and shown to
    /// the one who changed it.
    fn list_changed(&mut self, conn: ConnId, id: u64, now: Duration) {
        if let Some(t) = self.tournaments.get_mut(&id) {
            t.unsaved = true;
        }
        self.wake_tournament(id, now);
        if let Some(view) = self.tournament_view(id) {
            self.send(conn, &ToClient::Lobby(Tell::Tournament(view)));
        }
    }

    /// Puts a player on the list.
    fn try_enter(&mut self, player: PlayerId, id: u64) -> Result<(), String> {
        let known = self.players.get(&player).ok_or("you are not here")?;
        let t = self.tournaments.get_mut(&id);
        let t = t.ok_or("there is no such tournament")?;
        if t.sheet.running {
            return Err("that tournament has begun".into());
        }
        if t.sheet.players.len() >= MOST {
            return Err("that tournament is full".into());
        }
        let line = AnyLine::new(t.sheet.game, &t.sheet.rules, &t.sheet.position);
        if !line.is_ok_and(|line| known.about.can_play(&line)) {
            return Err("your program has not said that it can play this".into());
        }
        if t.sheet.rated && !known.account {
            return Err("rated games are for accounts".into());
        }
        let name = known.name.to_string();
        if t.sheet.players.contains(&name) {
            return Err("you are on the list".into());
        }
        t.sheet.players.push(name);
        // The name of an account is kept for it anyway.
        if !known.account {
            t.sheet.seats.push(known.stored(None));
        }
        Ok(())
    }

    pub(super) fn leave_tournament(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        id: u64,
        now: Duration,
    ) {
        let name = self.players.get(&player).map(|p| p.name.to_string());
        let t = self.tournaments.get_mut(&id).filter(|t| !t.sheet.running);
        let Some(t) = t else {
            return self.refuse(conn, "there is no tournament that could be left");
        };
        t.sheet.players.retain(|known| Some(known) != name.as_ref());
        t.sheet
            .seats
            .retain(|seat| Some(&seat.name) != name.as_ref());
        self.list_changed(conn, id, now);
    }

    /// Begins, with all free engines too if the operator wants.
    pub(super) fn begin_tournament(
        &mut self,
        id: u64,
        engines: bool,
        now: Duration,
    ) -> Result<(), String> {
        if engines {
            let pool = self.players.iter().filter(|(_, p)| Self::in_pool(p));
            for player in pool.map(|(id, _)| *id).collect::<Vec<_>>() {
                // One that cannot play it stays out.
                let _ = self.try_enter(player, id);
            }
        }
        let t = self
            .tournaments
            .get_mut(&id)
            .ok_or("there is no such tournament")?;
        if t.sheet.running {
            return Err("that tournament has begun".into());
        }
        if t.sheet.players.len() < 2 {
            return Err("a tournament needs two players".into());
        }
        t.sheet.running = true;
        t.refresh();
        self.keep_tournament(id);
        self.tell_tournament(id);
        self.wake_tournament(id, now);
        Ok(())
    }

    /// A guest goes on under another name.
    pub(super) fn rename_in_tournaments(&mut self, old: &Name, new: &Name) {
        if old == new {
            return;
        }
        let mut changed = Vec::new();
        for (id, t) in self.tournaments.iter_mut().filter(|(_, t)| !t.over) {
            for name in &mut t.sheet.players {
                if *name == old.as_str() {
                    *name = new.to_string();
                    changed.push(*id);
                }
            }
            for seat in &mut t.sheet.seats {
                if seat.name == old.as_str() {
                    seat.name = new.to_string();
                }
            }
        }
        for id in changed {
            self.keep_tournament(id);
        }
    }
}
