//! What pages say.

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{Answer, Ask, FromPage, Refusal, RefusalCode, ToPage, Topic};
use quadrille_games::records::AnyRecord;

use super::Hub;
use super::follow::is_ours;
use crate::guard::Role;

/// What a question comes to: an answer now, or later from elsewhere.
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
        if !may(&open.role, &message) {
            if let FromPage::Ask { id, .. } = message {
                let words = "only the person who started this program may do that";
                let refusal = Refusal::new(RefusalCode::Forbidden, words);
                self.send(page, &ToPage::Refused { id, refusal });
            }
            return;
        }
        match message {
            FromPage::Follow { topic, version } if is_ours(&topic) => {
                self.follow(page, &topic, version);
            }
            FromPage::Leave { topic } if is_ours(&topic) => self.leave(page, &topic),
            FromPage::Ask { id, ask } => match self.ask(page, id, ask) {
                Ok(Reply::Now(result)) => self.answer(page, id, *result),
                Ok(Reply::Later) => {}
                Err(ask) => self.tell_desk(page, FromPage::Ask { id, ask: *ask }),
            },
            FromPage::Join { address } => self.join_server(page, address),
            FromPage::Tell { line } => self.tell_server(page, line),
            FromPage::Part => self.part(page),
            message => self.tell_desk(page, message),
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
    fn ask(&mut self, page: PageId, id: u32, ask: Ask) -> Result<Reply, Box<Ask>> {
        Ok(match ask {
            Ask::Paste {
                text,
                game,
                name,
                library,
            } if is_for_library(&text, library) => self.paste(page, id, text, game, name),
            Ask::Report {
                study,
                games,
                engine,
                limits,
            } => self.order_report(page, id, study, games, engine, limits),
            Ask::Check {
                engine,
                game,
                only,
                thorough,
            } => self.order_check(engine, game, only, thorough).into(),
            Ask::CancelJob { job } => self.cancel_job(job).into(),
            Ask::ForgetJob { job } => self.forget_job(job).into(),
            Ask::NewEvent { event } => self.new_event(page, id, event),
            Ask::AttachEvent { path } => self.attach_event(page, id, path),
            Ask::ForgetEvent { event } => self.forget_event(page, id, event),
            Ask::ControlEvent { event, command } => self.control_event(page, id, event, &command),
            Ask::StudyEventGame { event, game } => self.study_event_game(page, id, event, game),
            Ask::ExportEvent { event } => self.export_event(page, id, event),
            Ask::FindGames { query } => self.find_games(page, id, &query),
            Ask::OpenGame { id: game } => self.open_game(page, id, game),
            Ask::ExportGames { ids } => self.export_games(page, id, ids),
            Ask::DeleteGames { ids } => self.mark_games(page, id, ids, true),
            Ask::RestoreGames { ids } => self.mark_games(page, id, ids, false),
            Ask::Explore { start, moves } => self.explore(page, id, &start, &moves),
            Ask::AddEngine { engine } => self.add_engine(page, id, engine),
            Ask::StopAdding => self.stop_adding(page),
            Ask::ChangeEngine { engine, change } => self.change_engine(engine, &change).into(),
            Ask::StopEngine { engine } => {
                self.engines.quit(engine);
                self.changed(Topic::Engines);
                Ok(Answer::Done).into()
            }
            ask => return Err(Box::new(ask)),
        })
    }
}

/// What a page may say; the desk looks whether it is about a seat of a guest.
fn may(role: &Role, message: &FromPage) -> bool {
    match role {
        Role::Owner => true,
        Role::Guest(_) => may_guest(message),
        Role::Visitor(_) => match message {
            // Visitors are led to no other server.
            FromPage::Join { address } => address.is_none(),
            FromPage::Tell { .. } | FromPage::Part => true,
            FromPage::Ask { ask, .. } => matches!(ask, Ask::Position { .. } | Ask::Moves { .. }),
            FromPage::Follow { topic, .. } | FromPage::Leave { topic } => *topic == Topic::Settings,
        },
    }
}

/// What a person with the link to a seat may say.
fn may_guest(message: &FromPage) -> bool {
    match message {
        FromPage::Follow { topic, .. } | FromPage::Leave { topic } => {
            matches!(topic, Topic::Table(_) | Topic::Clock(_))
        }
        FromPage::Ask { ask, .. } => matches!(
            ask,
            Ask::Position { .. } | Ask::Moves { .. } | Ask::Act { .. } | Ask::LookTable { .. }
        ),
        FromPage::Join { .. } | FromPage::Tell { .. } | FromPage::Part => false,
    }
}

/// Whether a text has games for the library: several, or a single one that is meant for it.
fn is_for_library(text: &str, single: bool) -> bool {
    AnyRecord::count(text.as_bytes(), 2) > usize::from(!single)
}
