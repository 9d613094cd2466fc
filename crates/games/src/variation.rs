//! Moves tried out from the end of a line.

use crate::error::MoveError;
use crate::line::{Line, check_legal, count_occurrences, outcome_at, outcome_with_claims_at};
use crate::outcome::Outcome;
use crate::position::Position;

/// A variation: moves from the end of a [`Line`] that stays as it is.
///
/// It has a board of its own and borrows the history of the line, so starting
/// one costs a copy of the position whatever the length of the game; the
/// repetitions it sees reach back into the line. This is what follows an
/// engine's principal variation, or looks a move ahead.
///
/// ```
/// use quadrille_games::chess::{Chess, ChessRules};
/// use quadrille_games::{Line, Position};
///
/// let line = Line::new(Chess::start(&ChessRules::default()));
/// let mut variation = line.variation();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     let m = variation.position().parse_move(text)?;
///     variation.push(m)?;
/// }
/// assert!(variation.outcome().is_some(), "the fool is mated");
/// assert!(line.moves().is_empty());
/// # Ok::<(), quadrille_games::MoveError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Variation<'a, P: Position> {
    line: &'a Line<P>,
    current: P,
    moves: Vec<P::Move>,
    undos: Vec<P::Undo>,
    /// Keys of the positions after each of the moves.
    keys: Vec<u64>,
}

impl<'a, P: Position> Variation<'a, P> {
    pub(crate) fn new(line: &'a Line<P>) -> Self {
        Self {
            line,
            current: line.position().clone(),
            moves: Vec::new(),
            undos: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// The line it leaves from.
    pub fn line(&self) -> &'a Line<P> {
        self.line
    }

    /// Where it stands now.
    pub fn position(&self) -> &P {
        &self.current
    }

    /// Its moves, without those of the line.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Plays a move, if it is legal.
    pub fn push(&mut self, m: P::Move) -> Result<(), MoveError> {
        check_legal(&self.current, m)?;
        let undo = self.current.make(m, &mut ());
        self.moves.push(m);
        self.undos.push(undo);
        self.keys.push(self.current.hash());
        Ok(())
    }

    /// Takes back its last move; those of the line stay.
    pub fn pop(&mut self) -> Option<P::Move> {
        let (last, undo) = self.moves.pop().zip(self.undos.pop())?;
        self.keys.pop();
        self.current.unmake(last, undo);
        Some(last)
    }

    /// How often the current position has occurred, in the line or here, this
    /// time included.
    pub fn occurrences(&self) -> u32 {
        let before = self.line.keys().iter().rev();
        let earlier = self.keys.iter().rev().chain(before).skip(1);
        count_occurrences(&self.current, earlier)
    }

    /// As [`Line::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        outcome_at(&self.current, || self.occurrences())
    }

    /// As [`Line::outcome_with_claims`].
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        outcome_with_claims_at(&self.current, || self.occurrences())
    }
}
