//! Handshake and options.

use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{
    EngineOption, Opponent, OptionError, OptionKind, SetOptionError, StartError,
};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Code;

use super::beast::{Beast, chess, spec, start, try_start};

fn with_options(quirks: &str, options: &[(&str, Option<&str>)]) -> EngineSpec {
    let own = |(name, value): &(&str, Option<&str>)| (name.to_string(), value.map(Into::into));
    EngineSpec {
        options: options.iter().map(own).collect(),
        ..spec(quirks)
    }
}

fn set(beast: &Beast) -> Vec<String> {
    let sent = beast.sent();
    let options = sent
        .iter()
        .filter_map(|line| line.strip_prefix("setoption name "));
    options.map(Into::into).collect()
}

#[tokio::test]
async fn options_are_checked_spelled_and_ordered() {
    let wanted = [
        ("style", Some("very risky")),
        ("HASH", Some("64")),
        ("clear hash", None),
        ("threads", Some("2")),
        ("book", Some("")),
    ];
    let mut beast = start(&with_options("", &wanted), Game::Chess).await;
    let expected = [
        "Hash value 64",
        "Threads value 2",
        "Style value Very Risky",
        "Clear Hash",
        "Book value <empty>",
        "Ponder value false",
    ];
    assert_eq!(set(&beast), expected);
    beast
        .engine
        .set_option("Clear Hash", Some("false"))
        .await
        .expect("it is only left alone");
    assert_eq!(set(&beast), expected);
    let hash = beast.engine.options().get("hash").expect("declared");
    assert_eq!(hash.value.as_deref(), Some("64"));
    beast.found_only(&[]);
}

#[tokio::test]
async fn wrong_values_are_refused_before_they_are_sent() {
    for (name, value) in [
        ("Hash", Some("0")),
        ("Hash", Some("2000")),
        ("Hash", Some("much")),
        ("Hash", None),
        ("Style", Some("Wild")),
        ("Style", None),
        ("Book", Some("a\nquit")),
    ] {
        let spec = with_options("", &[(name, value)]);
        let error = try_start(&spec, Game::Chess).await.err();
        assert!(
            matches!(error, Some(StartError::Option(_))),
            "{name} {value:?}"
        );
    }
}

#[tokio::test]
async fn unknown_options_are_findings_at_the_start_and_errors_later() {
    let spec = with_options("", &[("Hahs", Some("1")), ("Ponder", Some("true"))]);
    let mut beast = start(&spec, Game::Chess).await;
    beast.found_only(&["unknown-option", "host-option"]);
    let error = beast.engine.set_option("ClearHash", None).await;
    let near = Some("Clear Hash".to_owned());
    let name = "ClearHash".to_owned();
    let expected = OptionError::Unknown { name, near };
    assert_eq!(error, Err(SetOptionError::Option(expected)));
    let error = beast.engine.set_option("ponder", Some("true")).await;
    let managed = matches!(
        error,
        Err(SetOptionError::Option(OptionError::Managed { .. }))
    );
    assert!(managed, "{error:?}");
}

#[tokio::test]
async fn the_host_sets_what_it_knows() {
    let mut beast = start(
        &EngineSpec {
            ponder: true,
            ..spec("")
        },
        Game::Chess,
    )
    .await;
    assert!(beast.engine.ponders());
    beast.engine.set_analysis(true).await.expect("alive");
    let opponent = Opponent {
        elo: Some(2800),
        name: "Shredder\nquit".into(),
        ..Opponent::default()
    };
    beast.engine.set_opponent(&opponent).await.expect("alive");
    let expected = [
        "Ponder value true",
        "UCI_AnalyseMode value true",
        "UCI_Opponent value none 2800 computer Shredderquit",
    ];
    assert_eq!(set(&beast), expected);
    let shown = |name: &str| {
        beast
            .engine
            .options()
            .get(name)
            .map(EngineOption::is_for_people)
    };
    for hidden in [
        "Ponder",
        "UCI_AnalyseMode",
        "UCI_Opponent",
        "UCI_Chess960",
        "UCI_Secret",
    ] {
        assert_eq!(shown(hidden), Some(false), "{hidden}");
    }
    for offered in ["Hash", "Style", "UCI_Elo", "Clear Hash"] {
        assert_eq!(shown(offered), Some(true), "{offered}");
    }
}

#[tokio::test]
async fn n11_bytes_that_are_not_utf8() {
    let mut beast = chess("bad-utf8").await;
    assert_eq!(beast.engine.name(), "K\u{fffd}nig der Tiere");
    assert!(beast.engine.options().get("Er\u{fffd}ffnung").is_some());
    assert!(beast.found(Code::InvalidUtf8));
    beast.lives_on().await;
}

#[tokio::test]
async fn n13_uciok_before_uci() {
    let mut beast = chess("early-uciok").await;
    assert_eq!(beast.engine.name(), "Zoo");
    beast.lives_on().await;
}

#[tokio::test]
async fn n14_blanks_and_keywords_in_option_lines() {
    let spec = with_options("spaced-options", &[("skill mini max", Some("7"))]);
    let beast = start(&spec, Game::Chess).await;
    let option = beast
        .engine
        .options()
        .get("Skill mini max")
        .expect("declared");
    let expected = OptionKind::Spin {
        default: Some(3),
        min: Some(0),
        max: Some(20),
    };
    assert_eq!(option.kind, expected);
    let sent = set(&beast);
    assert!(sent[0].ends_with("value 7"), "{sent:?}");
    let mode = beast
        .engine
        .options()
        .get("default mode")
        .expect("declared");
    let expected = OptionKind::Check {
        default: Some(true),
    };
    assert_eq!(mode.kind, expected);
}

#[tokio::test]
async fn n15_empty_defaults() {
    let beast = chess("empty-default").await;
    let default = |name: &str| match &beast.engine.options().get(name)?.kind {
        OptionKind::Text { default } => Some(default.clone().unwrap_or_default()),
        _ => None,
    };
    for name in ["EmptyA", "EmptyB", "EmptyC"] {
        assert_eq!(default(name).as_deref(), Some(""), "{name}");
    }
}

#[tokio::test]
async fn n16_capital_bools() {
    let beast = chess("capital-bool").await;
    let ponder = beast.engine.options().get("Ponder").expect("declared");
    let expected = OptionKind::Check {
        default: Some(false),
    };
    assert_eq!(ponder.kind, expected);
    assert_eq!(set(&beast), ["Ponder value false"]);
    beast.found_only(&["default-not-a-bool"]);
}

#[tokio::test]
async fn n17_fractions_and_file_names() {
    let wanted = [("skill level", Some("12")), ("net", Some("b.net"))];
    let beast = start(&with_options("float-spin", &wanted), Game::Chess).await;
    let skill = beast.engine.options().get("Skill Level").expect("declared");
    let expected = OptionKind::Spin {
        default: Some(10),
        min: Some(0),
        max: Some(20),
    };
    assert_eq!(skill.kind, expected);
    assert!(set(&beast).contains(&"Net value b.net".into()));
    assert!(beast.found(Code::FractionalNumber));
    assert!(beast.found(Code::UnknownOptionType));
}

#[tokio::test]
async fn n18_the_engines_spelling_is_used() {
    let beast = start(
        &with_options("exact-case", &[("Hash", Some("32"))]),
        Game::Chess,
    )
    .await;
    assert!(set(&beast).contains(&"hAsH value 32".into()));
    beast.found_only(&[]);
}

#[tokio::test]
async fn n19_the_word_value_in_names_and_values() {
    let wanted = [
        ("draw value", Some("-7")),
        ("the style", Some("Good Looks")),
        ("book", Some("my value dir")),
    ];
    let beast = start(&with_options("value-in-name", &wanted), Game::Chess).await;
    let sent = set(&beast);
    assert!(sent.contains(&"draw value value -7".into()), "{sent:?}");
    assert!(
        sent.contains(&"The Style value good looks".into()),
        "{sent:?}"
    );
    assert!(sent.contains(&"Book value my value dir".into()), "{sent:?}");
}

#[tokio::test]
async fn n36_output_that_is_never_flushed() {
    let mut spec = spec("buffered");
    spec.timeouts.startup = Duration::from_millis(300);
    let error = try_start(&spec, Game::Chess).await.err();
    let Some(StartError::NoHandshake { heard, .. }) = error else {
        panic!("{error:?}");
    };
    assert!(heard.is_empty());
}

#[tokio::test]
async fn n37_slow_start() {
    let mut beast = chess("slow-start --lag 100").await;
    beast.engine.new_game().await.expect("ready");
    beast.lives_on().await;
    beast.found_only(&[]);
    let mut hasty = spec("slow-start --lag 5000");
    hasty.timeouts.startup = Duration::from_millis(200);
    let error = try_start(&hasty, Game::Chess).await.err();
    assert!(
        matches!(error, Some(StartError::NoHandshake { .. })),
        "{error:?}"
    );
}

#[tokio::test]
async fn n39_not_an_engine_at_all() {
    let error = try_start(&spec("not-uci"), Game::Chess).await.err();
    let Some(StartError::Died { death, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(death.code, Some(1));
    assert_eq!(death.stderr, ["fatal: no config file"]);
    let missing = EngineSpec {
        command: "/nowhere/engine".into(),
        ..EngineSpec::default()
    };
    let error = try_start(&missing, Game::Chess).await.err();
    let Some(StartError::Spawn { program, source }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(program, missing.command);
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
    for (command, hint) in [("no-such-engine", "PATH"), ("Cargo.toml", "./Cargo.toml")] {
        let spec = EngineSpec {
            command: command.into(),
            ..EngineSpec::default()
        };
        let error = try_start(&spec, Game::Chess).await.err().expect("none");
        assert!(
            error.hint().is_some_and(|text| text.contains(hint)),
            "{error}"
        );
    }
}

#[tokio::test]
async fn n48_no_combo_without_a_value() {
    let mut beast = chess("dies-on-bare-combo").await;
    let error = beast.engine.set_option("Style", None).await;
    let refused = matches!(
        error,
        Err(SetOptionError::Option(OptionError::NoValue { .. }))
    );
    assert!(refused, "{error:?}");
    beast.lives_on().await;
}

#[tokio::test]
async fn copy_protection() {
    let error = try_start(&spec("copy-protected"), Game::Chess).await.err();
    let Some(StartError::CopyProtected { reason }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(reason.as_deref(), Some("the dongle is missing"));
    chess("copy-checked").await.lives_on().await;
}

#[tokio::test]
async fn registration() {
    let mut beast = chess("wants-registration").await;
    beast.lives_on().await;
    assert!(beast.sent().contains(&"register later".into()));
    for (code, found) in [("4711", false), ("1", true)] {
        let registered = EngineSpec {
            registration: Some(("A B".into(), code.into())),
            ..spec("wants-registration")
        };
        let mut beast = start(&registered, Game::Chess).await;
        beast.lives_on().await;
        assert!(
            beast
                .sent()
                .contains(&format!("register name A B code {code}"))
        );
        assert_eq!(beast.found(HostDiagnostic::NotRegistered), found);
        assert_eq!(beast.sent().contains(&"register later".into()), found);
    }
}

#[tokio::test]
async fn no_name_and_late_options() {
    let mut beast = chess("no-id late-option").await;
    beast.lives_on().await;
    assert_eq!(beast.engine.name(), "zoo");
    assert!(beast.found(Code::MissingId));
    assert!(beast.found(Code::LateIdentification));
    beast
        .engine
        .set_option("late", Some("off"))
        .await
        .expect("declared late");
}

#[tokio::test]
async fn lines_before_the_handshake() {
    let early = EngineSpec {
        init: vec!["debug off".into()],
        name: Some("mine".into()),
        ..spec("")
    };
    let beast = start(&early, Game::Chess).await;
    assert_eq!(beast.sent()[..2], ["debug off", "uci"]);
    assert_eq!(beast.engine.name(), "mine");
    let line = AnyLine::start(Game::Chess);
    assert_eq!(line.game(), beast.engine.game());
}
