//! The end: quit, the end of input, and the start after it.

use quadrille_games::AnyLine;
use quadrille_protocol::{Dialect, Severity};

use super::super::examiner::{Examiner, Step};
use super::super::searches::Limit;
use quadrille_driver::Death;

pub(super) async fn quit(x: &mut Examiner<'_>) -> Step {
    after_hello(x).await?;
    x.fresh_scene("life.quit").await?;
    ends(x, "life.quit", Way::Quit).await;
    searching(x, "life.quit-searching", Way::Quit).await?;
    let clock = match x.dialect {
        Dialect::Uci => Some("wtime 60000 btime 60000"),
        Dialect::Leiser => Some("time 60000 inc 0"),
        Dialect::Ulci | Dialect::Ugi => None,
    };
    if let Some(clock) = clock {
        let words = format!("go ponder {clock}");
        during(x, "life.quit-pondering", Way::Quit, Some(&words)).await?;
    }
    x.fresh_scene("life.end-of-input").await?;
    ends(x, "life.end-of-input", Way::EndOfInput).await;
    searching(x, "life.end-of-input-searching", Way::EndOfInput).await?;
    restart(x).await
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Quit,
    EndOfInput,
}

async fn after_hello(x: &mut Examiner<'_>) -> Step {
    x.meet().await?;
    ends(x, "life.quit-after-hello", Way::Quit).await;
    Ok(())
}

async fn searching(x: &mut Examiner<'_>, id: &'static str, way: Way) -> Step {
    during(x, id, way, None).await
}

/// Ends the engine in the middle of a search, of an infinite one without other words.
async fn during(x: &mut Examiner<'_>, id: &'static str, way: Way, words: Option<&str>) -> Step {
    x.fresh_scene(id).await?;
    x.set_option("Ponder", "true");
    x.position(&AnyLine::start(x.game));
    let endless = x.limit(Limit::Infinite);
    x.go(words.unwrap_or(&endless));
    x.listen(x.patience.watch / 8).await;
    // Its answer may come or not.
    x.running = None;
    x.ignore("go.infinite");
    x.ignore("bestmove.once");
    ends(x, id, way).await;
    Ok(())
}

/// Ends the engine and looks how it goes.
async fn ends(x: &mut Examiner<'_>, id: &'static str, way: Way) {
    let patience = x.patience.quit * x.leniency().min(3);
    let Some(talk) = &mut x.talk else {
        return;
    };
    talk.prepare_end(patience);
    match way {
        Way::Quit => talk.say("quit"),
        Way::EndOfInput => talk.close_input().await,
    }
    let is_process = talk.process_id().is_some();
    let death = talk.end(patience).await;
    let left = talk.left_behind();
    x.drop_death();
    // One that has closed its output has not ended yet.
    let ended = |death: &Death| !is_process || death.code.or(death.signal).is_some();
    match &death {
        Ok(death) if ended(death) => x.pass(id),
        Err(Some(excuse)) => x.unjudge(id, excuse),
        _ => {
            let seen = format!("still alive after {:.1} s", patience.as_secs_f64());
            x.fail(id, seen);
        }
    }
    if let Some(death) = death.ok().filter(|_| way == Way::Quit) {
        // An engine inside this program says with its reason what a code says.
        if death.signal.is_some() {
            x.fail_as("life.exit-code", Severity::Error, death.to_string());
        } else {
            x.judge("life.exit-code", death.is_clean(), || death.to_string());
        }
        if is_process {
            x.judge("life.orphans", left == 0, || left_words(left));
        } else {
            x.skip("life.orphans", "the engine is no process of this machine");
        }
    }
    x.drop_engine();
}

fn left_words(left: usize) -> String {
    match left {
        1 => "1 process is left behind".into(),
        _ => format!("{left} processes are left behind"),
    }
}

async fn restart(x: &mut Examiner<'_>) -> Step {
    let times = if x.settings.thorough { 20 } else { 3 };
    for number in 1..=times {
        let started = x.fresh_scene("life.restart").await;
        if let Err(super::super::examiner::Lost::NoEngine(why)) = &started {
            match x.excused() {
                Some(excuse) => x.unjudge("life.restart", &excuse),
                None => x.fail("life.restart", format!("start {number} failed: {why}")),
            }
            return Ok(());
        }
        started?;
        x.say("quit");
        if let Some(talk) = &mut x.talk {
            // Whether it ends is judged elsewhere.
            let _ = talk.end(x.patience.quit).await;
        }
        x.drop_death();
        x.drop_engine();
    }
    x.pass("life.restart");
    Ok(())
}
