//! Changes of a tree.

use quadrille_games::records::{GameResult, NodeId as Node, Notes};

use super::notes::{is_shape, with_comment, with_nags, with_shapes};
use super::{Copy, Study};
use crate::refuse::clean;
use crate::wire::{Edit, NodeId, Refusal};

pub(super) const LONGEST_TITLE: usize = 200;
const LONGEST_COMMENT: usize = 20_000;
pub(crate) const LONGEST_TAG: usize = 1_000;
const MOST_TAGS: usize = 200;
const MOST_NAGS: usize = 32;
const MOST_SHAPES: usize = 300;

impl Study {
    /// Makes a change; tells where to look now and whether anything is other than
    /// before.
    pub(crate) fn edit(&mut self, edit: &Edit, now: f64) -> Result<(NodeId, bool), Refusal> {
        match edit {
            Edit::Undo => return self.go_back(now),
            Edit::Redo => return self.go_on(now),
            _ => {}
        }
        let at = self.place_of(edit)?;
        let before = self.copy(at);
        let (look, changed) = self.apply(edit)?;
        if changed {
            self.remember(before, now);
        }
        Ok((look, changed))
    }

    /// The node that a change is about.
    fn place_of(&self, edit: &Edit) -> Result<NodeId, Refusal> {
        let node = match edit {
            Edit::Delete { node }
            | Edit::Promote { node }
            | Edit::Demote { node }
            | Edit::MakeMain { node }
            | Edit::Comment { node, .. }
            | Edit::Nags { node, .. }
            | Edit::Shapes { node, .. } => *node,
            _ => 0,
        };
        self.node(node)?;
        Ok(node)
    }

    fn apply(&mut self, edit: &Edit) -> Result<(NodeId, bool), Refusal> {
        match edit {
            Edit::Delete { node } => self.delete(*node),
            Edit::DeleteVariations => Ok((0, self.delete_variations())),
            Edit::Promote { node } => Ok((*node, self.record.promote(self.node(*node)?))),
            Edit::Demote { node } => Ok((*node, self.record.demote(self.node(*node)?))),
            Edit::MakeMain { node } => Ok((*node, self.record.promote_to_main(self.node(*node)?))),
            Edit::Comment { node, text } => {
                let text = clean(text, LONGEST_COMMENT);
                self.rewrite(*node, |notes| with_comment(notes, &text))
            }
            Edit::Nags { node, nags } if nags.len() <= MOST_NAGS => {
                self.rewrite(*node, |notes| with_nags(notes, nags))
            }
            Edit::Shapes { node, shapes } if shapes.len() <= MOST_SHAPES => {
                if let Some(odd) = shapes.iter().find(|shape| !is_shape(shape)) {
                    return Err(Refusal::value(format!(
                        "{:?} {:?} is no arrow and no circle: a colour is G, R, B or Y, then squares",
                        odd.colour, odd.from
                    )));
                }
                self.rewrite(*node, |notes| with_shapes(notes, shapes))
            }
            Edit::Nags { .. } | Edit::Shapes { .. } => Err(Refusal::too_much(
                "more glyphs or arrows than a move can have",
            )),
            Edit::Title { title } => {
                let title = clean(title, LONGEST_TITLE);
                let changed = title != self.title;
                self.title = title;
                Ok((0, changed))
            }
            Edit::Tag { name, value } => self.set_tag(name, value),
            // Dealt with before.
            Edit::Undo | Edit::Redo => Ok((0, false)),
        }
    }

    fn delete(&mut self, id: NodeId) -> Result<(NodeId, bool), Refusal> {
        let node = self.node(id)?;
        let Some(parent) = self.record.parent(node) else {
            return Err(Refusal::value("the start of a study cannot be deleted"));
        };
        let parent = self.numbers.ids.get(&parent).copied().unwrap_or(0);
        Ok((parent, self.record.delete(node)))
    }

    fn delete_variations(&mut self) -> bool {
        let mut changed = false;
        let mut at = Some(Node::ROOT);
        while let Some(node) = at {
            for other in self.record.children(node).into_iter().skip(1) {
                changed |= self.record.delete(other);
            }
            at = self.record.next(node);
        }
        changed
    }

    fn rewrite(
        &mut self,
        id: NodeId,
        change: impl FnOnce(&Notes) -> Notes,
    ) -> Result<(NodeId, bool), Refusal> {
        let node = self.node(id)?;
        let old = self.record.notes(node).clone();
        self.record.set_notes(node, change(&old));
        Ok((id, *self.record.notes(node) != old))
    }

    fn set_tag(&mut self, name: &str, value: &str) -> Result<(NodeId, bool), Refusal> {
        let value = clean(value, LONGEST_TAG);
        let old = self.record.tags().clone();
        if name == "Result" {
            let result = GameResult::from_word(&value)
                .ok_or_else(|| Refusal::value("a result is 1-0, 0-1, 1/2-1/2 or *"))?;
            self.record.set_result(result);
        } else if value.is_empty() {
            self.record.remove_tag(name);
        } else {
            if name.len() > 100 || old.iter().count() >= MOST_TAGS {
                return Err(Refusal::too_much("more tags than a record can have"));
            }
            let set = self.record.set_tag(name, &value);
            set.map_err(|error| Refusal::value(error.to_string()))?;
        }
        Ok((0, *self.record.tags() != old))
    }

    fn go_back(&mut self, now: f64) -> Result<(NodeId, bool), Refusal> {
        let copy = self.undo.pop();
        let copy = copy.ok_or_else(|| Refusal::value("there is nothing to take back"))?;
        let at = copy.at;
        let later = self.put_back(copy, now);
        self.redo.push(later);
        Ok((self.existing(at), true))
    }

    fn go_on(&mut self, now: f64) -> Result<(NodeId, bool), Refusal> {
        let copy = self.redo.pop();
        let copy = copy.ok_or_else(|| Refusal::value("there is nothing to do again"))?;
        let at = copy.at;
        let earlier = self.put_back(copy, now);
        self.undo.push(earlier);
        Ok((self.existing(at), true))
    }

    fn put_back(&mut self, copy: Copy, now: f64) -> Copy {
        let now_is = Copy {
            record: std::mem::replace(&mut self.record, copy.record),
            numbers: std::mem::replace(&mut self.numbers, copy.numbers),
            title: std::mem::replace(&mut self.title, copy.title),
            at: copy.at,
        };
        self.changed = now;
        now_is
    }

    fn existing(&self, id: NodeId) -> NodeId {
        if self.node(id).is_ok() { id } else { 0 }
    }
}
