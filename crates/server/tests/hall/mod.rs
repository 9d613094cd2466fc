//! Conversations with the hall, as transcripts with a clock of the test's own.
//!
//! A script is read line by line. `A` is a connection:
//!
//! ```text
//! A connects              a connection is opened (from 10.0.0.1; `from 10.0.0.9` says another)
//! A is lobby Ann          the whole handshake of a client, unread: `lobby` (a person who knows
//!                         the lobby), `person`, `engine` (plain UCI), `ulci` (an engine with
//!                         all pieces), `bot` (an engine that knows the lobby)
//! A> uciok                A says
//! A< uci                  the next line that A hears; `…` stands for any text
//! A<< lobby end …         the same, with whatever comes before it passed over
//! A.                      A has heard nothing more
//! A~                      A has heard whatever it has heard
//! A is cut off            the hall closed the connection
//! A closes                A's side closed it
//! + 1500                  so many milliseconds pass
//! ! {"order": ...}        the operator
//! ```

mod absence;
mod accounts;
mod engines;
mod games;
mod greeting;
mod hostile;
mod hostile_floods;
mod hostile_play;
mod hostile_work;
mod lobby;
mod logins;
mod matches;
mod reference;
mod restart;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quadrille_games::random::SplitMix64;
use quadrille_server::hall::{ConnId, Effect, Hall, Keep, Kept, Order, Settings, StoredGame};
use quadrille_server::password::{self, Work};

pub(crate) struct Stage {
    pub(crate) hall: Hall,
    pub(crate) now: Duration,
    conns: BTreeMap<String, ConnId>,
    heard: BTreeMap<ConnId, VecDeque<String>>,
    closed: Vec<ConnId>,
    next: u64,
    /// What is kept, as a store would have it.
    pub(crate) games: BTreeMap<u64, StoredGame>,
    pub(crate) kept: Vec<Keep>,
    pub(crate) answers: Vec<serde_json::Value>,
    /// Words that a script names as `$1`, `$2`: passwords, tokens.
    words: Vec<String>,
    pub(crate) drained: bool,
}

pub(crate) fn settings() -> Settings {
    Settings::default()
}

impl Stage {
    pub(crate) fn new(settings: Settings) -> Self {
        Self::with(settings, Kept::default(), 1)
    }

    pub(crate) fn with(settings: Settings, kept: Kept, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let games = kept.games.iter().map(|game| (game.number, game.clone()));
        let games = games.collect();
        let hall = Hall::new(settings, "Quadrille", Box::new(move || random.next()), kept);
        Self {
            hall,
            now: Duration::from_secs(1000),
            conns: BTreeMap::new(),
            heard: BTreeMap::new(),
            closed: Vec::new(),
            next: 1,
            games,
            kept: Vec::new(),
            answers: Vec::new(),
            words: Vec::new(),
            drained: false,
        }
    }

    pub(crate) fn word(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// Carries out what the hall wants, as a server would.
    pub(crate) fn settle(&mut self) {
        for _ in 0..1000 {
            let effects = self.hall.effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                self.carry_out(effect);
            }
        }
        panic!("the hall never rests");
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Send(conn, line) => {
                assert!(!line.contains(['\n', '\r', '\x1b']), "{line:?}");
                self.heard
                    .entry(conn)
                    .or_default()
                    .push_back(line.to_string());
            }
            Effect::Close(conn) => self.closed.push(conn),
            Effect::Check {
                conn,
                password,
                hash,
            } => self
                .hall
                .checked(conn, password::is(&password, &hash), self.now),
            Effect::Hash { conn, password } => {
                let hash = password::hash(&password, Work::Small).expect("a hash");
                self.hall.hashed(conn, Some(&hash), self.now);
            }
            Effect::Keep(keep) => {
                match &keep {
                    Keep::Start(game) => {
                        self.games.insert(game.number, (**game).clone());
                    }
                    Keep::Ply(game, number, ply) => {
                        let game = self.games.get_mut(game).expect("a game that was begun");
                        game.plies.push((**ply).clone());
                        assert_eq!(game.plies.len(), *number);
                    }
                    Keep::Takeback(game, left) => {
                        let game = self.games.get_mut(game).expect("a game that was begun");
                        game.plies.truncate(*left);
                    }
                    Keep::End(game, ..) => {
                        self.games.remove(game);
                        self.hall.written(*game, self.now);
                    }
                    _ => {}
                }
                self.kept.push(keep);
            }
            Effect::Log(_) => {}
            Effect::Drained => self.drained = true,
        }
    }

    pub(crate) fn conn(&self, who: &str) -> ConnId {
        *self
            .conns
            .get(who)
            .unwrap_or_else(|| panic!("{who} has not connected"))
    }

    pub(crate) fn connect(&mut self, who: &str, address: &str) {
        let conn = ConnId(self.next);
        self.next += 1;
        self.conns.insert(who.into(), conn);
        let address = address.parse().expect("an address");
        self.hall.connect(conn, Some(address), self.now);
        self.settle();
    }

    pub(crate) fn say(&mut self, who: &str, line: &str) {
        self.hall.line(self.conn(who), line, self.now, self.now);
        self.settle();
    }

    pub(crate) fn pass(&mut self, ms: u64) {
        let until = self.now + Duration::from_millis(ms);
        for _ in 0..10_000 {
            match self.hall.deadline().filter(|at| *at <= until) {
                Some(at) => self.now = self.now.max(at),
                None => break,
            }
            self.hall.tick(self.now);
            self.settle();
        }
        self.now = until;
        self.hall.tick(until);
        self.settle();
    }

    pub(crate) fn heard(&mut self, who: &str) -> Vec<String> {
        let conn = self.conn(who);
        self.heard.remove(&conn).unwrap_or_default().into()
    }

    pub(crate) fn is_cut_off(&self, who: &str) -> bool {
        self.closed.contains(&self.conn(who))
    }

    /// Connects and says who it is.
    pub(crate) fn enter(&mut self, who: &str, kind: &str, name: &str, address: &str) {
        self.connect(who, address);
        let pieces = "id pieces kmqcaehuriwbznxlop";
        let username = format!("id username {name}");
        let program = format!("id name {name}");
        let all = "id games chess liberty leiser gyges";
        let lines: &[&str] = match kind {
            "lobby" => &[
                "id name Page",
                "id version 1",
                pieces,
                &username,
                all,
                "id lobby 1",
            ],
            "person" => &["id name Liberty Chess", "id version 1", pieces, &username],
            "engine" => &[&program, "id author me"],
            "ulci" => &[&program, "id version 1", pieces],
            "bot" => &[&program, "id version 1", pieces, all, "id lobby 1"],
            other => panic!("there is no kind {other}"),
        };
        for line in lines {
            self.say(who, line);
        }
        self.say(who, "uciok");
        // A greeting is looked at where it is the point.
        let lines = self.heard(who);
        let rest = lines
            .into_iter()
            .filter(|l| l != "uci" && !l.starts_with("lobby welcome"));
        let conn = self.conn(who);
        self.heard.insert(conn, rest.collect());
    }

    pub(crate) fn order(&mut self, json: &str) -> serde_json::Value {
        let order: Order = serde_json::from_str(json).unwrap_or_else(|e| panic!("{json}: {e}"));
        let answer = match self.hall.operate(order, self.now) {
            Ok(answer) => answer,
            Err(why) => serde_json::json!({ "error": why.to_string() }),
        };
        self.settle();
        self.answers.push(answer.clone());
        answer
    }

    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (i, word) in self.words.iter().enumerate() {
            text = text.replace(&format!("${}", i + 1), word);
        }
        text
    }

    fn expect(&mut self, who: &str, wanted: &str, pass_over: bool, number: usize) {
        let conn = self.conn(who);
        let queue = self.heard.entry(conn).or_default();
        let mut passed = Vec::new();
        while let Some(line) = queue.pop_front() {
            if fits(wanted, &line) {
                return;
            }
            passed.push(line);
            assert!(
                pass_over,
                "line {number}: {who} heard\n  {}\nnot\n  {wanted}",
                passed[0]
            );
        }
        panic!(
            "line {number}: {who} did not hear\n  {wanted}\nbut\n  {}",
            passed.join("\n  ")
        );
    }

    pub(crate) fn run(&mut self, script: &str) {
        for (number, line) in script.lines().enumerate() {
            let line = self.filled(line.trim());
            let number = number + 1;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(ms) = line.strip_prefix("+ ") {
                self.pass(ms.trim().parse().expect("milliseconds"));
            } else if let Some(order) = line.strip_prefix("! ") {
                self.order(order);
            } else if let Some((who, said)) = split(&line, ">") {
                self.say(who, said);
            } else if let Some((who, wanted)) = split(&line, "<<") {
                self.expect(who, wanted, true, number);
            } else if let Some((who, wanted)) = split(&line, "<") {
                self.expect(who, wanted, false, number);
            } else if let Some(who) = line.strip_suffix('.') {
                let left = self.heard(who);
                assert!(left.is_empty(), "line {number}: {who} also heard {left:#?}");
            } else if let Some(who) = line.strip_suffix('~') {
                self.heard(who);
            } else {
                self.act(&line, number);
            }
        }
    }

    fn act(&mut self, line: &str, number: usize) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [who, "connects"] => self.connect(who, "10.0.0.1"),
            [who, "connects", "from", address] => self.connect(who, address),
            [who, "closes"] => {
                self.hall.closed(self.conn(who), self.now);
                self.settle();
            }
            [who, "is", "cut", "off"] => {
                assert!(self.is_cut_off(who), "line {number}: {who} is still in");
            }
            [who, "is", "in"] => {
                assert!(!self.is_cut_off(who), "line {number}: {who} is cut off");
            }
            [who, "is", kind, name] => self.enter(who, kind, name, "10.0.0.1"),
            [who, "is", kind, name, "from", address] => self.enter(who, kind, name, address),
            _ => panic!("line {number}: what is {line}?"),
        }
    }
}

fn split<'a>(line: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (who, text) = line.split_once(mark)?;
    let one = !who.is_empty() && who.chars().all(char::is_alphanumeric);
    one.then(|| (who, text.strip_prefix(' ').unwrap_or(text)))
}

/// Whether a line is what was wanted; `…` stands for any text.
fn fits(wanted: &str, line: &str) -> bool {
    let mut parts = wanted.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut left) = line.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return left.is_empty();
    };
    for part in middle {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

/// Tests, one for each conversation.
macro_rules! conversations {
    ($($(#[$about:meta])* $name:ident: $script:literal)+) => {
        $(
            $(#[$about])*
            #[test]
            fn $name() {
                crate::hall::Stage::new(crate::hall::settings()).run($script);
            }
        )+
    };
}
pub(crate) use conversations;
