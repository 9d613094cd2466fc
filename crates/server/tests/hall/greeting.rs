//! The seed's rules from the server's side: who comes in, and as what.

use super::{Stage, conversations, settings};
use quadrille_server::password::{self, Work};

conversations! {
    uci_is_the_first_word: "
        A connects
        A< uci
        A.
    "
    /// Seed: "If no uciok is sent within a certain time period".
    no_uciok_no_seat: "
        A connects
        A< uci
        A> id name x
        + 9999
        A is in
        + 1
        A< info clienterror no uciok in time
        A is cut off
    "
    /// Seed: "arbitrary white space between tokens is allowed".
    blanks_and_carriage_returns: "
        A connects
        A>   id \t username   Ann\r
        A>\tuciok\t\r
        A< uci
        + 20000
        A is in
    "
    /// Seed: "If the client receives a command that it does not recognise, it should ignore it".
    unknown_commands_are_ignored: "
        A connects
        A< uci
        A> Hello, this is Engine 5.1 by me
        A> id dance tango
        A> option name Hash type spin default 16 min 1 max 64
        A> joho
        A> uciok
        A> debug on
        A> ponderhit
        A.
        A is in
    "
    an_engine_hears_nothing_until_it_plays: "
        A is engine Fish
        + 60000
        A.
    "
    a_person_who_knows_the_lobby_is_welcome: "
        A connects
        A> id username Ann
        A> id lobby 1
        A> uciok
        A< uci
        A< lobby welcome name Ann account no token … chat off register no games chess,liberty,leiser,gyges program Quadrille
        A.
    "
    uciok_twice_is_no_second_entry: "
        A is lobby Ann
        A> uciok
        A.
        A> lobby list players
        A< lobby player name Ann …
        A< lobby list-end players
        A.
    "
    names_are_given_once: "
        A is lobby Ann
        B is lobby ann from 10.0.0.2
        A> lobby list players
        A< lobby player name Ann …
        A< lobby player name ann-2 …
        A~
    "
    engines_of_the_same_name_are_numbered: "
        A is engine Fish
        B is engine Fish
        C is lobby Ann
        C> lobby list engines
        C< lobby player name Fish kind engine account no ratings chess=1500? playing no program Fish
        C< lobby player name Fish-2 …
        C< lobby list-end engines
    "
    a_name_is_cleaned: "
        A connects
        A> id username Ann of the Many Words !!
        A> id lobby 1
        A> uciok
        A<< lobby welcome name Ann_of_the_Many_Word …
    "
    quit_leaves: "
        A is lobby Ann
        A> quit
        A is cut off
        B is lobby Ann
        B> lobby list players
        B< lobby player name Ann …
        B~
    "
    lobby_before_uciok_is_refused: "
        A connects
        A< uci
        A> lobby list seeks
        A< info clienterror say id ... and uciok first
    "
    a_guest_comes_back_with_its_token_only: "
        A is lobby Ann
        B connects from 10.0.0.2
        B> id username Ann
        B> id lobby 1
        B> id token aaaaaaaaaaaaaaaaaaaaaaaa
        B> uciok
        B<< lobby welcome name Ann-2 …
        A is in
    "
}

#[test]
fn an_account_needs_its_password() {
    let mut stage = Stage::new(settings());
    let hash = password::hash("secret", Work::Small).expect("a hash");
    stage.order(&format!(
        r#"{{"order":"account","name":"Ann","hash":"{hash}"}}"#
    ));
    stage.run(
        "
        A connects
        A> id username Ann
        A> uciok
        A<< info clienterror Ann is an account: send id password before uciok
        A is cut off
        B connects
        B> id username ann
        B> id password wrong
        B> uciok
        B<< info clienterror the name or the password is wrong
        B is cut off
        C connects
        C> id username ann
        C> id lobby 1
        C> id password secret
        C> uciok
        C<< lobby welcome name Ann account yes …
        C< info string 1 wrong password was tried for Ann since you were here, the last from 10.0.0.1
        C is in
        # An engine with an account has no username.
        D connects
        D> id account Nobody
        D> id password secret
        D> uciok
        D is cut off
        # The same account from elsewhere takes over.
        E connects
        E> id username ANN
        E> id password secret
        E> id lobby 1
        E> uciok
        E<< lobby welcome name Ann account yes …
        C< info string you came in from elsewhere
        C is cut off
        ",
    );
}

#[test]
fn a_guest_may_register_where_that_is_allowed() {
    let mut closed = Stage::new(settings());
    closed.run(
        "
        A is lobby Ann
        A> lobby register password longenough
        A< lobby error accounts are made by the operator here
        ",
    );
    let mut open = settings();
    open.register = true;
    let mut stage = Stage::new(open);
    stage.run(
        "
        A is lobby Ann
        A> lobby register password short
        A< lobby error a password has 6 to 100 letters
        A> lobby register password longenough
        A< lobby welcome name Ann account yes …
        A> lobby register password longenough
        A< lobby error this is an account already
        B connects
        B> id username Ann
        B> uciok
        B is cut off
        ",
    );
}
