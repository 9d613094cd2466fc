//! `quadrille selfplay` and `quadrille data`: what is said of files, and exit codes.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{quadrille, refusal, stdout};

/// A file of Gyges games; a few blocks if it is made in several runs.
fn games(folder: &TempDir, name: &str, runs: &[&str]) -> String {
    let path = text(&folder.path().join(name));
    for games in runs {
        let made = ["--game", "gyges", "--nodes", "20", "--hash", "1"];
        let mut line = vec!["selfplay", "--out", &path, "--games", games];
        line.extend(made);
        stdout(&line);
    }
    path
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").into()
}

#[test]
fn files_are_checked_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = games(&folder, "good", &["2"]);
    let bad = games(&folder, "bad", &["1", "2"]);
    let torn = text(&folder.path().join("torn"));
    let mut bytes = fs::read(&good).expect("there");
    bytes.pop();
    fs::write(&torn, &bytes).expect("writes");
    let mut bytes = fs::read(&bad).expect("there");
    let behind = bytes.len() / 2;
    bytes[behind] ^= 1;
    fs::write(&bad, bytes).expect("writes");

    for task in ["check", "stats"] {
        let output = quadrille(&["data", task, &bad, &torn, &good]);
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(said.contains(&good), "{said}");
        assert!(errors.contains("damaged at byte"), "{errors}");
        let goes_on = errors.contains("torn behind byte");
        assert_eq!(goes_on, task == "check", "{errors}");
        assert!(errors.contains("of 3 files cannot be used"), "{errors}");
    }
    assert!(refusal(&["data", "check", &bad]).contains("damaged at byte"));
    let nowhere = text(&folder.path().join("nowhere"));
    let missing = quadrille(&["data", "check", &nowhere, &good]);
    assert_eq!(missing.status.code(), Some(2));
    let out = text(&folder.path().join("out"));
    for task in ["export", "shuffle"] {
        let refused = refusal(&["data", task, &bad, "--out", &out]);
        assert!(refused.contains("damaged at byte"), "{refused}");
        let warned = quadrille(&["data", task, &torn, "--out", &out]);
        let said = String::from_utf8(warned.stderr).expect("UTF-8");
        assert_eq!(warned.status.code(), Some(0), "{said}");
        assert!(said.contains("torn at the end"), "{said}");
    }
    let full = ["--games", "1", "--nodes", "20", "--hash", "1"];
    let mut line = vec!["selfplay", "--game", "gyges", "--out", &good];
    line.extend(full);
    assert_eq!(stdout(&line), "the file already has 2 games\n");
}

/// Whoever made a file chose its header.
#[test]
fn headers_move_no_cursor() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = text(&folder.path().join("games"));
    let header = b"game chess\nrules \x1b[2J";
    let mut bytes = b"QDGAMES1".to_vec();
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&0x9524_83a2_u32.to_le_bytes());
    bytes.extend_from_slice(header);
    fs::write(&path, bytes).expect("writes");
    let said = stdout(&["data", "stats", &path]);
    assert!(said.contains(r"\u{1b}[2J"), "{said}");
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = games(&folder, "games", &["3"]);
    let name = text(&folder.path().join("a"));
    let few = quadrille(&["data", "export", &made, "--out", &name]);
    let said = String::from_utf8(few.stderr).expect("UTF-8");
    assert!(said.contains("too few games"), "{said}");
    let rows = name.clone() + ".train.rows";
    let before = fs::read(&rows).expect("rows");
    fs::copy(&rows, name.clone() + ".valid.rows").expect("copies");
    let refused = refusal(&["data", "train", &name, "--out", &rows]);
    assert!(refused.contains("write to another one"), "{refused}");
    assert_eq!(fs::read(&rows).expect("rows"), before);

    let hidden = text(folder.path()) + "/";
    let refused = refusal(&["data", "export", &made, "--out", &hidden]);
    assert!(refused.contains("a name is needed"), "{refused}");
    let net = text(&folder.path().join("net"));
    for wrong in [["--wdl", "nan"], ["--neurons", "4096"], ["--epochs", "0"]] {
        let mut line = vec!["data", "train", &name, "--out", &net];
        line.extend(wrong);
        refusal(&line);
    }
    let nowhere = text(&folder.path().join("no/net"));
    let output = quadrille(&["data", "train", &name, "--out", &nowhere]);
    assert_eq!(output.status.code(), Some(2));
    let output = quadrille(&["data", "train", &name, "--out", &net, "--epochs", "1"]);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.starts_with("epoch 1 of 1: loss "), "{said}");
    let files = fs::read_dir(folder.path()).expect("there").count();
    assert_eq!(files, 4, "games, two of rows, a net");
}

/// They would keep us waiting for ever.
#[cfg(unix)]
#[test]
fn pipes_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = text(&folder.path().join("pipe"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    for line in [
        ["data", "stats", &pipe].as_slice(),
        &["data", "check", &pipe],
        &["data", "train", "a", "--out", &pipe],
        &["selfplay", "--game", "gyges", "--out", &pipe],
    ] {
        let refused = refusal(line);
        assert!(refused.contains("not a regular file"), "{refused}");
    }
}
