//! Helpers for the protocol tests.
#![allow(dead_code, reason = "each test file uses its own part of this")]
#![allow(
    clippy::needless_pass_by_value,
    reason = "a table of lines and messages reads better without ampersands"
)]

use quadrille_protocol::{
    Code, Command, Dialect, Message, OptionItem, OptionLine, OptionType, Parsed, Report, Text,
};

/// One recorded line: who said it, and its bytes.
pub(crate) struct Row {
    pub(crate) from_host: bool,
    pub(crate) line: Vec<u8>,
}

/// Reads `> ` (host) and `< ` (engine) lines with `\t`, `\r`, `\\` and `\xNN`
/// escapes.
pub(crate) fn rows(data: &str) -> Vec<Row> {
    data.lines()
        .map(|text| {
            let (who, line) = text.split_at_checked(2).unwrap_or((text, ""));
            let from_host = match who.trim() {
                ">" => true,
                "<" => false,
                _ => panic!("not a recorded line: {text:?}"),
            };
            Row {
                from_host,
                line: unescape(line),
            }
        })
        .collect()
}

pub(crate) fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next().expect("an escape is two characters or more") {
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'n' => out.push(b'\n'),
            b'\\' => out.push(b'\\'),
            b'x' => {
                let hex = [bytes.next().unwrap(), bytes.next().unwrap()];
                let hex = std::str::from_utf8(&hex).unwrap();
                out.push(u8::from_str_radix(hex, 16).unwrap());
            }
            other => panic!("unknown escape \\{}", other as char),
        }
    }
    out
}

/// The words of a line, as bytes.
pub(crate) fn words(line: &[u8]) -> Vec<Vec<u8>> {
    line.split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

/// Parses in the right direction; gives back the exact line, the normal form
/// and the message for people.
pub(crate) fn parse(row: &Row, dialect: Dialect) -> (Vec<u8>, Vec<u8>, String) {
    if row.from_host {
        let parsed = Command::parse(&row.line, dialect);
        (
            parsed.exact().to_vec(),
            parsed.normal(dialect),
            format!("{:?}", parsed.message),
        )
    } else {
        let parsed = Report::parse(&row.line, dialect);
        (
            parsed.exact().to_vec(),
            parsed.normal(dialect),
            format!("{:?}", parsed.message),
        )
    }
}

pub(crate) fn show(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// A host's line means this, is kept exactly, and survives other blanks.
#[track_caller]
pub(crate) fn command(dialect: Dialect, line: &str, expected: Command<'_>) {
    let parsed = Command::parse(line.as_bytes(), dialect);
    assert_eq!(parsed.message, expected, "{line:?}");
    assert_eq!(parsed.exact(), line.as_bytes());
    assert_eq!(
        words(&parsed.normal(dialect)),
        words(line.as_bytes()),
        "{line:?}"
    );
    // With the line ends of other systems, and inside other blanks.
    for noisy in [
        format!("{line}\r\n"),
        format!("\t {line} \t\r"),
        line.replace(' ', " \t "),
    ] {
        let again = Command::parse(noisy.as_bytes(), dialect);
        assert_eq!(
            show(&again.normal(dialect))
                .split_whitespace()
                .collect::<Vec<_>>(),
            line.split_whitespace().collect::<Vec<_>>(),
            "{noisy:?}"
        );
    }
}

/// An engine's line means this and is kept exactly.
#[track_caller]
pub(crate) fn report(dialect: Dialect, line: &str, expected: Report<'_>) {
    let parsed = Report::parse(line.as_bytes(), dialect);
    assert_eq!(parsed.message, expected, "{line:?}");
    assert_eq!(parsed.exact(), line.as_bytes());
    assert_eq!(
        words(&parsed.normal(dialect)),
        words(line.as_bytes()),
        "{line:?}"
    );
}

/// `option name N type string default D` as a value.
pub(crate) fn string_option<'a>(name: &'a str, default: &'a str) -> OptionLine<'a> {
    OptionLine::default()
        .with(OptionItem::Name(Text::from(name)))
        .with(OptionItem::Type(OptionType::String))
        .with(OptionItem::Default(Text::from(default)))
}

/// The message and the codes of a line, of which no word is lost or moved.
#[track_caller]
pub(crate) fn whole<M: Message>(
    line: &str,
    parsed: Parsed<'_, M>,
    dialect: Dialect,
) -> (M, Vec<Code>) {
    assert_eq!(parsed.exact(), line.as_bytes());
    assert_eq!(
        words(&parsed.normal(dialect)),
        words(line.as_bytes()),
        "{line:?}"
    );
    let codes = parsed.diagnostics().iter().map(|d| d.code).collect();
    (parsed.message, codes)
}
