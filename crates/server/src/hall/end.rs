//! How a game comes to its end, and who is told.

use std::sync::Arc;
use std::time::Duration;

use quadrille_games::Side;
use quadrille_games::records::GameResult;
use quadrille_match::referee::{Ending, Fault, Spent};
use quadrille_match::stats::Effort;
use quadrille_match::store::GameEnd;

use super::effect::{Keep, Origin, RatingRow};
use super::play::LATE;
use super::table::{PlayerId, Stage, Table};
use super::{Hall, Timer, seconds};
use crate::message::{List, Tell, ToClient};

/// How long a game that is over waits for a rematch.
const REMATCH: Duration = Duration::from_mins(5);

/// How often a flag is looked at while a move that came in time waits its turn.
const WAITS: Duration = Duration::from_millis(20);

impl Hall {
    pub(super) fn ready_due(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get(&game) else {
            return;
        };
        match table.stage {
            Stage::Starting => {}
            Stage::Resting if table.called.is_some_and(|at| at <= now) => {
                return self.run_clock(game, now);
            }
            _ => return,
        }
        let late = |side: &Side| {
            let known = self.players.get(&table.players[side.index()]);
            !known.is_some_and(|p| (p.ready || p.late.is_some()) && p.conn.is_some())
        };
        let late: Vec<Side> = Side::BOTH.into_iter().filter(late).collect();
        if late.is_empty() {
            // One still owes an answer, and is waited for a little more.
            return self.wake(now + LATE, Timer::Ready(game));
        }
        let ending = match (table.origin, &late[..]) {
            // It would be dealt again and again.
            (Origin::Tournament { .. }, [side]) => {
                Ending::by_fault(*side, Fault::Stall("readyok".into()))
            }
            _ => Ending::aborted(),
        };
        self.finish(game, &ending, now);
    }

    pub(super) fn flag_due(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        table.looked = None;
        if table.stage != Stage::Playing {
            return;
        }
        let side = table.turn_of();
        let (mover, flag) = (table.players[side.index()], table.flag());
        if flag.is_some_and(|flag| self.has_moved(mover, flag)) {
            return self.watch_flag(game, now + WAITS);
        }
        let Some(table) = self.tables.get(&game) else {
            return;
        };
        let elapsed = now.saturating_sub(table.turn);
        match table.clocks[side.index()].judge(elapsed) {
            Spent::Over(over) => {
                self.finish(game, &Ending::by_fault(side, Fault::Time(over)), now);
            }
            // It has moved since, or it is the last instant: the flag falls with the
            // next one.
            _ => self.watch_flag(game, now + Duration::from_millis(1)),
        }
    }

    /// Looks at the flag of the one to move when it would fall, not before a moment.
    /// A game that is looked at earlier anyway needs no other timer.
    pub(super) fn watch_flag(&mut self, game: u64, not_before: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let Some(at) = table.flag().map(|at| at.max(not_before)) else {
            return;
        };
        if table.looked.is_none_or(|known| at < known) {
            table.looked = Some(at);
            self.wake(at, Timer::Flag(game));
        }
    }

    pub(super) fn grace_due(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get(&game) else {
            return;
        };
        if !table.running() {
            return;
        }
        let due = |side: &Side| table.away[side.index()].is_some_and(|until| until <= now);
        let first = Side::BOTH.into_iter().filter(due);
        let first = first.min_by_key(|side| table.away[side.index()]);
        let Some(side) = first else {
            return;
        };
        let both = table.away[0].is_some() && table.away[0] == table.away[1];
        let ending = if both {
            // After a restart: neither came back.
            Ending::unterminated()
        } else {
            let detail = "the connection was lost for too long".into();
            Ending::by_fault(side, Fault::Disconnect(detail))
        };
        self.finish(game, &ending, now);
    }

    /// The game is over. It is told when it is written down.
    pub(super) fn finish(&mut self, game: u64, ending: &Ending, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        if !table.running() {
            return;
        }
        let mover = table.players[table.line.side().index()];
        let asked = std::mem::take(&mut table.asked);
        table.offers.clear();
        if table.stage == Stage::Playing {
            table.stopped = now.saturating_sub(table.turn);
        }
        table.stage = Stage::Ending(ending.clone());
        if asked {
            self.stop(mover);
        }
        let Some(table) = self.tables.get(&game) else {
            return;
        };
        let effort = |side: usize| {
            let moves = (table.plies() as u64 + 1 - side as u64) / 2;
            Effort {
                moves,
                timed: moves,
                time: table.elapsed[side],
                ..Effort::default()
            }
        };
        let duration = now.saturating_sub(table.begun);
        let end = GameEnd {
            ending: ending.clone(),
            ended: String::new(),
            duration_us: u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
            sides: [effort(0), effort(1)],
            findings: Vec::new(),
            played_at: None,
        };
        let ratings = self.new_ratings(game, ending.result);
        self.keep(Keep::End(game, Box::new(end), ratings));
    }

    /// The move of a player is no longer wanted.
    pub(super) fn stop(&mut self, player: PlayerId) {
        if let Some(known) = self.players.get_mut(&player)
            && known.conn.is_some()
        {
            known.owed += u32::from(!known.about.is_person());
            self.to(player, &ToClient::Stop);
        }
    }

    fn new_ratings(&self, game: u64, result: GameResult) -> Vec<RatingRow> {
        let Some(table) = self.tables.get(&game) else {
            return Vec::new();
        };
        let score = match result {
            GameResult::WhiteWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::BlackWins => 0.0,
            GameResult::Open => return Vec::new(),
        };
        if !table.rated {
            return Vec::new();
        }
        let kind = table.line.game();
        let old = [0, 1].map(|i: usize| self.rating(&table.names[i], kind));
        let row = |i: usize, score: f64| RatingRow {
            name: table.names[i].folded(),
            game: kind,
            glicko: old[i].after(&[(old[1 - i], score)]),
        };
        vec![row(0, score), row(1, 1.0 - score)]
    }

    /// The end is written down: everybody may know.
    pub(super) fn announce(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let Stage::Ending(ending) = std::mem::replace(&mut table.stage, Stage::Over) else {
            return;
        };
        let (players, names, origin) = (table.players, table.names.clone(), table.origin);
        let words = ending.to_string();
        self.log(
            "end",
            None,
            Some(game),
            format!(
                "{} - {} {}, {words}",
                names[0],
                names[1],
                ending.result.word()
            ),
        );
        self.show_all(game, now);
        let note = format!(
            "game {game}: {} - {} {}, {words}",
            names[0],
            names[1],
            ending.result.word()
        );
        let end = Tell::End {
            id: game,
            result: ending.result,
            reason: words,
        };
        self.tell_end(game, &end, &note);
        self.apply_ratings(game, ending.result);
        for player in players {
            if let Some(known) = self.players.get_mut(&player) {
                (known.game, known.last) = (None, Some(game));
            }
            self.wait_again(player, now);
        }
        self.wake(now + REMATCH, Timer::Forget(game));
        match origin {
            Origin::Lobby => {}
            Origin::Arranged { id } => self.arranged_over(id, &ending, now),
            Origin::Tournament { id, number } => {
                self.tournament_game_over(id, number, ending.result, now);
            }
        }
        for player in players {
            self.wake_tournaments(player, now);
            self.forget_player(player);
        }
    }

    /// One who is paired automatically is paired again.
    fn wait_again(&mut self, player: PlayerId, now: Duration) {
        if self.settings.auto.is_none() {
            return;
        }
        let at = now + seconds(self.settings.pause);
        if let Some(known) = self.players.get_mut(&player)
            && known.about.is_person()
            && !known.about.lobby
            && known.arranged.is_none()
        {
            known.waiting = Some(at);
        }
        // An engine that is free may be wanted at once.
        self.wake(now, Timer::Auto);
    }

    fn tell_end(&mut self, game: u64, end: &Tell, note: &str) {
        let mut seats = self.at_table(game);
        seats.sort_unstable();
        seats.dedup();
        let told = seats.clone();
        let news = end.clone();
        let end: Arc<str> = ToClient::Lobby(end.clone()).to_string().into();
        let note: Arc<str> = ToClient::Note(note.into()).to_string().into();
        for conn in seats {
            let Some(client) = self.clients.get(&conn) else {
                continue;
            };
            let line = if client.about.lobby { &end } else { &note };
            self.post(conn, Arc::clone(line));
        }
        self.tell_followers(List::Games, &news, told);
    }

    fn apply_ratings(&mut self, game: u64, result: GameResult) {
        for row in self.new_ratings(game, result) {
            let old = self.set_rating(&row);
            let Some(table) = self.tables.get(&game) else {
                return;
            };
            let name = table.names.iter().find(|name| name.folded() == row.name);
            let Some(name) = name.cloned() else {
                continue;
            };
            let tell = Tell::Rating {
                game: row.game,
                name,
                old: old.shown(),
                new: row.glicko.shown(),
            };
            self.tell_table(game, &tell, None);
        }
    }

    pub(super) fn forget_table(&mut self, game: u64) {
        let over = |t: &Table| t.stage == Stage::Over;
        if !self.tables.get(&game).is_some_and(over) {
            return;
        }
        if let Some(table) = self.tables.remove(&game) {
            for conn in table.watchers {
                if let Some(client) = self.clients.get_mut(&conn) {
                    client.watching = None;
                }
            }
            for player in table.players {
                if let Some(known) = self.players.get_mut(&player)
                    && known.last == Some(game)
                {
                    known.last = None;
                }
            }
        }
    }
}
