//! One search of an engine that plays at a server.

use std::time::{Duration, Instant};

use quadrille_driver::{Answer, Clock, Clocks as HostClocks, Engine, Event, InfoLine, Limits};
use quadrille_games::{AnyLine, Side};
use quadrille_protocol::{Dialect, ScoreValue};

use super::bot::{Broken, MOST_WAITING, NO_MOVE, Talk};
use crate::message::{Clocks, ToClient, ToServer};

/// How often the server hears what the engine thinks.
const THOUGHTS: Duration = Duration::from_millis(200);
/// What is left of a clock after what the network takes.
const LEAST: Duration = Duration::from_millis(10);

/// Searches, tells what the engine thinks, and hears the server meanwhile. The move,
/// or why there is none.
pub(super) async fn search(
    engine: &mut Engine,
    line: &AnyLine,
    limits: Limits,
    talk: &mut Talk<'_>,
) -> Result<Result<String, String>, Broken> {
    let dialect = engine.dialect();
    let mut search = engine.search(line, limits).await;
    let mut told: Option<Instant> = None;
    // It may have come before the engine was asked.
    let before = talk.waiting.len();
    talk.waiting.retain(|said| *said != ToClient::Stop);
    let mut stopped = talk.waiting.len() < before;
    if stopped {
        search.stop();
    }
    loop {
        tokio::select! {
            event = search.next() => match event {
                Some(Event::Info(info)) => {
                    if told.is_none_or(|told| told.elapsed() >= THOUGHTS)
                        && let Some(text) = thought(&info, dialect)
                    {
                        told = Some(Instant::now());
                        talk.lines.say(&ToServer::Info(text)).await?;
                    }
                }
                Some(Event::Text(_)) => {}
                None => break,
            },
            said = talk.lines.next() => match said? {
                None => return Err(Broken("the server closed the connection".into())),
                Some(ToClient::Stop) => {
                    stopped = true;
                    search.stop();
                }
                Some(ToClient::IsReady) => talk.lines.say(&ToServer::ReadyOk).await?,
                Some(said) => {
                    if talk.waiting.len() < MOST_WAITING {
                        talk.waiting.push_back(said);
                    }
                }
            },
        }
    }
    let outcome = search.finish().await;
    // The last thought is the one that counts.
    if let Some(text) = outcome.info().and_then(|info| thought(info, dialect)) {
        talk.lines.add(&ToServer::Info(text));
    }
    if stopped && outcome.best().is_none() {
        // It failed over a move that is thrown away.
        return Ok(Ok(NO_MOVE.into()));
    }
    Ok(match outcome.answer {
        Answer::Move(best) => Ok(best.text),
        Answer::NoMove => Err("it says that there is no move".into()),
        Answer::Illegal(error) => Err(error.to_string()),
        Answer::TimedOut(_) => Err("it did not answer in time".into()),
        Answer::Failed(failure) => Err(failure.to_string()),
    })
}

/// The clocks, with what the network takes off our own.
pub(super) fn host_clocks(clocks: Clocks, side: Side, overhead: Duration) -> HostClocks {
    let own = |mine: Side, left: Duration| {
        if mine == side {
            left.saturating_sub(overhead).max(LEAST.min(left))
        } else {
            left
        }
    };
    HostClocks {
        white: Clock::new(own(Side::White, clocks.white), clocks.white_increment),
        black: Clock::new(own(Side::Black, clocks.black), clocks.black_increment),
        moves_to_go: None,
    }
}

/// What the engine thinks, in ULCI's words; only lines with moves are worth sending.
fn thought(info: &InfoLine, dialect: Dialect) -> Option<String> {
    use std::fmt::Write as _;
    if info.pv.is_empty() || info.multipv.unwrap_or(1) > 1 {
        return None;
    }
    let mut text = String::new();
    let mut item = |name: &str, value: Option<u64>| {
        if let Some(value) = value {
            // A String takes everything.
            let _ = write!(text, "{name} {value} ");
        }
    };
    item("depth", info.depth);
    item("seldepth", info.seldepth);
    item("nodes", info.nodes);
    item("nps", info.nps);
    item("tbhits", info.tbhits);
    item("time", info.time.map(|time| time.as_millis() as u64));
    if let Some(score) = info.score {
        let _ = match (score.value(), score.to_cp(dialect)) {
            (Some(ScoreValue::Mate(n)), _) => write!(text, "score mate {n} "),
            (_, Some(cp)) => write!(text, "score cp {cp} "),
            _ => Ok(()),
        };
    }
    let pv: Vec<&str> = info.pv_moves().take(30).collect();
    text += "pv ";
    text += &pv.join(" ");
    Some(text)
}
