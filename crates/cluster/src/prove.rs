//! Before a worker plays: what its engines are, and how fast it is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use quadrille_driver::Engine;
use quadrille_driver::spec::EngineSpec;
use quadrille_games::Game;
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use crate::config::WorkerConfig;
use crate::error::ClusterError;
use crate::messages::Offer;

/// How long a program may take for its signature or its speed.
const PATIENCE: Duration = Duration::from_mins(5);
/// More than any program prints there.
const MOST_OUTPUT: u64 = 4 << 20;
/// How deep the built-in engine searches for its signature: soon done in every
/// game.
const DEPTH: &str = "4";

/// Starts an engine once, hears what it is, and finds its signature.
pub(crate) async fn prove(
    config: &WorkerConfig,
    program: &Path,
    engine: &str,
    game: Game,
) -> Result<Offer, String> {
    let spec = config.spec(engine, game, "", program);
    let spec = spec.ok_or_else(|| format!("it has no engine '{engine}' for {game}"))?;
    let wrong = |why: String| format!("engine '{engine}': {why}");
    let mut running = Engine::start(&spec, game)
        .await
        .map_err(|error| wrong(error.to_string()))?;
    let identity = running.identity().clone();
    let options = running.options().clone();
    running.quit().await;
    let section = config.engine.get(engine);
    let proof = match section {
        None => {
            let words = ["bench", "--game", game.name(), "--depth", DEPTH, "--json"];
            let text = output(program, &words, None).await.map_err(wrong)?;
            let nodes = json_number(&text, "nodes");
            let nodes = nodes.ok_or_else(|| wrong("its bench prints no nodes".into()))?;
            format!("bench {nodes}")
        }
        Some(section) => match (&section.proof, section.bench) {
            (Some(proof), _) => proof.clone(),
            (None, true) => {
                let text = output(&spec.command, &["bench"], spec.folder.as_deref()).await;
                let nodes = signature(&text.map_err(wrong)?);
                let nodes = nodes.ok_or_else(|| {
                    wrong(
                        "bench = true, but it prints no number of nodes when called with bench"
                            .into(),
                    )
                })?;
                format!("bench {nodes}")
            }
            (None, false) => digest(&spec).map_err(wrong)?,
        },
    };
    Ok(Offer {
        engine: engine.into(),
        game,
        identity,
        options,
        proof,
    })
}

/// Nodes a second of the built-in engine when so many searches run at once.
pub async fn measure_speed(program: &Path, at_once: usize) -> Result<u64, ClusterError> {
    let failed = |why: String| ClusterError::Engine {
        name: "builtin".into(),
        why,
    };
    let mut searches = tokio::task::JoinSet::new();
    let at_once = at_once.clamp(1, 256);
    for _ in 0..at_once {
        let program = program.to_owned();
        searches.spawn(async move {
            output(&program, &["bench", "--game", "chess", "--json"], None).await
        });
    }
    let mut sum = 0;
    while let Some(done) = searches.join_next().await {
        let text = done
            .map_err(|error| failed(error.to_string()))?
            .map_err(failed)?;
        let nps = json_number(&text, "nps");
        sum += nps.ok_or_else(|| failed("its bench prints no speed".into()))?;
    }
    Ok((sum / at_once as u64).max(1))
}

/// What a program of ours prints.
async fn output(program: &Path, words: &[&str], folder: Option<&Path>) -> Result<String, String> {
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    let mut child = command.spawn().map_err(failed)?;
    let mut text = Vec::new();
    let mut errors = Vec::new();
    let both = async {
        let out = child.stdout.take();
        let err = child.stderr.take();
        let read_out = async {
            match out {
                Some(out) => out.take(MOST_OUTPUT).read_to_end(&mut text).await,
                None => Ok(0),
            }
        };
        // Some engines print their nodes there.
        let read_err = async {
            match err {
                Some(err) => err.take(MOST_OUTPUT).read_to_end(&mut errors).await,
                None => Ok(0),
            }
        };
        let (out, err) = tokio::join!(read_out, read_err);
        out.and(err)?;
        child.wait().await
    };
    match tokio::time::timeout(PATIENCE, both).await {
        Ok(done) => drop(done.map_err(failed)?),
        Err(_) => {
            return Err(format!(
                "no answer to {words:?} within {} s",
                PATIENCE.as_secs()
            ));
        }
    }
    text.push(b'\n');
    text.append(&mut errors);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn json_number(text: &str, field: &str) -> Option<u64> {
    let objects = text
        .lines()
        .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    objects
        .filter_map(|object| object.get(field)?.as_u64())
        .next_back()
}

/// The number of nodes that a bench prints: `Nodes searched  : 1234`, or
/// `1234 nodes 5678 nps`. The last one counts.
fn signature(text: &str) -> Option<u64> {
    let of_line = |line: &str| {
        let lower = line.to_ascii_lowercase();
        if !lower.contains("node") || lower.contains("nodes/second") {
            return None;
        }
        if let Some((_, after)) = lower.split_once(':') {
            return after.trim().replace(',', "").parse().ok();
        }
        let words: Vec<&str> = lower.split_whitespace().collect();
        let at = words.iter().position(|word| word.starts_with("node"))?;
        words.get(at.checked_sub(1)?)?.parse().ok()
    };
    text.lines().filter_map(of_line).next_back()
}

/// The SHA-256 of a program's file.
fn digest(spec: &EngineSpec) -> Result<String, String> {
    use std::io::Read;
    let path = find(&spec.command);
    let path =
        path.ok_or_else(|| format!("{}: there is no such program", spec.command.display()))?;
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut file = std::fs::File::open(&path).map_err(failed)?;
    let mut context = ring::digest::Context::new(&ring::digest::SHA256);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk).map_err(failed)? {
            0 => break,
            count => context.update(&chunk[..count]),
        }
    }
    let mut hex = String::from("sha256 ");
    for byte in context.finish().as_ref() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    Ok(hex)
}

/// A path, or a name on the search path.
fn find(command: &Path) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return command.is_file().then(|| command.to_owned());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let games = ["/usr/games", "/usr/local/games"].map(PathBuf::from);
    let all = std::env::split_paths(&folders).chain(games);
    all.map(|folder| folder.join(command))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_in_the_forms_there_are() {
        for (text, wanted) in [
            (
                "Total time (ms) : 12\nNodes searched  : 1,234,567\nNodes/second    : 99\n",
                Some(1234567),
            ),
            ("info depth 3\n4711 nodes 1000000 nps\n", Some(4711)),
            ("Bench: 77 nodes, 3 nps", None),
            ("77 nodes / 3 ms", Some(77)),
            ("nothing", None),
        ] {
            assert_eq!(signature(text), wanted, "{text}");
        }
    }
}
