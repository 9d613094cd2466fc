//! The inventory of everything the evaluation counts.
//!
//! Each countable thing has a number. The evaluation only ever says "this side
//! has so many of that"; what it is worth stands in `params.rs`,
//! in the same order. That is what lets a tuner see the evaluation as a sum it
//! can take apart (see [`Tally`](crate::tally::Tally)).

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
/// How finely danger to a king is told apart.
pub const DANGER_STEPS: usize = 32;

features! {
    /// Having the move.
    TEMPO[1] in "tempo" by 1;
    /// A piece of a kind from pawn to queen.
    MATERIAL[5] in "material" by 5;
    /// Two bishops on squares of different colours.
    BISHOP_PAIR[1] in "material" by 1;
    /// For each knight, own pawns beyond five.
    KNIGHT_PAWNS[1] in "material" by 1;
    /// For each rook, own pawns beyond five.
    ROOK_PAWNS[1] in "material" by 1;
    /// A piece of a kind on a square, seen from its own king's wing.
    SQUARES[6 * 64] in "squares" by 8;

    /// A pawn behind another of its file: not defended, defended by a pawn.
    DOUBLED[2] in "pawns" by 2;
    /// A pawn without friends on the files beside it, by distance from the edge.
    ISOLATED[4] in "pawns" by 4;
    /// A pawn left behind that cannot step safely: on a closed, an open file.
    BACKWARD[2] in "pawns" by 2;
    /// A pawn on an open file that no pawn can ever defend.
    WEAK_OPEN[1] in "pawns" by 1;
    /// A pawn defended by a pawn, by rank.
    CONNECTED[8] in "pawns" by 8;
    /// A pawn beside another, by rank.
    PHALANX[8] in "pawns" by 8;
    /// A pawn that can become a passed pawn, by rank.
    CANDIDATE[8] in "pawns" by 8;
    /// Groups of files with pawns.
    PAWN_ISLANDS[1] in "pawns" by 1;

    /// A passed pawn, by rank.
    PASSED[8] in "passed pawns" by 8;
    /// The same, defended.
    PASSED_SUPPORTED[8] in "passed pawns" by 8;
    /// Blocked by its own side, by the enemy, by rank.
    PASSED_BLOCKED[16] in "passed pawns" by 8;
    /// Can step without loss, by rank.
    PASSED_SAFE_STEP[8] in "passed pawns" by 8;
    /// Its whole way is free and unattacked, by rank.
    PASSED_SAFE_PATH[8] in "passed pawns" by 8;
    /// Steps from its own king to the square before it, times rank beyond two.
    PASSED_OWN_KING[8] in "passed pawns" by 8;
    /// The same for the enemy king.
    PASSED_ENEMY_KING[8] in "passed pawns" by 8;
    /// An own rook, an enemy rook behind it.
    PASSED_ROOK[2] in "passed pawns" by 2;
    /// No king can catch it and the enemy has nothing else.
    RUNNER[1] in "passed pawns" by 1;

    /// Useful squares a knight can reach.
    KNIGHT_MOBILITY[9] in "mobility" by 9;
    /// Useful squares a bishop can reach.
    BISHOP_MOBILITY[14] in "mobility" by 7;
    /// Useful squares a rook can reach.
    ROOK_MOBILITY[15] in "mobility" by 8;
    /// Useful squares a queen can reach.
    QUEEN_MOBILITY[28] in "mobility" by 7;

    /// A knight, a bishop where no pawn can drive it off: alone, defended by a
    /// pawn.
    OUTPOST[4] in "pieces" by 2;
    /// A knight, a bishop that can go to a defended outpost.
    OUTPOST_REACH[2] in "pieces" by 2;
    /// A minor piece right behind a pawn.
    SHIELDED[1] in "pieces" by 1;
    /// For each bishop, own pawns on squares of its colour.
    BAD_BISHOP[1] in "pieces" by 1;
    /// A bishop that sees through to the centre.
    LONG_DIAGONAL[1] in "pieces" by 1;
    /// A rook on a half open, an open file.
    ROOK_FILE[2] in "pieces" by 2;
    /// A rook on the seventh rank with something to do there.
    ROOK_SEVENTH[1] in "pieces" by 1;
    /// A rook shut in by its own king, which cannot castle any more.
    TRAPPED_ROOK[1] in "pieces" by 1;

    /// The nearest own pawn before the king, by file (edge to centre) and rank.
    SHELTER[32] in "king" by 8;
    /// The nearest enemy pawn before the king, by file and rank.
    STORM[32] in "king" by 8;
    /// The same, where an own pawn stands right before it, by rank.
    STORM_BLOCKED[8] in "king" by 8;
    /// The king on a half open, an open file.
    KING_FILE[2] in "king" by 2;
    /// Pieces around the enemy king, by units of danger.
    DANGER[DANGER_STEPS] in "king" by 8;

    /// An enemy piece of each kind attacked by a pawn.
    PAWN_THREAT[5] in "threats" by 5;
    /// Attacked by a minor piece.
    MINOR_THREAT[5] in "threats" by 5;
    /// Attacked by a rook.
    ROOK_THREAT[5] in "threats" by 5;
    /// The king attacks something weak.
    KING_THREAT[1] in "threats" by 1;
    /// An enemy piece attacked and not defended.
    HANGING[1] in "threats" by 1;
    /// An enemy piece that a pawn can attack by stepping.
    PUSH_THREAT[1] in "threats" by 1;
    /// A square from which the enemy queen can be attacked.
    QUEEN_HARASSED[1] in "threats" by 1;
    /// A square the enemy attacks that we contest.
    RESTRICTED[1] in "threats" by 1;
    /// Safe squares behind and among the pawns of the centre.
    SPACE[1] in "space" by 1;

    /// Squares again for each place of a king: what the pieces of the king's
    /// side (six kinds) and of the other side (six kinds) gain by their squares.
    /// The last group, because it has a parameter file of its own.
    KING_SQUARES[KING_BUCKETS * 12 * 64] in "squares" by 8;
}

/// How many features there are.
pub const COUNT: usize = start_of(LENGTHS.len());

/// How many there are besides the tables of the kings.
pub const PLAIN: usize = KING_SQUARES;
