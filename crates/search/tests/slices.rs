//! Searching in slices, as a caller with one thread for everything does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::support::{Keep, check_progress, chess};
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::{Leiser, LeiserRules};
use quadrille_games::liberty::Liberty;
use quadrille_games::{Line, Position};
use quadrille_search::{
    Answer, Assignment, Bound, Control, Limits, Moment, Playable, Score, Searcher, TimeSource,
};

/// A clock that goes on by a millisecond whenever it is looked at.
#[derive(Debug, Default)]
struct Looks(AtomicU64);

impl TimeSource for Looks {
    fn now(&self) -> Moment {
        let looks = self.0.fetch_add(1, Ordering::Relaxed);
        Moment::after_origin(Duration::from_millis(looks))
    }
}

fn control() -> Control {
    Control::timed_by(Arc::new(Looks::default()))
}

/// Searches in slices of that many milliseconds; calls `between` after each, and
/// gives the answer with the number of slices.
fn in_slices<P: Playable>(
    line: &Line<P>,
    limits: &Limits<P::Move>,
    control: &Control,
    slice: u64,
    mut between: impl FnMut(usize),
) -> (Answer<P::Move>, usize) {
    let assignment = Assignment {
        line,
        limits,
        control,
    };
    let mut searcher = Searcher::new();
    let mut keep = Keep(Vec::new());
    let mut search = searcher.begin(assignment);
    let slice = Some(Duration::from_millis(slice));
    for slices in 1..100_000 {
        if let Some(answer) = searcher.advance(&mut search, assignment, slice, &mut keep) {
            for progress in &keep.0 {
                check_progress(line, progress);
            }
            let depths: Vec<u32> = keep.0.iter().map(|p| p.lines[0].depth).collect();
            assert!(depths.is_sorted(), "{depths:?}");
            return (answer, slices);
        }
        between(slices);
    }
    panic!("the search does not come to an end");
}

/// Even where hardly an iteration fits into its slice the search gets as deep as
/// asked, and what it answers is a whole answer.
#[test]
fn every_game_is_searched_to_its_depth() {
    fn check<P: Playable>(depth: u32) {
        let line = Line::new(P::start(&P::Rules::default()));
        let limits = Limits::to_depth(depth);
        let (answer, slices) = in_slices(&line, &limits, &control(), 1, |_| {});
        check_progress(&line, &answer.last);
        let best = answer.best.expect("a move");
        assert!(line.position().is_legal(best));
        assert_eq!(answer.last.lines[0].depth, depth, "{}", P::GAME);
        assert!(slices > depth as usize / 2, "{}: {slices} slices", P::GAME);
    }
    check::<Chess>(9);
    check::<Liberty>(8);
    check::<Leiser>(7);
    check::<Gyges>(7);
}

/// A search that is never interrupted is the search without slices, node by node.
#[test]
fn one_long_slice_changes_nothing() {
    let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let limits = Limits::to_depth(8);
    let (answer, slices) = in_slices(&line, &limits, &control(), 1_000_000, |_| {});
    let whole = Searcher::new().go(&line, &limits, &Control::new(), &mut ());
    assert_eq!(slices, 1);
    assert_eq!(
        (answer.best, answer.last.nodes, &answer.last.lines),
        (whole.best, whole.last.nodes, &whole.last.lines)
    );
}

#[test]
fn limits_and_stop_are_obeyed_between_slices() {
    let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let (answer, _) = in_slices(&line, &Limits::to_nodes(50_000), &control(), 1, |_| {});
    assert_eq!(answer.last.nodes, 50_000);
    let time = Limits::for_time(Duration::from_secs(2));
    let (answer, slices) = in_slices(&line, &time, &control(), 5, |_| {});
    assert!(answer.best.is_some() && slices > 1, "{slices} slices");
    let endless = Limits {
        infinite: true,
        ..Limits::default()
    };
    let control = control();
    let stop = |slices| {
        if slices == 20 {
            control.stop();
        }
    };
    let (answer, slices) = in_slices(&line, &endless, &control, 5, stop);
    assert!(answer.best.is_some());
    assert_eq!(slices, 21);
}

/// Several lines survive being broken off.
#[test]
fn several_lines_in_slices() {
    let line = Line::new(Chess::default());
    let limits = Limits {
        lines: 4,
        ..Limits::to_depth(7)
    };
    let (answer, slices) = in_slices(&line, &limits, &control(), 1, |_| {});
    assert!(slices > 3);
    let firsts: Vec<_> = answer.last.lines.iter().map(|l| l.moves[0]).collect();
    assert_eq!(firsts.len(), 4);
    assert!(
        firsts
            .iter()
            .all(|m| firsts.iter().filter(|n| *n == m).count() == 1)
    );
    assert!(answer.last.lines.is_sorted_by_key(|l| -l.score.value()));
}

/// A slice of no length is a short one, and one without end goes to the end, also
/// after others.
#[test]
fn slices_of_any_length_are_understood() {
    let line = Line::new(Chess::default());
    let limits = Limits::to_depth(10);
    let control = control();
    let (answer, _) = in_slices(&line, &limits, &control, 0, |_| {});
    assert_eq!(answer.last.lines[0].depth, 10);
    let assignment = Assignment {
        line: &line,
        limits: &limits,
        control: &control,
    };
    let mut searcher = Searcher::new();
    let mut search = searcher.begin(assignment);
    let mut advance = |slice| searcher.advance(&mut search, assignment, Some(slice), &mut ());
    for _ in 0..3 {
        assert!(advance(Duration::from_millis(1)).is_none());
    }
    assert!(advance(Duration::MAX).is_some());
}

/// Once a second has passed an iteration is reported while it is under way. Lines
/// that it has not come to have no value yet.
#[test]
fn lines_of_an_unfinished_iteration_have_a_value() {
    let line = Line::new(Leiser::start(&LeiserRules::default()));
    let limits = Limits {
        lines: 40,
        since: Some(Moment::default()),
        ..Limits::to_depth(5)
    };
    let late = Control::timed_by(Arc::new(Looks(AtomicU64::new(2000))));
    let mut keep = Keep(Vec::new());
    Searcher::new().go(&line, &limits, &late, &mut keep);
    let lines: Vec<_> = keep.0.iter().flat_map(|p| &p.lines).collect();
    assert!(lines.iter().any(|line| line.bound != Bound::Exact));
    for line in lines {
        assert!(matches!(line.score, Score::Cp(_)), "{line:?}");
    }
}
