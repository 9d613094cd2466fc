//! Positions and searches: what an engine is asked, and its answers awaited.

use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::Dialect;

use super::examiner::Examiner;
use super::heard::{Answer, End, Running};
use quadrille_driver::EngineOption;

/// What a search is limited by, in words that every dialect has a form for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    Depth(u32),
    Millis(u64),
    Infinite,
}

/// From this depth on a slow engine may need very long.
const SOME_DEPTH: u32 = 4;

/// Nodes a second for which the usual times are made, and how many times as long they
/// are at most.
const USUAL_SPEED: f64 = 10_000.0;
const SLOWEST: f64 = 10.0;

/// The fewest nodes that a search is limited to.
const FEW_NODES: u64 = 500;

/// So long after `go` a number of nodes says how fast an engine is.
const TOLD_FROM: Duration = Duration::from_millis(10);

/// A search that gets nearer to its end is waited for so long.
const LONGEST: Duration = Duration::from_mins(1);

/// Where a search that never ends gets its limits in UGI.
const UGI_ENDLESS: [(&str, &str); 2] = [("maxply", "127"), ("maxtime", "1000000")];

impl Examiner<'_> {
    /// Sets up the end of a line.
    pub(super) fn position(&mut self, line: &AnyLine) {
        self.root = line.clone();
        let words = position_words(line);
        self.say(&words);
    }

    /// The words of `go` for a limit, after the options that UGI has in its place.
    pub(super) fn limit(&mut self, limit: Limit) -> String {
        if self.dialect == Dialect::Ugi {
            let seconds = |ms: u64| format!("{}.{:03}", ms / 1000, ms % 1000);
            let [mut plies, mut time] = UGI_ENDLESS.map(|(name, value)| (name, value.to_owned()));
            match limit {
                Limit::Depth(depth) => plies.1 = depth.to_string(),
                Limit::Millis(ms) => time.1 = seconds(ms),
                Limit::Infinite => {}
            }
            for (name, value) in [plies, time] {
                let name = self.spelling(name);
                self.say(&format!("setoption {name} {value}"));
            }
            return "go".into();
        }
        match limit {
            Limit::Depth(depth) => format!("go depth {depth}"),
            // Leiserchess has a clock and no time for a move.
            Limit::Millis(ms) if self.dialect == Dialect::Leiser => {
                format!("go time {} inc 0", ms * 10)
            }
            Limit::Millis(ms) => format!("go movetime {ms}"),
            Limit::Infinite => "go infinite".into(),
        }
    }

    /// An option as the engine writes it; as the document does where it is not
    /// declared.
    pub(super) fn spelling(&self, name: &str) -> String {
        let declared = self.option(name).map(|option| option.name.clone());
        declared.unwrap_or_else(|| match name {
            "maxply" => "MaxPly".into(),
            "maxtime" => "MaxTime".into(),
            _ => name.into(),
        })
    }

    pub(super) fn option(&self, name: &str) -> Option<&EngineOption> {
        let same = |option: &&EngineOption| option.name.eq_ignore_ascii_case(name);
        self.options.iter().find(same)
    }

    /// Sets an option that the engine has; whether it has it.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> bool {
        let Some(option) = self.option(name) else {
            return false;
        };
        let line = set_option_words(self.dialect, &option.name.clone(), Some(value));
        self.say(&line);
        match name.to_ascii_lowercase().as_str() {
            "multipv" => self.lines_wanted = value.parse().unwrap_or(1),
            "uci_chess960" => self.chess960 = value == "true",
            "uci_showcurrline" => self.shows_currline = value == "true",
            _ => {}
        }
        true
    }

    /// Starts a search.
    pub(super) fn go(&mut self, words: &str) {
        let mut only = Vec::new();
        let mut depth = None;
        let mut list = words.split_whitespace().peekable();
        while let Some(word) = list.next() {
            match word {
                "searchmoves" => {
                    while let Some(text) = list.next_if(|text| self.root.parse_move(text).is_ok()) {
                        only.push(text.to_owned());
                    }
                }
                "depth" => depth = list.peek().and_then(|text| text.parse().ok()),
                _ => {}
            }
        }
        if let Some(talk) = &mut self.talk {
            talk.mark();
        }
        self.note_running(only, depth);
        self.say(words);
    }

    /// Waits for the answer to a `go` that was sent together with other commands;
    /// whether it came and can be played.
    pub(super) async fn expect_second(&mut self) -> bool {
        if self.answers_twice {
            // Which of the answers is to which search cannot be said.
            self.note_symptom("bestmove.once");
        }
        self.note_running(Vec::new(), None);
        let answered = self.await_answer(self.search_patience()).await;
        self.running = None;
        answered && self.answer.as_ref().is_some_and(Answer::is_legal)
    }

    /// A search runs from the position that was set up last.
    fn note_running(&mut self, only: Vec<String>, depth: Option<u64>) {
        self.answer = None;
        self.running = Some(Running {
            root: self.root.clone(),
            since: Instant::now(),
            infos: Vec::new(),
            stopped: false,
            only,
            depth,
            numbered: (None, Vec::new()),
        });
    }

    /// Waits for the answer of the search that runs.
    pub(super) async fn await_answer(&mut self, patience: Duration) -> bool {
        let Some(mut wait) = self.begin_wait(patience) else {
            return false;
        };
        while self.running.is_some() {
            if self.hear_in(&mut wait).await.is_none() {
                return false;
            }
        }
        if self.answers_twice {
            self.settle().await;
        }
        true
    }

    /// Hears what the engine still has to say about a search that it has answered: a second
    /// answer would be taken for one to the next search.
    pub(super) async fn settle(&mut self) {
        let owed = self.talk.as_ref().map(|talk| talk.sides.owed());
        // Another search may have been asked for already.
        let is_done = self.running.is_none() && owed.is_some_and(|owed| owed.bestmove == 0);
        if !self.unsettled || !is_done || !self.is_alive() {
            return;
        }
        self.unsettled = false;
        if !self.ready().await && self.is_alive() {
            self.give_up("readyok never came, the engine is ended here");
            let id = self.asking;
            self.expect(id, false, || {
                "isready was not answered after the search".into()
            });
        }
    }

    /// Waits for the answer to a stop that was sent already.
    pub(super) async fn await_stopped(&mut self) -> Answer {
        if let Some(running) = &mut self.running {
            running.stopped = true;
        }
        if !self.await_answer(self.patience.stop).await {
            return self.unanswered();
        }
        self.answer
            .take()
            .unwrap_or_else(|| Answer::none(End::Never))
    }

    /// A search that did not obey stop: the engine is ended.
    fn unanswered(&mut self) -> Answer {
        let end = if self.is_alive() {
            End::Never
        } else {
            End::Died
        };
        self.running = None;
        if end == End::Never {
            self.note_symptom("stop.infinite");
            self.give_up("bestmove never came, the engine is ended here");
        }
        Answer::none(end)
    }

    /// Stops the search that runs. An engine that does not obey is ended.
    pub(super) async fn stop(&mut self) -> Answer {
        if let Some(running) = &mut self.running {
            running.stopped = true;
            self.say("stop");
            return self.await_stopped().await;
        }
        self.answer
            .take()
            .unwrap_or_else(|| Answer::none(End::Never))
    }

    /// Searches to the end. A search that lasts too long is stopped.
    pub(super) async fn search(&mut self, words: &str, patience: Duration) -> Answer {
        self.go(words);
        if self.await_answer(patience).await {
            let answer = self.answer.take();
            return answer.unwrap_or_else(|| Answer::none(End::Never));
        }
        if !self.is_alive() {
            self.running = None;
            return Answer::none(End::Died);
        }
        self.stop().await
    }

    /// A short search of the position, in the words of the dialect.
    pub(super) async fn look(&mut self, limit: Limit) -> Answer {
        let words = self.limit(limit);
        let patience = match limit {
            // Enough to see what it says; nobody needs it to get there.
            Limit::Depth(SOME_DEPTH..) => self.patience.search,
            _ => self.search_patience(),
        };
        self.search(&words, patience).await
    }

    /// How long a search of a few plies may take: the slower the engine, the longer.
    pub(super) fn search_patience(&self) -> Duration {
        let slow = self.speed.map_or(1.0, |speed| USUAL_SPEED / speed.max(1.0));
        self.patience.search.mul_f64(slow.clamp(1.0, SLOWEST))
    }

    /// Nodes that take about a third of a second, and never more than so many.
    pub(super) fn nodes_for_a_moment(&self, most: u64) -> u64 {
        // An engine that tells no nodes may be slow.
        let nodes = self.speed.map_or(most / 10, |speed| (speed / 3.0) as u64);
        (nodes / 100 * 100).clamp(FEW_NODES.min(most), most)
    }

    /// A search of so many nodes to its end, as long as the engine gets nearer to it.
    pub(super) async fn search_nodes(&mut self, words: &str, nodes: u64) -> Answer {
        let speed = self.speed.unwrap_or(nodes as f64).max(1.0);
        let expected = Duration::from_secs_f64((4.0 * nodes as f64 / speed).min(60.0));
        let patience = self.search_patience().max(expected);
        let started = Instant::now();
        self.go(words);
        let mut before = 0;
        loop {
            if self.await_answer(patience).await {
                let answer = self.answer.take();
                return answer.unwrap_or_else(|| Answer::none(End::Never));
            }
            if !self.is_alive() {
                self.running = None;
                return Answer::none(End::Died);
            }
            let infos = self.running.iter().flat_map(|running| &running.infos);
            let told = infos.filter_map(|heard| heard.nodes).max().unwrap_or(0);
            if told <= before || told >= nodes {
                return self.stop().await;
            }
            if started.elapsed() >= LONGEST {
                self.excuse_with(format!(
                    "the engine told {told} of {nodes} nodes in {:.0} s",
                    started.elapsed().as_secs_f64()
                ));
                return self.stop().await;
            }
            before = told;
        }
    }

    /// Keeps in mind how fast the engine is.
    pub(super) fn note_speed(&mut self, running: &Running) {
        let speeds = running.infos.iter().filter(|heard| heard.at >= TOLD_FROM);
        let speeds = speeds.filter_map(|heard| {
            let nodes = heard.nodes.filter(|nodes| *nodes > 0)?;
            Some(nodes as f64 / heard.at.as_secs_f64())
        });
        self.speed = speeds.chain(self.speed).reduce(f64::max);
    }

    /// Whether the engine understood a position: it answers with a move that is
    /// legal there. Otherwise that rule is broken, and no other.
    pub(super) async fn expect_understood(&mut self, id: &'static str) {
        for general in [
            "bestmove.legal",
            "bestmove.null",
            "bestmove.form",
            "bestmove.promotion",
            "bestmove.missing",
        ] {
            self.redirect(general, id);
        }
        let answer = self.look(Limit::Depth(1)).await;
        self.expect(id, answer.is_legal(), || answer.words());
    }

    /// What a search used, judged on a machine that may be busy.
    pub(super) fn leniency(&self) -> u32 {
        self.settings.leniency.max(1)
    }
}

/// A position as the dialect of its game wants it.
pub(super) fn position_words(line: &AnyLine) -> String {
    if let AnyLine::Gyges(gyges) = line {
        return format!("setpos data {}", gyges.position().ugi_text());
    }
    let start = line.start_text();
    let usual = line.game() != Game::Liberty && AnyLine::start(line.game()).start_text() == start;
    let mut words = if usual && line.rules_text() == AnyLine::start(line.game()).rules_text() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    if line.plies() > 0 {
        words += " moves ";
        words += &line.played_texts().join(" ");
    }
    words
}

/// `setoption` in the words of a dialect.
pub(super) fn set_option_words(dialect: Dialect, name: &str, value: Option<&str>) -> String {
    match (dialect, value) {
        (Dialect::Ugi, Some(value)) => format!("setoption {name} {value}"),
        (Dialect::Ugi, None) => format!("setoption {name}"),
        (_, Some(value)) => format!("setoption name {name} value {value}"),
        (_, None) => format!("setoption name {name}"),
    }
}

/// Who is to move, in a word.
pub(super) const fn side_word(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}
