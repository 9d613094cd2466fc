//! Time and processors, measured.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::fair::Spent;
use super::super::positions::middle;
use super::super::report::Measure;
use super::super::searches::Limit;
use super::clock::{Verdict, within};

/// The time that searches are given.
const MILLIS: u64 = 100;

/// What nine searches in ten may take longer, and what half of them should use.
const OVER: Duration = Duration::from_millis(50);
const UNDER: f64 = 50.0;

/// What a clock may be overstepped by.
const FLAG: Duration = Duration::from_millis(100);

/// Processor time by wall time of one thread, with room for one that reads input.
const ONE_THREAD: f64 = 1.5;

/// Of the time that an engine waits, it may run or be ready to so much, or run so little.
const IDLE: f64 = 0.25;
const LOOKS: f64 = 0.1;

pub(super) async fn timing(x: &mut Examiner<'_>) -> Step {
    if matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        movetime(x).await?;
        long_movetime(x).await?;
        flag(x).await?;
    }
    processors(x).await
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

async fn movetime(x: &mut Examiner<'_>) -> Step {
    let samples = if x.settings.thorough { 40 } else { 10 };
    let mut all = Vec::new();
    x.scene("timing.movetime").await?;
    for number in 0..samples {
        x.position(&middle(x.game, 6 + number % 8, 103));
        let words = format!("go movetime {MILLIS}");
        let patience = Duration::from_millis(MILLIS) + x.search_patience();
        let answer = x.search(&words, patience).await;
        if !answer.is_timely() {
            break;
        }
        all.push(answer.spent);
    }
    all.sort_by_key(|spent| spent.own());
    let worst_of_nine = all
        .get((all.len() * 9).div_ceil(10).saturating_sub(1))
        .copied();
    let used = all.iter().map(|spent| ms(spent.own())).collect();
    let Some(measure) = Measure::of("go movetime 100, ms used", used) else {
        return Ok(());
    };
    let over = worst_of_nine.unwrap_or_default();
    let over = Spent {
        whole: over.whole.saturating_sub(Duration::from_millis(MILLIS)),
        ..over
    };
    x.judge_time("timing.movetime", over, OVER, || {
        format!(
            "{:.0} ms in the middle, {:.0} ms nine times in ten, {:.0} ms at worst",
            measure.median, measure.p90, measure.worst
        )
    });
    let whole = all.iter().map(|spent| ms(spent.whole)).collect();
    if let Some(whole) = Measure::of("", whole) {
        x.expect("timing.movetime-used", whole.median >= UNDER, || {
            format!("{:.0} ms in the middle of {}", whole.median, whole.count)
        });
    }
    x.record.measures.push(measure);
    Ok(())
}

/// A second and a half: longer than what some engines cut it down to, or take for a number
/// of seconds.
const LONG_MILLIS: u64 = 1500;

async fn long_movetime(x: &mut Examiner<'_>) -> Step {
    let (id, board) = ("timing.movetime-long", middle(x.game, 10, 167));
    let words = format!("go movetime {LONG_MILLIS}");
    let limit = Duration::from_millis(LONG_MILLIS) + FLAG * x.leniency();
    match within(x, id, &board, &words, limit).await? {
        Verdict::Kept(spent) => {
            let used = spent.whole.as_millis();
            let enough = spent.whole * 2 >= Duration::from_millis(LONG_MILLIS);
            x.expect(id, enough, || format!("bestmove after {used} ms"));
        }
        Verdict::Broken(words) => x.expect(id, false, || words),
        Verdict::Unclear(excuse) => x.unjudge(id, &excuse),
    }
    Ok(())
}

/// A few moves of a game with very little time.
async fn flag(x: &mut Examiner<'_>) -> Step {
    let mut used = Vec::new();
    for clock in [1000, 500, 250, 120, 60, 30] {
        let board = middle(x.game, 14, 107);
        let words = format!("go wtime {clock} btime {clock}");
        let limit = Duration::from_millis(clock) + FLAG * x.leniency();
        let tried = within(x, "timing.flag", &board, &words, limit).await?;
        let seen = |seen: String| format!("{seen}, with {clock} ms on the clock");
        let kept = matches!(tried, Verdict::Kept(_));
        match tried {
            Verdict::Kept(spent) => used.push(ms(spent.own())),
            Verdict::Broken(words) => x.expect("timing.flag", false, || seen(words)),
            Verdict::Unclear(excuse) => x.unjudge("timing.flag", &seen(excuse)),
        }
        if !kept {
            break;
        }
        x.pass("timing.flag");
    }
    x.record
        .measures
        .extend(Measure::of("clocks from 1000 to 30 ms, ms used", used));
    Ok(())
}

/// What the kernel says that the engine used.
async fn processors(x: &mut Examiner<'_>) -> Step {
    x.scene("timing.threads").await?;
    let Some(process) = x
        .talk
        .as_ref()
        .and_then(super::super::talk::Talk::process_id)
    else {
        for id in ["timing.threads", "timing.idle"] {
            x.skip(id, "the engine is no process of this machine");
        }
        return Ok(());
    };
    let window = x.patience.watch.max(Duration::from_millis(200)) * 2;
    x.position(&AnyLine::start(x.game));
    let words = x.limit(Limit::Infinite);
    x.go(&words);
    x.listen(window / 8).await;
    if let Some((share, _)) = share(x, process, window).await
        && x.running.is_some()
    {
        let threads = if share > ONE_THREAD {
            "more than one"
        } else {
            "one"
        };
        x.expect("timing.threads", share <= ONE_THREAD, || {
            format!("{threads} processor was in use: {share:.1} on average")
        });
    } else {
        x.skip("timing.threads", "processor time is not known here");
    }
    x.stop().await;
    x.scene("timing.idle").await?;
    x.listen(window / 4).await;
    match share(x, process, window).await {
        // One that only looks round often waits long for a busy processor each time.
        Some((share, ran)) => x.expect("timing.idle", share <= IDLE || ran <= LOOKS, || {
            format!(
                "{:.0} % of a processor while nothing was to be done",
                share * 100.0
            )
        }),
        None => x.skip("timing.idle", "processor time is not known here"),
    }
    Ok(())
}

/// Processors that the threads of a process want, on average over a while: the
/// time for which they run or are ready to, so that a busy machine hides nothing; and
/// the part for which they run.
async fn share(x: &mut Examiner<'_>, process: u32, window: Duration) -> Option<(f64, f64)> {
    let (before, start) = (demand(process)?, Instant::now());
    x.listen(window).await;
    let now = demand(process)?;
    let elapsed = start.elapsed().as_secs_f64();
    let used: Vec<(u64, u64)> = now
        .iter()
        .map(|(thread, now)| {
            let before = before.get(thread).copied().unwrap_or_default();
            (
                now.0.saturating_sub(before.0),
                now.1.saturating_sub(before.1),
            )
        })
        .collect();
    let ran: u64 = used.iter().map(|thread| thread.0).sum();
    let part = |nanos: u64| nanos as f64 / 1e9 / elapsed;
    Some((part(ran + waited(&used)), part(ran)))
}

/// For how long threads waited that have much to do. One that only looks round now and
/// then waits for a busy processor each time, and hardly runs.
fn waited(threads: &[(u64, u64)]) -> u64 {
    let most = threads.iter().map(|thread| thread.0).max().unwrap_or(0);
    let busy = threads.iter().filter(|(ran, _)| ran * 10 >= most);
    busy.map(|(_, waited)| waited).sum()
}

/// Nanoseconds for which each thread of a process has run, and waited for a
/// processor, as Linux counts them; `None` elsewhere.
fn demand(process: u32) -> Option<BTreeMap<OsString, (u64, u64)>> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut threads = BTreeMap::new();
    for task in tasks.flatten() {
        let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        let mut counts = text.split_whitespace().flat_map(str::parse::<u64>);
        let counted = (
            counts.next().unwrap_or_default(),
            counts.next().unwrap_or_default(),
        );
        threads.insert(task.file_name(), counted);
    }
    Some(threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_only_looks_round_wants_no_processor() {
        // One that searches and one that polls, on a machine with two other programs.
        assert_eq!(waited(&[(300, 100), (5, 390)]), 100);
        assert_eq!(waited(&[(200, 200), (190, 210)]), 410);
        assert_eq!(waited(&[]), 0);
    }
}
