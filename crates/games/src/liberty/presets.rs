//! Well-known start positions, and random ones.

use super::kind::Kind;
use super::{Liberty, Rules};
use crate::error::PositionError;
use crate::position::Position;
use crate::random::SplitMix64;

/// The start position of ordinary chess.
pub(super) const START: &str = PRESETS[0].1;

/// Names and L-FENs. The first is the start position.
const PRESETS: [(&str, &str); 14] = [
    (
        "Standard",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "Liberty chess",
        "ruabhqkhbcur/wlzenxxnezlw/pppppppppppp/12/12/12/12/12/12/PPPPPPPPPPPP/WLZENXXNEZLW/RUABHQKHBCUR w KQkq - 0 1 3,3 qcaehurwbznxl",
    ),
    ("Mini chess", "qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1"),
    (
        "Capablanca 10x8",
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 - qcarbn",
    ),
    (
        "Capablanca 10x10",
        "rnabqkbcnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 3 qcarbn",
    ),
    (
        "Mongol chess",
        "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1 - iznl",
    ),
    (
        "African chess",
        "lnzekznl/pppppppp/8/8/8/8/PPPPPPPP/LNZEKZNL w - - 0 1 - enzl",
    ),
    (
        "Narnia chess",
        "uuqkkquu/pppppppp/8/8/8/8/PPPPPPPP/UUQKKQUU w - - 0 1 - u",
    ),
    (
        "Trump chess",
        "rwwwkwwr/pppppppp/8/8/8/8/PPPPPPPP/RWWWKWWR w KQkq - 0 1 - mrw",
    ),
    (
        "Loaded board",
        "rrrqkrrr/bbbbbbbb/nnnnnnnn/pppppppp/PPPPPPPP/NNNNNNNN/BBBBBBBB/RRRQKRRR w KQkq - 0 1",
    ),
    (
        "Double chess",
        "rnbqkbnrrnbqkbnr/pppppppppppppppp/16/16/16/16/PPPPPPPPPPPPPPPP/RNBQKBNRRNBQKBNR w KQkq - 0 1",
    ),
    (
        "Horde",
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    ),
    (
        "Elimination",
        "rnbqxbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQXBNR w - - 0 1 - qrbnx",
    ),
    ("Endgame", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"),
];

/// The L-FEN of a preset. Case and blanks do not matter, and the first word of
/// a name will do (`mini`; `capablanca` is the 10x8 one). `startpos` and `start`
/// are the first preset. No L-FEN can be mistaken for a name: it has at least
/// two ranks, and so a slash.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let squeeze = |words: &str| words.split_whitespace().collect::<String>().to_lowercase();
    let wanted = squeeze(text);
    if matches!(wanted.as_str(), "startpos" | "start") {
        return Some(START);
    }
    let by_name = PRESETS.iter().find(|p| squeeze(p.0) == wanted);
    let preset = by_name.or_else(|| {
        let first = |name: &str| name.split(' ').next().map(str::to_lowercase);
        PRESETS
            .iter()
            .find(|p| first(p.0).as_deref() == Some(&wanted))
    })?;
    Some(preset.1)
}

/// All presets, with friendly fire if the rules say so.
pub(super) fn all(rules: Rules) -> Vec<(&'static str, String)> {
    let text = |lfen| match Liberty::read_lfen(lfen, rules) {
        Ok(position) => position.text(),
        Err(_) => lfen.into(),
    };
    PRESETS.map(|(name, lfen)| (name, text(lfen))).to_vec()
}

/// Makes random start positions: a back rank of random pieces, a full rank of
/// Pawns before it, and the same for the other side.
///
/// ```
/// use quadrille_games::Position;
/// use quadrille_games::liberty::RandomStart;
///
/// let position = RandomStart { width: 10, ..RandomStart::default() }.position(42)?;
/// assert_eq!(position.size(), (10, 8));
/// # Ok::<(), quadrille_games::PositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomStart {
    /// Number of files, 2 to 256.
    pub width: u16,
    /// Number of ranks, 4 to 256. Less is taken for 4, so that all four ranks
    /// fit.
    pub height: u16,
    /// The kinds to draw from; also the promotion list. Empty is the default.
    pub kinds: Vec<Kind>,
    /// Whether one random file gets a King instead.
    pub king: bool,
    /// Whether own pieces may be captured.
    pub friendly_fire: bool,
}

impl Default for RandomStart {
    /// Ordinary pieces and a King on 8x8.
    fn default() -> Self {
        Self {
            width: 8,
            height: 8,
            kinds: super::setup::USUAL_PROMOTIONS.to_vec(),
            king: true,
            friendly_fire: false,
        }
    }
}

impl RandomStart {
    /// The position with this seed. The same seed always gives the same
    /// position. Fails only if the size is not a board's.
    pub fn position(&self, seed: u64) -> Result<Liberty, PositionError> {
        let mut random = SplitMix64::new(seed);
        let usual = Self::default().kinds;
        let kinds = if self.kinds.is_empty() {
            &usual
        } else {
            &self.kinds
        };
        let width = usize::from(self.width);
        let mut back: Vec<Kind> = (0..width)
            .map(|_| kinds[random.index(kinds.len())])
            .collect();
        if self.king && width > 0 {
            back[random.index(width)] = Kind::King;
        }
        let black: String = back.iter().map(|kind| kind.letter()).collect();
        let white = black.to_ascii_uppercase();
        let pawns = "p".repeat(width);
        let empty = format!("{width}/").repeat(usize::from(self.height).saturating_sub(4));
        let promotion: String = kinds.iter().map(|kind| kind.letter()).collect();
        let text = format!(
            "{black}/{pawns}/{empty}{}/{white} w KQkq - 0 1 - {promotion}",
            pawns.to_ascii_uppercase(),
        );
        let rules = Rules {
            friendly_fire: self.friendly_fire,
        };
        Liberty::read_lfen(&text, rules)
    }
}
