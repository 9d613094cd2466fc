//! Clients that mean no good by the hundred, and all at once.

use std::collections::HashMap;
use std::time::Duration;

use super::{Stage, settings};
use quadrille_games::random::SplitMix64;
use quadrille_server::hall::{ConnId, Effect};
use quadrille_server::password::{self, Work};

fn stage() -> Stage {
    Stage::new(settings())
}

#[test]
fn a_flood_of_lines() {
    let mut stage = stage();
    stage.run("A is lobby Ann\nH is lobby Hal");
    for _ in 0..200 {
        stage.say("H", "lobby list seeks");
    }
    assert!(stage.is_cut_off("H") && !stage.is_cut_off("A"));
    let heard = stage.heard("H");
    assert_eq!(
        heard.last().map(String::as_str),
        Some("info clienterror too many lines at once")
    );
    stage.say("A", "lobby list players");
    assert!(!stage.heard("A").iter().any(|l| l.contains("Hal")));
}

#[test]
fn a_flood_of_info() {
    let mut stage = stage();
    stage.run(
        "
        E is engine Fish
        A is lobby Ann
        W is lobby Wim
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        W> lobby watch id 1
        W~
        ",
    );
    for depth in 0..5000 {
        stage.say("E", &format!("info depth {depth} score cp 1 pv e2e4"));
    }
    assert_eq!(stage.heard("W").len(), 1, "one in a quarter of a second");
    assert!(!stage.is_cut_off("E"), "engines do talk");
    stage.run("E> bestmove e2e4\nA<< position startpos moves e2e4");
}

#[test]
fn a_storm_of_connections() {
    let mut stage = stage();
    for i in 0..200 {
        stage.connect(&format!("H{i}"), "10.0.0.6");
        stage.run(&format!("H{i} closes"));
    }
    stage.connect("H", "10.0.0.6");
    assert!(stage.is_cut_off("H"));
    let heard = stage.heard("H");
    assert_eq!(
        heard,
        ["info servererror too many connections in a short time: wait a little"]
    );
    stage.run(
        "A connects from 10.0.0.7\nA< uci\nA is in\n+ 30000\nB connects from 10.0.0.6\nB is in",
    );
}

#[test]
fn more_handshakes_than_are_allowed() {
    let mut stage = stage();
    for i in 0..8 {
        stage.connect(&format!("H{i}"), "10.0.0.6");
        assert!(!stage.is_cut_off(&format!("H{i}")));
    }
    stage.connect("H", "10.0.0.6");
    assert!(stage.is_cut_off("H"));
    stage.run("A connects from 10.0.0.7\nA is in");
}

#[test]
fn more_connections_than_are_allowed() {
    let mut few = settings();
    few.per_address = 5;
    let mut stage = Stage::new(few);
    for i in 0..5 {
        stage.enter(&format!("H{i}"), "lobby", &format!("h{i}"), "10.0.0.6");
    }
    stage.connect("H", "10.0.0.6");
    assert!(stage.is_cut_off("H"));
}

#[test]
fn a_full_house() {
    let mut few = settings();
    few.connections = 3;
    let mut stage = Stage::new(few);
    for i in 0..4 {
        stage.connect(&format!("H{i}"), &format!("10.0.0.{i}"));
    }
    assert!(!stage.is_cut_off("H2") && stage.is_cut_off("H3"));
}

/// Seeks reach everybody who follows them, and no step sends more than some hundred.
#[test]
fn ten_thousand_follow_seeks() {
    const FOLLOWERS: u64 = 10_000;
    let mut large = settings();
    large.connections = 2 * FOLLOWERS as usize;
    let mut stage = Stage::new(large);
    for n in 0..FOLLOWERS {
        let (conn, now) = (ConnId(1_000_000 + n), stage.now);
        stage.hall.connect(conn, None, now);
        let name = format!("id username f{n}");
        for line in [&*name, "id lobby 1", "uciok", "lobby list seeks"] {
            stage.hall.line(conn, line, now, now);
        }
        stage.hall.effects();
    }
    stage.enter("A", "lobby", "Ann", "10.0.0.1");
    let mut heard = HashMap::<ConnId, Vec<String>>::new();
    let mut longest = 0;
    let mut step = |stage: &mut Stage| {
        let effects = stage.hall.effects();
        longest = longest.max(effects.len());
        for effect in effects {
            if let Effect::Send(conn, line) = effect {
                heard.entry(conn).or_default().push(line.to_string());
            }
        }
    };
    // The second is taken back before anybody heard of it.
    let conn = stage.conn("A");
    for line in [
        "lobby seek time 60",
        "lobby seek time 61",
        "lobby unseek id 10003",
        "lobby seek time 62",
        "lobby unseek id 10002",
    ] {
        stage.hall.line(conn, line, stage.now, stage.now);
        step(&mut stage);
    }
    let mut begun = false;
    let soon = |stage: &Stage| stage.now + Duration::from_millis(10);
    while let Some(at) = stage.hall.deadline().filter(|at| *at <= soon(&stage)) {
        stage.now = stage.now.max(at);
        stage.hall.tick(stage.now);
        step(&mut stage);
        // One that some have heard of is taken back for all.
        if !std::mem::replace(&mut begun, true) {
            stage
                .hall
                .line(conn, "lobby unseek id 10004", stage.now, stage.now);
            step(&mut stage);
        }
    }
    assert!(longest < 1000, "{longest} effects in a step");
    let news = |line: &String| line.split(" by ").next().unwrap_or_default().to_owned();
    for n in 0..FOLLOWERS {
        let lines: Vec<String> = heard[&ConnId(1_000_000 + n)].iter().map(news).collect();
        assert_eq!(lines, ["lobby seek id 10004", "lobby seek-gone id 10004"]);
    }
    let own = heard[&conn].len();
    assert_eq!(own, 6, "one's own are told at once");
}

#[test]
fn passwords_by_the_hundred() {
    let mut stage = stage();
    let hash = password::hash("secret", Work::Small).expect("a hash");
    stage.order(&format!(
        r#"{{"order":"account","name":"Ann","hash":"{hash}"}}"#
    ));
    let mut refused = 0;
    for i in 0..30 {
        let who = format!("H{i}");
        stage.connect(&who, "10.0.0.6");
        for line in ["id username Ann", &format!("id password guess{i}"), "uciok"] {
            stage.say(&who, line);
        }
        assert!(stage.is_cut_off(&who));
        refused += usize::from(
            stage
                .heard(&who)
                .iter()
                .any(|l| l.contains("too many passwords")),
        );
    }
    assert_eq!(refused, 20, "ten at once");
}

#[test]
fn a_password_of_a_megabyte() {
    let mut stage = stage();
    let hash = password::hash("secret", Work::Small).expect("a hash");
    stage.order(&format!(
        r#"{{"order":"account","name":"Ann","hash":"{hash}"}}"#
    ));
    stage.connect("H", "10.0.0.6");
    stage.say("H", "id username Ann");
    stage.say("H", &format!("id password {}", "x".repeat(1 << 20)));
    stage.say("H", "uciok");
    stage.run("H<< info clienterror the name or the password is wrong\nH is cut off");
}

#[test]
fn seeks_without_end() {
    let mut stage = stage();
    stage.run("H is lobby Hal");
    for _ in 0..30 {
        stage.say("H", "lobby seek time 60");
    }
    stage.run("A is lobby Ann\nA> lobby list seeks");
    assert_eq!(stage.heard("A").len(), 6, "five and the end of the list");
}

#[test]
fn an_impostor_of_an_account() {
    let mut stage = stage();
    let hash = password::hash("secret", Work::Small).expect("a hash");
    stage.order(&format!(
        r#"{{"order":"account","name":"Ann","hash":"{hash}"}}"#
    ));
    stage.run(
        "
        # Neither as a guest, nor as an engine, nor by another spelling.
        H connects
        H> id username aNN
        H> uciok
        H is cut off
        I connects
        I> id name Ann
        I> id lobby 1
        I> uciok
        I<< lobby welcome name Ann-2 account no …
        J connects
        J> id username Ann!
        J> uciok
        J is cut off
        ",
    );
}

/// What lines are made of.
const WORDS: &[&str] = &[
    "lobby",
    "seek",
    "accept",
    "id",
    "1",
    "2",
    "3",
    "4",
    "game",
    "chess",
    "gyges",
    "leiser",
    "liberty",
    "time",
    "1+1",
    "60",
    "bestmove",
    "e2e4",
    "e7e5",
    "0000",
    "readyok",
    "uciok",
    "info",
    "depth",
    "pv",
    "resign",
    "draw",
    "takeback",
    "rematch",
    "abort",
    "no",
    "watch",
    "list",
    "seeks",
    "games",
    "players",
    "play",
    "level",
    "challenge",
    "Ann",
    "join",
    "word",
    "quit",
    "rated",
    "colour",
    "white",
    "black",
    "fen",
    "\u{1b}",
    "register",
    "tournament",
];

/// Random lines from many clients: nothing breaks, and every line stays one line
/// (the stage looks at each).
#[test]
fn everything_at_once() {
    let words = WORDS;
    let mut loose = settings();
    loose.lines.burst = 1_000_000;
    loose.connects.burst = 1_000_000;
    let mut random = SplitMix64::new(99);
    for round in 0..20 {
        let mut stage = Stage::with(
            loose.clone(),
            quadrille_server::hall::Kept::default(),
            round,
        );
        for step in 0..400 {
            let who = format!("H{}", random.below(6));
            match random.below(40) {
                _ if step < 6 => stage.run(&format!("H{step} is lobby Ann")),
                0 => stage.pass(random.below(30_000)),
                1 => stage.run(&format!("{who} is lobby Ann")),
                2 => stage.run(&format!("{who} is engine Fish")),
                3 if step > 50 => stage.run(&format!("{who} closes")),
                _ => {
                    let length = 1 + random.index(6);
                    let line: Vec<&str> = (0..length)
                        .map(|_| words[random.index(words.len())])
                        .collect();
                    stage.say(&who, &line.join(" "));
                }
            }
        }
    }
}

/// Answers to our own questions are no flood: two fast engines play as fast as they
/// can.
#[test]
fn fast_engines_are_no_flood() {
    let mut stage = stage();
    stage.run("E is engine Fish\nA is bot Bot");
    let moves = ["b1c3", "b8c6", "c3b1", "c6b8"];
    for _ in 0..40 {
        stage.run("+ 150\nA> lobby play time 60 colour black\nE> readyok\nA> readyok");
        for ply in 0..8 {
            let who = if ply % 2 == 0 { "E" } else { "A" };
            stage.say(who, &format!("bestmove {}", moves[ply % 4]));
        }
    }
    assert!(!stage.is_cut_off("E") && !stage.is_cut_off("A"));
    // Moves that were not asked for are.
    for _ in 0..200 {
        stage.say("E", "bestmove e2e4");
    }
    assert!(stage.is_cut_off("E"));
}

/// A person whose moves are refused is asked again at once, without end.
#[test]
fn illegal_moves_are_a_flood() {
    let mut stage = stage();
    stage.run(
        "
        H is lobby Hal
        A is lobby Ann
        H> lobby seek time 60 colour white
        A> lobby accept id 3
        H> readyok
        A> readyok
        ",
    );
    for _ in 0..200 {
        stage.say("H", "bestmove e2e5");
    }
    assert!(stage.is_cut_off("H"));
}

#[test]
fn an_engine_may_have_many_options() {
    let mut stage = stage();
    stage.run("E connects\nE> id name Fish");
    for i in 0..150 {
        stage.say("E", &format!("option name O{i} type check default false"));
    }
    stage.run("E> uciok\nE is in");
    for option in ["option name O type check default false", "option"] {
        let mut flood = Stage::new(settings());
        flood.run("E connects");
        for _ in 0..400 {
            flood.say("E", option);
        }
        assert!(flood.is_cut_off("E"), "{option}");
    }
}

/// The list of a tournament is not written once for each that comes and goes.
#[test]
fn coming_and_going_is_written_at_once() {
    use quadrille_server::hall::{Effect, Keep};
    let mut stage = stage();
    stage.run("A is lobby Ann");
    stage.order(r#"{"order":"tournament","title":"Cup","game":"chess","rules":"","position":"startpos","time":"60+0","swiss":false,"rounds":1,"rated":false}"#);
    let conn = stage.conn("A");
    for _ in 0..20 {
        for what in ["join", "leave"] {
            let line = format!("lobby tournament {what} id 2");
            stage.hall.line(conn, &line, stage.now, stage.now);
        }
    }
    stage.hall.tick(stage.now);
    let effects = stage.hall.effects();
    let written = |e: &&Effect| matches!(e, Effect::Keep(Keep::Document(..)));
    assert_eq!(effects.iter().filter(written).count(), 1);
}

/// Timers are not heaped up by moves.
#[test]
fn moves_leave_no_timers_behind() {
    let mut stage = stage();
    stage.run("E is engine Fish\nA is bot Bot");
    stage.run("A> lobby play time 86400 colour black\nE> readyok\nA> readyok");
    let timers = |stage: &mut Stage| {
        let status = stage.order(r#"{"order":"status"}"#);
        status["timers"].as_u64().expect("a number")
    };
    let before = timers(&mut stage);
    for (who, text) in [("E", "e2e4"), ("A", "e7e5"), ("E", "g1f3"), ("A", "g8f6")] {
        stage.pass(1000);
        stage.say(who, &format!("bestmove {text}"));
    }
    assert!(timers(&mut stage) <= before + 1);
}
