//! Where programs keep what belongs to a user.

use std::env;
use std::path::PathBuf;

/// The data folder, where the user names none: `$XDG_DATA_HOME/quadrille` or
/// `~/.local/share/quadrille`; on macOS `~/Library/Application Support/quadrille`, on
/// Windows `%LOCALAPPDATA%\quadrille`. `None` if the system does not say where the
/// user is at home.
pub fn data_folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    let base = if cfg!(windows) {
        variable("LOCALAPPDATA").or_else(|| variable("APPDATA"))
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library").join("Application Support"))
    } else {
        let home = || variable("HOME").map(|home| home.join(".local").join("share"));
        variable("XDG_DATA_HOME").or_else(home)
    };
    base.map(|base| base.join("quadrille"))
}
