//! The end of an engine in the middle of a scene: whether that scene alone ends it, and the
//! command that shows it.

use std::time::{Duration, Instant};

use quadrille_protocol::{Report, Severity};

use super::examiner::Examiner;
use super::report::Spoken;
use super::reproduce::{Sent, check_again};
use super::searches::set_option_words;
use super::start::preamble;
use super::table;
use super::talk::Talk;

/// The rule that an engine breaks which ends after a sequence of scenes and after none of them
/// alone.
const SURVIVES: &str = "games.survive";

/// Crashes that are tried again: each takes as long as its scene.
const MOST: u32 = 16;

/// How much longer an engine that did not end may still do so.
const LONGER: Duration = Duration::from_secs(1);

/// An engine that ended, until it is known what it takes.
#[derive(Debug)]
pub(super) struct Crash {
    /// The rule that was being judged.
    id: &'static str,
    /// How it ended.
    words: String,
    lines: Vec<Spoken>,
    /// What was sent in the scene, and since the engine was started.
    scene: Sent,
    all: Sent,
    /// The scenes since then, this one last.
    scenes: Vec<&'static str>,
    symptom: Option<&'static str>,
    at: Instant,
}

impl Examiner<'_> {
    /// The engine has ended, which counts against this rule if its scene alone ends it.
    pub(super) fn note_crash(&mut self, id: &'static str, words: &str) {
        let crash = self.talk.as_ref().map(|talk| Crash {
            id: self.blamed(id),
            words: words.into(),
            lines: talk.excerpt(),
            scene: talk.sent.clone(),
            all: talk.all_sent.clone(),
            scenes: talk.scenes.clone(),
            symptom: self.symptom,
            at: Instant::now(),
        });
        match crash {
            Some(crash) if crash.scenes.len() > 1 => {
                if table::find(crash.id).is_some() {
                    self.crashes.push(crash);
                }
            }
            // What was sent in the scene is everything.
            _ => self.fail_as(id, Severity::Error, format!("the engine ended: {words}")),
        }
    }

    /// Gives the verdicts on the crashes of the scene that is over.
    pub(super) async fn judge_crashes(&mut self) {
        for crash in std::mem::take(&mut self.crashes) {
            let ends_alone = if self.is_cancelled() {
                None
            } else if self.rehearsals < MOST {
                self.rehearsals += 1;
                self.ends_alone(&crash).await
            } else {
                // An engine that ends so often does it for the same reason.
                self.record.has_failed(SURVIVES).then_some(false)
            };
            self.judge_crash(&crash, ends_alone);
        }
    }

    /// An engine about which nothing could be found out counts as one that ends alone.
    fn judge_crash(&mut self, crash: &Crash, ends_alone: Option<bool>) {
        let Crash { id, words, .. } = crash;
        let mut seen = format!("the engine ended: {words}");
        let mut rule = *id;
        if ends_alone == Some(false) {
            let mut scenes = crash.scenes.clone();
            scenes.dedup();
            let scenes = scenes.join(", ");
            seen = format!(
                "{seen}, in {id}; this scene alone does not end it, it needs what came before: {scenes}"
            );
            // A rule that nobody asked about would not be shown.
            let selection = &self.settings.selection;
            if table::find(SURVIVES).is_some_and(|check| selection.has(check)) {
                rule = SURVIVES;
                self.skip(
                    id,
                    "the engine ended before it was judged: see games.survive",
                );
            }
        }
        let reproduce = self.subject.opener.is_none().then(|| {
            let spec = &self.subject.spec;
            let command = match ends_alone {
                Some(false) => crash.all.command(spec, "", crash.at),
                _ => {
                    let before = preamble(spec, self.dialect);
                    crash.scene.command(spec, &before, crash.at)
                }
            };
            // All scenes of a probe are made again, in the same order.
            command.unwrap_or_else(|| check_again(spec, self.game, id))
        });
        let show = || (crash.lines.clone(), reproduce);
        self.record
            .fail(rule, Severity::Error, seen, crash.symptom, show);
        self.tell_news();
    }

    /// Whether another start of the engine ends when it is sent what was sent in the scene,
    /// with the same pauses; `None` where that cannot be tried.
    async fn ends_alone(&mut self, crash: &Crash) -> Option<bool> {
        let pieces = crash.scene.pieces()?;
        let link = self.open_link().await.ok()?;
        let mut talk = Talk::new(link, self.dialect, None);
        let spec = &self.subject.spec;
        for line in &spec.init {
            talk.say(line);
        }
        talk.say(self.dialect.hello());
        let greeted = |report: &Report<'_>| matches!(report, Report::UciOk | Report::UgiOk);
        if !reaches(&mut talk, self.patience.hello, greeted).await {
            return None;
        }
        for (name, value) in &spec.options {
            talk.say(&set_option_words(self.dialect, name, value.as_deref()));
        }
        talk.say("isready");
        let ready = |report: &Report<'_>| matches!(report, Report::ReadyOk);
        if !reaches(&mut talk, self.patience.ready, ready).await {
            return None;
        }
        let mut last = pieces.first().map_or(crash.at, |piece| piece.at);
        for piece in pieces {
            let until = Instant::now() + piece.at.saturating_duration_since(last);
            while heard(&mut talk, until).await.is_some() {}
            if piece.waited {
                settled(&mut talk, self.patience.search).await;
            }
            talk.say_bytes(&piece.bytes);
            last = piece.at;
        }
        let pause = crash.at.saturating_duration_since(last);
        let never = |_: &Report<'_>| false;
        reaches(&mut talk, pause + LONGER, never).await;
        Some(talk.death.is_some())
    }
}

/// Hears an engine out until it says this; whether it did.
async fn reaches(talk: &mut Talk, patience: Duration, what: impl Fn(&Report<'_>) -> bool) -> bool {
    let mut wait = talk.begin_wait(patience);
    loop {
        while let Some(line) = heard(talk, wait.deadline).await {
            if what(&Report::parse(&line, talk.dialect()).message) {
                return true;
            }
        }
        if talk.death.is_some() || !talk.prolong(&mut wait) {
            return false;
        }
    }
}

/// Hears an engine out until it has answered everything, or for so long.
async fn settled(talk: &mut Talk, patience: Duration) {
    let mut wait = talk.begin_wait(patience);
    while !talk.owes_nothing() && talk.death.is_none() {
        if heard(talk, wait.deadline).await.is_none() && !talk.prolong(&mut wait) {
            return;
        }
    }
}

/// A line of an engine, which counts as an answer.
async fn heard(talk: &mut Talk, deadline: Instant) -> Option<Vec<u8>> {
    talk.read(deadline).await.ok()?;
    let line = talk.line().to_vec();
    talk.sides
        .received(&Report::parse(&line, talk.dialect()).message);
    Some(line)
}
