//! A whole UCI engine. It knows no chess: it plays the first legal move.
use quadrille_games::{Line, Position, chess::Chess};
use quadrille_protocol::{BestMove, Command, Dialect, Id, IdKey, Info, Report};
use std::{io::BufRead, io::Result, io::Write, io::stdin, io::stdout, mem::take};

fn say(report: &Report<'_>) -> Result<()> {
    stdout().write_all(&[report.line(Dialect::Uci), b"\n".to_vec()].concat())
}

fn answer(board: &Chess) -> Result<()> {
    let first = board.moves().first().map(|&m| board.move_text(m));
    let best = first.as_deref().unwrap_or("0000");
    say(&Report::Info(Info::new().depth(1).nodes(1)))?;
    say(&Report::BestMove(BestMove::new(best)))
}

fn main() -> Result<()> {
    let name = Report::Id(Id::new(IdKey::Name, "Tiny"));
    let mut game = Line::new(Chess::start(&<_>::default()));
    let mut held = false; // by go infinite or go ponder
    for line in stdin().lock().split(b'\n') {
        match Command::parse(&line?, Dialect::Uci).message {
            Command::Uci => say(&name).and_then(|()| say(&Report::UciOk))?,
            Command::IsReady => say(&Report::ReadyOk)?,
            Command::Position(to) => {
                if let Ok(start) = Chess::from_text(&to.base.text().to_string(), &<_>::default()) {
                    game = Line::new(start);
                    let mut moves = to.moves.unwrap_or_default().iter();
                    moves.all(|m| game.play(&m.to_string()).is_ok());
                }
            }
            Command::Go(go) if go.is_infinite() || go.is_ponder() => held = true,
            Command::Go(_) => answer(game.position())?,
            Command::Stop | Command::PonderHit if take(&mut held) => answer(game.position())?,
            Command::Quit => break,
            _ => {} // nothing to do; unknown words were skipped before this
        }
    }
    Ok(())
}
