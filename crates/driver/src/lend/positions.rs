//! Which positions, moves and limits of a client a lent engine is given.
//!
//! Engines trust their host to send legal positions: many keep boards, lists of moves and
//! the history of a game in arrays of a fixed size and write behind their end otherwise.
//! So everything is played through with our own rules first, and only what can occur in a
//! game is passed on. Positions and moves are written anew, never copied from the client:
//! our reader forgives what an engine may not, such as castling rights without their rook.

use std::collections::BTreeSet;

use quadrille_games::{AnyLine, Game, Side};
use quadrille_net::sanitize::cut;
use quadrille_protocol::Dialect;

/// Half moves that engines have room for; the line of a longer game begins later.
const LONG_GAME: usize = 400;
/// Half moves without progress that are passed on. By the rules of every game it is over
/// long before.
const MOST_QUIET: usize = 400;
/// The longest line of a position, and of anything else: of a game on a fixed board, and
/// of Liberty Chess.
const LONGEST: [[usize; 2]; 2] = [[32 << 10, 4 << 10], [256 << 10, 64 << 10]];
/// The largest numbers behind words of `go`.
const MOST_PLIES: i64 = 1000;
const MOST_PERFT: i64 = 20;
const MOST_NUMBER: i64 = i32::MAX as i64;
const MOST_NODES: i64 = 1 << 53;

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
    chess960: Chess960,
}

/// `UCI_Chess960` of the engine.
#[derive(Debug, Clone, Copy, Default)]
struct Chess960 {
    /// The default it declares, if it has the option.
    declared: Option<bool>,
    /// The value that was set.
    set: Option<bool>,
}

impl Chess960 {
    /// Returns an error if the engine does not expect castling rights of Chess960.
    fn check(self) -> Result<(), String> {
        match (self.declared, self.set) {
            (_, Some(true)) | (Some(true), None) => Ok(()),
            (Some(_), _) => Err("set UCI_Chess960 to true first".into()),
            (None, _) => Err("the engine has no option UCI_Chess960".into()),
        }
    }
}

impl Positions {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            line: AnyLine::start(game_of(dialect)),
            chess960: Chess960::default(),
        }
    }

    /// Records that the engine declares `UCI_Chess960`, with its default.
    pub(super) const fn declare_chess960(&mut self, default: bool) {
        self.chess960.declared = Some(default);
    }

    /// Records a value of `UCI_Chess960` that is passed on.
    pub(super) const fn set_chess960(&mut self, value: bool) {
        self.chess960.set = Some(value);
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
            ["perft", rest @ ..] => {
                number("perft", rest.first(), 1, MOST_PERFT).map(|depth| format!("perft {depth}"))
            }
            ["ucinewgame" | "uginewgame", ..] => {
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
        let text = match start {
            ["startpos" | "classic"] => String::new(),
            ["fen", fen @ ..] if !fen.is_empty() => fen.join(" "),
            _ => return Err("a position is startpos, or fen and its text".into()),
        };
        let begun = if text.is_empty() {
            AnyLine::new(self.game(), self.rules(), "").map_err(|error| error.to_string())?
        } else {
            self.read(&text)?
        };
        let base = match start {
            ["fen", ..] => format!("fen {}", begun.position_text()),
            named => named.join(" "),
        };
        let (line, quiet) = played(begun, moves)?;
        let texts = line.played_texts();
        let passed = if texts.len() <= LONG_GAME {
            join("position", &base, &texts)
        } else {
            shortened(&line, &texts, quiet)
        };
        self.line = line;
        Ok(passed)
    }

    /// `setpos data BOARD`, or a name that UGI knows.
    fn set_board(&mut self, words: &[&str]) -> Result<String, String> {
        if self.game() != Game::Gyges {
            return Err("setpos is a word of UGI; right would be position".into());
        }
        match words {
            ["data", board @ ..] => {
                self.line = self.read(&board.join(" "))?;
                if let AnyLine::Gyges(line) = &self.line {
                    return Ok(format!("setpos data {}", line.position().ugi_text()));
                }
            }
            ["start"] => self.line = AnyLine::start(self.game()),
            ["bench" | "test" | "draw"] => {}
            _ => return Err("setpos is followed by start, or data and a board".into()),
        }
        Ok(format!("setpos {}", words.join(" ")))
    }

    /// Leiserchess' `move`.
    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        if self.game() != Game::Leiser {
            return Err("move is a word of Leiserchess; right would be position".into());
        }
        let [text] = words else {
            return Err("move is followed by one move".into());
        };
        let played = self.line.play(text);
        let played = played.map_err(|_| format!("illegal move {}", cut(text, 40)))?;
        Ok(format!("move {}", played.text))
    }

    /// `go` with its limits.
    fn go(&self, words: &[&str]) -> Result<String, String> {
        let mut passed = vec!["go".to_owned()];
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            passed.push((*word).into());
            // Some clocks have run out already; nothing else is negative.
            let (least, most) = match *word {
                "infinite" | "ponder" => continue,
                "searchmoves" | "moves" => {
                    passed.extend(self.root_moves(rest.by_ref())?);
                    continue;
                }
                "depth" | "mate" | "movestogo" => (1, MOST_PLIES),
                "perft" => (1, MOST_PERFT),
                "nodes" => (0, MOST_NODES),
                "wtime" | "btime" => (-MOST_NUMBER, MOST_NUMBER),
                "winc" | "binc" | "movetime" => (0, MOST_NUMBER),
                other => {
                    let word = cut(other, 40);
                    return Err(format!("go: unknown word '{word}' is not passed on"));
                }
            };
            passed.push(number(word, rest.next(), least, most)?.to_string());
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
            let read = self.line.parse_move(text);
            let Ok(text) = read.and_then(|m| self.line.text_of(m)) else {
                if LIMITS.contains(text) {
                    break;
                }
                return Err(format!("searchmoves: illegal move {}", cut(text, 40)));
            };
            rest.next();
            // Named twice is named once.
            if found.insert(text.clone()) {
                list.push(text);
            }
        }
        if list.is_empty() {
            return Err("searchmoves without a move".into());
        }
        Ok(list)
    }

    /// Returns the value of `UCI_SetPositionValue` to pass on for one of a client:
    /// `VALUE + TEXT`, `clear + TEXT` or `clearall`.
    pub(super) fn valued(&self, value: &str) -> Result<String, String> {
        let words: Vec<&str> = value.split_whitespace().collect();
        let (first, text) = match &words[..] {
            ["clearall"] => return Ok("clearall".into()),
            [first, "+", text @ ..] | [first, text @ ..] => (*first, text.join(" ")),
            [] => return Err("it has no value".into()),
        };
        let first = match first.parse::<i32>() {
            Ok(number) => number.to_string(),
            Err(_) if first == "clear" => first.into(),
            Err(_) => return Err("right would be VALUE + FEN, clear + FEN or clearall".into()),
        };
        Ok(format!("{first} + {}", self.read(&text)?.position_text()))
    }

    /// The rules of lines, which decide how castling is written.
    fn rules(&self) -> &'static str {
        match (self.game(), self.chess960.set) {
            (Game::Chess, Some(true)) => "chess960",
            _ => "",
        }
    }

    /// A position by its text. Names of positions are ours, and no engine's.
    fn read(&self, text: &str) -> Result<AnyLine, String> {
        let refused = |why: &str| format!("invalid position: {}", cut(why, 200));
        let board = text.split_whitespace().next().unwrap_or_default();
        if !board.contains('/') && self.game() != Game::Gyges {
            return Err(refused("it has no ranks"));
        }
        let line = AnyLine::new(self.game(), self.rules(), text);
        let line = line.map_err(|error| refused(&error.to_string()))?;
        if self.game() == Game::Chess {
            check_material(&line).map_err(|why| refused(&why))?;
        }
        let AnyLine::Chess(chess) = &line else {
            return Ok(line);
        };
        let quiet = chess.position().halfmove_clock();
        if usize::try_from(quiet).is_ok_and(|quiet| quiet > MOST_QUIET) {
            return Err(refused(&format!("{quiet} half moves without progress")));
        }
        if chess.position().is_chess960() {
            self.chess960
                .check()
                .map_err(|why| refused(&format!("it has castling rights of Chess960; {why}")))?;
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
fn shortened(line: &AnyLine, moves: &[String], quiet: usize) -> String {
    let mut before = line.clone();
    for _ in 0..quiet {
        before.pop();
    }
    let base = format!("fen {}", before.position_text());
    join("position", &base, &moves[moves.len() - quiet..])
}

fn join(word: &str, base: &str, moves: &[String]) -> String {
    if moves.is_empty() {
        format!("{word} {base}")
    } else {
        format!("{word} {base} moves {}", moves.join(" "))
    }
}

/// Reads a number between two bounds.
fn number(word: &str, value: Option<&&str>, least: i64, most: i64) -> Result<i64, String> {
    let value = value.copied().unwrap_or_default();
    let number = value.parse::<i64>().ok();
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| {
            let value = cut(value, 40);
            format!("{word} '{value}': right would be a number from {least} to {most}")
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
            "perft -1",
            "perft 0",
            "go perft -1",
            "go perft 0",
            "go perft 21",
            "go depth -5",
            "go depth 0",
            "go mate -1",
            "go mate 0",
            "go movestogo 0",
            "go movestogo -1",
            "go nodes -9007199254740992",
            "go winc -1",
            "go binc -1",
            "go movetime -1",
            "go wtime -9223372036854775808",
            "setpos start",
            "move e2e4",
            "setpos data xyz",
            "position fen 7k/8/8/8/8/7P/8/K7 w - - 401 1",
        ] {
            let judged = judge(Dialect::Uci, &[line]);
            let why = judged.expect_err(&line[..line.len().min(60)]);
            assert!(why.len() < 300, "{why}");
        }
    }

    /// Our reader forgives more than engines do, so none of a client's own text may reach
    /// them. The castling rights without rooks ended three of them.
    #[test]
    fn positions_and_moves_are_written_anew() {
        let castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let pawn = "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1";
        let kings = "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for (line, passed) in [
            ("position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", kings),
            ("position fen 4k3/8/8/8/8/8/8/4K3 w HAha - 0 1", kings),
            ("position fen 4k3/8/8/8/44/8/8/4K3 W KQkqKQkq e6 0 0", kings),
            ("position fen 4k3/8/8/8/8/8/8/4K3 w", kings),
            (
                "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAhaQ - 0 1",
                castling,
            ),
            (
                "position fen r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
                "position fen r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1",
            ),
            ("position startpos moves", "position startpos"),
            (
                "position startpos moves E2E4",
                "position startpos moves e2e4",
            ),
            ("go searchmoves E2E4 e2e4", "go searchmoves e2e4"),
            ("go depth +3", "go depth 3"),
            ("perft 3 position fen KKKK", "perft 3"),
        ] {
            assert_eq!(
                judge(Dialect::Uci, &[line]).as_deref(),
                Ok(passed),
                "{line}"
            );
        }
        for text in ["O-O", "0-0", "e1h1", "E1G1"] {
            let line = format!("{castling} moves {text}");
            let passed = format!("{castling} moves e1g1");
            assert_eq!(judge(Dialect::Uci, &[&line]), Ok(passed), "{text}");
        }
        for text in ["a7a8Q", "a7a8=Q", "a7a8=q", "A7A8/q"] {
            let line = format!("{pawn} moves {text}");
            assert_eq!(
                judge(Dialect::Uci, &[&line]),
                Ok(format!("{pawn} moves a7a8q"))
            );
        }
        // By the name of a position of ours, too.
        let gyges = AnyLine::start(Game::Gyges);
        let AnyLine::Gyges(line) = &gyges else {
            panic!("another game");
        };
        let passed = format!("setpos data {}", line.position().ugi_text());
        assert_eq!(judge(Dialect::Ugi, &["setpos data start"]), Ok(passed));
    }

    /// Castling rights of Chess960 end engines that do not expect them.
    #[test]
    fn chess960_needs_its_option() {
        let inside = "position fen 4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1 moves e1g1";
        let usual = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1";
        let mut positions = Positions::new(Dialect::Uci);
        let judge = |positions: &mut Positions, line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            positions.judge(&words).expect("about positions")
        };
        let why = judge(&mut positions, inside).expect_err("there is no option");
        assert!(why.contains("has no option UCI_Chess960"), "{why}");
        positions.declare_chess960(false);
        let why = judge(&mut positions, inside).expect_err("it is off");
        assert!(why.contains("set UCI_Chess960 to true first"), "{why}");
        assert_eq!(judge(&mut positions, usual).as_deref(), Ok(usual));
        positions.set_chess960(true);
        assert_eq!(judge(&mut positions, inside).as_deref(), Ok(inside));
        // Castling is written as the option asks for.
        assert_eq!(
            judge(&mut positions, usual),
            Ok(usual.replace("e1g1", "e1h1"))
        );
        positions.set_chess960(false);
        assert!(judge(&mut positions, inside).is_err());
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
            assert_eq!(positions.valued(&good), Ok(good));
        }
        for bad in ["50", "dance", "50 + KKKK/8 w", ""] {
            assert!(positions.valued(bad).is_err(), "{bad}");
        }
    }
}
