//! From what is stored to what is true.
//!
//! The generator was free to store anything where a capture does at least as well,
//! if that packs better, and tables know nothing of en passant. So captures are
//! played out first, and the table is asked about what is left.

use quadrille_games::chess::{Chess, Move, PieceKind};
use quadrille_games::{MoveKind, Position};

use crate::error::{ProbeError, TableKind};
use crate::material::Material;
use crate::table::Distance;
use crate::tables::Tables;
use crate::wdl::Wdl;

/// A result, and whether it is that of the very next move.
struct Settled {
    result: Wdl,
    /// A capture wins, or nothing but a capture en passant is as good.
    by_capture: bool,
}

impl Tables {
    /// The result of a position, right after a capture or pawn move: the count of
    /// moves without either in the position is not looked at, see
    /// [`dtz`](Self::dtz).
    pub fn wdl(&self, position: &Chess) -> Result<Wdl, ProbeError> {
        self.accept(position)?;
        Ok(self.settle(position)?.result)
    }

    /// The distance to the next capture or pawn move in plies, if both sides play
    /// for the result and, that kept, for getting there soon or late. Positive if
    /// the side to move wins, negative if it loses, 0 for a draw.
    ///
    /// Beyond 100 the fifty-move rule spoils the win: then it is 100 more than the
    /// distance where that lies in a later stretch of the game. A position in which
    /// the side to move is mated has -1.
    ///
    /// Tables may count moves instead of plies where that changes no result; then
    /// the true distance can be one more. So a win is certain if
    /// `dtz + halfmove clock <= 99`, and for a position right after a capture or
    /// pawn move also with 100.
    pub fn dtz(&self, position: &Chess) -> Result<i32, ProbeError> {
        self.accept(position)?;
        self.distance(position, true)
    }

    /// The result as the table has it, before captures and en passant are looked
    /// at: for tools that examine tables. Rarely what is wanted.
    pub fn stored_wdl(&self, position: &Chess) -> Result<Wdl, ProbeError> {
        self.accept(position)?;
        self.stored(position)
    }

    /// Whether a question makes sense at all. First comes what is cheap and turns
    /// most positions of a search away.
    #[inline]
    fn accept(&self, position: &Chess) -> Result<(), ProbeError> {
        if position.occupied().count() > self.most_men() {
            return Err(ProbeError::TooManyMen);
        }
        if !position.castling().is_empty() {
            return Err(ProbeError::Castling);
        }
        Ok(())
    }

    /// What the table of results says.
    #[inline]
    fn stored(&self, position: &Chess) -> Result<Wdl, ProbeError> {
        let material = Material::of_few(position);
        if material.is_bare() {
            return Ok(Wdl::Draw);
        }
        let kind = TableKind::Wdl;
        self.table(material, kind)?
            .result(position, material)
            .map_err(|fault| ProbeError::Damaged(material.as_named(), kind, fault))
    }

    /// The result of a position after a capture, if it lies between the bounds.
    /// Each capture takes a piece off the board, so that this ends.
    fn played_out(&self, position: &Chess, alpha: Wdl, beta: Wdl) -> Result<Wdl, ProbeError> {
        let mut best = alpha;
        let mut error = None;
        each_capture(position, |m| {
            if best >= beta || error.is_some() {
                return;
            }
            match self.played_out(&position.after(m), -beta, -best) {
                Ok(result) => best = best.max(-result),
                Err(found) => error = Some(found),
            }
        });
        match error {
            Some(error) => Err(error),
            None if best >= beta => Ok(best),
            None => Ok(best.max(self.stored(position)?)),
        }
    }

    fn settle(&self, position: &Chess) -> Result<Settled, ProbeError> {
        // The best capture, and the best one en passant.
        let (mut best, mut passing) = (None, None);
        let mut error = None;
        each_capture(position, |m| {
            if best == Some(Wdl::Win) || error.is_some() {
                return;
            }
            let beta = best.map_or(Wdl::Win, |best: Wdl| -best);
            match self.played_out(&position.after(m), Wdl::Loss, beta) {
                Ok(result) if m.is_en_passant() => passing = passing.max(Some(-result)),
                Ok(result) => best = best.max(Some(-result)),
                Err(found) => error = Some(found),
            }
        });
        if let Some(error) = error {
            return Err(error);
        }
        if best.max(passing) == Some(Wdl::Win) {
            return Ok(Settled {
                result: Wdl::Win,
                by_capture: true,
            });
        }
        let stored = self.stored(position)?;
        let Some(passing) = passing else {
            let result = best.map_or(stored, |best| best.max(stored));
            return Ok(Settled {
                result,
                by_capture: best == Some(result) && result > Wdl::Draw,
            });
        };
        // Without it the position might be a stalemate, and its table says a draw;
        // but a side that can take en passant has a move.
        let others = best.max(Some(stored)).unwrap_or(stored);
        let result = if only_en_passant(position) {
            passing
        } else {
            others.max(passing)
        };
        let by_en_passant = passing == result && (passing != others || result > Wdl::Draw);
        let by_capture = best == Some(result) && result > Wdl::Draw;
        Ok(Settled {
            result,
            by_capture: by_en_passant || by_capture,
        })
    }

    /// The distance. A table has it for one side to move; for the other `ahead`
    /// allows to look at the moves, once.
    fn distance(&self, position: &Chess, ahead: bool) -> Result<i32, ProbeError> {
        let Settled { result, by_capture } = self.settle(position)?;
        let next_move = result.distance_before_zeroing();
        if result == Wdl::Draw || by_capture {
            return Ok(next_move);
        }
        if result > Wdl::Draw && self.pawn_move_keeps(position, result)? {
            return Ok(next_move);
        }
        let material = Material::of_few(position);
        let kind = TableKind::Dtz;
        let damaged = |fault| ProbeError::Damaged(material.as_named(), kind, fault);
        let table = self.table(material, kind)?;
        match table
            .distance(position, material, result)
            .map_err(damaged)?
        {
            Distance::Plies(plies) => Ok(next_move + plies * next_move.signum()),
            Distance::OtherSide if ahead => self.distance_ahead(position, result),
            Distance::OtherSide => Err(damaged(crate::Fault::Contents(
                "distances for neither side",
            ))),
        }
    }

    /// Whether a pawn move that is no capture keeps a won result.
    fn pawn_move_keeps(&self, position: &Chess, result: Wdl) -> Result<bool, ProbeError> {
        let (mut kept, mut error) = (false, None);
        position.generate(MoveKind::All, |m| {
            let is_quiet = m.kind() == Some(PieceKind::Pawn) && !is_capture(position, m);
            if kept || error.is_some() || !is_quiet {
                return;
            }
            match self.settle(&position.after(m)) {
                Ok(reply) => kept = -reply.result == result,
                Err(found) => error = Some(found),
            }
        });
        error.map_or(Ok(kept), Err)
    }

    /// The distance by way of the other moves' distances.
    fn distance_ahead(&self, position: &Chess, result: Wdl) -> Result<i32, ProbeError> {
        let wins = result > Wdl::Draw;
        // Captures and pawn moves cannot be what a win takes: that was looked at.
        // For a loss they are the shortest way, as being mated is.
        let mut best = (!wins).then(|| result.distance_before_zeroing());
        let mut error = None;
        position.generate(MoveKind::All, |m| {
            let is_zeroing = m.kind() == Some(PieceKind::Pawn) || is_capture(position, m);
            if is_zeroing || error.is_some() {
                return;
            }
            let next = position.after(m);
            match self.distance(&next, false) {
                Ok(-1) if wins && is_mate(&next) => best = Some(1),
                Ok(reply) if wins && reply < 0 => {
                    let plies = 1 - reply;
                    best = Some(best.map_or(plies, |best| best.min(plies)));
                }
                Ok(reply) if !wins => best = best.min(Some(-reply - 1)),
                Ok(_) => {}
                Err(found) => error = Some(found),
            }
        });
        if let Some(error) = error {
            return Err(error);
        }
        let material = Material::of_few(position);
        let fault = crate::Fault::Contents("a win without a move that keeps it");
        best.ok_or(ProbeError::Damaged(
            material.as_named(),
            TableKind::Dtz,
            fault,
        ))
    }
}

#[inline]
pub(crate) fn is_capture(position: &Chess, m: Move) -> bool {
    m.is_en_passant() || position.by_side(position.side().other()).contains(m.to())
}

#[inline]
fn each_capture(position: &Chess, mut each: impl FnMut(Move)) {
    let theirs = position.by_side(position.side().other()).0;
    if theirs & theirs.wrapping_sub(1) == 0 {
        return; // A king alone.
    }
    position.generate(MoveKind::Tactical, |m| {
        if is_capture(position, m) {
            each(m);
        }
    });
}

fn only_en_passant(position: &Chess) -> bool {
    let mut only = true;
    position.generate(MoveKind::All, |m| only &= m.is_en_passant());
    only
}

pub(crate) fn is_mate(position: &Chess) -> bool {
    position.in_check() && !position.has_moves()
}
