//! Enums that are single words in files and on command lines.

/// Gives an enum its words: `ALL`, `word`, reading (further spellings too,
/// case-insensitively) and serde.
macro_rules! words {
    ($name:ident: $what:literal { $($variant:ident => $word:literal $(| $also:literal)*),+ $(,)? }) => {
        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in files and on command lines.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.word())
            }
        }

        impl core::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text.to_ascii_lowercase().as_str() {
                    $($word $(| $also)* => Ok(Self::$variant),)+
                    _ => Err(format!(
                        "'{}' is no {}; choose {}",
                        quadrille_client::spelling::excerpt(text),
                        $what,
                        [$($word),+].join(", "),
                    )),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use words;
