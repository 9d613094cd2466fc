//! Which position a record starts from, and how its tags say so.

use super::diagnostic::Code;
use super::tags::{Tags, game_of_variant, squeeze};
use crate::game::Game;
use crate::position::Position;

/// The tags that decide the start position, collected while reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct StartTags {
    pub(crate) fen: Option<String>,
    pub(crate) variant: Option<String>,
    pub(crate) rules: Option<String>,
}

impl StartTags {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether the game starts as most games do.
    pub(crate) fn is_usual(&self) -> bool {
        self.fen.is_none() && self.variant.is_none() && self.rules.is_none()
    }

    /// Takes a tag if it is one of those that matter here.
    pub(crate) fn offer(&mut self, name: &str, value: &str) {
        let place = match name {
            "FEN" => &mut self.fen,
            "Variant" => &mut self.variant,
            "Rules" => &mut self.rules,
            _ => return,
        };
        // A repeated tag: the first one counts.
        place.get_or_insert_with(|| value.into());
    }

    /// The start position, or why there is none.
    pub(crate) fn position<P: Position>(&self) -> Result<P, (Code, String)> {
        let rules = self.rules::<P>()?;
        match self.fen.as_deref() {
            None | Some("") => Ok(P::start(&rules)),
            Some(fen) => P::from_text(fen, &rules).map_err(|e| (Code::BadPosition, e.to_string())),
        }
    }

    fn rules<P: Position>(&self) -> Result<P::Rules, (Code, String)> {
        let variant = self.variant.as_deref().unwrap_or("");
        if !variant.is_empty() && game_of_variant(variant) != P::GAME {
            return Err((Code::OtherGame, format!("Variant {variant:?}")));
        }
        let words = match self.rules.as_deref() {
            Some(rules) => rules,
            None if P::GAME == Game::Chess => chess_rules(variant),
            None => "",
        };
        P::rules_from_text(words).map_err(|e| (Code::OtherGame, e.to_string()))
    }
}

/// The rules that a chess `Variant` tag asks for. What is neither the usual
/// game nor Chess960 goes to the rules as it is, and they will refuse it.
fn chess_rules(variant: &str) -> &str {
    match squeeze(variant).as_str() {
        "" | "standard" | "chess" | "normal" | "classical" | "fromposition" | "regular" => "",
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerandomchess"
        | "fischerrandomchess" | "freestyle" | "freestylechess" => "chess960",
        _ => variant,
    }
}

/// Writes into `tags` what a reader needs to find `start` again.
pub(crate) fn write_start<P: Position>(tags: &mut Tags, start: &P) {
    let rules = start.rules();
    let usual = rules == P::Rules::default();
    let words = P::rules_text(&rules);
    let variant = match P::GAME {
        Game::Chess if usual => None,
        Game::Chess => Some("Chess960"),
        Game::Liberty => Some("Liberty"),
        Game::Leiser => Some("Leiserchess"),
        Game::Gyges => Some("Gyges"),
    };
    let mut put = |name, value: &str| {
        // These names are ours and plain, so they are never refused.
        let _ = tags.set(name, value);
    };
    if let Some(variant) = variant {
        put("Variant", variant);
    }
    let plain_960 = P::GAME == Game::Chess && words == "chess960";
    if !usual && !plain_960 {
        put("Rules", &words);
    }
    if *start != P::start(&rules) {
        put("SetUp", "1");
        put("FEN", &start.text());
    }
}
