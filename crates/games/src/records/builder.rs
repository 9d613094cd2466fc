//! The top level: a visitor that builds the tree.

use core::mem;
use core::ops::ControlFlow;

use super::comment::Comment;
use super::nag::Nag;
use super::reader::Visitor;
use super::record::Record;
use super::result::GameResult;
use super::tags::Tags;
use super::text::Text;
use super::tree::{NodeId, Ply, Tree};
use crate::position::Position;

/// Builds a [`Record`] from what the reader tells.
pub(crate) struct Builder<P: Position> {
    record: Record<P>,
    at: NodeId,
    /// Where the lines around this variation stand.
    outer: Vec<NodeId>,
    /// Whether the current line has no move yet.
    fresh: bool,
    /// Comments and glyphs for the move that comes next.
    before: Vec<Comment>,
    nags: Vec<Nag>,
}

impl<P: Position> Builder<P> {
    pub(crate) fn new(usual: P) -> Self {
        Self {
            record: Record {
                tags: Tags::default(),
                start: usual,
                tree: Tree::new(),
                result: GameResult::Open,
            },
            at: NodeId::ROOT,
            outer: Vec::new(),
            fresh: true,
            before: Vec::new(),
            nags: Vec::new(),
        }
    }

    pub(crate) fn finish(mut self) -> Record<P> {
        self.settle();
        self.record
    }

    fn add(&mut self, ply: Ply<P::Move>) {
        // No room only after four thousand million moves in one game.
        let Some(id) = self.record.tree.add(self.at, ply) else {
            return;
        };
        self.at = id;
        self.fresh = false;
        if let Some(node) = self.record.tree.get_mut(id) {
            node.notes.before = mem::take(&mut self.before);
            node.notes.nags = mem::take(&mut self.nags);
        }
    }

    /// Comments that wait for a move which does not come belong to the last
    /// one.
    fn settle(&mut self) {
        self.nags.clear();
        if !self.before.is_empty()
            && let Some(node) = self.record.tree.get_mut(self.at)
        {
            node.notes.after.append(&mut self.before);
        }
    }
}

impl<P: Position> Visitor<P> for Builder<P> {
    const DECODES: bool = true;

    fn tag(&mut self, name: &str, value: Text<'_>) {
        // The tokenizer hands out only names that can be set, once each.
        let _ = self.record.tags.set(name, &value.decode());
    }

    fn start(&mut self, position: &P) -> ControlFlow<()> {
        self.record.start.clone_from(position);
        ControlFlow::Continue(())
    }

    fn play(&mut self, _: &P, m: P::Move) {
        self.add(Ply::Move(m));
    }

    fn pass(&mut self, _: &P) {
        self.add(Ply::Pass);
    }

    fn comment(&mut self, text: Text<'_>, numbered: bool) {
        let comment = Comment::new(&text.decode());
        if comment.is_empty() {
            return;
        }
        let variation_begins = self.fresh && !self.outer.is_empty();
        if numbered || variation_begins {
            self.before.push(comment);
        } else if let Some(node) = self.record.tree.get_mut(self.at) {
            node.notes.after.push(comment);
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.fresh {
            if !self.nags.contains(&nag) {
                self.nags.push(nag);
            }
        } else {
            self.record.add_nag(self.at, nag);
        }
    }

    fn open(&mut self) {
        self.settle();
        self.outer.push(self.at);
        // A variation replaces the last move, so there is one.
        self.at = self.record.parent(self.at).unwrap_or(NodeId::ROOT);
        self.fresh = true;
    }

    fn close(&mut self) {
        if self.fresh {
            // A variation of comments only: they go with the replaced move.
            self.at = self.outer.last().copied().unwrap_or(self.at);
        }
        self.settle();
        if let Some(outer) = self.outer.pop() {
            self.at = outer;
            self.fresh = false;
        }
    }

    fn result(&mut self, result: GameResult) {
        self.settle();
        self.record.set_result(result);
    }
}
