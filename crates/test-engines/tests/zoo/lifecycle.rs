//! Processes: how they end, and what they leave behind.

use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
#[cfg(unix)]
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Answer, Failure};
use quadrille_games::Game;

use super::beast::{chess, is_alive, is_gone, short, spec, start_process, try_start};

#[tokio::test]
async fn n38_no_end_on_quit() {
    let mut beast = start_process(&short("hangs-on-quit")).await;
    let id = beast.id();
    let farewell = beast.engine.quit().await;
    assert!(farewell.killed);
    assert!(is_gone(id).await);
    beast.found_only(&["hung-on-quit"]);
}

#[tokio::test]
async fn n50_a_flood_on_standard_error() {
    let mut beast = chess("stderr-flood").await;
    beast.lives_on().await;
    assert!(beast.found(HostDiagnostic::WroteToStderr));
    let tail = beast.engine.stderr();
    assert!(!tail.is_empty() && tail.len() <= 50);
    assert_eq!(tail[0], "debug: budget 12.5 ms");
}

#[tokio::test]
async fn death_in_a_search() {
    let mut beast = chess("dies-in-search").await;
    let outcome = beast.think().await;
    let Answer::Failed(Failure::Died(death)) = &outcome.answer else {
        panic!("{outcome:?}");
    };
    assert_eq!((death.code, death.signal), (Some(3), None));
    assert!(death.to_string().contains("out of memory"));
    // And so it stays.
    assert!(beast.engine.ping().await.is_err());
    assert!(beast.engine.new_game().await.is_err());
    assert!(!beast.engine.quit().await.killed);
}

#[cfg(unix)]
#[tokio::test]
async fn death_by_a_signal() {
    let mut beast = chess("aborts-in-search").await;
    let outcome = beast.think().await;
    let Answer::Failed(Failure::Died(death)) = &outcome.answer else {
        panic!("{outcome:?}");
    };
    assert_eq!((death.code, death.signal), (None, Some(libc::SIGABRT)));
}

#[tokio::test]
async fn death_after_an_answer() {
    let mut beast = chess("dies-after-answer").await;
    let first = beast.think().await;
    assert!(first.best().is_some(), "the answer counts: {first:?}");
    let second = beast.think().await;
    let Answer::Failed(Failure::Died(death)) = &second.answer else {
        panic!("{second:?}");
    };
    assert_eq!(death.code, Some(7));
}

#[cfg(unix)]
#[tokio::test]
async fn an_engine_that_closes_its_output() {
    let mut beast = chess("closes-output").await;
    let id = beast.id();
    let outcome = beast.think().await;
    let Answer::Failed(Failure::Died(death)) = &outcome.answer else {
        panic!("{outcome:?}");
    };
    assert_eq!((death.code, death.signal), (None, None));
    assert!(is_gone(id).await);
}

#[tokio::test]
async fn an_engine_that_says_nothing() {
    let mut silent = spec("silent");
    silent.timeouts.startup = Duration::from_millis(100);
    assert!(try_start(&silent, Game::Chess).await.is_err());
}

/// It never reads, so the pipe fills up; what cannot be sent must not stop us.
#[tokio::test]
async fn an_engine_that_never_reads() {
    let mut deaf = short("deaf");
    deaf.timeouts.ping = Duration::from_millis(100);
    deaf.options = vec![("Book".into(), Some("x".repeat(300_000)))];
    let mut beast = start_process(&deaf).await;
    let outcome = beast.think().await;
    let stalled = matches!(outcome.answer, Answer::Failed(Failure::Stalled { .. }));
    assert!(stalled, "{outcome:?}");
    assert!(beast.found(HostDiagnostic::NotReady));
}

#[tokio::test]
async fn a_child_is_killed_with_its_engine() {
    for quits in [false, true] {
        let mut beast = chess("has-child").await;
        let (id, children) = (beast.id(), beast.children());
        assert_eq!(children.len(), 1);
        assert!(is_alive(children[0]));
        if quits {
            assert!(!beast.engine.quit().await.killed);
        }
        drop(beast);
        assert!(is_gone(id).await);
        assert!(is_gone(children[0]).await);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_whole_tree_is_killed() {
    let beast = chess("has-child has-runaway").await;
    let (id, children) = (beast.id(), beast.children());
    assert_eq!(children.len(), 2);
    drop(beast);
    assert!(is_gone(id).await);
    for child in children {
        assert!(is_gone(child).await, "{child}");
    }
}

/// It has neither our group nor our session nor our environment, and its parent is
/// gone: but it is below the engine.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_hermit_is_killed_with_its_engine() {
    for quits in [false, true] {
        let mut beast = chess("has-hermit").await;
        let children = beast.children();
        assert_eq!(children.len(), 1);
        assert!(is_alive(children[0]));
        if quits {
            assert!(!beast.engine.quit().await.killed);
        }
        drop(beast);
        assert!(is_gone(children[0]).await, "quits: {quits}");
    }
}

/// What is not below an engine is left alone, even if it looks like it.
#[cfg(unix)]
#[tokio::test]
async fn a_stranger_lives_on() {
    let mut stranger = std::process::Command::new("sleep")
        .arg("3600")
        .spawn()
        .expect("it starts");
    let beast = chess("has-child has-runaway").await;
    let id = beast.id();
    drop(beast);
    assert!(is_gone(id).await);
    // What is looked for after the end is looked for before the next start.
    drop(chess("").await);
    assert!(is_alive(stranger.id()));
    stranger.kill().expect("it is ours");
    stranger.wait().expect("it has ended");
}

#[cfg(unix)]
#[tokio::test]
async fn an_engine_in_our_own_group_is_killed() {
    let mut spec = short("joins-host hangs-on-quit has-child");
    spec.timeouts.startup = Duration::from_secs(20);
    let mut beast = start_process(&spec).await;
    let (id, children) = (beast.id(), beast.children());
    assert!(beast.engine.quit().await.killed);
    assert!(is_gone(id).await);
    assert!(is_gone(children[0]).await);
}

/// What it would have said is not known: `a7` is no illegal move.
#[tokio::test]
async fn death_in_the_middle_of_a_word() {
    let mut beast = chess("dies-in-word").await;
    let outcome = beast.think().await;
    let died = matches!(outcome.answer, Answer::Failed(Failure::Died(_)));
    assert!(died, "{outcome:?}");
    assert!(!beast.found(HostDiagnostic::IllegalMove));
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let mut spec = spec("");
    spec.command = "sort".into();
    spec.folder = Some("no-such-folder".into());
    let error = try_start(&spec, Game::Chess).await.err();
    let error = error.expect("there is no such folder");
    assert!(error.is_in_the_description());
    let words = error.to_string();
    assert!(words.contains("in the folder no-such-folder: "), "{words}");
    spec.command = "no-such-program".into();
    spec.folder = None;
    let error = try_start(&spec, Game::Chess).await.err();
    let words = error.expect("there is no such program").to_string();
    assert!(
        words.starts_with("cannot start no-such-program: "),
        "{words}"
    );
}

/// The children of an engine that has left belong to nobody; they are found
/// all the same.
#[cfg(unix)]
#[tokio::test]
async fn children_of_an_engine_that_left_are_killed_too() {
    for quirk in ["", "dies-in-search"] {
        let mut beast = chess(&format!("has-child has-runaway {quirk}")).await;
        let children = beast.children();
        assert_eq!(children.len(), 2);
        beast.think().await;
        assert!(!beast.engine.quit().await.killed);
        for child in children {
            assert!(is_gone(child).await, "{child} of {quirk}");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_start_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let mute = EngineSpec {
        command: "/bin/sh".into(),
        args: vec!["-c".into(), "echo $$ >pid; exec sleep 3600".into()],
        folder: Some(folder.path().into()),
        ..spec("")
    };
    let written = async {
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(id) = text.strip_suffix('\n') {
                return id.parse::<u32>().expect("a number");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let id = tokio::select! {
        id = written => id,
        _ = try_start(&mute, Game::Chess) => panic!("nobody answers"),
    };
    assert!(is_gone(id).await);
}

#[cfg(unix)]
#[tokio::test]
async fn folder_environment_nice_and_processors() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "pwd; echo $ZOO; nice; grep Cpus_allowed_list /proc/self/status; exit 9";
    let spec = EngineSpec {
        command: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        folder: Some(folder.path().into()),
        environment: vec![("ZOO".into(), "lion".into())],
        nice: Some(7),
        affinity: vec![0],
        ..spec("")
    };
    let error = try_start(&spec, Game::Chess).await.err();
    let Some(quadrille_driver::StartError::Died { death, heard }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(death.code, Some(9));
    let folder = folder.path().canonicalize().expect("it is there");
    assert_eq!(heard[0], folder.to_string_lossy());
    assert_eq!(heard[1], "lion");
    assert_eq!(heard[2], "7");
    assert!(heard[3].ends_with("\t0"), "{heard:?}");
}
