//! Probing beside pyrrhic-rs: the same random positions, the same process, a
//! ratio. `QUADRILLE_SYZYGY=folder` takes other tables than the small ones here;
//! `QUADRILLE_SYZYGY_MEMORY=bytes` lets ours keep less.

#![allow(missing_docs)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use pyrrhic_rs::{Color, EngineAdapter, TableBases};
use quadrille_games::chess::{Bitboard, Chess, ChessRules, PieceKind, Square, attacks};
use quadrille_games::{Position, Side};
use quadrille_syzygy::{Material, RootRules, TableKind, Tables, Wdl};

const THREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
const ROUNDS: usize = 101;
const RULES: RootRules = RootRules {
    clock: 0,
    repeated: false,
    fifty_moves: true,
};

fn main() {
    let folder = std::env::var("QUADRILLE_SYZYGY").unwrap_or_else(|_| THREE.into());
    let memory = std::env::var("QUADRILLE_SYZYGY_MEMORY").ok();
    let memory = memory.and_then(|n| n.parse().ok()).unwrap_or(256 << 20);
    let mut ours = Tables::with_memory(memory);
    ours.add_folder(Path::new(&folder)).expect("no tables");
    let theirs = TableBases::<Attacks>::new(&folder).expect("no tables");
    println!("{ours:?} in {folder}");
    for men in 3..=ours.most_men() {
        let positions = positions(&ours, men, 20_000);
        if positions.is_empty() {
            continue;
        }
        // An argument chooses one of the two.
        let wanted = |what| std::env::args().all(|arg| arg != what);
        if wanted("roots") {
            results(&ours, &theirs, men, &positions);
        }
        if wanted("results") {
            roots(&ours, &theirs, men, &positions[..positions.len() / 20]);
        }
    }
}

/// The least times of two ways to do the same, measured by turns: what else the
/// machine does can only add to them.
fn beside(mut one: impl FnMut() -> i64, mut other: impl FnMut() -> i64) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let a = one();
        times[0].push(start.elapsed());
        let start = Instant::now();
        let b = other();
        times[1].push(start.elapsed());
        assert_eq!(a, b, "they disagree");
    }
    times.map(|list| list.into_iter().min().unwrap_or_default())
}

fn report(what: &str, men: u32, count: usize, [ours, theirs]: [Duration; 2]) {
    let each = |time: Duration| time.as_nanos() as f64 / count as f64;
    println!(
        "{what}, {men} men: {:6.0} ns, pyrrhic-rs {:6.0} ns, {:.2} times as fast",
        each(ours),
        each(theirs),
        theirs.as_secs_f64() / ours.as_secs_f64()
    );
}

fn results(ours: &Tables, theirs: &TableBases<Attacks>, men: u32, positions: &[Chess]) {
    let sets: Vec<Sets> = positions.iter().map(Sets::of).collect();
    let one = || {
        let result = |p| i64::from(ours.wdl(black_box(p)).map_or(9, Wdl::value));
        positions.iter().map(result).sum()
    };
    let other = || sets.iter().map(|p| black_box(p).result(theirs)).sum();
    report("results", men, positions.len(), beside(one, other));
}

fn roots(ours: &Tables, theirs: &TableBases<Attacks>, men: u32, positions: &[Chess]) {
    let sets: Vec<Sets> = positions.iter().map(Sets::of).collect();
    let one = || {
        let sum = |p| {
            let moves = ours.root_moves_by_distance(black_box(p), RULES);
            moves.map_or(-1, |list| {
                list.iter()
                    .map(|m| i64::from(m.dtz.unwrap_or(0).abs()))
                    .sum()
            })
        };
        positions.iter().map(sum).sum()
    };
    let other = || sets.iter().map(|p| black_box(p).root(theirs)).sum();
    report("root moves", men, positions.len(), beside(one, other));
}

/// Random positions that there are tables for.
fn positions(tables: &Tables, men: u32, count: usize) -> Vec<Chess> {
    let mut random = 7u64;
    let mut below = |n: usize| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) as usize % n
    };
    let mut found = Vec::new();
    for _ in 0..count * 400 {
        let mut board = [b'1'; 64];
        let mut pieces = vec![b'K', b'k'];
        pieces.extend((2..men).map(|_| b"QRBNPqrbnp"[below(10)]));
        for &piece in &pieces {
            board[below(64)] = piece;
        }
        let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
        let side = [" w", " b"][below(2)];
        let fen = format!("{}{side} - - 0 1", ranks.join("/"));
        let Ok(position) = Chess::from_text(&fen, &ChessRules::default()) else {
            continue;
        };
        let material = Material::of(&position);
        let known = material.is_some_and(|m| {
            m.men() == men && tables.has(m, TableKind::Wdl) && tables.has(m, TableKind::Dtz)
        });
        // pyrrhic-rs has no root moves for a game that is over.
        if known && position.has_moves() && tables.dtz(&position).is_ok() {
            found.push(position);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// A position as pyrrhic-rs takes it.
struct Sets {
    bits: [u64; 8],
    en_passant: u32,
    white: bool,
}

impl Sets {
    fn of(position: &Chess) -> Self {
        let kind = |kind| position.by_kind(kind).0;
        Self {
            bits: [
                position.by_side(Side::White).0,
                position.by_side(Side::Black).0,
                kind(PieceKind::King),
                kind(PieceKind::Queen),
                kind(PieceKind::Rook),
                kind(PieceKind::Bishop),
                kind(PieceKind::Knight),
                kind(PieceKind::Pawn),
            ],
            en_passant: position.en_passant().map_or(0, |s| s.index() as u32),
            white: position.side() == Side::White,
        }
    }

    fn result(&self, tables: &TableBases<Attacks>) -> i64 {
        use pyrrhic_rs::WdlProbeResult as Result;
        let [white, black, k, q, r, b, n, p] = self.bits;
        match tables.probe_wdl(white, black, k, q, r, b, n, p, self.en_passant, self.white) {
            Ok(Result::Loss) => -2,
            Ok(Result::BlessedLoss) => -1,
            Ok(Result::Draw) => 0,
            Ok(Result::CursedWin) => 1,
            Ok(Result::Win) => 2,
            Err(_) => 9,
        }
    }

    fn root(&self, tables: &TableBases<Attacks>) -> i64 {
        let [white, black, k, q, r, b, n, p] = self.bits;
        let (ep, turn) = (self.en_passant, self.white);
        let found = tables.probe_root(white, black, k, q, r, b, n, p, 0, ep, turn);
        let Ok(found) = found else {
            return -1;
        };
        let moves = found.moves.iter().take(found.num_moves);
        let distance = |value: &_| match value {
            pyrrhic_rs::DtzProbeValue::DtzResult(m) => i64::from(m.dtz),
            _ => 0,
        };
        moves.map(distance).sum()
    }
}

#[derive(Clone)]
struct Attacks;

fn attacked(kind: PieceKind, side: Side, square: u64, occupied: u64) -> u64 {
    attacks(kind, side, Square::new(square as u8), Bitboard(occupied)).0
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: Color, square: u64) -> u64 {
        let side = match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        };
        attacked(PieceKind::Pawn, side, square, 0)
    }

    fn knight_attacks(square: u64) -> u64 {
        attacked(PieceKind::Knight, Side::White, square, 0)
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        attacked(PieceKind::Bishop, Side::White, square, occupied)
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        attacked(PieceKind::Rook, Side::White, square, occupied)
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        attacked(PieceKind::Queen, Side::White, square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        attacked(PieceKind::King, Side::White, square, 0)
    }
}
