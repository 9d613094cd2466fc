//! What comes during a search, and when it ends.

use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_driver::{Answer, Clock, Clocks, Event, Failure, Limits, Outcome};
use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{Bound, Code, Score, ScoreValue};

use super::beast::{MATED, at, chess, only, short, spec, start};

fn cp(outcome: &Outcome) -> Option<ScoreValue> {
    outcome.info()?.score?.value()
}

fn is_stalled(outcome: &Outcome) -> bool {
    matches!(outcome.answer, Answer::Failed(Failure::Stalled { .. }))
}

#[tokio::test]
async fn a_well_behaved_engine() {
    let mut beast = chess("").await;
    beast.engine.new_game().await.expect("ready");
    beast.engine.ping().await.expect("alive");
    let mut line = AnyLine::start(Game::Chess);
    for _ in 0..20 {
        if line.outcome().is_some() {
            break;
        }
        let outcome = beast
            .search(&line, &Limits::movetime(Duration::from_secs(1)))
            .await;
        let best = outcome.best().expect("a move").text.clone();
        assert_eq!(
            outcome.info().map(|info| info.pv.clone()),
            Some(best.clone())
        );
        assert_eq!(outcome.info_count, 1);
        line.play(&best).expect("legal");
    }
    assert!(!beast.engine.quit().await.killed);
    beast.found_only(&[]);
}

#[tokio::test]
async fn n12_banner_and_chat() {
    let mut beast = chess("banner").await;
    // A name that is said before any question is no mistake.
    let said = beast.engine.findings();
    let said: Vec<&str> = said
        .iter()
        .map(|finding| finding.example.as_str())
        .collect();
    assert_eq!(said, ["hash=16384MB"]);
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::depth(1);
    let mut search = beast.engine.search(&line, &limits).await;
    let mut texts = Vec::new();
    while let Some(event) = search.next().await {
        if let Event::Text(text) = event {
            texts.push(text);
        }
    }
    assert!(search.finish().await.best().is_some());
    assert_eq!(texts, ["thinking hard"]);
    assert!(beast.found(Code::UnknownCommand));
}

#[tokio::test]
async fn n20_deaf_while_searching() {
    let mut beast = chess("deaf-while-searching").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::infinite();
    let mut search = beast.engine.search(&line, &limits).await;
    assert!(!search.ping(Duration::from_millis(50)).await);
    assert!(!search.is_over());
    search.stop();
    assert!(search.finish().await.best().is_some());
    beast.found_only(&["deaf-while-searching"]);
}

#[tokio::test]
async fn an_attentive_engine_answers_while_it_searches() {
    let mut beast = chess("").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::infinite();
    let mut search = beast.engine.search(&line, &limits).await;
    assert!(search.ping(Duration::from_secs(20)).await);
    assert!(!search.is_over());
    search.stop();
    assert!(search.finish().await.best().is_some());
    beast.found_only(&[]);
}

#[tokio::test]
async fn n21_stop_is_ignored() {
    let mut beast = start(&short("ignores-stop"), Game::Chess).await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::infinite();
    let mut search = beast.engine.search(&line, &limits).await;
    search.stop();
    let outcome = search.finish().await;
    assert!(is_stalled(&outcome), "{outcome:?}");
    assert!(beast.found(HostDiagnostic::NoAnswer));
    // It has been killed and stays so.
    assert!(beast.engine.failure().is_some());
    assert!(is_stalled(&beast.think().await));
}

#[tokio::test]
async fn n22_stop_is_answered_late() {
    let mut beast = chess("late-stop").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::infinite();
    let mut search = beast.engine.search(&line, &limits).await;
    search.stop();
    assert!(search.finish().await.best().is_some());
    beast.found_only(&[]);
}

#[tokio::test]
async fn n23_two_answers_to_one_question() {
    let mut beast = chess("two-bestmoves").await;
    let mut line = AnyLine::start(Game::Chess);
    for _ in 0..6 {
        let outcome = beast.search(&line, &Limits::depth(1)).await;
        let best = outcome.best().expect("its own answer, not the last one's");
        line.play(&best.text).expect("legal");
    }
    beast.engine.ping().await.expect("alive");
    beast.found_only(&["second-bestmove"]);
    let findings = beast.engine.findings();
    assert_eq!(findings.get(Code::SecondBestmove).map(|f| f.count), Some(6));
}

#[tokio::test]
async fn a_stray_answer_after_the_next_question() {
    let mut beast = chess("late-stray").await;
    let mut line = AnyLine::start(Game::Chess);
    for text in ["e2e4", "e7e5", "g1f3"] {
        let outcome = beast.search(&line, &only(text)).await;
        assert_eq!(outcome.best().map(|m| m.text.as_str()), Some(text));
        line.play(text).expect("legal");
    }
    beast.found_only(&["stray-bestmove"]);
}

/// What looks like a stray answer is the answer if no other one comes.
#[tokio::test]
async fn a_stale_answer_is_an_illegal_move() {
    let mut beast = start(&short("stale-answer"), Game::Chess).await;
    let mut line = AnyLine::start(Game::Chess);
    let first = beast.search(&line, &only("e2e4")).await;
    assert!(first.best().is_some(), "{first:?}");
    line.play("e2e4").expect("legal");
    let second = beast.search(&line, &Limits::depth(1)).await;
    assert!(matches!(second.answer, Answer::Illegal(_)), "{second:?}");
    assert_eq!(second.text.as_deref(), Some("e2e4"));
    assert!(beast.engine.failure().is_none(), "it lives");
    assert!(
        !beast.found(HostDiagnostic::StrayBestmove),
        "no other answer came"
    );
}

/// The same wrong move twice is wrong twice: it is no answer that came late.
#[tokio::test]
async fn a_repeated_illegal_move_is_not_a_stray_one() {
    let mut beast = chess("illegal no-info").await;
    for _ in 0..3 {
        let outcome = beast.think().await;
        assert!(matches!(outcome.answer, Answer::Illegal(_)), "{outcome:?}");
    }
    beast.found_only(&["no-final-info", "illegal-move"]);
    let findings = beast.engine.findings();
    let found = findings.get(HostDiagnostic::IllegalMove);
    assert_eq!(found.map(|found| found.count), Some(3));
}

/// An engine that does not heed its nodes is stopped, and its answer counts.
#[tokio::test]
async fn an_engine_that_goes_beyond_its_nodes_is_stopped() {
    let mut beast = chess("ignores-nodes").await;
    let line = AnyLine::start(Game::Chess);
    let outcome = beast.search(&line, &Limits::nodes(1000)).await;
    assert!(matches!(outcome.answer, Answer::Move(_)), "{outcome:?}");
    beast.found_only(&["ignores-nodes"]);
    let stops = beast.sent().iter().filter(|line| *line == "stop").count();
    assert_eq!(stops, 1);
}

/// So it is where the next deadline is an hour away.
#[tokio::test]
async fn a_stale_answer_is_not_waited_upon_for_an_hour() {
    let mut spec = short("stale-answer");
    spec.timeouts.search = Duration::from_hours(1);
    let mut beast = start(&spec, Game::Chess).await;
    let mut line = AnyLine::start(Game::Chess);
    let first = beast.search(&line, &only("e2e4")).await;
    assert!(first.best().is_some(), "{first:?}");
    line.play("e2e4").expect("legal");
    let second = beast.search(&line, &Limits::depth(1)).await;
    assert!(matches!(second.answer, Answer::Illegal(_)), "{second:?}");
}

#[tokio::test]
async fn n24_no_info() {
    let mut beast = chess("no-info").await;
    let outcome = beast.think().await;
    assert!(outcome.best().is_some());
    assert!(outcome.lines.is_empty());
    beast.found_only(&["no-final-info"]);
}

#[tokio::test]
async fn n25_only_bounds() {
    let mut beast = chess("only-bounds").await;
    let outcome = beast.think().await;
    let score = outcome.info().and_then(|info| info.score);
    assert_eq!(score, Some(Score::cp(7).with_bound(Bound::Upper)));
    beast.found_only(&["only-bounds"]);
}

#[tokio::test]
async fn n26_info_after_bestmove() {
    let mut beast = chess("info-after-bestmove").await;
    beast.lives_on().await;
    let outcome = beast.think().await;
    assert_eq!(
        cp(&outcome),
        Some(ScoreValue::Cp(13)),
        "not what came too late"
    );
    assert!(beast.found(Code::InfoWhileIdle));
}

#[tokio::test]
async fn n27_premature_answers() {
    let mut beast = chess("premature").await;
    let line = AnyLine::start(Game::Chess);
    let outcome = beast.search(&line, &Limits::infinite()).await;
    assert!(outcome.premature && outcome.best().is_some(), "{outcome:?}");
    let limits = Limits {
        ponder: true,
        ..Limits::movetime(Duration::from_secs(1))
    };
    let mut search = beast.engine.search(&line, &limits).await;
    while search.next().await.is_some() {}
    search.ponderhit();
    let outcome = search.finish().await;
    assert!(outcome.premature && outcome.best().is_some(), "{outcome:?}");
    beast.found_only(&["premature-bestmove"]);
    assert!(!beast.sent().contains(&"ponderhit".to_owned()));
}

#[tokio::test]
async fn pondering_hits_and_misses() {
    let mut beast = chess("").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits {
        ponder: true,
        ..Limits::movetime(Duration::from_secs(1))
    };
    let mut search = beast.engine.search(&line, &limits).await;
    search.ponderhit();
    let hit = search.finish().await;
    assert!(hit.best().is_some() && !hit.premature);
    let mut search = beast.engine.search(&line, &limits).await;
    search.stop();
    let miss = search.finish().await;
    assert!(miss.best().is_some() && !miss.premature);
    beast.found_only(&[]);
}

#[tokio::test]
async fn n29_illegal_best_line() {
    let mut beast = chess("illegal-pv").await;
    let outcome = beast.think().await;
    let pv = outcome.info().map(|info| info.pv.clone()).expect("a line");
    assert_eq!(pv.split(' ').count(), 3);
    assert!(pv.ends_with(" a1h8 h8a1"), "{pv}");
}

#[tokio::test]
async fn n30_scores_from_whites_view_are_passed_on() {
    let mut beast = chess("white-view").await;
    let mut line = AnyLine::start(Game::Chess);
    let white = beast.search(&line, &Limits::depth(1)).await;
    line.play("e2e4").expect("legal");
    let black = beast.search(&line, &Limits::depth(1)).await;
    assert_eq!(line.side(), Side::Black);
    assert_eq!(cp(&white), Some(ScoreValue::Cp(50)));
    assert_eq!(cp(&black), Some(ScoreValue::Cp(-50)));
}

#[tokio::test]
async fn n31_mate_in_nothing() {
    let mut beast = chess("mate-zero").await;
    let outcome = beast.think().await;
    assert_eq!(cp(&outcome), Some(ScoreValue::Mate(0)));
    assert!(outcome.best().is_some());
}

#[tokio::test]
async fn n32_missing_keyword() {
    let mut beast = chess("missing-keyword").await;
    let outcome = beast.think().await;
    assert_eq!(cp(&outcome), Some(ScoreValue::Cp(-107)));
    assert_eq!(outcome.info().and_then(|info| info.nps), Some(2_650_589));
    beast.found_only(&["missing-keyword"]);
}

#[tokio::test]
async fn n33_any_order() {
    let mut beast = chess("any-order").await;
    let outcome = beast.think().await;
    let info = outcome.info().expect("a line");
    assert_eq!(cp(&outcome), Some(ScoreValue::Cp(31)));
    assert_eq!((info.depth, info.nodes), (Some(4), Some(99)));
    assert_eq!(info.pv_moves().count(), 1);
    beast.found_only(&[]);
}

#[tokio::test]
async fn n34_a_flood_before_the_answer() {
    let mut beast = chess("flood").await;
    let outcome = beast.think().await;
    assert!(outcome.best().is_some());
    assert_eq!(outcome.info_count, 50_001);
    assert_eq!(cp(&outcome), Some(ScoreValue::Cp(13)));
}

#[tokio::test]
async fn n34_a_flood_without_end_does_not_extend_the_deadline() {
    let mut beast = start(&short("flood-forever"), Game::Chess).await;
    let outcome = beast.think().await;
    assert!(is_stalled(&outcome), "{outcome:?}");
    assert!(outcome.info_count > 0);
}

#[tokio::test]
async fn n35_long_lines() {
    let mut beast = chess("long-lines").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::depth(1);
    let mut search = beast.engine.search(&line, &limits).await;
    let mut longest = 0;
    while let Some(event) = search.next().await {
        if let Event::Info(info) = event {
            longest = longest.max(info.pv_moves().count());
        }
    }
    assert_eq!(longest, 1000, "cut, not lost");
    assert!(search.finish().await.best().is_some());
    assert!(beast.found(HostDiagnostic::LineCut));
}

#[tokio::test]
async fn n40_an_empty_clock_is_never_sent_as_zero() {
    let mut beast = chess("negative-is-infinite").await;
    let clocks = Clocks {
        white: Clock::default(),
        black: Clock::new(Duration::from_secs(1), Duration::ZERO),
        moves_to_go: None,
    };
    let line = AnyLine::start(Game::Chess);
    let outcome = beast.search(&line, &Limits::clocks(clocks)).await;
    assert!(outcome.best().is_some());
    let go = "go wtime 1 btime 1000 winc 0 binc 0".to_owned();
    assert!(beast.sent().contains(&go));
}

/// It answers `stop`, so it is late, not lost.
#[tokio::test]
async fn n41_limits_are_ignored() {
    let mut beast = chess("ignores-limits").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits {
        deadline: Some(Duration::from_millis(20)),
        ..only("a2a3")
    };
    let outcome = beast.search(&line, &limits).await;
    let Answer::TimedOut(late) = &outcome.answer else {
        panic!("{:?}", outcome.answer);
    };
    assert!(matches!(**late, Answer::Move(_)), "{late:?}");
    assert!(beast.found(HostDiagnostic::Overdue));
    assert!(
        beast.found(HostDiagnostic::OutsideSearchmoves),
        "{}",
        outcome.text.unwrap_or_default()
    );
    assert!(beast.engine.failure().is_none());
}

#[tokio::test]
async fn n42_nothing_is_said_during_a_search() {
    let mut beast = chess("drops-commands").await;
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::infinite();
    // Abandoned: the next search must stop it before it sends a position.
    drop(beast.engine.search(&line, &limits).await);
    let mut other = line.clone();
    other.play("e2e4").expect("legal");
    let outcome = beast.search(&other, &only("e7e5")).await;
    assert_eq!(outcome.best().map(|m| m.text.as_str()), Some("e7e5"));
}

#[tokio::test]
async fn n43_every_line_begins_with_its_command() {
    let mut beast = chess("strict-words").await;
    beast.engine.new_game().await.expect("ready");
    beast.lives_on().await;
    let tidy = |line: &String| !line.starts_with([' ', '\t']) && !line.contains("  ");
    assert!(beast.sent().iter().all(tidy));
}

#[tokio::test]
async fn n46_death_on_a_position() {
    let mut beast = chess("dies-on-fen").await;
    beast.lives_on().await;
    let outcome = beast.search(&at(MATED), &Limits::depth(1)).await;
    let Answer::Failed(Failure::Died(death)) = &outcome.answer else {
        panic!("{outcome:?}");
    };
    assert_eq!(death.code, Some(134));
    assert_eq!(death.stderr, ["assertion failed: position is legal"]);
    assert!(beast.found(HostDiagnostic::Died));
}

#[tokio::test]
async fn n47_no_empty_list_of_moves() {
    let mut beast = chess("dies-on-empty-moves").await;
    beast.lives_on().await;
    beast.found_only(&[]);
}

#[tokio::test]
async fn n49_endless_work_on_a_finished_game() {
    let mut beast = start(&short("spins-when-over"), Game::Chess).await;
    let outcome = beast.search(&at(MATED), &Limits::depth(1)).await;
    assert!(is_stalled(&outcome), "{outcome:?}");
}

#[tokio::test]
async fn carriage_returns_at_line_ends() {
    let mut beast = chess("crlf").await;
    beast.lives_on().await;
    beast.found_only(&[]);
}

#[tokio::test]
async fn never_ready_again() {
    let mut spec = spec("never-ready");
    spec.timeouts.ping = Duration::from_millis(50);
    // The handshake is not hurried by that.
    let mut beast = start(&spec, Game::Chess).await;
    let outcome = beast.think().await;
    assert!(is_stalled(&outcome), "{outcome:?}");
    assert!(beast.found(HostDiagnostic::NotReady));
}

#[tokio::test]
async fn several_best_lines() {
    let mut beast = chess("").await;
    beast.engine.set_lines(3).await.expect("it has the option");
    beast.lives_on().await;
    let set = "setoption name MultiPV value 3".to_owned();
    assert!(beast.sent().contains(&set));
}
