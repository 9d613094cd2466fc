//! The file of a worker: which engines it has, and how much it gives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quadrille_driver::machine::processors;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{OptionKind, OptionList};
use quadrille_games::Game;
use serde::Deserialize;

use crate::access::Access;
use crate::error::ClusterError;
use crate::messages::Settings;

/// A worker as its owner describes it. Messages name engines; only this file says
/// which programs those are.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkerConfig {
    /// What it is called in lists; the name of the machine if missing.
    pub name: Option<String>,
    /// Games at once; as many as there are processors if missing.
    pub concurrency: Option<usize>,
    /// Nodes a second of the built-in engine; measured if missing.
    pub speed: Option<u64>,
    /// Minutes from one measurement of the speed to the next; 0 for never.
    pub measure: Option<u64>,
    /// The most threads of an engine; 1 if missing.
    pub threads: Option<u64>,
    /// The most mebibytes of an engine's table; 1024 if missing.
    pub hash: Option<u64>,
    /// Folders of endgame tables that decide games.
    pub syzygy: Vec<PathBuf>,
    /// How the server is reached, where the command line does not say.
    pub nats: NatsSection,
    /// The engines, by the names that jobs use.
    pub engine: BTreeMap<String, EngineSection>,
}

/// How the server is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NatsSection {
    /// See [`Access`].
    pub url: Option<String>,
    /// See [`Access`].
    pub creds: Option<PathBuf>,
    /// See [`Access`].
    pub nkey: Option<PathBuf>,
    /// See [`Access`].
    pub user: Option<String>,
    /// See [`Access`].
    pub password: Option<String>,
    /// See [`Access`].
    pub token: Option<String>,
    /// See [`Access`].
    pub ca: Option<PathBuf>,
    /// See [`Access`].
    pub cert: Option<PathBuf>,
    /// See [`Access`].
    pub key: Option<PathBuf>,
}

/// An engine of a worker.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSection {
    /// The program.
    pub cmd: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder to start it in.
    pub dir: Option<PathBuf>,
    /// The games it plays; chess if missing.
    pub games: Vec<Game>,
    /// Lines to send before the handshake.
    pub init: Vec<String>,
    /// Options that are always set, before those of a job.
    pub options: BTreeMap<String, toml::Value>,
    /// Options whose values are texts, and that jobs may set: files, for example.
    pub texts: Vec<String>,
    /// The program prints its signature when it is called with `bench`.
    pub bench: bool,
    /// What it proves to be, where its owner knows better.
    pub proof: Option<String>,
}

/// More games at once than any machine plays.
const MOST_GAMES: usize = crate::messages::MOST_BUSY;

/// Whether a word can name an engine in a job: never a path.
pub(crate) fn is_engine_name(word: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:".contains(&b);
    (1..=64).contains(&word.len()) && word.bytes().all(plain) && !word.starts_with('.')
}

impl WorkerConfig {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ClusterError> {
        let wrong = |why: String| ClusterError::Input(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let mut config = Self::from_toml(&text).map_err(wrong)?;
        for folder in &config.syzygy {
            // Else it would be found out in the middle of a game.
            std::fs::read_dir(folder)
                .map_err(|error| wrong(format!("syzygy: {}: {error}", folder.display())))?;
        }
        // Programs are looked for from the file, not from where we were started.
        if let Some(folder) = path.parent().and_then(|f| std::path::absolute(f).ok()) {
            for engine in config.engine.values_mut() {
                if engine.cmd.components().count() > 1 && engine.cmd.is_relative() {
                    engine.cmd = folder.join(&engine.cmd);
                }
            }
        }
        Ok(config)
    }

    /// Reads a text.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        if let Some(games) = config.concurrency
            && !(1..=MOST_GAMES).contains(&games)
        {
            return Err(format!(
                "concurrency = {games}: a number from 1 to {MOST_GAMES} is needed"
            ));
        }
        if config.speed == Some(0) {
            return Err("speed = 0 plays no game; leave it out, and it is measured".into());
        }
        if config
            .name
            .as_ref()
            .is_some_and(|name| name.trim().is_empty())
        {
            return Err("name = \"\" is none; leave it out, and it is the machine's".into());
        }
        for (name, engine) in &config.engine {
            if !is_engine_name(name) {
                return Err(format!(
                    "[engine.{name:?}]: letters, digits, '-', '_', '.' and ':' make a name"
                ));
            }
            if name.split(':').next() == Some("builtin") {
                return Err("[engine.builtin]: that one is always there, and is our own".into());
            }
            if engine.cmd.as_os_str().is_empty() {
                return Err(format!("[engine.{name}]: cmd = \"PROGRAM\" is missing"));
            }
        }
        Ok(config)
    }

    /// The name in lists.
    #[must_use]
    pub fn name(&self) -> String {
        let machine = || {
            let file = std::fs::read_to_string("/etc/hostname").ok();
            let variable = || std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME"));
            file.or_else(|| variable().ok())
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
        };
        let name = self.name.clone().or_else(machine);
        let name = name.unwrap_or_else(|| "worker".into());
        name.chars().filter(|c| !c.is_control()).take(64).collect()
    }

    /// Games at once.
    pub fn capacity(&self) -> usize {
        self.concurrency.unwrap_or_else(processors).max(1)
    }

    /// How to get in: what the command line says comes first.
    #[must_use]
    pub fn access(&self, mut access: Access) -> Access {
        let nats = self.nats.clone();
        if access.url.is_empty() {
            access.url = nats.url.unwrap_or_default();
        }
        access.creds = access.creds.or(nats.creds);
        access.nkey = access.nkey.or(nats.nkey);
        access.user = access.user.or(nats.user);
        access.password = access.password.or(nats.password);
        access.token = access.token.or(nats.token);
        access.ca = access.ca.or(nats.ca);
        access.cert = access.cert.or(nats.cert);
        access.key = access.key.or(nats.key);
        access
    }

    /// Whether there is an engine of this name for a game, as far as the file says.
    pub(crate) fn has(&self, engine: &str, game: Game) -> bool {
        if builtin(engine).builtin(game) == Some(game) {
            return true;
        }
        let section = self.engine.get(engine);
        section.is_some_and(|section| match &section.games[..] {
            [] => game == Game::Chess,
            games => games.contains(&game),
        })
    }

    /// The engine of a name: what this file says, or our own program.
    pub(crate) fn spec(
        &self,
        engine: &str,
        game: Game,
        rules: &str,
        program: &Path,
    ) -> Option<EngineSpec> {
        if !self.has(engine, game) {
            return None;
        }
        let Some(section) = self.engine.get(engine) else {
            let mut spec = builtin(engine);
            spec.resolve_builtin(program, game, rules);
            return Some(spec);
        };
        let text = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Some(EngineSpec {
            command: section.cmd.clone(),
            args: section.args.clone(),
            folder: section.dir.clone(),
            init: section.init.clone(),
            options: section
                .options
                .iter()
                .map(|(name, value)| (name.clone(), Some(text(value))))
                .collect(),
            ..EngineSpec::default()
        })
    }

    /// Whether a job may set this: not a file of its choice, nor more than this
    /// machine gives.
    pub(crate) fn allows(
        &self,
        engine: &str,
        declared: &OptionList,
        settings: &Settings,
    ) -> Result<(), String> {
        let texts = self
            .engine
            .get(engine)
            .map_or(&[][..], |section| &section.texts);
        for (name, value) in settings {
            // What an engine does not have is not sent.
            let Some(option) = declared.get(name) else {
                continue;
            };
            let listed = texts
                .iter()
                .any(|text| text.eq_ignore_ascii_case(&option.name));
            if matches!(
                option.kind,
                OptionKind::Text { .. } | OptionKind::Untyped { .. }
            ) && !listed
            {
                return Err(format!(
                    "option {name} of '{engine}' is a text, and this worker's file does not list it in texts"
                ));
            }
            let number: Option<u64> = value.as_ref().and_then(|v| v.trim().parse().ok());
            for (limited, most) in [
                ("threads", self.threads.unwrap_or(1)),
                ("hash", self.hash.unwrap_or(1024)),
            ] {
                if option.name.eq_ignore_ascii_case(limited) && number.is_some_and(|n| n > most) {
                    return Err(format!(
                        "{name}={} is more than the {most} this worker gives",
                        number.unwrap_or(0)
                    ));
                }
            }
        }
        Ok(())
    }
}

fn builtin(engine: &str) -> EngineSpec {
    EngineSpec {
        command: engine.into(),
        ..EngineSpec::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        name = "attic"
        concurrency = 3
        threads = 2

        [engine.new]
        cmd = "./stockfish"
        args = ["-x"]
        options = { Hash = 64, Ponder = false }
        texts = ["SyzygyPath"]

        [engine.dog]
        cmd = "dog"
        games = ["gyges"]
    "#;

    #[test]
    fn names_become_programs_of_the_file_only() {
        let config = WorkerConfig::from_toml(FILE).unwrap();
        let program = Path::new("/opt/quadrille");
        let spec = |name, game| config.spec(name, game, "", program);
        let new = spec("new", Game::Chess).unwrap();
        assert_eq!(new.command, Path::new("./stockfish"));
        assert_eq!(new.options[0], ("Hash".into(), Some("64".into())));
        assert_eq!(new.options[1].1.as_deref(), Some("false"));
        assert!(spec("new", Game::Gyges).is_none() && spec("dog", Game::Gyges).is_some());
        let own = spec("builtin", Game::Leiser).unwrap();
        assert_eq!(
            (own.command.as_path(), &own.args[2][..]),
            (program, "leiser")
        );
        for strange in [
            "/bin/sh",
            "sh",
            "./stockfish",
            "tcp://host:1",
            "builtin:gyges",
        ] {
            assert!(spec(strange, Game::Chess).is_none(), "{strange}");
        }
        assert_eq!((config.name().as_str(), config.capacity()), ("attic", 3));
    }

    #[test]
    fn a_wrong_file_is_refused_with_a_reason() {
        for (text, why) in [
            ("concurrency = 0", "from 1 to 4096"),
            ("concurrency = 1000000", "from 1 to 4096"),
            ("speed = 0", "leave it out"),
            ("name = ' '", "leave it out"),
            ("[engine.builtin]\ncmd = 'x'", "always there"),
            ("[engine.'a/b']\ncmd = 'x'", "make a name"),
            ("[engine.a]\nargs = ['x']", "is missing"),
            ("speeed = 3", "unknown field"),
        ] {
            let error = WorkerConfig::from_toml(text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_job_names_no_file_and_takes_no_more_than_it_is_given() {
        let config = WorkerConfig::from_toml(FILE).unwrap();
        let declared: OptionList = serde_json::from_str(
            r#"[{"name":"SyzygyPath","type":"text","default":null,"value":null},
                {"name":"Debug Log File","type":"text","default":null,"value":null},
                {"name":"Hash","type":"spin","default":16,"min":1,"max":99999,"value":null},
                {"name":"Threads","type":"spin","default":1,"min":1,"max":512,"value":null}]"#,
        )
        .unwrap();
        let allowed = |name: &str, value: &str| {
            config.allows("new", &declared, &vec![(name.into(), Some(value.into()))])
        };
        assert_eq!(allowed("syzygypath", "/tables"), Ok(()));
        assert_eq!(allowed("hash", "1024"), Ok(()));
        assert_eq!(allowed("Contempt", "x"), Ok(()), "it is not sent");
        assert!(
            allowed("debug log file", "/etc/x")
                .unwrap_err()
                .contains("is a text")
        );
        assert!(
            allowed("HASH", "1025")
                .unwrap_err()
                .contains("more than the 1024")
        );
        assert!(
            allowed("Threads", "3")
                .unwrap_err()
                .contains("more than the 2")
        );
    }
}
