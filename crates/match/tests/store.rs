//! The file of an event: what goes in comes out, and a file that is not one is
//! told apart.

use std::fs;
use std::path::Path;
use std::time::Duration;

use quadrille_client::findings::{Finding, HostDiagnostic, Severity};
use quadrille_driver::EngineScore;
use quadrille_games::records::GameResult;
use quadrille_games::{Game, Side};
use quadrille_match::referee::{Ending, Ply};
use quadrille_match::stats::Effort;
use quadrille_match::store::{
    EventRow, GameEnd, GameState, NewGame, PlayedAt, PlayerRow, Reader, Store, StoreError, claim,
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

pub(crate) fn create(path: &Path) -> (Store, UnboundedReceiver<String>) {
    let (sender, receiver) = unbounded_channel();
    let store = Store::create(path, &event(), &players(), sender).unwrap();
    (store, receiver)
}

pub(crate) fn resume(path: &Path) -> Result<Store, StoreError> {
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
        score: Some(EngineScore::Cp(-35)),
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
    mate.score = Some(EngineScore::Mate(1));
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
            code: HostDiagnostic::IllegalPv.into(),
            severity: Severity::Warning,
            count: 3,
            example: "e7e5 g2g4 {odd}".into(),
        }],
        played_at: None,
    }
}

pub(crate) fn play(store: &Store, number: u64) {
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
    assert!(matches!(resume(&path), Err(StoreError::Busy { .. })));
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
    assert!(matches!(
        resume(&path("text")),
        Err(StoreError::Foreign { .. })
    ));

    let other = rusqlite::Connection::open(path("other")).unwrap();
    other.execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(
        Reader::open(&path("other")),
        Err(StoreError::Foreign { .. })
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
        "INSERT INTO game VALUES (1,1,1,0,1,1,'','draughts','','','finished','*','','','',0,'','',
         NULL,NULL)",
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
    old.execute_batch(
        "ALTER TABLE ply DROP COLUMN charged; ALTER TABLE game DROP COLUMN worker;
         ALTER TABLE game DROP COLUMN scale; PRAGMA user_version = 1",
    )
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

#[test]
fn a_file_from_before_games_had_workers_is_read_and_goes_on() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("old.db");
    let (store, _) = create(&path);
    play(&store, 1);
    drop(store);
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch(
        "ALTER TABLE game DROP COLUMN worker; ALTER TABLE game DROP COLUMN scale;
         PRAGMA user_version = 2",
    )
    .unwrap();
    drop(old);
    let places = || {
        let games = Reader::open(&path).unwrap().games().unwrap();
        let ends = games.into_iter().map(|game| game.end.unwrap());
        ends.map(|end| end.played_at).collect::<Vec<_>>()
    };
    assert_eq!(places(), [None]);
    let store = resume(&path).unwrap();
    let elsewhere = PlayedAt {
        worker: "attic".into(),
        permille: 1250,
    };
    store.game_started(new_game(2));
    let mut end = end();
    end.played_at = Some(elsewhere.clone());
    drop(store.game_ended(2, end));
    drop(store);
    assert_eq!(places(), [None, Some(elsewhere)]);
}

#[test]
fn a_game_that_begins_anew_keeps_its_opening_only() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("again.db");
    let (store, _) = create(&path);
    let opening = new_game(1).book.len();
    store.game_started(new_game(1));
    for (index, ply) in plies().into_iter().enumerate() {
        store.ply(1, opening + index + 1, ply);
    }
    store.game_again(1);
    for (index, ply) in plies().into_iter().take(1).enumerate() {
        store.ply(1, opening + index + 1, ply);
    }
    drop(store);
    let kept = Reader::open(&path).unwrap().plies(1).unwrap();
    assert_eq!(kept.len(), opening + 1);
}

/// What stands in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_store_at_rest_is_one_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let (store, _) = create(&path);
    play(&store, 1);
    drop(store);
    assert_eq!(names(folder.path()), ["event.db"]);
    drop(resume(&path).unwrap());
    assert!(!Store::is_running(&path));
    assert_eq!(Reader::open(&path).unwrap().games().unwrap().len(), 1);
    assert_eq!(names(folder.path()), ["event.db"]);
}

#[test]
fn a_strangers_file_gets_nothing_beside_it_and_is_told_what_it_is() {
    let folder = TempDir::new().unwrap();
    let other = rusqlite::Connection::open(folder.path().join("b.db")).unwrap();
    other.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(other);
    fs::write(folder.path().join("c.toml"), "rounds = 1\n[[engine]]\n").unwrap();
    fs::write(folder.path().join("d"), "").unwrap();
    fs::write(folder.path().join("games.pgn"), "\n[Event \"x\"]\n\n*\n").unwrap();
    let before = names(folder.path());
    for (name, said) in [
        ("b.db", "a database of another program"),
        ("c.toml", "a description of a match: use --config"),
        ("d", "it is empty"),
        ("games.pgn", "a record of games (PGN)"),
    ] {
        let error = resume(&folder.path().join(name)).unwrap_err().to_string();
        assert!(error.contains("not the file of an event"), "{error}");
        assert!(error.contains(said), "{name}: {error}");
        assert!(!Store::is_running(&folder.path().join(name)));
    }
    assert_eq!(names(folder.path()), before);
}

#[test]
fn the_one_who_runs_an_event_is_told() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let (store, _) = create(&path);
    let error = resume(&path).unwrap_err().to_string();
    let this = format!("process {} (quadrille test, since 2", std::process::id());
    assert!(error.contains(&this), "{error}");
    drop(store);
    // The name alone proves nothing: the one who had it is gone.
    let store = resume(&path).unwrap();
    let runner = Store::runner(&path).unwrap().unwrap();
    assert!(runner.program.starts_with("quadrille 0"), "{runner}");
    drop(store);
    assert_eq!(Store::runner(&path), None);
}

#[test]
fn events_of_one_moment_have_files_of_their_own() {
    let folder = TempDir::new().unwrap();
    let claims: Vec<_> = (0..8)
        .map(|_| {
            let folder = folder.path().to_path_buf();
            std::thread::spawn(move || claim(&folder, "A match!", "2026-11-15T09:02:56Z").unwrap())
        })
        .collect();
    let mut claimed: Vec<_> = claims.into_iter().map(|c| c.join().unwrap()).collect();
    claimed.sort();
    claimed.dedup();
    assert_eq!(claimed.len(), 8);
    assert!(claimed.contains(&folder.path().join("a-match--2026-11-15T090256Z.db")));
    for path in &claimed {
        drop(create(path));
    }
}

#[test]
fn another_program_that_holds_the_file_is_waited_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    drop(create(&path));
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| resume(&path).map(drop));
        // Long enough for the other to meet the lock; if it does not, it passes.
        std::thread::sleep(Duration::from_millis(300));
        other.execute_batch("COMMIT").unwrap();
        waiting.join().unwrap().unwrap();
    });
}

#[test]
#[cfg(unix)]
fn a_store_that_was_removed_takes_no_further_game() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let (store, _controls) = create(&path);
    play(&store, 1);
    fs::remove_file(&path).unwrap();
    store.game_started(new_game(2));
    assert!(store.game_ended(2, end()).blocking_recv().is_err());
    let said = store.failure().unwrap().to_string();
    assert!(said.contains("was moved, removed or replaced"), "{said}");
}
