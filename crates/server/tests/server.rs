//! The server with real connections: in memory, over TCP, under TLS.

use std::path::Path;
use std::time::Duration;

use quadrille_net::{Acceptor, Certificate, Trust, connect};
use quadrille_server::hall::{Order, Settings};
use quadrille_server::password::Work;
use quadrille_server::{LINE, Options, Server, store};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex, split,
};
use tokio::net::{TcpListener, TcpStream};

const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn start(folder: &Path, settings: Settings) -> Server {
    let options = Options {
        settings,
        store: folder.join("server.db"),
        program: "Quadrille".into(),
        log: Box::new(|_| {}),
        work: Work::Small,
    };
    Server::start(options).expect("a server")
}

/// A client that reads and writes lines.
pub(crate) struct Client {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
}

impl Client {
    pub(crate) fn over<S: AsyncRead + AsyncWrite + Send + 'static>(stream: S) -> Self {
        let (reader, writer) = split(stream);
        Self {
            reader: BufReader::new(Box::new(reader)),
            writer: Box::new(writer),
        }
    }

    pub(crate) fn joined(server: &Server) -> Self {
        let (ours, theirs): (DuplexStream, DuplexStream) = duplex(64 * 1024);
        server.join(theirs, None);
        Self::over(ours)
    }

    pub(crate) async fn say(&mut self, text: &str) {
        let sent = self.writer.write_all(format!("{text}\n").as_bytes()).await;
        // A server that has cut us off shows that when we read.
        drop(sent);
    }

    /// The next line; `None` at the end.
    pub(crate) async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.reader.read_line(&mut line)).await;
        match read.expect("the server says something") {
            Ok(1..) => Some(line.trim_end().into()),
            _ => None,
        }
    }

    /// Reads until a line begins with a text.
    pub(crate) async fn until(&mut self, start: &str) -> String {
        for _ in 0..10_000 {
            let Some(line) = self.line().await else {
                panic!("the connection ended before {start}");
            };
            if line.starts_with(start) {
                return line;
            }
        }
        panic!("no {start} in ten thousand lines");
    }

    pub(crate) async fn enter(&mut self, name: &str) -> String {
        for line in ["id version 1", "id lobby 1"] {
            self.say(line).await;
        }
        self.say(&format!("id username {name}")).await;
        self.say("uciok").await;
        self.until("lobby welcome").await
    }
}

pub(crate) async fn play_fools_mate(white: &mut Client, black: &mut Client) {
    white.until("isready").await;
    black.until("isready").await;
    white.say("readyok").await;
    black.say("readyok").await;
    let moves = [["f2f3", "e7e5"], ["g2g4", "d8h4"]];
    for [first, second] in moves {
        white.until("go ").await;
        white.say(&format!("bestmove {first}")).await;
        black.until("go ").await;
        black.say(&format!("bestmove {second}")).await;
    }
    for client in [white, black] {
        let end = client.until("lobby end").await;
        assert_eq!(end, "lobby end id 1 result 0-1 reason Black mates");
    }
}

async fn two_play(mut a: Client, mut b: Client) {
    a.enter("Ann").await;
    b.enter("Bob").await;
    a.say("lobby seek time 60 colour white").await;
    let seek = a.until("lobby seek id").await;
    let id = seek.split(' ').nth(3).expect("an id").to_owned();
    b.say(&format!("lobby accept id {id}")).await;
    play_fools_mate(&mut a, &mut b).await;
}

#[tokio::test]
async fn two_play_in_memory_and_the_game_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    two_play(Client::joined(&server), Client::joined(&server)).await;
    server.stop();
    server.ended().await.expect("a clean end");
    let file = folder.path().join("server.db");
    let games = store::games(&file, true).expect("games");
    assert_eq!(games.len(), 1);
    let game = store::game(&file, 1).expect("a game").expect("game 1");
    let pgn = game.pgn("here").expect("a record");
    assert!(
        pgn.contains("1. f3") && pgn.contains("Black mates"),
        "{pgn}"
    );
    assert!(pgn.contains("[White \"Ann\"]") && pgn.contains("[TimeControl \"60+0\"]"));
}

#[tokio::test]
async fn two_play_over_tcp_and_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("a certificate");
    let trust = Trust::Fingerprint(certificate.fingerprint());
    let mut ports = Vec::new();
    for door in [
        Acceptor::plain(),
        Acceptor::tls(&certificate).expect("a door"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        ports.push(listener.local_addr().expect("an address").port());
        let server = server.clone();
        tokio::spawn(async move { server.listen(listener, door).await });
    }
    let plain = TcpStream::connect(("127.0.0.1", ports[0]))
        .await
        .expect("a connection");
    let secret = connect("127.0.0.1", ports[1], Some(&trust), PATIENCE)
        .await
        .expect("TLS");
    two_play(Client::over(plain), Client::over(secret)).await;
    server.stop();
    server.ended().await.expect("a clean end");
}

/// Positions, clocks and seats are there after a restart; so is a match's password.
#[tokio::test]
async fn a_restart_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let (mut a, mut b) = (Client::joined(&server), Client::joined(&server));
    let welcome = a.enter("Ann").await;
    let token = welcome.split(' ').nth(7).expect("a token").to_owned();
    let welcome = b.enter("Bob").await;
    let other = welcome.split(' ').nth(7).expect("a token").to_owned();
    a.say("lobby seek time 60 colour white").await;
    let seek = a.until("lobby seek id").await;
    let id = seek.split(' ').nth(3).expect("an id").to_owned();
    b.say(&format!("lobby accept id {id}")).await;
    for client in [&mut a, &mut b] {
        client.until("isready").await;
        client.say("readyok").await;
    }
    a.until("go ").await;
    a.say("bestmove e2e4").await;
    let before = b.until("go ").await;
    server.stop();
    server.ended().await.expect("a clean end");
    drop((a, b));

    let server = start(folder.path(), Settings::default());
    let mut b = Client::joined(&server);
    b.say(&format!("id token {other}")).await;
    b.enter("Bob").await;
    b.until("isready").await;
    b.say("readyok").await;
    assert_eq!(b.until("position").await, "position startpos moves e2e4");
    assert_eq!(
        b.until("go ").await,
        before,
        "time while the server was down is not charged"
    );
    b.say("bestmove e7e5").await;
    let mut a = Client::joined(&server);
    a.say(&format!("id token {token}")).await;
    a.enter("Ann").await;
    a.until("isready").await;
    a.say("readyok").await;
    a.until("go ").await;
    a.say("lobby resign").await;
    let end = b.until("lobby end").await;
    assert_eq!(end, "lobby end id 1 result 0-1 reason White resigns");
    server.stop();
    server.ended().await.expect("a clean end");
}

#[tokio::test]
async fn orders_come_through_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let file = folder.path().join("server.db");
    assert!(store::is_running(&file) && store::is_server(&file));
    let ask = |json: &'static str| {
        let file = file.clone();
        async move {
            let id = store::order(&file, json).expect("an order");
            for _ in 0..300 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                if let Some(answer) = store::answered(&file, id).expect("the file") {
                    return answer;
                }
            }
            panic!("no answer to {json}");
        }
    };
    let status = ask(r#"{"order":"status"}"#).await;
    assert!(
        status.starts_with(r#"{"ok":"#) && status.contains("\"connections\":0"),
        "{status}"
    );
    let odd = ask(r#"{"order":"dance"}"#).await;
    assert!(odd.contains("error"), "{odd}");
    let answer = server.operate(Order::Drain { now: false }).await;
    assert!(answer.is_ok());
    server.ended().await.expect("drained");
    drop(server);
    assert!(!store::is_running(&file));
}

#[tokio::test]
async fn one_server_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let options = Options {
        settings: Settings::default(),
        store: folder.path().join("server.db"),
        program: String::new(),
        log: Box::new(|_| {}),
        work: Work::Small,
    };
    let error = Server::start(options).expect_err("a second server");
    assert!(error.to_string().contains("in use"), "{error}");
    server.stop();
    server.ended().await.expect("a clean end");
}

/// A result that cannot be written is not told, and the server does not go on as if
/// it could.
#[cfg(unix)]
#[tokio::test]
async fn a_server_whose_file_is_gone_says_so_and_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let (mut a, mut b) = (Client::joined(&server), Client::joined(&server));
    a.enter("Ann").await;
    b.enter("Bob").await;
    a.say("lobby seek time 60 word x").await;
    a.until("lobby seek").await;
    b.say("lobby join word x").await;
    b.until("isready").await;
    std::fs::remove_file(folder.path().join("server.db")).expect("a file");
    b.say("lobby resign").await;
    b.say("lobby list seeks").await;
    for _ in 0..1000 {
        match b.line().await {
            Some(line) => assert!(!line.starts_with("lobby end"), "{line}"),
            None => break,
        }
    }
    let error = server.ended().await.expect_err("nothing can be written");
    assert!(error.contains("nothing can be written"), "{error}");
}

/// Also if nothing happens that would have to be written.
#[cfg(unix)]
#[tokio::test]
async fn a_server_whose_file_is_moved_away_ends_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let file = folder.path().join("server.db");
    std::fs::rename(&file, folder.path().join("elsewhere.db")).expect("a file");
    let ended = tokio::time::timeout(PATIENCE, server.ended()).await;
    let error = ended.expect("it ends").expect_err("nothing can be written");
    assert!(error.contains("nothing can be written"), "{error}");
}

/// Answers do not heap up in the file.
#[tokio::test]
async fn answers_are_taken_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let place = folder.path().to_path_buf();
    let asked = tokio::task::spawn_blocking(move || {
        for _ in 0..3 {
            quadrille_server::serve::order(&place, &Order::Status).expect("a status");
        }
    });
    asked.await.expect("three answers");
    let file = folder.path().join("server.db");
    let rows = || {
        let connection = rusqlite::Connection::open(&file).expect("a file");
        let count = connection.query_row("SELECT count(*) FROM control", [], |row| row.get(0));
        count.expect("a number")
    };
    let left: i64 = rows();
    assert_eq!(left, 0);
    // Nor those that are not waited for.
    for _ in 0..150 {
        store::order(&file, r#"{"order":"status"}"#).expect("an order");
    }
    let mut left: i64 = rows();
    for _ in 0..300 {
        if left <= 101 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        left = rows();
    }
    assert!(left <= 101, "{left} answers");
    server.stop();
    server.ended().await.expect("a clean end");
}

/// A time without end is no time that could be added to a clock.
#[tokio::test]
async fn endless_times_do_not_break_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let endless = Settings {
        handshake: u64::MAX,
        ready: u64::MAX,
        grace: u64::MAX,
        restart_grace: u64::MAX,
        pause: u64::MAX,
        margin: u64::MAX,
        ..Settings::default()
    };
    let server = start(folder.path(), endless);
    two_play(Client::joined(&server), Client::joined(&server)).await;
    server.stop();
    server.ended().await.expect("a clean end");
}

#[tokio::test]
async fn a_line_that_is_too_long_ends_the_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let mut client = Client::joined(&server);
    client.until("uci").await;
    client.say(&"x".repeat(LINE + 10)).await;
    let line = client.until("info").await;
    assert_eq!(line, "info clienterror your line was too long");
    assert_eq!(client.line().await, None);
    server.stop();
    server.ended().await.expect("a clean end");
}

/// Bytes of a client that means no good, over TCP: the next one is served as if
/// nothing had been.
async fn hostile(bytes: &[u8], secret: bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("a certificate");
    let trust = Trust::Fingerprint(certificate.fingerprint());
    let door = if secret {
        Acceptor::tls(&certificate).expect("a door")
    } else {
        Acceptor::plain()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let listening = server.clone();
    tokio::spawn(async move { listening.listen(listener, door).await });
    let mut bad = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("a connection");
    let mut half = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("a connection");
    for stream in [&mut bad, &mut half] {
        // What is cut off in the middle is cut off.
        let _ = stream.write_all(bytes).await;
    }
    // One stays, one goes in the middle of a word.
    drop(half);
    let trust = secret.then_some(&trust);
    let good = connect("127.0.0.1", port, trust, PATIENCE)
        .await
        .expect("a connection");
    let mut good = Client::over(good);
    let welcome = good.enter("Good").await;
    assert!(welcome.starts_with("lobby welcome name Good "), "{welcome}");
    good.say("lobby list players").await;
    good.until("lobby list-end players").await;
    server.stop();
    server.ended().await.expect("a clean end");
}

macro_rules! hostile_bytes {
    ($($name:ident: $bytes:expr, $secret:literal;)+) => {
        $(
            #[tokio::test]
            async fn $name() {
                hostile($bytes, $secret).await;
            }
        )+
    };
}

hostile_bytes! {
    half_a_line: b"id username Ev", false;
    no_utf8: b"id username \xff\xfe\xc0\n\x80\x81uciok\n", false;
    zeros: &[0; 10_000], false;
    only_line_ends: &[b'\n'; 5000], false;
    lone_carriage_returns: &[b'\r'; 5000], false;
    a_telnet: b"\xff\xfb\x1f\xff\xfb\x20hello\r\n", false;
    a_browser: b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", false;
    tls_where_there_is_none: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", false;
    no_tls_where_it_is_wanted: b"id username Evil\nuciok\n", true;
    half_a_tls_handshake: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", true;
    a_line_without_end: &vec![b'a'; 3 * LINE], false;
}

#[tokio::test]
async fn a_storm_of_connections_over_tcp() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), Settings::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let listening = server.clone();
    tokio::spawn(async move { listening.listen(listener, Acceptor::plain()).await });
    let mut open = Vec::new();
    for _ in 0..300 {
        open.extend(TcpStream::connect(("127.0.0.1", port)).await);
    }
    let (ours, theirs) = duplex(1024);
    server.join(theirs, Some("10.0.0.7".parse().expect("an address")));
    let mut other = Client::over(ours);
    other.enter("Other").await;
    let status = server.operate(Order::Status).await.expect("a status");
    let connections = status["connections"].as_u64().expect("a number");
    assert!(
        connections <= 9,
        "eight unfinished handshakes and one other: {connections}"
    );
    server.stop();
    server.ended().await.expect("a clean end");
}

#[tokio::test]
async fn one_who_does_not_read_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = Settings::default();
    settings.lines.burst = 100_000;
    let server = start(folder.path(), settings);
    let (ours, theirs) = duplex(256);
    server.join(theirs, None);
    let mut slow = Client::over(ours);
    slow.enter("Slow").await;
    // Each question has an answer; nothing is read any more.
    for n in 0..20_000 {
        slow.say("lobby list seeks").await;
        if n % 100 == 99
            && server.operate(Order::Status).await.expect("a status")["connections"] == 0
        {
            server.stop();
            return server.ended().await.expect("a clean end");
        }
    }
    panic!("the slow reader is still in");
}

/// One who does not read and is cut off for a line that is too long is waited for by
/// nobody, as long as its connection stands.
#[tokio::test]
async fn timers_go_on_beside_one_who_is_cut_off_and_does_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = Settings {
        handshake: 1,
        ..Settings::default()
    };
    let server = start(folder.path(), short);
    // Nothing of what is said to it is read: the writer waits.
    let (ours, theirs) = duplex(64);
    server.join(theirs, None);
    let (_unread, mut writer) = split(ours);
    let long = "y".repeat(LINE + 10);
    let said = format!("id username Evil\nid lobby 1\nuciok\n{long}\n");
    let sent = tokio::time::timeout(PATIENCE, writer.write_all(said.as_bytes())).await;
    sent.expect("the server reads").expect("it is connected");
    // This one never says uciok, and is told so by a timer.
    let mut silent = Client::joined(&server);
    silent.until("uci").await;
    let told = tokio::time::timeout(Duration::from_secs(10), silent.line()).await;
    let told = told.expect("timers go on").expect("a line");
    assert_eq!(told, "info clienterror no uciok in time");
    server.stop();
    server.ended().await.expect("a clean end");
}

/// While the hall cannot go on, lines wait for it; those of the board are not the
/// first. A move among them that came in time does not lose.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_move_that_waits_behind_others_does_not_lose() {
    let folder = tempfile::tempdir().expect("a folder");
    let stalled = std::sync::atomic::AtomicBool::new(false);
    let mut settings = Settings::default();
    settings.lines.burst = 1000;
    let server = Server::start(Options {
        settings,
        store: folder.path().join("server.db"),
        program: "Quadrille".into(),
        // The hall waits for its log, once.
        log: Box::new(move |log| {
            let now = log.detail.starts_with("Stall");
            if now && !stalled.swap(true, std::sync::atomic::Ordering::Relaxed) {
                std::thread::sleep(Duration::from_secs(6));
            }
        }),
        work: Work::Small,
    })
    .expect("a server");
    let mut others: Vec<Client> = (0..3).map(|_| Client::joined(&server)).collect();
    for (n, other) in others.iter_mut().enumerate() {
        other.enter(&format!("other{n}")).await;
    }
    let (mut a, mut b) = (Client::joined(&server), Client::joined(&server));
    a.enter("Ann").await;
    b.enter("Bob").await;
    a.say("lobby seek time 5 colour white word x").await;
    a.until("lobby seek").await;
    b.say("lobby join word x").await;
    for client in [&mut a, &mut b] {
        client.until("isready").await;
        client.say("readyok").await;
    }
    a.until("go ").await;
    let mut stall = Client::joined(&server);
    for line in ["id lobby 1", "id username Stall", "uciok"] {
        stall.say(line).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    for other in &mut others {
        for _ in 0..100 {
            other.say("lobby list tournaments").await;
        }
    }
    a.say("bestmove e2e4").await;
    let told = b.until("go ").await;
    let white: u64 = told
        .split(' ')
        .nth(2)
        .and_then(|n| n.parse().ok())
        .expect("a clock");
    assert!(white > 0, "{told}");
    // The other side has its whole time from then on.
    assert!(told.contains("btime 5000"), "{told}");
    b.say("bestmove e7e5").await;
    a.until("go ").await;
    server.stop();
    server.ended().await.expect("a clean end");
}
