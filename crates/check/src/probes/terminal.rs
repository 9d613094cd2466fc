//! Positions where the game is over, and positions that only look so.

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::End;
use super::super::positions::line;
use super::super::searches::Limit;

const MATED: &str = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const FIFTY: &str = "8/8/4k3/8/8/3RK3/8/8 w - - 100 120";
const BARE: &str = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

pub(super) async fn terminal(x: &mut Examiner<'_>) -> Step {
    for (id, text) in [("terminal.mate", MATED), ("terminal.stalemate", STALEMATED)] {
        x.scene(id).await?;
        x.ignore("bestmove.final-info");
        x.position(&line(x.game, "", text, ""));
        let answer = x.look(Limit::Depth(2)).await;
        x.expect(id, answer.end == End::Itself, || answer.words());
        let mate = answer.infos.iter().find_map(|heard| heard.score?.mate);
        if id == "terminal.stalemate" && !answer.infos.is_empty() {
            x.judge("terminal.stalemate-score", mate.is_none(), || {
                format!("mate {} where nobody is in check", mate.unwrap_or_default())
            });
        }
        if let Some(said) = answer.said.as_ref().filter(|_| answer.best.is_none()) {
            x.judge("terminal.null-form", said == "0000", || {
                format!("bestmove {said}")
            });
        }
    }
    x.scene("terminal.clock").await?;
    x.ignore("bestmove.final-info");
    x.position(&line(x.game, "", MATED, ""));
    let answer = x
        .search("go wtime 1000 btime 1000", x.search_patience())
        .await;
    x.expect("terminal.clock", answer.end == End::Itself, || {
        answer.words()
    });
    x.scene("terminal.infinite").await?;
    x.ignore("bestmove.final-info");
    x.redirect("go.infinite", "terminal.infinite");
    x.position(&line(x.game, "", MATED, ""));
    x.go("go infinite");
    let early = x.listen(x.patience.watch / 2).await;
    x.expect("terminal.infinite", !early, || {
        "bestmove before stop".into()
    });
    if !early {
        x.stop().await;
    }
    x.forget_if(early);
    alive(x).await?;
    // In Liberty Chess these end the game without a claim.
    if x.dialect == Dialect::Uci {
        drawn(x).await?;
    }
    Ok(())
}

/// The next position is played as if nothing had been.
async fn alive(x: &mut Examiner<'_>) -> Step {
    x.scene("terminal.alive").await?;
    x.ignore("bestmove.final-info");
    x.position(&line(x.game, "", MATED, ""));
    x.go("go depth 2");
    if !x.await_answer(x.search_patience()).await {
        x.skip("terminal.alive", "a finished game was not answered");
        return Ok(());
    }
    x.position(&AnyLine::start(x.game));
    x.expect_understood("terminal.alive").await;
    Ok(())
}

/// Draws by a rule are the business of the host.
async fn drawn(x: &mut Examiner<'_>) -> Step {
    for (id, text, moves) in [
        ("terminal.repetition", "", SHUFFLE),
        ("terminal.fifty", FIFTY, ""),
        ("terminal.material", BARE, ""),
    ] {
        x.scene(id).await?;
        let board = line(x.game, "", text, moves);
        x.position(&board);
        let answer = x.look(Limit::Depth(2)).await;
        x.expect(id, answer.end == End::Itself && answer.is_legal(), || {
            answer.words()
        });
    }
    Ok(())
}
