//! Sessions without threads and without a clock but the test's.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quadrille_engine::{Machine, Moment, Session, Step, TimeSource};
use quadrille_games::{AnyLine, Game};

/// Steps after which a conversation of these tests must have come to rest.
const MOST_STEPS: usize = 100_000;
const SLICE: Duration = Duration::from_millis(3);

/// A clock that goes on by a millisecond whenever it is looked at.
#[derive(Debug)]
struct Looks(AtomicU64);

impl TimeSource for Looks {
    fn now(&self) -> Moment {
        at(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn at(millis: u64) -> Moment {
    Moment::after_origin(Duration::from_millis(millis))
}

/// A machine whose clock shows so many milliseconds, without threads.
fn machine(millis: u64) -> Machine {
    Machine {
        time: Arc::new(Looks(AtomicU64::new(millis))),
        threads: false,
        memory: None,
        entropy: 1,
    }
}

struct Caller {
    session: Session,
    machine: Machine,
}

impl Caller {
    fn new(game: Game) -> Self {
        let machine = machine(0);
        let session = Session::new(game, "", &machine).expect("the usual rules");
        Self { session, machine }
    }

    fn feed(&mut self, line: &str) {
        let now = self.machine.time.now();
        self.session.feed(line.as_bytes(), now);
    }

    /// Feeds a line as often as one is accepted.
    fn feed_until_full(&mut self, line: &str) {
        for _ in 0..3000 {
            if !self.session.accepts_lines() {
                return;
            }
            self.feed(line);
        }
        panic!("{line} is always accepted");
    }

    fn lines(&mut self) -> Vec<String> {
        let bytes = self.session.take_lines();
        let text = String::from_utf8(bytes).expect("text");
        assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
        text.lines().map(String::from).collect()
    }

    /// Works until there is nothing to do; gives what was said.
    fn rest(&mut self) -> Vec<String> {
        for _ in 0..MOST_STEPS {
            if self.session.step(SLICE) != Step::Working {
                return self.lines();
            }
        }
        panic!("no rest after {:?}", self.lines());
    }

    /// Feeds these lines and works until there is nothing to do.
    fn talk(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            self.feed(line);
        }
        self.rest()
    }
}

/// The moves of all `bestmove` lines.
fn answers(lines: &[String]) -> Vec<String> {
    let best = lines.iter().filter_map(|l| l.strip_prefix("bestmove "));
    best.map(|rest| rest.split(' ').next().unwrap_or_default().into())
        .collect()
}

/// The number behind a word of the last `info` that has it.
fn number(lines: &[String], word: &str) -> u64 {
    let mut found = lines.iter().rev().filter_map(|line| {
        let mut words = line.split(' ').skip_while(|w| *w != word);
        words.nth(1)?.parse().ok()
    });
    found
        .next()
        .unwrap_or_else(|| panic!("no {word}: {lines:?}"))
}

#[test]
fn every_game_is_played_on_one_thread() {
    for game in Game::ALL {
        let mut caller = Caller::new(game);
        let ugi = game == Game::Gyges;
        let hello = caller.talk(&[if ugi { "ugi" } else { "uci" }, "isready"]);
        assert_eq!(hello.last().expect("lines"), "readyok");
        let go = if ugi { "go" } else { "go depth 5" };
        let said = caller.talk(&["setoption maxPly 4", go]);
        let best = answers(&said);
        assert_eq!(best.len(), 1, "{said:?}");
        let mut line = AnyLine::start(game);
        line.play(&best[0])
            .unwrap_or_else(|e| panic!("{game}: {e}"));
        caller.feed("quit");
        assert!(caller.session.is_over());
        assert_eq!(caller.session.step(SLICE), Step::Done);
    }
}

/// Handed out but not there: the process would be killed in the search.
#[test]
fn a_table_is_no_larger_than_the_memory() {
    let machine = Machine {
        memory: Some(3),
        ..machine(0)
    };
    let session = Session::new(Game::Chess, "", &machine).expect("the usual rules");
    let mut caller = Caller { session, machine };
    let note = |lines: &[String]| {
        let notes = lines.iter().filter(|line| line.contains("a table of"));
        notes.cloned().collect::<Vec<_>>()
    };
    let said = caller.talk(&["setoption name Hash value 60000", "isready", "go depth 1"]);
    assert_eq!(note(&said).len(), 1, "{said:?}");
    assert!(note(&said)[0].starts_with("info string a table of 60000 MB"));
    assert!(note(&said)[0].ends_with("it has 3 MB"));
    assert_eq!(answers(&said).len(), 1);
    let said = caller.talk(&["setoption name Hash value 2", "isready", "go depth 1"]);
    assert!(note(&said).is_empty(), "{said:?}");
}

/// The host's clock has been running since its bytes came, whatever was in the
/// way of beginning the search.
#[test]
fn the_clock_of_a_go_runs_from_its_arrival() {
    let machine = machine(10_000);
    let mut session = Session::new(Game::Chess, "", &machine).expect("the usual rules");
    // Nine seconds ago, for a move of half a second.
    session.feed(b"go movetime 500", at(1_000));
    let mut caller = Caller { session, machine };
    let said = caller.rest();
    assert_eq!(answers(&said).len(), 1);
    assert!(number(&said, "time") >= 9_000, "{said:?}");
    // It ends with the first look at the clock.
    assert!(number(&said, "nodes") < 5_000, "{said:?}");
    // The same said now gets its time.
    let said = caller.talk(&["go movetime 500"]);
    assert!(number(&said, "time") < 1_000, "{said:?}");
    assert!(number(&said, "nodes") > 5_000, "{said:?}");
}

/// A ponder hit counts from its arrival too.
#[test]
fn the_clock_of_a_ponder_hit_runs_from_its_arrival() {
    let mut caller = Caller::new(Game::Chess);
    caller.feed("go ponder movetime 100000");
    for _ in 0..20 {
        assert_eq!(caller.session.step(SLICE), Step::Working);
    }
    // By the test's clock that is long ago, so the move is due.
    let machine = machine(1_000_000);
    let mut session = Session::new(Game::Chess, "", &machine).expect("the usual rules");
    session.feed(b"go ponder movetime 100000", machine.time.now());
    assert_eq!(session.step(SLICE), Step::Working);
    session.feed(b"ponderhit", at(800_000));
    let mut late = Caller { session, machine };
    let said = late.rest();
    assert_eq!(answers(&said).len(), 1, "{said:?}");
    assert!(number(&said, "nodes") < 50_000, "{said:?}");
    assert_eq!(answers(&caller.talk(&["stop"])).len(), 1);
}

/// On the opponent's time a weak player has the patience of a strong one, but
/// not its eyes; and it answers only when asked.
#[test]
fn a_level_sees_no_further_on_the_opponents_time() {
    for game in [Game::Chess, Game::Liberty, Game::Leiser] {
        for go in ["go ponder wtime 60000 btime 60000", "go ponder"] {
            let mut caller = Caller::new(game);
            let said = caller.talk(&[
                "setoption name UCI_LimitStrength value true",
                "setoption name UCI_Elo value 1000",
                "position startpos",
                go,
            ]);
            assert!(answers(&said).is_empty(), "{said:?}");
            assert!(number(&said, "nodes") < 20_000, "{said:?}");
            assert_eq!(answers(&caller.talk(&["stop"])).len(), 1, "{game} {go}");
        }
    }
}

#[test]
fn words_are_heard_between_slices() {
    let mut caller = Caller::new(Game::Chess);
    caller.feed("position startpos");
    caller.feed("go infinite");
    for _ in 0..10 {
        assert_eq!(caller.session.step(SLICE), Step::Working);
    }
    caller.lines();
    caller.feed("isready");
    assert!(caller.lines().contains(&"readyok".into()));
    assert_eq!(answers(&caller.talk(&["stop"])).len(), 1);
    // A mate is found at once, and kept until `stop`.
    let said = caller.talk(&["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go infinite"]);
    assert!(answers(&said).is_empty(), "{said:?}");
    assert_eq!(caller.session.step(SLICE), Step::Waiting);
    assert_eq!(answers(&caller.talk(&["stop"])), ["0000"]);
}

/// "Search until the stop command": nothing else ends an infinite search or a ponder
/// search. What comes meanwhile waits, and each `go` has its own answer.
#[test]
fn nothing_but_stop_ends_an_infinite_search() {
    for first in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        for then in [
            &["go depth 1"][..],
            &["position startpos moves e2e4", "go depth 1"],
            &["ucinewgame", "position startpos", "go infinite"],
        ] {
            let mut caller = Caller::new(Game::Chess);
            caller.feed("position startpos");
            caller.feed(first);
            for _ in 0..5 {
                assert_eq!(caller.session.step(SLICE), Step::Working);
            }
            for line in then {
                caller.feed(line);
            }
            for _ in 0..20 {
                assert_eq!(caller.session.step(SLICE), Step::Working);
            }
            let said = caller.lines();
            assert_eq!(answers(&said).len(), 0, "{first}, {then:?}: {said:?}");
            caller.feed("isready");
            assert!(caller.lines().contains(&"readyok".into()));
            // It means everything that was asked for before it.
            let said = caller.talk(&["go infinite", "stop"]);
            assert_eq!(answers(&said).len(), 3, "{first}, {then:?}: {said:?}");
            assert_eq!(answers(&caller.talk(&["go depth 1"])).len(), 1);
        }
    }
    // A host that does not wait for the answer to `stop`.
    let mut caller = Caller::new(Game::Chess);
    caller.feed("go infinite");
    assert_eq!(caller.session.step(SLICE), Step::Working);
    let mated = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let said = caller.talk(&["stop", mated, "go depth 5"]);
    assert_eq!(answers(&said).len(), 2, "{said:?}");
    assert_eq!(answers(&said)[1], "0000");
    // The hit is for the search that ponders, not for the one that waits.
    let mut caller = Caller::new(Game::Chess);
    caller.feed("go ponder depth 2");
    assert_ne!(caller.session.step(SLICE), Step::Done);
    let said = caller.talk(&["go depth 1", "ponderhit"]);
    assert_eq!(answers(&said).len(), 2, "{said:?}");
}

/// So many lines that `stop` would not be read any more.
#[test]
fn a_host_that_floods_an_infinite_search_is_heard_again() {
    let mut caller = Caller::new(Game::Chess);
    caller.feed("go infinite");
    assert_eq!(caller.session.step(SLICE), Step::Working);
    caller.feed_until_full("go depth 1");
    let said = caller.rest();
    assert!(answers(&said).len() > 1000, "{}", answers(&said).len());
    assert!(caller.session.accepts_lines());
}

/// The search that ponders was stopped: it has answered, or is about to. So the hit is for
/// the next one, which waits until the session hears of that end.
#[test]
fn a_ponder_hit_is_not_for_a_search_that_was_stopped() {
    let mut caller = Caller::new(Game::Chess);
    let said = caller.talk(&[
        "go ponder depth 2",
        "stop",
        "position startpos moves e2e4",
        "go ponder depth 2",
        "ponderhit",
    ]);
    assert_eq!(answers(&said).len(), 2, "{said:?}");
}

/// The end of input, or more lines than wait, may come while moves are counted, before a
/// `go` waits for the infinite search beside the count.
#[test]
fn an_infinite_search_ends_also_when_the_input_ended_during_a_count() {
    let mut caller = Caller::new(Game::Chess);
    for line in ["go infinite", "perft 3", "go depth 1"] {
        caller.feed(line);
    }
    caller.session.end_input();
    let said = caller.rest();
    assert!(caller.session.is_over());
    assert!(said.contains(&"Nodes searched: 8902".into()), "{said:?}");
    assert_eq!(answers(&said).len(), 2, "{said:?}");

    let mut caller = Caller::new(Game::Chess);
    for line in ["go infinite", "perft 6"] {
        caller.feed(line);
    }
    caller.feed_until_full("go depth 1");
    let said = caller.rest();
    assert!(said.contains(&"info string perft stopped".into()));
    assert!(caller.session.accepts_lines());
    assert!(answers(&said).len() > 1000, "{}", answers(&said).len());
}

/// "Search for a mate in x moves": it is over when there is none.
#[test]
fn a_search_for_a_mate_that_is_not_there_ends() {
    for (game, position, moves) in [
        (Game::Chess, "position startpos", 1),
        (Game::Chess, "position startpos", 2),
        (Game::Liberty, "position startpos", 1),
        // A mate in two and no shorter one; then mated in one.
        (
            Game::Chess,
            "position fen 6k1/5ppp/8/8/8/8/8/K2RR3 b - - 0 1",
            1,
        ),
    ] {
        let mut caller = Caller::new(game);
        let said = caller.talk(&[position, &format!("go mate {moves}")]);
        assert_eq!(answers(&said).len(), 1, "{position}: {said:?}");
    }
    let mut caller = Caller::new(Game::Chess);
    let said = caller.talk(&[
        "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "go mate 1",
    ]);
    assert_eq!(answers(&said), ["a1a8"]);
    // `infinite` beside it is stronger.
    let mut caller = Caller::new(Game::Chess);
    for line in ["position startpos", "go mate 1 infinite"] {
        caller.feed(line);
    }
    for _ in 0..200 {
        assert_ne!(caller.session.step(SLICE), Step::Done);
    }
    assert!(answers(&caller.lines()).is_empty());
}

#[test]
fn counting_is_done_in_parts() {
    let mut caller = Caller::new(Game::Chess);
    caller.feed("perft 3");
    assert_eq!(caller.session.step(Duration::ZERO), Step::Working);
    // What is urgent is answered, what is not waits its turn.
    caller.feed("d");
    caller.feed("isready");
    let said = caller.lines();
    assert_eq!(said.last().expect("lines"), "readyok", "{said:?}");
    let said = caller.rest();
    let total = said.iter().position(|l| l == "Nodes searched: 8902");
    let board = said.iter().position(|l| l.starts_with("position: "));
    assert!(total.expect("a sum") < board.expect("a board"), "{said:?}");
    caller.feed("perft 5");
    assert_eq!(caller.session.step(Duration::ZERO), Step::Working);
    let said = caller.talk(&["stop"]);
    assert_eq!(said.last().expect("lines"), "info string perft stopped");
}

/// `stop` ends a count at once, and in its turn the search that was asked for
/// between them.
#[test]
fn stop_ends_the_count_and_the_search_behind_it() {
    let mut caller = Caller::new(Game::Chess);
    caller.feed("perft 4");
    assert_eq!(caller.session.step(Duration::ZERO), Step::Working);
    caller.feed("go infinite");
    caller.feed("stop");
    let said = caller.rest();
    assert!(
        said.contains(&"info string perft stopped".into()),
        "{said:?}"
    );
    assert_eq!(answers(&said).len(), 1, "{said:?}");
    // And a count behind it.
    caller.feed("perft 6");
    assert_eq!(caller.session.step(Duration::ZERO), Step::Working);
    let said = caller.talk(&["bench 20", "perft 6", "stop", "perft 3"]);
    let stopped = |l: &&String| l.as_str() == "info string perft stopped";
    assert_eq!(said.iter().filter(stopped).count(), 2, "{said:?}");
    assert!(said.contains(&"Nodes searched: 8902".into()), "{said:?}");
    // And the search that ran before it.
    caller.feed("go ponder");
    caller.feed("perft 4");
    assert_eq!(caller.session.step(Duration::ZERO), Step::Working);
    let said = caller.talk(&["stop"]);
    assert_eq!(answers(&said).len(), 1, "{said:?}");
    assert!(!said.iter().any(|l| l.contains("bug")), "{said:?}");
}

/// A host that has seen the last word of a count knows that it has ended, also
/// where the session has yet to hear of it.
#[test]
fn nothing_is_taken_out_of_turn_at_the_end_of_a_count() {
    let mut caller = Caller::new(Game::Leiser);
    caller.feed("perft 3");
    let task = caller.session.take_task().expect("a count");
    let finished = task.run();
    assert_eq!(caller.lines().len(), 3);
    caller.feed("setoption name hash value none");
    caller.feed("isready");
    assert!(caller.lines().is_empty());
    caller.session.take_back(finished);
    let said = caller.lines();
    assert!(said[0].contains("is a whole number"), "{said:?}");
    assert_eq!(said.last().expect("lines"), "readyok");
}

#[test]
fn the_end_of_input_is_quit_after_what_came_before() {
    let mut caller = Caller::new(Game::Chess);
    caller.feed("go infinite");
    assert_eq!(caller.session.step(SLICE), Step::Working);
    caller.feed("go depth 1");
    caller.session.end_input();
    assert!(!caller.session.is_over(), "a line waits");
    let said = caller.rest();
    assert!(caller.session.is_over());
    assert_eq!(answers(&said).len(), 2, "{said:?}");
    assert!(!caller.session.accepts_lines());
}

/// As in `echo perft 3 | quadrille-chess`. Only `quit` itself ends a count.
#[test]
fn a_count_outlives_the_end_of_input() {
    let mut caller = Caller::new(Game::Chess);
    for line in ["perft 3", "go depth 1"] {
        caller.feed(line);
    }
    caller.session.end_input();
    let said = caller.rest();
    assert!(said.contains(&"Nodes searched: 8902".into()), "{said:?}");
    assert_eq!(answers(&said).len(), 1, "{said:?}");
    assert!(caller.session.is_over());
    let mut caller = Caller::new(Game::Chess);
    let said = caller.talk(&["perft 5", "go depth 1", "quit"]);
    assert_eq!(said, ["info string perft stopped"]);
}

/// Where there is no thread to search with, the answer is any legal move: one
/// `bestmove` for every `go`, written as the host wants moves.
#[test]
fn without_a_thread_there_is_still_an_answer_in_the_hosts_format() {
    for (format, pairs) in [("squares", false), ("pairs", true)] {
        let mut caller = Caller::new(Game::Gyges);
        caller.feed(&format!("setoption moveFormat {format}"));
        caller.feed("go");
        let task = caller.session.take_task().expect("a search");
        caller
            .session
            .take_back(task.refuse("no thread to search with"));
        let said = caller.lines();
        assert!(said[0].contains("no thread to search with"), "{said:?}");
        let best = answers(&said);
        assert_eq!(best.len(), 1, "{said:?}");
        // Pairs name the piece before its square.
        let listed = caller.talk(&["perft 1"]);
        assert!(
            listed.contains(&format!("{}: 1", best[0])),
            "{best:?} {listed:?}"
        );
        let squares = AnyLine::start(Game::Gyges).text_of_first();
        assert_eq!(best[0] != squares, pairs, "{best:?}");
        // The next search works.
        assert_eq!(
            answers(&caller.talk(&["setoption maxPly 1", "go"])).len(),
            1
        );
    }
}

trait First {
    fn text_of_first(&self) -> String;
}

impl First for AnyLine {
    /// The first legal move in its usual form.
    fn text_of_first(&self) -> String {
        let first = self.legal(1)[0];
        self.text_of(first).expect("a legal move")
    }
}
