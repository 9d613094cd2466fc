//! From the greeting to an engine that is ready.

use quadrille_client::ClientConfig;
use quadrille_games::Game;
use quadrille_protocol::Dialect;

use crate::script::Talk;

fn chess(config: ClientConfig) -> Talk {
    Talk::new(Game::Chess, config)
}

fn option(name: &str, value: &str) -> (String, Option<String>) {
    (name.into(), Some(value.into()))
}

#[test]
fn each_game_has_its_greeting() {
    for (game, hello, done) in [
        (Game::Chess, "uci", "uciok"),
        (Game::Liberty, "uci", "uciok"),
        (Game::Leiser, "uci", "uciok"),
        (Game::Gyges, "ugi", "ugiok"),
    ] {
        let mut talk = Talk::new(game, ClientConfig::default());
        talk.run(&format!(
            "> {hello}
             < {done}
             > isready
             < readyok
             = Started"
        ));
        assert!(talk.client.is_idle(), "{game}");
    }
}

#[test]
fn options_are_set_in_an_order_that_engines_can_use() {
    let mut talk = chess(ClientConfig {
        options: vec![
            option("Style", "Solid"),
            option("threads", "2"),
            option("HASH", "64"),
            option("None", "1"),
            option("UCI_Chess960", "true"),
        ],
        ponder: true,
        ..ClientConfig::default()
    });
    talk.run(
        "> uci
         < option name Style type combo default Solid var Solid var Risky
         < option name Threads type spin default 1 min 1 max 8
         < option name Hash type spin default 16 min 1 max 128
         < option name Ponder type check default false
         < option name UCI_Chess960 type check default false
         < uciok
         > setoption name Hash value 64
         > setoption name Threads value 2
         > setoption name Style value Solid
         > setoption name Ponder value true
         > isready
         < readyok
         = Started",
    );
    assert_eq!(talk.findings(), ["unknown-option", "host-option"]);
    assert!(talk.client.ponders());
}

#[test]
fn a_value_that_an_option_does_not_take_ends_the_start() {
    let mut talk = chess(ClientConfig {
        options: vec![option("Hash", "4096")],
        ..ClientConfig::default()
    });
    talk.run(
        "> uci
         < option name Hash type spin default 16 min 1 max 128
         < uciok
         = no start: option Hash: 4096 is outside 1 to 128",
    );
}

#[test]
fn silence_has_the_other_dialect_tried_and_then_an_end() {
    let mut talk = chess(ClientConfig::default());
    talk.run(
        "> uci
         +3.3s
         +0.1s
         > ugi
         +6.5s
         +0.2s
         = no start: no uciok or ugiok from the engine within 10 s",
    );
    // One who knows the dialect wants no other.
    let mut talk = chess(ClientConfig {
        dialect: Some(Dialect::Uci),
        ..ClientConfig::default()
    });
    talk.run(
        "> uci
         +11s
         = no start: no uciok or ugiok from the engine within 10 s",
    );
}

/// A slow engine is greeted twice; it answers the first word, and what it says of the
/// second one is our fault.
#[test]
fn a_slow_engine_is_not_blamed_for_the_second_greeting() {
    let mut talk = chess(ClientConfig::default());
    talk.run(
        "> uci
         +4s
         > ugi
         < id name Slow
         < uciok
         > isready
         < Unknown command: 'ugi'
         < readyok
         = Started",
    );
    assert_eq!(talk.findings(), Vec::<String>::new());
    assert_eq!(talk.client.identity().name.as_deref(), Some("Slow"));
}

#[test]
fn a_complaint_about_the_greeting_has_the_other_tried_at_once() {
    let mut talk = Talk::new(Game::Gyges, ClientConfig::default());
    talk.run(
        "> ugi
         < Unknown command: ugi
         > uci
         < uciok
         = no start: the engine speaks uci, which cannot play gyges",
    );
    // Not once the handshake is over: then it complains about something else.
    let mut talk = chess(ClientConfig::default());
    talk.run(
        "> uci
         < uciok
         > isready
         < info string unknown option UCI_Foo
         < readyok
         = Started",
    );
}

#[test]
fn an_engine_that_names_a_version_speaks_ulci() {
    let mut talk = Talk::new(Game::Liberty, ClientConfig::default());
    talk.run(
        "> uci
         < id name Ox
         < id version 1
         < id pieces kqrbnpw
         < uciok
         > isready
         < readyok
         = Started",
    );
    assert_eq!(talk.client.dialect(), Dialect::Ulci);
}

#[test]
fn copy_protection_is_waited_for() {
    let mut talk = chess(ClientConfig::default());
    talk.run(
        "> uci
         < uciok
         > isready
         < copyprotection checking
         < readyok
         +5s
         < copyprotection ok
         = Started",
    );
    let mut talk = chess(ClientConfig::default());
    talk.run(
        "> uci
         < uciok
         > isready
         < info string buy me
         < copyprotection error
         = no start: the engine's copy protection refuses to run: buy me",
    );
}

/// The engine asks again after each answer; it is answered twice and may be used.
#[test]
fn registration_is_answered_and_then_put_off() {
    let mut talk = chess(ClientConfig {
        registration: Some(("Ann".into(), "4711".into())),
        ..ClientConfig::default()
    });
    talk.run(
        "> uci
         < uciok
         > isready
         < registration error
         > register name Ann code 4711
         > isready
         < readyok
         < registration error
         > register later
         < registration error
         < readyok
         = Started",
    );
    assert!(talk.findings().contains(&"not-registered".into()));
}

#[test]
fn what_an_engine_says_about_itself_is_bounded() {
    let mut talk = chess(ClientConfig::default());
    talk.run("> uci");
    let name = "x".repeat(10_000);
    for _ in 0..1_000 {
        talk.run(&format!("< id feature {name}\n< id name {name}"));
    }
    assert_eq!(
        talk.client.identity().name.as_ref().map(String::len),
        Some(500)
    );
    assert!(talk.client.identity().features.len() <= 100);
    assert_eq!(talk.client.first_lines().len(), 10);
}
