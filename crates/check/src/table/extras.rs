//! What only one dialect has.

super::rows! { ROWS:
    "ulci" {
        "ulci.version" Error ULCI Own "id version" "it is sent to tell which version of ULCI is spoken"
            => "The client says which version it speaks", "Print `id version 1`.";
        "ulci.pieces" Warning ULCI Own "id pieces" "it lists the pieces that the client supports"
            => "id pieces lists known pieces, each once", "List letters of Liberty Chess pieces, each once, in lower case.";
        "ulci.server-info" Warning ULCI Own "info" "the server may have information for the client"
            => "info from the server does no harm", "Show it or ignore it.";
        "ulci.eval" Note ULCI Own "eval, bench" "they are optional"
            => "eval is answered or ignored", "Print something, or ignore the command.";
        "ulci.large-board" Error ULCI Own "move format" "g10g7 is a move with more than four characters"
            => "A board of ten ranks is played on", "Read ranks of two digits and boards of any size.";
        "ulci.no-ponder" Note ULCI Own "bestmove" "it is followed by one move"
            => "bestmove names no move to ponder on", "Leave `ponder` out: ULCI has no pondering.";
    }
    "leiser" {
        "leiser.rotation" Error LEISER Own "move" "L, R and U turn a piece"
            => "Rotations in a list of moves are played", "Read a square and one of L, R and U.";
        "leiser.move" Error LEISER Own "move" "it makes a move"
            => "The command move plays a move", "Play the move on the board that was set up.";
        "leiser.perft" Note LEISER Own "perft" "the number of positions for each ply is computed"
            => "perft is answered", "Count positions ply by ply and print them.";
        "leiser.display" Note LEISER Own "display" "a drawing of the board is printed"
            => "display is answered", "Draw the board.";
        "leiser.eval" Note LEISER Own "eval" "the parts of the evaluation are printed"
            => "eval is answered", "Print the parts of the static evaluation.";
    }
    "ugi" {
        "ugi.start" Error UGI Own "setpos" "it sets the board layout"
            => "setpos start is the start position", "Set up both home rows with 3 2 1 1 2 3.";
        "ugi.slashes" Warning UGI Practice "setpos data" "boards come with and without slashes between rows"
            => "A board with slashes is read", "Skip `/` when you read the digits.";
        "ugi.max-ply" Error UGI Own "setoption MaxPly" "it limits the depth"
            => "MaxPly ends a search", "End the search at this depth.";
        "ugi.max-time" Error UGI Own "setoption MaxTime" "it limits the time, in seconds"
            => "MaxTime ends a search", "End the search after so many seconds.";
        "ugi.bars" Error UGI Own "move format" "numbers are separated by bars"
            => "Moves are numbers and bars", "Write `start|end` or `start|end|drop`.";
        "ugi.score-time" Note UGI Practice "bestmove" "tools of this dialect expect score and time behind the move"
            => "bestmove carries score and time", "Write `bestmove <move> score <x> time <t>`.";
    }
    "hello" {
        "leiser.options" Warning LEISER Own "option" "hash and Ponder are always implemented"
            => "The options hash and Ponder are declared", "Declare both, even if they do nothing.";
        "ugi.options" Warning UGI Own "option" "parameters that can be changed are told"
            => "MaxPly and MaxTime are declared", "Print `option maxPly` and `option maxTime` before ugiok.";
    }
}
