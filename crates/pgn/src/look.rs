//! What a worker does with a portion of games: follow the moves, ask the
//! conditions, make what is to be written.

use std::fs::File;
use std::ops::Range;

use quadrille_games::records::{Code, Diagnostic, Reader, Record, Severity, StrayText};
use quadrille_games::{Position, match_game};

use super::condition::Conditions;
use super::cut::{Cut, Held};
use super::facts::{Collector, Facts, Needs};
use super::field::{Field, SortField};
use super::form::{self, Form, Origin};

/// What is to be found out about every game.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) conditions: Conditions,
    pub(super) form: Form,
    pub(super) key: Key,
    pub(super) group: Option<Field>,
    pub(super) needs: Needs,
}

/// What games are compared by.
#[derive(Debug, Clone, Default)]
pub(super) enum Key {
    #[default]
    None,
    Order(Vec<SortField>),
    /// The moves; with `true` who played them and when, too.
    Same(bool),
}

/// Tags that tell two games with the same moves apart.
const WHO: [&str; 5] = ["White", "Black", "Date", "Round", "Event"];

impl Plan {
    pub(super) fn new(conditions: Conditions, form: Form, key: Key, group: Option<Field>) -> Self {
        let mut needs = Needs::default();
        conditions.need(&mut needs);
        match &key {
            Key::None => {}
            Key::Order(fields) => fields.iter().for_each(|field| field.field.need(&mut needs)),
            Key::Same(who) => {
                needs.moves = true;
                if *who {
                    needs.tags(&WHO);
                }
            }
        }
        if let Some(field) = &group {
            field.need(&mut needs);
        }
        Self {
            conditions,
            form,
            key,
            group,
            needs,
        }
    }

    fn key(&self, facts: &Facts) -> Vec<u8> {
        let mut key = Vec::new();
        match &self.key {
            Key::None => {}
            Key::Order(fields) => {
                for field in fields {
                    field.field.key(facts, field.descending, &mut key);
                }
            }
            Key::Same(who) => {
                key.extend_from_slice(&facts.moves);
                for name in WHO.iter().filter(|_| *who) {
                    key.push(0);
                    let value = facts.tag(name).filter(|value| *value != "?");
                    key.extend_from_slice(value.unwrap_or("").trim().as_bytes());
                }
                if *who {
                    key.extend_from_slice(facts.result.word().as_bytes());
                }
            }
        }
        key
    }
}

/// A portion of a file.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) games: Vec<Cut>,
    pub(super) strays: Vec<StrayText>,
}

/// What became of a game.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It is wanted.
    Wanted,
    /// It is not.
    Other,
    /// It cannot be read.
    Broken,
}

/// Where the text of a game is.
#[derive(Debug)]
pub(super) enum Place {
    /// In the bytes of the batch.
    Same(Range<usize>),
    /// In a file.
    Apart(File),
}

/// Something to be said about a game.
#[derive(Debug, Clone)]
pub(super) struct Remark {
    pub(super) line: u64,
    pub(super) severity: Severity,
    pub(super) code: &'static str,
    pub(super) text: String,
}

/// A game that was looked at.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) number: u64,
    pub(super) verdict: Verdict,
    /// Its bytes, as they are in the file.
    pub(super) bytes: Place,
    /// What is to be written, if not those.
    pub(super) made: Option<Range<usize>>,
    pub(super) key: Vec<u8>,
    pub(super) group: String,
    pub(super) plies: u64,
    pub(super) result: &'static str,
    pub(super) remarks: Vec<Remark>,
}

/// A portion that was looked at.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) batch: Batch,
    pub(super) made: Vec<u8>,
    pub(super) items: Vec<Item>,
}

/// Looks at a portion.
pub(super) fn look(plan: &Plan, mut batch: Batch) -> Done {
    let games = std::mem::take(&mut batch.games);
    let mut worker = Worker {
        plan,
        bytes: &batch.bytes,
        file: &batch.name,
        made: Vec::new(),
        items: Vec::with_capacity(games.len()),
    };
    let mut run: Vec<Cut> = Vec::new();
    for cut in games {
        // One reader goes through neighbours of one kind.
        let apart = matches!(cut.bytes, Held::Apart(_));
        if apart || run.first().is_some_and(|first| first.game != cut.game) {
            worker.together(std::mem::take(&mut run));
        }
        if apart {
            worker.too_long(cut);
        } else {
            run.push(cut);
        }
    }
    worker.together(run);
    let (made, items) = (worker.made, worker.items);
    Done { batch, made, items }
}

struct Worker<'a> {
    plan: &'a Plan,
    bytes: &'a [u8],
    file: &'a str,
    made: Vec<u8>,
    items: Vec<Item>,
}

/// The place of a game in memory; one in a file never gets here.
fn here(cut: &Cut) -> Range<usize> {
    match &cut.bytes {
        Held::Here(range) => range.clone(),
        Held::Apart(_) => 0..0,
    }
}

/// What a reader made of neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// They are items now.
    Done,
    /// Some must be written anew, for which their records are needed.
    Again,
    /// The reader sees other games than the cutter.
    Unclear,
}

impl Worker<'_> {
    fn together(&mut self, run: Vec<Cut>) {
        if self.try_read(&run) {
            return;
        }
        // Where it is not clear where a game ends, each is looked at alone.
        for cut in run {
            let alone = [cut];
            if !self.try_read(&alone) {
                let [cut] = alone;
                self.unclear(cut);
            }
        }
    }

    fn try_read(&mut self, run: &[Cut]) -> bool {
        let Some(first) = run.first() else {
            return true;
        };
        let (items, made) = (self.items.len(), self.made.len());
        let mut records = self.plan.form != Form::Same;
        loop {
            let reading = match_game!(first.game, P => self.read::<P>(run, records));
            if reading == Reading::Done {
                return true;
            }
            self.items.truncate(items);
            self.made.truncate(made);
            if reading == Reading::Unclear {
                return false;
            }
            records = true;
        }
    }

    /// Reads neighbours, as records where those are needed.
    fn read<P: Position>(&mut self, run: &[Cut], records: bool) -> Reading {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            return Reading::Done;
        };
        let bytes = &self.bytes[here(first).start..here(last).end];
        let mut reader = Reader::<P, _>::new(bytes);
        let mut facts = Collector::<P>::new(&self.plan.needs);
        for cut in run {
            facts.clear(cut.number);
            // Reading from memory does not fail.
            let record = if records {
                let Ok(Some(record)) = reader.read_record() else {
                    return Reading::Unclear;
                };
                facts.tell(&record);
                Some(record)
            } else {
                if !matches!(reader.read_game(&mut facts), Ok(true)) {
                    return Reading::Unclear;
                }
                None
            };
            let odd = reader.diagnostics();
            let facts = facts.finish();
            let mut item = item(cut, first.line, facts, odd);
            self.judge(&mut item, facts);
            if matches!(item.verdict, Verdict::Wanted) {
                let anew = self.plan.form == Form::Same && runs_on(odd);
                match &record {
                    None if anew => return Reading::Again,
                    Some(record) if anew || self.plan.form != Form::Same => {
                        self.write(cut, record, &mut item);
                    }
                    _ => {}
                }
                if anew {
                    item.remarks.push(rewritten(cut.line));
                }
            }
            self.items.push(item);
        }
        if matches!(reader.skip_game(), Ok(true)) {
            return Reading::Unclear;
        }
        Reading::Done
    }

    /// Writes a game in the form that is wanted. One without an end of its own is
    /// written so that it does not run into the next one.
    fn write<P: Position>(&mut self, cut: &Cut, record: &Record<P>, item: &mut Item) {
        let from = self.made.len();
        let origin = Origin {
            file: self.file,
            number: cut.number,
            line: cut.line,
        };
        match form::write(self.plan.form, record, origin, &mut self.made) {
            Ok(()) => item.made = Some(from..self.made.len()),
            Err(why) => {
                item.verdict = Verdict::Broken;
                item.remarks.push(Remark {
                    line: cut.line,
                    severity: Severity::Error,
                    code: "not-written",
                    text: why.into(),
                });
            }
        }
    }

    /// Asks the conditions about a game that can be read.
    fn judge(&self, item: &mut Item, facts: &Facts) {
        if !matches!(item.verdict, Verdict::Wanted) {
            return;
        }
        if !self.plan.conditions.hold(facts) {
            item.verdict = Verdict::Other;
            return;
        }
        item.key = self.plan.key(facts);
        if let Some(field) = &self.plan.group {
            item.group = field.text(facts);
        }
    }

    fn too_long(&mut self, cut: Cut) {
        let text =
            "the game is longer than the memory that is allowed for one; give more with --memory";
        self.broken(cut, "game-too-long", text);
    }

    fn unclear(&mut self, cut: Cut) {
        self.broken(cut, "end-unclear", "it is not clear where the game ends");
    }

    fn broken(&mut self, cut: Cut, code: &'static str, text: &str) {
        self.items.push(Item {
            number: cut.number,
            verdict: Verdict::Broken,
            bytes: match cut.bytes {
                Held::Here(range) => Place::Same(range),
                Held::Apart(file) => Place::Apart(file),
            },
            made: None,
            key: Vec::new(),
            group: String::new(),
            plies: 0,
            result: "*",
            remarks: vec![Remark {
                line: cut.line,
                severity: Severity::Error,
                code,
                text: text.into(),
            }],
        });
    }
}

/// Whether a game ends only because another one follows.
fn runs_on(odd: &[Diagnostic]) -> bool {
    odd.iter().any(|odd| {
        matches!(
            odd.code,
            Code::ResultMissing
                | Code::MovesMissing
                | Code::CommentOpen
                | Code::VariationOpen
                // Its only result may stand inside a variation.
                | Code::ResultInVariation
        )
    })
}

fn rewritten(line: u64) -> Remark {
    Remark {
        line,
        severity: Severity::Warning,
        code: "rewritten",
        text: "the game was written anew: as it stands it would run into the next one".into(),
    }
}

/// A game with what was odd about it. The reader counts lines from the first of
/// its games.
fn item(cut: &Cut, first: u64, facts: &Facts, odd: &[Diagnostic]) -> Item {
    let remarks: Vec<Remark> = odd
        .iter()
        // The cutter has told of text between games.
        .filter(|odd| odd.code != Code::TextBetweenGames)
        .map(|odd| Remark {
            line: first + odd.line - 1,
            severity: odd.severity(),
            code: odd.code.as_str(),
            text: if odd.detail.is_empty() {
                odd.code.sentence().into()
            } else {
                format!("{} ({})", odd.code.sentence(), odd.detail)
            },
        })
        .collect();
    // Beyond a number of problems there may be worse than those that are listed.
    let bad =
        |odd: &Diagnostic| odd.severity() == Severity::Error || odd.code == Code::MoreProblems;
    Item {
        number: cut.number,
        verdict: if odd.iter().any(bad) {
            Verdict::Broken
        } else {
            Verdict::Wanted
        },
        bytes: Place::Same(here(cut)),
        made: None,
        key: Vec::new(),
        group: String::new(),
        plies: facts.plies,
        result: facts.result.word(),
        remarks,
    }
}
