//! Games, turn by turn: engines, clocks, offers.

use quadrille_games::Side;

use crate::boards::can_win;
use crate::desk::Desk;
use crate::effect::{Effect, Purpose, SearchId, SearchNews, SearchOrder, Thinking};
use crate::table::Table;
use crate::tables::seated;
use crate::wire::{
    Level, Refusal, RefusalCode, ScoreView, SearchLimits, Seat, TableEnd, TableId, TimeSetting,
};

/// How long a hint is thought about, in milliseconds.
const HINT_TIME: f64 = 1_500.0;
/// An engine that fails is asked once more.
const MOST_FAILURES: u8 = 1;
/// An engine takes a draw if it expects no more than this.
const DRAWISH: f64 = 0.5;

impl Desk {
    /// The side to move may think; an engine is told to.
    pub(crate) fn begin_turn(&mut self, id: TableId) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(&id) else {
            return;
        };
        if !table.is_running() || table.search.is_some() {
            return;
        }
        let side = table.line.side();
        let Seat::Engine { engine, level } = *table.seat(side) else {
            return;
        };
        table.turn_began = now;
        let Some(known) = self.crew.engines.iter().find(|known| known.id == engine) else {
            table.trouble[side.index()] = Some("there is no such engine any more".into());
            table.paused = Some(now);
            self.touch_table(id);
            return;
        };
        let renamed = table.names[side.index()].is_empty();
        if renamed {
            table.names[side.index()].clone_from(&known.name);
        }
        let purpose = Purpose::Game(id, side as u8);
        let search = self.begin_search(purpose);
        let Some(table) = self.tables.get_mut(&id) else {
            return;
        };
        table.search = Some(search);
        table.thinking = false;
        table.trouble[side.index()] = None;
        let time = match table.new.time {
            TimeSetting::Unlimited { engine } => movetime(engine),
            // A little less, so that the answer is there in time.
            TimeSetting::PerMove { each } => movetime((each - 150.0).max(each * 0.7)),
            TimeSetting::Clock { .. } => {
                let left = table.left.unwrap_or_default();
                Thinking::Clocks {
                    left: (left[0], left[1]),
                    increment: (table.increment(), table.increment()),
                    moves: table.moves_to_go(),
                }
            }
        };
        let order = SearchOrder {
            search,
            engine,
            purpose,
            line: table.line.clone(),
            time,
            lines: 1,
            only: Vec::new(),
            level,
        };
        self.out.push(Effect::Search(Box::new(order)));
        if renamed {
            self.touch_table(id);
        }
        self.show_status(id);
    }

    /// The engine to move need not go on.
    pub(crate) fn stop_engine(&mut self, id: TableId) {
        let search = self.tables.get_mut(&id).and_then(|table| {
            table.thinking = false;
            table.search.take()
        });
        if let Some(search) = search {
            self.end_search(search);
        }
    }

    pub(crate) fn game_heard(&mut self, id: TableId, search: SearchId, news: SearchNews) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(&id) else {
            return;
        };
        if table.search != Some(search) {
            return;
        }
        let side = table.line.side();
        match news {
            SearchNews::Begun => {
                if !table.thinking {
                    table.thinking = true;
                    self.show_status(id);
                }
            }
            SearchNews::Lines(thought) => {
                if let Some(line) = thought.lines.first() {
                    table.thought = Some(line.score);
                    table.scores[side.index()] = Some(line.score);
                }
            }
            SearchNews::Done { resigns: true, .. } => {
                table.search = None;
                self.finish(id, TableEnd::Resigned { loser: side });
            }
            SearchNews::Done { best, spent, .. } => {
                table.search = None;
                table.thinking = false;
                let spent = crate::limits::between(spent, 0.0, f64::MAX);
                if table.is_late(spent) {
                    self.flag_falls(id);
                    return;
                }
                let played = match &best {
                    Some(text) => table.play(text, spent, now).map_err(|why| why.words),
                    None => Err("the engine named no move".into()),
                };
                match played {
                    Ok(()) => self.turn_made(id),
                    Err(words) => self.finish(id, TableEnd::Engine { loser: side, words }),
                }
            }
            SearchNews::Failed { words } => {
                table.search = None;
                table.thinking = false;
                table.failures = table.failures.saturating_add(1);
                if table.failures <= MOST_FAILURES {
                    self.begin_turn(id);
                } else {
                    table.trouble[side.index()] = Some(words.clone());
                    self.finish(id, TableEnd::Engine { loser: side, words });
                }
            }
        }
    }

    // Time.

    /// When the next flag falls; never is infinity.
    pub(crate) fn next_flag(&self) -> f64 {
        let flags = self.tables.values().filter_map(Table::flag);
        flags.fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn look_at_clocks(&mut self) {
        let now = self.now;
        let late = self.tables.values();
        let late = late.filter(|table| table.flag().is_some_and(|flag| flag <= now));
        let late: Vec<TableId> = late.map(|table| table.id).collect();
        for id in late {
            let Some(table) = self.tables.get_mut(&id) else {
                continue;
            };
            match table.search {
                Some(search) if !table.stopped => {
                    table.stopped = true;
                    self.out.push(Effect::StopSearch { search });
                }
                _ => self.flag_falls(id),
            }
        }
    }

    /// The side to move has no time left.
    pub(crate) fn flag_falls(&mut self, id: TableId) {
        let Ok(table) = self.table(id) else { return };
        let loser = table.line.side();
        let draw = !can_win(&table.line, loser.other());
        self.finish(id, TableEnd::Time { loser, draw });
    }

    pub(crate) fn pause(&mut self, id: TableId) -> Result<(), Refusal> {
        let now = self.now;
        let table = self.table_mut(id)?;
        if table.has_guest() {
            return Err(Refusal::value("a game with a guest cannot be paused"));
        }
        if table.paused.is_none() {
            table.paused = Some(now);
            self.stop_engine(id);
            self.touch_status(id);
        }
        Ok(())
    }

    pub(crate) fn resume(&mut self, id: TableId) -> Result<(), Refusal> {
        let now = self.now;
        let table = self.table_mut(id)?;
        if let Some(since) = table.paused.take() {
            table.turn_began += (now - since).max(0.0);
            let troubled = std::mem::take(&mut table.trouble) != [None, None];
            if troubled {
                self.touch_table(id);
            }
            self.touch_status(id);
            self.begin_turn(id);
        }
        Ok(())
    }

    /// A page looks at a game: one that rests since a restart goes on.
    pub(crate) fn looked_at(&mut self, id: TableId) {
        let now = self.now;
        let Some(table) = self.tables.get_mut(&id) else {
            return;
        };
        if table.resting {
            table.resting = false;
            table.turn_began = now;
            table.paused = table.paused.map(|_| now);
            self.show_status(id);
            self.begin_turn(id);
        }
    }

    pub(crate) fn crew_changed(&mut self) {
        self.end_lost_analyses();
    }

    // Taking back.

    pub(crate) fn act_take_back(&mut self, id: TableId, mine: [bool; 2]) -> Result<(), Refusal> {
        let table = self.table(id)?;
        let last = table.line.side().other();
        // At one screen the move that was made last goes back.
        let side = match mine {
            [true, true] => last,
            [true, false] => Side::White,
            [false, true] => Side::Black,
            [false, false] => return Err(Refusal::forbidden("you do not play here")),
        };
        let plies = table.plies_back(side);
        let plies = plies.ok_or_else(|| Refusal::turn("there is no move to take back"))?;
        let other = side.other();
        if !table.is_engine(other) && !mine[other.index()] {
            // Another person has to agree.
            self.table_mut(id)?.takeback = Some(side);
            self.touch_status(id);
            return Ok(());
        }
        self.take_back(id, plies);
        Ok(())
    }

    pub(crate) fn answer_take_back(
        &mut self,
        id: TableId,
        mine: [bool; 2],
        agreed: bool,
    ) -> Result<(), Refusal> {
        let table = self.table_mut(id)?;
        let side = table.takeback;
        let side = side.ok_or_else(|| Refusal::turn("no take-back is asked for"))?;
        seated(mine, side.other())?;
        table.takeback = None;
        let plies = table.plies_back(side).filter(|_| agreed);
        match plies {
            Some(plies) => self.take_back(id, plies),
            None => self.touch_status(id),
        }
        Ok(())
    }

    fn take_back(&mut self, id: TableId, plies: usize) {
        self.stop_engine(id);
        self.end_hint(id);
        let now = self.now;
        if let Some(table) = self.tables.get_mut(&id) {
            table.take_back(plies, now);
            table.paused = table.paused.map(|_| now);
        }
        self.touch_table(id);
        self.begin_turn(id);
    }

    // Draws.

    pub(crate) fn offer_draw(
        &mut self,
        id: TableId,
        mine: [bool; 2],
        side: Side,
    ) -> Result<(), Refusal> {
        seated(mine, side)?;
        let table = self.table(id)?;
        let other = side.other();
        if table.draw_offer == Some(other) {
            self.finish(id, TableEnd::Agreed);
            return Ok(());
        }
        if !table.is_engine(other) {
            self.table_mut(id)?.draw_offer = Some(side);
            self.touch_status(id);
            return Ok(());
        }
        let score = table.scores[other.index()];
        if score.is_some_and(|score| expects(score, other) <= DRAWISH) {
            self.finish(id, TableEnd::Agreed);
            return Ok(());
        }
        Err(Refusal::new(
            RefusalCode::Declined,
            "the engine declines the draw",
        ))
    }

    pub(crate) fn answer_draw(
        &mut self,
        id: TableId,
        mine: [bool; 2],
        agreed: bool,
    ) -> Result<(), Refusal> {
        let table = self.table_mut(id)?;
        let side = table.draw_offer;
        let side = side.ok_or_else(|| Refusal::turn("no draw is offered"))?;
        seated(mine, side.other())?;
        if agreed {
            self.finish(id, TableEnd::Agreed);
        } else {
            table.draw_offer = None;
            self.touch_status(id);
        }
        Ok(())
    }

    pub(crate) fn claim_draw(&mut self, id: TableId, mine: [bool; 2]) -> Result<(), Refusal> {
        let table = self.table(id)?;
        seated(mine, table.line.side())?;
        let outcome = table.line.claimable();
        let outcome = outcome.ok_or_else(|| Refusal::turn("there is no draw to claim"))?;
        self.finish(id, TableEnd::Rules { outcome });
        Ok(())
    }

    // Hints.

    pub(crate) fn act_hint(&mut self, id: TableId, mine: [bool; 2]) -> Result<(), Refusal> {
        let table = self.table(id)?;
        seated(mine, table.line.side())?;
        if table.has_guest() {
            let words = "in a game with a guest there are no hints";
            return Err(Refusal::forbidden(words));
        }
        let game = table.line.game();
        let able = |engine: &&crate::wire::EngineView| engine.games.contains(&game);
        let engines = &self.crew.engines;
        let ours = engines.iter().filter(able).find(|engine| engine.builtin);
        let engine = ours.or_else(|| engines.iter().find(able));
        let engine = engine.map(|engine| engine.id);
        let engine =
            engine.ok_or_else(|| crate::analysis::no_engine("no engine plays this game"))?;
        self.end_hint(id);
        let purpose = Purpose::Hint(id);
        let search = self.begin_search(purpose);
        let table = self.table_mut(id)?;
        table.hint_search = Some(search);
        let order = SearchOrder {
            search,
            engine,
            purpose,
            line: table.line.clone(),
            time: movetime(HINT_TIME),
            lines: 1,
            only: Vec::new(),
            level: Level::Full,
        };
        self.out.push(Effect::Search(Box::new(order)));
        Ok(())
    }

    pub(crate) fn end_hint(&mut self, id: TableId) {
        let search = self
            .tables
            .get_mut(&id)
            .and_then(|table| table.hint_search.take());
        if let Some(search) = search {
            self.end_search(search);
        }
    }

    pub(crate) fn hint_heard(&mut self, id: TableId, search: SearchId, news: SearchNews) {
        let Some(table) = self.tables.get_mut(&id) else {
            return;
        };
        if table.hint_search != Some(search) {
            return;
        }
        let SearchNews::Done { best, .. } = news else {
            if matches!(news, SearchNews::Failed { .. }) {
                table.hint_search = None;
                self.show_status(id);
            }
            return;
        };
        table.hint_search = None;
        let found = best.and_then(|text| table.line.find(&text).ok());
        table.hint = found.map(|m| m.text);
        self.show_status(id);
    }
}

fn movetime(ms: f64) -> Thinking {
    Thinking::Limits(SearchLimits {
        movetime: Some(ms.round()),
        ..SearchLimits::default()
    })
}

/// What a side expects from a game: 0 to 1.
fn expects(score: ScoreView, side: Side) -> f64 {
    match side {
        Side::White => score.win,
        Side::Black => 1.0 - score.win,
    }
}
