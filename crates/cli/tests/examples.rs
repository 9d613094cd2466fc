//! The examples do what they show.

use quadrille_match::stats::Decision;
use quadrille_match::tournament::Verdict;

#[path = "../examples/match_in_memory.rs"]
#[expect(dead_code, reason = "an example has a main function of its own")]
mod match_in_memory;

#[test]
fn a_match_of_engines_in_memory_is_ended_by_its_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let summary = match_in_memory::play(folder.path()).expect("a match");
    let standing = summary.results.standing();
    assert_eq!(summary.verdict(), Verdict::Good);
    assert_eq!(standing.decision(), Some(Decision::AcceptH1));
    assert!(
        standing.finished < 1000 && !summary.complete,
        "{standing:?}"
    );
    let faults = |player| summary.results.tables.terminations(player);
    for player in [0, 1] {
        let words: Vec<_> = faults(player).into_iter().flatten().map(|w| w.0).collect();
        assert!(!words.iter().any(|w| w.contains("disconnect")), "{words:?}");
    }
}
