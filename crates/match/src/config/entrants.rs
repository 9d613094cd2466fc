//! From drafts of engines to the participants of a match.

use core::time::Duration;
use std::path::Path;

use quadrille_client::time_control::TimeControl;
use quadrille_games::Game;
use quadrille_protocol::Dialect;

use super::description::Entrant;
use super::draft::{Arguments, Draft, EngineDraft};
use super::error::ConfigError;
use quadrille_driver::spec::{Address, EngineSpec, Timeouts};

/// More engines than any event has.
const MOST_ENGINES: usize = 1000;

impl Draft {
    /// Returns who plays: every engine with what was said of all, and a name of its own.
    pub(super) fn entrants(&self) -> Result<Vec<Entrant>, ConfigError> {
        let number = self.engines.len();
        if number < 2 {
            return Err(ConfigError::new(format!(
                "a match needs two engines, and there {}",
                if number == 1 { "is one" } else { "are none" }
            ))
            .hint("name each with -engine cmd=PROGRAM, or with [[engine]] in a file; 'builtin' is our own"));
        }
        if number > MOST_ENGINES {
            return Err(ConfigError::new(format!(
                "more than {MOST_ENGINES} engines"
            )));
        }
        if self.each.name.is_some() {
            return Err(ConfigError::new("all engines would have the same name")
                .hint("give names to single engines, not to each"));
        }
        let mut list: Vec<Entrant> = Vec::with_capacity(number);
        for (i, engine) in self.engines.iter().enumerate() {
            let engine = engine.clone().over(&self.each);
            let wanted = match (&engine.name, &engine.cmd) {
                (_, None) => None,
                (_, Some(cmd)) if cmd.as_os_str().is_empty() => None,
                (Some(name), _) => Some(name.trim().to_owned()),
                (None, Some(cmd)) => Some(name_of_program(cmd)),
            };
            let Some(wanted) = wanted else {
                let name = engine
                    .name
                    .map_or_else(String::new, |name| format!(" ('{name}')"));
                let message = format!("engine {}{name} has no command", i + 1);
                return Err(ConfigError::new(message).hint("say what to start with cmd=PROGRAM"));
            };
            if wanted.is_empty() || wanted.chars().any(char::is_control) {
                let message = format!("the name of engine {} cannot be printed", i + 1);
                return Err(ConfigError::new(message));
            }
            let taken = |name: &str| list.iter().any(|other| other.name() == name);
            if engine.name.is_some() && taken(&wanted) {
                let message = format!("two engines have the name '{wanted}'");
                return Err(ConfigError::new(message).hint("tables need different names"));
            }
            let name = (1..=number)
                .map(|copy| match copy {
                    1 => wanted.clone(),
                    _ => format!("{wanted}-{copy}"),
                })
                .find(|name| !taken(name))
                .unwrap_or_default();
            list.push(engine.finish(name)?);
        }
        Ok(list)
    }
}

impl EngineDraft {
    fn timeouts(&self) -> Timeouts {
        let usual = Timeouts::default();
        let or = |millis: Option<u64>, usual| millis.map_or(usual, Duration::from_millis);
        Timeouts {
            startup: or(self.startup_ms, usual.startup),
            ping: or(self.ping_ms, usual.ping),
            new_game: or(self.new_game_ms, usual.new_game),
            stop: or(self.stop_ms, usual.stop),
            quit: or(self.quit_ms, usual.quit),
            ..usual
        }
    }

    /// Clock and limits together.
    fn time(&self, name: &str) -> Result<TimeControl, ConfigError> {
        let error = |why: String| ConfigError::new(format!("engine '{name}': {why}"));
        let mut time = self.tc.clone().unwrap_or_default();
        if let Some(seconds) = self.st {
            let good = seconds.is_finite() && (0.001..=1e8).contains(&seconds);
            if !good {
                return Err(error(format!(
                    "st is {seconds}, but a move needs some time"
                )));
            }
            time.move_time = Some(Duration::from_millis((seconds * 1000.0).round() as u64));
        }
        time.nodes = self.nodes.or(time.nodes);
        time.depth = self.depth.or(time.depth);
        if time.nodes == Some(0) || time.depth == Some(0) {
            return Err(error("nodes and depth must be above zero".into()));
        }
        if time.is_unlimited() {
            return Err(error("it may think for ever".into()).hint(
                "give it tc=10+0.1, st=1, nodes=10000 or depth=8, or all of them with -each",
            ));
        }
        let factor = self.handicap.unwrap_or(1.0);
        if !(factor.is_finite() && (0.001..=1000.0).contains(&factor)) {
            return Err(error(format!("handicap is {factor}"))
                .hint("0.5 gives half the time, 2 gives twice the time"));
        }
        Ok(if self.handicap.is_some() {
            time.scaled(factor)
        } else {
            time
        })
    }

    /// An engine that must answer at once never would: fastchess waits for ever then, and
    /// nothing here does.
    fn check_timeouts(&self, name: &str) -> Result<(), ConfigError> {
        let given = [
            ("startup-ms", self.startup_ms),
            ("ucinewgame-ms", self.new_game_ms),
            ("ping-ms", self.ping_ms),
            ("stop-ms", self.stop_ms),
        ];
        match given.iter().find(|(_, millis)| *millis == Some(0)) {
            None => Ok(()),
            Some((word, _)) => Err(ConfigError::new(format!(
                "engine '{name}': {word} is 0, and nothing answers at once"
            ))
            .hint("name the milliseconds to wait at most, or leave it out")),
        }
    }

    /// A name of our own engines that none of them has would be taken for a
    /// program that is not there.
    fn check_builtin(&self, name: &str) -> Result<(), ConfigError> {
        let command = self.cmd.as_ref().and_then(|cmd| cmd.to_str());
        match command.and_then(|cmd| cmd.strip_prefix("builtin:")) {
            Some(game) if game.parse::<Game>().is_err() => {
                let message = format!("engine '{name}': there is no game '{game}'");
                Err(ConfigError::new(message)
                    .hint("choose builtin:chess, :liberty, :leiser or :gyges, or plain builtin"))
            }
            _ => Ok(()),
        }
    }

    /// An engine on the network is not started here, so nothing can be said about
    /// how to start it.
    fn check_address(&self, name: &str) -> Result<(), ConfigError> {
        let error = |why: String| ConfigError::new(format!("engine '{name}': {why}"));
        let command = self.cmd.clone().unwrap_or_default();
        let address = match Address::read(&command) {
            Ok(Address::Program(_)) => return Ok(()),
            Ok(address) => address,
            Err(wrong) => return Err(error(wrong.to_string())),
        };
        let given = [
            ("args", self.args.is_some()),
            ("dir", self.dir.is_some()),
            ("env", !self.env.0.is_empty()),
            ("nice", self.nice.is_some()),
            ("affinity", self.affinity.is_some()),
            ("stderr", self.stderr.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((word, _)) => Err(error(format!(
                "{word} is for programs that are started here, and {address} is not"
            ))
            .hint("leave it out for this engine, and set it where the engine runs")),
        }
    }

    fn finish(&self, name: String) -> Result<Entrant, ConfigError> {
        let time = self.time(&name)?;
        let dialect = match self.proto.as_deref() {
            None => None,
            Some(word) => Some(dialect(word).ok_or_else(|| {
                ConfigError::new(format!("engine '{name}': unknown protocol '{word}'"))
                    .hint("choose uci, ulci, leiser or ugi, or leave it out")
            })?),
        };
        self.check_builtin(&name)?;
        self.check_address(&name)?;
        self.check_timeouts(&name)?;
        let mut entrant = Entrant {
            time,
            margin: Duration::from_millis(self.timemargin.unwrap_or(0)),
            spec: EngineSpec {
                password: None,
                command: self.cmd.clone().unwrap_or_default(),
                args: self
                    .args
                    .as_ref()
                    .map_or(Ok(Vec::new()), Arguments::split)?,
                folder: self.dir.clone(),
                environment: self.env.0.clone(),
                nice: self.nice,
                affinity: self.affinity.clone().unwrap_or_default(),
                dialect,
                options: self.options.0.clone(),
                init: self.init.clone().unwrap_or_default(),
                registration: self.registration.clone(),
                stderr: self.stderr.clone(),
                bench: self
                    .bench
                    .as_deref()
                    .map(signature)
                    .transpose()
                    .map_err(|why| ConfigError::new(format!("engine '{name}': {why}")))?,
                ponder: self.ponder.unwrap_or(false),
                white_pov: self.white_pov.unwrap_or(false),
                restart: self.restart.unwrap_or(false),
                timeouts: self.timeouts(),
                name: Some(name),
            },
        };
        entrant.spec.seal();
        Ok(entrant)
    }
}

/// A signature in the form in which workers tell it: `bench 4711`, `sha256 0f...`, or
/// the words of a worker's `proof`.
fn signature(text: &str) -> Result<String, String> {
    let text = text.trim();
    let digits = text.replace([',', '_'], "");
    if let Ok(nodes) = digits.parse::<u64>() {
        return Ok(format!("bench {nodes}"));
    }
    if let Some(sum) = text.strip_prefix("sha256:") {
        let sum = sum.replace(':', "").to_ascii_lowercase();
        if sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(format!("sha256 {sum}"));
        }
        return Err(format!(
            "bench={text}: sha256: is followed by the 64 hexadecimal digits of the program's sum"
        ));
    }
    if text.is_empty() {
        return Err("bench= names no signature: write the nodes of its bench, bench=4711".into());
    }
    Ok(text.into())
}

/// Our own engine can be asked for a game that is not played.
pub(super) fn check_games(engines: &[Entrant], game: Game) -> Result<(), ConfigError> {
    let other = |entrant: &&Entrant| entrant.spec.builtin(game).is_some_and(|own| own != game);
    let Some(entrant) = engines.iter().find(other) else {
        return Ok(());
    };
    let (name, own) = (entrant.name(), entrant.spec.builtin(game).unwrap_or(game));
    let message = format!("engine '{name}' plays {own}, and the match is one of {game}");
    Err(ConfigError::new(message).hint(format!("write cmd=builtin, or -game {own}")))
}

fn dialect(word: &str) -> Option<Dialect> {
    match word.to_ascii_lowercase().as_str() {
        "uci" => Some(Dialect::Uci),
        "ulci" => Some(Dialect::Ulci),
        "leiser" | "leiserchess" => Some(Dialect::Leiser),
        "ugi" => Some(Dialect::Ugi),
        _ => None,
    }
}

fn name_of_program(cmd: &Path) -> String {
    let name = match Address::read(cmd) {
        Ok(address) => address.name(),
        Err(error) => error.text,
    };
    name.trim().to_owned()
}
