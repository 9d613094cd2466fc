//! A line of play: a start position and the moves since, with repetition.

use crate::error::MoveError;
use crate::outcome::{Outcome, Reason};
use crate::position::Position;

/// A start position and the moves played from it. This is what a referee
/// holds: it refuses illegal moves, takes moves back, and knows how often the
/// current position has occurred.
#[derive(Debug, Clone)]
pub struct Line<P: Position> {
    start: P,
    current: P,
    moves: Vec<P::Move>,
    /// What takes each of the moves back.
    undos: Vec<P::Undo>,
    /// Keys of all positions from the start to the current one.
    keys: Vec<u64>,
}

impl<P: Position> Line<P> {
    /// A line without moves.
    pub fn new(start: P) -> Self {
        Self {
            keys: vec![start.hash()],
            current: start.clone(),
            start,
            moves: Vec::new(),
            undos: Vec::new(),
        }
    }

    /// Where the line began.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// Where it stands now.
    pub fn position(&self) -> &P {
        &self.current
    }

    /// The moves from the start.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The keys of all positions so far, the start first and the current one
    /// last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move that is known to be legal.
    pub fn push(&mut self, m: P::Move) {
        debug_assert!(self.current.is_legal(m), "{m:?} in {}", self.current.text());
        let undo = self.current.make(m, &mut ());
        self.moves.push(m);
        self.undos.push(undo);
        self.keys.push(self.current.hash());
    }

    /// Reads a move in engine text and plays it.
    pub fn play(&mut self, text: &str) -> Result<P::Move, MoveError> {
        let m = self.current.parse_move(text)?;
        self.push(m);
        Ok(m)
    }

    /// Reads a move as people write it and plays it.
    pub fn play_notation(&mut self, text: &str) -> Result<P::Move, MoveError> {
        let m = self.current.parse_notation(text)?;
        self.push(m);
        Ok(m)
    }

    /// Takes back the last move, if there is one.
    pub fn pop(&mut self) -> Option<P::Move> {
        let (last, undo) = self.moves.pop().zip(self.undos.pop())?;
        self.keys.pop();
        self.current.unmake(last, undo);
        Some(last)
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        let key = self.current.hash();
        let reach = self.current.reversible_plies() as usize;
        let earlier = self.keys.iter().rev().skip(1).take(reach);
        1 + earlier.filter(|&&k| k == key).count() as u32
    }

    /// Whether the game is over without anybody claiming anything.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.current.outcome() {
            return Some(outcome);
        }
        let limit = P::REPETITION_LIMIT?;
        (self.occurrences() >= limit).then(|| Outcome::draw(repetition_reason(limit)))
    }

    /// The draw that the side to move may claim; `None` when the game is over
    /// without a claim.
    pub fn claimable(&self) -> Option<Outcome> {
        match self.outcome() {
            Some(_) => None,
            None => self.outcome_with_claims(),
        }
    }

    /// As [`outcome`](Self::outcome), with every draw that could be claimed
    /// taken as claimed: how engine matches are refereed.
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        if let Some(outcome) = self.outcome().or_else(|| self.current.claimable()) {
            return Some(outcome);
        }
        let limit = P::REPETITION_CLAIM?;
        (self.occurrences() >= limit).then(|| Outcome::draw(repetition_reason(limit)))
    }
}

fn repetition_reason(limit: u32) -> Reason {
    if limit >= 5 {
        Reason::Fivefold
    } else {
        Reason::Threefold
    }
}
