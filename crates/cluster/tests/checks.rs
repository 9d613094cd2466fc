//! Games that other workers check: who lies is found, and who does not is left alone.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quadrille_cluster::{Director, DirectorOptions};
use quadrille_match::store::Reader;
use quadrille_match::tournament::{Command, MatchEvent, Summary, Tournament, Verdict};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::director::{Ear, MATCH, access, begin, options};
use crate::support::scripted::{Habit, Scripted};
use crate::support::server::{Server, is_there};

/// Plays with these workers at the same time, and has a share of the games checked.
async fn checked(
    server: &Server,
    folder: &Path,
    words: &str,
    share: f64,
    workers: Vec<Scripted>,
) -> (Summary, Ear) {
    checked_until(server, folder, words, share, workers, None).await
}

/// The same, stopped when something is told: which worker is given a job is the server's
/// choice, and it may take some time until one is.
async fn checked_until(
    server: &Server,
    folder: &Path,
    words: &str,
    share: f64,
    workers: Vec<Scripted>,
    until: Option<&'static str>,
) -> (Summary, Ear) {
    let mut tournament = begin(folder, words);
    let options = DirectorOptions {
        spot_check: share,
        reference: Some(1_000_000),
        ..options()
    };
    let director = Director::open(&access(server), &tournament, &options).await;
    tournament.set_venue(Arc::new(director.unwrap()));
    let mut crew = JoinSet::new();
    let count = workers.len();
    for worker in workers {
        crew.spawn(worker.work(server.url()));
    }
    // On a busy machine the first one would play a short match alone.
    for _ in 0..20 {
        if quadrille_cluster::workers(&access(server), None)
            .await
            .unwrap()
            .len()
            >= count
        {
            break;
        }
    }
    let mut ear = Ear::default();
    let (sender, commands) = unbounded_channel();
    let heard = ear.clone();
    crew.spawn(async move {
        while until.is_none_or(|words| !heard.warnings().contains(words)) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let _ = sender.send(Command::Stop);
        String::new()
    });
    let run = tournament.run(commands, &mut ear);
    let summary = tokio::time::timeout(Duration::from_mins(1), run).await;
    (summary.expect("it ends").unwrap(), ear)
}

fn honest(names: &[&str]) -> Vec<Scripted> {
    let all = names.iter();
    all.map(|name| Scripted::new(name, Habit::Honest)).collect()
}

/// The workers of the games that are kept.
fn players(folder: &Path) -> Vec<String> {
    let reader = Reader::open(&folder.join("event.db")).unwrap();
    let rows = reader.games().unwrap().into_iter();
    rows.filter_map(|row| Some(row.end?.played_at.unwrap().worker))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_games_of_fixed_nodes_are_found_and_do_not_count() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let mut workers = honest(&["ann", "bob"]);
    // It has two processes, and both are set aside.
    for id in ["x", "y"] {
        workers.push(Scripted {
            id: id.into(),
            ..Scripted::new("liar", Habit::Forges(1))
        });
    }
    let words = format!("{MATCH} -rounds 1000");
    let until = Some("worker liar is set aside");
    let folder = folder.path();
    let (summary, ear) = checked_until(&server, folder, &words, 1.0, workers, until).await;
    assert_eq!(summary.verdict(), Verdict::Stopped);
    let told = ear.warnings();
    assert!(told.contains("worker liar is set aside: "), "{told}");
    // As the one who played, or the one who checked the game of another.
    let why = [
        "agree with each other, not with it",
        "differs from two other workers",
    ];
    assert!(why.iter().any(|words| told.contains(words)), "{told}");
    assert!(
        !told.contains("worker ann") && !told.contains("worker bob"),
        "{told}"
    );
    let players = players(folder);
    assert!(!players.iter().any(|name| name == "liar"), "{players:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_counted_before_a_liar_was_found_is_named() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let mut workers = honest(&["ann", "bob"]);
    workers.push(Scripted::new("liar", Habit::Forges(1)));
    let words = format!("{MATCH} -rounds 60");
    let (summary, ear) = checked(&server, folder.path(), &words, 0.1, workers).await;
    assert_eq!(summary.verdict(), Verdict::Good);
    let told = ear.warnings();
    if !told.contains("worker liar is set aside") {
        // One in ten of its games was drawn: with a third of 120 games that is chance.
        assert!(told.is_empty(), "{told}");
        return;
    }
    let reader = Reader::open(&folder.path().join("event.db")).unwrap();
    let note = reader.note("cluster-doubted").unwrap();
    let players = players(folder.path());
    let theirs: Vec<usize> = (1..=players.len())
        .filter(|number| players[number - 1] == "liar")
        .collect();
    match note {
        None => assert!(theirs.is_empty(), "{theirs:?}"),
        Some(note) => {
            let note: serde_json::Value = serde_json::from_str(&note).unwrap();
            assert_eq!(note[0]["worker"], "liar");
            let mut games: Vec<u64> = serde_json::from_value(note[0]["games"].clone()).unwrap();
            games.sort_unstable();
            let theirs: Vec<u64> = theirs.iter().map(|number| *number as u64).collect();
            assert_eq!(games, theirs);
            assert!(told.contains("count already"), "{told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_takes_the_checks_of_its_own_games_is_set_aside() {
    if !is_there() {
        return;
    }
    for habit in [Habit::ChecksItself, Habit::HoldsItsChecks] {
        let (server, folder) = (Server::start(), TempDir::new().unwrap());
        let mut workers = honest(&["ann", "bob"]);
        workers.push(Scripted::new("liar", habit));
        let words = format!("{MATCH} -rounds 1000");
        let until = Some("worker liar is set aside");
        let folder = folder.path();
        let (_, ear) = checked_until(&server, folder, &words, 1.0, workers, until).await;
        let told = ear.warnings();
        assert!(
            told.contains("worker liar is set aside: it took the check of game"),
            "{habit:?}: {told}"
        );
        let honest = ["ann", "bob"].map(|name| format!("worker {name} is set aside"));
        assert!(!honest.iter().any(|words| told.contains(words)), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_others_cannot_check_is_dealt_again_and_then_named() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = ["ann", "bob"].map(|name| Scripted::new(name, Habit::FailsChecks));
    let words = format!("{MATCH} -rounds 1");
    let (summary, ear) = checked(&server, folder.path(), &words, 1.0, workers.into()).await;
    let told = ear.warnings();
    assert!(summary.complete, "{told}");
    let again = |event: &MatchEvent| match event {
        MatchEvent::GameAgain { reason, .. } => reason.contains("could not be checked"),
        _ => false,
    };
    assert!(ear.count(again) >= 2, "{told}");
    for game in 1..=2 {
        let named = told.lines().any(|line| {
            line.contains("drawn for a spot check") && line.contains(&format!("{game}"))
        });
        assert!(named, "{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_that_failed_with_all_workers_is_tried_by_them_again() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = ["ann", "bob"].map(|name| Scripted::new(name, Habit::FailsChecks));
    // One after the other: no worker leaves a job while the other leaves one, too.
    let words = MATCH.replace("-concurrency 3", "-concurrency 1");
    let words = format!("{words} -rounds 1");
    let (summary, ear) = checked(&server, folder.path(), &words, 1.0, workers.into()).await;
    let told = ear.warnings();
    assert!(summary.complete, "{told}");
    let tried = "could not be checked by another worker in 4 attempts; the last time: ";
    let with = ["ann: ", "bob: "].map(|name| format!("{tried}{name}"));
    assert!(with.iter().any(|words| told.contains(words)), "{told}");
}

/// Goes on with a match that ann and bob played, with ann alone at first; bob comes when
/// she has begun to play, or never.
async fn goes_on(patience: Duration, bob_returns: bool) -> String {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let words = format!("{MATCH} -rounds 1000");
    let workers = honest(&["ann", "bob"]);
    let mut first = begin(folder.path(), &words);
    let open = async |tournament: &Tournament, patience| {
        let options = DirectorOptions {
            spot_check: 1.0,
            patience,
            ..options()
        };
        let director = Director::open(&access(&server), tournament, &options).await;
        Arc::new(director.unwrap())
    };
    first.set_venue(open(&first, options().patience).await);
    let mut crew = JoinSet::new();
    for worker in workers.clone() {
        crew.spawn(worker.work(server.url()));
    }
    let mut ear = Ear::default();
    let (sender, commands) = unbounded_channel();
    let ends = |event: &MatchEvent| matches!(event, MatchEvent::GameEnd { .. });
    let heard = ear.clone();
    let stops = tokio::spawn(async move {
        while heard.count(ends) < 4 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let _ = sender.send(Command::Abort);
    });
    let run = tokio::time::timeout(Duration::from_mins(1), first.run(commands, &mut ear));
    run.await.expect("it ends").unwrap();
    stops.await.unwrap();
    crew.shutdown().await;
    let mut second = Tournament::resume(&folder.path().join("event.db")).unwrap();
    second.set_venue(open(&second, patience).await);
    let mut ear = Ear::default();
    let (sender, commands) = unbounded_channel();
    let (heard, url) = (ear.clone(), server.url());
    let acts = tokio::spawn(async move {
        let mut crew = JoinSet::new();
        let [ann, bob] = <[Scripted; 2]>::try_from(workers).unwrap();
        crew.spawn(ann.work(url.clone()));
        tokio::time::sleep(Duration::from_millis(1500)).await;
        if bob_returns {
            crew.spawn(bob.work(url));
        }
        while heard.count(ends) < 4 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let _ = sender.send(Command::Abort);
        crew
    });
    let run = tokio::time::timeout(Duration::from_mins(1), second.run(commands, &mut ear));
    run.await.expect("it ends").unwrap();
    acts.await.unwrap().shutdown().await;
    ear.warnings()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_resume_drawn_games_wait_for_the_workers_of_before() {
    if !is_there() {
        return;
    }
    let unchecked = "no other worker is there to check it";
    // Not longer: a check that the server has given to its player a few times waits so long.
    let told = goes_on(Duration::from_secs(5), true).await;
    assert!(!told.contains(unchecked), "{told}");
    // A worker that has gone for good is not waited for without an end.
    let told = goes_on(Duration::from_millis(600), false).await;
    assert!(told.contains(unchecked), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_two_workers_a_difference_is_told_and_nobody_is_set_aside() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let mut workers = honest(&["ann"]);
    workers.push(Scripted::new("liar", Habit::Forges(1)));
    let words = format!("{MATCH} -rounds 4");
    let (summary, ear) = checked(&server, folder.path(), &words, 1.0, workers).await;
    assert!(summary.complete);
    let told = ear.warnings();
    assert!(
        told.contains("no third worker is there to decide"),
        "{told}"
    );
    assert!(!told.contains("set aside"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn engines_that_do_not_repeat_themselves_blame_nobody() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = ["ann", "bob", "cat"].map(|name| Scripted {
        noise: 20,
        ..Scripted::new(name, Habit::Honest)
    });
    let words = format!("{MATCH} -rounds 6");
    let (summary, ear) = checked(&server, folder.path(), &words, 1.0, workers.into()).await;
    assert!(summary.complete);
    let told = ear.warnings();
    assert!(told.contains("compare moves and results only"), "{told}");
    assert!(!told.contains("set aside"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_scores_with_clocks_are_found() {
    if !is_there() {
        return;
    }
    let words = MATCH.replace("nodes=100", "tc=60+1");
    let words = format!("{words} -rounds 1000");
    for (habit, why) in [
        (Habit::Forges(1), "are far from what they found"),
        (
            Habit::SlandersOthers,
            "fit neither the worker that played it",
        ),
    ] {
        let (server, folder) = (Server::start(), TempDir::new().unwrap());
        let mut workers = honest(&["ann", "bob"]);
        // It has several processes, so that it plays enough games.
        for id in ["x", "y", "z"] {
            workers.push(Scripted {
                noise: 30,
                id: id.into(),
                ..Scripted::new("liar", habit)
            });
        }
        let until = Some("worker liar is set aside");
        let folder = folder.path();
        let (_, ear) = checked_until(&server, folder, &words, 1.0, workers, until).await;
        let told = ear.warnings();
        assert!(
            told.contains("worker liar is set aside"),
            "{habit:?}: {told}"
        );
        assert!(told.contains(why), "{habit:?}: {told}");
        let honest = ["ann", "bob"].map(|name| format!("worker {name} is set aside"));
        assert!(!honest.iter().any(|words| told.contains(words)), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loss_on_time_on_an_overloaded_machine_is_tried_elsewhere() {
    if !is_there() {
        return;
    }
    let words = MATCH.replace("nodes=100", "tc=60+1");
    let workers = |others: &[&str]| {
        let mut workers = honest(others);
        workers.push(Scripted::new("busy", Habit::Overloaded));
        workers
    };
    let lost = |folder: &TempDir| {
        let reader = Reader::open(&folder.path().join("event.db")).unwrap();
        let rows = reader.games().unwrap().into_iter();
        rows.filter(|row| row.end.as_ref().unwrap().ending.termination.is_fault())
            .count()
    };
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let words = format!("{words} -rounds 2");
    let (summary, ear) = checked(&server, folder.path(), &words, 0.0, workers(&["ann"])).await;
    assert!(summary.complete);
    // Where nobody else plays, the second time counts, as in any match.
    assert_eq!(lost(&folder), 0, "{}", ear.warnings());
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let (summary, ear) = checked(&server, folder.path(), &words, 0.0, workers(&[])).await;
    assert!(summary.complete);
    assert_eq!(lost(&folder), 4);
    let told = ear.warnings();
    assert!(
        told.contains("on a machine that is overloaded: it took 0.9 s"),
        "{told}"
    );
    let excused = told.matches("that is overloaded").count();
    assert_eq!(excused, 4, "each once: {told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_names_the_program_that_it_means() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let words = MATCH.replace("cmd=other", "cmd=other bench=7");
    let mut tournament = begin(folder.path(), &words);
    let director = Director::open(&access(&server), &tournament, &options()).await;
    tournament.set_venue(Arc::new(director.unwrap()));
    let (sender, commands) = unbounded_channel();
    let mut ear = Ear::default();
    let running = tokio::spawn(async move { tournament.run(commands, &mut ear).await.unwrap() });
    let client = async_nats::connect(server.url()).await.unwrap();
    let ask = async |proof: &str| {
        let worker = Scripted {
            proof: proof.into(),
            ..Scripted::new("ann", Habit::Honest)
        };
        worker.apply(&client).await.1.unwrap_or_default()
    };
    // It is the first that comes, and decides nothing.
    let refused = ask("bench 8").await;
    assert!(
        refused.contains("'other' is another program") && refused.contains("says bench 7"),
        "{refused}"
    );
    assert_eq!(ask("bench 7").await, "");
    sender.send(Command::Abort).unwrap();
    let summary = tokio::time::timeout(Duration::from_secs(30), running).await;
    assert_eq!(summary.unwrap().unwrap().verdict(), Verdict::Stopped);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_words_of_engines_come_to_the_director() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let file = folder.path().join("b.txt");
    let words = format!("{MATCH} -rounds 1 -recover");
    let words = words.replace("name=b", &format!("name=b stderr={}", file.display()));
    let broken = Scripted {
        stderr: [
            ["panicked\u{1b}[2J at search.rs:7".into()].into(),
            Vec::new(),
        ],
        ..Scripted::new("weak", Habit::Disconnects)
    };
    let (summary, ear) = checked(&server, folder.path(), &words, 0.0, vec![broken]).await;
    assert!(summary.complete);
    // The one that has White breaks down: once a, once b.
    let told = ear.warnings();
    assert!(
        told.contains("the last words of a on worker weak: panicked\\u{1b}[2J at search.rs:7"),
        "{told}"
    );
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept.contains("game 2 on weak: panicked\\u{1b}[2J at search.rs:7"),
        "{kept}"
    );
    let again = |event: &MatchEvent| matches!(event, MatchEvent::GameAgain { .. });
    assert!(ear.count(again) > 0);
}
