//! A match of two built-in engines inside one program, ended by its SPRT:
//! `cargo run --release -p quadrille --example match_in_memory`

use std::error::Error;
use std::path::Path;

use quadrille_driver::{Link, Memory, Opener};
use quadrille_match::config::from_flags;
use quadrille_match::tournament::{Summary, Tournament};

const MATCH: &str = "-engine cmd=builtin name=strong nodes=3000 \
    -engine cmd=builtin name=weak nodes=30 -each option.Hash=1 \
    -openings format=random plies=6 -srand 9 -rounds 500 -repeat -concurrency 2 \
    -resign movecount=2 score=300 -maxmoves 60 -sprt elo0=0 elo1=200 model=logistic";

/// `builtin` is an engine on a thread of its own, at the other end of a pipe in
/// memory.
fn opener() -> Opener {
    Opener::new(|spec, game| {
        let game = spec.builtin(game)?;
        let engine = Memory::spawn(move |reader, writer| {
            Ok(quadrille_engine::run(game, "", reader, writer)?)
        });
        Some(engine.map(|link| Box::new(link) as Box<dyn Link>))
    })
}

pub(crate) fn play(folder: &Path) -> Result<Summary, Box<dyn Error>> {
    let config = from_flags(MATCH.split_whitespace().map(Into::into))?.config;
    let mut tournament = Tournament::create(config, &folder.join("match.db"))?;
    tournament.set_opener(opener());
    let (_commands, receiver) = tokio::sync::mpsc::unbounded_channel();
    let runtime = tokio::runtime::Runtime::new()?;
    Ok(runtime.block_on(tournament.run(receiver, &mut ()))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let summary = play(tempfile::tempdir()?.path())?;
    println!("{:?}: {:#?}", summary.verdict(), summary.results.standing());
    Ok(())
}
