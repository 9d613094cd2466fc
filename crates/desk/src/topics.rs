//! Topics: what pages follow, with one count of versions for all of them.
//!
//! Some topics are kept outside, where there is a server: engines, jobs, events, the
//! library. Who follows them and which version is the newest is known here all the same;
//! what they hold is read outside ([`Effect::Read`]).

use crate::desk::Desk;
use crate::effect::{Effect, PageId};
use crate::wire::{News, ToPage, Topic};

/// Topics that one page may follow.
const MOST_FOLLOWED: usize = 200;

impl Desk {
    /// Topics that are kept outside have changed: those who follow them are to be told.
    pub fn outside_changed(
        &mut self,
        topics: impl IntoIterator<Item = Topic>,
        now: f64,
    ) -> Vec<Effect> {
        self.set_time(now);
        for topic in topics {
            self.changed(topic);
        }
        self.flush()
    }

    /// Returns `true` if any page follows a topic.
    pub fn is_followed(&self, topic: &Topic) -> bool {
        self.pages.values().any(|page| page.follows.contains(topic))
    }

    /// Returns `true` if what a topic holds is kept outside.
    pub(crate) const fn is_outside(&self, topic: &Topic) -> bool {
        !self.setup.alone
            && matches!(
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

    pub(crate) fn changed(&mut self, topic: Topic) {
        self.dirty.insert(topic);
    }

    pub(crate) fn new_version(&mut self) -> u32 {
        self.version = self.version.saturating_add(1);
        self.version
    }

    /// Tells what has changed.
    pub(crate) fn tell_changes(&mut self) {
        for topic in std::mem::take(&mut self.dirty) {
            let version = self.new_version();
            self.versions.insert(topic.clone(), version);
            let pages = self.pages.iter();
            let pages = pages.filter(|(_, page)| page.follows.contains(&topic));
            let pages = pages.map(|(id, _)| *id).collect();
            self.tell(pages, topic, version);
        }
    }

    fn tell(&mut self, pages: Vec<PageId>, topic: Topic, version: u32) {
        if pages.is_empty() {
            return;
        }
        if self.is_outside(&topic) {
            return self.out.push(Effect::Read {
                topic,
                version,
                pages,
            });
        }
        for page in pages {
            let news = self.news(page, &topic);
            self.send_news(page, topic.clone(), version, news);
        }
    }

    pub(crate) fn send_news(&mut self, page: PageId, topic: Topic, version: u32, news: News) {
        let news = Box::new(news);
        self.send(
            page,
            ToPage::News {
                topic,
                version,
                news,
            },
        );
    }

    /// A page wants to be told about a topic, of which it may have a version.
    pub(crate) fn follow(&mut self, page: PageId, topic: Topic, known: Option<u32>) {
        let version = match topic {
            Topic::Analysis => self.analysis_version(page),
            _ => match self.versions.get(&topic) {
                Some(&version) => version,
                None => {
                    let version = self.new_version();
                    self.versions.insert(topic.clone(), version);
                    version
                }
            },
        };
        let Some(open) = self.pages.get_mut(&page) else {
            return;
        };
        if open.follows.len() < MOST_FOLLOWED {
            open.follows.insert(topic.clone());
        }
        match topic {
            Topic::Table(table) => self.looked_at(table),
            // Its lines are counted; a page that comes again has some of them.
            Topic::Log(engine) if !self.setup.alone => {
                let from = known.unwrap_or(0);
                return self.out.push(Effect::ReadLog { page, engine, from });
            }
            _ => {}
        }
        if known != Some(version) {
            self.tell(vec![page], topic, version);
        }
    }

    /// A page does not want to be told any more.
    pub(crate) fn leave(&mut self, page: PageId, topic: &Topic) {
        if let Some(page) = self.pages.get_mut(&page) {
            page.follows.remove(topic);
        }
        if let (Topic::Log(engine), false) = (topic, self.setup.alone) {
            let engine = *engine;
            self.out.push(Effect::LeaveLog { page, engine });
        }
    }

    /// The whole of a topic as a page may see it.
    fn news(&self, page: PageId, topic: &Topic) -> News {
        match topic {
            Topic::Studies => News::Studies(self.study_list()),
            Topic::Study(id) => self.study_view(*id).map_or(News::Gone, News::Study),
            Topic::Tables => News::Tables(self.table_list()),
            Topic::Table(id) => self.table_view(page, *id).map_or(News::Gone, News::Table),
            Topic::Clock(id) => self.table_status(*id).map_or(News::Gone, News::Clock),
            Topic::Engines => News::Engines(crate::wire::Engines {
                engines: self.crew.engines.clone(),
                adding: Vec::new(),
            }),
            Topic::Analysis => News::Analysis(self.analysis_view(page)),
            Topic::Settings => News::Settings(self.settings_of(page)),
            Topic::Library => News::Library(self.library.view()),
            Topic::Jobs => News::Jobs(Vec::new()),
            Topic::Events => News::Events(Vec::new()),
            Topic::Log(_) | Topic::Report(_) | Topic::Check(_) | Topic::Event(_) => News::Gone,
        }
    }

    /// What is remembered is the operator's.
    fn settings_of(&self, page: PageId) -> Vec<(String, String)> {
        if !self.is_owner(page) {
            return Vec::new();
        }
        let all = self.settings.iter();
        all.map(|(k, v)| (k.clone(), v.clone())).collect()
    }
}
