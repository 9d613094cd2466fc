//! The files of the page, as they travel.

use std::fs;
use std::path::Path;

use quadrille_web::Options;

use crate::support::client::Response;
use crate::support::{Browser, Running, server};

fn get(browser: &Browser, path: &str, headers: &[(&str, &str)]) -> Response {
    browser.request("GET", path, headers, b"")
}

/// A page in a folder, with compressed copies that are made up so that they are told
/// apart.
fn in_folder(folder: &Path) -> Running {
    let page = folder.join("page");
    fs::create_dir(&page).expect("a folder");
    for (name, text) in [
        ("index.html", "<p>"),
        ("a.js", "plain"),
        ("a.js.gz", "by gzip"),
        ("a.js.br", "by brotli"),
        ("b.js", "only plain"),
        ("c.js", "plain again"),
        ("c.js.gz", "by gzip again"),
    ] {
        fs::write(page.join(name), text).expect("a file");
    }
    Running::with(Options {
        port: Some(0),
        page: Some(page),
        ..Options::new(folder.join("data"), folder.join("no-such-program"))
    })
}

#[test]
fn a_browser_is_sent_the_smallest_that_it_can_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = in_folder(folder.path());
    let browser = running.browser();
    for (path, accepts, coding, text) in [
        ("/a.js", None, None, "plain"),
        ("/a.js", Some("identity"), None, "plain"),
        (
            "/a.js",
            Some("gzip, deflate, br, zstd"),
            Some("br"),
            "by brotli",
        ),
        ("/a.js", Some("gzip, deflate"), Some("gzip"), "by gzip"),
        (
            "/a.js",
            Some("br;q=0.1, gzip;q=0.2"),
            Some("gzip"),
            "by gzip",
        ),
        ("/a.js", Some("br;q=0, gzip;q=0"), None, "plain"),
        ("/c.js", Some("gzip, br"), Some("gzip"), "by gzip again"),
        ("/c.js", Some("br"), None, "plain again"),
        ("/b.js", Some("gzip, br"), None, "only plain"),
    ] {
        let headers: Vec<_> = accepts
            .map(|text| ("Accept-Encoding", text))
            .into_iter()
            .collect();
        let response = get(&browser, path, &headers);
        assert_eq!(response.status, 200, "{path} {accepts:?}");
        assert_eq!(
            response.header("content-encoding"),
            coding,
            "{path} {accepts:?}"
        );
        assert_eq!(response.text(), text, "{path} {accepts:?}");
        let length = response
            .header("content-length")
            .and_then(|n| n.parse().ok());
        assert_eq!(length, Some(text.len()), "{path} {accepts:?}");
        assert_eq!(
            response.header("content-type"),
            Some("text/javascript; charset=utf-8")
        );
        let vary = (path != "/b.js").then_some("Accept-Encoding");
        assert_eq!(response.header("vary"), vary, "{path} {accepts:?}");
    }
    // Compressed files are no files of the page by themselves.
    assert_eq!(get(&browser, "/a.js.br", &[]).status, 404);
}

#[test]
fn a_file_that_was_changed_after_it_was_compressed_is_sent_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = in_folder(folder.path());
    let browser = running.browser();
    let file = fs::File::options()
        .append(true)
        .open(folder.path().join("page/a.js"));
    let file = file.expect("a file");
    let later = std::time::SystemTime::now() + std::time::Duration::from_mins(1);
    file.set_modified(later).expect("another time");
    let response = get(&browser, "/a.js", &[("Accept-Encoding", "br, gzip")]);
    assert_eq!(response.header("content-encoding"), None);
    assert_eq!(response.text(), "plain");
}

#[cfg(feature = "page")]
#[test]
fn scripts_travel_compressed_and_are_not_sent_twice() {
    let (_folder, running) = server();
    let browser = running.browser();
    let page = get(&browser, "/", &[]).text();
    let names = page
        .split('"')
        .filter_map(|part| part.strip_prefix("./assets/"));
    let names: Vec<&str> = names
        .filter(|name| name.rsplit('.').next() == Some("js"))
        .collect();
    assert!(!names.is_empty(), "{page}");
    for name in names {
        let path = format!("/assets/{name}");
        let plain = get(&browser, &path, &[]);
        let plain_tag = plain.header("etag").expect("a tag").to_owned();
        assert_eq!(plain.header("content-encoding"), None);
        assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
        let mut tags = vec![plain_tag];
        for (coding, most) in [("gzip", 40), ("br", 36)] {
            let accepts = ("Accept-Encoding", coding);
            let packed = get(&browser, &path, &[accepts]);
            assert_eq!(packed.header("content-encoding"), Some(coding), "{path}");
            assert_eq!(packed.header("content-type"), plain.header("content-type"));
            let percent = packed.body.len() * 100 / plain.body.len();
            assert!(percent < most, "{path} {coding}: {percent} %");
            // Each coding has a tag, and only its own stands for it.
            let tag = packed.header("etag").expect("a tag").to_owned();
            assert!(!tags.contains(&tag), "{tag}");
            let again = get(&browser, &path, &[accepts, ("If-None-Match", &tag)]);
            assert_eq!((again.status, again.body.len()), (304, 0));
            assert_eq!(again.header("vary"), Some("Accept-Encoding"));
            assert_eq!(again.header("etag"), Some(&*tag));
            let weak = format!("\"x\", W/{tag}");
            assert_eq!(
                get(&browser, &path, &[accepts, ("If-None-Match", &weak)]).status,
                304
            );
            assert_eq!(get(&browser, &path, &[("If-None-Match", &tag)]).status, 200);
            let head = browser.request("HEAD", &path, &[accepts], b"");
            assert_eq!(head.header("content-encoding"), Some(coding));
            assert_eq!(
                head.header("content-length"),
                Some(&*packed.body.len().to_string())
            );
            tags.push(tag);
        }
    }
}
