//! Clients that mean no good once they are in: at the board and in the lobby.

use super::conversations;

conversations! {
    a_wrong_turn: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour white
        H> lobby accept id 3
        A> readyok
        H> readyok
        A~
        H~
        H> bestmove e2e4
        H< info clienterror it is not your move
        A.
        A> bestmove e2e4
        A< position startpos moves e2e4
    "
    a_move_for_the_other_side: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour white
        H> lobby accept id 3
        A> readyok
        H> readyok
        A> bestmove e2e4
        H~
        H> bestmove d2d4
        H< info clienterror …
        H< position startpos moves e2e4
    "
    two_moves_at_once: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        A> readyok
        H> readyok
        H> bestmove e2e4
        H> bestmove e4e5
        H<< info clienterror it is not your move
        A<< position startpos moves e2e4
        A< go …
        A.
    "
    a_move_before_ready: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        H> bestmove e2e4
        H<< info clienterror it is not your move
        A> readyok
        H> readyok
        H< position startpos
        H< go …
    "
    a_move_after_the_end: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        A> readyok
        H> readyok
        A> lobby resign
        H~
        A~
        H> bestmove e2e4
        H< info clienterror it is not your move
        A.
    "
    a_move_without_a_game: "
        H is lobby Hal
        H> bestmove e2e4
        H< info clienterror it is not your move
    "
    a_move_that_is_no_text: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        A> readyok
        H> readyok
        H~
        H> bestmove \u{1b}[31m\u{fffd}\u{0}
        H< info clienterror …
        H< position startpos
        H< go …
        H.
    "
    a_move_of_ten_thousand_letters: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        A> readyok
        H> readyok
        H~
        H> bestmove e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4e2e4
        H< info clienterror …
        H~
        A is in
    "
    readyok_without_isready: "
        H is lobby Hal
        H> readyok
        H> readyok
        H.
        A is lobby Ann
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        # What was said before the game does not count in it.
        A> readyok
        A<< isready
        A< position startpos
        A< clock …
        A.
        H> readyok
        H<< go …
    "
    uciok_in_the_middle: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour black
        H> lobby accept id 3
        H> id username Root
        H> uciok
        A> lobby list players
        A<< lobby player name Hal …
    "
    a_seek_from_the_future: "
        H is lobby Hal
        H> lobby seek time 99999999999999999999+99999999999999999999
        H< lobby error …
        H> lobby seek time -5+3
        H< lobby error …
        H> lobby seek time NaN
        H< lobby error …
        H> lobby seek time 1e308
        H< lobby error …
        H.
    "
    a_seek_with_no_time: "
        H is lobby Hal
        H> lobby seek time 0+0
        H< lobby error …
    "
    a_position_that_is_a_bomb: "
        H is lobby Hal
        H> lobby seek game liberty time 60 fen 999999999999/k w - - 0 1
        H< lobby error …
        H> lobby seek game liberty time 60 fen k/K/255/////////////////////// w KQkq e3-999999 99999999999 99999999999 0,0,0,0,0 zzz ff
        H< lobby error …
        H> lobby seek game gyges time 60 fen \u{1b}
        H< lobby error …
        H> lobby seek game leiser time 60 fen NN/NN
        H< lobby error …
        H.
    "
    an_id_that_overflows: "
        H is lobby Hal
        H> lobby accept id 18446744073709551616
        H< lobby error …
        H> lobby accept id 18446744073709551615
        H< lobby error that game is no longer looked for
        H> lobby watch id -1
        H< lobby error …
        H> lobby resign id 0
        H< lobby error you play no such game
    "
    another_ones_seek_taken_back: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60
        A~
        H> lobby unseek id 3
        H< lobby error there is no such seek of yours
        A.
    "
    another_ones_game_resigned: "
        A is lobby Ann
        B is lobby Bob
        H is lobby Hal
        A> lobby seek time 60
        B> lobby accept id 4
        A> readyok
        B> readyok
        A~
        H> lobby resign id 1
        H< lobby error you play no such game
        H> lobby draw id 1
        H< lobby error you play no such game
        H> lobby takeback id 1
        H< lobby error you play no such game
        H> lobby abort id 1
        H< lobby error you play no such game
        A.
    "
    a_spectator_who_moves: "
        A is lobby Ann
        B is lobby Bob
        H is lobby Hal
        A> lobby seek time 60 colour white
        B> lobby accept id 4
        A> readyok
        B> readyok
        H> lobby watch id 1
        H~
        A~
        H> bestmove e2e4
        H< info clienterror it is not your move
        H> info depth 99 score mate 1 pv h2h4
        A.
    "
    an_opponent_who_sends_thoughts: "
        A is lobby Ann
        H is lobby Hal
        W is lobby Wim
        A> lobby seek time 60 colour white
        H> lobby accept id 4
        A> readyok
        H> readyok
        W> lobby watch id 1
        W~
        H> info depth 5 pv e7e5
        W.
    "
    talk_through_info_strings: "
        A is lobby Ann
        H is lobby Hal
        W is lobby Wim
        A> lobby seek time 60 colour black
        H> lobby accept id 4
        A> readyok
        H> readyok
        W> lobby watch id 1
        W~
        A~
        H> info string buy my engine
        H> info depth 1 pv e2e4 string buy my engine
        W< info depth 1 pv e2e4
        W.
        A.
    "
    talk_where_talk_is_off: "
        H is lobby Hal
        H> lobby say \u{1b}[2J
        H< lobby error talk is off here
    "
    a_challenge_to_oneself: "
        H is lobby Hal
        H> lobby challenge Hal time 60
        H< lobby error you cannot challenge yourself
    "
    a_challenge_to_nobody: "
        H is lobby Hal
        H> lobby challenge \u{1b}[31m time 60
        H< lobby error …
    "
    a_challenge_that_was_for_another: "
        A is lobby Ann
        B is lobby Bob
        H is lobby Hal
        A> lobby challenge Bob time 60
        H> lobby accept id 4
        H< lobby error that is a challenge to another player
        H> lobby decline id 4
        H< lobby error there is no such challenge to you
    "
    a_word_that_is_guessed: "
        A is lobby Ann
        A> lobby seek time 60 word sesame
        A~
        H is lobby Hal
        H> lobby join word Sesame
        H< lobby error no game waits for that word
        H> lobby join word %
        H< lobby error …
        A.
    "
    a_draw_offer_over_and_over: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour white
        H> lobby accept id 3
        A> readyok
        H> readyok
        A~
        H~
        H> lobby draw
        H> lobby draw
        H> lobby draw
        H< lobby error you have offered that already
        A< lobby offer id 1 what draw by Hal
        A.
    "
    a_takeback_of_the_whole_game: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour white
        H> lobby accept id 3
        A> readyok
        H> readyok
        A> bestmove e2e4
        H~
        H> lobby takeback
        H< lobby error there is no move to take back
    "
    a_late_answer_to_an_old_offer: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60 colour white
        H> lobby accept id 3
        A> readyok
        H> readyok
        A> lobby draw
        A> bestmove e2e4
        H> bestmove e7e5
        H~
        A~
        # The offer went with the move: this is a new one.
        H> lobby draw
        A< lobby offer id 1 what draw by Hal
        A.
    "
    one_who_leaves_to_save_its_rating: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 600 colour white
        H> lobby accept id 3
        A> readyok
        H> readyok
        A> bestmove e2e4
        H> bestmove e7e5
        H> quit
        + 60001
        A<< lobby end id 1 result 1-0 reason Black disconnects: the connection was lost for too long
    "
    one_who_comes_and_goes: "
        A is lobby Ann
        E is engine Fish
        A> lobby play time 60 colour white
        E> readyok
        A> readyok
        A> bestmove e2e4
        E closes
        + 20000
        F is engine Fish
        F> readyok
        F closes
        + 20000
        G is engine Fish
        G> readyok
        G closes
        # The clock ran on all the time.
        + 20051
        A<< lobby end id 1 result 1-0 reason Black loses on time…
    "
    one_who_never_gets_ready: "
        A is lobby Ann
        H is lobby Hal
        A> lobby seek time 60
        H> lobby accept id 3
        A> readyok
        + 10000
        A<< lobby end id 1 result * reason Game aborted
        A> lobby seek time 60
        A<< lobby seek …
    "
    an_engine_that_never_stops_talking: "
        A is lobby Ann
        E is engine Fish
        A> lobby play time 60 colour white
        E> readyok
        A> readyok
        A~
        E> info depth 1 pv e7e5
        E> bestmove e7e5
        E<< info clienterror it is not your move
        A.
        A> bestmove e2e4
        E<< go …
        E> bestmove e7e5
        E> bestmove e7e5
        A<< position startpos moves e2e4 e7e5
    "
    an_engine_that_answers_the_wrong_game: "
        A is lobby Ann
        E is engine Fish
        A> lobby play time 60 colour black
        E> readyok
        A> readyok
        E> bestmove resign
        A<< lobby end id 1 result 0-1 reason White makes an illegal move: resign
    "
    options_without_end: "
        H connects
        H> option name \u{1b}[31m type spin default 99999999999999999999999 min -99999999999999999999 max 0
        H> option
        H> option name
        H> option name UCI_Elo type spin min 5 max 1
        H> option name UCI_LimitStrength type check
        H> uciok
        A is lobby Ann
        A> lobby play level 5 time 60 colour white
        A< lobby start …
        H is in
    "
    registering_where_that_is_off: "
        H is lobby Hal
        H> lobby register password rootroot
        H< lobby error accounts are made by the operator here
        H> lobby register
        H< lobby error register has no value: right would be register password WORDS
    "
    a_tournament_that_is_not_there: "
        H is lobby Hal
        H> lobby tournament join id 1
        H< lobby error there is no such tournament
        H> lobby tournament dance
        H< lobby error …
    "
    words_of_the_operator: "
        H is lobby Hal
        A is lobby Ann
        H> kick Ann
        H> {\"order\":\"kick\",\"name\":\"Ann\"}
        H> lobby kick Ann
        H< lobby error there is no lobby kick
        A is in
    "
    lists_that_are_none: "
        H is lobby Hal
        H> lobby list passwords
        H< lobby error list passwords: not one of seeks games players engines ratings tournaments
    "
    lobby_words_from_a_plain_engine: "
        E is engine Fish
        E> lobby list players
        E~
        E> lobby seek time 60
        E~
        E is in
    "
}
