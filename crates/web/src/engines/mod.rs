//! The engines there are, and those that run.

mod add;
mod record;
mod slot;
mod tape;
#[cfg(test)]
mod views;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use quadrille_desk::effect::{PageId, Purpose, SearchId, SearchOrder};
use quadrille_desk::wire::{EngineChange, EngineId, EngineState, EngineView, HandshakeStep};
use quadrille_games::Game;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::AbortHandle;

pub(crate) use add::{Steps, look_at};
pub(crate) use record::EngineRecord;
pub(crate) use slot::{SlotId, SlotNews};
pub(crate) use tape::Conversation;

use crate::hub::HubHandle;
use slot::{Order, Slot};

/// Processes that may run at once.
const MOST_SLOTS: usize = 32;
/// Engines in the list.
const MOST_ENGINES: usize = 200;

/// All engines, and the running ones.
#[derive(Debug)]
pub(crate) struct Engines {
    program: PathBuf,
    hub: HubHandle,
    /// In the user's order.
    list: Vec<EngineRecord>,
    /// Those that were removed, with their places.
    removed: BTreeMap<EngineId, (usize, EngineRecord)>,
    talks: HashMap<EngineId, Conversation>,
    slots: BTreeMap<SlotId, Running>,
    searches: HashMap<SearchId, SlotId>,
    /// Why an engine cannot be used, until it is started again.
    troubles: HashMap<EngineId, EngineState>,
    next_slot: SlotId,
    next_engine: EngineId,
    /// The steps of the last handshake.
    pub(crate) adding: Vec<HandshakeStep>,
    /// The handshake that is under way.
    pub(crate) attempt: Option<Attempt>,
    /// Its number, so that one that was given up changes nothing any more.
    pub(crate) attempts: u32,
}

/// An engine that is being added.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// Who asked, and the number of that question.
    pub(crate) page: PageId,
    pub(crate) question: u32,
    pub(crate) task: AbortHandle,
}

#[derive(Debug)]
struct Running {
    engine: EngineId,
    purpose: Purpose,
    game: Game,
    rules: String,
    orders: UnboundedSender<Order>,
    state: EngineState,
    /// Told to quit: not to be used any more.
    leaving: bool,
}

/// What must be kept after a change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    Nothing,
    /// The list as a whole.
    List,
}

impl Engines {
    /// The engines that were kept; ours are always there.
    pub(crate) fn new(
        program: PathBuf,
        hub: HubHandle,
        kept: Vec<(usize, bool, EngineRecord)>,
    ) -> Self {
        let mut list: Vec<EngineRecord> = Vec::new();
        let mut removed = BTreeMap::new();
        for (place, gone, record) in kept {
            if gone {
                removed.insert(record.id, (place, record));
            } else {
                list.push(record);
            }
        }
        for (index, game) in Game::ALL.into_iter().enumerate() {
            let id = index as EngineId + 1;
            let known = |record: &EngineRecord| record.builtin == Some(game);
            if !list.iter().any(known) && !removed.values().any(|(_, r)| known(r)) {
                list.insert(index.min(list.len()), EngineRecord::builtin(id, game));
            }
        }
        let ids = list
            .iter()
            .map(|record| record.id)
            .chain(removed.keys().copied());
        let next_engine = ids.max().unwrap_or_default() + 1;
        Self {
            program,
            hub,
            list,
            removed,
            talks: HashMap::new(),
            slots: BTreeMap::new(),
            searches: HashMap::new(),
            troubles: HashMap::new(),
            next_slot: 1,
            next_engine,
            adding: Vec::new(),
            attempt: None,
            attempts: 0,
        }
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.program.clone()
    }

    pub(crate) fn get(&self, id: EngineId) -> Option<&EngineRecord> {
        self.list.iter().find(|record| record.id == id)
    }

    /// Everything, to be kept: place, removed, record.
    pub(crate) fn all(&self) -> Vec<(usize, bool, EngineRecord)> {
        let list = self.list.iter().cloned().enumerate();
        let removed = self.removed.values().cloned();
        list.map(|(place, record)| (place, false, record))
            .chain(removed.map(|(place, record)| (place, true, record)))
            .collect()
    }

    /// As they are shown.
    pub(crate) fn views(&self) -> Vec<EngineView> {
        let view = |record: &EngineRecord| record.view(self.state(record.id));
        self.list.iter().map(view).collect()
    }

    /// What an engine is doing, in all its slots together.
    fn state(&self, id: EngineId) -> EngineState {
        let states = || {
            let slots = self.slots.values().filter(|slot| slot.engine == id);
            slots.map(|slot| &slot.state)
        };
        let rank = |state: &EngineState| match state {
            EngineState::Searching => 5,
            EngineState::Starting { .. } => 4,
            EngineState::Registration => 3,
            EngineState::Idle => 2,
            EngineState::Off => 1,
            _ => 0,
        };
        let best = states().max_by_key(|state| rank(state));
        match (best, self.troubles.get(&id)) {
            (Some(state), _) if rank(state) >= 2 => state.clone(),
            (_, Some(trouble)) => trouble.clone(),
            (Some(state), None) => state.clone(),
            (None, None) => EngineState::Off,
        }
    }

    /// The conversation with an engine.
    pub(crate) fn talk(&mut self, id: EngineId) -> Conversation {
        self.talks.entry(id).or_default().clone()
    }

    /// The conversation with the engine that is being added, begun anew.
    pub(crate) fn first_talk(&mut self) -> Conversation {
        self.talks.remove(&0);
        self.talk(0)
    }

    /// The engine that was added has a number now, and what was said is its own.
    pub(crate) fn adopt_first_talk(&mut self, id: EngineId) {
        if let Some(talk) = self.talks.remove(&0) {
            self.talks.insert(id, talk);
        }
    }

    /// Lets an engine think, in the slot that is meant for it.
    pub(crate) fn search(&mut self, order: Box<SearchOrder>) -> Result<(), String> {
        let id = order.engine;
        let record = self
            .get(id)
            .cloned()
            .ok_or("there is no such engine any more")?;
        let (game, rules) = (order.line.game(), order.line.rules_text());
        if !record.games.contains(&game) {
            return Err(format!("{} does not play {game}", record.shown_name()));
        }
        self.adopt(&order);
        let found = self
            .slots
            .iter()
            .find(|(_, slot)| slot.engine == id && slot.purpose == order.purpose && !slot.leaving);
        let same = found.map(|(number, slot)| (*number, slot.game == game && slot.rules == rules));
        let number = match same {
            Some((number, true)) => number,
            Some((number, false)) => {
                self.dismiss(number);
                self.start(record, order.purpose, game, rules)?
            }
            None => self.start(record, order.purpose, game, rules)?,
        };
        self.searches.insert(order.search, number);
        self.tell(number, Order::Search(order));
        Ok(())
    }

    /// A page that comes again gets the engine it has left, with all it knows.
    fn adopt(&mut self, order: &SearchOrder) {
        let (purpose, rules) = (order.purpose, order.line.rules_text());
        let fits = |slot: &Running| {
            slot.engine == order.engine
                && slot.game == order.line.game()
                && slot.rules == rules
                && !slot.leaving
        };
        let of_a_game = |purpose| matches!(purpose, Purpose::Game(..));
        let own = |slot: &Running| slot.engine == order.engine && slot.purpose == purpose;
        if of_a_game(purpose) || self.slots.values().any(own) {
            return;
        }
        let busy: Vec<SlotId> = self.searches.values().copied().collect();
        let mut slots = self.slots.iter_mut();
        let idle =
            slots.find(|(id, slot)| fits(slot) && !of_a_game(slot.purpose) && !busy.contains(id));
        if let Some((_, slot)) = idle {
            slot.purpose = purpose;
        }
    }

    fn start(
        &mut self,
        record: EngineRecord,
        purpose: Purpose,
        game: Game,
        rules: String,
    ) -> Result<SlotId, String> {
        if self.slots.len() >= MOST_SLOTS {
            let idle = |slot: &&Running| slot.state == EngineState::Idle && !slot.leaving;
            let oldest = self
                .slots
                .iter()
                .find(|(_, slot)| idle(slot))
                .map(|(id, _)| *id);
            let oldest = oldest.ok_or_else(|| {
                format!("{MOST_SLOTS} engines are running; stop one of them first")
            })?;
            self.dismiss(oldest);
        }
        let id = self.next_slot;
        self.next_slot += 1;
        let (orders, queue) = mpsc::unbounded_channel();
        let engine = record.id;
        self.troubles.remove(&engine);
        let slot = Slot {
            id,
            program: self.program.clone(),
            game,
            rules: rules.clone(),
            purpose,
            talk: self.talk(engine),
            hub: self.hub.clone(),
            record,
        };
        tokio::spawn(slot.run(queue));
        let running = Running {
            engine,
            purpose,
            game,
            rules,
            orders,
            state: EngineState::Off,
            leaving: false,
        };
        self.slots.insert(id, running);
        Ok(id)
    }

    fn tell(&self, slot: SlotId, order: Order) {
        if let Some(slot) = self.slots.get(&slot) {
            // One that has just gone away says so itself.
            let _ = slot.orders.send(order);
        }
    }

    fn dismiss(&mut self, slot: SlotId) {
        self.tell(slot, Order::Quit);
        if let Some(slot) = self.slots.get_mut(&slot) {
            slot.leaving = true;
        }
    }

    /// Ends a search early.
    pub(crate) fn stop(&self, search: SearchId) {
        if let Some(slot) = self.searches.get(&search) {
            self.tell(*slot, Order::Stop(search));
        }
    }

    /// A search is over.
    pub(crate) fn over(&mut self, search: SearchId) {
        self.searches.remove(&search);
    }

    /// Another game begins.
    pub(crate) fn new_game(&self, engine: EngineId, meant: impl Fn(Purpose) -> bool) {
        for (id, slot) in &self.slots {
            if slot.engine == engine && meant(slot.purpose) {
                self.tell(*id, Order::NewGame);
            }
        }
    }

    /// Stops all processes of an engine.
    pub(crate) fn quit(&mut self, engine: EngineId) {
        let slots = self.slots.iter().filter(|(_, slot)| slot.engine == engine);
        let ids: Vec<SlotId> = slots.map(|(id, _)| *id).collect();
        for id in ids {
            self.dismiss(id);
        }
        self.troubles.remove(&engine);
    }

    /// Stops everything.
    pub(crate) fn quit_all(&mut self) {
        let ids: Vec<SlotId> = self.slots.keys().copied().collect();
        for id in ids {
            self.dismiss(id);
        }
    }

    /// How many processes there are.
    pub(crate) fn running(&self) -> usize {
        self.slots.len()
    }

    /// What is heard of a slot; the searches that died with it.
    pub(crate) fn heard(&mut self, id: SlotId, news: SlotNews) -> Vec<SearchId> {
        match news {
            SlotNews::State(state, findings) => {
                let Some(slot) = self.slots.get_mut(&id) else {
                    return Vec::new();
                };
                slot.state = state.clone();
                let engine = slot.engine;
                let bad = matches!(
                    state,
                    EngineState::Dead { .. } | EngineState::NotResponding | EngineState::Refuses
                );
                if bad {
                    self.troubles.insert(engine, state);
                }
                if !findings.is_empty()
                    && let Some(record) = self.list.iter_mut().find(|r| r.id == engine)
                {
                    record.findings = findings;
                }
                Vec::new()
            }
            SlotNews::Idle => {
                if !self.searches.values().any(|slot| *slot == id) {
                    self.dismiss(id);
                }
                Vec::new()
            }
            SlotNews::Gone => {
                self.slots.remove(&id);
                let orphans = self.searches.iter().filter(|(_, slot)| **slot == id);
                let orphans: Vec<SearchId> = orphans.map(|(search, _)| *search).collect();
                self.searches.retain(|_, slot| *slot != id);
                orphans
            }
        }
    }

    /// Takes an engine into the list.
    pub(crate) fn add(&mut self, mut record: EngineRecord) -> Result<EngineId, String> {
        if self.list.len() >= MOST_ENGINES {
            return Err(format!(
                "there are {MOST_ENGINES} engines; remove one first"
            ));
        }
        record.id = self.next_engine;
        self.next_engine += 1;
        let id = record.id;
        self.list.push(record);
        Ok(id)
    }

    /// What an engine says of itself, found out again.
    pub(crate) fn learnt(&mut self, record: EngineRecord) {
        if let Some(known) = self.list.iter_mut().find(|known| known.id == record.id) {
            known.identity = record.identity;
            known.author = record.author;
            known.about = record.about;
            known.options = record.options;
            known.findings = record.findings;
            known.unregistered = record.unregistered;
        }
    }

    /// Changes an engine or its place. The answer is the engine to look at.
    pub(crate) fn change(
        &mut self,
        id: EngineId,
        change: &EngineChange,
    ) -> Result<(EngineId, Changed), String> {
        if *change == EngineChange::Restore {
            let (place, record) = self
                .removed
                .remove(&id)
                .ok_or("it is not among those removed")?;
            self.list.insert(place.min(self.list.len()), record);
            return Ok((id, Changed::List));
        }
        let place = self.list.iter().position(|record| record.id == id);
        let place = place.ok_or("there is no such engine any more")?;
        match change {
            EngineChange::Duplicate => {
                let mut copy = self.list[place].clone();
                let number = |n: &usize| {
                    let name = format!("{} {n}", copy.shown_name());
                    !self.list.iter().any(|record| record.shown_name() == name)
                };
                let n = (2..=MOST_ENGINES + 2).find(number).unwrap_or(2);
                copy.name = Some(format!("{} {n}", copy.shown_name()));
                let id = self.add(copy)?;
                if let Some(copy) = self.list.pop() {
                    self.list.insert(place + 1, copy);
                }
                return Ok((id, Changed::List));
            }
            EngineChange::Remove => {
                self.quit(id);
                let record = self.list.remove(place);
                self.removed.insert(id, (place, record));
            }
            EngineChange::Place { index } => {
                let record = self.list.remove(place);
                self.list
                    .insert((*index as usize).min(self.list.len()), record);
            }
            EngineChange::Press { name } => {
                self.list[place].option(name)?;
                if !self.slots.values().any(|slot| slot.engine == id) {
                    return Err(
                        "the engine does not run now, so nothing would hear the button; \
                                let it analyse, then press"
                            .into(),
                    );
                }
                self.tell_all(id, name, None);
                return Ok((id, Changed::Nothing));
            }
            change => {
                self.list[place].change(change)?;
                match change {
                    EngineChange::Option { name, .. } => {
                        let value = self.value(place, name);
                        self.tell_all(id, name, value.as_deref());
                    }
                    EngineChange::Name { .. } => {}
                    // Only a fresh start does these.
                    _ => self.quit(id),
                }
            }
        }
        Ok((id, Changed::List))
    }

    /// The value of an option that is set, or its default.
    fn value(&self, place: usize, name: &str) -> Option<String> {
        use quadrille_desk::wire::OptionKindView as Kind;
        let record = &self.list[place];
        let set = record.set.iter().find(|(known, _)| known == name);
        if let Some((_, value)) = set {
            return Some(value.clone());
        }
        match &record.option(name).ok()?.kind {
            Kind::Check { default } => Some(default.to_string()),
            Kind::Spin { default, .. } => Some(default.to_string()),
            Kind::Combo { default, .. } | Kind::Text { default, .. } => Some(default.clone()),
            Kind::Button => None,
        }
    }

    fn tell_all(&self, engine: EngineId, name: &str, value: Option<&str>) {
        for (id, slot) in &self.slots {
            if slot.engine == engine {
                self.tell(*id, Order::Option(name.into(), value.map(Into::into)));
            }
        }
    }
}
