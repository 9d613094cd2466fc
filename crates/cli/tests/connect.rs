//! `quadrille connect` against a server that plays by a script.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use quadrille_games::{AnyLine, Game};

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_mins(1);

/// The server's side of one connection.
struct Seat {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
    /// What the client said about itself.
    about: Vec<String>,
}

impl Seat {
    /// Takes the next client in as far as its `uciok`.
    fn take(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().expect("a client");
        stream.set_read_timeout(Some(LONG)).expect("a socket");
        let lines = BufReader::new(stream.try_clone().expect("a socket"));
        let about = Vec::new();
        let mut seat = Self {
            stream,
            lines,
            about,
        };
        seat.say("uci");
        loop {
            match seat.hear() {
                line if line == "uciok" => return seat,
                line => seat.about.push(line),
            }
        }
    }

    fn say(&mut self, line: &str) {
        self.stream
            .write_all(format!("{line}\n").as_bytes())
            .expect("it listens");
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        let count = self.lines.read_line(&mut line).expect("in time");
        assert!(count > 0, "the client left");
        line.trim_end().to_owned()
    }

    /// The next line that begins so; what came before it.
    fn wait_for(&mut self, begin: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        for _ in 0..10_000 {
            let line = self.hear();
            if line.starts_with(begin) {
                return (line, before);
            }
            before.push(line);
        }
        panic!("no {begin}");
    }

    fn welcome(&mut self, name: &str) {
        self.say(&format!(
            "lobby welcome name {name} account no token SECRET{name} chat off register no games \
             chess,liberty,leiser,gyges program Script"
        ));
    }

    fn start(&mut self, id: u32, game: Game, you: &str) {
        self.say(&format!(
            "lobby start id {id} white Ann black Bob white-rating 1500? black-rating 1500? game \
             {game} time 10+0.1 rated no you {you}"
        ));
    }

    /// Asks for a move in this position.
    fn go(&mut self, line: &AnyLine) {
        let moves = line.played_texts();
        let moves = if moves.is_empty() {
            String::new()
        } else {
            format!(" moves {}", moves.join(" "))
        };
        self.say(&format!("position fen {}{moves}", line.start_text()));
        self.say("go wtime 2000 btime 2000 winc 100 binc 100");
    }
}

pub(crate) struct Client {
    child: Child,
    shown: Receiver<String>,
    /// Where it keeps what a server gave it.
    _folder: tempfile::TempDir,
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn connect(port: u16, words: &[&str]) -> Client {
    connect_to(&format!("127.0.0.1:{port}"), words)
}

pub(crate) fn connect_to(address: &str, words: &[&str]) -> Client {
    spawn(
        Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(["connect", address])
            .args(words)
            .env("PW", "open sesame"),
    )
}

fn spawn(command: &mut Command) -> Client {
    let folder = tempfile::tempdir().expect("a folder");
    spawn_in(command.env("XDG_DATA_HOME", folder.path()), folder)
}

/// With a folder of its own, which goes with it.
pub(crate) fn spawn_in(command: &mut Command, folder: tempfile::TempDir) -> Client {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was built for this test");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (sender, shown) = channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    Client {
        child,
        shown,
        _folder: folder,
    }
}

impl Client {
    pub(crate) fn types(&mut self, line: &str) {
        let keyboard = self.child.stdin.as_mut().expect("a pipe");
        writeln!(keyboard, "{line}").expect("it reads");
    }

    /// The next line that has this in it.
    pub(crate) fn sees(&self, words: &str) -> String {
        self.sees_one_of(&[words])
    }

    /// The next line that has one of these in it.
    pub(crate) fn sees_one_of(&self, words: &[&str]) -> String {
        let mut seen = Vec::new();
        loop {
            match self.shown.recv_timeout(LONG) {
                Ok(line) if words.iter().any(|word| line.contains(word)) => return line,
                Ok(line) => seen.push(line),
                Err(error) => panic!("none of {words:?} in {seen:#?}: {error}"),
            }
        }
    }

    /// Waits for its end; whether it was a good one.
    pub(crate) fn ends(&mut self) -> bool {
        self.child.wait().expect("it ends").success()
    }
}

fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    (listener, port)
}

/// An engine says what it can, plays legal moves, answers `stop`, comes back with its
/// token when the connection is lost, and seeks again when a game is over.
#[test]
fn an_engine_plays_by_itself() {
    let (listener, port) = listen();
    let words = [
        "--engine",
        "builtin",
        "--game",
        "chess",
        "--game",
        "gyges",
        "--seek",
        "chess 10+0.1",
        "--as",
        "Robot",
        "--password-env",
        "PW",
    ];
    let client = connect(port, &words);
    let mut seat = Seat::take(&listener);
    let about = seat.about.join("\n");
    for line in [
        "id name ",
        "id games chess gyges",
        "id lobby 1",
        "id account Robot",
        "id password open sesame",
    ] {
        assert!(about.contains(line), "{line}: {about}");
    }
    assert!(!about.contains("id username"), "{about}");
    seat.welcome("Robot");
    let (seek, _) = seat.wait_for("lobby seek");
    assert!(seek.contains("game chess time 10+0.1"), "{seek}");

    let mut line = AnyLine::start(Game::Chess);
    seat.start(1, Game::Chess, "white");
    seat.say("ucinewgame");
    seat.say("isready");
    seat.wait_for("readyok");
    for _ in 0..3 {
        seat.go(&line);
        let (best, before) = seat.wait_for("bestmove ");
        assert!(
            before
                .iter()
                .any(|l| l.starts_with("info ") && l.contains(" pv ")),
            "{before:?}"
        );
        line.play(best.trim_start_matches("bestmove "))
            .expect("legal");
        let reply = line.legal_moves(1).remove(0);
        line.play(&reply.text).expect("legal");
    }
    // A move that is not wanted any more is answered all the same.
    seat.say(&format!(
        "position fen {} moves {}",
        line.start_text(),
        line.played_texts().join(" ")
    ));
    seat.say("go wtime 3600000 btime 3600000 winc 0 binc 0");
    seat.say("stop");
    seat.wait_for("bestmove ");
    // Lost in the middle of a search.
    seat.say("go wtime 3600000 btime 3600000 winc 0 binc 0");
    drop(seat);

    let mut seat = Seat::take(&listener);
    assert!(
        seat.about.iter().any(|l| l == "id token SECRETRobot"),
        "{:?}",
        seat.about
    );
    seat.welcome("Robot");
    seat.start(1, Game::Chess, "white");
    seat.say("ucinewgame");
    seat.say("isready");
    seat.wait_for("readyok");
    seat.go(&line);
    let (best, before) = seat.wait_for("bestmove ");
    assert!(
        !before.iter().any(|l| l.starts_with("lobby seek")),
        "{before:?}"
    );
    line.play(best.trim_start_matches("bestmove "))
        .expect("legal");
    seat.say("lobby end id 1 result 1-0 reason \u{1b}[2JBlack resigns");
    seat.wait_for("lobby seek");
    let over = client.sees("over: game 1");
    assert!(over.contains(r"1-0 (\u{1b}[2JBlack resigns)"), "{over:?}");

    // Another game, as Black; challenges to games it does not play are declined.
    seat.say("lobby challenge id 5 by Ann rating 1500 game leiser time 5+1 rated no colour random");
    assert_eq!(seat.wait_for("lobby ").0, "lobby decline id 5");
    seat.say("lobby challenge id 6 by Ann rating 1500 game gyges time 5+1 rated no colour random");
    assert_eq!(seat.wait_for("lobby ").0, "lobby accept id 6");
    let mut line = AnyLine::start(Game::Gyges);
    for _ in 0..3 {
        let first = line.legal_moves(1).remove(0);
        line.play(&first.text).expect("legal");
    }
    seat.start(2, Game::Gyges, "black");
    seat.say("ucinewgame");
    seat.say("isready");
    seat.wait_for("readyok");
    seat.go(&line);
    let (best, _) = seat.wait_for("bestmove ");
    line.play(best.trim_start_matches("bestmove "))
        .expect("legal in our view");
    seat.say("lobby offer id 2 what draw by Ann");
    assert_eq!(seat.wait_for("lobby ").0, "lobby no draw id 2");
    // Its player came in from elsewhere: it does not fight for the place.
    seat.say("info string you came in from elsewhere");
    drop(seat);
    let mut client = client;
    let status = client.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1));
}

/// A person at a plain pipe.
#[test]
fn a_person_plays_through_a_pipe() {
    let (listener, port) = listen();
    let mut client = connect(port, &["--as", "Ann"]);
    let mut seat = Seat::take(&listener);
    assert!(
        seat.about.iter().any(|l| l == "id username Ann"),
        "{:?}",
        seat.about
    );
    assert!(
        seat.about.iter().any(|l| l.starts_with("id pieces ")),
        "{:?}",
        seat.about
    );
    seat.welcome("Ann");
    client.sees("You are Ann, a guest");
    client.types("sek chess");
    client.sees("Did you mean seek?");
    client.types("seek 60+1 white");
    let (seek, _) = seat.wait_for("lobby seek");
    assert!(
        seek.contains("game chess time 60+1 rated no colour white"),
        "{seek}"
    );
    seat.start(7, Game::Chess, "white");
    seat.say("ucinewgame");
    seat.say("isready");
    seat.wait_for("readyok");
    let mut line = AnyLine::start(Game::Chess);
    seat.go(&line);
    client.sees("Your move.");
    client.types("Nf6");
    client.sees("moves lists what is legal");
    client.types("Nf3");
    assert_eq!(seat.wait_for("bestmove").0, "bestmove g1f3");
    line.play("g1f3").expect("legal");
    line.play("e7e5").expect("legal");
    seat.go(&line);
    client.sees("Bob played e5.");
    client.sees("Your move.");
    seat.say("lobby offer id 7 what draw by Bob");
    client.sees("Bob offers a draw");
    client.types("no");
    assert_eq!(seat.wait_for("lobby").0, "lobby no draw");
    // The connection is lost; it comes back, and the board is there.
    drop(seat);
    let mut seat = Seat::take(&listener);
    assert!(
        seat.about.iter().any(|l| l == "id token SECRETAnn"),
        "{:?}",
        seat.about
    );
    seat.welcome("Ann");
    client.sees("You are back as Ann.");
    seat.start(7, Game::Chess, "white");
    seat.go(&line);
    client.sees("Your move.");
    client.types("resign");
    assert_eq!(seat.wait_for("lobby").0, "lobby resign");
    seat.say("lobby end id 7 result 0-1 reason White resigns");
    client.sees("0-1 (White resigns)");
    client.types("quit");
    assert_eq!(seat.wait_for("quit").0, "quit");
    assert!(client.child.wait().expect("it ends").success());
}

/// A person who gives no name, and whose system gives none either, is a person all
/// the same: an engine would be given games by strangers.
#[test]
fn a_person_without_a_name_is_a_guest() {
    for (user, name) in [
        ("root", "guest"),
        ("\u{430}\u{43d}\u{43d}\u{430}", "guest"),
        ("ann", "ann"),
    ] {
        let (listener, port) = listen();
        let mut client = spawn(
            Command::new(env!("CARGO_BIN_EXE_quadrille"))
                .args(["connect", &format!("127.0.0.1:{port}")])
                .env("USER", user)
                .env_remove("USERNAME")
                .env_remove("LOGNAME"),
        );
        let mut seat = Seat::take(&listener);
        let line = format!("id username {name}");
        assert!(seat.about.contains(&line), "{user}: {:?}", seat.about);
        seat.welcome(name);
        client.sees(&format!("You are {name}, a guest"));
        client.types("quit");
        assert!(client.ends());
    }
}

/// An engine of chess behind a port: the first of its lives ends at the first `go`.
fn mortal_engine() -> u16 {
    let (listener, port) = listen();
    std::thread::spawn(move || {
        for life in 0..2 {
            let Ok((mut stream, _)) = listener.accept() else {
                return;
            };
            let lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
            for line in lines.map_while(Result::ok) {
                let answer = match line.split(' ').next() {
                    Some("uci") => "id name Mortal\nuciok\n",
                    Some("isready") => "readyok\n",
                    Some("go") if life == 0 => break,
                    Some("go") => "bestmove e2e4\n",
                    _ => "",
                };
                if stream.write_all(answer.as_bytes()).is_err() {
                    break;
                }
            }
        }
    });
    port
}

/// The engine fails, and resigns. The answer that it still owes is given when the
/// server says `stop`, or the first move of the next game would be taken for it.
#[test]
fn an_engine_that_failed_answers_stop() {
    let engine = format!("tcp://127.0.0.1:{}", mortal_engine());
    let (listener, port) = listen();
    let client = connect(port, &["--engine", &engine, "--as", "Mortal"]);
    let mut seat = Seat::take(&listener);
    seat.welcome("Mortal");
    let line = AnyLine::start(Game::Chess);
    for id in 1..=2 {
        seat.start(id, Game::Chess, "white");
        seat.say("ucinewgame");
        seat.say("isready");
        seat.wait_for("readyok");
        seat.go(&line);
        if id == 1 {
            assert_eq!(seat.wait_for("lobby ").0, "lobby resign id 1");
            client.sees("the engine cannot play on and resigns");
            seat.say("stop");
            seat.say("isready");
            assert_eq!(seat.wait_for("readyok").1, ["bestmove 0000"]);
            // Nothing is owed any more.
            seat.say("stop");
            seat.say("isready");
            assert!(seat.wait_for("readyok").1.is_empty());
        } else {
            assert_eq!(seat.wait_for("bestmove").0, "bestmove e2e4");
        }
        seat.say(&format!(
            "lobby end id {id} result 0-1 reason White resigns"
        ));
    }
}

/// Each of several engines is as weak as the server wishes, whatever the one can
/// whose options the server knows.
#[test]
fn every_game_has_levels() {
    let (listener, port) = listen();
    let words = ["--engine", "builtin", "--as", "Robot"];
    let games = ["--game", "chess", "--game", "leiser", "--game", "gyges"];
    let client = connect(port, &[&words[..], &games].concat());
    let mut seat = Seat::take(&listener);
    let elo = "option name UCI_Elo type spin";
    let announced = seat.about.iter().filter(|line| line.starts_with(elo));
    assert_eq!(announced.count(), 1, "{:?}", seat.about);
    seat.welcome("Robot");
    for (id, game) in [(1, Game::Leiser), (2, Game::Gyges)] {
        seat.start(id, game, "white");
        // Level 1, as the server sets it for the range of chess.
        seat.say("setoption name UCI_Elo value 600");
        seat.say("setoption name UCI_LimitStrength value true");
        seat.say("ucinewgame");
        seat.say("isready");
        seat.wait_for("readyok");
        let line = AnyLine::start(game);
        seat.say(&format!("position fen {}", line.start_text()));
        seat.say("go wtime 600000 btime 600000 winc 0 binc 0");
        let (_, thoughts) = seat.wait_for("bestmove ");
        if game == Game::Gyges {
            // Its own scale is UGI's `elo`: at its lowest it thinks for a moment of ten minutes.
            let last = thoughts.last().expect("a thought");
            let mut words = last.split(' ').skip_while(|word| *word != "nodes");
            let nodes: u64 = words.nth(1).and_then(|n| n.parse().ok()).expect("nodes");
            assert!(nodes < 50_000, "{last}");
        }
        seat.say(&format!(
            "lobby end id {id} result 0-1 reason White resigns"
        ));
        loop {
            let line = client.sees_one_of(&["UCI_Elo", &format!("over: game {id}")]);
            assert!(!line.contains("UCI_Elo"), "{line}");
            if line.contains("over:") {
                break;
            }
        }
    }
}

fn refused(port: u16, words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["connect", &format!("127.0.0.1:{port}")])
        .args(words)
        .env("PW", "open sesame")
        .stdin(Stdio::null())
        .output()
        .expect("it was built for this test");
    assert!(!output.status.success());
    String::from_utf8(output.stderr).expect("we print UTF-8")
}

#[test]
fn what_is_wrong_is_said() {
    let (listener, port) = listen();
    let server = std::thread::spawn(move || {
        let mut seat = Seat::take(&listener);
        seat.say("info clienterror the name or the password is wrong");
        drop(seat);
        let mut seat = Seat::take(&listener);
        seat.say("info clienterror ann is an account: send id password before uciok");
        drop(seat);
        let (mut stream, _) = listener.accept().expect("a client");
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9\x1b[2J\r\n");
        drop(stream);
        drop(listener);
    });
    let said = refused(port, &["--as", "ann", "--password-env", "PW"]);
    assert!(said.contains("the name or the password is wrong"), "{said}");
    assert!(!said.contains("sesame"), "{said}");
    let said = refused(port, &["--as", "ann"]);
    assert!(said.contains("add --password-file FILE"), "{said}");
    let said = refused(port, &["--as", "ann"]);
    assert!(
        said.contains("is no game server: it says 'SSH-2.0"),
        "{said}"
    );
    assert!(!said.contains('\u{1b}'), "{said:?}");
    server.join().expect("no panic");
    let said = refused(port, &["--as", "ann"]);
    assert!(said.contains("cannot connect to tcp://127.0.0.1"), "{said}");
    let said = crate::support::refusal(&["connect", "http://x"]);
    assert!(said.contains("HOST:PORT"), "{said}");
    let said = crate::support::refusal(&["connect", "tls://box#foo"]);
    assert!(said.contains("#sha256:HEX"), "{said}");
    let said =
        crate::support::refusal(&["connect", "x", "--engine", "builtin", "--seek", "gyges 5+1"]);
    assert!(said.contains("add --game gyges"), "{said}");
}
