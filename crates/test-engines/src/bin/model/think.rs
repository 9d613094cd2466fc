//! The search: every root move to the same depth, plainly.

use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, AnyMove, Game};

/// A won game, less the plies to it.
pub(crate) const WIN: i32 = 30_000;

/// A search that has seen so many positions goes no deeper: what is known stays.
const ENOUGH: u64 = 6_000;

/// A root move and what is known about it.
#[derive(Clone)]
pub(crate) struct Root {
    pub(crate) value: AnyMove,
    pub(crate) text: String,
    pub(crate) score: i32,
    /// The line behind it, itself first.
    pub(crate) pv: Vec<String>,
}

pub(crate) struct Tree {
    pub(crate) line: AnyLine,
    pub(crate) nodes: u64,
    /// What ends the search in the middle of an iteration.
    pub(crate) most_nodes: Option<u64>,
    pub(crate) until: Option<Instant>,
    /// What a position costs beside the thought about it.
    pub(crate) pause: Option<Duration>,
}

impl Tree {
    /// Whether there is nothing more to learn.
    pub(crate) fn is_enough(&self) -> bool {
        self.nodes >= ENOUGH
    }

    fn is_cut(&self) -> bool {
        self.is_enough()
            || self.most_nodes.is_some_and(|most| self.nodes >= most)
            || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The score of a root move for the side that plays it, and the replies.
    pub(crate) fn root(&mut self, m: AnyMove, depth: u32) -> (i32, Vec<String>) {
        if self.line.push(m).is_err() {
            return (-WIN, Vec::new());
        }
        let (score, pv) = self.node(depth - 1, 1, -WIN, WIN);
        self.line.pop();
        (-score, pv)
    }

    /// Plain alpha-beta; the line comes with the score.
    fn node(&mut self, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> (i32, Vec<String>) {
        self.nodes += 1;
        if let Some(pause) = self.pause {
            std::thread::sleep(pause);
        }
        if let Some(end) = self.line.outcome() {
            let score = match end.winner {
                Some(side) if side == self.line.side() => WIN - ply,
                Some(_) => ply - WIN,
                None => 0,
            };
            return (score, Vec::new());
        }
        if depth == 0 || self.is_cut() {
            return (evaluate(&self.line), Vec::new());
        }
        let moves = self.line.legal(4096);
        if moves.is_empty() {
            return (0, Vec::new());
        }
        let mut best = (-WIN, Vec::new());
        for m in moves {
            let Ok(text) = self.line.text_of(m) else {
                continue;
            };
            if self.line.push(m).is_err() {
                continue;
            }
            let (score, mut pv) = self.node(depth - 1, ply + 1, -beta, -alpha);
            self.line.pop();
            if -score > best.0 || best.1.is_empty() {
                pv.insert(0, text);
                best = (-score, pv);
            }
            alpha = alpha.max(-score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// Material, from the side to move.
fn evaluate(line: &AnyLine) -> i32 {
    if line.game() == Game::Gyges {
        return 0;
    }
    let side = line.side();
    let value = |letter: &str| match letter.to_ascii_lowercase().as_str() {
        "q" => 900,
        "r" => 500,
        "b" | "n" => 300,
        "k" => 0,
        _ => 100,
    };
    line.pieces()
        .iter()
        .map(|piece| {
            if piece.side == Some(side) {
                value(&piece.piece)
            } else {
                -value(&piece.piece)
            }
        })
        .sum()
}
