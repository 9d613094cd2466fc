//! Every example line of the two UCI texts, typed by hand: the right
//! message, byte-exact, and the same words again in normal form.

use crate::common::{command, report, string_option};
use std::num::NonZeroU32;

use quadrille_protocol::{
    BestMove, Command, Dialect, Go, Id, IdKey, Info, InfoItem, Moves, OptionLine, Register, Report,
    Score, SetOption, SetPosition, Status, Time,
};

use Dialect::{Leiser, Uci, Ugi, Ulci};

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

/// The Russian text is a translation, but some of its examples are its own.
#[test]
fn lines_that_only_the_russian_text_has() {
    report(
        Uci,
        "id name MyEngine 1.8",
        Report::Id(Id::new(IdKey::Name, "MyEngine 1.8")),
    );
    report(
        Uci,
        "id author Vasya Pupkin",
        Report::Id(Id::new(IdKey::Author, "Vasya Pupkin")),
    );
    report(
        Uci,
        "option name UCI_EngineAbout type string default MyEngine By Vasya Pupkin",
        Report::Option(string_option("UCI_EngineAbout", "MyEngine By Vasya Pupkin")),
    );
    report(
        Uci,
        r"option name NalimovPath type string default c:\\",
        Report::Option(string_option("NalimovPath", r"c:\\")),
    );
    // A slip of the pen, and clear all the same.
    let empty = string_option("NalimovPath", "< empty>");
    assert_eq!(empty.default_value().unwrap(), "");
    report(
        Uci,
        "option name NalimovPath type string default < empty>",
        Report::Option(empty),
    );
    report(
        Uci,
        "info score cp 20 depth 3 nodes 423 time 15 pv f1c4 g8f6 b1c3",
        Report::Info(
            Info::new()
                .score(Score::cp(20))
                .depth(3)
                .nodes(423)
                .time(Time::Millis(15))
                .pv(Moves::from("f1c4 g8f6 b1c3")),
        ),
    );
}
