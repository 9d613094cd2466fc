//! Engines that talk nonsense: whatever comes over the link, every call returns.

use std::io::{Read, Write};
use std::time::Duration;

use quadrille_driver::spec::{EngineSpec, Timeouts};
use quadrille_driver::{Engine, Limits, Memory};
use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game};

/// What engines say, to be cut up and mixed.
const LINES: [&str; 16] = [
    "id name Joe",
    "option name Hash type spin default 1 min 1 max 128",
    "option name Style type combo default a var a var b",
    "uciok",
    "ugiok",
    "readyok",
    "readyok",
    "readyok",
    "info depth 3 seldepth 4 score cp 13 nodes 20 time 15 pv e2e4 e7e5",
    "info score mate -3 upperbound multipv 2 pv d2d4",
    "info string hello",
    "bestmove e2e4 ponder e7e5",
    "bestmove (none)",
    "copyprotection checking",
    "registration error",
    "Unknown command: uci",
];

/// Mostly lines in any order; now and then bytes that are changed, cut out or
/// repeated.
fn nonsense(random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Most engines get through the handshake.
    if random.index(4) > 0 {
        bytes.extend_from_slice(b"uciok\nreadyok\n");
    }
    for _ in 0..random.index(60) {
        bytes.extend_from_slice(LINES[random.index(LINES.len())].as_bytes());
        bytes.extend_from_slice([&b"\n"[..], b"\r\n", b" ", b"\n\n"][random.index(4)]);
    }
    for _ in 0..random.index(8) {
        if bytes.is_empty() {
            break;
        }
        let at = random.index(bytes.len());
        match random.index(3) {
            0 => bytes[at] = random.index(256) as u8,
            1 => drop(bytes.drain(at..(at + random.index(20)).min(bytes.len()))),
            _ => bytes.extend_from_within(..at),
        }
    }
    bytes
}

async fn survive(number: u64) {
    let speech = nonsense(&mut SplitMix64::new(number));
    let link = Memory::spawn(move |mut reader, mut writer| {
        writer.write_all(&speech)?;
        // Half of them end after their speech, half stay and say no more.
        if number.is_multiple_of(2) {
            reader.read_to_end(&mut Vec::new())?;
        }
        Ok(())
    });
    let moment = Duration::from_millis(30);
    let spec = EngineSpec {
        timeouts: Timeouts {
            startup: 4 * moment,
            ping: moment,
            new_game: moment,
            search: moment,
            grace: moment,
            stop: moment,
            quit: moment,
        },
        ..EngineSpec::default()
    };
    let game = Game::ALL[(number % 4) as usize];
    let link = Box::new(link.expect("a thread"));
    let Ok(mut engine) = Engine::over(link, &spec, game).await else {
        return;
    };
    let line = AnyLine::start(game);
    for limits in [Limits::depth(3), Limits::movetime(moment)] {
        let mut search = engine.search(&line, &limits).await;
        search.next().await;
        search.finish().await;
    }
    let _ = engine.set_option("hash", Some("2")).await;
    let _ = engine.new_game().await;
    engine.quit().await;
    for finding in &engine.findings() {
        assert!(!finding.to_string().is_empty());
    }
}

#[tokio::test]
async fn whatever_comes_every_call_returns() {
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..120 {
        tasks.spawn(survive(number));
    }
    let all = async {
        while let Some(done) = tasks.join_next().await {
            done.expect("no panic");
        }
    };
    let hang = Duration::from_mins(1);
    tokio::time::timeout(hang, all)
        .await
        .expect("nothing hangs");
}
