//! From a draft to a match in which nothing is missing.

use core::time::Duration;
use std::path::Path;

use quadrille_games::{AnyLine, Game};

use super::description::{Entrant, MatchConfig};
use super::draft::Draft;
use super::entrants::check_games;
use super::error::ConfigError;
use super::machine::MachineConfig;
use super::output::{OutputConfig, OutputFile, PgnOutput};
use super::rules::{DrawRule, GameRules, ResignRule, TablebaseConfig};
use super::schedule::{Format, OpeningFormat, OpeningSource, ScheduleConfig};
use crate::stats::{SprtConfig, SprtModel};

/// Neither rounds nor games of an encounter.
const MOST_GAMES: u32 = 100_000_000;
/// Games altogether, and of a format that lists its games.
const MOST_TOTAL: u64 = 4_000_000_000;
const MOST_LISTED: u64 = 100_000_000;
/// Rounds of a sequential test that names none: it ends by itself.
pub(super) const SPRT_ROUNDS: u32 = 500_000;
/// Random half moves where the user names no number.
const RANDOM_PLIES: u32 = 8;

impl Draft {
    /// Checks everything and fills in what was not said.
    pub fn finish(self) -> Result<MatchConfig, ConfigError> {
        let engines = self.entrants()?;
        let (game, rules) = self.game_and_rules()?;
        check_games(&engines, game)?;
        let (rounds, games, repeat) = self.amounts()?;
        let sprt = self.sprt(engines.len())?;
        let noswap = self.noswap.unwrap_or(false);
        let pairs = games == 2 && repeat >= 2 && !noswap;
        let bayesian = sprt.is_some_and(|sprt| sprt.model == SprtModel::Bayesian);
        let adjudication = self.adjudication()?;
        let is_off = self.log.as_ref().is_some_and(|log| log.off);
        Ok(MatchConfig {
            schedule: ScheduleConfig {
                format: self.tournament.unwrap_or_default(),
                seeds: self.seeds(engines.len())?,
                rounds,
                games,
                repeat,
                noswap,
                reverse: self.reverse.unwrap_or(false),
                openings: self.opening_source(game)?,
                seed: self.srand.unwrap_or_else(seed_of_the_moment),
                sprt,
                pentanomial: self.pentanomial.unwrap_or(true) && pairs && !bayesian,
            },
            rules: GameRules {
                game,
                rules,
                resign: adjudication.0,
                draw: adjudication.1,
                max_moves: self.maxmoves.filter(|most| *most > 0),
                tablebases: self.tablebases(game)?,
                clock: self.clock.unwrap_or_default(),
            },
            machine: MachineConfig {
                concurrency: games_at_once(self.concurrency.unwrap_or(1)),
                force_concurrency: self.force_concurrency.unwrap_or(false),
                affinity: self.affinity.unwrap_or(false),
                processors: self.processors.clone().unwrap_or_default(),
                recover: self.recover.unwrap_or(false),
                wait: Duration::from_millis(self.wait.unwrap_or(0)),
            },
            output: OutputConfig {
                event: self
                    .event
                    .clone()
                    .unwrap_or_else(|| "Quadrille match".into()),
                site: self.site.clone().unwrap_or_else(|| "?".into()),
                rating_interval: self.ratinginterval.unwrap_or(10),
                score_interval: self.scoreinterval.unwrap_or(1),
                show_latency: self.show_latency.unwrap_or(false),
                strict: self.strict.unwrap_or(false),
                pgn: self.pgn()?,
                epd: self.epd()?,
                log: self
                    .log(engines.iter().map(Entrant::name))?
                    .filter(|_| !is_off),
                store: self.store,
            },
            engines,
        })
    }

    fn game_and_rules(&self) -> Result<(Game, String), ConfigError> {
        let mut game = self.game.map(|word| word.0);
        let mut rules = self.rules.clone();
        if let Some(variant) = &self.variant {
            let lower = variant.to_ascii_lowercase();
            let named = match lower.as_str() {
                "standard" | "normal" => Game::Chess,
                "fischerandom" | "chess960" | "frc" | "fischerrandom" => {
                    rules.get_or_insert_with(|| "chess960".into());
                    Game::Chess
                }
                word => word.parse().map_err(|_| {
                    ConfigError::new(format!("unknown variant '{variant}'")).hint(
                        "choose standard, fischerandom, liberty, leiser or gyges; rules with -rules",
                    )
                })?,
            };
            if game.is_some_and(|game| game != named) {
                let message = format!("variant '{variant}' is not of the game that was chosen");
                return Err(ConfigError::new(message).hint("say only one of the two"));
            }
            game = Some(named);
        }
        let game = game.unwrap_or(Game::Chess);
        let rules = rules.unwrap_or_default();
        AnyLine::new(game, &rules, "")
            .map_err(|error| ConfigError::new(format!("rules '{rules}' of {game}: {error}")))?;
        Ok((game, rules))
    }

    /// Rounds, games of an encounter, games of an opening.
    fn amounts(&self) -> Result<(u32, u32, u32), ConfigError> {
        let amount = |name: &str, value: u32| match value {
            1..=MOST_GAMES => Ok(value),
            _ => Err(ConfigError::new(format!(
                "{name} is {value}, but must lie between 1 and {MOST_GAMES}"
            ))),
        };
        let usual_rounds = if self.sprt.is_some() { SPRT_ROUNDS } else { 1 };
        // As in fastchess: a test needs no number of rounds.
        let rounds = self.rounds.filter(|n| *n > 0 || self.sprt.is_none());
        let rounds = amount("rounds", rounds.unwrap_or(usual_rounds))?;
        let repeat = self
            .repeat
            .map(|repeat| amount("repeat", repeat))
            .transpose()?;
        let games = amount("games", self.games.or(repeat).unwrap_or(2))?;
        let repeat = repeat.unwrap_or(games.min(2));
        let format = self.tournament.unwrap_or_default();
        check_total(format, self.engines.len(), rounds, games)?;
        Ok((rounds, games, repeat))
    }

    fn seeds(&self, engines: usize) -> Result<usize, ConfigError> {
        let format = self.tournament.unwrap_or_default();
        let (usual, most) = match format {
            Format::Gauntlet => (1, engines - 1),
            Format::Knockout => (engines, engines),
            _ => (0, engines),
        };
        let seeds = self.seeds.unwrap_or(usual);
        let least = usize::from(format == Format::Gauntlet);
        if (least..=most).contains(&seeds) {
            return Ok(seeds);
        }
        let message =
            format!("seeds is {seeds}, but a {format} of {engines} can have {least} to {most}");
        Err(ConfigError::new(message))
    }

    fn opening_source(&self, game: Game) -> Result<OpeningSource, ConfigError> {
        let mut source = self.openings.clone().unwrap_or_default();
        if source.start == 0 {
            source.start = 1;
        }
        if let (Some(file), OpeningFormat::Start) = (&source.file, source.format) {
            source.format = format_of_file(file, game).ok_or_else(|| {
                ConfigError::new(format!("what kind of openings is in {}?", file.display()))
                    .hint("say format=epd, pgn, fen, polyglot or moves")
            })?;
        }
        let kind = source.format;
        let only = match kind {
            OpeningFormat::Epd
            | OpeningFormat::Polyglot
            | OpeningFormat::Chess960
            | OpeningFormat::Double960 => Some(Game::Chess),
            OpeningFormat::GygesRows => Some(Game::Gyges),
            _ => None,
        };
        // Lists of positions of other games are often named .epd as well.
        if kind == OpeningFormat::Epd && game != Game::Chess {
            source.format = OpeningFormat::Fen;
        } else if only.is_some_and(|only| only != game) {
            let message = format!("openings of the kind '{kind}' are not of the game {game}");
            return Err(ConfigError::new(message));
        }
        let needs_file = matches!(
            kind,
            OpeningFormat::Epd
                | OpeningFormat::Pgn
                | OpeningFormat::Fen
                | OpeningFormat::Polyglot
                | OpeningFormat::Moves
        );
        match (&source.file, needs_file) {
            (None, true) => {
                let message = format!("openings of the kind '{kind}' need a file");
                return Err(ConfigError::new(message).hint("add file=FILE to -openings"));
            }
            (Some(file), false) => {
                let message = format!(
                    "openings of the kind '{kind}' are drawn by lot, but there is the file {}",
                    file.display()
                );
                return Err(ConfigError::new(message).hint("leave out one of the two"));
            }
            _ => {}
        }
        if kind == OpeningFormat::Random {
            source.plies.get_or_insert(RANDOM_PLIES);
        }
        if source.plies.is_some_and(|plies| plies > 1000) {
            return Err(ConfigError::new("openings of more than 1000 plies"));
        }
        Ok(source)
    }

    fn adjudication(&self) -> Result<(Option<ResignRule>, Option<DrawRule>), ConfigError> {
        let negative = |name: &str| {
            Err(
                ConfigError::new(format!("the score of -{name} is below zero"))
                    .hint("it is a distance from zero, in hundredths of a pawn"),
            )
        };
        match (self.resign, self.draw) {
            (Some(rule), _) if rule.score < 0 => negative("resign"),
            (_, Some(rule)) if rule.score < 0 => negative("draw"),
            (_, Some(rule)) if rule.movecount == 0 => Err(ConfigError::new(
                "-draw movecount is 0: every game would be drawn, whatever its scores",
            )
            .hint("-maxmoves N ends long games; leave out -draw to play all to the end")),
            // 0 is off, as in cutechess.
            (resign, draw) => Ok((resign.filter(|rule| rule.movecount > 0), draw)),
        }
    }

    fn tablebases(&self, game: Game) -> Result<Option<TablebaseConfig>, ConfigError> {
        let Some(tables) = self.tb.clone() else {
            return Ok(None);
        };
        if game != Game::Chess {
            return Err(ConfigError::new(format!(
                "there are no endgame tables for {game}"
            )));
        }
        if tables.paths.is_empty() {
            return Err(
                ConfigError::new("endgame tables are wanted, but not where they are")
                    .hint("add -tb FOLDER"),
            );
        }
        Ok(Some(tables))
    }

    fn sprt(&self, engines: usize) -> Result<Option<SprtConfig>, ConfigError> {
        let Some(sprt) = self.sprt else {
            return Ok(None);
        };
        sprt.check()
            .map_err(|why| ConfigError::new(format!("sprt: {why}")))?;
        if engines != 2 {
            return Err(ConfigError::new(format!(
                "a sequential test compares two engines, but there are {engines}"
            )));
        }
        Ok(Some(sprt))
    }

    pub(super) fn pgn(&self) -> Result<Option<PgnOutput>, ConfigError> {
        let Some(draft) = &self.pgnout else {
            return Ok(None);
        };
        let file = named("pgnout", draft.file.as_deref())?;
        Ok(Some(PgnOutput {
            append: draft.append.unwrap_or(true),
            notation: draft.notation,
            min: draft.min,
            fields: draft.fields,
            ..PgnOutput::new(file)
        }))
    }

    pub(super) fn epd(&self) -> Result<Option<OutputFile>, ConfigError> {
        let Some(draft) = &self.epdout else {
            return Ok(None);
        };
        let file = named("epdout", draft.file.as_deref())?;
        Ok(Some(OutputFile {
            file: file.into(),
            append: draft.append.unwrap_or(true),
        }))
    }
}

/// Refuses an event that is too large to be numbered.
pub(crate) fn check_total(
    format: Format,
    engines: usize,
    rounds: u32,
    games: u32,
) -> Result<(), ConfigError> {
    // Formats that depend on results keep a list of their games.
    let (most, why) = match format {
        Format::Swiss | Format::Knockout => (MOST_LISTED, "of this format"),
        _ => (MOST_TOTAL, "altogether"),
    };
    let pairs = (engines as u64).pow(2);
    let total = u64::from(rounds).checked_mul(u64::from(games));
    let total = total.and_then(|total| total.checked_mul(pairs));
    match total {
        Some(total) if total <= most => Ok(()),
        _ => Err(ConfigError::new(format!("these are too many games {why}"))
            .hint("take fewer rounds or fewer games")),
    }
}

pub(super) fn named<'a>(flag: &str, file: Option<&'a Path>) -> Result<&'a Path, ConfigError> {
    file.filter(|file| !file.as_os_str().is_empty())
        .ok_or_else(|| ConfigError::new(format!("{flag} needs a file")).hint("add file=FILE"))
}

fn format_of_file(file: &Path, game: Game) -> Option<OpeningFormat> {
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "epd" if game == Game::Chess => Some(OpeningFormat::Epd),
        "epd" | "fen" | "lfen" | "pos" => Some(OpeningFormat::Fen),
        "pgn" => Some(OpeningFormat::Pgn),
        "bin" => Some(OpeningFormat::Polyglot),
        "moves" => Some(OpeningFormat::Moves),
        _ => None,
    }
}

/// How many games run at once: zero is one game for each processor, -1 leaves
/// one processor free.
pub fn games_at_once(wanted: i64) -> usize {
    if let Ok(number @ 1..) = usize::try_from(wanted) {
        return number;
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let spare = usize::try_from(wanted.unsigned_abs()).unwrap_or(usize::MAX);
    processors.saturating_sub(spare).max(1)
}

/// A seed that the user did not choose. It is kept with the match, so that going on later
/// draws the same lots.
fn seed_of_the_moment() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = now.map_or(0, |time| time.as_nanos() as u64);
    // Whole numbers up to 2^53 survive every JSON reader.
    nanos.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) >> 11
}
