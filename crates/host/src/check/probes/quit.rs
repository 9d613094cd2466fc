//! The end: quit, the end of input, and the start after it.

use std::time::{Duration, Instant};

use quadrille_games::AnyLine;

use super::super::examiner::{Examiner, Step};
use super::super::searches::Limit;

pub(super) async fn quit(x: &mut Examiner<'_>) -> Step {
    after_hello(x).await?;
    x.fresh_scene("life.quit").await?;
    ends(x, "life.quit", Way::Quit).await;
    searching(x, "life.quit-searching", Way::Quit).await?;
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
    x.fresh_scene(id).await?;
    x.position(&AnyLine::start(x.game));
    let words = x.limit(Limit::Infinite);
    x.go(&words);
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
    let children = descendants(talk.process_id());
    match way {
        Way::Quit => talk.say("quit"),
        Way::EndOfInput => talk.close_input().await,
    }
    let deadline = Instant::now() + patience;
    // First without reading: to hear the end of an engine is to bury it with all
    // that it has left behind, and that is to be seen.
    while !talk.has_ended() && Instant::now() + patience / 2 < deadline {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    while !talk.has_ended() && Instant::now() < deadline {
        // What it says is read, so that it need not wait for us.
        let step = Instant::now() + Duration::from_millis(5);
        if talk.read(step.min(deadline)).await.is_err() && talk.death.is_some() {
            break;
        }
    }
    let left = if talk.has_ended() {
        children.into_iter().filter(|id| is_alive(*id)).count()
    } else {
        0
    };
    let is_process = talk.process_id().is_some();
    let death = talk.end(Duration::from_millis(200)).await;
    x.drop_death();
    let seen = format!("still alive after {:.1} s", patience.as_secs_f64());
    x.judge(id, death.is_some(), || seen);
    if let Some(death) = death {
        let clean = death.is_clean();
        if way == Way::Quit && is_process {
            x.judge("life.exit-code", clean, || death.to_string());
            x.judge("life.orphans", left == 0, || {
                format!("{left} processes are left behind")
            });
        } else if way == Way::Quit {
            // An engine inside this program says with its reason what a code says.
            x.judge("life.exit-code", clean, || death.to_string());
            x.skip("life.orphans", "the engine is no process of this machine");
        }
    }
    x.drop_engine();
}

async fn restart(x: &mut Examiner<'_>) -> Step {
    let times = if x.settings.thorough { 20 } else { 3 };
    for number in 1..=times {
        let started = x.fresh_scene("life.restart").await;
        if let Err(super::super::examiner::Lost::NoEngine(why)) = &started {
            x.fail("life.restart", format!("start {number} failed: {why}"));
            return Ok(());
        }
        started?;
        x.say("quit");
        if let Some(talk) = &mut x.talk {
            talk.end(x.patience.quit).await;
        }
        x.drop_death();
        x.drop_engine();
    }
    x.pass("life.restart");
    Ok(())
}

/// The processes below one.
#[cfg(target_os = "linux")]
fn descendants(process: Option<u32>) -> Vec<u32> {
    let mut found: Vec<u32> = process.into_iter().collect();
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{id}/task")) else {
            continue;
        };
        for task in tasks.flatten() {
            let list = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            found.extend(
                list.split_whitespace()
                    .filter_map(|word| word.parse::<u32>().ok()),
            );
        }
    }
    found.drain(..found.len().min(1));
    found
}

#[cfg(not(target_os = "linux"))]
fn descendants(_: Option<u32>) -> Vec<u32> {
    Vec::new()
}

/// Whether a process runs; one that has ended and waits for its parent does not.
fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| {
        let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        !state.starts_with('Z') && !state.starts_with('X')
    })
}
