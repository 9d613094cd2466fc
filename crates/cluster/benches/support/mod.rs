//! The program whose parts are measured.

use std::path::PathBuf;
use std::process::Command;

/// `quadrille`, built as it ships but without its page.
pub(crate) fn quadrille() -> PathBuf {
    if let Some(named) = std::env::var_os("QUADRILLE_PROGRAM") {
        return named.into();
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args([
            "build",
            "--release",
            "--package",
            "quadrille",
            "--no-default-features",
        ])
        .status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "quadrille is built"
    );
    // `target/release/deps/chaos-...`
    let own = std::env::current_exe().expect("our own path");
    let folder = own.ancestors().nth(2).expect("the folder of the profile");
    folder.join("quadrille")
}
