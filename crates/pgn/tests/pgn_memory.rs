//! A file ten times as long as the memory that is allowed is filtered, sorted and
//! cleared of duplicates within it. Alone in its file because the meter sees every
//! thread.

use std::io::{self, Cursor, Write};
use std::sync::Arc;

use quadrille_pgn::{Input, Job, Outputs, Sameness, Task};

#[path = "../../games/benches/support/counting.rs"]
mod counting;
#[path = "../../games/benches/support/random_games.rs"]
mod random_games;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

const MEMORY: usize = 1 << 20;

/// Counts what is written, and whether the rounds are in order.
#[derive(Default)]
struct Meter {
    bytes: u64,
    games: u64,
    tail: Vec<u8>,
    last: Option<Vec<u8>>,
    unordered: u64,
}

impl Write for Meter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.tail.extend_from_slice(bytes);
        while let Some(end) = self.tail.iter().position(|b| *b == b'\n') {
            let line: Vec<u8> = self.tail.drain(..=end).collect();
            if line.starts_with(b"[WhiteElo ") {
                self.games += 1;
                self.unordered += u64::from(self.last.as_ref().is_some_and(|last| *last > line));
                self.last = Some(line);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn memory_has_a_bound_that_files_do_not() {
    let mut file = Vec::new();
    let mut games = 0;
    while file.len() < 10 * MEMORY {
        random_games::write_games(&mut file, 1000, games).expect("memory takes bytes");
        games += 1000;
    }
    let file: Arc<[u8]> = file.into();
    let twice = 2 * games;
    let tasks = [
        (Task::Write, twice, false),
        (
            Task::Sort(vec!["WhiteElo".parse().expect("a tag")]),
            twice,
            true,
        ),
        (Task::Dedupe(Sameness::Moves), games, false),
    ];
    for (task, wanted, ordered) in tasks {
        let job = Job {
            task,
            memory: MEMORY,
            threads: 2,
            ..Job::default()
        };
        let input = || Input {
            name: "f".into(),
            source: Box::new(Cursor::new(Arc::clone(&file))),
        };
        let inputs = vec![input(), input()];
        let mut meter = Meter::default();
        let outputs = Outputs {
            games: Some(&mut meter),
            ..Outputs::default()
        };
        let (summary, peak) = counting::peak_of(|| job.run(inputs, outputs, &mut |_| ()));
        let summary = summary.expect("it is written");
        assert_eq!((summary.games, summary.broken), (twice, 0));
        assert_eq!((summary.wanted, meter.games), (wanted, wanted));
        assert!(!ordered || meter.unordered == 0);
        assert!(peak < 2 * MEMORY, "{:?}: {peak} bytes", job.task);
    }
}
