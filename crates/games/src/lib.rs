//! The rules of four games behind one trait.
//!
//! Chess (with Chess960 and double Chess960), Liberty Chess, Leiserchess and
//! Gyges each implement [`Position`]: a board with a side to move that can say
//! which moves are legal, make and unmake them, tell whether the game is over,
//! and read and write every text form its community uses.
//!
//! * A **search** is generic over [`Position`] and follows the board through an
//!   [`Observer`], so that evaluation never lives in the rules.
//! * A **referee** uses [`Line`]: a start position and the moves since, which
//!   knows about repetition.
//! * Everything that meets a game only at run time (a match runner, a web page)
//!   uses [`AnyLine`], whose moves are [`AnyMove`] values; [`match_line!`] and
//!   [`match_game!`] lead back to the types.
//! * What **might be played** is tried out in a [`Variation`], which copies no
//!   history.
//! * A **perft** of any game is counted by [`perft`](mod@perft), on any number
//!   of threads.
//! * **Files of games** are read and written by [`records`].
//! * A position becomes a [`picture`], a chess opening has a
//!   [name](chess::openings).
//!
//! Bad input is a value: [`PositionError`] names the field and the column,
//! [`MoveError`] names the move and says what is wrong with it.
//!
//! # For the author of a search
//!
//! One function searches all four games. It makes and unmakes moves on one
//! board, and whatever it wants to know about the pieces it learns from an
//! observer.
//!
//! ```
//! use quadrille_games::chess::Chess;
//! use quadrille_games::gyges::Gyges;
//! use quadrille_games::{Observer, Position};
//!
//! /// How many pieces have left the board.
//! #[derive(Default)]
//! struct Taken(i32);
//!
//! impl<Piece: Copy> Observer<Piece> for Taken {
//!     fn added(&mut self, _: Piece, _: u16) {
//!         self.0 -= 1;
//!     }
//!     fn removed(&mut self, _: Piece, _: u16) {
//!         self.0 += 1;
//!     }
//! }
//!
//! /// The best that the side to move can get: winning soon is best, then
//! /// taking more pieces than one loses.
//! fn negamax<P: Position>(position: &mut P, depth: i32) -> i32 {
//!     if let Some(end) = position.outcome() {
//!         return match end.winner {
//!             None => 0,
//!             Some(side) if side == position.side() => 1000 + depth,
//!             Some(_) => -1000 - depth,
//!         };
//!     }
//!     if depth == 0 {
//!         return 0;
//!     }
//!     let mut best = -2000;
//!     for m in position.moves() {
//!         let mut taken = Taken::default();
//!         let undo = position.make(m, &mut taken);
//!         best = best.max(taken.0 - negamax(position, depth - 1));
//!         position.unmake(m, undo);
//!     }
//!     best
//! }
//!
//! let rules = Default::default();
//! let mut back_rank = Chess::from_text("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", &rules)?;
//! assert_eq!(negamax(&mut back_rank, 1), 1000);
//! let mut hanging = Chess::from_text("k7/8/8/3q4/4P3/8/8/K7 w - - 0 1", &rules)?;
//! assert_eq!(negamax(&mut hanging, 2), 1);
//! let mut gyges = Gyges::start(&Default::default());
//! assert_eq!(negamax(&mut gyges, 1), 0);
//! # Ok::<(), quadrille_games::PositionError>(())
//! ```
//!
//! # For the author of a referee
//!
//! A [`Line`] plays what is legal, refuses the rest with a reason, and knows
//! what a position alone cannot know.
//!
//! ```
//! use quadrille_games::chess::{Chess, ChessRules};
//! use quadrille_games::records::Record;
//! use quadrille_games::{Line, Position, Reason};
//!
//! let mut line = Line::new(Chess::start(&ChessRules::default()));
//! let error = line.play("e2e5").unwrap_err();
//! assert!(error.to_string().contains("e2e5"));
//! for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
//!     line.play(text)?;
//! }
//! assert_eq!(line.occurrences(), 3);
//! assert_eq!(line.outcome(), None, "chess wants a claim");
//! let end = line.outcome_with_claims().ok_or("a draw is claimed")?;
//! assert_eq!((end.reason, end.result()), (Reason::Threefold, "1/2-1/2"));
//!
//! line.pop();
//! assert_eq!(line.outcome_with_claims(), None);
//! assert!(Record::from_line(&line).to_pgn().ends_with("4. Ng1 *\n\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # For programs that learn the game at run time
//!
//! [`AnyLine`] needs no type of any game: an [`AnyMove`] is a value, and its
//! texts are asked of the line.
//!
//! ```
//! use quadrille_games::{AnyLine, Game};
//!
//! for game in Game::ALL {
//!     let mut line = AnyLine::start(game);
//!     for _ in 0..3 {
//!         let first = line.legal(1)[0];
//!         let text = line.text_of(first)?;
//!         assert_eq!(line.parse_move(&text)?, first);
//!         line.push(first)?;
//!     }
//!     let copy = AnyLine::new(game, &line.rules_text(), &line.position_text())?;
//!     assert_eq!(copy.hash(), line.hash(), "{game}\n{}", line.draw());
//! }
//! assert!(AnyLine::new(Game::Gyges, "", "no such board").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod any_line;
pub mod builder;
pub mod chances;
pub mod chess;
mod dispatch;
pub mod error;
pub mod files;
pub mod game;
pub mod gyges;
pub mod leiser;
pub mod liberty;
pub mod line;
pub mod observer;
pub mod outcome;
pub mod perft;
pub mod picture;
pub mod position;
pub mod random;
pub mod records;
pub mod variation;

pub use any_line::{AnyLine, AnyMove, AnyVariation};
pub use error::{MoveError, MoveErrorKind, PositionError, PositionErrorKind};
pub use game::{Game, Side};
pub use line::Line;
pub use observer::Observer;
pub use outcome::{Outcome, Reason};
pub use position::{GameMove, MoveKind, Position, Repetition};
pub use variation::Variation;
