//! What an engine is asked: positions, limits, clocks, stop, pondering.

super::rows! { ROWS:
    "position" {
        "position.start" Error ALL Own "position" "startpos is the start position of the game"
            => "The start position is understood", "Set up the start position on `position startpos` (`setpos start`).";
        "position.moves" Error UCI_LIKE Own "position" "the moves are played on the internal board"
            => "Moves behind the start position are played", "Play every move behind the word `moves`.";
        "position.black" Error UCI_LIKE Own "position" "the moves are played on the internal board"
            => "The second player is to move after an odd number of moves", "Pass the turn with every move.";
        "position.fen" Error ALL Own "position" "the position described by the text is set up"
            => "A position given as text is understood", "Read `position fen` (`setpos data`) and set that board up.";
        "position.fen-moves" Error UCI_LIKE Own "position" "the position is set up and the moves are played"
            => "Moves behind a position given as text are played", "Play the moves behind the text too, not only behind startpos.";
        "position.fen-black" Error UCI_LIKE Own "position" "the text says who is to move"
            => "A text with Black to move is understood", "Read the side to move from the text.";
        "position.latest" Error ALL Own "go" "the search is on the position that was set up"
            => "The latest position counts", "Forget the old board when a new position comes.";
        "position.start-again" Error UCI_LIKE Own "position" "startpos is the start position of the game"
            => "startpos after another board is the start position", "Set up the start on `position startpos`, whatever is on the board.";
        "position.no-new-game" Error UCI_LIKE Own "ucinewgame" "the engine does not rely on it"
            => "Another game can begin without ucinewgame", "Set the board up from scratch on every position.";
        "position.long" Error UCI_LIKE Own "position" "any number of moves may follow"
            => "A game of three hundred moves is understood", "Let the line, the list of moves and the history grow.";
        "position.empty-moves" Warning UCI_LIKE Own "position" "moves are optional"
            => "An empty list of moves does no harm", "Allow the word `moves` with nothing behind it.";
        "position.short-fen" Warning UCI Own "Chess960" "its example of a position ends behind the en passant field"
            => "A FEN without counters is understood", "Take 0 and 1 where the counters are missing.";
        "position.castling" Error CHESS_LIKE Own "move format" "castling is the king's move: e1g1"
            => "Castling on the king's side is played", "Move the rook too when the king goes two squares.";
        "position.castling-long" Error CHESS_LIKE Own "move format" "castling is the king's move"
            => "Castling on the queen's side is played", "Move the rook too when the king goes two squares.";
        "position.en-passant" Error CHESS_LIKE Own "position" "the moves are played on the internal board"
            => "A capture en passant is played", "Remove the pawn that was passed.";
        "position.en-passant-fen" Error CHESS_LIKE Own "position" "the text names the en passant square"
            => "The en passant square of a FEN is read", "Read the fourth field of the FEN.";
        "position.promotion" Error CHESS_LIKE Own "move format" "e7e8q is a promotion"
            => "A promotion is played", "Put the piece that the fifth letter names on the last rank.";
        "position.underpromotion" Error CHESS_LIKE Own "move format" "the letter of a promotion names the piece"
            => "A promotion to a knight is played", "Read the letter; not every promotion is to a queen.";
        "position.no-castling" Error UCI Own "position" "the text says which castlings are left"
            => "Castling rights that a FEN does not give are not used", "Read the third field of the FEN, and let - mean none.";
        "position.take-back" Error UCI_LIKE Own "position" "the moves are played on the internal board"
            => "A game that goes back some moves is understood", "Set the board up anew for every position; do not only play the moves that seem new.";
        "position.very-long" Warning UCI Practice "long games" "games of more than a thousand plies are sent in one line"
            => "A game of more than a thousand plies is understood, on a line of 5 KiB", "Read lines of any length, and let lists of moves grow.";
        "position.longest" Note UCI Practice "long games" "games of more than a thousand plies are sent in one line"
            => "A game of 3500 plies is understood, on a line of 17 KiB", "Read up to the line feed, not as much as a buffer holds, and let lists of moves grow.";
    }
    "go" {
        "go.depth" Error ALL Own "go depth; MaxPly" "so many plies are searched"
            => "A search to a depth ends by itself", "Send bestmove when the depth is reached.";
        "go.depth-kept" Warning ALL Own "go depth; MaxPly" "only so many plies are searched"
            => "No greater depth is reported than was asked for", "Stop iterating at the depth that was asked for.";
        "go.nodes" Error UCI_LIKE Own "go nodes" "so many nodes are searched"
            => "A search of so many nodes ends by itself", "Count nodes and end the search when there are enough.";
        "go.nodes-kept" Warning UCI_LIKE Own "go nodes" "only so many nodes are searched"
            => "Not many more nodes are searched than asked for", "Look at the counter at least every thousand nodes.";
        "go.movetime" Error CHESS_LIKE Own "go movetime" "so many milliseconds are searched"
            => "A search of so many milliseconds ends by itself", "Look at the clock while you search and send bestmove in time.";
        "go.nodes-one" Error UCI_LIKE Own "bestmove" "for every go there is one bestmove, with a move"
            => "A search of one node has a legal answer", "Take any legal move as the best one before the search begins.";
        "go.movetime-one" Error CHESS_LIKE Own "bestmove" "for every go there is one bestmove, with a move"
            => "A search of one millisecond has a legal answer", "Take any legal move as the best one before the search begins.";
        "go.limits-forgotten" Error UCI_LIKE Own "go" "what is not sent does not influence the search"
            => "Limits of a search do not hold for the next one", "Reset all limits when go is read.";
        "go.mate" Warning CHESS_LIKE Own "go mate" "a mate in so many moves is looked for"
            => "A search for a mate ends by itself", "End the search when the mate is found, or when it is clear that there is none.";
        "go.mate-move" Warning CHESS_LIKE Own "go mate" "a mate in so many moves is looked for"
            => "A search for a mate in one finds it", "Answer with the move that mates.";
        "go.infinite" Error ALL Own "go infinite" "the search does not end before stop"
            => "An infinite search waits for stop", "When there is nothing left to search, wait for stop before you send bestmove.";
        "go.infinite-mate" Error CHESS_LIKE Own "go infinite" "the search does not end before stop"
            => "An infinite search waits also when a mate is found", "A mate or the greatest depth is no reason to answer: wait for stop.";
        "go.searchmoves" Error CHESS_LIKE Own "go searchmoves" "only these moves are searched"
            => "The answer is one of searchmoves", "Take only these moves as root moves.";
        "go.searchmoves-pv" Warning CHESS_LIKE Own "go searchmoves" "only these moves are searched"
            => "Best lines begin with one of searchmoves", "Take only these moves as root moves.";
        "go.searchmoves-all" Error CHESS_LIKE Own "go searchmoves" "the search is restricted to these moves"
            => "All of searchmoves are searched", "Read every move of the list, and search every one.";
        "go.searchmoves-forgotten" Error CHESS_LIKE Own "go" "what is not sent does not influence the search"
            => "searchmoves of a search do not hold for the next one", "Empty the list of root moves when go is read.";
        "go.searchmoves-first" Warning UCI Own "go" "all limits come in one line, in any order"
            => "A limit behind searchmoves is read", "End the list of moves at the next keyword.";
        "go.searchmoves-infinite" Warning CHESS_LIKE Own "go searchmoves" "the example is an infinite search of two moves"
            => "searchmoves and infinite go together", "Read both; wait for stop and answer with one of the moves.";
        "go.depth-and-time" Warning CHESS_LIKE Own "go" "several limits come in one line"
            => "Depth and time together: the depth ends the search", "Respect all limits; the first that is reached ends the search.";
        "go.time-and-depth" Warning CHESS_LIKE Own "go" "several limits come in one line"
            => "Time and depth together: the time ends the search", "Respect all limits; the first that is reached ends the search.";
        "go.nodes-and-time" Warning CHESS_LIKE Own "go" "several limits come in one line"
            => "Nodes and time together: the nodes end the search", "Respect all limits; the first that is reached ends the search.";
        "go.bare" Warning UCI_LIKE Own "go" "what is not sent does not influence the search"
            => "go without a limit ends on stop at the latest", "Take a bare go for an infinite search.";
        "go.keeps-position" Error ALL Own "go" "the search is on the position that was set up"
            => "A search does not play its move", "Leave the board as it was: the host sends the next position.";
    }
    "clock" {
        "clock.both" Error CHESS_LIKE Own "go wtime, btime" "each side has so many milliseconds left"
            => "A search with clocks ends in time", "Plan the time and look at the clock while you search.";
        "clock.white-only" Error CHESS_LIKE Own "go" "what is not sent does not influence the search"
            => "White's clock alone is enough for White", "Do not wait for btime when you play White.";
        "clock.black-only" Error CHESS_LIKE Own "go" "what is not sent does not influence the search"
            => "Black's clock alone is enough for Black", "Do not wait for wtime when you play Black.";
        "clock.own-side" Error CHESS_LIKE Own "go wtime, btime" "wtime is White's clock and btime Black's"
            => "The engine looks at its own clock", "Use btime when Black is to move.";
        "clock.order" Warning CHESS_LIKE Own "go" "limits come in one line, in any order"
            => "Clocks and increments come in any order", "Read keyword and value in pairs, wherever they stand.";
        "clock.increment" Error CHESS_LIKE Own "go winc, binc" "the increment is added for each move"
            => "An increment does not lure beyond the clock", "The increment comes after the move: never use more than the clock shows.";
        "clock.movestogo" Error UCI Own "go movestogo" "so many moves are left to the next control"
            => "The last move before a control is in time", "With movestogo 1 there is all the time of the clock, and not a moment more.";
        "clock.zero" Warning CHESS_LIKE Own "go wtime, btime" "the side has no time left"
            => "An empty clock is answered at once", "Treat a clock of zero as the shortest possible search, not as no clock.";
        "clock.negative" Warning CHESS_LIKE Own "go wtime, btime" "the side has no time left"
            => "A negative clock is answered at once", "Read clocks as signed numbers; hosts do send negative ones.";
        "clock.movestogo-zero" Warning UCI Practice "numbers" "hosts send numbers of any size"
            => "movestogo 0 does no harm", "Take it for sudden death, and do not divide by it.";
        "clock.huge" Warning CHESS_LIKE Practice "numbers" "hosts send numbers of any size"
            => "A clock of more than 2^31 milliseconds is not taken for an empty one", "Read clocks as 64 bits.";
        "clock.leiser" Error LEISER Own "go time, inc" "the player to move has so many milliseconds left"
            => "A search with time and inc ends in time", "Read `time` and `inc` as the clock of the side to move.";
    }
    "stop" {
        "stop.infinite" Error ALL Own "stop" "the search ends as soon as possible, with bestmove"
            => "stop ends a search with bestmove", "Look for input while you search; send bestmove when you are stopped.";
        "stop.quick" Warning ALL Own "stop" "the search ends as soon as possible"
            => "stop is obeyed within half a second", "Look at a stop flag every few thousand nodes.";
        "stop.at-once" Error ALL Own "stop, bestmove" "for every go there is one bestmove"
            => "A search that is stopped at once has an answer", "Finish the first iteration or take any legal move; never answer nothing.";
        "stop.depth" Error UCI_LIKE Own "stop" "the search ends as soon as possible, with bestmove"
            => "stop ends a search that has a limit", "Obey stop in every kind of search.";
        "stop.clock" Error UCI_LIKE Own "stop" "the search ends as soon as possible, with bestmove"
            => "stop ends a search with clocks", "Obey stop in every kind of search.";
        "stop.idle" Warning ALL Own "general notes" "stop when the engine is not calculating is ignored"
            => "stop without a search is ignored", "Answer nothing to stop when no search runs.";
        "stop.twice" Error ALL Own "bestmove" "for every go there is one bestmove"
            => "Two stops have one answer", "Send bestmove where the search ends, not where stop is read.";
        "stop.ready" Error ALL Own "isready" "it is always answered with readyok"
            => "isready right behind stop is answered", "Read on after stop; throw no input away when a search ends.";
        "stop.then-go" Error ALL Own "stop" "afterwards the engine is ready again"
            => "The search after a stop is a search of its own", "Clear the stop flag before each search starts.";
        "stop.pipelined" Note UCI_LIKE Practice "ahead of bestmove" "a few hosts send the next search together with stop"
            => "position and go that come before the bestmove of a stopped search are obeyed in order", "Nothing is wrong with ignoring them: bestmove says that the engine is ready again. To be robust, finish the stopped search before you read on.";
    }
    "ponder" {
        "ponder.waits" Error PONDERING Own "go ponder" "the search is not left before it is told so"
            => "A ponder search waits for ponderhit or stop", "Do not let the clock end a ponder search.";
        "ponder.hit" Error PONDERING Own "ponderhit" "the search goes on as a normal one"
            => "A ponder search ends in time after ponderhit", "On ponderhit let the clock count.";
        "ponder.miss" Error PONDERING Own "bestmove" "it is sent also for a ponder search that is stopped"
            => "A ponder search answers stop with bestmove", "Send bestmove on stop, also when you ponder.";
        "ponder.hit-at-once" Error PONDERING Own "ponderhit" "the search goes on as a normal one"
            => "ponderhit right after go ponder is obeyed", "Do not miss a ponderhit that comes before the search thread runs.";
        "ponder.ready" Error PONDERING Own "isready" "it is answered at once while the engine calculates"
            => "isready is answered while the engine ponders", "Read input while you ponder, too.";
        "ponder.mate" Error UCI Own "go ponder" "the search is not left, even if it is mate"
            => "A ponder search waits also when a mate is found", "A mate is no reason to answer: wait for ponderhit or stop.";
        "ponder.depth" Warning PONDERING Own "go ponder" "the search is not left before it is told so"
            => "A ponder search with a depth waits", "Hold bestmove back until ponderhit or stop, also when the depth is reached.";
        "ponder.hit-idle" Warning PONDERING Own "general notes" "a command that is not supposed to come is ignored"
            => "ponderhit without a ponder search is ignored", "Answer nothing to ponderhit when you do not ponder.";
        "ponder.automatic" Error PONDERING Own "bestmove" "the engine does not start to ponder by itself"
            => "The engine does not ponder by itself", "Search only on go; the option Ponder is for planning time.";
    }
}
