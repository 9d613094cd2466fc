//! Refuses matches that would write one file for two things.

use std::path::{Path, PathBuf};

use crate::config::MatchConfig;
use quadrille_driver::spec::Address;
use quadrille_games::files::{Identity, identity, is_device};
use quadrille_store::{BESIDE, beside};

/// Two things of a match that would share a file, one of which is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{one} and {other} are the same file ({path}); name another file for one of them")]
pub struct SameFile {
    /// What is written into it.
    pub one: String,
    /// What else it is.
    pub other: String,
    /// The file.
    pub path: PathBuf,
}

/// Refuses a match in which a file that is written is also the store, the
/// book, a program or another output, under whatever name.
pub(crate) fn keep_apart(config: &MatchConfig, store: &Path) -> Result<(), SameFile> {
    let mut written = vec![("the store".to_owned(), store.to_path_buf())];
    for end in BESIDE.into_iter().chain(["-lock"]) {
        written.push((format!("the store's {end} file"), beside(store, end)));
    }
    if let Some(pgn) = &config.output.pgn {
        written.push(("-pgnout".into(), pgn.file.clone()));
    }
    if let Some(epd) = &config.output.epd {
        written.push(("-epdout".into(), epd.file.clone()));
    }
    if let Some(log) = config.output.log.as_ref().and_then(|log| log.file.as_ref()) {
        written.push(("-log".into(), log.clone()));
    }
    // Two engines may share a file for their standard error.
    let mut errors: Vec<&PathBuf> = Vec::new();
    for path in config.engines.iter().filter_map(|e| e.spec.stderr.as_ref()) {
        if !errors.contains(&path) {
            errors.push(path);
            written.push(("stderr".into(), path.clone()));
        }
    }
    let mut read = Vec::new();
    if let Some(book) = &config.schedule.openings.file {
        read.push(("the file of -openings".to_owned(), book.clone()));
    }
    for entrant in &config.engines {
        if let Ok(Address::Program(program)) = entrant.spec.address() {
            read.push((format!("the program of '{}'", entrant.name()), program));
        }
    }
    let mut known: Vec<(String, Identity)> = Vec::new();
    let writes = written.len();
    for (index, (what, path)) in written.into_iter().chain(read).enumerate() {
        if is_device(&path) {
            continue;
        }
        let Ok(same) = identity(&path) else {
            continue;
        };
        if let Some((one, _)) = known.iter().find(|(_, known)| *known == same) {
            let (one, other) = (one.clone(), what);
            return Err(SameFile { one, other, path });
        }
        if index < writes {
            known.push((what, same));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::from_flags;

    fn check(folder: &Path, words: &str) -> Result<(), String> {
        let words = words.replace('@', &folder.display().to_string());
        let two = "-engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=1";
        let words = format!("{two} {words}");
        let flags = from_flags(words.split_whitespace().map(Into::into)).unwrap();
        let store = folder.join("e.db");
        keep_apart(&flags.config, &store).map_err(|same| same.to_string())
    }

    #[test]
    fn a_file_is_known_under_all_its_names() {
        let folder = tempfile::TempDir::new().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("sub")).unwrap();
        fs::write(folder.join("book.epd"), "x").unwrap();
        assert_eq!(check(folder, "-pgnout @/g.pgn -epdout @/g.epd"), Ok(()));
        assert_eq!(check(folder, "-pgnout /dev/null -epdout /dev/null"), Ok(()));
        let refused = |words: &str, one: &str, other: &str| {
            let said = check(folder, words).unwrap_err();
            let wanted = format!("{one} and {other} are the same file");
            assert!(said.starts_with(&wanted), "{words}: {said}");
        };
        refused("-pgnout @/e.db", "the store", "-pgnout");
        refused(
            "-pgnout @/sub/../e.db-wal",
            "the store's -wal file",
            "-pgnout",
        );
        refused("-pgnout @/g -epdout @/./sub/../g", "-pgnout", "-epdout");
        let book = "-openings file=@/book.epd";
        let said = "the file of -openings";
        refused(&format!("{book} -pgnout @/book.epd"), "-pgnout", said);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("book.epd", folder.join("link")).unwrap();
            std::os::unix::fs::symlink("later", folder.join("dangling")).unwrap();
            refused(&format!("{book} -epdout @/link"), "-epdout", said);
            refused("-pgnout @/dangling -epdout @/later", "-pgnout", "-epdout");
        }
        fs::hard_link(folder.join("book.epd"), folder.join("hard")).unwrap();
        #[cfg(unix)]
        refused(&format!("{book} -epdout @/hard"), "-epdout", said);
        let program = "-engine name=c cmd=@/book.epd -epdout @/book.epd";
        refused(program, "-epdout", "the program of 'c'");
    }
}
