//! Whether the program of an engine is there.

use std::io;
use std::path::{Path, PathBuf};

use super::error::StartError;
use crate::spec::{Address, EngineSpec, find_program};

/// Looks for the program that a description names, without starting it: the error that a
/// start would end with if it is not there or may not be run.
pub fn check_program(spec: &EngineSpec) -> Result<(), StartError> {
    let Address::Program(program) = spec.address()? else {
        return Ok(());
    };
    let Err(source) = find_program(&program).and_then(|found| runnable(&found)) else {
        return Ok(());
    };
    Err(not_started(program, spec.folder.as_deref(), source))
}

fn runnable(program: &Path) -> io::Result<()> {
    let known = std::fs::metadata(program)?;
    #[cfg(unix)]
    let allowed = std::os::unix::fs::PermissionsExt::mode(&known.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let allowed = true;
    if known.is_file() && allowed {
        Ok(())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

/// The system says the same of a program and of a folder that is not there.
pub(super) fn not_started(
    program: PathBuf,
    folder: Option<&Path>,
    source: io::Error,
) -> StartError {
    let unusable = |folder: &Path| match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => None,
        Ok(_) => Some(io::ErrorKind::NotADirectory.into()),
        Err(error) => Some(error),
    };
    match folder.and_then(|folder| Some((folder, unusable(folder)?))) {
        Some((folder, source)) => StartError::Folder {
            program,
            folder: folder.into(),
            source,
        },
        None => StartError::Spawn { program, source },
    }
}
