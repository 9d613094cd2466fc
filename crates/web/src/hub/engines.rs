//! Questions about engines.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{
    Answer, EngineChange, EngineId, NewEngine, Refusal, RefusalCode, Topic,
};
use tokio::sync::mpsc;

use super::Hub;
use super::asks::Reply;
use crate::engines::{Changed, EngineRecord, Steps, look_at};

impl Hub {
    pub(super) fn add_engine(&mut self, page: PageId, id: u32, new: NewEngine) -> Reply {
        if self.engines.is_adding {
            let words = "another engine is being added; wait until that is done";
            return Err(Refusal::new(RefusalCode::TooMuch, words)).into();
        }
        let (handle, program) = (self.handle.clone(), self.engines.program());
        // It has no number yet.
        let talk = self.engines.first_talk();
        let (sender, mut told) = mpsc::unbounded_channel();
        let (hub, follower) = (handle.clone(), handle.clone());
        let telling = tokio::spawn(async move {
            while let Some(steps) = told.recv().await {
                follower
                    .call(move |hub| {
                        hub.engines.adding = steps;
                        hub.changed(Topic::Engines);
                    })
                    .await;
            }
        });
        tokio::spawn(async move {
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
            hub.call(move |hub| {
                hub.engines.is_adding = false;
                let result = looked.and_then(|record| hub.engines.add(record));
                if let Ok(engine) = &result {
                    hub.engines.adopt_first_talk(*engine);
                }
                let result = result.map(Answer::Engine);
                let result = result.map_err(|words| Refusal::new(RefusalCode::Engine, words));
                hub.keep_engines();
                hub.answer(page, id, result);
            })
            .await;
        });
        self.engines.adding.clear();
        self.engines.is_adding = true;
        Reply::Later
    }

    pub(super) fn change_engine(
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
    let started = quadrille_host::driver::Engine::start_taped(&spec, game, Some(talk.tape()));
    let mut engine = started.await.ok()?;
    record.learn(&engine);
    record.unregistered = talk.unregistered();
    engine.quit().await;
    Some(record)
}
