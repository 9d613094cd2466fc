//! What only a host can notice, one row for each.

quadrille_protocol::finding_codes! {
    /// What only a host can notice about an engine: it knows the position, the
    /// clock and the process.
    HostDiagnostic:
    // What the driver notices.
    /// `E7E8Q`.
    UpperCaseMove, "upper-case-move", Warning, "a move with upper-case letters", "UCI, move format: long algebraic notation";
    /// `e1h1` where `e1g1` is due, or the other way round.
    CastlingForm, "castling-form", Warning, "castling written in the form of the other kind of chess", "UCI, move format: castling; UCI_Chess960";
    /// Characters behind the move.
    MoveJunk, "move-junk", Warning, "characters that do not belong to the move", "UCI, move format: long algebraic notation";
    /// Any other form that is not the dialect's.
    MoveForm, "move-form", Warning, "a move in a form that is not the dialect's", "UCI, ULCI, Leiserchess and UGI: move format";
    /// A move that cannot be played.
    IllegalMove, "illegal-move", Error, "the best move is not legal", "UCI, bestmove <move1>";
    /// `bestmove 0000` although there are moves.
    NullMoveInPlay, "null-move-in-play", Error, "no move, although there are legal ones", "UCI, bestmove <move1>";
    /// A ponder move that is not legal after the best move.
    IllegalPonder, "illegal-ponder", Warning, "the move to ponder on is not legal", "UCI, bestmove: ponder <move2>";
    /// A best move that is not one of `searchmoves`.
    OutsideSearchmoves, "outside-searchmoves", Warning, "the best move is not one of the moves to search", "UCI, go: searchmoves";
    /// An answer to an earlier search.
    StrayBestmove, "stray-bestmove", Error, "a bestmove that belongs to an earlier search", "UCI, bestmove: one for every go";
    /// Never an exact score.
    OnlyBounds, "only-bounds", Note, "all scores of this search are only bounds", "UCI, info: score lowerbound, upperbound";
    /// The answer came after the deadline and a `stop`.
    Overdue, "overdue", Error, "the answer came only after the time was up and stop was sent", "UCI, go: wtime, btime, movetime";
    /// Many more nodes than it was given.
    IgnoresNodes, "ignores-nodes", Warning, "the search went far beyond its nodes and was stopped", "UCI, go: nodes <x>, search x nodes only";
    /// Not even `stop` helped.
    NoAnswer, "no-answer", Error, "there was no answer, not even to stop", "UCI, stop";
    /// `readyok` did not come.
    NotReady, "not-ready", Error, "isready was not answered in time", "UCI, isready";
    /// No `readyok` while a search ran.
    DeafWhileSearching, "deaf-while-searching", Warning, "isready was not answered during a search", "UCI, isready: also while calculating";
    /// The engine lived on after `quit`.
    HungOnQuit, "hung-on-quit", Warning, "the engine did not end on quit and was killed or cut off", "UCI, quit";
    /// The engine ended on `quit`, but not well.
    CrashedOnQuit, "crashed-on-quit", Warning, "the engine did not end well on quit", "UCI, quit";
    /// The engine ended without being asked to.
    Died, "died", Error, "the engine ended by itself", "UCI, quit";
    /// Something on standard error.
    WroteToStderr, "wrote-to-stderr", Note, "the engine writes to standard error", "UCI, general notes: all communication over standard input and output";
    /// The user set an option that is not declared.
    UnknownOption, "unknown-option", Warning, "the engine has no such option", "UCI, setoption: name <id>";
    /// The user set an option that the host sets.
    HostOption, "host-option", Note, "the host sets this option itself", "UCI, option: names with a fixed meaning";
    /// A Chess960 game with an engine that does not declare the option.
    NoChess960, "no-chess960", Warning, "a Chess960 game, but the engine has no option UCI_Chess960", "UCI, option: UCI_Chess960";
    /// A name and code were not accepted.
    NotRegistered, "not-registered", Warning, "the engine did not accept name and code", "UCI, register and registration";
    /// An engine that wants name and code, and was given none.
    Unregistered, "unregistered", Note, "the engine is not registered and might not use all its features", "UCI, registration: the host should inform the user";
    /// An error message of the engine.
    EngineError, "engine-error", Warning, "the engine reports an error", "ULCI, info: clienterror, servererror";
    /// A line beyond the limit.
    LineCut, "line-cut", Warning, "a line was too long and has been cut", "the host's own limit on the length of a line";
    // What the referee of a game notices.
    /// A move of the expected line cannot be played.
    IllegalPv, "illegal-pv", Warning, "a move of the expected line is not legal", "UCI, info: pv";
    /// The expected line goes on behind a mate, a stalemate, a goal.
    PvPastEnd, "pv-past-end", Warning, "the expected line goes on behind the end of the game", "UCI, info: pv";
    /// The expected line goes on behind a draw that is claimed here.
    PvPastDraw, "pv-past-draw", Note, "the expected line goes on behind a draw by repetition or counting", "UCI, info: pv";
    /// The best move is another than the first of the expected line.
    NotThePv, "bestmove-not-pv", Warning, "the best move is not the first of the expected line", "UCI, bestmove and info: pv";
    /// A mate was promised and did not come.
    MateRefuted, "mate-refuted", Note, "a promised mate did not come", "UCI, info: score mate";
    /// A mate was promised and came, but not in as few moves.
    MateLate, "mate-late", Note, "a promised mate came later than promised", "UCI, info: score mate";
    /// A mate for the wrong side.
    MateSign, "mate-sign", Warning, "the expected line ends in a mate of the other side than the score says", "UCI, info: score mate";
    /// A mate at another distance than the line shows.
    MateDistance, "mate-distance", Note, "the expected line ends in a mate at another distance than the score says", "UCI, info: score mate";
    /// Late, within the margin.
    Late, "late", Note, "the move came late, within the margin", "UCI, go: wtime, btime, movetime";
    /// `readyok` or the end of pondering took long between two moves.
    SlowReady, "slow-ready", Warning, "the engine made the game wait before its move; the time was taken from its clock", "UCI, isready: answered at once when there is nothing to wait for";
    /// An answer to a ponder search before `ponderhit` or `stop`.
    EarlyPonder, "early-ponder-answer", Warning, "an answer during pondering, before ponderhit", "UCI, go: ponder";
    /// Far fewer nodes per second than usual.
    NpsCollapse, "nps-collapse", Warning, "the speed fell below a tenth of the average of this game", "the host's own comparison of speeds";
}
