//! Protocol lines, in both directions and all dialects.

use quadrille_protocol::{
    Command, Dialect, EngineSide, Findings, HostSide, Message, Owed, Parsed, Report,
};

/// Reads bytes as one line from a host, in every dialect.
pub fn command(line: &[u8]) {
    for dialect in Dialect::ALL {
        let parsed = Command::parse(line, dialect);
        let normal = any_line(line, &parsed, dialect);
        if is_in_order(line, &parsed) {
            let again = Command::parse(&normal, dialect);
            stays_in_order(line, &again, dialect);
            let (line, normal) = (single_blanks(line), single_blanks(&normal));
            let first = Command::parse(&line, dialect).message;
            let second = Command::parse(&normal, dialect).message;
            assert_eq!(first, second, "{dialect} {}", line.escape_ascii());
        }
        if let Command::SetOption(set) = parsed.message {
            assert_eq!(set.readings(line).next(), Some(set));
        }
    }
}

/// Reads bytes as one line from an engine, in every dialect.
pub fn report(line: &[u8]) {
    for dialect in Dialect::ALL {
        let parsed = Report::parse(line, dialect);
        let normal = any_line(line, &parsed, dialect);
        if is_in_order(line, &parsed) {
            let again = Report::parse(&normal, dialect);
            stays_in_order(line, &again, dialect);
            let (line, normal) = (single_blanks(line), single_blanks(&normal));
            let first = Report::parse(&line, dialect).message;
            let second = Report::parse(&normal, dialect).message;
            assert_eq!(first, second, "{dialect} {}", line.escape_ascii());
        }
    }
}

/// What holds for any bytes: the exact line is kept, every finding is about a
/// part of it, and the normal form is one line. Returns the normal form.
fn any_line<M: Message>(line: &[u8], parsed: &Parsed<'_, M>, dialect: Dialect) -> Vec<u8> {
    assert_eq!(parsed.exact(), line);
    for (number, finding) in parsed.diagnostics().iter().enumerate() {
        let span = finding.span();
        assert!(span.start <= span.end && span.end <= line.len());
        // A flood of findings would only make the run slow.
        assert!(number >= 8 || !finding.explain(line).to_string().is_empty());
    }
    assert_eq!(parsed.worst().is_none(), parsed.diagnostics().is_empty());
    let normal = parsed.normal(dialect);
    assert!(!normal.contains(&b'\n') && !normal.contains(&b'\r'));
    normal
}

/// Whether nothing was unusual about a line. Such a line says the same in
/// normal form, but for the number of blanks; of others, with words in wrong
/// places, that is not promised. A line end inside a line becomes a blank when
/// it is written.
fn is_in_order<M>(line: &[u8], parsed: &Parsed<'_, M>) -> bool {
    parsed.diagnostics().is_empty() && !line.contains(&b'\n') && !line.contains(&b'\r')
}

/// The normal form of a line that is in order is in order too, and its own
/// normal form.
fn stays_in_order<M: Message>(line: &[u8], normal: &Parsed<'_, M>, dialect: Dialect) {
    let found = normal.diagnostics();
    assert!(
        found.is_empty(),
        "{dialect} {}: {found:?}",
        line.escape_ascii()
    );
    let (twice, once) = (normal.normal(dialect), normal.exact());
    assert!(twice == once, "{dialect} {}", line.escape_ascii());
}

/// The words of a line with one blank between them.
fn single_blanks(line: &[u8]) -> Vec<u8> {
    let words = line.split(|&b| b <= b' ').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(&b' ')
}

/// Who says the lines of a conversation that name no speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The host: lines are commands.
    Host,
    /// The engine: lines are reports.
    Engine,
}

/// How many lines of a conversation are held: enough for every state, few
/// enough to be quick.
const MOST_LINES: usize = 64;

/// Holds a conversation: one message a line, `>` or `<` before it if host or
/// engine says it, otherwise `usual` does. Both sides must see the same state
/// after every line, whatever is said.
pub fn conversation(lines: &[u8], usual: Speaker) {
    for dialect in Dialect::ALL {
        let mut host = HostSide::new(dialect);
        let mut engine = EngineSide::new(dialect);
        for line in lines.split(|&b| b == b'\n').take(MOST_LINES) {
            let (speaker, line) = match line {
                [b'>', rest @ ..] => (Speaker::Host, rest),
                [b'<', rest @ ..] => (Speaker::Engine, rest),
                _ => (usual, line),
            };
            let before = host.owed();
            let found = match speaker {
                Speaker::Host => from_host(line, &mut host, &mut engine),
                Speaker::Engine => from_engine(line, &mut host, &mut engine),
            };
            assert!(found.len() <= 8, "{}", line.escape_ascii());
            assert_eq!(host.owed(), engine.owed());
            assert_eq!(host.phase(), engine.phase());
            check_debts(speaker, before, host.owed());
        }
    }
}

fn from_host(line: &[u8], host: &mut HostSide, engine: &mut EngineSide) -> Findings {
    let message = Command::parse(line, host.dialect()).message;
    let expected = host.check(&message);
    let found = host.sent(&message);
    assert_eq!(found, expected);
    assert_eq!(engine.received(&message), found);
    found
}

fn from_engine(line: &[u8], host: &mut HostSide, engine: &mut EngineSide) -> Findings {
    let message = Report::parse(line, host.dialect()).message;
    let expected = engine.check(&message);
    let found = engine.sent(&message);
    assert_eq!(found, expected);
    assert_eq!(host.received(&message), found);
    found
}

/// A host makes the engine owe answers and an engine pays them, one at a time.
fn check_debts(speaker: Speaker, before: Owed, after: Owed) {
    match speaker {
        Speaker::Host => {
            assert!(after.readyok - before.readyok <= 1);
            assert!(after.bestmove - before.bestmove <= 1);
        }
        Speaker::Engine => {
            assert!(before.readyok - after.readyok <= 1);
            assert!(before.bestmove - after.bestmove <= 1);
            assert!(before.handshake || !after.handshake);
        }
    }
}
