//! Leaves per second of the two Leiserchess counts from the start of 2016,
//! depth 4. The last ply is counted, not played, as the reference engine does.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quadrille_games::Position;
use quadrille_games::leiser::{Leiser, LeiserRules, perft_generated, perft_legal};
use std::hint::black_box;

const DEPTH: u32 = 4;

fn perft(criterion: &mut Criterion) {
    let start = Leiser::start(&LeiserRules::default());
    let mut group = criterion.benchmark_group("leiser/perft-2016");
    group.sample_size(20);
    group.throughput(Throughput::Elements(perft_generated(&start, DEPTH)));
    group.bench_function("generated", |b| {
        b.iter(|| perft_generated(black_box(&start), DEPTH));
    });
    group.throughput(Throughput::Elements(perft_legal(&start, DEPTH)));
    group.bench_function("legal", |b| {
        b.iter(|| perft_legal(black_box(&start), DEPTH));
    });
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
