//! What pages say.

use quadrille_desk::effect::{PageId, SearchId, SearchNews};
use quadrille_desk::wire::{
    Answer, Ask, EngineChange, EngineId, FromPage, NewEngine, Refusal, RefusalCode, TableId,
    ToPage, Topic,
};

use super::Hub;
use super::follow::is_ours;
use super::pages::Queue;
use crate::engines::{Changed, EngineRecord, Steps, look_at};
use crate::guard::Role;

/// A refusal in words.
pub(crate) fn refuse(code: RefusalCode, words: impl Into<String>) -> Refusal {
    Refusal {
        code,
        words: words.into(),
    }
}

/// What a question comes to: an answer now, or later from elsewhere.
pub(crate) enum Reply {
    Now(Result<Answer, Refusal>),
    Later,
}

impl From<Result<Answer, Refusal>> for Reply {
    fn from(result: Result<Answer, Refusal>) -> Self {
        Self::Now(result)
    }
}

impl Hub {
    pub(super) fn joined(&mut self, role: Role, queue: Queue) -> Option<PageId> {
        let page = self.pages.join(role, queue)?;
        self.greet(page);
        Some(page)
    }

    pub(super) fn left(&mut self, page: PageId) {
        if self.pages.leave(page) {
            self.page_left(page);
        }
    }

    /// Sends a message to a page; one that is too far behind is cut off.
    pub(crate) fn send(&mut self, page: PageId, message: &ToPage) {
        if !self.pages.send(page, message) {
            self.left(page);
        }
    }

    pub(super) fn said(&mut self, page: PageId, message: FromPage) {
        let Some(open) = self.pages.get(page) else {
            return;
        };
        if open.role != Role::Owner && !may_guest(&message) {
            if let FromPage::Ask { id, .. } = message {
                let words = "only the person who started this program may do that";
                let refusal = refuse(RefusalCode::Forbidden, words);
                self.send(page, &ToPage::Refused { id, refusal });
            }
            return;
        }
        match message {
            FromPage::Follow { topic, version } if is_ours(&topic) => {
                self.follow(page, topic, version);
            }
            FromPage::Leave { topic } if is_ours(&topic) => self.leave(page, &topic),
            FromPage::Ask { id, ask } => match self.ask(page, id, ask) {
                Ok(Reply::Now(result)) => self.answer(page, id, result),
                Ok(Reply::Later) => {}
                Err(ask) => self.to_desk(page, FromPage::Ask { id, ask }),
            },
            message => self.to_desk(page, message),
        }
    }

    /// Answers a question of a page.
    pub(crate) fn answer(&mut self, page: PageId, id: u32, result: Result<Answer, Refusal>) {
        let message = match result {
            Ok(answer) => ToPage::Answer {
                id,
                answer: Box::new(answer),
            },
            Err(refusal) => ToPage::Refused { id, refusal },
        };
        self.send(page, &message);
    }

    /// Answers what is ours to answer; everything else comes back.
    fn ask(&mut self, page: PageId, id: u32, ask: Ask) -> Result<Reply, Ask> {
        Ok(match ask {
            Ask::AddEngine { engine } => self.add_engine(page, id, engine),
            Ask::ChangeEngine { engine, change } => self.change_engine(engine, &change).into(),
            Ask::StopEngine { engine } => {
                self.engines.quit(engine);
                self.changed(Topic::Engines);
                Ok(Answer::Done).into()
            }
            ask => return Err(ask),
        })
    }

    fn add_engine(&mut self, page: PageId, id: u32, new: NewEngine) -> Reply {
        if self.engines.adding.iter().any(|step| step.done.is_none()) {
            let words = "another engine is being added; wait until that is done";
            return Err(refuse(RefusalCode::TooMuch, words)).into();
        }
        let (handle, program) = (self.handle.clone(), self.engines.program());
        // It has no number yet.
        let talk = self.engines.talk(0);
        tokio::spawn(async move {
            let hub = handle.clone();
            let mut steps = Steps::new(move |steps| {
                let hub = hub.clone();
                tokio::spawn(async move {
                    hub.call(move |hub| {
                        // Each tells everything before it, in whatever order they come.
                        if steps.len() >= hub.engines.adding.len() {
                            hub.engines.adding = steps;
                        }
                        hub.changed(Topic::Engines);
                    })
                    .await;
                });
            });
            let looked = look_at(&new, &program, &talk, &mut steps).await;
            if let Ok(record) = &looked {
                steps.kept(&record.shown_name());
            }
            handle
                .call(move |hub| {
                    let result = looked.and_then(|record| hub.engines.add(record));
                    let result = result.map(Answer::Engine);
                    let result = result.map_err(|words| refuse(RefusalCode::Engine, words));
                    hub.keep_engines();
                    hub.answer(page, id, result);
                })
                .await;
        });
        self.engines.adding.clear();
        Reply::Later
    }

    fn change_engine(
        &mut self,
        engine: EngineId,
        change: &EngineChange,
    ) -> Result<Answer, Refusal> {
        let known = self.engines.get(engine).is_some() || *change == EngineChange::Restore;
        if !known {
            return Err(refuse(
                RefusalCode::Gone,
                "there is no such engine any more",
            ));
        }
        let changed = self.engines.change(engine, change);
        let (engine, changed) = changed.map_err(|words| refuse(RefusalCode::Value, words))?;
        if changed == Changed::List {
            self.keep_engines();
        }
        if matches!(change, EngineChange::Command { .. }) {
            self.look_again(engine);
        }
        Ok(Answer::Engine(engine))
    }

    /// Keeps the list of engines, and tells everybody.
    pub(crate) fn keep_engines(&mut self) {
        let all = self.engines.all();
        self.data.write(move |file| {
            file.execute("DELETE FROM engines", [])?;
            let mut put = file.prepare("INSERT INTO engines VALUES (?1, ?2, ?3, ?4)")?;
            for (place, removed, record) in all {
                let text = serde_json::to_string(&record).unwrap_or_default();
                put.execute(rusqlite::params![record.id, place as i64, removed, text])?;
            }
            Ok(())
        });
        self.tell_crew();
        self.changed(Topic::Engines);
    }

    /// Starts an engine once, to hear what it says of itself.
    pub(crate) fn look_again(&mut self, engine: EngineId) {
        let Some(record) = self.engines.get(engine).cloned() else {
            return;
        };
        let (handle, program) = (self.handle.clone(), self.engines.program());
        let talk = self.engines.talk(engine);
        tokio::spawn(async move {
            if let Some(record) = learn(record, &program, &talk).await {
                handle
                    .call(move |hub| {
                        hub.engines.learnt(record);
                        hub.keep_engines();
                    })
                    .await;
            }
        });
    }

    pub(super) fn begin(&mut self) {
        // Options of our own engines may be others in a new version.
        for engine in self.engines.views(true) {
            if engine.builtin {
                self.look_again(engine.id);
            }
        }
        self.tell_crew();
    }

    fn greet(&mut self, page: PageId) {
        let _ = page;
    }

    fn page_left(&mut self, page: PageId) {
        let _ = page;
    }

    fn to_desk(&mut self, page: PageId, message: FromPage) {
        if let FromPage::Ask { id, .. } = message {
            let refusal = refuse(RefusalCode::Absent, "not yet");
            self.send(page, &ToPage::Refused { id, refusal });
        }
    }

    pub(super) fn tell_crew(&mut self) {}

    pub(super) fn tick(&mut self) {}

    pub(super) fn searched(&mut self, search: SearchId, news: SearchNews) {
        if matches!(news, SearchNews::Done { .. } | SearchNews::Failed { .. }) {
            self.engines.over(search);
        }
    }

    pub(crate) fn seat(&self, word: &str) -> Option<TableId> {
        let _ = word;
        None
    }
}

async fn learn(
    mut record: EngineRecord,
    program: &std::path::Path,
    talk: &crate::engines::Conversation,
) -> Option<EngineRecord> {
    let game = *record.games.first()?;
    let spec = record.spec(program, game, "");
    let started = quadrille_host::driver::Engine::start_taped(&spec, game, Some(talk.tape()));
    let mut engine = started.await.ok()?;
    record.learn(&engine);
    engine.quit().await;
    Some(record)
}

/// What a person with the link to a seat may say; the desk looks whether it is about
/// that seat.
fn may_guest(message: &FromPage) -> bool {
    match message {
        FromPage::Follow { topic, .. } | FromPage::Leave { topic } => {
            matches!(topic, Topic::Table(_))
        }
        FromPage::Ask { ask, .. } => matches!(
            ask,
            Ask::Position { .. } | Ask::Moves { .. } | Ask::Act { .. } | Ask::LookTable { .. }
        ),
    }
}
