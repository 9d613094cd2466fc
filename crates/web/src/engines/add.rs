//! An engine that is added: started, greeted, looked at, step by step.

use std::path::Path;
use std::time::Duration;

use quadrille_desk::wire::{HandshakeStep, NewEngine};
use quadrille_driver::{Answer, Engine, Failure, Limits, Speaker, StartError, Tape};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;
use tokio::sync::mpsc;

use super::record::{EngineRecord, findings, no_password, shown};
use super::slot::words_of;
use super::tape::Conversation;

/// How long an engine may take for a first move, by which its game is known.
const FIRST_MOVE: Duration = Duration::from_secs(2);

/// What is told, and to whom.
pub(crate) struct Steps<F: Fn(Vec<HandshakeStep>)> {
    steps: Vec<HandshakeStep>,
    tell: F,
}

impl<F: Fn(Vec<HandshakeStep>)> Steps<F> {
    pub(crate) const fn new(tell: F) -> Self {
        Self {
            steps: Vec::new(),
            tell,
        }
    }

    fn set(&mut self, step: &str, done: Option<bool>, words: String) {
        let new = HandshakeStep {
            step: step.into(),
            done,
            words,
        };
        match self.steps.iter_mut().find(|known| known.step == step) {
            Some(known) if *known == new => return,
            Some(known) => *known = new,
            None => self.steps.push(new),
        }
        (self.tell)(self.steps.clone());
    }

    /// The step that was under way has failed.
    fn fail(&mut self, words: &str) {
        let open = self.steps.iter_mut().filter(|step| step.done.is_none());
        let mut open: Vec<&mut HandshakeStep> = open.collect();
        // An engine that tells options and no `uciok` has not answered the greeting.
        for step in &mut open {
            step.done = Some(false);
        }
        let step = open.first().map_or("start", |step| &step.step).to_owned();
        self.fail_at(&step, words);
    }

    /// This step has failed.
    fn fail_at(&mut self, step: &str, words: &str) {
        self.set(step, Some(false), words.into());
    }

    /// The last step.
    pub(crate) fn kept(&mut self, name: &str) {
        self.set("kept", Some(true), format!("{name} is in the list"));
    }
}

/// Starts an engine and finds out what it is.
pub(crate) async fn look_at<F: Fn(Vec<HandshakeStep>)>(
    new: &NewEngine,
    program: &Path,
    talk: &Conversation,
    steps: &mut Steps<F>,
) -> Result<EngineRecord, String> {
    let mut record = EngineRecord {
        name: new.name.clone().filter(|name| !name.trim().is_empty()),
        command: new.command.trim().into(),
        args: new.args.clone(),
        folder: new
            .folder
            .clone()
            .filter(|folder| !folder.trim().is_empty()),
        ..EngineRecord::default()
    };
    if record.command.is_empty() {
        steps.fail("name the program of the engine");
        return Err("name the program of the engine".into());
    }
    if let Err(words) = no_password(&record.command) {
        steps.fail(&words);
        return Err(words);
    }
    let first = new.game.unwrap_or(Game::Chess);
    let mut engine = match shake(&record, first, program, talk, steps).await {
        Ok(engine) => engine,
        Err(StartError::OtherGame {
            dialect: Dialect::Ugi,
            ..
        }) if new.game.is_none() => {
            steps.set(
                "greet",
                None,
                "it speaks UGI: greeted again as an engine of Gyges".into(),
            );
            let again = shake(&record, Game::Gyges, program, talk, steps).await;
            again.map_err(|error| failed(steps, &error))?
        }
        Err(error) => return Err(failed(steps, &error)),
    };
    steps.set("ready", Some(true), "ready".into());
    steps.set("move", None, "asked for a first move".into());
    let (game, answer) = first_move(&mut engine, new.game).await;
    // One that is silent may be slow: it is kept, and what it did is among the findings.
    if let Answer::Failed(failure @ Failure::Died(_)) = answer {
        let words = format!("{failure}, when it was asked for a first move of {game}");
        let words = match new.game {
            Some(_) => words,
            None => format!("{words}; if it plays another game, choose that game and try again"),
        };
        steps.fail_at("move", &words);
        return Err(words);
    }
    let words = match &answer {
        Answer::Move(chosen) => format!("it played {}", shown(&chosen.text)),
        Answer::NoMove => "it says that the game is over".to_owned(),
        Answer::Illegal(error) => format!("{error}; it is kept"),
        Answer::TimedOut(_) => format!("no move within {} s; it is kept", FIRST_MOVE.as_secs()),
        Answer::Failed(failure) => format!("{failure}; it is kept"),
    };
    let played = matches!(answer, Answer::Move(_) | Answer::NoMove);
    steps.set("move", Some(played), words);
    if game == Game::Leiser && engine.game() != game {
        // Asked about chess it named a move of its own game, which is no fault of it.
        engine.quit().await;
        let words = "it plays Leiserchess: greeted again as an engine of that";
        steps.set("greet", None, words.into());
        let again = shake(&record, game, program, talk, steps).await;
        engine = again.map_err(|error| failed(steps, &error))?;
    }
    record.games = vec![game];
    record.learn(&engine);
    record.unregistered = talk.unregistered();
    let name = record.shown_name();
    let dialect = engine.dialect();
    let author = record.author.as_deref().unwrap_or("an unknown author");
    steps.set(
        "greet",
        Some(true),
        format!("{name} by {author}; it speaks {dialect}, for {game}"),
    );
    steps.set(
        "options",
        Some(true),
        format!("{} options", record.options.len()),
    );
    let odd = findings(&engine);
    let words = match odd.len() {
        0 => "ready".to_owned(),
        count => format!("ready; noticed {count}: {}", odd.join("; ")),
    };
    steps.set("ready", Some(true), words);
    engine.quit().await;
    record.findings = findings(&engine);
    Ok(record)
}

fn failed<F: Fn(Vec<HandshakeStep>)>(steps: &mut Steps<F>, error: &StartError) -> String {
    let words = words_of(error);
    steps.fail(&words);
    words
}

/// Starts it, and tells what it says as it comes.
async fn shake<F: Fn(Vec<HandshakeStep>)>(
    record: &EngineRecord,
    game: Game,
    program: &Path,
    talk: &Conversation,
    steps: &mut Steps<F>,
) -> Result<Engine, StartError> {
    let spec = record.spec(program, game, "");
    steps.set(
        "start",
        None,
        format!("starting {}", shown(&record.command)),
    );
    let (sender, mut lines) = mpsc::unbounded_channel();
    let mut written = talk.tape();
    let tape: Tape = Box::new(move |speaker, line| {
        written(speaker, line);
        // Only while the handshake is listened to.
        let _ = sender.send((speaker, line[..line.len().min(200)].to_vec()));
    });
    let mut starting = std::pin::pin!(Engine::start_taped(&spec, game, Some(tape)));
    let mut options = 0;
    loop {
        tokio::select! {
            biased;
            line = lines.recv() => {
                if let Some((speaker, line)) = line {
                    hear(speaker, &line, &mut options, steps);
                }
            }
            engine = &mut starting => {
                // It may have ended the wait with lines that are still in the queue.
                while let Ok((speaker, line)) = lines.try_recv() {
                    hear(speaker, &line, &mut options, steps);
                }
                return engine;
            }
        }
    }
}

fn hear<F: Fn(Vec<HandshakeStep>)>(
    speaker: Speaker,
    line: &[u8],
    options: &mut u32,
    steps: &mut Steps<F>,
) {
    let text = String::from_utf8_lossy(line);
    let word = text.split_whitespace().next().unwrap_or_default();
    match (speaker, word) {
        (Speaker::Host, "uci" | "ugi") => {
            steps.set("start", Some(true), "the program runs".into());
            steps.set("greet", None, format!("said {word}, awaiting {word}ok"));
        }
        (Speaker::Engine, "option") => {
            *options += 1;
            if *options == 1 {
                steps.set("options", None, "its options are coming".into());
            }
        }
        (Speaker::Engine, "uciok" | "ugiok") => {
            steps.set("greet", Some(true), format!("it answered {word}"));
            steps.set("options", Some(true), format!("{options} options"));
        }
        (Speaker::Host, "isready") => {
            steps.set("ready", None, "said isready, awaiting readyok".into());
        }
        (Speaker::Engine, "readyok") => steps.set("ready", Some(true), "ready".into()),
        (Speaker::Engine, "registration") if text.contains("error") => {
            steps.set(
                "ready",
                None,
                "it wants to be registered; told it: later".into(),
            );
        }
        (Speaker::Engine, "copyprotection") => {
            steps.set(
                "ready",
                None,
                format!("its copy protection says: {}", shown(&text)),
            );
        }
        _ => {}
    }
}

/// Asks for a first move: of the game that was chosen, or of the one that the engine
/// plays by what it says of itself, or else by the move it makes. An engine that
/// does not survive that would fail in every game.
async fn first_move(engine: &mut Engine, chosen: Option<Game>) -> (Game, Answer) {
    let named = if engine.game() == Game::Gyges {
        Some(Game::Gyges)
    } else {
        engine.identity().version.as_ref().map(|_| Game::Liberty)
    };
    let game = chosen.or(named);
    let start = AnyLine::start(game.unwrap_or(Game::Chess));
    let limits = Limits {
        movetime: Some(FIRST_MOVE / 10),
        deadline: Some(FIRST_MOVE),
        ..Limits::depth(1)
    };
    let outcome = engine.search(&start, limits).await.finish().await;
    let leiser = AnyLine::start(Game::Leiser);
    let game = match (game, &outcome.answer, outcome.text.as_deref()) {
        (Some(game), ..) => game,
        (None, Answer::Move(_), _) => Game::Chess,
        (None, _, Some(text)) if leiser.find(text).is_ok() => Game::Leiser,
        _ => Game::Chess,
    };
    (game, outcome.answer)
}
