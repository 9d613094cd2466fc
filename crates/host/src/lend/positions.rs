//! Which positions, moves and limits of a client a lent engine is given.
//!
//! Engines trust their host to send legal positions: many keep boards, lists of moves and
//! the history of a game in arrays of a fixed size and write behind their end otherwise.
//! So everything is played through with our own rules first, and only what can occur in a
//! game is passed on, in one spelling, so that no engine reads it in another way.

use std::collections::BTreeSet;

use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::Dialect;

use crate::foreign::cut;

/// Half moves that engines have room for; the line of a longer game begins later.
const LONG_GAME: usize = 400;
/// Half moves without progress that are passed on. By the rules of every game it is over
/// long before.
const MOST_QUIET: usize = 400;
/// The longest line of a position, and of anything else: of a game on a fixed board, and
/// of Liberty Chess.
const LONGEST: [[usize; 2]; 2] = [[32 << 10, 4 << 10], [256 << 10, 64 << 10]];
/// The largest numbers behind words of `go`.
const MOST_PLIES: u64 = 1000;
const MOST_NUMBER: u64 = i32::MAX as u64;
const MOST_NODES: u64 = 1 << 53;

/// The game of a dialect.
const fn game_of(dialect: Dialect) -> Game {
    match dialect {
        Dialect::Uci => Game::Chess,
        Dialect::Ulci => Game::Liberty,
        Dialect::Leiser => Game::Leiser,
        Dialect::Ugi => Game::Gyges,
    }
}

/// Follows the position that an engine has.
#[derive(Debug)]
pub(super) struct Positions {
    line: AnyLine,
}

impl Positions {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            line: AnyLine::start(game_of(dialect)),
        }
    }

    const fn game(&self) -> Game {
        self.line.game()
    }

    /// How long a line of this word may be.
    pub(super) fn longest(&self, word: &str) -> usize {
        let kind = usize::from(self.game() == Game::Liberty);
        let other = !matches!(word, "position" | "setpos" | "setoption");
        LONGEST[kind][usize::from(other)]
    }

    /// The line to pass on for one of a client about positions or moves; `None` if it is
    /// about something else.
    pub(super) fn judge(&mut self, words: &[&str]) -> Option<Result<String, String>> {
        Some(match words {
            ["position", rest @ ..] => self.position(rest),
            ["setpos", rest @ ..] => self.set_board(rest),
            ["move", rest @ ..] => self.play(rest),
            ["go", rest @ ..] => self.go(rest),
            ["perft", rest @ ..] => number("perft", rest.first(), 20).map(|_| words.join(" ")),
            ["ucinewgame" | "uginewgame"] => {
                self.line = AnyLine::start(self.game());
                Ok(words[0].into())
            }
            _ => return None,
        })
    }

    /// `position startpos|classic|fen TEXT [moves ...]`
    fn position(&mut self, words: &[&str]) -> Result<String, String> {
        let end = words.iter().position(|word| *word == "moves");
        let (start, moves) = match end {
            Some(end) => (&words[..end], &words[end + 1..]),
            None => (words, &[][..]),
        };
        let (base, text) = match start {
            ["startpos" | "classic"] => (start.join(" "), String::new()),
            ["fen", fen @ ..] if !fen.is_empty() => (start.join(" "), fen.join(" ")),
            _ => return Err("a position is startpos, or fen and its text".into()),
        };
        let begun = if text.is_empty() {
            AnyLine::start(self.game())
        } else {
            self.read(&text)?
        };
        // The rights of Chess960 may be written as those of chess; then castling tells.
        let (line, quiet) = played(begun, moves).or_else(|why| match self.game() {
            Game::Chess => {
                let line = AnyLine::new(Game::Chess, "chess960", &text);
                line.map_err(|_| why.clone())
                    .and_then(|line| played(line, moves).map_err(|_| why))
            }
            _ => Err(why),
        })?;
        let passed = if moves.len() <= LONG_GAME {
            join("position", &base, moves)
        } else {
            shortened(&line, moves, quiet)
        };
        self.line = line;
        Ok(passed)
    }

    /// `setpos data BOARD`, or a name that UGI knows.
    fn set_board(&mut self, words: &[&str]) -> Result<String, String> {
        match words {
            ["data", board @ ..] => self.line = self.read(&board.join(" "))?,
            ["start"] => self.line = AnyLine::start(self.game()),
            ["bench" | "test" | "draw"] => {}
            _ => return Err("setpos is followed by start, or data and a board".into()),
        }
        Ok(format!("setpos {}", words.join(" ")))
    }

    /// Leiserchess' `move`.
    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        let [text] = words else {
            return Err("move is followed by one move".into());
        };
        let played = self.line.play(text).map(drop);
        played.map_err(|_| format!("illegal move {}", cut(text, 40)))?;
        Ok(format!("move {text}"))
    }

    /// `go` with its limits.
    fn go(&self, words: &[&str]) -> Result<String, String> {
        let mut passed = vec!["go".to_owned()];
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            passed.push((*word).into());
            let most = match *word {
                "infinite" | "ponder" => continue,
                "searchmoves" | "moves" => {
                    passed.extend(self.root_moves(rest.by_ref())?);
                    continue;
                }
                "depth" | "mate" | "movestogo" | "perft" => MOST_PLIES,
                "nodes" => MOST_NODES,
                "wtime" | "btime" | "winc" | "binc" | "movetime" => MOST_NUMBER,
                other => {
                    let word = cut(other, 40);
                    return Err(format!("go: unknown word '{word}' is not passed on"));
                }
            };
            passed.push(number(word, rest.next(), most)?.to_string());
        }
        Ok(passed.join(" "))
    }

    /// The moves behind `searchmoves`, which end where none is legal any more.
    fn root_moves<'a>(
        &self,
        rest: &mut (impl Iterator<Item = &'a &'a str> + Clone),
    ) -> Result<Vec<String>, String> {
        let mut found = BTreeSet::new();
        let mut list = Vec::new();
        loop {
            let mut ahead = rest.clone();
            let Some(text) = ahead.next() else { break };
            if self.line.parse_move(text).is_err() {
                if LIMITS.contains(text) {
                    break;
                }
                return Err(format!("searchmoves: illegal move {}", cut(text, 40)));
            }
            rest.next();
            // Named twice is named once.
            if found.insert((*text).to_owned()) {
                list.push((*text).to_owned());
            }
        }
        if list.is_empty() {
            return Err("searchmoves without a move".into());
        }
        Ok(list)
    }

    /// `VALUE + TEXT`, `clear + TEXT` or `clearall`, the values of `UCI_SetPositionValue`.
    pub(super) fn check_valued(&self, value: &str) -> Result<(), String> {
        let words: Vec<&str> = value.split_whitespace().collect();
        let (first, text) = match &words[..] {
            ["clearall"] => return Ok(()),
            [first, "+", text @ ..] | [first, text @ ..] => (*first, text.join(" ")),
            [] => return Err("it has no value".into()),
        };
        let is_number = first.parse::<i32>().is_ok();
        if !is_number && first != "clear" {
            return Err("right would be VALUE + FEN, clear + FEN or clearall".into());
        }
        self.read(&text).map(drop)
    }

    /// A position by its text. Names of positions are ours, and no engine's.
    fn read(&self, text: &str) -> Result<AnyLine, String> {
        let refused = |why: &str| format!("invalid position: {}", cut(why, 200));
        let board = text.split_whitespace().next().unwrap_or_default();
        if !board.contains('/') && self.game() != Game::Gyges {
            return Err(refused("it has no ranks"));
        }
        let line = AnyLine::new(self.game(), "", text);
        let line = line.map_err(|error| refused(&error.to_string()))?;
        if self.game() == Game::Chess {
            check_material(&line).map_err(|why| refused(&why))?;
        }
        Ok(line)
    }
}

/// Words of `go`, which end a list of moves.
const LIMITS: [&str; 12] = [
    "infinite",
    "ponder",
    "depth",
    "mate",
    "movestogo",
    "perft",
    "nodes",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movetime",
];

/// Plays moves; gives back the line, and how many half moves are behind the last one that
/// made progress.
fn played(mut line: AnyLine, moves: &[&str]) -> Result<(AnyLine, usize), String> {
    let mut quiet = 0;
    for (n, text) in moves.iter().enumerate() {
        if line.play(text).is_err() {
            let (n, text) = (n + 1, cut(text, 40));
            return Err(format!("illegal move {text}, number {n} of the line"));
        }
        quiet = if line.made_progress() { 0 } else { quiet + 1 };
        if quiet > MOST_QUIET {
            return Err(format!(
                "{quiet} half moves without progress: the game is over by its rules"
            ));
        }
    }
    Ok((line, quiet))
}

/// A long line from the position after its last progress: what came before cannot come
/// again, and engines need not have room for it.
fn shortened(line: &AnyLine, moves: &[&str], quiet: usize) -> String {
    let mut before = line.clone();
    for _ in 0..quiet {
        before.pop();
    }
    let base = format!("fen {}", before.position_text());
    join("position", &base, &moves[moves.len() - quiet..])
}

fn join(word: &str, base: &str, moves: &[&str]) -> String {
    if moves.is_empty() {
        format!("{word} {base}")
    } else {
        format!("{word} {base} moves {}", moves.join(" "))
    }
}

/// A number up to a bound.
fn number(word: &str, value: Option<&&str>, most: u64) -> Result<i64, String> {
    let value = value.copied().unwrap_or_default();
    let number = value.parse::<i64>().ok();
    number
        .filter(|number| number.unsigned_abs() <= most)
        .ok_or_else(|| {
            let value = cut(value, 40);
            format!("{word} '{value}': right would be a number up to {most}")
        })
}

/// No side has more pieces than a game can have: engines count on it.
fn check_material(line: &AnyLine) -> Result<(), String> {
    let pieces = line.pieces();
    for side in Side::BOTH {
        let count = |letters: &str| {
            let own = pieces.iter().filter(|piece| piece.side == Some(side));
            own.filter(|piece| letters.contains(&*piece.piece.to_ascii_uppercase()))
                .count()
        };
        let pawns = count("P");
        let promoted = count("Q").saturating_sub(1)
            + count("R").saturating_sub(2)
            + count("B").saturating_sub(2)
            + count("N").saturating_sub(2);
        if pawns + promoted > 8 {
            return Err(format!("{side} has more pieces than a game can have"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(dialect: Dialect, lines: &[&str]) -> Result<String, String> {
        let mut positions = Positions::new(dialect);
        let mut last = Err("nothing".into());
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            last = positions.judge(&words).expect("about positions");
        }
        last
    }

    #[test]
    fn what_a_game_can_have_is_passed_on() {
        let uci = |lines: &[&str]| judge(Dialect::Uci, lines);
        for line in [
            "position startpos",
            "position startpos moves e2e4 e7e5",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1",
            "position fen 4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
            "go wtime 1000 btime -5 winc 0 binc 0 movestogo 40",
            "go infinite",
            "go searchmoves e2e4 d2d4",
        ] {
            let passed = uci(&[line]);
            assert_eq!(passed.as_deref(), Ok(line));
        }
        let searched = uci(&[
            "position startpos moves e2e4",
            "go searchmoves e7e5 e7e5 depth 3",
        ]);
        assert_eq!(searched.as_deref(), Ok("go searchmoves e7e5 depth 3"));
        let liberty = "position fen qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1 qrbn ff";
        assert_eq!(judge(Dialect::Ulci, &[liberty]).as_deref(), Ok(liberty));
        for (dialect, game) in [(Dialect::Leiser, Game::Leiser), (Dialect::Ugi, Game::Gyges)] {
            let line = AnyLine::start(game);
            let first = line.legal_moves(1).remove(0).text;
            let text = format!("position fen {} moves {first}", line.start_text());
            assert_eq!(judge(dialect, &[&text]), Ok(text.clone()), "{text}");
        }
    }

    /// What ended engines that are written in languages without bounds.
    #[test]
    fn what_no_game_can_have_is_refused() {
        let kings = format!("position fen {} w - - 0 1", "K".repeat(6000));
        let moves = format!("position startpos moves{}", " e2e4".repeat(3000));
        let shuffle = format!(
            "position startpos moves{}",
            " g1f3 g8f6 f3g1 f6g8".repeat(750)
        );
        let search = format!("go searchmoves{}", " a1a8".repeat(2400));
        for line in [
            &*kings,
            &*moves,
            &*shuffle,
            &*search,
            "position fen QQQQQQQQ/QQQQQQQQ/8/k7/8/8/8/K7 w - - 0 1",
            "position fen kiwipete",
            "position",
            "position fen",
            "position dance",
            "position startpos fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position startpos moves e2e5",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "go depth 99999999999999999999",
            "go depth 100000",
            "go depth",
            "go nodes x",
            "go searchmoves",
            "go searchmoves e7e5",
            "go dance",
            "perft 99",
            "setpos data xyz",
        ] {
            let judged = judge(Dialect::Uci, &[line]);
            let why = judged.expect_err(&line[..line.len().min(60)]);
            assert!(why.len() < 300, "{why}");
        }
    }

    /// A game that is longer than an engine has room for begins at its last progress.
    #[test]
    fn a_long_game_is_shortened() {
        let mut line = AnyLine::start(Game::Chess);
        let mut texts = Vec::new();
        // Pawn moves, and knights to and fro between them.
        for file in ["a", "b", "c", "d", "e", "h"] {
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(20) {
                texts.push(text.to_owned());
            }
            texts.extend([format!("{file}2{file}3"), format!("{file}7{file}6")]);
        }
        for text in &texts {
            line.play(text).expect("legal");
        }
        let long = format!("position startpos moves {}", texts.join(" "));
        let passed = judge(Dialect::Uci, &[&long]).expect("legal");
        assert!(texts.len() > LONG_GAME && passed.len() < 100, "{passed}");
        assert_eq!(passed, format!("position fen {}", line.position_text()));
    }

    #[test]
    fn values_of_positions_are_read() {
        let positions = Positions::new(Dialect::Uci);
        let start = AnyLine::start(Game::Chess).start_text();
        for good in [
            format!("50 + {start}"),
            format!("clear + {start}"),
            "clearall".into(),
        ] {
            assert_eq!(positions.check_valued(&good), Ok(()));
        }
        for bad in ["50", "dance", "50 + KKKK/8 w", ""] {
            assert!(positions.check_valued(bad).is_err(), "{bad}");
        }
    }
}
