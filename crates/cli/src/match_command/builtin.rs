//! Our own engines by name.

use std::path::Path;

use quadrille_games::Game;
use quadrille_host::spec::EngineSpec;

/// `builtin` is this program as an engine for the game that is played,
/// `builtin:leiser` for a certain one.
pub(crate) fn resolve(spec: &mut EngineSpec, program: &Path, game: Game, rules: &str) {
    let command = spec.command.to_string_lossy();
    let wanted = match command.split_once(':') {
        Some(("builtin", word)) => word.parse().ok(),
        None if command == "builtin" => Some(game),
        _ => None,
    };
    let Some(game) = wanted else {
        return;
    };
    let mut args = vec!["engine".into(), "--game".into(), game.name().into()];
    // Chess engines are told of Chess960 by their option.
    if !rules.is_empty() && game != Game::Chess {
        args.extend(["--rules".into(), rules.into()]);
    }
    args.append(&mut spec.args);
    spec.command = program.into();
    spec.args = args;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_engines_have_names() {
        let resolved = |command: &str, rules: &str| {
            let mut spec = EngineSpec {
                command: command.into(),
                ..EngineSpec::default()
            };
            resolve(&mut spec, Path::new("/q"), Game::Leiser, rules);
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
}
