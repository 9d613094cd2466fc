//! A game with everything that is written about it.

use core::time::Duration;

use super::comment::{Comment, Evaluation, duration_text};
use super::nag::Nag;
use super::repair;
use super::result::GameResult;
use super::start::write_start;
use super::tags::{TagError, Tags};
use super::tree::{NodeId, Notes, Ply, Tree, can_pass};
use crate::error::{MoveError, MoveErrorKind};
use crate::game::Side;
use crate::line::Line;
use crate::position::Position;

/// A game record: tags, start position, a tree of moves with comments and
/// glyphs, and a result.
///
/// ```
/// use quadrille_games::Position;
/// use quadrille_games::chess::Chess;
/// use quadrille_games::records::{NodeId, Record};
///
/// let mut game = Record::new(Chess::start(&Default::default()));
/// let e4 = game.add_text(NodeId::ROOT, "e4")?;
/// let d4 = game.add_text(NodeId::ROOT, "d4")?;
/// game.comment_after(d4, "the other good move");
/// assert_eq!(game.main_line().collect::<Vec<_>>(), [e4]);
/// game.promote(d4);
/// assert_eq!(game.main_line().collect::<Vec<_>>(), [d4]);
/// assert!(game.to_pgn().ends_with("1. d4 { the other good move } (1. e4) *\n\n"));
/// # Ok::<(), quadrille_games::MoveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<P: Position> {
    pub(crate) tags: Tags,
    pub(crate) start: P,
    pub(crate) tree: Tree<P::Move>,
    pub(crate) result: GameResult,
}

/// Tags that follow from the record itself.
const FIXED: [&str; 5] = ["Result", "FEN", "SetUp", "Variant", "Rules"];

impl<P: Position> Record<P> {
    /// A record without moves.
    pub fn new(start: P) -> Self {
        let mut tags = Tags::default();
        write_start(&mut tags, &start);
        Self {
            tags,
            start,
            tree: Tree::new(),
            result: GameResult::Open,
        }
    }

    /// A record of a line that was played; the result is known if the line has
    /// one.
    pub fn from_line(line: &Line<P>) -> Self {
        let mut record = Self::new(line.start().clone());
        let mut at = NodeId::ROOT;
        for &m in line.moves() {
            // Only a line of four thousand million moves finds no room.
            let Some(next) = record.tree.add(at, Ply::Move(m)) else {
                break;
            };
            at = next;
        }
        if let Some(outcome) = line.outcome() {
            record.set_result(outcome.into());
        }
        record
    }

    /// The tags, roster first.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// Sets a tag. Those that follow from the record (`Result`, `FEN`, `SetUp`,
    /// `Variant`, `Rules`) are refused.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        match FIXED.iter().find(|fixed| **fixed == name) {
            Some(fixed) => Err(TagError::Fixed(fixed)),
            None => self.tags.set(name, value),
        }
    }

    /// Takes a tag out; one of the roster becomes unknown instead. Tags that
    /// follow from the record stay.
    pub fn remove_tag(&mut self, name: &str) {
        if !FIXED.contains(&name) {
            self.tags.remove(name);
        }
    }

    /// How the game ended.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Sets the result and the tag that repeats it.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = result;
        // The name is plain, so it is never refused.
        let _ = self.tags.set("Result", result.word());
    }

    /// Where the game starts.
    pub fn start(&self) -> &P {
        &self.start
    }

    // The tree.

    /// The number of moves in the tree, null moves included.
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.tree.first_child(NodeId::ROOT).is_none()
    }

    /// Whether this node is part of the tree.
    pub fn contains(&self, id: NodeId) -> bool {
        self.tree.get(id).is_some()
    }

    /// The move that led to a node; `None` for the root and for a null move.
    pub fn played(&self, id: NodeId) -> Option<P::Move> {
        self.ply(id)?.played()
    }

    /// The move or null move that led to a node; `None` for the root.
    pub fn ply(&self, id: NodeId) -> Option<Ply<P::Move>> {
        self.tree.get(id)?.ply
    }

    /// Whether a null move led to a node.
    pub fn is_pass(&self, id: NodeId) -> bool {
        self.ply(id) == Some(Ply::Pass)
    }

    /// The node before; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.tree.get(id)?.parent
    }

    /// The main continuation of a node.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.tree.first_child(id)
    }

    /// The moves after a node: the main one first, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree.children(id)
    }

    /// The nodes of the main line, the root excluded.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.next(NodeId::ROOT), |&id| self.next(id))
    }

    /// The moves of the main line. If there is a null move in it they end
    /// there: what comes after cannot be played from the start.
    pub fn main_moves(&self) -> impl Iterator<Item = P::Move> + '_ {
        self.main_line().map_while(|id| self.played(id))
    }

    /// The last node of the main continuation of a node.
    pub fn last(&self, id: NodeId) -> NodeId {
        core::iter::successors(Some(id), |&at| self.next(at))
            .last()
            .unwrap_or(id)
    }

    /// Whether a node lies on the main line.
    pub fn is_main_line(&self, id: NodeId) -> bool {
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            if self.next(parent) != Some(at) {
                return false;
            }
            at = parent;
        }
        self.contains(id)
    }

    /// The nodes on the way from the start to a node, the root excluded.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        self.tree.path(id)
    }

    /// The line of play up to a node, which knows about repetition.
    ///
    /// If there is a null move on the way the line begins behind the last one:
    /// no engine or referee can be told of a null move, and no position before
    /// it is repeated by one after it.
    pub fn line(&self, id: NodeId) -> Line<P> {
        let path = self.path(id);
        let behind = path.iter().rposition(|&at| self.is_pass(at));
        let (before, after) = path.split_at(behind.map_or(0, |last| last + 1));
        let mut line = Line::new(self.position_after(before));
        for m in after.iter().filter_map(|&at| self.played(at)) {
            line.advance(m);
        }
        line
    }

    /// The position at a node.
    pub fn position(&self, id: NodeId) -> P {
        self.position_after(&self.path(id))
    }

    fn position_after(&self, path: &[NodeId]) -> P {
        let mut position = self.start.clone();
        for ply in path.iter().filter_map(|&at| self.ply(at)) {
            ply.make(&mut position);
        }
        position
    }

    /// Adds a move after a node: the main continuation if it has none yet, a
    /// variation otherwise. A move that is there already is found, not added.
    pub fn add(&mut self, id: NodeId, m: P::Move) -> Result<NodeId, MoveError> {
        self.add_ply(id, Ply::Move(m))
    }

    /// Adds a null move after a node, in the same way. It is refused in check
    /// and after a win.
    ///
    /// ```
    /// use quadrille_games::chess::Chess;
    /// use quadrille_games::records::{NodeId, Record};
    ///
    /// let mut game = Record::new(Chess::default());
    /// let e4 = game.add_text(NodeId::ROOT, "e4")?;
    /// game.add_text(e4, "e5")?;
    /// let pass = game.add_pass(e4)?;
    /// game.add_text(pass, "d4")?;
    /// assert!(game.to_pgn().ends_with("\n1. e4 e5 (1... -- 2. d4) *\n\n"));
    /// # Ok::<(), quadrille_games::MoveError>(())
    /// ```
    pub fn add_pass(&mut self, id: NodeId) -> Result<NodeId, MoveError> {
        self.add_ply(id, Ply::Pass)
    }

    fn add_ply(&mut self, id: NodeId, ply: Ply<P::Move>) -> Result<NodeId, MoveError> {
        if let Some(known) = self.children(id).find(|&at| self.ply(at) == Some(ply)) {
            return Ok(known);
        }
        let refuse = |why| MoveError::new("", MoveErrorKind::Illegal(why));
        if !self.contains(id) {
            return Err(refuse("there is no such node in this record"));
        }
        let position = self.position(id);
        match ply {
            Ply::Move(m) if !position.is_legal(m) => {
                return Err(refuse("not a legal move in this position"));
            }
            Ply::Pass if !can_pass(&position) => {
                return Err(MoveError::new(repair::NULL_MOVE, MoveErrorKind::NullMove));
            }
            _ => {}
        }
        self.tree
            .add(id, ply)
            .ok_or_else(|| refuse("the record is full"))
    }

    /// Adds a move that is written for people or for engines, or a null move
    /// in any of its spellings.
    pub fn add_text(&mut self, id: NodeId, text: &str) -> Result<NodeId, MoveError> {
        match self.position(id).parse_notation(text) {
            Ok(m) => self.add(id, m),
            Err(_) if repair::is_null(text.trim()) => self.add_pass(id),
            Err(error) => Err(error),
        }
    }

    /// Moves a variation one place up among its siblings; `false` if it is the
    /// main continuation already.
    pub fn promote(&mut self, id: NodeId) -> bool {
        self.tree.reorder(id, |at, _| at.saturating_sub(1))
    }

    /// Moves a variation one place down; `false` if it is the last.
    pub fn demote(&mut self, id: NodeId) -> bool {
        self.tree.reorder(id, |at, _| at + 1)
    }

    /// Makes the way to this node the main line; `false` if it was.
    pub fn promote_to_main(&mut self, id: NodeId) -> bool {
        let mut changed = false;
        for at in self.path(id) {
            changed |= self.tree.reorder(at, |_, _| 0);
        }
        changed
    }

    /// Deletes a move and everything behind it; `false` for the root.
    pub fn delete(&mut self, id: NodeId) -> bool {
        self.tree.delete(id)
    }

    // What is written.

    /// What is written about a node.
    pub fn notes(&self, id: NodeId) -> &Notes {
        // A node that is not there has no notes; the root's would mislead.
        static NONE: Notes = Notes {
            before: Vec::new(),
            nags: Vec::new(),
            after: Vec::new(),
        };
        self.tree.get(id).map_or(&NONE, |node| &node.notes)
    }

    /// Writes this about a node, instead of what is there. The root has neither
    /// glyphs nor comments before it.
    pub fn set_notes(&mut self, id: NodeId, mut notes: Notes) {
        notes.before.retain(|comment| !comment.is_empty());
        notes.after.retain(|comment| !comment.is_empty());
        if let Some(node) = self.tree.get_mut(id) {
            if node.ply.is_none() {
                notes.after.splice(0..0, notes.before.drain(..));
                notes.nags.clear();
            }
            node.notes = notes;
        }
    }

    /// Adds a comment before a move. Before the first move of the game this is
    /// a comment on the start.
    pub fn comment_before(&mut self, id: NodeId, text: &str) {
        let comment = Comment::new(text);
        if let Some(node) = self.tree.get_mut(id)
            && !comment.is_empty()
        {
            match node.ply {
                Some(_) => node.notes.before.push(comment),
                None => node.notes.after.push(comment),
            }
        }
    }

    /// Adds a comment after a move or, at the root, on the game as a whole.
    pub fn comment_after(&mut self, id: NodeId, text: &str) {
        let comment = Comment::new(text);
        if let Some(node) = self.tree.get_mut(id)
            && !comment.is_empty()
        {
            node.notes.after.push(comment);
        }
    }

    /// Takes all comments of a node away.
    pub fn clear_comments(&mut self, id: NodeId) {
        if let Some(node) = self.tree.get_mut(id) {
            node.notes.before.clear();
            node.notes.after.clear();
        }
    }

    /// Gives a move a glyph, once. The root has none.
    pub fn add_nag(&mut self, id: NodeId, nag: Nag) {
        if let Some(node) = self.tree.get_mut(id)
            && node.ply.is_some()
            && !node.notes.nags.contains(&nag)
        {
            node.notes.nags.push(nag);
        }
    }

    /// Takes a glyph away.
    pub fn remove_nag(&mut self, id: NodeId, nag: Nag) {
        if let Some(node) = self.tree.get_mut(id) {
            node.notes.nags.retain(|known| *known != nag);
        }
    }

    /// The side that made the move of a node.
    pub fn mover(&self, id: NodeId) -> Option<Side> {
        let parent = self.parent(id)?;
        Some(self.position(parent).side())
    }

    /// The mover's clock after the move.
    pub fn clock(&self, id: NodeId) -> Option<Duration> {
        self.notes(id).after.iter().find_map(Comment::clock)
    }

    /// The time spent on the move, as a command or as a match runner's note.
    pub fn elapsed(&self, id: NodeId) -> Option<Duration> {
        let after = &self.notes(id).after;
        after.iter().find_map(Comment::elapsed).or_else(|| {
            after
                .iter()
                .find_map(|comment| comment.engine_note()?.elapsed)
        })
    }

    /// What is written about the position after the move, always from White's
    /// point of view: the `%eval` command, or a match runner's note.
    pub fn evaluation(&self, id: NodeId) -> Option<Evaluation> {
        let after = &self.notes(id).after;
        if let Some(evaluation) = after.iter().find_map(Comment::evaluation) {
            return Some(evaluation);
        }
        let mut evaluation = after
            .iter()
            .find_map(|comment| comment.engine_note()?.evaluation)?;
        if self.mover(id) == Some(Side::Black) {
            evaluation.score = evaluation.score.flipped();
        }
        Some(evaluation)
    }

    /// Writes the mover's clock, in place of one that is there.
    pub fn set_clock(&mut self, id: NodeId, clock: Duration) {
        self.set_command(id, "clk", &duration_text(clock));
    }

    /// Writes the time spent on the move, in place of one that is there.
    pub fn set_elapsed(&mut self, id: NodeId, elapsed: Duration) {
        self.set_command(id, "emt", &duration_text(elapsed));
    }

    /// Writes White's view of the position, in place of one that is there.
    pub fn set_evaluation(&mut self, id: NodeId, evaluation: Evaluation) {
        self.set_command(id, "eval", &evaluation.to_string());
    }

    /// Writes `[%name value]` in the first comment after a move, in place of a
    /// command of that name if there is one. Characters that would end the
    /// command are left out.
    pub fn set_command(&mut self, id: NodeId, name: &str, value: &str) {
        let Some(node) = self.tree.get_mut(id) else {
            return;
        };
        let clean = |text: &str| text.replace(['[', ']', '{', '}'], "");
        let written = format!("[%{} {}]", clean(name), clean(value));
        let after = &mut node.notes.after;
        for comment in after.iter_mut() {
            if let Some(changed) = comment.with_command(name, &written) {
                *comment = changed;
                return;
            }
        }
        match after.first_mut() {
            Some(first) => *first = Comment::new(&format!("{written} {}", first.text())),
            None => after.push(Comment::new(&written)),
        }
    }
}
