//! Several best lines.

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;

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
    with_searchmoves(x).await?;
    back(x).await?;
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
    let unsorted = blocks(answer).find_map(|block| ranks(&block).filter(|ranks| !falls(ranks)));
    x.expect("multipv.sorted", unsorted.is_none(), || {
        let ranks = unsorted.unwrap_or_default();
        let words: Vec<String> = ranks.iter().map(i64::to_string).collect();
        format!("scores {}", words.join(", "))
    });
    if let (Some(best), Some(first)) = (&answer.best, firsts.first()) {
        x.expect("multipv.best-first", best.text == *first, || {
            format!("bestmove {}, but line 1 begins with {first}", best.text)
        });
    }
}

/// The exact lines of a search, cut where the numbers do not grow.
fn blocks(answer: &Answer) -> impl Iterator<Item = Vec<&Heard>> {
    let exact =
        |heard: &&Heard| heard.pv.is_some() && heard.score.is_none_or(|told| told.bound.is_none());
    let lines: Vec<&Heard> = answer.infos.iter().filter(exact).collect();
    let blocks: Vec<Vec<&Heard>> = lines
        .chunk_by(|a, b| a.number() < b.number())
        .map(<[&Heard]>::to_vec)
        .collect();
    blocks.into_iter()
}

/// The scores of a block that is whole and of one depth.
fn ranks(block: &[&Heard]) -> Option<Vec<i64>> {
    let same = block.windows(2).all(|pair| pair[0].depth == pair[1].depth);
    let ranks: Option<Vec<i64>> = block
        .iter()
        .map(|heard| heard.score.map(Told::rank))
        .collect();
    ranks.filter(|_| same && block.len() as u64 == WANTED)
}

fn falls(ranks: &[i64]) -> bool {
    ranks.windows(2).all(|pair| pair[0] >= pair[1])
}

/// Whatever is sent is sent whole: all lines, one after the other.
fn together(x: &mut Examiner<'_>, answer: &Answer) {
    let whole: Vec<u64> = (1..=WANTED).collect();
    let odd = blocks(answer)
        .map(|block| {
            block
                .iter()
                .map(|heard| heard.number())
                .collect::<Vec<u64>>()
        })
        .find(|numbers| *numbers != whole);
    x.expect("multipv.together", odd.is_none(), || {
        let words: Vec<String> = odd.unwrap_or_default().iter().map(u64::to_string).collect();
        format!(
            "lines with the numbers {} and no others together",
            words.join(", ")
        )
    });
}

/// Lines among few moves.
async fn with_searchmoves(x: &mut Examiner<'_>) -> Step {
    let id = "multipv.searchmoves";
    if !matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        return Ok(());
    }
    x.scene(id).await?;
    for general in ["go.searchmoves", "go.searchmoves-pv"] {
        x.redirect(general, id);
    }
    x.set_option("MultiPV", "3");
    x.position(&AnyLine::start(x.game));
    let words = "go depth 2 searchmoves b2b3 h2h3";
    let answer = x.search(words, x.search_patience()).await;
    let highest = answer.infos.iter().map(Heard::number).max().unwrap_or(0);
    x.expect(id, highest <= 2 && answer.is_legal(), || {
        format!("{highest} lines for two moves; {}", answer.words())
    });
    Ok(())
}

/// One line again.
async fn back(x: &mut Examiner<'_>) -> Step {
    x.scene("multipv.back").await?;
    x.redirect("multipv.off", "multipv.back");
    x.set_option("MultiPV", "3");
    x.position(&AnyLine::start(x.game));
    x.look(Limit::Depth(2)).await;
    x.set_option("MultiPV", "1");
    x.position(&AnyLine::start(x.game));
    let answer = x.look(Limit::Depth(2)).await;
    let highest = answer.infos.iter().map(Heard::number).max().unwrap_or(0);
    x.expect("multipv.back", highest <= 1, || {
        format!("line {highest} after MultiPV was set back to 1")
    });
    Ok(())
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
