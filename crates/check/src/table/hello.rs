//! Before the first search: the handshake, the options, readiness.

super::rows! { ROWS:
    "hello" {
        "handshake.starts" Error ALL Own "general notes" "the engine boots and waits for input"
            => "The program starts and waits for input", "Do not exit before the first command; check the path, the rights and the libraries of the program.";
        "handshake.uciok" Error ALL Own "uci, uciok" "after its id and options the engine acknowledges the mode, or it is ended"
            => "The opening word is answered with uciok (ugiok)", "Print uciok (ugiok in UGI) after the last option line, end it with a newline and flush standard output.";
        "handshake.quick" Warning ALL Own "general notes" "the boot process is as quick as possible; internal parameters are set up later, on isready or setoption"
            => "The handshake takes less than two seconds", "Load networks and allocate tables on isready or the first go, not before uciok.";
        "handshake.id-name" Error ALL Own "id" "the engine identifies itself with id name"
            => "The engine says its name", "Print `id name <name>` before the options.";
        "handshake.id-author" Error ALL Own "id" "the engine identifies itself with id author"
            => "The engine says its author", "Print `id author <names>` before the options.";
        "handshake.id-value" Warning ALL Own "id" "name and author are followed by a text"
            => "No id line is empty", "Write a text behind `id name` and `id author`.";
        "handshake.one-name" Warning ALL Own "id" "the name is told once"
            => "There is one name and one author line", "Print each id line once for an opening word; put several authors on one line.";
        "handshake.order" Warning UCI_LIKE Own "option" "options are sent after the id lines"
            => "The id lines come before the options", "Print id name and id author first, then the options, then uciok.";
        "handshake.once" Error ALL Own "uciok" "it is sent when everything about the engine has been told"
            => "There is one uciok for one opening word", "Print uciok once for each `uci`, and at no other time.";
        "handshake.late" Error ALL Own "uciok" "id and option lines come before it"
            => "Nothing is declared behind uciok", "Move all id and option lines before uciok.";
        "handshake.unasked" Warning ALL Own "uci" "the engine identifies itself after it was asked"
            => "Nothing is declared before the opening word", "Wait for `uci` (`ugi`) before you print id, option or uciok.";
        "handshake.banner" Note ALL Own "general notes" "the engine boots and waits for input"
            => "Nothing is printed before the opening word", "Drop the greeting, or print it as `info string` after `uci`.";
        "handshake.again" Warning ALL Own "general notes" "a command that is not supposed to come is ignored"
            => "A second opening word does no harm", "Answer again or ignore it, but stay alive and ready.";
        "handshake.status" Warning UCI Own "copyprotection, registration" "a status is checking first, then ok or error"
            => "copyprotection and registration follow their order", "Send `checking` before `ok` or `error`, and no other word.";
        "output.plain-text" Note ALL Own "general notes" "communication is done in the commands of the protocol"
            => "Every line is a message of the protocol", "Put text for people behind `info string`.";
        "output.extra-words" Warning ALL Own "uciok, readyok" "these are whole lines"
            => "uciok and readyok stand alone", "Print nothing behind uciok and readyok on the same line.";
        "output.utf8" Note ALL Own "general notes" "communication is done in text"
            => "Lines are UTF-8", "Write names in UTF-8 or in plain ASCII.";
        "output.stderr" Note ALL Own "general notes" "all communication is done on standard input and output"
            => "Nothing is written to standard error", "Keep diagnostics for a log file or for `debug on`.";
        "output.long-line" Note ALL Own "general notes" "commands are lines of text"
            => "No line is longer than 64 KiB", "Cut the best line at a sensible length.";
        "options.name" Error UCI_LIKE Own "option" "an option has a name"
            => "Every option has a name", "Write `option name <id> type <t> ...`.";
        "options.type" Error UCI_LIKE Own "option" "an option has a type"
            => "Every option has a type", "Add `type check`, spin, combo, button or string.";
        "options.type-known" Warning UCI_LIKE Own "option" "there are five types: check, spin, combo, button and string"
            => "Types are the five that there are", "Use `string` for file names; there are no other types.";
        "options.numbers" Warning UCI_LIKE Own "option" "spin is a whole number in a range"
            => "Bounds and defaults of spins are whole numbers", "Scale fractions to whole numbers, such as hundredths.";
        "options.spin-range" Warning UCI_LIKE Own "option" "spin is a number in a certain range"
            => "Every spin has a minimum and a maximum", "Add `min` and `max`.";
        "options.spin-order" Error UCI_LIKE Own "option" "min and max are the bounds of a range"
            => "The minimum is not above the maximum", "Exchange the bounds, or give the range its true size.";
        "options.spin-default" Error UCI_LIKE Own "option" "the default is a value of the parameter"
            => "The default of a spin is in its range", "Move the default into the range or widen the range.";
        "options.combo-default" Warning UCI_LIKE Own "option" "a combo has predefined values, and the default is one"
            => "The default of a combo is one of its values", "List the default as a `var` too, in the same spelling.";
        "options.combo-values" Warning UCI_LIKE Own "option" "each var is a predefined value of the parameter"
            => "A combo has values", "Add a `var` for each choice, or use `string`.";
        "options.check-default" Warning UCI_LIKE Own "option" "a check is true or false"
            => "The default of a check is true or false", "Write `default true` or `default false` in lower case.";
        "options.string-default" Note UCI_LIKE Own "option" "an empty string is written <empty>"
            => "An empty default is written <empty>", "Write `default <empty>`.";
        "options.button-plain" Note UCI_LIKE Own "option" "a button is pressed; it has no value"
            => "A button has no default and no range", "Leave default, min, max and var out of buttons.";
        "options.unique" Warning UCI_LIKE Own "setoption" "names are not case sensitive"
            => "No two options have the same name", "Rename one: names that differ in case only are the same.";
        "options.unambiguous" Note UCI_LIKE Own "setoption" "the words name and value are avoided in names and values"
            => "Names of options can be read in one way only", "Avoid the words `name` and `value` in names and values.";
        "options.words" Warning UCI_LIKE Own "option" "an option is described by name, type, default, min, max and var"
            => "Option lines have no unknown words", "Drop the words that are no keyword of `option`.";
        "options.fixed-type" Warning UCI_LIKE Own "option, names with a fixed meaning" "each of these options has a type of its own"
            => "Options with a fixed meaning have their type", "Use the type that the document gives this name, or another name.";
        "options.hash" Note UCI_LIKE Own "option Hash" "it should be supported by all engines"
            => "The size of the hash table can be set", "Declare `option name Hash type spin`.";
        "options.hash-small" Note UCI_LIKE Own "option Hash" "the engine uses a very small hash table by default"
            => "The default hash table is at most 256 MB", "Choose a default of 16 MB or so; hosts set what they want.";
        "options.multipv-default" Warning UCI_LIKE Own "option MultiPV" "its default is 1"
            => "MultiPV is 1 by default", "Declare MultiPV with `default 1`.";
        "options.off-by-default" Warning CHESS_LIKE Uci "option UCI_ShowCurrLine, UCI_ShowRefutations, UCI_LimitStrength" "they are false by default"
            => "Options that the document wants off are off", "Declare the option with `default false`.";
        "options.elo-pair" Warning UCI Own "option UCI_LimitStrength, UCI_Elo" "each is implemented together with the other"
            => "UCI_LimitStrength and UCI_Elo come together", "Declare both or neither.";
        "options.chess960-default" Warning UCI Own "Chess960" "the option is declared as a check with default false"
            => "UCI_Chess960 is a check that is off", "Declare `option name UCI_Chess960 type check default false` and castle e1g1 until it is set.";
    }
    "options" {
        "options.set-default" Error UCI_LIKE Own "setoption" "it is sent when the user wants to change a parameter"
            => "Options can be set to their defaults", "Read `setoption name <id> value <x>` for every option that you declare.";
        "options.set-check" Error UCI_LIKE Own "setoption" "a check is true or false"
            => "Checks can be switched both ways", "Accept `value true` and `value false` for every check.";
        "options.set-spin" Error UCI_LIKE Own "option" "min and max are the bounds of what can be set"
            => "Spins can be set to the ends of their range", "Accept min and max, or declare a smaller range.";
        "options.set-combo" Error UCI_LIKE Own "option" "each var is a predefined value of the parameter"
            => "Combos can be set to each of their values", "Accept every `var` that you declare.";
        "options.set-string" Error UCI_LIKE Own "option" "an empty string has the value <empty>"
            => "Strings can be set to <empty>", "Read `<empty>` as the empty string.";
        "options.press-button" Error UCI_LIKE Own "setoption" "for a button no value is needed"
            => "Buttons can be pressed", "Read `setoption name <id>` without a value.";
        "options.set-nothing" Warning UCI_LIKE Own "setoption" "the value may be left out"
            => "A missing value does no harm", "Ignore setoption without a value unless the option is a button.";
        "options.set-beyond" Warning UCI_LIKE Own "option" "max is the largest value of the parameter"
            => "A value beyond the range does no harm", "Ignore it or take the nearest value; do not end, and allocate nothing of that size.";
        "options.set-words" Warning UCI_LIKE Own "option" "spin is a whole number"
            => "A spin that is set to a word does no harm", "Check the text before you convert it.";
        "options.unknown" Error ALL Own "general notes" "what is unknown is ignored"
            => "An unknown option is ignored", "Ignore names that you have not declared; stay alive and ready.";
        "options.case" Warning UCI_LIKE Own "setoption" "names are not case sensitive"
            => "Names of options are understood in any case", "Compare names without regard to case.";
        "options.blanks" Warning UCI_LIKE Own "general notes" "any white space between words is allowed"
            => "Runs of blanks in setoption are understood", "Split at runs of white space, not at single blanks.";
        "options.value-case" Warning UCI Own "setoption" "names and values are not case sensitive"
            => "Values of options are understood in any case", "Compare true, false and the values of combos without regard to case.";
        "options.keeps-position" Warning UCI_LIKE Own "position" "the position is set up on the internal board"
            => "Hash can be set between position and go", "Change the size of the table, and nothing else: the position was sent already.";
        "options.limit-strength" Error UCI Own "option UCI_LimitStrength" "the engine plays with this strength"
            => "With the least strength the answers are legal moves", "Choose weak moves among the legal ones.";
    }
    "ready" {
        "ready.answers" Error ALL Own "isready" "it is always answered with readyok"
            => "isready is answered with readyok", "Print readyok and flush when all commands before it are done.";
        "ready.quick" Note ALL Own "isready" "it is used to find out whether the engine is alive"
            => "isready is answered within half a second when nothing is to be done", "Answer from the thread that reads input.";
        "ready.each" Error ALL Own "isready" "it is always answered with readyok"
            => "Three isready have three answers", "Answer every isready, also those that come together.";
        "ready.unasked" Error ALL Own "readyok" "it is the answer to isready"
            => "There is no readyok without isready", "Print readyok only as an answer.";
        "ready.searching" Error ALL Own "isready" "while the engine calculates it is answered at once"
            => "isready is answered during a search", "Read input on a thread of its own, or look for it while you search.";
        "ready.searching-quick" Warning ALL Own "isready" "while the engine calculates it is answered at once"
            => "isready is answered within half a second during a search", "Look for input at least every few milliseconds.";
        "ready.at-once" Error ALL Own "isready" "it is always answered with readyok"
            => "isready right behind go is answered", "Throw no input away when a search begins.";
        "ready.keeps-searching" Error ALL Own "isready" "the search is not stopped by it"
            => "isready does not end a search", "Only stop, quit and the limits of go end a search.";
        "ready.new-game" Error UCI_LIKE Own "ucinewgame" "isready waits for the engine to finish its reaction"
            => "The engine is ready after ucinewgame", "Answer isready after ucinewgame, once tables are cleared.";
        "ready.position" Error ALL Own "isready" "it is always answered with readyok"
            => "The engine is ready after a position", "Answer isready after position (setpos).";
        "ready.position-silent" Note ALL Own "position" "no answer to it is described"
            => "A position is set up without an answer", "Print nothing in answer to position (setpos).";
        "go.forced-mode" Error ALL Own "general notes" "the engine never calculates without go"
            => "Nothing is searched without go", "Start to search on go only.";
    }
}
