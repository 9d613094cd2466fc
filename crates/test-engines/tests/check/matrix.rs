//! Every check has a mutant that fails it and nothing else.

use std::ops::ControlFlow;

use quadrille_check::{Check, Report, Role, Selection, check, table};
use quadrille_games::Game;
use quadrille_protocol::Dialect;

use super::inside::{settings, subject};

/// Mutants at a time: most of them mostly wait.
const AT_ONCE: usize = 12;

/// What takes a process of its own to see; `processes` has these.
pub(crate) const NEED_A_PROCESS: [&str; 5] = [
    "games.memory",
    "life.orphans",
    "output.stderr",
    "timing.idle",
    "timing.threads",
];

/// Other ways to break a rule, which the check sees as well.
const VARIANTS: [&str; 9] = [
    "clock.negative/ends",
    "go.limits-forgotten/depth",
    "go.limits-forgotten/nodes",
    "go.searchmoves-all/last",
    "input.bad-move/deaf",
    "multipv.sorted/early",
    "multipv.together/alone",
    "multipv.together/early",
    "position.very-long/4k",
];

const fn game_of(dialect: Dialect) -> Game {
    match dialect {
        Dialect::Uci => Game::Chess,
        Dialect::Ulci => Game::Liberty,
        Dialect::Leiser => Game::Leiser,
        Dialect::Ugi => Game::Gyges,
    }
}

async fn examine(game: Game, mutant: &str, only: &str) -> Report {
    let selection = Selection::new(
        Role::Engine,
        [only].into_iter().filter(|t| !t.is_empty()),
        [],
    );
    let settings = settings(selection.expect("names of checks"));
    check(&subject(game, mutant), &settings, &mut |_| {
        ControlFlow::Continue(())
    })
    .await
}

fn found(report: &Report) -> Vec<String> {
    report
        .findings
        .iter()
        .map(|finding| finding.id.clone())
        .collect()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
}

#[test]
fn the_model_keeps_every_rule() {
    runtime().block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for dialect in Dialect::ALL {
            tasks.spawn(async move {
                let mut report = examine(game_of(dialect), "", "").await;
                if !report.findings.is_empty() {
                    // Was it the machine?
                    println!("{dialect}: {:?}", found(&report));
                    report = examine(game_of(dialect), "", "").await;
                }
                (dialect, report)
            });
        }
        while let Some(done) = tasks.join_next().await {
            let (dialect, report) = done.expect("a check comes to its end");
            println!("{dialect}: {}", report.score_line());
            for skipped in &report.skipped {
                println!("  skipped {}: {}", skipped.id, skipped.why);
            }
            for finding in &report.findings {
                println!("  {} {}", finding.id, finding.seen);
                for line in &finding.transcript {
                    println!("      {:?} {}", line.by, line.text);
                }
            }
            assert!(found(&report).is_empty(), "{dialect}: {:?}", found(&report));
            assert!(report.complete && report.restarts == 0);
        }
    });
}

/// At 1,500 nodes a second; 20,000 of them took longer than was waited for once.
#[test]
fn a_slow_engine_keeps_every_rule() {
    runtime().block_on(async {
        let groups = "go,clock,stop";
        let report = examine(Game::Chess, "slow", groups).await;
        let seen: Vec<String> = report
            .findings
            .iter()
            .map(|finding| format!("{}: {}", finding.id, finding.seen))
            .collect();
        assert!(seen.is_empty(), "{}", seen.join("\n"));
        assert!(report.passed.iter().any(|id| id == "go.nodes"));
    });
}

/// The dialect in which the mutant of a check is run: the first that has it.
fn dialect_of(check: &Check) -> Dialect {
    check.dialects.list().next().unwrap_or_default()
}

/// Findings of the check of a mutant, and its words about them.
async fn tried(check: &'static Check, mutant: &str) -> (Vec<String>, String) {
    let report = examine(game_of(dialect_of(check)), mutant, check.id).await;
    let seen: Vec<&str> = report.findings.iter().map(|f| &*f.seen).collect();
    (found(&report), seen.join(" | "))
}

/// Runs mutants side by side, each with its check: those that are not found as they should.
fn mismatches(mutants: &[(&'static Check, &'static str)]) -> Vec<String> {
    let mut rows: Vec<(usize, Vec<String>, String)> = runtime().block_on(async {
        let room = std::sync::Arc::new(tokio::sync::Semaphore::new(AT_ONCE));
        let mut tasks = tokio::task::JoinSet::new();
        for (index, (check, mutant)) in mutants.iter().copied().enumerate() {
            let room = std::sync::Arc::clone(&room);
            tasks.spawn(async move {
                let _place = room.acquire_owned().await;
                (index, tried(check, mutant).await)
            });
        }
        let mut rows = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let (index, (found, seen)) = done.expect("a check comes to its end");
            rows.push((index, found, seen));
        }
        // On a machine with other work a check may not know whose time it was: each of
        // those again, without the others beside it.
        for (index, found, seen) in &mut rows {
            let (check, mutant) = mutants[*index];
            for _ in 0..3 {
                if *found != [check.id] {
                    (*found, *seen) = tried(check, mutant).await;
                }
            }
        }
        rows
    });
    rows.sort();
    let mut wrong = Vec::new();
    for (index, found, seen) in &rows {
        let (check, mutant) = mutants[*index];
        let exact = found.len() == 1 && found[0] == check.id;
        let mark = if exact { "ok   " } else { "WRONG" };
        println!("{mark} {mutant:<30} {:<8} {seen}", dialect_of(check));
        if !exact {
            wrong.push(format!("{mutant}: {found:?}"));
        }
    }
    println!(
        "{} mutants, each caught by its own check",
        rows.len() - wrong.len()
    );
    wrong
}

fn assert_each_is_caught(mutants: &[(&'static Check, &'static str)]) {
    let wrong = mismatches(mutants);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_check_has_a_mutant_that_fails_it_and_nothing_else() {
    let mutants: Vec<(&'static Check, &'static str)> = table::all()
        .filter(|check| check.role() == Role::Engine)
        .filter(|check| !NEED_A_PROCESS.contains(&check.id))
        // One, or a few groups, by hand: `MUTANTS=go.,clock. cargo test ...`.
        .filter(|check| {
            let wanted = std::env::var("MUTANTS").unwrap_or_default();
            wanted.split(',').any(|start| check.id.starts_with(start))
        })
        .map(|check| (check, check.id))
        .collect();
    assert_each_is_caught(&mutants);
}

#[test]
fn other_ways_to_break_a_rule_are_caught_by_the_same_check() {
    let mutants: Vec<(&'static Check, &'static str)> = VARIANTS
        .into_iter()
        .map(|mutant| {
            let id = mutant.split_once('/').map_or(mutant, |(id, _)| id);
            (table::find(id).expect(id), mutant)
        })
        .collect();
    assert_each_is_caught(&mutants);
}
