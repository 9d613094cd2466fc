//! What is typed, read tolerantly.

use core::str::FromStr;

use quadrille_games::Game;

use crate::message::{Ask, Colour, List, Name, Offer, Time, Wish, Wrong, is_chess960};

/// Something that a player may type.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Help,
    Ask(Ask),
    /// Takes the offer or the challenge that stands.
    Yes,
    /// Does not.
    No,
    Board,
    Moves,
    Clock,
    Thoughts,
    Quit,
    /// Not one of our words: a move, or a slip.
    Else(String),
}

/// All words, with what they are for.
pub(super) const WORDS: &[(&str, &str)] = &[
    ("e2e4, Nf3, O-O", "a move, as you like to write it"),
    (
        "seek [GAME] [300+5] [rated] [white|black]",
        "look for a game: chess, chess960, liberty, leiser or gyges",
    ),
    (
        "play [level 3] [GAME] [300+5]",
        "play an engine of the server",
    ),
    ("challenge NAME [GAME] [300+5]", "ask one player"),
    ("seek ... word W, join W", "a private game by a word"),
    (
        "seeks, games, players, engines, ratings",
        "see who and what is there",
    ),
    (
        "accept N, decline N, unseek N",
        "about a seek or a challenge",
    ),
    ("yes, no", "take or refuse what was offered"),
    ("draw, takeback, rematch", "offer it, or take the offer"),
    ("resign, abort", "give up; leave before it has begun"),
    (
        "watch N, unwatch, thoughts",
        "watch a game; hear what players think",
    ),
    ("board, moves, clock", "see the position again"),
    ("say TEXT", "talk at the board, where that is on"),
    ("tournaments, enter N, leave N", "tournaments"),
    ("register PASSWORD", "make your name an account"),
    ("quit", "leave the server"),
];

/// Words that begin a line.
const FIRST: &[&str] = &[
    "help",
    "seek",
    "play",
    "challenge",
    "join",
    "seeks",
    "games",
    "players",
    "engines",
    "ratings",
    "tournaments",
    "accept",
    "decline",
    "unseek",
    "yes",
    "no",
    "draw",
    "takeback",
    "rematch",
    "resign",
    "abort",
    "watch",
    "unwatch",
    "thoughts",
    "board",
    "moves",
    "clock",
    "say",
    "enter",
    "leave",
    "register",
    "quit",
];

/// The word that was probably meant.
pub(super) fn meant(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let near = FIRST.iter().map(|known| (distance(&word, known), *known));
    let (distance, known) = near.min()?;
    (distance <= 1 + known.len() / 5).then_some(known)
}

/// How many letters differ, are missing, too many, or exchanged with their neighbour.
fn distance(one: &str, other: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().take(20).collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j - 1] + same)
                .min(rows[i - 1][j] + 1)
                .min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// A number, as `7`, `#7` or `id 7`, behind the word that it is for.
fn number(first: &str, words: &[&str]) -> Result<u64, String> {
    let word = match words {
        ["id", word, ..] | [word, ..] => word.trim_start_matches('#'),
        [] => "",
    };
    word.parse()
        .map_err(|_| format!("which one? Write its number, as: {first} 7"))
}

fn name(text: &str) -> Result<Name, String> {
    text.parse().map_err(|wrong: Wrong| wrong.to_string())
}

/// Reads a line; what would be right, where it is wrong.
pub(super) fn read(line: &str, game: Game) -> Result<Typed, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else {
        return Ok(Typed::Nothing);
    };
    let first = first.to_ascii_lowercase();
    let ask = match first.as_str() {
        "help" | "?" | "h" => return Ok(Typed::Help),
        "yes" => return Ok(Typed::Yes),
        "accept" if rest.is_empty() => return Ok(Typed::Yes),
        "no" | "decline" if rest.is_empty() => return Ok(Typed::No),
        "board" | "b" => return Ok(Typed::Board),
        "moves" => return Ok(Typed::Moves),
        "clock" | "clocks" => return Ok(Typed::Clock),
        "thoughts" => return Ok(Typed::Thoughts),
        "quit" | "exit" => return Ok(Typed::Quit),
        "leave" if rest.is_empty() => return Ok(Typed::Quit),
        "seek" => Ask::Seek(wish(rest, game)?.0),
        "play" => play(rest, game)?,
        "challenge" => challenge(rest, game)?,
        "join" => match rest {
            ["word", word] | [word] => Ask::Join(name(word)?),
            _ => return Err("which word? Write: join WORD".into()),
        },
        "seeks" | "games" | "players" | "engines" | "ratings" | "tournaments" => list(&first)?,
        "list" => list(rest.first().unwrap_or(&"seeks"))?,
        "say" => match line.trim().split_once(char::is_whitespace) {
            Some((_, text)) => Ask::Say(text.trim().into()),
            None => return Err("what? Write: say TEXT".into()),
        },
        "register" => match rest {
            [password] => Ask::Register((*password).into()),
            _ => return Err("write: register PASSWORD, without blanks in it".into()),
        },
        word => match about_one(word, rest)? {
            Some(ask) => ask,
            None => return Ok(Typed::Else(words.join(" "))),
        },
    };
    Ok(Typed::Ask(ask))
}

/// What has the number of a seek, a game or a tournament behind it; for one's own
/// game it may be left out.
fn about_one(word: &str, rest: &[&str]) -> Result<Option<Ask>, String> {
    let one = || number(word, rest);
    let own = || (!rest.is_empty()).then(one).transpose();
    Ok(Some(match word {
        "accept" => Ask::Accept(one()?),
        "decline" => Ask::Decline(one()?),
        "unseek" => Ask::Unseek(one()?),
        "watch" => Ask::Watch(one()?),
        "enter" => Ask::Enter(one()?),
        "leave" => Ask::Leave(one()?),
        "resign" => Ask::Resign(own()?),
        "abort" => Ask::Abort(own()?),
        "draw" => Ask::Offer(Offer::Draw, own()?),
        "takeback" => Ask::Offer(Offer::Takeback, own()?),
        "rematch" => Ask::Offer(Offer::Rematch, own()?),
        "unwatch" => Ask::Unwatch(own()?),
        "no" => match rest {
            [word, ..] => Ask::No(one_of(word)?, None),
            [] => return Ok(None),
        },
        _ => return Ok(None),
    }))
}

fn one_of<T: FromStr<Err = Wrong>>(word: &str) -> Result<T, String> {
    word.parse().map_err(|wrong| format!("{word}: {wrong}"))
}

fn list(word: &str) -> Result<Ask, String> {
    one_of::<List>(word).map(Ask::List)
}

fn play(rest: &[&str], game: Game) -> Result<Ask, String> {
    let (wish, level) = wish(rest, game)?;
    Ok(Ask::Play {
        level,
        engine: None,
        wish,
    })
}

fn challenge(rest: &[&str], game: Game) -> Result<Ask, String> {
    let [who, rest @ ..] = rest else {
        return Err("whom? Write: challenge NAME 300+5".into());
    };
    let (name, wish) = (name(who)?, wish(rest, game)?.0);
    Ok(Ask::Challenge { name, wish })
}

/// A game that is wished, in any order of words, and a level beside it.
pub(super) fn wish(words: &[&str], game: Game) -> Result<(Wish, Option<u8>), String> {
    let mut wish = Wish::new(game, Time::seconds(300, 3));
    let (mut level, mut shuffled) = (None, false);
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} what?"));
        match word.to_ascii_lowercase().as_str() {
            "game" | "time" | "colour" | "color" => {}
            "rated" => wish.rated = true,
            "casual" | "unrated" => wish.rated = false,
            "word" => {
                let name: Name = value()?.parse().map_err(|wrong| format!("{wrong}"))?;
                wish.word = Some(name.as_str().into());
            }
            "preset" => wish.preset = Some(value()?.replace('_', " ")),
            "rules" => wish.rules = Some(value()?.replace('_', " ")),
            "level" => {
                let number = value()?.parse::<u8>().ok().filter(|n| (1..=8).contains(n));
                level = Some(number.ok_or("a level is a number from 1 to 8")?);
            }
            "fen" => {
                let rest: Vec<&str> = words.by_ref().collect();
                wish.fen = Some(rest.join(" "));
            }
            lower if is_chess960(lower) => (wish.game, shuffled) = (Game::Chess, true),
            lower => {
                if let Ok(game) = lower.parse::<Game>() {
                    (wish.game, shuffled) = (game, false);
                } else if let Ok(colour) = lower.parse::<Colour>() {
                    wish.colour = colour;
                } else if lower.starts_with(|c: char| c.is_ascii_digit()) {
                    wish.time = lower.parse().map_err(|wrong| format!("{lower}: {wrong}"))?;
                } else {
                    return Err(format!(
                        "'{word}' is no game, time or colour; right would be: seek chess 300+5 \
                         rated white"
                    ));
                }
            }
        }
    }
    if shuffled {
        wish.shuffle();
    }
    Ok((wish, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_any_order() {
        let read = |line: &str| read(line, Game::Chess);
        let wish = |line: &str| match read(line) {
            Ok(Typed::Ask(Ask::Seek(wish))) => wish,
            other => panic!("{line}: {other:?}"),
        };
        let one = wish("seek liberty 60+1 rated white");
        assert_eq!(one, wish(" SEEK  white game liberty time 60+1 Rated"));
        assert_eq!((one.game, one.rated), (Game::Liberty, true));
        assert_eq!(wish("seek").time, Time::seconds(300, 3));
        assert_eq!(wish("seek word sesame 5+0").word.as_deref(), Some("sesame"));
        assert_eq!(read("accept #7"), Ok(Typed::Ask(Ask::Accept(7))));
        assert_eq!(read("accept"), Ok(Typed::Yes));
        for line in [
            "seek chess960 60+1",
            "seek FRC 60+1",
            "seek 60+1 fischerandom",
        ] {
            let shuffled = wish(line);
            assert_eq!(shuffled.preset.as_deref(), Some("chess960"), "{line}");
            assert_eq!(shuffled.time, Time::seconds(60, 1));
        }
        let numbered = wish("seek chess960 preset chess960_518");
        assert_eq!(numbered.preset.as_deref(), Some("chess960 518"));
        assert_eq!(wish("seek chess960 gyges").preset, None);
        let played = read("play level 3 gyges 60");
        let Ok(Typed::Ask(Ask::Play { level, wish, .. })) = played else {
            panic!("{played:?}");
        };
        assert_eq!((level, wish.game), (Some(3), Game::Gyges));
        assert_eq!(
            read("say  hello  there"),
            Ok(Typed::Ask(Ask::Say("hello  there".into())))
        );
        assert_eq!(read("Nf3"), Ok(Typed::Else("Nf3".into())));
        assert_eq!(read(""), Ok(Typed::Nothing));
    }

    #[test]
    fn slips_are_told_what_would_be_right() {
        for (line, words) in [
            ("seek chss", "right would be: seek chess"),
            ("seek 5:00", "a time is seconds"),
            ("challenge", "challenge NAME"),
            ("challenge a/b", "a name has"),
            ("accept seven", "accept 7"),
            ("join", "join WORD"),
            ("say", "say TEXT"),
            ("register two words", "without blanks"),
            ("play level 9", "from 1 to 8"),
            ("list sheep", "not one of"),
            ("watch", "its number, as: watch 7"),
            ("watch x", "its number, as: watch 7"),
            ("enter x", "its number, as: enter 7"),
            ("draw x", "its number, as: draw 7"),
            ("no tea", "tea: not one of"),
        ] {
            let said = read(line, Game::Chess).expect_err(line);
            assert!(said.contains(words), "{line}: {said}");
        }
        assert_eq!(meant("resgin"), Some("resign"));
        assert_eq!(meant("sek"), Some("seek"));
        assert_eq!(meant("xyzzy"), None);
    }
}
