//! A server in a process of its own, so that its numbers are its own, and clients of it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use quadrille_net::Acceptor;
use quadrille_server::hall::Settings;
use quadrille_server::password::Work;
use quadrille_server::{Options, Server};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

pub(crate) type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Serves at a port of this machine, and prints which.
pub(crate) async fn serve(folder: &Path, settings: Settings, work: Work) -> Result<(), Fault> {
    let server = Server::start(Options {
        settings,
        store: folder.join("server.db"),
        program: "bench".into(),
        log: Box::new(|_| {}),
        work,
    })?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    server.listen(listener, Acceptor::plain()).await;
    Ok(())
}

/// The server's process, killed at the end.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts this program once more as a server; its address is the first thing that
    /// it says.
    pub(crate) fn start(command: &mut Command) -> Result<(String, Self), Fault> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        let out = child.stdout.take().ok_or("no output")?;
        BufReader::new(out).read_line(&mut address)?;
        Ok((address.trim().to_owned(), Self(child)))
    }

    /// Kibibytes in memory, and ticks of a processor (a hundredth of a second);
    /// nothing where the system does not tell.
    pub(crate) fn numbers(&self) -> (u64, u64) {
        let read = |name: &str| {
            let path = Path::new("/proc").join(self.0.id().to_string()).join(name);
            std::fs::read_to_string(path).unwrap_or_default()
        };
        let status = read("status");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let resident = resident.and_then(|text| text.split_whitespace().next()?.parse().ok());
        let stat = read("stat");
        // Behind the name, which may hold anything: fields 14 and 15 are ours.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks = ticks.filter_map(|text| text.parse::<u64>().ok()).sum();
        (resident.unwrap_or(0), ticks)
    }
}

/// A client over TCP.
pub(crate) struct Client {
    reader: tokio::io::BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

impl Client {
    pub(crate) async fn enter(address: &str, name: &str) -> Result<Self, Fault> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        let mut client = Self {
            reader: tokio::io::BufReader::new(reader),
            writer,
        };
        let pieces = "id pieces kmqcaehuriwbznxlop";
        let hello = format!("id username {name}\nid version 1\n{pieces}\nid lobby 1\nuciok");
        client.say(&hello).await?;
        client.until("lobby welcome").await?;
        Ok(client)
    }

    /// Tries a wrong password; the last line of the answer.
    #[allow(dead_code, reason = "not all benches guess")]
    pub(crate) async fn guess(address: &str, account: &str) -> Result<String, Fault> {
        let mut client = Self::come(address, account, "wrong-one").await?;
        let mut last = String::new();
        while let Ok(line) = client.line().await {
            last = line;
        }
        Ok(last)
    }

    /// What the owner of an account is told behind its welcome.
    #[allow(dead_code, reason = "not all benches guess")]
    pub(crate) async fn owner_hears(
        address: &str,
        account: &str,
        password: &str,
    ) -> Result<String, Fault> {
        let mut client = Self::come(address, account, password).await?;
        let note = client.until("info string").await?;
        Ok(note.trim().to_owned())
    }

    /// Says who it is, with a password.
    #[allow(dead_code, reason = "not all benches guess")]
    async fn come(address: &str, account: &str, password: &str) -> Result<Self, Fault> {
        let stream = TcpStream::connect(address).await?;
        let (reader, writer) = stream.into_split();
        let reader = tokio::io::BufReader::new(reader);
        let mut client = Self { reader, writer };
        let hello = format!("id username {account}\nid lobby 1\nid password {password}\nuciok");
        client.say(&hello).await?;
        Ok(client)
    }

    pub(crate) async fn say(&mut self, line: &str) -> Result<(), Fault> {
        Ok(self
            .writer
            .write_all(format!("{line}\n").as_bytes())
            .await?)
    }

    pub(crate) async fn line(&mut self) -> Result<String, Fault> {
        let mut line = String::new();
        if self.reader.read_line(&mut line).await? == 0 {
            return Err("the server closed a connection".into());
        }
        Ok(line)
    }

    pub(crate) async fn until(&mut self, start: &str) -> Result<String, Fault> {
        loop {
            let line = self.line().await?;
            if line.starts_with(start) {
                return Ok(line);
            }
        }
    }
}
