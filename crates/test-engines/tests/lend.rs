//! A lent engine, its friends and its enemies.

use std::time::Duration;

use quadrille_driver::lend::{LendEvent, Lender};
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Answer, Engine, Limits, StartError};
use quadrille_games::{AnyLine, Game};
use quadrille_net::{Acceptor, Certificate, Secret};
use quadrille_protocol::Dialect;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(30);

/// The zoo's animal with these switches.
fn animal(words: &str) -> EngineSpec {
    EngineSpec {
        command: env!("CARGO_BIN_EXE_zoo").into(),
        args: words.split_whitespace().map(Into::into).collect(),
        ..EngineSpec::default()
    }
}

pub(crate) struct Desk {
    port: u16,
    told: Receiver<LendEvent>,
    task: JoinHandle<()>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Desk {
    pub(crate) async fn open(lender: Lender) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("it is bound").port();
        let (events, told) = channel(100);
        let task = tokio::spawn(lender.serve(listener, events));
        Self { port, told, task }
    }

    async fn event(&mut self) -> LendEvent {
        let event = timeout(LONG, self.told.recv()).await;
        event.expect("in time").expect("it serves")
    }

    async fn refusal(&mut self) -> String {
        match self.event().await {
            LendEvent::Refused { why, .. } => why,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn end(&mut self) -> String {
        loop {
            match self.event().await {
                LendEvent::Went { why, .. } => return why,
                LendEvent::Came { .. } => {}
                other @ LendEvent::Refused { .. } => panic!("{other:?}"),
            }
        }
    }

    pub(crate) async fn visit(&self) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await;
        Client(BufReader::new(stream.expect("it listens")))
    }

    fn spec(&self, login: &str) -> EngineSpec {
        let mut spec = EngineSpec {
            command: format!("tcp://{login}127.0.0.1:{}", self.port).into(),
            ..EngineSpec::default()
        };
        spec.seal();
        spec
    }
}

pub(crate) struct Client(BufReader<TcpStream>);

impl Client {
    pub(crate) async fn say(&mut self, words: &str) {
        // The other side may have closed it.
        let _ = self.0.write_all(words.as_bytes()).await;
    }

    /// The next line that begins so; `None` at the end.
    pub(crate) async fn hear(&mut self, begin: &str) -> Option<String> {
        let heard = async {
            let mut line = String::new();
            for _ in 0..100_000 {
                line.clear();
                match self.0.read_line(&mut line).await {
                    Ok(0) | Err(_) => return None,
                    Ok(_) if line.starts_with(begin) => return Some(line.trim_end().to_owned()),
                    Ok(_) => {}
                }
            }
            panic!("no {begin} in many lines");
        };
        timeout(LONG, heard).await.expect("in time")
    }
}

fn with_password(engine: EngineSpec) -> Lender {
    Lender {
        password: Secret::new("open sesame"),
        most: 2,
        ..Lender::new(engine)
    }
}

#[tokio::test]
async fn an_engine_is_lent_to_whoever_knows_the_password() {
    let mut desk = Desk::open(with_password(animal("--seed 3"))).await;
    let spec = desk.spec("ann:open sesame@");
    assert!(!format!("{spec:?}").contains("sesame"));
    let mut engine = Engine::start(&spec, Game::Chess).await.expect("ready");
    let came = desk.event().await;
    let LendEvent::Came { name, taken: 1, .. } = &came else {
        panic!("{came:?}");
    };
    assert_eq!(name, "ann");
    let line = AnyLine::start(Game::Chess);
    let outcome = engine.search(&line, Limits::depth(2)).await.finish().await;
    assert!(matches!(outcome.answer, Answer::Move(_)), "{outcome:?}");
    let farewell = engine.quit().await;
    assert!(farewell.death.is_clean(), "{farewell:?}");
    // Both close at about the same time.
    let end = desk.end().await;
    assert!(["the engine ended", "the client left"].contains(&end.as_str()));

    for (login, words) in [
        ("", "this engine is lent with a password"),
        ("ann:wrong@", "the password is wrong"),
        (":open sesame!@", "the password is wrong"),
    ] {
        let error = Engine::start(&desk.spec(login), Game::Chess).await.err();
        let Some(error @ StartError::Died { .. }) = error else {
            panic!("{error:?}");
        };
        assert!(error.to_string().contains(words), "{error}");
        assert!(desk.refusal().await.contains(words));
    }
}

#[tokio::test]
async fn without_a_password_one_that_is_given_is_not_passed_on() {
    let mut desk = Desk::open(Lender::new(animal(""))).await;
    let mut engine = Engine::start(&desk.spec("bob:hush@"), Game::Chess)
        .await
        .expect("ready");
    assert!(
        desk.event()
            .await
            .to_string()
            .starts_with("bob (127.0.0.1:")
    );
    engine.quit().await;
}

#[tokio::test]
async fn it_is_lent_under_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("made");
    let lender = Lender {
        door: Acceptor::tls(&certificate).expect("usable"),
        ..with_password(animal(""))
    };
    let desk = Desk::open(lender).await;
    let at = format!("127.0.0.1:{}", desk.port);
    let spec = |trust: &str| {
        let mut spec = EngineSpec {
            command: format!("tls://:open sesame@{at}{trust}").into(),
            ..EngineSpec::default()
        };
        spec.seal();
        spec
    };
    let known = format!("#{}", certificate.fingerprint());
    let mut engine = Engine::start(&spec(&known), Game::Chess)
        .await
        .expect("ready");
    assert!(!engine.quit().await.killed);
    // One that is not trusted is told how it can be, without the password.
    let authority = format!("#ca:{}", folder.path().join("tls.pem").display());
    assert!(Engine::start(&spec(&authority), Game::Chess).await.is_ok());
    let other = tempfile::tempdir().expect("a folder");
    Certificate::kept_in(other.path(), &[]).expect("made");
    let authority = format!("#ca:{}", other.path().join("tls.pem").display());
    let error = Engine::start(&spec(&authority), Game::Chess).await.err();
    let words = error.expect("not trusted").to_string();
    assert!(
        words.contains(&format!("add {known} to the address")),
        "{words}"
    );
    assert!(!words.contains("sesame"), "{words}");
}

#[tokio::test]
async fn plain_words_to_an_engine_under_tls_get_a_hint() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("made");
    let lender = Lender {
        door: Acceptor::tls(&certificate).expect("usable"),
        ..Lender::new(animal(""))
    };
    let desk = Desk::open(lender).await;
    let error = Engine::start(&desk.spec(""), Game::Chess).await.err();
    let hint = error.expect("no handshake").hint();
    assert_eq!(
        hint.as_deref(),
        Some("it speaks TLS: write tls:// for tcp://")
    );
}

#[tokio::test]
async fn an_address_has_few_tries() {
    let mut desk = Desk::open(with_password(animal(""))).await;
    for _ in 0..5 {
        let mut client = desk.visit().await;
        client.say("password guess\n").await;
        let said = client.hear("info error").await;
        assert_eq!(said.as_deref(), Some("info error the password is wrong"));
        desk.refusal().await;
    }
    // Now it is not even asked, not for the right one either.
    let mut client = desk.visit().await;
    client.say("password open sesame\nuci\n").await;
    assert_eq!(client.hear("").await, None);
    assert!(desk.refusal().await.contains("too many wrong passwords"));
}

/// Clients that say nothing, half a line, or an endless one, instead of a password.
#[tokio::test]
async fn what_is_no_password_holds_no_place() {
    let mut desk = Desk::open(with_password(animal(""))).await;
    let _silent = desk.visit().await;
    let mut half = desk.visit().await;
    half.say("passw").await;
    let mut long = desk.visit().await;
    long.say(&"x".repeat(5000)).await;
    assert!(
        long.hear("info error this engine is lent with a password")
            .await
            .is_some()
    );
    let mut engine = desk.visit().await;
    engine.say("uci\n").await;
    assert!(
        engine
            .hear("info error this engine is lent with a password")
            .await
            .is_some()
    );
    // More than an address may have half open.
    let crowd = futures(20, || desk.visit()).await;
    let mut crowded = 0;
    while crowded < 10 {
        crowded += u32::from(desk.refusal().await.contains("half open"));
    }
    drop(crowd);
    drop(half);
}

async fn futures<F: Future<Output = Client>>(number: usize, make: impl Fn() -> F) -> Vec<Client> {
    let mut all = Vec::new();
    for _ in 0..number {
        all.push(make().await);
    }
    all
}

#[tokio::test]
async fn there_are_no_more_engines_than_places() {
    let lender = Lender {
        most: 2,
        ..Lender::new(animal(""))
    };
    let mut desk = Desk::open(lender).await;
    let mut clients = Vec::new();
    for _ in 0..2 {
        let mut client = desk.visit().await;
        client.say("uci\n").await;
        assert!(client.hear("uciok").await.is_some());
        clients.push(client);
    }
    let mut third = desk.visit().await;
    third.say("uci\n").await;
    let said = third.hear("").await;
    let full = "info error all places are taken; try again later";
    assert_eq!(said.as_deref(), Some(full));
    drop(clients);
    for _ in 0..2 {
        while !matches!(desk.event().await, LendEvent::Went { .. }) {}
    }
    let mut fourth = desk.visit().await;
    fourth.say("uci\n").await;
    assert!(fourth.hear("uciok").await.is_some());
}

#[tokio::test]
async fn only_what_is_harmless_is_passed_on() {
    let lender = Lender {
        allow_options: vec!["UCI_Secret".into()],
        ..Lender::new(animal(""))
    };
    let desk = Desk::open(lender).await;
    let mut client = desk.visit().await;
    client.say("uci\n").await;
    assert!(client.hear("uciok").await.is_some());
    for (line, refused) in [
        ("setoption name Book value /etc/passwd", true),
        ("setoption name UCI_Secret value x", false),
        ("setoption name Hash value 1", false),
        ("export_net /tmp/x", true),
    ] {
        client.say(&format!("{line}\nisready\n")).await;
        let said = client.hear("").await.expect("an answer");
        assert_eq!(said.starts_with("info error "), refused, "{line}: {said}");
        if refused {
            assert_eq!(client.hear("").await.as_deref(), Some("readyok"));
        }
    }
}

#[tokio::test]
async fn what_its_owner_sets_stays_so() {
    let mut engine = animal("--game leiser staff");
    engine.dialect = Some(Dialect::Leiser);
    engine.options = vec![("hattack".into(), Some("5".into()))];
    let desk = Desk::open(Lender::new(engine)).await;
    let mut client = desk.visit().await;
    client.say("uci\n").await;
    assert!(client.hear("uciok").await.is_some());
    let set = client.hear("info setting").await;
    assert_eq!(set.as_deref(), Some("info setting hattack to 5"));
    client.say("setoption name hattack value 6\n").await;
    let said = client.hear("").await.expect("an answer");
    assert!(
        said.starts_with("info error option hattack: the owner"),
        "{said}"
    );
}

#[tokio::test]
async fn a_line_that_is_too_long_ends_it() {
    let mut desk = Desk::open(Lender::new(animal(""))).await;
    let mut client = desk.visit().await;
    client.say("uci\n").await;
    assert!(client.hear("uciok").await.is_some());
    let Client(stream) = client;
    let (mut reads, mut writes) = stream.into_inner().into_split();
    let flood = tokio::spawn(async move {
        let chunk = vec![b'x'; 1 << 16];
        for _ in 0..64 {
            if writes.write_all(&chunk).await.is_err() {
                break;
            }
        }
        writes
    });
    assert_eq!(desk.end().await, "a line was too long");
    let mut said = Vec::new();
    let _ = timeout(LONG, reads.read_to_end(&mut said))
        .await
        .expect("closed");
    flood.await.expect("no panic");
}

#[tokio::test]
async fn an_idle_client_is_told_and_sent_away() {
    let lender = Lender {
        idle: Duration::from_millis(300),
        ..Lender::new(animal(""))
    };
    let mut desk = Desk::open(lender).await;
    let mut client = desk.visit().await;
    client.say("uci\nisrea").await;
    let said = client.hear("info error closed").await;
    assert!(said.is_some_and(|said| said.contains("nothing was said")));
    assert_eq!(client.hear("").await, None);
    assert_eq!(desk.end().await, "the client was idle for too long");
}

/// The processes of an animal that has a child, by a mark in their environment.
#[cfg(target_os = "linux")]
fn alive(mark: &str) -> usize {
    let wanted = format!("LEND_TEST={mark}");
    let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
    let marked = |folder: &std::fs::DirEntry| {
        let environment = std::fs::read(folder.path().join("environ")).unwrap_or_default();
        environment
            .split(|&b| b == 0)
            .any(|v| v == wanted.as_bytes())
    };
    processes.filter(marked).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_that_disconnects_takes_the_whole_tree_with_it() {
    let mark = format!("{}-tree", std::process::id());
    let mut engine = animal("has-child ignores-stop hangs-on-quit");
    engine.environment = vec![("LEND_TEST".into(), mark.clone())];
    let mut desk = Desk::open(Lender::new(engine)).await;
    let mut client = desk.visit().await;
    client
        .say("uci\nisready\nposition startpos\ngo infinite\n")
        .await;
    assert!(client.hear("readyok").await.is_some());
    assert!(alive(&mark) >= 1);
    drop(client);
    assert_eq!(desk.end().await, "the client left");
    for _ in 0..500 {
        if alive(&mark) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} processes are left", alive(&mark));
}

/// An engine that floods and a client that does not read: the engine waits, and
/// what is kept between them does not grow.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_that_does_not_read_costs_no_memory() {
    let lender = Lender {
        idle: Duration::from_secs(3),
        ..Lender::new(animal("flood-forever"))
    };
    let mut desk = Desk::open(lender).await;
    let mut client = desk.visit().await;
    client
        .say("uci\nisready\nposition startpos\ngo infinite\n")
        .await;
    assert!(client.hear("readyok").await.is_some());
    let memory = || -> u64 {
        let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
        let pages = text.split_whitespace().nth(1).expect("resident");
        pages.parse::<u64>().expect("a number") * 4096
    };
    let before = memory();
    // It does not read, and it talks: isready without end.
    let chunk = "isready\n".repeat(1000);
    let talk = timeout(Duration::from_secs(1), async {
        for _ in 0..100_000 {
            if client.0.write_all(chunk.as_bytes()).await.is_err() {
                break;
            }
        }
    });
    let _ = talk.await;
    // Other tests run beside it; an unbounded queue would have taken gigabytes.
    let grown = memory().saturating_sub(before);
    assert!(grown < 200 << 20, "{} MB", grown >> 20);
    assert_eq!(desk.end().await, "the client was idle for too long");
}

#[tokio::test]
async fn an_engine_that_cannot_be_started_says_so_to_its_owner_only() {
    let engine = EngineSpec {
        command: "/no/such/engine".into(),
        ..EngineSpec::default()
    };
    let mut desk = Desk::open(Lender::new(engine)).await;
    let mut client = desk.visit().await;
    client.say("uci\n").await;
    let said = client.hear("").await.expect("an answer");
    assert_eq!(said, "info error the engine could not be started");
    assert!(desk.refusal().await.contains("/no/such/engine"));
}

/// What clients call themselves moves no cursor of the owner's.
#[tokio::test]
async fn names_are_shown_as_text() {
    let mut desk = Desk::open(Lender::new(animal(""))).await;
    let mut client = desk.visit().await;
    client.say("username \x1b[2Jevil\x07\nuci\n").await;
    assert!(client.hear("uciok").await.is_some());
    let shown = desk.event().await.to_string();
    assert!(
        !shown.contains('\x1b') && !shown.contains('\x07'),
        "{shown:?}"
    );
    assert!(shown.contains(r"\u{1b}[2Jevil"), "{shown}");
}

/// The owner hears how an engine ended: by which signal, or with which code.
#[cfg(unix)]
#[tokio::test]
async fn the_owner_hears_how_an_engine_ended() {
    for (quirk, words) in [
        ("aborts-in-search", "the engine ended by signal 6 (SIGABRT)"),
        ("dies-in-search", "the engine ended with exit code 3"),
    ] {
        let mut desk = Desk::open(Lender::new(animal(quirk))).await;
        let mut client = desk.visit().await;
        client.say("uci\n").await;
        assert!(client.hear("uciok").await.is_some());
        client.say("position startpos\ngo depth 1\n").await;
        assert_eq!(client.hear("bestmove").await, None);
        let end = desk.end().await;
        assert!(end.starts_with(words), "{quirk}: {end}");
    }
}

/// What no game can have does not reach the engine, and the client is told why.
#[tokio::test]
async fn illegal_positions_and_moves_do_not_reach_the_engine() {
    let desk = Desk::open(Lender::new(animal("dies-on-fen"))).await;
    let mut client = desk.visit().await;
    client.say("uci\n").await;
    assert!(client.hear("uciok").await.is_some());
    for line in [
        format!("position fen {} w - - 0 1", "K".repeat(6000)),
        format!("position startpos moves{}", " e2e4".repeat(3000)),
        format!("go searchmoves{}", " a1a8".repeat(2400)),
        format!("isready {}", "x".repeat(5000)),
    ] {
        client.say(&format!("{line}\nisready\n")).await;
        let said = client.hear("").await.expect("an answer");
        assert!(said.starts_with("info error "), "{said}");
        assert_eq!(client.hear("").await.as_deref(), Some("readyok"));
    }
}
