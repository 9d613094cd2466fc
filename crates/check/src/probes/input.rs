//! Odd input: what an engine must read, and what it must bear.

use std::time::Duration;

use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Step};
use super::super::positions::middle;
use super::super::searches::{Limit, position_words};
use super::super::watch::Said;

/// Lines that begin a command and go wrong.
const GARBAGE: &[&str] = &[
    "position",
    "go",
    "setoption",
    "name",
    "value",
    "moves",
    "fen",
    "startpos",
    "depth",
    "-1",
    "99999999999",
    "0.5",
    "infinitum",
    "e2e4",
    "a1a1",
    "isready?",
    "UCI",
    "\u{fc}",
    "==",
    "%s%n",
    "..",
    "nan",
    "perftx",
    "debug",
    "\u{7f}",
    "((((",
    "{\"go\":1}",
];

pub(super) async fn input(x: &mut Examiner<'_>) -> Step {
    words(x).await?;
    bytes(x).await?;
    pieces(x).await?;
    positions(x).await?;
    if x.dialect != Dialect::Ugi {
        numbers(x).await?;
    }
    first(x).await?;
    garbage(x).await
}

/// Sends bytes and asks whether the engine lives.
async fn bears(x: &mut Examiner<'_>, id: &'static str, bytes: &[u8], what: &str) -> Step {
    x.scene(id).await?;
    // What it says about it is its own affair.
    x.asked_for_text = true;
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(bytes);
    }
    x.expect_ready(id, what).await;
    Ok(())
}

/// Sends bytes that ask for readyok.
async fn answers(x: &mut Examiner<'_>, id: &'static str, bytes: &[u8]) -> Step {
    x.scene(id).await?;
    x.asked_for_text = true;
    x.redirect("ready.unasked", id);
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(bytes);
    }
    let ready = x.wait_for(Said::Ready, x.patience.ready / 2).await;
    x.expect(id, ready, || {
        format!("no readyok after {:?}", String::from_utf8_lossy(bytes))
    });
    Ok(())
}

async fn words(x: &mut Examiner<'_>) -> Step {
    bears(
        x,
        "input.unknown",
        b"joho of quadrille\n",
        "an unknown command",
    )
    .await?;
    if matches!(x.dialect, Dialect::Uci | Dialect::Leiser) {
        answers(x, "input.unknown-before", b"joho isready\n").await?;
    }
    if x.dialect != Dialect::Ugi {
        x.scene("input.unknown-in-go").await?;
        x.asked_for_text = true;
        x.position(&AnyLine::start(x.game));
        let answer = x.search("go joho depth 1", x.search_patience()).await;
        x.expect("input.unknown-in-go", answer.is_legal(), || answer.words());
        x.scene("input.bad-number").await?;
        x.asked_for_text = true;
        x.position(&AnyLine::start(x.game));
        let answer = x.search("go depth joho", x.patience.watch).await;
        x.expect("input.bad-number", answer.is_legal(), || answer.words());
    }
    if matches!(x.dialect, Dialect::Uci | Dialect::Ulci) {
        bears(
            x,
            "input.debug",
            b"debug on\ndebug off\n",
            "debug on and off",
        )
        .await?;
    }
    if x.dialect == Dialect::Uci {
        bears(x, "input.register", b"register later\n", "register later").await?;
        let words = b"register name Joho Quadrille code 4359874324\n";
        bears(
            x,
            "input.register-name",
            words,
            "register with name and code",
        )
        .await?;
    }
    Ok(())
}

async fn bytes(x: &mut Examiner<'_>) -> Step {
    answers(x, "input.leading-blanks", b"   isready\n").await?;
    answers(x, "input.trailing-blanks", b"isready   \n").await?;
    if x.dialect != Dialect::Ugi {
        answers(x, "input.tabs", b"\tisready\t\n").await?;
    }
    answers(x, "input.crlf", b"isready\r\n").await?;
    bears(x, "input.empty-lines", b"\n\n   \n\n", "empty lines").await?;
    let mut long = vec![b'x'; 1 << 15];
    long.push(b'\n');
    bears(x, "input.long-line", &long, "a line of 32 KiB").await?;
    bears(
        x,
        "input.bytes",
        b"\xff\xfe\x00\x80 joho \xc3\x28\n",
        "bytes that are no text",
    )
    .await
}

async fn pieces(x: &mut Examiner<'_>) -> Step {
    x.scene("input.split").await?;
    x.asked_for_text = true;
    if let Some(talk) = &mut x.talk {
        talk.say_piece(b"isre");
    }
    x.listen(Duration::from_millis(20)).await;
    // The rest makes the line whole, for us too.
    if let Some(talk) = &mut x.talk {
        talk.sides.sent(&quadrille_protocol::Command::IsReady);
        talk.say_piece(b"ady\n");
    }
    let ready = x.wait_for(Said::Ready, x.patience.ready / 2).await;
    x.expect("input.split", ready, || {
        "no readyok after `isre` and `ady`".into()
    });
    x.scene("input.burst").await?;
    let board = middle(x.game, 8, 109);
    let limit = match x.dialect {
        Dialect::Ugi => format!("setoption {} 1\ngo", x.spelling("maxply")),
        _ => "go depth 1".into(),
    };
    let words = format!("{}\n{limit}\nisready\n", position_words(&board));
    x.root = board;
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(words.as_bytes());
    }
    let kept = x.expect_second().await;
    x.expect("input.burst", kept, || {
        "no bestmove for a go among other lines".into()
    });
    Ok(())
}

async fn positions(x: &mut Examiner<'_>) -> Step {
    let (unknown, bad): (&[u8], &[&str]) = match x.game {
        Game::Chess | Game::Liberty => (
            b"position joho\n",
            &[
                "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
                "position fen joho w - - 0 1",
                "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1",
            ],
        ),
        Game::Leiser => (
            b"position joho\n",
            &["position fen joho W", "position fen 8/8/8 W"],
        ),
        Game::Gyges => (b"setpos joho\n", &["setpos data 12", "setpos data x"]),
    };
    bears(
        x,
        "input.unknown-position",
        unknown,
        "a position of an unknown kind",
    )
    .await?;
    x.drop_engine();
    for text in bad {
        let line = format!("{text}\n");
        bears(x, "input.bad-position", line.as_bytes(), text).await?;
        x.drop_engine();
    }
    if x.dialect != Dialect::Ugi {
        let words = b"position startpos moves a1a8\n";
        bears(x, "input.bad-move", words, "a move that cannot be played").await?;
        x.drop_engine();
    }
    Ok(())
}

async fn numbers(x: &mut Examiner<'_>) -> Step {
    x.scene("input.huge-number").await?;
    x.asked_for_text = true;
    x.position(&AnyLine::start(x.game));
    let words = "go depth 1 nodes 99999999999999999999999";
    let answer = x.search(words, x.search_patience()).await;
    x.expect("input.huge-number", answer.is_legal(), || answer.words());
    x.drop_engine();
    Ok(())
}

/// Before any position.
async fn first(x: &mut Examiner<'_>) -> Step {
    if x.dialect == Dialect::Ugi {
        return Ok(());
    }
    x.fresh_scene("input.go-first").await?;
    x.root = AnyLine::start(x.game);
    for general in ["bestmove.legal", "bestmove.null"] {
        x.redirect(general, "input.go-first");
    }
    let answer = x.look(Limit::Depth(1)).await;
    x.expect("input.go-first", answer.is_legal(), || answer.words());
    Ok(())
}

async fn garbage(x: &mut Examiner<'_>) -> Step {
    let mut random = SplitMix64::new(0x006a_6f68_6f00);
    let mut text = String::new();
    for _ in 0..200 {
        // No line of it may be a search that is not asked for.
        text += "joho";
        for _ in 0..random.below(12) {
            text.push(' ');
            text += GARBAGE[random.index(GARBAGE.len())];
        }
        text = text
            .replace(" go", " gogo")
            .replace(" isready", " isreadyy");
        text.push('\n');
    }
    x.scene("input.garbage").await?;
    x.asked_for_text = true;
    for general in ["ready.unasked", "bestmove.once", "info.idle"] {
        x.ignore(general);
    }
    if let Some(talk) = &mut x.talk {
        talk.say_bytes(text.as_bytes());
    }
    x.expect_ready("input.garbage", "200 lines of garbage")
        .await;
    x.drop_engine();
    Ok(())
}
