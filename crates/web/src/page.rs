//! The files of the page: in this program, or in a folder while it is worked on.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::coding::Coding;

/// A file that `build.rs` has put into this program: its name, its bytes, and the same
/// compressed with gzip and brotli where the build of the page did that.
type Built = (
    &'static str,
    &'static [u8],
    Option<&'static [u8]>,
    Option<&'static [u8]>,
);

const BUILT: &[Built] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

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
    /// What those bytes are compressed with.
    pub(crate) coding: Coding,
    /// Whether other browsers are sent it in another coding.
    pub(crate) varies: bool,
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

    /// The file at an address of the page, `/` for the page itself, in the first of the
    /// codings that there is.
    pub(crate) fn file(&self, address: &str, codings: &[Coding]) -> Option<PageFile> {
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
                let &(_, plain, gzip, brotli) = BUILT.iter().find(|built| built.0 == name)?;
                let bytes = |coding| match coding {
                    Coding::Brotli => brotli,
                    Coding::Gzip => gzip,
                    Coding::Identity => Some(plain),
                };
                let found = codings.iter().find_map(|&c| Some((c, bytes(c)?)));
                let (coding, bytes) = found.unwrap_or((Coding::Identity, plain));
                Some(PageFile {
                    bytes: Cow::Borrowed(bytes),
                    coding,
                    varies: gzip.is_some() || brotli.is_some(),
                    kind,
                    cache: if name.starts_with(HASHED) {
                        "public, max-age=31536000, immutable"
                    } else {
                        "no-cache"
                    },
                    tag: Some(tag_of(plain, coding)),
                })
            }
            Self::Folder(folder) => {
                let path = fs::canonicalize(folder.join(name)).ok()?;
                // A link may lead out of the folder; what it leads to is not ours.
                if !path.starts_with(folder) {
                    return None;
                }
                let compressed = |coding: Coding| {
                    if coding == Coding::Identity {
                        return None;
                    }
                    let packed = PathBuf::from(format!("{}{}", path.display(), coding.ending()));
                    is_newer(&packed, &path).then_some((coding, packed))
                };
                let wanted = codings.iter().take_while(|c| **c != Coding::Identity);
                let packed = wanted.copied().find_map(compressed);
                let (coding, bytes) = match packed {
                    Some((coding, packed)) => (coding, fs::read(packed).ok()?),
                    None => (Coding::Identity, fs::read(&path).ok()?),
                };
                let mut others = [Coding::Brotli, Coding::Gzip].into_iter();
                Some(PageFile {
                    bytes: bytes.into(),
                    coding,
                    varies: others.find_map(compressed).is_some(),
                    kind,
                    cache: "no-store",
                    tag: None,
                })
            }
        }
    }
}

/// A tag of a file in a coding: the same file in another one has another tag.
fn tag_of(plain: &[u8], coding: Coding) -> String {
    let ending = coding.ending().replace('.', "-");
    format!("{:08x}-{:x}{ending}", crc32fast::hash(plain), plain.len())
}

/// Whether a compressed file was written after the file it stands for was changed. A
/// link beside a file may lead anywhere, so links do not count.
fn is_newer(packed: &Path, plain: &Path) -> bool {
    let Ok(meta) = fs::symlink_metadata(packed) else {
        return false;
    };
    let changed = fs::metadata(plain).and_then(|meta| meta.modified());
    meta.is_file()
        && matches!((meta.modified(), changed), (Ok(packed), Ok(plain)) if packed >= plain)
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
        assert!(page.file("/", &[]).is_some());
        assert!(page.file("/index.html", &[]).is_some());
        assert!(page.file("/../secret.txt", &[]).is_none());
        assert!(page.file("/key.pem", &[]).is_none(), "no kind of a page");
        assert!(page.file("/nothing.js", &[]).is_none());
        #[cfg(unix)]
        {
            let link = root.join("link.txt");
            std::os::unix::fs::symlink(outside.path().join("secret.txt"), link).expect("a link");
            assert!(page.file("/link.txt", &[]).is_none());
        }
        assert!(Page::folder(outside.path()).is_err());
    }

    #[test]
    fn something_is_built_in() {
        let file = Page::Embedded.file("/", &[]).expect("a page");
        assert!(file.kind.starts_with("text/html") && !file.bytes.is_empty());
    }
}
