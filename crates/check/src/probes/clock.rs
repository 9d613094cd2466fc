//! Clocks: whether an engine that has little time answers in time.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::fair::{Punctuality, Spent};
use super::super::positions::middle;

/// What a clock may be overstepped by: the operating system, the pipe.
const GRACE: Duration = Duration::from_millis(100);

/// Time that an answer to an empty clock may take.
const AT_ONCE: Duration = Duration::from_secs(1);

pub(super) async fn clock(x: &mut Examiner<'_>) -> Step {
    if x.dialect == Dialect::Leiser {
        let start = AnyLine::start(x.game);
        return timed(x, "clock.leiser", &start, "go time 300 inc 0", 300).await;
    }
    let white = middle(x.game, 10, 47);
    let black = middle(x.game, 11, 53);
    for (id, board, words, ms) in [
        ("clock.both", &white, "go wtime 300 btime 300", 300),
        ("clock.white-only", &white, "go wtime 300", 300),
        ("clock.black-only", &black, "go btime 300", 300),
        ("clock.own-side", &black, "go wtime 600000 btime 300", 300),
        (
            "clock.order",
            &white,
            "go binc 100 winc 100 btime 300 wtime 300",
            300,
        ),
        (
            "clock.increment",
            &white,
            "go wtime 100 btime 100 winc 5000 binc 5000",
            100,
        ),
    ] {
        timed(x, id, board, words, ms).await?;
    }
    if x.dialect == Dialect::Uci {
        let words = "go wtime 300 btime 300 movestogo 1";
        timed(x, "clock.movestogo", &white, words, 300).await?;
        let words = "go wtime 1000 btime 1000 movestogo 0";
        timed(x, "clock.movestogo-zero", &white, words, 1000).await?;
    }
    empty(x, "clock.zero", &white, "go wtime 0 btime 0").await?;
    empty(x, "clock.negative", &white, "go wtime -100 btime -100").await?;
    huge(x, &white).await
}

/// More than 31 bits: an engine that reads it as a smaller number, or a negative one,
/// answers at once where it thinks with less on the clock.
async fn huge(x: &mut Examiner<'_>, board: &AnyLine) -> Step {
    let mut thinks = false;
    for ms in [6_000_000_u64, 3_000_000_000] {
        x.scene("clock.huge").await?;
        x.position(board);
        x.go(&format!("go wtime {ms} btime {ms}"));
        let early = x.listen(x.patience.watch).await;
        if ms < 1 << 31 {
            thinks = !early;
            if x.running.is_some() && !x.stop().await.is_legal() {
                x.skip(
                    "clock.huge",
                    "a search with less on the clock could not be stopped",
                );
                return Ok(());
            }
            continue;
        }
        let watched = x.patience.watch.as_millis();
        x.expect("clock.huge", !(early && thinks), || {
            format!("bestmove within {watched} ms, with {ms} ms on the clock")
        });
        if x.running.is_some() {
            let answer = x.stop().await;
            x.expect("clock.huge", answer.is_legal(), || answer.words());
        }
    }
    Ok(())
}

/// How often an engine may try to be in time: a machine stumbles now and then.
const TRIES: usize = 3;

/// What came of a search that must be over in time.
pub(super) enum Verdict {
    Kept(Spent),
    Broken(String),
    Unclear(String),
}

/// A search that must be over in time, tried until it is. Late twice is late.
pub(super) async fn within(
    x: &mut Examiner<'_>,
    id: &'static str,
    board: &AnyLine,
    words: &str,
    limit: Duration,
) -> Step<Verdict> {
    let mut unclear = None;
    let mut late = None;
    for _ in 0..TRIES {
        x.scene(id).await?;
        x.position(board);
        let answer = x.search(words, limit + x.search_patience()).await;
        if !answer.is_timely() {
            return Ok(match x.excused() {
                Some(excuse) => Verdict::Unclear(excuse),
                None => Verdict::Broken(answer.words()),
            });
        }
        let spent = answer.spent;
        match spent.against(limit) {
            Punctuality::InTime => return Ok(Verdict::Kept(spent)),
            Punctuality::Unclear => unclear = Some(Verdict::Unclear(spent.excuse(limit))),
            Punctuality::Late => {
                let words = format!("bestmove after {} ms", spent.own().as_millis());
                if late.replace(words.clone()).is_some() {
                    return Ok(Verdict::Broken(words));
                }
            }
        }
    }
    Ok(unclear.unwrap_or_else(|| Verdict::Broken(late.unwrap_or_default())))
}

/// A search that must be over before its clock is.
async fn timed(
    x: &mut Examiner<'_>,
    id: &'static str,
    board: &AnyLine,
    words: &str,
    ms: u64,
) -> Step {
    let limit = Duration::from_millis(ms) + GRACE * x.leniency();
    judged(x, id, board, words, limit, ms).await
}

async fn empty(x: &mut Examiner<'_>, id: &'static str, board: &AnyLine, words: &str) -> Step {
    let limit = AT_ONCE * x.leniency();
    judged(x, id, board, words, limit, 0).await
}

async fn judged(
    x: &mut Examiner<'_>,
    id: &'static str,
    board: &AnyLine,
    words: &str,
    limit: Duration,
    ms: u64,
) -> Step {
    match within(x, id, board, words, limit).await? {
        Verdict::Kept(_) => x.expect(id, true, String::new),
        Verdict::Broken(words) => {
            x.expect(id, false, || format!("{words}, with {ms} ms on the clock"));
        }
        Verdict::Unclear(excuse) => x.unjudge(id, &excuse),
    }
    Ok(())
}
