//! A line of play: a start position and the moves since, with repetition.

use crate::error::{MoveError, MoveErrorKind};
use crate::game::Side;
use crate::outcome::Outcome;
use crate::position::{GameMove, Position, Repetition};
use crate::variation::Variation;

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

    /// Plays a move that is known to be legal under the rules of the line. (For
    /// what a host of Gyges accepts beyond them, see [`Line::play_under`].)
    pub fn push(&mut self, m: P::Move) {
        debug_assert!(self.current.is_legal(m), "{m:?} in {}", self.current.text());
        self.advance(m);
    }

    /// Plays a move from any source, if it is legal.
    pub fn try_push(&mut self, m: P::Move) -> Result<(), MoveError> {
        check_legal(&self.current, m)?;
        self.advance(m);
        Ok(())
    }

    /// Plays a move that the caller has checked, perhaps under other rules than
    /// those of the line.
    pub(crate) fn advance(&mut self, m: P::Move) {
        let undo = self.current.make(m, &mut ());
        self.moves.push(m);
        self.undos.push(undo);
        self.keys.push(self.current.hash());
    }

    /// Reads a move in engine text and plays it. `e4` is refused with a hint:
    /// that is for [`play_notation`](Self::play_notation).
    pub fn play(&mut self, text: &str) -> Result<P::Move, MoveError> {
        let m = read_hinting(&self.current, text)?;
        self.push(m);
        Ok(m)
    }

    /// Reads a move as people write it and plays it.
    pub fn play_notation(&mut self, text: &str) -> Result<P::Move, MoveError> {
        let m = self.current.parse_notation(text)?;
        self.push(m);
        Ok(m)
    }

    /// Takes back the last move, if there is one, without replaying the others.
    pub fn pop(&mut self) -> Option<P::Move> {
        let (last, undo) = self.moves.pop().zip(self.undos.pop())?;
        self.keys.pop();
        self.current.unmake(last, undo);
        Some(last)
    }

    /// Moves to try out from here: the line itself stays as it is, and its
    /// history is not copied.
    pub fn variation(&self) -> Variation<'_, P> {
        Variation::new(self)
    }

    /// The number of the move to be played. A start position that does not
    /// [count moves](Position::move_number) counts as the first.
    pub fn move_number(&self) -> u32 {
        let first = self.start.move_number().unwrap_or(1);
        let second_half = usize::from(self.start.side() == Side::Black);
        let later = (self.moves.len() + second_half) / 2;
        first.saturating_add(u32::try_from(later).unwrap_or(u32::MAX))
    }

    /// Whether the last move made progress: see
    /// [`Position::made_progress`]. `false` before the first move.
    pub fn made_progress(&self) -> bool {
        !self.moves.is_empty() && self.current.made_progress()
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        count_occurrences(&self.current, self.keys.iter().rev().skip(1))
    }

    /// Whether the game is over without a claim of a player.
    pub fn outcome(&self) -> Option<Outcome> {
        outcome_at(&self.current, || self.occurrences())
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
        outcome_with_claims_at(&self.current, || self.occurrences())
    }
}

/// An error if the move is not legal here.
pub(crate) fn check_legal<P: Position>(position: &P, m: P::Move) -> Result<(), MoveError> {
    if position.is_legal(m) {
        return Ok(());
    }
    // A code that is not legal here may have no text: its squares need not
    // exist.
    let text = format!("{} code {:#x}", P::GAME, m.to_bits());
    let kind = MoveErrorKind::Illegal("this is not one of the legal moves here");
    Err(MoveError { text, kind })
}

/// How often a position has occurred: once now, and as often as its key stands
/// among the earlier ones, the latest first, since the last irreversible move.
pub(crate) fn count_occurrences<'a, P: Position>(
    position: &P,
    earlier: impl Iterator<Item = &'a u64>,
) -> u32 {
    let key = position.hash();
    let earlier = earlier.take(position.reversible_plies() as usize);
    1 + earlier.filter(|&&k| k == key).count() as u32
}

/// How the game ends at a position that occurred so often, without claims.
pub(crate) fn outcome_at<P: Position>(
    position: &P,
    occurrences: impl FnOnce() -> u32,
) -> Option<Outcome> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome);
    }
    match position.repetition(occurrences()) {
        Some(Repetition::Ends(outcome)) => Some(outcome),
        Some(Repetition::Claim(_)) | None => None,
    }
}

/// The same with every possible claim made.
pub(crate) fn outcome_with_claims_at<P: Position>(
    position: &P,
    occurrences: impl FnOnce() -> u32,
) -> Option<Outcome> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome);
    }
    match position.repetition(occurrences()) {
        Some(Repetition::Ends(outcome)) => Some(outcome),
        Some(Repetition::Claim(outcome)) => position.claimable().or(Some(outcome)),
        None => position.claimable(),
    }
}
/// Reads engine text; of a move as people write it the error tells what engines
/// write.
pub(crate) fn read_hinting<P: Position>(position: &P, text: &str) -> Result<P::Move, MoveError> {
    position.parse_move(text).map_err(|error| {
        // What has the form of engine text has an error of its own.
        let Ok(m) = position.parse_notation(text) else {
            return error;
        };
        MoveError::new(text, MoveErrorKind::Notation(position.move_text(m)))
    })
}
