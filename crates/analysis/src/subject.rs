//! A game as the positions that engines are asked about.

use std::io::{self, Read};
use std::ops::ControlFlow;

use quadrille_games::chess::openings;
use quadrille_games::records::{NodeId, Reader, Record, Severity};
use quadrille_games::{AnyLine, Game, Line, Outcome, Position, match_game};

use super::apart::Stopped;
use super::event::Kept;
use super::games::GameText;
use super::report::{Heading, MoveReport, OpeningName};
use super::times::Times;
use super::walk::{Step, walk};

/// Bytes of a game that are read between two looks at the wish to stop.
const PIECE: usize = 4096;

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

/// Why a game was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// There is something wrong with it.
    Unfit(Unfit),
    /// It is not wanted any more.
    Stopped,
}

impl From<Unfit> for Unread {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
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
    pub(super) fn read(text: GameText<'_>, stopped: Stopped<'_>) -> Result<Self, Unread> {
        match_game!(text.game, P => read::<P>(text, stopped))
    }
}

/// The number of positions that an engine has something to say about, as
/// [`Subject::open_positions`] has it, without the memory for what there is to know
/// about them.
pub(super) fn open_positions(text: GameText<'_>, stopped: Stopped<'_>) -> Result<u64, Unread> {
    match_game!(text.game, P => count::<P>(text, stopped))
}

fn count<P: Position>(text: GameText<'_>, stopped: Stopped<'_>) -> Result<u64, Unread> {
    let record = record::<P>(text, stopped)?;
    let line = line(&record, &main_nodes(&record));
    let mut open = 0;
    let walked = walk(&line, |step| {
        open += u64::from(step.over.is_none());
        go_on(stopped)
    });
    if walked.is_break() {
        return Err(Unread::Stopped);
    }
    Ok(open)
}

fn go_on(stopped: Stopped<'_>) -> ControlFlow<()> {
    if stopped() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// The bytes of a game in pieces, until they are not wanted any more.
struct Pieces<'a> {
    bytes: &'a [u8],
    stopped: Stopped<'a>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if (self.stopped)() {
            return Err(io::Error::other("it is not wanted any more"));
        }
        let most = into.len().min(PIECE);
        self.bytes.read(&mut into[..most])
    }
}

/// The record of a game, if nothing in it is wrong.
pub(super) fn record<P: Position>(
    text: GameText<'_>,
    stopped: Stopped<'_>,
) -> Result<Record<P>, Unread> {
    let mut reader = Reader::<P, _>::new(Pieces {
        bytes: text.bytes,
        stopped,
    });
    // Reading from memory fails only when it is to stop.
    let read = reader.read_record().map_err(|_| Unread::Stopped)?;
    let wrong = reader.diagnostics().iter();
    if let Some(first) = wrong.clone().find(|d| d.severity() == Severity::Error) {
        let mut reason = first.code.sentence().to_owned();
        if !first.detail.is_empty() {
            reason = format!("{reason} ({})", first.detail);
        }
        return Err(Unread::Unfit(Unfit {
            line: text.line + first.line - 1,
            why: Kept::Broken,
            reason,
        }));
    }
    read.filter(|record| !record.is_empty()).ok_or_else(|| {
        Unread::Unfit(Unfit {
            line: text.line,
            why: Kept::Empty,
            reason: "there are no moves".into(),
        })
    })
}

/// The nodes of the main line; a null move ends it, because no engine can be told
/// of one.
pub(super) fn main_nodes<P: Position>(record: &Record<P>) -> Vec<NodeId> {
    let nodes = record.main_line();
    nodes.take_while(|id| !record.is_pass(*id)).collect()
}

/// The moves to these nodes.
fn line<P: Position>(record: &Record<P>, nodes: &[NodeId]) -> Line<P> {
    record.line(nodes.last().copied().unwrap_or(NodeId::ROOT))
}

fn read<P: Position>(text: GameText<'_>, stopped: Stopped<'_>) -> Result<Subject, Unread>
where
    AnyLine: From<Line<P>>,
{
    let record = record::<P>(text, stopped)?;
    let nodes = main_nodes(&record);
    let line = line(&record, &nodes);
    let rules = P::rules_text(&record.start().rules());
    let mut positions = Vec::with_capacity(nodes.len() + 1);
    let walked = walk(&line, |step| {
        positions.push(Asked {
            key: key(&step, &rules),
            over: step.over,
        });
        go_on(stopped)
    });
    if walked.is_break() {
        return Err(Unread::Stopped);
    }
    let line: AnyLine = line.into();
    let mut subject = Subject {
        number: text.number,
        file_line: text.line,
        heading: heading(&record),
        opening: openings::name_of(&line).map(|found| OpeningName {
            eco: found.eco.into(),
            name: found.name.clone(),
        }),
        positions,
        moves: Vec::with_capacity(nodes.len()),
        rules,
        line,
    };
    if subject.note_moves(stopped).is_break() {
        return Err(Unread::Stopped);
    }
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
    /// Notes what there is to know about each move before it is judged.
    fn note_moves(&mut self, stopped: Stopped<'_>) -> ControlFlow<()> {
        let played = self.line.played();
        let mut at = self.line.clone();
        while at.pop().is_some() {}
        let (files, ranks) = at.size();
        let small = u32::from(files) * u32::from(ranks) <= MOST_SQUARES;
        for (index, m) in played.into_iter().enumerate() {
            go_on(stopped)?;
            // The line has them all, so none is refused.
            let Ok(view) = at.view_of(m) else { break };
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
            if at.push(m).is_err() {
                break;
            }
        }
        self.moves.truncate(at.plies());
        self.positions.truncate(at.plies() + 1);
        while self.line.plies() > at.plies() {
            self.line.pop();
        }
        ControlFlow::Continue(())
    }
}

/// A position as far as an answer can depend on it: game, rules, the position
/// with its counters, and the earlier positions that could still be repeated. Two
/// games that come to the same position on different ways share an answer only if
/// no repetition can tell them apart.
fn key<P: Position>(step: &Step<'_, P>, rules: &str) -> String {
    let (position, history) = (step.position.text(), step.history);
    format!("{}|{rules}|{position}|{history:x}", P::GAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;

    fn subject(text: &str) -> Result<Subject, Unfit> {
        let games = Games::read(text.as_bytes());
        let read = Subject::read(games.get(0).unwrap(), &mut || false);
        let counted = open_positions(games.get(0).unwrap(), &mut || false);
        assert_eq!(
            counted,
            read.clone().map(|subject| subject.open_positions())
        );
        read.map_err(|unread| match unread {
            Unread::Unfit(unfit) => unfit,
            Unread::Stopped => panic!("nobody asked for it"),
        })
    }

    /// Read from a cache that was written when a key still came from all positions
    /// of the line.
    #[test]
    fn keys_are_those_that_caches_have() {
        let game = subject("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 *").unwrap();
        let keys: Vec<&str> = game.positions.iter().map(|asked| &*asked.key).collect();
        let expected = [
            "chess|standard|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|0",
            "chess|standard|rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1|c85b81391b05e770",
            "chess|standard|rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2|7ec3e1b9943194da",
            "chess|standard|rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2|f10c07a5f089e3a5",
            "chess|standard|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3|49340deb4d45e497",
            "chess|standard|rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3|0",
            "chess|standard|rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 4|0",
        ];
        assert_eq!(keys, expected);
    }

    #[test]
    fn reading_looks_at_the_wish_to_stop_at_every_position() {
        let text = format!("[White \"a\"]\n\n{}*", "Nf3 Nf6 Ng1 Ng8 ".repeat(2500));
        let games = Games::read(text.as_bytes());
        let game = games.get(0).unwrap();
        let mut looks = 0;
        let mut look = || {
            looks += 1;
            false
        };
        let count = open_positions(game, &mut look).unwrap();
        // Four positions occur four times, and then each ends the game.
        assert_eq!(count, 16);
        let whole = looks;
        assert!(whole > 10_000, "{whole}");
        // It ends at once, wherever the wish comes.
        for wish in [1, 2, 5, whole / 2, whole] {
            let mut looks = 0;
            let mut look = || {
                looks += 1;
                looks >= wish
            };
            let stopped = open_positions(game, &mut look).unwrap_err();
            assert_eq!((stopped, looks), (Unread::Stopped, wish));
        }
        let mut looks = 0;
        let mut look = || {
            looks += 1;
            looks == 15_000
        };
        let stopped = Subject::read(game, &mut look).unwrap_err();
        assert_eq!((stopped, looks), (Unread::Stopped, 15_000));
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
