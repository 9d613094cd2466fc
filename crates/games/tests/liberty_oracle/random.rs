//! Random boards with random options.

use quadrille_games::random::SplitMix64;

use super::oracle::Oracle;

/// The generator with what random boards ask it most.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.index(bound)
    }

    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A few kinds only, so that pieces of a kind meet (two Bishops for El
/// Vaticano, Pawns for en passant).
fn some_kinds(random: &mut Random) -> Vec<char> {
    let all: Vec<char> = "nbrqaclzxihumoewpppbb".chars().collect();
    let count = random.between(1, 6);
    let mut kinds: Vec<char> = (0..count).map(|_| all[random.below(all.len())]).collect();
    let more = ["", "ppp", "pppppppppp", "bbbbp"][random.below(4)];
    kinds.extend(more.chars());
    kinds
}

/// The start of a random game on a board of at most `largest` files and ranks.
pub(crate) fn random_game(random: &mut Random, largest: i32) -> Oracle {
    let width = random.between(2, largest);
    let height = random.between(2, largest);
    let castling_rank = if random.chance(70) {
        1
    } else {
        random.between(1, height)
    };
    let custom = random.chance(30);
    let all: Vec<char> = "kmqcaehuriwbznxlop".chars().collect();
    let mut oracle = Oracle {
        board: vec![vec!['.'; width as usize]; height as usize],
        white: random.chance(60),
        rights: "KQkq".chars().filter(|_| random.chance(70)).collect(),
        passage: None,
        halfmoves: if random.chance(10) {
            96 + random.below(6) as u32
        } else {
            0
        },
        fullmoves: 1 + random.below(3) as u32,
        steps: random.between(1, 5),
        rank: if random.chance(50) {
            height
        } else {
            random.between(1, 4)
        },
        castling_rank,
        queen_file: if custom { random.between(1, width) } else { 1 },
        king_file: if custom {
            random.between(1, width)
        } else {
            width
        },
        promotions: (0..random.between(1, 5))
            .map(|_| all[random.below(all.len())])
            .collect(),
        friendly: random.chance(30),
        homes: Vec::new(),
    };
    if random.chance(5) {
        let (low, file) = (random.between(0, height - 1), random.between(0, width - 1));
        oracle.passage = Some((file, low, random.between(low, height - 1)));
    }
    let density = if random.chance(50) {
        20
    } else {
        random.between(10, 70) as usize
    };
    let mut kinds = [some_kinds(random), some_kinds(random)];
    let pawn_game = random.chance(30);
    if pawn_game {
        let odd = kinds[0][0];
        kinds = [vec!['p'; 12], vec!['p'; 12]];
        kinds[0].push(odd);
        oracle.steps = random.between(2, 5);
        oracle.rank = height;
    } else if random.chance(20) {
        for list in &mut kinds {
            list.extend(['b'; 8]);
        }
    }
    for square in oracle.squares() {
        if random.chance(density) {
            // In a game of Pawns they start apart and meet.
            let white = if pawn_game {
                2 * square.1 < height
            } else {
                random.chance(50)
            };
            let list = &kinds[usize::from(white)];
            let letter = list[random.below(list.len())];
            let piece = if white {
                letter.to_ascii_uppercase()
            } else {
                letter
            };
            oracle.board[square.1 as usize][square.0 as usize] = piece;
        }
    }
    for white in [true, false] {
        place_kings(random, &mut oracle, white);
    }
    oracle.remember_homes();
    oracle
}

/// Mostly one King, often at home with room to castle.
fn place_kings(random: &mut Random, oracle: &mut Oracle, white: bool) {
    let kings = [0, 1, 1, 1, 1, 1, 1, 2, 2, 3][random.below(10)];
    let (width, height) = (oracle.width(), oracle.height());
    let home = if white {
        oracle.castling_rank - 1
    } else {
        height - oracle.castling_rank
    };
    let letter = if white { 'K' } else { 'k' };
    for _ in 0..kings {
        let file = random.between(0, width - 1) as usize;
        let at_home = random.chance(60);
        let rank = if at_home {
            home
        } else {
            random.between(0, height - 1)
        } as usize;
        oracle.board[rank][file] = letter;
        if at_home && random.chance(60) {
            for other in 1..width as usize - 1 {
                if other != file {
                    oracle.board[rank][other] = '.';
                }
            }
        }
    }
}
