//! Which lines of a client are passed on to a lent engine.
//!
//! An engine trusts its host: it writes logs where it is told, reads nets and
//! tables from where it is told, and many have words of their own besides the
//! protocol's that write files (`export_net`). A client is not the host, so only
//! words of the protocol are passed on, and only options whose values are numbers,
//! switches or choices.

use std::borrow::Cow;

use quadrille_net::sanitize::cut;
use quadrille_protocol::{Dialect, Report};

use crate::{EngineOption, OptionKind, OptionList};

use super::positions::Positions;
use super::resources::Resources;

/// The protocol's words, of all dialects. `bench` is none of them: with some
/// engines it takes the name of a file.
const WORDS: [&str; 24] = [
    "uci",
    "ugi",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "uginewgame",
    "position",
    "setpos",
    "move",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "clock",
    "info",
    "debug",
    "eval",
    "perft",
    "d",
    "display",
    "generate",
    "help",
    "showpos",
];

/// Words that stand alone; what a client writes behind them is not passed on.
const ALONE: [&str; 13] = [
    "uci",
    "ugi",
    "isready",
    "ucinewgame",
    "uginewgame",
    "stop",
    "ponderhit",
    "quit",
    "eval",
    "d",
    "display",
    "generate",
    "showpos",
];

/// Words that are checked with what stands behind them, and may stand behind no other.
const CHECKED: [&str; 6] = ["setoption", "position", "setpos", "move", "go", "perft"];

/// Texts that name no file.
const HARMLESS: [&str; 2] = ["UCI_Opponent", "UCI_SetPositionValue"];

/// Parts of names that speak of files, programs or the network, whatever the kind
/// of the option.
const OUTSIDE: [&str; 12] = [
    "file", "path", "folder", "director", "log", "book", "save", "write", "export", "learn",
    "socket", "server",
];

/// The longest text of such an option, but for positions.
const LONGEST_TEXT: usize = 200;

/// An engine that declares more is not listened to any more.
const MOST_OPTIONS: usize = 1000;

/// What becomes of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict<'a> {
    /// It goes to the engine, perhaps in another form, and the client may have to
    /// know something about it.
    Pass(Cow<'a, [u8]>, Option<String>),
    /// It does not, for this reason.
    Refuse(String),
    /// It says nothing.
    Nothing,
}

/// What is allowed beyond the usual, and what is set for everybody.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    /// Options that are passed on though they may name files.
    pub(super) options: Vec<String>,
    /// Words that are passed on though they are not of the protocol.
    pub(super) words: Vec<String>,
    /// What the owner has set; clients cannot change it.
    pub(super) set: Vec<(String, Option<String>)>,
    /// How many engines there may be at once; they share the memory.
    pub(super) most: usize,
}

/// Listens to an engine's options, and judges a client's lines by them.
#[derive(Debug)]
pub(super) struct Filter {
    rules: Rules,
    options: OptionList,
    dialect: Dialect,
    positions: Positions,
    resources: Resources,
}

fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn is_chess960(option: &str) -> bool {
    option.eq_ignore_ascii_case("UCI_Chess960")
}

fn is_checked(word: &str) -> bool {
    CHECKED.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn is_on(value: Option<&str>) -> bool {
    value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

impl Filter {
    pub(super) fn new(rules: Rules, dialect: Dialect) -> Self {
        let mut positions = Positions::new(dialect);
        for (name, value) in &rules.set {
            if is_chess960(name) {
                positions.set_chess960(is_on(value.as_deref()));
            }
        }
        Self {
            rules,
            options: OptionList::default(),
            dialect,
            positions,
            resources: Resources::default(),
        }
    }

    /// Hears a line of the engine's. When it has declared everything: what its owner
    /// wants to be set.
    pub(super) fn hear(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let declares = line.starts_with(b"option") && self.options.iter().len() < MOST_OPTIONS;
        let ends = line.starts_with(b"uciok") || line.starts_with(b"ugiok");
        if !declares && !ends {
            return None;
        }
        match Report::parse(line, self.dialect).message {
            Report::Option(option) => {
                if let Some(option) = EngineOption::read(&option) {
                    if is_chess960(&option.name) {
                        let on = matches!(
                            option.kind,
                            OptionKind::Check {
                                default: Some(true)
                            }
                        );
                        self.positions.declare_chess960(on);
                    }
                    self.options.declare(option);
                }
                None
            }
            Report::UciOk | Report::UgiOk => Some(self.settings()),
            _ => None,
        }
    }

    fn settings(&self) -> Vec<u8> {
        let set = self.rules.set.iter();
        let lines = set.map(|(name, value)| match value {
            Some(value) => format!("setoption name {name} value {value}\n"),
            None => format!("setoption name {name}\n"),
        });
        lines.collect::<String>().into_bytes()
    }

    /// Judges a line of the client's.
    pub(super) fn judge<'a>(&mut self, line: &'a [u8]) -> Verdict<'a> {
        let Ok(text) = std::str::from_utf8(line) else {
            return Verdict::Refuse("a line that is no UTF-8 text is not passed on".into());
        };
        if text.contains(|c: char| c.is_control() && c != '\t') {
            return Verdict::Refuse("a line with control characters is not passed on".into());
        }
        let Some(first) = text.split_whitespace().next() else {
            return Verdict::Nothing;
        };
        if !WORDS.contains(&first) && !has(&self.rules.words, first) {
            let word = cut(first, 40);
            return Verdict::Refuse(format!("'{word}' is not passed on to a lent engine"));
        }
        // Engines skip words that they do not know, so an option may be set in the
        // middle of a line, too.
        let sets = text
            .split_whitespace()
            .any(|word| word.eq_ignore_ascii_case("setoption"));
        let longest = self.positions.longest(first);
        if text.len() > longest {
            let words = format!("a line of {first} has at most {longest} bytes");
            return Verdict::Refuse(words);
        }
        if sets {
            return self.judge_option(text);
        }
        if has(&self.rules.words, first) {
            return Verdict::Pass(Cow::Borrowed(line), None);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        match self.positions.judge(&words) {
            Some(Ok(line)) => Verdict::Pass(Cow::Owned(line.into_bytes()), None),
            Some(Err(why)) => Verdict::Refuse(why),
            None if ALONE.contains(&first) => Verdict::Pass(Cow::Owned(first.into()), None),
            None => match words[1..].iter().find(|word| is_checked(word)) {
                Some(word) => {
                    Verdict::Refuse(format!("'{word}' behind '{first}' is not passed on"))
                }
                None => Verdict::Pass(Cow::Borrowed(line), None),
            },
        }
    }

    /// `setoption name N [value V]` in exactly this form, so that no engine reads it
    /// in another way than we do.
    fn judge_option<'a>(&mut self, text: &str) -> Verdict<'a> {
        let form =
            || Verdict::Refuse("an option is set with: setoption name NAME value VALUE".into());
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["setoption", "name", rest @ ..] = &words[..] else {
            return form();
        };
        let end = rest.iter().position(|word| *word == "value");
        let (name, value) = match end {
            Some(end) => (&rest[..end], Some(rest[end + 1..].join(" "))),
            None => (rest, None),
        };
        let told = |word: &&str| {
            ["setoption", "name", "value"]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(word))
        };
        let name = name.join(" ");
        let inside = value.as_deref().unwrap_or_default();
        if name.is_empty()
            || name.split_whitespace().any(|word| told(&word))
            || inside.split_whitespace().any(|word| told(&word))
        {
            return form();
        }
        match self.option(&name, value.as_deref()) {
            Ok((value, note)) => {
                if is_chess960(&name) {
                    self.positions.set_chess960(is_on(value.as_deref()));
                }
                let line = match value {
                    Some(value) => format!("setoption name {name} value {value}"),
                    None => format!("setoption name {name}"),
                };
                Verdict::Pass(Cow::Owned(line.into_bytes()), note)
            }
            Err(why) => Verdict::Refuse(format!("option {}: {why}", cut(&name, 60))),
        }
    }

    /// The value to set, and what the client should know about it.
    fn option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(Option<String>, Option<String>), String> {
        let declared = self.options.get(name);
        // In the engine's spelling: a name that differs from it in blanks is the same.
        let name = declared.map_or(name, |option| &option.name);
        let owner = |(known, _): &(String, _)| known.eq_ignore_ascii_case(name);
        if self.rules.set.iter().any(owner) {
            return Err("the owner of this engine has set it, and it stays so".into());
        }
        if has(&self.rules.options, name) {
            return Ok((value.map(Into::into), None));
        }
        let Some(option) = declared else {
            // An engine may know options that it does not tell of.
            return Err("the engine has not told that it has such an option".into());
        };
        let lower = name.to_ascii_lowercase();
        let given = value.unwrap_or_default();
        let is_text = match option.kind {
            OptionKind::Text { .. } => true,
            // UGI has no kinds.
            OptionKind::Untyped { .. } => {
                given.parse::<i64>().is_err() && !matches!(given, "true" | "false")
            }
            _ => false,
        };
        let harmless = HARMLESS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name));
        if (is_text && !harmless) || OUTSIDE.iter().any(|part| lower.contains(part)) {
            return Err(format!(
                "a client may not set it, because it may name a file; the owner can allow it \
                 with --allow-option '{}'",
                cut(name, 60)
            ));
        }
        let value = option.check(value).map_err(|error| {
            let words = error.to_string();
            // The name is told by the caller.
            let bare = words.strip_prefix(&format!("option {name}: "));
            bare.unwrap_or(&words).to_owned()
        })?;
        if lower == "uci_setpositionvalue" {
            let valued = self
                .positions
                .valued(value.as_deref().unwrap_or_default())?;
            return Ok((Some(valued), None));
        }
        if is_text && given.len() > LONGEST_TEXT {
            return Err(format!("its value has at most {LONGEST_TEXT} bytes"));
        }
        let wanted = value.as_deref().and_then(|value| value.parse::<u64>().ok());
        let Some(wanted) = wanted else {
            return Ok((value, None));
        };
        let option = option.clone();
        let most = self.rules.most;
        let (granted, note) = self.resources.bounded(&self.options, &option, wanted, most);
        if note.is_none() {
            return Ok((value, None));
        }
        Ok((Some(granted.to_string()), note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{memory_mb, processors};

    fn filter() -> Filter {
        let rules = Rules {
            options: vec!["syzygypath".into()],
            words: vec!["speedtest".into()],
            set: vec![("MultiPV".into(), Some("2".into()))],
            most: 2,
        };
        let mut filter = Filter::new(rules, Dialect::Uci);
        for line in [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Threads type spin default 1 min 1 max 100000",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Cores type spin default 1 min 1 max 100000",
            "option name threads_search type spin default 1 min 1 max 100000",
            "option name Hash Memory MB type spin default 16 min 1 max 33554432",
            "option name UCI_SetPositionValue type string default <empty>",
            "option name Ponder type check default false",
            "option name Style type combo default Normal var Normal var Solid",
            "option name Clear Hash type button",
            "option name Save Net type button",
            "option name EvalFile type string default nn.nnue",
            "option name SyzygyPath type string default <empty>",
            "option name NalimovPath type string default <empty>",
            "option name Debug Log File type string default <empty>",
            "option name UCI_Opponent type string default <empty>",
            "option name Personality type string default <empty>",
        ] {
            assert_eq!(filter.hear(line.as_bytes()), None);
        }
        let set = filter.hear(b"uciok").expect("the end of the options");
        assert_eq!(set, b"setoption name MultiPV value 2\n");
        filter
    }

    #[test]
    fn what_the_protocol_says_is_passed_on_as_it_is() {
        let mut filter = filter();
        for line in [
            "uci",
            "  isready ",
            "position startpos moves e2e4 e7e5",
            "go wtime 1000 btime 1000\twinc 10",
            "stop",
            "quit",
            "speedtest 1",
        ] {
            let Verdict::Pass(passed, None) = filter.judge(line.as_bytes()) else {
                panic!("{line}");
            };
            let words = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                text.split_whitespace()
                    .map(Into::into)
                    .collect::<Vec<String>>()
            };
            assert_eq!(words(&passed), words(line.as_bytes()));
        }
        assert_eq!(filter.judge(b" \t"), Verdict::Nothing);
        for (line, told) in [
            ("d position fen KKKK", "d"),
            (" ucinewgame\tgo", "ucinewgame"),
            ("eval x", "eval"),
            ("debug on", "debug on"),
            ("register name Ann code 1", "register name Ann code 1"),
        ] {
            let passed = Verdict::Pass(told.as_bytes().into(), None);
            assert_eq!(filter.judge(line.as_bytes()), passed);
        }
    }

    #[test]
    fn options_that_are_numbers_and_choices_are_passed_on() {
        let mut filter = filter();
        for (line, told) in [
            ("setoption name Hash value 2", "setoption name Hash value 2"),
            (" setoption  name clear   hash", "setoption name clear hash"),
            (
                "setoption name Style value solid",
                "setoption name Style value Solid",
            ),
            (
                "setoption name SyzygyPath value /a b/c",
                "setoption name SyzygyPath value /a b/c",
            ),
            (
                "setoption name UCI_Opponent value none none human Ann",
                "setoption name UCI_Opponent value none none human Ann",
            ),
        ] {
            let Verdict::Pass(passed, None) = filter.judge(line.as_bytes()) else {
                panic!("{line}: {:?}", filter.judge(line.as_bytes()));
            };
            assert_eq!(String::from_utf8_lossy(&passed), told);
        }
    }

    #[test]
    fn what_the_option_says_decides_how_castling_is_written() {
        let mut filter = filter();
        let castles = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves";
        for (switch, passed) in [("false", "e1g1"), ("true", "e1h1")] {
            filter.hear(b"option name UCI_Chess960 type check default false");
            let line = format!("setoption name uci_chess960 value {switch}");
            let verdict = filter.judge(line.as_bytes());
            assert!(matches!(verdict, Verdict::Pass(_, None)), "{verdict:?}");
            let line = format!("{castles} O-O");
            let passed = format!("{castles} {passed}").into_bytes();
            let verdict = filter.judge(line.as_bytes());
            assert_eq!(verdict, Verdict::Pass(passed.into(), None));
        }
        // The same rights behind a value.
        let line =
            b"setoption name UCI_SetPositionValue value 5 + 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1";
        let told = b"setoption name UCI_SetPositionValue value 5 + 4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(filter.judge(line), Verdict::Pass(told.into(), None));
    }

    #[test]
    fn a_refusal_names_the_option_once() {
        let verdict = filter().judge(b"setoption name Hash value much");
        let Verdict::Refuse(words) = verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!(words.matches("Hash").count(), 1, "{words}");
    }

    #[test]
    fn a_client_cannot_take_the_whole_machine() {
        let mut filter = filter();
        for name in ["Threads", "Cores", "threads_search"] {
            let all = format!("setoption name {name} value 100000");
            let Verdict::Pass(passed, Some(note)) = filter.judge(all.as_bytes()) else {
                panic!("{name}");
            };
            let most = format!("setoption name {name} value {}", processors());
            assert_eq!(String::from_utf8_lossy(&passed), most);
            let begin = format!("{} is", name.to_ascii_lowercase());
            assert!(note.starts_with(&begin), "{note}");
        }
        // All that is memory is shared, however it is called.
        let Some(all) = memory_mb() else { return };
        let room = all / 4;
        let mut granted = |name: &str| {
            let line = format!("setoption name {name} value 33554432");
            let Verdict::Pass(passed, Some(_)) = filter.judge(line.as_bytes()) else {
                panic!("{name}");
            };
            let text = String::from_utf8_lossy(&passed).into_owned();
            let value = text.rsplit(' ').next().and_then(|word| word.parse().ok());
            value.unwrap_or(u64::MAX)
        };
        assert_eq!(granted("Hash"), room);
        assert!(granted("Hash Memory MB") <= 16);
    }

    /// A position that no game can have, wherever it stands.
    #[test]
    fn positions_and_moves_are_checked() {
        let mut filter = filter();
        let long = format!("isready {}", "x".repeat(5000));
        for line in [
            "position fen KKKKKKKK/8/8/8/8/8/8/8 w - - 0 1",
            "position startpos moves e2e4 e2e4",
            "go searchmoves a1a8",
            "setoption name UCI_SetPositionValue value 5 + KKKK w",
            &*format!("setoption name UCI_Opponent value {}", "x".repeat(300)),
            &*long,
        ] {
            let verdict = filter.judge(line.as_bytes());
            assert!(matches!(verdict, Verdict::Refuse(_)), "{verdict:?}");
        }
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let valued = format!("setoption name UCI_SetPositionValue value 5 + {start}");
        let verdict = filter.judge(valued.as_bytes());
        assert!(matches!(verdict, Verdict::Pass(..)), "{verdict:?}");
    }

    /// Every way that an engine might be brought to touch a file.
    #[test]
    fn what_may_name_a_file_is_refused() {
        let mut filter = filter();
        for line in [
            "setoption name EvalFile value /etc/passwd",
            "setoption name evalfile value /etc/passwd",
            "setoption name Debug Log File value /home/me/.bashrc",
            "setoption name NalimovPath value x",
            "setoption name Personality value ../x",
            "setoption name Save Net",
            "setoption name Hidden value x",
            "setoption name MultiPV value 400",
            "setoption name Hash value 16 name EvalFile value x",
            "setoption name Hash value x",
            "setoption value x name EvalFile",
            "setoption EvalFile x",
            "setoption name EvalFile Name Hash value 1",
            "SetOption name Hash value 1",
            "isready setoption name EvalFile value x",
            "help position fen KKKK",
            "register Position fen KKKK",
            "debug on go perft 99",
            "info x perft -1",
            "joho setoption name EvalFile value x",
            "setoption name Hash value 1\rsetoption name EvalFile value x",
            "setoption",
            "setoption name",
            "export_net /home/me/.bashrc",
            "bench 16 1 1 /etc/passwd",
            "load x",
            "UCI",
            "\u{1b}[2J",
        ] {
            let verdict = filter.judge(line.as_bytes());
            assert!(matches!(verdict, Verdict::Refuse(_)), "{line}: {verdict:?}");
        }
        assert!(matches!(filter.judge(b"go\xff"), Verdict::Refuse(_)));
    }
}
