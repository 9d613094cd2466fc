//! Files that reports go to. They are opened before the check and written after it:
//! a check takes a minute, and a misspelt folder should not cost one.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use quadrille_host::check::{Report, output};
use quadrille_protocol::Severity;

use super::Arguments;
use crate::failure::Failure;

/// A file that a report goes to.
pub(super) struct Sheet {
    path: PathBuf,
    file: File,
    /// What is there stays.
    behind: bool,
}

impl Sheet {
    /// One whose contents are replaced, at the end.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        Self::with(path, false)
    }

    /// One that is written behind what is there.
    pub(super) fn append(path: &Path) -> Result<Self, Failure> {
        Self::with(path, true)
    }

    fn with(path: &Path, behind: bool) -> Result<Self, Failure> {
        let mut options = File::options();
        options.create(true).append(behind).write(true);
        let file = options.truncate(false).open(path);
        let file = file.map_err(|error| Failure::input(unwritable(path, &error)))?;
        Ok(Self {
            path: path.into(),
            file,
            behind,
        })
    }

    pub(super) fn write(mut self, text: &str) -> Result<(), Failure> {
        // Devices and pipes hold nothing that could be replaced.
        let replaced = match self.file.metadata() {
            Ok(known) if known.is_file() && !self.behind => self.file.set_len(0),
            _ => Ok(()),
        };
        replaced
            .and_then(|()| self.file.write_all(text.as_bytes()))
            .map_err(|error| Failure::machine(unwritable(&self.path, &error)))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// The files that are wanted beside the report that is read.
pub(super) struct Files {
    junit: Option<Sheet>,
    sarif: Option<Sheet>,
    html: Option<Sheet>,
}

impl Files {
    pub(super) fn open(arguments: &Arguments) -> Result<Self, Failure> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Sheet::open).transpose();
        Ok(Self {
            junit: open(&arguments.junit)?,
            sarif: open(&arguments.sarif)?,
            html: open(&arguments.html)?,
        })
    }

    pub(super) fn write(self, arguments: &Arguments, report: &Report) -> Result<(), Failure> {
        if let Some(sheet) = self.junit {
            let from = arguments.fail_on.severity().unwrap_or(Severity::Error);
            sheet.write(&output::junit(report, from))?;
        }
        if let Some(sheet) = self.sarif {
            sheet.write(&output::sarif(report, &arguments.sarif_file))?;
        }
        if let Some(sheet) = self.html {
            sheet.write(&output::html(report))?;
        }
        Ok(())
    }
}
