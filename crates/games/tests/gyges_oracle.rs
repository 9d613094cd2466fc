//! The Gyges generator against a second, naive reading of the rules.
//!
//! The oracle walks step by step, tries every chain of runs, and keeps nothing
//! in mind but the board and the edges used. It shares no table and no idea
//! with the generator; on boards where the chains explode it gives up.

use std::collections::BTreeSet;

use quadrille_games::gyges::{Gyges, GygesMove, GygesRules, NoChange};
use quadrille_games::random::SplitMix64;
use quadrille_games::{GameMove, MoveKind, Position, Side};

struct Oracle {
    /// Ring counts; the mover is taken off.
    board: [u8; 36],
    side: Side,
    /// Pairs (lower square, higher square).
    used: Vec<(usize, usize)>,
    ends: BTreeSet<usize>,
    landings: BTreeSet<usize>,
    steps_left: u64,
}

impl Oracle {
    /// Everything the piece on `start` can do; `None` if that takes too long.
    fn walk(board: [u8; 36], side: Side, start: usize, steps: u64) -> Option<Self> {
        let mut oracle = Self {
            board,
            side,
            used: Vec::new(),
            ends: BTreeSet::new(),
            landings: BTreeSet::new(),
            steps_left: steps,
        };
        oracle.board[start] = 0;
        oracle.step(start, board[start]).then_some(oracle)
    }

    fn neighbours(square: usize) -> Vec<usize> {
        let (row, column) = (square / 6, square % 6);
        let mut list = Vec::new();
        if row > 0 {
            list.push(square - 6);
        }
        if row < 5 {
            list.push(square + 6);
        }
        if column > 0 {
            list.push(square - 1);
        }
        if column < 5 {
            list.push(square + 1);
        }
        list
    }

    /// One step of a run with `left` steps to go. False when out of patience.
    fn step(&mut self, at: usize, left: u8) -> bool {
        if self.steps_left == 0 {
            return false;
        }
        self.steps_left -= 1;
        let goal = match self.side {
            Side::White => (30..36).contains(&at).then_some(37),
            Side::Black => (0..6).contains(&at).then_some(36),
        };
        if let (1, Some(goal)) = (left, goal) {
            self.ends.insert(goal);
        }
        for next in Self::neighbours(at) {
            let edge = (at.min(next), at.max(next));
            if self.used.contains(&edge) {
                continue;
            }
            self.used.push(edge);
            let rings = self.board[next];
            let go_on = match (left, rings) {
                (1, 0) => {
                    self.ends.insert(next);
                    true
                }
                (1, _) => {
                    self.landings.insert(next);
                    self.step(next, rings)
                }
                (_, 0) => self.step(next, left - 1),
                _ => true,
            };
            self.used.pop();
            if !go_on {
                return false;
            }
        }
        true
    }
}

/// The moves by the naive reading: `(start, end, drop)`.
fn naive(
    board: [u8; 36],
    side: Side,
    no_change: NoChange,
    steps: u64,
) -> Option<BTreeSet<GygesMove>> {
    let occupied_rows: Vec<usize> = (0..6)
        .filter(|row| board[row * 6..row * 6 + 6].iter().any(|&r| r > 0))
        .collect();
    let (lowest, highest) = (*occupied_rows.first()?, *occupied_rows.last()?);
    let (active, drop_rows) = match side {
        Side::White => (lowest, 0..=highest),
        Side::Black => (highest, lowest..=5),
    };
    let mut moves = BTreeSet::new();
    let mut add = |start: usize, end: usize, drop: Option<usize>| {
        let drop = drop.map(|square| square as u8);
        moves.insert(GygesMove::new(start as u8, end as u8, drop));
    };
    for start in active * 6..active * 6 + 6 {
        if board[start] == 0 {
            continue;
        }
        let oracle = Oracle::walk(board, side, start, steps)?;
        for &end in &oracle.ends {
            if end != start || no_change == NoChange::Accept {
                add(start, end, None);
            }
        }
        for &landed in &oracle.landings {
            for drop in 0..36 {
                let empty = board[drop] == 0 && drop_rows.contains(&(drop / 6));
                let swap = drop == start
                    && (board[landed] != board[start] || no_change == NoChange::Accept);
                if empty || swap {
                    add(start, landed, Some(drop));
                }
            }
        }
    }
    Some(moves)
}

fn text_of(board: [u8; 36], side: Side) -> String {
    let digits: String = board.iter().map(|&r| (b'0' + r) as char).collect();
    format!("{digits} {}", side.index() + 1)
}

/// Pieces thrown on a band of rows: narrow bands are full of bounces.
fn throw(lot: &mut SplitMix64, pieces: usize) -> [u8; 36] {
    let fewest = pieces.div_ceil(6);
    let rows = fewest + lot.index(7 - fewest);
    let first = lot.index(7 - rows);
    let mut board = [0; 36];
    let mut placed = 0;
    while placed < pieces {
        let square = first * 6 + lot.index(rows * 6);
        if board[square] == 0 {
            board[square] = (placed % 3) as u8 + 1;
            placed += 1;
        }
    }
    board
}

/// Compares one board for both sides under both rules; false if the oracle
/// gave up.
fn compare(board: [u8; 36], steps: u64) -> bool {
    let mut complete = true;
    for side in Side::BOTH {
        for no_change in [NoChange::Accept, NoChange::Forbid] {
            let Some(expected) = naive(board, side, no_change, steps) else {
                complete = false;
                continue;
            };
            let rules = GygesRules { no_change };
            let text = text_of(board, side);
            let position = Gyges::from_text_any_count(&text, &rules).expect("a legal board");
            let list = position.moves();
            let found: BTreeSet<_> = list.iter().copied().collect();
            assert_eq!(found.len(), list.len(), "a move twice: {text}");
            assert_eq!(found, expected, "{text} {no_change:?}");
            assert_eq!(position.count_moves(), expected.len() as u64, "{text}");
            assert_eq!(position.has_move(), !expected.is_empty(), "{text}");
            let wins = expected.iter().filter(|m| m.is_goal()).count();
            assert_eq!(position.can_win(), wins > 0, "{text}");
            let mut tactical = 0;
            position.generate(MoveKind::Tactical, |m| {
                assert!(m.is_goal() && expected.contains(&m), "{text} {m}");
                tactical += 1;
            });
            assert_eq!(tactical, wins, "{text}");
        }
    }
    complete
}

fn compare_many(seed: u64, boards: usize, steps: u64, pieces: impl Fn(&mut SplitMix64) -> usize) {
    let mut lot = SplitMix64::new(seed);
    let mut given_up = 0;
    for _ in 0..boards {
        let count = pieces(&mut lot);
        let board = throw(&mut lot, count);
        given_up += usize::from(!compare(board, steps));
    }
    println!("{boards} boards, oracle gave up on {given_up}");
    assert!(given_up * 10 < boards, "the oracle must see most boards");
}

#[test]
fn thousands_of_placements_of_twelve_pieces() {
    compare_many(0x9E37_79B9, 3000, 60_000, |_| 12);
}

#[test]
fn bounce_rich_placements_of_twelve_pieces() {
    compare_many(0x1234_5678, 60, 3_000_000, |_| 12);
}

#[test]
fn boards_with_other_piece_counts() {
    compare_many(0xDEAD_BEEF, 2000, 60_000, |lot| 1 + lot.index(11));
    compare_many(0xBEEF_DEAD, 300, 200_000, |lot| 13 + lot.index(24));
}

/// The boards that need every trick of the generator.
#[test]
fn boards_on_which_the_generator_works_hardest() {
    let boards: Vec<&str> = include_str!("data/gyges_hard.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let mut given_up = 0;
    for text in &boards {
        let position = Gyges::from_text_any_count(text, &GygesRules::default());
        let position = position.expect("the data file is valid");
        let mut board = [0; 36];
        position.pieces(|rings, square| board[square as usize] = rings.count());
        given_up += usize::from(!compare(board, 2_000_000));
    }
    println!("{} boards, oracle gave up on {given_up}", boards.len());
    assert!(given_up * 2 < boards.len());
}

#[test]
fn positions_of_random_games() {
    let mut lot = SplitMix64::new(0x00C0_FFEE);
    let mut given_up = 0;
    let mut seen = 0;
    for seed in 0..40 {
        let mut position = Gyges::random_start(seed, &GygesRules::default());
        for _ in 0..30 {
            let moves = position.moves();
            let quiet: Vec<_> = moves.iter().filter(|m| !m.is_goal()).collect();
            if quiet.is_empty() {
                break;
            }
            position.make(*quiet[lot.index(quiet.len())], &mut ());
            let mut board = [0; 36];
            position.pieces(|rings, square| board[square as usize] = rings.count());
            given_up += usize::from(!compare(board, 60_000));
            seen += 1;
        }
    }
    println!("{seen} positions, oracle gave up on {given_up}");
    assert!(given_up * 10 < seen);
}

#[test]
fn legality_agrees_for_every_triple_of_numbers() {
    let boards = [
        "start",
        "test two",
        "000200/130000/020230/311132/000000/000000 two",
        "000000/000000/000000/000000/112233/112233",
        "303030/222211/000001/130000/000000/000000",
    ];
    for (index, text) in boards.into_iter().enumerate() {
        let no_change = [NoChange::Accept, NoChange::Forbid][index % 2];
        let rules = GygesRules { no_change };
        let position = Gyges::from_text(text, &rules).expect("a legal board");
        let legal: BTreeSet<_> = position.moves().into_iter().collect();
        let mut agreed = 0;
        for start in 0..40 {
            for end in 0..40 {
                for drop in (0..40).map(Some).chain([None]) {
                    let m = GygesMove::new(start, end, drop);
                    assert_eq!(position.is_legal(m), legal.contains(&m), "{text} {m}");
                    assert_eq!(GygesMove::from_bits(m.to_bits()), m);
                    agreed += usize::from(legal.contains(&m));
                }
            }
        }
        assert_eq!(agreed, legal.len());
        // Codes of anything at all.
        for code in (0..1u64 << 18).step_by(7).chain([u64::MAX, 1 << 63]) {
            let m = GygesMove::from_bits(code);
            assert_eq!(position.is_legal(m), legal.contains(&m), "{text} {code}");
        }
    }
}
