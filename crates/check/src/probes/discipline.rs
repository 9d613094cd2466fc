//! Searches of many kinds, one after the other: whatever an engine says about
//! them is judged as it comes.

use std::time::Duration;

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::{Answer, End};
use super::super::positions::{line, middle, random_game};
use super::super::report::Role;
use super::super::searches::Limit;
use super::super::table;

/// Castling mates at once, and nothing else does.
pub(super) const CASTLING_MATES: &str = "8/4R3/8/8/7Q/5k2/8/4K2R w K - 0 1";

/// A promotion mates at once, and nothing else does.
const PROMOTION_MATES: &str = "6k1/4Pppp/8/8/8/8/8/6K1 w - - 0 1";

pub(super) async fn discipline(x: &mut Examiner<'_>) -> Step {
    ten(x).await?;
    for (plies, seed) in [(0, 1), (7, 73), (16, 79), (23, 83)] {
        x.scene("bestmove.legal").await?;
        x.position(&random_or_start(x.game, plies, seed));
        x.look(Limit::Depth(3)).await;
        settle(x).await;
    }
    // Long enough for what engines tell regularly.
    x.scene("info.nps").await?;
    x.position(&random_or_start(x.game, 9, 89));
    let millis = match x.dialect {
        Dialect::Uci | Dialect::Ulci => 1150,
        Dialect::Leiser | Dialect::Ugi => 300,
    };
    let answer = x.look(Limit::Millis(millis)).await;
    settle(x).await;
    if matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        held_back(x, &answer).await?;
    }
    if matches!(x.game, Game::Chess | Game::Liberty) {
        x.scene("bestmove.promotion").await?;
        x.position(&line(x.game, "", PROMOTION_MATES, ""));
        x.look(Limit::Depth(2)).await;
    }
    if x.dialect == Dialect::Uci {
        x.scene("bestmove.castling").await?;
        x.position(&line(x.game, "", CASTLING_MATES, ""));
        x.look(Limit::Depth(2)).await;
    }
    for check in table::of(Role::Engine, x.dialect) {
        if check.probe == "discipline" {
            x.skip(check.id, "the engine never sent what this is about");
        }
    }
    super::hello::stderr(x);
    Ok(())
}

/// Lines about iterations with a time, fewer of which say nothing about when they are sent.
const LINES: usize = 4;

/// In a shorter search all lines come together.
const LONG: Duration = Duration::from_millis(700);

/// Info lines that come together at the end of a long search, and are about its start as the
/// engine itself tells. Twice is no accident.
async fn held_back(x: &mut Examiner<'_>, first: &Answer) -> Step {
    let id = "info.held-back";
    match when(first) {
        When::Meanwhile => x.pass(id),
        When::Unknown => x.skip(
            id,
            "the search was too short, or has too few lines with a time, to see when they come",
        ),
        When::AtTheEnd => {
            x.scene(id).await?;
            x.position(&random_or_start(x.game, 12, 101));
            let answer = x.look(Limit::Millis(1150)).await;
            let worse = [first.spent, answer.spent];
            // Nine tenths of the time would have to be missing to make it look so.
            let busy = worse.iter().find(|spent| spent.taken * 2 > spent.whole);
            match (when(&answer), busy) {
                (When::Meanwhile, _) => x.pass(id),
                (_, Some(spent)) => x.unjudge(id, &spent.excuse(spent.whole)),
                (When::AtTheEnd, None) => x.expect(id, false, || {
                    format!(
                        "{} info lines in the last tenth of {} ms",
                        answer.infos.len(),
                        answer.spent.whole.as_millis()
                    )
                }),
                (When::Unknown, None) => {
                    x.skip(id, "a second search had too few lines with a time");
                }
            }
        }
    }
    Ok(())
}

/// When the lines of a search came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Meanwhile,
    AtTheEnd,
    Unknown,
}

fn when(answer: &Answer) -> When {
    let lines: Vec<_> = answer
        .infos
        .iter()
        .filter_map(|heard| Some((heard.at, heard.depth?, heard.time?)))
        .collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return When::Unknown;
    };
    if answer
        .infos
        .iter()
        .any(|heard| heard.at * 10 < answer.spent.whole * 9)
    {
        return When::Meanwhile;
    }
    let mut depths: Vec<u64> = lines.iter().map(|line| line.1).collect();
    depths.sort_unstable();
    depths.dedup();
    // In whatever unit the times are: the first line is about the first half.
    let is_about_all = last.2 > Duration::ZERO && first.2 * 2 <= last.2;
    if depths.len() >= LINES && is_about_all && answer.spent.whole >= LONG {
        When::AtTheEnd
    } else {
        When::Unknown
    }
}

/// What an engine has still to say about a search comes before its readyok: it
/// must not be taken for a word about the next one.
async fn settle(x: &mut Examiner<'_>) {
    if x.is_alive() {
        x.ready().await;
    }
}

fn random_or_start(game: Game, plies: usize, seed: u64) -> AnyLine {
    if plies == 0 {
        AnyLine::start(game)
    } else {
        random_game(game, plies, seed)
    }
}

/// Ten short searches; every one of them has its answer.
async fn ten(x: &mut Examiner<'_>) -> Step {
    x.scene("bestmove.every-go").await?;
    let mut missing = 0;
    for number in 0..10 {
        x.position(&middle(x.game, 4 + number, 97));
        let answer = x.look(Limit::Depth(1)).await;
        if !matches!(answer.end, End::Itself | End::Stopped) {
            missing += 1;
            break;
        }
        settle(x).await;
    }
    x.expect("bestmove.every-go", missing == 0, || {
        "a search of ten was never answered".into()
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::fair::Spent;
    use super::super::super::heard::Heard;
    use super::*;

    /// A search of so many milliseconds with lines of so many depths: when the first came, and
    /// the times that the engine tells of the first and the last.
    fn search(whole: u64, depths: u64, at: u64, told: (u64, u64)) -> Answer {
        let ms = Duration::from_millis;
        let line = |depth| Heard {
            at: ms(at),
            depth: Some(depth),
            time: Some(ms(if depth == 1 { told.0 } else { told.1 })),
            ..Heard::default()
        };
        Answer {
            infos: (1..=depths).map(line).collect(),
            spent: Spent {
                whole: ms(whole),
                taken: Duration::ZERO,
            },
            ..Answer::none(End::Itself)
        }
    }

    #[test]
    fn only_lines_that_are_older_than_they_come_are_held_back() {
        assert_eq!(when(&search(1150, 4, 1149, (1, 1100))), When::AtTheEnd);
        assert_eq!(when(&search(1150, 4, 3, (1, 1100))), When::Meanwhile);
        for other in [
            // The answer came at once.
            search(2, 4, 2, (0, 1)),
            // The first iteration took a second.
            search(1150, 4, 1149, (1000, 1100)),
            // A clock that stands still, and one that nobody reads.
            search(1150, 4, 1149, (0, 0)),
            search(1150, 1, 1149, (1, 1)),
            search(1150, 0, 0, (0, 0)),
        ] {
            assert_eq!(when(&other), When::Unknown, "{other:?}");
        }
    }
}
