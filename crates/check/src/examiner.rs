//! The one who asks: keeps an engine running, tells it things, hears it out.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{Dialect, Severity};

use super::crash::Crash;
use super::fair::{FairWait, Punctuality, Spent};
use super::heard::{Answer, Running};
use super::record::Record;
use super::reproduce::check_again;
use super::run::{Event, Patience, Settings, Subject};
use super::start::preamble;
use super::talk::Talk;
use super::watch::Said;
use quadrille_driver::{EngineOption, Silence, dialect_of};

/// Why a probe cannot go on.
#[derive(Debug)]
pub(super) enum Lost {
    /// The caller has had enough.
    Cancelled,
    /// The engine cannot be started, or does not come through the handshake.
    NoEngine(String),
}

/// The result of a step of a probe.
pub(super) type Step<T = ()> = Result<T, Lost>;

/// What a rule that is not judged is redirected to.
const IGNORED: &str = "";

/// An engine that has hung so often is waited for half as long.
const TRIED: u32 = 4;

/// A check while it runs.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Examiner<'a> {
    pub(super) subject: &'a Subject,
    pub(super) settings: &'a Settings,
    pub(super) record: Record,
    pub(super) dialect: Dialect,
    pub(super) game: Game,
    pub(super) talk: Option<Talk>,
    /// The board of the engine.
    pub(super) root: AnyLine,
    pub(super) running: Option<Running>,
    /// What the last search came to.
    pub(super) answer: Option<Answer>,
    /// The options as they were declared last, and the lines.
    pub(super) options: Vec<EngineOption>,
    /// Options that were to be set and that it did not declare.
    pub(super) unknown: Vec<String>,
    pub(super) name: Option<String>,
    pub(super) author: Option<String>,
    pub(super) restarts: u32,
    /// How long is waited for what; less for an engine that has hung often.
    pub(super) patience: Patience,
    /// Nodes a second, as far as the engine has told them.
    pub(super) speed: Option<f64>,
    /// Why a wait of this scene says nothing.
    pub(super) excuse: Option<String>,
    hangs: u32,
    /// Starts in a row that came to nothing because the engine said nothing.
    pub(super) deaf: u32,
    /// What is failed in place of a general rule, while a scene lasts.
    redirects: Vec<(&'static str, &'static str)>,
    /// The only rule that is judged, while a scene lasts.
    only: Option<&'static str>,
    /// The end of the engine has been held against it.
    death_told: bool,
    /// It was ended by us, because it hung.
    given_up: bool,
    /// Lines wanted by the engine's options now.
    pub(super) lines_wanted: u64,
    pub(super) chess960: bool,
    pub(super) shows_currline: bool,
    /// The engine has begun to introduce itself.
    pub(super) declared: bool,
    /// A question is open whose answer is text for people.
    pub(super) asked_for_text: bool,
    events: &'a mut (dyn FnMut(Event) -> ControlFlow<()> + Send),
    cancelled: bool,
    /// What is wrong in this scene whatever was asked.
    pub(super) symptom: Option<&'static str>,
    /// The check that this scene is about.
    pub(super) asking: &'static str,
    /// Ends of the engine that are not judged yet, and how many were tried again.
    pub(super) crashes: Vec<Crash>,
    pub(super) rehearsals: u32,
    /// A search was answered, and no `isready` since.
    pub(super) unsettled: bool,
    /// It has answered a search twice: from now on a second answer is waited for.
    pub(super) answers_twice: bool,
    /// Why it has never been started, as long as that is so.
    pub(super) not_started: Option<String>,
    pub(super) has_started: bool,
}

impl<'a> Examiner<'a> {
    pub(super) fn new(
        subject: &'a Subject,
        settings: &'a Settings,
        events: &'a mut (dyn FnMut(Event) -> ControlFlow<()> + Send),
    ) -> Self {
        let game = subject.game;
        let dialect = subject.spec.dialect.unwrap_or(dialect_of(game));
        Self {
            subject,
            settings,
            record: Record::new(dialect),
            dialect,
            game,
            talk: None,
            root: AnyLine::start(game),
            running: None,
            answer: None,
            options: Vec::new(),
            unknown: Vec::new(),
            name: None,
            author: None,
            restarts: 0,
            patience: settings.patience,
            speed: None,
            excuse: None,
            hangs: 0,
            deaf: 0,
            redirects: Vec::new(),
            only: None,
            death_told: false,
            given_up: false,
            lines_wanted: 1,
            chess960: false,
            shows_currline: false,
            declared: false,
            asked_for_text: false,
            events,
            cancelled: false,
            symptom: None,
            asking: IGNORED,
            crashes: Vec::new(),
            rehearsals: 0,
            unsettled: false,
            answers_twice: false,
            not_started: None,
            has_started: false,
        }
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.cancelled |= (self.events)(event).is_break();
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    // Verdicts.

    /// The rule that a failure counts against in this scene.
    pub(super) fn blamed(&self, id: &'static str) -> &'static str {
        if self.only.is_some_and(|only| only != id) {
            return IGNORED;
        }
        let redirect = self.redirects.iter().find(|(from, _)| *from == id);
        redirect.map_or(id, |(_, to)| to)
    }

    /// In this scene, what breaks the first rule counts against the second.
    pub(super) fn redirect(&mut self, from: &'static str, to: &'static str) {
        self.redirects.push((from, to));
    }

    /// In this scene, a rule is not judged.
    pub(super) fn ignore(&mut self, id: &'static str) {
        self.redirects.push((id, IGNORED));
    }

    /// In this scene we break a rule ourselves: nothing else is held against the engine.
    pub(super) fn judge_alone(&mut self, id: &'static str) {
        self.only = Some(id);
    }

    /// What the engine has said in this scene.
    pub(super) fn transcript_lines(&self) -> Vec<String> {
        self.talk
            .as_ref()
            .map(Talk::engine_lines)
            .unwrap_or_default()
    }

    pub(super) fn fail(&mut self, id: &'static str, seen: impl Into<String>) {
        self.fail_as(id, Severity::Note, seen);
    }

    /// The rule is broken, and that is at least so bad, whatever the table says of it: an
    /// engine that ends, or that never answers again, ends a game everywhere.
    pub(super) fn fail_as(&mut self, id: &'static str, least: Severity, seen: impl Into<String>) {
        let id = self.blamed(id);
        if id == IGNORED {
            return;
        }
        let (talk, spec) = (&self.talk, &self.subject.spec);
        let game = self.game;
        let (dialect, opened) = (self.dialect, self.subject.opener.is_some());
        let show = || {
            let talk = talk.as_ref();
            let lines = talk.map(Talk::excerpt).unwrap_or_default();
            let command = talk.filter(|_| !opened).map(|talk| {
                let command = talk.reproduce(spec, &preamble(spec, dialect));
                command.unwrap_or_else(|| check_again(spec, game, id))
            });
            (lines, command)
        };
        self.record.fail(id, least, seen, self.symptom, show);
        self.tell_news();
    }

    /// What is wrong in this scene whatever was asked: other rules that are broken in it
    /// follow from that one.
    pub(super) fn note_symptom(&mut self, id: &'static str) {
        self.symptom.get_or_insert(id);
    }

    pub(super) fn tell_news(&mut self) {
        for finding in self.record.news() {
            self.tell(Event::Found(Box::new(finding)));
        }
    }

    /// The rule was kept where it could be broken.
    pub(super) fn pass(&mut self, id: &'static str) {
        if self.blamed(id) == id {
            self.record.pass(id);
        }
    }

    /// The machine was too busy to judge a rule.
    pub(super) fn unjudge(&mut self, id: &'static str, why: &str) {
        let id = self.blamed(id);
        if id != IGNORED {
            self.record.unjudge(id, why);
        }
    }

    /// The verdict on a time.
    pub(super) fn judge_time(
        &mut self,
        id: &'static str,
        spent: Spent,
        limit: Duration,
        seen: impl FnOnce() -> String,
    ) {
        match spent.against(limit * self.leniency()) {
            Punctuality::InTime => self.pass(id),
            Punctuality::Late => self.fail(id, seen()),
            Punctuality::Unclear => self.unjudge(id, &spent.excuse(limit)),
        }
    }

    pub(super) fn skip(&mut self, id: &'static str, why: &str) {
        self.record.skip(id, why);
    }

    /// The verdict of a scene. The end of the engine counts against the first
    /// rule that is judged after it.
    pub(super) fn expect(&mut self, id: &'static str, kept: bool, seen: impl FnOnce() -> String) {
        let death = self.talk.as_ref().and_then(|talk| talk.death.as_ref());
        match death.map(ToString::to_string) {
            Some(words) if !self.death_told => {
                self.death_told = true;
                self.lost_it();
                self.note_crash(id, &words);
            }
            Some(_) if !self.given_up => {}
            _ if kept => self.pass(id),
            _ if self.excuse.is_some() => {
                let excuse = self.excuse.clone().unwrap_or_default();
                self.unjudge(id, &excuse);
            }
            // It was ended by us because it did not answer.
            Some(_) => self.fail_as(id, Severity::Error, seen()),
            None => self.fail(id, seen()),
        }
    }

    // The engine.

    pub(super) fn is_alive(&self) -> bool {
        self.talk.as_ref().is_some_and(|talk| talk.death.is_none())
    }

    /// Begins a scene: an engine that runs and is idle, and a clean page.
    pub(super) async fn scene(&mut self, id: &'static str) -> Step {
        self.tell(Event::Asking(id));
        if self.cancelled {
            return Err(Lost::Cancelled);
        }
        self.end_scene().await;
        if !self.is_alive() {
            self.fresh().await?;
        }
        self.begin_page(id);
        Ok(())
    }

    /// The same with an engine that has just been started.
    pub(super) async fn fresh_scene(&mut self, id: &'static str) -> Step {
        self.tell(Event::Asking(id));
        if self.cancelled {
            return Err(Lost::Cancelled);
        }
        self.end_scene().await;
        self.fresh().await?;
        self.begin_page(id);
        Ok(())
    }

    fn begin_page(&mut self, id: &'static str) {
        self.asking = id;
        self.excuse = None;
        self.symptom = None;
        self.record.begin_scene();
        if let Some(talk) = &mut self.talk {
            talk.turn_page(id);
        }
    }

    /// Ends what the scene before has left running. Each probe ends so, too.
    pub(super) async fn end_scene(&mut self) {
        if self.running.is_some() && self.is_alive() {
            self.stop().await;
        }
        self.running = None;
        self.settle().await;
        let died = !self.death_told && self.talk.as_ref().is_some_and(|t| t.death.is_some());
        if died {
            self.expect("games.survive", false, String::new);
        }
        self.judge_crashes().await;
        self.redirects.clear();
        self.only = None;
        self.asked_for_text = false;
    }

    /// Lets the engine go; the next scene has another.
    pub(super) fn drop_engine(&mut self) {
        self.talk = None;
        self.running = None;
        self.unsettled = false;
        self.death_told = false;
        self.given_up = false;
        self.declared = false;
        self.lines_wanted = 1;
        self.chess960 = false;
        self.shows_currline = false;
    }

    /// An engine that has answered too early may answer `stop` once more: the next
    /// scene has another.
    pub(super) fn forget_if(&mut self, early: bool) {
        if early {
            self.drop_death();
            self.drop_engine();
        }
    }

    /// The end of the engine was asked for: it is held against no rule.
    pub(super) fn drop_death(&mut self) {
        self.death_told = true;
    }

    pub(super) fn say(&mut self, line: &str) {
        if let Some(talk) = self.talk.as_mut().filter(|talk| talk.death.is_none()) {
            talk.say(line);
        }
    }

    /// Hears one line, or `None` at the deadline and at the end of the engine.
    pub(super) async fn hear(&mut self, deadline: Instant) -> Option<Said> {
        let talk = self.talk.as_mut()?;
        match talk.read(deadline).await {
            Ok(at) => {
                let line = talk.line().to_vec();
                Some(self.observe(&line, at))
            }
            Err(Silence::Late | Silence::Closed) => None,
        }
    }

    /// Hears the engine out for a while. Whether something like this came.
    pub(super) async fn wait_for(&mut self, what: Said, patience: Duration) -> bool {
        let Some(mut wait) = self.begin_wait(patience) else {
            return false;
        };
        while let Some(said) = self.hear_in(&mut wait).await {
            if said == what {
                return true;
            }
        }
        false
    }

    /// What is not answered from now on in this scene says nothing about the engine.
    pub(super) fn excuse_with(&mut self, why: String) {
        self.excuse = Some(why);
    }

    /// Why a wait of this scene says nothing, if that is so.
    pub(super) fn excused(&self) -> Option<String> {
        self.excuse.clone()
    }

    pub(super) fn begin_wait(&mut self, patience: Duration) -> Option<FairWait> {
        self.talk.as_mut().map(|talk| talk.begin_wait(patience))
    }

    /// Hears one line, or `None` when the wait is over or the engine has ended.
    pub(super) async fn hear_in(&mut self, wait: &mut FairWait) -> Option<Said> {
        loop {
            let said = self.hear(wait.deadline).await;
            let talk = self.talk.as_mut()?;
            if said.is_some() || talk.death.is_some() {
                return said;
            }
            if !talk.prolong(wait) {
                self.excuse = wait.excuse();
                return None;
            }
        }
    }

    /// Listens for so long, whatever comes; whether a `bestmove` was among it.
    pub(super) async fn listen(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut answered = false;
        while let Some(said) = self.hear(deadline).await {
            answered |= said == Said::Best;
        }
        answered
    }

    /// Whether `isready` is answered.
    pub(super) async fn ready(&mut self) -> bool {
        self.say("isready");
        self.wait_for(Said::Ready, self.patience.ready).await
    }

    /// Whether the engine lives and is ready, as the verdict on a rule. One that
    /// is not is ended.
    pub(super) async fn expect_ready(&mut self, id: &'static str, after: &str) {
        let ready = self.ready().await;
        if !ready && self.is_alive() {
            self.give_up("readyok never came, the engine is ended here");
        }
        self.expect(id, ready, || {
            format!("isready was not answered after {after}")
        });
    }

    /// Ends an engine that hangs; the next scene has another.
    pub(super) fn give_up(&mut self, why: &str) {
        if let Some(talk) = &mut self.talk {
            talk.note(why);
            talk.kill();
        }
        self.lost_it();
        self.hangs += u32::from(self.excuse.is_none());
        if self.excuse.is_some() {
            // It may only have been slow.
        } else if self.hangs == TRIED || self.hangs == 2 * TRIED {
            self.patience = self.patience.halved();
        }
        // What is wrong is told by the rule that is judged.
        self.death_told = true;
        self.given_up = true;
    }

    /// The engine has died or hung: the next scene starts another.
    fn lost_it(&mut self) {
        self.restarts += 1;
        self.tell(Event::Restarted);
    }
}
