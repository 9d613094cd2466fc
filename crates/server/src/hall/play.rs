//! A game from its start to its result.

use std::sync::Arc;
use std::time::Duration;

use quadrille_driver::EngineScore;
use quadrille_games::{Game, MoveErrorKind, Side};
use quadrille_match::referee::{Adjudicated, Ending, Fault, Ply, Spent};
use quadrille_net::sanitize::cut;
use quadrille_protocol::{Dialect, Report, ScoreValue};

use super::effect::{ConnId, Keep, StoredGame};
use super::table::{PlayerId, Setup, Stage, Table};
use super::work::{SENDING, effort};
use super::{ClientStage, Hall, Timer, seconds};
use crate::message::{GoLimits, List, Offer, Tell, ToClient, You};

/// A game that is longer than this is a draw.
const MOST_PLIES: usize = 4000;
/// The longest `info` line that spectators see.
const THOUGHT: usize = 400;
/// How long the answer to a search of the last game is waited for when the next is
/// ready to begin.
pub(super) const LATE: Duration = Duration::from_secs(1);
/// How often spectators hear what a player thinks.
const THOUGHTS: Duration = Duration::from_millis(250);
impl Hall {
    /// Begins a game. Both players are here and free.
    pub(super) fn start(&mut self, setup: Setup, now: Duration) -> u64 {
        let id = self.next_game;
        self.next_game += 1;
        let margin = self.settings.margin();
        let table = Table::new(id, setup, margin, now);
        let players = table.players;
        if let Some(stored) = self.stored(&table) {
            self.keep(Keep::Start(Box::new(stored)));
        }
        let detail = format!(
            "{} - {}, {} {}",
            table.names[0],
            table.names[1],
            table.line.game(),
            table.time
        );
        self.tables.insert(id, table);
        self.log("game", None, Some(id), detail);
        for player in players {
            self.drop_seeks(player);
            if let Some(conn) = self.conn_of(player) {
                self.unwatch(conn);
            }
            if let Some(known) = self.players.get_mut(&player) {
                (known.game, known.last, known.waiting) = (Some(id), None, None);
            }
        }
        for player in players {
            self.tell_start(id, player, now);
        }
        self.wake(now + seconds(self.settings.ready), Timer::Ready(id));
        self.follow_newest(id, now);
        if let Some(view) = self.game_view(id) {
            self.tell_followers(List::Games, &Tell::Game(view), Vec::new());
        }
        id
    }

    /// What must be known to go on with a game after a restart.
    fn stored(&self, table: &Table) -> Option<StoredGame> {
        let player = |side: usize| {
            let known = self.players.get(&table.players[side])?;
            Some(known.stored(table.levels[side]))
        };
        Some(StoredGame {
            number: table.id,
            game: table.line.game(),
            rules: table.line.rules_text(),
            start: table.line.start_text(),
            time: table.time.to_string(),
            rated: table.rated,
            players: [player(0)?, player(1)?],
            origin: table.origin,
            plies: Vec::new(),
        })
    }

    /// Says to a player which game it is in, that it is another one, and only then how it
    /// stands.
    pub(super) fn tell_start(&mut self, game: u64, player: PlayerId, now: Duration) {
        let Some(side) = self.tables.get(&game).and_then(|t| t.side_of(player)) else {
            return;
        };
        let you = match side {
            Side::White => You::White,
            Side::Black => You::Black,
        };
        if let Some(view) = self.start_view(game, you) {
            self.tell(player, Tell::Start(view));
        }
        self.prepare(player, game);
        self.show(game, player, now);
    }

    /// The position, to one who can do something with it while it is not to move: a
    /// person, or a program that knows the lobby. That also gets the clock, which ULCI
    /// has no line for.
    fn show(&mut self, game: u64, player: PlayerId, now: Duration) {
        let shown = |p: &super::Player| p.about.is_person() || p.about.lobby;
        if !self.players.get(&player).is_some_and(shown) {
            return;
        }
        let conn = self.conn_of(player);
        let (Some(table), Some(conn)) = (self.tables.get_mut(&game), conn) else {
            return;
        };
        let (position, clocks) = (table.position(), table.shown(now));
        self.post(conn, position);
        if self.players.get(&player).is_some_and(|p| p.about.lobby) {
            self.send(conn, &ToClient::Clock(clocks));
        }
    }

    /// Another game: `ucinewgame`, `isready`, and `go` only after `readyok`.
    fn prepare(&mut self, player: PlayerId, game: u64) {
        let level = self.tables.get(&game).and_then(|table| {
            let side = table.side_of(player)?;
            table.levels[side.index()]
        });
        if let Some(known) = self.players.get_mut(&player) {
            (known.ready, known.late) = (false, None);
            let strength = known.about.strength(level);
            known.nodes = strength.nodes;
            let engine = !known.about.is_person();
            for (name, value) in strength.options.into_iter().filter(|_| engine) {
                let value = Some(value);
                self.to(player, &ToClient::SetOption { name, value });
            }
        }
        let castles = |table: &Table| {
            table.line.game() == Game::Chess && table.line.rules_text() == "chess960"
        };
        let castles = self.tables.get(&game).is_some_and(castles);
        if let Some(known) = self.players.get_mut(&player)
            && !known.about.is_person()
            && (castles || known.chess960)
        {
            known.chess960 = castles;
            let (name, value) = ("UCI_Chess960".into(), Some(castles.to_string()));
            self.to(player, &ToClient::SetOption { name, value });
        }
        self.to(player, &ToClient::NewGame);
        self.to(player, &ToClient::IsReady);
    }

    /// `readyok` came.
    pub(super) fn ready(&mut self, player: PlayerId, now: Duration) {
        let Some(known) = self.players.get_mut(&player) else {
            return;
        };
        // It may still owe the answer to a search of its last game that was stopped,
        // which must not be taken for a move of this one.
        if !known.ready && known.owed > 0 && known.game.is_some() {
            if known.late.is_none() {
                known.late = Some(now + LATE);
                self.wake(now + LATE, Timer::Late(player));
            }
            return;
        }
        self.now_ready(player, now);
    }

    fn now_ready(&mut self, player: PlayerId, now: Duration) {
        let Some(known) = self.players.get_mut(&player) else {
            return;
        };
        (known.ready, known.late) = (true, None);
        if let Some(game) = known.game {
            self.prompt(game, now);
        }
    }

    /// An answer that was waited for: it does not come any more.
    pub(super) fn late_due(&mut self, player: PlayerId, now: Duration) {
        if let Some(known) = self.players.get_mut(&player)
            && known.late.is_some_and(|at| at <= now)
        {
            known.owed = 0;
            self.now_ready(player, now);
        }
    }

    /// Starts the clock when both are ready, and asks the one to move.
    pub(super) fn prompt(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let ready = |player: PlayerId| {
            let known = self.players.get(&player);
            known.is_some_and(|p| p.ready && p.conn.is_some())
        };
        let mover = table.players[table.line.side().index()];
        match table.stage {
            Stage::Starting if table.players.into_iter().all(ready) => {}
            Stage::Resting | Stage::Playing if ready(mover) => {}
            _ => return,
        }
        if table.stage != Stage::Playing {
            self.run_clock(game, now);
        }
        self.ask_mover(game, now);
    }

    /// The clock of the one to move runs from now on.
    pub(super) fn run_clock(&mut self, game: u64, now: Duration) {
        if let Some(table) = self.tables.get_mut(&game) {
            (table.stage, table.turn) = (Stage::Playing, now);
            self.watch_flag(game, now);
        }
    }

    /// Sends `position` and `go` to the one to move, once a turn.
    fn ask_mover(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let mover = table.players[table.line.side().index()];
        let known = self.players.get(&mover);
        let Some(known) = known.filter(|p| p.ready && p.conn.is_some()) else {
            return;
        };
        if table.asked || table.stage != Stage::Playing {
            return;
        }
        table.asked = true;
        let (position, clocks) = (table.position(), table.shown(now));
        let (nodes, conn) = (known.nodes, known.conn);
        if let Some(conn) = conn {
            self.post(conn, position);
            let limits = GoLimits::default();
            let go = ToClient::Go {
                clocks,
                nodes,
                limits,
            };
            self.send(conn, &go);
        }
    }

    /// `bestmove` came at one moment and is looked at now.
    pub(super) fn best_move(&mut self, player: PlayerId, text: &str, at: Duration, now: Duration) {
        let Some(known) = self.players.get_mut(&player) else {
            return;
        };
        let (person, game) = (known.about.is_person(), known.game);
        // An engine owes an answer to every `go`, also to those that were stopped.
        if !person && known.owed > 0 {
            known.owed -= 1;
            if known.owed == 0 && known.late.is_some() {
                self.now_ready(player, now);
            }
            return;
        }
        let turn = game.and_then(|game| {
            let table = self.tables.get(&game)?;
            let side = table.side_of(player)?;
            let asked = table.stage == Stage::Playing && table.asked;
            (asked && table.turn_of() == side).then_some((game, side))
        });
        let Some((game, side)) = turn else {
            let line = ToClient::ClientError("it is not your move".into());
            return self.to(player, &line);
        };
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        // It has answered: nothing is to be stopped.
        table.asked = false;
        let elapsed = at.saturating_sub(table.turn);
        if let Spent::Over(over) = table.clocks[side.index()].judge(elapsed) {
            return self.finish(game, &Ending::by_fault(side, Fault::Time(over)), now);
        }
        self.spent += effort(&table.line);
        let read = table.line.parse_move(text).or_else(|error| {
            // People may write moves as they read them.
            let read = table.line.parse_notation(text);
            if person {
                // What cannot be read as a move of engines was meant for people.
                let syntax = matches!(error.kind, MoveErrorKind::Syntax { .. });
                read.map_err(|other| if syntax { other } else { error })
            } else {
                Err(error)
            }
        });
        match read {
            Ok(m) => {
                let names = (table.line.text_of(m), table.line.notation_of(m));
                let (Ok(text), Ok(notation)) = names else {
                    return;
                };
                if table.line.push(m).is_ok() {
                    self.played(game, side, text, notation, elapsed, now);
                }
            }
            Err(_) if !person => {
                let text = cut(text, 40).into_owned();
                self.finish(game, &Ending::by_fault(side, Fault::IllegalMove(text)), now);
            }
            Err(error) => {
                let words = match error.kind {
                    MoveErrorKind::Syntax { .. } => {
                        let text = cut(text, 40);
                        format!("{text} is no legal move here: your clock runs")
                    }
                    _ => format!("{error}: your clock runs"),
                };
                self.to(player, &ToClient::ClientError(words));
                self.illegal_again(player, game, at);
                self.ask_mover(game, now);
            }
        }
    }

    /// A legal move is on the board.
    fn played(
        &mut self,
        game: u64,
        side: Side,
        text: String,
        notation: String,
        elapsed: Duration,
        now: Duration,
    ) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        // As much as is written down: a clock is the same after a restart.
        let elapsed = Duration::from_micros(u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX));
        table.made(&text, side, elapsed);
        // The other side has known nothing before now.
        table.turn = now;
        table.illegal = 0;
        self.spent += effort(&table.line);
        self.moved = true;
        let clock = table.clocks[side.index()].left().unwrap_or_default();
        let ply = Ply {
            text,
            notation,
            elapsed,
            charged: elapsed,
            clock_us: i64::try_from(clock.as_micros()).ok(),
            ..std::mem::take(&mut table.thought)
        };
        let number = table.plies();
        // Who moves does not take the other's offer; one's own draw offer stands.
        let gone: Vec<Offer> = (table.offers.iter())
            .filter(|(offer, by)| *by != side || *offer == Offer::Takeback)
            .map(|(offer, _)| *offer)
            .collect();
        (table.offers).retain(|(offer, by)| *by == side && *offer != Offer::Takeback);
        let outcome = table.line.outcome_with_claims();
        self.keep(Keep::Ply(game, number, Box::new(ply)));
        for offer in gone {
            self.tell_table(game, &Tell::OfferGone { id: game, offer }, None);
        }
        if let Some(outcome) = outcome {
            self.finish(game, &Ending::by_rules(outcome), now);
        } else if number >= MOST_PLIES {
            let ending = Ending::adjudicated(None, Adjudicated::MaxMoves);
            self.finish(game, &ending, now);
        } else {
            self.watch_flag(game, now);
            self.show_all(game, now);
            self.ask_mover(game, now);
        }
    }

    /// Position and clock to all who are not to move.
    pub(super) fn show_all(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let mover = table.running().then(|| table.turn_of());
        let position = table.position();
        let clock: Arc<str> = ToClient::Clock(table.shown(now)).to_string().into();
        let watchers: Vec<ConnId> = table.watchers.iter().copied().collect();
        let players = table.players;
        for side in Side::BOTH {
            if mover != Some(side) {
                self.show(game, players[side.index()], now);
            }
        }
        for conn in watchers {
            self.post(conn, position.clone());
            if self.shows_clocks(conn) {
                self.post(conn, clock.clone());
            }
        }
    }

    /// Whether a spectator is told the clocks: one who knows the lobby, or another client
    /// of ULCI. The reference's server tells those that watch, and its client shows it.
    pub(super) fn shows_clocks(&self, conn: ConnId) -> bool {
        let client = self.clients.get(&conn);
        client.is_some_and(|client| client.about.lobby || client.about.version > 0)
    }

    /// What the one to move thinks: kept for the record, told to spectators.
    pub(super) fn thought(&mut self, player: PlayerId, text: &str, now: Duration) {
        let Some(game) = self.players.get(&player).and_then(|p| p.game) else {
            return;
        };
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        if table.side_of(player) != Some(table.turn_of()) || !table.asked {
            return;
        }
        // Strings are for people, and might be a way to talk where talk is off.
        let text = text.split(" string ").next().unwrap_or_default();
        let line = format!("info {text}");
        let Report::Info(info) = Report::parse(line.as_bytes(), Dialect::Ulci).message else {
            return;
        };
        if info.get_pv().is_none() || info.get_string().is_some() || info.get_error().is_some() {
            return;
        }
        if info.get_multipv().unwrap_or(1) == 1 {
            let score = info.get_score().and_then(|score| match score.value()? {
                ScoreValue::Mate(n) => Some(EngineScore::Mate(n)),
                _ => score.to_cp(Dialect::Ulci).map(EngineScore::Cp),
            });
            let pv: Vec<String> = (info.get_pv().into_iter().flatten())
                .take(40)
                .map(|m| cut(&m.to_string(), 12).into_owned())
                .collect();
            table.thought = Ply {
                score,
                depth: info.get_depth(),
                seldepth: info.get_seldepth(),
                nodes: info.get_nodes(),
                nps: info.get_nps(),
                tbhits: info.get_tbhits(),
                told: info.get_time().map(|t| Duration::from_micros(t.micros())),
                pv: Some(pv.join(" ")),
                ..Ply::default()
            };
        }
        if table.thought_told.is_some_and(|told| now < told + THOUGHTS) {
            return;
        }
        table.thought_told = Some(now);
        let thought = ToClient::Thought(cut(text, THOUGHT).into_owned()).to_string();
        let thought: Arc<str> = thought.into();
        for conn in table.watchers.iter().copied().collect::<Vec<_>>() {
            self.post(conn, thought.clone());
        }
    }

    /// The connections of players and spectators.
    pub(super) fn at_table(&self, game: u64) -> Vec<ConnId> {
        let Some(table) = self.tables.get(&game) else {
            return Vec::new();
        };
        let players = table.players.into_iter().filter_map(|p| self.conn_of(p));
        players.chain(table.watchers.iter().copied()).collect()
    }

    /// A `lobby` line to all at a table who know such lines.
    pub(super) fn tell_table(&mut self, game: u64, tell: &Tell, but: Option<PlayerId>) {
        let line: Arc<str> = ToClient::Lobby(tell.clone()).to_string().into();
        for conn in self.at_table(game) {
            let Some(client) = self.clients.get(&conn) else {
                continue;
            };
            let own = matches!(client.stage, ClientStage::In(player) if Some(player) == but);
            if client.about.lobby && !own {
                self.spent += SENDING;
                self.post(conn, Arc::clone(&line));
            }
        }
    }
}
