//! The other games, and engines that speak as their reference engines do.

use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_driver::{Answer, Clock, Clocks, Failure, InfoLine, Limits, StartError};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{Dialect, ScoreValue};

use super::beast::{Beast, spec, start, try_start};

/// Plays against itself for a while.
async fn play(beast: &mut Beast, plies: usize) -> AnyLine {
    let mut line = AnyLine::start(beast.engine.game());
    beast.engine.new_game().await.expect("ready");
    for _ in 0..plies {
        if line.outcome().is_some() {
            break;
        }
        let outcome = beast
            .search(&line, &Limits::movetime(Duration::from_secs(1)))
            .await;
        let best = outcome.best().unwrap_or_else(|| panic!("{outcome:?}"));
        let head = outcome.info().and_then(|info| info.pv_moves().next());
        assert_eq!(head, Some(&*best.text), "the best line in our view");
        line.play(&best.text).expect("legal");
    }
    line
}

async fn animal(quirks: &str, game: Game) -> Beast {
    start(&spec(&format!("--game {game} {quirks}")), game).await
}

#[tokio::test]
async fn every_game_is_played_in_its_dialect() {
    for (game, dialect) in [
        (Game::Chess, Dialect::Uci),
        (Game::Liberty, Dialect::Ulci),
        (Game::Leiser, Dialect::Leiser),
        (Game::Gyges, Dialect::Ugi),
    ] {
        let mut beast = animal("", game).await;
        assert_eq!(beast.engine.dialect(), dialect);
        let line = play(&mut beast, 12).await;
        assert!(line.plies() > 1, "{game}");
        assert!(!beast.engine.quit().await.killed);
    }
}

#[tokio::test]
async fn an_engine_of_another_game_is_refused() {
    for (speaks, wanted) in [(Game::Gyges, Game::Chess), (Game::Chess, Game::Gyges)] {
        let spec = spec(&format!("--game {speaks}"));
        let error = try_start(&spec, wanted).await.err();
        let refused = matches!(error, Some(StartError::OtherGame { game, .. }) if game == wanted);
        assert!(refused, "{error:?}");
    }
}

#[tokio::test]
async fn a_plain_engine_for_liberty_chess_speaks_uci() {
    let mut beast = animal("plain-uci", Game::Liberty).await;
    assert_eq!(beast.engine.dialect(), Dialect::Uci);
    play(&mut beast, 4).await;
    let wide = AnyLine::new(Game::Liberty, "", "Capablanca 10x8").expect("a preset");
    assert_eq!(beast.engine.lacks(&AnyLine::start(Game::Liberty)), None);
    assert!(beast.engine.lacks(&wide).is_some());
    let beast = animal("", Game::Liberty).await;
    assert_eq!(beast.engine.lacks(&wide), None);
    assert_eq!(beast.engine.identity().version.as_deref(), Some("1"));
    assert_eq!(
        beast.engine.identity().pieces.as_deref(),
        Some("kmqcaehuriwbznxlop")
    );
}

/// The reference client of Liberty Chess ends on what it does not understand.
#[tokio::test]
async fn oxidation_ends_on_an_odd_position() {
    let mut beast = animal("oxidation", Game::Liberty).await;
    let wide = AnyLine::new(Game::Liberty, "", "Capablanca 10x8").expect("a preset");
    let outcome = beast.search(&wide, &Limits::depth(1)).await;
    assert!(outcome.best().is_some(), "{outcome:?}");
    // A position of another game is something it cannot understand.
    let mut foreign = AnyLine::new(Game::Leiser, "", "endgame").expect("a preset");
    foreign = AnyLine::new(Game::Leiser, "", &foreign.position_text()).expect("its text");
    let outcome = beast.search(&foreign, &Limits::depth(1)).await;
    let Answer::Failed(Failure::Died(death)) = &outcome.answer else {
        panic!("{outcome:?}");
    };
    assert_eq!(death.code, Some(0));
    assert!(beast.found(HostDiagnostic::EngineError));
}

#[tokio::test]
async fn the_reference_engine_of_leiserchess() {
    let mut staff = spec("--game leiser staff");
    staff.options = vec![("HASH".into(), Some("32".into()))];
    let mut beast = start(&staff, Game::Leiser).await;
    assert!(
        beast
            .sent()
            .contains(&"setoption name hash value 32".into())
    );
    let line = play(&mut beast, 6).await;
    let outcome = beast.search(&line, &Limits::depth(3)).await;
    let Some(InfoLine {
        depth, time, score, ..
    }) = outcome.info()
    else {
        panic!("{outcome:?}");
    };
    // Two lines that belong together: numbers in one, the score in the other.
    assert_eq!(*depth, Some(1));
    assert_eq!(*time, Some(Duration::from_micros(36)));
    assert_eq!(score.and_then(|s| s.value()), Some(ScoreValue::Cp(31)));
    let clock = Clock::new(Duration::from_secs(8), Duration::from_millis(80));
    let clocks = Clocks {
        white: clock,
        black: clock,
        moves_to_go: None,
    };
    beast.search(&line, &Limits::clocks(clocks)).await;
    assert_eq!(
        beast.sent().last().map(String::as_str),
        Some("go time 8000 inc 80")
    );
}

#[tokio::test]
async fn the_reference_engine_of_gyges() {
    let mut beast = animal("helios", Game::Gyges).await;
    assert_eq!(beast.engine.name(), "Helios");
    play(&mut beast, 6).await;
    let line = AnyLine::start(Game::Gyges);
    let limits = Limits {
        nodes: Some(5000),
        ..Limits::depth(5)
    };
    let outcome = beast.search(&line, &limits).await;
    assert!(outcome.score.is_some());
    let sent = beast.sent();
    let tail = &sent[sent.len() - 6..];
    let expected = [
        "setoption maxPly 5",
        "setoption maxTime 1000000",
        "setoption maxNodes 5000",
        "setpos data 32112300000000000000000000000032112300",
        "isready",
        "go",
    ];
    assert_eq!(tail, expected);
    let finished = AnyLine::new(Game::Gyges, "", "draw").expect("a preset");
    let outcome = beast.search(&finished, &Limits::depth(1)).await;
    assert_eq!(outcome.answer, Answer::NoMove);
}

#[tokio::test]
async fn gyges_moves_in_the_old_form() {
    let mut beast = animal("old-moves plain-ugi", Game::Gyges).await;
    let mut line = AnyLine::start(Game::Gyges);
    for _ in 0..6 {
        let outcome = beast.search(&line, &Limits::depth(1)).await;
        let Some(best) = outcome.best() else {
            panic!("{outcome:?}");
        };
        line.play(&best.text).expect("legal");
        if line.outcome().is_some() {
            break;
        }
    }
    assert!(!beast.found(HostDiagnostic::MoveForm));
}
