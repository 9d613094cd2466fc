//! Words into lines.

/// Puts words into lines that are not longer than they must be. A word is held
/// back until the next one comes, because a parenthesis may be glued to it.
pub(crate) struct Wrap {
    out: String,
    width: Option<usize>,
    column: usize,
    word: String,
    /// The next word is glued to the one held back.
    glue: bool,
}

impl Wrap {
    pub(crate) fn new(out: String, width: Option<usize>) -> Self {
        Self {
            out,
            width,
            column: 0,
            word: String::new(),
            glue: false,
        }
    }

    pub(crate) fn word(&mut self, word: &str) {
        if !self.glue {
            self.flush();
        }
        self.glue = false;
        self.word.push_str(word);
    }

    pub(crate) fn open(&mut self) {
        self.word("(");
        self.glue = true;
    }

    pub(crate) fn close(&mut self) {
        self.word.push(')');
        self.glue = false;
    }

    /// Writes a comment so that it reads back as it is: a line is only broken
    /// at a blank, which a reader puts back. A brace needs the other form of
    /// comment, which reaches to the end of its line.
    pub(crate) fn comment(&mut self, text: &str) {
        if !text.contains('}') {
            self.word("{");
            self.pieces(text);
            self.word("}");
        } else if self.width.is_none() {
            self.word("{");
            self.pieces(&text.replace('}', ")"));
            self.word("}");
        } else {
            self.word("; ");
            self.word.push_str(text);
            self.flush();
            self.out.push('\n');
            self.column = 0;
        }
    }

    /// The words of a comment; two blanks in a row make an empty word.
    fn pieces(&mut self, text: &str) {
        for piece in text.split(' ') {
            self.flush();
            self.word.push_str(piece);
            if piece.is_empty() {
                // Held back, it would be taken for nothing at all.
                self.blank();
            }
        }
    }

    fn blank(&mut self) {
        self.out.push(' ');
        self.column += 1;
    }

    /// Writes the word that is held back.
    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let len = self.word.chars().count();
        // "%" in the first column would hide the line from other readers.
        let may_break = !self.word.starts_with('%');
        if self.column > 0 {
            let too_long = self.width.is_some_and(|w| self.column + 1 + len > w);
            if too_long && may_break {
                self.out.push('\n');
                self.column = 0;
            } else {
                self.blank();
            }
        }
        self.out.push_str(&self.word);
        self.column += len;
        self.word.clear();
    }

    pub(crate) fn finish(mut self) -> String {
        self.flush();
        self.out
    }
}
