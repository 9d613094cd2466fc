//! Engines: the work that pages want of them.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{
    Answer, EngineChange, EngineId, NewEngine, Refusal, RefusalCode, Topic,
};
use quadrille_desk::work::EngineWork;
use tokio::sync::mpsc;

use super::Hub;
use super::work::Reply;
use crate::engines::{Attempt, Changed, EngineRecord, Steps, look_at};

impl Hub {
    pub(super) fn engine_work(&mut self, page: PageId, id: u32, work: EngineWork) -> Reply {
        match work {
            EngineWork::Add(engine) => self.add_engine(page, id, engine),
            EngineWork::StopAdding => self.stop_adding(page),
            EngineWork::Change(engine, change) => self.change_engine(engine, &change).into(),
            EngineWork::Stop(engine) => {
                self.engines.quit(engine);
                self.changed(Topic::Engines);
                Ok(Answer::Done).into()
            }
        }
    }

    fn add_engine(&mut self, page: PageId, id: u32, new: NewEngine) -> Reply {
        let other = self.engines.attempt.as_ref().map(|attempt| attempt.page);
        if other.is_some_and(|other| other != page && self.pages.get(other).is_some()) {
            let words = "another page is adding an engine; wait until that is done";
            return Err(Refusal::new(RefusalCode::TooMuch, words)).into();
        }
        self.give_up_adding("another engine is added instead");
        self.engines.attempts = self.engines.attempts.wrapping_add(1);
        let attempt = self.engines.attempts;
        let (handle, program) = (self.handle.clone(), self.engines.program());
        // It has no number yet.
        let talk = self.engines.first_talk();
        let (sender, mut told) = mpsc::unbounded_channel();
        let follower = handle.clone();
        let telling = tokio::spawn(async move {
            while let Some(steps) = told.recv().await {
                follower
                    .call(move |hub| {
                        if hub.engines.attempts == attempt {
                            hub.engines.adding = steps;
                            hub.changed(Topic::Engines);
                        }
                    })
                    .await;
            }
        });
        let task = tokio::spawn(async move {
            let mut steps = Steps::new(move |steps| {
                // As long as this task lives it is listened to.
                let _ = sender.send(steps);
            });
            let looked = look_at(&new, &program, &talk, &mut steps).await;
            if let Ok(record) = &looked {
                steps.kept(&record.shown_name());
            }
            drop(steps);
            let _ = telling.await;
            handle
                .call(move |hub| hub.added(attempt, page, id, looked))
                .await;
        });
        self.engines.attempt = Some(Attempt {
            page,
            question: id,
            task: task.abort_handle(),
        });
        self.changed(Topic::Engines);
        Reply::Later
    }

    /// The engine was looked at; one that was given up meanwhile is forgotten.
    fn added(&mut self, attempt: u32, page: PageId, id: u32, looked: Result<EngineRecord, String>) {
        if self.engines.attempts != attempt {
            return;
        }
        self.engines.attempt = None;
        let result = looked.and_then(|record| self.engines.add(record));
        if let Ok(engine) = &result {
            self.engines.adopt_first_talk(*engine);
        }
        let result = result.map(Answer::Engine);
        let result = result.map_err(|words| Refusal::new(RefusalCode::Engine, words));
        self.keep_engines();
        self.answer(page, id, result);
    }

    /// The page that adds an engine does not want it any more.
    fn stop_adding(&mut self, page: PageId) -> Reply {
        let adding = self.engines.attempt.as_ref();
        if adding.is_some_and(|attempt| attempt.page == page) {
            self.give_up_adding("adding the engine was cancelled");
        }
        Ok(Answer::Done).into()
    }

    /// Ends the program that is being looked at, and forgets what it said.
    fn give_up_adding(&mut self, why: &str) {
        self.engines.adding.clear();
        let Some(attempt) = self.engines.attempt.take() else {
            return;
        };
        self.engines.attempts = self.engines.attempts.wrapping_add(1);
        attempt.task.abort();
        let refusal = Refusal::new(RefusalCode::Engine, why);
        self.answer(attempt.page, attempt.question, Err(refusal));
        self.changed(Topic::Engines);
    }

    fn change_engine(
        &mut self,
        engine: EngineId,
        change: &EngineChange,
    ) -> Result<Answer, Refusal> {
        let known = self.engines.get(engine).is_some() || *change == EngineChange::Restore;
        if !known {
            return Err(Refusal::new(
                RefusalCode::Gone,
                "there is no such engine any more",
            ));
        }
        let changed = self.engines.change(engine, change);
        let (engine, changed) = changed.map_err(|words| Refusal::new(RefusalCode::Value, words))?;
        if changed == Changed::List {
            self.keep_engines();
        }
        if matches!(
            change,
            EngineChange::Command { .. } | EngineChange::Register { .. }
        ) {
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
            for (place, removed, record) in &all {
                let text = serde_json::to_string(record).unwrap_or_default();
                put.execute(rusqlite::params![record.id, *place as i64, removed, text])?;
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
}

async fn learn(
    mut record: EngineRecord,
    program: &std::path::Path,
    talk: &crate::engines::Conversation,
) -> Option<EngineRecord> {
    let game = *record.games.first()?;
    let spec = record.spec(program, game, "");
    let started = quadrille_driver::Engine::start_taped(&spec, game, Some(talk.tape()));
    let mut engine = started.await.ok()?;
    record.learn(&engine);
    record.unregistered = talk.unregistered();
    engine.quit().await;
    Some(record)
}
