//! Conversations, right and wrong, line by line: what each side is told.

use quadrille_protocol::{Code, Command, Dialect, EngineSide, HostSide, Owed, Phase, Report};

/// A script: `>` host, `<` engine, and after `!` the codes expected there.
struct Talk {
    dialect: Dialect,
    host: HostSide,
    engine: EngineSide,
}

impl Talk {
    fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            host: HostSide::new(dialect),
            engine: EngineSide::new(dialect),
        }
    }

    /// A conversation that is past its handshake.
    fn ready(dialect: Dialect) -> Self {
        let mut talk = Self::new(dialect);
        talk.run(match dialect {
            Dialect::Ugi => "> ugi\n< id name Toy\n< ugiok\n> isready\n< readyok",
            _ => "> uci\n< id name Toy\n< uciok\n> isready\n< readyok\n> position startpos",
        });
        talk
    }

    #[track_caller]
    fn run(&mut self, script: &str) {
        for line in script.lines() {
            let (line, expected) = line.split_once('!').unwrap_or((line, ""));
            let expected: Vec<&str> = expected.split_whitespace().collect();
            let (who, text) = line.trim().split_at(1);
            let found = match who {
                ">" => {
                    let message = Command::parse(text.as_bytes(), self.dialect).message;
                    assert_eq!(self.host.check(&message), self.engine.received(&message));
                    self.host.sent(&message)
                }
                "<" => {
                    let message = Report::parse(text.as_bytes(), self.dialect).message;
                    assert_eq!(self.engine.check(&message), self.engine.sent(&message));
                    self.host.received(&message)
                }
                _ => panic!("{line}"),
            };
            let found: Vec<&str> = found.iter().map(|code| code.as_str()).collect();
            assert_eq!(found, expected, "at {line:?}");
        }
    }
}

#[test]
fn the_sample_conversation_of_the_uci_text() {
    let mut talk = Talk::new(Dialect::Uci);
    talk.run(
        "> uci
        < id name Shredder
        < id author Stefan MK
        < option name Hash type spin default 1 min 1 max 128
        < uciok
        > setoption name Hash value 32
        > isready
        < readyok
        > ucinewgame
        > setoption name UCI_AnalyseMode value true
        > isready
        < readyok
        > position startpos moves e2e4 e7e5
        > go infinite
        < info depth 1 seldepth 0
        < info score cp 13  depth 1 nodes 13 time 15 pv f1b5
        > stop
        < bestmove g1f3 ponder d8f6
        > quit",
    );
    assert_eq!(talk.host.phase(), Phase::Over);
    assert!(talk.host.owed().is_nothing());
}

#[test]
fn handshake_mistakes() {
    let mut talk = Talk::new(Dialect::Uci);
    talk.run(
        "< id name Early ! before-handshake
        < uciok ! unexpected-uciok
        > uci ! hello-again
        < uciok ! missing-id
        < option name Late type button ! late-identification
        < id author Late ! late-identification",
    );
    let mut talk = Talk::new(Dialect::Uci);
    talk.run(
        "> isready ! before-handshake
        > go depth 1 ! before-handshake go-without-position never-ready
        > ugi ! wrong-handshake
        < ugiok ! wrong-handshake missing-id",
    );
    let mut talk = Talk::new(Dialect::Ugi);
    talk.run("> uci ! wrong-handshake\n< id name A\n< uciok ! wrong-handshake");
    let mut talk = Talk::new(Dialect::Uci);
    talk.run("> debug on\n> uci\n> quit");
    assert!(talk.host.owed().handshake);
}

#[test]
fn one_bestmove_for_every_go() {
    let mut talk = Talk::ready(Dialect::Uci);
    talk.run(
        "< bestmove e2e4 ! bestmove-without-go
        > go depth 3
        < info depth 1 score cp 3 pv e2e4
        < bestmove e2e4
        < bestmove e2e4 ! second-bestmove
        < info depth 4 score cp 3 ! info-while-idle
        < info string just talking
        > go depth 3
        < bestmove e2e4 ! no-final-info",
    );
}

#[test]
fn infinite_and_ponder_never_end_by_themselves() {
    let mut talk = Talk::ready(Dialect::Uci);
    talk.run("> go infinite\n< info depth 1\n< bestmove e2e4 ! premature-bestmove");
    talk.run(
        "> go ponder wtime 100 btime 100\n< info depth 1\n< bestmove e2e4 ! premature-bestmove",
    );
    talk.run("> go ponder wtime 100 btime 100\n> ponderhit\n< info depth 1\n< bestmove e2e4");
    talk.run("> go ponder wtime 100 btime 100\n> stop\n< info depth 1\n< bestmove e2e4");
    talk.run("> ponderhit ! ponderhit-without-ponder\n> stop ! stop-while-idle");
    talk.run("> go ponder infinite\n> ponderhit\n< info depth 1");
    assert_eq!(talk.host.phase(), Phase::Infinite);
    talk.run("< bestmove e2e4 ! premature-bestmove");
    talk.run(
        "> go depth 9\n> ponderhit ! ponderhit-without-ponder\n> stop\n> stop ! stop-while-idle",
    );
}

#[test]
fn commands_at_the_wrong_moment() {
    let mut talk = Talk::ready(Dialect::Uci);
    talk.run(
        "> go depth 30
        > setoption name Hash value 4 ! setoption-while-searching
        > position startpos ! position-while-searching
        > ucinewgame ! newgame-while-searching
        > isready
        < readyok
        > debug on
        > go depth 2 ! go-while-searching",
    );
    assert_eq!(
        talk.host.owed(),
        Owed {
            bestmove: 2,
            ..Owed::default()
        }
    );
    talk.run("< info depth 1\n< bestmove e2e4\n< info depth 1\n< bestmove e2e4\n< bestmove e2e4 ! second-bestmove");
}

#[test]
fn readiness() {
    let mut talk = Talk::ready(Dialect::Uci);
    talk.run("< readyok ! unexpected-readyok\n> isready\n> isready");
    assert_eq!(talk.engine.owed().readyok, 2);
    talk.run("< readyok\n< readyok\n> ucinewgame\n> position startpos\n> go depth 1 ! newgame-without-isready");
}

#[test]
fn copy_protection_and_registration() {
    let mut talk = Talk::new(Dialect::Uci);
    talk.run(
        "> uci
        < id name Old
        < uciok
        < copyprotection checking
        < copyprotection ok
        < registration checking
        < registration error
        > isready
        < readyok
        > position startpos
        > go depth 1 ! register-owed
        < info depth 1
        < bestmove e2e4
        > register later
        < registration checking
        < registration error
        > go depth 1
        < info depth 1
        < bestmove e2e4
        < registration ok ! status-without-checking
        > go depth 1
        < info depth 1
        < bestmove e2e4
        < copyprotection checking
        < copyprotection error
        > go depth 1 ! copy-protected",
    );
    assert!(!talk.host.owed().register);
}

#[test]
fn ugi_needs_no_position_and_people_no_info() {
    let mut talk = Talk::ready(Dialect::Ugi);
    talk.run("> go\n< info ply 1 score 3.000\n< bestmove 0|1|9 score 3.000 time 0.010");
    let mut talk = Talk::new(Dialect::Ulci);
    talk.run("> uci\n< id version 1\n< id name Board\n< id username Ann\n< uciok\n> isready\n< readyok\n> position startpos\n> go wtime 9 btime 9\n< bestmove e2e4");
}

#[test]
fn debugging_aids_may_answer_with_info() {
    for dialect in [Dialect::Ulci, Dialect::Leiser] {
        let mut talk = Talk::ready(dialect);
        talk.run(
            "< info score cp 12 ! info-while-idle
            > eval
            < info score cp 12
            > go depth 1
            < info depth 1 score cp 3
            < bestmove e2e4
            < info score cp 12 ! info-while-idle",
        );
    }
}

#[test]
fn counting_moves_owes_no_move() {
    let mut talk = Talk::ready(Dialect::Uci);
    talk.run("> go perft 3\n< Nodes searched: 8902");
    assert!(talk.host.owed().is_nothing());
}

#[test]
fn ugi_forbids_nothing_during_a_search() {
    let mut talk = Talk::ready(Dialect::Ugi);
    talk.run("> go\n> setoption maxPly 3\n> setpos start\n< info ply 1\n< bestmove 0|1");
}

#[test]
fn nothing_after_quit() {
    let mut talk = Talk::ready(Dialect::Uci);
    talk.run("> go infinite\n< info depth 1\n> quit\n< bestmove e2e4\n> isready ! after-quit");
    assert_eq!(talk.engine.phase(), Phase::Over);
    assert_eq!(Code::AfterQuit.as_str(), "after-quit");
}

#[test]
fn phases() {
    let mut talk = Talk::new(Dialect::Uci);
    assert_eq!(talk.host.phase(), Phase::Silent);
    for (line, phase) in [
        ("> uci", Phase::Handshake),
        ("< id name T", Phase::Handshake),
        ("< uciok", Phase::Idle),
        ("> isready", Phase::Idle),
        ("< readyok", Phase::Idle),
        ("> position startpos", Phase::Idle),
        ("> go wtime 5", Phase::Searching),
        ("> stop", Phase::Stopping),
        ("< info depth 1", Phase::Stopping),
        ("< bestmove e2e4", Phase::Idle),
        ("> go ponder", Phase::Pondering),
        ("> ponderhit", Phase::Searching),
        ("< info depth 1", Phase::Searching),
        ("< bestmove e2e4", Phase::Idle),
        ("> go infinite", Phase::Infinite),
    ] {
        talk.run(line);
        assert_eq!(talk.host.phase(), phase, "{line}");
    }
}
