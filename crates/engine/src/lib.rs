//! Engine sessions: commands in, search, reports out.
//!
//! A session reads bytes, turns them into [`Command`]s, drives one
//! [`Searcher`] and writes [`Report`]s. It is the only room of the house that
//! knows both a protocol and a game.
//!
//! ```text
//! stdin ─> reader thread ─> Inbox ─> Session ──────────────┐
//!                                      │ go                │ readyok, id, option...
//!                                      v                   v
//!                             search thread ─ Reporter ─> Output ─> stdout
//! ```
//!
//! * The **reader thread** only cuts bytes into lines, so input is taken in at
//!   all times, also during a search.
//! * The **session** owns position, options and searcher. While a search runs
//!   the searcher is away with it; everything a host may still say then
//!   (`isready`, `stop`, `ponderhit`, options and positions for the next
//!   search) is answered or remembered without it.
//! * **Output** is the one writer. It holds the conversation's state
//!   ([`EngineSide`]), so that "has this search been answered" is one question
//!   with one answer, whichever thread asks.
//!
//! What the four dialects share is in `session`, `options`, `limits`,
//! `thinking` and `reporter`; what sets one apart is in one file each: `chess`,
//! `ulci`, `leiser`, `ugi`.
//!
//! # What the session decides
//!
//! * A `go` during a search ends that search, which answers first: one
//!   `bestmove` for every `go`, always.
//! * `position`, `setoption` and `ucinewgame` during a search are not lost:
//!   they count from the next `go` on.
//! * An illegal move in `position` is named, the legal moves before it stand,
//!   and the next `go` says once more which position it searches.
//! * End of input is `quit`. A search that runs then still gives its answer.
//!
//! [`Command`]: quadrille_protocol::Command
//! [`Report`]: quadrille_protocol::Report
//! [`EngineSide`]: quadrille_protocol::EngineSide
//! [`Searcher`]: quadrille_search::Searcher
#![forbid(unsafe_code)]

mod book;
mod chess;
mod choice;
mod count;
mod inbox;
mod leiser;
mod limits;
mod options;
mod output;
mod reporter;
mod session;
mod speech;
mod strength;
mod thinking;
mod ugi;
mod ulci;
mod values;
mod wdl;

use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::{Game, PositionError};

use inbox::Inbox;
use session::Session;
use speech::Spoken;

/// Holds one conversation: answers commands of the game's dialect from
/// `reader` on `writer` until `quit` or the end of input.
///
/// `rules` are the words that choose rules on a command line, empty for the
/// usual ones. Fails only if they cannot be read.
///
/// ```
/// use quadrille_engine::run;
/// use quadrille_games::Game;
///
/// run(Game::Chess, "", &b"isready\nquit\n"[..], std::io::sink())?;
/// # Ok::<(), quadrille_games::PositionError>(())
/// ```
pub fn run(
    game: Game,
    rules: &str,
    reader: impl Read + Send + 'static,
    writer: impl Write + Send + 'static,
) -> Result<(), PositionError> {
    talk(game, rules, Inbox::open(reader), Box::new(writer))
}

/// As [`run`], with the game left to the host: one that opens with `ugi` gets
/// Gyges, every other one chess. `false` if the input ended without a word.
pub fn run_any(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> bool {
    let mut inbox = Inbox::open(reader);
    let game = match inbox.peek_word() {
        Some(word) if word == b"ugi" => Game::Gyges,
        Some(_) => Game::Chess,
        None => return false,
    };
    // Without words there are no rules that could be wrong.
    let _ = talk(game, "", inbox, Box::new(writer));
    true
}

/// What the executable of one game does: talks on standard input and output,
/// with the words of its command line as rules.
pub fn program(game: Game) -> ExitCode {
    let rules: Vec<String> = std::env::args().skip(1).collect();
    match run(game, &rules.join(" "), stdin(), stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn talk(
    game: Game,
    rules: &str,
    inbox: Inbox,
    writer: Box<dyn Write + Send>,
) -> Result<(), PositionError> {
    match game {
        Game::Chess => hold::<Chess>(rules, inbox, writer),
        Game::Liberty => hold::<Liberty>(rules, inbox, writer),
        Game::Leiser => hold::<Leiser>(rules, inbox, writer),
        Game::Gyges => hold::<Gyges>(rules, inbox, writer),
    }
}

fn hold<P: Spoken>(
    rules: &str,
    inbox: Inbox,
    writer: Box<dyn Write + Send>,
) -> Result<(), PositionError> {
    let rules = P::rules_from_text(rules)?;
    Session::<P>::new(rules, inbox, writer).run();
    Ok(())
}
