//! Lines on which other readers panic, reject the line or lose part of it.
//! Here nothing is lost, changed, rejected or a panic, and every deviation has
//! its diagnostic. Option lines are in `torture_options.rs`.

use crate::common::{show, whole};
use std::num::NonZeroU32;

use quadrille_protocol::{
    Bound, Code, Command, Dialect, GoItem, Info, InfoItem, Moves, PositionBase, Report, Score,
    SetOption, Severity, Text, Time, Wdl,
};

const UCI: Dialect = Dialect::Uci;

/// Parses an engine's line, asserts that no word is lost, and returns the
/// message and the codes.
#[track_caller]
fn report(line: &str) -> (Report<'_>, Vec<Code>) {
    whole(line, Report::parse(line.as_bytes(), UCI), UCI)
}

#[track_caller]
fn info(line: &str) -> (Info<'_>, Vec<Code>) {
    let (message, codes) = report(line);
    let Report::Info(info) = message else {
        panic!("{line:?}: {message:?}")
    };
    (info, codes)
}

#[track_caller]
fn command(line: &str) -> (Command<'_>, Vec<Code>) {
    whole(line, Command::parse(line.as_bytes(), UCI), UCI)
}

#[track_caller]
fn go(line: &str) -> (quadrille_protocol::Go<'_>, Vec<Code>) {
    let (message, codes) = command(line);
    let Command::Go(go) = message else {
        panic!("{line:?}: {message:?}")
    };
    (go, codes)
}

#[track_caller]
fn setoption(line: &str) -> SetOption<'_> {
    let Command::SetOption(set) = command(line).0 else {
        panic!("{line:?}")
    };
    set
}

#[test]
fn unknown_words_before_a_command() {
    let (message, codes) = command("joho debug on");
    assert_eq!(message, Command::Debug(Some(true)));
    assert_eq!(codes, [Code::SkippedWords]);
}

#[test]
fn numbers_beyond_a_byte() {
    let (read, codes) = info("info depth 250 seldepth 300 score cp 5");
    assert_eq!((read.get_seldepth(), codes.len()), (Some(300), 0));
    assert_eq!(go("go depth 300").0.get_depth(), Some(300));
    assert_eq!(go("go movestogo 400 wtime 5").0.get_movestogo(), Some(400));
}

#[test]
fn wdl_and_everything_after_it() {
    let line = "info depth 20 score cp 31 wdl 120 850 30 nodes 5000 nps 100 pv e2e4 e7e5";
    let (read, codes) = info(line);
    assert_eq!(
        read.get_wdl(),
        Some(Wdl {
            win: 120,
            draw: 850,
            loss: 30
        })
    );
    assert_eq!(read.get_nodes(), Some(5000));
    assert_eq!(read.get_pv(), Some(Moves::from("e2e4 e7e5")));
    assert!(codes.is_empty());
    assert!(
        info("info score cp 1 wdl 120 850 31")
            .1
            .contains(&Code::WdlSum)
    );
}

#[test]
fn unknown_keys_keep_their_place() {
    let (read, codes) = info("info depth 3 ebf 1.73 score cp 5 pv e2e4");
    assert_eq!(read.get_depth(), Some(3));
    assert_eq!(read.get_score(), Some(Score::cp(5)));
    assert_eq!(
        read.items.get(1),
        Some(&InfoItem::Unknown(Text::from("ebf 1.73")))
    );
    assert_eq!(codes, [Code::UnknownWord]);
    let (read, codes) = info("info depth 9 movesleft 60 nodes 7");
    assert_eq!(read.items.get(1), Some(&InfoItem::MovesLeft(60)));
    assert_eq!((read.get_nodes(), codes.len()), (Some(7), 0));
}

#[test]
fn null_moves_in_lines_and_answers() {
    let (read, _) = info("info depth 2 pv e2e4 0000 g1f3");
    assert_eq!(read.get_pv().unwrap().len(), 3);
    for null in ["(none)", "NULL", "a1a1", "a8a8", "null", "none", "--"] {
        let line = format!("bestmove {null}");
        let (message, codes) = report(&line);
        let Report::BestMove(best) = message else {
            panic!()
        };
        assert_eq!(best.best.unwrap(), null);
        assert!(best.best.unwrap().is_null_move());
        assert_eq!(codes, [Code::OddNullMove], "{null}");
    }
    let (message, codes) = report("bestmove 0000");
    let Report::BestMove(best) = message else {
        panic!()
    };
    assert!(best.best.unwrap().is_null_move() && codes.is_empty());
    let (message, codes) = report("bestmove e2e4 ponder (none)");
    let Report::BestMove(best) = message else {
        panic!()
    };
    assert_eq!(
        (best.ponder.unwrap(), codes.len()),
        (Text::from("(none)"), 0)
    );
    for real in [
        "e2e4",
        "e7e8q",
        "a10b10",
        "h0g0",
        "P@e4",
        "0|3|2|12|3|8",
        "O-O",
    ] {
        assert!(!Text::from(real).is_null_move(), "{real}");
    }
}

#[test]
fn blanks_of_every_kind() {
    for line in [
        "bestmove\te2e4",
        "  bestmove e2e4",
        "bestmove e2e4 ",
        "bestmove e2e4\r",
        "bestmove   e2e4\r\n",
    ] {
        let (message, codes) = report(line);
        let Report::BestMove(best) = message else {
            panic!("{line:?}")
        };
        assert_eq!(
            (best.best.unwrap(), codes.len()),
            (Text::from("e2e4"), 0),
            "{line:?}"
        );
    }
    let marked = Report::parse("\u{feff}uciok".as_bytes(), UCI);
    assert_eq!(marked.message, Report::UciOk);
    assert_eq!(
        marked.diagnostics().iter().next().unwrap().code,
        Code::ByteOrderMark
    );
    assert_eq!(report("info depth 1\rscore cp 3").1, []);
}

#[test]
fn bare_bestmove() {
    let (message, codes) = report("bestmove");
    assert_eq!(
        message,
        Report::BestMove(quadrille_protocol::BestMove::default())
    );
    assert_eq!(codes, [Code::MissingMove]);
    assert_eq!(report("bestmove ponder e2e4").1, [Code::MissingMove]);
    assert_eq!(
        report("bestmove e2e4 ponder").1,
        [Code::MissingMove, Code::UnknownWord]
    );
}

#[test]
fn fractions_are_cut_and_said() {
    let line = b"info depth 4 score cp 12.5 nps 1000.7 time 3.9 nodes 8";
    let parsed = Report::parse(line, UCI);
    let Report::Info(read) = &parsed.message else {
        panic!()
    };
    assert_eq!(read.get_score(), Some(Score::cp(12)));
    assert_eq!(
        (read.get_nps(), read.get_time()),
        (Some(1000), Some(Time::Millis(3)))
    );
    assert_eq!(parsed.diagnostics().len(), 3);
    assert!(
        parsed
            .diagnostics()
            .iter()
            .all(|d| d.code == Code::FractionalNumber)
    );
    assert_eq!(parsed.exact(), line);
    let spin = Report::parse(
        b"option name Skill Level type spin default 10.2 min 0 max 20",
        UCI,
    );
    let Report::Option(option) = &spin.message else {
        panic!()
    };
    assert_eq!(option.default_number(), Some(10));
}

#[test]
fn numbers_that_do_not_fit() {
    let parsed = Report::parse(b"info nodes 99999999999999999999 depth 3 nps -5", UCI);
    let Report::Info(read) = &parsed.message else {
        panic!()
    };
    assert_eq!(
        (read.get_nodes(), read.get_depth(), read.get_nps()),
        (Some(u64::MAX), Some(3), Some(0))
    );
    let codes: Vec<_> = parsed.diagnostics().iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::NumberTooLarge, Code::NegativeNumber]);
    let parsed = Command::parse(
        b"go wtime 99999999999999999999 btime -99999999999999999999",
        UCI,
    );
    let Command::Go(go) = &parsed.message else {
        panic!()
    };
    assert_eq!(
        (go.get_wtime(), go.get_btime()),
        (Some(i64::MAX), Some(-i64::MAX))
    );
}

#[test]
fn currline_with_and_without_a_processor() {
    let moves = Moves::from("e2e4 e7e5");
    let (read, _) = info("info currline 1 e2e4 e7e5");
    assert_eq!(
        read.items.get(0),
        Some(&InfoItem::CurrLine {
            cpu: NonZeroU32::new(1),
            moves
        })
    );
    let (read, _) = info("info currline e2e4 e7e5");
    assert_eq!(
        read.items.get(0),
        Some(&InfoItem::CurrLine { cpu: None, moves })
    );
}

#[test]
fn go_in_every_order() {
    let (read, codes) = go("go ponder wtime 1000 btime 1000");
    assert!(read.is_ponder() && read.get_wtime() == Some(1000) && codes.is_empty());
    let (read, codes) = go("go searchmoves e2e4 d2d4 depth 5");
    assert_eq!(
        (read.get_searchmoves(), read.get_depth()),
        (Some(Moves::from("e2e4 d2d4")), Some(5))
    );
    assert!(codes.is_empty());
    let (read, codes) = go("go wtime -80 btime 100");
    assert_eq!(
        (read.get_wtime(), codes),
        (Some(-80), vec![Code::NegativeClock])
    );
    let (read, codes) = go("go foo depth 5");
    assert_eq!(
        (read.get_depth(), codes),
        (Some(5), vec![Code::UnknownWord])
    );
    assert_eq!(read.items.get(0), Some(&GoItem::Unknown(Text::from("foo"))));
    let (read, codes) = go("go depth five nodes 3");
    assert_eq!((read.get_depth(), read.get_nodes()), (None, Some(3)));
    assert_eq!(codes, [Code::NotANumber, Code::UnknownWord]);
    let (read, codes) = go("go depth");
    assert_eq!(
        (read.get_depth(), codes),
        (None, vec![Code::MissingValue, Code::UnknownWord])
    );
    let (read, codes) = go("go infinite searchmoves");
    assert!(read.is_infinite() && codes == [Code::EmptyMoveList]);
    let (read, codes) = go("go depth 3 depth 4");
    assert_eq!(
        (read.get_depth(), codes),
        (Some(4), vec![Code::DuplicateWord])
    );
    let (read, _) = go("go depth wtime 5");
    assert_eq!((read.get_depth(), read.get_wtime()), (None, Some(5)));
}

#[test]
fn positions_of_every_shape() {
    let position = |line: &'static str| {
        let (message, codes) = command(line);
        let Command::Position(position) = message else {
            panic!("{line:?}")
        };
        (position, codes)
    };
    for fen in [
        "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w GEge - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - -",
        "8/8/8/8/8/8/8/K1k5",
    ] {
        let line = format!("position fen {fen} moves a1a2");
        let (Command::Position(read), _) = command(&line) else {
            panic!()
        };
        assert_eq!(read.base, PositionBase::Fen(Text::from(fen)));
        assert_eq!(read.moves, Some(Moves::from("a1a2")));
    }
    let (read, codes) = position("position moves e2e4");
    assert_eq!(
        (read.base, codes),
        (PositionBase::Omitted, vec![Code::StartposOmitted])
    );
    assert_eq!(read.moves, Some(Moves::from("e2e4")));
    let (read, codes) = position("position");
    assert_eq!(
        (read.base, codes),
        (PositionBase::Omitted, vec![Code::StartposOmitted])
    );
    let (read, codes) = position("position startpos moves");
    assert_eq!(
        (read.moves, codes),
        (Some(Moves::EMPTY), vec![Code::EmptyMoveList])
    );
    assert_eq!(
        position("position nonsense moves e2e4").1,
        [Code::UnknownPosition]
    );
    let (read, _) = position("position startpos moves a10b10 h0g0 P@e4 e7e8Q 0000");
    assert_eq!(read.moves.unwrap().len(), 5);
    let bare = Command::parse(b"position 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2", UCI);
    let Command::Position(read) = bare.message else {
        panic!()
    };
    assert_eq!(
        read.base,
        PositionBase::Fen(Text::from("8/8/8/8/8/8/8/K1k5 w - - 0 1"))
    );
}

#[test]
fn setoption_of_every_shape() {
    let set = setoption("setoption name Path value my value dir");
    assert_eq!(
        (set.name, set.value.unwrap()),
        (Text::from("Path"), Text::from("my value dir"))
    );
    let set = setoption("setoption name Clear Hash");
    assert_eq!((set.name, set.value), (Text::from("Clear Hash"), None));
    let set = setoption("setoption name Style value");
    assert_eq!(set.value, Some(Text::EMPTY));
    let bare = Command::parse(b"setoption Hash value 3", UCI);
    assert_eq!(
        bare.message,
        Command::SetOption(SetOption::new("Hash", "3"))
    );
    let line = b"setoption name Eval value scale value 30";
    let Command::SetOption(set) = Command::parse(line, UCI).message else {
        panic!()
    };
    let names: Vec<_> = set.readings(line).map(|s| s.name.to_string()).collect();
    assert_eq!(
        names,
        ["Eval", "Eval value scale", "Eval value scale value 30"]
    );
}

#[test]
fn forgotten_keywords() {
    let parsed = Report::parse(b"info depth 8 nps 2650589  cp -107 time 3", UCI);
    let Report::Info(read) = &parsed.message else {
        panic!()
    };
    assert_eq!(
        (read.get_score(), read.get_time()),
        (Some(Score::cp(-107)), Some(Time::Millis(3)))
    );
    assert!(
        parsed
            .diagnostics()
            .iter()
            .any(|d| d.code == Code::MissingKeyword)
    );
    for line in [
        "info score cp",
        "info score",
        "info score cp x pv e2e4",
        "info score mate depth 3",
        "info time",
        "info wdl 1 2",
        "info depth seldepth 3",
    ] {
        let (_, codes) = info(line);
        assert!(!codes.is_empty(), "{line}");
    }
    let (read, _) = info("info score mate depth 3");
    assert_eq!((read.get_score(), read.get_depth()), (None, Some(3)));
}

#[test]
fn bounds_on_either_side() {
    let expected = Some(Score::cp(20).with_bound(Bound::Upper));
    assert_eq!(
        info("info score cp 20 upperbound nodes 3").0.get_score(),
        expected
    );
    let before = Report::parse(b"info score upperbound cp 20 nodes 3", UCI);
    let Report::Info(read) = &before.message else {
        panic!()
    };
    assert_eq!((read.get_score(), read.get_nodes()), (expected, Some(3)));
    assert_eq!(
        info("info score mate -3 lowerbound").0.get_score(),
        Some(Score::mate(-3).with_bound(Bound::Lower))
    );
}

#[test]
fn keys_in_any_order() {
    let (read, codes) = info("info pv e2e4 e7e5 score cp 3 depth 2 multipv 1");
    assert_eq!(read.get_pv(), Some(Moves::from("e2e4 e7e5")));
    assert_eq!(
        (read.get_score(), read.get_depth(), read.get_multipv()),
        (Some(Score::cp(3)), Some(2), Some(1))
    );
    assert!(codes.is_empty());
    let (read, _) = info("info depth 1 string score cp 5 pv e2e4");
    assert_eq!(read.get_string().unwrap(), "score cp 5 pv e2e4");
    assert_eq!(read.get_score(), None);
}

#[test]
fn banners_and_noise_are_text() {
    for line in [
        "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)",
        "Unknown command: 'joho'. Type help for more information.",
        "hash=16384MB",
        "See the manual for more info on this option",
        "this option needs a license",
        "error (no command)",
    ] {
        let (message, codes) = report(line);
        assert_eq!(message, Report::Text(Text::from(line)));
        assert_eq!(codes, [Code::UnknownCommand]);
    }
    let (message, codes) = report("garbage bestmove e2e4 ponder e7e5");
    assert!(matches!(message, Report::BestMove(_)));
    assert_eq!(codes, [Code::SkippedWords]);
    for line in [
        "the bestmove is e2e4",
        "bestmoves follow: bestmove comes last",
    ] {
        assert_eq!(report(line).0, Report::Text(Text::from(line)), "{line}");
    }
}

/// "Ignore it and try to parse the rest of the string in this line": before the
/// word, behind it, and both at once.
#[test]
fn unknown_words_around_a_report() {
    for best in ["e2e4", "e7e8q", "0000", "g10g7", "f5L"] {
        for line in [
            format!("bestmove {best} joho"),
            format!("joho bestmove {best}"),
            format!("joho bestmove {best} joho"),
            format!("joho joho bestmove {best} ponder e7e5 joho"),
        ] {
            let Report::BestMove(read) = report(&line).0 else {
                panic!("{line}")
            };
            assert_eq!(read.best.unwrap(), best, "{line}");
        }
    }
    // Only a host can tell whether that is meant.
    for (line, amid) in [
        ("joho bestmove e2e4 joho", true),
        ("now bestmove c2c4 at depth 3", true),
        ("I answer uciok then", true),
        ("joho readyok", false),
        ("bestmove e2e4 joho", false),
        ("joho bestmove e2e4 ponder e7e5", false),
    ] {
        let parsed = Report::parse(line.as_bytes(), UCI);
        assert_eq!(parsed.is_amid_words(), amid, "{line}");
    }
    for (word, wanted) in [("readyok", Report::ReadyOk), ("uciok", Report::UciOk)] {
        for line in [
            format!("{word} joho"),
            format!("joho {word}"),
            format!("joho {word} joho"),
        ] {
            assert_eq!(report(&line).0, wanted, "{line}");
        }
    }
    let line = b"joho bestmove 0|1|9 joho";
    let parsed = Report::parse(line, Dialect::Ugi);
    let skips = Dialect::Ugi.skips_unknown_words();
    assert_eq!(matches!(parsed.message, Report::BestMove(_)), skips);
}

#[test]
fn bytes_that_are_not_text() {
    let line = b"id name Chest\xFCCI \xFF";
    let parsed = Report::parse(line, UCI);
    let Report::Id(id) = parsed.message else {
        panic!()
    };
    assert_eq!(id.value.as_bytes(), b"Chest\xFCCI \xFF");
    assert_eq!(parsed.normal(UCI), line);
    assert_eq!(
        parsed.diagnostics().iter().next().unwrap().code,
        Code::InvalidUtf8
    );
    assert_eq!(
        parsed.diagnostics().iter().next().unwrap().severity(),
        Severity::Note
    );
}

#[test]
fn long_lines_spill_and_keep_everything() {
    let mut line = String::from("info");
    for i in 0..500 {
        line.extend([" depth ", &i.to_string(), " odd", &i.to_string()]);
    }
    let (read, _) = info(&line);
    assert_eq!((read.items.len(), read.get_depth()), (1000, Some(499)));
    let moves = "e2e4 e7e5 ".repeat(2000);
    let line = format!("position startpos moves {moves}");
    let (Command::Position(read), _) = command(&line) else {
        panic!()
    };
    assert_eq!(read.moves.unwrap().len(), 4000);
    assert_eq!(show(read.moves.unwrap().last().unwrap().as_bytes()), "e7e5");
}

/// UGI writes a plain decimal and a plain name: what it cannot write back must
/// not pass in silence.
#[test]
fn scores_and_options_of_uci_are_foreign_to_ugi() {
    for line in [
        "info score cp 0",
        "info score mate 3",
        "info score lowerbound cp 5",
        "bestmove 0|1|9 score cp 5",
        "option name Hash type spin default 16 min 1 max 64",
        "option name Hash",
        "option type button name Clear",
    ] {
        let parsed = Report::parse(line.as_bytes(), Dialect::Ugi);
        let codes: Vec<_> = parsed.diagnostics().iter().map(|d| d.code).collect();
        assert_eq!(codes, [Code::ForeignWord], "{line}");
    }
    for line in ["info score 1061.000", "option maxPly"] {
        let parsed = Report::parse(line.as_bytes(), Dialect::Ugi);
        assert_eq!(parsed.diagnostics(), [], "{line}");
        assert_eq!(parsed.normal(Dialect::Ugi), line.as_bytes());
    }
}

#[test]
fn strict_callers_use_the_same_parse() {
    assert!(
        Report::parse(b"info depth 3 ebf 1.7", UCI)
            .strict()
            .is_err()
    );
    assert!(
        Report::parse(b"info depth 3 score cp 5", UCI)
            .strict()
            .is_ok()
    );
    assert!(
        Command::parse(b"go wtime -5", UCI).strict().is_ok(),
        "a note is no refusal"
    );
}
