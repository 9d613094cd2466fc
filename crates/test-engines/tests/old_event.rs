//! An event that an earlier version began goes on.

use std::fs;

use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Memory, Opener};
use quadrille_games::Game;
use quadrille_match::config::{Changes, OutputFile, PgnOutput};
use quadrille_match::tournament::{Archive, EventState, Tournament};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use crate::zoo::inside;

/// Three of its six games are played; see `crates/match/tests/data/2bf7105/README.md`.
const EVENT: &[u8] = include_bytes!("../../match/tests/data/2bf7105/event.db");

/// Animals that behave, in the place of every engine.
fn opener() -> Opener {
    Opener::new(|_: &EngineSpec, _: Game| {
        let words = ["--game".into(), "chess".into()];
        let link = Memory::spawn(move |reader, writer| inside::live(&words, reader, writer));
        Some(Ok(Box::new(link.expect("a thread"))))
    })
}

#[tokio::test]
async fn an_old_event_goes_on_to_its_end() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    fs::write(&path, EVENT).unwrap();
    let mut event = Tournament::resume(&path).unwrap();
    // It wrote its games into the folder of that time.
    let games = folder.path().join("games.pgn");
    event
        .change(&Changes {
            pgn: Some(PgnOutput::new(&games)),
            epd: Some(OutputFile {
                file: folder.path().join("last.epd"),
                append: true,
            }),
            ..Changes::default()
        })
        .unwrap();
    event.set_opener(opener());
    let (_commands, receiver) = unbounded_channel();
    let summary = event.run(receiver, &mut ()).await.unwrap();
    assert!(summary.complete, "{:?}", summary.stopped);
    assert_eq!(summary.results.standing().finished, 6);
    let written = fs::read_to_string(games).unwrap();
    assert_eq!(written.matches("[Event \"Old\"]").count(), 6, "{written}");
    assert_eq!(Archive::open(&path).unwrap().state(), EventState::Over);
}
