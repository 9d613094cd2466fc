//! A line of play whose game is known only at run time.
//!
//! A match runner, a web page or a command line reads the name of a game and
//! texts; [`AnyLine`] plays all four games for them. A move is an [`AnyMove`],
//! read once and played as a value; its texts are asked of the line when they
//! are wanted. [`AnyVariation`] tries moves out. Code that needs the types of a
//! game gets the typed [`Line`] with [`match_line!`].
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

mod moves;
mod variation;
mod view;

pub use moves::AnyMove;
pub use variation::AnyVariation;
pub use view::{BeamView, BounceView, FireView, MoveView, PieceView};

use core::fmt;

use crate::chess::Chess;
use crate::error::{MoveError, PositionError};
use crate::game::{Game, Side};
use crate::gyges::Gyges;
use crate::leiser::{Generated, Leiser, Unrefused};
use crate::liberty::{Liberty, Reference};
use crate::line::{Line, read_hinting};
use crate::outcome::Outcome;
use crate::perft::{Counting, Legal, Options, PerftCounts, PerftError, PerftKind, divide};
use crate::position::{MoveKind, Position};
use crate::{match_game, match_line};
use moves::legal;
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

impl AnyLine {
    /// The usual start position under the usual rules.
    pub fn start(game: Game) -> Self {
        match_game!(game, P => usual::<P>().into())
    }

    /// A line from a position. Both texts are what the game reads
    /// ([`Position::rules_from_text`], [`Position::from_text`]): an empty text
    /// is the usual rules, the start position; names of presets are positions.
    pub fn new(game: Game, rules: &str, position: &str) -> Result<Self, SetupError> {
        match_game!(game, P => set_up::<P>(rules, position).map(Into::into))
    }

    /// Names and texts of well-known positions under these rules; the first is
    /// the start position.
    pub fn presets(game: Game, rules: &str) -> Result<Vec<(&'static str, String)>, SetupError> {
        match_game!(game, P => {
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
        match_line!(self, line => rules_of(line))
    }

    /// The position now, in the canonical form of its game.
    pub fn position_text(&self) -> String {
        match_line!(self, line => line.position().text())
    }

    /// The position where the line began.
    pub fn start_text(&self) -> String {
        match_line!(self, line => line.start().text())
    }

    /// The board for a terminal, without colours.
    pub fn draw(&self) -> String {
        match_line!(self, line => line.position().draw())
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        match_line!(self, line => line.position().side())
    }

    /// Files and ranks of the board.
    pub fn size(&self) -> (u16, u16) {
        match_line!(self, line => line.position().size())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        match_line!(self, line => line.position().in_check())
    }

    /// The key of the position.
    pub fn hash(&self) -> u64 {
        match_line!(self, line => line.position().hash())
    }

    /// The keys of all positions so far, the current one last.
    pub fn keys(&self) -> &[u64] {
        match_line!(self, line => line.keys())
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        match_line!(self, line => line.occurrences())
    }

    /// The number of the move to be played.
    pub fn move_number(&self) -> u32 {
        match_line!(self, line => line.move_number())
    }

    /// Whether the last move made progress, so that a count of moves without
    /// progress begins anew: [`Position::made_progress`].
    pub fn made_progress(&self) -> bool {
        match_line!(self, line => line.made_progress())
    }

    /// How many moves were played.
    pub fn plies(&self) -> usize {
        match_line!(self, line => line.moves().len())
    }

    /// Whether the game is over without a claim of a player.
    pub fn outcome(&self) -> Option<Outcome> {
        match_line!(self, line => line.outcome())
    }

    /// The same with every draw that could be claimed taken as claimed.
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        match_line!(self, line => line.outcome_with_claims())
    }

    /// The draw that the side to move may claim.
    pub fn claimable(&self) -> Option<Outcome> {
        match_line!(self, line => line.claimable())
    }

    /// Plays a move in engine text. Whether the game is over by repetition or
    /// a claim is the caller's to ask; moves that the position itself does not
    /// have are refused.
    pub fn play(&mut self, text: &str) -> Result<MoveView, MoveError> {
        match_line!(self, line => play(line, text, read_hinting))
    }

    /// Plays a move as people write it; engine text is understood too.
    pub fn play_notation(&mut self, text: &str) -> Result<MoveView, MoveError> {
        match_line!(self, line => play(line, text, Position::parse_notation))
    }

    /// Reads a legal move in either form without playing it.
    pub fn find(&self, text: &str) -> Result<MoveView, MoveError> {
        match_line!(self, line => {
            let m = line.position().parse_notation(text)?;
            Ok(line.position().view(m))
        })
    }

    /// Reads a legal move as engines write it.
    pub fn parse_move(&self, text: &str) -> Result<AnyMove, MoveError> {
        match_line!(self, line => read(line, text, Position::parse_move))
    }

    /// Reads a legal move as people write it; engine text is understood too.
    pub fn parse_notation(&self, text: &str) -> Result<AnyMove, MoveError> {
        match_line!(self, line => read(line, text, Position::parse_notation))
    }

    /// A legal move as engines write it.
    pub fn text_of(&self, m: AnyMove) -> Result<String, MoveError> {
        match_line!(self, line => {
            let position = line.position();
            Ok(position.move_text(m.legal_in(position)?))
        })
    }

    /// A legal move as people read it.
    pub fn notation_of(&self, m: AnyMove) -> Result<String, MoveError> {
        match_line!(self, line => {
            let position = line.position();
            Ok(position.notation(m.legal_in(position)?))
        })
    }

    /// A legal move in words.
    pub fn view_of(&self, m: AnyMove) -> Result<MoveView, MoveError> {
        match_line!(self, line => {
            let position = line.position();
            Ok(position.view(m.legal_in(position)?))
        })
    }

    /// Plays a move, if it is legal. As with [`play`](Self::play), a game that
    /// is over by repetition or by a claim goes on if the caller wants.
    pub fn push(&mut self, m: AnyMove) -> Result<(), MoveError> {
        match_line!(self, line => {
            let m = m.of_game(line.position())?;
            line.try_push(m)
        })
    }

    /// Takes back the last move and tells which it was.
    pub fn pop(&mut self) -> Option<AnyMove> {
        match_line!(self, line => pop(line))
    }

    /// Moves to try out from here; the line stays as it is, and its history is
    /// not copied.
    pub fn variation(&self) -> AnyVariation<'_> {
        match self {
            Self::Chess(line) => AnyVariation::Chess(line.variation()),
            Self::Liberty(line) => AnyVariation::Liberty(line.variation()),
            Self::Leiser(line) => AnyVariation::Leiser(line.variation()),
            Self::Gyges(line) => AnyVariation::Gyges(line.variation()),
        }
    }

    /// The moves from the start.
    pub fn played(&self) -> Vec<AnyMove> {
        match_line!(self, line => values(line, line.moves()))
    }

    /// The moves from the start as engines write them.
    pub fn played_texts(&self) -> Vec<String> {
        match_line!(self, line => replay(line, Position::move_text))
    }

    /// The moves from the start in words.
    pub fn moves(&self) -> Vec<MoveView> {
        match_line!(self, line => replay(line, Show::view))
    }

    /// The number of legal moves.
    pub fn legal_move_count(&self) -> u64 {
        match_line!(self, line => line.position().count_moves())
    }

    /// The legal moves, or so many of them: a Liberty Chess board of 256x256
    /// squares can have a billion.
    pub fn legal(&self, at_most: usize) -> Vec<AnyMove> {
        match_line!(self, line => values(line, &legal(line.position(), at_most)))
    }

    /// The same in words, which cost many times more memory.
    pub fn legal_moves(&self, at_most: usize) -> Vec<MoveView> {
        match_line!(self, line => {
            let position = line.position();
            let moves = legal(position, at_most).into_iter();
            moves.map(|m| position.view(m)).collect()
        })
    }

    /// The legal moves whose [squares](MoveView::squares) begin with these, or so
    /// many of them, in words.
    pub fn legal_moves_along(&self, squares: &[String], at_most: usize) -> Vec<MoveView> {
        match_line!(self, line => along(line.position(), squares, at_most))
    }

    /// Every piece on the board.
    pub fn pieces(&self) -> Vec<PieceView> {
        match_line!(self, line => {
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
        self.parse_notation(text).and_then(|m| self.fire_of(m))
    }

    /// The same for a move value.
    pub fn fire_of(&self, m: AnyMove) -> Result<Option<FireView>, MoveError> {
        match self {
            Self::Leiser(line) => {
                let m = m.legal_in(line.position())?;
                Ok(Some(FireView::of(line.position(), m)))
            }
            Self::Chess(_) | Self::Liberty(_) | Self::Gyges(_) => Ok(None),
        }
    }

    /// Gyges: a way to play a legal move, with as few bounces as possible.
    /// `None` in the other games.
    pub fn bounce_path(&self, text: &str) -> Result<Option<BounceView>, MoveError> {
        self.parse_notation(text).and_then(|m| self.bounces_of(m))
    }

    /// The same for a move value.
    pub fn bounces_of(&self, m: AnyMove) -> Result<Option<BounceView>, MoveError> {
        match self {
            Self::Gyges(line) => {
                let m = m.legal_in(line.position())?;
                Ok(BounceView::of(line.position(), m))
            }
            Self::Chess(_) | Self::Liberty(_) | Self::Leiser(_) => Ok(None),
        }
    }

    /// Counts the leaves behind each legal move of the current position.
    pub fn perft(
        &self,
        count: PerftKind,
        options: &Options<'_>,
    ) -> Result<PerftCounts<String>, PerftError> {
        match (self, count) {
            (Self::Chess(line), PerftKind::Legal) => tally(line, Legal, options),
            (Self::Liberty(line), PerftKind::Legal) => tally(line, Legal, options),
            (Self::Liberty(line), PerftKind::Reference) => tally(line, Reference, options),
            (Self::Leiser(line), PerftKind::Legal) => tally(line, Unrefused, options),
            (Self::Leiser(line), PerftKind::Exact) => tally(line, Legal, options),
            (Self::Leiser(line), PerftKind::Generated) => tally(line, Generated, options),
            (Self::Gyges(line), PerftKind::Legal) => tally(line, Legal, options),
            _ => Err(PerftError::NotCounted),
        }
    }
}

fn along<P: Show>(position: &P, squares: &[String], at_most: usize) -> Vec<MoveView> {
    let mut found = Vec::new();
    position.generate(MoveKind::All, |m| {
        if found.len() < at_most && position.parts(m).0.starts_with(squares) {
            found.push(m);
        }
    });
    found.into_iter().map(|m| position.view(m)).collect()
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

fn read<P: Position>(
    line: &Line<P>,
    text: &str,
    read: impl Fn(&P, &str) -> Result<P::Move, MoveError>,
) -> Result<AnyMove, MoveError> {
    read(line.position(), text).map(AnyMove::new::<P>)
}

fn pop<P: Position>(line: &mut Line<P>) -> Option<AnyMove> {
    line.pop().map(AnyMove::new::<P>)
}

/// The moves of a line's game as values; the line only names the game.
fn values<P: Position>(_: &Line<P>, moves: &[P::Move]) -> Vec<AnyMove> {
    moves.iter().map(|&m| AnyMove::new::<P>(m)).collect()
}

/// What there is to tell about each move played, at the position it was played
/// in.
fn replay<P: Position, T>(line: &Line<P>, tell: impl Fn(&P, P::Move) -> T) -> Vec<T> {
    let mut position = line.start().clone();
    let mut list = Vec::with_capacity(line.moves().len());
    for &m in line.moves() {
        list.push(tell(&position, m));
        position.make(m, &mut ());
    }
    list
}

fn tally<P: Position>(
    line: &Line<P>,
    counting: impl Counting<P>,
    options: &Options<'_>,
) -> Result<PerftCounts<String>, PerftError> {
    let position = line.position();
    let PerftCounts { moves, total } = divide(position, counting, options)?;
    let named = moves
        .into_iter()
        .map(|(m, leaves)| (position.move_text(m), leaves));
    Ok(PerftCounts {
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
