//! Moves as people write them.
//!
//! The notation is that of chess, with the capital letters of the eighteen
//! kinds: `Nf3`, `Rexe1`, `exd5`, `e8=A`, `O-O`, `+` and `#`. Besides:
//!
//! * El Vaticano names both Bishops: `Bc3*e3` removes what stands on d3.
//! * On boards with more than 23 files, where `x` may be a file, squares are
//!   always written in full: `Raa1-y1`, `Raa1xy1`, `x4-x5`.
//!
//! The reader also takes more squares than necessary, leaves out `x`, `=`, `-`
//! and the check mark, and understands engine text.

use super::Liberty;
use super::kind::Kind;
use super::moves::LibertyMove;
use super::squares;
use crate::error::{MoveError, MoveErrorKind};
use crate::position::Position;

/// From this many files on `x` is the name of a file.
const WIDE: u16 = 24;
/// Letters of the longest file name: the 256th is `iv`.
const MOST_LETTERS: usize = 2;

impl Liberty {
    /// Writes a legal move.
    pub(super) fn write_notation(&self, m: LibertyMove) -> String {
        let mut text = self.bare_notation(m);
        let mut after = self.clone();
        after.make(m, &mut ());
        if after.in_check() {
            text.push(if after.has_move() { '+' } else { '#' });
        }
        text
    }

    /// The notation without check mark.
    fn bare_notation(&self, m: LibertyMove) -> String {
        let Some(mover) = self.moved(m) else {
            return self.write_move(m);
        };
        let from = self.square_name(m.from());
        let to = self.square_name(m.to());
        if self.is_removal(m) {
            return format!("{}{from}*{to}", mover.kind.capital());
        }
        // Never ambiguous, even with several Kings: they castle on one rank
        // with one partner, and the nearer King is in the other's way.
        if self.is_castling(m) {
            return castling_name(m).into();
        }
        let captures = self.captured(m).is_some();
        let full = self.setup.variant.width >= WIDE;
        let mut text = String::new();
        if mover.kind != Kind::Pawn {
            text.push(mover.kind.capital());
        }
        if full {
            text.push_str(&from);
        } else if mover.kind == Kind::Pawn {
            if captures {
                text.push_str(&self.file_of(m.from()));
            }
        } else {
            text.push_str(&self.origin_hint(m, mover.kind));
        }
        match (captures, full) {
            (true, _) => text.push('x'),
            (false, true) => text.push('-'),
            (false, false) => {}
        }
        text.push_str(&to);
        if let Some(kind) = m.promotion() {
            text.push('=');
            text.push(kind.capital());
        }
        text
    }

    fn file_of(&self, square: u16) -> String {
        squares::file_name(square % self.setup.variant.width)
    }

    /// File, rank or both, as far as other pieces of the kind go to the same
    /// square.
    fn origin_hint(&self, m: LibertyMove, kind: Kind) -> String {
        let width = self.setup.variant.width;
        let own = |square: u16| {
            let piece = self.piece_at(square);
            piece.is_some_and(|p| p.kind == kind && p.side == self.side)
        };
        let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
        for &at in self.lists.iter().flatten() {
            let from = self.setup.square(at as usize);
            let rival = LibertyMove::new(from, m.to(), None);
            let plain = !self.is_removal(rival) && !self.is_castling(rival);
            if from != m.from() && own(from) && plain && self.is_legal(rival) {
                rivals = true;
                same_file |= from % width == m.from() % width;
                same_rank |= from / width == m.from() / width;
            }
        }
        let rank = || (m.from() / width + 1).to_string();
        match (rivals, same_file, same_rank) {
            (false, ..) => String::new(),
            (true, false, _) => self.file_of(m.from()),
            (true, true, false) => rank(),
            (true, true, true) => self.square_name(m.from()),
        }
    }

    /// Reads a move as people write it.
    pub(super) fn read_notation(&self, text: &str) -> Result<LibertyMove, MoveError> {
        let fail = |kind| MoveError::new(text, kind);
        let wanted = simplify(text);
        let mut found = None;
        let mut ambiguous = false;
        let mut unpromoted = false;
        self.candidates(&wanted, |m| {
            if self.is_legal(m) {
                match self.fits(m, &wanted) {
                    Fit::Yes => {
                        ambiguous |= found.is_some();
                        found = Some(m);
                    }
                    Fit::WithoutPromotion => unpromoted = true,
                    Fit::No => {}
                }
            }
            !ambiguous
        });
        match found {
            Some(_) if ambiguous => return Err(fail(MoveErrorKind::Ambiguous)),
            Some(m) => return Ok(m),
            None if unpromoted => return Err(fail(MoveErrorKind::PromotionMissing)),
            None => {}
        }
        self.read_move(text).map_err(|error| {
            let plausible = wanted.bytes().any(|b| b.is_ascii_digit())
                && wanted
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'*');
            let names_piece = plausible && wanted.starts_with(|c: char| c.is_ascii_uppercase());
            let meant = match error.kind {
                MoveErrorKind::Syntax { .. } => plausible || is_castling_text(&wanted),
                MoveErrorKind::NotASquare => names_piece,
                _ => false,
            };
            if meant {
                fail(MoveErrorKind::Illegal("no legal move is written like this"))
            } else {
                error
            }
        })
    }

    /// Calls `each` with the moves that this simplified text could mean, legal or
    /// not, until it returns `false`. The text names the square that a move goes to,
    /// so these are a few for each piece, where a large board has a million moves.
    fn candidates(&self, wanted: &str, mut each: impl FnMut(LibertyMove) -> bool) {
        if is_castling_text(wanted) {
            let steps = self.royals(self.side).iter().flat_map(|&king| {
                let from = self.setup.square(king as usize);
                let ends = [from.checked_add(2), from.checked_sub(2)].into_iter();
                ends.flatten()
                    .map(move |to| LibertyMove::new(from, to, None))
            });
            for m in steps {
                if !each(m) {
                    return;
                }
            }
            return;
        }
        let targets = self.targets(wanted);
        let own = self
            .commoners(self.side)
            .iter()
            .chain(self.royals(self.side));
        for &at in own {
            let from = self.setup.square(at as usize);
            let Some(mover) = self.piece_at(from) else {
                continue;
            };
            let pawn = mover.kind == Kind::Pawn;
            if !pawn && !wanted.starts_with(mover.kind.capital()) {
                continue;
            }
            for &to in &targets {
                let promotes = pawn && self.is_last_rank(to);
                let choices = self.promotions().iter().map(|&kind| Some(kind));
                let choices = choices
                    .filter(|_| promotes)
                    .chain((!promotes).then_some(None));
                for choice in choices {
                    if !each(LibertyMove::new(from, to, choice)) {
                        return;
                    }
                }
            }
        }
    }

    /// The squares that a simplified text may end with, perhaps before the letter of a
    /// promotion: the digits of a rank, and one letter or more of a file. `Qab1` may
    /// mean `b1` or `ab1`.
    fn targets(&self, wanted: &str) -> Vec<u16> {
        let mut found = Vec::new();
        let shorter = wanted.char_indices().next_back().map_or(0, |(at, _)| at);
        for text in [wanted, &wanted[..shorter]] {
            let named = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let Ok(rank) = text[named.len()..].parse::<u32>() else {
                continue;
            };
            let letters = named.bytes().rev().take_while(u8::is_ascii_lowercase);
            for length in 1..=letters.count().min(MOST_LETTERS) {
                let file = named[named.len() - length..].bytes();
                let file = file.fold(0, squares::push_letter);
                let square = self.square_at((file, rank));
                found.extend(square.filter(|square| text.ends_with(&self.square_name(*square))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a legal move can be written as this simplified text.
    fn fits(&self, m: LibertyMove, wanted: &str) -> Fit {
        if is_castling_text(wanted) {
            let same =
                self.is_castling(m) && wanted.replace('0', "O") == simplify(castling_name(m));
            return if same { Fit::Yes } else { Fit::No };
        }
        let to = self.square_name(m.to());
        let Some(mover) = self.moved(m).filter(|_| wanted.contains(&to)) else {
            return Fit::No;
        };
        let capital = mover.kind.capital();
        let mut rest = match wanted.strip_prefix(capital) {
            Some(rest) => rest,
            None if mover.kind == Kind::Pawn => wanted,
            None => return Fit::No,
        };
        let mut fit = Fit::Yes;
        if let Some(kind) = m.promotion() {
            match rest.strip_suffix([kind.capital(), kind.letter()]) {
                Some(shorter) => rest = shorter,
                None => fit = Fit::WithoutPromotion,
            }
        }
        let Some(origin) = rest.strip_suffix(to.as_str()) else {
            return Fit::No;
        };
        let from = self.square_name(m.from());
        if self.is_removal(m) {
            let matches = origin.strip_suffix('*') == Some(&from);
            return if matches { fit } else { Fit::No };
        }
        // Castling has a name of its own: `Kg1` is a step of another King.
        if self.is_castling(m) {
            return if origin == from { fit } else { Fit::No };
        }
        let captures = self.captured(m).is_some();
        // A Pawn that captures needs its file, or `d5` would mean two moves.
        let must_tell = mover.kind == Kind::Pawn && captures;
        let plain = if captures {
            origin.strip_suffix('x').unwrap_or(origin)
        } else {
            origin
        };
        let rank = (m.from() / self.setup.variant.width + 1).to_string();
        let matches = |origin: &str| {
            origin == from
                || origin == self.file_of(m.from())
                || !must_tell && (origin.is_empty() || origin == rank)
        };
        if matches(plain) || captures && matches(origin) {
            fit
        } else {
            Fit::No
        }
    }
}

/// How well a text fits a move.
enum Fit {
    Yes,
    /// It would, if it named the promotion.
    WithoutPromotion,
    No,
}

/// `O-O` or `O-O-O`, by the direction of the King.
fn castling_name(m: LibertyMove) -> &'static str {
    if m.to() > m.from() { "O-O" } else { "O-O-O" }
}

/// The text without blanks and decoration.
fn simplify(text: &str) -> String {
    let decoration = |c: char| c.is_whitespace() || "-=+#!?()".contains(c);
    text.chars().filter(|&c| !decoration(c)).collect()
}

fn is_castling_text(simple: &str) -> bool {
    matches!(simple, "OO" | "OOO" | "00" | "000")
}
