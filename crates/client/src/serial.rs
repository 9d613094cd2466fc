//! Words for values of other rooms that are written as one word in JSON.

/// `1-0`, `0-1`, `1/2-1/2` and `*`.
pub mod result {
    use quadrille_games::records::GameResult;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(result: &GameResult, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(result.word())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
        let word = String::deserialize(from)?;
        GameResult::from_word(&word)
            .ok_or_else(|| D::Error::unknown_variant(&word, &["1-0", "0-1", "1/2-1/2", "*"]))
    }
}

/// A duration as milliseconds, the one unit of times in JSON; thousandths of
/// them are its decimals, and nothing is finer.
pub mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn of(time: Duration) -> f64 {
        time.as_micros() as f64 / 1000.0
    }

    pub fn read<E: Error>(millis: f64) -> Result<Duration, E> {
        let micros = (millis * 1000.0).round();
        if (0.0..=u64::MAX as f64).contains(&micros) {
            Ok(Duration::from_micros(micros as u64))
        } else {
            Err(E::custom(format!("{millis} is no time")))
        }
    }

    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(of(*time))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        read(f64::deserialize(from)?)
    }
}

/// The same for a duration that may be missing.
pub mod some_millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::millis;

    pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(millis::of).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        let time: Option<f64> = Option::deserialize(from)?;
        time.map(millis::read).transpose()
    }
}

/// Microseconds that may be missing or below zero, as milliseconds.
pub mod some_micros {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(time: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
        time.map(|time| time as f64 / 1000.0).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
        let time: Option<f64> = Option::deserialize(from)?;
        Ok(time.map(|time| (time * 1000.0).round() as i64))
    }
}

/// Words with a blank between them, as a list.
pub mod some_words {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(words: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
        let words = words.as_ref();
        let list = words.map(|words| words.split_whitespace().collect::<Vec<&str>>());
        list.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        let list: Option<Vec<String>> = Option::deserialize(from)?;
        Ok(list.map(|list| list.join(" ")))
    }
}

/// A number that may be infinite or none at all, for which JSON has only
/// `null`; read back, that is not a number.
pub mod number {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
        if number.is_finite() {
            to.serialize_f64(*number)
        } else {
            to.serialize_none()
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
    }
}

/// 0 for White, 1 for Black, `null` for neither.
pub mod side_index {
    use quadrille_games::Side;
    use serde::{Deserialize, Deserializer, de::Error};

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Side>, D::Error> {
        match Option::<u8>::deserialize(from)? {
            None => Ok(None),
            Some(0) => Ok(Some(Side::White)),
            Some(1) => Ok(Some(Side::Black)),
            Some(other) => Err(D::Error::custom(format!("side {other} is neither 0 nor 1"))),
        }
    }
}

/// The name of a game, for serde.
pub mod game {
    use quadrille_games::Game;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(game: &Game, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(game.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Game, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
