//! Every example line of the five protocol texts, typed by hand: the right
//! message, byte-exact, and the same words again in normal form.

mod common;

use common::{show, words};
use std::num::NonZeroU32;

use quadrille_protocol::{
    BestMove, Bound, Command, Decimal, Dialect, ErrorKind, Go, HashFull, Id, IdKey, Info, InfoItem,
    Moves, OptionItem, OptionLine, OptionType, Register, Report, Score, SetOption, SetPos,
    SetPosition, Status, Text, Time, Wdl,
};

use Dialect::{Leiser, Uci, Ugi, Ulci};

#[track_caller]
fn command(dialect: Dialect, line: &str, expected: Command<'_>) {
    let parsed = Command::parse(line.as_bytes(), dialect);
    assert_eq!(parsed.message, expected, "{line:?}");
    assert_eq!(parsed.exact(), line.as_bytes());
    assert_eq!(
        words(&parsed.normal(dialect)),
        words(line.as_bytes()),
        "{line:?}"
    );
    // With the line ends of other systems, and inside other blanks.
    for noisy in [
        format!("{line}\r\n"),
        format!("\t {line} \t\r"),
        line.replace(' ', " \t "),
    ] {
        let again = Command::parse(noisy.as_bytes(), dialect);
        assert_eq!(
            show(&again.normal(dialect))
                .split_whitespace()
                .collect::<Vec<_>>(),
            line.split_whitespace().collect::<Vec<_>>(),
            "{noisy:?}"
        );
    }
}

#[track_caller]
fn report(dialect: Dialect, line: &str, expected: Report<'_>) {
    let parsed = Report::parse(line.as_bytes(), dialect);
    assert_eq!(parsed.message, expected, "{line:?}");
    assert_eq!(parsed.exact(), line.as_bytes());
    assert_eq!(
        words(&parsed.normal(dialect)),
        words(line.as_bytes()),
        "{line:?}"
    );
}

fn string_option<'a>(name: &'a str, default: &'a str) -> OptionLine<'a> {
    OptionLine::default()
        .with(OptionItem::Name(Text::from(name)))
        .with(OptionItem::Type(OptionType::String))
        .with(OptionItem::Default(Text::from(default)))
}

#[test]
fn uci_and_ulci_commands() {
    for dialect in [Uci, Ulci] {
        command(dialect, "uci", Command::Uci);
        command(dialect, "debug on", Command::Debug(Some(true)));
        command(dialect, "   debug     on  ", Command::Debug(Some(true)));
        command(
            dialect,
            "\t  debug \t  \t\ton\t  ",
            Command::Debug(Some(true)),
        );
        command(dialect, "debug off", Command::Debug(Some(false)));
        command(dialect, "isready", Command::IsReady);
        command(dialect, "ucinewgame", Command::UciNewGame);
        command(dialect, "stop", Command::Stop);
        command(dialect, "quit", Command::Quit);
        command(
            dialect,
            "setoption name Nullmove value true",
            Command::SetOption(SetOption::new("Nullmove", "true")),
        );
        command(
            dialect,
            "setoption name Selectivity value 3",
            Command::SetOption(SetOption::new("Selectivity", "3")),
        );
        command(
            dialect,
            "setoption name Style value Risky",
            Command::SetOption(SetOption::new("Style", "Risky")),
        );
        command(
            dialect,
            "setoption name Clear Hash",
            Command::SetOption(SetOption::button("Clear Hash")),
        );
        command(
            dialect,
            "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
            Command::SetOption(SetOption::new(
                "UCI_Opponent",
                "GM 2800 human Gary Kasparov",
            )),
        );
        command(
            dialect,
            "setoption name UCI_Opponent value none none computer Shredder",
            Command::SetOption(SetOption::new(
                "UCI_Opponent",
                "none none computer Shredder",
            )),
        );
        command(
            dialect,
            "position startpos",
            Command::Position(SetPosition::startpos()),
        );
        command(
            dialect,
            "go infinite searchmoves e2e4 d2d4",
            Command::Go(Go::new().infinite().searchmoves(Moves::from("e2e4 d2d4"))),
        );
    }
}

#[test]
fn uci_commands() {
    command(
        Uci,
        "setoption name NalimovPath value c:\\chess\\tb\\4;c:\\chess\\tb\\5",
        Command::SetOption(SetOption::new(
            "NalimovPath",
            "c:\\chess\\tb\\4;c:\\chess\\tb\\5",
        )),
    );
    command(
        Uci,
        "setoption name Hash value 32",
        Command::SetOption(SetOption::new("Hash", "32")),
    );
    command(
        Uci,
        "setoption name NalimovCache value 1",
        Command::SetOption(SetOption::new("NalimovCache", "1")),
    );
    command(
        Uci,
        "setoption name NalimovPath value d:\\tb;c\\tb",
        Command::SetOption(SetOption::new("NalimovPath", "d:\\tb;c\\tb")),
    );
    command(
        Uci,
        "setoption name UCI_AnalyseMode value true",
        Command::SetOption(SetOption::new("UCI_AnalyseMode", "true")),
    );
    command(
        Uci,
        "register later",
        Command::Register(Register {
            later: true,
            ..Register::default()
        }),
    );
    command(
        Uci,
        "register name Stefan MK code 4359874324",
        Command::Register(Register {
            later: false,
            name: Some("Stefan MK".into()),
            code: Some("4359874324".into()),
        }),
    );
    command(
        Uci,
        "register name DimaBest code 123456789",
        Command::Register(Register {
            later: false,
            name: Some("DimaBest".into()),
            code: Some("123456789".into()),
        }),
    );
    command(
        Uci,
        "position startpos moves e2e4 e7e5",
        Command::Position(SetPosition::startpos().with_moves("e2e4 e7e5")),
    );
    command(
        Uci,
        "position startpos moves e2e4 e7e5 b1c3",
        Command::Position(SetPosition::startpos().with_moves("e2e4 e7e5 b1c3")),
    );
    command(
        Uci,
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah -",
        Command::Position(SetPosition::fen(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah -",
        )),
    );
    command(Uci, "go infinite", Command::Go(Go::new().infinite()));
    command(
        Uci,
        "go ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9",
        Command::Go(
            Go::new()
                .ponder()
                .wtime(1)
                .btime(2)
                .winc(3)
                .binc(4)
                .movestogo(5)
                .depth(6)
                .nodes(7)
                .mate(8)
                .movetime(9),
        ),
    );
    command(Uci, "ponderhit", Command::PonderHit);
    for value in [
        "100 + 8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "clear + 8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "clearall",
    ] {
        let line = format!("setoption name UCI_SetPositionValue value {value}");
        command(
            Uci,
            &line,
            Command::SetOption(SetOption::new("UCI_SetPositionValue", value)),
        );
    }
}

#[test]
fn unknown_words_are_skipped_or_the_command_is_ignored() {
    // "joho debug on" switches the debug mode on...
    command(Uci, "joho debug on", Command::Debug(Some(true)));
    command(Leiser, "joho debug on", Command::Debug(Some(true)));
    assert_eq!(Command::parse(b"joho debug on", Uci).skipped(), "joho");
    // ... "debug joho on" is undefined; no word of it is lost.
    let parsed = Command::parse(b"debug joho on", Uci);
    assert_eq!(parsed.message, Command::Debug(Some(true)));
    assert_eq!(parsed.extra().collect::<Vec<_>>(), ["joho"]);
    // ULCI and UGI ignore the command instead.
    command(
        Ulci,
        "joho debug on",
        Command::Unknown("joho debug on".into()),
    );
    command(Ugi, "joho isready", Command::Unknown("joho isready".into()));
}

#[test]
fn uci_reports() {
    for dialect in [Uci, Ulci] {
        report(
            dialect,
            "id name Shredder X.Y",
            Report::Id(Id::new(IdKey::Name, "Shredder X.Y")),
        );
        report(
            dialect,
            "id name Shredder",
            Report::Id(Id::new(IdKey::Name, "Shredder")),
        );
        report(
            dialect,
            "id author Stefan MK",
            Report::Id(Id::new(IdKey::Author, "Stefan MK")),
        );
        report(dialect, "uciok", Report::UciOk);
        report(dialect, "readyok", Report::ReadyOk);
        report(
            dialect,
            "info currmove e2e4 currmovenumber 1",
            Report::Info(Info::new().currmove("e2e4".into()).currmovenumber(1)),
        );
        report(
            dialect,
            "info depth 12 nodes 123456 nps 100000",
            Report::Info(Info::new().depth(12).nodes(123_456).nps(100_000)),
        );
        report(
            dialect,
            "info depth 2 score cp 214 time 1242 nodes 2124 nps 34928 pv e2e4 e7e5 g1f3",
            Report::Info(
                Info::new()
                    .depth(2)
                    .score(Score::cp(214))
                    .time(Time::Millis(1242))
                    .nodes(2124)
                    .nps(34928)
                    .pv("e2e4 e7e5 g1f3".into()),
            ),
        );
        report(
            dialect,
            "option name Nullmove type check default true",
            Report::Option(OptionLine::check("Nullmove", true)),
        );
        report(
            dialect,
            "option name Selectivity type spin default 2 min 0 max 4",
            Report::Option(OptionLine::spin("Selectivity", 2, 0, 4)),
        );
        report(
            dialect,
            "option name Style type combo default Normal var Solid var Normal var Risky",
            Report::Option(OptionLine::combo(
                "Style",
                "Normal",
                &["Solid", "Normal", "Risky"],
            )),
        );
        report(
            dialect,
            "option name Clear Hash type button",
            Report::Option(OptionLine::button("Clear Hash")),
        );
        report(
            dialect,
            "option name UCI_EngineAbout type string default Shredder by Stefan Meyer-Kahlen, see www.shredderchess.com",
            Report::Option(string_option(
                "UCI_EngineAbout",
                "Shredder by Stefan Meyer-Kahlen, see www.shredderchess.com",
            )),
        );
    }
    report(
        Uci,
        "bestmove g1f3 ponder d8f6",
        Report::BestMove(BestMove::new("g1f3").with_ponder("d8f6")),
    );
    report(
        Uci,
        "copyprotection checking",
        Report::CopyProtection(Status::Checking),
    );
    report(Uci, "copyprotection ok", Report::CopyProtection(Status::Ok));
    report(
        Uci,
        "copyprotection error",
        Report::CopyProtection(Status::Error),
    );
    report(
        Uci,
        "registration checking",
        Report::Registration(Status::Checking),
    );
    report(Uci, "registration ok", Report::Registration(Status::Ok));
    report(
        Uci,
        "registration error",
        Report::Registration(Status::Error),
    );
    report(
        Uci,
        "info refutation d1h5 g6h5",
        Report::Info(Info::new().with(InfoItem::Refutation("d1h5 g6h5".into()))),
    );
    report(
        Uci,
        "info refutation d1h5",
        Report::Info(Info::new().with(InfoItem::Refutation("d1h5".into()))),
    );
    report(
        Uci,
        "option name NalimovPath type string default c:\\",
        Report::Option(string_option("NalimovPath", "c:\\")),
    );
    report(
        Uci,
        "option name NalimovPath type string default <empty>",
        Report::Option(OptionLine::string("NalimovPath", "")),
    );
    report(
        Uci,
        "option name Hash type spin default 1 min 1 max 128",
        Report::Option(OptionLine::spin("Hash", 1, 1, 128)),
    );
    report(
        Uci,
        "option name NalimovCache type spin default 1 min 1 max 32",
        Report::Option(OptionLine::spin("NalimovCache", 1, 1, 32)),
    );
    report(
        Uci,
        "option name UCI_Chess960 type check default false",
        Report::Option(OptionLine::check("UCI_Chess960", false)),
    );
    let currline = |cpu| InfoItem::CurrLine {
        cpu,
        moves: Moves::from("e2e4 e7e5"),
    };
    report(
        Uci,
        "info currline 2 e2e4 e7e5",
        Report::Info(Info::new().with(currline(NonZeroU32::new(2)))),
    );
    report(
        Uci,
        "info currline e2e4 e7e5",
        Report::Info(Info::new().with(currline(None))),
    );
}

#[test]
fn uci_sample_search() {
    report(
        Uci,
        "info depth 1 seldepth 0",
        Report::Info(Info::new().depth(1).seldepth(0)),
    );
    report(
        Uci,
        "info depth 2 seldepth 2",
        Report::Info(Info::new().depth(2).seldepth(2)),
    );
    report(
        Uci,
        "info depth 3 seldepth 7",
        Report::Info(Info::new().depth(3).seldepth(7)),
    );
    report(
        Uci,
        "info depth 2 seldepth 7 nodes 255",
        Report::Info(Info::new().depth(2).seldepth(7).nodes(255)),
    );
    for nps in [15937, 26437, 41562] {
        report(
            Uci,
            &format!("info nps {nps}"),
            Report::Info(Info::new().nps(nps)),
        );
    }
    let line = |cp, depth, nodes, pv| {
        Report::Info(
            Info::new()
                .score(Score::cp(cp))
                .depth(depth)
                .nodes(nodes)
                .time(Time::Millis(15))
                .pv(Moves::from(pv)),
        )
    };
    report(
        Uci,
        "info score cp 13  depth 1 nodes 13 time 15 pv f1b5",
        line(13, 1, 13, "f1b5"),
    );
    report(
        Uci,
        "info score cp 14  depth 2 nodes 255 time 15 pv f1c4 f8c5",
        line(14, 2, 255, "f1c4 f8c5"),
    );
    report(
        Uci,
        "info score cp 20  depth 3 nodes 423 time 15 pv f1c4 g8f6 b1c3",
        line(20, 3, 423, "f1c4 g8f6 b1c3"),
    );
    report(Uci, "....", Report::Text("....".into()));
}

#[test]
fn ulci_only() {
    report(
        Ulci,
        "id version 1",
        Report::Id(Id::new(IdKey::Version, "1")),
    );
    report(
        Ulci,
        "id pieces kmqcaehuriwbznxlop",
        Report::Id(Id::new(IdKey::Pieces, "kmqcaehuriwbznxlop")),
    );
    report(
        Ulci,
        "id username Mathmagician",
        Report::Id(Id::new(IdKey::Username, "Mathmagician")),
    );
    report(
        Ulci,
        "id feature friendlyfire",
        Report::Id(Id::new(IdKey::Feature, "friendlyfire")),
    );
    report(
        Ulci,
        "info score lowerbound cp 107",
        Report::Info(Info::new().score(Score::cp(107).with_bound(Bound::Lower))),
    );
    report(
        Ulci,
        "info wdl 300 500 200",
        Report::Info(Info::new().wdl(Wdl {
            win: 300,
            draw: 500,
            loss: 200,
        })),
    );
    report(
        Ulci,
        "bestmove g10g7",
        Report::BestMove(BestMove::new("g10g7")),
    );
    let error = |kind, text| {
        Info::new().with(InfoItem::Error {
            kind,
            text: Text::from(text),
        })
    };
    report(
        Ulci,
        "info string clienterror out of memory",
        Report::Info(error(ErrorKind::ClientString, "out of memory")),
    );
    report(
        Ulci,
        "info string servererror bad move",
        Report::Info(error(ErrorKind::ServerString, "bad move")),
    );
    report(
        Ulci,
        "info error bad move",
        Report::Info(error(ErrorKind::Plain, "bad move")),
    );
    command(
        Ulci,
        "info string hello there",
        Command::Info(Info::message("hello there")),
    );
    command(
        Ulci,
        "info clienterror you sent junk",
        Command::Info(error(ErrorKind::Client, "you sent junk")),
    );
    command(
        Ulci,
        "info servererror sorry",
        Command::Info(error(ErrorKind::Server, "sorry")),
    );
    command(Ulci, "eval", Command::Eval(None));
    command(Ulci, "bench", Command::Bench(None));
    command(Ulci, "bench 9", Command::Bench(Some("9".into())));
    command(Ulci, "perft 3", Command::Perft(Some(3)));
    command(
        Ulci,
        "position fen rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 - qcarbn moves g10g7",
        Command::Position(
            SetPosition::fen(
                "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 - qcarbn",
            )
            .with_moves("g10g7"),
        ),
    );
}

#[test]
fn leiserchess() {
    report(
        Leiser,
        "id name Leiserchess 1038",
        Report::Id(Id::new(IdKey::Name, "Leiserchess 1038")),
    );
    let author = "Don Dailey, Charles E. Leiserson, and the staff of MIT 6.172 Fall 2012-2013";
    report(
        Leiser,
        &format!("id author {author}"),
        Report::Id(Id::new(IdKey::Author, author)),
    );
    let spin = |name: &'static str, n: &'static str, value: i64| {
        OptionLine::default()
            .with(OptionItem::Name(Text::from(name)))
            .with(OptionItem::Type(OptionType::Spin))
            .with(OptionItem::Value(Text::from(n)))
            .with(OptionItem::DefaultNumber(value))
            .with(OptionItem::Min(0))
            .with(OptionItem::Max(10000))
    };
    report(
        Leiser,
        "option name hattack type spin value 200 default 200 min 0 max 10000",
        Report::Option(spin("hattack", "200", 200)),
    );
    report(
        Leiser,
        "option name attack type spin value 100 default 100 min 0 max 10000",
        Report::Option(spin("attack", "100", 100)),
    );
    report(
        Leiser,
        "option name pmirror type spin value 500 default 500 min 0 max 10000",
        Report::Option(spin("pmirror", "500", 500)),
    );
    report(
        Leiser,
        "option name use nullmove type check default true",
        Report::Option(OptionLine::check("use nullmove", true)),
    );
    report(
        Leiser,
        "option name selectivity R factor type spin default 2 min 0 max 4",
        Report::Option(OptionLine::spin("selectivity R factor", 2, 0, 4)),
    );
    report(
        Leiser,
        "option name Book Path type string default c:\\",
        Report::Option(string_option("Book Path", "c:\\")),
    );
    report(Leiser, "uciok", Report::UciOk);
    report(Leiser, "readyok", Report::ReadyOk);
    command(
        Leiser,
        "setoption name hattack value 200",
        Command::SetOption(SetOption::new("hattack", "200")),
    );
    command(
        Leiser,
        "setoption name draw value 0",
        Command::SetOption(SetOption::new("draw", "0")),
    );
    command(
        Leiser,
        "setoption name hashmeg value 64",
        Command::SetOption(SetOption::new("hashmeg", "64")),
    );
    command(
        Leiser,
        "position startpos moves j0j1 a5R",
        Command::Position(SetPosition::startpos().with_moves("j0j1 a5R")),
    );
    let fen = "ss3nw3/3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN W";
    let line = format!("position fen {fen} moves d3e4 e5f5 f5L c3R");
    command(
        Leiser,
        &line,
        Command::Position(SetPosition::fen(fen).with_moves("d3e4 e5f5 f5L c3R")),
    );
    for name in ["classic", "endgame"] {
        let expected = SetPosition {
            base: quadrille_protocol::PositionBase::Named(name.into()),
            moves: None,
        };
        command(
            Leiser,
            &format!("position {name}"),
            Command::Position(expected),
        );
    }
    command(Leiser, "move h0L", Command::Move(Some("h0L".into())));
    command(Leiser, "go depth 5", Command::Go(Go::new().depth(5)));
    command(
        Leiser,
        "go ponder time 60000 inc 500",
        Command::Go(Go::new().ponder().time(60000).inc(500)),
    );
    command(
        Leiser,
        "go nodes 9 movestogo 4",
        Command::Go(Go::new().nodes(9).movestogo(4)),
    );
    command(Leiser, "perft", Command::Perft(None));
    command(Leiser, "perft 4", Command::Perft(Some(4)));
    command(Leiser, "display", Command::Display);
    command(Leiser, "eval", Command::Eval(None));
    command(Leiser, "eval h0L", Command::Eval(Some("h0L".into())));
    report(
        Leiser,
        "info depth 2 score cp 214 time 1242 nodes 2124 nps 34928 pv e4R j4f5 b3L",
        Report::Info(
            Info::new()
                .depth(2)
                .score(Score::cp(214))
                .time(Time::Millis(1242))
                .nodes(2124)
                .nps(34928)
                .pv("e4R j4f5 b3L".into()),
        ),
    );
    report(
        Leiser,
        "info hashfull 50",
        Report::Info(Info::new().hashfull(HashFull::Percent(50))),
    );
}

#[test]
fn leiserchess_sample_search() {
    let sample = [
        (1, 1, 36, 68, 1_881_945, -3, "d3e3"),
        (1, 8, 100, 142, 1_418_614, 1, "h3g3"),
        (2, 1, 609, 339, 556_530, 3, "h3g3 a4b3"),
        (3, 1, 2321, 5085, 2_190_823, -2, "h3g3 a4b3 h0g0"),
        (3, 3, 2908, 5559, 1_911_008, 1, "e3L e4U h3g3"),
        (4, 1, 5516, 9288, 1_683_794, 3, "e3L e4U h3g3 a4b3"),
        (5, 1, 56633, 157_274, 2_777_070, 1, "e3L e4U d3c4 d4d5 h3g3"),
    ];
    for (depth, number, micros, nodes, nps, cp, pv) in sample {
        report(
            Leiser,
            &format!(
                "\t\tinfo depth {depth} move_no {number} time (microsec) {micros} nodes {nodes} nps {nps}"
            ),
            Report::Info(
                Info::new()
                    .depth(depth)
                    .with(InfoItem::MoveNo(number))
                    .time(Time::Micros(micros))
                    .nodes(nodes)
                    .nps(nps),
            ),
        );
        report(
            Leiser,
            &format!("\t\tinfo score cp {cp} pv {pv}"),
            Report::Info(Info::new().score(Score::cp(cp)).pv(pv.into())),
        );
    }
    report(
        Leiser,
        "\t\tbestmove e3L",
        Report::BestMove(BestMove::new("e3L")),
    );
}

#[test]
fn ugi() {
    command(Ugi, "ugi", Command::Ugi);
    command(Ugi, "isready", Command::IsReady);
    command(
        Ugi,
        "setoption MaxPly 5",
        Command::SetOption(SetOption::new("MaxPly", "5")),
    );
    command(
        Ugi,
        "setoption MaxTime 10",
        Command::SetOption(SetOption::new("MaxTime", "10")),
    );
    for name in ["start", "bench", "test", "draw"] {
        command(
            Ugi,
            &format!("setpos {name}"),
            Command::SetPos(SetPos::Named(name.into())),
        );
    }
    let board = "321123/000000/000000/000000/000000/321123";
    command(
        Ugi,
        &format!("setpos data {board}"),
        Command::SetPos(SetPos::Data(board.into())),
    );
    command(Ugi, "go", Command::Go(Go::new()));
    command(Ugi, "stop", Command::Stop);
    command(Ugi, "quit", Command::Quit);
    command(Ugi, "showpos", Command::ShowPos);
    report(Ugi, "ugiok", Report::UgiOk);
    report(Ugi, "readyok", Report::ReadyOk);
    report(
        Ugi,
        "id name Helios",
        Report::Id(Id::new(IdKey::Name, "Helios")),
    );
    report(
        Ugi,
        "option MaxPly",
        Report::Option(OptionLine::default().with(OptionItem::Name("MaxPly".into()))),
    );
    report(
        Ugi,
        "bestmove 0|3|2|12|3|8",
        Report::BestMove(BestMove::new("0|3|2|12|3|8")),
    );
    report(
        Ugi,
        "bestmove 0|1|3|7",
        Report::BestMove(BestMove::new("0|1|3|7")),
    );
    let decimal = |mantissa| Decimal::new(mantissa, 3);
    report(
        Ugi,
        "bestmove 24|37 score 100000000.000 time 0.001",
        Report::BestMove(BestMove {
            score: Some(Score::units(decimal(100_000_000_000))),
            time: Some(Time::Seconds(decimal(1))),
            ..BestMove::new("24|37")
        }),
    );
    report(
        Ugi,
        "info ply 3 bestmove 0|1|14 score 3493.000 nodes 33546 nps 29642 time 1.132 pv 0|1|14 32|31|13 2|4|26",
        Report::Info(
            Info::new()
                .depth(3)
                .bestmove("0|1|14".into())
                .score(Score::units(decimal(3_493_000)))
                .nodes(33546)
                .nps(29642)
                .time(Time::Seconds(decimal(1132)))
                .pv("0|1|14 32|31|13 2|4|26".into()),
        ),
    );
}

#[test]
fn one_report_in_every_form() {
    let info = Info::new()
        .depth(9)
        .score(Score::mate(2))
        .hashfull(HashFull::Permill(250))
        .time(Time::Millis(1500))
        .pv(Moves::from("a b"));
    let info = Report::Info(info);
    assert_eq!(
        show(&info.line(Uci)),
        "info depth 9 score mate 2 hashfull 250 time 1500 pv a b"
    );
    assert_eq!(
        show(&info.line(Leiser)),
        "info depth 9 score mate 2 hashfull 25 time 1500 pv a b"
    );
    assert_eq!(
        show(&info.line(Ugi)),
        "info ply 9 score 99999999.000 hashfull 250 time 1.500 pv a b"
    );
    let bound = Report::Info(Info::new().score(Score::cp(-7).with_bound(Bound::Upper)));
    assert_eq!(show(&bound.line(Uci)), "info score cp -7 upperbound");
    assert_eq!(show(&bound.line(Ulci)), "info score upperbound cp -7");
    let option = Report::Option(OptionLine::spin("maxPly", 0, 0, 127));
    assert_eq!(show(&option.line(Ugi)), "option maxPly");
}
