//! Our reader beside `pgn-reader` with `shakmaty`: the same bytes, the same
//! work (every move of every main line resolved, checked and played), the same
//! run. Prints the ratio of the best times and the peak memory of each part.
//!
//! `QUADRILLE_PGN_GAMES=200000 cargo bench -p quadrille-games --bench pgn` for
//! the full size.

use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pgn_reader::{SanPlus, Skip};
use quadrille_games::Position;
use quadrille_games::chess::{Chess, Move};
use quadrille_games::records::{Reader, Token, Tokenizer, Visitor};
use shakmaty::Position as _;

#[path = "support/counting.rs"]
mod counting;
#[path = "support/random_games.rs"]
mod random_games;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// What a reading found out; both readers must agree on it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    games: u64,
    moves: u64,
    refused: u64,
}

impl Visitor<Chess> for Tally {
    fn play(&mut self, _: &Chess, _: Move) {
        self.moves += 1;
    }
}

fn ours(bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut reader = Reader::<Chess, _>::new(bytes).with_variations(false);
    while reader.read_game(&mut tally).expect("bytes in memory") {
        tally.games += 1;
        tally.refused += reader.diagnostics().len() as u64;
    }
    tally
}

impl pgn_reader::Visitor for Tally {
    type Tags = ();
    type Movetext = shakmaty::Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), shakmaty::Chess> {
        ControlFlow::Continue(shakmaty::Chess::default())
    }

    fn san(&mut self, board: &mut shakmaty::Chess, san: SanPlus) -> ControlFlow<()> {
        let Ok(m) = san.san.to_move(board) else {
            self.refused += 1;
            return ControlFlow::Break(());
        };
        board.play_unchecked(m);
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut shakmaty::Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: shakmaty::Chess) {}
}

fn theirs(bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut reader = pgn_reader::Reader::new(Cursor::new(bytes));
    while reader
        .read_game(&mut tally)
        .expect("bytes in memory")
        .is_some()
    {
        tally.games += 1;
    }
    tally
}

/// Tokens only: what the reading costs without the rules.
fn tokens(bytes: &[u8]) -> u64 {
    let mut moves = 0;
    let mut tokens = Tokenizer::new(bytes);
    while let Some(token) = tokens.next_token().expect("bytes in memory") {
        moves += u64::from(matches!(token, Token::Move(_)));
    }
    moves
}

/// Trees, for comparison: the peer builds none.
fn trees(bytes: &[u8]) -> u64 {
    let mut moves = 0;
    let mut reader = Reader::<Chess, _>::new(bytes);
    while let Some(record) = reader.read_record().expect("bytes in memory") {
        moves += record.len() as u64;
    }
    moves
}

fn timed<T>(best: &mut Duration, work: impl FnOnce() -> T) -> (T, usize) {
    let start = Instant::now();
    let out = counting::peak_of(work);
    *best = (*best).min(start.elapsed());
    out
}

fn main() {
    let games = std::env::var("QUADRILLE_PGN_GAMES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10_000);
    let rounds = std::env::var("QUADRILLE_PGN_ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(5);
    eprintln!("making {games} games ({})...", Chess::GAME);
    let mut bytes = Vec::new();
    random_games::write_games(&mut bytes, games, 1).expect("memory takes bytes");

    // One part alone, for a profiler.
    match std::env::var("QUADRILLE_PGN_ONLY").as_deref() {
        Ok("ours") => {
            return (0..rounds).for_each(|_| {
                black_box(ours(&bytes));
            });
        }
        Ok("theirs") => {
            return (0..rounds).for_each(|_| {
                black_box(theirs(&bytes));
            });
        }
        Ok("tokens") => {
            return (0..rounds).for_each(|_| {
                black_box(tokens(&bytes));
            });
        }
        _ => {}
    }

    let mut best = [Duration::MAX; 4];
    let mut peaks = [0; 4];
    let mut tally = Tally::default();
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        let (ours, peak) = timed(&mut best[0], || ours(&bytes));
        peaks[0] = peak;
        let (theirs, peak) = timed(&mut best[1], || theirs(&bytes));
        peaks[1] = peak;
        assert_eq!(ours, theirs, "the two readers must find the same moves");
        let (moves, peak) = timed(&mut best[2], || tokens(&bytes));
        peaks[2] = peak;
        assert_eq!(moves, ours.moves);
        let (moves, peak) = timed(&mut best[3], || trees(&bytes));
        peaks[3] = peak;
        assert_eq!(moves, ours.moves);
        tally = ours;
    }

    let megabytes = bytes.len() as f64 / 1e6;
    println!(
        "{} games, {} moves, {megabytes:.1} MB",
        tally.games, tally.moves
    );
    for (i, name) in [
        "quadrille",
        "pgn-reader + shakmaty",
        "quadrille, tokens only",
        "quadrille, trees",
    ]
    .iter()
    .enumerate()
    {
        let seconds = best[i].as_secs_f64();
        println!(
            "{name:24} {seconds:8.3} s {:8.1} MB/s {:8.1} ns/move, peak {:6} KiB",
            megabytes / seconds,
            seconds * 1e9 / tally.moves as f64,
            peaks[i] / 1024
        );
    }
    println!(
        "speed ratio quadrille / pgn-reader + shakmaty: {:.2}",
        best[1].as_secs_f64() / best[0].as_secs_f64()
    );
}
