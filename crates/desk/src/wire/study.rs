//! A tree of moves with everything written to it.

use quadrille_games::{Game, Side};
use serde::{Deserialize, Serialize};

/// A study, by number.
pub type StudyId = u32;

/// A node of a tree, by number; 0 is the start. A number is never used again.
pub type NodeId = u32;

/// Where something begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StudyStart {
    /// The game.
    pub game: Game,
    /// The rules; empty for the usual ones. In chess `chess960` for castling by
    /// its rules.
    #[serde(default)]
    pub rules: String,
    /// The position; empty for the usual one. In chess also the number of a
    /// Chess960 start position, from 0 to 959.
    #[serde(default)]
    pub position: String,
}

/// A study in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StudyInfo {
    /// Its number.
    pub id: StudyId,
    /// The game.
    pub game: Game,
    /// For people.
    pub title: String,
    /// When it was last changed: milliseconds since 1970.
    pub changed: f64,
    /// Moves in all its lines.
    pub moves: u32,
}

/// A whole tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StudyView {
    /// Its number.
    pub id: StudyId,
    /// Where it begins.
    pub start: StudyStart,
    /// For people.
    pub title: String,
    /// The tags of its record.
    pub tags: Vec<(String, String)>,
    /// The result in its record: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// ECO code and name, in chess.
    pub opening: Option<(String, String)>,
    /// All nodes, a parent before its children, the main line's child first; the
    /// first is the start.
    pub nodes: Vec<NodeView>,
}

/// A node: a move and what is written to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NodeView {
    /// Its number.
    pub id: NodeId,
    /// The node before; `None` for the start.
    pub parent: Option<NodeId>,
    /// The move as engines write it; empty for the start.
    pub text: String,
    /// The move as people read it.
    pub notation: String,
    /// Who made it; at the start, whose turn it is.
    pub side: Side,
    /// The number of the move, as it is printed.
    pub number: u32,
    /// Glyphs, as numbers of the standard: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// What is written before it.
    pub before: String,
    /// What is written behind it, without what stands in the fields below.
    pub comment: String,
    /// Arrows and circles.
    pub shapes: Vec<Shape>,
    /// The evaluation written to it, for White: centipawns, or mate in so many
    /// moves.
    pub evaluation: Option<super::ScoreView>,
    /// The clock after it, in milliseconds.
    pub clock: Option<f64>,
    /// Time spent, in milliseconds.
    pub spent: Option<f64>,
}

/// An arrow, or a circle where `to` is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Shape {
    /// `G`, `R`, `B` or `Y`, as records write it.
    pub colour: String,
    /// A square.
    pub from: String,
    /// Another square.
    pub to: Option<String>,
}

/// A change of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "fields are named after what they are")]
pub enum Edit {
    /// The move and everything behind it.
    Delete {
        node: NodeId,
    },
    /// Everything but the main line.
    DeleteVariations,
    /// One place up among its siblings.
    Promote {
        node: NodeId,
    },
    Demote {
        node: NodeId,
    },
    /// The line that leads to it becomes the main line.
    MakeMain {
        node: NodeId,
    },
    /// Instead of what is written; empty takes it away.
    Comment {
        node: NodeId,
        text: String,
    },
    /// These glyphs and no others.
    Nags {
        node: NodeId,
        nags: Vec<u8>,
    },
    Shapes {
        node: NodeId,
        shapes: Vec<Shape>,
    },
    Title {
        title: String,
    },
    /// An empty value takes it away.
    Tag {
        name: String,
        value: String,
    },
    /// Takes back the last change.
    Undo,
    Redo,
}
