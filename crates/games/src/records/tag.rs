//! One tag pair out of a line of a file, however it is written.

use core::ops::Range;

use super::diagnostic::Code;

/// Where the parts of a tag lie in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagParts {
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    /// Whether backslashes in the value are escapes.
    pub(crate) escaped: bool,
    /// How much of the line the tag takes.
    pub(crate) len: usize,
    /// What is wrong with it.
    pub(crate) problem: Option<Code>,
}

/// What the value of a tag turned out to be.
struct Value {
    range: Range<usize>,
    escaped: bool,
    len: usize,
    problem: Option<Code>,
}

/// Reads the tag at the start of `line`, which begins with `[`.
pub(crate) fn parse(line: &[u8]) -> TagParts {
    let name_start = skip_blanks(line, 1);
    let name_end = find(line, name_start, |b| {
        matches!(b, b' ' | b'\t' | b'"' | b']' | b'[')
    });
    let mut name = name_start..name_end;
    let start = skip_blanks(line, name_end);
    let value = match line.get(start) {
        Some(b'"') => quoted(line, start + 1),
        _ => match blank_in_name(line, start) {
            Some(quote) => {
                name.end = trim_end(line, name_start, quote);
                quoted(line, quote + 1)
            }
            None => bare(line, start),
        },
    };
    TagParts {
        name,
        value: value.range,
        escaped: value.escaped,
        len: value.len.clamp(1, line.len().max(1)),
        problem: value.problem,
    }
}

/// The text of a tag name: blanks and what would end a tag are left out.
pub(crate) fn clean_name(name: &str) -> String {
    name.chars().filter(|&c| is_name_char(c)).collect()
}

/// Whether a character can be written in a tag name and read back.
pub(crate) fn is_name_char(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '[' | ']')
}

/// `[White Elo "2000"]`: the place of the first of two quotes in this tag.
fn blank_in_name(line: &[u8], start: usize) -> Option<usize> {
    let close = find(line, start, |b| b == b']');
    let first = find(line, start, |b| b == b'"');
    let second = find(line, first + 1, |b| b == b'"');
    // The closing bracket may stand inside the quotes.
    (first < close && second < line.len()).then_some(first)
}

/// A value whose opening quote stands just before `start`.
fn quoted(line: &[u8], start: usize) -> Value {
    let mut problem = None;
    let mut i = start;
    while let Some(&b) = line.get(i) {
        match b {
            b'\\' if matches!(line.get(i + 1), Some(b'"' | b'\\')) => i += 2,
            b'"' => {
                let after = skip_blanks(line, i + 1);
                let (len, code) = match line.get(after) {
                    Some(b']') => (after + 1, None),
                    // The next tag, or nothing at all.
                    Some(b'[') | None => (after, Some(Code::TagBracket)),
                    Some(_) => {
                        // A quote without an escape is part of the value.
                        problem = Some(Code::TagQuotes);
                        i += 1;
                        continue;
                    }
                };
                return Value {
                    range: start..i,
                    escaped: true,
                    len,
                    problem: problem.or(code),
                };
            }
            _ => i += 1,
        }
    }
    unclosed(line, start)
}

/// No quote closes this value: it may end in a backslash that was meant as
/// one, or the quote may simply be missing.
fn unclosed(line: &[u8], start: usize) -> Value {
    let mut end = trim_end(line, start, line.len());
    if end > start && line[end - 1] == b']' {
        end = trim_end(line, start, end - 1);
        if end > start && line[end - 1] == b'"' {
            end -= 1;
        }
    }
    Value {
        range: start..end,
        escaped: false,
        len: line.len(),
        problem: Some(Code::TagQuotes),
    }
}

/// A value without quotes, up to the bracket or the end of the line.
fn bare(line: &[u8], start: usize) -> Value {
    let close = find(line, start, |b| b == b']');
    let mut range = start.min(close)..trim_end(line, start.min(close), close);
    for quote in [b'\'', b'"'] {
        if range.len() >= 2 && line[range.start] == quote && line[range.end - 1] == quote {
            range = range.start + 1..range.end - 1;
        }
    }
    if !range.is_empty() && line[range.end - 1] == b'"' {
        range.end -= 1;
    }
    Value {
        range,
        escaped: false,
        len: (close + 1).min(line.len()),
        problem: Some(Code::TagQuotes),
    }
}

fn skip_blanks(line: &[u8], from: usize) -> usize {
    find(line, from, |b| !matches!(b, b' ' | b'\t'))
}

/// The first index from `from` on that fits, or the length of the line.
fn find(line: &[u8], from: usize, fits: impl Fn(u8) -> bool) -> usize {
    let from = from.min(line.len());
    line[from..]
        .iter()
        .position(|&b| fits(b))
        .map_or(line.len(), |n| from + n)
}

/// The end of `line[start..end]` without the blanks at its end.
fn trim_end(line: &[u8], start: usize, end: usize) -> usize {
    line[start..end]
        .iter()
        .rposition(|b| !matches!(b, b' ' | b'\t'))
        .map_or(start, |n| start + n + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_in_every_shape() {
        let quotes = Some(Code::TagQuotes);
        let bracket = Some(Code::TagBracket);
        for (line, name, value, len, problem) in [
            (r#"[Event "x"]"#, "Event", "x", 11, None),
            (r#"[Event "x"][Site "y"]"#, "Event", "x", 11, None),
            (r#"[ Event   "x" ] "#, "Event", "x", 15, None),
            (r#"[Event"x"]"#, "Event", "x", 10, None),
            (r#"[Event "a \"b\" c"]"#, "Event", r#"a \"b\" c"#, 19, None),
            (r#"[Event "a "b" c"]"#, "Event", r#"a "b" c"#, 17, quotes),
            (r#"[Event "a]b"]"#, "Event", "a]b", 13, None),
            (r#"[Site "C:\"]"#, "Site", r"C:\", 12, quotes),
            (r#"[Event "x]"#, "Event", "x", 10, quotes),
            (r#"[Event "x"#, "Event", "x", 9, quotes),
            (r#"[Event "x""#, "Event", "x", 10, bracket),
            (r#"[A "x" [B "y"]"#, "A", "x", 7, bracket),
            ("[Event x y]", "Event", "x y", 11, quotes),
            ("[Event 'x']", "Event", "x", 11, quotes),
            ("[Event x", "Event", "x", 8, quotes),
            (r#"[Event x"]"#, "Event", "x", 10, quotes),
            ("[Event]", "Event", "", 7, quotes),
            (r#"[White Elo "2000"]"#, "White Elo", "2000", 18, None),
            ("[]", "", "", 2, quotes),
            ("[", "", "", 1, quotes),
            (r#"[""#, "", "", 2, quotes),
        ] {
            let parts = parse(line.as_bytes());
            assert_eq!(&line[parts.name.clone()], name, "{line}");
            assert_eq!(&line[parts.value.clone()], value, "{line}");
            assert_eq!((parts.len, parts.problem), (len, problem), "{line}");
        }
    }
}
