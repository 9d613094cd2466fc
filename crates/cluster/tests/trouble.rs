//! What goes wrong with workers, engines and servers, and what the director makes
//! of it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::{self, stream};
use futures_util::StreamExt;
use quadrille_cluster::messages::{Outcome, Reply};
use quadrille_cluster::{Director, DirectorOptions};
use quadrille_match::config::read_flags;
use quadrille_match::store::Reader;
use quadrille_match::tournament::{Command, MatchEvent, Summary, Tournament, Venue, Verdict};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use crate::director::{Ear, MATCH, access, begin, check_store, options, play};
use crate::support::scripted::{Habit, Scripted};
use crate::support::server::{Server, is_there};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_crashes_everywhere_loses_and_no_worker_is_blamed() {
    if !is_there() {
        return;
    }
    for names in [&["alone"][..], &["weak", "frail"]] {
        let (server, folder) = (Server::start(), TempDir::new().unwrap());
        let workers = names.iter();
        let workers = workers.map(|name| Scripted::new(name, Habit::Disconnects));
        let more = "-rounds 4 -recover";
        let (summary, ear) = play(&server, folder.path(), workers.collect(), more).await;
        assert!(summary.complete, "{names:?}: {}", ear.warnings());
        assert_eq!(summary.verdict(), Verdict::Good, "{names:?}");
        assert!(!ear.warnings().contains("set aside"), "{}", ear.warnings());
        let games = Reader::open(&folder.path().join("event.db")).unwrap();
        for row in games.games().unwrap() {
            let ending = row.end.unwrap().ending;
            assert!(ending.termination.is_fault(), "{ending:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_that_no_other_worker_sees_is_the_first_one_s() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = vec![
        Scripted::new("weak", Habit::Disconnects),
        Scripted::new("ann", Habit::Slow),
    ];
    let (summary, ear) = play(&server, folder.path(), workers, "-rounds 6 -recover").await;
    assert_eq!(summary.verdict(), Verdict::Good);
    check_store(folder.path(), 12);
    let told = ear.warnings();
    assert!(told.contains("worker weak is set aside"), "{told}");
    assert!(told.contains("and ann played that game"), "{told}");
}

/// Begins a match, and stops it once the worker, if there is one, plays three games;
/// a second later that is let go on.
async fn stopped(
    server: &Server,
    folder: &TempDir,
    ear: &Ear,
    worker: Option<Scripted>,
) -> Summary {
    let mut tournament = begin(folder.path(), &format!("{MATCH} -rounds 5"));
    let director = Director::open(&access(server), &tournament, &options())
        .await
        .unwrap();
    tournament.set_venue(Arc::new(director));
    let (sender, commands) = unbounded_channel();
    let mut heard = ear.clone();
    let running = tokio::spawn(async move { tournament.run(commands, &mut heard).await.unwrap() });
    let client = async_nats::connect(server.url()).await.unwrap();
    // It is let in, and never heard of again.
    let (_, refused) = Scripted::new("gone", Habit::Honest).apply(&client).await;
    assert_eq!(refused, None);
    let plays = worker.is_some();
    let released = worker.as_ref().map(|worker| Arc::clone(&worker.released));
    let worker = worker.map(|worker| tokio::spawn(worker.work(server.url())));
    let begun = |event: &MatchEvent| match event {
        MatchEvent::GameStart { game, .. } => !plays && *game == 3,
        MatchEvent::Workers { in_flight, .. } => *in_flight == 3,
        _ => false,
    };
    for _ in 0..3000 {
        if ear.count(begun) > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    sender.send(Command::Stop).unwrap();
    if let Some(released) = released {
        tokio::time::sleep(Duration::from_secs(1)).await;
        released.store(true, Ordering::Relaxed);
    }
    let summary = tokio::time::timeout(Duration::from_secs(30), running).await;
    if let Some(worker) = worker {
        worker.abort();
    }
    summary.expect("it ends").unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_stop_gives_up_what_no_worker_has() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let ear = Ear::default();
    let summary = stopped(&server, &folder, &ear, None).await;
    assert_eq!(summary.verdict(), Verdict::Stopped);
    let abandoned = |event: &MatchEvent| matches!(event, MatchEvent::GameAbandoned { .. });
    assert_eq!(ear.count(abandoned), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_worker_plays_may_end_after_a_stop() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let ear = Ear::default();
    let worker = Some(Scripted::new("ann", Habit::Holds));
    let summary = stopped(&server, &folder, &ear, worker).await;
    assert_eq!(summary.verdict(), Verdict::Stopped);
    let ended = |event: &MatchEvent| matches!(event, MatchEvent::GameEnd { .. });
    let abandoned = |event: &MatchEvent| matches!(event, MatchEvent::GameAbandoned { .. });
    assert_eq!((ear.count(ended), ear.count(abandoned)), (3, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_killed_analyses_left_is_swept() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    for (event, title) in [("old", "an analysis"), ("mine", "my match")] {
        for (name, subject, what) in [
            ("QUADRILLE_JOBS_", "job", "jobs"),
            ("QUADRILLE_RESULTS_", "result", "results"),
        ] {
            let config = stream::Config {
                name: format!("{name}{event}"),
                description: Some(format!("{what} of {title}")),
                subjects: vec![format!("quadrille.2.{subject}.{event}.>")],
                ..stream::Config::default()
            };
            context.create_stream(config).await.unwrap();
        }
    }
    let workers = vec![Scripted::new("ann", Habit::Honest)];
    let (summary, _) = play(&server, folder.path(), workers, "-rounds 1").await;
    assert!(summary.complete);
    let left = server.streams();
    assert!(!left.contains("_old"), "{left}");
    assert!(
        left.contains("QUADRILLE_JOBS_mine") && left.contains("QUADRILLE_RESULTS_mine"),
        "those of a match can be gone on with: {left}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resumed_match_has_one_director_and_its_limits() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let mut tournament = begin(folder.path(), MATCH);
    let open = async |tournament: &Tournament, seconds| {
        let options = DirectorOptions {
            patience: Duration::from_secs(seconds),
            ..options()
        };
        Director::open(&access(&server), tournament, &options).await
    };
    let first = open(&tournament, 5).await.unwrap();
    // A copy of the store would do the same.
    let second = open(&tournament, 5).await.unwrap_err();
    assert!(
        second.to_string().contains("another process leads"),
        "{second}"
    );
    first.close(false).await;
    let words = ["-concurrency", "9"].map(Into::into);
    let changes = read_flags(words).unwrap();
    let changes = changes.changes(tournament.names()).unwrap();
    tournament.change(&changes).unwrap();
    open(&tournament, 7).await.unwrap();
    let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let names: Vec<String> = context
        .stream_names()
        .filter_map(|n| async { n.ok() })
        .collect()
        .await;
    let jobs = names.iter().find(|name| name.contains("JOBS")).unwrap();
    let stream = context.get_stream(jobs).await.unwrap();
    assert_eq!(stream.get_info().await.unwrap().config.max_messages, 26);
    let consumer = stream.consumer_info("workers").await.unwrap();
    assert_eq!(consumer.config.ack_wait, Duration::from_secs(7));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_those_who_were_not_given_the_game_do_not_count() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let ann = Scripted::new("ann", Habit::Holds);
    let released = Arc::clone(&ann.released);
    let ear = Ear::default();
    let match_ = tokio::spawn({
        let tournament = begin(folder.path(), &format!("{MATCH} -rounds 2"));
        let (url, access) = (server.url(), access(&server));
        let mut ear = ear.clone();
        async move {
            let worker = tokio::spawn(ann.work(url));
            let mut tournament = tournament;
            let director = Director::open(&access, &tournament, &options()).await;
            tournament.set_venue(Arc::new(director.unwrap()));
            let (_sender, commands) = unbounded_channel();
            let run = tournament.run(commands, &mut ear);
            let summary = tokio::time::timeout(Duration::from_mins(1), run).await;
            worker.abort();
            summary.expect("it ends").unwrap()
        }
    });
    let busy = |event: &MatchEvent| matches!(event, MatchEvent::Workers { in_flight: 3, .. });
    for _ in 0..3000 {
        if ear.count(busy) > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let stream = server.streams();
    let event = stream.split("QUADRILLE_JOBS_").nth(1).unwrap();
    let event = event.split('"').next().unwrap();
    let forge = |worker: &str, number: u64, attempt: u32| {
        let reply = Reply {
            v: 2,
            event: event.into(),
            number,
            attempt,
            ticket: "0123456789abcdef0123456789abcdef".into(),
            worker: worker.into(),
            name: "\u{1b}[2J\nghost".into(),
            outcome: Outcome::Trouble("boo".into()),
        };
        let subject = format!("quadrille.2.result.{event}.{number}.{worker}");
        server.publish(&subject, &serde_json::to_string(&reply).unwrap());
    };
    for time in 0..8 {
        for number in 1..=3 {
            forge("ghost.x", number, 1001);
            // A worker that is there, and an attempt that is not.
            forge("ann.x", number, time);
            forge("ann.x", number, 1001);
        }
    }
    for _ in 0..1000 {
        if ear.warnings().contains("was not given this game") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    released.store(true, Ordering::Relaxed);
    let summary = match_.await.unwrap();
    assert_eq!(summary.verdict(), Verdict::Good, "{:?}", summary.trouble);
    let again = |event: &MatchEvent| matches!(event, MatchEvent::GameAgain { .. });
    assert_eq!(ear.count(again), 0, "{}", ear.warnings());
    let told = ear.warnings();
    assert!(!told.contains('\u{1b}'), "{told}");
    let counted = "more messages that their senders could not prove to be theirs";
    assert!(told.contains(counted), "told at the end: {told}");
    let forged = told
        .lines()
        .filter(|line| line.contains("was not given this game") && !line.contains(counted));
    // A few of 72, and not one for each.
    assert_eq!(forged.count(), 5, "{told}");
    check_store(folder.path(), 4);
}
