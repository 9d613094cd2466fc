//! What was odd or wrong in a file of games, as values.

use core::fmt;

pub use quadrille_protocol::Severity;

quadrille_protocol::finding_codes! {
    /// Kinds of problems in a file of games. The text of [`as_str`](Self::as_str) is stable.
    Code:
    /// Bytes that are not UTF-8; they were read as Latin-1.
    NotUtf8, "not-utf8", Note, "the text is not UTF-8 and was read as Latin-1";
    /// Text outside any game.
    TextBetweenGames, "text-between-games", Warning, "text between games was skipped";
    /// Text between the result of a game and the end of that line.
    TextAfterResult, "text-after-result", Warning, "text after the result was skipped";
    /// A tag without its quotes, or with one of them missing.
    TagQuotes, "tag-quotes", Warning, "the tag's quotes are missing or do not match";
    /// A tag without its closing bracket.
    TagBracket, "tag-bracket", Warning, "the tag's closing bracket is missing";
    /// A tag whose name has characters that do not belong there.
    TagName, "tag-name", Note, "the tag name is not made of letters, digits and underscores";
    /// A tag without a name.
    TagEmpty, "tag-empty", Warning, "the tag has no name and was skipped";
    /// A tag that came twice in one game; the first one counts.
    TagRepeated, "tag-repeated", Warning, "the tag came before in this game; the first one counts";
    /// A tag section followed by another game: there are no moves.
    MovesMissing, "moves-missing", Warning, "the game has tags but neither moves nor a result";
    /// A game that stops without `1-0`, `0-1`, `1/2-1/2` or `*`.
    ResultMissing, "result-missing", Warning, "the game ends without a result";
    /// The result after the moves and the `Result` tag differ; the moves win.
    ResultDisagrees, "result-disagrees", Warning, "the result differs from the Result tag; the one after the moves counts";
    /// A `Result` tag that is none of the four results.
    ResultOdd, "result-odd", Warning, "the Result tag is none of 1-0, 0-1, 1/2-1/2 and *";
    /// A result inside a variation.
    ResultInVariation, "result-in-variation", Note, "a result inside a variation was left out";
    /// A result in an unusual spelling.
    ResultSpelling, "result-spelling", Note, "the result is spelled in an unusual way";
    /// A comment whose closing brace is missing.
    CommentOpen, "comment-open", Warning, "the comment's closing brace is missing; whatever followed in this game was read as the comment";
    /// A comment, tag or word longer than the reader is willing to hold.
    TooLong, "too-long", Error, "the text is longer than the reader's limit and was cut";
    /// A closing brace, bracket or angle bracket that closes nothing.
    Stray, "stray", Warning, "a character that has no meaning here was skipped";
    /// Something in square brackets among the moves.
    BracketInMoves, "bracket-in-moves", Warning, "text in brackets among the moves was skipped";
    /// A closing parenthesis without a variation.
    StrayClose, "stray-close", Warning, "a parenthesis closes a variation that was never opened";
    /// A variation that is never closed.
    VariationOpen, "variation-open", Warning, "the game ends inside a variation";
    /// A variation without moves.
    VariationEmpty, "variation-empty", Note, "the variation has no moves";
    /// A variation before the first move, or after a move that was refused.
    VariationWithoutMove, "variation-without-move", Warning, "the variation has no move that it could replace and was skipped";
    /// Variations nested deeper than the reader's limit.
    TooDeep, "too-deep", Error, "variations are nested deeper than the reader's limit; this one was skipped";
    /// `$` without a number between 0 and 255.
    NagRange, "nag-range", Warning, "a numeric glyph needs a number from 0 to 255";
    /// A glyph without a move.
    NagWithoutMove, "nag-without-move", Warning, "the glyph belongs to no move";
    /// More exclamation or question marks than any glyph has.
    GlyphOdd, "glyph-odd", Note, "the run of ! and ? is no known glyph; its first two count";
    /// `e.p.`, a lone `+` and the like.
    SuffixIgnored, "suffix-ignored", Note, "a word that adds nothing to the move was left out";
    /// A move in a spelling that had to be repaired before it could be read.
    MoveSpelling, "move-spelling", Note, "the move is spelled in an unusual way";
    /// A null move in check, or after the end of the game: it ends its line.
    NullMove, "null-move", Error, "a null move cannot stand here; the line ends before it";
    /// A move that fits several legal moves: it ends its line.
    MoveAmbiguous, "move-ambiguous", Error, "several legal moves fit; the line ends before it";
    /// Not a move at all: it ends its line.
    MoveUnreadable, "move-unreadable", Error, "this is not a move; the line ends before it";
    /// A move that is not legal: it ends its line.
    MoveIllegal, "move-illegal", Error, "the move is not legal; the line ends before it";
    /// The `FEN` tag cannot be read; the moves were not followed.
    BadPosition, "bad-position", Error, "the start position cannot be used; the moves were skipped";
    /// A `Variant` or `Rules` tag that this reader cannot follow.
    OtherGame, "other-game", Error, "the record is of another game or variant; the moves were skipped";
    /// More problems in one game than are kept.
    MoreProblems, "more-problems", Note, "there are more problems in this game than are listed";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One problem in a file of games: what, how bad, where.
///
/// Reading always goes on after a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which problem.
    pub code: Code,
    /// The game, counted from 1 in this file. Text between two games counts
    /// for the one that follows.
    pub game: u64,
    /// The line, counted from 1.
    pub line: u64,
    /// The byte column in that line, counted from 1.
    pub column: u64,
    /// The text in question or the words of the rules; may be empty.
    pub detail: String,
}

impl Diagnostic {
    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether moves that were written may be missing from the record: after every
    /// error, and where a comment without its closing brace has taken them in.
    pub fn loses_moves(&self) -> bool {
        self.severity() == Severity::Error || self.code == Code::CommentOpen
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "game {}, line {}, column {}: {}: {}",
            self.game,
            self.line,
            self.column,
            self.severity(),
            self.code.sentence()
        )?;
        if !self.detail.is_empty() {
            write!(f, " ({})", self.detail)?;
        }
        Ok(())
    }
}

/// A piece of the file short enough for a message: control characters become
/// blanks, and what is cut off shows as three dots.
pub(crate) fn clip(text: &str) -> String {
    const MOST: usize = 160;
    let mut out: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        out.push_str("...");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_sentences_are_bare() {
        let mut words: Vec<_> = Code::ALL.iter().map(|c| c.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
        for code in Code::ALL {
            assert!(!code.sentence().ends_with('.'), "{code}");
        }
    }

    #[test]
    fn a_diagnostic_reads_as_a_sentence() {
        let diagnostic = Diagnostic {
            code: Code::MoveIllegal,
            game: 3,
            line: 14,
            column: 7,
            detail: "Qh9".into(),
        };
        assert_eq!(
            diagnostic.to_string(),
            "game 3, line 14, column 7: error: the move is not legal; the line ends before it (Qh9)"
        );
    }

    #[test]
    fn long_texts_are_clipped_by_characters() {
        let text = "é".repeat(200);
        assert_eq!(clip(&text).chars().count(), 163);
        assert_eq!(clip("a\nb"), "a b");
    }
}
