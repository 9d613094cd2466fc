//! What the driver itself costs: processor time and delay per search, with an
//! engine that answers at once.
//!
//! `cargo bench -p quadrille-test-engines --bench driver`

use std::time::{Duration, Instant};

use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Engine, Limits};
use quadrille_games::{AnyLine, Game};

/// Cargo says `--bench` when it measures; otherwise it only tests that we run.
fn searches() -> u32 {
    let measures = std::env::args().any(|word| word == "--bench");
    if measures { 20_000 } else { 100 }
}

/// Processor time of this process so far, in user and in system mode. Linux
/// counts it in hundredths of a second.
fn processor_time() -> Option<[Duration; 2]> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut ticks = fields.split(' ').skip(11).map(str::parse::<u64>);
    let mut next = || ticks.next()?.ok().map(|n| Duration::from_millis(10 * n));
    Some([next()?, next()?])
}

async fn measure(name: &str, quirks: &[&str], plies: usize) {
    let spec = EngineSpec {
        command: env!("CARGO_BIN_EXE_zoo").into(),
        args: quirks.iter().map(ToString::to_string).collect(),
        ..EngineSpec::default()
    };
    let mut engine = match Engine::start(&spec, Game::Chess).await {
        Ok(engine) => engine,
        Err(error) => return println!("{name}: {error}"),
    };
    let mut line = AnyLine::start(Game::Chess);
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for text in cycle.into_iter().cycle().take(plies) {
        if let Err(error) = line.play(text) {
            return println!("{name}: {error}");
        }
    }
    let (limits, searches) = (Limits::depth(1), searches());
    let mut delays = Vec::with_capacity(searches as usize);
    let (before, started) = (processor_time(), Instant::now());
    for _ in 0..searches {
        let outcome = engine.search(&line, &limits).await.finish().await;
        delays.push(outcome.elapsed);
    }
    let wall = started.elapsed() / searches;
    delays.sort_unstable();
    let median = delays[delays.len() / 2];
    let late = delays[delays.len() * 99 / 100];
    println!("{name}: {wall:?} a search; go to bestmove: median {median:?}, 99 % {late:?}");
    if let (Some(before), Some(after)) = (before, processor_time()) {
        let [user, system] = [0, 1].map(|i| after[i].saturating_sub(before[i]) / searches);
        println!("    processor time: {user:?} user, {system:?} system");
    }
    engine.quit().await;
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => runtime.block_on(async {
            measure("new game", &[], 0).await;
            measure("after 80 plies", &[], 80).await;
        }),
        Err(error) => println!("{error}"),
    }
}
