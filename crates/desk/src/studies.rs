//! Studies: trees of moves, made, changed and shown.

use quadrille_games::Game;
use quadrille_games::records::AnyRecord;

use crate::boards::{board, line_from, play_all};
use crate::desk::{Desk, Kept};
use crate::effect::Effect;
use crate::refuse::{Answered, clean};
use crate::study::{MOST_NODES, Study, paste};
use crate::wire::{
    Answer, Edit, ImportView, NodeId, Refusal, StudyId, StudyInfo, StudyStart, StudyView, Topic,
};

/// More studies at once are refused.
const MOST_STUDIES: usize = 5_000;
/// Deleted studies that can be brought back.
const MOST_DELETED: usize = 20;
/// Letters of the name of a file that are kept.
const LONGEST_NAME: usize = 200;

impl Desk {
    pub(crate) fn study(&self, id: StudyId) -> Result<&Study, Refusal> {
        let study = self.studies.get(&id);
        study.ok_or_else(|| Refusal::gone("study", id))
    }

    fn study_mut(&mut self, id: StudyId) -> Result<&mut Study, Refusal> {
        let study = self.studies.get_mut(&id);
        study.ok_or_else(|| Refusal::gone("study", id))
    }

    /// Studies, the one that was changed last first.
    pub(crate) fn study_list(&self) -> Vec<StudyInfo> {
        let mut list: Vec<StudyInfo> = self.studies.values().map(Study::info).collect();
        list.sort_by(|a, b| b.changed.total_cmp(&a.changed).then(b.id.cmp(&a.id)));
        list
    }

    /// The tree of a study, for what stands around the desk.
    pub fn study_view(&self, id: StudyId) -> Option<StudyView> {
        self.studies.get(&id).map(Study::view)
    }

    /// The record of a study, for what stands around the desk.
    pub fn study_record(&self, id: StudyId) -> Option<&AnyRecord> {
        self.studies.get(&id).map(Study::record)
    }

    /// The nodes of the main line of a study, the start first: by ply, for reports.
    pub fn study_main_line(&self, id: StudyId) -> Option<Vec<NodeId>> {
        self.studies.get(&id).map(Study::main_line)
    }

    /// A new study of a record that comes from elsewhere (a library, an event).
    pub fn add_study(
        &mut self,
        record: AnyRecord,
        title: &str,
        now: f64,
    ) -> Result<(StudyId, Vec<Effect>), Refusal> {
        self.set_time(now);
        let id = self.put_study(record, title)?;
        Ok((id, self.flush()))
    }

    pub(crate) fn put_study(&mut self, record: AnyRecord, title: &str) -> Result<StudyId, Refusal> {
        if self.studies.len() >= MOST_STUDIES {
            return Err(Refusal::too_much(format!(
                "there are {MOST_STUDIES} studies already: delete some"
            )));
        }
        if record.len() > MOST_NODES {
            return Err(Refusal::too_much(format!(
                "a study has {MOST_NODES} moves at most, and this game {}",
                record.len()
            )));
        }
        self.next.study = self.next.study.saturating_add(1);
        let id = self.next.study;
        let study = Study::new(id, record, clean(title, 200), self.now);
        self.studies.insert(id, study);
        self.note_down(Kept::Numbers);
        self.touch_study(id);
        Ok(id)
    }

    /// A study has changed.
    fn touch_study(&mut self, id: StudyId) {
        self.note_down(Kept::Study(id));
        self.changed(Topic::Study(id));
        self.changed(Topic::Studies);
    }

    fn studied(&mut self, id: StudyId, changed: Result<(NodeId, bool), Refusal>) -> Answered {
        let (node, changed) = changed?;
        if changed {
            self.touch_study(id);
        }
        Ok(Answer::Node(node))
    }

    pub(crate) fn edit_study(&mut self, id: StudyId, edit: &Edit) -> Answered {
        let now = self.now;
        let changed = self.study_mut(id).and_then(|s| s.edit(edit, now));
        self.studied(id, changed)
    }

    pub(crate) fn export_study(&self, id: StudyId, node: Option<NodeId>) -> Answered {
        let text = self.study(id).and_then(|s| s.export(node));
        text.map(Answer::Text)
    }

    pub(crate) fn new_study(&mut self, start: &StudyStart, title: Option<&str>) -> Answered {
        let record = AnyRecord::from_line(&line_from(start)?);
        self.put_study(record, title.unwrap_or_default())
            .map(Answer::Study)
    }

    /// One game becomes a study, unless it is meant for the library; many go there where
    /// there is one here. A position is no game: it is always a study.
    pub(crate) fn paste(
        &mut self,
        text: &str,
        game: Option<Game>,
        name: Option<&str>,
        library: bool,
    ) -> Answered {
        let mut found = paste::read(text, game)?;
        let games = u32::try_from(found.records.len()).unwrap_or(u32::MAX);
        let single = found.records.len() == 1 && !(library && found.are_games);
        let (study, source) = if single || !self.setup.alone {
            (
                Some(self.put_study(found.records.swap_remove(0), "")?),
                None,
            )
        } else {
            let name = name.map(|name| clean(name, LONGEST_NAME));
            (
                None,
                Some(self.add_to_library(found.records, name.as_deref())),
            )
        };
        Ok(Answer::Import(ImportView {
            study,
            source,
            games,
            troubles: found.troubles,
        }))
    }

    pub(crate) fn look(&self, study: StudyId, node: NodeId, moves: &[String]) -> Answered {
        let mut line = self.study(study)?.line(node)?;
        play_all(&mut line, moves)?;
        Ok(Answer::Board(board(&line)))
    }

    pub(crate) fn play(&mut self, study: StudyId, node: NodeId, moves: &[String]) -> Answered {
        let now = self.now;
        let texts = moves.iter().map(String::as_str);
        let played = self.study_mut(study).and_then(|s| s.play(node, texts, now));
        self.studied(study, played)
    }

    pub(crate) fn delete_study(&mut self, id: StudyId) -> Answered {
        let study = self.studies.remove(&id);
        let study = study.ok_or_else(|| Refusal::gone("study", id))?;
        if self.deleted.len() == MOST_DELETED {
            self.deleted.remove(0);
        }
        self.deleted.push(study);
        self.touch_study(id);
        Ok(Answer::Done)
    }

    pub(crate) fn restore_study(&mut self, id: StudyId) -> Answered {
        let place = self.deleted.iter().position(|study| study.id == id);
        let place = place.ok_or_else(|| Refusal::gone("study", id))?;
        let study = self.deleted.remove(place);
        self.studies.insert(id, study);
        self.touch_study(id);
        Ok(Answer::Done)
    }
}
