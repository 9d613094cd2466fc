//! An engine of the zoo under the driver, with everything that was said.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quadrille_client::findings::FindingCode;
use quadrille_driver::spec::{EngineSpec, Timeouts};
use quadrille_driver::{Answer, Engine, Limits, Link, Outcome, Speaker, StartError, Tape};
use quadrille_games::{AnyLine, Game};

use super::inside::{link, needs_a_process};

/// White is mated.
pub(crate) const MATED: &str = "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1";

type Log = Arc<Mutex<Vec<(Speaker, String)>>>;

pub(crate) struct Beast {
    pub(crate) engine: Engine,
    log: Log,
}

/// Patient where the animal will answer, so that a busy machine is no failure.
pub(crate) fn spec(quirks: &str) -> EngineSpec {
    let second = Duration::from_secs(1);
    EngineSpec {
        command: env!("CARGO_BIN_EXE_zoo").into(),
        args: quirks.split_whitespace().map(Into::into).collect(),
        timeouts: Timeouts {
            startup: 20 * second,
            ping: 20 * second,
            new_game: 20 * second,
            search: 20 * second,
            grace: 20 * second,
            stop: 20 * second,
            quit: 20 * second,
        },
        ..EngineSpec::default()
    }
}

/// Not patient at all, for animals that will not answer.
pub(crate) fn short(quirks: &str) -> EngineSpec {
    let mut spec = spec(quirks);
    let moment = Duration::from_millis(50);
    spec.timeouts.search = moment;
    spec.timeouts.grace = moment;
    spec.timeouts.stop = 2 * moment;
    spec.timeouts.quit = 2 * moment;
    spec
}

/// On a thread of ours, unless it is nothing without a process.
pub(crate) async fn try_start(spec: &EngineSpec, game: Game) -> Result<Beast, StartError> {
    let (log, tape) = tape();
    let engine = if needs_a_process(spec) {
        Engine::start_taped(spec, game, Some(tape)).await?
    } else {
        Engine::over_taped(link(spec), spec, game, Some(tape)).await?
    };
    Ok(Beast { engine, log })
}

/// In a process of its own.
pub(crate) async fn start_process(spec: &EngineSpec) -> Beast {
    let (log, tape) = tape();
    let engine = Engine::start_taped(spec, Game::Chess, Some(tape)).await;
    let engine = engine.unwrap_or_else(|error| panic!("{:?}: {error}", spec.args));
    Beast { engine, log }
}

/// Over a link that is open.
pub(crate) async fn over(link: Box<dyn Link>, spec: &EngineSpec) -> Result<Beast, StartError> {
    let (log, tape) = tape();
    let engine = Engine::over_taped(link, spec, Game::Chess, Some(tape)).await?;
    Ok(Beast { engine, log })
}

fn tape() -> (Log, Tape) {
    let log = Log::default();
    let hears = Arc::clone(&log);
    let tape: Tape = Box::new(move |speaker, line| {
        let line = String::from_utf8_lossy(line).into_owned();
        hears
            .lock()
            .expect("nobody panics here")
            .push((speaker, line));
    });
    (log, tape)
}

pub(crate) async fn start(spec: &EngineSpec, game: Game) -> Beast {
    match try_start(spec, game).await {
        Ok(beast) => beast,
        Err(error) => panic!("{:?}: {error}", spec.args),
    }
}

pub(crate) async fn chess(quirks: &str) -> Beast {
    start(&spec(quirks), Game::Chess).await
}

/// A position of chess.
pub(crate) fn at(fen: &str) -> AnyLine {
    AnyLine::new(Game::Chess, "", fen).expect("a position")
}

/// Only this move.
pub(crate) fn only(text: &str) -> Limits {
    Limits {
        searchmoves: vec![text.into()],
        ..Limits::depth(1)
    }
}

impl Beast {
    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.engine.process_id().expect("it is a process")
    }

    pub(crate) async fn search(&mut self, line: &AnyLine, limits: &Limits) -> Outcome {
        self.engine.search(line, limits).await.finish().await
    }

    /// The usual position, one ply.
    pub(crate) async fn think(&mut self) -> Outcome {
        self.search(&AnyLine::start(self.engine.game()), &Limits::depth(1))
            .await
    }

    /// Everything that we have said.
    pub(crate) fn sent(&self) -> Vec<String> {
        self.said(Speaker::Host)
    }

    fn said(&self, who: Speaker) -> Vec<String> {
        let log = self.log.lock().expect("nobody panics here");
        let lines = log.iter().filter(|(speaker, _)| *speaker == who);
        lines.map(|(_, line)| line.clone()).collect()
    }

    /// The processes that the animal has started.
    pub(crate) fn children(&self) -> Vec<u32> {
        let said = self.said(Speaker::Engine);
        let number = |line: &String| line.strip_prefix("info string child ")?.parse().ok();
        said.iter().filter_map(number).collect()
    }

    pub(crate) fn found(&self, code: impl Into<FindingCode>) -> bool {
        self.engine.findings().contains(code)
    }

    /// Nothing else than these was found.
    pub(crate) fn found_only(&self, codes: &[&str]) {
        let findings = self.engine.findings();
        let found: Vec<&str> = findings.iter().map(|f| f.code.as_str()).collect();
        assert_eq!(found, codes, "{findings:#?}");
    }

    /// It answers another search as it should.
    pub(crate) async fn lives_on(&mut self) {
        let outcome = self.think().await;
        assert!(matches!(outcome.answer, Answer::Move(_)), "{outcome:?}");
    }
}

/// Whether a process is there and not only waiting to be buried.
#[cfg(windows)]
pub(crate) fn is_alive(id: u32) -> bool {
    use windows::Win32::Foundation::{CloseHandle, WAIT_TIMEOUT};
    use windows::Win32::System::Threading::{
        OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject,
    };
    // SAFETY: takes numbers; the handle is ours until it is closed.
    unsafe {
        let Ok(process) = OpenProcess(PROCESS_SYNCHRONIZE, false, id) else {
            return false;
        };
        let waited = WaitForSingleObject(process, 0);
        let _ = CloseHandle(process);
        waited == WAIT_TIMEOUT
    }
}

/// Whether a process is there and not only waiting to be buried.
#[cfg(not(windows))]
pub(crate) fn is_alive(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, rest)| &rest[..1]);
    !matches!(state, None | Some("Z" | "X"))
}

/// Waits for the end of a process that has been killed.
pub(crate) async fn is_gone(id: u32) -> bool {
    for _ in 0..1000 {
        if !is_alive(id) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}
