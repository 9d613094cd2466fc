//! A game from its start to its result.

use super::{Stage, conversations, settings};
use quadrille_server::hall::Keep;
use quadrille_server::password::{self, Work};

/// Ann and Bob, who know the lobby, in a game that has begun: 60 seconds and one
/// more for each move.
pub(super) const BEGUN: &str = "
    A is lobby Ann
    B is lobby Bob
    A> lobby seek time 60+1 colour white
    B> lobby accept id 3
    A> readyok
    B> readyok
    A~
    B~
";

fn game(script: &str) {
    let mut stage = Stage::new(settings());
    stage.run(BEGUN);
    stage.run(script);
}

macro_rules! games {
    ($($(#[$about:meta])* $name:ident: $script:literal)+) => {
        $(
            $(#[$about])*
            #[test]
            fn $name() {
                game($script);
            }
        )+
    };
}

games! {
    moves_and_clocks: "
        + 2000
        A> bestmove e2e4
        A< position startpos moves e2e4
        A< clock wtime 60000 btime 61000 winc 1000 binc 1000
        A.
        B< position startpos moves e2e4
        B< go wtime 60000 btime 61000 winc 1000 binc 1000
        B.
        + 500
        B> bestmove e7e5
        A< position startpos moves e2e4 e7e5
        A< go wtime 60000 btime 61500 winc 1000 binc 1000
    "
    mate_ends_it: "
        A> bestmove f2f3
        B> bestmove e7e5
        A> bestmove g2g4
        B> bestmove d8h4
        A<< lobby end id 1 result 0-1 reason Black mates
        B<< lobby end id 1 result 0-1 reason Black mates
        A> bestmove e2e4
        A< info clienterror it is not your move
    "
    people_may_write_moves_as_they_read_them: "
        A> bestmove Nf3
        B<< position startpos moves g1f3
    "
    a_person_who_errs_is_asked_again: "
        + 1000
        A> bestmove e2e5
        A< info clienterror …e2e5…
        A< position startpos
        A< go wtime 60000 btime 61000 winc 1000 binc 1000
        A> bestmove 0000
        A< info clienterror …
        A~
        A> bestmove e2e4
        B<< go wtime 61000 btime 61000 winc 1000 binc 1000
    "
    a_flag_falls: "
        + 61050
        A.
        + 1
        A< stop
        A< position startpos
        A< clock wtime 0 btime 61000 winc 1000 binc 1000
        A< lobby end id 1 result 0-1 reason White loses on time, 1.0 ms over
        B<< lobby end id 1 result 0-1 reason White loses on time…
    "
    a_move_after_the_flag_is_none: "
        A> bestmove e2e4
        + 70000
        B> bestmove e7e5
        B<< lobby end id 1 result 1-0 reason Black loses on time…
        B< info clienterror it is not your move
    "
    the_other_may_not_move: "
        B> bestmove e7e5
        B< info clienterror it is not your move
        B.
        A> bestmove e2e4
        A~
        A> bestmove d2d4
        A< info clienterror it is not your move
    "
    resigned: "
        A> lobby resign id 1
        A< stop
        A<< lobby end id 1 result 0-1 reason White resigns
        B<< lobby end id 1 result 0-1 reason White resigns
        A> lobby resign
        A< lobby error you play no such game
    "
    a_draw_is_agreed: "
        A> lobby draw
        B< lobby offer id 1 what draw by Ann
        A.
        A> lobby draw
        A< lobby error you have offered that already
        B> lobby draw
        A<< lobby end id 1 result 1/2-1/2 reason Draw by agreement
    "
    a_draw_is_declined: "
        A> lobby draw
        B> lobby no draw
        A< lobby offer-gone id 1 what draw
        A> lobby draw
        A.
        A> bestmove e2e4
        B~
        B> bestmove e7e5
        A<< lobby offer-gone id 1 what draw
        B> lobby draw
        A<< lobby offer id 1 what draw by Bob
    "
    a_move_is_taken_back: "
        + 1000
        A> bestmove e2e4
        + 3000
        A> lobby takeback
        B<< lobby offer id 1 what takeback by Ann
        B> lobby takeback
        B< stop
        B< lobby takeback id 1 plies 0
        B< position startpos
        B< clock wtime 61000 btime 61000 winc 1000 binc 1000
        A<< lobby takeback id 1 plies 0
        A< position startpos
        A< go wtime 61000 btime 61000 winc 1000 binc 1000
        A> bestmove d2d4
        B< position startpos moves d2d4
    "
    two_plies_are_taken_back: "
        + 1000
        A> bestmove e2e4
        + 2000
        B> bestmove e7e5
        A> lobby takeback
        B> lobby takeback
        A<< lobby takeback id 1 plies 0
        A<< go wtime 61000 btime 61000 winc 1000 binc 1000
    "
    nothing_to_take_back: "
        A> lobby takeback
        A< lobby error there is no move to take back
    "
    called_off: "
        A> bestmove e2e4
        B> lobby abort
        A<< lobby end id 1 result * reason Game aborted
    "
    too_late_to_call_off: "
        A> bestmove e2e4
        B> bestmove e7e5
        B~
        B> lobby abort
        B< lobby error both sides have moved: resign, or offer a draw
    "
    a_rematch: "
        A> lobby rematch
        A< lobby error there is no game that could be played again
        A> lobby resign
        A~
        B~
        A> lobby rematch
        B< lobby offer id 1 what rematch by Ann
        B> lobby rematch
        B< lobby start id 2 white Bob black Ann …
        A< lobby start id 2 white Bob black Ann …
    "
    no_rematch_with_one_who_left: "
        A> lobby resign
        B closes
        A~
        A> lobby rematch
        A< lobby error the other player is not free any more
    "
    a_rematch_is_declined: "
        A> lobby resign
        A> lobby rematch
        B> lobby no rematch
        A<< lobby offer-gone id 1 what rematch
        B~
        B> lobby rematch
        A< lobby offer id 1 what rematch by Bob
    "
    threefold_is_a_draw: "
        A> bestmove g1f3
        B> bestmove g8f6
        A> bestmove f3g1
        B> bestmove f6g8
        A> bestmove g1f3
        B> bestmove g8f6
        A> bestmove f3g1
        B> bestmove f6g8
        A<< lobby end id 1 result 1/2-1/2 reason Draw by threefold repetition
    "
    a_lost_connection_comes_back_with_its_clock_running: "
        A closes
        B< lobby away id 1 name Ann seconds 60
        + 20000
        C connects
        C> id username Ann
        C> id lobby 1
        C> id version 1
        C> uciok
        # Without its token it is somebody else.
        C<< lobby welcome name Ann-2 …
        C~
    "
    who_stays_away_loses: "
        B closes
        A> bestmove e2e4
        + 59999
        A~
        + 1
        A<< lobby end id 1 result 1-0 reason Black disconnects: the connection was lost for too long
    "
    two_bad_words: "
        A> lobby resign id 99
        A< lobby error you play no such game
        A> lobby no draw id 99
        A< lobby error you play no such game
    "
}

conversations! {
    a_client_that_is_never_ready: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60
        B> lobby accept id 3
        A> readyok
        + 9999
        A~
        + 1
        A<< lobby end id 1 result * reason Game aborted
        B<< lobby end id 1 result * reason Game aborted
    "
    results_are_told_to_followers: "
        A is lobby Ann
        B is lobby Bob
        C is lobby Cid
        C> lobby list games
        C~
        A> lobby seek time 60 colour white
        B> lobby accept id 4
        C< lobby game id 1 …
        A> readyok
        B> readyok
        A> lobby resign
        C< lobby end id 1 result 0-1 reason White resigns
        C.
    "
    a_person_without_lobby_hears_the_result: "
        A is lobby Ann
        P is person Pat
        A> lobby seek time 60 word pw1 colour white
        Q connects
        Q> id username pw1
        Q> id version 1
        Q> uciok
        A> readyok
        Q> readyok
        A> lobby resign
        Q<< info string game 1: Ann - guest 0-1, White resigns
        P<< info string game 1: Ann - guest 0-1, White resigns
    "
}

#[test]
fn a_token_opens_the_seat_again() {
    let mut stage = Stage::new(settings());
    stage.connect("A", "10.0.0.1");
    for line in ["id username Ann", "id lobby 1", "id version 1", "uciok"] {
        stage.say("A", line);
    }
    let heard = stage.heard("A");
    let token = heard[1]
        .split(' ')
        .skip_while(|w| *w != "token")
        .nth(1)
        .expect("a token");
    stage.word(token);
    stage.run(
        "
        B is lobby Bob
        A> lobby seek time 60+1 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        B~
        + 5000
        A closes
        B< lobby away id 1 name Ann seconds 60
        + 10000
        C connects from 10.9.9.9
        C> id username Ann
        C> id lobby 1
        C> id version 1
        C> id token $1
        C> uciok
        C< uci
        C< lobby welcome name Ann …
        C< lobby start id 1 white Ann … you white
        C< ucinewgame
        C< isready
        C< position startpos
        C< clock wtime 46000 btime 61000 winc 1000 binc 1000
        B< lobby back id 1 name Ann
        + 1000
        C> readyok
        C< position startpos
        C< go wtime 45000 btime 61000 winc 1000 binc 1000
        C> bestmove e2e4
        B< position startpos moves e2e4
        ",
    );
}

#[test]
fn ratings_change_with_rated_games() {
    let mut stage = Stage::new(settings());
    let hash = password::hash("secret", Work::Small).expect("a hash");
    for name in ["Ann", "Bob"] {
        stage.order(&format!(
            r#"{{"order":"account","name":"{name}","hash":"{hash}"}}"#
        ));
    }
    for (who, name) in [("A", "Ann"), ("B", "Bob")] {
        stage.connect(who, "10.0.0.1");
        let username = format!("id username {name}");
        for line in [
            username.as_str(),
            "id lobby 1",
            "id password secret",
            "uciok",
        ] {
            stage.say(who, line);
        }
    }
    stage.run(
        "
        A> lobby seek rated yes time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        A~
        A> lobby takeback
        A< lobby error in games that count no move is taken back
        B> lobby resign
        A<< lobby end id 1 result 1-0 reason Black resigns
        A< lobby rating game chess name Ann old 1500? new 1662?
        A< lobby rating game chess name Bob old 1500? new 1338?
        A> lobby list ratings
        A< lobby player name Ann kind person account yes ratings chess=1662? playing no …
        A< lobby player name Bob …
        A< lobby list-end ratings
        ",
    );
    let kept = stage.kept.iter().any(|keep| match keep {
        Keep::End(1, _, ratings) => ratings.len() == 2,
        _ => false,
    });
    assert!(kept, "ratings are written with the result");
}

/// An end is told only when it is written.
#[test]
fn nothing_is_told_before_it_is_written() {
    use quadrille_server::hall::Effect;
    let mut stage = Stage::new(settings());
    stage.run(BEGUN);
    let conn = stage.conn("A");
    stage.hall.line(conn, "lobby resign", stage.now, stage.now);
    let effects = stage.hall.effects();
    let told = |effects: &[Effect]| {
        let end = |e: &Effect| matches!(e, Effect::Send(_, line) if line.contains("lobby end"));
        effects.iter().any(end)
    };
    assert!(!told(&effects), "{effects:?}");
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::Keep(Keep::End(1, ..))))
    );
    stage.hall.written(1, stage.now);
    assert!(told(&stage.hall.effects()));
}
