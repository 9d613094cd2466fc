//! The years of the game and what each of them changed, as data.

use core::fmt;

use crate::error::{PositionError, PositionErrorKind};
use crate::game::Game;

/// The course years whose rules we know exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Year {
    /// 10x10, swaps, one zap, no pins.
    Y2012,
    /// 8x8, swaps, one zap, no pins.
    Y2013,
    /// 8x8, stomps, one zap, no pins.
    Y2014,
    /// 10x10, stomps, one zap, pins.
    Y2015,
    /// 8x8, swaps, repeated zaps, pins: the game of the protocol document.
    #[default]
    Y2016,
    /// 8x8, swaps with enemies followed by a second basic move, one zap.
    Y2018,
}

/// What happens when a piece steps onto an occupied square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occupied {
    /// The two pieces trade places, of either colour.
    Swap,
    /// A Pawn removes an enemy Pawn; every other occupied square is barred.
    Stomp,
    /// Only enemies can be swapped, and the piece that moved must then step to
    /// an empty square or turn; own pieces bar the way.
    SwapEnemyThenMove,
}

/// Everything in which the years differ.
// Each flag is a rule of its own: no two of them form one state.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Features {
    /// Files and ranks of the (square) board: 8 or 10.
    pub size: u8,
    /// What stepping onto a piece does.
    pub occupied: Occupied,
    /// The laser fires again after each zapped Pawn, until the beam is clear
    /// or a King is struck.
    pub repeated_zaps: bool,
    /// Pawns touched by the enemy beam may neither step nor turn.
    pub pins: bool,
    /// The King may stay as it is and only fire.
    pub null_move: bool,
    /// Ko (1): a move may not leave the whole board as it was.
    pub ko_unchanged: bool,
    /// Ko (2): a move may not restore the board before the opponent's move.
    pub ko_restored: bool,
    /// The start position of the year.
    pub start: &'static str,
    /// Plies without progress that draw the game, by the rules text.
    pub quiet_limit_plies: u32,
}

const S2012: &str = "ss3nw5/3nw6/2nw7/1nw8/nw3nwne4/4SWSE3SE/8SE1/7SE2/6SE3/5SE3NN W";
const S2013: &str = "ss2nw4/2nw5/1nw6/nw2nwne3/3SWSE2SE/6SE1/5SE2/4SE2NN W";
const S2014: &str = "ss7/3nwse3/2nwse4/1nwse3NW1/1se3NWSE1/4NWSE2/3NWSE3/7NN W";
const S2015: &str = "ss3nw5/3nw2nw3/2nw7/1nw6SE1/nw9/9SE/1nw6SE1/7SE2/3SE2SE3/5SE3NN W";
const S2016: &str = "ss3nw3/3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN W";

/// The table of the years, in the order of [`Year`].
static FEATURES: [Features; 6] = [
    Features {
        size: 10,
        occupied: Occupied::Swap,
        repeated_zaps: false,
        pins: false,
        null_move: true,
        ko_unchanged: true,
        ko_restored: true,
        start: S2012,
        quiet_limit_plies: 200,
    },
    Features {
        size: 8,
        occupied: Occupied::Swap,
        repeated_zaps: false,
        pins: false,
        null_move: true,
        ko_unchanged: true,
        ko_restored: true,
        start: S2013,
        quiet_limit_plies: 200,
    },
    Features {
        size: 8,
        occupied: Occupied::Stomp,
        repeated_zaps: false,
        pins: false,
        null_move: true,
        ko_unchanged: true,
        ko_restored: false,
        start: S2014,
        quiet_limit_plies: 100,
    },
    Features {
        size: 10,
        occupied: Occupied::Stomp,
        repeated_zaps: false,
        pins: true,
        null_move: true,
        ko_unchanged: true,
        ko_restored: false,
        start: S2015,
        quiet_limit_plies: 100,
    },
    Features {
        size: 8,
        occupied: Occupied::Swap,
        repeated_zaps: true,
        pins: true,
        null_move: true,
        ko_unchanged: true,
        ko_restored: true,
        start: S2016,
        quiet_limit_plies: 100,
    },
    Features {
        size: 8,
        occupied: Occupied::SwapEnemyThenMove,
        repeated_zaps: false,
        pins: false,
        null_move: false,
        ko_unchanged: true,
        ko_restored: true,
        start: S2014,
        quiet_limit_plies: 100,
    },
];

impl Year {
    /// All years, the oldest first.
    pub const ALL: [Self; 6] = [
        Self::Y2012,
        Self::Y2013,
        Self::Y2014,
        Self::Y2015,
        Self::Y2016,
        Self::Y2018,
    ];

    /// What this year's rules say.
    #[inline]
    pub fn features(self) -> &'static Features {
        &FEATURES[self as usize]
    }

    /// The year as a number.
    pub const fn number(self) -> u16 {
        match self {
            Self::Y2012 => 2012,
            Self::Y2013 => 2013,
            Self::Y2014 => 2014,
            Self::Y2015 => 2015,
            Self::Y2016 => 2016,
            Self::Y2018 => 2018,
        }
    }

    /// The name of this year's start position among the presets.
    pub const fn preset(self) -> &'static str {
        match self {
            Self::Y2012 => "S2012",
            Self::Y2013 => "S2013",
            Self::Y2014 => "S2014",
            Self::Y2015 => "S2015",
            Self::Y2016 => "S2016",
            Self::Y2018 => "S2018",
        }
    }

    fn from_number(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|y| y.number().to_string() == text)
    }
}

impl fmt::Display for Year {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// The choices made once for a game of Leiserchess.
///
/// ```
/// use quadrille_games::leiser::{LeiserRules, Year};
/// let rules = LeiserRules::of(Year::Y2015);
/// assert_eq!(rules.features().size, 10);
/// assert_eq!(LeiserRules::default().year, Year::Y2016);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LeiserRules {
    /// Which year's game is played.
    pub year: Year,
    /// Both Ko rules are in force. Without them even a null move without
    /// effect may be played (the reference engine's `use_ko 0`).
    pub ko: bool,
    /// Plies without a Pawn leaving the board after which the game is drawn;
    /// 0 switches the rule off.
    pub quiet_limit_plies: u32,
}

impl LeiserRules {
    /// The rules of a year as its rules text has them.
    pub fn of(year: Year) -> Self {
        Self {
            year,
            ko: true,
            quiet_limit_plies: year.features().quiet_limit_plies,
        }
    }

    /// What the year says about board, swaps, zaps and pins.
    #[inline]
    pub fn features(&self) -> &'static Features {
        self.year.features()
    }

    /// Reads `2016`, `2013 noko`, `2016 quiet=200`; empty is the default.
    pub(super) fn from_text(text: &str) -> Result<Self, PositionError> {
        let mut rules = Self::default();
        let mut quiet = None;
        let mut column = 1;
        // Split by hand: the column of each word is needed for the error.
        for word in text.split_inclusive(char::is_whitespace) {
            let start = column;
            column += word.len();
            let word = word.trim();
            if !word.is_empty() {
                rules
                    .read_word(word, &mut quiet)
                    .map_err(|kind| PositionError {
                        game: Game::Leiser,
                        field: "rules",
                        column: start,
                        kind,
                    })?;
            }
        }
        // Last, because the year brings a limit of its own wherever it stands.
        rules.quiet_limit_plies = quiet.unwrap_or(rules.quiet_limit_plies);
        Ok(rules)
    }

    fn read_word(&mut self, word: &str, quiet: &mut Option<u32>) -> Result<(), PositionErrorKind> {
        if word == "noko" {
            self.ko = false;
        } else if let Some(number) = word.strip_prefix("quiet=") {
            let plies = number
                .parse()
                .map_err(|_| PositionErrorKind::NotANumber(number.into()))?;
            *quiet = Some(plies);
        } else if let Some(year) = Year::from_number(word) {
            *self = Self {
                ko: self.ko,
                ..Self::of(year)
            };
        } else if word.bytes().all(|b| b.is_ascii_digit()) {
            return Err(PositionErrorKind::Impossible(
                "the years are 2012, 2013, 2014, 2015, 2016 and 2018",
            ));
        } else {
            return Err(PositionErrorKind::Trailing(word.into()));
        }
        Ok(())
    }

    /// The words that [`from_text`](Self::from_text) reads back.
    pub(super) fn text(self) -> String {
        let mut text = self.year.to_string();
        if self.quiet_limit_plies != self.features().quiet_limit_plies {
            text.push_str(" quiet=");
            text.push_str(&self.quiet_limit_plies.to_string());
        }
        if !self.ko {
            text += " noko";
        }
        text
    }
}

impl Default for LeiserRules {
    fn default() -> Self {
        Self::of(Year::default())
    }
}
