//! Tables from files of games.
//!
//! Only tags, results and comments are looked at; moves are not checked, so
//! that games of any kind may stand in one file.

use core::time::Duration;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

use quadrille_games::Side;
use quadrille_games::records::{EngineNote, GameResult, Token, Tokenizer};

use super::tables::{Effort, Played, Tables};

/// What a file of games says.
#[derive(Debug, Clone, Default)]
pub struct PgnTables {
    /// Everything that was counted.
    pub tables: Tables,
    /// Games in the file.
    pub games: u64,
    /// Games that do not name both players.
    pub unnamed: u64,
    /// Games that stood in an earlier file already and count once.
    pub repeated: u64,
}

/// Counts the games of a file. Two games make a pair if the same players met
/// in the same round (tag `Round`; in `3.2` the round is 3) from the same start
/// position with exchanged colours.
///
/// ```
/// use quadrille_match::stats::{Pairs, tables_of_pgn};
///
/// let file = r#"
/// [White "a"][Black "b"][Round "1"][Result "1-0"] 1. e4 {+0.2/9 0.5s} 1-0
/// [White "b"][Black "a"][Round "1"][Result "1/2-1/2"] 1. e4 1/2-1/2
/// "#;
/// let read = tables_of_pgn(file.as_bytes())?;
/// assert_eq!(read.tables.meeting(0, 1).pairs, Pairs([0, 0, 0, 1, 0]));
/// assert_eq!(read.tables.effort(0).average_depth(), Some(9.0));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn tables_of_pgn(source: impl Read) -> io::Result<PgnTables> {
    tables_of_files([source])
}

/// The same for several files together. A game that stands in two of them with the
/// same tags and moves, as in a store and in the record of its match, counts once;
/// in one file nothing is taken for a copy.
pub fn tables_of_files<R: Read>(files: impl IntoIterator<Item = R>) -> io::Result<PgnTables> {
    let mut read = PgnTables::default();
    let mut partners = Partners::default();
    let mut before = HashSet::new();
    for file in files {
        let mut here = HashSet::new();
        let mut tokens = Tokenizer::new(file);
        let mut game = Game::default();
        while let Some(token) = tokens.next_token()? {
            if token != Token::End {
                game.take(token);
                continue;
            }
            let game = core::mem::take(&mut game);
            let print = game.print.finish();
            here.insert(print);
            read.games += 1;
            if before.contains(&print) {
                read.repeated += 1;
            } else if game.finish(&mut read.tables, &mut partners).is_none() {
                read.unnamed += 1;
            }
            tokens.clear_diagnostics();
        }
        before.extend(here);
    }
    Ok(read)
}

/// A game while it is read.
#[derive(Default)]
struct Game {
    /// All tags but those that are [`ADDED`], and all moves.
    print: DefaultHasher,
    white: String,
    black: String,
    round: String,
    fen: String,
    termination: String,
    tag_result: Option<GameResult>,
    result: Option<GameResult>,
    /// Open variations.
    depth: u32,
    plies: u64,
    /// The last move ended with a mark of mate.
    mated: bool,
    effort: [Effort; 2],
    /// Time, depth and nodes of the last move.
    note: (Option<Duration>, Option<u32>, Option<u64>),
    /// The last comment on a move of the game itself.
    comment: String,
}

/// Tags that say something about a game that was played, so that a game with and
/// without them is one: names of openings, what an analysis found.
const ADDED: [&str; 5] = [
    "ECO",
    "Opening",
    "Annotator",
    "WhiteAccuracy",
    "BlackAccuracy",
];

impl Game {
    fn take(&mut self, token: Token<'_>) {
        match token {
            Token::Tag { name, value } => {
                if !ADDED.contains(&name) {
                    (name, &*value.decode()).hash(&mut self.print);
                }
                let place = match name {
                    "White" => &mut self.white,
                    "Black" => &mut self.black,
                    "Round" => &mut self.round,
                    "FEN" => &mut self.fen,
                    "Termination" => &mut self.termination,
                    "Result" => {
                        self.tag_result = GameResult::from_word(&value.decode());
                        return;
                    }
                    _ => return,
                };
                // A repeated tag: the first one counts.
                if place.is_empty() {
                    *place = value.decode().into_owned();
                }
            }
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.saturating_sub(1),
            Token::Move(text) if self.depth == 0 => {
                text.hash(&mut self.print);
                self.note_move();
                self.plies += 1;
                self.mated = text.ends_with('#');
            }
            Token::Comment { text, .. } if self.depth == 0 && self.plies > 0 => {
                self.comment = text.decode().into_owned();
                if let Some(note) = EngineNote::from_text(&self.comment) {
                    let depth = note.evaluation.and_then(|evaluation| evaluation.depth);
                    self.note = (note.elapsed, depth, nodes(&self.comment));
                }
            }
            Token::Result(result) if self.depth == 0 => self.result = Some(result),
            _ => {}
        }
    }

    /// Counts what is known about the last move for its side.
    fn note_move(&mut self) {
        if self.plies == 0 {
            return;
        }
        let black = black_begins(&self.fen) == (self.plies % 2 == 1);
        let (time, depth, nodes) = core::mem::take(&mut self.note);
        self.effort[usize::from(black)].add_move(time, depth, nodes);
    }

    /// Puts the game into the tables; `None` if a player has no name.
    fn finish(mut self, tables: &mut Tables, partners: &mut Partners) -> Option<()> {
        self.note_move();
        let named = |name: &str| !matches!(name.trim(), "" | "?");
        if !named(&self.white) || !named(&self.black) || self.white == self.black {
            return None;
        }
        let (white, black) = (tables.player(&self.white), tables.player(&self.black));
        let result = self.result.or(self.tag_result).unwrap_or_default();
        tables.add(&Played {
            white,
            black,
            result,
            pair: partners.pair(white, black, result, &self.round, &self.fen),
            termination: &self.ending(result),
            effort: self.effort,
        });
        Some(())
    }

    /// Why the game ended, in a few words.
    fn ending(&self, result: GameResult) -> String {
        let tag = self.termination.trim().to_ascii_lowercase();
        if !matches!(tag.as_str(), "" | "?" | "normal") {
            return tag;
        }
        let comment = self.comment.to_ascii_lowercase();
        let told = PHRASES.iter().find(|(phrase, _)| comment.contains(phrase));
        match (told, result) {
            (Some((_, words)), _) => (*words).into(),
            (None, GameResult::Open) => "unterminated".into(),
            (None, _) if self.mated => "checkmate".into(),
            (None, _) => "normal".into(),
        }
    }
}

/// What match runners write behind the last move, and what we call it.
const PHRASES: [(&str, &str); 16] = [
    ("stalemate", "stalemate"),
    ("checkmate", "checkmate"),
    (" mates", "checkmate"),
    ("3-fold", "threefold repetition"),
    ("threefold", "threefold repetition"),
    ("fivefold", "fivefold repetition"),
    ("fifty", "the fifty-move rule"),
    ("seventy-five", "the seventy-five-move rule"),
    ("insufficient", "insufficient material"),
    ("zapped", "a zapped King"),
    ("reaching the goal", "reaching the goal"),
    ("elimination", "elimination"),
    ("no legal move", "no legal move"),
    ("dead position", "dead position"),
    ("on time", "time forfeit"),
    ("adjudication", "adjudication"),
];

/// The nodes in a comment such as `+0.35/12 1.2s, n=4711, nps=9000`.
fn nodes(comment: &str) -> Option<u64> {
    let field = comment.split(", ").find_map(|part| part.strip_prefix("n="));
    field?.trim().parse().ok()
}

fn black_begins(fen: &str) -> bool {
    let word = fen.split_whitespace().nth(1).unwrap_or("");
    matches!(
        word.to_ascii_lowercase().as_str(),
        "b" | "black" | "two" | "2"
    )
}

/// Games that wait for the other one of their pair.
#[derive(Default)]
struct Partners {
    /// Both players, lower number first, round and start; then for each colour
    /// of the first the pairs of which one game has been seen.
    waiting: HashMap<(usize, usize, String, String), [Vec<u64>; 2]>,
    pairs: u64,
}

impl Partners {
    /// The number of the pair that a game belongs to.
    fn pair(
        &mut self,
        white: usize,
        black: usize,
        result: GameResult,
        round: &str,
        fen: &str,
    ) -> Option<(u64, u32)> {
        let round = round.split('.').next().unwrap_or("").trim();
        if matches!(round, "" | "?" | "-") || result == GameResult::Open {
            return None;
        }
        let key = (white.min(black), white.max(black), round.into(), fen.into());
        let waiting = self.waiting.entry(key).or_default();
        let side = if white < black {
            Side::White
        } else {
            Side::Black
        };
        let number = match waiting[side.other().index()].pop() {
            Some(number) => number,
            None => {
                self.pairs += 1;
                waiting[side.index()].push(self.pairs);
                self.pairs
            }
        };
        Some((number, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[White \"a\"][Black \"b\"][Round \"1\"][Result \"1-0\"] 1. e4 e5 1-0\n";

    #[test]
    fn a_game_in_two_files_counts_once_and_twice_in_one() {
        let twice = GAME.repeat(2);
        let one = tables_of_pgn(twice.as_bytes()).unwrap();
        assert_eq!((one.tables.games(), one.repeated), (2, 0));
        let two = tables_of_files([GAME.as_bytes(), twice.as_bytes()]).unwrap();
        assert_eq!((two.tables.games(), two.repeated), (1, 2));
        let analysed = GAME
            .replace("[Round", "[ECO \"C20\"][BlackAccuracy \"9.5\"][Round")
            .replace("e5", "e5 $2 {[%eval 0.3]} (1... c5)");
        let same = tables_of_files([GAME.as_bytes(), analysed.as_bytes()]).unwrap();
        assert_eq!((same.tables.games(), same.repeated), (1, 1));
        let other = GAME.replace("e5", "e6");
        let other = tables_of_files([GAME.as_bytes(), other.as_bytes()]).unwrap();
        assert_eq!((other.tables.games(), other.repeated), (2, 0));
    }
}
