//! What is done with games once they have been looked at.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use quadrille_games::records::Severity;

use super::look::{Done, Item, Key, Place, Plan, Verdict};
use super::run::{Input, Way, run as read};
use super::sorter::Sorter;
use super::split::Files;
use super::{Form, Job, News, Note, Outputs, PgnError, Results, Sameness, Spread, Summary, Task};

/// What waits until all games have been read.
enum Waiting {
    Nothing,
    /// To be written in the order of their keys.
    Sorted(Sorter),
    /// To be written once for each key; the number of a game is before its text.
    Unique(Sorter),
    /// The values that are counted.
    Counted(Sorter),
    Spread(Spread, Files),
}

pub(super) fn run(
    job: &Job,
    inputs: Vec<Input>,
    outputs: Outputs<'_>,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<Summary, PgnError> {
    let (key, group) = match &job.task {
        Task::Sort(fields) => (Key::Order(fields.clone()), None),
        Task::Dedupe(same) => (Key::Same(*same == Sameness::Game), None),
        Task::Split(Spread::By(field), ..) => (Key::None, Some(field.clone())),
        Task::Count(field) => (Key::None, field.clone()),
        Task::Check | Task::Write | Task::Split(..) => (Key::None, None),
    };
    let names = inputs
        .iter()
        .map(|input| input.name.clone().into())
        .collect();
    let mut plan = Plan::new(job.conditions.clone(), job.form, key, group);
    plan.needs.unchecked = !job.checked;
    let mut desk = Desk {
        job,
        outputs,
        tell,
        summary: Summary::default(),
        waiting: job.waiting(names),
    };
    let way = Way {
        threads: job.threads,
        memory: job.memory,
        folder: job.folder.clone(),
    };
    read(&way, inputs, &plan, &mut |done| desk.take(done))?;
    desk.finish()
}

impl Job {
    /// A sorter with half of the memory; `part` of that.
    fn sorter(&self, part: usize) -> Sorter {
        Sorter::new(self.memory / 2 / part, self.folder.clone())
    }

    fn waiting(&self, inputs: Vec<PathBuf>) -> Waiting {
        match &self.task {
            Task::Sort(_) => Waiting::Sorted(self.sorter(1)),
            Task::Dedupe(_) => Waiting::Unique(self.sorter(2)),
            Task::Count(Some(_)) => Waiting::Counted(self.sorter(1)),
            Task::Split(spread, pattern, replace) => {
                Waiting::Spread(spread.clone(), Files::new(pattern, *replace, inputs))
            }
            Task::Check | Task::Write | Task::Count(None) => Waiting::Nothing,
        }
    }

    fn temporary(&self, error: io::Error) -> PgnError {
        PgnError::Temporary {
            folder: self.folder.clone(),
            error,
        }
    }
}

struct Desk<'a, 'o> {
    job: &'a Job,
    outputs: Outputs<'o>,
    tell: &'a mut dyn FnMut(News<'_>),
    summary: Summary,
    waiting: Waiting,
}

impl Desk<'_, '_> {
    /// Takes a portion of games.
    fn take(&mut self, done: Done) -> Result<(), PgnError> {
        let Done { batch, made, items } = done;
        for stray in &batch.strays {
            let reason = if stray.first {
                "text before the first game was left out"
            } else {
                "text between games goes with the game before it"
            };
            (self.tell)(News::Note(&Note {
                file: batch.name.clone(),
                line: stray.line,
                number: None,
                severity: Severity::Warning,
                code: "text-between-games",
                reason: format!("{reason} ({})", stray.text),
            }));
        }
        for mut item in items {
            self.remark(&batch.name, &item);
            self.count(&item);
            let text = match (&item.made, &mut item.bytes) {
                (Some(range), _) => Source::Here(&made[range.clone()]),
                (None, Place::Same(range)) => Source::Here(&batch.bytes[range.clone()]),
                (None, Place::Apart(file)) => Source::Apart(file),
            };
            let same = item.made.is_none();
            match item.verdict {
                Verdict::Broken => put(&mut self.outputs.broken, text, true)?,
                Verdict::Other => put(&mut self.outputs.rest, text, true)?,
                Verdict::Wanted => self.want(&item.key, &item.group, text, same)?,
            }
        }
        (self.tell)(News::Progress(self.summary.games));
        Ok(())
    }

    /// Says what was odd, as far as that is of use: what only differs from the
    /// standard matters where games are checked, and what had to be guessed where
    /// something else than their bytes is written.
    fn remark(&mut self, file: &str, item: &Item) {
        let least = match (&self.job.task, self.job.form) {
            (Task::Check, _) => Severity::Note,
            (_, Form::Same) => Severity::Error,
            _ => Severity::Warning,
        };
        for remark in &item.remarks {
            if remark.severity < least && remark.code != "rewritten" {
                continue;
            }
            (self.tell)(News::Note(&Note {
                file: file.into(),
                line: remark.line,
                number: Some(item.number),
                severity: remark.severity,
                code: remark.code,
                reason: remark.text.clone(),
            }));
        }
    }

    fn count(&mut self, item: &Item) {
        let summary = &mut self.summary;
        summary.games += 1;
        match item.verdict {
            Verdict::Broken => summary.broken += 1,
            Verdict::Other => summary.rest += 1,
            Verdict::Wanted => {
                summary.wanted += 1;
                summary.plies += item.plies;
                let Results {
                    white,
                    black,
                    drawn,
                    open,
                } = &mut summary.results;
                match item.result {
                    "1-0" => *white += 1,
                    "0-1" => *black += 1,
                    "1/2-1/2" => *drawn += 1,
                    _ => *open += 1,
                }
            }
        }
    }

    /// A game that is wanted. Only one in memory can be: a longer one is broken.
    fn want(
        &mut self,
        key: &[u8],
        group: &str,
        text: Source<'_>,
        same: bool,
    ) -> Result<(), PgnError> {
        let Source::Here(bytes) = text else {
            return Ok(());
        };
        let number = self.summary.games;
        match &mut self.waiting {
            Waiting::Nothing => match self.job.task {
                Task::Write => put(&mut self.outputs.games, text, same),
                _ => Ok(()),
            },
            Waiting::Sorted(sorter) => {
                let pushed = sorter.push(key, &whole(bytes, same));
                pushed.map_err(|error| self.job.temporary(error))
            }
            Waiting::Unique(sorter) => {
                let mut payload = number.to_be_bytes().to_vec();
                payload.extend_from_slice(&whole(bytes, same));
                let pushed = sorter.push(key, &payload);
                pushed.map_err(|error| self.job.temporary(error))
            }
            Waiting::Counted(sorter) => {
                let pushed = sorter.push(group.as_bytes(), b"");
                pushed.map_err(|error| self.job.temporary(error))
            }
            Waiting::Spread(Spread::By(_), files) => files.write(group, &whole(bytes, same)),
            Waiting::Spread(Spread::Every(count), files) => {
                let file = (self.summary.wanted - 1) / (*count).max(1) + 1;
                files.write(&file.to_string(), &whole(bytes, same))
            }
        }
    }

    fn finish(mut self) -> Result<Summary, PgnError> {
        match std::mem::replace(&mut self.waiting, Waiting::Nothing) {
            Waiting::Nothing => {}
            Waiting::Sorted(sorter) => self.write_sorted(sorter, 0)?,
            Waiting::Unique(sorter) => self.write_unique(sorter)?,
            Waiting::Counted(sorter) => self.tell_counts(sorter)?,
            Waiting::Spread(_, mut files) => {
                files.finish()?;
                self.summary.files = files.count();
            }
        }
        for out in [
            &mut self.outputs.games,
            &mut self.outputs.rest,
            &mut self.outputs.broken,
            &mut self.outputs.duplicates,
        ]
        .into_iter()
        .flatten()
        {
            out.flush().map_err(PgnError::Write)?;
        }
        Ok(self.summary)
    }

    /// Writes what a sorter has, without the first bytes of each.
    fn write_sorted(&mut self, sorter: Sorter, skip: usize) -> Result<(), PgnError> {
        let mut sorted = sorter.finish().map_err(|error| self.job.temporary(error))?;
        while let Some((_, text)) = sorted.next().map_err(|error| self.job.temporary(error))? {
            put(&mut self.outputs.games, Source::Here(&text[skip..]), false)?;
        }
        Ok(())
    }

    /// The first of each key, in the order of the files.
    fn write_unique(&mut self, sorter: Sorter) -> Result<(), PgnError> {
        let failed = |error| self.job.temporary(error);
        let mut sorted = sorter.finish().map_err(failed)?;
        let (mut first, mut again) = (self.job.sorter(4), self.job.sorter(4));
        let mut last = None;
        while let Some((key, payload)) = sorted.next().map_err(failed)? {
            let (number, text) = payload.split_at(8);
            if last.as_ref() == Some(&key) {
                self.summary.duplicates += 1;
                if self.outputs.duplicates.is_some() {
                    again.push(number, text).map_err(failed)?;
                }
            } else {
                first.push(number, text).map_err(failed)?;
                last = Some(key);
            }
        }
        drop(sorted);
        self.summary.wanted -= self.summary.duplicates;
        self.write_sorted(first, 0)?;
        std::mem::swap(&mut self.outputs.games, &mut self.outputs.duplicates);
        let written = self.write_sorted(again, 0);
        std::mem::swap(&mut self.outputs.games, &mut self.outputs.duplicates);
        written
    }

    /// The values with the most games first.
    fn tell_counts(&mut self, sorter: Sorter) -> Result<(), PgnError> {
        let failed = |error| self.job.temporary(error);
        let mut sorted = sorter.finish().map_err(failed)?;
        let mut order = self.job.sorter(4);
        let mut next = sorted.next().map_err(failed)?;
        while let Some((value, _)) = next {
            let mut count = 1_u64;
            loop {
                next = sorted.next().map_err(failed)?;
                match &next {
                    Some((other, _)) if *other == value => count += 1,
                    _ => break,
                }
            }
            order
                .push(&(!count).to_be_bytes(), &value)
                .map_err(failed)?;
        }
        let mut order = order.finish().map_err(failed)?;
        while let Some((count, value)) = order.next().map_err(failed)? {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&count);
            let count = !u64::from_be_bytes(bytes);
            (self.tell)(News::Count(&String::from_utf8_lossy(&value), count));
        }
        Ok(())
    }
}

/// The text of a game.
enum Source<'a> {
    Here(&'a [u8]),
    Apart(&'a mut File),
}

/// What a game needs behind it so that another one can follow.
fn gap(bytes: &[u8]) -> &'static [u8] {
    if bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n") || bytes.ends_with(b"\r\r") {
        b""
    } else if bytes.ends_with(b"\n") || bytes.ends_with(b"\r") {
        b"\n"
    } else {
        b"\n\n"
    }
}

/// A game that other games may follow; `same` are the bytes of a file, what was
/// made ends as it should.
fn whole(bytes: &[u8], same: bool) -> std::borrow::Cow<'_, [u8]> {
    let gap = if same { gap(bytes) } else { b"" };
    if gap.is_empty() {
        bytes.into()
    } else {
        [bytes, gap].concat().into()
    }
}

fn put(out: &mut Option<&mut dyn Write>, text: Source<'_>, same: bool) -> Result<(), PgnError> {
    let Some(out) = out else {
        return Ok(());
    };
    let written = match text {
        Source::Here(bytes) => out.write_all(bytes).and_then(|()| {
            let gap = if same { gap(bytes) } else { b"" };
            out.write_all(gap)
        }),
        Source::Apart(file) => {
            let copied = io::copy(file, out);
            copied.and_then(|_| out.write_all(b"\n\n"))
        }
    };
    written.map_err(PgnError::Write)
}
