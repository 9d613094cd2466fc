//! Lines of play: taking back, and what a host accepts beyond the rules.

use quadrille_games::chess::Chess;
use quadrille_games::gyges::{Gyges, NoChange};
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::records::{NodeId, Record};
use quadrille_games::{Line, Position};

fn usual<P: Position>() -> P {
    P::start(&P::Rules::default())
}

/// Plays moves chosen by a simple rule and takes them back, from a copy, too.
fn there_and_back<P: Position>() {
    let mut line = Line::new(usual::<P>());
    let mut seen = vec![line.clone()];
    for n in 0..60 {
        let moves = line.position().moves();
        if moves.is_empty() {
            break;
        }
        line.push(moves[(n * 7 + 3) % moves.len()]);
        seen.push(line.clone());
    }
    assert!(seen.len() > 5);
    let mut copy = line.clone();
    for line in [&mut line, &mut copy] {
        for expected in seen.iter().rev().skip(1) {
            assert!(line.pop().is_some());
            assert_eq!(line.position(), expected.position());
            assert_eq!(line.moves(), expected.moves());
            assert_eq!(line.keys(), expected.keys());
        }
        assert_eq!(line.pop(), None);
        assert_eq!(line.position(), line.start());
    }
}

#[test]
fn taking_back_goes_the_same_way() {
    there_and_back::<Chess>();
    there_and_back::<Liberty>();
    there_and_back::<Leiser>();
    there_and_back::<Gyges>();
}

#[test]
fn gyges_moves_without_change_can_be_accepted() {
    let mut line = Line::new(usual::<Gyges>());
    assert!(line.play("2|3|2").is_err());
    assert!(line.play_under("2|3|2", NoChange::Forbid).is_err());
    assert!(line.moves().is_empty());
    let m = line.play_under("2|3|2", NoChange::Accept).unwrap();
    assert!(line.start().changes_nothing(m) && !line.start().is_legal(m));
    line.play_under("33|32|33", NoChange::Accept).unwrap();
    assert_eq!(line.occurrences(), 2);
    // Everything else about the line goes on under its own rules.
    assert_eq!(line.position().rules(), line.start().rules());
    assert!(line.play("2|3|2").is_err());
    let record = Record::from_line(&line);
    let again = record.line(record.last(NodeId::ROOT));
    assert_eq!(again.keys(), line.keys());
    assert_eq!(line.pop().map(|_| line.moves().to_vec()), Some(vec![m]));
}

/// For the clocks a pass is a quiet move, in every game alike.
fn passes_quietly<P: Position>(moves: usize) {
    let mut line = Line::new(usual::<P>());
    for _ in 0..moves {
        let quiet = line.position().moves();
        line.push(quiet[0]);
    }
    let before = line.position().clone();
    let mut position = before.clone();
    let undo = position.pass();
    assert_eq!(position.reversible_plies(), before.reversible_plies() + 1);
    let second = position.pass();
    assert_eq!(position.reversible_plies(), before.reversible_plies() + 2);
    assert_eq!(position.hash(), position.recomputed_hash());
    position.unpass(second);
    position.unpass(undo);
    assert_eq!(position, before);
}

#[test]
fn a_pass_is_a_quiet_move_for_the_clocks() {
    for moves in 0..4 {
        passes_quietly::<Chess>(moves);
        passes_quietly::<Liberty>(moves);
        passes_quietly::<Leiser>(moves);
        passes_quietly::<Gyges>(moves);
    }
}
