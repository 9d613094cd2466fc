//! The messages between page and server as TypeScript, generated from Rust. That the
//! committed file is not stale is one of the ordinary tests (`quadrille-desk`,
//! `types`).

use crate::steps::{Outcome, cargo, read, root};

const PAGE: &str = "crates/web/ui/src/lib/wire.gen.ts";

/// Writes the file.
pub(crate) fn write() -> Outcome {
    let text = read(cargo(
        "run --quiet --package quadrille-desk --features ts --example types",
    ))?;
    let path = root().join(PAGE);
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(&path, text).map_err(failed)?;
    eprintln!("xtask: wrote {PAGE}");
    Ok(())
}
