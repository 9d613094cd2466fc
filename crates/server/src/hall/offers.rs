//! Resign, draw, take-back, rematch, abort.

use std::time::Duration;

use quadrille_games::Side;
use quadrille_match::referee::Ending;

use super::Hall;
use super::effect::{ConnId, Keep, Origin};
use super::table::{PlayerId, Setup, Stage};
use crate::message::{Offer, Tell};

impl Hall {
    /// The running game of a player, if it is the one that was named.
    fn own_game(&mut self, conn: ConnId, player: PlayerId, id: Option<u64>) -> Option<(u64, Side)> {
        let game = self.players.get(&player).and_then(|p| p.game);
        let game = game.filter(|game| id.is_none_or(|id| id == *game));
        let found = game.and_then(|game| {
            let table = self.tables.get(&game).filter(|t| t.running())?;
            Some((game, table.side_of(player)?))
        });
        if found.is_none() {
            self.refuse(conn, "you play no such game");
        }
        found
    }

    pub(super) fn resign(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        id: Option<u64>,
        now: Duration,
    ) {
        if let Some((game, side)) = self.own_game(conn, player, id) {
            self.finish(game, &Ending::resigned(side), now);
        }
    }

    pub(super) fn abort(&mut self, conn: ConnId, player: PlayerId, id: Option<u64>, now: Duration) {
        let Some((game, _)) = self.own_game(conn, player, id) else {
            return;
        };
        let table = &self.tables[&game];
        if table.plies() >= 2 {
            self.refuse(conn, "both sides have moved: resign, or offer a draw");
        } else if table.origin == Origin::Lobby {
            self.finish(game, &Ending::aborted(), now);
        } else {
            self.refuse(conn, "games of matches and tournaments are not called off");
        }
    }

    pub(super) fn offer(
        &mut self,
        conn: ConnId,
        player: PlayerId,
        offer: Offer,
        id: Option<u64>,
        now: Duration,
    ) {
        if offer == Offer::Rematch {
            return self.rematch(conn, player, id, now);
        }
        let Some((game, side)) = self.own_game(conn, player, id) else {
            return;
        };
        let table = &self.tables[&game];
        if table.offered(offer, !side) {
            return self.take_offer(game, offer, side, now);
        }
        if table.offered(offer, side) {
            return self.refuse(conn, "you have offered that already");
        }
        let own = table.plies() > usize::from(table.turn_of() == side);
        if offer == Offer::Takeback && (table.rated || table.origin != Origin::Lobby) {
            return self.refuse(conn, "in games that count no move is taken back");
        }
        if offer == Offer::Takeback && !own {
            return self.refuse(conn, "there is no move to take back");
        }
        let (by, other) = (
            table.names[side.index()].clone(),
            table.players[(!side).index()],
        );
        let opponent = self.players.get(&other);
        let plays_alone = opponent.is_some_and(|p| !p.about.is_person() && !p.about.lobby);
        if let Some(table) = self.tables.get_mut(&game) {
            table.offers.push((offer, side));
        }
        self.tell_table(
            game,
            &Tell::Offer {
                id: game,
                offer,
                by,
            },
            Some(player),
        );
        // A plain engine hears of no offer: it lets moves be taken back, and plays on.
        match offer {
            Offer::Takeback if plays_alone => self.take_offer(game, offer, !side, now),
            _ if plays_alone => self.drop_offer(game, offer, side),
            _ => {}
        }
    }

    fn drop_offer(&mut self, game: u64, offer: Offer, by: Side) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let before = table.offers.len();
        table.offers.retain(|known| *known != (offer, by));
        if table.offers.len() < before {
            self.tell_table(game, &Tell::OfferGone { id: game, offer }, None);
        }
    }

    /// An offer of the other side is taken by `side`.
    fn take_offer(&mut self, game: u64, offer: Offer, side: Side, now: Duration) {
        match offer {
            Offer::Draw => self.finish(game, &Ending::agreed(), now),
            Offer::Takeback => self.take_back(game, !side, now),
            Offer::Rematch => {}
        }
    }

    /// Back to where `side` made its last move.
    fn take_back(&mut self, game: u64, side: Side, now: Duration) {
        let Some(table) = self.tables.get_mut(&game) else {
            return;
        };
        let plies = 1 + usize::from(table.turn_of() == side);
        if table.stage != Stage::Playing || table.plies() < plies {
            return;
        }
        let mover = table.players[table.turn_of().index()];
        let asked = std::mem::take(&mut table.asked);
        table.take_back(plies);
        table.turn = now;
        table.offers.clear();
        let left = table.plies();
        if asked {
            self.stop(mover);
        }
        self.keep(Keep::Takeback(game, left));
        let tell = Tell::Takeback {
            id: game,
            plies: left,
        };
        self.tell_table(game, &tell, None);
        self.watch_flag(game, now);
        self.show_all(game, now);
        self.prompt(game, now);
    }

    pub(super) fn no(&mut self, conn: ConnId, player: PlayerId, offer: Offer, id: Option<u64>) {
        if offer == Offer::Rematch {
            if let Some((game, side)) = self.last_game(player, id) {
                self.drop_offer(game, offer, !side);
            }
            return;
        }
        if let Some((game, side)) = self.own_game(conn, player, id) {
            self.drop_offer(game, offer, !side);
        }
    }

    fn last_game(&self, player: PlayerId, id: Option<u64>) -> Option<(u64, Side)> {
        let game = self.players.get(&player)?.last?;
        let table = self.tables.get(&game)?;
        let named = id.is_none_or(|id| id == game);
        (named && table.stage == Stage::Over).then_some((game, table.side_of(player)?))
    }

    /// The same once more with colours exchanged, when both want it.
    fn rematch(&mut self, conn: ConnId, player: PlayerId, id: Option<u64>, now: Duration) {
        let Some((game, side)) = self.last_game(player, id) else {
            return self.refuse(conn, "there is no game that could be played again");
        };
        let table = &self.tables[&game];
        let other = table.players[(!side).index()];
        let here = self.players.get(&other);
        if !here.is_some_and(|p| p.conn.is_some() && p.last == Some(game) && p.game.is_none()) {
            return self.refuse(conn, "the other player is not free any more");
        }
        if table.origin != Origin::Lobby || self.draining {
            return self.refuse(conn, "this game cannot be played again");
        }
        let alone = here.is_some_and(|p| !p.about.is_person() && !p.about.lobby);
        if !alone && !table.offered(Offer::Rematch, !side) {
            let by = table.names[side.index()].clone();
            if !table.offered(Offer::Rematch, side)
                && let Some(table) = self.tables.get_mut(&game)
            {
                table.offers.push((Offer::Rematch, side));
            }
            let tell = Tell::Offer {
                id: game,
                offer: Offer::Rematch,
                by,
            };
            return self.tell(other, tell);
        }
        let mut line = table.line.clone();
        while line.pop().is_some() {}
        let [white, black] = table.players;
        let [first, second] = table.names.clone();
        let setup = Setup {
            players: [black, white],
            names: [second, first],
            levels: [table.levels[1], table.levels[0]],
            line,
            time: table.time,
            rated: table.rated,
            origin: Origin::Lobby,
        };
        self.forget_table(game);
        self.start(setup, now);
    }
}
