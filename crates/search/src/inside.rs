//! Tests of what only the inside of a search shows.

use core::sync::atomic::{AtomicBool, AtomicU64};

use quadrille_games::chess::Chess;
use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::{Line, Position};

use crate::bench::bench_positions;
use crate::control::Control;
use crate::known_values::KnownValues;
use crate::limits::Limits;
use crate::node::refined;
use crate::playable::{Evaluator, Playable};
use crate::pruning::is_far_above;
use crate::report::Bound;
use crate::root::{RootLine, root_moves};
use crate::score::{DECIDED, MAX_EVAL, TABLE_WIN, Value};
use crate::time::Budget;
use crate::transposition::{Entry, NO_EVAL, TranspositionTable};
use crate::tunables as t;
use crate::worker::{Counter, Memory, Shared, Worker, evaluator};

fn small_table() -> TranspositionTable {
    let mut table = TranspositionTable::new();
    table.resize(1);
    table
}

fn line<P: Playable>(text: &str) -> Line<P> {
    Line::new(P::from_text(text, &P::Rules::default()).expect("a position"))
}

/// Has a worker do something at the end of a line, with this table.
fn with_worker<P: Playable, R>(
    line: &Line<P>,
    table: &TranspositionTable,
    limits: &Limits<P::Move>,
    work: impl FnOnce(&mut Worker<'_, P>) -> R,
) -> R {
    let control = Control::new();
    let shared = Shared {
        table,
        budget: Budget::new(limits, line.position().pace(), &control),
        limits,
        control: &control,
        stop: AtomicBool::new(false),
        counters: vec![Counter::default()],
        taken: AtomicU64::new(0),
        known: &KnownValues::default(),
        net: None,
        endgame_tables: None,
        slice_end: None,
    };
    let mut memory = Memory::new();
    let mut worker = Worker::new(0, line, &mut memory, &shared, None);
    worker.root = root_moves(line.position(), &limits.only)
        .into_iter()
        .map(RootLine::new)
        .collect();
    work(&mut worker)
}

/// Black has just traded places with a Pawn, so White may not trade back,
/// which would save it. Without that trade before, it may.
#[test]
fn what_ko_loses_is_not_lost_without_it() {
    let mut traded = line::<Leiser>("ss2nwsw3/4sw3/8/2ne4SW/5SW2/2neSE1NWNE1/1SE6/7NN B");
    traded.play("c2b1").expect("a legal move");
    let free = line::<Leiser>(&traded.position().text());
    assert_eq!(free.position().hash(), traded.position().hash());
    let table = small_table();
    let value = |line: &Line<Leiser>| -> Value {
        with_worker(line, &table, &Limits::default(), |worker| {
            worker.node::<false>(0, 3, -DECIDED - 1, -DECIDED, false)
        })
    };
    assert!(value(&traded) < -DECIDED);
    assert!(value(&free) >= -DECIDED);
}

#[test]
fn the_root_is_remembered_and_judged_like_any_node() {
    let line = Line::new(Chess::start(&<_>::default()));
    let key = line.position().tree_key(0);
    let table = small_table();
    let (eval, best) = with_worker(&line, &table, &Limits::to_depth(5), |worker| {
        worker.iterate();
        (worker.memory.stack.at(0).eval, worker.root[0].m)
    });
    assert_ne!(eval, NO_EVAL);
    let entry = table.probe(key, 0).expect("the root");
    // After a fail high the root is searched a little less deep.
    assert!((4..=5).contains(&entry.depth) && entry.was_pv);
    assert_eq!(entry.best, quadrille_games::GameMove::to_bits(best));
    // Some of the moves are not the root's value.
    let only = Limits {
        only: vec![best],
        ..Limits::to_depth(3)
    };
    let table = small_table();
    let completed = with_worker(&line, &table, &only, |worker| {
        worker.iterate();
        worker.completed
    });
    assert_eq!((completed, table.probe(key, 0)), (3, None));
}

fn entry(value: Value, bound: Bound, was_pv: bool) -> Entry {
    Entry {
        best: 0,
        value,
        eval: NO_EVAL,
        depth: 0,
        bound,
        was_pv,
    }
}

#[test]
fn quiescence_does_not_forget_a_principal_variation() {
    let line = Line::new(Chess::start(&<_>::default()));
    let key = line.position().tree_key(0);
    for was_pv in [true, false] {
        let table = small_table();
        table.store(key, 0, entry(-500, Bound::Lower, was_pv));
        with_worker(&line, &table, &Limits::default(), |worker| {
            worker.quiesce::<false>(0, 400, 401, 0)
        });
        let found = table.probe(key, 0).expect("an entry");
        assert_eq!((found.bound, found.was_pv), (Bound::Upper, was_pv));
    }
}

/// What endgame tables say is no evaluation, so no margin applies to it.
#[test]
fn table_wins_are_not_evaluations() {
    for value in [TABLE_WIN - 7, 7 - TABLE_WIN] {
        let entry = entry(value, Bound::Exact, false);
        assert_eq!(refined(25, Some(&entry)), 25);
        assert!(!is_far_above::<Chess>(MAX_EVAL, value, 1, true, 0));
    }
    assert!(is_far_above::<Chess>(MAX_EVAL, 0, 1, true, 0));
}

#[test]
fn a_pass_hands_on_the_count_of_double_extensions() {
    let line = Line::new(Chess::start(&<_>::default()));
    with_worker(&line, &small_table(), &Limits::default(), |worker| {
        worker.memory.stack.at_mut(0).doubles = 2;
        worker.memory.stack.at_mut(1).doubles = 5;
        let undo = worker.pass(0);
        assert_eq!(worker.memory.stack.at(1).doubles, 2);
        worker.unpass(undo);
    });
}

/// With pawns alone nothing is pruned: every legal move of a node is tried, so
/// that a win of the exchange by a late move is not missed.
#[test]
fn pawn_endings_are_searched_whole() {
    let pawns = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1";
    let rooks = "r3k3/pppp4/8/8/8/8/4PPPP/4K2R w - - 0 1";
    assert!(!line::<Chess>(pawns).position().has_pieces());
    assert!(line::<Chess>(rooks).position().has_pieces());
    assert!(!line::<Liberty>(pawns).position().has_pieces());
    assert!(line::<Liberty>(rooks).position().has_pieces());
    let line = line::<Chess>(pawns);
    let tried = with_worker(&line, &small_table(), &Limits::default(), |worker| {
        let before = worker.nodes;
        // Hopelessly below alpha: elsewhere all but the first moves go unseen.
        worker.node::<false>(0, 1, 5_000, 5_001, false);
        worker.nodes - before
    });
    assert_eq!(tried, line.position().moves().len() as u64);
}

/// Standing still is worth less while the opponent is about to win, and only
/// then; asked once for each node.
#[test]
fn a_threat_to_win_spoils_standing_still() {
    let mut seen = [0; 2];
    for number in (0..Gyges::STARTS).step_by(97) {
        let start = Gyges::start_numbered(number, &GygesRules::default()).expect("a start");
        let mut line = Line::new(start);
        for ply in 0..8 {
            let moves = line.position().moves();
            let Some(&m) = moves.get((number + 13 * ply) % moves.len().max(1)) else {
                break;
            };
            line.push(m);
            let position = line.position();
            if position.outcome().is_some() || position.can_win() {
                break;
            }
            let threat = position.is_threatened();
            seen[usize::from(threat)] += 1;
            let (eval, value) = with_worker(&line, &small_table(), &Limits::default(), |worker| {
                let eval = worker.raw_eval();
                (eval, worker.quiesce::<false>(0, eval - 1, eval, 0))
            });
            let less = if threat { t::threat() } else { 0 };
            assert_eq!(value, eval - less, "{position:?}");
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// An evaluation that went on from other positions says what a new one says.
#[test]
fn a_restarted_evaluation_is_as_good_as_new() {
    fn check<P: Playable>() {
        let positions = bench_positions::<P>(&P::Rules::default());
        for net in [None, P::own_net()] {
            let mut kept = evaluator(&positions[0], net.as_ref());
            for position in &positions {
                // Left in the middle of a line, as a search that is stopped leaves it.
                kept.push();
                kept.restart(position);
                let fresh = evaluator(position, net.as_ref()).evaluate(position);
                assert_eq!(kept.evaluate(position), fresh, "{}", position.text());
            }
        }
    }
    check::<Chess>();
    check::<Liberty>();
    check::<Leiser>();
    check::<Gyges>();
}
