//! Whole games under the eyes of engines, most of which misbehave.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use quadrille_analysis::{
    Analysis, AnalysisEvent, Direction, GameReport, Games, Kept, Options, Summary,
};
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Limits, Opener};
use quadrille_games::Game;
use quadrille_games::chess::Chess;
use quadrille_games::records::{Diagnostic, Reader, Severity};

use crate::zoo::beast::{short, spec};
use crate::zoo::inside::{link, opener};

const GAME: &str =
    "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {a pin} a6 *\n\n";
const OTHER: &str = "[White \"Cid\"]\n\n1. d4 (1. c4 c5) d5 2. c4 1-0\n\n";
/// A King goes where it cannot.
const BROKEN: &str =
    "[White  \"Odd\" ]\r\n[Annotator \"x\"]\n\n1.e4   e5 2. Ke3?? {kept}\n; so\n *\n\n";

fn options(spec: EngineSpec) -> Options {
    Options {
        limits: Limits::depth(1),
        ..Options::new(spec)
    }
}

struct Ran {
    summary: Summary,
    text: String,
    reports: Vec<GameReport>,
    kept: Vec<(u64, u64, Kept, String)>,
    positions: usize,
}

async fn run_with(options: Options, opener: Opener, file: &str) -> Ran {
    let analysis = Analysis::new(options).unwrap().with_opener(opener);
    let (mut reports, mut kept, mut positions) = (Vec::new(), Vec::new(), 0);
    let mut see = |event: &AnalysisEvent| match event {
        AnalysisEvent::GameEnd { report } => reports.push((**report).clone()),
        AnalysisEvent::GameKept {
            number,
            line,
            why,
            reason,
        } => {
            kept.push((*number, *line, *why, reason.clone()));
        }
        AnalysisEvent::Position { .. } => positions += 1,
        _ => {}
    };
    let mut out = Vec::new();
    let games = Games::read(file.as_bytes());
    let summary = analysis.run(games, &mut see, &mut out).await.unwrap();
    Ran {
        summary,
        text: String::from_utf8(out).unwrap(),
        reports,
        kept,
        positions,
    }
}

async fn run(quirks: &str, file: &str) -> Ran {
    run_with(options(spec(quirks)), opener(), file).await
}

/// Nothing in the text is worse than a note.
fn assert_clean(text: &str, games: usize) {
    let read: Vec<_> = Reader::<Chess, _>::new(text.as_bytes()).records().collect();
    assert_eq!(read.len(), games);
    for game in read {
        let (_, diagnostics) = game.unwrap();
        let worst = diagnostics.iter().map(Diagnostic::severity).max();
        assert!(worst <= Some(Severity::Note), "{diagnostics:?}\n{text}");
    }
}

#[tokio::test]
async fn every_position_of_every_game_is_looked_at() {
    let ran = run("", &format!("{GAME}{OTHER}")).await;
    assert_eq!((ran.summary.analysed, ran.summary.kept), (2, 0));
    assert_eq!(ran.positions, 7 + 4);
    assert_eq!(ran.summary.searched, 11);
    let report = &ran.reports[0];
    assert_eq!(report.positions.len(), 7);
    assert!(report.positions.iter().all(|p| p.chance.is_some()));
    assert_eq!(report.opening.as_ref().unwrap().eco, "C70");
    assert_clean(&ran.text, 2);
    // What was there stays.
    for kept in [
        "a pin",
        "c4 c5",
        "[White \"Ann\"]",
        "[ECO \"C70\"]",
        "[%eval ",
    ] {
        assert!(ran.text.contains(kept), "{kept} in\n{}", ran.text);
    }
}

#[tokio::test]
async fn a_broken_game_stays_byte_for_byte_and_the_others_go_on() {
    let ran = run("", &format!("{GAME}{BROKEN}{OTHER}")).await;
    assert_eq!((ran.summary.analysed, ran.summary.kept), (2, 1));
    let (number, line, why, reason) = &ran.kept[0];
    assert_eq!((*number, *line, *why), (2, 9, Kept::Broken));
    assert!(reason.contains("Ke3"), "{reason}");
    let at = ran.text.find(BROKEN).expect("the very same bytes");
    assert!(ran.text[..at].contains("Ann") && ran.text[at..].contains("Cid"));
}

#[tokio::test]
async fn an_engine_that_dies_is_started_once_more() {
    let starts = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&starts);
    let opener = Opener::new(move |_: &EngineSpec, _: Game| {
        let first = count.fetch_add(1, Ordering::Relaxed) == 0;
        Some(Ok(link(&spec(if first { "dies-in-search" } else { "" }))))
    });
    let ran = run_with(options(spec("")), opener, GAME).await;
    assert_eq!(
        (ran.summary.analysed, starts.load(Ordering::Relaxed)),
        (1, 2)
    );
    assert_eq!(ran.positions, 7);
}

#[tokio::test]
async fn an_engine_that_dies_again_spoils_one_game() {
    // It is well again with the third start.
    let starts = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&starts);
    let opener = Opener::new(move |_: &EngineSpec, _: Game| {
        let sick = count.fetch_add(1, Ordering::Relaxed) < 2;
        Some(Ok(link(&spec(if sick { "dies-in-search" } else { "" }))))
    });
    let ran = run_with(options(spec("")), opener, &format!("{GAME}{OTHER}")).await;
    assert_eq!((ran.summary.analysed, ran.summary.kept), (1, 1));
    let (number, _, why, reason) = &ran.kept[0];
    assert_eq!((*number, *why), (1, Kept::Failed));
    assert!(reason.contains("gone"), "{reason}");
    assert!(ran.text.starts_with(GAME), "{}", ran.text);
    assert_eq!(starts.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn odd_engines_are_understood_or_given_up() {
    for quirk in [
        "no-info",
        "only-bounds",
        "illegal-pv",
        "mate-zero",
        "two-bestmoves",
        "any-order",
        "san",
        "upper-case",
        "trailing-junk",
        "info-after-bestmove",
        "missing-keyword",
        "bad-utf8",
        "long-lines",
        "stray-return",
        "king-takes-rook",
    ] {
        let ran = run(quirk, GAME).await;
        assert_eq!(ran.summary.analysed, 1, "{quirk}: {:?}", ran.kept);
        assert_clean(&ran.text, 1);
    }
    for quirk in [
        "illegal",
        "null-in-play",
        "dies-in-search",
        "closes-output",
        "dies-in-word",
    ] {
        let ran = run(quirk, GAME).await;
        assert_eq!((ran.summary.analysed, ran.summary.kept), (0, 1), "{quirk}");
        assert_eq!(ran.text, GAME, "{quirk}");
    }
    // Those that never answer are not waited for.
    for quirk in ["flood-forever", "ignores-stop ignores-limits"] {
        let ran = run_with(options(short(quirk)), opener(), GAME).await;
        assert_eq!((ran.summary.analysed, ran.summary.kept), (0, 1), "{quirk}");
        assert_eq!(ran.text, GAME, "{quirk}");
    }
}

#[tokio::test]
async fn without_scores_nothing_is_judged() {
    let ran = run("no-info", GAME).await;
    let report = &ran.reports[0];
    assert!(report.players.iter().all(|p| p.blunders + p.mistakes == 0));
    assert!(report.positions.iter().all(|p| p.chance.is_none()));
    assert!(report.moves.iter().all(|m| m.best.is_some()));
}

fn with_cache(path: &Path) -> Options {
    Options {
        cache: Some(path.into()),
        ..options(spec(""))
    }
}

#[tokio::test]
async fn a_second_run_needs_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache.db");
    let file = format!("{GAME}{BROKEN}{OTHER}");
    let first = run_with(with_cache(&cache), opener(), &file).await;
    // Both games begin with the same position.
    assert_eq!((first.summary.searched, first.summary.cached), (10, 1));
    let nothing = || Opener::new(|_: &EngineSpec, _: Game| Some(Err(io::Error::other("none"))));
    for (direction, concurrency) in [(Direction::Backwards, 1), (Direction::Forwards, 3)] {
        let options = Options {
            direction,
            concurrency,
            ..with_cache(&cache)
        };
        let again = run_with(options, nothing(), &file).await;
        assert_eq!((again.summary.searched, again.summary.cached), (0, 11));
        assert_eq!(again.text, first.text);
    }
    // Another depth is another question.
    let deeper = Options {
        limits: Limits::depth(2),
        ..with_cache(&cache)
    };
    let error = Analysis::new(deeper)
        .unwrap()
        .with_opener(nothing())
        .run(Games::read(file.as_bytes()), &mut (), &mut Vec::new())
        .await;
    assert!(error.is_err());
}

#[tokio::test]
async fn it_can_be_broken_off_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache.db");
    let analysis = Analysis::new(with_cache(&cache))
        .unwrap()
        .with_opener(opener());
    let stop = analysis.canceller();
    let mut seen = 0;
    let mut see = |event: &AnalysisEvent| {
        if let AnalysisEvent::Position { done, total, .. } = event {
            assert_eq!(*total, 11);
            seen = *done;
            stop.cancel();
        }
    };
    let games = Games::read(format!("{GAME}{OTHER}").as_bytes());
    let summary = analysis
        .run(games, &mut see, &mut Vec::new())
        .await
        .unwrap();
    assert!(summary.cancelled && seen < 11);
    let rest = run_with(with_cache(&cache), opener(), &format!("{GAME}{OTHER}")).await;
    assert!(rest.summary.cached >= 1 && !rest.summary.cancelled);
    assert_eq!(rest.summary.cached + rest.summary.searched, 11);
}

#[tokio::test]
async fn several_engines_are_told_apart() {
    let named = |name: &str, quirk: &str| EngineSpec {
        name: Some(name.into()),
        ..spec(quirk)
    };
    let options = Options {
        engines: vec![named("One", ""), named("Two", "--seed 9")],
        variations: quadrille_analysis::Variations::All,
        ..options(spec(""))
    };
    let ran = run_with(options, opener(), GAME).await;
    let report = &ran.reports[0];
    assert_eq!(report.engines, ["One", "Two"]);
    assert_eq!(ran.positions, 14);
    assert!(report.positions.iter().all(|p| p.evaluations.len() == 2));
    assert!(ran.text.contains("Two"), "{}", ran.text);
    assert_clean(&ran.text, 1);
}

#[tokio::test]
async fn an_engine_that_is_not_there_is_the_users_mistake() {
    let missing = EngineSpec {
        command: "/no/such/engine".into(),
        ..EngineSpec::default()
    };
    let games = Games::read(GAME.as_bytes());
    let analysis = Analysis::new(options(missing)).unwrap();
    let error = analysis
        .run(games, &mut (), &mut Vec::new())
        .await
        .unwrap_err();
    assert!(error.is_in_the_description(), "{error}");
    assert!(error.to_string().contains("/no/such/engine"));
}

/// Moves of Knights to and fro.
fn to_and_fro(times: usize) -> String {
    format!(
        "[White \"Ann\"]\n\n{}*\n\n",
        "Nf3 Nf6 Ng1 Ng8 ".repeat(times)
    )
}

#[tokio::test]
async fn a_wish_to_end_is_heard_while_games_are_read() {
    let file = format!("{}{GAME}", to_and_fro(25_000));
    let analysis = Analysis::new(options(spec("")))
        .unwrap()
        .with_opener(opener());
    let stop = analysis.canceller();
    let mut events = Vec::new();
    let mut see = |event: &AnalysisEvent| events.push(event.clone());
    let games = Games::read(file.as_bytes());
    let mut out = Vec::new();
    // On one thread: the wish comes only if reading lets others have their turn.
    let (summary, ()) = tokio::join!(analysis.run(games, &mut see, &mut out), async {
        stop.cancel();
    });
    assert!(summary.unwrap().cancelled && out.is_empty());
    let [
        AnalysisEvent::Start { positions, .. },
        AnalysisEvent::End { .. },
    ] = &events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!(*positions, 0, "the first game was read to its end");
}

#[tokio::test]
async fn a_very_long_game_is_analysed() {
    let file = format!("{}{GAME}", to_and_fro(5_000));
    let ran = run("", &file).await;
    // Each of four positions is asked about until it has occurred five times.
    assert_eq!(ran.positions, 16 + 7);
    assert_eq!(ran.reports[0].moves.len(), 20_000);
    assert_eq!((ran.summary.analysed, ran.kept.len()), (2, 0));
}
