//! Questions: one place where each finds its answer, or the work that leads to it.

use quadrille_games::records::AnyRecord;

use crate::boards::{self, line_with};
use crate::desk::{Desk, Rights};
use crate::effect::{Effect, PageId};
use crate::refuse::Answered;
use crate::wire::{Answer, Ask, Refusal, ToPage};
use crate::work::{EngineWork, EventWork, JobWork, LibraryWork, Work};
use crate::{editor, visitor};

/// An answer, or the work that leads to one.
pub(crate) enum Reply {
    Now(Box<Answered>),
    Later(Box<Work>),
}

impl From<Answered> for Reply {
    fn from(answered: Answered) -> Self {
        Self::Now(Box::new(answered))
    }
}

impl Desk {
    /// The result of [`Work`] that was done for a question.
    pub fn answered(
        &mut self,
        page: PageId,
        id: u32,
        result: Result<Answer, Refusal>,
        now: f64,
    ) -> Vec<Effect> {
        self.set_time(now);
        self.send_answer(page, id, result);
        self.flush()
    }

    fn send_answer(&mut self, page: PageId, id: u32, result: Answered) {
        if !self.pages.contains_key(&page) {
            return;
        }
        let message = match result {
            Ok(answer) => ToPage::Answer {
                id,
                answer: Box::new(answer),
            },
            Err(refusal) => ToPage::Refused { id, refusal },
        };
        self.send(page, message);
    }

    /// A page asks what it may ask.
    pub(crate) fn asked(&mut self, page: PageId, id: u32, ask: Ask) {
        match self.answer(page, ask) {
            Reply::Now(result) => self.send_answer(page, id, *result),
            Reply::Later(work) => self.out.push(Effect::Work { page, id, work }),
        }
    }

    fn answer(&mut self, page: PageId, ask: Ask) -> Reply {
        let rights = self.pages.get(&page).map(|page| &page.rights);
        if rights == Some(&Rights::Visitor) {
            return visitor::answer(ask).into();
        }
        match ask {
            Ask::Position { start, moves } => boards::position(&start, &moves).into(),
            Ask::Moves {
                start,
                moves,
                prefix,
            } => boards::moves(&start, &moves, &prefix).into(),
            Ask::Edit { editor } => editor::edit(editor).into(),

            Ask::NewStudy { start, title } => self.new_study(&start, title.as_deref()).into(),
            Ask::Paste {
                text,
                game,
                name,
                library,
            } => {
                if !self.setup.alone && is_for_library(&text, library) {
                    return self.library(LibraryWork::Paste { text, game, name });
                }
                self.paste(&text, game, name.as_deref(), library).into()
            }
            Ask::Look { study, node } => self.look(study, node, &[]).into(),
            Ask::Preview { study, node, moves } => self.look(study, node, &moves).into(),
            Ask::Play { study, node, text } => self.play(study, node, &[text]).into(),
            Ask::PlayLine { study, node, moves } => self.play(study, node, &moves).into(),
            Ask::EditStudy { study, edit } => self.edit_study(study, &edit).into(),
            Ask::Export { study, node } => self.export_study(study, node).into(),
            Ask::DeleteStudy { study } => self.delete_study(study).into(),
            Ask::RestoreStudy { study } => self.restore_study(study).into(),

            Ask::NewTable { table } => self.new_table(table).map(Answer::Table).into(),
            Ask::Act { table, action } => self.act(page, table, action).into(),
            Ask::LookTable { table, ply } => self.look_table(table, ply).into(),
            Ask::StudyTable { table } => self.study_table(table).into(),

            Ask::Analyse { focus } => self.analyse(page, focus).into(),
            Ask::StopAnalysis => {
                self.stop_analysis(page);
                Ok(Answer::Done).into()
            }

            Ask::AddEngine { engine } => self.work(Work::Engines(EngineWork::Add(engine))),
            Ask::StopAdding => self.work(Work::Engines(EngineWork::StopAdding)),
            Ask::ChangeEngine { engine, change } => {
                self.work(Work::Engines(EngineWork::Change(engine, change)))
            }
            Ask::StopEngine { engine } => self.work(Work::Engines(EngineWork::Stop(engine))),

            Ask::Report {
                study,
                games,
                engine,
                limits,
            } => self.work(Work::Jobs(JobWork::Report {
                study,
                games,
                engine,
                limits,
            })),
            Ask::Check {
                engine,
                game,
                only,
                thorough,
            } => self.work(Work::Jobs(JobWork::Check {
                engine,
                game,
                only,
                thorough,
            })),
            Ask::CancelJob { job } => self.work(Work::Jobs(JobWork::Cancel(job))),
            Ask::ForgetJob { job } => self.work(Work::Jobs(JobWork::Forget(job))),

            Ask::NewEvent { event } => self.work(Work::Events(EventWork::Begin(event))),
            Ask::AttachEvent { path } => self.work(Work::Events(EventWork::Attach(path))),
            Ask::ControlEvent { event, command } => {
                self.work(Work::Events(EventWork::Control(event, command)))
            }
            Ask::ForgetEvent { event } => self.work(Work::Events(EventWork::Forget(event))),
            Ask::StudyEventGame { event, game } => {
                self.work(Work::Events(EventWork::Study(event, game)))
            }
            Ask::ExportEvent { event } => self.work(Work::Events(EventWork::Export(event))),

            Ask::FindGames { query } => self.library(LibraryWork::Find(query)),
            Ask::OpenGame { id } => self.library(LibraryWork::Open(id)),
            Ask::ExportGames { ids } => self.library(LibraryWork::Export(ids)),
            Ask::DeleteGames { ids } => self.library(LibraryWork::Delete(ids)),
            Ask::RestoreGames { ids } => self.library(LibraryWork::Restore(ids)),
            Ask::Explore { start, moves } => match line_with(&start, &moves) {
                Ok(line) => self.library(LibraryWork::Explore(Box::new(line))),
                Err(refusal) => Err(refusal).into(),
            },

            Ask::Remember { name, value } => self.remember(name, value).into(),
        }
    }

    /// Has something done outside, where there is an outside.
    fn work(&self, work: Work) -> Reply {
        if self.setup.alone {
            let words = "this page has no server that could do that";
            return Err(Refusal::absent(words)).into();
        }
        Reply::Later(Box::new(work))
    }

    /// Asks the library: that of the server, or the small one here.
    fn library(&mut self, work: LibraryWork) -> Reply {
        if self.setup.alone {
            return self.library_here(work).into();
        }
        Reply::Later(Box::new(Work::Library(work)))
    }
}

/// Returns `true` if a text has games for the library: several, or a single one that is meant for it.
fn is_for_library(text: &str, single: bool) -> bool {
    AnyRecord::count(text.as_bytes(), 2) > usize::from(!single)
}
