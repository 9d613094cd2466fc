//! The desk of a page without a server, with our own engines at the other end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quadrille_desk::alone::{Alone, Beginning, Deed};
use quadrille_desk::wire::{
    Answer, Ask, Focus, FromPage, Level, LineView, NewTable, News, SearchLimits, Seat, TableAction,
    TableView, TimeSetting, ToPage, Topic,
};
use quadrille_engine::{Machine, Moment, Session, Step, TimeSource};
use quadrille_games::Game;

use crate::common::{engine, start};

/// A clock that goes on by a little whenever it is looked at, so that nothing here
/// depends on how busy the machine is.
#[derive(Debug)]
struct Steady;

impl TimeSource for Steady {
    fn now(&self) -> Moment {
        static LOOKS: AtomicU64 = AtomicU64::new(0);
        let looks = LOOKS.fetch_add(1, Ordering::Relaxed);
        Moment::after_origin(Duration::from_micros(200 * looks))
    }
}

/// A page, its desk and its engines.
struct Page {
    desk: Alone,
    number: u32,
    now: f64,
    engines: BTreeMap<u32, Session>,
    heard: Vec<ToPage>,
    kept: BTreeMap<String, String>,
    lines: Vec<String>,
}

impl Page {
    fn new(kept: BTreeMap<String, String>) -> Self {
        let beginning = Beginning {
            program: "Quadrille".into(),
            run: "x".into(),
            kept: kept.clone().into_iter().collect(),
        };
        let (mut desk, mut deeds) = Alone::new(beginning, vec![engine(1)], 1_000.0);
        let (number, greeting) = desk.join(1_000.0);
        deeds.extend(greeting);
        let mut page = Self {
            desk,
            number,
            now: 1_000.0,
            engines: BTreeMap::new(),
            heard: Vec::new(),
            kept,
            lines: Vec::new(),
        };
        page.take(deeds);
        page
    }

    fn take(&mut self, deeds: Vec<Deed>) {
        for deed in deeds {
            match deed {
                Deed::Send { page, message } => {
                    assert_eq!(page, self.number);
                    self.heard.push(*message);
                }
                Deed::Keep { key, value } => {
                    match value {
                        Some(value) => self.kept.insert(key, value),
                        None => self.kept.remove(&key),
                    };
                }
                Deed::Start {
                    worker,
                    game,
                    rules,
                } => {
                    let machine = Machine {
                        time: Arc::new(Steady),
                        threads: false,
                        memory: None,
                        entropy: 7,
                    };
                    let session = Session::new(game, &rules, &machine).expect("our own rules");
                    self.engines.insert(worker, session);
                }
                Deed::Tell { worker, line } => {
                    self.lines.push(line.clone());
                    let session = self.engines.get_mut(&worker).expect("started");
                    session.feed(line.as_bytes(), Steady.now());
                }
                Deed::End { worker } => drop(self.engines.remove(&worker)),
                Deed::Wake { .. } => {}
            }
        }
    }

    fn say(&mut self, message: &FromPage) {
        let text = serde_json::to_string(message).expect("JSON");
        let deeds = self.desk.said(self.number, &text, self.now);
        self.take(deeds);
    }

    fn ask(&mut self, ask: Ask) -> Answer {
        self.say(&FromPage::Ask { id: 5, ask });
        let answer = self.heard.iter().rev().find_map(|message| match message {
            ToPage::Answer { id: 5, answer } => Some((**answer).clone()),
            ToPage::Refused { refusal, .. } => panic!("{refusal:?}"),
            _ => None,
        });
        answer.expect("an answer")
    }

    fn follow(&mut self, topic: Topic) {
        let version = None;
        self.say(&FromPage::Follow { topic, version });
    }

    /// Lets engines work for a while; whether there is more to do.
    fn work(&mut self) -> bool {
        self.now += 50.0;
        let mut more = false;
        let workers: Vec<u32> = self.engines.keys().copied().collect();
        for worker in workers {
            let Some(session) = self.engines.get_mut(&worker) else {
                continue;
            };
            let step = session.step(Duration::from_millis(20));
            more |= step == Step::Working;
            let said = session.take_lines();
            for line in String::from_utf8_lossy(&said).lines() {
                more = true;
                let deeds = self.desk.heard(worker, line, self.now);
                self.take(deeds);
            }
        }
        let deeds = self.desk.tick(self.now);
        self.take(deeds);
        more
    }

    fn table(&self) -> Option<&TableView> {
        self.heard.iter().rev().find_map(|message| match message {
            ToPage::News { news, .. } => match &**news {
                News::Table(view) => Some(view),
                _ => None,
            },
            _ => None,
        })
    }

    fn best_lines(&self) -> Option<&[LineView]> {
        self.heard.iter().rev().find_map(|message| match message {
            ToPage::News { news, .. } => match &**news {
                News::Lines(view) if !view.running => Some(&*view.lines),
                _ => None,
            },
            _ => None,
        })
    }
}

fn machine(level: Level) -> Seat {
    Seat::Engine { engine: 1, level }
}

#[test]
fn engines_play_all_four_games_in_workers() {
    for game in Game::ALL {
        let mut page = Page::new(BTreeMap::new());
        let table = NewTable {
            start: start(game),
            seats: (machine(Level::Step(1)), machine(Level::Step(2))),
            time: TimeSetting::Unlimited { engine: 1_000.0 },
        };
        let Answer::Table(id) = page.ask(Ask::NewTable { table }) else {
            panic!("a table");
        };
        page.follow(Topic::Table(id));
        for _ in 0..2_000 {
            let view = page.table().expect("told");
            if view.end.is_some() || view.plies.len() >= 12 {
                break;
            }
            page.work();
        }
        let view = page.table().expect("told");
        let enough = view.plies.len() >= 12 || view.end.is_some();
        assert!(enough, "{game}: {:?} {:?}", view.end, page.lines);
        let limited = |line: &String| line.to_lowercase().contains("limitstrength");
        assert!(page.lines.iter().any(limited), "{game}");
        assert!(page.kept.contains_key(&format!("table/{id}")));
    }
}

#[test]
fn engines_analyse_all_four_games_in_workers() {
    for game in Game::ALL {
        let mut page = Page::new(BTreeMap::new());
        let Answer::Study(study) = page.ask(Ask::NewStudy {
            start: start(game),
            title: None,
        }) else {
            panic!("a study");
        };
        let Answer::Board(board) = page.ask(Ask::Look { study, node: 0 }) else {
            panic!("a board");
        };
        // The second player's moves are turned in Gyges.
        let text = board.moves[3].text.clone();
        let node = 0;
        let Answer::Node(node) = page.ask(Ask::Play { study, node, text }) else {
            panic!("a node");
        };
        page.follow(Topic::Analysis);
        let focus = Focus {
            study,
            node,
            engines: vec![1],
            lines: 3,
            limits: SearchLimits {
                depth: Some(2),
                ..SearchLimits::default()
            },
            moves: Vec::new(),
            threat: false,
        };
        page.ask(Ask::Analyse { focus });
        for _ in 0..2_000 {
            if page.best_lines().is_some() {
                break;
            }
            page.work();
        }
        let lines = page.best_lines().expect("an end").to_vec();
        assert_eq!(lines.len(), 3, "{game}: {:?}", page.lines);
        let moves = vec![lines[1].moves[0].clone()];
        page.ask(Ask::Preview { study, node, moves });
    }
}

#[test]
fn a_search_without_end_is_stopped_for_the_next() {
    let mut page = Page::new(BTreeMap::new());
    let Answer::Study(study) = page.ask(Ask::NewStudy {
        start: start(Game::Chess),
        title: None,
    }) else {
        panic!("a study");
    };
    page.follow(Topic::Analysis);
    let focus = |node, depth| Focus {
        study,
        node,
        engines: vec![1],
        lines: 1,
        limits: SearchLimits {
            depth,
            ..SearchLimits::default()
        },
        moves: Vec::new(),
        threat: false,
    };
    page.ask(Ask::Analyse {
        focus: focus(0, None),
    });
    for _ in 0..20 {
        page.work();
    }
    let text = "e4".to_owned();
    let node = 0;
    let Answer::Node(e4) = page.ask(Ask::Play { study, node, text }) else {
        panic!("a node");
    };
    page.ask(Ask::Analyse {
        focus: focus(e4, Some(2)),
    });
    for _ in 0..2_000 {
        if page.best_lines().is_some() {
            break;
        }
        page.work();
    }
    let lines = page.best_lines().expect("the second search ends").to_vec();
    assert!(lines[0].score.cp.is_some() || lines[0].score.mate.is_some());
    assert_eq!(page.engines.len(), 1, "one worker does both");
    assert!(page.lines.contains(&"go infinite".to_owned()));
    assert!(page.lines.contains(&"stop".to_owned()));
}

/// Two hints at once, in tables of different positions: each table gets its own.
#[test]
fn hints_of_two_tables_do_not_meet() {
    let mut page = Page::new(BTreeMap::new());
    let person = || Seat::Person {
        name: String::new(),
    };
    let tables = [
        "7k/8/8/8/8/8/8/R6K w - - 0 1",
        "k7/8/8/8/8/8/8/K6R w - - 0 1",
    ]
    .map(|position| {
        let mut start = start(Game::Chess);
        start.position = position.into();
        let table = NewTable {
            start,
            seats: (person(), person()),
            time: TimeSetting::Unlimited { engine: 100.0 },
        };
        let Answer::Table(id) = page.ask(Ask::NewTable { table }) else {
            panic!("a table");
        };
        page.follow(Topic::Clock(id));
        id
    });
    for table in tables {
        let action = TableAction::Hint;
        page.ask(Ask::Act { table, action });
    }
    let hint = |page: &Page, id| {
        page.heard.iter().rev().find_map(|message| match message {
            ToPage::News { topic, news, .. } if *topic == Topic::Clock(id) => match &**news {
                News::Clock(status) => status.hint.clone(),
                _ => None,
            },
            _ => None,
        })
    };
    for _ in 0..2_000 {
        if tables.iter().all(|&id| hint(&page, id).is_some()) {
            break;
        }
        page.work();
    }
    for id in tables {
        assert!(hint(&page, id).is_some(), "{:?}", page.lines);
    }
    assert!(!page.lines.contains(&"stop".to_owned()), "{:?}", page.lines);
}

#[test]
fn a_worker_that_dies_is_told() {
    let mut page = Page::new(BTreeMap::new());
    let table = NewTable {
        start: start(Game::Chess),
        seats: (
            machine(Level::Full),
            Seat::Person {
                name: String::new(),
            },
        ),
        time: TimeSetting::Unlimited { engine: 100.0 },
    };
    let Answer::Table(id) = page.ask(Ask::NewTable { table }) else {
        panic!("a table");
    };
    page.follow(Topic::Table(id));
    for worker in [1, 2] {
        let deeds = page.desk.died(worker, "out of memory", page.now);
        page.take(deeds);
    }
    let view = page.table().expect("told");
    assert!(view.end.is_some() && view.seats.0.trouble.is_some());
}

#[test]
fn tabs_share_a_desk() {
    let mut page = Page::new(BTreeMap::new());
    page.follow(Topic::Studies);
    let (other, greeting) = page.desk.join(page.now);
    assert_ne!(other, page.number);
    let to_other = |deed: &Deed| matches!(deed, Deed::Send { page, .. } if *page == other);
    assert!(greeting.iter().any(to_other));
    let ask = Ask::NewStudy {
        start: start(Game::Chess),
        title: None,
    };
    let text = serde_json::to_string(&FromPage::Ask { id: 1, ask }).expect("JSON");
    let deeds = page.desk.said(other, &text, page.now);
    let told = |deed: &&Deed| matches!(deed, Deed::Send { page: to, .. } if *to == page.number);
    assert_eq!(
        deeds.iter().filter(told).count(),
        1,
        "the first tab hears of it"
    );
    assert_eq!(deeds.iter().filter(|deed| to_other(deed)).count(), 1);
    assert_eq!(page.desk.left(other, page.now), []);
}
