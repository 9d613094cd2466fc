//! Events: the work that pages want of them.

use std::time::Duration;

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{Answer, EventId, EventView, NewEvent, Refusal, RefusalCode, Topic};
use quadrille_desk::work::EventWork;
use rusqlite::{OptionalExtension, params};
use tokio::task::spawn_blocking;

use super::Hub;
use super::desk::machine;
use super::work::Reply;
use crate::events::{self, Begun};

impl Hub {
    pub(super) fn event_work(&mut self, page: PageId, id: u32, work: EventWork) -> Reply {
        match work {
            EventWork::Begin(event) => self.new_event(page, id, event),
            EventWork::Attach(path) => self.attach_event(page, id, path),
            EventWork::Control(event, command) => self.control_event(page, id, event, &command),
            EventWork::Forget(event) => self.forget_event(page, id, event),
            EventWork::Study(event, game) => self.study_event_game(page, id, event, game),
            EventWork::Export(event) => self.export_event(page, id, event),
        }
    }

    /// Does something that may take long, and answers with what comes of it.
    fn elsewhere<T: Send + 'static>(
        &self,
        page: PageId,
        id: u32,
        work: impl FnOnce() -> Result<T, String> + Send + 'static,
        then: impl FnOnce(&mut Self, T) -> Reply + Send + 'static,
    ) -> Reply {
        let done = async {
            let done = spawn_blocking(work).await;
            let done = done.unwrap_or_else(|error| Err(error.to_string()));
            done.map_err(|words| Refusal::new(RefusalCode::Value, words))
        };
        self.later(page, id, done, then)
    }

    fn new_event(&self, page: PageId, id: u32, event: Box<NewEvent>) -> Reply {
        let known = event
            .engines
            .iter()
            .map(|engine| self.engines.get(*engine).cloned());
        let Some(engines) = known.collect::<Option<Vec<_>>>() else {
            return Err(Refusal::new(
                RefusalCode::Gone,
                "one of the engines is no more",
            ))
            .into();
        };
        let (folder, known) = (self.folder.join("events"), self.events.paths());
        let begin = move || events::begin(&event, &engines, &folder, &known);
        self.elsewhere(page, id, begin, move |hub, begun| {
            hub.add_event(page, id, begun)
        })
    }

    /// Gives a new event its number, and plays it.
    fn add_event(&self, page: PageId, id: u32, begun: Begun) -> Reply {
        let path = begun.path.display().to_string();
        let number = self.data.write_for(move |file| {
            file.execute(
                "INSERT INTO events (path, own, wanted) VALUES (?1, 1, 1)",
                [path],
            )?;
            Ok(file.last_insert_rowid())
        });
        self.when_heard(page, id, number, |hub, number| {
            let event = number as EventId;
            hub.events.add(event, begun.path.clone(), true, true);
            let program = hub.engines.program();
            hub.events.run(event, begun, &program, &hub.handle);
            hub.look_at_events();
            Ok(Answer::Event(event)).into()
        })
    }

    fn attach_event(&self, page: PageId, id: u32, path: String) -> Reply {
        let folder = self.folder.clone();
        self.elsewhere(
            page,
            id,
            move || events::attached(&path, &folder),
            move |hub, path| {
                if let Some(event) = hub.events.of(&path) {
                    return Ok(Answer::Event(event)).into();
                }
                let text = path.display().to_string();
                let number = hub.data.write_for(move |file| {
                    file.execute(
                        "INSERT OR IGNORE INTO events (path, own, wanted) VALUES (?1, 0, 0)",
                        [&text],
                    )?;
                    file.query_row("SELECT id FROM events WHERE path = ?1", [&text], |row| {
                        row.get(0)
                    })
                    .optional()
                });
                hub.when_heard(page, id, number, |hub, number: Option<i64>| {
                    let Some(number) = number else {
                        return Err(machine("the event was not kept".into())).into();
                    };
                    let event = number as EventId;
                    hub.events.add(event, path, false, false);
                    hub.look_at_events();
                    Ok(Answer::Event(event)).into()
                })
            },
        )
    }

    fn control_event(&mut self, page: PageId, id: u32, event: EventId, command: &str) -> Reply {
        match self.events.control(event, command) {
            Ok(false) => {
                self.keep_event(event);
                self.changed(Topic::Event(event));
                Ok(Answer::Done).into()
            }
            Ok(true) => {
                let Some(path) = self.events.path(event) else {
                    return Err(gone()).into();
                };
                self.elsewhere(
                    page,
                    id,
                    move || events::resume(&path),
                    move |hub, begun| {
                        hub.go_on(event, begun);
                        Ok(Answer::Done).into()
                    },
                )
            }
            Err(words) => Err(Refusal::new(RefusalCode::Value, words)).into(),
        }
    }

    /// Takes an event off the list; the store of one of our own is removed.
    fn forget_event(&mut self, page: PageId, id: u32, event: EventId) -> Reply {
        let store = match self.events.forget(event) {
            Ok(store) => store,
            Err(words) => return Err(Refusal::new(RefusalCode::Value, words)).into(),
        };
        self.changed(Topic::Event(event));
        self.changed(Topic::Events);
        let deleted = self.data.write_for(move |file| {
            let words = "DELETE FROM events WHERE id = ?1";
            file.execute(words, params![event]).map(drop)
        });
        self.when_heard(page, id, deleted, move |hub, ()| {
            let Some(store) = store else {
                return Ok(Answer::Done).into();
            };
            let removed = move || events::remove(&store);
            hub.elsewhere(page, id, removed, |_, ()| Ok(Answer::Done).into())
        })
    }

    fn go_on(&mut self, event: EventId, begun: Begun) {
        let program = self.engines.program();
        self.events.run(event, begun, &program, &self.handle);
        self.keep_event(event);
        self.look_at_events();
    }

    fn keep_event(&self, event: EventId) {
        let wanted = self.events.is_wanted(event);
        self.data.write(move |file| {
            let words = "UPDATE events SET wanted = ?2 WHERE id = ?1";
            file.execute(words, params![event, wanted]).map(drop)
        });
    }

    /// Events that ran when the program ended go on.
    pub(super) fn resume_events(&mut self) {
        for (event, path) in self.events.wanted() {
            let handle = self.handle.clone();
            tokio::spawn(async move {
                let begun = spawn_blocking(move || events::resume(&path)).await;
                let begun = begun.unwrap_or_else(|error| Err(error.to_string()));
                handle
                    .call(move |hub| match begun {
                        Ok(begun) => hub.go_on(event, begun),
                        Err(words) => hub.events.over(event, Some(words)),
                    })
                    .await;
            });
        }
        self.look_at_events();
    }

    /// An event that ran here is over.
    pub(crate) fn event_over(&mut self, event: EventId, trouble: Option<String>) {
        let goes_on = self.closing_down && self.events.is_wanted(event);
        self.events.over(event, trouble);
        if !goes_on {
            self.keep_event(event);
        }
        self.look_at_events();
    }

    /// An event was looked at.
    pub(crate) fn event_seen(
        &mut self,
        event: EventId,
        view: Result<EventView, String>,
        took: Duration,
    ) {
        if self.events.seen(event, view, took) {
            self.changed(Topic::Event(event));
            self.changed(Topic::Events);
        }
    }

    /// Looks at what may have changed.
    pub(super) fn look_at_events(&mut self) {
        let desk = &self.desk;
        let followed = |event| desk.is_followed(&Topic::Event(event));
        for event in self.events.due(followed) {
            self.events.look(event, &self.handle);
        }
        if self.events.any_running() {
            self.beat_soon();
        }
    }

    fn study_event_game(&self, page: PageId, id: u32, event: EventId, game: u32) -> Reply {
        let Some(path) = self.events.path(event) else {
            return Err(gone()).into();
        };
        self.elsewhere(
            page,
            id,
            move || events::game(&path, game),
            |hub, record| hub.open_study(record, "").map(Answer::Study).into(),
        )
    }

    fn export_event(&self, page: PageId, id: u32, event: EventId) -> Reply {
        let Some(path) = self.events.path(event) else {
            return Err(gone()).into();
        };
        self.elsewhere(
            page,
            id,
            move || events::pgn(&path),
            |_, text| Ok(Answer::Text(String::from_utf8_lossy(&text).into_owned())).into(),
        )
    }
}

fn gone() -> Refusal {
    Refusal::new(RefusalCode::Gone, "there is no such event any more")
}
