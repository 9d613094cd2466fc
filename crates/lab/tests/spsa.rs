//! Tuning of the search's numbers. They belong to the process: a program of its own, so
//! that no other test plays with them meanwhile.

use quadrille_lab::spsa::{SpsaSettings, numbers, run};

/// Numbers of the search move, stay in their ranges, and move alike whether a run is
/// stopped or not.
#[test]
fn a_stopped_run_comes_to_the_same_end() {
    let settings = |seed| SpsaSettings {
        iterations: 2,
        games: 2,
        nodes: 200,
        seed,
        numbers: numbers(["lmr_quiet_base_tuned=1500", "late_base=5"].into_iter()).unwrap(),
        ..SpsaSettings::default()
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
