//! An engine as it is kept.

use std::path::Path;

use quadrille_desk::wire::{
    EngineChange, EngineId, EngineState, EngineView, OptionKindView, OptionView,
};
use quadrille_driver::spec::{Address, EngineSpec};
use quadrille_driver::{Engine, EngineOption, OptionKind};
use quadrille_games::Game;
use quadrille_net::Remote;
use quadrille_net::sanitize::one_line;
use serde::{Deserialize, Serialize};

/// The largest whole number that a page can count to.
const COUNTABLE: i64 = (1 << 53) - 1;
/// Options and findings that are shown.
const MOST_OPTIONS: usize = 500;
const MOST_FINDINGS: usize = 50;
/// Letters of a text of an engine's that are shown.
const LONGEST: usize = 2000;

/// An engine: how it is started, what is set, what it said of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct EngineRecord {
    pub(crate) id: EngineId,
    pub(crate) name: Option<String>,
    /// One of ours.
    pub(crate) builtin: Option<Game>,
    pub(crate) games: Vec<Game>,
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    pub(crate) folder: Option<String>,
    pub(crate) init: Vec<String>,
    pub(crate) set: Vec<(String, String)>,
    pub(crate) registration: Option<(String, String)>,
    /// It asked to be registered when it was last looked at, and was not.
    pub(crate) unregistered: bool,
    pub(crate) identity: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) about: Option<String>,
    /// As it declared them; the values are in `set`.
    pub(crate) options: Vec<OptionView>,
    pub(crate) findings: Vec<String>,
}

impl EngineRecord {
    /// One of ours.
    pub(crate) fn builtin(id: EngineId, game: Game) -> Self {
        Self {
            id,
            builtin: Some(game),
            games: vec![game],
            ..Self::default()
        }
    }

    /// The name to show.
    pub(crate) fn shown_name(&self) -> String {
        let program = || match self.builtin {
            // Before it has told its name.
            Some(Game::Chess) => "Quadrille".to_owned(),
            Some(Game::Liberty) => "Quadrille Liberty".to_owned(),
            Some(Game::Leiser) => "Quadrille Leiserchess".to_owned(),
            Some(Game::Gyges) => "Quadrille Gyges".to_owned(),
            None => {
                let address = Address::read(Path::new(&self.command));
                address.map_or_else(|error| error.text, |address| address.name())
            }
        };
        let own = self.identity.clone().filter(|name| !name.is_empty());
        self.name.clone().or(own).unwrap_or_else(program)
    }

    /// How it is started for a game under these rules; `program` is this one.
    pub(crate) fn spec(&self, program: &Path, game: Game, rules: &str) -> EngineSpec {
        let mut spec = EngineSpec {
            name: Some(self.shown_name()),
            command: self.command.clone().into(),
            args: self.args.clone(),
            folder: self.folder.clone().map(Into::into),
            init: self.init.clone(),
            registration: self.registration.clone(),
            options: self
                .set
                .iter()
                .map(|(name, value)| (name.clone(), Some(value.clone())))
                .collect(),
            ..EngineSpec::default()
        };
        if let Some(own) = self.builtin {
            spec.command = format!("builtin:{own}").into();
            spec.resolve_builtin(program, game, rules);
        }
        spec
    }

    /// Takes over what a running engine says of itself.
    pub(crate) fn learn(&mut self, engine: &Engine) {
        let identity = engine.identity();
        let text = |text: &Option<String>| text.as_deref().map(shown);
        self.identity = text(&identity.name);
        self.author = text(&identity.author);
        self.options = engine
            .options()
            .iter()
            .filter_map(view)
            .take(MOST_OPTIONS)
            .collect();
        let about = engine.options().get("UCI_EngineAbout");
        self.about = about.and_then(|option| match &option.kind {
            OptionKind::Text { default } => default.as_deref().map(shown),
            _ => None,
        });
        self.findings = findings(engine);
    }

    /// As it is shown to the operator; nobody else is told of engines.
    pub(crate) fn view(&self, state: EngineState) -> EngineView {
        let state = match state {
            EngineState::Off | EngineState::Idle if self.unregistered => EngineState::Registration,
            state => state,
        };
        let options = self.options.iter().cloned().map(|mut option| {
            let set = self.set.iter().find(|(name, _)| *name == option.name);
            option.value = set.map(|(_, value)| value.clone());
            option
        });
        EngineView {
            id: self.id,
            name: shown(&self.shown_name()),
            identity: self.identity.clone(),
            author: self.author.clone(),
            builtin: self.builtin.is_some(),
            games: self.games.clone(),
            command: self.command.clone(),
            args: self.args.clone(),
            folder: self.folder.clone(),
            init: self.init.clone(),
            state,
            options: options.collect(),
            findings: self.findings.clone(),
            about: self.about.clone(),
        }
    }

    /// Sets an option to a value that fits it, or back to its default.
    pub(crate) fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let option = self.option(name)?;
        let name = option.name.clone();
        if option.managed {
            return Err(format!("the option {name} is set by this program itself"));
        }
        let checked = match value {
            Some(value) => Some(check(option, value)?),
            None => None,
        };
        self.set.retain(|(known, _)| *known != name);
        if let Some(value) = checked {
            self.set.push((name, value));
        }
        Ok(())
    }

    /// An option that it has, in its own spelling.
    pub(crate) fn option(&self, name: &str) -> Result<&OptionView, String> {
        let found = self.options.iter().find(|option| option.name == name);
        found.ok_or_else(|| format!("the engine has no option {name:?}"))
    }

    /// Changes of the engine itself, not of its place among the others.
    pub(crate) fn change(&mut self, change: &EngineChange) -> Result<(), String> {
        match change {
            EngineChange::Name { name } => {
                let name = name.trim();
                self.name = (!name.is_empty()).then(|| shown(name));
                Ok(())
            }
            EngineChange::Option { name, value } => self.set_option(name, value.as_deref()),
            EngineChange::Reset => {
                self.set.clear();
                Ok(())
            }
            EngineChange::Register { name, code } => {
                self.registration = Some((name.clone(), code.clone()));
                Ok(())
            }
            EngineChange::RegisterLater => {
                self.registration = None;
                Ok(())
            }
            EngineChange::Command { .. } if self.builtin.is_some() => {
                Err("the command of a built-in engine cannot be changed".into())
            }
            EngineChange::Command {
                command,
                args,
                folder,
                init,
            } => {
                if command.trim().is_empty() {
                    return Err("name the program of the engine".into());
                }
                no_password(command.trim())?;
                if init.iter().any(|line| line.contains(['\n', '\r'])) {
                    return Err("a line to send cannot be more than one line".into());
                }
                self.command = command.trim().into();
                self.args.clone_from(args);
                self.folder = folder.clone().filter(|folder| !folder.trim().is_empty());
                self.init.clone_from(init);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// What a page writes is kept and shown again, so a password in an address must be
/// somewhere else.
pub(super) fn no_password(command: &str) -> Result<(), String> {
    let Some(remote) = Remote::read(command) else {
        return Ok(());
    };
    let mut remote = remote.map_err(|error| error.to_string())?;
    match remote.take_password() {
        None => Ok(()),
        Some(_) => Err(format!(
            "a password would be kept and shown here: put it into a file or an environment \
             variable of the server, and write NAME:file:FILE@ or NAME:env:VARIABLE@ in {remote}"
        )),
    }
}

/// A value in the form that the engine is told.
fn check(option: &OptionView, value: &str) -> Result<String, String> {
    let name = &option.name;
    if value.contains(['\n', '\r']) {
        return Err(format!(
            "option {name}: a value cannot have more than one line"
        ));
    }
    let value = value.trim();
    match &option.kind {
        OptionKindView::Check { .. } => match value {
            "true" | "false" => Ok(value.into()),
            _ => Err(format!(
                "option {name}: {value:?} is neither true nor false"
            )),
        },
        OptionKindView::Spin { min, max, .. } => match value.parse::<i64>() {
            Ok(number) if (*min..=*max).contains(&number) || min > max => Ok(number.to_string()),
            Ok(number) => Err(format!("option {name}: {number} is outside {min} to {max}")),
            Err(_) => Err(format!("option {name}: {value:?} is not a whole number")),
        },
        OptionKindView::Combo { values, .. } => {
            if values.is_empty() || values.iter().any(|known| known == value) {
                Ok(value.into())
            } else {
                Err(format!(
                    "option {name}: {value:?} is not one of {}",
                    values.join(", ")
                ))
            }
        }
        OptionKindView::Button => Err(format!("option {name} is a button: it is pressed")),
        OptionKindView::Text { .. } => Ok(value.into()),
    }
}

/// A text of an engine's on one line, without what would disturb a page.
pub(super) fn shown(text: &str) -> String {
    let line = one_line(text);
    line.chars().take(LONGEST).collect()
}

/// What an engine did wrong so far, in sentences.
pub(super) fn findings(engine: &Engine) -> Vec<String> {
    let all = engine.findings();
    let told = all.iter().filter(|finding| finding.is_complaint());
    told.take(MOST_FINDINGS)
        .map(|finding| shown(&finding.to_string()))
        .collect()
}

fn view(option: &EngineOption) -> Option<OptionView> {
    let managed = option.is_managed();
    if !managed && !option.is_for_people() {
        return None;
    }
    let text = |text: &Option<String>| text.as_deref().map(shown).unwrap_or_default();
    let kind = match &option.kind {
        OptionKind::Check { default } => OptionKindView::Check {
            default: default.unwrap_or(false),
        },
        OptionKind::Spin { default, min, max } => {
            let min = min.unwrap_or(-COUNTABLE).clamp(-COUNTABLE, COUNTABLE);
            let max = max.unwrap_or(COUNTABLE).clamp(-COUNTABLE, COUNTABLE);
            let default = default.unwrap_or(min).clamp(-COUNTABLE, COUNTABLE);
            OptionKindView::Spin { default, min, max }
        }
        OptionKind::Combo { default, values } => OptionKindView::Combo {
            default: text(default),
            values: values.iter().take(MOST_OPTIONS).map(|v| shown(v)).collect(),
        },
        OptionKind::Button => OptionKindView::Button,
        OptionKind::Text { default } => OptionKindView::Text {
            default: text(default),
            path: is_path(&option.name),
        },
        OptionKind::Untyped { .. } => OptionKindView::Text {
            default: String::new(),
            path: is_path(&option.name),
        },
    };
    Some(OptionView {
        name: option.name.clone(),
        kind,
        value: None,
        managed,
    })
}

/// Whether an option names a file or a folder, as far as its name tells.
fn is_path(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let ends = ["path", "file", "folder", "dir", "directory"];
    ends.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> EngineRecord {
        let option = |name: &str, kind| OptionView {
            name: name.into(),
            kind,
            value: None,
            managed: name == "Ponder",
        };
        let (default, min, max) = (16, 1, 1024);
        EngineRecord {
            options: vec![
                option("Hash", OptionKindView::Spin { default, min, max }),
                option("Ponder", OptionKindView::Check { default: false }),
                option("Own Book", OptionKindView::Check { default: false }),
                option("Clear", OptionKindView::Button),
                option(
                    "Style",
                    OptionKindView::Combo {
                        default: "a".into(),
                        values: vec!["a".into(), "b c".into()],
                    },
                ),
                option(
                    "BookFile",
                    OptionKindView::Text {
                        default: String::new(),
                        path: true,
                    },
                ),
            ],
            ..EngineRecord::default()
        }
    }

    #[test]
    fn values_are_checked() {
        let mut engine = record();
        for (name, value) in [
            ("Hash", "64"),
            ("Own Book", "true"),
            ("Style", "b c"),
            ("BookFile", "C:\\book.bin"),
        ] {
            assert_eq!(engine.set_option(name, Some(value)), Ok(()), "{name}");
        }
        let kept = engine.clone();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "many"),
            ("Own Book", "perhaps"),
            ("Style", "c"),
            ("Clear", ""),
            ("Ponder", "true"),
            ("Nothing", "1"),
            ("BookFile", "a\nquit"),
        ] {
            assert!(
                engine.set_option(name, Some(value)).is_err(),
                "{name} {value}"
            );
        }
        assert_eq!(engine, kept);
        engine
            .set_option("Hash", None)
            .expect("back to the default");
        let view = engine.view(EngineState::Off);
        assert_eq!(view.options[0].value, None);
        assert_eq!(view.options[2].value.as_deref(), Some("true"));
    }

    #[test]
    fn our_own_engines_are_this_program() {
        let own = EngineRecord::builtin(3, Game::Leiser);
        assert_eq!(
            own.shown_name(),
            "Quadrille Leiserchess",
            "from the first moment"
        );
        let spec = own.spec(Path::new("/q"), Game::Leiser, "2016");
        assert_eq!(spec.command, Path::new("/q"));
        assert_eq!(spec.args.join(" "), "engine --game leiser --rules 2016");
        let mut own = own;
        let command = EngineChange::Command {
            command: "x".into(),
            args: vec![],
            folder: None,
            init: vec![],
        };
        assert!(own.change(&command).is_err());
    }

    #[test]
    fn an_address_keeps_no_password() {
        for command in [
            "stockfish",
            "tcp://box:1",
            "tls://ann:env:PW@box:1",
            "tls://ann@box:1",
        ] {
            assert_eq!(no_password(command), Ok(()), "{command}");
        }
        for command in ["tls://ann:hush@box:1", "tls://ann:hush@box"] {
            let words = no_password(command).expect_err(command);
            assert!(words.contains("box") && !words.contains("hush"), "{words}");
        }
        let engine = EngineRecord {
            command: "tls://ann:env:PW@box:4711".into(),
            ..EngineRecord::default()
        };
        assert_eq!(engine.shown_name(), "box:4711");
    }
}
