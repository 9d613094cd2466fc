//! A search for a mate in so many moves is over when there is none.
//!
//! Iterations deepen for ever where no mate is found, and what they leave out is no proof
//! that there is none. So beside them every move of the attacker is tried, and to each of
//! them one defence is enough. No pruning, and no table: only the rules.

use quadrille_games::MoveKind;

use crate::playable::Playable;
use crate::score::MAX_PLY;
use crate::worker::Worker;

/// The nodes of a first attempt. Later ones get as many as the iterations had.
const FIRST_ATTEMPT: u64 = 5_000;

/// What an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Mate,
    NoMate,
    /// Out of nodes, or the search is over.
    BrokenOff,
}

impl<P: Playable> Worker<'_, P> {
    /// Whether the side to move cannot force a win in this many moves of its own, whatever
    /// it tries. `false` also if that takes longer than the iteration before: the next one
    /// allows for more.
    pub(crate) fn refutes_mate(&mut self, moves: u32) -> bool {
        let end = self.nodes + FIRST_ATTEMPT.max(self.nodes);
        // The defence that was right for the last move often is for the next.
        let mut defences = vec![None; 2 * moves as usize + 1];
        let roots: Vec<P::Move> = self.root.iter().map(|root| root.m).collect();
        self.attack(0, &roots, moves, end, &mut defences) == Attempt::NoMate
    }

    fn attack(
        &mut self,
        ply: usize,
        attacks: &[P::Move],
        moves: u32,
        end: u64,
        defences: &mut [Option<P::Move>],
    ) -> Attempt {
        for &m in attacks {
            let undo = self.make(ply, m);
            let attempt = self.defend(ply + 1, moves - 1, end, defences);
            self.unmake(m, undo);
            if attempt != Attempt::NoMate {
                return attempt;
            }
        }
        Attempt::NoMate
    }

    /// The other side is to move, and is lost if every move of its lets the attacker win
    /// with the moves that are left to it.
    fn defend(
        &mut self,
        ply: usize,
        moves: u32,
        end: u64,
        defences: &mut [Option<P::Move>],
    ) -> Attempt {
        if self.is_halted(ply) || self.nodes >= end || ply + 2 >= MAX_PLY {
            return Attempt::BrokenOff;
        }
        // Repetitions and draws by counting are no mates.
        if let Some(value) = self.ending(ply) {
            return if value < 0 {
                Attempt::Mate
            } else {
                Attempt::NoMate
            };
        }
        let mut replies = self.all_moves();
        if replies.is_empty() {
            let lost = self.position.outcome().and_then(|outcome| outcome.winner);
            let attacker = self.position.side().other();
            return if lost == Some(attacker) {
                Attempt::Mate
            } else {
                Attempt::NoMate
            };
        }
        if moves == 0 {
            return Attempt::NoMate;
        }
        if let Some(at) = replies.iter().position(|m| defences[ply] == Some(*m)) {
            replies.swap(0, at);
        }
        for m in replies {
            let undo = self.make(ply, m);
            let attempt = match self.ending(ply + 1) {
                Some(value) if value > 0 => Attempt::Mate,
                Some(_) => Attempt::NoMate,
                None => {
                    let attacks = self.all_moves();
                    if attacks.is_empty() && self.wins_without_moves() {
                        Attempt::Mate
                    } else {
                        self.attack(ply + 1, &attacks, moves, end, defences)
                    }
                }
            };
            self.unmake(m, undo);
            match attempt {
                Attempt::Mate => {}
                Attempt::NoMate => {
                    defences[ply] = Some(m);
                    return Attempt::NoMate;
                }
                Attempt::BrokenOff => return Attempt::BrokenOff,
            }
        }
        Attempt::Mate
    }

    fn all_moves(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        self.position.generate(MoveKind::All, |m| moves.push(m));
        moves
    }

    /// Whether the side to move has won although it cannot move.
    fn wins_without_moves(&self) -> bool {
        let winner = self.position.outcome().and_then(|outcome| outcome.winner);
        winner == Some(self.position.side())
    }
}
