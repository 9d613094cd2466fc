//! Reading the messages of a running game allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use quadrille_protocol::{Command, Dialect, Report};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes straight to the system allocator; counting touches
// only a thread-local integer that needs no allocation itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

const REPORTS: [(Dialect, &str); 12] = [
    (
        Dialect::Uci,
        "info depth 24 seldepth 33 multipv 1 score cp 31 wdl 120 850 30 nodes 12345678 nps 1843234 hashfull 512 tbhits 0 time 6698 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
    ),
    (Dialect::Uci, "info currmove e2e4 currmovenumber 1"),
    (Dialect::Uci, "info score cp 20 upperbound"),
    (Dialect::Uci, "info string NNUE evaluation using a file"),
    (Dialect::Uci, "info refutation d1h5 g6h5"),
    (Dialect::Uci, "info currline 1 e2e4 e7e5"),
    (Dialect::Uci, "bestmove e2e4 ponder e7e5"),
    (
        Dialect::Ulci,
        "info depth 3 seldepth 7 score lowerbound cp 51 time 15 nodes 1053 pv b10c12 b8c6",
    ),
    (
        Dialect::Leiser,
        "info depth 1 move_no 1 time (microsec) 36 nodes 68 nps 1881945",
    ),
    (Dialect::Leiser, "bestmove e3L"),
    (
        Dialect::Ugi,
        "info ply 3 bestmove 0|1|14 score 3493.000 nodes 33546 nps 29642 time 1.132 pv 0|1|14 32|31|13",
    ),
    (
        Dialect::Ugi,
        "bestmove 24|37 score 100000000.000 time 0.000",
    ),
];

const COMMANDS: [(Dialect, &str); 10] = [
    (
        Dialect::Uci,
        "go wtime 300000 btime 298000 winc 2000 binc 2000 movestogo 40",
    ),
    (
        Dialect::Uci,
        "go ponder infinite depth 3 nodes 4 mate 5 movetime 6 searchmoves e2e4 d2d4",
    ),
    (Dialect::Uci, "position startpos moves e2e4 e7e5 g1f3 b8c6"),
    (
        Dialect::Uci,
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
    ),
    (Dialect::Uci, "isready"),
    (Dialect::Uci, "stop"),
    (Dialect::Uci, "setoption name Clear Hash"),
    (Dialect::Leiser, "go time 60000 inc 500"),
    (
        Dialect::Ugi,
        "setpos data 321123/000000/000000/000000/000000/321123",
    ),
    (Dialect::Ugi, "setoption maxPly 3"),
];

#[test]
fn reading_allocates_nothing() {
    for (dialect, line) in REPORTS {
        let count = allocations(|| {
            let parsed = Report::parse(line.as_bytes(), dialect);
            if let Report::Info(info) = &parsed.message {
                black_box(info.get_pv().map(|pv| pv.iter().count()));
            }
            black_box(&parsed);
        });
        assert_eq!(count, 0, "{line}");
    }
    for (dialect, line) in COMMANDS {
        let count = allocations(|| {
            black_box(&Command::parse(line.as_bytes(), dialect));
        });
        assert_eq!(count, 0, "{line}");
    }
    let long = format!(
        "position startpos moves {}",
        "g1f3 g8f6 f3g1 f6g8 ".repeat(100)
    );
    assert_eq!(
        allocations(|| {
            black_box(&Command::parse(long.as_bytes(), Dialect::Uci));
        }),
        0
    );
}

#[test]
fn the_counter_counts() {
    assert_eq!(
        allocations(|| {
            black_box(Box::new(1));
        }),
        1
    );
}

#[test]
fn writing_into_a_used_buffer_allocates_nothing() {
    let line = REPORTS[0].1;
    let parsed = Report::parse(line.as_bytes(), Dialect::Uci);
    let mut buffer = Vec::with_capacity(512);
    let count = allocations(|| parsed.message.write(Dialect::Uci, &mut buffer));
    assert_eq!((count, buffer.as_slice()), (0, line.as_bytes()));
}
