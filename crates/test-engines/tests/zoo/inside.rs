//! The zoo on threads of this program.

#[path = "../../src/bin/zoo/animal.rs"]
mod animal;
#[path = "../../src/bin/zoo/arguments.rs"]
mod arguments;
#[path = "../../src/bin/zoo/hello.rs"]
mod hello;
#[path = "../../src/bin/zoo/late.rs"]
mod late;
#[path = "../../src/bin/zoo/misdeeds.rs"]
#[expect(dead_code, reason = "one misdeed takes a process of its own")]
mod misdeeds;
#[path = "../../src/bin/zoo/quirk.rs"]
mod quirk;

use std::error::Error;
use std::io::{Read, Write, sink};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Link, Memory, Opener};
use quadrille_games::Game;

use animal::{Animal, Home};
use arguments::Arguments;

pub(crate) use quirk::list;

/// What is about exit codes, signals, standard error or children.
const NEED_A_PROCESS: [&str; 12] = [
    "aborts-in-search",
    "closes-output",
    "dies-after-answer",
    "dies-in-search",
    "dies-on-fen",
    "has-child",
    "has-hermit",
    "has-runaway",
    "joins-host",
    "not-uci",
    "oxidation",
    "stderr-flood",
];

/// Whether an animal must be in a process of its own to be what it is.
pub(crate) fn needs_a_process(spec: &EngineSpec) -> bool {
    let animal = spec.command.as_os_str() == env!("CARGO_BIN_EXE_zoo");
    let asks = |word: &String| NEED_A_PROCESS.contains(&word.as_str());
    !animal || spec.args.iter().any(asks)
}

/// An animal on a thread.
pub(crate) fn link(spec: &EngineSpec) -> Box<dyn Link> {
    let words = spec.args.clone();
    let link = Memory::spawn(move |reader, writer| live(&words, reader, writer));
    Box::new(link.expect("a thread"))
}

/// Every animal that needs no process.
pub(crate) fn opener() -> Opener {
    Opener::new(|spec: &EngineSpec, _: Game| (!needs_a_process(spec)).then(|| Ok(link(spec))))
}

/// What unwinds the thread of an animal that wants to exit with this code.
struct Exit(i32);

/// Without the message of a panic.
fn exit(code: i32) -> ! {
    resume_unwind(Box::new(Exit(code)))
}

/// Lives until `quit` or the end of the link.
pub(crate) fn live(
    words: &[String],
    reader: impl Read + Send + 'static,
    writer: impl Write + 'static,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments = Arguments::read(words)?;
    let home = Home {
        out: Box::new(writer),
        stderr: Box::new(sink()),
        exit,
    };
    let animal = Animal::new(arguments, home);
    match catch_unwind(AssertUnwindSafe(|| animal.live(reader))) {
        Ok(_) => Ok(()),
        Err(panic) => match panic.downcast::<Exit>() {
            Ok(exit) if exit.0 == 0 => Ok(()),
            Ok(exit) => Err(format!("exit code {}", exit.0).into()),
            Err(panic) => resume_unwind(panic),
        },
    }
}
