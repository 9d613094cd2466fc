//! `quadrille solve`: suites of problems.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use quadrille_analysis::solve::{
    Answer, Options, Score, SolveError, SolveEvent, Solving, Suite, default_store,
};
use quadrille_driver::Orphans;
use quadrille_games::{Game, files};

use quadrille_net::sanitize::{cut, one_line, printable};

use crate::failure::Failure;
use crate::named::{EngineArguments, LimitArguments};
use crate::print;
use crate::signals::interrupted;

#[derive(Args)]
#[command(
    after_help = "Without a limit an engine has 1000 milliseconds for each problem. A run that was interrupted goes on where it was: give the same command again.\n\n\
                  Exit codes: 0 every problem was answered, solved or not; 1 lines of the suite are \
                  broken, an engine failed, or it was broken off; 2 wrong command line, or an engine \
                  that is not there"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// A file of problems: EPD with bm, am or dm
    #[arg(value_name = "SUITE")]
    suite: PathBuf,

    #[command(flatten)]
    engines: EngineArguments,

    /// chess, liberty, leiser or gyges
    #[arg(long, short, value_name = "GAME", default_value = "chess")]
    game: Game,

    /// Rules, as for `quadrille show`
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    rules: String,

    #[command(flatten)]
    limits: LimitArguments,

    /// Problems at once, over all engines
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    concurrency: usize,

    /// Show every problem, not only those that some engine did not solve
    #[arg(long)]
    all: bool,

    /// Where answers are kept while it runs; a file in your folder for such files if
    /// missing
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    store: Option<PathBuf>,

    /// Keep nothing
    #[arg(long)]
    no_store: bool,

    /// Begin anew, whatever an interrupted run has found
    #[arg(long)]
    fresh: bool,

    /// Tell what happens as JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let _orphans = Orphans::adopt();
    let suite = arguments.read()?;
    let broken = suite.broken.len();
    let mut board = Board::new(&suite, arguments);
    let solving = Solving::new(
        suite,
        arguments.game,
        &arguments.rules,
        arguments.options()?,
    );
    let solving = solving.map_err(|error| told(&error))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    let stop = solving.canceller();
    let mut cancelled = false;
    let mut tell = |event: &SolveEvent| {
        cancelled |= matches!(
            event,
            SolveEvent::End {
                cancelled: true,
                ..
            }
        );
        board.see(event);
    };
    let ended = runtime.block_on(async {
        let mut run = std::pin::pin!(solving.run(&mut tell));
        loop {
            tokio::select! {
                ended = &mut run => break ended,
                () = interrupted() => stop.cancel(),
            }
        }
    });
    board.clear();
    let scores = ended.map_err(|error| told(&error))?;
    if cancelled {
        return Err(Failure::machine("it was broken off").hint(
            "give the same command again: it goes on where it was, unless --no-store was given",
        ));
    }
    if !arguments.json {
        let table = board.table(&scores, arguments.all);
        board.say(&table);
    }
    if broken > 0 || scores.iter().any(|score| score.failed > 0) {
        return Ok(ExitCode::FAILURE);
    }
    Ok(board.printed)
}

fn told(error: &SolveError) -> Failure {
    if error.is_in_the_description() {
        Failure::input(error)
    } else {
        Failure::machine(error)
    }
}

impl Arguments {
    fn read(&self) -> Result<Suite, Failure> {
        let name = self.suite.display();
        let mut file = files::open_stream(&self.suite)
            .map_err(|error| Failure::input(format!("{name} cannot be read: {error}")))?;
        let mut text = Vec::new();
        io::Read::read_to_end(&mut file, &mut text)
            .map_err(|error| Failure::input(format!("{name} cannot be read: {error}")))?;
        let suite = Suite::read(&text, self.game, &self.rules);
        if suite.problems.is_empty() {
            let why = suite.broken.first();
            let why = why.map_or_else(String::new, |b| format!("; line {}: {}", b.line, b.reason));
            return Err(Failure::input(format!(
                "{name}: there is no problem in it{why}"
            )));
        }
        Ok(suite)
    }

    fn options(&self) -> Result<Options, Failure> {
        Ok(Options {
            engines: self.engines.specs().collect(),
            builtin: Some(std::env::current_exe().map_err(Failure::machine)?),
            limits: self.limits.or_movetime(1000),
            concurrency: self.concurrency,
            store: match &self.store {
                Some(path) => Some(path.clone()),
                None if self.no_store => None,
                None => default_store(),
            },
            fresh: self.fresh,
        })
    }
}

/// What is shown while a suite is solved, and at the end.
struct Board<'a> {
    arguments: &'a Arguments,
    labels: Vec<String>,
    /// For each problem the answer of each engine.
    answers: Vec<Vec<Option<Answer>>>,
    done: usize,
    known: usize,
    screen: bool,
    /// What became of standard output. When it fails, that is said once.
    printed: ExitCode,
}

impl<'a> Board<'a> {
    fn new(suite: &Suite, arguments: &'a Arguments) -> Self {
        let row = vec![None; arguments.engines.engines.len()];
        Self {
            arguments,
            labels: suite.problems.iter().map(|p| p.label.clone()).collect(),
            answers: vec![row; suite.problems.len()],
            done: 0,
            known: 0,
            screen: io::stderr().is_terminal() && !arguments.json,
            printed: ExitCode::SUCCESS,
        }
    }

    fn say(&mut self, text: &str) {
        if self.printed == ExitCode::SUCCESS {
            self.printed = print(text);
        }
    }

    fn see(&mut self, event: &SolveEvent) {
        if self.arguments.json {
            // Texts and numbers always have a form.
            let line = serde_json::to_string(event).unwrap_or_default();
            self.say(&format!("{line}\n"));
        }
        match event {
            SolveEvent::Broken { line, reason } if !self.arguments.json => {
                let text = format!("{}:{line}: {reason}\n", self.arguments.suite.display());
                // Without a reader of messages there is nothing to say.
                let _ = io::stderr().write_all(printable(&text).as_bytes());
            }
            SolveEvent::Answer {
                engine,
                problem,
                known,
                answer,
                ..
            } => {
                self.done += 1;
                self.known += usize::from(*known);
                if let Some(place) = self
                    .answers
                    .get_mut(*problem)
                    .and_then(|row| row.get_mut(*engine))
                {
                    *place = Some((**answer).clone());
                }
                if self.screen {
                    let all = self.labels.len() * self.arguments.engines.engines.len();
                    let _ = write!(io::stderr(), "\r{} of {all}\x1b[K", self.done);
                }
            }
            _ => {}
        }
    }

    fn clear(&self) {
        if self.screen {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }

    /// The problems, then how each engine did.
    fn table(&self, scores: &[Score], all: bool) -> String {
        let mut out = String::new();
        let names: Vec<String> = scores
            .iter()
            .map(|score| cut(&score.name, 18).into_owned())
            .collect();
        let mut heading = false;
        for (label, row) in self.labels.iter().zip(&self.answers) {
            let solved = row.iter().flatten().filter(|answer| answer.solved).count();
            if !all && solved == row.len() {
                continue;
            }
            if !heading {
                let _ = write!(out, "{:<16}", "problem");
                for name in &names {
                    let _ = write!(out, " {name:>18}");
                }
                out.push('\n');
                heading = true;
            }
            let _ = write!(out, "{:<16}", cut(label, 16));
            for answer in row {
                let _ = write!(out, " {:>18}", cell(answer.as_ref()));
            }
            out.push('\n');
        }
        if heading {
            out.push('\n');
        }
        for score in scores {
            out += &line(score, self.labels.len());
        }
        if self.known > 0 {
            let _ = writeln!(
                out,
                "{} answers are from a run that was interrupted; --fresh begins anew",
                self.known
            );
        }
        out
    }
}

/// When a problem was solved, or what was played instead.
fn cell(answer: Option<&Answer>) -> String {
    match answer {
        None => "?".into(),
        Some(Answer {
            failure: Some(_), ..
        }) => "failed".into(),
        Some(answer) if answer.solved => {
            let time = answer.found.unwrap_or(answer.elapsed);
            format!("{:.3} s", time.as_secs_f64())
        }
        Some(answer) => {
            let played = answer.notation.as_deref().unwrap_or("no move");
            format!("- ({})", cut(played, 12))
        }
    }
}

fn line(score: &Score, problems: usize) -> String {
    let percent = 100.0 * score.solved as f64 / problems.max(1) as f64;
    let mut text = format!(
        "{}: {} of {problems} solved ({percent:.1} %)",
        one_line(&score.name),
        score.solved
    );
    if score.solved > 0 {
        let mean = score.found.as_secs_f64() / score.solved as f64;
        let _ = write!(text, ", found after {mean:.3} s");
        if score.found_nodes > 0 {
            let _ = write!(text, " and {} nodes", score.found_nodes / score.solved);
        }
        text += " on average";
    }
    if score.failed > 0 {
        let _ = write!(text, ", {} without an answer", score.failed);
    }
    text + "\n"
}
