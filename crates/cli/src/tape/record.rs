//! `quadrille tape record`.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

use clap::Args;
use quadrille_protocol::Dialect;
use quadrille_transcript::{Recorded, Recorder};

use crate::failure::Failure;
use crate::named;

#[derive(Args)]
#[command(
    after_help = "Give it to a GUI as the engine: everything goes through untouched in both \
                  directions, as soon as it comes. Standard error is the engine's own.\n\n\
                  Exit codes: the engine's, or 128 and the number of the signal that ended it; \
                  2 wrong command line, or an engine that cannot be started"
)]
pub(super) struct Arguments {
    /// The tape; what was in the file is replaced
    #[arg(long, short, value_name = "TAPE")]
    output: PathBuf,

    /// uci, ulci, leiser or ugi, for those who read the tape
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,

    /// The engine and its arguments, behind `--`
    #[arg(value_name = "ENGINE", required = true, last = true)]
    command: Vec<OsString>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some((program, words)) = arguments.command.split_first() else {
        return Err(Failure::input("name an engine behind --"));
    };
    let failed = |error: &io::Error| {
        Failure::input(format!(
            "{} cannot be written: {error}",
            arguments.output.display()
        ))
    };
    let is_new = !arguments.output.exists();
    let file = Recorder::open(&arguments.output).map_err(|error| failed(&error))?;
    let mut command = Command::new(program);
    command.args(words);
    // Before there is an engine that could be left alone.
    let signals = Signals::listen().map_err(Failure::machine)?;
    // A tape that is there is replaced only by one with an engine on it.
    let mut child = Recorded::spawn(&mut command).map_err(|error| {
        if is_new {
            // It is empty.
            let _ = fs::remove_file(&arguments.output);
        }
        let program = program.to_string_lossy();
        Failure::input(format!("{program} cannot be started: {error}"))
    })?;
    let line: Vec<_> = arguments
        .command
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    let line = line.join(" ");
    let mut facts = vec![("engine", line.as_str())];
    facts.extend(arguments.dialect.map(|dialect| ("dialect", dialect.name())));
    let recorder = Recorder::begin(file, &facts).map_err(|error| {
        // It may have ended already.
        let _ = child.kill().and_then(|()| child.wait());
        failed(&error)
    })?;
    let (host_in, host_out) = sides().map_err(Failure::machine)?;
    let recorded = Recorded::start(child, recorder.clone(), host_in, host_out);
    let recorded = recorded.map_err(Failure::machine)?;
    let status = signals.pass_on(recorded).map_err(Failure::machine)?;
    named::tell_failure(&recorder);
    Ok(ExitCode::from(code(status)))
}

/// Our standard input and output without buffers of their own.
#[cfg(unix)]
fn sides() -> io::Result<(fs::File, fs::File)> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((input.into(), output.into()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn sides() -> io::Result<(io::Stdin, io::Stdout)> {
    Ok((io::stdin(), io::stdout()))
}

fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status
        .code()
        .map_or(1, |code| u8::try_from(code).unwrap_or(1))
}

/// Signals for us, which are passed on to the engine.
#[cfg(unix)]
struct Signals {
    runtime: tokio::runtime::Runtime,
    heard: Vec<(tokio::signal::unix::Signal, rustix::process::Signal)>,
}

#[cfg(unix)]
impl Signals {
    /// From now on they end us no more.
    fn listen() -> io::Result<Self> {
        use quadrille_driver::signals::hangup_is_ignored;
        use rustix::process::Signal;
        use tokio::signal::unix::{SignalKind, signal};

        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let context = runtime.enter();
        let kinds = [
            (SignalKind::interrupt(), Signal::INT),
            (SignalKind::terminate(), Signal::TERM),
            (SignalKind::hangup(), Signal::HUP),
            (SignalKind::quit(), Signal::QUIT),
            (SignalKind::user_defined1(), Signal::USR1),
            (SignalKind::user_defined2(), Signal::USR2),
        ];
        // Under `nohup` it goes on without its terminal.
        let stays = hangup_is_ignored();
        let wanted = kinds.into_iter();
        let wanted = wanted.filter(|(_, name)| *name != Signal::HUP || !stays);
        let heard = wanted.map(|(kind, name)| Ok((signal(kind)?, name)));
        let heard = heard.collect::<io::Result<_>>()?;
        drop(context);
        Ok(Self { runtime, heard })
    }

    /// Waits for the engine, and passes on what came since we listen.
    fn pass_on(self, recorded: Recorded) -> io::Result<ExitStatus> {
        use rustix::process::{Pid, kill_process};

        let pid = i32::try_from(recorded.id()).ok().and_then(Pid::from_raw);
        self.runtime.block_on(async {
            let ended = tokio::task::spawn_blocking(move || recorded.wait());
            for (mut heard, name) in self.heard {
                tokio::spawn(async move {
                    while heard.recv().await.is_some() {
                        if let Some(pid) = pid {
                            // It may have ended meanwhile.
                            let _ = kill_process(pid, name);
                        }
                    }
                });
            }
            ended.await.map_err(io::Error::other)?
        })
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Unix")]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    fn pass_on(self, recorded: Recorded) -> io::Result<ExitStatus> {
        recorded.wait()
    }
}
