//! What a host says, judged by the board and by what was declared.

use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{
    Code, Command, Dialect, Go, PositionBase, SetOption, SetPos, SetPosition, Text,
};

use super::posed::PosedEngine;
use quadrille_client::moves::{Understood, understand};
use quadrille_driver::OptionKind;

/// The rule that a line breaks by its form.
pub(super) fn id_of_form(code: Code, command: &Command<'_>) -> Option<&'static str> {
    let go = matches!(command, Command::Go(_));
    Some(match code {
        Code::UnknownCommand | Code::SkippedWords | Code::ForeignCommand => "host.unknown",
        Code::UnknownWord | Code::ForeignWord if go => "host.go-words",
        Code::NotANumber
        | Code::MissingValue
        | Code::NumberTooLarge
        | Code::NegativeNumber
        | Code::FractionalNumber
            if go =>
        {
            "host.go-numbers"
        }
        Code::EmptyMoveList if go => "host.searchmoves",
        Code::NegativeClock => "host.clock",
        Code::UnknownPosition => "host.position-read",
        Code::InvalidUtf8 | Code::ByteOrderMark => "host.text",
        _ => return None,
    })
}

/// The rule that a line breaks by its moment.
pub(super) fn id_of_moment(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::BeforeHandshake => "host.waits",
        Code::WrongHandshake => "host.hello",
        Code::HelloAgain => "host.hello-once",
        Code::NeverReady => "host.isready",
        Code::NewgameWithoutIsready => "host.new-game-ready",
        Code::NewgameWhileSearching => "host.new-game-idle",
        Code::GoWithoutPosition => "host.position",
        Code::PositionWhileSearching => "host.position-idle",
        Code::SetoptionWhileSearching => "host.option-idle",
        Code::GoWhileSearching => "host.go-idle",
        Code::StopWhileIdle => "host.stop-idle",
        Code::PonderhitWithoutPonder => "host.ponderhit",
        Code::RegisterOwed => "host.register",
        Code::AfterQuit => "host.after-quit",
        _ => return None,
    })
}

impl PosedEngine {
    pub(super) fn judge_option(&mut self, set: &SetOption<'_>, text: &str) {
        let mut words = text.split_whitespace();
        let has_name = words.any(|word| word == "setoption") && words.next() == Some("name");
        if self.dialect != Dialect::Ugi {
            self.judge("host.option-form", has_name, || text.to_owned());
            if !has_name {
                return;
            }
        }
        let name = set.name.to_string();
        let value = set.value.map(|value| value.to_string());
        let known = self
            .options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(&name))
            .cloned();
        self.judge("host.option-known", known.is_some(), || {
            format!("there is no option {name}")
        });
        let Some(option) = known else {
            return;
        };
        // People may write yes and on; the protocol has two words.
        let plain = value.as_deref().is_none_or(|word| {
            let is_check = matches!(option.kind, OptionKind::Check { .. });
            !is_check || word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false")
        });
        if let Err(error) = option.check(value.as_deref()) {
            self.fail("host.option-value", error.to_string());
        } else if !plain {
            let word = value.as_deref().unwrap_or_default();
            let seen = format!("{name} is true or false, and was set to {word}");
            self.fail("host.option-value", seen);
        } else {
            self.record.pass("host.option-value");
        }
        let on = value.as_deref() == Some("true");
        match option.name.as_str() {
            "UCI_Chess960" => self.chess960 = on,
            "Ponder" => self.ponder = on,
            _ => {}
        }
    }

    pub(super) fn judge_position(&mut self, told: &SetPosition<'_>) {
        let text = told.base.text().to_string();
        let game = self.line.game();
        let rules = if self.chess960 { "chess960" } else { "" };
        let read = AnyLine::new(game, rules, &text);
        self.is_lost = read.is_err();
        let line = match read {
            Ok(line) => line,
            Err(error) => {
                let other = game == Game::Chess && AnyLine::new(game, "chess960", &text).is_ok();
                if other {
                    self.fail("host.chess960", format!("{text} with UCI_Chess960 off"));
                } else {
                    self.fail("host.position-read", format!("{text}: {error}"));
                }
                return;
            }
        };
        self.line = line;
        if !matches!(told.base, PositionBase::Omitted) {
            self.record.pass("host.position-read");
        }
        let rights = text.split_whitespace().nth(2).unwrap_or("-");
        let by_file = rights.chars().any(|c| !"KQkq-".contains(c));
        if self.dialect == Dialect::Uci {
            self.judge("host.chess960", self.chess960 || !by_file, || {
                format!("castling rights {rights} with UCI_Chess960 off")
            });
        }
        for text in told
            .moves
            .into_iter()
            .flat_map(quadrille_protocol::Moves::iter)
        {
            if !self.play(text) {
                return;
            }
        }
    }

    fn play(&mut self, text: Text<'_>) -> bool {
        match understand(&self.line, text) {
            Understood::Move(found, oddity) => {
                self.judge("host.move-form", oddity.is_none(), || {
                    format!("{text} instead of {}", found.text)
                });
                self.record.pass("host.position-moves");
                // It was read as a legal move of this line.
                self.line.push(found.value).is_ok()
            }
            Understood::Null | Understood::Illegal(_) => {
                let position = self.line.position_text();
                self.fail(
                    "host.position-moves",
                    format!("{text} is not legal in {position}"),
                );
                self.is_lost = true;
                false
            }
        }
    }

    pub(super) fn judge_setpos(&mut self, told: &SetPos<'_>) {
        let text = match told {
            SetPos::Named(text) | SetPos::Data(text) => text.to_string(),
            SetPos::Missing => String::from("nothing"),
        };
        match AnyLine::new(Game::Gyges, "", &text) {
            Ok(line) => {
                self.line = line;
                self.is_lost = false;
                self.record.pass("host.position-read");
            }
            Err(error) => {
                self.is_lost = true;
                self.fail("host.position-read", format!("{text}: {error}"));
            }
        }
    }

    pub(super) fn judge_go(&mut self, go: &Go<'_>) {
        let clocks = [go.get_wtime(), go.get_btime()];
        if clocks.iter().flatten().all(|ms| *ms >= 0) && clocks.iter().any(Option::is_some) {
            self.record.pass("host.clock");
        }
        if let Some(moves) = go.get_movestogo() {
            self.judge("host.movestogo", moves > 0, || "movestogo 0".into());
        }
        if go.is_ponder() {
            let on = self.ponder;
            self.judge("host.ponder-option", on, || {
                "go ponder while Ponder is off".into()
            });
        }
        if let Some(moves) = go.get_searchmoves()
            && !self.is_lost
        {
            let illegal = moves
                .iter()
                .find(|text| !matches!(understand(&self.line, *text), Understood::Move(..)));
            let illegal = illegal.map(|text| text.to_string());
            self.judge("host.searchmoves", illegal.is_none(), || {
                format!("{} is not legal", illegal.unwrap_or_default())
            });
        }
    }
}
