//! `quadrille worker`: plays games of matches that other machines lead.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use quadrille_cluster::messages::WorkerStatus;
use quadrille_cluster::messages::job_name;
use quadrille_cluster::{Access, Stop, Worker, WorkerConfig, WorkerEvent, workers};
use quadrille_net::sanitize::one_line;
use tokio::sync::{mpsc, watch};

use crate::failure::Failure;
use crate::figure::short;
use crate::match_command::cluster_failure;
use crate::signals::Interrupts;

/// How a NATS server is reached. What is missing is taken from `NATS_URL`,
/// `NATS_CREDS` and so on, as other NATS programs do.
#[derive(Args)]
pub(crate) struct NatsArguments {
    /// The NATS server: `nats://HOST:4222` or `tls://HOST:4222`
    #[arg(long = "nats", value_name = "URL")]
    url: Option<String>,

    /// A file of credentials, as nsc makes it
    #[arg(long = "nats-creds", value_name = "FILE", hide_short_help = true)]
    creds: Option<PathBuf>,

    /// A file with the seed of a key
    #[arg(long = "nats-nkey", value_name = "FILE", hide_short_help = true)]
    nkey: Option<PathBuf>,

    /// A user
    #[arg(long = "nats-user", value_name = "NAME", hide_short_help = true)]
    user: Option<String>,

    /// The user's password
    #[arg(long = "nats-password", value_name = "WORD", hide_short_help = true)]
    password: Option<String>,

    /// A token
    #[arg(long = "nats-token", value_name = "WORD", hide_short_help = true)]
    token: Option<String>,

    /// Certificates of authorities to trust
    #[arg(long = "nats-ca", value_name = "FILE", hide_short_help = true)]
    ca: Option<PathBuf>,

    /// A certificate of our own, with --nats-key
    #[arg(long = "nats-cert", value_name = "FILE", hide_short_help = true)]
    cert: Option<PathBuf>,

    /// The key of that certificate
    #[arg(long = "nats-key", value_name = "FILE", hide_short_help = true)]
    key: Option<PathBuf>,

    /// Seconds that a worker may be silent before its games are dealt again
    #[arg(
        long = "nats-patience",
        value_name = "SECONDS",
        default_value_t = 30.0,
        hide_short_help = true
    )]
    patience: f64,
}

impl NatsArguments {
    fn given(&self) -> Access {
        Access {
            url: self.url.clone().unwrap_or_default(),
            creds: self.creds.clone(),
            nkey: self.nkey.clone(),
            user: self.user.clone(),
            password: self.password.clone(),
            token: self.token.clone(),
            ca: self.ca.clone(),
            cert: self.cert.clone(),
            key: self.key.clone(),
        }
    }

    /// Where it is, if `--nats` was given.
    pub(crate) fn access(&self) -> Result<Option<Access>, Failure> {
        let access = self.given();
        match (&self.url, access == Access::default()) {
            (Some(_), _) => Ok(Some(access.or_environment())),
            (None, true) => Ok(None),
            (None, false) => Err(Failure::input(
                "flags that begin with --nats- need --nats URL beside them",
            )),
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.patience.clamp(0.3, 3600.0))
    }
}

#[derive(Args)]
#[command(
    after_help = "The file says which engines there are, by the names that matches use:\n\n    \
                  concurrency = 4\n\n    [engine.stockfish-dev]\n    cmd = \"/opt/stockfish-dev\"\n    \
                  bench = true\n\nThe engine builtin is always there. Messages never name a program \
                  (docs/cluster.md).\n\nctrl-c finishes the running games, a second one gives them back at once."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    nats: NatsArguments,

    /// The worker's file (TOML); without one it has the built-in engine alone
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// What it is called, over what the file says
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Games at once, over what the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    concurrency: Option<u16>,

    /// List the workers there are, and end
    #[arg(long)]
    status: bool,

    /// Tell what happens, or the list, as JSON
    #[arg(long)]
    json: bool,

    /// Tell nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// Works until it is told to stop, or lists those that do.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let mut config = match &arguments.config {
        Some(path) => WorkerConfig::read(path).map_err(cluster_failure)?,
        None => WorkerConfig::default(),
    };
    if let Some(name) = arguments.name {
        config.name = Some(name);
    }
    if let Some(games) = arguments.concurrency {
        config.concurrency = Some(games.into());
    }
    let access = config.access(arguments.nats.given()).or_environment();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    if arguments.status {
        // With a worker's file its user asks, who listens at its own inbox only.
        let name = arguments.config.is_some() || config.name.is_some();
        let name = name.then(|| config.name());
        let list = runtime
            .block_on(workers(&access, name.as_deref()))
            .map_err(cluster_failure)?;
        return match write(&listed(&list, arguments.json)) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::machine(format!("cannot write: {error}")))
            }
            _ => Ok(ExitCode::SUCCESS),
        };
    }
    let program = std::env::current_exe().map_err(Failure::machine)?;
    let worker = Worker {
        access,
        config,
        program,
    };
    let (json, quiet) = (arguments.json, arguments.quiet);
    runtime.block_on(async move {
        let (tell, mut told) = mpsc::unbounded_channel();
        let (sender, stop) = watch::channel(Stop::No);
        tokio::spawn(async move {
            if let Ok(mut interrupts) = Interrupts::listen() {
                for next in [Stop::AfterGames, Stop::Now] {
                    interrupts.next().await;
                    sender.send_replace(next);
                }
            }
            // As long as it lives the worker is not left alone.
            std::future::pending::<()>().await;
        });
        let printing = tokio::spawn(async move {
            while let Some(event) = told.recv().await {
                if !quiet {
                    // Without a reader there is nothing to say, and games go on.
                    let _ = write(&line(&event, json));
                }
            }
        });
        let ran = worker.run(tell, stop).await.map_err(cluster_failure);
        let _ = printing.await;
        ran
    })?;
    Ok(ExitCode::SUCCESS)
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What happened, in a line.
fn line(event: &WorkerEvent, json: bool) -> String {
    if json {
        // Texts and numbers always have a form.
        return serde_json::to_string(event).unwrap_or_default() + "\n";
    }
    let text = match event {
        WorkerEvent::Ready {
            name,
            capacity,
            nps,
            engines,
        } => {
            let engines: Vec<String> = engines
                .iter()
                .map(|(name, proof)| format!("{name} ({proof})"))
                .collect();
            format!(
                "Worker {name}: {capacity} games at once, {} nodes a second; {}",
                short(*nps),
                engines.join(", ")
            )
        }
        WorkerEvent::Speed { before, nps } => format!(
            "Measured again: {} nodes a second, {} before",
            short(*nps),
            short(*before)
        ),
        WorkerEvent::Warning { reason } => format!("Warning: {reason}"),
        WorkerEvent::Serves { title } => format!("Playing for {title}"),
        WorkerEvent::Refused { title, reason } => format!("Not playing for {title}: {reason}"),
        WorkerEvent::GameStart {
            title,
            game,
            checks,
        } => format!("Started {} of {title}", job_name(*game, *checks)),
        WorkerEvent::GameEnd {
            title,
            game,
            checks,
            result,
        } => format!("Finished {} of {title}: {result}", job_name(*game, *checks)),
        WorkerEvent::Waits {
            title,
            game,
            checks,
            reason,
        } => {
            let job = job_name(*game, *checks);
            format!("Waiting with the result of {job} of {title}: {reason}")
        }
        WorkerEvent::Leaves { title, reason } => format!("Leaving {title}: {reason}"),
    };
    one_line(&text).into_owned() + "\n"
}

/// The list of workers.
fn listed(list: &[WorkerStatus], json: bool) -> String {
    if json {
        return serde_json::to_string(list).unwrap_or_default() + "\n";
    }
    if list.is_empty() {
        return "No worker answers.\n".into();
    }
    let mut text = format!(
        "{:<20} {:>8} {:>9} {:>7} {:>7}  {:<24} {}\n",
        "worker", "nodes/s", "playing", "games", "heard", "engines", "state"
    );
    for status in list {
        let heard = match status.heard_ms {
            0..1000 => "now".to_owned(),
            ms => format!("{} s ago", ms / 1000),
        };
        let row = format!(
            "{:<20} {:>8} {:>9} {:>7} {heard:>7}  {:<24} {}",
            status.name,
            short(status.nps),
            format!("{} of {}", status.playing, status.capacity),
            status.games,
            status.engines.join(","),
            status.state
        );
        text.push_str(&one_line(&row));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_named_by_its_game() {
        let event = |game, checks| WorkerEvent::GameStart {
            title: "T".into(),
            game,
            checks,
        };
        assert_eq!(line(&event(5, None), false), "Started game 5 of T\n");
        let check = event(1_104_511_627_781, Some(5));
        assert_eq!(line(&check, false), "Started the check of game 5 of T\n");
        assert_eq!(
            line(&check, true),
            "{\"event\":\"game-start\",\"title\":\"T\",\"game\":1104511627781,\"checks\":5}\n"
        );
    }

    #[test]
    fn what_others_wrote_makes_no_lines_of_its_own() {
        let odd = "T\u{1b}[2J\nFinished game 9";
        let event = WorkerEvent::Serves { title: odd.into() };
        assert_eq!(
            line(&event, false),
            "Playing for T\\u{1b}[2J\\nFinished game 9\n"
        );
        let status = WorkerStatus {
            worker: "w".into(),
            name: odd.into(),
            program: String::new(),
            engines: Vec::new(),
            nps: 1,
            capacity: 1,
            playing: 0,
            games: 0,
            state: odd.into(),
            heard_ms: 0,
        };
        let list = listed(&[status], false);
        assert_eq!(list.lines().count(), 2, "{list}");
        assert!(!list.contains('\u{1b}'));
    }
}
