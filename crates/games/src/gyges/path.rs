//! One way to play a move, for drawing it.

use super::board::{Gyges, NoChange};
use super::geometry::{BOARD, Bits, SQUARES, edge, origin, step};
use super::moves::GygesMove;

/// A chain of runs from the start square of a move to its end.
///
/// ```
/// use quadrille_games::gyges::{Gyges, GygesRules};
/// use quadrille_games::Position;
///
/// let game = Gyges::start(&GygesRules::default());
/// let path = game.path(game.parse_move("2|13")?).ok_or("legal")?;
/// assert_eq!(path.runs(), [vec![2, 1], vec![1, 7, 13]]);
/// assert_eq!(path.squares(), [2, 1, 7, 13]);
/// assert_eq!(path.bounces(), [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BouncePath {
    runs: Vec<Vec<u8>>,
}

impl BouncePath {
    /// The runs in order; each begins on the square where the one before it
    /// ended, which is where the mover bounced.
    pub fn runs(&self) -> &[Vec<u8>] {
        &self.runs
    }

    /// Every square in order, the start first, the end last.
    pub fn squares(&self) -> Vec<u8> {
        let mut squares: Vec<u8> = self.runs.iter().take(1).flatten().copied().collect();
        for run in self.runs.iter().skip(1) {
            squares.extend(&run[1..]);
        }
        squares
    }

    /// The squares of the pieces bounced on, in order.
    pub fn bounces(&self) -> Vec<u8> {
        self.runs.iter().skip(1).map(|run| run[0]).collect()
    }
}

/// A state of the breadth-first walk and how it was reached.
struct Reached {
    square: u8,
    used: u64,
    /// The state before and the run from it; the first state has none.
    came: Option<(usize, u32)>,
}

impl Gyges {
    /// A way to play a legal move with as few bounces as possible; `None` if
    /// the move is not legal. Moves that leave the board as it was have a path
    /// under either rule.
    pub fn path(&self, m: GygesMove) -> Option<BouncePath> {
        self.check(m, NoChange::Accept).ok()?;
        let lifted = self.occupied() & !(1 << m.start());
        let mut states = vec![Reached {
            square: m.start(),
            used: 0,
            came: None,
        }];
        let mut next = 0;
        while next < states.len() {
            let (square, used) = (states[next].square, states[next].used);
            let origin = origin(self.kind(square)?, square);
            for run in Bits(origin.all[self.side.index()]) {
                let (run, edges) = (run as u32, origin.edges(run as u32));
                let blocked = Bits(origin.crossed & lifted)
                    .any(|blocker| origin.through(blocker) >> run & 1 == 1);
                if blocked || edges & used != 0 {
                    continue;
                }
                let end = origin.end(run);
                if end == m.end() {
                    return self.retrace(&states, next, run);
                }
                // Dominance, as in the generator: shorter chains come first, so
                // what is dropped could only lead to longer ones.
                let reached = used | edges;
                let known = |s: &Reached| s.square == end && s.used & !reached == 0;
                if lifted >> end & 1 == 1 && !states.iter().any(known) {
                    states.push(Reached {
                        square: end,
                        used: reached,
                        came: Some((next, run)),
                    });
                }
            }
            next += 1;
        }
        None
    }

    fn retrace(&self, states: &[Reached], last: usize, run: u32) -> Option<BouncePath> {
        let mut runs = Vec::new();
        let mut came = Some((last, run));
        while let Some((state, run)) = came {
            runs.push(self.run_squares(states[state].square, run)?);
            came = states[state].came;
        }
        runs.reverse();
        Some(BouncePath { runs })
    }

    /// The squares of one run. No run meets a square twice, so its edges have
    /// only one order.
    fn run_squares(&self, from: u8, run: u32) -> Option<Vec<u8>> {
        let origin = origin(self.kind(from)?, from);
        let mut edges = origin.edges(run);
        let mut squares = vec![from];
        let mut at = from as usize;
        while edges != 0 {
            let next = (0..4)
                .filter_map(|direction| step(at, direction))
                .find(|&next| edges & edge(at, next) != 0)?;
            edges &= !edge(at, next);
            squares.push(next as u8);
            at = next;
        }
        let end = origin.end(run);
        if BOARD >> end & 1 == 0 {
            squares.push(end);
        }
        debug_assert!(squares.len() <= 4 && (at < SQUARES));
        Some(squares)
    }
}
