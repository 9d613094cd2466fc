//! Laws that hold for every message and for every string of bytes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::num::NonZeroU32;

use quadrille_protocol::{
    BestMove, Bound, Clock, Command, Decimal, Dialect, EngineSide, ErrorKind, Go, GoItem, HashFull,
    HostSide, Id, IdKey, Info, InfoItem, LineBuffer, Moves, OptionItem, OptionLine, OptionType,
    PositionBase, Register, Report, Score, SetOption, SetPos, SetPosition, Status, Text, Time, Wdl,
};

/// Messages borrow their text; the few bytes a test run leaks do not matter.
fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn text(pattern: &'static str) -> impl Strategy<Value = Text<'static>> {
    pattern.prop_map(|s| Text::from(leak(s)))
}

/// A word that is no keyword anywhere.
fn odd_words() -> impl Strategy<Value = Text<'static>> {
    text("zz[a-z0-9_.]{0,6}( zz[a-z]{0,4}){0,2}")
}

fn name() -> impl Strategy<Value = Text<'static>> {
    text("[A-Z][a-zA-Z0-9_]{0,8}( {1,2}[A-Z0-9][a-z]{0,6}){0,3}")
}

fn one_move() -> impl Strategy<Value = Text<'static>> {
    text(
        "[a-j][0-9]{1,2}[a-j][0-9]{1,2}[qrbn]?|[a-j][0-9][LRU]|[0-9]{1,2}\\|[0-9]{1,2}(\\|[0-9]{1,2})?|P@e4|0000",
    )
}

fn moves() -> impl Strategy<Value = Moves<'static>> {
    vec(one_move(), 0..12).prop_map(|list| {
        let list: Vec<String> = list.iter().map(ToString::to_string).collect();
        Moves::from(leak(list.join(" ")))
    })
}

fn decimal() -> impl Strategy<Value = Decimal> {
    (any::<i64>(), 0u8..=6).prop_map(|(mantissa, scale)| Decimal::new(mantissa, scale))
}

fn bound() -> impl Strategy<Value = Option<Bound>> {
    prop_oneof![
        Just(None),
        Just(Some(Bound::Lower)),
        Just(Some(Bound::Upper))
    ]
}

fn score(dialect: Dialect) -> BoxedStrategy<Score> {
    if dialect == Dialect::Ugi {
        return decimal().prop_map(Score::units).boxed();
    }
    let value = prop_oneof![
        any::<i64>().prop_map(Score::cp),
        any::<i64>().prop_map(Score::mate)
    ];
    (value, bound())
        .prop_map(|(score, bound)| bound.map_or(score, |bound| score.with_bound(bound)))
        .boxed()
}

fn time(dialect: Dialect) -> BoxedStrategy<Time> {
    match dialect {
        Dialect::Ugi => decimal().prop_map(Time::Seconds).boxed(),
        Dialect::Leiser => prop_oneof![
            any::<u64>().prop_map(Time::Millis),
            any::<u64>().prop_map(Time::Micros)
        ]
        .boxed(),
        _ => any::<u64>().prop_map(Time::Millis).boxed(),
    }
}

fn hashfull(dialect: Dialect) -> BoxedStrategy<HashFull> {
    match dialect {
        Dialect::Leiser => (0u64..=100).prop_map(HashFull::Percent).boxed(),
        _ => any::<u64>().prop_map(HashFull::Permill).boxed(),
    }
}

fn info_item(dialect: Dialect) -> impl Strategy<Value = InfoItem<'static>> {
    let number = any::<u64>();
    let wdl = any::<(u32, u32, u32)>();
    prop_oneof![
        number.prop_map(InfoItem::Depth),
        number.prop_map(InfoItem::SelDepth),
        time(dialect).prop_map(InfoItem::Time),
        number.prop_map(InfoItem::Nodes),
        number.prop_map(InfoItem::Nps),
        moves().prop_map(InfoItem::Pv),
        number.prop_map(InfoItem::MultiPv),
        score(dialect).prop_map(InfoItem::Score),
        wdl.prop_map(|(win, draw, loss)| InfoItem::Wdl(Wdl { win, draw, loss })),
        one_move().prop_map(InfoItem::CurrMove),
        number.prop_map(InfoItem::CurrMoveNumber),
        number.prop_map(InfoItem::MoveNo),
        hashfull(dialect).prop_map(InfoItem::HashFull),
        number.prop_map(InfoItem::TbHits),
        number.prop_map(InfoItem::SbHits),
        number.prop_map(InfoItem::CpuLoad),
        number.prop_map(InfoItem::MovesLeft),
        one_move().prop_map(InfoItem::BestMove),
        moves().prop_map(InfoItem::Refutation),
        (
            option::of((1u32..99).prop_map(|n| NonZeroU32::new(n).unwrap())),
            moves()
        )
            .prop_map(|(cpu, moves)| InfoItem::CurrLine { cpu, moves }),
        odd_words().prop_map(InfoItem::Unknown),
    ]
}

fn rest_item(dialect: Dialect) -> BoxedStrategy<InfoItem<'static>> {
    let line = || text("([!-~][ -~]{0,20})?");
    if dialect != Dialect::Ulci {
        return line().prop_map(InfoItem::String).boxed();
    }
    let kind = prop_oneof![
        Just(ErrorKind::Plain),
        Just(ErrorKind::Client),
        Just(ErrorKind::Server),
        Just(ErrorKind::ClientString),
        Just(ErrorKind::ServerString),
    ];
    prop_oneof![
        line().prop_map(InfoItem::String),
        (kind, line()).prop_map(|(kind, text)| InfoItem::Error { kind, text })
    ]
    .boxed()
}

/// Unknown words right after a list of moves would be moves, and two runs of
/// them would be one.
fn may_follow(before: Option<&InfoItem<'_>>, item: &InfoItem<'_>) -> bool {
    use InfoItem::{CurrLine, Pv, Refutation, Unknown};
    !matches!(item, Unknown(_))
        || !matches!(
            before,
            Some(Pv(_) | Refutation(_) | CurrLine { .. } | Unknown(_))
        )
}

fn info(dialect: Dialect) -> impl Strategy<Value = Info<'static>> {
    (
        vec(info_item(dialect), 0..22),
        option::of(rest_item(dialect)),
    )
        .prop_map(|(items, rest)| {
            let mut kept: Vec<InfoItem<'static>> = Vec::new();
            for item in items.into_iter().chain(rest) {
                if may_follow(kept.last(), &item) {
                    kept.push(item);
                }
            }
            Info {
                items: kept.into_iter().collect(),
            }
        })
}

fn go_item() -> impl Strategy<Value = GoItem<'static>> {
    prop_oneof![
        Just(GoItem::Ponder),
        Just(GoItem::Infinite),
        any::<i64>().prop_map(GoItem::WTime),
        any::<i64>().prop_map(GoItem::BTime),
        any::<i64>().prop_map(GoItem::WInc),
        any::<i64>().prop_map(GoItem::BInc),
        any::<i64>().prop_map(GoItem::Time),
        any::<i64>().prop_map(GoItem::Inc),
        any::<i64>().prop_map(GoItem::MoveTime),
        any::<u64>().prop_map(GoItem::MovesToGo),
        any::<u64>().prop_map(GoItem::Depth),
        any::<u64>().prop_map(GoItem::Nodes),
        any::<u64>().prop_map(GoItem::Mate),
        any::<u64>().prop_map(GoItem::Perft),
    ]
}

fn go() -> impl Strategy<Value = Go<'static>> {
    (
        option::of(odd_words()),
        vec(go_item(), 0..16),
        option::of(moves()),
    )
        .prop_map(|(odd, items, moves)| Go {
            items: odd
                .map(GoItem::Unknown)
                .into_iter()
                .chain(items)
                .chain(moves.map(GoItem::SearchMoves))
                .collect(),
        })
}

fn clock() -> impl Strategy<Value = Clock<'static>> {
    let item = prop_oneof![
        any::<i64>().prop_map(GoItem::WTime),
        any::<i64>().prop_map(GoItem::BTime),
        any::<i64>().prop_map(GoItem::WInc),
        any::<i64>().prop_map(GoItem::BInc)
    ];
    vec(item, 0..14).prop_map(|items| Clock {
        items: items.into_iter().collect(),
    })
}

fn setoption(dialect: Dialect) -> BoxedStrategy<SetOption<'static>> {
    if dialect == Dialect::Ugi {
        let value = text("[!-~]{1,12}( [!-~]{1,4})?");
        let pair = (text("[a-mA-Z][a-zA-Z]{0,10}"), value);
        return pair
            .prop_filter("a keyword", |(n, _)| *n != "name")
            .prop_map(|(n, v)| SetOption::new(n, v))
            .boxed();
    }
    (
        name(),
        option::of(text("([!-~]{1,9}( {1,2}[!-~]{1,9}){0,3})?")),
    )
        .prop_map(|(name, value)| SetOption { name, value })
        .boxed()
}

fn position() -> impl Strategy<Value = SetPosition<'static>> {
    let base = prop_oneof![
        Just(PositionBase::Startpos),
        text("[a-zA-Z0-9]{1,8}(/[a-zA-Z0-9]{1,8}){0,9}( [wb](( [KQkq-]{1,4}( [a-h][0-9]( [0-9]{1,3}( [0-9]{1,3})?)?)?)?)?)?").prop_map(PositionBase::Fen),
        Just(PositionBase::Named(Text::from("endgame"))),
        Just(PositionBase::Omitted),
    ];
    (base, option::of(moves())).prop_map(|(base, moves)| SetPosition { base, moves })
}

fn command(dialect: Dialect) -> impl Strategy<Value = Command<'static>> {
    let register = (
        any::<bool>(),
        option::of(name()),
        option::of(text("[0-9]{1,9}")),
    )
        .prop_map(|(later, name, code)| Register { later, name, code });
    let setpos = prop_oneof![
        Just(SetPos::Missing),
        Just(SetPos::Named(Text::from("bench"))),
        text("[0-3]{6}(/[0-3]{6}){5}").prop_map(SetPos::Data)
    ];
    prop_oneof![
        prop_oneof![
            Just(Command::Uci),
            Just(Command::Ugi),
            Just(Command::IsReady),
            Just(Command::UciNewGame),
            Just(Command::Stop),
            Just(Command::PonderHit),
            Just(Command::Quit),
            Just(Command::Display),
            Just(Command::Generate),
            Just(Command::Help),
            Just(Command::ShowPos),
            Just(Command::Empty),
        ],
        option::of(any::<bool>()).prop_map(Command::Debug),
        setoption(dialect).prop_map(Command::SetOption),
        register.prop_map(Command::Register),
        position().prop_map(Command::Position),
        setpos.prop_map(Command::SetPos),
        option::of(one_move()).prop_map(Command::Move),
        go().prop_map(Command::Go),
        clock().prop_map(Command::Clock),
        info(dialect).prop_map(Command::Info),
        option::of(one_move()).prop_map(Command::Eval),
        option::of(odd_words()).prop_map(Command::Bench),
        option::of(any::<u64>()).prop_map(Command::Perft),
        odd_words().prop_map(Command::Unknown),
    ]
}

fn option_line(dialect: Dialect) -> BoxedStrategy<OptionLine<'static>> {
    use OptionItem::{Default, DefaultNumber, Max, Min, Name, Type, Value, Var};
    let named = |items: Vec<OptionItem<'static>>| OptionLine {
        items: items.into_iter().collect(),
    };
    if dialect == Dialect::Ugi {
        return text("[A-Z][a-zA-Z]{0,9}")
            .prop_map(move |n| named(vec![Name(n)]))
            .boxed();
    }
    let value = || text("[A-Z0-9.][a-z0-9]{0,7}( [A-Z][a-z]{0,5}){0,2}");
    prop_oneof![
        name().prop_map(move |n| named(vec![Name(n), Type(OptionType::Button)])),
        (name(), any::<bool>()).prop_map(move |(n, on)| {
            named(vec![
                Name(n),
                Type(OptionType::Check),
                Default(Text::from(if on { "true" } else { "false" })),
            ])
        }),
        (name(), any::<[i64; 3]>()).prop_map(move |(n, [default, min, max])| {
            named(vec![
                Type(OptionType::Spin),
                Name(n),
                Max(max),
                DefaultNumber(default),
                Min(min),
            ])
        }),
        (name(), any::<i64>(), value()).prop_map(move |(n, default, v)| {
            named(vec![
                Name(n),
                Type(OptionType::Spin),
                Value(v),
                DefaultNumber(default),
            ])
        }),
        (name(), value(), vec(value(), 0..14)).prop_map(move |(n, default, vars)| {
            let head = [Name(n), Type(OptionType::Combo), Default(default)];
            named(head.into_iter().chain(vars.into_iter().map(Var)).collect())
        }),
        (name(), text("([!-~]{1,8}( {1,3}[!-~]{1,8}){0,4})?")).prop_map(move |(n, default)| {
            named(vec![Name(n), Type(OptionType::String), Default(default)])
        }),
        (name(), value()).prop_map(move |(n, default)| {
            named(vec![
                Name(n),
                Type(OptionType::Other(Text::from("filename"))),
                Default(default),
            ])
        }),
    ]
    .boxed()
}

fn status() -> impl Strategy<Value = Status<'static>> {
    prop_oneof![
        Just(Status::Checking),
        Just(Status::Ok),
        Just(Status::Error),
        text("zz[a-z]{0,5}").prop_map(Status::Other)
    ]
}

fn report(dialect: Dialect) -> impl Strategy<Value = Report<'static>> {
    let key = prop_oneof![
        Just(IdKey::Name),
        Just(IdKey::Author),
        Just(IdKey::Version),
        Just(IdKey::Pieces),
        Just(IdKey::Username),
        Just(IdKey::Feature),
        text("zz[a-z]{1,5}").prop_map(IdKey::Other),
    ];
    let id =
        (key, text("[!-~]{1,9}( {1,2}[!-~]{1,9}){0,4}")).prop_map(|(key, value)| Id { key, value });
    let best = (
        one_move(),
        option::of(one_move()),
        option::of(score(dialect)),
        option::of(time(dialect)),
    )
        .prop_map(|(best, ponder, score, time)| BestMove {
            best: Some(best),
            ponder,
            score,
            time,
        });
    prop_oneof![
        prop_oneof![
            Just(Report::UciOk),
            Just(Report::UgiOk),
            Just(Report::ReadyOk),
            Just(Report::Empty)
        ],
        id.prop_map(Report::Id),
        best.prop_map(Report::BestMove),
        status().prop_map(Report::CopyProtection),
        status().prop_map(Report::Registration),
        info(dialect).prop_map(Report::Info),
        option_line(dialect).prop_map(Report::Option),
        any::<(u64, u64)>().prop_map(|(depth, count)| Report::Perft { depth, count }),
        text("zz[ -~]{0,20}")
            .prop_filter("a keyword", |t| {
                let words = [
                    "info", "bestmove", "option", "id", "uciok", "ugiok", "readyok",
                ];
                !t.to_str().unwrap().split(' ').any(|w| words.contains(&w))
            })
            .prop_map(Report::Text),
    ]
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![
        Just(Dialect::Uci),
        Just(Dialect::Ulci),
        Just(Dialect::Leiser),
        Just(Dialect::Ugi)
    ]
}

/// Bytes that look a little like a conversation, so that the readers get past
/// the first word.
fn nasty_line() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "info",
        "bestmove",
        "option",
        "id",
        "go",
        "position",
        "setoption",
        "register",
        "setpos",
        "perft",
        "clock",
        "debug",
        "name",
        "value",
        "type",
        "spin",
        "combo",
        "string",
        "check",
        "default",
        "min",
        "max",
        "var",
        "score",
        "cp",
        "mate",
        "lowerbound",
        "upperbound",
        "wdl",
        "pv",
        "depth",
        "time",
        "(microsec)",
        "currline",
        "searchmoves",
        "moves",
        "fen",
        "startpos",
        "data",
        "ponder",
        "code",
        "later",
        "later",
        "-",
        "-5",
        "99999999999999999999",
        "1.5",
        ".",
        "\"",
        "e2e4",
        "",
        "\u{feff}",
    ]);
    let piece = prop_oneof![
        6 => words.prop_map(|w| w.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..6),
    ];
    let blank = prop::sample::select(vec![" ", "  ", "\t", "\r", "\n", ""]);
    vec((piece, blank), 0..16).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(piece, blank)| [piece, blank.as_bytes().to_vec()])
            .flatten()
            .collect()
    })
}

fn check_spans(line: &[u8], diagnostics: &[quadrille_protocol::Diagnostic]) {
    for finding in diagnostics {
        assert!(finding.span().end <= line.len(), "{finding:?} in {line:?}");
        assert!(finding.span().start <= finding.span().end);
        assert!(!finding.explain(line).to_string().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn commands_round_trip((dialect, command) in dialect().prop_flat_map(|d| (Just(d), command(d)))) {
        let line = command.line(dialect);
        let parsed = Command::parse(&line, dialect);
        prop_assert_eq!(&parsed.message, &command, "{}", String::from_utf8_lossy(&line));
        prop_assert_eq!(parsed.normal(dialect), line);
    }

    #[test]
    fn reports_round_trip((dialect, report) in dialect().prop_flat_map(|d| (Just(d), report(d)))) {
        let line = report.line(dialect);
        let parsed = Report::parse(&line, dialect);
        prop_assert_eq!(&parsed.message, &report, "{}", String::from_utf8_lossy(&line));
        prop_assert_eq!(parsed.normal(dialect), line);
    }

    /// Whatever the bytes: no panic, the exact line, sane spans, and a normal
    /// form that is one line.
    #[test]
    fn any_bytes(line in prop_oneof![nasty_line(), vec(any::<u8>(), 0..80)], dialect in dialect()) {
        let command = Command::parse(&line, dialect);
        prop_assert_eq!(command.exact(), &line[..]);
        check_spans(&line, command.diagnostics());
        let normal = command.normal(dialect);
        prop_assert!(!normal.contains(&b'\n'));
        let report = Report::parse(&line, dialect);
        prop_assert_eq!(report.exact(), &line[..]);
        check_spans(&line, report.diagnostics());
        let normal = report.normal(dialect);
        prop_assert!(!normal.contains(&b'\n'));
    }

    /// The state machines take anything in any order.
    #[test]
    fn any_conversation(lines in vec((any::<bool>(), nasty_line()), 0..40), dialect in dialect()) {
        let (mut host, mut engine) = (HostSide::new(dialect), EngineSide::new(dialect));
        for (from_host, line) in &lines {
            if *from_host {
                let message = Command::parse(line, dialect).message;
                prop_assert_eq!(host.check(&message), host.sent(&message));
                engine.received(&message);
            } else {
                let message = Report::parse(line, dialect).message;
                host.received(&message);
                engine.sent(&message);
            }
            prop_assert_eq!(host.owed(), engine.owed());
            prop_assert_eq!(host.phase(), engine.phase());
        }
    }

    /// How a stream is cut into chunks makes no difference to its lines.
    #[test]
    fn framing_does_not_depend_on_chunks(stream in vec(prop::sample::select(b"ab\r\n ".to_vec()), 0..60), size in 1usize..9) {
        let collect = |chunks: &mut dyn Iterator<Item = &[u8]>| {
            let mut buffer = LineBuffer::with_limit(1000);
            let mut lines: Vec<Vec<u8>> = Vec::new();
            for chunk in chunks {
                buffer.feed(chunk);
                while let Some(line) = buffer.next_line() {
                    lines.push(line.to_vec());
                }
            }
            lines.extend(buffer.finish().map(<[u8]>::to_vec));
            lines
        };
        let whole = collect(&mut std::iter::once(&stream[..]));
        let cut = collect(&mut stream.chunks(size));
        prop_assert_eq!(whole, cut);
    }
}
