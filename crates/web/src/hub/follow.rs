//! Topics that are kept here. The desk knows who follows them and their versions.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{EngineId, Engines as EnginesView, LogView, News, ToPage, Topic};

use tokio::time::Instant;

use super::{Hub, now};
use crate::library;

/// Lines of a log in one message.
const MOST_LINES: usize = 500;

impl Hub {
    /// Reads a topic and sends it to pages.
    pub(super) fn read(&mut self, topic: &Topic, version: u32, pages: Vec<PageId>) {
        if *topic == Topic::Library {
            return self.tell_library(pages, version);
        }
        for page in pages {
            self.tell(page, topic, version);
        }
    }

    /// A page reads the log of an engine from a line on.
    pub(super) fn read_log(&mut self, page: PageId, engine: EngineId, from: u32) {
        if let Some(open) = self.pages.get_mut(page) {
            open.logs.insert(engine, from);
            self.tell_log(page, engine, true);
        }
    }

    pub(super) fn leave_log(&mut self, page: PageId, engine: EngineId) {
        if let Some(open) = self.pages.get_mut(page) {
            open.logs.remove(&engine);
        }
    }

    /// What the library holds has to be counted.
    fn tell_library(&self, pages: Vec<PageId>, version: u32) {
        let view = self.data.read(library::view);
        let handle = self.handle.clone();
        tokio::spawn(async move {
            let Ok(view) = crate::data::heard(view).await else {
                return;
            };
            handle
                .call(move |hub| {
                    for page in pages {
                        let news = Box::new(News::Library(view.clone()));
                        let topic = Topic::Library;
                        hub.send(
                            page,
                            &ToPage::News {
                                topic,
                                version,
                                news,
                            },
                        );
                    }
                })
                .await;
        });
    }

    /// There will be something to tell without a note.
    pub(super) fn beat_soon(&mut self) {
        self.beat
            .get_or_insert_with(|| Instant::now() + super::BEAT);
    }

    /// Tells everything that changed since the last beat.
    pub(super) fn beat_now(&mut self) {
        self.refresh_jobs();
        self.look_at_events();
        let stale = std::mem::take(&mut self.stale);
        let effects = self.desk.outside_changed(stale, now());
        self.carry_out(effects);
        self.tell_logs();
    }

    /// Tells a page the whole of a topic.
    fn tell(&mut self, page: PageId, topic: &Topic, version: u32) {
        let Some(news) = self.news(topic) else {
            // One that was not looked at yet is told when it was.
            if matches!(topic, Topic::Event(event) if self.events.is_unseen(*event)) {
                return;
            }
            return self.send_news(page, topic, version, News::Gone);
        };
        self.send_news(page, topic, version, news);
    }

    fn send_news(&mut self, page: PageId, topic: &Topic, version: u32, news: News) {
        self.send(
            page,
            &ToPage::News {
                topic: topic.clone(),
                version,
                news: Box::new(news),
            },
        );
    }

    /// The whole of a topic; nothing if there is no such thing.
    fn news(&mut self, topic: &Topic) -> Option<News> {
        match topic {
            Topic::Engines => Some(News::Engines(EnginesView {
                engines: self.engines.views(),
                adding: self.engines.adding.clone(),
            })),
            Topic::Jobs => Some(News::Jobs(self.jobs.views())),
            Topic::Report(job) => self.jobs.report(*job).map(News::Report),
            Topic::Check(job) => self.jobs.check(*job).map(News::Check),
            Topic::Events => Some(News::Events(self.events.infos())),
            Topic::Event(event) => self.events.view(*event).map(News::Event),
            _ => None,
        }
    }

    /// New lines of logs to those who read them.
    fn tell_logs(&mut self) {
        let reading: Vec<(PageId, EngineId)> = self
            .pages
            .iter_mut()
            .flat_map(|(page, open)| open.logs.keys().map(move |engine| (page, *engine)))
            .collect();
        for (page, engine) in &reading {
            self.tell_log(*page, *engine, false);
        }
        if !reading.is_empty() {
            // Lines come without a note.
            self.beat_soon();
        }
    }

    fn tell_log(&mut self, page: PageId, engine: EngineId, always: bool) {
        let talk = self.engines.talk(engine);
        let Some(next) = self
            .pages
            .get_mut(page)
            .and_then(|open| open.logs.get_mut(&engine))
        else {
            return;
        };
        let (first, lines) = talk.since(*next, MOST_LINES);
        if lines.is_empty() && !always {
            return;
        }
        *next = first + lines.len() as u32;
        let version = *next;
        let view = LogView {
            engine,
            first,
            lines,
        };
        self.send(
            page,
            &ToPage::News {
                topic: Topic::Log(engine),
                version,
                news: Box::new(News::Log(view)),
            },
        );
        self.beat_soon();
    }

    /// The conversation with an engine.
    pub(crate) fn log_text(&mut self, engine: EngineId) -> Option<String> {
        let name = self.engines.get(engine)?.shown_name();
        Some(self.engines.talk(engine).text(&name))
    }
}
