//! A budget of work: what a line costs, and when a client has to wait.
//!
//! The hall is one task, so what one client makes it do all others wait for. Two
//! things bound that. No single line may cost more than a step of about two
//! milliseconds: [`check_board`] refuses boards on which a rule of the game would.
//! And what an address costs in sum is paid from a budget that fills steadily
//! ([`Settings::work`](super::Settings::work)); while it is overdrawn, lines of its
//! clients that ask for much wait, and those that the same client says after them.
//! Others of that address may come in and play on ordinary boards meanwhile.
//!
//! Who waits for others does not pay for it on a clock: a move that waits because its
//! address has overdrawn the budget counts as of the moment at which it came. Who waits
//! for itself does, or a person could hold up a game for nothing: after illegal moves,
//! and behind whatever else a client has asked for, a line counts as of the moment from
//! which it could be looked at.

use std::time::Duration;

use quadrille_games::liberty::Kind;
use quadrille_games::{AnyLine, Game, Position, Side};

use super::effect::ConnId;
use super::lobby::Seek;
use super::table::PlayerId;
use super::{ClientStage, Hall, Timer};
use crate::message::{Ask, Offer, ToServer, Wish};

/// The most that one look at a board may cost: [`effort`].
const MOST_EFFORT: u64 = 2_600_000;
/// The work of a board of chess, and of the other boards of fixed size.
const SMALL: u64 = 4_000;
/// A line that costs no more than this does not wait for the budget.
const LIGHT: u64 = 100_000;
/// The work of one line of a list or a broadcast: making and sending it.
pub(super) const SENDING: u64 = 500;
/// Lines of one client that wait, and their bytes; who sends more is cut off.
const WAITING: usize = 64;
const WAITING_BYTES: usize = 64 << 10;
/// Illegal moves of a person in one turn that are answered at once, and the pause
/// after each one that follows.
const MISTAKES: u32 = 2;
const PAUSE: Duration = Duration::from_millis(250);
/// How much longer than others the client waits that overdrew the budget.
const TURN: Duration = Duration::from_millis(1);

/// What it costs at most to list the moves of a position, in squares looked at: each
/// square lies on sixteen lines that pieces ride along, with several Kings each move
/// is tried against the lines of all checks, and Kings look along all lines from each
/// square they may go to.
pub(super) fn effort(line: &AnyLine) -> u64 {
    let AnyLine::Liberty(line) = line else {
        return SMALL;
    };
    let position = line.position();
    let (width, height) = position.size();
    let squares = u64::from(width) * u64::from(height);
    let kings = Side::BOTH.map(|side| u64::from(position.count(side, Kind::King)));
    let kings = kings[0].max(kings[1]);
    let tries = if kings > 1 { 3 } else { 1 };
    let pieces = squares - position.empty_squares() as u64;
    16 * squares * tries + 128 * pieces + 128 * kings * u64::from(width.max(height))
}

/// Refuses a board that has too many squares for the one who asks, before it is set
/// up, which costs as much as the board is large.
pub(super) fn check_size(game: Game, position: &str, most: usize) -> Result<(), String> {
    let squares = match game {
        Game::Liberty => squares_of(position),
        _ => 0,
    };
    if squares <= most {
        return Ok(());
    }
    Err(format!(
        "a board of {squares} squares is too large: you may have up to {most}"
    ))
}

/// The squares of a board by its text: its ranks, as long as the first one. The
/// reader of positions refuses all others. Names of positions have no ranks.
fn squares_of(position: &str) -> usize {
    let board = position.split_ascii_whitespace().next().unwrap_or_default();
    let Some((first, rest)) = board.split_once('/') else {
        return 0;
    };
    let (mut width, mut run) = (0_usize, 0_usize);
    for c in first.chars() {
        match c.to_digit(10) {
            Some(digit) => run = run.saturating_mul(10).saturating_add(digit as usize),
            None => width = width.saturating_add(std::mem::take(&mut run) + 1),
        }
    }
    let height = 2 + rest.bytes().filter(|byte| *byte == b'/').count();
    width.saturating_add(run).saturating_mul(height)
}

/// Refuses a board on which a single step would take too long.
pub(super) fn check_board(line: &AnyLine) -> Result<(), String> {
    if effort(line) <= MOST_EFFORT {
        return Ok(());
    }
    Err("that board has too many pieces, or too many Kings, for its size".into())
}

impl Hall {
    /// What a line will cost about, as far as that is known before.
    fn weight(&self, conn: ConnId, said: &ToServer) -> u64 {
        let by_text = |wish: &Wish| {
            let position = wish.fen.as_deref().filter(|_| wish.game == Game::Liberty);
            position.map_or(0, |fen| 32 * squares_of(fen) as u64)
        };
        let by_seek = |seek: Option<&Seek>| seek.map_or(0, |seek| by_text(&seek.wish));
        match said {
            ToServer::BestMove(_) => {
                let stage = self.clients.get(&conn).map(|client| client.stage);
                let Some(ClientStage::In(player)) = stage else {
                    return 0;
                };
                let game = self.players.get(&player).and_then(|known| known.game);
                let table = game.and_then(|game| self.tables.get(&game));
                table.map_or(0, |table| effort(&table.line))
            }
            ToServer::Lobby(
                Ask::Seek(wish) | Ask::Challenge { wish, .. } | Ask::Play { wish, .. },
            ) => by_text(wish),
            ToServer::Lobby(Ask::Accept(id)) => by_seek(self.seeks.get(id)),
            ToServer::Lobby(Ask::Join(word)) => {
                let id = self.private_seek(word.as_str());
                by_seek(id.and_then(|id| self.seeks.get(&id)))
            }
            ToServer::Lobby(Ask::List(_) | Ask::Offer(Offer::Rematch, _)) => LIGHT + 1,
            _ => 0,
        }
    }

    /// Whether a line of a client has to wait now; then it is looked at again when it
    /// need not any more.
    pub(super) fn must_wait(&mut self, conn: ConnId, said: &ToServer, now: Duration) -> bool {
        let Some(client) = self.clients.get(&conn) else {
            return false;
        };
        if client.stage == ClientStage::Checking || client.held {
            return true;
        }
        let (paused, own) = (client.paused, client.counts_from);
        let paused = paused.max(own).saturating_sub(now);
        let address = client.address.filter(|_| self.weight(conn, said) > LIGHT);
        let debt = match address {
            Some(address) => self.work.of(address, now).debt(now),
            None => Duration::ZERO,
        };
        let wait = debt.max(paused);
        if wait.is_zero() {
            return false;
        }
        if let Some(client) = self.clients.get_mut(&conn) {
            client.held = true;
        }
        self.wake(now + wait, Timer::Resume(conn));
        true
    }

    /// Keeps a line for later.
    pub(super) fn put_off(&mut self, conn: ConnId, text: &str, at: Duration, now: Duration) {
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        let bytes: usize = client.pending.iter().map(|(text, _)| text.len()).sum();
        if client.pending.len() >= WAITING || bytes + text.len() > WAITING_BYTES {
            return self.cut_off(conn, "too many lines at once", now);
        }
        client.pending.push_back((text.into(), at));
    }

    /// Carries out the lines that waited, as far as the budget allows now.
    pub(super) fn resume(&mut self, conn: ConnId, now: Duration) {
        if let Some(client) = self.clients.get_mut(&conn) {
            client.held = false;
        }
        while let Some(client) = self.clients.get(&conn)
            && let Some((text, at)) = client.pending.front()
        {
            let (said, at) = (ToServer::parse(text), *at);
            if self.must_wait(conn, &said, now) {
                return;
            }
            self.obey_first(conn, said, at, now);
        }
    }

    /// Whether what comes behind a line of this client waits for it on its own time.
    fn asks_for_much(&self, conn: ConnId, said: &ToServer) -> bool {
        !matches!(said, ToServer::BestMove(_)) && self.weight(conn, said) > LIGHT
    }

    /// Carries out the first of the lines that waited.
    fn obey_first(&mut self, conn: ConnId, said: ToServer, at: Duration, now: Duration) {
        let at = self.counted(conn, at);
        let much = self.asks_for_much(conn, &said);
        if let Some(client) = self.clients.get_mut(&conn) {
            client.pending.pop_front();
            if much {
                client.counts_from = client.counts_from.max(now);
            }
        }
        self.obey(conn, said, at, now);
    }

    /// Carries out a move that only waited for the budget of its address, when its
    /// connection ends: it came in time, and would be lost.
    pub(super) fn carry_out_move(&mut self, conn: ConnId, now: Duration) {
        if self.next_move(conn).is_none_or(|at| at > now) {
            return;
        }
        // What is before it asks for little.
        while let Some(client) = self.clients.get(&conn)
            && let Some((text, at)) = client.pending.front()
        {
            let (said, at) = (ToServer::parse(text), *at);
            let is_move = matches!(said, ToServer::BestMove(_));
            self.obey_first(conn, said, at, now);
            if is_move {
                return;
            }
        }
    }

    /// When the next move counts as having come that waits to be looked at, if nothing
    /// before it asks for much.
    fn next_move(&self, conn: ConnId) -> Option<Duration> {
        let client = self.clients.get(&conn)?;
        if !matches!(client.stage, ClientStage::In(_)) {
            return None;
        }
        for (text, at) in &client.pending {
            let said = ToServer::parse(text);
            if matches!(said, ToServer::BestMove(_)) {
                return Some((*at).max(client.counts_from));
            }
            if self.asks_for_much(conn, &said) {
                return None;
            }
        }
        None
    }

    /// When a line counts as having come that came at a moment.
    pub(super) fn counted(&self, conn: ConnId, at: Duration) -> Duration {
        let client = self.clients.get(&conn);
        client.map_or(at, |client| at.max(client.counts_from))
    }

    /// Charges the address of a client with what was done for it. A client that
    /// overdraws it waits a little longer than others of the address, who are then
    /// served first. Legal moves are what it is here for; for all else it waits on its
    /// own time, as long as its own part of the debt lasts.
    pub(super) fn charge(&mut self, conn: ConnId, now: Duration) {
        let spent = std::mem::take(&mut self.spent);
        let moved = std::mem::take(&mut self.moved);
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        let Some(address) = client.address.filter(|_| spent > 0) else {
            return;
        };
        let meter = self.work.of(address, now);
        meter.spend(spent, now);
        let debt = meter.debt(now);
        if debt.is_zero() {
            return;
        }
        client.paused = client.paused.max(now + debt + TURN);
        if !moved {
            let rate = u64::from(self.settings.work.per_second.max(1));
            let own = Duration::from_micros(spent.saturating_mul(1_000_000) / rate);
            let until = (client.counts_from.max(now) + own).min(now + debt);
            client.counts_from = client.counts_from.max(until);
        }
    }

    /// A person's move was illegal, as of a moment. One who tries many in one turn has to
    /// wait between them, with the clock running.
    pub(super) fn illegal_again(&mut self, player: PlayerId, game: u64, at: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        table.illegal += 1;
        let many = table.illegal > MISTAKES;
        if let Some(conn) = self.conn_of(player).filter(|_| many)
            && let Some(client) = self.clients.get_mut(&conn)
        {
            client.counts_from = client.counts_from.max(at + PAUSE);
        }
    }

    /// Whether a move of this player that counts as of a moment or before is the next
    /// that is looked at.
    pub(super) fn has_moved(&self, player: PlayerId, before: Duration) -> bool {
        let conn = self.conn_of(player);
        let at = conn.and_then(|conn| self.next_move(conn));
        at.is_some_and(|at| at <= before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_counted_in_the_text() {
        for (text, squares) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", 64),
            ("256/k255 w - - 0 1", 512),
            ("k1K10/13", 26),
            ("Mini chess", 0),
            ("99999999999999999999999999/8", usize::MAX),
        ] {
            assert_eq!(squares_of(text), squares, "{text}");
        }
        assert!(check_size(Game::Gyges, "256/256", 64).is_ok());
        let why = check_size(Game::Liberty, "256/256", 64).expect_err("too many");
        assert!(
            why.contains("512 squares") && why.contains("up to 64"),
            "{why}"
        );
    }

    /// All boards that have a name can be played.
    #[test]
    fn boards_with_a_name_are_never_too_much() {
        for rules in ["", "ff"] {
            for (name, text) in AnyLine::presets(Game::Liberty, rules).expect("presets") {
                let line = AnyLine::new(Game::Liberty, rules, &text).expect(name);
                assert!(check_board(&line).is_ok(), "{name}");
                assert!(check_size(Game::Liberty, &text, 1024).is_ok(), "{name}");
            }
        }
    }
}
