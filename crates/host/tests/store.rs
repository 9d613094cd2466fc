//! The file of an event: what goes in comes out, and a file that is not one is
//! told apart.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::records::{GameResult, Notation};
use quadrille_games::{Game, Side};
use quadrille_host::findings::{Finding, Oddity, Severity};
use quadrille_host::record::{Fields, Output, Outputs, PgnStyle};
use quadrille_host::referee::{Ending, Ply, PlyScore};
use quadrille_host::stats::Effort;
use quadrille_host::store::{
    EventRow, GameEnd, GameState, NewGame, PlayerRow, Reader, Store, StoreError,
};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

fn event() -> EventRow {
    EventRow {
        program: "quadrille test".into(),
        created: "2026-11-15T09:00:00Z".into(),
        config: "{}".into(),
    }
}

fn players() -> Vec<PlayerRow> {
    let player = |name: &str| PlayerRow {
        name: name.into(),
        engine: Some(format!("{name} 1.0")),
        author: None,
    };
    vec![player("Ann"), player("Bob")]
}

fn create(path: &Path) -> (Store, UnboundedReceiver<String>) {
    let (sender, receiver) = unbounded_channel();
    let store = Store::create(path, &event(), &players(), sender).unwrap();
    (store, receiver)
}

fn resume(path: &Path) -> Result<Store, StoreError> {
    Store::resume(path, unbounded_channel().0)
}

fn new_game(number: u64) -> NewGame {
    NewGame {
        number,
        round: number.div_ceil(2),
        pairing: number.div_ceil(2),
        players: if number % 2 == 1 { [0, 1] } else { [1, 0] },
        opening: 7,
        label: "book.epd:7".into(),
        game: Game::Chess,
        rules: String::new(),
        start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        book: vec![Ply::book("f2f3".into(), "f3".into())],
        started: "2026-11-15T09:00:01Z".into(),
    }
}

fn plies() -> Vec<Ply> {
    let ply = |text: &str, notation: &str| Ply {
        text: text.into(),
        notation: notation.into(),
        score: Some(PlyScore::Cp(-35)),
        depth: Some(12),
        seldepth: Some(20),
        nodes: Some(u64::MAX),
        nps: Some(1_000_000),
        hashfull: Some(17),
        tbhits: Some(0),
        pv: Some("e7e5 g2g4 {odd}".into()),
        elapsed: Duration::from_micros(1234),
        charged: Duration::from_micros(234),
        told: Some(Duration::from_millis(1)),
        clock_us: Some(-500),
        ..Ply::default()
    };
    let mut mate = ply("d8h4", "Qh4#");
    mate.score = Some(PlyScore::Mate(1));
    mate.nodes = Some(99);
    vec![ply("e7e5", "e5"), ply("g2g4", "g4"), mate]
}

fn end() -> GameEnd {
    GameEnd {
        ending: Ending {
            result: GameResult::BlackWins,
            termination: serde_json::from_str(r#"{"kind":"rules","reason":"checkmate"}"#).unwrap(),
        },
        ended: "2026-11-15T09:00:02Z".into(),
        duration_us: 1_000_000,
        sides: [Effort::default(); 2],
        findings: vec![Finding {
            side: Some(Side::Black),
            code: Oddity::IllegalPv.into(),
            severity: Severity::Warning,
            count: 3,
            example: "e7e5 g2g4 {odd}".into(),
        }],
    }
}

fn play(store: &Store, number: u64) {
    store.game_started(new_game(number));
    for (index, ply) in plies().into_iter().enumerate() {
        store.ply(number, index + 2, ply);
    }
    store.game_ended(number, end()).blocking_recv().unwrap();
}

#[test]
fn what_goes_in_comes_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let (store, _) = create(&path);
    play(&store, 1);
    let reader = store.reader().unwrap();
    assert_eq!(reader.event().unwrap(), event());
    assert_eq!(reader.players().unwrap(), players());
    let game = reader.game(1).unwrap().unwrap();
    let wanted = NewGame {
        book: Vec::new(),
        ..new_game(1)
    };
    assert_eq!(game.new, wanted);
    assert_eq!(game.end, Some(end()));
    let mut moves = plies();
    moves.insert(0, Ply::book("f2f3".into(), "f3".into()));
    // SQLite's integers end at 63 bits.
    moves[1].nodes = Some(i64::MAX as u64);
    moves[2].nodes = Some(i64::MAX as u64);
    assert_eq!(reader.plies(1).unwrap(), moves);
    assert_eq!(reader.game(2).unwrap(), None);
}

#[test]
fn a_game_that_was_cut_short_is_given_up_and_begun_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let (store, _) = create(&path);
    play(&store, 1);
    store.game_started(new_game(2));
    store.ply(2, 2, plies().remove(0));
    drop(store);

    let store = resume(&path).unwrap();
    let reader = store.reader().unwrap();
    let states: Vec<GameState> = reader.games().unwrap().iter().map(|g| g.state).collect();
    assert_eq!(states, [GameState::Finished, GameState::Abandoned]);
    assert_eq!(reader.plies(2).unwrap().len(), 2, "its moves are kept");
    store.game_started(new_game(2));
    store.flushed().blocking_recv().unwrap();
    assert_eq!(reader.plies(2).unwrap().len(), 1, "until it begins again");
}

#[test]
fn only_one_process_runs_an_event() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    assert!(matches!(resume(&path), Err(StoreError::Missing(_))));
    let (store, mut controls) = create(&path);
    assert!(Store::is_running(&path));
    assert!(matches!(resume(&path), Err(StoreError::Busy(_))));
    // Another process may talk to it.
    Store::control(&path, "pause").unwrap();
    assert_eq!(controls.blocking_recv().unwrap(), "pause");
    drop(store);
    assert!(!Store::is_running(&path));
    let again = Store::create(&path, &event(), &players(), unbounded_channel().0);
    assert!(matches!(again, Err(StoreError::Exists(_))));
}

#[test]
fn a_file_that_is_not_ours_is_told_apart() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "[Event \"no database\"]\n".repeat(100)).unwrap();
    assert!(matches!(resume(&path("text")), Err(StoreError::Foreign(_))));

    let other = rusqlite::Connection::open(path("other")).unwrap();
    other.execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(
        Reader::open(&path("other")),
        Err(StoreError::Foreign(_))
    ));

    drop(create(&path("newer")));
    let newer = rusqlite::Connection::open(path("newer")).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(
        resume(&path("newer")),
        Err(StoreError::Version { found: 99, .. })
    ));

    let (store, _) = create(&path("cut"));
    for number in 1..40 {
        play(&store, number);
    }
    drop(store);
    let whole = fs::read(path("cut")).unwrap();
    fs::write(path("cut"), &whole[..whole.len() / 2]).unwrap();
    let error = resume(&path("cut")).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");

    drop(create(&path("odd")));
    let odd = rusqlite::Connection::open(path("odd")).unwrap();
    odd.execute_batch(
        "INSERT INTO game VALUES (1,1,1,0,1,1,'','draughts','','','finished','*','','','',0,'','')",
    )
    .unwrap();
    let error = Reader::open(&path("odd")).unwrap().games().unwrap_err();
    assert!(error.to_string().contains("draughts"), "{error}");
}

#[test]
fn a_file_of_the_first_format_is_read_and_goes_on() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("old.db");
    let (store, _) = create(&path);
    play(&store, 1);
    drop(store);
    let old = rusqlite::Connection::open(&path).unwrap();
    // What the format of today has more.
    old.execute_batch("ALTER TABLE ply DROP COLUMN charged; PRAGMA user_version = 1")
        .unwrap();
    drop(old);
    let charged = |game| {
        let plies = Reader::open(&path).unwrap().plies(game).unwrap();
        plies[1].charged.as_micros()
    };
    // The file is only read, by a program that may not write it: it stays.
    assert_eq!(charged(1), 1234, "the clock ran as on the wall");
    let store = resume(&path).unwrap();
    play(&store, 2);
    drop(store);
    assert_eq!((charged(1), charged(2)), (1234, 234));
    let new = rusqlite::Connection::open(&path).unwrap();
    let version: i64 = new
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert!(version > 1);
    drop(resume(&path).unwrap());
}

fn outputs(folder: &Path) -> Outputs {
    let fields = Fields {
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
    };
    Outputs {
        event: "Test".into(),
        site: "here".into(),
        time_controls: vec!["10+0.1".into(), "10+0.1".into()],
        pgn: Some((folder.join("games.pgn"), style, false)),
        epd: Some((folder.join("ends.epd"), false)),
    }
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
    let numbers = || {
        let text = fs::read_to_string(&games).unwrap();
        let tags = text.lines().filter(|line| line.starts_with("[GameNumber"));
        let numbers = tags.filter_map(|tag| tag.split('"').nth(1)?.parse().ok());
        numbers.collect::<Vec<u64>>()
    };
    assert_eq!(numbers(), [1, 3], "a stopped event has all it has");
    drop(store);

    // Half a game at the end, as a crash leaves it.
    let mut file = fs::OpenOptions::new().append(true).open(&games).unwrap();
    file.write_all(b"[Event \"ha").unwrap();

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
        "[OpeningSource \"book.epd:7\"]",
    ] {
        assert!(text.contains(tag), "{tag} in\n{text}");
    }
}
