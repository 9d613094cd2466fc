//! Pondering: go ponder, ponderhit, and stop in its place.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::Answer;
use super::super::positions::{middle, win_in_one};

/// What an answer may take after ponderhit beyond its clock.
const GRACE: Duration = Duration::from_millis(100);

/// A clock of so many milliseconds in the words of the dialect.
fn clock(dialect: Dialect, ms: u64) -> String {
    match dialect {
        Dialect::Leiser => format!("time {ms} inc 0"),
        _ => format!("wtime {ms} btime {ms}"),
    }
}

pub(super) async fn ponder(x: &mut Examiner<'_>) -> Step {
    waits(x).await?;
    hit(x).await?;
    miss(x).await?;
    ready(x).await?;
    if x.dialect == Dialect::Uci {
        x.scene("ponder.mate").await?;
        allow(x);
        x.redirect("go.infinite", "ponder.mate");
        x.position(&win_in_one(x.game));
        x.go("go ponder wtime 1000 btime 1000");
        let early = x.listen(x.patience.watch).await;
        x.expect("ponder.mate", !early, || "bestmove before ponderhit".into());
        x.forget_if(early);
    }
    depth(x).await?;
    idle(x).await?;
    automatic(x).await
}

fn allow(x: &mut Examiner<'_>) {
    x.set_option("Ponder", "true");
}

/// Starts a ponder search with so much time on the clock.
fn start(x: &mut Examiner<'_>, go: &str, ms: u64) {
    allow(x);
    x.position(&middle(x.game, 12, 71));
    let words = format!("{go} {}", clock(x.dialect, ms));
    x.go(&words);
}

async fn waits(x: &mut Examiner<'_>) -> Step {
    x.scene("ponder.waits").await?;
    x.redirect("go.infinite", "ponder.waits");
    // The clock would be over twice.
    let ms = u64::try_from(x.patience.watch.as_millis() / 2).unwrap_or(100);
    start(x, "go ponder", ms);
    let early = x.listen(x.patience.watch).await;
    x.expect("ponder.waits", !early, || {
        "bestmove before ponderhit or stop".into()
    });
    x.forget_if(early);
    Ok(())
}

async fn hit(x: &mut Examiner<'_>) -> Step {
    for (id, wait) in [("ponder.hit", true), ("ponder.hit-at-once", false)] {
        x.scene(id).await?;
        x.redirect("go.infinite", "ponder.waits");
        if wait {
            start(x, "go ponder", 400);
            x.listen(x.patience.watch / 4).await;
            if x.running.is_none() {
                continue;
            }
            x.say("ponderhit");
        } else {
            allow(x);
            x.position(&middle(x.game, 12, 71));
            // In one piece, so that it is there before the search is.
            let words = format!("go ponder {}\nponderhit", clock(x.dialect, 400));
            x.go(&words);
        }
        let limit = Duration::from_millis(400) + GRACE * x.leniency();
        let patience = limit.max(x.search_patience());
        let in_time = x.await_answer(patience).await;
        let legal = x.answer.as_ref().is_some_and(Answer::is_legal);
        x.expect(id, in_time && legal, || {
            "no bestmove in time after ponderhit".into()
        });
    }
    Ok(())
}

async fn miss(x: &mut Examiner<'_>) -> Step {
    x.scene("ponder.miss").await?;
    x.redirect("go.infinite", "ponder.waits");
    start(x, "go ponder", 60_000);
    x.listen(x.patience.watch / 8).await;
    if x.running.is_some() {
        let answer = x.stop().await;
        x.expect("ponder.miss", answer.is_legal(), || answer.words());
    }
    Ok(())
}

async fn ready(x: &mut Examiner<'_>) -> Step {
    x.scene("ponder.ready").await?;
    x.redirect("go.infinite", "ponder.waits");
    start(x, "go ponder", 60_000);
    x.listen(x.patience.watch / 8).await;
    if x.running.is_some() {
        let ready = x.ready().await;
        x.expect("ponder.ready", ready, || {
            "no readyok while it ponders".into()
        });
    }
    Ok(())
}

async fn depth(x: &mut Examiner<'_>) -> Step {
    x.scene("ponder.depth").await?;
    allow(x);
    x.redirect("go.infinite", "ponder.depth");
    x.position(&AnyLine::start(x.game));
    x.go("go ponder depth 1");
    let early = x.listen(x.patience.watch / 2).await;
    x.expect("ponder.depth", !early, || {
        "bestmove before ponderhit or stop".into()
    });
    x.forget_if(early);
    Ok(())
}

async fn idle(x: &mut Examiner<'_>) -> Step {
    x.scene("ponder.hit-idle").await?;
    x.redirect("bestmove.once", "ponder.hit-idle");
    x.redirect("info.idle", "ponder.hit-idle");
    x.say("ponderhit");
    let answered = x.listen(x.patience.watch / 4).await;
    x.expect("ponder.hit-idle", !answered, || {
        "bestmove without a search".into()
    });
    if !answered {
        x.expect_ready("ponder.hit-idle", "ponderhit without a search")
            .await;
    }
    Ok(())
}

async fn automatic(x: &mut Examiner<'_>) -> Step {
    x.scene("ponder.automatic").await?;
    allow(x);
    x.redirect("bestmove.once", "ponder.automatic");
    x.redirect("info.idle", "ponder.automatic");
    x.position(&AnyLine::start(x.game));
    x.search("go depth 2", x.search_patience()).await;
    let answered = x.listen(x.patience.watch / 2).await;
    x.expect("ponder.automatic", !answered, || {
        "bestmove without go".into()
    });
    Ok(())
}
