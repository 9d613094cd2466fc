//! Chess960.

use quadrille_games::Game;

use super::super::examiner::{Examiner, Step};
use super::super::positions::line;
use super::super::report::Role;
use super::super::searches::Limit;
use super::super::table;
use super::discipline::CASTLING_MATES;

/// A rule, a position, and the castling move that is played there.
const CASTLINGS: [(&str, &str, &str); 4] = [
    (
        "chess960.castling",
        "5k2/8/8/8/8/8/8/4K2R w H - 0 1",
        "e1h1",
    ),
    (
        "chess960.king-stays",
        "5k2/8/8/8/8/8/8/6KR w H - 0 1",
        "g1h1",
    ),
    (
        "chess960.shredder-fen",
        "4k3/8/8/8/8/8/8/1RK5 w B - 0 1",
        "c1b1",
    ),
    ("chess960.x-fen", "5k2/8/8/8/8/8/8/3K2R1 w K - 0 1", "d1g1"),
];

pub(super) async fn chess960(x: &mut Examiner<'_>) -> Step {
    x.scene("chess960.start").await?;
    if !x.set_option("UCI_Chess960", "true") {
        for check in table::of(Role::Engine, x.dialect).filter(|c| c.group() == "chess960") {
            x.skip(check.id, "the engine has no option UCI_Chess960");
        }
        return Ok(());
    }
    let start = line(Game::Chess, "chess960", "chess960 101", "");
    x.position(&start);
    x.expect_understood("chess960.start").await;
    for (id, text, castling) in CASTLINGS {
        x.scene(id).await?;
        x.set_option("UCI_Chess960", "true");
        let board = line(Game::Chess, "chess960", text, castling);
        x.root = board;
        // The text as it stands in the table: what is tested is how it is read.
        x.say(&format!("position fen {text} moves {castling}"));
        x.expect_understood(id).await;
    }
    x.scene("chess960.form").await?;
    x.set_option("UCI_Chess960", "true");
    x.position(&line(Game::Chess, "chess960", CASTLING_MATES, ""));
    x.look(Limit::Depth(2)).await;
    x.skip("chess960.form", "the engine did not castle");
    x.scene("chess960.off-again").await?;
    x.set_option("UCI_Chess960", "true");
    x.set_option("UCI_Chess960", "false");
    x.redirect("bestmove.castling", "chess960.off-again");
    x.position(&line(Game::Chess, "", CASTLING_MATES, ""));
    let answer = x.look(Limit::Depth(2)).await;
    let castled = answer.best.as_ref().is_some_and(|best| best.text == "e1g1");
    if castled && !x.record.has_failed("chess960.off-again") {
        x.pass("chess960.off-again");
    }
    x.drop_engine();
    Ok(())
}
