//! How others reach the hub.

use std::path::PathBuf;

use quadrille_desk::effect::{PageId, SearchId, SearchNews};
use quadrille_desk::wire::{EngineId, EventId, FromPage, JobId, TableId};
use tokio::sync::{mpsc, oneshot};

use super::pages::Queue;
use super::{Hub, Note};
use crate::data::heard;
use crate::engines::{SlotId, SlotNews};
use crate::guard::Role;
use crate::library::add_source;

/// Reaches the hub from anywhere. After its end nothing is heard any more.
#[derive(Debug, Clone)]
pub(crate) struct HubHandle(mpsc::Sender<Note>);

impl HubHandle {
    pub(super) const fn new(notes: mpsc::Sender<Note>) -> Self {
        Self(notes)
    }

    async fn put(&self, note: Note) {
        let _ = self.0.send(note).await;
    }

    /// A page is there; its number, if there is room for it.
    pub(crate) async fn join(&self, role: Role, queue: Queue) -> Option<PageId> {
        let (answer, page) = oneshot::channel();
        self.put(Note::Joined {
            role,
            queue,
            answer,
        })
        .await;
        page.await.unwrap_or(None)
    }

    pub(crate) async fn said(&self, page: PageId, message: FromPage) {
        let message = Box::new(message);
        self.put(Note::Said { page, message }).await;
    }

    pub(crate) async fn left(&self, page: PageId) {
        self.put(Note::Left { page }).await;
    }

    pub(crate) async fn search(&self, search: SearchId, news: SearchNews) {
        self.put(Note::Search { search, news }).await;
    }

    pub(crate) async fn slot(&self, slot: SlotId, news: SlotNews) {
        self.put(Note::Slot { slot, news }).await;
    }

    /// Has something done in the hub, later.
    pub(crate) async fn call(&self, work: impl FnOnce(&mut Hub) + Send + 'static) {
        self.put(Note::Call(Box::new(work))).await;
    }

    /// The same from a thread that may wait.
    pub(crate) fn call_from_thread(&self, work: impl FnOnce(&mut Hub) + Send + 'static) {
        let _ = self.0.blocking_send(Note::Call(Box::new(work)));
    }

    /// Asks something of the hub.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Hub) -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, heard) = oneshot::channel();
        self.call(move |hub| {
            let _ = answer.send(question(hub));
        })
        .await;
        heard.await.ok()
    }

    /// The table of a guest's link.
    pub(crate) async fn seat(&self, word: &str) -> Option<TableId> {
        let word = word.to_owned();
        self.ask(move |hub| hub.seat(&word)).await.flatten()
    }

    /// The conversation with an engine, for a file.
    pub(crate) async fn log_text(&self, engine: EngineId) -> Option<Vec<u8>> {
        let text = self.ask(move |hub| hub.log_text(engine)).await.flatten();
        text.map(String::into_bytes)
    }

    /// The games of an event.
    pub(crate) async fn event_pgn(&self, event: EventId) -> Option<Vec<u8>> {
        let path = self
            .ask(move |hub| hub.events.path(event))
            .await
            .flatten()?;
        let read = tokio::task::spawn_blocking(move || crate::events::pgn(&path));
        read.await.ok()?.ok()
    }

    /// The games of a report, with what was found.
    pub(crate) async fn report_pgn(&self, job: JobId) -> Option<Vec<u8>> {
        let path = self.ask(move |hub| hub.annotated(job)).await.flatten()?;
        tokio::fs::read(path).await.ok()
    }

    /// Reads a file of games that was uploaded, or of copies of games that are here.
    pub(crate) async fn import(&self, path: PathBuf, name: String, copies: bool) -> Option<JobId> {
        let named = name.clone();
        let source = self.ask(move |hub| hub.data.write_for(move |file| add_source(file, &named)));
        let source = heard(source.await?).await.ok()?;
        self.ask(move |hub| hub.import(path, name, source, copies))
            .await
    }

    /// Ends everything.
    pub(crate) async fn close(&self) {
        let (answer, closed) = oneshot::channel();
        self.put(Note::Close(answer)).await;
        let _ = closed.await;
    }
}
