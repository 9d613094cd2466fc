//! A record whose game is known only at run time.

use core::time::Duration;

use super::comment::Evaluation;
use super::diagnostic::Diagnostic;
use super::reader::Reader;
use super::record::Record;
use super::repair::NULL_MOVE;
use super::result::GameResult;
use super::tags::{TagError, Tags, game_of_variant};
use super::tokens::{Token, Tokenizer};
use super::tree::{NodeId, Notes, Ply, can_pass};
use super::write::WriteOptions;
use crate::any_line::AnyLine;
use crate::chess::Chess;
use crate::error::MoveError;
use crate::game::{Game, Side};
use crate::gyges::Gyges;
use crate::leiser::Leiser;
use crate::liberty::Liberty;
use crate::line::Line;
use crate::position::Position;

/// A [`Record`] of any of the games.
///
/// ```
/// use quadrille_games::records::{AnyRecord, NodeId};
/// use quadrille_games::Game;
///
/// let text = b"1. e4 e5 *\n\n[Variant \"Gyges\"]\n\n*";
/// let games = AnyRecord::read(text, Game::Chess, 10);
/// let kinds: Vec<Game> = games.iter().map(|(record, _)| record.game()).collect();
/// assert_eq!(kinds, [Game::Chess, Game::Gyges]);
///
/// let (mut record, _) = games.into_iter().next().ok_or("two games")?;
/// let d4 = record.add_text(NodeId::ROOT, "d4")?;
/// record.promote(d4);
/// assert!(record.to_pgn().ends_with("1. d4 (1. e4 e5) *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyRecord {
    /// Chess, Chess960, double Chess960.
    Chess(Record<Chess>),
    /// Liberty Chess.
    Liberty(Record<Liberty>),
    /// Leiserchess.
    Leiser(Record<Leiser>),
    /// Gyges.
    Gyges(Record<Gyges>),
}

/// A step of a record in words: a move, or a null move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The node behind it.
    pub node: NodeId,
    /// As engines write it; `--` for a null move.
    pub text: String,
    /// As people read it.
    pub notation: String,
    /// Who makes it.
    pub side: Side,
    /// The number of the move, as it is printed.
    pub number: u32,
}

/// The same expression for the record of every game.
macro_rules! match_record {
    ($any:expr, $record:ident => $body:expr) => {
        match $any {
            AnyRecord::Chess($record) => $body,
            AnyRecord::Liberty($record) => $body,
            AnyRecord::Leiser($record) => $body,
            AnyRecord::Gyges($record) => $body,
        }
    };
}

impl AnyRecord {
    /// A record of a line that was played.
    pub fn from_line(line: &AnyLine) -> Self {
        match line {
            AnyLine::Chess(line) => Self::Chess(Record::from_line(line)),
            AnyLine::Liberty(line) => Self::Liberty(Record::from_line(line)),
            AnyLine::Leiser(line) => Self::Leiser(Record::from_line(line)),
            AnyLine::Gyges(line) => Self::Gyges(Record::from_line(line)),
        }
    }

    /// Reads a text of games of any kind, at most so many, each with what was odd
    /// in it. A game without a `Variant` tag is taken for one of `usual`.
    pub fn read(text: &[u8], usual: Game, most: usize) -> Vec<(Self, Vec<Diagnostic>)> {
        let kinds = kinds(text, usual, most);
        let mut games: Vec<Option<(Self, Vec<Diagnostic>)>> = Vec::new();
        games.resize_with(kinds.len(), || None);
        read_kind(text, &kinds, &mut games, Self::Chess);
        read_kind(text, &kinds, &mut games, Self::Liberty);
        read_kind(text, &kinds, &mut games, Self::Leiser);
        read_kind(text, &kinds, &mut games, Self::Gyges);
        games.into_iter().flatten().collect()
    }

    /// How many games a text has, counted up to `most`.
    pub fn count(text: &[u8], most: usize) -> usize {
        kinds(text, Game::Chess, most).len()
    }

    /// Which game this is.
    pub const fn game(&self) -> Game {
        match self {
            Self::Chess(_) => Game::Chess,
            Self::Liberty(_) => Game::Liberty,
            Self::Leiser(_) => Game::Leiser,
            Self::Gyges(_) => Game::Gyges,
        }
    }

    /// The tags, roster first.
    pub fn tags(&self) -> &Tags {
        match_record!(self, record => record.tags())
    }

    /// Sets a tag: [`Record::set_tag`].
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        match_record!(self, record => record.set_tag(name, value))
    }

    /// Takes a tag out: [`Record::remove_tag`].
    pub fn remove_tag(&mut self, name: &str) {
        match_record!(self, record => record.remove_tag(name));
    }

    /// How the game ended.
    pub fn result(&self) -> GameResult {
        match_record!(self, record => record.result())
    }

    /// Sets the result and the tag that repeats it.
    pub fn set_result(&mut self, result: GameResult) {
        match_record!(self, record => record.set_result(result));
    }

    /// The number of moves in the tree, null moves included.
    pub fn len(&self) -> usize {
        match_record!(self, record => record.len())
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        match_record!(self, record => record.is_empty())
    }

    /// Whether there is a game in it: a move, or a tag of a game that says something.
    /// What else is read from a text of another kind is none: where there is any tag,
    /// the reader fills the roster with question marks.
    pub fn is_game(&self) -> bool {
        const TAGS: [&str; 8] = [
            "Event", "Site", "Date", "Round", "White", "Black", "FEN", "Variant",
        ];
        let says = |name: &&str| {
            let value = self.tags().get(name).unwrap_or_default();
            value.chars().any(char::is_alphanumeric)
        };
        !self.is_empty() || TAGS.iter().any(says)
    }

    /// Whether this node is part of the tree.
    pub fn contains(&self, id: NodeId) -> bool {
        match_record!(self, record => record.contains(id))
    }

    /// The node before; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        match_record!(self, record => record.parent(id))
    }

    /// The main continuation of a node.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        match_record!(self, record => record.next(id))
    }

    /// The moves after a node: the main one first, then the variations.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        match_record!(self, record => record.children(id).collect())
    }

    /// The nodes of the main line, the root excluded.
    pub fn main_line(&self) -> Vec<NodeId> {
        match_record!(self, record => record.main_line().collect())
    }

    /// The last node of the main continuation of a node.
    pub fn last(&self, id: NodeId) -> NodeId {
        match_record!(self, record => record.last(id))
    }

    /// The line of play up to a node: [`Record::line`].
    pub fn line(&self, id: NodeId) -> AnyLine {
        match_record!(self, record => record.line(id).into())
    }

    /// The position at a node with the turn given away: what the other side
    /// threatens. `None` where no side can pass: in check, and after a win.
    pub fn passed(&self, id: NodeId) -> Option<AnyLine> {
        match_record!(self, record => {
            let mut position = record.position(id);
            can_pass(&position).then(|| {
                position.pass();
                Line::new(position).into()
            })
        })
    }

    /// Adds a move or a null move after a node: [`Record::add_text`].
    pub fn add_text(&mut self, id: NodeId, text: &str) -> Result<NodeId, MoveError> {
        match_record!(self, record => record.add_text(id, text))
    }

    /// Moves a variation one place up: [`Record::promote`].
    pub fn promote(&mut self, id: NodeId) -> bool {
        match_record!(self, record => record.promote(id))
    }

    /// Moves a variation one place down: [`Record::demote`].
    pub fn demote(&mut self, id: NodeId) -> bool {
        match_record!(self, record => record.demote(id))
    }

    /// Makes the way to this node the main line: [`Record::promote_to_main`].
    pub fn promote_to_main(&mut self, id: NodeId) -> bool {
        match_record!(self, record => record.promote_to_main(id))
    }

    /// Deletes a move and everything behind it: [`Record::delete`].
    pub fn delete(&mut self, id: NodeId) -> bool {
        match_record!(self, record => record.delete(id))
    }

    /// What is written about a node.
    pub fn notes(&self, id: NodeId) -> &Notes {
        match_record!(self, record => record.notes(id))
    }

    /// Writes this about a node, instead of what is there: [`Record::set_notes`].
    pub fn set_notes(&mut self, id: NodeId, notes: Notes) {
        match_record!(self, record => record.set_notes(id, notes));
    }

    /// Writes the mover's clock, in place of one that is there.
    pub fn set_clock(&mut self, id: NodeId, clock: Duration) {
        match_record!(self, record => record.set_clock(id, clock));
    }

    /// Writes the time spent on the move, in place of one that is there.
    pub fn set_elapsed(&mut self, id: NodeId, elapsed: Duration) {
        match_record!(self, record => record.set_elapsed(id, elapsed));
    }

    /// Writes White's view of the position, in place of one that is there.
    pub fn set_evaluation(&mut self, id: NodeId, evaluation: Evaluation) {
        match_record!(self, record => record.set_evaluation(id, evaluation));
    }

    /// Tells every step behind a node: a parent before its children, a line to its
    /// end before the variations beside it.
    pub fn steps(&self, from: NodeId, each: impl FnMut(Step)) {
        match_record!(self, record => steps(record, from, each));
    }

    /// The step that leads to a node; `None` for the root.
    pub fn step(&self, node: NodeId) -> Option<Step> {
        match_record!(self, record => step(record, node))
    }

    /// The nodes in the order in which [`to_pgn`](Self::to_pgn) writes them and a
    /// reader adds them: a move, the variations beside it, what follows it.
    pub fn written(&self) -> Vec<NodeId> {
        match_record!(self, record => written(record))
    }

    /// The record in the export format, with everything in it.
    pub fn to_pgn(&self) -> String {
        match_record!(self, record => record.to_pgn())
    }

    /// The record as these options want it.
    pub fn to_pgn_with(&self, options: &WriteOptions) -> String {
        match_record!(self, record => record.to_pgn_with(options))
    }
}

/// The game of each record in a text, up to so many.
fn kinds(text: &[u8], usual: Game, most: usize) -> Vec<Game> {
    let mut tokens = Tokenizer::new(text);
    let mut kinds: Vec<Game> = Vec::new();
    // Reading from memory does not fail.
    while let Ok(Some(token)) = tokens.next_token() {
        match token {
            Token::Begin if kinds.len() == most => break,
            Token::Begin => kinds.push(usual),
            Token::Tag {
                name: "Variant",
                value,
            } => {
                if let Some(kind) = kinds.last_mut() {
                    *kind = game_of_variant(&value.decode());
                }
            }
            _ => {}
        }
    }
    kinds
}

/// Reads the games of one kind and passes the others unread.
fn read_kind<P: Position>(
    text: &[u8],
    kinds: &[Game],
    games: &mut [Option<(AnyRecord, Vec<Diagnostic>)>],
    wrap: impl Fn(Record<P>) -> AnyRecord,
) {
    if !kinds.contains(&P::GAME) {
        return;
    }
    let mut reader = Reader::<P, _>::new(text);
    for (kind, place) in kinds.iter().zip(games) {
        if *kind != P::GAME {
            let _ = reader.skip_game();
            continue;
        }
        if let Ok(Some(record)) = reader.read_record() {
            *place = Some((wrap(record), reader.diagnostics().to_vec()));
        }
    }
}

/// The number of the move that is made after so many steps.
fn number<P: Position>(record: &Record<P>, steps: usize) -> u32 {
    let start = record.start();
    // An L-FEN may count from 0; movetext does not.
    let first = start.move_number().unwrap_or(1).max(1);
    let later = (steps + start.side().index()) / 2;
    first.saturating_add(u32::try_from(later).unwrap_or(u32::MAX))
}

fn words<P: Position>(board: &P, node: NodeId, ply: Ply<P::Move>, number: u32) -> Step {
    let (text, notation) = match ply {
        Ply::Move(m) => (board.move_text(m), board.notation(m)),
        Ply::Pass => (NULL_MOVE.into(), NULL_MOVE.into()),
    };
    Step {
        node,
        text,
        notation,
        side: board.side(),
        number,
    }
}

fn step<P: Position>(record: &Record<P>, node: NodeId) -> Option<Step> {
    let (ply, parent) = (record.ply(node)?, record.parent(node)?);
    let number = number(record, record.path(parent).len());
    Some(words(&record.position(parent), node, ply, number))
}

fn steps<P: Position>(record: &Record<P>, from: NodeId, mut each: impl FnMut(Step)) {
    let before = record.path(from).len();
    let mut board = record.position(from);
    let mut open: Vec<(NodeId, Ply<P::Move>, P::Undo)> = Vec::new();
    let mut next = record.next(from);
    loop {
        let Some(node) = next else {
            let Some((node, ply, undo)) = open.pop() else {
                return;
            };
            ply.unmake(&mut board, undo);
            next = record.tree.next_sibling(node);
            continue;
        };
        // Every node but the root has a step, and the walk is behind the root.
        let Some(ply) = record.ply(node) else {
            return;
        };
        each(words(
            &board,
            node,
            ply,
            number(record, before + open.len()),
        ));
        let undo = ply.make(&mut board);
        open.push((node, ply, undo));
        next = record.next(node);
    }
}

/// What is still to be written: a node with its own line, or what follows one.
enum Task {
    Behind(NodeId),
    Variation(NodeId),
}

fn written<P: Position>(record: &Record<P>) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut open = vec![Task::Behind(NodeId::ROOT)];
    while let Some(task) = open.pop() {
        match task {
            Task::Behind(node) => {
                let children: Vec<_> = record.children(node).collect();
                let Some((&main, others)) = children.split_first() else {
                    continue;
                };
                order.push(main);
                open.push(Task::Behind(main));
                open.extend(others.iter().rev().map(|&other| Task::Variation(other)));
            }
            Task::Variation(node) => {
                order.push(node);
                open.push(Task::Behind(node));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 \
        (1... c5 2. Nf3) 2. Nf3 (2. f4 exf4) *";

    #[test]
    fn what_is_written_is_read_in_the_same_order() {
        let mut games = AnyRecord::read(TREE.as_bytes(), Game::Chess, 2);
        let (mut record, _) = games.remove(0);
        let e4 = record.next(NodeId::ROOT).unwrap();
        let last = *record.children(NodeId::ROOT).last().unwrap();
        record.add_text(last, "e5").unwrap();
        record.promote(last);
        record.delete(record.next(e4).unwrap());
        let order = record.written();
        assert_eq!(order.len(), record.len());
        let again = AnyRecord::read(record.to_pgn().as_bytes(), Game::Chess, 2)
            .remove(0)
            .0;
        assert_eq!(again, record);
        let texts = |record: &AnyRecord, order: &[NodeId]| -> Vec<String> {
            let mut by_node = std::collections::HashMap::new();
            record.steps(NodeId::ROOT, |step| {
                by_node.insert(step.node, format!("{}{}", step.number, step.notation));
            });
            order.iter().map(|node| by_node[node].clone()).collect()
        };
        // A record that was just read has its nodes in the order of the file.
        let fresh: Vec<_> = (1..=again.len() as u32).map(NodeId).collect();
        assert_eq!(again.written(), fresh);
        assert_eq!(texts(&record, &order), texts(&again, &fresh));
    }

    #[test]
    fn steps_count_moves_as_they_are_printed() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 (8. --) *";
        let (record, _) = AnyRecord::read(text.as_bytes(), Game::Chess, 1).remove(0);
        let mut seen = Vec::new();
        record.steps(NodeId::ROOT, |s| seen.push((s.number, s.side, s.text)));
        let step = |number, side, text: &str| (number, side, text.to_owned());
        assert_eq!(
            seen,
            [
                step(7, Side::Black, "e8d7"),
                step(8, Side::White, "e2e4"),
                step(8, Side::White, "--"),
            ]
        );
        let d7 = record.next(NodeId::ROOT).unwrap();
        let threat = record.passed(d7).unwrap();
        assert_eq!(threat.side(), Side::Black);
    }
}
