//! `quadrille gui`: the page and its server.

use std::env;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use quadrille_driver::Orphans;
use quadrille_web::{Options, Server, StartError, data_folder};

use crate::failure::Failure;
use crate::signals;

/// Where a password may stand that shall not be seen in the list of processes.
const PASSWORD: &str = "QUADRILLE_PASSWORD";

/// Which server.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The port; 7474 or another that is free, if you name none
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// The address to listen at, so that others on your network can come in with the password
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into(), hide_default_value = true)]
    listen: IpAddr,

    /// The password for others; better in the environment, as `QUADRILLE_PASSWORD`
    #[arg(long, value_name = "TEXT")]
    password: Option<String>,

    /// The folder that everything is kept in
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,

    /// Print the address as JSON
    #[arg(long)]
    json: bool,

    /// Serve the page from this folder, while it is worked on
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

/// Serves until it is interrupted.
pub(crate) fn run(arguments: Arguments) -> Result<String, Failure> {
    let _orphans = Orphans::adopt();
    let Some(data) = arguments.data.or_else(data_folder) else {
        return Err(Failure::input(
            "there is no home folder: name a data folder with --data",
        ));
    };
    let program = env::current_exe().map_err(Failure::machine)?;
    let options = Options {
        listen: arguments.listen,
        port: arguments.port,
        password: arguments.password.or_else(|| env::var(PASSWORD).ok()),
        page: arguments.page,
        ..Options::new(data, program)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    runtime.block_on(async {
        signals::notice_large_files();
        let interrupted = signals::interrupted();
        let server = Server::start(options).await.map_err(start_failure)?;
        if !server.local_address().ip().is_loopback() {
            // Without a reader of errors there is nothing to say.
            let _ = writeln!(
                io::stderr(),
                "warning: everybody who reaches {} and knows the password can use this program and \
                 its engines; the connection is not encrypted",
                server.local_address()
            );
        }
        announce(&server, arguments.json).map_err(Failure::machine)?;
        if !arguments.no_open {
            open(&server.address());
        }
        server.run(interrupted).await.map_err(Failure::machine)
    })?;
    Ok(String::new())
}

fn announce(server: &Server, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let line = serde_json::json!({
            "address": server.address(),
            "clean": server.clean_address(),
            "pid": std::process::id(),
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "Quadrille is at {}", server.address())?;
        writeln!(out, "Everything is kept; end it with Ctrl-C.")?;
    }
    out.flush()
}

/// Opens an address in the user's browser; where there is none, they have the
/// address.
fn open(address: &str) {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    let command = command.arg(address).stdin(Stdio::null());
    let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut browser) = started {
        std::thread::spawn(move || browser.wait());
    }
}

fn start_failure(error: StartError) -> Failure {
    match error {
        StartError::NoPassword(_) | StartError::ShortPassword => {
            Failure::input(error).hint(format!("{PASSWORD}=... in the environment, or --password"))
        }
        StartError::Page(_) => Failure::input(error),
        StartError::InUse { .. } => {
            Failure::machine(error).hint("another folder can be named with --data")
        }
        _ => Failure::machine(error),
    }
}
