//! Scores and mates: whether what is told is so.

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::{Answer, Told};
use super::super::positions::{line, lopsided, win_in_one};
use super::super::prove::{is_won, loses_in, wins_in};
use super::super::searches::{Limit, side_word};

/// A mate in two that every engine sees at this depth, and a king that is mated by the next move.
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
const MATED_IN_ONE: &str = "k7/8/1K6/8/8/8/8/7R b - - 0 1";

/// Black mates at once; and a promotion to a knight mates, and nothing else does.
const BLACK_MATES: &str = "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1";
const KNIGHT_MATES: &str = "7n/5Ppk/7p/8/8/1B6/8/K7 w - - 0 1";

/// Positions of a proof.
const WORK: u64 = 3_000_000;

/// The longest mate that is proven.
const PROVEN: i64 = 3;

/// How far the score of a mirror image may be off, in centipawns.
const MIRROR: i64 = 150;

pub(super) async fn score(x: &mut Examiner<'_>) -> Step {
    wdl(x);
    mate_in_one(x).await?;
    if !matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        return decided(x).await;
    }
    other_mates(x).await?;
    view(x).await?;
    for (id, text) in [
        ("score.mate-moves", MATE_IN_TWO),
        ("score.mated", MATED_IN_ONE),
    ] {
        x.scene(id).await?;
        let board = line(x.game, "", text, "");
        x.position(&board);
        let answer = x.look(Limit::Depth(6)).await;
        let distance = if id == "score.mated" { -1 } else { 2 };
        let told = exact_mate(&answer);
        match told {
            Some(moves) => x.expect(id, moves == distance, || {
                format!(
                    "mate {moves}, where it is mate {distance} ({})",
                    board.position_text()
                )
            }),
            None if answer.score().is_some() => x.skip(id, "no mate was told"),
            None => {}
        }
        if told == Some(distance) {
            prove(x, &board, &answer);
            mate_line(x, &board, &answer);
        }
    }
    Ok(())
}

/// Chances are told on request, where there is a way to request them.
fn wdl(x: &mut Examiner<'_>) {
    if x.option("UCI_ShowWDL").is_none() {
        for id in ["score.wdl-sum", "score.wdl-view"] {
            x.skip(id, "chances are not told");
        }
    }
}

fn exact_mate(answer: &Answer) -> Option<i64> {
    let told = answer.score().filter(|told| told.bound.is_none())?;
    told.mate
}

async fn mate_in_one(x: &mut Examiner<'_>) -> Step {
    x.scene("score.mate-one").await?;
    let board = win_in_one(x.game);
    x.position(&board);
    // Deep enough for engines that prune what they see first.
    let depth = match x.dialect {
        Dialect::Uci | Dialect::Ulci => 8,
        Dialect::Leiser | Dialect::Ugi => 3,
    };
    let answer = x.look(Limit::Depth(depth)).await;
    let told = exact_mate(&answer);
    let wins = answer.best.as_ref().is_some_and(|best| {
        let mut after = board.clone();
        after.push(best.value).is_ok() && is_won(&after, board.side())
    });
    match told {
        Some(0) => x.fail("score.mate-zero", "mate 0 in a position with moves"),
        None if !wins => x.skip("score.mate-one", "the engine did not see the mate"),
        _ => {
            let words = || answer.score().map_or("no score".into(), Told::words);
            x.expect("score.mate-one", told == Some(1), || {
                format!("{} in {}", words(), board.position_text())
            });
            x.pass("score.mate-zero");
        }
    }
    if let Some(best) = &answer.best
        && told == Some(1)
    {
        x.expect("score.mate-found", wins, || {
            format!("bestmove {} does not win", best.text)
        });
    }
    Ok(())
}

/// Deep enough for engines that prune what they see first.
const MATE_DEPTH: u32 = 8;

/// Mates by Black, and by a knight that was a pawn.
async fn other_mates(x: &mut Examiner<'_>) -> Step {
    x.scene("score.mate-black").await?;
    let board = line(x.game, "", BLACK_MATES, "");
    x.position(&board);
    let answer = x.look(Limit::Depth(MATE_DEPTH)).await;
    match exact_mate(&answer) {
        Some(told) => x.expect("score.mate-black", told == 1, || {
            format!("mate {told} in {}", board.position_text())
        }),
        None => x.skip("score.mate-black", "no mate was told"),
    }
    x.scene("score.mate-underpromotion").await?;
    let board = line(x.game, "", KNIGHT_MATES, "");
    x.position(&board);
    let answer = x.look(Limit::Depth(MATE_DEPTH)).await;
    let Some(best) = &answer.best else {
        return Ok(());
    };
    let mut after = board.clone();
    let mates = after.push(best.value).is_ok() && is_won(&after, board.side());
    if mates || x.record.has_passed("score.mate-found") {
        x.expect("score.mate-underpromotion", mates, || {
            format!("bestmove {} in {}", best.text, board.position_text())
        });
    } else {
        let why = "the engine plays no mate in one at all";
        x.skip("score.mate-underpromotion", why);
    }
    Ok(())
}

/// Whether a mate that was told is there: nobody's word but our own search's.
fn prove(x: &mut Examiner<'_>, board: &AnyLine, answer: &Answer) {
    let Some(moves) = exact_mate(answer).filter(|moves| (1..=PROVEN).contains(&moves.abs())) else {
        return;
    };
    let mut work = WORK;
    let count = u32::try_from(moves.unsigned_abs()).unwrap_or(u32::MAX);
    let proven = if moves > 0 {
        wins_in(board, count, &mut work)
    } else {
        loses_in(board, count, &mut work)
    };
    if let Some(proven) = proven {
        x.judge("score.mate-proven", proven, || {
            format!(
                "mate {moves} in {}, and there is none",
                board.position_text()
            )
        });
    }
}

fn mate_line(x: &mut Examiner<'_>, board: &AnyLine, answer: &Answer) {
    let lines = answer.last_lines();
    let Some(pv) = lines.first().and_then(|heard| heard.pv.as_ref()) else {
        return;
    };
    let mut after = board.clone();
    for text in pv {
        if after.play(text).is_err() {
            return;
        }
    }
    x.judge("score.mate-line", after.legal(1).is_empty(), || {
        format!("the pv {} does not end in mate", pv.join(" "))
    });
}

/// Both sides, once far ahead and once far behind.
async fn view(x: &mut Examiner<'_>) -> Step {
    let Some(boards) = lopsided(x.game) else {
        return Ok(());
    };
    x.scene("score.view").await?;
    let chances = x.set_option("UCI_ShowWDL", "true");
    let mut scores = Vec::new();
    for (board, ahead) in &boards {
        x.position(board);
        let answer = x.look(Limit::Depth(4)).await;
        prove(x, board, &answer);
        let Some(told) = answer.score() else {
            continue;
        };
        let side = side_word(board.side());
        let word = if *ahead { "ahead" } else { "behind" };
        let rank = told.rank();
        x.expect("score.view", (rank > 0) == *ahead, || {
            format!(
                "{} where {side} is to move and a queen {word}",
                told.words()
            )
        });
        scores.push((rank, told));
        let wdl = answer.infos.iter().rev().find_map(|heard| heard.wdl);
        match wdl {
            Some(wdl) => x.judge("score.wdl-view", (wdl.win > wdl.loss) == *ahead, || {
                format!(
                    "wdl {} {} {} where {side} is {word}",
                    wdl.win, wdl.draw, wdl.loss
                )
            }),
            None if chances => x.skip("score.wdl-view", "chances are not told"),
            None => {}
        }
    }
    if let [(first, one), (second, other), ..] = scores[..]
        && one.mate.is_none()
        && other.mate.is_none()
        && !x.record.has_failed("score.view")
    {
        x.judge("score.mirror", (first - second).abs() <= MIRROR, || {
            format!("{} and, mirrored, {}", one.words(), other.words())
        });
    }
    x.drop_engine();
    Ok(())
}

/// Games without centipawns that mean the same everywhere: a position that is
/// won is told as good.
async fn decided(x: &mut Examiner<'_>) -> Step {
    x.scene("score.view").await?;
    let board = win_in_one(x.game);
    x.position(&board);
    let answer = x.look(Limit::Depth(2)).await;
    if let Some(told) = answer.score() {
        x.expect("score.view", told.rank() > 0, || {
            format!("{} where the side to move wins at once", told.words())
        });
    }
    Ok(())
}
