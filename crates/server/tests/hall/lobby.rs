//! Seeks, challenges, private games, lists, watching, talk.

use super::{Stage, conversations, settings};

conversations! {
    a_seek_is_taken: "
        A is lobby Ann
        B is lobby Bob
        B> lobby list seeks
        B< lobby list-end seeks
        A> lobby seek game chess time 300+5 colour white
        A< lobby seek id 3 by Ann rating 1500? game chess time 300+5 rated no colour white
        B< lobby seek id 3 by Ann rating 1500? game chess time 300+5 rated no colour white
        B> lobby accept id 3
        B< lobby seek-gone id 3
        A< lobby start id 1 white Ann black Bob white-rating 1500? black-rating 1500? game chess rules standard time 300+5 rated no you white
        A< ucinewgame
        A< isready
        A< position startpos
        A< clock wtime 305000 btime 305000 winc 5000 binc 5000
        A.
        B< lobby start id 1 white Ann black Bob … you black
        B~
        A> readyok
        A.
        B> readyok
        A< position startpos
        A< go wtime 305000 btime 305000 winc 5000 binc 5000
        A.
        B.
    "
    a_seek_is_taken_back: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60
        A~
        B> lobby unseek id 3
        B< lobby error there is no such seek of yours
        A> lobby unseek id 3
        A< lobby seek-gone id 3
        B> lobby accept id 3
        B< lobby error that game is no longer looked for
    "
    ones_own_seek_is_not_taken: "
        A is lobby Ann
        A> lobby seek time 60
        A~
        A> lobby accept id 2
        A< lobby error that is your own
    "
    seeks_are_counted: "
        A is lobby Ann
        A> lobby seek time 1
        A> lobby seek time 2
        A> lobby seek time 3
        A> lobby seek time 4
        A> lobby seek time 5
        A~
        A> lobby seek time 6
        A< lobby error you look for 5 games already: take one back first
    "
    seeks_go_with_their_owner: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60
        A closes
        B> lobby list seeks
        B< lobby list-end seeks
    "
    a_challenge_is_for_one: "
        A is lobby Ann
        B is lobby Bob
        C is lobby Cid
        A> lobby challenge bob game liberty preset Mini_chess time 60 colour black
        A< lobby seek id 4 by Ann …
        B< lobby challenge id 4 by Ann rating 1500? game liberty time 60+0 rated no colour black preset Mini_chess
        C> lobby accept id 4
        C< lobby error that is a challenge to another player
        B> lobby decline id 4
        A< lobby declined id 4 by Bob
        A> lobby challenge Bob time 60
        A~
        B~
        B> lobby accept id 5
        B< lobby start id 1 …
        A> lobby challenge Nobody time 60
        A<< lobby error Nobody is not here
    "
    a_private_game_is_not_found_by_its_number: "
        A is lobby Ann
        B is lobby Bob
        B> lobby list seeks
        B< lobby list-end seeks
        A> lobby seek time 60 word sesame
        A~
        B> lobby accept id 3
        B< lobby error that game is no longer looked for
        B.
        C is lobby Cat
        C> lobby join word sesame
        C< lobby start id 1 …
    "
    a_private_game_has_a_word: "
        A is lobby Ann
        B is lobby Bob
        B> lobby list seeks
        B~
        A> lobby seek time 60 word sesame colour white
        A< lobby seek id 3 by Ann … word sesame
        B.
        B> lobby list seeks
        B< lobby list-end seeks
        B> lobby seek time 60 word sesame
        B< lobby error that word is in use: take another
        B> lobby join word open
        B< lobby error no game waits for that word
        B> lobby join word sesame
        B< lobby seek-gone id 3
        B< lobby start id 1 white Ann black Bob …
    "
    a_username_that_is_a_word_is_an_invitation: "
        A is lobby Ann
        A> lobby seek time 60 word sesame colour white
        A~
        B connects
        B> id username sesame
        B> id version 1
        B> uciok
        B< uci
        B< ucinewgame
        B< isready
        B< position startpos
        B.
        A< lobby start id 1 white Ann black guest …
    "
    positions_are_checked: "
        A is lobby Ann
        A> lobby seek game chess time 60 fen 8/8/8 w - - 0 1
        A< lobby error …
        A> lobby seek game liberty time 60 preset Nothing
        A< lobby error …
        A> lobby seek game chess time 60 fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
        A< lobby error the game would be over before it begins
        A> lobby seek game leiser rules 1492 time 60
        A< lobby error …
        A.
    "
    only_what_a_program_can_play: "
        A connects
        A> id username Ann
        A> id lobby 1
        A> uciok
        A~
        A> lobby seek game gyges time 60
        A< lobby error your program has not said that it can play this
        A> lobby seek game liberty preset Horde time 60
        A< lobby error your program has not said that it can play this
        B is lobby Bob
        B> lobby seek game leiser time 60
        B~
        A> lobby accept id 3
        A< lobby error your program has not said that it can play this
    "
    rated_games_are_for_accounts: "
        A is lobby Ann
        A> lobby seek rated time 60
        A< lobby error rated games are for accounts
    "
    all_four_games_begin: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek game gyges time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        A<< go wtime 60000 btime 60000 winc 0 binc 0
        A> lobby resign
        A~
        A> lobby seek game leiser time 60 colour white
        B> lobby accept id 4
        A> readyok
        B> readyok
        A<< position fen …
        A<< go wtime 60000 btime 60000 winc 0 binc 0
        A> bestmove h4g5
        B<< position fen … moves h4g5
        B< go wtime 60000 btime 60000 winc 0 binc 0
    "
    a_game_is_watched: "
        A is lobby Ann
        B is lobby Bob
        C is lobby Cid
        A> lobby seek time 60 colour white
        B> lobby accept id 4
        A> readyok
        B> readyok
        C> lobby list games
        C< lobby game id 1 white Ann black Bob game chess time 60+0 rated no plies 0
        C< lobby list-end games
        C> lobby watch id 1
        C< lobby start id 1 … you watching
        C< ucinewgame
        C< position startpos
        C< clock wtime 60000 btime 60000 winc 0 binc 0
        + 1000
        A> info depth 5 score cp 30 pv e2e4 e7e5
        C< info depth 5 score cp 30 pv e2e4 e7e5
        A> bestmove e2e4
        C< position startpos moves e2e4
        C< clock wtime 59000 btime 60000 winc 0 binc 0
        B~
        A~
        B> info depth 9 score cp -3 pv e7e5
        A.
        C> lobby unwatch id 1
        C~
        B> bestmove e7e5
        C.
        C> lobby watch id 99
        C< lobby error there is no such game
        A> lobby watch id 1
        A<< lobby error you play yourself
    "
    talk_is_off: "
        A is lobby Ann
        A> lobby say hello
        A< lobby error talk is off here
    "
    lists_of_nothing: "
        A is lobby Ann
        A> lobby list ratings
        A< lobby list-end ratings
        A> lobby list tournaments
        A< lobby list-end tournaments
        A> lobby list engines
        A< lobby list-end engines
    "
    one_game_at_a_time: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60
        B> lobby accept id 3
        A~
        A> lobby seek time 60
        A< lobby error finish the game you play first
    "
}

#[test]
fn talk_where_it_is_on() {
    let mut on = settings();
    on.chat = true;
    Stage::new(on).run(
        "
        A is lobby Ann
        B is lobby Bob
        C is lobby Cid
        P is person Pat
        A> lobby say alone
        A< lobby error you sit at no board
        A> lobby seek time 60
        B> lobby accept id 5
        C> lobby watch id 1
        A~
        B~
        C~
        P~
        C> lobby say well\u{7} played \u{1b}[31m!
        A< lobby said name Cid id 1 text well\\u{7} played \\u{1b}[31m!
        B< lobby said …
        C< lobby said …
        # One whose program knows no lobby never sees such lines.
        P.
        ",
    );
}

/// A full list of seeks must fit into the queue of one who asks for it, so open
/// seeks have no boards of ten thousand squares. With a word they may.
#[test]
fn an_open_seek_has_no_endless_position() {
    let mut large = settings();
    large.guest_squares = large.squares;
    let mut stage = Stage::new(large);
    stage.run("A is lobby Ann\nA~");
    let board = |size: usize| {
        let row = |king: char, other: char| format!("{king}{}", other.to_string().repeat(size - 1));
        let mut rows = vec![row('k', 'a')];
        rows.extend((2..size).map(|_| size.to_string()));
        rows.push(row('K', 'A'));
        rows.join("/")
    };
    let seek = |fen: &str, word: &str| {
        format!("lobby seek game liberty time 60 {word} fen {fen} w - - 0 1")
    };
    for (size, word, good) in [(20, "", true), (250, "", false), (250, "word sesame", true)] {
        stage.say("A", &seek(&board(size), word));
        let heard = stage.heard("A").join("\n");
        assert_eq!(heard.starts_with("lobby seek id"), good, "{size}: {heard}");
    }
}

conversations! {
    /// Chess960 is chess from one of its 960 starts, which is drawn when the game begins.
    chess960_is_not_chess: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek game chess960 time 60+1 colour white
        A< lobby seek id 3 by Ann rating 1500? game chess time 60+1 rated no colour white preset chess960
        B> lobby accept id 3
        A<< lobby start id 1 … game chess rules chess960 time 60+1 …
        A<< position fen …
        A> lobby abort
        A~
        A> lobby seek game chess preset frc time 60
        A< lobby seek …
        A> lobby seek game chess preset dfrc time 60
        A< lobby seek …
        A> lobby seek game fischerandom preset chess960_5 time 60
        A< lobby seek … preset chess960_5
    "
    /// A name that is none would be a way around what is asked of `fen`.
    a_preset_is_a_name: "
        A is lobby Ann
        A> lobby seek game chess time 60+0 preset 6k1/8/6K1/8/8/8/8/Q7_w_-_-_0_1
        A< lobby error chess has no preset 6k1/8/6K1/8/8/8/8/Q7 w - - 0 1: one of startpos kiwipete …
        A> lobby seek game chess time 60 preset nonsuch
        A< lobby error chess has no preset nonsuch: one of startpos kiwipete endgame promotions talkchess middlegame lasker
        A> lobby seek game liberty time 60 preset qkbnr/ppppp/5/5/PPPPP/QKBNR_w_Kk_-_0_1_1
        A< lobby error liberty has no preset …
        A> lobby seek game chess time 60 preset Kiwipete
        A< lobby seek id 2 …
        A> lobby seek game liberty time 60 preset mini
        A< lobby seek id 3 …
        A> lobby seek game chess time 60 rules chess960 preset dfrc_5_7
        A< lobby seek id 4 …
        A> lobby seek game gyges time 60 preset startpos
        A< lobby seek id 5 …
        A.
    "
    what_is_wrong_is_said: "
        A is lobby Ann
        A> lobby accept id x
        A< lobby error id x: right would be a number, as id 7
        A> lobby list
        A< lobby error list has no value: one of seeks games players engines ratings tournaments
        A> lobby no
        A< lobby error no has no value: one of draw takeback rematch
        A> lobby seek time 60 rated maybe
        A< lobby error rated maybe: not one of yes no
        A> lobby play level strong time 60
        A< lobby error level strong: right would be 1 to 8
        A> lobby challenge ann time 60
        A< lobby error you cannot challenge yourself
        A.
    "
    /// The clock of the one who thought stands where it was.
    the_last_clock_is_that_of_the_end: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        + 20000
        B~
        B> lobby resign
        B<< clock wtime 40000 btime 60000 winc 0 binc 0
        B< lobby end …
        A> lobby rematch
        B> lobby rematch
        A> readyok
        B> readyok
        B~
        + 60051
        B<< clock wtime 0 btime 60000 winc 0 binc 0
        B< lobby end …
    "
    /// Moves that people write are judged as such.
    an_illegal_move_is_called_illegal: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        A~
        A> bestmove Kg1
        A< info clienterror move \"Kg1\": illegal: …: your clock runs
        A<< go …
        A> bestmove !!
        A< info clienterror !! is no legal move here: your clock runs
        A<< go …
        A> bestmove e2e5
        A< info clienterror move \"e2e5\": illegal: …: your clock runs
    "
}

/// Whatever is in a seek, a list of them fits into a client's queue.
#[test]
fn an_open_seek_is_short() {
    let mut stage = Stage::new(settings());
    stage.run("A is lobby Ann");
    for key in ["fen", "preset", "rules"] {
        let line = format!("lobby seek game liberty time 60 {key} {}", "x".repeat(3000));
        stage.say("A", &line);
    }
    let rules = format!("lobby seek game liberty time 60 rules {}", "_".repeat(9000));
    stage.say("A", &rules);
    let heard = stage.heard("A");
    assert_eq!(heard.len(), 4);
    for line in heard {
        assert!(line.len() < 1700, "{line}");
    }
}
