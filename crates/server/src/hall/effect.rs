//! What a hall wants done.

use std::net::IpAddr;
use std::sync::Arc;

use quadrille_games::Game;
use quadrille_match::referee::Ply;
use quadrille_match::store::GameEnd;
use serde::{Deserialize, Serialize};

use super::logins::Logins;
use crate::glicko::Glicko;

/// A connection, by a number that is never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnId(pub u64);

/// Where a connection comes from. The page's own socket has no address that says
/// anything about its player.
pub type Address = Option<IpAddr>;

/// Something to be done outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A line to a client, without its end.
    Send(ConnId, Arc<str>),
    /// A connection is to be closed, once what was sent is out.
    Close(ConnId),
    /// Says whether a password belongs to a hash; [`Hall::checked`] hears it.
    ///
    /// [`Hall::checked`]: super::Hall::checked
    Check {
        /// Who waits.
        conn: ConnId,
        /// What was said.
        password: String,
        /// What is kept.
        hash: String,
    },
    /// Makes a hash of a password; [`Hall::hashed`] hears it.
    ///
    /// [`Hall::hashed`]: super::Hall::hashed
    Hash {
        /// Who waits.
        conn: ConnId,
        /// What was said.
        password: String,
    },
    /// Something to be written down.
    Keep(Keep),
    /// Something for the operator's log.
    Log(Log),
    /// The hall is drained: nothing is played any more.
    Drained,
}

/// What is written down.
#[derive(Debug, Clone, PartialEq)]
pub enum Keep {
    /// A game begins.
    Start(Box<StoredGame>),
    /// A move; plies count from 1.
    Ply(u64, usize, Box<Ply>),
    /// A game has only so many plies any more.
    Takeback(u64, usize),
    /// A game is over. [`Hall::written`] hears when that is in the file.
    ///
    /// [`Hall::written`]: super::Hall::written
    End(u64, Box<GameEnd>, Vec<RatingRow>),
    /// An account, new or with another password.
    Account(AccountRow),
    /// What is known of the visits of an account, by its folded name; `None`: nothing.
    Logins(String, Option<Logins>),
    /// A name or an address that may not come in, or may again.
    Ban(String, Option<String>),
    /// The state of a match or a tournament, as JSON; `None`: it is over.
    Document(DocumentKey, Option<String>),
}

/// What a document is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKey {
    /// An arranged match.
    Arranged(u64),
    /// A tournament.
    Tournament(u64),
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountRow {
    /// Its name.
    pub name: String,
    /// Its password, as argon2 keeps it.
    pub hash: String,
}

/// A rating.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRow {
    /// Whose, folded.
    pub name: String,
    /// In which game.
    pub game: Game,
    /// What.
    pub glicko: Glicko,
}

/// Why a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Origin {
    /// Two found each other.
    Lobby,
    /// A game of an arranged match.
    Arranged {
        /// Which match.
        id: u64,
    },
    /// A game of a tournament.
    Tournament {
        /// Which tournament.
        id: u64,
        /// Which of its games.
        number: u64,
    },
}

/// A player as it stands in a game that goes on after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPlayer {
    /// Its name.
    pub name: String,
    /// Whether that is an account's.
    pub account: bool,
    /// Whether it is a person.
    pub person: bool,
    /// Whether its program knows the lobby.
    pub lobby: bool,
    /// What opens its seat again.
    pub token: String,
    /// Where it came from.
    pub address: Address,
    /// Its program.
    pub program: String,
    /// Who wrote that.
    pub author: String,
    /// At which level an engine plays.
    pub level: Option<u8>,
}

/// A game as it begins, and as it is found after a restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// From 1.
    pub number: u64,
    /// Which game.
    pub game: Game,
    /// Its rules.
    pub rules: String,
    /// The position it starts from.
    pub start: String,
    /// The clock, as `300+5`.
    pub time: String,
    /// Whether it counts.
    pub rated: bool,
    /// White and Black.
    pub players: [StoredPlayer; 2],
    /// Why it is played.
    pub origin: Origin,
    /// The moves; none when it begins.
    pub plies: Vec<Ply>,
}

/// What happened, for the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Log {
    /// In one word.
    pub what: &'static str,
    /// Whose connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<u64>,
    /// From where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// In which game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// Who, how, why.
    pub detail: String,
}
