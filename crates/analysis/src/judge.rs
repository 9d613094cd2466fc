//! From what engines say to what a move was worth.
//!
//! * The **win chance** of a side is what it can expect from the position: the
//!   chance of a win and half of that of a draw, 0 to 1. It comes from the
//!   engine's score by the curve of the game for people ([`Curve::for_people`]); a
//!   forced win is 1, a forced loss 0, and where the rules have ended the game it is
//!   the result. The chances of the engine itself (`wdl`) are those of engines, who
//!   draw what people lose; they only count where there is no score.
//! * The **loss** of a move is what it took from the mover's win chance: that of
//!   the position before, less that of the position after. A move that the engine
//!   would have played loses nothing.
//! * A loss of 0.05 is an inaccuracy, 0.1 a mistake, 0.15 a blunder.
//! * The **accuracy** of a move is `100 * 2^(-loss / 0.15)`: all of it without
//!   loss, half for a blunder on the border. That of a player is midway between the
//!   mean and the harmonic mean over the moves for which there was a choice: many good
//!   moves do not make up for one that loses.

use quadrille_games::records::Nag;
use quadrille_games::{Game, Outcome, Side};
use quadrille_protocol::Wdl;
use quadrille_search::chances::Curve;
use serde::{Deserialize, Serialize};

use quadrille_driver::EngineScore;

/// The loss at which a move counts half.
pub const HALF: f64 = 0.15;

/// How bad a move was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Judgement {
    /// From the smallest to the greatest.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// What a loss of win chance makes of a move.
    pub fn of(loss: f64) -> Option<Self> {
        let reached = |judgement: &Self| loss >= judgement.least();
        Self::ALL.into_iter().rev().find(reached)
    }

    /// The least loss that counts so.
    pub const fn least(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.1,
            Self::Blunder => 0.15,
        }
    }

    /// The glyph.
    pub const fn nag(self) -> Nag {
        match self {
            Self::Inaccuracy => Nag::DUBIOUS,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }

    /// The sign behind a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The word, as a sentence begins with it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }
}

/// The win chance of the side whose score and chances these are.
pub fn chance(game: Game, score: Option<EngineScore>, wdl: Option<Wdl>) -> Option<f64> {
    let known = match (score, wdl.and_then(Wdl::expected)) {
        // A mate in no moves has happened: the side to move is mated.
        (Some(EngineScore::Mate(moves)), _) => f64::from(u8::from(moves > 0)),
        (Some(EngineScore::Cp(cp)), _) => Curve::of(game).for_people(cp as f64),
        (None, Some(told)) => told,
        (None, None) => return None,
    };
    Some(rounded(known))
}

/// White's win chance where the rules have ended the game.
pub fn decided(outcome: Outcome) -> f64 {
    match outcome.winner {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    }
}

/// A chance as a side sees it that is White's view.
pub(crate) fn seen_by(side: Side, white: f64) -> f64 {
    match side {
        Side::White => white,
        Side::Black => rounded(1.0 - white),
    }
}

/// What a move took from the mover's win chance; the chances are White's.
pub fn loss(mover: Side, before: f64, after: f64) -> f64 {
    rounded((seen_by(mover, before) - seen_by(mover, after)).max(0.0))
}

/// The accuracy of a move, 0 to 100.
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss / HALF).exp2()
}

/// The accuracy of a player, from those of the moves.
pub(super) fn together(moves: &[f64]) -> Option<f64> {
    let count = moves.len() as f64;
    let mean = moves.iter().sum::<f64>() / count;
    let harmonic = count / moves.iter().map(|accuracy| accuracy.recip()).sum::<f64>();
    (!moves.is_empty()).then(|| rounded(f64::midpoint(mean, harmonic)))
}

/// Four decimals are more than any engine knows, and the same on every machine.
pub(super) fn rounded(chance: f64) -> f64 {
    (chance * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Reason;

    #[test]
    fn chances_come_from_the_best_source() {
        let cp = |n| Some(EngineScore::Cp(n));
        let wdl = |win, draw, loss| Some(Wdl { win, draw, loss });
        assert_eq!(chance(Game::Chess, cp(0), None), Some(0.5));
        assert_eq!(chance(Game::Chess, cp(210), None), Some(0.6884));
        assert_eq!(chance(Game::Gyges, cp(-200), None), Some(0.2454));
        // What engines draw people lose.
        assert_eq!(chance(Game::Chess, cp(210), wdl(200, 800, 0)), Some(0.6884));
        assert_eq!(chance(Game::Chess, None, wdl(0, 500, 500)), Some(0.25));
        assert_eq!(chance(Game::Chess, cp(0), wdl(0, 0, 0)), Some(0.5));
        // A forced win is one, whatever else it says.
        let mate = |n| chance(Game::Leiser, Some(EngineScore::Mate(n)), wdl(0, 1000, 0));
        assert_eq!(
            [mate(3), mate(-3), mate(0)],
            [Some(1.0), Some(0.0), Some(0.0)]
        );
        assert_eq!(chance(Game::Chess, None, None), None);
        let huge = chance(Game::Chess, cp(i64::MAX), None);
        assert_eq!(huge, Some(1.0));
    }

    #[test]
    fn losses_are_the_movers() {
        assert!((loss(Side::White, 0.7, 0.4) - 0.3).abs() < 1e-9);
        assert_eq!(Some(loss(Side::Black, 0.7, 0.4)), Some(0.0));
        assert!((loss(Side::Black, 0.4, 0.7) - 0.3).abs() < 1e-9);
        let end = |winner| {
            Some(decided(Outcome {
                winner,
                reason: Reason::Checkmate,
            }))
        };
        assert_eq!(end(Some(Side::White)), Some(1.0));
        assert_eq!(end(Some(Side::Black)), Some(0.0));
        assert_eq!(end(None), Some(0.5));
    }

    #[test]
    fn glyphs_begin_where_the_page_says() {
        for (loss, judgement) in [
            (0.0, None),
            (0.0499, None),
            (0.05, Some(Judgement::Inaccuracy)),
            (0.1, Some(Judgement::Mistake)),
            (0.1499, Some(Judgement::Mistake)),
            (0.15, Some(Judgement::Blunder)),
            (1.0, Some(Judgement::Blunder)),
        ] {
            assert_eq!(Judgement::of(loss), judgement, "{loss}");
        }
    }

    #[test]
    fn a_blunder_counts_half() {
        assert!((accuracy(0.0) - 100.0).abs() < 1e-9);
        assert!((accuracy(0.15) - 50.0).abs() < 1e-9);
        assert!((accuracy(0.3) - 25.0).abs() < 1e-9);
        assert!(accuracy(1.0) > 0.9 && accuracy(1.0) < 1.0);
        assert_eq!(together(&[]), None);
        assert_eq!(together(&[100.0, 100.0]), Some(100.0));
        // 62.5 and 40.
        assert_eq!(together(&[100.0, 25.0]), Some(51.25));
    }
}
