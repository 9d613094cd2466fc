//! Lines of clients as a lent engine reads them, and engines that do not read.

use std::time::Duration;

use quadrille_driver::lend::Lender;
use quadrille_driver::spec::EngineSpec;
use tokio::time::timeout;

use crate::lend::Desk;
use crate::support::engines;

/// An engine of a line of shell.
fn shell(script: &str) -> Lender {
    Lender::new(EngineSpec {
        command: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        ..EngineSpec::default()
    })
}

/// Nothing of a client's own text reaches the engine, only what our rules make of it.
#[tokio::test]
async fn the_engine_reads_positions_as_we_write_them() {
    let declares = "option name UCI_Chess960 type check default false";
    let echo = format!("echo {declares}; echo uciok; while read -r line; do echo \"$line\"; done");
    let desk = Desk::open(shell(&echo)).await;
    let mut client = desk.visit().await;
    client.say("uci\n").await;
    assert!(client.hear("uciok").await.is_some());
    assert_eq!(client.hear("").await.as_deref(), Some("uci"));
    let chess960 = "position fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1";
    for (line, read) in [
        (
            "position fen 4k3/8/8/8/8/8/44/4K3 w KQkq e6 0 1",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "position startpos moves E2E4",
            "position startpos moves e2e4",
        ),
        (chess960, "info error invalid position"),
        (
            "setoption name UCI_Chess960 value TRUE",
            "setoption name UCI_Chess960 value true",
        ),
        (chess960, chess960),
        ("go perft -1", "info error perft '-1': right would be"),
        ("d position fen KKKK", "d"),
    ] {
        client.say(&format!("{line}\n")).await;
        let said = client.hear("").await.expect("an answer");
        assert!(said.starts_with(read), "{line}: {said}");
        assert!(said.starts_with("info error") || said == read, "{said}");
    }
}

/// What a client has said and the engine has not read keeps no place once it has left,
/// or once too much of it waits.
#[tokio::test]
async fn a_client_that_floods_a_deaf_engine_holds_no_place() {
    for (bytes, words) in [
        (200 << 10, "the client left"),
        (64 << 20, "the engine did not read"),
    ] {
        let mut desk = Desk::open(shell("echo uciok; exec sleep 1000")).await;
        let mut client = desk.visit().await;
        client.say("uci\n").await;
        assert!(client.hear("uciok").await.is_some());
        let chunk = "isready\n".repeat(1000);
        // The larger one fills the sockets, and blocks.
        let flood = timeout(Duration::from_secs(2), async {
            for _ in 0..bytes / chunk.len() {
                client.say(&chunk).await;
            }
        });
        let _ = flood.await;
        drop(client);
        let end = desk.end().await;
        assert!(end.starts_with(words), "{end}");
        // Its place is free.
        let mut client = desk.visit().await;
        client.say("uci\n").await;
        assert_eq!(client.hear("").await.as_deref(), Some("uciok"));
    }
}

/// Longer than a search to depth 4.
const SILENT: Duration = Duration::from_secs(3);

/// Lines that our reader forgives and that have ended engines. There is always a pawn: a
/// legal position of two kings ends one engine by itself.
const ENDED_ENGINES: [&str; 17] = [
    "position fen 4k3/8/8/8/8/7P/8/4K3 w KQkq - 0 1",
    "position fen 7k/8/8/8/8/7P/8/K7 w KQkq - 0 1",
    "position fen 1k6/8/8/8/8/7P/8/K7 w KQkq - 0 1",
    "position fen 4k3/8/8/8/8/7P/8/4K3 w HAha - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
    "position fen 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkqKQkq e6 0 1",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves O-O",
    "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8=Q",
    "position fen 7k/44/8/8/8/7P/8/K7 w - e6 0 1",
    "position fen 7k/8/8/8/8/7P/8/K7 w - - 9999 9999",
    "position fen 7k/8/8/8/8/7P/8/K7 w - - 400 9999",
    "position startpos moves E2E4",
    "go perft -1",
    "perft -1",
    "go mate -1",
    "help position fen KKKK",
];

#[tokio::test]
#[ignore = "needs engines of other people: cargo xtask clients"]
async fn real_engines_survive_what_clients_send() {
    for (program, args) in engines() {
        let engine = EngineSpec {
            command: program.clone().into(),
            args,
            ..EngineSpec::default()
        };
        let mut desk = Desk::open(Lender::new(engine)).await;
        let mut client = desk.visit().await;
        client.say("uci\n").await;
        assert!(client.hear("uciok").await.is_some(), "{program}");
        for line in ENDED_ENGINES {
            client.say(&format!("{line}\ngo depth 4\n")).await;
            // One of them says nothing where the game is drawn.
            let mut said = timeout(SILENT, client.hear("bestmove")).await;
            if said.is_err() {
                client.say("stop\nisready\n").await;
                said = Ok(client.hear("readyok").await);
            }
            assert!(said != Ok(None), "{program}, {line}: {}", desk.end().await);
        }
        drop(client);
        assert_eq!(desk.end().await, "the client left", "{program}");
    }
}
