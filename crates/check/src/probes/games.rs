//! Whole games, one after the other: legal moves, memory, the same again.

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::End;
use super::super::positions::middle;
use super::super::searches::Limit;

/// Moves of a game against itself.
const PLIES: usize = 30;

/// Games, and moves in each.
const FEW: usize = 12;
const MANY: usize = 200;
const SHORT: usize = 4;

/// What may be added after the first games, in bytes: tables are filled late.
const GROWTH: u64 = 16 << 20;

pub(super) async fn games(x: &mut Examiner<'_>) -> Step {
    play(x).await?;
    many(x).await?;
    if x.dialect != Dialect::Ugi {
        again(x).await?;
    }
    Ok(())
}

async fn play(x: &mut Examiner<'_>) -> Step {
    x.scene("games.play").await?;
    for general in ["bestmove.legal", "bestmove.null"] {
        x.redirect(general, "games.play");
    }
    let mut line = AnyLine::start(x.game);
    while line.plies() < PLIES && line.outcome().is_none() && !line.legal(1).is_empty() {
        x.position(&line);
        let answer = x.look(Limit::Depth(1)).await;
        if !x.is_alive() && answer.end == End::Died {
            // The end is told where it belongs.
            return Ok(());
        }
        let Some(best) = answer.best.as_ref().filter(|_| answer.is_timely()) else {
            x.expect("games.play", false, || answer.words());
            return Ok(());
        };
        if line.push(best.value).is_err() {
            return Ok(());
        }
    }
    x.expect("games.play", true, String::new);
    Ok(())
}

async fn many(x: &mut Examiner<'_>) -> Step {
    x.scene("games.new-game").await?;
    let games = if x.settings.thorough { MANY } else { FEW };
    let mut early = None;
    let mut finished = true;
    for number in 0..games {
        if x.dialect != Dialect::Ugi {
            x.say("ucinewgame");
        }
        if !x.ready().await {
            finished = false;
            break;
        }
        for ply in 0..SHORT {
            x.position(&middle(x.game, 2 + ply + number % 10, 127));
            let answer = x.look(Limit::Depth(2)).await;
            finished &= answer.is_timely();
        }
        if !finished {
            break;
        }
        if number == games / 3 {
            early = memory(x);
        }
    }
    if !finished && !x.is_alive() {
        return Ok(());
    }
    x.expect("games.new-game", finished, || {
        "a game was not answered".into()
    });
    match early.zip(memory(x)) {
        Some((before, after)) => {
            let grown = after.saturating_sub(before);
            x.expect("games.memory", grown <= GROWTH, || {
                format!("{} MB more after {} games", grown >> 20, games - games / 3)
            });
        }
        None => x.skip("games.memory", "the engine is no process of this machine"),
    }
    x.pass("games.survive");
    Ok(())
}

/// What the process holds in memory, in bytes.
fn memory(x: &Examiner<'_>) -> Option<u64> {
    let process = x.talk.as_ref()?.process_id()?;
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

async fn again(x: &mut Examiner<'_>) -> Step {
    x.scene("games.same-again").await?;
    let board = middle(x.game, 9, 131);
    let mut answers = Vec::new();
    for _ in 0..2 {
        x.say("ucinewgame");
        if !x.ready().await {
            return Ok(());
        }
        x.position(&board);
        let answer = x.look(Limit::Depth(3)).await;
        answers.extend(answer.best.map(|best| best.text));
    }
    if let [first, second] = &answers[..] {
        x.expect("games.same-again", first == second, || {
            format!("bestmove {first}, then bestmove {second}")
        });
    }
    Ok(())
}
