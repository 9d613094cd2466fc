//! Tournaments, and what the operator does.

use super::{Stage, conversations, settings};
use crate::hall::restart::kept;

pub(super) const OPEN: &str = r#"{"order":"tournament","title":"Cup","game":"chess","rules":"","position":"startpos","time":"60+0","swiss":SWISS,"rounds":ROUNDS,"rated":false}"#;

fn tournament(swiss: bool, rounds: u32, players: &[(&str, &str)]) -> (Stage, u64) {
    let mut stage = Stage::new(settings());
    for (who, name) in players {
        stage.enter(who, "lobby", name, "10.0.0.1");
    }
    let order = OPEN.replace("SWISS", &swiss.to_string());
    let answer = stage.order(&order.replace("ROUNDS", &rounds.to_string()));
    let id = answer["id"].as_u64().expect("a number");
    for (who, _) in players {
        stage.say(who, &format!("lobby tournament join id {id}"));
    }
    (stage, id)
}

/// All games that are running are resigned by Black.
fn play_round(stage: &mut Stage, players: &[(&str, &str)]) -> usize {
    for (who, _) in players {
        stage.say(who, "readyok");
    }
    let mut ended = 0;
    for (who, _) in players {
        if stage.heard(who).iter().any(|l| l.contains("you black")) {
            stage.say(who, "lobby resign");
            ended += 1;
        }
    }
    stage.pass(1);
    ended
}

#[test]
fn everybody_meets_everybody() {
    let players = [("A", "Ann"), ("B", "Bob"), ("C", "Cid"), ("D", "Dee")];
    let (mut stage, id) = tournament(false, 1, &players);
    stage.order(&format!(r#"{{"order":"begin","id":{id},"engines":false}}"#));
    stage.pass(1);
    let mut games = 0;
    for _ in 0..6 {
        games += play_round(&mut stage, &players);
    }
    assert_eq!(games, 6);
    stage.heard("A");
    stage.say("A", "lobby list tournaments");
    let heard = stage.heard("A");
    assert!(
        heard[0].contains("state over") && heard[0].contains("title Cup"),
        "{heard:#?}"
    );
    assert_eq!(
        heard
            .iter()
            .filter(|l| l.starts_with("lobby standing"))
            .count(),
        4
    );
}

#[test]
fn swiss_goes_round_by_round_and_survives_a_restart() {
    let players = [("A", "Ann"), ("B", "Bob"), ("C", "Cid"), ("D", "Dee")];
    let (mut stage, id) = tournament(true, 3, &players);
    stage.order(&format!(r#"{{"order":"begin","id":{id},"engines":false}}"#));
    stage.pass(1);
    assert_eq!(play_round(&mut stage, &players), 2);
    assert_eq!(stage.hall.running(), 2, "the second round has begun");
    let mut again = Stage::with(settings(), kept(&stage), 3);
    again.now = std::time::Duration::ZERO;
    assert_eq!(again.hall.running(), 2, "and goes on");
}

#[test]
fn a_guest_keeps_its_name_and_its_place_between_rounds() {
    let players = [("A", "Ann"), ("B", "Bob")];
    let (mut stage, _) = tournament(false, 1, &players);
    stage.run(
        "
        A closes
        H is lobby Ann from 10.0.0.66
        H> lobby list players
        H< lobby player name Bob …
        H< lobby player name Ann-2 …
        H~
        B~
        ",
    );
}

#[test]
fn one_who_is_never_ready_loses_in_a_tournament() {
    let players = [("A", "Ann"), ("B", "Bob")];
    let (mut stage, id) = tournament(false, 1, &players);
    stage.order(&format!(r#"{{"order":"begin","id":{id},"engines":false}}"#));
    stage.pass(1);
    stage.say("A", "readyok");
    stage.heard("A");
    stage.pass(10_000);
    stage.run("A<< lobby end id 1 result … reason … stalls: no readyok\nA<< lobby tournament … state over …");
}

#[test]
fn one_who_does_not_come_loses() {
    let players = [("A", "Ann"), ("B", "Bob")];
    let (mut stage, id) = tournament(false, 1, &players);
    stage.run("B closes");
    stage.order(&format!(r#"{{"order":"begin","id":{id},"engines":false}}"#));
    stage.heard("A");
    stage.pass(60_001);
    stage.say("A", "lobby list tournaments");
    let heard = stage.heard("A");
    let over = heard.iter().any(|l| l.contains("state over"));
    let first = heard
        .iter()
        .any(|l| l.ends_with("place 1 name Ann half-points 2"));
    assert!(over && first, "{heard:#?}");
}

#[test]
fn engines_enter_by_the_operators_wish() {
    let mut stage = Stage::new(settings());
    stage.run("E is engine Fish\nF is engine Crab\nG is ulci Ox");
    let order = OPEN.replace("SWISS", "false").replace("ROUNDS", "1");
    let id = stage.order(&order)["id"].as_u64().expect("a number");
    stage.order(&format!(r#"{{"order":"begin","id":{id},"engines":true}}"#));
    stage.pass(1);
    assert_eq!(stage.hall.running(), 1, "three engines, one pair at a time");
}

conversations! {
    a_tournament_is_entered_and_left: "
        A is lobby Ann
        ! {\"order\":\"tournament\",\"title\":\"Cup\",\"game\":\"chess\",\"rules\":\"\",\"position\":\"startpos\",\"time\":\"60+0\",\"swiss\":false,\"rounds\":1,\"rated\":false}
        A< lobby tournament id 2 state open round 0 rounds 1 players 0 game chess time 60+0 title Cup
        A> lobby tournament join id 2
        A< lobby tournament id 2 state open round 0 rounds 1 players 1 …
        A> lobby tournament join id 2
        A< lobby error you are on the list
        A> lobby tournament join id 77
        A< lobby error there is no such tournament
        A> lobby tournament leave id 2
        A< lobby tournament id 2 state open round 0 rounds 1 players 0 …
        A.
        A> lobby tournament leave id 77
        A< lobby error there is no tournament that could be left
    "
    kicked: "
        A is lobby Ann
        ! {\"order\":\"kick\",\"name\":\"ann\"}
        A< info clienterror the operator closed your connection
        A is cut off
    "
    banned_by_name: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        ! {\"order\":\"ban\",\"what\":\"Ann\",\"why\":\"cheating\"}
        A is cut off
        B<< lobby end id 1 result 0-1 reason White disconnects: banned
    "
    banned_by_address: "
        A is lobby Ann from 10.0.0.66
        ! {\"order\":\"ban\",\"what\":\"10.0.0.66\",\"why\":\"floods\"}
        A<< info clienterror you are banned: floods
        A is cut off
        B connects from 10.0.0.66
        B< info servererror this address is banned: floods
        B is cut off
        ! {\"order\":\"unban\",\"what\":\"10.0.0.66\"}
        C connects from 10.0.0.66
        C is in
    "
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    let mut stage = Stage::new(settings());
    for order in [
        r#"{"order":"kick","name":"Nobody"}"#,
        r#"{"order":"account","name":"../x","hash":"h"}"#,
        r#"{"order":"begin","id":5,"engines":false}"#,
        r#"{"order":"arrange","names":["x","X"],"games":1,"time":null}"#,
        r#"{"order":"arrange","names":["x","y"],"games":1,"time":"soon"}"#,
    ] {
        let answer = stage.order(order);
        assert!(answer.get("error").is_some(), "{order}: {answer}");
    }
    let status = stage.order(r#"{"order":"status"}"#);
    assert_eq!(status["connections"], 0);
}
