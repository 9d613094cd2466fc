//! Clocks: whether an engine that has little time answers in time.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::Answer;
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
    }
    empty(x, "clock.zero", &white, "go wtime 0 btime 0").await?;
    empty(x, "clock.negative", &white, "go wtime -100 btime -100").await
}

/// A search that must be over before its clock is.
async fn timed(
    x: &mut Examiner<'_>,
    id: &'static str,
    board: &AnyLine,
    words: &str,
    ms: u64,
) -> Step {
    x.scene(id).await?;
    x.position(board);
    let clock = Duration::from_millis(ms);
    let answer = x.search(words, clock + x.patience.search).await;
    let in_time = answer.is_timely() && answer.used <= clock + GRACE * x.leniency();
    x.expect(id, in_time, || late_words(&answer, ms));
    Ok(())
}

fn late_words(answer: &Answer, ms: u64) -> String {
    if answer.is_timely() {
        let used = answer.used.as_millis();
        format!("bestmove after {used} ms, with {ms} ms on the clock")
    } else {
        answer.words()
    }
}

async fn empty(x: &mut Examiner<'_>, id: &'static str, board: &AnyLine, words: &str) -> Step {
    x.scene(id).await?;
    x.position(board);
    let answer = x.search(words, x.patience.search).await;
    let in_time = answer.is_timely() && answer.used <= AT_ONCE * x.leniency();
    x.expect(id, in_time, || late_words(&answer, 0));
    Ok(())
}
