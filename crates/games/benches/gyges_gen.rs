//! Gyges generations per second, from the quiet start to boards full of
//! bounces.
//!
//! `cargo bench -p quadrille-games --bench gyges_gen`. Throughput is in
//! elements: one element is one full generation for one side.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::{MoveKind, Position};

/// Names and boards: the presets, the richest published vectors, the richest of
/// 100,000 random placements, a board climbed to the most chains of bounces
/// (34,548), and the one on which our own generator works hardest.
const BOARDS: [(&str, &str); 9] = [
    ("start", "start"),
    ("bench", "bench"),
    ("test", "test"),
    (
        "rich vector 1",
        "000200/130000/020230/311132/000000/000000 two",
    ),
    ("rich vector 2", "000000/000000/033131/021302/000002/002010"),
    (
        "rich vector 3",
        "000010/000000/020002/300201/313123/000000 two",
    ),
    (
        "richest random",
        "020030/202030/010200/130003/001100/000000",
    ),
    ("most chains", "000000/311201/002021/030200/000030/003000"),
    ("hardest", "000110/020110/002300/300000/003020/030200"),
];

fn generations(c: &mut Criterion) {
    let mut group = c.benchmark_group("gyges");
    group.throughput(Throughput::Elements(1));
    for (name, text) in BOARDS {
        let position = Gyges::from_text(text, &GygesRules::default()).expect("a legal board");
        group.bench_with_input(BenchmarkId::new("count", name), &position, |b, p| {
            b.iter(|| black_box(p).count_moves());
        });
        group.bench_with_input(BenchmarkId::new("list", name), &position, |b, p| {
            let mut list = Vec::with_capacity(2048);
            b.iter(|| {
                list.clear();
                black_box(p).generate(MoveKind::All, |m| list.push(m));
                list.len()
            });
        });
        group.bench_with_input(BenchmarkId::new("can win", name), &position, |b, p| {
            b.iter(|| black_box(p).can_win());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(800));
    targets = generations
}
criterion_main!(benches);
