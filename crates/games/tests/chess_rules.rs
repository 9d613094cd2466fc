//! The promises of `Position`, and the ends of games.

use quadrille_games::chess::{Chess, ChessRules, Move, Piece, PieceKind, Square, attacks};
use quadrille_games::random::SplitMix64;
use quadrille_games::{GameMove, Line, MoveKind, Observer, Outcome, Position, Reason, Side};

const STANDARD: ChessRules = ChessRules { chess960: false };

fn read(text: &str) -> Chess {
    Chess::from_text(text, &STANDARD).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

/// Positions from random games of double Chess960 and from sharp presets.
fn varied(count: usize) -> Vec<Chess> {
    let mut random = SplitMix64::new(0x0123_4567_89ab_cdef);
    let mut list: Vec<Chess> = Chess::presets(&STANDARD)
        .iter()
        .map(|p| read(&p.1))
        .collect();
    list.push(read("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"));
    list.push(read("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"));
    list.push(read("r3k2r/P6P/8/8/8/8/p6p/R3K2R w KQkq - 0 1"));
    while list.len() < count {
        let (white, black) = (random.index(960) as u16, random.index(960) as u16);
        let mut position = Chess::double_chess960(white, black).expect("below 960");
        for ply in 0..120 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.index(moves.len())]);
            if ply % 7 == 0 {
                list.push(position);
            }
        }
    }
    list
}

#[test]
fn is_legal_agrees_with_generation_for_all_codes() {
    for position in varied(400) {
        let mut legal = vec![false; 1 << 16];
        position.generate(MoveKind::All, |m| {
            assert!(!legal[m.to_bits() as usize], "{m:?} twice in {position:?}");
            legal[m.to_bits() as usize] = true;
        });
        for bits in 0..1u64 << 16 {
            let m = Move::from_bits(bits);
            assert_eq!(
                position.is_legal(m),
                legal[bits as usize],
                "{m:?} in {position:?}"
            );
        }
        assert!(!position.is_legal(Move::from_bits(1 << 16 | 1)));
    }
}

/// Even nonsense made on the board must not panic.
#[test]
fn illegal_moves_do_not_panic() {
    for position in varied(40) {
        for bits in 0..=u16::MAX {
            let mut copy = position;
            let undo = copy.make(Move::from_u16(bits), &mut ());
            copy.unmake(Move::from_u16(bits), undo);
            assert_eq!(copy, position);
        }
    }
}

/// A board kept only by what the observer is told.
#[derive(Clone, PartialEq, Debug)]
struct Mirror([Option<Piece>; 64]);

impl Observer<Piece> for Mirror {
    fn added(&mut self, piece: Piece, square: u16) {
        assert_eq!(
            self.0[square as usize], None,
            "{piece:?} on an occupied square"
        );
        self.0[square as usize] = Some(piece);
    }

    fn removed(&mut self, piece: Piece, square: u16) {
        assert_eq!(self.0[square as usize], Some(piece), "nothing to remove");
        self.0[square as usize] = None;
    }
}

fn mirror(position: &Chess) -> Mirror {
    let mut board = Mirror([None; 64]);
    position.pieces(|piece, square| board.added(piece, square));
    board
}

#[test]
fn an_observer_can_follow_every_move() {
    for position in varied(300) {
        let before = mirror(&position);
        position.generate(MoveKind::All, |m| {
            let (mut board, mut next) = (before.clone(), position);
            next.make(m, &mut board);
            assert_eq!(board, mirror(&next), "{m:?} in {position:?}");
        });
    }
}

#[test]
fn attackers_and_attacks_agree() {
    for position in varied(60) {
        for target in Square::all() {
            let found = position.attackers_to(target, position.occupied());
            for square in Square::all() {
                let reaches = position.piece_at(square).is_some_and(|piece| {
                    attacks(piece.kind, piece.side, square, position.occupied()).contains(target)
                });
                assert_eq!(
                    found.contains(square),
                    reaches,
                    "{square} to {target} in {position:?}"
                );
            }
        }
    }
}

#[test]
fn passing_changes_the_turn_and_nothing_else() {
    for mut position in varied(100) {
        let before = position;
        let undo = position.pass();
        assert_eq!(position.side(), before.side().other());
        assert_eq!(position.hash(), position.recomputed_hash());
        assert_eq!(position.en_passant(), None);
        position.unpass(undo);
        assert_eq!(position, before);
    }
}

#[test]
fn sets_of_targets() {
    let position = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let targets = position.targets("e1".parse().unwrap());
    let names: Vec<String> = targets.into_iter().map(|s| s.to_string()).collect();
    assert_eq!(names, ["a1", "d1", "f1", "h1", "d2", "e2", "f2"]);
    assert!(position.targets("e8".parse().unwrap()).is_empty());
    let rook = Piece {
        side: Side::White,
        kind: PieceKind::Rook,
    };
    assert_eq!(position.by_piece(rook).count(), 2);
}

fn ends(text: &str, outcome: Option<Outcome>) {
    assert_eq!(read(text).outcome(), outcome, "{text}");
}

#[test]
fn mate_and_stalemate() {
    ends(
        "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
        Some(Outcome::win(Side::White, Reason::Checkmate)),
    );
    ends(
        "8/8/8/8/8/8/5kq1/7K w - - 0 1",
        Some(Outcome::win(Side::Black, Reason::Checkmate)),
    );
    ends(
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        Some(Outcome::draw(Reason::Stalemate)),
    );
    // Mate on the last allowed move is mate.
    ends(
        "7k/5KQ1/8/8/8/8/8/8 b - - 150 90",
        Some(Outcome::win(Side::White, Reason::Checkmate)),
    );
}

#[test]
fn draws_by_material() {
    let material = Some(Outcome::draw(Reason::Material));
    ends("4k3/8/8/8/8/8/8/4K3 w - - 0 1", material);
    ends("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", material);
    ends("4kn2/8/8/8/8/8/8/4K3 w - - 0 1", material);
    ends("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", material);
    ends("2b1k3/1b6/2b5/8/8/8/6B1/4KB2 w - - 0 1", material);
    ends("2b1k3/1b6/3b4/8/8/8/6B1/4KB2 w - - 0 1", None);
    ends("2b1k3/8/b7/8/8/7B/6B1/4KB2 w - - 0 1", material);
    ends("5bk1/8/8/8/8/8/8/4KB2 w - - 0 1", None);
    ends("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", None);
    ends("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", None);
    ends("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None);
    ends("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", None);
}

#[test]
fn walls_of_pawns() {
    let dead = Some(Outcome::draw(Reason::DeadPosition));
    ends("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", dead);
    ends("8/2k5/8/1p1p1p1p/1P1P1P1P/8/5K2/8 b - - 0 1", dead);
    // A gap on the right lets the king through to the pawns.
    ends("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1", None);
    // A pawn can capture, or step.
    ends("4k3/8/8/pPp1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", None);
    ends("4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", None);
    // A king already on the other side eats an unprotected pawn.
    ends("4k3/8/2K5/p1p1p1p1/P1P1P1P1/8/8/8 w - - 0 1", None);
    // Any piece may break the wall.
    ends("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4KB2 w - - 0 1", None);
}

#[test]
fn counting_without_progress() {
    let text = |clock: u32| format!("4k3/8/8/8/8/8/8/4K2R w - - {clock} 200");
    assert_eq!(read(&text(99)).claimable(), None);
    assert_eq!(
        read(&text(100)).claimable(),
        Some(Outcome::draw(Reason::FiftyMoves))
    );
    assert_eq!(read(&text(149)).outcome(), None);
    assert_eq!(
        read(&text(150)).outcome(),
        Some(Outcome::draw(Reason::SeventyFiveMoves))
    );
    let mut position = read(&text(9_999));
    for _ in 0..70_000 {
        let m = position.moves()[0];
        position.play(m);
    }
    assert_eq!(position.halfmove_clock(), u32::from(u16::MAX));
}

#[test]
fn repetition_three_and_five_times() {
    let mut line = Line::new(Chess::default());
    for round in 1..=4 {
        for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(line.outcome(), None);
            line.play(m).expect("legal");
        }
        assert_eq!(line.occurrences(), round + 1);
        let claim = (round >= 2).then(|| Outcome::draw(Reason::Threefold));
        if round < 4 {
            assert_eq!(line.outcome_with_claims(), claim);
        }
    }
    assert_eq!(line.outcome(), Some(Outcome::draw(Reason::Fivefold)));
}

/// The first occurrence still had the right to castle, so the position after
/// the king's walk is another one.
#[test]
fn lost_castling_rights_make_another_position() {
    let mut line = Line::new(read("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    for m in ["e1e2", "e8e7", "e2e1", "e7e8"] {
        line.play(m).expect("legal");
    }
    assert_eq!(line.occurrences(), 1);
    for m in ["e1e2", "e8e7", "e2e1", "e7e8"] {
        line.play(m).expect("legal");
    }
    assert_eq!(line.occurrences(), 2);
}
