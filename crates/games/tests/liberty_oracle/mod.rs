//! Liberty Chess against a naive model, along random games on random boards.

mod oracle;
mod random;

use std::collections::BTreeSet;

use crate::liberty_support::{read, state};
use oracle::Oracle;
use quadrille_games::liberty::{Kind, Liberty, LibertyMove, Piece};
use quadrille_games::{GameMove, MoveKind, Observer, Position, Reason};
use random::{Random, random_game};

/// A board that is told about every change, to hold against the real one.
#[derive(Default)]
struct Mirror(BTreeSet<(u16, usize)>);

impl Observer<Piece> for Mirror {
    fn added(&mut self, piece: Piece, square: u16) {
        assert!(self.0.insert((square, piece.index())));
    }

    fn removed(&mut self, piece: Piece, square: u16) {
        assert!(self.0.remove(&(square, piece.index())));
    }
}

fn mirror(position: &Liberty) -> Mirror {
    let mut mirror = Mirror::default();
    position.pieces(|piece, square| mirror.added(piece, square));
    mirror
}

/// Everything the contract promises about one position.
fn check_contract(position: &Liberty) {
    let text = position.text();
    let all = position.moves();
    let distinct: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len(), "{text}: a move twice");
    assert_eq!(position.count_moves(), all.len() as u64, "{text}");
    assert_eq!(position.hash(), position.recomputed_hash(), "{text}");
    let mut split = BTreeSet::new();
    for kind in [MoveKind::Tactical, MoveKind::Quiet] {
        position.generate(kind, |m| {
            assert_eq!(
                position.is_tactical(m),
                kind == MoveKind::Tactical,
                "{text} {m:?}"
            );
            assert!(split.insert(m), "{text}: {m:?} is of both kinds");
        });
    }
    assert_eq!(split, distinct, "{text}");
    for &m in &all {
        assert!(position.is_legal(m), "{text} {m:?}");
        assert_eq!(LibertyMove::from_bits(m.to_bits()), m);
        let mut copy = position.clone();
        let mut seen = mirror(position);
        let undo = copy.make(m, &mut seen);
        assert_eq!(copy.hash(), copy.recomputed_hash(), "{text} {m:?}");
        assert_eq!(seen.0, mirror(&copy).0, "{text} {m:?}: observer");
        copy.unmake(m, undo);
        assert_eq!(&copy, position, "{text} {m:?}");
        // The order of the moves follows the order of the piece lists.
        assert_eq!(copy.moves(), all, "{text} {m:?}: lists out of order");
        assert_eq!(position.parse_move(&position.move_text(m)), Ok(m), "{text}");
    }
    if !position.in_check() {
        let mut copy = position.clone();
        let undo = copy.pass();
        assert_eq!(copy.hash(), copy.recomputed_hash(), "{text}");
        copy.unpass(undo);
        assert_eq!(&copy, position);
    }
}

fn compare(position: &Liberty, oracle: &Oracle) -> Vec<oracle::Move> {
    let lfen = oracle.lfen();
    let moves = oracle.moves();
    let mut expected: Vec<_> = moves.iter().map(|&m| Oracle::move_text(m)).collect();
    let mut found: Vec<_> = position
        .moves()
        .iter()
        .map(|&m| position.move_text(m))
        .collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{lfen}");
    assert_eq!(position.in_check(), oracle.check(oracle.white), "{lfen}");
    assert_eq!(state(position.outcome()), oracle.state(), "{lfen}");
    assert_eq!(position.reversible_plies(), oracle.halfmoves, "{lfen}");
    let read_back = read(&lfen);
    assert_eq!(position.text(), read_back.text(), "{lfen}");
    assert_eq!(read(&position.text()), read_back, "{lfen}");
    assert_eq!(position.hash(), read_back.hash(), "{lfen}");
    moves
}

/// How often the rare things happened: a walk that never meets them proves
/// nothing about them.
#[derive(Default, Debug)]
struct Rarities {
    castlings: usize,
    removals: usize,
    en_passants: usize,
    long_passages: usize,
    own_captures: usize,
    promotions: usize,
    checks_to_one: usize,
    checks_to_many: usize,
    mates: usize,
    other_ends: usize,
}

impl Rarities {
    fn note(&mut self, position: &Liberty) {
        for m in position.moves() {
            let captured = position.captured(m);
            let pawn = position.moved(m).is_some_and(|p| p.kind == Kind::Pawn);
            let aside = position.piece_at(m.to()).is_none();
            self.castlings += usize::from(position.is_castling(m));
            self.removals += usize::from(position.is_removal(m));
            self.en_passants += usize::from(pawn && captured.is_some() && aside);
            self.own_captures += usize::from(captured.is_some_and(|p| p.side == position.side()));
            self.promotions += usize::from(m.promotion().is_some());
        }
        self.long_passages += usize::from(position.en_passant().count() > 1);
        if position.in_check() && position.count_moves() > 0 {
            match position.kings(position.side()).count() {
                1 => self.checks_to_one += 1,
                _ => self.checks_to_many += 1,
            }
        }
        match position.outcome().map(|o| o.reason) {
            Some(Reason::Checkmate) => self.mates += 1,
            Some(_) => self.other_ends += 1,
            None => {}
        }
    }

    fn assert_all_seen(&self) {
        let least = [
            self.castlings,
            self.removals,
            self.en_passants,
            self.long_passages,
            self.own_captures,
            self.promotions,
            self.checks_to_one,
            self.checks_to_many,
            self.mates,
            self.other_ends,
        ];
        assert!(least.iter().all(|&n| n >= 3), "{self:?}");
    }
}

/// Plays random games until so many positions have been compared; more of them
/// with `QUADRILLE_DEEP=1`.
fn walk(seed: u64, positions: usize, largest: i32) {
    let deep = std::env::var("QUADRILLE_DEEP").is_ok_and(|v| v == "1");
    let positions = if deep { 20 * positions } else { positions };
    let mut random = Random::new(seed);
    let mut rarities = Rarities::default();
    let mut seen = 0;
    while seen < positions {
        let mut oracle = random_game(&mut random, largest);
        let mut position = read(&oracle.lfen());
        for _ in 0..24 {
            let moves = compare(&position, &oracle);
            if seen % 4 == 0 {
                check_contract(&position);
            }
            seen += 1;
            rarities.note(&position);
            if moves.is_empty() {
                break;
            }
            let m = choose(&mut random, &oracle, &moves);
            let ours = position
                .parse_move(&Oracle::move_text(m))
                .expect("in both lists");
            position.make(ours, &mut ());
            oracle = oracle.play(m);
        }
    }
    println!("{seen} positions up to {largest}x{largest}: {rarities:?}");
    rarities.assert_all_seen();
}

/// A random move, but long Pawn moves more often than they would come.
fn choose(random: &mut Random, oracle: &Oracle, moves: &[oracle::Move]) -> oracle::Move {
    let is_long =
        |m: &&oracle::Move| oracle.at(m.0).eq_ignore_ascii_case(&'p') && (m.0.1 - m.1.1).abs() > 1;
    let long: Vec<_> = moves.iter().filter(is_long).collect();
    if !long.is_empty() && random.chance(50) {
        return *long[random.below(long.len())];
    }
    moves[random.below(moves.len())]
}

#[test]
fn tiny_boards() {
    walk(1, 6000, 4);
}

#[test]
fn small_boards() {
    walk(2, 4000, 7);
}

#[test]
fn large_boards() {
    walk(3, 1500, 10);
}

/// Every representable move, legal or not: the test says the same as the list,
/// and making nonsense neither panics nor leaves a trace.
#[test]
fn every_representable_move_is_judged_alike() {
    let mut random = Random::new(4);
    for _ in 0..300 {
        let mut oracle = random_game(&mut random, 5);
        for _ in 0..random.below(6) {
            let moves = oracle.moves();
            if moves.is_empty() {
                break;
            }
            oracle = oracle.play(moves[random.below(moves.len())]);
        }
        let position = read(&oracle.lfen());
        let legal: BTreeSet<_> = position.moves().into_iter().collect();
        let squares = (oracle.width() * oracle.height()) as u64;
        for from in 0..=squares {
            for to in 0..=squares {
                for promotion in 0..=20 {
                    let m = LibertyMove::from_bits(from | to << 16 | promotion << 32);
                    let listed = legal.contains(&m);
                    assert_eq!(position.is_legal(m), listed, "{} {m:?}", oracle.lfen());
                    if promotion == 0 || promotion == 18 {
                        let mut copy = position.clone();
                        let undo = copy.make(m, &mut ());
                        copy.unmake(m, undo);
                        assert_eq!(copy, position, "{m:?}");
                    }
                }
            }
        }
        let odd = LibertyMove::from_bits(u64::MAX);
        assert!(!position.is_legal(odd));
    }
}

/// Human notation names each legal move and is read back as that move.
#[test]
fn notation_is_read_back() {
    let mut random = Random::new(5);
    let mut seen = 0;
    while seen < 250 {
        let mut position = read(&random_game(&mut random, 9).lfen());
        for _ in 0..10 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            seen += 1;
            let written: Vec<_> = moves.iter().map(|&m| position.notation(m)).collect();
            let distinct: BTreeSet<_> = written.iter().collect();
            assert_eq!(
                distinct.len(),
                moves.len(),
                "{} {written:?}",
                position.text()
            );
            for (&m, text) in moves.iter().zip(&written).step_by(3) {
                let read = position.parse_notation(text);
                assert_eq!(read, Ok(m), "{} {text}", position.text());
                let engine = position.parse_notation(&position.move_text(m));
                assert_eq!(engine, Ok(m), "{} {text}", position.text());
            }
            let m = moves[random.below(moves.len())];
            position.make(m, &mut ());
        }
    }
}
