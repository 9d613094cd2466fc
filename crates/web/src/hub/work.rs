//! Work that questions of pages need; the desk has looked whether they may ask.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{Answer, Refusal};
use quadrille_desk::work::Work;

use super::{Hub, now};

/// The outcome of a question: an answer now, or later from elsewhere.
pub(crate) enum Reply {
    Now(Box<Result<Answer, Refusal>>),
    Later,
}

impl From<Result<Answer, Refusal>> for Reply {
    fn from(result: Result<Answer, Refusal>) -> Self {
        Self::Now(Box::new(result))
    }
}

impl Hub {
    /// Answers when something elsewhere is over, with what is made of it.
    pub(super) fn later<T: Send + 'static>(
        &self,
        page: PageId,
        id: u32,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
        then: impl FnOnce(&mut Self, T) -> Reply + Send + 'static,
    ) -> Reply {
        let handle = self.handle.clone();
        tokio::spawn(async move {
            let done = work.await;
            handle
                .call(move |hub| {
                    let reply = done.map_or_else(|refusal| Err(refusal).into(), |t| then(hub, t));
                    if let Reply::Now(result) = reply {
                        hub.answer(page, id, *result);
                    }
                })
                .await;
        });
        Reply::Later
    }

    /// Hands the answer of a question to the desk.
    pub(crate) fn answer(&mut self, page: PageId, id: u32, result: Result<Answer, Refusal>) {
        let effects = self.desk.answered(page, id, result, now());
        self.carry_out(effects);
    }

    /// Does what a question needs.
    pub(super) fn work(&mut self, page: PageId, id: u32, work: Work) {
        let reply = match work {
            Work::Engines(work) => self.engine_work(page, id, work),
            Work::Jobs(work) => self.job_work(page, id, work),
            Work::Events(work) => self.event_work(page, id, work),
            Work::Library(work) => self.library_work(page, id, work),
        };
        if let Reply::Now(result) = reply {
            self.answer(page, id, *result);
        }
    }
}
