//! Clients that mean no good, one test for each. What they have in common: the
//! hall does not break, tells nobody what it must not, and honest players do not
//! notice.

use super::conversations;

conversations! {
    garbage_before_the_handshake: "
        H connects
        H> \u{0}\u{1}\u{2}\u{fffd}\u{fffd}
        H> GET / HTTP/1.1
        H> Host: example.org
        H> {\"jsonrpc\":\"2.0\"}
        H< uci
        H.
        + 10000
        H is cut off
    "
    garbage_after_the_handshake: "
        H is lobby Hal
        H> \u{1b}]0;title\u{7}
        H> \u{202e}drawkcab
        H> lobby \u{1b}[2J
        H< lobby error there is no lobby \\u{1b}[2J
        H is in
    "
    an_empty_line_flood: "
        H is lobby Hal
        H>
        H>
        H>
        H.
        H is in
    "
    silence_after_connecting: "
        H connects
        + 10001
        H is cut off
    "
    ids_without_end: "
        H connects
        + 9000
        H> id name x
        + 999
        H> id name y
        + 1
        H is cut off
    "
    a_name_of_a_thousand_letters: "
        H connects
        H> id username aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        H> id lobby 1
        H> uciok
        H<< lobby welcome name aaaaaaaaaaaaaaaaaaaa account no …
    "
    a_name_of_nothing: "
        H connects
        H> id username \u{1b}\u{1b}
        H> uciok
        H<< info clienterror a username has letters, digits, _, . or -
        H is cut off
    "
    a_name_with_escapes: "
        H connects
        H> id username \u{1b}[31mRed\u{7}
        H> id lobby 1
        H> uciok
        H<< lobby welcome name 31mRed …
    "
    a_name_that_is_a_path: "
        H connects
        H> id username ../../etc/passwd
        H> id lobby 1
        H> uciok
        H<< lobby welcome name ....etcpasswd …
    "
    a_program_with_escapes: "
        H connects
        H> id name \u{1b}[2JEvil\u{202e}
        H> uciok
        A is lobby Ann
        A> lobby list engines
        A< lobby player name 2JEvil … program \\u{1b}[2JEvil\\u{202e}
        A~
    "
    a_program_without_name: "
        H connects
        H> uciok
        A is lobby Ann
        A> lobby list engines
        A< lobby player name engine …
        A~
    "
    a_guest_with_the_name_of_a_guest: "
        A is lobby Ann
        H is lobby ANN from 10.0.0.6
        H> lobby list players
        H< lobby player name Ann …
        H< lobby player name ANN-2 …
        H~
        A is in
    "
    a_guessed_token: "
        A is lobby Ann
        H connects from 10.0.0.6
        H> id username Ann
        H> id lobby 1
        H> id token
        H> uciok
        H<< lobby welcome name Ann-2 …
        A is in
    "
}
