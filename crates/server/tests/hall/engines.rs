//! Engines: the pool, levels, faults.

use super::{Stage, conversations, settings};

conversations! {
    an_engine_is_asked_at_a_level: "
        E connects
        E> id name Fish 5
        E> option name UCI_LimitStrength type check default false
        E> option name UCI_Elo type spin default 1500 min 600 max 2000
        E> uciok
        E< uci
        A is lobby Ann
        A> lobby play level 1 game chess time 60 colour white
        E< setoption name UCI_Elo value 600
        E< setoption name UCI_LimitStrength value true
        E< ucinewgame
        E< isready
        E.
        A< lobby start id 1 white Ann black Fish_5 …
        E> readyok
        A> readyok
        A~
        E.
        A> bestmove e2e4
        E< position startpos moves e2e4
        E< go wtime 60000 btime 60000 winc 0 binc 0
        E.
        E> info depth 1 score cp 5 pv e7e5
        E> bestmove e7e5
        A<< go wtime 60000 btime 60000 winc 0 binc 0
        E.
        A> lobby resign
        E< info string game 1: Ann - Fish_5 0-1, White resigns
        E.
        # The next game is at full strength.
        A~
        A> lobby play game chess time 60 colour black
        E< setoption name UCI_LimitStrength value false
        E< ucinewgame
        E< isready
    "
    an_engine_without_levels_gets_few_nodes: "
        E is engine Fish
        A is lobby Ann
        A> lobby play level 2 time 60 colour black
        E> readyok
        A> readyok
        E<< go wtime 60000 btime 60000 winc 0 binc 0 nodes 80
    "
    a_named_engine: "
        E is engine Fish
        F is engine Crab
        A is lobby Ann
        A> lobby play engine crab time 60
        A< lobby start id 1 …Crab…
        A> lobby resign
        A~
        A> lobby play engine Whale time 60
        A< lobby error no engine that can play this is free
    "
    no_engine_for_this_game: "
        E is engine Fish
        A is lobby Ann
        A> lobby play game gyges time 60
        A< lobby error no engine that can play this is free
        A> lobby play game liberty preset Horde time 60
        A< lobby error no engine that can play this is free
        F is ulci Ox
        A> lobby play game liberty preset Liberty_chess time 60 colour black
        A< lobby start id 1 white Ox black Ann … game liberty …
        F< ucinewgame
        F< isready
        F> readyok
        A> readyok
        F< position fen ruabhqkhbcur/wlzenxxnezlw/…
        F< go …
    "
    an_engine_that_errs_loses: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        E> bestmove e2e5
        A<< lobby end id 1 result 0-1 reason White makes an illegal move: e2e5
        E< ucinewgame
        E< isready
        E< position startpos
        E< go …
        E< info string game 1: Fish - Ann 0-1, White makes an illegal move: e2e5
    "
    an_engine_that_says_0000_loses: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        E> bestmove (none)
        A<< lobby end id 1 result 0-1 reason White makes an illegal move: (none)
    "
    the_answer_to_stop_is_no_move: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60 colour white
        E> readyok
        A> readyok
        A> bestmove e2e4
        E<< go …
        A> lobby takeback
        E< stop
        E.
        A<< lobby takeback id 1 plies 0
        A<< go …
        E> bestmove e7e5
        A.
        A> bestmove d2d4
        E< position startpos moves d2d4
        E< go …
        E> bestmove d7d5
        A<< position startpos moves d2d4 d7d5
    "
    an_engine_that_is_stopped_at_the_end_may_answer_late: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        A> lobby resign
        E<< stop
        A~
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        E> bestmove a2a3
        A~
        # That was the old one: the new game stands where it stood.
        E> bestmove e2e4
        A< position startpos moves e2e4
    "
    a_plain_engine_declines_draws: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60 colour white
        E> readyok
        A> readyok
        A~
        A> lobby draw
        A< lobby offer-gone id 1 what draw
        E<< isready
        E.
    "
    a_plain_engine_plays_again: "
        E is engine Fish
        A is lobby Ann
        A> lobby play level 3 time 60 colour white
        A> lobby resign
        A~
        A> lobby rematch
        A< lobby start id 2 white Fish black Ann …
    "
    an_engine_comes_back_by_name_and_address: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60+1 colour black
        E> readyok
        A> readyok
        + 1000
        E closes
        A<< lobby away id 1 name Fish seconds 60
        + 2000
        F connects
        F> id name Fish
        F> uciok
        F< uci
        F< ucinewgame
        F< isready
        F> readyok
        F< position startpos
        F< go wtime 58000 btime 61000 winc 1000 binc 1000
        A< lobby back id 1 name Fish
        F> bestmove e2e4
        A< position startpos moves e2e4
    "
    an_engine_from_elsewhere_is_another: "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60+1 colour black
        E closes
        F is engine Fish from 10.0.0.7
        F.
    "
    bots_may_seek: "
        E is bot Robot
        A is lobby Ann
        E> lobby seek game gyges time 60 colour black
        E< lobby seek id 3 by Robot …
        A> lobby accept id 3
        A< lobby start id 1 white Ann black Robot …
        E<< lobby start id 1 … you black
    "
    thoughts_are_cleaned_and_seldom: "
        E is engine Fish
        A is lobby Ann
        W is lobby Will
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        W> lobby watch id 1
        W~
        A~
        E> info string hello from the engine
        E> info depth 1 score cp 1 pv e2e4 string psst
        W< info depth 1 score cp 1 pv e2e4
        E> info depth 2 score cp 1 pv e2e4
        W.
        + 300
        E> info depth 3 score cp 1 pv \u{1b}[31me2e4
        W< info depth 3 score cp 1 pv \\u{1b}[31me2e4
        # The opponent sees nothing of it.
        A.
    "
}

#[test]
fn chess960_is_said_to_engines_that_know_it() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        E connects
        E> id name Fish
        E> option name UCI_Chess960 type check default false
        E> uciok
        A is lobby Ann
        A> lobby play rules chess960 preset chess960_5 time 60 colour black
        E<< setoption name UCI_Chess960 value true
        E< ucinewgame
        ",
    );
}

#[test]
fn people_without_lobby_are_paired_where_the_operator_wants() {
    let mut auto = settings();
    auto.auto = Some("180+2".parse().expect("a time"));
    let mut stage = Stage::new(auto);
    stage.run(
        "
        P is person Pat
        + 1000
        P.
        Q is person Quin
        + 1
        P< ucinewgame
        P< isready
        P< position startpos
        P.
        Q< ucinewgame
        Q< isready
        Q< position startpos
        Q~
        E is engine Fish
        R is person Rob
        R~
        + 6000
        R<< isready
        E<< isready
        ",
    );
}

/// What is paired once is paired again, and an engine that comes late is found.
#[test]
fn people_without_lobby_are_paired_again_and_with_engines_that_come_late() {
    let mut auto = settings();
    auto.auto = Some("180+2".parse().expect("a time"));
    let mut stage = Stage::new(auto);
    stage.run(
        "
        P is person Pat
        + 20000
        P.
        E is engine Fish
        + 1
        P<< isready
        E<< isready
        P> readyok
        E> readyok
        + 182051
        P<< info string game 1: …
        E~
        # There is time to look at the result.
        + 9900
        P.
        + 5200
        P<< isready
        E<< isready
        ",
    );
}

#[test]
fn chess960_is_taken_back_for_another_game() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        E connects
        E> id name Fish
        E> option name UCI_Chess960 type check default false
        E> uciok
        A is lobby Ann
        A> lobby play rules chess960 preset chess960_5 time 60 colour black
        E<< setoption name UCI_Chess960 value true
        A> lobby resign
        A> lobby play time 60 colour black
        E<< setoption name UCI_Chess960 value false
        E< ucinewgame
        A> lobby resign
        E~
        A> lobby play time 60 colour black
        E< ucinewgame
        ",
    );
}

/// An engine that never answered a `stop` is not thought to owe a move in its next
/// game.
#[test]
fn a_search_of_another_game_is_not_owed_for_ever() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        E is engine Fish
        A is lobby Ann
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        E<< go …
        A> lobby resign
        E<< stop
        A> lobby play time 60 colour black
        E<< isready
        E> readyok
        A> readyok
        # It is waited for a second, before the clock runs.
        E.
        + 1000
        E<< go wtime 60000 …
        E> bestmove e2e4
        A<< position startpos moves e2e4
        ",
    );
}
