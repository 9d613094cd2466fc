//! Commands at moments at which they are not supposed to come.

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::End;
use super::super::positions::middle;
use super::super::searches::{Limit, position_words};

pub(super) async fn misuse(x: &mut Examiner<'_>) -> Step {
    during(x, "misuse.unknown", "joho of quadrille").await?;
    during(x, "misuse.go", "go").await?;
    if x.dialect == Dialect::Ugi {
        return Ok(());
    }
    let option = x.option("Hash").map_or("Hash", |option| &option.name);
    let words = format!("setoption name {option} value 8");
    during(x, "misuse.setoption", &words).await?;
    let words = position_words(&middle(x.game, 5, 113));
    during(x, "misuse.position", &words).await?;
    during(x, "misuse.new-game", "ucinewgame").await?;
    if matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        during(x, "misuse.debug", "debug on").await?;
    }
    Ok(())
}

/// Says something during a search. The engine may obey it or not; afterwards it
/// must be alive, and a new search must be answered.
async fn during(x: &mut Examiner<'_>, id: &'static str, words: &str) -> Step {
    x.fresh_scene(id).await?;
    x.asked_for_text = true;
    x.judge_alone(id);
    x.position(&AnyLine::start(x.game));
    let endless = x.limit(Limit::Infinite);
    x.go(&endless);
    x.listen(x.patience.watch / 8).await;
    x.say(words);
    x.listen(x.patience.watch / 8).await;
    let answered = if x.running.is_some() {
        let end = x.stop().await.end;
        end == End::Stopped || end == End::Itself
    } else {
        x.say("stop");
        true
    };
    x.expect(id, answered, || {
        format!("no bestmove after `{words}` and stop")
    });
    if answered {
        x.listen(x.patience.watch / 8).await;
        x.expect_ready(id, &format!("`{words}` during a search"))
            .await;
    }
    x.drop_engine();
    Ok(())
}
