//! A fit of the curves of `UCI_ShowWDL` to self-play.

use std::path::Path;

use quadrille_lab::chances::Seen;

use crate::args::Args;
use crate::{cores, print_line, warn_torn};

pub(crate) const USAGE: &str = "
lab chances [--threads N] FILE...    fits the curves of UCI_ShowWDL to files of games
Prints the score at which winning is an even chance, how quickly chances change around
it, and a table.
";

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let threads = args.value("--threads", cores())?;
    let mut seen = Seen::default();
    for file in args.files()? {
        let torn = seen.read(Path::new(&file), threads);
        warn_torn(&file, torn.map_err(|error| error.to_string())?);
    }
    if seen.is_empty() {
        return Err("no positions".into());
    }
    let curve = seen.fit();
    print_line(&format!("{} positions", seen.len()))?;
    print_line(&format!(
        "margin {:.0}, spread {:.0}",
        curve.margin, curve.spread
    ))?;
    print_line(&format!("likelihood {:.4}", seen.likelihood(curve)))?;
    for score in (0..=600).step_by(100) {
        let win = 100.0 * curve.win(score.into());
        let loss = 100.0 * curve.win((-score).into());
        print_line(&format!("{score:>4}: {win:4.1} % won, {loss:4.1} % lost"))?;
    }
    Ok(())
}
