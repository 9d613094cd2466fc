//! `UCI_SetPositionValue`: positions whose value the host knows better.

use quadrille_search::score::MAX_EVAL;
use quadrille_search::{KnownValues, Value};

use crate::dialect::Spoken;

/// So many positions may be given a value; the protocol names no limit, and a
/// list without end would fill the memory.
const MOST: usize = 100_000;

/// Does what one of the three forms says: `<value> + <fen>`, `clear + <fen>`
/// or `clearall`. The plus sign may be left out.
pub(crate) fn change<P: Spoken>(
    values: &mut KnownValues,
    text: &str,
    rules: &P::Rules,
) -> Result<(), String> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if word.eq_ignore_ascii_case("clearall") {
        values.clear();
        return Ok(());
    }
    let rest = rest.trim();
    let fen = rest.strip_prefix('+').unwrap_or(rest).trim();
    if fen.is_empty() {
        return Err("a position value is '<value> + <fen>', 'clear + <fen>' or 'clearall'".into());
    }
    let position = P::from_text(fen, rules).map_err(|error| error.to_string())?;
    if word.eq_ignore_ascii_case("clear") {
        values.remove(&position);
        return Ok(());
    }
    let value: i64 = word
        .parse()
        .map_err(|_| format!("a position value is a whole number, not '{word}'"))?;
    if values.len() >= MOST && values.get(&position).is_none() {
        return Err(format!("no more than {MOST} positions can have a value"));
    }
    let held = value.clamp(i64::from(-MAX_EVAL), i64::from(MAX_EVAL));
    values.insert(&position, held as Value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Position;
    use quadrille_games::chess::{Chess, ChessRules};

    const FEN: &str = "8/8/8/8/8/4k3/8/4K2Q w - - 0 1";

    #[test]
    fn all_three_forms() {
        let rules = ChessRules::default();
        let position = Chess::from_text(FEN, &rules).unwrap();
        let mut values = KnownValues::default();
        let mut say =
            |text: &str| change::<Chess>(&mut values, text, &rules).map(|()| values.get(&position));
        assert_eq!(say(&format!("35 + {FEN}")), Ok(Some(35)));
        assert_eq!(say(&format!("-900000 {FEN}")), Ok(Some(-MAX_EVAL)));
        assert_eq!(say(&format!("clear + {FEN}")), Ok(None));
        assert_eq!(say(&format!("12 +{FEN}")), Ok(Some(12)));
        assert_eq!(say("clearall"), Ok(None));
        for wrong in ["", "clear", "12", "12 +", "twelve + 8/8", "12 + no fen"] {
            assert!(say(wrong).is_err(), "{wrong}");
        }
    }
}
