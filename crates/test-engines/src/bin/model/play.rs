//! A search from `go` to `bestmove`.

use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{Command, Go};

use super::engine::Engine;
use super::think::{Root, Tree, WIN};

/// The name of a model that breaks no rule and is slow, at some thousand nodes a second.
const SLOW: &str = "slow";

/// What a search is limited by.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) depth: Option<u32>,
    nodes: Option<u64>,
    /// From the start, or from `ponderhit`.
    time: Option<Duration>,
    /// The time is to be used up.
    whole: bool,
    pub(crate) clock: Option<i64>,
    infinite: bool,
    pub(crate) ponder: bool,
    pub(crate) mate: Option<u64>,
    pub(crate) only: Vec<String>,
    /// Words of `go`, to tell one scene from another.
    pub(crate) words: String,
}

/// A search that runs.
pub(crate) struct Search {
    pub(crate) plan: Plan,
    pub(crate) start: Instant,
    pub(crate) stopped: bool,
    pub(crate) pondering: bool,
    /// From when on time counts.
    counts: Instant,
    pub(crate) roots: Vec<Root>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) number: u32,
}

impl Search {
    fn is_over_time(&self) -> bool {
        let over = |time: Duration| self.counts.elapsed() >= time;
        !self.pondering && !self.plan.infinite && self.plan.time.is_some_and(over)
    }

    pub(crate) fn finds_mate(&self) -> bool {
        let best = self.roots.first().map_or(0, |root| root.score);
        best.abs() > WIN - 100
    }
}

impl Engine {
    pub(crate) fn go(&mut self, go: &Go<'_>, text: &str) {
        self.searches += 1;
        self.die_if("games.survive/later", self.searches == 5);
        let plan = self.plan(go, text);
        self.die_if("terminal.mate/ends", self.line.legal(1).is_empty());
        let clock = plan.clock.unwrap_or(0);
        self.die_if("clock.negative/ends", clock < 0);
        self.die_if("clock.movestogo-zero", go.get_movestogo() == Some(0));
        let tiny = self.breaks("go.nodes-one") && plan.nodes == Some(1)
            || self.breaks("go.movetime-one") && go.get_movetime() == Some(1);
        if tiny {
            self.say("bestmove 0000");
            return;
        }
        if self.breaks("input.go-first") && !self.has_position {
            self.say("bestmove 0000");
            return;
        }
        if self.breaks("ready.at-once") {
            self.waiting.retain(|line| line != b"isready");
        }
        let first_stop = self.is_waiting("stop");
        let early_hit = self.is_waiting("ponderhit");
        self.fresh_position = false;
        let mut search = Search {
            start: Instant::now(),
            stopped: false,
            pondering: plan.ponder,
            counts: Instant::now(),
            roots: self.roots(&plan.only),
            depth: 0,
            nodes: 0,
            number: self.searches,
            plan,
        };
        if self.breaks("stop.at-once") && first_stop {
            self.waiting.clear();
            self.say("bestmove 0000");
            return;
        }
        if early_hit && self.breaks("ponder.hit-at-once") {
            self.waiting.retain(|line| line != b"ponderhit");
        }
        self.searched = true;
        self.before(&mut search);
        let over = search.roots.is_empty();
        if !over {
            self.iterate(&mut search);
        }
        self.hold(&mut search, over);
        if self.quits {
            return;
        }
        self.answer(&search);
        self.was_over = over;
        self.was_stopped = search.stopped;
        self.just_stopped = search.stopped;
        if self.breaks("go.keeps-position")
            && let Some(best) = search.roots.first()
        {
            let _ = self.line.push(best.value);
        }
    }

    fn roots(&self, only: &[String]) -> Vec<Root> {
        let line = &self.line;
        let over = line.legal(1).is_empty();
        let moves = if over { Vec::new() } else { line.legal(4096) };
        let all = moves.into_iter().filter_map(|value| {
            let text = line.text_of(value).ok()?;
            Some(Root {
                value,
                pv: vec![text.clone()],
                text,
                score: 0,
            })
        });
        let lost = |text: &str| text.len() == 5 && !text.ends_with('q');
        let lost = |text: &str| self.breaks("score.mate-underpromotion") && lost(text);
        let wanted =
            |root: &Root| (only.is_empty() || only.contains(&root.text)) && !lost(&root.text);
        all.filter(wanted).collect()
    }

    /// The limits, as a mutant reads them.
    fn plan(&mut self, go: &Go<'_>, text: &str) -> Plan {
        let mut plan = Plan {
            depth: go.get_depth().map(|depth| depth as u32),
            nodes: go.get_nodes(),
            infinite: go.is_infinite(),
            ponder: go.is_ponder(),
            mate: go.get_mate(),
            words: text.into(),
            ..Plan::default()
        };
        if let Some(moves) = go.get_searchmoves() {
            let legal = |text: &String| self.line.parse_move(text).is_ok();
            plan.only = moves.iter().map(|m| m.to_string()).filter(legal).collect();
        }
        if let Some(ms) = go.get_movetime() {
            plan.time = Some(Duration::from_millis(ms.max(0) as u64));
            plan.whole = true;
        }
        self.read_clock(go, &mut plan);
        if self.game() == Game::Gyges {
            plan.depth = self.options.max_ply.filter(|&ply| ply < 100);
            plan.time = self.options.max_time;
            plan.infinite = plan.depth.is_none() && plan.time.is_none();
        }
        let limited = plan.depth.is_some()
            || plan.nodes.is_some()
            || plan.time.is_some()
            || plan.mate.is_some();
        plan.infinite |= !limited;
        self.break_limits(go, &mut plan);
        self.keep_limits(go, &mut plan);
        plan
    }

    /// What was said of the search before is kept by a mutant where nothing is said now.
    fn keep_limits(&mut self, go: &Go<'_>, plan: &mut Plan) {
        let before = std::mem::take(&mut self.limits);
        if plan.words.trim() == "go infinite" {
            let time = before.movetime.filter(|ms| ms.as_millis() == 30);
            if self.breaks("go.limits-forgotten") && time.is_some() {
                plan.time = time;
                plan.infinite = false;
            }
            let depth = before.depth.filter(|_| before.nodes.is_none());
            if self.breaks("go.limits-forgotten/depth") && depth == Some(1) {
                plan.depth = depth;
                plan.infinite = false;
            }
            if self.breaks("go.limits-forgotten/nodes") && before.nodes == Some(200) {
                plan.nodes = before.nodes;
                plan.infinite = false;
            }
        }
        if self.breaks("go.searchmoves-forgotten") && plan.only.is_empty() {
            let legal = |text: &String| self.line.parse_move(text).is_ok();
            plan.only = before
                .only
                .iter()
                .filter(|text| legal(text))
                .cloned()
                .collect();
        }
        self.limits.depth = go.get_depth().map(|depth| depth as u32);
        self.limits.nodes = go.get_nodes();
        let movetime = go.get_movetime();
        self.limits.movetime = movetime.map(|ms| Duration::from_millis(ms.max(0) as u64));
        self.limits.only.clone_from(&plan.only);
    }

    fn read_clock(&self, go: &Go<'_>, plan: &mut Plan) {
        let black = self.line.side() == Side::Black;
        let (own, inc) = match (self.game(), black) {
            (Game::Leiser, _) => (go.get_time(), go.get_inc()),
            (_, false) => (go.get_wtime(), go.get_winc()),
            (_, true) => (go.get_btime(), go.get_binc()),
        };
        let mut own = own;
        if self.breaks("clock.own-side") && black && go.get_wtime().is_some() {
            own = go.get_wtime();
        }
        let Some(left) = own else {
            return;
        };
        plan.clock = Some(left);
        plan.whole = true;
        let inc = inc.unwrap_or(0).clamp(0, 100);
        let share = left / if go.get_movestogo() == Some(1) { 3 } else { 20 } + inc / 4;
        let most = (left - left / 3).max(0);
        plan.time = Some(Duration::from_millis(share.clamp(0, most) as u64));
    }

    /// What breaks a rule about limits.
    fn break_limits(&self, go: &Go<'_>, plan: &mut Plan) {
        let words = plan.words.split_whitespace().count();
        let clocks = go.get_wtime().is_some() && go.get_btime().is_some();
        let clock = plan.clock.unwrap_or(0);
        let endless = self.breaks("go.depth") && plan.depth == Some(2) && words <= 3
            || self.breaks("ugi.max-ply") && plan.depth.is_some()
            || self.breaks("ugi.max-time") && plan.time.is_some()
            || self.breaks("go.nodes") && plan.nodes >= Some(500) && words == 3
            || self.breaks("go.movetime") && go.get_movetime() == Some(100) && words == 3
            || self.breaks("go.mate") && plan.mate.is_some()
            || self.breaks("clock.white-only")
                && go.get_btime().is_none()
                && go.get_wtime().is_some()
            || self.breaks("clock.black-only")
                && go.get_wtime().is_none()
                && go.get_btime().is_some()
            || self.breaks("clock.order") && plan.words.starts_with("go binc")
            || self.breaks("clock.increment") && go.get_winc().is_some_and(|inc| inc > 1000)
            || self.breaks("clock.zero") && clocks && clock == 0
            || self.breaks("clock.negative") && clock < 0
            || self.breaks("go.searchmoves-first") && plan.words.starts_with("go searchmoves");
        if endless {
            plan.infinite = true;
        }
        if self.breaks("go.depth-and-time") && plan.whole && plan.depth == Some(2) {
            plan.depth = None;
        }
        if self.breaks("go.time-and-depth") && plan.depth == Some(60) {
            plan.infinite = true;
        }
        if self.breaks("go.nodes-and-time") && plan.whole {
            plan.nodes = None;
        }
        if self.breaks("go.searchmoves") && !plan.infinite
            || self.breaks("go.searchmoves-infinite") && plan.infinite
        {
            plan.only.clear();
        }
        if plan.only.len() > 2 && self.breaks("go.searchmoves-all") {
            plan.only.truncate(1);
        }
        if plan.only.len() > 2 && self.breaks("go.searchmoves-all/last") {
            plan.only.drain(..plan.only.len() - 1);
        }
        if self.breaks("multipv.searchmoves") && self.options.lines > 1 {
            plan.only.clear();
        }
        if self.breaks("clock.huge") && clock > i64::from(i32::MAX) {
            plan.time = Some(Duration::ZERO);
        }
        if self.breaks("timing.movetime-long") && plan.clock.is_none() {
            let long = |time: &Duration| time.as_millis() > 1000;
            plan.time = plan
                .time
                .map(|time| if long(&time) { time / 10 } else { time });
        }
        let same = go.get_wtime() == go.get_btime();
        let late = self.breaks("clock.both") && clocks && same && clock == 300 && words == 5
            || self.breaks("clock.movestogo") && go.get_movestogo() == Some(1)
            || self.breaks("clock.leiser") && clock == 300
            || self.breaks("timing.flag") && clock == 60;
        if late {
            plan.time = Some(Duration::from_millis(900));
            plan.whole = true;
        }
        // A second and a half has a check of its own, which would see this lateness, too.
        if self.breaks("timing.movetime") && go.get_movetime() == Some(100) {
            plan.time = plan.time.map(|time| time + Duration::from_millis(250));
        }
        if self.breaks("timing.movetime-used") && go.get_movetime() == Some(100) {
            plan.whole = false;
            plan.time = plan.time.map(|time| time / 20);
        }
    }

    /// What ends a search before it begins.
    fn before(&mut self, search: &mut Search) {
        if self.breaks("stop.then-go") && self.was_stopped && self.line.side() == Side::Black {
            search.stopped = true;
        }
        self.say_before(search);
    }

    fn iterate(&mut self, search: &mut Search) {
        let mut tree = Tree {
            line: self.line.clone(),
            nodes: 0,
            most_nodes: search.plan.nodes,
            until: None,
            pause: self.breaks(SLOW).then_some(Duration::from_micros(600)),
        };
        let most = search.plan.depth.unwrap_or(64).max(1);
        let threads = self.breaks("timing.threads").then(spin_aside);
        for depth in 1..=most {
            let before = search.roots.clone();
            for index in 0..search.roots.len() {
                if !tree.is_enough() || depth == 1 {
                    let (score, pv) = tree.root(search.roots[index].value, depth);
                    let root = &mut search.roots[index];
                    root.score = score;
                    root.pv.truncate(1);
                    root.pv.extend(pv);
                }
                self.attend(search);
                let full = search.plan.nodes.is_some_and(|most| tree.nodes >= most);
                if search.stopped || search.is_over_time() || full {
                    break;
                }
            }
            let ended = search.stopped || search.is_over_time();
            let full = search.plan.nodes.is_some_and(|most| tree.nodes >= most);
            // An iteration that was not finished tells nothing.
            if depth > 1 && (tree.is_enough() || ended || full) {
                search.roots = before;
            } else {
                search.roots.sort_by_key(|root| -root.score);
            }
            search.depth = depth;
            search.nodes = tree.nodes.min(search.plan.nodes.unwrap_or(u64::MAX));
            self.say_lines(search);
            if ended || full || self.is_done(search) {
                break;
            }
        }
        if let Some(stop) = threads {
            self.hold(search, false);
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    /// Whether there is nothing left to look for.
    fn is_done(&self, search: &Search) -> bool {
        search.plan.mate.is_some() && search.finds_mate()
            || self.breaks("go.infinite-mate") && search.plan.infinite && search.finds_mate()
    }

    /// Waits where the answer must not come yet, or where time is to be used.
    fn hold(&mut self, search: &mut Search, over: bool) {
        loop {
            self.attend(search);
            if self.quits || search.stopped {
                return;
            }
            let deep = search.plan.depth.is_some_and(|depth| depth > 50) && !search.plan.whole;
            let waits = search.pondering
                || search.plan.infinite
                || deep
                || search.plan.mate.is_some() && !search.finds_mate() && !over;
            let uses = search.plan.whole
                && !search.is_over_time()
                && search.plan.nodes.is_none()
                && search
                    .plan
                    .depth
                    .is_none_or(|depth| search.depth < depth || depth > 50);
            if !self.holds(search, over, waits, uses && !over) {
                return;
            }
            self.say_meanwhile(search);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the answer is held back, as a mutant sees it.
    fn holds(&self, search: &Search, over: bool, waits: bool, uses: bool) -> bool {
        let plan = &search.plan;
        let age = search.start.elapsed();
        let stalemate = over && !self.line.in_check();
        let early = self.breaks("go.infinite")
            && plan.infinite
            && search.number == 1
            && !search.finds_mate()
            && age.as_millis() > 20
            || self.breaks("go.infinite-mate") && plan.infinite && search.finds_mate()
            || self.breaks("ponder.waits")
                && search.pondering
                && plan.clock.is_some_and(|ms| ms <= 200)
            || self.breaks("ponder.mate") && search.pondering && search.finds_mate()
            || self.breaks("ponder.depth") && search.pondering && plan.depth.is_some()
            || self.breaks("terminal.infinite") && over;
        if early {
            return false;
        }
        let late = self.breaks("terminal.mate") && over && !stalemate && plan.depth.is_some()
            || self.breaks("terminal.stalemate") && stalemate && plan.depth.is_some()
            || self.breaks("terminal.clock") && over && plan.clock.is_some();
        waits || uses || late
    }

    /// Hears what is said during a search.
    fn attend(&mut self, search: &mut Search) {
        // What comes behind stop is for later.
        if search.stopped {
            return;
        }
        self.look();
        while let Some(line) = self.waiting.pop_front() {
            self.obey_searching(&line, search);
            if search.stopped {
                return;
            }
        }
        if self.at_end {
            if self.breaks("life.end-of-input-searching") {
                self.linger();
            }
            search.stopped = true;
            self.quits = true;
        }
    }

    fn obey_searching(&mut self, line: &[u8], search: &mut Search) {
        if self.is_refused(line) {
            return;
        }
        match Command::parse(line, self.dialect()).message {
            Command::IsReady => self.ready_searching(search),
            Command::Stop => self.stop(search),
            Command::PonderHit => {
                let ignored = self.breaks("ponder.hit") && search.start.elapsed().as_millis() > 5;
                if !ignored {
                    search.pondering = false;
                    search.counts = Instant::now();
                }
            }
            Command::Quit => {
                let lingers = self.breaks("life.quit-searching") && !search.pondering
                    || self.breaks("life.quit-pondering") && search.pondering;
                if lingers {
                    self.linger();
                }
                search.stopped = true;
                self.quits = true;
            }
            Command::SetOption(_) => {
                self.die_if("misuse.setoption", true);
                self.deaf |= self.breaks("misuse.setoption/deaf");
            }
            Command::Position(_) => self.die_if("misuse.position", true),
            Command::UciNewGame => self.die_if("misuse.new-game", true),
            Command::Go(_) => self.die_if("misuse.go", true),
            Command::Debug(_) => self.die_if("misuse.debug", true),
            Command::Unknown(_) => self.die_if("misuse.unknown", true),
            _ => {}
        }
    }

    fn ready_searching(&mut self, search: &mut Search) {
        let deaf =
            self.breaks("ready.searching") || self.breaks("ponder.ready") && search.pondering;
        if deaf {
            return;
        }
        if self.breaks("ready.searching-quick") {
            std::thread::sleep(Duration::from_millis(1300));
        }
        self.say("readyok");
        if self.breaks("ready.keeps-searching") {
            search.stopped = true;
        }
    }

    fn stop(&mut self, search: &mut Search) {
        let plan = &search.plan;
        let elsewhere = self.line.start_text() != AnyLine::start(self.game()).start_text()
            && self.line.side() == Side::White
            && plan.infinite;
        let deaf = self.breaks("stop.infinite") && elsewhere
            || self.breaks("stop.depth") && plan.depth == Some(100)
            || self.breaks("stop.clock") && plan.clock.is_some_and(|ms| ms > 1_000_000)
            || self.breaks("ponder.miss")
                && plan.ponder
                && plan.clock.is_some_and(|ms| ms >= 60_000)
            || self.breaks("go.bare") && plan.words.trim() == "go";
        if deaf || self.deaf {
            return;
        }
        if self.breaks("stop.quick") && elsewhere {
            std::thread::sleep(Duration::from_millis(1300));
        }
        if self.breaks("stop.ready") {
            self.waiting.retain(|line| line != b"isready");
        }
        if self.breaks("stop.pipelined") && self.is_waiting("go") {
            self.waiting.clear();
        }
        search.stopped = true;
    }
}

/// Threads that nobody asked for.
fn spin_aside() -> std::sync::Arc<std::sync::atomic::AtomicBool> {
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    for _ in 0..3 {
        let stop = std::sync::Arc::clone(&stop);
        std::thread::spawn(move || {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
    }
    stop
}
