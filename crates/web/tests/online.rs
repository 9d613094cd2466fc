//! Pages as clients of game servers: visitors at the page of one, and the owner at another.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, TcpListener};

use quadrille_web::{Door, Hall, Options};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};

use crate::support::{Browser, Page, Running, server, usual};

/// A game server that says who came, and says everything again.
fn echo() -> Door {
    Door::new(|from| {
        let (ours, theirs) = tokio::io::duplex(4096);
        tokio::spawn(async move {
            let (reading, mut writing) = tokio::io::split(ours);
            let mut lines = tokio::io::BufReader::new(reading).lines();
            let _ = writing
                .write_all(format!("from {from}\r\n").as_bytes())
                .await;
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "quit" {
                    return;
                }
                let _ = writing
                    .write_all(format!("heard {line}\n").as_bytes())
                    .await;
            }
        });
        Box::new(theirs)
    })
}

fn hall() -> (tempfile::TempDir, Running) {
    hall_behind(Vec::new())
}

/// A page with proxies before it.
fn hall_behind(proxies: Vec<IpAddr>) -> (tempfile::TempDir, Running) {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::with(Options {
        port: Some(0),
        hall: Some(Hall {
            door: echo(),
            names: vec!["games.example".into()],
            proxies,
        }),
        ..Options::new(folder.path(), folder.path().join("no-such-program"))
    });
    (folder, running)
}

fn next(page: &mut Page, kind: &str) -> Value {
    (0..50)
        .map(|_| page.hear())
        .find(|message| message["say"] == kind)
        .expect("it is said")
}

fn line(page: &mut Page) -> String {
    next(page, "heard")["line"]
        .as_str()
        .unwrap_or_default()
        .into()
}

#[test]
fn visitors_play_at_the_game_server_and_do_nothing_else() {
    let (_folder, running) = hall();
    let visitor = Browser::stranger(&running.address);
    assert_eq!(visitor.get("/").status, 200);
    let mut page = visitor.page();
    assert_eq!(page.hello["rooms"], json!(["online", "learn", "settings"]));
    assert_eq!(page.hello["data"], json!(null));
    page.say(&json!({"say": "join", "address": null}).to_string());
    assert_eq!(line(&mut page), "from 127.0.0.1");
    page.say(&json!({"say": "tell", "line": "id name x"}).to_string());
    assert_eq!(line(&mut page), "heard id name x");
    // Boards of a reasonable size, and nothing that is kept here.
    let board = page.ask(json!({"ask": "position", "start": usual("gyges")}));
    assert_eq!(board["game"], "gyges");
    let moves = json!({"ask": "moves", "start": usual("chess"), "moves": ["e2e4"], "prefix": []});
    assert_eq!(page.ask(moves).as_array().map(Vec::len), Some(20));
    let rows = vec!["256"; 256].join("/");
    let huge = json!({"game": "liberty", "rules": "", "position": format!("{rows} w - - 0 1")});
    let refused = page.refused(json!({"ask": "position", "start": huge})).0;
    assert_eq!(refused, "too-much");
    let new = json!({"command": "/bin/sh", "args": [], "folder": null, "game": null, "name": null});
    for ask in [
        json!({"ask": "add-engine", "engine": new}),
        json!({"ask": "new-study", "start": usual("chess"), "title": null}),
        json!({"ask": "remember", "name": "theme", "value": "1"}),
        json!({"ask": "attach-event", "path": "/etc/passwd"}),
        json!({"ask": "find-games", "query": {"text": "", "most": 1}}),
    ] {
        let answer = page.ask_any(ask.clone());
        assert_eq!(answer["say"], "refused", "{ask}");
    }
    for path in ["/log/1.txt", "/events/1.pgn", "/reports/1.pgn"] {
        assert_eq!(visitor.get(path).status, 403, "{path}");
    }
    let own = visitor.origin();
    let upload = visitor.request("POST", "/upload", &[("Origin", &own)], b"1. e4 *");
    assert_eq!(upload.status, 403);
    // To another server they are not led; the connection they have stays.
    page.say(&json!({"say": "join", "address": "127.0.0.1:1"}).to_string());
    page.say(&json!({"say": "tell", "line": "still"}).to_string());
    assert_eq!(line(&mut page), "heard still");
    // Two lines in one are none.
    page.say(&json!({"say": "tell", "line": "a\nb"}).to_string());
    assert_eq!(next(&mut page, "parted")["words"], "that is no line");
    page.say(&json!({"say": "join", "address": null}).to_string());
    assert_eq!(line(&mut page), "from 127.0.0.1");
    page.say(&json!({"say": "tell", "line": "quit"}).to_string());
    let parted = next(&mut page, "parted");
    assert_eq!(parted["words"], "the game server has ended the connection");
    // A visitor has nothing so long to say.
    let long = "x".repeat(300 << 10);
    page.say(&json!({"say": "tell", "line": long}).to_string());
    assert_eq!(page.try_hear(), None);
}

#[test]
fn the_page_of_a_game_server_has_a_name_and_may_stand_behind_a_proxy() {
    let (_folder, running) = hall();
    let visitor = Browser::stranger(&running.address);
    let named = |host: &str| {
        let host = [("Host", host)];
        visitor.request("GET", "/", &host, b"").status
    };
    assert_eq!(named("games.example"), 200);
    assert_eq!(named("Games.Example:8443"), 200);
    assert_eq!(named("games.example.evil"), 403);
    assert_eq!(named("evil.games.example"), 403);
    assert!(
        visitor
            .socket("https://games.example", "games.example")
            .is_ok()
    );
    let elsewhere = visitor.socket("https://evil.example", "games.example");
    assert_eq!(elsewhere.err(), Some(403));
    // Where nothing is public, a stranger stays one.
    let (_other, closed) = server();
    let stranger = Browser::stranger(&closed.address);
    assert_eq!(stranger.get("/").status, 401);
}

#[test]
fn one_address_cannot_fill_the_page_of_a_game_server() {
    let (_folder, running) = hall();
    let visitor = Browser::stranger(&running.address);
    let own = visitor.origin();
    let host = visitor.address.to_string();
    let mut pages: Vec<_> = (0..24).flat_map(|_| visitor.socket(&own, &host)).collect();
    let heard = pages.iter_mut().filter_map(Page::try_hear).count();
    assert_eq!(heard, 20);
    // The operator still comes in.
    running.page();
}

/// Of those behind a proxy each is counted, and known to the game server, by itself.
#[test]
fn behind_a_proxy_visitors_are_told_apart() {
    let pages = |running: &Running, from: &str, count: usize| {
        let mut visitor = Browser::stranger(&running.address);
        visitor.forwarded = from.into();
        let (own, host) = (visitor.origin(), visitor.address.to_string());
        let pages = (0..count).flat_map(|_| visitor.socket(&own, &host));
        let mut pages: Vec<_> = pages.collect();
        pages.retain_mut(|page| page.try_hear().is_some());
        pages
    };
    let (_folder, running) = hall_behind(vec![IpAddr::from([127, 0, 0, 1])]);
    let many = pages(&running, "192.0.2.1", 22);
    assert_eq!(many.len(), 20);
    let mut others = pages(&running, "9.9.9.9, 192.0.2.2", 1);
    let other = others.first_mut().expect("room for another");
    other.say(&json!({"say": "join", "address": null}).to_string());
    assert_eq!(line(other), "from 192.0.2.2");
    // Nobody is believed who is not trusted.
    let (_folder, running) = hall();
    let mut own = pages(&running, "192.0.2.1", 1);
    let own = own.first_mut().expect("room");
    own.say(&json!({"say": "join", "address": null}).to_string());
    assert_eq!(line(own), "from 127.0.0.1");
}

#[test]
fn the_owner_goes_to_a_game_server_elsewhere() {
    let (_folder, running) = server();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a page");
        stream.write_all(b"uci\r\n").expect("an open line");
        let mut said = String::new();
        BufReader::new(stream).read_line(&mut said).expect("a line");
        said
    });
    let mut page = running.page();
    page.say(&json!({"say": "join", "address": address}).to_string());
    assert_eq!(line(&mut page), "uci");
    page.say(&json!({"say": "tell", "line": "uciok"}).to_string());
    assert_eq!(served.join().expect("no panic"), "uciok\n");
    assert_eq!(
        next(&mut page, "parted")["words"],
        "the game server has ended the connection"
    );
    page.say(&json!({"say": "join", "address": "127.0.0.1:1"}).to_string());
    let words = next(&mut page, "parted")["words"].to_string();
    assert!(words.contains("127.0.0.1:1 cannot be reached"), "{words}");
    page.say(&json!({"say": "join", "address": null}).to_string());
    let words = next(&mut page, "parted")["words"].to_string();
    assert!(words.contains("name one"), "{words}");
    page.say(&json!({"say": "tell", "line": "x"}).to_string());
    let words = next(&mut page, "parted")["words"].to_string();
    assert!(words.contains("no connection"), "{words}");
}
