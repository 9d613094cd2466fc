//! An event as it stands in its file: over, interrupted, or running beside us.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille_games::{AnyLine, files};

use super::changes::Change;
use super::event::MatchEvent;
use super::results::Results;
use super::run::TournamentError;
use crate::config::MatchConfig;
use crate::pairing::{Plan, Schedule};
use crate::record::{Form, GameSource, Heading, OutputError, PgnStyle};
use crate::referee::Ply;
use crate::store::{EventRow, GameRow, GameState, PlayerRow, Reader, Runner, Store, StoreError};

/// Where an event stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventState {
    /// A process runs it; one that has only begun to is not known by name.
    Running(Option<Runner>),
    /// Everything is played, or the test is decided.
    Over,
    /// It was stopped or cut short, and can go on.
    Interrupted,
}

/// What is read back from a store.
pub(super) struct History {
    pub(super) event: EventRow,
    pub(super) config: MatchConfig,
    pub(super) results: Results,
    pub(super) schedule: Schedule,
}

impl History {
    /// The description, and all results that it explains.
    pub(super) fn read(reader: &Reader, path: &Path) -> Result<Self, TournamentError> {
        let odd = |detail: String| TournamentError::Description {
            path: path.into(),
            detail,
        };
        let event = reader.event()?;
        let config: MatchConfig =
            serde_json::from_str(&event.config).map_err(|error| odd(error.to_string()))?;
        let plan = Plan::of(&config);
        let mut results = Results::new(&config);
        let mut schedule = Schedule::new(&plan, |_| None);
        for row in reader.games()? {
            let Some(end) = row.end.filter(|_| row.state == GameState::Finished) else {
                continue;
            };
            let number = row.new.number;
            // The next rounds of some formats follow from the results so far.
            if schedule.game(number).is_none() {
                schedule = Schedule::new(&plan, |n| results.result(n));
            }
            match schedule.game(number) {
                Some(pairing) if [pairing.white, pairing.black] == row.new.players => {
                    results.count(&pairing, &end);
                }
                _ => return Err(odd(format!("game {number} is not one of its games"))),
            }
        }
        results.judge();
        let schedule = Schedule::new(&plan, |n| results.result(n));
        Ok(Self {
            event,
            config,
            results,
            schedule,
        })
    }
}

/// An event that is read and never written: also one that another process runs.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    event: EventRow,
    config: MatchConfig,
    results: Results,
    schedule: Schedule,
    source: GameSource,
}

impl Archive {
    /// Reads the file of an event.
    pub fn open(path: &Path) -> Result<Self, TournamentError> {
        let reader = Reader::open(path)?;
        let history = History::read(&reader, path)?;
        Ok(Self {
            path: path.into(),
            source: GameSource::new(reader, Heading::of(&history.config))?,
            event: history.event,
            config: history.config,
            results: history.results,
            schedule: history.schedule,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Who wrote the file, and when it began.
    pub const fn event(&self) -> &EventRow {
        &self.event
    }

    /// The description, as it is now.
    pub const fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Returns what a place where games are played has kept under a name.
    pub fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.reader().note(key)
    }

    /// What was changed since the event began, in order.
    pub fn changes(&self) -> Result<Vec<Change>, StoreError> {
        Change::all(self.reader())
    }

    /// The results of all games that are finished.
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// The games that are to be played, as far as they are known.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The players, with what their engines call themselves.
    pub fn players(&self) -> Result<Vec<PlayerRow>, StoreError> {
        self.reader().players()
    }

    /// Where the event stands.
    pub fn state(&self) -> EventState {
        if let Some(runner) = Store::runner(&self.path) {
            return EventState::Running(runner);
        }
        let all = self.schedule.complete()
            && (1..=self.schedule.known()).all(|n| self.results.result(n).is_some());
        if all || self.results.standing().decision().is_some() {
            EventState::Over
        } else {
            EventState::Interrupted
        }
    }

    fn reader(&self) -> &Reader {
        self.source.reader()
    }

    /// All games that were begun, in the order of their numbers.
    pub fn games(&self) -> Result<Vec<GameRow>, StoreError> {
        self.reader().games()
    }

    /// How many plies a game has, its opening's included.
    pub fn plies(&self, number: u64) -> Result<u64, StoreError> {
        self.reader().ply_count(number)
    }

    /// One game with its moves, and the line of play that they make.
    pub fn game(
        &self,
        number: u64,
    ) -> Result<Option<(GameRow, Vec<Ply>, AnyLine)>, TournamentError> {
        let Some(row) = self.reader().game(number)? else {
            return Ok(None);
        };
        let plies = self.reader().plies(number)?;
        let odd = |detail: String| OutputError::Damaged { number, detail };
        let new = &row.new;
        let mut line = AnyLine::new(new.game, &new.rules, &new.start)
            .map_err(|error| odd(error.to_string()))?;
        for ply in &plies {
            line.play(&ply.text)
                .map_err(|error| odd(error.to_string()))?;
        }
        Ok(Some((row, plies, line)))
    }

    /// A finished game in a form, as [`export`](Self::export) writes it.
    pub fn text(&self, number: u64, form: Form) -> Result<Option<String>, TournamentError> {
        Ok(self.source.text(number, form)?)
    }

    /// Writes all finished games, in the order of their numbers: what `-pgnout`
    /// or `-epdout` would have written into an empty file.
    pub fn export(&self, form: Form, out: &mut dyn Write) -> Result<(), ExportError> {
        for number in self.source.finished(1)? {
            if let Some(text) = self.source.text(number, form)? {
                out.write_all(text.as_bytes())?;
            }
        }
        out.flush()?;
        Ok(())
    }

    /// Tells everything again that was told while the event ran, game by game,
    /// and the score at the end.
    pub fn replay(
        &self,
        tell: &mut dyn FnMut(&MatchEvent) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        tell(&MatchEvent::Start {
            store: self.path.clone(),
            name: self.config.output.event.clone(),
            players: self.results.names().to_vec(),
            finished: self.results.standing().finished,
            games: self.schedule.known(),
            concurrency: self.config.machine.concurrency,
        })?;
        for row in self.games()? {
            self.replay_game(row, tell)?;
        }
        let standing = Box::new(self.results.standing().clone());
        tell(&MatchEvent::Score(standing))?;
        Ok(())
    }

    fn replay_game(
        &self,
        row: GameRow,
        tell: &mut dyn FnMut(&MatchEvent) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let new = row.new;
        let game = new.number;
        let plies = self.reader().plies(game)?;
        let start = AnyLine::new(new.game, &new.rules, &new.start);
        let start = start.map_err(|error| OutputError::Damaged {
            number: game,
            detail: error.to_string(),
        })?;
        let round = u32::try_from(new.round).unwrap_or(u32::MAX);
        let [white, black] = new.players;
        let book = plies.iter().filter(|ply| ply.book);
        tell(&MatchEvent::GameStart {
            game,
            round,
            white,
            black,
            opening: new.label,
            first: start.side(),
            start: new.start,
            moves: book.map(|ply| ply.text.clone()).collect(),
        })?;
        let count = plies.len();
        let made = plies.into_iter().enumerate().filter(|(_, ply)| !ply.book);
        for (index, made) in made {
            let made = Box::new(made);
            let ply = index + 1;
            tell(&MatchEvent::Ply { game, ply, made })?;
        }
        match (row.state, row.end) {
            (GameState::Finished, Some(end)) => tell(&MatchEvent::GameEnd {
                game,
                round,
                white,
                black,
                result: end.ending.result,
                termination: end.ending.termination.tag().into(),
                reason: end.ending.to_string(),
                plies: count,
                duration: Duration::from_micros(end.duration_us),
                findings: end.findings,
            })?,
            (GameState::Abandoned, _) => tell(&MatchEvent::GameAbandoned { game })?,
            _ => {}
        }
        Ok(())
    }
}

/// Something that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A game.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Where it should go.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// The games of a file as PGN: of a store all finished games, with everything
/// that is known about their moves; otherwise the file itself.
pub fn games_of(path: &Path) -> Result<Box<dyn Read>, TournamentError> {
    let unreadable = |error| {
        let path = path.into();
        TournamentError::Unreadable { path, error }
    };
    let file = files::open_stream(path).map_err(unreadable)?;
    let mut start = Vec::new();
    let mut first = (&file).take(SQLITE.len() as u64);
    first.read_to_end(&mut start).map_err(unreadable)?;
    if start != SQLITE {
        return Ok(Box::new(io::Cursor::new(start).chain(file)));
    }
    // Closed before the store is opened: closing takes away SQLite's locks.
    drop(file);
    let archive = Archive::open(path)?;
    let mut style = PgnStyle::default();
    style.fields.nodes = true;
    let numbers = archive.source.finished(1)?.into_iter();
    Ok(Box::new(StoredGames {
        archive,
        form: Form::Pgn(style),
        numbers,
        text: io::Cursor::new(Vec::new()),
    }))
}

/// What every file of `SQLite` begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// One game after the other, made when it is read.
struct StoredGames {
    archive: Archive,
    form: Form,
    numbers: std::vec::IntoIter<u64>,
    text: io::Cursor<Vec<u8>>,
}

impl Read for StoredGames {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(room)?;
            if count > 0 || room.is_empty() {
                return Ok(count);
            }
            let Some(number) = self.numbers.next() else {
                return Ok(0);
            };
            let text = self.archive.source.text(number, self.form);
            let text = text.map_err(io::Error::other)?.unwrap_or_default();
            self.text = io::Cursor::new(text.into_bytes());
        }
    }
}
