//! A worker that looks again at positions of a game that another one played.

use std::path::Path;
use std::time::Duration;

use quadrille_driver::EngineScore;
use quadrille_driver::{Engine, Limits};
use quadrille_games::Side;

use crate::check::line_after;
use crate::config::WorkerConfig;
use crate::messages::{LookJob, Outcome, SeatJob};

/// More searches than any job asks for.
const MOST: usize = 64;
/// The longest time for one.
const LONGEST: Duration = Duration::from_secs(30);

/// Searches each position, and says what was found.
pub(crate) async fn work(config: &WorkerConfig, program: &Path, job: &LookJob) -> Outcome {
    match look(config, program, job).await {
        Ok(found) => Outcome::Looked(found),
        Err(reason) => Outcome::Trouble(reason),
    }
}

async fn look(
    config: &WorkerConfig,
    program: &Path,
    job: &LookJob,
) -> Result<Vec<Option<EngineScore>>, String> {
    if job.looks.len() > MOST || job.looks.iter().any(|look| look.seat > 1) {
        return Err("its searches cannot be read".into());
    }
    let mut found = vec![None; job.looks.len()];
    for (index, seat) in job.seats.iter().enumerate() {
        if !job.looks.iter().any(|look| look.seat == index) {
            continue;
        }
        let mut engine = start(config, program, job, seat).await?;
        let looks = job.looks.iter().zip(&mut found);
        for (look, found) in looks.filter(|(look, _)| look.seat == index) {
            let line = line_after(job, look.after)?;
            let limits = Limits {
                nodes: look.nodes,
                // A count of nodes is the same on every machine, however busy.
                movetime: match look.nodes {
                    Some(_) => None,
                    None => Some(Duration::from_millis(look.movetime_ms).min(LONGEST)),
                },
                ..Limits::default()
            };
            let failed = |why: String| format!("engine '{}': {why}", seat.engine);
            let ready = engine.new_game().await;
            ready.map_err(|failure| failed(failure.to_string()))?;
            let dialect = engine.dialect();
            let outcome = engine.search(&line, &limits).await.finish().await;
            let info = outcome.info();
            let score = info.and_then(|info| info.score).or(outcome.score);
            *found = score.and_then(|score| {
                let mate = score.mate_in(dialect).map(EngineScore::Mate);
                let said = mate.or_else(|| score.to_cp(dialect).map(EngineScore::Cp))?;
                // As the referee reads it.
                let turned = seat.white_pov && line.side() == Side::Black;
                Some(if turned { said.reversed() } else { said })
            });
            if let Some(failure) = engine.failure() {
                return Err(failed(failure.to_string()));
            }
        }
        engine.quit().await;
    }
    Ok(found)
}

async fn start(
    config: &WorkerConfig,
    program: &Path,
    job: &LookJob,
    seat: &SeatJob,
) -> Result<Engine, String> {
    let spec = config.spec(&seat.engine, job.game, &job.rules, program);
    let mut spec =
        spec.ok_or_else(|| format!("it has no engine '{}' for {}", seat.engine, job.game))?;
    spec.options.extend(seat.options.iter().cloned());
    spec.timeouts = seat.timeouts;
    let started = Engine::start(&spec, job.game).await;
    started.map_err(|error| format!("engine '{}': {error}", seat.engine))
}
