//! Many engines come and go, in every way there is; nothing of them stays.
//!
//! Alone in its file: it counts what belongs to the whole process.
#![cfg(target_os = "linux")]

use std::time::Duration;

use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Engine, Limits};
use quadrille_games::{AnyLine, Game};

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

/// Processes of ours, those that wait to be buried included.
fn children() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("we run");
    let children = tasks.flatten().map(|task| {
        let list = std::fs::read_to_string(task.path().join("children"));
        list.unwrap_or_default().split_whitespace().count()
    });
    children.sum()
}

async fn one(quirk: &str, quits: bool) {
    let spec = EngineSpec {
        command: env!("CARGO_BIN_EXE_zoo").into(),
        args: vec![quirk.into()],
        ..EngineSpec::default()
    };
    // Some do not get as far as that.
    let Ok(mut engine) = Engine::start(&spec, Game::Chess).await else {
        return;
    };
    let line = AnyLine::start(Game::Chess);
    let limits = Limits::depth(1);
    engine.search(&line, &limits).await.finish().await;
    if quits {
        engine.quit().await;
    }
}

#[tokio::test]
async fn nothing_of_an_engine_stays() {
    // The guardian and the runtime's own files come with the first.
    one("0000", true).await;
    let wanted = settled(None).await;
    assert_eq!(wanted.1, 1, "only the guardian");
    for round in 0..6 {
        for quirk in ["0000", "dies-in-search", "has-child", "not-uci", "crlf"] {
            one(quirk, round % 2 == 0).await;
        }
        assert_eq!(settled(Some(wanted)).await, wanted, "round {round}");
    }
}

/// Open files and children, once they are as wanted or have had their time:
/// what was killed ends a moment later, and so do tasks that were aborted.
async fn settled(wanted: Option<(usize, usize)>) -> (usize, usize) {
    for _ in 0..500 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let found = (open_files(), children());
        if wanted.map_or(found.1 == 1, |wanted| found == wanted) {
            break;
        }
    }
    (open_files(), children())
}

/// An engine can be driven from any thread of a runtime.
#[test]
fn searches_can_be_sent_to_other_threads() {
    fn is_send<T: Send>(_: &T) {}
    async fn search(engine: &mut Engine, line: &AnyLine) {
        let limits = Limits::depth(1);
        let mut search = engine.search(line, &limits).await;
        search.next().await;
        search.finish().await;
    }
    fn check(engine: &mut Engine, line: &AnyLine) {
        is_send(&search(engine, line));
    }
    let _ = check;
    is_send(&one("0000", true));
}
