//! Syzygy endgame tables: who wins with few pieces left, and how.
//!
//! ```
//! use quadrille_games::{Position, chess::{Chess, ChessRules}};
//! use quadrille_syzygy::{RootRules, Tables, Wdl};
//!
//! let mut tables = Tables::new();
//! tables.add_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy").as_ref())?;
//! // Or, where there are no files: tables.add_bytes("KQvK.rtbw", bytes)?
//!
//! let position = Chess::from_text("8/8/8/3k4/8/8/8/K6R w - - 0 1", &ChessRules::default())?;
//! assert_eq!(tables.wdl(&position)?, Wdl::Win);
//! assert_eq!(tables.dtz(&position)?, 29);
//!
//! // What to play: the moves with the highest rank, after 70 plies without progress.
//! let rules = RootRules { clock: 70, repeated: false, fifty_moves: true };
//! let moves = tables.root_moves(&position, rules)?;
//! let best = moves.iter().max_by_key(|m| m.rank).unwrap();
//! assert_eq!(best.dtz, Some(29));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Results ([`Tables::wdl`]), distances ([`Tables::dtz`]) and ranked moves
//! ([`Tables::root_moves`]) are those that other probers give. What this one adds:
//!
//! * **Nothing a file contains can crash it.** There is no `unsafe`, no mapped
//!   memory, no global state. Every place a table points to is checked, every loop is
//!   bounded by the size of something that was checked; what does not fit is an error
//!   that names the table ([`ProbeError`], [`Fault`]). A damaged table can still give
//!   wrong answers: only its checksum would tell.
//! * **Several sets at once**, from folders, from memory, or from any [`Source`].
//!   Asking needs no lock.
//! * **Bounded memory.** Large tables are read piece by piece, see
//!   [`Tables::with_memory`].
//!
//! The rest of this page explains the format, which is otherwise written down only
//! in programs.
//!
//! # What a table is
//!
//! An ending is a set of pieces: `KRPvKR`. It has two files. **`KRPvKR.rtbw`** has the
//! *result* of every position: win, draw, loss, and the two in between: a *cursed
//! win* is one that takes more than fifty moves without capture or pawn move, so that
//! the rules make a draw of it; for the loser it is a *blessed loss*.
//! **`KRPvKR.rtbz`** has the *distance* to the next capture or pawn move (a move that
//! sets the count of the fifty-move rule to zero, hence distance to *zeroing*, DTZ)
//! if both sides play for the result first and for this distance second. Once that
//! move is made, one is in another ending, or further on in this one.
//!
//! The same file serves with colours exchanged. Castling is not known.
//! Results are stored for both sides to move, distances for one only: for the other,
//! one looks one move ahead.
//!
//! What is stored need not be true! Where a capture does at least as well as
//! everything else, the generator stored whatever packs best, as long as it is not
//! better than the truth; and tables know nothing of en passant. A prober plays out
//! captures first.
//!
//! # How a position becomes a number
//!
//! A table is a list of values, and a position is a place in it. To find the place
//! (module `order`):
//!
//! 1. **Colours.** The header lists the pieces as White's and Black's. If the
//!    board has them the other way round, or if both sides have the same pieces
//!    and Black is to move, colours are exchanged (and, with pawns, the ranks).
//! 2. **Symmetry.** Without pawns the board has eight symmetries. The first piece
//!    of the header's list is brought into the triangle a1-d1-d4; if it is on the
//!    long diagonal, the next that is not goes below it. With pawns there is only left
//!    and right: the outermost pawn of the side with fewer pawns goes to the left.
//! 3. **The first group.** If kings are the only pieces of which there is but one,
//!    the group is the two kings: 462 placings of kings that do not touch. Otherwise
//!    it is three single pieces, 31332 placings, touching kings counted too. With
//!    pawns it is all pawns of the side that has fewer: the outermost leads (there
//!    is a separate list of values for each of its files a to d), and the others
//!    are a set among the squares that could not lead, numbered from the middle
//!    outwards.
//! 4. **The other groups**, each of equal pieces: a set of `k` squares among those that
//!    are still free has the number `C(s1, 1) + C(s2, 2) + ... + C(sk, k)`, where
//!    `s1 < s2 < ...` are the squares, squares already taken left out. The other
//!    side's pawns come first, and have 48 squares.
//! 5. **Together**: the groups' numbers are digits with different bases. Which group
//!    is the lowest digit was chosen by the generator so that the list packs well;
//!    the header says it with one number for the first group and one for the
//!    other side's pawns. The rest follow in order.
//!
//! # What is in a file
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `71 e8 23 5d` for results, `d7 66 0c a5` for distances |
//! | 1 | bit 0: both sides to move are stored; bit 1: there are pawns |
//! | once, or for files a to d | which digit the first group is; with pawns on both sides, which digit the other side's pawns are; then the pieces, 1 to 6 for White's pawn, knight, bishop, rook, queen, king, 9 to 14 for Black's. The low four bits are for the first side to move, the high ones for the second |
//! | 0 or 1 | to an even place |
//! | for each file and side | the dictionary, see below |
//! | for distances | lists of values, see below, and to an even place |
//! | for each file and side | index: 6 bytes for every 2^n-th value |
//! | for each file and side | lengths: 2 bytes a block |
//! | for each file and side | blocks, each time from a multiple of 64 on |
//! | 16 | checksum, after a multiple of 64 |
//!
//! A **dictionary** (module `pairs`) starts with flags. If bit 7 is set, all values
//! are the same, and the next byte is that value (in tables of distances it
//! means nothing, and the value is 0). Otherwise:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | size of a block, as a power of two |
//! | 1 | values an entry of the index stands for, as a power of two |
//! | 1 | how many more lengths there are than blocks |
//! | 4 | number of blocks |
//! | 1, 1 | longest and shortest code |
//! | 2 each | for every length from the shortest: the symbol of its least code |
//! | 2 | number of symbols |
//! | 3 each | symbols: twelve bits left half, twelve bits right half |
//! | 0 or 1 | to an even place |
//!
//! # How a value is found
//!
//! * **Block.** Entry `number >> n` of the index is about the value in the middle of
//!   its range: in which block it lies (4 bytes), and how many values of that
//!   block come before it (2 bytes). From there one goes forwards or backwards
//!   through the list of lengths (a length is one less than the number of values).
//! * **Codes.** A block is a stream of bits, the highest of a byte first, of
//!   canonical Huffman codes. Written from the top of a word, all codes of one
//!   length are greater than all longer ones. The least of the longest is 0; the least
//!   code of a length is that of the next longer one, plus the number of those
//!   (the difference of the two symbols), halved. So the length of the next code is
//!   the first for which it is not less than the least, and its symbol is that of the
//!   least plus the difference.
//! * **Symbols.** A symbol with the right half `fff` is a value, its left half. Any
//!   other is its left half followed by its right half. With the number of values of
//!   every symbol known, one skips codes until the value is inside one, and then
//!   goes down into the right halves.
//!
//! # What a value means
//!
//! A **result** is 0 to 4: loss, blessed loss, draw, cursed win, win.
//!
//! A **distance** depends on the result, which must be known before, and on the flags:
//!
//! | bit | |
//! |---|---|
//! | 0 | which side to move is stored (with equal sides: meaningless) |
//! | 1 | values are places in a list: there are four, for wins, losses, cursed wins, blessed losses, each with its length before it |
//! | 2 | wins are counted in plies, otherwise in moves |
//! | 3 | losses are counted in plies, otherwise in moves (cursed and blessed ones always are) |
//! | 4 | the lists have two bytes an entry, and start at an even place |
//!
//! In plies, and with 1 added (101 if the fifty-move rule spoils it), that is the
//! distance; counted in moves it can be one less than the truth.
//!
//! # How a question is answered
//!
//! * **Result**: play out all captures, each with the best answer, down to the tables
//!   of the smaller endings. Ask this ending's table. The best of all is the result.
//!   One exception: if the only legal move is to capture en passant, the table's
//!   word (it sees a stalemate) does not count.
//! * **Distance**: 0 for a draw. 1 or 101 if a capture or pawn move keeps the win; -1
//!   or -101 if nothing but a capture en passant keeps what can be kept. Otherwise
//!   what the table says, if it is for this side to move. If not, one more than the
//!   best over all other moves of the answer for the other side.
//! * **Moves** ([`Tables::root_moves`]): a capture or pawn move by the result
//!   it leads to, every other by its distance and the moves already made without
//!   progress. Moves that win for certain rank alike, so that a search can choose by
//!   its own lights; if time is short or positions came back, the shortest way ranks
//!   highest.

#![forbid(unsafe_code)]

mod error;
mod folder;
mod material;
mod order;
mod pairs;
mod probe;
mod root;
mod squares;
mod store;
mod table;
mod tables;
mod wdl;

pub use error::{Fault, OpenError, ProbeError, TableKind};
pub use material::{MOST_MEN, Material, NotAMaterial};
pub use root::{CERTAIN, RootMove, RootRules, RootScore};
pub use store::Source;
pub use tables::Tables;
pub use wdl::Wdl;
