//! Code for every game, written once.
//!
//! A [`Position`](crate::Position) cannot be a `dyn` object, so what meets a
//! game at run time is an enum. These macros match on it for code of any crate;
//! besides them only the enums themselves ([`AnyLine`](crate::AnyLine),
//! [`AnyVariation`](crate::any_line::AnyVariation),
//! [`AnyBuilder`](crate::builder::AnyBuilder)) have an arm for each game.

/// Evaluates an expression for the line inside an
/// [`AnyLine`](crate::AnyLine), whose type is known there.
///
/// ```
/// use quadrille_games::records::Record;
/// use quadrille_games::{AnyLine, Game, match_line};
///
/// let mut any = AnyLine::start(Game::Leiser);
/// any.play("h4g5")?;
/// let pgn = match_line!(&any, line => Record::from_line(line).to_pgn());
/// assert!(pgn.contains("Ph4-g5"));
/// # Ok::<(), quadrille_games::MoveError>(())
/// ```
#[macro_export]
macro_rules! match_line {
    ($any:expr, $line:ident => $body:expr) => {
        match $any {
            $crate::AnyLine::Chess($line) => $body,
            $crate::AnyLine::Liberty($line) => $body,
            $crate::AnyLine::Leiser($line) => $body,
            $crate::AnyLine::Gyges($line) => $body,
        }
    };
}

/// Evaluates an expression for the position type of a [`Game`](crate::Game).
///
/// Any trait that all four types have can be used, not only
/// [`Position`](crate::Position).
///
/// ```
/// use quadrille_games::{Game, Position, match_game};
///
/// fn first_moves<P: Position>() -> u64 {
///     P::start(&P::Rules::default()).count_moves()
/// }
///
/// let counts = Game::ALL.map(|game| match_game!(game, P => first_moves::<P>()));
/// assert_eq!(counts, [20, 20, 65, 222]);
/// ```
#[macro_export]
macro_rules! match_game {
    ($game:expr, $P:ident => $body:expr) => {
        match $game {
            $crate::Game::Chess => {
                type $P = $crate::chess::Chess;
                $body
            }
            $crate::Game::Liberty => {
                type $P = $crate::liberty::Liberty;
                $body
            }
            $crate::Game::Leiser => {
                type $P = $crate::leiser::Leiser;
                $body
            }
            $crate::Game::Gyges => {
                type $P = $crate::gyges::Gyges;
                $body
            }
        }
    };
}
