//! Tournaments whose players are not always there.

use super::matches::OPEN;
use super::restart::kept;
use super::{Stage, settings};
use quadrille_server::hall::Keep;

/// A tournament that has begun, with guests `p0`, `p1`, ... and their tokens.
fn begun(swiss: bool, rounds: u32, players: usize) -> (Stage, Vec<String>) {
    let mut stage = Stage::new(settings());
    let order = OPEN.replace("SWISS", &swiss.to_string());
    let answer = stage.order(&order.replace("ROUNDS", &rounds.to_string()));
    let id = answer["id"].as_u64().expect("a number");
    let mut tokens = Vec::new();
    for i in 0..players {
        let who = format!("p{i}");
        tokens.push(come(&mut stage, &who, None));
        stage.say(&who, &format!("lobby tournament join id {id}"));
    }
    stage.order(&format!(r#"{{"order":"begin","id":{id},"engines":false}}"#));
    stage.pass(1);
    (stage, tokens)
}

/// Comes in with the lobby, or back with a token; gives the token.
fn come(stage: &mut Stage, who: &str, token: Option<&str>) -> String {
    let number: usize = who[1..].parse().expect("a number");
    stage.connect(who, &format!("10.0.1.{number}"));
    stage.say(who, &format!("id username {who}"));
    stage.say(who, "id lobby 1");
    if let Some(token) = token {
        stage.say(who, &format!("id token {token}"));
    }
    stage.say(who, "uciok");
    let heard = stage.heard(who);
    let welcome = heard.iter().find(|l| l.starts_with("lobby welcome"));
    let welcome = welcome.unwrap_or_else(|| panic!("{who} is not welcome: {heard:#?}"));
    let word = welcome.split(' ').nth(7);
    word.expect("a token").into()
}

fn close(stage: &mut Stage, who: &str) {
    stage.run(&format!("{who} closes"));
}

/// Results as they are kept, as `1-0` by the number of the game.
fn results(stage: &Stage) -> Vec<(String, String)> {
    let sheet = stage.kept.iter().rev().find_map(|keep| match keep {
        Keep::Document(_, Some(text)) => Some(text),
        _ => None,
    });
    let sheet: serde_json::Value = serde_json::from_str(sheet.expect("a sheet")).expect("JSON");
    let results = sheet["results"].as_object().expect("results");
    let word = |v: &serde_json::Value| v.as_str().expect("a word").to_owned();
    results.iter().map(|(k, v)| (k.clone(), word(v))).collect()
}

fn documents(stage: &Stage) -> usize {
    let document = |keep: &&Keep| matches!(keep, Keep::Document(..));
    stage.kept.iter().filter(document).count()
}

/// A timer for each game that waits, at each coming and going, and the whole sheet
/// for each game that is lost, took gigabytes.
#[test]
fn when_all_leave_little_is_done() {
    let (mut stage, _) = begun(false, 1, 40);
    for i in 0..40 {
        close(&mut stage, &format!("p{i}"));
    }
    for i in 100..116 {
        come(&mut stage, &format!("s{i}"), None);
        stage.pass(10);
    }
    let timers = stage.order(r#"{"order":"status"}"#)["timers"].clone();
    assert!(timers.as_u64().is_some_and(|n| n < 200), "{timers}");
    let before = documents(&stage);
    stage.pass(200_000);
    let written = documents(&stage) - before;
    assert!((1..20).contains(&written), "{written} times written");
    assert!(!results(&stage).is_empty());
}

/// Only the game that it holds up is lost, not all that are to come.
#[test]
fn an_absence_costs_one_game_at_a_time() {
    let (mut stage, tokens) = begun(false, 1, 4);
    for i in 0..4 {
        stage.say(&format!("p{i}"), "readyok");
    }
    close(&mut stage, "p0");
    // Its game is lost after a minute, and the others play theirs.
    stage.pass(60_500);
    for _ in 0..6 {
        for i in 1..4 {
            let who = format!("p{i}");
            stage.say(&who, "readyok");
            stage.say(&who, "lobby resign");
            stage.pass(1);
        }
    }
    assert_eq!(results(&stage).len(), 4, "{:?}", results(&stage));
    // Another waits for it as long.
    stage.pass(61_000);
    assert_eq!(results(&stage).len(), 5, "{:?}", results(&stage));
    come(&mut stage, "p0", Some(&tokens[0]));
    stage.pass(1);
    let heard = stage.heard("p0");
    assert!(
        heard.iter().any(|l| l.starts_with("lobby start")),
        "it plays the last: {heard:#?}"
    );
}

/// Two short absences are not one long one.
#[test]
fn who_was_back_was_not_away() {
    let (mut stage, tokens) = begun(false, 1, 3);
    // Two of three play; the third is p0 or waits for one of them.
    let idle = (0..3).find(|i| {
        let heard = stage.heard(&format!("p{i}"));
        !heard.iter().any(|l| l.starts_with("lobby start"))
    });
    let idle = idle.expect("one rests");
    let who = format!("p{idle}");
    for i in (0..3).filter(|i| *i != idle) {
        stage.say(&format!("p{i}"), "readyok");
    }
    close(&mut stage, &who);
    stage.pass(300);
    come(&mut stage, "s100", None);
    stage.pass(500);
    come(&mut stage, &who, Some(&tokens[idle]));
    // The others play on, within their clocks.
    stage.pass(59_500);
    close(&mut stage, &who);
    stage.pass(300);
    come(&mut stage, "s101", None);
    stage.pass(400);
    come(&mut stage, &who, Some(&tokens[idle]));
    for i in (0..3).filter(|i| *i != idle) {
        stage.say(&format!("p{i}"), "lobby resign");
    }
    stage.pass(1);
    let heard = stage.heard(&who);
    assert!(
        heard.iter().any(|l| l.starts_with("lobby start")),
        "{heard:#?}"
    );
}

/// After a restart there are five minutes for the games that had not begun, too.
#[test]
fn a_tournament_waits_for_its_players_after_a_restart() {
    let (before, tokens) = begun(false, 1, 4);
    let mut stage = Stage::with(settings(), kept(&before), 3);
    stage.now = std::time::Duration::ZERO;
    stage.pass(120_000);
    assert!(
        documents(&stage) == 0,
        "nothing is lost after two minutes: {:?}",
        stage.kept
    );
    for (i, token) in tokens.iter().enumerate() {
        come(&mut stage, &format!("p{i}"), Some(token));
    }
    stage.pass(1000);
    stage.say("p0", "lobby list tournaments");
    let heard = stage.heard("p0");
    assert!(
        heard.iter().any(|l| l.contains("state running")),
        "{heard:#?}"
    );
}

/// A guest between two games has its name and its seat after a restart.
#[test]
fn an_idle_guest_is_known_after_a_restart() {
    let (before, tokens) = begun(false, 1, 3);
    let playing: Vec<String> = before.games[&1]
        .players
        .iter()
        .map(|p| p.name.clone())
        .collect();
    let idle = (0..3).find(|i| !playing.contains(&format!("p{i}")));
    let idle = idle.expect("one rests");
    let mut stage = Stage::with(settings(), kept(&before), 3);
    stage.now = std::time::Duration::ZERO;
    stage.run(&format!(
        "
        H connects from 10.0.0.66
        H> id username p{idle}
        H> id lobby 1
        H> uciok
        H<< lobby welcome name p{idle}-2 …
        "
    ));
    let who = format!("p{idle}");
    come(&mut stage, &who, Some(&tokens[idle]));
    stage.say(&who, "lobby list players");
    let heard = stage.heard(&who);
    let found = heard
        .iter()
        .any(|l| l.starts_with(&format!("lobby player name {who} ")));
    assert!(found, "{heard:#?}");
}

/// A sheet of an older version names no seats.
#[test]
fn a_sheet_without_seats_is_read() {
    use quadrille_server::hall::{DocumentKey, Kept};
    let text = r#"{"title":"Cup","game":"chess","rules":"","position":"startpos","time":"60+0","swiss":false,"rounds":1,"rated":false,"players":["Ann","Bob"],"running":true,"results":{}}"#;
    let kept = Kept {
        documents: vec![(DocumentKey::Tournament(7), text.into())],
        last_document: 7,
        ..Kept::default()
    };
    let mut stage = Stage::with(settings(), kept, 3);
    stage.run(
        "
        A is lobby Cid
        A> lobby list tournaments
        A< lobby tournament id 7 state running round 1 rounds 1 players 2 …
        ",
    );
}

/// Everybody against everybody has as many rounds as it has.
#[test]
fn rounds_of_everybody_against_everybody_are_counted() {
    let (mut stage, _) = begun(false, 1, 4);
    stage.say("p0", "lobby list tournaments");
    let heard = stage.heard("p0");
    let view = heard
        .iter()
        .rfind(|l| l.starts_with("lobby tournament"))
        .expect("a tournament");
    assert!(view.contains("round 1 rounds 3 "), "{view}");
}
