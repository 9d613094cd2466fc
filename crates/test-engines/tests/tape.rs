//! Tapes: nothing of a conversation is lost, and a tape stands in for its engine.

use std::fs::{self, File};
use std::time::Duration;

use proptest::prelude::*;
use quadrille_driver::Speaker;
use quadrille_protocol::{Dialect, Severity};
use quadrille_transcript::{
    Depth, Difference, Entry, Event, Moment, Next, Recorder, Replay, Speed, Tape, compare, head,
};

fn read(text: &str) -> Tape {
    Tape::read(text.as_bytes()).unwrap()
}

/// What each side has said, as bytes.
fn streams(tape: &Tape) -> [Vec<u8>; 2] {
    let mut streams = [Vec::new(), Vec::new()];
    for entry in &tape.entries {
        if let Event::Said {
            speaker,
            bytes,
            ended,
        } = &entry.event
        {
            let stream = &mut streams[usize::from(*speaker == Speaker::Engine)];
            stream.extend_from_slice(bytes);
            stream.extend_from_slice(if *ended { b"\n" } else { b"" });
        }
    }
    streams
}

fn recorded(pieces: &[(bool, Vec<u8>)]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.tape");
    let recorder = Recorder::begin(File::create(&path).unwrap(), &[("engine", "x y")]).unwrap();
    for (engine, bytes) in pieces {
        let speaker = if *engine {
            Speaker::Engine
        } else {
            Speaker::Host
        };
        recorder.said(speaker, bytes);
    }
    recorder.event(Event::HostClosed);
    recorder.event(Event::Ended("exit 3".into()));
    assert!(recorder.failure().is_none());
    fs::read(path).unwrap()
}

fn pieces() -> impl Strategy<Value = Vec<(bool, Vec<u8>)>> {
    let words = prop::sample::select(vec![
        "uci\n",
        "info depth 1",
        " é\\x41\\",
        "\r\n",
        "\t",
        "\u{1b}[2J",
        "\u{202e}",
        "\n\n",
        "#",
        "!",
    ]);
    let words = words.prop_map(|word| word.as_bytes().to_vec());
    let bytes = prop_oneof![4 => words, 1 => prop::collection::vec(any::<u8>(), 0..6)];
    prop::collection::vec((any::<bool>(), bytes), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is said is on the tape, byte for byte; a tape that was cut at any
    /// byte has a beginning of it, and everything that was written before.
    #[test]
    fn a_tape_cut_anywhere_is_read_up_to_there(pieces in pieces()) {
        let bytes = recorded(&pieces);
        let whole = Tape::read(&bytes).unwrap();
        prop_assert!(!whole.cut && whole.odd.is_empty());
        prop_assert!(bytes.iter().all(|b| *b == b'\n' || !b.is_ascii_control()));
        let said = |engine: bool| -> Vec<u8> {
            let own = pieces.iter().filter(|piece| piece.0 == engine);
            own.flat_map(|piece| piece.1.clone()).collect()
        };
        prop_assert_eq!(streams(&whole), [said(false), said(true)]);
        prop_assert_eq!(&Tape::read(&whole.write()).unwrap(), &whole);
        for end in 0..bytes.len() {
            let cut = Tape::read(&bytes[..end]).unwrap();
            prop_assert!(cut.odd.is_empty());
            let lines = bytes[..end].split(|b| *b == b'\n').count() - 1;
            // Three lines of head come before the entries.
            prop_assert!(cut.entries.len() + 3 >= lines);
            for (part, all) in streams(&cut).iter().zip(streams(&whole)) {
                prop_assert!(all.starts_with(part), "{end}: {part:?} {all:?}");
            }
            // Only the last entry may be less than it was.
            let sure = cut.entries.len().saturating_sub(1);
            prop_assert_eq!(&cut.entries[..sure], &whole.entries[..sure]);
        }
    }
}

const SESSION: &str = "# quadrille tape 1\n# engine toy\n\
    0.000000 < Toy 1.0 by me\n\
    0.010000 > uci\n0.010100 > isready\n\
    0.020000 < id name Toy\n0.021000 < option name Hash type spin default 1 min 1 max 9\n\
    0.022000 < uciok\n0.023000 < readyok\n\
    0.030000 > setoption name Hash value 4\n0.031000 > ucinewgame\n\
    0.032000 > position startpos\n0.033000 > go movetime 100\n\
    0.050000 <- info depth 1 sco\n0.060000 < re cp 12 pv e2e4\n\
    0.133000 < bestmove e2e4 ponder e7e5\n\
    0.200000 > position startpos moves e2e4 e7e5\n0.201000 > go infinite\n\
    0.210000 < info depth 1 score cp 3\n0.500000 > stop\n0.510000 < bestmove g1f3\n\
    0.600000 > d\n0.601000 < a board\n0.602000 < and more\n\
    0.700000 > quit\n0.710000 ! host closed\n0.720000 ! exit 7\n";

/// Plays a tape and gives what was said after each line, with the time each piece
/// took.
struct Stage {
    replay: Replay,
    now: Duration,
}

impl Stage {
    fn new(tape: &str, speed: Speed) -> Self {
        let tape = read(tape);
        Self {
            replay: Replay::new(&tape, tape.dialect(), speed),
            now: Duration::ZERO,
        }
    }

    /// Everything that is said until it listens again.
    fn drain(&mut self) -> String {
        let mut said = Vec::new();
        loop {
            match self.replay.next(self.now) {
                Next::Say(bytes) => said.extend_from_slice(&bytes),
                Next::Wait(until) => self.now = until,
                Next::Listen => break,
                Next::End(code) => {
                    said.extend_from_slice(format!("END {code}").as_bytes());
                    break;
                }
            }
        }
        String::from_utf8(said).unwrap()
    }

    fn say(&mut self, line: &str) -> String {
        self.replay.hear(line.as_bytes(), self.now);
        self.drain()
    }

    fn departures(&mut self) -> Vec<String> {
        let list = self.replay.departures();
        list.into_iter().map(|departure| departure.what).collect()
    }
}

#[test]
fn a_tape_answers_as_its_engine_did() {
    let mut stage = Stage::new(SESSION, Speed::Times(1.0));
    assert_eq!(stage.drain(), "Toy 1.0 by me\n");
    // On the tape `isready` was said at once; here `uciok` is waited for.
    let hello = stage.say("uci");
    assert_eq!(hello.lines().count(), 3);
    assert!(hello.ends_with("uciok\n"));
    assert_eq!(stage.say("isready"), "readyok\n");
    assert_eq!(stage.say("setoption   name Hash value 4"), "");
    assert_eq!(stage.say("position startpos moves"), "");
    let begun = stage.now;
    let answer = stage.say("go  movetime 100");
    assert_eq!(
        answer,
        "info depth 1 score cp 12 pv e2e4\nbestmove e2e4 ponder e7e5\n"
    );
    assert_eq!(stage.now, begun + Duration::from_millis(100));
    stage.say("position startpos moves e2e4  e7e5");
    assert_eq!(stage.say("go infinite"), "info depth 1 score cp 3\n");
    assert_eq!(stage.say("stop"), "bestmove g1f3\n");
    assert_eq!(stage.say("d"), "a board\nand more\n");
    assert!(stage.departures().is_empty());
    assert_eq!(stage.say("quit"), "END 7");
}

#[test]
fn times_are_scaled() {
    for (speed, wanted) in [
        (Speed::Times(10.0), 10),
        (Speed::Times(0.5), 200),
        (Speed::AtOnce, 0),
    ] {
        let mut stage = Stage::new(SESSION, speed);
        stage.drain();
        stage.say("position startpos");
        let begun = stage.now;
        stage.say("go movetime 100");
        assert_eq!(
            stage.now,
            begun + Duration::from_millis(wanted),
            "{speed:?}"
        );
    }
}

#[test]
fn a_stop_that_comes_early_brings_the_answer() {
    let mut stage = Stage::new(SESSION, Speed::Times(1.0));
    stage.drain();
    stage.replay.hear(b"go movetime 100", stage.now);
    assert!(matches!(stage.replay.next(stage.now), Next::Wait(_)));
    // The tape has no `stop` here.
    stage.replay.hear(b"stop", stage.now);
    let begun = stage.now;
    assert!(stage.drain().ends_with("bestmove e2e4 ponder e7e5\n"));
    assert_eq!(stage.now, begun);
    // Here it has one, and what came before it comes first.
    stage
        .replay
        .hear(b"position startpos moves e2e4 e7e5", stage.now);
    stage.replay.hear(b"go infinite", stage.now);
    stage.replay.hear(b"stop", stage.now);
    assert_eq!(stage.drain(), "info depth 1 score cp 3\nbestmove g1f3\n");
}

#[test]
fn only_endless_searches_wait_to_be_stopped() {
    let tape = "# quadrille tape 1\n0.000000 > go depth 9\n0.100000 > stop\n\
                0.200000 < bestmove e2e4\n0.300000 > go ponder depth 2\n0.400000 > ponderhit\n\
                0.500000 > stop\n0.600000 < bestmove d2d4\n";
    let mut stage = Stage::new(tape, Speed::Times(1.0));
    assert_eq!(stage.say("go depth 9"), "bestmove e2e4\n");
    assert_eq!(stage.now, Duration::from_millis(200));
    assert_eq!(stage.say("go ponder depth 2"), "");
    let begun = stage.now;
    assert_eq!(stage.say("ponderhit"), "bestmove d2d4\n");
    assert_eq!(stage.now, begun + Duration::from_millis(200));
}

#[test]
fn where_the_tape_is_left_is_said() {
    let mut stage = Stage::new(SESSION, Speed::AtOnce);
    stage.drain();
    stage.say("setoption name Hash value 8");
    assert!(stage.departures()[0].contains("changes nothing"));
    assert_eq!(
        stage.say("go depth 3"),
        "info depth 1 score cp 12 pv e2e4\nbestmove e2e4 ponder e7e5\n"
    );
    assert!(stage.departures()[0].contains("other limits"));
    stage.say("position startpos moves d2d4");
    let said = stage.say("go wtime 1000 btime 1000");
    assert!(said.ends_with("bestmove 0000\n"));
    assert!(stage.departures()[0].contains("null move"));
    assert_eq!(stage.say("go infinite"), "");
    assert!(stage.say("stop").ends_with("bestmove 0000\n"));
    assert_eq!(stage.departures().len(), 1);
    assert_eq!(stage.say("eval"), "");
    assert!(stage.departures()[0].contains("nothing is answered"));
    // More often than on the tape, `isready` is answered all the same.
    assert_eq!(
        (stage.say("isready"), stage.say("isready")),
        ("readyok\n".into(), "readyok\n".into())
    );
    assert!(stage.departures().is_empty());
}

#[test]
fn an_engine_that_crashed_crashes_again() {
    let tape = "# quadrille tape 1\n0.1 > uci\n0.2 < uciok\n0.3 > go depth 5\n\
                0.4 < info depth 1\n0.5 ! engine closed\n0.5 ! signal 11\n";
    let mut stage = Stage::new(tape, Speed::AtOnce);
    assert_eq!(stage.say("uci"), "uciok\n");
    assert_eq!(stage.say("go depth 5"), "info depth 1\nEND 139");
}

#[test]
fn a_conversation_is_checked() {
    let tape = read(SESSION);
    let conversation = tape.conversation(tape.dialect());
    assert_eq!(conversation.worst(), Some(Severity::Warning));
    let codes: Vec<_> = conversation.oddities().map(|(_, odd)| odd.code).collect();
    let wanted = [
        "unknown-command",
        "before-handshake",
        "newgame-without-isready",
        "foreign-command",
        "unknown-command",
        "unknown-command",
    ];
    assert_eq!(codes, wanted);
    let info = conversation
        .heard
        .iter()
        .find(|heard| heard.text.starts_with("info"))
        .unwrap();
    assert_eq!(info.meaning, "depth 1, +0.12, best e2e4, 1 plies");
    let bad = "# quadrille tape 1\n0.1 > uci\n0.2 < id name x\n0.2 < uciok\n0.3 > go depth x\n\
               0.4 < bestmove e2e4\n0.5 < bestmove e2e4\n0.6 > stop\n0.7 > isready\n0.8 ! exit 0\n";
    let tape = read(bad);
    let conversation = tape.conversation(tape.dialect());
    let codes: Vec<_> = conversation.oddities().map(|(_, odd)| odd.code).collect();
    for wanted in [
        "not-a-number",
        "go-without-position",
        "second-bestmove",
        "stop-while-idle",
        "ended-owing",
    ] {
        assert!(codes.contains(&wanted), "{wanted}: {codes:?}");
    }
    assert_eq!(
        read("# quadrille tape 1\n0.1 > ugi\n").dialect(),
        Dialect::Ugi
    );
    assert_eq!(
        read("# quadrille tape 1\n# dialect ulci\n").dialect(),
        Dialect::Ulci
    );
}

#[test]
fn tapes_are_compared_by_what_was_said() {
    let first = read(SESSION);
    let same = compare(&first, &first, Dialect::Uci, Depth::Lines);
    assert_eq!((same.differences.len(), same.shared), (0, same.same));
    // Other times, another order of answers, another clock: no difference.
    let other = SESSION.replace("0.033000 > go", "0.034567 > go").replace(
        "info depth 1 score cp 3\n",
        "info depth 1 time 5 nps 77 score cp 3\n",
    );
    assert!(
        compare(&first, &read(&other), Dialect::Uci, Depth::Lines)
            .differences
            .is_empty()
    );
    let other = SESSION.replace("bestmove g1f3", "bestmove b1c3").replace(
        "0.600000 > d\n0.601000 < a board\n0.602000 < and more\n",
        "",
    );
    let found = compare(&first, &read(&other), Dialect::Uci, Depth::WithoutInfo).differences;
    let answers = |command: &str, first: &str, second: &str| Difference::Answers {
        command: command.into(),
        first: vec![first.into()],
        second: vec![second.into()],
    };
    assert!(
        found.contains(&answers("go infinite", "bestmove g1f3", "bestmove b1c3")),
        "{found:?}"
    );
    assert!(
        found.contains(&Difference::OnlyFirst("d".into())),
        "{found:?}"
    );
}

/// A pair of pipes would do, but this is what a host has.
#[cfg(unix)]
#[test]
fn a_recorder_passes_everything_through() {
    use quadrille_transcript::Recorded;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.tape");
    let recorder = Recorder::begin(File::create(&path).unwrap(), &[]).unwrap();
    let (mut host_in, engine_side) = UnixStream::pair().unwrap();
    let (mut host_out, engine_out) = UnixStream::pair().unwrap();
    let engine = Recorded::spawn(&mut Command::new("cat")).unwrap();
    let recorded = Recorded::start(engine, recorder, engine_side, engine_out).unwrap();
    // Half a line arrives before the other half is said.
    let mut echoed = [0; 5];
    host_in.write_all(b"ab\xff\r\n").unwrap();
    host_out.read_exact(&mut echoed).unwrap();
    assert_eq!(&echoed, b"ab\xff\r\n");
    host_in.write_all(b"half ").unwrap();
    host_out.read_exact(&mut echoed).unwrap();
    assert_eq!(&echoed, b"half ");
    host_in.write_all(b"line").unwrap();
    host_in.shutdown(std::net::Shutdown::Write).unwrap();
    let mut rest = Vec::new();
    host_out.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"line");
    assert!(recorded.wait().unwrap().success());
    let tape = Tape::read(&fs::read(path).unwrap()).unwrap();
    assert_eq!(
        streams(&tape),
        [b"ab\xff\r\nhalf line", b"ab\xff\r\nhalf line"]
    );
    let last = tape.entries.last().map(|entry| entry.event.clone());
    assert_eq!(last, Some(Event::Ended("exit 0".into())));
    assert!(tape.entries.is_sorted_by_key(|entry| entry.at));
}

#[test]
fn lines_become_a_tape_and_come_back() {
    let mut bytes = head(&[("engine", "toy"), ("who", "a page")]);
    Entry::line(Duration::from_millis(5), Speaker::Host, "uci").write(&mut bytes);
    Entry::line(Duration::from_millis(6), Speaker::Engine, "uciok").write(&mut bytes);
    let tape = Tape::read(&bytes).unwrap();
    assert_eq!(tape.fact("who"), Some("a page"));
    let moments = tape.moments();
    assert!(matches!(&moments[1], Moment::Line(line) if line.text() == b"uciok"));
}
