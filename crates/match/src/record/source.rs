//! Games of a store as texts.

use super::epd::epd;
use super::output::OutputError;
use super::pgn::{GameText, PgnStyle, pgn};
use crate::config::{MatchConfig, Notation, OutputConfig};
use crate::store::{GameRow, GameState, PlayerRow, Reader};

/// How a game is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The whole record.
    Pgn(PgnStyle),
    /// The last position.
    Epd,
}

impl Form {
    /// The name under which a store remembers how far a file has come.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Pgn(_) => "pgn",
            Self::Epd => "epd",
        }
    }
}

/// What every record of an event says beside the game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    /// The name of the event.
    pub event: String,
    /// Where it takes place.
    pub site: String,
    /// The time control of each player, in PGN's words.
    pub time_controls: Vec<String>,
}

impl Heading {
    /// That of an event.
    pub fn of(config: &MatchConfig) -> Self {
        let controls = config.engines.iter().map(|e| e.time.pgn_text());
        Self {
            event: config.output.event.clone(),
            site: config.output.site.clone(),
            time_controls: controls.collect(),
        }
    }
}

/// How an event wants its games written; the usual way if it says nothing.
pub fn pgn_style(output: &OutputConfig) -> PgnStyle {
    use quadrille_games::records::Notation as Record;
    let Some(pgn) = &output.pgn else {
        return PgnStyle {
            openings: true,
            ..PgnStyle::default()
        };
    };
    PgnStyle {
        notation: match pgn.notation {
            Notation::San => Record::Human,
            Notation::Lan => Record::Long,
            Notation::Uci => Record::Engine,
        },
        min: pgn.min,
        fields: pgn.fields,
        openings: pgn.openings,
    }
}

/// Makes texts of the finished games of a store: the same ones while an event
/// runs, after a resume and years later.
#[derive(Debug)]
pub struct GameSource {
    reader: Reader,
    heading: Heading,
    players: Vec<PlayerRow>,
}

impl GameSource {
    /// The games that a connection sees.
    pub fn new(reader: Reader, heading: Heading) -> Result<Self, OutputError> {
        let players = reader.players()?;
        Ok(Self {
            reader,
            heading,
            players,
        })
    }

    /// The store.
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Asks again what the players call themselves: they say so when they are
    /// started.
    pub(super) fn refresh(&mut self) -> Result<(), OutputError> {
        self.players = self.reader.players()?;
        Ok(())
    }

    /// The numbers of all finished games from one on, in order.
    pub fn finished(&self, from: u64) -> Result<Vec<u64>, OutputError> {
        Ok(self.reader.finished(from)?)
    }

    /// A game in a form; `None` while it is not finished.
    pub fn text(&self, number: u64, form: Form) -> Result<Option<String>, OutputError> {
        match self.reader.game(number)? {
            Some(game) if game.state == GameState::Finished => self.write(&game, form).map(Some),
            _ => Ok(None),
        }
    }

    fn write(&self, game: &GameRow, form: Form) -> Result<String, OutputError> {
        let number = game.new.number;
        let plies = self.reader.plies(number)?;
        let unknown = PlayerRow {
            name: "?".into(),
            engine: None,
            author: None,
        };
        let players = &self.players;
        let player = |side: usize| players.get(game.new.players[side]).unwrap_or(&unknown);
        let control = |side: usize| {
            let known = self.heading.time_controls.get(game.new.players[side]);
            known.map_or("?", String::as_str)
        };
        let text = GameText {
            event: &self.heading.event,
            site: &self.heading.site,
            game,
            players: [player(0), player(1)],
            time_controls: [control(0), control(1)],
            plies: &plies,
        };
        let written = match form {
            Form::Pgn(style) => pgn(&text, &style),
            Form::Epd => text.line().map(|line| epd(&line) + "\n"),
        };
        written.map_err(|error| OutputError::Game { number, error })
    }
}
