//! `quadrille connect` at a server that knows ULCI and nothing else, as the reference
//! server does: two passwords, no welcome, no result lines, a start that moves on.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, Game};

use super::connect::connect_to;

const PATIENCE: Duration = Duration::from_mins(1);
/// What the reference prints at its start.
const PASSWORDS: [&str; 2] = ["sqm3O7", "aEblzo"];

/// One connection, as the reference sees it: `uci`, then lines until `uciok`.
struct Client {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
    about: Vec<String>,
}

impl Client {
    fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().expect("a client");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let reader = BufReader::new(stream.try_clone().expect("a socket"));
        let about = Vec::new();
        let mut client = Self {
            reader,
            stream,
            about,
        };
        client.say("uci");
        loop {
            match client.line() {
                line if line == "uciok" => return client,
                line => client.about.push(line),
            }
        }
    }

    fn username(&self) -> Option<&str> {
        let mut lines = self.about.iter();
        lines.find_map(|line| line.strip_prefix("id username "))
    }

    fn say(&mut self, line: &str) {
        // A client that left is written to all the same.
        let _ = writeln!(self.stream, "{line}");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.reader.read_line(&mut line).expect("a line in time");
        assert!(read > 0, "the client left");
        line.trim_end_matches('\n').into()
    }
}

/// `arrangedmatch`: a match between those who have the passwords; all others watch.
struct Reference {
    listener: TcpListener,
    players: [Option<Client>; 2],
    spectators: Vec<Client>,
    /// Milliseconds for the game and for a move; the reference has 20 min and 15 s.
    time: [u64; 2],
}

impl Reference {
    fn start() -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it is bound").to_string();
        let reference = Self {
            listener,
            players: [None, None],
            spectators: Vec::new(),
            time: [1_200_000, 15_000],
        };
        (reference, address)
    }

    /// Waits for both players and so many spectators, in any order.
    fn gather(&mut self, spectators: usize) {
        while self.players.iter().any(Option::is_none) || self.spectators.len() < spectators {
            let client = Client::accept(&self.listener);
            let seat = PASSWORDS
                .iter()
                .position(|word| client.username() == Some(word));
            match seat {
                Some(seat) => self.players[seat] = Some(client),
                None => self.spectators.push(client),
            }
        }
    }

    fn player(&mut self, seat: usize) -> &mut Client {
        self.players[seat].as_mut().expect("both are here")
    }

    fn tell_spectators(&mut self, line: &str) {
        for client in &mut self.spectators {
            client.say(line);
        }
    }

    /// A game from an L-FEN; `white` is the seat of White. Gives back the final line.
    fn game(&mut self, start: &str, white: usize, most: usize) -> AnyLine {
        let read = |text: &str| AnyLine::new(Game::Liberty, "", text).expect("an L-FEN");
        let mut line = read(start);
        let [time, increment] = self.time;
        let mut clock = [time; 2];
        // The reference's line begins with the position before the last move that
        // cannot be undone.
        let (mut base, mut since) = (read(start), Vec::<String>::new());
        let position = |base: &AnyLine, since: &[String]| {
            let moves = if since.is_empty() {
                String::new()
            } else {
                format!(" moves {}", since.join(" "))
            };
            format!("position fen {}{moves}", base.start_text())
        };
        for seat in 0..2 {
            self.player(seat).say(&position(&base, &since));
        }
        self.tell_spectators(&position(&base, &since));
        // An illegal move is ignored, and the other player is asked.
        let mut mover = white;
        while line.outcome_with_claims().is_none() && line.plies() < most {
            let side = line.side().index();
            let [w, b] = clock;
            let times = format!("wtime {w} winc {increment} btime {b} binc {increment}");
            self.player(mover).say(&position(&base, &since));
            self.player(mover).say(&format!("go {times}"));
            let asked = Instant::now();
            let text = loop {
                let said = self.player(mover).line();
                if let Some(text) = said.strip_prefix("bestmove ") {
                    break text.split(' ').next().unwrap_or_default().to_owned();
                }
                if let Some(info) = said.strip_prefix("info ") {
                    self.tell_spectators(&format!("info {info}"));
                    self.tell_spectators("");
                }
            };
            let before = line.position_text();
            if line.play(&text).is_ok() {
                let spent = asked.elapsed().as_millis() as u64;
                // No flag falls at the reference.
                clock[side] = (clock[side] + increment).saturating_sub(spent).max(1);
                if line.made_progress() {
                    (base, since) = (read(&before), vec![text]);
                } else {
                    since.push(text);
                }
            }
            mover = 1 - mover;
            self.player(mover).say(&position(&base, &since));
            self.tell_spectators(&position(&base, &since));
            let [w, b] = clock;
            self.tell_spectators(&format!(
                "clock wtime {w} winc {increment} btime {b} binc {increment}"
            ));
        }
        for seat in 0..2 {
            self.player(seat).say(&position(&base, &since));
        }
        line
    }
}

/// People with the two passwords as their names, and one who watches.
#[test]
fn people_play_and_watch_at_the_reference() {
    let (mut reference, address) = Reference::start();
    let server = thread::spawn(move || {
        reference.gather(1);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let first = reference.game(start, 0, 100);
        // Colours exchanged; nothing says that it is another game but its position.
        let second = reference.game("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 1, 100);
        (first, second)
    });
    let mut eve = connect_to(&address, &["--as", "Eve"]);
    eve.sees("This server has no lobby");
    eve.types("seek 60+1");
    eve.sees("'seek 60+1' needs a lobby");
    eve.types("thoughts");
    eve.sees("while you watch");
    let mut ann = connect_to(&address, &["--as", PASSWORDS[0]]);
    let mut bob = connect_to(&address, &["--match-password", PASSWORDS[1]]);
    for client in [&ann, &bob] {
        client.sees("This server has no lobby");
        client.sees("A game:");
    }
    bob.types("e5");
    bob.sees("has not asked you to move");
    ann.sees("Your move.");
    ann.types("resign");
    ann.sees("'resign' needs a lobby");
    ann.types("f4");
    bob.sees("White played f4.");
    bob.sees("Your move.");
    bob.types("e5");
    ann.sees("Black played e5.");
    ann.sees("Your move.");
    ann.types("g4");
    bob.sees("Your move.");
    bob.types("Qh4");
    ann.sees("Black played Qh4");
    ann.sees("By the rules the game is over: Black wins by checkmate");
    eve.sees("White played f4.");
    eve.sees("Black played Qh4");
    eve.sees("the game is over");
    eve.sees("A game:");
    // The second game: Bob has White now.
    bob.sees("A game:");
    bob.sees("Your move.");
    bob.types("Qf8");
    let (first, second) = server.join().expect("no panic");
    assert_eq!(first.plies(), 4);
    assert!(second.plies() == 1 && second.outcome().is_some());
    for client in [&mut ann, &mut eve] {
        client.types("quit");
        assert!(client.ends());
    }
}

/// Engines with the passwords, and one without that may only watch.
#[test]
fn engines_play_and_watch_at_the_reference() {
    let (mut reference, address) = Reference::start();
    let server = thread::spawn(move || {
        reference.gather(1);
        let about = reference.player(0).about.join("\n");
        reference.time = [5000, 50];
        let mini = AnyLine::new(Game::Liberty, "ff", "Mini chess").expect("a preset");
        let first = reference.game(&mini.start_text(), 0, 14);
        let second = reference.game("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 1, 100);
        (about, first, second)
    });
    let engine = ["--engine", "builtin", "--game", "liberty"];
    let seat = |word| [&engine[..], &["--match-password", word]].concat();
    let watches = connect_to(
        &address,
        &[&engine[..], &["--seek", "liberty 60+1"]].concat(),
    );
    let one = connect_to(&address, &seat(PASSWORDS[0]));
    let two = connect_to(&address, &seat(PASSWORDS[1]));
    watches.sees("this server has no lobby");
    watches.sees("--seek and --accept need a lobby");
    for client in [&one, &two, &watches] {
        client.sees("begins: a game of liberty");
        client.sees("begins: a game of liberty");
        client.sees("over: by the rules, White wins by checkmate");
    }
    let (about, first, second) = server.join().expect("no panic");
    assert!(about.contains("id username sqm3O7"), "{about}");
    assert!(
        about.contains("id version 1") && about.contains("id pieces "),
        "{about}"
    );
    assert!(first.plies() == 14 || first.outcome_with_claims().is_some());
    assert!(
        second
            .outcome()
            .is_some_and(|outcome| outcome.winner.is_some())
    );
}

/// The words of the specification that the reference does not use: `isready` in a search,
/// `startpos`, other limits than clocks, `stop`, `debug`, and lines that mean nothing.
#[test]
fn an_engine_does_what_the_specification_says() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let words = ["--engine", "builtin", "--game", "chess"];
    let _engine = connect_to(&address, &words);
    let mut client = Client::accept(&listener);
    assert!(client.about.iter().any(|line| line.starts_with("id name ")));
    assert!(
        client
            .about
            .iter()
            .any(|line| line.starts_with("id author "))
    );
    let until = |client: &mut Client, begin: &str| loop {
        let line = client.line();
        if line.starts_with(begin) {
            return line;
        }
    };
    client.say("debug on");
    client.say("isready");
    assert_eq!(until(&mut client, "readyok"), "readyok");
    client.say("ucinewgame");
    client.say("isready");
    until(&mut client, "readyok");
    client.say("joho");
    client.say("\t position   startpos moves  e2e4 ");
    for go in [
        "go depth 3",
        "go nodes 500",
        "go movetime 50",
        "go mate 1 depth 2",
    ] {
        client.say(go);
        let best = until(&mut client, "bestmove ");
        let mut line = AnyLine::start(Game::Chess);
        line.play("e2e4").expect("legal");
        line.play(best.trim_start_matches("bestmove "))
            .expect("legal");
    }
    client.say("go depth 2 searchmoves a7a6");
    assert_eq!(until(&mut client, "bestmove "), "bestmove a7a6");
    client.say("go infinite");
    client.say("isready");
    until(&mut client, "readyok");
    client.say("stop");
    until(&mut client, "bestmove ");
    // Nothing is owed any more, so a second stop is ignored.
    client.say("stop");
    client.say("isready");
    assert_eq!(client.line(), "readyok");
    // A position that this engine cannot play is answered all the same.
    client.say("position fen qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1");
    client.say("go depth 1");
    until(&mut client, "info clienterror ");
    assert_eq!(client.line(), "bestmove 0000");
}
