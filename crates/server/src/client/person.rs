//! What a player sees and may type, without input or output.
//!
//! A [`Person`] is fed what the server says and what the player types, and answers
//! with what is to be shown and sent. Everything that is shown went through
//! [`foreign`](quadrille_net::sanitize), so that no server moves a cursor.

use std::collections::BTreeMap;

use quadrille_driver::NamedMove;
use quadrille_games::records::GameResult;
use quadrille_games::{AnyLine, Game};

use quadrille_net::sanitize::{cut, one_line};

use super::board::{Board, Change};
use super::typed::{self, Typed, WORDS};
use super::words::{by, game_words, player_words, tournament_words, wish_words};
use crate::message::{
    Ask, Name, Offer, SeekView, StartView, Tell, ToClient, ToServer, Welcome, You,
};

/// Legal moves that are listed for one who asks.
const MOST_MOVES: usize = 200;
/// Challenges that are remembered; a server that sends more is not listened to.
const MOST_CHALLENGES: usize = 100;
/// What can be typed at a server without a lobby.
const WITHOUT_LOBBY: &str = "moves when you are asked, board, moves, clock, thoughts, quit";
/// The longest text of another's that is shown.
const LONGEST: usize = 400;

/// What is to be done.
#[derive(Debug)]
pub enum Out {
    /// A line to show.
    Say(String),
    /// A position to draw.
    Board(Box<AnyLine>),
    /// A message to send.
    Send(ToServer),
    /// The connection does not carry any more, for this reason; the caller's own.
    Lost(String),
    /// The player leaves.
    Leave,
}

/// A player at a terminal.
#[derive(Debug)]
pub struct Person {
    game: Game,
    name: Option<Name>,
    board: Option<Board>,
    /// The last game, for a rematch.
    last: Option<u64>,
    challenges: BTreeMap<u64, SeekView>,
    /// What the other side offers.
    offered: Option<Offer>,
    /// What we offer.
    mine: Option<Offer>,
    thoughts: bool,
    /// Whether the server has a lobby. The reference has none.
    lobby: bool,
    out: Vec<Out>,
}

impl Person {
    /// One whose games are of this kind where nothing else is said.
    pub const fn new(game: Game) -> Self {
        Self {
            game,
            name: None,
            board: None,
            last: None,
            challenges: BTreeMap::new(),
            offered: None,
            mine: None,
            thoughts: false,
            lobby: true,
            out: Vec::new(),
        }
    }

    /// Whether a game of ours is being played.
    pub fn plays(&self) -> bool {
        self.board.as_ref().is_some_and(|b| b.side().is_some())
    }

    fn say(&mut self, text: impl AsRef<str>) {
        let text = one_line(text.as_ref()).into_owned();
        self.out.push(Out::Say(text));
    }

    fn send(&mut self, message: ToServer) {
        self.out.push(Out::Send(message));
    }

    fn ask(&mut self, ask: Ask) {
        self.send(ToServer::Lobby(ask));
    }

    /// We are in at a server that has no lobby.
    pub fn enter_without_lobby(&mut self) -> Vec<Out> {
        self.lobby = false;
        self.board = None;
        self.say("This server has no lobby: it decides who plays and who watches.");
        self.say(format!("You can type {WITHOUT_LOBBY}."));
        std::mem::take(&mut self.out)
    }

    /// We are in, for the first time or again.
    pub fn welcome(&mut self, welcome: &Welcome) -> Vec<Out> {
        self.lobby = true;
        let again = self.name.replace(welcome.name.clone()).is_some();
        let program = cut(&welcome.program, 60).into_owned();
        if again {
            self.say(format!("You are back as {}.", welcome.name));
        } else {
            let kind = if welcome.account { "" } else { ", a guest" };
            self.say(format!("You are {}{kind}, at {program}.", welcome.name));
            self.say("Type help to see what you can do, seek to look for a game, quit to leave.");
        }
        std::mem::take(&mut self.out)
    }

    /// What the server said.
    pub fn hear(&mut self, said: ToClient) -> Vec<Out> {
        match said {
            ToClient::IsReady => self.send(ToServer::ReadyOk),
            ToClient::Position { start, moves } => self.position(&start, &moves),
            ToClient::Go { clocks, .. } => {
                let unannounced = !self.lobby;
                if let Some(board) = &mut self.board {
                    board.set_clocks(clocks);
                    board.clock_due = false;
                    if unannounced {
                        board.take_side();
                    }
                    if board.side() == Some(board.line.side()) && !board.asked {
                        board.asked = true;
                        let clock = board.clock_words().unwrap_or_default();
                        self.say(format!("Your move. {clock}"));
                    }
                }
            }
            ToClient::Clock(clocks) => {
                if let Some(board) = &mut self.board {
                    board.set_clocks(clocks);
                    if std::mem::take(&mut board.clock_due) {
                        let clock = board.clock_words().unwrap_or_default();
                        self.say(clock);
                    }
                }
            }
            ToClient::Stop => {
                if let Some(board) = &mut self.board {
                    board.asked = false;
                }
            }
            ToClient::Note(text) => self.say(cut(&text, LONGEST)),
            ToClient::ClientError(text) => {
                let text = cut(&text, LONGEST).into_owned();
                // A move that the server refused is asked for again.
                if let Some(board) = &mut self.board {
                    board.asked = false;
                }
                self.say(format!("The server says: {text}"));
            }
            ToClient::ServerError(text) => {
                let text = cut(&text, LONGEST).into_owned();
                self.say(format!("The server has a problem: {text}"));
            }
            ToClient::Thought(text) if self.thoughts => {
                let text = cut(&text, LONGEST).into_owned();
                self.say(format!("  thinks: {text}"));
            }
            ToClient::Lobby(tell) => self.tell(tell),
            ToClient::Quit => self.say("The server closes the connection."),
            ToClient::Uci
            | ToClient::NewGame
            | ToClient::SetOption { .. }
            | ToClient::Thought(_)
            | ToClient::Unknown(_) => {}
        }
        std::mem::take(&mut self.out)
    }

    /// A position of a game that was not announced.
    fn unannounced(&mut self, start: &str, moves: &[String]) {
        let games = [&[self.game], Game::ALL.as_slice()].concat();
        match Board::unannounced(&games, start, moves) {
            Ok(mut board) => {
                self.say("A game:");
                board.clock_due = true;
                self.out.push(Out::Board(Box::new(board.line.clone())));
                self.board = Some(board);
            }
            Err(why) => {
                let why = cut(&why, LONGEST).into_owned();
                self.say(format!("The server sent an invalid position: {why}"));
            }
        }
    }

    /// Such a game has no result line: the rules tell when it is over.
    fn is_it_over(&mut self) {
        let outcome = self
            .board
            .as_ref()
            .and_then(|board| board.current().outcome_with_claims());
        if let Some(outcome) = outcome.filter(|_| !self.lobby) {
            self.say(format!("By the rules the game is over: {outcome}."));
        }
    }

    fn position(&mut self, start: &str, moves: &[String]) {
        let Some(board) = &mut self.board else {
            if !self.lobby {
                self.unannounced(start, moves);
                self.is_it_over();
            }
            return;
        };
        let mover = board.current().side();
        let change = board.set(start, moves);
        let line = board.line.clone();
        let you = board.side();
        match change {
            Change::Same => return,
            Change::Wrong(why) => {
                let why = cut(&why, LONGEST).into_owned();
                if !self.lobby {
                    return self.unannounced(start, moves);
                }
                return self.say(format!("The server sent an invalid position: {why}"));
            }
            Change::Other if !self.lobby => return self.unannounced(start, moves),
            // Its clocks come behind it, so those that are known are not shown.
            Change::Other => (board.asked, board.clock_due) = (false, true),
            Change::Played(moves) => {
                (board.asked, board.clock_due) = (false, true);
                let sides = [mover, mover.other()].into_iter().cycle();
                let played = moves.iter().zip(sides).map(|(text, side)| {
                    let who = if you == Some(side) {
                        "You".to_owned()
                    } else {
                        board.name(side).to_string()
                    };
                    format!("{who} played {text}.")
                });
                let words: Vec<String> = played.collect();
                self.say(words.join(" "));
                self.is_it_over();
                // One's own move needs no board: the next one shows both.
                if you == Some(line.side().other()) {
                    return;
                }
            }
        }
        self.out.push(Out::Board(Box::new(line)));
    }

    fn tell(&mut self, tell: Tell) {
        match tell {
            Tell::Welcome(welcome) => {
                let account = if welcome.account {
                    ", with an account"
                } else {
                    ""
                };
                self.say(format!("You are {}{account}.", welcome.name));
                self.name = Some(welcome.name);
            }
            Tell::Seek(seek) => self.seek(&seek),
            Tell::SeekGone(id) => {
                if self.challenges.remove(&id).is_some() {
                    self.say(format!("The challenge {id} does not stand any more."));
                }
            }
            Tell::Challenge(seek) => self.challenge(seek),
            Tell::Declined { by, .. } => self.say(format!("{by} does not want to play.")),
            Tell::Start(view) => self.start(view),
            Tell::Offer { offer, by, .. } => self.offer(offer, &by),
            Tell::OfferGone { offer, .. } => self.offer_gone(offer),
            Tell::Takeback { plies, .. } => {
                self.mine = None;
                self.say(format!("Taken back; {plies} half moves are played."));
            }
            Tell::Away { name, grace, .. } => match grace.map(|grace| grace.as_secs()) {
                Some(seconds) => self.say(format!(
                    "{name} has lost the connection and has {seconds} s to return."
                )),
                None => self.say(format!("{name} is back.")),
            },
            Tell::End { id, result, reason } => self.end(id, result, &reason),
            Tell::Rating {
                game,
                name,
                old,
                new,
            } => self.say(format!("{name}'s rating in {game}: {old} -> {new}")),
            Tell::Player(player) => self.say(format!("  {}", player_words(&player))),
            Tell::Game(game) => self.say(game_words(&game)),
            Tell::ListEnd(list) => self.say(format!("These were the {list}.")),
            Tell::Error(text) => self.say(cut(&text, LONGEST)),
            Tell::Said { name, text, .. } => {
                let text = cut(&text, LONGEST).into_owned();
                self.say(format!("{name}: {text}"));
            }
            Tell::Tournament(tournament) => self.say(tournament_words(&tournament)),
            Tell::Standing(s) => {
                let points = s.half_points as f64 / 2.0;
                self.say(format!("  {}. {} {points}", s.place, s.name));
            }
            Tell::Other(_) => {}
        }
    }

    fn seek(&mut self, seek: &SeekView) {
        let hint = if self.name.as_ref() == Some(&seek.by) {
            format!("unseek {} takes it back", seek.id)
        } else {
            format!("accept {} plays it", seek.id)
        };
        let words = format!("  {} seeks {}: {hint}", by(seek), wish_words(&seek.wish));
        self.say(words);
    }

    fn challenge(&mut self, seek: SeekView) {
        self.say(format!(
            "{} challenges you to {}: yes or no?",
            by(&seek),
            wish_words(&seek.wish)
        ));
        if self.challenges.len() < MOST_CHALLENGES {
            self.challenges.insert(seek.id, seek);
        }
    }

    fn start(&mut self, view: StartView) {
        let [white, black] = &view.players;
        let rated = if view.rated { ", rated" } else { "" };
        let rules = match view.rules.as_str() {
            "" => String::new(),
            rules => format!(" ({})", cut(rules, 60)),
        };
        let you = match view.you {
            You::White => "You are White.",
            You::Black => "You are Black.",
            You::Watching => "You watch.",
        };
        let words = format!(
            "Game {}: {white} ({}) - {black} ({}), {}{rules} {}{rated}. {you}",
            view.id, view.ratings[0], view.ratings[1], view.game, view.time
        );
        self.say(words);
        (self.offered, self.mine) = (None, None);
        self.challenges.clear();
        let board = Board::new(view);
        self.out.push(Out::Board(Box::new(board.line.clone())));
        self.board = Some(board);
    }

    fn offer(&mut self, offer: Offer, by: &Name) {
        if self.name.as_ref() == Some(by) {
            // Said when it was sent, unless it is from before a lost connection.
            if self.mine.replace(offer) != Some(offer) {
                self.say(format!("You offered: {offer}."));
            }
            return;
        }
        if self.board.is_some() && !self.plays() {
            return self.say(format!("{by} offers: {offer}."));
        }
        self.offered = Some(offer);
        let what = match offer {
            Offer::Draw => "offers a draw",
            Offer::Takeback => "would like to take a move back",
            Offer::Rematch => "wants to play again",
        };
        self.say(format!("{by} {what}: yes or no?"));
    }

    fn offer_gone(&mut self, offer: Offer) {
        if self.offered == Some(offer) {
            self.offered = None;
            self.say(format!("The offer ({offer}) does not stand any more."));
        } else if self.mine == Some(offer) {
            self.mine = None;
            self.say(format!("Your offer ({offer}) was not taken."));
        }
    }

    /// An offer goes out; the server tells the other side only.
    fn offers(&mut self, offer: Offer) {
        if self.offered == Some(offer) {
            // It is taken, and what follows from that is told.
            self.offered = None;
            return;
        }
        let words = match offer {
            Offer::Draw if self.plays() => "You offer a draw.",
            Offer::Takeback if self.plays() => "You ask to take your move back.",
            Offer::Rematch if self.last.is_some() && !self.plays() => "You ask for a rematch.",
            // The server says why not.
            _ => return,
        };
        self.mine = Some(offer);
        self.say(words);
    }

    fn end(&mut self, id: u64, result: GameResult, reason: &str) {
        let reason = cut(reason, LONGEST).into_owned();
        self.say(format!("Game {id} is over: {} ({reason})", result.word()));
        self.last = Some(id);
        (self.offered, self.mine) = (None, None);
        if self.board.as_ref().is_some_and(|b| b.view.id == id) {
            if self.plays() {
                self.say("rematch plays again, seek looks for another game.");
            }
            self.board = None;
        }
    }

    /// What the player typed.
    pub fn typed(&mut self, line: &str) -> Vec<Out> {
        match typed::read(line, self.game) {
            Err(why) => self.say(why),
            Ok(Typed::Nothing) => {}
            Ok(Typed::Help) if !self.lobby => self.say(format!("You can type {WITHOUT_LOBBY}.")),
            Ok(Typed::Ask(_) | Typed::Yes | Typed::No) if !self.lobby => {
                let word = cut(line.trim(), 40).into_owned();
                self.say(format!(
                    "'{word}' needs a lobby, which this server does not have. You can type {WITHOUT_LOBBY}."
                ));
            }
            Ok(Typed::Help) => {
                for (words, meaning) in WORDS {
                    self.say(format!("  {words:<42} {meaning}"));
                }
            }
            Ok(Typed::Ask(ask)) => {
                if let Ask::Seek(wish) | Ask::Play { wish, .. } = &ask {
                    self.game = wish.game;
                }
                if let Ask::Offer(offer, _) = ask {
                    self.offers(offer);
                }
                self.ask(ask);
            }
            Ok(Typed::Yes) => self.yes(),
            Ok(Typed::No) => self.no(),
            Ok(Typed::Board) => match &self.board {
                Some(board) => {
                    let line = Box::new(board.current().clone());
                    self.out.push(Out::Board(line));
                }
                None => self.nothing(),
            },
            Ok(Typed::Moves) => self.moves(),
            Ok(Typed::Clock) => match self.board.as_ref().and_then(Board::clock_words) {
                Some(words) => self.say(words),
                None => self.nothing(),
            },
            Ok(Typed::Thoughts) => {
                self.thoughts = !self.thoughts;
                let words = if self.thoughts { "shown" } else { "hidden" };
                self.say(format!("What players think is {words} while you watch."));
            }
            Ok(Typed::Quit) => self.out.push(Out::Leave),
            Ok(Typed::Else(text)) => self.play(&text),
        }
        std::mem::take(&mut self.out)
    }

    fn nothing(&mut self) {
        if !self.lobby {
            return self.say("The server has not sent a game yet.");
        }
        self.say("There is no game on the board: seek looks for one, games shows those to watch.");
    }

    fn yes(&mut self) {
        if let Some(offer) = self.offered.take() {
            return self.ask(Ask::Offer(offer, None));
        }
        match self.challenges.pop_last() {
            Some((id, _)) => self.ask(Ask::Accept(id)),
            None => self.say("Nothing is offered. A seek is taken by its number: accept 7"),
        }
    }

    fn no(&mut self) {
        if let Some(offer) = self.offered.take() {
            return self.ask(Ask::No(offer, None));
        }
        match self.challenges.pop_last() {
            Some((id, _)) => self.ask(Ask::Decline(id)),
            None => self.say("Nothing is offered."),
        }
    }

    fn moves(&mut self) {
        let Some(board) = &self.board else {
            return self.nothing();
        };
        let legal = board.current().legal_moves(MOST_MOVES);
        let mut names: Vec<String> = legal.into_iter().map(|m| m.notation).collect();
        names.sort_unstable();
        let left = board
            .current()
            .legal_move_count()
            .saturating_sub(names.len() as u64);
        let more = if left > 0 {
            format!(" and {left} more")
        } else {
            String::new()
        };
        self.say(names.join(" ") + &more);
    }

    /// A line that is none of our words: a move, or a slip.
    fn play(&mut self, text: &str) {
        let shown = cut(text, 40).into_owned();
        let word = text.split_whitespace().next().unwrap_or_default();
        let meant = typed::meant(word).map(|word| format!(" Did you mean {word}?"));
        let meant = meant.unwrap_or_default();
        let Some(board) = &self.board else {
            let words = format!("'{shown}' is not a word I know.{meant} help shows them.");
            return self.say(words);
        };
        let turn = board.current().side();
        let Some(side) = board.side() else {
            if !self.lobby {
                return self.say(format!("The server has not asked you to move.{meant}"));
            }
            return self.say(format!("You watch this game.{meant} unwatch leaves it."));
        };
        if side != turn {
            let name = board.name(turn).clone();
            return self.say(format!("It is the turn of {name}.{meant}"));
        }
        match NamedMove::read(&board.line, text) {
            Ok(found) if board.asked => {
                let view = board.line.view_of(found.value);
                let shown = view.map_or_else(|_| found.text.clone(), |view| view.notation);
                if !self.lobby
                    && let Some(board) = &mut self.board
                {
                    board.moved(&found.text);
                    self.say(format!("You played {shown}."));
                    self.is_it_over();
                }
                self.send(ToServer::BestMove(found.text));
            }
            Ok(_) => self.say("A moment: the server has not asked for your move yet."),
            Err(error) => {
                let why = cut(&error.to_string(), LONGEST).into_owned();
                self.say(format!("{why}.{meant} moves lists what is legal."));
            }
        }
    }

    /// The connection was lost; the game is where it was when we come back.
    pub fn lost(&mut self) {
        (self.offered, self.mine) = (None, None);
        self.challenges.clear();
        if let Some(board) = &mut self.board {
            board.asked = false;
        }
    }
}
