//! Words for values of other rooms that are written as one word in JSON.

/// `1-0`, `0-1`, `1/2-1/2` and `*`.
pub(crate) mod result {
    use quadrille_games::records::GameResult;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(crate) fn serialize<S: Serializer>(result: &GameResult, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(result.word())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
        let word = String::deserialize(from)?;
        GameResult::from_word(&word)
            .ok_or_else(|| D::Error::unknown_variant(&word, &["1-0", "0-1", "1/2-1/2", "*"]))
    }
}

/// A duration as seconds.
pub(crate) mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(time.as_secs_f64())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// A number that may be infinite or none at all, for which JSON has only
/// `null`; read back, that is not a number.
pub(crate) mod number {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(crate) fn serialize<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
        if number.is_finite() {
            to.serialize_f64(*number)
        } else {
            to.serialize_none()
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
    }
}

/// 0 for White, 1 for Black, `null` for neither.
pub(crate) mod side_index {
    use quadrille_games::Side;
    use serde::{Deserialize, Deserializer, de::Error};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Side>, D::Error> {
        match Option::<u8>::deserialize(from)? {
            None => Ok(None),
            Some(0) => Ok(Some(Side::White)),
            Some(1) => Ok(Some(Side::Black)),
            Some(other) => Err(D::Error::custom(format!("side {other} is neither 0 nor 1"))),
        }
    }
}
