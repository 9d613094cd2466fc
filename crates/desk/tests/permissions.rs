//! What each kind of visitor may say: every question and every topic.

use std::collections::BTreeMap;

use quadrille_desk::effect::Effect;
use quadrille_desk::wire::{Ask, FromPage, News, RefusalCode, StudyStart, ToPage, Topic};
use quadrille_desk::{Desk, Rights, visitor};
use serde_json::{Value, json};

use crate::common::setup;

const START: &str = r#"{"game": "chess", "rules": "", "position": ""}"#;

/// Every question once, with who may ask it beside the operator.
fn asks() -> Vec<(Value, &'static str)> {
    let start: Value = serde_json::from_str(START).unwrap();
    let limits = json!({"movetime": 1.0, "depth": null, "nodes": null});
    let engine = json!({"command": "x", "args": [], "folder": null, "game": null, "name": null});
    let event = json!({
        "name": "", "start": start, "engines": [], "format": "sprt", "rounds": 1, "games": 2,
        "time": {"time": "per-move", "each": 1.0}, "concurrency": 1, "openings": "", "sprt": null,
    });
    let query = json!({
        "game": null, "player": null, "result": null, "opening": null, "position": null,
        "source": null, "skip": 0, "most": 1,
    });
    let focus = json!({
        "study": 1, "node": 0, "engines": [], "lines": 1, "limits": limits, "moves": [], "threat": false,
    });
    let editor = json!({
        "start": start, "size": [8, 8], "pieces": [], "fields": [], "errors": [], "text": null,
    });
    let table = json!({
        "start": start, "seats": [{"seat": "person", "name": ""}, {"seat": "person", "name": ""}],
        "time": {"time": "unlimited", "engine": 1.0},
    });
    vec![
        (json!({"ask": "position", "start": start}), "visitor"),
        (
            json!({"ask": "moves", "start": start, "moves": [], "prefix": []}),
            "guest visitor",
        ),
        (json!({"ask": "edit", "editor": editor}), ""),
        (
            json!({"ask": "new-study", "start": start, "title": null}),
            "",
        ),
        (json!({"ask": "paste", "text": "e4", "game": null}), ""),
        (json!({"ask": "look", "study": 1, "node": 0}), ""),
        (
            json!({"ask": "play", "study": 1, "node": 0, "text": "e4"}),
            "",
        ),
        (
            json!({"ask": "play-line", "study": 1, "node": 0, "moves": []}),
            "",
        ),
        (
            json!({"ask": "edit-study", "study": 1, "edit": {"edit": "undo"}}),
            "",
        ),
        (json!({"ask": "export", "study": 1, "node": null}), ""),
        (json!({"ask": "delete-study", "study": 1}), ""),
        (json!({"ask": "restore-study", "study": 1}), ""),
        (json!({"ask": "new-table", "table": table}), ""),
        (
            json!({"ask": "act", "table": 1, "action": {"do": "decline-draw"}}),
            "guest",
        ),
        (json!({"ask": "look-table", "table": 1, "ply": 0}), "guest"),
        (json!({"ask": "study-table", "table": 1}), ""),
        (json!({"ask": "analyse", "focus": focus}), ""),
        (json!({"ask": "stop-analysis"}), ""),
        (
            json!({"ask": "preview", "study": 1, "node": 0, "moves": []}),
            "",
        ),
        (json!({"ask": "add-engine", "engine": engine}), ""),
        (json!({"ask": "stop-adding"}), ""),
        (
            json!({"ask": "change-engine", "engine": 1, "change": {"change": "restore"}}),
            "",
        ),
        (json!({"ask": "stop-engine", "engine": 1}), ""),
        (
            json!({"ask": "report", "study": null, "games": [], "engine": 1, "limits": limits}),
            "",
        ),
        (
            json!({"ask": "check", "engine": 1, "game": "chess", "only": [], "thorough": false}),
            "",
        ),
        (json!({"ask": "cancel-job", "job": 1}), ""),
        (json!({"ask": "forget-job", "job": 1}), ""),
        (json!({"ask": "new-event", "event": event}), ""),
        (json!({"ask": "attach-event", "path": "x"}), ""),
        (
            json!({"ask": "control-event", "event": 1, "command": "stop"}),
            "",
        ),
        (json!({"ask": "forget-event", "event": 1}), ""),
        (
            json!({"ask": "study-event-game", "event": 1, "game": 1}),
            "",
        ),
        (json!({"ask": "export-event", "event": 1}), ""),
        (json!({"ask": "find-games", "query": query}), ""),
        (json!({"ask": "open-game", "id": 1}), ""),
        (json!({"ask": "export-games", "ids": []}), ""),
        (json!({"ask": "delete-games", "ids": []}), ""),
        (json!({"ask": "restore-games", "ids": []}), ""),
        (json!({"ask": "explore", "start": start, "moves": []}), ""),
        (json!({"ask": "remember", "name": "x", "value": "1"}), ""),
    ]
}

/// Words in backquotes behind the first: the variants that serde names.
fn variants<T: serde::de::DeserializeOwned>(text: &str) -> Vec<String> {
    let Err(error) = serde_json::from_str::<T>(text) else {
        panic!("{text} is one");
    };
    let words = error.to_string();
    let quoted = words.split('`').skip(1).step_by(2).skip(1);
    quoted.map(String::from).collect()
}

/// A server's desk with a game by link, and a page of each kind.
fn pages() -> (Desk, BTreeMap<&'static str, u32>, StudyStart) {
    let mut desk = Desk::new(
        quadrille_desk::Setup {
            alone: false,
            ..setup("run", 1.0)
        },
        [],
    );
    let open = |desk: &mut Desk, rights| desk.page(rights, 1.0).expect("it is let in").0;
    let operator = open(&mut desk, Rights::Owner);
    let seats = json!([{"seat": "person", "name": "Ann"}, {"seat": "guest", "name": ""}]);
    for _ in 0..2 {
        let table = json!({
            "start": serde_json::from_str::<Value>(START).unwrap(), "seats": seats,
            "time": {"time": "unlimited", "engine": 100.0},
        });
        let ask = json!({"say": "ask", "id": 1, "ask": {"ask": "new-table", "table": table}});
        desk.handle_text(operator, &ask.to_string(), 1.0);
    }
    let follow = json!({"say": "follow", "topic": {"topic": "table", "id": 1}});
    let told = desk.handle_text(operator, &follow.to_string(), 1.0);
    let link = told.into_iter().find_map(|effect| match effect {
        Effect::Send {
            message: ToPage::News { news, .. },
            ..
        } => match *news {
            News::Table(view) => view.seats.1.link.map(|link| (link, view.start)),
            _ => None,
        },
        _ => None,
    });
    let (link, start) = link.expect("for the operator");
    let token = link.trim_start_matches("?guest=").split('#').next();
    let token = token.expect("a token").to_owned();
    let guest = open(&mut desk, Rights::Guest { token });
    let visitor = open(&mut desk, Rights::Visitor);
    let pages = BTreeMap::from([
        ("operator", operator),
        ("guest", guest),
        ("visitor", visitor),
    ]);
    (desk, pages, start)
}

/// Whether a page is refused as one that may not ask; work that is handed out is not.
fn is_forbidden(desk: &mut Desk, page: u32, ask: Ask) -> bool {
    let effects = desk.handle(page, FromPage::Ask { id: 7, ask }, 2.0);
    let forbidden = |effect: &Effect| {
        matches!(effect, Effect::Send { message: ToPage::Refused { refusal, .. }, .. }
            if refusal.code == RefusalCode::Forbidden)
    };
    assert!(!effects.is_empty(), "every question comes to something");
    effects.iter().any(forbidden)
}

#[test]
fn every_question_is_open_to_whom_it_should_be() {
    let asks = asks();
    let named = asks.iter().filter_map(|(ask, _)| ask["ask"].as_str());
    let mut named: Vec<String> = named.map(String::from).collect();
    let mut known = variants::<Ask>(r#"{"ask": "none of them"}"#);
    named.sort();
    known.sort();
    assert_eq!(named, known, "each question once");
    for (ask, open) in asks {
        for kind in ["operator", "guest", "visitor"] {
            let (mut desk, pages, board) = pages();
            let mut ask: Ask = serde_json::from_value(ask.clone()).expect("a question");
            // A guest may ask for the moves of the game alone.
            if let Ask::Moves { start, .. } = &mut ask {
                *start = board;
            }
            let allowed = kind == "operator" || open.split(' ').any(|to| to == kind);
            let forbidden = is_forbidden(&mut desk, pages[kind], ask.clone());
            assert_eq!(forbidden, !allowed, "{kind}: {ask:?}");
            // The answer to a visitor without a desk is the same.
            if kind == "visitor" {
                let refused = visitor::answer(ask.clone())
                    .err()
                    .map(|refusal| refusal.code);
                let forbidden = refused == Some(RefusalCode::Forbidden);
                assert_eq!(forbidden, !allowed, "{ask:?}");
            }
        }
    }
}

#[test]
fn every_topic_is_open_to_whom_it_should_be() {
    let known = variants::<Topic>(r#"{"topic": "none of them"}"#);
    assert!(
        known.len() > 10 && known.contains(&"clock".to_owned()),
        "{known:?}"
    );
    for name in known {
        let open = match name.as_str() {
            "table" | "clock" => "guest",
            "settings" => "visitor",
            _ => "",
        };
        let topic = json!({"topic": name, "id": 1});
        let topic = serde_json::from_value::<Topic>(topic)
            .or_else(|_| serde_json::from_value(json!({"topic": name})))
            .expect("a topic");
        for kind in ["operator", "guest", "visitor"] {
            let (mut desk, pages, _) = pages();
            let topic = topic.clone();
            let follow = FromPage::Follow {
                topic: topic.clone(),
                version: None,
            };
            desk.handle(pages[kind], follow, 2.0);
            let allowed = kind == "operator" || open == kind;
            // The operator follows a table already.
            let leave = |page| FromPage::Leave { topic: page };
            for other in pages.values().filter(|page| **page != pages[kind]) {
                desk.handle(*other, leave(topic.clone()), 2.0);
            }
            assert_eq!(desk.is_followed(&topic), allowed, "{kind}: {topic:?}");
        }
    }
}

#[test]
fn a_guest_is_at_one_table_and_nobody_goes_to_another_server() {
    let (mut desk, pages, _) = pages();
    let guest = pages["guest"];
    for ask in [
        json!({"ask": "look-table", "table": 2, "ply": 0}),
        json!({"ask": "act", "table": 2, "action": {"do": "take-back"}}),
        json!({"ask": "moves", "start": {"game": "gyges", "rules": "", "position": ""}, "moves": [], "prefix": []}),
    ] {
        let ask: Ask = serde_json::from_value(ask).expect("a question");
        assert!(is_forbidden(&mut desk, guest, ask));
    }
    for topic in [Topic::Table(2), Topic::Clock(2)] {
        let follow = FromPage::Follow {
            topic: topic.clone(),
            version: None,
        };
        let told = desk.handle(guest, follow, 2.0);
        let gone = |effect: &Effect| matches!(effect, Effect::Send { message: ToPage::News { news, .. }, .. } if **news == News::Gone);
        assert!(told.iter().any(gone));
        assert!(!desk.is_followed(&topic));
    }
    let join = |address: Option<&str>| FromPage::Join {
        address: address.map(String::from),
    };
    for (kind, address, allowed) in [
        ("operator", Some("games.example"), true),
        ("operator", None, true),
        ("visitor", Some("games.example"), false),
        ("visitor", None, true),
        ("guest", Some("games.example"), false),
        ("guest", None, false),
    ] {
        let done = desk.handle(pages[kind], join(address), 3.0);
        let joins = done
            .iter()
            .any(|effect| matches!(effect, Effect::Join { .. }));
        assert_eq!(joins, allowed, "{kind} {address:?}");
    }
}
