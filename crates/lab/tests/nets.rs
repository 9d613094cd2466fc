//! From games to a net, without a graphics card.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use quadrille_games::Position;
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_lab::openings::Opening;
use quadrille_lab::{
    Export, Preset, Rows, Run, Settings, Stats, TrainError, Training, export, run, shuffle, train,
};
use quadrille_search::net::Inputs;
use quadrille_search::{Evaluator, Playable, Searcher};

fn games<P: Opening>(out: &std::path::Path, games: u64, seed: u64) {
    let run_ = Run {
        settings: Settings {
            nodes: 60,
            hash: 1,
            seed,
            preset: Preset::Standard,
        },
        games,
        threads: 1,
        engine: "a test".into(),
    };
    run::<P>(&run_, out, &AtomicBool::new(false), |_| {}).expect("games");
}

#[test]
fn games_become_rows_and_rows_become_a_net() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    games::<Chess>(&file("a.games"), 100, 5);
    let to = Rows {
        training: file("train.rows"),
        validation: file("valid.rows"),
    };
    let how = Export {
        beside: 8,
        validation: 10,
        threads: 3,
    };
    let exported = export(&[file("a.games")], &to, how).expect("rows");
    assert_eq!(exported.games, 100);
    assert!(exported.training > 10_000, "{exported:?}");
    assert!(exported.validation > 30, "{exported:?}");

    let bytes = std::fs::read(&to.training).expect("rows");
    let again = Export { threads: 1, ..how };
    export(&[file("a.games")], &to, again).expect("rows");
    let alone = std::fs::read(&to.training).expect("rows");
    assert!(bytes == alone, "rows do not depend on threads");

    let how = Training {
        epochs: 8,
        ..Training::default()
    };
    let trained = train(&to.training, &to.validation, &how, |_| {}).expect("a net");
    // A hundred games teach little, and which ones they are depends on the engine.
    assert!(
        trained.validation < 0.8 * trained.ignorance,
        "{} of {}",
        trained.validation,
        trained.ignorance
    );
    assert!(trained.rounding < 5.0, "{}", trained.rounding);

    let mut searcher = Searcher::<Chess>::new();
    searcher.set_net(Some(Chess::read_net(&trained.file).expect("its own file")));
    let value = |searcher: &mut Searcher<Chess>, fen: &str| {
        let rules = <Chess as Position>::Rules::default();
        searcher.evaluate(&Chess::from_text(fen, &rules).expect("a position"))
    };
    let without_queen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let queen = value(&mut searcher, without_queen);
    let without_rook = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1";
    let rook = -value(&mut searcher, without_rook);
    assert!(rook > 20 && queen > rook, "a rook {rook}, a queen {queen}");
}

/// A net that adds to the hand-written evaluation begins as nothing and learns
/// at least to do no harm.
fn adds_to_hand_written<P: Opening + Inputs>() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    games::<P>(&file("a.games"), 60, 5);
    let to = Rows {
        training: file("train.rows"),
        validation: file("valid.rows"),
    };
    let how = Export {
        validation: 5,
        ..Export::default()
    };
    let exported = export(&[file("a.games")], &to, how).expect("rows");
    assert!(
        exported.training > 200 && exported.validation > 20,
        "{exported:?}"
    );
    let how = |epochs: u32| Training {
        epochs,
        rate: 1e-3,
        ..Training::default()
    };
    let nothing = train(&to.training, &to.validation, &how(0), |_| {}).expect("a net");
    assert!(
        (nothing.validation - nothing.ignorance).abs() < 1e-6,
        "{nothing:?}"
    );
    let trained = train(&to.training, &to.validation, &how(2), |_| {}).expect("a net");
    assert!(trained.validation < 1.05 * trained.ignorance);
    assert!(trained.rounding < 5.0, "{}", trained.rounding);

    let start = P::start(&P::Rules::default());
    let value = |file: &[u8]| {
        let mut searcher = Searcher::<P>::new();
        searcher.set_net(Some(P::read_net(file).expect("its own file")));
        searcher.evaluate(&start)
    };
    let by_hand = P::Eval::new(&start).evaluate(&start);
    assert_eq!(value(&nothing.file), by_hand);
    assert_ne!(value(&trained.file), by_hand);
}

#[test]
fn nets_add_to_hand_written_values() {
    adds_to_hand_written::<Leiser>();
    adds_to_hand_written::<Gyges>();
    adds_to_hand_written::<Liberty>();
}

#[test]
fn rows_of_two_games_make_no_net() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    games::<Gyges>(&file("gyges.games"), 5, 1);
    games::<Leiser>(&file("leiser.games"), 2, 1);
    let rows = |game: &str| {
        let to = Rows {
            training: file(&format!("{game}.train.rows")),
            validation: file(&format!("{game}.valid.rows")),
        };
        let from = file(&format!("{game}.games"));
        export(&[from], &to, Export::default()).expect("rows");
        to.training
    };
    let mixed = train(
        &rows("gyges"),
        &rows("leiser"),
        &Training::default(),
        |_| {},
    );
    let error = mixed.expect_err("two games").to_string();
    assert!(error.contains("rows of 'leiser-1152-octant-1'"), "{error}");
}

#[test]
fn shuffled_files_hold_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    games::<Chess>(&file("a.games"), 5, 1);
    games::<Chess>(&file("b.games"), 4, 2);
    let both = [file("a.games"), file("b.games")];
    assert_eq!(
        shuffle(&both, &file("c.games"), 9).expect("a file").games,
        9
    );
    let plies = |name: &str| Stats::of::<Chess>(&file(name)).expect("stats").plies;
    assert_eq!(plies("c.games"), plies("a.games") + plies("b.games"));
    shuffle(&both, &file("d.games"), 9).expect("a file");
    shuffle(&both, &file("e.games"), 10).expect("a file");
    let bytes = |name: &str| std::fs::read(file(name)).expect("a file");
    assert_eq!(bytes("c.games"), bytes("d.games"));
    assert_ne!(bytes("c.games"), bytes("e.games"));
    let again = shuffle(&both, &file("c.games"), 9);
    assert!(again.is_err(), "an existing file is not touched");
}

#[test]
fn what_cannot_be_exported_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let to = Rows {
        training: file("a.train.rows"),
        validation: file("a.valid.rows"),
    };
    games::<Gyges>(&to.training, 3, 1);
    games::<Leiser>(&file("leiser.games"), 1, 1);
    let before = std::fs::read(&to.training).expect("games");
    let error = |files: &[PathBuf]| {
        let error = export(files, &to, Export::default()).expect_err("no rows");
        assert_eq!(std::fs::read(&to.training).expect("games"), before);
        assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 2);
        error.to_string()
    };
    let said = error(std::slice::from_ref(&to.training));
    assert!(said.contains("this file is read here"), "{said}");
    let said = error(&[file("leiser.games"), to.training.clone()]);
    assert!(said.contains("but the first file is leiser"), "{said}");
    let mixed = shuffle(&[file("leiser.games"), to.training.clone()], &file("s"), 1);
    let said = mixed.expect_err("two games").to_string();
    assert!(said.contains("but the first file is leiser"), "{said}");

    // Damage is found when half of the rows are written.
    games::<Gyges>(&to.training, 4, 1);
    let mut bytes = std::fs::read(&to.training).expect("games");
    bytes[before.len() - 1] ^= 1;
    std::fs::write(file("leiser.games"), bytes).expect("writes");
    std::fs::write(&to.training, &before).expect("writes");
    let said = error(&[file("leiser.games")]);
    assert!(said.contains("damaged"), "{said}");

    // A torn end is what a killed run leaves: told, and left out.
    std::fs::write(file("leiser.games"), &before[..before.len() - 1]).expect("writes");
    std::fs::remove_file(&to.training).expect("there");
    let exported = export(&[file("leiser.games")], &to, Export::default()).expect("rows");
    assert_eq!((exported.games, exported.torn.len()), (0, 1));
}

#[test]
fn bad_rows_and_bad_settings_train_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    games::<Gyges>(&file("games"), 5, 1);
    let to = Rows {
        training: file("train.rows"),
        validation: file("valid.rows"),
    };
    export(&[file("games")], &to, Export::default()).expect("rows");
    let error = |how: Training| train(&to.training, &to.training, &how, |_| {}).expect_err("none");
    let usual = Training::default();
    for neurons in [0, 33, 4096] {
        let error = error(Training { neurons, ..usual });
        assert!(matches!(error, TrainError::Neurons(_)), "{error}");
    }
    for wdl in [f32::NAN, -0.1, 1.5] {
        let error = error(Training { wdl, ..usual });
        assert!(matches!(error, TrainError::Share(_)), "{error}");
    }
    let mut rows = std::fs::read(&to.training).expect("rows");
    let whole = rows.len();
    rows.pop();
    std::fs::write(&to.training, &rows).expect("writes");
    let said = error(usual).to_string();
    assert!(said.contains("cut short behind"), "{said}");

    // The last row alone, as if it had not been played.
    rows.push(0);
    let row = 4 * Gyges::SHAPE.most + 8;
    let text = u32::from_le_bytes(rows[8..12].try_into().expect("four bytes"));
    let head = 12 + text as usize;
    let mut alone = rows[..head].to_vec();
    alone.extend_from_slice(&rows[whole - row..]);
    let result = alone.len() - 2;
    alone[result] = 3;
    std::fs::write(&to.training, &alone).expect("writes");
    let said = error(usual).to_string();
    assert!(
        said.contains("no row of a position that was played"),
        "{said}"
    );
}
