//! The files of the page: in this program, or in a folder while it is worked on.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// What `build.rs` made: names and bytes.
const BUILT: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the page comes from.
#[derive(Debug)]
pub(crate) enum Page {
    /// This program.
    Embedded,
    /// A folder: read anew every time.
    Folder(PathBuf),
}

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) kind: &'static str,
    pub(crate) cache: &'static str,
    /// Changes with the bytes, where that is known without reading them.
    pub(crate) tag: Option<String>,
}

/// Kinds of files that a page may have; others are not served.
const KINDS: [(&str, &str); 13] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("wasm", "application/wasm"),
    ("txt", "text/plain; charset=utf-8"),
];

/// Vite puts a hash of the bytes into the names in this folder.
const HASHED: &str = "assets/";

impl Page {
    /// The folder of a page, if there is one in it.
    pub(crate) fn folder(path: &Path) -> Result<Self, String> {
        let odd = |why: String| format!("--page {}: {why}", path.display());
        let folder = fs::canonicalize(path).map_err(|error| odd(error.to_string()))?;
        if !folder.join("index.html").is_file() {
            return Err(odd("there is no index.html; build the page first".into()));
        }
        Ok(Self::Folder(folder))
    }

    /// The file at an address of the page, `/` for the page itself.
    pub(crate) fn file(&self, address: &str) -> Option<PageFile> {
        let name = match address.strip_prefix('/')? {
            "" => "index.html",
            name => name,
        };
        if !is_plain(name) {
            return None;
        }
        let (_, extension) = name.rsplit_once('.')?;
        let (_, kind) = KINDS.iter().find(|(known, _)| *known == extension)?;
        match self {
            Self::Embedded => {
                let (_, bytes) = BUILT.iter().find(|(known, _)| *known == name)?;
                Some(PageFile {
                    bytes: Cow::Borrowed(bytes),
                    kind,
                    cache: if name.starts_with(HASHED) {
                        "public, max-age=31536000, immutable"
                    } else {
                        "no-cache"
                    },
                    tag: Some(format!("{:08x}-{:x}", crc32fast::hash(bytes), bytes.len())),
                })
            }
            Self::Folder(folder) => {
                let path = fs::canonicalize(folder.join(name)).ok()?;
                // A link may lead out of the folder; what it leads to is not ours.
                if !path.starts_with(folder) {
                    return None;
                }
                Some(PageFile {
                    bytes: fs::read(path).ok()?.into(),
                    kind,
                    cache: "no-store",
                    tag: None,
                })
            }
        }
    }
}

/// Whether a name has only letters, digits, `-`, `_`, `.` and folders that are not
/// hidden. What is written with per cent signs or leads upwards is no such name.
fn is_plain(name: &str) -> bool {
    name.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_files() {
        for name in ["index.html", "assets/index-Ab_1.js", "a/b/c.svg"] {
            assert!(is_plain(name), "{name}");
        }
        for name in [
            "",
            "..",
            "../x.js",
            "a/../b.js",
            "/etc/x.txt",
            "a//b.js",
            ".git/x.json",
            "%2e%2e/x.js",
            "a\\b.js",
            "a b.js",
            "c:x.js",
        ] {
            assert!(!is_plain(name), "{name}");
        }
    }

    #[test]
    fn a_folder_is_never_left() {
        let outside = tempfile::tempdir().expect("a folder");
        let root = outside.path().join("page");
        fs::create_dir(&root).expect("a folder");
        fs::write(root.join("index.html"), "<p>").expect("a file");
        fs::write(outside.path().join("secret.txt"), "no").expect("a file");
        fs::write(root.join("key.pem"), "no").expect("a file");
        let page = Page::folder(&root).expect("a page");
        assert!(page.file("/").is_some());
        assert!(page.file("/index.html").is_some());
        assert!(page.file("/../secret.txt").is_none());
        assert!(page.file("/key.pem").is_none(), "no kind of a page");
        assert!(page.file("/nothing.js").is_none());
        #[cfg(unix)]
        {
            let link = root.join("link.txt");
            std::os::unix::fs::symlink(outside.path().join("secret.txt"), link).expect("a link");
            assert!(page.file("/link.txt").is_none());
        }
        assert!(Page::folder(outside.path()).is_err());
    }

    #[test]
    fn something_is_built_in() {
        let file = Page::Embedded.file("/").expect("a page");
        assert!(file.kind.starts_with("text/html") && !file.bytes.is_empty());
    }
}
