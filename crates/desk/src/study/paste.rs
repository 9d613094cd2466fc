//! Whatever a person pastes: games, positions, lists of moves.

use quadrille_client::dialect_of;
use quadrille_games::records::AnyRecord;
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{Command, SetPos};

use super::MOST_NODES;
use crate::wire::{Refusal, RefusalCode};

/// Longer texts are refused.
pub const LONGEST_TEXT: usize = 32 << 20;
/// More games of one text are not read.
pub(crate) const MOST_GAMES: usize = 20_000;
/// More complaints are not told.
const MOST_TROUBLES: usize = 50;

/// What was found in a text.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) records: Vec<AnyRecord>,
    /// Whether they are games; one position otherwise.
    pub(crate) are_games: bool,
    /// What could not be read, with place and reason.
    pub(crate) troubles: Vec<String>,
}

/// Reads a text. `game` is what the person has in front of them; records that name
/// their own game are of that one.
pub(crate) fn read(text: &str, game: Option<Game>) -> Result<Found, Refusal> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(unreadable("there is nothing in the text"));
    }
    if text.len() > LONGEST_TEXT {
        return Err(Refusal::too_much("the text is longer than 32 MiB"));
    }
    if let Some(line) = position(text, game)? {
        return Ok(Found {
            records: vec![AnyRecord::from_line(&line)],
            are_games: false,
            troubles: Vec::new(),
        });
    }
    games(text, game.unwrap_or(Game::Chess))
}

fn games(text: &str, usual: Game) -> Result<Found, Refusal> {
    let mut troubles = Vec::new();
    let mut records = Vec::new();
    for (record, diagnostics) in AnyRecord::read(text.as_bytes(), usual, MOST_GAMES) {
        let errors = diagnostics.iter().filter(|d| d.loses_moves());
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        let nothing = !record.is_game();
        if nothing || record.len() > MOST_NODES {
            let why = errors.into_iter().next();
            let small = if nothing {
                "no moves were found"
            } else {
                "the game is too large"
            };
            troubles.push(why.unwrap_or_else(|| small.into()));
            continue;
        }
        troubles.extend(errors);
        records.push(record);
    }
    if records.is_empty() {
        let why = troubles.into_iter().next();
        let why = why.unwrap_or_else(|| "neither a position nor moves of a game".into());
        return Err(unreadable(&why));
    }
    troubles.truncate(MOST_TROUBLES);
    Ok(Found {
        records,
        are_games: true,
        troubles,
    })
}

fn unreadable(why: &str) -> Refusal {
    Refusal::new(RefusalCode::Record, why)
}

/// A position, in one line: as its game writes it, or as a command to an engine.
fn position(text: &str, game: Option<Game>) -> Result<Option<AnyLine>, Refusal> {
    if text.contains('\n') && text.len() > 10_000 {
        return Ok(None);
    }
    let one_line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = one_line.strip_prefix("fen ").unwrap_or(&one_line);
    // The board of a broken position of chess may well be one of Liberty Chess: where
    // nobody spoke of that, the fault is told.
    if game != Some(Game::Liberty) && has_chess_board(bare) {
        let line = AnyLine::new(Game::Chess, "", without_operations(bare));
        return line
            .map(Some)
            .map_err(|error| unreadable(&error.to_string()));
    }
    let mut candidates: Vec<Game> = game.into_iter().collect();
    candidates.extend(Game::ALL.into_iter().filter(|other| Some(*other) != game));
    for game in candidates {
        if let Some(line) = command(&one_line, game) {
            return Ok(Some(line));
        }
        // A single word could be the name of a preset, or a number: those are not what
        // people paste, and `e4` is no position.
        let looks = bare.contains('/') || (game == Game::Gyges && bare.len() >= 36);
        if looks && let Ok(line) = AnyLine::new(game, "", bare) {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// Whether a text begins with a board of eight ranks with chess pieces on it, most of
/// them eight files wide.
fn has_chess_board(text: &str) -> bool {
    let board = text.split(' ').next().unwrap_or_default();
    let pieces = |c: char| "pnbrqkPNBRQK/".contains(c) || c.is_ascii_digit();
    let width = |rank: &str| -> u32 { rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum() };
    let whole = board.split('/').filter(|rank| width(rank) == 8).count();
    board.chars().all(pieces) && board.split('/').count() == 8 && whole >= 4
}

/// The fields of a position, without the operations of EPD behind them.
fn without_operations(text: &str) -> &str {
    let is_count = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let mut spaces = text.match_indices(' ').map(|(at, _)| at);
    match spaces.nth(3) {
        Some(end) if !is_count(text[end + 1..].split(' ').next().unwrap_or_default()) => {
            &text[..end]
        }
        _ => text,
    }
}

/// `position fen ... moves ...` or `setpos data ...`.
fn command(text: &str, game: Game) -> Option<AnyLine> {
    let (base, moves) = match Command::parse(text.as_bytes(), dialect_of(game)).message {
        Command::Position(set) if text.starts_with("position") => (set.base.text(), set.moves),
        Command::SetPos(SetPos::Data(board)) if text.starts_with("setpos") => (board, None),
        _ => return None,
    };
    let mut line = AnyLine::new(game, "", &base.to_string()).ok()?;
    for text in moves.into_iter().flatten() {
        line.play_notation(&text.to_string()).ok()?;
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, game: Option<Game>) -> (Game, String) {
        let found = read(text, game).unwrap();
        let record = &found.records[0];
        let last = record.last(quadrille_games::records::NodeId::ROOT);
        (record.game(), record.line(last).position_text())
    }

    #[test]
    fn all_that_people_paste() {
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        for text in [
            "1. e4 e5",
            "1.e4 e5 *",
            "e4 e5",
            "e2e4 e7e5",
            "position startpos moves e2e4 e7e5",
            after,
            "fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n\n1. d4 *",
        ] {
            assert_eq!(found(text, None), (Game::Chess, after.into()), "{text}");
        }
        assert_eq!(
            found(
                "ss3nw3/3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN W",
                None
            )
            .0,
            Game::Leiser
        );
        assert_eq!(
            found("321123/000000/000000/000000/000000/321123", None).0,
            Game::Gyges
        );
        assert_eq!(
            found("setpos data 32112300000000000000000000000032112300", None).0,
            Game::Gyges
        );
        assert_eq!(found("1. h4g5", Some(Game::Leiser)).0, Game::Leiser);
        assert_eq!(
            found("qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1", None).0,
            Game::Liberty
        );
        assert_eq!(found(after, Some(Game::Liberty)).0, Game::Liberty);
    }

    #[test]
    fn a_broken_position_of_chess_is_told_and_not_taken_for_another_game() {
        let good = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        let epd =
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id \"a/b\";";
        assert_eq!(found(epd, None).0, Game::Chess);
        assert_eq!(found(epd, Some(Game::Gyges)).0, Game::Chess);
        for (from, to, reason) in [
            ("RNBQKB1R w", "RNBQ1B1R w", "king"),
            ("RNBQKB1R w", "RNBQKB2R w", "rank"),
            (" w ", " x ", "x"),
            ("/PPPP1PPP/", "/PPPP9PPP/", "9"),
        ] {
            let bad = good.replace(from, to);
            for game in [None, Some(Game::Chess), Some(Game::Leiser)] {
                let refusal = read(&bad, game).unwrap_err();
                assert!(refusal.words.contains(reason), "{bad}: {}", refusal.words);
            }
        }
        let without_king = good.replace("QKB1R", "Q1B1R");
        assert_eq!(found(&without_king, Some(Game::Liberty)).0, Game::Liberty);
    }

    #[test]
    fn what_is_nothing_is_refused_with_a_reason() {
        for text in [
            "",
            "   ",
            "hello there",
            "<script>alert(1)</script>",
            "{",
            "((((",
            "[",
            "\u{0}",
        ] {
            let refusal = read(text, None).err();
            if let Some(refusal) = refusal {
                assert!(!refusal.words.is_empty(), "{text}");
            }
        }
        for junk in ["hello there", "[section]\nkey = value", "{\"json\": [1]}"] {
            assert!(read(junk, None).is_err(), "{junk}");
        }
    }

    #[test]
    fn a_comment_without_its_end_is_told_with_its_place() {
        let found = read("[White \"A\"]\n\n1. d4 d5\n2. c4 {good e6 3. Nc3 *", None).unwrap();
        assert_eq!(found.records.len(), 1);
        let [trouble] = &found.troubles[..] else {
            panic!("{:?}", found.troubles);
        };
        assert!(
            trouble.starts_with("game 1, line 4, column 7: "),
            "{trouble}"
        );
    }
}
