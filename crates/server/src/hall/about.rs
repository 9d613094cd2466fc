//! Who a client says it is, and what it can play.

use quadrille_client::strength::{Place, Range, Strength, StrengthOptions};
use quadrille_games::{AnyLine, Game, liberty};
use quadrille_net::sanitize::cut;
use quadrille_protocol::{Dialect, Report};

use crate::message::Id;

/// The longest text that is kept of an `id` line.
const LONGEST: usize = 80;
/// The most options of an engine that are looked at.
const OPTIONS: usize = 200;
/// The pieces of chess, for clients that name none (seed: `id pieces`).
const CHESS_PIECES: &str = "pnbrqk";

/// What a client said about itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    pub(crate) program: String,
    pub(crate) author: String,
    pub(crate) version: u32,
    pieces: Option<String>,
    features: liberty::Features,
    partial: bool,
    pub(crate) username: Option<String>,
    games: Option<Vec<Game>>,
    pub(crate) lobby: bool,
    pub(crate) account: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) token: Option<String>,
    options: Vec<EngineOption>,
    /// Lines that told an option, or tried to.
    told: usize,
}

/// An option, as far as it makes an engine weaker or says what it can play.
#[derive(Debug, Clone)]
struct EngineOption {
    name: String,
    range: Option<(i64, i64)>,
}

impl About {
    /// A line of the handshake. The last of a kind counts.
    pub(crate) fn hear(&mut self, id: Id) {
        // It stays as it came; whatever is written is cleaned on its way out.
        let short = |text: String| text.trim().chars().take(LONGEST).collect::<String>();
        match id {
            Id::Name(text) => self.program = short(text),
            Id::Author(text) => self.author = short(text),
            Id::Version(n) => self.version = n,
            Id::Pieces(letters) => self.pieces = Some(short(letters).to_ascii_lowercase()),
            Id::Feature(words) => self.feature(&words),
            Id::Username(text) => self.username = Some(short(text)),
            Id::Games(games) => self.games = Some(games),
            Id::Lobby(n) => self.lobby = n >= 1,
            Id::Account(text) => self.account = Some(short(text)),
            Id::Password(text) => self.password = Some(text),
            Id::Token(text) => self.token = Some(text),
            Id::Other(_) => {}
        }
    }

    /// Words of `id feature`, with the reference's own spellings (spec, section 12).
    fn feature(&mut self, words: &str) {
        let has = &mut self.features;
        for word in words.split_ascii_whitespace() {
            let place = match word {
                "boardsize" => &mut has.board_size,
                "pawnmoves" | "pawnconfig" => &mut has.pawn_moves,
                "castling" => &mut has.castling,
                "multiplekings" | "multplekings" => &mut has.multiple_kings,
                "promotion" => &mut has.promotion,
                "friendlyfire" => &mut has.friendly_fire,
                _ => continue,
            };
            *place = true;
            self.partial = true;
        }
    }

    /// Whether more options would be looked at.
    pub(crate) fn wants_options(&self) -> bool {
        self.told < OPTIONS
    }

    pub(crate) fn option(&mut self, line: &str) {
        if !self.wants_options() {
            return;
        }
        self.told += 1;
        if let Report::Option(option) = Report::parse(line.as_bytes(), Dialect::Ulci).message
            && let Some(name) = option.name()
        {
            self.options.push(EngineOption {
                name: cut(&name.to_string(), LONGEST).into_owned(),
                range: option.min().zip(option.max()),
            });
        }
    }

    /// Whether a person sits there.
    pub(crate) const fn is_person(&self) -> bool {
        self.username.is_some()
    }

    /// The games it plays: what it says, or what its version means. A client
    /// without a version is a regular UCI client (seed: `id version`).
    pub(crate) fn games(&self) -> Vec<Game> {
        match &self.games {
            Some(games) => games.clone(),
            None if self.version > 0 || self.partial => vec![Game::Chess, Game::Liberty],
            None => vec![Game::Chess],
        }
    }

    /// Whether a position, and all that can come of it, may be sent to it.
    pub(crate) fn can_play(&self, line: &AnyLine) -> bool {
        if !self.games().contains(&line.game()) {
            return false;
        }
        match line {
            AnyLine::Chess(_) => {
                let castles_anywhere = line.rules_text() == "chess960";
                self.knows(CHESS_PIECES)
                    && (!castles_anywhere || self.lobby || self.find("UCI_Chess960").is_some())
            }
            AnyLine::Liberty(line) => {
                let position = line.position();
                let features = if self.version > 0 {
                    liberty::Features::ALL
                } else {
                    self.features
                };
                features.cover(position.features()) && self.knows(&position.piece_letters())
            }
            AnyLine::Leiser(_) | AnyLine::Gyges(_) => true,
        }
    }

    fn knows(&self, letters: &str) -> bool {
        let known = self.pieces.as_deref().unwrap_or(CHESS_PIECES);
        letters.chars().all(|letter| known.contains(letter))
    }

    fn find(&self, name: &str) -> Option<&EngineOption> {
        let mut options = self.options.iter();
        options.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// What an engine is told before a game at a level; `None` is its best.
    pub(crate) fn strength(&self, level: Option<u8>) -> Strength {
        let options = StrengthOptions::find(|name| {
            let option = self.find(name)?;
            let range = option.range.and_then(|(min, max)| Range::new(min, max));
            Some((option.name.clone(), range))
        });
        match level {
            Some(step) => options.at(Place::of_step(step)),
            None => options.full(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(lines: &[&str]) -> About {
        let mut about = About::default();
        for line in lines {
            match crate::message::ToServer::parse(line) {
                crate::message::ToServer::Id(id) => about.hear(id),
                crate::message::ToServer::Option(line) => about.option(&line),
                other => panic!("{other:?}"),
            }
        }
        about
    }

    fn plays(about: &About, game: Game, rules: &str, position: &str) -> bool {
        let line = AnyLine::new(game, rules, position).expect("a position");
        about.can_play(&line)
    }

    #[test]
    fn positions_a_client_supports() {
        let plain = about(&["id name x"]);
        assert!(plays(&plain, Game::Chess, "", "startpos"));
        assert!(!plays(&plain, Game::Liberty, "", "Standard"), "chess only");
        assert!(!plays(&plain, Game::Chess, "chess960", "chess960 5"));
        let full = about(&["id version 1", "id pieces kmqcaehuriwbznxlop"]);
        for (name, text) in AnyLine::presets(Game::Liberty, "ff").expect("presets") {
            assert!(plays(&full, Game::Liberty, "ff", &text), "{name}");
        }
        assert!(!plays(&full, Game::Gyges, "", "startpos"));
        assert!(plays(
            &about(&["id games gyges"]),
            Game::Gyges,
            "",
            "startpos"
        ));
        // A version without pieces has those of chess.
        let few = about(&["id version 1"]);
        assert!(plays(&few, Game::Liberty, "ff", "Horde"));
        assert!(!plays(&few, Game::Liberty, "", "Mongol chess"));
    }

    #[test]
    fn features_one_by_one() {
        let cases = [
            ("Standard", "friendlyfire", "ff"),
            ("Horde", "multiplekings", ""),
        ];
        for (preset, feature, rules) in cases {
            let other = about(&["id feature boardsize"]);
            assert!(!plays(&other, Game::Liberty, rules, preset), "{preset}");
            let right = about(&[&format!("id feature {feature}")]);
            assert!(plays(&right, Game::Liberty, rules, preset), "{preset}");
        }
        // Another width needs castling too (spec, section 12).
        let mini = about(&["id feature boardsize pawnconfig"]);
        assert!(!plays(&mini, Game::Liberty, "", "Mini chess"));
        let mini = about(&["id feature boardsize", "id feature pawnconfig castling"]);
        assert!(plays(&mini, Game::Liberty, "", "Mini chess"));
        let kings = about(&["id feature multplekings promotion", "id pieces pkqu"]);
        assert!(plays(&kings, Game::Liberty, "", "Narnia chess"));
    }

    #[test]
    fn levels_become_options() {
        let elo = about(&[
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1500 min 600 max 2000",
        ]);
        let weak = elo.strength(Some(1));
        assert_eq!(weak.options[0], ("UCI_Elo".into(), "600".into()));
        assert_eq!(elo.strength(Some(8)).options[0].1, "2000");
        assert_eq!(elo.strength(None).options[0].1, "false");
        let skill = about(&["option name Skill Level type spin default 20 min 0 max 20"]);
        assert_eq!(
            skill.strength(Some(4)).options,
            [("Skill Level".into(), "9".into())]
        );
        assert_eq!(about(&[]).strength(Some(2)).nodes, Some(80));
        assert_eq!(about(&[]).strength(None), Strength::default());
        let odd = about(&[
            "option name Skill Level type spin min -9223372036854775808 max 9223372036854775807",
        ]);
        assert!(!odd.strength(Some(8)).options.is_empty());
    }
}
