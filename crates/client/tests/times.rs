//! Deadlines.

use std::time::Duration;

use quadrille_client::{Clock, Clocks, Limits};
use quadrille_games::{AnyLine, Game};

use crate::script::Talk;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_search_beyond_its_time_is_stopped_and_its_answer_is_late() {
    let mut talk = Talk::chess();
    talk.go(Limits::movetime(2 * SECOND));
    talk.run(
        "+2.9s
         +0.2s
         > stop
         < bestmove e2e4
         = late",
    );
    assert_eq!(talk.findings(), ["overdue"]);
}

#[test]
fn an_engine_that_ignores_stop_is_given_up() {
    let mut talk = Talk::chess();
    talk.go(Limits::movetime(2 * SECOND));
    talk.run(
        "+3.1s
         > stop
         +4.8s
         +0.2s
         = stalled at stop for 5 s",
    );
    assert_eq!(talk.findings(), ["no-answer"]);
    assert_eq!(talk.client.deadline(), None);
}

#[test]
fn an_engine_that_is_not_ready_is_given_up() {
    let mut talk = Talk::chess();
    talk.client.ping(talk.now);
    talk.run(
        "> isready
         +59s
         < info string busy
         +2s
         = stalled at isready for 60 s",
    );
    assert_eq!(talk.findings(), ["not-ready"]);
}

#[test]
fn a_search_that_is_not_wanted_and_does_not_end_is_given_up() {
    let mut talk = Talk::chess();
    talk.go(Limits::infinite());
    assert_eq!(talk.client.deadline(), None);
    talk.client.settle(talk.now);
    talk.run(
        "> stop
         +5s
         = stalled at stop for 5 s",
    );
}

/// The clock of the other side does not count, and a flag further away than the time of
/// the move neither.
#[test]
fn the_nearest_limit_counts() {
    let clock = |seconds| Clock::new(seconds * SECOND, Duration::ZERO);
    let clocks = Clocks {
        white: clock(10),
        black: clock(1),
        moves_to_go: None,
    };
    let mut talk = Talk::chess();
    talk.go(Limits {
        movetime: Some(3 * SECOND),
        ..Limits::clocks(clocks)
    });
    assert_eq!(talk.client.deadline(), Some(talk.now + 4 * SECOND));
}

#[test]
fn what_the_engine_has_used_already_is_told_and_not_waited_for() {
    let mut talk = Talk::chess();
    let line = AnyLine::start(Game::Chess);
    let clock = Clock::new(10 * SECOND, SECOND);
    let limits = Limits::clocks(Clocks {
        white: clock,
        black: clock,
        moves_to_go: None,
    });
    talk.client.prepare(&line, &limits, talk.now);
    talk.run("> position startpos\n> isready\n< readyok\n= Ready");
    talk.client.go(&line, limits, 2 * SECOND, talk.now);
    talk.run("> go wtime 8000 btime 10000 winc 1000 binc 1000");
}

#[test]
fn time_in_which_the_host_was_suspended_is_not_the_engines() {
    let mut talk = Talk::chess();
    talk.go(Limits::movetime(SECOND));
    talk.now += 3600 * SECOND;
    talk.client.postpone(3600 * SECOND);
    talk.run(
        "+1.9s
         < bestmove e2e4
         = e2e4",
    );
}

/// What would show that a line is not the answer cannot come while the host is suspended.
#[test]
fn a_doubt_is_not_over_because_the_host_was_suspended() {
    let sleep = |talk: &mut Talk| {
        talk.now += 3600 * SECOND;
        talk.client.postpone(3600 * SECOND);
    };
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run("< bestmove e2e4\n= e2e4");
    let mut line = AnyLine::start(Game::Chess);
    line.play("e2e4").expect("legal");
    line.play("e7e5").expect("legal");
    talk.search(&line, Limits::depth(1));
    talk.run("< bestmove e2e4\n+2s");
    sleep(&mut talk);
    talk.run("+0.9s\n< bestmove g1f3\n= g1f3");
    // The words of one who never answered plainly.
    let mut talk = Talk::chess();
    talk.go(Limits::depth(1));
    talk.run("< I think that bestmove d2d4 it is\n+2s");
    sleep(&mut talk);
    talk.run("+0.9s\n+0.2s\n= d2d4");
}

/// What goes beyond all time is not waited for, and nothing overflows.
#[test]
fn a_limit_beyond_all_time_has_no_deadline() {
    let mut talk = Talk::chess();
    talk.go(Limits::movetime(Duration::MAX));
    assert_eq!(talk.client.deadline(), None);
    talk.client.postpone(Duration::MAX);
    talk.run("< bestmove e2e4\n= e2e4");
}
