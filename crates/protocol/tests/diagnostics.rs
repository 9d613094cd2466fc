//! Every code that reading a line can give is given by some line, and points
//! at the words it is about.

use std::collections::BTreeSet;

use quadrille_protocol::Dialect::{Leiser, Uci, Ugi, Ulci};
use quadrille_protocol::{Code, Command, Diagnostic, Dialect, Report};

/// What a host says: the line, a code it gives, and the words that code is
/// about.
const COMMANDS: [(Dialect, &str, &str, &str); 26] = [
    (Uci, "   ", "empty-line", ""),
    (Uci, "\u{feff}uci", "byte-order-mark", "\u{feff}"),
    (Uci, "hello there", "unknown-command", "hello"),
    (Ulci, "joho debug on", "unknown-command", "joho"),
    (Uci, "joho debug on", "skipped-words", "joho"),
    (Uci, "isready at once", "extra-words", "at once"),
    (Uci, "go deep depth 4", "unknown-word", "deep"),
    (Uci, "setpos start", "foreign-command", "setpos"),
    (Uci, "go time 40", "foreign-word", "time"),
    (Uci, "debug", "missing-value", "debug"),
    (Uci, "go depth x", "not-a-number", "x"),
    (
        Uci,
        "go nodes 18446744073709551616",
        "number-too-large",
        "18446744073709551616",
    ),
    (Uci, "go depth -3", "negative-number", "-3"),
    (Uci, "go wtime -3", "negative-clock", "wtime"),
    (Uci, "go depth 2.5", "fractional-number", "2.5"),
    (Uci, "go depth 2 depth 3", "duplicate-word", "depth"),
    (Leiser, "move", "missing-move", "move"),
    (
        Uci,
        "go searchmoves depth 2",
        "empty-move-list",
        "searchmoves",
    ),
    (
        Ulci,
        "go searchmoves e2e4 depth 2",
        "searchmoves-not-last",
        "depth",
    ),
    (
        Uci,
        "setoption Hash value 3",
        "missing-keyword",
        "Hash value 3",
    ),
    (Uci, "position moves e2e4", "startpos-omitted", "moves"),
    (
        Uci,
        "position fen \"8/8 w\" moves e2e4",
        "quoted-fen",
        "\"8/8 w\"",
    ),
    (Ugi, "setpos middle", "unknown-position", "middle"),
    (
        Uci,
        "setoption name a value b value c",
        "ambiguous-option",
        "name a value b value c",
    ),
    (
        Uci,
        "setoption name value 3",
        "option-without-name",
        "setoption",
    ),
    (Uci, "register", "missing-value", "register"),
];

/// What an engine says.
const REPORTS: [(Dialect, &str, &str, &str); 16] = [
    (Uci, "bestmove (none)", "odd-null-move", "(none)"),
    (Uci, "info seldepth 4", "seldepth-alone", "seldepth"),
    (
        Uci,
        "info currmovenumber 0",
        "move-number-zero",
        "currmovenumber",
    ),
    (Uci, "info wdl 1 2 3", "wdl-sum", "wdl 1 2 3"),
    (Uci, "info hashfull 1001", "share-too-large", "hashfull"),
    (Uci, "info cpuload 1001", "share-too-large", "cpuload"),
    (Leiser, "info hashfull 1001", "share-too-large", "hashfull"),
    (Uci, "option type button", "option-without-name", "option"),
    (Uci, "option name A", "option-without-type", "option"),
    (
        Uci,
        "option name A type file",
        "unknown-option-type",
        "file",
    ),
    (
        Uci,
        "option name A type spin default 1 min 2 max 1",
        "empty-range",
        "option",
    ),
    (
        Uci,
        "option name A type spin default 9 min 1 max 2",
        "default-out-of-range",
        "option",
    ),
    (
        Uci,
        "option name A type combo default x var y",
        "default-not-listed",
        "option",
    ),
    (
        Uci,
        "option name A type check default yes",
        "default-not-a-bool",
        "option",
    ),
    (Uci, "registration maybe", "unknown-status", "maybe"),
    (Uci, "copyprotection perhaps", "unknown-status", "perhaps"),
];

#[track_caller]
fn check(line: &str, found: &[Diagnostic], code: &str, about: &str) {
    let finding = found.iter().find(|d| d.code.as_str() == code);
    let finding = finding.unwrap_or_else(|| panic!("{line:?} gives {found:?}, not {code}"));
    let words = line.as_bytes().get(finding.span());
    assert_eq!(words, Some(about.as_bytes()), "{line:?}: {code}");
}

#[test]
fn every_code_of_a_line_can_be_met() {
    let mut met: BTreeSet<&str> = BTreeSet::new();
    for (dialect, line, code, about) in COMMANDS {
        let parsed = Command::parse(line.as_bytes(), dialect);
        check(line, parsed.diagnostics(), code, about);
        met.insert(code);
    }
    for (dialect, line, code, about) in REPORTS {
        let parsed = Report::parse(line.as_bytes(), dialect);
        check(line, parsed.diagnostics(), code, about);
        met.insert(code);
    }
    let odd = Report::parse(b"id name \xFF", Uci);
    assert_eq!(odd.diagnostics()[0].span(), 8..9);
    met.insert(odd.diagnostics()[0].code.as_str());
    // The codes of a conversation follow those of a line in the table; their
    // tests are in `conversation.rs`.
    let of_lines = Code::ALL
        .iter()
        .take_while(|code| **code != Code::BeforeHandshake);
    for code in of_lines {
        assert!(met.contains(code.as_str()), "no line here gives {code}");
    }
}

#[test]
fn clean_lines_give_nothing() {
    for (dialect, line) in [
        (Uci, "go wtime 1 btime 1 winc 0 binc 0 movestogo 3"),
        (Uci, "setoption name Clear Hash"),
        (Ulci, "clock wtime 1 btime 1 winc 0 binc 0"),
        (Ulci, "go depth 2 searchmoves e2e4"),
        (Ulci, "info error no such thing"),
        (Leiser, "go time 40 inc 1 movestogo 3"),
        (Leiser, "position endgame moves h0R"),
        (Ugi, "setpos data 321123000000000000000000000000321123"),
        (Ugi, "setoption maxTime 0.5"),
    ] {
        let parsed = Command::parse(line.as_bytes(), dialect);
        assert!(
            parsed.diagnostics().is_empty(),
            "{line}: {:?}",
            parsed.diagnostics()
        );
    }
}
