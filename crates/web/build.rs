//! Builds the page, so that it can be put into the program.
//!
//! - `QUADRILLE_PAGE_DIST=DIR`: the page that was built there; nothing is run.
//! - Without the feature `page`, and where there is no `ui` folder: a page of a few
//!   words.
//! - Otherwise `npm ci`, if the lock file is another than at the last time, and
//!   Vite. Everything built lands in the folder that cargo gives us; only
//!   `node_modules` is beside the sources.

use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// What the page is made of. Never the whole folder: `node_modules` is in it.
const INPUTS: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "vite.config.js",
    "tsconfig.json",
];

/// What compressed files are called, beside the file they stand for.
const PACKED: [&str; 2] = [".gz", ".br"];

fn main() {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let dist = PathBuf::from(variable("OUT_DIR")).join("dist");
    let ui = here.join("ui");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=placeholder");
    println!("cargo::rerun-if-env-changed=QUADRILLE_PAGE_DIST");
    let placeholder = here.join("placeholder");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        copy(&placeholder, &dist);
    } else if let Some(built) = env::var_os("QUADRILLE_PAGE_DIST") {
        let built = PathBuf::from(built);
        println!("cargo::rerun-if-changed={}", built.display());
        if !built.join("index.html").is_file() {
            let built = built.display();
            fail(&format!(
                "QUADRILLE_PAGE_DIST: there is no index.html in {built}"
            ));
        }
        copy(&built, &dist);
    } else if !ui.join("package.json").is_file() {
        // A file that is not there cannot be watched, its folder can.
        println!("cargo::rerun-if-changed=.");
        copy(&placeholder, &dist);
    } else {
        for input in INPUTS.map(|name| ui.join(name)) {
            if input.exists() {
                println!("cargo::rerun-if-changed={}", input.display());
            }
        }
        build(&ui, &dist);
    }
    if let Err(error) = list(&dist) {
        fail(&format!("cannot list {}: {error}", dist.display()));
    }
}

/// Writes a list of all files with their bytes, for the program to take in, each with
/// what the build of the page has compressed it to.
fn list(dist: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    gather(dist, "", &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for (name, path) in &files {
        if PACKED.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        let [gzip, brotli] = PACKED.map(|ending| {
            let packed = format!("{name}{ending}");
            let packed = files.iter().find(|(known, _)| *known == packed);
            match packed {
                Some((_, path)) => format!("Some(include_bytes!({path:?}))"),
                None => "None".into(),
            }
        });
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "    ({name:?}, include_bytes!({path:?}), {gzip}, {brotli}),"
        );
    }
    text.push_str("]\n");
    fs::write(dist.with_file_name("page.rs"), text)
}

fn gather(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, entry.path().display().to_string()));
        }
    }
    Ok(())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| fail(&format!("{name} is not set: run this with cargo")))
}

fn fail(words: &str) -> ! {
    for line in words.lines() {
        println!("cargo::error={line}");
    }
    exit(1);
}

fn build(ui: &Path, dist: &Path) {
    let lock = fs::read(ui.join("package-lock.json")).unwrap_or_default();
    let stamp = ui.join("node_modules").join(".quadrille-lock");
    if fs::read(&stamp).ok().as_deref() != Some(&lock[..]) {
        npm(ui, &["ci", "--no-audit", "--no-fund"]);
        if let Err(error) = fs::write(&stamp, &lock) {
            fail(&format!("cannot write {}: {error}", stamp.display()));
        }
    }
    let _ = fs::remove_dir_all(dist);
    let out = dist.display().to_string();
    npm(
        ui,
        &["run", "build", "--", "--outDir", &out, "--emptyOutDir"],
    );
    if !dist.join("index.html").is_file() {
        fail("npm run build ended without an error, but made no index.html");
    }
}

fn npm(ui: &Path, words: &[&str]) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let ran = Command::new(program).args(words).current_dir(ui).output();
    match ran {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (out, err) = (said(&output.stdout), said(&output.stderr));
            let words = words.join(" ");
            fail(&format!(
                "npm {words} in {} failed:\n{out}\n{err}",
                ui.display()
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => fail(
            "The page of `quadrille gui` is built with npm, and there is none. Either\n\
             - install Node.js 20.19 or newer (https://nodejs.org, or your system's packages), or\n\
             - build without the page: cargo build --release --no-default-features, or\n\
             - name a page that was built elsewhere: QUADRILLE_PAGE_DIST=FOLDER",
        ),
        Err(error) => fail(&format!("cannot start npm: {error}")),
    }
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    if let Err(error) = copy_folder(from, to) {
        fail(&format!(
            "cannot copy {} to {}: {error}",
            from.display(),
            to.display()
        ));
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
