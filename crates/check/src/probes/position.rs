//! Positions: whether the engine's board is the one that was told to it.

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::positions::{line, long_game, middle, random_game, telling, telling_game};
use super::super::searches::{Limit, position_words};
use super::discipline::CASTLING_MATES;

/// Positions where a special move has just been played, and what it needs to be
/// understood: the reply must fit the board behind it.
const SPECIAL: [(&str, &str, &str); 6] = [
    (
        "position.castling",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
    ),
    (
        "position.castling-long",
        "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "e1c1",
    ),
    (
        "position.en-passant",
        "7K/2p5/8/k2P3R/8/8/8/8 b - - 0 1",
        "c7c5 d5c6",
    ),
    (
        "position.en-passant-fen",
        "8/B7/8/8/6pP/6K1/1R6/7k b - h3 0 1",
        "",
    ),
    (
        "position.promotion",
        "8/6P1/8/8/8/k7/8/2K5 w - - 0 1",
        "g7g8q",
    ),
    (
        "position.underpromotion",
        "8/4P1k1/8/8/8/8/P7/4K3 w - - 0 1",
        "e7e8n",
    ),
];

/// So long is the longest game of random moves, and the longest of all.
const LONG: usize = 600;
const VERY_LONG: usize = 1041;

/// A game of so many plies has a line of more than 16 KiB, which is more than many a buffer
/// holds; that of the longest game that the rules allow has 88 KiB.
const LONGEST: usize = 3500;

pub(super) async fn position(x: &mut Examiner<'_>) -> Step {
    x.scene("position.start").await?;
    x.root = AnyLine::start(x.game);
    let words = match x.dialect {
        Dialect::Ugi => "setpos start",
        _ => "position startpos",
    };
    x.say(words);
    x.expect_understood("position.start").await;
    texts(x).await?;
    if x.dialect == Dialect::Ugi {
        return Ok(());
    }
    histories(x).await?;
    if matches!(x.game, Game::Chess | Game::Liberty) {
        for (id, text, moves) in SPECIAL {
            let board = line(x.game, "", text, moves);
            understood(x, id, &board).await?;
        }
    }
    if x.dialect == Dialect::Uci {
        let board = middle(x.game, 22, 5);
        new_game(x, "position.short-fen").await?;
        x.root = board.clone();
        let text = board.position_text();
        let short: Vec<&str> = text.split_whitespace().take(4).collect();
        x.say(&format!("position fen {}", short.join(" ")));
        x.expect_understood("position.short-fen").await;
        // Castling would mate; without the right to it there is no such move.
        let without = CASTLING_MATES.replace(" K ", " - ");
        understood(x, "position.no-castling", &line(x.game, "", &without, "")).await?;
        understood(x, "position.very-long", &long_game(VERY_LONG, 151)).await?;
        understood(x, "position.longest", &long_game(LONGEST, 157)).await?;
    }
    Ok(())
}

async fn understood(x: &mut Examiner<'_>, id: &'static str, board: &AnyLine) -> Step {
    new_game(x, id).await?;
    x.position(board);
    x.expect_understood(id).await;
    Ok(())
}

/// A scene that has nothing to do with the one before.
async fn new_game(x: &mut Examiner<'_>, id: &'static str) -> Step {
    x.scene(id).await?;
    if x.dialect != Dialect::Ugi {
        x.say("ucinewgame");
        x.ready().await;
    }
    Ok(())
}

/// Boards given as text.
async fn texts(x: &mut Examiner<'_>) -> Step {
    understood(x, "position.fen", &telling(x.game, 40, 7)).await?;
    if x.dialect != Dialect::Ugi {
        understood(x, "position.fen-black", &middle(x.game, 21, 11)).await?;
        let text = random_game(x.game, 11, 13).position_text();
        let mut behind = line(x.game, "", &text, "");
        for _ in 0..4 {
            if let Some(m) = behind.legal(1).first() {
                // A legal move can be played.
                let _ = behind.push(*m);
            }
        }
        understood(x, "position.fen-moves", &behind).await?;
    }
    // Two boards at once: only the second counts.
    new_game(x, "position.latest").await?;
    x.position(&AnyLine::start(x.game));
    x.position(&middle(x.game, 23, 17));
    x.expect_understood("position.latest").await;
    Ok(())
}

/// Boards at the end of a list of moves.
async fn histories(x: &mut Examiner<'_>) -> Step {
    // The start is one, whatever stood on the board before.
    new_game(x, "position.start-again").await?;
    x.position(&telling(x.game, 40, 7));
    x.look(Limit::Depth(1)).await;
    x.root = AnyLine::start(x.game);
    x.say("position startpos");
    x.expect_understood("position.start-again").await;
    understood(x, "position.moves", &telling_game(x.game, 12, 19)).await?;
    understood(x, "position.black", &random_game(x.game, 9, 23)).await?;
    // Without a word about it.
    new_game(x, "position.no-new-game").await?;
    x.position(&random_game(x.game, 7, 29));
    x.look(Limit::Depth(1)).await;
    x.position(&random_game(x.game, 16, 31));
    x.expect_understood("position.no-new-game").await;
    // A user takes moves back: the other side is to move.
    new_game(x, "position.take-back").await?;
    let mut board = random_game(x.game, 16, 31);
    x.position(&board);
    x.look(Limit::Depth(1)).await;
    for _ in 0..5 {
        board.pop();
    }
    x.position(&board);
    x.expect_understood("position.take-back").await;
    let mut longest = LONG;
    let mut long = random_game(x.game, longest, 37);
    while long.plies() == 0 && longest > 20 {
        longest /= 2;
        long = random_game(x.game, longest, 37);
    }
    understood(x, "position.long", &long).await?;
    new_game(x, "position.empty-moves").await?;
    let board = middle(x.game, 14, 41);
    x.root = board.clone();
    let words = format!("{} moves", position_words(&board));
    x.say(&words);
    x.expect_understood("position.empty-moves").await;
    Ok(())
}
