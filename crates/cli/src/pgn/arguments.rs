//! The words of `quadrille pgn`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use quadrille_games::Game;
use quadrille_games::records::{GameResult, Notation, WriteOptions};
use quadrille_pgn::{
    Condition, Conditions, DateSpan, EcoSpan, Field, Form, Job, LEAST_MEMORY, Sameness, SortField,
    Span, Spread, TagTest, Task,
};

use super::Order;
use crate::failure::Failure;

#[derive(Subcommand)]
pub(crate) enum Work {
    /// Write the games that fulfil all conditions
    Filter {
        #[command(flatten)]
        common: Box<Common>,
        #[command(flatten)]
        target: Target,
    },
    /// Write games in another form
    Convert {
        #[command(flatten)]
        common: Box<Common>,
        #[command(flatten)]
        target: Target,
    },
    /// Write games in order
    Sort {
        #[command(flatten)]
        common: Box<Common>,
        #[command(flatten)]
        target: Target,
        /// date, year, white, black, event, site, round, eco, elo, result, plies,
        /// game, or a tag by its name; `-` before one turns it round
        #[arg(
            long,
            value_name = "FIELDS",
            value_delimiter = ',',
            default_value = "date",
            allow_hyphen_values = true
        )]
        by: Vec<SortField>,
    },
    /// Write each game once
    Dedupe {
        #[command(flatten)]
        common: Box<Common>,
        #[command(flatten)]
        target: Target,
        /// What makes games the same
        #[arg(long, value_name = "WHAT", default_value = "game")]
        by: Same,
    },
    /// Write games into several files
    Split {
        #[command(flatten)]
        common: Box<Common>,
        #[command(flatten)]
        target: Target,
        /// So many games in a file
        #[arg(long, value_name = "N", conflicts_with = "by", required_unless_present = "by",
              value_parser = clap::value_parser!(u64).range(1..))]
        every: Option<u64>,
        /// A file for each value of a field
        #[arg(long, value_name = "FIELD")]
        by: Option<Field>,
        /// Replace files that are there
        #[arg(long)]
        force: bool,
    },
    /// Count games
    Count {
        #[command(flatten)]
        common: Box<Common>,
        /// Count those with each value of a field, too
        #[arg(long, value_name = "FIELD")]
        by: Option<Field>,
    },
    /// Follow every move and say what is wrong
    Check {
        #[command(flatten)]
        common: Box<Common>,
    },
}

/// What every subcommand knows.
#[derive(Args)]
pub(crate) struct Common {
    /// Files of games; `-` is standard input, which is read if none is named
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    selection: Selection,

    /// Put games that cannot be read here, byte for byte
    #[arg(long, value_name = "FILE")]
    pub(super) broken: Option<PathBuf>,

    /// Look at tags only: several times as fast, and broken games pass unseen
    #[arg(long)]
    no_check: bool,

    /// Memory to use, in MiB; what does not fit goes to temporary files
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,

    /// Folder for temporary files; the system's if missing
    #[arg(long, value_name = "FOLDER")]
    temp: Option<PathBuf>,

    /// Threads that follow moves; one for each processor if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Tell what happens as JSON, one object per line
    #[arg(long)]
    pub(super) json: bool,
}

/// Which games.
#[derive(Args)]
#[command(next_help_heading = "Which games (all must hold)")]
pub(crate) struct Selection {
    /// A player has this in the name
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,

    /// White has
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Black has
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// A tag: `Name`, `Name=x`, `Name!=x`, `Name~part`, `Name>=5`
    #[arg(long, value_name = "TEST")]
    tag: Vec<TagTest>,

    /// One of these results: 1-0, 0-1, 1/2-1/2, *
    #[arg(long, value_name = "RESULTS", value_delimiter = ',', value_parser = result)]
    result: Vec<GameResult>,

    /// Elo of both players: `2400..2700`, `2400..`, `..2000`
    #[arg(long, value_name = "SPAN")]
    elo: Option<Span>,

    /// When: `2020`, `2020.05..2021`, `2019..`
    #[arg(long, value_name = "SPAN")]
    date: Option<DateSpan>,

    /// Code of the opening: `B90`, `B9`, `B20..C19`
    #[arg(long, value_name = "SPAN")]
    eco: Option<EcoSpan>,

    /// Half-moves of the main line: `20..80`
    #[arg(long, value_name = "SPAN")]
    plies: Option<Span>,

    /// Place in the file: `1..100`
    #[arg(long, value_name = "SPAN")]
    numbers: Option<Span>,

    /// chess, liberty, leiser or gyges
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    /// The game comes through this position
    #[arg(long, value_name = "FEN")]
    position: Vec<String>,

    /// It begins with these moves: `e4 c5 Nf3`
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// Turn it round: the games that do not fulfil all conditions
    #[arg(long)]
    invert: bool,
}

fn result(text: &str) -> Result<GameResult, String> {
    GameResult::from_word(text).ok_or_else(|| "it is none of 1-0, 0-1, 1/2-1/2 and *".into())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Same {
    /// Start, moves, result, players, date, round and event
    Game,
    /// Start and moves
    Moves,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// The bytes of the file
    Same,
    /// PGN with moves for people
    San,
    /// PGN with both squares of each move: Ng1-f3
    Lan,
    /// PGN with moves as engines write them
    Uci,
    /// Every position of the main line, one on a line
    Fen,
    /// The last position of the main line
    Last,
    /// One JSON object per line
    Json,
}

/// Where games go, and in which form.
#[derive(Args)]
#[command(next_help_heading = "Where games go")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Target {
    /// Write here, not to standard output; the file is there when all is done
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Put games that are not wanted here
    #[arg(long, value_name = "FILE")]
    pub(super) rest: Option<PathBuf>,

    /// Put games that were there before here (dedupe)
    #[arg(long, value_name = "FILE")]
    pub(super) duplicates: Option<PathBuf>,

    /// The form of the games; `same` if missing, `san` for convert
    #[arg(long, value_name = "FORM")]
    to: Option<To>,

    /// Only the moves of the main line
    #[arg(long)]
    bare: bool,

    /// Leave variations out
    #[arg(long)]
    no_variations: bool,

    /// Leave comments out, and what is in them
    #[arg(long)]
    no_comments: bool,

    /// Leave glyphs out
    #[arg(long)]
    no_nags: bool,

    /// All moves on one line
    #[arg(long)]
    one_line: bool,
}

impl Target {
    fn form(&self, usual: To) -> Result<Form, Failure> {
        let to = self.to.unwrap_or(usual);
        let changed =
            self.bare || self.no_variations || self.no_comments || self.no_nags || self.one_line;
        let notation = match to {
            To::San => Notation::Human,
            To::Lan => Notation::Long,
            To::Uci => Notation::Engine,
            To::Same if changed => Notation::Human,
            To::Fen | To::Last | To::Json if changed => {
                let message = "nothing can be left out of this form";
                return Err(Failure::input(message).hint("take --to san, lan or uci"));
            }
            To::Same => return Ok(Form::Same),
            To::Fen => return Ok(Form::Positions),
            To::Last => return Ok(Form::Last),
            To::Json => return Ok(Form::Json),
        };
        let mut options = if self.bare {
            WriteOptions::bare()
        } else {
            WriteOptions::default()
        };
        options.notation = notation;
        options.variations &= !self.no_variations;
        options.nags &= !self.no_nags;
        if self.no_comments {
            options = WriteOptions {
                comments: false,
                clocks: false,
                evaluations: false,
                commands: false,
                ..options
            };
        }
        if self.one_line {
            options = options.one_line();
        }
        Ok(Form::Pgn(options))
    }
}

impl Work {
    pub(super) fn order(&self) -> Result<Order<'_>, Failure> {
        let (common, target, task) = match self {
            Self::Filter { common, target } | Self::Convert { common, target } => {
                (common, Some(target), Task::Write)
            }
            Self::Sort { common, target, by } => (common, Some(target), Task::Sort(by.clone())),
            Self::Dedupe { common, target, by } => {
                let same = match by {
                    Same::Game => Sameness::Game,
                    Same::Moves => Sameness::Moves,
                };
                (common, Some(target), Task::Dedupe(same))
            }
            Self::Split {
                common,
                target,
                every,
                by,
                force,
            } => {
                let named = target.output.as_ref();
                let Some(pattern) = named.filter(|path| path.as_os_str() != "-") else {
                    return Err(Failure::input("say what the files are called: --output games.pgn")
                        .hint("they become games-1.pgn, games-2.pgn; {} in the name is where the number goes"));
                };
                let spread = match (every, by) {
                    (Some(every), _) => Spread::Every(*every),
                    (None, Some(field)) => Spread::By(field.clone()),
                    (None, None) => return Err(Failure::input("say --every N or --by FIELD")),
                };
                (
                    common,
                    Some(target),
                    Task::Split(spread, pattern.clone(), *force),
                )
            }
            Self::Count { common, by } => (common, None, Task::Count(by.clone())),
            Self::Check { common } => (common, None, Task::Check),
        };
        let usual = match self {
            Self::Convert { .. } => To::San,
            _ => To::Same,
        };
        let form = target.map_or(Ok(Form::Same), |target| target.form(usual))?;
        if let Some(target) = target
            && target.duplicates.is_some()
            && !matches!(task, Task::Dedupe(_))
        {
            return Err(Failure::input("only dedupe finds duplicates"));
        }
        let mut job = Job {
            task,
            conditions: common.selection.conditions()?,
            form,
            checked: !common.no_check,
            memory: ((common.memory as usize) << 20).max(LEAST_MEMORY),
            ..Job::default()
        };
        if let Some(threads) = common.threads {
            job.threads = threads.into();
        }
        if let Some(folder) = &common.temp {
            job.folder.clone_from(folder);
        }
        Ok(Order {
            job,
            common,
            target,
        })
    }
}

impl Selection {
    fn conditions(&self) -> Result<Conditions, Failure> {
        let mut all = Vec::new();
        let lower = |name: &String| name.to_lowercase();
        all.extend(
            self.player
                .iter()
                .map(|name| Condition::Player(lower(name))),
        );
        all.extend(self.white.iter().map(|name| Condition::White(lower(name))));
        all.extend(self.black.iter().map(|name| Condition::Black(lower(name))));
        all.extend(self.tag.iter().cloned().map(Condition::Tag));
        if !self.result.is_empty() {
            all.push(Condition::Result(self.result.clone()));
        }
        all.extend(self.elo.map(Condition::Elo));
        all.extend(self.date.clone().map(Condition::Date));
        all.extend(self.eco.clone().map(Condition::Eco));
        all.extend(self.plies.map(Condition::Plies));
        all.extend(self.numbers.map(Condition::Number));
        all.extend(self.game.map(Condition::Game));
        for text in &self.position {
            self.check_position(text)?;
            all.push(Condition::Position(text.clone()));
        }
        if let Some(moves) = &self.moves {
            let words = moves.split_whitespace().map(|word| {
                let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
                let rest = number.trim_start_matches('.');
                if rest.len() < number.len() {
                    rest
                } else {
                    word
                }
            });
            let words = words.filter(|word| !word.is_empty()).map(Into::into);
            all.push(Condition::Moves(words.collect()));
        }
        Ok(Conditions {
            all,
            inverted: self.invert,
        })
    }

    /// A position that no game can have would find nothing and say nothing.
    fn check_position(&self, text: &str) -> Result<(), Failure> {
        let games = self.game.map_or(Game::ALL.to_vec(), |game| vec![game]);
        let mut first = None;
        for game in games {
            match quadrille_games::AnyLine::new(game, "", text) {
                Ok(_) => return Ok(()),
                Err(error) => first = first.or(Some((game, error))),
            }
        }
        let Some((game, error)) = first else {
            return Ok(());
        };
        let failure = Failure::input(format!("--position: {game}: {error}"));
        Err(failure.at(text, error.error().column))
    }
}
