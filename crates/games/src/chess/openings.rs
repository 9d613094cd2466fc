//! The names of openings, found by position.
//!
//! A name belongs to a position, whatever moves led there: so a transposition is
//! named like the line it comes to, and a game bears the name of the last named
//! position of its moves.
//!
//! ```
//! use quadrille_games::chess::openings::{name_of, Openings};
//! use quadrille_games::{AnyLine, Game};
//!
//! let mut line = AnyLine::start(Game::Chess);
//! for san in ["Nf3", "Nc6", "e4", "e5", "Bb5", "a6"] {
//!     line.play_notation(san)?;
//! }
//! let found = name_of(&line).ok_or("a well-known position")?;
//! assert_eq!((found.eco, &*found.name), ("C70", "Ruy Lopez: Morphy Defense"));
//! assert!(Openings::known().iter().count() > 3000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The names come from a collection that the lichess project has released under
//! CC0; `data/README.md` says from where, and how `data/openings.txt` was made of
//! it.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::board::Chess;
use super::moves::Move;
use crate::any_line::AnyLine;
use crate::line::Line;
use crate::position::Position;

/// Each opening in the order of its moves, as the difference to the one before:
/// plies that stay, moves, code (empty: the same), bytes of the name that stay,
/// the rest of the name.
const DATA: &str = include_str!("../../data/openings.txt");

/// A named opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub eco: &'static str,
    /// The English name.
    pub name: String,
    /// The moves from the start by which the collection describes it.
    pub moves: Box<[Move]>,
}

/// A move from a position that is known, and the name of what it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Continuation<'a> {
    /// The move.
    pub played: Move,
    /// The opening, if the position after the move has a name of its own.
    pub opening: Option<&'a Opening>,
}

/// All named openings.
#[derive(Debug)]
pub struct Openings {
    list: Vec<Opening>,
    /// Every position on the way to a name, by its Polyglot key, and the place
    /// of its own name in the list.
    positions: HashMap<u64, Option<u16>>,
}

impl Openings {
    /// The collection that comes with this library; it is made ready when it is
    /// first asked for, which takes some milliseconds.
    pub fn known() -> &'static Self {
        static KNOWN: OnceLock<Openings> = OnceLock::new();
        KNOWN.get_or_init(|| Self::read(DATA))
    }

    /// What cannot be read is left out; a test sees to it that there is no such
    /// line.
    fn read(data: &'static str) -> Self {
        let mut openings = Self {
            list: Vec::new(),
            positions: HashMap::new(),
        };
        let mut moves: Vec<Move> = Vec::new();
        let (mut eco, mut name) = ("", String::new());
        for line in data.lines() {
            let mut fields = line.split('|');
            let mut field = || fields.next().unwrap_or_default();
            let (kept, played, code, stays, rest) = (field(), field(), field(), field(), field());
            moves.truncate(kept.parse().unwrap_or(0));
            let Some(end) = openings.follow(&mut moves, played) else {
                continue;
            };
            if !code.is_empty() {
                eco = code;
            }
            name.truncate(stays.parse().unwrap_or(0));
            name.push_str(rest);
            let place = u16::try_from(openings.list.len()).ok();
            openings.positions.insert(end, place);
            openings.list.push(Opening {
                eco,
                name: name.clone(),
                moves: moves.as_slice().into(),
            });
        }
        openings
    }

    /// Plays moves behind those that are there and notes every position; the key
    /// of the last.
    fn follow(&mut self, moves: &mut Vec<Move>, played: &str) -> Option<u64> {
        let mut board = Chess::default();
        for m in &*moves {
            board.make(*m, &mut ());
        }
        let mut rest = played;
        while let Some((text, behind)) = rest.split_at_checked(4) {
            let m = board.parse_move(text).ok()?;
            board.make(m, &mut ());
            moves.push(m);
            self.positions.entry(board.polyglot_key()).or_default();
            rest = behind;
        }
        Some(board.polyglot_key())
    }

    /// All openings, in the order of their moves.
    pub fn iter(&self) -> impl Iterator<Item = &Opening> {
        self.list.iter()
    }

    /// The opening whose name this position bears.
    pub fn at(&self, position: &Chess) -> Option<&Opening> {
        if position.is_chess960() {
            return None;
        }
        let place = (*self.positions.get(&position.polyglot_key())?)?;
        self.list.get(usize::from(place))
    }

    /// The opening of a line: the name of its last position that has one.
    pub fn of(&self, line: &Line<Chess>) -> Option<&Opening> {
        let mut board = *line.start();
        let mut found = self.at(&board);
        for m in line.moves() {
            board.make(*m, &mut ());
            found = self.at(&board).or(found);
        }
        found
    }

    /// The moves from here that stay on the way to a named opening.
    pub fn continuations(&self, position: &Chess) -> Vec<Continuation<'_>> {
        if position.is_chess960() {
            return Vec::new();
        }
        let known = |played: Move| {
            let mut board = *position;
            board.make(played, &mut ());
            let place = self.positions.get(&board.polyglot_key())?;
            let opening = place.and_then(|place| self.list.get(usize::from(place)));
            Some(Continuation { played, opening })
        };
        position.moves().into_iter().filter_map(known).collect()
    }
}

/// The opening of a line of any game; only chess from the usual start, or from a
/// position that is named itself, has one.
pub fn name_of(line: &AnyLine) -> Option<&'static Opening> {
    match line {
        AnyLine::Chess(line) => Openings::known().of(line),
        AnyLine::Liberty(_) | AnyLine::Leiser(_) | AnyLine::Gyges(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::ChessRules;

    #[test]
    fn every_line_of_the_data_is_an_opening() {
        let known = Openings::known();
        assert_eq!(known.list.len(), DATA.lines().count());
        let named = known.positions.values().flatten().count();
        assert_eq!(named, known.list.len(), "two names for one position");
        for opening in known.iter() {
            let mut board = Chess::default();
            for m in &opening.moves {
                assert!(board.is_legal(*m), "{}", opening.name);
                board.make(*m, &mut ());
            }
            assert_eq!(known.at(&board), Some(opening));
            let code = opening.eco.as_bytes();
            assert!(matches!(code, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']));
            assert!(!opening.name.is_empty());
        }
    }

    fn line(moves: &str) -> Line<Chess> {
        let mut line = Line::new(Chess::default());
        for san in moves.split_whitespace() {
            line.play_notation(san).unwrap();
        }
        line
    }

    fn name(moves: &str) -> Option<(&'static str, &'static str)> {
        let found = Openings::known().of(&line(moves))?;
        Some((found.eco, &found.name))
    }

    #[test]
    fn the_last_named_position_counts() {
        assert_eq!(name(""), None);
        assert_eq!(name("e4"), Some(("B00", "King's Pawn Game")));
        let najdorf = Some(("B90", "Sicilian Defense: Najdorf Variation"));
        let moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
        assert_eq!(name(moves), najdorf);
        // Moves without a name of their own keep it.
        assert_eq!(name(&format!("{moves} Rb1 Ra7 Ra1 Ra8")), najdorf);
        // Another way to the same position.
        assert_eq!(name("Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), najdorf);
    }

    #[test]
    fn continuations_lead_to_names() {
        let start = Chess::default();
        let known = Openings::known().continuations(&start);
        assert_eq!(known.len(), 20, "every first move has a name");
        assert!(known.iter().all(|next| next.opening.is_some()));
        let quiet = Chess::from_text("8/8/4k3/8/8/4K3/8/8 w - - 0 1", &ChessRules::default());
        assert!(Openings::known().continuations(&quiet.unwrap()).is_empty());
    }

    #[test]
    fn other_games_have_no_names() {
        let shuffled = AnyLine::new(crate::Game::Chess, "chess960", "chess960 518").unwrap();
        assert_eq!(name_of(&shuffled), None);
        assert_eq!(name_of(&AnyLine::start(crate::Game::Gyges)), None);
    }
}
