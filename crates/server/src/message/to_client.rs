//! What the server says.

use core::fmt;
use std::time::Duration;

use quadrille_games::Game;
use quadrille_games::records::GameResult;

use super::words::{self, Words};
use super::{List, Name, Offer, Rating, Time, Wish, word_list};

/// A line to a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToClient {
    /// `uci`: say who you are.
    Uci,
    /// `isready`, to be answered with `readyok`.
    IsReady,
    /// `ucinewgame`: what comes next is another game.
    NewGame,
    /// `setoption name ... value ...`, to engines of the pool.
    SetOption {
        /// Its name, in the engine's spelling.
        name: String,
        /// Its value; a button has none.
        value: Option<String>,
    },
    /// `position startpos|fen ... [moves ...]`.
    Position {
        /// Where the game began; `startpos` is the usual position of chess.
        start: String,
        /// The moves since.
        moves: Vec<String>,
    },
    /// `go wtime ... [nodes ...]`: it is your move.
    Go {
        /// How the clocks stand.
        clocks: Clocks,
        /// At most so many, to an engine of the pool that shall be weak.
        nodes: Option<u64>,
        /// What other servers of ULCI may ask for.
        limits: GoLimits,
    },
    /// `clock wtime ...`: how the clocks stand, for those not to move.
    Clock(Clocks),
    /// `stop`: the move is no longer wanted; the game is over or changed.
    Stop,
    /// `info string ...`.
    Note(String),
    /// `info clienterror ...`: what you said is wrong.
    ClientError(String),
    /// `info servererror ...`: it is our fault.
    ServerError(String),
    /// Other `info ...`: what a player thinks, for those who watch.
    Thought(String),
    /// `quit`: the connection is about to be closed.
    Quit,
    /// `lobby ...`.
    Lobby(Tell),
    /// Anything else.
    Unknown(String),
}

/// The clocks of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// What White has left.
    pub white: Duration,
    /// What Black has left.
    pub black: Duration,
    /// What White gets for each move.
    pub white_increment: Duration,
    /// What Black gets for each move.
    pub black_increment: Duration,
}

/// Limits of a search besides clocks and nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// `movetime`.
    pub movetime: Option<Duration>,
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `mate`, in moves.
    pub mate: Option<u32>,
    /// `infinite`: until `stop`.
    pub infinite: bool,
    /// `searchmoves`: only these. The reference says `moves` for it.
    pub searchmoves: Vec<String>,
}

impl GoLimits {
    /// Reads a word of `go` and its value, if it is one of these.
    fn read(&mut self, key: &str, words: &mut Words<'_>) {
        let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
        match key {
            "movetime" => self.movetime = number().map(|ms| Duration::from_millis(ms.into())),
            "depth" => self.depth = number(),
            "mate" => self.mate = number(),
            "infinite" => self.infinite = true,
            "searchmoves" | "moves" => {
                self.searchmoves = core::iter::from_fn(|| words.next())
                    .map(Into::into)
                    .collect();
            }
            _ => {}
        }
    }
}

impl fmt::Display for GoLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(time) = self.movetime {
            write!(f, " movetime {}", time.as_millis())?;
        }
        for (key, value) in [("depth", self.depth), ("mate", self.mate)] {
            if let Some(value) = value {
                write!(f, " {key} {value}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // They take the rest of the line.
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        let mut moves = self.searchmoves.iter();
        moves.try_for_each(|text| write!(f, " {}", words::joined(text)))
    }
}

/// `lobby` lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tell {
    /// You are in.
    Welcome(Welcome),
    /// Someone looks for a game.
    Seek(SeekView),
    /// No longer.
    SeekGone(u64),
    /// Someone wants to play with you.
    Challenge(SeekView),
    /// Your challenge is not taken.
    Declined {
        /// Which.
        id: u64,
        /// By whom.
        by: Name,
    },
    /// A game begins, or you come back to one or begin to watch it.
    Start(StartView),
    /// One player offers something to the other.
    Offer {
        /// In which game.
        id: u64,
        /// What.
        offer: Offer,
        /// Who.
        by: Name,
    },
    /// An offer no longer stands.
    OfferGone {
        /// In which game.
        id: u64,
        /// What.
        offer: Offer,
    },
    /// Moves were taken back.
    Takeback {
        /// In which game.
        id: u64,
        /// How many plies the game has now.
        plies: usize,
    },
    /// A player's connection is lost, or back.
    Away {
        /// In which game.
        id: u64,
        /// Who.
        name: Name,
        /// How long it may take to come back; `None`: it is back.
        grace: Option<Duration>,
    },
    /// A game is over.
    End {
        /// Which.
        id: u64,
        /// How.
        result: GameResult,
        /// Why.
        reason: String,
    },
    /// A rating has changed.
    Rating {
        /// In which game.
        game: Game,
        /// Whose.
        name: Name,
        /// Before.
        old: Rating,
        /// After.
        new: Rating,
    },
    /// Someone is here, or stands in the list of ratings.
    Player(PlayerView),
    /// A game is being played.
    Game(GameView),
    /// The list is over.
    ListEnd(List),
    /// What you asked cannot be done.
    Error(String),
    /// Someone said something at the board.
    Said {
        /// Who.
        name: Name,
        /// At which board.
        id: u64,
        /// What.
        text: String,
    },
    /// How a tournament stands.
    Tournament(TournamentView),
    /// A player's place in a tournament.
    Standing(StandingView),
    /// Anything else; a newer server may say more.
    Other(String),
}

/// What a client is told when it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Welcome {
    /// Its name here.
    pub name: Name,
    /// Whether that is an account's.
    pub account: bool,
    /// What it says as `id token` to be known again after a lost connection.
    pub token: String,
    /// Whether players may talk.
    pub chat: bool,
    /// Whether a guest may make its name an account.
    pub register: bool,
    /// The games one may play here.
    pub games: Vec<Game>,
    /// The server's program.
    pub program: String,
}

/// A seek or a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeekView {
    /// What it is accepted by.
    pub id: u64,
    /// Whose.
    pub by: Name,
    /// How strong.
    pub rating: Rating,
    /// What.
    pub wish: Wish,
}

word_list! {
    /// What a client is in a game.
    You:
    /// White.
    White = "white",
    /// Black.
    Black = "black",
    /// A spectator.
    Watching = "watching",
}

/// A game that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartView {
    /// Its number.
    pub id: u64,
    /// White and Black.
    pub players: [Name; 2],
    /// Their ratings.
    pub ratings: [Rating; 2],
    /// Which game.
    pub game: Game,
    /// Its rules; empty are the usual ones.
    pub rules: String,
    /// The clock.
    pub time: Time,
    /// Whether it counts.
    pub rated: bool,
    /// Who you are in it.
    pub you: You,
}

/// Someone who is here, or a place in the list of ratings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerView {
    /// Who.
    pub name: Name,
    /// Whether it is a person.
    pub person: bool,
    /// Whether it has an account.
    pub account: bool,
    /// How strong, and in which game; the games are those it plays.
    pub ratings: Vec<(Game, Rating)>,
    /// The game it plays in.
    pub playing: Option<u64>,
    /// The program.
    pub program: String,
}

/// A game that is being played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameView {
    /// Its number.
    pub id: u64,
    /// White and Black.
    pub players: [Name; 2],
    /// Which game.
    pub game: Game,
    /// The clock.
    pub time: Time,
    /// Whether it counts.
    pub rated: bool,
    /// How far it has come.
    pub plies: usize,
}

word_list! {
    /// How a tournament stands.
    TournamentState:
    /// Players may enter.
    Open = "open",
    /// Games are played.
    Running = "running",
    /// It is decided.
    Over = "over",
}

/// A tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentView {
    /// Its number.
    pub id: u64,
    /// How it stands.
    pub state: TournamentState,
    /// The round that is played, from 1; 0 before the first.
    pub round: u32,
    /// Rounds there are.
    pub rounds: u32,
    /// How many take part.
    pub players: usize,
    /// Which game.
    pub game: Game,
    /// The clock.
    pub time: Time,
    /// What it is called.
    pub title: String,
}

/// A place in a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingView {
    /// Which tournament.
    pub id: u64,
    /// From 1.
    pub place: usize,
    /// Who.
    pub name: Name,
    /// Points, a draw being one and a win two.
    pub half_points: u64,
}

impl ToClient {
    /// Reads a line. It never fails: what is not understood is a value too.
    ///
    /// ```
    /// use quadrille_server::message::{Tell, ToClient};
    ///
    /// let read = ToClient::parse("position startpos moves e2e4 e7e5");
    /// let ToClient::Position { start, moves } = read else { panic!() };
    /// assert_eq!((start.as_str(), moves.len()), ("startpos", 2));
    /// assert_eq!(ToClient::parse("lobby seek-gone id 7"), ToClient::Lobby(Tell::SeekGone(7)));
    /// ```
    pub fn parse(line: &str) -> Self {
        let mut words = Words::new(line);
        match words.next() {
            Some("uci") => Self::Uci,
            Some("isready") => Self::IsReady,
            Some("ucinewgame") => Self::NewGame,
            Some("setoption") => set_option(&mut words),
            Some("position") => position(&mut words),
            Some("go") => {
                let (clocks, nodes, limits) = Clocks::parse(&mut words);
                Self::Go {
                    clocks,
                    nodes,
                    limits,
                }
            }
            Some("clock") => Self::Clock(Clocks::parse(&mut words).0),
            Some("stop") => Self::Stop,
            Some("info") => {
                let whole = words.clone().text().to_owned();
                match words.next() {
                    Some("string") => Self::Note(words.text().into()),
                    Some("clienterror" | "error") => Self::ClientError(words.text().into()),
                    Some("servererror") => Self::ServerError(words.text().into()),
                    _ => Self::Thought(whole),
                }
            }
            Some("quit") => Self::Quit,
            Some("lobby") => {
                let whole = words.clone().text();
                Self::Lobby(Tell::parse(&mut words).unwrap_or_else(|_| Tell::Other(whole.into())))
            }
            _ => Self::Unknown(line.trim().into()),
        }
    }
}

fn set_option(words: &mut Words<'_>) -> ToClient {
    let text = words.text();
    let text = text.strip_prefix("name").unwrap_or(text).trim();
    let (name, value) = match text.split_once(" value ") {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (text, None),
    };
    ToClient::SetOption {
        name: name.into(),
        value,
    }
}

fn position(words: &mut Words<'_>) -> ToClient {
    let mut start = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "fen" => {}
            "moves" => break,
            word => start.push(word),
        }
    }
    ToClient::Position {
        start: start.join(" "),
        moves: core::iter::from_fn(|| words.next())
            .map(Into::into)
            .collect(),
    }
}

impl Clocks {
    /// The clocks, and what else limits a search.
    fn parse(words: &mut Words<'_>) -> (Self, Option<u64>, GoLimits) {
        let (mut nodes, mut limits) = (None, GoLimits::default());
        let zero = Duration::ZERO;
        let mut clocks = Self {
            white: zero,
            black: zero,
            white_increment: zero,
            black_increment: zero,
        };
        while let Some(key) = words.next() {
            let place = match key {
                "wtime" => &mut clocks.white,
                "btime" => &mut clocks.black,
                "winc" => &mut clocks.white_increment,
                "binc" => &mut clocks.black_increment,
                "nodes" => {
                    nodes = words.next().and_then(|word| word.parse().ok());
                    continue;
                }
                key => {
                    limits.read(key, words);
                    continue;
                }
            };
            let ms = words.next().and_then(|word| word.parse().ok());
            *place = Duration::from_millis(ms.unwrap_or(0));
        }
        (clocks, nodes, limits)
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "wtime {} btime {} winc {} binc {}",
            self.white.as_millis(),
            self.black.as_millis(),
            self.white_increment.as_millis(),
            self.black_increment.as_millis()
        )
    }
}

impl fmt::Display for ToClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("ucinewgame"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {}", words::text(name))?;
                match value {
                    Some(value) => write!(f, " value {}", words::text(value)),
                    None => Ok(()),
                }
            }
            Self::Position { start, moves } => {
                let kind = if start == "startpos" { "" } else { "fen " };
                write!(f, "position {kind}{}", words::text(start))?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves
                    .iter()
                    .try_for_each(|text| write!(f, " {}", words::joined(text)))
            }
            Self::Go {
                clocks,
                nodes,
                limits,
            } => {
                write!(f, "go {clocks}")?;
                if let Some(nodes) = nodes {
                    write!(f, " nodes {nodes}")?;
                }
                limits.fmt(f)
            }
            Self::Clock(clocks) => write!(f, "clock {clocks}"),
            Self::Stop => f.write_str("stop"),
            Self::Note(text) => write!(f, "info string {}", words::text(text)),
            Self::ClientError(text) => write!(f, "info clienterror {}", words::text(text)),
            Self::ServerError(text) => write!(f, "info servererror {}", words::text(text)),
            Self::Thought(text) => write!(f, "info {}", words::text(text)),
            Self::Quit => f.write_str("quit"),
            Self::Lobby(tell) => write!(f, "lobby {tell}"),
            Self::Unknown(line) => f.write_str(&words::text(line)),
        }
    }
}
