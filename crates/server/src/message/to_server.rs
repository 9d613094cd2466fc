//! What a client says.

use core::fmt;

use quadrille_games::Game;

use quadrille_net::sanitize::cut;

use super::words::{self, Words};
use super::{List, Name, Offer, Wish, Wrong};

/// A line from a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToServer {
    /// `id ...`: who it is and what it can play.
    Id(Id),
    /// `option ...`: the line as it came. Engines of the pool are made weaker by
    /// some of them.
    Option(String),
    /// `uciok`: it has said everything about itself.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `bestmove <move>`: the answer to `go`.
    BestMove(String),
    /// `info ...`: what it thinks, without the first word.
    Info(String),
    /// `lobby ...`.
    Lobby(Ask),
    /// `quit`: it leaves. ULCI's clients close the connection instead.
    Quit,
    /// A `lobby` line that is not understood, and why.
    Wrong(Wrong),
    /// An empty line.
    Empty,
    /// Anything else: its first word. The seed wants it ignored.
    Unknown(String),
}

/// What an `id` line tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Id {
    /// The program.
    Name(String),
    /// Who wrote it.
    Author(String),
    /// The version of ULCI; without it the client is a plain UCI engine.
    Version(u32),
    /// The pieces it knows, by their letters.
    Pieces(String),
    /// A part of ULCI that it can do.
    Feature(String),
    /// A person sits there, with this name; also the password of an arranged match.
    Username(String),
    /// Extension: the games it plays.
    Games(Vec<Game>),
    /// Extension: it understands `lobby` lines of this version.
    Lobby(u32),
    /// Extension: the account of an engine; that of a person is its username.
    Account(String),
    /// Extension: the password of the account.
    Password(String),
    /// Extension: what `lobby welcome` gave it, so that it is known again.
    Token(String),
    /// Anything else, ignored.
    Other(String),
}

/// What a client asks of the lobby. `None` for an id is the game one plays in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// An open seek, or a private one if the wish has a word.
    Seek(Wish),
    /// A game with one player.
    Challenge {
        /// Who.
        name: Name,
        /// What.
        wish: Wish,
    },
    /// A game with an engine of the pool.
    Play {
        /// How strong, from 1 to 8; the engine's full strength without.
        level: Option<u8>,
        /// Which engine; any that can play it without.
        engine: Option<Name>,
        /// What.
        wish: Wish,
    },
    /// Takes a seek or a challenge of one's own back.
    Unseek(u64),
    /// Takes a seek, or a challenge to oneself.
    Accept(u64),
    /// Does not take a challenge.
    Decline(u64),
    /// Takes the private game of this word.
    Join(Name),
    /// Gives up.
    Resign(Option<u64>),
    /// Leaves a game in which a side has not moved yet.
    Abort(Option<u64>),
    /// Offers, or takes an offer that stands.
    Offer(Offer, Option<u64>),
    /// Does not take an offer.
    No(Offer, Option<u64>),
    /// Wants to know.
    List(List),
    /// Wants to watch a game.
    Watch(u64),
    /// Has seen enough.
    Unwatch(Option<u64>),
    /// Makes the guest's name an account.
    Register(String),
    /// To all at the board.
    Say(String),
    /// Enters a tournament.
    Enter(u64),
    /// Leaves a tournament.
    Leave(u64),
}

impl ToServer {
    /// Reads a line. It never fails: what is not understood is a value too.
    ///
    /// ```
    /// use quadrille_server::message::{Ask, ToServer};
    ///
    /// let read = ToServer::parse(" bestmove\te2e4 ponder e7e5\r");
    /// assert_eq!(read, ToServer::BestMove("e2e4".into()));
    /// assert_eq!(ToServer::parse("lobby accept id 7"), ToServer::Lobby(Ask::Accept(7)));
    /// assert!(matches!(ToServer::parse("lobby accept"), ToServer::Wrong(_)));
    /// ```
    pub fn parse(line: &str) -> Self {
        let mut words = Words::new(line);
        match words.next() {
            None => Self::Empty,
            Some("id") => Self::Id(Id::parse(&mut words)),
            Some("option") => Self::Option(line.trim().into()),
            Some("uciok") => Self::UciOk,
            Some("readyok") => Self::ReadyOk,
            // A bestmove without a move is the null move's place.
            Some("bestmove") => Self::BestMove(words.next().unwrap_or("0000").into()),
            Some("info") => Self::Info(words.text().into()),
            Some("lobby") => match Ask::parse(&mut words) {
                Ok(ask) => Self::Lobby(ask),
                Err(wrong) => Self::Wrong(wrong),
            },
            Some("quit") => Self::Quit,
            Some(word) => Self::Unknown(cut(word, 40).into_owned()),
        }
    }
}

impl Id {
    fn parse(words: &mut Words<'_>) -> Self {
        let key = words.next().unwrap_or_default();
        let value = words.text().to_owned();
        // A number that is none is as good as the line not sent.
        let other = || Self::Other(cut(key, 40).into_owned());
        match key {
            "name" => Self::Name(value),
            "author" => Self::Author(value),
            "version" => value.parse().map_or_else(|_| other(), Self::Version),
            "pieces" => Self::Pieces(value),
            "feature" => Self::Feature(value),
            "username" => Self::Username(value),
            "games" => {
                let known = value
                    .split_ascii_whitespace()
                    .filter_map(|w| w.parse().ok());
                Self::Games(known.collect())
            }
            "lobby" => value.parse().map_or_else(|_| other(), Self::Lobby),
            "account" => Self::Account(value),
            "password" => Self::Password(value),
            "token" => Self::Token(value),
            _ => other(),
        }
    }
}

/// `[id] N`, where the first word may be missing.
fn number(words: &mut Words<'_>) -> Result<u64, Wrong> {
    optional(words)?.ok_or_else(|| Wrong::new("id is missing: right would be id 7"))
}

fn optional(words: &mut Words<'_>) -> Result<Option<u64>, Wrong> {
    match words.next() {
        None => Ok(None),
        Some("id") => words.value("id").and_then(id).map(Some),
        Some(word) => id(word).map(Some),
    }
}

fn id(word: &str) -> Result<u64, Wrong> {
    let wrong = |_| {
        Wrong(format!(
            "id {}: right would be a number, as id 7",
            cut(word, 40)
        ))
    };
    word.parse().map_err(wrong)
}

impl Ask {
    fn parse(words: &mut Words<'_>) -> Result<Self, Wrong> {
        let plain = |_: &str, _: &str| Ok(false);
        let word = words
            .next()
            .ok_or_else(|| Wrong::new("lobby says nothing: right would be lobby list seeks"))?;
        Ok(match word {
            "seek" => Self::Seek(Wish::parse(words, plain)?),
            "challenge" => Self::Challenge {
                name: words.read("challenge")?,
                wish: Wish::parse(words, plain)?,
            },
            "play" => play(words)?,
            "unseek" => Self::Unseek(number(words)?),
            "accept" => Self::Accept(number(words)?),
            "decline" => Self::Decline(number(words)?),
            "join" => match words.value("join")? {
                "word" => Self::Join(words.read("word")?),
                word => Self::Join(words::read("word", word)?),
            },
            "resign" => Self::Resign(optional(words)?),
            "abort" => Self::Abort(optional(words)?),
            "draw" => Self::Offer(Offer::Draw, optional(words)?),
            "takeback" => Self::Offer(Offer::Takeback, optional(words)?),
            "rematch" => Self::Offer(Offer::Rematch, optional(words)?),
            "no" => Self::No(words.one_of("no", &Offer::words())?, optional(words)?),
            "list" => Self::List(words.one_of("list", &List::words())?),
            "watch" => Self::Watch(number(words)?),
            "unwatch" => Self::Unwatch(optional(words)?),
            // As it stands, as with `id password`: it may have several words.
            "register" => {
                if words.peek() == Some("password") {
                    words.next();
                }
                match words.text() {
                    "" => {
                        return Err(Wrong::new(
                            "register has no value: right would be register password WORDS",
                        ));
                    }
                    password => Self::Register(password.into()),
                }
            }
            "say" => Self::Say(words.rest().unwrap_or_default()),
            "tournament" => match words.value("tournament")? {
                "join" => Self::Enter(number(words)?),
                "leave" => Self::Leave(number(words)?),
                other => {
                    let other = cut(other, 40);
                    return Err(Wrong(format!("tournament {other}: not one of join leave")));
                }
            },
            other => return Err(Wrong(format!("there is no lobby {}", cut(other, 40)))),
        })
    }
}

fn play(words: &mut Words<'_>) -> Result<Ask, Wrong> {
    let (mut level, mut engine) = (None, None);
    let wish = Wish::parse(words, |key, value| {
        match key {
            "level" => match value.parse::<u8>() {
                Ok(n) => level = Some(n.clamp(1, 8)),
                Err(_) => {
                    let value = cut(value, 40);
                    return Err(Wrong(format!("level {value}: right would be 1 to 8")));
                }
            },
            "engine" => engine = Some(words::read(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(Ask::Play {
        level,
        engine,
        wish,
    })
}

impl fmt::Display for ToServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Option(line) => f.write_str(&words::text(line)),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove(text) => write!(f, "bestmove {}", words::joined(text)),
            Self::Info(text) => write!(f, "info {}", words::text(text)),
            Self::Lobby(ask) => write!(f, "lobby {ask}"),
            Self::Quit => f.write_str("quit"),
            Self::Wrong(_) | Self::Empty => Ok(()),
            Self::Unknown(word) => f.write_str(&words::joined(word)),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, value) = match self {
            Self::Name(value) => ("name", value),
            Self::Author(value) => ("author", value),
            Self::Version(n) => return write!(f, "id version {n}"),
            Self::Pieces(value) => ("pieces", value),
            Self::Feature(value) => ("feature", value),
            Self::Username(value) => ("username", value),
            Self::Games(games) => {
                f.write_str("id games")?;
                return games.iter().try_for_each(|game| write!(f, " {game}"));
            }
            Self::Lobby(n) => return write!(f, "id lobby {n}"),
            Self::Account(value) => ("account", value),
            Self::Password(value) => ("password", value),
            Self::Token(value) => ("token", value),
            Self::Other(key) => return write!(f, "id {}", words::joined(key)),
        };
        write!(f, "id {key} {}", words::text(value))
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = |f: &mut fmt::Formatter<'_>, word: &str, id: &Option<u64>| match id {
            Some(id) => write!(f, "{word} id {id}"),
            None => f.write_str(word),
        };
        match self {
            Self::Seek(wish) => write!(f, "seek {wish}"),
            Self::Challenge { name, wish } => write!(f, "challenge {name} {wish}"),
            Self::Play {
                level,
                engine,
                wish,
            } => {
                f.write_str("play")?;
                if let Some(level) = level {
                    write!(f, " level {level}")?;
                }
                if let Some(engine) = engine {
                    write!(f, " engine {engine}")?;
                }
                write!(f, " {wish}")
            }
            Self::Unseek(id) => write!(f, "unseek id {id}"),
            Self::Accept(id) => write!(f, "accept id {id}"),
            Self::Decline(id) => write!(f, "decline id {id}"),
            Self::Join(word) => write!(f, "join word {word}"),
            Self::Resign(game) => id(f, "resign", game),
            Self::Abort(game) => id(f, "abort", game),
            Self::Offer(offer, game) => id(f, offer.word(), game),
            Self::No(offer, game) => id(f, &format!("no {offer}"), game),
            Self::List(list) => write!(f, "list {list}"),
            Self::Watch(id) => write!(f, "watch id {id}"),
            Self::Unwatch(game) => id(f, "unwatch", game),
            Self::Register(password) => write!(f, "register password {}", words::text(password)),
            Self::Say(text) => write!(f, "say {}", words::text(text)),
            Self::Enter(id) => write!(f, "tournament join id {id}"),
            Self::Leave(id) => write!(f, "tournament leave id {id}"),
        }
    }
}
