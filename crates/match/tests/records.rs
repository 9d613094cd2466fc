//! Files of games and positions that grow with an event, and are not its own.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use quadrille_games::records::Notation;
use quadrille_match::config::{PgnFields, PgnOutput};
use quadrille_match::record::{Heading, Output, Outputs, PgnStyle};
use quadrille_match::store::Store;
use tempfile::TempDir;

use crate::store::{create, play, resume};

fn outputs(folder: &Path) -> Outputs {
    let fields = PgnFields {
        timeleft: true,
        latency: true,
        nodes: true,
        seldepth: true,
        nps: true,
        hashfull: true,
        tbhits: true,
        pv: true,
    };
    let style = PgnStyle {
        notation: Notation::Human,
        min: false,
        fields,
        openings: true,
    };
    Outputs {
        heading: Heading {
            event: "Test".into(),
            site: "here".into(),
            time_controls: vec!["10+0.1".into(), "10+0.1".into()],
        },
        pgn: Some((folder.join("games.pgn"), style, false)),
        epd: Some((folder.join("ends.epd"), false)),
    }
}

/// The numbers of the games in a file, in its order.
fn numbers(games: &Path) -> Vec<u64> {
    let text = fs::read_to_string(games).unwrap();
    let tags = text.lines().filter(|line| line.starts_with("[GameNumber"));
    let numbers = tags.filter_map(|tag| tag.split('"').nth(1)?.parse().ok());
    numbers.collect()
}

#[test]
fn records_stand_in_the_order_of_numbers_through_a_resume() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let games = folder.path().join("games.pgn");
    let store = Arc::new(create(&path).0);
    let output = Output::start(outputs(folder.path()), &store).unwrap();
    for number in [1, 3] {
        play(&store, number);
        output.game_ended();
    }
    assert_eq!(output.close(), None);
    let numbers = || numbers(&games);
    assert_eq!(numbers(), [1, 3], "a stopped event has all it has");
    drop(store);

    // Half a game at the end, as a crash leaves it.
    let length = fs::metadata(&games).unwrap().len();
    let file = File::options().write(true).open(&games).unwrap();
    file.set_len(length - 100).unwrap();

    let store = Arc::new(resume(&path).unwrap());
    let output = Output::start(outputs(folder.path()), &store).unwrap();
    play(&store, 2);
    output.game_ended();
    assert_eq!(output.close(), None);
    assert_eq!(numbers(), [1, 2, 3]);
    let epd = fs::read_to_string(folder.path().join("ends.epd")).unwrap();
    let last = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -\n";
    assert_eq!(epd, last.repeat(3));
    drop(store);

    // Without the file everything is written again.
    let whole = fs::read(&games).unwrap();
    fs::remove_file(&games).unwrap();
    let store = Arc::new(resume(&path).unwrap());
    let output = Output::start(outputs(folder.path()), &store).unwrap();
    assert_eq!(output.close(), None);
    assert_eq!(fs::read(&games).unwrap(), whole);
    check_text(&String::from_utf8(whole).unwrap());
}

fn check_text(text: &str) {
    let first = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
    let all = "charged=0.000s, tl=-0.001s, latency=0.000s, n=9223372036854775807, sd=20, nps=1000000, \
         hashfull=17, tbhits=0, pv=\"e7e5 g2g4 'odd'\"";
    let last = all.replace("9223372036854775807", "99");
    assert_eq!(
        first,
        format!(
            "1. f3 {{ book }} 1... e5 {{ -0.35/12 0.001s, {all} }} \
             2. g4 {{ -0.35/12 0.001s, {all} }} \
             2... Qh4# {{ +M1/12 0.001s, {last}, Black mates }} 0-1"
        )
    );
    for tag in [
        "[Round \"1\"]",
        "[EngineWhiteName \"Ann 1.0\"]",
        "[Termination \"normal\"]",
        "[TimeControl \"10+0.1\"]",
        "[PlyCount \"4\"]",
        "[ECO \"A00\"]\n[Opening \"Barnes Opening: Fool's Mate\"]\n",
        "[OpeningSource \"book.epd:7\"]",
    ] {
        assert!(text.contains(tag), "{tag} in\n{text}");
    }
}

/// An event that has played these games, and its output.
fn begin(folder: &Path, name: &str, played: &[u64]) -> (Arc<Store>, Output) {
    let store = Arc::new(create(&folder.join(name)).0);
    let output = Output::start(appending(folder), &store).unwrap();
    for number in played {
        play(&store, *number);
        output.game_ended();
    }
    (store, output)
}

fn appending(folder: &Path) -> Outputs {
    let mut outputs = outputs(folder);
    outputs.pgn.as_mut().unwrap().2 = true;
    outputs.epd.as_mut().unwrap().1 = true;
    outputs
}

fn go_on(folder: &Path, name: &str, played: &[u64]) {
    let store = Arc::new(resume(&folder.join(name)).unwrap());
    let output = Output::start(appending(folder), &store).unwrap();
    for number in played {
        play(&store, *number);
        output.game_ended();
    }
    assert_eq!(output.close(), None);
}

#[test]
fn two_events_at_once_lose_nothing_in_one_file() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let games = folder.join("games.pgn");
    fs::write(&games, "[Event \"older\"]\n\n1. e4 *").unwrap();
    let all: Vec<u64> = (1..=20).collect();
    std::thread::scope(|scope| {
        for name in ["a.db", "b.db"] {
            let all = &all;
            scope.spawn(move || {
                let (store, output) = begin(folder, name, all);
                assert_eq!(output.close(), None);
                drop(store);
            });
        }
    });
    let text = fs::read_to_string(&games).unwrap();
    assert!(text.starts_with("[Event \"older\"]\n\n1. e4 *\n\n[Event \"Test\"]"));
    let mut numbers = numbers(&games);
    numbers.sort_unstable();
    let twice: Vec<u64> = all.iter().flat_map(|n| [*n, *n]).collect();
    assert_eq!(numbers, twice);
    assert_eq!(text.matches("2... Qh4#").count(), 40);
    let epd = fs::read_to_string(folder.join("ends.epd")).unwrap();
    assert_eq!(epd.lines().count(), 40);
}

#[test]
fn what_others_wrote_meanwhile_stays() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let games = folder.join("games.pgn");
    // The first stops with a game that waits for its place.
    let (store, output) = begin(folder, "a.db", &[1, 3]);
    assert_eq!(output.close(), None);
    drop(store);
    let before = fs::read_to_string(&games).unwrap();
    let (store, output) = begin(folder, "b.db", &[1, 2]);
    assert_eq!(output.close(), None);
    drop(store);
    let both = fs::read_to_string(&games).unwrap();
    assert!(both.starts_with(&before));
    go_on(folder, "a.db", &[2, 4]);
    let after = fs::read_to_string(&games).unwrap();
    assert!(after.starts_with(&both), "nothing is cut");
    // Game 3 is not written twice, though it is out of its place.
    assert_eq!(numbers(&games), [1, 3, 1, 2, 2, 4]);
    // And nothing happens where nothing is left to do.
    go_on(folder, "a.db", &[]);
    go_on(folder, "b.db", &[]);
    assert_eq!(fs::read_to_string(&games).unwrap(), after);
    let epd = fs::read_to_string(folder.join("ends.epd")).unwrap();
    assert_eq!(epd.lines().count(), 6);
}

/// Wherever a crash cuts the file, with or without the games of another event
/// before ours, a resume makes it what it would have been.
#[test]
fn a_game_cut_short_anywhere_is_written_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let games = folder.join("games.pgn");
    let (store, output) = begin(folder, "b.db", &[1]);
    assert_eq!(output.close(), None);
    drop(store);
    let others = fs::metadata(&games).unwrap().len();
    let (store, output) = begin(folder, "a.db", &[1, 2]);
    assert_eq!(output.close(), None);
    drop(store);
    let whole = fs::read(&games).unwrap();
    for length in (others as usize..whole.len()).step_by(97) {
        // The store may know more than the file has, never the other way round.
        fs::write(&games, &whole[..length]).unwrap();
        go_on(folder, "a.db", &[]);
        assert_eq!(fs::read(&games).unwrap(), whole, "cut to {length}");
    }
    // A stranger's words at the end are none of ours, even if they look alike.
    for extra in ["[Event \"Tes", "[Event \"Test\"]\n", "x"] {
        fs::write(&games, [&whole[..], extra.as_bytes()].concat()).unwrap();
        go_on(folder, "a.db", &[]);
        let text = fs::read_to_string(&games).unwrap();
        assert!(text.ends_with(extra), "{extra}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_no_half_game_left() {
    let folder = TempDir::new().unwrap();
    let mut outputs = outputs(folder.path());
    outputs.pgn.as_mut().unwrap().0 = "/dev/full".into();
    let store = Arc::new(create(&folder.path().join("e.db")).0);
    let output = Output::start(outputs, &store).unwrap();
    play(&store, 1);
    output.game_ended();
    let said = output.close().unwrap();
    assert!(said.contains("/dev/full: No space left"), "{said}");
    assert!(said.contains("--resume"), "{said}");
}

#[test]
#[cfg(unix)]
fn a_record_that_was_removed_is_written_again() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let games = folder.join("games.pgn");
    let (store, output) = begin(folder, "event.db", &[1, 2]);
    store.flushed().blocking_recv().unwrap();
    fs::remove_file(&games).unwrap();
    play(&store, 3);
    output.game_ended();
    assert_eq!(output.close(), None);
    assert_eq!(numbers(&games), [1, 2, 3]);
}

/// `> games.pgn` in a shell, or a program that copies a log and cuts it: everything that is
/// missing is written again at the next game or at the end, and it is told.
#[test]
#[cfg(unix)]
fn a_record_that_was_cut_meanwhile_is_written_again() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let (games, ends) = (folder.join("games.pgn"), folder.join("ends.epd"));
    let cut = |length: u64| {
        for path in [&games, &ends] {
            let file = File::options().write(true).open(path).unwrap();
            file.set_len(length).unwrap();
        }
    };
    // The thread has written what it was told of, into both.
    let lines = || fs::read(&ends).map_or(0, |text| text.split(|b| *b == b'\n').count() - 1);
    let wait_for = |count: usize| {
        let begun = std::time::Instant::now();
        while numbers(&games).len() < count || lines() < count {
            assert!(begun.elapsed().as_secs() < 60);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    };
    let (store, output) = begin(folder, "event.db", &[1, 2]);
    wait_for(2);
    cut(0);
    play(&store, 3);
    output.game_ended();
    wait_for(3);
    let whole = fs::read(&games).unwrap();
    let notices = output.notices().join("\n");
    assert!(
        notices.contains("games.pgn was removed, cut or changed"),
        "{notices}"
    );
    // In the middle of a game, with a stranger's text longer than what is missing.
    let half = whole.len() as u64 / 2;
    cut(half);
    let text = [fs::read(&games).unwrap(), vec![b'x'; whole.len()]].concat();
    fs::write(&games, text).unwrap();
    play(&store, 4);
    output.game_ended();
    // And after the last game.
    wait_for(4);
    let before = fs::read_to_string(&games).unwrap();
    cut(10);
    assert_eq!(output.close(), None);
    assert_eq!(numbers(&games), [1, 2, 3, 4]);
    assert!(before.contains(&"x".repeat(whole.len())), "it stays");
    let epd = fs::read_to_string(&ends).unwrap();
    assert_eq!(epd.lines().count(), 4);
    drop(store);

    // Between two runs.
    cut(0);
    go_on(folder, "event.db", &[5]);
    assert_eq!(numbers(&games), [1, 2, 3, 4, 5]);
    assert_eq!(fs::read_to_string(&ends).unwrap().lines().count(), 5);
}

/// The reader of a pipe goes away: the other file is written on, and what is missing is said.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_that_is_read_no_more_stops_nothing() {
    use std::io::Read as _;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut outputs = appending(folder);
    outputs.pgn.as_mut().unwrap().0 = pipe.clone();
    let (begun, ready) = std::sync::mpsc::channel();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            use std::os::unix::fs::OpenOptionsExt;
            // Opened without a writer, so that the writer finds it open.
            let mut options = File::options();
            let file = options.read(true).custom_flags(libc::O_NONBLOCK).open(pipe);
            begun.send(()).unwrap();
            let mut file = file.unwrap();
            let mut byte = [0];
            while !matches!(file.read(&mut byte), Ok(1)) {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
    });
    ready.recv().unwrap();
    let store = Arc::new(create(&folder.join("e.db")).0);
    let output = Output::start(outputs, &store).unwrap();
    play(&store, 1);
    output.game_ended();
    reader.join().unwrap();
    for number in 2..=5 {
        play(&store, number);
        output.game_ended();
    }
    let mut notices = Vec::new();
    let begun = std::time::Instant::now();
    while notices.is_empty() {
        notices = output.notices();
        assert!(begun.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert_eq!(output.failure(), None, "the match goes on");
    let said = output.close().unwrap();
    assert!(said.contains("pipe: Broken pipe"), "{said}");
    assert!(said.contains("quadrille event"), "{said}");
    let epd = fs::read_to_string(folder.join("ends.epd")).unwrap();
    assert_eq!(epd.lines().count(), 5);
}

/// A file that was begun without names of openings goes on without them: what is
/// in it must stay letter by letter what the store says.
#[test]
fn an_event_from_before_there_were_names_has_none() {
    let mut old = serde_json::to_value(PgnOutput::new(Path::new("games.pgn"))).unwrap();
    assert_eq!(old["openings"], true);
    old.as_object_mut().unwrap().remove("openings");
    let old: PgnOutput = serde_json::from_value(old).unwrap();
    assert!(!old.openings);
    let folder = TempDir::new().unwrap();
    let games = folder.path().join("games.pgn");
    for (openings, named) in [(old.openings, 0), (true, 1)] {
        let path = folder.path().join(format!("{openings}.db"));
        let store = Arc::new(create(&path).0);
        let mut outputs = outputs(folder.path());
        outputs.pgn.as_mut().unwrap().1.openings = openings;
        let output = Output::start(outputs, &store).unwrap();
        play(&store, 1);
        output.game_ended();
        assert_eq!(output.close(), None);
        let text = fs::read_to_string(&games).unwrap();
        assert_eq!(text.matches("[ECO ").count(), named, "{text}");
    }
}
