//! `lobby` lines to clients: reading and writing.

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use quadrille_games::Game;
use quadrille_games::records::GameResult;

use super::to_client::{
    GameView, PlayerView, SeekView, StandingView, StartView, Tell, TournamentView, Welcome,
};
use super::words::{self, Words, yes};
use super::{Name, Rating, Wish, Wrong};

/// The pairs of a line. A key of `last` takes all that is left.
struct Pairs<'a> {
    list: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    fn of(words: &mut Words<'a>, last: &[&str]) -> Result<Self, Wrong> {
        let mut list = Vec::new();
        while let Some(key) = words.next() {
            if last.contains(&key) {
                list.push((key, words.text()));
            } else {
                list.push((key, words.value(key)?));
            }
        }
        Ok(Self { list })
    }

    fn word(&self, key: &str) -> Option<&'a str> {
        let found = self.list.iter().find(|(known, _)| *known == key);
        found.map(|(_, value)| *value)
    }

    fn read<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<T, Wrong> {
        match self.word(key) {
            Some(value) => words::read(key, value),
            None => Err(Wrong(format!("{key} is missing"))),
        }
    }

    fn yes(&self, key: &str) -> bool {
        matches!(self.word(key), Some("yes" | "on"))
    }

    fn text(&self, key: &str) -> String {
        self.word(key).unwrap_or_default().into()
    }

    fn spaced(&self, key: &str) -> String {
        self.text(key).replace('_', " ").trim().into()
    }
}

/// `chess,liberty`
fn games(text: &str) -> Vec<Game> {
    text.split(',')
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// `chess=1500?,gyges=1720`
fn ratings(text: &str) -> Vec<(Game, Rating)> {
    let pair = |word: &str| {
        let (game, rating) = word.split_once('=')?;
        Some((game.parse().ok()?, rating.parse().ok()?))
    };
    text.split(',').filter_map(pair).collect()
}

impl Tell {
    pub(super) fn parse(words: &mut Words<'_>) -> Result<Self, Wrong> {
        let id = |words: &mut Words<'_>| Pairs::of(words, &[])?.read("id");
        Ok(match words.value("lobby")? {
            "welcome" => Self::Welcome(welcome(words)?),
            "seek" => Self::Seek(seek(words)?),
            "seek-gone" => Self::SeekGone(id(words)?),
            "challenge" => Self::Challenge(seek(words)?),
            "declined" => {
                let pairs = Pairs::of(words, &[])?;
                Self::Declined {
                    id: pairs.read("id")?,
                    by: pairs.read("by")?,
                }
            }
            "start" => Self::Start(start(words)?),
            "offer" => {
                let pairs = Pairs::of(words, &[])?;
                Self::Offer {
                    id: pairs.read("id")?,
                    offer: pairs.read("what")?,
                    by: pairs.read("by")?,
                }
            }
            "offer-gone" => {
                let pairs = Pairs::of(words, &[])?;
                Self::OfferGone {
                    id: pairs.read("id")?,
                    offer: pairs.read("what")?,
                }
            }
            "takeback" => {
                let pairs = Pairs::of(words, &[])?;
                Self::Takeback {
                    id: pairs.read("id")?,
                    plies: pairs.read("plies")?,
                }
            }
            "away" | "back" => {
                let pairs = Pairs::of(words, &[])?;
                let seconds = pairs.word("seconds").and_then(|word| word.parse().ok());
                Self::Away {
                    id: pairs.read("id")?,
                    name: pairs.read("name")?,
                    grace: seconds.map(Duration::from_secs),
                }
            }
            word => return Self::parse_more(word, words),
        })
    }

    /// Results, lists and tournaments.
    fn parse_more(word: &str, words: &mut Words<'_>) -> Result<Self, Wrong> {
        Ok(match word {
            "end" => {
                let pairs = Pairs::of(words, &["reason"])?;
                let result = pairs.word("result").and_then(GameResult::from_word);
                Self::End {
                    id: pairs.read("id")?,
                    result: result.ok_or_else(|| Wrong::new("there is no such result"))?,
                    reason: pairs.text("reason"),
                }
            }
            "rating" => {
                let pairs = Pairs::of(words, &[])?;
                Self::Rating {
                    game: pairs.read("game")?,
                    name: pairs.read("name")?,
                    old: pairs.read("old")?,
                    new: pairs.read("new")?,
                }
            }
            "player" => {
                let pairs = Pairs::of(words, &["program"])?;
                Self::Player(PlayerView {
                    name: pairs.read("name")?,
                    person: pairs.word("kind") == Some("person"),
                    account: pairs.yes("account"),
                    ratings: ratings(&pairs.text("ratings")),
                    playing: pairs.word("playing").and_then(|word| word.parse().ok()),
                    program: pairs.text("program"),
                })
            }
            "game" => {
                let pairs = Pairs::of(words, &[])?;
                Self::Game(GameView {
                    id: pairs.read("id")?,
                    players: [pairs.read("white")?, pairs.read("black")?],
                    game: pairs.read("game")?,
                    time: pairs.read("time")?,
                    rated: pairs.yes("rated"),
                    plies: pairs.read("plies")?,
                })
            }
            "list-end" => Self::ListEnd(words.read("list-end")?),
            "error" => Self::Error(words.text().into()),
            "said" => {
                let pairs = Pairs::of(words, &["text"])?;
                Self::Said {
                    name: pairs.read("name")?,
                    id: pairs.read("id")?,
                    text: pairs.text("text"),
                }
            }
            "tournament" => Self::Tournament(tournament(words)?),
            "standing" => {
                let pairs = Pairs::of(words, &[])?;
                Self::Standing(StandingView {
                    id: pairs.read("id")?,
                    place: pairs.read("place")?,
                    name: pairs.read("name")?,
                    half_points: pairs.read("half-points")?,
                })
            }
            other => return Err(Wrong(format!("there is no lobby {other}"))),
        })
    }
}

fn welcome(words: &mut Words<'_>) -> Result<Welcome, Wrong> {
    let pairs = Pairs::of(words, &["program"])?;
    Ok(Welcome {
        name: pairs.read("name")?,
        account: pairs.yes("account"),
        token: pairs.text("token"),
        chat: pairs.yes("chat"),
        register: pairs.yes("register"),
        games: games(&pairs.text("games")),
        program: pairs.text("program"),
    })
}

/// Who seeks comes first, then the wish.
fn seek(words: &mut Words<'_>) -> Result<SeekView, Wrong> {
    let (mut id, mut by, mut rating) = (None, None, None);
    let wish = Wish::parse(words, |key, value| {
        match key {
            "id" => id = Some(words::read(key, value)?),
            "by" => by = Some(words::read(key, value)?),
            "rating" => rating = Some(words::read(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    match (id, by, rating) {
        (Some(id), Some(by), Some(rating)) => Ok(SeekView {
            id,
            by,
            rating,
            wish,
        }),
        _ => Err(Wrong::new("a seek has an id, a name and a rating")),
    }
}

fn start(words: &mut Words<'_>) -> Result<StartView, Wrong> {
    let pairs = Pairs::of(words, &[])?;
    Ok(StartView {
        id: pairs.read("id")?,
        players: [pairs.read("white")?, pairs.read("black")?],
        ratings: [pairs.read("white-rating")?, pairs.read("black-rating")?],
        game: pairs.read("game")?,
        rules: pairs.spaced("rules"),
        time: pairs.read("time")?,
        rated: pairs.yes("rated"),
        you: pairs.read("you")?,
    })
}

fn tournament(words: &mut Words<'_>) -> Result<TournamentView, Wrong> {
    let pairs = Pairs::of(words, &["title"])?;
    Ok(TournamentView {
        id: pairs.read("id")?,
        state: pairs.read("state")?,
        round: pairs.read("round")?,
        rounds: pairs.read("rounds")?,
        players: pairs.read("players")?,
        game: pairs.read("game")?,
        time: pairs.read("time")?,
        title: pairs.text("title"),
    })
}

/// Values with commas between them; `-` if there are none.
fn listed<T>(list: &[T], write: impl Fn(&T) -> String) -> String {
    match list {
        [] => "-".into(),
        list => list.iter().map(write).collect::<Vec<_>>().join(","),
    }
}

fn named(f: &mut fmt::Formatter<'_>, names: &[Name; 2]) -> fmt::Result {
    write!(f, " white {} black {}", names[0], names[1])
}

impl fmt::Display for Tell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Welcome(welcome) => welcome.fmt(f),
            Self::Seek(seek) => write!(f, "seek {seek}"),
            Self::SeekGone(id) => write!(f, "seek-gone id {id}"),
            Self::Challenge(seek) => write!(f, "challenge {seek}"),
            Self::Declined { id, by } => write!(f, "declined id {id} by {by}"),
            Self::Start(start) => start.fmt(f),
            Self::Offer { id, offer, by } => write!(f, "offer id {id} what {offer} by {by}"),
            Self::OfferGone { id, offer } => write!(f, "offer-gone id {id} what {offer}"),
            Self::Takeback { id, plies } => write!(f, "takeback id {id} plies {plies}"),
            Self::Away { id, name, grace } => match grace {
                Some(time) => write!(f, "away id {id} name {name} seconds {}", time.as_secs()),
                None => write!(f, "back id {id} name {name}"),
            },
            Self::End { id, result, reason } => {
                let (result, reason) = (result.word(), words::text(reason));
                write!(f, "end id {id} result {result} reason {reason}")
            }
            Self::Rating {
                game,
                name,
                old,
                new,
            } => write!(f, "rating game {game} name {name} old {old} new {new}"),
            Self::Player(player) => player.fmt(f),
            Self::Game(game) => {
                write!(f, "game id {}", game.id)?;
                named(f, &game.players)?;
                let rated = yes(game.rated);
                let GameView {
                    game, time, plies, ..
                } = game;
                write!(f, " game {game} time {time} rated {rated} plies {plies}")
            }
            Self::ListEnd(list) => write!(f, "list-end {list}"),
            Self::Error(text) => write!(f, "error {}", words::text(text)),
            Self::Said { name, id, text } => {
                write!(f, "said name {name} id {id} text {}", words::text(text))
            }
            Self::Tournament(view) => view.fmt(f),
            Self::Standing(view) => {
                let StandingView {
                    id,
                    place,
                    name,
                    half_points,
                } = view;
                write!(
                    f,
                    "standing id {id} place {place} name {name} half-points {half_points}"
                )
            }
            Self::Other(text) => f.write_str(&words::text(text)),
        }
    }
}

impl fmt::Display for Welcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chat = if self.chat { "on" } else { "off" };
        let games = listed(&self.games, ToString::to_string);
        write!(
            f,
            "welcome name {} account {} token {} chat {chat} register {} games {games} program {}",
            self.name,
            yes(self.account),
            words::joined(&self.token),
            yes(self.register),
            words::text(&self.program)
        )
    }
}

impl fmt::Display for SeekView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            by,
            rating,
            wish,
        } = self;
        write!(f, "id {id} by {by} rating {rating} {wish}")
    }
}

impl fmt::Display for StartView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "start id {}", self.id)?;
        named(f, &self.players)?;
        let [white, black] = self.ratings;
        write!(
            f,
            " white-rating {white} black-rating {black} game {}",
            self.game
        )?;
        if !self.rules.is_empty() {
            write!(f, " rules {}", words::joined(&self.rules))?;
        }
        let (rated, you) = (yes(self.rated), self.you);
        write!(f, " time {} rated {rated} you {you}", self.time)
    }
}

impl fmt::Display for PlayerView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.person { "person" } else { "engine" };
        let ratings = listed(&self.ratings, |(game, rating)| format!("{game}={rating}"));
        let playing = self
            .playing
            .map_or_else(|| "no".into(), |id| id.to_string());
        write!(
            f,
            "player name {} kind {kind} account {} ratings {ratings} playing {playing} program {}",
            self.name,
            yes(self.account),
            words::text(&self.program)
        )
    }
}

impl fmt::Display for TournamentView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            state,
            round,
            rounds,
            players,
            game,
            time,
            title,
        } = self;
        let title = words::text(title);
        write!(
            f,
            "tournament id {id} state {state} round {round} rounds {rounds} players {players} \
             game {game} time {time} title {title}"
        )
    }
}
