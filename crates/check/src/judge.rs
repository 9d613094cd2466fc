//! What is judged about every search: its lines as they come, and all of it when
//! it has ended.

use std::time::{Duration, Instant};

use quadrille_client::findings::HostDiagnostic;
use quadrille_games::AnyLine;
use quadrille_protocol::{BestMove, Dialect, Info, Text};

use super::examiner::Examiner;
use super::heard::{Answer, End, Heard, Running, playable};
use quadrille_client::moves::{Understood, in_our_view, is_finished, understand};
use quadrille_driver::NamedMove;

/// Lines of a short search that are too many.
const FLOOD: usize = 2000;

/// Before this, currmove is much traffic. A little early is on time.
const CURRMOVE: Duration = Duration::from_millis(950);

/// How far an engine's clock may be ahead of ours.
const AHEAD: Duration = Duration::from_millis(50);

/// Engines round times up.
const ROUNDING: Duration = Duration::from_millis(1);

/// nps is judged from so much time on.
const NPS_FROM: Duration = Duration::from_millis(50);

impl Examiner<'_> {
    /// One `info` line of a search.
    pub(super) fn judge_info(&mut self, info: &Info<'_>, heard: &Heard) {
        for id in [
            "info.words",
            "info.numbers",
            "info.whole-numbers",
            "info.negative",
            "info.keyword",
            "info.duplicate",
            "info.idle",
        ] {
            self.pass(id);
        }
        self.judge_shares(info);
        self.judge_aside(heard);
        self.judge_number(info, heard);
        if let Some(time) = heard.time {
            let late = time > heard.at + AHEAD * self.leniency();
            self.judge("info.time-true", !late, || {
                format!(
                    "time {} ms, {} ms after go",
                    time.as_millis(),
                    heard.at.as_millis()
                )
            });
        }
        let before = self.running.as_ref().and_then(|r| r.infos.last().cloned());
        self.judge_growth(heard, before.as_ref());
        if heard.seldepth.is_some() {
            self.pass("info.seldepth");
        }
        if let Some(wdl) = heard.wdl {
            // Otherwise the line itself was judged.
            if wdl.win + wdl.draw + wdl.loss == 1000 {
                self.pass("score.wdl-sum");
            }
        }
        if heard.pv.as_ref().is_some_and(Vec::is_empty) {
            self.fail("pv.empty", "pv without a move");
        }
        if heard.pv.as_ref().is_some_and(|pv| !pv.is_empty()) {
            self.judge("info.depth", heard.depth.is_some(), || {
                "a pv without depth".into()
            });
            self.judge("info.time", heard.time.is_some(), || {
                "a pv without time".into()
            });
            self.judge("score.sent", heard.score.is_some(), || {
                "a pv without score".into()
            });
            self.pass("pv.empty");
        }
        let wanted = self.lines_wanted;
        if heard.multipv.is_some() && wanted == 1 {
            let number = heard.number();
            self.judge("multipv.off", number <= 1, || format!("multipv {number}"));
        }
    }

    /// Keeps or breaks a rule, without a word about the end of the engine.
    pub(super) fn judge(&mut self, id: &'static str, kept: bool, seen: impl FnOnce() -> String) {
        if kept {
            self.pass(id);
        } else {
            self.fail(id, seen());
        }
    }

    fn judge_shares(&mut self, info: &Info<'_>) {
        if let Some(hash) = info.get_hashfull() {
            self.judge("info.hashfull", hash.permill() <= 1000, || {
                format!("{hash:?}")
            });
        }
        if let Some(load) = info.get_cpuload() {
            self.judge("info.cpuload", load <= 1000, || format!("cpuload {load}"));
        }
        if info.get_currmovenumber().is_some_and(|number| number > 0) {
            self.pass("info.currmovenumber");
        }
    }

    /// currmove, currline and refutation.
    fn judge_aside(&mut self, heard: &Heard) {
        if let (Some(text), Some(running)) = (&heard.currmove, &self.running) {
            let legal = playable(&running.root, text).is_some();
            let root = running.root.position_text();
            self.judge("info.currmove", legal, || {
                format!("currmove {text} is not legal in {root}")
            });
            self.judge("info.currmove-early", heard.at >= CURRMOVE, || {
                format!("currmove {} ms after go", heard.at.as_millis())
            });
        }
        if heard.currline {
            let wanted = self.shows_currline;
            self.judge("info.currline", wanted, || {
                "currline although UCI_ShowCurrLine is off".into()
            });
        }
        if heard.refutation {
            self.fail(
                "info.refutation",
                "refutation although UCI_ShowRefutations is off",
            );
        }
    }

    /// `currmovenumber` within an iteration. A search of the root that is repeated begins
    /// anew with moves that were told before; one that was not has a number of its own.
    fn judge_number(&mut self, info: &Info<'_>, heard: &Heard) {
        let (Some(number), Some(text)) = (info.get_currmovenumber(), heard.currmove.clone()) else {
            return;
        };
        let wanted = self.lines_wanted;
        let Some(running) = &mut self.running else {
            return;
        };
        let depth = heard
            .depth
            .or_else(|| running.infos.iter().rev().find_map(|old| old.depth));
        if running.numbered.0 != depth {
            running.numbered = (depth, Vec::new());
        }
        let told = &mut running.numbered.1;
        // What was told of an iteration may begin in its middle.
        let from_its_start = number == 1 || told.first().is_some_and(|first| first.0 == 1);
        let is_new = told.iter().all(|old| old.1 != text);
        let other = told
            .iter()
            .find(|old| old.0 == number)
            .map(|old| old.1.clone());
        if is_new {
            told.push((number, text.clone()));
        }
        if wanted == 1 && from_its_start && number > 0 {
            let seen = other.filter(|_| is_new);
            self.judge("info.currmovenumber-anew", seen.is_none(), || {
                format!(
                    "number {number} for {} and for {text}",
                    seen.unwrap_or_default()
                )
            });
        }
    }

    fn judge_growth(&mut self, heard: &Heard, before: Option<&Heard>) {
        let old = |value: fn(&Heard) -> Option<Duration>| before.and_then(value);
        if let (Some(now), Some(then)) = (heard.time, old(|heard| heard.time)) {
            self.judge("info.time-grows", now + ROUNDING >= then, || {
                format!(
                    "time {} ms after time {} ms",
                    now.as_millis(),
                    then.as_millis()
                )
            });
        }
        let nodes = before.and_then(|heard| heard.nodes);
        if let (Some(now), Some(then)) = (heard.nodes, nodes) {
            self.judge("info.nodes-grow", now >= then, || {
                format!("nodes {now} after nodes {then}")
            });
        }
        if let (Some(nps), Some(nodes), Some(time)) = (heard.nps, heard.nodes, heard.time)
            && time >= NPS_FROM
        {
            let true_nps = nodes as f64 / time.as_secs_f64();
            let near =
                (nps as f64) < true_nps * 3.0 + 1000.0 && nps as f64 * 3.0 + 1000.0 > true_nps;
            self.judge("info.nps", near, || {
                format!("nps {nps}, but {nodes} nodes in {} ms", time.as_millis())
            });
        }
    }

    /// The words of `bestmove`, besides the moves.
    pub(super) fn judge_best_words(&mut self, best: &BestMove<'_>) {
        self.pass("bestmove.words");
        if best.best.is_none() {
            self.note_symptom("bestmove.missing");
        }
        self.judge("bestmove.missing", best.best.is_some(), || {
            "bestmove without a move".into()
        });
        if self.dialect == Dialect::Ulci {
            self.judge("ulci.no-ponder", best.ponder.is_none(), || {
                "bestmove with ponder".into()
            });
        }
        if self.dialect == Dialect::Ugi {
            let both = best.score.is_some() && best.time.is_some();
            self.judge("ugi.score-time", both, || {
                "bestmove without score and time".into()
            });
        }
    }

    /// The end of the search that runs.
    pub(super) fn finish_search(
        &mut self,
        said: Option<String>,
        ponder: Option<&str>,
        at: Instant,
    ) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        let spent = self.talk.as_mut().map(|talk| talk.spent(at));
        self.note_speed(&running);
        let mut answer = Answer {
            end: if running.stopped {
                End::Stopped
            } else {
                End::Itself
            },
            said,
            best: None,
            spent: spent.unwrap_or_default(),
            infos: Vec::new(),
        };
        let over = is_finished(&running.root);
        self.judge_best(&running, &mut answer, over);
        if answer.is_legal() {
            self.judge_ponder(&running.root, &answer, ponder);
            self.judge_lines(&running);
        }
        answer.infos = std::mem::take(&mut running.infos);
        if answer.is_legal() && !over {
            self.judge_whole(&answer, &running);
        }
        self.answer = Some(answer);
    }

    fn judge_best(&mut self, running: &Running, answer: &mut Answer, over: bool) {
        let Some(said) = answer.said.clone() else {
            return;
        };
        let root = &running.root;
        match understand(root, Text::from(said.as_str())) {
            Understood::Move(found, oddity) => {
                self.judge_form_of_move(root, &said, oddity);
                answer.best = Some(found);
                self.pass("bestmove.legal");
                self.pass("bestmove.null");
            }
            // The finished game is a scene of its own.
            _ if over => {}
            Understood::Null => {
                self.note_symptom("bestmove.null");
                self.fail(
                    "bestmove.null",
                    format!("bestmove {said} in {}", root.position_text()),
                );
            }
            Understood::Illegal(error) => {
                self.note_symptom("bestmove.legal");
                let seen = format!("bestmove {said} in {}: {error}", root.position_text());
                self.fail("bestmove.legal", seen);
            }
        }
    }

    fn judge_form_of_move(&mut self, root: &AnyLine, said: &str, oddity: Option<HostDiagnostic>) {
        let castles = |text: &str| {
            let found = root.parse_notation(text).and_then(|m| root.notation_of(m));
            found.is_ok_and(|san| san.starts_with("O-O"))
        };
        if castles(said) {
            let id = if self.chess960 {
                "chess960.form"
            } else {
                "bestmove.castling"
            };
            self.judge(id, oddity.is_none(), || format!("castling as {said}"));
            return;
        }
        let promotes = said.len() > 4
            && matches!(root, AnyLine::Chess(_) | AnyLine::Liberty(_))
            && said.ends_with(|c: char| c.is_ascii_alphabetic());
        let id = if promotes {
            "bestmove.promotion"
        } else {
            "bestmove.form"
        };
        let bars = said.contains('|');
        if self.dialect == Dialect::Ugi {
            self.judge("ugi.bars", bars, || format!("bestmove {said}"));
            return;
        }
        self.judge(id, oddity.is_none(), || format!("bestmove {said}"));
    }

    fn judge_ponder(&mut self, root: &AnyLine, answer: &Answer, ponder: Option<&str>) {
        let (Some(best), Some(ponder)) = (&answer.best, ponder) else {
            return;
        };
        let mut line = root.clone();
        if line.push(best.value).is_err() {
            return;
        }
        let legal = playable(&line, ponder).is_some();
        self.judge("bestmove.ponder-legal", legal, || {
            format!("{ponder} is not legal after {}", best.text)
        });
    }

    /// Every best line of a search whose root was understood.
    fn judge_lines(&mut self, running: &Running) {
        for heard in &running.infos {
            if let Some(pv) = &heard.pv {
                self.judge_line(&running.root, pv);
            }
        }
    }

    fn judge_line(&mut self, root: &AnyLine, pv: &[String]) {
        let mut line = root.clone();
        for (ply, text) in pv.iter().enumerate() {
            if ply > 0 && line.legal(1).is_empty() {
                let seen = format!("{} goes on with {text}", pv[..ply].join(" "));
                self.fail("pv.past-end", seen);
                return;
            }
            match in_view_of(root, &line, text) {
                Understood::Move(found, oddity) => {
                    let bars = text.contains('|') || self.dialect != Dialect::Ugi;
                    self.judge("pv.form", oddity.is_none() && bars, || {
                        format!("{text} in a pv")
                    });
                    if line.push(found.value).is_err() {
                        return;
                    }
                }
                Understood::Null | Understood::Illegal(_) => {
                    let before = if ply == 0 {
                        "at its start".to_owned()
                    } else {
                        format!("after {}", pv[..ply].join(" "))
                    };
                    self.fail(
                        "pv.legal",
                        format!("{text} in a pv {before} cannot be played"),
                    );
                    return;
                }
            }
        }
        self.pass("pv.legal");
        self.pass("pv.past-end");
    }

    /// The search as a whole.
    fn judge_whole(&mut self, answer: &Answer, running: &Running) {
        let lines = answer.last_lines();
        let first = lines.iter().find(|heard| heard.number() == 1);
        let first = first.and_then(|heard| heard.pv.as_ref()?.first().cloned());
        if let (Some(first), Some(best)) = (first, &answer.best)
            && self.lines_wanted == 1
        {
            let same =
                playable(&running.root, &first).is_none_or(|found| found.value == best.value);
            self.judge("bestmove.is-pv", same, || {
                format!(
                    "bestmove {}, but the last pv begins with {first}",
                    best.text
                )
            });
        }
        if let Some(depth) = running.depth.filter(|_| answer.end == End::Itself) {
            let deepest = answer.infos.iter().filter_map(|heard| heard.depth).max();
            if let Some(deepest) = deepest {
                self.judge("go.depth-kept", deepest <= depth, || {
                    format!("depth {deepest} where depth {depth} was asked for")
                });
            }
        }
        self.judge_only(answer, running);
        if answer.end == End::Itself && !answer.infos.is_empty() {
            let nodes = answer.infos.iter().any(|heard| heard.nodes.is_some());
            self.judge("info.nodes", nodes, || "no info line has nodes".into());
            self.judge("pv.sent", !lines.is_empty(), || {
                "no info line has a pv".into()
            });
            if let Some(told) = answer.score() {
                self.judge("score.exact", told.bound.is_none(), || {
                    format!("all scores are bounds: {}", told.words())
                });
            }
            let count = answer.infos.len();
            self.judge("info.flood", count < FLOOD, || {
                format!("{count} lines in one search")
            });
        }
    }

    fn judge_only(&mut self, answer: &Answer, running: &Running) {
        let only = &running.only;
        if only.is_empty() {
            return;
        }
        let among = |text: &str| {
            let found = playable(&running.root, text);
            found.is_none_or(|found| only.contains(&found.text))
        };
        if let Some(best) = &answer.best {
            self.judge("go.searchmoves", only.contains(&best.text), || {
                format!(
                    "bestmove {}, but searchmoves are {}",
                    best.text,
                    only.join(" ")
                )
            });
        }
        let firsts = answer
            .infos
            .iter()
            .filter_map(|heard| heard.pv.as_ref()?.first());
        let strange = firsts.into_iter().find(|text| !among(text)).cloned();
        if !self.record.has_failed("go.searchmoves") {
            self.judge("go.searchmoves-pv", strange.is_none(), || {
                format!("a pv begins with {}", strange.unwrap_or_default())
            });
        }
    }
}

/// A move of a best line. In UGI all of them are as the side to move at the root
/// sees the board.
fn in_view_of(root: &AnyLine, line: &AnyLine, text: &str) -> Understood {
    if !matches!(line, AnyLine::Gyges(_)) {
        return understand(line, Text::from(text));
    }
    match NamedMove::read(line, &in_our_view(root, text)) {
        Ok(found) => Understood::Move(found, None),
        Err(error) => Understood::Illegal(error),
    }
}
