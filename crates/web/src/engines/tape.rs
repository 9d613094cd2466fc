//! What an engine and we said to each other, as much as fits.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use quadrille_desk::wire::LogLine;
use quadrille_driver::{Speaker, Tape};
use quadrille_net::sanitize::one_line;

/// Lines and bytes that are kept of a conversation; of a line, bytes.
const MOST_LINES: usize = 5000;
const MOST_BYTES: usize = 2 << 20;
const LONGEST: usize = 2000;

/// The conversation with an engine. All copies are the same one.
#[derive(Debug, Clone)]
pub(crate) struct Conversation(Arc<Mutex<Ring>>);

#[derive(Debug)]
struct Ring {
    lines: VecDeque<LogLine>,
    bytes: usize,
    /// The number of the first line that is kept.
    first: u32,
    begun: Instant,
}

impl Default for Conversation {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Ring {
            lines: VecDeque::new(),
            bytes: 0,
            first: 0,
            begun: Instant::now(),
        })))
    }
}

impl Conversation {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down a line: `>`, `<`, `!` or `#`.
    pub(crate) fn add(&self, way: &str, text: &[u8]) {
        let text = &text[..text.len().min(LONGEST)];
        let text = one_line(&String::from_utf8_lossy(text)).into_owned();
        let mut ring = self.ring();
        let at = u32::try_from(ring.begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        ring.bytes += text.len();
        ring.lines.push_back(LogLine {
            at,
            way: way.into(),
            text,
        });
        while ring.lines.len() > MOST_LINES || ring.bytes > MOST_BYTES {
            let Some(line) = ring.lines.pop_front() else {
                break;
            };
            ring.bytes -= line.text.len();
            ring.first = ring.first.wrapping_add(1);
        }
    }

    /// What hears an engine.
    pub(crate) fn tape(&self) -> Tape {
        let ring = self.clone();
        Box::new(move |speaker, line| {
            let way = match speaker {
                Speaker::Host => ">",
                Speaker::Engine => "<",
            };
            ring.add(way, line);
        })
    }

    /// The lines from a number on, at most so many, and the number of the first.
    pub(crate) fn since(&self, number: u32, most: usize) -> (u32, Vec<LogLine>) {
        let ring = self.ring();
        let end = ring.first + ring.lines.len() as u32;
        let wanted = number.clamp(ring.first, end);
        let newest = end.saturating_sub(most as u32);
        let first = wanted.max(newest);
        let skip = (first - ring.first) as usize;
        (first, ring.lines.iter().skip(skip).cloned().collect())
    }

    /// Whether the engine asked to be registered and was not.
    pub(crate) fn unregistered(&self) -> bool {
        let ring = self.ring();
        let said = ring.lines.iter().rev().filter(|line| line.way == "<");
        let mut verdicts = said.filter_map(|line| line.text.trim().strip_prefix("registration "));
        let last = verdicts.find(|verdict| verdict.trim() != "checking");
        last.is_some_and(|verdict| verdict.trim() == "error")
    }

    /// All of it, for a file.
    pub(crate) fn text(&self, name: &str) -> String {
        let (_, lines) = self.since(0, MOST_LINES);
        let mut text = format!(
            "# {}\n# seconds, > told to it, < said by it\n",
            one_line(name)
        );
        for line in lines {
            let seconds = f64::from(line.at) / 1000.0;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{seconds:>12.3} {} {}", line.way, line.text);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lines_make_room_for_new_ones() {
        let talk = Conversation::default();
        let mut tape = talk.tape();
        for n in 0..MOST_LINES + 10 {
            tape(Speaker::Engine, format!("info depth {n}").as_bytes());
        }
        let (first, lines) = talk.since(0, usize::MAX >> 33);
        assert_eq!((first, lines.len()), (10, MOST_LINES));
        let end = first + lines.len() as u32;
        let (first, lines) = talk.since(end - 2, 100);
        assert_eq!((first, lines.len()), (end - 2, 2));
        let (first, lines) = talk.since(0, 3);
        assert_eq!((first, lines.len()), (end - 3, 3), "the newest");
        assert_eq!(talk.since(end + 5, 3).1.len(), 0);
    }

    #[test]
    fn the_last_verdict_on_a_registration_counts() {
        let talk = Conversation::default();
        assert!(!talk.unregistered());
        talk.add("<", b"registration checking");
        talk.add("<", b"registration error");
        talk.add(">", b"register later");
        assert!(talk.unregistered());
        talk.add(">", b"register name Ann code 42");
        talk.add("<", b"registration checking");
        assert!(talk.unregistered(), "not yet");
        talk.add("<", b"registration ok");
        assert!(!talk.unregistered());
    }

    #[test]
    fn floods_and_control_characters_are_harmless() {
        let talk = Conversation::default();
        talk.add("<", &vec![b'x'; 100_000]);
        talk.add("<", b"\x1b[2Jid name \xff<script>");
        let (_, lines) = talk.since(0, 10);
        assert_eq!(lines[0].text.len(), LONGEST);
        assert!(!lines[1].text.contains('\x1b'), "{}", lines[1].text);
        assert!(talk.text("a\nb").starts_with("# a"));
        for _ in 0..3000 {
            talk.add("<", &[b'y'; LONGEST]);
        }
        assert!(talk.ring().bytes <= MOST_BYTES);
    }
}
