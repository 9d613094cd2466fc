//! Who may come in, and how far.

use quadrille_web::{Options, Server, StartError};
use serde_json::json;

use crate::support::{Browser, Page, Running, raw, server, usual};

/// Every kind of address.
const PATHS: [&str; 8] = [
    "/",
    "/index.html",
    "/assets/x.js",
    "/ws",
    "/upload",
    "/log/1.txt",
    "/events/1.pgn",
    "/reports/1.pgn",
];

#[test]
fn other_hosts_are_refused_everywhere() {
    let (_folder, running) = server();
    let browser = running.browser();
    let port = browser.address.port();
    for host in ["evil.example", "rebound.example", "127.0.0.1.nip.example"] {
        let host = format!("{host}:{port}");
        for path in PATHS {
            let response = browser.request("GET", path, &[("Host", &host)], b"");
            assert_eq!(response.status, 403, "{path} {host}");
        }
        let own = format!("http://{host}");
        let socket = browser.socket(&own, &host).err();
        assert_eq!(socket, Some(403), "{host}");
    }
    let without = raw(
        browser.address,
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    assert!(without.status >= 400, "{}", without.head);
}

#[test]
fn other_origins_are_refused_everywhere() {
    let (_folder, running) = server();
    let browser = running.browser();
    let port = browser.address.port();
    let other = format!("http://localhost:{port}");
    for origin in [
        "http://evil.example",
        "null",
        "https://evil.example",
        &other,
    ] {
        for path in PATHS {
            for method in ["GET", "POST"] {
                let response = browser.request(method, path, &[("Origin", origin)], b"");
                assert_eq!(response.status, 403, "{method} {path} {origin}");
                assert_eq!(response.header("access-control-allow-origin"), None);
            }
        }
        let socket = browser.socket(origin, &browser.address.to_string());
        assert_eq!(socket.err(), Some(403), "{origin}");
    }
    // What changes something must come from our page and say so.
    assert_eq!(
        browser.request("POST", "/upload", &[], b"1. e4 *").status,
        403
    );
}

#[test]
fn strangers_see_nothing() {
    let (_folder, running) = server();
    let mut stranger = Browser::stranger(&running.address);
    let port = stranger.address.port();
    let zeros = "0".repeat(64);
    for cookie in [
        "",
        &format!("quadrille-owner-{port}={zeros}"),
        "quadrille-owner=x",
    ] {
        stranger.cookie = cookie.into();
        for path in PATHS {
            let own = stranger.origin();
            let response = stranger.request("GET", path, &[("Origin", &own)], b"");
            assert_eq!(response.status, 401, "{path} {cookie}");
            assert!(!response.text().contains("<html"), "{path}");
        }
        let socket = stranger.socket(&stranger.origin(), &stranger.address.to_string());
        assert_eq!(socket.err(), Some(401));
        let wrong = stranger.get(&format!("/enter/{zeros}"));
        assert_eq!((wrong.status, wrong.header("set-cookie")), (401, None));
    }
    // There is no such seat.
    stranger.cookie = format!("quadrille-seat-{port}=abcdefgh12345678");
    let socket = stranger.socket(&stranger.origin(), &stranger.address.to_string());
    assert_eq!(socket.err(), Some(401));
    for path in PATHS {
        let own = stranger.origin();
        let response = stranger.request("GET", path, &[("Origin", &own)], b"");
        assert_eq!(response.status, 401, "{path}");
    }
}

#[test]
fn the_printed_address_opens_the_door_and_is_not_left_in_it() {
    let (_folder, running) = server();
    let browser = running.browser();
    let path = running.address.split_once("/enter").expect("a path").1;
    let entered = browser.get(&format!("/enter{path}"));
    assert_eq!(
        (entered.status, entered.header("location")),
        (303, Some("/"))
    );
    let cookie = entered.header("set-cookie").expect("a cookie");
    assert!(
        cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    let page = browser.get("/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").expect("a policy");
    for part in [
        "default-src 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        assert_eq!(page.header(name), Some(value));
    }
    assert_eq!(page.header("access-control-allow-origin"), None);
    let tag = page.header("etag").expect("a tag").to_owned();
    let again = browser.request("GET", "/", &[("If-None-Match", &tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn no_path_leads_out_of_the_page() {
    let (folder, running) = server();
    let browser = running.browser();
    std::fs::write(folder.path().join("secret.txt"), "secret").expect("a file");
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "//etc/hosts",
        "/....//secret.txt",
        "/..\\secret.txt",
        "/%00",
        "/log/..%2f..%2fsecret.txt",
        "/events/%2e%2e%2fsecret.txt",
        "/reports/../quadrille.db",
        "/?page=/etc/hosts",
        "/index.html?file=../secret.txt",
    ] {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n\r\n",
            browser.address, browser.cookie
        );
        let response = raw(browser.address, request.as_bytes());
        assert!(!response.text().contains("secret"), "{path}");
        assert!(!response.text().contains("localhost"), "{path}");
    }
}

#[test]
fn too_much_is_refused_and_the_others_go_on() {
    let (_folder, running) = server();
    let browser = running.browser();
    let origin = browser.origin();
    let announced = format!("{}", 600_u64 << 20);
    let head = [
        ("Origin", origin.as_str()),
        ("Content-Length", announced.as_str()),
    ];
    assert_eq!(browser.request("POST", "/upload", &head, b"").status, 413);
    let large = vec![b'x'; 1 << 20];
    let login = browser.request("POST", "/login", &[("Origin", &origin)], &large);
    assert_eq!(login.status, 413);
    let mut greedy = browser.page();
    let _ = greedy
        .socket
        .send(tungstenite::Message::text("x".repeat(40 << 20)));
    while greedy.try_hear().is_some() {}
    let mut page = browser.page();
    page.say("{");
    assert_eq!(page.hear()["refusal"]["code"], "message");
    page.say(r#"{"say":"ask","id":9,"ask":{"ask":"open-the-vault"}}"#);
    let refused = page.hear();
    assert_eq!(
        (refused["id"].as_u64(), &refused["say"]),
        (Some(9), &json!("refused"))
    );
    let board = page.ask(json!({"ask": "position", "start": usual("chess")}));
    assert_eq!(board["move_count"], 20);
}

#[test]
fn a_page_that_does_not_read_is_cut_off() {
    let (_folder, running) = server();
    let browser = running.browser();
    let mut deaf = browser.page();
    let ask = json!({"say": "ask", "id": 1, "ask": {"ask": "position", "start": usual("chess")}});
    let ask = ask.to_string();
    let stream = deaf.socket.get_ref().try_clone().expect("a stream");
    stream
        .set_write_timeout(Some(std::time::Duration::from_mins(1)))
        .expect("a timeout");
    // It asks and asks, and never listens.
    let sent = (0..100_000).take_while(|_| {
        deaf.socket
            .send(tungstenite::Message::text(ask.clone()))
            .is_ok()
    });
    let sent = sent.count();
    assert!(sent > 100, "{sent}");
    // What is left of the answers, and then the end.
    stream
        .set_read_timeout(Some(std::time::Duration::from_secs(20)))
        .expect("a timeout");
    let last = (0..=sent).find_map(|_| match deaf.socket.read() {
        Ok(tungstenite::Message::Close(_)) => Some(None),
        Ok(_) => None,
        Err(error) => Some(Some(error)),
    });
    let waited = |error: &tungstenite::Error| {
        matches!(error, tungstenite::Error::Io(error)
            if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut))
    };
    let last = last.expect("fewer answers than questions");
    assert!(!last.as_ref().is_some_and(waited), "{last:?}");
    let mut page = browser.page();
    let board = page.ask(json!({"ask": "position", "start": usual("gyges")}));
    assert_eq!(board["game"], "gyges");
}

#[test]
fn from_elsewhere_only_with_a_password() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let open = Options {
        listen: [0, 0, 0, 0].into(),
        port: Some(0),
        ..Options::new(folder.path(), "none")
    };
    let refused = runtime.block_on(Server::start(open.clone()));
    assert!(matches!(refused, Err(StartError::NoPassword(_))));
    let short = Options {
        password: Some("1234".into()),
        ..open
    };
    let refused = runtime.block_on(Server::start(short));
    assert!(matches!(refused, Err(StartError::ShortPassword)));
}

#[test]
fn a_password_opens_the_door_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::with(Options {
        port: Some(0),
        password: Some("correct horse".into()),
        ..Options::new(folder.path(), "none")
    });
    let stranger = Browser::stranger(&running.address);
    let first = stranger.get("/");
    assert_eq!(
        (first.status, first.header("location")),
        (303, Some("/login"))
    );
    let form = stranger.get("/login");
    assert!(form.text().contains("password"));
    // With `no-referrer` browsers send forms with the origin `null`, which is refused.
    assert_eq!(form.header("referrer-policy"), Some("same-origin"));
    let origin = stranger.origin();
    let login = |word: &str| {
        let body = format!("password={word}\r\n");
        stranger.request("POST", "/login", &[("Origin", &origin)], body.as_bytes())
    };
    let welcome = login("correct horse");
    assert_eq!(
        (welcome.status, welcome.header("location")),
        (303, Some("/"))
    );
    assert!(welcome.header("set-cookie").is_some());
    for _ in 0..5 {
        let wrong = login("wrong");
        assert_eq!((wrong.status, wrong.header("set-cookie")), (401, None));
        // The form is there again, with what was wrong.
        let again = wrong.text();
        assert!(
            again.contains("<form") && again.contains("not the password"),
            "{again}"
        );
    }
    assert_eq!(
        login("correct horse").status,
        429,
        "five wrong ones are enough"
    );
    let foreign = [("Origin", "http://evil.example")];
    assert_eq!(
        stranger
            .request("POST", "/login", &foreign, b"password=x")
            .status,
        403
    );
}

#[test]
fn guests_have_their_seat_and_nothing_else() {
    let (_folder, running) = server();
    let browser = running.browser();
    let mut owner = browser.page();
    let seats = json!([{"seat": "person", "name": "Ann"}, {"seat": "guest", "name": ""}]);
    let time = json!({"time": "unlimited", "engine": 100.0});
    let table = json!({"start": usual("chess"), "seats": seats, "time": time});
    let table = owner.ask(json!({"ask": "new-table", "table": table}));
    let view = owner.see(json!({"topic": "table", "id": table}), |_| true);
    let link = view["seats"][1]["link"]
        .as_str()
        .expect("a link")
        .to_owned();
    let stranger = Browser::stranger(&running.address);
    let path = format!("/{}", link.split('#').next().expect("a path"));
    let joined = stranger.get(&path);
    assert_eq!(joined.status, 200);
    let refresh = joined.header("refresh").expect("on to the game");
    assert!(refresh.ends_with(&format!("/#/play/{table}")), "{refresh}");
    let cookie = joined.header("set-cookie").expect("a cookie");
    let guest = Browser {
        cookie: cookie.split(';').next().expect("a value").into(),
        ..stranger.clone()
    };
    let mut page = guest.page();
    assert_eq!(page.hello["rooms"], json!(["play"]));
    assert_eq!(page.hello["data"], json!(null));
    let act = |text: &str, ply: u32| json!({"ask": "act", "table": table, "action": {"do": "move", "text": text, "ply": ply}});
    assert_eq!(page.refused(act("e2e4", 0)).0, "turn");
    owner.ask(act("e2e4", 0));
    page.ask(act("e7e5", 1));
    let new = json!({"command": "/bin/sh", "args": [], "folder": null, "game": null, "name": null});
    for ask in [
        json!({"ask": "add-engine", "engine": new}),
        json!({"ask": "new-study", "start": usual("chess"), "title": null}),
        json!({"ask": "remember", "name": "theme", "value": "1"}),
        json!({"ask": "attach-event", "path": "/etc/passwd"}),
        json!({"ask": "delete-games", "ids": [1]}),
        json!({"ask": "stop-engine", "engine": 1}),
        json!({"ask": "position", "start": usual("liberty")}),
        json!({"ask": "moves", "start": usual("chess"), "moves": ["d2d4"], "prefix": []}),
        json!({"ask": "act", "table": table, "action": {"do": "hint"}}),
    ] {
        assert_eq!(page.refused(ask.clone()).0, "forbidden", "{ask}");
    }
    let moves = json!({"ask": "moves", "start": view["start"], "moves": ["e2e4"], "prefix": []});
    assert_eq!(page.ask(moves).as_array().map(Vec::len), Some(20));
    let own = guest.origin();
    for path in [
        "/log/1.txt",
        "/log/99.txt",
        "/events/1.pgn",
        "/reports/1.pgn",
    ] {
        assert_eq!(guest.get(path).status, 403, "{path}");
    }
    // A guest who opens page after page keeps nobody out.
    let open = |_| guest.socket(&own, &guest.address.to_string());
    let mut pages: Vec<_> = (0..8).flat_map(open).collect();
    let heard = pages.iter_mut().filter_map(Page::try_hear);
    assert_eq!(heard.count(), 3, "and one that is there");
    browser.page();
    let upload = guest.request("POST", "/upload", &[("Origin", &own)], b"1. e4 *");
    assert_eq!(upload.status, 403);
    assert_eq!(stranger.get("/?guest=0000000000000000").status, 404);
}
