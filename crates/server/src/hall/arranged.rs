//! Matches by two passwords, as the reference plays them (spec, section 12): a
//! client whose `id username` is one of the passwords takes that seat, all others
//! watch. Up to ten games: a named position by lot, friendly fire every second
//! time on average, 20 minutes and 15 seconds a move, colours exchanged after
//! each, ten seconds between them. Unlike there, a referee watches over it.

use std::time::Duration;

use quadrille_games::records::GameResult;
use quadrille_games::{AnyLine, Game};
use quadrille_match::referee::Ending;
use serde::{Deserialize, Serialize};

use super::about::About;
use super::effect::{ConnId, DocumentKey, Keep, Origin};
use super::table::{PlayerId, Setup};
use super::{Hall, Timer, seconds};
use crate::message::{Name, Time, ToClient};

/// Letters of a password, as in the reference.
const PASSWORD: usize = 6;
/// Games of a match, and the most that an operator may ask for.
pub(super) const GAMES: u32 = 10;
pub(super) const MOST_GAMES: u32 = 100;

/// What is kept of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) passwords: [String; 2],
    /// What others see.
    pub(super) names: [String; 2],
    pub(super) games: u32,
    pub(super) time: String,
    pub(super) played: u32,
    /// Half points.
    pub(super) score: [u32; 2],
}

/// A match.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) plan: Plan,
    pub(super) players: [Option<PlayerId>; 2],
    /// The game that is played.
    pub(super) game: Option<u64>,
    /// Not before.
    pub(super) next: Duration,
}

impl Hall {
    /// Arranges a match; gives back its number.
    pub(super) fn arrange(&mut self, names: [Name; 2], games: u32, time: Time) -> u64 {
        let id = self.fresh();
        let passwords = [self.secret(PASSWORD), self.secret(PASSWORD)];
        let plan = Plan {
            passwords,
            names: names.map(|name| name.to_string()),
            games,
            time: time.to_string(),
            played: 0,
            score: [0; 2],
        };
        self.arranged.insert(
            id,
            Match {
                plan,
                players: [None; 2],
                game: None,
                next: Duration::ZERO,
            },
        );
        self.keep_match(id);
        id
    }

    fn keep_match(&mut self, id: u64) {
        let text = self
            .arranged
            .get(&id)
            .map(|m| serde_json::to_string(&m.plan));
        // Texts and numbers always have a form in JSON.
        let text = text.and_then(Result::ok);
        self.keep(Keep::Document(DocumentKey::Arranged(id), text));
    }

    /// Gives a client whose username is a password its seat.
    pub(super) fn seat_arranged(&mut self, conn: ConnId, about: &About, now: Duration) -> bool {
        let Some(word) = &about.username else {
            return false;
        };
        let found = self.arranged.iter().find_map(|(id, m)| {
            let seat = m.plan.passwords.iter().position(|known| known == word)?;
            Some((*id, seat, m.players[seat], m.plan.names[seat].clone()))
        });
        let Some((id, seat, player, name)) = found else {
            return false;
        };
        // Whoever has the password has the seat, also after a lost connection.
        if let Some(player) = player.filter(|player| self.players.contains_key(player)) {
            self.come_back(player, conn, now);
            return true;
        }
        if self.turn_banned(conn, &name.to_ascii_lowercase()) {
            return true;
        }
        let name = Name::made_of(&name).map(|name| self.free_name(&name));
        let Some(name) = name else {
            return false;
        };
        let player = self.admit(conn, name, false, now);
        if let Some(known) = self.players.get_mut(&player) {
            (known.arranged, known.waiting) = (Some(id), None);
        }
        if let Some(m) = self.arranged.get_mut(&id) {
            m.players[seat] = Some(player);
        }
        self.arrange_next(id, now);
        // The first to come sees what is played until the other is there.
        if self.players.get(&player).is_some_and(|p| p.game.is_none()) {
            self.watch_newest(conn, now);
        }
        true
    }

    pub(super) fn unseat_arranged(&mut self, id: u64, player: PlayerId) {
        if let Some(m) = self.arranged.get_mut(&id) {
            for seat in &mut m.players {
                *seat = seat.filter(|known| *known != player);
            }
        }
    }

    /// The next game of a match, if both are there and it is time.
    pub(super) fn arrange_next(&mut self, id: u64, now: Duration) {
        let Some(m) = self.arranged.get(&id) else {
            return;
        };
        let ([Some(first), Some(second)], None) = (m.players, m.game) else {
            return;
        };
        let here = |player| self.conn_of(player).is_some();
        if now < m.next || !here(first) || !here(second) || self.draining {
            return;
        }
        let swapped = m.plan.played % 2 == 1;
        let Ok(time) = m.plan.time.parse() else {
            return;
        };
        let Some(line) = self.draw_position([first, second]) else {
            let note = "there is no position that both programs can play";
            for player in [first, second] {
                self.to(player, &ToClient::ServerError(note.into()));
            }
            return;
        };
        let players = if swapped {
            [second, first]
        } else {
            [first, second]
        };
        let Some(names) = self.names_of(players) else {
            return;
        };
        let setup = Setup {
            players,
            names,
            levels: [None; 2],
            line,
            time,
            rated: false,
            origin: Origin::Arranged { id },
        };
        let game = self.start(setup, now);
        if let Some(m) = self.arranged.get_mut(&id) {
            m.game = Some(game);
        }
    }

    /// A named position by lot that both can play, with friendly fire or without;
    /// that of chess for programs that know nothing else.
    fn draw_position(&mut self, players: [PlayerId; 2]) -> Option<AnyLine> {
        let friendly = self.random.below(2) == 0;
        let rules = if friendly { "ff" } else { "" };
        let presets = AnyLine::presets(Game::Liberty, rules).unwrap_or_default();
        let liberty = presets
            .iter()
            .filter(|(name, _)| *name != "Endgame")
            .filter_map(|(_, text)| AnyLine::new(Game::Liberty, rules, text).ok());
        let can = |line: &AnyLine| {
            let able = |id: &PlayerId| self.players.get(id).is_some_and(|p| p.about.can_play(line));
            players.iter().all(able)
        };
        let mut lines: Vec<AnyLine> = liberty.filter(can).collect();
        if lines.is_empty() {
            lines.extend(Some(AnyLine::start(Game::Chess)).filter(can));
        }
        let place = self.random.index(lines.len());
        (place < lines.len()).then(|| lines.swap_remove(place))
    }

    /// A game of a match is over.
    pub(super) fn arranged_over(&mut self, id: u64, ending: &Ending, now: Duration) {
        let next = now + seconds(self.settings.pause);
        let Some(m) = self.arranged.get_mut(&id) else {
            return;
        };
        (m.game, m.next) = (None, next);
        let [first, second] = if m.plan.played % 2 == 1 {
            [1, 0]
        } else {
            [0, 1]
        };
        match ending.result {
            GameResult::WhiteWins => m.plan.score[first] += 2,
            GameResult::BlackWins => m.plan.score[second] += 2,
            GameResult::Draw => {
                m.plan.score[first] += 1;
                m.plan.score[second] += 1;
            }
            // Called off or interrupted: it is played again.
            GameResult::Open => {}
        }
        m.plan.played += u32::from(ending.result != GameResult::Open);
        if m.plan.played < m.plan.games {
            self.keep_match(id);
            return self.wake(next, Timer::Arranged(id));
        }
        let Some(m) = self.arranged.remove(&id) else {
            return;
        };
        self.keep(Keep::Document(DocumentKey::Arranged(id), None));
        let half = |points: u32| f64::from(points) / 2.0;
        let note = format!(
            "match over: {} {} - {} {}",
            m.plan.names[0],
            half(m.plan.score[0]),
            half(m.plan.score[1]),
            m.plan.names[1]
        );
        self.log("match", None, None, note.clone());
        for player in m.players.into_iter().flatten() {
            if let Some(known) = self.players.get_mut(&player) {
                known.arranged = None;
            }
            self.to(player, &ToClient::Note(note.clone()));
        }
    }
}
