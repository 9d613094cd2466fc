//! A director with workers that speak the messages by hand: what is dealt, what
//! is believed, who is set aside.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream;
use futures_util::StreamExt;
use quadrille_cluster::messages::Job;
use quadrille_cluster::{Access, Director, DirectorOptions};
use quadrille_match::config::from_flags;
use quadrille_match::store::Reader;
use quadrille_match::tournament::{
    Command, MatchEvent, Results, Summary, Tournament, Verdict, Watcher,
};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;

use crate::support::scripted::{Habit, Scripted};
use crate::support::server::{Server, is_there};

pub(crate) const MATCH: &str = "-engine cmd=builtin name=a nodes=100 -engine cmd=other name=b nodes=100 \
     -openings format=random plies=4 -srand 5 -maxmoves 6 -repeat -concurrency 3 -force-concurrency";

/// Remembers what was said.
#[derive(Clone, Default)]
pub(crate) struct Ear(Arc<Mutex<Vec<MatchEvent>>>);

impl Watcher for Ear {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl Ear {
    pub(crate) fn warnings(&self) -> String {
        let events = self.0.lock().unwrap();
        let said = events.iter().filter_map(|event| match event {
            // Whatever server is installed.
            MatchEvent::Warning { reason } if reason.contains("NATS server has version") => None,
            MatchEvent::Warning { reason } | MatchEvent::GameAgain { reason, .. } => {
                Some(reason.clone())
            }
            _ => None,
        });
        said.collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn count(&self, wanted: impl Fn(&MatchEvent) -> bool) -> usize {
        self.0.lock().unwrap().iter().filter(|e| wanted(e)).count()
    }
}

pub(crate) fn begin(folder: &Path, words: &str) -> Tournament {
    let flags = from_flags(words.split_whitespace().map(Into::into)).unwrap();
    Tournament::create(flags.config, &folder.join("event.db")).unwrap()
}

pub(crate) fn access(server: &Server) -> Access {
    Access {
        url: server.url(),
        ..Access::default()
    }
}

pub(crate) fn options() -> DirectorOptions {
    DirectorOptions {
        patience: Duration::from_millis(600),
        // Which games are drawn for a check is another each time.
        spot_check: 0.0,
        ..DirectorOptions::new("/nowhere".into())
    }
}

pub(crate) async fn direct(
    server: &Server,
    mut tournament: Tournament,
    commands: UnboundedReceiver<Command>,
    ear: &mut Ear,
) -> Summary {
    let director = Director::open(&access(server), &tournament, &options())
        .await
        .unwrap();
    tournament.set_venue(Arc::new(director));
    let run = tournament.run(commands, ear);
    tokio::time::timeout(Duration::from_mins(1), run)
        .await
        .unwrap()
        .unwrap()
}

/// Plays with these workers. The first of them is alone until it has been set
/// aside, where it is none that is honest.
pub(crate) async fn play(
    server: &Server,
    folder: &Path,
    workers: Vec<Scripted>,
    more: &str,
) -> (Summary, Ear) {
    let tournament = begin(folder, &format!("{MATCH} {more}"));
    let mut ear = Ear::default();
    let url = server.url();
    let crew = tokio::spawn(async move {
        let mut tasks = JoinSet::new();
        for worker in workers {
            let leaves = matches!(
                worker.habit,
                Habit::WrongResult | Habit::IllegalMove | Habit::Broken
            );
            let name = worker.name.clone();
            let work = worker.work(url.clone());
            if leaves {
                let reason = tokio::time::timeout(Duration::from_mins(1), work).await;
                assert_ne!(reason.unwrap(), "", "{name} is told why");
            } else {
                tasks.spawn(work);
            }
        }
        while tasks.join_next().await.is_some() {}
    });
    let (_sender, commands) = unbounded_channel();
    let summary = direct(server, tournament, commands, &mut ear).await;
    crew.abort();
    (summary, ear)
}

/// Every game once, with all its plies, and all ended by the rules or the limit.
pub(crate) fn check_store(folder: &Path, games: usize) {
    let reader = Reader::open(&folder.join("event.db")).unwrap();
    let rows = reader.games().unwrap();
    assert_eq!(rows.len(), games);
    for row in rows {
        let end = row.end.expect("finished");
        assert!(!end.ending.termination.is_fault(), "{:?}", end.ending);
        assert_eq!(end.played_at.unwrap().permille, 1000);
        let plies = reader.plies(row.new.number).unwrap();
        assert_eq!(plies.len(), 12, "the opening, and up to the sixth move");
        assert!(plies[..4].iter().all(|ply| ply.book) && !plies[4].book);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn honest_workers_play_a_match() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = vec![
        Scripted::new("ann", Habit::Honest),
        Scripted::new("twin", Habit::Twice),
    ];
    let (summary, ear) = play(&server, folder.path(), workers, "-rounds 10").await;
    assert_eq!((summary.verdict(), summary.complete), (Verdict::Good, true));
    let told = ear.warnings();
    assert!(
        told.lines()
            .all(|line| line.contains("results of games that had one already")),
        "{told}"
    );
    check_store(folder.path(), 20);
    let ends = |event: &MatchEvent| matches!(event, MatchEvent::GameEnd { .. });
    assert_eq!(ear.count(ends), 20, "nothing counts twice");
    // Nothing is left on the server.
    let client = async_nats::connect(server.url()).await.unwrap();
    let left = jetstream::new(client).stream_names().count().await;
    assert_eq!(left, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn liars_are_set_aside_and_their_games_dealt_again() {
    if !is_there() {
        return;
    }
    for (habit, why) in [
        (Habit::WrongResult, "told was"),
        (Habit::IllegalMove, "no legal move"),
        (Habit::Broken, "it has no engine"),
    ] {
        let (server, folder) = (Server::start(), TempDir::new().unwrap());
        let workers = vec![
            Scripted::new("liar", habit),
            Scripted::new("ann", Habit::Honest),
        ];
        let (summary, ear) = play(&server, folder.path(), workers, "-rounds 5").await;
        assert_eq!(summary.verdict(), Verdict::Good, "{habit:?}");
        check_store(folder.path(), 10);
        assert!(
            ear.warnings().contains("worker liar is set aside"),
            "{habit:?}: {}",
            ear.warnings()
        );
        assert!(
            ear.warnings().contains(why),
            "{habit:?}: {}",
            ear.warnings()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_is_lost_is_dealt_again() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = vec![
        Scripted::new("mute", Habit::Silent),
        Scripted::new("ann", Habit::Honest),
    ];
    let (summary, ..) = play(&server, folder.path(), workers, "-rounds 3").await;
    assert!(summary.complete);
    check_store(folder.path(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_is_held_without_a_result_is_dealt_again() {
    if !is_there() {
        return;
    }
    // Games, and checks of games.
    for spot_check in [0.0, 1.0] {
        let (server, folder) = (Server::start(), TempDir::new().unwrap());
        let mut tournament = begin(folder.path(), &format!("{MATCH} -rounds 60"));
        let options = DirectorOptions {
            hold: Duration::from_millis(500),
            spot_check,
            ..options()
        };
        let director = Director::open(&access(&server), &tournament, &options).await;
        tournament.set_venue(Arc::new(director.unwrap()));
        let mut crew = JoinSet::new();
        for name in ["ann", "bob"] {
            crew.spawn(Scripted::new(name, Habit::Honest).work(server.url()));
        }
        // It says for ever that it plays.
        let holder = tokio::spawn(Scripted::new("holder", Habit::Holds).work(server.url()));
        let mut ear = Ear::default();
        let (_sender, commands) = unbounded_channel();
        let run = tournament.run(commands, &mut ear);
        let summary = tokio::time::timeout(Duration::from_mins(1), run).await;
        let summary = summary.expect("the match ends").unwrap();
        let told = ear.warnings();
        assert!(summary.complete, "{told}");
        check_store(folder.path(), 120);
        assert!(told.contains("worker holder has "), "{told}");
        assert!(told.contains("is dealt again to another worker"), "{told}");
        assert!(
            told.contains("worker holder is set aside: it held"),
            "{told}"
        );
        for name in ["ann", "bob"] {
            assert!(!told.contains(&format!("worker {name} ")), "{told}");
        }
        let reason = tokio::time::timeout(Duration::from_secs(20), holder).await;
        assert!(reason.unwrap().unwrap().contains("for too long"));
        crew.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_breaks_twice_has_lost() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = vec![
        Scripted::new("weak", Habit::Disconnects),
        Scripted::new("frail", Habit::Disconnects),
    ];
    let (summary, ear) = play(&server, folder.path(), workers, "-rounds 1").await;
    assert_eq!(summary.verdict(), Verdict::Trouble);
    assert!(ear.warnings().contains("disconnects"), "{}", ear.warnings());
    assert!(summary.trouble.unwrap().contains("-recover"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_no_other_worker_takes_is_dealt_to_all() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    // One has time and takes nothing, so that the server gives the game to the other as
    // often as it gives a job.
    let workers = vec![
        Scripted::new("weak", Habit::Disconnects),
        Scripted::new("idle", Habit::NeverAsks),
    ];
    let (summary, ear) = play(&server, folder.path(), workers, "-rounds 1 -recover").await;
    assert!(summary.complete, "{}", ear.warnings());
    assert!(
        ear.warnings().contains("no worker has it"),
        "{}",
        ear.warnings()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decided_test_stops_the_queue() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let workers = vec![Scripted::new("ann", Habit::Honest)];
    // Draws alone refute any gain soon.
    let more = "-rounds 100000 -sprt elo0=0 elo1=200 model=logistic";
    let (summary, ..) = play(&server, folder.path(), workers, more).await;
    assert!(summary.decided && !summary.complete);
    assert_eq!(summary.verdict(), Verdict::Weaker);
    let client = async_nats::connect(server.url()).await.unwrap();
    assert_eq!(jetstream::new(client).stream_names().count().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_director_goes_on_with_what_waits_for_it() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let tournament = begin(folder.path(), &format!("{MATCH} -rounds 4"));
    // A worker takes the first jobs; the director is gone before results come.
    let mut ear = Ear::default();
    let client = async_nats::connect(server.url()).await.unwrap();
    let mute = tokio::spawn(Scripted::new("mute", Habit::Silent).work(server.url()));
    let (sender, commands) = unbounded_channel();
    // With everything that belongs to it on threads of its own, which end at once.
    let process = tokio::runtime::Runtime::new().unwrap();
    process.spawn({
        let access = access(&server);
        let mut tournament = tournament;
        let mut ear = ear.clone();
        async move {
            let options = DirectorOptions {
                patience: Duration::from_mins(1),
                ..options()
            };
            let director = Director::open(&access, &tournament, &options)
                .await
                .unwrap();
            tournament.set_venue(Arc::new(director));
            let _ = tournament.run(commands, &mut ear).await;
        }
    });
    let started = |event: &MatchEvent| matches!(event, MatchEvent::GameStart { .. });
    for _ in 0..1000 {
        if ear.count(started) >= 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Jobs are in the stream, and carry names, not programs.
    let context = jetstream::new(client);
    let names: Vec<String> = context
        .stream_names()
        .filter_map(|n| async { n.ok() })
        .collect()
        .await;
    let jobs = names
        .iter()
        .find(|name| name.starts_with("QUADRILLE_JOBS_"))
        .unwrap();
    let stream = context.get_stream(jobs).await.unwrap();
    let mut seen = None;
    for _ in 0..500 {
        if let Ok(message) = stream.get_raw_message(1).await {
            seen = Some(message);
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let text = String::from_utf8(seen.expect("a job").payload.to_vec()).unwrap();
    let job: Job = serde_json::from_str(&text).unwrap();
    assert!((1..=3).contains(&job.number) && job.attempt == 1001);
    assert!(
        text.contains("\"engine\":\"other\"") && !text.contains("\"cmd"),
        "{text}"
    );
    let info = stream.get_info().await.unwrap();
    assert!(info.state.messages <= 3, "no more than are wanted at once");
    assert_eq!(info.config.max_messages, 14);
    process.shutdown_background();
    mute.abort();
    drop(sender);
    // Its tasks end with its process; here the store tells when it is free.
    let path = folder.path().join("event.db");
    let resumed = loop {
        match Tournament::resume(&path) {
            Ok(tournament) => break tournament,
            Err(error) => assert!(error.to_string().contains("run"), "{error}"),
        }
    };
    let worker = tokio::spawn(Scripted::new("ann", Habit::Honest).work(server.url()));
    let (_sender, commands) = unbounded_channel();
    let summary = direct(&server, resumed, commands, &mut ear).await;
    worker.abort();
    assert!(summary.complete);
    check_store(folder.path(), 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_cannot_play_is_told_why() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let words = MATCH.replace("nodes=100", "tc=10+0.1");
    let mut tournament = begin(folder.path(), &words);
    let options = DirectorOptions {
        reference: Some(1_000_000),
        ..options()
    };
    let director = Director::open(&access(&server), &tournament, &options)
        .await
        .unwrap();
    tournament.set_venue(Arc::new(director));
    let mut ear = Ear::default();
    let (sender, commands) = unbounded_channel();
    let running = tokio::spawn({
        let mut ear = ear.clone();
        async move { tournament.run(commands, &mut ear).await.unwrap() }
    });
    let client = async_nats::connect(server.url()).await.unwrap();
    let ask = async |worker: Scripted| worker.apply(&client).await.1.unwrap_or_default();
    let slow = Scripted {
        nps: 200_000,
        ..Scripted::new("slow", Habit::Honest)
    };
    assert!(
        ask(slow)
            .await
            .contains("too slow: it would need 5.0 times")
    );
    assert_eq!(ask(Scripted::new("ann", Habit::Honest)).await, "");
    let other = Scripted {
        proof: "bench 2".into(),
        ..Scripted::new("other", Habit::Honest)
    };
    assert!(
        ask(other)
            .await
            .contains("another program: bench 2, but on ann bench 1")
    );
    sender.send(Command::Abort).unwrap();
    let summary = tokio::time::timeout(Duration::from_secs(30), running)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(summary.verdict(), Verdict::Stopped);
    let _ = &mut ear;
}

#[test]
fn a_path_is_no_name_of_an_engine() {
    if !is_there() {
        return;
    }
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let words = MATCH.replace("cmd=other", "cmd=/bin/sh");
    let tournament = begin(folder.path(), &words);
    let opened = runtime.block_on(Director::open(&access(&server), &tournament, &options()));
    let error = opened.unwrap_err();
    assert!(
        error.is_in_the_description() && error.to_string().contains("/bin/sh"),
        "{error}"
    );
}
