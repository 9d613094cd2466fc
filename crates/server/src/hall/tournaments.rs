//! Tournaments over connected clients: everybody against everybody, or Swiss.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrille_games::records::GameResult;
use quadrille_games::{AnyLine, Game};
use quadrille_host::config::{Format, OpeningPolicy};
use quadrille_host::pairing::{Pairing, Plan, Schedule};
use serde::{Deserialize, Serialize};

use super::effect::{ConnId, DocumentKey, Keep, Origin};
use super::table::{PlayerId, Setup};
use super::{Hall, Timer, seconds};
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
}

/// A tournament.
#[derive(Debug)]
pub(super) struct Tournament {
    pub(super) sheet: Sheet,
    /// Games that are on a board now, by their numbers here.
    pub(super) playing: BTreeMap<u64, u64>,
    /// Since when a game waits for a player who is not here.
    waits: BTreeMap<u64, Duration>,
    over: bool,
}

impl Tournament {
    pub(super) const fn new(sheet: Sheet) -> Self {
        Self {
            sheet,
            playing: BTreeMap::new(),
            waits: BTreeMap::new(),
            over: false,
        }
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

    fn result(&self, number: u64) -> Option<GameResult> {
        GameResult::from_word(self.sheet.results.get(&number)?)
    }

    fn schedule(&self) -> Schedule {
        Schedule::new(&self.plan(), |number| self.result(number))
    }

    fn round(&self, schedule: &Schedule) -> u32 {
        let open = |p: &Pairing| !self.sheet.results.contains_key(&p.number);
        let first = schedule.games().find(open);
        match first {
            Some(pairing) => pairing.round,
            None => schedule.games().last().map_or(0, |p| p.round),
        }
    }

    /// Half points by place in the list.
    fn points(&self, schedule: &Schedule) -> Vec<(usize, u64)> {
        let mut points: Vec<(usize, u64)> = if self.sheet.swiss {
            let places = schedule.places().iter();
            places.map(|p| (p.player, p.half_points)).collect()
        } else {
            let mut points = vec![0; self.sheet.players.len()];
            for pairing in schedule.games() {
                let (white, black) = match self.result(pairing.number) {
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

    const fn state(&self) -> TournamentState {
        match (self.over, self.sheet.running) {
            (true, _) => TournamentState::Over,
            (_, true) => TournamentState::Running,
            _ => TournamentState::Open,
        }
    }
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

    fn keep_tournament(&mut self, id: u64) {
        let sheet = self.tournaments.get(&id).filter(|t| !t.over);
        let text = sheet.and_then(|t| serde_json::to_string(&t.sheet).ok());
        self.keep(Keep::Document(DocumentKey::Tournament(id), text));
    }

    fn tournament_view(&self, id: u64) -> Option<TournamentView> {
        let t = self.tournaments.get(&id)?;
        let schedule = t.sheet.running.then(|| t.schedule());
        Some(TournamentView {
            id,
            state: t.state(),
            round: schedule.map_or(0, |schedule| t.round(&schedule)),
            rounds: t.sheet.rounds,
            players: t.sheet.players.len(),
            game: t.sheet.game,
            time: t.sheet.time.parse().ok()?,
            title: t.sheet.title.clone(),
        })
    }

    pub(super) fn tournament_views(&self) -> Vec<Tell> {
        let mut list = Vec::new();
        for id in self.tournaments.keys() {
            list.extend(self.tournament_view(*id).map(Tell::Tournament));
            list.extend(self.standings(*id));
        }
        list
    }

    fn standings(&self, id: u64) -> Vec<Tell> {
        let Some(t) = self.tournaments.get(&id).filter(|t| t.sheet.running) else {
            return Vec::new();
        };
        let points = t.points(&t.schedule());
        let view = |(place, (player, half_points)): (usize, (usize, u64))| {
            Some(Tell::Standing(StandingView {
                id,
                place: place + 1,
                name: t.sheet.players.get(player)?.parse().ok()?,
                half_points,
            }))
        };
        points.into_iter().enumerate().filter_map(view).collect()
    }

    /// To all who know the lobby: a tournament has come to another state.
    fn tell_tournament(&mut self, id: u64) {
        let Some(view) = self.tournament_view(id) else {
            return;
        };
        let over = view.state == TournamentState::Over;
        let mut tells = vec![Tell::Tournament(view)];
        if over {
            tells.extend(self.standings(id));
        }
        let lobby = |(conn, c): (&ConnId, &super::Client)| c.about.lobby.then_some(*conn);
        for conn in self.clients.iter().filter_map(lobby).collect::<Vec<_>>() {
            for tell in &tells {
                self.send(conn, &ToClient::Lobby(tell.clone()));
            }
        }
    }

    pub(super) fn enter_tournament(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        id: u64,
        _now: Duration,
    ) {
        if let Err(why) = self.try_enter(player, id) {
            return self.refuse(conn, &why);
        }
        self.keep_tournament(id);
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
        Ok(())
    }

    pub(super) fn leave_tournament(&mut self, conn: ConnId, player: PlayerId, id: u64) {
        let name = self.players.get(&player).map(|p| p.name.to_string());
        let t = self.tournaments.get_mut(&id).filter(|t| !t.sheet.running);
        let Some(t) = t else {
            return self.refuse(conn, "there is no tournament that could be left");
        };
        t.sheet.players.retain(|known| Some(known) != name.as_ref());
        self.keep_tournament(id);
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
        self.keep_tournament(id);
        self.tell_tournament(id);
        self.deal(id, now);
        Ok(())
    }

    /// Somebody came or is free: games that waited may begin.
    pub(super) fn wake_tournaments(&mut self, now: Duration) {
        let running = self
            .tournaments
            .iter()
            .filter(|(_, t)| t.sheet.running && !t.over);
        for id in running.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.wake(now, Timer::Tournament(id));
        }
    }

    /// Begins all games that can be played now.
    pub(super) fn deal(&mut self, id: u64, now: Duration) {
        let Some(t) = self.tournaments.get(&id) else {
            return;
        };
        if !t.sheet.running || t.over || self.draining {
            return;
        }
        let schedule = t.schedule();
        let open = |p: &Pairing| {
            !t.sheet.results.contains_key(&p.number) && !t.playing.contains_key(&p.number)
        };
        // The rounds of everybody against everybody are kept in order, so that all
        // have played about as often.
        let open: Vec<Pairing> = schedule.games().filter(open).collect();
        let done = open.is_empty() && t.playing.is_empty() && schedule.complete();
        if done {
            let mut players = Vec::new();
            if let Some(t) = self.tournaments.get_mut(&id) {
                t.over = true;
                players.clone_from(&t.sheet.players);
            }
            self.keep_tournament(id);
            self.tell_tournament(id);
            for name in players {
                if let Some(&player) = self.names.get(&name.to_ascii_lowercase()) {
                    self.forget_player(player);
                }
            }
            return;
        }
        for pairing in open {
            self.try_game(id, pairing, now);
        }
    }

    fn try_game(&mut self, id: u64, pairing: Pairing, now: Duration) {
        let Some(t) = self.tournaments.get(&id) else {
            return;
        };
        let names = [pairing.white, pairing.black].map(|p| t.sheet.players[p].clone());
        let find = |name: &String| {
            let player = self.names.get(&name.to_ascii_lowercase()).copied()?;
            self.conn_of(player).map(|_| player)
        };
        let players = [find(&names[0]), find(&names[1])];
        let [Some(white), Some(black)] = players else {
            return self.wait_for(id, pairing, players, now);
        };
        let free = |player| self.players.get(&player).is_some_and(|p| p.game.is_none());
        if !free(white) || !free(black) {
            return;
        }
        let line = AnyLine::new(t.sheet.game, &t.sheet.rules, &t.sheet.position);
        let names: Option<Vec<Name>> = names.iter().map(|name| name.parse().ok()).collect();
        let (Ok(line), Some(names), Ok(time)) = (line, names, t.sheet.time.parse()) else {
            return;
        };
        let Ok(names) = <[Name; 2]>::try_from(names) else {
            return;
        };
        let setup = Setup {
            players: [white, black],
            names,
            levels: [None; 2],
            line,
            time,
            rated: t.sheet.rated,
            origin: Origin::Tournament {
                id,
                number: pairing.number,
            },
        };
        let game = self.start(setup, now);
        if let Some(t) = self.tournaments.get_mut(&id) {
            t.playing.insert(pairing.number, game);
            t.waits.remove(&pairing.number);
        }
    }

    /// One who does not come in time loses without a game; if both do not, none
    /// gets a point.
    fn wait_for(&mut self, id: u64, pairing: Pairing, here: [Option<PlayerId>; 2], now: Duration) {
        let grace = seconds(self.settings.grace);
        let Some(t) = self.tournaments.get_mut(&id) else {
            return;
        };
        let since = *t.waits.entry(pairing.number).or_insert(now);
        if now < since + grace {
            return self.wake(since + grace, Timer::Tournament(id));
        }
        let result = match here {
            [Some(_), None] => GameResult::WhiteWins,
            [None, Some(_)] => GameResult::BlackWins,
            _ => GameResult::Open,
        };
        self.tournament_game_over(id, pairing.number, result, now);
    }

    /// A game has a result.
    pub(super) fn tournament_game_over(
        &mut self,
        id: u64,
        number: u64,
        result: GameResult,
        now: Duration,
    ) {
        let Some(t) = self.tournaments.get_mut(&id) else {
            return;
        };
        t.playing.remove(&number);
        t.waits.remove(&number);
        t.sheet.results.insert(number, result.word().into());
        self.keep_tournament(id);
        self.wake(now, Timer::Tournament(id));
    }
}
