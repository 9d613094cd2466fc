//! What the engines of a page look at, live.
//!
//! A page names a node and engines; each gets a search of its own. When the page
//! looks elsewhere the searches end and others begin, with higher numbers, and what an
//! old one still says is not told on: lines are always about the position that the
//! view names.

use quadrille_client::SearchNumbers;
use quadrille_games::AnyLine;

use crate::boards::over_words;
use crate::desk::Desk;
use crate::effect::{
    Effect, PageId, Purpose, SearchId, SearchNews, SearchOrder, Thinking, Thought,
};
use crate::refuse::Answered;
use crate::wire::{
    AnalysisView, Answer, EngineAnalysis, EngineId, Focus, Level, News, Refusal, RefusalCode,
    ToPage, Topic,
};

/// Engines of one page.
const MOST_ENGINES: usize = 16;
/// Best lines of one engine.
const MOST_LINES: u32 = 100;
/// Moves that a search can be confined to.
const MOST_ONLY: usize = 500;

/// The live analysis of one page.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    version: u32,
    focus: Option<Focus>,
    engines: Vec<EngineAnalysis>,
}

impl Desk {
    pub(crate) fn analysis_view(&self, page: PageId) -> AnalysisView {
        let analysis = self.pages.get(&page).map(|page| &page.analysis);
        AnalysisView {
            focus: analysis.and_then(|a| a.focus.clone()),
            engines: analysis.map(|a| a.engines.clone()).unwrap_or_default(),
        }
    }

    pub(crate) fn analysis_version(&mut self, page: PageId) -> u32 {
        let fresh = self.new_version();
        let Some(page) = self.pages.get_mut(&page) else {
            return fresh;
        };
        if page.analysis.version == 0 {
            page.analysis.version = fresh;
        }
        page.analysis.version
    }

    /// Tells the page all of its analysis.
    fn tell_analysis(&mut self, page: PageId) {
        let news = News::Analysis(self.analysis_view(page));
        self.tell_of_analysis(page, news);
    }

    fn tell_of_analysis(&mut self, id: PageId, news: News) {
        let version = self.new_version();
        let Some(page) = self.pages.get_mut(&id) else {
            return;
        };
        page.analysis.version = version;
        if page.follows.contains(&Topic::Analysis) {
            let news = Box::new(news);
            let topic = Topic::Analysis;
            self.send(
                id,
                ToPage::News {
                    topic,
                    version,
                    news,
                },
            );
        }
    }

    /// Lets the engines of a page look at something else. Engines for which nothing
    /// changes go on.
    pub(crate) fn analyse(&mut self, id: PageId, mut focus: Focus) -> Answered {
        if focus.engines.len() > MOST_ENGINES || focus.moves.len() > MOST_ONLY {
            return Err(Refusal::too_much(format!(
                "a page can have {MOST_ENGINES} engines at once, confined to {MOST_ONLY} moves"
            )));
        }
        focus.lines = focus.lines.clamp(1, MOST_LINES);
        focus.limits = crate::limits::tidy(focus.limits);
        let mut seen = Vec::new();
        focus.engines.retain(|engine| {
            let fresh = !seen.contains(engine);
            seen.push(*engine);
            fresh
        });
        let study = self.study(focus.study)?;
        let line = if focus.threat {
            study.threat(focus.node)?
        } else {
            study.line(focus.node)?
        };
        let only: Result<Vec<String>, _> = focus
            .moves
            .iter()
            .map(|m| line.find(m))
            .map(|found| found.map(|m| m.text))
            .collect();
        focus.moves = only?;
        let Some(page) = self.pages.get_mut(&id) else {
            return Ok(Answer::Done);
        };
        let old = page.analysis.focus.take();
        let mut before = std::mem::take(&mut page.analysis.engines);
        let same = old.is_some_and(|old| {
            Focus {
                engines: Vec::new(),
                ..old
            } == Focus {
                engines: Vec::new(),
                ..focus.clone()
            }
        });
        let mut engines = Vec::new();
        for &engine in &focus.engines {
            let running = before
                .iter()
                .position(|a| a.engine == engine && a.running && same);
            engines.push(match running {
                Some(place) => before.remove(place),
                None => self.begin_analysis(id, engine, &focus, &line),
            });
        }
        for old in before {
            self.end_search(old.search);
        }
        if let Some(page) = self.pages.get_mut(&id) {
            page.analysis.focus = Some(focus);
            page.analysis.engines = engines;
        }
        self.tell_analysis(id);
        Ok(Answer::Done)
    }

    fn begin_analysis(
        &mut self,
        page: PageId,
        engine: EngineId,
        focus: &Focus,
        line: &AnyLine,
    ) -> EngineAnalysis {
        let game = line.game();
        let known = self.crew.engines.iter().find(|known| known.id == engine);
        let trouble = match known {
            None => Some("there is no such engine any more".to_owned()),
            Some(known) if !known.games.contains(&game) => {
                Some(format!("{} does not play this game", known.name))
            }
            Some(_) => over_words(line),
        };
        let search = self.begin_search(Purpose::Analysis(page));
        let running = trouble.is_none();
        if running {
            self.out.push(Effect::Search(Box::new(SearchOrder {
                search,
                engine,
                purpose: Purpose::Analysis(page),
                line: line.clone(),
                time: Thinking::Limits(focus.limits),
                lines: focus.lines,
                only: focus.moves.clone(),
                level: Level::Full,
            })));
        } else {
            self.searches.remove(&search);
        }
        EngineAnalysis {
            engine,
            search,
            study: focus.study,
            node: focus.node,
            threat: focus.threat,
            only: focus.moves.clone(),
            running,
            side: line.side(),
            numbers: SearchNumbers::default(),
            lines: Vec::new(),
            trouble,
            said: None,
        }
    }

    /// All engines of a page stop; what they found stays.
    pub(crate) fn stop_analysis(&mut self, id: PageId) {
        let Some(page) = self.pages.get_mut(&id) else {
            return;
        };
        if page.analysis.focus.take().is_none() {
            return;
        }
        let mut ended = Vec::new();
        for engine in page.analysis.engines.iter_mut().filter(|e| e.running) {
            engine.running = false;
            ended.push(engine.search);
        }
        for search in ended {
            self.end_search(search);
        }
        self.tell_analysis(id);
    }

    pub(crate) fn analysis_heard(&mut self, id: PageId, search: SearchId, news: SearchNews) {
        let Some(page) = self.pages.get_mut(&id) else {
            return;
        };
        let engines = &mut page.analysis.engines;
        let Some(engine) = engines.iter_mut().find(|e| e.search == search && e.running) else {
            return;
        };
        match news {
            SearchNews::Begun => return,
            SearchNews::Lines(thought) => take(engine, *thought),
            SearchNews::Done { .. } => engine.running = false,
            SearchNews::Failed { words } => {
                engine.running = false;
                engine.trouble = Some(words);
            }
        }
        let news = News::Lines(engine.clone());
        self.tell_of_analysis(id, news);
    }

    /// Engines that are no more end what they did.
    pub(crate) fn end_lost_analyses(&mut self) {
        let known: Vec<EngineId> = self.crew.engines.iter().map(|e| e.id).collect();
        let mut ended = Vec::new();
        let mut told = Vec::new();
        for (id, page) in &mut self.pages {
            for engine in &mut page.analysis.engines {
                if engine.running && !known.contains(&engine.engine) {
                    engine.running = false;
                    engine.trouble = Some("there is no such engine any more".into());
                    ended.push(engine.search);
                    told.push(*id);
                }
            }
        }
        for search in ended {
            self.end_search(search);
        }
        told.dedup();
        for page in told {
            self.tell_analysis(page);
        }
    }
}

/// What is newest replaces what was there.
fn take(engine: &mut EngineAnalysis, thought: Thought) {
    engine.numbers = thought.numbers;
    // An engine that tells numbers between two lines has not forgotten the lines.
    if !thought.lines.is_empty() {
        engine.lines = thought.lines;
    }
    if thought.said.is_some() {
        engine.said = thought.said;
    }
}

/// A refusal about engines.
pub(crate) fn no_engine(words: impl Into<String>) -> Refusal {
    Refusal::new(RefusalCode::Engine, words)
}
