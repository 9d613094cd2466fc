//! `option` lines of every shape that engines were seen to send: nothing is
//! lost, and every deviation has its diagnostic.

use crate::common::whole;
use quadrille_protocol::{Code, Dialect, OptionType, Report, Text};

const UCI: Dialect = Dialect::Uci;

#[test]
fn options_of_every_shape() {
    let option = |line: &'static str| {
        let (message, codes) = whole(line, Report::parse(line.as_bytes(), UCI), UCI);
        let Report::Option(option) = message else {
            panic!("{line:?}")
        };
        (option, codes)
    };
    let (spin, codes) = option("option name Hash type spin max 1024 min 1 default 16");
    assert_eq!(
        (spin.default_number(), spin.min(), spin.max()),
        (Some(16), Some(1), Some(1024))
    );
    assert!(codes.is_empty());
    let (file, codes) = option("option name X type filename");
    assert_eq!(file.kind(), Some(OptionType::Other(Text::from("filename"))));
    assert_eq!(codes, [Code::UnknownOptionType]);
    let (path, codes) = option("option name NalimovPath type string default <empty>");
    assert_eq!(
        (path.default_text().unwrap(), path.default_value()),
        (Text::from("<empty>"), Some(Text::EMPTY))
    );
    assert!(codes.is_empty());
    let (nothing, codes) = option("option name Book type string default");
    assert_eq!(
        (nothing.default_value(), codes.len()),
        (Some(Text::EMPTY), 0)
    );
    let (mini, _) = option("option name mini max  type spin default 1 min 0 max 9");
    assert_eq!(mini.name().unwrap(), "mini max");
    let (words, _) =
        option("option name Default value name type string default my var min value dir");
    assert_eq!(words.name().unwrap(), "Default value name");
    assert_eq!(words.default_text().unwrap(), "my var min value dir");
    let (typed, _) =
        option("option name Piece type set type combo default a b var a b var c min d");
    assert_eq!(typed.name().unwrap(), "Piece type set");
    assert_eq!(typed.default_text().unwrap(), "a b");
    assert_eq!(typed.vars().collect::<Vec<_>>(), ["a b", "c min d"]);
    let (odd, _) = option("option name S type combo default default var default var var x");
    assert_eq!(odd.default_text().unwrap(), "default");
    let (empty, codes) = option("option name S type combo default var A var B");
    assert_eq!(
        (empty.default_text(), codes),
        (Some(Text::EMPTY), vec![Code::DefaultNotListed])
    );
    let (capital, codes) = option("option name P type check default False");
    assert_eq!(
        (capital.default_bool(), codes),
        (Some(false), vec![Code::DefaultNotABool])
    );
    let (turned, _) = option("option type spin name Hash default 16 min 1 max 64");
    assert_eq!(
        (turned.name().unwrap(), turned.default_number()),
        (Text::from("Hash"), Some(16))
    );
    let (value, codes) = option("option name h type spin value 3 default 3 min 0 max 9");
    assert_eq!(
        (value.value().unwrap(), codes),
        (Text::from("3"), vec![Code::ForeignWord])
    );
    assert_eq!(
        option("option name Hash type spin default 99 min 1 max 64").1,
        [Code::DefaultOutOfRange]
    );
    assert_eq!(
        option("option name Hash type spin default 3 min 9 max 1").1,
        [Code::EmptyRange]
    );
    assert_eq!(
        option("option name Hash type spin default big min 1 max 64").1,
        [Code::NotANumber]
    );
    assert_eq!(option("option name Lonely").1, [Code::OptionWithoutType]);
    assert_eq!(option("option").1, [Code::OptionWithoutName]);
}
