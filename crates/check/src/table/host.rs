//! What a host must do: the other direction.

super::rows! { ROWS:
    "host" {
        "host.hello" Error ALL Own "uci" "it is sent once, as the first command"
            => "The host opens with uci (ugi)", "Send the opening word first, and wait for uciok.";
        "host.hello-once" Warning ALL Own "uci" "it is sent once"
            => "The opening word is sent once", "Keep what the engine said; do not ask again.";
        "host.waits" Error UCI_LIKE Own "uciok" "it says that the engine has told everything"
            => "Nothing but quit is sent before uciok", "Wait for uciok before you send options, isready or go.";
        "host.isready" Warning UCI_LIKE Own "isready" "it is required once before the first search"
            => "isready comes before the first search", "Send isready after the options and wait for readyok.";
        "host.waits-ready" Error ALL Own "isready" "it is used to wait for the engine"
            => "The host waits for readyok", "Do not send go while readyok is owed.";
        "host.new-game-ready" Warning UCI_LIKE Own "ucinewgame" "isready always follows it"
            => "isready follows ucinewgame", "Send isready after ucinewgame and wait for readyok.";
        "host.new-game-idle" Warning UCI_LIKE Own "ucinewgame" "it comes between games"
            => "ucinewgame is not sent during a search", "Stop the search and wait for bestmove first.";
        "host.position" Error UCI_LIKE Own "general notes" "there is always a position before a search"
            => "A position comes before the first search", "Send position before go.";
        "host.position-read" Error ALL Own "position" "it has startpos or a position as text, and moves"
            => "Positions can be read", "Send a FEN that describes a position, behind the word fen.";
        "host.position-moves" Error UCI_LIKE Own "position" "the moves are played on the board"
            => "Moves of a position are legal", "Send the moves of the game, in the notation of the protocol.";
        "host.position-idle" Warning UCI_LIKE Own "general notes" "it tells the position before the engine is asked to search"
            => "No position is sent during a search", "Wait for bestmove first.";
        "host.move-form" Warning UCI_LIKE Own "move format" "moves are written in long algebraic notation"
            => "Moves are written as the dialect wants", "Write e7e8q and e1g1; no SAN, no upper case.";
        "host.option-known" Warning ALL Own "setoption" "it sets a parameter of the engine"
            => "Options that are set are declared", "Set only what the engine has declared.";
        "host.option-form" Error UCI_LIKE Own "setoption" "it is written setoption name <id> value <x>"
            => "setoption has the word name", "Write `setoption name Hash value 12`, not `setoption Hash 12`.";
        "host.option-value" Warning UCI_LIKE Own "option" "type, min, max and var say what can be set"
            => "Values of options are allowed", "Keep to the range, the list or true and false.";
        "host.option-idle" Warning UCI_LIKE Own "setoption" "it is only sent when the engine waits"
            => "No option is set during a search", "Wait for bestmove first.";
        "host.go-idle" Error ALL Own "bestmove" "for every go there is one bestmove"
            => "No go is sent during a search", "Wait for bestmove, or send stop and wait.";
        "host.go-words" Warning UCI_LIKE Own "go" "it has known limits"
            => "Words of go are known", "Send only the limits that the protocol has.";
        "host.go-numbers" Warning UCI_LIKE Own "go" "a limit is followed by a number"
            => "Limits are numbers", "Send whole numbers of milliseconds, plies, nodes and moves.";
        "host.clock" Warning CHESS_LIKE Own "go wtime, btime" "it is the time that is left"
            => "Clocks are not negative", "Call the flag; do not ask an engine whose time is over.";
        "host.movestogo" Warning UCI Own "go movestogo" "it is only sent if it is above zero"
            => "movestogo is above zero", "Leave it out instead of sending 0.";
        "host.searchmoves" Error CHESS_LIKE Own "go searchmoves" "the search is restricted to these moves"
            => "searchmoves are legal moves", "Send legal moves of the position, at least one.";
        "host.stop-idle" Note ALL Own "stop" "it ends a search"
            => "stop is sent during a search only", "Remember whether a search runs.";
        "host.stop-infinite" Note ALL Own "go infinite" "the search lasts until stop"
            => "An infinite search is stopped", "Send stop, and quit only then.";
        "host.ponderhit" Warning PONDERING Own "ponderhit" "it ends pondering on the move that was played"
            => "ponderhit is sent to a ponder search only", "Send it only after go ponder.";
        "host.ponder-option" Note PONDERING Own "option Ponder" "the host sends it when pondering is possible"
            => "Ponder is switched on before go ponder", "Send `setoption name Ponder value true` first.";
        "host.chess960" Error UCI Own "Chess960" "the option is set when such a game is played"
            => "UCI_Chess960 is set for Chess960 positions", "Set UCI_Chess960 before you send castling rights or moves of that kind.";
        "host.register" Warning UCI Own "registration" "the host always answers registration error"
            => "registration error is answered", "Answer with register, at least `register later`.";
        "host.unknown" Warning ALL Own "general notes" "these are all commands"
            => "Commands are known", "Send the commands of the protocol only.";
        "host.text" Note ALL Own "general notes" "communication is done in text"
            => "Lines are UTF-8 with plain ends", "Send UTF-8 and end lines with a newline; a carriage return stands before one or not at all.";
        "host.quit" Warning ALL Own "quit" "it tells the engine to end"
            => "The host says quit", "Send quit before you close the pipe, and give the engine a moment.";
        "host.after-quit" Note ALL Own "quit" "the program ends"
            => "Nothing is sent behind quit", "Close the pipe after quit.";
    }
}
