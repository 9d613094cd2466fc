//! Every example line of the ULCI, Leiserchess and UGI texts, typed by hand: the
//! right message, byte-exact, and the same words again in normal form.

use crate::common::{command, report, show, string_option};

use quadrille_protocol::{
    BestMove, Bound, Command, Decimal, Dialect, ErrorKind, Go, HashFull, Id, IdKey, Info, InfoItem,
    Moves, OptionItem, OptionLine, OptionType, Report, Score, SetOption, SetPos, SetPosition, Text,
    Time, Wdl,
};

use Dialect::{Leiser, Uci, Ugi, Ulci};

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
