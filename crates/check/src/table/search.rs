//! What an engine answers to a search: bestmove and info.

super::rows! { ROWS:
    "discipline" {
        "bestmove.every-go" Error ALL Own "bestmove" "for every go there is one bestmove"
            => "Ten searches in a row have ten answers", "Send bestmove at the end of every search, whatever ended it.";
        "bestmove.once" Error ALL Own "bestmove" "for every go there is one bestmove"
            => "No search is answered twice", "Send bestmove in one place, and once.";
        "bestmove.legal" Error ALL Own "bestmove" "it names the move that is best in this position"
            => "The answer is a legal move", "Take the answer from the legal moves of the root.";
        "bestmove.null" Error ALL Own "bestmove" "it names the move that is best in this position"
            => "The null move is no answer while there are moves", "Start with any legal move as the best one.";
        "bestmove.missing" Error ALL Own "bestmove" "it is followed by a move"
            => "bestmove is followed by a move", "Write the move behind bestmove, or the null move where there is none.";
        "bestmove.form" Error ALL Own "move format" "moves are written in long algebraic notation (squares and bars in UGI)"
            => "Moves are written as the dialect wants", "Write squares and a lower-case letter for promotions; no SAN.";
        "bestmove.promotion" Error CHESS_LIKE Own "move format" "e7e8q is a promotion"
            => "A promotion has its lower-case letter", "Write e7e8q, not e7e8, e7e8Q or e7e8=q.";
        "bestmove.castling" Error UCI Own "move format" "e1g1 is short castling"
            => "Castling is written as the king's move", "Write e1g1, and e1h1 only while UCI_Chess960 is on.";
        "bestmove.words" Warning ALL Own "bestmove" "it has a move and perhaps a move to ponder on"
            => "bestmove has no further words", "End the line behind the moves.";
        "bestmove.ponder-legal" Warning PONDERING Own "bestmove" "the second move is the one to ponder on"
            => "The move to ponder on is legal after the answer", "Take it from the best line, and leave it out where that is too short.";
        "bestmove.final-info" Warning UCI_LIKE Own "bestmove" "a final info line comes directly before it"
            => "An info line about the search comes before bestmove", "Send depth, score, nodes, time and pv once more when the search ends.";
        "bestmove.is-pv" Warning UCI_LIKE Own "bestmove" "it is the first move of the best line found"
            => "The answer is the first move of the last best line", "Send the best line again when the best move changes.";
        "info.words" Warning ALL Own "info" "it has known keywords; the rest of the line is text behind string only"
            => "info lines have no unknown words", "Drop keywords of your own, or put them behind `string`.";
        "info.numbers" Warning ALL Own "info" "a keyword is followed by a number"
            => "Numbers are there and are numbers", "Write the number behind each keyword.";
        "info.whole-numbers" Warning UCI_LIKE Own "info" "scores are centipawns and times milliseconds"
            => "Numbers have no fraction", "Round to whole numbers.";
        "info.negative" Warning ALL Own "info" "it counts plies, nodes and time"
            => "Counts are not negative", "Use a wider type: counters that overflow turn negative.";
        "info.keyword" Warning UCI_LIKE Own "info" "the score stands behind the word score"
            => "No keyword is left out", "Write `score cp <x>`, not `cp <x>`.";
        "info.duplicate" Note ALL Own "info" "each info stands in the line once"
            => "No keyword is there twice in a line", "Send each keyword once in a line.";
        "info.seldepth" Error CHESS_LIKE Own "info seldepth" "depth is in the same line"
            => "seldepth comes with depth", "Add depth to the line.";
        "info.currmove" Warning UCI_LIKE Own "info currmove" "it is a move that is being searched"
            => "currmove is a legal move of the root", "Send the root move as you send bestmove.";
        "info.currmovenumber" Warning UCI_LIKE Own "info currmovenumber" "the first move is number 1"
            => "currmovenumber counts from 1", "Add one.";
        "info.currmovenumber-anew" Warning UCI_LIKE Own "info currmovenumber" "it is the number of the move that is being searched"
            => "No number is given to two moves of an iteration", "Count on through the root moves of an iteration.";
        "info.currmove-early" Note UCI_LIKE Own "info" "currmove and the like begin after one second"
            => "currmove is sent after one second at the earliest", "Hold currmove back in the first second: it is much traffic.";
        "info.currline" Warning CHESS_LIKE Own "info currline" "it is sent when UCI_ShowCurrLine is on"
            => "currline is sent on request only", "Send it only when UCI_ShowCurrLine is true.";
        "info.refutation" Warning UCI Own "info refutation" "it is sent when UCI_ShowRefutations is on"
            => "refutation is sent on request only", "Send it only when UCI_ShowRefutations is true.";
        "info.hashfull" Warning UCI_LIKE Own "info hashfull" "it is in permill (percent in Leiserchess)"
            => "hashfull is not more than the whole", "Scale it to 1000 (100 in Leiserchess).";
        "info.cpuload" Warning CHESS_LIKE Own "info cpuload" "it is in permill"
            => "cpuload is not more than the whole", "Scale it to 1000.";
        "info.depth" Warning ALL Own "info pv" "what belongs to the pv is sent together with it"
            => "A best line comes with its depth", "Send depth in the line of the pv.";
        "info.time" Note ALL Own "info time" "it is sent together with the pv"
            => "A best line comes with its time", "Send time in the line of the pv.";
        "info.nodes" Note ALL Own "info nodes" "it is sent regularly"
            => "The number of nodes is sent", "Send nodes in the line of the pv.";
        "info.time-true" Warning ALL Own "info time" "it is the time searched"
            => "The time is not longer than the search has lasted", "Count from go, in milliseconds (seconds in UGI).";
        "info.time-grows" Warning ALL Own "info time" "it is the time searched"
            => "Time does not run backwards", "Use a monotonic clock and one start for all lines.";
        "info.nodes-grow" Warning ALL Own "info nodes" "it is the number of nodes searched"
            => "Nodes do not become fewer", "Do not reset the counter between iterations.";
        "info.nps" Note ALL Own "info nps" "it is the number of nodes per second"
            => "nps is about nodes by time", "Divide the nodes by the time of the same line.";
        "info.idle" Warning ALL Own "info, bestmove" "bestmove says that the search has ended"
            => "Nothing is told about a search that is over", "Send the last info before bestmove, and none after it.";
        "info.held-back" Warning CHESS_LIKE Own "info" "it is sent whenever one of its values has changed"
            => "Info lines come while the search goes on", "Flush standard output after every line.";
        "info.flood" Note ALL Own "info" "too much traffic is avoided"
            => "There are fewer than 2000 lines in a search of a few plies", "Send one line for each iteration and each new best line.";
        "score.sent" Warning ALL Own "info score" "it belongs to the pv and is sent with it"
            => "A best line comes with its score", "Send score in the line of the pv.";
        "score.exact" Note UCI_LIKE Own "info score" "lowerbound and upperbound are for scores that are only bounds"
            => "The last score of a search is exact", "Send the exact score when the window is settled.";
        "pv.sent" Warning ALL Own "info pv" "it is the best line found"
            => "A best line is sent", "Send pv with every iteration.";
        "pv.legal" Error ALL Own "info pv" "it is a line of moves"
            => "Every move of a best line can be played", "Check moves from the hash table before you add them to the line.";
        "pv.past-end" Warning ALL Own "info pv" "it is a line of moves"
            => "No best line goes on when the game is over", "Cut the line at mate, stalemate, a zapped King or a goal.";
        "pv.form" Warning ALL Own "move format" "moves are written in long algebraic notation (squares and bars in UGI)"
            => "Moves of best lines are written as the dialect wants", "Write them as you write bestmove.";
        "pv.empty" Warning ALL Own "info pv" "the word is followed by moves"
            => "No best line is empty", "Leave the word pv out where there is no move.";
    }
}
