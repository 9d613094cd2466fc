//! Engines that are lent and named from elsewhere.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_quadrille");

/// A lender, killed at the end.
struct Lender {
    child: Child,
    /// Its address without the login.
    address: String,
}

impl Drop for Lender {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lend(folder: &Path, words: &[&str]) -> Lender {
    let mut child = Command::new(PROGRAM)
        .args(["lend", "builtin", "--listen", "127.0.0.1:0"])
        .args(words)
        .current_dir(folder)
        .env("PW", "open sesame")
        .env("XDG_DATA_HOME", folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was built for this test");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    // The others are read so that it never waits.
    std::thread::spawn(move || lines.for_each(drop));
    let (_, address) = first.split_once(" is lent at ").expect("an address");
    let address = address.replace(":PASSWORD@", "");
    Lender { child, address }
}

impl Lender {
    /// With a login before the host.
    fn named(&self, login: &str) -> String {
        self.address.replacen("://", &format!("://{login}"), 1)
    }
}

/// What it printed on both outputs, and whether it ended well.
fn quadrille(folder: &Path, words: &[&str]) -> (String, bool) {
    let output = Command::new(PROGRAM)
        .args(words)
        .current_dir(folder)
        .env("PW", "open sesame")
        .env_remove("QUADRILLE_REMOTE_PASSWORD")
        .output()
        .expect("it was built for this test");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("we print UTF-8");
    (text, output.status.success())
}

fn moves(pgn: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(pgn).expect("written");
    let plain = |line: &&str| !line.starts_with('[') && !line.is_empty();
    text.lines().filter(plain).map(Into::into).collect()
}

/// Two lent engines over TLS play the games that two local ones play, and their
/// password is in no file that the match leaves behind.
#[test]
fn a_match_of_lent_engines_equals_the_local_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let [one, two] =
        [0, 1].map(|_| lend(folder, &["--tls", "--password-env", "PW", "--most", "2"]));
    let play = |name: &str, first: &str, second: &str| {
        let (first, second) = (format!("cmd={first}"), format!("cmd={second}"));
        let (pgn, store) = (format!("file={name}.pgn"), format!("{name}.db"));
        let words = [
            "match",
            "-engine",
            &first,
            "name=one",
            "-engine",
            &second,
            "name=two",
            "-each",
            "nodes=300",
            "-rounds",
            "2",
            "-repeat",
            "-openings",
            "format=random",
            "plies=4",
            "-srand",
            "7",
            "-pgnout",
            &pgn,
            "notation=uci",
            "timeleft=false",
            "-store",
            &store,
            "-log",
            "file=match.log",
            "engine=true",
            "-maxmoves",
            "30",
        ];
        let words: Vec<&str> = words.into();
        let (said, good) = quadrille(folder, &words);
        assert!(good, "{said}");
        assert!(!said.contains("sesame"), "{said}");
        said
    };
    play(
        "far",
        &one.named("ann:open%20sesame@"),
        &two.named(":env:PW@"),
    );
    play("near", "builtin", "builtin");
    let [far, near] = ["far.pgn", "near.pgn"].map(|name| moves(&folder.join(name)));
    assert!(far.len() >= 4, "{far:?}");
    let bare = |lines: &[String]| -> Vec<String> {
        // Comments hold times.
        let text = lines.join("\n");
        let mut out = String::new();
        let mut depth = 0;
        for c in text.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                c if depth == 0 => out.push(c),
                _ => {}
            }
        }
        out.split_whitespace().map(Into::into).collect()
    };
    assert_eq!(bare(&far), bare(&near));
    for entry in std::fs::read_dir(folder).expect("there").flatten() {
        if entry.path().is_file() {
            let bytes = std::fs::read(entry.path()).expect("read");
            let found = bytes.windows(6).any(|part| part == b"sesame");
            assert!(!found, "{:?}", entry.path());
        }
    }
}

#[test]
fn every_command_takes_a_lent_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let lender = lend(folder, &["--password-env", "PW", "--most", "4"]);
    let address = lender.named(":env:PW@");
    let (said, good) = quadrille(folder, &["go", &address, "--depth", "3"]);
    assert!(good && said.contains("best move"), "{said}");
    let tape = [
        "go",
        &lender.named("ann:open%20sesame@"),
        "--depth",
        "2",
        "--tape",
        "go.tape",
    ];
    let (said, good) = quadrille(folder, &tape);
    assert!(good, "{said}");
    let tape = std::fs::read_to_string(folder.join("go.tape")).expect("written");
    assert!(tape.contains("uciok") && !tape.contains("sesame"), "{tape}");
    let check = ["check", &address, "--only", "handshake", "--quiet"];
    let (said, good) = quadrille(folder, &check);
    assert!(good && said.contains("checks passed, 0 errors"), "{said}");
    // Wrong, missing, and not to be had: each says what is wrong, none the password.
    for (login, words) in [
        (":open%20sesam@", "the password is wrong"),
        ("", "lent with a password"),
        ("ann@", "set QUADRILLE_REMOTE_PASSWORD"),
        (
            ":env:NO_SUCH_VARIABLE@",
            "no environment variable NO_SUCH_VARIABLE",
        ),
        (
            ":file:/no/such/file@",
            "cannot read the password in /no/such/file",
        ),
    ] {
        let (said, good) = quadrille(folder, &["go", &lender.named(login), "--depth", "1"]);
        assert!(!good && said.contains(words), "{login}: {said}");
        assert!(!said.contains("sesam@") && !said.contains("open"), "{said}");
    }
}

#[test]
fn a_public_engine_wants_a_password_or_a_word_that_there_is_none() {
    let said = crate::support::refusal(&["lend", "builtin", "--listen", "0.0.0.0:0"]);
    assert!(said.contains("--password-file"), "{said}");
    // What cannot be lent is told before anybody comes.
    let said = crate::support::refusal(&["lend", "no-such-engine", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("cannot start no-such-engine"), "{said}");
    let words = [
        "lend",
        "builtin",
        "--listen",
        "127.0.0.1:0",
        "--option",
        "Hsah=1",
    ];
    let said = crate::support::refusal(&words);
    assert!(said.contains("Hsah"), "{said}");
    let said = crate::support::refusal(&["lend", "builtin", "--listen", "here"]);
    assert!(said.contains("ADDRESS:PORT"), "{said}");
    let said = crate::support::refusal(&["lend", "builtin", "--password-env", "NO_SUCH_PW"]);
    assert!(said.contains("NO_SUCH_PW"), "{said}");
}
