//! The reader's memory does not grow with the file. Alone in its file because
//! the meter sees every thread.

use std::io::Read;

use quadrille_games::chess::Chess;
use quadrille_games::records::Reader;

#[path = "../benches/support/counting.rs"]
mod counting;
#[path = "../benches/support/random_games.rs"]
mod random_games;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// The same games over and over, without ever holding them all.
struct Repeated<'a> {
    games: &'a [u8],
    left: usize,
    at: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.games.len() {
            if self.left == 0 {
                return Ok(0);
            }
            self.left -= 1;
            self.at = 0;
        }
        let n = (&self.games[self.at..]).read(out)?;
        self.at += n;
        Ok(n)
    }
}

/// Peak bytes and games found while reading `times` times a hundred games.
fn read(games: &[u8], times: usize, trees: bool) -> (u64, usize) {
    let source = Repeated {
        games,
        left: times,
        at: games.len(),
    };
    counting::peak_of(|| {
        let mut reader = Reader::<Chess, _>::new(source);
        let mut found = 0;
        loop {
            let more = if trees {
                reader.read_record().expect("never fails").is_some()
            } else {
                reader.read_game(&mut ()).expect("never fails")
            };
            assert!(
                reader.diagnostics().is_empty(),
                "{:?}",
                reader.diagnostics()
            );
            if !more {
                return found;
            }
            found += 1;
        }
    })
}

#[test]
fn memory_does_not_grow_with_the_file() {
    const SMALL_CHANGE: usize = 4096;
    let mut games = Vec::new();
    random_games::write_games(&mut games, 100, 7).expect("memory takes bytes");
    // Trees are slower to build; a tenth of the games shows the same.
    for (trees, times) in [(false, 20), (true, 2)] {
        let (few, few_peak) = read(&games, times, trees);
        let (many, many_peak) = read(&games, times * 10, trees);
        let expected = 100 * times as u64;
        assert_eq!((few, many), (expected, expected * 10));
        assert!(
            many_peak <= few_peak + SMALL_CHANGE,
            "{few_peak} bytes for {few} games, {many_peak} for {many}"
        );
        assert!(many_peak < 512 * 1024, "{many_peak} bytes");
    }
}
