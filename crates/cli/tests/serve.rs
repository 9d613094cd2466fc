//! The real `quadrille serve`: killed and started again, with real engines and
//! scripted people.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game};
use quadrille_server::store;

const PROGRAM: &str = env!("CARGO_BIN_EXE_quadrille");
/// Where Oxidation is, the reference's engine.
const OXIDATION: &str = "QUADRILLE_OXIDATION";
const PATIENCE: Duration = Duration::from_mins(1);

/// A server, killed at the end.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // SIGKILL: nothing of ours runs after it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(folder: &Path) -> Served {
    serve_at(folder, "127.0.0.1:0")
}

fn serve_at(folder: &Path, listen: &str) -> Served {
    let mut child = Command::new(PROGRAM)
        .args(["serve", "--listen", listen, "--json", "--log", "off"])
        .arg("--folder")
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was built for this test");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut line).expect("a line");
    let said: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let address = said["listen"][0].as_str().expect("an address").to_owned();
    Served { child, address }
}

fn operator(folder: &Path, words: &[&str]) -> String {
    let output = Command::new(PROGRAM)
        .arg("serve")
        .args(words)
        .arg("--folder")
        .arg(folder)
        .output()
        .expect("it was built for this test");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("we print UTF-8");
    assert!(output.status.success(), "{words:?}: {text}");
    text
}

/// A scripted person.
struct Person {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
    token: String,
}

impl Person {
    fn enter(address: &str, name: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        let mut person = Self {
            reader,
            stream,
            token: token.into(),
        };
        for line in [
            "id name Script",
            "id version 1",
            "id pieces kmqcaehuriwbznxlop",
            "id games chess liberty leiser gyges",
            "id lobby 1",
            &format!("id username {name}"),
            &format!("id token {token}"),
            "uciok",
        ] {
            person.say(line);
        }
        let welcome = person.until("lobby welcome");
        assert!(welcome.contains(&format!(" name {name} ")), "{welcome}");
        let mut words = welcome.split(' ').skip_while(|word| *word != "token");
        person.token = words.nth(1).expect("a token").into();
        person
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stream, "{line}").expect("the server reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.reader.read_line(&mut line).expect("a line in time");
        assert!(read > 0, "the server closed the connection");
        line.trim_end().into()
    }

    fn until(&mut self, start: &str) -> String {
        for _ in 0..100_000 {
            let line = self.line();
            assert!(!line.contains("clienterror"), "{line}");
            if line.starts_with(start) {
                return line;
            }
        }
        panic!("{start} did not come");
    }
}

/// A game between two scripted people, as they know it.
struct Board {
    people: [Person; 2],
    names: [String; 2],
    line: AnyLine,
    /// The last `position` and `go`.
    position: String,
    go: String,
}

impl Board {
    fn begin(address: &str, number: usize, game: Game) -> Self {
        let names = [format!("white{number}"), format!("black{number}")];
        let mut people = [0, 1].map(|i: usize| Person::enter(address, &names[i], "none"));
        people[0].say(&format!(
            "lobby seek game {game} time 600+2 colour white word w{number}"
        ));
        people[0].until("lobby seek");
        people[1].say(&format!("lobby join word w{number}"));
        let mut board = Self {
            people,
            names,
            line: AnyLine::start(game),
            position: String::new(),
            go: String::new(),
        };
        board.get_ready();
        board
    }

    fn get_ready(&mut self) {
        for person in &mut self.people {
            person.until("isready");
            person.say("readyok");
        }
        self.hear();
    }

    /// What the one to move is told.
    fn hear(&mut self) {
        let mover = &mut self.people[self.line.side().index()];
        let mut position = String::new();
        for _ in 0..1000 {
            let line = mover.line();
            if line.starts_with("position") {
                position = line;
            } else if line.starts_with("go ") {
                (self.position, self.go) = (position, line);
                return;
            }
        }
        panic!("no go came");
    }

    fn play(&mut self, random: &mut SplitMix64) {
        let side = self.line.side().index();
        for _ in 0..100 {
            let legal = self.line.legal(50);
            let m = legal[random.index(legal.len())];
            let text = self.line.text_of(m).expect("a legal move");
            self.line.push(m).expect("a legal move");
            if self.line.outcome_with_claims().is_some() {
                self.line.pop();
                continue;
            }
            self.people[side].say(&format!("bestmove {text}"));
            return self.hear();
        }
        panic!("every move ends this game");
    }

    fn come_back(&mut self, address: &str) {
        for i in 0..2 {
            let token = self.people[i].token.clone();
            self.people[i] = Person::enter(address, &self.names[i], &token);
        }
        let (position, go) = (self.position.clone(), self.go.clone());
        self.get_ready();
        assert_eq!(self.position, position, "the position is what it was");
        assert_eq!(self.go, go, "so are the clocks");
    }
}

/// A ply is in the file within a fiftieth of a second; on a busy machine that may
/// take longer.
fn wait_for_plies(file: &Path, plies: usize) {
    let begun = Instant::now();
    let there = |number: u64| {
        let game = store::game(file, number).expect("the file can be read");
        game.is_some_and(|played| played.game.plies.len() == plies)
    };
    while !(1..=4).all(there) {
        assert!(begun.elapsed() < PATIENCE, "the moves are not written");
        thread::sleep(Duration::from_millis(10));
    }
}

/// `kill -9`, several times, with a game of each kind running.
#[test]
fn a_killed_server_goes_on_with_every_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("server.db");
    let mut served = serve(folder.path());
    let mut random = SplitMix64::new(9);
    let mut boards: Vec<Board> = (Game::ALL.into_iter().enumerate())
        .map(|(number, game)| Board::begin(&served.address, number, game))
        .collect();
    for round in 0..3 {
        for ply in 0..4 {
            for board in &mut boards {
                if round > 0 || ply > 0 {
                    thread::sleep(Duration::from_millis(3));
                }
                board.play(&mut random);
            }
        }
        wait_for_plies(&file, 4 * (round + 1));
        drop(served);
        served = serve(folder.path());
        for board in &mut boards {
            board.come_back(&served.address);
        }
    }
    for board in &mut boards {
        board.people[0].say("lobby resign");
        let end = board.people[1].until("lobby end");
        assert!(end.ends_with("result 0-1 reason White resigns"), "{end}");
    }
    drop(served);
    let output = Command::new(PROGRAM)
        .arg("event")
        .arg(&file)
        .args(["--pgn", "-"])
        .output();
    let pgn = String::from_utf8(output.expect("it was built").stdout).expect("UTF-8");
    assert_eq!(pgn.matches("[PlyCount \"12\"]").count(), 4, "{pgn}");
    assert_eq!(pgn.matches("White resigns").count(), 4);
}

/// An engine on its standard input and output, at the other end of a socket.
struct Piped(Child);

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn pipe(address: &str, mut command: Command) -> Piped {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an engine");
    let stream = TcpStream::connect(address).expect("a connection");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    let mut from = stream.try_clone().expect("a second handle");
    let mut to = stream;
    thread::spawn(move || {
        let mut reader = BufReader::new(&mut from);
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|n| n > 0) {
            if input.write_all(line.as_bytes()).is_err() {
                return;
            }
            line.clear();
        }
    });
    thread::spawn(move || std::io::copy(&mut output, &mut to));
    Piped(child)
}

/// Plays the first legal move until the game is over; gives back the result.
fn play_first_moves(person: &mut Person, game: Game, position: &str) -> String {
    person.until("isready");
    person.say("readyok");
    for _ in 0..100_000 {
        let line = person.line();
        if let Some(moves) = line.strip_prefix("position ") {
            let mut board = AnyLine::new(game, "", position).expect("a position");
            let moves = moves.split_once(" moves ").map_or("", |(_, moves)| moves);
            for text in moves.split(' ').filter(|text| !text.is_empty()) {
                board.play(text).expect("a legal move");
            }
            if board.plies() >= 60 {
                person.say("lobby resign");
            }
            let next = person.line();
            if next.starts_with("go ") {
                let m = board.legal(1)[0];
                let text = board.text_of(m).expect("a legal move");
                person.say(&format!("bestmove {text}"));
            } else if next.starts_with("lobby end") {
                return next;
            }
        } else if line.starts_with("lobby end") {
            return line;
        }
    }
    panic!("the game has no end");
}

#[test]
fn real_engines_and_scripted_people_play_through_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = serve(folder.path());
    let own = |game: &str| {
        let mut command = Command::new(PROGRAM);
        command.args(["engine", "--game", game]);
        command
    };
    let second = match std::env::var_os(OXIDATION) {
        Some(program) => Command::new(program),
        None => {
            eprintln!("{OXIDATION} is not set: Oxidation does not play, our own engine does");
            own("liberty")
        }
    };
    let _engines = [
        pipe(&served.address, own("chess")),
        pipe(&served.address, second),
    ];
    let mut people = [
        Person::enter(&served.address, "Ann", "none"),
        Person::enter(&served.address, "Bob", "none"),
    ];
    let begun = Instant::now();
    while operator(folder.path(), &["status"])
        .matches("engine ")
        .count()
        < 2
    {
        assert!(begun.elapsed() < PATIENCE, "the engines do not come in");
        thread::sleep(Duration::from_millis(50));
    }
    let [ann, bob] = &mut people;
    let mini = "Mini chess";
    bob.say("lobby play level 1 game liberty preset Mini_chess time 5+0.1 colour black");
    bob.until("lobby start");
    ann.say("lobby play level 1 game chess time 5+0.1 colour white");
    ann.until("lobby start");
    let results = thread::scope(|scope| {
        let first = scope.spawn(|| play_first_moves(ann, Game::Chess, "startpos"));
        let second = scope.spawn(|| play_first_moves(bob, Game::Liberty, mini));
        [first, second].map(|game| game.join().expect("a game"))
    });
    for result in &results {
        assert!(
            !result.contains("illegal") && !result.contains("disconnects"),
            "{result}"
        );
    }
    // Now the two engines against each other.
    let opened = operator(folder.path(), &["tournament", "Cup", "--time", "1+0.02"]);
    let id = opened.split(' ').nth(1).expect("a number").to_owned();
    operator(folder.path(), &["begin", &id, "--engines"]);
    for _ in 0..1000 {
        let told = people[0].until("lobby tournament");
        if told.contains("state over") {
            break;
        }
    }
    let file = folder.path().join("server.db");
    let output = Command::new(PROGRAM)
        .arg("event")
        .arg(&file)
        .args(["--game", "3"])
        .output();
    let text = String::from_utf8(output.expect("it was built").stdout).expect("UTF-8");
    assert!(
        !text.contains("illegal") && !text.contains("disconnects"),
        "{text}"
    );
    let kept = ["kick", "Ann"];
    assert_eq!(operator(folder.path(), &kept), "Ann is out\n");
}

#[test]
fn an_operator_who_errs_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(PROGRAM)
        .args(["serve", "status", "--folder"])
        .arg(folder.path())
        .output()
        .expect("it was built for this test");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text.contains("no server runs") && text.contains("hint: start one"),
        "{text}"
    );
    let file = folder.path().join("serve.toml");
    std::fs::write(&file, "[settings]\ndance = 1\n").expect("a file");
    let output = Command::new(PROGRAM)
        .args(["serve", "--config"])
        .arg(&file)
        .output()
        .expect("it was built for this test");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("dance"), "{text}");
}

/// A backup of a running server is one, an automatic one is there, and a damaged file is
/// told with what to do.
#[test]
fn a_damaged_file_comes_back_from_its_backup() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("server.db");
    let served = serve(folder.path());
    let _ann = Person::enter(&served.address, "Ann", "-");
    let copy = folder.path().join("copy.db");
    let said = operator(folder.path(), &["backup", copy.to_str().expect("UTF-8")]);
    assert!(said.contains("holds everything up to now"), "{said}");
    assert!(store::is_server(&copy));
    let begun = Instant::now();
    let newest = loop {
        if let Ok(Some(path)) = quadrille_server::newest(&file) {
            break path;
        }
        assert!(begun.elapsed() < PATIENCE, "no backup was made");
        thread::sleep(Duration::from_millis(20));
    };
    // A copy by hand while it runs lacks what is in the log, and says so.
    let torn = folder.path().join("torn.db");
    std::fs::copy(&file, &torn).expect("a copy");
    let output = Command::new(PROGRAM).arg("event").arg(&torn).output();
    let text = String::from_utf8(output.expect("it was built").stderr).expect("UTF-8");
    assert!(text.contains("its last changes are missing"), "{text}");
    // Its end puts the log into the file.
    let mut served = served;
    operator(folder.path(), &["drain", "--now"]);
    served.child.wait().expect("it ends");
    let mut bytes = std::fs::read(&file).expect("a file");
    bytes[..200].fill(0x5a);
    std::fs::write(&file, bytes).expect("a file");
    let mut child = Command::new(PROGRAM)
        .args(["serve", "--listen", "127.0.0.1:0", "--folder"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built for this test");
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut damaged = Served {
        child,
        address: String::new(),
    };
    let lines = errors.lines().take(2).map(|line| line.expect("UTF-8"));
    let text = lines.collect::<Vec<String>>().join("\n");
    let status = damaged.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1), "{text}");
    assert!(
        text.contains("is damaged: file is not a database"),
        "{text}"
    );
    let hint = format!("copy {} to its place", newest.display());
    assert!(text.contains(&hint), "{text}");
    // As it says.
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
    std::fs::copy(newest, &file).expect("a copy");
    let served = serve(folder.path());
    let _ann = Person::enter(&served.address, "Ann", "-");
}

/// As with `lend`, a port alone is one of this machine; and one is not many.
#[test]
fn a_port_alone_is_one_of_this_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = serve_at(folder.path(), "0");
    assert!(
        served.address.starts_with("127.0.0.1:"),
        "{}",
        served.address
    );
    let _ann = Person::enter(&served.address, "Ann", "-");
    let said = operator(folder.path(), &["status"]);
    assert!(
        said.starts_with("1 connection, 1 player, 0 games, 0 seeks\n"),
        "{said}"
    );
    let said = operator(folder.path(), &["ban", "127.0.0.1"]);
    assert!(said.contains("1 connection closed"), "{said}");
    let said = crate::support::refusal(&["serve", "--listen", "box"]);
    assert!(said.contains("ADDRESS:PORT"), "{said}");
}

/// A file that may not grow is told in words, as a full disk is; a signal about it does not
/// end the server.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let serve = "serve --listen 127.0.0.1:0 --json --log off --folder server";
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -f 300; exec {PROGRAM} {serve}")])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut line).expect("a line");
    let said: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let address = said["listen"][0].as_str().expect("an address");
    let mut a = Person::enter(address, "Ann", "none");
    let mut b = Person::enter(address, "Bob", "none");
    // Whether a line comes before the server ends.
    let hears = |person: &mut Person, start: &str| loop {
        let mut line = String::new();
        match person.reader.read_line(&mut line) {
            Ok(1..) if line.starts_with(start) => break true,
            Ok(1..) => {}
            _ => break false,
        }
    };
    let mut games = 0;
    while games < 200 {
        // What it does not take any more it does not read.
        let _ = writeln!(a.stream, "lobby seek time 60 word x");
        if !hears(&mut a, "lobby seek") {
            break;
        }
        let _ = writeln!(b.stream, "lobby join word x");
        if !hears(&mut b, "lobby start") {
            break;
        }
        let _ = writeln!(b.stream, "lobby resign");
        if !hears(&mut a, "lobby end") || !hears(&mut b, "lobby end") {
            break;
        }
        games += 1;
        // Others say less in a second.
        thread::sleep(Duration::from_millis(200));
    }
    if games == 200 {
        let _ = child.kill();
    }
    let output = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{games} games: {error}");
    assert!(error.contains("nothing can be written any more"), "{error}");
    assert!(games > 0, "{error}");
    // All that was told is there.
    let file = folder.path().join("server/server.db");
    let finished = store::games(&file, true).expect("games").len();
    assert!(finished >= games, "{finished} of {games}");
}

/// Starts a server that must end at once without telling an address, and returns what it
/// says on standard error.
fn refused(folder: &Path) -> String {
    let child = Command::new(PROGRAM)
        .args(["serve", "--listen", "127.0.0.1:0", "--folder"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built for this test");
    // Killed if an assertion fails.
    let mut refused = Served {
        child,
        address: String::new(),
    };
    let mut address = String::new();
    let stdout = refused.child.stdout.take().expect("a pipe");
    let read = BufReader::new(stdout).read_line(&mut address);
    assert_eq!(read.expect("UTF-8"), 0, "it has started: {address}");
    let mut text = String::new();
    let mut stderr = refused.child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut text).expect("UTF-8");
    let status = refused.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1), "{text}");
    text
}

/// A server that had a file does not start with an empty one as if nothing had been.
#[test]
fn a_lost_file_beside_its_backup_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, backups) = (
        folder.path().join("server.db"),
        folder.path().join("backups"),
    );
    drop(serve(folder.path()));
    let backup = backups.join("server-2026-01-01T00-00-00Z.db");
    let _ = std::fs::create_dir(&backups);
    std::fs::copy(&file, &backup).expect("a copy");
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
    for empty in [false, true] {
        if empty {
            std::fs::write(&file, "").expect("a file");
        }
        let text = refused(folder.path());
        let said = format!(
            "is missing or empty, and has a backup: {}",
            backups.display()
        );
        assert!(text.contains(&said), "{text}");
        assert!(text.contains("hint: copy the backup to "), "{text}");
    }
    // As it says.
    std::fs::rename(&backups, folder.path().join("old")).expect("a folder");
    drop(serve(folder.path()));
}

#[test]
fn a_lost_file_beside_its_log_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("server.db-wal");
    std::fs::write(&log, "accounts and games").expect("a file");
    for empty in [false, true] {
        if empty {
            std::fs::write(folder.path().join("server.db"), "").expect("a file");
        }
        let text = refused(folder.path());
        let said = format!("is missing or empty, and {} is beside it", log.display());
        assert!(text.contains(&said), "{text}");
        let hint = format!("to start with an empty server, move {} away", log.display());
        assert!(text.contains(&hint), "{text}");
        let kept = std::fs::read(&log).expect("a file");
        assert_eq!(kept, b"accounts and games");
    }
    // As it says.
    std::fs::rename(&log, folder.path().join("old")).expect("a file");
    drop(serve(folder.path()));
}

/// Backups that cannot be read are backups too. A link to itself stands for all reasons: the
/// tests may run as root, who may read every folder.
#[cfg(unix)]
#[test]
fn a_lost_file_beside_backups_that_cannot_be_read_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let backups = folder.path().join("backups");
    std::os::unix::fs::symlink("backups", &backups).expect("a link");
    let text = refused(folder.path());
    let said = format!(
        "server.db is missing or empty, and the backups in {} cannot be read: ",
        backups.display()
    );
    assert!(text.contains(&said), "{text}");
    let hint = format!("hint: make {} readable", backups.display());
    assert!(text.contains(&hint), "{text}");
    assert!(!folder.path().join("server.db").exists(), "nothing is made");
    // As it says.
    std::fs::remove_file(&backups).expect("a link");
    drop(serve(folder.path()));
}

/// SIGTERM is heard from before the first word on: whoever reads it may send one.
#[cfg(target_os = "linux")]
#[test]
fn a_server_hears_signals_before_it_has_told_its_address() {
    use std::os::fd::OwnedFd;
    const SIGTERM: u32 = 15;
    for words in [
        "serve --listen 127.0.0.1:0 --log off --folder x",
        "gui --no-open --port 0 --data x",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        // More than a pipe holds: the first word waits until somebody reads.
        rustix::io::ioctl_fionbio(&writer, true).expect("our own");
        while writer.write(&[b'x'; 512]).is_ok() {}
        rustix::io::ioctl_fionbio(&writer, false).expect("our own");
        let mut child = Command::new(PROGRAM)
            .args(words.split(' '))
            .current_dir(folder.path())
            .stdout(OwnedFd::from(writer))
            .stderr(Stdio::null())
            .spawn()
            .expect("it was built for this test");
        let status = format!("/proc/{}/status", child.id());
        let caught = || {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            mask.is_some_and(|mask| mask >> (SIGTERM - 1) & 1 == 1)
        };
        let begun = Instant::now();
        while !caught() {
            assert!(begun.elapsed() < PATIENCE, "{words}: SIGTERM is not heard");
            thread::sleep(Duration::from_millis(20));
        }
        let id = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("our child");
        let told = std::io::read_to_string(reader).expect("text");
        assert!(told.contains(" at "), "{words}: {told}");
        assert!(child.wait().expect("it ends").success(), "{words}");
    }
}
