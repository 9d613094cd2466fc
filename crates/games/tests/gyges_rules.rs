//! Gyges: invariants of positions, endings, paths and repetition.

use std::collections::HashMap;

use quadrille_games::gyges::{Gyges, GygesMove, GygesRules, NoChange, Rings};
use quadrille_games::random::SplitMix64;
use quadrille_games::{GameMove, Line, MoveKind, Observer, Outcome, Position, Reason, Side};

const STRICT: GygesRules = GygesRules {
    no_change: NoChange::Forbid,
};
const LOOSE: GygesRules = GygesRules {
    no_change: NoChange::Accept,
};

fn read(text: &str) -> Gyges {
    Gyges::from_text(text, &STRICT).expect("a legal board")
}

/// Keeps its own board from what it is told and insists on its coherence.
#[derive(Clone, Default, PartialEq, Debug)]
struct Mirror(HashMap<u16, Rings>);

impl Mirror {
    fn of(position: &Gyges) -> Self {
        let mut mirror = Self::default();
        position.pieces(|rings, square| mirror.added(rings, square));
        mirror
    }
}

impl Observer<Rings> for Mirror {
    fn added(&mut self, piece: Rings, square: u16) {
        assert_eq!(self.0.insert(square, piece), None, "two pieces on {square}");
    }

    fn removed(&mut self, piece: Rings, square: u16) {
        assert_eq!(self.0.remove(&square), Some(piece), "not on {square}");
    }
}

#[test]
fn random_games_keep_every_promise() {
    let mut lot = SplitMix64::new(42);
    let mut endings = HashMap::new();
    for seed in 0..150 {
        let rules = if seed % 2 == 0 { STRICT } else { LOOSE };
        let mut position = Gyges::random_start(seed, &rules);
        let mut mirror = Mirror::of(&position);
        for ply in 0..60 {
            assert_eq!(Position::hash(&position), position.recomputed_hash());
            assert_eq!(position.reversible_plies(), ply);
            assert_eq!(
                Gyges::from_text(&position.text(), &rules).as_ref(),
                Ok(&position)
            );
            let moves = position.moves();
            if let Some(outcome) = position.outcome() {
                assert!(moves.is_empty());
                assert_eq!(position.count_moves(), 0);
                *endings.entry(outcome.reason).or_insert(0) += 1;
                break;
            }
            for &m in moves.iter().step_by(7) {
                let before = position;
                let undo = position.make(m, &mut ());
                assert_eq!(Position::hash(&position), position.recomputed_hash());
                assert_eq!(before.result_key(m), Position::hash(&position));
                assert_eq!(before.after(m), position);
                position.unmake(m, undo);
                assert_eq!(position, before);
                assert_eq!(Position::hash(&position), Position::hash(&before));
                assert_eq!(position.reversible_plies(), before.reversible_plies());
            }
            let mut split = Vec::new();
            position.generate(MoveKind::Tactical, |m| split.push(m));
            assert!(split.iter().all(|&m| position.is_tactical(m)));
            position.generate(MoveKind::Quiet, |m| {
                assert!(!position.is_tactical(m));
                split.push(m);
            });
            let mut all = moves.clone();
            all.sort_unstable();
            split.sort_unstable();
            assert_eq!(split, all);
            let m = moves[lot.index(moves.len())];
            position.make(m, &mut mirror);
            assert_eq!(mirror, Mirror::of(&position));
        }
    }
    assert!(endings.get(&Reason::Goal) >= Some(&10), "{endings:?}");
}

#[test]
fn making_junk_never_panics() {
    let mut lot = SplitMix64::new(99);
    for seed in 0..300 {
        let mut position = Gyges::random_start(seed, &STRICT);
        for _ in 0..30 {
            let code = lot.index(1 << 18) as u64;
            position.make(GygesMove::from_bits(code), &mut ());
            position.count_moves();
            position.outcome();
            position.can_win();
            assert!(!position.draw().is_empty() && !position.text().is_empty());
            position.ugi_text();
            assert_eq!(position.turned().turned(), position);
        }
    }
}

#[test]
fn a_goal_ends_the_game() {
    let mut position = read("000000/000000/000000/000000/112233/112233");
    assert_eq!(position.outcome(), None);
    assert!(position.can_win());
    let m = position.winning_move().expect("vectors say two");
    assert!(m.is_goal() && position.is_legal(m));
    position.make(m, &mut ());
    let win = Outcome::win(Side::White, Reason::Goal);
    assert_eq!(position.outcome(), Some(win));
    assert_eq!(position.winner(), Some(Side::White));
    assert_eq!(position.moves(), []);
    assert!(!position.can_win() && !position.has_move());
    assert_eq!(Position::hash(&position), position.recomputed_hash());
    // The protocol cannot say this; our own text can.
    assert!(position.text().contains("/0") && position.text().ends_with(" two"));
    assert_eq!(Gyges::from_text(&position.text(), &STRICT), Ok(position));
    assert_eq!(position.turned().winner(), Some(Side::Black));
    let turned = position.turned();
    assert_eq!(Gyges::from_text(&turned.text(), &STRICT), Ok(turned));
}

#[test]
fn exact_steps_into_the_goal() {
    // Each case: a board with side 1 to move, and whether it can win.
    let cases = [
        ("000000/000000/000000/000000/000000/100000", true),
        ("000000/000000/000000/000000/100000/000000", false),
        ("000000/000000/000000/000000/200000/000000", true),
        ("000000/000000/000000/000000/000000/300000", true),
        ("000000/000000/000000/000000/000000/200000", true),
        ("000000/000000/000000/300000/000000/000000", true),
        ("000000/000000/300000/000000/000000/000000", false),
        ("000000/000000/000000/000000/300000/000000", true),
        // The own goal never counts.
        ("100000/000000/000000/000000/000000/000000", false),
    ];
    for (text, wins) in cases {
        let position = Gyges::from_text_any_count(text, &STRICT).expect("lenient");
        assert_eq!(position.can_win(), wins, "{text}");
        let by_list = position.moves().iter().any(|m| m.is_goal());
        assert_eq!(by_list, wins, "{text}");
        assert_eq!(position.turned().can_win(), wins, "{text} turned");
    }
}

#[test]
fn no_move_is_a_draw() {
    let position = read("draw");
    assert_eq!(position.moves(), []);
    let draw = Outcome::draw(Reason::NoMove);
    assert_eq!(position.outcome(), Some(draw));
    assert_eq!(position.turned().outcome(), Some(draw));
    assert_eq!(position.with_side(Side::Black).outcome(), None);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut line = Line::new(Gyges::start(&STRICT));
    // Both sides walk a piece forth and back.
    let round = ["0|8", "35|27"];
    for text in round {
        line.play(text).expect("legal");
    }
    let back = |line: &Line<Gyges>, from: u8, to: u8| {
        let m = GygesMove::new(from, to, None);
        line.position().is_legal(m).then(|| m.to_string())
    };
    // From row 1 the piece is not on the active row any more, so it cannot go
    // back by itself: repeat with legal moves found by search instead.
    assert_eq!(back(&line, 8, 0), None);
    let mut line = Line::new(Gyges::start(&STRICT));
    let shuffle = ["0|1|0", "35|34|35", "1|0|1", "34|35|34"];
    for round in 0..2 {
        for text in shuffle {
            assert_eq!(line.outcome(), None, "round {round}");
            line.play(text).expect("legal");
        }
    }
    assert_eq!(line.occurrences(), 3);
    assert_eq!(line.outcome(), Some(Outcome::draw(Reason::Threefold)));
    line.pop();
    assert_eq!(line.outcome(), None);
}

#[test]
fn drops_stay_before_the_opponents_active_row() {
    // Side 2's active row is row 3 (the fourth): rows 4 and 5 are out of bounds.
    let position = read("000003/010000/103212/203321/000000/000000");
    for m in position.moves() {
        assert!(m.drop().is_none_or(|drop| drop < 24), "{m}");
    }
    let north = position.with_side(Side::Black);
    assert!(north.moves().iter().any(|m| m.drop() == Some(35)));
}

#[test]
fn moves_that_change_nothing_follow_the_rule() {
    // A 1 on c3 and a 3 on d3: the loop 14-15, 15-21-20-14 comes home.
    let text = "000000/000000/001300/000000/000000/000000";
    let strict = Gyges::from_text_any_count(text, &STRICT).expect("lenient");
    let loose = strict.with_rules(&LOOSE);
    let home = GygesMove::new(14, 14, None);
    assert!(!strict.is_legal(home) && loose.is_legal(home));
    assert!(loose.changes_nothing(home));
    let mut after = loose;
    after.make(home, &mut ());
    assert_eq!(after, loose.with_side(Side::Black));
    let mut mirror = Mirror::of(&loose);
    loose.clone().make(home, &mut mirror);
    assert_eq!(mirror, Mirror::of(&loose));

    let start = Gyges::start(&STRICT);
    assert!(start.parse_move("2|3|2").is_err());
    assert!(start.parse_move_under("2|3|2", NoChange::Accept).is_ok());
    assert!(start.with_rules(&LOOSE).parse_move("2|3|2").is_ok());
}

#[test]
fn paths_obey_the_rules_for_every_move() {
    let boards = [
        "start",
        "bench",
        "test",
        "test two",
        "000200/130000/020230/311132/000000/000000 two",
        "000000/000000/033131/021302/000002/002010",
    ];
    for text in boards {
        let position = read(text).with_rules(&LOOSE);
        let mut longest = 0;
        for m in position.moves() {
            let path = position.path(m).expect("legal moves have a path");
            check_path(&position, m, path.runs());
            assert_eq!(path.squares().first(), Some(&m.start()));
            assert_eq!(path.squares().last(), Some(&m.end()));
            assert_eq!(path.bounces().len() + 1, path.runs().len());
            longest = longest.max(path.bounces().len());
        }
        assert!(longest > 0, "{text}");
        assert_eq!(position.path(GygesMove::new(0, 0, Some(0))), None);
    }
}

/// Walks a path by the letter of the rules.
fn check_path(position: &Gyges, m: GygesMove, runs: &[Vec<u8>]) {
    let mut used = Vec::new();
    let mut at = m.start();
    for run in runs {
        assert_eq!(run[0], at);
        let rings = position.piece(at).expect("runs begin on pieces").count();
        assert_eq!(run.len(), usize::from(rings) + 1, "{m}");
        for (index, pair) in run.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            if to >= 36 {
                assert!(index + 2 == run.len() && to == m.end());
                let row = if to == 37 { 5 } else { 0 };
                assert_eq!(from / 6, row);
                continue;
            }
            let apart = (from / 6).abs_diff(to / 6) + (from % 6).abs_diff(to % 6);
            assert_eq!(apart, 1, "{m} steps from {from} to {to}");
            let edge = (from.min(to), from.max(to));
            assert!(!used.contains(&edge), "{m} uses {edge:?} twice");
            used.push(edge);
            let middle = index + 2 < run.len();
            let empty = position.piece(to).is_none() || to == m.start();
            assert!(!middle || empty, "{m} crosses {to}");
        }
        at = run[run.len() - 1];
    }
    assert_eq!(at, m.end());
}

#[test]
fn passing_only_changes_the_turn() {
    let start = Gyges::start(&STRICT);
    let mut position = start;
    let undo = position.pass();
    assert_eq!(position, start.with_side(Side::Black));
    assert_eq!(Position::hash(&position), position.recomputed_hash());
    position.unpass(undo);
    assert_eq!(position, start);
}

#[test]
fn reach_lists_what_moves_use() {
    let position = read("test").with_rules(&LOOSE);
    let (mut plain, mut landings) = (0, 0);
    position.reach(|_, ends, pieces| {
        plain += ends.count_ones();
        landings += pieces.count_ones();
    });
    // Vector: 50 moves without a drop, 600 with one of 25 squares.
    assert_eq!((plain, landings), (50, 24));
}

#[test]
fn the_state_stays_small() {
    assert_eq!(size_of::<Gyges>(), 40);
}
