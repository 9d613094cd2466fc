//! The command that shows a finding without this program: the lines of the host, with the
//! pauses between them, into a fresh engine.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use quadrille_games::Game;

use quadrille_driver::spec::{Address, EngineSpec};

/// Lines that come sooner one after the other are sent together.
const TOGETHER: Duration = Duration::from_millis(5);

/// How long an engine has to introduce itself, and to say its last words.
const HELLO: Duration = Duration::from_secs(1);
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What was sent after an answer is sent so long after what asked for it, at least: another
/// start of the engine may take longer to answer.
const ANSWER: Duration = Duration::from_millis(100);

/// A longer command is not one that anybody would paste.
const LONGEST: usize = 8000;
/// The longest scene that is sent once more, to another start of the engine.
const LONGEST_SENT: usize = 256 << 10;

/// What was sent to an engine, in a scene or since its start.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent {
    pieces: Vec<Piece>,
    bytes: usize,
}

/// Bytes that were sent at once.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) at: Instant,
    pub(super) bytes: Vec<u8>,
    /// Everything that was asked before had been answered.
    pub(super) waited: bool,
}

impl Sent {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn push(&mut self, at: Instant, bytes: &[u8], waited: bool) {
        self.bytes += bytes.len();
        // Beyond that only the length is of interest.
        if self.bytes <= LONGEST_SENT {
            self.pieces.push(Piece {
                at,
                bytes: bytes.to_vec(),
                waited,
            });
        }
    }

    /// What was sent when, if all of it is known.
    pub(super) fn pieces(&self) -> Option<&[Piece]> {
        (self.bytes <= LONGEST_SENT).then_some(&*self.pieces)
    }

    /// The command, or `None` where it would be too long. The engine is first brought to
    /// where the scene began with the lines of `before`.
    pub(super) fn command(&self, spec: &EngineSpec, before: &str, now: Instant) -> Option<String> {
        let is_program = matches!(spec.address(), Ok(Address::Program(_)));
        if self.bytes > LONGEST || !is_program {
            return None;
        }
        let mut steps: Vec<String> = Vec::new();
        if !before.is_empty() {
            steps.push(printf(before.as_bytes()));
            steps.push(sleep(HELLO));
        }
        let mut last = self.pieces.first().map_or(now, |piece| piece.at);
        let mut together = Vec::new();
        for Piece { at, bytes, waited } in &self.pieces {
            let least = if *waited { ANSWER } else { Duration::ZERO };
            let pause = at.saturating_duration_since(last).max(least);
            if pause >= TOGETHER && !together.is_empty() {
                steps.push(printf(&together));
                steps.push(sleep(pause));
                together.clear();
            }
            together.extend_from_slice(bytes);
            last = *at;
        }
        if !together.is_empty() {
            steps.push(printf(&together));
        }
        steps.push(sleep(now.saturating_duration_since(last) + LAST_WORDS));
        let mut words = vec![spec.command.to_string_lossy().into_owned()];
        words.extend(spec.args.iter().cloned());
        let engine: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let mut command = format!("({}) | {}", steps.join("; "), engine.join(" "));
        if let Some(folder) = &spec.folder {
            command = format!("cd {} && {command}", quoted(&folder.to_string_lossy()));
        }
        (command.len() <= LONGEST).then_some(command)
    }
}

/// The command that makes the one check again, with everything on a tape.
pub(super) fn check_again(spec: &EngineSpec, game: Game, id: &str) -> String {
    let mut words = vec!["quadrille".to_owned(), "check".into()];
    words.push(quoted(&spec.command.to_string_lossy()));
    words.extend([
        "--game".into(),
        game.to_string(),
        "--only".into(),
        id.into(),
    ]);
    words.extend(["--tape".into(), "finding.tape".into()]);
    for (name, value) in &spec.options {
        let value = value.as_deref().unwrap_or_default();
        words.extend(["--option".into(), quoted(&format!("{name}={value}"))]);
    }
    if !spec.args.is_empty() {
        words.push("--".into());
        words.extend(spec.args.iter().map(|word| quoted(word)));
    }
    words.join(" ")
}

fn sleep(time: Duration) -> String {
    // Rounded up to hundredths: commands are typed by people, too.
    let hundredths = time.as_millis().div_ceil(10);
    format!("sleep {}.{:02}", hundredths / 100, hundredths % 100)
}

/// `printf` of bytes in single quotes.
fn printf(bytes: &[u8]) -> String {
    let mut out = String::from("printf '");
    for byte in bytes {
        match byte {
            b'\n' => out += "\\n",
            b'\r' => out += "\\r",
            b'\t' => out += "\\t",
            b'%' => out += "%%",
            b'\\' => out += "\\\\",
            b'\'' => out += "'\\''",
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('\'');
    out
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_pauses_become_a_command() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut sent = Sent::default();
        sent.push(at(0), b"position startpos\n", false);
        sent.push(at(1), b"go depth 1\n", false);
        sent.push(at(201), b"it's 100%\\\xff\r\n", false);
        let spec = EngineSpec {
            command: "./my engine".into(),
            args: vec!["--uci".into()],
            ..EngineSpec::default()
        };
        let command = sent.command(&spec, "uci\n", at(401)).expect("it is short");
        let wanted = "(printf 'uci\\n'; sleep 1.00; printf 'position startpos\\ngo depth 1\\n'; \
                      sleep 0.20; printf 'it'\\''s 100%%\\\\\\377\\r\\n'; sleep 0.70) | './my engine' --uci";
        assert_eq!(command, wanted);
        sent.push(at(402), b"isready\n", true);
        let command = sent.command(&spec, "", at(402)).expect("it is short");
        assert!(
            command.contains("; sleep 0.21; printf 'isready\\n'; sleep 0.50)"),
            "{command}"
        );
        let mut answered = Sent::default();
        answered.push(at(0), b"isready\n", false);
        answered.push(at(1), b"quit\n", true);
        let command = answered.command(&spec, "", at(1)).expect("it is short");
        assert!(
            command.contains("'isready\\n'; sleep 0.10; printf 'quit\\n'"),
            "{command}"
        );
        sent.push(at(402), &vec![b'x'; LONGEST], false);
        assert_eq!(sent.command(&spec, "uci\n", at(500)), None);
        let last = |sent: &Sent| sent.pieces().and_then(|all| Some(all.last()?.bytes.len()));
        assert_eq!(last(&sent), Some(LONGEST), "it can be sent again");
        sent.push(at(403), &vec![b'x'; LONGEST_SENT], false);
        assert_eq!(last(&sent), None, "not all of it is known");
        let again = check_again(&spec, Game::Chess, "go.depth");
        let wanted = "quadrille check './my engine' --game chess --only go.depth \
                      --tape finding.tape -- --uci";
        assert_eq!(again, wanted);
    }
}
