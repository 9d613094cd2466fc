//! The Gyges generator does not explode: its work is counted, not timed.

use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::random::SplitMix64;

/// Steps of one generation. Walking every chain takes up to 34,548 bounces on
/// the boards of the data file.
fn work(text: &str) -> u32 {
    let position = Gyges::from_text_any_count(text, &GygesRules::default());
    position.expect("a legal board").work().total()
}

fn text_of(board: &[u8; 36]) -> String {
    board.iter().map(|&r| (b'0' + r) as char).collect()
}

fn throw(lot: &mut SplitMix64, pieces: usize) -> [u8; 36] {
    let mut board = [0; 36];
    let mut placed = 0;
    while placed < pieces {
        let square = lot.index(36);
        if board[square] == 0 {
            board[square] = (placed % 3) as u8 + 1;
            placed += 1;
        }
    }
    board
}

#[test]
fn ordinary_boards_take_a_few_dozen_steps() {
    assert!(work("start") <= 30);
    assert!(work("bench") <= 100);
    let mut lot = SplitMix64::new(7);
    let total: u64 = (0..5000)
        .map(|_| u64::from(work(&text_of(&throw(&mut lot, 12)))))
        .sum();
    assert!(total / 5000 <= 100, "mean {}", total / 5000);
}

#[test]
fn the_hardest_known_boards_stay_cheap() {
    for line in include_str!("data/gyges_hard.txt").lines() {
        if !line.starts_with('#') {
            let steps = work(line);
            assert!(steps <= 60_000, "{line}: {steps}");
        }
    }
}

/// An adversary that moves pieces about as long as that makes more work.
#[test]
fn an_adversary_does_not_find_worse() {
    let mut lot = SplitMix64::new(2026);
    let mut worst = 0;
    for _ in 0..12 {
        let mut board = throw(&mut lot, 12);
        let mut most = work(&text_of(&board));
        for _ in 0..1500 {
            let mut other = board;
            for _ in 0..=lot.index(3) {
                other.swap(lot.index(36), lot.index(36));
            }
            let steps = work(&text_of(&other));
            assert!(steps <= 60_000, "{}: {steps}", text_of(&other));
            if steps >= most {
                (board, most) = (other, steps);
            }
        }
        worst = worst.max(most);
    }
    println!("worst of 12 climbs: {worst} steps");
    assert!(worst > 500, "the adversary is asleep: {worst}");
}
