//! Live analysis: searches that begin and end with what a page looks at.

use quadrille_client::SearchNumbers;
use quadrille_desk::effect::{SearchNews, Thought};
use quadrille_desk::wire::{
    AnalysisView, Answer, Ask, EngineAnalysis, Focus, News, RefusalCode, SearchLimits, ToPage,
    Topic,
};
use quadrille_games::{Game, Side};

use crate::common::{World, start};

fn study(world: &mut World) -> u32 {
    world.number(Ask::NewStudy {
        start: start(Game::Chess),
        title: None,
    })
}

fn focus(study: u32, node: u32, engines: &[u32]) -> Focus {
    Focus {
        study,
        node,
        engines: engines.to_vec(),
        lines: 2,
        limits: SearchLimits::default(),
        moves: Vec::new(),
        threat: false,
    }
}

fn analyse(world: &mut World, focus: Focus) {
    assert_eq!(world.ask(Ask::Analyse { focus }), Ok(Answer::Done));
}

fn view(world: &mut World) -> AnalysisView {
    match world.follow_as(world.page, Topic::Analysis, None) {
        Some((_, News::Analysis(view))) => view,
        other => panic!("{other:?}"),
    }
}

fn depth(depth: u64) -> SearchNews {
    SearchNews::Lines(Box::new(Thought {
        numbers: SearchNumbers {
            depth,
            ..SearchNumbers::default()
        },
        ..Thought::default()
    }))
}

fn told(world: &World) -> Vec<EngineAnalysis> {
    let lines = world.sent.iter().filter_map(|(_, message)| match message {
        ToPage::News { news, .. } => match &**news {
            News::Lines(lines) => Some(lines.clone()),
            _ => None,
        },
        _ => None,
    });
    lines.collect()
}

#[test]
fn searches_follow_the_page_and_old_lines_are_never_new() {
    let mut world = World::new();
    let study = study(&mut world);
    view(&mut world);
    analyse(&mut world, focus(study, 0, &[1, 2]));
    assert_eq!(world.orders.len(), 2);
    let old = world.orders[0].search;
    world.heard(old, depth(3));
    let e4 = world.number(Ask::Play {
        study,
        node: 0,
        text: "e4".into(),
    });
    analyse(&mut world, focus(study, e4, &[1, 2]));
    assert_eq!(world.stopped, [old, world.orders[1].search]);
    world.sent.clear();
    world.heard(old, depth(20));
    assert!(told(&world).is_empty(), "the old search is not told on");
    let new = world.orders[2].search;
    assert!(new > old);
    world.heard(new, depth(1));
    let lines = &told(&world)[0];
    assert_eq!(
        (lines.search, lines.node, lines.numbers.depth),
        (new, e4, 1)
    );
    assert_eq!(lines.side, Side::Black);
    // Another engine less: the first goes on.
    analyse(&mut world, focus(study, e4, &[1]));
    assert_eq!(world.orders.len(), 4);
    assert_eq!(view(&mut world).engines[0].numbers.depth, 1);
    assert_eq!(world.ask(Ask::StopAnalysis), Ok(Answer::Done));
    let stopped = view(&mut world);
    assert_eq!(stopped.focus, None);
    assert!(!stopped.engines[0].running && stopped.engines[0].numbers.depth == 1);
}

#[test]
fn threats_and_chosen_moves() {
    let mut world = World::new();
    let study = study(&mut world);
    let threat = Focus {
        threat: true,
        ..focus(study, 0, &[1])
    };
    analyse(&mut world, threat);
    assert!(
        world.orders[0].line.start_text().contains(" b "),
        "Black's turn"
    );
    let chosen = Focus {
        moves: vec!["e4".into()],
        ..focus(study, 0, &[1])
    };
    analyse(&mut world, chosen);
    assert_eq!(world.orders[1].only, ["e2e4"]);
    let wrong = Focus {
        moves: vec!["e5".into()],
        ..focus(study, 0, &[1])
    };
    let refused = world.ask(Ask::Analyse { focus: wrong }).unwrap_err();
    assert_eq!(refused.code, RefusalCode::Move);
}

#[test]
fn trouble_is_told() {
    let mut world = World::new();
    let study = study(&mut world);
    analyse(&mut world, focus(study, 0, &[99]));
    assert!(view(&mut world).engines[0].trouble.is_some());
    analyse(&mut world, focus(study, 0, &[1]));
    let words = "it died".to_owned();
    let search = world.orders[0].search;
    world.heard(search, SearchNews::Failed { words });
    let engine = &view(&mut world).engines[0];
    assert_eq!(
        (engine.running, engine.trouble.as_deref()),
        (false, Some("it died"))
    );
    let moves = ["f3", "e5", "g4", "Qh4"].map(String::from).to_vec();
    let mate = world.number(Ask::PlayLine {
        study,
        node: 0,
        moves,
    });
    analyse(&mut world, focus(study, mate, &[1]));
    assert_eq!(world.orders.len(), 1, "nothing to search after mate");
}

#[test]
fn a_page_that_leaves_takes_its_searches_along() {
    let mut world = World::new();
    let study = study(&mut world);
    analyse(&mut world, focus(study, 0, &[1]));
    let effects = world.desk.left(world.page, world.now);
    world.take(effects);
    assert_eq!(world.stopped, [world.orders[0].search]);
}
