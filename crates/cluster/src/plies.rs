//! Moves on their way over the network: lists without names, for there are hundreds of
//! them in a game. The notation is left out, because it follows from the board.

use std::time::Duration;

use quadrille_driver::EngineScore;
use quadrille_games::AnyLine;
use quadrille_match::referee::Ply;
use serde::{Deserialize, Deserializer, Serializer};

/// Text, hundredths, mate, depth, seldepth, nodes, nps, hashfull, tbhits, line,
/// elapsed, charged, told, clock; times in microseconds.
type Row<T> = (
    T,
    Option<i64>,
    Option<i64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<T>,
    u64,
    u64,
    Option<u64>,
    Option<i64>,
);

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn row(ply: &Ply) -> Row<&str> {
    let (cp, mate) = match ply.score {
        Some(EngineScore::Cp(cp)) => (Some(cp), None),
        Some(EngineScore::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    (
        &ply.text,
        cp,
        mate,
        ply.depth,
        ply.seldepth,
        ply.nodes,
        ply.nps,
        ply.hashfull,
        ply.tbhits,
        ply.pv.as_deref(),
        micros(ply.elapsed),
        micros(ply.charged),
        ply.told.map(micros),
        ply.clock_us,
    )
}

fn ply(row: Row<String>) -> Ply {
    let score = match (row.1, row.2) {
        (_, Some(moves)) => Some(EngineScore::Mate(moves)),
        (cp, None) => cp.map(EngineScore::Cp),
    };
    Ply {
        text: row.0,
        notation: String::new(),
        book: false,
        score,
        depth: row.3,
        seldepth: row.4,
        nodes: row.5,
        nps: row.6,
        hashfull: row.7,
        tbhits: row.8,
        pv: row.9,
        elapsed: Duration::from_micros(row.10),
        charged: Duration::from_micros(row.11),
        told: row.12.map(Duration::from_micros),
        clock_us: row.13,
    }
}

/// Writes the moves of a message.
pub(crate) fn serialize<S: Serializer>(plies: &[Ply], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(plies.iter().map(row))
}

/// Reads the moves of a message; they have no notation yet.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Ply>, D::Error> {
    let rows = Vec::<Row<String>>::deserialize(from)?;
    Ok(rows.into_iter().map(ply).collect())
}

/// Returns the bytes that a move takes in a message.
pub(crate) fn size(ply: &Ply) -> usize {
    serde_json::to_string(&row(ply)).map_or(0, |text| text.len())
}

/// Makes the moves on a line, and gives them with their notation. One that is
/// not legal is the first that is missing.
pub(crate) fn unpack(line: &mut AnyLine, plies: &[Ply]) -> Result<Vec<Ply>, String> {
    let mut unpacked = Vec::with_capacity(plies.len());
    for ply in plies {
        let illegal = || format!("ply {}: {:?} is no legal move", line.plies() + 1, ply.text);
        let m = line.parse_move(&ply.text).map_err(|_| illegal())?;
        let notation = line.notation_of(m).map_err(|_| illegal())?;
        unpacked.push(Ply {
            notation,
            ..ply.clone()
        });
        line.push(m).map_err(|error| error.to_string())?;
    }
    Ok(unpacked)
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
        let mut text = Vec::new();
        let mut to = serde_json::Serializer::new(&mut text);
        serialize(std::slice::from_ref(&ply), &mut to).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&text),
            "[[\"e2e4\",null,-3,7,null,18446744073709551615,null,null,null,\"e2e4 e7e5\",\
             1234567,17,null,-5]]"
        );
        assert_eq!(size(&ply), text.len() - 2);
        let sent = deserialize(&mut serde_json::Deserializer::from_slice(&text)).unwrap();
        let mut line = AnyLine::start(Game::Chess);
        let back = unpack(&mut line, &sent).unwrap();
        assert_eq!(back, [ply]);
        assert_eq!(line.plies(), 1);
        let again = unpack(&mut line, &sent).unwrap_err();
        assert!(again.contains("ply 2"), "{again}");
    }
}
