//! Boards and the editor.

use quadrille_desk::wire::{Answer, Ask, EditorView, RefusalCode, StudyStart};
use quadrille_games::{Game, Side};

use crate::common::{World, start};

#[test]
fn every_start_of_every_rule_set_can_be_shown() {
    let mut world = World::new();
    let games = quadrille_desk::boards::games();
    assert_eq!(games.len(), 4);
    for info in games {
        for rules in info.rules {
            assert!(!rules.presets.is_empty(), "{:?} {}", info.game, rules.rules);
            for preset in rules.presets {
                let start = StudyStart {
                    game: info.game,
                    rules: rules.rules.clone(),
                    position: preset.position,
                };
                let board = world.board(Ask::Position {
                    start,
                    moves: Vec::new(),
                });
                let listed = u32::try_from(board.moves.len()).unwrap();
                assert_eq!(board.move_count.min(3000), listed, "{}", preset.name);
            }
        }
    }
}

#[test]
fn a_board_tells_what_there_is_to_animate() {
    let mut world = World::new();
    let mut board = |game, moves: &[&str]| {
        let moves = moves.iter().map(ToString::to_string).collect();
        world.board(Ask::Position {
            start: start(game),
            moves,
        })
    };
    let mate = board(Game::Chess, &["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(mate.check, ["e1"]);
    assert_eq!(mate.outcome.and_then(|o| o.winner), Some(Side::Black));
    assert!(mate.moves.is_empty());
    let taken = board(Game::Chess, &["e4", "d5", "exd5"]);
    assert_eq!(
        taken.last.and_then(|last| last.captured).as_deref(),
        Some("d5")
    );
    let passed = board(Game::Chess, &["e4", "a6", "e5", "d5", "exd6"]);
    assert_eq!(
        passed.last.and_then(|last| last.captured).as_deref(),
        Some("d5")
    );
    let laser = board(Game::Leiser, &["h4g5"]);
    assert_eq!(laser.beams.len(), 2);
    let fired = laser.last.expect("a move");
    assert_eq!(fired.side, Side::White);
    assert!(!fired.fire.expect("a laser").shots.is_empty());
    let bounced = board(Game::Gyges, &["0|1|9"]).last.expect("a move");
    assert!(bounced.bounces.expect("a way").squares.len() >= 2);
}

#[test]
fn numbers_of_chess960_are_positions() {
    let mut world = World::new();
    let ask = |rules: &str, position: &str| Ask::Position {
        start: StudyStart {
            game: Game::Chess,
            rules: rules.into(),
            position: position.into(),
        },
        moves: Vec::new(),
    };
    let board = world.board(ask("", "0"));
    assert!(board.text.starts_with("bbqnnrkr/"), "{}", board.text);
    assert_eq!(board.rules, "chess960");
    let refused = world.ask(ask("chess960", "960")).unwrap_err();
    assert_eq!(refused.code, RefusalCode::Position);
}

#[test]
fn moves_are_found_by_their_first_squares() {
    let mut world = World::new();
    let moves = Vec::new();
    let prefix = vec!["a1".to_owned()];
    let start = start(Game::Gyges);
    let Ok(Answer::Moves(found)) = world.ask(Ask::Moves {
        start,
        moves,
        prefix,
    }) else {
        panic!("moves");
    };
    assert!(!found.is_empty());
    assert!(found.iter().all(|m| m.squares[0] == "a1"));
}

fn editor(game: Game, pieces: &[(&str, &str)], fields: &[(&str, &str)]) -> EditorView {
    let own = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter();
        pairs.map(|(a, b)| ((*a).into(), (*b).into())).collect()
    };
    EditorView {
        start: start(game),
        size: (8, 8),
        pieces: own(pieces),
        fields: own(fields),
        errors: Vec::new(),
        text: None,
    }
}

fn edited(world: &mut World, editor: EditorView) -> EditorView {
    match world.ask(Ask::Edit { editor }) {
        Ok(Answer::Editor(view)) => view,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_editor_names_every_mistake() {
    let mut world = World::new();
    let view = edited(
        &mut world,
        editor(
            Game::Chess,
            &[("e1", "K"), ("z9", "K"), ("a8", "P"), ("b2", "?")],
            &[("castling", "KQ")],
        ),
    );
    assert_eq!(view.text, None);
    assert!(view.errors.len() >= 4, "{:?}", view.errors);
    let view = edited(
        &mut world,
        editor(Game::Chess, &[("e1", "K"), ("e8", "k")], &[]),
    );
    assert_eq!(view.errors, [""; 0]);
    assert_eq!(view.text.as_deref(), Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn the_editor_takes_a_position_apart_and_together_again() {
    let mut world = World::new();
    for game in Game::ALL {
        let mut first = editor(game, &[], &[]);
        first.start.position = "startpos".into();
        let parts = edited(&mut world, first);
        assert_eq!(parts.errors, [""; 0], "{game}");
        let again = edited(&mut world, parts.clone());
        assert_eq!(again, parts, "{game}");
        assert!(again.text.is_some());
    }
}
