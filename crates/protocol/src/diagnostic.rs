//! What was unusual about a line or a message, as values.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::text::Text;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Unusual, harmless, or allowed by another dialect.
    Note,
    /// Against the specification; the meaning is still clear.
    Warning,
    /// Against the specification; something is missing or the conversation is
    /// out of step.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Makes an enum of findings from a table with one row for each: name, stable
/// code, severity, sentence for people, and where the rule stands, if a text has one.
///
/// The tables of other crates are made with it too; it is no part of the interface.
#[doc(hidden)]
#[macro_export]
macro_rules! finding_codes {
    (
        $(#[$about:meta])* $list:ident:
        $($(#[$doc:meta])* $name:ident, $code:literal, $severity:ident, $sentence:literal, $clause:literal;)+
    ) => {
        $crate::finding_codes! {
            $(#[$about])* $list:
            $($(#[$doc])* $name, $code, $severity, $sentence;)+
        }

        impl $list {
            /// Where the rule stands: specification and section.
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$name => $clause,)+ }
            }
        }
    };
    (
        $(#[$about:meta])* $list:ident:
        $($(#[$doc:meta])* $name:ident, $code:literal, $severity:ident, $sentence:literal;)+
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $list {
            $($(#[$doc])* $name,)+
        }

        impl $list {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The stable name, in kebab case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// How bad it is.
            pub const fn severity(self) -> $crate::Severity {
                match self { $(Self::$name => $crate::Severity::$severity,)+ }
            }

            /// What is wrong, for people.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

finding_codes! {
    /// Every kind of finding. The text of [`as_str`](Self::as_str) is
    /// stable: scripts may rely on it.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
    Code:
    /// Nothing but blanks. As the default it fills unused places of an inline
    /// list and has no meaning there.
    #[default]
    EmptyLine, "empty-line", Note, "the line is empty", "UCI, general notes: white space";
    /// A byte order mark before the first word.
    ByteOrderMark, "byte-order-mark", Note, "a byte order mark stands before the first word", "UCI, general notes: text commands";
    /// Bytes that are not UTF-8.
    InvalidUtf8, "invalid-utf8", Note, "the line is not valid UTF-8; its bytes are kept", "UCI, general notes: text commands";
    /// No word of the line is a command.
    UnknownCommand, "unknown-command", Warning, "no known command in this line", "UCI, general notes: unknown commands; ULCI: ignore the command";
    /// Unknown words before a command.
    SkippedWords, "skipped-words", Warning, "unknown words before the command were skipped", "UCI, general notes: unknown commands (joho debug on)";
    /// Words after a command that is complete.
    ExtraWords, "extra-words", Warning, "words after the end of the command", "UCI, general notes: unknown tokens";
    /// A word in the middle that is not a keyword.
    UnknownWord, "unknown-word", Warning, "this word is not part of the command; it is kept and skipped", "UCI, general notes: unknown tokens";
    /// A command of another dialect.
    ForeignCommand, "foreign-command", Note, "a command of another dialect", "dialect overview: commands";
    /// A keyword of another dialect.
    ForeignWord, "foreign-word", Note, "a keyword of another dialect", "dialect overview: go and info";
    /// A keyword without its value.
    MissingValue, "missing-value", Warning, "the value of this keyword is missing", "UCI, go and info: <x>";
    /// A value that should be a number and is not.
    NotANumber, "not-a-number", Warning, "a number was expected", "UCI, go and info: <x>";
    /// A number beyond 64 bits.
    NumberTooLarge, "number-too-large", Warning, "the number does not fit 64 bits; the nearest one is used", "UCI, go and info: <x>";
    /// A negative number where only positive ones make sense.
    NegativeNumber, "negative-number", Warning, "a negative number has no meaning here; it is read as zero", "UCI, go and info: <x>";
    /// A negative clock: real, and allowed by no text.
    NegativeClock, "negative-clock", Note, "a negative clock: the time is already used up", "UCI, go: wtime, btime";
    /// A fraction where a whole number is due.
    FractionalNumber, "fractional-number", Warning, "a whole number was expected; the fraction is cut off", "UCI, info: score cp, time, nps";
    /// The same keyword twice in one line.
    DuplicateWord, "duplicate-word", Note, "this keyword came before in the same line; the last one counts", "UCI, go and info";
    /// `bestmove` with nothing after it.
    MissingMove, "missing-move", Error, "there is no move after this word", "UCI, bestmove <move1>";
    /// `searchmoves` or `moves` with nothing after it.
    EmptyMoveList, "empty-move-list", Note, "the list of moves is empty", "UCI, go: searchmoves; position: moves";
    /// `searchmoves` before other limits, which ULCI forbids.
    SearchmovesNotLast, "searchmoves-not-last", Warning, "searchmoves must be the last word of go", "ULCI, go: searchmoves";
    /// A null move in another form than `0000`.
    OddNullMove, "odd-null-move", Note, "a null move in a form of its own", "UCI, move format: 0000";
    /// The keyword itself is missing but its value is there.
    MissingKeyword, "missing-keyword", Warning, "the keyword before this word is missing", "UCI, setoption, option and info";
    /// `position` without `startpos` or `fen`.
    StartposOmitted, "startpos-omitted", Note, "the word startpos is missing; the start position is meant", "UCI, position (the Russian text calls this common)";
    /// A FEN in double quotes.
    QuotedFen, "quoted-fen", Note, "the position is quoted; the quotes are not part of it", "UCI, position: fen <fenstring>";
    /// A position word no dialect knows.
    UnknownPosition, "unknown-position", Warning, "neither startpos nor fen nor a named position", "UCI, position; Leiserchess, position; UGI, setpos";
    /// `seldepth` without `depth`.
    SeldepthAlone, "seldepth-alone", Warning, "seldepth needs depth in the same line", "UCI, info: seldepth";
    /// `currmovenumber 0`.
    MoveNumberZero, "move-number-zero", Warning, "the first move has number 1, not 0", "UCI, info: currmovenumber";
    /// win + draw + loss is not 1000.
    WdlSum, "wdl-sum", Warning, "win, draw and loss do not add up to 1000", "ULCI, info: wdl in permill";
    /// A permill or percent value above its maximum.
    ShareTooLarge, "share-too-large", Warning, "more than the whole", "UCI, info: hashfull and cpuload in permill; Leiserchess: percent";
    /// An option line without a name.
    OptionWithoutName, "option-without-name", Error, "the option has no name", "UCI, option: name <id>";
    /// An option line without a type (usual in UGI).
    OptionWithoutType, "option-without-type", Warning, "the option has no type", "UCI, option: type <t>";
    /// An option type beyond the five.
    UnknownOptionType, "unknown-option-type", Warning, "not one of check, spin, combo, button and string", "UCI, option: type <t>";
    /// A spin option whose minimum is above its maximum.
    EmptyRange, "empty-range", Warning, "the minimum is above the maximum", "UCI, option: min and max";
    /// A spin default outside its own range.
    DefaultOutOfRange, "default-out-of-range", Warning, "the default is outside the range", "UCI, option: default, min and max";
    /// A combo default that is not among the values.
    DefaultNotListed, "default-not-listed", Warning, "the default is not one of the values", "UCI, option: default and var";
    /// A check default that is neither `true` nor `false`.
    DefaultNotABool, "default-not-a-bool", Warning, "a check option is true or false, in lower case", "UCI, option: type check";
    /// A keyword inside an option name or value.
    AmbiguousOption, "ambiguous-option", Note, "the words name and value inside a name or value can be read in two ways", "UCI, setoption: avoid name and value in <id> and <x>";
    /// A status word other than checking, ok and error.
    UnknownStatus, "unknown-status", Warning, "the status is neither checking nor ok nor error", "UCI, copyprotection and registration";

    /// A message came before the handshake allowed it.
    BeforeHandshake, "before-handshake", Warning, "this came before the handshake was finished", "UCI, uci and uciok";
    /// A second `uci` while the first is not answered, or after it was.
    HelloAgain, "hello-again", Note, "the opening word is sent once, as the first command", "UCI, uci";
    /// `uciok` that was not asked for.
    UnexpectedUciok, "unexpected-uciok", Error, "uciok without a uci that waits for it", "UCI, uciok";
    /// `uciok` without `id name`.
    MissingId, "missing-id", Warning, "the engine did not identify itself before uciok", "UCI, id";
    /// `id` or `option` after `uciok`.
    LateIdentification, "late-identification", Warning, "id and option belong between uci and uciok", "UCI, uciok";
    /// The answer of another dialect (`ugiok` to `uci`).
    WrongHandshake, "wrong-handshake", Error, "the handshake of another dialect", "dialect overview: hello";
    /// `readyok` that was not asked for.
    UnexpectedReadyok, "unexpected-readyok", Error, "readyok without an isready that waits for it", "UCI, readyok";
    /// `go` before the first `isready` was answered.
    NeverReady, "never-ready", Note, "isready is required once before the first search", "UCI, isready";
    /// `go` before any `position`.
    GoWithoutPosition, "go-without-position", Note, "no position was set before this search", "UCI, general notes: position before go";
    /// `go` while a search runs.
    GoWhileSearching, "go-while-searching", Error, "a search is already running", "UCI, go and bestmove";
    /// `position`, `move` or `setpos` while a search runs.
    PositionWhileSearching, "position-while-searching", Warning, "the position is changed while a search runs", "UCI, general notes: commands that are not supposed to come";
    /// `setoption` while a search runs.
    SetoptionWhileSearching, "setoption-while-searching", Warning, "options are only set while the engine waits", "UCI, setoption";
    /// `ucinewgame` while a search runs.
    NewgameWhileSearching, "newgame-while-searching", Warning, "a new game is announced while a search runs", "UCI, ucinewgame";
    /// `go` after `ucinewgame` without `isready` between them.
    NewgameWithoutIsready, "newgame-without-isready", Note, "isready should follow ucinewgame", "UCI, ucinewgame";
    /// `stop` while idle.
    StopWhileIdle, "stop-while-idle", Note, "there is no search to stop", "UCI, general notes: commands that are not supposed to come";
    /// `ponderhit` without a ponder search.
    PonderhitWithoutPonder, "ponderhit-without-ponder", Warning, "there is no ponder search", "UCI, ponderhit";
    /// `bestmove` without `go`.
    BestmoveWithoutGo, "bestmove-without-go", Error, "no search waits for a bestmove", "UCI, bestmove: one for every go";
    /// A second `bestmove` for the same `go`.
    SecondBestmove, "second-bestmove", Error, "this search has already been answered", "UCI, bestmove: one for every go";
    /// `bestmove` while `go infinite` or `go ponder` was not stopped.
    PrematureBestmove, "premature-bestmove", Error, "an infinite or ponder search ends only when told so", "UCI, go: infinite and ponder";
    /// `bestmove` without any `info` before it.
    NoFinalInfo, "no-final-info", Note, "no info line came before bestmove", "UCI, bestmove: final info directly before it";
    /// Search information while no search runs.
    InfoWhileIdle, "info-while-idle", Warning, "search information while no search runs", "UCI, info and bestmove";
    /// A `registration error` that was not answered.
    RegisterOwed, "register-owed", Warning, "the engine waits for an answer to registration error", "UCI, registration: always answer with register";
    /// A status without `checking` before it.
    StatusWithoutChecking, "status-without-checking", Note, "ok or error comes after checking", "UCI, copyprotection and registration";
    /// The engine is used after `copyprotection error`.
    CopyProtected, "copy-protected", Error, "the engine reported a copy protection error and must not be used", "UCI, copyprotection";
    /// A message after `quit`.
    AfterQuit, "after-quit", Note, "nothing is expected after quit", "UCI, quit";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One finding and where it stands in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Diagnostic {
    /// What was found.
    pub code: Code,
    start: u32,
    end: u32,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            code,
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The bytes of the line it is about.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The finding as one line of text, with the words of `line` it is about.
    ///
    /// ```
    /// use quadrille_protocol::{Dialect, Report};
    ///
    /// let line = b"info depth 8 nps fast";
    /// let parsed = Report::parse(line, Dialect::Uci);
    /// let finding = parsed.diagnostics().iter().next().unwrap();
    /// assert_eq!(
    ///     finding.explain(line).to_string(),
    ///     "warning[not-a-number] at byte 17, 'fast': a number was expected \
    ///      (UCI, go and info: <x>)"
    /// );
    /// ```
    pub fn explain<'a>(&self, line: &'a [u8]) -> Explained<'a> {
        Explained {
            diagnostic: *self,
            words: line.get(self.span()).unwrap_or_default(),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Diagnostic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Diagnostic", 6)?;
        out.serialize_field("code", self.code.as_str())?;
        out.serialize_field("severity", &self.severity())?;
        out.serialize_field("start", &self.start)?;
        out.serialize_field("end", &self.end)?;
        out.serialize_field("sentence", self.code.sentence())?;
        out.serialize_field("clause", self.code.clause())?;
        out.end()
    }
}

/// A [`Diagnostic`] together with the words it is about, ready to print.
#[derive(Debug, Clone, Copy)]
pub struct Explained<'a> {
    diagnostic: Diagnostic,
    words: &'a [u8],
}

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { code, start, .. } = self.diagnostic;
        write!(f, "{}[{code}] at byte {start}", code.severity())?;
        if !self.words.is_empty() {
            write!(f, ", '{}'", Text::from_bytes(self.words))?;
        }
        write!(f, ": {} ({})", code.sentence(), code.clause())
    }
}

/// The findings about one line, in the order in which they were made.
pub type Diagnostics = Vec<Diagnostic>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_stable_unique_and_kebab_case() {
        let mut names: Vec<_> = Code::ALL.iter().map(|c| c.as_str()).collect();
        assert!(
            names
                .iter()
                .all(|n| n.bytes().all(|b| b == b'-' || b.is_ascii_alphanumeric()))
        );
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_code_has_words_and_a_clause() {
        for code in Code::ALL {
            assert!(
                code.sentence().len() > 8 && code.clause().len() > 4,
                "{code}"
            );
        }
    }
}
