//! Topics: what pages are told without asking again.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{EngineId, Engines as EnginesView, LogView, News, ToPage, Topic};

use tokio::time::Instant;

use super::Hub;
use crate::guard::Role;
use crate::library;

/// Lines of a log in one message.
const MOST_LINES: usize = 500;

/// Whether a topic is ours; the others are the desk's.
pub(super) const fn is_ours(topic: &Topic) -> bool {
    matches!(
        topic,
        Topic::Engines
            | Topic::Log(_)
            | Topic::Jobs
            | Topic::Report(_)
            | Topic::Check(_)
            | Topic::Events
            | Topic::Event(_)
            | Topic::Library
    )
}

impl Hub {
    /// A page wants to be told about a topic of ours.
    pub(super) fn follow(&mut self, page: PageId, topic: &Topic, version: Option<u32>) {
        let Some(open) = self.pages.get_mut(page) else {
            return;
        };
        if !open.topics.contains(topic) {
            open.topics.push(topic.clone());
        }
        if let Topic::Log(engine) = *topic {
            // A page that comes again has some lines already.
            open.logs.insert(engine, version.unwrap_or(0));
            self.tell_log(page, engine, true);
            return;
        }
        let now = self.version(topic);
        if *topic == Topic::Library {
            self.tell_library(vec![page], now);
        } else if version != Some(now) {
            self.tell(page, topic, now);
        }
        if matches!(topic, Topic::Event(_) | Topic::Events) {
            self.look_at_events();
        }
    }

    /// What the library holds has to be counted.
    fn tell_library(&self, pages: Vec<PageId>, version: u32) {
        if pages.is_empty() {
            return;
        }
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

    pub(super) fn leave(&mut self, page: PageId, topic: &Topic) {
        if let Some(open) = self.pages.get_mut(page) {
            open.topics.retain(|known| known != topic);
            if let Topic::Log(engine) = topic {
                open.logs.remove(engine);
            }
        }
    }

    fn version(&self, topic: &Topic) -> u32 {
        self.versions.get(topic).copied().unwrap_or(1)
    }

    /// Tells everything that changed since the last beat.
    pub(super) fn beat_now(&mut self) {
        self.refresh_jobs();
        self.look_at_events();
        for topic in std::mem::take(&mut self.stale) {
            let version = self.version(&topic).wrapping_add(1);
            self.versions.insert(topic.clone(), version);
            if topic == Topic::Library {
                self.tell_library(self.pages.following(&topic), version);
                continue;
            }
            for page in self.pages.following(&topic) {
                self.tell(page, &topic, version);
            }
        }
        self.tell_logs();
    }

    /// Tells a page the whole of a topic.
    fn tell(&mut self, page: PageId, topic: &Topic, version: u32) {
        let Some(open) = self.pages.get(page) else {
            return;
        };
        let secret = open.role != Role::Owner;
        let Some(news) = self.news(topic, secret) else {
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
    fn news(&mut self, topic: &Topic, secret: bool) -> Option<News> {
        match topic {
            Topic::Engines => Some(News::Engines(EnginesView {
                engines: self.engines.views(secret),
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
