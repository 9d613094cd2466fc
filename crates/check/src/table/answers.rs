//! Whether what an engine says is true: scores, mates, several lines, Chess960,
//! finished games, time.

super::rows! { ROWS:
    "score" {
        "score.view" Error ALL Own "info score" "it is from the engine's point of view"
            => "Scores are from the side to move, whichever colour it has", "Turn the sign round when Black is to move.";
        "score.mirror" Note CHESS_LIKE Own "info score" "it is from the engine's point of view"
            => "A position and its mirror image have nearly the same score", "Look for a term of the evaluation that knows colours.";
        "score.mate-one" Error ALL Own "info score" "a mate is told in moves (UGI: a score of 100000000)"
            => "A mate in one is told as such", "Send `score mate 1` (Leiserchess: this move wins; UGI: 100000000).";
        "score.mate-black" Error CHESS_LIKE Own "info score" "it is from the engine's point of view"
            => "A mate in one by Black is told as such", "Send `score mate 1` for Black, too: the sign is that of the side to move.";
        "score.mate-moves" Error CHESS_LIKE Own "info score mate" "it counts moves, not plies"
            => "Mates are counted in moves", "Send half the plies, rounded up.";
        "score.mated" Error CHESS_LIKE Own "info score mate" "it is negative when the engine is mated"
            => "An engine that is mated says so with a negative number", "Send `score mate -1` when the next move of the opponent mates.";
        "score.mate-proven" Error CHESS_LIKE Own "info score mate" "mate in so many moves is a fact"
            => "A mate that is told is there", "Do not send a mate score that rests on a pruned search.";
        "score.mate-zero" Warning CHESS_LIKE Own "info score mate" "it is the number of moves to mate"
            => "There is no mate in zero moves while there are moves", "Count the mating move: the smallest mate is 1.";
        "score.mate-found" Warning ALL Own "bestmove" "it names the move that is best in this position"
            => "A mate in one is played when it was told", "Answer with the move whose score you told.";
        "score.mate-underpromotion" Warning CHESS_LIKE Own "move format" "the letter of a promotion names the piece"
            => "A promotion to a knight that mates is played", "Generate promotions to all four pieces.";
        "score.mate-line" Note CHESS_LIKE Own "info pv" "it is the best line found"
            => "The best line of a mate ends with it", "Collect the line from the search, not from the hash table alone.";
        "score.wdl-sum" Warning CHESS_LIKE Practice "wdl" "win, draw and loss are in permill"
            => "Win, draw and loss add up to 1000", "Round two of them and take the rest for the third.";
        "score.wdl-view" Warning CHESS_LIKE Practice "wdl" "the chances are from the engine's point of view"
            => "The side that is far ahead has the better chances", "Turn win and loss round when Black is to move.";
    }
    "multipv" {
        "multipv.count" Error UCI_LIKE Own "info multipv" "in k-best mode there are k lines"
            => "Three lines are sent when MultiPV is 3", "Search the root three times and leave out the moves that were best before.";
        "multipv.numbers" Warning UCI_LIKE Own "info multipv" "the best line has number 1"
            => "Lines are numbered from 1 to MultiPV", "Number them from 1.";
        "multipv.distinct" Warning UCI_LIKE Own "info multipv" "these are the k best variants"
            => "Lines begin with different moves", "Leave out the moves of better lines.";
        "multipv.sorted" Warning UCI_LIKE Own "info multipv" "the best line has number 1"
            => "Better lines have smaller numbers", "Sort the lines by score before you send them.";
        "multipv.together" Warning UCI_LIKE Own "info multipv" "the k variants are sent together"
            => "The lines of a depth are sent together", "Send all lines of an iteration one after the other, none alone.";
        "multipv.best-first" Warning UCI_LIKE Own "info multipv" "the best line has number 1"
            => "The answer is the first move of line 1", "Answer with the best of the lines.";
        "multipv.few-moves" Warning UCI_LIKE Own "info multipv" "these are the k best variants"
            => "With fewer moves than lines there are fewer lines", "Send at most one line for each legal move.";
        "multipv.off" Warning UCI_LIKE Own "option MultiPV" "its default is 1"
            => "One line is sent unless more are wanted", "Send multipv 2 and more only when MultiPV is set.";
        "multipv.back" Warning UCI_LIKE Own "option MultiPV" "it says how many lines are wanted"
            => "MultiPV can be set back to 1", "Read smaller values than the one that is set, too.";
        "multipv.searchmoves" Warning CHESS_LIKE Own "go searchmoves" "only these moves are searched"
            => "Several lines begin with searchmoves only", "Take only these moves as root moves, whatever MultiPV is.";
    }
    "chess960" {
        "chess960.start" Error UCI Own "Chess960" "the engine plays by these rules when the option is set"
            => "A Chess960 start position is understood", "Set UCI_Chess960 before the position is read and place king and rooks where they stand.";
        "chess960.castling" Error UCI Own "Chess960" "castling is the king taking its own rook"
            => "Castling moves of a Chess960 game are played", "Read e1h1 as castling while UCI_Chess960 is on.";
        "chess960.king-stays" Error UCI Own "Chess960" "castling is the king taking its own rook"
            => "Castling is played when the king stays where it is", "Lift both pieces before you put them down.";
        "chess960.shredder-fen" Warning UCI Own "Chess960" "castling rights are named by the rook's file"
            => "Castling rights as files (HAha) are read", "Read file letters in the third field of a FEN.";
        "chess960.x-fen" Warning UCI Practice "Chess960" "hosts send KQkq where it is not ambiguous"
            => "Castling rights as KQkq are read in Chess960", "Take K and Q for the outermost rooks.";
        "chess960.form" Error UCI Own "Chess960" "castling is the king taking its own rook"
            => "The engine castles as king takes rook", "Write e1h1 while UCI_Chess960 is on.";
        "chess960.off-again" Warning UCI Own "Chess960" "the option is on while a Chess960 game is played"
            => "Switched off, castling is written as in chess", "Write e1g1 when UCI_Chess960 is false.";
    }
    "terminal" {
        "terminal.mate" Warning CHESS_LIKE Own "bestmove" "for every go there is one bestmove"
            => "A search in a position that is mate has an answer", "Send `bestmove 0000` where there is no legal move.";
        "terminal.stalemate" Warning CHESS_LIKE Own "bestmove" "for every go there is one bestmove"
            => "A search in a stalemate has an answer", "Send `bestmove 0000` where there is no legal move.";
        "terminal.stalemate-score" Warning CHESS_LIKE Own "info score mate" "it counts the moves to mate"
            => "A stalemate is not told as a mate", "Look whether the king is in check before you tell `mate 0`; send `cp 0`.";
        "terminal.null-form" Note CHESS_LIKE Own "move format" "the null move is written 0000"
            => "No move is written 0000", "Send `bestmove 0000`.";
        "terminal.clock" Warning CHESS_LIKE Own "bestmove" "for every go there is one bestmove"
            => "A search with clocks in a finished game has an answer", "Answer at once where there is no legal move.";
        "terminal.infinite" Note CHESS_LIKE Own "go infinite" "the search does not end before stop"
            => "An infinite search in a finished game waits for stop", "Wait for stop here too.";
        "terminal.alive" Error CHESS_LIKE Own "general notes" "the engine always processes input"
            => "The engine plays on after a finished game", "Leave no state behind from a search without moves.";
        "terminal.repetition" Error UCI Own "bestmove" "for every go there is one bestmove"
            => "A position that was repeated three times has a move", "Do not look for draws at the root.";
        "terminal.fifty" Error UCI Own "bestmove" "for every go there is one bestmove"
            => "A position under the fifty-move rule has a move", "Do not look for draws at the root.";
        "terminal.material" Error UCI Own "bestmove" "for every go there is one bestmove"
            => "Two bare kings have a move", "Do not look for draws at the root.";
    }
    "timing" {
        "timing.movetime" Warning CHESS_LIKE Own "go movetime" "the search takes so many milliseconds"
            => "A search of 100 ms takes less than 150 ms, nine times in ten", "Look at the clock more often, and leave room for what a move takes to be sent.";
        "timing.movetime-used" Note UCI Own "go movetime" "the search takes exactly so many milliseconds"
            => "A search of 100 ms takes at least 50 ms", "Go on searching until the time is over.";
        "timing.movetime-long" Warning CHESS_LIKE Own "go movetime" "the search takes exactly so many milliseconds"
            => "A search of 1500 ms takes about that long", "Take movetime as it is: no cap, and no other unit from one second on.";
        "timing.flag" Error CHESS_LIKE Own "go wtime, btime" "the side has so many milliseconds left"
            => "No clock runs out", "Keep a reserve for the operating system and for the pipe.";
        "timing.threads" Warning ALL Practice "processors" "an engine uses one processor until more are allowed to it"
            => "One thread is used unless more are asked for", "Let Threads be 1 by default, and no helper run beside it.";
        "timing.idle" Warning ALL Own "general notes" "the engine waits for input"
            => "No processor time is used while the engine waits", "Block while you read input; do not poll.";
    }
}
