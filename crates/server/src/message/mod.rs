//! What is said on a connection, as types: [`ToServer`] and [`ToClient`].
//!
//! The server is ULCI's host side, so a client hears `uci`, `position`, `go` and
//! says `id`, `uciok`, `bestmove`. What ULCI has no words for goes on lines that
//! begin with `lobby`, which only clients that said `id lobby 1` ever see.
//!
//! Such a line is words between blanks, pairs of a key and a value, and where
//! there is a free text it comes last. Keys that are not known are skipped with
//! their value, so that lines can grow. A value of several words has `_` for its
//! blanks. Everything here writes one line, whatever is in it.

mod tell;
mod to_client;
mod to_server;
mod words;

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use quadrille_games::{Game, Side};

pub use to_client::{
    Clocks, GameView, GoLimits, PlayerView, SeekView, StandingView, StartView, Tell, ToClient,
    TournamentState, TournamentView, Welcome, You,
};
pub use to_server::{Ask, Id, ToServer};
use words::Words;

/// The longest name.
pub const NAME_LENGTH: usize = 20;
/// The longest time on a clock, and the longest increment.
const LONGEST: Duration = Duration::from_hours(24);

/// A name: letters, digits, `_`, `.` and `-`, at most 20 of them. Two names that
/// differ only in case are the same name to a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What names are compared by.
    #[must_use]
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// A name made of any text: what may not stand in a name is left out, what is
    /// too long is cut. `None` if nothing is left.
    ///
    /// ```
    /// use quadrille_server::message::Name;
    ///
    /// assert_eq!(Name::made_of("Stock fish 17!").unwrap().as_str(), "Stock_fish_17");
    /// assert_eq!(Name::made_of("\x1b\n"), None);
    /// ```
    pub fn made_of(text: &str) -> Option<Self> {
        let fit = |c: char| match c {
            ' ' => Some('_'),
            c if fits(c) => Some(c),
            _ => None,
        };
        let name: String = text
            .trim()
            .chars()
            .filter_map(fit)
            .take(NAME_LENGTH)
            .collect();
        (!name.is_empty()).then_some(Self(name))
    }
}

const fn fits(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Name {
    type Err = Wrong;

    fn from_str(text: &str) -> Result<Self, Wrong> {
        if (1..=NAME_LENGTH).contains(&text.len()) && text.chars().all(fits) {
            return Ok(Self(text.into()));
        }
        Err(Wrong::new(format!(
            "a name has 1 to {NAME_LENGTH} letters, digits, _, . or -"
        )))
    }
}

/// Why a line is not understood, in words for the one who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong(pub String);

impl Wrong {
    fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Wrong {}

/// A clock: the time for the game and what is added for each move, `300+5` in
/// seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Time {
    /// For the whole game.
    pub base: Duration,
    /// For each move.
    pub increment: Duration,
}

impl Time {
    /// A clock in seconds.
    pub const fn seconds(base: u64, increment: u64) -> Self {
        Self {
            base: Duration::from_secs(base),
            increment: Duration::from_secs(increment),
        }
    }
}

/// Seconds, with as many digits behind the point as are needed.
fn seconds(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    match time.subsec_millis() {
        0 => write!(f, "{}", time.as_secs()),
        ms => f.write_str(format!("{}.{ms:03}", time.as_secs()).trim_end_matches('0')),
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        seconds(f, self.base)?;
        f.write_str("+")?;
        seconds(f, self.increment)
    }
}

impl FromStr for Time {
    type Err = Wrong;

    fn from_str(text: &str) -> Result<Self, Wrong> {
        let wrong = || Wrong::new("a time is seconds for the game and for each move, as 300+5");
        let part = |text: &str| {
            let plain = text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let seconds: f64 = text.parse().ok().filter(|_| plain).ok_or_else(wrong)?;
            let time = Duration::from_millis((seconds * 1000.0).round() as u64);
            Some(time).filter(|time| *time <= LONGEST).ok_or_else(wrong)
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let time = Self {
            base: part(base)?,
            increment: part(increment)?,
        };
        if (time.base + time.increment).is_zero() {
            return Err(Wrong::new("a clock without time: right would be 300+5"));
        }
        Ok(time)
    }
}

/// A rating as it is shown: `1500`, and `1500?` while it is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// In points of Elo.
    pub points: i32,
    /// Whether there are too few games for it.
    pub provisional: bool,
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.provisional { "?" } else { "" };
        write!(f, "{}{mark}", self.points)
    }
}

impl FromStr for Rating {
    type Err = Wrong;

    fn from_str(text: &str) -> Result<Self, Wrong> {
        let (points, provisional) = match text.strip_suffix('?') {
            Some(points) => (points, true),
            None => (text, false),
        };
        match points.parse() {
            Ok(points) => Ok(Self {
                points,
                provisional,
            }),
            Err(_) => Err(Wrong::new(
                "a rating is a number, with ? behind it if it is not certain",
            )),
        }
    }
}

/// Makes an enum whose values are single words of a line.
macro_rules! word_list {
    ($(#[$about:meta])* $name:ident: $($(#[$doc:meta])* $value:ident = $word:literal,)+) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $value,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Their words, with blanks between them.
            pub fn words() -> String {
                [$($word),+].join(" ")
            }

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::message::Wrong;

            fn from_str(text: &str) -> Result<Self, $crate::message::Wrong> {
                match text {
                    $($word => Ok(Self::$value),)+
                    _ => Err($crate::message::Wrong(
                        ["not one of", $($word),+].join(" "),
                    )),
                }
            }
        }
    };
}
pub(crate) use word_list;

word_list! {
    /// The colour a player wants.
    Colour:
    /// White.
    White = "white",
    /// Black.
    Black = "black",
    /// Either.
    Random = "random",
}

impl From<Side> for Colour {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

word_list! {
    /// What a player may offer the other.
    Offer:
    /// A draw.
    Draw = "draw",
    /// To take the last move of the one who offers back.
    Takeback = "takeback",
    /// To play again with colours exchanged, when the game is over.
    Rematch = "rematch",
}

word_list! {
    /// What can be listed.
    List:
    /// Open seeks.
    Seeks = "seeks",
    /// Running games.
    Games = "games",
    /// Who is here.
    Players = "players",
    /// Engines that play whoever asks.
    Engines = "engines",
    /// The best of each game.
    Ratings = "ratings",
    /// Tournaments.
    Tournaments = "tournaments",
}

/// A game that a player wants to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// Which game.
    pub game: Game,
    /// A named start position of the game.
    pub preset: Option<String>,
    /// The rules of the game, where it has several.
    pub rules: Option<String>,
    /// The clock.
    pub time: Time,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The colour of the one who wishes.
    pub colour: Colour,
    /// Only who knows this word may play.
    pub word: Option<String>,
    /// The position it begins with, if it is not a named one.
    pub fen: Option<String>,
}

/// Keys of a wish, and those of `lobby play`.
const KEYS: [&str; 10] = [
    "game", "time", "rated", "colour", "preset", "rules", "word", "fen", "level", "engine",
];

impl Wish {
    /// A game from its usual start, not rated, either colour.
    pub const fn new(game: Game, time: Time) -> Self {
        Self {
            game,
            preset: None,
            rules: None,
            time,
            rated: false,
            colour: Colour::Random,
            word: None,
            fen: None,
        }
    }

    /// Reads pairs of keys and values; what `other` knows is its own.
    fn parse(
        words: &mut Words<'_>,
        mut other: impl FnMut(&str, &str) -> Result<bool, Wrong>,
    ) -> Result<Self, Wrong> {
        let mut wish = Self::new(Game::Chess, Time::seconds(300, 0));
        let (mut timed, mut shuffled) = (false, false);
        while let Some(key) = words.next() {
            match key {
                "fen" => wish.fen = words.rest(),
                "rated" => wish.rated = words.flag(key, &KEYS)?,
                "game" => {
                    let name = words.value(key)?;
                    (wish.game, shuffled) = (words::read(key, name)?, is_chess960(name));
                }
                "time" => (wish.time, timed) = (words.read(key)?, true),
                "colour" => wish.colour = words.read(key)?,
                "preset" => wish.preset = Some(words.spaced(key)?),
                "rules" => wish.rules = Some(words.spaced(key)?),
                "word" => wish.word = Some(words.read::<Name>(key)?.0),
                _ => {
                    let value = words.value(key)?;
                    other(key, value)?;
                }
            }
        }
        if shuffled {
            wish.shuffle();
        }
        if timed {
            Ok(wish)
        } else {
            Err(Wrong::new("time is missing: right would be time 300+5"))
        }
    }

    /// Makes it a game of Chess960 from a start position by lot, unless another position
    /// was named.
    pub(crate) fn shuffle(&mut self) {
        if self.preset.is_none() && self.fen.is_none() {
            self.preset = Some(CHESS960.into());
        }
    }
}

/// The start positions of Chess960, as a preset: the server draws one when the game
/// begins.
const CHESS960: &str = "chess960";

/// Whether the name of a game is that of Chess960, which has the rules of chess and its
/// own start positions.
pub(crate) fn is_chess960(name: &str) -> bool {
    let names = [CHESS960, "fischerandom", "frc"];
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rated = if self.rated { "yes" } else { "no" };
        write!(
            f,
            "game {} time {} rated {rated} colour {}",
            self.game, self.time, self.colour
        )?;
        for (key, value) in [("preset", &self.preset), ("rules", &self.rules)] {
            if let Some(value) = value {
                write!(f, " {key} {}", words::joined(value))?;
            }
        }
        if let Some(word) = &self.word {
            write!(f, " word {}", words::joined(word))?;
        }
        if let Some(fen) = &self.fen {
            write!(f, " fen {}", words::text(fen))?;
        }
        Ok(())
    }
}
