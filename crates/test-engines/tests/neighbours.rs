//! No game may hurt another: not by what its engines do, and not because of what
//! watches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use quadrille_games::Side;
use quadrille_match::config::{MatchConfig, from_flags};
use quadrille_match::store::{GameRow, Reader};
use quadrille_match::tournament::{MatchEvent, Results, Summary, Tournament, Watcher};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// An animal with much time, and two that behave and have little.
fn config(quirk: &str, more: &str) -> MatchConfig {
    let mut words: Vec<String> = Vec::new();
    for (name, arguments, time) in [
        ("animal", quirk, "tc=2 restart=on"),
        ("ann", "--seed 2", "tc=0.5+0.01"),
        ("bob", "--seed 3", "tc=0.5+0.01"),
    ] {
        let zoo = env!("CARGO_BIN_EXE_zoo");
        words.extend([
            "-engine".into(),
            format!("cmd={zoo}"),
            format!("name={name}"),
        ]);
        words.push(format!("args={arguments}"));
        words.extend(time.split(' ').map(String::from));
    }
    let rest = format!("-games 2 -repeat -maxmoves 30 -recover -force-concurrency {more}");
    words.extend(rest.split_whitespace().map(String::from));
    let mut config = from_flags(words).unwrap().config;
    for entrant in &mut config.engines {
        entrant.spec.timeouts.stop = Duration::from_millis(300);
        entrant.spec.timeouts.quit = Duration::from_secs(2);
    }
    config
}

async fn run(config: MatchConfig, watcher: &mut dyn Watcher) -> (Summary, Vec<GameRow>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let tournament = Tournament::create(config, &path).unwrap();
    let (_commands, receiver) = unbounded_channel();
    let summary = tournament.run(receiver, watcher).await.unwrap();
    let games = Reader::open(&path).unwrap().games().unwrap();
    (summary, games)
}

/// All games at once on one thread, where there is nothing but manners that keeps
/// one from holding up the others.
#[tokio::test]
async fn a_flood_costs_only_its_own_game() {
    for (quirk, loses) in [("newline-flood", true), ("many-options", false)] {
        let mut config = config(quirk, "");
        config.machine.concurrency = 6;
        let (summary, games) = run(config, &mut ()).await;
        assert!(summary.complete, "{quirk}: {:?}", summary.stopped);
        assert_eq!(games.len(), 6, "{quirk}");
        for game in games {
            let ending = game.end.as_ref().unwrap().ending.clone();
            let animal = Side::BOTH.into_iter().find(|side| game.player(*side) == 0);
            let right = match animal {
                Some(side) if loses => ending.loser() == Some(side),
                _ => !ending.termination.is_fault(),
            };
            assert!(right, "{quirk}, game {}: {ending}", game.new.number);
        }
    }
}

/// Behind for a while after every game that begins.
#[derive(Default)]
struct Slow {
    behind: AtomicUsize,
    begun: usize,
}

impl Watcher for Slow {
    fn event(&mut self, event: &MatchEvent, _: &Results) {
        if matches!(event, MatchEvent::GameStart { .. }) {
            assert_eq!(self.behind.swap(5, Ordering::Relaxed), 0);
            self.begun += 1;
        }
    }

    fn is_behind(&self) -> bool {
        let left = self.behind.load(Ordering::Relaxed);
        self.behind.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }
}

#[tokio::test]
async fn no_game_begins_while_the_watcher_is_behind() {
    let mut slow = Slow::default();
    let mut config = config("", "-each nodes=10");
    // Several would begin at once, and the watcher would say so.
    config.machine.concurrency = 1;
    let (summary, games) = run(config, &mut slow).await;
    assert!(summary.complete);
    assert_eq!((slow.begun, games.len()), (6, 6));
}
