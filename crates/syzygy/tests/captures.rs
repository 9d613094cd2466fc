//! Captures and en passant, on tables in which every position of an ending has the
//! same result: what is left is how results are put together.

use quadrille_games::Position;
use quadrille_games::chess::Chess;
use quadrille_syzygy::{Material, ProbeError, TableKind, Tables, Wdl};

use crate::made::constant;
use crate::random::position;

const LOSS: u8 = 0;
const BLESSED: u8 = 1;
const DRAW: u8 = 2;
const CURSED: u8 = 3;
const WIN: u8 = 4;

/// Queen and rook attack each other.
const ROOK_HANGS: &str = "8/8/3r4/8/8/8/k7/3Q3K w - - 0 1";

/// Endings, each with the results for its first and its second side to move.
fn tables(endings: &[(&str, [u8; 2])]) -> Tables {
    let mut tables = Tables::new();
    for (name, values) in endings {
        let file = format!("{name}.rtbw");
        tables.add_bytes(&file, constant(name, *values)).unwrap();
    }
    assert_eq!(tables.check(), []);
    tables
}

fn read(fen: &str) -> Chess {
    position(fen).unwrap()
}

#[test]
fn a_capture_counts_if_it_is_better() {
    // The rook can be taken; the bare king that is left has this result.
    let rook_hangs = read(ROOK_HANGS);
    for (left, expected) in [
        (LOSS, Wdl::Win),
        (BLESSED, Wdl::CursedWin),
        (DRAW, Wdl::Draw),
        (WIN, Wdl::BlessedLoss),
    ] {
        let set = tables(&[("KQvKR", [BLESSED, DRAW]), ("KQvK", [WIN, left])]);
        assert_eq!(set.wdl(&rook_hangs), Ok(expected), "{left}");
        // The rook takes too, and what is left then is not here.
        let queen_hangs = read(&ROOK_HANGS.replace('w', "b"));
        let missing = ProbeError::Missing("KRvK".parse().unwrap(), TableKind::Wdl);
        assert_eq!(set.wdl(&queen_hangs), Err(missing));
    }
}

/// A winning capture is the next move: no table of distances is needed.
#[test]
fn a_winning_capture_has_the_distance_one() {
    let rook_hangs = read(ROOK_HANGS);
    let won = tables(&[("KQvKR", [DRAW, DRAW]), ("KQvK", [WIN, LOSS])]);
    assert_eq!(won.dtz(&rook_hangs), Ok(1));
    let spoilt = tables(&[("KQvKR", [DRAW, DRAW]), ("KQvK", [WIN, BLESSED])]);
    assert_eq!(spoilt.dtz(&rook_hangs), Ok(101));
    let drawn = tables(&[("KQvKR", [DRAW, DRAW]), ("KQvK", [WIN, DRAW])]);
    assert_eq!(drawn.dtz(&rook_hangs), Ok(0));
    let quiet = tables(&[("KQvKR", [CURSED, DRAW]), ("KQvK", [WIN, DRAW])]);
    let missing = ProbeError::Missing("KQvKR".parse().unwrap(), TableKind::Dtz);
    assert_eq!(quiet.dtz(&rook_hangs), Err(missing));
}

#[test]
fn en_passant_is_one_move_of_several() {
    let passed = read("8/8/8/3pP3/8/8/8/K6k w - d6 0 1");
    assert!(passed.en_passant().is_some());
    for (left, stored, result, distance) in [
        (LOSS, DRAW, Wdl::Win, Some(1)),
        (BLESSED, DRAW, Wdl::CursedWin, Some(101)),
        (DRAW, LOSS, Wdl::Draw, Some(0)),
        (CURSED, LOSS, Wdl::BlessedLoss, Some(-101)),
        // Worse than what else there is.
        (WIN, DRAW, Wdl::Draw, Some(0)),
        (WIN, CURSED, Wdl::CursedWin, None),
    ] {
        let set = tables(&[("KPvKP", [stored; 2]), ("KPvK", [WIN, left])]);
        assert_eq!(set.wdl(&passed), Ok(result), "{left} {stored}");
        // Where it is not the next move, tables are asked that are not here.
        assert_eq!(set.dtz(&passed).ok(), distance, "{left} {stored}");
    }
    let not_passed = read("8/8/8/3pP3/8/8/8/K6k w - - 0 1");
    let set = tables(&[("KPvKP", [DRAW; 2]), ("KPvK", [WIN, LOSS])]);
    assert_eq!(set.wdl(&not_passed), Ok(Wdl::Draw));
}

/// Without en passant this is a stalemate, and the table says a draw. But there is
/// a move, and it must be played even if it loses.
#[test]
fn en_passant_can_be_forced() {
    let forced = forced_en_passant();
    // Black may take the pawn that took, and that is no good idea here.
    let endings = |left| {
        [
            ("KQPvKP", [WIN, DRAW]),
            ("KQvKP", [left, DRAW]),
            ("KQvK", [LOSS, WIN]),
        ]
    };
    for (left, result, distance) in [
        (WIN, Wdl::Loss, -1),
        (CURSED, Wdl::BlessedLoss, -101),
        (DRAW, Wdl::Draw, 0),
        (BLESSED, Wdl::CursedWin, 101),
        (LOSS, Wdl::Win, 1),
    ] {
        let set = tables(&endings(left));
        for fen in &forced {
            let position = read(fen);
            assert_eq!(set.wdl(&position), Ok(result), "{fen}");
            assert_eq!(set.dtz(&position), Ok(distance), "{fen}");
        }
    }
}

/// Positions with the one legal move e5xd6: the black king blocks the pawn.
fn forced_en_passant() -> Vec<String> {
    let mut found = Vec::new();
    for queen in 0..64 {
        for king in 0..64 {
            let mut board = [b'1'; 64];
            for (square, piece) in [(king, b'K'), (queen, b'q')] {
                board[square] = piece;
            }
            // Counted from a8: e6, d5, e5.
            for (square, piece) in [(20, b'k'), (27, b'p'), (28, b'P')] {
                board[square] = piece;
            }
            let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
            let fen = format!("{} w - d6 0 1", ranks.join("/"));
            let Some(position) = position(&fen) else {
                continue;
            };
            let whole = Material::of(&position).is_some_and(|m| m.men() == 5);
            let moves = position.moves();
            if whole && !position.in_check() && moves.len() == 1 && moves[0].is_en_passant() {
                found.push(fen);
            }
        }
    }
    assert!(found.len() > 3, "{found:?}");
    found
}

#[test]
fn what_cannot_be_asked_is_told() {
    let set = tables(&[("KRvK", [WIN, LOSS])]);
    let castles = read("8/8/8/8/8/2k5/8/R3K3 w Q - 0 1");
    assert_eq!(set.wdl(&castles), Err(ProbeError::Castling));
    assert_eq!(set.wdl(&Chess::default()), Err(ProbeError::TooManyMen));
    let other = read("8/8/8/8/8/2k5/8/3QK3 w - - 0 1");
    let missing = ProbeError::Missing("KQvK".parse().unwrap(), TableKind::Wdl);
    assert_eq!(set.wdl(&other), Err(missing));
    assert_eq!(missing.to_string(), "KQvK.rtbw is not here");
    let kings = read("8/8/8/8/8/2k5/8/4K3 w - - 0 1");
    assert_eq!((set.wdl(&kings), set.dtz(&kings)), (Ok(Wdl::Draw), Ok(0)));
    assert_eq!(Tables::new().wdl(&kings), Err(ProbeError::TooManyMen));
}
