//! A tiny host that keeps every rule, and its mutants.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use quadrille_check::hosts::{PosedEngine, Reply, pose, pose_watched};
use quadrille_check::{Report, Role, Selection, table};
use quadrille_games::Game;

/// A host over a posed engine, in a time of its own.
struct Host {
    engine: PosedEngine,
    due: VecDeque<Reply>,
    now: Instant,
    mutant: &'static str,
}

impl Host {
    fn new(mutant: &'static str) -> Self {
        Self {
            engine: PosedEngine::new(Game::Chess, Selection::default(), true),
            due: VecDeque::new(),
            now: Instant::now(),
            mutant,
        }
    }

    fn breaks(&self, id: &str) -> bool {
        self.mutant == id
    }

    fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes());
    }

    fn say_bytes(&mut self, line: &[u8]) {
        self.due.extend(self.engine.hear(line, self.now));
    }

    /// The rule is kept with one line and broken with the other.
    fn either(&mut self, id: &str, kept: &str, broken: &str) {
        let line = if self.breaks(id) { broken } else { kept };
        for line in line.split('\n').filter(|line| !line.is_empty()) {
            self.say(line);
        }
    }

    /// Lets time pass until the engine has said this.
    fn wait(&mut self, word: &str) {
        while let Some(reply) = self.due.pop_front() {
            self.now += reply.after;
            self.engine.sent(&reply.line, self.now);
            if reply.line.starts_with(word) {
                return;
            }
        }
        panic!("{word} never came");
    }

    fn ready(&mut self) {
        self.say("isready");
        self.wait("readyok");
    }

    fn converse(mut self) -> Report {
        self.hello();
        self.first_game();
        self.searches();
        self.chess960();
        self.now += Duration::from_secs(1);
        self.either("host.stop-idle", "", "stop");
        self.either("host.unknown", "", "joho");
        if self.breaks("host.text") {
            self.say_bytes(b"setoption name Book value \xff");
        }
        self.either("host.quit", "quit", "");
        self.either("host.after-quit", "", "quit");
        self.engine.report()
    }

    fn hello(&mut self) {
        self.either("host.hello", "", "isready");
        if self.breaks("host.hello") {
            self.wait("readyok");
        }
        self.say("uci");
        self.either("host.waits", "", "isready");
        self.wait("uciok");
        self.either("host.hello-once", "", "uci");
        self.wait("registration checking");
        self.wait("registration error");
        if self.breaks("host.hello-once") {
            self.wait("uciok");
            self.wait("registration error");
        }
        self.either("host.register", "register later", "");
        if self.breaks("host.waits") {
            self.wait("readyok");
        }
        self.either(
            "host.option-known",
            "setoption name Hash value 32",
            "setoption name Joho value 1",
        );
        self.either(
            "host.option-value",
            "setoption name Style value Risky",
            "setoption name Style value Wild",
        );
        self.either(
            "host.option-form",
            "setoption name Hash value 12",
            "setoption Hash 12",
        );
        self.either(
            "host.option-value/yes",
            "setoption name UCI_AnalyseMode value true",
            "setoption name UCI_AnalyseMode value yes",
        );
        self.either(
            "host.ponder-option",
            "setoption name Ponder value true",
            "setoption name Ponder value false",
        );
    }

    fn first_game(&mut self) {
        let early = self.breaks("host.isready");
        if !early {
            self.ready();
        }
        self.either("host.position", "position startpos moves e2e4", "");
        self.say("go depth 1");
        self.wait("bestmove");
        if early {
            self.ready();
        }
        self.say("ucinewgame");
        if !self.breaks("host.new-game-ready") {
            self.say("isready");
            if !self.breaks("host.waits-ready") {
                self.wait("readyok");
            }
        }
        self.either(
            "host.position-moves",
            "position startpos moves e2e4 e7e5",
            "position startpos moves e2e5",
        );
        self.either(
            "host.move-form",
            "position startpos moves g1f3",
            "position startpos moves Nf3",
        );
        self.either(
            "host.clock",
            "go wtime 1000 btime 1000 movestogo 10",
            "go wtime -5 btime 1000 movestogo 10",
        );
        self.wait("bestmove");
    }

    fn searches(&mut self) {
        self.either(
            "host.position-read",
            "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "position fen joho w - - 0 1",
        );
        if self.breaks("host.position-read") {
            self.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        }
        for (id, kept, broken) in [
            ("host.go-words", "go depth 1", "go depth 1 joho"),
            ("host.go-numbers", "go nodes 10", "go nodes 1.5"),
            (
                "host.movestogo",
                "go wtime 9 btime 9 movestogo 1",
                "go wtime 9 btime 9 movestogo 0",
            ),
            (
                "host.searchmoves",
                "go depth 1 searchmoves e1e2",
                "go depth 1 searchmoves a2a7",
            ),
        ] {
            self.either(id, kept, broken);
            self.wait("bestmove");
        }
        self.say("go infinite");
        self.either("host.option-idle", "", "setoption name Hash value 8");
        self.either("host.position-idle", "", "position startpos");
        self.either("host.new-game-idle", "", "ucinewgame\nisready");
        self.either("host.go-idle", "", "go depth 1");
        self.say("stop");
        self.wait("bestmove");
        if self.breaks("host.go-idle") {
            self.wait("bestmove");
        }
        self.say("position startpos moves e2e4 e7e5");
        self.say("go ponder wtime 1000 btime 1000");
        self.say("ponderhit");
        self.wait("bestmove");
        self.either("host.ponderhit", "", "ponderhit");
    }

    fn chess960(&mut self) {
        self.either(
            "host.chess960",
            "setoption name UCI_Chess960 value true",
            "",
        );
        self.say("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
        self.say("go depth 1");
        self.wait("bestmove");
        if self.breaks("host.stop-infinite") {
            self.say("go infinite");
        }
    }
}

#[test]
fn the_tiny_host_keeps_every_rule() {
    let report = Host::new("").converse();
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    let skipped: Vec<&str> = report.skipped.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(skipped, ["host.stop-idle"; 0], "all are looked at");
}

#[test]
fn every_check_of_hosts_has_a_mutant_that_fails_it_and_nothing_else() {
    let mut wrong = Vec::new();
    for check in table::all().filter(|check| check.role() == Role::Host) {
        let report = Host::new(check.id).converse();
        let found: Vec<&str> = report.findings.iter().map(|f| f.id.as_str()).collect();
        let seen: Vec<&str> = report.findings.iter().map(|f| f.seen.as_str()).collect();
        println!("{:<24} {}", check.id, seen.join(" | "));
        if found != [check.id] {
            wrong.push(format!("{}: {found:?}", check.id));
        }
    }
    let report = Host::new("host.option-value/yes").converse();
    let found: Vec<&str> = report.findings.iter().map(|f| f.id.as_str()).collect();
    assert_eq!(found, ["host.option-value"], "{:#?}", report.findings);
    assert!(report.findings[0].seen.ends_with("was set to yes"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A host that speaks over pipes, as a program would.
fn converse_over_pipes(words: &'static [u8], wait: Duration) -> (Report, String) {
    use std::io::{Read, Write};
    let (mut host_in, mut engine_out) = std::io::pipe().expect("a pipe");
    let (engine_in, mut host_out) = std::io::pipe().expect("a pipe");
    let engine = PosedEngine::new(Game::Chess, Selection::default(), false);
    let posed = std::thread::spawn(move || pose(engine, engine_in, &mut engine_out));
    host_out.write_all(words).expect("it reads");
    std::thread::sleep(wait);
    host_out.write_all(b"stop\nquit\n").expect("it reads");
    drop(host_out);
    let report = posed.join().expect("it ends");
    let mut heard = String::new();
    host_in.read_to_string(&mut heard).expect("text");
    (report, heard)
}

#[test]
fn a_carriage_return_alone_is_found() {
    let found = |words| {
        let (report, _) = converse_over_pipes(words, Duration::ZERO);
        report
            .findings
            .into_iter()
            .any(|finding| finding.id == "host.text")
    };
    assert!(found(b"uci\rdebug off\r"));
    assert!(!found(b"uci\r\ndebug off\n"));
}

#[test]
fn an_infinite_search_goes_on_talking_until_it_is_stopped() {
    let words = b"uci\nisready\nposition startpos\ngo infinite\n";
    let (_, heard) = converse_over_pipes(words, Duration::from_secs(4));
    let count = heard
        .lines()
        .filter(|line| line.starts_with("info "))
        .count();
    assert!(count >= 3, "{heard}");
    let last: Vec<&str> = heard.lines().rev().take(2).collect();
    assert!(
        last[0].starts_with("bestmove") && last[1].starts_with("info"),
        "{heard}"
    );
}

#[test]
fn a_pose_that_is_broken_off_says_so() {
    let (engine_in, host_out) = std::io::pipe().expect("a pipe");
    let engine = PosedEngine::new(Game::Chess, Selection::default(), false);
    let report = pose_watched(engine, engine_in, std::io::sink(), &mut |_| {
        ControlFlow::Break(())
    });
    assert!(!report.complete && report.score_line().ends_with("broken off"));
    drop(host_out);
}
