//! Searches of many kinds, one after the other: whatever an engine says about
//! them is judged as it comes.

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::End;
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
    x.look(Limit::Millis(millis)).await;
    settle(x).await;
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
