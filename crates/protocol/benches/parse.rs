//! Reading lines, beside the three other Rust crates that read both
//! directions. All of them get the same whole line and must find out for
//! themselves which message it is.
//!
//! The others turn moves into chess moves; to us moves are opaque words, so we
//! are measured twice: reading the line, and reading it and then walking over
//! every move. At the end a table of ratios is printed, taken from rounds in
//! which all readers alternate.

use std::hint::black_box;
use std::str::FromStr;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group};
use quadrille_protocol::{Command, Dialect, Info, Report};

const INFO: &str = "info depth 24 seldepth 33 multipv 1 score cp 31 nodes 12345678 nps 1843234 \
    hashfull 512 tbhits 0 time 6698 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 \
    a4b3 d7d6 c2c3 e8g8";
const GO: &str = "go wtime 300000 btime 298000 winc 2000 binc 2000";

/// Two hundred moves that every crate accepts.
fn position() -> String {
    let cycle = "g1f3 g8f6 f3g1 f6g8 ";
    format!("position startpos moves {}", cycle.repeat(50).trim_end())
}

fn walk(info: &Info<'_>) -> usize {
    info.get_pv()
        .map_or(0, |pv| pv.iter().map(quadrille_protocol::Text::len).sum())
}

type Reader = (&'static str, fn(&str) -> usize);

const INFO_READERS: [Reader; 5] = [
    ("quadrille", |line| {
        black_box(&Report::parse(line.as_bytes(), Dialect::Uci));
        0
    }),
    ("quadrille + moves", |line| {
        let parsed = Report::parse(line.as_bytes(), Dialect::Uci);
        match &black_box(&parsed).message {
            Report::Info(info) => walk(info),
            other => panic!("{other:?}"),
        }
    }),
    ("ruci", |line| {
        black_box(&ruci::engine::Message::from_str(line).expect("an info line"));
        0
    }),
    ("shakmaty-uci", |line| {
        black_box(&shakmaty_uci::UciMessage::from_str(line).expect("an info line"));
        0
    }),
    ("vampirc-uci", |line| {
        black_box(&vampirc_uci::parse_one(line));
        0
    }),
];

const COMMAND_READERS: [Reader; 5] = [
    ("quadrille", |line| {
        black_box(&Command::parse(line.as_bytes(), Dialect::Uci));
        0
    }),
    ("quadrille + moves", |line| {
        let parsed = Command::parse(line.as_bytes(), Dialect::Uci);
        match &black_box(&parsed).message {
            Command::Position(p) => p.moves.map_or(0, |moves| {
                moves.iter().map(quadrille_protocol::Text::len).sum()
            }),
            _ => 0,
        }
    }),
    ("ruci", |line| {
        black_box(&ruci::gui::Message::from_str(line).expect("a command"));
        0
    }),
    ("shakmaty-uci", |line| {
        black_box(&shakmaty_uci::UciMessage::from_str(line).expect("a command"));
        0
    }),
    ("vampirc-uci", |line| {
        black_box(&vampirc_uci::parse_one(line));
        0
    }),
];

fn cases() -> Vec<(&'static str, String, &'static [Reader])> {
    vec![
        ("info, 16-move pv", INFO.into(), &INFO_READERS),
        ("position, 200 moves", position(), &COMMAND_READERS),
        ("go with clocks", GO.into(), &COMMAND_READERS),
    ]
}

fn parse(c: &mut Criterion) {
    for (name, line, readers) in cases() {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(line.len() as u64));
        for (reader, read) in readers {
            group.bench_function(*reader, |b| b.iter(|| read(black_box(&line))));
        }
        group.finish();
    }
}

/// The best of many short rounds, all readers taking turns.
fn ratios() {
    println!("\nnanoseconds a line (best of 60 alternating rounds) and ratio to quadrille + moves");
    for (name, line, readers) in cases() {
        let mut best = vec![Duration::MAX; readers.len()];
        for _ in 0..60 {
            for (slot, (_, read)) in best.iter_mut().zip(readers) {
                let start = Instant::now();
                for _ in 0..500 {
                    black_box(read(black_box(&line)));
                }
                *slot = (*slot).min(start.elapsed());
            }
        }
        let ours = best[1].as_secs_f64();
        println!("{name}");
        for (time, (reader, _)) in best.iter().zip(readers) {
            let nanos = time.as_secs_f64() / 500.0 * 1e9;
            println!(
                "  {reader:<18} {nanos:>9.0} ns  {:>7.2}x",
                time.as_secs_f64() / ours
            );
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(30).without_plots();
    targets = parse
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    ratios();
}
