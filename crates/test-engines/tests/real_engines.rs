//! Engines that other people wrote, through handshake, searches and quit.

use std::path::Path;
use std::time::Duration;

use crate::support::engines;
use quadrille_driver::spec::{EngineSpec, Timeouts};
use quadrille_driver::{Answer, Engine, Event, Failure, Limits};
use quadrille_games::{AnyLine, Game};

/// White is mated.
const MATED: &str = "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1";

async fn talk(program: &Path, arguments: &[String]) {
    let spec = EngineSpec {
        command: program.into(),
        args: arguments.to_vec(),
        options: vec![("hash".into(), Some("16".into()))],
        timeouts: Timeouts {
            stop: Duration::from_secs(1),
            ..Timeouts::default()
        },
        ..EngineSpec::default()
    };
    let mut engine = Engine::start(&spec, Game::Chess)
        .await
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let name = engine.name().to_owned();
    assert!(engine.identity().name.is_some(), "{name}");
    engine.new_game().await.expect("ready for a game");

    let mut line = AnyLine::start(Game::Chess);
    let limits = Limits::depth(4);
    let first = engine.search(&line, &limits).await.finish().await;
    let Answer::Move(best) = &first.answer else {
        panic!("{name}: {:?}", first.answer);
    };
    let score = first.info().and_then(|info| info.score);
    assert!(score.is_some(), "{name}");
    line.play(&best.text).expect("it was found to be legal");

    let limits = Limits::movetime(Duration::from_millis(100));
    let mut search = engine.search(&line, &limits).await;
    let mut depths = 0;
    while let Some(event) = search.next().await {
        if let Event::Info(info) = event {
            depths += u32::from(info.depth.is_some());
        }
    }
    assert!(depths > 0, "{name}");
    let second = search.finish().await;
    assert!(second.best().is_some(), "{name}: {:?}", second.answer);

    let mated = AnyLine::new(Game::Chess, "", MATED).expect("a position");
    let limits = Limits {
        deadline: Some(Duration::from_millis(500)),
        ..Limits::depth(4)
    };
    let third = engine.search(&mated, &limits).await.finish().await;
    // One of them says nothing at all here, not even after stop; another
    // repeats its last answer.
    let known = match &third.answer {
        Answer::NoMove | Answer::Failed(Failure::Stalled { .. }) => true,
        Answer::Illegal(_) => third.text == second.text,
        _ => false,
    };
    assert!(known, "{name}: {third:?}");
    eprintln!("{name} when mated: {:?}", third.text);

    let farewell = engine.quit().await;
    eprintln!("{name}: {farewell:?}");
    for finding in &engine.findings() {
        eprintln!("    {finding}");
    }
}

#[tokio::test]
#[ignore = "needs engines of other people: cargo xtask clients"]
async fn real_engines_talk_and_leave() {
    for (program, arguments) in engines() {
        talk(Path::new(&program), &arguments).await;
    }
}
