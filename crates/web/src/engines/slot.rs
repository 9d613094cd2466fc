//! One running engine: started when it is first needed, gone when it has had
//! nothing to do for a while.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use quadrille_client::EngineInfo;
use quadrille_desk::effect::{Purpose, SearchId, SearchNews, SearchOrder, Thinking};
use quadrille_desk::levels::strength;
use quadrille_desk::thought::thought;
use quadrille_desk::wire::{EngineState, SearchLimits};
use quadrille_driver::{Answer, Engine, Event, Failure, Limits, Outcome, StartError};
use quadrille_games::{AnyLine, Game};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::record::{EngineRecord, findings};
use super::tape::Conversation;
use crate::hub::HubHandle;

/// How long an engine stays when nothing is asked of it.
const IDLE: Duration = Duration::from_mins(2);
/// Lines are told so often and not oftener: eight times a second.
const PAUSE: Duration = Duration::from_millis(125);
/// A time that is never waited for.
const LONG: Duration = Duration::from_hours(24 * 365);

/// By this a slot is known.
pub(crate) type SlotId = u32;

/// What a slot can be told.
#[derive(Debug)]
pub(crate) enum Order {
    Search(Box<SearchOrder>),
    Stop(SearchId),
    NewGame,
    /// Before the next search; one without end begins again.
    Option(String, Option<String>),
    Quit,
}

/// What is heard of a slot.
#[derive(Debug)]
pub(crate) enum SlotNews {
    /// Another state, and what the engine did wrong so far.
    State(EngineState, Vec<String>),
    /// It has had nothing to do for a while.
    Idle,
    /// It is no more.
    Gone,
}

/// Everything a slot needs.
pub(crate) struct Slot {
    pub(crate) id: SlotId,
    pub(crate) record: EngineRecord,
    pub(crate) program: PathBuf,
    pub(crate) game: Game,
    pub(crate) rules: String,
    pub(crate) purpose: Purpose,
    pub(crate) talk: Conversation,
    pub(crate) hub: HubHandle,
}

/// How a search went on.
enum Went {
    Over,
    /// The same once more: an option was set meanwhile.
    Again(Box<SearchOrder>),
    Quit,
}

impl Slot {
    /// Serves orders until there are none for a while.
    pub(crate) async fn run(self, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut waiting: VecDeque<Order> = VecDeque::new();
        let mut engine: Option<Engine> = None;
        let mut new_game = true;
        loop {
            let order = match waiting.pop_front() {
                Some(order) => Some(order),
                None => match timeout(IDLE, orders.recv()).await {
                    Ok(order) => order,
                    Err(_) => {
                        // The hub knows whether something is on its way.
                        self.hub.slot(self.id, SlotNews::Idle).await;
                        continue;
                    }
                },
            };
            match order {
                None | Some(Order::Quit) => break,
                Some(Order::Stop(_)) => {}
                Some(Order::NewGame) => new_game = true,
                Some(Order::Option(name, value)) => {
                    // One that is not running is told when it starts.
                    if let Some(engine) = &mut engine
                        && let Err(error) = engine.set_option(&name, value.as_deref()).await
                    {
                        self.talk.add("#", error.to_string().as_bytes());
                    }
                }
                Some(Order::Search(order)) => {
                    let went = self.serve(&mut engine, order, &mut orders, &mut waiting, new_game);
                    new_game = false;
                    match went.await {
                        Went::Over => {}
                        Went::Again(order) => waiting.push_back(Order::Search(order)),
                        Went::Quit => break,
                    }
                }
            }
        }
        if let Some(mut engine) = engine {
            engine.quit().await;
            self.talk.add("#", b"it was told to quit");
        }
        self.hub.slot(self.id, SlotNews::Gone).await;
    }

    async fn tell(&self, search: SearchId, news: SearchNews) {
        self.hub.search(search, news).await;
    }

    async fn state(&self, state: EngineState, findings: Vec<String>) {
        self.hub
            .slot(self.id, SlotNews::State(state, findings))
            .await;
    }

    /// Starts the engine if it is not there.
    async fn started<'e>(
        &self,
        engine: &'e mut Option<Engine>,
        new_game: bool,
    ) -> Result<&'e mut Engine, String> {
        let usable = engine
            .as_ref()
            .is_some_and(|engine| engine.failure().is_none());
        let fresh = !usable;
        if fresh {
            *engine = None;
            let awaiting = "the answer to its greeting".to_owned();
            self.state(EngineState::Starting { awaiting }, Vec::new())
                .await;
            self.talk.add("#", b"it is being started");
            let spec = self.record.spec(&self.program, self.game, &self.rules);
            match Engine::start_taped(&spec, self.game, Some(self.talk.tape())).await {
                Ok(started) => *engine = Some(started),
                Err(error) => {
                    let words = words_of(&error);
                    self.talk.add("#", words.as_bytes());
                    self.state(state_of(&error, &words), Vec::new()).await;
                    return Err(words);
                }
            }
        }
        let engine = engine.as_mut().ok_or("the engine is gone")?;
        if fresh || new_game {
            let analyses = !matches!(self.purpose, Purpose::Game(..));
            let told = match engine.set_analysis(analyses).await {
                Ok(()) => engine.new_game().await,
                Err(failure) => Err(failure),
            };
            if let Err(failure) = told {
                let (state, words) = self.lost(engine, &failure);
                let findings = findings(engine);
                self.state(state, findings).await;
                return Err(words);
            }
        }
        Ok(engine)
    }

    /// An engine that can be used no more: its state, and in words.
    fn lost(&self, engine: &Engine, failure: &Failure) -> (EngineState, String) {
        for line in engine.stderr() {
            self.talk.add("!", line.as_bytes());
        }
        let words = failure.to_string();
        self.talk.add("#", words.as_bytes());
        let state = match failure {
            Failure::Stalled { .. } => EngineState::NotResponding,
            Failure::Died(_) => EngineState::Dead {
                words: words.clone(),
            },
        };
        (state, words)
    }

    async fn serve(
        &self,
        engine: &mut Option<Engine>,
        order: Box<SearchOrder>,
        orders: &mut mpsc::UnboundedReceiver<Order>,
        waiting: &mut VecDeque<Order>,
        new_game: bool,
    ) -> Went {
        let search = order.search;
        self.tell(search, SearchNews::Begun).await;
        let engine = match self.started(engine, new_game).await {
            Ok(engine) => engine,
            Err(words) => {
                self.tell(search, SearchNews::Failed { words }).await;
                return Went::Over;
            }
        };
        if let Some(lacking) = engine.lacks(&order.line) {
            let words = format!("the engine does not know {lacking}");
            self.tell(search, SearchNews::Failed { words }).await;
            self.state(EngineState::Idle, findings(engine)).await;
            return Went::Over;
        }
        let limits = prepare(engine, &order).await;
        let line = order.line.clone();
        self.state(EngineState::Searching, findings(engine)).await;
        let (outcome, went) = self
            .think(engine, order, &line, limits, orders, waiting)
            .await;
        if let Answer::Failed(failure) = &outcome.answer {
            let (state, words) = self.lost(engine, failure);
            self.state(state, findings(engine)).await;
            self.tell(search, SearchNews::Failed { words }).await;
            return Went::Over;
        }
        self.state(EngineState::Idle, findings(engine)).await;
        if !matches!(went, Went::Again(_)) {
            self.tell(search, ending(&outcome)).await;
        }
        went
    }

    /// Lets it think, and tells what it says.
    async fn think(
        &self,
        engine: &mut Engine,
        order: Box<SearchOrder>,
        line: &AnyLine,
        limits: Limits,
        orders: &mut mpsc::UnboundedReceiver<Order>,
        waiting: &mut VecDeque<Order>,
    ) -> (Outcome, Went) {
        let id = order.search;
        let endless = is_endless(&order.time);
        let mut went = Went::Over;
        let mut order = Some(order);
        let dialect = engine.dialect();
        let mut reported = EngineInfo::default();
        let mut search = engine.search(line, limits).await;
        let mut told = Instant::now();
        let mut due: Option<Instant> = None;
        let mut open = true;
        loop {
            let flush = due.unwrap_or_else(|| Instant::now() + LONG);
            tokio::select! {
                event = search.next() => match event {
                    Some(Event::Info(info)) => {
                        reported.record(*info);
                        due.get_or_insert_with(|| (told + PAUSE).max(Instant::now()));
                    }
                    Some(Event::Text(_)) => {}
                    None => break,
                },
                () = sleep_until(flush) => {
                    (told, due) = (Instant::now(), None);
                    let thought = Box::new(thought(&reported, dialect, line));
                    self.tell(id, SearchNews::Lines(thought)).await;
                }
                next = orders.recv(), if open => match next {
                    Some(Order::Stop(stopped)) => {
                        if stopped == id {
                            search.stop();
                            // Not begun again, whatever was set.
                            if matches!(went, Went::Again(_)) {
                                went = Went::Over;
                            }
                        } else if let Some(at) =
                            waiting.iter().position(|order| is_search(order, stopped))
                        {
                            waiting.remove(at);
                            self.tell(stopped, unserved()).await;
                        }
                    }
                    // A new position: what was asked before is of no interest.
                    Some(Order::Search(next)) => {
                        search.stop();
                        if matches!(went, Went::Again(_)) {
                            went = Went::Over;
                        }
                        waiting.push_back(Order::Search(next));
                    }
                    Some(Order::Option(name, value)) => {
                        waiting.push_back(Order::Option(name, value));
                        if endless && let Some(order) = order.take() {
                            search.stop();
                            went = Went::Again(order);
                        }
                    }
                    Some(Order::NewGame) => waiting.push_back(Order::NewGame),
                    Some(Order::Quit) | None => {
                        open = false;
                        search.stop();
                        went = Went::Quit;
                    }
                },
            }
        }
        let outcome = search.finish().await;
        let thought = Box::new(thought(&reported, dialect, line));
        self.tell(id, SearchNews::Lines(thought)).await;
        (outcome, went)
    }
}

/// A search that was stopped before it began.
const fn unserved() -> SearchNews {
    SearchNews::Done {
        best: None,
        spent: 0.0,
        resigns: false,
    }
}

fn is_search(order: &Order, search: SearchId) -> bool {
    matches!(order, Order::Search(order) if order.search == search)
}

fn is_endless(time: &Thinking) -> bool {
    matches!(time, Thinking::Limits(limits) if *limits == SearchLimits::default())
}

/// Sets what this search needs, and says how long it may take.
async fn prepare(engine: &mut Engine, order: &SearchOrder) -> Limits {
    // An engine without these options plays on without them.
    let _ = engine.set_lines(order.lines.clamp(1, 50)).await;
    let mut limits = order.limits();
    if matches!(order.purpose, Purpose::Game(..)) {
        let strength = strength(engine.options(), order.level);
        for (name, value) in strength.options {
            let _ = engine.set_option(&name, Some(&value)).await;
        }
        limits.nodes = limits.nodes.or(strength.nodes);
    }
    limits
}

fn ending(outcome: &Outcome) -> SearchNews {
    let spent = outcome.elapsed.saturating_sub(outcome.taken) + outcome.owed;
    news(&outcome.answer, spent.as_secs_f64() * 1000.0)
}

fn news(answer: &Answer, spent: f64) -> SearchNews {
    let done = |best| SearchNews::Done {
        best,
        spent,
        resigns: false,
    };
    match answer {
        Answer::Move(best) => done(Some(best.text.clone())),
        Answer::NoMove => done(None),
        // A late answer is an answer; what it costs is the clock's matter.
        Answer::TimedOut(late) => news(late, spent),
        Answer::Illegal(error) => SearchNews::Failed {
            words: format!("the engine's {error}"),
        },
        Answer::Failed(failure) => SearchNews::Failed {
            words: failure.to_string(),
        },
    }
}

/// What is wrong, and what can be done about it.
pub(super) fn words_of(error: &StartError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}

fn state_of(error: &StartError, words: &str) -> EngineState {
    match error {
        StartError::CopyProtected { .. } => EngineState::Refuses,
        StartError::NoHandshake { .. } => EngineState::NotResponding,
        _ => EngineState::Dead {
            words: words.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use quadrille_client::moves::{Understood, understand};
    use quadrille_games::Game;

    use super::*;

    #[test]
    fn late_answers_are_told_as_those_in_time() {
        let line = AnyLine::start(Game::Chess);
        for said in ["e2e4", "e2e5"] {
            let in_time = || match understand(&line, said.into()) {
                Understood::Move(best, _) => Answer::Move(best),
                Understood::Illegal(error) => Answer::Illegal(error),
                Understood::Null => Answer::NoMove,
            };
            let late = Answer::TimedOut(Box::new(in_time()));
            assert_eq!(news(&late, 5.0), news(&in_time(), 5.0), "{said}");
        }
    }
}
