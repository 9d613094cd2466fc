//! Reading and writing positions.
//!
//! A position is the ranks from the top, separated by `/`, each made of runs of
//! empty squares and two-letter pieces, then the side to move. Runs may be
//! split (`44`), blanks may stand anywhere in the board, the side may be
//! written in either case, and White is to move when it is missing.

use super::board::{Leiser, side_key};
use super::geometry::Square;
use super::piece::Piece;
use super::rules::{LeiserRules, Year};
use crate::error::{PositionError, PositionErrorKind};
use crate::game::{Game, Side};
use crate::position::Position;

const PLACEMENT: &str = "placement";
const SIDE: &str = "side to move";

const ENDGAME_8: &str = "ss7/8/8/8/8/8/8/7NN W";
const ENDGAME_10: &str = "ss9/10/10/10/10/10/10/10/10/9NN W";

/// Names and texts of the known positions on the board of these rules.
pub(super) fn presets(rules: LeiserRules) -> Vec<(&'static str, String)> {
    let features = rules.features();
    let endgame = if features.size == 8 {
        ENDGAME_8
    } else {
        ENDGAME_10
    };
    let mut list = vec![
        ("startpos", features.start.to_string()),
        ("endgame", endgame.to_string()),
    ];
    for year in Year::ALL {
        if year.features().size == features.size {
            list.push((year.preset(), year.features().start.to_string()));
        }
    }
    list
}

/// Reads a position or the name of one.
pub(super) fn read(text: &str, rules: LeiserRules) -> Result<Leiser, PositionError> {
    let name = text.trim();
    if ["classic", "start"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word))
    {
        return Ok(Leiser::start(&rules));
    }
    for (preset, fen) in presets(rules) {
        if name.eq_ignore_ascii_case(preset) {
            return read_fen(&fen, rules);
        }
    }
    read_fen(text, rules).map_err(|error| wrong_size(text, rules).unwrap_or(error))
}

/// A position or preset of the other board size deserves to be told so.
fn wrong_size(text: &str, rules: LeiserRules) -> Option<PositionError> {
    let other = Year::ALL
        .into_iter()
        .find(|y| y.features().size != rules.features().size)
        .map(LeiserRules::of)?;
    let preset = presets(other)
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case(text.trim()));
    if !preset && read_fen(text, other).is_err() {
        return None;
    }
    Some(error(
        PLACEMENT,
        0,
        PositionErrorKind::Impossible(if other.features().size == 10 {
            "a 10x10 position, but these rules play on 8x8 (choose 2012 or 2015)"
        } else {
            "an 8x8 position, but these rules play on 10x10 (choose 2013, 2014, 2016 or 2018)"
        }),
    ))
}

fn error(field: &'static str, offset: usize, kind: PositionErrorKind) -> PositionError {
    PositionError {
        game: Game::Leiser,
        field,
        column: offset + 1,
        kind,
    }
}

/// The board while it is being read.
struct Reader<'a> {
    text: &'a str,
    /// Byte offset of what is read next.
    at: usize,
    size: usize,
    position: Leiser,
    /// How many Kings of each side were seen.
    kings: [usize; 2],
}

fn read_fen(text: &str, rules: LeiserRules) -> Result<Leiser, PositionError> {
    let mut reader = Reader {
        text,
        at: 0,
        size: usize::from(rules.features().size),
        position: Leiser::empty(rules),
        kings: [0; 2],
    };
    reader.skip_blanks();
    if reader.peek().is_none() {
        return Err(error(PLACEMENT, text.len(), PositionErrorKind::Missing));
    }
    for rank in (0..reader.size).rev() {
        reader.rank(rank)?;
    }
    reader.end_of_board()?;
    let side = reader.side()?;
    Ok(reader.position.ready(side))
}

impl Leiser {
    /// The position once all pieces are on the board and no side to move has
    /// been set.
    pub(super) fn ready(mut self, side: Side) -> Self {
        self.side = side;
        self.hash ^= side_key(side);
        for side in Side::BOTH {
            self.retrace(side);
        }
        self
    }
}

/// Another number of Kings than one.
pub(super) const fn king_count(side: Side, found: usize) -> PositionErrorKind {
    PositionErrorKind::Count {
        what: match side {
            Side::White => "white Kings",
            Side::Black => "black Kings",
        },
        expected: 1,
        found,
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn skip_blanks(&mut self) {
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            self.at += c.len_utf8();
        }
    }

    fn fail<T>(&self, kind: PositionErrorKind) -> Result<T, PositionError> {
        Err(error(PLACEMENT, self.at, kind))
    }

    fn squares<T>(&self, found: usize) -> Result<T, PositionError> {
        self.fail(PositionErrorKind::Count {
            what: "squares in a rank",
            expected: self.size,
            found,
        })
    }

    fn ranks<T>(&self, found: usize) -> Result<T, PositionError> {
        self.fail(PositionErrorKind::Count {
            what: "ranks",
            expected: self.size,
            found,
        })
    }

    /// Reads one rank and the `/` before the next.
    fn rank(&mut self, rank: usize) -> Result<(), PositionError> {
        let mut file = 0;
        loop {
            self.skip_blanks();
            if file == self.size {
                return self.separator(rank);
            }
            let Some(c) = self.peek() else {
                return if file == 0 {
                    self.ranks(self.size - 1 - rank)
                } else {
                    self.squares(file)
                };
            };
            let start = self.at;
            file += match c {
                '1'..='9' => self.run(c),
                '/' => return self.squares(file),
                _ => self.piece(file, rank)?,
            };
            if file > self.size {
                self.at = start;
                return self.squares(file);
            }
        }
    }

    fn separator(&mut self, rank: usize) -> Result<(), PositionError> {
        match self.peek() {
            _ if rank == 0 => Ok(()),
            Some('/') => {
                self.at += 1;
                Ok(())
            }
            Some('1'..='9') => self.squares(self.size + 1),
            Some(c) if c.is_ascii_alphabetic() && self.letters().is_some() => {
                self.squares(self.size + 1)
            }
            Some('W' | 'w' | 'B' | 'b') | None => self.ranks(self.size - rank),
            Some(c) => self.fail(PositionErrorKind::Unexpected(c)),
        }
    }

    /// A run of empty squares; `10` is one run where ten files exist.
    fn run(&mut self, digit: char) -> usize {
        self.at += 1;
        if digit == '1' && self.size == 10 && self.peek() == Some('0') {
            self.at += 1;
            return 10;
        }
        digit as usize - '0' as usize
    }

    fn letters(&self) -> Option<Piece> {
        let letters = self.text.as_bytes().get(self.at..self.at + 2)?;
        Piece::from_letters([letters[0], letters[1]])
    }

    fn piece(&mut self, file: usize, rank: usize) -> Result<usize, PositionError> {
        let Some(piece) = self.letters() else {
            return self.not_a_piece(file, rank);
        };
        if let Some(square) = Square::at(file as u8, rank as u8, self.size as u8) {
            if piece.is_king() {
                self.king(piece.side())?;
            }
            self.position.put(piece, square);
        }
        self.at += 2;
        Ok(1)
    }

    fn king(&mut self, side: Side) -> Result<(), PositionError> {
        let count = &mut self.kings[side.index()];
        *count += 1;
        let found = *count;
        if found > 1 {
            return self.kings_found(side, found);
        }
        Ok(())
    }

    fn kings_found(&self, side: Side, found: usize) -> Result<(), PositionError> {
        self.fail(king_count(side, found))
    }

    /// Says which of the two letters is wrong, or that the rank ended early.
    fn not_a_piece(&mut self, file: usize, rank: usize) -> Result<usize, PositionError> {
        let mut rest = self.text[self.at..].chars();
        let (Some(first), second) = (rest.next(), rest.next()) else {
            return self.squares(file);
        };
        let alone = second.is_none_or(char::is_whitespace);
        if alone && "WwBb".contains(first) {
            return if file == 0 {
                self.ranks(self.size - 1 - rank)
            } else {
                self.squares(file)
            };
        }
        match second {
            Some(second) if "NESWnesw".contains(first) => {
                self.at += 1;
                self.fail(PositionErrorKind::Unexpected(second))
            }
            _ => self.fail(PositionErrorKind::Unexpected(first)),
        }
    }

    /// After the last square: nothing or a blank, and one King each.
    fn end_of_board(&mut self) -> Result<(), PositionError> {
        for side in Side::BOTH {
            if self.kings[side.index()] == 0 {
                return self.kings_found(side, 0);
            }
        }
        match self.peek() {
            Some('/') => self.ranks(self.size + 1),
            Some('1'..='9') => self.squares(self.size + 1),
            Some(_) if self.letters().is_some() => self.squares(self.size + 1),
            _ => Ok(()),
        }
    }

    fn side(&mut self) -> Result<Side, PositionError> {
        self.skip_blanks();
        let start = self.at;
        let side = match self.peek() {
            None | Some('W' | 'w') => Side::White,
            Some('B' | 'b') => Side::Black,
            Some(c) => return Err(error(SIDE, self.at, PositionErrorKind::Unexpected(c))),
        };
        let rest = self.text.get(start + 1..).unwrap_or("");
        match rest.trim() {
            "" => Ok(side),
            trailing => {
                let offset = self.text.len() - rest.trim_start().len();
                let kind = PositionErrorKind::Trailing(trailing.into());
                Err(error(SIDE, offset, kind))
            }
        }
    }
}

/// Writes the board with the longest runs, and the side to move.
pub(super) fn write(position: &Leiser) -> String {
    let size = position.features().size;
    let mut text = String::new();
    for rank in (0..size).rev() {
        let mut run = 0;
        for file in 0..size {
            match Square::at(file, rank, size).and_then(|s| position.piece_at(s)) {
                None => run += 1,
                Some(piece) => {
                    write_run(&mut text, run);
                    run = 0;
                    text += &piece.to_string();
                }
            }
        }
        write_run(&mut text, run);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text.push(match position.side {
        Side::White => 'W',
        Side::Black => 'B',
    });
    text
}

fn write_run(text: &mut String, run: u32) {
    if run > 0 {
        text.push_str(&run.to_string());
    }
}
