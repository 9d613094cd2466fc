//! What went wrong, for people: one sentence, and a caret where it helps.

use core::fmt;

use quadrille_net::sanitize::printable;

/// Characters of a long text shown on either side of the caret.
const AROUND: usize = 36;

/// A command that could not be done.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    /// The text that is wrong, and the 0-based character where.
    place: Option<(String, usize)>,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            place: None,
            hint: None,
            code: 2,
        }
    }

    /// The machine could not do it.
    pub(crate) fn machine(message: impl fmt::Display) -> Self {
        Self {
            code: 1,
            ..Self::input(message)
        }
    }

    /// Puts a caret under the 1-based byte column of `text`.
    pub(crate) fn at(mut self, text: &str, column: usize) -> Self {
        let before = text
            .char_indices()
            .take_while(|(offset, _)| offset + 1 < column);
        self.place = Some((text.into(), before.count()));
        self
    }

    /// Adds a line that says what to do.
    pub(crate) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// The same, where it is known.
    pub(crate) fn maybe_hint(self, hint: Option<impl fmt::Display>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    pub(crate) fn code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", printable(&self.message))?;
        if let Some((text, place)) = &self.place {
            let (line, caret) = window(text, *place);
            writeln!(f, "  {line}\n  {}^", " ".repeat(caret))?;
        }
        if let Some(hint) = &self.hint {
            writeln!(f, "hint: {}", printable(hint))?;
        }
        Ok(())
    }
}

/// The part of a text around one character, and where that character is in it.
/// Control characters become blanks: they would move the caret.
fn window(text: &str, place: usize) -> (String, usize) {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let start = place.saturating_sub(AROUND);
    let mut rest = text.chars().skip(start).map(printable);
    let shown: String = rest.by_ref().take(2 * AROUND).collect();
    let mut line = String::new();
    let mut caret = place - start;
    if start > 0 {
        line.push_str("... ");
        caret += 4;
    }
    line.push_str(&shown);
    if rest.next().is_some() {
        line.push_str(" ...");
    }
    (line, caret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_column() {
        let failure = Failure::input("odd").at("abcdef", 3);
        assert_eq!(failure.to_string(), "error: odd\n  abcdef\n    ^\n");
        let end = Failure::input("odd").at("abc", 4).hint("do this");
        assert_eq!(
            end.to_string(),
            "error: odd\n  abc\n     ^\nhint: do this\n"
        );
        let umlauts = Failure::input("odd").at("ääb", 5);
        assert_eq!(umlauts.to_string(), "error: odd\n  ääb\n    ^\n");
        let inside = Failure::input("odd").at("ä", 2);
        assert_eq!(inside.to_string(), "error: odd\n  ä\n   ^\n");
        let tab = Failure::input("odd").at("a\tb\nc", 5);
        assert_eq!(tab.to_string(), "error: odd\n  a b c\n      ^\n");
    }

    #[test]
    fn long_texts_are_cut_around_the_caret() {
        let text = "x".repeat(1000) + "y" + &"z".repeat(1000);
        let (line, caret) = window(&text, 1000);
        assert!(line.len() < 100 && line.starts_with("... ") && line.ends_with(" ..."));
        assert_eq!(line.as_bytes()[caret], b'y');
        let (line, caret) = window(&text, usize::MAX);
        assert_eq!((line.as_str(), caret), ("... ", AROUND + 4));
    }
}
