//! One log of an engine, seen by the page with a server and by the one without.

use std::io::{BufRead, BufReader, Write};

use quadrille_client::EngineInfo;
use quadrille_desk::effect::{Purpose, SearchNews, SearchOrder, Thinking, Thought};
use quadrille_desk::offline_engine::OfflineEngine;
use quadrille_desk::thought::thought;
use quadrille_desk::wire::{Level, SearchLimits};
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Engine, Event, Memory};
use quadrille_games::{AnyLine, Game};

/// What an engine says between `go` and the end: several lines, bounds, numbers by
/// themselves, a message, lines of the iteration before, moves that are not legal.
const LOG: &str = "\
info string NNUE evaluation using \u{1b}[1ma net\u{1b}[0m
info depth 1 seldepth 1 multipv 1 score cp 17 nodes 20 nps 20000 time 1 pv e2e4
info depth 1 seldepth 1 multipv 2 score cp 12 wdl 20 970 10 nodes 40 time 1 pv d2d4 d7d5
info depth 1 multipv 3 score mate 3 nodes 60 pv g1f3 e7e4
info currmove e2e4 currmovenumber 1
info depth 2 seldepth 4 multipv 1 score cp 80 lowerbound nodes 500 hashfull 1200 pv e2e4 e7e5
info depth 2 seldepth 4 multipv 1 score cp 31 nodes 900 tbhits 2 time 12 pv e2e4 e7e5 g1f3 h8h1
info depth 1 seldepth 4 multipv 2 score cp 12 nodes 950 time 12 pv d2d4 d7d5
info nodes 1234 time 13
info depth 3 score cp -900 upperbound pv a2a3
info multipv 60 depth 3 score cp 5 pv a2a4
bestmove e2e4 ponder e7e5
";
const HELLO: &str = "id name Log\noption name MultiPV type spin default 1 min 1 max 9\nuciok\n";

async fn served(line: &AnyLine) -> Thought {
    let link = Memory::spawn(|reader, mut writer| {
        for said in BufReader::new(reader).lines() {
            match said?.split(' ').next() {
                Some("uci") => write!(writer, "{HELLO}")?,
                Some("isready") => writeln!(writer, "readyok")?,
                Some("go") => write!(writer, "{LOG}")?,
                Some("quit") => break,
                _ => {}
            }
        }
        Ok(())
    });
    let link = Box::new(link.expect("a thread"));
    let engine = Engine::over(link, &EngineSpec::default(), Game::Chess).await;
    let mut engine = engine.expect("it says what it should");
    let dialect = engine.dialect();
    let mut reported = EngineInfo::default();
    let limits = quadrille_client::Limits::depth(3);
    let mut search = engine.search(line, limits).await;
    while let Some(event) = search.next().await {
        if let Event::Info(info) = event {
            reported.record(*info);
        }
    }
    thought(&reported, dialect, line)
}

fn offline(line: &AnyLine) -> Thought {
    let (mut engine, mut output) = OfflineEngine::new(Game::Chess, 0.0);
    let order = SearchOrder {
        search: 1,
        engine: 1,
        purpose: Purpose::Analysis(1),
        line: line.clone(),
        time: Thinking::Limits(SearchLimits {
            depth: Some(3),
            ..SearchLimits::default()
        }),
        lines: 3,
        only: Vec::new(),
        level: Level::Full,
    };
    output
        .lines
        .extend(engine.order(Box::new(order), 0.0).lines);
    let mut last = None;
    while let Some(said) = (!output.lines.is_empty()).then(|| output.lines.remove(0)) {
        let answer = match said.split(' ').next() {
            Some("uci") => HELLO,
            Some("isready") => "readyok\n",
            Some("go") => LOG,
            _ => "",
        };
        for line in answer.lines() {
            let more = engine.on_line(line, 0.0);
            output.lines.extend(more.lines);
            for (_, news) in more.news {
                if let SearchNews::Lines(thought) = news {
                    last = Some(*thought);
                }
            }
        }
    }
    last.expect("lines were sent")
}

#[tokio::test]
async fn both_pages_show_the_same_of_one_log() {
    let line = AnyLine::start(Game::Chess);
    let (served, offline) = (served(&line).await, offline(&line));
    assert_eq!(served, offline);
    // And it is what the log says.
    let numbers = &served.numbers;
    assert_eq!((numbers.depth, numbers.nodes), (3, 1234));
    assert_eq!(numbers.time.as_millis(), 13);
    let ranks = served.lines.iter().map(|line| (line.rank, line.depth));
    assert_eq!(ranks.collect::<Vec<_>>(), [(1, 2), (2, 1), (3, 1)]);
    assert_eq!(served.lines[0].notation, ["e4", "e5", "Nf3"]);
    assert_eq!(numbers.hashfull, Some(1000));
    let said = served.said.as_deref();
    assert_eq!(said, Some("NNUE evaluation using [1ma net[0m"));
}
