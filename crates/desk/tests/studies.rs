//! Studies: trees that are changed, taken back, kept and exported.

use quadrille_desk::wire::{
    Answer, Ask, Edit, ImportView, LibraryQuery, News, RefusalCode, Shape, Topic,
};
use quadrille_games::Game;

use crate::common::{World, start};

fn new(world: &mut World, game: Game) -> u32 {
    world.number(Ask::NewStudy {
        start: start(game),
        title: None,
    })
}

fn play(world: &mut World, study: u32, node: u32, text: &str) -> u32 {
    world.number(Ask::Play {
        study,
        node,
        text: text.into(),
    })
}

fn edit(world: &mut World, study: u32, edit: Edit) -> u32 {
    world.number(Ask::EditStudy { study, edit })
}

fn import(world: &mut World, text: &str) -> ImportView {
    load(world, text, None, false)
}

fn load(world: &mut World, text: &str, name: Option<&str>, library: bool) -> ImportView {
    let ask = Ask::Paste {
        text: text.into(),
        game: None,
        name: name.map(String::from),
        library,
    };
    match world.ask(ask) {
        Ok(Answer::Import(view)) => view,
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_of_nodes_are_never_used_again() {
    let mut world = World::new();
    let study = new(&mut world, Game::Chess);
    let e4 = play(&mut world, study, 0, "e4");
    assert_eq!(play(&mut world, study, 0, "e2e4"), e4, "the same move");
    edit(&mut world, study, Edit::Undo);
    let d4 = play(&mut world, study, 0, "d4");
    assert_ne!(d4, e4);
    edit(&mut world, study, Edit::Delete { node: d4 });
    let c4 = play(&mut world, study, 0, "c4");
    assert!(c4 > d4);
    let look = world.ask(Ask::Look { study, node: d4 }).unwrap_err();
    assert_eq!(look.code, RefusalCode::Gone);
    edit(&mut world, study, Edit::Undo);
    edit(&mut world, study, Edit::Undo);
    let board = world.board(Ask::Look { study, node: d4 });
    assert_eq!(
        board.last.map(|last| last.made.notation).as_deref(),
        Some("d4")
    );
    let mut world = world.restarted(5.0);
    let view = world.study(study);
    assert_eq!(view.nodes.last().map(|node| node.id), Some(d4));
    assert!(play(&mut world, study, 0, "e4") > c4);
}

#[test]
fn edits_and_their_undoing() {
    let mut world = World::new();
    let study = new(&mut world, Game::Chess);
    let e4 = play(&mut world, study, 0, "e4");
    let d4 = play(&mut world, study, 0, "d4");
    let shape = Shape {
        colour: "G".into(),
        from: "e2".into(),
        to: Some("e4".into()),
    };
    let shapes = vec![shape.clone()];
    let text = "a } comment <b>with</b> \"marks\"".to_owned();
    edit(&mut world, study, Edit::Comment { node: e4, text });
    edit(&mut world, study, Edit::Shapes { node: e4, shapes });
    let nags = vec![1, 1, 146];
    edit(&mut world, study, Edit::Nags { node: e4, nags });
    edit(&mut world, study, Edit::MakeMain { node: d4 });
    let tag = |name: &str, value: &str| Edit::Tag {
        name: name.into(),
        value: value.into(),
    };
    edit(&mut world, study, tag("White", "A \"quoted\" name"));
    edit(&mut world, study, tag("Result", "1-0"));
    let refused = world.ask(Ask::EditStudy {
        study,
        edit: tag("FEN", "x"),
    });
    assert_eq!(refused.unwrap_err().code, RefusalCode::Value);
    let view = world.study(study);
    assert_eq!(view.title, "A \"quoted\" name");
    assert_eq!(view.result, "1-0");
    let ids: Vec<u32> = view.nodes.iter().map(|node| node.id).collect();
    assert_eq!(ids, [0, d4, e4], "the main line first");
    let node = &view.nodes[2];
    assert_eq!(node.comment, "a ) comment <b>with</b> \"marks\"");
    assert_eq!(
        (&node.shapes[..], &node.nags[..]),
        (&[shape][..], &[1, 146][..])
    );
    let mut again = world.restarted(1.0);
    assert_eq!(again.study(study), view);
    // The history is gone with the old desk.
    let undo = Ask::EditStudy {
        study,
        edit: Edit::Undo,
    };
    assert_eq!(again.ask(undo).unwrap_err().code, RefusalCode::Value);
}

#[test]
fn undo_and_redo_go_all_the_way() {
    let mut world = World::new();
    let study = new(&mut world, Game::Gyges);
    let mut views = vec![world.study(study).nodes];
    let mut node = 0;
    for _ in 0..4 {
        let board = world.board(Ask::Look { study, node });
        node = play(&mut world, study, node, &board.moves[0].text);
        views.push(world.study(study).nodes);
    }
    for view in views.iter().rev().skip(1) {
        edit(&mut world, study, Edit::Undo);
        assert_eq!(world.study(study).nodes, *view);
    }
    for view in views.iter().skip(1) {
        edit(&mut world, study, Edit::Redo);
        assert_eq!(world.study(study).nodes, *view);
    }
}

#[test]
fn an_illegal_line_changes_nothing() {
    let mut world = World::new();
    let study = new(&mut world, Game::Chess);
    let moves = ["e4", "e5", "Ke3"].map(String::from).to_vec();
    let ask = Ask::PlayLine {
        study,
        node: 0,
        moves,
    };
    assert_eq!(world.ask(ask).unwrap_err().code, RefusalCode::Move);
    assert_eq!(world.study(study).nodes.len(), 1);
    let moves = ["e4", "e5", "Ke2"].map(String::from).to_vec();
    let node = world.number(Ask::PlayLine {
        study,
        node: 0,
        moves: moves.clone(),
    });
    assert_eq!(world.study(study).nodes.last().map(|n| n.id), Some(node));
    let board = world.board(Ask::Preview {
        study,
        node: 0,
        moves,
    });
    assert_eq!(board.number, 2);
}

#[test]
fn records_of_any_game_come_in_and_go_out() {
    let mut world = World::new();
    let text = "[Event \"E\"]\n[White \"W\"]\n[Black \"B\"]\n\n\
        1. e4 { [%eval 0.3] [%clk 0:01:00] fine } e5 (1... c5 $5) 1-0\n";
    let view = import(&mut world, text);
    let study = view.study.expect("one game");
    let tree = world.study(study);
    let opening = tree.opening.as_ref().map(|(code, _)| &**code);
    assert_eq!(opening, Some("C20"));
    assert_eq!(tree.title, "W – B");
    assert_eq!(tree.nodes[1].comment, "fine");
    assert_eq!(tree.nodes[1].evaluation.and_then(|e| e.cp), Some(30));
    assert_eq!(tree.nodes[1].clock, Some(60_000.0));
    let Ok(Answer::Text(whole)) = world.ask(Ask::Export { study, node: None }) else {
        panic!("a text");
    };
    assert!(
        whole.contains("(1... c5 $5)") && whole.contains("[%clk 0:01:00]"),
        "{whole}"
    );
    let c5 = tree
        .nodes
        .iter()
        .find(|n| n.notation == "c5")
        .expect("there");
    let node = Some(c5.id);
    let Ok(Answer::Text(line)) = world.ask(Ask::Export { study, node }) else {
        panic!("a text");
    };
    assert!(line.contains("c5") && !line.contains("e5"), "{line}");
}

#[test]
fn many_games_go_to_the_library_of_a_page_without_a_server() {
    let mut world = World::new();
    let text = "[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n\n1. e4 c5 0-1\n\n[Variant \"Gyges\"]\n\n*\n";
    let view = import(&mut world, text);
    assert_eq!((view.study, view.games), (None, 3));
    let mut world = world.restarted(1.0);
    let query = LibraryQuery {
        player: Some("b".into()),
        most: 10,
        ..LibraryQuery::default()
    };
    let Ok(Answer::Games(found)) = world.ask(Ask::FindGames { query }) else {
        panic!("games");
    };
    assert_eq!(found.len(), 1);
    let moves = vec!["e4".to_owned()];
    let explore = Ask::Explore {
        start: start(Game::Chess),
        moves,
    };
    let Ok(Answer::Explored(explored)) = world.ask(explore) else {
        panic!("moves");
    };
    let texts: Vec<_> = explored.moves.iter().map(|m| &*m.notation).collect();
    assert_eq!(texts.len(), 2);
    assert!(texts.contains(&"c5") && texts.contains(&"e5"));
    let study = world.number(Ask::OpenGame { id: found[0].id });
    assert_eq!(world.study(study).nodes.len(), 3);
    let ids = vec![found[0].id];
    let _ = world.ask(Ask::DeleteGames { ids: ids.clone() });
    let gone = world.ask(Ask::OpenGame { id: ids[0] });
    assert_eq!(gone.unwrap_err().code, RefusalCode::Gone);
    let _ = world.ask(Ask::RestoreGames { ids: ids.clone() });
    assert!(world.ask(Ask::OpenGame { id: ids[0] }).is_ok());
    let engine = Ask::StopEngine { engine: 1 };
    assert_eq!(world.ask(engine).unwrap_err().code, RefusalCode::Absent);
}

#[test]
fn deleted_studies_come_back() {
    let mut world = World::new();
    let study = new(&mut world, Game::Leiser);
    play(&mut world, study, 0, "h4g5");
    let before = world.study(study);
    assert_eq!(world.ask(Ask::DeleteStudy { study }), Ok(Answer::Done));
    assert!(!world.kept.contains_key(&format!("study/{study}")));
    let told = world.follow_as(world.page, Topic::Study(study), None);
    assert_eq!(told.map(|t| t.1), Some(News::Gone));
    assert_eq!(world.ask(Ask::RestoreStudy { study }), Ok(Answer::Done));
    assert_eq!(world.study(study), before);
    let _ = world.ask(Ask::DeleteStudy { study });
    let mut world = world.restarted(1.0);
    assert_ne!(
        new(&mut world, Game::Chess),
        study,
        "its number stays taken"
    );
}

#[test]
fn a_page_hears_only_what_is_newer() {
    let mut world = World::new();
    let study = new(&mut world, Game::Chess);
    let topic = Topic::Study(study);
    let (first, _) = world
        .follow_as(world.page, topic.clone(), None)
        .expect("all of it");
    let other = world
        .open(quadrille_desk::Rights::Owner)
        .expect("another tab");
    let same = world.follow_as(other, topic.clone(), Some(first));
    assert_eq!(same, None, "nothing is newer");
    world.sent.clear();
    play(&mut world, study, 0, "e4");
    let heard: Vec<u32> = world
        .sent
        .iter()
        .filter_map(|(page, message)| match message {
            quadrille_desk::wire::ToPage::News {
                topic: told,
                version,
                ..
            } if *told == topic => {
                assert!(*version > first);
                Some(*page)
            }
            _ => None,
        })
        .collect();
    assert_eq!(heard, [world.page, other], "both, once");
    assert!(world.follow_as(other, topic, Some(first)).is_some());
}

#[test]
fn a_large_tree_stays_usable() {
    let moves = (2..=1200)
        .map(|n| format!("{n}. Nf3 ({n}. Nc3) Nf6 ({n}... Nc6) {n}. Ng1 ({n}. Be2) Ng8 "));
    let text = format!("1. e4 e5 {} *", moves.collect::<String>());
    let mut world = World::new();
    let view = import(&mut world, &text);
    let study = view.study.expect("one game");
    let size = world.study(study).nodes.len();
    assert!(size > 5_000, "{size}");
    for text in ["d4", "c4", "a3"] {
        play(&mut world, study, 0, text);
    }
    assert_eq!(world.study(study).nodes.len(), size + 3);
    let mut again = world.restarted(1.0);
    assert_eq!(again.study(study).nodes.len(), size + 3);
}

#[test]
fn a_single_game_that_is_loaded_goes_to_the_library_under_the_name_of_its_file() {
    let mut world = World::new();
    let game = "[White \"Ann\"]\n\n1. e4 e5 *\n";
    let one = load(&mut world, game, Some("one\u{202e}.pgn"), true);
    assert_eq!((one.study, one.games), (None, 1));
    let many = load(&mut world, &game.repeat(2), Some("two.pgn"), false);
    assert_eq!((many.study, many.games), (None, 2));
    // Pasted anywhere else a game is opened, and a position always is.
    assert!(import(&mut world, game).study.is_some());
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(load(&mut world, fen, Some("x.fen"), true).study.is_some());
    let names = |world: &mut World| match world.follow_as(world.page, Topic::Library, None) {
        Some((_, News::Library(view))) => {
            let sources = view.sources.into_iter();
            sources.map(|source| (source.name, source.games)).collect()
        }
        other => panic!("{other:?}"),
    };
    let told: Vec<(String, u32)> = names(&mut world);
    assert_eq!(told, [("one.pgn".into(), 1), ("two.pgn".into(), 2)]);
    let mut world = world.restarted(1.0);
    assert_eq!(names(&mut world), told);
}
