//! The server as a whole: a data folder, an address, a hub.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::connections::{self, Bounds};
use crate::data::{Data, DataError, heard};
use crate::guard::Guard;
use crate::http::{Site, router};
use crate::hub::{Beginning, Door, Hub, HubHandle};
use crate::page::Page;
use crate::secret::Secret;
use crate::socket;

/// The port that is tried first, so that a page that is open finds the server again.
const USUAL_PORT: u16 = 7474;

/// How long a folder is asked for, and how often. A program that is being started
/// holds the locks of the one that starts it for a moment, and one that ends may still
/// be writing.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(10);
/// How long answers that are under way may take when the program ends.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a server is to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of everything that is kept.
    pub data: PathBuf,
    /// The program that is an engine when it is called with `engine --game NAME`.
    pub program: PathBuf,
    /// The address to listen at.
    pub listen: IpAddr,
    /// The port; if missing, the usual one or any other that is free.
    pub port: Option<u16>,
    /// What others must know who come from elsewhere.
    pub password: Option<String>,
    /// A folder with the page, instead of the one in this program.
    pub page: Option<PathBuf>,
    /// The game server whose page this is: everybody may come and play there, and do
    /// nothing else.
    pub hall: Option<Hall>,
}

/// A game server with a page.
#[derive(Debug, Clone)]
pub struct Hall {
    /// How to it.
    pub door: Door,
    /// Names under which the page is visited, beside its address.
    pub names: Vec<String>,
    /// Proxies before the page: what they say in `X-Forwarded-For` is believed, so
    /// that their visitors are told apart.
    pub proxies: Vec<IpAddr>,
}

impl Options {
    /// A server on this machine only.
    pub fn new(data: impl Into<PathBuf>, program: impl Into<PathBuf>) -> Self {
        Self {
            data: data.into(),
            program: program.into(),
            listen: Ipv4Addr::LOCALHOST.into(),
            port: None,
            password: None,
            page: None,
            hall: None,
        }
    }
}

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Anybody could come in.
    #[error(
        "whoever reaches {0} could start programs on this machine: set a password, or leave out --listen"
    )]
    NoPassword(IpAddr),
    /// A password that can be guessed.
    #[error("a password of fewer than 8 characters is no password")]
    ShortPassword,
    /// The folder of the page.
    #[error("{0}")]
    Page(String),
    /// The data folder.
    #[error("the data folder {}: {error}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another process has the data folder.
    #[error("the data folder {} is in use{}", folder.display(), in_use(running.as_ref()))]
    InUse {
        /// Which.
        folder: PathBuf,
        /// By whom, if that is known.
        running: Option<RunningServer>,
    },
    /// What is kept there.
    #[error("{0}")]
    Data(String),
    /// The address.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// No random bytes.
    #[error("the system has no random bytes: {0}")]
    Random(String),
}

fn in_use(running: Option<&RunningServer>) -> String {
    match running {
        Some(running) => format!(" by process {}: open {}", running.pid, running.address),
        None => " by another process".into(),
    }
}

/// A server that has a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningServer {
    /// Its process.
    pub pid: u32,
    /// The address to open.
    pub address: String,
}

/// A server that is ready to answer.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    bounds: Bounds,
    site: Arc<Site>,
    /// Where everything comes together.
    hub: JoinHandle<()>,
    address: SocketAddr,
    folder: PathBuf,
    /// Held as long as we run.
    lock: File,
}

impl Server {
    /// Opens the data folder, begins to listen, starts everything that is to go on.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        check(&options)?;
        let page = match &options.page {
            Some(folder) => Page::folder(folder).map_err(StartError::Page)?,
            None => Page::Embedded,
        };
        let folder = options.data.clone();
        let lock = take_folder(&folder).await?;
        let data =
            Data::open(&folder).map_err(|error: DataError| StartError::Data(error.to_string()))?;
        let data = Arc::new(data);
        let listener = listen(&options).await?;
        let address = listener.local_addr().map_err(|error| StartError::Listen {
            address: SocketAddr::new(options.listen, options.port.unwrap_or_default()),
            error,
        })?;
        let random = |error: getrandom::Error| StartError::Random(error.to_string());
        let mut guard = Guard::new(address, options.password).map_err(random)?;
        let mut bounds = Bounds::default();
        if let Some(hall) = &options.hall {
            bounds.proxies.clone_from(&hall.proxies);
            guard.open_to_visitors(hall.names.clone(), hall.proxies.clone());
        }
        let run = Secret::new().map_err(random)?.as_str()[..16].to_owned();
        data.write(crate::library::prepare);
        let beginning = Beginning {
            events: kept_events(&data).await.map_err(StartError::Data)?,
            jobs: kept_jobs(&data).await.map_err(StartError::Data)?,
            kept: data.kept().await.map_err(StartError::Data)?,
            engines: kept_engines(&data).await.map_err(StartError::Data)?,
            data,
            folder: folder.clone(),
            program: options.program,
            run,
            hall: options.hall.map(|hall| hall.door),
        };
        let (hub, notes) = Hub::new(beginning);
        let handle = hub.handle.clone();
        let hub = tokio::spawn(hub.run(notes));
        let site = Arc::new(Site {
            guard,
            page,
            hub: handle,
            boards: Arc::new(Semaphore::new(socket::boards_at_once())),
            uploads: folder.join("uploads"),
        });
        let server = Self {
            listener,
            bounds,
            site,
            hub,
            address,
            folder,
            lock,
        };
        server.announce().map_err(|error| StartError::Folder {
            folder: server.folder.clone(),
            error,
        })?;
        Ok(server)
    }

    /// The address to open in a browser. Whoever has it may do everything.
    pub fn address(&self) -> String {
        let token = self.site.guard.token();
        format!("{}enter/{}", self.clean_address(), token.as_str())
    }

    /// The same without what opens the door.
    pub fn clean_address(&self) -> String {
        let ip = self.address.ip();
        let ip = if ip.is_unspecified() {
            Ipv4Addr::LOCALHOST.into()
        } else {
            ip
        };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// Where it listens.
    pub const fn local_address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `end` is over; then everything is brought to rest.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Self {
            listener,
            bounds,
            site,
            hub: task,
            folder,
            lock,
            ..
        } = self;
        let hub: HubHandle = site.hub.clone();
        let closing = async move {
            end.await;
            // Sockets end with the hub; what still answers may end its answer.
            hub.close().await;
        };
        let (closed, was_closed) = oneshot::channel();
        let closing = async move {
            closing.await;
            let _ = closed.send(());
        };
        let serving = connections::serve(listener, router(site), bounds, closing);
        // An upload that stands still is not waited for, however long it stands.
        let too_long = async {
            if was_closed.await.is_err() {
                std::future::pending::<()>().await;
            }
            sleep(FAREWELL).await;
        };
        let served = tokio::select! {
            () = serving => Ok(()),
            () = too_long => Ok(()),
            // Nothing can be done any more; what was kept is safe.
            Err(broken) = task => Err(io::Error::other(format!(
                "this program has a fault, please report it: {broken}"
            ))),
        };
        let _ = fs::remove_file(folder.join(RUNNING));
        drop(lock);
        served
    }

    /// Says in the data folder where we are, for a second one that is started.
    fn announce(&self) -> io::Result<()> {
        let running = RunningServer {
            pid: std::process::id(),
            address: self.address(),
        };
        let text = serde_json::to_string(&running).map_err(io::Error::other)?;
        let path = self.folder.join(RUNNING);
        let _ = fs::remove_file(&path);
        let mut options = File::options();
        options.write(true).create_new(true);
        // The address opens the door.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(text.as_bytes())
    }
}

const RUNNING: &str = "running.json";

fn check(options: &Options) -> Result<(), StartError> {
    match &options.password {
        // Visitors of a game server start nothing.
        None if !options.listen.is_loopback() && options.hall.is_none() => {
            Err(StartError::NoPassword(options.listen))
        }
        Some(password) if password.chars().count() < 8 => Err(StartError::ShortPassword),
        _ => Ok(()),
    }
}

/// Makes the folder and takes it for this process alone.
async fn take_folder(folder: &Path) -> Result<File, StartError> {
    let fail = |error| StartError::Folder {
        folder: folder.into(),
        error,
    };
    let folders = ["", "uploads", "events", "reports"];
    for path in folders.map(|name| folder.join(name)) {
        make_folder(&path).map_err(fail)?;
    }
    let mut options = File::options();
    let lock = options
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join("lock"));
    let lock = lock.map_err(fail)?;
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => sleep(PAUSE).await,
            Err(TryLockError::WouldBlock) => {
                let text = fs::read_to_string(folder.join(RUNNING)).ok();
                let running = text.and_then(|text| serde_json::from_str(&text).ok());
                return Err(StartError::InUse {
                    folder: folder.into(),
                    running,
                });
            }
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
    }
}

/// Only its owner may look into it.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

async fn listen(options: &Options) -> Result<TcpListener, StartError> {
    let bind = |port| async move {
        let address = SocketAddr::new(options.listen, port);
        let listener = TcpListener::bind(address).await;
        listener.map_err(|error| StartError::Listen { address, error })
    };
    match options.port {
        Some(port) => bind(port).await,
        None => match bind(USUAL_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await,
        },
    }
}

async fn kept_engines(
    data: &Data,
) -> Result<Vec<(usize, bool, crate::engines::EngineRecord)>, String> {
    let rows = data.write_for(|file| {
        file.prepare("SELECT place, removed, record FROM engines ORDER BY place")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<Vec<(i64, bool, String)>>>()
    });
    let rows = heard(rows).await?.into_iter();
    let read = |(place, removed, text): (i64, bool, String)| {
        let record = serde_json::from_str(&text).ok()?;
        Some((usize::try_from(place).unwrap_or_default(), removed, record))
    };
    Ok(rows.filter_map(read).collect())
}

async fn kept_events(data: &Data) -> Result<Vec<(u32, PathBuf, bool, bool)>, String> {
    let rows = data.write_for(|file| {
        file.prepare("SELECT id, path, own, wanted FROM events ORDER BY id")?
            .query_map([], |row| {
                let path: String = row.get(1)?;
                Ok((row.get(0)?, path.into(), row.get(2)?, row.get(3)?))
            })?
            .collect()
    });
    heard(rows).await
}

async fn kept_jobs(data: &Data) -> Result<Vec<crate::jobs::JobRecord>, String> {
    let rows = data.write_for(|file| {
        file.prepare("SELECT record FROM jobs ORDER BY id")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<Vec<String>>>()
    });
    let rows = heard(rows).await?.into_iter();
    Ok(rows
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::net::TcpStream;
    use tungstenite::Message;
    use tungstenite::client::IntoClientRequest;

    const LONG: Duration = Duration::from_secs(30);

    /// The answer to a question that a visitor asks.
    fn ask(address: SocketAddr, hold: impl FnOnce()) -> Option<Value> {
        let mut request = format!("ws://{address}/ws").into_client_request().ok()?;
        let origin = format!("http://{address}").parse().ok()?;
        request.headers_mut().insert("origin", origin);
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(LONG)).ok()?;
        let (mut page, _) = tungstenite::client(request, stream).ok()?;
        // The hub has let it in.
        page.read().ok()?;
        hold();
        let start = json!({"game": "gyges", "rules": "", "position": ""});
        let ask = json!({"ask": "position", "start": start});
        let text = json!({"say": "ask", "id": 7, "ask": ask}).to_string();
        page.send(Message::text(text)).ok()?;
        // A server whose hub is busy still asks whether we are there.
        let begun = Instant::now();
        while begun.elapsed() < LONG {
            if let Message::Text(text) = page.read().ok()? {
                return serde_json::from_str(text.as_str()).ok();
            }
        }
        None
    }

    /// All pages meet in the hub, so a board that takes long must not be its work.
    #[tokio::test(flavor = "multi_thread", worker_threads = 3)]
    async fn boards_of_visitors_keep_nobody_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let door = Door::new(|_| Box::new(tokio::io::duplex(1).0));
        let hall = Hall {
            door,
            names: Vec::new(),
            proxies: Vec::new(),
        };
        let server = Server::start(Options {
            port: Some(0),
            hall: Some(hall),
            ..Options::new(folder.path(), folder.path().join("none"))
        });
        let server = server.await.expect("a server");
        let (address, hub) = (server.local_address(), server.site.hub.clone());
        let (end, ended) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async {
            let _ = ended.await;
        }));
        // The hub is busy until this is dropped.
        let (busy, free) = std::sync::mpsc::channel::<()>();
        let asked = tokio::task::spawn_blocking(move || {
            let hold = move || {
                hub.call_from_thread(move |_| {
                    let _ = free.recv_timeout(10 * LONG);
                });
            };
            ask(address, hold)
        });
        let answer = asked.await.expect("no panic").expect("an answer");
        drop(busy);
        assert_eq!(
            (&answer["id"], &answer["say"]),
            (&json!(7), &json!("answer"))
        );
        drop(end);
        running.await.expect("no panic").expect("a good end");
    }
}
