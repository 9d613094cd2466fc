//! Perft beside cozy-chess and shakmaty, in one run and on one thread.
//!
//! Four trees: start position and Kiwipete, with the last ply counted in bulk
//! and with every leaf made on a board of its own. After criterion's figures
//! comes a table with the ratios, measured in turns so that a noisy machine
//! disturbs all three alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group};
use quadrille_games::chess::{Chess, ChessRules, Move};
use quadrille_games::{MoveKind, Position};
use shakmaty::Position as _;
use shakmaty::fen::Fen;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The most moves a position with sixteen men a side can have is 218.
const ROOM: usize = 256;

#[inline(never)]
fn bulk(position: &Chess, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves();
    }
    let mut list = [Move::NULL; ROOM];
    let mut length = 0;
    position.generate(MoveKind::All, |m| {
        list[length % ROOM] = m;
        length += 1;
    });
    list[..length]
        .iter()
        .map(|&m| bulk(&position.after(m), depth - 1))
        .sum()
}

#[inline(always)]
fn each(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        each_inner(position, depth)
    }
}

#[inline(never)]
fn each_inner(position: &Chess, depth: u32) -> u64 {
    let mut list = [Move::NULL; ROOM];
    let mut length = 0;
    position.generate(MoveKind::All, |m| {
        list[length % ROOM] = m;
        length += 1;
    });
    list[..length]
        .iter()
        .map(|&m| each(black_box(&position.after(m)), depth - 1))
        .sum()
}

#[inline(never)]
fn cozy_bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    // Two closures, so that counting is not slowed down by the other case.
    if depth == 1 {
        board.generate_moves(|set| {
            total += set.len() as u64;
            false
        });
    } else {
        board.generate_moves(|set| {
            for m in set {
                let mut next = board.clone();
                next.play_unchecked(m);
                total += cozy_bulk(&next, depth - 1);
            }
            false
        });
    }
    total
}

#[inline(always)]
fn cozy_each(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        cozy_each_inner(board, depth)
    }
}

#[inline(never)]
fn cozy_each_inner(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    board.generate_moves(|set| {
        for m in set {
            let mut next = board.clone();
            next.play_unchecked(m);
            total += cozy_each(black_box(&next), depth - 1);
        }
        false
    });
    total
}

#[inline(never)]
fn shakmaty_bulk(position: &shakmaty::Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut total = 0;
    for &m in &moves {
        let mut next = position.clone();
        next.play_unchecked(m);
        total += shakmaty_bulk(&next, depth - 1);
    }
    total
}

#[inline(always)]
fn shakmaty_each(position: &shakmaty::Chess, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        shakmaty_each_inner(position, depth)
    }
}

#[inline(never)]
fn shakmaty_each_inner(position: &shakmaty::Chess, depth: u32) -> u64 {
    let mut total = 0;
    for &m in &position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(m);
        total += shakmaty_each(black_box(&next), depth - 1);
    }
    total
}

/// A library's name and its walk.
type Runner = (&'static str, Box<dyn Fn() -> u64>);

/// One tree and the three ways to walk it.
struct Tree {
    name: &'static str,
    nodes: u64,
    runners: [Runner; 3],
}

fn tree(name: &'static str, fen: &str, in_bulk: bool, depth: u32, nodes: u64) -> Tree {
    let position = Chess::from_text(fen, &ChessRules::default()).expect("a good FEN");
    let board: cozy_chess::Board = fen.parse().expect("a good FEN");
    let other: shakmaty::Chess = Fen::from_ascii(fen.as_bytes())
        .expect("a good FEN")
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a legal position");
    let runners: [Runner; 3] = if in_bulk {
        [
            ("quadrille", Box::new(move || bulk(&position, depth))),
            ("cozy-chess", Box::new(move || cozy_bulk(&board, depth))),
            ("shakmaty", Box::new(move || shakmaty_bulk(&other, depth))),
        ]
    } else {
        [
            ("quadrille", Box::new(move || each(&position, depth))),
            ("cozy-chess", Box::new(move || cozy_each(&board, depth))),
            ("shakmaty", Box::new(move || shakmaty_each(&other, depth))),
        ]
    };
    for (who, run) in &runners {
        assert_eq!(run(), nodes, "{who} on {name}");
    }
    Tree {
        name,
        nodes,
        runners,
    }
}

fn trees() -> Vec<Tree> {
    vec![
        tree("start, bulk", START, true, 5, 4_865_609),
        tree("kiwipete, bulk", KIWIPETE, true, 4, 4_085_603),
        tree("start, every leaf", START, false, 4, 197_281),
        tree("kiwipete, every leaf", KIWIPETE, false, 3, 97_862),
    ]
}

fn with_criterion(c: &mut Criterion) {
    for tree in trees() {
        let mut group = c.benchmark_group(tree.name);
        group
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(2))
            .throughput(criterion::Throughput::Elements(tree.nodes));
        for (who, run) in &tree.runners {
            group.bench_function(*who, |b| b.iter(run));
        }
        group.finish();
    }
}

/// The best of many short turns for each library, taken in rotation.
fn print_ratios() {
    println!(
        "\n{:<22} {:>12} {:>12} {:>12}   against the faster peer",
        "Mn/s", "quadrille", "cozy-chess", "shakmaty"
    );
    for tree in trees() {
        let mut best = [f64::MAX; 3];
        for _ in 0..25 {
            for (time, (_, run)) in best.iter_mut().zip(&tree.runners) {
                let start = Instant::now();
                black_box(run());
                *time = time.min(start.elapsed().as_secs_f64());
            }
        }
        let speed = best.map(|t| tree.nodes as f64 / t / 1e6);
        println!(
            "{:<22} {:>12.1} {:>12.1} {:>12.1}   {:.2}",
            tree.name,
            speed[0],
            speed[1],
            speed[2],
            best[1].min(best[2]) / best[0],
        );
    }
}

criterion_group!(benches, with_criterion);

fn main() {
    if std::env::args().any(|word| word == "ratios") {
        return print_ratios();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    print_ratios();
}
