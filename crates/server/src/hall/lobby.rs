//! Seeks, challenges, private games, the pool, lists, watching, talk.

use std::time::Duration;

use quadrille_games::{AnyLine, Game};

use quadrille_net::sanitize::cut;

use super::effect::{ConnId, Origin};
use super::table::{PlayerId, Setup};
use super::work::{check_board, check_size, effort};
use super::{Client, ClientStage, Hall, Player, Timer};
use crate::message::{Ask, Colour, List, Name, SeekView, Tell, ToClient, Wish, You};

/// The longest that is said at a board, in letters.
const SAID: usize = 200;
/// The longest wish of an open seek: a full list of them must fit into a client's
/// queue.
const OPEN: usize = 1500;
/// The longest that is said about a position that cannot be read.
const WRONG: usize = 300;
/// How long one who is paired automatically waits for a person before an engine.
const PATIENCE: Duration = Duration::from_secs(5);

/// A game that is looked for.
#[derive(Debug)]
pub(super) struct Seek {
    by: PlayerId,
    pub(super) wish: Wish,
    /// Only this one may take it.
    pub(super) to: Option<PlayerId>,
}

impl Hall {
    pub(super) fn ask(&mut self, conn: ConnId, player: PlayerId, ask: Ask, now: Duration) {
        match ask {
            Ask::Seek(wish) => self.seek(conn, player, wish, None),
            Ask::Challenge { name, wish } => self.challenge(conn, player, &name, wish),
            Ask::Play {
                level,
                engine,
                wish,
            } => self.play_pool(conn, player, level, engine.as_ref(), &wish, now),
            Ask::Unseek(id) => match self.seeks.get(&id).map(|seek| seek.by) {
                Some(by) if by == player => self.drop_seek(id),
                _ => self.refuse(conn, "there is no such seek of yours"),
            },
            // A private game is not found by its number: numbers can be guessed.
            Ask::Accept(id) if self.is_private(id) => {
                self.refuse(conn, "that game is no longer looked for");
            }
            Ask::Accept(id) => self.accept(conn, player, id, now),
            Ask::Decline(id) => self.decline(conn, player, id),
            Ask::Join(word) => match self.private_seek(word.as_str()) {
                Some(id) => self.accept(conn, player, id, now),
                None => self.refuse(conn, "no game waits for that word"),
            },
            Ask::Resign(id) => self.resign(conn, player, id, now),
            Ask::Abort(id) => self.abort(conn, player, id, now),
            Ask::Offer(offer, id) => self.offer(conn, player, offer, id, now),
            Ask::No(offer, id) => self.no(conn, player, offer, id),
            Ask::List(list) => self.list(conn, list),
            Ask::Watch(id) => self.watch(conn, player, id, now),
            Ask::Unwatch(_) => self.unwatch(conn),
            Ask::Register(password) => self.register(conn, player, password, now),
            Ask::Say(text) => self.say(conn, player, &text),
            Ask::Enter(id) => self.enter_tournament(conn, player, id, now),
            Ask::Leave(id) => self.leave_tournament(conn, player, id, now),
        }
    }

    /// Why a player cannot look for this game now, or the game.
    ///
    /// The line is not kept with a seek: a large board takes a megabyte, and a seek
    /// costs nothing.
    fn wished(&mut self, player: PlayerId, wish: &Wish) -> Result<AnyLine, String> {
        if self.draining {
            return Err("the server is about to be restarted: no new games".into());
        }
        let drawn = self.draw_start(wish);
        let known = self.players.get(&player).ok_or("you are not here")?;
        if known.game.is_some() || known.arranged.is_some() {
            return Err("finish the game you play first".into());
        }
        if !self.settings.games.contains(&wish.game) {
            return Err(format!("{} is not played here", wish.game));
        }
        if wish.rated && !known.account {
            return Err("rated games are for accounts".into());
        }
        if wish.rated && wish.fen.is_some() {
            return Err("rated games begin with a position that has a name".into());
        }
        let rules = wish.rules.as_deref().unwrap_or_default();
        if let Some(preset) = &wish.preset {
            check_preset(wish.game, rules, preset)?;
        }
        let position = wish
            .fen
            .as_ref()
            .or(drawn.as_ref())
            .or(wish.preset.as_ref());
        let position = position.map_or("startpos", String::as_str);
        let most = if known.account {
            self.settings.squares
        } else {
            self.settings.guest_squares
        };
        check_size(wish.game, position, most)?;
        let line = AnyLine::new(wish.game, rules, position)
            .map_err(|error| cut(&error.to_string(), WRONG).into_owned())?;
        // Setting it up costs about as much as looking at it.
        self.spent += 2 * effort(&line);
        check_board(&line)?;
        if line.outcome_with_claims().is_some() {
            return Err("the game would be over before it begins".into());
        }
        if !known.about.can_play(&line) {
            return Err("your program has not said that it can play this".into());
        }
        Ok(line)
    }

    /// A start position of Chess960 by lot, where none is named: `chess960` without a
    /// number, or `dfrc` without two. It is drawn when a game is taken, so that nobody
    /// can wait for one that suits him.
    fn draw_start(&mut self, wish: &Wish) -> Option<String> {
        let name = wish
            .preset
            .as_deref()
            .filter(|_| wish.game == Game::Chess)?;
        let mut number = || self.random.below(960);
        match name.trim().to_ascii_lowercase().as_str() {
            "chess960" | "frc" => Some(format!("chess960 {}", number())),
            "dfrc" | "double" => Some(format!("dfrc {} {}", number(), number())),
            _ => None,
        }
    }

    fn seek(&mut self, conn: ConnId, player: PlayerId, wish: Wish, to: Option<PlayerId>) {
        if let Err(why) = self.wished(player, &wish) {
            return self.refuse(conn, &why);
        }
        // It is sent to all who look for games, and stands in the list.
        let long = wish.to_string().len() > OPEN;
        if long && to.is_none() && wish.word.is_none() {
            let why = "that position is too long for all to see: add a word, or challenge a player";
            return self.refuse(conn, why);
        }
        let own = self.seeks.values().filter(|seek| seek.by == player).count();
        if own >= self.settings.seeks {
            let why = format!("you look for {own} games already: take one back first");
            return self.refuse(conn, &why);
        }
        if let Some(word) = &wish.word
            && self.private_seek(word).is_some()
        {
            return self.refuse(conn, "that word is in use: take another");
        }
        let id = self.fresh();
        self.seeks.insert(
            id,
            Seek {
                by: player,
                wish,
                to,
            },
        );
        let Some(view) = self.seek_view(id) else {
            return;
        };
        let private = view.wish.word.is_some();
        match to {
            Some(other) => {
                self.send(conn, &ToClient::Lobby(Tell::Seek(view.clone())));
                self.tell(other, Tell::Challenge(view));
            }
            None if private => self.send(conn, &ToClient::Lobby(Tell::Seek(view))),
            None => {
                self.send(conn, &ToClient::Lobby(Tell::Seek(view.clone())));
                self.tell_followers(List::Seeks, &Tell::Seek(view), vec![conn]);
            }
        }
    }

    pub(super) fn seek_view(&self, id: u64) -> Option<SeekView> {
        let seek = self.seeks.get(&id)?;
        let by = self.players.get(&seek.by)?.name.clone();
        Some(SeekView {
            id,
            rating: self.rating(&by, seek.wish.game).shown(),
            by,
            wish: seek.wish.clone(),
        })
    }

    fn is_private(&self, id: u64) -> bool {
        let seek = self.seeks.get(&id);
        seek.is_some_and(|seek| seek.wish.word.is_some())
    }

    pub(super) fn private_seek(&self, word: &str) -> Option<u64> {
        let private = |seek: &Seek| seek.wish.word.as_deref() == Some(word);
        let mut seeks = self.seeks.iter();
        seeks.find(|(_, seek)| private(seek)).map(|(id, _)| *id)
    }

    fn challenge(&mut self, conn: ConnId, player: PlayerId, name: &Name, wish: Wish) {
        let Some(other) = self.names.get(&name.folded()).copied() else {
            return self.refuse(conn, &format!("{name} is not here"));
        };
        if other == player {
            return self.refuse(conn, "you cannot challenge yourself");
        }
        let known = self.players.get(&other);
        if !known.is_some_and(|p| p.conn.is_some() && p.about.lobby) {
            let why = format!("{name} cannot be challenged: an engine is asked with lobby play");
            return self.refuse(conn, &why);
        }
        let wish = Wish { word: None, ..wish };
        self.seek(conn, player, wish, Some(other));
    }

    fn decline(&mut self, conn: ConnId, player: PlayerId, id: u64) {
        let seek = self.seeks.get(&id).filter(|seek| seek.to == Some(player));
        let (Some(seek), Some(known)) = (seek, self.players.get(&player)) else {
            return self.refuse(conn, "there is no such challenge to you");
        };
        let (by, name) = (seek.by, known.name.clone());
        self.seeks.remove(&id);
        self.tell(by, Tell::Declined { id, by: name });
    }

    /// A seek is taken: the game begins.
    pub(super) fn accept(&mut self, conn: ConnId, player: PlayerId, id: u64, now: Duration) {
        let why = match self.seeks.get(&id) {
            None => "that game is no longer looked for",
            Some(seek) if seek.by == player => "that is your own",
            Some(seek) if seek.to.is_some_and(|to| to != player) => {
                "that is a challenge to another player"
            }
            Some(seek) => {
                let wish = seek.wish.clone();
                return match self.wished(player, &wish) {
                    Ok(line) => self.take_seek(id, player, line, now),
                    Err(why) => self.refuse(conn, &why),
                };
            }
        };
        self.refuse(conn, why);
    }

    fn take_seek(&mut self, id: u64, player: PlayerId, line: AnyLine, now: Duration) {
        let Some(seek) = self.seeks.remove(&id) else {
            return;
        };
        let sides = self.sides(seek.wish.colour, [seek.by, player]);
        self.tell_followers(List::Seeks, &Tell::SeekGone(id), Vec::new());
        self.start_lobby_game(sides, [None; 2], line, &seek.wish, now);
    }

    fn start_lobby_game(
        &mut self,
        players: [PlayerId; 2],
        levels: [Option<u8>; 2],
        line: AnyLine,
        wish: &Wish,
        now: Duration,
    ) {
        let Some(names) = self.names_of(players) else {
            return;
        };
        let setup = Setup {
            players,
            names,
            levels,
            line,
            time: wish.time,
            rated: wish.rated,
            origin: Origin::Lobby,
        };
        self.start(setup, now);
    }

    /// White and Black of two, of whom the first wants a colour.
    fn sides(&mut self, colour: Colour, [first, second]: [PlayerId; 2]) -> [PlayerId; 2] {
        let white = match colour {
            Colour::White => true,
            Colour::Black => false,
            Colour::Random => self.random.below(2) == 0,
        };
        if white {
            [first, second]
        } else {
            [second, first]
        }
    }

    pub(super) fn drop_seek(&mut self, id: u64) {
        let Some(seek) = self.seeks.remove(&id) else {
            return;
        };
        let gone = Tell::SeekGone(id);
        match seek.to {
            Some(other) => self.tell(other, gone.clone()),
            None if seek.wish.word.is_none() => {
                let own = self.conn_of(seek.by).into_iter().collect();
                self.tell_followers(List::Seeks, &gone, own);
            }
            None => {}
        }
        self.tell(seek.by, gone);
    }

    /// All seeks of a player, and challenges to one who is no longer here.
    pub(super) fn drop_seeks(&mut self, player: PlayerId) {
        let away = self.conn_of(player).is_none();
        let own = |seek: &Seek| seek.by == player || away && seek.to == Some(player);
        let own: Vec<u64> = (self.seeks.iter())
            .filter(|(_, seek)| own(seek))
            .map(|(id, _)| *id)
            .collect();
        for id in own {
            self.drop_seek(id);
        }
    }

    /// Whether an engine waits to be asked.
    pub(super) fn in_pool(player: &Player) -> bool {
        !player.about.is_person()
            && player.conn.is_some()
            && player.game.is_none()
            && player.arranged.is_none()
    }

    fn play_pool(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        level: Option<u8>,
        engine: Option<&Name>,
        wish: &Wish,
        now: Duration,
    ) {
        let line = match self.wished(player, wish) {
            Ok(line) => line,
            Err(why) => return self.refuse(conn, &why),
        };
        let wanted = engine.map(Name::folded);
        let fits = |(id, p): &(&PlayerId, &Player)| {
            **id != player
                && Self::in_pool(p)
                && p.about.can_play(&line)
                && (!wish.rated || p.account)
                && wanted.as_ref().is_none_or(|name| *name == p.name.folded())
        };
        let free: Vec<PlayerId> = self
            .players
            .iter()
            .filter(fits)
            .map(|(id, _)| *id)
            .collect();
        if free.is_empty() {
            return self.refuse(conn, "no engine that can play this is free");
        }
        let other = free[self.random.index(free.len())];
        let sides = self.sides(wish.colour, [player, other]);
        let levels = sides.map(|side| level.filter(|_| side == other));
        self.start_lobby_game(sides, levels, line, wish, now);
    }

    /// Pairs people whose programs know no lobby, where the operator wants that.
    pub(super) fn pair_waiting(&mut self, now: Duration) {
        let Some(time) = self.settings.auto else {
            return;
        };
        let wish = Wish::new(Game::Chess, time);
        let line = AnyLine::start(wish.game);
        loop {
            let waits = |p: &Player| p.conn.is_some() && p.game.is_none() && p.arranged.is_none();
            let mut waiting: Vec<(Duration, PlayerId)> = (self.players.iter())
                .filter(|(_, p)| waits(p) && p.about.can_play(&line))
                .filter_map(|(id, p)| Some((p.waiting?, *id)))
                .collect();
            waiting.sort_unstable();
            // Those who have just played have a look at their result first.
            let later = waiting.iter().position(|(since, _)| *since > now);
            if let Some((at, _)) = later.map(|place| waiting.split_off(place)[0]) {
                self.wake(at, Timer::Auto);
            }
            let other = match waiting[..] {
                [_, (_, second), ..] => Some(second),
                [(since, _)] if now >= since + PATIENCE => {
                    let fits =
                        |(_, p): &(&PlayerId, &Player)| Self::in_pool(p) && p.about.can_play(&line);
                    self.players.iter().find(fits).map(|(id, _)| *id)
                }
                [(since, _)] => {
                    return self.wake(since + PATIENCE, Timer::Auto);
                }
                [] => None,
            };
            let (Some((_, first)), Some(other), false) = (waiting.first(), other, self.draining)
            else {
                return;
            };
            let sides = self.sides(Colour::Random, [*first, other]);
            self.start_lobby_game(sides, [None; 2], line.clone(), &wish, now);
        }
    }

    fn watch(&mut self, conn: ConnId, player: PlayerId, game: u64, now: Duration) {
        let plays = self.players.get(&player).is_some_and(|p| p.game.is_some());
        let table = self.tables.get(&game).filter(|table| table.running());
        let able = self.clients.get(&conn).zip(table);
        let able = able.is_some_and(|(client, table)| client.about.can_play(&table.line));
        let full = table.is_some_and(|table| table.watchers.len() >= self.settings.watchers);
        let why = if plays {
            "you play yourself"
        } else if table.is_none() {
            "there is no such game"
        } else if !able {
            "your program has not said that it can play this"
        } else if full {
            "too many watch this game"
        } else {
            return self.seat_watcher(conn, game, now);
        };
        self.refuse(conn, why);
    }

    fn seat_watcher(&mut self, conn: ConnId, game: u64, now: Duration) {
        self.unwatch(conn);
        let (Some(client), Some(table)) = (self.clients.get_mut(&conn), self.tables.get_mut(&game))
        else {
            return;
        };
        client.watching = Some(game);
        table.watchers.insert(conn);
        let (lobby, position, clocks) = (client.about.lobby, table.position(), table.shown(now));
        if lobby && let Some(view) = self.start_view(game, You::Watching) {
            self.send(conn, &ToClient::Lobby(Tell::Start(view)));
        }
        // Nobody is asked to move here, so there is no isready to wait for.
        self.send(conn, &ToClient::NewGame);
        self.post(conn, position);
        if self.shows_clocks(conn) {
            self.send(conn, &ToClient::Clock(clocks));
        }
    }

    pub(super) fn unwatch(&mut self, conn: ConnId) {
        let Some(client) = self.clients.get_mut(&conn) else {
            return;
        };
        if let Some(game) = client.watching.take()
            && let Some(table) = self.tables.get_mut(&game)
        {
            table.watchers.remove(&conn);
        }
    }

    /// One whose program knows no lobby sees the newest game that it can show.
    pub(super) fn watch_newest(&mut self, conn: ConnId, now: Duration) {
        let Some(client) = self.clients.get(&conn) else {
            return;
        };
        let fits = |t: &&super::table::Table| {
            t.running()
                && t.watchers.len() < self.settings.watchers
                && client.about.can_play(&t.line)
        };
        let newest = self.tables.values().rev().find(fits).map(|t| t.id);
        if let Some(game) = newest {
            self.seat_watcher(conn, game, now);
        }
    }

    /// A game begins: those who watch nothing that still goes on see it.
    pub(super) fn follow_newest(&mut self, game: u64, now: Duration) {
        let Some(table) = self.tables.get(&game) else {
            return;
        };
        let idle = |client: &Client| {
            let on = |id: u64| {
                self.tables
                    .get(&id)
                    .is_some_and(super::table::Table::running)
            };
            let ClientStage::In(player) = client.stage else {
                return false;
            };
            client.about.is_person()
                && !client.about.lobby
                && !client.watching.is_some_and(on)
                && client.about.can_play(&table.line)
                && self.players.get(&player).is_some_and(|p| p.game.is_none())
        };
        let idle: Vec<ConnId> = (self.clients.iter())
            .filter(|(_, client)| idle(client))
            .map(|(conn, _)| *conn)
            .take(self.settings.watchers)
            .collect();
        for conn in idle {
            self.seat_watcher(conn, game, now);
        }
    }

    fn say(&mut self, conn: ConnId, player: PlayerId, text: &str) {
        if !self.settings.chat {
            return self.refuse(conn, "talk is off here");
        }
        let watched = self.clients.get(&conn).and_then(|c| c.watching);
        let Some(known) = self.players.get(&player) else {
            return;
        };
        let Some(id) = known.game.or(known.last).or(watched) else {
            return self.refuse(conn, "you sit at no board");
        };
        let text: String = text.chars().take(SAID).collect();
        let name = known.name.clone();
        self.tell_table(id, &Tell::Said { name, id, text }, None);
    }
}

/// A named position has a name: any other would be a way around what is asked of
/// positions that are told as `fen`.
fn check_preset(game: Game, rules: &str, preset: &str) -> Result<(), String> {
    let presets = AnyLine::presets(game, rules);
    let presets = presets.map_err(|error| cut(&error.to_string(), WRONG).into_owned())?;
    let squeeze = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let wanted = squeeze(preset);
    let named = |name: &str| {
        let first = name.split(' ').next().unwrap_or_default();
        squeeze(name) == wanted || squeeze(first) == wanted
    };
    let numbered = || {
        let mut words = preset.split_whitespace().map(str::to_lowercase);
        let number = |word: &String| word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
        let first = words.next().unwrap_or_default();
        let shuffled = ["chess960", "frc", "dfrc", "double"].contains(&first.as_str());
        (shuffled || number(&first)) && words.all(|word| number(&word))
    };
    let start = matches!(wanted.as_str(), "start" | "startpos");
    let known = start || presets.iter().any(|(name, _)| named(name));
    if known || game == Game::Chess && numbered() {
        return Ok(());
    }
    let names: Vec<String> = presets.iter().map(|p| p.0.replace(' ', "_")).collect();
    let (preset, names) = (cut(preset, 40), names.join(" "));
    Err(format!("{game} has no preset {preset}: one of {names}"))
}
