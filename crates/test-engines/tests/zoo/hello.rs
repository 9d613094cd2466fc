//! The first words: which of the two is answered, in what order options come, and
//! engines that want to be registered.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use quadrille_client::findings::HostDiagnostic;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Limits, Link, Memory};
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{Code, Dialect};

use super::beast::{Beast, over, spec};

const CHESS: &str = "id name Slow\nid author x\noption name Hash type spin default 1 min 1 max 64\n\
                     option name Threads type spin default 1 min 1 max 64\n\
                     option name Style type combo default Normal var Solid var Normal\nuciok\n";

/// An engine of a few lines: what it says to each line it hears.
fn engine(mut answer: impl FnMut(&str) -> String + Send + 'static) -> Box<dyn Link> {
    let link = Memory::spawn(move |reader, mut writer| {
        for line in BufReader::new(reader).lines() {
            let line = line?;
            let said = match line.as_str() {
                "quit" => break,
                "isready" => "readyok\n".into(),
                line if line.starts_with("go") => "info depth 1\nbestmove e2e4\n".into(),
                line => answer(line),
            };
            writer.write_all(said.as_bytes())?;
        }
        Ok(())
    });
    Box::new(link.expect("a thread"))
}

async fn begin(link: Box<dyn Link>, spec: &EngineSpec) -> Beast {
    over(link, spec)
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

/// It answers `uci` only when `ugi` has been tried already.
fn late(complaint: &'static str) -> Box<dyn Link> {
    engine(move |line| match line {
        "ugi" => format!("{CHESS}{complaint}\n"),
        _ => String::new(),
    })
}

#[tokio::test]
async fn an_engine_that_is_slow_is_not_blamed_for_our_second_word() {
    for complaint in [
        "Unknown command: 'ugi'. Type help for more information.",
        "info error Unrecognised command ugi",
        "info string error: ugi?",
        "Illegal command.  Use 'help' to see possible options.",
    ] {
        let mut slow = spec("");
        slow.timeouts.startup = Duration::from_secs(6);
        let mut beast = begin(late(complaint), &slow).await;
        assert!(beast.sent().contains(&"ugi".into()));
        assert_eq!(beast.engine.dialect(), Dialect::Uci);
        assert_eq!(beast.engine.name(), "Slow");
        assert_eq!(beast.engine.options().iter().len(), 3);
        let line = AnyLine::start(Game::Chess);
        let search = beast.engine.search(&line, Limits::depth(1)).await;
        assert!(search.finish().await.best().is_some());
        let found: Vec<String> = beast
            .engine
            .findings()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(found.is_empty(), "{complaint}: {found:?}");
    }
}

/// The second word may be answered too, or with a page of help.
#[tokio::test]
async fn an_answer_to_our_second_word_is_no_fault() {
    let both = "id name Slow\noption name Hash type spin default 1 min 1 max 64\nugiok";
    let help = "Unknown command: ugi\nuci     start\ngo      search\nquit    end\n";
    for more in [both, help] {
        let mut slow = spec("");
        slow.timeouts.startup = Duration::from_secs(3);
        let mut beast = begin(late(more), &slow).await;
        assert_eq!(beast.engine.dialect(), Dialect::Uci);
        assert_eq!(beast.engine.options().iter().len(), 3);
        let line = AnyLine::start(Game::Chess);
        let search = beast.engine.search(&line, Limits::depth(1)).await;
        assert!(search.finish().await.best().is_some());
        let findings = beast.engine.findings();
        let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{more}: {found:?}");
    }
}

/// What is wrong with an engine is still told.
#[tokio::test]
async fn a_complaint_about_anything_else_counts() {
    let link = engine(|line| match line {
        "uci" => CHESS.into(),
        "ucinewgame" => "Unknown command: ucinewgame\n".into(),
        _ => String::new(),
    });
    let mut beast = begin(link, &spec("")).await;
    beast.engine.new_game().await.expect("ready");
    assert!(beast.found(Code::UnknownCommand));
}

#[tokio::test]
async fn hash_is_the_first_option_that_is_set() {
    let link = engine(|line| match line {
        "uci" => CHESS.into(),
        _ => String::new(),
    });
    let set = [("Style", "Solid"), ("threads", "2"), ("hash", "8")];
    let spec = EngineSpec {
        options: set
            .map(|(name, value)| (name.into(), Some(value.into())))
            .into(),
        ..spec("")
    };
    let beast = begin(link, &spec).await;
    let sent = beast.sent();
    let options: Vec<&String> = sent
        .iter()
        .filter(|line| line.starts_with("setoption"))
        .collect();
    let wanted = [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Style value Solid",
    ];
    assert_eq!(options, wanted);
}

/// Each `register` is answered with another `registration error`, as the
/// specification wants it.
#[tokio::test]
async fn an_engine_that_is_never_registered_is_answered_once_and_used() {
    for code in [None, Some(("Ann".to_owned(), "17".to_owned()))] {
        let error = "registration checking\nregistration error\n";
        let link = engine(move |line| match line.split(' ').next() {
            Some("uci") => format!("{CHESS}{error}"),
            Some("register" | "position") => error.into(),
            _ => String::new(),
        });
        let registered = code.is_some();
        let spec = EngineSpec {
            registration: code,
            ..spec("")
        };
        let mut beast = begin(link, &spec).await;
        let line = AnyLine::start(Game::Chess);
        for _ in 0..3 {
            let search = beast.engine.search(&line, Limits::depth(1)).await;
            assert!(search.finish().await.best().is_some());
        }
        let sent = beast.sent();
        let register: Vec<&String> = sent
            .iter()
            .filter(|line| line.starts_with("register"))
            .collect();
        if registered {
            assert_eq!(register, ["register name Ann code 17", "register later"]);
        } else {
            assert_eq!(register, ["register later"]);
        }
        assert_eq!(beast.found(HostDiagnostic::NotRegistered), registered);
        assert_eq!(beast.found(HostDiagnostic::Unregistered), !registered);
    }
}

/// Unknown words around the answer are skipped: no search waits for ever.
#[tokio::test]
async fn an_answer_among_unknown_words_is_one() {
    let link = Memory::spawn(|reader, mut writer| {
        for line in BufReader::new(reader).lines() {
            let said = match line?.as_str() {
                "uci" => CHESS.into(),
                "isready" => "joho readyok joho\n".to_owned(),
                line if line.starts_with("go") => "joho bestmove e2e4 joho\n".into(),
                "quit" => break,
                _ => String::new(),
            };
            writer.write_all(said.as_bytes())?;
        }
        Ok(())
    });
    let mut beast = begin(Box::new(link.expect("a thread")), &spec("")).await;
    let line = AnyLine::start(Game::Chess);
    let search = beast.engine.search(&line, Limits::depth(1)).await;
    assert_eq!(search.finish().await.best().expect("a move").text, "e2e4");
    assert!(beast.found(Code::SkippedWords));
}

/// A sentence with `bestmove` in it is not the answer where an answer follows, and one
/// with `uciok` is not the end of the handshake.
#[tokio::test]
async fn sentences_are_not_answers() {
    let link = Memory::spawn(|reader, mut writer| {
        writer.write_all(b"Talker 1.0: send uci, I answer uciok then\n")?;
        for line in BufReader::new(reader).lines() {
            let line = line?;
            let said = match line.as_str() {
                "uci" => CHESS.into(),
                "isready" => "readyok\n".to_owned(),
                "quit" => break,
                line if line.starts_with("go") => {
                    writer.write_all(b"now bestmove c2c4 at depth 3\n")?;
                    "info depth 4\nso far bestmove d2d4 at depth 4\nbestmove e2e4\n".into()
                }
                _ => String::new(),
            };
            writer.write_all(said.as_bytes())?;
        }
        Ok(())
    });
    let mut beast = begin(Box::new(link.expect("a thread")), &spec("")).await;
    assert_eq!(beast.engine.name(), "Slow");
    assert_eq!(beast.engine.options().iter().len(), 3);
    let line = AnyLine::start(Game::Chess);
    for _ in 0..3 {
        let search = beast.engine.search(&line, Limits::depth(1)).await;
        assert_eq!(search.finish().await.best().expect("a move").text, "e2e4");
    }
    // Also where nobody reads on: the answer to `stop` is the plain one.
    drop(beast.engine.search(&line, Limits::infinite()).await);
    let search = beast.engine.search(&line, Limits::depth(1)).await;
    assert_eq!(search.finish().await.best().expect("a move").text, "e2e4");
    assert!(!beast.found(HostDiagnostic::StrayBestmove));
}
