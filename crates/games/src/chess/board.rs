//! The position itself: how it is stored, and the questions it answers about
//! what stands where.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::bitboard::Bitboard;
use super::piece::{Piece, PieceKind};
use super::square::Square;
use super::zobrist;
use crate::game::Side;

/// No en passant square.
pub(super) const NONE: u8 = 64;

/// A chess position: Chess, Chess960 or double Chess960.
///
/// The board is four words: three hold the bits of each square's piece code
/// ([`PieceKind`]), one marks the black pieces. The codes are chosen so that
/// the sets a generator asks for most cost one operation (all diagonal
/// sliders: plane 0 and plane 2), a move is a handful of shifts without a
/// branch, and the whole position fits one cache line, which makes copying it
/// as cheap as taking a move back.
///
/// ```
/// use quadrille_games::{Position, chess::Chess};
/// let mut position = Chess::default();
/// for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
///     let m = position.parse_notation(san).unwrap();
///     position.make(m, &mut ());
/// }
/// assert_eq!(
///     position.text(),
///     "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
/// );
/// assert_eq!(position.count_moves(), 30);
/// ```
#[derive(Clone, Copy)]
pub struct Chess {
    /// Bits 0 to 2 of the piece codes, then the black pieces.
    pub(super) planes: [u64; 4],
    /// The rooks that may still castle, of both sides.
    pub(super) rooks: u64,
    pub(super) key: u64,
    /// Plies since the first move of move number 1.
    pub(super) ply: u32,
    pub(super) halfmove: u16,
    /// The square a pawn can legally capture on en passant, or [`NONE`].
    pub(super) en_passant: u8,
    /// The square that a pawn jumped over with the last move, or [`NONE`];
    /// only for writing FENs the other way.
    pub(super) jumped: u8,
    pub(super) side: Side,
    /// Whether castling is written the Chess960 way.
    pub(super) chess960: bool,
}

/// Everything but [`Chess::jumped_over`] counts: a double step that no pawn can
/// answer en passant leaves no trace in the game.
impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.planes == other.planes
            && self.rooks == other.rooks
            && self.en_passant == other.en_passant
            && self.side == other.side
            && (self.halfmove, self.ply) == (other.halfmove, other.ply)
            && self.chess960 == other.chess960
    }
}

impl Eq for Chess {}

impl Hash for Chess {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for Chess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chess({})", self.fen(super::FenStyle::default()))
    }
}

impl Chess {
    /// A board without pieces, to be filled by the readers.
    pub(super) const EMPTY: Self = Self {
        planes: [0; 4],
        rooks: 0,
        key: 0,
        ply: 0,
        halfmove: 0,
        en_passant: NONE,
        jumped: NONE,
        side: Side::White,
        chess960: false,
    };

    /// The four-bit code of what stands on a square; 0 if it is empty.
    #[inline(always)]
    pub(super) const fn code_at(&self, square: usize) -> usize {
        let [a, b, c, black] = self.planes;
        (a >> square & 1
            | (b >> square & 1) << 1
            | (c >> square & 1) << 2
            | (black >> square & 1) << 3) as usize
    }

    /// The three-bit kind code of what stands on a square; 0 if it is empty.
    #[inline(always)]
    pub(super) const fn kind_at(&self, square: usize) -> usize {
        let [a, b, c, _] = self.planes;
        (a >> square & 1 | (b >> square & 1) << 1 | (c >> square & 1) << 2) as usize
    }

    /// Puts a piece on an empty square; the key is not kept.
    pub(super) const fn put(&mut self, piece: Piece, square: Square) {
        let code = piece.code() as u64;
        let mut plane = 0;
        while plane < 4 {
            self.planes[plane] |= (code >> plane & 1) << square.index();
            plane += 1;
        }
    }

    #[inline(always)]
    pub(super) const fn occ(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    #[inline(always)]
    pub(super) const fn of<const WHITE: bool>(&self) -> u64 {
        if WHITE {
            self.occ() & !self.planes[3]
        } else {
            self.planes[3]
        }
    }

    #[inline(always)]
    pub(super) const fn of_side(&self, side: Side) -> u64 {
        match side {
            Side::White => self.of::<true>(),
            Side::Black => self.of::<false>(),
        }
    }

    #[inline(always)]
    pub(super) const fn pawns(&self) -> u64 {
        self.planes[0] & !self.planes[1] & !self.planes[2]
    }

    #[inline(always)]
    pub(super) const fn knights(&self) -> u64 {
        self.planes[1] & !self.planes[0] & !self.planes[2]
    }

    #[inline(always)]
    pub(super) const fn kings(&self) -> u64 {
        self.planes[0] & self.planes[1] & !self.planes[2]
    }

    /// Bishops and queens.
    #[inline(always)]
    pub(super) const fn diagonal(&self) -> u64 {
        self.planes[0] & self.planes[2]
    }

    /// Rooks and queens.
    #[inline(always)]
    pub(super) const fn straight(&self) -> u64 {
        self.planes[1] & self.planes[2]
    }

    /// The index of a king's square. Every position that can be had from
    /// outside has exactly one king a side.
    #[inline(always)]
    pub(super) const fn king_index(&self, side: Side) -> usize {
        (self.kings() & self.of_side(side)).trailing_zeros() as usize & 63
    }

    /// All squares with a piece.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.occ())
    }

    /// The pieces of one side.
    #[inline]
    pub const fn by_side(&self, side: Side) -> Bitboard {
        Bitboard(self.of_side(side))
    }

    /// The pieces of one kind, of both sides.
    #[inline]
    pub const fn by_kind(&self, kind: PieceKind) -> Bitboard {
        Bitboard(match kind {
            PieceKind::Pawn => self.pawns(),
            PieceKind::Knight => self.knights(),
            PieceKind::King => self.kings(),
            PieceKind::Bishop => self.diagonal() & !self.planes[1],
            PieceKind::Rook => self.straight() & !self.planes[0],
            PieceKind::Queen => self.diagonal() & self.planes[1],
        })
    }

    /// The pieces of one kind and side.
    #[inline]
    pub const fn by_piece(&self, piece: Piece) -> Bitboard {
        Bitboard(self.by_kind(piece.kind).0 & self.of_side(piece.side))
    }

    /// Bishops and queens of both sides: what attacks along diagonals.
    #[inline]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.diagonal())
    }

    /// Rooks and queens of both sides: what attacks along ranks and files.
    #[inline]
    pub const fn straight_sliders(&self) -> Bitboard {
        Bitboard(self.straight())
    }

    /// What stands on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_code(self.code_at(square.index()) as u8)
    }

    /// Where a side's king stands.
    #[inline]
    pub const fn king(&self, side: Side) -> Square {
        Square::new(self.king_index(side) as u8)
    }

    /// The castling rights of both sides.
    #[inline]
    pub const fn castling(&self) -> CastlingRights {
        CastlingRights {
            rooks: self.rooks,
            kings: [
                self.king_index(Side::White) as u8,
                self.king_index(Side::Black) as u8,
            ],
        }
    }

    /// The square on which a pawn can be captured en passant **legally** now.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        if self.en_passant == NONE {
            None
        } else {
            Some(Square::new(self.en_passant))
        }
    }

    /// The square that a pawn jumped over with the last move, whether or not
    /// it can be captured there.
    #[inline]
    pub const fn jumped_over(&self) -> Option<Square> {
        if self.jumped == NONE {
            None
        } else {
            Some(Square::new(self.jumped))
        }
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove as u32
    }

    /// The number of the move, counted up after Black's.
    #[inline]
    pub const fn fullmove_number(&self) -> u32 {
        self.ply / 2 + 1
    }

    /// Sets the move number, which is at least 1; the side to move must stand.
    pub(super) const fn set_fullmove(&mut self, number: u32) {
        self.ply = (number - 1) * 2 + self.side as u32;
    }

    /// Whether castling is written as king takes rook.
    #[inline]
    pub const fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The same position with castling written the other way.
    pub const fn with_chess960(mut self, chess960: bool) -> Self {
        self.chess960 = chess960;
        self
    }

    /// The key computed from nothing.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = if self.side == Side::Black {
            zobrist::BLACK
        } else {
            0
        };
        for square in 0..64 {
            key ^= zobrist::PIECE[self.code_at(square)][square];
        }
        for rook in Bitboard(self.rooks) {
            key ^= zobrist::CASTLE[rook.index()];
        }
        if self.en_passant != NONE {
            key ^= zobrist::EN_PASSANT[self.en_passant as usize & 63];
        }
        key
    }
}

/// Which rooks may still castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    rooks: u64,
    kings: [u8; 2],
}

impl CastlingRights {
    /// The rook with which `side` may still castle towards the h-file
    /// (`king_side`) or the a-file.
    pub const fn rook(&self, side: Side, king_side: bool) -> Option<Square> {
        let king = self.kings[side.index()];
        let back = 0xff << (56 * side as u64);
        let above = !0u64 << king;
        let rooks = self.rooks & back & if king_side { above } else { !above };
        Bitboard(rooks).first()
    }

    /// The squares of all rooks that may still castle.
    pub const fn rooks(&self) -> Bitboard {
        Bitboard(self.rooks)
    }

    /// Whether no castling right is left.
    pub const fn is_empty(&self) -> bool {
        self.rooks == 0
    }
}
