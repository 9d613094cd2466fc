//! A game as the positions that engines are asked about.

use quadrille_games::chess::openings;
use quadrille_games::records::{NodeId, Reader, Record, Severity};
use quadrille_games::{AnyLine, Game, Outcome, Position, match_game};

use super::event::Kept;
use super::games::GameText;
use super::report::{Heading, MoveReport, OpeningName};
use super::times::Times;

/// Boards with more squares than this can have millions of moves; it is not
/// looked whether there was only one.
const MOST_SQUARES: u32 = 1024;

/// A position of the main line.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// Everything that an answer depends on but the asker: see [`key`].
    pub(super) key: String,
    /// The rules have ended the game here.
    pub(super) over: Option<Outcome>,
}

/// A game that was read.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) number: u64,
    pub(super) file_line: u64,
    pub(super) rules: String,
    /// The whole main line.
    pub(super) line: AnyLine,
    pub(super) heading: Heading,
    pub(super) opening: Option<OpeningName>,
    /// One more than there are moves.
    pub(super) positions: Vec<Asked>,
    /// The moves, not yet judged.
    pub(super) moves: Vec<MoveReport>,
}

/// Why a game is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unfit {
    pub(super) line: u64,
    pub(super) why: Kept,
    pub(super) reason: String,
}

impl Subject {
    pub(super) fn game(&self) -> Game {
        self.line.game()
    }

    /// How many positions an engine has something to say about.
    pub(super) fn open_positions(&self) -> u64 {
        let open = self.positions.iter().filter(|asked| asked.over.is_none());
        open.count() as u64
    }

    /// Reads a game; every move has been checked.
    pub(super) fn read(text: GameText<'_>) -> Result<Self, Unfit> {
        match_game!(text.game, P => read::<P>(text))
    }
}

/// The record of a game, if nothing in it is wrong.
pub(super) fn record<P: Position>(text: GameText<'_>) -> Result<Record<P>, Unfit> {
    let mut reader = Reader::<P, _>::new(text.bytes);
    let read = reader.read_record();
    let wrong = reader.diagnostics().iter();
    if let Some(first) = wrong.clone().find(|d| d.severity() == Severity::Error) {
        let mut reason = first.code.sentence().to_owned();
        if !first.detail.is_empty() {
            reason = format!("{reason} ({})", first.detail);
        }
        return Err(Unfit {
            line: text.line + first.line - 1,
            why: Kept::Broken,
            reason,
        });
    }
    match read {
        Ok(Some(record)) if !record.is_empty() => Ok(record),
        _ => Err(Unfit {
            line: text.line,
            why: Kept::Empty,
            reason: "there are no moves".into(),
        }),
    }
}

/// The nodes of the main line; a null move ends it, because no engine can be told
/// of one.
pub(super) fn main_nodes<P: Position>(record: &Record<P>) -> Vec<NodeId> {
    let nodes = record.main_line();
    nodes.take_while(|id| !record.is_pass(*id)).collect()
}

fn read<P: Position>(text: GameText<'_>) -> Result<Subject, Unfit>
where
    AnyLine: From<quadrille_games::Line<P>>,
{
    let record = record::<P>(text)?;
    let nodes = main_nodes(&record);
    let line: AnyLine = record
        .line(nodes.last().copied().unwrap_or(NodeId::ROOT))
        .into();
    let rules = P::rules_text(&record.start().rules());
    let mut subject = Subject {
        number: text.number,
        file_line: text.line,
        heading: heading(&record),
        opening: openings::name_of(&line).map(|found| OpeningName {
            eco: found.eco.into(),
            name: found.name.clone(),
        }),
        positions: Vec::with_capacity(nodes.len() + 1),
        moves: Vec::with_capacity(nodes.len()),
        rules,
        line,
    };
    subject.walk();
    let times = Times::read(&record, &nodes);
    for (played, (elapsed, clock)) in subject.moves.iter_mut().zip(times.moves) {
        (played.elapsed, played.clock) = (elapsed, clock);
    }
    Ok(subject)
}

fn heading<P: Position>(record: &Record<P>) -> Heading {
    let tag = |name| record.tag(name).unwrap_or("?").to_owned();
    Heading {
        event: tag("Event"),
        site: tag("Site"),
        date: tag("Date"),
        round: tag("Round"),
        white: tag("White"),
        black: tag("Black"),
        result: record.result().word().into(),
    }
}

impl Subject {
    /// Goes through the main line once and notes what there is to know.
    fn walk(&mut self) {
        let views = self.line.moves();
        let played = self.line.played();
        let mut at = self.line.clone();
        while at.pop().is_some() {}
        let (files, ranks) = at.size();
        let small = u32::from(files) * u32::from(ranks) <= MOST_SQUARES;
        // Where the positions begin that can still be repeated.
        let mut since = 0;
        for (index, view) in views.into_iter().enumerate() {
            self.positions.push(asked(&at, &self.rules, since));
            self.moves.push(MoveReport {
                ply: index + 1,
                number: at.move_number(),
                side: at.side(),
                text: view.text,
                notation: view.notation,
                squares: view.squares,
                forced: small && at.legal(2).len() == 1,
                best: None,
                loss: None,
                judgement: None,
                only: false,
                accuracy: None,
                elapsed: None,
                clock: None,
            });
            // The line has them all, so none is refused.
            if at.push(played[index]).is_err() {
                break;
            }
            if at.made_progress() {
                since = index + 1;
            }
        }
        self.positions.push(asked(&at, &self.rules, since));
        self.moves.truncate(at.plies());
        while self.line.plies() > at.plies() {
            self.line.pop();
        }
    }
}

fn asked(at: &AnyLine, rules: &str, since: usize) -> Asked {
    Asked {
        key: key(at, rules, since),
        over: at.outcome(),
    }
}

/// A position as far as an answer can depend on it: game, rules, the position
/// with its counters, and the earlier positions that could still be repeated. Two
/// games that come to the same position on different ways share an answer only if
/// no repetition can tell them apart.
fn key(at: &AnyLine, rules: &str, since: usize) -> String {
    let keys = at.keys();
    let earlier = keys.get(since..keys.len() - 1).unwrap_or_default();
    // The order of the positions is part of it: a little less is shared, and
    // nothing wrongly.
    let mut history: u64 = 0;
    for key in earlier {
        history = (history.rotate_left(5) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    format!("{}|{rules}|{}|{history:x}", at.game(), at.position_text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;

    fn subject(text: &str) -> Result<Subject, Unfit> {
        let games = Games::read(text.as_bytes());
        Subject::read(games.get(0).unwrap())
    }

    #[test]
    fn a_game_is_its_positions_and_moves() {
        let game = subject("[White \"a\"]\n\n1. f3 e5 2. g4 (2. e4) Qh4# 0-1").unwrap();
        assert_eq!(game.moves.len(), 4);
        assert_eq!(game.positions.len(), 5);
        assert_eq!(game.open_positions(), 4);
        assert!(game.positions[4].over.is_some());
        assert_eq!(game.moves[3].numbered(), "2... Qh4#");
        assert_eq!((&*game.heading.white, &*game.heading.result), ("a", "0-1"));
        assert_eq!(game.opening.unwrap().eco, "A00");
    }

    #[test]
    fn what_cannot_be_read_has_a_line_and_a_reason() {
        let broken = subject("\n[White \"a\"]\n\n1. e4\ne5 2. Ke3 *").unwrap_err();
        assert_eq!((broken.line, broken.why), (5, Kept::Broken));
        assert!(broken.reason.contains("not legal"), "{}", broken.reason);
        let empty = subject("[White \"a\"]\n\n*").unwrap_err();
        assert_eq!((empty.line, empty.why), (1, Kept::Empty));
        let other = subject("[Variant \"Antichess\"]\n\n1. e4 *").unwrap_err();
        assert_eq!(other.why, Kept::Broken);
    }

    #[test]
    fn a_null_move_ends_what_is_analysed() {
        let game = subject("1. e4 e5 2. Nf3 -- 3. d4 *").unwrap();
        assert_eq!(game.moves.len(), 3);
    }

    #[test]
    fn only_what_cannot_be_told_apart_shares_an_answer() {
        let last = |text: &str| subject(text).unwrap().positions.pop().unwrap().key;
        // The same pawn structure on two ways: nothing before can come back.
        assert_eq!(last("1. e4 e5 2. d4 *"), last("1. d4 e5 2. e4 *"));
        // Here it can: in one game the position has been there before.
        let once = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 4 3\"]\n\n1. Ra2 Ke7 *";
        let again =
            "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Ra2 Ke7 2. Ra1 Ke8 3. Ra2 Ke7 *";
        let position = |key: &str| key.rsplit_once('|').unwrap().0.to_owned();
        let (once, again) = (last(once), last(again));
        assert_eq!(position(&once), position(&again));
        assert_ne!(once, again);
    }
}
