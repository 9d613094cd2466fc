//! Which games of a tournament begin, and which are lost because a player did not
//! come.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_games::records::GameResult;
use quadrille_match::pairing::Pairing;

use super::effect::Origin;
use super::table::{PlayerId, Setup};
use super::tournaments::{Absence, Tournament};
use super::{Hall, Timer, seconds};
use crate::message::Time;

/// Games of a tournament that begin in one step.
const AT_ONCE: usize = 10;

/// What a player of a tournament does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seat {
    /// It is here and plays nothing.
    Free(PlayerId),
    /// It has a game, in which lost connections are looked at.
    Busy,
    /// It has no connection.
    Away,
}

impl Hall {
    /// A player came, went or is free: games that waited for it may begin.
    pub(super) fn wake_tournaments(&mut self, player: PlayerId, now: Duration) {
        let Some(name) = self.players.get(&player).map(|p| p.name.as_str()) else {
            return;
        };
        let listed = |t: &Tournament| t.sheet.players.iter().any(|known| known == name);
        let running = |t: &Tournament| t.sheet.running && !t.over && listed(t);
        let running = self.tournaments.iter().filter(|(_, t)| running(t));
        for id in running.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.wake_tournament(id, now);
        }
    }

    /// A tournament is to be looked at then. What happens at the same time is
    /// looked at once.
    pub(super) fn wake_tournament(&mut self, id: u64, at: Duration) {
        let t = self.tournaments.get_mut(&id);
        if t.is_some_and(|t| t.wakes.insert(at)) {
            self.wake(at, Timer::Tournament(id));
        }
    }

    /// Writes down what is new, and begins all games that can be played now.
    pub(super) fn deal(&mut self, id: u64, now: Duration) {
        let Some(t) = self.tournaments.get_mut(&id) else {
            return;
        };
        t.wakes.retain(|at| *at > now);
        let unsaved = std::mem::take(&mut t.unsaved);
        if unsaved {
            t.refresh();
            self.keep_tournament(id);
        }
        let Some(t) = self.tournaments.get(&id) else {
            return;
        };
        if !t.sheet.running || t.over || self.draining {
            return;
        }
        if t.known.open.is_empty() && t.known.complete {
            return self.close_tournament(id);
        }
        let mut seats: Vec<Seat> = t.sheet.players.iter().map(|name| self.seat(name)).collect();
        let mut begin = Vec::new();
        for pairing in t.known.open.values() {
            let places = (seats[pairing.white], seats[pairing.black]);
            let (Seat::Free(white), Seat::Free(black)) = places else {
                continue;
            };
            // One that is on a board has busy players.
            (seats[pairing.white], seats[pairing.black]) = (Seat::Busy, Seat::Busy);
            begin.push((pairing.number, [white, black]));
        }
        // Others must not wait while a hundred games begin.
        let more = begin.len() > AT_ONCE;
        begin.truncate(AT_ONCE);
        for (number, players) in begin {
            self.begin_game(id, number, players, now);
        }
        if more {
            self.wake_tournament(id, now + Duration::from_millis(1));
        }
        self.judge_absent(id, &seats, now);
    }

    fn seat(&self, name: &str) -> Seat {
        let player = self.names.get(&name.to_ascii_lowercase());
        let known = player.and_then(|id| Some((*id, self.players.get(id)?)));
        match known {
            Some((_, player)) if player.game.is_some() => Seat::Busy,
            Some((id, player)) if player.conn.is_some() => Seat::Free(id),
            _ => Seat::Away,
        }
    }

    fn close_tournament(&mut self, id: u64) {
        let Some(t) = self.tournaments.get_mut(&id) else {
            return;
        };
        t.over = true;
        let players = t.sheet.players.clone();
        self.keep_tournament(id);
        self.tell_tournament(id);
        for name in players {
            if let Some(&player) = self.names.get(&name.to_ascii_lowercase()) {
                self.forget_player(player);
            }
        }
    }

    fn begin_game(&mut self, id: u64, number: u64, players: [PlayerId; 2], now: Duration) {
        let Some(t) = self.tournaments.get(&id) else {
            return;
        };
        let line = AnyLine::new(t.sheet.game, &t.sheet.rules, &t.sheet.position);
        let time: Result<Time, _> = t.sheet.time.parse();
        let (Ok(line), Some(names), Ok(time)) = (line, self.names_of(players), time) else {
            return;
        };
        let setup = Setup {
            players,
            names,
            levels: [None; 2],
            line,
            time,
            rated: t.sheet.rated,
            origin: Origin::Tournament { id, number },
        };
        let game = self.start(setup, now);
        if let Some(t) = self.tournaments.get_mut(&id) {
            t.playing.insert(number, game);
        }
    }

    /// One who does not come in time loses a game without playing it; if both do
    /// not, none gets a point. Only one game at a time waits for a player, so that
    /// an absence costs what it held up, not all that is to come.
    fn judge_absent(&mut self, id: u64, seats: &[Seat], now: Duration) {
        let (grace, resumed) = (seconds(self.settings.grace), self.resumed);
        let Some(t) = self.tournaments.get_mut(&id) else {
            return;
        };
        for (player, seat) in seats.iter().enumerate() {
            if *seat == Seat::Away {
                let new = Absence {
                    since: now,
                    game: None,
                };
                t.absent.entry(player).or_insert(new);
            } else {
                t.absent.remove(&player);
            }
        }
        let mut due: BTreeMap<u64, Duration> = BTreeMap::new();
        for (number, since) in t.waiting(seats, now) {
            let at = (since + grace).max(resumed);
            due.entry(number)
                .and_modify(|known| *known = at.max(*known))
                .or_insert(at);
        }
        let next = due.values().copied().filter(|at| *at > now).min();
        let lost: Vec<u64> = due
            .into_iter()
            .filter(|(_, at)| *at <= now)
            .map(|(number, _)| number)
            .collect();
        for number in &lost {
            let Some(pairing) = t.known.open.get(number) else {
                continue;
            };
            let here = [pairing.white, pairing.black].map(|p| seats[p] != Seat::Away);
            let result = match here {
                [true, false] => GameResult::WhiteWins,
                [false, true] => GameResult::BlackWins,
                _ => GameResult::Open,
            };
            t.sheet.results.insert(*number, result.word().into());
            t.unsaved = true;
        }
        if !lost.is_empty() {
            self.wake_tournament(id, now);
        } else if let Some(at) = next {
            self.wake_tournament(id, at);
        }
    }

    /// A game has a result. It is written down with all that come at the same time.
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
        t.sheet.results.insert(number, result.word().into());
        t.unsaved = true;
        self.wake_tournament(id, now);
    }
}

impl Tournament {
    /// The games that wait for players who are not here, and since when: neither
    /// is counted before its own absence, nor before the other was free.
    fn waiting(&mut self, seats: &[Seat], now: Duration) -> Vec<(u64, Duration)> {
        let (open, playing) = (&self.known.open, &self.playing);
        let waits = |p: &Pairing, player: usize| {
            let other = match player {
                _ if p.white == player => p.black,
                _ if p.black == player => p.white,
                _ => return false,
            };
            seats[other] != Seat::Busy && !playing.contains_key(&p.number)
        };
        for (player, absence) in &mut self.absent {
            let kept = absence.game.filter(|(number, _)| {
                let pairing = open.get(number);
                pairing.is_some_and(|p| waits(p, *player))
            });
            absence.game = kept.or_else(|| {
                let first = open.values().find(|p| waits(p, *player))?;
                Some((first.number, now))
            });
        }
        let absent = self.absent.values();
        absent
            .filter_map(|absence| {
                let (number, since) = absence.game?;
                let pairing = open.get(&number)?;
                let others = [pairing.white, pairing.black];
                let others = others.iter().filter_map(|p| self.absent.get(p));
                let since = others.map(|a| a.since).max()?.max(since);
                Some((number, since))
            })
            .collect()
    }
}
