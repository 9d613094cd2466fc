//! Games that were loaded, however odd they are.

use serde_json::{Value, json};

use crate::support::{Page, Running, server, usual};

const HOSTILE: &str = "[Event \"<script>alert(1)</script>\"]\n[White \"<img src=x onerror=alert(1)>\"]\n\
[Black \"\\\"; DROP TABLE games; --\"]\n[Result \"1-0\"]\n\n1. e4 {<b>bold</b> \u{1b}[2J} e5 2. Nf3 1-0\n\n";

fn query() -> Value {
    json!({"game": null, "player": null, "result": null, "opening": null, "source": null,
           "position": null, "skip": 0, "most": 50})
}

fn find(page: &mut Page, change: impl FnOnce(&mut Value)) -> Vec<Value> {
    let mut query = query();
    change(&mut query);
    let games = page.ask(json!({"ask": "find-games", "query": query}));
    games.as_array().expect("games").clone()
}

#[test]
fn hostile_games_are_text_and_nothing_else() {
    let (_folder, running) = server();
    let mut page = running.page();
    let import = page.ask(json!({"ask": "paste", "text": HOSTILE, "game": null}));
    let study = import["study"].clone();
    let view = page.see(json!({"topic": "study", "id": study}), |_| true);
    let tags = view["tags"].to_string();
    assert!(tags.contains("<img src=x onerror=alert(1)>"), "{tags}");
    let text = page.ask(json!({"ask": "export", "study": study, "node": null}));
    assert!(text.as_str().expect("a text").contains("1. e4"));
    for text in [
        "",
        "\0\0\0",
        "[[[[[",
        "1. e4 ((((((",
        &"(".repeat(100_000),
        &"[A \"b\"]\n".repeat(5000),
    ] {
        // Refused or taken, but answered.
        page.ask_any(json!({"ask": "paste", "text": text, "game": null}));
    }
    for position in [
        "<svg onload=alert(1)>",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        &"8/".repeat(10_000),
    ] {
        let start = json!({"game": "chess", "rules": "", "position": position});
        assert_eq!(
            page.refused(json!({"ask": "position", "start": start})).0,
            "position"
        );
    }
    assert_eq!(running.browser().get("/").status, 200);
}

#[test]
fn many_games_go_to_the_library_and_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = Running::start(folder.path());
    let mut page = running.page();
    let two = "[White \"Zoe\"]\n[Black \"Yan\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 0-1\n\n";
    let broken = "[White \"Broken\"]\n[Black \"Game\"]\n\n1. e4 e5 2. Qxz9 *\n\n";
    let leiser =
        "[White \"L\"]\n[Black \"R\"]\n[Variant \"Leiserchess\"]\n[Result \"1-0\"]\n\n1-0\n\n";
    let text = format!("{HOSTILE}{two}{broken}{leiser}");
    let import = page.ask(json!({"ask": "paste", "text": text, "game": null}));
    assert_eq!(import["games"], 4, "{import}");
    assert_eq!(
        import["troubles"].as_array().map(Vec::len),
        Some(1),
        "{import}"
    );
    let source = import["source"].clone();
    let all = find(&mut page, |_| {});
    assert_eq!(all.len(), 4);
    assert_eq!(find(&mut page, |q| q["player"] = json!("zo")).len(), 1);
    assert_eq!(
        find(&mut page, |q| q["player"] = json!("%")).len(),
        0,
        "no pattern"
    );
    assert_eq!(
        find(&mut page, |q| q["player"] =
            json!("'; DROP TABLE games; --"))
        .len(),
        0
    );
    assert_eq!(find(&mut page, |q| q["result"] = json!("1-0")).len(), 2);
    assert_eq!(find(&mut page, |q| q["game"] = json!("leiser")).len(), 1);
    assert_eq!(
        find(&mut page, |q| q["opening"] = json!("Sicilian")).len(),
        1
    );
    assert_eq!(find(&mut page, |q| q["source"] = source.clone()).len(), 4);
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let position = json!({"game": "chess", "rules": "", "position": e4});
    assert_eq!(
        find(&mut page, |q| q["position"] = position.clone()).len(),
        3
    );
    let explore = json!({"ask": "explore", "start": usual("chess"), "moves": ["e2e4"]});
    let explored = page.ask(explore);
    assert_eq!(explored["moves"][0]["text"], "e7e5", "{explored}");
    assert_eq!(explored["moves"][1]["results"], json!([0, 0, 1]));
    assert!(
        explored["opening"][1]
            .as_str()
            .expect("a name")
            .contains("King's Pawn")
    );

    let zoe = find(&mut page, |q| q["player"] = json!("Zoe"))[0]["id"].clone();
    let study = page.ask(json!({"ask": "open-game", "id": zoe}));
    assert_eq!(
        page.ask(json!({"ask": "open-game", "id": zoe})),
        study,
        "the same again"
    );
    page.ask(json!({"ask": "delete-games", "ids": [zoe]}));
    assert_eq!(find(&mut page, |_| {}).len(), 3);
    page.ask(json!({"ask": "restore-games", "ids": [zoe]}));
    let pgn = page.ask(json!({"ask": "export-games", "ids": [zoe]}));
    assert!(pgn.as_str().expect("a text").contains("Zoe"));
    drop((page, running));
    let running = Running::start(folder.path());
    assert_eq!(find(&mut running.page(), |_| {}).len(), 4);
}

#[test]
fn files_are_read_in_the_background() {
    let (_folder, running) = server();
    let browser = running.browser();
    let mut page = browser.page();
    let game = |n: u32| {
        format!("[White \"W{n}\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n")
    };
    let file: String = (0..300).map(game).collect();
    let origin = browser.origin();
    let headers = [
        ("Origin", origin.as_str()),
        ("x-name", "three <b>hundred</b>.pgn"),
    ];
    let taken = browser.request("POST", "/upload", &headers, file.as_bytes());
    assert_eq!(taken.status, 200, "{}", taken.text());
    let job: u64 = taken.text().parse().expect("a number");
    let done = |jobs: &Value| jobs.as_array().is_some_and(|j| j[0]["state"] == "done");
    let jobs = page.see(json!({"topic": "jobs"}), done);
    assert_eq!(
        (&jobs[0]["id"], &jobs[0]["done"]),
        (&json!(job), &json!(300))
    );
    assert_eq!(jobs[0]["title"], "three <b>hundred</b>.pgn");
    let view = page.see(json!({"topic": "library"}), |view| view["games"] == 300);
    assert_eq!(view["sources"].as_array().map(Vec::len), Some(1));
    assert_eq!(find(&mut page, |q| q["player"] = json!("W299")).len(), 1);
    page.ask(json!({"ask": "forget-job", "job": job}));
    page.wait(&json!({"topic": "jobs"}), |jobs| *jobs == json!([]));
}

#[test]
fn a_single_game_is_loaded_under_the_name_of_its_file() {
    let (_folder, running) = server();
    let mut page = running.page();
    let game = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 *\n";
    let load = |text: &str, library: bool| json!({"ask": "paste", "text": text, "game": null, "name": "one\n.pgn", "library": library});
    let import = page.ask(load(game, true));
    assert_eq!(
        (&import["study"], &import["games"]),
        (&Value::Null, &json!(1))
    );
    assert_eq!(
        find(&mut page, |q| q["source"] = import["source"].clone()).len(),
        1
    );
    let view = page.see(json!({"topic": "library"}), |view| view["games"] == 1);
    assert_eq!(view["sources"][0]["name"], "one.pgn");
    // Elsewhere a single game is opened, and a position always is.
    assert!(page.ask(load(game, false))["study"].is_u64());
    for position in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "qkbnr/ppppp/5/5/PPPPP/QKBNR w Kk - 0 1 1",
        "321123/000000/000000/000000/000000/321123",
    ] {
        let import = page.ask(load(position, true));
        assert!(import["study"].is_u64(), "{position}: {import}");
    }
    // What is no game is not one of the library either.
    for junk in ["hello there, this is no chess", "[section]\nkey = value\n"] {
        let (code, words) = page.refused(load(junk, true));
        assert_eq!(code, "record", "{junk}");
        assert!(!words.is_empty());
    }
    assert_eq!(find(&mut page, |_| {}).len(), 1);
}
