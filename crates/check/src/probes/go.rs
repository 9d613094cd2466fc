//! The limits of go, alone and together.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::heard::Answer;
use super::super::positions::{middle, win_in_one};
use super::super::prove::is_won;
use super::super::searches::Limit;

/// Nodes that a search is given at most, and how many more may be told: engines look at
/// their counters now and then.
const NODES: u64 = 20_000;
const MORE_NODES: u64 = 20_000;

/// A depth that no engine reaches in the time we have.
const DEEP: u32 = 60;

pub(super) async fn go(x: &mut Examiner<'_>) -> Step {
    // First, because it shows how fast the engine is.
    infinite(x).await?;
    depth(x).await?;
    if x.dialect == Dialect::Ugi {
        return Ok(());
    }
    nodes(x).await?;
    tiny(x, "go.nodes-one", "go nodes 1").await?;
    bare(x).await?;
    if x.dialect == Dialect::Leiser {
        return forgotten(x, &["go nodes 200", "go depth 1"]).await;
    }
    movetime(x).await?;
    tiny(x, "go.movetime-one", "go movetime 1").await?;
    forgotten(x, &["go nodes 200", "go depth 1", "go movetime 30"]).await?;
    together(x).await?;
    mate(x).await?;
    searchmoves(x).await?;
    whole_list(x).await
}

/// A search with so little that there is hardly time for a move: it has one all the same.
async fn tiny(x: &mut Examiner<'_>, id: &'static str, words: &str) -> Step {
    x.scene(id).await?;
    x.ignore("bestmove.final-info");
    for general in ["bestmove.legal", "bestmove.null", "bestmove.missing"] {
        x.redirect(general, id);
    }
    x.position(&middle(x.game, 12, 157));
    let answer = x.search(words, x.search_patience()).await;
    let kept = answer.is_timely() && answer.is_legal();
    x.expect(id, kept, || answer.words());
    Ok(())
}

/// Searches with limits, each before one without.
async fn forgotten(x: &mut Examiner<'_>, limits: &[&str]) -> Step {
    for words in limits {
        x.scene("go.limits-forgotten").await?;
        x.redirect("go.infinite", "go.limits-forgotten");
        x.position(&AnyLine::start(x.game));
        x.search(words, x.search_patience()).await;
        x.position(&AnyLine::start(x.game));
        x.go("go infinite");
        let early = x.listen(x.patience.watch).await;
        x.expect("go.limits-forgotten", !early, || {
            format!("bestmove before stop in a search after `{words}`")
        });
        x.forget_if(early);
    }
    Ok(())
}

/// Deep enough to see a mate in one, for engines that prune what they see first.
const MATE_DEPTH: u32 = 4;

/// Which moves are searched is seen where one of them mates.
async fn whole_list(x: &mut Examiner<'_>) -> Step {
    let board = win_in_one(x.game);
    let wins = |text: &str| {
        let mut after = board.clone();
        after.play(text).is_ok() && is_won(&after, board.side())
    };
    let (mates, others): (Vec<String>, Vec<String>) = board
        .legal_moves(4096)
        .into_iter()
        .map(|found| found.text)
        .partition(|text| wins(text));
    let ids = ["go.searchmoves-all", "go.searchmoves-forgotten"];
    let ([mate, ..], [one, two, ..]) = (&mates[..], &others[..]) else {
        return Ok(());
    };
    x.scene(ids[0]).await?;
    x.position(&board);
    let plain = x.look(Limit::Depth(MATE_DEPTH)).await;
    let sees = |answer: &Answer| answer.best.as_ref().is_some_and(|best| wins(&best.text));
    if x.record.has_failed("go.searchmoves") || !sees(&plain) {
        let why = if sees(&plain) {
            "searchmoves are not read"
        } else {
            "the engine did not see the mate"
        };
        for id in ids {
            x.skip(id, why);
        }
        return Ok(());
    }
    for list in [format!("{one} {two} {mate}"), format!("{mate} {one} {two}")] {
        x.position(&board);
        let words = format!("go depth {MATE_DEPTH} searchmoves {list}");
        let answer = x.search(&words, x.search_patience()).await;
        x.expect(ids[0], sees(&answer), || {
            format!(
                "{}, although {mate} mates and is one of searchmoves {list}",
                answer.words()
            )
        });
    }
    x.scene(ids[1]).await?;
    let mut kept = false;
    for only in [one, two] {
        x.position(&board);
        let words = format!("go depth 2 searchmoves {only}");
        x.search(&words, x.search_patience()).await;
        x.position(&board);
        let answer = x.look(Limit::Depth(MATE_DEPTH)).await;
        kept |= answer.best.as_ref().is_none_or(|best| best.text != *only);
    }
    x.expect(ids[1], kept, || {
        format!("a search without searchmoves answers {one} after searchmoves {one}, and {two} after {two}")
    });
    Ok(())
}

/// A search that must end by itself. Its answer, if it did.
async fn ends(x: &mut Examiner<'_>, id: &'static str, words: &str) -> Step {
    x.scene(id).await?;
    x.position(&AnyLine::start(x.game));
    let answer = x.search(words, x.search_patience()).await;
    x.expect(id, answer.is_timely(), || answer.words());
    Ok(())
}

async fn depth(x: &mut Examiner<'_>) -> Step {
    x.scene("go.depth").await?;
    x.position(&AnyLine::start(x.game));
    let answer = x.look(Limit::Depth(2)).await;
    x.expect("go.depth", answer.is_timely(), || answer.words());
    if x.dialect == Dialect::Ugi {
        let deepest = answer.infos.iter().filter_map(|heard| heard.depth).max();
        x.judge("go.depth-kept", deepest.unwrap_or(0) <= 2, || {
            format!("ply {} where maxPly was 2", deepest.unwrap_or(0))
        });
    }
    // The move was not played: White is still to move.
    x.scene("go.keeps-position").await?;
    x.position(&middle(x.game, 10, 43));
    x.look(Limit::Depth(1)).await;
    x.expect_understood("go.keeps-position").await;
    Ok(())
}

async fn infinite(x: &mut Examiner<'_>) -> Step {
    x.scene("go.infinite").await?;
    x.position(&AnyLine::start(x.game));
    let words = x.limit(Limit::Infinite);
    x.go(&words);
    let early = x.listen(x.patience.watch).await;
    x.expect("go.infinite", !early, || "bestmove before stop".into());
    x.forget_if(early);
    if matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        x.scene("go.infinite-mate").await?;
        x.redirect("go.infinite", "go.infinite-mate");
        x.position(&win_in_one(x.game));
        x.go("go infinite");
        let early = x.listen(x.patience.watch).await;
        x.expect("go.infinite-mate", !early, || "bestmove before stop".into());
        x.forget_if(early);
    }
    Ok(())
}

async fn nodes(x: &mut Examiner<'_>) -> Step {
    x.scene("go.nodes").await?;
    x.position(&AnyLine::start(x.game));
    let nodes = x.nodes_for_a_moment(NODES);
    let answer = x.search_nodes(&format!("go nodes {nodes}"), nodes).await;
    let told = answer.nodes();
    x.expect("go.nodes", answer.is_timely(), || match told {
        Some(told) => format!("{} ({told} nodes of {nodes})", answer.words()),
        None => answer.words(),
    });
    if let Some(told) = told
        && answer.is_timely()
    {
        let kept = told <= 2 * nodes + MORE_NODES;
        x.expect("go.nodes-kept", kept, || {
            format!("{told} nodes where {nodes} were asked for")
        });
    }
    Ok(())
}

/// Without a limit a search lasts until stop, or ends when the engine likes.
async fn bare(x: &mut Examiner<'_>) -> Step {
    x.scene("go.bare").await?;
    x.position(&AnyLine::start(x.game));
    x.go("go");
    let ended = x.listen(x.patience.watch / 4).await;
    let answer = if ended {
        x.answer.take()
    } else {
        Some(x.stop().await)
    };
    let legal = answer.as_ref().is_some_and(Answer::is_legal);
    x.expect("go.bare", legal, || {
        answer.map_or_else(String::new, |a| a.words())
    });
    Ok(())
}

async fn movetime(x: &mut Examiner<'_>) -> Step {
    x.scene("go.movetime").await?;
    x.position(&AnyLine::start(x.game));
    let patience = Duration::from_millis(100) + x.search_patience();
    let answer = x.search("go movetime 100", patience).await;
    x.expect("go.movetime", answer.is_timely(), || answer.words());
    Ok(())
}

async fn together(x: &mut Examiner<'_>) -> Step {
    ends(x, "go.depth-and-time", "go depth 2 movetime 600000").await?;
    let words = format!("go movetime 100 depth {DEEP}");
    ends(x, "go.time-and-depth", &words).await?;
    x.scene("go.nodes-and-time").await?;
    x.position(&AnyLine::start(x.game));
    let nodes = x.nodes_for_a_moment(NODES / 4);
    let words = format!("go nodes {nodes} movetime 600000");
    let answer = x.search_nodes(&words, nodes).await;
    x.expect("go.nodes-and-time", answer.is_timely(), || answer.words());
    Ok(())
}

async fn mate(x: &mut Examiner<'_>) -> Step {
    x.scene("go.mate").await?;
    let board = win_in_one(x.game);
    x.position(&board);
    let answer = x.search("go mate 1", x.search_patience()).await;
    x.expect("go.mate", answer.is_timely(), || answer.words());
    if let Some(best) = answer.best.as_ref().filter(|_| answer.is_timely()) {
        let mut after = board.clone();
        let mates = after.push(best.value).is_ok() && is_won(&after, board.side());
        x.expect("go.mate-move", mates, || {
            format!("bestmove {} does not mate", best.text)
        });
    }
    Ok(())
}

async fn searchmoves(x: &mut Examiner<'_>) -> Step {
    // Moves that no engine would choose.
    x.fresh_scene("go.searchmoves").await?;
    x.redirect("bestmove.is-pv", "go.searchmoves");
    x.position(&AnyLine::start(x.game));
    x.search("go depth 2 searchmoves b2b3 h2h3", x.search_patience())
        .await;
    if x.dialect == Dialect::Uci {
        x.scene("go.searchmoves-first").await?;
        x.redirect("go.depth-kept", "go.searchmoves-first");
        x.position(&AnyLine::start(x.game));
        let words = "go searchmoves b2b3 h2h3 depth 2";
        let answer = x.search(words, x.search_patience()).await;
        x.expect("go.searchmoves-first", answer.is_timely(), || {
            answer.words()
        });
    }
    x.scene("go.searchmoves-infinite").await?;
    x.redirect("go.infinite", "go.searchmoves-infinite");
    x.redirect("go.searchmoves", "go.searchmoves-infinite");
    x.redirect("go.searchmoves-pv", "go.searchmoves-infinite");
    x.redirect("bestmove.is-pv", "go.searchmoves-infinite");
    x.position(&AnyLine::start(x.game));
    x.go("go infinite searchmoves b2b3 h2h3");
    let early = x.listen(x.patience.watch / 2).await;
    let answer = if early { None } else { Some(x.stop().await) };
    let kept = answer.as_ref().is_some_and(Answer::is_legal);
    x.expect("go.searchmoves-infinite", kept, || {
        answer.map_or_else(|| "bestmove before stop".into(), |answer| answer.words())
    });
    Ok(())
}
