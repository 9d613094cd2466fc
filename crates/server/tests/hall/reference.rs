//! The reference's own ways: its arranged match, its human client, its quirks.

use super::{Stage, conversations, settings};

/// A match of two, whose passwords are `$1` and `$2`.
fn arranged() -> Stage {
    let mut stage = Stage::new(settings());
    let answer =
        stage.order(r#"{"order":"arrange","names":["one","two"],"games":null,"time":null}"#);
    for i in 0..2 {
        let word = answer["passwords"][i].as_str().expect("a password");
        assert_eq!(word.len(), 6);
        stage.word(word);
    }
    stage
}

#[test]
fn a_username_that_is_a_password_has_the_seat() {
    arranged().run(
        "
        A is person $1
        A.
        S is person Sam
        S.
        B is person $2
        A<< ucinewgame
        A< isready
        A< position fen …
        B< ucinewgame
        B< isready
        B< position fen …
        B.
        # All others watch, also those who come late.
        S< ucinewgame
        S< position fen …
        S< clock …
        S.
        A> readyok
        B> readyok
        A< position fen …
        A< go wtime 1215000 btime 1215000 winc 15000 binc 15000
        L is person Late
        L< ucinewgame
        L< position fen …
        L< clock …
        L.
        ",
    );
}

/// The passwords are secrets: nobody sees them.
#[test]
fn passwords_are_not_shown() {
    let mut stage = arranged();
    stage.run(
        "
        A is person $1
        L is lobby Lea
        L> lobby list players
        L< lobby player name one kind person …
        L~
        ",
    );
}

#[test]
fn ten_games_with_colours_exchanged_and_a_pause() {
    let mut stage = arranged();
    stage.run("A is person $1\nB is person $2");
    for game in 1..=10 {
        stage.run("A> readyok\nB> readyok");
        let white = if game % 2 == 1 { "A" } else { "B" };
        let heard = stage.heard(white);
        assert!(
            heard.iter().any(|l| l.starts_with("go ")),
            "game {game}: {heard:#?}"
        );
        let black = if game % 2 == 1 { "B" } else { "A" };
        assert!(!stage.heard(black).iter().any(|l| l.starts_with("go ")));
        // The flag of the one to move falls: there is a referee.
        stage.pass(1_215_051);
        let heard = stage.heard("A");
        let note = heard
            .iter()
            .find(|l| l.starts_with("info string game"))
            .expect("a result");
        assert!(note.contains("0-1, White loses on time"), "{note}");
        assert_eq!(heard.last().map(|l| l.as_str() == "isready"), Some(false));
        stage.heard("B");
        if game < 10 {
            stage.pass(9_999);
            assert!(stage.heard("A").is_empty(), "ten seconds between games");
            stage.pass(1);
        }
    }
    stage.pass(60_000);
    assert!(stage.heard("A").is_empty(), "ten games and no more");
    // The password opens nothing any more.
    stage.run("C is person $1\nC~");
}

/// "an illegal bestmove is ignored and the OTHER player is then asked to move":
/// not here.
#[test]
fn the_one_who_errs_is_asked_again_and_the_other_is_not() {
    let mut stage = arranged();
    stage.run(
        "
        A is person $1
        B is person $2
        A> readyok
        B> readyok
        A~
        B~
        A> bestmove z9z9
        A< info clienterror …
        A< position fen …
        A< go …
        B.
        ",
    );
}

#[test]
fn a_player_comes_back_with_the_password() {
    let mut stage = arranged();
    stage.run(
        "
        A is person $1
        B is person $2
        A> readyok
        B> readyok
        A~
        A closes
        + 5000
        C is person $1 from 10.0.0.99
        C< ucinewgame
        C< isready
        C< position fen …
        C.
        C> readyok
        C< position fen …
        C< go wtime 1210000 …
        ",
    );
}

/// Positions are drawn from those that both programs can play.
#[test]
fn programs_with_part_of_the_features() {
    for seed in 0..20 {
        let mut stage = Stage::with(settings(), quadrille_server::hall::Kept::default(), seed);
        let answer =
            stage.order(r#"{"order":"arrange","names":["one","two"],"games":1,"time":"60+0"}"#);
        for i in 0..2 {
            stage.word(answer["passwords"][i].as_str().expect("a password"));
        }
        stage.run(
            "
            A connects
            A> id username $1
            A> id feature multiplekings
            A> id feature promotion
            A> uciok
            A~
            B is person $2
            B> readyok
            A> readyok
            ",
        );
        let heard = stage.heard("A");
        let position = heard
            .iter()
            .find(|l| l.starts_with("position"))
            .expect("a position");
        let wide = position.contains("12") || position.contains("10/") || position.contains("16");
        assert!(!wide && !position.ends_with(" ff"), "{position}");
    }
}

conversations! {
    /// "waits for a line that is exactly readyok": CRLF clients hang there, not here.
    carriage_returns_in_every_line: "
        A is lobby Ann
        B connects
        B> id username Bob\r
        B> id version 1\r
        B> id pieces kmqcaehuriwbznxlop\r
        B> id lobby 1\r
        B> uciok\r
        B~
        A> lobby seek time 60 colour black\r
        A~
        B> lobby accept id 3\r
        A> readyok\r
        B> readyok\r
        B<< go …
        B> bestmove e2e4\r
        A<< position startpos moves e2e4
    "
    /// The reference's human client: version, pieces, name, username; it answers
    /// isready and sends bestmove, and nothing else.
    the_human_client_of_the_reference: "
        A is lobby Ann
        A> lobby seek game liberty preset Narnia_chess time 60 colour white word inn
        A~
        B connects
        B> id version 1
        B> id pieces kmqcaehuriwbznxlop
        B> id name Liberty Chess v0.7
        B> id username inn
        B> id author Mathmagician8191
        B> uciok
        B< uci
        B< ucinewgame
        B< isready
        B< position fen uuqkkquu/pppppppp/8/8/8/8/PPPPPPPP/UUQKKQUU w - - 0 1 - u
        B.
        B> readyok
        A> readyok
        A> bestmove e2e4
        B< position fen uuqkkquu/pppppppp/8/8/8/8/PPPPPPPP/UUQKKQUU w - - 0 1 - u moves e2e4
        B< go wtime 60000 btime 60000 winc 0 binc 0
        B> bestmove e7e5
        A<< go …
        A> lobby resign
        B<< info string game 1: Ann - guest 0-1, White resigns
    "
    /// People may ignore stop and answer when they like.
    a_person_ignores_stop: "
        A is lobby Ann
        A> lobby seek time 60 colour black word inn
        A~
        B connects
        B> id username inn
        B> id version 1
        B> uciok
        A> readyok
        B> readyok
        B~
        A> lobby resign
        B< stop
        B~
        B> bestmove e2e4
        B< info clienterror it is not your move
        B is in
    "
    /// "Never startpos" is the reference's way; the seed wants it said.
    startpos_is_said_where_it_is_the_start: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek game liberty time 60 colour white
        B> lobby accept id 3
        A<< position startpos
        A> lobby resign
        A~
        A> lobby seek game liberty rules ff time 60 colour white
        B> lobby accept id 4
        A<< position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - qrbn ff
    "
    /// A version without pieces has those of chess (seed: `id pieces`).
    missing_pieces_are_those_of_chess: "
        A connects
        A> id username Ann
        A> id version 1
        A> id lobby 1
        A> uciok
        A~
        A> lobby seek game liberty preset Mongol_chess time 60
        A< lobby error your program has not said that it can play this
        A> lobby seek game liberty preset Horde time 60
        A< lobby seek …
    "
}
