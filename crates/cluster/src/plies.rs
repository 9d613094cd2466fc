//! A move on its way over the network: a list without names, for there are
//! hundreds of them in a game. How people write it follows from the board.

use std::time::Duration;

use quadrille_driver::EngineScore;
use quadrille_games::AnyLine;
use quadrille_match::referee::Ply;
use serde::{Deserialize, Serialize};

/// Text, hundredths, mate, depth, seldepth, nodes, nps, hashfull, tbhits, line,
/// elapsed, charged, told, clock; times in microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyWire(
    String,
    Option<i64>,
    Option<i64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<String>,
    u64,
    u64,
    Option<u64>,
    Option<i64>,
);

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl From<&Ply> for PlyWire {
    fn from(ply: &Ply) -> Self {
        let (cp, mate) = match ply.score {
            Some(EngineScore::Cp(cp)) => (Some(cp), None),
            Some(EngineScore::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Self(
            ply.text.clone(),
            cp,
            mate,
            ply.depth,
            ply.seldepth,
            ply.nodes,
            ply.nps,
            ply.hashfull,
            ply.tbhits,
            ply.pv.clone(),
            micros(ply.elapsed),
            micros(ply.charged),
            ply.told.map(micros),
            ply.clock_us,
        )
    }
}

impl PlyWire {
    fn ply(&self, notation: String) -> Ply {
        let score = match (self.1, self.2) {
            (_, Some(moves)) => Some(EngineScore::Mate(moves)),
            (cp, None) => cp.map(EngineScore::Cp),
        };
        Ply {
            text: self.0.clone(),
            notation,
            book: false,
            score,
            depth: self.3,
            seldepth: self.4,
            nodes: self.5,
            nps: self.6,
            hashfull: self.7,
            tbhits: self.8,
            pv: self.9.clone(),
            elapsed: Duration::from_micros(self.10),
            charged: Duration::from_micros(self.11),
            told: self.12.map(Duration::from_micros),
            clock_us: self.13,
        }
    }
}

/// Makes the moves on a line, and gives them with their notation. One that is
/// not legal is the first that is missing.
pub(crate) fn unpack(line: &mut AnyLine, wires: &[PlyWire]) -> Result<Vec<Ply>, String> {
    let mut plies = Vec::with_capacity(wires.len());
    for wire in wires {
        let illegal = || format!("ply {}: {:?} is no legal move", line.plies() + 1, wire.0);
        let m = line.parse_move(&wire.0).map_err(|_| illegal())?;
        let notation = line.notation_of(m).map_err(|_| illegal())?;
        plies.push(wire.ply(notation));
        line.push(m).map_err(|error| error.to_string())?;
    }
    Ok(plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Game;

    #[test]
    fn a_move_survives_the_way() {
        let ply = Ply {
            text: "e2e4".into(),
            notation: "e4".into(),
            score: Some(EngineScore::Mate(-3)),
            depth: Some(7),
            nodes: Some(u64::MAX),
            pv: Some("e2e4 e7e5".into()),
            elapsed: Duration::from_micros(1_234_567),
            charged: Duration::from_micros(17),
            clock_us: Some(-5),
            ..Ply::default()
        };
        let text = serde_json::to_string(&PlyWire::from(&ply)).unwrap();
        let wire: PlyWire = serde_json::from_str(&text).unwrap();
        let mut line = AnyLine::start(Game::Chess);
        let back = unpack(&mut line, std::slice::from_ref(&wire)).unwrap();
        assert_eq!(back, [ply]);
        assert_eq!(line.plies(), 1);
        let again = unpack(&mut line, &[wire]).unwrap_err();
        assert!(again.contains("ply 2"), "{again}");
    }
}
