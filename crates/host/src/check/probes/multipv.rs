//! Several best lines.

use quadrille_games::{AnyLine, Game};

use super::super::examiner::{Examiner, Step};
use super::super::heard::{Answer, Heard, Told, playable};
use super::super::positions::{line, middle, win_in_one};
use super::super::report::Role;
use super::super::searches::Limit;
use super::super::table;

/// A king with one move.
const ONE_MOVE: &str = "k7/8/1K6/8/8/8/8/7R b - - 0 1";

const WANTED: u64 = 3;

pub(super) async fn multipv(x: &mut Examiner<'_>) -> Step {
    x.scene("multipv.off").await?;
    x.position(&AnyLine::start(x.game));
    x.look(Limit::Depth(2)).await;
    x.pass("multipv.off");
    if x.option("MultiPV").is_none() {
        for check in table::of(Role::Engine, x.dialect).filter(|c| c.group() == "multipv") {
            x.skip(check.id, "there is no option MultiPV");
        }
        return Ok(());
    }
    three(x).await?;
    few(x).await?;
    x.drop_engine();
    Ok(())
}

async fn three(x: &mut Examiner<'_>) -> Step {
    x.scene("multipv.count").await?;
    x.set_option("MultiPV", "3");
    let board = middle(x.game, 6, 101);
    x.position(&board);
    let answer = x.look(Limit::Depth(2)).await;
    let highest = answer.infos.iter().map(Heard::number).max().unwrap_or(0);
    let lines = answer.last_lines();
    let numbers: Vec<u64> = lines.iter().map(|heard| heard.number()).collect();
    let proper = numbers.iter().all(|number| (1..=WANTED).contains(number));
    x.expect("multipv.count", lines.len() as u64 >= WANTED, || {
        format!("{} lines where MultiPV is {WANTED}", lines.len())
    });
    if (lines.len() as u64) < WANTED {
        return Ok(());
    }
    x.expect("multipv.numbers", proper && highest <= WANTED, || {
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        format!("lines {}", numbers.join(", "))
    });
    if !proper {
        return Ok(());
    }
    compare(x, &board, &answer);
    together(x, &answer);
    Ok(())
}

/// The last lines, one beside the other.
fn compare(x: &mut Examiner<'_>, board: &AnyLine, answer: &Answer) {
    let lines = answer.last_lines();
    let first = |heard: &&Heard| {
        let text = heard.pv.as_ref()?.first()?;
        playable(board, text).map(|found| found.text)
    };
    let firsts: Vec<String> = lines.iter().filter_map(first).collect();
    let mut sorted = firsts.clone();
    sorted.sort();
    sorted.dedup();
    x.expect("multipv.distinct", sorted.len() == firsts.len(), || {
        format!("lines begin with {}", firsts.join(", "))
    });
    let same_depth = lines.windows(2).all(|pair| pair[0].depth == pair[1].depth);
    let ranks: Vec<i64> = lines
        .iter()
        .filter_map(|heard| heard.score.filter(|told| told.bound.is_none()))
        .map(Told::rank)
        .collect();
    if same_depth && ranks.len() == lines.len() {
        let falling = ranks.windows(2).all(|pair| pair[0] >= pair[1]);
        x.expect("multipv.sorted", falling, || {
            let words: Vec<String> = ranks.iter().map(i64::to_string).collect();
            format!("scores {}", words.join(", "))
        });
    }
    if let (Some(best), Some(first)) = (&answer.best, firsts.first()) {
        x.expect("multipv.best-first", best.text == *first, || {
            format!("bestmove {}, but line 1 begins with {first}", best.text)
        });
    }
}

/// From the second line of a depth on, each follows the one before.
fn together(x: &mut Examiner<'_>, answer: &Answer) {
    let exact =
        |heard: &&Heard| heard.pv.is_some() && heard.score.is_none_or(|told| told.bound.is_none());
    let deepest = answer.infos.iter().filter_map(|heard| heard.depth).max();
    let last: Vec<u64> = answer
        .infos
        .iter()
        .filter(exact)
        .filter(|heard| heard.depth == deepest)
        .map(Heard::number)
        .collect();
    let whole = (1..=WANTED).all(|number| last.contains(&number));
    let all = answer.infos.iter().filter(|heard| heard.pv.is_some());
    let tail: Vec<u64> = all.map(Heard::number).collect();
    let tail = &tail[tail.len().saturating_sub(WANTED as usize)..];
    x.expect("multipv.together", whole && tail == [1, 2, 3], || {
        let words: Vec<String> = tail.iter().map(u64::to_string).collect();
        format!(
            "the last lines of the search have numbers {}",
            words.join(", ")
        )
    });
}

async fn few(x: &mut Examiner<'_>) -> Step {
    x.scene("multipv.few-moves").await?;
    x.set_option("MultiPV", "3");
    let board = match x.game {
        Game::Chess | Game::Liberty => line(x.game, "", ONE_MOVE, ""),
        Game::Leiser | Game::Gyges => win_in_one(x.game),
    };
    let moves = board.legal(10).len() as u64;
    x.position(&board);
    let answer = x.look(Limit::Depth(2)).await;
    let highest = answer.infos.iter().map(Heard::number).max().unwrap_or(0);
    x.expect(
        "multipv.few-moves",
        highest <= moves && answer.is_legal(),
        || {
            format!(
                "{highest} lines where there are {moves} moves; {}",
                answer.words()
            )
        },
    );
    Ok(())
}
