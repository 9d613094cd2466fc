//! What the operator may do.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use quadrille_games::Game;
use quadrille_match::referee::{Ending, Fault};
use quadrille_net::sanitize::cut;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::arranged::{GAMES, MOST_GAMES};
use super::effect::{Address, ConnId, Effect, Keep};
use super::table::PlayerId;
use super::tournaments::Sheet;
use super::{ClientStage, Hall};
use crate::connection::network;
use crate::message::{Name, Time, ToClient};

/// An order of the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// How things stand.
    Status,
    /// Closes a player's connection.
    Kick {
        /// Who.
        name: String,
    },
    /// A name or an address may not come in; its game is lost.
    Ban {
        /// Which.
        what: String,
        /// Why, told to the one who is banned.
        why: String,
    },
    /// It may again.
    Unban {
        /// Which.
        what: String,
    },
    /// Makes an account, or gives it another password.
    Account {
        /// Its name.
        name: String,
        /// The hash of its password.
        hash: String,
    },
    /// No new games; the server ends when the last is over, or at once.
    Drain {
        /// At once: games go on when the server is there again.
        now: bool,
    },
    /// Arranges a match by two passwords.
    Arrange {
        /// What others see.
        names: [String; 2],
        /// How many games.
        games: Option<u32>,
        /// The clock.
        time: Option<String>,
    },
    /// Opens a tournament.
    Tournament {
        /// What it is called.
        title: String,
        /// Which game.
        game: Game,
        /// Its rules.
        rules: String,
        /// The position that games begin with.
        position: String,
        /// The clock.
        time: String,
        /// Swiss; else everybody against everybody.
        swiss: bool,
        /// How many rounds; of everybody against everybody, how often.
        rounds: u32,
        /// Whether it counts for ratings.
        rated: bool,
    },
    /// Begins a tournament.
    Begin {
        /// Which.
        id: u64,
        /// With all engines that are free.
        engines: bool,
    },
}

/// An order that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Hall {
    /// Carries out an order. The answer is what is known about it.
    pub fn operate(&mut self, order: Order, now: Duration) -> Result<Value, Refused> {
        let answer = match order {
            Order::Status => Ok(self.status()),
            Order::Kick { name } => self.kick(&name, now),
            Order::Ban { what, why } => self.ban(&what, &why, now),
            Order::Unban { what } => {
                let what = banned(&what);
                let known = self.bans.remove(&what).is_some();
                self.keep(Keep::Ban(what, None));
                Ok(json!({ "was-banned": known }))
            }
            Order::Account { name, hash } => self.make_account(&name, hash, now),
            Order::Drain { now: at_once } => Ok(self.drain(at_once)),
            Order::Arrange { names, games, time } => self.order_match(&names, games, time),
            Order::Tournament {
                title,
                game,
                rules,
                position,
                time,
                swiss,
                rounds,
                rated,
            } => self
                .open_tournament(Sheet {
                    title,
                    game,
                    rules,
                    position,
                    time,
                    swiss,
                    rounds,
                    rated,
                    players: Vec::new(),
                    running: false,
                    results: BTreeMap::new(),
                    seats: Vec::new(),
                })
                .map(|id| json!({ "id": id })),
            Order::Begin { id, engines } => {
                let begun = self.begin_tournament(id, engines, now);
                begun.map(|()| json!({ "id": id }))
            }
        };
        self.look_drained();
        answer.map_err(Refused)
    }

    fn status(&self) -> Value {
        let greeting = |c: &&super::Client| !matches!(c.stage, ClientStage::In(_));
        let players: Vec<Value> = (self.players.values())
            .map(|p| {
                json!({
                    "name": p.name.as_str(),
                    "person": p.about.is_person(),
                    "account": p.account,
                    "address": p.address,
                    "connected": p.conn.is_some(),
                    "game": p.game,
                    "program": p.about.program,
                })
            })
            .collect();
        let games: Vec<Value> = (self.tables.values().filter(|t| t.running()))
            .map(|t| {
                json!({
                    "id": t.id,
                    "white": t.names[0].as_str(),
                    "black": t.names[1].as_str(),
                    "game": t.line.game(),
                    "time": t.time.to_string(),
                    "plies": t.plies(),
                    "watchers": t.watchers.len(),
                })
            })
            .collect();
        json!({
            "connections": self.clients.len(),
            "handshakes": self.clients.values().filter(greeting).count(),
            "draining": self.draining,
            "seeks": self.seeks.len(),
            "players": players,
            "games": games,
            "matches": self.arranged.len(),
            "tournaments": self.tournaments.len(),
            "bans": self.bans,
            "timers": self.timers.len(),
        })
    }

    fn kick(&mut self, name: &str, now: Duration) -> Result<Value, String> {
        let player = self.names.get(&name.to_ascii_lowercase()).copied();
        let conn = player.and_then(|player| self.conn_of(player));
        let conn = conn.ok_or_else(|| format!("{name} is not here"))?;
        self.cut_off(conn, "the operator closed your connection", now);
        Ok(json!({ "kicked": name }))
    }

    fn ban(&mut self, what: &str, why: &str, now: Duration) -> Result<Value, String> {
        let address: Option<IpAddr> = what.parse().ok();
        if address.is_none() && what.parse::<Name>().is_err() {
            let what = cut(what, 40);
            return Err(format!(
                "{what:?} cannot be banned: right would be the name of a player, or one address"
            ));
        }
        let what = banned(what);
        self.bans.insert(what.clone(), why.into());
        self.keep(Keep::Ban(what.clone(), Some(why.into())));
        let meant = |name: &Name, address: Address| {
            name.folded() == what || address.is_some_and(|a| a.to_string() == what)
        };
        // Also those who are away: they must not come back to their game.
        let players: Vec<PlayerId> = (self.players.iter())
            .filter(|(_, p)| meant(&p.name, p.address))
            .map(|(id, _)| *id)
            .collect();
        let conns: Vec<ConnId> = (self.clients.iter())
            .filter(|(_, client)| match client.stage {
                ClientStage::In(player) => players.contains(&player),
                _ => client.address.is_some_and(|a| a.to_string() == what),
            })
            .map(|(conn, _)| *conn)
            .collect();
        for player in players {
            if let Some(game) = self.players.get(&player).and_then(|p| p.game)
                && let Some(side) = self.tables.get(&game).and_then(|t| t.side_of(player))
            {
                let fault = Fault::Disconnect("banned".into());
                self.finish(game, &Ending::by_fault(side, fault), now);
            }
            self.drop_seeks(player);
        }
        for conn in &conns {
            self.cut_off(*conn, &format!("you are banned: {why}"), now);
        }
        Ok(json!({ "closed": conns.len() }))
    }

    fn drain(&mut self, at_once: bool) -> Value {
        self.draining = true;
        for id in self.seeks.keys().copied().collect::<Vec<_>>() {
            self.drop_seek(id);
        }
        let note = "the server is about to be restarted: no new games";
        for conn in self.clients.keys().copied().collect::<Vec<_>>() {
            self.send(conn, &ToClient::Note(note.into()));
        }
        if at_once && !self.drained {
            self.drained = true;
            self.effects.push(Effect::Drained);
        }
        json!({ "running": self.running() })
    }

    fn order_match(
        &mut self,
        names: &[String; 2],
        games: Option<u32>,
        time: Option<String>,
    ) -> Result<Value, String> {
        let name = |name: &String| name.parse::<Name>().map_err(|error| error.to_string());
        let (first, second) = (name(&names[0])?, name(&names[1])?);
        if first.folded() == second.folded() {
            return Err("the players of a match have different names".into());
        }
        let time = match time {
            Some(time) => time.parse().map_err(|error| format!("{error}"))?,
            None => Time::seconds(20 * 60, 15),
        };
        let games = games.unwrap_or(GAMES);
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(format!("{games} games: a match has 1 to {MOST_GAMES}"));
        }
        let id = self.arrange([first, second], games, time);
        let passwords = self.arranged.get(&id).map(|m| m.plan.passwords.clone());
        Ok(json!({ "id": id, "passwords": passwords, "names": names }))
    }
}

/// How a ban is kept: a folded name, or an address.
fn banned(what: &str) -> String {
    match what.parse() {
        Ok(address) => network(address).to_string(),
        Err(_) => what.to_ascii_lowercase(),
    }
}
