//! What only one dialect has.

use std::collections::BTreeSet;
use std::time::Duration;

use quadrille_games::{AnyLine, Game};

use super::super::examiner::{Examiner, Step};
use super::super::positions::{line, middle};
use super::super::searches::Limit;

/// Ten files and ten ranks, with pieces of chess alone.
const LARGE: &str = "rnbq1kbnr1/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQ1KBNR1 w - - 0 1";

/// The pieces of Liberty Chess.
const LETTERS: &str = "kmqcaehuriwbznxlop";

pub(super) async fn ulci(x: &mut Examiner<'_>) -> Step {
    x.meet().await?;
    let lines = x.transcript_lines();
    let version = lines.iter().any(|line| line.starts_with("id version "));
    x.expect("ulci.version", version, || "there is no id version".into());
    match lines
        .iter()
        .find_map(|line| line.strip_prefix("id pieces "))
    {
        Some(pieces) => {
            let pieces = pieces.trim();
            let known = pieces.chars().all(|c| LETTERS.contains(c));
            let each: BTreeSet<char> = pieces.chars().collect();
            x.expect("ulci.pieces", known && each.len() == pieces.len(), || {
                format!("id pieces {pieces}")
            });
        }
        None => x.skip("ulci.pieces", "the client plays with the pieces of chess"),
    }
    x.drop_engine();
    x.scene("ulci.server-info").await?;
    x.asked_for_text = true;
    x.say("info string welcome");
    x.say("info servererror joho");
    x.expect_ready("ulci.server-info", "info from the server")
        .await;
    x.scene("ulci.eval").await?;
    x.asked_for_text = true;
    x.position(&AnyLine::start(x.game));
    x.say("eval");
    x.expect_ready("ulci.eval", "eval").await;
    x.scene("ulci.large-board").await?;
    x.position(&line(Game::Liberty, "", LARGE, ""));
    x.expect_understood("ulci.large-board").await;
    x.scene("ulci.no-ponder").await?;
    x.position(&AnyLine::start(x.game));
    x.look(Limit::Depth(2)).await;
    x.skip("ulci.no-ponder", "no search was answered");
    Ok(())
}

pub(super) async fn leiser(x: &mut Examiner<'_>) -> Step {
    x.scene("leiser.rotation").await?;
    let mut board = AnyLine::start(x.game);
    let turned = board
        .legal_moves(4096)
        .into_iter()
        .find(|m| m.text.ends_with('R'));
    if let Some(m) = turned {
        // A legal move can be played.
        let _ = board.play(&m.text);
        x.position(&board);
        x.expect_understood("leiser.rotation").await;
    }
    x.scene("leiser.move").await?;
    // Engines draw the board after a move.
    x.asked_for_text = true;
    x.ignore("info.words");
    let start = middle(x.game, 4, 137);
    x.position(&start);
    let mut after = start.clone();
    if let Some(m) = start.legal_moves(1).first() {
        let _ = after.play(&m.text);
        x.root = after;
        x.say(&format!("move {}", m.text));
        x.expect_understood("leiser.move").await;
    }
    for (id, words) in [
        ("leiser.perft", "perft 2"),
        ("leiser.display", "display"),
        ("leiser.eval", "eval"),
    ] {
        x.scene(id).await?;
        x.asked_for_text = true;
        x.ignore("info.idle");
        x.ignore("info.words");
        x.position(&AnyLine::start(x.game));
        x.say(words);
        let heard = x.transcript_lines().len();
        x.listen(x.patience.watch * 2).await;
        let answered = x.transcript_lines().len() > heard;
        x.expect(id, answered, || format!("no answer to {words}"));
    }
    Ok(())
}

pub(super) async fn ugi(x: &mut Examiner<'_>) -> Step {
    x.scene("ugi.start").await?;
    x.position(&middle(x.game, 9, 139));
    x.root = AnyLine::start(x.game);
    x.say("setpos start");
    x.expect_understood("ugi.start").await;
    x.scene("ugi.slashes").await?;
    let board = middle(x.game, 6, 149);
    if let AnyLine::Gyges(gyges) = &board {
        let digits = gyges.position().ugi_text();
        let rows: Vec<&str> = (0..6)
            .filter_map(|row| digits.get(row * 6..row * 6 + 6))
            .collect();
        let goals = digits.get(36..).unwrap_or_default();
        x.say(&format!("setpos data {}/{goals}", rows.join("/")));
    }
    x.root = board;
    x.expect_understood("ugi.slashes").await;
    for (id, limit) in [
        ("ugi.max-ply", Limit::Depth(1)),
        ("ugi.max-time", Limit::Millis(1000)),
    ] {
        x.scene(id).await?;
        x.position(&AnyLine::start(x.game));
        let words = x.limit(limit);
        let patience = Duration::from_secs(1) + x.search_patience();
        let answer = x.search(&words, patience).await;
        x.expect(id, answer.is_timely(), || answer.words());
    }
    for id in ["ugi.bars", "ugi.score-time"] {
        x.skip(id, "no search was answered");
    }
    Ok(())
}
