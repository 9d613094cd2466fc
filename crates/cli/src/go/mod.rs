//! `quadrille go`: one engine, one position, one search.

mod json;
mod table;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{
    Answer, Clock, Clocks, Engine, Event, Limits, Orphans, Outcome, SetOptionError, StartError,
};
use quadrille_games::{AnyLine, Game};

use quadrille_net::sanitize::printable;

use crate::failure::Failure;
use crate::named::{self, LimitArguments, Tape};
use crate::printer::Printer;
use crate::setup::Setup;
use crate::signals::interrupted;

/// What is done when no limit is given.
const USUAL: Duration = Duration::from_secs(1);

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 the engine answered; 1 the engine or the machine failed; \
                  2 wrong command line, or a program that is not there"
)]
pub(crate) struct Arguments {
    /// A program, `tcp://HOST:PORT` or `tls://HOST:PORT`, or `builtin` for our own
    /// engine of the game
    #[arg(value_name = "ENGINE")]
    engine: String,

    /// Arguments for the engine, behind `--`
    #[arg(last = true, value_name = "ARGUMENTS")]
    args: Vec<String>,

    #[command(flatten)]
    setup: Setup,

    #[command(flatten)]
    limits: SearchArguments,

    /// Show so many best lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    multipv: Option<u32>,

    /// Set an option of the engine; a button has no value
    #[arg(long = "option", short, value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// The folder to start the engine in
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Write down what both sides say, as `quadrille tape` reads it
    #[arg(long, value_name = "FILE")]
    tape: Option<PathBuf>,

    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// What ends the search. All limits hold at once; one second if there is none.
#[derive(Args)]
struct SearchArguments {
    #[command(flatten)]
    limits: LimitArguments,

    /// Look for a mate in so many moves
    #[arg(long, value_name = "N")]
    mate: Option<u32>,

    /// Until you press Ctrl-C
    #[arg(long)]
    infinite: bool,

    /// White's clock in milliseconds
    #[arg(long, value_name = "MS")]
    wtime: Option<u64>,

    /// Black's clock in milliseconds
    #[arg(long, value_name = "MS")]
    btime: Option<u64>,

    /// White's increment in milliseconds
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 0,
        hide_default_value = true
    )]
    winc: u64,

    /// Black's increment in milliseconds
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 0,
        hide_default_value = true
    )]
    binc: u64,

    /// Moves to the next time control
    #[arg(long, value_name = "N")]
    movestogo: Option<u32>,

    /// Only these moves, as engines or as people write them
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    searchmoves: String,
}

/// A best move and the one it expects, as people read them.
fn notations(outcome: &Outcome, line: &AnyLine) -> (Option<String>, Option<String>) {
    let Some(best) = outcome.best() else {
        return (None, None);
    };
    let mut after = line.variation();
    let notation = after.notation_of(best.value).ok();
    let expected = outcome.ponder.as_ref().and_then(|ponder| {
        after.push(best.value).ok()?;
        after.notation_of(ponder.value).ok()
    });
    (notation, expected)
}

/// Where the search is shown.
trait Show {
    fn start(&mut self, engine: &Engine, line: &AnyLine) -> io::Result<()>;
    fn event(&mut self, event: &Event, line: &AnyLine) -> io::Result<()>;
    fn end(&mut self, engine: &Engine, outcome: &Outcome, line: &AnyLine) -> io::Result<()>;
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let _orphans = Orphans::adopt();
    let line = arguments.setup.line()?;
    let limits = arguments.limits.read(&line)?;
    let spec = arguments.spec(line.game())?;
    if let Some(warning) = spec.warning() {
        // Without a reader of errors there is nothing to say.
        let _ = writeln!(io::stderr(), "warning: {}", printable(&warning));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    // From a thread of its own: a reader that is slow must not make an engine late.
    let printer = Printer::start((), io::stdout()).map_err(Failure::machine)?;
    let answer = if arguments.json {
        let mut shown = json::Lines::new(printer.handle());
        runtime.block_on(think(arguments, &spec, &line, &limits, &mut shown))
    } else {
        let mut shown = table::Table::new(printer.handle(), arguments.multipv);
        runtime.block_on(think(arguments, &spec, &line, &limits, &mut shown))
    };
    let printed = runtime.block_on(async {
        tokio::select! {
            printed = printer.close() => printed,
            () = interrupted() => Ok(()),
        }
    });
    match printed {
        // A reader that has gone away wants no more; everything else is told.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::machine(format!("cannot write: {error}")))
        }
        _ => answer,
    }
}

async fn think(
    arguments: &Arguments,
    spec: &EngineSpec,
    line: &AnyLine,
    limits: &Limits,
    shown: &mut impl Show,
) -> Result<String, Failure> {
    let tape = arguments.tape.as_deref();
    let tape = tape.map(|path| {
        named::keep_program(spec, &[("--tape", path)])?;
        Tape::open(path, spec)
    });
    let tape = tape.transpose()?;
    let taped = tape.as_ref().map(|tape| tape.recorder.tape());
    let mut engine = Engine::start_taped(spec, line.game(), taped)
        .await
        .map_err(start_failure)?;
    for option in &arguments.options {
        let (name, value) = named::option(option);
        engine
            .set_option(name, value)
            .await
            .map_err(option_failure)?;
    }
    if let Some(count) = arguments.multipv {
        engine.set_lines(count).await.map_err(option_failure)?;
    }
    engine
        .set_analysis(limits.clocks.is_none())
        .await
        .map_err(Failure::machine)?;
    engine.new_game().await.map_err(Failure::machine)?;
    let mut written = shown.start(&engine, line);
    let mut search = engine.search(line, limits).await;
    let mut interrupted = std::pin::pin!(interrupted());
    let mut listening = true;
    loop {
        tokio::select! {
            event = search.next() => match event {
                Some(event) if written.is_ok() => written = shown.event(&event, line),
                Some(_) => search.stop(),
                None => break,
            },
            () = &mut interrupted, if listening => {
                listening = false;
                search.stop();
            }
        }
    }
    let outcome = search.finish().await;
    engine.quit().await;
    // What cannot be written any more is told when the printer is closed.
    let _ = written.and_then(|()| shown.end(&engine, &outcome, line));
    match outcome.answer {
        Answer::Move(_) | Answer::NoMove => Ok(String::new()),
        Answer::Illegal(error) => Err(Failure::machine(format!("the engine's {error}"))),
        Answer::TimedOut(_) => Err(Failure::machine("the engine did not keep to its time")),
        Answer::Failed(failure) => Err(Failure::machine(failure)),
    }
}

fn start_failure(error: StartError) -> Failure {
    let hint = error.hint();
    let failure = if error.is_in_the_description() {
        Failure::input(error)
    } else {
        Failure::machine(error)
    };
    failure.maybe_hint(hint)
}

fn option_failure(error: SetOptionError) -> Failure {
    match error {
        SetOptionError::Option(error) => Failure::input(error),
        SetOptionError::Engine(failure) => Failure::machine(failure),
    }
}

impl Arguments {
    fn spec(&self, game: Game) -> Result<EngineSpec, Failure> {
        let mut spec = EngineSpec {
            command: PathBuf::from(&self.engine),
            args: self.args.clone(),
            folder: self.folder.clone(),
            ..EngineSpec::default()
        };
        spec.seal();
        let program = std::env::current_exe().map_err(Failure::machine)?;
        spec.resolve_builtin(&program, game, self.setup.rules());
        named::join_folder(&mut spec)?;
        Ok(spec)
    }
}

impl SearchArguments {
    fn read(&self, line: &AnyLine) -> Result<Limits, Failure> {
        let mut searchmoves = Vec::new();
        for text in self.searchmoves.split_whitespace() {
            let found = line.find(text).map_err(|error| {
                let column = text.as_ptr() as usize - self.searchmoves.as_ptr() as usize + 1;
                Failure::input(error).at(&self.searchmoves, column)
            })?;
            searchmoves.push(found.text);
        }
        let mut limits = Limits {
            clocks: self.clocks(),
            mate: self.mate,
            infinite: self.infinite,
            ..self.limits.named()
        };
        if limits == Limits::default() {
            limits.movetime = Some(USUAL);
        }
        limits.searchmoves = searchmoves;
        Ok(limits)
    }

    /// One clock is enough: then the other shows the same.
    fn clocks(&self) -> Option<Clocks> {
        let white = self.wtime.or(self.btime)?;
        let black = self.btime.or(self.wtime)?;
        let clock = |remaining, increment| {
            Clock::new(
                Duration::from_millis(remaining),
                Duration::from_millis(increment),
            )
        };
        Some(Clocks {
            white: clock(white, self.winc),
            black: clock(black, self.binc),
            moves_to_go: self.movestogo,
        })
    }
}
