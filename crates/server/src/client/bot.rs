//! An engine that plays by itself.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::time::{Duration, Instant};

use quadrille_client::strength::StrengthOptions;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Engine, Limits, StartError};
use quadrille_games::Game;
use quadrille_net::sanitize::{cut, one_line};
use tokio::time::{sleep, timeout};

use super::board::{Board, Change};
use super::search::{host_clocks, search};
use super::strength::Wished;
use super::{ClientError, Connector, Lines, is_elsewhere};
use crate::message::{
    Ask, Clocks, GoLimits, Id, List, Name, Offer, Tell, ToClient, ToServer, Wish,
};

/// Messages that wait while the engine is asked something.
pub(super) const MOST_WAITING: usize = 1000;
/// How long the server may take to say that we are in a game.
const SETTLE: Duration = Duration::from_millis(300);

/// The least time from asking for a game to asking for the next.
const BETWEEN: Duration = Duration::from_millis(500);
/// The move of an engine that has none; UCI's null move.
pub(super) const NO_MOVE: &str = "0000";

/// An engine at a server.
pub struct Bot {
    /// Who it is, and where.
    pub connector: Connector,
    /// The engine for each game.
    pub engines: HashMap<Game, EngineSpec>,
    /// Games that it seeks whenever it is free; without any it waits to be asked.
    pub seeks: Vec<Wish>,
    /// Whether it takes open seeks of others that it can play.
    pub accepts: bool,
    /// What is taken off its clock for the network.
    pub overhead: Duration,
    running: HashMap<Game, Engine>,
    /// What the server believes to make it weaker.
    announced: StrengthOptions,
}

impl fmt::Debug for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bot")
            .field("connector", &self.connector)
            .field("engines", &self.engines)
            .finish_non_exhaustive()
    }
}

/// Why an engine does not play any more.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The server cannot be reached, or does not want it.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The engine cannot be started.
    #[error("{game}: {error}")]
    Engine {
        /// For which game.
        game: Game,
        /// Why.
        error: Box<StartError>,
    },
    /// No game was named.
    #[error("name a game for the engine")]
    NoGame,
    /// The same player came in from elsewhere; coming back would go on for ever.
    #[error("the same account came in from elsewhere, so this one leaves")]
    Elsewhere,
}

/// What happened. As text it is one line that is fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotEvent {
    /// It is in, under this name.
    In(String),
    /// It is in at a server without a lobby, which knows no names.
    InWithoutLobby,
    /// A game begins.
    Begins(String),
    /// A game is over.
    Ends(String),
    /// The connection was lost, or could not be made again yet.
    Lost(String),
    /// What the server says, or what is odd about it.
    Note(String),
}

impl fmt::Display for BotEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (begin, text) = match self {
            Self::In(name) => ("in as ", name.as_str()),
            Self::InWithoutLobby => (
                "in: ",
                "this server has no lobby, so it decides who plays and who watches",
            ),
            Self::Begins(text) => ("begins: ", text.as_str()),
            Self::Ends(text) => ("over: ", text.as_str()),
            Self::Lost(text) => ("", text.as_str()),
            Self::Note(text) => ("the server says: ", text.as_str()),
        };
        write!(f, "{begin}{}", cut(text, 400))
    }
}

/// Where the conversation is.
pub(super) struct Talk<'t> {
    pub(super) lines: Lines,
    pub(super) waiting: VecDeque<ToClient>,
    board: Option<Board>,
    /// Another game was announced since the engine was last told.
    new_game: bool,
    /// What the server has set.
    wished: Wished,
    /// The positions that the engine may look at, where nothing else makes it weaker.
    nodes: Option<u64>,
    /// A `go` has no answer yet. ULCI wants one to each, at the latest after `stop`.
    owes_move: bool,
    elsewhere: bool,
    /// Its name at the server, where it has one.
    name: Option<Name>,
    /// Open seeks of others, if it takes them.
    seeks: BTreeSet<u64>,
    /// The seek that it has asked for.
    asked: Option<u64>,
    /// When it last asked for a game after one had ended.
    sought: Option<Instant>,
    tell: &'t mut (dyn FnMut(BotEvent) + Send),
}

/// The connection does not carry any more.
pub(super) struct Broken(pub(super) String);

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl Talk<'_> {
    /// Whether the server has a lobby, which says whose game it is and how it ends. It
    /// gives everybody a name.
    const fn has_lobby(&self) -> bool {
        self.name.is_some()
    }

    /// Games of a few milliseconds would make asking for the next one a flood.
    async fn pause(&mut self) {
        let since = self.sought.map(|sought| sought.elapsed());
        if let Some(left) = since.and_then(|since| BETWEEN.checked_sub(since)) {
            sleep(left).await;
        }
        self.sought = Some(Instant::now());
    }

    async fn next(&mut self) -> Result<ToClient, Broken> {
        if let Some(said) = self.waiting.pop_front() {
            return Ok(said);
        }
        let said = self.lines.next().await?;
        said.ok_or_else(|| Broken("the server closed the connection".into()))
    }

    /// The answer to `go`.
    async fn answer(&mut self, best: String) -> Result<(), Broken> {
        self.owes_move = false;
        Ok(self.lines.say(&ToServer::BestMove(best)).await?)
    }

    /// `stop`, while nothing is searched. The engine may have failed before: the
    /// server waits for an answer all the same, and would take the first move of the
    /// next game for it.
    async fn stop(&mut self) -> Result<(), Broken> {
        if self.owes_move {
            self.answer(NO_MOVE.into()).await?;
        }
        Ok(())
    }

    /// The engine cannot go on: its opponent need not wait for its flag.
    async fn give_up(&mut self, why: &str) -> Result<(), Broken> {
        if !self.has_lobby() {
            // ULCI has no word for it: an error, and the null move for an answer.
            let why = one_line(why);
            (self.tell)(BotEvent::Lost(format!("the engine cannot play on: {why}")));
            let error = ToServer::Info(format!("clienterror {}", cut(&why, 300)));
            self.lines.say(&error).await?;
            return self.stop().await;
        }
        let text = format!("the engine cannot play on and resigns: {}", one_line(why));
        (self.tell)(BotEvent::Lost(text));
        // By its number, so that it cannot be a later one.
        let game = self.board.as_ref().map(|board| board.view.id);
        let resign = Ask::Resign(game);
        Ok(self.lines.say(&ToServer::Lobby(resign)).await?)
    }
}

impl Bot {
    /// An engine that waits to be asked.
    pub fn new(connector: Connector, engines: HashMap<Game, EngineSpec>) -> Self {
        Self {
            connector,
            engines,
            seeks: Vec::new(),
            accepts: false,
            overhead: Duration::from_millis(100),
            running: HashMap::new(),
            announced: StrengthOptions::default(),
        }
    }

    /// Plays until the server does not want it any more, or cannot be reached for
    /// too long.
    pub async fn run(mut self, tell: &mut (dyn FnMut(BotEvent) + Send)) -> Result<(), BotError> {
        self.introduce().await?;
        let mut entered = self.connector.enter().await?;
        loop {
            let (lines, welcome) = entered;
            tell(match &welcome {
                Some(welcome) => BotEvent::In(welcome.name.to_string()),
                None => BotEvent::InWithoutLobby,
            });
            let mut talk = Talk {
                lines,
                waiting: VecDeque::new(),
                board: None,
                new_game: true,
                wished: Wished::default(),
                nodes: None,
                owes_move: false,
                elsewhere: false,
                name: welcome.map(|welcome| welcome.name),
                seeks: BTreeSet::new(),
                asked: None,
                sought: None,
                tell: &mut *tell,
            };
            let Err(Broken(why)) = self.talk(&mut talk).await else {
                return Ok(());
            };
            if talk.elsewhere {
                return Err(BotError::Elsewhere);
            }
            tell(BotEvent::Lost(format!("the connection is lost: {why}")));
            let told = |error: &ClientError| tell(BotEvent::Lost(error.to_string()));
            entered = self.connector.come_back(told).await?;
        }
    }

    /// Starts an engine for each game, to know what to say about them.
    async fn introduce(&mut self) -> Result<(), BotError> {
        let mut games: Vec<Game> = self.engines.keys().copied().collect();
        games.sort_by_key(|game| game.name());
        if games.is_empty() {
            return Err(BotError::NoGame);
        }
        self.connector.games.clone_from(&games);
        for game in games {
            self.engine(game).await?;
            let Some(engine) = self.running.get(&game) else {
                continue;
            };
            let identity = engine.identity();
            let about = &mut self.connector.about;
            if about.is_empty() {
                let name = match (&self.connector.name, &self.connector.password) {
                    (Some(name), None) => name.clone(),
                    _ => engine.name().to_owned(),
                };
                about.push(Id::Name(name));
                about.extend(identity.author.clone().map(Id::Author));
            }
            let options = StrengthOptions::of(engine.options());
            self.announced = std::mem::take(&mut self.announced).or(options);
            if game == Game::Liberty {
                let version = identity.version.as_deref().and_then(|v| v.parse().ok());
                about.extend(version.map(Id::Version));
                about.extend(identity.pieces.clone().map(Id::Pieces));
                about.extend(identity.features.iter().cloned().map(Id::Feature));
            }
        }
        self.connector.options = self.announced.lines();
        Ok(())
    }

    /// The engine of a game, started if it does not run.
    async fn engine(&mut self, game: Game) -> Result<&mut Engine, BotError> {
        let dead = |engine: &Engine| engine.failure().is_some();
        if self.running.get(&game).is_none_or(dead) {
            let spec = self.engines.get(&game).ok_or(BotError::NoGame)?;
            let started = Engine::start(spec, game).await;
            let engine = started.map_err(|error| BotError::Engine {
                game,
                error: Box::new(error),
            })?;
            self.running.insert(game, engine);
        }
        self.running.get_mut(&game).ok_or(BotError::NoGame)
    }

    /// Talks until the connection breaks.
    async fn talk(&mut self, talk: &mut Talk<'_>) -> Result<(), Broken> {
        if !talk.has_lobby() {
            self.seek_nothing(talk);
        // One who comes back to a game is told at once, and seeks nothing.
        } else if let Ok(said) = timeout(SETTLE, talk.next()).await {
            let said = said?;
            let plays = matches!(said, ToClient::Lobby(Tell::Start(_)));
            talk.waiting.push_front(said);
            if !plays {
                self.put_up_seeks(talk).await?;
            }
        } else {
            self.put_up_seeks(talk).await?;
        }
        if self.accepts && talk.has_lobby() {
            // New ones are told from then on.
            let list = Ask::List(List::Seeks);
            talk.lines.say(&ToServer::Lobby(list)).await?;
        }
        loop {
            let said = talk.next().await?;
            match said {
                ToClient::IsReady => self.ready(talk).await?,
                ToClient::NewGame => talk.new_game = true,
                ToClient::SetOption { name, value } => talk.wished.hear(&name, value.as_deref()),
                ToClient::Position { start, moves } => self.position(talk, &start, &moves),
                ToClient::Go {
                    clocks,
                    nodes,
                    limits,
                } => {
                    talk.owes_move = true;
                    self.play(talk, clocks, nodes, limits).await?;
                }
                ToClient::Stop => talk.stop().await?,
                ref said @ (ToClient::Note(ref text)
                | ToClient::ClientError(ref text)
                | ToClient::ServerError(ref text)) => {
                    talk.elsewhere |= is_elsewhere(said);
                    (talk.tell)(BotEvent::Note(one_line(text).into_owned()));
                }
                ToClient::Lobby(tell) => self.lobby(talk, tell).await?,
                ToClient::Uci
                | ToClient::Clock(_)
                | ToClient::Thought(_)
                | ToClient::Quit
                | ToClient::Unknown(_) => {}
            }
        }
    }

    /// What was asked for on the command line and takes a lobby.
    fn seek_nothing(&self, talk: &mut Talk<'_>) {
        if !self.seeks.is_empty() || self.accepts {
            let text = "--seek and --accept need a lobby, which this server does not have";
            (talk.tell)(BotEvent::Lost(text.into()));
        }
    }

    fn position(&self, talk: &mut Talk<'_>, start: &str, moves: &[String]) {
        let lobby = talk.has_lobby();
        let change = match &mut talk.board {
            Some(board) => board.set(start, moves),
            None if lobby => return,
            None => Change::Other,
        };
        match change {
            Change::Wrong(_) | Change::Other if !lobby => {
                // A server without a lobby need not say ucinewgame either.
                talk.new_game = true;
                talk.board = None;
                let games: Vec<Game> = Game::ALL
                    .into_iter()
                    .filter(|game| self.engines.contains_key(game))
                    .collect();
                match Board::unannounced(&games, start, moves) {
                    Ok(board) => {
                        let text = format!("a game of {}", board.view.game);
                        (talk.tell)(BotEvent::Begins(text));
                        talk.board = Some(board);
                    }
                    Err(why) => {
                        let text = format!("an invalid position: {}", one_line(&why));
                        (talk.tell)(BotEvent::Note(text));
                    }
                }
            }
            Change::Wrong(why) => {
                let text = format!("an invalid position: {}", one_line(&why));
                (talk.tell)(BotEvent::Note(text));
            }
            _ => {}
        }
        let outcome = talk.board.as_ref().filter(|_| !lobby);
        if let Some(outcome) = outcome.and_then(|board| board.line.outcome_with_claims()) {
            (talk.tell)(BotEvent::Ends(format!("by the rules, {outcome}")));
        }
    }

    async fn put_up_seeks(&self, talk: &mut Talk<'_>) -> Result<(), Broken> {
        for wish in &self.seeks {
            talk.lines.add(&ToServer::Lobby(Ask::Seek(wish.clone())));
        }
        Ok(talk.lines.send().await?)
    }

    /// The engine of a game: started, as strong as the server wishes, and told of a
    /// new game if it does not know yet.
    async fn prepared(&mut self, talk: &mut Talk<'_>, game: Game) -> Result<&mut Engine, String> {
        let announced = self.announced.clone();
        let engine = match self.engine(game).await {
            Ok(engine) => engine,
            Err(error) => return Err(error.to_string()),
        };
        if std::mem::take(&mut talk.new_game) {
            let level = talk.wished.level(&announced);
            let strength = level.strength(&StrengthOptions::of(engine.options()));
            talk.nodes = strength.nodes;
            for (name, value) in strength.options {
                if let Err(error) = engine.set_option(&name, Some(&value)).await {
                    (talk.tell)(BotEvent::Note(format!("{name}: {error}")));
                }
            }
            engine.new_game().await.map_err(|e| e.to_string())?;
        }
        Ok(engine)
    }

    /// `isready`: the engine of the game that was announced must be there.
    async fn ready(&mut self, talk: &mut Talk<'_>) -> Result<(), Broken> {
        if let Some(game) = talk.board.as_ref().map(|board| board.view.game) {
            let ready = match self.prepared(talk, game).await {
                Ok(engine) => engine.ping().await.map(drop).map_err(|e| e.to_string()),
                Err(why) => Err(why),
            };
            if let Err(why) = ready {
                talk.give_up(&why).await?;
                if talk.has_lobby() {
                    return Ok(());
                }
            }
        }
        Ok(talk.lines.say(&ToServer::ReadyOk).await?)
    }

    async fn lobby(&mut self, talk: &mut Talk<'_>, tell: Tell) -> Result<(), Broken> {
        match tell {
            // Later than we waited for it: the server was slow.
            Tell::Welcome(welcome) => {
                (talk.tell)(BotEvent::In(welcome.name.to_string()));
                self.connector.remember(&welcome);
                talk.name = Some(welcome.name);
                self.put_up_seeks(talk).await?;
                if self.accepts {
                    let list = Ask::List(List::Seeks);
                    talk.lines.say(&ToServer::Lobby(list)).await?;
                }
            }
            Tell::Start(view) => {
                let [white, black] = &view.players;
                let text = format!("{white} - {black}, {} {}", view.game, view.time);
                (talk.tell)(BotEvent::Begins(format!("game {}, {text}", view.id)));
                talk.board = Some(Board::new(view));
                talk.asked = None;
            }
            Tell::End { id, result, reason } => {
                let text = format!("game {id} {} ({})", result.word(), one_line(&reason));
                (talk.tell)(BotEvent::Ends(text));
                talk.board = None;
                talk.pause().await;
                self.put_up_seeks(talk).await?;
                self.take_seek(talk).await?;
            }
            Tell::Challenge(seek) => {
                let can = self.engines.contains_key(&seek.wish.game) && talk.board.is_none();
                let answer = if can {
                    Ask::Accept(seek.id)
                } else {
                    Ask::Decline(seek.id)
                };
                talk.lines.say(&ToServer::Lobby(answer)).await?;
            }
            // It plays on; another game is welcome.
            Tell::Offer { offer, id, .. } => {
                let ours = talk.board.as_ref().is_some_and(|b| b.side().is_some());
                let answer = match offer {
                    Offer::Rematch => Ask::Offer(offer, Some(id)),
                    Offer::Draw | Offer::Takeback if ours => Ask::No(offer, Some(id)),
                    _ => return Ok(()),
                };
                talk.lines.say(&ToServer::Lobby(answer)).await?;
            }
            Tell::Error(text) => {
                (talk.tell)(BotEvent::Note(one_line(&text).into_owned()));
                // Another may have been quicker.
                talk.seeks.retain(|id| Some(*id) != talk.asked);
                talk.asked = None;
                self.take_seek(talk).await?;
            }
            Tell::Seek(seek) => {
                let can = self.engines.contains_key(&seek.wish.game)
                    && Some(&seek.by) != talk.name.as_ref();
                if self.accepts && can && talk.seeks.len() < MOST_WAITING {
                    talk.seeks.insert(seek.id);
                    self.take_seek(talk).await?;
                }
            }
            Tell::SeekGone(id) => {
                talk.seeks.remove(&id);
            }
            _ => {}
        }
        Ok(())
    }

    /// Asks for the oldest open seek, if it is free.
    async fn take_seek(&self, talk: &mut Talk<'_>) -> Result<(), Broken> {
        if talk.board.is_some() || talk.asked.is_some() {
            return Ok(());
        }
        if let Some(id) = talk.seeks.pop_first() {
            talk.asked = Some(id);
            talk.lines.say(&ToServer::Lobby(Ask::Accept(id))).await?;
        }
        Ok(())
    }

    /// `go`: searches, and answers.
    async fn play(
        &mut self,
        talk: &mut Talk<'_>,
        clocks: Clocks,
        nodes: Option<u64>,
        wanted: GoLimits,
    ) -> Result<(), Broken> {
        let Some(board) = &talk.board else {
            if !talk.has_lobby() {
                return talk.give_up("no engine here plays this position").await;
            }
            return Ok(());
        };
        let (line, game) = (board.line.clone(), board.view.game);
        let clocks = host_clocks(clocks, line.side(), self.overhead);
        let answer = match self.prepared(talk, game).await {
            Ok(engine) => {
                // A server that names another limit may name no clock.
                let timed = !clocks.white.remaining.is_zero() || !clocks.black.remaining.is_zero();
                let limited = wanted != GoLimits::default() || nodes.is_some();
                let limits = Limits {
                    clocks: (timed || !limited).then_some(clocks),
                    nodes: nodes.or(talk.nodes),
                    movetime: wanted.movetime,
                    depth: wanted.depth,
                    mate: wanted.mate,
                    infinite: wanted.infinite,
                    searchmoves: wanted.searchmoves,
                    ..Limits::default()
                };
                search(engine, &line, limits, talk).await?
            }
            Err(why) => Err(why),
        };
        match answer {
            Ok(text) => {
                let lobby = talk.has_lobby();
                if !lobby && let Some(board) = &mut talk.board {
                    board.moved(&text);
                }
                talk.answer(text).await
            }
            Err(why) => talk.give_up(&why).await,
        }
    }
}
