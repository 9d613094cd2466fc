//! What a player at a terminal sees and may type.

use quadrille_games::Game;
use quadrille_server::client::{Out, Person};
use quadrille_server::message::{ToClient, ToServer};

/// A player who is in a game of chess, with these words of the server's heard.
fn person(lines: &[&str]) -> Person {
    let mut person = Person::new(Game::Chess);
    let welcome =
        "lobby welcome name Ann account no token T chat off register no games chess program Q";
    for line in [welcome].iter().chain(lines) {
        person.hear(ToClient::parse(line));
    }
    person
}

const START: &str = "lobby start id 7 white Ann black Bob white-rating 1500? black-rating 1500? \
                     game chess time 300+5 rated no you white";
const GO: [&str; 2] = [
    "position startpos",
    "go wtime 300000 btime 300000 winc 5000 binc 5000",
];

/// What is shown, one text, boards included.
fn shown(out: &[Out]) -> String {
    let text = out.iter().map(|out| match out {
        Out::Say(text) => format!("{text}\n"),
        Out::Board(line) => line.draw(),
        Out::Send(_) | Out::Leave | Out::Lost(_) => String::new(),
    });
    text.collect()
}

fn sent(out: &[Out]) -> Vec<String> {
    let message = |out: &Out| match out {
        Out::Send(message) => Some(message.to_string()),
        _ => None,
    };
    out.iter().filter_map(message).collect()
}

/// The line that the real messages make, so that a test cannot use a dialect of its
/// own.
fn start_line() -> String {
    let ToClient::Lobby(tell) = ToClient::parse(START) else {
        panic!("a lobby line");
    };
    assert!(
        !matches!(tell, quadrille_server::message::Tell::Other(_)),
        "{tell:?}"
    );
    START.into()
}

#[test]
fn a_move_in_any_notation_is_sent_in_the_protocols() {
    let start = start_line();
    for typed in ["e4", "e2e4", "e2-e4", " e4 "] {
        let mut person = person(&[&start, GO[0], GO[1]]);
        assert_eq!(sent(&person.typed(typed)), ["bestmove e2e4"], "{typed}");
    }
    let mut person = person(&[&start, GO[0], GO[1]]);
    assert_eq!(sent(&person.typed("Nf3")), ["bestmove g1f3"]);
}

#[test]
fn slips_get_kind_answers_and_are_not_sent() {
    let start = start_line();
    let mut person = person(&[&start, GO[0], GO[1]]);
    for (typed, words) in [
        ("e5", "moves lists what is legal"),
        ("Ke2", "moves lists what is legal"),
        ("resgin", "Did you mean resign?"),
        ("seek 5:00", "as 300+5"),
        ("accept x", "accept 7"),
        ("\u{1b}[2J", r"\u{1b}[2J"),
    ] {
        let out = person.typed(typed);
        let said = shown(&out);
        assert!(sent(&out).is_empty(), "{typed}");
        assert!(
            said.to_lowercase().contains(&words.to_lowercase()),
            "{typed}: {said}"
        );
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
    // After one's own move it is the other's turn.
    person.hear(ToClient::parse("position startpos moves e2e4"));
    let said = shown(&person.typed("d4"));
    assert!(said.contains("the turn of Bob"), "{said}");
}

#[test]
fn a_game_is_seen_from_start_to_end() {
    let mut person = person(&[]);
    let said = shown(&person.hear(ToClient::parse(&start_line())));
    assert!(
        said.contains("Ann") && said.contains("You are White."),
        "{said}"
    );
    assert!(person.plays());
    person.hear(ToClient::parse(GO[0]));
    let said = shown(&person.hear(ToClient::parse(GO[1])));
    assert!(
        said.contains("Your move.") && said.contains("5:00"),
        "{said}"
    );
    // The same question again is not told twice.
    assert_eq!(shown(&person.hear(ToClient::parse(GO[1]))), "");
    let said = shown(&person.hear(ToClient::parse("position startpos moves e2e4")));
    assert!(said.starts_with("You played e4."), "{said}");
    let said = shown(&person.hear(ToClient::parse("position startpos moves e2e4 c7c5")));
    assert!(said.starts_with("Bob played c5."), "{said}");
    assert!(said.lines().count() > 8, "the board is drawn: {said}");
    let said = shown(&person.hear(ToClient::parse(
        "lobby end id 7 result 1-0 reason Black resigns",
    )));
    assert!(
        said.contains("1-0 (Black resigns)") && !person.plays(),
        "{said}"
    );
    assert_eq!(sent(&person.typed("rematch")), ["lobby rematch"]);
}

/// The clocks of a position come behind it: those from before it are not shown.
#[test]
fn clocks_are_those_of_the_position() {
    let start = start_line();
    let mut person = person(&[&start, GO[0], GO[1]]);
    let mut hear = |line: &str| shown(&person.hear(ToClient::parse(line)));
    let said = hear("position startpos moves e2e4");
    assert_eq!(said, "You played e4.\n");
    let clock = "clock wtime 125000 btime 300900 winc 5000 binc 5000";
    assert_eq!(hear(clock), "Ann 2:05, Bob 5:00\n");
    // Only once: a clock without a move is no news.
    assert_eq!(hear(clock), "");
    let said = hear("position startpos moves e2e4 c7c5");
    assert!(said.starts_with("Bob played c5.\n"), "{said}");
    let said = hear("go wtime 125900 btime 185000 winc 5000 binc 5000");
    assert_eq!(said, "Your move. Ann 2:05, Bob 3:05\n");
    assert_eq!(hear(clock), "");
}

/// The server tells an offer to the other side only.
#[test]
fn ones_own_offers_are_seen() {
    let start = start_line();
    let mut one = person(&[&start, GO[0], GO[1]]);
    let out = one.typed("draw");
    assert_eq!(sent(&out), ["lobby draw"]);
    assert_eq!(shown(&out), "You offer a draw.\n");
    let gone = "lobby offer-gone id 7 what draw";
    let said = shown(&one.hear(ToClient::parse(gone)));
    assert_eq!(said, "Your offer (draw) was not taken.\n");
    assert_eq!(shown(&one.hear(ToClient::parse(gone))), "");
    let said = shown(&one.typed("takeback"));
    assert_eq!(said, "You ask to take your move back.\n");
    one.hear(ToClient::parse("lobby takeback id 7 plies 0"));
    // One that takes the other's offer is no offer.
    one.hear(ToClient::parse("lobby offer id 7 what draw by Bob"));
    let out = one.typed("draw");
    assert_eq!(
        (sent(&out), shown(&out)),
        (vec!["lobby draw".into()], String::new())
    );
    one.hear(ToClient::parse(
        "lobby end id 7 result 1/2-1/2 reason agreed",
    ));
    let said = shown(&one.typed("rematch"));
    assert_eq!(said, "You ask for a rematch.\n");
    let said = shown(&one.typed("watch x"));
    assert!(said.contains("as: watch 7"), "{said}");
}

#[test]
fn offers_and_challenges_are_answered_with_yes_and_no() {
    let start = start_line();
    let draw = "lobby offer id 7 what draw by Bob";
    let mut one = person(&[&start, draw]);
    assert_eq!(sent(&one.typed("yes")), ["lobby draw"]);
    let mut one = person(&[&start, draw]);
    assert_eq!(sent(&one.typed("no")), ["lobby no draw"]);
    // One that does not stand any more is not taken.
    let mut one = person(&[&start, draw, "lobby offer-gone id 7 what draw"]);
    assert!(sent(&one.typed("yes")).is_empty());
    let challenge =
        "lobby challenge id 9 by Bob rating 1500 game chess time 60+1 rated no colour random";
    let mut one = person(&[challenge]);
    assert_eq!(sent(&one.typed("accept")), ["lobby accept id 9"]);
    let mut one = person(&[challenge]);
    assert_eq!(sent(&one.typed("decline")), ["lobby decline id 9"]);
    let mut one = person(&[]);
    assert_eq!(sent(&one.typed("draw")), ["lobby draw"]);
    let asked = sent(&one.typed("seek gyges 60+1 black"));
    let ToServer::Lobby(_) = ToServer::parse(&asked[0]) else {
        panic!("{asked:?}");
    };
    assert!(asked[0].contains("game gyges time 60+1"), "{asked:?}");
}

/// A server, or those who speak through it, may write what they like.
#[test]
fn nothing_of_a_server_moves_the_cursor() {
    let start = start_line();
    let evil = "\u{1b}[2J\u{7}\u{202e}";
    let mut person = person(&[&start]);
    for line in [
        format!("info string {evil}"),
        format!("info clienterror {evil}"),
        format!("info servererror {evil}"),
        format!("lobby error {evil}"),
        format!("lobby said name Bob id 7 text {evil}"),
        format!("lobby said name Bob id 7 {evil}"),
        format!("lobby end id 8 result * reason {evil}"),
        format!("lobby start id 8 white {evil} black Bob you white"),
        format!("lobby seek id 1 by {evil} game chess time 1+1"),
        format!("position fen {evil} moves {evil}"),
        format!("position startpos moves {evil}"),
        format!(
            "lobby tournament id 1 state open round 0 rounds 3 players 1 game chess time 1+1 title {evil}"
        ),
        format!("lobby player name Bob kind person program {evil}"),
        evil.to_owned(),
        "go wtime 99999999999999999999 btime -1".into(),
        "lobby takeback id 7 plies 99999999999999999999999".into(),
        "lobby".into(),
    ] {
        let said = shown(&person.hear(ToClient::parse(&line)));
        let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!said.contains(acts), "{line:?}: {said:?}");
    }
    person.typed("thoughts");
    let said = shown(&person.hear(ToClient::parse(&format!("info depth 1 pv {evil}"))));
    assert!(
        !said.contains('\u{1b}') && said.contains("thinks"),
        "{said:?}"
    );
}

/// Every other game draws and reads its moves too.
#[test]
fn all_games_are_played() {
    for (game, text) in [("liberty", "e4"), ("leiser", ""), ("gyges", "")] {
        let start = START.replace("game chess", &format!("game {game}"));
        let mut person = person(&[&start]);
        let kind: Game = game.parse().expect("a game");
        let line = quadrille_games::AnyLine::start(kind);
        let position = format!("position fen {}", line.start_text());
        person.hear(ToClient::parse(&position));
        person.hear(ToClient::parse(GO[1]));
        let first = line.legal_moves(1).remove(0);
        let typed = if text.is_empty() {
            &first.notation
        } else {
            text
        };
        let sent = sent(&person.typed(typed));
        assert!(sent[0].starts_with("bestmove "), "{game}: {sent:?}");
        assert!(!shown(&person.typed("moves")).is_empty());
    }
}
