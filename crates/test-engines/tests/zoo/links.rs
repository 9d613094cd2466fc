//! Engines that are no process: on a thread of this program, and at the other
//! end of a connection. What is promised holds over every link.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Answer, Engine, Failure, Limits, Link, Memory, StartError, Stream};
use quadrille_games::{AnyLine, Game};
use tokio::net::TcpStream;

use super::beast::{over, short, spec, start_process};
use super::inside;
use crate::network_engine;

/// Every kind of link that there is besides processes.
const KINDS: [Kind; 2] = [Kind::Memory, Kind::Tcp];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Memory,
    Tcp,
}

/// A server on a port of this machine: the first that connects is served, and
/// what became of that is told.
fn serve<S>(serve: S) -> (u16, Receiver<()>)
where
    S: FnOnce(std::net::TcpStream) + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        if let Ok((stream, _)) = listener.accept() {
            serve(stream);
        }
        let _ = sender.send(());
    });
    (port, receiver)
}

/// Lets an engine speak over a connection, and closes it behind the engine,
/// whatever of it still holds an end.
fn speak<E>(stream: &std::net::TcpStream, engine: E)
where
    E: FnOnce(Box<dyn Read + Send>, Box<dyn Write + Send>),
{
    let handle = || Box::new(stream.try_clone().expect("another handle"));
    engine(handle(), handle());
    let _ = stream.shutdown(Shutdown::Both);
}

/// A link to an engine that is this function.
async fn link<E>(kind: Kind, engine: E) -> Box<dyn Link>
where
    E: FnOnce(Box<dyn Read + Send>, Box<dyn Write + Send>) + Send + 'static,
{
    match kind {
        Kind::Memory => {
            let link = Memory::spawn(move |reader, writer| {
                engine(Box::new(reader), Box::new(writer));
                Ok(())
            });
            Box::new(link.expect("a thread"))
        }
        Kind::Tcp => {
            let (port, _) = serve(move |stream| speak(&stream, engine));
            let stream = TcpStream::connect(("127.0.0.1", port)).await;
            Box::new(Stream::new(stream.expect("it listens")))
        }
    }
}

/// An animal at the other end.
async fn animal(kind: Kind, spec: &EngineSpec) -> Box<dyn Link> {
    let words = spec.args.clone();
    link(kind, move |reader, writer| {
        // How it ends shows at our end.
        let _ = inside::live(&words, reader, writer);
    })
    .await
}

/// Shakes hands, then says these bytes to every `go` and closes its output when
/// it is told to quit.
fn scripted(reader: Box<dyn Read + Send>, mut writer: Box<dyn Write + Send>, answer: &[u8]) {
    for line in BufReader::new(reader).lines().map_while(Result::ok) {
        let said = match line.split(' ').next() {
            Some("uci") => &b"uciok\n"[..],
            Some("isready") => b"readyok\n",
            Some("go") => answer,
            Some("quit") => return,
            _ => b"",
        };
        if writer.write_all(said).is_err() {
            return;
        }
        if line.starts_with("go") && !answer.ends_with(b"\n") {
            return;
        }
    }
}

fn is_stalled(answer: &Answer) -> bool {
    matches!(answer, Answer::Failed(Failure::Stalled { .. }))
}

#[tokio::test]
async fn a_game_a_ping_and_a_farewell() {
    for kind in KINDS {
        let spec = spec("");
        let mut beast = over(animal(kind, &spec).await, &spec).await.expect("ready");
        beast.engine.new_game().await.expect("ready");
        beast.engine.ping().await.expect("alive");
        let mut line = AnyLine::start(Game::Chess);
        for _ in 0..20 {
            if line.outcome().is_some() {
                break;
            }
            let outcome = beast.search(&line, &Limits::depth(1)).await;
            let best = outcome.best().expect("a move").text.clone();
            line.play(&best).expect("legal");
        }
        assert_eq!(beast.engine.process_id(), None, "{kind:?}");
        let farewell = beast.engine.quit().await;
        assert!(
            !farewell.killed && farewell.death.is_clean(),
            "{farewell:?}"
        );
        assert_eq!(beast.sent().last().map(String::as_str), Some("quit"));
        beast.found_only(&[]);
    }
}

#[tokio::test]
async fn floods_long_lines_and_odd_line_ends() {
    for kind in KINDS {
        let spec = spec("flood long-lines crlf");
        let mut beast = over(animal(kind, &spec).await, &spec).await.expect("ready");
        let outcome = beast.think().await;
        assert!(outcome.best().is_some(), "{kind:?}: {outcome:?}");
        assert_eq!(outcome.info_count, 50_003);
        assert!(beast.found(HostDiagnostic::LineCut));
    }
}

#[tokio::test]
async fn a_flood_does_not_extend_the_deadline() {
    for kind in KINDS {
        let spec = short("flood-forever");
        let mut beast = over(animal(kind, &spec).await, &spec).await.expect("ready");
        let outcome = beast.think().await;
        assert!(is_stalled(&outcome.answer), "{kind:?}: {outcome:?}");
        assert!(outcome.info_count > 0);
        assert!(beast.sent().contains(&"stop".to_owned()));
    }
}

/// A flood must not keep `stop` from the engine either: this one reads `go`,
/// fills our ears until it reads `stop`, and answers then.
#[tokio::test]
async fn stop_reaches_an_engine_that_talks_without_end() {
    for kind in KINDS {
        let link = link(kind, |reader, mut writer| {
            let mut lines = BufReader::new(reader).lines().map_while(Result::ok);
            let (sender, stopped) = channel();
            let (asked, questions) = channel();
            thread::spawn(move || {
                lines.try_for_each(|line| match line.as_str() {
                    "stop" => sender.send(()).ok(),
                    line => asked.send(line.to_owned()).ok(),
                })
            });
            for line in questions {
                let said = match line.split(' ').next() {
                    Some("uci") => "uciok\n",
                    Some("isready") => "readyok\n",
                    Some("go") => {
                        while stopped.try_recv().is_err()
                            && writer.write_all(b"info depth 1\n").is_ok()
                        {}
                        "bestmove e2e4\n"
                    }
                    _ => "",
                };
                if writer.write_all(said.as_bytes()).is_err() {
                    return;
                }
            }
        });
        let mut beast = over(link.await, &spec("")).await.expect("ready");
        let line = AnyLine::start(Game::Chess);
        let limits = Limits::infinite();
        let mut search = beast.engine.search(&line, &limits).await;
        search.next().await.expect("it talks");
        search.stop();
        let outcome = search.finish().await;
        assert!(outcome.best().is_some(), "{kind:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn silence_has_a_deadline() {
    for kind in KINDS {
        let mut silent = spec("silent");
        silent.timeouts.startup = Duration::from_millis(100);
        let error = over(animal(kind, &silent).await, &silent).await.err();
        let none = matches!(error, Some(StartError::NoHandshake { .. }));
        assert!(none, "{kind:?}: {error:?}");
        for quirk in ["ignores-stop", "never-ready", "spins-when-over"] {
            let mut spec = short(quirk);
            spec.timeouts.ping = Duration::from_millis(50);
            let mut beast = over(animal(kind, &spec).await, &spec).await.expect("ready");
            let line = super::beast::at(super::beast::MATED);
            let limits = Limits::infinite();
            let mut search = beast.engine.search(&line, &limits).await;
            search.stop();
            let outcome = search.finish().await;
            assert!(is_stalled(&outcome.answer), "{quirk} {kind:?}: {outcome:?}");
            assert!(is_stalled(&beast.think().await.answer), "and so it stays");
        }
    }
}

/// It never reads; what cannot be sent must not stop us.
#[tokio::test]
async fn an_engine_that_never_reads() {
    for kind in KINDS {
        let mut deaf = short("deaf");
        deaf.timeouts.ping = Duration::from_millis(100);
        deaf.options = vec![("Book".into(), Some("x".repeat(10 << 20)))];
        let mut beast = over(animal(kind, &deaf).await, &deaf).await.expect("ready");
        let outcome = beast.think().await;
        assert!(is_stalled(&outcome.answer), "{kind:?}: {outcome:?}");
        assert!(beast.found(HostDiagnostic::NotReady));
    }
}

/// What was said of a line before the end counts as a line.
#[tokio::test]
async fn half_a_line_and_then_the_end() {
    for kind in KINDS {
        let half = link(kind, |r, w| scripted(r, w, b"info depth 3\nbestmove e2e4"));
        let mut beast = over(half.await, &spec("")).await.expect("ready");
        let outcome = beast.think().await;
        assert_eq!(outcome.best().map(|m| m.text.as_str()), Some("e2e4"));
        let gone = beast.think().await;
        let Answer::Failed(Failure::Died(death)) = &gone.answer else {
            panic!("{kind:?}: {gone:?}");
        };
        assert_eq!((death.code, death.signal), (None, None));
        assert!(beast.found(HostDiagnostic::Died));
        assert!(!beast.engine.quit().await.killed);
    }
}

#[tokio::test]
async fn an_end_in_the_middle() {
    for kind in KINDS {
        let hello = link(kind, |reader, writer| drop((reader, writer)));
        let error = over(hello.await, &spec("")).await.err();
        let died = matches!(error, Some(StartError::Died { .. }));
        assert!(died, "{kind:?}: {error:?}");
        let search = link(kind, |r, w| scripted(r, w, b"info depth 1 nodes"));
        let mut beast = over(search.await, &spec("")).await.expect("ready");
        let outcome = beast.think().await;
        let died = matches!(outcome.answer, Answer::Failed(Failure::Died(_)));
        assert!(died, "{kind:?}: {outcome:?}");
        assert_eq!(outcome.info_count, 1, "its last words are heard");
    }
}

#[tokio::test]
async fn no_end_on_quit() {
    for kind in KINDS {
        let spec = short("hangs-on-quit");
        let mut beast = over(animal(kind, &spec).await, &spec).await.expect("ready");
        let farewell = beast.engine.quit().await;
        assert!(farewell.killed, "{kind:?}");
        beast.found_only(&["hung-on-quit"]);
    }
}

/// The engine reads the end of its input, whatever it is connected with.
#[tokio::test]
async fn a_dropped_engine_closes_its_link() {
    for kind in KINDS {
        let (sender, gone) = channel();
        let link = link(kind, move |reader, writer| {
            scripted(reader, writer, b"bestmove e2e4\n");
            let _ = sender.send(());
        });
        let mut beast = over(link.await, &spec("")).await.expect("ready");
        beast.lives_on().await;
        drop(beast);
        let ended =
            tokio::task::spawn_blocking(move || gone.recv_timeout(Duration::from_secs(20)).is_ok());
        assert!(ended.await.expect("no panic"), "{kind:?}");
    }
}

#[tokio::test]
async fn a_thread_that_fails_says_why() {
    let failing = Memory::spawn(|_, _| Err("the rules cannot be read".into()));
    let panicking = Memory::spawn(|reader, writer| {
        drop((reader, writer));
        std::panic::resume_unwind(Box::new("index out of range"));
    });
    for (link, words) in [
        (failing, "it ended: the rules cannot be read"),
        (panicking, "its thread panicked: index out of range"),
    ] {
        let link = Box::new(link.expect("a thread"));
        let error = over(link, &spec("")).await.err();
        let Some(StartError::Died { death, .. }) = error else {
            panic!("{error:?}");
        };
        assert_eq!(death.to_string(), words);
    }
}

/// The description of an engine on the network.
fn at_port(port: u16) -> EngineSpec {
    EngineSpec {
        command: format!("tcp://127.0.0.1:{port}").into(),
        args: Vec::new(),
        ..spec("")
    }
}

#[tokio::test]
async fn an_address_is_enough() {
    let (port, over) = serve(|stream| {
        speak(&stream, |reader, writer| {
            let _ = inside::live(&["no-id".into()], reader, writer);
        });
    });
    let started = Engine::start(&at_port(port), Game::Chess).await;
    let mut engine = started.expect("ready");
    assert_eq!(engine.name(), format!("127.0.0.1:{port}"));
    let farewell = engine.quit().await;
    assert!(
        !farewell.killed && farewell.death.is_clean(),
        "{farewell:?}"
    );
    assert!(over.recv_timeout(Duration::from_secs(20)).is_ok());
}

/// The example of the library.
#[tokio::test]
async fn the_example_plays_a_game_over_the_network() {
    let (port, over) = serve(|stream| {
        speak(&stream, |reader, writer| {
            let _ = inside::live(&[], reader, writer);
        });
    });
    let address = format!("tcp://127.0.0.1:{port}");
    let moves = network_engine::play(&address, 40).await.expect("a game");
    let mut line = AnyLine::start(Game::Chess);
    for notation in &moves {
        let legal = line.legal_moves(300);
        let found = legal.iter().find(|m| m.notation == *notation);
        line.play(&found.expect("legal").text).expect("legal");
    }
    assert!(moves.len() == 40 || line.outcome().is_some(), "{moves:?}");
    assert!(over.recv_timeout(Duration::from_secs(20)).is_ok());
    let source = include_str!("../../../driver/examples/network_engine.rs");
    assert!(source.lines().count() <= 42, "it is to be read at a glance");
}

#[tokio::test]
async fn a_port_where_nothing_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    drop(listener);
    let error = Engine::start(&at_port(port), Game::Chess).await.err();
    let Some(error @ StartError::Connect { .. }) = error else {
        panic!("{error:?}");
    };
    let words = format!("cannot connect to tcp://127.0.0.1:{port}: ");
    assert!(error.to_string().starts_with(&words), "{error}");
}

#[tokio::test]
async fn a_server_that_never_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let mut spec = at_port(port);
    spec.timeouts.startup = Duration::from_millis(100);
    let error = Engine::start(&spec, Game::Chess).await.err();
    let none = matches!(error, Some(StartError::NoHandshake { .. }));
    assert!(none, "{error:?}");
}

/// A connection that is reset, not closed: the system drops what it had unread.
#[tokio::test]
async fn a_connection_that_breaks() {
    let (port, _) = serve(|stream| {
        let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
        for said in ["uciok\n", "readyok\n"] {
            lines.find(|line| matches!(line.as_str(), "uci" | "isready"));
            let _ = (&stream).write_all(said.as_bytes());
        }
        // The first byte of the next command has come, and its rest is unread.
        let _ = stream.peek(&mut [0]);
    });
    let mut engine = Engine::start(&at_port(port), Game::Chess)
        .await
        .expect("ready");
    let Err(Failure::Died(death)) = engine.ping().await else {
        panic!("{engine:?}");
    };
    let words = death.to_string();
    // Not every system resets a connection that is closed with words unread.
    let closed = !cfg!(unix) && words == "it closed its output";
    assert!(
        closed || words.starts_with("the connection broke: "),
        "{words}"
    );
}

#[tokio::test]
async fn an_address_that_cannot_be_read() {
    let mut spec = at_port(1);
    spec.command = "tcp://nowhere".into();
    let error = Engine::start(&spec, Game::Chess).await.err();
    assert!(matches!(error, Some(StartError::Address(_))), "{error:?}");
}

/// The same words go over every link, and the same answers come back.
#[tokio::test]
async fn a_link_makes_no_difference() {
    let spec = spec("--seed 5");
    let mut process = start_process(&spec).await;
    let expected = process.think().await;
    for kind in KINDS {
        let mut beast = over(animal(kind, &spec).await, &spec).await.expect("ready");
        let outcome = beast.think().await;
        assert_eq!(outcome.answer, expected.answer, "{kind:?}");
        assert_eq!(beast.sent(), process.sent(), "{kind:?}");
    }
}
