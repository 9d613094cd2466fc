//! What an operator decides.

use std::time::Duration;

use quadrille_games::Game;
use serde::Deserialize;

use crate::message::Time;
use crate::meter::Rate;

/// What an operator decides, with what is right for a small server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The games that are played here.
    pub games: Vec<Game>,
    /// Whether players may talk at the board.
    pub chat: bool,
    /// Whether a guest may make its name an account.
    pub register: bool,
    /// Pairs people whose programs know no lobby with each other, or with an
    /// engine, at this time control.
    #[serde(deserialize_with = "some_time")]
    pub auto: Option<Time>,
    /// Seconds for the handshake.
    pub handshake: u64,
    /// Seconds until a client must have answered `isready`.
    pub ready: u64,
    /// Seconds in which a lost connection may come back.
    pub grace: u64,
    /// Seconds in which players may come back after a restart.
    pub restart_grace: u64,
    /// Milliseconds over the clock that are no loss yet.
    pub margin: u64,
    /// Seconds between the games of an arranged match.
    pub pause: u64,
    /// Connections in all.
    pub connections: usize,
    /// Connections of one address.
    pub per_address: usize,
    /// Unfinished handshakes of one address.
    pub handshakes: usize,
    /// How often an address may connect.
    pub connects: Rate,
    /// How often an address may try passwords.
    pub passwords: Rate,
    /// Lines of a client, without `info`; who sends more is cut off.
    pub lines: Rate,
    /// `info` lines of a client; more are thrown away.
    pub infos: Rate,
    /// Work that is done for the clients of an address, in squares of boards that are
    /// looked at; lines that cost more wait.
    pub work: Rate,
    /// Squares of the largest board that may be asked for.
    pub squares: usize,
    /// The same for guests.
    pub guest_squares: usize,
    /// Open seeks and challenges of one player.
    pub seeks: usize,
    /// Spectators of one game.
    pub watchers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            games: Game::ALL.to_vec(),
            chat: false,
            register: false,
            auto: None,
            handshake: 10,
            ready: 10,
            grace: 60,
            restart_grace: 300,
            margin: 50,
            pause: 10,
            connections: 4000,
            per_address: 32,
            handshakes: 8,
            connects: Rate::new(40, 2),
            passwords: Rate::new(10, 1),
            lines: Rate::new(60, 10),
            infos: Rate::new(200, 50),
            work: Rate::new(10_000_000, 5_000_000),
            squares: 1 << 16,
            guest_squares: 1024,
            seeks: 5,
            watchers: 500,
        }
    }
}

/// The longest time of the settings, in seconds: a year. Clocks have an end.
const LONGEST: u64 = 365 * 24 * 3600;

impl Settings {
    /// What is wrong with them, in words for the one who wrote them.
    pub fn check(&self) -> Result<(), String> {
        let times = [
            ("handshake", self.handshake, LONGEST),
            ("ready", self.ready, LONGEST),
            ("grace", self.grace, LONGEST),
            ("restart-grace", self.restart_grace, LONGEST),
            ("pause", self.pause, LONGEST),
            ("margin", self.margin, LONGEST * 1000),
        ];
        match times.into_iter().find(|(_, n, most)| n > most) {
            Some((name, n, most)) => Err(format!("{name} = {n}: at most {most} (a year)")),
            None => Ok(()),
        }
    }

    /// Over the clock, and no loss yet.
    pub(crate) fn margin(&self) -> Duration {
        Duration::from_millis(self.margin.min(LONGEST * 1000))
    }
}

/// A number of seconds of the settings.
pub(crate) fn seconds(n: u64) -> Duration {
    Duration::from_secs(n.min(LONGEST))
}

fn some_time<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Time>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}
