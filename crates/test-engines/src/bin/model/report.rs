//! What is said about a search.

use std::time::Duration;

use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{
    BestMove, Bound, Dialect, Info, InfoItem, Moves, Report, Score, Text, Time, Wdl,
};

use super::engine::Engine;
use super::play::Search;
use super::think::{Root, WIN};

/// A move that no position of ours has.
const IMPOSSIBLE: &str = "e1e8";

impl Engine {
    fn write(&mut self, report: &Report<'_>) {
        let line = report.line(self.dialect());
        let line = String::from_utf8_lossy(&line).into_owned();
        self.say(&line);
    }

    /// Odd lines at the start of a search.
    pub(crate) fn say_before(&mut self, search: &Search) {
        let first = search.roots.first().map(|root| root.text.clone());
        let first = first.unwrap_or_default();
        if !is_the_one(search) {
            return;
        }
        let line = match self.arguments.mutant.as_str() {
            "info.words" => "info depth 1 joho 1".into(),
            "info.numbers" => "info depth 1 nodes".into(),
            "info.whole-numbers" => "info depth 1 score cp 12.5".into(),
            "info.negative" => "info depth 1 nodes -5".into(),
            "info.keyword" => "info depth 1 cp 12".into(),
            "info.duplicate" => "info depth 1 depth 1".into(),
            "info.seldepth" => "info seldepth 3".into(),
            "info.currmovenumber" => "info depth 1 currmovenumber 0".into(),
            "info.currmove-early" => format!("info depth 1 currmove {first} currmovenumber 1"),
            "info.currline" => format!("info depth 1 currline {first}"),
            "info.refutation" => format!("info depth 1 refutation {first}"),
            "info.hashfull" => "info depth 1 hashfull 1001".into(),
            "info.cpuload" => "info depth 1 cpuload 2000".into(),
            "pv.empty" => "info depth 1 pv".into(),
            _ => String::new(),
        };
        if !line.is_empty() {
            self.say(&line);
        }
        if self.breaks("info.flood") {
            for _ in 0..2500 {
                self.say("info depth 1");
            }
        }
    }

    /// In a search that lasts.
    pub(crate) fn say_meanwhile(&mut self, search: &mut Search) {
        if search.start.elapsed() < Duration::from_secs(1) || search.plan.ponder {
            return;
        }
        let Some(first) = search.roots.first().map(|root| root.text.clone()) else {
            return;
        };
        if search.nodes == u64::MAX {
            return;
        }
        let text = if self.breaks("info.currmove") {
            IMPOSSIBLE.to_owned()
        } else {
            first
        };
        if self.dialect() != Dialect::Ugi {
            self.say(&format!(
                "info depth {} currmove {text} currmovenumber 1",
                search.depth
            ));
            let second = search.roots.get(1).map(|root| root.text.clone());
            if let Some(second) = second.filter(|_| self.breaks("info.currmovenumber-anew")) {
                let depth = search.depth;
                self.say(&format!(
                    "info depth {depth} currmove {second} currmovenumber 1"
                ));
            }
        }
        // Once is enough.
        std::thread::sleep(Duration::from_millis(20));
    }

    /// The lines of an iteration.
    pub(crate) fn say_lines(&mut self, search: &Search) {
        if self.breaks("bestmove.final-info") && is_the_one(search) {
            return;
        }
        let moves = search.roots.len();
        let mut wanted = self.options.lines.min(moves);
        let many = self.options.lines > 1;
        if self.breaks("multipv.count") && many {
            wanted = wanted.min(2);
        }
        let mut order: Vec<usize> = (0..wanted).collect();
        if self.breaks("multipv.together") && many && order.len() > 2 {
            order.swap(0, 1);
        }
        if self.breaks("multipv.together/early") && many && search.depth == 1 {
            order.reverse();
        }
        if self.breaks("multipv.together/alone") && many && search.depth == 1 && moves > 2 {
            order.insert(0, 0);
        }
        if self.breaks("multipv.few-moves") && many && moves == 1 {
            order = vec![0, 0, 0];
        }
        if self.breaks("multipv.off") && search.number == 1 && moves > 1 {
            order.push(1);
        }
        let odd = self.breaks("go.searchmoves-pv") && !search.plan.only.is_empty();
        if odd && search.depth == 1 && !search.plan.words.contains("infinite") {
            self.say("info depth 1 score cp 0 time 0 nodes 1 pv e2e4");
        }
        for (place, index) in order.into_iter().enumerate() {
            let number = if self.breaks("multipv.few-moves") {
                place + 1
            } else {
                index + 1
            };
            self.say_line(search, index, number, many || number > 1);
        }
    }

    fn say_line(&mut self, search: &Search, index: usize, number: usize, numbered: bool) {
        let Some(root) = search.roots.get(index).cloned() else {
            return;
        };
        let elapsed = search.start.elapsed();
        let mut info = Info::new();
        if !self.breaks("info.depth") {
            let elsewhere = search.plan.words.starts_with("go searchmoves");
            let more = u32::from(self.breaks("go.depth-kept") && !elsewhere);
            info = info.depth(u64::from(search.depth + more));
        }
        if numbered {
            let number = if self.breaks("multipv.numbers") {
                number - 1
            } else {
                number
            };
            info = info.multipv(number as u64);
        }
        if !self.breaks("score.sent") {
            info = info.score(self.score(search, &root, index));
        }
        if self.options.chances {
            info = info.with(InfoItem::Wdl(self.chances(root.score)));
        }
        let time = if self.breaks("info.time-true") {
            elapsed + Duration::from_secs(10)
        } else {
            elapsed
        };
        let nodes = if self.breaks("go.nodes-kept") {
            100_000
        } else {
            search.nodes
        };
        let millis = (time.as_millis() as u64).max(1);
        let mut nps = nodes * 1000 / millis;
        if self.breaks("info.nps") {
            nps = nps * 100 + 1_000_000;
        }
        if !self.breaks("info.nodes") {
            info = info.nodes(nodes).nps(nps);
        }
        if !self.breaks("info.time") {
            info = info.time(Time::Millis(time.as_millis() as u64));
        }
        let pv = self.pv(search, &root, index);
        if !self.breaks("pv.sent") {
            info = info.pv(Moves::from(pv.as_str()));
        }
        self.write(&Report::Info(info));
    }

    /// The score of a line in the words of the dialect.
    fn score(&self, search: &Search, root: &Root, index: usize) -> Score {
        let mut value = root.score;
        let black = self.line.side() == Side::Black;
        let chess = matches!(self.game(), Game::Chess | Game::Liberty);
        let distance = WIN - value.abs();
        let flipped = black && distance >= 100 || !chess;
        if self.breaks("score.view") && flipped {
            value = -value;
        }
        if distance < 100 {
            let moves = if value > 0 {
                (distance + 1) / 2
            } else {
                -(distance / 2)
            };
            return self.mate_score(i64::from(moves), i64::from(distance));
        }
        let ahead = value > 500;
        if self.breaks("score.mate-proven") && ahead && search.depth > 3 {
            return Score::mate(2);
        }
        if self.breaks("score.mirror") && !black {
            value += if value > 0 { 200 } else { 0 };
        }
        let early = self.breaks("multipv.sorted/early") && search.depth == 1;
        if (self.breaks("multipv.sorted") || early) && index == 1 {
            value = search.roots.first().map_or(0, |root| root.score) + 50;
        }
        let score = Score::cp(i64::from(value));
        if self.breaks("score.exact") {
            return score.with_bound(Bound::Lower);
        }
        score
    }

    fn mate_score(&self, moves: i64, plies: i64) -> Score {
        let black = self.line.side() == Side::Black;
        match self.arguments.mutant.as_str() {
            "score.mate-one" if moves == 1 && !black => Score::cp(500),
            "score.mate-black" if black && moves > 0 => Score::mate(-moves),
            "score.mate-zero" if moves == 1 && !black => Score::mate(0),
            "score.mate-moves" if moves > 1 => Score::mate(plies),
            "score.mated" if moves < 0 => Score::mate(-moves),
            _ => Score::mate(moves),
        }
    }

    fn chances(&self, score: i32) -> Wdl {
        let mut win = (500 + score / 3).clamp(0, 1000) as u32;
        if self.breaks("score.wdl-view") && self.line.side() == Side::Black {
            win = 1000 - win;
        }
        let draw = if self.breaks("score.wdl-sum") { 7 } else { 0 };
        Wdl {
            win,
            draw,
            loss: 1000 - win,
        }
    }

    /// The best line as text.
    fn pv(&self, search: &Search, root: &Root, index: usize) -> String {
        let mut pv = root.pv.clone();
        let mates = (WIN - root.score.abs()) < 100;
        match self.arguments.mutant.as_str() {
            "pv.legal" if is_the_one(search) => pv.push(IMPOSSIBLE.into()),
            "pv.past-end" if mates && root.score == WIN - 1 => pv.push(IMPOSSIBLE.into()),
            "pv.form" if is_the_one(search) => {
                pv[0] = self.line.notation_of(root.value).unwrap_or_default();
            }
            "score.mate-line" if mates => pv.truncate(1),
            "score.mate-found" if root.score == WIN - 1 => {
                pv = search
                    .roots
                    .last()
                    .map(|last| vec![last.text.clone()])
                    .unwrap_or_default();
            }
            "multipv.distinct" if index == 1 => {
                pv = search
                    .roots
                    .first()
                    .map(|first| first.pv.clone())
                    .unwrap_or_default();
            }
            "go.mate-move" if search.plan.mate.is_some() => {
                pv = search
                    .roots
                    .last()
                    .map(|last| vec![last.text.clone()])
                    .unwrap_or_default();
            }
            _ => {}
        }
        pv.join(" ")
    }

    /// The last lines and `bestmove`.
    pub(crate) fn answer(&mut self, search: &Search) {
        if self.breaks("bestmove.every-go") && search.number == 7 {
            self.linger();
        }
        let the_one = is_the_one(search);
        if search.roots.is_empty() {
            let told = if self.breaks("terminal.stalemate-score") && !self.line.in_check() {
                "info depth 0 score mate 0"
            } else {
                "info depth 0 score cp 0"
            };
            self.say(told);
        } else {
            let extra = match self.arguments.mutant.as_str() {
                "info.time-grows" if the_one => {
                    format!("info time {}", search.start.elapsed().as_millis() + 40)
                }
                "info.nodes-grow" if the_one => format!("info nodes {}", search.nodes + 1000),
                _ => String::new(),
            };
            if !extra.is_empty() {
                self.say(&extra);
            }
            self.say_lines(search);
        }
        let words = self.best_words(search);
        self.say(&words);
        if self.breaks("bestmove.once") && the_one
            || self.breaks("double")
            || self.breaks("double/stop") && search.stopped
            || self.breaks("stop.twice") && self.is_waiting("stop")
        {
            self.say(&words);
        }
        self.say_after(search);
    }

    fn say_after(&mut self, search: &Search) {
        if self.breaks("info.idle") && is_the_one(search) {
            self.say("info depth 1 score cp 1");
        }
        if self.breaks("ponder.automatic") && self.options.ponder && !search.plan.ponder {
            std::thread::sleep(Duration::from_millis(10));
            self.say("info depth 1 score cp 1");
        }
    }

    /// `bestmove ...`.
    fn best_words(&mut self, search: &Search) -> String {
        let null = match self.game() {
            Game::Chess | Game::Liberty => "0000",
            Game::Leiser => "a0a0",
            Game::Gyges => "null",
        };
        let Some(best) = search.roots.first() else {
            let form = if self.breaks("terminal.null-form") {
                "(none)"
            } else {
                null
            };
            return format!("bestmove {form}");
        };
        let last = search
            .roots
            .last()
            .map(|root| root.text.clone())
            .unwrap_or_default();
        let text = self.odd_move(search, best, &last, null);
        if self.breaks("bestmove.missing") && is_the_one(search) {
            return "bestmove".into();
        }
        let ponder = self.ponder_word(search, best);
        let mut answer = BestMove {
            best: Some(Text::from(text.as_str())),
            ponder: ponder.as_deref().map(Text::from),
            score: None,
            time: None,
        };
        if self.game() == Game::Gyges && !self.breaks("ugi.score-time") {
            answer.score = Some(self.score(search, best, 0));
            answer.time = Some(Time::Millis(search.start.elapsed().as_millis() as u64));
        }
        let line = Report::BestMove(answer).line(self.dialect());
        let mut line = String::from_utf8_lossy(&line).into_owned();
        if self.breaks("bestmove.words") && is_the_one(search) {
            line += " joho";
        }
        line
    }

    fn ponder_word(&self, search: &Search, best: &Root) -> Option<String> {
        if self.breaks("bestmove.ponder-legal") && is_the_one(search) {
            return Some(IMPOSSIBLE.into());
        }
        let ponders =
            matches!(self.game(), Game::Chess | Game::Leiser) || self.breaks("ulci.no-ponder");
        let plain = !self.breaks("bestmove.is-pv")
            && !self.breaks("score.mate-found")
            && !self.breaks("go.mate-move")
            && !self.breaks("multipv.best-first");
        best.pv.get(1).cloned().filter(|_| ponders && plain)
    }

    /// The best move, as a mutant writes or chooses it.
    fn odd_move(&self, search: &Search, best: &Root, last: &str, null: &str) -> String {
        let the_one = is_the_one(search);
        let text = best.text.clone();
        let castles = self
            .line
            .notation_of(best.value)
            .is_ok_and(|san| san.starts_with("O-O"));
        let promotes = text.len() == 5 && text.ends_with('q');
        let kings = self.line.pieces().len() == 2;
        match self.arguments.mutant.as_str() {
            "bestmove.legal" if the_one => IMPOSSIBLE.into(),
            // No mutant of one rule: whatever is asked, the answer is wrong.
            "illegal" => IMPOSSIBLE.into(),
            "bestmove.null" if the_one => null.into(),
            "bestmove.form" if the_one => self.line.notation_of(best.value).unwrap_or(text),
            "bestmove.is-pv" if the_one => last.into(),
            "bestmove.promotion" if promotes => text.replace('q', "Q"),
            "bestmove.castling" if castles => "e1h1".into(),
            "chess960.form" if castles && self.options.chess960 => "e1g1".into(),
            "chess960.off-again"
                if castles && self.options.was_chess960 && !self.options.chess960 =>
            {
                "e1h1".into()
            }
            "score.mate-found" if best.score == WIN - 1 => last.into(),
            "go.mate-move" if search.plan.mate.is_some() => last.into(),
            "options.limit-strength" if self.options.weak => IMPOSSIBLE.into(),
            "multipv.best-first" if self.options.lines > 1 => last.into(),
            "terminal.alive" if self.was_over && self.line.plies() == 0 => null.into(),
            "terminal.repetition" if self.line.occurrences() >= 3 => null.into(),
            "terminal.fifty" if self.line.position_text().contains(" 100 ") => null.into(),
            "terminal.material" if kings => null.into(),
            "games.play" if self.line.plies() == 20 => IMPOSSIBLE.into(),
            "games.same-again" if self.games.is_multiple_of(2) && self.games > 8 => last.into(),
            "ugi.bars" => self.line.notation_of(best.value).unwrap_or(text),
            "ulci.large-board" if self.line_is_odd() => null.into(),
            _ => text,
        }
    }

    fn line_is_odd(&self) -> bool {
        let start = AnyLine::start(self.game());
        self.line.start_text() == start.start_text()
    }
}

/// Whether this is the search in which a rule about one search is broken: the
/// twelfth, in the middle of a probe.
fn is_the_one(search: &Search) -> bool {
    search.number == 12
}
