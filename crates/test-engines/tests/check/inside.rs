//! The model engine on threads of this program.

#[path = "../../src/bin/model/arguments.rs"]
#[expect(dead_code, reason = "there is no command line here")]
mod arguments;
#[path = "../../src/bin/model/board.rs"]
mod board;
#[path = "../../src/bin/model/engine.rs"]
mod engine;
#[path = "../../src/bin/model/hello.rs"]
mod hello;
#[path = "../../src/bin/model/play.rs"]
mod play;
#[path = "../../src/bin/model/report.rs"]
mod report;
#[path = "../../src/bin/model/think.rs"]
mod think;

use std::error::Error;
use std::io::{self, sink};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use quadrille_check::{Patience, Selection, Settings, Subject};
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Link, Memory, MemoryReader, MemoryWriter, Opener};
use quadrille_games::Game;

use arguments::Arguments;
use engine::{Engine, Home};

/// What unwinds the thread of an engine that wants to exit with this code.
struct Exit(i32);

fn exit(code: i32) -> ! {
    resume_unwind(Box::new(Exit(code)))
}

fn live(
    game: Game,
    mutant: &str,
    reader: MemoryReader,
    writer: MemoryWriter,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments = Arguments {
        game,
        mutant: mutant.into(),
    };
    let home = Home {
        out: Box::new(writer),
        stderr: Box::new(sink()),
        exit,
    };
    let engine = Engine::new(arguments, home);
    match catch_unwind(AssertUnwindSafe(|| engine.live(reader))) {
        Ok(_) => Ok(()),
        Err(panic) => match panic.downcast::<Exit>() {
            Ok(exit) if exit.0 == 0 => Ok(()),
            Ok(exit) => Err(format!("exit code {}", exit.0).into()),
            Err(panic) => resume_unwind(panic),
        },
    }
}

/// The model, or a mutant of it, on a thread for each start.
pub(crate) fn subject(game: Game, mutant: &str) -> Subject {
    let starts = Arc::new(AtomicUsize::new(0));
    let mutant = mutant.to_owned();
    let opener = Opener::new(move |_: &EngineSpec, game: Game| {
        let number = starts.fetch_add(1, Ordering::Relaxed);
        // After the probes that quit, nothing is left to start from.
        if mutant == "life.restart" && number >= 6 {
            return Some(Err(io::Error::other("the lock file is still there")));
        }
        let mutant = mutant.clone();
        let link = Memory::spawn(move |reader, writer| live(game, &mutant, reader, writer));
        Some(link.map(|link| Box::new(link) as Box<dyn Link>))
    });
    Subject {
        spec: EngineSpec {
            command: "model".into(),
            ..EngineSpec::default()
        },
        game,
        opener: Some(opener),
    }
}

/// Patient where the model will answer, so that a busy machine is no finding.
pub(crate) fn settings(selection: Selection) -> Settings {
    Settings {
        selection,
        leniency: 2,
        whole_probes: true,
        patience: Patience {
            hello: Duration::from_secs(10),
            ready: Duration::from_secs(2),
            search: Duration::from_secs(2),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(2),
            watch: Duration::from_millis(300),
        },
        ..Settings::default()
    }
}
