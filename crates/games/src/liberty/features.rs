//! What a program must support to play a position: the words of ULCI's
//! `id feature` and `id pieces`.

use super::Liberty;
use super::kind::Kind;
use super::setup::USUAL_PROMOTIONS;
use crate::game::Side;

/// What a position asks of a program beyond ordinary chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(clippy::struct_excessive_bools)] // Six independent words of the protocol.
pub struct Features {
    /// A board other than 8x8.
    pub board_size: bool,
    /// Pawns that advance otherwise than two squares from up to rank two.
    pub pawn_moves: bool,
    /// Castling elsewhere than on the first rank, files 1 and 8; so every
    /// other width needs it too.
    pub castling: bool,
    /// Not exactly one King each, or Pawns that become Kings.
    pub multiple_kings: bool,
    /// A promotion list other than queen, rook, bishop, knight.
    pub promotion: bool,
    /// Own pieces may be captured.
    pub friendly_fire: bool,
}

impl Features {
    /// Everything.
    pub const ALL: Self = Self {
        board_size: true,
        pawn_moves: true,
        castling: true,
        multiple_kings: true,
        promotion: true,
        friendly_fire: true,
    };

    /// The words of the protocol, with their flags.
    fn flags(self) -> [(&'static str, bool); 6] {
        [
            ("boardsize", self.board_size),
            ("pawnmoves", self.pawn_moves),
            ("castling", self.castling),
            ("multiplekings", self.multiple_kings),
            ("promotion", self.promotion),
            ("friendlyfire", self.friendly_fire),
        ]
    }

    /// The words that are set, as `id feature` spells them.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let flags = self.flags().into_iter();
        flags.filter_map(|(word, set)| set.then_some(word))
    }

    /// Whether a program with `self` can do all of `needed`.
    pub fn cover(self, needed: Self) -> bool {
        let (have, need) = (self.flags(), needed.flags());
        have.iter().zip(need).all(|(have, need)| have.1 || !need.1)
    }
}

impl Liberty {
    /// What a program must support to play this game on.
    ///
    /// ```
    /// use quadrille_games::{Position, liberty::Liberty};
    /// let position = Liberty::from_text("Narnia chess", &Default::default())?;
    /// let words: Vec<_> = position.features().words().collect();
    /// assert_eq!(words, ["multiplekings", "promotion"]);
    /// # Ok::<(), quadrille_games::PositionError>(())
    /// ```
    pub fn features(&self) -> Features {
        let variant = self.variant();
        let columns = (variant.queenside_file, variant.kingside_file);
        let one_king = Side::BOTH.iter().all(|&s| self.count(s, Kind::King) == 1);
        Features {
            board_size: (variant.width, variant.height) != (8, 8),
            pawn_moves: (variant.pawn_steps, variant.pawn_rank) != (2, 2),
            castling: (variant.castling_rank, columns) != (1, (1, 8)),
            multiple_kings: !one_king || variant.promotions.contains(&Kind::King),
            promotion: variant.promotions != USUAL_PROMOTIONS,
            friendly_fire: variant.friendly_fire,
        }
    }

    /// The letters of all kinds that are on the board or can still come onto
    /// it, lower case, each once.
    pub fn piece_letters(&self) -> String {
        let mut present = self.present[0] | self.present[1];
        if present & Kind::Pawn.bit() != 0 {
            for kind in self.promotions() {
                present |= kind.bit();
            }
        }
        let kinds = Kind::ALL.into_iter().filter(|k| present & k.bit() != 0);
        kinds.map(Kind::letter).collect()
    }
}
