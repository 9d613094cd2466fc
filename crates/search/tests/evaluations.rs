//! What must hold for the evaluation of every game: it follows the board
//! exactly, it knows no favourites, and it never looks like a proof.

use quadrille_games::gyges::{Gyges, GygesMove, GygesRules};
use quadrille_games::leiser::{Leiser, LeiserRules, Year};
use quadrille_games::liberty::{Kind, Liberty, RandomStart, Rules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{MoveKind, Position};
use quadrille_search::score::MAX_EVAL;
use quadrille_search::{Evaluator, Playable};

/// Calls `each` for every position of a random game, at most `plies` of them.
fn wander<P: Position>(start: &P, plies: usize, random: &mut SplitMix64, mut each: impl FnMut(&P)) {
    let mut position = start.clone();
    each(&position);
    for _ in 0..plies {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.index(moves.len())], &mut ());
        each(&position);
    }
}

/// Walks a random game with an evaluator that follows, takes moves back now and
/// then, and compares with a fresh evaluation all the time.
fn follows_exactly<P: Playable>(start: &P, plies: usize, random: &mut SplitMix64) {
    let mut position = start.clone();
    let mut following = P::Eval::new(&position);
    for _ in 0..plies {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        // A move that is taken back leaves no trace.
        let tried = moves[random.index(moves.len())];
        let before = following.evaluate(&position);
        following.push();
        let undo = position.make(tried, &mut following);
        compare(&mut following, &position);
        position.unmake(tried, undo);
        following.pop();
        assert_eq!(following.evaluate(&position), before, "{position:?}");

        let played = moves[random.index(moves.len())];
        following.push();
        position.make(played, &mut following);
        compare(&mut following, &position);
    }
}

fn compare<P: Playable>(following: &mut P::Eval, position: &P) {
    let value = following.evaluate(position);
    assert_eq!(
        value,
        P::Eval::new(position).evaluate(position),
        "{position:?}"
    );
    assert!(value.abs() <= MAX_EVAL, "{value} in {position:?}");
}

/// Slots stay in their range, quiet moves gain nothing, and tactical moves can
/// be weighed.
fn moves_are_described<P: Playable>(position: &P) {
    let slots = position.slots();
    position.generate(MoveKind::All, |m| {
        assert!(position.slot(m) < slots, "{m:?} in {position:?}");
        assert!(position.gain(m).abs() <= MAX_EVAL);
        assert!(position.stake(m) >= 0);
        if !position.is_tactical(m) {
            assert_eq!(position.gain(m), 0, "{m:?} in {position:?}");
        }
    });
}

fn libertys() -> Vec<Liberty> {
    let rules = Rules::default();
    let mut all: Vec<Liberty> = Liberty::presets(&rules)
        .into_iter()
        .map(|(_, text)| Liberty::from_text(&text, &rules).unwrap())
        .collect();
    for (seed, width, height) in [(1, 8, 8), (2, 10, 9), (3, 5, 12), (4, 2, 4), (5, 20, 7)] {
        let start = RandomStart {
            width,
            height,
            kinds: Kind::ALL.to_vec(),
            king: seed % 2 == 0,
            friendly_fire: seed % 3 == 0,
        };
        all.push(start.position(seed).unwrap());
    }
    all
}

fn leisers() -> Vec<Leiser> {
    Year::ALL
        .map(|year| Leiser::start(&LeiserRules::of(year)))
        .to_vec()
}

fn gygeses() -> Vec<Gyges> {
    (0..20)
        .map(|n| Gyges::start_numbered(n * 401, &GygesRules::default()))
        .map(|start| start.expect("below 8100"))
        .collect()
}

#[test]
fn evaluations_follow_the_board() {
    let mut random = SplitMix64::new(1);
    for start in libertys() {
        for _ in 0..4 {
            follows_exactly(&start, 60, &mut random);
        }
    }
    for start in leisers() {
        for _ in 0..10 {
            follows_exactly(&start, 60, &mut random);
        }
    }
    for start in gygeses() {
        follows_exactly(&start, 30, &mut random);
    }
}

#[test]
fn moves_have_slots_and_gains() {
    let mut random = SplitMix64::new(2);
    for start in libertys() {
        wander(&start, 60, &mut random, moves_are_described);
    }
    for start in leisers() {
        wander(&start, 60, &mut random, moves_are_described);
    }
    for start in gygeses() {
        wander(&start, 30, &mut random, moves_are_described);
    }
}

#[test]
fn gyges_knows_wins_and_equal_results() {
    let mut random = SplitMix64::new(3);
    let mut other = SplitMix64::new(33);
    let mut wins = 0;
    let mut equals = 0;
    for _ in 0..20 {
        for start in gygeses() {
            wander(&start, 30, &mut random, |position| {
                let moves = position.moves();
                let brute = moves.iter().any(|m| {
                    let mut after = *position;
                    after.make(*m, &mut ());
                    after.winner() == Some(position.side())
                });
                let known = Playable::win_at_once(position);
                assert_eq!(known.is_some(), brute, "{position:?}");
                assert!(known.is_none_or(|m| position.is_legal(m)));
                wins += u32::from(brute);
                equals += equal_results(position, &moves, &mut other);
            });
        }
    }
    assert!(
        wins > 500 && equals > 20,
        "{wins} {equals}: nothing was tested"
    );
}

/// Compares two moves: equal keys if and only if equal results.
fn equal_results(position: &Gyges, moves: &[GygesMove], random: &mut SplitMix64) -> u32 {
    let Some(&first) = moves.get(random.index(moves.len().max(1))) else {
        return 0;
    };
    let mut equals = 0;
    for &second in moves {
        let same = position.after(first) == position.after(second);
        let keys = [first, second].map(|m| Playable::result_key(position, m));
        assert_eq!(same, keys[0] == keys[1], "{position:?}");
        equals += u32::from(same && first != second);
    }
    equals
}

fn value<P: Playable>(position: &P) -> i32 {
    P::Eval::new(position).evaluate(position)
}

#[test]
fn gyges_is_symmetric() {
    let mut random = SplitMix64::new(4);
    for start in gygeses() {
        wander(&start, 30, &mut random, |position| {
            let expected = value(position);
            assert_eq!(value(&position.turned()), expected, "{position:?}");
            assert_eq!(value(&position.mirrored()), expected, "{position:?}");
        });
    }
}

#[test]
fn liberty_has_no_favourite_colour() {
    let mut random = SplitMix64::new(5);
    for start in libertys() {
        wander(&start, 60, &mut random, |position| {
            let turned = swap_liberty(position);
            assert_eq!(value(position), value(&turned), "{position:?}");
        });
    }
}

/// The same position with the colours exchanged and the ranks reversed.
pub(crate) fn swap_liberty(position: &Liberty) -> Liberty {
    let text = position.text();
    let mut fields: Vec<String> = text.split(' ').map(Into::into).collect();
    let swap_case = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    let ranks: Vec<String> = fields[0]
        .split('/')
        .rev()
        .map(|rank| rank.chars().map(swap_case).collect())
        .collect();
    fields[0] = ranks.join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
    fields[2] = fields[2].chars().map(swap_case).collect();
    fields[3] = "-".into();
    Liberty::from_text(&fields.join(" "), &position.rules()).unwrap()
}

#[test]
fn leiser_knows_no_direction() {
    let mut random = SplitMix64::new(6);
    for start in leisers() {
        for _ in 0..5 {
            wander(&start, 60, &mut random, |position| {
                if position.outcome().is_some() {
                    return;
                }
                let expected = value(position);
                for image in images(position) {
                    assert_eq!(value(&image), expected, "{position:?}");
                }
            });
        }
    }
}

/// The board turned by a quarter, mirrored, and with its colours exchanged.
pub(crate) fn images(position: &Leiser) -> Vec<Leiser> {
    let text = position.text();
    let (board, side) = text.split_once(' ').unwrap();
    let size = position.size().0 as usize;
    let cells = read_cells(board);
    let at = |rank: usize, file: usize| cells[rank * size + file].clone();
    let rules = position.rules();
    let build = |pick: &dyn Fn(usize, usize) -> String, side: &str| {
        let text = write_cells(size, pick);
        Leiser::from_text(&format!("{text} {side}"), &rules).unwrap()
    };
    let other = if side.starts_with('W') { "B" } else { "W" };
    vec![
        build(&|r, f| turn_letters(&at(size - 1 - f, r)), side),
        build(&|r, f| mirror_letters(&at(r, size - 1 - f)), side),
        build(&|r, f| swap_letters(&at(r, f)), other),
    ]
}

fn read_cells(board: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut digits = String::new();
    let mut letters = String::new();
    for c in board.chars().chain(['/']) {
        if !c.is_ascii_digit() && !digits.is_empty() {
            let count = digits.parse().unwrap();
            cells.extend(core::iter::repeat_n(String::new(), count));
            digits.clear();
        }
        if c.is_ascii_digit() {
            digits.push(c);
        } else if c != '/' {
            letters.push(c);
            if letters.len() == 2 {
                cells.push(core::mem::take(&mut letters));
            }
        }
    }
    cells
}

fn write_cells(size: usize, pick: &dyn Fn(usize, usize) -> String) -> String {
    let mut ranks = Vec::new();
    for rank in 0..size {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..size {
            let cell = pick(rank, file);
            if cell.is_empty() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text += &cell;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        ranks.push(text);
    }
    ranks.join("/")
}

fn map_letters(cell: &str, map: impl Fn(&str) -> &'static str) -> String {
    let upper = cell.to_ascii_uppercase();
    let mapped = if cell.is_empty() { "" } else { map(&upper) };
    if cell == upper {
        mapped.into()
    } else {
        mapped.to_ascii_lowercase()
    }
}

/// A quarter turn clockwise.
fn turn_letters(cell: &str) -> String {
    map_letters(cell, |letters| match letters {
        "NN" => "EE",
        "EE" => "SS",
        "SS" => "WW",
        "WW" => "NN",
        "NW" => "NE",
        "NE" => "SE",
        "SE" => "SW",
        _ => "NW",
    })
}

/// East and west exchanged.
fn mirror_letters(cell: &str) -> String {
    map_letters(cell, |letters| match letters {
        "NN" => "NN",
        "SS" => "SS",
        "EE" => "WW",
        "WW" => "EE",
        "NW" => "NE",
        "NE" => "NW",
        "SE" => "SW",
        _ => "SE",
    })
}

fn swap_letters(cell: &str) -> String {
    if cell.to_ascii_uppercase() == cell {
        cell.to_ascii_lowercase()
    } else {
        cell.to_ascii_uppercase()
    }
}

#[test]
fn extreme_boards_are_bounded() {
    let rules = Rules::default();
    let amazons = "M".repeat(256);
    let rows = vec![amazons.as_str(); 255].join("/");
    let boards = [
        "kM/2 w - - 0 1".to_string(),
        "Kk/Pp w - - 0 1".to_string(),
        "pk/KP b - - 0 1".to_string(),
        format!("k255/{rows} w - - 0 1"),
        format!("256/{}256 w - - 0 1", "256/".repeat(254)),
        format!("k255/{}255K b - - 0 1", "256/".repeat(254)),
    ];
    for text in boards {
        let position = Liberty::from_text(&text, &rules).unwrap();
        let value = value(&position);
        assert!(value.abs() <= MAX_EVAL, "{value}");
        assert!(!terms(&position).is_empty());
        let mut seen = 0;
        position.generate(MoveKind::All, |m| {
            seen += 1;
            if seen < 200 {
                assert!(position.slot(m) < position.slots());
                assert!(position.gain(m).abs() <= MAX_EVAL);
            }
        });
    }
}

fn terms<P: Playable>(position: &P) -> Vec<quadrille_search::Term> {
    P::Eval::new(position).terms(position)
}
