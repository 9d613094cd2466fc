//! How an animal introduces itself.

use std::path::Path;

use quadrille_games::Game;

use super::animal::Animal;
use super::quirk::Quirk;

const CHESS: &[&str] = &[
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Threads type spin default 1 min 1 max 64",
    "option name MultiPV type spin default 1 min 1 max 100",
    "option name Ponder type check default false",
    "option name Clear Hash type button",
    "option name Style type combo default Normal var Solid var Normal var Very Risky",
    "option name Book type string default <empty>",
    "option name UCI_Chess960 type check default false",
    "option name UCI_AnalyseMode type check default false",
    "option name UCI_Opponent type string default <empty>",
    "option name UCI_Elo type spin default 1500 min 1000 max 2000",
    "option name UCI_Secret type string default <empty>",
];

const HELIOS: &[&str] = &[
    "maxPly",
    "maxTime",
    "maxNodes",
    "randomize",
    "nn",
    "weightsPath",
    "threads",
];

const STAFF: &[&str] = &[
    "option name hattack type spin value 900 default 900 min 0 max 10000",
    "option name hash type spin value 16 default 16 min 1 max 4096",
    "option name draw type spin value -7 default -7 min -100 max 100",
    "option name use_ko type spin value 1 default 1 min 0 max 1",
];

impl Animal {
    /// The answer to `uci` or `ugi`.
    pub(crate) fn introduce(&mut self) {
        if !self.has(Quirk::NoId) {
            self.say_id();
        }
        match self.game() {
            Game::Gyges => self.gyges_options(),
            Game::Leiser if self.has(Quirk::Staff) => STAFF.iter().for_each(|line| self.say(line)),
            _ => self.chess_options(),
        }
        self.odd_options();
        if self.has(Quirk::HasChild) {
            // One of its own kind, which lives until it is killed.
            let own = std::env::current_exe().unwrap_or_default();
            self.start_child(&own, &["deaf"]);
        }
        if self.has(Quirk::HasRunaway) {
            self.start_child(Path::new("setsid"), &["sleep", "3600"]);
        }
        if self.has(Quirk::HasHermit) {
            self.start_hermit();
        }
        if self.has(Quirk::ManyOptions) {
            self.declare_too_much();
        }
        let ok = if self.game() == Game::Gyges {
            "ugiok"
        } else {
            "uciok"
        };
        self.say(ok);
        if self.has(Quirk::LateOption) {
            self.say("option name Late type check default true");
        }
        if self.has(Quirk::CopyProtected) {
            self.say("copyprotection checking");
            self.say("info string the dongle is missing");
            self.say("copyprotection error");
        }
        if self.has(Quirk::CopyChecked) {
            self.say("copyprotection checking");
            self.say("copyprotection ok");
        }
        if self.has(Quirk::WantsRegistration) {
            self.say("registration checking");
            self.say("registration error");
        }
    }

    fn say_id(&mut self) {
        if self.has(Quirk::BadUtf8) {
            self.say_bytes(b"id name K\xF6nig der Tiere");
        } else if self.has(Quirk::Helios) {
            self.say("id name Helios");
        } else {
            self.say("id name Zoo");
        }
        self.say("id author somebody");
        if self.game() == Game::Liberty && !self.has(Quirk::PlainUci) {
            self.say("id version 1");
            self.say("id pieces kmqcaehuriwbznxlop");
        }
    }

    fn gyges_options(&mut self) {
        if !self.has(Quirk::PlainUgi) {
            for name in HELIOS {
                self.say(&format!("option {name}"));
            }
        }
    }

    fn chess_options(&mut self) {
        for line in CHESS {
            let line = if self.has(Quirk::ExactCase) {
                line.replace("name Hash", "name hAsH")
            } else if self.has(Quirk::CapitalBool) {
                line.replace("default false", "default False")
            } else {
                (*line).into()
            };
            self.say(&line);
        }
    }

    fn odd_options(&mut self) {
        if self.has(Quirk::SpacedOptions) {
            self.say("option   name  Skill   mini max type   spin default   3 min 0   max   20");
            self.say("option name default mode type check default true");
        }
        if self.has(Quirk::EmptyDefault) {
            self.say("option name EmptyA type string default");
            self.say("option name EmptyB type string default <empty>");
            self.say("option name EmptyC type string");
        }
        if self.has(Quirk::FloatSpin) {
            self.say("option name Skill Level type spin default 10.2 min 0.0 max 20.0");
            self.say("option name Net type filename default a.net");
        }
        if self.has(Quirk::ValueInName) {
            self.say("option name draw value type spin default 0 min -100 max 100");
            self.say("option name The Style type combo default a b var a b var good looks");
        }
        if self.has(Quirk::BadUtf8) {
            self.say_bytes(b"option name Er\xF6ffnung type check default true");
        }
    }
}
