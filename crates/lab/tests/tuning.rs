//! The way from games to parameter files.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use quadrille_games::random::SplitMix64;
use quadrille_lab::fit::{Fit, Settings, Values, predict};
use quadrille_lab::sample::Samples;
use quadrille_lab::values_play as play;
use quadrille_lab::write;
use quadrille_search::Searcher;
use quadrille_search::chess::features::COUNT;
use quadrille_search::chess::worth;

fn present() -> Values {
    (0..COUNT)
        .map(|feature| {
            let pair = worth(feature);
            [pair.middlegame() as f32, pair.endgame() as f32]
        })
        .collect()
}

/// Whoever plays: the numbers of the search belong to the process, and a test sets
/// them.
static PLAYING: Mutex<()> = Mutex::new(());

/// Positions of a few quick games.
fn some_positions() -> Vec<u8> {
    let _alone = PLAYING.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = play::Settings {
        nodes: 150,
        random_plies: 8,
        shuffled: 0,
    };
    let mut searcher = Searcher::new();
    searcher.set_hash(1);
    let mut random = SplitMix64::new(8);
    (0..24)
        .flat_map(|number| play::game(&mut searcher, &settings, &mut random, number))
        .flat_map(|record| record.0)
        .collect()
}

fn settings(threads: usize) -> Settings {
    Settings {
        epochs: 4,
        batch: 128,
        rate: 2.0,
        result_share: 0.5,
        prior: 100.0,
        king_prior: 100.0,
        threads,
        seed: 1,
    }
}

#[test]
fn fitting_lowers_the_error_and_does_not_depend_on_threads() {
    let bytes = some_positions();
    let fitted = |threads: usize| {
        let (samples, _) = Samples::read(&bytes, threads);
        assert!(samples.list.len() > 200, "{}", samples.list.len());
        let mut fit = Fit::new(&samples, settings(threads), present());
        let before = fit.errors();
        for epoch in 0..4 {
            fit.epoch(epoch);
        }
        let after = fit.errors();
        assert!(after[0] < before[0], "{before:?} {after:?}");
        fit.values().clone()
    };
    assert_eq!(fitted(1), fitted(3));
}

/// The tuner's sum of counts is the evaluation the search uses.
#[test]
fn predictions_are_the_evaluation() {
    use quadrille_games::{Position, Side};
    use quadrille_lab::record::{Record, SIZE};
    use quadrille_search::Evaluator;
    use quadrille_search::chess::ChessEvaluator;
    let bytes = some_positions();
    let values = present();
    let mut compared = 0;
    for chunk in bytes.chunks_exact(SIZE) {
        let (samples, skipped) = Samples::read(chunk, 1);
        if skipped > 0 {
            continue;
        }
        let position = Record(chunk.try_into().unwrap()).position().unwrap();
        let value = ChessEvaluator::new(&position).evaluate(&position);
        let white = if position.side() == Side::White {
            value
        } else {
            -value
        };
        let predicted = predict(&samples, &samples.list[0], &values);
        // Whole numbers are cut twice on the way.
        assert!(
            (predicted - white as f32).abs() < 2.0,
            "{predicted} {white}"
        );
        compared += 1;
    }
    assert!(compared > 200);
}

/// What a file says about its origin.
fn history(text: &str) -> Vec<String> {
    text.lines()
        .skip_while(|line| *line != "//! ```text")
        .skip(1)
        .take_while(|line| *line != "//! ```")
        .map(|line| line.trim_start_matches("//! ").to_owned())
        .collect()
}

/// The parameter files are exactly what the tuner writes, so that the next run
/// changes numbers and nothing else.
#[test]
fn parameter_files_are_as_the_tuner_writes_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../search/src/chess");
    let values = present();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let text = read("params.rs");
    assert_eq!(text, write::params(&values, &history(&text)));
    let text = read("king_tables.rs");
    assert_eq!(text, write::king_tables(&values, &history(&text)));
}

/// Numbers of the search move, stay in their ranges, and move alike whether a run is
/// stopped or not.
#[cfg(feature = "search-numbers")]
#[test]
fn a_stopped_run_comes_to_the_same_end() {
    use quadrille_lab::spsa::{Settings, numbers, run};
    let _alone = PLAYING.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = |seed| Settings {
        iterations: 2,
        games: 2,
        nodes: 200,
        seed,
        numbers: numbers(["lmr_quiet_base_tuned=1500", "late_base=5"].into_iter()).unwrap(),
        ..Settings::default()
    };
    // The better side of an opening may well win both of its games: not every seed
    // brings a result.
    let (seed, whole) = (1..50)
        .map(|seed| (seed, run(settings(seed), None, |_| Ok(true)).unwrap()))
        .find(|(_, course)| {
            course
                .values()
                .any(|(n, v)| (v - f64::from(n.of.default)).abs() > 0.0)
        })
        .expect("numbers that differ so much win games");
    assert_eq!((whole.done(), whole.games()), (2, 4));
    for (number, value) in whole.values() {
        assert!(
            number.range().contains(&value),
            "{} {value}",
            number.of.name
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let half = run(settings(seed), Some(&state), |_| Ok(false)).unwrap();
    assert_eq!(half.done(), 1);
    let rest = run(settings(seed), Some(&state), |_| Ok(true)).unwrap();
    assert_eq!(rest, whole);
    // It is over: nothing is played again.
    let again = run(settings(seed), Some(&state), |_| Err("played".into()));
    assert_eq!(again, Ok(whole));
    let other = run(settings(seed + 1), Some(&state), |_| Ok(true));
    assert!(other.unwrap_err().contains("seed"));
    std::fs::write(&state, b"quadrille spsa 1\n\xff").unwrap();
    assert!(run(settings(seed), Some(&state), |_| Ok(true)).is_err());
    assert!(run(settings(seed), Some(folder.path()), |_| Ok(true)).is_err());
}
