//! An engine as the user describes it: what to start, how, and with which
//! settings. Nothing here has been started yet.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf, absolute};

use quadrille_games::Game;
use quadrille_net::{Remote, Secret, masked};
use quadrille_protocol::Dialect;
use serde::{Deserialize, Serialize};

use crate::machine::memory_mb;
pub use quadrille_client::Timeouts;
pub use quadrille_net::AddressError;

/// How to start an engine and what to tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSpec {
    /// The name in tables and records; the engine's own where it is missing.
    pub name: Option<String>,
    /// The program, or `tcp://host:port` or `tls://host:port` for an engine that
    /// waits there (see [`Remote`]).
    pub command: PathBuf,
    /// The password that stood in the address. It is not kept with the description:
    /// a description that is read back has none.
    #[serde(skip)]
    pub password: Option<Secret>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder to start it in.
    pub folder: Option<PathBuf>,
    /// Environment variables on top of ours.
    pub environment: Vec<(String, String)>,
    /// The nice level, as the operating system counts it.
    pub nice: Option<i32>,
    /// The processors it may run on; all of them where the list is empty.
    pub affinity: Vec<usize>,
    /// The dialect it speaks, where the user knows better than the handshake.
    pub dialect: Option<Dialect>,
    /// Options in the user's spelling, in the user's order. A button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Lines to send before the handshake, as they are.
    pub init: Vec<String>,
    /// Name and code for an engine that asks for registration.
    pub registration: Option<(String, String)>,
    /// The file that its standard error goes to, in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    /// What its program must prove to be on every worker that plays with it:
    /// `bench 4711`, `sha256 0f...` or a worker's own words. Without one the first
    /// worker decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<String>,
    /// Think in the opponent's time.
    pub ponder: bool,
    /// Its scores are White's, whichever side it plays; in the protocols they are the
    /// mover's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub white_pov: bool,
    /// Start a fresh process for every game.
    pub restart: bool,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

/// Where an engine is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A program to start.
    Program(PathBuf),
    /// An engine that waits on the network.
    Remote(Remote),
}

impl Address {
    /// What a command names.
    pub fn read(command: &Path) -> Result<Self, AddressError> {
        match Remote::read(&command.to_string_lossy()) {
            None => Ok(Self::Program(command.into())),
            Some(remote) => remote.map(Self::Remote),
        }
    }

    /// A name for an engine that has no other: that of the program without its
    /// folder, or the address.
    pub fn name(&self) -> String {
        match self {
            Self::Program(program) => {
                let stem = program.file_stem().unwrap_or(program.as_os_str());
                stem.to_string_lossy().into_owned()
            }
            Self::Remote(Remote { host, port, .. }) => format!("{host}:{port}"),
        }
    }
}

impl EngineSpec {
    /// What the user should know about the settings before anything is started.
    pub fn warning(&self) -> Option<String> {
        if let Ok(Address::Remote(remote)) = self.address()
            && remote.shows_password()
        {
            return Some(format!(
                "{remote}: the password goes over the network as it is; write tls:// where the \
                 other side can do that"
            ));
        }
        let memory = memory_mb()?;
        let hash = |(name, value): &(String, Option<String>)| {
            let wanted: u64 = value.as_ref()?.trim().parse().ok()?;
            (name.eq_ignore_ascii_case("hash") && wanted > memory).then_some(wanted)
        };
        let wanted = self.options.iter().find_map(hash)?;
        Some(format!(
            "{}: Hash={wanted} is more than the {memory} MB of memory here; an engine that \
             does not take less will be killed",
            self.name
                .clone()
                .unwrap_or_else(|| self.command.display().to_string())
        ))
    }

    /// Takes the password out of the address, so that the address can be shown and
    /// written down. Wherever a user names an engine this must be done first.
    pub fn seal(&mut self) {
        let text = self.command.to_string_lossy();
        match Remote::read(&text) {
            Some(Ok(mut remote)) => {
                if let Some(password) = remote.take_password() {
                    self.command = remote.to_string().into();
                    self.password = Some(password);
                }
            }
            // It will be told that this is none.
            Some(Err(_)) => self.command = masked(&text).into(),
            None => {}
        }
    }

    /// Where the engine is.
    pub fn address(&self) -> Result<Address, AddressError> {
        Address::read(&self.command)
    }

    /// The game of the engine that is meant by the command `builtin`, or by
    /// `builtin:leiser` and the like; `None` for any other command.
    pub fn builtin(&self, game: Game) -> Option<Game> {
        let command = self.command.to_str()?;
        match command.split_once(':') {
            Some(("builtin", word)) => word.parse().ok(),
            None if command == "builtin" => Some(game),
            _ => None,
        }
    }

    /// Where `builtin` is named, puts a program in its place that is an engine
    /// when it is called with `engine --game NAME`. The game is the one that is
    /// played, the rules those of that game.
    pub fn resolve_builtin(&mut self, program: &Path, game: Game, rules: &str) {
        let Some(game) = self.builtin(game) else {
            return;
        };
        let mut args = vec!["engine".into(), "--game".into(), game.name().into()];
        // Chess engines are told of Chess960 by their option.
        if !rules.is_empty() && game != Game::Chess {
            args.extend(["--rules".into(), rules.into()]);
        }
        args.append(&mut self.args);
        self.command = program.into();
        self.args = args;
    }

    /// The program within the folder that it is started in, as fastchess joins `dir` and
    /// `cmd`; for a path also where nothing is, so that an error names that place.
    fn program_in_folder(&self) -> Option<PathBuf> {
        let folder = self
            .folder
            .as_ref()
            .filter(|_| self.command.is_relative())?;
        let inside = folder.join(&self.command);
        let path = self.command.components().count() > 1 && !self.command.exists();
        (inside.is_file() || path).then_some(inside)
    }

    /// Makes paths independent of the folder this process was started in. A
    /// plain name stays, to be looked for in the search path.
    pub fn make_absolute(&mut self) -> io::Result<()> {
        let address = self.address();
        if let Ok(Address::Remote(mut remote)) = address.clone() {
            remote.make_absolute()?;
            if address != Ok(Address::Remote(remote.clone())) {
                self.command = remote.to_string().into();
            }
        }
        if matches!(address, Ok(Address::Program(_))) {
            let named = self.command.components().count() > 1;
            match self.program_in_folder() {
                Some(inside) => self.command = absolute(inside)?,
                None if named => self.command = absolute(&self.command)?,
                None => {}
            }
        }
        for path in [&mut self.folder, &mut self.stderr].into_iter().flatten() {
            *path = absolute(&*path)?;
        }
        Ok(())
    }
}

/// Where distributions put games, and what the search path of a user or of a
/// service often lacks.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// A plain name that is not in the search path, but where distributions put
/// games, with its folder; every other command as it is.
pub(crate) fn located(command: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let games = GAMES.iter().map(PathBuf::from);
    located_in(command, std::env::split_paths(&path), games)
}

/// Where a program is: a path, or a name on the search path or where distributions put games.
pub(crate) fn find_program(command: &Path) -> io::Result<PathBuf> {
    let command = located(command);
    let with_ending = |plain: PathBuf| {
        let ending = plain.with_added_extension(std::env::consts::EXE_EXTENSION);
        [plain, ending]
    };
    if command.components().count() > 1 {
        let found = with_ending(command.clone())
            .into_iter()
            .find(|p| p.exists());
        return Ok(found.unwrap_or(command));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| with_ending(folder.join(&command)))
        .find(|path| path.is_file());
    found.ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn located_in(
    command: &Path,
    path: impl Iterator<Item = PathBuf>,
    games: impl Iterator<Item = PathBuf>,
) -> PathBuf {
    let is_there = |folder: PathBuf| {
        let program = folder.join(command);
        program.is_file().then_some(program)
    };
    let is_name = command.components().count() == 1;
    if !is_name || path.into_iter().find_map(is_there).is_some() {
        return command.into();
    }
    games
        .into_iter()
        .find_map(is_there)
        .unwrap_or(command.into())
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => program.display().fmt(f),
            Self::Remote(remote) => remote.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_where_distributions_put_them() {
        let [path, games] = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
        let located = |command: &str| {
            let folder = |folder: &tempfile::TempDir| std::iter::once(folder.path().into());
            located_in(Path::new(command), folder(&path), folder(&games))
        };
        let fish = games.path().join("fish");
        std::fs::write(&fish, "").expect("a file");
        assert_eq!(located("fish"), fish);
        assert_eq!(located("./fish"), Path::new("./fish"));
        assert_eq!(located("shark"), Path::new("shark"));
        std::fs::write(path.path().join("fish"), "").expect("a file");
        assert_eq!(
            located("fish"),
            Path::new("fish"),
            "the search path is first"
        );
    }

    fn address(command: &str) -> Result<Address, AddressError> {
        Address::read(Path::new(command))
    }

    #[test]
    fn an_engine_is_a_program_or_a_place_on_the_network() {
        let tcp = |host: &str, port| {
            Ok(Address::Remote(Remote {
                host: host.into(),
                port,
                tls: None,
                login: None,
            }))
        };
        assert_eq!(address("tcp://localhost:4711"), tcp("localhost", 4711));
        assert_eq!(address("tcp://127.0.0.1:1"), tcp("127.0.0.1", 1));
        assert_eq!(address("tcp://[::1]:65535"), tcp("::1", 65535));
        for command in ["stockfish", "./tcp", "/usr/games/toga2", "tcp:x"] {
            assert_eq!(address(command), Ok(Address::Program(command.into())));
        }
        for command in [
            "tcp://",
            "tcp://host",
            "tcp://host:",
            "tcp://host:0",
            "tcp://host:65536",
            "tcp://:4711",
            "tcp://::1:4711",
            "tcp://[::1:4711",
            "tcp://a b:4711",
            "tcp://host:4711/",
        ] {
            let error = address(command).expect_err(command);
            assert_eq!(error.text, command);
            assert!(error.to_string().contains("write tcp://HOST:PORT"));
        }
    }

    #[test]
    fn an_address_is_written_as_it_is_read() {
        for command in ["tcp://localhost:4711", "tcp://[::1]:4711", "a/b/c"] {
            let read = address(command).map(|address| address.to_string());
            assert_eq!(read.as_deref(), Ok(command));
        }
    }

    #[test]
    fn our_own_engines_have_names() {
        let resolved = |command: &str, rules: &str| {
            let mut spec = EngineSpec {
                command: command.into(),
                ..EngineSpec::default()
            };
            spec.resolve_builtin(Path::new("/q"), Game::Leiser, rules);
            (spec.command, spec.args.join(" "))
        };
        let own = |args: &str| ("/q".into(), args.to_owned());
        assert_eq!(resolved("builtin", ""), own("engine --game leiser"));
        let year = own("engine --game leiser --rules 2016");
        assert_eq!(resolved("builtin", "2016"), year);
        assert_eq!(
            resolved("builtin:chess", "2016"),
            own("engine --game chess")
        );
        assert_eq!(
            resolved("stockfish", ""),
            ("stockfish".into(), String::new())
        );
        assert_eq!(
            resolved("builtin:go", ""),
            ("builtin:go".into(), String::new())
        );
    }

    #[test]
    fn only_paths_are_made_absolute() {
        let absolute = |command: &str, folder: Option<&str>| {
            let mut spec = EngineSpec {
                command: command.into(),
                folder: folder.map(Into::into),
                ..EngineSpec::default()
            };
            spec.make_absolute().expect("there is a current folder");
            (spec.command, spec.folder)
        };
        let here = std::env::current_dir().expect("there is a current folder");
        assert_eq!(absolute("stockfish", None), ("stockfish".into(), None));
        let network = "tcp://localhost:4711";
        assert_eq!(absolute(network, None), (network.into(), None));
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("a name");
        std::fs::write(folder.path().join("engine"), "").expect("a file");
        for command in ["engine", "./engine"] {
            let (command, _) = absolute(command, Some(place));
            assert_eq!(command, folder.path().join("engine"));
        }
        assert_eq!(
            absolute("another", Some(place)).0,
            Path::new("another"),
            "what is not there is looked for in the search path"
        );
        let (command, folder) = absolute("./no-such-engine", Some("no-such-folder"));
        assert_eq!(folder, Some(here.join("no-such-folder")));
        assert_eq!(command, here.join("no-such-folder/no-such-engine"));
    }
}
