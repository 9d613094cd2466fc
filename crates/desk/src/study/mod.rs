//! A study: a tree of moves that a person looks at and changes.
//!
//! The tree is a [`AnyRecord`]; a page knows its nodes by numbers of our own that are
//! never given twice, not even after an undo or a restart.

mod edit;
mod keep;
mod notes;
pub(crate) mod paste;

use std::collections::HashMap;

use quadrille_games::AnyLine;
use quadrille_games::records::{AnyRecord, NodeId as Node, Step, WriteOptions};

use crate::boards::{LONGEST_LINE, start_of};
use crate::names;
use crate::refuse::clean;
use crate::wire::{NodeId, NodeView, Refusal, StudyId, StudyInfo, StudyView};
pub(crate) use edit::LONGEST_TAG;
use edit::LONGEST_TITLE;

/// Larger trees are refused: every change tells the whole tree to the page.
pub(crate) const MOST_NODES: usize = 20_000;
/// Changes that can be taken back, and the moves in all their copies together.
const MOST_CHANGES: usize = 200;
const MOST_COPIED: usize = 200_000;

/// Which number a page has for which node.
#[derive(Debug, Clone, Default, PartialEq)]
struct Numbers {
    nodes: HashMap<NodeId, Node>,
    /// By the number of the node in the record.
    ids: HashMap<Node, NodeId>,
}

impl Numbers {
    fn add(&mut self, id: NodeId, node: Node) {
        self.nodes.insert(id, node);
        self.ids.insert(node, id);
    }
}

/// A study as it was before a change.
#[derive(Debug, Clone)]
struct Copy {
    record: AnyRecord,
    numbers: Numbers,
    title: String,
    /// Where to look once it is back.
    at: NodeId,
}

/// A tree of moves.
#[derive(Debug)]
pub(crate) struct Study {
    pub(crate) id: StudyId,
    /// When it was last changed.
    pub(crate) changed: f64,
    /// What the user wrote; empty for one that follows from the tags.
    title: String,
    record: AnyRecord,
    numbers: Numbers,
    /// The next number for a node.
    next: NodeId,
    /// Each node in words. What a node is never changes.
    words: HashMap<NodeId, Step>,
    undo: Vec<Copy>,
    redo: Vec<Copy>,
}

impl Study {
    /// A study of a record.
    pub(crate) fn new(id: StudyId, record: AnyRecord, title: String, now: f64) -> Self {
        let ids = 1..=u32::try_from(record.len()).unwrap_or(u32::MAX);
        let next = u32::try_from(record.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        Self::with_ids(id, record, title, now, ids, next)
    }

    /// The same with numbers for the nodes in the order in which they are written.
    fn with_ids(
        id: StudyId,
        record: AnyRecord,
        title: String,
        now: f64,
        ids: impl Iterator<Item = NodeId>,
        next: NodeId,
    ) -> Self {
        let mut numbers = Numbers::default();
        numbers.add(0, Node::ROOT);
        for (id, node) in ids.zip(record.written()) {
            numbers.add(id, node);
        }
        let mut words = HashMap::new();
        record.steps(Node::ROOT, |step| {
            if let Some(&id) = numbers.ids.get(&step.node) {
                words.insert(id, step);
            }
        });
        Self {
            id,
            changed: now,
            title,
            record,
            numbers,
            next,
            words,
            undo: Vec::new(),
            redo: Vec::new(),
        }
    }

    pub(crate) fn record(&self) -> &AnyRecord {
        &self.record
    }

    /// A node by the page's number.
    fn node(&self, id: NodeId) -> Result<Node, Refusal> {
        let node = self.numbers.nodes.get(&id).copied();
        node.filter(|&node| self.record.contains(node))
            .ok_or_else(|| Refusal::gone("move", id))
    }

    /// The line of play up to a node.
    pub(crate) fn line(&self, id: NodeId) -> Result<AnyLine, Refusal> {
        Ok(self.record.line(self.node(id)?))
    }

    /// What the other side threatens at a node.
    pub(crate) fn threat(&self, id: NodeId) -> Result<AnyLine, Refusal> {
        let line = self.record.passed(self.node(id)?);
        line.ok_or_else(|| {
            Refusal::value("there is no threat to show: the side to move cannot pass in check or after the end")
        })
    }

    /// The title to show.
    pub(crate) fn title(&self) -> String {
        if !self.title.is_empty() {
            return self.title.clone();
        }
        let tags = self.record.tags();
        let known = |name| {
            tags.get(name)
                .filter(|value| !matches!(*value, "" | "?" | "-"))
        };
        let title = match (known("White"), known("Black"), known("Event")) {
            (Some(white), Some(black), _) => format!("{white} – {black}"),
            (Some(one), None, _) | (None, Some(one), _) => one.to_owned(),
            (None, None, Some(event)) => event.to_owned(),
            (None, None, None) => String::new(),
        };
        clean(&title, LONGEST_TITLE)
    }

    pub(crate) fn info(&self) -> StudyInfo {
        StudyInfo {
            id: self.id,
            game: self.record.game(),
            title: self.title(),
            changed: self.changed,
            moves: u32::try_from(self.record.len()).unwrap_or(u32::MAX),
        }
    }

    /// The whole tree.
    pub(crate) fn view(&self) -> StudyView {
        let start = self.record.line(Node::ROOT);
        let mut nodes = vec![self.root_view(&start)];
        let written = self.record.written().into_iter();
        nodes.extend(written.filter_map(|node| self.node_view(node)));
        let tags = self.record.tags().iter();
        let last = self.record.last(Node::ROOT);
        StudyView {
            id: self.id,
            start: start_of(&start),
            title: self.title(),
            tags: tags
                .map(|(name, value)| (name.into(), clean(value, usize::MAX)))
                .collect(),
            result: self.record.result().word().into(),
            opening: names::opening(&self.record.line(last)),
            nodes,
        }
    }

    fn root_view(&self, start: &AnyLine) -> NodeView {
        let step = Step {
            node: Node::ROOT,
            text: String::new(),
            notation: String::new(),
            side: start.side(),
            number: start.move_number(),
        };
        self.described(0, None, &step)
    }

    fn node_view(&self, node: Node) -> Option<NodeView> {
        let id = *self.numbers.ids.get(&node)?;
        let parent = self.record.parent(node)?;
        let parent = *self.numbers.ids.get(&parent)?;
        Some(self.described(id, Some(parent), self.words.get(&id)?))
    }

    fn described(&self, id: NodeId, parent: Option<NodeId>, step: &Step) -> NodeView {
        let node = self.numbers.nodes.get(&id).copied().unwrap_or(Node::ROOT);
        let notes = self.record.notes(node);
        let written = notes::read(notes, self.record.game(), step.side);
        NodeView {
            id,
            parent,
            text: step.text.clone(),
            notation: step.notation.clone(),
            side: step.side,
            number: step.number,
            nags: notes.nags.iter().map(|nag| nag.0).collect(),
            before: notes::before(notes),
            comment: written.comment,
            shapes: written.shapes,
            evaluation: written.evaluation,
            clock: written.clock,
            spent: written.spent,
        }
    }

    /// The nodes of the main line, the start first.
    pub(crate) fn main_line(&self) -> Vec<NodeId> {
        let nodes = self.record.main_line().into_iter();
        let ids = nodes.filter_map(|node| self.numbers.ids.get(&node).copied());
        std::iter::once(0).chain(ids).collect()
    }

    /// The tree as PGN, or only the line to a node and on from there.
    pub(crate) fn export(&self, node: Option<NodeId>) -> Result<String, Refusal> {
        let Some(node) = node else {
            return Ok(self.record.to_pgn());
        };
        let node = self.node(node)?;
        let mut copy = self.record.clone();
        copy.promote_to_main(node);
        Ok(copy.to_pgn_with(&WriteOptions {
            variations: false,
            ..WriteOptions::default()
        }))
    }

    /// Plays moves at a node; gives the last node and whether any is new.
    pub(crate) fn play<'a>(
        &mut self,
        id: NodeId,
        moves: impl ExactSizeIterator<Item = &'a str>,
        now: f64,
    ) -> Result<(NodeId, bool), Refusal> {
        let mut at = self.node(id)?;
        if moves.len() > LONGEST_LINE || self.record.len() + moves.len() > MOST_NODES {
            return Err(Refusal::too_much(format!(
                "a study has at most {MOST_NODES} moves"
            )));
        }
        // Nothing is added unless all of it can be.
        let before = self.record.len();
        let copy = self.copy(id);
        for text in moves {
            match self.record.add_text(at, text) {
                Ok(node) => at = node,
                Err(error) => {
                    self.record = copy.record;
                    return Err(error.into());
                }
            }
        }
        let added = self.record.len() > before;
        if added {
            self.number_line(at);
            self.remember(copy, now);
        }
        Ok((self.numbers.ids.get(&at).copied().unwrap_or(0), added))
    }

    /// Gives numbers to the new nodes of a line.
    fn number_line(&mut self, last: Node) {
        let path = std::iter::successors(Some(last), |&node| self.record.parent(node));
        let fresh: Vec<Node> = path
            .take_while(|node| !self.numbers.ids.contains_key(node))
            .collect();
        for node in fresh.into_iter().rev() {
            let Some(step) = self.record.step(node) else {
                continue;
            };
            let id = self.next;
            self.next = self.next.saturating_add(1);
            self.numbers.add(id, node);
            self.words.insert(id, step);
        }
    }

    fn copy(&self, at: NodeId) -> Copy {
        Copy {
            record: self.record.clone(),
            numbers: self.numbers.clone(),
            title: self.title.clone(),
            at,
        }
    }

    /// A change was made: it can be taken back to `before`.
    fn remember(&mut self, before: Copy, now: f64) {
        self.redo.clear();
        self.undo.push(before);
        let mut copied = 0;
        let kept = self.undo.iter().rev().take_while(|copy| {
            copied += copy.numbers.nodes.len();
            copied <= MOST_COPIED
        });
        let kept = kept.count().clamp(1, MOST_CHANGES);
        self.undo.drain(..self.undo.len() - kept);
        self.changed = now;
    }
}
