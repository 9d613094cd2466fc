//! Games: begun, acted on, ended.

use quadrille_games::Side;

use crate::desk::{Desk, Kept};
use crate::effect::{Effect, PageId};
use crate::refuse::Answered;
use crate::table::{MOST_PLIES, Table, Viewer};
use crate::wire::{
    Answer, EngineId, NewTable, Refusal, RefusalCode, Seat, StudyStart, TableAction, TableEnd,
    TableId, TableInfo, TableStatus, TableView, Topic,
};

/// Games that are kept; of more, the oldest finished ones are forgotten.
const MOST_TABLES: usize = 10_000;
/// Games that are being played at once.
const MOST_RUNNING: usize = 200;

impl Desk {
    pub(crate) fn look_table(&self, id: TableId, ply: u32) -> Answered {
        let table = self.table(id)?;
        Ok(Answer::Board(table.board_at(ply as usize)))
    }

    pub(crate) fn study_table(&mut self, id: TableId) -> Answered {
        let record = self.table(id).map(Table::record)?;
        self.put_study(record, "").map(Answer::Study)
    }

    pub(crate) fn table(&self, id: TableId) -> Result<&Table, Refusal> {
        let table = self.tables.get(&id);
        table.ok_or_else(|| Refusal::gone("game", id))
    }

    pub(crate) fn table_mut(&mut self, id: TableId) -> Result<&mut Table, Refusal> {
        let table = self.tables.get_mut(&id);
        table.ok_or_else(|| Refusal::gone("game", id))
    }

    fn viewer(&self, page: PageId) -> Viewer<'_> {
        Viewer {
            owner: self.is_owner(page),
            token: self.token(page),
        }
    }

    /// Games, those that were changed last first.
    pub(crate) fn table_list(&self) -> Vec<TableInfo> {
        let mut list: Vec<TableInfo> = self.tables.values().map(Table::info).collect();
        list.sort_by(|a, b| b.changed.total_cmp(&a.changed).then(b.id.cmp(&a.id)));
        list.truncate(500);
        list
    }

    pub(crate) fn table_view(&self, page: PageId, id: TableId) -> Option<TableView> {
        let table = self.tables.get(&id)?;
        Some(table.view(self.viewer(page)))
    }

    pub(crate) fn table_status(&self, id: TableId) -> Option<TableStatus> {
        let table = self.tables.get(&id)?;
        Some(table.status(self.guests_present(table), self.now))
    }

    /// On which sides a guest is here, with a page that is open.
    fn guests_present(&self, table: &Table) -> [bool; 2] {
        Side::BOTH.map(|side| {
            let token = table.tokens[side.index()].as_deref();
            token.is_some() && self.pages.keys().any(|&other| self.token(other) == token)
        })
    }

    /// Whether a game waits for the guest who was sent a link: it begins when they are
    /// here, and goes on without them.
    fn awaits_guest(&self, table: &Table) -> bool {
        let present = self.guests_present(table);
        let missing = |side: Side| table.is_guest(side) && !present[side.index()];
        table.plies.is_empty() && Side::BOTH.into_iter().any(missing)
    }

    /// A game has changed: its board or its players.
    pub(crate) fn touch_table(&mut self, id: TableId) {
        self.touch_status(id);
        self.changed(Topic::Table(id));
        self.changed(Topic::Tables);
    }

    /// Its clocks or offers have changed, and nothing else.
    pub(crate) fn touch_status(&mut self, id: TableId) {
        self.note_down(Kept::Table(id));
        self.show_status(id);
    }

    /// The same where nothing is to be kept.
    pub(crate) fn show_status(&mut self, id: TableId) {
        self.changed(Topic::Clock(id));
    }

    /// The guest of a page came or went.
    pub(crate) fn guests_changed(&mut self, page: PageId) {
        let Some(token) = self.token(page).map(String::from) else {
            return;
        };
        let tables = self.tables.values().filter(|table| table.has_token(&token));
        let tables: Vec<TableId> = tables.map(|table| table.id).collect();
        for id in tables {
            self.show_status(id);
        }
    }

    fn room_for_a_game(&self) -> Result<(), Refusal> {
        let running = self.tables.values().filter(|table| table.end.is_none());
        if running.count() < MOST_RUNNING {
            return Ok(());
        }
        let words = format!("{MOST_RUNNING} games are being played: end some");
        Err(Refusal::too_much(words))
    }

    /// Whether a board is one of a guest's game, now or before.
    pub(crate) fn is_guests_board(
        &self,
        page: PageId,
        start: &StudyStart,
        moves: &[String],
    ) -> bool {
        let Some(token) = self.token(page) else {
            return false;
        };
        let mut tables = self.tables.values().filter(|table| table.has_token(token));
        tables.any(|table| {
            let played = table.plies.iter().map(|ply| &ply.text);
            table.new.start == *start
                && moves.len() <= table.plies.len()
                && moves.iter().eq(played.take(moves.len()))
        })
    }

    pub(crate) fn new_table(&mut self, new: NewTable) -> Result<TableId, Refusal> {
        self.room_for_a_game()?;
        let game = new.start.game;
        for seat in [&new.seats.0, &new.seats.1] {
            if let Seat::Engine { engine, .. } = seat {
                self.playing_engine(*engine, game)?;
            }
        }
        let id = self.next.table.saturating_add(1);
        let mut table = Table::new(id, new, self.now)?;
        for side in Side::BOTH {
            if table.is_guest(side) {
                let token = (self.setup.secret)();
                let refused = || Refusal::new(RefusalCode::Absent, "no guest can come here");
                table.tokens[side.index()] = Some(token.ok_or_else(refused)?);
            }
        }
        self.put_table(table);
        Ok(id)
    }

    fn playing_engine(&self, id: EngineId, game: quadrille_games::Game) -> Result<&str, Refusal> {
        let engine = self.crew.engines.iter().find(|engine| engine.id == id);
        match engine {
            Some(engine) if engine.games.contains(&game) => Ok(&engine.name),
            Some(engine) => Err(crate::analysis::no_engine(format!(
                "{} does not play this game",
                engine.name
            ))),
            None => Err(Refusal::gone("engine", id)),
        }
    }

    /// Puts a table in its place and lets the first turn begin.
    fn put_table(&mut self, mut table: Table) {
        let id = table.id;
        self.next.table = self.next.table.max(id);
        for side in Side::BOTH {
            if let Some(engine) = table.engine(side) {
                let name = self.playing_engine(engine, table.line.game());
                table.names[side.index()] = name.map(String::from).unwrap_or_default();
                self.out.push(Effect::NewGame { engine });
            }
        }
        self.tables.insert(id, table);
        self.note_down(Kept::Numbers);
        self.forget_old_tables();
        self.touch_table(id);
        self.begin_turn(id);
    }

    fn forget_old_tables(&mut self) {
        while self.tables.len() > MOST_TABLES {
            let finished = self.tables.values().filter(|table| table.end.is_some());
            let oldest = finished.min_by(|a, b| a.changed.total_cmp(&b.changed));
            let Some(id) = oldest.map(|table| table.id) else {
                return;
            };
            self.tables.remove(&id);
            self.touch_table(id);
        }
    }

    /// A player does something.
    pub(crate) fn act(&mut self, page: PageId, id: TableId, action: TableAction) -> Answered {
        self.table(id)?;
        // The clock of a game that rests since a restart begins with whoever comes.
        self.looked_at(id);
        let table = self.table(id)?;
        let viewer = self.viewer(page);
        let owner = viewer.owner;
        let mine = Side::BOTH.map(|side| viewer.plays(table, side));
        let over = table.end.is_some();
        match action {
            TableAction::Rematch => {
                if !over {
                    return Err(Refusal::turn("this game is not over yet"));
                }
                return self.rematch(id, owner, mine[0] || mine[1]);
            }
            TableAction::Name { name } => return self.name_guest(id, mine, &name),
            _ if over => return Err(Refusal::turn("this game is over")),
            TableAction::Move { text, ply } => self.act_move(id, mine, &text, ply)?,
            TableAction::TakeBack => self.act_take_back(id, mine)?,
            TableAction::AcceptTakeBack => self.answer_take_back(id, mine, true)?,
            TableAction::DeclineTakeBack => self.answer_take_back(id, mine, false)?,
            TableAction::Resign { side } => {
                seated(mine, side)?;
                self.finish(id, TableEnd::Resigned { loser: side });
            }
            TableAction::OfferDraw { side } => self.offer_draw(id, mine, side)?,
            TableAction::AcceptDraw => self.answer_draw(id, mine, true)?,
            TableAction::DeclineDraw => self.answer_draw(id, mine, false)?,
            TableAction::ClaimDraw => self.claim_draw(id, mine)?,
            TableAction::Hint => self.act_hint(id, mine)?,
            TableAction::Pause | TableAction::Resume | TableAction::Abort if !owner => {
                return Err(Refusal::forbidden("only the host of the game may do that"));
            }
            TableAction::Pause => self.pause(id)?,
            TableAction::Resume => self.resume(id)?,
            TableAction::Abort => self.finish(id, TableEnd::Aborted),
        }
        Ok(Answer::Done)
    }

    fn act_move(
        &mut self,
        id: TableId,
        mine: [bool; 2],
        text: &str,
        ply: u32,
    ) -> Result<(), Refusal> {
        let now = self.now;
        let awaits_guest = self.awaits_guest(self.table(id)?);
        let table = self.table_mut(id)?;
        let side = table.line.side();
        if ply as usize != table.plies.len() {
            return Err(Refusal::turn("another move has been made meanwhile"));
        }
        if !mine[side.index()] {
            return Err(Refusal::turn("it is not your turn"));
        }
        if awaits_guest {
            let words = "the game begins when the other player has opened the link";
            return Err(Refusal::turn(words));
        }
        if table.paused.is_some() {
            return Err(Refusal::turn("the game is paused"));
        }
        let spent = table.spent(now);
        if table.is_late(spent) {
            self.flag_falls(id);
            return Err(Refusal::turn("your time is over"));
        }
        let table = self.table_mut(id)?;
        table.play(text, spent, now)?;
        self.turn_made(id);
        Ok(())
    }

    /// After a move: the game is over, or the next turn begins.
    pub(crate) fn turn_made(&mut self, id: TableId) {
        self.end_hint(id);
        let Ok(table) = self.table(id) else { return };
        let outcome = table.line.outcome();
        // Engines make no claims, so between them every claim counts as made.
        let engines = Side::BOTH.into_iter().all(|side| table.is_engine(side));
        let claimed = table.line.claimable().filter(|_| engines);
        if let Some(outcome) = outcome.or(claimed) {
            self.finish(id, TableEnd::Rules { outcome });
        } else if table.plies.len() >= MOST_PLIES {
            self.finish(id, TableEnd::Aborted);
        } else {
            self.touch_table(id);
            self.begin_turn(id);
        }
    }

    /// The game is over.
    pub(crate) fn finish(&mut self, id: TableId, end: TableEnd) {
        self.stop_engine(id);
        self.end_hint(id);
        let now = self.now;
        let Ok(table) = self.table_mut(id) else {
            return;
        };
        if table.end.is_some() {
            return;
        }
        if table.is_charged()
            && let TableEnd::Time { loser, .. } = &end
            && let Some(left) = &mut table.left
        {
            left[loser.index()] = 0.0;
        }
        table.end = Some(end);
        table.draw_offer = None;
        table.takeback = None;
        table.hint = None;
        table.resting = false;
        table.changed = now;
        if !table.plies.is_empty() {
            let record = table.record();
            let text = record.to_pgn();
            self.out.push(Effect::Finished {
                table: id,
                record: text,
            });
            self.add_played(record);
        }
        self.touch_table(id);
    }

    fn rematch(&mut self, id: TableId, owner: bool, player: bool) -> Answered {
        if !owner && !player {
            return Err(Refusal::forbidden("only a player may ask for another game"));
        }
        let table = self.table(id)?;
        if let Some(next) = table.next {
            return Ok(Answer::Table(next));
        }
        // Else a guest could fill the list of games by giving up and asking again.
        if !owner && table.plies.len() < 2 {
            let words = "only the host of the game may begin another before a move was made";
            return Err(Refusal::forbidden(words));
        }
        self.room_for_a_game()?;
        let new = NewTable {
            start: table.new.start.clone(),
            seats: (table.new.seats.1.clone(), table.new.seats.0.clone()),
            time: table.new.time,
        };
        let [white, black] = table.tokens.clone();
        let next = self.next.table.saturating_add(1);
        let mut other = Table::new(next, new, self.now)?;
        other.tokens = [black, white];
        self.put_table(other);
        if let Ok(table) = self.table_mut(id) {
            table.next = Some(next);
        }
        self.touch_table(id);
        Ok(Answer::Table(next))
    }

    fn name_guest(&mut self, id: TableId, mine: [bool; 2], name: &str) -> Answered {
        let side = Side::BOTH.into_iter().find(|side| mine[side.index()]);
        let side = side.ok_or_else(|| Refusal::forbidden("you do not sit at this table"))?;
        self.table_mut(id)?.set_name(side, name);
        self.touch_table(id);
        Ok(Answer::Done)
    }

    /// The newest table where this token is that of a guest's seat; `None` for a
    /// token of no seat.
    pub fn guest_table(&self, token: &str) -> Option<TableId> {
        let mut tables = self.tables.values().rev();
        let table = tables.find(|table| table.has_token(token));
        table.map(|table| table.id)
    }
}

/// An error unless this side is one's own.
pub(crate) fn seated(mine: [bool; 2], side: Side) -> Result<(), Refusal> {
    if mine[side.index()] {
        return Ok(());
    }
    Err(Refusal::forbidden("you do not play this side"))
}
