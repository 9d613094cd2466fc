//! Everything that happens between players, without input or output.
//!
//! A [`Hall`] is fed what clients say, which connections come and go and what time
//! it is, and answers with [`Effect`]s: lines to clients, things to write down,
//! passwords to check. It has no sockets, files, threads or clock, so that whole
//! conversations are tested in microseconds with a clock of the test's own.
//!
//! | file | what is in it |
//! |---|---|
//! | `about` | who a client says it is, and which positions it can play |
//! | `door` | the handshake, names, coming back |
//! | `accounts` | passwords, registering, tokens |
//! | `checks` | passwords that wait to be hashed |
//! | `logins` | where owners of accounts come from, and wrong passwords |
//! | `lobby` | seeks, challenges, private games, the pool, watching |
//! | `lists` | what a client may have listed |
//! | `news` | what is told to those who follow a list |
//! | `play` | a game from its start to its result |
//! | `end` | how it ends, and who is told |
//! | `offers` | resign, draw, take-back, rematch, abort |
//! | `arranged` | matches by two passwords, as the reference plays them |
//! | `tournaments` | everybody against everybody, or Swiss |
//! | `deal` | which games of a tournament begin, and who did not come |
//! | `operate` | what the operator may do |
//! | `table` | a game as data |
//! | `work` | what a line may cost, and who has to wait |

mod about;
mod accounts;
mod arranged;
mod checks;
mod deal;
mod door;
mod effect;
mod end;
mod lists;
mod lobby;
mod logins;
mod news;
mod offers;
mod operate;
mod play;
mod resume;
mod settings;
mod table;
mod tournaments;
mod work;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::Game;
use quadrille_games::random::SplitMix64;

use crate::glicko::Glicko;
use crate::message::{Name, Tell, ToClient, ToServer};
use crate::meter::{Meter, Meters};
use about::About;
pub use checks::HASHING;
pub use effect::{
    AccountRow, Address, ConnId, DocumentKey, Effect, Keep, Log, Origin, RatingRow, StoredGame,
    StoredPlayer,
};
pub use logins::Logins;
pub use operate::{Order, Refused};
pub use resume::Kept;
pub use settings::Settings;
pub(crate) use settings::seconds;
use table::{PlayerId, Table};

/// Where words come from that others must not guess.
pub type Secrets = Box<dyn FnMut() -> u64 + Send>;

/// A connection.
struct Client {
    address: Address,
    about: About,
    stage: ClientStage,
    lines: Meter,
    infos: Meter,
    /// The game it watches.
    watching: Option<u64>,
    /// Lines that wait, and when they came: while its password is checked, or while
    /// what it asks for is too much.
    pending: VecDeque<(String, Duration)>,
    /// Its lines wait until a timer comes.
    held: bool,
    /// Its lines wait until then.
    paused: Duration,
    /// Its lines count as of then at the earliest: until then it waits for what it has
    /// done itself, and on its own time.
    counts_from: Duration,
    /// The name it wants an account for, while the password is hashed.
    registering: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClientStage {
    /// It has not said `uciok`.
    Greeting,
    /// Its password is being checked.
    Checking,
    /// It is in, as this player.
    In(PlayerId),
}

/// Someone who is in, or has a seat to come back to.
struct Player {
    name: Name,
    account: bool,
    about: About,
    token: String,
    address: Address,
    conn: Option<ConnId>,
    game: Option<u64>,
    /// The last game, for a rematch.
    last: Option<u64>,
    ready: bool,
    /// `bestmove`s of searches that were stopped.
    owed: u32,
    /// It is ready but for those, which are waited for until then.
    late: Option<Duration>,
    /// What it is told before it moves.
    nodes: Option<u64>,
    /// Whether it was told to play Chess960, and not yet otherwise.
    chess960: bool,
    /// Its seat in an arranged match.
    arranged: Option<u64>,
    /// Since when it waits to be paired, where people are.
    waiting: Option<Duration>,
}

/// A moment at which something may be due. What it is about is looked at again
/// when it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    Handshake(ConnId),
    Ready(u64),
    Late(PlayerId),
    Flag(u64),
    Grace(u64),
    Arranged(u64),
    Tournament(u64),
    Auto,
    News,
    Forget(u64),
    Resume(ConnId),
}

/// The state of the server.
pub struct Hall {
    settings: Settings,
    program: String,
    secrets: Secrets,
    random: SplitMix64,
    clients: BTreeMap<ConnId, Client>,
    /// The clients of each address.
    addresses: HashMap<std::net::IpAddr, BTreeSet<ConnId>>,
    players: BTreeMap<PlayerId, Player>,
    names: HashMap<String, PlayerId>,
    tables: BTreeMap<u64, Table>,
    /// Who follows a list.
    followers: BTreeMap<crate::message::List, BTreeSet<ConnId>>,
    news: news::News,
    seeks: BTreeMap<u64, lobby::Seek>,
    arranged: BTreeMap<u64, arranged::Match>,
    tournaments: BTreeMap<u64, tournaments::Tournament>,
    accounts: HashMap<String, AccountRow>,
    logins: HashMap<String, Logins>,
    /// Addresses that owners of accounts have come from.
    known: HashSet<std::net::IpAddr>,
    /// Wrong passwords of accounts, by unknown addresses.
    tries: HashMap<String, logins::Tries>,
    /// Whose password is being checked for whom, and where that is from. A client may be
    /// gone before the answer comes.
    checking: HashMap<ConnId, checks::Checking>,
    /// Passwords that wait for that.
    checks: checks::Checks,
    ratings: HashMap<(String, Game), Glicko>,
    /// The same by strength, so that the best are found without looking at all.
    ladders: HashMap<Game, lists::Ladder>,
    bans: BTreeMap<String, String>,
    connects: Meters,
    passwords: Meters,
    work: Meters,
    /// What the line that is carried out has cost so far.
    spent: u64,
    /// Whether it was a legal move.
    moved: bool,
    /// Until when players may come back after a restart.
    resumed: Duration,
    timers: BinaryHeap<Reverse<(Duration, Timer)>>,
    next: u64,
    next_game: u64,
    draining: bool,
    drained: bool,
    effects: Vec<Effect>,
}

impl core::fmt::Debug for Hall {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hall")
            .field("clients", &self.clients.len())
            .field("games", &self.tables.len())
            .finish_non_exhaustive()
    }
}

impl Hall {
    /// An empty hall, with what is known from before.
    pub fn new(settings: Settings, program: &str, mut secrets: Secrets, kept: Kept) -> Self {
        let random = SplitMix64::new(secrets());
        let mut hall = Self {
            program: program.into(),
            secrets,
            random,
            clients: BTreeMap::new(),
            addresses: HashMap::new(),
            players: BTreeMap::new(),
            names: HashMap::new(),
            tables: BTreeMap::new(),
            followers: BTreeMap::new(),
            news: news::News::default(),
            seeks: BTreeMap::new(),
            arranged: BTreeMap::new(),
            tournaments: BTreeMap::new(),
            accounts: HashMap::new(),
            logins: HashMap::new(),
            known: HashSet::new(),
            tries: HashMap::new(),
            checking: HashMap::new(),
            checks: checks::Checks::default(),
            ratings: HashMap::new(),
            ladders: HashMap::new(),
            bans: BTreeMap::new(),
            connects: Meters::new(settings.connects),
            passwords: Meters::new(settings.passwords),
            work: Meters::new(settings.work),
            spent: 0,
            moved: false,
            settings,
            resumed: Duration::ZERO,
            timers: BinaryHeap::new(),
            next: 1,
            next_game: 1,
            draining: false,
            drained: false,
            effects: Vec::new(),
        };
        hall.take_up(kept);
        hall
    }

    /// What is to be done since this was last asked.
    pub fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// When [`tick`](Self::tick) is to be called next.
    pub fn deadline(&self) -> Option<Duration> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    /// Games that are being played.
    pub fn running(&self) -> usize {
        self.tables.values().filter(|table| table.running()).count()
    }

    /// The time has come for whatever is due.
    pub fn tick(&mut self, now: Duration) {
        while let Some(Reverse((at, _))) = self.timers.peek()
            && *at <= now
            && let Some(Reverse((_, timer))) = self.timers.pop()
        {
            match timer {
                Timer::Handshake(conn) => self.handshake_due(conn),
                Timer::Ready(game) => self.ready_due(game, now),
                Timer::Late(player) => self.late_due(player, now),
                Timer::Flag(game) => self.flag_due(game, now),
                Timer::Grace(game) => self.grace_due(game, now),
                Timer::Arranged(id) => self.arrange_next(id, now),
                Timer::Tournament(id) => self.deal(id, now),
                Timer::Auto => self.pair_waiting(now),
                Timer::News => self.send_news(now),
                Timer::Forget(game) => self.forget_table(game),
                Timer::Resume(conn) => self.resume(conn, now),
            }
        }
        self.look_drained();
    }

    /// A line that came at one moment is looked at now. It counts as of when it came;
    /// what follows from it, as the clock of the other side, begins now.
    pub fn line(&mut self, conn: ConnId, text: &str, at: Duration, now: Duration) {
        let said = ToServer::parse(text);
        let asked = self.is_asked_for(conn, &said);
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        if let ToServer::Info(_) = said {
            if !client.infos.take(at) || client.held {
                return;
            }
        } else if !asked && !client.lines.take(at) {
            return self.cut_off(conn, "too many lines at once", now);
        }
        if said == ToServer::Quit {
            self.leave(conn, "it said quit", now);
        } else if self.must_wait(conn, &said, now) {
            self.put_off(conn, text, at, now);
        } else {
            let at = self.counted(conn, at);
            self.obey(conn, said, at, now);
        }
        self.look_drained();
    }

    /// Does what a line says.
    fn obey(&mut self, conn: ConnId, said: ToServer, at: Duration, now: Duration) {
        let Some(stage) = self.clients.get(&conn).map(|client| client.stage) else {
            return;
        };
        match (stage, said) {
            (_, ToServer::Quit) => self.leave(conn, "it said quit", now),
            (ClientStage::Greeting, said) => self.greeting(conn, said, now),
            (ClientStage::In(player), ToServer::BestMove(text)) => {
                self.best_move(player, &text, at, now);
            }
            (ClientStage::In(player), ToServer::ReadyOk) => self.ready(player, now),
            (ClientStage::In(player), ToServer::Info(text)) => self.thought(player, &text, now),
            (ClientStage::In(player), ToServer::Lobby(ask)) => self.ask(conn, player, ask, now),
            (ClientStage::In(_), ToServer::Wrong(wrong)) => self.refuse(conn, &wrong.to_string()),
            // The seed wants unknown commands and those out of place ignored.
            (ClientStage::Checking | ClientStage::In(_), _) => {}
        }
        self.charge(conn, now);
    }

    /// Whether a line answers what we asked. Those are as many as we asked for, so
    /// they are no flood, however fast they come. Moves of people are: an illegal
    /// one is asked for again at once.
    fn is_asked_for(&self, conn: ConnId, said: &ToServer) -> bool {
        let Some(client) = self.clients.get(&conn) else {
            return false;
        };
        let player = match client.stage {
            ClientStage::In(player) => player,
            ClientStage::Greeting => {
                return matches!(said, ToServer::Option(_)) && client.about.wants_options();
            }
            ClientStage::Checking => return false,
        };
        let Some(known) = self.players.get(&player) else {
            return false;
        };
        let table = known.game.and_then(|game| self.tables.get(&game));
        match said {
            ToServer::ReadyOk => table.is_some() && !known.ready && known.late.is_none(),
            ToServer::BestMove(_) if known.about.is_person() => false,
            ToServer::BestMove(_) => {
                let moves = |t: &Table| t.asked && t.side_of(player) == Some(t.turn_of());
                known.owed > 0 || table.is_some_and(moves)
            }
            _ => false,
        }
    }

    /// A line was longer than any honest one.
    pub fn too_long(&mut self, conn: ConnId, now: Duration) {
        self.cut_off(conn, "your line was too long", now);
        self.look_drained();
    }

    /// A connection is gone.
    pub fn closed(&mut self, conn: ConnId, now: Duration) {
        self.gone(conn, "the connection was lost", now);
        self.look_drained();
    }

    /// The end of a game is in the file.
    pub fn written(&mut self, game: u64, now: Duration) {
        self.announce(game, now);
        self.look_drained();
    }

    /// Something for a client that is not understood or not possible, in the
    /// form that it can read.
    fn refuse(&mut self, conn: ConnId, words: &str) {
        let lobby = self.clients.get(&conn).is_some_and(|c| c.about.lobby);
        let line = if lobby {
            ToClient::Lobby(Tell::Error(words.into()))
        } else {
            ToClient::ClientError(words.into())
        };
        self.send(conn, &line);
    }

    fn send(&mut self, conn: ConnId, line: &ToClient) {
        self.post(conn, line.to_string().into());
    }

    fn post(&mut self, conn: ConnId, line: Arc<str>) {
        if self.clients.contains_key(&conn) {
            self.effects.push(Effect::Send(conn, line));
        }
    }

    /// To a player, if it is there.
    fn to(&mut self, player: PlayerId, line: &ToClient) {
        if let Some(conn) = self.conn_of(player) {
            self.send(conn, line);
        }
    }

    /// A `lobby` line to a player, if it is there and knows such lines.
    fn tell(&mut self, player: PlayerId, tell: Tell) {
        if self.players.get(&player).is_some_and(|p| p.about.lobby) {
            self.to(player, &ToClient::Lobby(tell));
        }
    }

    fn conn_of(&self, player: PlayerId) -> Option<ConnId> {
        self.players.get(&player)?.conn
    }

    fn keep(&mut self, keep: Keep) {
        self.effects.push(Effect::Keep(keep));
    }

    fn wake(&mut self, at: Duration, timer: Timer) {
        self.timers.push(Reverse((at, timer)));
    }

    fn log(&mut self, what: &'static str, conn: Option<ConnId>, game: Option<u64>, detail: String) {
        let address = conn
            .and_then(|conn| self.clients.get(&conn)?.address)
            .map(|address| address.to_string());
        self.effects.push(Effect::Log(Log {
            what,
            connection: conn.map(|conn| conn.0),
            address,
            game,
            detail,
        }));
    }

    /// A number that was never given.
    fn fresh(&mut self) -> u64 {
        let id = self.next;
        self.next += 1;
        id
    }

    /// A word that cannot be guessed.
    fn secret(&mut self, length: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let mut word = String::new();
        while word.len() < length {
            let mut bits = (self.secrets)();
            // 12 letters of 5 bits: the alphabet has 32.
            for _ in 0..12.min(length - word.len()) {
                word.push(LETTERS[(bits % 32) as usize] as char);
                bits /= 32;
            }
        }
        word
    }

    fn names_of(&self, players: [PlayerId; 2]) -> Option<[Name; 2]> {
        let name = |id: PlayerId| self.players.get(&id).map(|p| p.name.clone());
        let [white, black] = players.map(name);
        Some([white?, black?])
    }

    fn rating(&self, name: &Name, game: Game) -> Glicko {
        let key = (name.folded(), game);
        self.ratings.get(&key).copied().unwrap_or_default()
    }

    fn look_drained(&mut self) {
        if !self.draining || self.drained {
            return;
        }
        let open = |t: &Table| !matches!(t.stage, table::Stage::Over);
        if !self.tables.values().any(open) {
            self.drained = true;
            self.effects.push(Effect::Drained);
        }
    }
}
