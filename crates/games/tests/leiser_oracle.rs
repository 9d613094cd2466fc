//! An independent implementation of the rules, written as plainly as possible:
//! letters on a grid, a step at a time, whole boards kept and compared. Nothing
//! in it is shared with the library but the position text.

use crate::leiser_support::opening;
use quadrille_games::leiser::{Leiser, LeiserRules, Year};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position, Reason, Side};

type Board = Vec<Vec<&'static str>>; // board[rank][file], "" is empty

const PIECES: [&str; 16] = [
    "NN", "EE", "SS", "WW", "NW", "NE", "SE", "SW", "nn", "ee", "ss", "ww", "nw", "ne", "se", "sw",
];

fn piece(text: &str) -> &'static str {
    PIECES.into_iter().find(|&p| p == text).unwrap()
}

#[derive(Clone)]
struct Naive {
    year: u32,
    board: Board,
    white: bool,
    /// Every earlier board with its side to move, the newest last.
    history: Vec<(Board, bool)>,
    quiet: u32,
    quiet_limit: u32,
}

struct Played {
    text: String,
    after: Board,
    zapped: Vec<String>,
    stomped: bool,
}

fn white(piece: &str) -> bool {
    piece.starts_with(char::is_uppercase)
}

fn king(piece: &str) -> bool {
    matches!(piece, "NN" | "EE" | "SS" | "WW" | "nn" | "ee" | "ss" | "ww")
}

fn turned(old: &str, quarters: usize) -> &'static str {
    let upper = old.to_uppercase();
    let ring = if king(old) {
        ["NN", "EE", "SS", "WW"]
    } else {
        ["NW", "NE", "SE", "SW"]
    };
    let place = ring.iter().position(|&o| o == upper).unwrap();
    let new = ring[(place + quarters) % 4];
    if white(old) {
        new
    } else {
        piece(&new.to_lowercase())
    }
}

/// The table of the rules, cell by cell: where the beam goes, `zap` if it
/// strikes.
fn meets(travels: &str, pawn: &str) -> &'static str {
    match (travels, pawn.to_uppercase().as_str()) {
        ("north", "SE") | ("south", "NE") => "east",
        ("north", "SW") | ("south", "NW") => "west",
        ("east", "NW") | ("west", "NE") => "north",
        ("east", "SW") | ("west", "SE") => "south",
        _ => "zap",
    }
}

/// The squares of the beam and, last, whether something is struck there.
fn beam(board: &Board, of_white: bool) -> (Vec<(usize, usize)>, bool) {
    let size = board.len();
    let mut start = None;
    for (rank, row) in board.iter().enumerate() {
        for (file, piece) in row.iter().enumerate() {
            if !piece.is_empty() && king(piece) && white(piece) == of_white {
                start = Some((file, rank));
            }
        }
    }
    let Some((mut file, mut rank)) = start else {
        return (Vec::new(), false);
    };
    let mut travels = match board[rank][file].to_uppercase().as_str() {
        "NN" => "north",
        "EE" => "east",
        "SS" => "south",
        _ => "west",
    };
    let mut path = Vec::new();
    loop {
        match travels {
            "north" if rank + 1 < size => rank += 1,
            "east" if file + 1 < size => file += 1,
            "south" if rank > 0 => rank -= 1,
            "west" if file > 0 => file -= 1,
            _ => return (path, false),
        }
        path.push((file, rank));
        let piece = board[rank][file];
        if piece.is_empty() {
            continue;
        }
        if king(piece) {
            return (path, true);
        }
        match meets(travels, piece) {
            "zap" => return (path, true),
            on => travels = on,
        }
    }
}

fn name(file: usize, rank: usize) -> String {
    format!("{}{rank}", (b'a' + file as u8) as char)
}

impl Naive {
    fn read(text: &str, year: u32, quiet_limit: u32) -> Self {
        let (rows, side) = text.split_once(' ').unwrap();
        let mut board = Board::new();
        for row in rows.split('/').rev() {
            let row = row.replace("10", "55");
            let letters: Vec<char> = row.chars().collect();
            let mut cells = Vec::new();
            let mut i = 0;
            while i < letters.len() {
                if let Some(run) = letters[i].to_digit(10) {
                    cells.extend((0..run).map(|_| ""));
                    i += 1;
                } else {
                    cells.push(piece(&letters[i..i + 2].iter().collect::<String>()));
                    i += 2;
                }
            }
            board.push(cells);
        }
        Self {
            year,
            board,
            white: side == "W",
            history: Vec::new(),
            quiet: 0,
            quiet_limit,
        }
    }

    fn text(board: &Board, white: bool) -> String {
        let mut rows = Vec::new();
        for row in board.iter().rev() {
            let mut text = String::new();
            let mut run = 0;
            for cell in row {
                if cell.is_empty() {
                    run += 1;
                } else {
                    if run > 0 {
                        text += &run.to_string();
                    }
                    run = 0;
                    text += cell;
                }
            }
            if run > 0 {
                text += &run.to_string();
            }
            rows.push(text);
        }
        format!("{} {}", rows.join("/"), if white { "W" } else { "B" })
    }

    fn around(&self, file: usize, rank: usize) -> Vec<(usize, usize)> {
        let mut list = Vec::new();
        for df in -1..=1_i32 {
            for dr in -1..=1_i32 {
                let (f, r) = (file as i32 + df, rank as i32 + dr);
                let size = self.board.len() as i32;
                if (df, dr) != (0, 0) && f >= 0 && r >= 0 && f < size && r < size {
                    list.push((f as usize, r as usize));
                }
            }
        }
        list
    }

    /// Every move before Ko is asked, with the board before the laser fires.
    fn displacements(&self) -> Vec<(String, Board, bool)> {
        let mut list = Vec::new();
        let pins = self.year == 2015 || self.year == 2016;
        let (enemy_beam, _) = beam(&self.board, !self.white);
        for rank in 0..self.board.len() {
            for file in 0..self.board.len() {
                let piece = self.board[rank][file];
                if piece.is_empty() || white(piece) != self.white {
                    continue;
                }
                if pins && !king(piece) && enemy_beam.contains(&(file, rank)) {
                    continue;
                }
                let from = name(file, rank);
                for (quarters, letter) in [(1, 'R'), (2, 'U'), (3, 'L')] {
                    let mut board = self.board.clone();
                    board[rank][file] = turned(piece, quarters);
                    list.push((format!("{from}{letter}"), board, false));
                }
                if king(piece) && self.year != 2018 {
                    list.push((format!("{from}{from}"), self.board.clone(), false));
                }
                self.steps(file, rank, &mut list);
            }
        }
        list
    }

    fn steps(&self, file: usize, rank: usize, list: &mut Vec<(String, Board, bool)>) {
        let piece = self.board[rank][file];
        for (f, r) in self.around(file, rank) {
            let other = self.board[r][f];
            let text = name(file, rank) + &name(f, r);
            let mut swapped = self.board.clone();
            swapped[rank][file] = other;
            swapped[r][f] = piece;
            if other.is_empty() {
                list.push((text, swapped, false));
                continue;
            }
            match self.year {
                2012 | 2013 | 2016 => list.push((text, swapped, false)),
                2014 | 2015 => {
                    if white(other) != self.white && !king(other) && !king(piece) {
                        let mut board = self.board.clone();
                        board[rank][file] = "";
                        board[r][f] = piece;
                        list.push((text, board, true));
                    }
                }
                _ if white(other) == self.white => {}
                _ => {
                    for (quarters, letter) in [(1, 'R'), (2, 'U'), (3, 'L')] {
                        let mut board = swapped.clone();
                        board[r][f] = turned(piece, quarters);
                        list.push((format!("{text}{letter}"), board, false));
                    }
                    for (f2, r2) in self.around(f, r) {
                        if swapped[r2][f2].is_empty() {
                            let mut board = swapped.clone();
                            board[r][f] = "";
                            board[r2][f2] = piece;
                            list.push((text.clone() + &name(f2, r2), board, false));
                        }
                    }
                }
            }
        }
    }

    /// The legal moves with everything they do.
    fn legal(&self) -> Vec<Played> {
        if self.over().is_some() {
            return Vec::new();
        }
        let mut list = Vec::new();
        for (text, mut after, stomped) in self.displacements() {
            let mut zapped = Vec::new();
            loop {
                let (path, hit) = beam(&after, self.white);
                if !hit {
                    break;
                }
                let (file, rank) = *path.last().unwrap();
                let was_king = king(after[rank][file]);
                zapped.push(name(file, rank));
                after[rank][file] = "";
                if was_king || self.year != 2016 {
                    break;
                }
            }
            let before = self.history.last().map(|(board, _)| board);
            if after != self.board && Some(&after) != before {
                list.push(Played {
                    text,
                    after,
                    zapped,
                    stomped,
                });
            }
        }
        list
    }

    fn play(&mut self, played: &Played) {
        self.history.push((self.board.clone(), self.white));
        self.board.clone_from(&played.after);
        self.white = !self.white;
        self.quiet += 1;
        if !played.zapped.is_empty() || played.stomped {
            self.quiet = 0;
        }
    }

    /// The result string of a game that is over by its board or its length.
    fn over(&self) -> Option<&'static str> {
        let kings = |side: bool| {
            let pieces = self.board.iter().flatten();
            pieces
                .filter(|p| !p.is_empty() && king(p) && white(p) == side)
                .count()
        };
        if kings(true) == 0 {
            Some("0-1")
        } else if kings(false) == 0 {
            Some("1-0")
        } else {
            (self.quiet >= self.quiet_limit).then_some("1/2-1/2")
        }
    }

    fn occurrences(&self) -> usize {
        let now = (self.board.clone(), self.white);
        1 + self.history.iter().filter(|&then| *then == now).count()
    }
}

/// Everything both sides can say about the position they stand in.
fn compare(line: &Line<Leiser>, naive: &Naive) -> Vec<Played> {
    let position = line.position();
    let text = position.text();
    assert_eq!(text, Naive::text(&naive.board, naive.white));
    assert_eq!(
        position.outcome().map(|o| o.result()),
        naive.over(),
        "{text}"
    );
    assert_eq!(line.occurrences() as usize, naive.occurrences(), "{text}");
    let legal = naive.legal();
    let mut wanted: Vec<&str> = legal.iter().map(|p| p.text.as_str()).collect();
    let mut found: Vec<String> = position
        .moves()
        .iter()
        .map(|&m| position.move_text(m))
        .collect();
    wanted.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, wanted, "{} {text}", naive.year);
    assert_eq!(
        position.count_moves() as usize,
        wanted.len(),
        "{} {text}",
        naive.year
    );
    if naive.over().is_none() {
        assert_eq!(
            position.count_generated() as usize,
            naive.displacements().len()
        );
    }
    let size = position.size().0 as u8;
    for played in &legal {
        let m = position.parse_move(&played.text).unwrap();
        let fire = position.fire(m);
        let zapped: Vec<String> = fire
            .zapped()
            .map(|(s, _)| s.name(size).to_string())
            .collect();
        assert_eq!(
            zapped, played.zapped,
            "{} {text} {}",
            naive.year, played.text
        );
        assert_eq!(fire.stomped.is_some(), played.stomped);
        assert_eq!(
            position.is_tactical(m),
            !zapped.is_empty() || played.stomped
        );
        let mut child = *position;
        child.make(m, &mut ());
        let after = Naive::text(&played.after, !naive.white);
        assert_eq!(child.text(), after, "{} {text} {}", naive.year, played.text);
    }
    for side in Side::BOTH {
        let (path, hit) = beam(&naive.board, side == Side::White);
        let found = position.beam(side).map_or(Vec::new(), |b| b.path);
        let found: Vec<_> = found
            .iter()
            .map(|s| (s.square.file(size) as usize, s.square.rank(size) as usize))
            .collect();
        assert_eq!(found, path, "{text}");
        assert_eq!(position.struck(side).is_some(), hit, "{text}");
    }
    legal
}

#[derive(Default)]
struct Seen {
    positions: usize,
    wins: usize,
    quiet_draws: usize,
    repetitions: usize,
    restored: usize,
}

fn walk(year: Year, seed: u64, games: usize) -> Seen {
    let mut dice = SplitMix64::new(seed);
    let mut seen = Seen::default();
    for game in 0..games {
        let mut line = opening(&mut dice, year);
        // Some games with a short quiet limit, so that the rule is met.
        let limit = if game % 4 == 0 {
            12
        } else {
            LeiserRules::of(year).quiet_limit_plies
        };
        let rules = LeiserRules {
            quiet_limit_plies: limit,
            ..LeiserRules::of(year)
        };
        line = Line::new(Leiser::from_text(&line.position().text(), &rules).unwrap());
        let mut naive = Naive::read(&line.position().text(), u32::from(year.number()), limit);
        for ply in 0..30 {
            let legal = compare(&line, &naive);
            seen.positions += 1;
            seen.restored += usize::from(ply % 4 == 3 && ko_by_restoring(&naive));
            match line.outcome() {
                Some(outcome) => {
                    seen.wins += usize::from(outcome.reason == Reason::KingZapped);
                    seen.quiet_draws += usize::from(outcome.reason == Reason::FiftyMoves);
                    seen.repetitions += usize::from(outcome.reason == Reason::Threefold);
                    break;
                }
                None => assert!(naive.occurrences() < 3 && !legal.is_empty()),
            }
            let played = choose(&mut dice, &legal, &naive);
            line.play(&played.text).unwrap();
            naive.play(played);
        }
    }
    seen
}

/// Whether Ko (2) refuses something here: a board of two plies ago in reach.
fn ko_by_restoring(naive: &Naive) -> bool {
    if naive.over().is_some() || naive.history.is_empty() {
        return false;
    }
    let without = Naive {
        history: Vec::new(),
        ..naive.clone()
    };
    without.legal().len() != naive.legal().len()
}

/// Mostly random, often a swap with an enemy, so that Ko has work.
fn choose<'a>(dice: &mut SplitMix64, legal: &'a [Played], naive: &Naive) -> &'a Played {
    for _ in 0..12 {
        let played = &legal[dice.index(legal.len())];
        let mine = |b: &Board| {
            b.iter()
                .flatten()
                .filter(|p| white(p) && !p.is_empty())
                .count()
        };
        let calm = mine(&played.after) == mine(&naive.board) && played.zapped.is_empty();
        if calm && played.text.len() >= 4 && enemy_stands_on(naive, &played.text) {
            return played;
        }
    }
    &legal[dice.index(legal.len())]
}

fn enemy_stands_on(naive: &Naive, text: &str) -> bool {
    let b = text.as_bytes();
    let (file, rank) = (
        usize::from(b[2].wrapping_sub(b'a')),
        usize::from(b[3].wrapping_sub(b'0')),
    );
    let piece = naive.board.get(rank).and_then(|row| row.get(file));
    piece.is_some_and(|p| !p.is_empty() && white(p) != naive.white)
}

fn check(year: Year, seed: u64) {
    let deep = std::env::var_os("QUADRILLE_DEEP").is_some_and(|v| v == "1");
    let seen = walk(year, seed, if deep { 400 } else { 30 });
    println!(
        "{year}: {} positions, {} wins, {} quiet draws, {} repetitions, {} times Ko (2)",
        seen.positions, seen.wins, seen.quiet_draws, seen.repetitions, seen.restored
    );
    // The walk must meet what it is there to prove.
    assert!(seen.positions > 400 && seen.wins > 0 && seen.quiet_draws > 0);
    assert_eq!(seen.restored > 0, year.features().ko_restored);
}

#[test]
fn rules_of_2012() {
    check(Year::Y2012, 0x1234_5678_9abc);
}

#[test]
fn rules_of_2013() {
    check(Year::Y2013, 0xfeed_beef_1357);
}

#[test]
fn rules_of_2014() {
    check(Year::Y2014, 0x0dd_ba11_2468);
}

#[test]
fn rules_of_2015() {
    check(Year::Y2015, 0xca5_cade_9753);
}

#[test]
fn rules_of_2016() {
    check(Year::Y2016, 0xdec0_de00_8642);
}

#[test]
fn rules_of_2018() {
    check(Year::Y2018, 0xbaad_f00d_3579);
}
