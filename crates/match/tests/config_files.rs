//! Matches described by files.

use std::fs;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use quadrille_match::config::*;

use crate::config::{TWO, config, error, words};

const FILE: &str = r#"
event = "From a file"
game = "chess"
rounds = 20
concurrency = 2
srand = 9

[each]
tc = "8+0.08"
timemargin = 10
[each.options]
Threads = 1
Hash = 16
SyzygyPath = "/tb"
UseNNUE = true

[[engine]]
name = "new"
cmd = "./new"
args = ["-a", "b c"]
env = { LANG = "C" }
[engine.options]
hash = 64

[[engine]]
name = "old"
cmd = "./old"
args = "-a 'b c'"
handicap = 2
ponder = true
startup-ms = 100

[openings]
file = "book.pgn"
order = "random"
plies = 16

[sprt]
elo0 = 0
elo1 = 2.5

[resign]
movecount = 3
score = 400

[tb]
paths = ["/a", "/b"]
pieces = 6

[pgnout]
file = "x.pgn"
nodes = true
"#;

#[test]
fn a_whole_file() {
    let config = from_toml(FILE).expect("good").finish().expect("good");
    assert_eq!(
        (config.output.event.as_str(), config.schedule.rounds),
        ("From a file", 20)
    );
    let [new, old] = config.engines.as_slice() else {
        panic!("two engines")
    };
    assert_eq!(new.spec.args, ["-a", "b c"]);
    assert_eq!(new.spec.args, old.spec.args);
    assert_eq!(new.spec.environment, [("LANG".into(), "C".into())]);
    let options: Vec<String> = new
        .spec
        .options
        .iter()
        .map(|(name, value)| format!("{name}={}", value.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(
        options,
        ["Threads=1", "Hash=64", "SyzygyPath=/tb", "UseNNUE=true"]
    );
    assert_eq!(old.time.to_string(), "16+0.16");
    assert!(old.spec.ponder);
    assert_eq!(old.spec.timeouts.startup, Duration::from_millis(100));
    assert_eq!(config.schedule.openings.format, OpeningFormat::Pgn);
    assert_eq!(config.rules.tablebases.expect("tables").paths.len(), 2);
    assert!(config.output.pgn.is_some_and(|pgn| pgn.fields.nodes));
}

#[test]
fn flags_go_over_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.toml");
    fs::write(&path, FILE).expect("a file");
    let line = format!(
        "-config {} -rounds 5 -engine name=old cmd=./older -engine cmd=third -each st=1 \
         -openings file=y.epd",
        path.display()
    );
    // Three engines cannot be tested sequentially: the file says so.
    let refused = error(&line).to_string();
    assert!(refused.contains("compares two engines"), "{refused}");
    let line = line.replace("-engine cmd=third", "");
    let config = config(&line);
    assert_eq!((config.schedule.rounds, config.machine.concurrency), (5, 2));
    assert_eq!(config.engines[1].spec.command, Path::new("./older"));
    assert_eq!(config.engines[1].spec.args, ["-a", "b c"]);
    assert_eq!(config.engines[0].time.to_string(), "8+0.08 st=1");
    assert_eq!(
        config.schedule.openings.plies, None,
        "sections are taken as a whole"
    );
}

/// Bad files: what to replace in the good one by what, and what is said.
const BAD_FILES: &[(&str, &str, &str)] = &[
    (
        "rounds = 20",
        "ronds = 20",
        "match.toml:4: there is no key 'ronds' here (did you mean 'rounds'?)",
    ),
    (
        "rounds = 20",
        "rounds = \"many\"",
        "match.toml:4: rounds = \"many\" is wrong: it must be a whole number",
    ),
    (
        "rounds = 20",
        "rounds = -1",
        "match.toml:4: rounds = -1 is wrong: it must be a whole number, not negative",
    ),
    (
        "rounds = 20",
        "rounds = 20\nrecover = \"yes\"",
        "match.toml:5: recover = \"yes\" is wrong: it must be true or false",
    ),
    ("rounds = 20", "rounds =", "match.toml:4:"),
    ("rounds = 20", "rounds = 20\nrounds = 21", "match.toml:5:"),
    (
        "tc = \"8+0.08\"",
        "tc = \"fast\"",
        "match.toml:9: 'fast' is no time control",
    ),
    ("tc = \"8+0.08\"", "tc = 8", "match.toml:9:"),
    ("tc = \"8+0.08\"", "", "may think for ever"),
    (
        "game = \"chess\"",
        "game = \"go\"",
        "match.toml:3: there is no game 'go'",
    ),
    ("[each]", "[eech]", "did you mean 'each'?"),
    ("cmd = \"./old\"", "cdm = \"./old\"", "did you mean 'cmd'?"),
    ("cmd = \"./old\"", "", "engine 2 ('old') has no command"),
    (
        "name = \"old\"",
        "name = \"new\"",
        "two engines have the name",
    ),
    ("handicap = 2", "handicap = \"big\"", "match.toml:29:"),
    ("hash = 64", "hash = [64]", "match.toml:"),
    (
        "order = \"random\"",
        "order = \"up\"",
        "match.toml:35: 'up' is no order",
    ),
    ("elo1 = 2.5", "elo1 = -2.5", "must be smaller"),
    (
        "score = 400",
        "points = 400",
        "there is no key 'points' here (known are movecount, score, twosided)",
    ),
    ("paths = [\"/a\", \"/b\"]", "", "not where they are"),
    ("file = \"x.pgn\"", "", "pgnout needs a file"),
    ("[sprt]", "[sprt", "match.toml:38:"),
];

#[test]
fn bad_files_are_explained_with_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.toml");
    for (old, new, wanted) in BAD_FILES {
        assert!(FILE.contains(old), "{old}");
        fs::write(&path, FILE.replacen(old, new, 1)).expect("a file");
        let refused = match read_flags(["--config".into(), path.display().to_string()]) {
            Ok(read) => read.draft.finish().expect_err(new).to_string(),
            Err(error) => error.to_string(),
        };
        let refused = refused.replace(&folder.path().display().to_string(), "");
        let refused = refused.trim_start_matches('/');
        assert!(
            refused.contains(wanted),
            "{new}\n  says: {refused}\n  not:  {wanted}"
        );
    }
    fs::write(&path, b"rounds = 1\n\xff\n").expect("a file");
    let error = from_file(&path).expect_err("not UTF-8").to_string();
    assert!(error.contains("match.toml:2: this is not UTF-8"), "{error}");
    fs::write(&path, "#".repeat(5 << 20)).expect("a file");
    assert!(from_file(&path).is_err_and(|error| error.message.contains("too long")));
}

proptest! {
    #[test]
    fn no_command_line_panics(line in proptest::collection::vec(
        prop_oneof![
            "-{0,2}[a-z]{1,12}",
            "(cmd|tc|name|elo0|file|option\\.Hash|score)=[ -~]{0,10}",
            "\\PC{0,8}",
            Just("-engine".to_owned()),
            Just("-openings".to_owned()),
            Just("-sprt".to_owned()),
        ],
        0..12,
    )) {
        // The one flag that would read files of this machine.
        if !line.iter().any(|word| word.to_ascii_lowercase().contains("config")) {
            let _ = from_flags(line);
        }
    }

    #[test]
    fn no_file_panics(text in "([a-z]{1,8} ?= ?[\\[\\]\"a-z0-9.+/-]{0,12}\n|\\[\\[?[a-z.]{0,8}\\]?\\]\n){0,8}") {
        if let Ok(draft) = from_toml(&text) {
            let _ = draft.finish();
        }
    }
}

/// Scripts append to a command line: the later flag counts, and that is noted.
#[test]
fn of_two_flags_the_later_one_counts() {
    let read = |more: &str| {
        let line = format!("-engine cmd=a -engine cmd=b {more}");
        from_flags(line.split(' ').map(String::from)).expect(more)
    };
    let flags = read("-each tc=1 -rounds 5 -games 2 -rounds 10");
    assert_eq!(flags.config.schedule.rounds, 10);
    assert_eq!(
        flags.notes,
        ["-rounds is given twice: '10' counts, not '5'"]
    );
    let flags = read("-each tc=1 option.Hash=16 -each nodes=5 option.Hash=32");
    assert_eq!(
        flags.notes,
        ["-each: 'option.Hash' is given twice: '32' counts, not '16'"]
    );
    let option = flags.config.engines[0].spec.options.first();
    assert_eq!(
        option.map(|(name, value)| (name.as_str(), value.as_deref())),
        Some(("Hash", Some("32")))
    );
    let flags = read("-each tc=1 option.Hash=16 -each option.hash=32");
    assert_eq!(
        flags.notes,
        ["-each: 'option.hash' is given twice: '32' counts, not '16'"]
    );
    let file = "[each]\noptions = { Hash = 16, hash = 32 }\n";
    let error = from_toml(file).expect_err("which counts?").to_string();
    assert!(
        error.contains("'Hash' and 'hash' differ only in case"),
        "{error}"
    );
    // Variables of the environment are others in other letters.
    let flags = read("-each tc=1 env.A=1 env.a=2");
    let variables = &flags.config.engines[0].spec.environment;
    let both = [("A", "1"), ("a", "2")].map(|(name, value)| (name.into(), value.into()));
    assert_eq!(
        *variables,
        if cfg!(windows) {
            vec![("A".into(), "2".into())]
        } else {
            both.into()
        }
    );
    let same = read("-each tc=1 -rounds 5 -rounds 5 -each tc=1");
    assert!(same.notes.is_empty(), "{:?}", same.notes);
}

#[test]
fn a_signature_is_read_in_the_forms_in_which_workers_tell_it() {
    let sum = "0F".repeat(32);
    let read = |bench: &str| {
        let words = format!("-engine cmd=a nodes=1 bench={bench} -engine cmd=b nodes=1");
        let flags = from_flags(words.split(' ').map(Into::into));
        flags.map(|flags| flags.config.engines[0].spec.bench.clone().unwrap())
    };
    assert_eq!(read("2,030_154").unwrap(), "bench 2030154");
    assert_eq!(read("build-7").unwrap(), "build-7");
    let wanted = format!("sha256 {}", sum.to_lowercase());
    assert_eq!(read(&format!("sha256:{sum}")).unwrap(), wanted);
    let error = read("sha256:12").unwrap_err().to_string();
    assert!(error.contains("64 hexadecimal digits"), "{error}");
}

/// The keys that a file may have, from the complaint about one that it may not have.
fn known_keys() -> Vec<String> {
    let error = from_toml("no-such-key = 1").unwrap_err();
    let hint = error.hint.expect("the known keys");
    let keys = hint.strip_prefix("known are ").expect("a list");
    keys.split(", ").map(Into::into).collect()
}

#[test]
fn every_key_of_a_file_belongs_to_a_flag() {
    let known = known_keys();
    assert!(known.len() > 30, "{known:?}");
    for key in &known {
        let mut flags = flags();
        assert!(
            flags.any(|flag| flag.has_key(key)),
            "no flag has the key {key}"
        );
    }
    for flag in flags() {
        if let Some(key) = flag.key {
            assert!(known.iter().any(|known| known == key), "-{}", flag.name);
        }
    }
}

#[test]
fn a_match_that_has_begun_takes_what_does_not_change_its_games() {
    let names = ["one".to_owned(), "two".to_owned()];
    let changes = |line: &str| read_flags(words(line)).unwrap().changes(&names);
    let all = changes("-rounds 7 -concurrency 3 -recover -log file=x -use-affinity 1 --json");
    assert_eq!(all.unwrap().rounds, Some(7));
    for line in ["-games 4", "-store x.db", "-quick cmd=a", "-ping-ms 5"] {
        let name = line.split(' ').next().unwrap();
        let error = changes(&format!("-rounds 5 {line}")).unwrap_err();
        assert!(error.message.starts_with(name), "{error}");
        assert!(error.hint.unwrap().contains("-rounds, -concurrency"));
    }
    let error = changes("-games 4 -sprt elo0=0 elo1=5").unwrap_err();
    assert!(error.message.contains("proves nothing"), "{error}");
    // A file is held to the same, under every name that a key has.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("changes.toml");
    for (text, name) in [
        ("penta = false", "-report"),
        ("[[engines]]\ncmd = 'a'", "-engine"),
    ] {
        fs::write(&file, text).unwrap();
        let error = changes(&format!("-config {}", file.display())).unwrap_err();
        assert!(error.message.starts_with(name), "{error}");
    }
    fs::write(&file, "concurrency = 2").unwrap();
    assert!(changes(&format!("-config {}", file.display())).is_ok());
}

/// A key of a section that is named on the command line leaves the others as the file has
/// them; another file of openings is another section.
#[test]
fn flags_go_over_the_keys_of_a_section() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("match.toml");
    let text = "[openings]\nformat = 'random'\nplies = 4\n[tb]\npaths = ['/tables']\n\
                [log]\nfile = 'match.log'\n[resign]\nmovecount = 5\nscore = 900\n\
                [sprt]\nelo0 = -3.0\nelo1 = 1.0\n[pgnout]\nfile = 'games.pgn'\n";
    fs::write(&file, text).unwrap();
    let over = |flags: &str| {
        let line = format!("-config {} {TWO} {flags}", file.display());
        let flags = from_flags(words(&line)).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(flags.notes, [""; 0], "{line}");
        flags.config
    };
    let config = over("-openings plies=2 -tbpieces 4 -log level=info -resign score=7");
    assert_eq!(config.schedule.openings.format, OpeningFormat::Random);
    assert_eq!(config.schedule.openings.plies, Some(2));
    let tables = config.rules.tablebases.expect("tables");
    assert_eq!((tables.paths, tables.pieces), (vec!["/tables".into()], 4));
    let log = config.output.log.expect("a log");
    assert_eq!(log.file.as_deref(), Some(Path::new("match.log")));
    assert_eq!(log.level, LogLevel::Info);
    let resign = config.rules.resign.expect("a rule");
    assert_eq!((resign.movecount, resign.score), (5, 7));
    let config = over("-sprt elo1=2 -pgnout nodes -openings file=book.epd");
    let sprt = config.schedule.sprt.expect("a test");
    assert_eq!((sprt.elo0, sprt.elo1), (-3.0, 2.0));
    let pgn = config.output.pgn.expect("a record");
    assert!(pgn.fields.nodes && pgn.file == Path::new("games.pgn"));
    assert_eq!(config.schedule.openings.format, OpeningFormat::Epd);
    assert_eq!(config.schedule.openings.plies, None);
    let config = over("-pgnout other.pgn");
    assert_eq!(
        config.output.pgn.expect("a record").file,
        Path::new("other.pgn")
    );
}

#[test]
fn a_log_to_standard_error_can_be_turned_off() {
    let names = ["a".to_owned(), "b".to_owned()];
    let log = |words_: &str| {
        let flags = read_flags(words(words_)).unwrap();
        flags.changes(&names).unwrap().log
    };
    assert_eq!(log("-debug").expect("a log").level, LogLevel::Trace);
    assert_eq!(log("-debug on"), log("-debug"));
    let off = log("-debug off").expect("a change");
    assert_eq!((off.level, off.engines), (LogLevel::Warn, LogEngines::None));
    assert!(config(&format!("{TWO} -debug=false")).output.log.is_none());
    assert!(
        error(&format!("{TWO} -debug loud"))
            .message
            .contains("loud")
    );
}
