//! A tape that is far longer than the memory that is allowed is read line by line within
//! it, and kept as what it answers in little more than its length. Alone in its file because
//! the meter sees every thread.

use std::io::{BufReader, Cursor, Write};

use quadrille_transcript::{
    Depth, Listener, Replay, Speed, StreamItem, TapeStream, compare_streams,
};

#[path = "../../games/benches/support/counting.rs"]
mod counting;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

const MEMORY: usize = 1 << 20;

/// A tape of many searches.
fn tape() -> Vec<u8> {
    let mut tape = b"# quadrille tape 1\n0.1 > uci\n0.2 < id name x\n0.2 < id author y\n\
                     0.2 < uciok\n0.3 > isready\n0.3 < readyok\n"
        .to_vec();
    let mut number = 0_u64;
    while tape.len() < 12 * MEMORY {
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6"][..(number % 5) as usize].join(" ");
        let at = number as f64 + 1.0;
        let mut line = |text: String| writeln!(tape, "{text}").expect("memory takes bytes");
        line(format!("{at:.6} > position startpos moves {moves}"));
        line(format!("{at:.6} > go wtime {} btime 1000", 1000 + number));
        for depth in 1..20 {
            let info =
                format!("info depth {depth} score cp 12 nodes {number} time {depth} pv e2e4 e7e5");
            line(format!("{at:.6} < {info}"));
        }
        line(format!("{at:.6} < bestmove e2e4"));
        number += 1;
    }
    tape
}

#[test]
fn memory_has_a_bound_that_tapes_do_not() {
    let tape = tape();
    let stream = || TapeStream::open(BufReader::new(Cursor::new(&tape))).expect("a tape");
    let ((lines, odd), peak) = counting::peak_of(|| {
        let mut stream = stream();
        let dialect = stream.dialect().expect("memory can be read");
        let mut listener = Listener::new(dialect);
        let (mut lines, mut odd) = (0, 0);
        while let Some(item) = stream.next_item().expect("memory can be read") {
            let StreamItem::Moment(moment) = item else {
                panic!("{item:?}");
            };
            lines += 1;
            odd += listener.hear(&moment).odd.len();
        }
        (lines, odd + listener.end().len())
    });
    assert!(lines > 100_000 && odd < lines / 10, "{lines} {odd}");
    assert!(peak < MEMORY, "{peak} bytes for {} of tape", tape.len());
    let dialect = stream().dialect().expect("memory can be read");
    let (replay, peak) = counting::peak_of(|| Replay::read(&mut stream(), dialect, Speed::AtOnce));
    assert!(
        replay.is_ok() && peak < 2 * tape.len(),
        "{peak} bytes for {} of tape",
        tape.len()
    );
    let (found, peak) =
        counting::peak_of(|| compare_streams(&mut stream(), &mut stream(), dialect, Depth::Lines));
    assert!(found.is_ok_and(|found| found.differences.is_empty()));
    assert!(
        peak < 4 * tape.len(),
        "{peak} bytes for twice {} of tape",
        tape.len()
    );
    a_head_without_end_has_a_bound();
    what_comes_before_the_host_has_a_bound();
}

/// The facts of a tape that are read and left out, its items, and the most memory it took.
fn read(tape: &[u8]) -> ((usize, u64, usize), usize) {
    counting::peak_of(|| {
        let mut stream = TapeStream::open(BufReader::new(Cursor::new(tape))).expect("a tape");
        stream.dialect().expect("memory can be read");
        let facts = stream.head().len();
        let left_out = stream.left_out().map_or(0, |left_out| left_out.facts);
        let mut items = 0;
        while let Some(item) = stream.next_item().expect("memory can be read") {
            assert!(matches!(item, StreamItem::Moment(_)), "{item:?}");
            items += 1;
        }
        (facts, left_out, items)
    })
}

fn a_head_without_end_has_a_bound() {
    let many = "# name value\n".repeat(MEMORY);
    let long = format!("# name {}\n", "x".repeat(MEMORY / 8)).repeat(96);
    for (facts, all, read_of_them) in [(many, MEMORY, 999), (long, 96, 0)] {
        let tape = format!("# quadrille tape 1\n# engine x\n{facts}0.1 > uci\n0.2 < uciok\n");
        let (found, peak) = read(tape.as_bytes());
        let left_out = (all - read_of_them) as u64;
        assert_eq!(found, (1 + read_of_them, left_out, 2), "one is the engine");
        assert!(peak < MEMORY, "{peak} bytes for {} of facts", tape.len());
    }
}

fn what_comes_before_the_host_has_a_bound() {
    let line = format!("0.1 < {}\n", "x".repeat(MEMORY / 2));
    let piece = "0.1 <- x\n".repeat(4000) + "0.1 < x\n";
    for lines in [line.repeat(40), piece.repeat(400)] {
        let tape = format!("# quadrille tape 1\n{lines}0.2 > ugi\n");
        let (_, peak) = read(tape.as_bytes());
        assert!(peak < 5 * MEMORY, "{peak} bytes for {} of tape", tape.len());
    }
}
