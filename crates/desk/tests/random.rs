//! Anything in any order: no panic, versions that rise, a restart that shows the same.

use std::collections::HashMap;

use proptest::prelude::*;
use quadrille_desk::effect::{Effect, SearchNews};
use quadrille_desk::wire::{
    Ask, Edit, Focus, Level, NewTable, News, SearchLimits, Seat, StudyStart, TableAction,
    TimeSetting, ToPage, Topic,
};
use quadrille_games::{Game, Side};

use crate::common::World;

fn game() -> impl Strategy<Value = Game> {
    prop::sample::select(Game::ALL.to_vec())
}

fn move_text() -> impl Strategy<Value = String> {
    let known = ["e4", "e5", "Nf3", "d2d4", "h4g5", "0|1|9", "--", "O-O", ""];
    prop_oneof![
        prop::sample::select(known.map(String::from).to_vec()),
        "\\PC{0,8}",
    ]
}

fn start() -> impl Strategy<Value = StudyStart> {
    let positions = [
        "",
        "startpos",
        "518",
        "99999999999999999999",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "x",
    ];
    let positions = prop::sample::select(positions.map(String::from).to_vec());
    let rules = prop::sample::select(["", "chess960", "2013", "?"].map(String::from).to_vec());
    (game(), rules, positions).prop_map(|(game, rules, position)| StudyStart {
        game,
        rules,
        position,
    })
}

fn seat() -> impl Strategy<Value = Seat> {
    prop_oneof![
        Just(Seat::Person {
            name: "a\u{202e}b".into()
        }),
        Just(Seat::Guest {
            name: String::new()
        }),
        (0..4u32, 0..9u8).prop_map(|(engine, step)| Seat::Engine {
            engine,
            level: Level::Step(step)
        }),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(-5.0),
        Just(0.0),
        Just(2_000.0),
        any::<f64>(),
    ]
}

fn time() -> impl Strategy<Value = TimeSetting> {
    prop_oneof![
        number().prop_map(|engine| TimeSetting::Unlimited { engine }),
        (number(), number(), 0..3u32).prop_map(|(base, increment, moves)| TimeSetting::Clock {
            base,
            increment,
            moves
        }),
        number().prop_map(|each| TimeSetting::PerMove { each }),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let node = 0..12u32;
    prop_oneof![
        node.clone().prop_map(|node| Edit::Delete { node }),
        Just(Edit::DeleteVariations),
        node.clone().prop_map(|node| Edit::Promote { node }),
        node.clone().prop_map(|node| Edit::Demote { node }),
        node.clone().prop_map(|node| Edit::MakeMain { node }),
        (node.clone(), "\\PC{0,20}").prop_map(|(node, text)| Edit::Comment { node, text }),
        (node, any::<Vec<u8>>()).prop_map(|(node, nags)| Edit::Nags { node, nags }),
        ("[A-Za-z ]{0,6}", "\\PC{0,9}").prop_map(|(name, value)| Edit::Tag { name, value }),
        "\\PC{0,9}".prop_map(|title| Edit::Title { title }),
        Just(Edit::Undo),
        Just(Edit::Redo),
    ]
}

fn action() -> impl Strategy<Value = TableAction> {
    let side = prop::sample::select(vec![Side::White, Side::Black]);
    prop_oneof![
        6 => (move_text(), 0..6u32).prop_map(|(text, ply)| TableAction::Move { text, ply }),
        1 => Just(TableAction::TakeBack),
        1 => side.clone().prop_map(|side| TableAction::Resign { side }),
        1 => side.prop_map(|side| TableAction::OfferDraw { side }),
        1 => Just(TableAction::AcceptDraw),
        1 => Just(TableAction::DeclineDraw),
        1 => Just(TableAction::ClaimDraw),
        1 => Just(TableAction::AcceptTakeBack),
        1 => Just(TableAction::DeclineTakeBack),
        1 => Just(TableAction::Hint),
        1 => Just(TableAction::Pause),
        1 => Just(TableAction::Resume),
        1 => Just(TableAction::Abort),
        1 => Just(TableAction::Rematch),
        1 => "\\PC{0,9}".prop_map(|name| TableAction::Name { name }),
    ]
}

fn focus() -> impl Strategy<Value = Focus> {
    let engines = prop::collection::vec(0..4u32, 0..3);
    let moves = prop::collection::vec(move_text(), 0..2);
    let limits = (prop::option::of(number()), any::<Option<u32>>());
    (
        0..4u32,
        0..12u32,
        engines,
        any::<u32>(),
        moves,
        limits,
        any::<bool>(),
    )
        .prop_map(
            |(study, node, engines, lines, moves, (movetime, depth), threat)| Focus {
                study,
                node,
                engines,
                lines,
                moves,
                limits: SearchLimits {
                    movetime,
                    depth,
                    nodes: movetime,
                },
                threat,
            },
        )
}

fn ask() -> impl Strategy<Value = Ask> {
    let study = 1..4u32;
    let node = 0..12u32;
    prop_oneof![
        2 => start().prop_map(|start| Ask::NewStudy { start, title: None }),
        6 => (study.clone(), node.clone(), move_text())
            .prop_map(|(study, node, text)| Ask::Play { study, node, text }),
        6 => (study.clone(), edit()).prop_map(|(study, edit)| Ask::EditStudy { study, edit }),
        1 => (study.clone(), node).prop_map(|(study, node)| Ask::Look { study, node }),
        1 => study.clone().prop_map(|study| Ask::Export { study, node: None }),
        1 => study.clone().prop_map(|study| Ask::DeleteStudy { study }),
        1 => study.prop_map(|study| Ask::RestoreStudy { study }),
        2 => (start(), seat(), seat(), time()).prop_map(|(start, white, black, time)| {
            Ask::NewTable { table: NewTable { start, seats: (white, black), time } }
        }),
        8 => (1..4u32, action()).prop_map(|(table, action)| Ask::Act { table, action }),
        1 => (1..4u32).prop_map(|table| Ask::StudyTable { table }),
        2 => focus().prop_map(|focus| Ask::Analyse { focus }),
        1 => Just(Ask::StopAnalysis),
        1 => "\\PC{0,40}".prop_map(|text| Ask::Paste { text, game: None, name: None, library: false }),
    ]
}

/// What happens to a desk.
#[derive(Debug, Clone)]
enum Event {
    Ask(Box<Ask>),
    Follow(Topic),
    /// An engine answers: a search, a move by its place, what it took.
    Engine(u32, u16, f64),
    Fails(u32),
    Wait(f64),
}

fn event() -> impl Strategy<Value = Event> {
    let topic = prop_oneof![
        Just(Topic::Studies),
        (1..4u32).prop_map(Topic::Study),
        Just(Topic::Tables),
        (1..4u32).prop_map(Topic::Table),
        Just(Topic::Analysis),
        Just(Topic::Library),
        Just(Topic::Settings),
    ];
    prop_oneof![
        8 => ask().prop_map(|ask| Event::Ask(Box::new(ask))),
        2 => topic.prop_map(Event::Follow),
        3 => (0..8u32, any::<u16>(), number()).prop_map(|(s, m, t)| Event::Engine(s, m, t)),
        1 => (0..8u32).prop_map(Event::Fails),
        1 => number().prop_map(Event::Wait),
    ]
}

fn happen(world: &mut World, event: Event) {
    match event {
        Event::Ask(ask) => drop(world.ask(*ask)),
        Event::Follow(topic) => drop(world.follow_as(world.page, topic, None)),
        Event::Engine(search, place, spent) => {
            let order = world.orders.iter().find(|order| order.search == search);
            let best = order.and_then(|order| {
                let moves = order.line.legal_moves(50);
                let count = moves.len().max(1);
                moves
                    .into_iter()
                    .nth(place as usize % count)
                    .map(|m| m.text)
            });
            let resigns = place == 7;
            world.heard(
                search,
                SearchNews::Done {
                    best,
                    spent,
                    resigns,
                },
            );
        }
        Event::Fails(search) => {
            let words = "x".into();
            world.heard(search, SearchNews::Failed { words });
        }
        Event::Wait(ms) => {
            let effects = world.desk.tick(world.now + ms);
            if ms.is_finite() && ms > 0.0 {
                world.now = (world.now + ms).min(1e15);
            }
            world.take(effects);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_anything(events in prop::collection::vec(event(), 1..60)) {
        let mut world = World::new();
        for event in events {
            happen(&mut world, event);
        }
        let mut versions: HashMap<Topic, u32> = HashMap::new();
        for (_, message) in &world.sent {
            if let ToPage::News { topic, version, .. } = message {
                let last = versions.insert(topic.clone(), *version);
                prop_assert!(last.is_none_or(|last| last <= *version), "{:?}", topic);
            }
            // Everything said can be written down and read again.
            let text = serde_json::to_string(message).unwrap();
            prop_assert!(serde_json::from_str::<ToPage>(&text).is_ok(), "{}", text);
        }
        let mut again = World::with(world.kept.clone(), world.now);
        for id in 1..4 {
            let [a, b] = [&mut world, &mut again].map(|w| {
                w.follow_as(w.page, Topic::Study(id), None).map(|told| told.1)
            });
            prop_assert_eq!(a, b);
            let [a, b] = [&mut world, &mut again].map(|w| {
                match w.follow_as(w.page, Topic::Table(id), None).map(|told| told.1) {
                    Some(News::Table(t)) => Some((t.plies, t.board, t.end, t.next)),
                    _ => None,
                }
            });
            prop_assert_eq!(a, b);
            let [a, b] = [&mut world, &mut again].map(|w| {
                match w.follow_as(w.page, Topic::Clock(id), None).map(|told| told.1) {
                    Some(News::Clock(status)) => Some(status.draw_offer),
                    _ => None,
                }
            });
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn hostile_json(text in "\\PC{0,80}", id in any::<u32>()) {
        let mut world = World::new();
        let page = world.page;
        let _ = world.desk.handle_text(page, &text, world.now);
        let wrapped = format!("{{\"say\":\"ask\",\"id\":{id},\"ask\":{{\"ask\":{text:?}}}}}");
        let effects = world.desk.handle_text(page, &wrapped, f64::NAN);
        let refused = effects.iter().any(|effect| matches!(
            effect,
            Effect::Send { message: ToPage::Refused { id: told, .. }, .. } if *told == id
        ));
        let is_json = serde_json::from_str::<serde_json::Value>(&wrapped).is_ok();
        prop_assert_eq!(refused, is_json);
    }
}

#[test]
fn what_was_kept_badly_is_left_out() {
    let mut kept = std::collections::BTreeMap::new();
    let texts = ["", "{}", "null", "[1,2", "{\"pgn\":\"1. e4\"}", "\u{0}"];
    for (number, text) in texts.iter().enumerate() {
        for kind in ["study", "table", "game", "setting", "other", "numbers"] {
            kept.insert(format!("{kind}/{number}"), (*text).to_owned());
        }
    }
    kept.insert("numbers".into(), "{\"study\":-1}".into());
    kept.insert("study/99999999999".into(), "{}".into());
    let odd = r#"{"title":"","changed":1e999,"next":0,"ids":[5,5],"pgn":"1. e4 e5 *"}"#;
    kept.insert("study/7".into(), odd.replace("1e999", "1"));
    let mut world = World::with(kept, 5.0);
    let view = world.study(7);
    let ids: Vec<u32> = view.nodes.iter().map(|node| node.id).collect();
    assert_eq!(ids, [0, 6, 7], "numbers that cannot be are given anew");
}
