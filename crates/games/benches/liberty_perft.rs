//! Perft of Liberty Chess in leaf nodes per second, leaves counted and not
//! made: the number to compare with other move generators.
//!
//! `cargo bench -p quadrille-games --bench liberty_perft`

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quadrille_games::Position;
use quadrille_games::liberty::{Liberty, Rules};
use quadrille_games::perft::perft;

/// Preset, depth, leaf nodes at that depth.
const CASES: [(&str, u32, u64); 3] = [
    ("Capablanca 10x10", 4, 2_486_600),
    ("Standard", 4, 197_281),
    ("Liberty chess", 3, 7_308_138),
];

fn liberty_perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("liberty perft");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    for (name, depth, nodes) in CASES {
        let mut position = Liberty::from_text(name, &Rules::default()).expect("a preset");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(perft(&mut position, depth), nodes));
        });
    }
    group.finish();
}

criterion_group!(benches, liberty_perft);
criterion_main!(benches);
