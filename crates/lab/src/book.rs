//! An opening book out of games of the engine against itself.
//!
//! The book is a tree of positions that grows by *walks*. A walk goes down from
//! the start position, at each known position along the move that promises most
//! or has been tried least, until it leaves the tree. The position it ends in is
//! searched for its best few moves, and a quick game is played from there. Score
//! and result go back up the way the walk came:
//!
//! * scores by minimax: a position is worth what its best move is worth;
//! * results by counting: how the games behind a move ended.
//!
//! The worth of a move in the end is the mean of both, weighed by how much each
//! errs. Walks are chosen in batches of fixed size and their results are taken
//! in their order, so that the same settings give the same book whatever the
//! number of threads.

use core::ops::ControlFlow;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

use quadrille_games::chess::polyglot::{Entry, move_code};
use quadrille_games::chess::{Chess, Move};
use quadrille_games::{Line, Position, Side};
use quadrille_search::{Control, Limits, Searcher};

use crate::adjudication::Adjudication;
use crate::play::{play_out, think};
use quadrille_games::random::SplitMix64;

/// A search's score is as good as the results of this many games. It errs by
/// about 0.03 points of a game, one result by about 0.4, and errors of a mean
/// shrink with the square root of the count.
const SCORE_WORTH: f64 = 150.0;
/// Hundredths of a pawn that make the odds e to one.
const ODDS: f64 = 170.0;
/// Hundredths of a pawn that make the chance that a move is looked at e times smaller.
const CURIOSITY: f64 = 30.0;
/// A move that is worth less than the best by this much stays out of the book.
const BOOK_LOSS: f64 = 0.02;
/// A move that is worth less by this much is played e times less often.
const BOOK_TASTE: f64 = 0.01;
/// The weight of the best move.
const BOOK_WEIGHT: f64 = 1000.0;

/// Settings of a book.
#[derive(Debug, Clone)]
pub struct BookSettings {
    /// Nodes for the search of a new position.
    pub nodes: u64,
    /// Nodes for each move of a game; up to a quarter more by chance.
    pub game_nodes: u64,
    /// Moves looked at in a position.
    pub lines: usize,
    /// Those worse than the best by more hundredths of a pawn are not.
    pub margin: i32,
    /// The tree is not deeper.
    pub plies: usize,
    /// Walks at a time.
    pub batch: usize,
    /// Spread of the walks: 0 follows the best moves only.
    pub width: f64,
    /// Chooses the games.
    pub seed: u64,
}

/// Positions and what is known about their moves.
#[derive(Debug)]
pub struct Tree {
    settings: BookSettings,
    // Ordered, so that nothing depends on the order of a hash table.
    nodes: BTreeMap<u64, Node>,
    walks: u64,
}

/// A position of the tree; without moves until its search is done.
#[derive(Debug, Default)]
struct Node {
    visits: u32,
    /// The score of the best move.
    score: i32,
    edges: Vec<Edge>,
}

/// A move of a position, seen by the side that makes it.
#[derive(Debug)]
struct Edge {
    m: Move,
    child: u64,
    /// Score by the search of the position.
    score: i32,
    prior: f64,
    /// Walks, those under way included.
    visits: u32,
    games: u32,
    /// Half points of those games.
    halves: u32,
}

/// A way down the tree.
#[derive(Debug)]
struct Walk {
    number: u64,
    line: Line<Chess>,
    /// Positions and which of their moves was taken.
    path: Vec<(u64, usize)>,
    /// The end is new and wants a search.
    is_new: bool,
}

/// Result of the search and the game at the end of a walk.
#[derive(Debug, Default)]
struct WalkResult {
    moves: Vec<(Move, i32)>,
    winner: Option<Side>,
}

impl Tree {
    /// A tree that knows nothing.
    pub fn new(settings: BookSettings) -> Self {
        Self {
            settings,
            nodes: BTreeMap::new(),
            walks: 0,
        }
    }

    /// Positions in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `true` if nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Walks so far.
    pub const fn walks(&self) -> u64 {
        self.walks
    }

    /// Makes a batch of walks, one search and one game each; one searcher works
    /// in one thread. A small tree has no room for a large batch.
    pub fn grow(&mut self, searchers: &mut [Searcher<Chess>]) {
        let batch = self.len().clamp(1, self.settings.batch.max(1));
        let walks: Vec<Walk> = (0..batch).map(|_| self.walk()).collect();
        let findings = study(&self.settings, &walks, searchers);
        for (walk, finding) in walks.iter().zip(findings) {
            self.learn(walk, &finding);
        }
    }

    fn walk(&mut self) -> Walk {
        let mut walk = Walk {
            number: self.walks,
            line: Line::new(Chess::default()),
            path: Vec::new(),
            is_new: false,
        };
        self.walks += 1;
        while walk.line.outcome_with_claims().is_none() {
            let key = walk.line.position().polyglot_key();
            let deep = walk.path.len() >= self.settings.plies;
            if !deep && !self.nodes.contains_key(&key) {
                walk.is_new = true;
                self.nodes.insert(key, Node::default());
            }
            let chosen = if deep { None } else { self.choose(key) };
            let Some(node) = self.nodes.get_mut(&key) else {
                break;
            };
            node.visits += 1;
            let Some(choice) = chosen else {
                break;
            };
            let edge = &mut node.edges[choice];
            edge.visits += 1;
            walk.line.push(edge.m);
            walk.path.push((key, choice));
        }
        walk
    }

    /// The move that promises most, with a bonus for those that were hardly
    /// tried yet.
    fn choose(&self, key: u64) -> Option<usize> {
        let node = self.nodes.get(&key)?;
        let spread = self.settings.width * f64::from(node.visits).sqrt();
        let promise =
            |edge: &Edge| self.worth(edge) + spread * edge.prior / f64::from(1 + edge.visits);
        let mut best = None;
        for (i, edge) in node.edges.iter().enumerate() {
            let value = promise(edge);
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((i, value));
            }
        }
        best.map(|(i, _)| i)
    }

    /// The score of a move: what lies behind it knows more than the search that
    /// came upon it.
    fn score(&self, edge: &Edge) -> i32 {
        match self.nodes.get(&edge.child) {
            Some(child) if !child.edges.is_empty() => -child.score,
            _ => edge.score,
        }
    }

    /// Points to expect from a move, 0 to 1.
    fn worth(&self, edge: &Edge) -> f64 {
        let expected = 1.0 / (1.0 + (-f64::from(self.score(edge)) / ODDS).exp());
        let points = f64::from(edge.halves) / 2.0;
        (points + SCORE_WORTH * expected) / (f64::from(edge.games) + SCORE_WORTH)
    }

    fn learn(&mut self, walk: &Walk, finding: &WalkResult) {
        let end = walk.line.position();
        if let Some(node) = self.nodes.get_mut(&end.polyglot_key())
            && !finding.moves.is_empty()
        {
            node.edges = edges(end, &finding.moves, self.settings.margin);
            node.score = finding.moves[0].1;
        }
        let mut side = end.side();
        for &(key, choice) in walk.path.iter().rev() {
            side = side.other();
            if let Some(node) = self.nodes.get_mut(&key) {
                let edge = &mut node.edges[choice];
                edge.games += 1;
                edge.halves += match finding.winner {
                    None => 1,
                    Some(winner) => 2 * u32::from(winner == side),
                };
            }
            let Some(node) = self.nodes.get(&key) else {
                continue;
            };
            let best = node.edges.iter().map(|edge| self.score(edge)).max();
            if let (Some(best), Some(node)) = (best, self.nodes.get_mut(&key)) {
                node.score = best;
            }
        }
    }

    /// The book: at most so many entries, of the positions met most often, each
    /// of which can be reached from the start through others.
    pub fn entries(&self, most: usize) -> Vec<Entry> {
        let mut order: Vec<(&u64, &Node)> = self.nodes.iter().collect();
        order.sort_by_key(|(key, node)| (core::cmp::Reverse(node.visits), **key));
        let mut kept = BTreeMap::new();
        let mut count = 0;
        for (&key, node) in order {
            let moves = self.book_moves(key, node);
            count += moves.len();
            if count > most {
                break;
            }
            kept.insert(key, moves);
        }
        let reached = self.reach(|key| kept.contains_key(&key));
        kept.retain(|key, _| reached.contains(key));
        kept.into_values().flatten().collect()
    }

    /// The good moves of a position, the best first.
    fn book_moves(&self, key: u64, node: &Node) -> Vec<Entry> {
        let mut worths: Vec<(f64, Move)> = node
            .edges
            .iter()
            .map(|edge| (self.worth(edge), edge.m))
            .collect();
        worths.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = worths.first().map_or(0.0, |first| first.0);
        let good = worths.iter().filter(|(worth, _)| best - worth <= BOOK_LOSS);
        good.map(|&(worth, m)| Entry {
            key,
            code: move_code(m),
            weight: (BOOK_WEIGHT * ((worth - best) / BOOK_TASTE).exp()).round() as u16,
        })
        .collect()
    }

    /// Keys that can be reached from the start through keys one may stop at.
    fn reach(&self, may: impl Fn(u64) -> bool) -> HashSet<u64> {
        let mut reached = HashSet::new();
        let mut open = vec![Chess::default().polyglot_key()];
        while let Some(key) = open.pop() {
            if may(key) && reached.insert(key) {
                let node = self.nodes.get(&key);
                open.extend(node.iter().flat_map(|n| &n.edges).map(|edge| edge.child));
            }
        }
        reached
    }
}

fn edges(position: &Chess, moves: &[(Move, i32)], margin: i32) -> Vec<Edge> {
    let best = moves[0].1;
    let good: Vec<_> = moves
        .iter()
        .filter(|&&(_, score)| best - score <= margin)
        .map(|&(m, score)| (m, score, (f64::from(score - best) / CURIOSITY).exp()))
        .collect();
    let sum: f64 = good.iter().map(|&(_, _, share)| share).sum();
    good.into_iter()
        .map(|(m, score, share)| Edge {
            m,
            child: position.after(m).polyglot_key(),
            score,
            prior: share / sum,
            visits: 0,
            games: 0,
            halves: 0,
        })
        .collect()
}

/// Searches and plays at the ends of all walks.
fn study(
    settings: &BookSettings,
    walks: &[Walk],
    searchers: &mut [Searcher<Chess>],
) -> Vec<WalkResult> {
    let next = AtomicUsize::new(0);
    let findings: Vec<Mutex<WalkResult>> = walks.iter().map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for searcher in searchers {
            scope.spawn(|| {
                let searcher = searcher;
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(walk) = walks.get(i) else { break };
                    let found = look(settings, walk, searcher);
                    *findings[i].lock().unwrap_or_else(PoisonError::into_inner) = found;
                }
            });
        }
    });
    let open =
        |finding: Mutex<WalkResult>| finding.into_inner().unwrap_or_else(PoisonError::into_inner);
    findings.into_iter().map(open).collect()
}

fn look(settings: &BookSettings, walk: &Walk, searcher: &mut Searcher<Chess>) -> WalkResult {
    let mut moves = Vec::new();
    if walk.is_new {
        searcher.clear();
        let limits = Limits {
            lines: settings.lines,
            ..Limits::to_nodes(settings.nodes)
        };
        let answer = searcher.go(&walk.line, &limits, &Control::new(), &mut ());
        let lines = answer.last.lines.iter();
        moves = lines
            .filter_map(|line| Some((*line.moves.first()?, line.score.value())))
            .collect();
    }
    searcher.clear();
    let mut random = SplitMix64::new(settings.seed ^ walk.number.rotate_left(32));
    // From its own first number: neighbouring seeds must not be neighbours.
    let mut random = SplitMix64::new(random.next());
    let spare = (settings.game_nodes / 4) as usize + 1;
    let search = |line: &Line<Chess>| {
        let nodes = settings.game_nodes + random.index(spare) as u64;
        think(searcher, line, &Limits::to_nodes(nodes))
    };
    let mut line = walk.line.clone();
    let keep = |_: &Line<Chess>, _, _| ControlFlow::Continue(());
    let end = play_out(&mut line, &Adjudication::VALUES, search, keep);
    let winner = end.and_then(|end| end.winner);
    WalkResult { moves, winner }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(threads: usize, rounds: usize) -> Tree {
        let mut tree = Tree::new(BookSettings {
            nodes: 600,
            game_nodes: 60,
            lines: 5,
            margin: 60,
            plies: 6,
            batch: 12,
            width: 1.5,
            seed: 3,
        });
        let mut searchers: Vec<_> = (0..threads).map(|_| Searcher::new()).collect();
        for searcher in &mut searchers {
            searcher.set_hash(1);
        }
        for _ in 0..rounds {
            tree.grow(&mut searchers);
        }
        tree
    }

    #[test]
    fn threads_do_not_change_the_book() {
        let book = grown(1, 9).entries(1000);
        assert!(book.len() > 30, "{}", book.len());
        assert_eq!(book, grown(3, 9).entries(1000));
        assert!(book.is_sorted_by_key(|entry| entry.key));
    }

    #[test]
    fn the_tree_counts_what_its_walks_did() {
        let tree = grown(2, 8);
        let start = &tree.nodes[&Chess::default().polyglot_key()];
        assert_eq!(u64::from(start.visits), tree.walks());
        for node in tree.nodes.values().filter(|n| !n.edges.is_empty()) {
            for edge in &node.edges {
                assert_eq!(edge.visits, edge.games);
                assert!(edge.halves <= 2 * edge.games);
            }
        }
        assert!(tree.len() > 20, "{}", tree.len());
    }

    #[test]
    fn a_small_book_keeps_what_is_met_most_and_the_way_to_it() {
        let tree = grown(2, 8);
        let small = tree.entries(12);
        assert!(!small.is_empty() && small.len() <= 12);
        assert!(
            small
                .iter()
                .any(|e| e.key == Chess::default().polyglot_key())
        );
        assert!(small.iter().all(|entry| entry.weight > 0));
    }
}
