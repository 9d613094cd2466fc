//! Running other programs and saying what was run.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// `Err` says which step failed and how.
pub(crate) type Outcome = Result<(), String>;

/// The root of the workspace, wherever xtask was started from.
pub(crate) fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().map_or_else(|| xtask.clone(), PathBuf::from)
}

/// The cargo that runs us, with these arguments, in the root of the workspace.
pub(crate) fn cargo(arguments: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(arguments.split_whitespace())
        .current_dir(root());
    if is_fresh() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// The same, with clippy in the compiler's place for what is ours: looking while it is
/// built costs a third of looking first and building then. What it builds is as fast as
/// tests need it.
pub(crate) fn linting(arguments: &str) -> Command {
    let mut command = cargo(arguments);
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env(
        "CLIPPY_ARGS",
        "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__",
    );
    command
}

/// Whether nothing of ours was built here before we began: then it is built for this one
/// time, and what a next time could use of it costs more than a tenth of the build.
fn is_fresh() -> bool {
    static FRESH: OnceLock<bool> = OnceLock::new();
    *FRESH.get_or_init(|| {
        let built = std::fs::read_dir(target().join("debug/incremental"));
        let is_ours = |entry: std::fs::DirEntry| {
            let name = entry.file_name();
            name.to_string_lossy().starts_with("quadrille")
        };
        !built.is_ok_and(|entries| entries.flatten().any(is_ours))
    })
}

/// Runs a step to its end and says so first.
pub(crate) fn run(mut command: Command) -> Outcome {
    eprintln!("xtask: {}", describe(&command));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", describe(&command))),
        Err(error) => Err(format!("cannot start {}: {error}", describe(&command))),
    }
}

/// Processor time that the programs we ran have taken, with all they started, where
/// the kernel says so.
pub(crate) fn processor_seconds() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which may hold anything, from the third field on; `cutime`
    // and `cstime` are the sixteenth and the seventeenth.
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: Vec<u64> = fields.skip(13).take(2).flat_map(str::parse).collect();
    // The kernel tells all programs a hundred ticks a second.
    Some(ticks.iter().sum::<u64>() / 100)
}

/// The output of a program that must succeed.
pub(crate) fn read(mut command: Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", describe(&command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "{} ended with {}: {said}",
            describe(&command),
            output.status
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program is there and does what it is asked without complaint.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Sees to it that the standard library for a target is there.
pub(crate) fn install_target(target: &str) -> Outcome {
    let is_there = || -> Result<bool, String> {
        let mut ask = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        ask.args(["--print", "target-libdir", "--target", target])
            .current_dir(root());
        Ok(PathBuf::from(read(ask)?.trim()).is_dir())
    };
    if is_there()? {
        return Ok(());
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", target]);
    run(add)?;
    if is_there()? {
        return Ok(());
    }
    Err(format!("the Rust libraries for {target} are not installed"))
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR");
    named.map_or_else(|| root().join("target"), |path| root().join(path))
}

fn describe(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let mut words = vec![
        program
            .file_name()
            .unwrap_or(program.as_os_str())
            .to_string_lossy(),
    ];
    words.extend(command.get_args().map(std::ffi::OsStr::to_string_lossy));
    words.join(" ")
}
