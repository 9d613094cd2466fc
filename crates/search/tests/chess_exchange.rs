//! Static exchange, position by position.
//!
//! Each line: position, move, what the exchange wins at best for the mover in
//! the values pawn 100, knight 320, bishop 335, rook 500, queen 975.

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{MoveKind, Position};
use quadrille_search::Playable;

const P: i32 = 100;
const N: i32 = 320;
const B: i32 = 335;
const R: i32 = 500;
const Q: i32 = 975;

const CASES: &[(&str, &str, i32)] = &[
    // Nothing defends.
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", P),
    // Defended pawn, taken by a pawn.
    ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
    // Defended pawn, taken by a rook.
    ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", P - R),
    // Two rooks behind each other see through.
    ("4k3/8/2n5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", P),
    ("3rk3/8/2n5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", P),
    ("3rk3/8/2n1p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", P - R),
    // A queen behind a bishop, a bishop behind a queen.
    ("4k3/5p2/4p3/3p4/8/1Q6/B7/4K3 w - - 0 1", "b3d5", P - Q + P),
    ("4k3/5p2/4n3/3p4/8/1B6/Q7/4K3 w - - 0 1", "b3d5", P),
    // Quiet moves into attack and onto safe squares.
    ("4k3/8/4p3/8/8/2N5/8/4K3 w - - 0 1", "c3d5", -N),
    ("4k3/8/4p3/8/4P3/2N5/8/4K3 w - - 0 1", "c3d5", P - N),
    ("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", "c3d5", 0),
    // En passant, free and recaptured.
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", P),
    ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0),
    // En passant opens the file for a rook behind the taken pawn.
    ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 2", "e5d6", P),
    // Promotions: free, taken back, with capture.
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", Q - P),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", N - P),
    ("8/4Pk2/8/8/8/8/8/K7 w - - 0 1", "e7e8q", -P),
    ("3r2k1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", R + Q - P),
    ("3r1bk1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", R + Q - P),
    ("3rr1k1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", R - P),
    // A king takes last, and never what is defended.
    ("8/8/4k3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
    ("8/8/4k3/3p4/4P3/2N5/8/4K3 w - - 0 1", "e4d5", P),
    // The defender is pinned against its king and cannot take back.
    ("3k4/3n4/8/4p3/8/8/8/K2RR3 w - - 0 1", "e1e5", P),
    // The same, but its pinner is the piece that took.
    ("3k4/3n4/8/4p3/8/6B1/8/K2R4 w - - 0 1", "g3e5", P),
    ("4k3/3n4/8/4p3/8/6B1/8/K2R4 w - - 0 1", "g3e5", P - B),
    // Black to move.
    ("4k3/8/8/3p4/4P3/5P2/8/4K3 b - - 0 1", "d5e4", 0),
    ("3qk3/8/8/8/3P4/4P3/8/4K3 b - - 0 1", "d8d4", P - Q),
    // Both kings near, a rook ending.
    ("8/3k4/8/8/3r4/4K3/3R4/8 w - - 0 1", "d2d4", R),
];

#[test]
fn exchanges_are_worth_what_they_are_worth() {
    for &(fen, text, worth) in CASES {
        let position = Chess::from_text(fen, &ChessRules::default()).unwrap();
        let m = position.parse_move(text).unwrap();
        assert!(
            position.exchange_wins(m, worth),
            "{fen} {text} should win {worth}"
        );
        assert!(
            !position.exchange_wins(m, worth + 1),
            "{fen} {text} should not win more than {worth}"
        );
    }
}

/// The plain definition, without any of the short cuts: each side takes with its
/// cheapest legal capture on the square, or stops.
fn by_definition(position: &Chess, square: quadrille_games::chess::Square) -> i32 {
    let mut best: Option<(i32, quadrille_games::chess::Move)> = None;
    position.generate(MoveKind::Tactical, |m| {
        if m.to() == square && position.piece_at(square).is_some() {
            let stake = position.stake(m);
            if best.is_none_or(|(cheapest, _)| stake < cheapest) {
                best = Some((stake, m));
            }
        }
    });
    let Some((_, m)) = best else {
        return 0;
    };
    (position.gain(m) - by_definition(&position.after(m), square)).max(0)
}

/// Along random games the quick answer agrees with real captures wherever no
/// pin or check interferes (then legality changes as the exchange goes on).
#[test]
fn exchanges_agree_with_playing_them_out() {
    let mut random = SplitMix64::new(7);
    let mut compared = 0;
    for _ in 0..60 {
        let mut position = Chess::default();
        for _ in 0..80 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            for &m in moves.iter().filter(|&&m| position.is_tactical(m)) {
                // A pawn that takes back on the last rank promotes, which the
                // quick answer leaves out on purpose.
                if matches!(m.to().rank(), 0 | 7) || !calm(&position) || position.gives_check(m) {
                    continue;
                }
                let worth = position.gain(m) - by_definition(&position.after(m), m.to());
                let agrees =
                    position.exchange_wins(m, worth) && !position.exchange_wins(m, worth + 1);
                assert!(agrees, "{} {m:?} is worth {worth}", position.text());
                compared += 1;
            }
            position.play(moves[random.index(moves.len())]);
        }
    }
    assert!(compared > 500, "only {compared} exchanges were compared");
}

/// No king stands on a line with an enemy slider: nothing can be pinned and no
/// check be discovered.
fn calm(position: &Chess) -> bool {
    use quadrille_games::Side;
    use quadrille_games::chess::{Bitboard, PieceKind, attacks};
    Side::BOTH.into_iter().all(|side| {
        let king = position.king(side);
        let rays = |kind| attacks(kind, side, king, Bitboard::EMPTY);
        let lines = (rays(PieceKind::Bishop) & position.diagonal_sliders())
            | (rays(PieceKind::Rook) & position.straight_sliders());
        (lines & position.by_side(side.other())).is_empty()
    })
}
