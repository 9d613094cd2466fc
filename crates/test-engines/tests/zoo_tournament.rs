//! A tournament with each of the misbehaving engines comes to its end with the
//! right results: what can be played is played, what cannot is lost by the one
//! who could not, and nobody else pays for it.

use std::collections::BTreeSet;
use std::net::{Shutdown, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use quadrille_client::findings::{FindingCode, HostDiagnostic, Severity};
use quadrille_driver::spec::Timeouts;
use quadrille_games::Side;
use quadrille_match::config::{MatchConfig, from_flags};
use quadrille_match::stats::{SprtConfig, SprtModel};
use quadrille_match::store::{GameRow, Reader};
use quadrille_match::tournament::{
    Archive, Command, MatchEvent, Results, Summary, Tournament, TournamentError, Verdict, Watcher,
};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::zoo::inside;

#[path = "../../match/examples/watched_match.rs"]
#[expect(dead_code, reason = "its main is for people")]
mod watched_match;

/// What becomes of an animal in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It plays all its games, by the rules or up to the last move.
    Plays,
    /// It is told at the door that it cannot play.
    Refused,
    /// It loses every game, with this in its record.
    Loses(&'static str),
}

use Fate::{Loses, Plays, Refused};

const ILLEGAL: Fate = Loses("illegal move");
const STALL: Fate = Loses("stall");
const GONE: Fate = Loses("disconnect");

/// Every quirk, its game and its fate.
const FATES: &[(&str, &str, Fate)] = &[
    ("none-word", "chess", Plays),
    ("a1a1", "chess", Plays),
    ("0000", "chess", Plays),
    ("null-word", "chess", Plays),
    ("a8a8", "chess", Plays),
    ("silent-when-over", "chess", Plays),
    ("null-in-play", "chess", ILLEGAL),
    ("upper-case", "chess", Plays),
    ("trailing-junk", "chess", Plays),
    ("stray-return", "chess", Plays),
    ("bad-utf8", "chess", Plays),
    ("banner", "chess", Plays),
    ("early-uciok", "chess", Plays),
    ("spaced-options", "chess", Plays),
    ("empty-default", "chess", Plays),
    ("capital-bool", "chess", Plays),
    ("float-spin", "chess", Plays),
    ("exact-case", "chess", Plays),
    ("value-in-name", "chess", Plays),
    ("deaf-while-searching", "chess", Plays),
    ("ignores-stop", "chess", Plays),
    ("late-stop", "chess", Plays),
    ("two-bestmoves", "chess", Plays),
    ("no-info", "chess", Plays),
    ("only-bounds", "chess", Plays),
    ("info-after-bestmove", "chess", Plays),
    ("premature", "chess", Plays),
    ("illegal-ponder", "chess", Plays),
    ("illegal-pv", "chess", Plays),
    ("white-view", "chess", Plays),
    ("mate-zero", "chess", Plays),
    ("missing-keyword", "chess", Plays),
    ("any-order", "chess", Plays),
    ("flood", "chess", Plays),
    ("flood-forever", "chess", STALL),
    ("long-lines", "chess", Plays),
    ("buffered", "chess", Refused),
    ("slow-start", "chess", Plays),
    ("hangs-on-quit", "chess", Plays),
    ("not-uci", "chess", Refused),
    ("negative-is-infinite", "chess", Plays),
    ("ignores-limits", "chess", STALL),
    ("drops-commands", "chess", Plays),
    ("strict-words", "chess", Plays),
    ("strict-castling", "chess", Plays),
    ("king-to-square", "chess", Plays),
    ("dies-on-fen", "chess", Plays),
    ("dies-on-empty-moves", "chess", Plays),
    ("dies-on-bare-combo", "chess", Plays),
    ("spins-when-over", "chess", Plays),
    ("stderr-flood", "chess", Plays),
    ("king-takes-rook", "chess", Plays),
    ("san", "chess", Plays),
    ("illegal", "chess", ILLEGAL),
    ("no-move-word", "chess", ILLEGAL),
    ("late-stray", "chess", Plays),
    ("stale-answer", "chess", ILLEGAL),
    ("slow-ready", "chess", Plays),
    ("ignores-nodes", "chess", Plays),
    ("sleeps-late", "chess", Plays),
    ("spins-late", "chess", Plays),
    ("sleeps-then-spins", "chess", Plays),
    ("helper-spins", "chess", Plays),
    ("polls-late", "chess", Plays),
    ("crlf", "chess", Plays),
    ("silent", "chess", Refused),
    ("deaf", "chess", STALL),
    ("never-ready", "chess", STALL),
    ("dies-in-search", "chess", GONE),
    ("aborts-in-search", "chess", GONE),
    ("dies-after-answer", "chess", GONE),
    ("closes-output", "chess", GONE),
    ("has-child", "chess", Plays),
    ("has-runaway", "chess", Plays),
    ("copy-protected", "chess", Refused),
    ("copy-checked", "chess", Plays),
    ("wants-registration", "chess", Plays),
    ("no-id", "chess", Plays),
    ("late-option", "chess", Plays),
    ("newline-flood", "chess", STALL),
    ("endless-line", "chess", STALL),
    ("many-options", "chess", Plays),
    ("dies-in-word", "chess", GONE),
    ("has-hermit", "chess", Plays),
    ("joins-host", "chess", Plays),
    ("staff", "leiser", Plays),
    ("helios", "gyges", Plays),
    ("old-moves", "gyges", Plays),
    ("plain-ugi", "gyges", Plays),
    ("oxidation", "liberty", Plays),
    ("plain-uci", "liberty", Plays),
];

fn zoo() -> &'static str {
    env!("CARGO_BIN_EXE_zoo")
}

/// Three players: the animal, and two that behave.
fn config(game: &str, quirk: &str, more: &str) -> MatchConfig {
    let engine = |name: &str, arguments: &str| {
        vec![
            "-engine".to_owned(),
            format!("cmd={}", zoo()),
            format!("name={name}"),
            format!("args=--game {game} --lag 20 {arguments}"),
        ]
    };
    let mut words = engine("animal", quirk);
    words.extend(engine("ann", "--seed 2"));
    words.extend(engine("bob", "--seed 3"));
    let rest = format!("-game {game} -each nodes=100 -games 2 -repeat -maxmoves 8 -recover {more}");
    words.extend(rest.split_whitespace().map(String::from));
    let mut config = from_flags(words).unwrap().config;
    for entrant in &mut config.engines {
        let ms = Duration::from_millis;
        let timeouts = &mut entrant.spec.timeouts;
        timeouts.startup = ms(3000);
        timeouts.ping = ms(2000);
        timeouts.new_game = ms(2000);
        // An honest flood ends, however much else the machine does.
        timeouts.search = ms(if quirk == "flood" { 20_000 } else { 3000 });
        timeouts.grace = ms(500);
        timeouts.stop = ms(300);
        timeouts.quit = ms(300);
    }
    config
}

async fn run(config: MatchConfig) -> (Result<Summary, TournamentError>, Vec<GameRow>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let mut tournament = Tournament::create(config, &path).unwrap();
    tournament.set_opener(inside::opener());
    let (_commands, receiver) = unbounded_channel();
    let summary = tournament.run(receiver, &mut ()).await;
    let games = Reader::open(&path).unwrap().games().unwrap();
    (summary, games)
}

/// What is wrong with the outcome, if anything is.
fn judge(
    fate: Fate,
    summary: Result<Summary, TournamentError>,
    games: &[GameRow],
) -> Option<String> {
    let summary = match (fate, summary) {
        (Refused, Err(TournamentError::Engine { name, .. })) if name == "animal" => return None,
        (_, Err(error)) => return Some(error.to_string()),
        (Refused, Ok(_)) => return Some("it was let in".into()),
        (_, Ok(summary)) => summary,
    };
    if !summary.complete || games.len() != 6 {
        return Some(format!(
            "{} games, stopped: {:?}",
            games.len(),
            summary.stopped
        ));
    }
    for game in games {
        let ending = &game.end.as_ref()?.ending;
        let words = ending.termination.words();
        let animal = Side::BOTH.into_iter().find(|side| game.player(*side) == 0);
        let fault = ending.termination.is_fault();
        let right = match (fate, animal) {
            (Loses(how), Some(side)) => words == how && ending.loser() == Some(side),
            _ => !fault,
        };
        if !right {
            return Some(format!("game {}: {ending}", game.new.number));
        }
    }
    None
}

#[test]
fn every_animal_has_a_fate() {
    let list = inside::list();
    let known: BTreeSet<&str> = list
        .lines()
        .filter_map(|line| line.get(4..)?.split_whitespace().next())
        .collect();
    let here: BTreeSet<&str> = FATES.iter().map(|fate| fate.0).collect();
    assert_eq!(here, known);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tournaments_with_every_animal_end_well() {
    // Some can only be what they are on Unix.
    let known_here = |fate: &&(&str, &str, Fate)| {
        cfg!(unix)
            || !["closes-output", "has-hermit", "has-runaway", "joins-host"].contains(&fate.0)
    };
    let mut waiting = FATES.iter().filter(known_here);
    let mut running = JoinSet::new();
    let mut wrong = Vec::new();
    loop {
        while running.len() < 6
            && let Some(&(quirk, game, fate)) = waiting.next()
        {
            running.spawn(async move {
                let (summary, games) = run(config(game, quirk, "")).await;
                (quirk, judge(fate, summary, &games))
            });
        }
        match running.join_next().await {
            Some(judged) => {
                let (quirk, problem) = judged.unwrap();
                wrong.extend(problem.map(|problem| format!("{quirk}: {problem}")));
            }
            None => break,
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The findings of the animal over a tournament.
async fn findings(quirk: &str, more: &str) -> (Results, Vec<String>) {
    let (summary, _) = run(config("chess", quirk, more)).await;
    let results = summary.unwrap().results;
    let codes = results.findings[0].keys();
    let codes = codes.map(ToString::to_string).collect();
    (results, codes)
}

#[tokio::test]
async fn what_they_do_wrong_is_listed() {
    for (quirk, code) in [
        ("illegal-pv", "illegal-pv"),
        ("long-lines", "line-cut"),
        ("two-bestmoves", "second-bestmove"),
        ("illegal-ponder", "illegal-ponder"),
        ("only-bounds", "only-bounds"),
        ("stderr-flood", "wrote-to-stderr"),
    ] {
        let (results, codes) = findings(quirk, "").await;
        assert!(
            codes.iter().any(|known| known == code),
            "{quirk}: {codes:?}"
        );
        for other in [1, 2] {
            let others = &results.findings[other];
            assert!(!others.contains_key(&code.into()), "{quirk}: {others:?}");
        }
    }
}

/// However busy the machine is: only the clock of the animal ends a game.
fn be_patient(config: &mut MatchConfig) {
    for (player, entrant) in config.engines.iter_mut().enumerate() {
        entrant.spec.timeouts = Timeouts::default();
        if player > 0 {
            entrant.time = "60".parse().expect("a minute");
        }
    }
}

#[tokio::test]
async fn an_engine_that_does_not_look_at_its_clock_loses_on_time() {
    let mut config = config("chess", "ignores-limits", "-each tc=0.05+0.01 nodes=100");
    be_patient(&mut config);
    let (summary, games) = run(config).await;
    assert_eq!(judge(Loses("time forfeit"), summary, &games), None);
}

/// Time before `readyok` is time to think, and is paid for. Only processes: what a
/// network takes is not the engine's.
#[tokio::test]
async fn an_engine_that_delays_readyok_loses_on_time() {
    let mut config = config("chess", "slow-ready", "-each tc=0.5");
    config.engines[0]
        .spec
        .args
        .extend(["--lag".into(), "400".into()]);
    config.engines.pop();
    be_patient(&mut config);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let tournament = Tournament::create(config, &path).unwrap();
    let (_commands, receiver) = unbounded_channel();
    let summary = tournament.run(receiver, &mut ()).await.unwrap();
    let code = HostDiagnostic::SlowReady.into();
    assert!(summary.results.findings[0].contains_key(&code));
    assert!(!summary.results.findings[1].contains_key(&code));
    let reader = Reader::open(&path).unwrap();
    for game in reader.games().unwrap() {
        let animal = Side::BOTH.into_iter().find(|side| game.player(*side) == 0);
        let ending = game.end.unwrap().ending;
        assert_eq!(ending.termination.words(), "time forfeit", "{ending}");
        assert_eq!(ending.loser(), animal, "{ending}");
    }
}

#[tokio::test]
async fn an_option_that_no_engine_has_is_the_users_mistake() {
    let mut wrong = config("chess", "", "");
    wrong.engines[1]
        .spec
        .options
        .push(("Hsah".into(), Some("1".into())));
    let (summary, games) = run(wrong).await;
    let error = summary.unwrap_err();
    assert!(matches!(error, TournamentError::Option { .. }), "{error}");
    let said = error.to_string();
    assert!(said.contains("'ann'") && said.contains("Hash"), "{said}");
    assert!(games.is_empty());
}

/// An option that was set for all engines and that some have is no fault of the
/// others.
#[tokio::test]
async fn an_option_that_others_have_is_told_and_blamed_on_none() {
    struct Notes(Vec<String>);
    impl Watcher for Notes {
        fn event(&mut self, event: &MatchEvent, _: &Results) {
            if let MatchEvent::Warning { reason } = event
                && reason.contains("no option")
            {
                self.0.push(reason.clone());
            }
        }
    }
    let mut config = config("chess", "late-option", "");
    for entrant in &mut config.engines {
        let option = ("Late".into(), Some("1".into()));
        entrant.spec.options.push(option);
    }
    let folder = TempDir::new().unwrap();
    let mut tournament = Tournament::create(config, &folder.path().join("event.db")).unwrap();
    tournament.set_opener(inside::opener());
    let (_commands, receiver) = unbounded_channel();
    let mut notes = Notes(Vec::new());
    let summary = tournament.run(receiver, &mut notes).await.unwrap();
    assert_eq!(notes.0.len(), 2, "{:?}", notes.0);
    assert!(
        notes.0[0].starts_with("ann has no option Late"),
        "{:?}",
        notes.0
    );
    for findings in &summary.results.findings {
        assert!(
            !findings.contains_key(&HostDiagnostic::UnknownOption.into()),
            "{findings:?}"
        );
    }
}

/// What is printed as a warning is what a strict event does not forgive.
#[tokio::test]
async fn a_strict_event_fails_on_every_warning() {
    let (summary, _) = run(config("chess", "banner", "-strict")).await;
    let summary = summary.unwrap();
    let chat = &summary.results.findings[0][&FindingCode::from("unknown-command")];
    assert_eq!(chat.severity, Severity::Warning);
    assert_eq!(summary.verdict(), Verdict::Strict);
}

/// Keeps all that happens.
#[derive(Default)]
struct Seen(Vec<MatchEvent>);

impl Watcher for Seen {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        self.0.push(event.clone());
    }
}

/// The fastchess manual's own example asks for more than a small machine has.
#[tokio::test]
async fn of_more_games_than_processors_as_many_run_as_there_are() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let more = "-each tc=10 -rounds 1 -concurrency 1000000";
    let tournament = Tournament::create(config("chess", "", more), &path).unwrap();
    let (_sender, commands) = unbounded_channel();
    let mut seen = Seen::default();
    let summary = tournament.run(commands, &mut seen).await.unwrap();
    assert!(summary.complete, "{summary:?}");
    let warned = |event: &&MatchEvent| matches!(event, MatchEvent::Warning { reason } if reason.contains("-force-concurrency"));
    assert_eq!(seen.0.iter().filter(warned).count(), 1, "{:?}", seen.0);
    let MatchEvent::Start { concurrency, .. } = &seen.0[0] else {
        panic!("{:?}", seen.0[0])
    };
    assert!((1..1_000_000).contains(concurrency), "{concurrency}");
    // What was asked for is kept: another machine may have it.
    let kept = Archive::open(&path).unwrap().config().machine.concurrency;
    assert_eq!(kept, 1_000_000);
}

#[tokio::test]
async fn an_engine_that_dies_on_a_position_loses_from_there() {
    let folder = TempDir::new().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "4k3/8/8/8/8/8/4P3/4K3 w - -\n").unwrap();
    let openings = format!("-openings file={} format=epd", book.display());
    let (summary, games) = run(config("chess", "dies-on-fen", &openings)).await;
    assert_eq!(judge(GONE, summary, &games), None);
}

#[tokio::test]
async fn without_recover_a_crash_ends_the_match() {
    let mut config = config("chess", "dies-in-search", "");
    config.machine.recover = false;
    let (summary, games) = run(config).await;
    let summary = summary.unwrap();
    assert!(!summary.complete);
    let trouble = summary.trouble.unwrap();
    assert!(
        trouble.contains("animal") && trouble.contains("out of memory"),
        "{trouble}"
    );
    assert!(games.len() < 6);
}

/// A test between two players of whom the first loses every game.
fn decided_soon() -> MatchConfig {
    let mut config = config("chess", "illegal", "-rounds 100 -concurrency 2");
    config.engines.pop();
    config.schedule.sprt = Some(SprtConfig {
        elo1: 200.0,
        model: SprtModel::Logistic,
        ..SprtConfig::default()
    });
    config
}

#[tokio::test]
async fn a_test_stops_by_itself_and_a_decided_one_plays_no_further_game() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let tournament = Tournament::create(decided_soon(), &path).unwrap();
    let (_commands, receiver) = unbounded_channel();
    let summary = tournament.run(receiver, &mut ()).await.unwrap();
    let played = summary.results.standing().finished;
    assert!(
        summary.decided && !summary.complete,
        "{:?}",
        summary.stopped
    );
    assert!((2..200).contains(&played), "{played} games");

    let tournament = Tournament::resume(&path).unwrap();
    let (_commands, receiver) = unbounded_channel();
    let again = tournament.run(receiver, &mut ()).await.unwrap();
    assert_eq!(
        again.results.standing().finished,
        played,
        "it was decided before"
    );
    assert!(again.decided, "{:?}", again.stopped);
    assert_eq!(again.verdict(), Verdict::Weaker);
    assert_eq!(again.verdict(), summary.verdict());
    let games = Reader::open(&path).unwrap().games().unwrap();
    let finished = games.iter().filter(|game| game.end.is_some()).count();
    assert_eq!(finished as u64, played);
}

#[tokio::test]
async fn the_example_of_a_watched_match_works() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let zoo = env!("CARGO_BIN_EXE_zoo");
    watched_match::play([zoo, zoo], &path).await.unwrap();
    let games = Reader::open(&path).unwrap().games().unwrap();
    assert!(games.len() == 2 && games.iter().all(|game| game.end.is_some()));
}

/// Gives everything up as soon as one game has ended.
struct Hasty(tokio::sync::mpsc::UnboundedSender<Command>);

impl Watcher for Hasty {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        if matches!(event, MatchEvent::GameEnd { .. }) {
            self.0.send(Command::Abort).unwrap();
        }
    }
}

#[tokio::test]
async fn what_ends_while_all_is_given_up_is_counted_or_not_stored() {
    for _ in 0..20 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("event.db");
        let config = config("chess", "illegal", "-rounds 10 -concurrency 8");
        let mut tournament = Tournament::create(config, &path).unwrap();
        tournament.set_opener(inside::opener());
        let (commands, receiver) = unbounded_channel();
        let summary = tournament.run(receiver, &mut Hasty(commands)).await;
        let counted = summary.unwrap().results.standing().finished;
        let games = Reader::open(&path).unwrap().games().unwrap();
        let stored = games.iter().filter(|game| game.end.is_some()).count();
        assert_eq!(stored as u64, counted);
    }
}

/// Writes every event as JSON and reads it back.
#[derive(Default)]
struct Echo {
    names: BTreeSet<String>,
}

impl Watcher for Echo {
    fn wants_plies(&self) -> bool {
        true
    }

    fn event(&mut self, event: &MatchEvent, _: &Results) {
        let value = serde_json::to_value(event).unwrap();
        let read: MatchEvent = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), value);
        self.names.insert(value["event"].as_str().unwrap().into());
    }
}

#[tokio::test]
async fn every_event_is_read_back_from_its_json() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let mut tournament = Tournament::create(decided_soon(), &path).unwrap();
    tournament.set_opener(inside::opener());
    let (commands, receiver) = unbounded_channel();
    for command in [Command::Concurrency(3), Command::Pause, Command::Resume] {
        commands.send(command).unwrap();
    }
    let mut echo = Echo::default();
    tournament.run(receiver, &mut echo).await.unwrap();
    let names: Vec<&str> = echo.names.iter().map(String::as_str).collect();
    for name in [
        "concurrency",
        "game-end",
        "game-start",
        "paused",
        "ply",
        "resumed",
        "score",
        "start",
        "stopping",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

/// A server of animals: one for each connection, as many as come.
fn serve_animals() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let served = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&served);
    thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            count.fetch_add(1, Ordering::Relaxed);
            thread::spawn(move || {
                let handle = || stream.try_clone().unwrap();
                let _ = inside::live(&[], handle(), handle());
                let _ = stream.shutdown(Shutdown::Both);
            });
        }
    });
    (port, served)
}

/// An engine on the network keeps its connection between games, or gets a fresh
/// one for each where the user wants it restarted.
#[tokio::test]
async fn an_engine_on_the_network_plays_like_any_other() {
    // Before the first game it is asked who it is.
    for (restart, connections) in [(false, 1), (true, 3)] {
        let (port, served) = serve_animals();
        let mut config = config("chess", "", "");
        config.engines.truncate(2);
        let spec = &mut config.engines[0].spec;
        spec.command = format!("tcp://127.0.0.1:{port}").into();
        spec.args.clear();
        spec.restart = restart;
        let (summary, games) = run(config).await;
        assert!(summary.unwrap().complete);
        assert_eq!(games.len(), 2);
        for game in &games {
            let ending = &game.end.as_ref().unwrap().ending;
            assert!(!ending.termination.is_fault(), "{ending}");
        }
        assert_eq!(served.load(Ordering::Relaxed), connections);
    }
}
