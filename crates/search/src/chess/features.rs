//! The inventory of everything the evaluation counts.
//!
//! Each countable thing has a number. The evaluation only ever says "this side
//! has so many of that"; what it is worth stands in `params.rs`,
//! in the same order. That is what lets a tuner see the evaluation as a sum it
//! can take apart (see [`Tally`](super::tally::Tally)).

/// A run of neighbouring features that belong together.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// The name in the code and in parameter files.
    pub name: &'static str,
    /// The part of the evaluation it is shown under.
    pub term: &'static str,
    /// The number of its first feature.
    pub start: usize,
    /// How many features it has.
    pub length: usize,
    /// How many of them a parameter file writes on one line.
    pub per_line: usize,
}

macro_rules! features {
    ($($(#[doc = $doc:literal])* $name:ident[$length:expr] in $term:literal by $per_line:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name),* }
        const LENGTHS: &[usize] = &[$($length),*];
        $($(#[doc = $doc])* pub const $name: usize = start_of(Order::$name as usize);)*
        /// Every group, in order.
        pub const GROUPS: &[Group] = &[$(Group {
            name: stringify!($name),
            term: $term,
            start: $name,
            length: $length,
            per_line: $per_line,
        }),*];
    };
}

const fn start_of(group: usize) -> usize {
    let mut sum = 0;
    let mut i = 0;
    while i < group {
        sum += LENGTHS[i];
        i += 1;
    }
    sum
}

/// How many tables there are for the places of a king.
pub const KING_BUCKETS: usize = 7;

features! {
    /// A piece of a kind from pawn to queen.
    MATERIAL[5] in "material" by 5;
    /// A piece of a kind on a square, seen from its own king's wing.
    SQUARES[6 * 64] in "squares" by 8;
    /// The same again for each place of a king: what the pieces of the king's
    /// side (six kinds) and of the other side (six kinds) gain by their squares.
    /// The last group, because it has a parameter file of its own.
    KING_SQUARES[KING_BUCKETS * 12 * 64] in "squares" by 8;
}

/// How many features there are.
pub const COUNT: usize = start_of(LENGTHS.len());

/// How many there are besides the tables of the kings.
pub const PLAIN: usize = KING_SQUARES;
