//! The way from games to parameter files.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use quadrille_games::chess::Chess;
use quadrille_games::{Position, Side};
use quadrille_lab::fit::{Fit, FitSettings, Values, predict};
use quadrille_lab::openings::Opening;
use quadrille_lab::positions::quiet_positions;
use quadrille_lab::sample::Samples;
use quadrille_lab::{Games, Played, Preset, Run, Settings, run, write};
use quadrille_search::Evaluator;
use quadrille_search::chess::features::COUNT;
use quadrille_search::chess::{ChessEvaluator, FeatureCounts, worth};
use tempfile::TempDir;

fn present() -> Values {
    (0..COUNT)
        .map(|feature| {
            let pair = worth(feature);
            [pair.middlegame() as f32, pair.endgame() as f32]
        })
        .collect()
}

/// A file of a few quick games.
fn some_games() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let run_ = Run {
        settings: Settings {
            nodes: 150,
            hash: 1,
            seed: 8,
            preset: Preset::Values,
        },
        games: 24,
        threads: 2,
        engine: "test".into(),
    };
    run::<Chess>(&run_, &path, &AtomicBool::new(false), |_| {}).unwrap();
    (folder, path)
}

fn settings(threads: usize) -> FitSettings {
    FitSettings {
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
    let (_folder, path) = some_games();
    let fitted = |threads: usize| {
        let mut samples = Samples::default();
        let contents = samples.read(&path, threads).unwrap();
        assert_eq!((contents.positions, contents.torn), (samples.list.len(), 0));
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
    let (_folder, path) = some_games();
    let values = present();
    let mut counts = FeatureCounts::new();
    let mut compared = 0;
    let mut check = |game: &Played<Chess>, position: &Chess, score: i32| {
        let mut samples = Samples::default();
        if !samples.push(game, position, score, &mut counts) {
            return;
        }
        let value = ChessEvaluator::new(position).evaluate(position);
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
    };
    let mut games = Games::open(&path).unwrap();
    while let Some(block) = games.next_block::<Chess>(&Chess::run_rules()).unwrap() {
        for game in &block {
            quiet_positions(game, |position, score| check(game, position, score));
        }
    }
    assert!(compared > 200);
}

/// Lines of a file about its origin.
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
