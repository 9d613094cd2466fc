//! Statistics against fastchess's numbers, against simulations, and against
//! what must hold.

use quadrille_games::Side;
use quadrille_games::random::SplitMix64;
use quadrille_games::records::GameResult;
use quadrille_match::stats::ratings::{Encounter, ratings};
use quadrille_match::stats::{
    Decision, Effort, Estimate, Pairs, Played, Sprt, SprtConfig, SprtModel, Tables, Tally,
    score_of_elo,
};

const FASTCHESS: &str = include_str!("data/fastchess_stats.txt");

enum Results {
    Games(Tally),
    Pairs(Pairs),
}

impl Results {
    /// Reads `wdl 3 2 1` or `penta 1 2 3 4 5`.
    fn read(text: &str) -> Self {
        let mut words = text.split_whitespace();
        let kind = words.next().expect("a kind");
        let numbers: Vec<u64> = words.map(|w| w.parse().expect("a number")).collect();
        match (kind, numbers.as_slice()) {
            ("wdl", &[wins, draws, losses]) => Self::Games(Tally {
                wins,
                draws,
                losses,
            }),
            ("penta", &[a, b, c, d, e]) => Self::Pairs(Pairs([a, b, c, d, e])),
            _ => panic!("{text}"),
        }
    }

    fn estimate(&self) -> Estimate {
        match self {
            Self::Games(games) => Estimate::of(games),
            Self::Pairs(pairs) => Estimate::of_pairs(pairs),
        }
    }

    fn llr(&self, sprt: &Sprt) -> f64 {
        match self {
            Self::Games(games) => sprt.llr(games),
            Self::Pairs(pairs) => sprt.llr_of_pairs(pairs),
        }
    }

    fn number(&self) -> f64 {
        match self {
            Self::Games(games) => games.games() as f64,
            Self::Pairs(pairs) => pairs.pairs() as f64,
        }
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace()
        .map(|word| word.parse().unwrap_or_else(|_| panic!("{word}")))
        .collect()
}

/// Whether two numbers agree to 1e-6, infinities and undefined ones included.
fn agree(a: f64, b: f64) -> bool {
    let same_infinity = a.is_infinite() && b.is_infinite() && a.signum() == b.signum();
    same_infinity || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-6
}

#[test]
fn elo_and_its_errors_are_those_of_fastchess() {
    let (mut rows, mut alike) = (0, 0);
    for line in FASTCHESS.lines().filter(|l| !l.starts_with(['#', 's'])) {
        let (results, wanted) = line.split_once('|').expect("a row");
        let found = Results::read(results).estimate();
        let spread = results.split_whitespace().skip(1).filter(|n| *n != "0");
        if spread.count() == 1 {
            // Where all results are alike, fastchess is certain of everything,
            // and we of nothing but the score.
            let unknown = [found.error, found.nelo, found.nelo_error, found.los];
            assert!(
                unknown.iter().all(|n| n.is_nan()) && found.is_vague(),
                "{line}"
            );
            let wanted = numbers(wanted);
            assert!(
                agree(found.score, wanted[0]) && agree(found.elo, wanted[1]),
                "{line}"
            );
            alike += 1;
            continue;
        }
        let found = [
            found.score,
            found.elo,
            found.error,
            found.nelo,
            found.nelo_error,
            found.los,
        ];
        for (found, wanted) in found.into_iter().zip(numbers(wanted)) {
            assert!(agree(found, wanted), "{line}: {found} is not {wanted}");
        }
        rows += 1;
    }
    assert_eq!(rows + alike, 48);
    assert!(alike > 0 && rows > 30, "{alike}");
}

#[test]
fn sequential_tests_are_those_of_fastchess() {
    let mut rows = [0; 3];
    for line in FASTCHESS.lines() {
        let Some(row) = line.strip_prefix("sprt ") else {
            continue;
        };
        let (results, rest) = row.split_once('|').expect("a row");
        let (model, rest) = rest.trim().split_once(' ').expect("a row");
        let &[elo0, elo1, alpha, beta, lower, upper, shipped, exact] = numbers(rest).as_slice()
        else {
            panic!("{line}");
        };
        let model: SprtModel = model.parse().expect("a model");
        let sprt = Sprt::new(SprtConfig {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        });
        let results = Results::read(results);
        let found = results.llr(&sprt);
        assert!(
            agree(sprt.lower(), lower) && agree(sprt.upper(), upper),
            "{line}"
        );
        assert!(agree(found, exact), "{line}: {found}");
        // Its root finder stops up to 1e-3 from the root.
        let slack = 5e-4 + 1e-7 * results.number();
        assert!((found - shipped).abs() < slack, "{line}: {found}");
        rows[model as usize] += 1;
    }
    assert_eq!(rows, [192, 192, 96]);
}

#[test]
fn both_sides_see_the_same() {
    let games = Tally {
        wins: 40,
        draws: 70,
        losses: 20,
    };
    let (one, other) = (Estimate::of(&games), Estimate::of(&games.reversed()));
    assert!(agree(one.elo, -other.elo) && agree(one.error, other.error));
    assert!(agree(one.los, 1.0 - other.los));
    let pairs = Pairs([1, 8, 20, 12, 4]);
    let (one, other) = (
        Estimate::of_pairs(&pairs),
        Estimate::of_pairs(&pairs.reversed()),
    );
    assert!(agree(one.nelo, -other.nelo) && agree(one.score, 1.0 - other.score));
}

/// Plays pairs with the given chances until a test is decided.
fn simulate(sprt: &Sprt, chances: [f64; 5], lot: &mut SplitMix64) -> (Decision, u64) {
    let mut pairs = Pairs::default();
    for number in 1..100_000 {
        let mut left = lot.unit();
        let outcome = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        pairs.count(outcome.unwrap_or(2));
        // Looking only every fourth pair is quicker and a little stricter.
        if number % 4 == 0 {
            let decision = sprt.decision(sprt.llr_of_pairs(&pairs));
            if decision != Decision::Continue {
                return (decision, number);
            }
        }
    }
    (Decision::Continue, 100_000)
}

/// Chances of pairs with a mean score and some draws.
fn chances(score: f64) -> [f64; 5] {
    // Two games with half of them drawn, independent of each other.
    let win = score - 0.25;
    let [l, d, w] = [0.5 - win, 0.5, win];
    [l * l, 2.0 * l * d, 2.0 * l * w + d * d, 2.0 * d * w, w * w]
}

#[test]
fn error_rates_are_those_that_were_asked_for() {
    const RUNS: u64 = 600;
    for model in [SprtModel::Logistic, SprtModel::Normalized] {
        let config = SprtConfig {
            elo0: 0.0,
            elo1: 30.0,
            alpha: 0.1,
            beta: 0.1,
            model,
        };
        let sprt = Sprt::new(config);
        // A score with exactly the difference of each hypothesis; a deviation
        // of sqrt(1/8) for each game is that of half the games drawn.
        let score = |elo: f64| match model {
            SprtModel::Logistic => score_of_elo(elo),
            _ => 0.5 + elo * core::f64::consts::LN_10 / 800.0 * 0.125f64.sqrt(),
        };
        for (elo, wrong) in [(0f64, Decision::AcceptH1), (30.0, Decision::AcceptH0)] {
            let mut lot = SplitMix64::of(2026, elo.to_bits());
            let mut mistakes = 0;
            let mut games = 0;
            for _ in 0..RUNS {
                let (decision, pairs) = simulate(&sprt, chances(score(elo)), &mut lot);
                assert_ne!(decision, Decision::Continue);
                mistakes += u64::from(decision == wrong);
                games += 2 * pairs;
            }
            // A tenth of the runs, give or take four standard deviations; the
            // ratio overshoots its bounds, so that mistakes are a little rarer.
            let expected = RUNS as f64 * 0.1;
            let deviation = (RUNS as f64 * 0.1 * 0.9).sqrt();
            let off = mistakes as f64 - expected;
            assert!(
                off < 4.0 * deviation,
                "{model} at {elo}: {mistakes} mistakes"
            );
            assert!(
                off > -5.0 * deviation,
                "{model} at {elo}: {mistakes} mistakes"
            );
            println!("{model} at {elo}: {mistakes} mistakes in {RUNS} runs");
            // The outlook is close to what happened.
            let outlook = sprt.outlook(elo, 0.5);
            let ratio = games as f64 / RUNS as f64 / outlook.games;
            assert!((0.85..1.3).contains(&ratio), "{model} at {elo}: {ratio}");
        }
    }
}

#[test]
fn error_rates_of_single_games_in_the_bayesian_model() {
    const RUNS: u64 = 400;
    let config = SprtConfig {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.1,
        beta: 0.1,
        model: SprtModel::Bayesian,
    };
    let sprt = Sprt::new(config);
    // The model itself with a draw parameter of 200.
    let chances = |elo: f64| [score_of_elo(-elo - 200.0), score_of_elo(elo - 200.0)];
    for (elo, wrong) in [(0f64, Decision::AcceptH1), (40.0, Decision::AcceptH0)] {
        let [loss, win] = chances(elo);
        let mut lot = SplitMix64::of(7, elo.to_bits());
        let mut mistakes = 0u64;
        for _ in 0..RUNS {
            let mut games = Tally::default();
            let decision = loop {
                let draw = lot.unit();
                if draw < win {
                    games.wins += 1;
                } else if draw < win + loss {
                    games.losses += 1;
                } else {
                    games.draws += 1;
                }
                let decision = sprt.decision(sprt.llr(&games));
                if decision != Decision::Continue || games.games() > 50_000 {
                    break decision;
                }
            };
            mistakes += u64::from(decision == wrong);
        }
        println!("bayesian at {elo}: {mistakes} mistakes in {RUNS} runs");
        let deviation = (RUNS as f64 * 0.1 * 0.9).sqrt();
        let off = mistakes as f64 - RUNS as f64 * 0.1;
        assert!(off.abs() < 5.0 * deviation, "at {elo}: {mistakes} mistakes");
    }
}

#[test]
fn the_outlook_of_a_test() {
    let sprt = Sprt::new(SprtConfig {
        elo0: 0.0,
        elo1: 5.0,
        ..SprtConfig::default()
    });
    assert!((sprt.outlook(0.0, 0.5).pass - 0.05).abs() < 1e-9);
    assert!((sprt.outlook(5.0, 0.5).pass - 0.95).abs() < 1e-9);
    let middle = sprt.outlook(2.5, 0.5);
    assert!((middle.pass - 0.5).abs() < 1e-9);
    assert!(middle.games > sprt.outlook(0.0, 0.5).games);
    for far in [-5000.0, 5000.0] {
        let outlook = sprt.outlook(far, 0.5);
        assert!(outlook.games > 0.0 && outlook.games < 100.0, "{outlook:?}");
        assert!((outlook.pass - if far > 0.0 { 1.0 } else { 0.0 }).abs() < 1e-9);
    }
    // The whole point: on average fewer games than a fixed number of them.
    assert!(sprt.outlook(0.0, 0.5).games < sprt.fixed_games(0.5));
}

fn encounter(a: usize, b: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
    let tally = Tally {
        wins,
        draws,
        losses,
    };
    Encounter { a, b, tally }
}

#[test]
fn two_rated_players_are_as_far_apart_as_their_score_says() {
    let list = [encounter(0, 1, 300, 1400, 250)];
    let plain = Estimate::of(&list[0].tally);
    let fit = ratings(2, &list, &[(1, 1500.0)]);
    assert!(!fit.bounded);
    assert!((fit.elo[0] - 1500.0 - plain.elo).abs() < 1e-6);
    // The curve is straight enough here that errors agree too.
    assert!((fit.error[0] - plain.error).abs() < 0.01, "{fit:?}");
    let free = ratings(2, &list, &[]);
    assert!((free.elo[0] - plain.elo / 2.0).abs() < 1e-6);
    assert!((free.error[0] - plain.error / 2.0).abs() < 0.01);
    // Draws alone do not tell how far off level may be.
    let level = ratings(2, &[encounter(0, 1, 0, 6, 0)], &[]);
    assert!(level.error.iter().all(|error| error.is_nan()), "{level:?}");
}

#[test]
fn expected_points_are_the_points_that_were_made() {
    // The mark of the most likely ratings, for every player.
    let list = [
        encounter(0, 1, 10, 3, 7),
        encounter(1, 2, 8, 8, 4),
        encounter(0, 2, 12, 0, 8),
        encounter(2, 3, 3, 14, 3),
        encounter(3, 0, 1, 2, 17),
        encounter(3, 4, 19, 1, 1),
    ];
    for anchors in [&[][..], &[(2, 2500.0)]] {
        let fit = ratings(5, &list, anchors);
        assert!(!fit.bounded);
        for player in 0..5 {
            if anchors.iter().any(|a| a.0 == player) {
                continue;
            }
            let mut missing = 0.0;
            for e in &list {
                let expected = score_of_elo(fit.elo[e.a] - fit.elo[e.b]);
                let off = e.tally.points() - expected * e.tally.games() as f64;
                if e.a == player {
                    missing += off;
                } else if e.b == player {
                    missing -= off;
                }
            }
            assert!(missing.abs() < 1e-8, "player {player}: {missing}");
        }
    }
    let free = ratings(5, &list, &[]);
    assert!(free.elo.iter().sum::<f64>().abs() < 1e-8);
    let fixed = ratings(5, &list, &[(2, 2500.0)]);
    for (a, b) in free.elo.iter().zip(&fixed.elo) {
        assert!((a - free.elo[2] - (b - 2500.0)).abs() < 1e-6);
    }
}

#[test]
fn ratings_without_a_best_fit_stay_finite() {
    for list in [
        vec![encounter(0, 1, 10, 0, 0)],
        vec![encounter(0, 1, 5, 5, 5), encounter(2, 3, 5, 5, 5)],
        vec![
            encounter(0, 1, 3, 0, 0),
            encounter(1, 2, 3, 0, 0),
            encounter(2, 3, 0, 0, 3),
        ],
        Vec::new(),
    ] {
        let fit = ratings(4, &list, &[]);
        assert!(fit.bounded, "{list:?}");
        let fixed = ratings(4, &list, &[(0, 1000.0)]);
        for fit in [fit, fixed] {
            assert!(fit.elo.iter().all(|elo| elo.is_finite()), "{fit:?}");
            // Of a player without games no error is known.
            assert!(
                !fit.error.iter().any(|error| error.is_infinite()),
                "{fit:?}"
            );
        }
    }
    assert!(ratings(0, &[], &[]).elo.is_empty());
    let won = ratings(2, &[encounter(0, 1, 10, 0, 0)], &[]);
    assert!(won.elo[0] > 100.0);
}

#[test]
fn simulated_ratings_are_found_again_within_their_errors() {
    let truth: [f64; 6] = [120.0, 60.0, 0.0, -20.0, -60.0, -100.0];
    let mut lot = SplitMix64::of(11, 0);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..60 {
        let mut list = Vec::new();
        for a in 0..6 {
            for b in a + 1..6 {
                let score = score_of_elo(truth[a] - truth[b]);
                let mut tally = Tally::default();
                for _ in 0..60 {
                    // Forty draws in a hundred where both are equal.
                    let draws = 0.4 * (1.0 - (2.0 * score - 1.0).abs());
                    let x = lot.unit();
                    let result = if x < score - draws / 2.0 {
                        GameResult::WhiteWins
                    } else if x < score + draws / 2.0 {
                        GameResult::Draw
                    } else {
                        GameResult::BlackWins
                    };
                    tally.count(Side::White, result);
                }
                list.push(Encounter { a, b, tally });
            }
        }
        let fit = ratings(6, &list, &[]);
        for ((elo, error), truth) in fit.elo.iter().zip(&fit.error).zip(truth) {
            all += 1;
            inside += u32::from((elo - truth).abs() < *error);
        }
    }
    // 95 of 100, within the scatter of 360 draws.
    assert!((324..=357).contains(&inside), "{inside} of {all}");
}

fn played(white: usize, black: usize, result: GameResult, pair: u64) -> Played<'static> {
    let mut effort = Effort::default();
    effort.add_move(
        Some(core::time::Duration::from_millis(500)),
        Some(10),
        Some(5000),
    );
    effort.add_move(None, Some(20), None);
    Played {
        white,
        black,
        result,
        pair: Some((pair, 0)),
        termination: if result == GameResult::Draw {
            "threefold repetition"
        } else {
            "checkmate"
        },
        effort: [effort, effort],
    }
}

#[test]
fn tables_count_everything_once() {
    use GameResult::{BlackWins, Draw, Open, WhiteWins};
    let mut tables = Tables::new(["a".into(), "b".into(), "c".into()]);
    for (white, black, result, pair) in [
        (0, 1, WhiteWins, 0),
        (1, 0, Draw, 0),
        // Finished in the other order.
        (2, 0, BlackWins, 1),
        (0, 2, WhiteWins, 1),
        // A pair whose colours were not exchanged is none.
        (1, 2, WhiteWins, 2),
        (1, 2, WhiteWins, 2),
        (1, 2, Open, 3),
        // Nobody there.
        (1, 7, WhiteWins, 4),
        (1, 1, WhiteWins, 5),
    ] {
        tables.add(&played(white, black, result, pair));
    }
    assert_eq!(tables.games(), 6);
    assert_eq!(tables.meeting(0, 1).pairs, Pairs([0, 0, 0, 1, 0]));
    assert_eq!(tables.meeting(1, 0).pairs, Pairs([0, 1, 0, 0, 0]));
    assert_eq!(tables.meeting(0, 2).pairs, Pairs([0, 0, 0, 0, 1]));
    assert_eq!(tables.meeting(1, 2).pairs, Pairs::default());
    let total = tables.total(0);
    assert_eq!(
        (total.tally.wins, total.tally.draws, total.tally.losses),
        (3, 1, 0)
    );
    assert_eq!(total.pairs, Pairs([0, 0, 0, 1, 1]));
    assert_eq!(tables.with_colour(1, Side::White).games(), 3);
    assert_eq!(tables.order(), [0, 1, 2]);
    let ways = tables.terminations(0).expect("a player");
    assert_eq!(ways["checkmate"].wins, 3);
    assert_eq!(ways["threefold repetition"].draws, 1);
    assert_eq!(tables.open().values().sum::<u64>(), 1);
    let effort = tables.effort(2);
    assert_eq!(effort.moves, 10);
    assert_eq!(effort.seconds_per_move(), Some(0.5));
    assert_eq!(effort.average_depth(), Some(15.0));
    assert_eq!(effort.nps(), Some(10_000.0));
    let table = tables.cross_table();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["#", "player", "1", "2", "3", "total"]);
    assert_eq!(rows[1], ["1", "a", "x", "1.5/2", "2/2", "3.5/4"]);
    assert_eq!(rows[2], ["2", "b", "0.5/2", "x", "2/2", "2.5/4"]);
    assert_eq!(rows[3], ["3", "c", "0/2", "0/2", "x", "0/4"]);
}
