//! The accounts that docs/cluster.md gives to workers and directors, on a server
//! that has them: enough to play, and not enough to do harm to others.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{context::Context, stream};
use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt;
use quadrille_cluster::{Access, Director, DirectorOptions, workers};
use quadrille_match::tournament::Verdict;
use tempfile::{NamedTempFile, TempDir};
use tokio::sync::mpsc::unbounded_channel;

use crate::director::{Ear, MATCH, begin, check_store, options};
use crate::support::scripted::{Habit, Scripted, next_job};
use crate::support::server::{Server, is_there};

/// The server's file as the guide prints it.
fn documented() -> String {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cluster.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let after = guide.split("<!-- nats.conf with accounts -->").nth(1);
    let block = after.unwrap().split("```").nth(1).unwrap();
    let lines = block.lines().skip(1);
    // Where it listens and keeps its files is the test's affair.
    let lines = lines.filter(|line| !line.starts_with("listen:") && !line.starts_with("jetstream"));
    lines.collect::<Vec<_>>().join("\n")
}

fn server() -> (Server, NamedTempFile) {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(documented().as_bytes()).unwrap();
    let words = ["-c".into(), file.path().display().to_string()];
    (Server::with(words.to_vec()), file)
}

fn password(user: &str) -> String {
    let text = documented();
    let after = text
        .split(&format!("user: \"{user}\", password: \""))
        .nth(1);
    after.unwrap().split('"').next().unwrap().into()
}

fn access(server: &Server, user: &str) -> Access {
    Access {
        url: server.url(),
        user: Some(user.into()),
        password: Some(password(user)),
        ..Access::default()
    }
}

async fn client(server: &Server, user: &str, inbox: &str) -> Client {
    ConnectOptions::with_user_and_password(user.into(), password(user))
        .custom_inbox_prefix(format!("_INBOX.{inbox}"))
        .connect(server.url())
        .await
        .unwrap()
}

/// Asks the server for something; whether there was an answer.
async fn answered(client: &Client, subject: &str, payload: &str) -> bool {
    let asked = client.request(subject.to_owned(), payload.to_owned().into());
    let answer = tokio::time::timeout(Duration::from_secs(1), asked).await;
    answer.is_ok_and(|answer| answer.is_ok())
}

/// Waits until the server has read everything that this one said before.
async fn settled(client: &Client) {
    let inbox = client.new_inbox();
    let mut heard = client.subscribe(inbox).await.unwrap();
    // Nobody else answers there; that the server does is enough.
    let _ = answered(client, "$JS.API.INFO", "").await;
    heard.unsubscribe().await.unwrap();
}

/// Whether something that one says is heard by another, who may hear all of it.
async fn is_heard(from: &Client, by: &Client, subject: &str) -> bool {
    let mut heard = by.subscribe(subject.to_owned()).await.unwrap();
    let last = "quadrille.2.beat.last.north.x";
    let mut after = by.subscribe(last).await.unwrap();
    settled(by).await;
    for subject in [subject, last] {
        from.publish(subject.to_owned(), "{}".into()).await.unwrap();
    }
    // What was said before comes before it.
    let last = tokio::time::timeout(Duration::from_secs(20), after.next()).await;
    assert!(last.is_ok_and(|last| last.is_some()), "the last word comes");
    // A director says other things there of its own accord.
    while let Ok(Some(next)) = tokio::time::timeout(Duration::from_millis(50), heard.next()).await {
        if next.payload == "{}" {
            return true;
        }
    }
    false
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_played_with_the_documented_permissions() {
    if !is_there() {
        return;
    }
    let (server, _file) = server();
    let folder = TempDir::new().unwrap();
    let mut tournament = begin(folder.path(), &format!("{MATCH} -rounds 6"));
    let options = DirectorOptions {
        spot_check: 1.0,
        ..options()
    };
    let director = Director::open(&access(&server, "director"), &tournament, &options).await;
    tournament.set_venue(Arc::new(director.unwrap()));
    for name in ["north", "south"] {
        let client = client(&server, name, name).await;
        let worker = Scripted {
            has_account: true,
            ..Scripted::new(name, Habit::Slow)
        };
        tokio::spawn(worker.work_on(client));
    }
    let mut ear = Ear::default();
    let (_sender, commands) = unbounded_channel();
    let status = {
        let access = [access(&server, "director"), access(&server, "north")];
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(700)).await;
            let all = workers(&access[0], None).await.unwrap();
            (all, workers(&access[1], Some("north")).await)
        })
    };
    let run = tournament.run(commands, &mut ear);
    let summary = tokio::time::timeout(Duration::from_mins(1), run).await;
    let summary = summary.expect("it ends").unwrap();
    assert_eq!((summary.verdict(), summary.complete), (Verdict::Good, true));
    // On a busy machine a job may lie for a while; that says nothing of permissions.
    let told = ear.warnings();
    let late = |line: &str| line.contains("no worker has it any more");
    assert!(told.lines().all(late), "{told}");
    check_store(folder.path(), 12);
    let (by_director, by_worker) = status.await.unwrap();
    let names: Vec<&str> = by_director.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["north", "south"]);
    // Who may ask and is asked too could have the server let it answer anywhere.
    let refused = by_worker.unwrap_err().to_string();
    assert!(refused.contains("does not let this user ask"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_may_not_do_what_directors_and_other_workers_do() {
    if !is_there() {
        return;
    }
    let (server, _file) = server();
    let folder = TempDir::new().unwrap();
    let tournament = begin(folder.path(), &format!("{MATCH} -rounds 6"));
    let director = Director::open(&access(&server, "director"), &tournament, &options()).await;
    let _director = director.unwrap();
    let lead = client(&server, "director", "director").await;
    let north = client(&server, "north", "north").await;
    let streams = async_nats::jetstream::new(lead.clone()).stream_names();
    let streams: Vec<String> = streams.filter_map(|n| async { n.ok() }).collect().await;
    let jobs = streams.iter().find(|name| name.contains("JOBS")).unwrap();
    let results = streams
        .iter()
        .find(|name| name.contains("RESULTS"))
        .unwrap();
    let event = jobs.strip_prefix("QUADRILLE_JOBS_").unwrap();
    // What it needs.
    let next = format!("$JS.API.CONSUMER.MSG.NEXT.{jobs}.workers");
    let none = "{\"batch\":1,\"no_wait\":true}";
    assert!(answered(&north, &next, none).await);
    for subject in [
        "quadrille.2.status.north.x".to_owned(),
        format!("quadrille.2.beat.{event}.north.x"),
        format!("quadrille.2.apply.{event}.north.x"),
    ] {
        assert!(is_heard(&north, &lead, &subject).await, "{subject}");
    }
    // What it must not do: to the streams,
    for (subject, payload) in [
        (format!("$JS.API.STREAM.DELETE.{jobs}"), ""),
        (format!("$JS.API.STREAM.DELETE.{results}"), ""),
        (format!("$JS.API.STREAM.PURGE.{jobs}"), ""),
        (format!("$JS.API.STREAM.MSG.GET.{jobs}"), "{\"seq\":1}"),
        (format!("$JS.API.STREAM.INFO.{jobs}"), ""),
        (format!("$JS.API.CONSUMER.DELETE.{jobs}.workers"), ""),
        (format!("$JS.API.CONSUMER.INFO.{jobs}.workers"), ""),
        (format!("$JS.API.CONSUMER.INFO.{results}.director"), ""),
        (format!("$JS.API.CONSUMER.MSG.NEXT.{results}.director"), "1"),
        ("$JS.API.STREAM.NAMES".into(), ""),
    ] {
        assert!(!answered(&north, &subject, payload).await, "{subject}");
    }
    // as director, as another worker, to the receipts of others,
    for subject in [
        format!("quadrille.2.event.{event}"),
        "quadrille.2.roll".into(),
        format!("quadrille.2.job.{event}.1.1001"),
        "quadrille.2.worker.south.x".into(),
        "quadrille.2.status.south.x".into(),
        format!("quadrille.2.apply.{event}.south.x"),
        format!("quadrille.2.beat.{event}.south.x"),
        format!("quadrille.2.result.{event}.1.south.x"),
        "_INBOX.director.x".into(),
        "_INBOX.south.x".into(),
    ] {
        assert!(!is_heard(&north, &lead, &subject).await, "{subject}");
    }
    let stream = async_nats::jetstream::new(lead.clone());
    let left = stream.stream_names().count().await;
    assert_eq!(left, 2, "both streams are still there");
    // and it does not hear what others are sent.
    for subject in [
        "_INBOX.>",
        "_INBOX.south.>",
        "quadrille.2.job.>",
        "$JS.ACK.>",
    ] {
        let mut heard = north.subscribe(subject).await.unwrap();
        let mut after = north.subscribe("quadrille.2.event.*").await.unwrap();
        assert!(answered(&north, &next, none).await);
        for subject in [&subject.replace('>', "x")[..], "quadrille.2.event.last"] {
            let said = lead.publish(subject.to_owned(), subject.to_owned().into());
            said.await.unwrap();
        }
        loop {
            let next = tokio::time::timeout(Duration::from_secs(20), after.next()).await;
            let next = next.expect("the last word comes").unwrap();
            if next.payload == "quadrille.2.event.last" {
                break;
            }
        }
        let next = tokio::time::timeout(Duration::from_millis(50), heard.next()).await;
        assert!(!matches!(next, Ok(Some(_))), "{subject}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_gets_no_right_by_a_question_whose_answer_goes_elsewhere() {
    if !is_there() {
        return;
    }
    let (server, _file) = server();
    let folder = TempDir::new().unwrap();
    let tournament = begin(folder.path(), &format!("{MATCH} -rounds 6"));
    let director = Director::open(&access(&server, "director"), &tournament, &options()).await;
    let _director = director.unwrap();
    let lead = client(&server, "director", "director").await;
    let north = client(&server, "north", "north").await;
    let context = async_nats::jetstream::new(lead.clone());
    let streams = async || -> Vec<String> {
        let names = context.stream_names();
        names.filter_map(|n| async { n.ok() }).collect().await
    };
    let all = streams().await;
    let jobs = all.iter().find(|name| name.contains("JOBS")).unwrap();
    let results = all.iter().find(|name| name.contains("RESULTS")).unwrap();
    let event = jobs.strip_prefix("QUADRILLE_JOBS_").unwrap();
    let targets = [
        format!("quadrille.2.event.{event}"),
        "quadrille.2.worker.south.x".into(),
        format!("quadrille.2.result.{event}.1.south.x"),
        "_INBOX.south.x".into(),
        format!("$JS.API.STREAM.DELETE.{jobs}"),
        format!("$JS.API.STREAM.DELETE.{results}"),
    ];
    for target in &targets {
        // It asks itself, for then the server would let it answer there,
        let mut asked = north.subscribe("quadrille.2.roll").await.unwrap();
        let said = north.publish_with_reply("quadrille.2.roll", target.clone(), "".into());
        said.await.unwrap();
        let _ = tokio::time::timeout(Duration::from_millis(100), asked.next()).await;
        // or the director, which may do more, or the server, with its own words.
        let before = lead.subscribe(target.clone()).await;
        let mut before = before.unwrap();
        let worker = Scripted::new("north", Habit::Honest);
        for subject in [
            format!("quadrille.2.apply.{event}.{}", worker.word()),
            format!("$JS.API.CONSUMER.MSG.NEXT.{jobs}.workers"),
        ] {
            let words = "{\"batch\":1,\"no_wait\":true}";
            let said = north.publish_with_reply(subject, target.clone(), words.into());
            said.await.unwrap();
        }
        let said = north.publish(target.clone(), "{\"forged\":1}".into());
        said.await.unwrap();
        // What is answered there is answered after all of that.
        assert_eq!(worker.apply(&north).await.1, None);
        while let Ok(Some(heard)) =
            tokio::time::timeout(Duration::from_millis(100), before.next()).await
        {
            let words = String::from_utf8_lossy(&heard.payload).into_owned();
            assert!(
                !words.contains("forged") && !words.contains("refused"),
                "{target}: {words}"
            );
        }
        assert_eq!(streams().await.len(), 2, "{target}");
    }
    // Nobody answers who is there at any other subject than an inbox.
    let mut heard = lead.subscribe("quadrille.2.event.fake").await.unwrap();
    for place in ["quadrille.2.event.fake", "_INBOX.director.fake"] {
        let mut answers = lead.subscribe("_INBOX.director.fake").await.unwrap();
        let said = lead.publish_with_reply("quadrille.2.roll", place, "".into());
        said.await.unwrap();
        if place.starts_with('_') {
            let answer = tokio::time::timeout(Duration::from_secs(20), answers.next()).await;
            assert!(answer.unwrap().is_some());
        }
    }
    let none = tokio::time::timeout(Duration::from_millis(50), heard.next()).await;
    assert!(none.is_err(), "{none:?}");
}

/// Two streams as a director makes them, without one: it would make them anew.
async fn streams_with_messages(context: &Context) -> [stream::Stream; 2] {
    let made = async |name: &str, kind: &str, messages: u64| {
        let config = stream::Config {
            name: name.into(),
            subjects: vec![format!("quadrille.2.{kind}.e.>")],
            retention: stream::RetentionPolicy::WorkQueue,
            ..stream::Config::default()
        };
        let stream = context.create_stream(config).await.unwrap();
        let config = pull::Config {
            durable_name: Some("workers".into()),
            ack_wait: Duration::from_hours(1),
            ..pull::Config::default()
        };
        stream.create_consumer(config).await.unwrap();
        for number in 1..=messages {
            let subject = format!("quadrille.2.{kind}.e.{number}.9.z");
            let sent = context.publish(subject, "{}".into()).await.unwrap();
            sent.await.unwrap();
        }
        stream
    };
    [
        made("QUADRILLE_JOBS_e", "job", 12).await,
        made("QUADRILLE_RESULTS_e", "result", 3).await,
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_the_server_does_nothing_to_streams() {
    if !is_there() {
        return;
    }
    let (server, _file) = server();
    let lead = client(&server, "director", "director").await;
    let north = client(&server, "north", "north").await;
    let context = async_nats::jetstream::new(lead.clone());
    let [jobs, results] = streams_with_messages(&context).await;
    let created = [&jobs, &results].map(|stream| stream.cached_info().created);
    let next = "$JS.API.CONSUMER.MSG.NEXT.QUADRILLE_JOBS_e.workers";
    for target in [
        "$JS.API.STREAM.DELETE.QUADRILLE_JOBS_e",
        "$JS.API.STREAM.DELETE.QUADRILLE_RESULTS_e",
        "$JS.API.STREAM.PURGE.QUADRILLE_JOBS_e",
        "$JS.API.STREAM.PURGE.QUADRILLE_RESULTS_e",
        "$JS.API.CONSUMER.DELETE.QUADRILLE_JOBS_e.workers",
        "$JS.API.CONSUMER.DELETE.QUADRILLE_RESULTS_e.workers",
        "$JS.ACK.QUADRILLE_JOBS_e.workers.1.12.12.0.0",
        "$JS.ACK.QUADRILLE_RESULTS_e.workers.1.3.3.0.0",
        "quadrille.2.job.e.13.9.z",
        "quadrille.2.result.e.4.south.z",
    ] {
        // The answers are a job; a word that the request is over; one that there is no job;
        // and a receipt for a result.
        for (subject, words) in [
            (next, "{\"batch\":1,\"no_wait\":true}"),
            (next, "{\"batch\":20,\"expires\":1000000}"),
            (next, "{\"batch\":1,\"no_wait\":true}"),
            ("quadrille.2.result.e.9.north.x", "{}"),
        ] {
            let said = north.publish_with_reply(subject, target, words.into());
            said.await.unwrap();
            north.flush().await.unwrap();
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        let heard = [&jobs, &results].map(async |stream| stream.get_info().await);
        for (kind, (info, created)) in heard.into_iter().zip(created).enumerate() {
            let info = info.await.expect("the stream is there");
            assert_eq!(info.created, created, "{target}: the same stream");
            assert_eq!(info.state.consumer_count, 1, "{target}");
            assert_eq!(info.state.first_sequence, 1, "{target}");
            if kind == 0 {
                assert_eq!(info.state.messages, 12, "{target}");
            }
        }
        let foreign = results.get_last_raw_message_by_subject("quadrille.2.result.e.4.south.z");
        assert!(foreign.await.is_err(), "{target}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_acknowledges_its_own_jobs_only() {
    if !is_there() {
        return;
    }
    let (server, _file) = server();
    let folder = TempDir::new().unwrap();
    let mut tournament = begin(folder.path(), &format!("{MATCH} -rounds 6"));
    let director = Director::open(&access(&server, "director"), &tournament, &options()).await;
    tournament.set_venue(Arc::new(director.unwrap()));
    let mut ear = Ear::default();
    let (_sender, commands) = unbounded_channel();
    let running = tokio::spawn(async move {
        let _ = tournament.run(commands, &mut ear).await;
    });
    let south = client(&server, "south", "south").await;
    let worker = Scripted::new("south", Habit::Honest);
    let (notice, refused) = worker.apply(&south).await;
    assert_eq!(refused, None);
    let stream = format!("QUADRILLE_JOBS_{}", notice.event);
    let context = async_nats::jetstream::new(south.clone());
    let job = next_job(&context, &notice.event).await;
    let receipt = job.reply.clone().unwrap();
    let lead = client(&server, "director", "director").await;
    let context = async_nats::jetstream::new(lead.clone());
    let acknowledged = async || {
        let stream = context.get_stream(&stream).await.unwrap();
        let info = stream.consumer_info("workers").await.unwrap();
        info.ack_floor.stream_sequence
    };
    let north = client(&server, "north", "north").await;
    north.publish(receipt, "+ACK".into()).await.unwrap();
    north.flush().await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(acknowledged().await, 0, "another worker's job");
    // Many times, for a long game says again and again that it is still played.
    for _ in 0..20 {
        job.ack_with(async_nats::jetstream::AckKind::Progress)
            .await
            .unwrap();
    }
    job.double_ack().await.unwrap();
    assert_eq!(acknowledged().await, 1);
    running.abort();
}
