//! Files of problems: a position on a line, and what is to be found there.

use quadrille_games::chess::{Chess, ChessRules, Epd, Operand};
use quadrille_games::{AnyLine, AnyMove, Game, Position};

/// What is to be found in a position.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Its `id`, or `line 7`.
    pub label: String,
    /// Where it stands, from 1.
    pub line: u64,
    /// The position.
    pub position: AnyLine,
    /// One of these moves is right (`bm`); if there are none, all are.
    pub best: Vec<AnyMove>,
    /// These are wrong (`am`).
    pub avoid: Vec<AnyMove>,
    /// A mate in so many moves or fewer must be seen (`dm`, or `bm #7`); below zero
    /// the side to move is mated (`bm #-7`).
    pub mate: Option<i32>,
}

/// A line that is no problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenLine {
    /// Which, from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// The problems of a file, and the lines that are none.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// In the order of the file.
    pub problems: Vec<Problem>,
    /// Likewise.
    pub broken: Vec<BrokenLine>,
}

impl Suite {
    /// Reads a suite. Empty lines and those that begin with `#` are passed over.
    ///
    /// Chess has EPD: four fields of a FEN and operations. In the other games a
    /// semicolon ends the position: `POSITION; bm MOVE; id "name";`.
    ///
    /// ```
    /// use quadrille_games::Game;
    /// use quadrille_analysis::solve::Suite;
    ///
    /// let text = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank\";\n\
    ///             6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;\nnonsense\n";
    /// let suite = Suite::read(text.as_bytes(), Game::Chess, "");
    /// assert_eq!(suite.problems[0].label, "back rank");
    /// assert_eq!(suite.problems[1].mate, Some(1));
    /// assert_eq!(suite.broken[0].line, 3);
    /// ```
    pub fn read(text: &[u8], game: Game, rules: &str) -> Self {
        let mut suite = Self::default();
        for (index, line) in text.split(|b| *b == b'\n').enumerate() {
            let number = index as u64 + 1;
            let line = String::from_utf8_lossy(line);
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match problem(line, number, game, rules) {
                Ok(problem) => suite.problems.push(problem),
                Err(reason) => suite.broken.push(BrokenLine {
                    line: number,
                    reason,
                }),
            }
        }
        suite
    }
}

/// Kings alone: a position that operations of other games can stand behind.
const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - - ";

fn problem(text: &str, number: u64, game: Game, rules: &str) -> Result<Problem, String> {
    let (epd, position) = if game == Game::Chess {
        let rules = Chess::rules_from_text(rules).map_err(|error| error.to_string())?;
        let epd = Epd::parse(text, &rules).map_err(|error| error.to_string())?;
        let words = Chess::rules_text(&epd.position.rules());
        let position = AnyLine::new(game, &words, &epd.position.text());
        (epd, position)
    } else {
        let (position, operations) = text
            .split_once(';')
            .ok_or("a semicolon must end the position: POSITION; bm MOVE;")?;
        let operations = format!("{BARE}{operations}");
        let epd =
            Epd::parse(&operations, &ChessRules::default()).map_err(|error| error.to_string())?;
        (epd, AnyLine::new(game, rules, position.trim()))
    };
    let position = position.map_err(|error| error.to_string())?;
    if let Some(outcome) = position.outcome() {
        return Err(format!("the game is over here: {outcome}"));
    }
    let mut mate = match epd.operands("dm").and_then(<[Operand]>::first) {
        Some(word) => Some(number_of(word.as_str(), "dm")?),
        None => None,
    };
    let mut best = Vec::new();
    for word in epd.operands("bm").unwrap_or_default() {
        // Some suites write the mate where the move should stand.
        match word.as_str().strip_prefix('#') {
            Some(moves) => mate = Some(number_of(moves, "bm #")?),
            None => best.push(a_move(&position, word.as_str())?),
        }
    }
    let avoid = epd.operands("am").unwrap_or_default().iter();
    let avoid: Result<Vec<_>, _> = avoid.map(|word| a_move(&position, word.as_str())).collect();
    let avoid = avoid?;
    if best.is_empty() && avoid.is_empty() && mate.is_none() {
        return Err("it does not say what is to be found: bm, am or dm is missing".into());
    }
    let id = epd.operands("id").and_then(<[Operand]>::first);
    let label = id.map(|id| id.as_str().trim()).filter(|id| !id.is_empty());
    Ok(Problem {
        label: label.map_or_else(|| format!("line {number}"), Into::into),
        line: number,
        position,
        best,
        avoid,
        mate,
    })
}

fn number_of(word: &str, opcode: &str) -> Result<i32, String> {
    match word.parse() {
        Ok(moves) if moves != 0 => Ok(moves),
        _ => Err(format!("{opcode} {word}: a number of moves was expected")),
    }
}

fn a_move(position: &AnyLine, word: &str) -> Result<AnyMove, String> {
    let found = position.parse_notation(word);
    let found = found.or_else(|error| position.parse_move(word).map_err(|_| error));
    found.map_err(|error| error.to_string())
}

impl Problem {
    /// Whether this move, with a mate in so many moves if one was seen, is what is
    /// asked for.
    pub(crate) fn is_solved_by(&self, played: AnyMove, mate: Option<i64>) -> bool {
        let in_time = |most: i32| {
            let (most, seen) = (i64::from(most), mate.unwrap_or(0));
            seen.signum() == most.signum() && seen.unsigned_abs() <= most.unsigned_abs()
        };
        (self.best.is_empty() || self.best.contains(&played))
            && !self.avoid.contains(&played)
            && self.mate.is_none_or(in_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_lines_have_their_reasons() {
        let text = "\u{feff}# a suite\n\n8/8/8/8/8/8/8/8 w - - bm e4;\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - dm soon;\n7k/5QK1/8/8/8/8/8/8 b - - bm Kg8;\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; am Kd1\r\n";
        let suite = Suite::read(text.as_bytes(), Game::Chess, "");
        let lines: Vec<_> = suite.broken.iter().map(|broken| broken.line).collect();
        assert_eq!(lines, [3, 4, 5, 6, 7]);
        assert!(suite.broken[2].reason.contains("bm, am or dm"));
        assert_eq!(suite.problems[0].label, "line 8");
        assert_eq!(
            (suite.problems[0].best.len(), suite.problems[0].avoid.len()),
            (1, 1)
        );
    }

    #[test]
    fn a_mate_must_be_seen_in_time() {
        let text = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm #2;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra7;\n";
        let suite = Suite::read(text.as_bytes(), Game::Chess, "");
        let [mate, avoid] = &suite.problems[..] else {
            panic!("{:?}", suite.broken);
        };
        let played = |text| mate.position.parse_notation(text).unwrap();
        assert!(mate.is_solved_by(played("Ra8"), Some(1)));
        assert!(
            !mate.is_solved_by(played("Ra8"), Some(3)) && !mate.is_solved_by(played("Ra8"), None)
        );
        assert!(!mate.is_solved_by(played("Ra8"), Some(-1)));
        let lost = Problem {
            mate: Some(-3),
            ..mate.clone()
        };
        assert!(lost.is_solved_by(played("Ra8"), Some(-2)));
        assert!(!lost.is_solved_by(played("Ra8"), Some(-4)));
        assert!(!lost.is_solved_by(played("Ra8"), Some(2)));
        assert!(
            avoid.is_solved_by(played("Ra8"), None) && !avoid.is_solved_by(played("Ra7"), None)
        );
    }

    #[test]
    fn other_games_have_problems_too() {
        for game in [Game::Liberty, Game::Leiser, Game::Gyges] {
            let line = AnyLine::start(game);
            let first = line.legal_moves(1).remove(0);
            let text = format!(
                "{}; bm {}; id \"first\"",
                line.position_text(),
                first.notation
            );
            let suite = Suite::read(text.as_bytes(), game, "");
            assert_eq!(suite.broken, [], "{text}");
            assert_eq!(suite.problems[0].best.len(), 1);
        }
    }
}
