//! An engine that answers questions about positions: from the cache where it can,
//! started when it is first needed, started again when it dies.

use std::io;
use std::sync::Arc;

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;
use serde::Serialize;

use super::cache::{Answered, Cache, CacheError};
use super::options::{Memory, Options};
use super::report::BestLine;
use quadrille_driver::EngineScore;
use quadrille_driver::program_marks;
use quadrille_driver::spec::{Address, EngineSpec};
use quadrille_driver::{
    Answer, Engine, Failure, InfoLine, Opener, Outcome, SetOptionError, StartError,
};

/// Moves of a line that are kept.
const LONGEST_LINE: usize = 40;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// This game cannot go on; others may.
    Game(String),
    /// What the user wrote is wrong, for all games.
    Start(StartError),
    /// The same about an option.
    Option(SetOptionError),
    /// Nothing can be remembered any more.
    Cache(CacheError),
}

impl From<CacheError> for Trouble {
    fn from(error: CacheError) -> Self {
        Self::Cache(error)
    }
}

/// What all askers of an analysis have in common.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) options: Arc<Options>,
    pub(super) cache: Option<Arc<Cache>>,
    pub(super) opener: Option<Opener>,
}

/// An engine of the options for one game and its rules.
#[derive(Debug)]
pub(super) struct Asker {
    shared: Shared,
    /// Without the options: an option that an engine does not have must not pass
    /// unnoticed, so they are set one by one.
    spec: EngineSpec,
    options: Vec<(String, Option<String>)>,
    game: Game,
    rules: String,
    /// Its number in the cache.
    number: i64,
    /// What the engine calls itself, once that is known.
    name: Option<String>,
    engine: Option<Engine>,
    /// Whether it has ever come up.
    known_good: bool,
    /// How often it may be started anew in this game.
    spare: u32,
}

/// What an answer depends on beside the position; see [`Cache`].
#[derive(Serialize)]
struct Description<'a> {
    programs: Vec<(u64, u32)>,
    address: Option<String>,
    args: &'a [String],
    environment: &'a [(String, String)],
    dialect: Option<Dialect>,
    options: &'a [(String, Option<String>)],
    init: &'a [String],
    movetime: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    lines: u32,
    memory: Memory,
}

/// An answer, and whether it was known.
pub(super) struct Told {
    pub(super) answer: Answered,
    pub(super) cached: bool,
}

impl Asker {
    pub(super) fn new(
        shared: &Shared,
        index: usize,
        game: Game,
        rules: &str,
    ) -> Result<Self, CacheError> {
        let mut spec = shared.options.engines[index].clone();
        if let Some(program) = &shared.options.builtin {
            spec.resolve_builtin(program, game, rules);
        }
        let (number, name) = match &shared.cache {
            Some(cache) => cache.asker(&description(&spec, &shared.options))?,
            None => (0, None),
        };
        Ok(Self {
            shared: shared.clone(),
            options: std::mem::take(&mut spec.options),
            game,
            rules: rules.into(),
            number,
            name,
            engine: None,
            known_good: false,
            spare: 0,
            spec,
        })
    }

    /// Whether it can be asked about this game too.
    pub(super) fn is_for(&self, game: Game, rules: &str) -> bool {
        self.game == game && self.rules == rules
    }

    /// The user's name for the engine, its own, or that of the program.
    pub(super) fn name(&self) -> String {
        let given = self.spec.name.clone().or_else(|| self.name.clone());
        given.unwrap_or_else(|| {
            let address = self.spec.address();
            address.map_or_else(|_| String::new(), |address| address.name())
        })
    }

    /// Another game begins.
    pub(super) async fn next_game(&mut self) {
        self.spare = 1;
        if self.shared.options.memory() == Memory::Kept
            && let Some(engine) = &mut self.engine
            && forget(engine).await.is_err()
        {
            self.engine = None;
        }
    }

    /// What the engine says of the last position of a line. `key` names it in the
    /// cache.
    pub(super) async fn ask(&mut self, line: &AnyLine, key: &str) -> Result<Told, Trouble> {
        if let Some(cache) = &self.shared.cache
            && let Some(answer) = cache.get(self.number, key)?
        {
            return Ok(Told {
                answer,
                cached: true,
            });
        }
        loop {
            let failure = match self.try_ask(line).await? {
                Ok((answer, sure)) => {
                    if let Some(cache) = self.shared.cache.as_ref().filter(|_| sure) {
                        cache.put(self.number, key, &answer)?;
                    }
                    return Ok(Told {
                        answer,
                        cached: false,
                    });
                }
                Err(failure) => failure,
            };
            self.dismiss().await;
            if self.spare == 0 {
                let place = format!("{} plies into the game", line.plies());
                return Err(Trouble::Game(format!("{} {place}: {failure}", self.name())));
            }
            self.spare -= 1;
        }
    }

    /// Asks once. The inner error is the engine's, who may be better next time.
    async fn try_ask(
        &mut self,
        line: &AnyLine,
    ) -> Result<Result<(Answered, bool), String>, Trouble> {
        if self.engine.is_none() {
            match self.start().await {
                Ok(engine) => self.engine = Some(engine),
                // It came up before, so it is not the description that is wrong.
                Err(Trouble::Start(error)) if self.known_good => return Ok(Err(error.to_string())),
                Err(Trouble::Option(error)) if self.known_good => {
                    return Ok(Err(error.to_string()));
                }
                Err(trouble) => return Err(trouble),
            }
        }
        let Some(engine) = &mut self.engine else {
            return Ok(Err("it is not there".into()));
        };
        if let Some(what) = engine.lacks(line) {
            let name = self.name();
            return Err(Trouble::Game(format!("{name} does not know {what}")));
        }
        if self.shared.options.memory() == Memory::Cleared
            && let Err(failure) = forget(engine).await
        {
            return Ok(Err(failure.to_string()));
        }
        let dialect = engine.dialect();
        let search = engine.search(line, &self.shared.options.limits).await;
        let outcome = search.finish().await;
        Ok(understood(&outcome, line, dialect))
    }

    async fn start(&mut self) -> Result<Engine, Trouble> {
        let own = self.shared.opener.as_ref();
        let started = match own.and_then(|own| own.open(&self.spec, self.game)) {
            Some(Ok(link)) => Engine::over(link, &self.spec, self.game).await,
            Some(Err(source)) => Err(spawn_error(&self.spec, source)),
            None => Engine::start(&self.spec, self.game).await,
        };
        let mut engine = match started {
            Ok(engine) => engine,
            // It may well play other games.
            Err(error @ StartError::OtherGame { .. }) => {
                return Err(Trouble::Game(error.to_string()));
            }
            Err(error) => return Err(Trouble::Start(error)),
        };
        set_up(&mut engine, &self.options, self.shared.options.lines)
            .await
            .map_err(Trouble::Option)?;
        let name = engine.name().to_owned();
        if let Some(cache) = &self.shared.cache {
            cache.name(self.number, &name)?;
        }
        self.name = Some(name);
        self.known_good = true;
        Ok(engine)
    }

    /// Lets the engine go.
    pub(super) async fn dismiss(&mut self) {
        if let Some(mut engine) = self.engine.take() {
            engine.quit().await;
        }
    }
}

fn spawn_error(spec: &EngineSpec, source: io::Error) -> StartError {
    StartError::Spawn {
        program: spec.command.clone(),
        source,
    }
}

fn description(spec: &EngineSpec, options: &Options) -> String {
    let programs = program_marks(spec);
    let here = matches!(spec.address(), Ok(Address::Program(_))) && !programs.is_empty();
    let description = Description {
        // A program is known by its bytes, wherever it lies.
        address: (!here).then(|| spec.command.display().to_string()),
        programs,
        args: &spec.args,
        environment: &spec.environment,
        dialect: spec.dialect,
        options: &spec.options,
        init: &spec.init,
        movetime: options.limits.movetime.map(|time| time.as_micros() as u64),
        depth: options.limits.depth,
        nodes: options.limits.nodes,
        lines: options.lines,
        memory: options.memory(),
    };
    // Texts and numbers always have a form.
    serde_json::to_string(&description).unwrap_or_default()
}

/// Tells a new engine what an analysis needs.
pub(crate) async fn set_up(
    engine: &mut Engine,
    options: &[(String, Option<String>)],
    lines: u32,
) -> Result<(), SetOptionError> {
    for (name, value) in options {
        engine.set_option(name, value.as_deref()).await?;
    }
    if lines > 1 {
        engine.set_lines(lines).await?;
    }
    if engine.options().get("UCI_ShowWDL").is_some() {
        engine.set_option("UCI_ShowWDL", Some("true")).await?;
    }
    engine.set_analysis(true).await?;
    forget(engine).await?;
    Ok(())
}

/// Makes an engine forget what it has searched. UGI has no command for a new
/// game; its engines may have a button.
pub(crate) async fn forget(engine: &mut Engine) -> Result<(), Failure> {
    if engine.dialect() == Dialect::Ugi {
        for name in ["clearHash", "Clear Hash"] {
            if engine.options().get(name).is_some() {
                match engine.set_option(name, None).await {
                    Err(SetOptionError::Engine(failure)) => return Err(failure),
                    // Not a button after all.
                    Err(SetOptionError::Option(_)) | Ok(()) => {}
                }
            }
        }
    }
    engine.new_game().await
}

/// What a search came to: an answer and whether it may be told again, or why there
/// is none.
fn understood(
    outcome: &Outcome,
    line: &AnyLine,
    dialect: Dialect,
) -> Result<(Answered, bool), String> {
    let best = match &outcome.answer {
        Answer::Move(best) => Some(best.text.clone()),
        // It was late, and what it had found until then counts.
        Answer::TimedOut(_) => None,
        Answer::NoMove => return Err("it says that there is no move".into()),
        Answer::Illegal(error) => return Err(format!("its answer: {error}")),
        Answer::Failed(failure) => return Err(failure.to_string()),
    };
    let mut lines: Vec<BestLine> = Vec::new();
    for info in &outcome.lines {
        let found = best_line(info, line, dialect);
        let known = |known: &BestLine| known.moves.first() == found.moves.first();
        if !found.moves.is_empty() && !lines.iter().any(known) {
            lines.push(found);
        }
    }
    if lines.is_empty() {
        let score = outcome.score.or_else(|| outcome.info()?.score);
        lines.extend(best.clone().map(|text| BestLine {
            score: score.and_then(|score| ply_score(score, dialect)),
            wdl: outcome.info().and_then(|info| info.wdl),
            moves: vec![text],
            ..BestLine::default()
        }));
    }
    if lines.is_empty() {
        return Err("it was too late, and had said nothing until then".into());
    }
    let first = outcome.info();
    let answer = Answered {
        lines,
        depth: first.and_then(|info| info.depth),
        nodes: first.and_then(|info| info.nodes),
    };
    Ok((answer, best.is_some()))
}

fn ply_score(score: quadrille_protocol::Score, dialect: Dialect) -> Option<EngineScore> {
    let mate = score.mate_in(dialect).map(EngineScore::Mate);
    mate.or_else(|| score.to_cp(dialect).map(EngineScore::Cp))
}

/// A line with as many of its moves as can be played.
fn best_line(info: &InfoLine, line: &AnyLine, dialect: Dialect) -> BestLine {
    let mut after = line.variation();
    let mut moves = Vec::new();
    for text in info.pv_moves().take(LONGEST_LINE) {
        let found = after
            .parse_move(text)
            .or_else(|_| after.parse_notation(text));
        let Some(text) = found
            .and_then(|m| {
                let text = after.text_of(m)?;
                after.push(m).map(|()| text)
            })
            .ok()
        else {
            break;
        };
        moves.push(text);
    }
    BestLine {
        score: info.score.and_then(|score| ply_score(score, dialect)),
        wdl: info.wdl,
        moves,
        ..BestLine::default()
    }
}
