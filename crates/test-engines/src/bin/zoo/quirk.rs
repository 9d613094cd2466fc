//! What the zoo's animal can do wrong, one switch each.

macro_rules! quirks {
    ($($name:ident, $word:literal, $number:literal, $sentence:literal;)+) => {
        /// One way to misbehave.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Quirk {
            $($name,)+
        }

        impl Quirk {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The switch.
            pub(crate) const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// Its number in our list of deviations seen in the wild; 0 for
            /// those that the list does not have.
            pub(crate) const fn number(self) -> u8 {
                match self { $(Self::$name => $number,)+ }
            }

            pub(crate) const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

quirks! {
    NoneWord, "none-word", 1, "says `bestmove (none)` when there is no legal move";
    SquareA1, "a1a1", 2, "says `bestmove a1a1` when there is no legal move";
    Zeros, "0000", 3, "says `bestmove 0000` when there is no legal move (so it does without a switch)";
    NullWord, "null-word", 4, "says `bestmove NULL ponder NULL` when there is no legal move";
    SquareA8, "a8a8", 5, "says `bestmove a8a8` when there is no legal move";
    SilentWhenOver, "silent-when-over", 6, "says nothing at all when there is no legal move";
    NullInPlay, "null-in-play", 7, "says `bestmove a1a1` in the middle of a game";
    UpperCase, "upper-case", 8, "writes promotions with a capital letter: e7e8Q";
    TrailingJunk, "trailing-junk", 9, "writes a blank and an odd character behind the move";
    StrayReturn, "stray-return", 10, "puts carriage returns inside lines";
    BadUtf8, "bad-utf8", 11, "names itself and an option in bytes that are not UTF-8";
    Banner, "banner", 12, "greets with a banner and chats between its messages";
    EarlyUciok, "early-uciok", 13, "identifies itself and says `uciok` before it is asked, and only then";
    SpacedOptions, "spaced-options", 14, "uses extra blanks, and key words inside the names of options";
    EmptyDefault, "empty-default", 15, "leaves the default of string options empty in three ways";
    CapitalBool, "capital-bool", 16, "writes `default False`";
    FloatSpin, "float-spin", 17, "gives spin options fractions, and an option the type `filename`";
    ExactCase, "exact-case", 18, "has option names in odd letter case and understands no other";
    ValueInName, "value-in-name", 19, "has options with blanks and the word value in name and values";
    DeafWhileSearching, "deaf-while-searching", 20, "does not answer isready while it searches";
    IgnoresStop, "ignores-stop", 21, "never answers stop";
    LateStop, "late-stop", 22, "answers stop late";
    TwoBestmoves, "two-bestmoves", 23, "answers every go twice";
    NoInfo, "no-info", 24, "sends no info before bestmove";
    OnlyBounds, "only-bounds", 25, "sends only bounds, never an exact score";
    InfoAfterBestmove, "info-after-bestmove", 26, "goes on talking after bestmove";
    Premature, "premature", 27, "answers go infinite and go ponder without being told to stop";
    IllegalPonder, "illegal-ponder", 28, "names a move to ponder on that is not legal";
    IllegalPv, "illegal-pv", 29, "has illegal moves in its best line";
    WhiteView, "white-view", 30, "gives scores from White's point of view";
    MateZero, "mate-zero", 31, "says `score mate 0`";
    MissingKeyword, "missing-keyword", 32, "leaves out the word score";
    AnyOrder, "any-order", 33, "sends the items of info in an odd order with many blanks";
    Flood, "flood", 34, "sends a flood of info lines before its answer";
    FloodForever, "flood-forever", 34, "sends a flood of info lines and never an answer";
    LongLines, "long-lines", 35, "sends a best line of thousands of moves, and a line of two megabytes";
    Buffered, "buffered", 36, "never flushes its output";
    SlowStart, "slow-start", 37, "takes a while to answer uci, isready and the first go";
    HangsOnQuit, "hangs-on-quit", 38, "ends neither on quit nor at the end of input";
    NotUci, "not-uci", 39, "complains and exits with code 1";
    NegativeIsInfinite, "negative-is-infinite", 40, "takes a clock of zero or less for no limit";
    IgnoresLimits, "ignores-limits", 41, "ignores searchmoves, and thinks until it is told to stop";
    DropsCommands, "drops-commands", 42, "drops position and go while it searches";
    StrictWords, "strict-words", 43, "does not understand a line that begins with a blank or an unknown word";
    StrictCastling, "strict-castling", 44, "cuts the list of moves at a castling move in the other form";
    KingToSquare, "king-to-square", 45, "writes castling as the king's step, also in Chess960";
    DiesOnFen, "dies-on-fen", 46, "dies on positions given as FEN";
    DiesOnEmptyMoves, "dies-on-empty-moves", 47, "dies on `moves` without moves";
    DiesOnBareCombo, "dies-on-bare-combo", 48, "dies when a combo option is set without a value";
    SpinsWhenOver, "spins-when-over", 49, "computes for ever when there is no legal move";
    StderrFlood, "stderr-flood", 50, "writes megabytes to standard error";
    KingTakesRook, "king-takes-rook", 0, "writes castling as the king taking its rook, also outside Chess960";
    San, "san", 0, "writes moves as people do";
    Illegal, "illegal", 0, "answers with an illegal move";
    NoMoveWord, "no-move-word", 0, "says `bestmove` and nothing else";
    LateStray, "late-stray", 0, "repeats its last answer right after the next go";
    StaleAnswer, "stale-answer", 0, "gives the answer of its first search to all others";
    SlowReady, "slow-ready", 0, "takes a while to answer isready between its moves";
    IgnoresNodes, "ignores-nodes", 0, "counts beyond the nodes it was given until it is told to stop";
    SleepsLate, "sleeps-late", 0, "sleeps until its flag has fallen, and a while longer";
    SpinsLate, "spins-late", 0, "computes until its flag has fallen, and a while longer";
    SleepsThenSpins, "sleeps-then-spins", 0, "sleeps until shortly before its flag falls, and computes for a while longer";
    HelperSpins, "helper-spins", 0, "sleeps until its flag has fallen and a while longer, while another thread computes";
    PollsLate, "polls-late", 0, "looks at the clock every millisecond until its flag has fallen, and a while longer";
    Crlf, "crlf", 0, "ends lines with CR LF";
    Silent, "silent", 0, "reads everything and says nothing";
    Deaf, "deaf", 0, "says hello unasked and never reads";
    NeverReady, "never-ready", 0, "says readyok once and never again";
    DiesInSearch, "dies-in-search", 0, "exits with code 3 when it should search, with last words";
    AbortsInSearch, "aborts-in-search", 0, "kills itself with a signal when it should search";
    DiesAfterAnswer, "dies-after-answer", 0, "exits right after its answer";
    ClosesOutput, "closes-output", 0, "closes its output in the middle of a search and lives on";
    HasChild, "has-child", 0, "starts a process of its own that would live for ever";
    HasRunaway, "has-runaway", 0, "starts a process in a session of its own";
    CopyProtected, "copy-protected", 0, "fails its copy protection check";
    CopyChecked, "copy-checked", 0, "passes its copy protection check";
    WantsRegistration, "wants-registration", 0, "wants to be registered, and knows one code";
    NoId, "no-id", 0, "does not say who it is";
    LateOption, "late-option", 0, "declares an option after uciok";
    NewlineFlood, "newline-flood", 0, "sends empty lines without end when it should search";
    EndlessLine, "endless-line", 0, "sends a line without end when it should search";
    ManyOptions, "many-options", 0, "declares thirty thousand options";
    DiesInWord, "dies-in-word", 0, "exits with code 3 in the middle of its best move";
    HasHermit, "has-hermit", 0, "starts a process without parent, session and environment";
    JoinsHost, "joins-host", 0, "moves to the process group of its host";
    Staff, "staff", 0, "Leiserchess: talks as the reference engine of 2016 does";
    Helios, "helios", 0, "Gyges: talks as the reference engine does";
    OldMoves, "old-moves", 0, "Gyges: writes moves as pairs of piece and square";
    PlainUgi, "plain-ugi", 0, "Gyges: declares no options and sends a bare bestmove";
    Oxidation, "oxidation", 0, "Liberty Chess: ends on a position it does not understand";
    PlainUci, "plain-uci", 0, "Liberty Chess: does not say which version it speaks";
}

impl Quirk {
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|quirk| quirk.word() == word)
    }
}

/// One line for each.
pub(crate) fn list() -> String {
    let line = |quirk: &Quirk| {
        let number = match quirk.number() {
            0 => String::new(),
            number => number.to_string(),
        };
        format!("{number:>3} {:<22} {}\n", quirk.word(), quirk.sentence())
    };
    Quirk::ALL.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deviation_of_the_list_has_a_switch() {
        for number in 1..=50 {
            let found = Quirk::ALL.iter().any(|quirk| quirk.number() == number);
            assert!(found, "{number}");
        }
        for quirk in Quirk::ALL {
            assert_eq!(Quirk::from_word(quirk.word()), Some(*quirk));
        }
    }
}
