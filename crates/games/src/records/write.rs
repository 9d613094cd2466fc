//! Writing records: the export format of the PGN standard, exact enough that
//! reading gives the same record back.

use super::comment::{Comment, CommentPart};
use super::record::Record;
use super::repair::NULL_MOVE;
use super::tree::{NodeId, Ply};
use super::wrap::Wrap;
use crate::game::{Game, Side};
use crate::position::Position;

/// How moves are written. A null move is `--` in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Notation {
    /// For people: SAN in chess.
    #[default]
    Human,
    /// For people, with both squares: `Ng1-f3`, `e4xd5`, `e7-e8=Q+`. Only chess
    /// has such a form; the others are written as for people.
    Long,
    /// As engines write them.
    Engine,
}

/// What to write of a record, and how. The default is everything, in lines of
/// fewer than 80 characters, and reads back as the same record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct WriteOptions {
    /// How moves are written.
    pub notation: Notation,
    /// Variations.
    pub variations: bool,
    /// The words of comments.
    pub comments: bool,
    /// Numeric glyphs.
    pub nags: bool,
    /// `%clk` and `%emt`.
    pub clocks: bool,
    /// `%eval` and the notes of match runners.
    pub evaluations: bool,
    /// All other commands.
    pub commands: bool,
    /// The longest line of moves; `None` puts all moves on one line.
    pub width: Option<usize>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            notation: Notation::Human,
            variations: true,
            comments: true,
            nags: true,
            clocks: true,
            evaluations: true,
            commands: true,
            // "Less than 80 printing characters" (PGN standard, 8.2.1).
            width: Some(79),
        }
    }
}

impl WriteOptions {
    /// Only the moves of the main line.
    pub fn bare() -> Self {
        Self {
            variations: false,
            comments: false,
            nags: false,
            clocks: false,
            evaluations: false,
            commands: false,
            ..Self::default()
        }
    }

    /// The same with all moves on one line. A closing brace inside a comment
    /// is then written as a parenthesis, because the only other way needs a
    /// line of its own.
    #[must_use]
    pub fn one_line(self) -> Self {
        Self {
            width: None,
            ..self
        }
    }

    /// The text of a comment under these options; `None` if nothing is left.
    fn filter(&self, comment: &Comment) -> Option<String> {
        let everything = self.comments && self.clocks && self.evaluations && self.commands;
        if everything {
            return Some(comment.text().into());
        }
        if comment.engine_note().is_some() {
            return self.evaluations.then(|| comment.text().into());
        }
        let mut kept: Vec<&str> = Vec::new();
        for part in comment.parts() {
            let (keep, text) = match part {
                CommentPart::Words(words) => (self.comments, words.trim_matches(' ')),
                CommentPart::Command { name, whole, .. } => {
                    let keep = match name {
                        "clk" | "emt" | "egt" | "mct" => self.clocks,
                        "eval" => self.evaluations,
                        _ => self.commands,
                    };
                    (keep, whole)
                }
            };
            if keep && !text.is_empty() {
                kept.push(text);
            }
        }
        (!kept.is_empty()).then(|| kept.join(" "))
    }
}

impl<P: Position> Record<P> {
    /// The record in the export format, with everything in it.
    pub fn to_pgn(&self) -> String {
        self.to_pgn_with(&WriteOptions::default())
    }

    /// The record as these options want it.
    pub fn to_pgn_with(&self, options: &WriteOptions) -> String {
        let mut out = String::new();
        for (name, value) in self.tags().iter() {
            out.push('[');
            out.push_str(name);
            out.push_str(" \"");
            for c in value.chars() {
                if matches!(c, '"' | '\\') {
                    out.push('\\');
                }
                out.push(c);
            }
            out.push_str("\"]\n");
        }
        out.push('\n');
        let mut writer = MoveWriter {
            record: self,
            options,
            wrap: Wrap::new(out, options.width),
            board: self.start().clone(),
            path: Vec::new(),
            // An L-FEN may count from 0; movetext does not.
            first: self.start().move_number().unwrap_or(1).max(1).into(),
            offset: self.start().side().index() as u64,
        };
        writer.moves();
        writer.wrap.word(self.result().word());
        let mut out = writer.wrap.finish();
        out.push_str("\n\n");
        out
    }
}

/// What remains to be written, the last entry first. Depths are lengths of
/// the path.
enum Step {
    /// What follows a node that stands at this depth.
    After(NodeId, usize, bool),
    /// A variation whose first move starts from this depth.
    Variation(NodeId, usize),
    Close,
}

struct MoveWriter<'a, P: Position> {
    record: &'a Record<P>,
    options: &'a WriteOptions,
    wrap: Wrap,
    board: P,
    /// The way from the start to the board.
    path: Vec<(NodeId, Ply<P::Move>, P::Undo)>,
    first: u64,
    /// 1 if Black begins.
    offset: u64,
}

impl<P: Position> MoveWriter<'_, P> {
    fn moves(&mut self) {
        self.comments(&self.record.notes(NodeId::ROOT).after);
        let mut steps = vec![Step::After(NodeId::ROOT, 0, true)];
        while let Some(step) = steps.pop() {
            match step {
                Step::After(id, depth, numbered) => {
                    self.go_to(id, depth);
                    let mut children = self.record.children(id);
                    let Some(main) = children.next() else {
                        continue;
                    };
                    let others: Vec<_> = if self.options.variations {
                        children.collect()
                    } else {
                        Vec::new()
                    };
                    let noted = self.node(main, numbered);
                    steps.push(Step::After(main, depth + 1, noted || !others.is_empty()));
                    let variations = others.iter().rev();
                    steps.extend(variations.map(|&other| Step::Variation(other, depth)));
                }
                Step::Variation(id, depth) => {
                    self.back_to(depth);
                    self.wrap.open();
                    let noted = self.node(id, true);
                    steps.push(Step::Close);
                    steps.push(Step::After(id, depth + 1, noted));
                }
                Step::Close => self.wrap.close(),
            }
        }
    }

    fn back_to(&mut self, depth: usize) {
        while self.path.len() > depth {
            if let Some((_, ply, undo)) = self.path.pop() {
                ply.unmake(&mut self.board, undo);
            }
        }
    }

    /// Puts the board on a node whose parent is on the path at `depth - 1`.
    fn go_to(&mut self, id: NodeId, depth: usize) {
        self.back_to(depth);
        if depth == 0 || self.path.last().is_some_and(|last| last.0 == id) {
            return;
        }
        self.back_to(depth - 1);
        if let Some(ply) = self.record.ply(id) {
            self.make(id, ply);
        }
    }

    fn make(&mut self, id: NodeId, ply: Ply<P::Move>) {
        let undo = ply.make(&mut self.board);
        self.path.push((id, ply, undo));
    }

    /// Writes a move and what belongs to it; `true` if a comment was the last
    /// thing, so that the next move needs its number.
    fn node(&mut self, id: NodeId, numbered: bool) -> bool {
        let Some(ply) = self.record.ply(id) else {
            return false;
        };
        let notes = self.record.notes(id);
        let before = self.texts(&notes.before);
        let plies = self.path.len() as u64 + self.offset;
        let number = self.first.saturating_add(plies / 2);
        if self.board.side() == Side::White {
            self.wrap.word(&format!("{number}."));
        } else if numbered || !before.is_empty() {
            self.wrap.word(&format!("{number}..."));
        }
        for text in before {
            self.wrap.comment(&text);
        }
        let text = match (ply, self.options.notation) {
            (Ply::Pass, _) => NULL_MOVE.into(),
            (Ply::Move(m), Notation::Human) => self.board.notation(m),
            (Ply::Move(m), Notation::Long) => long(&self.board, m),
            (Ply::Move(m), Notation::Engine) => self.board.move_text(m),
        };
        self.wrap.word(&text);
        if self.options.nags {
            for nag in &notes.nags {
                self.wrap.word(&nag.to_string());
            }
        }
        let noted = self.comments(&notes.after);
        self.make(id, ply);
        noted
    }

    fn texts(&self, comments: &[Comment]) -> Vec<String> {
        let texts = comments.iter().filter_map(|c| self.options.filter(c));
        texts.collect()
    }

    fn comments(&mut self, comments: &[Comment]) -> bool {
        let texts = self.texts(comments);
        for text in &texts {
            self.wrap.comment(text);
        }
        !texts.is_empty()
    }
}

/// The long form of a chess move, put together from its two others.
fn long<P: Position>(board: &P, m: P::Move) -> String {
    let (short, engine) = (board.notation(m), board.move_text(m));
    let (Some(from), Some(to)) = (engine.get(0..2), engine.get(2..4)) else {
        return short;
    };
    if P::GAME != Game::Chess || short.starts_with('O') {
        return short;
    }
    let piece: String = short
        .chars()
        .take(1)
        .filter(char::is_ascii_uppercase)
        .collect();
    let between = if short.contains('x') { 'x' } else { '-' };
    let rest = short.rsplit_once(to).map_or("", |(_, rest)| rest);
    format!("{piece}{from}{between}{to}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;

    #[test]
    fn the_long_form_names_both_squares() {
        let start = "r3k2r/pP1p4/8/2pP4/8/5N2/8/R3K1NR w KQkq c6 0 1";
        let board = Chess::from_text(start, &crate::chess::ChessRules::default()).unwrap();
        let forms = [
            ("f3d4", "Nf3-d4"),
            ("d5c6", "d5xc6"),
            ("b7a8q", "b7xa8=Q+"),
            ("b7b8n", "b7-b8=N"),
            ("e1c1", "O-O-O"),
            ("a1d1", "Ra1-d1"),
            ("g1h3", "Ng1-h3"),
        ];
        for (engine, wanted) in forms {
            let m = board.parse_move(engine).unwrap();
            assert_eq!(long(&board, m), wanted);
            assert_eq!(
                board.parse_notation(wanted).unwrap(),
                m,
                "{wanted} is read again"
            );
        }
    }
}
