//! What must hold of the chess evaluation whatever its parameters are.

use quadrille_games::Position;
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::random::SplitMix64;
use quadrille_search::score::MAX_EVAL;
use quadrille_search::{Evaluator, Playable};

type Eval = <Chess as Playable>::Eval;

fn position(fen: &str) -> Chess {
    Chess::from_text(fen, &ChessRules::default()).unwrap()
}

/// The same position with the colours exchanged.
fn exchanged(position: &Chess) -> Chess {
    let text = position.text();
    let fields: Vec<&str> = text.split(' ').collect();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_uppercase() {
                    c.to_ascii_lowercase()
                } else {
                    c.to_ascii_uppercase()
                }
            })
            .collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let square: String = fields[3]
        .chars()
        .map(|c| match c {
            '3' => '6',
            '6' => '3',
            other => other,
        })
        .collect();
    let fen = format!(
        "{} {side} {} {square} {} {}",
        board.join("/"),
        swap(fields[2]),
        fields[4],
        fields[5]
    );
    self::position(&fen)
}

/// Calls `each` along random games with the evaluator that followed them.
fn along_random_games(games: usize, mut each: impl FnMut(&Chess, &mut Eval)) {
    let mut random = SplitMix64::new(42);
    for game in 0..games {
        let mut now = if game % 4 == 3 {
            position(ENDGAMES[game / 4 % ENDGAMES.len()])
        } else {
            Chess::default()
        };
        let mut eval = Eval::new(&now);
        for _ in 0..120 {
            let moves = now.moves();
            if moves.is_empty() {
                break;
            }
            // Look into a side line and come back, as a search does.
            let m = moves[random.index(moves.len())];
            eval.push();
            let undo = now.make(m, &mut eval);
            each(&now, &mut eval);
            now.unmake(m, undo);
            eval.pop();
            let m = moves[random.index(moves.len())];
            eval.push();
            now.make(m, &mut eval);
            each(&now, &mut eval);
        }
    }
}

const ENDGAMES: &[&str] = &[
    "8/2k5/3p4/p2P1p2/P4P2/3K4/8/8 w - - 0 1",
    "4k3/1P6/8/8/8/8/1p6/4K3 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/1B1k4/8/4p3/2b1P3/2P1K3/8 b - - 3 60",
    "8/5k2/8/8/2R5/8/5K2/r7 w - - 0 1",
];

#[test]
fn following_the_board_equals_starting_afresh() {
    along_random_games(40, |now, eval| {
        let followed = eval.evaluate(now);
        assert_eq!(followed, Eval::new(now).evaluate(now), "{}", now.text());
    });
}

#[test]
fn exchanging_the_colours_changes_nothing_for_the_mover() {
    along_random_games(40, |now, eval| {
        let other = exchanged(now);
        let mut other_eval = Eval::new(&other);
        assert_eq!(
            eval.evaluate(now),
            other_eval.evaluate(&other),
            "{}",
            now.text()
        );
        for (term, mirrored) in eval.terms(now).iter().zip(other_eval.terms(&other)) {
            assert_eq!(term.name, mirrored.name);
            assert_eq!(
                term.sides,
                [mirrored.sides[1], mirrored.sides[0]],
                "{} in {}",
                term.name,
                now.text()
            );
        }
    });
}

#[test]
fn absurd_boards_stay_within_bounds() {
    let queens = "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1";
    let text = position(queens);
    let value = Eval::new(&text).evaluate(&text);
    assert!((-MAX_EVAL..-5_000).contains(&value));
}

#[test]
fn a_queen_more_is_worth_a_queen() {
    let with = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    let value = Eval::new(&with).evaluate(&with);
    assert!((-1500..-600).contains(&value), "{value}");
    let start = Chess::default();
    assert!(Eval::new(&start).evaluate(&start).abs() < 50);
}

fn value(fen: &str) -> i32 {
    let position = position(fen);
    Eval::new(&position).evaluate(&position)
}

/// A tuner sees the same evaluation as the search.
#[test]
fn counts_times_values_are_the_evaluation() {
    use quadrille_games::Side;
    use quadrille_search::Pair;
    use quadrille_search::chess::{FeatureCounts, trace, worth};
    let mut counts = FeatureCounts::new();
    along_random_games(40, |now, eval| {
        let bare = Side::BOTH.into_iter().any(|s| now.by_side(s).count() == 1);
        if now.halfmove_clock() > 0 || bare {
            return; // Fading and known endings come on top of the sum.
        }
        let balance = trace(now, &mut counts);
        let mut sum = Pair::ZERO;
        counts.drain(|feature, count| sum += worth(feature) * i32::from(count));
        let white = balance.blend(sum);
        let ours = if now.side() == Side::White {
            white
        } else {
            -white
        };
        assert_eq!(ours, eval.evaluate(now), "{}", now.text());
    });
}

#[test]
fn what_cannot_be_won_is_worth_little() {
    for fen in [
        "8/8/8/3k4/8/8/8/KNN5 w - - 0 1",   // Two knights.
        "k7/8/8/8/8/8/P7/K1B5 w - - 0 1",   // Bishop of the wrong colour.
        "8/8/8/8/8/k7/p7/K7 w - - 0 1",     // Rook pawn, king in the corner.
        "8/8/3k4/8/8/3bB3/8/3K4 w - - 0 1", // A bishop each.
        "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",  // The opposition decides.
    ] {
        assert!(value(fen).abs() <= 20, "{fen}: {}", value(fen));
    }
    let rook_for_minor = value("8/8/4kn2/8/8/3R4/3K4/8 w - - 0 1");
    assert!((0..100).contains(&rook_for_minor), "{rook_for_minor}");
}

#[test]
fn what_is_won_is_worth_much() {
    for fen in [
        "8/8/3k4/8/8/8/8/KBN5 w - - 0 1",
        "8/8/3k4/8/8/8/8/KR6 w - - 0 1",
        "8/4k3/8/8/4K3/8/4P3/8 b - - 0 1",
        "8/8/8/8/8/k7/8/1K4QQ w - - 0 1",
    ] {
        assert!(value(fen).abs() > 600, "{fen}: {}", value(fen));
    }
}

/// The search finds mates by following this slope.
#[test]
fn bare_kings_are_driven_where_they_can_be_mated() {
    let rook = |king: &str| value(&format!("{king} w - - 0 1"));
    assert!(rook("k7/8/2K5/8/8/8/8/1R6") > rook("8/8/2K5/8/4k3/8/8/1R6"));
    // A dark-squared bishop mates on a1 or h8, not on a8 or h1.
    let right = value("7k/8/6K1/8/8/8/8/4BN2 w - - 0 1");
    let wrong = value("k7/8/1K6/8/8/8/8/4BN2 w - - 0 1");
    assert!(right > wrong, "{right} {wrong}");
}
