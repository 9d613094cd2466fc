//! `quadrille completions` and `quadrille man`: what shells and `man` know about
//! the command line.

use std::fs;
use std::path::PathBuf;

use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::Shell;
use quadrille_match::config::Flag;

use crate::failure::Failure;
use crate::{Cli, match_command};

/// For which shell.
#[derive(Args)]
pub(crate) struct Completions {
    /// bash, zsh, fish, elvish or powershell
    shell: Shell,
}

/// Where to.
#[derive(Args)]
pub(crate) struct Man {
    /// The folder to write a page for every command into, for instance
    /// ~/.local/share/man/man1
    folder: PathBuf,
}

/// A script for a shell.
pub(crate) fn completions(arguments: &Completions) -> String {
    let mut script = Vec::new();
    let mut command = known(false);
    clap_complete::generate(arguments.shell, &mut command, "quadrille", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes the pages and says which.
pub(crate) fn man(arguments: &Man) -> Result<String, Failure> {
    let folder = &arguments.folder;
    let failed = |error: std::io::Error| {
        Failure::machine(format!("{}: {error}", folder.display()))
            .hint("name a folder that you may write to")
    };
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(known(true), folder).map_err(failed)?;
    Ok(format!("wrote the pages into {}\n", folder.display()))
}

/// The command line with the flags of `match`, which reads them itself. A page has
/// them in its text; a list of bare names would say less.
fn known(page: bool) -> Command {
    let flag = |flag: &'static Flag| {
        let name = flag.name;
        Arg::new(name)
            .long(name)
            .help(flag.help)
            .num_args(0..)
            .hide(page)
    };
    Cli::command().mut_subcommand("match", |command| {
        let command = command.after_long_help(match_command::help_page());
        match_command::known_flags().fold(command, |command, known| command.arg(flag(known)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_knows_the_flags_of_a_match() {
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            let script = completions(&Completions { shell });
            for word in ["perft", "concurrency", "pgnout"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let arguments = Man {
            folder: folder.path().join("man1"),
        };
        man(&arguments).unwrap_or_else(|failure| panic!("{failure}"));
        let page = |name: &str| fs::read_to_string(arguments.folder.join(name));
        assert!(page("quadrille.1").is_ok_and(|text| text.contains("perft")));
        let text = page("quadrille-match.1").expect("a page");
        assert!(text.contains("Exit codes") && text.contains("concurrency"));
    }
}
