//! What the engine says about itself.

use quadrille_games::Game;

use super::engine::Engine;

/// The options of a correct engine.
const CHESS: &[&str] = &[
    "option name Hash type spin default 16 min 1 max 1024",
    "option name MultiPV type spin default 1 min 1 max 100",
    "option name Skill type spin default 20 min 0 max 20",
    "option name Ponder type check default false",
    "option name Style type combo default Normal var Solid var Normal var Risky",
    "option name Book type string default <empty>",
    "option name Clear Hash type button",
    "option name UCI_ShowWDL type check default false",
    "option name UCI_ShowCurrLine type check default false",
    "option name UCI_LimitStrength type check default false",
    "option name UCI_Elo type spin default 1500 min 1000 max 2000",
];

/// For each broken rule about option lines: what is said instead of which line,
/// or in addition to all.
const BROKEN: &[(&str, &str, &str)] = &[
    ("options.name", "", "option type check default true"),
    ("options.type", "", "option name Fast"),
    (
        "options.type-known",
        "",
        "option name Net type filename default a.net",
    ),
    (
        "options.numbers",
        "",
        "option name Level type spin default 1.5 min 0 max 4",
    ),
    (
        "options.spin-range",
        "",
        "option name Level type spin default 2",
    ),
    (
        "options.spin-order",
        "",
        "option name Level type spin min 4 max 0",
    ),
    (
        "options.spin-default",
        "",
        "option name Level type spin default 9 min 0 max 4",
    ),
    (
        "options.combo-default",
        "",
        "option name Mood type combo default Odd var Even",
    ),
    ("options.combo-values", "", "option name Mood type combo"),
    (
        "options.check-default",
        "",
        "option name Fast type check default False",
    ),
    (
        "options.string-default",
        "",
        "option name File type string default",
    ),
    (
        "options.button-plain",
        "",
        "option name Reset type button default true",
    ),
    (
        "options.unique",
        "",
        "option name HASH type spin default 16 min 1 max 1024",
    ),
    (
        "options.unambiguous",
        "",
        "option name draw value type check default true",
    ),
    (
        "options.words",
        "",
        "option name Level joho type spin default 2 min 0 max 4 joho 3",
    ),
    (
        "options.fixed-type",
        "option name Ponder",
        "option name Ponder type string default <empty>",
    ),
    ("options.hash", "option name Hash", ""),
    (
        "options.hash-small",
        "option name Hash",
        "option name Hash type spin default 1024 min 1 max 4096",
    ),
    (
        "options.multipv-default",
        "option name MultiPV",
        "option name MultiPV type spin default 2 min 1 max 100",
    ),
    (
        "options.off-by-default",
        "option name UCI_ShowCurrLine",
        "option name UCI_ShowCurrLine type check default true",
    ),
    ("options.elo-pair", "option name UCI_LimitStrength", ""),
    (
        "options.chess960-default",
        "option name UCI_Chess960",
        "option name UCI_Chess960 type check default true",
    ),
    ("leiser.options", "option name Ponder", ""),
];

impl Engine {
    /// The answer to `uci` or `ugi`.
    pub(crate) fn introduce(&mut self) {
        self.greetings += 1;
        self.die_if("handshake.again", self.greetings == 2);
        if self.breaks("handshake.quick") && self.greetings == 1 {
            std::thread::sleep(std::time::Duration::from_millis(4300));
        }
        if self.breaks("output.utf8") {
            self.say_bytes(b"id name M\xF6del\n");
        } else if !self.breaks("handshake.id-name") {
            self.say("id name Model 1.0");
        }
        if self.breaks("handshake.one-name") {
            self.say("id name Model 1.1");
        }
        let late_author = self.breaks("handshake.order");
        if self.breaks("handshake.id-value") {
            self.say("id author");
        } else if !self.breaks("handshake.id-author") && !late_author {
            self.say("id author the Quadrille authors");
        }
        if self.game() == Game::Liberty {
            if !self.breaks("ulci.version") {
                self.say("id version 1");
            }
            let pieces = if self.breaks("ulci.pieces") {
                "kkqj"
            } else {
                "kmqcaehuriwbznxlop"
            };
            self.say(&format!("id pieces {pieces}"));
        }
        self.declare();
        if late_author {
            self.say("id author the Quadrille authors");
        }
        if self.breaks("output.long-line") {
            let long = format!("info string {}", "x".repeat(70_000));
            self.say(&long);
        }
        self.finish_hello();
    }

    fn finish_hello(&mut self) {
        if self.breaks("handshake.uciok") {
            return;
        }
        let ok = match self.game() {
            Game::Gyges => "ugiok",
            _ => "uciok",
        };
        self.say(ok);
        if self.breaks("handshake.once") {
            self.say(ok);
        }
        if self.breaks("output.extra-words") {
            // Said where it is no answer's end.
            self.say("readyok at last");
        }
        if self.breaks("handshake.late") {
            self.say("option name Late type check default true");
        }
        if self.breaks("handshake.status") {
            self.say("registration ok");
        }
    }

    fn declare(&mut self) {
        if self.game() == Game::Gyges {
            self.say("option maxPly");
            if !self.breaks("ugi.options") {
                self.say("option maxTime");
            }
            return;
        }
        let broken = BROKEN.iter().find(|(id, ..)| self.breaks(id));
        let mut lines: Vec<&str> = CHESS.to_vec();
        match self.game() {
            Game::Chess => lines.push("option name UCI_Chess960 type check default false"),
            // ULCI has no pondering, Leiserchess no chances.
            Game::Liberty => lines.retain(|line| !line.contains("Ponder")),
            Game::Leiser | Game::Gyges => lines.retain(|line| !line.contains("UCI_Show")),
        }
        if let Some((_, start, instead)) = broken {
            if start.is_empty() {
                lines.push(instead);
            } else {
                for line in &mut lines {
                    if line.starts_with(start) {
                        *line = instead;
                    }
                }
            }
        }
        for line in lines.into_iter().filter(|line| !line.is_empty()) {
            self.say(line);
        }
    }
}
