//! stop, in every kind of search and outside one.

use std::time::{Duration, Instant};

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::{Answer, End};
use super::super::positions::middle;
use super::super::prove::wins_in;
use super::super::report::Measure;
use super::super::searches::{Limit, position_words};
use super::super::watch::Said;

/// Longer is not as soon as possible.
const SOON: Duration = Duration::from_millis(500);

/// A depth that no engine reaches in the time we have.
const DEEP: u32 = 100;

pub(super) async fn stop(x: &mut Examiner<'_>) -> Step {
    infinite(x).await?;
    at_once(x).await?;
    idle(x).await?;
    twice(x).await?;
    ready(x).await?;
    then_go(x).await?;
    if x.dialect == Dialect::Ugi {
        return Ok(());
    }
    limited(x, "stop.depth", &format!("go depth {DEEP}")).await?;
    let clock = match x.dialect {
        Dialect::Leiser => "go time 6000000 inc 0",
        _ => "go wtime 6000000 btime 6000000",
    };
    limited(x, "stop.clock", clock).await?;
    pipelined(x).await
}

/// Starts a search without end and lets it run for a moment.
async fn start(x: &mut Examiner<'_>) {
    x.position(&AnyLine::start(x.game));
    let words = x.limit(Limit::Infinite);
    x.go(&words);
    x.listen(x.patience.watch / 8).await;
}

fn is_obeyed(answer: &Answer) -> bool {
    matches!(answer.end, End::Stopped | End::Itself) && answer.is_legal()
}

async fn infinite(x: &mut Examiner<'_>) -> Step {
    let samples = if x.settings.thorough { 20 } else { 5 };
    let mut times = Vec::new();
    for _ in 0..samples {
        x.scene("stop.infinite").await?;
        x.position(&middle(x.game, 10, 43));
        let words = x.limit(Limit::Infinite);
        x.go(&words);
        x.listen(x.patience.watch / 8).await;
        if let Some(talk) = &mut x.talk {
            talk.mark();
        }
        let answer = x.stop().await;
        let now = Instant::now();
        let spent = x.talk.as_mut().map(|talk| talk.spent(now));
        x.expect("stop.infinite", is_obeyed(&answer), || answer.words());
        if !is_obeyed(&answer) {
            break;
        }
        times.extend(spent);
    }
    times.sort_by_key(|spent| spent.own());
    let middle = times.get(times.len().saturating_sub(1) / 2).copied();
    let own = times.iter().map(|spent| spent.own().as_secs_f64() * 1000.0);
    if let Some(measure) = Measure::of("from stop to bestmove, ms", own.collect()) {
        x.judge_time("stop.quick", middle.unwrap_or_default(), SOON, || {
            format!(
                "{:.0} ms from stop to bestmove, in the middle of {}",
                measure.median, measure.count
            )
        });
        x.record.measures.push(measure);
    }
    Ok(())
}

async fn at_once(x: &mut Examiner<'_>) -> Step {
    x.scene("stop.at-once").await?;
    x.ignore("bestmove.final-info");
    for general in [
        "bestmove.legal",
        "bestmove.null",
        "bestmove.missing",
        "bestmove.once",
    ] {
        x.redirect(general, "stop.at-once");
    }
    x.position(&AnyLine::start(x.game));
    let words = x.limit(Limit::Infinite);
    // Both in one piece, so that stop is there before the search is.
    x.go(&format!("{words}\nstop"));
    let answer = x.await_stopped().await;
    x.expect("stop.at-once", is_obeyed(&answer), || answer.words());
    x.listen(x.patience.watch / 4).await;
    Ok(())
}

async fn idle(x: &mut Examiner<'_>) -> Step {
    x.scene("stop.idle").await?;
    x.redirect("bestmove.once", "stop.idle");
    x.redirect("info.idle", "stop.idle");
    x.ready().await;
    x.say("stop");
    let answered = x.listen(x.patience.watch / 4).await;
    x.expect("stop.idle", !answered, || {
        "bestmove without a search".into()
    });
    if !answered {
        x.expect_ready("stop.idle", "stop without a search").await;
    }
    Ok(())
}

async fn twice(x: &mut Examiner<'_>) -> Step {
    x.scene("stop.twice").await?;
    x.redirect("bestmove.once", "stop.twice");
    start(x).await;
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(b"stop\nstop\n");
    }
    let answer = x.await_stopped().await;
    x.expect("stop.twice", is_obeyed(&answer), || answer.words());
    x.listen(x.patience.watch / 4).await;
    Ok(())
}

/// Both are answered, in whatever order.
async fn ready(x: &mut Examiner<'_>) -> Step {
    x.scene("stop.ready").await?;
    start(x).await;
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(b"stop\nisready\n");
    }
    let answer = x.await_stopped().await;
    let owed = x
        .talk
        .as_ref()
        .is_some_and(|talk| talk.sides.owed().readyok > 0);
    let ready = !owed || x.wait_for(Said::Ready, x.patience.ready).await;
    if is_obeyed(&answer) {
        x.expect("stop.ready", ready, || {
            "no readyok for an isready that came together with stop".into()
        });
    }
    Ok(())
}

/// The search after a stop answers for its own position, and by itself.
async fn then_go(x: &mut Examiner<'_>) -> Step {
    x.scene("stop.then-go").await?;
    start(x).await;
    let first = x.stop().await;
    if matches!(first.end, End::Never | End::Died) {
        // There is no engine for another search.
        x.expect("stop.then-go", false, || first.words());
        return Ok(());
    }
    // A game that is won at once is searched to the last ply in no time.
    let boards = (0..100).map(|seed| middle(x.game, 25, 59 + seed));
    let open = |board: &AnyLine| wins_in(board, 1, &mut 100_000) == Some(false);
    x.position(
        &boards
            .into_iter()
            .find(open)
            .unwrap_or_else(|| AnyLine::start(x.game)),
    );
    for general in [
        "bestmove.legal",
        "bestmove.null",
        "bestmove.once",
        "go.infinite",
    ] {
        x.redirect(general, "stop.then-go");
    }
    let words = x.limit(Limit::Infinite);
    x.go(&words);
    // A flag that was left behind would end it at once.
    let early = x.listen(x.patience.watch / 4).await;
    let answer = x.stop().await;
    x.expect("stop.then-go", !early && is_obeyed(&answer), || {
        if early {
            "the next search ended at once".into()
        } else {
            answer.words()
        }
    });
    Ok(())
}

async fn limited(x: &mut Examiner<'_>, id: &'static str, words: &str) -> Step {
    x.scene(id).await?;
    x.position(&middle(x.game, 16, 61));
    x.go(words);
    x.listen(x.patience.watch / 4).await;
    if x.running.is_none() {
        x.skip(id, "the search was over before it could be stopped");
        return Ok(());
    }
    let answer = x.stop().await;
    x.expect(id, is_obeyed(&answer), || answer.words());
    Ok(())
}

/// A host that does not wait for `bestmove`: its next search is sent together with
/// `stop`. An engine may ignore what is not supposed to come yet, so that nothing but a
/// note is made of it.
async fn pipelined(x: &mut Examiner<'_>) -> Step {
    x.fresh_scene("stop.pipelined").await?;
    x.judge_alone("stop.pipelined");
    start(x).await;
    let second = middle(x.game, 27, 67);
    let words = format!("stop\n{}\ngo depth 1\n", position_words(&second));
    if let Some(running) = &mut x.running {
        running.stopped = true;
    }
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(words.as_bytes());
    }
    let first = x.await_answer(x.patience.stop).await;
    x.root = second;
    let kept = first && x.expect_second().await;
    let second = x.answer.as_ref().map(Answer::words);
    x.expect("stop.pipelined", kept, || match (first, second) {
        (false, _) => "no bestmove after stop".into(),
        (true, None) => "no second bestmove".into(),
        (true, Some(words)) => format!("for the second position: {words}"),
    });
    x.drop_engine();
    Ok(())
}
