//! Searches: answers of all kinds.

use quadrille_client::{ClientConfig, Limits};
use quadrille_games::{AnyLine, Game};

use crate::script::Talk;

/// White is mated.
const MATED: &str = "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1";

#[test]
fn a_search_reports_and_answers() {
    let mut talk = Talk::chess();
    let go = talk.search(&AnyLine::start(Game::Chess), Limits::depth(2));
    assert_eq!(go, "go depth 2");
    talk.run(
        "< info depth 1 score cp 10 pv e2e4
         = info depth 1
         < thinking hard
         = text thinking hard
         < info depth 2 score cp 20 pv d2d4 d7d5
         = info depth 2
         < bestmove d2d4 ponder d7d5
         = d2d4 ponder d7d5",
    );
    assert!(talk.client.is_idle());
}

#[test]
fn where_nobody_looks_no_line_becomes_an_event() {
    let mut talk = Talk::chess();
    talk.client.report_lines(false);
    talk.go(Limits::depth(2));
    talk.run(
        "< info depth 1 score cp 10 pv e2e4
         < a word
         < bestmove e2e4
         = e2e4",
    );
}

#[test]
fn moves_are_understood_as_far_as_they_can_be() {
    for (said, event, finding) in [
        ("bestmove e2e4,", "e2e4", Some("move-junk")),
        ("bestmove Nf3", "g1f3", Some("move-form")),
        ("bestmove e2e4 ponder e2e4", "e2e4", Some("illegal-ponder")),
        ("bestmove e2e4 ponder 0000", "e2e4", None),
    ] {
        let mut talk = Talk::chess();
        talk.go(Limits::depth(1));
        talk.run(&format!("< {said}\n= {event}"));
        let found = talk.findings();
        assert!(
            finding.is_none_or(|code| found.contains(&code.into())),
            "{said}: {found:?}"
        );
    }
}

#[test]
fn no_move_is_right_only_where_there_is_none() {
    let mut talk = Talk::chess();
    let mated = AnyLine::new(Game::Chess, "", MATED).expect("a position");
    talk.search(&mated, Limits::depth(1));
    talk.run("< bestmove (none)\n= no move");
    assert_eq!(talk.findings(), Vec::<String>::new());
    talk.go(Limits::depth(1));
    talk.client.report_lines(true);
    talk.run("< bestmove 0000\n= illegal: move \"0000\": a null move cannot be played here");
    assert!(talk.findings().contains(&"null-move-in-play".into()));
}

#[test]
fn a_move_outside_searchmoves_is_found() {
    let mut talk = Talk::chess();
    let limits = Limits {
        searchmoves: vec!["e4".into()],
        ..Limits::depth(1)
    };
    let go = talk.search(&AnyLine::start(Game::Chess), limits);
    assert_eq!(go, "go depth 1 searchmoves e2e4");
    talk.run("< bestmove d2d4\n= d2d4");
    assert_eq!(talk.findings(), ["outside-searchmoves"]);
}

/// The answer to the search before comes again: it is not the answer to this one, unless
/// there is no other.
#[test]
fn the_same_answer_twice_is_one_answer() {
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run("< bestmove e2e4\n= e2e4");
    let mut line = AnyLine::start(Game::Chess);
    line.play("e2e4").expect("legal");
    line.play("e7e5").expect("legal");
    talk.search(&line, Limits::depth(1));
    talk.run(
        "< bestmove e2e4
         < bestmove g1f3
         = g1f3",
    );
    assert!(talk.findings().contains(&"stray-bestmove".into()));
    // Three seconds later it was the answer after all.
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run("< bestmove e2e4\n= e2e4");
    talk.search(&line, Limits::depth(1));
    talk.run(
        "< bestmove e2e4
         +2.9s
         +0.2s
         = illegal: move \"e2e4\": there is no own piece to move",
    );
}

#[test]
fn a_move_in_a_sentence_is_not_an_answer_of_one_who_answers_plainly() {
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run("< bestmove e2e4\n= e2e4");
    talk.go(Limits::depth(1));
    talk.run(
        "< I think that bestmove d2d4 it is
         +60s
         < bestmove g1f3
         = g1f3",
    );
    // One who never did may mean it.
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run(
        "< I think that bestmove d2d4 it is
         +3.1s
         = d2d4",
    );
}

#[test]
fn an_answer_that_breaks_off_is_an_answer_only_if_it_is_a_move() {
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run("<~ bestmove e2");
    assert!(talk.client.is_searching());
    talk.run("<~ bestmove e2e4\n= e2e4");
}

#[test]
fn an_engine_that_ignores_its_nodes_is_stopped() {
    let mut talk = Talk::chess();
    talk.client.report_lines(false);
    talk.go(Limits::nodes(1000));
    talk.run(
        "< info depth 9 nodes 24000
         < info depth 9 nodes 24001
         > stop
         < info depth 9 nodes 99999
         < bestmove e2e4
         = e2e4",
    );
    assert_eq!(talk.findings(), ["ignores-nodes"]);
}

#[test]
fn pondering_ends_by_a_hit_or_by_stop() {
    let ponder = || Limits {
        ponder: true,
        ..Limits::depth(4)
    };
    let mut talk = Talk::chess();
    talk.go(ponder());
    assert!(talk.client.is_pondering());
    assert_eq!(talk.client.deadline(), None);
    assert!(talk.client.ponderhit(talk.now));
    assert!(!talk.client.ponderhit(talk.now), "once");
    assert_eq!(talk.client.take_output(), b"ponderhit\n");
    talk.run("< bestmove e2e4\n= e2e4");
    talk.go(ponder());
    assert!(talk.client.stop(talk.now));
    assert!(!talk.client.stop(talk.now), "once");
    assert!(!talk.client.ponderhit(talk.now), "not any more");
    assert_eq!(talk.client.take_output(), b"stop\n");
    talk.run("< bestmove e2e4\n= e2e4");
    talk.go(ponder());
    talk.run("< bestmove e2e4\n= early e2e4");
}

#[test]
fn the_second_player_of_gyges_sees_the_board_turned() {
    let mut talk = Talk::new(Game::Gyges, ClientConfig::default());
    talk.run("> ugi\n< ugiok\n> isready\n< readyok\n= Started");
    let mut line = AnyLine::start(Game::Gyges);
    line.play("0|1|9").expect("legal");
    let ours = line.legal_moves(1)[0].text.clone();
    let theirs = quadrille_games::gyges::turn_move_text(&ours).expect("a move");
    let go = talk.search(&line, Limits::depth(1));
    assert_eq!(go, "go");
    talk.run(&format!("< bestmove {theirs}\n= {ours}"));
}

#[test]
fn a_search_that_nobody_wants_is_ended_before_the_next() {
    let mut talk = Talk::chess();
    talk.client.report_lines(false);
    talk.go(Limits::infinite());
    assert!(!talk.client.settle(talk.now));
    talk.run(
        "> stop
         < info depth 5 score cp 1 pv e2e4
         < bestmove e2e4
         = Settled",
    );
    assert!(talk.client.settle(talk.now));
    talk.client.ping(talk.now);
    talk.run("> isready\n< readyok\n= Ready");
    talk.client.new_game(talk.now);
    talk.run("> ucinewgame\n> isready\n< readyok\n= Ready");
    talk.client.quit();
    talk.run("> quit\n< bye");
}
