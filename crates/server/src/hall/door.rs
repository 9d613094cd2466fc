//! The handshake, names, accounts, leaving and coming back.

use std::collections::VecDeque;
use std::time::Duration;

use quadrille_net::sanitize::cut;

use super::about::About;
use super::effect::{Address, ConnId, Effect, Origin};
use super::table::{PlayerId, Stage};
use super::{Client, ClientStage, Hall, Player, Timer, seconds};
use crate::message::{Name, StartView, Tell, ToClient, ToServer, Welcome, You};
use crate::meter::Meter;

/// One place of so many is kept for addresses that owners of accounts have come from.
const KEPT: usize = 8;

impl Hall {
    /// A connection was opened.
    pub fn connect(&mut self, conn: ConnId, address: Address, now: Duration) {
        if let Some(why) = self.no_room(address, now) {
            let line = ToClient::ServerError(why.clone()).to_string();
            self.effects.push(Effect::Send(conn, line.into()));
            self.effects.push(Effect::Close(conn));
            self.log("refused", Some(conn), None, why);
            return;
        }
        let client = Client {
            address,
            about: About::default(),
            stage: ClientStage::Greeting,
            lines: Meter::new(self.settings.lines),
            infos: Meter::new(self.settings.infos),
            watching: None,
            pending: VecDeque::new(),
            held: false,
            paused: Duration::ZERO,
            counts_from: Duration::ZERO,
            registering: None,
        };
        self.clients.insert(conn, client);
        if let Some(address) = address {
            self.addresses.entry(address).or_default().insert(conn);
        }
        self.wake(
            now + seconds(self.settings.handshake),
            Timer::Handshake(conn),
        );
        self.send(conn, &ToClient::Uci);
    }

    /// Why nobody more is let in from there.
    fn no_room(&mut self, address: Address, now: Duration) -> Option<String> {
        // Strangers must not keep everybody out.
        let all = self.settings.connections;
        let known = address.is_none_or(|address| self.known.contains(&address));
        let room = if known { all } else { all - all / KEPT };
        if self.clients.len() >= room {
            return Some("the server is full: try again later".into());
        }
        let address = address?;
        if let Some(why) = self.bans.get(&address.to_string()) {
            return Some(format!("this address is banned: {why}"));
        }
        if !self.connects.of(address, now).take(now) {
            return Some("too many connections in a short time: wait a little".into());
        }
        let same = || {
            let conns = self.addresses.get(&address).into_iter().flatten();
            conns.filter_map(|conn| self.clients.get(conn))
        };
        if same().count() >= self.settings.per_address {
            return Some("too many connections from this address".into());
        }
        let greeting = same().filter(|c| c.stage != ClientStage::Greeting).count();
        (same().count() - greeting >= self.settings.handshakes)
            .then(|| "too many unfinished handshakes from this address".into())
    }

    pub(super) fn handshake_due(&mut self, conn: ConnId) {
        let greeting = |c: &Client| c.stage == ClientStage::Greeting;
        if self.clients.get(&conn).is_some_and(greeting) {
            let why = "no uciok in time";
            self.send(conn, &ToClient::ClientError(why.into()));
            self.drop_client(conn, why);
        }
    }

    pub(super) fn greeting(&mut self, conn: ConnId, said: ToServer, now: Duration) {
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        match said {
            ToServer::Id(id) => client.about.hear(id),
            ToServer::Option(line) => client.about.option(&line),
            ToServer::UciOk => self.enter(conn, now),
            ToServer::Lobby(_) | ToServer::Wrong(_) => {
                self.refuse(conn, "say id ... and uciok first");
            }
            // A regular engine may greet with a banner; the seed wants it ignored.
            _ => {}
        }
    }

    /// The client has said who it is.
    fn enter(&mut self, conn: ConnId, now: Duration) {
        let Some(client) = self.clients.get(&conn) else {
            return;
        };
        let (about, address) = (client.about.clone(), client.address);
        if about.username.is_some() && self.seat_arranged(conn, &about, now) {
            return;
        }
        let name = about.account.as_ref().or(about.username.as_ref()).cloned();
        if let (Some(token), Some(name)) = (&about.token, &name) {
            let folded = name.to_ascii_lowercase();
            if self.is_token_of(&folded, token) {
                return self.log_in(conn, &folded, now);
            }
        }
        if let (Some(password), Some(name)) = (&about.password, &name) {
            return self.check(conn, name, password, address, now);
        }
        if let Some(token) = &about.token
            && let Some(player) = self.by_token(token)
        {
            return self.come_back(player, conn, now);
        }
        let (name, reserved) = match &about.username {
            Some(username) => match Name::made_of(username) {
                Some(name) if self.accounts.contains_key(&name.folded()) => (name, true),
                Some(name) => (name, false),
                None => {
                    let why = "a username has letters, digits, _, . or -";
                    return self.turn_away(conn, why);
                }
            },
            None => {
                let name = Name::made_of(&about.program);
                (name.unwrap_or_else(|| guest("engine")), false)
            }
        };
        if reserved {
            let why = format!("{name} is an account: send id password before uciok");
            return self.turn_away(conn, &why);
        }
        if self.turn_banned(conn, &name.folded()) {
            return;
        }
        // A client that knows no tokens is known by what it says and its address.
        if let Some(player) = self.absent_like(&about, &name, address) {
            return self.come_back(player, conn, now);
        }
        let word = about.username.clone().filter(|_| !about.lobby);
        let invited = word.and_then(|word| self.private_seek(&word));
        let name = match invited {
            // The word is a secret, so it is no name.
            Some(_) => self.free_name(&guest("guest")),
            None => self.free_name(&name),
        };
        let player = self.admit(conn, name, false, now);
        match invited {
            Some(seek) => self.accept(conn, player, seek, now),
            None => self.settle(conn, player, now),
        }
    }

    /// Turns a client away that would come in under a name that is banned.
    pub(super) fn turn_banned(&mut self, conn: ConnId, folded: &str) -> bool {
        let Some(why) = self.bans.get(folded) else {
            return false;
        };
        let why = format!("{folded} is banned: {why}");
        self.turn_away(conn, &why);
        true
    }

    /// A known player is back, unless it was banned meanwhile.
    pub(super) fn come_back(&mut self, player: PlayerId, conn: ConnId, now: Duration) {
        let name = self.players.get(&player).map(|p| p.name.folded());
        if name.is_some_and(|folded| !self.turn_banned(conn, &folded)) {
            self.take_over(player, conn, now);
        }
    }

    /// One who lost its connection and would say the same about itself.
    fn absent_like(&self, about: &About, name: &Name, address: Address) -> Option<PlayerId> {
        let same = |p: &Player| {
            let known = &p.about;
            let named = p.name == *name
                || known.username == about.username && known.program == about.program;
            let kind = known.is_person() == about.is_person();
            let absent = p.conn.is_none() && !p.account && !known.lobby;
            absent && kind && named && p.address == address
        };
        let mut players = self.players.iter();
        players.find(|(_, player)| same(player)).map(|(id, _)| *id)
    }

    /// A name that is free, like the wanted one.
    pub(super) fn free_name(&self, wanted: &Name) -> Name {
        let taken = |name: &Name| {
            let folded = name.folded();
            self.names.contains_key(&folded)
                || self.accounts.contains_key(&folded)
                || self.bans.contains_key(&folded)
        };
        if !taken(wanted) {
            return wanted.clone();
        }
        let tries = (2_u64..).filter_map(|n| {
            let end = format!("-{n}");
            let short = cut_name(wanted.as_str(), end.len());
            format!("{short}{end}").parse::<Name>().ok()
        });
        // There are fewer players than numbers.
        let mut tries = tries.filter(|name| !taken(name));
        tries.next().unwrap_or_else(|| wanted.clone())
    }

    /// Makes a player of a client.
    pub(super) fn admit(
        &mut self,
        conn: ConnId,
        name: Name,
        account: bool,
        now: Duration,
    ) -> PlayerId {
        let player = PlayerId(self.fresh());
        let token = self.token(account.then_some(&name));
        self.names.insert(name.folded(), player);
        let client = self.clients.get_mut(&conn);
        let (about, address) = match client {
            Some(client) => {
                client.stage = ClientStage::In(player);
                // It is not needed any more, and must not be kept.
                client.about.password = None;
                (client.about.clone(), client.address)
            }
            None => (About::default(), None),
        };
        let kind = if about.is_person() {
            "person"
        } else {
            "engine"
        };
        let detail = format!("{name} ({kind}, {})", cut(&about.program, 40));
        let waits = about.is_person() && !about.lobby;
        self.players.insert(
            player,
            Player {
                name,
                account,
                about,
                token,
                address,
                conn: Some(conn),
                game: None,
                last: None,
                ready: false,
                owed: 0,
                late: None,
                nodes: None,
                chess960: false,
                arranged: None,
                waiting: waits.then_some(now),
            },
        );
        self.log("in", Some(conn), None, detail);
        self.welcome(conn, player);
        player
    }

    pub(super) fn welcome(&mut self, conn: ConnId, player: PlayerId) {
        let Some(known) = self.players.get(&player) else {
            return;
        };
        if !known.about.lobby {
            return;
        }
        let welcome = Welcome {
            name: known.name.clone(),
            account: known.account,
            token: known.token.clone(),
            chat: self.settings.chat,
            register: self.settings.register && !known.account,
            games: self.settings.games.clone(),
            program: self.program.clone(),
        };
        self.send(conn, &ToClient::Lobby(Tell::Welcome(welcome)));
    }

    /// What happens to one who has just come in and has no seat.
    pub(super) fn settle(&mut self, conn: ConnId, player: PlayerId, now: Duration) {
        let Some(known) = self.players.get(&player) else {
            return;
        };
        if known.about.is_person() && !known.about.lobby {
            // The reference: "all others are spectators (may join late and get the
            // latest position)".
            self.watch_newest(conn, now);
        }
        if self.settings.auto.is_some() {
            self.wake(now, Timer::Auto);
        }
        self.wake_tournaments(player, now);
    }

    /// A known player comes back on this connection. An older one of its own is
    /// closed: it may be dead without our knowing.
    pub(super) fn take_over(&mut self, player: PlayerId, conn: ConnId, now: Duration) {
        if let Some(old) = self.conn_of(player) {
            self.carry_out_move(old, now);
        }
        let Some(known) = self.players.get_mut(&player) else {
            return;
        };
        let old = known.conn.take();
        let name = known.name.clone();
        if let Some(old) = old {
            self.send(old, &ToClient::Note("you came in from elsewhere".into()));
            self.drop_client(old, "its player came in from elsewhere");
        }
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        client.stage = ClientStage::In(player);
        client.about.password = None;
        let (about, address) = (client.about.clone(), client.address);
        let Some(known) = self.players.get_mut(&player) else {
            return;
        };
        // A token alone does not say whether a person or an engine is back; an
        // account that came in with its password has said it.
        let unsaid = about.username.is_none() && about.account.is_none();
        let username = known.about.username.take().filter(|_| unsaid);
        known.about = about;
        known.about.username = known.about.username.take().or(username);
        (known.conn, known.address) = (Some(conn), address);
        (known.ready, known.owed, known.late) = (false, 0, None);
        let game = known.game;
        self.log("back", Some(conn), game, name.to_string());
        self.renew_token(player);
        self.welcome(conn, player);
        match game {
            Some(game) => {
                self.back_at_table(player, game, now);
                self.wake_tournaments(player, now);
            }
            None => self.settle(conn, player, now),
        }
    }

    /// A player is at its board again.
    fn back_at_table(&mut self, player: PlayerId, game: u64, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let Some(side) = table.side_of(player) else {
            return;
        };
        table.away[side.index()] = None;
        let mut called = None;
        if table.turn_of() == side {
            table.asked = false;
            // After a restart its clock stands until it is ready, but not for ever,
            // however often it comes back.
            if table.stage == Stage::Resting && table.called.is_none() {
                called = Some(now + seconds(self.settings.ready));
                table.called = called;
            }
        }
        let name = table.names[side.index()].clone();
        if let Some(at) = called {
            self.wake(at, Timer::Ready(game));
        }
        let Some(table) = self.tables.get(&game) else {
            return;
        };
        // It may have another program now, which cannot play this.
        let known = self.players.get(&player);
        if !known.is_some_and(|p| p.about.can_play(&table.line)) {
            self.to(
                player,
                &ToClient::ClientError("this program cannot play the game you are in".into()),
            );
        }
        self.tell_start(game, player, now);
        let back = Tell::Away {
            id: game,
            name,
            grace: None,
        };
        self.tell_table(game, &back, Some(player));
    }

    pub(super) fn start_view(&self, game: u64, you: You) -> Option<StartView> {
        let table = self.tables.get(&game)?;
        let kind = table.line.game();
        let names = table.names.clone();
        Some(StartView {
            id: game,
            ratings: [0, 1].map(|i| self.rating(&names[i], kind).shown()),
            players: names,
            game: kind,
            rules: table.line.rules_text(),
            time: table.time,
            rated: table.rated,
            you,
        })
    }

    pub(super) fn turn_away(&mut self, conn: ConnId, why: &str) {
        self.send(conn, &ToClient::ClientError(why.into()));
        self.drop_client(conn, why);
    }

    pub(super) fn cut_off(&mut self, conn: ConnId, why: &str, now: Duration) {
        self.send(conn, &ToClient::ClientError(why.into()));
        self.leave(conn, why, now);
    }

    /// The client is to go, by its own wish or ours.
    pub(super) fn leave(&mut self, conn: ConnId, why: &str, now: Duration) {
        self.effects.push(Effect::Close(conn));
        self.gone(conn, why, now);
    }

    /// Forgets a connection that has no player.
    fn drop_client(&mut self, conn: ConnId, why: &str) {
        self.log("out", Some(conn), None, why.into());
        self.effects.push(Effect::Close(conn));
        self.unwatch(conn);
        self.forget_client(conn);
    }

    pub(super) fn gone(&mut self, conn: ConnId, why: &str, now: Duration) {
        self.carry_out_move(conn, now);
        let Some(client) = self.clients.get(&conn) else {
            return;
        };
        let stage = client.stage;
        self.log("out", Some(conn), None, why.into());
        self.unwatch(conn);
        self.forget_client(conn);
        let ClientStage::In(player) = stage else {
            return;
        };
        let Some(known) = self.players.get_mut(&player) else {
            return;
        };
        known.conn = None;
        self.drop_seeks(player);
        let Some(known) = self.players.get(&player) else {
            return;
        };
        let game = known.game;
        // Before it may be forgotten.
        self.wake_tournaments(player, now);
        match game {
            Some(game) => self.away(player, game, now),
            None => self.forget_player(player),
        }
    }

    /// A player in a game has lost its connection.
    fn away(&mut self, player: PlayerId, game: u64, now: Duration) {
        let until = now + seconds(self.settings.grace);
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let Some(side) = table.side_of(player) else {
            return;
        };
        match table.stage {
            // Those of a tournament are judged when they should have been ready.
            Stage::Starting if matches!(table.origin, Origin::Tournament { .. }) => {}
            Stage::Starting => self.finish(game, &quadrille_match::referee::Ending::aborted(), now),
            Stage::Resting | Stage::Playing => {
                table.away[side.index()] = Some(until);
                if table.turn_of() == side {
                    table.asked = false;
                }
                let away = Tell::Away {
                    id: game,
                    name: table.names[side.index()].clone(),
                    grace: Some(seconds(self.settings.grace)),
                };
                self.wake(until, Timer::Grace(game));
                self.tell_table(game, &away, Some(player));
            }
            Stage::Ending(_) | Stage::Over => {}
        }
    }

    /// Forgets a player who is not here and has no seat.
    pub(super) fn forget_player(&mut self, player: PlayerId) {
        // One who plays in a tournament keeps its name between the rounds.
        let gone = |p: &Player| {
            p.conn.is_none() && p.game.is_none() && !self.in_tournament(p.name.as_str())
        };
        if !self.players.get(&player).is_some_and(gone) {
            return;
        }
        if let Some(known) = self.players.remove(&player) {
            self.names.remove(&known.name.folded());
            if let Some(id) = known.arranged {
                self.unseat_arranged(id, player);
            }
        }
    }
}

/// A name of ours. All are plain, so that none is refused.
fn guest(word: &str) -> Name {
    Name::made_of(word).unwrap_or_else(|| guest("guest"))
}

/// A name with so many letters less than the longest.
fn cut_name(name: &str, less: usize) -> &str {
    let length = name.len().min(crate::message::NAME_LENGTH - less.min(10));
    name.get(..length).unwrap_or(name)
}
