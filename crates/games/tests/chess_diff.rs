//! Random games of three libraries side by side.
//!
//! 105,000 positions in an ordinary run, a third each of chess, Chess960 and
//! double Chess960; `QUADRILLE_DIFF=5000000` plays as many as it says.

use cozy_chess::Board;
use quadrille_games::chess::{
    CastlingStyle, Chess, ChessRules, EnPassantStyle, FenStyle, Move, PieceKind,
};
use quadrille_games::random::SplitMix64;
use quadrille_games::{MoveKind, Position, Reason};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, EnPassantMode, FromSetup, Position as _};

/// A move as all three understand it: squares, and what the pawn becomes.
type Plain = (usize, usize, Option<PieceKind>);

fn ours(m: Move) -> Plain {
    (m.from().index(), m.to().index(), m.promotion())
}

fn of_shakmaty(m: shakmaty::Move) -> Plain {
    let promotion = m.promotion().map(|role| match role {
        shakmaty::Role::Knight => PieceKind::Knight,
        shakmaty::Role::Bishop => PieceKind::Bishop,
        shakmaty::Role::Rook => PieceKind::Rook,
        _ => PieceKind::Queen,
    });
    let from = m.from().expect("chess has no drops");
    (usize::from(from), usize::from(m.to()), promotion)
}

fn of_cozy(m: cozy_chess::Move) -> Plain {
    let promotion = m.promotion.map(|piece| match piece {
        cozy_chess::Piece::Knight => PieceKind::Knight,
        cozy_chess::Piece::Bishop => PieceKind::Bishop,
        cozy_chess::Piece::Rook => PieceKind::Rook,
        _ => PieceKind::Queen,
    });
    (m.from as usize, m.to as usize, promotion)
}

struct Trio {
    ours: Chess,
    cozy: Board,
    shakmaty: shakmaty::Chess,
}

impl Trio {
    fn new(start: Chess) -> Self {
        let shredder = FenStyle {
            castling: CastlingStyle::Shredder,
            ..FenStyle::default()
        };
        let text = start.fen(shredder);
        let setup = Fen::from_ascii(text.as_bytes())
            .expect("our FEN")
            .into_setup();
        Self {
            ours: start,
            cozy: Board::from_fen(&text, true).expect("our Shredder-FEN"),
            shakmaty: shakmaty::Chess::from_setup(setup, CastlingMode::Chess960).expect("legal"),
        }
    }

    /// Compares everything in the current position and returns our moves with
    /// shakmaty's.
    fn compare(&self) -> Vec<(Move, shakmaty::Move)> {
        let text = self.ours.text();
        let mut mine = self.ours.moves();
        mine.sort_by_key(|&m| ours(m));
        let plain: Vec<Plain> = mine.iter().map(|&m| ours(m)).collect();

        let mut theirs: Vec<_> = self.shakmaty.legal_moves().into_iter().collect();
        theirs.sort_by_key(|&m| of_shakmaty(m));
        let other: Vec<Plain> = theirs.iter().map(|&m| of_shakmaty(m)).collect();
        assert_eq!(plain, other, "moves in {text}");

        let mut third = Vec::new();
        self.cozy.generate_moves(|set| {
            third.extend(set.into_iter().map(of_cozy));
            false
        });
        third.sort_unstable();
        assert_eq!(plain, third, "moves in {text}");

        assert_eq!(self.ours.count_moves(), plain.len() as u64, "{text}");
        assert_eq!(
            self.ours.checkers().0,
            u64::from(self.shakmaty.checkers()),
            "{text}"
        );
        assert_eq!(self.ours.checkers().0, self.cozy.checkers().0, "{text}");
        let us = self.ours.by_side(self.ours.side()).0;
        let pinned = self.cozy.pinned().0 & us;
        assert_eq!(self.ours.pinned().0, pinned, "{text}");
        self.compare_end(&text);
        self.compare_texts(&text);
        assert_eq!(self.ours.hash(), self.ours.recomputed_hash(), "{text}");
        let key: Zobrist64 = self.shakmaty.zobrist_hash(EnPassantMode::PseudoLegal);
        assert_eq!(self.ours.polyglot_key(), key.0, "{text}");
        mine.into_iter().zip(theirs).collect()
    }

    fn compare_end(&self, text: &str) {
        let outcome = self.ours.outcome();
        let reason = outcome.map(|o| o.reason);
        assert_eq!(
            reason == Some(Reason::Checkmate),
            self.shakmaty.is_checkmate(),
            "{text}"
        );
        assert_eq!(
            reason == Some(Reason::Stalemate),
            self.shakmaty.is_stalemate(),
            "{text}"
        );
        assert_eq!(
            self.ours.is_insufficient_material(),
            self.shakmaty.is_insufficient_material(),
            "{text}"
        );
    }

    fn compare_texts(&self, text: &str) {
        let fen = Fen::from_position(&self.shakmaty, EnPassantMode::Legal).to_string();
        assert_eq!(text, fen);
        let always = FenStyle {
            en_passant: EnPassantStyle::Always,
            ..FenStyle::default()
        };
        let fen = Fen::from_position(&self.shakmaty, EnPassantMode::Always).to_string();
        assert_eq!(self.ours.fen(always), fen);
        for style in [FenStyle::default(), always, shredder()] {
            let again = Chess::from_text(&self.ours.fen(style), &self.ours.rules());
            assert_eq!(again.as_ref(), Ok(&self.ours), "{text}");
        }
        let strict = Chess::from_text_strict(&self.ours.fen(always), &self.ours.rules());
        assert_eq!(strict.as_ref(), Ok(&self.ours), "{text}");
    }

    fn compare_notation(&self, m: Move, other: shakmaty::Move) {
        let text = self.ours.text();
        let san = self.ours.notation(m);
        let theirs = SanPlus::from_move(self.shakmaty.clone(), other).to_string();
        assert_eq!(san, theirs, "{text}");
        assert_eq!(self.ours.parse_notation(&san), Ok(m), "{san} in {text}");
        let long = self.ours.move_text(m);
        assert_eq!(self.ours.parse_move(&long), Ok(m), "{long} in {text}");
        assert_eq!(self.ours.parse_notation(&long), Ok(m), "{long} in {text}");
        let uci = other.to_uci(CastlingMode::from_chess960(self.ours.is_chess960()));
        assert_eq!(long, uci.to_string(), "{text}");
        assert!(self.ours.is_legal(m), "{m:?} in {text}");
        assert_eq!(
            self.ours.gives_check(m),
            self.ours.after(m).in_check(),
            "{m:?} in {text}"
        );
    }

    fn play(&mut self, m: Move, other: shakmaty::Move) {
        let before = self.ours;
        let undo = self.ours.make(m, &mut ());
        let after = self.ours;
        self.ours.unmake(m, undo);
        assert_eq!(self.ours, before);
        self.ours = after;
        self.shakmaty.play_unchecked(other);
        let (from, to, promotion) = ours(m);
        self.cozy.play(cozy_chess::Move {
            from: cozy_chess::Square::index(from),
            to: cozy_chess::Square::index(to),
            promotion: promotion.map(|kind| match kind {
                PieceKind::Knight => cozy_chess::Piece::Knight,
                PieceKind::Bishop => cozy_chess::Piece::Bishop,
                PieceKind::Rook => cozy_chess::Piece::Rook,
                _ => cozy_chess::Piece::Queen,
            }),
        });
    }
}

fn shredder() -> FenStyle {
    FenStyle {
        castling: CastlingStyle::Shredder,
        ..FenStyle::default()
    }
}

fn wanted() -> usize {
    let asked = std::env::var("QUADRILLE_DIFF")
        .ok()
        .and_then(|n| n.parse::<usize>().ok());
    asked.map_or(35_000, |n| n / 3)
}

/// Plays random games until enough positions were compared. Captures and
/// promotions are preferred now and then, so that endgames are reached.
fn compare_games(seed: u64, mut start: impl FnMut(&mut SplitMix64) -> Chess) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    while seen < wanted() {
        let mut game = Trio::new(start(&mut random));
        for _ in 0..200 {
            seen += 1;
            let moves = game.compare();
            if moves.is_empty() || game.ours.halfmove_clock() > 120 {
                break;
            }
            if random.index(16) == 0 {
                for &(m, other) in &moves {
                    game.compare_notation(m, other);
                }
            }
            let mut tactical = Vec::new();
            game.ours.generate(MoveKind::Tactical, |m| tactical.push(m));
            let mut choice = moves[random.index(moves.len())];
            if !tactical.is_empty() && random.index(3) == 0 {
                let m = tactical[random.index(tactical.len())];
                choice = *moves
                    .iter()
                    .find(|pair| pair.0 == m)
                    .expect("tactical moves are moves");
            }
            game.compare_notation(choice.0, choice.1);
            game.play(choice.0, choice.1);
        }
    }
    assert!(seen >= wanted());
}

#[test]
fn chess_against_two_libraries() {
    compare_games(0x1234_5678_9abc_def1, |_| {
        Chess::start(&ChessRules::default())
    });
}

#[test]
fn chess960_against_two_libraries() {
    compare_games(0x0dd0_b0d1_e500_0001, |random| {
        Chess::chess960(random.index(960) as u16).expect("below 960")
    });
}

#[test]
fn double_chess960_against_two_libraries() {
    compare_games(0xfeed_beef_0bad_cafe, |random| {
        let (white, black) = (random.index(960) as u16, random.index(960) as u16);
        Chess::double_chess960(white, black).expect("below 960")
    });
}

/// The numbering agrees with an independent one for all 960.
#[test]
fn scharnagl_numbers() {
    for n in 0..960 {
        let start = Chess::chess960(n).expect("below 960");
        let theirs = Board::chess960_startpos(u32::from(n));
        assert_eq!(start.fen(shredder()), format!("{theirs:#}"));
        assert_eq!(start.start_numbers(), Some((n, n)));
        let mixed = Chess::double_chess960(n, 959 - n).expect("below 960");
        assert_eq!(mixed.start_numbers(), Some((n, 959 - n)));
    }
    assert_eq!(Chess::chess960(960), None);
    assert_eq!(Chess::double_chess960(0, u16::MAX), None);
}
