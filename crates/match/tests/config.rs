//! Descriptions of matches: command lines, files, and everything that can be
//! wrong with them.

use std::path::Path;
use std::time::Duration;

use quadrille_driver::spec::Address;
use quadrille_games::Game;
use quadrille_match::config::{
    ConfigError, Entrant, Format, LogEngines, MatchConfig, Notation, OpeningFormat, OpeningOrder,
    TablebaseScope, from_flags, read_flags,
};
use quadrille_match::stats::SprtModel;
use quadrille_net::Remote;

/// Words as a shell splits them, single quotes only.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
            continue;
        }
        // A quote in the middle of a word continues it.
        for word in part.split_whitespace() {
            words.push(word.to_owned());
        }
    }
    words
}

pub(crate) fn config(line: &str) -> MatchConfig {
    from_flags(words(line))
        .unwrap_or_else(|error| panic!("{line}: {error}"))
        .config
}

pub(crate) fn error(line: &str) -> ConfigError {
    match from_flags(words(line)) {
        Ok(_) => panic!("accepted: {line}"),
        Err(error) => error,
    }
}

pub(crate) const TWO: &str = "-engine cmd=a tc=1 -engine cmd=b tc=1";

#[test]
fn a_whole_fastchess_command_line() {
    let config = config(
        "-engine cmd=./new name=New option.Hash=16 option.Threads=2 \
         -engine cmd=./old dir=/tmp 'args=--fast -x' option.Hash=32 \
         -each tc=40/1:30+0.5 timemargin=20 proto=uci option.Hash=8 restart=on \
         -rounds 500 -games 2 -repeat -recover -concurrency 4 -srand 42 \
         -openings file=book.epd format=epd order=random plies=8 start=17 \
         -sprt elo0=-3 elo1=1 alpha=0.05 beta=0.1 model=logistic \
         -resign movecount=4 score=500 twosided=true -draw movenumber=30 movecount=5 score=8 \
         -maxmoves 200 -tb /a:/b -tbpieces 5 -tbignore50 -tbadjudicate WIN_LOSS \
         -pgnout file=out.pgn notation=uci nodes=true nps=true pv=false append=false \
         -epdout file=out.epd -event 'A match' -site Home -ratinginterval 20 -scoreinterval 5 \
         -wait 50 -use-affinity 0,2-4 -report penta=true -strict -show-latency \
         -startup-ms 5000 -ucinewgame-ms 6000 -ping-ms 7000 -variant standard --store event.db",
    );
    let [new, old] = config.engines.as_slice() else {
        panic!("two engines")
    };
    assert_eq!((new.name(), old.name()), ("New", "old"));
    assert_eq!(new.time.to_string(), "40/90+0.5");
    assert_eq!(new.margin, Duration::from_millis(20));
    let option = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
    assert_eq!(
        new.spec.options,
        [option("Hash", "16"), option("Threads", "2")]
    );
    assert_eq!(old.spec.options, [option("Hash", "32")]);
    assert_eq!(old.spec.folder.as_deref(), Some(Path::new("/tmp")));
    assert!(old.spec.restart);
    assert_eq!(old.spec.timeouts.startup, Duration::from_secs(5));
    assert_eq!(old.spec.timeouts.new_game, Duration::from_secs(6));
    assert_eq!(old.spec.timeouts.ping, Duration::from_secs(7));
    assert_eq!(
        (
            config.schedule.rounds,
            config.schedule.games,
            config.schedule.repeat
        ),
        (500, 2, 2)
    );
    assert_eq!((config.machine.concurrency, config.schedule.seed), (4, 42));
    assert!(
        config.machine.recover
            && config.output.strict
            && config.output.show_latency
            && config.schedule.pentanomial
    );
    let openings = &config.schedule.openings;
    assert_eq!(openings.format, OpeningFormat::Epd);
    assert_eq!(openings.order, OpeningOrder::Random);
    assert_eq!((openings.plies, openings.start), (Some(8), 17));
    let sprt = config.schedule.sprt.expect("a test");
    assert_eq!(sprt.model, SprtModel::Logistic);
    assert!((sprt.elo0 + 3.0).abs() < 1e-12 && (sprt.beta - 0.1).abs() < 1e-12);
    let resign = config.rules.resign.expect("a rule");
    assert_eq!(
        (resign.movecount, resign.score, resign.twosided),
        (4, 500, true)
    );
    let draw = config.rules.draw.expect("a rule");
    assert_eq!((draw.movenumber, draw.movecount, draw.score), (30, 5, 8));
    assert_eq!(config.rules.max_moves, Some(200));
    let tables = config.rules.tablebases.as_ref().expect("tables");
    assert_eq!(tables.paths, [Path::new("/a"), Path::new("/b")]);
    assert_eq!((tables.pieces, tables.ignore50), (5, true));
    assert_eq!(tables.adjudicate, TablebaseScope::WinLoss);
    let pgn = config.output.pgn.as_ref().expect("a file");
    assert_eq!(pgn.notation, Notation::Uci);
    assert!(pgn.fields.nodes && pgn.fields.nps && !pgn.fields.pv && !pgn.append);
    assert_eq!(
        config.output.epd.as_ref().expect("a file").file,
        Path::new("out.epd")
    );
    assert_eq!(
        (config.output.event.as_str(), config.output.site.as_str()),
        ("A match", "Home")
    );
    assert_eq!(
        (config.output.rating_interval, config.output.score_interval),
        (20, 5)
    );
    assert_eq!(config.machine.wait, Duration::from_millis(50));
    assert_eq!(config.machine.processors, [0, 2, 3, 4]);
    assert_eq!(config.output.store.as_deref(), Some(Path::new("event.db")));

    // What is kept with the games is the same match.
    let json = serde_json::to_string(&config).expect("JSON");
    let back: MatchConfig = serde_json::from_str(&json).expect("our own JSON");
    assert_eq!(back, config);
}

#[test]
fn arguments_are_split_as_a_shell_would() {
    let line = |args: &str| {
        let mut line = words(TWO);
        line.extend(["-engine".into(), "cmd=c".into(), format!("args={args}")]);
        line.extend(words("-each tc=1"));
        from_flags(line).map(|flags| flags.config.engines[2].spec.args.clone())
    };
    assert_eq!(
        line(r#"-a "b c" d\ e 'f\' """#).expect("good"),
        ["-a", "b c", "d e", r"f\", ""]
    );
    assert!(line("'open").is_err());
    let arg = config("-engine cmd=a tc=1 arg=-x 'arg=a b' -engine cmd=b tc=1");
    assert_eq!(arg.engines[0].spec.args[0], "-x");
}

#[test]
fn a_cutechess_command_line() {
    let read = from_flags(words(
        "-engine cmd=a name=A proto=uci stderr=a.log whitepov -engine cmd=b arg=-x arg=-y ponder \
         -each tc=hg60 restart=auto tscale=2 -tournament knockout -games 3 -repeat 3 \
         -pgnout games.pgn min -epdout end.epd -bookmode disk -outcomeinterval 5 --debug \
         -concurrency 1 -srand 1",
    ))
    .expect("a good line");
    assert_eq!(read.notes.len(), 2, "{:?}", read.notes);
    let config = read.config;
    assert!(config.engines[0].spec.white_pov && !config.engines[1].spec.white_pov);
    assert_eq!(config.engines[0].spec.stderr, Some("a.log".into()));
    let log = config.output.log.expect("-debug");
    assert_eq!((log.file, log.engines), (None, LogEngines::All));
    assert_eq!(config.schedule.format, Format::Knockout);
    assert_eq!((config.schedule.games, config.schedule.repeat), (3, 3));
    assert!(
        config
            .output
            .pgn
            .as_ref()
            .is_some_and(|pgn| pgn.min && pgn.file == Path::new("games.pgn"))
    );
    assert_eq!(config.engines[1].spec.args, ["-x", "-y"]);
    assert!(config.engines[1].spec.ponder && !config.engines[0].spec.ponder);
    assert_eq!(config.engines[0].time.to_string(), "hg60");
    assert_eq!(
        config.engines[0].spec.timeouts.startup,
        Duration::from_secs(20)
    );
}

#[test]
fn where_fastchess_saves_itself_is_read_and_noted() {
    let line = format!("{TWO} -config outname=state.json discard=true stats=false");
    let read = from_flags(words(&line)).expect("a good line");
    assert_eq!(read.notes.len(), 3, "{:?}", read.notes);
    assert!(read.notes[0].contains("-store"), "{:?}", read.notes);
    let error = from_flags(words(&format!("{TWO} -config fiel=x.toml"))).expect_err("a slip");
    assert!(error.to_string().contains("'file='"), "{error}");
}

#[test]
fn small_things_that_are_easily_got_wrong() {
    // One dash or two, a value after an equals sign, negative numbers.
    let line = format!("{TWO} --rounds=7 --sprt elo0=-5 elo1=0 -concurrency -1 --srand 3");
    let match_ = config(&line);
    assert_eq!((match_.schedule.rounds, match_.schedule.seed), (7, 3));
    assert!(match_.machine.concurrency >= 1);
    // A test without rounds goes on for long; a match is one pair.
    assert_eq!(config(&format!("{TWO} -sprt")).schedule.rounds, 500_000);
    let plain = config(TWO);
    assert_eq!(
        (
            plain.schedule.rounds,
            plain.schedule.games,
            plain.schedule.repeat
        ),
        (1, 2, 2)
    );
    assert!(plain.schedule.pentanomial);
    assert!(!config(&format!("{TWO} -games 1")).schedule.pentanomial);
    assert!(!config(&format!("{TWO} -noswap")).schedule.pentanomial);
    assert!(
        !config(&format!("{TWO} -sprt model=bayesian"))
            .schedule
            .pentanomial
    );
    // The same program twice.
    let twice = config("-engine cmd=builtin -engine cmd=builtin -engine cmd=builtin -each tc=1");
    let names: Vec<&str> = twice.engines.iter().map(Entrant::name).collect();
    assert_eq!(names, ["builtin", "builtin-2", "builtin-3"]);
    // What an engine says for itself goes before what all have in common.
    let own = config("-engine cmd=a tc=5 -engine cmd=b handicap=0.5 -each tc=10+0.2 nodes=1000");
    assert_eq!(own.engines[0].time.to_string(), "5 nodes=1000");
    assert_eq!(own.engines[1].time.to_string(), "5+0.1 nodes=500");
    // Games and rules.
    let frc = config(&format!("{TWO} -variant fischerandom"));
    assert_eq!(
        (frc.rules.game, frc.rules.rules.as_str()),
        (Game::Chess, "chess960")
    );
    let leiser = config(&format!("{TWO} -game leiser -rules 2016"));
    assert_eq!(
        (leiser.rules.game, leiser.rules.rules.as_str()),
        (Game::Leiser, "2016")
    );
    let book = config(&format!("{TWO} -game gyges -openings file=x.epd"));
    assert_eq!(book.schedule.openings.format, OpeningFormat::Fen);
    assert_eq!(
        config(&format!("{TWO} -openings format=random"))
            .schedule
            .openings
            .plies,
        Some(8)
    );
    // Buttons and options with blanks.
    let line = [
        "-engine",
        "cmd=a",
        "tc=1",
        "option.Clear Hash",
        "option.Book File=a b=c",
    ];
    let mut line: Vec<String> = line.map(Into::into).to_vec();
    line.extend(words("-engine cmd=b tc=1"));
    let options = from_flags(line).expect("good").config.engines[0]
        .spec
        .options
        .clone();
    assert_eq!(options[0], ("Clear Hash".into(), None));
    assert_eq!(options[1], ("Book File".into(), Some("a b=c".into())));
    let gauntlet =
        config("-engine cmd=a -engine cmd=b -engine cmd=c -each st=1 -tournament gauntlet");
    assert_eq!(gauntlet.schedule.seeds, 1);
    let quick = config("-quick cmd=a cmd=b book=x.pgn");
    assert_eq!(
        (quick.schedule.rounds, quick.schedule.openings.format),
        (25_000, OpeningFormat::Pgn)
    );
    let draw = quick.rules.draw.expect("a rule");
    assert_eq!((draw.movenumber, draw.movecount, draw.score), (30, 8, 8));
}

#[test]
fn what_belongs_to_the_program_is_told_apart() {
    let read = read_flags(words("--resume event.db --json --quiet")).expect("good");
    assert_eq!(read.resume.as_deref(), Some(Path::new("event.db")));
    assert!(read.json && read.quiet && !read.help);
    let read = read_flags(words("--control event.db concurrency 3")).expect("good");
    let (store, command) = read.control.expect("a command");
    assert_eq!(store, Path::new("event.db"));
    assert_eq!(command, ["concurrency", "3"]);
}

/// Bad command lines, and a word of what is said about them. `TWO` stands for
/// two good engines.
const BAD_LINES: &[(&str, &str)] = &[
    ("", "needs two engines"),
    ("-engine cmd=a tc=1", "there is one"),
    ("-rounds 5", "there are none"),
    (
        "-engine name=x tc=1 -engine cmd=b tc=1",
        "engine 1 ('x') has no command",
    ),
    ("-engine tc=1 -engine cmd=b tc=1", "engine 1 has no command"),
    ("-engine cmd= tc=1 -engine cmd=b tc=1", "has no command"),
    ("-engine cmd=a -engine cmd=b", "may think for ever"),
    (
        "-engine cmd=a tc=inf -engine cmd=b tc=1",
        "engine 'a': it may think for ever",
    ),
    (
        "-engine cmd=a name=x -engine cmd=b name=x -each tc=1",
        "two engines have the name 'x'",
    ),
    (
        "-engine cmd=a -engine cmd=b -each tc=1 name=x",
        "the same name",
    ),
    ("-engine", "-engine needs a value"),
    ("-engine cdm=a tc=1", "did you mean 'cmd='?"),
    (
        "-engine cmd=a tc=x",
        "'x' is no time control: 'x' are no seconds; right would be 10+0.1",
    ),
    (
        "-engine cmd=a tc=1 -engine cmd=builtin:leiser tc=1",
        "plays leiser, and the match is one of chess",
    ),
    ("-engine cmd=a tc=", "no time control"),
    ("-engine cmd=a tc=10,20", "nothing can follow"),
    ("-engine cmd=a tc", "'tc' needs a value"),
    ("-engine cmd=a st=0 -engine cmd=b st=1", "needs some time"),
    ("-engine cmd=a st=-1", "no seconds"),
    ("-engine cmd=a nodes=0", "above zero"),
    ("-engine cmd=a nodes=many", "above zero"),
    ("-engine cmd=a depth=-3", "'-3' is below zero"),
    ("-engine cmd=a depth=0 -engine cmd=b depth=1", "above zero"),
    ("-engine cmd=a timemargin=-5", "'-5' is below zero"),
    ("-engine cmd=a handicap=x", "'x' is not a number"),
    ("-engine cmd=a handicap=nan", "is not a number"),
    (
        "-engine cmd=a tc=1 handicap=0 -engine cmd=b tc=1",
        "handicap is 0",
    ),
    ("-engine cmd=a ponder=maybe", "neither true nor false"),
    (
        "-engine cmd=a restart=sometimes",
        "neither true nor false (write restart=on, restart=off or restart=auto)",
    ),
    ("-engine cmd=a proto=xboard", "xboard cannot play"),
    (
        "-engine cmd=a proto=morse tc=1 -engine cmd=b tc=1",
        "unknown protocol 'morse'",
    ),
    ("-engine cmd=a option.=3", "names no option"),
    ("-engine cmd=a registration=me", "registration=NAME,CODE"),
    ("-engine cmd=a affinity=x", "not a list of processors"),
    ("-engine cmd=a conf=Stockfish", "no list of engines"),
    ("-engine cmd=a tscale=0", "tscale is 0"),
    ("TWO -ronuds 5", "did you mean '-rounds'?"),
    ("TWO -concurency 5", "did you mean '-concurrency'?"),
    ("TWO -banana", "there is no flag '-banana'"),
    ("TWO rounds 5", "there is no 'rounds'"),
    ("rounds 5", "did you mean '-rounds'?"),
    ("5", "belongs to no flag"),
    ("TWO -rounds", "-rounds needs a value"),
    ("TWO -rounds 5 6", "takes one value"),
    ("TWO -rounds five", "'five' is not a whole number"),
    ("TWO -rounds -5", "-rounds: '-5' is below zero"),
    ("TWO -rounds 0", "rounds is 0"),
    ("TWO -rounds 99999999999999", "is too large"),
    ("TWO -rounds 100000000 -games 100000000", "too many games"),
    ("TWO -tournament swiss -rounds 100000000", "too many games"),
    ("TWO -games 0", "games is 0"),
    ("TWO -repeat 0", "repeat is 0"),
    ("TWO -noswap yes", "takes no value"),
    ("TWO -tournament ladder", "no kind of tournament"),
    ("TWO -tournament gauntlet -seeds 2", "seeds is 2"),
    ("TWO -game draughts", "no game 'draughts'"),
    ("TWO -variant crazyhouse", "unknown variant 'crazyhouse'"),
    ("TWO -game gyges -variant standard", "not of the game"),
    (
        "TWO -game leiser -rules nonsense",
        "rules 'nonsense' of leiser",
    ),
    ("TWO -openings order=random format=epd", "need a file"),
    ("TWO -openings file=x", "what kind of openings"),
    ("TWO -openings file=x.epd format=doc", "no kind of openings"),
    ("TWO -openings file=x.epd order=backwards", "no order"),
    ("TWO -openings file=x.epd start=0", "number 1"),
    ("TWO -openings file=x.epd plies=-2", "is below zero"),
    ("TWO -openings file=x.epd plies=5000", "1000 plies"),
    (
        "TWO -openings file=x.epd polcy=round",
        "did you mean 'policy='?",
    ),
    ("TWO -openings file=x.epd policy=never", "no policy"),
    ("TWO -openings file=x.epd format=random", "drawn by lot"),
    ("TWO -openings format=gyges-rows", "not of the game chess"),
    (
        "TWO -game leiser -openings file=x.bin",
        "not of the game leiser",
    ),
    ("TWO -sprt elo0=5 elo1=0", "must be smaller"),
    ("TWO -sprt elo0=0 elo1=0", "must be smaller"),
    ("TWO -sprt alpha=0", "alpha is 0"),
    ("TWO -sprt beta=1.5", "beta is 1.5"),
    ("TWO -sprt alpha=0.6 beta=0.6", "below 1"),
    ("TWO -sprt elo1=5000", "must lie between"),
    ("TWO -sprt elo1=x", "is not a number"),
    ("TWO -sprt elo1=inf", "is not a number"),
    ("TWO -sprt model=guess", "no SPRT model"),
    ("TWO -sprt elo=5", "did you mean 'elo0='?"),
    ("TWO -engine cmd=c tc=1 -sprt", "compares two engines"),
    ("TWO -resign score=-5", "below zero"),
    ("TWO -draw movecount=0", "-maxmoves N ends long games"),
    ("TWO -resign twosided=perhaps", "neither true nor false"),
    ("TWO -resign mvcount=3", "did you mean 'movecount='?"),
    ("TWO -draw score=-1", "below zero"),
    ("TWO -draw movenumber=x", "is not a whole number"),
    ("TWO -tbpieces 5", "not where they are"),
    (
        "TWO -tb /a -tbadjudicate SOME",
        "no choice of table results",
    ),
    ("TWO -tb /a -game gyges", "no endgame tables for gyges"),
    ("TWO -pgnout nodes=true", "pgnout needs a file"),
    ("TWO -pgnout file=a b", "there is no 'b'"),
    ("TWO -pgnout file=a notation=morse", "no notation"),
    ("TWO -pgnout file=a nodes=7", "neither true nor false"),
    ("TWO -epdout append=true", "epdout needs a file"),
    ("TWO -use-affinity 5-3", "not a list of processors"),
    (
        "TWO -use-affinity 1-99999999999",
        "not a list of processors",
    ),
    ("TWO -wait soon", "is not a number of milliseconds"),
    ("TWO -srand -1", "is below zero"),
    ("TWO -report penta=x", "neither true nor false"),
    ("TWO -quick cmd=a boook=x", "did you mean 'book='?"),
    (
        "TWO -config /nowhere/at/all.toml",
        "/nowhere/at/all.toml: cannot be read",
    ),
    ("TWO -config a.toml -config b.toml", "twice"),
    // What is easily forgotten.
    (
        "-engine cmd=a Hash=16 tc=1",
        "there is no 'Hash' (an option of the engine is written option.Hash=16",
    ),
    (
        "-engine ./e1 tc=1",
        "there is no './e1' (the program is written cmd=./e1)",
    ),
    ("-engine cmd=a ./e1", "there is no './e1' (known are cmd"),
    ("-engine cmd=a tc=1:60", "write 2:00 or 120"),
    (
        "-engine cmd=a tc=10+0,1",
        "as a decimal point, write 10+0.1",
    ),
    ("-engine cmd=a tc=0,5+0,01", "write 0.5+0.01"),
    // Two things said about one.
    (
        "-engine cmd=a tc=1 tc=2",
        "-engine: 'tc' is given twice: '1' and '2'",
    ),
    (
        "TWO -each option.Hash=1 option.Hash=2",
        "'option.Hash' is given twice",
    ),
    (
        "TWO -each option.Hash=1 option.hash=2",
        "'option.hash' is given twice",
    ),
    ("TWO -draw score=1 score=2", "-draw: 'score' is given twice"),
    (
        "TWO -pgnout file=a.pgn file=b.pgn",
        "-pgnout: 'file' is given twice",
    ),
    (
        "TWO -log file=a level=info level=warn",
        "'level' is given twice",
    ),
    // What would change games, and is not there.
    (
        "-engine cmd=a trust",
        "there is no 'trust' here: the rules decide games",
    ),
    (
        "-engine cmd=a book=b.bin",
        "-openings file=BOOK format=polyglot",
    ),
    ("-engine cmd=a bookdepth=3", "no book is opened"),
    // What nothing can do at once.
    ("TWO -startup-ms 0", "startup-ms is 0"),
    ("TWO -ping-ms 0", "ping-ms is 0"),
    ("TWO -ucinewgame-ms 0", "ucinewgame-ms is 0"),
    ("TWO -each stop-ms=0", "stop-ms is 0"),
    ("TWO -engine cmd=c tc=0", "no time at all"),
];

/// Whether 0 is off, the usual, or nothing at all, for each flag that takes a number.
#[test]
fn nothing_means_what_it_means_elsewhere() {
    let read = |line: &str| from_flags(words(&format!("{TWO} {line}"))).expect(line);
    // Off, as in cutechess.
    assert_eq!(read("-maxmoves 0").config.rules.max_moves, None);
    let resign = read("-resign movecount=0 score=500");
    assert_eq!(resign.config.rules.resign, None);
    assert!(resign.notes[0].contains("is off"), "{:?}", resign.notes);
    // Off, as in both.
    assert_eq!(read("-ratinginterval 0").config.output.rating_interval, 0);
    assert_eq!(read("-scoreinterval 0").config.output.score_interval, 0);
    assert_eq!(read("-autosaveinterval 0").notes.len(), 1);
    assert_eq!(read("-wait 0").config.machine.wait, Duration::ZERO);
    assert_eq!(
        read("-each timemargin=0").config.engines[0].margin,
        Duration::ZERO
    );
    // All there are, as in fastchess.
    assert_eq!(
        read("-tb /a -tbpieces 0")
            .config
            .rules
            .tablebases
            .expect("tables")
            .pieces,
        0
    );
    assert!(read("-concurrency 0").config.machine.concurrency >= 1);
    assert_eq!(read("-sprt -rounds 0").config.schedule.rounds, 500_000);
    // From the beginning, as in fastchess; not one move of an opening; the whole game.
    let draw = read("-draw movenumber=0 movecount=1 score=0")
        .config
        .rules
        .draw;
    assert_eq!(draw.expect("a rule").movenumber, 0);
    assert_eq!(
        read("-openings file=x.pgn plies=0")
            .config
            .schedule
            .openings
            .plies,
        Some(0)
    );
    assert_eq!(
        config("-engine cmd=a -engine cmd=b -each tc=0/10+1").engines[0]
            .time
            .to_string(),
        "10+1"
    );
    assert_eq!(read("-srand 0").config.schedule.seed, 0);
}

#[test]
fn the_same_twice_is_no_harm() {
    let config = config(
        "-engine cmd=a arg=-x arg=-y -engine cmd=b -each tc=1 -each tc=1 -rounds 3 -rounds 3",
    );
    assert_eq!(
        (config.schedule.rounds, config.engines[0].spec.args.len()),
        (3, 2)
    );
}

/// What is taken although nobody said it, and what is odd but can be meant.
#[test]
fn what_is_not_said_is_told() {
    let read = |line: &str| from_flags(words(line)).expect(line);
    let notes = |line: &str| read(&format!("{TWO} {line}")).notes;
    assert_eq!(
        notes("-resign movecount=3"),
        ["-resign says no score: 600 is taken"]
    );
    let draw = notes("-draw movenumber=34");
    assert_eq!(draw.len(), 2, "{draw:?}");
    assert!(notes("-resign -draw").is_empty());
    assert!(notes("-draw movenumber=34 movecount=8 score=20").is_empty());
    assert_eq!(notes("-log file=x level=debug").len(), 1);
    let warnings = |line: &str| read(line).config.warnings().join("\n");
    let open = "-openings format=random";
    let both = warnings(&format!(
        "-engine cmd=a -engine cmd=b -each tc=1 st=1 {open}"
    ));
    assert!(
        both.contains("engine 'a' has a clock (tc) and a time for every move (st)"),
        "{both}"
    );
    let test = warnings(&format!("{TWO} -sprt {open}"));
    assert!(test.contains("-sprt without -rounds"), "{test}");
    assert_eq!(warnings(&format!("{TWO} -sprt -rounds 9 {open}")), "");
}

#[test]
fn bad_command_lines_are_explained() {
    for (line, wanted) in BAD_LINES {
        let line = line.replace("TWO", TWO);
        let error = error(&line).to_string();
        assert!(
            error.contains(wanted),
            "{line}\n  says: {error}\n  not:  {wanted}"
        );
    }
    assert!(BAD_LINES.len() >= 60);
}

#[test]
fn the_place_of_an_engine_is_checked() {
    let read = |words: &str| {
        let all = format!("-engine cmd=builtin -engine {words} -each tc=1+1");
        from_flags(all.split_whitespace().map(String::from)).map(|read| read.config)
    };
    let config = read("cmd=tcp://box.example:4711").unwrap();
    assert_eq!(config.engines[1].name(), "box.example:4711");
    let tcp = Address::Remote(Remote {
        host: "box.example".into(),
        port: 4711,
        tls: None,
        login: None,
    });
    assert_eq!(config.engines[1].spec.address(), Ok(tcp));
    for (words, wrong) in [
        ("cmd=tcp://box.example", "write tcp://HOST:PORT"),
        ("cmd=tcp://[::1]:4711 nice=3", "nice is for programs"),
        ("cmd=tcp://[::1]:4711 args=-x", "args is for programs"),
        ("cmd=tcp://[::1]:4711 dir=/", "dir is for programs"),
        ("cmd=builtin:go", "there is no game 'go'"),
    ] {
        let error = read(words).unwrap_err().to_string();
        assert!(error.contains(wrong), "{error}");
    }
}

/// A password in an address is used, and is nowhere else.
#[test]
fn a_password_stays_out_of_the_description() {
    let words = "-engine cmd=builtin -engine cmd=tls://ann:hush@box.example:4711 -each tc=1+1";
    let config = from_flags(words.split_whitespace().map(String::from));
    let config = config.unwrap().config;
    let spec = &config.engines[1].spec;
    assert_eq!(spec.password.as_ref().unwrap().reveal(), "hush");
    assert_eq!(spec.command.to_str(), Some("tls://ann@box.example:4711"));
    assert_eq!(config.engines[1].name(), "box.example:4711");
    let kept = serde_json::to_string(&config).unwrap();
    assert!(!kept.contains("hush") && !format!("{config:?}").contains("hush"));
    for wrong in [
        "cmd=tls://ann:hush@box.example",
        "cmd=tls://ann:hush@box.example:1#sha256:0",
        "cmd=tcp://ann:hush@box.example:1 nice=3",
    ] {
        let words = format!("-engine cmd=builtin -engine {wrong} -each tc=1+1");
        let error = from_flags(words.split_whitespace().map(String::from)).unwrap_err();
        let said = format!("{error} {error:?}");
        assert!(!said.contains("hush"), "{said}");
    }
}
