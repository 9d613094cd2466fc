//! isready and readyok, and that nothing is searched unasked.

use std::time::{Duration, Instant};

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Lost, Step};
use super::super::fair::Spent;
use super::super::heard::End;
use super::super::positions::middle;
use super::super::searches::Limit;
use super::super::watch::Said;

/// Longer is not at once.
const AT_ONCE: Duration = Duration::from_millis(500);

pub(super) async fn ready(x: &mut Examiner<'_>) -> Step {
    first(x).await?;
    idle(x).await?;
    three(x).await?;
    if x.dialect != Dialect::Ugi {
        x.scene("ready.new-game").await?;
        x.say("ucinewgame");
        x.expect_ready("ready.new-game", "ucinewgame").await;
    }
    after_position(x).await?;
    searching(x).await
}

/// The first sign of life, before anything else relies on it.
async fn first(x: &mut Examiner<'_>) -> Step {
    x.meet().await?;
    x.expect_ready("ready.answers", "the handshake").await;
    if x.is_alive() {
        return Ok(());
    }
    Err(Lost::NoEngine("isready is not answered".into()))
}

/// How long an answer took.
async fn timed_ready(x: &mut Examiner<'_>) -> Option<Spent> {
    if let Some(talk) = &mut x.talk {
        talk.mark();
    }
    if !x.ready().await {
        return None;
    }
    let now = Instant::now();
    x.talk.as_mut().map(|talk| talk.spent(now))
}

async fn idle(x: &mut Examiner<'_>) -> Step {
    x.scene("ready.quick").await?;
    if let Some(spent) = timed_ready(x).await {
        x.judge_time("ready.quick", spent, AT_ONCE, || {
            format!("{} ms to readyok", spent.own().as_millis())
        });
    }
    Ok(())
}

async fn three(x: &mut Examiner<'_>) -> Step {
    x.scene("ready.each").await?;
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(b"isready\nisready\nisready\n");
    }
    let mut answers = 0;
    while answers < 3 && x.wait_for(Said::Ready, x.patience.ready).await {
        answers += 1;
    }
    x.expect("ready.each", answers == 3, || {
        format!("{answers} answers to three isready")
    });
    // One too many would come now.
    x.listen(x.patience.watch / 4).await;
    x.pass("ready.unasked");
    Ok(())
}

async fn after_position(x: &mut Examiner<'_>) -> Step {
    x.scene("ready.position").await?;
    x.redirect("output.plain-text", "ready.position-silent");
    let position = middle(x.game, 8, 3);
    x.position(&position);
    x.expect_ready("ready.position", "a position").await;
    x.scene("go.forced-mode").await?;
    x.redirect("bestmove.once", "go.forced-mode");
    x.redirect("info.idle", "go.forced-mode");
    x.redirect("output.plain-text", "ready.position-silent");
    x.position(&position);
    let answered = x.listen(x.patience.watch).await;
    x.expect("go.forced-mode", !answered, || "bestmove without go".into());
    x.pass("ready.position-silent");
    Ok(())
}

async fn searching(x: &mut Examiner<'_>) -> Step {
    x.scene("ready.searching").await?;
    x.redirect("go.infinite", "ready.keeps-searching");
    x.redirect("output.plain-text", "ready.position-silent");
    let start = AnyLine::start(x.game);
    x.position(&start);
    let words = x.limit(Limit::Infinite);
    x.go(&words);
    x.listen(x.patience.watch / 4).await;
    let used = timed_ready(x).await;
    x.expect("ready.searching", used.is_some(), || {
        "no readyok during a search".into()
    });
    if let Some(spent) = used {
        x.judge_time("ready.searching-quick", spent, AT_ONCE, || {
            format!("{} ms to readyok during a search", spent.own().as_millis())
        });
    }
    let early = x.running.is_none() || x.listen(x.patience.watch / 2).await;
    if used.is_some() {
        x.expect("ready.keeps-searching", !early, || {
            "bestmove after isready".into()
        });
    }
    if x.running.is_some() && x.stop().await.end == End::Never {
        x.skip("ready.searching", "the search could not be stopped");
    }
    at_once(x).await
}

/// isready comes in one piece with go.
async fn at_once(x: &mut Examiner<'_>) -> Step {
    x.scene("ready.at-once").await?;
    x.ignore("bestmove.final-info");
    x.redirect("go.infinite", "ready.keeps-searching");
    x.position(&AnyLine::start(x.game));
    let words = x.limit(Limit::Infinite);
    x.go(&format!("{words}\nisready"));
    let ready = x.wait_for(Said::Ready, x.patience.ready).await;
    // One that is deaf in every search is another matter.
    if ready || !x.record.has_failed("ready.searching") {
        x.expect("ready.at-once", ready, || {
            "no readyok for an isready that came together with go".into()
        });
    }
    x.listen(x.patience.watch / 8).await;
    x.stop().await;
    Ok(())
}
