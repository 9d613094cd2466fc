//! Lines of play: taking back, and what a host accepts beyond the rules.

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::gyges::{Gyges, NoChange};
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::records::{NodeId, Record};
use quadrille_games::{AnyLine, Game, Line, MoveErrorKind, Outcome, Position, Reason, Repetition};

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

#[test]
fn a_line_numbers_its_moves() {
    let numbers = |mut line: AnyLine, texts: &[&str]| -> Vec<u32> {
        let mut numbers = vec![line.move_number()];
        for text in texts {
            line.play(text).unwrap();
            numbers.push(line.move_number());
        }
        numbers
    };
    let set_up = |game, text| AnyLine::new(game, "", text).unwrap();
    let chess = set_up(Game::Chess, "4k3/8/8/8/8/8/4p3/4K3 b - - 5 60");
    assert_eq!(numbers(chess, &["e8d8", "e1e2", "d8e8"]), [60, 61, 61, 62]);
    let liberty = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 7";
    let liberty = set_up(Game::Liberty, liberty);
    assert_eq!(numbers(liberty, &["e1d1", "e8d8", "e2e4"]), [7, 7, 8, 8]);
    // Nothing in their positions counts moves: the line does.
    let leiser = AnyLine::start(Game::Leiser);
    assert_eq!(numbers(leiser, &["h4g5", "a7R", "h0R"]), [1, 1, 2, 2]);
    let north = "321123/000000/000000/000000/000000/321123 two";
    let gyges = set_up(Game::Gyges, north);
    assert_eq!(numbers(gyges, &["35|34|26", "0|1|9"]), [1, 2, 2]);
    let last = format!("4k3/8/8/8/8/8/8/R3K3 b - - 0 {}", u32::MAX);
    let last = set_up(Game::Liberty, &last);
    assert_eq!(numbers(last, &["e8d8"]), [u32::MAX, u32::MAX]);
}

/// Whether each of the moves made progress.
fn progress(game: Game, start: &str, texts: &[&str]) -> Vec<bool> {
    let mut line = AnyLine::new(game, "", start).unwrap();
    assert!(!line.made_progress(), "no move was made yet");
    let mut play = |text: &&str| {
        line.play(text).unwrap();
        line.made_progress()
    };
    texts.iter().map(&mut play).collect()
}

/// What restarts a referee's count of moves without progress: the draw rules of
/// the games themselves.
#[test]
fn captures_and_pawns_are_progress() {
    let castling = "r3k2r/8/8/8/4p3/8/3P4/R3K2R w KQkq - 0 1";
    let moves = ["e1g1", "e8c8", "d2d4", "e4d3"];
    let capture = "4k3/8/8/8/8/8/r7/R3K3 w - - 3 9";
    for game in [Game::Chess, Game::Liberty] {
        assert_eq!(progress(game, castling, &moves), [false, false, true, true]);
        assert_eq!(progress(game, capture, &["e1d1", "a2b2"]), [false, false]);
        assert_eq!(progress(game, capture, &["a1a2", "e8d8"]), [true, false]);
    }
    // El Vaticano captures, although no piece moves.
    let vaticano = "4k3/8/8/8/8/8/BpB5/4K3 w - - 3 9";
    assert_eq!(progress(Game::Liberty, vaticano, &["a2c2"]), [true]);
}

#[test]
fn zaps_are_progress_and_gyges_knows_none() {
    let mut line = AnyLine::start(Game::Leiser);
    let mut seen = [false; 2];
    for step in 0..200_usize {
        let AnyLine::Leiser(leiser) = &line else {
            unreachable!("a line keeps its game")
        };
        let before = leiser.position().occupied().len();
        let moves = line.legal(usize::MAX);
        if moves.is_empty() {
            break;
        }
        // Captures first, so that there are some.
        let zap = moves.iter().find(|&&m| line.view_of(m).unwrap().tactical);
        let m = zap.filter(|_| step % 5 == 0);
        line.push(*m.unwrap_or(&moves[step * 7 % moves.len()]))
            .unwrap();
        let AnyLine::Leiser(leiser) = &line else {
            unreachable!("a line keeps its game")
        };
        let fewer = leiser.position().occupied().len() < before;
        assert_eq!(line.made_progress(), fewer);
        seen[usize::from(fewer)] = true;
    }
    assert_eq!(seen, [true; 2]);
    let gyges = progress(Game::Gyges, "", &["0|1|9", "35|34|26"]);
    assert_eq!(gyges, [false; 2]);
}

#[test]
fn each_game_says_what_a_repetition_means() {
    fn meaning<P: Position>() -> Vec<Option<Repetition>> {
        let start = usual::<P>();
        (0..7).map(|times| start.repetition(times)).collect()
    }
    let draw = |reason| Repetition::Ends(Outcome::draw(reason));
    let third = Some(draw(Reason::Threefold));
    let automatic = [None, None, None, third, third, third, third];
    assert_eq!(meaning::<Liberty>(), automatic);
    assert_eq!(meaning::<Leiser>(), automatic);
    assert_eq!(meaning::<Gyges>(), automatic);
    let claim = Some(Repetition::Claim(Outcome::draw(Reason::Threefold)));
    let fifth = Some(draw(Reason::Fivefold));
    assert_eq!(
        meaning::<Chess>(),
        [None, None, None, claim, claim, fifth, fifth]
    );
}

/// Of two draws that can be claimed, the fifty moves are named.
#[test]
fn counting_comes_before_repeating() {
    let mut line = Line::new(usual::<Chess>());
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for text in shuffle.iter().cycle().take(8) {
        line.play(text).unwrap();
    }
    let reason = |line: &Line<Chess>| line.outcome_with_claims().map(|end| end.reason);
    assert_eq!(reason(&line), Some(Reason::Threefold));
    let late = "4k3/8/8/8/8/8/8/R3K3 w - - 92 90";
    let late = Chess::from_text(late, &ChessRules::default()).unwrap();
    let mut line = Line::new(late);
    for text in ["a1b1", "e8d8", "b1a1", "d8e8"].iter().cycle().take(8) {
        line.play(text).unwrap();
    }
    assert_eq!(line.occurrences(), 3);
    assert_eq!(reason(&line), Some(Reason::FiftyMoves));
}

/// Newcomers write moves as people do: they are told what engines write.
#[test]
fn a_move_as_people_write_it_is_told_how_engines_do() {
    let mut line = Line::new(usual::<Chess>());
    let error = line.play("e4").unwrap_err();
    assert_eq!(error.kind, MoveErrorKind::Notation("e2e4".into()));
    assert!(error.to_string().contains("play_notation"), "{error}");
    line.play_notation("e4").unwrap();
    let mut line = AnyLine::start(Game::Chess);
    let error = line.play("Nf3").unwrap_err();
    assert_eq!(error.kind, MoveErrorKind::Notation("g1f3".into()));
    // What no one could mean has the error it had.
    assert!(matches!(
        line.play("Ke5").unwrap_err().kind,
        MoveErrorKind::Syntax { .. }
    ));
}
