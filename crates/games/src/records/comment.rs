//! Comments, and the values that programs hide in them.

use core::fmt;
use core::time::Duration;

use super::text::one_line;

/// A comment. Its text is kept as it was written, except that line breaks are
/// blanks and there are none at the ends; commands such as `[%clk 0:05:00]`
/// are part of the text and can be asked for.
///
/// ```
/// use quadrille_games::records::{Comment, Score};
///
/// let comment = Comment::new("[%eval 0.35,12] [%clk 0:04:59.5] a good move");
/// assert_eq!(comment.clock().unwrap().as_millis(), 299_500);
/// assert_eq!(comment.evaluation().unwrap().score, Score::Centipawns(35));
/// assert_eq!(comment.words(), "a good move");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Comment {
    text: String,
}

/// A stretch of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentPart<'a> {
    /// Words for people.
    Words(&'a str),
    /// `[%name value]`
    Command {
        /// The word after the percent sign.
        name: &'a str,
        /// What follows it, without blanks around.
        value: &'a str,
        /// All of it, brackets included.
        whole: &'a str,
    },
}

impl Comment {
    /// A comment; line breaks become blanks.
    pub fn new(text: &str) -> Self {
        Self {
            text: one_line(text),
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Words and commands in order; put together they are the whole text.
    pub fn parts(&self) -> impl Iterator<Item = CommentPart<'_>> {
        Parts { rest: &self.text }
    }

    /// The words without the commands.
    pub fn words(&self) -> String {
        let mut out = String::new();
        for part in self.parts() {
            if let CommentPart::Words(words) = part {
                let words = words.trim_matches(' ');
                if !words.is_empty() {
                    if !out.is_empty() {
                        out.push(' ');
                    }
                    out.push_str(words);
                }
            }
        }
        out
    }

    /// The value of the first command with that name.
    pub fn command(&self, wanted: &str) -> Option<&str> {
        self.parts().find_map(|part| match part {
            CommentPart::Command { name, value, .. } if name == wanted => Some(value),
            _ => None,
        })
    }

    /// The comment with `written` in place of the first command of that name.
    pub(crate) fn with_command(&self, wanted: &str, written: &str) -> Option<Self> {
        self.command(wanted)?;
        let mut done = false;
        let text: String = self
            .parts()
            .map(|part| match part {
                CommentPart::Words(words) => words,
                CommentPart::Command { name, .. } if name == wanted && !done => {
                    done = true;
                    written
                }
                CommentPart::Command { whole, .. } => whole,
            })
            .collect();
        Some(Self::new(&text))
    }

    /// The mover's clock after the move: `[%clk 1:23:45.6]`.
    pub fn clock(&self) -> Option<Duration> {
        self.command("clk").and_then(duration_from_text)
    }

    /// The time spent on the move: `[%emt 0:00:02.5]`.
    pub fn elapsed(&self) -> Option<Duration> {
        self.command("emt").and_then(duration_from_text)
    }

    /// White's view of the position: `[%eval 0.35]`, `[%eval #-3,20]`.
    pub fn evaluation(&self) -> Option<Evaluation> {
        self.command("eval").and_then(Evaluation::from_text)
    }

    /// What a match runner wrote: `+0.35/12 1.2s`.
    pub fn engine_note(&self) -> Option<EngineNote> {
        EngineNote::from_text(&self.text)
    }
}

impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl From<&str> for Comment {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

struct Parts<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Parts<'a> {
    type Item = CommentPart<'a>;

    fn next(&mut self) -> Option<CommentPart<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if let Some(after) = self.rest.strip_prefix("[%")
            && let Some(end) = after.find(']')
        {
            let inner = &after[..end];
            let (name, value) = inner.split_once(' ').unwrap_or((inner, ""));
            let (whole, rest) = self.rest.split_at(end + 3);
            self.rest = rest;
            return Some(CommentPart::Command {
                name,
                value: value.trim_matches([' ', '\t']),
                whole,
            });
        }
        // A bracket that opens no command is a word like any other.
        let skip = usize::from(self.rest.starts_with("[%"));
        let end = self.rest[skip..]
            .find("[%")
            .map_or(self.rest.len(), |n| skip + n);
        let (words, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(CommentPart::Words(words))
    }
}

/// What an engine thinks of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in that many moves; negative: being mated.
    Mate(i32),
}

impl Score {
    /// The same score seen by the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Centipawns(n) => Self::Centipawns(n.saturating_neg()),
            Self::Mate(n) => Self::Mate(n.saturating_neg()),
        }
    }
}

/// A score and the depth it was found at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// The score.
    pub score: Score,
    /// The search depth, if it was written down.
    pub depth: Option<u32>,
}

impl Evaluation {
    /// Reads the value of an `%eval` command.
    pub fn from_text(text: &str) -> Option<Self> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score.trim(), Some(depth.trim().parse().ok()?)),
            None => (text.trim(), None),
        };
        let score = match score.strip_prefix('#') {
            Some(mate) => Score::Mate(mate.parse().ok()?),
            None => Score::Centipawns(pawns(score)?),
        };
        Some(Self { score, depth })
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Score::Centipawns(n) => {
                let sign = if n < 0 { "-" } else { "" };
                let n = n.unsigned_abs();
                write!(f, "{sign}{}.{:02}", n / 100, n % 100)?;
            }
            Score::Mate(n) => write!(f, "#{n}")?,
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

/// The comment of a match runner on a move, from the mover's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineNote {
    /// Score and depth, seen by the side that moved; `None` for a book move.
    pub evaluation: Option<Evaluation>,
    /// The time spent.
    pub elapsed: Option<Duration>,
}

impl EngineNote {
    /// Reads `+0.35/12 1.2s`, `-M6/20 0.07s, mates`, `book` and their kin.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let first = words.next()?;
        if first.eq_ignore_ascii_case("book") {
            return Some(Self {
                evaluation: None,
                elapsed: None,
            });
        }
        let (score, depth) = first.split_once('/')?;
        let unsigned = score.trim_start_matches(['+', '-']);
        let score = match unsigned.strip_prefix(['M', '#']) {
            Some(mate) => {
                let mut moves: i32 = mate.parse().ok().filter(|n| *n >= 0)?;
                // The match runners that write `M` count plies there.
                if unsigned.starts_with('M') {
                    moves = moves / 2 + moves % 2;
                }
                Score::Mate(if score.starts_with('-') {
                    -moves
                } else {
                    moves
                })
            }
            None => Score::Centipawns(pawns(score)?),
        };
        let depth = Some(depth.parse().ok()?);
        Some(Self {
            evaluation: Some(Evaluation { score, depth }),
            elapsed: words.next().and_then(seconds),
        })
    }
}

/// Pawns with decimals as hundredths.
fn pawns(text: &str) -> Option<i32> {
    // Only what looks like a decimal: "nan" and "1e300" are numbers to Rust.
    if !text
        .bytes()
        .all(|b| matches!(b, b'0'..=b'9' | b'.' | b'+' | b'-'))
    {
        return None;
    }
    let pawns: f64 = text.parse().ok()?;
    Some((pawns * 100.0).round() as i32)
}

/// `1.2s`, `350ms`, `3`.
fn seconds(text: &str) -> Option<Duration> {
    if let Some(number) = text.strip_suffix("ms") {
        return number.parse().ok().map(Duration::from_millis);
    }
    duration_from_text(text.strip_suffix('s').unwrap_or(text))
}

/// Reads hours, minutes and seconds, of which only the seconds are needed and
/// may have decimals.
pub fn duration_from_text(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds: u64 = 0;
    for (i, part) in whole.split(':').enumerate() {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if i > 2 || !digits {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let nanos = fraction
        .bytes()
        .chain(core::iter::repeat(b'0'))
        .take(9)
        .fold(0, |n, b| n * 10 + u32::from(b - b'0'));
    Some(Duration::new(seconds, nanos))
}

/// Writes `h:mm:ss`, with thousandths where there are any.
pub fn duration_text(time: Duration) -> String {
    let (s, ms) = (time.as_secs(), time.subsec_millis());
    let mut text = format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    if ms > 0 {
        text.push_str(format!(".{ms:03}").trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(score: Score, depth: Option<u32>) -> Evaluation {
        Evaluation { score, depth }
    }

    #[test]
    fn evaluations() {
        use Score::{Centipawns, Mate};
        for (text, expected) in [
            ("0.35", Some(eval(Centipawns(35), None))),
            ("-1.05,18", Some(eval(Centipawns(-105), Some(18)))),
            ("+0.07", Some(eval(Centipawns(7), None))),
            ("#3", Some(eval(Mate(3), None))),
            ("#-12,30", Some(eval(Mate(-12), Some(30)))),
            ("nan", None),
            ("1e9", None),
            ("", None),
            ("#", None),
            ("1,x", None),
        ] {
            assert_eq!(Evaluation::from_text(text), expected, "{text}");
            if let Some(evaluation) = expected {
                let written = evaluation.to_string();
                assert_eq!(Evaluation::from_text(&written), expected, "{written}");
            }
        }
        assert_eq!(Centipawns(i32::MIN).flipped(), Centipawns(i32::MAX));
    }

    #[test]
    fn clocks() {
        for (text, millis) in [
            ("1:02:03", Some(3_723_000)),
            ("0:00:02.5", Some(2_500)),
            ("5:00", Some(300_000)),
            ("12.25", Some(12_250)),
            ("99999999999999999999", None),
            ("1:2:3:4", None),
            ("-1:00", None),
            ("1::2", None),
            ("", None),
        ] {
            let read = duration_from_text(text).map(|d| d.as_millis());
            assert_eq!(read, millis, "{text}");
        }
        assert_eq!(
            duration_text(Duration::from_millis(3_723_450)),
            "1:02:03.45"
        );
    }

    #[test]
    fn match_runner_notes() {
        use Score::{Centipawns, Mate};
        let note = |text| {
            EngineNote::from_text(text).map(|n| (n.evaluation, n.elapsed.map(|d| d.as_millis())))
        };
        assert_eq!(
            note("+0.35/12 1.2s"),
            Some((Some(eval(Centipawns(35), Some(12))), Some(1200)))
        );
        assert_eq!(
            note("-M6/20 0.07s, mates"),
            Some((Some(eval(Mate(-3), Some(20))), Some(70)))
        );
        assert_eq!(
            note("+M5/20 0.07s"),
            Some((Some(eval(Mate(3), Some(20))), Some(70)))
        );
        assert_eq!(
            note("+#5/20 0.07s"),
            Some((Some(eval(Mate(5), Some(20))), Some(70)))
        );
        assert_eq!(
            note("0.00/1 350ms"),
            Some((Some(eval(Centipawns(0), Some(1))), Some(350)))
        );
        assert_eq!(note("book"), Some((None, None)));
        assert_eq!(note("a/b test"), None);
        assert_eq!(note("see 1/2"), None);
    }

    #[test]
    fn parts_are_the_whole() {
        for text in [
            "a [%clk 1] b [%eval 2]",
            "[%clk",
            "[%[%x]",
            "[%cal Gd2d4,Re1e4][%csl Ra1]",
            "x ] [% ] y",
        ] {
            let comment = Comment::new(text);
            let joined: String = comment
                .parts()
                .map(|part| match part {
                    CommentPart::Words(words) => words,
                    CommentPart::Command { whole, .. } => whole,
                })
                .collect();
            assert_eq!(joined, text);
        }
    }
}
