//! Moves as values at run time: what a line refuses, and variations.

use proptest::prelude::*;
use quadrille_games::{
    AnyLine, AnyMove, Game, Line, MoveErrorKind, Position, Reason, match_game, match_line,
};

/// A line of random legal moves.
fn random_line(game: Game, choices: &[usize]) -> AnyLine {
    let mut line = AnyLine::start(game);
    for choice in choices {
        let moves = line.legal(usize::MAX);
        if moves.is_empty() {
            break;
        }
        line.push(moves[choice % moves.len()]).unwrap();
    }
    line
}

#[test]
fn a_code_that_is_no_move_is_refused() {
    for game in Game::ALL {
        let mut line = AnyLine::start(game);
        let code = line.legal(1)[0].to_bits();
        for bit in 40..64 {
            let m = AnyMove::from_bits(game, code | 1 << bit);
            assert!(line.push(m).is_err(), "{game}, bit {bit}");
            assert!(line.text_of(m).is_err(), "{game}, bit {bit}");
        }
    }
}

#[test]
fn a_move_of_another_game_is_refused() {
    for game in Game::ALL {
        let mut line = AnyLine::start(game);
        for other in Game::ALL.into_iter().filter(|&other| other != game) {
            let foreign = AnyLine::start(other).legal(1)[0];
            let error = line.push(foreign).unwrap_err();
            assert_eq!(error.kind, MoveErrorKind::OtherGame(game));
            assert!(error.to_string().contains(other.name()), "{error}");
            assert!(line.text_of(foreign).is_err());
            assert!(line.notation_of(foreign).is_err());
            assert!(line.view_of(foreign).is_err());
            assert!(line.variation().push(foreign).is_err());
            assert!(line.variation().view_of(foreign).is_err());
        }
        assert_eq!(line.plies(), 0);
    }
    let chess = AnyLine::start(Game::Chess).legal(1)[0];
    assert!(AnyLine::start(Game::Leiser).fire_of(chess).is_err());
    assert!(AnyLine::start(Game::Gyges).bounces_of(chess).is_err());
}

#[test]
fn a_move_that_was_legal_is_refused_later() {
    let mut line = AnyLine::start(Game::Chess);
    let m = line.parse_move("e2e4").unwrap();
    line.push(m).unwrap();
    let error = line.push(m).unwrap_err();
    assert!(matches!(error.kind, MoveErrorKind::Illegal(_)), "{error}");
    assert_eq!(line.pop(), Some(m));
    assert_eq!(line.notation_of(m).as_deref(), Ok("e4"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any number may come out of a file or a page; only codes of legal moves
    /// do anything.
    #[test]
    fn codes_from_outside_never_panic(
        choices in prop::collection::vec(any::<usize>(), 0..12),
        codes in prop::collection::vec(prop_oneof![any::<u64>(), any::<u32>().prop_map(u64::from), any::<u16>().prop_map(u64::from)], 60),
    ) {
        for game in Game::ALL {
            let mut line = random_line(game, &choices);
            let legal = line.legal(usize::MAX);
            let before = line.position_text();
            for &code in &codes {
                let m = AnyMove::from_bits(game, code);
                let text = line.text_of(m);
                if text.is_err() {
                    prop_assert!(!legal.contains(&m));
                    prop_assert!(line.push(m).is_err() && line.view_of(m).is_err());
                    continue;
                }
                // A code may have a second form, but it must be the same move.
                let read = line.parse_move(&text.unwrap()).unwrap();
                prop_assert!(legal.contains(&read));
                line.push(m).unwrap();
                prop_assert!(line.pop().is_some());
            }
            prop_assert_eq!(&line.position_text(), &before);
        }
    }

    /// A variation sees what a line with the same moves sees.
    #[test]
    fn a_variation_is_a_line_that_leaves_the_line_alone(
        choices in prop::collection::vec(0..4_usize, 0..24),
        more in prop::collection::vec(0..4_usize, 0..12),
    ) {
        for game in Game::ALL {
            let line = random_line(game, &choices);
            let before = line.keys().to_vec();
            let mut copy = line.clone();
            let mut variation = line.variation();
            for choice in &more {
                let moves = copy.legal(usize::MAX);
                if moves.is_empty() {
                    break;
                }
                let m = moves[choice % moves.len()];
                prop_assert_eq!(variation.view_of(m), copy.view_of(m));
                let text = variation.text_of(m).unwrap();
                prop_assert_eq!(variation.parse_move(&text), Ok(m));
                let notation = variation.notation_of(m).unwrap();
                prop_assert_eq!(variation.parse_notation(&notation), Ok(m));
                copy.push(m).unwrap();
                variation.push(m).unwrap();
                prop_assert_eq!(variation.position_text(), copy.position_text());
                prop_assert_eq!(variation.occurrences(), copy.occurrences());
                prop_assert_eq!(variation.outcome(), copy.outcome());
                prop_assert_eq!(variation.outcome_with_claims(), copy.outcome_with_claims());
                prop_assert_eq!(variation.side(), copy.side());
            }
            prop_assert_eq!(variation.game(), game);
            prop_assert_eq!(line.plies() + variation.plies(), copy.plies());
            while let Some(m) = variation.pop() {
                prop_assert_eq!(copy.pop(), Some(m));
                prop_assert_eq!(variation.position_text(), copy.position_text());
                prop_assert_eq!(variation.occurrences(), copy.occurrences());
            }
            prop_assert_eq!(line.keys(), &before[..]);
        }
    }
}

#[test]
fn a_variation_counts_what_the_line_repeated() {
    let mut line = AnyLine::start(Game::Chess);
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for text in shuffle {
        line.play(text).unwrap();
    }
    let mut variation = line.variation();
    for text in shuffle {
        let m = variation.parse_move(text).unwrap();
        variation.push(m).unwrap();
    }
    assert_eq!(variation.occurrences(), 3);
    assert_eq!(variation.outcome(), None);
    let claim = variation.outcome_with_claims().map(|end| end.reason);
    assert_eq!(claim, Some(Reason::Threefold));
    assert_eq!(variation.position_outcome(), None);
    variation.pop();
    assert_eq!(variation.outcome_with_claims(), None);
}

#[test]
fn both_dispatches_reach_every_game() {
    fn name<P: Position>(_: &Line<P>) -> Game {
        P::GAME
    }
    for game in Game::ALL {
        assert_eq!(match_game!(game, P => P::GAME), game);
        let mut any = AnyLine::start(game);
        assert_eq!(match_line!(&any, line => name(line)), game);
        match_line!(&mut any, line => {
            let first = line.position().moves()[0];
            line.push(first);
        });
        assert_eq!(any.plies(), 1);
        assert_eq!(match_line!(any, line => line.moves().len()), 1);
    }
}
