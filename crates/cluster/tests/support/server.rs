//! A NATS server of our own: on a loopback port, with its files in a folder that
//! goes with it.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Where the program is: named by `NATS_SERVER`, on the path, where packages put
/// it, or installed now.
fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("NATS_SERVER") {
        return Some(named.into());
    }
    let find = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let usual = ["/usr/sbin", "/usr/local/bin", "/usr/local/sbin"].map(PathBuf::from);
        let folders = std::env::split_paths(&path).chain(usual);
        folders
            .map(|folder| folder.join("nats-server"))
            .find(|path| path.is_file())
    };
    find().or_else(|| {
        let mut install = Command::new("apt-get");
        install.args(["install", "-y", "--no-install-recommends", "nats-server"]);
        let installed = install.stdin(Stdio::null()).stdout(Stdio::null()).status();
        installed
            .is_ok_and(|status| status.success())
            .then(find)
            .flatten()
    })
}

/// Whether tests that need a server can run. Without one they fail, unless
/// `QUADRILLE_WITHOUT_NATS` says that this is known: then it is said loudly.
pub(crate) fn is_there() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = *FOUND.get_or_init(|| program().is_some());
    if !found {
        let words = "there is no nats-server: install it (apt-get install nats-server), or name one with NATS_SERVER";
        assert!(
            std::env::var_os("QUADRILLE_WITHOUT_NATS").is_some(),
            "{words}; QUADRILLE_WITHOUT_NATS=1 skips what needs it"
        );
        eprintln!("SKIPPED: {words}");
    }
    found
}

/// A server that can be killed and started again.
pub(crate) struct Server {
    folder: TempDir,
    port: u16,
    more: Vec<String>,
    /// With `JetStream`.
    streams: bool,
    child: Option<Child>,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with(Vec::new())
    }

    /// With further words on its command line.
    pub(crate) fn with(more: Vec<String>) -> Self {
        Self::made(more, true)
    }

    /// Without streams.
    #[allow(dead_code, reason = "only some who include this file ask")]
    pub(crate) fn plain() -> Self {
        Self::made(Vec::new(), false)
    }

    fn made(more: Vec<String>, streams: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        drop(listener);
        let mut server = Self {
            folder: TempDir::new().expect("a folder"),
            port,
            more,
            streams,
            child: None,
        };
        server.run();
        server
    }

    /// Starts it, and waits until it listens.
    pub(crate) fn run(&mut self) {
        let port = self.port.to_string();
        let mut command = Command::new(program().expect("asked before"));
        command.args(["-a", "127.0.0.1", "-p", &port]);
        if self.streams {
            command.args(["-js", "-sd"]).arg(self.folder.path());
        }
        let child = command
            .args(&self.more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server starts");
        self.child = Some(child);
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "nats-server does not listen"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// What went in and out of it so far: messages and bytes. It must have been
    /// started with `-m` and this port.
    #[allow(dead_code, reason = "only a bench asks")]
    pub(crate) fn traffic(port: u16) -> [u64; 4] {
        use std::io::{Read, Write};
        let mut text = String::new();
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
            let _ = stream.write_all(b"GET /varz HTTP/1.0\r\n\r\n");
            let _ = stream.read_to_string(&mut text);
        }
        ["in_msgs", "out_msgs", "in_bytes", "out_bytes"].map(|name| {
            let after = text.split(&format!("\"{name}\":")).nth(1).unwrap_or("");
            let number = after
                .trim_start()
                .split(|c: char| !c.is_ascii_digit())
                .next();
            number.and_then(|digits| digits.parse().ok()).unwrap_or(0)
        })
    }

    /// The number of its process; 0 while it does not run.
    #[allow(dead_code, reason = "only some who include this file ask")]
    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().map_or(0, Child::id)
    }

    /// The names of the streams on it.
    #[allow(dead_code, reason = "only some who include this file ask")]
    pub(crate) fn streams(&self) -> String {
        use std::io::{BufRead, BufReader, Write};
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let ask = "CONNECT {\"verbose\":false}\r\nSUB answer 1\r\nPUB $JS.API.STREAM.NAMES answer 0\r\n\r\n";
        stream.write_all(ask.as_bytes()).expect("it reads");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        let mut after = lines.skip_while(|line| !line.starts_with("MSG answer"));
        after.nth(1).expect("an answer")
    }

    /// Says something on it, as anyone may who gets in.
    #[allow(dead_code, reason = "only some who include this file do")]
    pub(crate) fn publish(&self, subject: &str, payload: &str) {
        use std::io::{Read, Write};
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let length = payload.len();
        let words = format!(
            "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {length}\r\n{payload}\r\nPING\r\n"
        );
        stream.write_all(words.as_bytes()).expect("it reads");
        let (mut answer, mut some) = (String::new(), [0; 4096]);
        while !answer.contains("PONG") {
            let count = stream.read(&mut some).expect("it answers");
            assert!(count > 0, "{answer}");
            answer.push_str(&String::from_utf8_lossy(&some[..count]));
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
