//! Scripted conversations. Each file under `transcripts/` holds many of them:
//!
//! ```text
//! == name of the conversation
//! clause: the sentence of the specification it rests on
//! start: game [rules]
//! > what the host sends (a line)
//! >> bytes as they are; \n \r \t \xHH are understood
//! < what the engine says next, exactly, with * for any text, # for a number
//!   and ? for a character
//! ~ the engine may say other info lines, then says this
//! ~~ the engine may say anything, then says this
//! $ the host closes the pipe
//! . the engine ends the conversation and says nothing more
//! ```
//!
//! At the end of every conversation the host says `quit` (unless the engine is
//! gone), the engine must leave without another word, and everything it said
//! must have been in order: one `bestmove` for each `go`, an `info` before it,
//! and no finding of the conversation's state machine above a note.

use std::panic::catch_unwind;
use std::path::Path;

use crate::support::Host;
use quadrille_games::Game;
use quadrille_protocol::{Code, Command, Dialect, HostSide, Report, Severity};

#[derive(Default)]
struct Script {
    name: String,
    clause: String,
    start: String,
    steps: Vec<(usize, String)>,
}

fn scripts(text: &str) -> Vec<Script> {
    let mut all: Vec<Script> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Script {
                name: name.into(),
                ..Script::default()
            });
            continue;
        }
        let Some(script) = all.last_mut() else {
            continue;
        };
        if let Some(clause) = line.strip_prefix("clause: ") {
            script.clause = clause.into();
        } else if let Some(start) = line.strip_prefix("start: ") {
            script.start = start.into();
        } else if !line.trim().is_empty() && !line.starts_with("# ") {
            script.steps.push((number + 1, line.into()));
        }
    }
    all
}

/// `*` stands for any text, `#` for an unsigned number, `?` for a character.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', rest @ ..] => (0..=text.len()).any(|i| matches(rest, &text[i..])),
        [b'#', rest @ ..] => {
            let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
            digits > 0 && matches(rest, &text[digits..])
        }
        [b'?', rest @ ..] => !text.is_empty() && matches(rest, &text[1..]),
        [first, rest @ ..] => text.first() == Some(first) && matches(rest, &text[1..]),
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            Some(b'x') => {
                let digits: Vec<u8> = bytes.by_ref().take(2).collect();
                let digits = String::from_utf8_lossy(&digits).into_owned();
                out.push(u8::from_str_radix(&digits, 16).expect("two hexadecimal digits"));
            }
            other => panic!("escape \\{other:?}"),
        }
    }
    out
}

/// Watches both directions.
struct Watch {
    talk: HostSide,
    gos: usize,
    answers: usize,
    said: Vec<String>,
}

impl Watch {
    fn sent(&mut self, bytes: &[u8]) {
        let dialect = self.talk.dialect();
        for line in bytes.split(|&b| b == b'\n' || b == b'\r') {
            let command = Command::parse(line, dialect).message;
            let perft = matches!(&command, Command::Go(go) if go.get_perft().is_some());
            if !perft {
                self.gos += usize::from(matches!(command, Command::Go(_)));
                self.talk.sent(&command);
            }
        }
    }

    fn heard(&mut self, line: &str) {
        let report = Report::parse(line.as_bytes(), self.talk.dialect()).message;
        self.answers += usize::from(matches!(report, Report::BestMove(_)));
        self.said.push(line.into());
        for code in self.talk.received(&report).iter() {
            // `eval` speaks of a score while no search runs, and every `uci`
            // is answered, also the second.
            let allowed = matches!(code, Code::InfoWhileIdle | Code::LateIdentification);
            assert!(
                code.severity() < Severity::Warning || allowed,
                "{code}: {}\n{line}",
                code.sentence()
            );
            assert!(*code != Code::NoFinalInfo, "no info before {line}");
        }
    }
}

fn host_for(start: &str) -> (Host, Dialect) {
    let mut words = start.split(' ');
    let name = words.next().expect("a game");
    let rules: Vec<&str> = words.collect();
    if name == "any-gyges" || name == "any-chess" {
        let ugi = name == "any-gyges";
        return (Host::any(), if ugi { Dialect::Ugi } else { Dialect::Uci });
    }
    let game: Game = name.parse().expect("a game");
    let dialect = match game {
        Game::Chess => Dialect::Uci,
        Game::Liberty => Dialect::Ulci,
        Game::Leiser => Dialect::Leiser,
        Game::Gyges => Dialect::Ugi,
    };
    (Host::new(game, &rules.join(" ")), dialect)
}

fn play(script: &Script) {
    let (mut host, dialect) = host_for(&script.start);
    let mut watch = Watch {
        talk: HostSide::new(dialect),
        gos: 0,
        answers: 0,
        said: Vec::new(),
    };
    let mut over = false;
    for (number, step) in &script.steps {
        let place = |said: &[String]| {
            let last = &said[said.len().saturating_sub(6)..];
            format!("{}, line {number}: {step}\nafter: {last:#?}", script.name)
        };
        match step.split_once(' ').unwrap_or((step, "")) {
            (">", line) => {
                watch.sent(line.as_bytes());
                host.send(line);
            }
            (">>", raw) => {
                let bytes = unescape(raw);
                watch.sent(&bytes);
                host.send_raw(&bytes);
            }
            ("<", pattern) => {
                let line = host
                    .line()
                    .unwrap_or_else(|| panic!("gone: {}", place(&watch.said)));
                watch.heard(&line);
                let fits = matches(pattern.as_bytes(), line.as_bytes());
                assert!(fits, "{}\nsaid {line}", place(&watch.said));
            }
            (kind @ ("~" | "~~"), pattern) => loop {
                let line = host
                    .line()
                    .unwrap_or_else(|| panic!("gone: {}", place(&watch.said)));
                watch.heard(&line);
                if matches(pattern.as_bytes(), line.as_bytes()) {
                    break;
                }
                let allowed = kind == "~~" || line.starts_with("info");
                assert!(allowed, "{}\nsaid {line}", place(&watch.said));
            },
            ("$", _) => {
                watch.sent(b"quit");
                host.hang_up();
            }
            (".", _) => {
                over = true;
                let rest = host.end();
                assert!(rest.is_empty(), "{}\nsaid {rest:?}", place(&watch.said));
            }
            _ => panic!("{}", place(&watch.said)),
        }
    }
    if !over {
        host.send("quit");
        let rest = host.end();
        assert!(rest.is_empty(), "{}: said at the end {rest:?}", script.name);
    }
    assert_eq!(watch.gos, watch.answers, "{}", script.name);
}

fn play_file(name: &str, at_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/transcripts")
        .join(name);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let all = scripts(&text);
    assert!(all.len() >= at_least, "{name} holds {}", all.len());
    let mut failed = Vec::new();
    for script in &all {
        assert!(
            script.clause.len() > 10,
            "{} names no sentence",
            script.name
        );
        let says = script
            .steps
            .iter()
            .any(|(_, s)| s.starts_with(['<', '~', '.']));
        assert!(says, "{} expects nothing", script.name);
        // All of them, so that one run tells everything that is wrong.
        if catch_unwind(|| play(script)).is_err() {
            failed.push(&script.name);
        }
    }
    assert!(failed.is_empty(), "{} failed: {failed:#?}", failed.len());
}

#[test]
fn uci() {
    play_file("uci.txt", 60);
}

#[test]
fn ulci() {
    play_file("ulci.txt", 25);
}

#[test]
fn leiserchess() {
    play_file("leiser.txt", 25);
}

#[test]
fn ugi() {
    play_file("ugi.txt", 20);
}

#[test]
fn patterns_fit_what_they_say() {
    assert!(matches(
        b"info depth # *pv e2e4*",
        b"info depth 12 nodes 3 pv e2e4 e7e5"
    ));
    assert!(!matches(b"info depth # pv", b"info depth x pv"));
    assert!(!matches(b"readyok", b"readyok "));
    assert_eq!(unescape(r"a\tb\x41\n"), b"a\tbA\n");
}
