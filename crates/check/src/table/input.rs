//! What an engine must bear: odd input, odd moments, the end, many games.

super::rows! { ROWS:
    "input" {
        "input.unknown" Warning ALL Own "general notes" "an unknown command is ignored"
            => "An unknown command is ignored", "Ignore lines that you do not understand.";
        "input.unknown-before" Warning PONDERING Own "general notes" "an unknown word is skipped and the rest of the line is read"
            => "`joho isready` is understood", "Skip words until one is a command.";
        "input.unknown-in-go" Warning UCI_LIKE Own "general notes" "an unknown word is ignored"
            => "An unknown word in go is ignored", "Skip words of go that you do not know.";
        "input.unknown-position" Warning ALL Own "general notes" "what is unknown is ignored"
            => "A position of an unknown kind is ignored", "Keep the old board where the new one cannot be read.";
        "input.leading-blanks" Warning ALL Own "general notes" "any white space is allowed"
            => "Blanks before a command are skipped", "Trim lines before you compare them.";
        "input.tabs" Warning UCI_LIKE Own "general notes" "any white space is allowed, tabs too"
            => "Tabs are white space", "Split at tabs as well as at blanks.";
        "input.trailing-blanks" Warning ALL Own "general notes" "any white space is allowed"
            => "Blanks behind a command are skipped", "Trim lines before you compare them.";
        "input.crlf" Error ALL Own "general notes" "the end of a line differs between systems"
            => "Lines that end with CR LF are understood", "Drop a carriage return at the end of a line.";
        "input.empty-lines" Warning ALL Own "general notes" "any white space is allowed"
            => "Empty lines do no harm", "Ignore lines without words.";
        "input.split" Error ALL Own "general notes" "commands are lines"
            => "A line that comes in two pieces is one line", "Read up to the newline, however many reads that takes.";
        "input.burst" Error ALL Own "general notes" "commands are lines"
            => "Lines that come in one piece are many lines", "Go on reading at the next newline of what you have.";
        "input.long-line" Warning ALL Own "general notes" "an unknown command is ignored"
            => "A line of 32 KiB does no harm", "Read lines of any length.";
        "input.bytes" Warning ALL Own "general notes" "an unknown command is ignored"
            => "Bytes that are no text do no harm", "Do not trust that input is ASCII or UTF-8.";
        "input.garbage" Error ALL Own "general notes" "an unknown command is ignored"
            => "Two hundred lines of garbage do no harm", "Check every word before you use it.";
        "input.bad-position" Warning ALL Practice "positions" "hosts pass on what users paste"
            => "A position that cannot be read does no harm", "Check the text, keep the old board and say so with info string.";
        "input.bad-move" Warning UCI_LIKE Practice "positions" "hosts pass on what users paste"
            => "A move that cannot be played does no harm", "Stop playing moves there, and stay alive.";
        "input.bad-number" Warning UCI_LIKE Own "general notes" "what is unknown is ignored"
            => "Limits that are no numbers do no harm", "Check that the value is a number; ignore the limit otherwise.";
        "input.huge-number" Warning UCI_LIKE Practice "numbers" "hosts send numbers of any size"
            => "Numbers beyond 64 bits do no harm", "Take the nearest number that fits.";
        "input.debug" Warning CHESS_LIKE Own "debug" "it can be sent at any time"
            => "debug on and off are accepted", "Read debug, or ignore it.";
        "input.register" Warning UCI Own "register" "the user registers later"
            => "register later is accepted", "Ignore register when you need none.";
        "input.register-name" Warning UCI Own "register" "the tokens name and code are allowed"
            => "register with a name and a code does no harm", "Ignore register when you need none.";
        "input.go-first" Note UCI_LIKE Own "general notes" "there is always a position before a search"
            => "go before any position does no harm", "Set up the start position when you start.";
    }
    "misuse" {
        "misuse.setoption" Warning UCI_LIKE Own "setoption" "it is only sent when the engine waits"
            => "setoption during a search does no harm", "Ignore it, or keep it for later.";
        "misuse.position" Warning UCI_LIKE Own "general notes" "a command that is not supposed to come is ignored"
            => "position during a search does no harm", "Ignore it, or keep it for later.";
        "misuse.new-game" Warning UCI_LIKE Own "ucinewgame" "it comes between games"
            => "ucinewgame during a search does no harm", "Ignore it, or keep it for later.";
        "misuse.go" Warning ALL Own "general notes" "a command that is not supposed to come is ignored"
            => "go during a search does no harm", "Ignore it, or end the first search with its bestmove.";
        "misuse.debug" Warning CHESS_LIKE Own "debug" "it can be sent also when the engine is thinking"
            => "debug during a search does no harm", "Read debug on the thread that reads input.";
        "misuse.unknown" Warning ALL Own "general notes" "the engine processes input even while thinking"
            => "An unknown command during a search does no harm", "Ignore it and go on searching.";
    }
    "quit" {
        "life.quit" Error ALL Own "quit" "the program ends as soon as possible"
            => "The program ends on quit", "Leave the loop that reads input and end all threads.";
        "life.quit-after-hello" Error ALL Own "examples" "a host may send quit right after uciok"
            => "The program ends on quit right after the handshake", "Obey quit also before the first isready.";
        "life.quit-searching" Error ALL Own "quit" "the program ends as soon as possible"
            => "The program ends on quit during a search", "Stop the search and end.";
        "life.quit-pondering" Error PONDERING Own "quit" "the program ends as soon as possible"
            => "The program ends on quit while it ponders", "Stop pondering and end.";
        "life.exit-code" Warning ALL Own "quit" "the program ends"
            => "The program ends well: code 0 and no signal", "Join threads and free memory in the right order; return 0 from main.";
        "life.end-of-input" Error ALL Practice "end of input" "a host that is gone is gone for good"
            => "The program ends when its input ends", "Take the end of input for quit.";
        "life.end-of-input-searching" Error ALL Practice "end of input" "a host that is gone is gone for good"
            => "The program ends when its input ends during a search", "Take the end of input for quit; do not burn a processor for a host that is gone.";
        "life.orphans" Warning ALL Practice "processes" "an engine takes what it has started with it"
            => "No process is left behind", "End the processes that you have started.";
        "life.restart" Error ALL Own "general notes" "the engine boots and waits for input"
            => "The program can be started again and again", "Leave no lock, file or port behind that the next start trips over.";
    }
    "games" {
        "games.play" Error ALL Own "bestmove" "it names the move that is best in this position"
            => "A game against itself is played with legal moves", "Look at the first position where the answer is not legal.";
        "games.survive" Error ALL Own "quit" "the engine ends when it is told so"
            => "The engine does not end by itself", "Look at its exit code, signal and last words.";
        "games.new-game" Error UCI_LIKE Own "ucinewgame" "the next search is from another game"
            => "One game after another can be played", "Reset what belongs to a game on ucinewgame.";
        "games.memory" Warning ALL Practice "memory" "an engine plays thousands of games in one process"
            => "Memory does not grow from game to game", "Free what belongs to a search when it ends.";
        "games.same-again" Note UCI_LIKE Own "ucinewgame" "the next search is from another game"
            => "The same search after ucinewgame has the same answer", "Clear tables and history on ucinewgame.";
    }
}
