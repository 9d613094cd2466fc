//! Every line that real engines and hosts were heard to say: byte-exact, no
//! word lost, and typed as a naive reader of the same line would expect.

use crate::common::{rows, show, words};
use quadrille_protocol::{Command, Dialect, HashFull, Info, Report, Score, Time};

const RECORDED: [(Dialect, &str); 3] = [
    (Dialect::Ulci, include_str!("data/transcript_ulci.txt")),
    (Dialect::Leiser, include_str!("data/transcript_leiser.txt")),
    (Dialect::Ugi, include_str!("data/transcript_ugi.txt")),
];

/// The only recorded lines whose normal form has other words than the line:
/// each has a mistake in it that the normal form puts right.
const CORRECTED: [(&str, &str); 10] = [
    ("d", "display"),
    ("setoption Hash value 3", "setoption name Hash value 3"),
    ("setoption hash 12", "setoption name hash value 12"),
    (
        "position startpos e2e4 e7e5",
        "position startpos moves e2e4 e7e5",
    ),
    (
        "position startpos h4g5 a3a2",
        "position startpos moves h4g5 a3a2",
    ),
    ("go searchmoves a2a3 depth 4", "go depth 4 searchmoves a2a3"),
    ("go nodes -4 depth 1", "go nodes 0 depth 1"),
    (
        "go depth 2 moves e2e4 d2d4",
        "go depth 2 searchmoves e2e4 d2d4",
    ),
    (
        "position fen \"ss7/8/8/8/8/8/8/7NN B\"",
        "position fen ss7/8/8/8/8/8/8/7NN B",
    ),
    ("setoption name maxPly value 3", "setoption maxPly 3"),
];

#[test]
fn nothing_is_lost() {
    let mut corrected = 0;
    for (dialect, data) in RECORDED {
        for row in rows(data) {
            let (exact, normal, findings) = if row.from_host {
                let parsed = Command::parse(&row.line, dialect);
                (
                    parsed.exact(),
                    parsed.normal(dialect),
                    parsed.diagnostics().len(),
                )
            } else {
                let parsed = Report::parse(&row.line, dialect);
                (
                    parsed.exact(),
                    parsed.normal(dialect),
                    parsed.diagnostics().len(),
                )
            };
            assert_eq!(exact, row.line);
            if words(&normal) == words(&row.line) {
                continue;
            }
            let expected = CORRECTED.iter().find(|(line, _)| *line == show(&row.line));
            let expected = expected.unwrap_or_else(|| {
                panic!("{dialect}: {} became {}", show(&row.line), show(&normal))
            });
            assert_eq!(show(&normal), expected.1);
            assert!(
                findings > 0,
                "a correction without a diagnostic: {}",
                show(&row.line)
            );
            corrected += 1;
        }
    }
    assert_eq!(corrected, CORRECTED.len());
}

#[test]
fn engine_lines_have_the_right_type() {
    let mut typed = 0;
    for (dialect, data) in RECORDED {
        for row in rows(data).iter().filter(|row| !row.from_host) {
            let text = show(&row.line);
            let list: Vec<&str> = text.split_ascii_whitespace().collect();
            let message = Report::parse(&row.line, dialect).message;
            match (list.as_slice(), &message) {
                ([], Report::Empty)
                | (["readyok"], Report::ReadyOk)
                | (["uciok"], Report::UciOk)
                | (["ugiok"], Report::UgiOk) => {}
                (["bestmove", rest @ ..], Report::BestMove(best)) => {
                    assert_eq!(
                        best.best.map(|b| b.to_string()).as_deref(),
                        rest.first().copied()
                    );
                    if dialect == Dialect::Ugi {
                        assert_eq!(
                            best.score.unwrap().value().map(show_score),
                            naive(rest, "score")
                        );
                    }
                }
                (["id", key, rest @ ..], Report::Id(id)) => {
                    assert_eq!(id.key.word(), *key);
                    assert_eq!(id.value, rest.join(" ").as_str());
                }
                (["option", rest @ ..], Report::Option(option)) => check_option(rest, option),
                (["info", rest @ ..], Report::Info(info)) => check_info(rest, info, dialect),
                (["perft", depth, count], Report::Perft { depth: d, count: c }) => {
                    assert_eq!((*depth, *count), (&*d.to_string(), &*c.to_string()));
                }
                (_, Report::Text(whole)) => {
                    let known = [
                        "info", "bestmove", "option", "id", "readyok", "uciok", "ugiok",
                    ];
                    assert!(!known.contains(&list[0]), "{text}");
                    assert_eq!(*whole, text.trim_end_matches('\r'));
                    continue;
                }
                _ => panic!("{text:?} read as {message:?}"),
            }
            typed += 1;
        }
    }
    assert!(typed > 1000, "only {typed} lines were typed");
}

/// The word after `key` in a plain list of words.
fn naive(list: &[&str], key: &str) -> Option<String> {
    let at = list.iter().position(|word| *word == key)?;
    list.get(at + 1).map(ToString::to_string)
}

fn show_score(value: quadrille_protocol::ScoreValue) -> String {
    match value {
        quadrille_protocol::ScoreValue::Units(units) => units.to_string(),
        other => panic!("not a UGI score: {other:?}"),
    }
}

fn check_option(rest: &[&str], option: &quadrille_protocol::OptionLine<'_>) {
    let Some(("name", rest)) = rest.split_first().map(|(first, rest)| (*first, rest)) else {
        assert_eq!(option.name().unwrap(), rest.join(" ").as_str());
        return;
    };
    let kind = rest.iter().position(|word| *word == "type").unwrap();
    assert_eq!(option.name().unwrap(), rest[..kind].join(" ").as_str());
    assert_eq!(option.kind().unwrap().word(), rest[kind + 1]);
    let number = |key| naive(rest, key).map(|n| n.parse::<i64>().unwrap());
    assert_eq!(option.min(), number("min"));
    assert_eq!(option.max(), number("max"));
    if rest[kind + 1] == "spin" {
        assert_eq!(option.default_number(), number("default"));
    }
}

fn check_info(rest: &[&str], info: &Info<'_>, dialect: Dialect) {
    if let Some(at) = rest.iter().position(|w| matches!(*w, "string" | "error")) {
        let rest_of_line = rest[at + 1..].join(" ");
        let text = format!("{info:?}");
        assert!(
            rest_of_line.is_empty() || !text.contains("Unknown"),
            "{rest_of_line} {text}"
        );
        return;
    }
    let pv_at = rest
        .iter()
        .position(|word| *word == "pv")
        .unwrap_or(rest.len());
    let (facts, pv) = rest.split_at(pv_at);
    let number = |key| naive(facts, key).and_then(|n| n.parse::<u64>().ok());
    assert_eq!(info.get_depth(), number("depth").or(number("ply")));
    assert_eq!(info.get_seldepth(), number("seldepth"));
    assert_eq!(info.get_nodes(), number("nodes"));
    assert_eq!(info.get_nps(), number("nps"));
    assert_eq!(info.get_multipv(), number("multipv"));
    assert_eq!(
        info.get_hashfull(),
        number("hashfull").map(HashFull::Permill)
    );
    let moves = info
        .get_pv()
        .map(|pv| pv.iter().map(|m| m.to_string()).collect::<Vec<_>>());
    assert_eq!(moves.unwrap_or_default(), pv.get(1..).unwrap_or_default());
    if let Some(cp) = naive(facts, "cp") {
        assert_eq!(info.get_score(), Some(Score::cp(cp.parse().unwrap())));
    }
    if let Some(mate) = naive(facts, "mate") {
        assert_eq!(info.get_score(), Some(Score::mate(mate.parse().unwrap())));
    }
    if let Some(micros) = naive(facts, "(microsec)") {
        assert_eq!(info.get_time(), Some(Time::Micros(micros.parse().unwrap())));
    } else if dialect != Dialect::Ugi {
        assert_eq!(info.get_time(), number("time").map(Time::Millis));
    }
}

#[test]
fn host_lines_have_the_right_type() {
    for (dialect, data) in RECORDED {
        for row in rows(data).iter().filter(|row| row.from_host) {
            let text = show(&row.line);
            let list: Vec<&str> = text.split_ascii_whitespace().collect();
            let parsed = Command::parse(&row.line, dialect);
            let (skipped, message) = (parsed.skipped(), parsed.message);
            let matches = match list.first().copied() {
                None => message == Command::Empty,
                Some("uci") => message == Command::Uci,
                Some("ugi") => message == Command::Ugi,
                Some("isready") => message == Command::IsReady,
                Some("stop") => message == Command::Stop,
                Some("quit") => message == Command::Quit,
                Some("ponderhit") => message == Command::PonderHit,
                Some("ucinewgame") => message == Command::UciNewGame,
                Some("display" | "d") => message == Command::Display,
                Some("generate") => message == Command::Generate,
                Some("help") => message == Command::Help,
                Some("showpos") => message == Command::ShowPos,
                Some("debug") => matches!(message, Command::Debug(_)),
                Some("register") => matches!(message, Command::Register(_)),
                Some("setoption") => matches!(message, Command::SetOption(_)),
                Some("position") => check_position(&list, &message),
                Some("setpos") => matches!(message, Command::SetPos(_)),
                Some("go") => check_go(&list, &message),
                Some("move") => {
                    matches!(message, Command::Move(m) if m.map(|m| m.to_string()).as_deref() == list.get(1).copied())
                }
                Some("clock") => matches!(message, Command::Clock(_)),
                Some("info") => matches!(message, Command::Info(_)),
                Some("eval") => matches!(message, Command::Eval(_)),
                Some("bench") => matches!(message, Command::Bench(_)),
                Some("perft") => matches!(message, Command::Perft(_)),
                Some("joho") => message == Command::Debug(Some(true)),
                // Unknown words are skipped up to a command, if there is one.
                Some(word) if !skipped.is_empty() => text.trim().starts_with(word),
                Some(_) => matches!(message, Command::Unknown(_)),
            };
            assert!(matches, "{dialect}: {text:?} read as {message:?}");
        }
    }
}

fn check_position(list: &[&str], message: &Command<'_>) -> bool {
    let Command::Position(position) = message else {
        return false;
    };
    let naive: Vec<&str> = match list.iter().position(|word| *word == "moves") {
        Some(at) => list[at + 1..].to_vec(),
        None => return true,
    };
    let read: Vec<String> = position
        .moves
        .unwrap()
        .iter()
        .map(|m| m.to_string())
        .collect();
    read == naive
}

fn check_go(list: &[&str], message: &Command<'_>) -> bool {
    let Command::Go(go) = message else {
        return false;
    };
    let number = |key| naive(list, key).and_then(|n| n.parse::<i64>().ok());
    go.is_infinite() == list.contains(&"infinite")
        && go.get_wtime() == number("wtime")
        && go.get_btime() == number("btime")
        && go.get_time() == number("time")
        && go.get_depth() == number("depth").and_then(|n| n.try_into().ok())
}
