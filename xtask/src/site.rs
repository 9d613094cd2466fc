//! The page without a server: a folder of files for any web server, with the engines
//! and the desk as WebAssembly, everything kept in the browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Outcome, cargo, install_target, root, run, succeeds, target};

const TARGET: &str = "wasm32-unknown-unknown";
/// What lies in `desk/` beside the page, and where it comes from.
const SCRIPTS: [&str; 7] = [
    "engine.mjs",
    "desk.mjs",
    "site/worker.js",
    "site/leader.mjs",
    "site/engine-worker.js",
    "site/store.mjs",
    "site/offline.js",
];

/// Builds the site into a folder, instead of what is there.
pub(crate) fn build(out: &Path) -> Outcome {
    // Vite runs in its own folder and empties the one it is given.
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let out = here.join(out);
    check_folder(&out)?;
    install_target(TARGET)
        .map_err(|why| format!("{why}. The engines need it: rustup target add {TARGET}"))?;
    run(cargo(&format!(
        "build --profile wasm --target {TARGET} --package quadrille-wasm"
    )))?;
    build_page(&out)?;
    let desk = out.join("desk");
    fs::create_dir_all(&desk).map_err(|error| failed(&desk, &error))?;
    let scripts = root().join("crates/wasm/js");
    for script in SCRIPTS {
        let name = script.rsplit('/').next().unwrap_or(script);
        copy(&scripts.join(script), &desk.join(name))?;
    }
    let module = target().join(TARGET).join("wasm/quadrille_wasm.wasm");
    copy(&module, &desk.join("quadrille.wasm"))?;
    stand_alone(&out.join("index.html"))?;
    write_offline(&out, &scripts.join("site/sw.js"))?;
    eprintln!("xtask: the page is in {}", out.display());
    eprintln!(
        "xtask: any web server will do: python3 -m http.server -d {}",
        out.display()
    );
    Ok(())
}

/// Refuses a folder with other things in it, because it is emptied.
fn check_folder(out: &Path) -> Outcome {
    let Ok(mut entries) = fs::read_dir(out) else {
        return Ok(());
    };
    if entries.next().is_none() || out.join("desk/quadrille.wasm").is_file() {
        return Ok(());
    }
    Err(format!(
        "{} is not empty and no site of ours: choose another folder",
        out.display()
    ))
}

/// Vite, with what it needs.
fn build_page(out: &Path) -> Outcome {
    let ui = root().join("crates/web/ui");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !succeeds(Command::new(npm).arg("--version")) {
        return Err("the page is built with npm, which is not on the path: install Node.js".into());
    }
    if !ui.join("node_modules/.bin/vite").exists() {
        let mut install = Command::new(npm);
        install
            .args(["ci", "--no-audit", "--no-fund"])
            .current_dir(&ui);
        run(install)?;
    }
    let mut vite = Command::new(npm);
    vite.args(["run", "build", "--", "--emptyOutDir", "--outDir"])
        .arg(out)
        // A web server of any kind compresses by itself, and what is changed below would
        // differ from its compressed copy.
        .env("QUADRILLE_PLAIN", "1")
        .current_dir(&ui);
    run(vite)
}

/// Says in the page that there is no server, and keeps it for times offline.
fn stand_alone(index: &Path) -> Outcome {
    let text = fs::read_to_string(index).map_err(|error| failed(index, &error))?;
    let script = "<script type=\"module\" src=\"./desk/offline.js\"></script>\n  </head>";
    let marked = text
        .replacen("<html ", "<html data-alone ", 1)
        .replacen("</head>", script, 1);
    if !marked.contains("data-alone") || !marked.contains("offline.js") {
        return Err(format!("{}: no <html ...> and </head>", index.display()));
    }
    fs::write(index, marked).map_err(|error| failed(index, &error))
}

/// The service worker, with the list of all files and a version that follows from
/// what is in them.
fn write_offline(out: &Path, script: &Path) -> Outcome {
    let mut files = Vec::new();
    gather(out, "", &mut files)?;
    files.sort();
    // FNV-1a: another version needs another name, nothing more.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (name, path) in &files {
        let bytes = fs::read(path).map_err(|error| failed(path, &error))?;
        for byte in name.bytes().chain(bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let names = files.iter().map(|(name, _)| format!("\"./{name}\""));
    let list = std::iter::once("\"./\"".to_owned()).chain(names);
    let list = list.collect::<Vec<_>>().join(", ");
    let text = fs::read_to_string(script).map_err(|error| failed(script, &error))?;
    let text = text
        .replace("@VERSION@", &format!("quadrille-{hash:016x}"))
        .replace("/*@FILES@*/", &list);
    let path = out.join("sw.js");
    fs::write(&path, text).map_err(|error| failed(&path, &error))
}

fn gather(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> Outcome {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(folder, &error))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            gather(&path, &format!("{name}/"), files)?;
        } else if name != "sw.js" {
            files.push((name, path));
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map_err(|error| failed(from, &error))?;
    Ok(())
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
