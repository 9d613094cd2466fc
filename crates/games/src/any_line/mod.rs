//! A line of play whose game is known only at run time.
//!
//! A match runner, a web page or a command line reads the name of a game and
//! texts; [`AnyLine`] plays all four games for them in texts alone. Whoever
//! needs more than texts matches on the variants and has the typed [`Line`].
//!
//! ```
//! use quadrille_games::any_line::AnyLine;
//! use quadrille_games::{Game, Side};
//!
//! let mut line = AnyLine::new(Game::Leiser, "2016", "startpos")?;
//! assert_eq!(line.play("h4g5")?.notation, "Ph4-g5");
//! assert_eq!(line.side(), Side::Black);
//! assert_eq!(line.outcome(), None);
//! let beam = line.beam(Side::White).ok_or("the King is there")?;
//! assert_eq!(beam.king, "h0");
//!
//! let mut chess = AnyLine::start(Game::Chess);
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     chess.play_notation(san)?;
//! }
//! let end = chess.outcome().ok_or("mate")?;
//! assert_eq!(end.to_string(), "Black wins by checkmate");
//! let played: Vec<String> = chess.moves().into_iter().map(|m| m.text).collect();
//! assert_eq!(played, ["f2f3", "e7e5", "g2g4", "d8h4"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod view;

pub use view::{BeamView, BounceView, FireView, MoveView, PieceView};

use core::fmt;

use crate::chess::Chess;
use crate::error::{MoveError, PositionError};
use crate::game::{Game, Side};
use crate::gyges::Gyges;
use crate::leiser::{Generated, Leiser, Unrefused};
use crate::liberty::{Liberty, Reference};
use crate::line::Line;
use crate::outcome::Outcome;
use crate::perft::{Count, Counting, Legal, Options, PerftError, Tally, divide};
use crate::position::{MoveKind, Position};
use view::Show;

/// A game that cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupError {
    /// The text of the rules is wrong; columns count in it.
    Rules(PositionError),
    /// The text of the position is wrong; columns count in it.
    Position(PositionError),
}

impl SetupError {
    /// What is wrong.
    pub const fn error(&self) -> &PositionError {
        match self {
            Self::Rules(error) | Self::Position(error) => error,
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl core::error::Error for SetupError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(self.error())
    }
}

/// A [`Line`] of any of the games.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "a few lines exist at a time, and none of them is moved about"
)]
pub enum AnyLine {
    /// Chess, Chess960, double Chess960.
    Chess(Line<Chess>),
    /// Liberty Chess.
    Liberty(Line<Liberty>),
    /// Leiserchess.
    Leiser(Line<Leiser>),
    /// Gyges.
    Gyges(Line<Gyges>),
}

/// The same expression for the line of every game.
macro_rules! each_game {
    ($any:expr, $line:ident => $body:expr) => {
        match $any {
            AnyLine::Chess($line) => $body,
            AnyLine::Liberty($line) => $body,
            AnyLine::Leiser($line) => $body,
            AnyLine::Gyges($line) => $body,
        }
    };
}

/// The same expression for the position type of every game.
macro_rules! each_type {
    ($game:expr, $P:ident => $body:expr) => {
        match $game {
            Game::Chess => {
                type $P = Chess;
                $body
            }
            Game::Liberty => {
                type $P = Liberty;
                $body
            }
            Game::Leiser => {
                type $P = Leiser;
                $body
            }
            Game::Gyges => {
                type $P = Gyges;
                $body
            }
        }
    };
}

impl AnyLine {
    /// The usual start position under the usual rules.
    pub fn start(game: Game) -> Self {
        each_type!(game, P => usual::<P>().into())
    }

    /// A line from a position. Both texts are what the game reads
    /// ([`Position::rules_from_text`], [`Position::from_text`]): an empty text
    /// is the usual rules, the start position; names of presets are positions.
    pub fn new(game: Game, rules: &str, position: &str) -> Result<Self, SetupError> {
        each_type!(game, P => set_up::<P>(rules, position).map(Into::into))
    }

    /// Names and texts of well-known positions under these rules; the first is
    /// the start position.
    pub fn presets(game: Game, rules: &str) -> Result<Vec<(&'static str, String)>, SetupError> {
        each_type!(game, P => {
            let rules = P::rules_from_text(rules).map_err(SetupError::Rules)?;
            Ok(P::presets(&rules))
        })
    }

    /// Which game this is.
    pub const fn game(&self) -> Game {
        match self {
            Self::Chess(_) => Game::Chess,
            Self::Liberty(_) => Game::Liberty,
            Self::Leiser(_) => Game::Leiser,
            Self::Gyges(_) => Game::Gyges,
        }
    }

    /// The words for the rules in force.
    pub fn rules_text(&self) -> String {
        each_game!(self, line => rules_of(line))
    }

    /// The position now, in the canonical form of its game.
    pub fn position_text(&self) -> String {
        each_game!(self, line => line.position().text())
    }

    /// The position where the line began.
    pub fn start_text(&self) -> String {
        each_game!(self, line => line.start().text())
    }

    /// The board for a terminal, without colours.
    pub fn draw(&self) -> String {
        each_game!(self, line => line.position().draw())
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        each_game!(self, line => line.position().side())
    }

    /// Files and ranks of the board.
    pub fn size(&self) -> (u16, u16) {
        each_game!(self, line => line.position().size())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        each_game!(self, line => line.position().in_check())
    }

    /// The key of the position.
    pub fn hash(&self) -> u64 {
        each_game!(self, line => line.position().hash())
    }

    /// The keys of all positions so far, the current one last.
    pub fn keys(&self) -> &[u64] {
        each_game!(self, line => line.keys())
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        each_game!(self, line => line.occurrences())
    }

    /// How many moves were played.
    pub fn plies(&self) -> usize {
        each_game!(self, line => line.moves().len())
    }

    /// Whether the game is over without anybody claiming anything.
    pub fn outcome(&self) -> Option<Outcome> {
        each_game!(self, line => line.outcome())
    }

    /// The same with every draw that could be claimed taken as claimed.
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        each_game!(self, line => line.outcome_with_claims())
    }

    /// The draw that the side to move may claim.
    pub fn claimable(&self) -> Option<Outcome> {
        each_game!(self, line => line.claimable())
    }

    /// Plays a move in engine text. Whether the game is over by repetition or
    /// a claim is the caller's to ask; moves that the position itself does not
    /// have are refused.
    pub fn play(&mut self, text: &str) -> Result<MoveView, MoveError> {
        each_game!(self, line => play(line, text, Position::parse_move))
    }

    /// Plays a move as people write it; engine text is understood too.
    pub fn play_notation(&mut self, text: &str) -> Result<MoveView, MoveError> {
        each_game!(self, line => play(line, text, Position::parse_notation))
    }

    /// Reads a legal move in either form without playing it.
    pub fn find(&self, text: &str) -> Result<MoveView, MoveError> {
        each_game!(self, line => {
            let m = line.position().parse_notation(text)?;
            Ok(line.position().view(m))
        })
    }

    /// Takes back the last move and tells which it was.
    pub fn pop(&mut self) -> Option<MoveView> {
        each_game!(self, line => {
            let m = line.pop()?;
            Some(line.position().view(m))
        })
    }

    /// The moves from the start.
    pub fn moves(&self) -> Vec<MoveView> {
        each_game!(self, line => played(line))
    }

    /// The number of legal moves.
    pub fn legal_move_count(&self) -> u64 {
        each_game!(self, line => line.position().count_moves())
    }

    /// The legal moves, or so many of them: a Liberty Chess board of 256x256
    /// squares can have more than fit into memory as texts.
    pub fn legal_moves(&self, at_most: usize) -> Vec<MoveView> {
        each_game!(self, line => legal(line.position(), at_most))
    }

    /// Every piece on the board.
    pub fn pieces(&self) -> Vec<PieceView> {
        each_game!(self, line => {
            let mut list = Vec::new();
            let position = line.position();
            position.pieces(|piece, square| list.push(position.show_piece(piece, square)));
            list
        })
    }

    /// Leiserchess: the beam a side's King would fire now. `None` in the other
    /// games, and when the King is gone.
    pub fn beam(&self, side: Side) -> Option<BeamView> {
        match self {
            Self::Leiser(line) => BeamView::of(line.position(), side),
            _ => None,
        }
    }

    /// Leiserchess: what a legal move does to the pieces. `None` in the other
    /// games.
    pub fn fire(&self, text: &str) -> Result<Option<FireView>, MoveError> {
        match self {
            Self::Leiser(line) => FireView::of(line.position(), text).map(Some),
            _ => Ok(None),
        }
    }

    /// Gyges: a way to play a legal move, with as few bounces as possible.
    /// `None` in the other games.
    pub fn bounce_path(&self, text: &str) -> Result<Option<BounceView>, MoveError> {
        match self {
            Self::Gyges(line) => BounceView::of(line.position(), text),
            _ => Ok(None),
        }
    }

    /// Counts the leaves behind each legal move of the current position.
    pub fn perft(&self, count: Count, options: &Options<'_>) -> Result<Tally<String>, PerftError> {
        match (self, count) {
            (Self::Chess(line), Count::Legal) => tally(line, Legal, options),
            (Self::Liberty(line), Count::Legal) => tally(line, Legal, options),
            (Self::Liberty(line), Count::Reference) => tally(line, Reference, options),
            (Self::Leiser(line), Count::Legal) => tally(line, Unrefused, options),
            (Self::Leiser(line), Count::Exact) => tally(line, Legal, options),
            (Self::Leiser(line), Count::Generated) => tally(line, Generated, options),
            (Self::Gyges(line), Count::Legal) => tally(line, Legal, options),
            _ => Err(PerftError::NotCounted),
        }
    }
}

fn usual<P: Position>() -> Line<P> {
    Line::new(P::start(&P::Rules::default()))
}

fn set_up<P: Position>(rules: &str, position: &str) -> Result<Line<P>, SetupError> {
    let rules = P::rules_from_text(rules).map_err(SetupError::Rules)?;
    let start = if position.trim().is_empty() {
        P::start(&rules)
    } else {
        P::from_text(position, &rules).map_err(SetupError::Position)?
    };
    Ok(Line::new(start))
}

fn rules_of<P: Position>(line: &Line<P>) -> String {
    P::rules_text(&line.position().rules())
}

fn play<P: Show>(
    line: &mut Line<P>,
    text: &str,
    read: impl Fn(&P, &str) -> Result<P::Move, MoveError>,
) -> Result<MoveView, MoveError> {
    let m = read(line.position(), text)?;
    let view = line.position().view(m);
    line.push(m);
    Ok(view)
}

fn played<P: Show>(line: &Line<P>) -> Vec<MoveView> {
    let mut position = line.start().clone();
    let mut list = Vec::with_capacity(line.moves().len());
    for &m in line.moves() {
        list.push(position.view(m));
        position.make(m, &mut ());
    }
    list
}

fn legal<P: Show>(position: &P, at_most: usize) -> Vec<MoveView> {
    let mut moves = Vec::new();
    position.generate(MoveKind::All, |m| {
        if moves.len() < at_most {
            moves.push(m);
        }
    });
    moves.into_iter().map(|m| position.view(m)).collect()
}

fn tally<P: Position>(
    line: &Line<P>,
    counting: impl Counting<P>,
    options: &Options<'_>,
) -> Result<Tally<String>, PerftError> {
    let position = line.position();
    let Tally { moves, total } = divide(position, counting, options)?;
    let named = moves
        .into_iter()
        .map(|(m, leaves)| (position.move_text(m), leaves));
    Ok(Tally {
        moves: named.collect(),
        total,
    })
}

macro_rules! from_line {
    ($($P:ident)*) => {
        $(impl From<Line<$P>> for AnyLine {
            fn from(line: Line<$P>) -> Self {
                Self::$P(line)
            }
        })*
    };
}

from_line!(Chess Liberty Leiser Gyges);
