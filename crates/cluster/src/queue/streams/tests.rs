//! Tests of the streams on a server.

use super::*;
use crate::access::Access;
use crate::crew::Entry;
use crate::messages::{LookJob, Task, read};
use crate::pull::{Pulled, pull};
use crate::queue::{HoldLimit, Plan, Word};
use crate::secret::Secret;
use async_nats::jetstream::AckKind;
use quadrille_games::Game;
use std::sync::Arc;

#[path = "../../../tests/support/server.rs"]
pub(crate) mod server;
use server::{Server, is_there};

/// Opens an event without workers.
pub(crate) async fn open(server: &Server) -> Arc<Queue> {
    let access = Access {
        url: server.url(),
        ..Access::default()
    };
    let client = access.connect("test", names::DIRECTOR_INBOX).await.unwrap();
    let plan = Plan {
        event: names::fresh(&client),
        session: 1,
        title: "t".into(),
        entry: Entry {
            needs: Vec::new(),
            expected: Vec::new(),
            reference: 0,
            slowest_permille: 4000,
            patience: Duration::from_secs(30),
        },
        tables: false,
        live: false,
        jobs: 8,
        keep: Keep::Resumable,
        hold: None::<HoldLimit>,
        secret: Secret::new("0123456789abcdef"),
        dropped: Arc::default(),
    };
    Queue::over(client, plan, [], None).await.unwrap()
}

fn task() -> Task {
    Task::Look(Box::new(LookJob {
        game: Game::Chess,
        rules: String::new(),
        start: String::new(),
        moves: Vec::new(),
        seats: [seat(), seat()],
        looks: Vec::new(),
    }))
}

fn seat() -> crate::messages::SeatJob {
    crate::messages::SeatJob {
        engine: "e".into(),
        name: "e".into(),
        options: Vec::new(),
        time: quadrille_match::config::TimeControl::default(),
        margin_ms: 0,
        ponder: false,
        restart: false,
        white_pov: false,
        timeouts: quadrille_driver::spec::Timeouts::default(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_server_is_warned_of_once() {
    if !is_there() {
        return;
    }
    let server = Server::start();
    let queue = open(&server).await;
    let expected = crate::server_version::warning_of(&queue.client);
    let warnings = queue.news().into_iter().filter_map(|event| match event {
        MatchEvent::Warning { reason } if reason.contains("server has version") => Some(reason),
        _ => None,
    });
    assert!(warnings.eq(expected));
    queue.close(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_is_withdrawn_takes_no_other_with_it() {
    if !is_there() {
        return;
    }
    let server = Server::start();
    let queue = open(&server).await;
    for number in 1..=4 {
        assert_eq!(queue.deal(number, 1001, &task(), &[]).await, Ok(true));
    }
    // The second one that is there, and one that is not.
    queue.withdraw(2, 1001).await;
    queue.withdraw(9, 1001).await;
    let mut left: Vec<u64> = queue.jobs_in_stream().await.unwrap().into_keys().collect();
    left.sort_unstable();
    assert_eq!(left, [1, 3, 4]);
    let mut dealt = Vec::new();
    while let Pulled::Job(message) = pull(&queue.context, &queue.plan.event, false).await {
        dealt.push(read::<Job>(&message.payload).unwrap().number);
    }
    assert_eq!(dealt, [1, 3, 4]);
    queue.close(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_all_leave_to_others_is_told_of_at_once() {
    if !is_there() {
        return;
    }
    let server = Server::start();
    let queue = open(&server).await;
    let mut expected = queue.expect(1);
    assert_eq!(queue.deal(1, 1001, &task(), &[]).await, Ok(true));
    let event = queue.plan.event.clone();
    let leaving = tokio::spawn({
        let context = queue.context.clone();
        async move {
            let mut times = 0;
            loop {
                if let Pulled::Job(message) = pull(&context, &event, true).await {
                    times += 1;
                    let _ = message.ack_with(AckKind::Nak(None)).await;
                }
                assert!(times <= DELIVERIES);
            }
        }
    });
    // No worker is there that could take it: nothing else tells.
    let word = tokio::time::timeout(Duration::from_secs(20), expected.next()).await;
    assert!(matches!(word, Ok(Some(Word::Lost(_)))), "{word:?}");
    leaving.abort();
    queue.close(true).await;
}
