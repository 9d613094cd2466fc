//! Clients that want more work than their share, and clocks while lines wait.

use std::time::Duration;

use quadrille_server::meter::Rate;

use super::{Stage, conversations, settings};

/// A board of so many files and ranks with a King in two corners and Knights.
fn board(size: usize, knights: usize) -> String {
    let mut rows = vec![format!("k{}", size - 1)];
    for y in 0..size - 2 {
        let knight = format!("{}N{}", size / 2, size - size / 2 - 1);
        rows.push(if y < knights {
            knight
        } else {
            size.to_string()
        });
    }
    rows.push(format!("{}K", size - 1));
    rows.join("/") + " b - - 0 1"
}

fn seek(fen: &str) -> String {
    format!("lobby seek game liberty time 60 colour black word sesame fen {fen}")
}

/// A game from a position; A moves first.
fn game(stage: &mut Stage, fen: &str) {
    stage.run("A is lobby Ann\nB is lobby Bob from 10.0.0.2");
    stage.say("A", &seek(fen));
    stage.run("B> lobby join word sesame\nA> readyok\nB> readyok\nA<< go …\nA.\nB~");
}

#[test]
fn guests_have_no_huge_boards() {
    let mut stage = Stage::new(settings());
    stage.run("A is lobby Ann");
    stage.say("A", &seek(&board(33, 3)));
    stage.run("A< lobby error a board of 1089 squares is too large: you may have up to 1024\nA.");
    stage.say("A", &seek(&board(32, 3)));
    stage.run("A< lobby seek …");
}

/// One look at such a board would take longer than all others may wait.
#[test]
fn nobody_has_a_board_full_of_kings() {
    let mut large = settings();
    large.guest_squares = large.squares;
    let mut stage = Stage::new(large);
    stage.run("A is lobby Ann");
    let rows = vec!["K".repeat(100); 100].join("/");
    stage.say("A", &seek(&format!("{rows} b - - 0 1")));
    stage.run("A< lobby error that board has too many pieces, or too many Kings, for its size\nA.");
}

/// What a client asks for beyond the budget of its address waits; what others say is
/// answered at once. Work is counted, so that this holds on any machine.
#[test]
fn an_address_has_a_budget_of_work() {
    let mut large = settings();
    (large.guest_squares, large.seeks) = (large.squares, 1000);
    let budget = u64::from(large.work.burst);
    let mut stage = Stage::new(large);
    stage.run("A is lobby Ann");
    // Setting up a board is two looks at 65,536 squares, on sixteen lines each.
    let boards = usize::try_from(budget / (2 * 16 * 65_536)).expect("a few");
    let fen = board(256, 200);
    for n in 0..30 {
        stage.say("A", &seek(&fen).replace("sesame", &format!("word{n}")));
    }
    let answers = |lines: Vec<String>| lines.iter().filter(|l| l.contains("lobby seek id")).count();
    let at_once = answers(stage.heard("A"));
    assert!((1..=boards + 1).contains(&at_once), "{at_once} of {boards}");
    // A newcomer of the same address is let in, and may play. What is much waits too.
    stage.run("N is lobby Nat\nN> lobby seek time 60\nN< lobby seek …");
    stage.say("N", &seek(&fen));
    stage.run("N.");
    stage.run(
        "C is lobby Cid from 10.0.0.3\nC> lobby list tournaments\nC< lobby list-end tournaments",
    );
    stage.pass(2000);
    stage.run("N< lobby seek …");
    let later = answers(stage.heard("A"));
    assert!((1..30 - at_once).contains(&later), "{later}");
    stage.pass(60_000);
    let last = answers(stage.heard("A"));
    assert_eq!(at_once + later + last, 30, "all are answered in the end");
    assert!(!stage.is_cut_off("A"));
}

/// Lines that wait are bounded.
#[test]
fn a_flood_of_work_is_cut_off() {
    let mut large = settings();
    large.guest_squares = large.squares;
    large.lines.burst = 1000;
    let mut stage = Stage::new(large);
    game(&mut stage, &board(256, 200));
    for _ in 0..200 {
        stage.say("A", "bestmove a1b2");
    }
    assert!(stage.is_cut_off("A") && !stage.is_cut_off("B"));
}

/// Ann and Bob play on a large board with two seconds each, and Ann is to move; Ned, whose
/// address is Ann's, has overdrawn its budget of work by a second.
fn beside_a_neighbour() -> Stage {
    let mut large = settings();
    (large.guest_squares, large.seeks) = (large.squares, 1000);
    let mut stage = Stage::new(large);
    stage.run("A is lobby Ann\nB is lobby Bob from 10.0.0.2\nN is lobby Ned");
    stage.say("A", &seek(&board(100, 3)).replace("time 60", "time 2"));
    stage.run("B> lobby join word sesame\nA> readyok\nB> readyok\nA<< go …\nA.\nB~");
    let fen = board(256, 200);
    for n in 0..5 {
        stage.say("N", &seek(&fen).replace("sesame", &format!("word{n}")));
    }
    stage.run("A.");
    stage
}

/// A move that waits for others is one of the moment at which it came.
#[test]
fn a_move_that_waits_does_not_lose_on_time() {
    let mut stage = beside_a_neighbour();
    stage.pass(10);
    // What asks for little changes nothing.
    stage.run("A> lobby draw\nA> bestmove a100a99");
    let asked = |stage: &mut Stage| stage.heard("B").iter().any(|l| l.starts_with("go "));
    assert!(!asked(&mut stage), "the budget is overdrawn");
    stage.pass(3000);
    let heard = stage.heard("B");
    let go = heard.iter().find(|line| line.starts_with("go "));
    let go = go.unwrap_or_else(|| panic!("{heard:#?}"));
    let clock = go.split(' ').nth(4).and_then(|clock| clock.parse().ok());
    let clock: u64 = clock.unwrap_or_else(|| panic!("{go}"));
    assert!((1980..=1990).contains(&clock), "{go}");
}

/// Nor is it lost with the connection.
#[test]
fn a_move_that_waits_is_not_lost_with_its_connection() {
    let mut stage = beside_a_neighbour();
    stage.pass(10);
    stage.run("A> bestmove a100a99\nB.\nA closes\nB<< position … moves a100a99\nB<< go …");
}

/// Who asks for more than its share waits for it on its own clock.
#[test]
fn a_move_behind_much_else_costs_time() {
    let mut little = settings();
    little.work = Rate::new(20_000, 20_000);
    let mut stage = Stage::new(little);
    for n in 0..30 {
        let (who, from) = (format!("N{n}"), format!("10.0.1.{}", n + 1));
        stage.enter(&who, "lobby", &who, &from);
    }
    stage.run(
        "
        A is lobby Ann
        B is lobby Bob from 10.0.0.2
        A> lobby seek time 2 colour white word x
        B> lobby join word x
        A> readyok
        B> readyok
        B~
        ",
    );
    for _ in 0..10 {
        stage.say("A", "lobby list players");
    }
    stage.say("A", "bestmove e2e4");
    stage.pass(2000);
    stage.run("B.");
    stage.pass(51);
    stage.run("B<< lobby end id 1 result 0-1 reason White loses on time…");
}

/// A person cannot hold up a game by illegal moves: it waits on its own time.
#[test]
fn illegal_moves_cost_time() {
    let script = "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 10 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        B~
    ";
    let mut stage = Stage::new(settings());
    stage.run(script);
    let try_illegal = |stage: &mut Stage, count: usize| {
        for _ in 0..count {
            stage.say("A", "bestmove a1a1");
        }
    };
    // The third one has the first pause.
    try_illegal(&mut stage, 12);
    stage.run(
        "
        A> bestmove e2e4
        + 2499
        B.
        + 1
        B< position startpos moves e2e4
        B< go wtime 7500 btime 10000 winc 0 binc 0
        ",
    );
    // The flag falls when it falls.
    let mut stage = Stage::new(settings());
    stage.run(script);
    stage.pass(9500);
    try_illegal(&mut stage, 58);
    stage.run(
        "
        A> bestmove e2e4
        + 549
        B.
        + 2
        B<< lobby end id 1 result 0-1 reason White loses on time…
        ",
    );
    // Nor does a late hall add to the pauses.
    let mut stage = Stage::new(settings());
    stage.run(script);
    let conn = stage.conn("A");
    let begun = stage.now;
    stage.now += Duration::from_secs(5);
    for ms in [100, 200, 300, 600] {
        let text = if ms == 600 {
            "bestmove e2e4"
        } else {
            "bestmove a1a1"
        };
        let came = begun + Duration::from_millis(ms);
        stage.hall.line(conn, text, came, stage.now);
    }
    stage.settle();
    stage.run("B< position startpos moves e2e4\nB< go wtime 9400 btime 10000 winc 0 binc 0");
}

/// The hall is late: what came in time counts as in time, and what comes of it begins
/// when it is looked at.
#[test]
fn a_late_hall_costs_nobody_time() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 5+0 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        B~
        ",
    );
    let came = stage.now + Duration::from_secs(4);
    stage.now += Duration::from_secs(20);
    let conn = stage.conn("A");
    stage.hall.line(conn, "bestmove e2e4", came, stage.now);
    stage.settle();
    stage.run(
        "
        B< position startpos moves e2e4
        B< go wtime 1000 btime 5000 winc 0 binc 0
        + 4900
        B> bestmove e7e5
        A<< go wtime 1000 btime 100 winc 0 binc 0
        + 1051
        A<< lobby end id 1 result 0-1 reason White loses on time…
        ",
    );
}

conversations! {
    /// Slips are answered at once; one who tries all moves waits between them.
    a_pause_after_illegal_moves: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        A~
        A> bestmove e2e5
        A< info clienterror …
        A< position startpos
        A< go …
        A> bestmove e2e6
        A<< go …
        A> bestmove e2e7
        A<< go …
        A> bestmove e2e8
        A.
        + 249
        A.
        + 1
        A< info clienterror …
        A<< go …
        + 250
        # A move that is legal ends it.
        A> bestmove e2e4
        B> bestmove e7e5
        A<< go …
        A> bestmove e4e6
        A<< go …
        A> bestmove d2d4
        B<< go …
    "
}
