//! The tree of moves: nodes in one list, linked by their places in it.

use core::hash::Hash;

use super::comment::Comment;
use super::nag::Nag;
use crate::position::{GameMove, Position};

/// A place in the tree of a [`Record`](super::Record): the position after a
/// move, or the start ([`NodeId::ROOT`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: Self = Self(0);

    /// The node with this number: the place in the order in which nodes were
    /// added. A record need not have it.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number. A record never gives it to another node.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// One step of a record: a move of the game, or the turn given away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ply<M> {
    /// A legal move.
    Move(M),
    /// A null move, written `--`: nothing moves and the turn goes over. No
    /// player can do that; annotators do, to show a threat or a plan.
    Pass,
}

impl<M: GameMove> Ply<M> {
    /// The move, unless it is a null move.
    pub fn played(self) -> Option<M> {
        match self {
            Self::Move(m) => Some(m),
            Self::Pass => None,
        }
    }

    /// Puts a board behind this step.
    #[inline]
    pub(crate) fn make<P: Position<Move = M>>(self, board: &mut P) -> P::Undo {
        match self {
            Self::Move(m) => board.make(m, &mut ()),
            Self::Pass => board.pass(),
        }
    }

    /// Takes the step back; `undo` is what [`make`](Self::make) returned.
    pub(crate) fn unmake<P: Position<Move = M>>(self, board: &mut P, undo: P::Undo) {
        match self {
            Self::Move(m) => board.unmake(m, undo),
            Self::Pass => board.unpass(undo),
        }
    }
}

/// Whether a null move can be followed on this board: the game goes on, and the
/// side to move leaves no King in check. In drawn positions it can, because
/// "what if it were the other's turn" is a question about stalemates, too.
pub(crate) fn can_pass<P: Position>(board: &P) -> bool {
    P::CAN_PASS && !board.in_check() && board.outcome().is_none_or(|end| end.winner.is_none())
}

/// What is written about a move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// Comments that stand before the move, behind its number.
    pub before: Vec<Comment>,
    /// Glyphs of the move.
    pub nags: Vec<Nag>,
    /// Comments that stand after the move.
    pub after: Vec<Comment>,
}

impl Notes {
    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.nags.is_empty() && self.after.is_empty()
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Node<M> {
    /// `None` for the root and for nodes that were deleted.
    pub(crate) ply: Option<Ply<M>>,
    pub(crate) parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    pub(crate) notes: Notes,
}

impl<M> Node<M> {
    fn new(ply: Option<Ply<M>>, parent: Option<NodeId>) -> Self {
        Self {
            ply,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            notes: Notes::default(),
        }
    }
}

/// Nodes in the order in which they were added. The first is the root.
#[derive(Debug, Clone)]
pub(crate) struct Tree<M> {
    nodes: Vec<Node<M>>,
}

impl<M: Copy + Eq> Tree<M> {
    pub(crate) fn new() -> Self {
        Self {
            nodes: vec![Node::new(None, None)],
        }
    }

    /// A node that is part of the tree.
    pub(crate) fn get(&self, id: NodeId) -> Option<&Node<M>> {
        let node = self.nodes.get(id.0 as usize)?;
        (node.ply.is_some() || id == NodeId::ROOT).then_some(node)
    }

    pub(crate) fn get_mut(&mut self, id: NodeId) -> Option<&mut Node<M>> {
        let node = self.nodes.get_mut(id.0 as usize)?;
        (node.ply.is_some() || id == NodeId::ROOT).then_some(node)
    }

    pub(crate) fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.get(id)?.first_child
    }

    pub(crate) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.get(id)?.next_sibling
    }

    /// Adds a last child; `None` if there is no such parent or no room.
    pub(crate) fn add(&mut self, parent: NodeId, ply: Ply<M>) -> Option<NodeId> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        let before = self.get(parent)?.last_child;
        self.nodes.push(Node::new(Some(ply), Some(parent)));
        match before {
            Some(before) => self.nodes[before.0 as usize].next_sibling = Some(id),
            None => self.nodes[parent.0 as usize].first_child = Some(id),
        }
        self.nodes[parent.0 as usize].last_child = Some(id);
        Some(id)
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.first_child(id);
        core::iter::successors(first, |&child| self.next_sibling(child))
    }

    /// Puts the children of a node in this order, which must be theirs but for
    /// order.
    fn relink(&mut self, parent: NodeId, children: &[NodeId]) {
        let Some(node) = self.get_mut(parent) else {
            return;
        };
        node.first_child = children.first().copied();
        node.last_child = children.last().copied();
        for (i, child) in children.iter().enumerate() {
            let next = children.get(i + 1).copied();
            if let Some(node) = self.get_mut(*child) {
                node.next_sibling = next;
            }
        }
    }

    /// Moves a node to another place among its siblings; `false` if it is
    /// there already or has none.
    pub(crate) fn reorder(&mut self, id: NodeId, to: impl Fn(usize, usize) -> usize) -> bool {
        let Some(parent) = self.get(id).and_then(|node| node.parent) else {
            return false;
        };
        let mut children: Vec<_> = self.children(parent).collect();
        let Some(at) = children.iter().position(|&child| child == id) else {
            return false;
        };
        let to = to(at, children.len()).min(children.len() - 1);
        if to == at {
            return false;
        }
        children.remove(at);
        children.insert(to, id);
        self.relink(parent, &children);
        true
    }

    /// Takes a node and everything behind it out of the tree; `false` for the
    /// root and for nodes that are gone.
    pub(crate) fn delete(&mut self, id: NodeId) -> bool {
        let Some(parent) = self.get(id).and_then(|node| node.parent) else {
            return false;
        };
        let children: Vec<_> = self.children(parent).filter(|&child| child != id).collect();
        let mut doomed = vec![id];
        while let Some(next) = doomed.pop() {
            doomed.extend(self.children(next));
            self.nodes[next.0 as usize] = Node::new(None, None);
        }
        self.relink(parent, &children);
        true
    }

    /// The nodes on the way from the root to a node, the root excluded.
    pub(crate) fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = core::iter::successors(Some(id), |&at| self.get(at)?.parent)
            .filter(|&at| at != NodeId::ROOT)
            .collect();
        path.reverse();
        path
    }

    /// How many nodes there are, deleted ones and the root excluded.
    pub(crate) fn len(&self) -> usize {
        self.nodes.iter().filter(|node| node.ply.is_some()).count()
    }
}

/// Trees are equal when their shapes, moves and notes are; the order in which
/// they were built does not matter.
impl<M: Copy + Eq> PartialEq for Tree<M> {
    fn eq(&self, other: &Self) -> bool {
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((a, b)) = open.pop() {
            let (Some(left), Some(right)) = (self.get(a), other.get(b)) else {
                return false;
            };
            if left.ply != right.ply || left.notes != right.notes {
                return false;
            }
            let mut right = other.children(b);
            for a in self.children(a) {
                let Some(b) = right.next() else {
                    return false;
                };
                open.push((a, b));
            }
            if right.next().is_some() {
                return false;
            }
        }
        true
    }
}

impl<M: Copy + Eq> Eq for Tree<M> {}
