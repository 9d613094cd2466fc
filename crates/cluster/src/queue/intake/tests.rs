//! Tests of what a director does not read.

use std::time::Duration;

use quadrille_match::tournament::MatchEvent;

use super::*;
use crate::queue::streams::tests::open;
use crate::queue::streams::tests::server::{Server, is_there};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_large_is_dropped_and_told_once_for_each_worker() {
    if !is_there() {
        return;
    }
    let server = Server::start();
    let queue = open(&server).await;
    let client = async_nats::connect(server.url()).await.unwrap();
    let event = &queue.plan.event;
    let beat = |worker: &str, games: usize| Beat {
        worker: worker.into(),
        busy: vec![(1, 1001); games],
        free: 1,
        live: Vec::new(),
    };
    // Of two processes of one worker.
    for worker in ["ann.x", "ann.y"] {
        let payload = write(&beat(worker, 80_000));
        assert!(payload.len() > 700_000);
        for _ in 0..20 {
            let subject = names::beat(event, worker);
            client.publish(subject, payload.clone()).await.unwrap();
        }
    }
    let many = write(&beat("bob.x", MOST_BUSY + 1));
    assert!(many.len() < MOST_BEAT);
    client
        .publish(names::beat(event, "bob.x"), many)
        .await
        .unwrap();
    let card = vec![b' '; MOST_CARD + 1];
    client
        .publish(names::apply(event, "eve.x"), card.into())
        .await
        .unwrap();
    // One that is as it should be is answered: that worker has not been let in.
    let mut orders = client.subscribe(names::orders("dan.x")).await.unwrap();
    let most = write(&beat("dan.x", MOST_BUSY));
    client
        .publish(names::beat(event, "dan.x"), most)
        .await
        .unwrap();
    let order = tokio::time::timeout(Duration::from_secs(30), orders.next()).await;
    assert!(order.expect("an answer").is_some());
    let mut told = Vec::new();
    for _ in 0..1000 {
        told.extend(queue.news().into_iter().filter_map(|event| match event {
            MatchEvent::Warning { reason } if reason.contains("was dropped") => Some(reason),
            _ => None,
        }));
        if told.len() >= 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    told.sort_unstable();
    let begin = [
        "worker ann sent a heartbeat of more than 256 KiB: ",
        "worker bob sent a heartbeat of more than 4096 games: ",
        "worker eve sent an application of more than 512 KiB: ",
    ];
    assert_eq!(told.len(), begin.len(), "{told:?}");
    for (told, begin) in told.iter().zip(begin) {
        assert!(told.starts_with(begin), "{told}");
    }
    queue.close(true).await;
}
